/* nodes.c: the points of a cross-section: fields and responses of a part of them at a time, and the matrices that lead
 * from the columns of the state to them and back; or sums over them that are made beforehand. A matrix has a row for each component and point, sorted by parts: the
 * points of a part along x, then along y. Weights of projections stand in rows too, first those of the rule for all
 * columns, then those of the embedded rule. */
#include <string.h>

#include "pulse/geometry/recorder.h"

static int64_t points_of(const poy_problem *q, int part)
{
    const int64_t rest = q->n_nodes - part * q->n_chunk;
    return rest < q->n_chunk ? rest : q->n_chunk;
}

/* Windows for the last part, if it has fewer points. */
static poy_status shrink(poy_ctx *ctx, const poyi_recorder *r, int slot, int64_t cols, int *out)
{
    *out = -1;
    if (slot >= 0)
        POYI_TRY(ctx, poyi_program_window(ctx, r->p, slot, 0, cols, out));
    return POY_OK;
}

static poy_status add_parts(poy_ctx *ctx, poyi_recorder *r, const poyi_part *whole)
{
    const poy_problem *q = r->problem;
    r->n_parts = (int)((q->n_nodes + q->n_chunk - 1) / q->n_chunk);
    if (r->n_parts > POYI_PARTS_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "problem.n_chunk: %lld of %lld points at a time: at most %d parts",
                         (long long)q->n_chunk, (long long)q->n_nodes, POYI_PARTS_MAX);
    for (int k = 0; k < r->n_parts; k++) {
        poyi_part *part = &r->parts[k];
        const int64_t n = points_of(q, k), first = q->n_pol * k * q->n_chunk;
        *part = *whole;
        if (n < q->n_chunk) {
            POYI_TRY(ctx, shrink(ctx, r, whole->X, q->n_pol * n, &part->X));
            POYI_TRY(ctx, shrink(ctx, r, whole->Y, q->n_pol * n, &part->Y));
            POYI_TRY(ctx, shrink(ctx, r, whole->J, q->n_pol * n, &part->J));
            POYI_TRY(ctx, poyi_modal_shrink_delayed(ctx, r, n, part));
        }
        POYI_TRY(ctx, poyi_program_window(ctx, r->p, r->sp->slot_synthesis, first, q->n_pol * n, &part->synthesis));
        POYI_TRY(ctx, poyi_program_window(ctx, r->p, r->sp->slot_projection, first, q->n_pol * n, &part->projection));
    }
    return POY_OK;
}

/* ---- sums over all points, made beforehand ---- */

/* Products of three of n columns. */
static int64_t triples(int64_t n)
{
    return n * (n + 1) * (n + 2) / 6;
}

/* Products at a sample: of the cube, one to make each triple and one for each column of P; at a point, field, cube and
 * projection. */
int poyi_modal_summed(const poy_problem *q)
{
    const int plain = q->response == POY_RESPONSE_REAL && q->n_pol == 1 && !q->raman && !q->plasma_held &&
                      (q->n_plasma == 0 || q->plasma_taps == 0);
    return plain && triples(q->n_c) * (q->n_c + 1) < q->n_nodes * (2 * q->n_c + 3);
}

static poy_status add_sums(poy_ctx *ctx, poyi_recorder *r)
{
    const poy_problem *q = r->problem;
    poyi_stage_program *sp = r->sp;
    r->n_parts = 1;
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "constant.cube", POY_F64, 2 * q->n_c, triples(q->n_c), &sp->slot_cube));
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, sp->slot_cube, 0, q->n_c, &r->cube));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->plasma, "constant.synthesis", POY_F64, q->n_nodes, q->n_c,
                                  &sp->slot_synthesis));
    return poyi_modal_slot(ctx, r, r->plasma, "constant.projection", POY_F64, q->n_nodes, 2 * q->n_c,
                           &sp->slot_projection);
}

/* sum_q Q_mq S_qa S_qb S_qc, times the ways to order a, b, c. */
static void make_cube(const poy_problem *q, double *cube)
{
    const double *S = POYI_F64(q->synthesis), *Q = POYI_F64(q->projection);
    for (int64_t m = 0; m < 2 * q->n_c; m++)
        for (int64_t a = 0; a < q->n_c; a++)
            for (int64_t b = a; b < q->n_c; b++)
                for (int64_t c = b; c < q->n_c; c++) {
                    const double ways = a == b && b == c ? 1.0 : a == b || b == c ? 3.0 : 6.0;
                    double sum = 0.0;
                    for (int64_t i = 0; i < q->n_nodes; i++) {
                        const double *s = S + i * q->n_c;
                        sum += Q[m * q->n_nodes + i] * (s[a] * s[b] * s[c]);
                    }
                    *cube++ = ways * sum;
                }
}

static poy_status write_cube(poy_ctx *ctx, poyi_stage_program *sp, const poy_problem *q)
{
    poy_status status = POY_OK;
    double *cube = NULL;
    if (sp->slot_cube < 0)
        return POY_OK;
    POYI_TRY(ctx,
             poyi_alloc(ctx, "pulse.setup", (size_t)(2 * q->n_c * triples(q->n_c)) * sizeof *cube, (void **)&cube));
    make_cube(q, cube);
    POYI_TO_DONE(ctx, poyi_program_write(ctx, sp->program, sp->slot_cube, cube));
done:
    poyi_free((void **)&cube);
    return status;
}

/* ---- points, part by part ---- */

poy_status poyi_modal_nodes(poy_ctx *ctx, poyi_recorder *r)
{
    if (r->summed)
        return add_sums(ctx, r);
    const poy_problem *q = r->problem;
    const int analytic = q->response == POY_RESPONSE_ANALYTIC;
    const int64_t rows = q->n_pol * q->n_chunk, all = q->n_pol * q->n_nodes, n_to = q->n_to;
    poyi_part whole = {.X = -1, .Y = -1, .J = -1};

    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "transform.X", r->real && !analytic ? POY_F64 : POY_C128, rows, n_to,
                                  &whole.X));
    whole.Y = whole.X;
    if (r->real && (analytic || r->plasma))
        POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "transform.Y", POY_F64, rows, n_to, &whole.Y));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->holds > 0, "transform.J", POY_F64, rows, n_to, &whole.J));
    POYI_TRY(ctx, poyi_modal_delayed(ctx, r, q->n_chunk, &whole));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "constant.synthesis", POY_F64, all, q->n_c, &r->sp->slot_synthesis));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "constant.projection", POY_F64, all, 2 * q->n_c, &r->sp->slot_projection));
    return add_parts(ctx, r, &whole);
}

/* ---- rows ---- */

poy_status poyi_modal_synthesise(poy_ctx *ctx, const poyi_recorder *r, int part)
{
    const poy_row_matmul arg = {0};
    const int slots[] = {r->parts[part].X, r->A, r->parts[part].synthesis};
    if (r->points)
        POYI_TRY(ctx, POYI_ROW(r, "matmul", slots, arg, 0, 0));
    return POY_OK;
}

poy_status poyi_modal_project(poy_ctx *ctx, const poyi_recorder *r, int part, int both)
{
    const poy_row_matmul arg = {.transposed = 1, .accumulate = part > 0};
    const int slots[] = {both ? r->P_both : r->P, r->parts[part].Y, r->parts[part].projection};
    const int held[] = {r->held[both].J, r->parts[part].J, r->parts[part].projection};
    if (r->points)
        POYI_TRY(ctx, POYI_ROW(r, "matmul", slots, arg, 0, 0));
    if (r->points && r->holds)
        POYI_TRY(ctx, POYI_ROW(r, "matmul", held, arg, 0, 0));
    return POY_OK;
}

/* ---- constants ---- */

/* Row of a component at a point in the order of the record, from its row sorted by parts. */
static int64_t record_row(const poy_problem *q, int64_t row)
{
    const int64_t part = row / (q->n_pol * q->n_chunk), within = row - part * q->n_pol * q->n_chunk,
                  n = points_of(q, (int)part);
    return within / n * q->n_nodes + part * q->n_chunk + within % n;
}

poy_status poyi_modal_write_nodes(poy_ctx *ctx, poyi_stage_program *sp, const poy_problem *q)
{
    const int64_t rows = q->n_pol * q->n_nodes, n_c = q->n_c;
    double *synthesis = NULL;
    poy_status status = POY_OK;

    POYI_TRY(ctx, write_cube(ctx, sp, q));
    if (sp->slot_synthesis < 0)
        return POY_OK;
    POYI_TRY(ctx, poyi_alloc(ctx, "pulse.setup", (size_t)(3 * rows * n_c) * sizeof *synthesis, (void **)&synthesis));
    double *projection = synthesis + rows * n_c;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t from = record_row(q, i);
        memcpy(synthesis + i * n_c, POYI_F64(q->synthesis) + from * n_c, (size_t)n_c * sizeof *synthesis);
        for (int64_t c = 0; c < 2 * n_c; c++)
            projection[i * 2 * n_c + c] = POYI_F64(q->projection)[c * rows + from];
    }
    POYI_TO_DONE(ctx, poyi_program_write(ctx, sp->program, sp->slot_synthesis, synthesis));
    POYI_TO_DONE(ctx, poyi_program_write(ctx, sp->program, sp->slot_projection, projection));
done:
    poyi_free((void **)&synthesis);
    return status;
}

/* far_field_diff.c: far amplitudes of given coefficients and their derivatives by coefficients, positions and wavenumbers. */
#include <string.h>

#include "scatter/cluster/far_field.h"
#include "scatter/waves/plane_coupling.h"

static const double pi = 3.14159265358979323846;

/* Both pols of all directions as wavevectors, and matrices [size][2 n]. */
typedef struct job {
    size_t size, n; /* modes; plane waves */
    double *unit;   /* [n][3] */
    poy_c128 *vectors, *moves, *waves;
    int *pol;
    void *memory;
} job;

static poy_status open_job(poy_ctx *ctx, const poyi_far_call *c, job *j)
{
    *j = (job){.size = c->basis->size, .n = 2 * c->n};
    for (size_t i = 0; i < c->n; i++) {
        double length;
        POYI_TRY(ctx, poyi_direction_check(ctx, "far field", i, c->directions + 3 * i, &length));
    }
    POYI_TRY(ctx,
             poyi_alloc(ctx, "scatter.far",
                        (6 * j->n + j->size * j->n + 1) * sizeof(poy_c128) + j->n * (3 * sizeof(double) + sizeof(int)),
                        &j->memory));
    j->vectors = j->memory;
    j->moves = j->vectors + 3 * j->n;
    j->waves = j->moves + 3 * j->n;
    j->unit = (double *)(void *)(j->waves + j->size * j->n);
    j->pol = (int *)(void *)(j->unit + 3 * j->n);
    for (size_t i = 0; i < j->n; i++) {
        const double *d = c->directions + 3 * (i / 2), length = hypot(hypot(d[0], d[1]), d[2]);
        j->pol[i] = (int)(i % 2);
        for (size_t k = 0; k < 3; k++) {
            j->unit[3 * i + k] = d[k] / length;
            j->vectors[3 * i + k] = (poy_c128){c->ks[i % 2] * j->unit[3 * i + k], 0.0};
        }
    }
    return POY_OK;
}

static poyi_plane_call plane_of(const poyi_far_call *c, const job *j, poyi_expand_task task)
{
    return (poyi_plane_call){.multipoles = c->basis,
                             .n = j->n,
                             .vectors = j->vectors,
                             .pol = j->pol,
                             .poltype = c->poltype,
                             .task = task,
                             .fixed_directions = 1, /* the lengths alone move */
                             .out = j->waves,
                             .g_out = j->waves};
}

/* 1 / (4 pi i k) of plane wave i */
static double complex factor(const poyi_far_call *c, size_t i)
{
    return 1.0 / (CMPLX(0.0, 4.0 * pi) * c->ks[i % 2]);
}

/* out = factor W^H p, added */
static void radiate(const poyi_far_call *c, const job *j, const poy_c128 *p, poy_c128 *out)
{
    for (size_t i = 0; i < j->n; i++) {
        double complex sum = 0.0;
        for (size_t k = 0; k < j->size; k++)
            sum += conj(poyi_c(j->waves[k * j->n + i])) * poyi_c(p[k]);
        out[i] = poyi_pair(poyi_c(out[i]) + factor(c, i) * sum);
    }
}

poy_status poyi_far_value(poy_ctx *ctx, const poyi_far_call *call, poy_c128 *out)
{
    job j;
    POYI_TRY(ctx, open_job(ctx, call, &j));
    const poyi_plane_call plane = plane_of(call, &j, POYI_EXPAND_VALUE);
    const poy_status status = poyi_plane_coupling(ctx, &plane);
    memset(out, 0, j.n * sizeof *out);
    if (status == POY_OK)
        radiate(call, &j, call->scattered, out);
    poyi_free(&j.memory);
    return status;
}

poy_status poyi_far_push(poy_ctx *ctx, const poyi_far_call *call, const poy_c128 *d_scattered,
                         const double *d_positions, const double d_ks[2], poy_c128 *d_out)
{
    poy_status status;
    job j;
    POYI_TRY(ctx, open_job(ctx, call, &j));
    poyi_plane_call plane = plane_of(call, &j, POYI_EXPAND_VALUE);
    memset(d_out, 0, j.n * sizeof *d_out);
    POYI_TO_DONE(ctx, poyi_plane_coupling(ctx, &plane));
    if (d_ks)
        radiate(call, &j, call->scattered, d_out);
    for (size_t i = 0; d_ks && i < j.n; i++) /* of 1 / k */
        d_out[i] = poyi_pair(-d_ks[i % 2] / call->ks[i % 2] * poyi_c(d_out[i]));
    if (d_scattered)
        radiate(call, &j, d_scattered, d_out);
    if (d_positions || d_ks) {
        for (size_t i = 0; i < 3 * j.n; i++)
            j.moves[i] = (poy_c128){d_ks ? d_ks[i / 3 % 2] * j.unit[i] : 0.0, 0.0};
        plane = plane_of(call, &j, POYI_EXPAND_PUSHFORWARD);
        plane.d_positions = d_positions;
        plane.d_vectors = j.moves;
        POYI_TO_DONE(ctx, poyi_plane_coupling(ctx, &plane));
        radiate(call, &j, call->scattered, d_out);
    }
done:
    poyi_free(&j.memory);
    return status;
}

/* g_p = W conj(factor) g, and the cotangent of W: conj(g) p factor. */
poy_status poyi_far_pull(poy_ctx *ctx, const poyi_far_call *call, const poy_c128 *g_out, poy_c128 *g_scattered,
                         double *g_positions, double g_ks[2])
{
    poy_status status;
    job j;
    POYI_TRY(ctx, open_job(ctx, call, &j));
    poyi_plane_call plane = plane_of(call, &j, POYI_EXPAND_VALUE);
    POYI_TO_DONE(ctx, poyi_plane_coupling(ctx, &plane));
    if (g_ks)
        g_ks[0] = g_ks[1] = 0.0;
    if (g_scattered)
        memset(g_scattered, 0, j.size * sizeof *g_scattered);
    for (size_t k = 0; k < j.size; k++)
        for (size_t i = 0; i < j.n; i++) {
            poy_c128 *w = j.waves + k * j.n + i;
            const double complex p = poyi_c(call->scattered[k]), g = poyi_c(g_out[i]), f = factor(call, i);
            if (g_scattered)
                g_scattered[k] = poyi_pair(poyi_c(g_scattered[k]) + poyi_c(*w) * conj(f) * g);
            if (g_ks)
                g_ks[i % 2] -= creal(conj(g) * f * conj(poyi_c(*w)) * p) / call->ks[i % 2];
            *w = poyi_pair(conj(g) * p * f);
        }
    if (g_positions || g_ks) {
        memset(j.moves, 0, 3 * j.n * sizeof *j.moves);
        if (g_positions)
            memset(g_positions, 0, 3 * call->basis->n_positions * sizeof *g_positions);
        plane = plane_of(call, &j, POYI_EXPAND_PULLBACK);
        plane.g_positions = g_positions;
        plane.g_vectors = j.moves;
        POYI_TO_DONE(ctx, poyi_plane_coupling(ctx, &plane));
        for (size_t i = 0; g_ks && i < 3 * j.n; i++)
            g_ks[i / 3 % 2] += j.unit[i] * j.moves[i].re;
    }
done:
    poyi_free(&j.memory);
    return status;
}

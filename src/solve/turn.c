/* turn.c: turns of conjugate gradients (turn.h), called or replayed from three programs. */
#include "solve/turn.h"

/* A part of a batch has some rows for each member; of more members than these, recording takes longer than it saves. */
enum { MEMBERS_MOST = 1024 };

poy_status poyi_turn_open(poyi_run *run, int64_t k, poy_array *x, poyi_turn *t)
{
    poy_ctx *ctx = run->ctx;
    t->run = run;
    t->k = k;
    t->x = x;
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, k, &t->r));
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, k, &t->p));
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, k, &t->q));
    t->z = t->r;
    if (run->o.precond)
        POYI_TRY(ctx, poyi_run_vector(run, run->x_space, k, &t->z));
    return POY_OK;
}

void poyi_turn_free(poyi_turn *t)
{
    for (int i = 0; i < POYI_TURN_PARTS; i++)
        if (t->part[i])
            poy_program_destroy(&t->part[i]);
}

/* ---- the parts, as they are recorded: member by member, so that one is still in the nearest cache for its next row, where
 * members are long enough to be worth a row; else each row does all of them ---- */

static int by_member(const poyi_turn *t)
{
    return poyi_vector_by_member(t->k, t->x);
}

static int64_t lines(const poyi_turn *t)
{
    return t->k && by_member(t) ? t->k : 1;
}

static poy_array line(const poyi_turn *t, const poy_array *x, int64_t i)
{
    const int64_t n = x->size / lines(t);
    return by_member(t) ? poyi_window(x, i * n, 1, &n) : *x;
}

static poy_array number(const poyi_turn *t, const poy_array *a, int64_t i)
{
    return by_member(t) ? poyi_window(a, i, 0, NULL) : *a;
}

/* sum of line i: <x, y> of its members */
static poy_status dot_line(const poyi_turn *t, int64_t i, const poy_array *x, const poy_array *y, const poy_array *sum)
{
    poy_array s = number(t, sum, i);
    const poy_array xi = line(t, x, i), yi = line(t, y, i);
    if (by_member(t))
        POYI_TRY(t->run->ctx, poy_vdot_into(t->run->ctx, &xi, &yi, &s));
    else
        POYI_TRY(t->run->ctx, poyi_dot_into(t->run->ctx, t->run->work, t->k, &xi, &yi, &s));
    return POY_OK;
}

/* Line i of z: a x + y. */
static poy_status add_line(const poyi_turn *t, int64_t i, const poy_array *a, const poy_array *x, const poy_array *y,
                           const poy_array *z)
{
    const poy_array ai = number(t, a, i), xi = line(t, x, i), yi = line(t, y, i);
    poy_array zi = line(t, z, i);
    POYI_TRY(t->run->ctx, poy_axpy_into(t->run->ctx, &ai, &xi, &yi, &zi));
    return POY_OK;
}

static poy_status call_apply(const void *turn)
{
    const poyi_turn *t = turn;
    poy_ctx *ctx = t->run->ctx;
    POYI_TRY(ctx, poyi_apply(ctx, t->run->a, t->run->work, t->k, t->p, t->q));
    for (int64_t i = 0; i < lines(t); i++)
        POYI_TRY(ctx, dot_line(t, i, t->p, t->q, t->pi));
    return POY_OK;
}

static poy_status call_descend(const void *turn)
{
    const poyi_turn *t = turn;
    poy_ctx *ctx = t->run->ctx;
    const poy_linop *precond = t->run->o.precond;
    for (int64_t i = 0; i < lines(t); i++) {
        POYI_TRY(ctx, add_line(t, i, t->back, t->q, t->r, t->r));
        if (!precond)
            POYI_TRY(ctx, dot_line(t, i, t->r, t->r, t->rho));
    }
    if (!precond)
        return POY_OK;
    POYI_TRY(ctx, poyi_apply(ctx, precond, t->run->work, t->k, t->r, t->z));
    for (int64_t i = 0; i < lines(t); i++)
        POYI_TRY(ctx, dot_line(t, i, t->r, t->z, t->rho));
    return POY_OK;
}

static poy_status call_follow(const void *turn)
{
    const poyi_turn *t = turn;
    for (int64_t i = 0; i < lines(t); i++) {
        POYI_TRY(t->run->ctx, add_line(t, i, t->forward, t->p, t->x, t->x));
        POYI_TRY(t->run->ctx, add_line(t, i, t->beta, t->p, t->z, t->p));
    }
    return POY_OK;
}

/* ---- recording ---- */

static poy_status take_numbers(poyi_turn *t)
{
    const int rank = t->x->rank;
    POYI_TRY(t->run->ctx, poyi_run_numbers(t->run, t->k, 1, &t->pi));
    POYI_TRY(t->run->ctx, poyi_run_numbers(t->run, t->k, 1, &t->rho));
    POYI_TRY(t->run->ctx, poyi_run_numbers(t->run, t->k, rank, &t->back));
    POYI_TRY(t->run->ctx, poyi_run_numbers(t->run, t->k, rank, &t->forward));
    POYI_TRY(t->run->ctx, poyi_run_numbers(t->run, t->k, rank, &t->beta));
    return POY_OK;
}

poy_status poyi_turn_record(poyi_turn *t)
{
    static poyi_part_fn *const calls[POYI_TURN_PARTS] = {call_apply, call_descend, call_follow};
    static const char *const names[POYI_TURN_PARTS] = {"cg apply", "cg descend", "cg follow"};
    poy_ctx *ctx = t->run->ctx;
    if (t->k > MEMBERS_MOST || !poyi_run_can_record(t->run, t->k, t->x))
        return POY_OK;
    POYI_TRY(ctx, take_numbers(t));
    for (int i = 0; i < POYI_TURN_PARTS; i++)
        POYI_TRY(ctx, poyi_run_record(t->run, names[i], calls[i], t, &t->part[i]));
    return POY_OK;
}

/* ---- turns ---- */

static int64_t count(const poyi_turn *t)
{
    return t->k ? t->k : 1;
}

static poy_status replay(const poyi_turn *t, poyi_turn_part part)
{
    POYI_TRY(t->run->ctx, poy_program_run(t->run->ctx, t->part[part], 1));
    return POY_OK;
}

poy_status poyi_turn_precondition(poyi_turn *t)
{
    const poyi_run *run = t->run;
    if (run->o.precond)
        POYI_TRY(run->ctx, poyi_apply(run->ctx, run->o.precond, run->work, t->k, t->r, t->z));
    return POY_OK;
}

poy_status poyi_turn_apply(poyi_turn *t, poy_scalar *pi)
{
    const poyi_run *run = t->run;
    poy_ctx *ctx = run->ctx;
    if (t->part[POYI_TURN_APPLY]) {
        POYI_TRY(ctx, replay(t, POYI_TURN_APPLY));
        POYI_TRY(ctx, poyi_read_scalars(ctx, t->pi, count(t), pi));
    } else {
        POYI_TRY(ctx, poyi_apply(ctx, run->a, run->work, t->k, t->p, t->q));
        POYI_TRY(ctx, poyi_inner(ctx, run->x_space, run->work, t->k, t->p, t->q, pi));
    }
    return POY_OK;
}

poy_status poyi_turn_descend(poyi_turn *t, const poy_scalar *back, poy_scalar *rho)
{
    const poyi_run *run = t->run;
    poy_ctx *ctx = run->ctx;
    if (t->part[POYI_TURN_DESCEND]) {
        POYI_TRY(ctx, poyi_write_scalars(ctx, t->back, count(t), back));
        POYI_TRY(ctx, replay(t, POYI_TURN_DESCEND));
        POYI_TRY(ctx, poyi_read_scalars(ctx, t->rho, count(t), rho));
    } else if (!run->o.precond) {
        POYI_TRY(ctx, poyi_axpy_inner(ctx, run->x_space, run->work, t->k, back, t->q, t->r, rho));
    } else {
        POYI_TRY(ctx, poyi_axpy(ctx, run->work, t->k, back, t->q, t->r));
        POYI_TRY(ctx, poyi_turn_precondition(t));
        POYI_TRY(ctx, poyi_inner(ctx, run->x_space, run->work, t->k, t->r, t->z, rho));
    }
    return POY_OK;
}

poy_status poyi_turn_follow(poyi_turn *t, const poy_scalar *forward, const poy_scalar *beta)
{
    const poyi_run *run = t->run;
    poy_ctx *ctx = run->ctx;
    if (t->part[POYI_TURN_FOLLOW]) {
        POYI_TRY(ctx, poyi_write_scalars(ctx, t->forward, count(t), forward));
        POYI_TRY(ctx, poyi_write_scalars(ctx, t->beta, count(t), beta));
        POYI_TRY(ctx, replay(t, POYI_TURN_FOLLOW));
    } else {
        POYI_TRY(ctx, poyi_axpy_xpby(ctx, run->work, t->k, forward, t->x, t->z, beta, t->p));
    }
    return POY_OK;
}

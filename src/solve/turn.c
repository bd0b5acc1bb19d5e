/* turn.c: a turn of conjugate gradients recorded as three programs, which replay the calls of cg.c without dispatch and to the
 * same bits; in between the host decides. */
#include "solve/solve.h"

int poyi_turn_can(const poyi_run *run, const poy_array *x)
{
    const poy_linop *k = run->o.precond;
    return run->x_space->geometry == POYI_EUCLIDEAN && poyi_vector_is_short(x) && !poyi_ctx_capture(run->ctx) &&
           !poyi_linop_calls_back(run->a) && (!k || !poyi_linop_calls_back(k));
}

poy_status poyi_turn_init(poyi_run *run, poyi_turn *t)
{
    poy_array **const numbers[] = {&t->pi, &t->rho, &t->back, &t->forward, &t->beta};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        POYI_TRY(run->ctx, poyi_run_number(run, run->x_space->dtype, numbers[i]));
    return POY_OK;
}

/* ---- the parts, as cg.c calls them ---- */

static poy_status apply(poyi_run *run, const poyi_turn *t)
{
    POYI_TRY(run->ctx, poyi_apply(run->ctx, run->a, run->work, 0, t->p, t->q));
    POYI_TRY(run->ctx, poy_vdot_into(run->ctx, t->p, t->q, t->pi));
    return POY_OK;
}

static poy_status descend(poyi_run *run, const poyi_turn *t)
{
    POYI_TRY(run->ctx, poy_axpy_into(run->ctx, t->back, t->q, t->r, t->r));
    if (run->o.precond)
        POYI_TRY(run->ctx, poyi_apply(run->ctx, run->o.precond, run->work, 0, t->r, t->z));
    POYI_TRY(run->ctx, poy_vdot_into(run->ctx, t->r, t->z, t->rho));
    return POY_OK;
}

static poy_status follow(poyi_run *run, const poyi_turn *t)
{
    POYI_TRY(run->ctx, poy_axpy_into(run->ctx, t->forward, t->p, t->x, t->x));
    POYI_TRY(run->ctx, poy_axpy_into(run->ctx, t->beta, t->p, t->z, t->p));
    return POY_OK;
}

poy_status poyi_turn_record(poyi_run *run, poyi_turn *t)
{
    static poy_status (*const calls[POYI_TURN_PARTS])(poyi_run *, const poyi_turn *) = {apply, descend, follow};
    static const char *const names[POYI_TURN_PARTS] = {"cg apply", "cg descend", "cg follow"};
    for (int i = 0; i < POYI_TURN_PARTS; i++) {
        POYI_TRY(run->ctx, poy_program_begin(run->ctx, run->x_space->be, names[i]));
        const poy_status status = calls[i](run, t);
        if (status != POY_OK) {
            poy_program_cancel(run->ctx);
            return status;
        }
        POYI_TRY(run->ctx, poy_program_end(run->ctx, &t->part[i]));
    }
    return POY_OK;
}

poy_status poyi_turn_run(poyi_run *run, const poyi_turn *t, poyi_turn_part part)
{
    POYI_TRY(run->ctx, poy_program_run(run->ctx, t->part[part], 1));
    return POY_OK;
}

void poyi_turn_free(poyi_turn *t)
{
    for (int i = 0; i < POYI_TURN_PARTS; i++)
        if (t->part[i])
            poy_program_destroy(&t->part[i]);
}

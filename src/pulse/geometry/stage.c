/* stage.c: binds a stage program: writes the constants of its problem and, for each trial, its scalars. */
#include <string.h>

#include "core/core.h"
#include "pulse/geometry/geometry.h"

static poy_status write_constant(poy_ctx *ctx, poyi_stage_program *sp, int slot, const poyi_data *array)
{
    if (slot >= 0)
        POYI_TRY(ctx, poyi_program_write(ctx, sp->program, slot, array->data));
    return POY_OK;
}

/* factor times an array, or times ones where the problem has none. */
static poy_status write_scaled(poy_ctx *ctx, poyi_stage_program *sp, int slot, const poyi_data *array, int64_t n,
                               double factor)
{
    poy_status status = POY_OK;
    double *scaled = NULL;

    if (slot < 0)
        return POY_OK;
    POYI_TRY(ctx, poyi_alloc(ctx, "pulse.setup", (size_t)n * sizeof *scaled, (void **)&scaled));
    for (int64_t i = 0; i < n; i++)
        scaled[i] = factor * (array->data ? POYI_F64(*array)[i] : 1.0);
    POYI_TO_DONE(ctx, poyi_program_write(ctx, sp->program, slot, scaled));
done:
    poyi_free((void **)&scaled);
    return status;
}

poy_status poyi_stage_bind(poy_ctx *ctx, poyi_stage_program *sp, const poy_problem *problem, poy_backend *be)
{
    const double n_t = (double)problem->n_t, n_to = (double)problem->n_to;

    POYI_TRY(ctx, poyi_program_bind(ctx, sp->program, be));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_Phi, &problem->phi));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_G, &problem->prefactor));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_H, &problem->raman_h));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_Wto, &problem->window_to));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_rate, &problem->absorber_rate));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_mask, &problem->mask));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_Ww, &problem->window_w));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_weights, &problem->error_weights));
    /* From the fine grid to the state; and the 1/n of a pair of transforms on the coarse grid. */
    POYI_TRY(ctx, write_scaled(ctx, sp, sp->slot_crop, &problem->mask, problem->n_w, n_t / n_to));
    POYI_TRY(ctx, write_scaled(ctx, sp, sp->slot_Wt, &problem->window_t, problem->n_t, 1.0 / n_t));
    return POY_OK;
}

void poyi_stage_translate(const poyi_stage_program *sp, const poy_problem *problem, double h, double *scalars)
{
    static const int block[POY_ERROR_BLOCKS] = {0, 2, 3, 4, 5, 6};
    const poyi_tableau *method = &poyi_dormand_prince;

    memset(scalars, 0, (size_t)sp->n_scalars * sizeof *scalars);
    for (int i = 1; i < POY_STAGES; i++) {
        for (int64_t t = 0; t < problem->n_term; t++) /* the operator does not change along the fibre */
            scalars[sp->at_w + method->position[i] * problem->n_term + t] = method->c[i] * h;
        for (int j = 0; j < method->n[i]; j++)
            scalars[sp->at_a[i] + j] = h * method->a[i][j];
    }
    scalars[sp->at_kerr] = problem->kerr_scale;
    scalars[sp->at_raman] = problem->raman_scale;
    for (int j = 0; j < POY_ERROR_BLOCKS; j++) {
        scalars[sp->at_b + j] = h * method->b[block[j]];
        scalars[sp->at_e + j] = h * method->e[block[j]];
    }
    scalars[sp->at_taper] = -0.5 * h;
}

void poyi_stage_fini(poyi_stage_program *sp)
{
    poyi_program_destroy(&sp->program);
}

/* stage.c: binds a stage program: writes the constants of its problem and, for each trial, its scalars. */
#include <string.h>

#include "core/constants.h"
#include "core/core.h"
#include "poynting/pulse_rows.h"
#include "pulse/geometry/along.h"
#include "pulse/geometry/recorder.h"

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

/* (1/(i omega))^power in the bins of the fine grid, 0 in that of 0. */
static poy_status write_inverse(poy_ctx *ctx, poyi_stage_program *sp, int slot, const poy_problem *p, int power)
{
    poy_status status = POY_OK;
    double *x = NULL;
    const int64_t n = p->n_to / 2 + 1;

    if (slot < 0)
        return POY_OK;
    POYI_TRY(ctx, poyi_alloc(ctx, "pulse.setup", 2 * (size_t)n * sizeof *x, (void **)&x));
    for (int64_t k = 0; k < n; k++) {
        const double omega = 2.0 * POYI_PI * (double)k / ((double)p->n_to * p->dt_fine);
        x[2 * k] = power == 2 && k ? -1.0 / (omega * omega) : 0.0;
        x[2 * k + 1] = power == 1 && k ? -1.0 / omega : 0.0;
    }
    POYI_TO_DONE(ctx, poyi_program_write(ctx, sp->program, slot, x));
done:
    poyi_free((void **)&x);
    return status;
}

poy_status poyi_stage_bind(poy_ctx *ctx, poyi_stage_program *sp, const poy_problem *problem, poy_backend *be)
{
    const double n_t = (double)problem->n_t, n_to = (double)problem->n_to;

    POYI_TRY(ctx, poyi_program_bind(ctx, sp->program, be));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_Phi, &problem->phi));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_G, &problem->prefactor));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_H, &problem->raman_h));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_T, &problem->raman_t));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_carrier, &problem->carrier));
    for (int j = 0; j < problem->n_plasma && sp->slot_G >= 0; j++)
        POYI_TRY(ctx, poyi_program_write(ctx, sp->program, sp->slot_rates[j],
                                         POYI_F64(problem->rates) + (int64_t)POYI_F64(problem->rate_first)[j]));
    POYI_TRY(ctx, poyi_modal_write_nodes(ctx, sp, problem));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_Wto, &problem->window_to));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_slope, &problem->window_slope));
    POYI_TRY(ctx, write_inverse(ctx, sp, sp->slot_once, problem, 1));
    POYI_TRY(ctx, write_inverse(ctx, sp, sp->slot_twice, problem, 2));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_rate, &problem->absorber_rate));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_mask, &problem->mask));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_Ww, &problem->window_w));
    POYI_TRY(ctx, write_constant(ctx, sp, sp->slot_weights, &problem->error_weights));
    /* From the fine grid to the state; and the 1/n of a pair of transforms on the coarse grid. */
    POYI_TRY(ctx, write_scaled(ctx, sp, sp->slot_crop, &problem->mask, problem->n_w, n_t / n_to));
    POYI_TRY(ctx, write_scaled(ctx, sp, sp->slot_Wt, &problem->window_t, problem->n_t, 1.0 / n_t));
    return POY_OK;
}

/* Factors of the responses at stage i. */
static void translate_responses(const poyi_stage_program *sp, const poy_problem *p, int i, double z, double *scalars)
{
    const int guide = p->equation == POYI_EQUATION_GUIDE;
    poyi_terms_at(p, z, scalars + sp->at_along[i]);
    scalars[sp->at_kerr[i]] = p->kerr_scale * (guide ? poyi_problem_along(p, POYI_F64(p->kerr_along), z) : 1.0);
    scalars[sp->at_kerr[i] + 1] = p->raman_scale * (guide ? poyi_problem_along(p, POYI_F64(p->raman_along), z) : 1.0);
    for (int j = 0; j < p->n_plasma; j++) {
        double *s = scalars + sp->at_plasma[i][j];
        s[0] = poyi_problem_along(p, POYI_F64(p->field_along), z);
        s[1] = poyi_problem_along(p, POYI_F64(p->plasma_along) + j * p->n_along, z);
        s[2] = p->preionised;
    }
}

void poyi_stage_translate_at(const poyi_stage_program *sp, const poy_problem *problem, double z, double h,
                             double *scalars)
{
    static const int block[POY_ERROR_BLOCKS] = {0, 2, 3, 4, 5, 6};
    const poyi_tableau *method = &poyi_dormand_prince;

    memset(scalars, 0, (size_t)sp->n_scalars * sizeof *scalars);
    for (int i = 0; i < POY_STAGES; i++) {
        const double end = method->c[i] * h;
        translate_responses(sp, problem, i, z + end, scalars);
        if (i > 0)
            poyi_terms_integral(sp, problem, z, z + end, scalars + sp->at_w + method->position[i] * problem->n_term);
        if (i > 0 && problem->n_term == 1) /* as it is, without the rounding of z */
            scalars[sp->at_w + method->position[i]] = end;
        for (int j = 0; j < method->n[i]; j++)
            scalars[sp->at_a[i] + j] = h * method->a[i][j];
    }
    for (int j = 0; j < POY_ERROR_BLOCKS; j++) {
        scalars[sp->at_b + j] = h * method->b[block[j]];
        scalars[sp->at_e + j] = h * method->e[block[j]];
    }
    scalars[sp->at_taper] = -0.5 * h;
    for (int i = 0; i < 3; i++)
        scalars[sp->at_ones + i] = 1.0;
}

void poyi_stage_translate(const poyi_stage_program *sp, const poy_problem *problem, double h, double *scalars)
{
    poyi_stage_translate_at(sp, problem, 0.0, h, scalars);
}

void poyi_stage_fini(poyi_stage_program *sp)
{
    poyi_program_destroy(&sp->program);
}

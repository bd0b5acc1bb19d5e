/* guide.c: guides as objects, and the questions that all kinds answer: index, dispersion, loss, area, fields. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pulse/guide/kind.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)
static const double least_index = 1e-3, most_loss = 3000.0, most_cotangent = 50.0;

/* ---- making ---- */

poy_status poyi_guide_new(poy_ctx *ctx, const poyi_kind *kind, poy_guide **out)
{
    poy_guide *guide = calloc(1, sizeof *guide);
    if (!guide)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.type: no memory for a guide of type %s", kind->name);
    atomic_init(&guide->references, 1);
    guide->kind = kind;
    guide->loss = 1.0;
    *out = guide;
    return POY_OK;
}

poy_guide *poy_guide_retain(poy_guide *guide)
{
    if (guide)
        atomic_fetch_add(&guide->references, 1);
    return guide;
}

void poy_guide_destroy(poy_guide **guide)
{
    poy_guide *g = *guide;
    *guide = NULL;
    if (!g || atomic_fetch_sub(&g->references, 1) != 1)
        return;
    if (g->own)
        g->kind->fini(g->own);
    poyi_fill_fini(&g->fill);
    poyi_along_fini(&g->radius);
    poyi_wall_fini(&g->wall);
    poyi_wall_fini(&g->core);
    free(g->modes);
    free(g);
}

/* ---- what it is ---- */

const char *poy_guide_type(const poy_guide *guide)
{
    return guide->kind->name;
}

int poy_guide_mode_count(const poy_guide *guide)
{
    return guide->n_modes;
}

const char *poy_guide_mode_name(const poy_guide *guide, int mode)
{
    return mode >= 0 && mode < guide->n_modes ? guide->modes[mode].name : NULL;
}

poy_status poy_guide_find_mode(poy_ctx *ctx, const poy_guide *guide, const char *name, int *mode)
{
    char list[512] = "", other[24] = "";
    size_t used = 0;
    poy_mode mode_of_name;
    if (!strncmp(name, "LP", 2)) { /* LP01 is HE11 */
        POYI_TRY(ctx, poy_mode_parse(ctx, name, &mode_of_name));
        poy_mode_format(mode_of_name, sizeof other, other);
    }
    for (int i = 0; i < guide->n_modes; i++) {
        if (!strcmp(guide->modes[i].name, name) || !strcmp(guide->modes[i].name, other)) {
            *mode = i;
            return POY_OK;
        }
        if (used + 40 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", guide->modes[i].name);
    }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mode \"%s\" is not among the guide's modes: %s", name, list);
}

int poy_guide_varies(const poy_guide *guide)
{
    return (guide->fill.n > 0 && poyi_along_varies(&guide->fill.pressure)) ||
           (guide->has_radius && poyi_along_varies(&guide->radius)) ||
           (guide->kind->planes && guide->kind->planes(guide, NULL) > 1);
}

int poy_guide_gas_count(const poy_guide *guide)
{
    return guide->fill.n;
}

const poy_gas *poy_guide_gas(const poy_guide *guide, int i)
{
    return i >= 0 && i < guide->fill.n ? guide->fill.gas[i] : NULL;
}

void poy_guide_at(const poy_guide *guide, double z, poy_guide_place *out)
{
    *out = (poy_guide_place){.z = z, .core_radius = (double)NAN, .n_gases = guide->fill.n};
    if (guide->has_radius)
        out->core_radius = poyi_along_at(&guide->radius, z);
    if (guide->fill.n > 0) {
        out->pressure = poyi_along_at(&guide->fill.pressure, z);
        poyi_fill_density(&guide->fill, out->pressure, out->density);
    }
}

poy_status poyi_guide_place(poy_ctx *ctx, const poy_guide *guide, double z, double pressure, double radius,
                            poy_guide_place *out)
{
    poy_guide_place place;
    poy_guide_at(guide, z, &place);
    if (!isnan(radius))
        place.core_radius = radius;
    if (!isnan(pressure)) {
        place.pressure = pressure;
        POYI_TRY(ctx, poyi_fill_density_at(ctx, &guide->fill, pressure, place.density));
    }
    *out = place;
    return POY_OK;
}

/* ---- index ---- */

poy_status poyi_guide_check_mode(poy_ctx *ctx, const poy_guide *guide, int mode)
{
    if (mode < 0 || mode >= guide->n_modes)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "mode number %d: the guide has modes 0 to %d", mode, guide->n_modes - 1);
    return POY_OK;
}

poy_status poyi_guide_index(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                            int order, poyi_cjet *out)
{
    POYI_TRY(ctx, poyi_guide_check_mode(ctx, guide, mode));
    if (!(omega > 0.0) || !isfinite(omega))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "angular frequency %g rad/s: it must be above 0", omega);
    if (order < 0 || order > POY_DERIVATIVES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "derivative of order %d: orders 0 to %d are built", order,
                         POY_DERIVATIVES_MAX);
    POYI_TRY(ctx, guide->kind->index(ctx, guide, mode, place, omega, order, out));
    for (int k = 0; k <= order; k++)
        out->c[k] = CMPLX(creal(out->c[k]), guide->loss * cimag(out->c[k]));
    if (guide->attenuation > 0.0) {
        const double k = guide->attenuation * POYI_C / (2.0 * omega);
        *out = poyi_cjet_add(*out, poyi_cjet_power_of_frequency(order, CMPLX(0.0, k), -1.0));
    }
    return POY_OK;
}

void poyi_excess_beta(const poyi_cjet *excess, double omega, double *out)
{
    poyi_cjet rising = poyi_cjet_power_of_frequency(excess->order, omega / POYI_C, 1.0);
    poyi_cjet beta = poyi_cjet_mul(*excess, rising);
    poyi_cjet_derivatives(&beta, omega, out, NULL);
}

poy_status poy_guide_index(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, int order,
                           double *out)
{
    poy_guide_place place;
    poyi_cjet excess;
    double re[POY_DERIVATIVES_MAX + 1], im[POY_DERIVATIVES_MAX + 1];
    poy_guide_at(guide, z, &place);
    POYI_TRY(ctx, poyi_guide_index(ctx, guide, mode, &place, omega, order, &excess));
    poyi_cjet_derivatives(&excess, omega, re, im);
    for (int k = 0; k <= order; k++) {
        *out++ = re[k];
        *out++ = im[k];
    }
    return POY_OK;
}

poy_status poy_guide_beta(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, int order,
                          double *out)
{
    poy_guide_place place;
    poyi_cjet excess;
    poy_guide_at(guide, z, &place);
    POYI_TRY(ctx, poyi_guide_index(ctx, guide, mode, &place, omega, order, &excess));
    poyi_excess_beta(&excess, omega, out);
    out[0] += omega / POYI_C;
    if (order > 0)
        out[1] += 1.0 / POYI_C;
    return POY_OK;
}

poy_status poy_guide_attenuation(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, double *alpha)
{
    double excess[2];
    POYI_TRY(ctx, poy_guide_index(ctx, guide, mode, z, omega, 0, excess));
    *alpha = 2.0 * omega / POYI_C * excess[1];
    return POY_OK;
}

/* n - 1 as numbers that may be exponentiated, and what was held. */
static void hold(double complex index, double omega, double cotangent, double *excess, double *alpha,
                 poy_guide_clamps *clamps)
{
    *excess = creal(index);
    *alpha = 2.0 * omega / POYI_C * cimag(index);
    clamps->index += !(1.0 + *excess >= least_index);
    clamps->gain += *alpha < 0.0;
    clamps->loss += !(*alpha <= most_loss);
    clamps->resonance += !(cotangent <= most_cotangent);
    if (!(1.0 + *excess >= least_index))
        *excess = least_index - 1.0;
    *alpha = *alpha <= most_loss ? fmax(*alpha, 0.0) : most_loss;
}

/* Re n - 1 and alpha at a place, held to their limits, and what was held added to *clamps. */
static poy_status guide_held(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                             double *excess, double *alpha, poy_guide_clamps *clamps)
{
    poyi_cjet index;
    double cotangent = 0.0;
    POYI_TRY(ctx, poyi_guide_index(ctx, guide, mode, place, omega, 0, &index));
    if (guide->kind->resonance)
        POYI_TRY(ctx, guide->kind->resonance(ctx, guide, place, omega, &cotangent));
    hold(index.c[0], omega, cotangent, excess, alpha, clamps);
    return POY_OK;
}

poy_status poyi_guide_held_many(poy_ctx *ctx, const poy_guide *guide, int n_places, const poy_guide_place *places,
                                int n_modes, const int *modes, double omega, double complex *work, double *excess,
                                double *alpha, poy_guide_clamps *clamps)
{
    const double k = guide->attenuation * POYI_C / (2.0 * omega);
    if (!guide->kind->index_of_many || guide->kind->resonance) {
        for (int i = 0; i < n_places * n_modes; i++)
            POYI_TRY(ctx, guide_held(ctx, guide, modes[i % n_modes], &places[i / n_modes], omega, &excess[i], &alpha[i],
                                     clamps));
        return POY_OK;
    }
    POYI_TRY(ctx, guide->kind->index_of_many(ctx, guide, n_places, places, n_modes, modes, omega, work));
    for (int i = 0; i < n_places * n_modes; i++)
        hold(CMPLX(creal(work[i]), guide->loss * cimag(work[i]) + k), omega, 0.0, &excess[i], &alpha[i], clamps);
    return POY_OK;
}

double poyi_soft_loss(double alpha)
{
    const double x = alpha / most_loss, x4 = x * x * x * x;
    return alpha > 0.0 ? alpha / sqrt(sqrt(1.0 + x4)) : 0.0;
}

/* What one mode has at all places, as it is; and what is held there. */
static poy_status survey(poy_ctx *ctx, const poy_guide *guide, int n_places, const poy_guide_place *places, int mode,
                         double omega, poy_guide_clamps *held)
{
    double excess = 0.0, alpha = 0.0;
    for (int i = 0; i < n_places; i++)
        POYI_TRY(ctx, guide_held(ctx, guide, mode, &places[i], omega, &excess, &alpha, held));
    return POY_OK;
}

poy_status poyi_guide_soften(poy_ctx *ctx, const poy_guide *guide, int n_places, const poy_guide_place *places,
                             int n_modes, const int *modes, double omega, double *excess, double *alpha, int *dead)
{
    for (int m = 0; m < n_modes; m++) {
        poy_guide_clamps held = {0};
        POYI_TRY(ctx, survey(ctx, guide, n_places, places, modes[m], omega, &held));
        const int cut = held.index > 0 || (held.resonance > 0 && held.loss > 0);
        dead[m] = cut || held.loss > 0;
        for (int i = 0; i < n_places; i++) {
            double *own = &alpha[i * n_modes + m];
            poyi_cjet index;
            if (cut) {
                excess[i * n_modes + m] = 0.0;
                *own = most_loss;
            } else if (held.gain > 0) {
                *own = 0.0;
            } else if (held.loss > 0) {
                POYI_TRY(ctx, poyi_guide_index(ctx, guide, modes[m], &places[i], omega, 0, &index));
                *own = poyi_soft_loss(2.0 * omega / POYI_C * cimag(index.c[0]));
            }
        }
    }
    return POY_OK;
}

poy_status poy_guide_propagation(poy_ctx *ctx, const poy_guide *guide, int mode, double z, int64_t n,
                                 const double *omega, double *beta, double *alpha, poy_guide_clamps *clamps)
{
    poy_guide_place place;
    poy_guide_clamps all = {0};
    poy_guide_at(guide, z, &place);
    for (int64_t i = 0; i < n; i++) {
        double excess = 0.0, loss = 0.0;
        POYI_TRY(ctx, guide_held(ctx, guide, mode, &place, omega[i], &excess, &loss, &all));
        if (beta)
            beta[i] = omega[i] / POYI_C * (1.0 + excess);
        if (alpha)
            alpha[i] = loss;
    }
    if (clamps) {
        clamps->index += all.index;
        clamps->loss += all.loss;
        clamps->gain += all.gain;
        clamps->resonance += all.resonance;
    }
    return POY_OK;
}

poy_status poy_guide_check_range(poy_ctx *ctx, const poy_guide *guide, double wavelength_min, double wavelength_max)
{
    if (!(wavelength_min > 0.0) || !(wavelength_max >= wavelength_min))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "wavelengths from %g m to %g m: give a rising range above 0",
                         wavelength_min, wavelength_max);
    for (int i = 0; i < guide->fill.n; i++)
        POYI_TRY(ctx, poy_gas_check_range(ctx, guide->fill.gas[i], wavelength_min, guide->fill.extrapolate));
    if (guide->wall.material)
        POYI_TRY(ctx, poy_material_check_range(ctx, guide->wall.material, wavelength_min, wavelength_max));
    if (guide->core.material)
        POYI_TRY(ctx, poy_material_check_range(ctx, guide->core.material, wavelength_min, wavelength_max));
    if (guide->kind->check_range)
        POYI_TRY(ctx, guide->kind->check_range(ctx, guide, wavelength_min, wavelength_max));
    return POY_OK;
}

/* ---- area, fields ---- */

poy_status poy_guide_effective_area(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega,
                                    double *area)
{
    poy_guide_place place;
    POYI_TRY(ctx, poyi_guide_check_mode(ctx, guide, mode));
    poy_guide_at(guide, z, &place);
    POYI_TRY(ctx, guide->kind->area(ctx, guide, mode, &place, omega, area));
    return POY_OK;
}

poy_status poyi_guide_field(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                            double angle, poyi_profile *out)
{
    POYI_TRY(ctx, poyi_guide_check_mode(ctx, guide, mode));
    if (!isfinite(angle))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "angle of mode %s: %g rad is not finite", guide->modes[mode].name,
                         angle);
    if (!guide->kind->field)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "a guide of type %s has no mode profile", guide->kind->name);
    POYI_TRY(ctx, guide->kind->field(ctx, guide, mode, place, omega, angle, out));
    return POY_OK;
}

poy_status poy_guide_field(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, double angle,
                           double x, double y, double e[2])
{
    poy_guide_place place;
    poyi_profile field;
    poy_guide_at(guide, z, &place);
    POYI_TRY(ctx, poyi_guide_field(ctx, guide, mode, &place, omega, angle, &field));
    field.at(&field, x, y, e);
    return POY_OK;
}

/* capillary.c: hollow capillaries, by Marcatili and Schmeltzer, Bell Syst. Tech. J. 43, 1783 (1964). */
#include "pulse/guide/kind.h"

void poy_capillary_options_init(poy_capillary_options *o)
{
    *o = (poy_capillary_options){.size = sizeof *o,
                                 .wall = {.name = "SiO2:table"},
                                 .fill = {.temperature = POYI_ROOM_TEMPERATURE},
                                 .n_modes = 1,
                                 .loss = 1.0};
}

/* v of the wall: HE, EH (eps + 1)/(2 sqrt(eps - 1)); TE 1/sqrt(eps - 1); TM eps/sqrt(eps - 1); eps = n_cl^2. */
static poy_status wall_of(poy_ctx *ctx, const poy_guide *guide, poy_mode_family family, double omega, int order,
                          poyi_cjet *v)
{
    poyi_cjet n, eps, numerator;
    POYI_TRY(ctx, poyi_wall_index_hollow(ctx, &guide->wall, omega, order, &n));
    eps = poyi_cjet_mul(n, n);
    switch (family) {
    case POY_MODE_TE: numerator = poyi_cjet_constant(order, 1.0); break;
    case POY_MODE_TM: numerator = eps; break;
    default: numerator = poyi_cjet_scale(poyi_cjet_offset(eps, 1.0), 0.5); break;
    }
    *v = poyi_cjet_div(numerator, poyi_cjet_sqrt(poyi_cjet_offset(eps, -1.0)));
    return POY_OK;
}

/* n^2 - 1 = chi - (u/ka)^2 (1 - iv/ka)^2, n - 1 = (n^2 - 1)/(n + 1); reduced: its first terms. */
static poy_status index_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                           int order, poyi_cjet *out)
{
    const poyi_mode *m = &guide->modes[mode];
    const double over_ka = POYI_C / (omega * place->core_radius);
    poyi_jet chi;
    poyi_cjet v;
    POYI_TRY(ctx, poyi_fill_susceptibility(ctx, &guide->fill, place->density, omega, order, &chi));
    POYI_TRY(ctx, wall_of(ctx, guide, m->mode.family, omega, order, &v));
    poyi_cjet gas = poyi_cjet_from(&chi, NULL);
    poyi_cjet square = poyi_cjet_power_of_frequency(order, m->u * m->u * over_ka * over_ka, -2.0);
    poyi_cjet slope = poyi_cjet_mul(v, poyi_cjet_power_of_frequency(order, over_ka, -1.0)); /* v/ka */
    if (guide->model == POY_CAPILLARY_REDUCED) {
        poyi_cjet bend = poyi_cjet_offset(poyi_cjet_scale(slope, CMPLX(0.0, -2.0)), 1.0); /* 1 - 2iv/ka */
        *out = poyi_cjet_scale(poyi_cjet_add_scaled(gas, -1.0, poyi_cjet_mul(square, bend)), 0.5);
        return POY_OK;
    }
    poyi_cjet factor = poyi_cjet_offset(poyi_cjet_scale(slope, CMPLX(0.0, -1.0)), 1.0);
    poyi_cjet bend = poyi_cjet_mul(square, poyi_cjet_mul(factor, factor));
    *out = poyi_cjet_sqrt1p_minus_1(poyi_cjet_add_scaled(gas, -1.0, bend));
    return POY_OK;
}

/* The same without derivatives. */
static poy_status index_of_many(poy_ctx *ctx, const poy_guide *guide, int n_places, const poy_guide_place *places,
                                int n_modes, const int *modes, double omega, double complex *out)
{
    double gamma[POY_GUIDE_GASES_MAX] = {0.0};
    double complex v[POY_MODE_OTHER] = {0.0};
    int known[POY_MODE_OTHER] = {0};
    for (int i = 0; i < guide->fill.n; i++) {
        poyi_jet one;
        POYI_TRY(ctx, poyi_gas_polarisability(ctx, guide->fill.gas[i], omega, 0, &one));
        gamma[i] = one.c[0];
    }
    for (int k = 0; k < n_modes; k++) {
        const poy_mode_family family = guide->modes[modes[k]].mode.family;
        poyi_cjet one;
        if (known[family])
            continue;
        POYI_TRY(ctx, wall_of(ctx, guide, family, omega, 0, &one));
        v[family] = one.c[0];
        known[family] = 1;
    }
    for (int j = 0; j < n_places; j++) {
        const double over_ka = POYI_C / (omega * places[j].core_radius);
        double chi = 0.0;
        for (int i = 0; i < guide->fill.n; i++)
            chi += places[j].density[i] * gamma[i];
        for (int k = 0; k < n_modes; k++) {
            const poyi_mode *m = &guide->modes[modes[k]];
            const double square = m->u * m->u * over_ka * over_ka;
            const double complex w = v[m->mode.family] * over_ka,
                                 factor = CMPLX(1.0 + cimag(w), -creal(w)); /* 1 - iw */
            const double complex a = chi - square * factor * factor;
            out[j * n_modes + k] = guide->model == POY_CAPILLARY_REDUCED
                                       ? 0.5 * (chi - square * CMPLX(1.0 + 2.0 * cimag(w), -2.0 * creal(w)))
                                       : a / (1.0 + csqrt(1.0 + a));
        }
    }
    return POY_OK;
}

poy_status poyi_hollow_area(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                            double *area)
{
    (void)ctx;
    (void)omega;
    *area = guide->modes[mode].area_fraction * place->core_radius * place->core_radius;
    return POY_OK;
}

poy_status poyi_hollow_field(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                             double angle, poyi_profile *out)
{
    (void)ctx;
    (void)omega;
    poyi_profile_hollow(&guide->modes[mode], place->core_radius, angle, out);
    return POY_OK;
}

static int is_reduced(const poy_guide *guide)
{
    return guide->model == POY_CAPILLARY_REDUCED;
}

/* Of the reduced model: 0, -u^2/(2 k^2), i u^2 v/k^3, gamma1_i/2. */
static poy_status parts_of(poy_ctx *ctx, const poy_guide *guide, int mode, double omega, int order, poyi_cjet *parts)
{
    const poyi_mode *m = &guide->modes[mode];
    const double over_k = POYI_C / omega, u2 = m->u * m->u * over_k * over_k;
    poyi_cjet v;
    POYI_TRY(ctx, wall_of(ctx, guide, m->mode.family, omega, order, &v));
    parts[0] = poyi_cjet_constant(order, 0.0);
    parts[1] = poyi_cjet_power_of_frequency(order, -0.5 * u2, -2.0);
    parts[2] = poyi_cjet_mul(v, poyi_cjet_power_of_frequency(order, CMPLX(0.0, u2 * over_k), -3.0));
    for (int i = 0; i < guide->fill.n; i++) {
        poyi_jet gamma;
        POYI_TRY(ctx, poyi_gas_polarisability(ctx, guide->fill.gas[i], omega, order, &gamma));
        parts[3 + i] = poyi_cjet_scale(poyi_cjet_from(&gamma, NULL), 0.5);
    }
    return POY_OK;
}

static const poyi_kind capillary = {.name = "capillary",
                                    .round_hollow = 1,
                                    .index = index_of,
                                    .index_of_many = index_of_many,
                                    .area = poyi_hollow_area,
                                    .field = poyi_hollow_field,
                                    .separable = is_reduced,
                                    .parts = parts_of};

poy_status poyi_guide_set_hollow(poy_ctx *ctx, poy_guide *guide, const poy_along *radius,
                                 const poy_guide_material *wall, const poy_fill_options *fill, double loss)
{
    if (radius) {
        POYI_TRY(ctx,
                 poyi_along_create(ctx, "geometry.core_radius", "m", POYI_BETWEEN_LINEAR, 0, radius, &guide->radius));
        guide->has_radius = 1;
    }
    POYI_TRY(ctx, poyi_wall_create(ctx, "geometry.wall", wall, &guide->wall));
    POYI_TRY(ctx, poyi_fill_create(ctx, fill, &guide->fill));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "geometry.loss", loss, "(factor)"));
    guide->loss = loss;
    return POY_OK;
}

poy_status poy_guide_create_capillary(poy_ctx *ctx, const poy_capillary_options *options, poy_guide **out)
{
    poy_status status;
    poy_guide *guide = NULL;
    poy_capillary_options o;

    poy_capillary_options_init(&o);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_capillary_options", options, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, poyi_check_choice(ctx, "geometry.model", (int)o.model, 2, "full, reduced"));
    POYI_TO_DONE(ctx, poyi_guide_new(ctx, &capillary, &guide));
    guide->model = (int)o.model;
    POYI_TO_DONE(ctx, poyi_guide_set_hollow(ctx, guide, &o.core_radius, &o.wall, &o.fill, o.loss));
    POYI_TO_DONE(ctx, poyi_guide_set_modes(ctx, guide, o.modes, o.n_modes, POY_MODE_HE, POYI_ROUND_MODES));
    *out = guide;
    guide = NULL;
done:
    poy_guide_destroy(&guide);
    return status;
}

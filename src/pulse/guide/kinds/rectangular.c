/* rectangular.c: hollow rectangular guides, by Laakmann and Steier, Appl. Opt. 15, 1334 (1976). */
#include <stdlib.h>

#include "pulse/guide/kind.h"

void poy_rectangular_options_init(poy_rectangular_options *o)
{
    *o = (poy_rectangular_options){.size = sizeof *o,
                                   .wall = {.name = "SiO2:table"},
                                   .fill = {.temperature = POYI_ROOM_TEMPERATURE},
                                   .n_modes = 1,
                                   .loss = 1.0};
}

typedef struct rectangle {
    double x, y; /* half widths, m */
} rectangle;

/* (m lambda/4a)^2 (1 - i lambda v/(2 pi a))^2 of one direction. */
static poyi_cjet bend_of(int m, double half, double omega, poyi_cjet v)
{
    const double lambda = 2.0 * POYI_PI * POYI_C / omega, s = (double)m * lambda / (4.0 * half);
    poyi_cjet square = poyi_cjet_power_of_frequency(v.order, s * s, -2.0);
    poyi_cjet slope = poyi_cjet_power_of_frequency(v.order, lambda / (2.0 * POYI_PI * half), -1.0);
    poyi_cjet factor = poyi_cjet_offset(poyi_cjet_scale(poyi_cjet_mul(slope, v), CMPLX(0.0, -1.0)), 1.0);
    return poyi_cjet_mul(square, poyi_cjet_mul(factor, factor));
}

static poy_status index_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                           int order, poyi_cjet *out)
{
    const rectangle *own = guide->own;
    const poy_mode m = guide->modes[mode].mode;
    const int along_x = m.family == POY_MODE_EX;
    poyi_jet chi;
    poyi_cjet n;
    POYI_TRY(ctx, poyi_fill_susceptibility(ctx, &guide->fill, place->density, omega, order, &chi));
    POYI_TRY(ctx, poyi_wall_index_hollow(ctx, &guide->wall, omega, order, &n));
    poyi_cjet eps = poyi_cjet_mul(n, n);
    /* across the wall that the field is normal to: eps/sqrt(eps - 1), along it: 1/sqrt(eps - 1) */
    poyi_cjet along = poyi_cjet_pow(poyi_cjet_offset(eps, -1.0), -0.5), across = poyi_cjet_mul(eps, along);
    poyi_cjet square = poyi_cjet_from(&chi, NULL);
    square = poyi_cjet_add_scaled(square, -1.0, bend_of(m.n, own->x, omega, along_x ? across : along));
    square = poyi_cjet_add_scaled(square, -1.0, bend_of(m.m, own->y, omega, along_x ? along : across));
    *out = poyi_cjet_sqrt1p_minus_1(square);
    return POY_OK;
}

/* (16/9) a b for every mode: the means of sin^4 and cos^4 are 3/8. */
static poy_status area_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                          double *area)
{
    const rectangle *own = guide->own;
    (void)ctx;
    (void)mode;
    (void)place;
    (void)omega;
    *area = 16.0 / 9.0 * own->x * own->y;
    return POY_OK;
}

/* cos (odd) or sin (even) of m pi x/2a: 0 at the walls. */
static double profile(int m, double x, double half)
{
    const double phase = 0.5 * POYI_PI * (double)m * x / half;
    return m % 2 ? cos(phase) : sin(phase);
}

static void field_at(const poyi_profile *f, double x, double y, double e[2])
{
    const int inside = fabs(x) < f->half_x && fabs(y) < f->half_y;
    const double v = inside ? f->amplitude * profile(f->mode.n, x, f->half_x) * profile(f->mode.m, y, f->half_y) : 0.0;
    e[0] = f->mode.family == POY_MODE_EX ? v : 0.0;
    e[1] = f->mode.family == POY_MODE_EX ? 0.0 : v;
}

static poy_status field_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                           double angle, poyi_profile *out)
{
    const rectangle *own = guide->own;
    (void)ctx;
    (void)place;
    (void)omega;
    (void)angle;
    *out = (poyi_profile){.at = field_at,
                          .amplitude = sqrt(2.0 * POYI_Z0 / (own->x * own->y)),
                          .radius = own->x,
                          .extent = hypot(own->x, own->y),
                          .half_x = own->x,
                          .half_y = own->y,
                          .mode = guide->modes[mode].mode};
    return POY_OK;
}

static const poyi_kind rectangular = {
    .name = "rectangular", .index = index_of, .area = area_of, .field = field_of, .fini = free};

poy_status poy_guide_create_rectangular(poy_ctx *ctx, const poy_rectangular_options *options, poy_guide **out)
{
    poy_status status;
    poy_guide *guide = NULL;
    poy_rectangular_options o;

    poy_rectangular_options_init(&o);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_rectangular_options", options, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, poyi_check_positive(ctx, "geometry.half_width_x", o.half_width_x, "m"));
    POYI_TRY(ctx, poyi_check_positive(ctx, "geometry.half_width_y", o.half_width_y, "m"));
    POYI_TO_DONE(ctx, poyi_guide_new(ctx, &rectangular, &guide));
    rectangle *own = calloc(1, sizeof *own);
    guide->own = own;
    if (!own) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.type: no memory for a rectangular guide");
        goto done;
    }
    *own = (rectangle){o.half_width_x, o.half_width_y};
    POYI_TO_DONE(ctx, poyi_guide_set_hollow(ctx, guide, NULL, &o.wall, &o.fill, o.loss));
    POYI_TO_DONE(
        ctx, poyi_guide_set_modes(ctx, guide, o.modes, o.n_modes, POY_MODE_EY, 1U << POY_MODE_EX | 1U << POY_MODE_EY));
    *out = guide;
    guide = NULL;
done:
    poy_guide_destroy(&guide);
    return status;
}

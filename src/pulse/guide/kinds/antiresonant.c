/* antiresonant.c: a hollow core within a thin wall, by the expansion of Zeisberger and Schmidt, Sci. Rep. 7, 11761 (2017):
 * n = n_co (1 - A s^2 - B s^3 - C s^4 + i D s^4), s = 1/(k n_co a); and the front of the tube model. */
#include <stdlib.h>

#include "pulse/guide/kind.h"
#include "pulse/guide/kinds/tubes.h"

void poy_antiresonant_options_init(poy_antiresonant_options *o)
{
    *o = (poy_antiresonant_options){.size = sizeof *o,
                                    .wall = {.name = "SiO2"},
                                    .tube_radius = (double)NAN,
                                    .gap = (double)NAN,
                                    .fill = {.temperature = POYI_ROOM_TEMPERATURE},
                                    .n_modes = 1,
                                    .loss = 1.0};
}

typedef struct thin_wall {
    double thickness;
    poyi_tubes tubes;
} thin_wall;

/* What the formulas need: n_co - 1, n_co, eps - 1 = n_cl^2/n_co^2 - 1, cot(k w sqrt(n_cl^2 - n_co^2)), s. */
typedef struct layer {
    poyi_cjet excess, core, contrast, cot, s;
} layer;

static poy_status layer_of(poy_ctx *ctx, const poy_guide *guide, const poy_guide_place *place, double omega, int order,
                           layer *out)
{
    const thin_wall *own = guide->own;
    poyi_jet chi;
    poyi_cjet wall;
    POYI_TRY(ctx, poyi_fill_susceptibility(ctx, &guide->fill, place->density, omega, order, &chi));
    POYI_TRY(ctx, poyi_wall_index_hollow(ctx, &guide->wall, omega, order, &wall));
    poyi_cjet gas = poyi_cjet_from(&chi, NULL);
    poyi_cjet inside = poyi_cjet_offset(gas, 1.0); /* n_co^2 */
    poyi_cjet step = poyi_cjet_add_scaled(poyi_cjet_mul(wall, wall), -1.0, inside);
    poyi_cjet kw = poyi_cjet_power_of_frequency(order, omega / POYI_C * own->thickness, 1.0);
    out->excess = poyi_cjet_sqrt1p_minus_1(gas);
    out->core = poyi_cjet_offset(out->excess, 1.0);
    out->contrast = poyi_cjet_div(step, inside);
    out->cot = poyi_cjet_cot(poyi_cjet_mul(kw, poyi_cjet_sqrt(step)));
    out->s = poyi_cjet_div(poyi_cjet_power_of_frequency(order, POYI_C / (omega * place->core_radius), -1.0), out->core);
    return POY_OK;
}

typedef struct coefficients {
    poyi_cjet b, c, d;
} coefficients;

/* TE (q = 1), TM (q = eps): B = u^2 q ct/sqrt(eps - 1), C = u^4/8 + 2 u^2 q^2 ct^2/(eps - 1),
 * D = u^3 q^2 (1 + ct^2)/(eps - 1). */
static coefficients transverse(const poyi_mode *m, const layer *l, int luna)
{
    const int order = l->s.order;
    const double u = m->u, u2 = u * u;
    poyi_cjet eps = poyi_cjet_offset(l->contrast, 1.0);
    poyi_cjet q = m->mode.family == POY_MODE_TM ? eps : poyi_cjet_constant(order, 1.0);
    poyi_cjet q2 = poyi_cjet_div(poyi_cjet_mul(q, q), l->contrast), ct2 = poyi_cjet_mul(l->cot, l->cot);
    poyi_cjet b = poyi_cjet_div(poyi_cjet_mul(q, l->cot), poyi_cjet_sqrt(l->contrast));
    return (coefficients){
        .b = poyi_cjet_scale(b, luna ? 0.5 * u2 : u2),
        .c = poyi_cjet_offset(poyi_cjet_scale(poyi_cjet_mul(q2, ct2), 2.0 * u2), 0.125 * u2 * u2),
        .d = poyi_cjet_scale(poyi_cjet_mul(q2, poyi_cjet_offset(ct2, 1.0)), u2 * u),
    };
}

/* HE (s = -1), EH (s = 1): B = u^2 (eps + 1) ct/(2 sqrt(eps - 1)), C = u^4/8 + u^2 n s/2 + [u^2 (2 + n s)(eps + 1)^2/
 * (4 (eps - 1)) - u^4 (eps - 1)/(8 n)] ct^2, D = (u^3/2)(eps^2 + 1)(1 + ct^2)/(eps - 1), n azimuthal (Luna: radial). */
static coefficients hybrid(const poyi_mode *m, const layer *l, int luna)
{
    const double u = m->u, u2 = u * u, n = luna ? m->mode.m : m->mode.n;
    const double s = m->mode.family == POY_MODE_EH ? 1.0 : -1.0;
    poyi_cjet eps = poyi_cjet_offset(l->contrast, 1.0), sum = poyi_cjet_offset(eps, 1.0);
    poyi_cjet ct2 = poyi_cjet_mul(l->cot, l->cot);
    poyi_cjet b = poyi_cjet_div(poyi_cjet_mul(sum, l->cot), poyi_cjet_sqrt(l->contrast));
    poyi_cjet first = poyi_cjet_scale(poyi_cjet_div(poyi_cjet_mul(sum, sum), l->contrast), 0.25 * u2 * (2.0 + n * s));
    poyi_cjet c = poyi_cjet_mul(poyi_cjet_add_scaled(first, -0.125 * u2 * u2 / n, l->contrast), ct2);
    poyi_cjet d = poyi_cjet_div(poyi_cjet_offset(poyi_cjet_mul(eps, eps), 1.0), l->contrast);
    return (coefficients){
        .b = poyi_cjet_scale(b, luna ? u2 : 0.5 * u2),
        .c = poyi_cjet_offset(c, 0.125 * u2 * u2 + 0.5 * u2 * n * s),
        .d = poyi_cjet_scale(poyi_cjet_mul(d, poyi_cjet_offset(ct2, 1.0)), 0.5 * u2 * u),
    };
}

static poy_status thin_wall_index(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place,
                                  double omega, int order, poyi_cjet *out)
{
    const poyi_mode *m = &guide->modes[mode];
    const int luna = guide->model == POY_ANTIRESONANT_THIN_WALL_LUNA;
    const int te = m->mode.family == POY_MODE_TE || m->mode.family == POY_MODE_TM;
    layer l;
    POYI_TRY(ctx, layer_of(ctx, guide, place, omega, order, &l));
    coefficients k = te ? transverse(m, &l, luna) : hybrid(m, &l, luna);
    poyi_cjet s2 = poyi_cjet_mul(l.s, l.s);
    poyi_cjet fourth = poyi_cjet_add_scaled(poyi_cjet_scale(k.c, -1.0), CMPLX(0.0, 1.0), k.d);
    poyi_cjet inner = poyi_cjet_add_scaled(poyi_cjet_mul(fourth, l.s), -1.0, k.b); /* -B - C s + i D s */
    inner = poyi_cjet_offset(poyi_cjet_mul(inner, l.s), -0.5 * m->u * m->u);
    *out = poyi_cjet_add(l.excess, poyi_cjet_mul(l.core, poyi_cjet_mul(inner, s2)));
    return POY_OK;
}

static poy_status thin_wall_resonance(poy_ctx *ctx, const poy_guide *guide, const poy_guide_place *place, double omega,
                                      double *value)
{
    layer l;
    POYI_TRY(ctx, layer_of(ctx, guide, place, omega, 0, &l));
    *value = cabs(l.cot.c[0]);
    return POY_OK;
}

static void thin_wall_fini(void *own)
{
    free(own);
}

static const poyi_kind thin = {.name = "antiresonant",
                               .round_hollow = 1,
                               .index = thin_wall_index,
                               .area = poyi_hollow_area,
                               .field = poyi_hollow_field,
                               .resonance = thin_wall_resonance,
                               .fini = thin_wall_fini};

/* ---- tubes ---- */

static poy_status tubes_index(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place,
                              double omega, int order, poyi_cjet *out)
{
    const thin_wall *own = guide->own;
    poyi_jet chi;
    poyi_cjet wall;
    POYI_TRY(ctx, poyi_fill_susceptibility(ctx, &guide->fill, place->density, omega, order, &chi));
    POYI_TRY(ctx, poyi_wall_index_real(ctx, &guide->wall, omega, order, &wall));
    poyi_cjet gas = poyi_cjet_sqrt1p_minus_1(poyi_cjet_from(&chi, NULL));
    *out = poyi_tubes_index(&own->tubes, guide->modes[mode].u, omega, gas, wall);
    return POY_OK;
}

/* A_eff = (0.48/8 pi) (u lambda)^2/(n_g - Re n). */
static poy_status tubes_area(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                             double *area)
{
    const double ul = guide->modes[mode].u * 2.0 * POYI_PI * POYI_C / omega;
    poyi_jet chi;
    poyi_cjet n;
    POYI_TRY(ctx, tubes_index(ctx, guide, mode, place, omega, 0, &n));
    POYI_TRY(ctx, poyi_fill_susceptibility(ctx, &guide->fill, place->density, omega, 0, &chi));
    const double below = creal(poyi_cjet_sqrt1p_minus_1(poyi_cjet_from(&chi, NULL)).c[0] - n.c[0]);
    if (!(below > 0.0))
        return POYI_FAIL(ctx, POY_ERR_RANGE,
                         "effective area at %.5g nm: the index lies above that of the gas by %g, at a resonance of the "
                         "tubes' wall: move away from it",
                         2e9 * POYI_PI * POYI_C / omega, -below);
    *area = 0.48 / (8.0 * POYI_PI) * ul * ul / below;
    return POY_OK;
}

/* The field J_0(ur/b), of the radius b that gives it this effective area. */
static poy_status tubes_field(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place,
                              double omega, double angle, poyi_profile *out)
{
    double area = 0.0;
    POYI_TRY(ctx, tubes_area(ctx, guide, mode, place, omega, &area));
    poyi_profile_hollow(&guide->modes[mode], sqrt(area / guide->modes[mode].area_fraction), angle, out);
    return POY_OK;
}

static const poyi_kind tubes_kind = {.name = "antiresonant",
                                     .fixed_radius = 1,
                                     .round_hollow = 1,
                                     .index = tubes_index,
                                     .area = tubes_area,
                                     .field = tubes_field,
                                     .fini = thin_wall_fini};

/* ---- making ---- */

static poy_status check_tubes(poy_ctx *ctx, const poy_antiresonant_options *o, poy_guide *guide)
{
    thin_wall *own = guide->own;
    if (poyi_along_varies(&guide->radius))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "geometry.core_radius: the tube model has no taper: give one radius, or use thin_wall");
    if (guide->n_modes != 1 || guide->modes[0].mode.family != POY_MODE_HE || guide->modes[0].mode.n != 1 ||
        guide->modes[0].mode.m != 1)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "geometry.modes: the tube model describes HE11 alone: use thin_wall for other modes");
    POYI_TRY(ctx, poyi_tubes_set(ctx, poyi_along_at(&guide->radius, 0.0), o->wall_thickness, o->tubes, o->tube_radius,
                                 o->gap, &own->tubes));
    return POY_OK;
}

poy_status poy_guide_create_antiresonant(poy_ctx *ctx, const poy_antiresonant_options *options, poy_guide **out)
{
    poy_status status;
    poy_guide *guide = NULL;
    poy_antiresonant_options o;

    poy_antiresonant_options_init(&o);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_antiresonant_options", options, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, poyi_check_choice(ctx, "geometry.model", (int)o.model, 3, "thin_wall, thin_wall_luna, tubes"));
    POYI_TRY(ctx, poyi_check_positive(ctx, "geometry.wall_thickness", o.wall_thickness, "m"));
    const int tubes = o.model == POY_ANTIRESONANT_TUBES;
    POYI_TO_DONE(ctx, poyi_guide_new(ctx, tubes ? &tubes_kind : &thin, &guide));
    guide->model = (int)o.model;
    thin_wall *own = calloc(1, sizeof *own);
    guide->own = own;
    if (!own) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.type: no memory for an antiresonant guide");
        goto done;
    }
    own->thickness = o.wall_thickness;
    POYI_TO_DONE(ctx, poyi_guide_set_hollow(ctx, guide, &o.core_radius, &o.wall, &o.fill, o.loss));
    POYI_TO_DONE(ctx, poyi_guide_set_modes(ctx, guide, o.modes, o.n_modes, POY_MODE_HE, POYI_ROUND_MODES));
    if (tubes)
        POYI_TO_DONE(ctx, check_tubes(ctx, &o, guide));
    *out = guide;
    guide = NULL;
done:
    poy_guide_destroy(&guide);
    return status;
}

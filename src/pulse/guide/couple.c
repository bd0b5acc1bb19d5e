/* couple.c: beams in front of a guide, behind an iris and an aperture, and how much of them goes into a mode. */
#include <stddef.h>
#include <stdlib.h>

#include "pulse/guide/kind.h"
#include "pulse/guide/rule.h"

static const double NO_IRIS = 6.0; /* beyond it exp(-T^2) is rounding */
enum { EDGES_MAX = 128 };          /* hard edges that a soft one is made of */

void poy_beam_init(poy_beam *beam)
{
    *beam = (poy_beam){.size = sizeof *beam};
}

static poy_status check_beam(poy_ctx *ctx, const poy_beam *given, double omega, poy_beam *out)
{
    poy_beam_init(out);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_beam", given, sizeof *out, sizeof *out, out));
    POYI_TRY(ctx, poyi_check_positive(ctx, "waist", out->waist, "m"));
    POYI_TRY(ctx, poyi_check_finite(ctx, "centre of the beam", out->x, "m"));
    POYI_TRY(ctx, poyi_check_finite(ctx, "centre of the beam", out->y, "m"));
    POYI_TRY(ctx, poyi_check_finite(ctx, "polarisation", out->polarisation, "rad"));
    POYI_TRY(ctx, poyi_check_finite(ctx, "distance", out->distance, "m"));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "iris", out->iris, ""));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "aperture", out->aperture, "m"));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "aperture_edge", out->aperture_edge, "m"));
    POYI_TRY(ctx, poyi_check_positive(ctx, "angular frequency", omega, "rad/s"));
    if (out->aperture_edge > 0.0 && out->aperture_edge > 2.0 * out->aperture)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "aperture_edge: %g m about a radius of %g m reaches beyond the axis: at most twice the radius",
                         out->aperture_edge, out->aperture);
    return POY_OK;
}

/* ---- the field ---- */

/* At the distance r from the centre, re and im, of 1 W before the iris. */
typedef struct beam_field {
    const poy_beam *o;
    double zeta, peak;
    int n;           /* terms of the series behind an iris; 0: a Gaussian beam */
    double reach;    /* m, of the series */
    double *re, *im; /* [n], in one piece */
    int n_s;
    double s[POYI_GAUSS_MAX], w[POYI_GAUSS_MAX];
} beam_field;

/* 2 integral_0^T exp(-s^2 (1 - i zeta)) J_0(2 r s/w0) s ds */
static double behind_iris(const beam_field *f, double r, int imaginary)
{
    double sum = 0.0;
    for (int i = 0; i < f->n_s; i++) {
        const double s = f->s[i], phase = s * s * f->zeta;
        sum += f->w[i] * (imaginary ? sin(phase) : cos(phase)) * exp(-s * s) *
               poyi_bessel_jn(0, 2.0 * r * s / f->o->waist) * s;
    }
    return 2.0 * sum;
}

static double behind_iris_re(void *user, double r)
{
    return behind_iris(user, r, 0);
}

static double behind_iris_im(void *user, double r)
{
    return behind_iris(user, r, 1);
}

static void field_fini(beam_field *f)
{
    free(f->re);
    f->re = NULL;
}

/* Its Chebyshev series up to reach: a band of 2 T/w0 to each side takes reach T/w0 terms, and a few. */
static poy_status expand(poy_ctx *ctx, beam_field *f, double reach)
{
    const double T = f->o->iris, turns = 2.0 * T * reach / f->o->waist, chirp = T * T * fabs(f->zeta);
    f->n = (int)fmin(48.0 + turns, 2048.0);
    f->n_s = (int)fmin(48.0 + turns + chirp, POYI_GAUSS_MAX);
    if (48.0 + turns > 2048.0 || 48.0 + turns + chirp > POYI_GAUSS_MAX)
        return POYI_FAIL(
            ctx, POY_ERR_RANGE,
            "iris: %g with a waist of %g m at %g m from the entrance is not resolved: open it, or bring the "
            "waist to the entrance",
            T, f->o->waist, f->o->distance);
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, f->n_s, f->s, f->w));
    for (int i = 0; i < f->n_s; i++) {
        f->s[i] = 0.5 * T * (1.0 + f->s[i]);
        f->w[i] *= 0.5 * T;
    }
    f->re = malloc(2 * (size_t)f->n * sizeof *f->re);
    if (!f->re)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "iris: no memory for %d terms", f->n);
    f->im = f->re + f->n;
    f->reach = reach;
    poy_status status = poyi_chebyshev_fit(ctx, behind_iris_re, f, 0.0, reach, f->n, f->re);
    if (status == POY_OK)
        status = poyi_chebyshev_fit(ctx, behind_iris_im, f, 0.0, reach, f->n, f->im);
    if (status != POY_OK)
        field_fini(f);
    return status;
}

/* Of a beam that is asked for up to the distance reach from its centre. */
static poy_status field_of(poy_ctx *ctx, const poy_beam *o, double omega, double reach, beam_field *out)
{
    *out = (beam_field){.o = o,
                        .zeta = 2.0 * o->distance * POYI_C / (omega * o->waist * o->waist),
                        .peak = sqrt(4.0 * POYI_Z0 / POYI_PI) / o->waist};
    if (o->iris > 0.0 && o->iris < NO_IRIS)
        POYI_TRY(ctx, expand(ctx, out, reach));
    return POY_OK;
}

static void field_at(const beam_field *f, double r, double out[2])
{
    const double norm = 1.0 + f->zeta * f->zeta;
    if (f->n) {
        out[0] = f->peak * poyi_chebyshev_eval(f->n, f->re, 0.0, f->reach, r);
        out[1] = f->peak * poyi_chebyshev_eval(f->n, f->im, 0.0, f->reach, r);
        return;
    }
    /* exp(-x (1 + i zeta)) (1 + i zeta)/norm, x = r^2/(w0^2 norm) */
    const double x = r * r / (f->o->waist * f->o->waist * norm), size = f->peak * exp(-x) / norm;
    out[0] = size * (cos(x * f->zeta) + f->zeta * sin(x * f->zeta));
    out[1] = size * (f->zeta * cos(x * f->zeta) - sin(x * f->zeta));
}

/* ---- apertures ---- */

/* Integrals that are linear in what an aperture leaves: a soft edge is a sum of hard ones, each with the slope there of the
 * amplitude (power 1) or of its square (power 2). turns: by which what they cut turns across the edge, rad. Into radius and
 * weight [EDGES_MAX], n of them. */
static poy_status hard_edges(poy_ctx *ctx, const poy_beam *o, int power, double turns, double *radius, double *weight,
                             int *n)
{
    *n = 1;
    radius[0] = o->aperture > 0.0 ? o->aperture : HUGE_VAL;
    weight[0] = 1.0;
    if (!(o->aperture > 0.0) || !(o->aperture_edge > 0.0))
        return POY_OK;
    *n = (int)fmin(24.0 + turns, EDGES_MAX);
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, *n, radius, weight));
    for (int i = 0; i < *n; i++) {
        const double t = 0.5 * (1.0 + radius[i]), left = 0.5 * (1.0 + cos(POYI_PI * t));
        radius[i] = o->aperture + (t - 0.5) * o->aperture_edge;
        weight[i] *= 0.25 * POYI_PI * sin(POYI_PI * t) * (power == 2 ? 2.0 * left : 1.0);
    }
    return POY_OK;
}

/* ---- coupling ---- */

static poy_status couple_within(poy_ctx *ctx, const poyi_profile *mode, const beam_field *f, double radius, int n_r,
                                int n_theta, double out[2])
{
    const poy_beam *o = f->o;
    const double px = sin(o->polarisation), py = cos(o->polarisation);
    poyi_rule rule = {0};
    out[0] = out[1] = 0.0;
    POYI_TRY(ctx, poyi_rule_create_within(ctx, mode, radius, n_r, n_theta, &rule));
    for (int i = 0; i < rule.n; i++) {
        double e[2], beam[2];
        mode->at(mode, rule.x[i], rule.y[i], e);
        field_at(f, hypot(rule.x[i] - o->x, rule.y[i] - o->y), beam);
        const double share = 0.5 / POYI_Z0 * rule.weight[i] * (px * e[0] + py * e[1]);
        out[0] += share * beam[0];
        out[1] += share * beam[1];
    }
    poyi_rule_fini(&rule);
    return POY_OK;
}

poy_status poy_guide_couple_beam(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, double angle,
                                 const poy_beam *beam, double amplitude[2])
{
    poy_guide_place place;
    poyi_profile field;
    poy_beam o;
    beam_field f = {0};
    double radius[EDGES_MAX], weight[EDGES_MAX], sum[2] = {0.0, 0.0};
    int n = 0;
    poy_status status;

    POYI_TO_DONE(ctx, check_beam(ctx, beam, omega, &o));
    poy_guide_at(guide, z, &place);
    POYI_TO_DONE(ctx, poyi_guide_field(ctx, guide, mode, &place, omega, angle, &field));
    const double offset = hypot(o.x, o.y), corner = hypot(field.half_x, field.half_y);
    POYI_TO_DONE(ctx, field_of(ctx, &o, omega, fmax(field.extent, corner) + offset, &f));
    /* The beam is a Gaussian of width waist in r, and exp(2 r d cos/waist^2) in the angle about a centre at d; its phase
     * turns by r^2/waist^2 at most. */
    const double reach = field.radius / o.waist, turn = 3.0 * fmin(reach, 10.0) * offset / o.waist;
    if (reach > 40.0) {
        status =
            POYI_FAIL(ctx, POY_ERR_RANGE, "%g m is below 1/40 of the core's radius, %g m: such beams are not resolved",
                      o.waist, field.radius);
        goto done;
    }
    const int n_r = (int)fmin(64.0 + field.u + 10.0 * reach, POYI_GAUSS_MAX);
    const int n_theta = (int)fmin((offset > 0.0 ? 32.0 : 8.0) + 4.0 * field.harmonic + 2.0 * turn, 4096.0);
    POYI_TO_DONE(ctx, hard_edges(ctx, &o, 1, field.u * o.aperture_edge / field.radius, radius, weight, &n));
    for (int i = 0; i < n; i++) {
        double part[2];
        POYI_TO_DONE(ctx, couple_within(ctx, &field, &f, radius[i], n_r, n_theta, part));
        sum[0] += weight[i] * part[0];
        sum[1] += weight[i] * part[1];
    }
    amplitude[0] = sum[0];
    amplitude[1] = sum[1];
done:
    field_fini(&f);
    return status;
}

poy_status poy_guide_couple(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, double angle,
                            double waist, double x, double y, double polarisation, double *amplitude)
{
    poy_beam beam;
    double both[2] = {0.0, 0.0};
    poy_beam_init(&beam);
    beam.waist = waist;
    beam.x = x;
    beam.y = y;
    beam.polarisation = polarisation;
    POYI_TRY(ctx, poy_guide_couple_beam(ctx, guide, mode, z, omega, angle, &beam, both));
    *amplitude = both[0];
    return POY_OK;
}

/* ---- what passes ---- */

/* Power within a circle about the axis: Gauss-Legendre in r, in panels of a few waists, trapezoids in the angle. */
static poy_status power_within(poy_ctx *ctx, const beam_field *f, double radius, double *out)
{
    enum { NODES = 96 };
    const poy_beam *o = f->o;
    const double offset = hypot(o->x, o->y), panel = 6.0 * o->waist;
    const int panels = (int)ceil(radius / panel);
    const int n_theta = offset > 0.0 ? 32 + (int)(4.0 * offset * (offset + panel) / (o->waist * o->waist)) : 1;
    double x[NODES], w[NODES], sum = 0.0;
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, NODES, x, w));
    for (int i = 0; i < panels * NODES; i++) {
        const double width = radius / panels, r = width * (i / NODES + 0.5 * (1.0 + x[i % NODES]));
        const double weight = 0.5 * width * w[i % NODES] * r * 2.0 * POYI_PI / n_theta;
        for (int j = 0; j < n_theta; j++) {
            const double theta = 2.0 * POYI_PI * j / n_theta;
            double e[2];
            field_at(f, hypot(r * cos(theta) - o->x, r * sin(theta) - o->y), e);
            sum += weight * (e[0] * e[0] + e[1] * e[1]);
        }
    }
    *out = 0.5 / POYI_Z0 * sum;
    return POY_OK;
}

poy_status poy_beam_passed(poy_ctx *ctx, const poy_beam *beam, double omega, double *share)
{
    poy_beam o;
    beam_field f = {0};
    double radius[EDGES_MAX], weight[EDGES_MAX], sum = 0.0;
    int n = 0;
    poy_status status;

    POYI_TO_DONE(ctx, check_beam(ctx, beam, omega, &o));
    *share = o.iris > 0.0 ? -expm1(-2.0 * o.iris * o.iris) : 1.0;
    if (!(o.aperture > 0.0))
        goto done;
    if (o.aperture > 200.0 * o.waist || hypot(o.x, o.y) > 20.0 * o.waist) {
        status = POYI_FAIL(
            ctx, POY_ERR_RANGE,
            "aperture: %g m, %g m from the beam of a waist of %g m: give up to 200 and 20 waists, or leave it "
            "out",
            o.aperture, hypot(o.x, o.y), o.waist);
        goto done;
    }
    POYI_TO_DONE(ctx, field_of(ctx, &o, omega, o.aperture + o.aperture_edge + hypot(o.x, o.y), &f));
    POYI_TO_DONE(ctx, hard_edges(ctx, &o, 2, 0.0, radius, weight, &n));
    for (int i = 0; i < n; i++) {
        double part = 0.0;
        POYI_TO_DONE(ctx, power_within(ctx, &f, radius[i], &part));
        sum += weight[i] * part;
    }
    *share = sum;
done:
    field_fini(&f);
    return status;
}

/* flux.c: power through planes, shares of light, and their derivatives. */
#include "scatter/stack/flux.h"

#include <string.h>

#include "scatter/stack/layers.h"

/* ---- one order ---- */

typedef struct sums {
    double complex p, q, v, w;
} sums;

static sums sums_of(const poyi_order_waves *x, const double complex a[2][2])
{
    sums s = {0.0, 0.0, 0.0, 0.0};
    for (int way = 0; way < 2; way++)
        for (int pol = 0; pol < 2; pol++) {
            const double sign = way ? -1.0 : 1.0, h = poyi_pol_sign(pol);
            const double complex one = a[way][pol];
            s.p += sign * x->c[pol] * one;
            s.q += h * one;
            s.v += sign * h * x->c[pol] * one;
            s.w += one;
        }
    return s;
}

static double order_flux(const poyi_order_waves *x)
{
    const sums s = sums_of(x, x->a);
    return 0.25 * creal(conj(x->y) * (s.p * conj(s.w) + s.q * conj(s.v)));
}

/* Adds g times the gradient. */
static void order_flux_pull(const poyi_order_waves *x, double g, poyi_order_waves *to)
{
    const sums s = sums_of(x, x->a);
    const double quarter = 0.25 * g;
    const sums by = {quarter * x->y * s.w, quarter * x->y * s.v, quarter * conj(x->y) * s.q,
                     quarter * conj(x->y) * s.p};
    to->y += quarter * (s.p * conj(s.w) + s.q * conj(s.v));
    for (int way = 0; way < 2; way++)
        for (int pol = 0; pol < 2; pol++) {
            const double sign = way ? -1.0 : 1.0, h = poyi_pol_sign(pol);
            to->a[way][pol] += sign * conj(x->c[pol]) * (by.p + h * by.v) + h * by.q + by.w;
            to->c[pol] += sign * conj(x->a[way][pol]) * (by.p + h * by.v);
        }
}

static double order_flux_push(const poyi_order_waves *x, const poyi_order_waves *d)
{
    const sums s = sums_of(x, x->a);
    sums ds = sums_of(x, d->a);
    for (int way = 0; way < 2; way++)
        for (int pol = 0; pol < 2; pol++) {
            const double complex moved = (way ? -1.0 : 1.0) * d->c[pol] * x->a[way][pol];
            ds.p += moved;
            ds.v += poyi_pol_sign(pol) * moved;
        }
    return 0.25 * creal(conj(d->y) * (s.p * conj(s.w) + s.q * conj(s.v)) +
                        conj(x->y) * (ds.p * conj(s.w) + s.p * conj(ds.w) + ds.q * conj(s.v) + s.q * conj(ds.v)));
}

/* ---- light and planes ---- */

/* Fluxes along the light: behind of t, before of r alone and of r with the light. */
enum { TRANSMITTED, REFLECTED, NET, FLUXES };

/* The medium of a flux: 0 above, 1 below. */
static int medium_of(const poyi_shares *s, int flux)
{
    return flux == TRANSMITTED ? s->from : 1 - s->from;
}

static double sign_of(const poyi_shares *s, int flux)
{
    return (s->from ? -1.0 : 1.0) * (flux == REFLECTED ? -1.0 : 1.0);
}

/* Amplitudes of a group [pol], of parity turned to helicity: A_p = (N + s_p M) / sqrt 2, its own inverse and adjoint. */
static void turn(const poyi_shares *s, double complex a[2])
{
    if (s->poltype == POY_HELICITY)
        return;
    const double complex m = a[0], n = a[1], half = 0.70710678118654752440;
    a[0] = half * (n - m);
    a[1] = half * (n + m);
}

static void amplitudes_of(const poyi_shares *s, size_t group, const poy_c128 *from, double complex a[2])
{
    a[0] = a[1] = 0.0;
    for (size_t i = 0; from && i < s->n; i++)
        if ((size_t)s->group[i] == group)
            a[s->pol[i]] = poyi_c(from[i]);
    turn(s, a);
}

static void add_amplitudes(const poyi_shares *s, size_t group, const double complex g[2], poy_c128 *to)
{
    double complex a[2] = {g[0], g[1]};
    turn(s, a);
    for (size_t i = 0; to && i < s->n; i++)
        if ((size_t)s->group[i] == group)
            to[i] = poyi_pair(poyi_c(to[i]) + a[s->pol[i]]);
}

/* Waves of a flux in a group that go one way, among amplitudes light, t and r; NULL: none. */
static const poy_c128 *going(const poyi_shares *s, int flux, int way, const poy_c128 *light, const poy_c128 *t,
                             const poy_c128 *r)
{
    if (way == s->from)
        return flux == TRANSMITTED ? t : flux == NET ? light : NULL;
    return flux == TRANSMITTED ? NULL : r;
}

static double complex normal_of(const poyi_shares *s, int medium, size_t group, int pol)
{
    return poyi_layers_kz(s->q + 2 * group, poyi_c(s->ks[medium][pol]));
}

static poyi_tilt tilt_of(const poyi_shares *s, int medium, size_t group, int way)
{
    poyi_tilt t = {.turns = s->turns, .q = {s->q[2 * group], s->q[2 * group + 1]}};
    for (int pol = 0; pol < 2; pol++)
        t.kn[pol] = (way ? -1.0 : 1.0) * normal_of(s, medium, group, pol);
    return t;
}

static poy_status waves_of(poy_ctx *ctx, const poyi_shares *s, int flux, size_t group, poyi_order_waves *w)
{
    const int medium = medium_of(s, flux);
    *w = (poyi_order_waves){.y = 1.0 / poyi_c(s->zs[medium])};
    for (int pol = 0; pol < 2; pol++)
        w->c[pol] = normal_of(s, medium, group, pol) / poyi_c(s->ks[medium][pol]);
    for (int way = 0; way < 2; way++) {
        const poyi_tilt t = tilt_of(s, medium, group, way);
        double complex phase[2];
        amplitudes_of(s, group, going(s, flux, way, s->light, s->t, s->r), w->a[way]);
        POYI_TRY(ctx, poyi_tilt_phases(ctx, &t, phase));
        for (int pol = 0; pol < 2; pol++)
            w->a[way][pol] *= phase[pol];
    }
    return POY_OK;
}

/* each [groups][2]: transmitted, reflected; NULL: not wanted. */
static poy_status fluxes_of(poy_ctx *ctx, const poyi_shares *s, double out[FLUXES], double *each)
{
    double size = 0.0;
    for (int flux = 0; flux < FLUXES; flux++) {
        out[flux] = 0.0;
        for (size_t group = 0; group < s->groups; group++) {
            poyi_order_waves w;
            POYI_TRY(ctx, waves_of(ctx, s, flux, group, &w));
            const double one = sign_of(s, flux) * order_flux(&w);
            out[flux] += one;
            if (each && flux != NET)
                each[2 * group + (size_t)flux] = one;
        }
    }
    for (size_t i = 0; i < s->n; i++)
        size += s->light[i].re * s->light[i].re + s->light[i].im * s->light[i].im;
    if (!(out[NET] + out[REFLECTED] > 1e-14 * size))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "power: light of amplitude %g brings the power %g: it is evanescent, grazes, or is 0; shares "
                         "need some",
                         sqrt(size), out[NET] + out[REFLECTED]);
    return POY_OK;
}

poy_status poyi_shares_value(poy_ctx *ctx, const poyi_shares *s, double *out)
{
    double f[FLUXES];
    POYI_TRY(ctx, fluxes_of(ctx, s, f, out));
    for (size_t i = 0; i < 2 * s->groups; i++)
        out[i] /= f[NET] + f[REFLECTED];
    return POY_OK;
}

/* ---- derivatives ---- */

static poy_status grazes(poy_ctx *ctx, const poyi_shares *s, size_t group)
{
    return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                     "power: an order at (%.17g, %.17g) grazes: kz = 0 is a branch point", s->q[2 * group],
                     s->q[2 * group + 1]);
}

/* c = kz / k, y = 1 / Z */
static poy_status pull_wave(poy_ctx *ctx, const poyi_shares *s, int flux, size_t group, const poyi_order_waves *g,
                            const poyi_shares_inputs *to)
{
    const int medium = medium_of(s, flux);
    const double complex z = poyi_c(s->zs[medium]);
    if (to->zs)
        to->zs[medium] -= g->y / conj(z * z);
    for (int pol = 0; pol < 2; pol++) {
        const double complex k = poyi_c(s->ks[medium][pol]), kz = normal_of(s, medium, group, pol);
        if (g->c[pol] == 0.0)
            continue;
        if (kz == 0.0)
            return grazes(ctx, s, group);
        if (to->ks) /* dc = (k / kz - kz / k) dk / k */
            to->ks[2 * medium + pol] += conj((k / kz - kz / k) / k) * g->c[pol];
        for (size_t c = 0; to->q && c < 2; c++)
            to->q[2 * group + c] -= s->q[2 * group + c] * creal(g->c[pol] / conj(kz * k));
    }
    return POY_OK;
}

/* From upright amplitudes of one way to the ports' own, and through the phases between. */
static poy_status pull_way(poy_ctx *ctx, const poyi_shares *s, int flux, size_t group, int way, double complex g[2],
                           const poyi_shares_inputs *to)
{
    const int medium = medium_of(s, flux);
    const poyi_tilt t = tilt_of(s, medium, group, way);
    double complex phase[2], a[2], by[2], kn[2] = {0.0, 0.0};
    poy_c128 *into = way == s->from ? (flux == TRANSMITTED ? to->t
                                       : flux == NET       ? to->light
                                                           : NULL)
                                    : (flux == TRANSMITTED ? NULL : to->r);
    POYI_TRY(ctx, poyi_tilt_phases(ctx, &t, phase));
    amplitudes_of(s, group, going(s, flux, way, s->light, s->t, s->r), a);
    for (int pol = 0; pol < 2; pol++) {
        by[pol] = conj(a[pol]) * g[pol];
        g[pol] *= conj(phase[pol]);
    }
    add_amplitudes(s, group, g, into);
    POYI_TRY(ctx, poyi_tilt_pull(ctx, &t, by, to->q ? to->q + 2 * group : NULL, kn));
    for (int pol = 0; pol < 2; pol++) {
        if (kn[pol] == 0.0)
            continue;
        if (t.kn[pol] == 0.0)
            return grazes(ctx, s, group);
        if (to->ks)
            to->ks[2 * medium + pol] += conj(poyi_c(s->ks[medium][pol]) / t.kn[pol]) * kn[pol];
        for (size_t c = 0; to->q && c < 2; c++)
            to->q[2 * group + c] -= s->q[2 * group + c] * creal(kn[pol] / conj(t.kn[pol]));
    }
    return POY_OK;
}

/* Re<g, shares>, of which the power of the light is below the line. */
static double weighed(const poyi_shares *s, const double *g, const double *each)
{
    double sum = 0.0;
    for (size_t i = 0; i < 2 * s->groups; i++)
        sum += g[i] * each[i];
    return sum;
}

static poy_status pull_fluxes(poy_ctx *ctx, const poyi_shares *s, const double *g, double coming, double by_coming,
                              const poyi_shares_inputs *to)
{
    for (int flux = 0; flux < FLUXES; flux++)
        for (size_t group = 0; group < s->groups; group++) {
            const double by =
                (flux == NET ? 0.0 : g[2 * group + (size_t)flux] / coming) + (flux == TRANSMITTED ? 0.0 : by_coming);
            poyi_order_waves w, g_w = {.y = 0.0};
            POYI_TRY(ctx, waves_of(ctx, s, flux, group, &w));
            order_flux_pull(&w, sign_of(s, flux) * by, &g_w);
            for (int way = 0; way < 2; way++)
                if (going(s, flux, way, s->light, s->t, s->r))
                    POYI_TRY(ctx, pull_way(ctx, s, flux, group, way, g_w.a[way], to));
            POYI_TRY(ctx, pull_wave(ctx, s, flux, group, &g_w, to));
        }
    return POY_OK;
}

poy_status poyi_shares_pull(poy_ctx *ctx, const poyi_shares *s, const double *g, const poyi_shares_inputs *to)
{
    poy_status status;
    void *each = NULL;
    double f[FLUXES];
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.smatrix", (2 * s->groups + 1) * sizeof(double), &each));
    POYI_TO_DONE(ctx, fluxes_of(ctx, s, f, each));
    const double coming = f[NET] + f[REFLECTED];
    POYI_TO_DONE(ctx, pull_fluxes(ctx, s, g, coming, -weighed(s, g, each) / (coming * coming), to));
done:
    poyi_free(&each);
    return status;
}

/* Tangents of upright amplitudes of one way. */
static poy_status push_way(poy_ctx *ctx, const poyi_shares *s, const poyi_shares_inputs *d, int flux, size_t group,
                           int way, const double complex d_kn[2], double complex out[2])
{
    const poyi_tilt t = tilt_of(s, medium_of(s, flux), group, way);
    const double complex signed_kn[2] = {way ? -d_kn[0] : d_kn[0], way ? -d_kn[1] : d_kn[1]};
    double complex phase[2], d_phase[2], a[2];
    POYI_TRY(ctx, poyi_tilt_phases(ctx, &t, phase));
    POYI_TRY(ctx, poyi_tilt_push(ctx, &t, d->q ? d->q + 2 * group : NULL, signed_kn, d_phase));
    amplitudes_of(s, group, going(s, flux, way, s->light, s->t, s->r), a);
    amplitudes_of(s, group, going(s, flux, way, d->light, d->t, d->r), out);
    for (int pol = 0; pol < 2; pol++)
        out[pol] = phase[pol] * out[pol] + d_phase[pol] * a[pol];
    return POY_OK;
}

static poy_status push_wave(poy_ctx *ctx, const poyi_shares *s, const poyi_shares_inputs *d, int flux, size_t group,
                            poyi_order_waves *out)
{
    const int medium = medium_of(s, flux);
    const double complex z = poyi_c(s->zs[medium]);
    double complex d_kn[2] = {0.0, 0.0};
    *out = (poyi_order_waves){.y = d->zs ? -d->zs[medium] / (z * z) : 0.0};
    for (int pol = 0; pol < 2; pol++) {
        const double complex k = poyi_c(s->ks[medium][pol]), kz = normal_of(s, medium, group, pol);
        const double complex dk = d->ks ? d->ks[2 * medium + pol] : 0.0;
        const double along = d->q ? s->q[2 * group] * d->q[2 * group] + s->q[2 * group + 1] * d->q[2 * group + 1] : 0.0;
        if (dk == 0.0 && along == 0.0)
            continue;
        if (kz == 0.0)
            return grazes(ctx, s, group);
        d_kn[pol] = (k * dk - along) / kz;
        out->c[pol] = (d_kn[pol] - kz / k * dk) / k;
    }
    for (int way = 0; way < 2; way++)
        POYI_TRY(ctx, push_way(ctx, s, d, flux, group, way, d_kn, out->a[way]));
    return POY_OK;
}

poy_status poyi_shares_push(poy_ctx *ctx, const poyi_shares *s, const poyi_shares_inputs *d, double *out)
{
    poy_status status;
    void *memory = NULL;
    double f[FLUXES], d_coming = 0.0;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.smatrix", (2 * s->groups + 1) * sizeof(double), &memory));
    double *each = memory;
    POYI_TO_DONE(ctx, fluxes_of(ctx, s, f, each));
    for (int flux = 0; flux < FLUXES; flux++)
        for (size_t group = 0; group < s->groups; group++) {
            poyi_order_waves w, dw;
            POYI_TO_DONE(ctx, waves_of(ctx, s, flux, group, &w));
            POYI_TO_DONE(ctx, push_wave(ctx, s, d, flux, group, &dw));
            const double one = sign_of(s, flux) * order_flux_push(&w, &dw);
            if (flux != NET)
                out[2 * group + (size_t)flux] = one;
            if (flux != TRANSMITTED)
                d_coming += one;
        }
    const double coming = f[NET] + f[REFLECTED];
    for (size_t i = 0; i < 2 * s->groups; i++)
        out[i] = (out[i] - each[i] / coming * d_coming) / coming;
done:
    poyi_free(&memory);
    return status;
}

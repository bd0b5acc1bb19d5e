/* translation_coefficient_diff.c: derivatives of single translation coefficients by the displacement's coordinates. */
#include <stdlib.h>

#include "math/bessel/bessel.h"
#include "scatter/waves/diff.h"
#include "scatter/waves/expand/translation.h"
#include "scatter/waves/label.h"
#include "scatter/waves/radial.h"

enum { KR, THETA, PHI, INPUTS };

static poyi_xcomplex column_at(const poyi_xcomplex *column, int order, int p)
{
    const int least = abs(order);
    return p < least ? 0.0L : column[p - least];
}

/* dY_pq / d theta = (sqrt((p - q)(p + q + 1)) e^{-i phi} Y_{p,q+1} - sqrt((p + q)(p - q + 1)) e^{i phi} Y_{p,q-1}) / 2 */
static poyi_xcomplex harmonic_slope(int p, int q, poyi_xcomplex turn, const poyi_xcomplex *below,
                                    const poyi_xcomplex *above)
{
    const poyi_xreal up = sqrtl((poyi_xreal)(p - q) * (p + q + 1)), down = sqrtl((poyi_xreal)(p + q) * (p - q + 1));
    return 0.5L * (up * poyi_xmul(conjl(turn), column_at(above, q + 1, p)) -
                   down * poyi_xmul(turn, column_at(below, q - 1, p)));
}

/* A and B' (B = i B') and their derivatives by kr, theta and phi. */
static void pair_slopes(const poyi_translation_call *c, size_t i, poyi_xcomplex ab[2][INPUTS])
{
    enum { P = 2 * POY_DEGREE_MAX + 3 };
    poyi_xcomplex z[P], y[P], below[P], above[P];
    poyi_translation_terms t;
    const int lambda = (int)c->lambda[i], l = (int)c->l[i], order = (int)(c->m[i] - c->mu[i]), n = l + lambda;
    const poyi_direction d = poyi_direction_of_angles(c->theta[i], c->phi[i]);
    const poyi_xcomplex turn = CMPLXL(cosl(c->phi[i]), sinl(c->phi[i]));
    poyi_translation_terms_of(lambda, (int)c->mu[i], l, (int)c->m[i], &t);
    poyi_wave_radial_table(c->singular, n + 1, poyi_x(poyi_c(c->kr[i])), z);
    poyi_harmonic_column(order, n, d, y);
    poyi_harmonic_column(order - 1, n, d, below);
    poyi_harmonic_column(order + 1, n, d, above);
    for (int part = 0; part < 2; part++) {
        const int first = part ? t.first_b : t.first_a, count = part ? t.count_b : t.count_a;
        const double *factor = part ? t.b : t.a;
        for (int a = 0; a < INPUTS; a++)
            ab[part][a] = 0.0L;
        for (int k = 0; k < count; k++) {
            const int p = first + 2 * k;
            const poyi_xcomplex here = column_at(y, order, p);
            const poyi_xcomplex slope = ((p > 0 ? p * z[p - 1] : 0.0L) - (p + 1) * z[p + 1]) / (2 * p + 1);
            ab[part][KR] += (poyi_xreal)factor[k] * poyi_xmul(slope, here);
            ab[part][THETA] += (poyi_xreal)factor[k] * poyi_xmul(z[p], harmonic_slope(p, order, turn, below, above));
            ab[part][PHI] += (poyi_xreal)factor[k] * order * poyi_xturn(poyi_xmul(z[p], here), 1);
        }
    }
}

static void spherical_slopes(const poyi_translation_call *c, size_t i, poyi_xcomplex out[INPUTS])
{
    poyi_xcomplex ab[2][INPUTS];
    const int differ = c->pol[i] != c->qol[i];
    for (int a = 0; a < INPUTS; a++)
        out[a] = 0.0L;
    if ((c->singular && cabs(poyi_c(c->kr[i])) < POYI_COINCIDENT) || (c->poltype == POY_HELICITY && differ))
        return;
    pair_slopes(c, i, ab);
    for (int a = 0; a < INPUTS; a++) {
        const poyi_xcomplex b = poyi_xturn(ab[1][a], 1);
        out[a] = c->poltype == POY_HELICITY ? ab[0][a] + (poyi_xreal)poyi_pol_sign(c->qol[i]) * b
                 : differ                   ? b
                                            : ab[0][a];
    }
}

static poy_status check_spherical(poy_ctx *ctx, const poyi_translation_call *c)
{
    static const char name[] = "derivative of sw_translate";
    POYI_TRY(ctx, poyi_check_poltype(ctx, name, c->poltype));
    POYI_TRY(ctx, poyi_check_spherical(ctx, name, c->n, c->lambda, c->mu));
    POYI_TRY(ctx, poyi_check_spherical(ctx, name, c->n, c->l, c->m));
    POYI_TRY(ctx, poyi_check_pol(ctx, name, c->n, c->pol));
    POYI_TRY(ctx, poyi_check_pol(ctx, name, c->n, c->qol));
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "kr", c->n, c->kr));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "theta", c->n, c->theta));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "phi", c->n, c->phi));
    return POY_OK;
}

/* ---- cylindrical: krr, phi, z, kz ---- */

enum { CYLINDRICAL_INPUTS = 4 };

static void cylindrical_slopes(const poyi_cylindrical_call *c, size_t i, poyi_xcomplex out[CYLINDRICAL_INPUTS])
{
    const int order = (int)c->order[i];
    const double complex krr = poyi_c(c->krr[i]);
    const poyi_xcomplex phase = order * (poyi_xreal)c->phi[i] + (poyi_xreal)c->kz[i] * (poyi_xreal)c->z[i];
    poyi_xcomplex value = order == 0 ? 1.0L : 0.0L, slope = order == 1 ? 0.5L : order == -1 ? -0.5L : 0.0L;
    if (krr != 0.0) {
        const poyi_bessel b = poyi_bessel_cylindrical(c->singular ? POY_BESSEL_H1 : POY_BESSEL_J, order, krr);
        const poyi_big power = poyi_big_exp(b.power), f = poyi_big_mul(b.value, power),
                       d = poyi_big_mul(b.slope, power);
        value = poyi_xldexp(f.m, f.e);
        slope = poyi_xldexp(d.m, d.e);
    } else if (c->singular) {
        value = slope = 0.0L;
    }
    value = poyi_xmul(value, poyi_xphase(phase));
    out[0] = poyi_xmul(slope, poyi_xphase(phase));
    out[1] = order * poyi_xturn(value, 1);
    out[2] = (poyi_xreal)c->kz[i] * poyi_xturn(value, 1);
    out[3] = (poyi_xreal)c->z[i] * poyi_xturn(value, 1);
}

static poy_status check_cylindrical(poy_ctx *ctx, const poyi_cylindrical_call *c)
{
    static const char name[] = "derivative of cw_translate";
    for (size_t i = 0; i < c->n; i++)
        if (llabs(c->order[i]) > 2LL * POY_DEGREE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: order[%zu] = %lld, needs |order| <= %d", name, i,
                             (long long)c->order[i], 2 * POY_DEGREE_MAX);
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "krr", c->n, c->krr));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "phi", c->n, c->phi));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "z", c->n, c->z));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "kz", c->n, c->kz));
    return POY_OK;
}

/* ---- batches of both ---- */

typedef struct run {
    const poyi_translation_call *spherical;
    const poyi_cylindrical_call *cylindrical;
    const poy_c128 *d_first, *g_out;
    const double *d_rest[3];
    poy_c128 *d_out, *g_first;
    double *g_rest[3];
} run;

static int slopes_of(const run *r, size_t i, poyi_xcomplex out[CYLINDRICAL_INPUTS])
{
    if (r->spherical)
        spherical_slopes(r->spherical, i, out);
    else
        cylindrical_slopes(r->cylindrical, i, out);
    return r->spherical ? INPUTS : CYLINDRICAL_INPUTS;
}

static int push(void *user, size_t i)
{
    const run *r = user;
    poyi_xcomplex j[CYLINDRICAL_INPUTS];
    const int n = slopes_of(r, i, j);
    int beyond = 0;
    poyi_xcomplex sum = r->d_first ? poyi_xmul(j[0], poyi_x(poyi_c(r->d_first[i]))) : 0.0L;
    for (int a = 1; a < n; a++)
        if (r->d_rest[a - 1])
            sum += j[a] * (poyi_xreal)r->d_rest[a - 1][i];
    r->d_out[i] = poyi_round(sum, &beyond);
    return beyond;
}

static int pull(void *user, size_t i)
{
    const run *r = user;
    poyi_xcomplex j[CYLINDRICAL_INPUTS];
    const int n = slopes_of(r, i, j);
    const poyi_xcomplex g = poyi_x(poyi_c(r->g_out[i]));
    int beyond = 0;
    for (int a = 0; a < n; a++) {
        const poy_c128 v = poyi_round(poyi_xmul(conjl(j[a]), g), &beyond);
        if (a == 0 && r->g_first)
            r->g_first[i] = v;
        if (a > 0 && r->g_rest[a - 1])
            r->g_rest[a - 1][i] = v.re;
    }
    return beyond;
}

poy_status poyi_sw_translate_pushforward(poy_ctx *ctx, const poyi_translation_call *call, const poy_c128 *d_kr,
                                         const double *d_theta, const double *d_phi, poy_c128 *d_out)
{
    run r = {.spherical = call, .d_first = d_kr, .d_rest = {d_theta, d_phi, NULL}, .d_out = d_out};
    POYI_TRY(ctx, check_spherical(ctx, call));
    POYI_TRY(ctx, poyi_batch(ctx, "derivative of sw_translate", call->n, push, &r));
    return POY_OK;
}

poy_status poyi_sw_translate_pullback(poy_ctx *ctx, const poyi_translation_call *call, const poy_c128 *g_out,
                                      poy_c128 *g_kr, double *g_theta, double *g_phi)
{
    run r = {.spherical = call, .g_out = g_out, .g_first = g_kr};
    r.g_rest[0] = g_theta;
    r.g_rest[1] = g_phi;
    POYI_TRY(ctx, check_spherical(ctx, call));
    POYI_TRY(ctx, poyi_batch(ctx, "derivative of sw_translate", call->n, pull, &r));
    return POY_OK;
}

poy_status poyi_cw_translate_pushforward(poy_ctx *ctx, const poyi_cylindrical_call *call, const poy_c128 *d_krr,
                                         const double *d_phi, const double *d_z, const double *d_kz, poy_c128 *d_out)
{
    run r = {.cylindrical = call, .d_first = d_krr, .d_rest = {d_phi, d_z, d_kz}, .d_out = d_out};
    POYI_TRY(ctx, check_cylindrical(ctx, call));
    POYI_TRY(ctx, poyi_batch(ctx, "derivative of cw_translate", call->n, push, &r));
    return POY_OK;
}

poy_status poyi_cw_translate_pullback(poy_ctx *ctx, const poyi_cylindrical_call *call, const poy_c128 *g_out,
                                      poy_c128 *g_krr, double *g_phi, double *g_z, double *g_kz)
{
    run r = {.cylindrical = call, .g_out = g_out, .g_first = g_krr};
    r.g_rest[0] = g_phi;
    r.g_rest[1] = g_z;
    r.g_rest[2] = g_kz;
    POYI_TRY(ctx, check_cylindrical(ctx, call));
    POYI_TRY(ctx, poyi_batch(ctx, "derivative of cw_translate", call->n, pull, &r));
    return POY_OK;
}

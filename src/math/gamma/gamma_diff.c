/* gamma_diff.c: derivatives of the incomplete gamma function and of Kambe's integral. */
#include <stdlib.h>

#include "math/batch.h"
#include "math/gamma/gamma.h"
#include "poynting/special.h"

static int is_zero(poy_c128 z)
{
    return z.re == 0.0 && z.im == 0.0;
}

/* slope times the tangent, or its conjugate times the cotangent. */
static int apply(poyi_big slope, int transposed, poy_c128 in, poy_c128 *out)
{
    double complex value;
    const int beyond =
        poyi_big_round(poyi_big_times(transposed ? poyi_big_conj(slope) : slope, poyi_x(poyi_c(in))), &value);
    *out = poyi_pair(value);
    return beyond;
}

/* ---- Gamma(a, z): d/dz = -z^{a-1} exp(-z) ---- */

typedef struct gamma_request {
    const char *name;
    int transposed;
    const double *a;
    const poy_c128 *z, *in;
    poy_c128 *out;
} gamma_request;

static int gamma_element(void *user, size_t i)
{
    const gamma_request *r = user;
    const poyi_xcomplex z = poyi_x(poyi_c(r->z[i]));
    if (is_zero(r->in[i]) || (is_zero(r->z[i]) && r->a[i] > 1.0)) {
        r->out[i] = (poy_c128){0.0, 0.0};
        return 0;
    }
    if (is_zero(r->z[i]))
        return apply(poyi_big_make(-1.0L, 0), r->transposed, r->in[i], &r->out[i]);
    const poyi_big power = poyi_half_power(z, (int)(2.0 * r->a[i]) - 2);
    return apply(poyi_big_times(poyi_big_mul(power, poyi_big_exp(-z)), -1.0L), r->transposed, r->in[i], &r->out[i]);
}

static poy_status gamma_batch(poy_ctx *ctx, size_t n, gamma_request r)
{
    POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, "z", n, r.z));
    POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, r.transposed ? "cotangent" : "tangent", n, r.in));
    for (size_t i = 0; i < n; i++) {
        const double twice = 2.0 * r.a[i];
        if (!(fabs(twice) <= POYI_GAMMA_TWICE_MAX) || twice != floor(twice))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: n[%zu] = %.17g, needs an integer or half-integer, |n| <= %d",
                             r.name, i, r.a[i], POYI_GAMMA_TWICE_MAX / 2);
        if (is_zero(r.z[i]) && r.a[i] < 1.0 && !is_zero(r.in[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: no derivative at z[%zu] = 0, n = %g", r.name, i, r.a[i]);
    }
    return poyi_batch(ctx, r.name, n, gamma_element, &r);
}

poy_status poy_sf_incgamma_jvp(poy_ctx *ctx, size_t n, const double *a, const poy_c128 *z, const poy_c128 *dz,
                               poy_c128 *out)
{
    return gamma_batch(ctx, n, (gamma_request){"incgamma_jvp", 0, a, z, dz, out});
}

poy_status poy_sf_incgamma_vjp(poy_ctx *ctx, size_t n, const double *a, const poy_c128 *z, const poy_c128 *g,
                               poy_c128 *z_bar)
{
    return gamma_batch(ctx, n, (gamma_request){"incgamma_vjp", 1, a, z, g, z_bar});
}

/* ---- I_n(z, eta): d/dz = -z I_{n+2}, d/d(eta) = -eta^n exp(-z^2 eta^2 / 2 + 1 / (2 eta^2)) ---- */

typedef struct kambe_request {
    const char *name;
    const int64_t *k;
    const poy_c128 *z, *eta, *in, *in_eta; /* in_eta: the tangent of eta, NULL in the transposed form */
    poy_c128 *out, *out_eta;
} kambe_request;

static void kambe_slopes(int n, double complex z, double complex eta, poyi_big *by_z, poyi_big *by_eta)
{
    const poyi_xcomplex x = poyi_x(z), e = poyi_x(eta), product = poyi_xmul(x, e);
    const poyi_xcomplex exponent = (1.0L / poyi_xmul(e, e) - poyi_xmul(product, product)) / 2.0L;
    *by_z = z == 0.0 ? (poyi_big){0.0L, 0} : poyi_big_times(poyi_kambe(n + 2, z, eta), -x);
    *by_eta = poyi_big_times(poyi_big_mul(poyi_half_power(e, 2 * n), poyi_big_exp(exponent)), -1.0L);
}

static int kambe_element(void *user, size_t i)
{
    const kambe_request *r = user;
    poyi_big by_z, by_eta;
    poy_c128 first, second;
    kambe_slopes((int)r->k[i], poyi_c(r->z[i]), poyi_c(r->eta[i]), &by_z, &by_eta);
    if (!r->in_eta) {
        const int beyond = apply(by_z, 1, r->in[i], &first) | apply(by_eta, 1, r->in[i], &second);
        r->out[i] = first;
        r->out_eta[i] = second;
        return beyond;
    }
    double complex value;
    const poyi_big sum = poyi_big_add(poyi_big_times(by_z, poyi_x(poyi_c(r->in[i]))),
                                      poyi_big_times(by_eta, poyi_x(poyi_c(r->in_eta[i]))));
    const int beyond = poyi_big_round(sum, &value);
    r->out[i] = poyi_pair(value);
    return beyond;
}

static poy_status kambe_batch(poy_ctx *ctx, size_t n, kambe_request r)
{
    POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, "z", n, r.z));
    POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, "eta", n, r.eta));
    POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, r.in_eta ? "tangent" : "cotangent", n, r.in));
    if (r.in_eta)
        POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, "tangent of eta", n, r.in_eta));
    for (size_t i = 0; i < n; i++) {
        if (llabs(r.k[i]) > POYI_KAMBE_ORDER_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: n[%zu] = %lld, needs |n| <= %d", r.name, i, (long long)r.k[i],
                             POYI_KAMBE_ORDER_MAX);
        if (is_zero(r.eta[i]) || (is_zero(r.z[i]) && (r.k[i] > -2 || (r.k[i] == -2 && !is_zero(r.in[i])))))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: no derivative at element %zu: eta is 0, or z is 0 and n = %lld >= -2", r.name, i,
                             (long long)r.k[i]);
    }
    return poyi_batch(ctx, r.name, n, kambe_element, &r);
}

poy_status poy_sf_intkambe_jvp(poy_ctx *ctx, size_t n, const int64_t *k, const poy_c128 *z, const poy_c128 *eta,
                               const poy_c128 *dz, const poy_c128 *d_eta, poy_c128 *out)
{
    return kambe_batch(ctx, n, (kambe_request){"intkambe_jvp", k, z, eta, dz, d_eta, out, NULL});
}

poy_status poy_sf_intkambe_vjp(poy_ctx *ctx, size_t n, const int64_t *k, const poy_c128 *z, const poy_c128 *eta,
                               const poy_c128 *g, poy_c128 *z_bar, poy_c128 *eta_bar)
{
    return kambe_batch(ctx, n, (kambe_request){"intkambe_vjp", k, z, eta, g, NULL, z_bar, eta_bar});
}

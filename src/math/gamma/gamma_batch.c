/* gamma_batch.c: incomplete gamma functions and Kambe's integral of poynting/special.h. */
#include <stdlib.h>

#include "math/batch.h"
#include "math/gamma/gamma.h"
#include "poynting/special.h"

typedef struct request {
    const double *a;
    const int64_t *k;
    const poy_c128 *z, *eta;
    poy_c128 *out;
} request;

static int is_zero(poy_c128 z)
{
    return z.re == 0.0 && z.im == 0.0;
}

static int gamma_element(void *user, size_t i)
{
    const request *r = user;
    const int twice = (int)(2.0 * r->a[i]);
    double complex value;
    const poyi_big g = is_zero(r->z[i]) ? poyi_gamma_half(twice) : poyi_gamma_upper(twice, poyi_c(r->z[i]));
    const int beyond = poyi_big_round(g, &value);
    r->out[i] = poyi_pair(value);
    return beyond;
}

poy_status poy_sf_incgamma(poy_ctx *ctx, size_t n, const double *a, const poy_c128 *z, poy_c128 *out)
{
    request r = {.a = a, .z = z, .out = out};
    POYI_TRY(ctx, poyi_batch_finite(ctx, "incgamma", "z", n, z));
    for (size_t i = 0; i < n; i++) {
        const double twice = 2.0 * a[i];
        if (!(fabs(twice) <= POYI_GAMMA_TWICE_MAX) || twice != floor(twice))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "incgamma: n[%zu] = %.17g, needs an integer or half-integer, |n| <= %d", i, a[i],
                             POYI_GAMMA_TWICE_MAX / 2);
        if (is_zero(z[i]) && a[i] <= 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "incgamma: z[%zu] = 0 is a pole or branch point at n = %g", i,
                             a[i]);
    }
    return poyi_batch(ctx, "incgamma", n, gamma_element, &r);
}

static int kambe_element(void *user, size_t i)
{
    const request *r = user;
    double complex value;
    const int beyond = poyi_big_round(poyi_kambe((int)r->k[i], poyi_c(r->z[i]), poyi_c(r->eta[i])), &value);
    r->out[i] = poyi_pair(value);
    return beyond;
}

/* The first element that no path of descent was found for (none is known), or n. */
static size_t not_found(size_t n, const poy_c128 *out)
{
    size_t i = 0;
    while (i < n && !isnan(out[i].re))
        i++;
    return i;
}

poy_status poy_sf_intkambe(poy_ctx *ctx, size_t n, const int64_t *k, const poy_c128 *z, const poy_c128 *eta,
                           poy_c128 *out)
{
    request r = {.k = k, .z = z, .eta = eta, .out = out};
    POYI_TRY(ctx, poyi_batch_finite(ctx, "intkambe", "z", n, z));
    POYI_TRY(ctx, poyi_batch_finite(ctx, "intkambe", "eta", n, eta));
    for (size_t i = 0; i < n; i++) {
        if (llabs(k[i]) > POYI_KAMBE_ORDER_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "intkambe: n[%zu] = %lld, needs |n| <= %d", i, (long long)k[i],
                             POYI_KAMBE_ORDER_MAX);
        if (is_zero(eta[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "intkambe: eta[%zu] = 0, where the integral has an essential singularity", i);
        if (is_zero(z[i]) && k[i] > -2)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "intkambe: the integral diverges at z[%zu] = 0, n = %lld > -2", i,
                             (long long)k[i]);
    }
    const poy_status status = poyi_batch(ctx, "intkambe", n, kambe_element, &r);
    const size_t lost = not_found(n, out);
    if (lost < n)
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "intkambe: no path of descent found for element %zu", lost);
    return status;
}

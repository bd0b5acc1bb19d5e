/* bessel_diff.c: derivatives of the Bessel functions with respect to their argument, as tangents and cotangents. */
#include "math/batch.h"
#include "math/bessel/bessel.h"

typedef struct request {
    const char *name;
    poy_bessel_kind kind;
    int spherical, derivative, transposed;
    const double *v;
    const poy_c128 *z, *in;
    poy_c128 *out;
} request;

static poyi_bessel at_order(const request *r, double v, double complex z)
{
    return r->spherical ? poyi_bessel_spherical(r->kind, (int)v, z) : poyi_bessel_cylindrical(r->kind, v, z);
}

static poyi_big with_power(poyi_big f, poyi_xcomplex power)
{
    return power == 0.0L ? f : poyi_big_mul(f, poyi_big_exp(power));
}

/* f' of the function, or f'' where the function is itself the derivative:
 * f''_v = (f'_{v-1} - f'_{v+1}) / 2, spherical (l f'_{l-1} - (l + 1) f'_{l+1}) / (2l + 1) (DLMF 10.6.1, 10.51.2), which
 * cancels nowhere, unlike the differential equation at small z. */
static poyi_big slope(const request *r, double v, double complex z)
{
    if (!r->derivative) {
        const poyi_bessel f = at_order(r, v, z);
        return with_power(f.slope, f.power);
    }
    const poyi_bessel above = at_order(r, v + 1.0, z);
    const poyi_big down = with_power(above.slope, above.power);
    if (r->spherical && v == 0.0)
        return poyi_big_times(down, -1.0L);
    const poyi_bessel below = at_order(r, v - 1.0, z);
    const poyi_big up = with_power(below.slope, below.power);
    const poyi_xreal l = (poyi_xreal)v;
    if (r->spherical)
        return poyi_big_times(poyi_big_add(poyi_big_times(up, l), poyi_big_times(down, -(l + 1.0L))),
                              1.0L / (2.0L * l + 1.0L));
    return poyi_big_times(poyi_big_add(up, poyi_big_times(down, -1.0L)), 0.5L);
}

/* The derivative at z = 0 of J_v, j_l or their derivatives; 0 if there is none. */
static int slope_at_origin(const request *r, double v, double *out)
{
    const double size = fabs(v);
    *out = 0.0;
    if (r->kind != POY_BESSEL_J || (v < 0.0 && size != floor(size)))
        return 0;
    if (!r->derivative) {
        if (size == 1.0)
            *out = r->spherical ? 1.0 / 3.0 : copysign(0.5, v);
        return size == 0.0 || size >= 1.0;
    }
    /* f''(0): J_0 -1/2, J_2 1/4; j_0 -1/3, j_2 2/15; J_1 of the series z / 2 - z^3 / 16: 0 */
    if (size == 0.0)
        *out = r->spherical ? -1.0 / 3.0 : -0.5;
    else if (size == 2.0)
        *out = r->spherical ? 2.0 / 15.0 : 0.25;
    return size == 0.0 || size == 1.0 || size >= 2.0;
}

static int is_zero(poy_c128 z)
{
    return z.re == 0.0 && z.im == 0.0;
}

static poy_status check(poy_ctx *ctx, const request *r, size_t n)
{
    const double most = POYI_BESSEL_ORDER_MAX - 1.0; /* f'' needs the next order */
    POYI_TRY(ctx, poyi_batch_finite(ctx, r->name, "z", n, r->z));
    POYI_TRY(ctx, poyi_batch_finite(ctx, r->name, r->transposed ? "cotangent" : "tangent", n, r->in));
    for (size_t i = 0; i < n; i++) {
        double value;
        if (!(fabs(r->v[i]) <= most) || (r->spherical && (r->v[i] < 0.0 || r->v[i] != floor(r->v[i]))))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the order of element %zu is %g, needs %s |order| <= %g",
                             r->name, i, r->v[i], r->spherical ? "0, 1, 2, ... and" : "", most);
        if (is_zero(r->z[i]) && !slope_at_origin(r, r->v[i], &value) && !is_zero(r->in[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: no derivative at z[%zu] = 0, order %g, and its %s is not 0",
                             r->name, i, r->v[i], r->transposed ? "cotangent" : "tangent");
    }
    return POY_OK;
}

static int element(void *user, size_t i)
{
    const request *r = user;
    double complex value = 0.0;
    int beyond = 0;
    if (is_zero(r->z[i])) {
        double limit;
        (void)slope_at_origin(r, r->v[i], &limit);
        value = limit * poyi_c(r->in[i]);
    } else if (!is_zero(r->in[i])) {
        const poyi_big f = slope(r, r->v[i], poyi_c(r->z[i]));
        beyond = poyi_big_round(poyi_big_times(r->transposed ? poyi_big_conj(f) : f, poyi_x(poyi_c(r->in[i]))), &value);
    }
    r->out[i] = poyi_pair(value);
    return beyond;
}

poy_status poy_sf_bessel_jvp(poy_ctx *ctx, size_t n, poy_bessel_kind kind, int spherical, int derivative,
                             const double *v, const poy_c128 *z, const poy_c128 *dz, poy_c128 *out)
{
    request r = {"bessel_jvp", kind, spherical, derivative, 0, v, z, dz, out};
    POYI_TRY(ctx, check(ctx, &r, n));
    return poyi_batch(ctx, r.name, n, element, &r);
}

poy_status poy_sf_bessel_vjp(poy_ctx *ctx, size_t n, poy_bessel_kind kind, int spherical, int derivative,
                             const double *v, const poy_c128 *z, const poy_c128 *g, poy_c128 *z_bar)
{
    request r = {"bessel_vjp", kind, spherical, derivative, 1, v, z, g, z_bar};
    POYI_TRY(ctx, check(ctx, &r, n));
    return poyi_batch(ctx, r.name, n, element, &r);
}

/* bessel_batch.c: the Bessel functions of poynting/special.h. */
#include "math/batch.h"
#include "math/bessel/bessel.h"

/* What is asked for, and of which elements; orders in v or l. */
typedef struct request {
    const char *name;
    poy_bessel_kind kind;
    int spherical, derivative, scaled, logarithmic;
    const double *v;
    const int64_t *l;
    const poy_c128 *z;
    poy_c128 *out;
    int64_t *exponent; /* of the split form, else NULL */
} request;

static double order(const request *r, size_t i)
{
    return r->l ? (double)r->l[i] : r->v[i];
}

/* The value at z = 0 into *out; 0 if there is none. */
static int at_origin(const request *r, double v, double *out)
{
    const double size = fabs(v) < 0x1p-1022 ? 0.0 : fabs(v);
    *out = 0.0;
    if (r->kind != POY_BESSEL_J || (v < 0.0 && size != floor(size)))
        return 0;
    if (r->logarithmic)
        return size == 0.0;
    if (!r->derivative) {
        *out = size == 0.0 ? 1.0 : 0.0;
        return 1;
    }
    if (size == 1.0)
        *out = r->spherical ? 1.0 / 3.0 : copysign(0.5, v);
    return size == 0.0 || size >= 1.0;
}

static poy_status check(poy_ctx *ctx, const request *r, size_t n)
{
    POYI_TRY(ctx, poyi_batch_finite(ctx, r->name, "z", n, r->z));
    for (size_t i = 0; i < n; i++) {
        const double v = order(r, i);
        double value;
        if (!(fabs(v) <= POYI_BESSEL_ORDER_MAX))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the order of element %zu is %g, needs |order| <= %d", r->name,
                             i, v, POYI_BESSEL_ORDER_MAX);
        if (r->spherical && (v < 0.0 || v != floor(v)))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the degree of element %zu is %g, needs 0, 1, 2, ...", r->name,
                             i, v);
        if (r->z[i].re == 0.0 && r->z[i].im == 0.0 && !at_origin(r, v, &value))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: z[%zu] = 0 is a pole or branch point at order %g", r->name, i,
                             v);
    }
    return POY_OK;
}

static int element(void *user, size_t i)
{
    const request *r = user;
    const double complex z = poyi_c(r->z[i]);
    const double v = order(r, i);
    poyi_big f;
    double complex value;

    if (r->z[i].re == 0.0 && r->z[i].im == 0.0) {
        double limit;
        (void)at_origin(r, v, &limit);
        f = poyi_big_make((poyi_xreal)limit, 0);
    } else {
        const poyi_bessel b =
            r->spherical ? poyi_bessel_spherical(r->kind, (int)v, z) : poyi_bessel_cylindrical(r->kind, v, z);
        const poyi_xcomplex power = r->scaled ? b.power - poyi_bessel_scale(r->kind, z) : b.power;
        if (r->logarithmic)
            f = poyi_big_div(b.slope, b.value);
        else if (power == 0.0L)
            f = r->derivative ? b.slope : b.value;
        else
            f = poyi_big_mul(r->derivative ? b.slope : b.value, poyi_big_exp(power));
    }
    if (r->exponent) {
        f = poyi_big_normal(f);
        r->out[i] = (poy_c128){(double)creall(f.m), (double)cimagl(f.m)};
        r->exponent[i] = f.e;
        return 0;
    }
    const int beyond = poyi_big_round(f, &value);
    r->out[i] = poyi_pair(value);
    return beyond;
}

static poy_status batch(poy_ctx *ctx, size_t n, request r)
{
    POYI_TRY(ctx, check(ctx, &r, n));
    return poyi_batch(ctx, r.name, n, element, &r);
}

#define CYLINDRICAL(function, ...)                                                                          \
    poy_status poy_sf_##function(poy_ctx *ctx, size_t n, const double *v, const poy_c128 *z, poy_c128 *out) \
    {                                                                                                       \
        return batch(ctx, n, (request){.name = #function, .v = v, .z = z, .out = out, __VA_ARGS__});        \
    }

CYLINDRICAL(jv, .kind = POY_BESSEL_J)
CYLINDRICAL(yv, .kind = POY_BESSEL_Y)
CYLINDRICAL(hankel1, .kind = POY_BESSEL_H1)
CYLINDRICAL(hankel2, .kind = POY_BESSEL_H2)
CYLINDRICAL(jv_d, .kind = POY_BESSEL_J, .derivative = 1)
CYLINDRICAL(yv_d, .kind = POY_BESSEL_Y, .derivative = 1)
CYLINDRICAL(hankel1_d, .kind = POY_BESSEL_H1, .derivative = 1)
CYLINDRICAL(hankel2_d, .kind = POY_BESSEL_H2, .derivative = 1)
CYLINDRICAL(jv_scaled, .kind = POY_BESSEL_J, .scaled = 1)
CYLINDRICAL(yv_scaled, .kind = POY_BESSEL_Y, .scaled = 1)
CYLINDRICAL(hankel1_scaled, .kind = POY_BESSEL_H1, .scaled = 1)
CYLINDRICAL(hankel2_scaled, .kind = POY_BESSEL_H2, .scaled = 1)
CYLINDRICAL(jv_d_scaled, .kind = POY_BESSEL_J, .derivative = 1, .scaled = 1)
CYLINDRICAL(yv_d_scaled, .kind = POY_BESSEL_Y, .derivative = 1, .scaled = 1)
CYLINDRICAL(hankel1_d_scaled, .kind = POY_BESSEL_H1, .derivative = 1, .scaled = 1)
CYLINDRICAL(hankel2_d_scaled, .kind = POY_BESSEL_H2, .derivative = 1, .scaled = 1)

#define SPHERICAL(function, ...)                                                                             \
    poy_status poy_sf_##function(poy_ctx *ctx, size_t n, const int64_t *l, const poy_c128 *z, poy_c128 *out) \
    {                                                                                                        \
        const request r = {.name = #function, .spherical = 1, .l = l, .z = z, .out = out, __VA_ARGS__};      \
        return batch(ctx, n, r);                                                                             \
    }

SPHERICAL(spherical_jn, .kind = POY_BESSEL_J)
SPHERICAL(spherical_yn, .kind = POY_BESSEL_Y)
SPHERICAL(spherical_hankel1, .kind = POY_BESSEL_H1)
SPHERICAL(spherical_hankel2, .kind = POY_BESSEL_H2)
SPHERICAL(spherical_jn_d, .kind = POY_BESSEL_J, .derivative = 1)
SPHERICAL(spherical_yn_d, .kind = POY_BESSEL_Y, .derivative = 1)
SPHERICAL(spherical_hankel1_d, .kind = POY_BESSEL_H1, .derivative = 1)
SPHERICAL(spherical_hankel2_d, .kind = POY_BESSEL_H2, .derivative = 1)
SPHERICAL(spherical_jn_scaled, .kind = POY_BESSEL_J, .scaled = 1)
SPHERICAL(spherical_yn_scaled, .kind = POY_BESSEL_Y, .scaled = 1)
SPHERICAL(spherical_hankel1_scaled, .kind = POY_BESSEL_H1, .scaled = 1)
SPHERICAL(spherical_hankel2_scaled, .kind = POY_BESSEL_H2, .scaled = 1)
SPHERICAL(spherical_jn_d_scaled, .kind = POY_BESSEL_J, .derivative = 1, .scaled = 1)
SPHERICAL(spherical_yn_d_scaled, .kind = POY_BESSEL_Y, .derivative = 1, .scaled = 1)
SPHERICAL(spherical_hankel1_d_scaled, .kind = POY_BESSEL_H1, .derivative = 1, .scaled = 1)
SPHERICAL(spherical_hankel2_d_scaled, .kind = POY_BESSEL_H2, .derivative = 1, .scaled = 1)
SPHERICAL(spherical_jn_logd, .kind = POY_BESSEL_J, .logarithmic = 1)
SPHERICAL(spherical_yn_logd, .kind = POY_BESSEL_Y, .logarithmic = 1)
SPHERICAL(spherical_hankel1_logd, .kind = POY_BESSEL_H1, .logarithmic = 1)
SPHERICAL(spherical_hankel2_logd, .kind = POY_BESSEL_H2, .logarithmic = 1)

poy_status poy_sf_bessel_split(poy_ctx *ctx, size_t n, poy_bessel_kind kind, int spherical, int derivative,
                               const double *v, const poy_c128 *z, poy_c128 *out, int64_t *exponent)
{
    return batch(ctx, n,
                 (request){.name = "bessel_split",
                           .kind = kind,
                           .spherical = spherical,
                           .derivative = derivative,
                           .v = v,
                           .z = z,
                           .out = out,
                           .exponent = exponent});
}

/* ---- tables of all orders ---- */

typedef struct table {
    size_t n;
    int mmax;
    const poy_c128 *z;
    poy_c128 *out[3];
} table;

static int table_element(void *user, size_t i)
{
    const table *t = user;
    poy_c128 *out[3];
    for (int k = 0; k < 3; k++)
        out[k] = t->out[k] ? t->out[k] + i : NULL;
    if (t->z[i].re != 0.0 || t->z[i].im != 0.0)
        return poyi_bessel_orders(0, t->mmax, poyi_c(t->z[i]), out, t->n);
    for (int m = 0; out[0] && m <= t->mmax; m++)
        out[0][(size_t)m * t->n] = (poy_c128){m == 0 ? 1.0 : 0.0, 0.0};
    return 0;
}

poy_status poy_sf_cylindrical_table(poy_ctx *ctx, size_t n, int64_t mmax, const poy_c128 *z, poy_c128 *j, poy_c128 *y,
                                    poy_c128 *h1)
{
    table t = {.n = n, .mmax = (int)mmax, .z = z, .out = {j, y, h1}};
    if (mmax < 0 || mmax > POYI_BESSEL_TABLE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cylindrical_table: mmax = %lld, needs 0 to %d", (long long)mmax,
                         POYI_BESSEL_TABLE_MAX);
    POYI_TRY(ctx, poyi_batch_finite(ctx, "cylindrical_table", "z", n, z));
    for (size_t i = 0; (y || h1) && i < n; i++)
        if (z[i].re == 0.0 && z[i].im == 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cylindrical_table: z[%zu] = 0 is a pole of Y and H", i);
    return poyi_batch(ctx, "cylindrical_table", n, table_element, &t);
}

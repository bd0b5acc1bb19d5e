/* pointwise.c: records of functions of one array, element by element: exp log sqrt sin cos, and the parts of a complex
 * number.
 *
 * Holomorphic f: dy = f'(x) dx, gx = conj(f'(x)) gy. On a branch cut f' is that of the side that the value is on. Real
 * functions of a complex number: dy = Re(conj(u) dx), gx = u gy, with u = d/dRe + i d/dIm.
 * Where no derivative exists (sqrt and log at 0, real ones below it, angle at 0), derivatives fail with
 * POY_ERR_NOT_DIFFERENTIABLE, except where the cotangent or tangent of that element is 0: nothing is asked there. abs
 * has the subgradient 0 at 0. */
#include <math.h>
#include <string.h>

#include "record/builtin.h"

typedef poyi_z z;

/* Where a derivative is asked for that does not exist. */
static poy_status fail_at(poy_ctx *ctx, const char *name, const poy_rec_array *x, int64_t i)
{
    char where[POYI_INDEX_TEXT];
    const z v = poyi_rec_get(x, i);
    poyi_rec_index(&x->spec, i, sizeof where, where);
    if (x->spec.dtype == POY_C128)
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE, "%s has no derivative at %g%+gi, %s of x", name, creal(v),
                         cimag(v), where);
    return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE, "%s has no derivative at %g, %s of x", name, creal(v), where);
}

/* ---- holomorphic functions ---- */

typedef struct holomorphic {
    const char *name;
    double (*value)(double x);
    double (*slope)(double x);
    z (*complex_value)(z x);
    z (*complex_slope)(z x);
    int (*has_slope)(double x); /* NULL: everywhere */
    int (*complex_has_slope)(z x);
} holomorphic;

static void values_of(const holomorphic *f, const poy_rec_array *x, const poy_rec_array *y)
{
    const int64_t n = poy_rec_count(&x->spec);
    if (x->spec.dtype == POY_C128) {
        for (int64_t i = 0; i < n; i++)
            poyi_rec_put(y, i, f->complex_value(poyi_rec_get(x, i)));
    } else {
        const double *from = x->data;
        double *to = y->data;
        for (int64_t i = 0; i < n; i++)
            to[i] = f->value(from[i]);
    }
}

/* to = f'(x) d, or conj(f'(x)) d. */
static poy_status times_slope(poy_ctx *ctx, const holomorphic *f, const poy_rec_array *x, const poy_rec_array *d,
                              int conjugate, const poy_rec_array *to)
{
    const int64_t n = poy_rec_count(&x->spec);
    const double *rx = x->data, *rd = d->data;
    double *rto = to->data;
    for (int64_t i = 0; i < n; i++) {
        if (x->spec.dtype == POY_C128) {
            const z at = poyi_rec_get(x, i), dx = poyi_rec_get(d, i);
            if (f->complex_has_slope && !f->complex_has_slope(at)) {
                if (dx != 0.0)
                    return fail_at(ctx, f->name, x, i);
                poyi_rec_put(to, i, 0.0);
                continue;
            }
            const z slope = f->complex_slope(at);
            poyi_rec_put(to, i, (conjugate ? conj(slope) : slope) * dx);
        } else if (f->has_slope && !f->has_slope(rx[i])) {
            if (rd[i] != 0.0)
                return fail_at(ctx, f->name, x, i);
            rto[i] = 0.0;
        } else {
            rto[i] = f->slope(rx[i]) * rd[i];
        }
    }
    return POY_OK;
}

/* A NaN has the slope NaN: only 0 and, for real functions, what lies below has none. */
static int not_0_complex(z x)
{
    return x != 0.0;
}

static int not_below_or_0(double x)
{
    return !(x <= 0.0);
}

static double log_slope(double x)
{
    return 1.0 / x;
}

static z log_complex_slope(z x)
{
    return 1.0 / x;
}

static double sqrt_slope(double x)
{
    return 0.5 / sqrt(x);
}

static z sqrt_complex_slope(z x)
{
    return 0.5 / csqrt(x);
}

static double cos_slope(double x)
{
    return -sin(x);
}

static z cos_complex_slope(z x)
{
    return -csin(x);
}

static const holomorphic exp_f = {"exp", exp, exp, cexp, cexp, NULL, NULL};
static const holomorphic log_f = {"log", log, log_slope, clog, log_complex_slope, not_below_or_0, not_0_complex};
static const holomorphic sqrt_f = {"sqrt", sqrt, sqrt_slope, csqrt, sqrt_complex_slope, not_below_or_0, not_0_complex};
static const holomorphic sin_f = {"sin", sin, cos, csin, ccos, NULL, NULL};
static const holomorphic cos_f = {"cos", cos, cos_slope, ccos, cos_complex_slope, NULL, NULL};

static const poy_rec_example pointwise_examples[] = {
    {"", "f64[5]"}, {"", "c128[2,3]"}, {"", "c128[]"}, {"", "f64[0,2]"}};
enum { N_EXAMPLES = sizeof pointwise_examples / sizeof pointwise_examples[0] };

static poy_status holomorphic_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    (void)ctx;
    values_of(item->config, &item->in[0], &item->out[0]);
    return POY_OK;
}

static poy_status holomorphic_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                   const poy_rec_array *grad)
{
    return times_slope(ctx, item->config, &item->in[0], cot, 1, grad);
}

static poy_status holomorphic_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                   const poy_rec_array *out_tan)
{
    return times_slope(ctx, item->config, &item->in[0], tan, 0, out_tan);
}

#define POINTWISE(f, kind, flag)                                        \
    const poy_rec_op poyi_record_##f = {.state_version = 1,             \
                                        .flags = flag,                  \
                                        .examples = pointwise_examples, \
                                        .n_examples = N_EXAMPLES,       \
                                        .user = &f##_f,                 \
                                        .evaluate = kind##_evaluate,    \
                                        .pullback = kind##_pull,        \
                                        .pushforward = kind##_push,     \
                                        .sample = poyi_rec_sample_one}

POINTWISE(exp, holomorphic, POY_REC_NEEDS_INPUTS);
POINTWISE(log, holomorphic, POY_REC_NEEDS_INPUTS);
POINTWISE(sqrt, holomorphic, POY_REC_NEEDS_INPUTS);
POINTWISE(sin, holomorphic, POY_REC_NEEDS_INPUTS);
POINTWISE(cos, holomorphic, POY_REC_NEEDS_INPUTS);

/* ---- real functions of a complex number ---- */

typedef struct part {
    const char *name;
    double (*value)(z x);
    z (*gradient)(z x);    /* u */
    int (*has_slope)(z x); /* NULL: everywhere */
} part;

static poy_status part_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const part *f = item->config;
    double *y = item->out[0].data;
    const int64_t n = poy_rec_count(&item->in[0].spec);
    (void)ctx;
    for (int64_t i = 0; i < n; i++)
        y[i] = f->value(poyi_rec_get(&item->in[0], i));
    return POY_OK;
}

static poy_status part_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const part *f = item->config;
    const poy_rec_array *x = &item->in[0];
    const double *g = cot->data;
    const int64_t n = poy_rec_count(&x->spec);
    for (int64_t i = 0; i < n; i++) {
        const z at = poyi_rec_get(x, i);
        const int smooth = !f->has_slope || f->has_slope(at);
        if (!smooth && g[i] != 0.0)
            return fail_at(ctx, f->name, x, i);
        poyi_rec_put(grad, i, smooth ? g[i] * f->gradient(at) : 0.0);
    }
    return POY_OK;
}

static poy_status part_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                            const poy_rec_array *out_tan)
{
    const part *f = item->config;
    const poy_rec_array *x = &item->in[0];
    double *dy = out_tan->data;
    const int64_t n = poy_rec_count(&x->spec);
    for (int64_t i = 0; i < n; i++) {
        const z at = poyi_rec_get(x, i), dx = poyi_rec_get(tan, i);
        const int smooth = !f->has_slope || f->has_slope(at);
        if (!smooth && dx != 0.0)
            return fail_at(ctx, f->name, x, i);
        const z u = smooth ? f->gradient(at) : 0.0;
        dy[i] = creal(u) * creal(dx) + cimag(u) * cimag(dx);
    }
    return POY_OK;
}

/* x / |x| by parts: squares of the smallest numbers would vanish. */
static z unit(z x)
{
    const double r = cabs(x);
    return r == 0.0 ? 0.0 : CMPLX(creal(x) / r, cimag(x) / r);
}

static double abs2(z x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

static z abs2_gradient(z x)
{
    return CMPLX(2.0 * creal(x), 2.0 * cimag(x));
}

/* i x / |x|^2, likewise. A subnormal |x| has no finite gradient. */
static z angle_gradient(z x)
{
    const double r = cabs(x);
    return CMPLX(-cimag(x) / r / r, creal(x) / r / r);
}

static const part abs_f = {"abs", cabs, unit, NULL};
static const part abs2_f = {"abs2", abs2, abs2_gradient, NULL};
static const part angle_f = {"angle", carg, angle_gradient, not_0_complex};

POINTWISE(abs, part, POY_REC_NEEDS_INPUTS);
POINTWISE(abs2, part, POY_REC_NEEDS_INPUTS);
POINTWISE(angle, part, POY_REC_NEEDS_INPUTS);

/* ---- linear parts: real, imag, conj. The derivatives look at nothing ---- */

typedef struct linear {
    z (*forward)(z x);
    z (*adjoint)(z g); /* of Re sum(conj(g) forward(dx)) */
} linear;

static void map(z (*f)(z), const poy_rec_array *x, const poy_rec_array *y)
{
    const int64_t n = poy_rec_count(&x->spec);
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(y, i, f(poyi_rec_get(x, i)));
}

static poy_status linear_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const linear *f = item->config;
    (void)ctx;
    map(f->forward, &item->in[0], &item->out[0]);
    return POY_OK;
}

static poy_status linear_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                              const poy_rec_array *grad)
{
    const linear *f = item->config;
    (void)ctx;
    map(f->adjoint, cot, grad);
    return POY_OK;
}

static poy_status linear_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const linear *f = item->config;
    (void)ctx;
    map(f->forward, tan, out_tan);
    return POY_OK;
}

static z same(z x)
{
    return x;
}

static z imaginary_part(z x)
{
    return cimag(x);
}

static z times_i(z x)
{
    return CMPLX(-cimag(x), creal(x));
}

static z conjugate(z x)
{
    return conj(x);
}

static const linear real_f = {same, same}; /* what is real keeps the real part: poyi_rec_put */
static const linear imag_f = {imaginary_part, times_i};
static const linear conj_f = {conjugate, conjugate};

POINTWISE(real, linear, 0);
POINTWISE(imag, linear, 0);
POINTWISE(conj, linear, 0);

/* reduce.c: records sum and norm over one axis or all.
 *
 * sum:  dy = sum of dx, gx = gy along the axis. norm: y = sqrt(sum |x|^2), dy = sum of Re(conj(x) dx) / y, gx = x gy /
 * y; the subgradient is 0 where y is 0. The norm is scaled: neither 1e200 nor 1e-200 leaves the range on the way. */
#include <math.h>
#include <stdlib.h>

#include "record/builtin.h"

static poyi_axis axis_of(const poy_rec_item *item)
{
    poyi_axis a;
    poyi_rec_split(&item->in[0].spec, poyi_rec_axis(item->config, &item->in[0].spec), &a);
    return a;
}

/* ---- sum ---- */

static poy_status sum_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const poyi_axis a = axis_of(item);
    (void)ctx;
    poyi_rec_sum(item->in[0].spec.dtype, &a, item->in[0].data, item->out[0].data);
    return POY_OK;
}

static poy_status sum_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const poyi_axis a = axis_of(item);
    (void)ctx;
    for (int64_t o = 0; o < a.outer; o++)
        for (int64_t j = 0; j < a.length; j++)
            for (int64_t i = 0; i < a.inner; i++)
                poyi_rec_put(grad, (o * a.length + j) * a.inner + i, poyi_rec_get(cot, o * a.inner + i));
    return POY_OK;
}

static poy_status sum_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                           const poy_rec_array *out_tan)
{
    const poyi_axis a = axis_of(item);
    (void)ctx;
    poyi_rec_sum(tan->spec.dtype, &a, tan->data, out_tan->data);
    return POY_OK;
}

/* ---- norm ---- */

/* The largest part of an element; NaN if there is one. */
static double largest_part(const poy_rec_array *x, const poyi_axis *a, int64_t first)
{
    double most = 0.0;
    for (int64_t j = 0; j < a->length; j++) {
        const poyi_z z = poyi_rec_get(x, first + j * a->inner);
        if (isnan(creal(z)) || isnan(cimag(z)))
            return NAN;
        most = fmax(most, fmax(fabs(creal(z)), fabs(cimag(z))));
    }
    return most;
}

/* Sum of Re(conj(x / scale) y / scale) over n elements, by halves. */
static double dot(const poy_rec_array *x, const poy_rec_array *y, int64_t first, int64_t n, int64_t stride,
                  double scale)
{
    enum { BLOCK = 64 };
    if (n > BLOCK) {
        const int64_t half = n / 2;
        return dot(x, y, first, half, stride, scale) + dot(x, y, first + half * stride, n - half, stride, scale);
    }
    double sum = 0.0;
    for (int64_t j = 0; j < n; j++) {
        const poyi_z a = poyi_rec_get(x, first + j * stride), b = poyi_rec_get(y, first + j * stride);
        sum += creal(a) / scale * (creal(b) / scale) + cimag(a) / scale * (cimag(b) / scale);
    }
    return sum;
}

static poy_status norm_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const poy_rec_array *x = &item->in[0];
    const poyi_axis a = axis_of(item);
    double *y = item->out[0].data;
    (void)ctx;
    for (int64_t o = 0; o < a.outer; o++)
        for (int64_t i = 0; i < a.inner; i++) {
            const int64_t first = o * a.length * a.inner + i;
            const double most = largest_part(x, &a, first);
            const int plain = most == 0.0 || !isfinite(most);
            y[o * a.inner + i] = plain ? most : most * sqrt(dot(x, x, first, a.length, a.inner, most));
        }
    return POY_OK;
}

/* x / y, element by element, 0 where y is 0. */
static poyi_z direction(const poy_rec_item *item, int64_t x, int64_t y)
{
    const poyi_z z = poyi_rec_get(&item->in[0], x);
    const double *norm = item->out[0].data;
    return norm[y] == 0.0 ? 0.0 : CMPLX(creal(z) / norm[y], cimag(z) / norm[y]);
}

static poy_status norm_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const poyi_axis a = axis_of(item);
    const double *g = cot->data;
    (void)ctx;
    for (int64_t o = 0; o < a.outer; o++)
        for (int64_t j = 0; j < a.length; j++)
            for (int64_t i = 0; i < a.inner; i++) {
                const int64_t x = (o * a.length + j) * a.inner + i, y = o * a.inner + i;
                poyi_rec_put(grad, x, g[y] * direction(item, x, y));
            }
    return POY_OK;
}

static poy_status norm_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                            const poy_rec_array *out_tan)
{
    const poyi_axis a = axis_of(item);
    double *dy = out_tan->data;
    (void)ctx;
    for (int64_t o = 0; o < a.outer; o++)
        for (int64_t i = 0; i < a.inner; i++) {
            double sum = 0.0;
            for (int64_t j = 0; j < a.length; j++) {
                const int64_t x = (o * a.length + j) * a.inner + i;
                const poyi_z u = direction(item, x, o * a.inner + i), dx = poyi_rec_get(tan, x);
                sum += creal(u) * creal(dx) + cimag(u) * cimag(dx);
            }
            dy[o * a.inner + i] = sum;
        }
    return POY_OK;
}

static const poy_rec_example examples[] = {
    {"", "f64[7]"}, {"", "c128[3,200]"}, {"axis=0", "c128[3,2]"}, {"axis=-2", "f64[2,3,4]"}, {"axis=1", "c128[2,0,3]"},
    {"", "f64[]"}};
enum { N_EXAMPLES = sizeof examples / sizeof examples[0] };

const poy_rec_op poyi_record_sum = {.state_version = 1,
                                    .options = poyi_rec_axis_options,
                                    .n_options = 1,
                                    .examples = examples,
                                    .n_examples = N_EXAMPLES,
                                    .open = poyi_rec_axis_open,
                                    .close = free,
                                    .infer = poyi_rec_axis_infer,
                                    .evaluate = sum_evaluate,
                                    .pullback = sum_pull,
                                    .pushforward = sum_push};

const poy_rec_op poyi_record_norm = {.state_version = 1,
                                     .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                     .options = poyi_rec_axis_options,
                                     .n_options = 1,
                                     .examples = examples,
                                     .n_examples = N_EXAMPLES,
                                     .open = poyi_rec_axis_open,
                                     .close = free,
                                     .infer = poyi_rec_axis_infer,
                                     .evaluate = norm_evaluate,
                                     .pullback = norm_pull,
                                     .pushforward = norm_push,
                                     .sample = poyi_rec_sample_one};

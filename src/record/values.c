/* values.c: what several built-in records use: copies, messages, samples, sums over an axis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/builtin.h"

void poyi_rec_copy(const poy_rec_array *from, const poy_rec_array *to)
{
    if (from->data)
        memcpy(to->data, from->data, poy_rec_bytes(&to->spec));
    else
        memset(to->data, 0, poy_rec_bytes(&to->spec));
}

void poyi_rec_index(const poy_rec_spec *spec, int64_t i, size_t size, char *out)
{
    int64_t index[POY_RANK_MAX] = {0};
    for (int k = spec->rank; k-- > 0;) {
        index[k] = i % spec->dims[k];
        i /= spec->dims[k];
    }
    size_t used = (size_t)snprintf(out, size, "element ");
    for (int k = 0; k < spec->rank && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%lld", k ? "," : "[", (long long)index[k]);
    if (used < size)
        snprintf(out + used, size - used, "%s", spec->rank ? "]" : "[]");
}

poy_status poyi_rec_finite(poy_ctx *ctx, const char *who, const char *name, const poy_rec_array *a)
{
    const double *x = a->data;
    const int width = a->spec.dtype == POY_C128 ? 2 : 1;
    const int64_t n = poy_rec_count(&a->spec) * width;
    char where[POYI_INDEX_TEXT];
    for (int64_t i = 0; i < n; i++) {
        if (isfinite(x[i]))
            continue;
        poyi_rec_index(&a->spec, i / width, sizeof where, where);
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "%s: %s of %s is %g", who, where, name, x[i]);
    }
    return POY_OK;
}

/* ---- samples ---- */

void poyi_rec_sample(uint64_t seed, int n_in, const poy_rec_array *in)
{
    double u[2];
    for (int i = 0; i < n_in; i++) {
        const int64_t n = poy_rec_count(&in[i].spec);
        for (int64_t k = 0; k < n; k++) {
            poy_random_uniform2(seed, (uint64_t)i, (uint64_t)k, u);
            poyi_rec_put(&in[i], k, CMPLX(2.0 * u[0] - 1.0, 2.0 * u[1] - 1.0));
        }
    }
}

static void sample_right(uint64_t seed, int n_in, const poy_rec_array *in)
{
    double u[2];
    for (int i = 0; i < n_in; i++) {
        const int64_t n = poy_rec_count(&in[i].spec);
        for (int64_t k = 0; k < n; k++) {
            poy_random_uniform2(seed, (uint64_t)i, (uint64_t)k, u);
            poyi_rec_put(&in[i], k, CMPLX(0.5 + u[0], 2.0 * u[1] - 1.0));
        }
    }
}

poy_status poyi_rec_sample_one(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx;
    (void)config;
    sample_right(seed, 1, in);
    return POY_OK;
}

poy_status poyi_rec_sample_two(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx;
    (void)config;
    sample_right(seed, 2, in);
    return POY_OK;
}

/* ---- sums ---- */

/* Sum of n doubles, stride apart, by halves. */
static double pairwise(const double *x, int64_t n, int64_t stride)
{
    enum { BLOCK = 64 };
    if (n > BLOCK) {
        const int64_t half = n / 2;
        return pairwise(x, half, stride) + pairwise(x + half * stride, n - half, stride);
    }
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i * stride];
    return sum;
}

void poyi_rec_sum(poy_dtype dtype, const poyi_axis *a, const double *x, double *y)
{
    const int64_t width = dtype == POY_C128 ? 2 : 1, row = width * a->inner;
    for (int64_t o = 0; o < a->outer; o++)
        for (int64_t i = 0; i < row; i++)
            y[o * row + i] = pairwise(x + o * a->length * row + i, a->length, row);
}

void poyi_rec_split(const poy_rec_spec *x, int axis, poyi_axis *out)
{
    *out = (poyi_axis){.outer = 1, .length = 1, .inner = 1};
    for (int k = 0; k < x->rank; k++)
        *(axis < 0 || k == axis ? &out->length : k < axis ? &out->outer : &out->inner) *= x->dims[k];
}

const poy_rec_option poyi_rec_axis_options[1] = {
    {.name = "axis",
     .kind = POY_REC_TEXT,
     .fallback = "all",
     .text = "the axis that is summed over, negative from the end; or all"}};

poy_status poyi_rec_axis_open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **config)
{
    char *end;
    (void)user;
    const int all = !strcmp(values[0].text, "all");
    const long axis = strtol(values[0].text, &end, 10);
    if (!all && (end == values[0].text || *end || axis < -POY_RANK_MAX || axis >= POY_RANK_MAX))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "axis is '%s', needs to be all or -%d to %d", values[0].text,
                         POY_RANK_MAX, POY_RANK_MAX - 1);
    poyi_axis_config *c = malloc(sizeof *c);
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the configuration of a record");
    *c = (poyi_axis_config){.all = all, .axis = all ? 0 : (int)axis};
    *config = c;
    return POY_OK;
}

poy_status poyi_rec_axis_infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                               poy_rec_size *size)
{
    const poyi_axis_config *c = config;
    const int axis = poyi_rec_axis(config, in);
    (void)size;
    out->rank = 0;
    if (c->all)
        return POY_OK;
    if (axis < 0 || axis >= in->rank)
        return POYI_FAIL(ctx, POY_ERR_AXIS, "there is no axis %d in an array of rank %d", c->axis, in->rank);
    for (int k = 0; k < in->rank; k++)
        if (k != axis)
            out->dims[out->rank++] = in->dims[k];
    return POY_OK;
}

int poyi_rec_axis(const void *config, const poy_rec_spec *x)
{
    const poyi_axis_config *c = config;
    return c->all ? -1 : c->axis < 0 ? c->axis + x->rank : c->axis;
}

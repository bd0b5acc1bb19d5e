/* shape.c: the arithmetic of shapes, strides and windows: sizes without overflow, broadcasting, overlap, and the normal
 * form in which backends see the loops. */
#include <stdio.h>
#include <string.h>

#include "ops/array.h"

poyi_shape_text poyi_shape_print(int rank, const int64_t *extent)
{
    poyi_shape_text t;
    int used = snprintf(t.text, sizeof t.text, "[");
    for (int i = 0; i < rank; i++)
        used += snprintf(t.text + used, sizeof t.text - (size_t)used, "%s%lld", i ? ", " : "", (long long)extent[i]);
    snprintf(t.text + used, sizeof t.text - (size_t)used, "]");
    return t;
}

int poyi_shape_equal(int rank_a, const int64_t *a, int rank_b, const int64_t *b)
{
    if (rank_a != rank_b)
        return 0;
    for (int i = 0; i < rank_a; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

int poyi_shape_join(int *rank, int64_t *extent, int rank_b, const int64_t *b)
{
    int more = rank_b - *rank;
    if (more > 0) {
        memmove(extent + more, extent, (size_t)*rank * sizeof *extent);
        for (int i = 0; i < more; i++)
            extent[i] = 1;
        *rank = rank_b;
    }
    for (int i = 0; i < rank_b; i++) {
        int64_t *e = &extent[*rank - rank_b + i];
        if (*e == 1)
            *e = b[i];
        else if (b[i] != 1 && b[i] != *e)
            return 0;
    }
    return 1;
}

poy_status poyi_shape_size(poy_ctx *ctx, poy_dtype dtype, int rank, const int64_t *extent, int64_t *size)
{
    int64_t all = (int64_t)poy_dtype_size(dtype);
    int fits = 1;

    if (rank < 0 || rank > POY_RANK_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "an array cannot have %d axes, 0 to %d", rank, POY_RANK_MAX);
    *size = 1;
    for (int i = 0; i < rank; i++) {
        if (extent[i] < 0)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "shape %s: extent %d is negative", poyi_shape_print(rank, extent).text,
                             i);
        /* A zero elsewhere does not help: strides are products, too. */
        fits = fits && !__builtin_mul_overflow(all, extent[i] > 0 ? extent[i] : 1, &all);
    }
    if (!fits)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "shape %s of %s is more than memory can hold",
                         poyi_shape_print(rank, extent).text, poy_dtype_name(dtype));
    for (int i = 0; i < rank; i++)
        *size *= extent[i];
    return POY_OK;
}

void poyi_shape_strides(int rank, const int64_t *extent, int64_t *stride)
{
    int64_t s = 1;
    for (int i = rank - 1; i >= 0; i--) {
        stride[i] = s;
        s *= extent[i] > 0 ? extent[i] : 1;
    }
}

int poyi_shape_axis(int rank, int axis)
{
    int axes = rank ? rank : 1;
    if (axis < -axes || axis >= axes)
        return -1;
    return axis < 0 ? axis + axes : axis;
}

void poyi_shape_broadcast_strides(int rank, const int64_t *extent, const int64_t *stride, int rank_to,
                                  const int64_t *extent_to, int64_t *stride_to)
{
    int more = rank_to - rank;
    for (int i = 0; i < rank_to; i++)
        stride_to[i] = i < more || (extent[i - more] == 1 && extent_to[i] != 1) ? 0 : stride[i - more];
}

int poyi_window_range(int rank, const int64_t *extent, const int64_t *stride, int64_t *low, int64_t *high)
{
    *low = *high = 0;
    for (int i = 0; i < rank; i++) {
        int64_t reach, *end = stride[i] < 0 ? low : high;
        if (__builtin_mul_overflow(extent[i] - 1, stride[i], &reach) || __builtin_add_overflow(*end, reach, end))
            return 0;
    }
    return 1;
}

int poyi_window_contiguous(int rank, const int64_t *extent, const int64_t *stride)
{
    int64_t s = 1;
    for (int i = rank - 1; i >= 0; i--) {
        if (extent[i] == 0)
            return 1;
        if (extent[i] != 1 && stride[i] != s)
            return 0;
        s *= extent[i];
    }
    return 1;
}

/* Sufficient and cheap: by rising stride, each step is longer than all that the axes before it span. Windows that fit
 * into each other's gaps otherwise are taken for overlapping. */
int poyi_window_distinct(int rank, const int64_t *extent, const int64_t *stride)
{
    int64_t step[POY_RANK_MAX], count[POY_RANK_MAX], span = 0;
    int n = 0;
    for (int i = 0; i < rank; i++) {
        int64_t s = stride[i] < 0 ? -stride[i] : stride[i];
        int at = n;
        if (extent[i] == 0)
            return 1;
        if (extent[i] == 1)
            continue;
        for (; at > 0 && step[at - 1] > s; at--) {
            step[at] = step[at - 1];
            count[at] = count[at - 1];
        }
        step[at] = s;
        count[at] = extent[i];
        n++;
    }
    for (int i = 0; i < n; i++) {
        if (step[i] <= span)
            return 0;
        span += (count[i] - 1) * step[i];
    }
    return 1;
}

/* ---- nests ---- */

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* Moves axis from to place to of the same nest. */
static void copy_axis(poyi_nest *nest, int from, int to)
{
    nest->extent[to] = nest->extent[from];
    for (int k = 0; k < nest->n; k++)
        nest->stride[k][to] = nest->stride[k][from];
}

static void swap_axes(poyi_nest *nest, int a, int b)
{
    int64_t extent = nest->extent[a];
    nest->extent[a] = nest->extent[b];
    nest->extent[b] = extent;
    for (int k = 0; k < nest->n; k++) {
        int64_t stride = nest->stride[k][a];
        nest->stride[k][a] = nest->stride[k][b];
        nest->stride[k][b] = stride;
    }
}

/* The stride that decides order and direction: the lead's, or another's where that is 0. */
static int64_t deciding_stride(const poyi_nest *nest, int axis, int lead)
{
    if (nest->stride[lead][axis])
        return nest->stride[lead][axis];
    for (int k = 0; k < nest->n; k++)
        if (nest->stride[k][axis])
            return nest->stride[k][axis];
    return 0;
}

static void flip_axis(poyi_nest *nest, int axis)
{
    for (int k = 0; k < nest->n; k++) {
        nest->offset[k] += (nest->extent[axis] - 1) * nest->stride[k][axis];
        nest->stride[k][axis] = -nest->stride[k][axis];
    }
}

/* Axis outer and the next one are one axis of all windows. */
static int can_merge(const poyi_nest *nest, int outer)
{
    for (int k = 0; k < nest->n; k++)
        if (nest->stride[k][outer] != nest->stride[k][outer + 1] * nest->extent[outer + 1])
            return 0;
    return 1;
}

int poyi_nest_normalise(poyi_nest *nest, int first, int count, int lead)
{
    int left = 0, end = first + count;

    for (int i = first; i < end; i++) {
        if (nest->extent[i] == 1)
            continue;
        copy_axis(nest, i, first + left);
        if (deciding_stride(nest, first + left, lead) < 0)
            flip_axis(nest, first + left);
        left++;
    }
    for (int i = first + 1; i < first + left; i++)
        for (int j = i;
             j > first && magnitude(deciding_stride(nest, j - 1, lead)) < magnitude(deciding_stride(nest, j, lead));
             j--)
            swap_axes(nest, j - 1, j);
    for (int i = first; i < first + left - 1;) {
        if (!can_merge(nest, i)) {
            i++;
            continue;
        }
        int64_t extent = nest->extent[i];
        for (int j = i; j < first + left - 1; j++)
            copy_axis(nest, j + 1, j);
        nest->extent[i] *= extent;
        left--;
    }
    for (int i = end; i < nest->rank; i++)
        copy_axis(nest, i, i - count + left);
    nest->rank -= count - left;
    return left;
}

void poyi_nest_tensor(const poyi_nest *nest, int k, const poy_array *a, poy_tensor *out)
{
    out->mem = a->mem;
    out->offset = a->offset + nest->offset[k];
    out->dtype = a->dtype;
    out->rank = nest->rank;
    for (int i = 0; i < nest->rank; i++) {
        out->extent[i] = nest->extent[i];
        out->stride[i] = nest->stride[k][i];
    }
}

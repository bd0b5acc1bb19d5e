/* view.c: views: slices, permuted axes, broadcasting, reshaping without a copy where the strides permit. */
#include <string.h>

#include "ops/array.h"
#include "poynting/arrange.h"

/* A bound of a slice, from the end where negative, clipped to low .. high; INT64_MIN: the open end. */
static int64_t clip_bound(int64_t bound, int64_t extent, int64_t low, int64_t high, int64_t open)
{
    if (bound == INT64_MIN)
        return open;
    if (bound < 0)
        bound += extent;
    return bound < low ? low : bound > high ? high : bound;
}

poy_status poy_array_slice(poy_ctx *ctx, const poy_array *a, int axis, int64_t start, int64_t stop, int64_t step,
                           poy_array **out)
{
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
    int at = a->rank ? poyi_shape_axis(a->rank, axis) : -1;

    *out = NULL;
    if (at < 0)
        return POYI_FAIL(ctx, POY_ERR_AXIS, "slice: no axis %d in shape %s", axis,
                         poyi_shape_print(a->rank, a->extent).text);
    if (step == 0 || step == INT64_MIN)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "slice: the step cannot be %lld", (long long)step);
    memcpy(extent, a->extent, sizeof extent);
    memcpy(stride, a->stride, sizeof stride);
    int64_t n = extent[at], from, distance;
    if (step > 0) {
        from = clip_bound(start, n, 0, n, 0);
        distance = clip_bound(stop, n, 0, n, n) - from;
    } else {
        from = clip_bound(start, n, -1, n - 1, n - 1);
        distance = from - clip_bound(stop, n, -1, n - 1, -1);
    }
    int64_t width = step > 0 ? step : -step;
    extent[at] = distance > 0 ? (distance - 1) / width + 1 : 0;
    int64_t offset = extent[at] > 0 ? from * stride[at] : 0;
    stride[at] = extent[at] > 1 ? stride[at] * step : stride[at]; /* a long step over one element cannot overflow */
    POYI_TRY(ctx, poy_array_view(ctx, a, a->rank, extent, stride, offset, out));
    return POY_OK;
}

poy_status poy_array_transpose(poy_ctx *ctx, const poy_array *a, const int *axes, poy_array **out)
{
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
    unsigned seen = 0;

    *out = NULL;
    for (int i = 0; i < a->rank; i++) {
        int at = axes ? poyi_shape_axis(a->rank, axes[i]) : a->rank - 1 - i;
        if (at < 0 || seen & 1u << at)
            return POYI_FAIL(ctx, POY_ERR_AXIS, "transpose: axis %d %s in shape %s", axes ? axes[i] : at,
                             at < 0 ? "is not there" : "is named twice", poyi_shape_print(a->rank, a->extent).text);
        seen |= 1u << at;
        extent[i] = a->extent[at];
        stride[i] = a->stride[at];
    }
    POYI_TRY(ctx, poy_array_view(ctx, a, a->rank, extent, stride, 0, out));
    return POY_OK;
}

poy_status poy_array_broadcast_to(poy_ctx *ctx, const poy_array *a, int rank, const int64_t *extent, poy_array **out)
{
    int64_t size, joined[POY_RANK_MAX], stride[POY_RANK_MAX];
    int joined_rank = rank;

    *out = NULL;
    POYI_TRY(ctx, poyi_shape_size(ctx, a->dtype, rank, extent, &size));
    memcpy(joined, extent, (size_t)rank * sizeof *extent);
    if (a->rank > rank || !poyi_shape_join(&joined_rank, joined, a->rank, a->extent) ||
        !poyi_shape_equal(joined_rank, joined, rank, extent))
        return POYI_FAIL(ctx, POY_ERR_BROADCAST, "shape %s does not broadcast to %s",
                         poyi_shape_print(a->rank, a->extent).text, poyi_shape_print(rank, extent).text);
    poyi_shape_broadcast_strides(a->rank, a->extent, a->stride, rank, extent, stride);
    POYI_TRY(ctx, poy_array_view(ctx, a, rank, extent, stride, 0, out));
    return POY_OK;
}

poy_status poy_array_broadcast_together(poy_ctx *ctx, int n, const poy_array *const *arrays, poy_array **out)
{
    int rank = 0;
    int64_t extent[POY_RANK_MAX] = {0};
    for (int k = 0; k < n; k++)
        out[k] = NULL;
    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "broadcast: %d arrays, needs 1 at least", n);
    for (int k = 0; k < n; k++)
        if (!poyi_shape_join(&rank, extent, arrays[k]->rank, arrays[k]->extent))
            return POYI_FAIL(ctx, POY_ERR_BROADCAST, "broadcast: shape %s does not fit what those before it have, %s",
                             poyi_shape_print(arrays[k]->rank, arrays[k]->extent).text,
                             poyi_shape_print(rank, extent).text);
    for (int k = 0; k < n; k++) {
        const poy_status status = poy_array_broadcast_to(ctx, arrays[k], rank, extent, &out[k]);
        if (status == POY_OK)
            continue;
        while (k > 0)
            poy_array_destroy(&out[--k]);
        return status;
    }
    return POY_OK;
}

/* ---- reshape ---- */

/* The shape with its -1 replaced. */
static poy_status complete_shape(poy_ctx *ctx, const poy_array *a, int rank, const int64_t *extent, int64_t *complete)
{
    int open = -1;
    int64_t known = 1, size;

    if (rank < 0 || rank > POY_RANK_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "reshape: an array cannot have %d axes", rank);
    for (int i = 0; i < rank; i++) {
        complete[i] = extent[i];
        if (extent[i] == -1 && open >= 0)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "reshape: two extents of %s are -1",
                             poyi_shape_print(rank, extent).text);
        if (extent[i] == -1)
            open = i;
        else if (extent[i] < 0 || __builtin_mul_overflow(known, extent[i], &known))
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "reshape: %s is no shape", poyi_shape_print(rank, extent).text);
    }
    if (open >= 0) {
        if (known == 0 || a->size % known != 0)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "reshape: no extent in place of -1 makes %lld elements of %s",
                             (long long)a->size, poyi_shape_print(rank, extent).text);
        complete[open] = a->size / known;
    }
    POYI_TRY(ctx, poyi_shape_size(ctx, a->dtype, rank, complete, &size));
    if (size != a->size)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "reshape: %s has %lld elements, %s has %lld",
                         poyi_shape_print(a->rank, a->extent).text, (long long)a->size,
                         poyi_shape_print(rank, complete).text, (long long)size);
    return POY_OK;
}

/* Strides of the new shape on a's window; 0 where it has gaps that a new axis would have to cross. Sizes are equal and
 * not 0. Old and new axes are taken in the shortest groups of equal size; an old group has to lie in one piece. */
static int strides_of_groups(const poy_array *a, int rank, const int64_t *extent, int64_t *stride)
{
    int64_t old_extent[POY_RANK_MAX] = {0}, old_stride[POY_RANK_MAX] = {0}, last = 1;
    int old_rank = 0, old = 0, new = 0;

    for (int i = 0; i < a->rank; i++)
        if (a->extent[i] != 1) {
            old_extent[old_rank] = a->extent[i];
            old_stride[old_rank++] = a->stride[i];
        }
    while (new < rank && old < old_rank) {
        int old_end = old + 1, new_end = new + 1;
        int64_t old_size = old_extent[old], new_size = extent[new];
        while (old_size != new_size)
            if (new_size < old_size)
                new_size *= extent[new_end++];
            else
                old_size *= old_extent[old_end++];
        for (int i = old; i < old_end - 1; i++)
            if (old_stride[i] != old_stride[i + 1] * old_extent[i + 1])
                return 0;
        last = old_stride[old_end - 1];
        for (int i = new_end - 1; i >= new; i--) {
            stride[i] = last;
            last *= extent[i];
        }
        last = old_stride[old_end - 1];
        old = old_end;
        new = new_end;
    }
    for (; new < rank; new ++) /* what is left has extent 1 */
        stride[new] = last;
    return 1;
}

int poyi_reshape_strides(const poy_array *a, int rank, const int64_t *extent, int64_t *stride)
{
    if (a->size && !a->contiguous)
        return strides_of_groups(a, rank, extent, stride);
    poyi_shape_strides(rank, extent, stride);
    return 1;
}

poy_status poy_array_reshape(poy_ctx *ctx, const poy_array *a, int rank, const int64_t *extent, poy_array **out)
{
    int64_t complete[POY_RANK_MAX] = {0}, stride[POY_RANK_MAX] = {0};
    poy_array *packed = NULL;

    *out = NULL;
    POYI_TRY(ctx, complete_shape(ctx, a, rank, extent, complete));
    if (!poyi_reshape_strides(a, rank, complete, stride)) {
        POYI_TRY(ctx, poy_copy(ctx, a, a->dtype, &packed));
        poyi_shape_strides(rank, complete, stride);
    }
    poy_status status = poy_array_view(ctx, packed ? packed : a, rank, complete, stride, 0, out);
    poy_array_destroy(&packed);
    return status;
}

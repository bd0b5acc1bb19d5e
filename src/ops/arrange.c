/* arrange.c: views with other axes, arrays side by side, elements moved: by copies into views. */
#include <string.h>

#include "ops/array.h"
#include "poynting/arrange.h"

static poy_status no_axis(poy_ctx *ctx, const char *what, int axis, const poy_array *a)
{
    return POYI_FAIL(ctx, POY_ERR_AXIS, "%s: no axis %d in shape %s", what, axis,
                     poyi_shape_print(a->rank, a->extent).text);
}

/* ---- views ---- */

/* Places of axes [n], each once. */
static poy_status read_axes(poy_ctx *ctx, const char *what, const poy_array *a, int n, const int *axes, int *out)
{
    unsigned seen = 0;
    for (int i = 0; i < n; i++) {
        out[i] = a->rank ? poyi_shape_axis(a->rank, axes[i]) : -1;
        if (out[i] < 0)
            return no_axis(ctx, what, axes[i], a);
        if (seen & 1u << out[i])
            return POYI_FAIL(ctx, POY_ERR_AXIS, "%s: axis %d is named twice", what, axes[i]);
        seen |= 1u << out[i];
    }
    return POY_OK;
}

poy_status poy_array_move_axes(poy_ctx *ctx, const poy_array *a, int n, const int *source, const int *destination,
                               poy_array **out)
{
    int from[POY_RANK_MAX], to[POY_RANK_MAX], order[POY_RANK_MAX];
    unsigned moved = 0;

    *out = NULL;
    if (n < 0 || n > a->rank)
        return POYI_FAIL(ctx, POY_ERR_AXIS, "move axes: %d of %d axes", n, a->rank);
    POYI_TRY(ctx, read_axes(ctx, "move axes", a, n, source, from));
    POYI_TRY(ctx, read_axes(ctx, "move axes", a, n, destination, to));
    for (int i = 0; i < a->rank; i++)
        order[i] = -1;
    for (int i = 0; i < n; i++) {
        order[to[i]] = from[i];
        moved |= 1u << from[i];
    }
    for (int i = 0, next = 0; i < a->rank; i++) {
        if (order[i] >= 0)
            continue;
        while (moved & 1u << next)
            next++;
        order[i] = next++;
    }
    return poy_array_transpose(ctx, a, order, out);
}

poy_status poy_array_swap_axes(poy_ctx *ctx, const poy_array *a, int axis1, int axis2, poy_array **out)
{
    int order[POY_RANK_MAX], i = poyi_shape_axis(a->rank, axis1), j = poyi_shape_axis(a->rank, axis2);

    *out = NULL;
    if (!a->rank || i < 0 || j < 0)
        return no_axis(ctx, "swap axes", i < 0 ? axis1 : axis2, a);
    for (int k = 0; k < a->rank; k++)
        order[k] = k == i ? j : k == j ? i : k;
    return poy_array_transpose(ctx, a, order, out);
}

poy_status poy_array_expand_dims(poy_ctx *ctx, const poy_array *a, int n, const int *axes, poy_array **out)
{
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
    int rank = a->rank + n, at = 0;
    unsigned is_new = 0;

    *out = NULL;
    if (n < 0 || rank > POY_RANK_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "expand dims: %d more axes for shape %s, %d can be in all", n,
                         poyi_shape_print(a->rank, a->extent).text, POY_RANK_MAX);
    for (int i = 0; i < n; i++) {
        int axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        if (axis < 0 || axis >= rank || is_new & 1u << axis)
            return POYI_FAIL(ctx, POY_ERR_AXIS, "expand dims: axis %d of %d, each once", axes[i], rank);
        is_new |= 1u << axis;
    }
    for (int i = 0; i < rank; i++) {
        int fresh = (is_new & 1u << i) != 0;
        extent[i] = fresh ? 1 : a->extent[at];
        stride[i] = fresh ? 1 : a->stride[at];
        at += !fresh;
    }
    return poy_array_view(ctx, a, rank, extent, stride, 0, out);
}

poy_status poy_array_squeeze(poy_ctx *ctx, const poy_array *a, int n, const int *axes, poy_array **out)
{
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
    int places[POY_RANK_MAX], rank = 0;
    unsigned dropped = 0;

    *out = NULL;
    if (n > a->rank)
        return POYI_FAIL(ctx, POY_ERR_AXIS, "squeeze: %d of %d axes", n, a->rank);
    if (n >= 0)
        POYI_TRY(ctx, read_axes(ctx, "squeeze", a, n, axes, places));
    for (int i = 0; i < n; i++) {
        if (a->extent[places[i]] != 1)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "squeeze: axis %d of shape %s has not extent 1", axes[i],
                             poyi_shape_print(a->rank, a->extent).text);
        dropped |= 1u << places[i];
    }
    for (int i = 0; i < a->rank; i++)
        if (n < 0 ? a->extent[i] != 1 : !(dropped & 1u << i)) {
            extent[rank] = a->extent[i];
            stride[rank++] = a->stride[i];
        }
    return poy_array_view(ctx, a, rank, extent, stride, 0, out);
}

poy_status poy_array_flip(poy_ctx *ctx, const poy_array *a, int axis, poy_array **out)
{
    return poy_array_slice(ctx, a, axis, INT64_MIN, INT64_MIN, -1, out);
}

poy_status poy_array_diagonal(poy_ctx *ctx, const poy_array *a, int64_t k, poy_array **out)
{
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX], offset;
    int row = a->rank - 2;

    *out = NULL;
    if (row < 0)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "diagonal: shape %s has no matrix, needs two axes",
                         poyi_shape_print(a->rank, a->extent).text);
    int64_t rows = a->extent[row], columns = a->extent[row + 1];
    memcpy(extent, a->extent, sizeof extent);
    memcpy(stride, a->stride, sizeof stride);
    int64_t n = k >= 0 ? columns - (k < columns ? k : columns) : rows - (k > -rows ? -k : rows);
    extent[row] = k >= 0 ? (n < rows ? n : rows) : (n < columns ? n : columns);
    stride[row] = a->stride[row] + a->stride[row + 1];
    offset = extent[row] == 0 ? 0 : k >= 0 ? k * a->stride[row + 1] : -k * a->stride[row];
    return poy_array_view(ctx, a, a->rank - 1, extent, stride, offset, out);
}

/* ---- arrays side by side ---- */

/* x into y's elements from start on along an axis. */
static poy_status place(poy_ctx *ctx, const poy_array *x, poy_array *y, int axis, int64_t start)
{
    int64_t extent[POY_RANK_MAX];
    poy_array *window = NULL;
    memcpy(extent, y->extent, sizeof extent);
    extent[axis] = x->extent[axis];
    if (!x->size)
        return POY_OK;
    POYI_TRY(ctx, poy_array_view(ctx, y, y->rank, extent, y->stride, start * y->stride[axis], &window));
    poy_status status = poy_copy_into(ctx, x, window);
    poy_array_destroy(&window);
    return status;
}

static poy_status check_parts(poy_ctx *ctx, const char *what, int n, const poy_array *const *parts, poy_dtype *dtype)
{
    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "%s: there are no parts", what);
    *dtype = parts[0]->dtype;
    for (int i = 1; i < n; i++) {
        if (parts[i]->be != parts[0]->be)
            return POYI_FAIL(ctx, POY_ERR_BACKEND, "%s: part 0 is on '%s', part %d on '%s'", what,
                             poy_backend_name(parts[0]->be), i, poy_backend_name(parts[i]->be));
        *dtype = poy_result_type(*dtype, parts[i]->dtype);
    }
    return POY_OK;
}

/* The type of what is joined: the promoted one, or one of the caller's, as which each part is cast once. */
static poy_status choose_type(poy_ctx *ctx, const char *what, int n, const poy_array *const *parts,
                              const poy_dtype *wanted, poy_dtype *dtype)
{
    POYI_TRY(ctx, check_parts(ctx, what, n, parts, dtype));
    if (!wanted)
        return POY_OK;
    if ((unsigned)*wanted >= POY_DTYPE_COUNT)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "%s: there is no element type %d", what, (int)*wanted);
    if (poy_dtype_is_complex(*dtype) && !poy_dtype_is_complex(*wanted))
        return POYI_FAIL(ctx, POY_ERR_COMPLEX_TO_REAL,
                         "%s: the parts are %s together, and %s has no imaginary part; take the real parts", what,
                         poy_dtype_name(*dtype), poy_dtype_name(*wanted));
    *dtype = *wanted;
    return POY_OK;
}

/* Parts of equal rank along an axis that they have; wanted NULL: in their promoted type. */
static poy_status join(poy_ctx *ctx, const char *what, int n, const poy_array *const *parts, int axis,
                       const poy_dtype *wanted, poy_array **y)
{
    poy_status status = POY_OK;
    int64_t extent[POY_RANK_MAX], start = 0;
    poy_dtype dtype = POY_F64;
    int at = 0;

    POYI_TRY(ctx, choose_type(ctx, what, n, parts, wanted, &dtype));
    if (!parts[0]->rank)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: part 0 has rank 0, needs an axis", what);
    POYI_TRY(ctx, read_axes(ctx, what, parts[0], 1, &axis, &at));
    memcpy(extent, parts[0]->extent, sizeof extent);
    extent[at] = 0;
    for (int k = 0; k < n; k++) {
        int fits = parts[k]->rank == parts[0]->rank;
        for (int i = 0; fits && i < parts[0]->rank; i++)
            fits = i == at || parts[k]->extent[i] == extent[i];
        if (!fits)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: part %d has shape %s, part 0 %s, which do not join along axis %d",
                             what, k, poyi_shape_print(parts[k]->rank, parts[k]->extent).text,
                             poyi_shape_print(parts[0]->rank, parts[0]->extent).text, at);
        extent[at] += parts[k]->extent[at];
    }
    POYI_TRY(ctx, poyi_array_create(ctx, parts[0]->be, "array", dtype, parts[0]->rank, extent, y));
    for (int k = 0; k < n; start += parts[k++]->extent[at])
        POYI_TO_DONE(ctx, place(ctx, parts[k], *y, at, start));
done:
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

/* How a part is seen before it is joined. */
typedef poy_status part_view(poy_ctx *ctx, const poy_array *a, int axis, poy_array **out);

static poy_status join_seen(poy_ctx *ctx, const char *what, int n, const poy_array *const *parts, part_view *see,
                            int argument, int axis, const poy_dtype *wanted, poy_array **y)
{
    poy_status status = POY_OK;
    void *block = NULL;

    *y = NULL;
    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "%s: there are no parts", what);
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "array.parts", (size_t)n * sizeof(poy_array *), &block));
    poy_array **seen = block;
    for (int k = 0; k < n; k++)
        POYI_TO_DONE(ctx, see(ctx, parts[k], argument, &seen[k]));
    POYI_TO_DONE(ctx, join(ctx, what, n, (const poy_array *const *)seen, axis, wanted, y));
done:
    for (int k = 0; k < n; k++)
        poy_array_destroy(&seen[k]);
    poyi_free(&block);
    return status;
}

static poy_status see_flat(poy_ctx *ctx, const poy_array *a, int axis, poy_array **out)
{
    const int64_t all = -1;
    (void)axis;
    return poy_array_reshape(ctx, a, 1, &all, out);
}

static poy_status see_expanded(poy_ctx *ctx, const poy_array *a, int axis, poy_array **out)
{
    return poy_array_expand_dims(ctx, a, 1, &axis, out);
}

/* With axes of extent 1 in front until there are so many. */
static poy_status see_at_least(poy_ctx *ctx, const poy_array *a, int rank, poy_array **out)
{
    static const int front[] = {0, 1, 2};
    return poy_array_expand_dims(ctx, a, a->rank < rank ? rank - a->rank : 0, front, out);
}

static poy_status see_deep(poy_ctx *ctx, const poy_array *a, int axis, poy_array **out)
{
    static const int of_number[] = {0, 1, 2}, of_vector[] = {0, 2}, of_matrix[] = {2};
    (void)axis;
    return poy_array_expand_dims(ctx, a, a->rank < 3 ? 3 - a->rank : 0,
                                 a->rank == 0   ? of_number
                                 : a->rank == 1 ? of_vector
                                                : of_matrix,
                                 out);
}

static poy_status see_column(poy_ctx *ctx, const poy_array *a, int axis, poy_array **out)
{
    static const int after[] = {0, 1};
    (void)axis;
    return a->rank ? poy_array_expand_dims(ctx, a, a->rank == 1, after + 1, out)
                   : poy_array_expand_dims(ctx, a, 2, after, out);
}

poy_status poy_concatenate(poy_ctx *ctx, int n, const poy_array *const *parts, int axis, poy_array **y)
{
    *y = NULL;
    return axis == POY_FLAT ? join_seen(ctx, "concatenate", n, parts, see_flat, 0, 0, NULL, y)
                            : join(ctx, "concatenate", n, parts, axis, NULL, y);
}

poy_status poy_concatenate_as(poy_ctx *ctx, poy_dtype dtype, int n, const poy_array *const *parts, int axis,
                              poy_array **y)
{
    *y = NULL;
    return axis == POY_FLAT ? join_seen(ctx, "concatenate", n, parts, see_flat, 0, 0, &dtype, y)
                            : join(ctx, "concatenate", n, parts, axis, &dtype, y);
}

poy_status poy_stack(poy_ctx *ctx, int n, const poy_array *const *parts, int axis, poy_array **y)
{
    *y = NULL;
    for (int k = 1; k < n; k++)
        if (!poyi_shape_equal(parts[0]->rank, parts[0]->extent, parts[k]->rank, parts[k]->extent))
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "stack: part %d has shape %s, part 0 %s", k,
                             poyi_shape_print(parts[k]->rank, parts[k]->extent).text,
                             poyi_shape_print(parts[0]->rank, parts[0]->extent).text);
    return join_seen(ctx, "stack", n, parts, see_expanded, axis, axis, NULL, y);
}

poy_status poy_hstack(poy_ctx *ctx, int n, const poy_array *const *parts, poy_array **y)
{
    return join_seen(ctx, "hstack", n, parts, see_at_least, 1, n > 0 && parts[0]->rank > 1 ? 1 : 0, NULL, y);
}

poy_status poy_vstack(poy_ctx *ctx, int n, const poy_array *const *parts, poy_array **y)
{
    return join_seen(ctx, "vstack", n, parts, see_at_least, 2, 0, NULL, y);
}

poy_status poy_dstack(poy_ctx *ctx, int n, const poy_array *const *parts, poy_array **y)
{
    return join_seen(ctx, "dstack", n, parts, see_deep, 0, 2, NULL, y);
}

poy_status poy_column_stack(poy_ctx *ctx, int n, const poy_array *const *parts, poy_array **y)
{
    return join_seen(ctx, "column stack", n, parts, see_column, 0, 1, NULL, y);
}

/* ---- elements moved ---- */

poy_status poy_tile(poy_ctx *ctx, const poy_array *x, const int64_t *repeats, poy_array **y)
{
    poy_status status = POY_OK;
    int64_t extent[POY_RANK_MAX], wide[POY_RANK_MAX], stride[POY_RANK_MAX], from[POY_RANK_MAX];
    poy_array *blocks = NULL, *source = NULL;

    *y = NULL;
    if (x->rank > POY_RANK_MAX / 2)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "tile: shape %s has %d axes, %d can be",
                         poyi_shape_print(x->rank, x->extent).text, x->rank, POY_RANK_MAX / 2);
    for (int i = 0; i < x->rank; i++) {
        if (repeats[i] < 0 || __builtin_mul_overflow(repeats[i], x->extent[i], &extent[i]))
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "tile: axis %d, %lld times", i, (long long)repeats[i]);
        const size_t copies = 2 * (size_t)i;
        wide[copies] = repeats[i];
        wide[copies + 1] = x->extent[i];
    }
    POYI_TRY(ctx, poyi_array_create(ctx, x->be, "array", x->dtype, x->rank, extent, y));
    if (!(*y)->size)
        return POY_OK;
    for (int i = 0; i < x->rank; i++) { /* both with an axis of repeats before each of x's */
        const size_t copies = 2 * (size_t)i;
        stride[copies] = (*y)->stride[i] * x->extent[i];
        stride[copies + 1] = (*y)->stride[i];
        from[copies] = 0;
        from[copies + 1] = x->stride[i];
    }
    POYI_TO_DONE(ctx, poy_array_view(ctx, *y, 2 * x->rank, wide, stride, 0, &blocks));
    POYI_TO_DONE(ctx, poy_array_view(ctx, x, 2 * x->rank, wide, from, 0, &source));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, source, blocks));
done:
    poy_array_destroy(&source);
    poy_array_destroy(&blocks);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

poy_status poy_roll(poy_ctx *ctx, const poy_array *x, int64_t shift, int axis, poy_array **y)
{
    poy_status status = POY_OK;
    int at = x->rank ? poyi_shape_axis(x->rank, axis) : -1;
    poy_array *tail = NULL, *head = NULL;

    *y = NULL;
    if (at < 0)
        return no_axis(ctx, "roll", axis, x);
    int64_t n = x->extent[at];
    if (!x->size)
        return poy_copy(ctx, x, x->dtype, y);
    shift = (shift % n + n) % n;
    POYI_TO_DONE(ctx, poyi_array_create(ctx, x->be, "array", x->dtype, x->rank, x->extent, y));
    POYI_TO_DONE(ctx, poy_array_slice(ctx, x, at, n - shift, n, 1, &tail));
    POYI_TO_DONE(ctx, poy_array_slice(ctx, x, at, 0, n - shift, 1, &head));
    POYI_TO_DONE(ctx, place(ctx, tail, *y, at, 0));
    POYI_TO_DONE(ctx, place(ctx, head, *y, at, shift));
done:
    poy_array_destroy(&head);
    poy_array_destroy(&tail);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

poy_status poy_pad(poy_ctx *ctx, const poy_array *x, const int64_t *before, const int64_t *after, poy_scalar value,
                   poy_array **y)
{
    poy_status status = POY_OK;
    int64_t extent[POY_RANK_MAX], offset = 0;
    poy_array *window = NULL;

    *y = NULL;
    for (int i = 0; i < x->rank; i++)
        if (before[i] < 0 || after[i] < 0 || __builtin_add_overflow(before[i], after[i], &extent[i]) ||
            __builtin_add_overflow(extent[i], x->extent[i], &extent[i]))
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "pad: %lld before and %lld after axis %d", (long long)before[i],
                             (long long)after[i], i);
    POYI_TRY(ctx, poy_fill(ctx, x->be, value, x->dtype, x->rank, extent, y));
    for (int i = 0; i < x->rank; i++)
        offset += before[i] * (*y)->stride[i];
    if (x->size) {
        POYI_TO_DONE(ctx, poy_array_view(ctx, *y, x->rank, x->extent, (*y)->stride, offset, &window));
        POYI_TO_DONE(ctx, poy_copy_into(ctx, x, window));
    }
done:
    poy_array_destroy(&window);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

poy_status poy_diff(poy_ctx *ctx, const poy_array *x, int axis, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *later = NULL, *earlier = NULL;

    *y = NULL;
    POYI_TO_DONE(ctx, poy_array_slice(ctx, x, axis, 1, INT64_MIN, 1, &later));
    POYI_TO_DONE(ctx, poy_array_slice(ctx, x, axis, 0, -1, 1, &earlier));
    POYI_TO_DONE(ctx, poy_sub(ctx, later, earlier, y));
done:
    poy_array_destroy(&earlier);
    poy_array_destroy(&later);
    return status;
}

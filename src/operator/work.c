/* work.c: scratch arrays that are lent and come back, and windows without a handle. */
#include <stdlib.h>

#include "operator/operator.h"

typedef struct lent {
    poy_array *array;
    int taken;
} lent;

struct poy_work {
    poy_backend *be; /* counted */
    lent *list;
    int n, room;
    size_t bytes;
};

poy_status poy_work_create(poy_ctx *ctx, poy_backend *be, poy_work **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for scratch");
    (*out)->be = poyi_backend_keep(be);
    return POY_OK;
}

void poy_work_destroy(poy_work **work)
{
    if (!*work)
        return;
    for (int i = 0; i < (*work)->n; i++)
        poy_array_destroy(&(*work)->list[i].array);
    poy_backend_close(&(*work)->be);
    free((*work)->list);
    free(*work);
    *work = NULL;
}

size_t poy_work_bytes(const poy_work *work)
{
    return work->bytes;
}

poy_status poyi_work_take(poy_ctx *ctx, poy_work *work, poy_dtype dtype, int rank, const int64_t *extent,
                          poy_array **out)
{
    *out = NULL;
    for (int i = 0; i < work->n; i++) {
        lent *l = &work->list[i];
        if (!l->taken && l->array->dtype == dtype && poyi_shape_equal(rank, extent, l->array->rank, l->array->extent)) {
            l->taken = 1;
            *out = l->array;
            return POY_OK;
        }
    }
    if (work->n == work->room) {
        const int room = work->room ? 2 * work->room : 16;
        void *list = realloc(work->list, (size_t)room * sizeof *work->list);
        if (!list)
            return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a list of %d scratch arrays", room);
        work->list = list;
        work->room = room;
    }
    lent *l = &work->list[work->n];
    POYI_TRY(ctx, poyi_array_create(ctx, work->be, "operator.work", dtype, rank, extent, &l->array));
    l->taken = 1;
    work->n++;
    work->bytes += (size_t)l->array->size * poy_dtype_size(dtype);
    *out = l->array;
    return POY_OK;
}

void poyi_work_give(poy_work *work, poy_array **a)
{
    for (int i = 0; *a && i < work->n; i++)
        if (work->list[i].array == *a)
            work->list[i].taken = 0;
    *a = NULL;
}

poy_status poyi_work_like(poy_ctx *ctx, poy_work *work, const poy_array *x, poy_array **out)
{
    return poyi_work_take(ctx, work, x->dtype, x->rank, x->extent, out);
}

poy_status poyi_work_element(poy_ctx *ctx, poy_work *work, const poy_space *s, int64_t k, poy_array **out)
{
    int64_t extent[POY_RANK_MAX];
    const int rank = poyi_space_shape(s, k, extent);
    return poyi_work_take(ctx, work, s->dtype, rank, extent, out);
}

poy_status poyi_work_get(poy_ctx *ctx, poy_backend *be, poy_work **work, poy_work **own)
{
    *own = NULL;
    if (*work && (*work)->be == be)
        return POY_OK;
    if (*work)
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "the scratch is on '%s', the space on '%s'",
                         poy_backend_name((*work)->be), poy_backend_name(be));
    POYI_TRY(ctx, poy_work_create(ctx, be, own));
    *work = *own;
    return POY_OK;
}

/* ---- windows ---- */

static void complete(poy_array *a)
{
    a->size = 1;
    for (int i = 0; i < a->rank; i++)
        a->size *= a->extent[i];
    a->contiguous = poyi_window_contiguous(a->rank, a->extent, a->stride);
}

void poyi_window_set(const poy_array *x, int64_t offset, int rank, const int64_t *extent, poy_array *out)
{
    out->buffer = x->buffer;
    out->be = x->be;
    out->mem = x->mem;
    out->dtype = x->dtype;
    out->distinct = x->distinct;
    out->offset = x->offset + offset;
    out->rank = rank;
    out->size = 1;
    out->contiguous = 1;
    poyi_shape_strides(rank, extent, out->stride);
    for (int i = 0; i < rank; i++) {
        out->extent[i] = extent[i];
        out->size *= extent[i];
    }
}

poy_array poyi_window(const poy_array *x, int64_t offset, int rank, const int64_t *extent)
{
    poy_array a;
    poyi_window_set(x, offset, rank, extent, &a);
    return a;
}

poy_array poyi_member(const poy_array *x, int64_t i)
{
    poy_array a = *x;
    a.offset += i * x->stride[0];
    a.rank = x->rank - 1;
    for (int j = 0; j < a.rank; j++) {
        a.extent[j] = x->extent[j + 1];
        a.stride[j] = x->stride[j + 1];
    }
    complete(&a);
    return a;
}

/* Do the coordinates of each member lie densely, in C order? */
static int dense_inside(const poy_array *x, int first)
{
    int64_t step = 1;
    for (int i = x->rank - 1; i >= first; i--) {
        if (x->extent[i] != 1 && x->stride[i] != step)
            return 0;
        step *= x->extent[i];
    }
    return 1;
}

poy_status poyi_flat(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, int copy, poy_array *flat,
                     poy_array **temp)
{
    const int64_t n = k ? x->size / k : x->size, extent[2] = {k ? k : n, n};
    *temp = NULL;
    if (!dense_inside(x, k != 0)) {
        POYI_TRY(ctx, poyi_work_like(ctx, work, x, temp));
        if (copy)
            POYI_TRY(ctx, poy_copy_into(ctx, x, *temp));
    }
    poyi_window_set(*temp ? *temp : x, 0, k ? 2 : 1, extent, flat);
    if (k && !*temp) {
        flat->stride[0] = x->stride[0];
        flat->contiguous = poyi_window_contiguous(2, flat->extent, flat->stride);
    }
    return POY_OK;
}

poy_status poyi_unflat(poy_ctx *ctx, poy_work *work, poy_array **temp, poy_array *y)
{
    poy_status status = POY_OK;
    if (*temp)
        POYI_TO_DONE(ctx, poy_copy_into(ctx, *temp, y));
done:
    poyi_work_give(work, temp);
    return status;
}

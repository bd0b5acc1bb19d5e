/* batch.c: where the items of a batch lie, and which of them are one and the same. */
#include "record/record.h"

poy_status poyi_batch_read(poy_ctx *ctx, const char *who, const poy_rec_batch *batch, poy_rec_batch *out,
                           int64_t *items)
{
    *out = (poy_rec_batch){0};
    *items = 1;
    if (!batch)
        return POY_OK;
    if (batch->rank < 0 || batch->rank > POY_REC_BATCH_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a batch of %d axes, needs 0 to %d", who, batch->rank,
                         POY_REC_BATCH_MAX);
    out->rank = batch->rank;
    for (int k = 0; k < batch->rank; k++) {
        const int64_t n = batch->extent[k];
        if (n < 0 || (n > 0 && *items > INT64_MAX / n))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: axis %d of the batch has extent %lld, needs 0 to 2^63 items in all", who, k,
                             (long long)n);
        out->extent[k] = n;
        *items *= n;
    }
    return POY_OK;
}

int64_t poyi_batch_offset(const poy_rec_batch *batch, const int64_t *stride, int64_t item)
{
    int64_t offset = 0;
    if (batch->rank == 1) /* most batches: without the division */
        return item * stride[0];
    for (int k = batch->rank; k-- > 0;) {
        offset += item % batch->extent[k] * stride[k];
        item /= batch->extent[k];
    }
    return offset;
}

int poyi_batch_is_shared(const poy_rec_batch *batch, const int64_t *stride)
{
    for (int k = 0; k < batch->rank; k++)
        if (batch->extent[k] != 1 && stride[k] == 0)
            return 1;
    return 0;
}

uint32_t poyi_batch_shared_axes(const poy_rec_batch *batch, const int64_t *stride)
{
    uint32_t shared = 0;
    for (int k = 0; k < batch->rank && k < POY_REC_BATCH_MAX; k++)
        if (stride[k] == 0)
            shared |= UINT32_C(1) << k;
    return shared;
}

int64_t poyi_batch_distinct(const poy_rec_batch *batch, const int64_t *stride, poy_rec_batch *out)
{
    int64_t items = 1;
    *out = *batch;
    for (int k = 0; k < batch->rank; k++) {
        if (stride[k] == 0)
            out->extent[k] = 1;
        items *= out->extent[k];
    }
    return items;
}

poy_status poyi_batch_extent(poy_ctx *ctx, const char *who, const poy_rec_batch *batch, const int64_t *stride,
                             size_t item_bytes, size_t *out)
{
    *out = item_bytes;
    for (int k = 0; k < batch->rank; k++) {
        if (batch->extent[k] == 0) {
            *out = 0;
            return POY_OK;
        }
        if (stride[k] < 0 || (uint64_t)stride[k] > SIZE_MAX / 2 / (uint64_t)batch->extent[k] || *out > SIZE_MAX / 4)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a batch with stride %lld bytes along axis %d, needs 0 or more",
                             who, (long long)stride[k], k);
        *out += (size_t)stride[k] * (size_t)(batch->extent[k] - 1);
    }
    return POY_OK;
}

size_t poy_rec_pack(const poy_rec_batch *batch, uint32_t shared, size_t item_bytes, int64_t stride[POY_REC_BATCH_MAX])
{
    size_t bytes = item_bytes;
    for (int k = POY_REC_BATCH_MAX; k-- > 0;) {
        stride[k] = 0;
        if (!batch || k >= batch->rank || (shared >> k & 1))
            continue;
        stride[k] = (int64_t)bytes;
        bytes *= (size_t)batch->extent[k];
    }
    return bytes;
}

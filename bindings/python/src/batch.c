/* batch.c: arrays with batch axes in front, taken apart for the record calls. */
#include "core.h"

#include <string.h>

void *batch_nowhere(void)
{
    static double place;
    return &place;
}

int64_t whole_count(const whole *array)
{
    int64_t n = 1;
    for (int i = 0; i < array->rank; i++)
        n *= array->dims[i];
    return n;
}

void whole_promote(whole *array, int lead, int rank)
{
    while (array->rank < lead + rank && array->rank - array->added == lead && array->rank < WHOLE_RANK_MAX) {
        array->dims[array->rank++] = 1;
        array->added++;
    }
}

const char *batch_of(const whole *arrays, int n, int lead, poy_rec_batch *out)
{
    if (lead < 0 || lead > POY_REC_BATCH_MAX)
        return "too many batch axes (at most 8)";
    out->rank = lead;
    for (int k = 0; k < lead; k++)
        out->extent[k] = 1;
    for (int i = 0; i < n; i++) {
        if (arrays[i].rank < lead)
            return "an array has fewer axes than there are batch axes";
        for (int k = 0; k < lead; k++) {
            if (arrays[i].dims[k] == 1 || arrays[i].dims[k] == out->extent[k])
                continue;
            if (out->extent[k] != 1)
                return "batch axes differ in length";
            out->extent[k] = arrays[i].dims[k];
        }
    }
    return NULL;
}

const char *batch_split(const whole *array, int lead, const poy_rec_batch *batch, poy_rec_array *out)
{
    if (array->rank < lead || array->rank - lead > POY_RANK_MAX)
        return "an array has too few or too many axes";
    out->data = array->data;
    out->spec.dtype = array->dtype;
    out->spec.rank = array->rank - lead;
    for (int i = 0; i < out->spec.rank; i++)
        out->spec.dims[i] = array->dims[lead + i];
    int64_t step = (int64_t)poy_rec_bytes(&out->spec);
    for (int k = lead - 1; k >= 0; k--) {
        if (array->dims[k] != 1 && array->dims[k] != batch->extent[k])
            return "batch axes differ in length";
        out->batch_stride[k] = array->dims[k] == 1 && batch->extent[k] != 1 ? 0 : step;
        step *= array->dims[k];
    }
    return NULL;
}

void batch_join(const poy_rec_spec *spec, const poy_rec_batch *batch, whole *out)
{
    out->dtype = spec->dtype;
    out->added = 0;
    out->rank = batch->rank + spec->rank;
    memcpy(out->dims, batch->extent, (size_t)batch->rank * sizeof *out->dims);
    memcpy(out->dims + batch->rank, spec->dims, (size_t)spec->rank * sizeof *out->dims);
    out->data = NULL;
}

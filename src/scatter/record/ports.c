/* ports.c: ports of records. */
#include "scatter/record/ports.h"

poy_status poyi_ports_read(poy_ctx *ctx, const char *who, const poy_rec_array *modes, size_t groups,
                           const poyi_ports *out)
{
    const double *row = modes->data;
    const size_t n = (size_t)modes->spec.dims[0];
    for (size_t i = 0; i < n; i++, row += 2) {
        if (!(row[0] >= 0.0) || !(row[0] < (double)groups) || row[0] != floor(row[0]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: port %zu is of group %g, there are %zu", who, i, row[0],
                             groups);
        if (row[1] != 0.0 && row[1] != 1.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: pol of port %zu is %g, needs 0 or 1", who, i, row[1]);
        out->group[i] = (int)row[0];
        out->pol[i] = (int)row[1];
        for (size_t k = 0; k < i; k++)
            if (out->group[k] == out->group[i] && out->pol[k] == out->pol[i])
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: ports %zu and %zu are the same", who, k, i);
    }
    return POY_OK;
}

void poyi_ports_sample(const poy_rec_array *modes)
{
    double *row = modes->data;
    for (int64_t i = 0; i < modes->spec.dims[0]; i++) {
        row[2 * i] = (double)(i / 2);
        row[2 * i + 1] = (double)(1 - i % 2);
    }
}

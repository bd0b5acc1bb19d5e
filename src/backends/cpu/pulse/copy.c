/* copy.c: y = x of a program. */
#include <string.h>

#include "backends/cpu/pulse/part.h"

static void part(POYI_PART)
{
    const size_t doubles = poyi_cpu_slot(step, 0)->dtype == POY_C128 ? 2 : 1;
    (void)scalars;
    memcpy(poyi_cpu_column(step, 0, column) + (size_t)begin * doubles,
           poyi_cpu_column(step, 1, column) + (size_t)begin * doubles,
           (size_t)(end - begin) * doubles * sizeof(double));
}

poy_status poyi_cpu_prepare_copy(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                 size_t *work_bytes)
{
    (void)ctx, (void)be;
    return poyi_cpu_keep_part(part, spec->slot[0].cols, spec->slot[0].len, spec, work, step, work_bytes);
}

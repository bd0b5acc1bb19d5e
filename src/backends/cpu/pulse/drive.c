/* drive.c: I = |A|^2 or A^2, and zeros where I is longer than A. */
#include <string.h>

#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/drive.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/drive.clh"
#endif

/* The tail goes with the first element. */
static void clear_tail(const poy_step *step, int64_t column, int64_t begin)
{
    const int64_t n = poyi_cpu_slot(step, 1)->len, all = poyi_cpu_slot(step, 0)->len;
    if (begin == 0 && all > n)
        memset(poyi_cpu_column(step, 0, column) + n, 0, (size_t)(all - n) * sizeof(double));
}

static void part(POYI_PART)
{
    (void)scalars;
    clear_tail(step, column, begin);
    POYI_WIDTHS(k_drive, begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column));
}

static void part_real(POYI_PART)
{
    (void)scalars;
    clear_tail(step, column, begin);
    k_drive_real(begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column));
}

poy_status POYI_ISA_NAME(prepare_drive)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                        poy_step *step, size_t *work_bytes)
{
    (void)ctx, (void)be;
    return poyi_cpu_keep_part(spec->slot[1].dtype == POY_F64 ? part_real : part, spec->slot[1].cols, spec->slot[1].len,
                              spec, work, step, work_bytes);
}

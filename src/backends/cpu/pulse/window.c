/* window.c: A = w A in place. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/window.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/window.clh"
#endif

static void part(POYI_PART)
{
    (void)scalars;
    POYI_WIDTHS(k_window, begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, 0));
}

static void part_real(POYI_PART)
{
    (void)scalars;
    k_window_real(begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, 0));
}

poy_status POYI_ISA_NAME(prepare_window)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    (void)ctx, (void)be;
    return poyi_cpu_keep_part(spec->slot[0].dtype == POY_F64 ? part_real : part, spec->slot[0].cols, spec->slot[0].len,
                              spec, work, step, work_bytes);
}

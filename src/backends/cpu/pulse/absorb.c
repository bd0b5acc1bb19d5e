/* absorb.c: B = -r A / 2; of a complex A into a real B, Re A. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/absorb.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/absorb.clh"
#endif

static void part(POYI_PART)
{
    (void)scalars;
    POYI_WIDTHS(k_absorb, begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column),
                poyi_cpu_column(step, 2, 0));
}

static void part_real(POYI_PART)
{
    (void)scalars;
    k_absorb_real(begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column),
                  poyi_cpu_column(step, 2, 0));
}

static void part_part(POYI_PART)
{
    (void)scalars;
    k_absorb_part(begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column),
                  poyi_cpu_column(step, 2, 0));
}

poy_status POYI_ISA_NAME(prepare_absorb)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    poyi_cpu_part *const chosen = spec->slot[0].dtype == POY_C128   ? part
                                  : spec->slot[1].dtype == POY_C128 ? part_part
                                                                    : part_real;

    (void)ctx, (void)be;
    return poyi_cpu_keep_part(chosen, spec->slot[0].cols, spec->slot[0].len, spec, work, step, work_bytes);
}

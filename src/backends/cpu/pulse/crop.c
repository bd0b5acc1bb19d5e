/* crop.c: u = M crop(P). */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/crop.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/crop.clh"
#endif

static void part(POYI_PART)
{
    const poy_row_crop *arg = step->arg;
    const int64_t n_w = poyi_cpu_slot(step, 0)->len, n = poyi_cpu_slot(step, 1)->len;
    const int64_t low = poyi_cpu_low_bins(arg->layout, n_w);
    double *u = poyi_cpu_column(step, 0, column);
    const double *P = poyi_cpu_column(step, 1, column), *M = poyi_cpu_column(step, 2, 0);

    (void)scalars;
    const int64_t middle = end < low ? end : begin < low ? low : begin;
    POYI_WIDTHS(k_crop, begin, middle, 0, u, P, M);
    POYI_WIDTHS(k_crop, middle, end, n - n_w, u, P, M);
}

poy_status POYI_ISA_NAME(prepare_crop)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                       poy_step *step, size_t *work_bytes)
{
    (void)ctx, (void)be;
    return poyi_cpu_keep_part(part, spec->slot[0].cols, spec->slot[0].len, spec, work, step, work_bytes);
}

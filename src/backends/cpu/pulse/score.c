/* score.c: how far apart two rules of integration over the cross-section are; leaf by leaf, in order, on one thread: once
 * a step. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/score.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/score.clh"
#endif

enum { LEAF = 256 }; /* bins: the rounding error of a sum grows with the leaf */

/* Bins begin to end of a column, which stand together on the fine grid too. */
static void range(const poy_step *step, int64_t column, int64_t begin, int64_t end, int64_t shift, double *total)
{
    const double *P = poyi_cpu_column(step, 1, column), *G = poyi_cpu_column(step, 2, column),
                 *coarse = poyi_cpu_column(step, 1, column + poyi_cpu_slot(step, 2)->cols);
    for (int64_t from = begin; from < end; from += LEAF) {
        const int64_t to = from + LEAF < end ? from + LEAF : end;
        double sums[2] = {0, 0};
        POYI_WIDTHS(score_leaf, from, to, shift, sums, P, coarse, G);
        total[0] += sums[0];
        total[1] += sums[1];
    }
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_score *arg = step->arg;
    const int64_t n_c = poyi_cpu_slot(step, 2)->cols, n_w = poyi_cpu_slot(step, 2)->len;
    const int64_t n = poyi_cpu_slot(step, 1)->len, low = poyi_cpu_low_bins(arg->layout, n_w);
    double total[2] = {0, 0}, *rep = poyi_cpu_column(step, 0, 0);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < n_c; c++) {
        range(step, c, 0, low, 0, total);
        range(step, c, low, n_w, n - n_w, total);
    }
    rep[arg->at] = total[0];
    rep[arg->at + 1] = total[1];
    return POY_OK;
}

poy_status POYI_ISA_NAME(prepare_score)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                        poy_step *step, size_t *work_bytes)
{
    (void)ctx, (void)be;
    return poyi_cpu_keep(run, spec->slot[2].cols, spec->slot[2].len, spec, work, step, work_bytes);
}

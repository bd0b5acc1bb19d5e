/* combine.c: the input of a stage, in the variants that programs use: number of terms, propagator, noise. */
#include <string.h>

#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/combine.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/combine.clh"
#endif

POYI_INLINE void combine(int m, int propagate, int noise, int lossless, POYI_PART)
{
    const poy_row_combine *arg = step->arg;
    const int64_t n = poyi_cpu_slot(step, 0)->len, n_w = poyi_cpu_slot(step, 1)->len;
    const int64_t columns = poyi_cpu_slot(step, 1)->cols, low = poyi_cpu_low_bins(arg->layout, n_w);
    const double scale = arg->scale;
    double *F = poyi_cpu_column(step, 0, column);
    const double *u = poyi_cpu_column(step, 1, column), *K = m ? poyi_cpu_column(step, 2, column) : NULL;
    const double *E = propagate ? poyi_cpu_column(step, 3, column + arg->position * columns) : NULL;
    const double *N = noise ? poyi_cpu_column(step, 4, column) : NULL;
    poy_terms terms = {{0}, {0}};

    for (int j = 0; j < m; j++) {
        terms.k[j] = arg->k[j] * columns * n_w;
        terms.a[j] = scalars[step->scalar + (uint32_t)j];
    }
    if (begin == 0) /* between the bins of the state */
        memset(F + 2 * low, 0, (size_t)(n - n_w) * 2 * sizeof *F);
    const int64_t middle = end < low ? end : begin < low ? low : begin;
    POYI_WIDTHS(k_combine, begin, middle, m, propagate, noise, lossless, terms, scale, 0, F, u, K, E, N);
    POYI_WIDTHS(k_combine, middle, end, m, propagate, noise, lossless, terms, scale, n - n_w, F, u, K, E, N);
}

/* A function for each variant: the flags are constants in it. */
#define VARIANT(m, propagate, noise, lossless)                                     \
    static void part_##m##propagate##noise##lossless(POYI_PART)                    \
    {                                                                              \
        combine(m, propagate, noise, lossless, step, scalars, column, begin, end); \
    }
#define TERMS(m) VARIANT(m, 0, 0, 0) VARIANT(m, 1, 0, 0) VARIANT(m, 0, 1, 0) VARIANT(m, 1, 1, 0) VARIANT(m, 1, 1, 1)
TERMS(0)
TERMS(1)
TERMS(2)
TERMS(3)
TERMS(4)
TERMS(5)
TERMS(6)
TERMS(7)

#define NAMES(m)                                                                  \
    {                                                                             \
        part_##m##000, part_##m##100, part_##m##010, part_##m##110, part_##m##111 \
    }
static poyi_cpu_part *const parts[POY_STAGES + 1][5] = {NAMES(0), NAMES(1), NAMES(2), NAMES(3),
                                                        NAMES(4), NAMES(5), NAMES(6), NAMES(7)};

poy_status POYI_ISA_NAME(prepare_combine)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                          poy_step *step, size_t *work_bytes)
{
    const poy_row_combine *arg = spec->arg;
    const int propagate = arg->position >= 0;
    const int variant = !arg->noise ? propagate : !propagate ? 2 : arg->lossless ? 4 : 3;

    (void)ctx, (void)be;
    return poyi_cpu_keep_part(parts[arg->m][variant], spec->slot[1].cols, spec->slot[1].len, spec, work, step,
                              work_bytes);
}

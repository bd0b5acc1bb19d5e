/* finish.c: the derivative of a stage, in the variants that programs use: prefactor, propagator, loss, absorber. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/finish.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/finish.clh"
#endif

POYI_INLINE void finish(int complex_g, int propagate, int lossless, int absorb, POYI_PART)
{
    const poy_row_finish *arg = step->arg;
    const int64_t n = poyi_cpu_slot(step, 1)->len, n_w = poyi_cpu_slot(step, 0)->len;
    const int64_t columns = poyi_cpu_slot(step, 1)->cols, low = poyi_cpu_low_bins(arg->layout, n_w);
    double *k = poyi_cpu_column(step, 0, column + arg->stage * columns);
    const double *P = poyi_cpu_column(step, 1, column), *G = poyi_cpu_column(step, 2, column);
    const double *E = propagate ? poyi_cpu_column(step, 3, column + arg->position * columns) : NULL;
    const double *B = absorb ? poyi_cpu_column(step, 4, column) : NULL,
                 *M = absorb ? poyi_cpu_column(step, 5, 0) : NULL;

    (void)scalars;
    const int64_t middle = end < low ? end : begin < low ? low : begin;
    POYI_WIDTHS(k_finish, begin, middle, complex_g, propagate, lossless, absorb, 0, k, P, G, E, B, M);
    POYI_WIDTHS(k_finish, middle, end, complex_g, propagate, lossless, absorb, n - n_w, k, P, G, E, B, M);
}

/* A function for each variant: the flags are constants in it. */
#define VARIANT(complex_g, propagate, lossless, absorb)                                    \
    static void part_##complex_g##propagate##lossless##absorb(POYI_PART)                   \
    {                                                                                      \
        finish(complex_g, propagate, lossless, absorb, step, scalars, column, begin, end); \
    }
#define PROPAGATORS(complex_g, absorb) \
    VARIANT(complex_g, 0, 0, absorb) VARIANT(complex_g, 1, 0, absorb) VARIANT(complex_g, 1, 1, absorb)
PROPAGATORS(0, 0)
PROPAGATORS(0, 1)
PROPAGATORS(1, 0)
PROPAGATORS(1, 1)

#define NAMES(complex_g, absorb)                                                                 \
    {                                                                                            \
        part_##complex_g##00##absorb, part_##complex_g##10##absorb, part_##complex_g##11##absorb \
    }
static poyi_cpu_part *const parts[2][2][3] = {{NAMES(0, 0), NAMES(0, 1)}, {NAMES(1, 0), NAMES(1, 1)}};

poy_status POYI_ISA_NAME(prepare_finish)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    const poy_row_finish *arg = spec->arg;
    const int variant = arg->position < 0 ? 0 : arg->lossless ? 2 : 1;

    (void)ctx, (void)be;
    return poyi_cpu_keep_part(parts[arg->complex_g != 0][arg->absorb != 0][variant], spec->slot[1].cols,
                              spec->slot[0].len, spec, work, step, work_bytes);
}

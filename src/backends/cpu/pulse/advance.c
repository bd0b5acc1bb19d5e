/* advance.c: the move of the anchor, with and without the recycled derivative and the noise. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/advance.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/advance.clh"
#endif

POYI_INLINE void advance(int recycle, int noise, int lossless, POYI_PART)
{
    const int64_t columns = poyi_cpu_slot(step, 0)->cols;
    double *u = poyi_cpu_column(step, 0, column), *k1 = NULL, *N = NULL;
    const double *un = poyi_cpu_column(step, 2, column), *k7 = NULL, *E = NULL;

    (void)scalars;
    if (recycle) {
        k1 = poyi_cpu_column(step, 1, column);
        k7 = poyi_cpu_column(step, 1, column + (POY_STAGES - 1) * columns);
    }
    if (noise)
        N = poyi_cpu_column(step, 4, column);
    if (recycle || noise) /* the last block of E */
        E = poyi_cpu_column(step, 3, column + poyi_cpu_slot(step, 3)->cols - columns);
    POYI_WIDTHS(k_advance, begin, end, recycle, noise, lossless, u, k1, k7, un, E, N);
}

/* A function for each variant: the flags are constants in it. */
#define VARIANT(recycle, noise, lossless)                                     \
    static void part_##recycle##noise##lossless(POYI_PART)                    \
    {                                                                         \
        advance(recycle, noise, lossless, step, scalars, column, begin, end); \
    }
VARIANT(0, 0, 0)
VARIANT(0, 1, 0)
VARIANT(0, 1, 1)
VARIANT(1, 0, 0)
VARIANT(1, 1, 0)
VARIANT(1, 1, 1)

static poyi_cpu_part *const parts[2][3] = {{part_000, part_010, part_011}, {part_100, part_110, part_111}};

poy_status POYI_ISA_NAME(prepare_advance)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                          poy_step *step, size_t *work_bytes)
{
    const poy_row_advance *arg = spec->arg;
    const int recycle = spec->slot[1].cols > 0, variant = !arg->noise ? 0 : arg->lossless ? 2 : 1;

    (void)ctx, (void)be;
    return poyi_cpu_keep_part(parts[recycle][variant], spec->slot[0].cols, spec->slot[0].len, spec, work, step,
                              work_bytes);
}

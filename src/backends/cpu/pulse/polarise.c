/* polarise.c: the response of a gas, in the variants that programs use: family, delayed part, window, folding. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/polarise.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/polarise.clh"
#endif

/* family: 0 real, 1 analytic, 2 and 3 harmonic without and with folding. */
POYI_INLINE void polarise(int family, int delayed, int window, POYI_PART)
{
    const double kerr = scalars[step->scalar], raman = scalars[step->scalar + 1];
    double *Y = poyi_cpu_column(step, 0, column);
    const double *X = poyi_cpu_column(step, 1, column);
    const double *Q = delayed ? poyi_cpu_column(step, 2, column) : NULL;
    const double *W = window ? poyi_cpu_column(step, 3, 0) : NULL;
    const double *C = family > 1 ? poyi_cpu_column(step, 4, 0) : NULL;

    if (family == 0)
        k_polarise_real(begin, end, delayed, window, kerr, raman, Y, X, Q, W);
    else if (family == 1)
        k_polarise_analytic(begin, end, delayed, window, kerr, raman, Y, X, Q, W);
    else
        POYI_WIDTHS(k_harmonic, begin, end, delayed, window, family > 2, kerr, raman, Y, X, Q, W, C);
}

/* A function for each variant: the flags are constants in it. */
#define VARIANT(family, delayed, window)                                      \
    static void part_##family##delayed##window(POYI_PART)                     \
    {                                                                         \
        polarise(family, delayed, window, step, scalars, column, begin, end); \
    }
#define FAMILY(family) VARIANT(family, 0, 0) VARIANT(family, 0, 1) VARIANT(family, 1, 0) VARIANT(family, 1, 1)
FAMILY(0)
FAMILY(1)
FAMILY(2)
FAMILY(3)

#define NAMES(family)                            \
    {                                            \
        {part_##family##00, part_##family##01},  \
        {                                        \
            part_##family##10, part_##family##11 \
        }                                        \
    }
static poyi_cpu_part *const parts[4][2][2] = {NAMES(0), NAMES(1), NAMES(2), NAMES(3)};

poy_status POYI_ISA_NAME(prepare_polarise)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                           poy_step *step, size_t *work_bytes)
{
    const poy_row_polarise *arg = spec->arg;
    const int family = arg->family == POY_RESPONSE_REAL       ? 0
                       : arg->family == POY_RESPONSE_ANALYTIC ? 1
                                                              : 2 + !!arg->fold;

    (void)ctx, (void)be;
    return poyi_cpu_keep_part(parts[family][arg->raman != 0][arg->window != 0], spec->slot[0].cols, spec->slot[0].len,
                              spec, work, step, work_bytes);
}

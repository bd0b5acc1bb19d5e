/* polarise.c: the response of a gas, in the variants that programs use: family, delayed part, window, folding. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/polarise.clh"
#include "kernels/pulse/polarise_pair.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/polarise.clh"
#include "kernels/pulse/polarise_pair.clh"
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

/* ---- two components ---- */

/* kind: 0 real, 1 analytic, 2 envelope, 3 and 4 harmonic without and with folding. Column: a point. */
POYI_INLINE void polarise_pair(int kind, int delayed, int window, POYI_PART)
{
    const int64_t points = poyi_cpu_slot(step, 0)->cols / 2;
    const double kerr = scalars[step->scalar] / (kind == 1 || kind == 2 ? 3 : 1), raman = scalars[step->scalar + 1];
    double *Yx = poyi_cpu_column(step, 0, column), *Yy = poyi_cpu_column(step, 0, points + column);
    const double *Xx = poyi_cpu_column(step, 1, column), *Xy = poyi_cpu_column(step, 1, points + column);
    const double *Qa = delayed ? poyi_cpu_column(step, 2, column) : NULL;
    const double *Qb = delayed > 1 ? poyi_cpu_column(step, 2, points + column) : NULL;
    const double *Qc = delayed > 1 ? poyi_cpu_column(step, 2, 2 * points + column) : NULL;
    const double *W = window ? poyi_cpu_column(step, 3, 0) : NULL, *C = kind > 2 ? poyi_cpu_column(step, 4, 0) : NULL;
    if (kind == 0)
        k_pair_real(begin, end, delayed, window, kerr, raman, Yx, Yy, Xx, Xy, Qa, Qb, Qc, W);
    else
        POYI_WIDTHS(k_pair, begin, end, delayed, window, kind > 2, kind > 3, kind == 1, kerr, raman, Yx, Yy, Xx, Xy, Qa,
                    Qb, Qc, W, C);
}

#define PAIR(kind, delayed, window)                                              \
    static void pair_##kind##delayed##window(POYI_PART)                          \
    {                                                                            \
        polarise_pair(kind, delayed, window, step, scalars, column, begin, end); \
    }
#define PAIRS(kind) \
    PAIR(kind, 0, 0) PAIR(kind, 0, 1) PAIR(kind, 1, 0) PAIR(kind, 1, 1) PAIR(kind, 2, 0) PAIR(kind, 2, 1)
PAIRS(0)
PAIRS(1)
PAIRS(2)
PAIRS(3)
PAIRS(4)

#define PAIR_NAMES(kind)                                                        \
    {                                                                           \
        {pair_##kind##00, pair_##kind##01}, {pair_##kind##10, pair_##kind##11}, \
        {                                                                       \
            pair_##kind##20, pair_##kind##21                                    \
        }                                                                       \
    }
static poyi_cpu_part *const pairs[5][3][2] = {PAIR_NAMES(0), PAIR_NAMES(1), PAIR_NAMES(2), PAIR_NAMES(3),
                                              PAIR_NAMES(4)};

static poyi_cpu_part *pair_of(const poy_row_polarise *arg)
{
    const int kind = arg->family == POY_RESPONSE_REAL       ? 0
                     : arg->family == POY_RESPONSE_ANALYTIC ? 1
                     : arg->family == POY_RESPONSE_ENVELOPE ? 2
                                                            : 3 + !!arg->fold;
    return pairs[kind][arg->tensor ? 2 : !!arg->raman][arg->window != 0];
}

poy_status POYI_ISA_NAME(prepare_polarise)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                           poy_step *step, size_t *work_bytes)
{
    const poy_row_polarise *arg = spec->arg;
    const int family = arg->family == POY_RESPONSE_REAL       ? 0
                       : arg->family == POY_RESPONSE_ANALYTIC ? 1
                                                              : 2 + !!arg->fold;

    (void)ctx, (void)be;
    poyi_cpu_part *part = arg->pol > 1 ? pair_of(arg) : parts[family][arg->raman != 0][arg->window != 0];
    return poyi_cpu_keep_part(part, spec->slot[0].cols / arg->pol, spec->slot[0].len, spec, work, step, work_bytes);
}

/* propagators.c: exponentials of the linear operator, strip by strip through buffers of the first cache, with SLEEF's
 * vector sine, cosine and exponential. */
#include "backends/cpu/cpu_vector.h"
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/propagators.clh"

enum { STRIP = 256 };

typedef struct strip {
    double growth[STRIP], phase[STRIP], sine[STRIP];
} strip;

/* exp(factor sum w_t Phi_t) of a strip: modulus to growth, cosine to phase. */
POYI_INLINE void exponentials(int64_t n, int n_term, int lossless, double factor, const double *w, int64_t stride,
                              const double *Phi, strip *s)
{
    k_exponent(0, n, n_term, lossless, factor, w, stride, Phi, s->growth, s->phase);
    vector_sincos((size_t)n, s->phase, s->sine, s->phase);
    if (!lossless)
        vector_map(vector_exp, (size_t)n, s->growth, s->growth);
}

POYI_INLINE void propagators(int powers, int lossless, POYI_PART)
{
    const poy_row_propagators *arg = step->arg;
    const double *w = scalars + step->scalar;
    const int64_t stride = poyi_cpu_slot(step, 1)->len * (poyi_cpu_slot(step, 1)->cols / arg->n_term);
    const double *Phi = poyi_cpu_column(step, 1, column);
    double *E = poyi_cpu_column(step, 0, column);
    strip s;

    for (int64_t from = begin; from < end; from += STRIP) {
        const int64_t n = end - from < STRIP ? end - from : STRIP;
        if (powers) {
            double *to[POY_POSITIONS];
            for (int p = 0; p < POY_POSITIONS; p++)
                to[p] = E + 2 * (p * stride + from);
            exponentials(n, 1, lossless, 0.1, w + 4, 0, Phi + 2 * from, &s);
            k_powers(0, n, lossless, s.growth, s.phase, s.sine, to[0], to[1], to[2], to[4]);
            exponentials(n, 1, lossless, 1.0, w + 3, 0, Phi + 2 * from, &s);
            k_polar(0, n, lossless, s.growth, s.phase, s.sine, to[3]);
            continue;
        }
        for (int p = 0; p < arg->positions; p++) {
            exponentials(n, arg->n_term, lossless, 1.0, w + (ptrdiff_t)p * arg->n_term, stride, Phi + 2 * from, &s);
            k_polar(0, n, lossless, s.growth, s.phase, s.sine, E + 2 * (p * stride + from));
        }
    }
}

/* A function for each variant: the flags are constants in it. */
#define VARIANT(powers, lossless)                                         \
    static void part_##powers##lossless(POYI_PART)                        \
    {                                                                     \
        propagators(powers, lossless, step, scalars, column, begin, end); \
    }
VARIANT(0, 0)
VARIANT(0, 1)
VARIANT(1, 0)
VARIANT(1, 1)

static poyi_cpu_part *const parts[2][2] = {{part_00, part_01}, {part_10, part_11}};

poy_status POYI_ISA_NAME(prepare_propagators)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                              poy_step *step, size_t *work_bytes)
{
    const poy_row_propagators *arg = spec->arg;

    (void)ctx, (void)be;
    return poyi_cpu_keep_part(parts[arg->powers != 0][arg->lossless != 0], spec->slot[0].cols / arg->positions,
                              spec->slot[0].len, spec, work, step, work_bytes);
}

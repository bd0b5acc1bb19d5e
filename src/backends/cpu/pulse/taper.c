/* taper.c: A = exp(s r) A in place: gains by a vector exponential, strip by strip. */
#include "backends/cpu/cpu_vector.h"
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/taper.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/taper.clh"
#endif

enum { STRIP = 256 };

POYI_INLINE void taper(int plain, POYI_PART)
{
    const double s = scalars[step->scalar], *r = poyi_cpu_column(step, 1, 0);
    double *A = poyi_cpu_column(step, 0, column), gain[STRIP];

    for (int64_t from = begin; from < end; from += STRIP) {
        const int64_t n = end - from < STRIP ? end - from : STRIP;
        for (int64_t i = 0; i < n; i++)
            gain[i] = s * r[from + i];
        vector_map(vector_exp, (size_t)n, gain, gain);
        if (plain)
            k_taper_real(0, n, from, A, gain);
        else
            POYI_WIDTHS(k_taper, 0, n, from, A, gain);
    }
}

static void part(POYI_PART)
{
    taper(0, step, scalars, column, begin, end);
}

static void part_real(POYI_PART)
{
    taper(1, step, scalars, column, begin, end);
}

poy_status POYI_ISA_NAME(prepare_taper)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                        poy_step *step, size_t *work_bytes)
{
    (void)ctx, (void)be;
    return poyi_cpu_keep_part(spec->slot[0].dtype == POY_F64 ? part_real : part, spec->slot[0].cols, spec->slot[0].len,
                              spec, work, step, work_bytes);
}

/* response.c: the response of an envelope, with and without the delayed part and the window. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/response.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/response.clh"
#endif

POYI_INLINE void response(int delayed, int window, POYI_PART)
{
    const double kerr = scalars[step->scalar], raman = scalars[step->scalar + 1];
    double *A = poyi_cpu_column(step, 0, column);
    const double *Q = delayed ? poyi_cpu_column(step, 1, column) : NULL;
    const double *W = window ? poyi_cpu_column(step, 2, 0) : NULL;
    POYI_WIDTHS(k_response, begin, end, delayed, window, kerr, raman, A, Q, W);
}

/* A function for each variant: the flags are constants in it. */
#define VARIANT(delayed, window)                                      \
    static void part_##delayed##window(POYI_PART)                     \
    {                                                                 \
        response(delayed, window, step, scalars, column, begin, end); \
    }
VARIANT(0, 0)
VARIANT(0, 1)
VARIANT(1, 0)
VARIANT(1, 1)

static poyi_cpu_part *const parts[2][2] = {{part_00, part_01}, {part_10, part_11}};

poy_status POYI_ISA_NAME(prepare_response)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                           poy_step *step, size_t *work_bytes)
{
    const poy_row_response *arg = spec->arg;

    (void)ctx, (void)be;
    return poyi_cpu_keep_part(parts[arg->raman != 0][arg->window != 0], spec->slot[0].cols, spec->slot[0].len, spec,
                              work, step, work_bytes);
}

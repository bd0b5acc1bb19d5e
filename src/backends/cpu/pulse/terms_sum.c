/* terms_sum.c: Y = sum over t of s_t X_t. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/terms_sum.clh"

static void part(POYI_PART)
{
    const poy_slot *y = poyi_cpu_slot(step, 0);
    const int64_t parts = y->dtype == POY_C128 ? 2 : 1; /* numbers of an element */
    const int n_term = (int)(poyi_cpu_slot(step, 1)->cols / y->cols);
    k_terms_sum(parts * begin, parts * end, n_term, scalars + step->scalar, parts * y->cols * y->len,
                poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column));
}

poy_status POYI_ISA_NAME(prepare_terms_sum)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                            poy_step *step, size_t *work_bytes)
{
    (void)ctx, (void)be;
    return poyi_cpu_keep_part(part, spec->slot[0].cols, spec->slot[0].len, spec, work, step, work_bytes);
}

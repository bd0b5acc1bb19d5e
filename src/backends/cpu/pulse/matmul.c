/* matmul.c: columns of Y as sums of columns of X with the weights of a matrix. One of both is a few modes, the other some
 * tens of points, for which libraries move more than they multiply (products.h). Blocks of samples are fixed, so that the
 * number of threads changes no bit. Complex columns are real ones of twice the length. */
#include "backends/cpu/pulse/part.h"
#include "backends/cpu/pulse/products.h"

enum { SHARE = 2048 };

/* Samples begin .. end - 1 of all columns. */
static void share(const poy_step *step, int64_t n, int64_t begin, int64_t end)
{
    const poy_row_matmul *arg = step->arg;
    const int64_t rows = poyi_cpu_slot(step, 0)->cols, terms = poyi_cpu_slot(step, 1)->cols,
                  length = poyi_cpu_slot(step, 2)->len;
    const double *X = poyi_cpu_always(step, 1, 0), *M = poyi_cpu_always(step, 2, 0);
    double *Y = poyi_cpu_always(step, 0, 0);
    const weights w = {M, arg->transposed ? 1 : length, arg->transposed ? length : 1};
    products(rows, terms, arg->accumulate, w, (apart){n, n}, X, Y, begin, end);
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poyi_cpu_plan *plan = step->plan;
    const int64_t n = plan->length, shares = (n + SHARE - 1) / SHARE;
    const int threads = shares > 1 ? poyi_cpu_threads(ctx, plan->columns * n) : 1;

    (void)be, (void)scalars;
    if (threads == 1) {
        share(step, n, 0, n);
        return POY_OK;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < shares; i++)
        share(step, n, i * SHARE, least_of((i + 1) * SHARE, n));
    return POY_OK;
}

poy_status POYI_ISA_NAME(prepare_matmul)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    const poy_slot *to = &spec->slot[0], *from = &spec->slot[1];
    const int64_t n = to->len * (to->dtype == POY_C128 ? 2 : 1);

    (void)ctx, (void)be;
    return poyi_cpu_keep(run, from->cols > to->cols ? from->cols : to->cols, n, spec, work, step, work_bytes);
}

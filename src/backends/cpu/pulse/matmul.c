/* matmul.c: columns of Y as sums of columns of X with the weights of a matrix, by OpenBLAS on one thread: threads share
 * fixed blocks of samples, so that their number changes no bit. Complex columns are real ones of twice the length. */
#include <cblas.h>
#include <limits.h>

#include "backends/cpu/pulse/part.h"

enum { BLOCK = 2048 }; /* samples: some tens of columns then fit the second cache */

static void block(const poy_step *step, int64_t n, int64_t i)
{
    const poy_row_matmul *arg = step->arg;
    const int64_t begin = i * BLOCK, width = n - begin < BLOCK ? n - begin : BLOCK;
    const int rows = (int)poyi_cpu_slot(step, 0)->cols, terms = (int)poyi_cpu_slot(step, 1)->cols;
    cblas_dgemm(CblasRowMajor, arg->transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, rows, (int)width, terms, 1.0,
                poyi_cpu_column(step, 2, 0), (int)poyi_cpu_slot(step, 2)->len, poyi_cpu_column(step, 1, 0) + begin,
                (int)n, arg->accumulate ? 1.0 : 0.0, poyi_cpu_column(step, 0, 0) + begin, (int)n);
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poyi_cpu_plan *plan = step->plan;
    const int64_t blocks = (plan->length + BLOCK - 1) / BLOCK;
    const int threads = blocks > 1 ? poyi_cpu_threads(ctx, plan->columns * plan->length) : 1;

    (void)be, (void)scalars;
    if (threads == 1) {
        for (int64_t i = 0; i < blocks; i++)
            block(step, plan->length, i);
        return POY_OK;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < blocks; i++)
        block(step, plan->length, i);
    return POY_OK;
}

poy_status poyi_cpu_prepare_matmul(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                   size_t *work_bytes)
{
    const poy_slot *to = &spec->slot[0], *from = &spec->slot[1];
    const int64_t n = to->len * (to->dtype == POY_C128 ? 2 : 1),
                  columns = from->cols > to->cols ? from->cols : to->cols;

    (void)ctx, (void)be;
    if (n > INT_MAX || columns > INT_MAX || spec->slot[2].len > INT_MAX)
        return POY_OK; /* no variant: more than BLAS can count */
    step->run = run;
    *work_bytes = sizeof(poyi_cpu_plan);
    if (work.mem) {
        poyi_cpu_plan *plan = (poyi_cpu_plan *)(void *)((unsigned char *)work.mem + work.offset);
        *plan = (poyi_cpu_plan){NULL, columns, n, *spec};
        step->plan = plan;
    }
    return POY_OK;
}

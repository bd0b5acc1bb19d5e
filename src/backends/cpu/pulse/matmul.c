/* matmul.c: columns of Y as sums of columns of X with the weights of a matrix. One of both is a few modes, the other some
 * tens of points, for which libraries move more than they multiply: four columns of Y are made at a time in registers, from
 * terms whose samples stay in the first cache. Blocks of samples and of terms are fixed, so that the number of threads
 * changes no bit. Complex columns are real ones of twice the length. */
#include "backends/cpu/pulse/four.h"
#include "backends/cpu/pulse/part.h"

enum { SHARE = 2048, BLOCK = 512, TERMS = 8, ROWS = 4, WIDE = 8 };

typedef struct eight {
    four low, high;
} eight;

FOUR_INLINE void eight_load(const double *x, eight *out)
{
    four_load(x, &out->low);
    four_load(x + 4, &out->high);
}
FOUR_INLINE void eight_store(const eight *y, double *out)
{
    four_store(&y->low, out);
    four_store(&y->high, out + 4);
}
FOUR_INLINE void eight_add(eight *y, double weight, const eight *x)
{
    y->low += weight * x->low;
    y->high += weight * x->high;
}

/* Weight of term j in row i: at[i along + j across]. Columns of X and Y are n samples apart. */
typedef struct weights {
    const double *at;
    int64_t along, across;
} weights;

/* begin .. end - 1, a multiple of WIDE, of `rows` columns of Y, at most ROWS; add: to what is there. */
FOUR_INLINE void wide_rows(int rows, int64_t terms, int add, weights w, int64_t n, const double *X, double *Y,
                           int64_t begin, int64_t end)
{
    const double *w0 = w.at, *w1 = w0 + w.along, *w2 = w1 + w.along, *w3 = w2 + w.along;
    for (int64_t t = begin; t < end; t += WIDE) {
        eight x, y0 = {{0}, {0}}, y1 = y0, y2 = y0, y3 = y0;
        if (add)
            eight_load(Y + t, &y0);
        if (add && rows > 1)
            eight_load(Y + n + t, &y1);
        if (add && rows > 2)
            eight_load(Y + 2 * n + t, &y2);
        if (add && rows > 3)
            eight_load(Y + 3 * n + t, &y3);
        for (int64_t j = 0; j < terms; j++) {
            eight_load(X + j * n + t, &x);
            eight_add(&y0, w0[j * w.across], &x);
            if (rows > 1)
                eight_add(&y1, w1[j * w.across], &x);
            if (rows > 2)
                eight_add(&y2, w2[j * w.across], &x);
            if (rows > 3)
                eight_add(&y3, w3[j * w.across], &x);
        }
        eight_store(&y0, Y + t);
        if (rows > 1)
            eight_store(&y1, Y + n + t);
        if (rows > 2)
            eight_store(&y2, Y + 2 * n + t);
        if (rows > 3)
            eight_store(&y3, Y + 3 * n + t);
    }
}

static void some_rows(int64_t rows, int64_t terms, int add, weights w, int64_t n, const double *X, double *Y,
                      int64_t begin, int64_t end)
{
    const int64_t wide = begin + (end - begin) / WIDE * WIDE;
    if (rows == 4)
        wide_rows(4, terms, add, w, n, X, Y, begin, wide);
    else if (rows == 3)
        wide_rows(3, terms, add, w, n, X, Y, begin, wide);
    else if (rows == 2)
        wide_rows(2, terms, add, w, n, X, Y, begin, wide);
    else
        wide_rows(1, terms, add, w, n, X, Y, begin, wide);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t t = wide; t < end; t++) {
            double sum = add ? Y[i * n + t] : 0;
            for (int64_t j = 0; j < terms; j++)
                sum += w.at[i * w.along + j * w.across] * X[j * n + t];
            Y[i * n + t] = sum;
        }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Samples begin .. end - 1 of all columns. */
static void share(const poy_step *step, int64_t n, int64_t begin, int64_t end)
{
    const poy_row_matmul *arg = step->arg;
    const int64_t rows = poyi_cpu_slot(step, 0)->cols, terms = poyi_cpu_slot(step, 1)->cols,
                  length = poyi_cpu_slot(step, 2)->len;
    const double *X = poyi_cpu_always(step, 1, 0), *M = poyi_cpu_always(step, 2, 0);
    double *Y = poyi_cpu_always(step, 0, 0);
    weights w = {M, arg->transposed ? 1 : length, arg->transposed ? length : 1};
    for (int64_t from = begin; from < end; from += BLOCK)
        for (int64_t j = 0; j < terms; j += TERMS)
            for (int64_t i = 0; i < rows; i += ROWS) {
                w.at = M + i * w.along + j * w.across;
                some_rows(least(rows - i, ROWS), least(terms - j, TERMS), arg->accumulate || j > 0, w, n, X + j * n,
                          Y + i * n, from, least(from + BLOCK, end));
            }
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
        share(step, n, i * SHARE, least((i + 1) * SHARE, n));
    return POY_OK;
}

poy_status POYI_ISA_NAME(prepare_matmul)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    const poy_slot *to = &spec->slot[0], *from = &spec->slot[1];
    const int64_t n = to->len * (to->dtype == POY_C128 ? 2 : 1);

    (void)ctx, (void)be;
    step->run = run;
    *work_bytes = sizeof(poyi_cpu_plan);
    if (work.mem) {
        poyi_cpu_plan *plan = (poyi_cpu_plan *)(void *)((unsigned char *)work.mem + work.offset);
        *plan = (poyi_cpu_plan){NULL, from->cols > to->cols ? from->cols : to->cols, n, *spec};
        step->plan = plan;
    }
    return POY_OK;
}

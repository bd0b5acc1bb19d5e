/* cube.c: the cube of a sum of modes, projected on modes: each product of three is made once in registers for four columns
 * of P. Blocks of samples are fixed, so that the number of threads changes no bit. */
#include "backends/cpu/pulse/four.h"
#include "backends/cpu/pulse/part.h"

enum { SHARE = 2048, OUTS = 4, WIDE = 8 };

/* Columns n samples apart; K of products numbers a column. */
typedef struct cube {
    int64_t modes, n, products;
    double kerr;
    const double *A, *K;
    double *P;
} cube;

/* begin .. end - 1, a multiple of WIDE, of outs columns of P from column m on, at most OUTS. */
FOUR_INLINE void wide_columns(int outs, const cube *c, int64_t m, int64_t begin, int64_t end)
{
    const double *K = c->K + m * c->products;
    for (int64_t t = begin; t < end; t += WIDE) {
        const double *k = K;
        four low[OUTS] = {{0}}, high[OUTS] = {{0}};
        for (int64_t i = 0; i < c->modes; i++)
            for (int64_t j = i; j < c->modes; j++) {
                four x, y, pair_low, pair_high;
                four_load(c->A + i * c->n + t, &x);
                four_load(c->A + j * c->n + t, &y);
                pair_low = x * y;
                four_load(c->A + i * c->n + t + 4, &x);
                four_load(c->A + j * c->n + t + 4, &y);
                pair_high = x * y;
                for (int64_t l = j; l < c->modes; l++, k++) {
                    four_load(c->A + l * c->n + t, &x);
                    four_load(c->A + l * c->n + t + 4, &y);
                    x *= pair_low;
                    y *= pair_high;
                    for (int o = 0; o < outs; o++) {
                        low[o] += k[o * c->products] * x;
                        high[o] += k[o * c->products] * y;
                    }
                }
            }
        for (int o = 0; o < outs; o++) {
            low[o] *= c->kerr;
            high[o] *= c->kerr;
            four_store(&low[o], c->P + (m + o) * c->n + t);
            four_store(&high[o], c->P + (m + o) * c->n + t + 4);
        }
    }
}

static double sample(const cube *c, int64_t m, int64_t t)
{
    const double *k = c->K + m * c->products;
    double sum = 0;
    for (int64_t i = 0; i < c->modes; i++)
        for (int64_t j = i; j < c->modes; j++) {
            const double pair = c->A[i * c->n + t] * c->A[j * c->n + t];
            for (int64_t l = j; l < c->modes; l++)
                sum += *k++ * (pair * c->A[l * c->n + t]);
        }
    return c->kerr * sum;
}

/* Samples begin .. end - 1 of all columns. */
static void share(const poy_step *step, const double *scalars, int64_t begin, int64_t end)
{
    const int64_t outs = poyi_cpu_slot(step, 0)->cols, wide = begin + (end - begin) / WIDE * WIDE;
    const cube c = {poyi_cpu_slot(step, 1)->cols, poyi_cpu_slot(step, 0)->len, poyi_cpu_slot(step, 2)->len,
                    scalars[step->scalar],        poyi_cpu_always(step, 1, 0), poyi_cpu_always(step, 2, 0),
                    poyi_cpu_always(step, 0, 0)};
    int64_t m = 0;
    for (; m + 4 <= outs; m += 4)
        wide_columns(4, &c, m, begin, wide);
    if (outs - m == 3)
        wide_columns(3, &c, m, begin, wide);
    else if (outs - m == 2)
        wide_columns(2, &c, m, begin, wide);
    else if (outs - m == 1)
        wide_columns(1, &c, m, begin, wide);
    for (m = 0; m < outs; m++)
        for (int64_t t = wide; t < end; t++)
            c.P[m * c.n + t] = sample(&c, m, t);
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poyi_cpu_plan *plan = step->plan;
    const int64_t n = plan->length, shares = (n + SHARE - 1) / SHARE;
    const int threads = shares > 1 ? poyi_cpu_threads(ctx, plan->columns * n) : 1;

    (void)be;
    if (threads == 1) {
        share(step, scalars, 0, n);
        return POY_OK;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < shares; i++)
        share(step, scalars, i * SHARE, (i + 1) * SHARE < n ? (i + 1) * SHARE : n);
    return POY_OK;
}

poy_status POYI_ISA_NAME(prepare_cube)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                       poy_step *step, size_t *work_bytes)
{
    const int64_t products = spec->slot[2].len; /* as much work as so many columns */

    (void)ctx, (void)be;
    return poyi_cpu_keep(run, products, spec->slot[0].len, spec, work, step, work_bytes);
}

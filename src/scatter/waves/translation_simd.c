/* translation_simd.c: one row of a translation plan for several pairs of origins side by side; compiled per instruction
 * set. All lanes run through the same factors, so every load is contiguous and nothing is shuffled. */
#include "scatter/waves/simd.h"
#include "scatter/waves/translation.h"

#define W ((size_t)POYI_LANES)

/* sum += sum_i factor[i] table[place + 2 i]; re and im apart. */
static inline void gather(int count, const double *factor, const double *table, double *sum)
{
    double re[W] = {0.0}, im[W] = {0.0};
    for (int i = 0; i < count; i++, table += 2 * 2 * W) {
        const double f = factor[i];
#pragma omp simd
        for (size_t w = 0; w < W; w++) {
            re[w] += f * table[w];
            im[w] += f * table[W + w];
        }
    }
#pragma omp simd
    for (size_t w = 0; w < W; w++) {
        sum[w] = re[w];
        sum[W + w] = im[w];
    }
}

void POYI_ISA_NAME(plan_row)(const poyi_plan *plan, int row, const double *table, double *sums)
{
    const double *factor = plan->factor + plan->start[row];
    const poyi_plan_entry *e = plan->entry + (size_t)row * (size_t)plan->cols;
    for (int c = 0; c < plan->cols; c++, e++, sums += 4 * W) {
        gather(e->count_a, factor, table + 2 * W * (size_t)e->a, sums);
        factor += e->count_a;
        gather(e->count_b, factor, table + 2 * W * (size_t)e->b, sums + 2 * W);
        factor += e->count_b;
    }
}

static inline void spread(int count, const double *factor, const double *sum, double *table)
{
    for (int i = 0; i < count; i++, table += 2 * 2 * W) {
        const double f = factor[i];
#pragma omp simd
        for (size_t w = 0; w < 2 * W; w++)
            table[w] += f * sum[w];
    }
}

void POYI_ISA_NAME(plan_row_transposed)(const poyi_plan *plan, int row, const double *sums, double *table)
{
    const double *factor = plan->factor + plan->start[row];
    const poyi_plan_entry *e = plan->entry + (size_t)row * (size_t)plan->cols;
    for (int c = 0; c < plan->cols; c++, e++, sums += 4 * W) {
        spread(e->count_a, factor, sums, table + 2 * W * (size_t)e->a);
        factor += e->count_a;
        spread(e->count_b, factor, sums + 2 * W, table + 2 * W * (size_t)e->b);
        factor += e->count_b;
    }
}

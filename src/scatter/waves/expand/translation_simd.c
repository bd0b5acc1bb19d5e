/* translation_simd.c: one row of a translation plan for several pairs of origins side by side; compiled per instruction
 * set. All lanes run through the same factors, so every load is contiguous and nothing is shuffled. */
#include "scatter/waves/expand/translation.h"
#include "scatter/waves/simd.h"

#define W ((size_t)POYI_LANES)

/* As many lanes as a register has. Sums in arrays instead would live in memory, since compilers do not keep those in
 * registers over the short inner loop: measured four times as long. Loads and stores may be unaligned. */
#if defined(__AVX2__)
#define WIDTH 4
#else
#define WIDTH 2
#endif
enum { PARTS = POYI_LANES / WIDTH };
typedef double part __attribute__((vector_size(WIDTH * sizeof(double)), aligned(sizeof(double)), may_alias));

/* sum[re, im] = sum_i factor[i] table[place + 2 i] */
static inline void gather(size_t count, const double *factor, const double *table, double *sum)
{
    part s[2 * PARTS];
    for (int j = 0; j < 2 * PARTS; j++)
        s[j] = (part){0.0};
    for (size_t i = 0; i < count; i++, table += 4 * W) {
        const part *t = (const part *)table;
        for (int j = 0; j < 2 * PARTS; j++)
            s[j] += factor[i] * t[j];
    }
    part *out = (part *)sum;
    for (int j = 0; j < 2 * PARTS; j++)
        out[j] = s[j];
}

void POYI_ISA_NAME(plan_row)(const poyi_plan *plan, int row, const double *table, double *sums)
{
    const double *factor = plan->factor + plan->start[row];
    const poyi_plan_entry *e = plan->entry + (size_t)row * (size_t)plan->cols;
    for (int c = 0; c < plan->cols; c++, e++, sums += 4 * W) {
        const size_t a = (size_t)e->count_a, b = (size_t)e->count_b;
        gather(a, factor, table + 2 * W * (size_t)e->a, sums);
        factor += a;
        gather(b, factor, table + 2 * W * (size_t)e->b, sums + 2 * W);
        factor += b;
    }
}

static inline void spread(size_t count, const double *factor, const double *sum, double *table)
{
    const part *from = (const part *)sum;
    part s[2 * PARTS];
    for (int j = 0; j < 2 * PARTS; j++)
        s[j] = from[j];
    for (size_t i = 0; i < count; i++, table += 4 * W) {
        part *t = (part *)table;
        for (int j = 0; j < 2 * PARTS; j++)
            t[j] += factor[i] * s[j];
    }
}

void POYI_ISA_NAME(plan_row_transposed)(const poyi_plan *plan, int row, const double *sums, double *table)
{
    const double *factor = plan->factor + plan->start[row];
    const poyi_plan_entry *e = plan->entry + (size_t)row * (size_t)plan->cols;
    for (int c = 0; c < plan->cols; c++, e++, sums += 4 * W) {
        const size_t a = (size_t)e->count_a, b = (size_t)e->count_b;
        spread(a, factor, sums, table + 2 * W * (size_t)e->a);
        factor += a;
        spread(b, factor, sums + 2 * W, table + 2 * W * (size_t)e->b);
        factor += b;
    }
}

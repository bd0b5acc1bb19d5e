/* translation_plan.c: the factors of translation coefficients for whole blocks; one plan serves every pair of origins and
 * every wavenumber, since only the table D depends on them. */
#include <stdlib.h>

#include "scatter/waves/translation.h"

enum { PANEL_FACTORS = 1 << 22 };

static int least_degree(int lambda, int mu, int l, int m)
{
    return abs(l - lambda) > abs(m - mu) ? abs(l - lambda) : abs(m - mu);
}

/* Terms of A and B together: p from the least degree (for B at least |l - lambda| + 1) to l + lambda. */
static size_t row_bound(const poyi_mode_set *source, int lambda, int mu)
{
    size_t n = 0;
    for (int c = 0; c < source->count; c++)
        n += (size_t)(source->l[c] + lambda - least_degree(lambda, mu, source->l[c], source->m[c]) + 1);
    return n;
}

int poyi_plan_rows(const poyi_mode_set *destination, const poyi_mode_set *source, int first_row)
{
    size_t factors = 0;
    int rows = 0;
    while (first_row + rows < destination->count) {
        factors += row_bound(source, destination->l[first_row + rows], destination->m[first_row + rows]);
        if (rows > 0 && factors > PANEL_FACTORS)
            break;
        rows++;
    }
    return rows;
}

static void fill_row(poyi_plan *plan, const poyi_mode_set *source, int row, int lambda, int mu)
{
    double *factor = plan->factor + plan->start[row];
    poyi_translation_terms t;
    for (int c = 0; c < plan->cols; c++) {
        poyi_plan_entry *e = plan->entry + (size_t)row * (size_t)plan->cols + (size_t)c;
        const int order = source->m[c] - mu;
        poyi_translation_terms_of(lambda, mu, source->l[c], source->m[c], &t);
        *e = (poyi_plan_entry){.a = poyi_table_place(plan->pmax, t.first_a, order),
                               .b = t.count_b > 0 ? poyi_table_place(plan->pmax, t.first_b, order) : 0,
                               .count_a = (int16_t)t.count_a,
                               .count_b = (int16_t)t.count_b};
        for (int i = 0; i < t.count_a; i++)
            *factor++ = t.a[i];
        for (int i = 0; i < t.count_b; i++)
            *factor++ = t.b[i];
    }
}

poy_status poyi_plan_create(poy_ctx *ctx, const poyi_mode_set *destination, const poyi_mode_set *source, int first_row,
                            int rows, poyi_plan **out)
{
    const size_t entries = (size_t)rows * (size_t)source->count;
    size_t factors = 0;
    void *memory = NULL;
    *out = NULL;
    for (int r = 0; r < rows; r++)
        factors += row_bound(source, destination->l[first_row + r], destination->m[first_row + r]);
    const size_t bytes = sizeof(poyi_plan) + ((size_t)rows + 1) * sizeof(size_t) + factors * sizeof(double) +
                         entries * sizeof(poyi_plan_entry);
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.plan", bytes, &memory));
    poyi_plan *plan = memory;
    *plan = (poyi_plan){.first_row = first_row,
                        .rows = rows,
                        .cols = source->count,
                        .pmax = destination->lmax + source->lmax,
                        .memory = memory};
    plan->start = (size_t *)(plan + 1);
    plan->factor = (double *)(plan->start + rows + 1);
    plan->entry = (poyi_plan_entry *)(plan->factor + factors);
    plan->start[0] = 0;
    for (int r = 0; r < rows; r++)
        plan->start[r + 1] =
            plan->start[r] + row_bound(source, destination->l[first_row + r], destination->m[first_row + r]);
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx))
    for (int r = 0; r < rows; r++)
        fill_row(plan, source, r, destination->l[first_row + r], destination->m[first_row + r]);
    *out = plan;
    return POY_OK;
}

void poyi_plan_destroy(poyi_plan **plan)
{
    void *memory = *plan ? (*plan)->memory : NULL;
    poyi_free(&memory);
    *plan = NULL;
}

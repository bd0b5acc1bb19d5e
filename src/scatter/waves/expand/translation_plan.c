/* translation_plan.c: the factors of translation coefficients for whole blocks; one plan serves every pair of origins and
 * every wavenumber, since only the table D depends on them. */
#include <stdlib.h>

#include "scatter/waves/expand/translation.h"

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

static int panel_rows(const poyi_mode_set *destination, const poyi_mode_set *source, int first_row)
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

static size_t bytes_of(const poyi_mode_set *destination, const poyi_mode_set *source, int first_row, int rows)
{
    size_t factors = 0;
    for (int r = 0; r < rows; r++)
        factors += row_bound(source, destination->l[first_row + r], destination->m[first_row + r]);
    return sizeof(poyi_plan) + ((size_t)rows + 1) * sizeof(size_t) + factors * sizeof(double) +
           (size_t)rows * (size_t)source->count * sizeof(poyi_plan_entry);
}

/* A plan in so many bytes of memory. */
static poyi_plan *build(poy_ctx *ctx, const poyi_mode_set *destination, const poyi_mode_set *source, int first_row,
                        int rows, void *memory)
{
    poyi_plan *plan = memory;
    *plan = (poyi_plan){
        .first_row = first_row, .rows = rows, .cols = source->count, .pmax = destination->lmax + source->lmax};
    plan->start = (size_t *)(plan + 1);
    plan->factor = (double *)(plan->start + rows + 1);
    plan->start[0] = 0;
    for (int r = 0; r < rows; r++)
        plan->start[r + 1] =
            plan->start[r] + row_bound(source, destination->l[first_row + r], destination->m[first_row + r]);
    plan->entry = (poyi_plan_entry *)(plan->factor + plan->start[rows]);
    (void)ctx; /* without OpenMP */
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) if (rows > 8)
    for (int r = 0; r < rows; r++)
        fill_row(plan, source, r, destination->l[first_row + r], destination->m[first_row + r]);
    return plan;
}

/* ---- plans that an engine keeps: those of all modes to a degree, as long as they are small ---- */

enum { KEPT_MAX = 64, KEPT_BYTES = 2 << 20 }; /* each; lmax 10 */

typedef struct kept_plans {
    int count;
    struct {
        int lmax[2];
        poyi_plan *plan;
    } kept[KEPT_MAX];
} kept_plans;

static const char kept_key[] = "waves.plans";

static poy_status create_kept(poy_ctx *ctx, void **out)
{
    *out = calloc(1, sizeof(kept_plans));
    return *out ? POY_OK : POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the plans of translations");
}

static void destroy_kept(void *state)
{
    kept_plans *k = state;
    for (int i = 0; i < k->count; i++)
        free(k->kept[i].plan);
    free(k);
}

static int is_complete(const poyi_mode_set *set)
{
    return set->count == set->lmax * (set->lmax + 2);
}

/* Under the engine's lock. NULL: not kept, and no room or memory to do so. */
static const poyi_plan *find_or_keep(poy_ctx *ctx, kept_plans *k, const poyi_mode_set *destination,
                                     const poyi_mode_set *source)
{
    for (int i = 0; i < k->count; i++)
        if (k->kept[i].lmax[0] == destination->lmax && k->kept[i].lmax[1] == source->lmax)
            return k->kept[i].plan;
    void *memory = k->count < KEPT_MAX ? malloc(bytes_of(destination, source, 0, destination->count)) : NULL;
    if (!memory)
        return NULL;
    k->kept[k->count].lmax[0] = destination->lmax;
    k->kept[k->count].lmax[1] = source->lmax;
    k->kept[k->count].plan = build(ctx, destination, source, 0, destination->count, memory);
    return k->kept[k->count++].plan;
}

poy_status poyi_plan_create(poy_ctx *ctx, const poyi_mode_set *destination, const poyi_mode_set *source, int first_row,
                            const poyi_plan **out)
{
    const int rows = panel_rows(destination, source, first_row);
    const size_t bytes = bytes_of(destination, source, first_row, rows);
    void *memory = NULL;
    *out = NULL;
    if (rows == destination->count && is_complete(destination) && is_complete(source) && bytes <= KEPT_BYTES) {
        POYI_TRY(ctx, poyi_engine_shared(ctx, kept_key, create_kept, destroy_kept, &memory));
        poyi_engine_lock(poyi_ctx_engine(ctx));
        *out = find_or_keep(ctx, memory, destination, source);
        poyi_engine_unlock(poyi_ctx_engine(ctx));
        if (*out)
            return POY_OK;
    }
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.plan", bytes, &memory));
    poyi_plan *plan = build(ctx, destination, source, first_row, rows, memory);
    plan->memory = memory;
    *out = plan;
    return POY_OK;
}

void poyi_plan_destroy(const poyi_plan **plan)
{
    void *memory = *plan ? (*plan)->memory : NULL;
    poyi_free(&memory);
    *plan = NULL;
}

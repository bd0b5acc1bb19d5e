/* admission.c: what a run will take of memory and disk, and whether it may: before any of it is taken. */
#include <string.h>

#include "pulse/march/march.h"
#include "run/budget.h"
#include "run/limits.h"
#include "run/session.h"

int poyi_session_carries_noise(const poy_recipe *r)
{
    return !strcmp(poyi_recipe_word(r, "physics.noise", "off"), "modified");
}

enum { LEDGER_MAX = 64 };

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* What the run takes for the statistics of the recipe; those that the session itself looks at take nothing. */
static poy_status statistics_bytes(poy_ctx *ctx, const poy_recipe *r, const poyi_settings *p, size_t *bytes)
{
    const char *names[POYI_STATS_MAX];
    const poyi_node *stats = poyi_recipe_at(r, "output.stats");
    int n = 0;
    for (const poyi_node *s = stats ? stats->first : NULL; s && n < POYI_STATS_MAX - 1; s = s->next)
        if (s->kind == POYI_STRING) /* a band's energy takes nothing */
            names[n++] = s->text;
    POYI_TRY(ctx, poyi_run_statistics_bytes(ctx, p->problem, names, n, bytes));
    return POY_OK;
}

/* What the session itself takes while the first plane is stored: rows of statistics; a density, a pulse, its transform (or two
 * responses and a transform), and input and output of the transform while it is planned. */
static poy_status own_bytes(poy_ctx *ctx, const poy_recipe *r, const poyi_settings *p, size_t *bytes)
{
    const poyi_node *stats = poyi_recipe_at(r, "output.stats");
    const size_t sample = sizeof(double) * (size_t)poy_grid_get(p->grid)->n_t;
    const size_t used = (poyi_session_may_fold(r, p->grid) ? 6 : 5) * sample, planning = 4 * sample;
    size_t row = 1, statistics = 0;
    for (const poyi_node *stat = stats ? stats->first : NULL; stat; stat = stat->next)
        row += stat->kind == POYI_STRING && !strcmp(stat->text, "energy_per_mode") ? (size_t)p->n_columns : 1;
    POYI_TRY(ctx, statistics_bytes(ctx, r, p, &statistics));
    *bytes = row * POYI_LIST_START * sizeof(double) + used + planning + statistics;
    return POY_OK;
}

poy_status poyi_session_estimate(poy_ctx *ctx, const poy_recipe *r, const poyi_settings *p, size_t *bytes)
{
    const size_t n_w = (size_t)poy_grid_get(p->grid)->n_w, columns = (size_t)p->n_columns;
    const size_t buffers = n_w * (columns * (poyi_session_carries_noise(r) ? 6 : 4) + 1) * sizeof(double);
    size_t n = 0;
    const char *backend = poyi_recipe_word(r, "run.backend", "auto");
    size_t own = 0;
    POYI_TRY(ctx, poy_run_estimate(ctx, p->problem, backend, 0, NULL, &n, bytes));
    POYI_TRY(ctx, own_bytes(ctx, r, p, &own));
    *bytes = larger(*bytes + poy_ctx_bytes(ctx) + buffers + own, p->bytes_peak);
    return POY_OK;
}

double poyi_session_file_bytes(const poy_recipe *r, const poyi_settings *p)
{
    const int fields = !strcmp(poyi_recipe_word(r, "output.fields", "spectrum"), "spectrum");
    const int single = !strcmp(poyi_recipe_word(r, "output.precision", "double"), "single");
    const poy_grid_info *g = poy_grid_get(p->grid);
    const double values = (double)g->n_w * p->n_columns;
    const double slots = 2 * 16 * values, axes = 8 * (double)(g->n_w + g->n_t);
    return (fields ? values * (single ? 8 : 16) * p->n_planes : 0) + slots + axes;
}

static poy_status check_disk(const poyi_session *s)
{
    if (poyi_recipe_bool(s->recipe, "output.compress", 0))
        return poyi_check_folder(s->ctx, s->path); /* nobody knows how small it gets */
    return poyi_check_disk(s->ctx, s->path, poyi_session_file_bytes(s->recipe, &s->settings),
                           "use fewer output.planes, or output.precision = \"single\"");
}

poy_status poyi_session_admit(poyi_session *s, size_t *bytes)
{
    poy_ledger_entry list[LEDGER_MAX];
    poyi_budget budget;
    char needs[32];
    size_t n = 0, own = 0;
    const double memory = poyi_recipe_quantity(s->ctx, s->recipe, "run.memory", POY_DIM_BYTES, 0);
    const double asked = memory > 0 ? memory : (double)poy_ctx_budget(s->ctx);
    POYI_TRY(s->ctx, poyi_budget_find(s->ctx, "", asked, memory > 0 ? "run.memory" : "the context", &budget));
    POYI_TRY(s->ctx, poy_run_estimate(s->ctx, s->settings.problem, s->backend, LEDGER_MAX, list, &n, bytes));
    POYI_TRY(s->ctx, own_bytes(s->ctx, s->recipe, &s->settings, &own));
    /* its buffers are in the ledger by now */
    *bytes = larger(*bytes + poy_ctx_bytes(s->ctx) + own, s->settings.bytes_peak);
    if (budget.declared && *bytes > budget.bytes)
        return poyi_budget_refuse(s->ctx, s->head.name, *bytes, "", &budget, n < LEDGER_MAX ? n : LEDGER_MAX, list,
                                  s->settings.n_columns > 1 ? "fewer samples or modes" : "fewer samples");
    POYI_TRY(s->ctx, check_disk(s));
    poy_quantity_format((double)*bytes, POY_DIM_BYTES, 3, sizeof needs, needs);
    if (*bytes > budget.bytes)
        poyi_session_warn(s, "needs %s, more than %s: it may be stopped for want of memory", needs, budget.source);
    if (budget.declared)
        poy_ctx_set_budget(s->ctx, budget.bytes);
    return POY_OK;
}

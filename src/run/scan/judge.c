/* judge.c: what [scan] collect asks for, held to what the files of the points will have, before the first of them runs: a name
 * that is wrong is no surprise at the end of a night. */
#include <math.h>
#include <string.h>

#include "run/scan/collect.h"
#include "run/scatter/scatter.h"
#include "run/session.h"
#include "run/store/internal.h"

enum { TRIES = 8 }; /* points that cannot be set up say nothing: they will fail by themselves */

/* What the file of a point will hold. */
typedef struct outlook {
    poyi_session pulse;
    poyi_scatter scatter;
    poyi_store_layout layout;
    poy_recipe *recipe;
    int is_pulse;
} outlook;

static void outlook_fini(outlook *o)
{
    if (o->is_pulse)
        poyi_session_fini(&o->pulse);
    else
        poyi_scatter_fini(&o->scatter);
    poy_recipe_destroy(&o->recipe);
}

static poy_status outlook_of(poy_ctx *ctx, poy_recipe_scan *s, int64_t i, outlook *o)
{
    *o = (outlook){.is_pulse = s->recipe->kind == POYI_KIND_PULSE};
    poy_status status = poy_recipe_scan_recipe(ctx, s, i, &o->recipe);
    if (status == POY_OK)
        status = poy_recipe_check(ctx, o->recipe);
    if (status == POY_OK && o->is_pulse)
        status = poyi_session_prepare(ctx, o->recipe, "judged.h5", &o->pulse);
    else if (status == POY_OK && (status = poyi_scatter_create(ctx, o->recipe, &o->scatter)) == POY_OK &&
             (status = poyi_scatter_layout(ctx, &o->scatter, &o->layout)) != POY_OK)
        poyi_scatter_fini(&o->scatter);
    if (status != POY_OK)
        poy_recipe_destroy(&o->recipe);
    return status;
}

/* The first point, from first on in steps of by, that can be set up. 0: none of those that were tried. */
static int find(poy_ctx *ctx, poy_recipe_scan *s, int64_t first, int64_t by, int64_t *at, outlook *o)
{
    for (int k = 0; k < TRIES && first >= 0 && first < s->n_points; k++, first += by) {
        *at = first;
        if (outlook_of(ctx, s, first, o) == POY_OK)
            return 1;
        poy_ctx_clear(ctx);
    }
    return 0;
}

static int pulse_has(const poyi_store_head *h, const char *path)
{
    static const char *const grid[] = {"grid/omega", "grid/t", "grid/z", "stats/z"};
    if (!strcmp(path, "field/spectrum"))
        return h->fields;
    for (size_t i = 0; i < sizeof grid / sizeof grid[0]; i++)
        if (!strcmp(path, grid[i]))
            return 1;
    for (int i = 0; i < h->n_stats; i++)
        if (!strncmp(path, "stats/", 6) && !strcmp(path + 6, h->stats[i].name))
            return 1;
    for (int i = 0; i < POYI_STEP_COLUMNS; i++)
        if (!strncmp(path, "steps/", 6) && !strcmp(path + 6, poyi_step_columns[i].name))
            return 1;
    return 0;
}

static int layout_has(const poyi_store_layout *l, const char *path)
{
    const char *slash = strrchr(path, '/');
    for (int i = 0; i < l->n_columns; i++)
        if (!strcmp(path, l->columns[i].path))
            return 1;
    for (int i = 0; i < l->n_lines; i++)
        if (!l->lines[i].texts && !strcmp(path, l->lines[i].path))
            return 1;
    for (int i = 0; i < l->n_series && slash && !strcmp(slash, "/k0"); i++)
        if (strlen(l->series[i].group) == (size_t)(slash - path) &&
            !strncmp(path, l->series[i].group, (size_t)(slash - path)))
            return 1;
    return 0;
}

static int has(const outlook *o, const char *path)
{
    static const char *const others[] = {"provenance/", "resume/"}; /* how a run went is known when it went */
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!strncmp(path, others[i], strlen(others[i])))
            return 1;
    return o->is_pulse ? pulse_has(&o->pulse.head, path) : layout_has(&o->layout, path);
}

/* "stats/energy, stats/fwhm_t": what there is of the group of a path, else of all. */
static void offer(const outlook *o, const char *path, poyi_text *out)
{
    const poyi_store_head *h = &o->pulse.head;
    const size_t group = strcspn(path, "/");
    if (o->is_pulse && !strncmp(path, "steps/", 6)) {
        for (int i = 0; i < POYI_STEP_COLUMNS; i++)
            poyi_text_add(out, "%ssteps.%s", i ? ", " : "", poyi_step_columns[i].name);
    } else if (o->is_pulse) {
        poyi_text_add(out, "%s", h->fields ? "final_spectrum" : "");
        for (int i = 0; i < h->n_stats; i++)
            poyi_text_add(out, "%sstats.%s", out->length ? ", " : "", h->stats[i].name);
    }
    for (int all = 0; !o->is_pulse && all < 2 && !out->length; all++)
        for (int i = 0; i < o->layout.n_columns; i++)
            if (all || !strncmp(path, o->layout.columns[i].path, group + 1))
                poyi_text_add(out, "%s%s", out->length ? ", " : "", o->layout.columns[i].path);
}

static void judge_name(poy_recipe_scan *s, const outlook *o, const poyi_node *name)
{
    char path[160];
    poyi_text there = {0};
    if (poyi_collect_is_ensemble(name->text)) {
        if (poyi_collect_seed_axis(s) < 0)
            poyi_fault(
                s->recipe, name, "scan.collect", "E_VALUE",
                "%s is taken over seeds, and seed is no axis of the scan\nwrite list.seed = { start = 1, stop = 20, "
                "num = 20 }",
                name->text);
        if (!has(o, "field/spectrum"))
            poyi_fault(s->recipe, name, "scan.collect", "E_VALUE",
                       "%s is made of spectra, and the points store none\nlet output.fields be \"spectrum\"",
                       name->text);
        return;
    }
    if (!strcmp(name->text, "stats") && o->is_pulse && o->pulse.head.n_stats)
        return;
    poyi_collect_path(name->text, sizeof path, path);
    if (has(o, path))
        return;
    offer(o, path, &there);
    poyi_fault(s->recipe, name, "scan.collect", "E_VALUE", "points will have no %s\nthey will have %s", path,
               there.length ? there.text : "neither spectra nor statistics: see output.fields, output.stats");
    poyi_text_fini(&there);
}

static int wants_spectra(const poyi_node *names)
{
    for (const poyi_node *name = names ? names->first : NULL; name; name = name->next)
        if (name->kind == POYI_STRING &&
            (!strcmp(name->text, "final_spectrum") || poyi_collect_is_ensemble(name->text)))
            return 1;
    return !names;
}

/* Spectra share an axis only where the grids of all points do; those of the ends of a scan tell, mostly. */
static void judge_grids(poy_recipe_scan *s, const poyi_node *names, const outlook *a, const outlook *b)
{
    const poyi_session *p = &a->pulse, *q = &b->pulse;
    int same = p->head.n_w == q->head.n_w;
    if (!p->head.fields || !q->head.fields)
        return;
    for (int64_t k = 0; k < p->head.n_w && same; k++)
        same = fabs(p->omega[k] - q->omega[k]) <= POYI_SAME_GRID * fabs(p->omega[k]);
    if (!same)
        poyi_fault(s->recipe, names, "scan.collect", "E_CONFLICT", "%s\n%s", POYI_GRIDS_DIFFER, POYI_GRIDS_HINT);
}

poy_status poy_recipe_scan_judge(poy_ctx *ctx, poy_recipe_scan *s)
{
    const poyi_node *names = poyi_node_find(s->recipe->root, "scan.collect");
    outlook first, last;
    int64_t at, end;
    if (!find(ctx, s, 0, 1, &at, &first))
        return POY_OK;
    for (const poyi_node *name = names ? names->first : NULL; name; name = name->next)
        if (name->kind == POYI_STRING)
            judge_name(s, &first, name);
    if (first.is_pulse && wants_spectra(names) && find(ctx, s, s->n_points - 1, -1, &end, &last)) {
        if (end > at)
            judge_grids(s, names, &first, &last);
        outlook_fini(&last);
    }
    outlook_fini(&first);
    POYI_TRY(ctx, poyi_recipe_faulty(ctx, s->recipe));
    return POY_OK;
}

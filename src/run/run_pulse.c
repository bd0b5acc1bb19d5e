/* run_pulse.c: a pulse recipe, computed: the run object between settings and store, plane by plane. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/remedy.h"
#include "core/warn.h"
#include "pulse/march/march.h"
#include "pulse/spectral.h"
#include "run/limits.h"
#include "run/session.h"

/* ---- warnings ---- */

/* Each text once. */
static void keep_warning(void *user, const char *text)
{
    poyi_session *s = user;
    for (int i = 0; i < s->warnings.n; i++)
        if (!strcmp(s->warnings.list[i], text))
            return;
    const char *kept = poyi_arena_copy(&s->arena, text, strlen(text));
    if (kept && s->warnings.n < POYI_WARNINGS_MAX)
        s->warnings.list[s->warnings.n++] = kept;
}

void poyi_session_warn(poyi_session *s, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    poyi_log(s->ctx, POY_LOG_WARNING, "%s: %s", s->head.name, text);
    keep_warning(s, text);
}

poyi_listener poyi_session_listen(poyi_session *s)
{
    return poyi_ctx_listen(s->ctx, (poyi_listener){keep_warning, s});
}

/* ---- what is stored ---- */

static void describe_stat(const char *name, poyi_store_stat *out)
{
    static const struct {
        const char *name, *unit, *text;
    } known[] = {
#define POY_STATISTIC(stat, unit, cost, text) {#stat, unit, text},
#include "poynting/statistics.def"
#undef POY_STATISTIC
    };
    snprintf(out->name, sizeof out->name, "%s", name);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(known[i].name, name)) {
            snprintf(out->unit, sizeof out->unit, "%s", known[i].unit);
            snprintf(out->text, sizeof out->text, "%s", known[i].text);
        }
}

/* "600 nm:700 nm" as "energy:6e-07:7e-07". */
static void describe_band(poyi_session *s, const poyi_node *entry, poyi_store_stat *stat)
{
    const poyi_node *name = poyi_node_child(entry, "name"), *band = poyi_node_child(entry, "band");
    const char *colon = strchr(band->text, ':');
    char from[64];
    poy_quantity a = {0}, b = {0};
    snprintf(from, sizeof from, "%.*s", (int)(colon - band->text), band->text);
    poy_quantity_parse_as(s->ctx, from, POY_DIM_SPECTRAL, &a);
    poy_quantity_parse_as(s->ctx, colon + 1, POY_DIM_SPECTRAL, &b);
    double low = fmin(a.value, b.value), high = fmax(a.value, b.value);
    if (s->n_selected < POYI_STATS_MAX)
        s->stats[s->n_selected] = poyi_arena_format(&s->arena, "energy:%.17g:%.17g", low, high);
    s->n_selected++;
    stat->columns = 1;
    snprintf(stat->name, sizeof stat->name, "%s", name->text);
    snprintf(stat->unit, sizeof stat->unit, "J");
    snprintf(stat->text, sizeof stat->text, "energy between %.9g and %.9g m", low, high);
}

/* energy_per_mode has a number for each column of the state. */
static void choose_columns(poyi_session *s, const char *name, poyi_store_stat *stat)
{
    const int columns = !strcmp(name, "energy_per_mode") ? s->settings.n_columns : 1;
    stat->columns = columns;
    for (int c = 0; c < columns; c++, s->n_selected++)
        if (s->n_selected < POYI_STATS_MAX)
            s->stats[s->n_selected] = columns == 1 ? name : poyi_arena_format(&s->arena, "%s@%d", name, c);
}

static void choose_stats(poyi_session *s)
{
    const poyi_node *list = poyi_recipe_at(s->recipe, "output.stats");
    int n = 0;
    for (const poyi_node *entry = list ? list->first : NULL; entry && n < POYI_STATS_MAX; entry = entry->next, n++) {
        if (entry->kind == POYI_TABLE) {
            describe_band(s, entry, &s->head.stats[n]);
            continue;
        }
        describe_stat(entry->text, &s->head.stats[n]);
        choose_columns(s, entry->text, &s->head.stats[n]);
    }
    s->head.n_stats = n;
}

static poy_status allocate(poyi_session *s, int64_t columns, int64_t n, int noise)
{
    const size_t bytes = (size_t)(columns * n) * 2 * sizeof(double);
    POYI_TRY(s->ctx, poyi_alloc_zero(s->ctx, "run.field", bytes, (void **)&s->field));
    POYI_TRY(s->ctx, poyi_alloc_zero(s->ctx, "run.spectrum", bytes, (void **)&s->spectrum));
    POYI_TRY(s->ctx, poyi_alloc_zero(s->ctx, "run.omega", (size_t)n * sizeof(double), (void **)&s->omega));
    if (noise)
        POYI_TRY(s->ctx, poyi_alloc_zero(s->ctx, "run.noise", bytes, (void **)&s->noise));
    return POY_OK;
}

static void fill_head(poyi_session *s)
{
    const poy_grid_info *g = poy_grid_get(s->settings.grid);
    poyi_store_head *h = &s->head;
    h->name = s->recipe->name;
    h->kind = "pulse";
    h->text = s->recipe->text;
    h->resolved = s->recipe->resolved_text;
    h->overrides = s->recipe->overrides;
    h->sources = s->recipe->sources;
    h->seed = (uint64_t)poyi_recipe_integer(s->recipe, "seed", 0);
    h->threads = poy_ctx_threads(s->ctx);
    h->n_w = g->n_w;
    h->n_t = g->n_t;
    h->t = poy_grid_time(s->settings.grid);
    poyi_field_omega(s->settings.grid, s->omega);
    h->omega = s->omega;
    h->modes = s->settings.mode_names;
    h->n_modes = s->settings.n_modes;
    h->polarisations = s->settings.polarisations;
    h->n_polarisations = s->settings.n_columns / s->settings.n_modes;
    h->n_state = s->settings.n_columns * g->n_w;
    h->fields = !strcmp(poyi_recipe_word(s->recipe, "output.fields", "spectrum"), "spectrum");
    h->single = !strcmp(poyi_recipe_word(s->recipe, "output.precision", "double"), "single");
    h->compress = poyi_recipe_bool(s->recipe, "output.compress", 0);
    h->noise = s->noise != NULL;
    h->backend = s->backend;
    poy_problem_digest(s->settings.problem, h->digest);
    poyi_recipe_digest(s->recipe, h->digest, h->digest);
}

poy_status poyi_session_prepare(poy_ctx *ctx, poy_recipe *recipe, const char *path, poyi_session *s)
{
    poy_status status;
    *s = (poyi_session){.ctx = ctx, .recipe = recipe, .path = path};
    s->wall_start = poyi_seconds();
    s->cpu_start = poyi_cpu_seconds();
    s->backend = poyi_recipe_word(recipe, "run.backend", "auto");
    s->backend = !strcmp(s->backend, "auto") ? "cpu" : s->backend;
    const poyi_listener before = poyi_session_listen(s);
    status = poyi_settings_create(ctx, recipe, &s->settings);
    poyi_ctx_listen(ctx, before);
    if (status != POY_OK) {
        poyi_arena_fini(&s->arena);
        return status;
    }
    int noise = poyi_session_carries_noise(recipe);
    status = allocate(s, s->settings.n_columns, poy_grid_get(s->settings.grid)->n_w, noise);
    if (status == POY_OK) {
        fill_head(s);
        choose_stats(s);
        if (s->arena.failed)
            status = POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its statistics", s->head.name);
        else if (s->n_selected > POYI_STATS_MAX)
            status = POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                               "output.stats: %d numbers in a row, energy_per_mode has one for each of %d columns: at "
                               "most %d",
                               s->n_selected, s->settings.n_columns, POYI_STATS_MAX);
    }
    if (status != POY_OK)
        poyi_session_fini(s);
    return status;
}

enum { LEDGER_MAX = 64 };

/* ---- starting ---- */

/* Waiting for the disk may take a twentieth of the time; a power cut may cost a minute of work. */
enum { SHARE_OF_WRITING = 20 };
double poyi_session_unsafe = 60;

static int ask_to_pause(void *user, const poy_progress *progress)
{
    poyi_session *s = user;
    (void)progress;
    s->pause = poyi_seconds() - s->kept > poyi_session_unsafe;
    return s->pause;
}

static poy_status open_run(poyi_session *s)
{
    int64_t every = poyi_recipe_integer(s->recipe, "output.every", 1);
    POYI_TRY(s->ctx, poy_run_open(s->ctx, s->settings.problem, s->backend, &s->run));
    poyi_run_set_name(s->run, s->head.name);
    POYI_TRY(s->ctx, poy_run_select_stats(s->ctx, s->run, s->stats, s->n_selected, every));
    POYI_TRY(s->ctx, poy_run_set_progress(s->ctx, s->run, ask_to_pause, s));
    s->kept = poyi_seconds();
    return POY_OK;
}

static poy_status keep(poyi_session *s, const poy_observation *o)
{
    const double start = poyi_seconds();
    const poyi_slot slot = {.z = o->z, .controller = o->controller, .field = s->field, .noise = o->noise};
    POYI_TRY(s->ctx, poyi_store_flush(s->ctx, s->store));
    POYI_TRY(s->ctx, poyi_store_slot(s->ctx, s->store, &slot));
    s->kept = poyi_seconds();
    s->keeping = s->kept - start;
    return POY_OK;
}

/* The state at z: plane, rows and attempts since the last one, then, if it must be or is due, a place to resume from. */
poy_status poyi_session_keep(poyi_session *s, int is_plane, int must)
{
    poy_observation o;
    const poy_grid_info *g = poy_grid_get(s->settings.grid);
    POYI_TRY(s->ctx, poy_run_observe(s->ctx, s->run, s->field, &o));
    for (int64_t c = 0; c < s->settings.n_columns; c++)
        poyi_field_to_spectrum(g, s->field + 2 * c * g->n_w, s->spectrum + 2 * c * g->n_w);
    if (is_plane)
        POYI_TRY(s->ctx, poyi_store_plane(s->ctx, s->store, o.z, s->spectrum));
    POYI_TRY(s->ctx, poyi_store_rows(s->ctx, s->store, o.rows, o.n_rows));
    POYI_TRY(s->ctx, poyi_store_steps(s->ctx, s->store, o.history, o.n_history));
    if (must || poyi_seconds() - s->kept > SHARE_OF_WRITING * s->keeping)
        POYI_TRY(s->ctx, keep(s, &o));
    POYI_TRY(s->ctx, poyi_session_watch(s));
    s->planes += is_plane;
    return POY_OK;
}

/* The row of statistics of the launch. */
static poy_status store_first_row(poyi_session *s)
{
    double row[1 + POYI_STATS_MAX] = {0};
    if (!s->head.n_stats)
        return POY_OK;
    POYI_TRY(s->ctx, poy_run_stats(s->ctx, s->run, s->stats, s->n_selected, row + 1));
    POYI_TRY(s->ctx, poyi_store_rows(s->ctx, s->store, row, 1));
    return POY_OK;
}

static poy_status energy_now(poyi_session *s, double *out)
{
    static const char *const name[] = {"energy"};
    POYI_TRY(s->ctx, poy_run_stats(s->ctx, s->run, name, 1, out));
    return POY_OK;
}

static poy_status start(poyi_session *s, int force)
{
    const poyi_settings *p = &s->settings;
    poy_status status = poy_launch_create(s->ctx, p->problem, p->pulses, p->n_pulses, s->field);
    if (status != POY_OK)
        return poyi_settings_refused(s->ctx, s->recipe, status, "pulse.0");
    POYI_TRY(s->ctx, poyi_session_judge_launch(s));
    if (s->noise)
        POYI_TRY(s->ctx, poy_noise_create(s->ctx, p->problem, s->noise));
    POYI_TRY(s->ctx, open_run(s));
    POYI_TRY(s->ctx, poy_run_set_initial(s->ctx, s->run, s->field, s->noise, 0, NULL));
    POYI_TRY(s->ctx, poyi_store_create(s->ctx, s->path, force, &s->head, &s->store));
    POYI_TRY(s->ctx, store_first_row(s));
    POYI_TRY(s->ctx, energy_now(s, &s->energy_start));
    s->energy_launch = s->energy_start;
    POYI_TRY(s->ctx, poyi_session_keep(s, 1, 1));
    return POY_OK;
}

poy_status poyi_session_start(poyi_session *s, int force)
{
    const poyi_listener before = poyi_session_listen(s);
    const poy_status status = start(s, force);
    poyi_ctx_listen(s->ctx, before);
    return status;
}

/* Of the pulses as they were launched, which the file need not have. */
static poy_status launched_energy(poyi_session *s)
{
    const poyi_settings *p = &s->settings;
    const poy_grid_info *g = poy_grid_get(p->grid);
    POYI_TRY(s->ctx, poy_launch_create(s->ctx, p->problem, p->pulses, p->n_pulses, s->field));
    s->energy_launch = 0;
    for (int64_t c = 0; c < p->n_columns; c++)
        s->energy_launch += poyi_spectrum_energy(g, s->field + 2 * c * g->n_w);
    return POY_OK;
}

poy_status poyi_session_resume(poyi_session *s, const poyi_slot *slot)
{
    const poy_controller *c = &slot->controller;
    POYI_TRY(s->ctx, open_run(s));
    POYI_TRY(s->ctx, poy_run_set_initial(s->ctx, s->run, slot->field, slot->noise, slot->z, c));
    POYI_TRY(s->ctx, poy_run_restore_call_ledgers(s->ctx, s->run, c->logical, c->atomic));
    POYI_TRY(s->ctx, poyi_store_reopen(s->ctx, s->path, &s->head, &s->store));
    POYI_TRY(s->ctx, energy_now(s, &s->energy_start));
    POYI_TRY(s->ctx, launched_energy(s));
    s->z_start = slot->z;
    s->planes = slot->planes;
    return POY_OK;
}

/* ---- marching ---- */

static poy_status march_to(poyi_session *s, double z)
{
    for (;;) {
        s->pause = 0;
        poy_status status = poy_run_propagate_to(s->ctx, s->run, z, NULL);
        if (status != POY_ERR_INTERRUPTED || !s->pause)
            return status;
        poy_ctx_clear(s->ctx);
        POYI_TRY(s->ctx, poyi_session_keep(s, 0, 1));
    }
}

static poy_status march(poyi_session *s)
{
    const poyi_settings *p = &s->settings;
    for (int64_t k = s->planes; k < p->n_planes; k++) {
        POYI_TRY(s->ctx, march_to(s, p->planes[k]));
        POYI_TRY(s->ctx, poyi_session_keep(s, 1, k == p->n_planes - 1));
    }
    return POY_OK;
}

static poy_status write_end(poyi_session *s, int complete)
{
    char execution[2048] = "";
    poy_ledger_entry ledger[LEDGER_MAX];
    size_t n = 0;
    poyi_session_judge(s);
    POYI_TRY(s->ctx, poy_run_metadata(s->ctx, s->run, sizeof execution, execution));
    POYI_TRY(s->ctx, poy_run_memory_ledger(s->ctx, s->run, LEDGER_MAX, ledger, &n));
    for (size_t i = 0; i < n && i < LEDGER_MAX; i++)
        ledger[i].peak = ledger[i].bytes > ledger[i].peak ? ledger[i].bytes : ledger[i].peak;
    const poyi_store_end end = {.wall = poyi_seconds() - s->wall_start,
                                .cpu = poyi_cpu_seconds() - s->cpu_start,
                                .ledger = ledger,
                                .n_ledger = n < LEDGER_MAX ? n : LEDGER_MAX,
                                .execution = execution,
                                .warnings = s->warnings.list,
                                .n_warnings = s->warnings.n,
                                .complete = complete};
    POYI_TRY(s->ctx, poyi_store_finish(s->ctx, s->store, &end));
    return POY_OK;
}

/* The run ended early: what there is is kept, then the failure is told with the run's name. */
poy_status poyi_session_end_early(poyi_session *s, poy_status status)
{
    char cause[700], advice[1100];
    poy_observation o;
    snprintf(cause, sizeof cause, "%s", poy_ctx_cause(s->ctx));
    poy_status stored = status == POY_ERR_IO ? POY_ERR_IO : POY_OK;
    if (status == POY_ERR_INTERRUPTED)
        stored = poyi_session_keep(s, 0, 1);
    else if (status != POY_ERR_IO && poy_run_observe(s->ctx, s->run, NULL, &o) == POY_OK)
        stored = poyi_store_steps(s->ctx, s->store, o.history, o.n_history);
    if (stored == POY_OK)
        stored = write_end(s, 0);
    if (stored != POY_OK)
        return status == POY_ERR_IO ? POYI_FAIL(s->ctx, status, "%s: make room, then %s", cause,
                                                poyi_remedy(s->ctx, POYI_REMEDY_RESUME, s->path, sizeof advice, advice))
                                    : stored;
    if (status == POY_ERR_INTERRUPTED)
        return POYI_FAIL(s->ctx, status, "%s: %s: continue with %s", s->head.name, cause,
                         poyi_remedy(s->ctx, POYI_REMEDY_RESUME, s->path, sizeof advice, advice));
    const char *what = status != POY_ERR_NONFINITE ? ""
                       : poyi_recipe_at(s->recipe, "solver.schedule")
                           ? ": shorten the steps of solver.schedule"
                           : ": reduce solver.rtol or solver.dz_max, or the power";
    return POYI_FAIL(s->ctx, status, "%s: %s; %lld plane%s kept in %s%s", s->head.name, cause, (long long)s->planes,
                     s->planes == 1 ? " is" : "s are", s->path, what);
}

poy_status poyi_session_end(poyi_session *s)
{
    POYI_TRY(s->ctx, energy_now(s, &s->energy));
    POYI_TRY(s->ctx, write_end(s, 1));
    return POY_OK;
}

poy_status poyi_session_march(poyi_session *s)
{
    const poyi_listener before = poyi_session_listen(s);
    poy_status status = march(s);
    poyi_ctx_listen(s->ctx, before);
    if (status != POY_OK)
        return poyi_session_end_early(s, status);
    POYI_TRY(s->ctx, poyi_session_end(s));
    return POY_OK;
}

void poyi_session_report(const poyi_session *s, poy_recipe_report *out)
{
    poy_observation o = {0};
    snprintf(out->output, sizeof out->output, "%s", s->path);
    snprintf(out->backend, sizeof out->backend, "%s", s->backend);
    if (s->run && poy_run_observe(s->ctx, s->run, NULL, &o) == POY_OK) {
        out->z = o.z;
        out->accepted = o.controller.index;
        out->rejected = o.controller.attempts - o.controller.index;
    }
    out->length = s->settings.length;
    out->planes = s->planes;
    out->energy = s->energy;
    out->energy_start = s->energy_start;
    out->energy_launch = s->energy_launch;
    out->z_start = s->z_start;
    out->wall = poyi_seconds() - s->wall_start;
    out->cpu = poyi_cpu_seconds() - s->cpu_start;
    out->warnings = s->warnings.n;
}

void poyi_session_fini(poyi_session *s)
{
    poyi_store_close(&s->store);
    poy_run_destroy(&s->run);
    poyi_free((void **)&s->field);
    poyi_free((void **)&s->spectrum);
    poyi_free((void **)&s->noise);
    poyi_free((void **)&s->omega);
    poyi_settings_fini(&s->settings);
    poyi_arena_fini(&s->arena);
}

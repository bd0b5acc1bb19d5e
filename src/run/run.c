/* run.c: running a recipe, and going on with a run from its file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/remedy.h"
#include "pulse/setup/setup.h"
#include "run/scatter/session.h"
#include "run/session.h"

void poy_recipe_options_init(poy_recipe_options *o)
{
    *o = (poy_recipe_options){.size = sizeof *o};
}

void poy_resume_options_init(poy_resume_options *o)
{
    *o = (poy_resume_options){.size = sizeof *o};
}

/* ---- what the recipe says about the context: put in force, and put back ---- */

static poyi_surroundings surroundings_of(const poy_ctx *ctx)
{
    return (poyi_surroundings){poy_ctx_threads(ctx), poy_ctx_deterministic(ctx), poy_ctx_budget(ctx)};
}

poyi_surroundings poyi_surroundings_asked(poy_ctx *ctx, const poy_recipe *r, int budget)
{
    poyi_surroundings asked = surroundings_of(ctx);
    const int64_t threads = poyi_recipe_integer(r, "run.threads", 0);
    const double memory = budget ? poyi_recipe_quantity(ctx, r, "run.memory", POY_DIM_BYTES, 0) : 0;
    if (threads > 0)
        asked.threads = (int)threads;
    if (poyi_recipe_bool(r, "run.deterministic", 0))
        asked.deterministic = 1;
    if (memory > 0)
        asked.budget = (size_t)memory;
    return asked;
}

poyi_surroundings poyi_surroundings_change(poy_ctx *ctx, const poyi_surroundings *to)
{
    const poyi_surroundings old = surroundings_of(ctx);
    poyi_surroundings_leave(ctx, to);
    return old;
}

poyi_surroundings poyi_surroundings_enter(poy_ctx *ctx, const poy_recipe *r)
{
    const poyi_surroundings asked = poyi_surroundings_asked(ctx, r, 0); /* the budget is a session's to judge */
    return poyi_surroundings_change(ctx, &asked);
}

void poyi_surroundings_leave(poy_ctx *ctx, const poyi_surroundings *old)
{
    poy_ctx_set_threads(ctx, old->threads);
    poy_ctx_set_budget(ctx, old->budget);
    poy_ctx_set_deterministic(ctx, old->deterministic);
}

/* ---- run ---- */

static void note_unused(poy_ctx *ctx, const poy_recipe *r, int grad)
{
    static const char *const sections[] = {"scan", "objective"}, *const commands[] = {"scan", "grad"};
    for (int i = 0; i < 2; i++)
        if (poyi_recipe_at(r, sections[i]) && !(i == 1 && grad))
            poyi_log(ctx, POY_LOG_INFO, "%s: this is the plain run: [%s] is used by poynting %s", r->name, sections[i],
                     commands[i]);
}

static poy_status run_session(poy_ctx *ctx, poy_recipe *r, const poy_recipe_options *o, poy_recipe_report *report)
{
    poyi_session s;
    const char *path = o->output ? o->output : poyi_arena_format(&r->arena, "%s.h5", r->name);
    if (r->kind == POYI_KIND_SCATTER)
        return poyi_scatter_run(ctx, r, path ? path : "run.h5", o->force, o->dry, report);
    POYI_TRY(ctx, poyi_session_prepare(ctx, r, path ? path : "run.h5", &s));
    poy_status status = poyi_session_admit(&s, &report->bytes);
    if (status == POY_OK && !o->dry)
        status = poyi_session_start(&s, o->force);
    if (status == POY_OK && !o->dry)
        status = poyi_session_march(&s);
    size_t bytes = report->bytes;
    poyi_session_report(&s, report);
    report->bytes = bytes;
    report->complete = status == POY_OK && !o->dry;
    poyi_session_fini(&s);
    return status;
}

poy_status poy_recipe_run(poy_ctx *ctx, poy_recipe *r, const poy_recipe_options *options, poy_recipe_report *report)
{
    poy_recipe_options o;
    poy_recipe_report own = {0};
    poy_recipe_options_init(&o);
    if (options)
        POYI_TRY(ctx, poyi_options_copy(ctx, "poy_recipe_options", options, sizeof o, sizeof o, &o));
    report = report ? report : &own;
    *report = (poy_recipe_report){0};
    POYI_TRY(ctx, poy_recipe_check(ctx, r));
    POYI_TRY(ctx, poyi_recipe_built(ctx, r));
    note_unused(ctx, r, o.grad);
    const poyi_surroundings old = poyi_surroundings_enter(ctx, r);
    poy_status status = run_session(ctx, r, &o, report);
    poyi_surroundings_leave(ctx, &old);
    return status;
}

/* ---- resume ---- */

static void add_position(poyi_text *list, double z)
{
    char text[64];
    poy_quantity_format(z, POY_DIM_LENGTH, 0, sizeof text, text);
    poyi_text_add(list, "%s\"%s\"", list->length > 1 ? ", " : "", text);
}

/* Makes a resolved recipe longer: its planes stay where they are, more follow at the same distance. */
static poy_status extend(poy_ctx *ctx, poy_recipe *r, double by)
{
    const poyi_node *output = poyi_node_child(r->root, "output");
    poyi_node *planes = output ? poyi_node_child(output, "planes") : NULL;
    const poyi_node *list = output ? poyi_node_child(output, "plane_positions") : NULL;
    const double length = poyi_node_quantity(ctx, poyi_node_find(r->root, "geometry.length"), POY_DIM_LENGTH);
    double spacing = length, last = 0;
    char text[64];
    poyi_text positions = {0};
    poyi_text_add(&positions, "[");
    for (int64_t i = 1, n = planes ? planes->integer : 0; i < n - 1; i++, spacing = length / (double)(n - 1))
        add_position(&positions, length * (double)i / (double)(n - 1));
    for (const poyi_node *z = list ? list->first : NULL; z; z = z->next) {
        spacing = poyi_node_quantity(ctx, z, POY_DIM_LENGTH) - last;
        last = poyi_node_quantity(ctx, z, POY_DIM_LENGTH);
        if (last < length)
            add_position(&positions, last);
    }
    add_position(&positions, length);
    for (int64_t i = 1; length + (double)i * spacing < (length + by) * (1 - 1e-9); i++)
        add_position(&positions, length + (double)i * spacing);
    poyi_text_add(&positions, "]");
    poy_quantity_format(length + by, POY_DIM_LENGTH, 0, sizeof text, text);
    if (planes)
        poyi_node_remove(planes);
    poy_status status = positions.failed ? POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to extend it", r->file)
                                         : poy_recipe_set(ctx, r, "output.plane_positions", positions.text);
    poyi_text_fini(&positions);
    return status == POY_OK ? poy_recipe_set(ctx, r, "geometry.length", text) : status;
}

/* The recipe of a file, checked. */
static poy_status recipe_of(poy_ctx *ctx, const poyi_store_state *state, poy_recipe **out)
{
    POYI_TRY(ctx, poy_recipe_parse(ctx, state->resolved, state->path, out));
    POYI_TRY(ctx, poyi_store_sources(ctx, state->path, *out));
    POYI_TRY(ctx, poy_recipe_check(ctx, *out));
    return POY_OK;
}

static poy_status override(poy_ctx *ctx, poy_recipe *r, const poy_resume_options *o)
{
    char value[32];
    if (o->backend)
        POYI_TRY(ctx, poy_recipe_set(ctx, r, "run.backend", o->backend));
    if (o->threads > 0) {
        snprintf(value, sizeof value, "%d", o->threads);
        POYI_TRY(ctx, poy_recipe_set(ctx, r, "run.threads", value));
    }
    for (size_t i = 0; i < (size_t)o->n_set; i++)
        POYI_TRY(ctx, poy_recipe_set(ctx, r, o->set[2 * i], o->set[2 * i + 1]));
    return POY_OK;
}

static poy_status digest_of(poy_ctx *ctx, poy_recipe *r, unsigned char digest[32])
{
    poyi_settings s;
    if (r->kind == POYI_KIND_SCATTER)
        return poyi_scatter_digest(ctx, r, digest);
    POYI_TRY(ctx, poyi_settings_create(ctx, r, &s));
    poy_problem_digest(s.problem, digest);
    poyi_recipe_digest(r, digest, digest);
    poyi_settings_fini(&s);
    return POY_OK;
}

static poy_status check_digest(poy_ctx *ctx, poy_recipe *r, const poyi_store_state *state, const poy_recipe *original)
{
    unsigned char digest[32];
    poyi_text differences = {0};
    POYI_TRY(ctx, digest_of(ctx, r, digest));
    if (!memcmp(digest, state->digest, sizeof digest))
        return POY_OK;
    int n = poyi_recipe_diff(original, r, ", ", &differences);
    poy_status status =
        n ? POYI_FAIL(ctx, POY_ERR_MISMATCH, "%s: cannot resume: %d key%s: %s", state->path, n,
                      n > 1 ? "s differ" : " differs", differences.text ? differences.text : "")
          : POYI_FAIL(ctx, POY_ERR_MISMATCH,
                      "%s: cannot resume: this version of the program makes another problem of its recipe",
                      state->path);
    poyi_text_fini(&differences);
    return status;
}

static poy_status resume_session(poy_ctx *ctx, poy_recipe *r, const poyi_store_state *state, int check,
                                 poy_recipe_report *report)
{
    poyi_session s;
    size_t bytes = 0;
    if (r->kind == POYI_KIND_SCATTER)
        return poyi_scatter_resume(ctx, r, state, check, report);
    POYI_TRY(ctx, poyi_session_prepare(ctx, r, state->path, &s));
    poy_status status = poyi_session_admit(&s, &bytes);
    if (status == POY_OK && state->n_state != s.head.n_state)
        status = POYI_FAIL(ctx, POY_ERR_MISMATCH, "%s: its state has %lld bins, its recipe makes %lld", state->path,
                           (long long)state->n_state, (long long)s.head.n_state);
    if (status == POY_OK && !check)
        status = poyi_session_resume(&s, &state->slot);
    if (status == POY_OK && !check)
        status = poyi_session_march(&s);
    poyi_session_report(&s, report);
    report->bytes = bytes;
    if (check) {
        report->z = state->slot.z;
        report->planes = state->slot.planes;
        report->accepted = state->slot.controller.index;
    }
    report->complete = status == POY_OK && !check;
    poyi_session_fini(&s);
    return status;
}

static poy_status resume(poy_ctx *ctx, const char *path, const poy_resume_options *o, poyi_arena *arena,
                         poy_recipe **original, poy_recipe **changed, poy_recipe_report *report)
{
    poyi_store_state state;
    char advice[64];
    POYI_TRY(ctx, poyi_store_state_read(ctx, path, arena, &state));
    if (o->extend > 0 && strcmp(state.kind, "pulse") != 0)
        return POYI_FAIL(ctx, POY_ERR_MISMATCH, "%s: cannot extend: it has no length: run a recipe with more points",
                         path);
    if (state.complete && !(o->extend > 0))
        return strcmp(state.kind, "pulse") != 0
                   ? POYI_FAIL(ctx, POY_ERR_MISMATCH, "%s: cannot resume: it is complete: nothing is left to do", path)
                   : POYI_FAIL(ctx, POY_ERR_MISMATCH,
                               "%s: cannot resume: it is complete: nothing is left to do, except %s", path,
                               poyi_remedy(ctx, POYI_REMEDY_EXTEND, NULL, sizeof advice, advice));
    POYI_TRY(ctx, recipe_of(ctx, &state, original));
    POYI_TRY(ctx, recipe_of(ctx, &state, changed));
    POYI_TRY(ctx, override(ctx, *changed, o));
    POYI_TRY(ctx, poy_recipe_check(ctx, *changed));
    POYI_TRY(ctx, check_digest(ctx, *changed, &state, *original));
    if (o->extend > 0) {
        POYI_TRY(ctx, extend(ctx, *changed, o->extend));
        POYI_TRY(ctx, poy_recipe_check(ctx, *changed));
    }
    const poyi_surroundings old = poyi_surroundings_enter(ctx, *changed);
    poy_status status = resume_session(ctx, *changed, &state, o->check, report);
    poyi_surroundings_leave(ctx, &old);
    return status;
}

poy_status poy_result_resume(poy_ctx *ctx, const char *path, const poy_resume_options *options,
                             poy_recipe_report *report)
{
    poy_resume_options o;
    poy_recipe_report own = {0};
    poy_recipe *original = NULL, *changed = NULL;
    poyi_arena arena = {0};
    poy_resume_options_init(&o);
    if (options)
        POYI_TRY(ctx, poyi_options_copy(ctx, "poy_resume_options", options, sizeof o, sizeof o, &o));
    report = report ? report : &own;
    *report = (poy_recipe_report){0};
    poy_status status = resume(ctx, path, &o, &arena, &original, &changed, report);
    poy_recipe_destroy(&original);
    poy_recipe_destroy(&changed);
    poyi_arena_fini(&arena);
    return status;
}

/* gradient_bytes.c: what the gradient of an objective takes of memory, and whether it may: before its first point. */
#include <math.h>

#include "run/scatter/moves.h"
#include "run/scatter/stack.h"

/* All points of the objective, whose degrees are looked for. */
static poyi_view view_of(const poy_objective *o, int *lmax)
{
    return (poyi_view){.kind = o->s.array ? POYI_VIEW_ARRAY : POYI_VIEW_SWEEP, .n = 1, .k0 = o->k0, .lmax = lmax};
}

/* Does anything move in a record of spheres but the spheres themselves? */
static int expansions_move(const poyi_moment *p)
{
    int moves = 0;
    for (int k = 0; k < p->tape.n; k++) {
        const poyi_tape_step *s = &p->tape.steps[k];
        if (p->steps && p->steps[k].kind != POYI_STEP_ARRAY)
            continue;
        for (int i = 0; i < s->n_in; i++)
            moves |= s->wanted[i] && (i == POYI_IN_K0 || i == POYI_IN_POSITIONS || i >= POYI_IN_MEDIUM);
    }
    return moves;
}

/* Bytes of a tape that is open: its records with what they leave for the derivatives, and the largest of them at work. Its inputs are
 * held already. */
static poy_status at_work(poy_ctx *ctx, const poyi_moment *p, size_t *bytes, size_t *idle)
{
    size_t kept, scratch;
    const poyi_scatter *s = &p->o->s;
    POYI_TRY(ctx, poyi_tape_bytes(ctx, &p->tape, &kept, &scratch, idle));
    *bytes = kept + scratch + (s->n ? (size_t)poyi_scatter_record_bytes(ctx, s, p->lmax, expansions_move(p)) : 0);
    return POY_OK;
}

/* One wavelength at a degree. */
static poy_status of_tape(poy_ctx *ctx, poy_objective *o, int degree, size_t *bytes, size_t *idle)
{
    poyi_moment p;
    const int old = o->lmax[0];
    const size_t before = poy_ctx_bytes(ctx);
    o->lmax[0] = degree;
    const poy_status opened = poyi_moment_open(ctx, o, 0, &p);
    o->lmax[0] = old;
    POYI_TRY(ctx, opened);
    const size_t held = poy_ctx_bytes(ctx) - before;
    const poy_status status = at_work(ctx, &p, bytes, idle);
    *bytes += held + POYI_SCATTER_LUMP;
    poyi_moment_close(&p);
    return status;
}

static void raise(size_t *a, size_t b)
{
    *a = *a > b ? *a : b;
}

/* The largest of: the search for degrees, the tape, and with checks the runs whose differences are taken. */
static poy_status of_all(poy_ctx *ctx, poy_objective *o, int first, int checks, int with_factors, size_t *bytes,
                         size_t *idle)
{
    size_t one;
    int none = 0;
    const poyi_view found = view_of(o, &none), run = view_of(o, &first);
    POYI_TRY(ctx, of_tape(ctx, o, first, bytes, idle));
    for (int i = 0; i < o->n_points && !o->s.lmax; i++) {
        poyi_view v = found;
        v.k0 = o->k0 + i;
        POYI_TRY(ctx, poyi_scatter_view_bytes(ctx, &o->s, &v, with_factors, &one));
        raise(bytes, one);
    }
    if (checks) {
        POYI_TRY(ctx, poyi_scatter_view_bytes(ctx, &o->s, &run, with_factors, &one));
        raise(bytes, one + 2 * (size_t)o->n * sizeof(double));
    }
    return POY_OK;
}

/* As far as numerics.lmax = "auto" may rise in half of a budget (bytes.c). */
static poy_status find_rise(poy_ctx *ctx, poy_objective *o, int first, size_t budget, poyi_scatter_memory *out)
{
    int low = first, high = o->s.array ? POYI_STACK_DEGREE_MOST : POYI_RISE_MOST;
    int none = 0;
    const poyi_view v = view_of(o, &none);
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        size_t tape, point, idle;
        POYI_TRY(ctx, poyi_scatter_raised_bytes(ctx, &o->s, &v, middle, &point));
        POYI_TRY(ctx, of_tape(ctx, o, middle, &tape, &idle));
        raise(&tape, point);
        if (tape <= budget / 2) {
            low = middle;
            raise(&out->highest, tape);
        } else {
            high = middle - 1;
        }
    }
    out->rises_to = low;
    return POY_OK;
}

/* What an objective takes of memory; checks: poy_objective_check; budget: that was declared, or 0. */
static poy_status objective_memory(poy_ctx *ctx, poy_objective *o, int checks, size_t budget, poyi_scatter_memory *out)
{
    int first = o->s.lmax, none = 0;
    *out = (poyi_scatter_memory){.team = 1, .share = SIZE_MAX, .rises_to = POYI_RISE_MOST};
    for (int i = 0; i < o->n_points && !o->s.lmax; i++) {
        int degree;
        poyi_view v = view_of(o, &none);
        v.k0 = o->k0 + i;
        POYI_TRY(ctx, poyi_scatter_first_degree(ctx, &o->s, &v, &degree));
        first = degree > first ? degree : first;
    }
    POYI_TRY(ctx, of_all(ctx, o, first, checks, 0, &out->workspace, &out->idle));
    POYI_TRY(ctx, of_all(ctx, o, first, checks, 1, &out->most, &out->idle));
    out->highest = out->most;
    if (budget && !o->s.lmax && o->s.n)
        POYI_TRY(ctx, find_rise(ctx, o, first, budget, out));
    const size_t held = poy_ctx_bytes(ctx);
    out->total = out->total_most = out->needed = o->setup;
    raise(&out->total, held + out->workspace);
    raise(&out->total_most, held + out->most);
    raise(&out->needed, held + out->highest);
    return POY_OK;
}

/* ---- admission ---- */

poy_status poyi_objective_begin(poy_ctx *ctx, poy_objective *o, int checks)
{
    poyi_budget budget;
    poyi_scatter_memory *m = &o->memory;
    POYI_TRY(ctx, poyi_budget_find(ctx, "", (double)o->asked.budget, o->budget_source, &budget));
    if (!m->workspace || checks != o->with_checks)
        POYI_TRY(ctx, objective_memory(ctx, o, checks, budget.declared ? budget.bytes : 0, m));
    o->with_checks = checks;
    if (budget.declared && m->needed > budget.bytes)
        return poyi_scatter_refuse(ctx, o->name, m, &budget);
    if (m->needed > budget.bytes)
        poyi_log(ctx, POY_LOG_WARNING, "%s: the gradient needs more than %s: it may be stopped for want of memory",
                 o->name, budget.source);
    if (budget.declared)
        poy_ctx_set_budget(ctx, budget.bytes);
    POYI_TRY(ctx, poyi_reserve_open(ctx, "run.workspace", m->workspace, &o->reserve));
    poyi_ctx_draw_on(ctx, o->reserve);
    poyi_room_init(&o->room, m->workspace, m->share, m->most, m->rises_to);
    o->s.room = &o->room;
    return POY_OK;
}

void poyi_objective_end(poy_ctx *ctx, poy_objective *o)
{
    if (!o->s.room)
        return;
    if (o->room.capped)
        poyi_log(ctx, POY_LOG_WARNING,
                 "%s: the budget has room for degrees up to %d, and numerics.tol wants more: raise run.memory", o->name,
                 o->room.degree_most);
    poyi_room_leave(ctx, &o->room);
    poyi_room_fini(&o->room);
    o->s.room = NULL;
    o->used = poyi_reserve_most(o->reserve);
    poyi_ctx_draw_on(ctx, NULL);
    poyi_reserve_close(&o->reserve);
}

poy_status poyi_objective_widen(poy_ctx *ctx, const poyi_moment *p)
{
    size_t bytes, idle;
    const poyi_reserve *r = poyi_ctx_reserve(ctx);
    if (!r || p->o->s.lmax)
        return POY_OK;
    POYI_TRY(ctx, at_work(ctx, p, &bytes, &idle));
    return poyi_room_widen(ctx, p->o->s.room, poyi_reserve_used(r) + bytes);
}

poy_status poy_objective_bytes(poy_ctx *ctx, poy_objective *o, int checks, size_t *bytes, size_t *most)
{
    poyi_scatter_memory m;
    const poyi_surroundings old = poyi_surroundings_change(ctx, &o->asked);
    const poy_status status = objective_memory(ctx, o, checks, 0, &m);
    poyi_surroundings_leave(ctx, &old);
    *bytes = m.total;
    o->idle = m.idle;
    if (most)
        *most = m.total_most;
    return status;
}

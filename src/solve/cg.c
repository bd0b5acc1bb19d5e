/* cg.c: conjugate gradients, of one system and of a batch in which each system stops by itself. */
#include <math.h>
#include <stdlib.h>

#include "solve/solve.h"

/* What the recurrence of one system knows. All numbers are of the residual divided by scale. */
typedef struct system {
    double scale, rho, rho_start, residual, threshold;
    double largest;                 /* of the diagonal of the Lanczos matrix: an estimate of |A| from below */
    double alpha, beta, last_alpha; /* of the last step */
    int active, fresh;
} system_state;

static int64_t default_maxiter(const poy_space *s)
{
    return s->size > 10 ? 10 * s->size : 100;
}

/* ---- decisions, from numbers alone: the same for one system and for a batch ---- */

static void stop(system_state *s, poy_solve_result *r, poy_solve_reason reason)
{
    s->active = 0;
    r->reason = reason;
    r->converged = reason == POY_REASON_CONVERGED;
}

static void begin(system_state *s, poy_solve_result *r, poy_dtype dtype, double norm_r)
{
    s->active = 1;
    s->fresh = 1;
    s->scale = poyi_scale_of(dtype, norm_r);
    s->residual = norm_r / s->scale;
    s->threshold = r->threshold / s->scale;
    r->residual = norm_r;
    if (!isfinite(norm_r) || !isfinite(r->threshold))
        stop(s, r, POY_REASON_NONFINITE);
    else if (norm_r <= r->threshold || norm_r == 0)
        stop(s, r, POY_REASON_CONVERGED);
}

/* pi = <p, A p>: the step's alpha, or why there is none. */
static void advance(system_state *s, poy_solve_result *r, double pi)
{
    s->last_alpha = s->alpha;
    s->alpha = 0;
    if (!s->active)
        return;
    if (!isfinite(pi) || !isfinite(s->rho))
        stop(s, r, POY_REASON_NONFINITE);
    else if (!(pi > 0))
        stop(s, r, POY_REASON_NEGATIVE_CURVATURE);
    else
        s->alpha = s->rho / pi;
    if (s->active && !isfinite(s->alpha))
        stop(s, r, POY_REASON_BREAKDOWN);
    if (s->active)
        s->largest = fmax(s->largest, 1 / s->alpha + (s->fresh ? 0 : s->beta / s->last_alpha));
    else
        s->alpha = 0;
    s->fresh = 0;
}

/* rho = <r, K r> after the step. */
static void turn(system_state *s, poy_solve_result *r, double rho)
{
    s->beta = 0;
    if (!s->active)
        return;
    if (!isfinite(rho))
        stop(s, r, POY_REASON_NONFINITE);
    else if (rho < 0)
        stop(s, r, POY_REASON_NEGATIVE_CURVATURE);
    else
        s->beta = rho / s->rho;
    s->rho = rho;
}

/* Has rho fallen as far as rounding lets it? What comes then means nothing, so the residual is judged now. */
static int has_fallen(const system_state *s, double eps)
{
    return s->active && !(s->rho > eps * eps * s->rho_start);
}

static void judge(system_state *s, poy_solve_result *r, double eps)
{
    if (!s->active)
        return;
    if (s->residual <= s->threshold)
        stop(s, r, POY_REASON_CONVERGED);
    else if (has_fallen(s, eps))
        stop(s, r, POY_REASON_STAGNATED);
}

/* No residual is smaller than what rounding leaves of |A| |x|; only worth a norm of x when it is near. */
static int attainable(const system_state *s, double eps, double norm_b, double norm_x)
{
    return s->residual * s->scale <= eps * (norm_b + s->largest * norm_x);
}

/* ---- one system ---- */

typedef struct vectors {
    poy_array *r, *p, *q, *z; /* z is r where there is no preconditioner */
} vectors;

static poy_status precondition(poyi_run *run, int64_t k, const vectors *v)
{
    if (run->o.precond)
        POYI_TRY(run->ctx, poyi_apply(run->ctx, run->o.precond, run->work, k, v->r, v->z));
    return POY_OK;
}

static poy_status take_vectors(poyi_run *run, int64_t k, vectors *v)
{
    POYI_TRY(run->ctx, poyi_run_vector(run, run->x_space, k, &v->r));
    POYI_TRY(run->ctx, poyi_run_vector(run, run->x_space, k, &v->p));
    POYI_TRY(run->ctx, poyi_run_vector(run, run->x_space, k, &v->q));
    v->z = v->r;
    if (run->o.precond)
        POYI_TRY(run->ctx, poyi_run_vector(run, run->x_space, k, &v->z));
    return POY_OK;
}

/* r += back q, z = K r, rho = <r, z>. */
static poy_status descend(poyi_run *run, int64_t k, const poy_scalar *back, const vectors *v, poy_scalar *rho)
{
    poy_ctx *ctx = run->ctx;
    if (!run->o.precond) {
        POYI_TRY(ctx, poyi_axpy_inner(ctx, run->x_space, run->work, k, back, v->q, v->r, rho));
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_axpy(ctx, run->work, k, back, v->q, v->r));
    POYI_TRY(ctx, precondition(run, k, v));
    POYI_TRY(ctx, poyi_inner(ctx, run->x_space, run->work, k, v->r, v->z, rho));
    return POY_OK;
}

/* The same step with its calls replayed: the numbers go by way of arrays of rank 0. */
static poy_status replayed_step(poyi_run *run, system_state *s, const poyi_turn *t)
{
    poy_ctx *ctx = run->ctx;
    poy_scalar pi, rho;
    run->result->applies++;
    POYI_TRY(ctx, poyi_turn_run(run, t, POYI_TURN_APPLY));
    POYI_TRY(ctx, poyi_read_scalars(ctx, t->pi, 1, &pi));
    advance(s, run->result, pi.re);
    if (!s->active)
        return POY_OK;
    const poy_scalar forward = {s->alpha * s->scale, 0}, back = {-s->alpha, 0};
    POYI_TRY(ctx, poyi_write_scalars(ctx, t->back, 1, &back));
    POYI_TRY(ctx, poyi_turn_run(run, t, POYI_TURN_DESCEND));
    POYI_TRY(ctx, poyi_read_scalars(ctx, t->rho, 1, &rho));
    turn(s, run->result, rho.re);
    if (!s->active) {
        POYI_TRY(ctx, poyi_axpy(ctx, run->work, 0, &forward, t->p, t->x));
        return POY_OK;
    }
    const poy_scalar beta = {s->beta, 0};
    POYI_TRY(ctx, poyi_write_scalars(ctx, t->forward, 1, &forward));
    POYI_TRY(ctx, poyi_write_scalars(ctx, t->beta, 1, &beta));
    POYI_TRY(ctx, poyi_turn_run(run, t, POYI_TURN_FOLLOW));
    return POY_OK;
}

/* One step of the recurrence, without the decisions on the residual. */
static poy_status step(poyi_run *run, system_state *s, const vectors *v, poy_array *x)
{
    poy_ctx *ctx = run->ctx;
    double complex inner;
    poy_scalar rho;
    POYI_TRY(ctx, poyi_run_apply(run, v->p, v->q));
    POYI_TRY(ctx, poyi_run_inner(run, run->x_space, v->p, v->q, &inner));
    advance(s, run->result, creal(inner));
    if (!s->active)
        return POY_OK;
    const poy_scalar forward = {s->alpha * s->scale, 0}, back = {-s->alpha, 0};
    POYI_TRY(ctx, descend(run, 0, &back, v, &rho));
    turn(s, run->result, rho.re);
    if (s->active) {
        const poy_scalar beta = {s->beta, 0};
        POYI_TRY(ctx, poyi_axpy_xpby(ctx, run->work, 0, &forward, x, v->z, &beta, v->p));
    } else {
        POYI_TRY(ctx, poyi_axpy(ctx, run->work, 0, &forward, v->p, x));
    }
    return POY_OK;
}

/* Recording costs about as much as it saves in so many turns; shorter runs do without. */
enum { RECORD_AFTER = 12 };

static poy_status iterate(poyi_run *run, system_state *s, const vectors *v, poy_array *x, double norm_b, poyi_turn *t)
{
    const int can_record = poyi_turn_can(run, x);
    poy_ctx *ctx = run->ctx;
    const double eps = poyi_eps(run->x_space->dtype);
    const int64_t maxiter = run->o.maxiter ? run->o.maxiter : default_maxiter(run->x_space);
    double complex inner;

    POYI_TRY(ctx, poyi_run_scale(run, 1 / s->scale, v->r, v->r));
    POYI_TRY(ctx, precondition(run, 0, v));
    POYI_TRY(ctx, poy_copy_into(ctx, v->z, v->p));
    POYI_TRY(ctx, poyi_run_inner(run, run->x_space, v->r, v->z, &inner));
    s->rho = s->rho_start = creal(inner);
    if (!(s->rho > 0))
        stop(s, run->result, isfinite(s->rho) ? POY_REASON_NEGATIVE_CURVATURE : POY_REASON_NONFINITE);
    if (can_record)
        POYI_TRY(ctx, poyi_turn_init(run, t));
    for (int64_t k = 1; s->active && k <= maxiter; k++) {
        POYI_TRY(ctx, t->part[0] ? replayed_step(run, s, t) : step(run, s, v, x));
        if (can_record && k == RECORD_AFTER && s->active)
            POYI_TRY(ctx, poyi_turn_record(run, t));
        if (!s->active) {
            run->result->iterations = k - 1;
            break;
        }
        const int check = k % run->o.check_every == 0 || k == maxiter || has_fallen(s, eps);
        if (!run->o.precond)
            s->residual = sqrt(s->rho);
        else if (check)
            POYI_TRY(ctx, poyi_run_norm(run, run->x_space, v->r, &s->residual));
        if (poyi_run_step(run, k, s->residual * s->scale))
            stop(s, run->result, POY_REASON_STOPPED);
        if (check)
            judge(s, run->result, eps);
        if (s->active && check && !run->o.precond && k % 16 == 0 && s->residual < sqrt(eps)) {
            double norm_x;
            POYI_TRY(ctx, poyi_run_norm(run, run->x_space, x, &norm_x));
            if (attainable(s, eps, norm_b, norm_x))
                stop(s, run->result, POY_REASON_STAGNATED);
        }
    }
    return POY_OK;
}

/* What is known not to be positive is not tried. */
static poy_status check_positive(const poyi_run *run)
{
    const poy_linop *k = run->o.precond;
    const int a = run->a->positive == POY_NO;
    if (!a && (!k || k->positive != POY_NO))
        return POY_OK;
    run->result->reason = POY_REASON_NEGATIVE_CURVATURE;
    return POYI_FAIL(run->ctx, POY_ERR_NOT_PD,
                     "%s: the %s (%s) is known not to be positive; minres takes a Hermitian one", run->name,
                     a ? "operator" : "preconditioner", a ? run->a->kind->name : k->kind->name);
}

poy_status poy_cg(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options, poy_array *x,
                  poy_solve_result *result)
{
    poy_status status;
    poyi_run run;
    vectors v;
    system_state s = {0};
    poyi_turn t = {.x = x};
    double norm_b, norm_r;

    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "cg", a, 1, 1, options, result, &run));
    POYI_TO_DONE(ctx, check_positive(&run));
    POYI_TO_DONE(ctx, take_vectors(&run, 0, &v));
    POYI_TO_DONE(ctx, poyi_run_start(&run, b, x, v.r, v.q, &norm_b));
    POYI_TO_DONE(ctx, poyi_run_norm(&run, run.x_space, v.r, &norm_r));
    begin(&s, result, run.x_space->dtype, norm_r);
    if (poyi_run_step(&run, 0, norm_r) && s.active)
        stop(&s, result, POY_REASON_STOPPED);
    t.r = v.r;
    t.p = v.p;
    t.q = v.q;
    t.z = v.z;
    if (s.active)
        POYI_TO_DONE(ctx, iterate(&run, &s, &v, x, norm_b, &t));
    POYI_TO_DONE(ctx, poyi_run_true(&run, b, x, v.r));
done:
    poyi_turn_free(&t);
    return poyi_run_end(&run, status);
}

/* ---- a batch ---- */

typedef struct batch {
    poyi_run run;
    int64_t k;
    vectors v;
    system_state *s;
    poy_solve_result *results;
    poy_scalar *inner, *scalar;
    double *norm;
} batch;

static int any_active(const batch *g)
{
    for (int64_t i = 0; i < g->k; i++)
        if (g->s[i].active)
            return 1;
    return 0;
}

static poy_status batch_inner(batch *g, const poy_array *x, const poy_array *y)
{
    return poyi_inner(g->run.ctx, g->run.x_space, g->run.work, g->k, x, y, g->inner);
}

/* r = b - A x, norms, thresholds, scales; the members that have ended, and NaNs, become 0 in r. */
static poy_status batch_start(batch *g, const poy_array *b, poy_array *x)
{
    poyi_run *run = &g->run;
    poy_ctx *ctx = run->ctx;
    POYI_TRY(ctx, poyi_norm(ctx, run->x_space, run->work, g->k, b, g->norm));
    for (int64_t i = 0; i < g->k; i++)
        g->results[i].threshold = fmax(run->o.atol, 0) + fmax(run->o.tol, 0) * g->norm[i];
    if (run->o.x0) {
        POYI_TRY(ctx, poy_copy_into(ctx, run->o.x0, x));
        POYI_TRY(ctx, poyi_apply(ctx, run->a, run->work, g->k, x, g->v.q));
        POYI_TRY(ctx, poy_sub_into(ctx, b, g->v.q, g->v.r));
    } else {
        POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, x));
        POYI_TRY(ctx, poy_copy_into(ctx, b, g->v.r));
    }
    POYI_TRY(ctx, poyi_norm(ctx, run->x_space, run->work, g->k, g->v.r, g->norm));
    for (int64_t i = 0; i < g->k; i++) {
        begin(&g->s[i], &g->results[i], run->x_space->dtype, g->norm[i]);
        g->results[i].applies = run->o.x0 != NULL;
        g->scalar[i] = (poy_scalar){1 / g->s[i].scale, 0};
        if (!g->s[i].active) {
            poy_array row = poyi_member(g->v.r, i);
            POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, &row));
        }
    }
    POYI_TRY(ctx, poyi_scale(ctx, run->work, g->k, g->scalar, g->v.r, g->v.r));
    POYI_TRY(ctx, precondition(run, g->k, &g->v));
    POYI_TRY(ctx, poy_copy_into(ctx, g->v.z, g->v.p));
    POYI_TRY(ctx, batch_inner(g, g->v.r, g->v.z));
    for (int64_t i = 0; i < g->k; i++) {
        g->s[i].rho = g->s[i].rho_start = g->inner[i].re;
        if (g->s[i].active && !(g->s[i].rho > 0))
            stop(&g->s[i], &g->results[i],
                 isfinite(g->s[i].rho) ? POY_REASON_NEGATIVE_CURVATURE : POY_REASON_NONFINITE);
    }
    return POY_OK;
}

static poy_status batch_step(batch *g, poy_array *x)
{
    poyi_run *run = &g->run;
    poy_ctx *ctx = run->ctx;
    POYI_TRY(ctx, poyi_apply(ctx, run->a, run->work, g->k, g->v.p, g->v.q));
    POYI_TRY(ctx, batch_inner(g, g->v.p, g->v.q));
    for (int64_t i = 0; i < g->k; i++) {
        g->results[i].applies += g->s[i].active;
        advance(&g->s[i], &g->results[i], g->inner[i].re);
        g->scalar[i] = (poy_scalar){-g->s[i].alpha, 0};
    }
    POYI_TRY(ctx, descend(run, g->k, g->scalar, &g->v, g->inner));
    for (int64_t i = 0; i < g->k; i++) {
        turn(&g->s[i], &g->results[i], g->inner[i].re);
        g->scalar[i] = (poy_scalar){g->s[i].alpha * g->s[i].scale, 0};
        g->inner[i] = (poy_scalar){g->s[i].beta, 0};
    }
    POYI_TRY(ctx, poyi_axpy_xpby(ctx, run->work, g->k, g->scalar, x, g->v.z, g->inner, g->v.p));
    return POY_OK;
}

static poy_status batch_iterate(batch *g, poy_array *x)
{
    poyi_run *run = &g->run;
    const double eps = poyi_eps(run->x_space->dtype);
    const int64_t maxiter = run->o.maxiter ? run->o.maxiter : default_maxiter(run->x_space);
    for (int64_t step = 1; any_active(g) && step <= maxiter; step++) {
        int check = step % run->o.check_every == 0 || step == maxiter;
        double worst = 0;
        POYI_TRY(run->ctx, batch_step(g, x));
        for (int64_t i = 0; i < g->k; i++)
            check |= has_fallen(&g->s[i], eps);
        if (run->o.precond && check)
            POYI_TRY(run->ctx, poyi_norm(run->ctx, run->x_space, run->work, g->k, g->v.r, g->norm));
        for (int64_t i = 0; i < g->k; i++) {
            system_state *s = &g->s[i];
            if (!s->active)
                continue;
            if (!run->o.precond)
                s->residual = sqrt(s->rho);
            else if (check)
                s->residual = g->norm[i];
            g->results[i].iterations = step;
            g->results[i].residual = s->residual * s->scale;
            worst = fmax(worst, g->results[i].residual);
            if (check)
                judge(s, &g->results[i], eps);
        }
        if (run->o.monitor && run->o.monitor(run->o.user, step, worst))
            for (int64_t i = 0; i < g->k; i++)
                if (g->s[i].active)
                    stop(&g->s[i], &g->results[i], POY_REASON_STOPPED);
    }
    return POY_OK;
}

static poy_status batch_true(batch *g, const poy_array *b, const poy_array *x)
{
    poyi_run *run = &g->run;
    POYI_TRY(run->ctx, poyi_apply(run->ctx, run->a, run->work, g->k, x, g->v.r));
    POYI_TRY(run->ctx, poy_sub_into(run->ctx, b, g->v.r, g->v.r));
    POYI_TRY(run->ctx, poyi_norm(run->ctx, run->x_space, run->work, g->k, g->v.r, g->norm));
    for (int64_t i = 0; i < g->k; i++) {
        g->results[i].true_residual = g->norm[i];
        g->results[i].applies++;
    }
    return POY_OK;
}

static poy_status batch_takes(batch *g, const poy_array *b, const poy_array *x)
{
    poy_ctx *ctx = g->run.ctx;
    int64_t kx, k0;
    POYI_TRY(ctx, poyi_space_takes(ctx, g->run.x_space, "b", b, &g->k));
    POYI_TRY(ctx, poyi_space_takes(ctx, g->run.x_space, "x", x, &kx));
    k0 = g->k;
    if (g->run.o.x0)
        POYI_TRY(ctx, poyi_space_takes(ctx, g->run.x_space, "x0", g->run.o.x0, &k0));
    if (!g->k || g->k != kx || g->k != k0)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "cg_batch: b, x and x0 are batches of %lld, %lld and %lld",
                         (long long)g->k, (long long)kx, (long long)k0);
    return POY_OK;
}

poy_status poy_cg_batch(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                        poy_array *x, poy_solve_result *results)
{
    poy_status status;
    batch g = {.results = results};
    poy_solve_result first, worst;

    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "cg_batch", a, 1, 1, options, &first, &g.run));
    POYI_TO_DONE(ctx, check_positive(&g.run));
    POYI_TO_DONE(ctx, batch_takes(&g, b, x));
    const size_t n = (size_t)g.k;
    g.s = calloc(n, sizeof *g.s);
    g.inner = calloc(2 * n, sizeof *g.inner);
    g.norm = calloc(n, sizeof *g.norm);
    if (!g.s || !g.inner || !g.norm) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "cg_batch: no memory for %lld systems", (long long)g.k);
        goto done;
    }
    g.scalar = g.inner + n;
    for (size_t i = 0; i < n; i++)
        results[i] = first;
    POYI_TO_DONE(ctx, take_vectors(&g.run, g.k, &g.v));
    POYI_TO_DONE(ctx, batch_start(&g, b, x));
    POYI_TO_DONE(ctx, batch_iterate(&g, x));
    POYI_TO_DONE(ctx, batch_true(&g, b, x));
    worst = results[0];
    for (size_t i = 1; i < n; i++)
        if (results[i].reason == POY_REASON_NONFINITE ||
            (results[i].reason == POY_REASON_NEGATIVE_CURVATURE && worst.reason != POY_REASON_NONFINITE))
            worst = results[i];
    g.run.result = &worst;
done:
    free(g.s);
    free(g.inner);
    free(g.norm);
    return poyi_run_end(&g.run, status);
}

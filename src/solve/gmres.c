/* gmres.c: restarted GMRES, preconditioned from the right, so that its residual is that of the system: Arnoldi's basis by
 * two passes of Gram-Schmidt, its Hessenberg matrix made triangular by rotations on the host. */
#include <math.h>
#include <stdlib.h>

#include "solve/solve.h"

typedef struct hessenberg {
    int64_t m;
    double complex *h;        /* [m + 1, m] by columns: column j at j (m + 1) */
    double complex *g, *sine; /* right-hand side [m + 1], rotations [m] */
    double *cosine;
} hessenberg;

static poy_status create(poy_ctx *ctx, int64_t m, hessenberg *t)
{
    const size_t n = (size_t)m;
    *t = (hessenberg){.m = m};
    t->h = calloc((n + 1) * n + 2 * n + 2, sizeof *t->h);
    t->cosine = calloc(n + 1, sizeof *t->cosine);
    if (!t->h || !t->cosine)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "gmres: no memory for a restart of %lld", (long long)m);
    t->g = t->h + (n + 1) * n;
    t->sine = t->g + n + 1;
    return POY_OK;
}

/* Column j, with norm below it, through the rotations so far and a new one; returns the residual's norm. */
static double rotate(hessenberg *t, int64_t j, double norm)
{
    double complex *h = t->h + j * (t->m + 1);
    h[j + 1] = norm;
    for (int64_t i = 0; i < j; i++) {
        const double complex a = h[i], b = h[i + 1];
        h[i] = t->cosine[i] * a + t->sine[i] * b;
        h[i + 1] = -conj(t->sine[i]) * a + t->cosine[i] * b;
    }
    const double length = hypot(cabs(h[j]), norm);
    if (!(length > 0)) { /* a zero column: nothing to rotate */
        t->cosine[j] = 1;
        t->sine[j] = 0;
        t->g[j + 1] = 0;
        return cabs(t->g[j]);
    }
    const double complex phase = cabs(h[j]) > 0 ? h[j] / cabs(h[j]) : 1;
    t->cosine[j] = cabs(h[j]) / length;
    t->sine[j] = phase * (norm / length);
    h[j] = phase * length;
    t->g[j + 1] = -conj(t->sine[j]) * t->g[j];
    t->g[j] *= t->cosine[j];
    return cabs(t->g[j + 1]);
}

/* y in g: the triangular system of the first n columns. 0: it is singular. */
static int back_substitute(hessenberg *t, int64_t n)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, cabs(t->h[i * (t->m + 1) + i]));
    for (int64_t i = n - 1; i >= 0; i--) {
        const double complex d = t->h[i * (t->m + 1) + i];
        if (!(cabs(d) > 1e-300 + 1e-17 * largest))
            return 0;
        for (int64_t j = i + 1; j < n; j++)
            t->g[i] -= t->h[j * (t->m + 1) + i] * t->g[j];
        t->g[i] /= d;
    }
    return 1;
}

typedef struct gmres {
    poyi_run run;
    poyi_span basis;
    hessenberg t;
    poy_array *r, *z, *q;
    double scale;
    int64_t steps, maxiter;
    int ended;
} gmres;

static void end(gmres *s, poy_solve_reason reason)
{
    poyi_run_stop(&s->run, reason);
    s->ended = 1;
}

/* A K v_j, orthogonal to the basis, becomes v_j+1. */
static poy_status extend(gmres *s, int64_t j, double *before, double *norm)
{
    poyi_run *run = &s->run;
    const poy_array v = poyi_span_at(&s->basis, j);
    const poy_array *in = &v;
    if (run->o.precond) {
        POYI_TRY(run->ctx, poyi_apply(run->ctx, run->o.precond, run->work, 0, &v, s->z));
        in = s->z;
    }
    poy_array w = poyi_span_at(&s->basis, j + 1);
    POYI_TRY(run->ctx, poyi_run_apply(run, in, &w));
    POYI_TRY(run->ctx, poyi_span_project(run, &s->basis, j + 1, &w, s->t.h + j * (s->t.m + 1), before, norm));
    if (*norm > 0)
        POYI_TRY(run->ctx, poyi_run_scale(run, 1 / *norm, &w, &w));
    return POY_OK;
}

/* x += K V y of the first n columns. */
static poy_status add_correction(gmres *s, int64_t n, poy_array *x)
{
    poyi_run *run = &s->run;
    if (!n)
        return POY_OK;
    if (!back_substitute(&s->t, n)) {
        end(s, POY_REASON_BREAKDOWN);
        return POY_OK;
    }
    POYI_TRY(run->ctx, poyi_span_combine(run, &s->basis, n, s->t.g, s->r));
    poy_array *dx = s->r;
    if (run->o.precond) {
        POYI_TRY(run->ctx, poyi_apply(run->ctx, run->o.precond, run->work, 0, s->r, s->z));
        dx = s->z;
    }
    POYI_TRY(run->ctx, poyi_run_axpy(run, s->scale, 0, dx, x));
    return POY_OK;
}

/* One basis, from the residual r of norm norm_r. */
static poy_status cycle(gmres *s, double norm_r, poy_array *x)
{
    poyi_run *run = &s->run;
    const double threshold = run->result->threshold;
    poy_array v0 = poyi_span_at(&s->basis, 0);
    int64_t j = 0;

    s->scale = poyi_scale_of(run->x_space->dtype, norm_r);
    POYI_TRY(run->ctx, poyi_run_scale(run, 1 / s->scale, s->r, &v0));
    POYI_TRY(run->ctx, poyi_run_scale(run, s->scale / norm_r, &v0, &v0));
    s->t.g[0] = norm_r / s->scale;
    while (!s->ended && j < s->t.m && s->steps < s->maxiter) {
        double before, norm;
        POYI_TRY(run->ctx, extend(s, j, &before, &norm));
        if (!isfinite(norm)) {
            end(s, POY_REASON_NONFINITE);
            break;
        }
        const double residual = rotate(&s->t, j++, norm) * s->scale;
        if (poyi_run_step(run, ++s->steps, residual))
            end(s, POY_REASON_STOPPED);
        if (residual <= threshold)
            end(s, POY_REASON_CONVERGED);
        else if (!s->ended && norm == 0)
            end(s, POY_REASON_BREAKDOWN); /* an invariant subspace without the solution */
    }
    POYI_TRY(run->ctx, add_correction(s, j, x));
    return POY_OK;
}

static poy_status solve(gmres *s, const poy_array *b, poy_array *x)
{
    poyi_run *run = &s->run;
    poy_ctx *ctx = run->ctx;
    double norm_b, norm_r, last;

    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &s->r));
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &s->q));
    if (run->o.precond)
        POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &s->z));
    POYI_TRY(ctx, poyi_run_start(run, b, x, s->r, s->q, &norm_b));
    POYI_TRY(ctx, poyi_run_norm(run, run->x_space, s->r, &norm_r));
    poyi_run_judge_start(run, norm_b, norm_r);
    s->ended = run->result->reason != POY_REASON_MAXITER;
    run->result->true_residual = norm_r;
    while (!s->ended && s->steps < s->maxiter) {
        last = norm_r;
        POYI_TRY(ctx, cycle(s, norm_r, x));
        POYI_TRY(ctx, poyi_run_true(run, b, x, s->r));
        norm_r = run->result->true_residual;
        if (run->result->converged &&
            poyi_has_missed(run->x_space->dtype, norm_r, run->result->threshold, run->norm_b)) {
            poyi_run_stop(run, POY_REASON_MAXITER); /* a basis that is full has no residual left: another one from x */
            s->ended = 0;
        }
        if (s->ended)
            break;
        if (norm_r <= run->result->threshold)
            end(s, POY_REASON_CONVERGED);
        else if (!isfinite(norm_r))
            end(s, POY_REASON_NONFINITE);
        else if (!(norm_r < last * (1 - 1e-8)))
            end(s, POY_REASON_STAGNATED);
    }
    return POY_OK;
}

poy_status poy_gmres(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                     poy_array *x, poy_solve_result *result)
{
    poy_status status;
    gmres s = {.steps = 0};
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "gmres", a, 1, 0, options, result, &s.run));
    const int64_t n = a->domain->size > 0 ? a->domain->size : 1;
    const int64_t m = s.run.o.restart ? s.run.o.restart : 30, used = m < n ? m : n;
    s.maxiter = s.run.o.maxiter ? s.run.o.maxiter : n > 10 ? 10 * n : 100;
    POYI_TO_DONE(ctx, create(ctx, used, &s.t));
    POYI_TO_DONE(ctx, poyi_span_create(ctx, a->domain, used + 1, &s.basis));
    POYI_TO_DONE(ctx, solve(&s, b, x));
done:
    poyi_span_free(&s.basis);
    free(s.t.h);
    free(s.t.cosine);
    return poyi_run_end(&s.run, status);
}

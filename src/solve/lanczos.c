/* lanczos.c: smallest eigenpairs of a self-adjoint operator by Lanczos with full reorthogonalisation and thick restarts,
 * Wu and Simon, SIAM J. Matrix Anal. Appl. 22, 602 (2000). The projected matrix is real, tridiagonal but for an arrow that
 * a restart leaves; it is diagonalised on the host. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/lapack.h"
#include "solve/solve.h"

typedef struct lanczos {
    poyi_run run;
    poyi_span span;
    int64_t k, m, maxiter;
    int64_t kept;                 /* vectors that the last restart kept */
    double *t, *y, *theta, *work; /* [m, m] projected, its eigenvectors as rows, [m], scratch */
    double complex *h;            /* coefficients of a step; a rotation [m, p] */
    poy_array *scratch, *matrix;  /* of rotations */
    double coupling;              /* |w| of the last step: what joins the basis to the vector behind it */
    int64_t size;                 /* vectors in the basis */
    uint64_t seed;
    double *before; /* eigenvalues that a second run has to confirm; NAN: there is none yet */
    double largest; /* |theta| ever seen */
} lanczos;

static poy_status create(lanczos *s, poy_ctx *ctx, const poy_space *space)
{
    const size_t m = (size_t)s->m;
    const int64_t extent = s->m * s->m;
    int64_t shape[POY_RANK_MAX];
    const int rank = poyi_space_shape(space, s->m, shape);

    POYI_TRY(ctx, poyi_lapack_fits(ctx, "lanczos", s->m));
    s->t = calloc(2 * m * m + 2 * m, sizeof *s->t);
    s->h = calloc(m * m + m, sizeof *s->h);
    s->work = malloc(poyi_eigh_work(POY_F64, s->m) + 1);
    if (!s->t || !s->h || !s->work)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "lanczos: no memory for a basis of %lld", (long long)s->m);
    s->y = s->t + m * m;
    s->theta = s->y + m * m;
    s->before = s->theta + m;
    s->before[0] = (double)NAN;
    POYI_TRY(ctx, poyi_span_create(ctx, space, s->m + 1, &s->span));
    POYI_TRY(ctx, poyi_array_create(ctx, space->be, "solve.basis", space->dtype, 1, &extent, &s->matrix));
    POYI_TRY(ctx, poyi_array_create(ctx, space->be, "solve.basis", space->dtype, rank, shape, &s->scratch));
    return POY_OK;
}

static void release(lanczos *s)
{
    poyi_span_free(&s->span);
    poy_array_destroy(&s->matrix);
    poy_array_destroy(&s->scratch);
    free(s->t);
    free(s->h);
    free(s->work);
}

/* v_0 from x0, or random. */
static poy_status first_vector(lanczos *s)
{
    poyi_run *run = &s->run;
    double norm;
    poy_array v = poyi_span_at(&s->span, 0);
    if (!run->o.x0) {
        POYI_TRY(run->ctx, poyi_span_random(run, &s->span, 0, s->seed++, &norm));
        return POY_OK;
    }
    POYI_TRY(run->ctx, poyi_run_takes(run, run->x_space, "x0", run->o.x0));
    POYI_TRY(run->ctx, poyi_run_norm(run, run->x_space, run->o.x0, &norm));
    if (norm == 0)
        return POYI_FAIL(run->ctx, POY_ERR_ARGUMENT, "lanczos: the starting vector is 0");
    if (!isfinite(norm)) {
        poyi_run_stop(run, POY_REASON_NONFINITE);
        return POY_OK;
    }
    const double scale = poyi_scale_of(run->x_space->dtype, norm);
    POYI_TRY(run->ctx, poyi_run_scale(run, 1 / scale, run->o.x0, &v));
    POYI_TRY(run->ctx, poyi_run_scale(run, scale / norm, &v, &v));
    return POY_OK;
}

/* One more vector: column j of t, v_j+1, the coupling. In an invariant subspace v_j+1 is random and the coupling 0; where
 * there is no more room in the space the basis ends (*full). */
static poy_status extend(lanczos *s, int64_t j, int *full)
{
    poyi_run *run = &s->run;
    double before, norm, alpha;
    const double beta = j > s->kept ? s->t[j * s->m + j - 1] : 0; /* behind a restart there is an arrow instead */
    const poy_array v = poyi_span_at(&s->span, j);
    poy_array w = poyi_span_at(&s->span, j + 1);

    POYI_TRY(run->ctx, poyi_run_apply(run, &v, &w));
    POYI_TRY(run->ctx, poyi_span_local(run, &s->span, j, beta, &w, &alpha));
    POYI_TRY(run->ctx, poyi_span_project(run, &s->span, j + 1, &w, s->h, &before, &norm));
    if (!isfinite(norm) || !isfinite(before)) {
        poyi_run_stop(run, POY_REASON_NONFINITE);
        return POY_OK;
    }
    s->t[j * s->m + j] = alpha + creal(s->h[j]);
    s->largest = fmax(s->largest, fmax(fabs(alpha), before));
    s->size = j + 1;
    *full = s->size == run->x_space->size;
    if (norm <= (double)run->x_space->size * poyi_eps(run->x_space->dtype) * s->largest)
        norm = 0;
    s->coupling = *full ? 0 : norm;
    if (*full)
        return POY_OK;
    if (norm > 0) {
        POYI_TRY(run->ctx, poyi_run_scale(run, 1 / norm, &w, &w));
    } else {
        POYI_TRY(run->ctx, poyi_span_random(run, &s->span, j + 1, s->seed++, &norm));
        *full = norm == 0;
    }
    if (j + 1 < s->m) {
        s->t[j * s->m + j + 1] = s->coupling;
        s->t[(j + 1) * s->m + j] = s->coupling;
    }
    return POY_OK;
}

/* Ritz values and vectors of the basis. */
static poy_status diagonalise(lanczos *s)
{
    const int64_t n = s->size;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            s->y[i * n + j] = s->t[i * s->m + j];
    POYI_TRY(s->run.ctx, poyi_eigh(s->run.ctx, POY_F64, n, s->y, s->theta, s->work));
    s->largest = fmax(s->largest, fmax(fabs(s->theta[0]), fabs(s->theta[n - 1])));
    return POY_OK;
}

static double residual_of(const lanczos *s, int64_t i)
{
    return s->coupling * fabs(s->y[i * s->size + s->size - 1]);
}

static double threshold_of(const lanczos *s, int64_t i)
{
    const double eps = poyi_eps(s->run.x_space->dtype);
    const double asked =
        fmax(s->run.o.atol, 0) + fmax(s->run.o.tol, 0) * fmax(fabs(s->theta[i]), cbrt(eps) * cbrt(eps) * s->largest);
    return fmax(asked, 4 * eps * s->largest); /* rounding allows no less */
}

static int all_converged(const lanczos *s)
{
    for (int64_t i = 0; i < s->k; i++)
        if (i >= s->size || residual_of(s, i) > threshold_of(s, i))
            return 0;
    return 1;
}

/* Keeps the p lowest Ritz vectors, and the vector behind the basis as v_p; t becomes diagonal with an arrow. */
static poy_status restart(lanczos *s, int64_t p)
{
    const int64_t n = s->size, m = s->m;
    poyi_run *run = &s->run;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < p; i++)
            s->h[j * p + i] = s->y[i * n + j];
    const poy_array behind = poyi_span_at(&s->span, n);
    poy_array next = poyi_span_at(&s->span, p);
    POYI_TRY(run->ctx, poyi_span_rotate(run, &s->span, n, p, s->h, s->scratch, s->matrix));
    POYI_TRY(run->ctx, poy_copy_into(run->ctx, &behind, &next));
    memset(s->t, 0, (size_t)(m * m) * sizeof *s->t);
    for (int64_t i = 0; i < p; i++) {
        s->t[i * m + i] = s->theta[i];
        s->t[i * m + p] = s->t[p * m + i] = s->coupling * s->y[i * n + n - 1];
    }
    s->size = s->kept = p;
    return POY_OK;
}

/* The converged pairs stay, v_k is random: is there another copy of an eigenvalue, orthogonal to those found? */
static poy_status look_again(lanczos *s)
{
    double norm;
    for (int64_t i = 0; i < s->k; i++)
        s->before[i] = s->theta[i];
    s->coupling = 0;
    POYI_TRY(s->run.ctx, restart(s, s->k));
    POYI_TRY(s->run.ctx, poyi_span_random(&s->run, &s->span, s->k, s->seed++, &norm));
    if (norm == 0)
        poyi_run_stop(&s->run, POY_REASON_CONVERGED);
    return POY_OK;
}

/* Did a second run find what the first one had? */
static int confirmed(const lanczos *s)
{
    if (isnan(s->before[0]))
        return 0;
    for (int64_t i = 0; i < s->k; i++)
        if (s->before[i] - s->theta[i] > 4 * threshold_of(s, i))
            return 0;
    /* the next one has to stand, too: else it may still come down */
    return s->size > s->k &&
           residual_of(s, s->k) <= fmax(threshold_of(s, s->k), 0.1 * (s->theta[s->k] - s->theta[s->k - 1]));
}

static poy_status cycle(lanczos *s)
{
    poyi_run *run = &s->run;
    int full = 0;
    for (int64_t j = s->size; j < s->m && !full && run->result->reason == POY_REASON_MAXITER; j++) {
        if (run->result->iterations >= s->maxiter)
            break;
        POYI_TRY(run->ctx, extend(s, j, &full));
        if (run->result->reason == POY_REASON_MAXITER && poyi_run_step(run, run->result->iterations + 1, s->coupling))
            poyi_run_stop(run, POY_REASON_STOPPED);
    }
    if (run->result->reason == POY_REASON_NONFINITE)
        return POY_OK;
    POYI_TRY(run->ctx, diagonalise(s));
    run->result->residual = residual_of(s, s->k < s->size ? s->k - 1 : s->size - 1);
    run->result->threshold = threshold_of(s, s->k < s->size ? s->k - 1 : s->size - 1);
    if (run->result->reason != POY_REASON_MAXITER)
        return POY_OK;
    if (full || (all_converged(s) && (s->k == 1 || confirmed(s)))) {
        poyi_run_stop(run, POY_REASON_CONVERGED);
    } else if (run->result->iterations < s->maxiter) {
        if (all_converged(s) && s->k < s->m - 1 && isnan(s->before[0])) {
            POYI_TRY(run->ctx, look_again(s));
        } else {
            if (all_converged(s)) /* a confirmation that goes on, or has found a copy */
                for (int64_t i = 0; i < s->k; i++)
                    s->before[i] = s->theta[i];
            const int64_t p = s->k + (s->size - s->k) / 3;
            POYI_TRY(run->ctx, restart(s, p < s->size - 1 ? p : s->size - 1));
        }
    }
    return POY_OK;
}

/* Values, and vectors as combinations of the basis. */
static poy_status deliver(lanczos *s, double *values, poy_array *vectors)
{
    poyi_run *run = &s->run;
    poy_ctx *ctx = run->ctx;
    poy_array *x = NULL, *ax = NULL;
    const int64_t found = s->k < s->size ? s->k : s->size;
    double worst = 0;
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &x));
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &ax));
    for (int64_t i = 0; i < s->k; i++) {
        values[i] = i < found ? s->theta[i] : (double)NAN;
        double norm;
        for (int64_t j = 0; i < found && j < s->size; j++)
            s->h[j] = s->y[i * s->size + j];
        if (i >= found || (!vectors && i))
            continue;
        POYI_TRY(ctx, poyi_span_combine(run, &s->span, s->size, s->h, x));
        POYI_TRY(ctx, poyi_run_apply(run, x, ax));
        POYI_TRY(ctx, poyi_run_axpy_norm(run, run->x_space, -values[i], x, ax, &norm));
        worst = fmax(worst, norm);
        if (vectors) {
            poy_array row = poyi_member(vectors, i);
            POYI_TRY(ctx, poy_copy_into(ctx, x, &row));
        }
    }
    run->result->eigenvalue = values[0];
    run->result->true_residual = worst;
    return POY_OK;
}

static poy_status solve(lanczos *s, double *values, poy_array *vectors)
{
    poyi_run *run = &s->run;
    int64_t members;
    if (vectors) {
        POYI_TRY(run->ctx, poyi_space_takes(run->ctx, run->x_space, "vectors", vectors, &members));
        if (members != s->k)
            return POYI_FAIL(run->ctx, POY_ERR_SHAPE, "lanczos: room for %lld vectors, wanted are %lld",
                             (long long)members, (long long)s->k);
    }
    POYI_TRY(run->ctx, first_vector(s));
    while (run->result->reason == POY_REASON_MAXITER && run->result->iterations < s->maxiter)
        POYI_TRY(run->ctx, cycle(s));
    if (run->result->reason != POY_REASON_NONFINITE)
        POYI_TRY(run->ctx, deliver(s, values, vectors));
    return POY_OK;
}

poy_status poy_lanczos(poy_ctx *ctx, const poy_linop *a, int64_t k, const poy_solve_options *options, double *values,
                       poy_array *vectors, poy_solve_result *result)
{
    poy_status status;
    lanczos s = {.k = k};
    const int64_t n = a->domain->size, usual = 2 * k + 20 > 40 ? 2 * k + 20 : 40;
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "lanczos", a, 1, 1, options, result, &s.run));
    s.m = s.run.o.restart ? s.run.o.restart : usual;
    s.m = s.m < n ? s.m : n;
    if (k < 1 || k > n || (k + 2 > s.m && s.m < n)) {
        status =
            POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                      "lanczos: %lld pairs of a space of %lld by bases of %lld: at least 1, and 2 fewer than a basis",
                      (long long)k, (long long)n, (long long)s.m);
        goto done;
    }
    s.maxiter = s.run.o.maxiter ? s.run.o.maxiter : 100 * k > 1000 ? 100 * k : 1000;
    s.seed = s.run.o.seed;
    POYI_TO_DONE(ctx, create(&s, ctx, a->domain));
    POYI_TO_DONE(ctx, solve(&s, values, vectors));
done:
    release(&s);
    return poyi_run_end(&s.run, status);
}

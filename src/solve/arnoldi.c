/* arnoldi.c: eigenpairs of largest modulus of any operator, from one basis of Arnoldi; and that basis for others. */
#include "solve/arnoldi.h"

#include <math.h>
#include <stdlib.h>

#include "record/lapack.h"

poy_status poyi_arnoldi_step(poyi_run *run, poyi_span *b, int64_t j, int hermitian, double complex *h, int64_t ld,
                             double complex *column, double *norm)
{
    double before, alpha = 0;
    const poy_array v = poyi_span_at(b, j);
    poy_array w = poyi_span_at(b, j + 1);
    POYI_TRY(run->ctx, poyi_run_apply(run, &v, &w));
    if (hermitian)
        POYI_TRY(run->ctx, poyi_span_local(run, b, j, j ? creal(h[j * ld + j - 1]) : 0, &w, &alpha));
    POYI_TRY(run->ctx, poyi_span_project(run, b, j + 1, &w, column, &before, norm));
    for (int64_t i = 0; i <= j; i++)
        h[i * ld + j] = column[i] + (i == j ? alpha : hermitian && i == j - 1 ? creal(h[j * ld + i]) : 0);
    before = fmax(before, fabs(alpha));
    if (j + 1 >= run->x_space->size || (isfinite(*norm) && *norm <= 16 * poyi_eps(b->space->dtype) * before))
        *norm = 0; /* an invariant subspace */
    if (*norm > 0 && isfinite(*norm))
        POYI_TRY(run->ctx, poyi_run_scale(run, 1 / *norm, &w, &w));
    return POY_OK;
}

typedef struct arnoldi {
    poyi_run run;
    poyi_span span;
    int64_t k, m, n; /* wanted, room, made */
    double coupling;
    double complex *h, *a, *w, *vt, *column; /* [m, m], a copy, [m], [m, m] rows, [m + 1] */
    void *work;
    int64_t *order;
} arnoldi;

static poy_status create(arnoldi *s, poy_ctx *ctx, const poy_space *space)
{
    const size_t m = (size_t)s->m;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "arnoldi", s->m));
    s->h = calloc(3 * m * m + 2 * m + 2, sizeof *s->h);
    s->work = malloc(poyi_eig_work(s->m) + 1);
    s->order = calloc(m + 1, sizeof *s->order);
    if (!s->h || !s->work || !s->order)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "arnoldi: no memory for a basis of %lld", (long long)s->m);
    s->a = s->h + m * m;
    s->vt = s->a + m * m;
    s->w = s->vt + m * m;
    s->column = s->w + m;
    POYI_TRY(ctx, poyi_span_create(ctx, space, s->m + 1, &s->span));
    return POY_OK;
}

static poy_status build(arnoldi *s)
{
    poyi_run *run = &s->run;
    double norm;
    if (run->o.x0) {
        poy_array v = poyi_span_at(&s->span, 0);
        POYI_TRY(run->ctx, poyi_run_takes(run, run->x_space, "x0", run->o.x0));
        POYI_TRY(run->ctx, poyi_run_norm(run, run->x_space, run->o.x0, &norm));
        if (norm == 0)
            return POYI_FAIL(run->ctx, POY_ERR_ARGUMENT, "arnoldi: the starting vector is 0");
        if (isfinite(norm))
            POYI_TRY(run->ctx, poyi_run_scale(run, 1 / norm, run->o.x0, &v));
        else
            poyi_run_stop(run, POY_REASON_NONFINITE);
    } else {
        POYI_TRY(run->ctx, poyi_span_random(run, &s->span, 0, run->o.seed, &norm));
    }
    while (s->n < s->m && run->result->reason == POY_REASON_MAXITER) {
        POYI_TRY(run->ctx, poyi_arnoldi_step(run, &s->span, s->n, 0, s->h, s->m, s->column, &norm));
        s->n++;
        s->coupling = norm;
        if (!isfinite(norm))
            poyi_run_stop(run, POY_REASON_NONFINITE);
        else if (poyi_run_step(run, s->n, norm))
            poyi_run_stop(run, POY_REASON_STOPPED);
        if (norm == 0)
            break;
        if (s->n < s->m)
            s->h[s->n * s->m + s->n - 1] = norm;
    }
    return POY_OK;
}

/* Eigenpairs of the projected matrix, those of largest modulus first. */
static poy_status diagonalise(arnoldi *s)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++)
            s->a[j * s->n + i] = s->h[i * s->m + j]; /* as LAPACK sees it */
    POYI_TRY(s->run.ctx, poyi_eig(s->run.ctx, s->n, s->a, s->w, s->vt, s->work));
    for (int64_t i = 0; i < s->n; i++)
        s->order[i] = i;
    for (int64_t i = 1; i < s->n; i++) /* insertion: n is small */
        for (int64_t j = i; j > 0 && cabs(s->w[s->order[j]]) > cabs(s->w[s->order[j - 1]]); j--) {
            const int64_t t = s->order[j];
            s->order[j] = s->order[j - 1];
            s->order[j - 1] = t;
        }
    return POY_OK;
}

static poy_status deliver(arnoldi *s, poy_c128 *values, poy_array *vectors, double *residuals)
{
    poyi_run *run = &s->run;
    double worst = 0;
    for (int64_t l = 0; l < s->k; l++) {
        values[l] = (poy_c128){(double)NAN, (double)NAN};
        if (residuals)
            residuals[l] = (double)NAN;
        if (l >= s->n)
            continue;
        double complex *y = s->vt + s->order[l] * s->n;
        double norm = 0;
        for (int64_t i = 0; i < s->n; i++)
            norm = hypot(norm, cabs(y[i]));
        for (int64_t i = 0; i < s->n; i++)
            y[i] /= norm;
        const double residual = s->coupling * cabs(y[s->n - 1]);
        values[l] = (poy_c128){creal(s->w[s->order[l]]), cimag(s->w[s->order[l]])};
        if (residuals)
            residuals[l] = residual;
        if (residual > fmax(worst, fmax(run->o.atol, 0) + fmax(run->o.tol, 0) * cabs(s->w[s->order[l]])))
            worst = residual;
        if (vectors) {
            poy_array row = poyi_member(vectors, l);
            POYI_TRY(run->ctx, poyi_span_combine(run, &s->span, s->n, y, &row));
        }
    }
    run->result->residual = worst;
    if (run->result->reason == POY_REASON_MAXITER && worst == 0 && s->n >= s->k)
        poyi_run_stop(run, POY_REASON_CONVERGED);
    return POY_OK;
}

poy_status poy_arnoldi(poy_ctx *ctx, const poy_linop *a, int64_t k, const poy_solve_options *options, poy_c128 *values,
                       poy_array *vectors, double *residuals, poy_solve_result *result)
{
    poy_status status;
    arnoldi s = {.k = k};
    int64_t members = k;
    const int64_t n = a->domain->size, usual = 2 * k + 20 > 40 ? 2 * k + 20 : 40;
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "arnoldi", a, 1, 0, options, result, &s.run));
    s.m = s.run.o.restart ? s.run.o.restart : usual;
    s.m = s.m < n ? s.m : n;
    if (!poy_dtype_is_complex(a->domain->dtype)) {
        status = POYI_FAIL(ctx, POY_ERR_DTYPE, "arnoldi: eigenvectors are complex, the space is %s",
                           poy_dtype_name(a->domain->dtype));
        goto done;
    }
    if (k < 1 || k > s.m) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "arnoldi: %lld eigenvalues from a basis of %lld", (long long)k,
                           (long long)s.m);
        goto done;
    }
    if (vectors)
        POYI_TO_DONE(ctx, poyi_space_takes(ctx, a->domain, "vectors", vectors, &members));
    if (members != k) {
        status = POYI_FAIL(ctx, POY_ERR_SHAPE, "arnoldi: room for %lld vectors, wanted are %lld", (long long)members,
                           (long long)k);
        goto done;
    }
    POYI_TO_DONE(ctx, create(&s, ctx, a->domain));
    POYI_TO_DONE(ctx, build(&s));
    if (result->reason != POY_REASON_NONFINITE && s.n) {
        POYI_TO_DONE(ctx, diagonalise(&s));
        POYI_TO_DONE(ctx, deliver(&s, values, vectors, residuals));
    }
done:
    poyi_span_free(&s.span);
    free(s.h);
    free(s.work);
    free(s.order);
    return poyi_run_end(&s.run, status);
}

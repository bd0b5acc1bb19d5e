/* expm.c: exp(t A) v by bases of Krylov vectors and as many sub-steps as the error wants: Saad, SIAM J. Numer. Anal. 29, 209
 * (1992). The error of a sub-step tau is estimated by its first term, |v| beta_m |tau| |e_m^T phi_1(tau H) e_1|. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/lapack.h"
#include "solve/arnoldi.h"

enum { BASIS = 30, MAXITER = 10000 };

typedef struct expm {
    poyi_run run;
    poyi_span span;
    double complex t;
    int hermitian;
    int64_t m, n; /* room, vectors made */
    double coupling;
    double complex *h, *column;         /* [m, m], [m + 1] */
    double *y, *theta;                  /* Hermitian: eigenvectors as rows, eigenvalues */
    double complex *f;                  /* exp(tau H) e_1 */
    double complex *big, *image, *pade; /* [m + 1, m + 1] and 6 of them, for others */
    int32_t *pivots;
    void *work;
} expm;

static poy_status create(expm *s, poy_ctx *ctx, const poy_space *space)
{
    const size_t m = (size_t)s->m, b = (m + 1) * (m + 1);
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "expm", s->m));
    s->h = calloc(m * m + 2 * (m + 1) + 8 * b, sizeof *s->h);
    s->y = calloc(m * m + m + 1, sizeof *s->y);
    s->pivots = calloc(m + 1, sizeof *s->pivots);
    s->work = malloc(poyi_eigh_work(POY_F64, s->m) + 1);
    if (!s->h || !s->y || !s->pivots || !s->work)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "expm: no memory for a basis of %lld", (long long)s->m);
    s->column = s->h + m * m;
    s->f = s->column + m + 1;
    s->big = s->f + m + 1;
    s->image = s->big + b;
    s->pade = s->image + b;
    s->theta = s->y + m * m;
    POYI_TRY(ctx, poyi_span_create(ctx, space, s->m + 1, &s->span));
    return POY_OK;
}

/* (e^z - 1) / z */
static double complex phi_1(double complex z)
{
    if (cabs(z) > 0.5)
        return (cexp(z) - 1) / z;
    double complex sum = 1, term = 1;
    for (int i = 2; i < 20; i++) {
        term *= z / i;
        sum += term;
    }
    return sum;
}

/* f = exp(tau H) e_1; returns |e_m^T phi_1(tau H) e_1|. */
static double exponential(expm *s, double complex tau)
{
    const int64_t n = s->n, b = n + 1;
    double complex last = 0;
    if (s->hermitian) {
        for (int64_t i = 0; i < n; i++)
            s->f[i] = 0;
        for (int64_t l = 0; l < n; l++) {
            const double complex e = cexp(tau * s->theta[l]) * s->y[l * n];
            for (int64_t i = 0; i < n; i++)
                s->f[i] += e * s->y[l * n + i];
            last += phi_1(tau * s->theta[l]) * s->y[l * n] * s->y[l * n + n - 1];
        }
        return cabs(last);
    }
    for (int64_t i = 0; i < b; i++) /* exp of [[tau H, e_1], [0, 0]] is [[exp, phi_1 e_1], [0, 1]] */
        for (int64_t j = 0; j < b; j++)
            s->big[i * b + j] = i < n && j < n ? tau * s->h[i * s->m + j] : i == 0 && j == n;
    poyi_small_expm(b, s->big, s->image, s->pade, s->pivots);
    for (int64_t i = 0; i < n; i++)
        s->f[i] = s->image[i * b];
    return cabs(s->image[(n - 1) * b + n]);
}

static double norm_of(const double complex *f, int64_t n)
{
    double norm = 0;
    for (int64_t i = 0; i < n; i++)
        norm = hypot(norm, cabs(f[i]));
    return norm;
}

/* Eigenvalues and vectors of a Hermitian H, of the vectors made so far. */
static poy_status diagonalise(expm *s)
{
    if (!s->hermitian)
        return POY_OK;
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++)
            s->y[i * s->n + j] = i == j       ? creal(s->h[i * s->m + i])
                                 : i == j + 1 ? creal(s->h[i * s->m + j])
                                 : j == i + 1 ? creal(s->h[j * s->m + i])
                                              : 0;
    POYI_TRY(s->run.ctx, poyi_eigh(s->run.ctx, POY_F64, s->n, s->y, s->theta, s->work));
    return POY_OK;
}

/* f for a part of t; is the estimate of its error small enough? scale: |v|. */
static int is_good(expm *s, double part, double scale, double *estimate)
{
    const poy_solve_options *o = &s->run.o;
    const double eps = poyi_eps(s->run.x_space->dtype);
    const double last = exponential(s, s->t * part), norm = norm_of(s->f, s->n);
    *estimate = scale * s->coupling * cabs(s->t) * part * last;
    if (!isfinite(norm) || !isfinite(*estimate))
        return 0;
    const double allowed = fmax(fmax(o->atol, 0) + fmax(o->tol, 0) * norm * scale, 4 * eps * norm * scale) * part;
    return s->coupling == 0 || *estimate <= allowed;
}

/* What is left of column n - 1 above the diagonal has to be rounding. An operator is called Hermitian within 1e-5 by its
 * numbers: the exponential of one that is not quite so is that of the whole projected matrix. */
static int is_tridiagonal(const expm *s)
{
    const int64_t j = s->n - 1;
    const double eps = poyi_eps(s->run.x_space->dtype);
    double off = 0, size = cabs(s->h[j * s->m + j]);
    for (int64_t i = 0; i < j; i++) {
        off = fmax(off, cabs(s->column[i]));
        size = fmax(size, cabs(s->h[i * s->m + j]));
    }
    off = fmax(off, fabs(cimag(s->h[j * s->m + j])));
    return !(off > 1e3 * eps * fmax(size, s->coupling));
}

/* The basis from v_0 on, no longer than it has to be for what is left of t. */
static poy_status build(expm *s, double left, double scale)
{
    poyi_run *run = &s->run;
    const int64_t maxiter = run->o.maxiter ? run->o.maxiter : MAXITER, every = s->hermitian ? 4 : 10;
    memset(s->h, 0, (size_t)(s->m * s->m) * sizeof *s->h);
    for (s->n = 0, s->coupling = 1; s->n < s->m && s->coupling > 0 && run->result->iterations < maxiter;) {
        double estimate;
        POYI_TRY(run->ctx, poyi_arnoldi_step(run, &s->span, s->n, s->hermitian, s->h, s->m, s->column, &s->coupling));
        s->n++;
        run->result->iterations++;
        s->hermitian = s->hermitian && is_tridiagonal(s);
        if (!isfinite(s->coupling)) {
            poyi_run_stop(run, POY_REASON_NONFINITE);
            return POY_OK;
        }
        if (s->n % every == 0 && s->n < s->m) {
            POYI_TRY(run->ctx, diagonalise(s));
            if (is_good(s, left, scale, &estimate))
                return POY_OK;
        }
        if (s->n < s->m)
            s->h[s->n * s->m + s->n - 1] = s->coupling;
    }
    POYI_TRY(run->ctx, diagonalise(s));
    return POY_OK;
}

/* The largest part of what is left of t, from 1 down by halves, of which the error is small enough; its estimate. */
static double choose_step(expm *s, double left, double scale, double *estimate)
{
    double part = left;
    for (int halving = 0; halving < 60 && !is_good(s, part, scale, estimate); halving++)
        part /= 2;
    return part;
}

static poy_status march(expm *s, poy_array *y)
{
    poyi_run *run = &s->run;
    poy_ctx *ctx = run->ctx;
    const int64_t maxiter = run->o.maxiter ? run->o.maxiter : MAXITER;
    double left = 1, total = 0;

    while (left > 0 && run->result->reason == POY_REASON_MAXITER && run->result->iterations < maxiter) {
        double norm, estimate = 0;
        poy_array v = poyi_span_at(&s->span, 0);
        POYI_TRY(ctx, poyi_run_norm(run, run->x_space, y, &norm));
        if (norm == 0 || s->t == 0 || !isfinite(norm)) {
            poyi_run_stop(run, isfinite(norm) ? POY_REASON_CONVERGED : POY_REASON_NONFINITE);
            break;
        }
        const double scale = poyi_scale_of(run->x_space->dtype, norm);
        POYI_TRY(ctx, poyi_run_scale(run, 1 / scale, y, &v));
        POYI_TRY(ctx, poyi_run_scale(run, scale / norm, &v, &v));
        POYI_TRY(ctx, build(s, left, norm));
        if (run->result->reason != POY_REASON_MAXITER)
            break;
        const double part = choose_step(s, left, norm, &estimate);
        for (int64_t i = 0; i < s->n; i++)
            s->f[i] *= norm / scale;
        POYI_TRY(ctx, poyi_span_combine(run, &s->span, s->n, s->f, y));
        POYI_TRY(ctx, poyi_run_scale(run, scale, y, y));
        left = part < left ? left - part : 0;
        total += estimate;
        if (poyi_run_step(run, run->result->iterations, total) && left > 0)
            poyi_run_stop(run, POY_REASON_STOPPED);
    }
    if (left == 0 && run->result->reason == POY_REASON_MAXITER)
        poyi_run_stop(run, POY_REASON_CONVERGED);
    return POY_OK;
}

poy_status poy_expm_apply(poy_ctx *ctx, const poy_linop *a, poy_scalar t, const poy_array *v,
                          const poy_solve_options *options, poy_array *y, poy_solve_result *result)
{
    poy_status status;
    expm s = {.t = CMPLX(t.re, t.im)};
    const int64_t n = a->domain->size > 0 ? a->domain->size : 1;
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "expm", a, 1, 0, options, result, &s.run));
    if (t.im != 0 && !poy_dtype_is_complex(a->domain->dtype)) {
        status = POYI_FAIL(ctx, POY_ERR_COMPLEX_TO_REAL, "expm: t is %g%+gi, the space %s", t.re, t.im,
                           poy_dtype_name(a->domain->dtype));
        goto done;
    }
    if (!isfinite(t.re) || !isfinite(t.im)) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "expm: t is %g%+gi", t.re, t.im);
        goto done;
    }
    s.hermitian = a->hermitian == POY_YES;
    s.m = s.run.o.restart ? s.run.o.restart : BASIS;
    s.m = s.m < n ? s.m : n;
    POYI_TO_DONE(ctx, poyi_run_takes(&s.run, a->domain, "v", v));
    POYI_TO_DONE(ctx, poyi_run_takes(&s.run, a->domain, "y", y));
    POYI_TO_DONE(ctx, create(&s, ctx, a->domain));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, v, y));
    POYI_TO_DONE(ctx, march(&s, y));
    if (isnan(result->residual))
        result->residual = 0;
done:
    poyi_span_free(&s.span);
    free(s.h);
    free(s.y);
    free(s.pivots);
    free(s.work);
    return poyi_run_end(&s.run, status);
}

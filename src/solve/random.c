/* random.c: what random vectors tell of an operator: its trace, its largest singular values. */
#include <math.h>
#include <stdlib.h>

#include "operator/dense.h"
#include "solve/solve.h"

/* ---- trace ---- */

/* Signs, or in complex spaces the four roots of 1, as coordinates. */
static poy_status signs(poy_ctx *ctx, const poy_space *s, uint64_t seed, uint64_t sample, double complex *host,
                        poy_array *z)
{
    for (int64_t i = 0; i < s->size; i++) {
        static const double complex roots[4] = {1, -1, (double complex)I, -(double complex)I};
        uint32_t words[4];
        poy_random_words(seed, sample, (uint64_t)i, words);
        host[i] = roots[words[0] >> 7 & (poy_dtype_is_complex(s->dtype) ? 3 : 1)];
    }
    return poyi_dense_write(ctx, z, host);
}

poy_status poy_trace_estimate(poy_ctx *ctx, const poy_linop *a, int64_t samples, uint64_t seed, poy_work *work,
                              poy_scalar *mean, double *error)
{
    poy_status status;
    poyi_run run;
    poy_solve_options o;
    poy_solve_result r;
    poy_array *z, *az;
    double complex *host = NULL, sum = 0;
    double squares = 0;

    poy_solve_options_init(&o);
    o.work = work;
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "trace", a, 1, 0, &o, &r, &run));
    if (samples < 1) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "trace: %lld samples; at least 1", (long long)samples);
        goto done;
    }
    host = malloc((size_t)(a->domain->size + 1) * sizeof *host);
    if (!host) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "trace: no memory for %lld signs", (long long)a->domain->size);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_run_vector(&run, a->domain, 0, &z));
    POYI_TO_DONE(ctx, poyi_run_vector(&run, a->domain, 0, &az));
    for (int64_t k = 0; k < samples; k++) { /* Welford's mean and variance */
        poy_scalar dot;
        POYI_TO_DONE(ctx, signs(ctx, a->domain, seed, (uint64_t)k, host, z));
        POYI_TO_DONE(ctx, poyi_run_apply(&run, z, az));
        POYI_TO_DONE(ctx, poyi_dot(ctx, run.work, 0, z, az, &dot));
        const double complex value = CMPLX(dot.re, dot.im), step = value - sum;
        sum += step / (double)(k + 1);
        squares += creal(step) * creal(value - sum);
    }
    *mean = (poy_scalar){creal(sum), cimag(sum)};
    *error = samples > 1 ? sqrt(squares / (double)(samples - 1) / (double)samples) : (double)NAN;
done:
    free(host);
    return poyi_run_end(&run, status);
}

/* ---- singular values ---- */

typedef struct svd {
    poyi_run run;
    poyi_span q, p;        /* orthonormal in the codomain and in the domain */
    int64_t l;             /* vectors */
    double complex *r, *v; /* [l, l]: P's coefficients of A# Q; right factor of their decomposition */
    double *s;
} svd;

/* Vector j of a span becomes orthonormal to those before it; coefficients into column j of r [l, l] (or NULL). What is
 * dependent on the others is replaced by a random direction, with coefficient 0. */
static poy_status orthonormalise(svd *d, poyi_span *b, int64_t j, double complex *r, uint64_t seed)
{
    poyi_run *run = &d->run;
    double norm, before;
    double complex column[256];
    poy_array v = poyi_span_at(b, j);
    POYI_TRY(run->ctx, poyi_span_project(run, b, j, &v, column, &before, &norm));
    for (int64_t i = 0; r && i < j; i++)
        r[i * d->l + j] = column[i];
    if (r)
        r[j * d->l + j] = norm;
    if (norm > 0)
        POYI_TRY(run->ctx, poyi_run_scale(run, 1 / norm, &v, &v));
    else
        POYI_TRY(run->ctx, poyi_span_random(run, b, j, seed, &before));
    return POY_OK;
}

/* to = A from, or A# from, orthonormalised. */
static poy_status carry(svd *d, int adjoint, const poyi_span *from, poyi_span *to, double complex *r, uint64_t seed)
{
    poyi_run *run = &d->run;
    for (int64_t j = 0; j < d->l; j++) {
        const poy_array x = poyi_span_at(from, j);
        poy_array y = poyi_span_at(to, j);
        POYI_TRY(run->ctx, (adjoint ? poyi_run_adjoint : poyi_run_apply)(run, &x, &y));
        POYI_TRY(run->ctx, orthonormalise(d, to, j, r, seed + (uint64_t)j));
    }
    return POY_OK;
}

static poy_status range(svd *d, int powers, uint64_t seed)
{
    double norm;
    for (int64_t j = 0; j < d->l; j++)
        POYI_TRY(d->run.ctx, poyi_span_random(&d->run, &d->p, j, seed + (uint64_t)j, &norm));
    POYI_TRY(d->run.ctx, carry(d, 0, &d->p, &d->q, NULL, seed + 1000));
    for (int i = 0; i < powers; i++) {
        POYI_TRY(d->run.ctx, carry(d, 1, &d->q, &d->p, NULL, seed + 2000));
        POYI_TRY(d->run.ctx, carry(d, 0, &d->p, &d->q, NULL, seed + 3000));
    }
    POYI_TRY(d->run.ctx, carry(d, 1, &d->q, &d->p, d->r, seed + 4000)); /* A# Q = P R, so A ~ Q R^H P# */
    return POY_OK;
}

static poy_status deliver(svd *d, int64_t k, double *s, poy_array *u, poy_array *v)
{
    const int64_t l = d->l;
    double complex c[256];
    for (int64_t i = 0; i < l; i++) /* R^H in place */
        for (int64_t j = 0; j <= i; j++) {
            const double complex a = d->r[i * l + j], b = d->r[j * l + i];
            d->r[i * l + j] = conj(b);
            d->r[j * l + i] = conj(a);
        }
    poyi_small_svd(l, d->r, d->s, d->v);
    for (int64_t i = 0; i < k; i++) {
        s[i] = d->s[i];
        for (int side = 0; side < 2; side++) {
            poy_array *to = side ? v : u;
            if (!to)
                continue;
            poy_array row = poyi_member(to, i);
            for (int64_t j = 0; j < l; j++)
                c[j] = (side ? d->v : d->r)[j * l + i];
            POYI_TRY(d->run.ctx, poyi_span_combine(&d->run, side ? &d->p : &d->q, l, c, &row));
        }
    }
    return POY_OK;
}

static poy_status check(poy_ctx *ctx, const poy_linop *a, int64_t k, int64_t oversample, int powers, const poy_array *u,
                        const poy_array *v)
{
    const int64_t n = a->domain->size < a->codomain->size ? a->domain->size : a->codomain->size;
    int64_t ku = k, kv = k;
    if (k < 1 || oversample < 0 || powers < 0 || k + oversample > n || k + oversample > 256)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "svd: %lld + %lld vectors, %d powers: at least 1, and no more than the smaller size, %lld, or 256",
            (long long)k, (long long)oversample, powers, (long long)n);
    if (u)
        POYI_TRY(ctx, poyi_space_takes(ctx, a->codomain, "u", u, &ku));
    if (v)
        POYI_TRY(ctx, poyi_space_takes(ctx, a->domain, "v", v, &kv));
    if (ku != k || kv != k)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "svd: room for %lld and %lld vectors, wanted are %lld", (long long)ku,
                         (long long)kv, (long long)k);
    return POY_OK;
}

poy_status poy_svd_random(poy_ctx *ctx, const poy_linop *a, int64_t k, int64_t oversample, int powers, uint64_t seed,
                          poy_work *work, double *s, poy_array *u, poy_array *v)
{
    poy_status status;
    svd d = {.l = k + oversample};
    poy_solve_options o;
    poy_solve_result r;
    poy_solve_options_init(&o);
    o.work = work;
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "svd", a, 0, 0, &o, &r, &d.run));
    POYI_TO_DONE(ctx, check(ctx, a, k, oversample, powers, u, v));
    const size_t l = (size_t)d.l;
    d.r = calloc(2 * l * l, sizeof *d.r);
    d.s = calloc(l, sizeof *d.s);
    if (!d.r || !d.s) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "svd: no memory for %lld vectors", (long long)d.l);
        goto done;
    }
    d.v = d.r + l * l;
    POYI_TO_DONE(ctx, poyi_span_create(ctx, a->codomain, d.l, &d.q));
    POYI_TO_DONE(ctx, poyi_span_create(ctx, a->domain, d.l, &d.p));
    POYI_TO_DONE(ctx, range(&d, powers, seed));
    POYI_TO_DONE(ctx, deliver(&d, k, s, u, v));
done:
    poyi_span_free(&d.q);
    poyi_span_free(&d.p);
    free(d.r);
    free(d.s);
    return poyi_run_end(&d.run, status);
}

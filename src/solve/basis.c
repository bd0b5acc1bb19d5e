/* basis.c: bases of vectors: projecting on them by matrix products, combining and rotating them. */
#include <math.h>
#include <stdlib.h>

#include "solve/solve.h"

poy_status poyi_span_create(poy_ctx *ctx, const poy_space *s, int64_t m, poyi_span *b)
{
    poy_status status = POY_OK;
    int64_t extent[POY_RANK_MAX];
    const int rank = poyi_space_shape(s, m, extent);
    poy_array **elements[] = {&b->metric, &b->conjugate, &b->image};

    *b = (poyi_span){.space = s, .m = m};
    POYI_TO_DONE(ctx, poyi_array_create(ctx, s->be, "solve.basis", s->dtype, rank, extent, &b->v));
    POYI_TO_DONE(ctx, poyi_array_create(ctx, s->be, "solve.basis", s->dtype, 1, &m, &b->coefficients));
    POYI_TO_DONE(ctx, poyi_array_create(ctx, s->be, "solve.basis", s->dtype, 1, &m, &b->row));
    for (int i = 0; i < 3; i++)
        POYI_TO_DONE(ctx, poyi_array_create(ctx, s->be, "solve.basis", s->dtype, s->rank, s->extent, elements[i]));
    b->host = malloc((size_t)m * sizeof *b->host);
    if (!b->host)
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a basis of %lld", (long long)m);
done:
    if (status != POY_OK)
        poyi_span_free(b);
    return status;
}

void poyi_span_free(poyi_span *b)
{
    poy_array_destroy(&b->v);
    poy_array_destroy(&b->coefficients);
    poy_array_destroy(&b->row);
    poy_array_destroy(&b->metric);
    poy_array_destroy(&b->conjugate);
    poy_array_destroy(&b->image);
    free(b->host);
    b->host = NULL;
}

poy_array poyi_span_at(const poyi_span *b, int64_t i)
{
    return poyi_member(b->v, i);
}

/* The first j vectors as a matrix [j, n]; and the whole of a vector, or the first j numbers, along one axis. */
static poy_array rows(const poyi_span *b, int64_t j)
{
    const int64_t extent[2] = {j, b->space->size};
    return poyi_window(b->v, 0, 2, extent);
}

static poy_array first(const poy_array *a, int64_t j)
{
    return poyi_window(a, 0, 1, &j);
}

static void get(const poy_scalar *from, int64_t n, double complex *to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = CMPLX(from[i].re, from[i].im);
}

/* One pass: w -= sum of v_i <v_i, w>. */
static poy_status pass(poyi_run *run, poyi_span *b, int64_t j, poy_array *w, double complex *h)
{
    poy_ctx *ctx = run->ctx;
    const int complex_type = poy_dtype_is_complex(b->space->dtype);
    const int64_t n = b->space->size;
    poy_array *mw = w;
    poy_array v = rows(b, j), c = first(b->coefficients, j), r = first(b->row, j), flat, image = first(b->image, n);
    poy_scalar chunk[64];

    if (b->space->geometry != POYI_EUCLIDEAN) {
        POYI_TRY(ctx, poyi_riesz(ctx, b->space, run->work, 0, w, b->metric));
        mw = b->metric;
    }
    if (complex_type || !mw->contiguous) { /* sum conj(v) w = conj(sum v conj(w)) */
        POYI_TRY(ctx, poy_conj_into(ctx, mw, b->conjugate));
        mw = b->conjugate;
    }
    flat = first(mw, n);
    POYI_TRY(ctx, poy_matmul_into(ctx, &v, &flat, &c));
    POYI_TRY(ctx, poy_conj_into(ctx, &c, &r));
    POYI_TRY(ctx, poy_matmul_into(ctx, &r, &v, &image));
    POYI_TRY(ctx, poy_sub_into(ctx, w, b->image, w));
    for (int64_t i = 0; i < j; i += 64) {
        const int64_t m = j - i < 64 ? j - i : 64;
        poy_array piece = poyi_window(&r, i, 1, &m);
        POYI_TRY(ctx, poyi_read_scalars(ctx, &piece, m, chunk));
        get(chunk, m, h + i);
    }
    return POY_OK;
}

poy_status poyi_span_project(poyi_run *run, poyi_span *b, int64_t j, poy_array *w, double complex *h, double *before,
                             double *norm)
{
    double start;
    POYI_TRY(run->ctx, poyi_run_norm(run, b->space, w, &start));
    if (before)
        *before = start;
    *norm = start;
    for (int64_t i = 0; h && i < j; i++)
        h[i] = 0;
    for (int turn = 0; turn < 3 && j > 0; turn++) {
        const double last = *norm;
        POYI_TRY(run->ctx, pass(run, b, j, w, b->host));
        for (int64_t i = 0; h && i < j; i++)
            h[i] += b->host[i];
        POYI_TRY(run->ctx, poyi_run_norm(run, b->space, w, norm));
        if (*norm > 0.5 * last) /* a factor of 0.1 lets orthogonality decay over restarts */
            break;
    }
    if (!(*norm > 4 * poyi_eps(b->space->dtype) * start) && isfinite(*norm))
        *norm = 0; /* only rounding is left */
    return POY_OK;
}

poy_status poyi_span_local(poyi_run *run, poyi_span *b, int64_t j, double beta, poy_array *w, double *alpha)
{
    double complex dot;
    const poy_array v = poyi_span_at(b, j);
    if (beta != 0) {
        const poy_array last = poyi_span_at(b, j - 1);
        POYI_TRY(run->ctx, poyi_run_axpy(run, -beta, 0, &last, w));
    }
    POYI_TRY(run->ctx, poyi_run_inner(run, b->space, &v, w, &dot));
    *alpha = creal(dot);
    POYI_TRY(run->ctx, poyi_run_axpy(run, -*alpha, 0, &v, w));
    return POY_OK;
}

poy_status poyi_span_combine(poyi_run *run, poyi_span *b, int64_t j, const double complex *c, poy_array *y)
{
    poy_ctx *ctx = run->ctx;
    poy_array v = rows(b, j), image = first(b->image, b->space->size);
    poy_scalar chunk[64];
    for (int64_t i = 0; i < j; i += 64) {
        const int64_t m = j - i < 64 ? j - i : 64;
        poy_array piece = poyi_window(b->row, i, 1, &m);
        for (int64_t l = 0; l < m; l++)
            chunk[l] = (poy_scalar){creal(c[i + l]), cimag(c[i + l])};
        POYI_TRY(ctx, poyi_write_scalars(ctx, &piece, m, chunk));
    }
    poy_array r = first(b->row, j);
    POYI_TRY(ctx, poy_matmul_into(ctx, &r, &v, &image));
    POYI_TRY(ctx, poy_copy_into(ctx, b->image, y));
    return POY_OK;
}

poy_status poyi_span_rotate(poyi_run *run, poyi_span *b, int64_t j, int64_t p, const double complex *c,
                            poy_array *scratch, poy_array *matrix)
{
    poy_ctx *ctx = run->ctx;
    const int64_t shape[2] = {p, j}, to[2] = {p, b->space->size};
    poy_scalar chunk[64];
    for (int64_t i = 0; i < p * j; i += 64) { /* the transpose of c */
        const int64_t m = p * j - i < 64 ? p * j - i : 64;
        poy_array piece = poyi_window(matrix, i, 1, &m);
        for (int64_t l = 0; l < m; l++) {
            const double complex z = c[(i + l) % j * p + (i + l) / j];
            chunk[l] = (poy_scalar){creal(z), cimag(z)};
        }
        POYI_TRY(ctx, poyi_write_scalars(ctx, &piece, m, chunk));
    }
    poy_array left = poyi_window(matrix, 0, 2, shape), v = rows(b, j), out = poyi_window(scratch, 0, 2, to);
    poy_array target = rows(b, p);
    POYI_TRY(ctx, poy_matmul_into(ctx, &left, &v, &out));
    POYI_TRY(ctx, poy_copy_into(ctx, &out, &target));
    return POY_OK;
}

poy_status poyi_span_random(poyi_run *run, poyi_span *b, int64_t j, uint64_t seed, double *norm)
{
    poy_array v = poyi_span_at(b, j);
    POYI_TRY(run->ctx, poyi_space_randomise(run->ctx, b->space, seed, &v));
    POYI_TRY(run->ctx, poyi_span_project(run, b, j, &v, NULL, NULL, norm));
    if (*norm > 0)
        POYI_TRY(run->ctx, poyi_run_scale(run, 1 / *norm, &v, &v));
    return POY_OK;
}

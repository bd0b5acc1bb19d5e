/* vector.c: the arithmetic of vectors that spaces, operators and solvers share, of single elements and of batches with a
 * scalar for each member. All of it goes through the array layer; scalars are the host's. */
#include <float.h>
#include <math.h>

#include "operator/operator.h"

enum { PIECE = 8192 }; /* elements of a long vector at a time: what lies between two operations stays in the cache */
enum { CHUNK = 64 };   /* scalars at a time, on the way between the host's doubles and the element type */

double poyi_eps(poy_dtype dtype)
{
    return poy_dtype_real(dtype) == POY_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
}

double poyi_scale_of(poy_dtype dtype, double x)
{
    const int most = poy_dtype_real(dtype) == POY_F32 ? 125 : 1021;
    int e = 0;
    if (!(x > 0) || !isfinite(x))
        return 1.0;
    (void)frexp(x, &e);
    return ldexp(1.0, e > most ? most : e < -most ? -most : e);
}

/* ---- scalars ---- */

static poy_scalar scalar_at(poy_dtype dtype, const void *host, int64_t i)
{
    const float *f = host;
    const double *d = host;
    switch (dtype) {
    case POY_F32: return (poy_scalar){(double)f[i], 0};
    case POY_C64: return (poy_scalar){(double)f[2 * i], (double)f[2 * i + 1]};
    case POY_C128: return (poy_scalar){d[2 * i], d[2 * i + 1]};
    default: return (poy_scalar){d[i], 0};
    }
}

static void put_scalar(poy_dtype dtype, void *host, int64_t i, poy_scalar a)
{
    float *f = host;
    double *d = host;
    switch (dtype) {
    case POY_F32: f[i] = (float)a.re; break;
    case POY_C64:
        f[2 * i] = (float)a.re;
        f[2 * i + 1] = (float)a.im;
        break;
    case POY_C128:
        d[2 * i] = a.re;
        d[2 * i + 1] = a.im;
        break;
    default: d[i] = a.re; break;
    }
}

/* Scalars first .. first + n - 1 of a dense array. */
static poy_array piece(const poy_array *a, int64_t first, int64_t n)
{
    return poyi_window(a, first, 1, &n);
}

/* The numbers of a dense array in the host's memory, which need no copy; NULL elsewhere. */
static void *in_place(const poy_array *a)
{
    unsigned char *first = a->mem;
    return a->contiguous && poyi_backend_is_host(a->be) ? first + a->offset * (int64_t)poy_dtype_size(a->dtype) : NULL;
}

poy_status poyi_read_scalars(poy_ctx *ctx, const poy_array *a, int64_t n, poy_scalar *out)
{
    double host[2 * CHUNK];
    const void *own = poyi_ctx_capture(ctx) ? NULL : in_place(a); /* a recording refuses the long way */
    for (int64_t i = 0; own && i < n; i++)
        out[i] = scalar_at(a->dtype, own, i);
    if (own)
        return POY_OK;
    for (int64_t first = 0; first < n; first += CHUNK) {
        const int64_t m = n - first < CHUNK ? n - first : CHUNK;
        const poy_array w = piece(a, first, m);
        POYI_TRY(ctx, poy_array_read(ctx, &w, host));
        for (int64_t i = 0; i < m; i++)
            out[first + i] = scalar_at(a->dtype, host, i);
    }
    return POY_OK;
}

poy_status poyi_write_scalars(poy_ctx *ctx, poy_array *a, int64_t n, const poy_scalar *in)
{
    double host[2 * CHUNK];
    void *own = poyi_ctx_capture(ctx) ? NULL : in_place(a);
    for (int64_t i = 0; own && i < n; i++)
        put_scalar(a->dtype, own, i, in[i]);
    if (own)
        return POY_OK;
    for (int64_t first = 0; first < n; first += CHUNK) {
        const int64_t m = n - first < CHUNK ? n - first : CHUNK;
        poy_array w = piece(a, first, m);
        for (int64_t i = 0; i < m; i++)
            put_scalar(a->dtype, host, i, in[first + i]);
        POYI_TRY(ctx, poy_array_write(ctx, &w, host));
    }
    return POY_OK;
}

/* A scalar for each member as an array that broadcasts along the batch: [], or [k, 1, ..., 1]. */
static poy_status scalar_array(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *a, const poy_array *x,
                               poy_array **out)
{
    int64_t extent[POY_RANK_MAX];
    for (int i = 0; i < x->rank; i++)
        extent[i] = i ? 1 : k;
    POYI_TRY(ctx, poyi_work_take(ctx, work, x->dtype, k ? x->rank : 0, extent, out));
    if (!k)
        POYI_TRY(ctx, poy_fill_into(ctx, *a, *out));
    else
        POYI_TRY(ctx, poyi_write_scalars(ctx, *out, k, a));
    return POY_OK;
}

/* ---- pieces of long vectors ---- */

/* Dense, in the host's memory: such vectors can be gone through in pieces. */
static int is_line(const poy_array *x)
{
    return x->contiguous && x->size && poyi_backend_is_host(x->be);
}

int poyi_vector_is_short(const poy_ctx *ctx, int64_t k, const poy_array *x)
{
    return is_line(x) && x->size <= PIECE * (k ? k : 1) && (x->size <= PIECE || poy_ctx_threads(ctx) == 1);
}

int poyi_vector_by_member(int64_t k, const poy_array *x)
{
    enum { LEAST = 32 }; /* elements of a member that are worth a call */
    return is_line(x) && x->size >= LEAST * k;
}

static int64_t pieces_of(const poy_array *x)
{
    return (x->size + PIECE - 1) / PIECE;
}

static poy_array piece_of(const poy_array *x, int64_t i)
{
    const int64_t first = i * PIECE;
    return piece(x, first, x->size - first < PIECE ? x->size - first : PIECE);
}

/* Is it worth doing two things to each piece while it is in the cache? Several threads share long vectors better in one
 * piece; the numbers are the same. */
static int in_pieces(poy_ctx *ctx, int64_t k, const poy_array *x, const poy_array *y)
{
    return !k && is_line(x) && is_line(y) && x->size > PIECE && poy_ctx_threads(ctx) == 1;
}

/* ---- sums of vectors ---- */

/* z = s x + y, the scalars of members in an array of their own. */
static poy_status add_scaled(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *s, const poy_array *x,
                             const poy_array *y, poy_array *z)
{
    poy_status status;
    poy_array *a = NULL;
    POYI_TO_DONE(ctx, scalar_array(ctx, work, k, s, x, &a));
    POYI_TO_DONE(ctx, poy_axpy_into(ctx, a, x, y, z));
done:
    poyi_work_give(work, &a);
    return status;
}

poy_status poyi_axpy(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *a, const poy_array *x, poy_array *y)
{
    return add_scaled(ctx, work, k, a, x, y, y);
}

poy_status poyi_xpby(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, const poy_scalar *b, poy_array *y)
{
    return add_scaled(ctx, work, k, b, y, x, y);
}

poy_status poyi_axpy_xpby(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *a, poy_array *x,
                          const poy_array *z, const poy_scalar *b, poy_array *p)
{
    poy_status status;
    poy_array *sa = NULL, *sb = NULL;
    if (!in_pieces(ctx, k, x, p) || !is_line(z)) {
        POYI_TRY(ctx, poyi_axpy(ctx, work, k, a, p, x));
        POYI_TRY(ctx, poyi_xpby(ctx, work, k, z, b, p));
        return POY_OK;
    }
    POYI_TO_DONE(ctx, scalar_array(ctx, work, 0, a, x, &sa));
    POYI_TO_DONE(ctx, scalar_array(ctx, work, 0, b, x, &sb));
    for (int64_t i = 0; i < pieces_of(x); i++) {
        const poy_array pz = piece_of(z, i);
        poy_array px = piece_of(x, i), pp = piece_of(p, i);
        POYI_TO_DONE(ctx, poy_axpy_into(ctx, sa, &pp, &px, &px));
        POYI_TO_DONE(ctx, poy_axpy_into(ctx, sb, &pp, &pz, &pp));
    }
done:
    poyi_work_give(work, &sa);
    poyi_work_give(work, &sb);
    return status;
}

poy_status poyi_scale(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *a, const poy_array *x, poy_array *y)
{
    poy_status status;
    poy_array *s = NULL;
    POYI_TO_DONE(ctx, scalar_array(ctx, work, k, a, x, &s));
    POYI_TO_DONE(ctx, poy_mul_into(ctx, s, x, y));
done:
    poyi_work_give(work, &s);
    return status;
}

/* ---- reductions ---- */

typedef poy_status reduce_fn(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims, poy_array *y);

/* f over each member of t, into [] or [k]. */
static poy_status reduce_into(poy_ctx *ctx, int64_t k, reduce_fn *f, const poy_array *t, poy_array *out)
{
    const int axes[POY_RANK_MAX] = {1, 2, 3, 4, 5, 6, 7};
    POYI_TRY(ctx, f(ctx, t, k ? t->rank - 1 : POY_ALL_AXES, axes, 0, out));
    return POY_OK;
}

static poy_status reduce(poy_ctx *ctx, poy_work *work, int64_t k, reduce_fn *f, const poy_array *t, poy_scalar *out)
{
    poy_status status;
    poy_array *s = NULL;
    POYI_TO_DONE(ctx, poyi_work_take(ctx, work, t->dtype, k ? 1 : 0, &k, &s));
    POYI_TO_DONE(ctx, reduce_into(ctx, k, f, t, s));
    POYI_TO_DONE(ctx, poyi_read_scalars(ctx, s, k ? k : 1, out));
done:
    poyi_work_give(work, &s);
    return status;
}

/* The sums of the pieces are added up in double, in their order: the same for any number of threads. */
static poy_status add_up(poy_ctx *ctx, const poy_array *sums, int64_t first, int64_t n, poy_scalar *out)
{
    poy_scalar part[CHUNK];
    *out = (poy_scalar){0, 0};
    for (const int64_t end = first + n; first < end; first += CHUNK) {
        const int64_t m = end - first < CHUNK ? end - first : CHUNK;
        const poy_array some = piece(sums, first, m);
        POYI_TRY(ctx, poyi_read_scalars(ctx, &some, m, part));
        for (int64_t i = 0; i < m; i++) {
            out->re += part[i].re;
            out->im += part[i].im;
        }
    }
    return POY_OK;
}

/* y += s x, and <y, y> of each piece. */
static poy_status update_pieces(poy_ctx *ctx, const poy_array *s, const poy_array *x, poy_array *y, poy_array *sums)
{
    for (int64_t i = 0; i < pieces_of(y); i++) {
        const poy_array px = piece_of(x, i);
        poy_array py = piece_of(y, i), sum = poyi_window(sums, i, 0, NULL);
        POYI_TRY(ctx, poy_axpy_into(ctx, s, &px, &py, &py));
        POYI_TRY(ctx, poy_vdot_into(ctx, &py, &py, &sum));
    }
    return POY_OK;
}

poy_status poyi_axpy_square(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *a, const poy_array *x,
                            poy_array *y, poy_scalar *square)
{
    poy_status status;
    poy_array *s = NULL, *sums = NULL;
    const int64_t pieces = pieces_of(y);
    if (!in_pieces(ctx, k, x, y)) {
        POYI_TRY(ctx, poyi_axpy(ctx, work, k, a, x, y));
        POYI_TRY(ctx, poyi_dot(ctx, work, k, y, y, square));
        return POY_OK;
    }
    POYI_TO_DONE(ctx, scalar_array(ctx, work, 0, a, x, &s));
    POYI_TO_DONE(ctx, poyi_work_take(ctx, work, x->dtype, 1, &pieces, &sums));
    POYI_TO_DONE(ctx, update_pieces(ctx, s, x, y, sums));
    POYI_TO_DONE(ctx, add_up(ctx, sums, 0, pieces, square));
done:
    poyi_work_give(work, &s);
    poyi_work_give(work, &sums);
    return status;
}

/* Of members that are lines of several pieces. */
static poy_status dot_pieces(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, const poy_array *y,
                             poy_scalar *out)
{
    poy_status status;
    poy_array *sums = NULL;
    const int64_t members = k ? k : 1, n = x->size / members, pieces = (n + PIECE - 1) / PIECE, all = members * pieces;
    POYI_TO_DONE(ctx, poyi_work_take(ctx, work, x->dtype, 1, &all, &sums));
    for (int64_t i = 0; i < members; i++) {
        const poy_array xi = piece(x, i * n, n), yi = piece(y, i * n, n);
        for (int64_t j = 0; j < pieces; j++) {
            const poy_array px = piece_of(&xi, j), py = piece_of(&yi, j);
            poy_array sum = poyi_window(sums, i * pieces + j, 0, NULL);
            POYI_TO_DONE(ctx, poy_vdot_into(ctx, &px, &py, &sum));
        }
    }
    for (int64_t i = 0; i < members; i++)
        POYI_TO_DONE(ctx, add_up(ctx, sums, i * pieces, pieces, &out[i]));
done:
    poyi_work_give(work, &sums);
    return status;
}

/* t = conj(x) y */
static poy_status multiply(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array *t)
{
    if (poy_dtype_is_complex(x->dtype)) {
        POYI_TRY(ctx, poy_conj_into(ctx, x, t));
        POYI_TRY(ctx, poy_mul_into(ctx, t, y, t));
    } else {
        POYI_TRY(ctx, poy_mul_into(ctx, x, y, t));
    }
    return POY_OK;
}

poy_status poyi_dot_into(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, const poy_array *y,
                         poy_array *out)
{
    poy_status status = POY_OK;
    poy_array *t = NULL;
    const int64_t members = k ? k : 1, n = x->size / members;
    if (poyi_vector_by_member(k, x) && is_line(y)) {
        for (int64_t i = 0; i < members; i++) {
            const poy_array xi = piece(x, i * n, n), yi = piece(y, i * n, n);
            poy_array sum = poyi_window(out, i, 0, NULL);
            POYI_TRY(ctx, poy_vdot_into(ctx, &xi, &yi, &sum));
        }
        return POY_OK;
    }
    POYI_TO_DONE(ctx, poyi_work_like(ctx, work, x, &t));
    POYI_TO_DONE(ctx, multiply(ctx, x, y, t));
    POYI_TO_DONE(ctx, reduce_into(ctx, k, poy_sum_into, t, out));
done:
    poyi_work_give(work, &t);
    return status;
}

poy_status poyi_dot(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, const poy_array *y, poy_scalar *out)
{
    poy_status status;
    poy_array *s = NULL;
    if (poyi_vector_by_member(k, x) && is_line(y) && x->size > PIECE * (k ? k : 1)) {
        POYI_TRY(ctx, dot_pieces(ctx, work, k, x, y, out));
        return POY_OK;
    }
    POYI_TO_DONE(ctx, poyi_work_take(ctx, work, x->dtype, k ? 1 : 0, &k, &s));
    POYI_TO_DONE(ctx, poyi_dot_into(ctx, work, k, x, y, s));
    POYI_TO_DONE(ctx, poyi_read_scalars(ctx, s, k ? k : 1, out));
done:
    poyi_work_give(work, &s);
    return status;
}

poy_status poyi_max_abs(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, double *out)
{
    poy_status status = POY_OK;
    poy_array *t = NULL;
    poy_scalar s[CHUNK];
    const int64_t n = k ? k : 1;

    if (!x->size) {
        for (int64_t i = 0; i < n; i++)
            out[i] = 0;
        return POY_OK;
    }
    for (int64_t first = 0; first < n; first += CHUNK) {
        const int64_t m = n - first < CHUNK ? n - first : CHUNK;
        poy_array part = *x;
        if (k) {
            part.offset += first * x->stride[0];
            part.extent[0] = m;
            part.size = x->size / k * m;
        }
        POYI_TO_DONE(ctx, poyi_work_take(ctx, work, poy_dtype_real(x->dtype), part.rank, part.extent, &t));
        POYI_TO_DONE(ctx, poy_abs_into(ctx, &part, t));
        POYI_TO_DONE(ctx, reduce(ctx, work, k ? m : 0, poy_max_into, t, s));
        for (int64_t i = 0; i < m; i++)
            out[first + i] = s[i].re;
        poyi_work_give(work, &t);
    }
done:
    poyi_work_give(work, &t);
    return status;
}

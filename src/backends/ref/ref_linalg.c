/* ref_linalg.c: linear algebra in extended precision, by methods that need no library: elimination, Cholesky's rows, and
 * rotations of Jacobi's kind, two-sided for eigenvectors (Golub and Van Loan (2013), sec. 8.5), one-sided for singular
 * vectors (sec. 8.6.3). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "backends/ref/ref_matrix.h"

/* ---- solve ---- */

static poy_status solve_one(poy_ctx *ctx, const poy_tensor *in, const poy_tensor *x, int64_t b, extended *a)
{
    const int64_t n = in[0].extent[1], k = in[1].extent[2], width = n + k; /* rows of a: those of the matrix and of b */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < width; j++)
            a[i * width + j] = j < n ? load(&in[0], b, i, j) : load(&in[1], b, i, j - n);
    for (int64_t c = 0; c < n; c++) {
        int64_t pivot = c;
        for (int64_t i = c + 1; i < n; i++)
            if (abs2(a[i * width + c]) > abs2(a[pivot * width + c]))
                pivot = i;
        if (abs2(a[pivot * width + c]) == 0)
            return POYI_FAIL(ctx, POY_ERR_SINGULAR, "matrix %lld: pivot %lld is 0", (long long)b, (long long)c);
        for (int64_t j = 0; j < width; j++) {
            extended t = a[c * width + j];
            a[c * width + j] = a[pivot * width + j];
            a[pivot * width + j] = t;
        }
        for (int64_t i = 0; i < n; i++) { /* above, too: what is left is the diagonal */
            if (i == c)
                continue;
            extended factor = a[i * width + c] / a[c * width + c];
            for (int64_t j = c; j < width; j++)
                a[i * width + j] -= times(factor, a[c * width + j]);
        }
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            store(x, b, i, j, a[i * width + n + j] / a[i * width + i]);
    return POY_OK;
}

poy_status poyi_ref_solve(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                          const poy_tensor *out)
{
    poy_status status = POY_OK;
    void *block = NULL;
    (void)be;
    (void)arg;
    POYI_TRY(ctx, take_room(ctx, in[0].extent[1] * (in[0].extent[1] + in[1].extent[2]), &block));
    for (int64_t b = 0; b < in[0].extent[0] && status == POY_OK; b++)
        status = solve_one(ctx, in, &out[0], b, block);
    poyi_free(&block);
    return status;
}

/* ---- cholesky: l_ij = (a_ij - sum over k < j of l_ik conj(l_jk)) / l_jj ---- */

static poy_status cholesky_one(poy_ctx *ctx, const poy_tensor *a, const poy_tensor *l, int64_t b, extended *work)
{
    const int64_t n = a->extent[1];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            extended sum = i == j ? (extended)creall(load(a, b, i, j)) : load(a, b, i, j);
            for (int64_t k = 0; k < j; k++)
                sum -= times(work[i * n + k], conjl(work[j * n + k]));
            if (i > j) {
                work[i * n + j] = sum / creall(work[j * n + j]);
                continue;
            }
            if (!(creall(sum) > 0))
                return POYI_FAIL(ctx, POY_ERR_NOT_PD, "matrix %lld: the leading minor of order %lld is not positive",
                                 (long long)b, (long long)i + 1);
            work[i * n + i] = sqrtl(creall(sum));
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            store(l, b, i, j, j <= i ? work[i * n + j] : 0);
    return POY_OK;
}

poy_status poyi_ref_cholesky(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                             const poy_tensor *out)
{
    poy_status status = POY_OK;
    void *block = NULL;
    (void)be;
    (void)arg;
    POYI_TRY(ctx, take_room(ctx, in[0].extent[1] * in[0].extent[1], &block));
    for (int64_t b = 0; b < in[0].extent[0] && status == POY_OK; b++)
        status = cholesky_one(ctx, &in[0], &out[0], b, block);
    poyi_free(&block);
    return status;
}

/* ---- rotations ---- */

/* c, s and the phase of the rotation that makes [p z; conj(z) q] diagonal: columns i, j become c i - s conj(e) j and
 * s e i + c j with e = z/|z|. */
typedef struct rotation {
    long double c;
    extended s;
} rotation;

static rotation rotation_for(long double p, long double q, extended z)
{
    long double m = sqrtl(abs2(z)), theta = (q - p) / (2 * m);
    long double t = (theta >= 0 ? 1 : -1) / (fabsl(theta) + sqrtl(theta * theta + 1)), c = 1 / sqrtl(t * t + 1);
    return (rotation){c, t * c * (z / m)};
}

/* Columns i and j of x [rows, n], by x_i' = c x_i - conj(s) x_j, x_j' = s x_i + c x_j. */
static void rotate_columns(extended *x, int64_t rows, int64_t n, int64_t i, int64_t j, rotation r)
{
    for (int64_t k = 0; k < rows; k++) {
        extended a = x[k * n + i], b = x[k * n + j];
        x[k * n + i] = r.c * a - times(conjl(r.s), b);
        x[k * n + j] = times(r.s, a) + r.c * b;
    }
}

enum { SWEEPS = 60 };

/* ---- eigh ---- */

/* a becomes diagonal, v the rotations' product. */
static int jacobi(int64_t n, extended *a, extended *v)
{
    for (int64_t i = 0; i < n * n; i++)
        v[i] = i % (n + 1) == 0 ? 1 : 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        long double off = 0, all = 0;
        for (int64_t i = 0; i < n * n; i++) {
            all += abs2(a[i]);
            off += i % (n + 1) == 0 ? 0 : abs2(a[i]);
        }
        if (off <= 1e-38L * all)
            return 1;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1; j < n; j++) {
                if (abs2(a[i * n + j]) == 0)
                    continue;
                rotation r = rotation_for(creall(a[i * n + i]), creall(a[j * n + j]), a[i * n + j]);
                rotate_columns(a, n, n, i, j, r);
                for (int64_t k = 0; k < n; k++) { /* rows by the adjoint */
                    extended p = a[i * n + k], q = a[j * n + k];
                    a[i * n + k] = r.c * p - times(r.s, q);
                    a[j * n + k] = times(conjl(r.s), p) + r.c * q;
                }
                rotate_columns(v, n, n, i, j, r);
            }
    }
    return 0;
}

static poy_status eigh_one(poy_ctx *ctx, const poy_tensor *t, const poy_tensor *w, const poy_tensor *v, int64_t b,
                           extended *a)
{
    const int64_t n = t->extent[1];
    extended *vectors = a + n * n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            extended z = i == j ? (extended)creall(load(t, b, i, j)) : load(t, b, i, j);
            if (!isfinite(creall(z)) || !isfinite(cimagl(z)))
                return POYI_FAIL(ctx, POY_ERR_NONFINITE, "matrix %lld: element %lld, %lld is not finite", (long long)b,
                                 (long long)i, (long long)j);
            a[i * n + j] = z;
            a[j * n + i] = conjl(z);
        }
    if (!jacobi(n, a, vectors))
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "matrix %lld: after %d sweeps", (long long)b, SWEEPS);
    for (int64_t i = 0; i < n; i++)
        a[i * n + i] = creall(a[i * n + i]);   /* rounding left something */
    for (int64_t done = 0; done < n; done++) { /* in rising order */
        int64_t next = -1;
        for (int64_t i = 0; i < n; i++)
            if (cimagl(a[i * n + i]) == 0 && (next < 0 || creall(a[i * n + i]) < creall(a[next * n + next])))
                next = i;
        extended phase = gauge_of(vectors, n, n, next);
        store(w, b, 0, done, creall(a[next * n + next]));
        for (int64_t i = 0; i < n; i++)
            store(v, b, i, done, times(phase, vectors[i * n + next]));
        a[next * n + next] = CMPLXL(0, 1); /* taken */
    }
    return POY_OK;
}

poy_status poyi_ref_eigh(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    poy_status status = POY_OK;
    void *block = NULL;
    (void)be;
    (void)arg;
    POYI_TRY(ctx, take_room(ctx, 2 * in[0].extent[1] * in[0].extent[1], &block));
    for (int64_t b = 0; b < in[0].extent[0] && status == POY_OK; b++)
        status = eigh_one(ctx, &in[0], &out[0], &out[1], b, block);
    poyi_free(&block);
    return status;
}

/* ---- svd ---- */

/* Columns of g [m, n], m >= n, become orthogonal; v [n, n]: the rotations' product. A column that has shrunk to 1e-40 of
 * the whole is zero: where rounding leaves it no part of its own (rows that are equal), it shrinks in every sweep and is
 * never orthogonal by its own length. */
static int one_sided(int64_t m, int64_t n, extended *g, extended *v)
{
    long double zero = 0;
    for (int64_t i = 0; i < m * n; i++)
        zero += 1e-80L * abs2(g[i]);
    for (int64_t i = 0; i < n * n; i++)
        v[i] = i % (n + 1) == 0 ? 1 : 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        int rotated = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1; j < n; j++) {
                long double p = 0, q = 0;
                extended z = 0;
                for (int64_t k = 0; k < m; k++) {
                    p += abs2(g[k * n + i]);
                    q += abs2(g[k * n + j]);
                    z += times(conjl(g[k * n + i]), g[k * n + j]);
                }
                if (abs2(z) <= 1e-37L * p * q || fminl(p, q) <= zero)
                    continue;
                rotated = 1;
                rotation r = rotation_for(p, q, z);
                rotate_columns(g, m, n, i, j, r);
                rotate_columns(v, n, n, i, j, r);
            }
        if (!rotated)
            return 1;
    }
    return 0;
}

/* Column number column of u [m, width] becomes a unit vector orthogonal to those before it. */
static void complete(extended *u, int64_t m, int64_t width, int64_t column)
{
    for (int64_t start = 0; start < m; start++) {
        for (int64_t k = 0; k < m; k++)
            u[k * width + column] = k == start;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t j = 0; j < column; j++) {
                extended dot = 0;
                for (int64_t k = 0; k < m; k++)
                    dot += times(conjl(u[k * width + j]), u[k * width + column]);
                for (int64_t k = 0; k < m; k++)
                    u[k * width + column] -= times(dot, u[k * width + j]);
            }
        long double norm = 0;
        for (int64_t k = 0; k < m; k++)
            norm += abs2(u[k * width + column]);
        if (norm < 0.5L / (long double)m) /* nearly within what is there: another start */
            continue;
        for (int64_t k = 0; k < m; k++)
            u[k * width + column] /= sqrtl(norm);
        return;
    }
}

typedef struct svd_room {
    extended *g, *v, *left, *right; /* [rows, k], [k, k], [rows, rows], [k, columns of the right factor] */
    int64_t rows, k;                /* of g, the taller one of a and its adjoint */
    int64_t n_left;                 /* columns of left */
} svd_room;

/* Singular values and vectors of g in falling order: s into the tensor, left [rows, n_left], right = v in order. */
static void order_svd(const svd_room *r, const poy_tensor *s, int64_t b)
{
    long double largest = 0;
    for (int64_t done = 0; done < r->k; done++) {
        int64_t next = -1;
        long double best = -1;
        for (int64_t i = 0; i < r->k; i++) {
            long double norm = 0;
            for (int64_t k = 0; k < r->rows; k++)
                norm += abs2(r->g[k * r->k + i]);
            if (norm > best && !isnan(creall(r->v[i]))) {
                best = norm;
                next = i;
            }
        }
        long double sigma = sqrtl(best);
        largest = done ? largest : sigma;
        store(s, b, 0, done, sigma);
        for (int64_t k = 0; k < r->k; k++)
            r->right[k * r->k + done] = r->v[k * r->k + next];
        if (sigma > largest * 1e-18L)
            for (int64_t k = 0; k < r->rows; k++)
                r->left[k * r->n_left + done] = r->g[k * r->k + next] / sigma;
        else
            complete(r->left, r->rows, r->n_left, done);
        r->v[next] = CMPLXL((long double)NAN, 0); /* taken */
    }
    for (int64_t i = r->k; i < r->n_left; i++)
        complete(r->left, r->rows, r->n_left, i);
}

static poy_status svd_one(poy_ctx *ctx, const poy_tensor *a, const poy_tensor *out, int64_t b, const svd_room *r)
{
    const int64_t m = a->extent[1], n = a->extent[2];
    const int wide = m < n; /* then g = a^H, a = right s left^H */
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            extended z = load(a, b, i, j);
            if (!isfinite(creall(z)) || !isfinite(cimagl(z)))
                return POYI_FAIL(ctx, POY_ERR_NONFINITE, "matrix %lld: element %lld, %lld is not finite", (long long)b,
                                 (long long)i, (long long)j);
            r->g[wide ? j * m + i : i * n + j] = wide ? conjl(z) : z;
        }
    if (!one_sided(r->rows, r->k, r->g, r->v))
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "matrix %lld: after %d sweeps", (long long)b, SWEEPS);
    order_svd(r, &out[1], b);
    const extended *u = wide ? r->right : r->left, *v = wide ? r->left : r->right;
    const int64_t u_width = wide ? r->k : r->n_left, v_width = wide ? r->n_left : r->k;
    for (int64_t j = 0; j < out[0].extent[2]; j++) {
        extended phase = j < r->k ? gauge_of(u, m, u_width, j) : 1;
        for (int64_t i = 0; i < m; i++)
            store(&out[0], b, i, j, times(phase, u[i * u_width + j]));
    }
    for (int64_t i = 0; i < out[2].extent[1]; i++) {
        extended phase = i < r->k ? gauge_of(u, m, u_width, i) : 1;
        for (int64_t j = 0; j < n; j++)
            store(&out[2], b, i, j, conjl(times(phase, v[j * v_width + i])));
    }
    return POY_OK;
}

poy_status poyi_ref_svd(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    poy_status status = POY_OK;
    void *block = NULL;
    const int64_t m = in[0].extent[1], n = in[0].extent[2], tall = m > n ? m : n, k = m < n ? m : n;
    (void)be;
    POYI_TRY(ctx, take_room(ctx, tall * k + 2 * k * k + tall * tall, &block));
    svd_room r = {.g = block, .rows = tall, .k = k, .n_left = arg->full ? tall : k};
    r.v = r.g + tall * k;
    r.right = r.v + k * k;
    r.left = r.right + k * k;
    for (int64_t b = 0; b < in[0].extent[0] && status == POY_OK; b++)
        status = svd_one(ctx, &in[0], out, b, &r);
    poyi_free(&block);
    return status;
}

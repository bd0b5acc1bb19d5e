/* ref_factors.c: factors of general matrices in extended precision: elimination with row exchanges, Gram and Schmidt twice,
 * and the complex QR algorithm (Golub and Van Loan (2013), sec. 3.4, 5.2, 7.5). */
#include <float.h>
#include <string.h>

#include "backends/ref/ref_matrix.h"

static poy_status load_finite(poy_ctx *ctx, const poy_tensor *t, int64_t b, extended *a)
{
    const int64_t m = t->extent[1], n = t->extent[2];
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            a[i * n + j] = load(t, b, i, j);
            if (!isfinite(creall(a[i * n + j])) || !isfinite(cimagl(a[i * n + j])))
                return POYI_FAIL(ctx, POY_ERR_NONFINITE, "matrix %lld: element %lld, %lld is not finite", (long long)b,
                                 (long long)i, (long long)j);
        }
    return POY_OK;
}

/* One matrix after the other, with room for so many numbers. */
typedef poy_status one_matrix(poy_ctx *ctx, const poy_tensor *in, const poy_tensor *out, int64_t b, extended *room);

static poy_status each(poy_ctx *ctx, const poy_tensor *in, const poy_tensor *out, int64_t room, one_matrix *f)
{
    poy_status status = POY_OK;
    void *block = NULL;
    POYI_TRY(ctx, take_room(ctx, room, &block));
    for (int64_t b = 0; b < in[0].extent[0] && status == POY_OK; b++)
        status = f(ctx, in, out, b, block);
    poyi_free(&block);
    return status;
}

/* ---- lu: out l, u, perm with a[perm] = l u ---- */

static void swap_rows(extended *a, int64_t n, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < n; k++) {
        extended t = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = t;
    }
}

static poy_status lu_one(poy_ctx *ctx, const poy_tensor *in, const poy_tensor *out, int64_t b, extended *a)
{
    const int64_t m = in->extent[1], n = in->extent[2], k = m < n ? m : n;
    for (int64_t i = 0; i < m; i++)
        poyi_ref_store(&out[2], place(&out[2], b, 0, i), (poyi_ref_value){0, i});
    POYI_TRY(ctx, load_finite(ctx, in, b, a));
    for (int64_t c = 0; c < k; c++) {
        int64_t pivot = c;
        for (int64_t i = c + 1; i < m; i++)
            if (abs2(a[i * n + c]) > abs2(a[pivot * n + c]))
                pivot = i;
        if (pivot != c) {
            const int64_t here = place(&out[2], b, 0, c), there = place(&out[2], b, 0, pivot);
            const poyi_ref_value p = poyi_ref_load(&out[2], here);
            poyi_ref_store(&out[2], here, poyi_ref_load(&out[2], there));
            poyi_ref_store(&out[2], there, p);
            swap_rows(a, n, c, pivot);
        }
        for (int64_t i = c + 1; i < m && abs2(a[c * n + c]) > 0; i++) {
            const extended factor = a[i * n + c] / a[c * n + c];
            a[i * n + c] = factor;
            for (int64_t j = c + 1; j < n; j++)
                a[i * n + j] -= times(factor, a[c * n + j]);
        }
    }
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < k; j++)
            store(&out[0], b, i, j, i == j ? 1 : i > j ? a[i * n + j] : 0);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < n; j++)
            store(&out[1], b, i, j, i <= j ? a[i * n + j] : 0);
    return POY_OK;
}

poy_status poyi_ref_lu(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    (void)be;
    (void)arg;
    return each(ctx, in, out, in[0].extent[1] * in[0].extent[2], lu_one);
}

/* ---- qr: out q, r with a = q r, the diagonal of r real and not negative ---- */

static extended dot(const extended *a, int64_t rows, int64_t n, int64_t i, int64_t j)
{
    extended sum = 0;
    for (int64_t k = 0; k < rows; k++)
        sum += times(conjl(a[k * n + i]), a[k * n + j]);
    return sum;
}

/* Column c of q [m, k], which is dependent on those before it, becomes one that is not. */
static void replace_column(extended *q, int64_t m, int64_t k, int64_t c)
{
    for (int64_t start = 0; start < m; start++) {
        for (int64_t i = 0; i < m; i++)
            q[i * k + c] = i == start;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t j = 0; j < c; j++) {
                const extended d = dot(q, m, k, j, c);
                for (int64_t i = 0; i < m; i++)
                    q[i * k + c] -= times(d, q[i * k + j]);
            }
        const long double norm = sqrtl(creall(dot(q, m, k, c, c)));
        if (norm * norm < 0.5L / (long double)m)
            continue;
        for (int64_t i = 0; i < m; i++)
            q[i * k + c] /= norm;
        return;
    }
}

static poy_status qr_one(poy_ctx *ctx, const poy_tensor *in, const poy_tensor *out, int64_t b, extended *a)
{
    const int64_t m = in->extent[1], n = in->extent[2], k = m < n ? m : n;
    extended *q = a + m * n, *r = q + m * k; /* [m, k], [k, n] */
    POYI_TRY(ctx, load_finite(ctx, in, b, a));
    memset(r, 0, (size_t)(k * n) * sizeof *r);
    for (int64_t c = 0; c < k; c++) {
        long double before = 0;
        for (int64_t i = 0; i < m; i++) {
            q[i * k + c] = a[i * n + c];
            before += abs2(a[i * n + c]);
        }
        for (int pass = 0; pass < 2; pass++)
            for (int64_t j = 0; j < c; j++) {
                const extended d = dot(q, m, k, j, c);
                r[j * n + c] += d;
                for (int64_t i = 0; i < m; i++)
                    q[i * k + c] -= times(d, q[i * k + j]);
            }
        const long double norm = sqrtl(creall(dot(q, m, k, c, c)));
        if (norm <= 1e-18L * sqrtl(before)) { /* nothing is left but rounding */
            replace_column(q, m, k, c);
            continue;
        }
        r[c * n + c] = norm;
        for (int64_t i = 0; i < m; i++)
            q[i * k + c] /= norm;
    }
    for (int64_t c = k; c < n; c++)
        for (int64_t j = 0; j < k; j++)
            for (int64_t i = 0; i < m; i++)
                r[j * n + c] += times(conjl(q[i * k + j]), a[i * n + c]);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < k; j++)
            store(&out[0], b, i, j, q[i * k + j]);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < n; j++)
            store(&out[1], b, i, j, r[i * n + j]);
    return POY_OK;
}

poy_status poyi_ref_qr(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    const int64_t m = in[0].extent[1], n = in[0].extent[2], k = m < n ? m : n;
    (void)be;
    (void)arg;
    return each(ctx, in, out, m * n + m * k + k * n, qr_one);
}

/* ---- eig: out w, v; a = z t z^H with upper triangular t, by rotations ---- */

/* c and s of the rotation [c, s; -conj(s), c] that takes (x, y) to (r, 0). */
typedef struct givens {
    long double c;
    extended s;
} givens;

static givens givens_for(extended x, extended y)
{
    const long double p = sqrtl(abs2(x)), q = sqrtl(abs2(y)), h = hypotl(p, q);
    if (q == 0)
        return (givens){1, 0};
    if (p == 0)
        return (givens){0, conjl(y) / q};
    return (givens){p / h, times(x / p, conjl(y)) / h};
}

static void turn_rows(extended *a, int64_t n, int64_t i, int64_t j, int64_t from, givens g)
{
    for (int64_t k = from; k < n; k++) {
        const extended x = a[i * n + k], y = a[j * n + k];
        a[i * n + k] = g.c * x + times(g.s, y);
        a[j * n + k] = g.c * y - times(conjl(g.s), x);
    }
}

static void turn_columns(extended *a, int64_t n, int64_t i, int64_t j, int64_t rows, givens g)
{
    for (int64_t k = 0; k < rows; k++) {
        const extended x = a[k * n + i], y = a[k * n + j];
        a[k * n + i] = g.c * x + times(conjl(g.s), y);
        a[k * n + j] = g.c * y - times(g.s, x);
    }
}

/* Zeros below the first subdiagonal. */
static void hessenberg(extended *a, extended *z, int64_t n)
{
    for (int64_t i = 0; i < n * n; i++)
        z[i] = i % (n + 1) == 0;
    for (int64_t c = 0; c + 2 < n; c++)
        for (int64_t i = n - 1; i > c + 1; i--) {
            const givens g = givens_for(a[(i - 1) * n + c], a[i * n + c]);
            turn_rows(a, n, i - 1, i, c, g);
            turn_columns(a, n, i - 1, i, n, g);
            turn_columns(z, n, i - 1, i, n, g);
            a[i * n + c] = 0;
        }
}

/* The eigenvalue of the last two by two that is nearer to the last element (Wilkinson's shift). */
static extended shift_of(const extended *a, int64_t n, int64_t high)
{
    const extended p = a[(high - 1) * n + high - 1], q = a[(high - 1) * n + high], r = a[high * n + high - 1];
    const extended s = a[high * n + high], half = (p - s) / 2, root = csqrtl(times(half, half) + times(q, r));
    const extended one = s + half + root, two = s + half - root;
    return abs2(one - s) < abs2(two - s) ? one : two;
}

/* Rows and columns low .. high: a - shift = q r, then r q + shift. */
static void qr_step(extended *a, extended *z, int64_t n, int64_t low, int64_t high, extended shift, givens *g)
{
    for (int64_t i = low; i <= high; i++)
        a[i * n + i] -= shift;
    for (int64_t i = low; i < high; i++) {
        g[i] = givens_for(a[i * n + i], a[(i + 1) * n + i]);
        turn_rows(a, n, i, i + 1, i, g[i]);
    }
    for (int64_t i = low; i < high; i++) {
        turn_columns(a, n, i, i + 1, (i + 2 < high + 1 ? i + 2 : high + 1), g[i]);
        turn_columns(z, n, i, i + 1, n, g[i]);
    }
    for (int64_t i = low; i <= high; i++)
        a[i * n + i] += shift;
}

/* 0 where it does not end. */
static int schur(extended *a, extended *z, int64_t n, givens *g)
{
    int64_t high = n - 1;
    int tries = 0;
    hessenberg(a, z, n);
    while (high > 0 && tries < 300) {
        int64_t low = high;
        while (low > 0) {
            const long double near = sqrtl(abs2(a[low * n + low])) + sqrtl(abs2(a[(low - 1) * n + low - 1]));
            if (sqrtl(abs2(a[low * n + low - 1])) <= LDBL_EPSILON * (near > 0 ? near : LDBL_MIN))
                break;
            low--;
        }
        if (low > 0)
            a[low * n + low - 1] = 0;
        if (low == high) {
            high--;
            tries = 0;
            continue;
        }
        const extended shift =
            ++tries % 10 ? shift_of(a, n, high) : a[high * n + high] + sqrtl(abs2(a[high * n + high - 1]));
        /* rows above and columns beyond low .. high belong to the form, too: turn_rows goes to the end, columns start at 0 */
        qr_step(a, z, n, low, high, shift, g);
    }
    return high <= 0;
}

/* Column c of v: the eigenvector of t for its diagonal element c, by substitution, then by z; of norm 1, in the gauge.
 * Gaps below the rounding of t, whose largest modulus is size, count as that much: of values that coincide vectors grow
 * together. What grows beyond the range (a chain of n equal values: as eps^-n) is scaled down on the way. */
static void eigenvector(const extended *t, const extended *z, int64_t n, int64_t c, long double size, extended *x,
                        extended *v)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = i == c;
    for (int64_t i = c - 1; i >= 0; i--) {
        extended sum = 0, gap = t[c * n + c] - t[i * n + i];
        for (int64_t j = i + 1; j <= c; j++)
            sum += times(t[i * n + j], x[j]);
        if (sqrtl(abs2(gap)) < LDBL_EPSILON * size)
            gap = LDBL_EPSILON * size;
        x[i] = size > 0 ? sum / gap : 0;
        const long double grown = sqrtl(abs2(x[i]));
        for (int64_t j = i; grown > 1 / LDBL_EPSILON && j <= c; j++)
            x[j] /= grown;
    }
    long double norm = 0;
    for (int64_t i = 0; i < n; i++) {
        extended sum = 0;
        for (int64_t j = 0; j <= c; j++)
            sum += times(z[i * n + j], x[j]);
        v[i * n + c] = sum;
        norm += abs2(sum);
    }
    for (int64_t i = 0; i < n; i++)
        v[i * n + c] /= sqrtl(norm);
    const extended phase = gauge_of(v, n, n, c);
    for (int64_t i = 0; i < n; i++)
        v[i * n + c] = times(phase, v[i * n + c]);
}

static poy_status eig_one(poy_ctx *ctx, const poy_tensor *in, const poy_tensor *out, int64_t b, extended *a)
{
    const int64_t n = in->extent[1];
    extended *z = a + n * n, *v = z + n * n, *x = v + n * n;
    long double size = 0;
    POYI_TRY(ctx, load_finite(ctx, in, b, a));
    if (!schur(a, z, n, (givens *)(void *)(x + n)))
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "matrix %lld: 300 steps did not find an eigenvalue",
                         (long long)b);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++)
            size = fmaxl(size, sqrtl(abs2(a[i * n + j])));
    for (int64_t c = 0; c < n; c++) {
        eigenvector(a, z, n, c, size, x, v);
        store(&out[0], b, 0, c, a[c * n + c]);
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            store(&out[1], b, i, j, v[i * n + j]);
    return POY_OK;
}

poy_status poyi_ref_eig(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    const int64_t n = in[0].extent[1];
    (void)be;
    (void)arg;
    return each(ctx, in, out, 3 * n * n + 3 * n, eig_one);
}

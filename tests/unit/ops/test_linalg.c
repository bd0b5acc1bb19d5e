/* test_linalg.c: factors and solutions of stacks of matrices on ref and cpu: residuals, orthogonality, the gauge, what is
 * not read, and what is refused. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "poynting/poynting.h"
#include "tap.h"

static poy_ctx *ctx;
static poy_backend *be;

static poy_array *make(poy_dtype dtype, int rank, const int64_t *extent, const void *host)
{
    poy_array *a = NULL;
    if (poy_array_create(ctx, be, dtype, rank, extent, &a) != POY_OK || poy_array_write(ctx, a, host) != POY_OK)
        note("no array: %s", poy_ctx_message(ctx));
    return a;
}

/* C17 has no way to write this that all compilers take. */
static double complex pair(double re, double im)
{
    double z[2] = {re, im};
    double complex out;
    memcpy(&out, z, sizeof out);
    return out;
}

static double complex draw(int i)
{
    double u[2];
    poy_random_uniform2(11, 0, (uint64_t)i, u);
    return pair(2 * u[0] - 1, 2 * u[1] - 1);
}

enum { N = 7, M = 4, BATCH = 3 };

/* max |sum over k of x_ik y_kj - z_ij|; conjugate transposes where asked. */
static double residual(int m, int n, int k, const double complex *x, int adjoint_x, const double complex *y,
                       int adjoint_y, const double complex *z)
{
    double worst = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double complex sum = -z[i * n + j];
            for (int l = 0; l < k; l++)
                sum +=
                    (adjoint_x ? conj(x[l * m + i]) : x[i * k + l]) * (adjoint_y ? conj(y[j * k + l]) : y[l * n + j]);
            worst = fmax(worst, cabs(sum));
        }
    return worst;
}

static double from_unity(int m, int n, const double complex *x)
{
    double complex one[N * N] = {0};
    for (int i = 0; i < n; i++)
        one[i * n + i] = 1;
    return residual(n, n, m, x, 1, x, 0, one);
}

/* The entry of largest modulus in each of k columns is real and positive. */
static int in_gauge(int m, int width, int k, const double complex *x)
{
    for (int j = 0; j < k; j++) {
        int at = 0;
        for (int i = 1; i < m; i++)
            if (cabs(x[i * width + j]) > cabs(x[at * width + j]) * (1 + 1e-12))
                at = i;
        if (!(creal(x[at * width + j]) > 0 && fabs(cimag(x[at * width + j])) < 1e-14))
            return 0;
    }
    return 1;
}

static int is_refused(poy_status got, poy_status wanted, const poy_array *y)
{
    poy_ctx_clear(ctx);
    return got == wanted && !y;
}

static void eigenvectors(void)
{
    static double complex h[BATCH * N * N], v[BATCH * N * N], scaled[N * N];
    double w[BATCH * N], worst = 0, unity = 0;
    const int64_t shape[3] = {BATCH, N, N};
    int rises = 1, gauge = 1;
    poy_array *a = NULL, *pw = NULL, *pv = NULL, *only = NULL;

    for (int b = 0; b < BATCH; b++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++) {
                double complex z = draw((b * N + i) * N + j);
                h[(b * N + i) * N + j] = i == j ? creal(z) : z;
                h[(b * N + j) * N + i] = conj(h[(b * N + i) * N + j]);
            }
    a = make(POY_C128, 3, shape, h);
    ok(poy_eigh(ctx, a, &pw, &pv) == POY_OK && poy_array_read(ctx, pw, w) == POY_OK &&
           poy_array_read(ctx, pv, v) == POY_OK,
       "eigenvectors of %d matrices", BATCH);
    for (int b = 0; b < BATCH; b++) {
        const double complex *x = v + b * N * N;
        for (int i = 0; i < N * N; i++)
            scaled[i] = x[i] * w[b * N + i % N];
        worst = fmax(worst, residual(N, N, N, h + b * N * N, 0, x, 0, scaled));
        unity = fmax(unity, from_unity(N, N, x));
        gauge = gauge && in_gauge(N, N, N, x);
        for (int i = 1; i < N; i++)
            rises = rises && w[b * N + i] >= w[b * N + i - 1];
    }
    ok(worst < 8 * N * 0x1p-52 * 4, "a v = v w: %.2g", worst);
    ok(unity < 8 * N * 0x1p-52, "v is unitary: %.2g", unity);
    ok(rises && gauge, "eigenvalues rise, and the largest entries are real and positive");
    double alone[BATCH * N], differ = 0;
    ok(poy_eigh(ctx, a, &only, NULL) == POY_OK && poy_array_read(ctx, only, alone) == POY_OK, "eigenvalues alone");
    for (int i = 0; i < BATCH * N; i++)
        differ = fmax(differ, fabs(alone[i] - w[i]));
    ok(differ < 8 * N * 0x1p-52 * 4, "are the same: %.2g", differ);
    poy_array_destroy(&only);
    poy_array_destroy(&pv);
    poy_array_destroy(&pw);
    poy_array_destroy(&a);
    const double nan[4] = {1, 0, (double)NAN, 1};
    const int64_t two[2] = {2, 2}, none[2] = {0, 0};
    a = make(POY_F64, 2, two, nan);
    ok(is_refused(poy_eigh(ctx, a, &pw, &pv), POY_ERR_NONFINITE, pw), "NaN has no eigenvalues");
    ok(is_refused(poy_svd(ctx, a, 0, &pv, &pw, NULL), POY_ERR_NONFINITE, pw), "nor singular ones");
    ok(is_refused(poy_cholesky(ctx, a, &pw), POY_ERR_NOT_PD, pw), "nor is it positive definite");
    poy_array_destroy(&a);
    ok(poy_array_create(ctx, be, POY_F64, 2, none, &a) == POY_OK && poy_eigh(ctx, a, &pw, &pv) == POY_OK &&
           poy_array_size(pw) == 0 && poy_array_size(pv) == 0,
       "the eigenvalues of nothing are nothing");
    poy_array_destroy(&pv);
    poy_array_destroy(&pw);
    poy_array_destroy(&a);
}

static void singular_vectors(int m, int n, int full, int rank)
{
    static double complex a[N * N], u[N * N], vh[N * N], scaled[N * N];
    const int k = m < n ? m : n, wide = full ? m : k;
    double s[N] = {0};
    const int64_t shape[2] = {m, n};
    poy_array *pa = NULL, *pu = NULL, *ps = NULL, *pv = NULL;

    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = 0;
            for (int l = 0; l < rank; l++)
                a[i * n + j] += draw(1000 + i * N + l) * draw(2000 + l * N + j);
        }
    pa = make(POY_C128, 2, shape, a);
    ok(poy_svd(ctx, pa, full, &pu, &ps, &pv) == POY_OK && poy_array_read(ctx, pu, u) == POY_OK &&
           poy_array_read(ctx, ps, s) == POY_OK && poy_array_read(ctx, pv, vh) == POY_OK,
       "singular vectors of %d by %d, rank %d%s", m, n, rank, full ? ", full" : "");
    int falls = 1;
    for (int i = 1; i < k; i++)
        falls = falls && s[i] <= s[i - 1] && s[i] >= 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++)
            scaled[i * k + j] = u[i * wide + j] * s[j];
    double worst = residual(m, n, k, scaled, 0, vh, 0, a);
    ok(worst < 8 * N * 0x1p-52 * s[0], "u s vh = a: %.2g", worst / s[0]);
    ok(from_unity(m, wide, u) < 8 * N * 0x1p-52 && falls, "u has orthonormal columns, and s falls");
    double complex v[N * N];
    const int rows = full ? n : k;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            v[j * rows + i] = conj(vh[i * n + j]);
    ok(from_unity(n, rows, v) < 8 * N * 0x1p-52, "vh has orthonormal rows");
    ok(in_gauge(m, wide, rank < k ? rank : k, u), "the gauge holds");
    poy_array_destroy(&pv);
    poy_array_destroy(&ps);
    poy_array_destroy(&pu);
    poy_array_destroy(&pa);
}

static void solutions(void)
{
    static double complex a[BATCH * N * N], b[N * M], x[BATCH * N * M], l[N * N];
    const int64_t shape[3] = {BATCH, N, N}, right[2] = {N, M}, two[2] = {2, 2}, vector[1] = {2}, three[1] = {3};
    double worst = 0;
    poy_array *pa = NULL, *pb = NULL, *px = NULL;

    for (int i = 0; i < BATCH * N * N; i++)
        a[i] = draw(5000 + i) + (i % (N * N) % (N + 1) == 0 ? 3 : 0);
    for (int i = 0; i < N * M; i++)
        b[i] = draw(9000 + i);
    pa = make(POY_C128, 3, shape, a);
    pb = make(POY_C128, 2, right, b);
    ok(poy_solve(ctx, pa, pb, &px) == POY_OK && poy_array_read(ctx, px, x) == POY_OK, "one right side for a batch");
    for (int i = 0; i < BATCH; i++)
        worst = fmax(worst, residual(N, M, N, a + i * N * N, 0, x + i * N * M, 0, b));
    ok(worst < 8 * N * 0x1p-52 * 10, "a x = b: %.2g", worst);
    poy_array_destroy(&px);
    poy_array_destroy(&pb);
    poy_array_destroy(&pa);
    const double singular[4] = {1, 2, 2, 4}, ones[3] = {1, 1, 1}, lower[4] = {4, 7, 2, 5};
    pa = make(POY_F64, 2, two, singular);
    pb = make(POY_F64, 1, vector, ones);
    ok(is_refused(poy_solve(ctx, pa, pb, &px), POY_ERR_SINGULAR, px), "a singular matrix is refused");
    poy_array_destroy(&pb);
    pb = make(POY_F64, 1, three, ones);
    ok(is_refused(poy_solve(ctx, pa, pb, &px), POY_ERR_SHAPE, px), "three right sides for two rows");
    ok(is_refused(poy_cholesky(ctx, pb, &px), POY_ERR_SHAPE, px), "a vector has no factor");
    poy_array_destroy(&pb);
    poy_array_destroy(&pa);
    pa = make(POY_F64, 2, two, lower);
    ok(poy_cholesky(ctx, pa, &px) == POY_OK && poy_array_read(ctx, px, l) == POY_OK, "a factor of the lower triangle");
    const double *got = (const double *)l;
    ok(got[0] == 2 && got[1] == 0 && got[2] == 1 && got[3] == 2, "whatever the upper one holds");
    poy_array_destroy(&px);
    poy_array_destroy(&pa);
}

int main(void)
{
    static const char *const specs[] = {"ref", "cpu"};
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    for (int i = 0; i < 2; i++) {
        ok(poy_backend_open(ctx, specs[i], &be) == POY_OK, "on %s", specs[i]);
        eigenvectors();
        singular_vectors(N, M, 0, M);
        singular_vectors(M, N, 0, M);
        singular_vectors(N, M, 1, M);
        singular_vectors(M, N, 1, M);
        singular_vectors(N, N, 0, 3);
        solutions();
        poy_backend_close(&be);
        ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    }
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* test_small_matrices.c: LU and products of small matrices against their definitions in long double, and as LAPACK takes the factors. */
#include <math.h>
#include <string.h>

#include "core/cmplx.h"
#include "record/lapack.h"
#include "record/small.h"
#include "tap.h"

enum { N = POYI_SMALL_LU, M = POYI_SMALL_COLUMNS };

typedef long double complex wide;

/* n elements of either type, their parts in (-scale, scale). */
static void fill(poy_dtype dtype, uint64_t stream, int64_t n, double scale, double *x)
{
    const int64_t w = dtype == POY_C128 ? 2 : 1;
    for (int64_t i = 0; i < n; i++) {
        double u[2];
        poy_random_uniform2(7, stream, (uint64_t)i, u);
        for (int64_t k = 0; k < w; k++)
            x[w * i + k] = scale * (2 * u[k] - 1);
    }
}

static wide get(poy_dtype dtype, const double *x, int64_t i)
{
    return dtype == POY_C128 ? CMPLXL(x[2 * i], x[2 * i + 1]) : CMPLXL(x[i], 0);
}

/* The largest of |a - P L U| / (|L| |U|) for the matrix of LAPACK, a^T: at most gamma_n of complex arithmetic (Higham 2002, thm 9.3,
 * sec. 3.6). */
static double factor_error(poy_dtype dtype, int64_t n, const double *a, const double *lu, const int32_t *pivots)
{
    int64_t row[N]; /* of a, after the interchanges */
    double worst = 0;
    for (int64_t i = 0; i < n; i++)
        row[i] = i;
    for (int64_t k = 0; k < n; k++) {
        const int64_t r = row[k];
        row[k] = row[pivots[k] - 1];
        row[pivots[k] - 1] = r;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            wide sum = -get(dtype, a, j * n + row[i]);
            long double size = 0;
            for (int64_t k = 0; k <= i && k <= j; k++) {
                const wide l = k == i ? 1 : get(dtype, lu, k * n + i), u = get(dtype, lu, j * n + k);
                sum += l * u;
                size += cabsl(l) * cabsl(u);
            }
            worst = fmax(worst, (double)(cabsl(sum) / size));
        }
    return worst;
}

/* The largest of |b - op(a) x| / (n max|a| max|x|). */
static double residual(poy_dtype dtype, int adjoint, int64_t n, int64_t m, const double *a, const double *x,
                       const double *b)
{
    long double worst = 0, size_a = 0, size_x = 0;
    for (int64_t i = 0; i < n * n; i++)
        size_a = fmaxl(size_a, cabsl(get(dtype, a, i)));
    for (int64_t i = 0; i < n * m; i++)
        size_x = fmaxl(size_x, cabsl(get(dtype, x, i)));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            wide sum = -get(dtype, b, i * m + j);
            for (int64_t k = 0; k < n; k++)
                sum +=
                    (adjoint ? conjl(get(dtype, a, k * n + i)) : get(dtype, a, i * n + k)) * get(dtype, x, k * m + j);
            worst = fmaxl(worst, cabsl(sum));
        }
    return (double)(worst / ((long double)n * size_a * size_x));
}

static void systems(poy_dtype dtype, double scale)
{
    const char *type = poy_dtype_name(dtype);
    double a[2 * N * N], lu[2 * N * N], b[2 * N * M], x[2 * N * M], factors = 0, solved = 0, swaps = 0;
    int32_t pivots[N];
    for (int64_t n = 1; n <= N; n++)
        for (uint64_t s = 0; s < 8; s++) {
            fill(dtype, 100 * (uint64_t)n + s, n * n, scale, a);
            memcpy(lu, a, sizeof a);
            if (poyi_small_factor(dtype, n, lu, pivots) != 0)
                ok(0, "%s: no pivot is 0", type);
            for (int64_t k = 0; k < n; k++)
                swaps += pivots[k] != k + 1;
            factors = fmax(factors, factor_error(dtype, n, a, lu, pivots));
            for (int64_t m = 1; m <= M; m += 5)
                for (int adjoint = 0; adjoint < 2; adjoint++) {
                    fill(dtype, 10000 + s, n * m, scale, b);
                    memcpy(x, b, sizeof b);
                    poyi_small_solve(dtype, adjoint, n, m, lu, pivots, x);
                    solved = fmax(solved, residual(dtype, adjoint, n, m, a, x, b));
                }
        }
    const double eps = 0x1p-53;
    ok(swaps > 0, "%s x %g: rows were interchanged", type, scale);
    /* a product of complex numbers is right to sqrt(8) eps, and so is a division by the reciprocal within three such steps */
    ok(factors <= (N + 6) * 3 * eps, "%s x %g: P L U to %.1f eps of |L| |U|", type, scale, factors / eps);
    /* three such errors (Higham, thm 9.4), |L| |U| not far above |a| */
    ok(solved <= 3 * (N + 6) * 3 * eps, "%s x %g: residuals of a and its adjoint to %.1f eps", type, scale,
       solved / eps);
}

/* What LAPACK makes of the factors: the inverse. */
static void inverse(void)
{
    double a[2 * N * N], lu[2 * N * N], one[2 * N * N], work[2 * N * 64];
    int32_t pivots[N];
    double worst = 0;
    for (int64_t n = 1; n <= N; n++) {
        fill(POY_C128, (uint64_t)n, n * n, 1, a);
        for (int64_t i = 0; i < n; i++)
            a[2 * (i * n + i)] += 4; /* far from singular */
        memcpy(lu, a, sizeof a);
        ok(poyi_lu_factor(POY_C128, n, lu, pivots) == 0 && poyi_lu_invert_work(n) <= (size_t)N * 64, "n = %d", (int)n);
        poyi_lu_invert(n, lu, pivots, work);
        poyi_gemm(POY_C128, 'n', 'n', n, n, n, 1.0, a, lu, 0.0, one);
        for (int64_t i = 0; i < n * n; i++)
            worst = fmax(worst, (double)cabsl(get(POY_C128, one, i) - (i % (n + 1) == 0)));
    }
    ok(worst < 1e-14, "LAPACK inverts by these factors: %.1e", worst);
}

static void singular(void)
{
    double a[9] = {1, 2, 4, 2, 4, 8, 1, 0, 1}, zero[18] = {0},
           z[8] = {1, 1, 0, 2, 2, -2, 4, 0}; /* z: rows (1+i)(1, 1+i), -2i times that */
    int32_t p[3];
    ok(poyi_small_factor(POY_F64, 3, a, p) == 2, "a row twice another: the second pivot is 0");
    ok(poyi_small_factor(POY_C128, 3, zero, p) == 1, "zeros: the first is");
    ok(poyi_small_factor(POY_C128, 2, z, p) == 2, "and of complex rows");
    ok(poyi_small_factor(POY_C128, 0, zero, p) == 0, "no rows, no pivot");
}

static wide operand(poy_dtype dtype, char op, const double *x, int64_t rows, int64_t columns, int64_t i, int64_t j)
{
    if (op == 'n')
        return get(dtype, x, i * columns + j);
    const wide v = get(dtype, x, j * rows + i);
    return op == 'c' ? conjl(v) : v;
}

static void products(poy_dtype dtype)
{
    static const char ops[] = {'n', 't', 'c'};
    double a[2 * 64], b[2 * 64], c[2 * 64], before[2 * 64], worst = 0;
    for (int64_t code = 0; code < 5 * 5 * 5 * 9; code++) {
        const int64_t m = code % 5, n = code / 5 % 5, k = code / 25 % 5;
        const char x = ops[code / 125 % 3], y = ops[code / 375];
        const double beta = code % 2 ? -0.5 : 0.0;
        fill(dtype, 1, m * k, 1, a);
        fill(dtype, 2, k * n, 1, b);
        fill(dtype, 3, m * n, 1, before);
        memcpy(c, before, sizeof c);
        for (int64_t i = 0; beta == 0.0 && i < 2 * 64; i++)
            c[i] = nan("");
        poyi_gemm(dtype, x, y, m, n, k, 2.0, a, b, beta, c);
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++) {
                wide sum = (long double)beta * get(dtype, before, i * n + j) - get(dtype, c, i * n + j);
                for (int64_t l = 0; l < k; l++)
                    sum += 2 * operand(dtype, x, a, m, k, i, l) * operand(dtype, y, b, k, n, l, j);
                worst = isnan((double)cabsl(sum)) ? HUGE_VAL : fmax(worst, (double)cabsl(sum));
            }
    }
    /* sums of up to 4 products of numbers below sqrt(2), doubled: 16, each with sqrt(8) + 4 eps */
    ok(worst < 16 * 7 * 0x1p-53, "%s: products of every kind and extent: %.1e", poy_dtype_name(dtype), worst);
}

int main(void)
{
    const poy_dtype dtypes[] = {POY_F64, POY_C128};
    const double scales[] = {1, 0x1p-1010,
                             0x1p+1010}; /* the reciprocal of a pivot is no normal number in the last two */
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            systems(dtypes[i], scales[k]);
        products(dtypes[i]);
    }
    inverse();
    singular();
    return tap_done();
}

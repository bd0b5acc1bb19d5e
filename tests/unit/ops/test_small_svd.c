/* test_small_svd.c: thousands of small matrices with singular values from 1 down to eps, or to 0: products and vectors within
 * 8 max(m, n) eps, the gauge, complete bases. LAPACK's bidiagonal iteration alone neglects up to 49 eps of such matrices. */
#include "array_fixture.h"
#include "core/cmplx.h"
#include "poynting/linalg.h"

enum { MOST = 9, COUNT = 400 };

typedef struct dense {
    long double complex a[MOST][MOST];
} dense;

static double uniform(uint64_t stream, int i)
{
    double u[2];
    poy_random_uniform2(17, stream, (uint64_t)i, u);
    return u[0];
}

/* x - 2 v v^H x, of rows 0..m-1 and columns 0..n-1, v of length 1. */
static void reflect(dense *x, int m, int n, uint64_t stream, int is_complex)
{
    long double complex v[MOST];
    long double squares = 0;
    for (int i = 0; i < m; i++) {
        v[i] = CMPLXL(uniform(stream, 2 * i) - 0.5, is_complex ? uniform(stream, 2 * i + 1) - 0.5 : 0);
        squares += creall(v[i] * conjl(v[i]));
    }
    for (int j = 0; j < n; j++) {
        long double complex along = 0;
        for (int i = 0; i < m; i++)
            along += conjl(v[i]) * x->a[i][j];
        for (int i = 0; i < m; i++)
            x->a[i][j] -= 2 * v[i] * along / squares;
    }
}

static dense turned(const dense *x)
{
    dense y = {{{0}}};
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            y.a[i][j] = conjl(x->a[j][i]);
    return y;
}

/* Two reflections from either side of a diagonal whose entries fall by one factor each; every fifth loses its last, every
 * twentieth all, and every third is large or small, so that squares overflow or vanish;
 * of every seventh two rows are equal, of another two columns. */
static void draw(int m, int n, int number, int is_complex, dense *x)
{
    const int k = m < n ? m : n, rank = number % 20 == 19 ? 0 : number % 5 == 4 ? k - 1 : k;
    const uint64_t stream = (uint64_t)(number * MOST * MOST + m * MOST + n) * 8;
    const double grade = 52 * uniform(stream, 0);
    memset(x, 0, sizeof *x);
    for (int i = 0; i < rank; i++)
        x->a[i][i] = exp2(-grade * i / (k > 1 ? k - 1 : 1)) * exp2(number % 3 ? 0 : 700 * (uniform(stream, 1) * 2 - 1));
    reflect(x, m, n, stream + 1, is_complex);
    reflect(x, m, n, stream + 2, is_complex);
    *x = turned(x);
    reflect(x, n, m, stream + 3, is_complex);
    reflect(x, n, m, stream + 4, is_complex);
    *x = turned(x);
    for (int j = 0; j < MOST && number % 7 == 6 && m > 1; j++)
        x->a[1][j] = x->a[0][j];
    for (int i = 0; i < MOST && number % 7 == 5 && n > 1; i++)
        x->a[i][1] = x->a[i][0];
}

static dense of_parts(const double *from, int parts, int m, int n)
{
    dense x = {{{0}}};
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++, from += parts)
            x.a[i][j] = CMPLXL(from[0], parts == 2 ? from[1] : 0);
    return x;
}

/* max |x^H x - 1| of n columns, or of as many rows. */
static double from_unity(const dense *x, int n)
{
    const dense y = turned(x);
    long double worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long double complex sum = i == j ? -1 : 0;
            for (int l = 0; l < MOST; l++)
                sum += y.a[i][l] * x->a[l][j];
            worst = fmaxl(worst, cabsl(sum));
        }
    return (double)worst;
}

static double residual(const dense *u, const double *s, const dense *vh, const dense *a, int k)
{
    long double worst = 0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            long double complex sum = -a->a[i][j];
            for (int l = 0; l < k; l++)
                sum += u->a[i][l] * s[l] * vh->a[l][j];
            worst = fmaxl(worst, cabsl(sum));
        }
    return (double)worst;
}

/* The entry of largest modulus of each of k columns is real and positive, or one that is as large within 1e-4: of equal rows
 * two are as large but for rounding, which small singular values make large. */
static int in_gauge(const dense *u, int m, int k)
{
    int is_so = 1;
    for (int c = 0; c < k; c++) {
        long double largest = 0;
        int found = 0;
        for (int i = 0; i < m; i++)
            largest = fmaxl(largest, cabsl(u->a[i][c]));
        for (int i = 0; i < m; i++)
            found = found || (creall(u->a[i][c]) >= largest * (1 - 1e-4L) && fabsl(cimagl(u->a[i][c])) < 1e-14L);
        is_so = is_so && found;
    }
    return is_so;
}

static double matrices[COUNT * MOST * MOST * 2], left[COUNT * MOST * MOST * 2], right[COUNT * MOST * MOST * 2],
    singular[COUNT * MOST];

static void shape(poy_dtype dtype, int m, int n, int full)
{
    const int parts = dtype == POY_C128 ? 2 : 1, k = m < n ? m : n, wide = full ? m : k, high = full ? n : k;
    const int64_t extent[3] = {COUNT, m, n};
    const double unit = 8 * (m > n ? m : n) * 0x1p-52;
    double product = 0, basis = 0;
    int gauge = 1, falls = 1;
    for (int b = 0; b < COUNT; b++) {
        dense x;
        draw(m, n, b, parts == 2, &x);
        for (int i = 0; i < m * n; i++) {
            matrices[(b * m * n + i) * parts] = (double)creall(x.a[i / n][i % n]);
            if (parts == 2)
                matrices[(b * m * n + i) * parts + 1] = (double)cimagl(x.a[i / n][i % n]);
        }
    }
    poy_array *a = make(dtype, 3, extent, matrices), *u = NULL, *s = NULL, *vh = NULL;
    MUST(poy_svd(ctx, a, full, &u, &s, &vh));
    MUST(poy_array_read(ctx, u, left));
    MUST(poy_array_read(ctx, s, singular));
    MUST(poy_array_read(ctx, vh, right));
    for (int b = 0; b < COUNT; b++) {
        const dense given = of_parts(matrices + (ptrdiff_t)b * m * n * parts, parts, m, n),
                    x = of_parts(left + (ptrdiff_t)b * m * wide * parts, parts, m, wide),
                    y = of_parts(right + (ptrdiff_t)b * high * n * parts, parts, high, n), z = turned(&y);
        const double *values = singular + (ptrdiff_t)b * k, size = values[0] > 0 ? values[0] : 1;
        product = fmax(product, residual(&x, values, &y, &given, k) / size);
        basis = fmax(basis, fmax(from_unity(&x, wide), from_unity(&z, high)));
        gauge = gauge && in_gauge(&x, m, k);
        for (int i = 1; i < k; i++)
            falls = falls && values[i] <= values[i - 1] && values[i] >= 0;
    }
    ok(product <= unit && basis <= unit, "%s, %d by %d%s: products and vectors to %.2g, %.2g of the bound",
       poy_dtype_name(dtype), m, n, full ? ", all vectors" : "", product / unit, basis / unit);
    ok(gauge && falls, "in the gauge, values fall");
    poy_array_destroy(&vh);
    poy_array_destroy(&s);
    poy_array_destroy(&u);
    poy_array_destroy(&a);
}

static void all(void)
{
    static const int shapes[][2] = {{1, 1}, {2, 2}, {3, 3}, {4, 3}, {3, 4}, {5, 3}, {1, 6},
                                    {6, 1}, {4, 4}, {5, 5}, {2, 8}, {8, 2}, {8, 8}, {9, 9}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int full = 0; full < 2; full++) {
            shape(POY_F64, shapes[i][0], shapes[i][1], full);
            shape(POY_C128, shapes[i][0], shapes[i][1], full);
        }
}

int main(void)
{
    return on_each_backend(all);
}

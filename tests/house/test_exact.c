/* test_exact.c: products in strict code are rounded as written: x y - y x is 0. */
#include "tap.h"

enum { N = 1003 }; /* a remainder after any vector length */

typedef void products(size_t n, const double *x, const double *y, const double *u, const double *v, double *out);
products exact_strict, exact_ordinary; /* exact.c */

static int count_nonzero(products *f)
{
    static double x[N], y[N], out[N];
    int count = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 1 + 1 / (i + 3.0);
        y[i] = 1 / (i + 7.0);
    }
    f(N, x, y, x, y, out);
    for (int i = 0; i < N; i++)
        count += out[i] != 0;
    return count;
}

int main(void)
{
    ok(count_nonzero(exact_strict) == 0, "strict code: x y - y x is 0");
#ifdef __x86_64__
    if (__builtin_cpu_supports("fma"))
        ok(count_nonzero(exact_ordinary) > N / 2, "kernel code contracts, so the check above can fail");
#endif
    return tap_done();
}

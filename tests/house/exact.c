/* exact.c: x v - y u, compiled as strict code (-> exact_strict) and as a kernel (-> exact_ordinary). For u = x, v = y it
 * is 0; with an FMA one product is rounded and the other is not, and the difference is the rounding error. (Written with
 * x and y alone, gcc sees one product.) */
#include <stddef.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

void JOIN(exact_, KIND)(size_t n, const double *x, const double *y, const double *u, const double *v, double *out);

void JOIN(exact_, KIND)(size_t n, const double *x, const double *y, const double *u, const double *v, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = x[i] * v[i] - y[i] * u[i];
}

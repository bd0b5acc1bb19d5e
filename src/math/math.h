/* math.h: host mathematics without arrays of the seam: quadrature, real Bessel functions and their zeros, Chebyshev
 * series, cubic splines, roots, and the real gamma family. */
#ifndef POYI_MATH_H
#define POYI_MATH_H

#include "poynting/base.h"

#define POYI_PIL 3.141592653589793238462643383279502884L /* pi; in double precision it is POYI_PI of core/constants.h */

/* ---- quadrature (quadrature.c) ---- */

enum { POYI_GAUSS_MAX = 512 };

/* Gauss-Legendre rule on [-1, 1]: x[n] rising, w[n] > 0, sum w = 2; exact for polynomials of degree 2 n - 1. Nodes and
 * weights to 1 ulp, symmetric to the bit; x[(n - 1) / 2] = 0 for odd n.
 * Errors: POY_ERR_ARGUMENT (n outside 1..POYI_GAUSS_MAX). Source: Newton's method, DLMF 3.5.19-20 and 18.16.6. */
poy_status poyi_gauss_legendre(poy_ctx *ctx, int n, double *x, double *w);

/* ---- real Bessel functions (bessel_real.c, bessel_zero.c) ---- */

/* J_n(x) of integer order -10000..10000 and real |x| <= 1e8, relative error below 1e-15 also beside the zeros (1e-19 of the
 * amplitude). NaN outside. */
double poyi_bessel_jn(int n, double x);
/* The m-th positive zero j_{n,m} of J_n, n in 0..10000, m in 1..100000; NaN outside. Error <= 1 ulp.
 * Source: Olver's uniform first term (DLMF 10.21.41), then Newton's method on J_n. */
double poyi_bessel_zero(int n, int m);

/* ---- Chebyshev series (chebyshev.c, chebyshev_strict.c) ---- */

typedef double poyi_function(void *user, double x);

/* Coefficients c[n] of the polynomial of degree n - 1 that meets f at the n Chebyshev points (first kind) of [a, b]:
 * f(x) ~ sum_k c_k T_k((2 x - a - b) / (b - a)); c_0 counts whole.
 * Errors: POY_ERR_ARGUMENT (n < 1, a >= b), POY_ERR_NONFINITE (f at a node). Source: DLMF 3.11.7-10. */
poy_status poyi_chebyshev_fit(poy_ctx *ctx, poyi_function *f, void *user, double a, double b, int n, double *c);
/* Its value at x by Clenshaw's sum; backward stable to a few eps sum |c_k| inside [a, b]. */
double poyi_chebyshev_eval(int n, const double *c, double a, double b, double x);
/* Coefficients d[n] of its derivative with respect to x (d[n - 1] = 0); d may be c. */
void poyi_chebyshev_derivative(int n, const double *c, double a, double b, double *d);

/* ---- cubic splines (spline.c) ---- */

typedef struct poyi_spline poyi_spline;
typedef enum poyi_spline_ends {
    POYI_SPLINE_NATURAL,    /* second derivative 0 at both ends */
    POYI_SPLINE_NOT_A_KNOT, /* third derivative continuous at the second and the last but one point */
} poyi_spline_ends;

/* Interpolating C2 cubic through (x[i], y[i]), x rising; copies both. n >= 2 (natural), n >= 4 (not-a-knot).
 * Errors: POY_ERR_ARGUMENT (too few points, x not rising), POY_ERR_NONFINITE. Source: de Boor (1978), ch. IV. */
poy_status poyi_spline_create(poy_ctx *ctx, poyi_spline_ends ends, size_t n, const double *x, const double *y,
                              poyi_spline **out);
void poyi_spline_destroy(poyi_spline **spline);
/* Value and first derivative at x; outside the points the end cubics go on. Equally spaced points are found in O(1). */
double poyi_spline_eval(const poyi_spline *spline, double x);
double poyi_spline_slope(const poyi_spline *spline, double x);
/* Second (order 2) and third (order 3) derivative; the third is constant between points. NaN for another order. */
double poyi_spline_derivative(const poyi_spline *spline, int order, double x);

/* ---- roots (root.c) ---- */

/* A root of f in [a, b] where f changes sign, to |root error| <= tol + 4 eps |root| (tol may be 0).
 * Errors: POY_ERR_ARGUMENT (no change of sign, a >= b), POY_ERR_NONFINITE (f is not a number somewhere).
 * Source: Brent (1973), ch. 4. */
poy_status poyi_root_brent(poy_ctx *ctx, poyi_function *f, void *user, double a, double b, double tol, double *root);

/* ---- the real gamma family (gamma_real.c) ---- */

/* log |Gamma(x)|, relative error below 1e-15 also beside x = 1 and 2; +inf at the poles. Touches no global. */
double poyi_lgamma(double x);
/* Gamma(x); NaN at the poles 0, -1, ...; +inf where it overflows. */
double poyi_gamma(double x);
/* F(x) = exp(-x^2) int_0^x exp(t^2) dt, relative error below 1e-15. Source: Rybicki (1989); DLMF 7.2.5. */
double poyi_dawson(double x);
/* 1F1(1; b; -x) for b >= 1, x >= 0, relative error below 1e-15. Source: DLMF 13.2.39 (Kummer), 13.7.2. */
double poyi_kummer_1(double b, double x);

#endif

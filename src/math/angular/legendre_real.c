/* legendre_real.c: Ferrers functions P_v^m(x) of real degree and integer order. */
#include <stdlib.h>

#include "math/angular/legendre.h"
#include "math/batch.h"
#include "math/math.h"
#include "poynting/special.h"

/* Digamma of any x that is no pole: shifted to x >= 16, then DLMF 5.11.2. */
static poyi_xreal digamma(poyi_xreal x)
{
    static const poyi_xreal b[] = {1.0L / 12.0L,  -1.0L / 120.0L,     1.0L / 252.0L, -1.0L / 240.0L,
                                   1.0L / 132.0L, -691.0L / 32760.0L, 1.0L / 12.0L,  -3617.0L / 8160.0L};
    poyi_xreal sum = 0.0L, tail = 0.0L;
    for (; x < 16.0L; x += 1.0L)
        sum -= 1.0L / x;
    for (int k = 7; k >= 0; k--)
        tail = (tail + b[k]) / (x * x);
    return sum + logl(x) - 0.5L / x - tail;
}

/* Q_v(x) for x >= 0, -1/2 < v < 2 no integer, in s = (1 - x) / 2 <= 1/2: the logarithmic case of 2F1 (DLMF 15.8.10),
 * with P_v(-x) = cos(pi v) P_v(x) - (2 / pi) sin(pi v) Q_v(x) taken apart by the reflection of digamma. */
static poyi_xreal second_kind(poyi_xreal v, poyi_xreal s)
{
    poyi_xreal term = 1.0L, sum = 0.0L;
    for (int k = 0; k < 200; k++) {
        const poyi_xreal part =
            term * (2.0L * digamma(k + 1.0L) - digamma(v + 1.0L - k) - digamma(k + v + 1.0L) - logl(s));
        sum += part;
        if (k > 2 && fabsl(part) < 1e-22L * fabsl(sum))
            break;
        term *= (k - v) * (k + v + 1.0L) / ((k + 1.0L) * (k + 1.0L)) * s;
    }
    return sum / 2.0L;
}

/* Q_v^m(x), m >= 0, 0 <= x < 1: upwards in the degree from v - floor(v), then in the order, in both of which it is no
 * smaller than P (DLMF 14.10.3, 14.10.1). */
static poyi_xreal second_kind_of_order(poyi_xreal v, int m, poyi_xreal x)
{
    const poyi_xreal f = v < 0.0L ? v : v - floorl(v), s = (1.0L - x) / 2.0L, w = sqrtl((1.0L - x) * (1.0L + x));
    const int steps = v < 0.0L ? 0 : (int)floorl(v);
    poyi_xreal here = second_kind(f, s), above = second_kind(f + 1.0L, s);
    for (int i = 1; i <= steps; i++) { /* here: degree f + i - 1 */
        const poyi_xreal k = f + i, next = ((2.0L * k + 1.0L) * x * above - k * here) / (k + 1.0L);
        here = above;
        above = next;
    }
    poyi_xreal before = here, q = -(v + 1.0L) * (x * here - above) / w; /* Q^0 and Q^1 = -w dQ/dx */
    if (m == 0)
        return before;
    for (int k = 0; k + 1 < m; k++) {
        const poyi_xreal next = -2.0L * (k + 1) * x / w * q - (v - k) * (v + k + 1.0L) * before;
        before = q;
        q = next;
    }
    return q;
}

/* P_v^m / w^m for m >= v as a series of terms of one sign (DLMF 14.3.1 and 15.2.1), s = (1 - x) / 2 <= 1/2. */
static poyi_xreal high_order(poyi_xreal v, int m, poyi_xreal s)
{
    poyi_xreal term = 1.0L, sum = 1.0L, front = m % 2 ? -1.0L : 1.0L;
    for (int k = 0; k < 5000 && fabsl(term) > 1e-22L * fabsl(sum); k++) {
        term *= (m - v + k) * (m + v + 1.0L + k) / ((m + 1.0L + k) * (k + 1.0L)) * s;
        sum += term;
    }
    for (int k = 1 - m; k <= m; k++) /* Gamma(v + m + 1) / Gamma(v - m + 1) */
        front *= v + k;
    for (int k = 1; k <= m; k++)
        front /= 2.0L * k;
    return front * sum;
}

/* m >= 0, x >= 0: downwards in the order from above the degree. */
static poyi_xreal right(poyi_xreal v, int m, poyi_xreal x)
{
    const poyi_xreal s = (1.0L - x) / 2.0L, square = (1.0L - x) * (1.0L + x);
    const int top = m > (int)ceill(v) ? m : (int)ceill(v);
    poyi_xreal above = high_order(v, top + 1, s), r = high_order(v, top, s);
    for (int k = top - 1; k >= m; k--) {
        const poyi_xreal next = -(square * above + 2.0L * (k + 1) * x * r) / ((v - k) * (v + k + 1.0L));
        above = r;
        r = next;
    }
    return r * powl(sqrtl(square), m);
}

/* v no integer, v > -1/2, any m. */
static poyi_xreal fractional(poyi_xreal v, int m, poyi_xreal x)
{
    const int order = abs(m);
    poyi_xreal p = right(v, order, fabsl(x));
    if (x < 0.0L) { /* P(-x) = (-1)^m (cos(pi v) P(x) - (2 / pi) sin(pi v) Q(x)), DLMF 14.9.10 */
        poyi_xreal cosine, sine;
        poyi_cossin_pi(v, &cosine, &sine);
        p = cosine * p - 2.0L / POYI_PIL * sine * second_kind_of_order(v, order, -x);
        p = order % 2 ? -p : p;
    }
    if (m < 0) { /* P^{-m} = (-1)^m Gamma(v - m + 1) / Gamma(v + m + 1) P^m (DLMF 14.9.3) */
        for (int k = 1 - order; k <= order; k++)
            p /= v + k;
        p = order % 2 ? -p : p;
    }
    return p;
}

typedef struct request {
    const int64_t *m;
    const double *v, *x;
    double *out;
} request;

static int element(void *user, size_t i)
{
    const request *r = user;
    const double v = r->v[i] < -0.5 ? -r->v[i] - 1.0 : r->v[i];
    const int m = (int)r->m[i];
    if (v != floor(v)) {
        r->out[i] = (double)fractional((poyi_xreal)v, m, (poyi_xreal)r->x[i]);
        return isinf(r->out[i]);
    }
    double complex value;
    const poyi_angular a =
        poyi_angular_functions((int)v, m, (poyi_xreal)r->x[i], poyi_sine_of_cosine(CMPLX(r->x[i], 0.0)));
    const int beyond = poyi_big_round(a.p, &value);
    r->out[i] = creal(value);
    return beyond;
}

poy_status poy_sf_lpmv_real(poy_ctx *ctx, size_t n, const int64_t *m, const double *v, const double *x, double *out)
{
    request r = {.m = m, .v = v, .x = x};
    r.out = out;
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, "lpmv_real", "x", n, x));
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(v[i]) <= POYI_DEGREE_MAX) || llabs(m[i]) > POYI_DEGREE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "lpmv_real: element %zu has degree %g and order %lld, needs both within %d", i, v[i],
                             (long long)m[i], POYI_DEGREE_MAX);
        if (v[i] != floor(v[i]) && !(x[i] > -1.0 && x[i] <= 1.0))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "lpmv_real: x[%zu] = %.17g, needs -1 < x <= 1 where the degree (%g) is no integer", i,
                             x[i], v[i]);
        if (fabs(x[i]) > 1.0 && m[i] % 2 != 0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lpmv_real: not real at x[%zu] = %.17g for odd m = %lld, use lpmv",
                             i, x[i], (long long)m[i]);
    }
    return poyi_batch(ctx, "lpmv_real", n, element, &r);
}

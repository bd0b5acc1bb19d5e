/* gamma_real.c: real gamma function and its logarithm, Dawson's integral and 1F1(1; b; -x), in extended precision
 * inside so that the results are right to the last place or two. */
#include <math.h>

#include "math/math.h"

/* Stirling's series for log Gamma(x), x >= 20 (DLMF 5.11.1): its tenth term is below 1e-25. */
static long double stirling(long double x)
{
    static const long double b[] = {1.0L / 12.0L,   -1.0L / 360.0L,      1.0L / 1260.0L, -1.0L / 1680.0L,
                                    1.0L / 1188.0L, -691.0L / 360360.0L, 1.0L / 156.0L,  -3617.0L / 122400.0L};
    const long double y = 1.0L / (x * x);
    long double sum = 0.0L;
    for (int k = 7; k >= 0; k--)
        sum = sum * y + b[k];
    return (x - 0.5L) * logl(x) - x + 0.918938533204672741780329736405617639861L + sum / x;
}

/* log Gamma(1 + d) for |d| <= 0.2 (DLMF 5.7.3); coefficients zeta(k) / k. */
static long double near_one(long double d)
{
    static const long double z[] = {
        0.8224670334241132182362076L,  0.4006856343865314284665794L,  0.2705808084277845478790009L,
        0.2073855510286739852662731L,  0.1695571769974081899524197L,  0.1440498967688461181199711L,
        0.1255096695247430424223357L,  0.1113342658695646904908725L,  0.1000994575127818085337146L,
        0.0909540171458290422326093L,  0.0833538405461090040248865L,  0.07693251641135219147282706L,
        0.07143294629536133605923275L, 0.06666870588242046803290345L, 0.06250095514121304074198329L,
        0.05882397865868458233895727L, 0.05555576762740361110221425L, 0.05263167937961666073362767L,
        0.05000004769810169363980566L, 0.04761907033014222799078396L, 0.04545455629320466944240864L,
        0.043478266053040259361351L,   0.04166666915034121046914498L, 0.04000000119214014058609121L,
        0.03846153903467518570634774L, 0.03703703703731298932554946L};
    long double sum = 0.0L;
    for (int k = 25; k >= 0; k--)
        sum = z[k] - d * sum;
    return d * (d * sum - 0.577215664901532860606512090082402431042L);
}

/* x (x + 1) ... up to the first argument >= 20, which replaces x. */
static long double shift_up(long double *x)
{
    long double product = 1.0L;
    while (*x < 20.0L) {
        product *= *x;
        *x += 1.0L;
    }
    return product;
}

/* sin(pi x) with the argument reduced exactly. */
static long double sine_pi(long double x)
{
    const long double r = remainderl(x, 2.0L);
    return fabsl(r) > 0.5L ? sinl(POYI_PIL * (copysignl(1.0L, r) - r)) : sinl(POYI_PIL * r);
}

/* x >= 0.5 */
static long double log_gamma_right(long double x)
{
    if (fabsl(x - 1.0L) <= 0.2L)
        return near_one(x - 1.0L);
    if (fabsl(x - 2.0L) <= 0.2L)
        return log1pl(x - 2.0L) + near_one(x - 2.0L);
    const long double product = shift_up(&x);
    return stirling(x) - logl(product);
}

static long double log_gamma(long double x)
{
    if (x >= 0.5L)
        return log_gamma_right(x);
    const long double s = fabsl(sine_pi(x));
    return s == 0.0L ? (long double)INFINITY : logl(POYI_PIL / s) - log_gamma_right(1.0L - x);
}

double poyi_lgamma(double x)
{
    return (double)log_gamma((long double)x);
}

double poyi_gamma(double x)
{
    if (x > 171.7)
        return (double)INFINITY;
    if (x <= 0.0 && x == floor(x))
        return (double)NAN;
    if (x < 0.5) {
        if (x < -185.0) /* below the smallest subnormal */
            return sine_pi((long double)x) > 0.0L ? 0.0 : -0.0;
        long double y = 1.0L - (long double)x;
        const long double product = shift_up(&y);
        return (double)(POYI_PIL / (sine_pi((long double)x) * expl(stirling(y)) / product));
    }
    long double y = (long double)x;
    const long double product = shift_up(&y);
    return (double)(expl(stirling(y)) / product);
}

/* The power series (DLMF 7.6.3), the trapezoidal sum of Rybicki with spacing 0.2 (error exp(-(pi / 0.4)^2) = 1e-27),
 * or the asymptotic series, whose smallest term is exp(-x^2). */
double poyi_dawson(double value)
{
    const long double x = fabsl((long double)value), h = 0.2L;
    long double f;
    if (x < 0.5L) {
        long double term = x, sum = x;
        for (int k = 1; k < 40 && fabsl(term) > 1e-21L * fabsl(sum); k++)
            sum += term *= -2.0L * x * x / (2 * k + 1);
        f = sum;
    } else if (x < 7.5L) {
        const int centre = 2 * (int)(x / (2.0L * h) + 0.5L);
        long double sum = 0.0L;
        for (int k = centre - 35; k <= centre + 35; k += 2) /* odd numbers */
            sum += expl(-(x - k * h) * (x - k * h)) / k;
        f = sum / sqrtl(POYI_PIL);
    } else {
        long double term = 1.0L, sum = 1.0L;
        for (int k = 1; k < 50 && term > 1e-21L; k++)
            sum += term *= (2 * k - 1) / (2.0L * x * x);
        f = sum / (2.0L * x);
    }
    return copysign((double)f, value);
}

/* Kummer's transformation gives a series of positive terms; beyond x = 60 + b^2 / 2 the asymptotic series is shorter. */
double poyi_kummer_1(double b, double x)
{
    const long double B = (long double)b, X = (long double)x;
    long double term = 1.0L, sum = 1.0L;
    if (!(b >= 1.0) || !(x >= 0.0))
        return (double)NAN;
    if (b == 1.0)
        return exp(-x);
    if (X > 60.0L + B * B / 2.0L) {
        for (int k = 0; k < 200 && fabsl(term) > 1e-21L * fabsl(sum); k++)
            sum += term *= (2.0L - B + k) / X;
        return (double)((B - 1.0L) / X * sum);
    }
    for (int k = 0; term > 1e-21L * sum; k++) { /* M(b - 1, b, x) */
        term *= X / (k + 1);
        sum += term * ((B - 1.0L) / (B + k));
    }
    return (double)(expl(-X) * sum);
}

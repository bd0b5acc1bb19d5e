/* ppt.c: the PPT ionisation rate and its sum over photon numbers. The formula and its symbols are those of
 * poy_ionisation_rate in poynting/media.h. */
#include <math.h>

#include "core/constants.h"
#include "math/math.h"
#include "media/ionisation.h"

static double factorial(int n)
{
    double value = 1.0;
    for (int i = 2; i <= n; i++)
        value *= i;
    return value;
}

double poyi_ppt_integral(int m, double alpha, double beta)
{
    return 0.5 * sqrt(POYI_PI) * factorial(m) * pow(beta / (alpha + beta), m) / (alpha + beta) * sqrt(beta / alpha);
}

/* int_0^end exp(-alpha s) phi(sqrt(beta s)) ds, with s = x^2/beta an integral of an entire function. */
static double start_integral(const poy_ionisation *it, const poyi_phi *phi, double alpha, double beta, double end)
{
    const double half = 0.5 * sqrt(beta * end);
    double sum = 0.0;
    for (int i = 0; i < POYI_PPT_GAUSS; i++) {
        double x = half * (1.0 + it->gauss_x[i]);
        sum += it->gauss_w[i] * x * exp(-alpha * x * x / beta) * poyi_phi_at(phi, x);
    }
    return 2.0 * half * sum / beta;
}

/* What a sum of g(s), g(s + 1), ... exceeds the integral of g from s on by: Gregory's formula in the forward
 * differences of its first terms; the next coefficient is 7e-3 and the differences of order 9 at s >= 64 are below
 * 9!/64^9 of g. Source: Hildebrand (1974), sec. 5.9. */
static double gregory(double *g)
{
    static const double coefficient[9] = {1.0 / 2.0,       -1.0 / 12.0,          1.0 / 24.0,
                                          -19.0 / 720.0,   3.0 / 160.0,          -863.0 / 60480.0,
                                          275.0 / 24192.0, -33953.0 / 3628800.0, 8183.0 / 1036800.0};
    double sum = 0.0;
    for (int order = 0; order < 9; order++) {
        sum += coefficient[order] * g[0];
        for (int i = 0; i + order < 8; i++)
            g[i] = g[i + 1] - g[i];
    }
    return sum;
}

static double term_at(const poyi_phi *phi, double alpha, double beta, double s)
{
    return exp(-alpha * s) * poyi_phi_at(phi, sqrt(beta * s));
}

static double explicit_sum(const poyi_phi *phi, double alpha, double beta, double first, double tolerance)
{
    const double shrink = exp(-alpha), rest = shrink / (1.0 - shrink);
    double sum = 0.0;
    for (int i = 0;; i++) {
        double s = first + i, x = sqrt(beta * s), decay = exp(-alpha * s), value = poyi_phi_at(phi, x);
        sum += decay * value;
        /* The terms that follow are at most decay shrink^j max(phi beyond x). */
        if (decay * (x < phi->top_at ? phi->top : value) * rest <= tolerance * sum || decay == 0.0)
            return sum;
    }
}

double poyi_ppt_sum(const poy_ionisation *it, const poyi_phi *phi, double alpha, double beta, double first,
                    double tolerance)
{
    /* Terms until exp(-alpha s) falls to the tolerance: few, or as many as the rest costs. */
    if (log(1.0 / tolerance) < alpha * 4 * POYI_PPT_EXPLICIT)
        return explicit_sum(phi, alpha, beta, first, tolerance);
    double sum = 0.0, next[9] = {0.0};
    for (int i = 0; i < POYI_PPT_EXPLICIT; i++)
        sum += term_at(phi, alpha, beta, first + i);
    for (int i = 0; i < 9; i++)
        next[i] = term_at(phi, alpha, beta, first + POYI_PPT_EXPLICIT + i);
    const double tail =
        poyi_ppt_integral(phi->m, alpha, beta) - start_integral(it, phi, alpha, beta, first + POYI_PPT_EXPLICIT);
    return sum + tail + gregory(next);
}

/* asinh g - g/sqrt(1 + g^2); below 0.03 its series, where the difference loses 3/g^2. */
static double half_alpha(double g)
{
    static const double c[6] = {1.0 / 3.0, -3.0 / 10.0, 15.0 / 56.0, -35.0 / 144.0, 315.0 / 1408.0, -693.0 / 3328.0};
    if (g >= 0.03)
        return asinh(g) - g / hypot(1.0, g);
    double sum = 0.0;
    for (int k = 5; k >= 0; k--)
        sum = sum * g * g + c[k];
    return sum * g * g * g;
}

double poyi_ppt_log_rate(const poy_ionisation *it, double field)
{
    const poy_ionisation_options *o = &it->options;
    const double e = field / POYI_FIELD_AU, w = 2.0 * POYI_PI * POYI_C / o->wavelength * POYI_TIME_AU;
    const double potential = o->potential / POYI_HARTREE + it->stark * e * e, k = sqrt(2.0 * potential);
    const double n = o->charge / k, e0 = k * k * k, gamma = w * k / e;
    if (!isfinite(gamma) || !isfinite(4.0 * e0 / e)) /* a field that is 0 but for a denormal */
        return -INFINITY;
    /* In place of gamma^2, which may overflow: q = gamma/sqrt(1 + gamma^2) and E sqrt(1 + gamma^2). */
    const double scale = hypot(e, w * k), q = w * k / scale;
    const double alpha = 2.0 * half_alpha(gamma), beta = 2.0 * q;
    const double v = (potential + e * e / (4.0 * w * w)) / w, first = ceil(v) - v;
    const double c2 = isnan(o->coefficient) ? pow(2.0, 2.0 * n) / (n * poyi_gamma(2.0 * n)) : o->coefficient;
    const int l = o->orbital;

    double sum = 0.0; /* over m of what depends on it */
    for (int m = 0; m <= (o->sum_m ? l : 0); m++) {
        double f = (2.0 * l + 1.0) * factorial(l + m) / (ldexp(factorial(m), m) * factorial(l - m));
        double s = o->sum_integral ? poyi_ppt_integral(m, alpha, beta)
                                   : poyi_ppt_sum(it, &it->phi[m], alpha, beta, first, o->tolerance);
        sum += (m ? 2.0 : 1.0) * f / factorial(m) * pow(2.0 * e0 / scale, -m) * s;
    }
    double log_rate = log(o->occupancy * 4.0 * sqrt(2.0) / POYI_PI * c2 * potential * q * q * sum) +
                      (2.0 * n - 1.5) * log(2.0 * e0 / scale) - 2.0 * v * (asinh(gamma) - q / (1.0 + q * q)) -
                      2.0 * it->dipole * e;
    if (!o->cycle_averaged)
        log_rate += 0.5 * log(POYI_PI * e0 / (3.0 * e));
    return log_rate - log(POYI_TIME_AU);
}

/* windows.c: the Planck taper, which cuts spectra and time traces smoothly. */
#include "pulse/setup/setup.h"

/* 1/(1 + exp(width/(x - zero) + width/(x - one))): 0 at x = zero, 1 at x = one. */
static double slope(double x, double zero, double one)
{
    const double width = one - zero, exponent = width / (x - zero) + width / (x - one);
    return exponent > 709.0 ? 0.0 : 1.0 / (1.0 + exp(exponent)); /* exp(710) overflows */
}

double poyi_planck_slope(double x, double l0, double l1, double r1, double r0)
{
    if (x <= l0 || x >= r0 || (x >= l1 && x <= r1))
        return 0.0;
    const double zero = x < l1 ? l0 : r0, one = x < l1 ? l1 : r1, w = slope(x, zero, one), width = one - zero;
    return w * (1.0 - w) * width * (1.0 / ((x - zero) * (x - zero)) + 1.0 / ((x - one) * (x - one)));
}

double poyi_planck_taper(double x, double l0, double l1, double r1, double r0)
{
    if (x <= l0 || x >= r0)
        return 0.0;
    if (x < l1)
        return slope(x, l0, l1);
    return x > r1 ? slope(x, r0, r1) : 1.0;
}

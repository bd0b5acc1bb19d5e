/* chebyshev_strict.c: Clenshaw's sum of a Chebyshev series, rounded operation by operation. */
#include "math/math.h"

double poyi_chebyshev_eval(int n, const double *c, double a, double b, double x)
{
    const double t = ((x - a) - (b - x)) / (b - a);
    double above = 0.0, here = 0.0;
    for (int k = n - 1; k >= 1; k--) {
        const double below = (2.0 * t * here - above) + c[k];
        above = here;
        here = below;
    }
    return n > 0 ? (t * here - above) + c[0] : 0.0;
}

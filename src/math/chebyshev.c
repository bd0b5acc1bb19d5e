/* chebyshev.c: fits by Chebyshev series and the series of the derivative; the sums are in chebyshev_strict.c. */
#include <math.h>

#include "core/core.h"
#include "math/math.h"

poy_status poyi_chebyshev_fit(poy_ctx *ctx, poyi_function *f, void *user, double a, double b, int n, double *c)
{
    poy_status status = POY_OK;
    double *y = NULL;

    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "Chebyshev fit: %d coefficients asked for, needs at least 1", n);
    if (!(a < b))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "Chebyshev fit: the interval [%g, %g] is empty", a, b);
    POYI_TRY(ctx, poyi_alloc(ctx, "math.chebyshev", (size_t)n * sizeof *y, (void **)&y));
    for (int i = 0; i < n; i++) {
        const double t = (double)cosl(POYI_PIL * (2 * i + 1) / (2 * n));
        const double x = 0.5 * ((b - a) * t + (a + b));
        y[i] = f(user, x);
        if (!isfinite(y[i])) {
            status = POYI_FAIL(ctx, POY_ERR_NONFINITE, "Chebyshev fit: the function is %g at x = %.17g", y[i], x);
            goto done;
        }
    }
    for (int k = 0; k < n; k++) {
        long double sum = 0.0L;
        for (int i = 0; i < n; i++) /* the angle is reduced in integers */
            sum += (long double)y[i] * cosl(POYI_PIL * (((int64_t)(2 * i + 1) * k) % (4 * (int64_t)n)) / (2 * n));
        c[k] = (double)((k == 0 ? 1.0L : 2.0L) * sum / n);
    }
done:
    poyi_free((void **)&y);
    return status;
}

void poyi_chebyshev_derivative(int n, const double *c, double a, double b, double *d)
{
    /* DLMF 18.9.21 summed: d_{k-1} = d_{k+1} + 2 k c_k, and half of it at k = 1 */
    const double scale = 2.0 / (b - a);
    double above = 0.0, here = 0.0; /* d_{k+1}, d_k without scale */
    for (int k = n - 1; k >= 1; k--) {
        const double below = above + 2.0 * k * c[k];
        d[k] = here * scale;
        above = here;
        here = below;
    }
    d[0] = 0.5 * here * scale;
}

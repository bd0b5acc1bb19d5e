/* root.c: a bracketed root of a real function. */
#include <float.h>
#include <math.h>

#include "core/core.h"
#include "math/math.h"

/* What Brent's method keeps: b the best point, a the one before, c on the other side of the root. */
typedef struct bracket {
    double a, b, c, fa, fb, fc;
    double step, before; /* the last two moves */
} bracket;

static int opposite(double x, double y)
{
    return (x > 0.0 && y < 0.0) || (x < 0.0 && y > 0.0);
}

/* Puts the best of the three at b and c on the other side of the root. */
static void arrange(bracket *k)
{
    if (!opposite(k->fb, k->fc)) {
        k->c = k->a;
        k->fc = k->fa;
        k->step = k->before = k->b - k->a;
    }
    if (fabs(k->fc) < fabs(k->fb)) {
        k->a = k->b, k->b = k->c, k->c = k->a;
        k->fa = k->fb, k->fb = k->fc, k->fc = k->fa;
    }
}

/* The next move: inverse quadratic or linear interpolation where it is trustworthy, else half the bracket. */
static void choose(bracket *k, double tol)
{
    const double half = 0.5 * (k->c - k->b);
    if (fabs(k->before) >= tol && fabs(k->fa) > fabs(k->fb)) {
        const double s = k->fb / k->fa;
        double p, q;
        if (k->a == k->c) {
            p = 2.0 * half * s;
            q = 1.0 - s;
        } else {
            const double u = k->fa / k->fc, v = k->fb / k->fc;
            p = s * (2.0 * half * u * (u - v) - (k->b - k->a) * (v - 1.0));
            q = (u - 1.0) * (v - 1.0) * (s - 1.0);
        }
        if (p > 0.0)
            q = -q;
        p = fabs(p);
        if (2.0 * p < fmin(3.0 * half * q - fabs(tol * q), fabs(k->before * q))) {
            k->before = k->step;
            k->step = p / q;
            return;
        }
    }
    k->step = k->before = half;
}

poy_status poyi_root_brent(poy_ctx *ctx, poyi_function *f, void *user, double a, double b, double tol, double *root)
{
    bracket k = {.a = a, .b = b, .c = a, .fa = f(user, a), .fb = f(user, b)};

    if (!(a < b))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "root: the interval [%.17g, %.17g] is empty", a, b);
    if (isnan(k.fa) || isnan(k.fb))
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "root: the function is %g at %.17g and %g at %.17g", k.fa, a, k.fb, b);
    if (k.fa == 0.0 || k.fb == 0.0) {
        *root = k.fa == 0.0 ? a : b;
        return POY_OK;
    }
    if (!opposite(k.fa, k.fb))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "root: the function is %g at %.17g and %g at %.17g, needs a change of sign between", k.fa, a,
                         k.fb, b);
    k.fc = k.fa;
    k.step = k.before = b - a;
    for (;;) { /* ends: at the latest every second move halves the bracket (Brent) */
        arrange(&k);
        const double least = fmax(2.0 * DBL_EPSILON * fabs(k.b) + 0.5 * tol, DBL_MIN);
        if (k.fb == 0.0 || fabs(0.5 * (k.c - k.b)) <= least)
            break;
        choose(&k, least);
        k.a = k.b;
        k.fa = k.fb;
        k.b += fabs(k.step) > least ? k.step : copysign(least, k.c - k.b);
        k.fb = f(user, k.b);
        if (isnan(k.fb))
            return POYI_FAIL(ctx, POY_ERR_NONFINITE, "root: the function is not a number at %.17g", k.b);
    }
    *root = k.b;
    return POY_OK;
}

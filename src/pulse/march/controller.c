/* controller.c: error norm, lagged PI controller, clamps and the rules of rejection. */
#include "pulse/march/controller.h"

#include <math.h>

static const double SAFETY = 0.9, TARGET = 0.8;
static const double EXPONENT = 3.0 / 25.0, EXPONENT_PREV = -1.0 / 25.0; /* 3 and -1 fifths of the order 5 */
static const double GROWTH_MAX = 5.0, GROWTH_NO_ERROR = 1.5, SHRINK_MIN = 0.1;

static double clamp(double h, const poyi_limits *limits)
{
    return fmax(fmin(h, limits->h_max), limits->h_min);
}

double poyi_step_error(const double sums[3], double rtol, double atol)
{
    if (sums[2] == 0.0)
        return 0.0; /* also where the field itself is zero */
    double scale = fmax(sqrt(fmax(sums[0], sums[1])), atol);
    return isfinite(sums[0]) && isfinite(sums[1]) ? sqrt(sums[2]) / (rtol * scale) : (double)NAN;
}

void poyi_step_accepted(poyi_step_control *c, const poyi_limits *limits, double h, double err, int truncated)
{
    double factor = GROWTH_NO_ERROR;
    if (err > 0.0)
        factor =
            SAFETY * pow(TARGET / err, EXPONENT) * pow(TARGET / (c->err_prev > 0.0 ? c->err_prev : err), EXPONENT_PREV);
    factor = fmin(factor, c->rejections ? 1.0 : GROWTH_MAX);
    c->rejections = 0;

    double next = clamp(h * factor, limits);
    if (truncated && next <= c->h)
        return; /* the proposal stands, and so does the error that made it */
    c->h = next;
    c->err_prev = err;
}

poyi_retry poyi_step_rejected(poyi_step_control *c, const poyi_limits *limits, double h, double err)
{
    if (++c->rejections >= POYI_REJECTIONS_MAX)
        return POYI_RETRY_TOO_OFTEN;
    if (h <= limits->h_min)
        return POYI_RETRY_AT_MINIMUM;
    c->h = clamp(isfinite(err) ? h * fmax(SHRINK_MIN, SAFETY * pow(err, -0.2)) : 0.5 * h, limits);
    return POYI_RETRY;
}

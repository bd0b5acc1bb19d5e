/* couple.c: how much of a Gaussian beam goes into a mode. */
#include "pulse/guide/kind.h"
#include "pulse/guide/rule.h"

static poy_status check_beam(poy_ctx *ctx, double waist, double x, double y, double polarisation)
{
    POYI_TRY(ctx, poyi_check_positive(ctx, "waist", waist, "m"));
    POYI_TRY(ctx, poyi_check_finite(ctx, "centre of the beam", x, "m"));
    POYI_TRY(ctx, poyi_check_finite(ctx, "centre of the beam", y, "m"));
    return poyi_check_finite(ctx, "polarisation", polarisation, "rad");
}

poy_status poy_guide_couple(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, double angle,
                            double waist, double x, double y, double polarisation, double *amplitude)
{
    poy_guide_place place;
    poyi_profile field;
    poyi_rule rule = {0};
    double sum = 0.0;

    POYI_TRY(ctx, check_beam(ctx, waist, x, y, polarisation));
    poy_guide_at(guide, z, &place);
    POYI_TRY(ctx, poyi_guide_field(ctx, guide, mode, &place, omega, angle, &field));
    /* The beam is a Gaussian of width waist in r, and exp(2 r d cos/waist^2) in the angle about a centre at d. */
    const double reach = field.radius / waist, turn = 2.0 * fmin(reach, 10.0) * hypot(x, y) / waist;
    if (reach > 40.0)
        return POYI_FAIL(ctx, POY_ERR_RANGE,
                         "%g m is below 1/40 of the core's radius, %g m: such beams are not resolved", waist,
                         field.radius);
    const int n_r = (int)fmin(64.0 + field.u + 10.0 * reach, POYI_GAUSS_MAX);
    const int n_theta = (int)fmin(32.0 + 4.0 * field.harmonic + 2.0 * turn, 4096.0);
    POYI_TRY(ctx, poyi_rule_create(ctx, &field, n_r, n_theta, &rule));
    const double px = sin(polarisation), py = cos(polarisation);
    const double peak = sqrt(4.0 * POYI_Z0 / POYI_PI) / waist; /* of 1 W */
    for (int i = 0; i < rule.n; i++) {
        double e[2];
        const double dx = rule.x[i] - x, dy = rule.y[i] - y;
        field.at(&field, rule.x[i], rule.y[i], e);
        sum += rule.weight[i] * (px * e[0] + py * e[1]) * exp(-(dx * dx + dy * dy) / (waist * waist));
    }
    poyi_rule_fini(&rule);
    *amplitude = 0.5 / POYI_Z0 * peak * sum;
    return POY_OK;
}

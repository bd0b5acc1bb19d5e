/* tubes.c: index and loss of HE11 in a core within a ring of tubes, by the formulas of Vincetti, Rosa and Melli. */
#include "pulse/guide/kinds/tubes.h"

#include <math.h>

#include "core/constants.h"
#include "core/core.h"
#include "pulse/setup/setup.h"

enum { TERMS = 8 }; /* of each sum over the modes of a tube's wall */

poy_status poyi_tubes_set(poy_ctx *ctx, double core, double thickness, int tubes, double radius, double gap,
                          poyi_tubes *out)
{
    const double pi = POYI_PI;
    if (tubes < 3)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.tubes: %d tubes: give 3 or more", tubes);
    if (isnan(radius) && isnan(gap))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.tube_radius: missing: give it, or geometry.gap");
    const double s = sin(pi / (double)tubes);
    const double r = isnan(radius) ? (s * core - 0.5 * gap) / (1.0 - s) : radius;
    const double d = 2.0 * (s * (core + r) - r);
    POYI_TRY(ctx, poyi_check_positive(ctx, isnan(radius) ? "geometry.gap" : "geometry.tube_radius", r, "m (radius)"));
    if (!isnan(gap) && !(fabs(gap - d) <= 1e-6 * r))
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "geometry.gap: %g m, but core_radius, tubes and tube_radius leave %g m between tubes: give one "
            "of the two",
            gap, d);
    if (d < -1e-9 * r)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "geometry.tube_radius: %d tubes of radius %g m around a core of %g m overlap by %g m: make "
                         "them smaller",
                         tubes, r, core, -d);
    if (!(thickness < r))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.wall_thickness: %g m is not below the tubes' radius, %g m",
                         thickness, r);
    *out = (poyi_tubes){tubes, core, thickness, r, d};
    return POY_OK;
}

/* base^exponent of a number to a series. */
static poyi_cjet power_of(double base, poyi_cjet exponent)
{
    return poyi_cjet_exp(poyi_cjet_scale(exponent, log(base)));
}

/* Normalised cut-off of HE_{mu nu} of a tube's wall, x = t/r; [2] eq. 4. */
static poyi_cjet cutoff_he(int mu, int nu, double x, poyi_cjet n)
{
    const double m = mu, v = nu;
    if (nu > 1) {
        const double scale = 0.3 * pow(2.0 / v, 1.2) * fabs(m - 0.8) * x;
        return poyi_cjet_offset(poyi_cjet_scale(poyi_cjet_pow(n, -0.3), scale), v - 1.0);
    }
    const double scale = fabs(0.21 + 0.175 * m - 0.1 / ((m - 0.35) * (m - 0.35)));
    poyi_cjet root = poyi_cjet_sqrt(poyi_cjet_offset(poyi_cjet_pow(n, 4.0), -1.0));
    poyi_cjet exponent = poyi_cjet_offset(poyi_cjet_scale(root, 0.005), 0.55);
    return poyi_cjet_offset(poyi_cjet_scale(power_of(x, exponent), scale), 0.04 * sqrt(m) * x);
}

/* The same of EH_{mu nu}; [2] eq. 5. */
static poyi_cjet cutoff_eh(int mu, int nu, double x, poyi_cjet n)
{
    const double m = mu, v = nu;
    if (nu == 1) {
        const double scale = 0.73 + 0.57 * (pow(m, 0.8) + 1.5) / 4.0 - 0.04 / (m - 0.35);
        const double slope = -1.0 / (10.0 * pow(m + 0.5, 0.1));
        poyi_cjet exponent = poyi_cjet_offset(poyi_cjet_scale(poyi_cjet_offset(n, -1.0), slope), 0.5);
        return poyi_cjet_scale(power_of(x, exponent), scale);
    }
    poyi_cjet rise = poyi_cjet_scale(poyi_cjet_pow(poyi_cjet_scale(n, 1.0 / 1.2), 1.15), 0.25 * m);
    rise = poyi_cjet_offset(rise, 0.34);
    poyi_cjet fall = poyi_cjet_offset(poyi_cjet_scale(poyi_cjet_pow(n, -1.0), 0.2), m);
    fall = poyi_cjet_pow(fall, -0.15);
    poyi_cjet exponent = poyi_cjet_scale(poyi_cjet_pow(n, -1.15), 0.06);
    exponent = poyi_cjet_add_scaled(exponent, 0.1 * sqrt(1.44) * (v - 2.0), poyi_cjet_pow(n, -0.5));
    exponent = poyi_cjet_offset(exponent, 0.75);
    const double scale = 11.5 / (pow(v, 1.2) * (7.75 - v));
    poyi_cjet product = poyi_cjet_mul(poyi_cjet_mul(rise, fall), power_of(x, exponent));
    return poyi_cjet_offset(poyi_cjet_scale(product, scale), v - 1.0);
}

/* g^2/(g^2 + (F - F0)^2), g = 3e-3; [2] eq. 2. */
static poyi_cjet lorentzian(poyi_cjet f, poyi_cjet f0)
{
    const double g2 = 3e-3 * 3e-3;
    poyi_cjet off = poyi_cjet_add_scaled(f, -1.0, f0);
    poyi_cjet below = poyi_cjet_offset(poyi_cjet_mul(off, off), g2);
    return poyi_cjet_div(poyi_cjet_constant(f.order, g2), below);
}

/* (F0^2 - F^2)/((F^2 - F0^2)^2 + (0.03 F)^2); [3] eq. 2. */
static poyi_cjet dispersive(poyi_cjet f, poyi_cjet f0)
{
    poyi_cjet f2 = poyi_cjet_mul(f, f), off = poyi_cjet_add_scaled(poyi_cjet_mul(f0, f0), -1.0, f2);
    poyi_cjet below = poyi_cjet_add_scaled(poyi_cjet_mul(off, off), 0.03 * 0.03, f2);
    return poyi_cjet_div(off, below);
}

static double weight_of(int mu) /* [2] eq. 3 */
{
    return 2e3 * exp(-0.05 * pow(fabs((double)mu - 1.0), 2.6));
}

/* Power loss in dB/m: [1] eq. 3 times the sum over the resonances, [2] eq. 6, 7. */
static poyi_cjet loss_of(const poyi_tubes *g, poyi_cjet f, poyi_cjet lambda, poyi_cjet n)
{
    const double x = g->thickness / g->radius, r = g->radius, core2 = g->core * g->core;
    poyi_cjet sum = poyi_cjet_constant(f.order, 0.0);
    for (int nu = 1; nu <= TERMS; nu++)
        for (int mu = 1; mu <= TERMS; mu++) {
            sum = poyi_cjet_add_scaled(sum, weight_of(mu), lorentzian(f, cutoff_he(mu, nu, x, n)));
            sum = poyi_cjet_add_scaled(sum, weight_of(mu), lorentzian(f, cutoff_eh(mu, nu, x, n)));
        }
    poyi_cjet step = poyi_cjet_offset(poyi_cjet_mul(n, n), -1.0); /* n^2 - 1 */
    poyi_cjet rise = poyi_cjet_exp(poyi_cjet_scale(poyi_cjet_div(lambda, step), 2.0 / r));
    poyi_cjet least = poyi_cjet_mul(poyi_cjet_pow(lambda, 4.5), poyi_cjet_mul(poyi_cjet_sqrt(step), rise));
    const double scale = 3e-4 / (core2 * core2) * pow(1.0 - x, -12.0) / (g->thickness * sqrt(r));
    return poyi_cjet_mul(poyi_cjet_scale(least, scale), sum);
}

/* R_eff = (1.027 + 1e-3 (F + 2/F^4)) sqrt(R^2 + (3N/64 pi) r^2 (1 + (3 + 20 lambda/R) gap/r)); [3] eq. 10. */
static poyi_cjet effective_radius(const poyi_tubes *g, poyi_cjet f, poyi_cjet lambda)
{
    const double r = g->radius, share = 3.0 * (double)g->tubes / (64.0 * POYI_PI) * r * r, opening = g->gap / r;
    poyi_cjet factor = poyi_cjet_add_scaled(f, 2.0, poyi_cjet_pow(f, -4.0));
    factor = poyi_cjet_offset(poyi_cjet_scale(factor, 1e-3), 1.027);
    poyi_cjet square = poyi_cjet_scale(lambda, 20.0 / g->core * opening * share);
    square = poyi_cjet_offset(square, g->core * g->core + share * (1.0 + 3.0 * opening));
    return poyi_cjet_mul(factor, poyi_cjet_sqrt(square));
}

poyi_cjet poyi_tubes_index(const poyi_tubes *g, double u, double omega, poyi_cjet gas, poyi_cjet n)
{
    const int order = gas.order;
    const double x = g->thickness / g->radius, hole = 1.0 - x;
    poyi_cjet lambda = poyi_cjet_power_of_frequency(order, 2.0 * POYI_PI * POYI_C / omega, -1.0);
    poyi_cjet step = poyi_cjet_offset(poyi_cjet_mul(n, n), -1.0);
    poyi_cjet f = poyi_cjet_scale(poyi_cjet_div(poyi_cjet_sqrt(step), lambda), 2.0 * g->thickness);
    poyi_cjet sum = poyi_cjet_constant(order, 0.0);
    for (int nu = 1; nu <= TERMS; nu++) {
        sum = poyi_cjet_add(sum, dispersive(f, cutoff_he(1, nu, x, n)));
        sum = poyi_cjet_add(sum, dispersive(f, cutoff_eh(1, nu, x, n)));
    }
    const double scale = 4.5e-7 / (hole * hole * hole * hole) / (g->core * g->core) * weight_of(1);
    poyi_cjet wall = poyi_cjet_scale(poyi_cjet_mul(poyi_cjet_mul(lambda, lambda), sum), scale);
    poyi_cjet reff = poyi_cjet_mul(effective_radius(g, f, lambda), poyi_cjet_offset(gas, 1.0));
    poyi_cjet guide = poyi_cjet_div(poyi_cjet_scale(lambda, u / (2.0 * POYI_PI)), reff); /* u c/(omega n_g R_eff) */
    poyi_cjet index = poyi_cjet_add(poyi_cjet_add_scaled(gas, -0.5, poyi_cjet_mul(guide, guide)), wall);
    const double per_decibel = log(10.0) / 10.0 * 0.5 / (2.0 * POYI_PI); /* dB/m times lambda -> Im n */
    poyi_cjet loss = poyi_cjet_mul(loss_of(g, f, lambda, n), lambda);
    return poyi_cjet_add_scaled(index, CMPLX(0.0, per_decibel), loss);
}

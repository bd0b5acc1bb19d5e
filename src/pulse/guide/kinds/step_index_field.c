/* step_index_field.c: transverse fields of step-index modes and their effective areas.
 * Source: Snyder and Love (1983), table 12-3, with R = r/a, f = sin n(theta + phi), g = cos n(theta + phi). */
#include "pulse/guide/kinds/bessel_k.h"
#include "pulse/guide/kinds/step_index.h"

enum { RADIAL = 64, CLADDING = 96 };

/* K_order(W R)/K_n(W). */
static double cladding_at(int order, int n, double w, double radius)
{
    return exp(poyi_bessel_k_log(order, w * radius) - poyi_bessel_k_log(n, w));
}

/* J_{n-1}(UR)/J_n(U) and J_{n+1}(UR)/J_n(U), beyond the core (U/W) K_{n-1}(WR)/K_n(W) and -(U/W) K_{n+1}(WR)/K_n(W). */
static void bessels_at(const poyi_profile *f, double radius, double *lower, double *upper)
{
    const int n = f->mode.n;
    const double edge = poyi_bessel_jn(n, f->u);
    if (radius < 1.0) {
        *lower = poyi_bessel_jn(n - 1, f->u * radius) / edge;
        *upper = poyi_bessel_jn(n + 1, f->u * radius) / edge;
    } else {
        *lower = f->u / f->w * cladding_at(n - 1, n, f->w, radius);
        *upper = -f->u / f->w * cladding_at(n + 1, n, f->w, radius);
    }
}

/* Of TE and TM modes. */
static double transverse_at(const poyi_profile *f, double radius)
{
    return radius < 1.0 ? poyi_bessel_jn(1, f->u * radius) / poyi_bessel_jn(1, f->u) : cladding_at(1, 1, f->w, radius);
}

/* Radial and azimuthal amplitudes at R. */
static void parts_at(const poyi_profile *f, double radius, double *radial, double *azimuthal)
{
    double lower = 0.0, upper = 0.0;
    if (f->mode.n == 0) {
        const double j = transverse_at(f, radius);
        const int te = f->mode.family == POY_MODE_TE;
        *radial = te ? 0.0 : radius < 1.0 ? j : j / f->cladding;
        *azimuthal = te ? j : 0.0;
        return;
    }
    bessels_at(f, radius, &lower, &upper);
    *radial = -(f->a1 * lower + f->a2 * upper);
    *azimuthal = -(f->a1 * lower - f->a2 * upper);
}

/* The same of the magnetic field, in units of sqrt(eps0/mu0) k n_co^2/beta times the electric one's; of TE beta/k. */
static void magnetic_parts_at(const poyi_profile *f, double radius, double *radial, double *azimuthal)
{
    double lower = 0.0, upper = 0.0;
    if (f->mode.n == 0) {
        const double j = transverse_at(f, radius);
        const int te = f->mode.family == POY_MODE_TE;
        *radial = te ? -j : 0.0;
        *azimuthal = te ? 0.0 : j;
        return;
    }
    bessels_at(f, radius, &lower, &upper);
    lower *= radius < 1.0 ? f->a3 : f->a5;
    upper *= radius < 1.0 ? f->a4 : f->a6;
    *radial = lower - upper;
    *azimuthal = -(lower + upper);
}

static void step_at(const poyi_profile *f, double x, double y, double e[2])
{
    const double r = hypot(x, y), theta = atan2(y, x), n = f->mode.n;
    double radial = 0.0, azimuthal = 0.0;
    e[0] = e[1] = 0.0;
    if (r >= f->extent)
        return;
    parts_at(f, r / f->radius, &radial, &azimuthal);
    if (f->mode.n > 0) {
        radial *= sin(n * (theta + f->angle));
        azimuthal *= cos(n * (theta + f->angle));
    }
    e[0] = f->amplitude * (radial * cos(theta) - azimuthal * sin(theta));
    e[1] = f->amplitude * (radial * sin(theta) + azimuthal * cos(theta));
}

static void step_magnetic_at(const poyi_profile *f, double x, double y, double h[2])
{
    const double r = hypot(x, y), theta = atan2(y, x), n = f->mode.n;
    double radial = 0.0, azimuthal = 0.0;
    h[0] = h[1] = 0.0;
    if (r >= f->extent)
        return;
    magnetic_parts_at(f, r / f->radius, &radial, &azimuthal);
    if (f->mode.n > 0) {
        radial *= cos(n * (theta + f->angle));
        azimuthal *= sin(n * (theta + f->angle));
    }
    h[0] = radial * cos(theta) - azimuthal * sin(theta);
    h[1] = radial * sin(theta) + azimuthal * cos(theta);
}

/* integral_0^1 J_order(UR)^2 R dR/J_n(U)^2; J_{-1} = -J_1. */
static double core_square(int order, int n, double u)
{
    const double edge = poyi_bessel_jn(n, u), here = poyi_bessel_jn(order, u);
    return 0.5 * (here * here - poyi_bessel_jn(order - 1, u) * poyi_bessel_jn(order + 1, u)) / (edge * edge);
}

/* integral_1^inf K_order(WR)^2 R dR/K_n(W)^2. */
static double cladding_square(int order, int n, double w)
{
    const double here = cladding_at(order, n, w, 1.0);
    const double lower = cladding_at(order > 0 ? order - 1 : 1, n, w, 1.0), upper = cladding_at(order + 1, n, w, 1.0);
    return 0.5 * (lower * upper - here * here);
}

/* a1 = (F2 - 1)/2, a2 = (F2 + 1)/2, F2 = n (1/U^2 + 1/W^2)/(b1 + b2), b1 + b2 = -(R + d q) for HE, R - d q for EH, with
 * q = n/W^2 + k and R^2 = d^2 q^2 + n^2 (1/U^2 + 1/W^2)(1/U^2 + r/W^2), d = (1 - r)/2; all times W^2. Of the magnetic field
 * a3, a4 = (F1 -+ 1)/2 in the core, a5, a6 = (F1 -+ r)/2 beyond it, F1 = (b1 + r b2)/(n (1/U^2 + 1/W^2)), b2 = -q. */
static void coefficients(poy_mode mode, double u, double w, double r, poyi_profile *out)
{
    const double n = mode.n, w2 = w * w, a = w2 / (u * u), d = 0.5 * (1.0 - r);
    const double dq = d * (n + w * poyi_bessel_k_ratio(mode.n, w)), square = n * n * (a + 1.0) * (a + r);
    const double root = sqrt(dq * dq + square);
    const double sum = mode.family == POY_MODE_EH ? square / (root + dq) : -(root + dq);
    const double f = n * (a + 1.0) / sum;
    const double f1 = mode.family == POY_MODE_EH ? (root + dq) / (n * (a + 1.0)) : -n * (a + r) / (root + dq);
    out->a1 = 0.5 * (f - 1.0);
    out->a2 = 0.5 * (f + 1.0);
    out->a3 = 0.5 * (f1 - 1.0);
    out->a4 = 0.5 * (f1 + 1.0);
    out->a5 = 0.5 * (f1 - r);
    out->a6 = 0.5 * (f1 + r);
}

void poyi_step_field(poy_mode mode, double u, double w, double r, double radius, double angle, poyi_profile *out)
{
    const int n = mode.n;
    double norm = 0.0;
    *out = (poyi_profile){.at = step_at,
                          .magnetic = step_magnetic_at,
                          .radius = radius,
                          .extent = radius * (1.0 + 40.0 / w),
                          .harmonic = n + 1,
                          .mode = mode,
                          .angle = angle,
                          .u = u,
                          .w = w,
                          .cladding = r};
    if (n == 0) {
        const double outside = cladding_square(1, 1, w) / (mode.family == POY_MODE_TM ? r * r : 1.0);
        norm = 2.0 * POYI_PI * (core_square(1, 1, u) + outside);
    } else {
        coefficients(mode, u, w, r, out);
        const double lower = out->a1 * out->a1, upper = out->a2 * out->a2, ratio = u * u / (w * w);
        norm = lower * (core_square(n - 1, n, u) + ratio * cladding_square(n - 1, n, w));
        norm += upper * (core_square(n + 1, n, u) + ratio * cladding_square(n + 1, n, w));
        norm *= 2.0 * POYI_PI;
    }
    out->amplitude = sqrt(2.0 * POYI_Z0 / norm) / radius;
}

/* integral |e|^4 over the angle at R over amplitude^4: |e|^2 = A f^2 + B g^2. */
static double fourth_at(const poyi_profile *f, double radius)
{
    double a = 0.0, b = 0.0;
    parts_at(f, radius, &a, &b);
    a *= a;
    b *= b;
    if (f->mode.n == 0)
        return 2.0 * POYI_PI * (a + b) * (a + b);
    return POYI_PI * (0.75 * (a * a + b * b) + 0.5 * a * b); /* means of sin^4, cos^4: 3/8; of sin^2 cos^2: 1/8 */
}

poy_status poyi_step_area(poy_ctx *ctx, const poyi_profile *f, double *area)
{
    double x[CLADDING], weight[CLADDING], sum = 0.0;
    const int n = (int)fmin(RADIAL + f->u, POYI_GAUSS_MAX);
    double xc[POYI_GAUSS_MAX], wc[POYI_GAUSS_MAX];
    if (f->u > POYI_GAUSS_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "effective area: U = %.4g: fields with U up to %d are integrated",
                         f->u, POYI_GAUSS_MAX);
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, n, xc, wc));
    for (int i = 0; i < n; i++) {
        const double radius = 0.5 * (1.0 + xc[i]);
        sum += 0.5 * wc[i] * radius * fourth_at(f, radius);
    }
    /* R = exp(t): the cladding's field falls as exp(-W R) there and as a power before that */
    const double end = log(f->extent / f->radius);
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, CLADDING, x, weight));
    for (int i = 0; i < CLADDING; i++) {
        const double radius = exp(0.5 * end * (1.0 + x[i]));
        sum += 0.5 * end * weight[i] * radius * radius * fourth_at(f, radius);
    }
    /* (1/2) sqrt(eps0/mu0) integral |e|^2 = 1, so integral |e|^2 = 2 Z0 */
    const double a2 = f->amplitude * f->amplitude, over = 2.0 * POYI_Z0 / a2;
    *area = over * over / (sum * f->radius * f->radius);
    return POY_OK;
}

/* coordinates.c: points and vector components between Cartesian, polar, cylindrical and spherical coordinates. */
#include "math/coordinates.h"

#include <string.h>

#include "math/batch.h"
#include "poynting/special.h"

int poyi_transform_dimension(poy_transform t)
{
    return t == POY_CAR2POL || t == POY_POL2CAR ? 2 : 3;
}

const char *poyi_transform_name(poy_transform t)
{
    static const char *const names[POY_TRANSFORM_COUNT] = {"car2cyl", "car2pol", "car2sph", "cyl2car",
                                                           "cyl2sph", "pol2car", "sph2car", "sph2cyl"};
    return names[t];
}

/* sqrt(a^2 + b^2 + c^2) without over- and underflow */
static double length3(double a, double b, double c)
{
    return hypot(hypot(a, b), c);
}

/* The point in the other system. */
static void transform_point(poy_transform t, const double *p, double *out)
{
    const double a = p[0], b = p[1], c = poyi_transform_dimension(t) == 3 ? p[2] : 0.0;
    switch (t) {
    case POY_CAR2CYL: out[2] = c; /* fall through */
    case POY_CAR2POL:
        out[0] = hypot(a, b);
        out[1] = atan2(b, a);
        break;
    case POY_CAR2SPH:
        out[0] = length3(a, b, c);
        out[1] = atan2(hypot(a, b), c);
        out[2] = atan2(b, a);
        break;
    case POY_CYL2CAR: out[2] = c; /* fall through */
    case POY_POL2CAR:
        out[0] = a * cos(b);
        out[1] = a * sin(b);
        break;
    case POY_CYL2SPH:
        out[0] = hypot(a, c);
        out[1] = atan2(a, c);
        out[2] = b;
        break;
    case POY_SPH2CAR:
        out[0] = a * sin(b) * cos(c);
        out[1] = a * sin(b) * sin(c);
        out[2] = a * cos(b);
        break;
    default: /* POY_SPH2CYL */
        out[0] = a * sin(b);
        out[1] = c;
        out[2] = a * cos(b);
    }
}

/* Cosine and sine of the angle of (x, y); 1 and 0 where it has none. */
static void direction(double x, double y, double *cosine, double *sine)
{
    const double r = hypot(x, y);
    *cosine = r > 0.0 ? x / r : 1.0;
    *sine = r > 0.0 ? y / r : 0.0;
}

static void transpose(double m[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            const double x = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = x;
        }
}

/* Rows: rho, phi, z in Cartesian components. */
static void cylindrical_rows(double c, double s, double m[3][3])
{
    const double rows[3][3] = {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};
    memcpy(m, rows, sizeof rows);
}

/* Rows: r, theta, phi in Cartesian components. */
static void spherical_rows(double ct, double st, double cp, double sp, double m[3][3])
{
    const double rows[3][3] = {{st * cp, st * sp, ct}, {ct * cp, ct * sp, -st}, {-sp, cp, 0.0}};
    memcpy(m, rows, sizeof rows);
}

/* Rows: r, theta, phi in cylindrical components. */
static void meridian_rows(double ct, double st, double m[3][3])
{
    const double rows[3][3] = {{st, 0.0, ct}, {ct, 0.0, -st}, {0.0, 1.0, 0.0}};
    memcpy(m, rows, sizeof rows);
}

void poyi_transform_rotation(poy_transform t, const double *p, double m[3][3])
{
    double cp, sp, ct, st;
    switch (t) {
    case POY_CAR2CYL:
    case POY_CAR2POL:
        direction(p[0], p[1], &cp, &sp);
        cylindrical_rows(cp, sp, m);
        break;
    case POY_CAR2SPH:
        direction(p[0], p[1], &cp, &sp);
        direction(p[2], hypot(p[0], p[1]), &ct, &st);
        spherical_rows(ct, st, cp, sp, m);
        break;
    case POY_CYL2CAR:
    case POY_POL2CAR:
        cylindrical_rows(cos(p[1]), sin(p[1]), m);
        transpose(m);
        break;
    case POY_CYL2SPH:
        direction(p[2], p[0], &ct, &st);
        meridian_rows(ct, st, m);
        break;
    case POY_SPH2CAR:
        spherical_rows(cos(p[1]), sin(p[1]), cos(p[2]), sin(p[2]), m);
        transpose(m);
        break;
    default: /* POY_SPH2CYL */ meridian_rows(cos(p[1]), sin(p[1]), m); transpose(m);
    }
}

/* ---- batches ---- */

static poy_status points(poy_ctx *ctx, poy_transform t, size_t n, const double *p, double *out)
{
    const size_t d = (size_t)poyi_transform_dimension(t);
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, poyi_transform_name(t), "points (flat)", n * d, p));
    for (size_t i = 0; i < n; i++) {
        double q[3] = {0.0, 0.0, 0.0}; /* out may be p */
        transform_point(t, p + d * i, q);
        memcpy(out + d * i, q, d * sizeof *q);
    }
    return POY_OK;
}

static poy_status vectors(poy_ctx *ctx, poy_transform t, size_t n, const poy_c128 *vector, const double *p,
                          poy_c128 *out)
{
    const size_t d = (size_t)poyi_transform_dimension(t);
    POYI_TRY(ctx, poyi_batch_finite(ctx, poyi_transform_name(t), "vector (flat)", n * d, vector));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, poyi_transform_name(t), "points (flat)", n * d, p));
    for (size_t i = 0; i < n; i++) {
        double m[3][3];
        poy_c128 w[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
        poyi_transform_rotation(t, p + d * i, m);
        for (size_t row = 0; row < d; row++)
            for (size_t k = 0; k < d; k++) {
                w[row].re += m[row][k] * vector[d * i + k].re;
                w[row].im += m[row][k] * vector[d * i + k].im;
            }
        memcpy(out + d * i, w, d * sizeof *w);
    }
    return POY_OK;
}

#define TRANSFORM(function, t)                                                                               \
    poy_status poy_sf_##function(poy_ctx *ctx, size_t n, const double *p, double *out)                       \
    {                                                                                                        \
        return points(ctx, t, n, p, out);                                                                    \
    }                                                                                                        \
    poy_status poy_sf_v##function(poy_ctx *ctx, size_t n, const poy_c128 *v, const double *p, poy_c128 *out) \
    {                                                                                                        \
        return vectors(ctx, t, n, v, p, out);                                                                \
    }

TRANSFORM(car2cyl, POY_CAR2CYL)
TRANSFORM(car2pol, POY_CAR2POL)
TRANSFORM(car2sph, POY_CAR2SPH)
TRANSFORM(cyl2car, POY_CYL2CAR)
TRANSFORM(cyl2sph, POY_CYL2SPH)
TRANSFORM(pol2car, POY_POL2CAR)
TRANSFORM(sph2car, POY_SPH2CAR)
TRANSFORM(sph2cyl, POY_SPH2CYL)

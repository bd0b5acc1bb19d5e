/* coordinates_diff.c: derivatives of coordinates and of vector components. */
#include <string.h>

#include "math/batch.h"
#include "math/coordinates.h"
#include "poynting/special.h"

/* Angles of the unit vectors of a point: rotation matrices depend on it through them alone. Which of phi and theta occur,
 * and their gradients by the point's coordinates; 0 where one of those that occur has no gradient. */
typedef struct frame {
    double phi[3], theta[3]; /* gradients */
} frame;

/* Gradient of atan2(y, x) by its arguments. */
static int angle_gradient(double x, double y, double *by_x, double *by_y)
{
    const double r = hypot(x, y);
    if (r == 0.0)
        return 0;
    *by_x = -y / r / r;
    *by_y = x / r / r;
    return 1;
}

static int frame_gradient(poy_transform t, const double *p, frame *f)
{
    *f = (frame){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    switch (t) {
    case POY_CAR2CYL:
    case POY_CAR2POL: return angle_gradient(p[0], p[1], &f->phi[0], &f->phi[1]);
    case POY_CAR2SPH: {
        const double rho = hypot(p[0], p[1]);
        double by_rho = 0.0;
        if (!angle_gradient(p[0], p[1], &f->phi[0], &f->phi[1]) || !angle_gradient(p[2], rho, &f->theta[2], &by_rho))
            return 0;
        f->theta[0] = by_rho * p[0] / rho;
        f->theta[1] = by_rho * p[1] / rho;
        return 1;
    }
    case POY_CYL2CAR:
    case POY_POL2CAR: f->phi[1] = 1.0; return 1;
    case POY_CYL2SPH: return angle_gradient(p[2], p[0], &f->theta[2], &f->theta[0]);
    case POY_SPH2CAR:
        f->theta[1] = 1.0;
        f->phi[2] = 1.0;
        return 1;
    default: f->theta[1] = 1.0; return 1; /* POY_SPH2CYL */
    }
}

/* Rows of the Jacobian of the point's transform; 0 if one is infinite. */
static int point_jacobian(poy_transform t, const double *p, double j[3][3])
{
    double m[3][3];
    frame f;
    memset(j, 0, 9 * sizeof(double));
    if (t <= POY_CAR2SPH || t == POY_CYL2SPH) {
        const int good = frame_gradient(t, p, &f);
        poyi_transform_rotation(t, p, m);
        memcpy(j[0], m[0], sizeof m[0]); /* the radius grows along its unit vector */
        if (t == POY_CAR2SPH) {
            memcpy(j[1], f.theta, sizeof f.theta);
            memcpy(j[2], f.phi, sizeof f.phi);
        } else if (t == POY_CYL2SPH) {
            j[0][0] = m[0][0], j[0][1] = 0.0, j[0][2] = m[0][2];
            memcpy(j[1], f.theta, sizeof f.theta);
            j[2][1] = 1.0;
        } else {
            memcpy(j[1], f.phi, sizeof f.phi);
            j[2][2] = 1.0;
        }
        return good;
    }
    /* columns: unit vectors times the lengths that go with a unit change of the coordinate */
    poyi_transform_rotation(t, p, m);
    const double length[3] = {1.0, p[0], t == POY_SPH2CAR ? p[0] * sin(p[1]) : 1.0};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            j[row][column] = m[row][column] * length[column];
    if (t == POY_SPH2CYL) { /* (r, theta, phi) -> (rho, phi, z): phi stays */
        const double rows[3][3] = {
            {sin(p[1]), p[0] * cos(p[1]), 0.0}, {0.0, 0.0, 1.0}, {cos(p[1]), -p[0] * sin(p[1]), 0.0}};
        memcpy(j, rows, sizeof rows);
    }
    return 1;
}

/* d(rotation)/d(angle), angle 0 phi, 1 theta. The unit vectors of the curved system turn: about z, every one (-y, x, 0) of
 * itself; in their own plane, the first becomes the second and that minus the first. */
static void rotation_slope(poy_transform t, const double *p, int angle, double slope[3][3])
{
    double u[3][3], d[3][3] = {{0.0}};
    const int columns = t >= POY_CYL2CAR && t != POY_CYL2SPH; /* unit vectors are columns, else rows */
    const int about_z = angle == 0 && (t == POY_CAR2SPH || t == POY_SPH2CAR);
    poyi_transform_rotation(t, p, slope);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            u[i][k] = columns ? slope[k][i] : slope[i][k];
    for (int i = 0; i < 3; i++) {
        if (about_z) {
            d[i][0] = -u[i][1];
            d[i][1] = u[i][0];
        } else {
            d[0][i] = u[1][i];
            d[1][i] = -u[0][i];
        }
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            slope[i][k] = columns ? d[k][i] : d[i][k];
}

/* ---- points ---- */

static int all_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0.0)
            return 0;
    return 1;
}

static int all_zero_pairs(size_t n, const poy_c128 *z)
{
    for (size_t i = 0; i < n; i++)
        if (z[i].re != 0.0 || z[i].im != 0.0)
            return 0;
    return 1;
}

static poy_status known(poy_ctx *ctx, const char *name, poy_transform t)
{
    if ((unsigned)t >= POY_TRANSFORM_COUNT)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %d is no coordinate transform, needs 0 to %d", name, (int)t,
                         POY_TRANSFORM_COUNT - 1);
    return POY_OK;
}

static poy_status on_axis(poy_ctx *ctx, const char *name, poy_transform t, size_t i)
{
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: no derivative of %s at point %zu, which is on an axis", name,
                     poyi_transform_name(t), i);
}

/* Jacobians, or their transposes, times in. */
static poy_status points_batch(poy_ctx *ctx, const char *name, size_t n, poy_transform t, int transposed,
                               const double *points, const double *in, double *out)
{
    POYI_TRY(ctx, known(ctx, name, t));
    const size_t d = (size_t)poyi_transform_dimension(t);
    double j[3][3];
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "points (flat)", n * d, points));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, transposed ? "cotangent (flat)" : "tangent (flat)", n * d, in));
    for (size_t i = 0; i < n; i++)
        if (!point_jacobian(t, points + d * i, j) && !all_zero(d, in + d * i))
            return on_axis(ctx, name, t, i);
    for (size_t i = 0; i < n; i++) {
        double result[3] = {0.0, 0.0, 0.0}; /* out may be in */
        (void)point_jacobian(t, points + d * i, j);
        for (size_t row = 0; row < d; row++)
            for (size_t k = 0; k < d; k++)
                result[row] += (transposed ? j[k][row] : j[row][k]) * in[d * i + k];
        memcpy(out + d * i, result, d * sizeof *out);
    }
    return POY_OK;
}

poy_status poy_sf_coordinates_jvp(poy_ctx *ctx, size_t n, poy_transform function, const double *points,
                                  const double *d_points, double *out)
{
    return points_batch(ctx, "coordinates_jvp", n, function, 0, points, d_points, out);
}

poy_status poy_sf_coordinates_vjp(poy_ctx *ctx, size_t n, poy_transform function, const double *points, const double *g,
                                  double *points_bar)
{
    return points_batch(ctx, "coordinates_vjp", n, function, 1, points, g, points_bar);
}

/* ---- vectors: w = M(phi(p), theta(p)) v, dw = M dv + (M_phi dphi + M_theta dtheta) v ---- */

static double complex row_times(double m[3][3], size_t row, size_t d, const poy_c128 *v)
{
    double complex sum = 0.0;
    for (size_t k = 0; k < d; k++)
        sum += m[row][k] * poyi_c(v[k]);
    return sum;
}

static double complex column_times(double m[3][3], size_t column, size_t d, const poy_c128 *v)
{
    double complex sum = 0.0;
    for (size_t k = 0; k < d; k++)
        sum += m[k][column] * poyi_c(v[k]);
    return sum;
}

poy_status poy_sf_vector_coordinates_jvp(poy_ctx *ctx, size_t n, poy_transform function, const poy_c128 *vector,
                                         const double *points, const poy_c128 *d_vector, const double *d_points,
                                         poy_c128 *out)
{
    const char *name = "vector_coordinates_jvp";
    double m[3][3], slope[3][3];
    frame f;
    POYI_TRY(ctx, known(ctx, name, function));
    const size_t d = (size_t)poyi_transform_dimension(function);
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "vector (flat)", n * d, vector));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "points (flat)", n * d, points));
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "tangent of vector (flat)", n * d, d_vector));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "tangent of points (flat)", n * d, d_points));
    for (size_t i = 0; i < n; i++)
        if (!frame_gradient(function, points + d * i, &f) && !all_zero(d, d_points + d * i))
            return on_axis(ctx, name, function, i);
    for (size_t i = 0; i < n; i++) {
        double complex w[3] = {0.0, 0.0, 0.0};
        poyi_transform_rotation(function, points + d * i, m);
        (void)frame_gradient(function, points + d * i, &f);
        for (size_t row = 0; row < d; row++)
            w[row] = row_times(m, row, d, d_vector + d * i);
        for (int angle = 0; angle < 2; angle++) {
            const double *gradient = angle == 0 ? f.phi : f.theta;
            double change = 0.0;
            for (size_t k = 0; k < d; k++)
                change += gradient[k] * d_points[d * i + k];
            rotation_slope(function, points + d * i, angle, slope);
            for (size_t row = 0; row < d; row++)
                w[row] += change * row_times(slope, row, d, vector + d * i);
        }
        for (size_t row = 0; row < d; row++)
            out[d * i + row] = poyi_pair(w[row]);
    }
    return POY_OK;
}

poy_status poy_sf_vector_coordinates_vjp(poy_ctx *ctx, size_t n, poy_transform function, const poy_c128 *vector,
                                         const double *points, const poy_c128 *g, poy_c128 *vector_bar,
                                         double *points_bar)
{
    const char *name = "vector_coordinates_vjp";
    double m[3][3], slope[3][3];
    frame f;
    POYI_TRY(ctx, known(ctx, name, function));
    const size_t d = (size_t)poyi_transform_dimension(function);
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "vector (flat)", n * d, vector));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "points (flat)", n * d, points));
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "cotangent (flat)", n * d, g));
    for (size_t i = 0; i < n; i++)
        if (!frame_gradient(function, points + d * i, &f) && !all_zero_pairs(d, g + d * i))
            return on_axis(ctx, name, function, i);
    for (size_t i = 0; i < n; i++) {
        double bar[3] = {0.0, 0.0, 0.0};
        poyi_transform_rotation(function, points + d * i, m);
        (void)frame_gradient(function, points + d * i, &f);
        for (int angle = 0; angle < 2; angle++) {
            const double *gradient = angle == 0 ? f.phi : f.theta;
            double pairing = 0.0;
            rotation_slope(function, points + d * i, angle, slope);
            for (size_t row = 0; row < d; row++)
                pairing += creal(conj(poyi_c(g[d * i + row])) * row_times(slope, row, d, vector + d * i));
            for (size_t k = 0; k < d; k++)
                bar[k] += gradient[k] * pairing;
        }
        for (size_t k = 0; k < d; k++) {
            vector_bar[d * i + k] = poyi_pair(column_times(m, k, d, g + d * i));
            points_bar[d * i + k] = bar[k];
        }
    }
    return POY_OK;
}

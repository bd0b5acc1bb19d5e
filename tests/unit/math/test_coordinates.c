/* test_coordinates.c: the 16 coordinate functions: closed values, round trips, and vectors as differences of points. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/coordinates.h"
#include "poynting/special.h"
#include "tap.h"

typedef poy_status point_batch(poy_ctx *, size_t, const double *, double *);
typedef poy_status vector_batch(poy_ctx *, size_t, const poy_c128 *, const double *, poy_c128 *);

static point_batch *const point_functions[POY_TRANSFORM_COUNT] = {poy_sf_car2cyl, poy_sf_car2pol, poy_sf_car2sph,
                                                                  poy_sf_cyl2car, poy_sf_cyl2sph, poy_sf_pol2car,
                                                                  poy_sf_sph2car, poy_sf_sph2cyl};
static vector_batch *const vector_functions[POY_TRANSFORM_COUNT] = {poy_sf_vcar2cyl, poy_sf_vcar2pol, poy_sf_vcar2sph,
                                                                    poy_sf_vcyl2car, poy_sf_vcyl2sph, poy_sf_vpol2car,
                                                                    poy_sf_vsph2car, poy_sf_vsph2cyl};
static const poy_transform forth[] = {POY_CAR2CYL, POY_CAR2POL, POY_CAR2SPH, POY_CYL2SPH};
static const poy_transform back[] = {POY_CYL2CAR, POY_POL2CAR, POY_SPH2CAR, POY_SPH2CYL};

static void test_closed(poy_ctx *ctx)
{
    const double p[3] = {1.0, 1.0, sqrt(2.0)}, tiny[3] = {3e-200, 4e-200, 0.0};
    double out[3];
    ok(poy_sf_car2sph(ctx, 1, p, out) == POY_OK && fabs(out[0] - 2.0) < 4 * DBL_EPSILON &&
           fabs(out[1] - acos(-1.0) / 4.0) < 2 * DBL_EPSILON && out[2] == atan2(1.0, 1.0),
       "(1, 1, sqrt 2) lies at r = 2, theta = phi = 45 degrees");
    ok(poy_sf_car2cyl(ctx, 1, tiny, out) == POY_OK && fabs(out[0] / 5e-200 - 1.0) < 4 * DBL_EPSILON,
       "no underflow at 1e-200");
    const double axis[3] = {0.0, 0.0, -2.0};
    ok(poy_sf_car2sph(ctx, 1, axis, out) == POY_OK && out[0] == 2.0 && out[1] == acos(-1.0) && out[2] == 0.0,
       "the negative axis has theta = pi");
    const double pole[3] = {1e-10, 0.0, 1.0};
    ok(poy_sf_car2sph(ctx, 1, pole, out) == POY_OK && fabs(out[1] / 1e-10 - 1.0) < 2 * DBL_EPSILON,
       "theta = 1e-10 keeps its digits");
}

static void test_round_trips(poy_ctx *ctx)
{
    for (size_t f = 0; f < 4; f++) {
        const size_t d = (size_t)poyi_transform_dimension(forth[f]);
        double worst = 0.0, kept = 0.0;
        for (uint64_t i = 0; i < 200; i++) {
            double u[4], p[3], q[3] = {0.0}, r[3] = {0.0};
            poy_random_uniform2(3, f, 2 * i, u);
            poy_random_uniform2(3, f, 2 * i + 1, u + 2);
            for (int k = 0; k < 3; k++)
                p[k] = 4.0 * u[k] - 2.0;
            if (forth[f] == POY_CYL2SPH)
                p[0] = fabs(p[0]);
            ok(point_functions[forth[f]](ctx, 1, p, q) == POY_OK && point_functions[back[f]](ctx, 1, q, r) == POY_OK,
               "%s and back", poyi_transform_name(forth[f]));
            const poy_c128 v[3] = {{1.0, 0.5}, {-2.0, u[3]}, {0.3, -1.0}};
            poy_c128 w[3], x[3];
            (void)vector_functions[forth[f]](ctx, 1, v, p, w);
            (void)vector_functions[back[f]](ctx, 1, w, q, x);
            double before = 0.0, after = 0.0;
            for (size_t k = 0; k < d; k++) {
                worst = fmax(worst, fabs(r[k] - p[k]));
                worst = fmax(worst, hypot(x[k].re - v[k].re, x[k].im - v[k].im));
                before += v[k].re * v[k].re + v[k].im * v[k].im;
                after += w[k].re * w[k].re + w[k].im * w[k].im;
            }
            kept = fmax(kept, fabs(after / before - 1.0));
        }
        ok(worst < 20 * DBL_EPSILON, "%s: points and vectors return: %.1e", poyi_transform_name(forth[f]), worst);
        ok(kept < 8 * DBL_EPSILON, "%s: vectors keep their length: %.1e", poyi_transform_name(forth[f]), kept);
    }
}

/* A vector from Cartesian components to any system is the velocity of a point: dq/dt scaled by 1, r, r sin(theta). */
static void test_velocities(poy_ctx *ctx)
{
    const double p[3] = {0.7, -0.4, 1.3}, v[3] = {0.2, 1.1, -0.6}, h = 1e-6;
    for (size_t f = 0; f < 3; f++) {
        const size_t d = (size_t)poyi_transform_dimension(forth[f]);
        double plus[3], minus[3], a[3] = {0.0}, b[3] = {0.0}, here[3] = {0.0}, worst = 0.0;
        poy_c128 velocity[3] = {{v[0], 0.0}, {v[1], 0.0}, {v[2], 0.0}}, out[3];
        for (int k = 0; k < 3; k++) {
            plus[k] = p[k] + h * v[k];
            minus[k] = p[k] - h * v[k];
        }
        (void)point_functions[forth[f]](ctx, 1, p, here);
        (void)point_functions[forth[f]](ctx, 1, plus, a);
        (void)point_functions[forth[f]](ctx, 1, minus, b);
        (void)vector_functions[forth[f]](ctx, 1, velocity, p, out);
        for (size_t k = 0; k < d; k++) {
            double scale = 1.0;
            if (forth[f] == POY_CAR2SPH)
                scale = k == 1 ? here[0] : k == 2 ? here[0] * sin(here[1]) : 1.0;
            else if (k == 1)
                scale = here[0];
            worst = fmax(worst, fabs(scale * (a[k] - b[k]) / (2.0 * h) - out[k].re));
        }
        ok(worst < 1e-9, "%s: components are velocities: %.1e", poyi_transform_name(forth[f]), worst);
    }
}

static void test_refusals(poy_ctx *ctx)
{
    const double p[6] = {1.0, 2.0, 3.0, 4.0, (double)NAN, 6.0};
    double out[6] = {7.0};
    ok(poy_sf_car2sph(ctx, 2, p, out) == POY_ERR_ARGUMENT && out[0] == 7.0, "%s", poy_ctx_cause(ctx));
    double place[3] = {3.0, 4.0, 5.0};
    ok(poy_sf_car2cyl(ctx, 1, place, place) == POY_OK && place[0] == 5.0 && place[2] == 5.0, "out may be the points");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_closed(ctx);
    test_round_trips(ctx);
    test_velocities(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* test_raman_silica.c: silica's Raman responses against reference values and their normalisation. */
#include <math.h>
#include <string.h>

#include "media/media.h"
#include "tap.h"

typedef struct point {
    poyi_raman_model model;
    double t, h;
} point;

#define SILICA(model, t, h) {model, t, h},
static const point points[] = {
#include "golden/media_raman_silica.def"
};
enum { POINTS = sizeof points / sizeof *points };

typedef struct line {
    poyi_raman_model model;
    double omega, re, im;
} line;

#define TRANSFORM(model, omega, re, im) {model, omega, re, im},
static const line lines[] = {
#include "golden/media_raman_transform.def"
};
enum { LINES = sizeof lines / sizeof *lines };

static poy_ctx *ctx;

static double response(poyi_raman_model model, double t)
{
    double h = NAN;
    return poyi_raman_silica(ctx, model, t, &h) == POY_OK ? h : (double)NAN;
}

/* Largest error of a model, relative to its largest value. */
static void check_points(poyi_raman_model model)
{
    double error = 0.0, scale = 0.0;
    int count = 0;
    for (int i = 0; i < POINTS; i++)
        if (points[i].model == model) {
            error = fmax(error, fabs(response(model, points[i].t) - points[i].h));
            scale = fmax(scale, fabs(points[i].h));
            count++;
        }
    ok(count == 10 && error <= 1e-10 * scale, "%s: %d points, largest error %.1e of the maximum (allowed 1e-10)",
       poyi_raman_model_name(model), count, error / scale);
}

/* The closed forms against quadratures of 30 digits. Each is a sum of a few terms below 10 in size, but for differences of
 * the Faddeeva function (1e-15 of terms up to 1). */
static void check_transform(poyi_raman_model model)
{
    double error = 0.0;
    int count = 0;
    for (int i = 0; i < LINES; i++) {
        double H[2] = {NAN, NAN};
        if (lines[i].model != model)
            continue;
        ok(poyi_raman_silica_transform(ctx, model, lines[i].omega, H) == POY_OK, "H(%g)", lines[i].omega);
        error = fmax(error, hypot(H[0] - lines[i].re, H[1] - lines[i].im));
        count++;
    }
    ok(count == 12 && error < 1e-14, "%s: %d values of its transform, off by up to %.1e (allowed 1e-14)",
       poyi_raman_model_name(model), count, error);
}

/* Integral over 0 ... 3 ps by Boole's rule, 0.05 fs apart: its error is (w dt)^6 ~ 1e-11 of the integral. */
static double integral(poyi_raman_model model)
{
    const int panels = 15000;
    const double dt = 3e-12 / (4.0 * panels);
    static const double weight[4] = {14.0, 32.0, 12.0, 32.0};
    double sum = -7.0 * response(model, 0.0) + 7.0 * response(model, 3e-12);
    for (int i = 0; i < 4 * panels; i++)
        sum += weight[i % 4] * response(model, i * dt);
    return sum * dt * 2.0 / 45.0;
}

int main(void)
{
    double h = 0.0;
    poyi_raman_model model = POYI_RAMAN_MODEL_COUNT;

    poy_ctx_create(&ctx);
    for (int i = 0; i < POYI_RAMAN_MODEL_COUNT; i++) {
        const char *name = poyi_raman_model_name((poyi_raman_model)i);
        const double one = integral((poyi_raman_model)i);
        check_points((poyi_raman_model)i);
        check_transform((poyi_raman_model)i);
        /* Over 0 ... 3 ps, by which Hollenbeck and Cantrell's is normalised; of the others less than 1e-11 lies beyond. */
        ok(fabs(one - 1.0) < 1e-9, "%s integrates to 1 (%.1e off)", name, one - 1.0);
        ok(response((poyi_raman_model)i, -1e-18) == 0.0, "nothing before t = 0");
        const poy_status found = poyi_raman_model_find(ctx, name, &model);
        ok(found == POY_OK && (int)model == i, "%s is found by its name", name);
    }
    ok(poyi_raman_fraction(POYI_RAMAN_BLOW_WOOD) == 0.18 && poyi_raman_fraction(POYI_RAMAN_LIN_AGRAWAL) == 0.245 &&
           poyi_raman_fraction(POYI_RAMAN_HOLLENBECK_CANTRELL) == 0.2,
       "the fractions are those published");
    ok(poyi_raman_model_find(ctx, "blowwood", &model) == POY_ERR_ARGUMENT &&
           strstr(poy_ctx_cause(ctx), "\"blowwood\" is unknown: blow_wood, lin_agrawal"),
       "an unknown model is refused: %s", poy_ctx_cause(ctx));
    double H[2];
    ok(poyi_raman_silica_transform(ctx, POYI_RAMAN_MODEL_COUNT, 0.0, H) == POY_ERR_ARGUMENT &&
           poyi_raman_silica_transform(ctx, POYI_RAMAN_BLOW_WOOD, INFINITY, H) == POY_ERR_ARGUMENT,
       "transforms: %s", poy_ctx_cause(ctx));
    ok(poyi_raman_silica(ctx, POYI_RAMAN_MODEL_COUNT, 0.0, &h) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poyi_raman_silica(ctx, POYI_RAMAN_BLOW_WOOD, NAN, &h) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    poy_ctx_destroy(&ctx);
    return tap_done();
}

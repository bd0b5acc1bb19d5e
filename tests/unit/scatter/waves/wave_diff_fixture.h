/* wave_diff_fixture.h: how derivatives are tested: the adjoint identity, differences of order 8, and the same bits for any
 * number of threads. */
#ifndef WAVE_DIFF_FIXTURE_H
#define WAVE_DIFF_FIXTURE_H

#include "scatter/waves/diff.h"
#include "unit/scatter/wave_fixture.h"

/* A function of real numbers: complex inputs are two of them, so that a complex gradient is one by both parts. */
typedef struct subject {
    const char *name;
    size_t in, out;
    const void *data;
    poy_status (*value)(poy_ctx *, const void *, const double *x, poy_c128 *out);
    poy_status (*push)(poy_ctx *, const void *, const double *x, const double *d, poy_c128 *d_out);
    poy_status (*pull)(poy_ctx *, const void *, const double *x, const poy_c128 *g_out, double *g);
    double step;
} subject;

/* Tangents, gradients and values by one thread and by three. */
static inline void check_bits(poy_ctx *ctx, const subject *s, const double *x, const double *d,
                              const poy_c128 *cotangent)
{
    poy_c128 *out[2][2];
    double *g[2];
    int fine = 1;
    for (int i = 0; i < 2; i++) {
        poy_ctx_set_threads(ctx, i ? 3 : 1);
        out[i][0] = matrix(s->out, 1);
        out[i][1] = matrix(s->out, 1);
        g[i] = calloc(s->in, sizeof *g[i]);
        fine &= s->value(ctx, s->data, x, out[i][0]) == POY_OK && s->push(ctx, s->data, x, d, out[i][1]) == POY_OK &&
                s->pull(ctx, s->data, x, cotangent, g[i]) == POY_OK;
    }
    poy_ctx_set_threads(ctx, 0);
    ok(fine && memcmp(out[0][0], out[1][0], s->out * sizeof *out[0][0]) == 0 &&
           memcmp(out[0][1], out[1][1], s->out * sizeof *out[0][1]) == 0 &&
           memcmp(g[0], g[1], s->in * sizeof *g[0]) == 0,
       "%s: three threads give the bits of one", s->name);
    for (int i = 0; i < 2; i++)
        free(out[i][0]), free(out[i][1]), free(g[i]);
}

/* Relative bar of the difference: order 8 at the step leaves eps / step and (step / scale)^8, both below 1e-10 here. */
static inline void check(poy_ctx *ctx, const subject *s, const double *x)
{
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    double *d = calloc(s->in, sizeof *d), *g = calloc(s->in, sizeof *g), *y = calloc(s->in, sizeof *y);
    poy_c128 *tangent = matrix(s->out, 1), *cotangent = draw_coefficients(s->out), *difference = matrix(s->out, 1);
    poy_c128 *value = matrix(s->out, 1);
    for (size_t i = 0; i < s->in; i++)
        d[i] = draw();
    const poy_status pushed = s->push(ctx, s->data, x, d, tangent);
    const poy_status pulled = s->pull(ctx, s->data, x, cotangent, g);
    ok(pushed == POY_OK && pulled == POY_OK, "%s: both ways", s->name);
    if (pushed != POY_OK || pulled != POY_OK)
        note("%s", poy_ctx_message(ctx));
    double forward = 0.0, backward = 0.0, size = 0.0;
    for (size_t i = 0; i < s->out; i++) {
        forward += cotangent[i].re * tangent[i].re + cotangent[i].im * tangent[i].im;
        size += cabs(poyi_c(cotangent[i])) * cabs(poyi_c(tangent[i]));
    }
    for (size_t i = 0; i < s->in; i++)
        backward += g[i] * d[i];
    ok(fabs(forward - backward) <= 1e-12 * size, "%s: <g, J d> = <J^H g, d>, error %.1e", s->name,
       fabs(forward - backward) / size);
    poy_status fine = POY_OK;
    for (int side = -1; side <= 1; side += 2)
        for (int k = 1; k <= 4; k++) {
            for (size_t i = 0; i < s->in; i++)
                y[i] = x[i] + side * k * s->step * d[i];
            const poy_status status = s->value(ctx, s->data, y, value);
            fine = status != POY_OK ? status : fine;
            for (size_t i = 0; i < s->out; i++)
                difference[i] = poyi_pair(poyi_c(difference[i]) + side * weight[k - 1] / s->step * poyi_c(value[i]));
        }
    ok(fine == POY_OK && apart(s->out, tangent, difference) < 1e-10, "%s: J d is the difference, error %.1e", s->name,
       apart(s->out, tangent, difference));
    check_bits(ctx, s, x, d, cotangent);
    free(d), free(g), free(y), free(tangent), free(cotangent), free(difference), free(value);
}

static inline void draw_into(size_t n, double scale, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = scale * draw();
}

static inline const poy_c128 *pairs(const double *x)
{
    return (const poy_c128 *)(const void *)x;
}

static inline poy_c128 *pairs_of(double *x)
{
    return (poy_c128 *)(void *)x;
}

#endif

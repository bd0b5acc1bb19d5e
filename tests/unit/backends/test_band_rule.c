/* test_band_rule.c: the running integrals of free electrons by trapezoids with filters of 2 K + 1 taps, on a carrier in a
 * Gaussian window: their errors at 40, 20 and 10 samples a cycle against published ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/constants.h"
#include "core/core.h"
#include "ops/program.h"
#include "poynting/pulse_rows.h"
#include "tap.h"

enum { CYCLES = 8 }; /* standard deviation of the window */

static poy_ctx *ctx;

/* Y = I(I(X)) by the row: everything is free, nothing is ionised further. */
static poy_status integrate_twice(const char *backend, int taps, int64_t n, double dt, const double *x, double *y)
{
    const poy_row_plasma arg = {.taps = taps,
                                .pol = 1,
                                .points = 2,
                                .field_min = 1e9,
                                .step = 1.0,
                                .foot = 1e9,
                                .dt = dt,
                                .drude = 1.0,
                                .potential = 1.0};
    const double table[4] = {0.0}, scalars[3] = {1.0, 1.0, 1.0};
    poy_backend *be = NULL;
    poyi_program *p = NULL;
    poy_status status;
    int slots[5] = {-1, -1, -1, -1, -1}, segment = 0;

    POYI_TRY(ctx, poy_backend_open(ctx, backend, &be));
    POYI_TO_DONE(ctx, poyi_program_create(ctx, "band", &p));
    POYI_TO_DONE(ctx, poyi_program_slot(ctx, p, "slot.Y", POY_F64, 1, n, &slots[0]));
    POYI_TO_DONE(ctx, poyi_program_slot(ctx, p, "slot.report", POY_F64, 1, 1, &slots[1]));
    POYI_TO_DONE(ctx, poyi_program_slot(ctx, p, "slot.X", POY_F64, 1, n, &slots[2]));
    POYI_TO_DONE(ctx, poyi_program_slot(ctx, p, "slot.T", POY_F64, 1, 4, &slots[3]));
    POYI_TO_DONE(ctx, poyi_program_segment(ctx, p, "row", &segment));
    POYI_TO_DONE(ctx, poyi_program_row(ctx, p, "plasma", 5, slots, &arg, sizeof arg, 0, 3));
    POYI_TO_DONE(ctx, poyi_program_bind(ctx, p, be));
    POYI_TO_DONE(ctx, poyi_program_write(ctx, p, slots[0], y)); /* zeros */
    POYI_TO_DONE(ctx, poyi_program_write(ctx, p, slots[2], x));
    POYI_TO_DONE(ctx, poyi_program_write(ctx, p, slots[3], table));
    POYI_TO_DONE(ctx, poyi_program_run(ctx, p, segment, scalars));
    POYI_TO_DONE(ctx, poyi_program_read(ctx, p, slots[0], y));
done:
    poyi_program_destroy(&p);
    poy_backend_close(&be);
    return status;
}

/* The relative error of both integrals of F'' where F = exp(-t^2/(2 s^2)) cos t, which is nothing at the ends. */
static double error_of(const char *backend, int taps, int per_cycle)
{
    const double dt = 2.0 * POYI_PI / per_cycle, s = 2.0 * POYI_PI * CYCLES, a = 1.0 / (s * s);
    const int64_t half = (int64_t)9 * CYCLES * per_cycle, n = 2 * half + 1;
    double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y), error = 0.0, size = 0.0;
    if (!x || !y)
        exit(1);
    for (int64_t i = 0; i < n; i++) {
        const double t = dt * (double)(i - half), g = exp(-0.5 * a * t * t);
        x[i] = g * ((a * a * t * t - a - 1.0) * cos(t) + 2.0 * a * t * sin(t));
    }
    if (integrate_twice(backend, taps, n, dt, x, y) != POY_OK)
        error = (double)INFINITY;
    for (int64_t i = 0; i < n; i++) {
        const double t = dt * (double)(i - half), want = exp(-0.5 * a * t * t) * cos(t);
        error += (y[i] - want) * (y[i] - want);
        size += want * want;
    }
    free(x);
    free(y);
    return sqrt(error / size);
}

int main(void)
{
    static const char *const backends[] = {"ref", "cpu:isa=base", "cpu"};
    static const int per_cycle[] = {40, 20, 10};
    /* of one integral, K = 0 to 4, to two digits */
    static const double published[3][5] = {{2.1e-3, 9.3e-6, 4.8e-8, 2.6e-10, 1.5e-12},
                                           {8.2e-3, 1.5e-4, 3.0e-6, 6.6e-8, 1.5e-9},
                                           {3.3e-2, 2.3e-3, 1.9e-4, 1.6e-5, 1.4e-6}};
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < 3; i++)
            for (int taps = 0; taps <= POY_TAPS_MAX; taps++) {
                /* two in a row; the bandwidth of the window and the second digit are worth some per cent, and sums of
                 * ten thousand terms end in roundings */
                const double error = error_of(backends[b], taps, per_cycle[i]), want = 2.0 * published[i][taps];
                ok(fabs(error - want) <= 0.12 * want + 1e-12, "%s, K = %d, %d samples a cycle: %.2e, twice %.1e",
                   backends[b], taps, per_cycle[i], error, 0.5 * want);
            }
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

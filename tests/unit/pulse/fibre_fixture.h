/* fibre_fixture.h: grids, fibres and launches of the set-up tests, made in one line. */
#ifndef FIBRE_FIXTURE_H
#define FIBRE_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "core/core.h"
#include "math/fft.h"
#include "pulse/problem.h"
#include "tap.h"

static poy_ctx *ctx;

/* Warnings since the last fixture_forget. */
static char logged[2048];
static void keep_log(void *user, poy_log_level level, const char *text)
{
    (void)user;
    const size_t used = strlen(logged);
    if (level <= POY_LOG_WARNING)
        snprintf(logged + used, sizeof logged - used, "%s%s", used ? "; " : "", text);
}

static inline void fixture_forget(void)
{
    logged[0] = '\0';
}

static inline void fixture_start(void)
{
    poy_ctx_create(&ctx);
    poy_ctx_set_log(ctx, keep_log, NULL, POY_LOG_INFO);
}

static inline int fixture_end(void)
{
    ok(poy_ctx_bytes(ctx) == 0, "nothing is left in the ledger");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

static inline poy_grid *grid_of_samples(double reference, double window, int64_t samples)
{
    poy_grid_options o;
    poy_grid *grid = NULL;
    poy_grid_options_init(&o);
    o.reference = reference;
    o.window = window;
    o.samples = samples;
    if (poy_grid_create(ctx, &o, &grid) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    return grid;
}

static inline poy_grid *grid_of_limits(double reference, double low, double high, double window)
{
    poy_grid_options o;
    poy_grid *grid = NULL;
    poy_grid_options_init(&o);
    o.reference = reference;
    o.wavelength_min = low;
    o.wavelength_max = high;
    o.window = window;
    if (poy_grid_create(ctx, &o, &grid) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    return grid;
}

static inline poy_fibre_options fibre_of(double gamma, int n_beta, const double *beta)
{
    poy_fibre_options o;
    poy_fibre_options_init(&o);
    o.gamma = gamma;
    o.beta = beta;
    o.n_beta = n_beta;
    return o;
}

static inline poy_physics_options physics_of(int shock, poy_raman_model raman, poy_noise_model noise)
{
    poy_physics_options o;
    poy_physics_options_init(&o);
    o.shock = shock;
    o.raman = raman;
    o.noise = noise;
    return o;
}

/* A problem with two planes; NULL (and a note) where it is refused. */
static inline poy_problem *problem_of(poy_grid *grid, const poy_fibre_options *fibre,
                                      const poy_physics_options *physics, double length)
{
    const double planes[2] = {0.0, length};
    poy_solver_options solver;
    poy_problem *problem = NULL;
    poy_solver_options_init(&solver);
    if (poy_problem_create_fibre(ctx, grid, fibre, physics, &solver, length, planes, 2, &problem) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    return problem;
}

static inline poy_pulse_options pulse_of(poy_shape shape, double wavelength, double fwhm, double energy)
{
    poy_pulse_options o;
    poy_pulse_options_init(&o);
    o.shape = shape;
    o.wavelength = wavelength;
    o.fwhm = fwhm;
    o.energy = energy;
    return o;
}

/* A(t) of a spectrum, c128 [n]; the caller frees it. */
static inline double *time_of(const double *spectrum, int64_t n)
{
    double *a = calloc((size_t)n + 1, 2 * sizeof *a);
    if (!a)
        abort();
    memcpy(a, spectrum, (size_t)n * 2 * sizeof *a);
    if (poyi_fft(ctx, +1, n, a) != POY_OK)
        abort();
    for (int64_t i = 0; i < 2 * n; i++)
        a[i] /= (double)n;
    return a;
}

static inline double power_at(const double *a, int64_t i)
{
    return a[2 * i] * a[2 * i] + a[2 * i + 1] * a[2 * i + 1];
}

static inline int close_to(double got, double want, double tolerance)
{
    return fabs(got - want) <= tolerance * fabs(want);
}

#endif

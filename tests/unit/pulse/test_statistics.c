/* test_statistics.c: statistics of fields for which they are known in closed form. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "core/core.h"
#include "pulse/march/statistics/statistics.h"
#include "tap.h"

enum { N = 512 };

static double omega[N], mask[N], field[2 * N], power[N];
static poy_problem problem;
static poyi_sample sample = {.problem = &problem, .field = field, .power = power, .column = -1};

/* N bins of 1 THz around 300 THz, in FFT order; the outermost fifth is no signal. */
static void make_problem(void)
{
    problem = (poy_problem){.n_w = N, .n_t = N, .n_c = 1};
    problem.domega = 2.0 * POYI_PI * 1e12;
    problem.omega0 = 300.0 * problem.domega;
    problem.dt = 2.0 * POYI_PI / (problem.domega * N);
    for (int k = 0; k < N; k++) {
        int bin = k < N / 2 ? k : k - N;
        omega[k] = problem.omega0 + bin * problem.domega;
        mask[k] = bin > -200 && bin < 200;
    }
    problem.omega.data = omega;
    problem.mask.data = mask;
}

static int bin_at(double thz)
{
    int offset = (int)lround(thz - 300.0);
    return offset < 0 ? offset + N : offset;
}

static void put(double thz, double watts)
{
    field[2 * bin_at(thz)] = N * sqrt(watts); /* a continuous wave of so many watts */
}

static double value(poy_ctx *ctx, const char *name)
{
    poyi_statistic s;
    return poyi_statistic_parse(ctx, name, &s) == POY_OK ? poyi_statistic_value(&s, &sample) : (double)NAN;
}

static int close_to(double got, double want)
{
    return fabs(got - want) <= 4.0 * DBL_EPSILON * fabs(want);
}

static void spectral(poy_ctx *ctx)
{
    double window = N * problem.dt;
    ok(value(ctx, "energy") == 0.0 && value(ctx, "photon_number") == 0.0, "no field: no energy and no photons");
    ok(isnan(value(ctx, "omega_mean")), "and no mean frequency");

    put(310.0, 3.0);
    put(290.0, 1.0);
    ok(close_to(value(ctx, "energy"), 4.0 * window), "power times window: %.17g J", value(ctx, "energy"));
    double photons = window * (3.0 / 310.0 + 1.0 / 290.0) / (POYI_HBAR * problem.domega);
    ok(close_to(value(ctx, "photon_number"), photons), "each wave over its own hbar omega");
    ok(close_to(value(ctx, "omega_mean"), 305.0 * problem.domega), "mean of 310 (3 W) and 290 THz (1 W)");
    put(510.0, 100.0);
    ok(close_to(value(ctx, "omega_mean"), 305.0 * problem.domega), "what lies outside the signal band does not count");
    ok(close_to(value(ctx, "energy"), 104.0 * window), "but it has energy");
    problem.mask.data = NULL;
    ok(value(ctx, "omega_mean") > 490.0 * problem.domega, "without a mask all bins are signal");
    problem.mask.data = mask;

    omega[bin_at(510.0)] = 0.0;
    ok(close_to(value(ctx, "photon_number"), photons), "bins at and below 0 hold no photons");
    make_problem();
    memset(field, 0, sizeof field);
}

static void bands(poy_ctx *ctx)
{
    double window = N * problem.dt;
    char band[64];
    put(300.0, 1.0);
    snprintf(band, sizeof band, "energy:%.17g:%.17g", POYI_C / 330e12, POYI_C / 270e12);
    ok(close_to(value(ctx, band), window), "%s: inside the band all counts", band);
    snprintf(band, sizeof band, "energy:%.17g:%.17g", POYI_C / 268e12, POYI_C / 250e12);
    ok(fabs(value(ctx, band) / window - 0.25) < 1e-12, "half an edge (32 bins) above it the field is halved: %.12g",
       value(ctx, band) / window);
    snprintf(band, sizeof band, "energy:%.17g:%.17g", POYI_C / 382e12, POYI_C / 364e12);
    ok(value(ctx, band) == 0.0, "a whole edge (64 bins) below it nothing is left");
    memset(field, 0, sizeof field);
}

static void temporal(poy_ctx *ctx)
{
    for (int n = 0; n < N; n++)
        power[n] = fmax(0.0, 16.0 - fabs(n - 300.25)); /* a triangle, 16 W high and wide at half */
    ok(power[300] == value(ctx, "peak_power"), "the largest sample, not the apex between samples");
    ok(close_to(value(ctx, "peak_time"), 44.0 * problem.dt), "and its time");
    double half = 0.5 * power[300], width = 2.0 * (16.0 - half) * problem.dt;
    ok(fabs(value(ctx, "fwhm_t") / width - 1.0) < 1e-14, "linear interpolation is exact for straight flanks");
    ok(close_to(value(ctx, "fwhm_t_max"), value(ctx, "fwhm_t")), "one peak has one width");

    for (int n = 0; n < N; n++)
        power[n] += fmax(0.0, 12.0 - fabs(n - 100.0));
    double from = 100.0 - (12.0 - half), to = 300.25 + (16.0 - half);
    ok(fabs(value(ctx, "fwhm_t") / width - 1.0) < 1e-14, "a second peak above half leaves the nearest crossings alone");
    ok(fabs(value(ctx, "fwhm_t_max") / ((to - from) * problem.dt) - 1.0) < 1e-14, "the farthest are its own");

    for (int n = 0; n < N; n++)
        power[n] = n < N / 2 ? 1.0 : fmax(0.0, 1.0 - 0.01 * (n - N / 2));
    ok(isnan(value(ctx, "fwhm_t")) && isnan(value(ctx, "fwhm_t_max")), "a flank that runs out of the window: NaN");
    for (int n = 0; n < N; n++)
        power[n] = 1.0;
    ok(isnan(value(ctx, "fwhm_t")), "a continuous wave has no width");
    memset(power, 0, sizeof power);
    ok(isnan(value(ctx, "fwhm_t")) && isnan(value(ctx, "fwhm_t_max")) && value(ctx, "peak_power") == 0.0,
       "nor has nothing");

    double time[2 * N] = {0};
    time[0] = 3.0, time[1] = 4.0;
    poyi_stat_power(&problem, time, -1, power);
    ok(power[0] == 25.0 && power[1] == 0.0, "power is the square of the modulus");
}

static void names(poy_ctx *ctx)
{
    poyi_statistic s;
    ok(poyi_statistic_parse(ctx, "enrgy", &s) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "fwhm_t_max"),
       "an unknown name lists the known: %s", poy_ctx_cause(ctx));
    ok(poyi_statistic_parse(ctx, "peak_power:1e-9:2e-9", &s) == POY_ERR_ARGUMENT, "only energy takes a band: %s",
       poy_ctx_cause(ctx));
    const char *bad[] = {"energy:",           "energy:1e-9",       "energy:2e-9:1e-9",
                         "energy:-1e-9:1e-9", "energy:1e-9:2e-9x", "energy:a:b"};
    for (int i = 0; i < 6; i++)
        ok(poyi_statistic_parse(ctx, bad[i], &s) == POY_ERR_ARGUMENT, "%s: %s", bad[i], poy_ctx_cause(ctx));
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    make_problem();
    spectral(ctx);
    bands(ctx);
    temporal(ctx);
    names(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

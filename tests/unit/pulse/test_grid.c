/* test_grid.c: grids against reference numbers, their windows, and every refusal. */
#include <math.h>
#include <string.h>

#include "pulse/setup/setup.h"
#include "tap.h"

typedef struct golden {
    const char *run;
    int real;
    double reference, wavelength_min, wavelength_max, window;
    int64_t samples;
    int thg;
    int64_t n, n_fine;
    double dt, dt_fine, domega, omega0;
} golden;

#define GRID(run, ...) {#run, __VA_ARGS__},
static const golden runs[] = {
#include "golden/pulse_grids.def"
};
#undef GRID

static poy_ctx *ctx;

static int near(double got, double want)
{
    return fabs(got - want) <= 1e-12 * fabs(want);
}

static void check_run(const golden *g)
{
    poy_grid_options o;
    poy_grid *grid = NULL;

    poy_grid_options_init(&o);
    o.field = g->real ? POY_FIELD_REAL : POY_FIELD_ENVELOPE;
    o.reference = g->reference;
    o.wavelength_min = g->wavelength_min;
    o.wavelength_max = g->wavelength_max;
    o.window = g->window;
    o.samples = g->samples;
    o.thg = g->thg;
    if (!ok(poy_grid_create(ctx, &o, &grid) == POY_OK, "%s: a grid", g->run)) {
        note("%s", poy_ctx_message(ctx));
        return;
    }
    const poy_grid_info *info = poy_grid_get(grid);
    ok(info->n_t == g->n && info->n_w == (g->real ? g->n / 2 + 1 : g->n) && info->n_to == g->n_fine,
       "%s: %lld samples, %lld fine", g->run, (long long)info->n_t, (long long)info->n_to);
    ok(near(info->dt, g->dt) && near(info->dt_fine, g->dt_fine) && near(info->domega, g->domega) &&
           near(info->omega0, g->omega0),
       "%s: dt, dt_fine, domega, omega0 to 1e-12", g->run);
    const double *omega = poy_grid_omega(grid), *time = poy_grid_time(grid);
    const int64_t half = info->n_t / 2;
    if (g->real)
        ok(omega[0] == 0.0 && omega[1] == info->domega && near(omega[half], (double)half * info->domega),
           "%s: bins from 0 to the Nyquist frequency", g->run);
    else
        ok(omega[0] == info->omega0 && near(omega[half] - omega[0], -(double)half * info->domega) &&
               near(omega[half - 1] - omega[0], (double)(half - 1) * info->domega) &&
               near(omega[info->n_w - 1] - omega[0], -info->domega),
           "%s: bins in the order 0 .. n/2 - 1, -n/2 .. -1", g->run);
    ok(time[half] == 0.0 && near(time[0], -(double)half * info->dt) &&
           near(time[info->n_t - 1] - time[0], info->window - info->dt),
       "%s: t = 0 at the sample n/2, no repeated end point", g->run);
    poy_grid_destroy(&grid);
    ok(!grid && poy_ctx_bytes(ctx) == 0, "%s: nothing is left in the ledger", g->run);
}

/* The published example of the textbook code's off-by-one: 2^14 samples in 12.5 ps. */
static void check_spacing(void)
{
    poy_grid_options o;
    poy_grid *grid = NULL;
    poy_grid_options_init(&o);
    o.reference = 835e-9;
    o.window = 12.5e-12;
    o.samples = 16384;
    ok(poy_grid_create(ctx, &o, &grid) == POY_OK, "12.5 ps in 16384 samples");
    const poy_grid_info *info = poy_grid_get(grid);
    const double *time = poy_grid_time(grid);
    ok(fabs(info->dt / 0.762939453125e-15 - 1.0) < 1e-14 && fabs(time[0] / -6.25e-12 - 1.0) < 1e-14 &&
           fabs(time[16383] / 6.249237060546875e-12 - 1.0) < 1e-14 &&
           fabs(info->domega / 0.5026548245743669e12 - 1.0) < 1e-14,
       "dt = T/N = 0.762939453125 fs, t from -6.25 to 6.249237060546875 ps");
    int whole = 1;
    for (int64_t i = 0; i < info->n_w; i++)
        whole = whole && poy_grid_window_w(grid)[i] == 1.0 && poy_grid_window_t(grid)[i] == 1.0 &&
                poy_grid_window_to(grid)[i] == 1.0 && poy_grid_mask(grid)[i] == 1;
    ok(whole && !info->windows, "samples alone: windows of 1, every bin in the band");
    poy_grid *again = poy_grid_retain(grid);
    poy_grid_destroy(&grid);
    ok(poy_grid_get(again)->n_t == 16384, "a retained grid outlives the first handle");
    poy_grid_destroy(&again);
}

static void check_taper(void)
{
    const double quarter = 1.0 / (1.0 + exp(1.0 / 0.25 - 1.0 / 0.75));
    ok(poyi_planck_taper(0.0, 0, 1, 2, 3) == 0.0 && poyi_planck_taper(3.0, 0, 1, 2, 3) == 0.0 &&
           poyi_planck_taper(-1.0, 0, 1, 2, 3) == 0.0,
       "the taper is 0 at its ends and beyond");
    ok(poyi_planck_taper(1.0, 0, 1, 2, 3) == 1.0 && poyi_planck_taper(1.5, 0, 1, 2, 3) == 1.0 &&
           poyi_planck_taper(2.0, 0, 1, 2, 3) == 1.0,
       "and 1 between its edges");
    ok(fabs(poyi_planck_taper(0.5, 0, 1, 2, 3) - 0.5) < 1e-15 && fabs(poyi_planck_taper(2.5, 0, 1, 2, 3) - 0.5) < 1e-15,
       "half way up and down it is 1/2");
    ok(fabs(poyi_planck_taper(0.25, 0, 1, 2, 3) - quarter) < 1e-16 &&
           fabs(poyi_planck_taper(2.75, 0, 1, 2, 3) - quarter) < 1e-16,
       "a quarter up and down it is 1/(1 + exp(4 - 4/3))");
    double last = 0.0;
    int rising = 1;
    for (int i = 1; i < 100000; i++) {
        const double w = poyi_planck_taper(i * 1e-5, 0, 1, 2, 3);
        rising = rising && w >= last && w <= 1.0;
        last = w;
    }
    ok(rising, "it rises without an overflow");
    ok(poyi_planck_taper(1e-310, 0, 1, 2, 3) == 0.0 && poyi_planck_taper(nextafter(1.0, 0.0), 0, 1, 2, 3) == 1.0,
       "exponents beyond exp's range give 0 and 1");
    ok(poyi_planck_taper(0.0, 0, 0, 1, 0.9) == 0.0 && poyi_planck_taper(0.1, 0, 0, 1, 0.9) == 1.0 &&
           poyi_planck_taper(0.9, 0, 0, 1, 0.9) == 0.0,
       "without room only the end samples are 0");
}

static void check_windows(void)
{
    poy_grid_options o;
    poy_grid *grid = NULL;
    poy_grid_options_init(&o);
    o.reference = 1550e-9;
    o.wavelength_min = 800e-9;
    o.wavelength_max = 2600e-9;
    o.window = 3e-12;
    ok(poy_grid_create(ctx, &o, &grid) == POY_OK, "800 to 2600 nm, 3 ps");
    const poy_grid_info *info = poy_grid_get(grid);
    const double *omega = poy_grid_omega(grid), low = 2.0 * POYI_PI * POYI_C / 2600e-9,
                 high = 2.0 * POYI_PI * POYI_C / 800e-9;
    int right = 1, inside = 0;
    for (int64_t k = 0; k < info->n_w; k++) {
        const int in = omega[k] > 0.5 * low && omega[k] < 1.1 * high;
        const double window = poy_grid_window_w(grid)[k];
        right = right && poy_grid_mask(grid)[k] == in && (in || window == 0.0) &&
                (window == 1.0 || omega[k] < low || omega[k] > high);
        inside += in;
    }
    ok(right && info->windows && inside > 100, "%d bins of the band lie between omega_min/2 and 1.1 omega_max", inside);
    ok(poy_grid_window_t(grid)[0] == 0.0 && poy_grid_window_t(grid)[info->n_t - 1] == 0.0 &&
           poy_grid_window_t(grid)[info->n_t / 2] == 1.0,
       "the time window closes at both ends");
    poy_grid_destroy(&grid);
    o.samples = 2400;
    ok(poy_grid_create(ctx, &o, &grid) == POY_OK && poy_grid_get(grid)->n_t == 2400 && poy_grid_get(grid)->windows &&
           near(poy_grid_get(grid)->dt, 3e-12 / 2400),
       "samples with limits: the samples' grid with windows");
    poy_grid_destroy(&grid);
    o.samples = 0;
    o.dt_max = 0.5e-15;
    ok(poy_grid_create(ctx, &o, &grid) == POY_OK && poy_grid_get(grid)->dt_fine == 0.5e-15 &&
           poy_grid_get(grid)->n_t < poy_grid_get(grid)->n_to,
       "dt_max oversamples: %lld coarse, %lld fine", grid ? (long long)poy_grid_get(grid)->n_t : 0,
       grid ? (long long)poy_grid_get(grid)->n_to : 0);
    poy_grid_destroy(&grid);
    o.dt_max = 0.0;
    o.reference = 820e-9; /* nearer the short-wave edge: the long-wave side sets the sampling */
    ok(poy_grid_create(ctx, &o, &grid) == POY_OK, "a carrier near the short-wave edge");
    omega = poy_grid_omega(grid);
    ok(omega[poy_grid_get(grid)->n_w / 2] <= low, "the grid reaches the long-wave limit");
    poy_grid_destroy(&grid);
}

typedef struct bad {
    double reference, wavelength_min, wavelength_max, window, dt_max;
    int64_t samples;
    int field, thg;
    poy_status status;
    const char *text;
} bad;

static const bad bads[] = {
    {.status = POY_ERR_ARGUMENT, .text = "grid.reference: 0 m is not above 0"},
    {.reference = NAN, .status = POY_ERR_ARGUMENT, .text = "grid.reference: nan m"},
    {.reference = 8e-7, .status = POY_ERR_ARGUMENT, .text = "grid.window: 0 s is not above 0"},
    {.reference = 8e-7, .window = -1e-12, .samples = 512, .status = POY_ERR_ARGUMENT, .text = "grid.window: -1e-12 s"},
    {.reference = 8e-7, .window = INFINITY, .samples = 512, .status = POY_ERR_ARGUMENT, .text = "grid.window: inf s"},
    {.reference = 8e-7, .window = 1e-12, .status = POY_ERR_ARGUMENT, .text = "grid.samples: missing"},
    {.reference = 8e-7,
     .window = 1e-12,
     .wavelength_min = 4e-7,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.wavelength_max: 0 m is not above 0"},
    {.reference = 8e-7,
     .window = 1e-12,
     .wavelength_min = 9e-7,
     .wavelength_max = 4e-7,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.wavelength_min: 9e-07 m is not below grid.wavelength_max, 4e-07 m"},
    {.reference = 8e-7,
     .window = 1e-12,
     .wavelength_min = 4e-7,
     .wavelength_max = 7e-7,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.wavelength_max: 7e-07 m is not above the carrier, 8e-07 m: raise it"},
    {.reference = 8e-7,
     .window = 1e-12,
     .wavelength_min = 9e-7,
     .wavelength_max = 2e-6,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.wavelength_min: 9e-07 m is not below the carrier, 8e-07 m: lower it"},
    {.reference = 8e-7,
     .window = 1e-15,
     .wavelength_min = 4e-7,
     .wavelength_max = 2e-6,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.window: 1e-15 s holds fewer than 10 samples"},
    {.reference = 8e-7,
     .window = 1e-6,
     .wavelength_min = 4e-7,
     .wavelength_max = 2e-6,
     .status = POY_ERR_ARGUMENT,
     .text = "above 2^26"},
    {.reference = 8e-7,
     .window = 1e-12,
     .samples = -4,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.samples: -4 is outside"},
    {.reference = 8e-7,
     .window = 1e-12,
     .samples = 1 << 27,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.samples: 134217728 is outside 10 to 67108864"},
    {.reference = 8e-7,
     .window = 1e-12,
     .samples = 4099,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.samples: 4099 is odd or has a prime factor above 13: use 4096 or 4116"},
    {.reference = 8e-7,
     .window = 1e-12,
     .samples = 100,
     .dt_max = 1e-15,
     .status = POY_ERR_ARGUMENT,
     .text = "above grid.dt_max, 1e-15 s"},
    {.reference = 8e-7,
     .window = 1e-12,
     .samples = 100,
     .dt_max = -1.0,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.dt_max: -1 s"},
    {.reference = 8e-7,
     .window = 1e-12,
     .wavelength_min = 4e-7,
     .wavelength_max = 2e-6,
     .samples = 512,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.samples: 512 in 1e-12 s do not reach the wavelength limits, 4e-07 to 2e-06 m: 750 or more do"},
    {.reference = 8e-7,
     .window = 1e-12,
     .samples = 128,
     .thg = 1,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.samples: 128 leaves no room for third harmonics"},
    {.reference = 8e-7,
     .window = 1e-12,
     .samples = 128,
     .field = POY_FIELD_REAL,
     .status = POY_ERR_ARGUMENT,
     .text = "grid.samples: a real field is sampled for its band"},
    {.reference = 8e-7,
     .window = 1e-12,
     .samples = 128,
     .field = 7,
     .status = POY_ERR_ARGUMENT,
     .text = "physics.field: there is no choice 7"},
};

static void check_bad(const bad *b)
{
    const uint64_t before = poy_ctx_allocations(ctx);
    poy_grid_options o;
    poy_grid *grid = NULL;
    poy_grid_options_init(&o);
    o.reference = b->reference;
    o.wavelength_min = b->wavelength_min;
    o.wavelength_max = b->wavelength_max;
    o.window = b->window;
    o.dt_max = b->dt_max;
    o.samples = b->samples;
    o.field = (poy_field)b->field;
    o.thg = b->thg;
    const poy_status status = poy_grid_create(ctx, &o, &grid);
    ok(status == b->status && !grid && strstr(poy_ctx_cause(ctx), b->text) && poy_ctx_allocations(ctx) == before, "%s",
       poy_ctx_cause(ctx));
    if (status != b->status || !strstr(poy_ctx_cause(ctx), b->text))
        note("wanted %s: %s", poy_status_name(b->status), b->text);
}

int main(void)
{
    poy_grid *grid = NULL;
    poy_grid_options o = {0};

    poy_ctx_create(&ctx);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        check_run(&runs[i]);
    check_spacing();
    check_taper();
    check_windows();
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++)
        check_bad(&bads[i]);
    ok(poy_grid_create(ctx, NULL, &grid) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_grid_create(ctx, &o, &grid) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "poy_grid_options_init"), "%s",
       poy_ctx_cause(ctx));
    poy_grid_destroy(&grid);
    ok(poy_ctx_bytes(ctx) == 0, "nothing is left in the ledger");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

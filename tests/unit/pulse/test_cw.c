/* test_cw.c: constant waves with a line against the statistics of light: thermal light and phase diffusion; and pulses that are known
 * by their power in time against closed forms. */
#include "fibre_fixture.h"
#include "pulse/setup/setup.h"
#include "pulse/spectral.h"

enum { N = 8192, SEEDS = 64 };
static const double WINDOW = 8e-9, WIDTH = 5e9, POWER = 3.0; /* s, Hz, W: 40 bins wide, band of 1 THz */
static double spectrum[2 * N], other[2 * N];
static poy_grid *grid;
static poy_problem *problem;

static poy_pulse_options wave_of(poy_line line, uint64_t seed)
{
    poy_pulse_options o = pulse_of(POY_SHAPE_CW, 1550e-9, NAN, NAN);
    o.average_power = POWER;
    o.linewidth = WIDTH;
    o.line = line;
    o.line_seed = seed;
    return o;
}

static void launch(const poy_pulse_options *o, double *out)
{
    if (poy_launch_create(ctx, problem, o, 1, out) != POY_OK)
        note("%s", poy_ctx_message(ctx));
}

/* ---- lines with random phases ---- */

static double line_at(poy_line line, double x) /* x: distance over the full width at half maximum */
{
    if (line == POY_LINE_GAUSSIAN)
        return pow(2.0, -4.0 * x * x);
    if (line == POY_LINE_LORENTZIAN)
        return 1.0 / (1.0 + 4.0 * x * x);
    return pow(cosh(2.0 * acosh(sqrt(2.0)) * x), -2.0);
}

/* The spectrum is the line, bin by bin; and the coherence time its sum of squares over the square of its sum. */
static void check_lines(void)
{
    static const char *const names[] = {"sech2", "gaussian", "lorentzian"};
    for (int i = POY_LINE_SECH2; i <= POY_LINE_LORENTZIAN; i++) {
        const poy_pulse_options o = wave_of((poy_line)i, 7);
        double worst = 0.0, sum = 0.0, squares = 0.0;
        poy_problem_numbers n;
        launch(&o, spectrum);
        for (int64_t k = 0; k < N; k++) {
            const double x = (poy_grid_omega(grid)[k] - poy_grid_get(grid)->omega0) / (2.0 * POYI_PI * WIDTH);
            const double got = power_at(spectrum, k) / power_at(spectrum, 0);
            worst = fmax(worst, fabs(got - line_at(o.line, x)));
            sum += got;
            squares += got * got;
        }
        ok(worst < 1e-12, "%s: the spectrum is the line to %.0e", names[i], worst);
        ok(close_to(poyi_spectrum_energy(poy_grid_get(grid), spectrum), POWER * WINDOW, 1e-12),
           "its average power is %g W", POWER);
        ok(poy_problem_describe(ctx, problem, &o, 0.0, &n) == POY_OK, "it is described");
        /* a Lorentzian of 5 GHz has 2/pi 5/1024 of its light outside of the band */
        const double tolerance = i == POY_LINE_LORENTZIAN ? 1.3 * 2.0 * 2.0 / POYI_PI * 5.0 / 1024.0 : 1e-6;
        ok(close_to(n.coherence_time, squares / (sum * sum) * WINDOW, tolerance), "its coherence time is %.4g ps",
           n.coherence_time * 1e12);
    }
}

/* Phases of so many bins make circular Gaussian statistics: <I^2> = 2 <I>^2 less the squares of the bins' shares. */
static void check_thermal(void)
{
    double square = 0.0, shares = 0.0, sum = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const poy_pulse_options o = wave_of(POY_LINE_SECH2, seed);
        launch(&o, spectrum);
        double *a = time_of(spectrum, N);
        for (int64_t i = 0; i < N; i++)
            square += power_at(a, i) * power_at(a, i) / (N * (double)SEEDS * POWER * POWER);
        free(a);
    }
    for (int64_t k = 0; k < N; k++)
        sum += power_at(spectrum, k);
    for (int64_t k = 0; k < N; k++)
        shares += pow(power_at(spectrum, k) / sum, 2);
    /* variance of I^2 is 20 <I>^4; 8 ns hold 68 coherence times */
    const double sigma = sqrt(20.0 / (68.0 * SEEDS));
    ok(fabs(square - (2.0 - shares)) < 4.0 * sigma, "<I^2>/<I>^2 = %.3f of %.3f, 4 sigma %.3f", square, 2.0 - shares,
       4.0 * sigma);
    const poy_pulse_options same = wave_of(POY_LINE_SECH2, SEEDS - 1), next = wave_of(POY_LINE_SECH2, SEEDS);
    launch(&same, other);
    ok(!memcmp(spectrum, other, sizeof other), "one seed, one wave");
    launch(&next, other);
    ok(memcmp(spectrum, other, sizeof other) != 0, "another seed, another wave");
}

/* ---- phase diffusion ---- */

static void check_diffusion(void)
{
    const double dt = WINDOW / N;
    const int64_t lag = (int64_t)nearbyint(1.0 / (POYI_PI * WIDTH * dt)); /* the coherence time */
    double ripple = 0.0, steps = 0.0, jump = 0.0, re = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        poy_pulse_options o = wave_of(POY_LINE_PHASE_DIFFUSION, seed);
        o.wavelength = 2.0 * POYI_PI * POYI_C / (poy_grid_get(grid)->omega0 + 10.3 * poy_grid_get(grid)->domega);
        launch(&o, spectrum);
        double *a = time_of(spectrum, N);
        const double turn = 10.3 * 2.0 * POYI_PI / N;
        for (int64_t i = 0; i < N; i++) {
            const int64_t j = (i + 1) % N, l = (i + lag) % N;
            const double c = a[2 * j] * a[2 * i] + a[2 * j + 1] * a[2 * i + 1],
                         s = a[2 * j + 1] * a[2 * i] - a[2 * j] * a[2 * i + 1], step = atan2(s, c) - turn;
            ripple = fmax(ripple, fabs(power_at(a, i) / POWER - 1.0));
            steps += step * step / (N * (double)SEEDS);
            jump = i == N - 1 ? fmax(jump, fabs(step)) : jump;
            re += (cos(turn * (double)lag) * (a[2 * l] * a[2 * i] + a[2 * l + 1] * a[2 * i + 1]) +
                   sin(turn * (double)lag) * (a[2 * l + 1] * a[2 * i] - a[2 * l] * a[2 * i + 1])) /
                  (N * (double)SEEDS * POWER);
        }
        free(a);
    }
    const double want = 2.0 * POYI_PI * WIDTH * dt;
    ok(ripple < 1e-10, "phase diffusion: the power is constant to %.0e", ripple);
    ok(fabs(steps / want - 1.0) < 4.0 * sqrt(2.0 / (N * (double)SEEDS)),
       "the phase steps by 2 pi width dt in the square: off %.1e", steps / want - 1.0);
    ok(jump < 6.0 * sqrt(want), "also from the end of the window to its beginning, between two bins: %.2g", jump);
    /* 8 ns hold 126 coherence times 1/(pi width): sigma = 1/sqrt(126 64) */
    ok(fabs(re - exp(-(double)lag * dt * POYI_PI * WIDTH)) < 4.0 / sqrt(126.0 * SEEDS),
       "coherence after 1/(pi width) = %.1f ps: %.3f of 1/e", (double)lag * dt * 1e12, re);
}

/* In a time window the average is over what the window leaves. */
static void check_window(void)
{
    static double wide[2 * 65536];
    poy_grid *own = grid_of_limits(1550e-9, 1000e-9, 3000e-9, 20e-12);
    const poy_fibre_options fibre = fibre_of(0.0, 0, NULL);
    const poy_physics_options physics = physics_of(1, POY_RAMAN_OFF, POY_NOISE_OFF);
    poy_problem *p = problem_of(own, &fibre, &physics, 1.0);
    poy_pulse_options o = wave_of(POY_LINE_PHASE_DIFFUSION, 1);
    const int64_t n = poy_grid_get(own)->n_t;
    o.linewidth = 200e9;
    ok(n <= 65536 && poy_launch_create(ctx, p, &o, 1, wide) == POY_OK, "a line in a time window");
    double *a = time_of(wide, n), sum = 0.0, want = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += power_at(a, i);
        want += POWER * pow(poy_grid_window_t(own)[i], 2);
    }
    ok(close_to(sum, want, 1e-12) && want < 0.999 * POWER * (double)n,
       "has its power inside, and tapered edges: off %.1e", sum / want - 1.0);
    fixture_forget();
    free(a);
    poy_problem_destroy(&p);
    poy_grid_destroy(&own);
}

/* ---- a measured power ---- */

/* A Gaussian of 30 fs behind 500 fs2, as a table in time: exp(-t^2/(2 (T0^2 + i phi_2))). The phase is -phi_2 t^2/(2 D). */
static void check_profile(void)
{
    enum { ROWS = 400 };
    static double t[ROWS], power[ROWS], phase[ROWS];
    const double t0 = 30e-15 / (2.0 * sqrt(log(2.0))), gdd = 500e-30, D = pow(t0, 4) + gdd * gdd;
    poy_grid *own = grid_of_samples(800e-9, 2e-12, 4096);
    const poy_fibre_options fibre = fibre_of(0.1, 0, NULL);
    const poy_physics_options physics = physics_of(1, POY_RAMAN_OFF, POY_NOISE_OFF);
    poy_problem *p = problem_of(own, &fibre, &physics, 1.0);
    poy_pulse_options closed = pulse_of(POY_SHAPE_GAUSSIAN, 805e-9, 30e-15, 1e-9),
                      table = pulse_of(POY_SHAPE_PROFILE, 805e-9, NAN, 1e-9);
    for (int i = 0; i < ROWS; i++) { /* every 1 fs: h^4/384 of the fourth derivative, 12/tau^4 */
        t[i] = (i - 200) * 1e-15;
        power[i] = 42.0 * exp(-t[i] * t[i] * t0 * t0 / D);
        phase[i] = -gdd * t[i] * t[i] / (2.0 * D);
    }
    closed.gdd = gdd;
    table.profile_time = t;
    table.profile_power = power;
    table.profile_phase = phase;
    table.n_profile = ROWS;
    ok(poy_launch_create(ctx, p, &closed, 1, spectrum) == POY_OK &&
           poy_launch_create(ctx, p, &table, 1, other) == POY_OK,
       "a pulse by its power in time");
    double error = 0.0, all = 0.0, re = 0.0, im = 0.0;
    for (int64_t k = 0; k < 4096; k++) { /* but for a constant phase */
        re += other[2 * k] * spectrum[2 * k] + other[2 * k + 1] * spectrum[2 * k + 1];
        im += other[2 * k + 1] * spectrum[2 * k] - other[2 * k] * spectrum[2 * k + 1];
    }
    const double turn = atan2(im, re);
    for (int64_t k = 0; k < 4096; k++) {
        const double x = cos(turn) * spectrum[2 * k] - sin(turn) * spectrum[2 * k + 1] - other[2 * k],
                     y = sin(turn) * spectrum[2 * k] + cos(turn) * spectrum[2 * k + 1] - other[2 * k + 1];
        error += x * x + y * y;
        all += power_at(spectrum, k);
    }
    ok(sqrt(error / all) < 1e-5, "is that of the closed form, chirp included: %.1e", sqrt(error / all));
    poy_problem_numbers n;
    table.peak_power = 2e3;
    table.energy = NAN;
    const poy_status described = poy_problem_describe(ctx, p, &table, 0.0, &n);
    ok(described == POY_OK && close_to(n.peak_power, 2e3, 1e-12) &&
           close_to(n.energy, 2e3 * sqrt(POYI_PI * D) / t0, 1e-5),
       "takes a peak power, and has the energy of a Gaussian: %.6g J", n.energy);
    poyi_pulse checked;
    const poy_status good = poyi_pulse_check(ctx, own, 0, &table, &checked);
    ok(good == POY_OK && close_to(checked.fwhm, 2.0 * sqrt(log(2.0) * D) / t0, 1e-3) &&
           close_to(checked.t0, sqrt(D) / t0, 1e-3),
       "its duration is measured: %.4g fs", checked.fwhm * 1e15);
    ok(!logged[0], "nothing is told: %s", logged);
    table.n_profile = 250; /* ends inside of the pulse */
    ok(poy_launch_create(ctx, p, &table, 1, other) == POY_OK && strstr(logged, "the pulse is cut off there"),
       "told: %s", logged);
    poy_problem_destroy(&p);
    poy_grid_destroy(&own);
}

/* ---- refusals ---- */

static void refused(poy_pulse_options o, const char *text)
{
    ok(poy_launch_create(ctx, problem, &o, 1, spectrum) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), text), "%s",
       poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
}

static void check_refusals(void)
{
    static const double t[4] = {0, 1e-12, 2e-12, 3e-12}, back[4] = {0, 2e-12, 1e-12, 3e-12}, p[4] = {0, 1, 1, 0},
                        below[4] = {0, 1, -0.5, 0}, far[4] = {1, 2, 3, 4};
    poy_pulse_options o = wave_of(POY_LINE_SECH2, 0);
    o.linewidth = 1e8;
    refused(o, "pulse.0.linewidth: 1e+08 Hz is below a bin of the grid, 1.25e+08 Hz");
    o.linewidth = -1.0;
    refused(o, "pulse.0.linewidth: -1 Hz is not above 0");
    o = wave_of((poy_line)4, 0);
    refused(o, "pulse.0.line: there is no choice 4");
    o = wave_of(POY_LINE_GAUSSIAN, 0);
    o.peak_power = 1.0;
    refused(o, "pulse.0.average_power: 3 W beside pulse.0.peak_power, 1 W: keep one");
    o.average_power = NAN;
    refused(o, "pulse.0.peak_power: 1 W, but the power of a line with random phases fluctuates");
    o = pulse_of(POY_SHAPE_GAUSSIAN, 1550e-9, 10e-12, NAN);
    o.average_power = 1.0;
    refused(o, "pulse.0.average_power: 1 W is of cw alone: give the energy of a pulse");
    o = pulse_of(POY_SHAPE_GAUSSIAN, 1550e-9, 10e-12, 1e-9);
    o.linewidth = 1e9;
    refused(o, "pulse.0.linewidth: 1e+09 Hz is of cw alone");
#define TABLE(time, values, rows)                                                                              \
    (o = pulse_of(POY_SHAPE_PROFILE, 1550e-9, NAN, 1e-9), o.profile_time = (time), o.profile_power = (values), \
     o.n_profile = (rows), o)
    refused(TABLE(t, p, 3), "pulse.0.file: 3 rows: a measured power needs 4 or more");
    refused(TABLE(back, p, 4), "pulse.0.file: row 2: 1e-12 s is not above the row before, 2e-12 s");
    refused(TABLE(t, below, 4), "pulse.0.file: powers from -0.5 to 1: they cannot be below 0");
    refused(TABLE(far, p, 4), "a full width at half maximum of 2 s is above a quarter of grid.window");
    o = TABLE(t, p, 4);
    o.fwhm = 1e-12;
    refused(o, "pulse.0.fwhm: 1e-12 s, but a measured power has no duration");
    o = TABLE(t, p, 4);
    o.shape = POY_SHAPE_GAUSSIAN;
    refused(o, "pulse.0.file: given, but pulse.0.shape is not file");
#undef TABLE
}

int main(void)
{
    fixture_start();
    grid = grid_of_samples(1550e-9, WINDOW, N);
    const poy_fibre_options fibre = fibre_of(0.0, 0, NULL);
    const poy_physics_options physics = physics_of(1, POY_RAMAN_OFF, POY_NOISE_OFF);
    problem = problem_of(grid, &fibre, &physics, 1.0);
    check_lines();
    check_thermal();
    check_diffusion();
    check_window();
    check_profile();
    check_refusals();
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
    return fixture_end();
}

/* test_launch.c: launch spectra against reference runs and closed forms: energies, peaks, phases, sidebands, data. */
#include "fibre_fixture.h"
#include "pulse/setup/setup.h"
#include "pulse/spectral.h"

typedef struct golden {
    const char *run;
    double reference, window;
    int64_t samples;
    poy_shape shape;
    double fwhm, t0, energy, power, launched;
} golden;

#define LAUNCH(run, ...) {#run, __VA_ARGS__},
static const golden launches[] = {
#include "golden/pulse_launches.def"
};
#undef LAUNCH

typedef struct sample {
    double omega, re, im;
} sample;

#define SAMPLE(omega, re, im) {omega, re, im},
static const sample e02[] = {
#include "golden/pulse_e02_dispersion_gauss.def"
};
static const sample e03[] = {
#include "golden/pulse_e03_spm.def"
};
#undef SAMPLE

static double spectrum[2 * 16384];

/* A fibre that does nothing, on a grid; keeps the grid. */
static poy_problem *plain(poy_grid *grid)
{
    const poy_fibre_options fibre = fibre_of(0.0, 0, NULL);
    const poy_physics_options physics = physics_of(0, POY_RAMAN_OFF, POY_NOISE_OFF);
    return problem_of(grid, &fibre, &physics, 1.0);
}

static double largest_power(const poy_grid_info *info)
{
    double *a = time_of(spectrum, info->n_w), peak = 0.0;
    for (int64_t i = 0; i < info->n_w; i++)
        peak = fmax(peak, power_at(a, i));
    free(a);
    return peak;
}

static void check_golden(const golden *g)
{
    poy_grid *grid = grid_of_samples(g->reference, g->window, g->samples);
    poy_problem *problem = plain(grid);
    poy_pulse_options pulse = pulse_of(g->shape, g->reference, g->fwhm, g->energy);
    pulse.t0 = g->t0;
    pulse.peak_power = g->power;
    if (g->shape == POY_SHAPE_CW) { /* e11: sqrt(P) (1 + 1e-6 cos Omega t), Omega the 7th bin */
        pulse.sideband_offset = 7.0 / g->window;
        pulse.sideband_power = 0.25e-12;
    }
    const poy_status status = poy_launch_create(ctx, problem, &pulse, 1, spectrum);
    const double energy = poyi_spectrum_energy(poy_grid_get(grid), spectrum);
    if (!ok(status == POY_OK && close_to(energy, g->launched, 1e-12), "%s: %.15g J launched", g->run, energy))
        note("%s; wanted %.15g J", poy_ctx_cause(ctx), g->launched);
    if (!isnan(g->power) && g->shape != POY_SHAPE_CW)
        ok(close_to(largest_power(poy_grid_get(grid)), g->power, 1e-13), "%s: peak power %.15g W", g->run, g->power);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* ||S - S_ref|| / ||S_ref|| over the samples; the reference has its frequencies to 14 digits. */
static double distance(const poy_grid *grid, const sample *samples, int n)
{
    const poy_grid_info *g = poy_grid_get(grid);
    const double s = poyi_spectral_scale(g);
    double difference = 0.0, norm = 0.0;
    for (int i = 0; i < n; i++) {
        const int64_t bin = (int64_t)nearbyint((samples[i].omega - g->omega0) / g->domega),
                      k = bin < 0 ? bin + g->n_w : bin;
        difference += pow(spectrum[2 * k] * s - samples[i].re, 2) + pow(spectrum[2 * k + 1] * s - samples[i].im, 2);
        norm += samples[i].re * samples[i].re + samples[i].im * samples[i].im;
    }
    return sqrt(difference / norm);
}

/* Reference runs with a closed form end where launch, operator and prefactor say. */
static void check_runs(void)
{
    const double beta[] = {2e-26, 5e-41};
    poy_grid *grid = grid_of_samples(800e-9, 4e-12, 2048);
    poy_fibre_options fibre = fibre_of(0.0, 2, beta);
    poy_physics_options physics = physics_of(0, POY_RAMAN_OFF, POY_NOISE_OFF);
    poy_problem *problem = problem_of(grid, &fibre, &physics, 0.05);
    poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, 800e-9, 30e-15, 1e-9);
    ok(poy_launch_create(ctx, problem, &pulse, 1, spectrum) == POY_OK, "e02: launched");
    const double *phi = POYI_F64(problem->phi);
    for (int64_t k = 0; k < 2048; k++) {
        const double a = spectrum[2 * k], b = spectrum[2 * k + 1], c = cos(phi[2 * k + 1] * 0.05),
                     s = sin(phi[2 * k + 1] * 0.05);
        spectrum[2 * k] = a * c - b * s;
        spectrum[2 * k + 1] = a * s + b * c;
    }
    double d = distance(grid, e02, sizeof e02 / sizeof *e02);
    ok(d < 1e-11, "e02: exp(phi L) of the launch is the reference's end, %.1e off (12 digits are printed)", d);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);

    grid = grid_of_samples(800e-9, 1.2e-12, 4096);
    fibre = fibre_of(0.02, 0, NULL);
    problem = problem_of(grid, &fibre, &physics, 0.5);
    pulse = pulse_of(POY_SHAPE_GAUSSIAN, 800e-9, 50e-15, NAN);
    pulse.peak_power = 1413.7166941154069;
    ok(poy_launch_create(ctx, problem, &pulse, 1, spectrum) == POY_OK, "e03: launched");
    double *a = time_of(spectrum, 4096);
    const double G = POYI_F64(problem->prefactor)[17];
    for (int64_t i = 0; i < 4096; i++) { /* dA/dz = i G |A|^2 A */
        const double angle = G * problem->kerr_scale * power_at(a, i) * 0.5, re = a[2 * i], im = a[2 * i + 1];
        a[2 * i] = re * cos(angle) - im * sin(angle);
        a[2 * i + 1] = re * sin(angle) + im * cos(angle);
    }
    ok(poyi_fft(ctx, -1, 4096, a) == POY_OK, "e03: transformed");
    memcpy(spectrum, a, sizeof *a * 2 * 4096);
    free(a);
    d = distance(grid, e03, sizeof e03 / sizeof *e03);
    ok(d < 1e-6, "e03: exp(i G |A|^2 L) A is the reference's end, %.1e off (its own error: 1e-6)", d);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* Peak power times duration over energy, by the trapezoid rule of a decayed pulse (exact to rounding). */
static void check_factors(void)
{
    poy_grid *grid = grid_of_samples(1000e-9, 2e-12, 8192);
    poy_problem *problem = plain(grid);
    const struct factor {
        poy_shape shape;
        int order;
        double value, tolerance;
    } factors[] = {
        {POY_SHAPE_GAUSSIAN, 1, 0.9394372786996513, 1e-12},
        {POY_SHAPE_SECH2, 1, 0.881373587019543, 1e-12},
        /* integral of exp(-ln 2 (2 x)^(2 m)): Gamma(1 + 1/(2 m)) (ln 2)^(-1/(2 m)) */
        {POY_SHAPE_GAUSSIAN, 3, 1.0 / (tgamma(1.0 + 1.0 / 6.0) * pow(log(2.0), -1.0 / 6.0)), 1e-12},
        /* integral of (1 + 4 (sqrt 2 - 1) x^2)^-2 = pi / (4 sqrt(sqrt 2 - 1)); beyond the window (|x| > 20) lie
         * 2 / (3 (4 (sqrt 2 - 1))^2 20^3) = 3.0e-5, 2.5e-5 of it */
        {POY_SHAPE_LORENTZIAN, 1, 4.0 * sqrt(sqrt(2.0) - 1.0) / POYI_PI, 2.6e-5},
    };
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        poy_pulse_options pulse = pulse_of(factors[i].shape, 1000e-9, 50e-15, 1e-9);
        pulse.order = factors[i].order;
        ok(poy_launch_create(ctx, problem, &pulse, 1, spectrum) == POY_OK, "shape %d of order %d", (int)pulse.shape,
           pulse.order);
        const double factor = largest_power(poy_grid_get(grid)) * 50e-15 / 1e-9;
        ok(close_to(factor, factors[i].value, factors[i].tolerance), "P0 FWHM / E = %.15g (%.15g)", factor,
           factors[i].value);
        double *a = time_of(spectrum, 8192);
        const int64_t half = (int64_t)nearbyint(25e-15 / poy_grid_get(grid)->dt);
        const double t = (double)half * poy_grid_get(grid)->dt, top = power_at(a, 4096);
        /* half a sample from the half maximum at most: the slope there is below 8 per FWHM for these orders */
        ok(fabs(power_at(a, 4096 + half) / top - 0.5) < 8.0 * fabs(t - 25e-15) / 50e-15 + 1e-12,
           "half the peak at half the duration");
        free(a);
    }
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* sqrt of the second moment of |A(t)|^2 about its mean. */
static double spread(const poy_grid *grid, double *mean)
{
    const poy_grid_info *g = poy_grid_get(grid);
    double *a = time_of(spectrum, g->n_w), moments[3] = {0};
    for (int64_t i = 0; i < g->n_w; i++) {
        const double t = poy_grid_time(grid)[i], p = power_at(a, i);
        moments[0] += p;
        moments[1] += p * t;
        moments[2] += p * t * t;
    }
    free(a);
    *mean = moments[1] / moments[0];
    return sqrt(moments[2] / moments[0] - *mean * *mean);
}

static void check_phases(void)
{
    poy_grid *grid = grid_of_samples(800e-9, 4e-12, 8192);
    poy_problem *problem = plain(grid);
    const double F = 50e-15, phi2 = 3000e-30, sigma = F / (2.0 * sqrt(2.0 * log(2.0)));
    double mean = 0.0;

    poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, 790e-9, F, 1e-9);
    pulse.gdd = phi2;
    pulse.delay = 200e-15;
    ok(poy_launch_create(ctx, problem, &pulse, 1, spectrum) == POY_OK, "a stretched, late pulse beside the carrier");
    const double want = sigma * sqrt(1.0 + pow(4.0 * log(2.0) * phi2 / (F * F), 2)), got = spread(grid, &mean);
    ok(close_to(got, want, 1e-9), "GDD: FWHM sqrt(1 + (4 ln 2 GDD / FWHM^2)^2), %.2e off", got / want - 1.0);
    ok(fabs(mean - 200e-15) < 1e-23, "a positive delay is later: %.15g s", mean);

    /* An up-chirp: with exp(-i phi) and exp(+i w t), GDD > 0 sends long waves ahead. */
    double *a = time_of(spectrum, 8192);
    const int64_t i = 4096 + (int64_t)(250e-15 / poy_grid_get(grid)->dt);
    const double late = atan2(a[2 * i + 1] * a[2 * i - 2] - a[2 * i] * a[2 * i - 1],
                              a[2 * i] * a[2 * i - 2] + a[2 * i + 1] * a[2 * i - 1]);
    const int64_t j = 4096 + (int64_t)(150e-15 / poy_grid_get(grid)->dt);
    const double early = atan2(a[2 * j + 1] * a[2 * j - 2] - a[2 * j] * a[2 * j - 1],
                               a[2 * j] * a[2 * j - 2] + a[2 * j + 1] * a[2 * j - 1]);
    ok(late > early, "positive GDD: the frequency rises along the pulse");
    free(a);

    /* Peak power is the peak after the phases. */
    pulse.energy = NAN;
    pulse.peak_power = 1e4;
    pulse.tod = 2e-41;
    ok(poy_launch_create(ctx, problem, &pulse, 1, spectrum) == POY_OK &&
           close_to(largest_power(poy_grid_get(grid)), 1e4, 1e-12),
       "10 kW after the phases");

    /* phi_5 as a coefficient is the fifth-order phase; cep turns all of it. */
    const double fifth[1] = {1e-67};
    double plain_spectrum[2 * 8192];
    pulse = pulse_of(POY_SHAPE_GAUSSIAN, 800e-9, F, 1e-9);
    ok(poy_launch_create(ctx, problem, &pulse, 1, plain_spectrum) == POY_OK, "without phases");
    pulse.coefficients = fifth;
    pulse.n_coefficients = 1;
    pulse.cep = 0.7;
    ok(poy_launch_create(ctx, problem, &pulse, 1, spectrum) == POY_OK, "with cep and a fifth order");
    double worst = 0.0, scale = 0.0;
    for (int64_t k = 0; k < 8192; k++) {
        const double x = poy_grid_omega(grid)[k] - 2.0 * POYI_PI * POYI_C / 800e-9,
                     phi = 0.7 + 1e-67 * pow(x, 5) / 120.0, re = plain_spectrum[2 * k], im = plain_spectrum[2 * k + 1];
        worst = fmax(worst, hypot(spectrum[2 * k] - re * cos(phi) - im * sin(phi),
                                  spectrum[2 * k + 1] - im * cos(phi) + re * sin(phi)));
        scale = fmax(scale, hypot(re, im));
    }
    ok(worst < 1e-13 * scale, "A exp(-i (phi_0 + phi_5 x^5 / 120)), %.1e off", worst / scale);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

static void check_waves(void)
{
    poy_grid *grid = grid_of_samples(1550e-9, 10e-12, 1024);
    poy_problem *problem = plain(grid);
    const poy_grid_info *g = poy_grid_get(grid);
    poy_pulse_options pulses[2];
    pulses[0] = pulse_of(POY_SHAPE_CW, 1550e-9, NAN, NAN);
    pulses[0].peak_power = 2.0;
    pulses[0].sideband_offset = 5.0 / 10e-12;
    pulses[0].sideband_power = 1e-4;
    ok(poy_launch_create(ctx, problem, pulses, 1, spectrum) == POY_OK, "a constant wave with sidebands");
    double *a = time_of(spectrum, 1024), worst = 0.0;
    for (int64_t i = 0; i < 1024; i++)
        worst = fmax(worst,
                     hypot(a[2 * i] - sqrt(2.0) * (1.0 + 0.02 * cos(2.0 * POYI_PI * 0.5e12 * poy_grid_time(grid)[i])),
                           a[2 * i + 1]));
    free(a);
    ok(worst < 1e-14, "sqrt(P) (1 + 2 sqrt(r) cos 2 pi f t), %.1e off", worst);
    ok(close_to(hypot(spectrum[10], spectrum[11]) / hypot(spectrum[0], spectrum[1]), 1e-2, 1e-12),
       "each sideband has r of the carrier's power");

    pulses[1] = pulse_of(POY_SHAPE_CW, 2.0 * POYI_PI * POYI_C / (g->omega0 - 31.0 * g->domega), NAN, 3.0 * 10e-12);
    pulses[0].sideband_offset = pulses[0].sideband_power = 0.0;
    ok(poy_launch_create(ctx, problem, pulses, 2, spectrum) == POY_OK, "two waves, 31 bins apart");
    a = time_of(spectrum, 1024);
    worst = 0.0;
    for (int64_t i = 0; i < 1024; i++) {
        const double phase = -31.0 * g->domega * poy_grid_time(grid)[i];
        worst =
            fmax(worst, hypot(a[2 * i] - sqrt(2.0) - sqrt(3.0) * cos(phase), a[2 * i + 1] - sqrt(3.0) * sin(phase)));
    }
    free(a);
    ok(worst < 1e-12, "they add coherently, %.1e off", worst);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* A Gaussian as data is the Gaussian; rows need not be equally spaced. */
static void check_data(void)
{
    enum { ROWS = 400 };
    static double f[ROWS], density[ROWS], phase[ROWS], want[2 * 2048];
    poy_grid *grid = grid_of_limits(800e-9, 500e-9, 1500e-9, 1e-12);
    poy_problem *problem = plain(grid);
    const int64_t n = poy_grid_get(grid)->n_w;
    const double F = 40e-15, w0 = 2.0 * POYI_PI * POYI_C / 800e-9, gdd = 200e-30, delay = 30e-15;
    poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, 800e-9, F, 2e-9);
    pulse.gdd = gdd;
    pulse.delay = delay;
    ok(n <= 2048 && poy_launch_create(ctx, problem, &pulse, 1, want) == POY_OK, "a Gaussian pulse");
    for (int i = 0; i < ROWS; i++) {
        const double x = -3e14 + 6e14 * i / (ROWS - 1) + 2e11 * sin(i);
        f[i] = (w0 + x) / (2.0 * POYI_PI);
        density[i] = 7.0 * exp(-x * x * F * F / (4.0 * log(2.0)));
        phase[i] = delay * x + 0.5 * gdd * x * x;
    }
    pulse = pulse_of(POY_SHAPE_DATA, 0.0, NAN, 2e-9);
    pulse.data_frequency = f;
    pulse.data_density = density;
    pulse.data_phase = phase;
    pulse.n_data = ROWS;
    ok(poy_launch_create(ctx, problem, &pulse, 1, spectrum) == POY_OK, "the same as data");
    double difference = 0.0, norm = 0.0;
    for (int64_t k = 0; k < 2 * n; k++) {
        difference += (spectrum[k] - want[k]) * (spectrum[k] - want[k]);
        norm += want[k] * want[k];
    }
    /* a cubic spline with 1.5e12 rad/s between rows: (5/384) (h F)^4 of a Gaussian of width 1/F */
    ok(sqrt(difference / norm) < 1e-5, "one field, %.1e apart", sqrt(difference / norm));
    ok(close_to(poyi_spectrum_energy(poy_grid_get(grid), spectrum), 2e-9, 1e-13), "2 nJ");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

int main(void)
{
    fixture_start();
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        check_golden(&launches[i]);
    check_runs();
    check_factors();
    check_phases();
    check_waves();
    check_data();
    return fixture_end();
}

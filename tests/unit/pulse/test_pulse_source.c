/* test_pulse_source.c: what the record's numbers make of a field, by the formula of the generalised nonlinear
 * Schroedinger equation written out here: laws of conservation, and cases that users of such codes have reported. */
#include "fibre_fixture.h"
#include "pulse/spectral.h"

enum { N_MAX = 8192 };
static double launch[2 * N_MAX], source[2 * N_MAX];

/* a <- its transform, or the test ends. */
static void transform(int sign, int64_t n, double *a)
{
    if (poyi_fft(ctx, sign, n, a) != POY_OK)
        abort();
}

/* source = i G F{(s_K |a|^2 + s_R h * |a|^2) a}, a = F^-1 A; H as the c2r transform sees it, without 1/n. */
static void evaluate(const poy_problem *p, const double *A)
{
    const int64_t n = p->n_w;
    const double *G = POYI_F64(p->prefactor), *H = POYI_F64(p->raman_h);
    double *a = time_of(A, n), *q = calloc((size_t)n * 2, sizeof *q);
    if (!q)
        abort();
    for (int64_t i = 0; i < n; i++)
        q[2 * i] = power_at(a, i);
    if (H) {
        transform(-1, n, q);
        for (int64_t k = 0; k < n; k++) {
            const int64_t j = k <= n / 2 ? k : n - k;
            const double hr = H[2 * j], hi = k <= n / 2 ? H[2 * j + 1] : -H[2 * j + 1], re = q[2 * k],
                         im = q[2 * k + 1];
            q[2 * k] = re * hr - im * hi;
            q[2 * k + 1] = re * hi + im * hr;
        }
        transform(+1, n, q);
    }
    for (int64_t i = 0; i < n; i++) {
        const double response = p->kerr_scale * power_at(a, i) + p->raman_scale * (H ? q[2 * i] : 0.0);
        source[2 * i] = response * a[2 * i];
        source[2 * i + 1] = response * a[2 * i + 1];
    }
    transform(-1, n, source);
    for (int64_t k = 0; k < n; k++) {
        const double re = source[2 * k], im = source[2 * k + 1];
        source[2 * k] = -G[k] * im;
        source[2 * k + 1] = G[k] * re;
    }
    free(q);
    free(a);
}

/* Growth of energy, photon number and sum omega |A|^2 per metre, each relative to the nonlinear phase it takes:
 * 2 sum w Re(conj(A) k) / (sum w |A| |k|). */
typedef struct growth {
    double energy, photons, omega;
} growth;

static growth grow(const poy_problem *p)
{
    growth g = {0};
    double scale[3] = {0};
    for (int64_t k = 0; k < p->n_w; k++) {
        const double w = POYI_F64(p->omega)[k],
                     rate = 2.0 * (launch[2 * k] * source[2 * k] + launch[2 * k + 1] * source[2 * k + 1]),
                     size = sqrt(power_at(launch, k) * power_at(source, k));
        if (w <= 0.0)
            continue;
        g.energy += rate;
        g.photons += rate / w;
        g.omega += rate * (w - p->omega0);
        scale[0] += size;
        scale[1] += size / w;
        scale[2] += size * fabs(w - p->omega0);
    }
    return (growth){g.energy / scale[0], g.photons / scale[1], g.omega / scale[2]};
}

/* 50 fs and 20 kW at 835 nm, gamma 0.11: 4096 samples in 2 ps. */
static growth of(int shock, poy_raman_model raman)
{
    poy_grid *grid = grid_of_samples(835e-9, 2e-12, 4096);
    const poy_fibre_options fibre = fibre_of(0.11, 0, NULL);
    const poy_physics_options physics = physics_of(shock, raman, POY_NOISE_OFF);
    poy_problem *problem = problem_of(grid, &fibre, &physics, 0.002);
    poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, 835e-9, 50e-15, NAN);
    pulse.peak_power = 20e3;
    pulse.gdd = 500e-30; /* a chirp, so that nothing cancels by symmetry */
    pulse.tod = 1e-41;
    if (poy_launch_create(ctx, problem, &pulse, 1, launch) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    evaluate(problem, launch);
    const growth g = grow(problem);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
    return g;
}

static void check_conservation(void)
{
    growth g = of(1, POY_RAMAN_OFF);
    ok(fabs(g.energy) < 1e-13 && fabs(g.photons) < 1e-14, "Kerr with shock keeps energy (%.0e) and photons (%.0e)",
       g.energy, g.photons);
    g = of(0, POY_RAMAN_OFF);
    ok(fabs(g.energy) < 1e-14 && fabs(g.photons) > 1e-6, "Kerr without shock keeps energy (%.0e), not photons (%.0e)",
       g.energy, g.photons);
    for (int model = POY_RAMAN_BLOW_WOOD; model <= POY_RAMAN_HOLLENBECK_CANTRELL; model++) {
        g = of(1, (poy_raman_model)model);
        ok(fabs(g.photons) < 1e-14 && g.energy < -1e-6,
           "Raman %d with shock keeps photons (%.0e) and takes energy (%.0e)", model, g.photons, g.energy);
        ok(g.omega < -1e-4, "Raman %d shifts the light to longer waves (%.0e)", model, g.omega);
    }
}

/* A constant wave: |A|^2 A times s_K + s_R sum h dt, and k = -i gamma P A. */
static void check_wave(void)
{
    poy_grid *grid = grid_of_samples(1550e-9, 9e-12, 4096);
    const poy_fibre_options fibre = fibre_of(3e-3, 0, NULL);
    const poy_physics_options physics = physics_of(1, POY_RAMAN_BLOW_WOOD, POY_NOISE_OFF);
    poy_problem *problem = problem_of(grid, &fibre, &physics, 1.0);
    poy_pulse_options pulse = pulse_of(POY_SHAPE_CW, 1550e-9, NAN, NAN);
    pulse.peak_power = 50.0;
    ok(poy_launch_create(ctx, problem, &pulse, 1, launch) == POY_OK, "a constant wave");
    evaluate(problem, launch);
    /* the trapezoid rule of Blow and Wood's response: dt^2/12 h'(0) = (dt/t1)^2/12 (1 + (t1/t2)^2) above or below 1 */
    const double error = 0.18 * pow(poy_grid_get(grid)->dt / 12.2e-15, 2) / 12.0 * 1.2;
    const double rate = hypot(source[0], source[1]) / hypot(launch[0], launch[1]);
    ok(fabs(rate / (3e-3 * 50.0) - 1.0) < error, "its phase grows by gamma P, Raman's share included: %.3e off",
       rate / 0.15 - 1.0);
    ok(source[0] * launch[1] - source[1] * launch[0] > 0.0, "and falls, as exp(-i gamma P z)");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* ---- reported cases: gnl-02, 03, 04 ---- */

static void check_reported(void)
{
    static const double normal[1] = {3.6e-26}; /* 36 fs^2/mm */
    poy_grid *grid = grid_of_samples(800e-9, 4e-12, 8192);
    poy_fibre_options fibre = fibre_of(0.11, 1, normal);
    const poy_physics_options physics = physics_of(0, POY_RAMAN_OFF, POY_NOISE_OFF);
    poy_problem *problem = problem_of(grid, &fibre, &physics, 0.1);
    poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, 800e-9, 2.0 * sqrt(log(2.0)) * 50e-15, 1e-9);
    ok(poy_launch_create(ctx, problem, &pulse, 1, launch) == POY_OK, "t0 = 50 fs");
    for (int64_t k = 0; k < 8192; k++) {
        const double angle = POYI_F64(problem->phi)[2 * k + 1] * 0.1, re = launch[2 * k], im = launch[2 * k + 1];
        launch[2 * k] = re * cos(angle) - im * sin(angle);
        launch[2 * k + 1] = re * sin(angle) + im * cos(angle);
    }
    double *a = time_of(launch, 8192), all = 0.0, square = 0.0;
    for (int64_t i = 0; i < 8192; i++) {
        all += power_at(a, i);
        square += power_at(a, i) * pow(poy_grid_time(grid)[i], 2);
    }
    free(a);
    const double t0 = sqrt(2.0 * square / all);
    ok(close_to(t0, 87.65842800324451e-15, 1e-8), "after 100 mm of 36 fs^2/mm: t0 = %.12g fs", t0 * 1e15);
    poy_problem_destroy(&problem);

    fibre = fibre_of(0.11, 0, NULL);
    problem = problem_of(grid, &fibre, &physics, 0.001);
    pulse.energy = NAN;
    pulse.peak_power = 1e4;
    ok(poy_launch_create(ctx, problem, &pulse, 1, launch) == POY_OK, "10 kW");
    a = time_of(launch, 8192);
    const double phase = -POYI_F64(problem->prefactor)[0] * problem->kerr_scale * power_at(a, 4096) * problem->length;
    ok(close_to(phase, 1.1, 1e-12), "gamma P0 z = %.12g rad of phase in 1 mm", phase);
    free(a);
    poy_problem_destroy(&problem);

    static const double soliton[1] = {-1e-26};
    poy_problem_numbers n;
    fibre = fibre_of(0.11, 1, soliton);
    problem = problem_of(grid, &fibre, &physics, 0.1);
    pulse = pulse_of(POY_SHAPE_SECH2, 800e-9, 50e-15, 1e-9);
    ok(poy_problem_describe(ctx, problem, &pulse, 0.0, &n) == POY_OK, "sech2, 50 fs, 1 nJ");
    ok(close_to(sqrt(n.L_D * 1e-26), 28.364816427662774e-15, 1e-12) &&
           close_to(n.peak_power, 17627.47174039086, 1e-12) && close_to(n.energy, 1e-9, 1e-13),
       "t0 = %.13g fs, P0 = %.13g W", sqrt(n.L_D * 1e-26) * 1e15, n.peak_power);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

int main(void)
{
    fixture_start();
    check_conservation();
    check_wave();
    check_reported();
    return fixture_end();
}

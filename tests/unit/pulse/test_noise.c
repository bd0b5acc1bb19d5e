/* test_noise.c: one photon a bin: energies, statistics over seeds, and independence of everything but the key. */
#include "fibre_fixture.h"
#include "pulse/spectral.h"

enum { N = 512, SEEDS = 400 };

static poy_problem *noisy(poy_grid *grid, poy_noise_model model, uint64_t seed)
{
    const poy_fibre_options fibre = fibre_of(0.1, 0, NULL);
    poy_physics_options physics = physics_of(1, POY_RAMAN_OFF, model);
    physics.seed = seed;
    return problem_of(grid, &fibre, &physics, 1.0);
}

static void draw(poy_grid *grid, poy_noise_model model, uint64_t seed, double *out)
{
    poy_problem *problem = noisy(grid, model, seed);
    if (poy_noise_create(ctx, problem, out) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    poy_problem_destroy(&problem);
}

/* |S|^2 domega / (hbar omega) of bin k. */
static double photons(const poy_grid *grid, const double *a, int64_t k)
{
    const poy_grid_info *g = poy_grid_get(grid);
    const double s = poyi_spectral_scale(g), S2 = power_at(a, k) * s * s;
    return S2 * g->domega / (POYI_HBAR * poy_grid_omega(grid)[k]);
}

static void check_shot(poy_grid *grid, poy_noise_model model, const char *name)
{
    static double a[2 * N];
    double one = 0.0, energy = 0.0, want = 0.0;
    draw(grid, model, 5, a);
    for (int64_t k = 0; k < N; k++) {
        one = fmax(one, fabs(photons(grid, a, k) - 1.0));
        want += POYI_HBAR * poy_grid_omega(grid)[k];
    }
    energy = poyi_spectrum_energy(poy_grid_get(grid), a);
    ok(one < 1e-14, "%s: every bin has one photon, %.1e off", name, one);
    ok(close_to(energy, want, 1e-13), "%s: the energy is the sum of hbar omega, %.6g J", name, energy);
}

/* Mean of exp(i phi) over bins and seeds: 0 within 4 standard deviations 1/sqrt(N SEEDS); likewise its square. */
static void check_phases(poy_grid *grid)
{
    static double a[2 * N];
    double m[4] = {0}, neighbours[2] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        draw(grid, POY_NOISE_SHOT, seed, a);
        for (int64_t k = 0; k < N; k++) {
            const double r = hypot(a[2 * k], a[2 * k + 1]), c = a[2 * k] / r, s = a[2 * k + 1] / r;
            const int64_t j = (k + 1) % N;
            const double rj = hypot(a[2 * j], a[2 * j + 1]);
            m[0] += c;
            m[1] += s;
            m[2] += c * c - s * s;
            m[3] += 2.0 * c * s;
            neighbours[0] += (c * a[2 * j] + s * a[2 * j + 1]) / rj;
            neighbours[1] += (s * a[2 * j] - c * a[2 * j + 1]) / rj;
        }
    }
    const double n = (double)N * SEEDS, bound = 4.0 / sqrt(n);
    ok(hypot(m[0], m[1]) / n < bound && hypot(m[2], m[3]) / n < bound,
       "shot: phases are uniform: |<exp i phi>| = %.1e, |<exp 2 i phi>| = %.1e (below %.1e)", hypot(m[0], m[1]) / n,
       hypot(m[2], m[3]) / n, bound);
    ok(hypot(neighbours[0], neighbours[1]) / n < bound, "shot: neighbouring bins are independent, %.1e",
       hypot(neighbours[0], neighbours[1]) / n);
}

/* Photons of Gaussian noise are exponential with mean 1: mean, second moment 2, median ln 2. */
static void check_gaussian(poy_grid *grid)
{
    static double a[2 * N];
    double first = 0.0, second = 0.0, below = 0.0, re = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        draw(grid, POY_NOISE_GAUSSIAN, seed, a);
        for (int64_t k = 0; k < N; k++) {
            const double p = photons(grid, a, k);
            first += p;
            second += p * p;
            below += p < log(2.0);
            re += p * a[2 * k] * a[2 * k] / power_at(a, k);
        }
    }
    const double n = (double)N * SEEDS, deviation = 4.0 / sqrt(n);
    ok(fabs(first / n - 1.0) < deviation, "gaussian: mean %.5f photons a bin", first / n);
    ok(fabs(second / n - 2.0) < sqrt(20.0) * deviation, "gaussian: second moment %.5f", second / n); /* var = 24 - 4 */
    ok(fabs(below / n - 0.5) < 0.5 * deviation, "gaussian: half of them below ln 2 (%.5f)", below / n);
    ok(fabs(re / n - 0.5) < sqrt(0.5) * deviation, "gaussian: half of the energy in the real part (%.5f)", re / n);
}

static void check_launch(poy_grid *grid)
{
    static double quiet[2 * N], noise[2 * N], both[2 * N];
    const poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, 800e-9, 50e-15, 1e-9);
    static const poy_noise_model models[] = {POY_NOISE_SHOT, POY_NOISE_GAUSSIAN, POY_NOISE_MODIFIED};
    poy_problem *problem = noisy(grid, POY_NOISE_OFF, 3);
    ok(poy_launch_create(ctx, problem, &pulse, 1, quiet) == POY_OK, "a pulse without noise");
    ok(poy_noise_create(ctx, problem, noise) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "physics.noise: off"),
       "%s", poy_ctx_cause(ctx));
    poy_problem_destroy(&problem);
    for (size_t i = 0; i < 3; i++) {
        double worst = 0.0;
        problem = noisy(grid, models[i], 3);
        ok(poy_launch_create(ctx, problem, &pulse, 1, both) == POY_OK &&
               poy_noise_create(ctx, problem, noise) == POY_OK,
           "noise model %d", (int)models[i]);
        for (int64_t k = 0; k < 2 * N; k++)
            worst = fmax(worst, fabs(both[k] - quiet[k] - (models[i] == POY_NOISE_MODIFIED ? 0.0 : noise[k])));
        ok(worst < 1e-12 * fabs(quiet[0]), "the launch carries %s",
           models[i] == POY_NOISE_MODIFIED ? "no noise" : "it");
        poy_problem_destroy(&problem);
    }
}

/* A bin's phase is a function of seed, mode, polarisation and its own number: other grids and order do not enter. */
static void check_key(poy_grid *grid)
{
    static double a[2 * N], b[2 * 4096];
    poy_grid *other = grid_of_limits(1000e-9, 600e-9, 2000e-9, 1e-12);
    const int64_t n = poy_grid_get(other)->n_w;
    double worst = 0.0, outside = 0.0;
    draw(grid, POY_NOISE_SHOT, 99, a);
    draw(other, POY_NOISE_SHOT, 99, b);
    for (int64_t k = 0; k < n; k++)
        if (!poy_grid_mask(other)[k])
            outside += power_at(b, k);
        else if (k < N)
            worst = fmax(worst, fabs(atan2(a[2 * k + 1], a[2 * k]) - atan2(b[2 * k + 1], b[2 * k])));
    ok(n <= 4096 && worst < 1e-14 && outside == 0.0, "the same phases on another grid, and none outside its band");
    double u[2];
    poy_random_uniform2(99, 0, 17, u);
    ok(fabs(remainder(atan2(a[35], a[34]) - 2.0 * POYI_PI * u[0], 2.0 * POYI_PI)) < 1e-14,
       "bin 17 has the phase of block 17 of stream 0");
    draw(grid, POY_NOISE_SHOT, 100, b);
    int same = 0;
    for (int64_t k = 0; k < N; k++)
        same += a[2 * k] == b[2 * k];
    ok(same == 0, "another seed: other phases");
    poy_grid_destroy(&other);
}

int main(void)
{
    fixture_start();
    poy_grid *grid = grid_of_samples(800e-9, 1e-12, N); /* all of its bins have omega > 0 */
    check_shot(grid, POY_NOISE_SHOT, "shot");
    check_shot(grid, POY_NOISE_MODIFIED, "modified");
    check_phases(grid);
    check_gaussian(grid);
    check_launch(grid);
    check_key(grid);
    poy_grid_destroy(&grid);

    static double a[2 * 4096];
    grid = grid_of_samples(800e-9, 1e-12, 4096); /* bins with omega <= 0 stay dark */
    draw(grid, POY_NOISE_SHOT, 1, a);
    double dark = 0.0;
    for (int64_t k = 0; k < 4096; k++)
        dark += poy_grid_omega(grid)[k] <= 0.0 ? power_at(a, k) : 0.0;
    ok(dark == 0.0, "no photons of negative frequency");
    poy_grid_destroy(&grid);
    return fixture_end();
}

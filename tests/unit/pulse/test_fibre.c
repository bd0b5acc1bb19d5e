/* test_fibre.c: dispersion, nonlinearity and loss of a fibre as numbers of the record, and the lengths made of them. */
#include "fibre_fixture.h"
#include "pulse/setup/setup.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)

static const poy_physics_options *plain_physics(void)
{
    static poy_physics_options o;
    o = physics_of(0, POY_RAMAN_OFF, POY_NOISE_OFF);
    return &o;
}

static poy_problem_numbers describe(const poy_problem *problem, const poy_pulse_options *pulse)
{
    poy_problem_numbers n = {.n_zdw = -1};
    if (poy_problem_describe(ctx, problem, pulse, 0.0, &n) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    return n;
}

/* 17 ps/(nm km) at 1550 nm are -21.68 ps^2/km. */
static void check_D(void)
{
    poy_grid *grid = grid_of_samples(1550e-9, 5e-12, 1024);
    poy_fibre_options fibre = fibre_of(1e-3, 0, NULL);
    fibre.D = 17e-6;
    fibre.S = 0.06e3;
    poy_problem *problem = problem_of(grid, &fibre, plain_physics(), 1.0);
    const poy_pulse_options pulse = pulse_of(POY_SHAPE_SECH2, 1550e-9, 100e-15, 1e-12);
    const poy_problem_numbers n = describe(problem, &pulse);
    const double lambda = 1550e-9, beta2 = -17e-6 * lambda * lambda / TWO_PI_C;
    /* D(lambda) = -2 pi c / lambda^2 beta_2(omega): S = dD/dlambda follows by the chain rule */
    const double S = pow(TWO_PI_C / (lambda * lambda), 2) * n.beta[3] + 2.0 * TWO_PI_C / pow(lambda, 3) * n.beta[2];
    ok(close_to(n.beta[2], beta2, 1e-15) && fabs(n.beta[2] + 21.68e-27) < 0.005e-27, "D: beta_2 = %.6g ps^2/km",
       n.beta[2] * 1e27);
    ok(close_to(S, 0.06e3, 1e-13), "S: dD/dlambda of beta_2 and beta_3 is the slope, %.15g s/m3", S);
    poy_problem_destroy(&problem);

    /* D over wavelength from the record: -2 pi c / lambda^2 beta_2, where beta_2 is the polynomial's curvature. */
    fibre.dispersion_at = 1310e-9;
    problem = problem_of(grid, &fibre, plain_physics(), 1.0);
    poy_pulse_options there = pulse;
    there.wavelength = 1310e-9;
    const poy_problem_numbers at = describe(problem, &there);
    ok(close_to(at.beta[2], -17e-6 * pow(1310e-9, 2) / TWO_PI_C, 1e-13),
       "D given at 1310 nm holds at 1310 nm, not at 1550");
    const poy_problem_numbers off = describe(problem, &pulse);
    const double shift = TWO_PI_C / 1550e-9 - TWO_PI_C / 1310e-9;
    ok(close_to(off.beta[2], at.beta[2] + at.beta[3] * shift, 1e-13) && close_to(off.beta[3], at.beta[3], 1e-14),
       "and at 1550 nm the polynomial is followed exactly");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* Coefficients at another wavelength than the reference's: the same polynomial, its tangent at omega0 taken out. */
static void check_shift(void)
{
    static const double beta[] = {-1.183e-26, 8.1038e-41, -9.5205e-56, 2.0737e-70, -5.3943e-85};
    poy_grid *grid = grid_of_samples(900e-9, 4e-12, 1024);
    poy_fibre_options fibre = fibre_of(0.1, 5, beta);
    fibre.dispersion_at = 835e-9;
    poy_problem *problem = problem_of(grid, &fibre, plain_physics(), 1.0);
    const double *omega = POYI_F64(problem->omega), *phi = POYI_F64(problem->phi);
    const long double w0 = (long double)problem->omega0, wd = (long double)(TWO_PI_C / 835e-9), d = w0 - wd;
    double worst = 0.0, scale = 0.0;
    long double value0 = 0.0L, slope0 = 0.0L;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t k = 0; k < (pass ? 1024 : 1); k++) {
            const long double w = pass ? (long double)omega[k] : w0, x = w - wd;
            long double value = 0.0L, slope = 0.0L, power = x, factorial = 1.0L; /* x^(j-1) / (j-1)! */
            for (int j = 2; j < 7; j++) {
                slope += (long double)beta[j - 2] * power / factorial;
                factorial *= j;
                power *= x;
                value += (long double)beta[j - 2] * power / factorial;
            }
            if (!pass) {
                value0 = value;
                slope0 = slope;
            } else {
                const double want = (double)(value - value0 - slope0 * (w - w0));
                worst = fmax(worst, fabs(-phi[2 * k + 1] - want));
                scale = fmax(scale, fabs(want));
            }
        }
    ok(worst < 1e-14 * scale && d != 0.0L, "beta at 835 nm on a grid about 900 nm: %.1e of the largest phase off",
       worst / scale);
    ok(phi[0] == 0.0 && phi[1] == 0.0, "nothing at the carrier: the frame has it");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* The index of fused silica (Malitson 1965), for a table. */
static double silica(double lambda)
{
    const double u = lambda * lambda * 1e12;
    return sqrt(1.0 + 0.6961663 * u / (u - 0.0684043 * 0.0684043) + 0.4079426 * u / (u - 0.1162414 * 0.1162414) +
                0.8974794 * u / (u - 9.896161 * 9.896161));
}

static void check_table(void)
{
    enum { POINTS = 401 };
    static double lambda[POINTS], n[POINTS];
    for (int i = 0; i < POINTS; i++) {
        lambda[i] = 400e-9 + 3600e-9 * i / (POINTS - 1);
        n[i] = silica(lambda[i]);
    }
    poy_grid *grid = grid_of_limits(1000e-9, 600e-9, 1700e-9, 2e-12);
    poy_fibre_options fibre = fibre_of(1e-3, 0, NULL);
    fibre.index_wavelength = lambda;
    fibre.index_n = n;
    fibre.n_index = POINTS;
    poy_problem *problem = problem_of(grid, &fibre, plain_physics(), 1.0);
    ok(problem != NULL, "a fibre by its index");
    const poy_grid_info *g = poy_grid_get(grid);
    const double *omega = poy_grid_omega(grid), *phi = POYI_F64(problem->phi), h = 1e-4 * g->omega0;
    const double slope =
        ((g->omega0 + h) * silica(TWO_PI_C / (g->omega0 + h)) - (g->omega0 - h) * silica(TWO_PI_C / (g->omega0 - h))) /
        (2.0 * h * POYI_C);
    double worst = 0.0;
    int64_t inside = 0;
    for (int64_t k = 0; k < g->n_w; k++)
        if (omega[k] >= TWO_PI_C / 1700e-9 && omega[k] <= TWO_PI_C / 600e-9) {
            const double beta = (omega[k] * silica(TWO_PI_C / omega[k]) - g->omega0 * silica(1000e-9)) / POYI_C;
            worst = fmax(worst, fabs(-phi[2 * k + 1] - (beta - slope * (omega[k] - g->omega0))));
            inside++;
        } else if (!poy_grid_mask(grid)[k]) {
            inside += phi[2 * k] == 0.0 && phi[2 * k + 1] == 0.0 ? 0 : INT32_MIN;
        }
    /* spline error (5/384) h^4 n'''' ~ 1e-10 of n, times omega/c ~ 1e7: 1e-3 1/m at most of phases up to 1e4 1/m; the
     * difference quotient above adds 1e-8 beta_3 Omega ~ 1e-3 1/m */
    ok(worst < 0.02 && inside > 100, "beta of %lld bins from 401 points: %.1e 1/m off", (long long)inside, worst);
    const poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, 1000e-9, 50e-15, 1e-9);
    const poy_problem_numbers numbers = describe(problem, &pulse);
    /* from the formula by 60-digit differentiation: 1272.754 nm, 21.1581 and 38.595; the second derivative of a cubic
     * spline is good to h^2/12 n'''' omega/c ~ 1e-4 of beta_2 here, the third, constant between points, to h n'''' / 2 */
    ok(numbers.n_zdw == 1 && fabs(numbers.zdw[0] - 1272.754e-9) < 0.1e-9, "zero dispersion at %.2f nm",
       numbers.zdw[0] * 1e9);
    ok(fabs(numbers.beta[2] - 21.1581e-27) < 0.01e-27 && fabs(numbers.beta[3] - 38.595e-42) < 1e-42,
       "at 1 um beta_2 = %.4f fs^2/mm, beta_3 = %.3f fs^3/mm", numbers.beta[2] * 1e27, numbers.beta[3] * 1e42);
    poy_problem_destroy(&problem);

    const double planes[2] = {0.0, 1.0};
    fibre.n_index = POINTS / 2;
    ok(poy_problem_create_fibre(ctx, grid, &fibre, plain_physics(), NULL, 1.0, planes, 2, &problem) ==
               POY_ERR_ARGUMENT &&
           strstr(poy_ctx_cause(ctx), "fibre.index_file: covers 4e-07 to 2.191e-06 m, but the grid has a bin at"),
       "%s", poy_ctx_cause(ctx));
    poy_grid_destroy(&grid);
}

static void check_nonlinearity(void)
{
    poy_grid *grid = grid_of_limits(1550e-9, 1000e-9, 2500e-9, 3e-12);
    const poy_grid_info *g = poy_grid_get(grid);
    poy_fibre_options fibre = fibre_of(NAN, 0, NULL);
    poy_physics_options physics = physics_of(1, POY_RAMAN_BLOW_WOOD, POY_NOISE_OFF);
    fibre.n2 = 2.7e-20;
    fibre.effective_area = 85e-12;
    fibre.attenuation = log(10.0) / 10.0 * 0.2e-3; /* 0.2 dB/km */
    poy_problem *problem = problem_of(grid, &fibre, &physics, 1.0);
    const double gamma = 2.7e-20 * g->omega0 / (POYI_C * 85e-12), *G = POYI_F64(problem->prefactor),
                 *phi = POYI_F64(problem->phi);
    int right = 1;
    for (int64_t k = 0; k < g->n_w; k++) {
        const double want =
            poy_grid_mask(grid)[k] ? -gamma * poy_grid_omega(grid)[k] / g->omega0 * poy_grid_window_w(grid)[k] : 0.0;
        right = right && fabs(G[k] - want) <= 1e-15 * gamma * 4.0 &&
                phi[2 * k] == (poy_grid_mask(grid)[k] ? -0.5 * fibre.attenuation : 0.0);
    }
    ok(right, "G = -gamma omega/omega0 times the window in the band, gamma = n2 omega0/(c A) = %.6g 1/(W m)", gamma);
    ok(problem->lossless == 0 && problem->kerr_scale == 1.0 - 0.18 && problem->raman_scale == 0.18,
       "loss, and the model's own Raman fraction");
    poy_problem_destroy(&problem);

    physics.shock = 0;
    physics.raman = POY_RAMAN_OFF;
    fibre.attenuation = 0.0;
    problem = problem_of(grid, &fibre, &physics, 1.0);
    ok(POYI_F64(problem->prefactor)[0] == -gamma && problem->lossless == 1 && problem->kerr_scale == 1.0 &&
           problem->raman_scale == 0.0 && !problem->raman_h.data,
       "without shock G is -gamma; without Raman all is Kerr");
    poy_problem_destroy(&problem);

    physics.kerr = 0;
    problem = problem_of(grid, &fibre, &physics, 1.0);
    ok(problem->kerr == 0 && problem->kerr_scale == 0.0, "Kerr off: no Kerr");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);

    grid = grid_of_samples(800e-9, 1e-12, 4096); /* bins with omega < 0 evolve too */
    physics = physics_of(1, POY_RAMAN_OFF, POY_NOISE_OFF);
    fibre = fibre_of(0.02, 0, NULL);
    problem = problem_of(grid, &fibre, &physics, 1.0);
    ok(poy_grid_omega(grid)[2048] < 0.0 &&
           close_to(POYI_F64(problem->prefactor)[2048], -0.02 * poy_grid_omega(grid)[2048] / problem->omega0, 1e-15),
       "without limits every bin has its omega/omega0, negative ones too");
    int zero = 1;
    for (int64_t i = 0; i < 2 * problem->n_w; i++)
        zero = zero && POYI_F64(problem->phi)[i] == 0.0;
    ok(zero && problem->lossless, "no dispersion, no loss: the operator is 0");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);

    poy_grid_options o; /* an oversampled grid: G carries N/N_o */
    poy_grid_options_init(&o);
    o.reference = 800e-9;
    o.wavelength_min = 200e-9;
    o.wavelength_max = 2000e-9;
    o.window = 250e-15;
    o.thg = 1;
    ok(poy_grid_create(ctx, &o, &grid) == POY_OK && poy_grid_get(grid)->n_to == 2 * poy_grid_get(grid)->n_t,
       "oversampled");
    problem = problem_of(grid, &fibre, &physics, 1.0);
    ok(POYI_F64(problem->prefactor)[0] == -0.01, "the prefactor carries the ratio of the grids, 1/2");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* The supercontinuum of Dudley, Genty and Coen (2006). */
static void check_describe(void)
{
    static const double beta[] = {-1.183e-26, 8.1038e-41,   -9.5205e-56, 2.0737e-70, -5.3943e-85,
                                  1.3486e-99, -2.5495e-114, 3.0524e-129, -1.714e-144};
    poy_grid *grid = grid_of_limits(835e-9, 400e-9, 2400e-9, 12.5e-12);
    const poy_fibre_options fibre = fibre_of(0.11, 9, beta);
    const poy_physics_options physics = physics_of(1, POY_RAMAN_BLOW_WOOD, POY_NOISE_SHOT);
    poy_problem *problem = problem_of(grid, &fibre, &physics, 0.15);
    poy_pulse_options pulse = pulse_of(POY_SHAPE_SECH2, 835e-9, NAN, NAN);
    pulse.t0 = 28.4e-15;
    pulse.peak_power = 1e4;
    poy_problem_numbers n = describe(problem, &pulse);
    ok(close_to(n.L_D, 0.06817920540997464, 1e-12) && close_to(n.N_soliton, 8.660088102956696, 1e-12) &&
           close_to(n.L_fiss, 0.007872807366324269, 1e-12),
       "L_D = %.15g m, N = %.15g, L_fiss = %.15g m", n.L_D, n.N_soliton, n.L_fiss);
    ok(close_to(n.L_NL, 1.0 / (0.11 * 1e4), 1e-12) && close_to(n.peak_power, 1e4, 1e-12), "L_NL = 1/(gamma P0)");
    ok(close_to(n.energy, 2.0 * 28.4e-15 * 1e4, 1e-7), "2 t0 P0 of energy, without the noise: %.10g J", n.energy);
    ok(n.beta[2] == -1.183e-26 && n.beta[3] == 8.1038e-41, "the coefficients at the pulse");
    /* the root by 40-digit arithmetic */
    ok(n.n_zdw == 1 && close_to(n.zdw[0], 779.91413331672701605e-9, 1e-13), "zero dispersion at %.10g nm",
       n.zdw[0] * 1e9);
    pulse.wavelength = 700e-9; /* normal dispersion there: no soliton */
    n = describe(problem, &pulse);
    ok(n.beta[2] > 0.0 && isnan(n.N_soliton) && isnan(n.L_fiss) && n.L_D > 0.0 &&
           close_to(n.L_NL, 700.0 / 835.0 / (0.11 * 1e4), 1e-9),
       "700 nm: beta_2 = %.3g s^2/m, no soliton; gamma omega/omega0", n.beta[2]);
    poy_problem_destroy(&problem);

    const poy_fibre_options none = fibre_of(0.0, 0, NULL);
    problem = problem_of(grid, &none, &physics, 0.15);
    n = describe(problem, &pulse);
    ok(n.beta[2] == 0.0 && isnan(n.L_D) && isnan(n.L_NL) && isnan(n.N_soliton) && n.n_zdw == 0,
       "without dispersion and nonlinearity there are no lengths and no zero");
    poy_problem_destroy(&problem);

    /* beta_2 = b (x - p) (x - q): two zeros */
    const double p = -3e14, q = 5e14, b = 1e-56;
    const double two[] = {b * p * q, -b * (p + q), 2.0 * b};
    const poy_fibre_options pair = fibre_of(0.1, 3, two);
    problem = problem_of(grid, &pair, &physics, 0.15);
    n = describe(problem, &pulse);
    ok(n.n_zdw == 2 && close_to(n.zdw[0], TWO_PI_C / (problem->omega0 + q), 1e-12) &&
           close_to(n.zdw[1], TWO_PI_C / (problem->omega0 + p), 1e-12),
       "both zeros, in rising order: %.10g and %.10g nm", n.zdw[0] * 1e9, n.zdw[1] * 1e9);
    const poy_pulse_options gaussian = pulse_of(POY_SHAPE_GAUSSIAN, 835e-9, 50e-15, 1e-9);
    n = describe(problem, &gaussian);
    ok(close_to(n.L_D, pow(30.028060219661246e-15, 2) / fabs(n.beta[2]), 1e-12),
       "a Gaussian's t0 is its half width at 1/e");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

int main(void)
{
    fixture_start();
    check_D();
    check_shift();
    check_table();
    check_nonlinearity();
    check_describe();
    return fixture_end();
}

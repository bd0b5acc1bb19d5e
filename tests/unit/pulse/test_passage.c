/* test_passage.c: what a pulse went through before the guide: glass and gas against Sellmeier's formula worked out here,
 * mirrors against closed forms, a guide against its own propagation, filters, what is cut off, what is refused. */
#include "fibre_fixture.h"
#include "pulse/setup/setup.h"
#include "pulse/spectral.h"

enum { N = 4096 };
static const double LAMBDA = 800e-9;
static double plain[2 * N], out[2 * N];
static double frequency[N], power[N], values[N];

static double omega_of(double lambda)
{
    return 2.0 * POYI_PI * POYI_C / lambda;
}

static poy_problem *fibre_problem(poy_grid *grid, double attenuation, double length)
{
    static const double beta[] = {2e-26, 5e-41};
    poy_fibre_options fibre = fibre_of(0.0, 2, beta);
    const poy_physics_options physics = physics_of(0, POY_RAMAN_OFF, POY_NOISE_OFF);
    fibre.attenuation = attenuation;
    return problem_of(grid, &fibre, &physics, length);
}

/* The launch with and without what it went through, into out and plain. */
static int launch(const poy_problem *problem, poy_pulse_options pulse, const poy_passage *passages, int n)
{
    if (poy_launch_create(ctx, problem, &pulse, 1, plain) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    pulse.passages = passages;
    pulse.n_passages = n;
    const poy_status status = poy_launch_create(ctx, problem, &pulse, 1, out);
    if (status != POY_OK)
        note("%s", poy_ctx_message(ctx));
    return status == POY_OK;
}

typedef double phase_fn(double omega);

/* Largest difference of out from plain exp(-i phase), over the largest of plain. */
static double distance(const poy_problem *problem, phase_fn *phase)
{
    const poy_grid_info *g = poy_grid_get(problem->grid);
    double worst = 0.0, largest = 0.0;
    for (int64_t k = 0; k < g->n_w; k++) {
        const double omega = poy_grid_omega(problem->grid)[k], re = plain[2 * k], im = plain[2 * k + 1];
        if (re == 0.0 && im == 0.0)
            continue;
        const double phi = phase(omega), c = cos(phi), s = sin(phi);
        worst = fmax(worst, hypot(out[2 * k] - (re * c + im * s), out[2 * k + 1] - (im * c - re * s)));
        largest = fmax(largest, hypot(re, im));
    }
    return worst / largest;
}

/* ---- glass ---- */

/* Malitson, J. Opt. Soc. Am. 55, 1205 (1965): n and dn/dlambda, lambda in um. */
static double silica(double u, double *slope)
{
    static const double B[] = {0.6961663, 0.4079426, 0.8974794}, C[] = {0.0684043, 0.1162414, 9.896161};
    double square = 1.0, half = 0.0;
    for (int i = 0; i < 3; i++) {
        const double d = u * u - C[i] * C[i];
        square += B[i] * u * u / d;
        half -= B[i] * u * C[i] * C[i] / (d * d); /* half of d n^2/du */
    }
    *slope = half / sqrt(square);
    return sqrt(square);
}

static const double GLASS = 2e-3;

static double glass_phase(double omega)
{
    double slope = 0.0, at = 0.0;
    const double u0 = 1e6 * LAMBDA, group = silica(u0, &at) - u0 * at;
    return omega / POYI_C * GLASS * (silica(2e6 * POYI_PI * POYI_C / omega, &slope) - group);
}

static double nothing(double omega)
{
    (void)omega;
    return 0.0;
}

static void compare(const poy_problem *problem, poy_pulse_options pulse, const poy_passage *passages, int n,
                    phase_fn *phase, double tolerance, const char *what)
{
    const int launched = launch(problem, pulse, passages, n);
    const double d = distance(problem, phase);
    ok(launched && d < tolerance, "%s: %.1e off", what, d);
}

static void check_glass(void)
{
    poy_grid *grid = grid_of_limits(LAMBDA, 450e-9, 2e-6, 2e-12);
    poy_problem *problem = fibre_problem(grid, 0.0, 0.1);
    const poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, LAMBDA, 30e-15, 1e-9);
    poy_passage through[2] = {{.kind = POY_PASSAGE_MATERIAL, .length = GLASS, .material = {.name = "SiO2"}},
                              {.kind = POY_PASSAGE_MATERIAL, .length = -GLASS, .material = {.name = "SiO2"}}};
    ok(poy_grid_get(grid)->n_w <= N && launch(problem, pulse, through, 1), "2 mm of silica");
    /* 2.3e4 rad times eps in both, and the slope of the index times omega */
    const double d = distance(problem, glass_phase);
    ok(d < 3e-11, "silica: exp(-i omega (n - n_g) L/c), %.1e off", d);
    ok(close_to(poyi_spectrum_energy(poy_grid_get(grid), out), 1e-9, 1e-13), "silica: the energy is that behind it");
    compare(problem, pulse, through, 2, nothing, 3e-11, "silica there and back");
    /* a duration by hand: GDD of 2 mm silica at 800 nm is 72.3 fs2 */
    poy_pulse_options chirped = pulse;
    ok(launch(problem, pulse, through, 1), "once more");
    double *a = time_of(out, poy_grid_get(grid)->n_w), peak = 0.0;
    for (int64_t i = 0; i < poy_grid_get(grid)->n_t; i++)
        peak = fmax(peak, power_at(a, i));
    free(a);
    chirped.gdd = 72.3e-30;
    const double x = 4.0 * log(2.0) * chirped.gdd / (30e-15 * 30e-15);
    const double want = 0.93943727869965 * 1e-9 / (30e-15 * sqrt(1.0 + x * x));
    ok(close_to(peak, want, 1e-3), "silica: peak power %.6g W, of a chirped Gaussian pulse %.6g W", peak, want);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* Glass without loss data ends at 210 nm; the rest of the band is cut, and told where there was light. */
static void check_cut(void)
{
    poy_grid *grid = grid_of_limits(300e-9, 150e-9, 3e-6, 4e-13);
    poy_problem *problem = fibre_problem(grid, 0.0, 0.1);
    const poy_passage glass = {.kind = POY_PASSAGE_MATERIAL, .length = 1e-3, .material = {.name = "SiO2"}};
    const poy_pulse_options narrow = pulse_of(POY_SHAPE_GAUSSIAN, 800e-9, 10e-15, 1e-9);
    poy_pulse_options broad = pulse_of(POY_SHAPE_GAUSSIAN, 220e-9, 4e-15, 1e-9);
    double beyond = 0.0;
    fixture_forget();
    ok(launch(problem, narrow, &glass, 1) && !strstr(logged, "is cut off"), "light inside the data of the glass");
    for (int64_t k = 0; k < poy_grid_get(grid)->n_w; k++)
        if (poy_grid_omega(grid)[k] > omega_of(209.9e-9))
            beyond = fmax(beyond, hypot(out[2 * k], out[2 * k + 1]));
    ok(beyond == 0.0, "nothing is left beyond them");
    fixture_forget();
    ok(launch(problem, broad, &glass, 1) && strstr(logged, "pulse.0.through") && strstr(logged, "SiO2") &&
           strstr(logged, "is cut off"),
       "told: %s", logged);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* ---- gas ---- */

static const double CELL = 3.0;

/* N2, Boerzsoenyi et al., Appl. Opt. 47, 4856 (2008): n^2 - 1 at 1 bar and 273.15 K, of an ideal gas at 293.15 K. */
static double gas_phase(double omega)
{
    double n[2];
    const double at[] = {omega, omega_of(LAMBDA)}, h = 1e-4;
    double e[4];
    for (int i = 0; i < 4; i++) {
        const double w = i == 0 ? at[0] : at[1] * (i == 1 ? 1.0 : i == 2 ? 1.0 - h : 1.0 + h);
        const double u = 2e6 * POYI_PI * POYI_C / w, s = u * u;
        e[i] = 0.5 * 273.15 / 293.15 * (39209.95e-8 * s / (s - 1146.24e-6) + 18806.48e-8 * s / (s - 13.476e-3));
    }
    n[0] = e[0];
    n[1] = e[1] + (e[3] - e[2]) / (2.0 * h);
    return omega / POYI_C * CELL * (n[0] - n[1]);
}

static void check_gas(void)
{
    poy_grid *grid = grid_of_limits(LAMBDA, 450e-9, 2e-6, 1e-12);
    poy_problem *problem = fibre_problem(grid, 0.0, 0.1);
    const poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, LAMBDA, 30e-15, 1e-9);
    const poy_passage cell = {
        .kind = POY_PASSAGE_GAS, .length = CELL, .gas = "N2", .pressure = 1e5, .temperature = 293.15};
    ok(launch(problem, pulse, &cell, 1), "3 m of nitrogen");
    /* The constant phase, -omega^2 dn/domega L/c, is 114 rad; real gases and the ideal one differ by 3e-4 of it, and of the
     * phase about it by far less. Both are compared after the constant is taken out. */
    const int64_t carrier = 0;
    const double offset =
        atan2(out[2 * carrier + 1], out[2 * carrier]) - atan2(plain[2 * carrier + 1], plain[2 * carrier]);
    double worst = 0.0, largest = 0.0;
    for (int64_t k = 0; k < poy_grid_get(grid)->n_w; k++) {
        const double omega = poy_grid_omega(grid)[k], re = plain[2 * k], im = plain[2 * k + 1];
        if (re == 0.0 && im == 0.0)
            continue;
        const double phi = gas_phase(omega) - gas_phase(omega_of(LAMBDA)) - offset, c = cos(phi), s = sin(phi);
        worst = fmax(worst, hypot(out[2 * k] - (re * c + im * s), out[2 * k + 1] - (im * c - re * s)));
        largest = fmax(largest, hypot(re, im));
    }
    ok(worst < 2e-3 * largest, "nitrogen: the phase of its formula, %.1e off", worst / largest);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* ---- mirrors ---- */

static double mirror_phase(double omega)
{
    const double x = omega - omega_of(LAMBDA);
    return 4.0 * (-30e-30 * x * x / 2.0);
}

static double measured_phase(double omega)
{
    const double x = omega - omega_of(LAMBDA);
    return 0.3 + 20e-15 * x + 50e-30 * x * x;
}

static void make_table(double gdd, phase_fn *phase)
{
    for (int i = 0; i < 201; i++) {
        const double omega = omega_of(LAMBDA) * (0.6 + 0.9 * i / 200.0 + 1e-4 * sin(i));
        frequency[i] = omega / (2.0 * POYI_PI);
        power[i] = 0.2 + 0.7 * i / 200.0;
        values[i] = phase ? phase(omega) : gdd;
    }
}

static void check_mirrors(void)
{
    poy_grid *grid = grid_of_limits(LAMBDA, 450e-9, 2e-6, 2e-12);
    poy_problem *problem = fibre_problem(grid, 0.0, 0.1);
    const poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, LAMBDA, 30e-15, 1e-9);
    poy_passage bounce = {.kind = POY_PASSAGE_PHASE, .times = 4, .gdd = -30e-30};
    compare(problem, pulse, &bounce, 1, mirror_phase, 1e-12, "4 bounces of -30 fs2");
    make_table(-30e-30, NULL);
    poy_passage table = {.kind = POY_PASSAGE_MIRROR, .times = 4, .n = 201, .frequency = frequency, .values = values};
    /* the trapezoid rule is exact, the spline of a parabola, too: rounding of sums of 200 terms up to 4e3 rad is left */
    compare(problem, pulse, &table, 1, mirror_phase, 1e-10, "as a table");
    poy_passage there_and_back[2] = {table, table};
    there_and_back[1].times = -4;
    compare(problem, pulse, there_and_back, 2, nothing, 1e-12, "and taken away");
    make_table(0.0, measured_phase);
    poy_passage measured = {.kind = POY_PASSAGE_TABLE, .times = 1, .n = 201, .frequency = frequency, .values = values};
    compare(problem, pulse, &measured, 1, measured_phase, 1e-10, "a measured phase with its delay");

    make_table(0.0, NULL);
    table.power = power;
    table.times = 3;
    int64_t same = 1;
    ok(launch(problem, pulse, &table, 1), "3 bounces of a mirror that loses");
    const double norm = hypot(out[0], out[1]) / hypot(plain[0], plain[1]);
    double worst = 0.0;
    for (int64_t k = 1; k < 20; k++, same++) { /* of rows that are equidistant but for 1e-4: a straight line nearly */
        const double x = (poy_grid_omega(grid)[k] / omega_of(LAMBDA) - 0.6) / 0.9, x0 = 0.4 / 0.9;
        const double want = pow((0.2 + 0.7 * x) / (0.2 + 0.7 * x0), 1.5);
        worst = fmax(worst,
                     fabs(hypot(out[2 * k], out[2 * k + 1]) / hypot(plain[2 * k], plain[2 * k + 1]) / norm / want - 1));
    }
    ok(worst < 2e-3, "the share of the power of 3 bounces over %d bins, %.1e off", (int)same, worst);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* ---- the guide ---- */

/* A pulse from which 0.1 m were taken away is, after 0.1 m, what it was: phase and loss. */
static void check_guide(void)
{
    poy_grid *grid = grid_of_limits(LAMBDA, 450e-9, 2e-6, 2e-12);
    poy_problem *problem = fibre_problem(grid, 3.0, 0.1);
    const poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, LAMBDA, 30e-15, 1e-9);
    const poy_passage before = {.kind = POY_PASSAGE_GUIDE, .length = -0.1};
    const double *phi = POYI_F64(problem->phi);
    ok(launch(problem, pulse, &before, 1), "0.1 m of a fibre taken away");
    double worst = 0.0, largest = 0.0;
    const double loss = exp(-0.5 * 3.0 * 0.1); /* the same at all frequencies, and the energy is set after it */
    for (int64_t k = 0; k < poy_grid_get(grid)->n_w; k++) {
        const double size = exp(phi[2 * k] * 0.1), c = cos(phi[2 * k + 1] * 0.1), s = sin(phi[2 * k + 1] * 0.1);
        const double re = size * (out[2 * k] * c - out[2 * k + 1] * s),
                     im = size * (out[2 * k] * s + out[2 * k + 1] * c);
        worst = fmax(worst, hypot(re - loss * plain[2 * k], im - loss * plain[2 * k + 1]));
        largest = fmax(largest, hypot(plain[2 * k], plain[2 * k + 1]));
    }
    ok(worst < 1e-12 * largest, "and gone through: as without, %.1e off", worst / largest);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* ---- filters ---- */

static void check_band(void)
{
    poy_grid *grid = grid_of_limits(LAMBDA, 450e-9, 2e-6, 2e-12);
    poy_problem *problem = fibre_problem(grid, 0.0, 0.1);
    const poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, LAMBDA, 30e-15, 1e-9);
    const poy_passage band = {.kind = POY_PASSAGE_BAND, .band = {780e-9, 830e-9}};
    ok(launch(problem, pulse, &band, 1), "a filter");
    const double low = omega_of(830e-9), high = omega_of(780e-9), edge = 64.0 * poy_grid_get(grid)->domega;
    const double factor = hypot(out[0], out[1]) / hypot(plain[0], plain[1]);
    double inside = 0.0, outside = 0.0;
    for (int64_t k = 0; k < poy_grid_get(grid)->n_w; k++) {
        const double omega = poy_grid_omega(grid)[k], got = hypot(out[2 * k], out[2 * k + 1]),
                     was = hypot(plain[2 * k], plain[2 * k + 1]);
        if (omega >= low && omega <= high)
            inside = fmax(inside, fabs(got / (factor * was) - 1.0));
        if (omega <= low - edge || omega >= high + edge)
            outside = fmax(outside, got);
    }
    ok(factor > 1.0 && inside < 1e-12 && outside == 0.0, "what is inside stays (%.1e), what is outside goes", inside);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* ---- refusals ---- */

static void refuse(const poy_problem *problem, const poy_passage *passage, poy_status status, const char *text)
{
    poy_pulse_options pulse = pulse_of(POY_SHAPE_GAUSSIAN, LAMBDA, 30e-15, 1e-9);
    pulse.passages = passage;
    pulse.n_passages = 1;
    const poy_status got = poy_launch_create(ctx, problem, &pulse, 1, out);
    ok(got == status && strstr(poy_ctx_cause(ctx), text), "%s", poy_ctx_cause(ctx));
}

static void check_refusals(void)
{
    poy_grid *grid = grid_of_limits(LAMBDA, 450e-9, 2e-6, 2e-12);
    poy_problem *problem = fibre_problem(grid, 0.0, 0.1);
    poy_passage mirror = {.kind = POY_PASSAGE_MIRROR, .times = 1, .n = 201, .frequency = frequency, .values = values};
    make_table(0.0, NULL);
    refuse(problem, &(poy_passage){.kind = POY_PASSAGE_MATERIAL, .length = 1e-3, .material = {.name = "SiO3"}},
           POY_ERR_ARGUMENT, "SiO2");
    refuse(problem, &(poy_passage){.kind = POY_PASSAGE_MATERIAL, .length = NAN, .material = {.name = "SiO2"}},
           POY_ERR_ARGUMENT, "pulse.0.through");
    refuse(problem, &(poy_passage){.kind = POY_PASSAGE_MATERIAL, .length = 1e-3}, POY_ERR_ARGUMENT, "no material");
    refuse(problem, &(poy_passage){.kind = POY_PASSAGE_MATERIAL, .length = 1e-3, .material = {.name = "Si"}},
           POY_ERR_RANGE, "pulse.0.through");
    refuse(problem, &(poy_passage){.kind = POY_PASSAGE_GAS, .length = 1.0, .gas = "Aer"}, POY_ERR_ARGUMENT, "Aer");
    refuse(problem, &(poy_passage){.kind = POY_PASSAGE_GAS, .length = 1.0}, POY_ERR_ARGUMENT, "without a name");
    refuse(problem, &(poy_passage){.kind = POY_PASSAGE_PHASE, .times = 1, .gdd = INFINITY}, POY_ERR_ARGUMENT,
           "through");
    refuse(problem, &(poy_passage){.kind = POY_PASSAGE_BAND, .band = {0.0, 1e-6}}, POY_ERR_ARGUMENT, "band");
    refuse(problem, &(poy_passage){.kind = (poy_passage_kind)9}, POY_ERR_ARGUMENT, "through");
    mirror.n = 3;
    refuse(problem, &mirror, POY_ERR_ARGUMENT, "4 or more");
    mirror.n = 201;
    frequency[7] = frequency[6];
    refuse(problem, &mirror, POY_ERR_ARGUMENT, "row 7");
    make_table(0.0, NULL);
    mirror.power = power;
    power[9] = 1.5;
    refuse(problem, &mirror, POY_ERR_ARGUMENT, "row 9");
    make_table(0.0, NULL);
    mirror.frequency = frequency + 150;
    mirror.values = values + 150;
    mirror.n = 50;
    mirror.power = NULL;
    refuse(problem, &mirror, POY_ERR_RANGE, "the pulse has 800 nm");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

int main(void)
{
    fixture_start();
    check_glass();
    check_cut();
    check_gas();
    check_mirrors();
    check_guide();
    check_band();
    check_refusals();
    return fixture_end();
}

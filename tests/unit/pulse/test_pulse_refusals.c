/* test_pulse_refusals.c: every bad fibre, physics, solver and pulse is refused by its key, value and limit, before
 * anything of the size of a field is allocated; what is merely doubtful is told. */
#include "fibre_fixture.h"
#include "pulse/setup/setup.h"

enum { N = 1024 };

/* What a case may change; fresh for each. */
static poy_grid *samples_grid, *limits_grid, *grid;
static poy_fibre_options fibre;
static poy_physics_options physics;
static poy_solver_options solver;
static poy_pulse_options pulse;
static double length, planes[4];
static int n_planes;

static const double beta[3] = {-2e-26, 1e-40, NAN};
static double numbers[N];

static void fresh(void)
{
    grid = samples_grid;
    fibre = fibre_of(3e-3, 2, beta);
    poy_physics_options_init(&physics);
    poy_solver_options_init(&solver);
    pulse = pulse_of(POY_SHAPE_GAUSSIAN, 1550e-9, 100e-15, 1e-9);
    length = 1.0;
    planes[0] = 0.0;
    planes[1] = 0.5;
    planes[2] = 1.0;
    n_planes = 3;
    fixture_forget();
}

static void check_text(poy_status got, poy_status status, const char *text)
{
    if (!ok(got == status && strstr(poy_ctx_cause(ctx), text), "%s", poy_ctx_cause(ctx)))
        note("wanted %s: %s", poy_status_name(status), text);
}

/* Fields have 16 KiB here: with 8 left, one of them would give POY_ERR_BUDGET instead. */
static void refuse_problem(poy_status status, const char *text)
{
    poy_problem *problem = NULL;
    poy_ctx_set_budget(ctx, poy_ctx_bytes(ctx) + 8192);
    check_text(poy_problem_create_fibre(ctx, grid, &fibre, &physics, &solver, length, planes, n_planes, &problem),
               status, text);
    poy_ctx_set_budget(ctx, 0);
    poy_problem_destroy(&problem);
    fresh();
}

static void refuse_pulse(const char *text)
{
    static double spectrum[2 * N];
    const size_t before = poy_ctx_bytes(ctx);
    poy_problem *problem = NULL;
    if (poy_problem_create_fibre(ctx, grid, &fibre, &physics, &solver, length, planes, n_planes, &problem) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    spectrum[0] = 17.0;
    poy_ctx_set_budget(ctx, poy_ctx_bytes(ctx) + 8192);
    check_text(poy_launch_create(ctx, problem, &pulse, 1, spectrum), POY_ERR_ARGUMENT, text);
    poy_ctx_set_budget(ctx, 0);
    poy_problem_destroy(&problem);
    if (spectrum[0] != 17.0 || poy_ctx_bytes(ctx) != before)
        ok(0, "the refused launch left something");
    fresh();
}

#define PROBLEM(change, text)                   \
    do {                                        \
        change;                                 \
        refuse_problem(POY_ERR_ARGUMENT, text); \
    } while (0)
#define PULSE(change, text) \
    do {                    \
        change;             \
        refuse_pulse(text); \
    } while (0)

static void check_fibres(void)
{
    static const double lambda[5] = {1e-6, 1.2e-6, 1.1e-6, 1.8e-6, 3e-6}, n[5] = {1.45, 1.449, 1.448, 1.447, 0.0};
    PROBLEM(fibre.gamma = NAN, "fibre.gamma: missing: give it, or fibre.n2 and fibre.effective_area");
    PROBLEM(fibre.gamma = INFINITY, "fibre.gamma: inf 1/(W m) is not a finite number");
    PROBLEM(fibre.n2 = 2.7e-20, "fibre.gamma: 0.003 1/(W m) beside fibre.n2 or fibre.effective_area: keep one");
    PROBLEM((fibre.gamma = NAN, fibre.n2 = 2.7e-20), "fibre.effective_area: nan m2 is not above 0");
    PROBLEM((fibre.gamma = NAN, fibre.n2 = 2.7e-20, fibre.effective_area = -1.0), "fibre.effective_area: -1 m2");
    PROBLEM((fibre.gamma = NAN, fibre.effective_area = 1e-10), "fibre.n2: nan m2/W is not a finite number");
    PROBLEM(fibre.n_beta = 3, "fibre.beta: number 2 is nan s^n/m");
    PROBLEM(fibre.n_beta = -1, "fibre.beta: -1 values");
    PROBLEM(fibre.beta = NULL, "fibre.beta: 2 values at NULL");
    PROBLEM((fibre.D = 17e-6, fibre.S = 0.0), "fibre.D: a second dispersion beside fibre.beta: keep one");
    PROBLEM((fibre.n_beta = 0, fibre.D = 17e-6), "fibre.S: missing beside fibre.D: give both");
    PROBLEM((fibre.n_beta = 0, fibre.S = 60.0), "fibre.D: missing beside fibre.S");
    PROBLEM((fibre.n_beta = 0, fibre.D = INFINITY, fibre.S = 0.0), "fibre.D: inf s/m2");
    PROBLEM(fibre.dispersion_at = -1e-6, "fibre.beta_at: -1e-06 m");
    PROBLEM(fibre.attenuation = -0.1, "fibre.attenuation: -0.1 1/m is below 0");
    PROBLEM(fibre.attenuation = NAN, "fibre.attenuation: nan 1/m");
    PROBLEM((fibre.index_wavelength = lambda, fibre.index_n = n, fibre.n_index = 5),
            "fibre.index_file: a second dispersion beside fibre.beta");
    PROBLEM((fibre.n_beta = 0, fibre.index_wavelength = lambda, fibre.n_index = 4),
            "fibre.index_file: 0 points: a cubic spline needs 4");
    PROBLEM((fibre.n_beta = 0, fibre.index_wavelength = lambda, fibre.index_n = n, fibre.n_index = 3),
            "fibre.index_file: 3 points");
    PROBLEM((fibre.n_beta = 0, fibre.index_wavelength = lambda, fibre.index_n = n, fibre.n_index = 4),
            "fibre.index_file: wavelength 2, 1.1e-06 m, is not above the one before it, 1.2e-06 m: sort");
    PROBLEM((fibre.n_beta = 0, fibre.index_wavelength = planes, fibre.index_n = n, fibre.n_index = 4),
            "fibre.index_file: 0 m is not above 0");
    PROBLEM((fibre.n_beta = 0, fibre.index_wavelength = lambda, fibre.index_n = n, fibre.n_index = 5,
             fibre.dispersion_at = 1e-6),
            "fibre.beta_at: 1e-06 m has no meaning beside fibre.index_file");
    PROBLEM((fibre.size = 0), "poy_fibre_options: its size says 0 bytes");
}

static void check_physics_solver(void)
{
    static const double bad_kinks[3] = {0.2, 0.2, 1.0}, steps[3] = {0.3, 0.3, 0.4}, back[2] = {1.5, -0.5},
                        halves[2] = {0.5, 0.5}, at[1] = {0.25};
    PROBLEM((physics.raman = POY_RAMAN_OFF, physics.raman_fraction = 0.18),
            "physics.raman_fraction: 0.18 beside physics.raman = off");
    PROBLEM(physics.raman_fraction = 1.5, "physics.raman_fraction: 1.5 is outside 0 to 1");
    PROBLEM(physics.raman_fraction = -0.1, "physics.raman_fraction: -0.1");
    PROBLEM(physics.raman = (poy_raman_model)7, "physics.raman: there is no choice 7: 0 to 3 are off, blow_wood");
    PROBLEM(physics.noise = (poy_noise_model)4, "physics.noise: there is no choice 4");
    PROBLEM(length = 0.0, "geometry.length: 0 m is not above 0");
    PROBLEM(length = NAN, "geometry.length: nan m");
    PROBLEM(n_planes = 1, "output.planes: 1: needs at least 2");
    PROBLEM(planes[0] = 0.1, "output.planes: from 0.1 to 1 m: have to be from 0");
    PROBLEM(planes[2] = 0.9, "output.planes: from 0 to 0.9 m: have to be from 0 to geometry.length, 1 m");
    PROBLEM(planes[1] = 0.0, "output.planes: number 1, 0 m, is not above the one before");
    PROBLEM(planes[1] = NAN, "output.planes: number 1 is nan m");
    PROBLEM(solver.rtol = 1e-13, "solver.rtol: 1e-13 is outside 1e-13 to 1e-2");
    PROBLEM(solver.rtol = 0.02, "solver.rtol: 0.02 is outside");
    PROBLEM(solver.rtol = NAN, "solver.rtol: nan");
    PROBLEM(solver.atol = 0.0, "solver.atol: 0 sqrt(W) is not above 0");
    PROBLEM(solver.dz_first = -1.0, "solver.dz_first: -1 m");
    PROBLEM(solver.dz_first = 0.7, "solver.dz_first: 0.7 m is outside solver.dz_min, 1e-14 m, to solver.dz_max, 0.5 m");
    PROBLEM((solver.dz_min = 0.2, solver.dz_max = 0.1), "solver.dz_min: 0.2 m is above solver.dz_max, 0.1 m");
    PROBLEM(solver.dz_max = INFINITY, "solver.dz_max: inf m");
    PROBLEM(solver.steps_max = -2, "solver.steps_max: -2 is below 0");
    PROBLEM(solver.absorber = (poy_absorber)4, "solver.absorber: there is no choice 4");
    PROBLEM(solver.absorber = POY_ABSORBER_SPLIT_STEP, "solver.absorber: split_step needs the windows of a grid with");
    PROBLEM(solver.absorber = POY_ABSORBER_PER_STEP_WINDOW, "solver.absorber: per_step_window needs");
    PROBLEM(solver.absorber_length = -1.0, "solver.absorber_length: -1 m");
    PROBLEM(solver.propagators = (poy_propagator_mode)3, "solver.propagators: there is no choice 3");
    PROBLEM((solver.kinks = bad_kinks, solver.n_kinks = 2), "solver.kinks: number 1, 0.2 m, is not above");
    PROBLEM((solver.kinks = bad_kinks + 1, solver.n_kinks = 2), "solver.kinks: number 1, 1 m, is outside 0 to 1 m");
    PROBLEM((solver.kinks = NULL, solver.n_kinks = 2), "solver.kinks: 2 values at NULL");
    PROBLEM((solver.schedule = back, solver.n_schedule = 2), "solver.schedule: step 1, -0.5 m, is not above 0");
    PROBLEM((solver.schedule = steps, solver.n_schedule = 2), "solver.schedule: its steps end at 0.6 m");
    PROBLEM((solver.schedule = steps, solver.n_schedule = 3), "solver.schedule: no step ends at the plane 1, 0.5 m");
    PROBLEM((solver.schedule = halves, solver.n_schedule = 2, solver.kinks = at, solver.n_kinks = 1),
            "solver.schedule: no step ends at the kink 0, 0.25 m");
    numbers[3] = NAN;
    PROBLEM(solver.error_weights = numbers, "solver.error_weights: number 3 is nan");
    PROBLEM(physics.size = sizeof physics + 8, "poy_physics_options: its size says");
    PROBLEM(solver.size = 1, "poy_solver_options: its size says 1 bytes");
    PROBLEM(grid = NULL, "grid: NULL given");
}

static void check_pulses(void)
{
    static const double f[5] = {1.8e14, 1.9e14, 1.85e14, 2e14, 2.1e14}, rising[4] = {1.8e14, 1.9e14, 2e14, 2.1e14},
                        wrong[4] = {1.8e5, 1.9e5, 2e5, 2.1e5}, far[4] = {8e14, 8.1e14, 8.2e14, 8.3e14},
                        density[5] = {0, 1, 1, 0, NAN}, dark[4] = {0}, flat[5] = {0};
#define DATA(frequency, values, rows)                                                          \
    (pulse = pulse_of(POY_SHAPE_DATA, 1550e-9, NAN, 1e-9), pulse.data_frequency = (frequency), \
     pulse.data_density = (values), pulse.data_phase = flat, pulse.n_data = (rows))
    PULSE(pulse.peak_power = 1e3, "pulse.0.peak_power: 1000 W beside pulse.0.energy, 1e-09 J: keep one");
    PULSE(pulse.energy = NAN, "pulse.0.energy: missing: give it, or pulse.0.peak_power");
    PULSE(pulse.energy = -3e-9, "pulse.0.energy: -3e-09 J is not above 0");
    PULSE((pulse.energy = NAN, pulse.peak_power = 0.0), "pulse.0.peak_power: 0 W is not above 0");
    PULSE(pulse.wavelength = 0.0, "pulse.0.wavelength: 0 m is not above 0");
    PULSE(pulse.wavelength = 100e-9, "pulse.0.wavelength: 1e-07 m is outside the grid's band");
    PULSE((grid = limits_grid, pulse.wavelength = 900e-9),
          "pulse.0.wavelength: 9e-07 m is outside the grid's band, 1e-06 to");
    PULSE(pulse.fwhm = NAN, "pulse.0.fwhm: missing: a pulse needs its duration");
    PULSE((pulse.shape = POY_SHAPE_SECH2, pulse.fwhm = NAN),
          "pulse.0.fwhm: missing: a pulse needs its duration, or t0");
    PULSE(pulse.t0 = 1e-13, "pulse.0.t0: 1e-13 s is of sech2 alone");
    PULSE((pulse.shape = POY_SHAPE_SECH2, pulse.t0 = 1e-13),
          "pulse.0.t0: 1e-13 s beside pulse.0.fwhm, 1e-13 s: keep one");
    PULSE((pulse.shape = POY_SHAPE_SECH2, pulse.fwhm = NAN, pulse.t0 = -1e-13), "pulse.0.t0: -1e-13 s is not above 0");
    PULSE(pulse.fwhm = 0.0, "pulse.0.fwhm: 0 s is not above 0");
    PULSE(pulse.fwhm = 1.1e-12, "pulse.0.fwhm: 1.1e-12 s is above a quarter of grid.window, 4e-12 s");
    PULSE(pulse.fwhm = 15e-15, "pulse.0.fwhm: 1.5e-14 s is below four samples of 3.90625e-15 s: raise grid.samples");
    PULSE((grid = limits_grid, pulse.fwhm = 5e-15), "lower grid.wavelength_min");
    PULSE(pulse.order = 0, "pulse.0.order: 0 is outside 1 to 100");
    PULSE((pulse.shape = POY_SHAPE_LORENTZIAN, pulse.order = 2), "pulse.0.order: 2 is of gaussian alone");
    PULSE(pulse.shape = (poy_shape)7, "pulse.0.shape: there is no choice 7");
    PULSE(pulse.cep = NAN, "pulse.0.phase.cep: nan rad");
    PULSE(pulse.gdd = INFINITY, "pulse.0.phase.gdd: inf s2");
    PULSE(pulse.tod = NAN, "pulse.0.phase.tod: nan s3");
    PULSE(pulse.fod = NAN, "pulse.0.phase.fod: nan s4");
    PULSE(pulse.delay = 2e-12, "pulse.0.phase.delay: 2e-12 s is outside the window, -2e-12 to 2e-12 s");
    PULSE((pulse.coefficients = density, pulse.n_coefficients = 5), "pulse.0.phase.coefficients: number 4 is nan");
    PULSE(pulse.sideband_offset = 1e12, "pulse.0.sideband.relative_power: 0 is not above 0");
    PULSE(pulse.sideband_power = 1e-6, "pulse.0.sideband.offset: 0 Hz is not above 0");
    PULSE((pulse.sideband_power = 1e-6, pulse.sideband_offset = 1.1e12),
          "pulse.0.sideband.offset: 1.1e+12 Hz lies between two bins of 250000000000 Hz: use 1000000000000 Hz");
    PULSE((pulse.sideband_power = 1e-6, pulse.sideband_offset = 1e15), "pulse.0.sideband.offset: 1e+15 Hz is outside");
    PULSE((pulse.shape = POY_SHAPE_CW), "pulse.0.fwhm: 1e-13 s, but a constant wave has no duration");
    PULSE((pulse.shape = POY_SHAPE_CW, pulse.fwhm = NAN, pulse.wavelength = 1551e-9),
          "pulse.0.wavelength: 1.551e-06 m lies between two bins");
    PULSE(pulse.n_data = 3, "pulse.0.file: given, but pulse.0.shape is not file");
    PULSE(DATA(NULL, density, 4), "pulse.0.file: 0 rows: a measured spectrum needs 4");
    PULSE(DATA(rising, density, 3), "pulse.0.file: 3 rows");
    PULSE(DATA(f, density, 4), "pulse.0.file: row 2: 1.85e+14 Hz is not above the row before, 1.9e+14 Hz");
    PULSE(DATA(f, density, 5), "pulse.0.file: number 4 is nan (density)");
    PULSE(DATA(wrong, density, 4), "pulse.0.file: row 0: 180000 Hz is no optical frequency");
    PULSE((DATA(rising, density, 4), pulse.fwhm = 1e-13),
          "pulse.0.fwhm: 1e-13 s, but a measured spectrum has no duration");
    PULSE((DATA(rising, density, 4), pulse.energy = NAN, pulse.peak_power = 1.0),
          "pulse.0.peak_power: 1 W beside a measured spectrum: give pulse.0.energy");
    PULSE(pulse.size = 8, "poy_pulse_options: its size says 8 bytes");

    /* Only the field itself shows these. */
    static double spectrum[2 * N];
    poy_problem *problem = NULL;
    ok(poy_problem_create_fibre(ctx, grid, &fibre, &physics, &solver, length, planes, n_planes, &problem) == POY_OK,
       "a good problem");
    DATA(far, density, 4);
    check_text(poy_launch_create(ctx, problem, &pulse, 1, spectrum), POY_ERR_ARGUMENT,
               "pulse.0.file: no light inside the grid's band: the rows go from 8e+14 to 8.3e+14 Hz");
    DATA(rising, dark, 4);
    check_text(poy_launch_create(ctx, problem, &pulse, 1, spectrum), POY_ERR_ARGUMENT, "pulse.0.file: no light");
    check_text(poy_launch_create(ctx, problem, NULL, 0, spectrum), POY_ERR_ARGUMENT, "pulse: 0 given: a launch needs");
    poy_pulse_options two[2] = {pulse_of(POY_SHAPE_GAUSSIAN, 1550e-9, 1e-13, 1e-9),
                                pulse_of(POY_SHAPE_GAUSSIAN, 1550e-9, 1e-13, NAN)};
    check_text(poy_launch_create(ctx, problem, two, 2, spectrum), POY_ERR_ARGUMENT, "pulse.1.energy: missing");
    poy_problem_numbers described;
    check_text(poy_problem_describe(ctx, problem, &two[1], 0.0, &described), POY_ERR_ARGUMENT,
               "pulse.0.energy: missing");
    poy_problem_destroy(&problem);
    fresh();
#undef DATA
}

static void tell(const char *text)
{
    static double spectrum[2 * N];
    poy_problem *problem = NULL;
    const poy_status made =
        poy_problem_create_fibre(ctx, grid, &fibre, &physics, &solver, length, planes, n_planes, &problem);
    if (!ok(made == POY_OK && poy_launch_create(ctx, problem, &pulse, 1, spectrum) == POY_OK && strstr(logged, text),
            "told: %s", logged))
        note("wanted %s; %s", text, poy_ctx_cause(ctx));
    poy_problem_destroy(&problem);
    fresh();
}

static void check_warnings(void)
{
    pulse.fwhm = 0.6e-12;
    tell("pulse.0.fwhm: 6e-13 s is above an eighth of grid.window, 4e-12 s");
    pulse.gdd = 6e-26;
    tell("of its energy lies in the outer 5 % of the window: widen grid.window");
    pulse.delay = 1.9e-12;
    tell("of its energy lies in the outer 5 % of the window");
    pulse.fwhm = 20e-15;
    pulse.wavelength = 960e-9;
    tell("of the energy lies in the outer 5 % of the signal band");
    grid = limits_grid;
    pulse.fwhm = 20e-15;
    pulse.wavelength = 1000e-9;
    tell("launch: ");
    grid = limits_grid;
    pulse = pulse_of(POY_SHAPE_CW, 1550e-9, NAN, 1e-9);
    tell("pulse.0.shape: the time window of this grid cuts a constant wave off");
    static const double f[4] = {1.8e14, 1.9e14, 2e14, 2.1e14}, density[4] = {0, 1, 1, 0}, wrapped[4] = {0, 3, -3, 0};
    pulse = pulse_of(POY_SHAPE_DATA, 1550e-9, NAN, 1e-9);
    pulse.data_frequency = f;
    pulse.data_density = density;
    pulse.data_phase = wrapped;
    pulse.n_data = 4;
    fixture_forget();
    tell("pulse.0.file: row 2: the phase jumps by -6 rad");
}

int main(void)
{
    fixture_start();
    samples_grid = grid_of_samples(1550e-9, 4e-12, N);
    limits_grid = grid_of_limits(1550e-9, 1000e-9, 2500e-9, 3e-12);
    fresh();
    ok(poy_grid_get(limits_grid)->n_t <= N, "both grids fit");
    check_fibres();
    check_physics_solver();
    check_pulses();
    check_warnings();
    poy_grid_destroy(&limits_grid);
    poy_grid_destroy(&samples_grid);
    return fixture_end();
}

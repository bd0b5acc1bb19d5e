/* test_golden_columns.c: propagations of several modes, and of both polarisations of one, in gas-filled capillaries against
 * golden ones. Arguments: backend, case, rtol, limit of the relative L2 error of the field samples (0: the table's own), of
 * the energy of each column.
 *
 * Limits as in test_golden_gas.c, over the samples of all columns together; the delay of the frames is taken out of all
 * columns alike. */
#include "golden.h"
#include "poynting/guide.h"

enum { SAMPLES_MAX = 1024, COLUMNS_MAX = 4 };

typedef struct golden {
    double reference, radius, temperature, window, length, limits[2], pressure, fwhm, tolerance, dt, polarised[2];
    int real, thg, plasma, radii, n_t, n_to;
    char gas[16], mode[COLUMNS_MAX][16];
    double column[COLUMNS_MAX][4]; /* angle in pi/2, energy in J before and after, mean frequency */
    int n_column, n_sample, n_power;
    double sample[SAMPLES_MAX][4], power[SAMPLES_MAX][3];
} golden;

static int read_line(void *into, const char *line)
{
    golden *g = into;
    const golden_key keys[] = {
        {"reference", &g->reference, 1, NULL},
        {"radius", &g->radius, 1, NULL},
        {"temperature", &g->temperature, 1, NULL},
        {"window", &g->window, 1, NULL},
        {"length", &g->length, 1, NULL},
        {"limits", g->limits, 2, NULL},
        {"pressure", &g->pressure, 1, NULL},
        {"fwhm", &g->fwhm, 1, NULL},
        {"tolerance", &g->tolerance, 1, NULL},
        {"dt_s", &g->dt, 1, NULL},
        {"polarised", g->polarised, 2, NULL},
        {"real", NULL, 1, &g->real},
        {"thg", NULL, 1, &g->thg},
        {"plasma", NULL, 1, &g->plasma},
        {"radii", NULL, 1, &g->radii},
        {"N", NULL, 1, &g->n_t},
        {"N_fine", NULL, 1, &g->n_to},
        {"sample", g->sample[g->n_sample], 4, NULL},
        {"power", g->power[g->n_power], 3, NULL},
    };
    if (!strncmp(line, "gas ", 4))
        return sscanf(line, "%*s %15s", g->gas) == 1;
    if (!strncmp(line, "column ", 7)) {
        int length = 0;
        return g->n_column < COLUMNS_MAX - 1 && sscanf(line, "%*s %15s%n", g->mode[g->n_column], &length) == 1 &&
               golden_numbers(line + length, 4, g->column[g->n_column]) == 4 && ++g->n_column > 0;
    }
    const int i = golden_line(keys, sizeof keys / sizeof *keys, line);
    if (i < 0)
        return 0;
    g->n_sample += !strcmp(keys[i].key, "sample");
    g->n_power += !strcmp(keys[i].key, "power");
    return g->n_sample < SAMPLES_MAX && g->n_power < SAMPLES_MAX;
}

/* ---- the problem ---- */

/* Its modes are those of the columns, each once. */
static poy_guide *make_guide(poy_ctx *ctx, const golden *g, int modes[COLUMNS_MAX])
{
    poy_capillary_options o;
    poy_guide *guide = NULL;
    const char *names[COLUMNS_MAX], *gas = g->gas;
    int n = 0;

    for (int c = 0; c < g->n_column; c++) {
        for (modes[c] = 0; modes[c] < n && strcmp(names[modes[c]], g->mode[c]) != 0;)
            modes[c]++;
        names[modes[c]] = g->mode[c];
        n = modes[c] < n ? n : modes[c] + 1;
    }
    poy_capillary_options_init(&o);
    o.core_radius.value = g->radius;
    o.wall.name = "SiO2";
    o.wall.extrapolate = 1; /* Malitson's formula at every bin */
    o.fill.temperature = g->temperature;
    o.fill.n_gases = 1;
    o.fill.gases = &gas;
    o.fill.pressure.value = g->pressure;
    o.modes = names;
    o.n_modes = n;
    must(ctx, poy_guide_create_capillary(ctx, &o, &guide), "a capillary");
    return guide;
}

static poy_problem *make_problem(poy_ctx *ctx, const golden *g, double rtol, int modes[COLUMNS_MAX])
{
    poy_grid *grid = golden_grid(ctx, g->real, g->thg, g->reference, g->limits, g->window);
    poy_guide *guide = make_guide(ctx, g, modes);
    const double ends[2] = {0.0, g->length};
    double angles[COLUMNS_MAX];
    poy_gas_options gas;
    poy_solver_options solver;
    poy_problem *problem = NULL;

    for (int c = 0; c < g->n_column; c++)
        angles[c] = 0.5 * LAB_PI * g->column[c][0];
    poy_gas_options_init(&gas);
    gas.raman = 0;
    gas.plasma = g->plasma;
    gas.rate.model = POY_IONISATION_ADK;
    gas.rate_cache = 0;
    gas.n_columns = g->n_column;
    gas.modes = modes;
    gas.angles = angles;
    gas.radii = g->radii;
    poy_solver_options_init(&solver);
    solver.rtol = rtol;
    solver.absorber = POY_ABSORBER_NONE;
    must(ctx, poy_problem_create_guide(ctx, grid, guide, &gas, NULL, &solver, g->length, ends, 2, &problem),
         "a problem");
    poy_guide_destroy(&guide);
    poy_grid_destroy(&grid);
    return problem;
}

/* A pulse in each mode, or one that is polarised. */
static double *launch(poy_ctx *ctx, const golden *g, const poy_problem *p, const int modes[COLUMNS_MAX])
{
    poy_pulse_options pulses[COLUMNS_MAX];
    const int n = g->polarised[0] > 0.0 ? 1 : g->n_column;
    double *field = lab_field(p);
    for (int i = 0; i < n; i++) {
        poy_pulse_options_init(&pulses[i]);
        pulses[i].wavelength = g->reference;
        pulses[i].fwhm = g->fwhm;
        pulses[i].mode = modes[i];
        pulses[i].energy = g->polarised[0] > 0.0 ? g->polarised[0] : g->column[i][1];
        pulses[i].ellipticity = g->polarised[1];
    }
    must(ctx, poy_launch_create(ctx, p, pulses, n, field), "a launch");
    return field;
}

/* ---- judging ---- */

/* S at sample i; its distance from the carrier in the frame. */
static void sample_at(const golden *g, const poy_problem *p, const double *field, int i, double s[2], double *omega)
{
    const poy_grid_info *info = poy_grid_get(poy_problem_grid(p));
    golden_sample(info, field + 2 * (int64_t)g->sample[i][0] * info->n_w, g->sample[i][1], s);
    *omega = g->sample[i][1] - (g->real || g->thg ? 0.0 : info->omega0);
}

/* tau that makes ||S exp(i omega tau) - S_ref|| least, small as it is. */
static double delay_of(const golden *g, const poy_problem *p, const double *field)
{
    double up = 0.0, down = 0.0, s[2], omega = 0.0;
    for (int i = 0; i < g->n_sample; i++) {
        const double *want = g->sample[i] + 2;
        sample_at(g, p, field, i, s, &omega);
        up += omega * (want[1] * s[0] - want[0] * s[1]);
        down += omega * omega * (s[0] * s[0] + s[1] * s[1]);
    }
    return up / down;
}

static double field_error(const golden *g, const poy_problem *p, const double *field, double tau)
{
    double error = 0.0, size = 0.0, s[2], omega = 0.0;
    for (int i = 0; i < g->n_sample; i++) {
        const double *want = g->sample[i] + 2;
        sample_at(g, p, field, i, s, &omega);
        error += golden_distance2(s, tau * omega, want);
        size += want[0] * want[0] + want[1] * want[1];
    }
    return sqrt(error / size);
}

/* The energy of a column, and its mean frequency: sums over the bins, 4 dt/N |A|^2 of a real field. */
static void measure(const golden *g, const poy_problem *p, const double *field, int column, double *energy,
                    double *omega)
{
    const poy_grid *grid = poy_problem_grid(p);
    const poy_grid_info *info = poy_grid_get(grid);
    double sum = 0.0, moment = 0.0, all = 0.0;
    for (int64_t k = 0; k < info->n_w; k++) {
        const double *a = field + 2 * (column * info->n_w + k), square = a[0] * a[0] + a[1] * a[1];
        all += square;
        sum += poy_grid_mask(grid)[k] ? square : 0.0;
        moment += poy_grid_mask(grid)[k] ? square * poy_grid_omega(grid)[k] : 0.0;
    }
    *energy = (g->real ? 4.0 : 1.0) * info->dt / (double)info->n_t * all;
    *omega = moment / sum;
}

static void check_columns(const golden *g, const poy_problem *p, const double *in, const double *out, double limit)
{
    for (int c = 0; c < g->n_column; c++) {
        double launched = 0.0, energy = 0.0, omega = 0.0;
        const double *want = g->column[c];
        measure(g, p, in, c, &launched, &omega);
        measure(g, p, out, c, &energy, &omega);
        if (want[1] > 0.0)
            ok(fabs(launched / want[1] - 1.0) < 1e-12, "%s: launched %.12g J", g->mode[c], launched);
        /* of what is shared: a column that has little of it is no better known than the others */
        ok(fabs(energy / want[2] - 1.0) <= limit * fmax(1.0, g->column[0][2] / want[2]),
           "column %d, %s: energy %.12g J, error %.2e (limit %.0e)", c, g->mode[c], energy, energy / want[2] - 1.0,
           limit);
        ok(fabs(omega / want[3] - 1.0) <= limit * fmax(1.0, g->column[0][2] / want[2]),
           "its mean frequency, error %.2e", omega / want[3] - 1.0);
    }
}

int main(int argc, char **argv)
{
    static golden g;
    int modes[COLUMNS_MAX] = {0};
    if (argc != 6 || !golden_read(argv[2], read_line, &g) || !g.n_sample) {
        fprintf(stderr, "usage: test_golden_columns BACKEND CASE RTOL FIELD ENERGY\n");
        return 2;
    }
    const double rtol = strtod(argv[3], NULL), energy_limit = strtod(argv[5], NULL);
    const double field_limit = strtod(argv[4], NULL) > 0.0 ? strtod(argv[4], NULL) : g.tolerance;
    poy_ctx *ctx = lab_context();
    poy_problem *p = make_problem(ctx, &g, rtol, modes);
    double *in = launch(ctx, &g, p, modes), *out = lab_field(p);
    poy_run *run = lab_open(ctx, p, argv[1], in);
    const poy_grid_info *info = poy_grid_get(poy_problem_grid(p));
    poy_run_summary s;
    poy_observation seen;

    ok(info->n_t == g.n_t && info->n_to == g.n_to && fabs(info->dt / g.dt - 1.0) < 1e-12, "%d samples, %d fine", g.n_t,
       g.n_to);
    must(ctx, poy_run_propagate_to(ctx, run, g.length, &s), "the march");
    must(ctx, poy_run_observe(ctx, run, out, &seen), "the field");
    check_columns(&g, p, in, out, energy_limit);
    const double tau = delay_of(&g, p, out), error = field_error(&g, p, out, tau);
    ok(fabs(tau) <= 1e-12 * g.length / LAB_C + field_limit / info->omega0,
       "delay of the frames: %.1e s, %.1e of the time of flight", tau, tau * LAB_C / g.length);
    ok(error <= field_limit, "field: error %.2e (limit %.1e)", error, field_limit);
    note("%lld steps, %lld rejected", (long long)s.accepted, (long long)s.rejected);

    poy_run_destroy(&run);
    poy_problem_destroy(&p);
    free(in);
    free(out);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

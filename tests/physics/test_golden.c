/* test_golden.c: propagations in a fibre against golden ones, which another program made with another method of
 * higher order. Arguments: backend, case, rtol, limit of the relative L2 error of the field samples, of the energy,
 * accepted steps expected within 5 % (0: not known).
 *
 * Limits are those of the march's method: 1e-4 and 1e-5 at rtol 1e-6, 1e-6 and 1e-7 at rtol 1e-8;
 * 5e-3 for the field of the supercontinuum, which multiplies what it is given. Where the dispersion is that of a step in the
 * index (e25), the fibre gets the index of the mode at every bin; the frame of the other program had another beta_1, in the
 * last digits, and the delay that comes of it is taken out. */
#include "golden.h"

enum { SAMPLES_MAX = 512, BETAS_MAX = 16, INDICES_MAX = 4096 };

typedef struct golden {
    double length, reference, window, dt, domega, omega0, gamma, fraction, fwhm, t0, peak_power, energy;
    double beta[BETAS_MAX];
    double sideband_power, sideband_in, sideband_out;
    double energy_in_J, energy_J, photon_number_ratio, omega_mean_rad_s;
    int n, n_beta, shock, raman, start_full, shape, sideband_bin;
    double sample[SAMPLES_MAX][3]; /* omega, S (real, imaginary part) */
    double power[SAMPLES_MAX][2];  /* t, W */
    int n_sample, n_power;
    double radius, step, shortest, longest, frame; /* of a step-index fibre: m, n_core - n_cladding, m, m, s/m */
    double index[SAMPLES_MAX][2];                  /* omega, n_eff */
    int n_index;
} golden;

static int read_line(void *into, const char *line)
{
    golden *g = into;
    const golden_key keys[] = {
        {"length", &g->length, 1, NULL},
        {"reference", &g->reference, 1, NULL},
        {"window", &g->window, 1, NULL},
        {"dt", &g->dt, 1, NULL},
        {"domega", &g->domega, 1, NULL},
        {"omega0", &g->omega0, 1, NULL},
        {"gamma", &g->gamma, 1, NULL},
        {"fraction", &g->fraction, 1, NULL},
        {"fwhm", &g->fwhm, 1, NULL},
        {"t0", &g->t0, 1, NULL},
        {"peak_power", &g->peak_power, 1, NULL},
        {"energy", &g->energy, 1, NULL},
        {"sideband_power", &g->sideband_power, 1, NULL},
        {"sideband_in", &g->sideband_in, 1, NULL},
        {"sideband_out", &g->sideband_out, 1, NULL},
        {"energy_in_J", &g->energy_in_J, 1, NULL},
        {"energy_J", &g->energy_J, 1, NULL},
        {"photon_number_ratio", &g->photon_number_ratio, 1, NULL},
        {"omega_mean_rad_s", &g->omega_mean_rad_s, 1, NULL},
        {"radius", &g->radius, 1, NULL},
        {"step", &g->step, 1, NULL},
        {"shortest", &g->shortest, 1, NULL},
        {"longest", &g->longest, 1, NULL},
        {"frame", &g->frame, 1, NULL},
        {"beta", &g->beta[g->n_beta], 1, NULL},
        {"n", NULL, 1, &g->n},
        {"shock", NULL, 1, &g->shock},
        {"raman", NULL, 1, &g->raman},
        {"start_full", NULL, 1, &g->start_full},
        {"shape", NULL, 1, &g->shape},
        {"sideband_bin", NULL, 1, &g->sideband_bin},
        {"sample", g->sample[g->n_sample], 3, NULL},
        {"power", g->power[g->n_power], 2, NULL},
        {"index", g->index[g->n_index], 2, NULL},
    };
    const int i = golden_line(keys, sizeof keys / sizeof *keys, line);
    if (i < 0)
        return 0;
    g->n_beta += !strcmp(keys[i].key, "beta");
    g->n_sample += !strcmp(keys[i].key, "sample");
    g->n_power += !strcmp(keys[i].key, "power");
    g->n_index += !strcmp(keys[i].key, "index");
    return g->n_beta < BETAS_MAX && g->n_sample < SAMPLES_MAX && g->n_power < SAMPLES_MAX && g->n_index < SAMPLES_MAX;
}

static int read_golden(const char *name, golden *g)
{
    *g = (golden){.fwhm = (double)NAN, .t0 = (double)NAN, .peak_power = (double)NAN, .energy = (double)NAN};
    g->fraction = (double)NAN;
    return golden_read(name, read_line, g);
}

static lab set_up(const golden *g, double rtol)
{
    lab l = lab_make(g->reference, g->window, g->n, g->length);
    l.fibre.gamma = g->gamma;
    l.fibre.beta = g->beta;
    l.fibre.n_beta = g->n_beta;
    l.physics.shock = g->shock;
    l.physics.raman = (poy_raman_model)g->raman;
    l.physics.raman_fraction = g->fraction;
    l.physics.raman_start_full = g->start_full;
    l.solver.rtol = rtol;
    l.pulse.shape = (poy_shape)g->shape;
    l.pulse.fwhm = g->fwhm;
    l.pulse.t0 = g->t0;
    l.pulse.peak_power = g->peak_power;
    l.pulse.energy = g->energy;
    if (g->sideband_bin) {
        l.pulse.sideband_offset = g->sideband_bin / g->window;
        l.pulse.sideband_power = g->sideband_power;
    }
    return l;
}

/* ---- a step in the index ---- */

static double index_at(poy_ctx *ctx, const poy_guide *guide, double omega)
{
    double n[2] = {0.0, 0.0};
    must(ctx, poy_guide_index(ctx, guide, 0, 0.0, omega, 0, n), "an index");
    return 1.0 + n[0];
}

/* Gives the fibre the index of HE11 at the bins of the band and one more on each side; returns the delay: (the other beta_1 -
 * ours) times the length. table: two times INDICES_MAX numbers that outlive the fibre's options. */
static double set_index(poy_ctx *ctx, const golden *g, lab *l, double *table)
{
    poy_step_index_options o;
    poy_guide *guide = NULL;
    double beta[2], worst = 0.0, *wavelength = table, *index = table + INDICES_MAX;
    const double low = LAB_PI * LAB_C / g->longest, high = 1.1 * 2.0 * LAB_PI * LAB_C / g->shortest;
    int n = 0;

    poy_step_index_options_init(&o);
    o.core_radius.value = g->radius;
    o.core.name = o.cladding.name = "SiO2";
    o.core.extrapolate = o.cladding.extrapolate = 1;
    o.core.offset = g->step;
    must(ctx, poy_guide_create_step_index(ctx, &o, &guide), "a step-index fibre");
    for (int i = 0; i < g->n_index; i++)
        worst = fmax(worst, fabs(index_at(ctx, guide, g->index[i][0]) - g->index[i][1]));
    ok(worst <= 1e-12, "n_eff of HE11 at %d frequencies: %.1e", g->n_index, worst);
    for (int64_t k = (int64_t)ceil((high - g->omega0) / g->domega); n < INDICES_MAX; k--) {
        const double omega = g->omega0 + (double)k * g->domega;
        wavelength[n] = 2.0 * LAB_PI * LAB_C / omega;
        index[n++] = index_at(ctx, guide, omega);
        if (omega <= low)
            break;
    }
    must(ctx, poy_guide_beta(ctx, guide, 0, 0.0, g->omega0, 1, beta), "beta");
    poy_guide_destroy(&guide);
    ok(golden_agrees(beta[1], g->frame, 1e-12), "beta_1 %.15g s/m, the other's %.15g", beta[1], g->frame);
    l->fibre.index_wavelength = wavelength;
    l->fibre.index_n = index;
    l->fibre.n_index = n;
    l->grid.samples = 0;
    l->grid.wavelength_min = g->shortest;
    l->grid.wavelength_max = g->longest;
    l->solver.absorber = POY_ABSORBER_NONE;
    return (g->frame - beta[1]) * g->length;
}

static void check_grid(const golden *g, const poy_problem *p)
{
    const poy_grid_info *info = poy_grid_get(poy_problem_grid(p));
    ok(info->n_t == g->n && info->n_to == g->n, "%d samples, coarse and fine", g->n);
    ok(golden_agrees(info->dt, g->dt, 1e-12) && golden_agrees(info->domega, g->domega, 1e-12) &&
           golden_agrees(info->omega0, g->omega0, 1e-12),
       "dt, domega and omega0 to 1e-12");
}

/* ||S - S_ref|| / ||S_ref|| over the samples, without the delay tau; S = A dt / sqrt(2 pi). */
static double field_error(const golden *g, const poy_problem *p, const double *spectrum, double tau)
{
    const poy_grid_info *info = poy_grid_get(poy_problem_grid(p));
    double error = 0.0, size = 0.0, s[2];
    for (int i = 0; i < g->n_sample; i++) {
        golden_sample(info, spectrum, g->sample[i][0], s);
        error += golden_distance2(s, tau * (g->sample[i][0] - info->omega0), g->sample[i] + 1);
        size += pow(g->sample[i][1], 2.0) + pow(g->sample[i][2], 2.0);
    }
    return sqrt(error / size);
}

/* The same of the power, which has neither phase nor frame. */
static double power_error(const golden *g, const poy_problem *p, const double *spectrum)
{
    const poy_grid_info *info = poy_grid_get(poy_problem_grid(p));
    double *field = lab_field(p), error = 0.0, size = 0.0;
    lab_to_time(spectrum, field, info->n_t);
    for (int i = 0; i < g->n_power; i++) {
        const double *a = field + 2 * (llround(g->power[i][0] / info->dt) + info->n_t / 2);
        error += pow(a[0] * a[0] + a[1] * a[1] - g->power[i][1], 2.0);
        size += pow(g->power[i][1], 2.0);
    }
    free(field);
    return sqrt(error / size);
}

static double sideband(const double *a, int bin)
{
    return hypot(a[2 * bin], a[2 * bin + 1]) / hypot(a[0], a[1]);
}

int main(int argc, char **argv)
{
    static golden g;
    static double table[2 * INDICES_MAX];
    if (argc != 7 || !read_golden(argv[2], &g)) {
        fprintf(stderr, "usage: test_golden BACKEND CASE RTOL FIELD ENERGY STEPS\n");
        return 2;
    }
    const char *backend = argv[1];
    double rtol = strtod(argv[3], NULL), field_limit = strtod(argv[4], NULL), energy_limit = strtod(argv[5], NULL);
    double steps = strtod(argv[6], NULL);
    poy_ctx *ctx = lab_context();
    lab l = set_up(&g, rtol);
    const double tau = g.radius > 0.0 ? set_index(ctx, &g, &l, table) : 0.0;
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p);
    poy_run *run = lab_open(ctx, p, backend, in);
    poy_run_summary s;
    poy_observation seen;

    check_grid(&g, p);
    double energy_in = golden_statistic(ctx, run, "energy"), photons_in = golden_statistic(ctx, run, "photon_number");
    ok(golden_agrees(energy_in, g.energy_in_J, 1e-12), "launched: %.15g J, error %.1e", energy_in,
       energy_in / g.energy_in_J - 1.0);
    must(ctx, poy_run_propagate_to(ctx, run, g.length, &s), "the march");
    must(ctx, poy_run_observe(ctx, run, out, &seen), "the field");

    double energy = golden_statistic(ctx, run, "energy"),
           photons = golden_statistic(ctx, run, "photon_number") / photons_in;
    double omega = golden_statistic(ctx, run, "omega_mean");
    ok(golden_agrees(energy, g.energy_J, energy_limit), "energy %.12g J, error %.2e (limit %.0e)", energy,
       energy / g.energy_J - 1.0, energy_limit);
    ok(fabs(photons - g.photon_number_ratio) <= energy_limit, "photons kept: %.12g, error %.2e", photons,
       photons - g.photon_number_ratio);
    ok(golden_agrees(omega, g.omega_mean_rad_s, energy_limit), "mean frequency, error %.2e",
       omega / g.omega_mean_rad_s - 1.0);
    if (g.n_sample) {
        double error = field_error(&g, p, out, tau), error_power = power_error(&g, p, out);
        ok(error <= field_limit, "field: error %.2e (limit %.0e)", error, field_limit);
        ok(error_power <= field_limit, "power: error %.2e", error_power);
    }
    if (g.sideband_bin) {
        double before = sideband(in, g.sideband_bin), after = sideband(out, g.sideband_bin);
        ok(golden_agrees(before, g.sideband_in, 1e-9), "sideband launched: %.10g, error %.1e", before,
           before / g.sideband_in - 1.0);
        ok(golden_agrees(after, g.sideband_out, field_limit), "sideband grown: %.10g, error %.2e", after,
           after / g.sideband_out - 1.0);
    }
    note("%lld steps, %lld rejected", (long long)s.accepted, (long long)s.rejected);
    if (steps > 0.0)
        ok(golden_agrees((double)s.accepted, steps, 0.05), "%lld steps, expected %g within 5 %%", (long long)s.accepted,
           steps);

    poy_run_destroy(&run);
    poy_problem_destroy(&p);
    free(in);
    free(out);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

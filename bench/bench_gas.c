/* bench_gas.c: what a plasma adds to a Kerr stage of a real field on 2^13 samples, for a pulse of a tenth of the window; the
 * march of a dispersive wave in helium (3 m, 10 fs, 120 uJ, rtol 1e-6, without set-up), which
 * bench/peers/dispersive_wave.py compares with NumPy; and what statistics after every step add to it, and to one of four
 * modes. Processor time of one thread; what is compared runs in turns.
 * bench_gas [backend] [rounds] [march]: with march only the seconds of that are printed. */
#define _GNU_SOURCE /* getloadavg */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "poynting/poynting.h"
#include "poynting/run.h"

static poy_ctx *ctx;

static void must(poy_status status)
{
    if (status != POY_OK) {
        fprintf(stderr, "%s\n", poy_ctx_message(ctx));
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The first modes of a capillary of 125 um with 1 bar of helium; one is averaged. */
static poy_problem *make_problem(int modes, int plasma, double length)
{
    static const char *const helium[] = {"He"};
    static const int numbers[] = {0, 1, 2, 3};
    const double planes[2] = {0.0, length};
    poy_grid_options grid_options;
    poy_capillary_options capillary;
    poy_gas_options gas;
    poy_solver_options solver;
    poy_grid *grid = NULL;
    poy_guide *guide = NULL;
    poy_problem *problem = NULL;

    poy_grid_options_init(&grid_options);
    grid_options.field = POY_FIELD_REAL;
    grid_options.thg = 1;
    grid_options.reference = 800e-9;
    grid_options.wavelength_min = 160e-9;
    grid_options.wavelength_max = 3e-6;
    grid_options.window = 400e-15;
    must(poy_grid_create(ctx, &grid_options, &grid));
    poy_capillary_options_init(&capillary);
    capillary.core_radius.value = 125e-6;
    capillary.fill.n_gases = 1;
    capillary.fill.gases = helium;
    capillary.fill.pressure.value = 1e5;
    capillary.n_modes = modes;
    must(poy_guide_create_capillary(ctx, &capillary, &guide));
    poy_gas_options_init(&gas);
    gas.plasma = plasma;
    gas.n_columns = modes;
    gas.modes = numbers;
    gas.rate.model = POY_IONISATION_ADK;
    poy_solver_options_init(&solver);
    solver.rtol = 1e-6;
    solver.absorber = POY_ABSORBER_NONE;
    must(poy_problem_create_guide(ctx, grid, guide, &gas, NULL, &solver, length, planes, 2, &problem));
    poy_guide_destroy(&guide);
    poy_grid_destroy(&grid);
    return problem;
}

static double *launch(const poy_problem *problem, double fwhm, double energy)
{
    poy_pulse_options pulse;
    const int64_t size = poy_grid_get(poy_problem_grid(problem))->n_w * poy_problem_columns(problem);
    double *field = malloc((size_t)size * 2 * sizeof *field);
    if (!field)
        exit(1);
    poy_pulse_options_init(&pulse);
    pulse.wavelength = 800e-9;
    pulse.fwhm = fwhm;
    pulse.energy = energy;
    must(poy_launch_create(ctx, problem, &pulse, 1, field));
    return field;
}

/* Stages with and without the plasma, in turns: the least of each, and the median of the ratios of a round. */
static void compare_stages(const char *backend, int rounds)
{
    enum { STAGES = 50, ROUNDS_MAX = 1000 };
    static double ratios[ROUNDS_MAX];
    poy_problem *problem[2] = {make_problem(1, 0, 1.0), make_problem(1, 1, 1.0)};
    const poy_grid_info *g = poy_grid_get(poy_problem_grid(problem[1]));
    double *field = launch(problem[1], 0.1 * g->window, 4e-3), *out = malloc((size_t)g->n_w * 2 * sizeof *out);
    double least[2] = {INFINITY, INFINITY}, load = -1.0;
    poy_run *run[2] = {NULL, NULL};

    rounds = rounds < ROUNDS_MAX ? rounds : ROUNDS_MAX;
    if (!out)
        exit(1);
    for (int i = 0; i < 2; i++) {
        must(poy_run_open(ctx, problem[i], backend, &run[i]));
        must(poy_run_set_initial(ctx, run[i], field, NULL, 0.0, NULL));
        must(poy_run_source(ctx, run[i], field, out));
    }
    for (int k = 0; k < rounds; k++) {
        double took[2];
        for (int i = 0; i < 2; i++) {
            const double start = now();
            for (int j = 0; j < STAGES; j++)
                must(poy_run_source(ctx, run[i], field, out));
            took[i] = (now() - start) / STAGES;
            least[i] = took[i] < least[i] ? took[i] : least[i];
        }
        int at = k; /* sorted as they come */
        for (; at > 0 && ratios[at - 1] > took[1] / took[0]; at--)
            ratios[at] = ratios[at - 1];
        ratios[at] = took[1] / took[0];
    }
    if (getloadavg(&load, 1) != 1)
        load = -1.0;
    printf("%s, one thread, %lld samples: Kerr stage %.1f us, with plasma %.1f us: the plasma adds %.0f %% (median "
           "%.0f %%; "
           "at most 60 %%), load %.1f\n",
           backend, (long long)g->n_to, 1e6 * least[0], 1e6 * least[1], 100 * (least[1] / least[0] - 1),
           100 * (ratios[rounds / 2] - 1), load);
    for (int i = 0; i < 2; i++) {
        poy_run_destroy(&run[i]);
        poy_problem_destroy(&problem[i]);
    }
    free(field);
    free(out);
}

/* stats: after every step, n of them. */
static double march(const char *backend, int modes, double length, const char *const *stats, int n,
                    poy_run_summary *summary)
{
    poy_problem *problem = make_problem(modes, 1, length);
    double *field = launch(problem, 10e-15, 120e-6);
    poy_run *run = NULL;
    must(poy_run_open(ctx, problem, backend, &run));
    must(poy_run_set_initial(ctx, run, field, NULL, 0.0, NULL));
    must(poy_run_select_stats(ctx, run, stats, n, 1));
    const double start = now();
    must(poy_run_propagate_to(ctx, run, length, summary));
    const double took = now() - start;
    poy_run_destroy(&run);
    poy_problem_destroy(&problem);
    free(field);
    return took;
}

/* What statistics after every step add to the march, by kinds of cost; in turns with a march without. */
static void compare_statistics(const char *backend, int modes, double length, int rounds)
{
    static const char *const all[] = {"energy",    "photon_number",  "omega_mean",       "energy_per_mode",
                                      "density",   "pressure",       "core_radius",      "fwhm_r",
                                      "zdw",       "peak_power",     "fwhm_t",           "fwhm_t_max",
                                      "peak_time", "peak_intensity", "electron_density", "peak_rate"};
    static const struct {
        const char *name;
        int n; /* the first of them */
    } kinds[] = {{"none", 0}, {"of the spectrum and the guide", 9}, {"and in time", 14}, {"and of the ionisation", 16}};
    double least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    poy_run_summary summary;
    for (int k = 0; k < rounds; k++)
        for (int i = 0; i < 4; i++)
            least[i] = fmin(least[i], march(backend, modes, length, all, kinds[i].n, &summary));
    for (int i = 1; i < 4; i++)
        printf("%s, %d mode%s: statistics after every step, %s: %.1f %% of a step (at most 10 %%)\n", backend, modes,
               modes > 1 ? "s" : "", kinds[i].name, 100 * (least[i] / least[0] - 1));
}

int main(int argc, char **argv)
{
    const char *backend = argc > 1 ? argv[1] : "cpu";
    const int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 40, only = argc > 3 && !strcmp(argv[3], "march");
    poy_run_summary summary = {0};
    double least = INFINITY;
    if (poy_ctx_create(&ctx) != POY_OK || rounds < 1)
        return 1;
    poy_ctx_set_threads(ctx, 1);
    if (only) {
        printf("%.6f\n", march(backend, 1, 3.0, NULL, 0, &summary));
    } else {
        compare_stages(backend, rounds);
        for (int i = 0; i < 5; i++)
            least = fmin(least, march(backend, 1, 3.0, NULL, 0, &summary));
        printf("%s, one thread: a dispersive wave over 3 m, rtol 1e-6: %lld steps, %.3f s\n", backend,
               (long long)summary.accepted, least);
        compare_statistics(backend, 1, 3.0, rounds);
        compare_statistics(backend, 4, 0.15, rounds < 8 ? rounds : 8);
    }
    poy_ctx_destroy(&ctx);
    return 0;
}

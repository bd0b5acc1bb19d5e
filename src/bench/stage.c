/* stage.c: how long the stages of a fibre take, against their Fourier transforms. */
#define _GNU_SOURCE /* getloadavg */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/core.h"
#include "ops/ops.h"
#include "poynting/bench.h"
#include "pulse/geometry/geometry.h"

enum { ROUNDS_MIN = 5, ROUNDS_MAX = 4000 };

typedef struct bench {
    poy_problem *problem;
    poy_backend *be;
    poyi_stage_program sp;
    double *scalars, *field;
    int first, n_stages;              /* rows of the six stages in the trial */
    int transforms[64], n_transforms; /* rows among them */
    double *ratios;
} bench;

/* ---- the work ---- */

static poy_status make_problem(poy_ctx *ctx, int64_t samples, int raman, poy_problem **out)
{
    static const double beta[] = {-11.83e-27, 8.1038e-41, -9.5205e-56, 2.0737e-70, -5.3943e-85};
    const double planes[] = {0.0, 0.15};
    poy_grid_options grid_options;
    poy_fibre_options fibre;
    poy_physics_options physics;
    poy_solver_options solver;
    poy_grid *grid = NULL;

    poy_grid_options_init(&grid_options);
    grid_options.reference = 835e-9;
    grid_options.samples = samples;
    grid_options.window = 12.5e-12 / 16384.0 * (double)samples;
    poy_fibre_options_init(&fibre);
    fibre.gamma = 0.11;
    fibre.beta = beta;
    fibre.n_beta = (int)(sizeof beta / sizeof *beta);
    poy_physics_options_init(&physics);
    physics.raman = raman ? POY_RAMAN_BLOW_WOOD : POY_RAMAN_OFF;
    poy_solver_options_init(&solver);
    POYI_TRY(ctx, poy_grid_create(ctx, &grid_options, &grid));
    poy_status status = poy_problem_create_fibre(ctx, grid, &fibre, &physics, &solver, planes[1], planes, 2, out);
    poy_grid_destroy(&grid);
    return status;
}

static void find_rows(bench *b)
{
    const poyi_program *p = b->sp.program;
    const int n = poyi_program_rows(p, b->sp.seg_trial);
    b->first = 1; /* after propagators */
    b->n_stages = n - 2;
    for (int i = 0; i < n; i++)
        if (!strcmp(poyi_program_row_name(p, b->sp.seg_trial, i), "fft"))
            b->transforms[b->n_transforms++] = i;
}

static poy_status open_bench(poy_ctx *ctx, bench *b, const char *backend, int64_t samples, int raman)
{
    poy_pulse_options pulse;

    POYI_TRY(ctx, make_problem(ctx, samples, raman, &b->problem));
    POYI_TRY(ctx, poy_backend_open(ctx, backend, &b->be));
    POYI_TRY(ctx, poyi_modal_build(ctx, b->problem, &b->sp));
    POYI_TRY(ctx, poyi_stage_bind(ctx, &b->sp, b->problem, b->be));
    find_rows(b);
    b->scalars = calloc((size_t)b->sp.n_scalars, sizeof *b->scalars);
    b->ratios = calloc(ROUNDS_MAX, sizeof *b->ratios);
    if (!b->scalars || !b->ratios)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the benchmark");
    POYI_TRY(ctx, poyi_alloc(ctx, "bench.field", (size_t)samples * 2 * sizeof(double), (void **)&b->field));
    poy_pulse_options_init(&pulse);
    pulse.shape = POY_SHAPE_SECH2;
    pulse.wavelength = 835e-9;
    pulse.peak_power = 1e4;
    pulse.fwhm = 50e-15;
    POYI_TRY(ctx, poy_launch_create(ctx, b->problem, &pulse, 1, b->field));
    POYI_TRY(ctx, poyi_program_write(ctx, b->sp.program, b->sp.slot_u, b->field));
    poyi_stage_translate(&b->sp, b->problem, 1e-5, b->scalars);
    POYI_TRY(ctx, poyi_program_run(ctx, b->sp.program, b->sp.seg_first, b->scalars));
    return POY_OK;
}

static void close_bench(bench *b)
{
    poyi_free((void **)&b->field);
    free(b->scalars);
    free(b->ratios);
    poyi_stage_fini(&b->sp);
    poy_backend_close(&b->be);
    poy_problem_destroy(&b->problem);
}

/* ---- a round ---- */

static poy_status run_rows(poy_ctx *ctx, bench *b, int first, int n)
{
    return poyi_program_run_rows(ctx, b->sp.program, b->sp.seg_trial, first, n, b->scalars);
}

static void keep_least(double *least, double value)
{
    if (value < *least)
        *least = value;
}

/* All that is compared, one after the other. */
static poy_status run_round(poy_ctx *ctx, bench *b, poy_bench_stage_result *r)
{
    const double t0 = poyi_seconds();
    POYI_TRY(ctx, run_rows(ctx, b, b->first, b->n_stages));
    const double t1 = poyi_seconds();
    for (int i = 0; i < b->n_transforms; i++)
        POYI_TRY(ctx, run_rows(ctx, b, b->transforms[i], 1));
    const double t2 = poyi_seconds();
    POYI_TRY(ctx, run_rows(ctx, b, 0, 1));
    const double t3 = poyi_seconds();
    POYI_TRY(ctx, run_rows(ctx, b, b->first + b->n_stages, 1));
    const double t4 = poyi_seconds();
    POYI_TRY(ctx, poyi_program_run(ctx, b->sp.program, b->sp.seg_trial, b->scalars));
    POYI_TRY(ctx, poyi_program_run(ctx, b->sp.program, b->sp.seg_advance, b->scalars));
    const double t5 = poyi_seconds();

    keep_least(&r->stages, t1 - t0);
    keep_least(&r->transforms, t2 - t1);
    keep_least(&r->propagators, t3 - t2);
    keep_least(&r->accept, t4 - t3);
    keep_least(&r->step, t5 - t4);
    b->ratios[r->rounds++] = (t1 - t0) / (t2 - t1);
    return POY_OK;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static poy_status measure(poy_ctx *ctx, bench *b, const char *backend, int64_t samples, int raman, double seconds,
                          poy_bench_stage_result *r)
{
    POYI_TRY(ctx, open_bench(ctx, b, backend, samples, raman));
    const double end = poyi_seconds() + seconds;
    while (r->rounds < ROUNDS_MIN || (poyi_seconds() < end && r->rounds < ROUNDS_MAX))
        POYI_TRY(ctx, run_round(ctx, b, r));
    qsort(b->ratios, (size_t)r->rounds, sizeof *b->ratios, by_value);
    r->ratio = r->stages / r->transforms;
    r->ratio_median = b->ratios[r->rounds / 2];
    return POY_OK;
}

poy_status poy_bench_stage(poy_ctx *ctx, const char *backend, int64_t samples, int raman, double seconds,
                           poy_bench_stage_result *out)
{
    bench b = {0};
    const int threads = poy_ctx_threads(ctx);

    *out = (poy_bench_stage_result){.samples = samples,
                                    .raman = raman != 0,
                                    .stages = INFINITY,
                                    .transforms = INFINITY,
                                    .propagators = INFINITY,
                                    .accept = INFINITY,
                                    .step = INFINITY,
                                    .load = -1.0};
    poy_ctx_set_threads(ctx, 1);
    poy_status status = measure(ctx, &b, backend, samples, raman, seconds, out);
    poy_ctx_set_threads(ctx, threads);
    if (getloadavg(&out->load, 1) != 1)
        out->load = -1.0;
    close_bench(&b);
    return status;
}

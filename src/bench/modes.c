/* modes.c: where the time of stages in several modes goes: transforms, responses, the rest; and beside them the matrix
 * products that lead to the points of the cross-section and back, which stages need that cannot use sums over them. */
#define _GNU_SOURCE /* getloadavg */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/core.h"
#include "ops/ops.h"
#include "poynting/bench.h"
#include "pulse/geometry/geometry.h"

enum { ROUNDS_MIN = 5, ROUNDS_MAX = 4000, MODES_MAX = 16, ROWS_MAX = 8192, STAGES = 6 };
enum { TRANSFORMS, RESPONSE, IONISATION, REST, KINDS };

typedef struct bench {
    poy_problem *problem;
    poy_backend *be;
    poyi_stage_program sp;
    double *scalars, *field;
    int n; /* rows of the trial: the first makes propagators, the last accepts */
    int kind[ROWS_MAX];
    poyi_program *products;
} bench;

/* ---- the work ---- */

static poy_status make_guide(poy_ctx *ctx, int modes, poy_guide **out)
{
    static const char *const gas = "He";
    poy_capillary_options o;
    poy_capillary_options_init(&o);
    o.core_radius.value = 125e-6;
    o.wall.name = "SiO2";
    o.wall.extrapolate = 1;
    o.fill.n_gases = 1;
    o.fill.gases = &gas;
    o.fill.pressure.value = 1e5;
    o.n_modes = modes;
    return poy_guide_create_capillary(ctx, &o, out);
}

static poy_status make_problem(poy_ctx *ctx, int modes, int plasma, poy_problem **out)
{
    const double planes[] = {0.0, 3.0};
    int numbers[MODES_MAX];
    poy_grid_options grid_options;
    poy_gas_options gas;
    poy_solver_options solver;
    poy_grid *grid = NULL;
    poy_guide *guide = NULL;
    poy_status status;

    for (int i = 0; i < modes; i++)
        numbers[i] = i;
    poy_grid_options_init(&grid_options);
    grid_options.field = POY_FIELD_REAL;
    grid_options.thg = 1;
    grid_options.reference = 800e-9;
    grid_options.wavelength_min = 160e-9;
    grid_options.wavelength_max = 3e-6;
    grid_options.window = 400e-15;
    poy_gas_options_init(&gas);
    gas.n_columns = modes;
    gas.modes = numbers;
    gas.averaged = 0;
    gas.raman = 0;

    gas.plasma = plasma;
    gas.rate.model = POY_IONISATION_ADK;
    poy_solver_options_init(&solver);
    solver.absorber = POY_ABSORBER_NONE;
    POYI_TO_DONE(ctx, poy_grid_create(ctx, &grid_options, &grid));
    POYI_TO_DONE(ctx, make_guide(ctx, modes, &guide));
    POYI_TO_DONE(ctx, poy_problem_create_guide(ctx, grid, guide, &gas, NULL, &solver, 3.0, planes, 2, out));
done:
    poy_guide_destroy(&guide);
    poy_grid_destroy(&grid);
    return status;
}

static int kind_of(const bench *b, int row)
{
    static const char *const names[REST] = {"fft", "cube", "ionise"};
    for (int kind = 0; kind < REST; kind++)
        if (!strcmp(poyi_program_row_name(b->sp.program, b->sp.seg_trial, row), names[kind]))
            return kind;
    return REST;
}

/* Synthesis and projection of six stages, the last one's by two rules, of so many points at a time as elsewhere. */
static poy_status make_products(poy_ctx *ctx, bench *b)
{
    const poy_problem *q = b->problem;
    const int64_t n_c = q->n_c, points = q->n_nodes, some = q->n_chunk;
    int A, X, P[2], S, Q, segment;

    POYI_TRY(ctx, poyi_program_create(ctx, "products", &b->products));
    POYI_TRY(ctx, poyi_program_slot(ctx, b->products, "bench.A", POY_F64, n_c, q->n_to, &A));
    POYI_TRY(ctx, poyi_program_slot(ctx, b->products, "bench.X", POY_F64, some, q->n_to, &X));
    POYI_TRY(ctx, poyi_program_slot(ctx, b->products, "bench.P", POY_F64, 2 * n_c, q->n_to, &P[1]));
    POYI_TRY(ctx, poyi_program_window(ctx, b->products, P[1], 0, n_c, &P[0]));
    POYI_TRY(ctx, poyi_program_slot(ctx, b->products, "bench.S", POY_F64, points, n_c, &S));
    POYI_TRY(ctx, poyi_program_slot(ctx, b->products, "bench.Q", POY_F64, points, 2 * n_c, &Q));
    POYI_TRY(ctx, poyi_program_segment(ctx, b->products, "products", &segment));
    for (int stage = 0; stage < STAGES; stage++)
        for (int64_t i = 0; i < points; i += some) {
            const int64_t n = points - i < some ? points - i : some;
            const poy_row_matmul to = {0}, from = {.transposed = 1, .accumulate = i > 0};
            int part, s, w;
            POYI_TRY(ctx, poyi_program_window(ctx, b->products, X, 0, n, &part));
            POYI_TRY(ctx, poyi_program_window(ctx, b->products, S, i, n, &s));
            POYI_TRY(ctx, poyi_program_window(ctx, b->products, Q, i, n, &w));
            const int synthesis[] = {part, A, s}, projection[] = {P[stage == STAGES - 1], part, w};
            POYI_TRY(ctx, poyi_program_row(ctx, b->products, "matmul", 3, synthesis, &to, sizeof to, 0, 0));
            POYI_TRY(ctx, poyi_program_row(ctx, b->products, "matmul", 3, projection, &from, sizeof from, 0, 0));
        }
    return poyi_program_bind(ctx, b->products, b->be);
}

static poy_status open_bench(poy_ctx *ctx, bench *b, const char *backend, int modes, int plasma)
{
    poy_pulse_options pulse;

    POYI_TRY(ctx, make_problem(ctx, modes, plasma, &b->problem));
    POYI_TRY(ctx, poy_backend_open(ctx, backend, &b->be));
    POYI_TRY(ctx, poyi_modal_build(ctx, b->problem, &b->sp));
    POYI_TRY(ctx, poyi_stage_bind(ctx, &b->sp, b->problem, b->be));
    POYI_TRY(ctx, make_products(ctx, b));
    b->n = poyi_program_rows(b->sp.program, b->sp.seg_trial);
    if (b->n > ROWS_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "bench: %d rows: at most %d", b->n, ROWS_MAX);
    for (int i = 0; i < b->n; i++)
        b->kind[i] = kind_of(b, i);
    const size_t size = (size_t)(b->problem->n_c * b->problem->n_w);
    POYI_TRY(ctx, poyi_alloc(ctx, "bench.field", size * 2 * sizeof(double), (void **)&b->field));
    POYI_TRY(ctx,
             poyi_alloc_zero(ctx, "bench.scalars", (size_t)b->sp.n_scalars * sizeof(double), (void **)&b->scalars));
    poy_pulse_options_init(&pulse);
    pulse.wavelength = 800e-9;
    pulse.energy = 120e-6;
    pulse.fwhm = 10e-15;
    POYI_TRY(ctx, poy_launch_create(ctx, b->problem, &pulse, 1, b->field));
    POYI_TRY(ctx, poyi_program_write(ctx, b->sp.program, b->sp.slot_u, b->field));
    poyi_stage_translate(&b->sp, b->problem, 1e-3, b->scalars);
    POYI_TRY(ctx, poyi_program_run(ctx, b->sp.program, b->sp.seg_first, b->scalars));
    POYI_TRY(ctx, poyi_program_run(ctx, b->sp.program, b->sp.seg_trial, b->scalars));
    return POY_OK;
}

static void close_bench(bench *b)
{
    poyi_free((void **)&b->field);
    poyi_free((void **)&b->scalars);
    poyi_program_destroy(&b->products);
    poyi_stage_fini(&b->sp);
    poy_backend_close(&b->be);
    poy_problem_destroy(&b->problem);
}

/* ---- a round ---- */

/* All stages; then row by row in their order, so that each finds what it would find there. */
static poy_status run_round(poy_ctx *ctx, bench *b, double least[KINDS], poy_bench_modes_result *r)
{
    double took[KINDS] = {0}, start = poyi_cpu_seconds();
    POYI_TRY(ctx, poyi_program_run_rows(ctx, b->sp.program, b->sp.seg_trial, 1, b->n - 2, b->scalars));
    r->stages = fmin(r->stages, poyi_cpu_seconds() - start);
    start = poyi_cpu_seconds();
    POYI_TRY(ctx, poyi_program_run(ctx, b->products, 0, NULL));
    r->products = fmin(r->products, poyi_cpu_seconds() - start);
    for (int i = 1; i < b->n - 1; i++) {
        const double begin = poyi_cpu_seconds();
        POYI_TRY(ctx, poyi_program_run_rows(ctx, b->sp.program, b->sp.seg_trial, i, 1, b->scalars));
        took[b->kind[i]] += poyi_cpu_seconds() - begin;
    }
    for (int kind = 0; kind < KINDS; kind++)
        least[kind] = fmin(least[kind], took[kind]);
    return POY_OK;
}

static poy_status measure(poy_ctx *ctx, bench *b, const char *backend, int modes, int plasma, double seconds,
                          poy_bench_modes_result *r)
{
    double least[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        least[kind] = (double)INFINITY;
    POYI_TRY(ctx, open_bench(ctx, b, backend, modes, plasma));
    const double end = poyi_cpu_seconds() + seconds;
    r->stages = r->products = (double)INFINITY;
    while (r->rounds < ROUNDS_MIN || (poyi_cpu_seconds() < end && r->rounds < ROUNDS_MAX)) {
        POYI_TRY(ctx, run_round(ctx, b, least, r));
        r->rounds++;
    }
    r->points = (int)b->problem->n_nodes;
    r->samples = b->problem->n_to;
    r->transforms = least[TRANSFORMS];
    r->response = least[RESPONSE];
    r->ionisation = least[IONISATION];
    r->rest = least[REST];
    r->ratio = r->stages / (r->transforms + r->products);
    return POY_OK;
}

poy_status poy_bench_modes(poy_ctx *ctx, const char *backend, int modes, int plasma, double seconds,
                           poy_bench_modes_result *out)
{
    bench b = {0};
    const int threads = poy_ctx_threads(ctx);

    *out = (poy_bench_modes_result){.modes = modes, .plasma = plasma != 0, .load = -1.0};
    if (modes < 1 || modes > MODES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "bench: %d modes: 1 to %d", modes, MODES_MAX);
    poy_ctx_set_threads(ctx, 1);
    poy_status status = measure(ctx, &b, backend, modes, plasma != 0, seconds, out);
    poy_ctx_set_threads(ctx, threads);
    if (getloadavg(&out->load, 1) != 1)
        out->load = -1.0;
    close_bench(&b);
    return status;
}

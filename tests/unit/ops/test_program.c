/* test_program.c: recording, refusals, the estimate against the ledger, delegation and failing rows of third parties. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/ops.h"
#include "ops/program.h"
#include "poynting/conform_rows.h"
#include "poynting/pulse_rows.h"
#include "pulse/geometry/geometry.h"
#include "unit/pulse/fibre_fixture.h"

static const poy_row_drive single = {.pol = 1};

enum { N = 12, COLUMNS = 2 };

static int says(poy_status got, poy_status want, const char *text)
{
    const int right = got == want && strstr(poy_ctx_message(ctx), text);
    if (!right)
        note("%s: %s", poy_status_name(got), poy_ctx_message(ctx));
    return right;
}

/* ---- a backend of a third party: host or device memory, a few rows ---- */

static int opened, rows_wanted; /* how many of its rows it shows */

static poy_status open_mine(poy_ctx *c, const char *settings, void **be)
{
    (void)c, (void)settings;
    *be = &opened;
    return POY_OK;
}

static void close_mine(void *be)
{
    (void)be;
}

/* A failure without a word. */
static poy_status run_bad(poy_ctx *c, const poy_step *step, void *be, const double *scalars)
{
    (void)c, (void)step, (void)be, (void)scalars;
    return POY_ERR_DEVICE;
}

static poy_status prepare_bad(poy_ctx *c, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                              size_t *work_bytes)
{
    (void)c, (void)be, (void)spec, (void)work;
    step->run = run_bad;
    *work_bytes = 100; /* of which the arena takes 128 */
    return POY_OK;
}

/* No variant: the reference has to. */
static poy_status prepare_none(poy_ctx *c, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                               size_t *work_bytes)
{
    (void)c, (void)be, (void)spec, (void)work;
    step->run = NULL;
    *work_bytes = 0;
    return POY_OK;
}

/* I = |A|^2, but twice where the element's number is 5. */
static poy_status run_wrong(poy_ctx *c, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_spec *spec = step->plan;
    double *intensity = (double *)(void *)((unsigned char *)step->buf[0].mem + step->buf[0].offset);
    const double *a = (const double *)(const void *)((unsigned char *)step->buf[1].mem + step->buf[1].offset);
    (void)c, (void)be, (void)scalars;
    for (int64_t i = 0; i < spec->slot[0].cols * spec->slot[0].len; i++)
        intensity[i] = (i == 5 ? 2.0 : 1.0) * power_at(a, i);
    return POY_OK;
}

static int prepared, released; /* plans of run_wrong */

static poy_status prepare_wrong(poy_ctx *c, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                size_t *work_bytes)
{
    (void)c, (void)be;
    const poy_row_drive *arg = spec->arg;
    /* of complex fields of one component without padding only: the reference does the others */
    const int own = spec->slot[1].dtype == POY_C128 && spec->slot[0].len == spec->slot[1].len && arg->pol == 1;
    step->run = own ? run_wrong : NULL;
    *work_bytes = 0;
    if (step->run && work.mem) {
        poy_row_spec *copy = malloc(sizeof *copy);
        if (!copy)
            return POY_ERR_MEMORY;
        *copy = *spec;
        step->plan = copy;
        prepared++;
    }
    return POY_OK;
}

static void release_wrong(void *be, poy_step *step)
{
    (void)be;
    free(step->plan);
    released++;
}

static const poy_row_entry *rows_mine(void *be, size_t *n)
{
    static const poy_row_entry rows[] = {
        {"drive", prepare_wrong, release_wrong}, {"absorb", prepare_bad, NULL}, {"window", prepare_none, NULL}};
    (void)be;
    *n = (size_t)rows_wanted;
    return rows;
}

static poy_backend *open_third_party(const char *name, uint32_t flags)
{
    poy_backend *be = NULL;
    const poy_backend_api api = {.abi = POY_BACKEND_ABI,
                                 .size = sizeof api,
                                 .name = name,
                                 .flags = flags,
                                 .open = open_mine,
                                 .close = close_mine,
                                 .alloc = poyi_host_alloc,
                                 .release = poyi_host_release,
                                 .write = poyi_host_write,
                                 .read = poyi_host_read,
                                 .rows = rows_mine};
    if (poy_backend_register(ctx, &api) != POY_OK || poy_backend_open(ctx, name, &be) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    return be;
}

/* ---- a program of three rows ---- */

typedef struct sample {
    poyi_program *p;
    int A, intensity, B, w, one, segment, other;
} sample;

static void record_sample(sample *s)
{
    int good = poyi_program_create(ctx, "sample", &s->p) == POY_OK &&
               poyi_program_slot(ctx, s->p, "field.A", POY_C128, COLUMNS, N, &s->A) == POY_OK &&
               poyi_program_slot(ctx, s->p, "field.B", POY_C128, COLUMNS, N, &s->B) == POY_OK &&
               poyi_program_slot(ctx, s->p, "real.I", POY_F64, COLUMNS, N, &s->intensity) == POY_OK &&
               poyi_program_slot(ctx, s->p, "real.w", POY_F64, 1, N, &s->w) == POY_OK &&
               poyi_program_window(ctx, s->p, s->A, 1, 1, &s->one) == POY_OK;
    const int drive[] = {s->intensity, s->A}, window[] = {s->one, s->w}, absorb[] = {s->B, s->A, s->w};
    good = good && poyi_program_segment(ctx, s->p, "first", &s->segment) == POY_OK &&
           poyi_program_row(ctx, s->p, "window", 2, window, NULL, 0, 0, 0) == POY_OK &&
           poyi_program_row(ctx, s->p, "drive", 2, drive, &single, sizeof single, 0, 0) == POY_OK &&
           poyi_program_segment(ctx, s->p, "other", &s->other) == POY_OK &&
           poyi_program_row(ctx, s->p, "absorb", 3, absorb, NULL, 0, 0, 0) == POY_OK;
    ok(good, "a program of two segments");
    if (!good)
        note("%s", poy_ctx_message(ctx));
}

static void check_recording(void)
{
    sample s;
    int slot = 0, slots[] = {0, 0, 0, 0, 0, 0, 0, 0};
    record_sample(&s);
    ok(poyi_program_rows(s.p, s.segment) == 2 && !strcmp(poyi_program_row_name(s.p, s.segment, 1), "drive") &&
           !strcmp(poyi_program_row_backend(s.p, s.segment, 1), ""),
       "rows are listed");
    ok(says(poyi_program_slot(ctx, s.p, "field.A", POY_F64, 1, 1, &slot), POY_ERR_ARGUMENT,
            "two slots named 'field.A'"),
       "names of slots are unique");
    ok(says(poyi_program_slot(ctx, s.p, "none", POY_F64, 0, 4, &slot), POY_ERR_SHAPE, "'none': 0 columns"),
       "a slot has elements");
    ok(says(poyi_program_slot(ctx, s.p, "a.name.of.more.than.31.characters", POY_F64, 1, 1, &slot), POY_ERR_ARGUMENT,
            "31 characters"),
       "names are short");
    ok(says(poyi_program_slot(ctx, s.p, "huge", POY_C128, INT64_MAX, INT64_MAX, &slot), POY_ERR_MEMORY, "memory"),
       "sizes are checked before they are multiplied");
    ok(says(poyi_program_window(ctx, s.p, s.A, 1, 2, &slot), POY_ERR_INDEX, "columns 1 to 2"), "windows lie inside");
    ok(says(poyi_program_row(ctx, s.p, "driwe", 2, slots, NULL, 0, 0, 0), POY_ERR_ARGUMENT, "no row named 'driwe'"),
       "an unknown row");
    slots[0] = s.A;
    slots[1] = s.A;
    ok(says(poyi_program_row(ctx, s.p, "drive", 2, slots, &single, sizeof single, 0, 0), POY_ERR_DTYPE,
            "slot I is c128, needs f64"),
       "a wrong element type");
    ok(says(poyi_program_row(ctx, s.p, "drive", 1, slots, &single, sizeof single, 0, 0), POY_ERR_ARGUMENT,
            "takes 2 slots"),
       "a wrong number of slots");
    slots[0] = s.intensity;
    slots[1] = s.one;
    ok(says(poyi_program_row(ctx, s.p, "drive", 2, slots, &single, sizeof single, 0, 0), POY_ERR_SHAPE,
            "2 columns of 12, needs 1 of 12"),
       "a wrong shape");
    slots[1] = -1;
    ok(says(poyi_program_row(ctx, s.p, "drive", 2, slots, &single, sizeof single, 0, 0), POY_ERR_ARGUMENT,
            "slot A is missing"),
       "a slot that the row needs");
    slots[1] = 99;
    ok(says(poyi_program_row(ctx, s.p, "drive", 2, slots, &single, sizeof single, 0, 0), POY_ERR_INDEX, "slot 1 is 99"),
       "a slot that there is not");
    slots[1] = s.A;
    ok(says(poyi_program_row(ctx, s.p, "drive", 2, slots, &single, sizeof single, 0, 1), POY_ERR_ARGUMENT,
            "takes 0 scalars, got 1"),
       "a wrong number of scalars");
    const poy_row_fft forward = {POY_FFT_R2C, 1};
    slots[0] = s.A;
    slots[1] = s.A;
    ok(says(poyi_program_row(ctx, s.p, "fft", 2, slots, &forward, sizeof forward, 0, 0), POY_ERR_DTYPE,
            "needs f64 to c128"),
       "a transform of the wrong kind");
    ok(says(poyi_program_row(ctx, s.p, "fft", 2, slots, &forward, 1, 0, 0), POY_ERR_ARGUMENT, "argument of 8 bytes"),
       "an argument of the wrong size");
    ok(says(poyi_program_run(ctx, s.p, s.segment, NULL), POY_ERR_STATE, "not bound"), "it cannot run before bind");
    poyi_program_destroy(&s.p);
    poyi_program_destroy(&s.p);
    ok(s.p == NULL, "destroyed twice");
}

/* What the ledger holds under the names of a program. */
static size_t held(const char *name)
{
    poy_ledger_entry entries[64];
    const size_t n = poy_ctx_ledger(ctx, 64, entries);
    for (size_t i = 0; i < n && i < 64; i++)
        if (!strcmp(entries[i].name, name))
            return entries[i].bytes;
    return 0;
}

static int bytes_match(const poyi_program *p, poy_backend *be, size_t before)
{
    poy_ledger_entry entries[16];
    size_t n = 0, total = 0, sum = 0;
    if (poyi_program_bytes(ctx, p, be, 16, entries, &n, &total) != POY_OK)
        return 0;
    for (size_t i = 0; i < n; i++) {
        sum += entries[i].bytes;
        if (held(entries[i].name) != entries[i].bytes)
            return 0;
    }
    return n > 1 && sum == total && total > 0 && poy_ctx_bytes(ctx) == before + total;
}

static void check_ledger(void)
{
    static const char *const specs[] = {"ref", "cpu", "cpu:isa=base"};
    const double beta[1] = {-1e-26};
    poy_grid *grid = grid_of_samples(1550e-9, 4e-12, 1536);
    const poy_fibre_options fibre = fibre_of(0.01, 1, beta);
    const poy_physics_options physics = physics_of(1, POY_RAMAN_BLOW_WOOD, POY_NOISE_MODIFIED);
    poy_problem *problem = problem_of(grid, &fibre, &physics, 1.0);
    for (int i = 0; i < 3; i++) {
        poy_backend *be = NULL;
        poyi_stage_program sp = {0};
        const size_t before = poy_ctx_bytes(ctx);
        int good = poy_backend_open(ctx, specs[i], &be) == POY_OK && poyi_modal_build(ctx, problem, &sp) == POY_OK &&
                   poy_ctx_bytes(ctx) == before;
        ok(good, "%s: building takes no memory", specs[i]);
        size_t n = 0, total = 0;
        good = poyi_program_bytes(ctx, sp.program, be, 0, NULL, &n, &total) == POY_OK && poy_ctx_bytes(ctx) == before;
        poy_ctx_set_budget(ctx, before + total - 1);
        ok(good && says(poyi_stage_bind(ctx, &sp, problem, be), POY_ERR_BUDGET, "pulse.") &&
               poy_ctx_bytes(ctx) == before,
           "%s: one byte less than the estimate is refused, and nothing is kept", specs[i]);
        poy_ctx_set_budget(ctx, 0);
        ok(poyi_stage_bind(ctx, &sp, problem, be) == POY_OK && bytes_match(sp.program, be, before),
           "%s: the estimate is what the ledger holds, to the byte", specs[i]);
        const uint64_t allocations = poy_ctx_allocations(ctx);
        double *scalars = calloc((size_t)sp.n_scalars, sizeof *scalars);
        poyi_stage_translate(&sp, problem, 1e-3, scalars);
        ok(poyi_program_run(ctx, sp.program, sp.seg_first, scalars) == POY_OK &&
               poyi_program_run(ctx, sp.program, sp.seg_trial, scalars) == POY_OK &&
               poyi_program_run(ctx, sp.program, sp.seg_advance, scalars) == POY_OK &&
               poy_ctx_allocations(ctx) == allocations,
           "%s: running it allocates nothing", specs[i]);
        free(scalars);
        poyi_stage_fini(&sp);
        poy_backend_close(&be);
        ok(poy_ctx_bytes(ctx) == before && held("pulse.stage") == 0, "%s: destroy gives all back", specs[i]);
    }
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* ---- third parties ---- */

static void check_device(void)
{
    sample s;
    rows_wanted = 1; /* drive only */
    poy_backend *be = open_third_party("my-device", 0);
    const size_t before = poy_ctx_bytes(ctx);
    record_sample(&s);
    ok(says(poyi_program_needs(ctx, s.p, be), POY_ERR_UNSUPPORTED, "'my-device' cannot run program 'sample'") &&
           strstr(poy_ctx_cause(ctx), "no row 'window'"),
       "a device that lacks a row is refused by its name");
    ok(says(poyi_program_bind(ctx, s.p, be), POY_ERR_UNSUPPORTED, "no row 'window'") && poy_ctx_bytes(ctx) == before,
       "before any memory is taken");
    poyi_program_destroy(&s.p);
    poy_backend_close(&be);
}

static void check_host(void)
{
    sample s;
    double field[2 * COLUMNS * N], weights[N], got[COLUMNS * N];
    rows_wanted = 3;
    poy_backend *be = open_third_party("mine", POY_BACKEND_HOST);
    record_sample(&s);
    ok(poyi_program_needs(ctx, s.p, be) == POY_OK && poyi_program_bind(ctx, s.p, be) == POY_OK,
       "a backend in host memory may lack a variant");
    ok(!strcmp(poyi_program_row_backend(s.p, s.segment, 0), "ref") &&
           !strcmp(poyi_program_row_backend(s.p, s.segment, 1), "mine"),
       "the reference stands in for it");
    for (int i = 0; i < 2 * COLUMNS * N; i++)
        field[i] = sin(1.0 + i);
    for (int i = 0; i < N; i++)
        weights[i] = 0.5;
    ok(poyi_program_write(ctx, s.p, s.A, field) == POY_OK && poyi_program_write(ctx, s.p, s.w, weights) == POY_OK &&
           poyi_program_run(ctx, s.p, s.segment, NULL) == POY_OK &&
           poyi_program_read(ctx, s.p, s.intensity, got) == POY_OK,
       "both run in one segment");
    int right = 1;
    for (int i = 0; i < COLUMNS * N; i++) /* the window halves the second column; mine doubles element 5 */
        right = right && close_to(got[i], (i >= N ? 0.25 : i == 5 ? 2.0 : 1.0) * power_at(field, i), 1e-15);
    ok(right, "and each does its row, windows on slots included");
    ok((const double *)poyi_program_host(s.p, s.one) == (const double *)poyi_program_host(s.p, s.A) + 2 * N,
       "a window is a part of its slot");

    poy_ctx_fail(ctx, POY_ERR_DEVICE, "an old story");
    ok(says(poyi_program_run(ctx, s.p, s.other, NULL), POY_ERR_DEVICE, "row absorb of backend 'mine'") &&
           strstr(poy_ctx_cause(ctx), poy_status_text(POY_ERR_DEVICE)) && !strstr(poy_ctx_message(ctx), "an old story"),
       "a row that fails with a bare code is named, and its backend");
    ok(says(poyi_program_run_rows(ctx, s.p, s.segment, 1, 2, NULL), POY_ERR_INDEX, "has 2 rows, asked for 2 from 1 on"),
       "rows of a segment are its own");
    int slot = 0;
    ok(says(poyi_program_slot(ctx, s.p, "late", POY_F64, 1, 1, &slot), POY_ERR_STATE, "bound to backend 'mine'") &&
           says(poyi_program_bind(ctx, s.p, be), POY_ERR_STATE, "bound to backend 'mine'"),
       "a bound program cannot be changed");
    poyi_program_destroy(&s.p);
    ok(prepared == 1 && released == 1, "plans are given back");

    int failed = 0;
    poy_conform_options o;
    poy_conform_options_init(&o);
    o.backend = "mine";
    ok(poy_conform_rows(ctx, &o, "drive", NULL, NULL, &failed) == POY_OK && failed > 0,
       "conformance finds the wrong element");
    ok(says(poy_conform_rows(ctx, &o, "derive", NULL, NULL, &failed), POY_ERR_ARGUMENT, "no row 'derive'"),
       "and knows its rows");
    poy_backend_close(&be);
}

int main(void)
{
    fixture_start();
    check_recording();
    check_ledger();
    check_device();
    check_host();
    return fixture_end();
}

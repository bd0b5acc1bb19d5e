/* test_recipe_run.c: recipes through the library: values by key, running, memory, stopping, reading the result. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "poynting/poynting.h"
#include "run/session.h"
#include "tap.h"

static char folder[64] = "/tmp/poynting-run-XXXXXX", path[96];

static const char text[] =
    "schema = 1\n"
    "kind = \"pulse\"\n"
    "geometry = { type = \"fibre\", length = \"0.1 m\" }\n"
    "fibre = { gamma = \"0.01 1/(W m)\", beta = [\"-20 ps2/km\"] }\n"
    "pulse = [{ wavelength = \"1550 nm\", peak_power = \"80 W\", t0 = \"500 fs\", shape = \"sech2\" }]\n"
    "grid = { window = \"25 ps\", samples = 16384 }\n"
    "physics.raman = \"off\"\n"
    "output.planes = 5\n";

static void test_values(poy_ctx *ctx)
{
    poy_recipe *r = NULL;
    const char *value = NULL;
    char line[300];
    ok(poy_recipe_parse(ctx, text, "dir/soliton.toml", &r) == POY_OK, "a text is a recipe");
    ok(poy_recipe_get(ctx, r, "fibre.gamma", &value) == POY_ERR_STATE, "before a check it has no values");
    ok(poy_recipe_check(ctx, r) == POY_OK && poy_recipe_fault_count(r) == 0, "it has no faults");
    ok(!strcmp(poy_recipe_name(r), "soliton"), "named after its file");
    ok(poy_recipe_get(ctx, r, "fibre.gamma", &value) == POY_OK && !strcmp(value, "\"0.01 1/(W m)\""),
       "a value as given");
    ok(poy_recipe_get(ctx, r, "solver.rtol", &value) == POY_OK && !strcmp(value, "1e-6"), "a default");
    ok(poy_recipe_get(ctx, r, "gas.fill", &value) == POY_ERR_ARGUMENT && !value, "no value: %s", poy_ctx_cause(ctx));
    ok(poy_recipe_set(ctx, r, "pulse.0.t0", "30 nm") == POY_OK, "an override");
    ok(!poy_recipe_resolved(r), "which undoes the check");
    ok(poy_recipe_check(ctx, r) == POY_ERR_RECIPE && poy_recipe_fault_count(r) == 1, "and is a fault");
    poy_fault_format(poy_recipe_fault(r, 0), sizeof line, line);
    ok(!strcmp(line, "override: pulse.0.t0: expected a time, got a length (\"30 nm\"): use fs, ps, ns"), "%s", line);
    ok(!strcmp(poy_ctx_cause(ctx), line), "the account has it");
    ok(poy_recipe_set(ctx, r, "pulse.0.t0", "400 fs") == POY_OK && poy_recipe_check(ctx, r) == POY_OK, "mended");
    ok(poy_recipe_get(ctx, r, "pulse.0.t0", &value) == POY_OK && !strcmp(value, "\"400 fs\""), "the last one counts");
    ok(poy_recipe_set(ctx, r, "pulse.7.t0", "1 fs") == POY_ERR_ARGUMENT, "no place: %s", poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    poy_recipe_destroy(&r);
    poy_recipe_destroy(&r);
}

static int stop_at_half(void *user, const poy_progress *p)
{
    *(double *)user = p->done;
    return p->done >= 0.5 * p->total;
}

static void test_run(poy_ctx *ctx)
{
    poy_recipe *r = NULL;
    poy_recipe_options o;
    poy_resume_options again;
    poy_recipe_report report;
    poy_result *result = NULL;
    poy_dataset d;
    double energy = 0, where = 0, *S = malloc(16384 * 2 * sizeof *S);
    poy_recipe_parse(ctx, text, "soliton.toml", &r);
    poy_recipe_options_init(&o);
    o.output = path;
    poy_ctx_set_progress(ctx, stop_at_half, &where);
    ok(poy_recipe_run(ctx, r, &o, &report) == POY_ERR_INTERRUPTED && !report.complete, "stopped: %s",
       poy_ctx_cause(ctx));
    ok(where >= 0.05 && report.z >= 0.05 && report.z < 0.1 && report.planes < 5, "half way, at %g m", report.z);
    poy_ctx_set_progress(ctx, NULL, NULL);
    poy_ctx_clear(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_resume_options_init(&again);
    ok(poy_result_resume(ctx, path, &again, &report) == POY_OK && report.complete && report.z == 0.1,
       "and taken up again");
    ok(poy_recipe_run(ctx, r, &o, NULL) == POY_ERR_IO, "the file is not written over: %s", poy_ctx_cause(ctx));
    ok(poy_result_open(ctx, path, &result) == POY_OK, "the result opens");
    ok(!strcmp(poy_result_attribute(result, "complete"), "1"), "complete");
    ok(poy_result_find(ctx, result, "field/spectrum", &d) == POY_OK && d.rank == 4 && d.extent[0] == 5 &&
           d.is_complex && !strcmp(d.units, "sqrt(J s)"),
       "five planes");
    ok(poy_result_read(ctx, result, "field/spectrum", 4, 1, S) == POY_OK, "the last one");
    ok(poy_result_read(ctx, result, "field/spectrum", 4, 2, S) == POY_ERR_INDEX, "no more: %s", poy_ctx_cause(ctx));
    ok(poy_result_scalar(ctx, result, "stats/energy", -1, &energy) == POY_OK, "a number of a row");
    ok(fabs(energy / 8e-11 - 1) < 1e-9, "energy 2 P t0 = 80 pJ, got %.15g", energy);
    ok(poy_result_find(ctx, result, "no/where", &d) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    poy_result_close(&result);
    poy_recipe_destroy(&r);
    free(S);
    unlink(path);
}

static double *last_plane(poy_ctx *ctx, double *steps)
{
    poy_result *result = NULL;
    poy_dataset d = {0};
    double *S = calloc(16384 * 2, sizeof *S);
    if (poy_result_open(ctx, path, &result) != POY_OK ||
        poy_result_read(ctx, result, "field/spectrum", 1, 1, S) != POY_OK ||
        poy_result_find(ctx, result, "steps/dz", &d) != POY_OK)
        poy_ctx_clear(ctx);
    *steps = (double)d.extent[0];
    poy_result_close(&result);
    return S;
}

/* Between two planes the state is stored once a minute; here after every step. */
static void test_pauses(poy_ctx *ctx)
{
    poy_recipe *r = NULL;
    poy_recipe_options o;
    poy_recipe_report report;
    double steps[2], where = 0;
    poy_recipe_parse(ctx, text, "soliton.toml", &r);
    poy_recipe_set(ctx, r, "output.planes", "2");
    poy_recipe_options_init(&o);
    o.output = path;
    o.force = 1;
    ok(poy_recipe_run(ctx, r, &o, &report) == POY_OK, "in one go");
    double *whole = last_plane(ctx, &steps[0]);
    poyi_session_unsafe = 0;
    ok(poy_recipe_run(ctx, r, &o, &report) == POY_OK && report.complete, "with a pause after every step");
    double *paused = last_plane(ctx, &steps[1]);
    ok(steps[0] > 3 && steps[0] == steps[1] && !memcmp(whole, paused, 16384 * 2 * sizeof *whole),
       "the same steps and the same field, to the bit");
    poy_ctx_set_progress(ctx, stop_at_half, &where);
    ok(poy_recipe_run(ctx, r, &o, &report) == POY_ERR_INTERRUPTED && !report.complete && report.z < 0.1,
       "a wish to stop that comes with a pause is granted");
    poy_ctx_set_progress(ctx, NULL, NULL);
    poy_ctx_clear(ctx);
    poyi_session_unsafe = 60;
    poy_recipe_destroy(&r);
    free(whole);
    free(paused);
    unlink(path);
}

/* The estimate before the start is the most that the ledger ever holds. */
static void test_memory(void)
{
    poy_ctx *ctx = NULL;
    poy_recipe *r = NULL;
    poy_recipe_options o;
    poy_recipe_report report;
    if (poy_ctx_create(&ctx) != POY_OK)
        return;
    poy_recipe_parse(ctx, text, "soliton.toml", &r);
    poy_recipe_set(ctx, r, "grid.samples", "131072");
    poy_recipe_set(ctx, r, "geometry.length", "1 cm");
    poy_recipe_options_init(&o);
    o.output = path;
    ok(poy_recipe_run(ctx, r, &o, &report) == POY_OK, "a larger run");
    ok(report.bytes == poy_ctx_bytes_peak(ctx), "estimated %zu bytes, peak %zu", report.bytes, poy_ctx_bytes_peak(ctx));
    poy_number numbers[40];
    size_t n = 0;
    poy_recipe_describe(ctx, r, 40, numbers, &n);
    double bytes = 0, file_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        bytes = strcmp(numbers[i].key, "bytes") ? bytes : numbers[i].value;
        file_bytes = strcmp(numbers[i].key, "file_bytes") ? file_bytes : numbers[i].value;
    }
    ok(bytes == (double)report.bytes, "check says the same");
    struct stat file = {0};
    const int there = !stat(path, &file);
    ok(there && file_bytes > 0 && (double)file.st_size > file_bytes &&
           (double)file.st_size < 1.1 * file_bytes + (double)(1 << 20),
       "and what the file takes: %.0f of %lld bytes", file_bytes, (long long)file.st_size);
    poy_recipe_set(ctx, r, "run.memory", "4 MiB");
    o.force = 1;
    ok(poy_recipe_run(ctx, r, &o, &report) == POY_ERR_BUDGET, "%s", poy_ctx_cause(ctx));
    ok(poy_ctx_budget(ctx) == 0 && poy_ctx_bytes(ctx) == 0, "the context is as it was");
    poy_recipe_destroy(&r);
    poy_ctx_destroy(&ctx);
    unlink(path);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!mkdtemp(folder) || poy_ctx_create(&ctx) != POY_OK)
        return 1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    test_values(ctx);
    test_run(ctx);
    test_pauses(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    test_memory();
    rmdir(folder);
    return tap_done();
}

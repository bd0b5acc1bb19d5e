/* test_run_device.c: a run on a backend whose memory is not the host's. It is the reference under another name, which
 * denies that its handles are pointers, so that every read has to go through the backend. */
#include <string.h>

#include "ops/ops.h"
#include "physics/lab.h"

enum { N = 256, STATS = 3 };

static lab fibre(void)
{
    static const double beta[] = {-2e-26};
    lab l = lab_make(1550e-9, 4e-12, N, 0.05);
    l.fibre.gamma = 3e-3;
    l.fibre.beta = beta;
    l.fibre.n_beta = 1;
    l.physics.noise = POY_NOISE_MODIFIED;
    l.pulse.t0 = 80e-15;
    l.pulse.peak_power = 5e3;
    return l;
}

typedef struct result {
    double field[2 * N], noise[2 * N], stats[STATS], rows[64];
    int64_t n_rows;
    uint64_t warm; /* allocations after the first part */
} result;

static void go(poy_ctx *ctx, const char *backend, result *r)
{
    static const char *const names[STATS] = {"energy", "fwhm_t", "peak_power"};
    lab l = fibre();
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *draw = lab_field(p);
    poy_run *run = lab_open(ctx, p, backend, NULL);
    poy_observation seen;
    must(ctx, poy_noise_create(ctx, p, draw), "noise");
    must(ctx, poy_run_set_initial(ctx, run, in, draw, 0.0, NULL), "a launch");
    must(ctx, poy_run_select_stats(ctx, run, names, STATS, 2), "rows");
    must(ctx, poy_run_propagate_to(ctx, run, 0.01, NULL), "some way");
    r->warm = poy_ctx_allocations(ctx);
    must(ctx, poy_run_propagate_to(ctx, run, 0.05, NULL), "the rest");
    r->warm = poy_ctx_allocations(ctx) - r->warm;
    must(ctx, poy_run_stats(ctx, run, names, STATS, r->stats), "statistics");
    must(ctx, poy_run_observe(ctx, run, r->field, &seen), "the field");
    memcpy(r->noise, seen.noise, sizeof r->noise);
    r->n_rows = seen.n_rows;
    memcpy(r->rows, seen.rows, sizeof(double) * (size_t)(seen.n_rows < 16 ? seen.n_rows * (1 + STATS) : 64));

    for (int i = 0; i < 2 * N; i++)
        in[i] *= 1e110;
    must(ctx, poy_run_set_initial(ctx, run, in, draw, 0.0, NULL), "an absurd launch");
    ok(poy_run_propagate_to(ctx, run, 0.05, NULL) == POY_ERR_NONFINITE, "%s: a fault is found: %s", backend,
       poy_ctx_cause(ctx));
    poy_run_destroy(&run);
    poy_problem_destroy(&p);
    free(in), free(draw);
}

int main(void)
{
    poy_ctx *ctx = lab_context();
    poy_backend_api far = poyi_ref_api;
    result host = {0}, device = {0};
    far.name = "far";
    far.flags &= ~(uint32_t)POY_BACKEND_HOST;
    must(ctx, poy_backend_register(ctx, &far), "a backend");
    go(ctx, "ref", &host);
    go(ctx, "far", &device);
    ok(!memcmp(host.field, device.field, sizeof host.field), "the same field");
    ok(!memcmp(host.noise, device.noise, sizeof host.noise), "the same noise");
    ok(!memcmp(host.stats, device.stats, sizeof host.stats), "the same statistics");
    ok(host.n_rows > 0 && host.n_rows == device.n_rows && !memcmp(host.rows, device.rows, sizeof host.rows),
       "the same %lld rows between planes", (long long)host.n_rows);
    ok(host.warm == 0 && device.warm == 0, "warm steps allocate nothing on either");
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* bench_record.c: records of scattering: microseconds of a value, of a value that leaves its state, and of a pullback by all inputs;
 * the last over the first is what a gradient costs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "poynting/poynting.h"

enum { ARRAYS = 16, ROUNDS = 5 };

/* Processor time of the process: other work on the machine does not count. */
static double now(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void fail(poy_ctx *ctx)
{
    fprintf(stderr, "%s\n", poy_ctx_message(ctx));
    exit(1);
}

typedef struct work {
    poy_record *record;
    poy_rec_info info;
    poy_rec_array in[ARRAYS], out[ARRAYS], grad[ARRAYS];
} work;

/* Inputs as the record's own example draws them, of these shapes: "k" for a scalar, extents else. */
static void prepare(poy_ctx *ctx, const char *name, const char *options, int n_in, const poy_rec_spec *spec, work *w)
{
    poy_rec_spec out[ARRAYS];
    memset(w, 0, sizeof *w);
    if (poy_record_describe(ctx, name, &w->info) != POY_OK ||
        poy_record_open(ctx, name, options, &w->record) != POY_OK ||
        poy_record_infer(ctx, w->record, spec, out, NULL) != POY_OK)
        fail(ctx);
    for (int i = 0; i < n_in; i++) {
        w->in[i] = (poy_rec_array){.spec = spec[i], .data = calloc(1, poy_rec_bytes(&spec[i]) + 8)};
        w->grad[i] = (poy_rec_array){.spec = spec[i], .data = calloc(1, poy_rec_bytes(&spec[i]) + 8)};
    }
    for (int i = 0; i < w->info.n_out; i++)
        w->out[i] = (poy_rec_array){.spec = out[i], .data = calloc(1, poy_rec_bytes(&out[i]) + 8)};
    if (poy_record_sample(ctx, w->record, 1, w->in) != POY_OK)
        fail(ctx);
}

/* Seconds of one call: 0 the value, 1 with its state, 2 with the pullback. */
static double seconds(poy_ctx *ctx, work *w, int what, int calls)
{
    const double start = now();
    for (int i = 0; i < calls; i++) {
        poy_saved *saved = NULL;
        if (poy_record_evaluate(ctx, w->record, NULL, w->in, w->out, what ? &saved : NULL) != POY_OK ||
            (what == 2 && poy_record_pullback(ctx, saved, w->out, w->grad) != POY_OK))
            fail(ctx);
        poy_saved_destroy(&saved);
    }
    return (now() - start) / calls;
}

static void report(poy_ctx *ctx, const char *title, work *w)
{
    double best[3] = {1e9, 1e9, 1e9};
    const double once = seconds(ctx, w, 2, 1);
    const int calls = once > 0.02 ? 1 : (int)(0.02 / fmax(once, 1e-6)) + 1;
    for (int round = 0; round < ROUNDS; round++)
        for (int what = 0; what < 3; what++) {
            const double t = seconds(ctx, w, what, calls);
            best[what] = t < best[what] ? t : best[what];
        }
    printf("%-36s value %10.1f us, with state %10.1f us, with gradient %10.1f us: %.2f x\n", title, 1e6 * best[0],
           1e6 * best[1], 1e6 * best[2], best[2] / best[0]);
    for (int i = 0; i < ARRAYS; i++) {
        free(w->in[i].data);
        free(w->out[i].data);
        free(w->grad[i].data);
    }
    poy_record_close(&w->record);
}

static poy_rec_spec array(poy_dtype dtype, int rank, int64_t a, int64_t b)
{
    return (poy_rec_spec){.dtype = dtype, .rank = rank, .dims = {a, b}};
}

static void cross_sections(poy_ctx *ctx, int64_t n, const char *options)
{
    work w;
    char title[64];
    const poy_rec_spec z = array(POY_C128, 2, n, 1);
    const poy_rec_spec spec[9] = {
        array(POY_F64, 0, 0, 0),  array(POY_F64, 2, n, 1), z, z, z, array(POY_F64, 2, n, 3), array(POY_F64, 1, 3, 0),
        array(POY_C128, 1, 2, 0), array(POY_F64, 1, 3, 0)};
    prepare(ctx, "poy.spheres_cross_sections", options, 9, spec, &w);
    for (int64_t i = 0; i < n; i++) { /* a lattice, dense */
        double *at = (double *)w.in[5].data + 3 * i;
        at[0] = 1.0 * (double)(i % 3);
        at[1] = 1.0 * (double)(i / 3 % 3);
        at[2] = 1.0 * (double)(i / 9);
    }
    (void)snprintf(title, sizeof title, "spheres_cross_sections %s n=%d", options, (int)n);
    report(ctx, title, &w);
}

static void one(poy_ctx *ctx, const char *name, int example)
{
    work w;
    char title[64];
    const char *options;
    poy_rec_spec spec[POY_REC_ARRAYS_MAX];
    poy_rec_info info;
    if (poy_record_describe(ctx, name, &info) != POY_OK ||
        poy_record_example(ctx, name, example, &options, spec) != POY_OK)
        fail(ctx);
    prepare(ctx, name, options, info.n_in, spec, &w);
    (void)snprintf(title, sizeof title, "%s %s", name + 4, options);
    report(ctx, title, &w);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_ctx_set_threads(ctx, 1);
    one(ctx, "poy.bessel", 1);
    one(ctx, "poy.mie", 1);
    one(ctx, "poy.sphere", 1);
    one(ctx, "poy.interaction", 0);
    one(ctx, "poy.expansion", 1);
    one(ctx, "poy.field", 0);
    one(ctx, "poy.sphere_cluster", 1);
    one(ctx, "poy.axisymmetric", 0);
    cross_sections(ctx, 1, "lmax=2");
    cross_sections(ctx, 5, "lmax=3");
    cross_sections(ctx, 20, "lmax=3");
    cross_sections(ctx, 20, "lmax=4");
    poy_ctx_destroy(&ctx);
    return 0;
}

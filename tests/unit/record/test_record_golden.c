/* test_record_golden.c: values and gradients of the built-in records against 80-digit arithmetic (tools/golden_record.py). */
#include <float.h>

#include "record/record.h"
#include "record_fixture.h"

typedef struct row {
    const char *name, *options, *in;
    double tolerance, gradient_tolerance; /* in eps times the largest number of an array */
    const double *x, *y, *g, *gx;
} row;

static const row rows[] = {
#include "golden/record_cases.def"
};

enum { NUMBERS = 64 };

static size_t reals(const poy_rec_spec *s)
{
    return poy_rec_bytes(s) / sizeof(double);
}

/* The worst error over all arrays, each in eps times its largest number. */
static double worst(int n, const poy_rec_spec *spec, const double *got, const double *want)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        const size_t count = reals(&spec[i]);
        double size = 0.0;
        for (size_t k = 0; k < count; k++)
            size = fmax(size, fabs(want[k]));
        const double e = off(got, want, count) / (size * DBL_EPSILON);
        most = e <= most ? most : e;
        got += count;
        want += count;
    }
    return most;
}

/* Arrays one after the other in one piece of memory. */
static void lay(int n, const poy_rec_spec *spec, void *memory, poy_rec_array *a)
{
    size_t at = 0;
    for (int i = 0; i < n; i++) {
        a[i] = (poy_rec_array){.spec = spec[i], .data = (unsigned char *)memory + at};
        at += poy_rec_bytes(&spec[i]);
    }
}

static void check(poy_ctx *ctx, const row *t)
{
    double x[NUMBERS] = {0}, y[NUMBERS] = {0}, g[NUMBERS] = {0}, gx[NUMBERS] = {0};
    poy_rec_info info = {0};
    poy_rec_spec in_spec[4], out_spec[4];
    poy_rec_array in[4], out[4], cot[4], grad[4];
    poy_record *r = NULL;
    poy_saved *s = NULL;
    size_t n_x = 0, n_y = 0;

    if (!ok(poy_record_open(ctx, t->name, t->options, &r) == POY_OK &&
                poy_record_describe(ctx, t->name, &info) == POY_OK &&
                poyi_specs_read(ctx, t->name, t->in, info.n_in, in_spec) == POY_OK &&
                poy_record_infer(ctx, r, in_spec, out_spec, NULL) == POY_OK,
            "%s %s", r ? poy_record_identity(r) : t->name, t->in))
        return;
    for (int i = 0; i < info.n_in; i++)
        n_x += reals(&in_spec[i]);
    for (int j = 0; j < info.n_out; j++)
        n_y += reals(&out_spec[j]);
    memcpy(x, t->x, n_x * sizeof *x);
    memcpy(g, t->g, n_y * sizeof *g);
    lay(info.n_in, in_spec, x, in);
    lay(info.n_in, in_spec, gx, grad);
    lay(info.n_out, out_spec, y, out);
    lay(info.n_out, out_spec, g, cot);
    const poy_status status = poy_record_evaluate(ctx, r, NULL, in, out, &s);
    const double value = status == POY_OK ? worst(info.n_out, out_spec, y, t->y) : (double)NAN;
    ok(value <= t->tolerance, "value: %.3g of %.3g eps %s", value, t->tolerance, poy_ctx_cause(ctx));
    const double gradient =
        s && poy_record_pullback(ctx, s, cot, grad) == POY_OK ? worst(info.n_in, in_spec, gx, t->gx) : (double)NAN;
    ok(gradient <= t->gradient_tolerance, "gradient: %.3g of %.3g eps %s", gradient, t->gradient_tolerance,
       poy_ctx_cause(ctx));
    poy_saved_destroy(&s);
    poy_record_close(&r);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(ctx, &rows[i]);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

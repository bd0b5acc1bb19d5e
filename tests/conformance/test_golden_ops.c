/* test_golden_ops.c: the golden operations of tests/golden/ops.txt (see tools/golden_ops.py) on one backend.
 * usage: test_golden_ops BACKEND. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "golden_ops.h"

/* ---- reading ---- */

static FILE *file;
static int broken; /* the file is not as it should be */

static void word(char *out, size_t size)
{
    char text[128] = "";
    if (fscanf(file, "%127s", text) != 1)
        broken = 1;
    snprintf(out, size, "%s", text);
}

static double real_number(void)
{
    char text[64];
    word(text, sizeof text);
    return strtod(text, NULL);
}

static int64_t integer(void)
{
    char text[64];
    word(text, sizeof text);
    return strtoll(text, NULL, 10);
}

static int keyword(const char *wanted)
{
    char text[32];
    word(text, sizeof text);
    broken = broken || strcmp(text, wanted) != 0;
    return !broken;
}

poy_dtype golden_dtype(const char *name)
{
    for (int t = 0; t < POY_DTYPE_COUNT; t++)
        if (!strcmp(poy_dtype_name((poy_dtype)t), name))
            return (poy_dtype)t;
    broken = 1;
    return POY_F64;
}

static void read_array(array_text *a, int has_window)
{
    char dtype[8];
    word(dtype, sizeof dtype);
    a->dtype = golden_dtype(dtype);
    a->rank = (int)integer();
    for (int i = 0; i < a->rank; i++)
        a->extent[i] = integer();
    for (int i = 0; i < a->rank && has_window; i++)
        a->stride[i] = integer();
    a->offset = has_window ? integer() : 0;
    a->n = integer();
    int64_t parts = a->n * (poy_dtype_is_complex(a->dtype) ? 2 : 1);
    broken = broken || parts > VALUES_MAX;
    for (int64_t i = 0; i < parts && !broken; i++)
        a->part[i] = real_number();
}

static void read_case(golden_case *c)
{
    memset(c, 0, sizeof *c);
    if (!keyword("case"))
        return;
    word(c->id, sizeof c->id);
    word(c->op, sizeof c->op);
    word(c->mode, sizeof c->mode);
    c->rtol = real_number();
    c->atol = real_number();
    word(c->status, sizeof c->status);
    c->n_in = (int)integer();
    c->n_out = (int)integer();
    keyword("arg");
    c->n_arg = (int)integer();
    for (int i = 0; i < c->n_arg; i++)
        c->arg[i] = integer();
    keyword("value");
    c->value.re = real_number();
    c->value.im = real_number();
    word(c->dtype, sizeof c->dtype);
    for (int k = 0; k < c->n_in && keyword("in"); k++)
        read_array(&c->in[k], 1);
    for (int k = 0; k < c->n_out && keyword("out"); k++)
        read_array(&c->out[k], 0);
}

/* ---- elements ---- */

static void set_part(poy_dtype dtype, void *bytes, int64_t i, double x)
{
    switch (dtype) {
    case POY_F32:
    case POY_C64: ((float *)bytes)[i] = (float)x; break;
    case POY_F64:
    case POY_C128: ((double *)bytes)[i] = x; break;
    case POY_I32: ((int32_t *)bytes)[i] = (int32_t)x; break;
    case POY_I64: ((int64_t *)bytes)[i] = (int64_t)x; break;
    case POY_B8: ((unsigned char *)bytes)[i] = x != 0; break;
    }
}

double golden_part(poy_dtype dtype, const void *bytes, int64_t i)
{
    switch (dtype) {
    case POY_F32:
    case POY_C64: return (double)((const float *)bytes)[i];
    case POY_F64:
    case POY_C128: return ((const double *)bytes)[i];
    case POY_I32: return ((const int32_t *)bytes)[i];
    case POY_I64: return (double)((const int64_t *)bytes)[i];
    case POY_B8: return ((const unsigned char *)bytes)[i];
    }
    return NAN;
}

/* ---- running ---- */

static poy_status make_input(poy_ctx *ctx, poy_backend *be, const array_text *t, poy_array **base, poy_array **window)
{
    static unsigned char bytes[VALUES_MAX * sizeof(double)];
    int64_t parts = t->n * (poy_dtype_is_complex(t->dtype) ? 2 : 1);
    for (int64_t i = 0; i < parts; i++)
        set_part(t->dtype, bytes, i, t->part[i]);
    poy_status status = poy_array_create(ctx, be, t->dtype, 1, &t->n, base);
    if (status == POY_OK)
        status = poy_array_write(ctx, *base, bytes);
    if (status == POY_OK)
        status = poy_array_view(ctx, *base, t->rank, t->extent, t->stride, t->offset, window);
    return status;
}

/* ---- judging ---- */

static int close_to(const golden_case *c, double got, double want, double size)
{
    if (!strcmp(c->mode, "exact"))
        return got == want || (isnan(got) && isnan(want));
    return fabs(got - want) <= c->atol + c->rtol * size || got == want || (isnan(got) && isnan(want));
}

/* By modulus; "cclose" part by part, with the signs. */
static int matches(const golden_case *c, const array_text *out, const void *bytes)
{
    int step = poy_dtype_is_complex(out->dtype) ? 2 : 1, by_part = strcmp(c->mode, "close") != 0;
    for (int64_t i = 0; i < out->n; i++) {
        const double *want = &out->part[step * i];
        double got[2] = {golden_part(out->dtype, bytes, step * i),
                         step == 2 ? golden_part(out->dtype, bytes, 2 * i + 1) : 0};
        double size = step == 2 ? hypot(want[0], want[1]) : fabs(want[0]);
        int good;
        if (step == 1 || by_part) {
            good = close_to(c, got[0], want[0], size) && (step == 1 || close_to(c, got[1], want[1], size));
            if (!strcmp(c->mode, "cclose"))
                good = good && !signbit(got[1]) == !signbit(want[1]);
        } else {
            good = close_to(c, hypot(got[0] - want[0], got[1] - want[1]), 0, size);
        }
        if (!good) {
            note("element %d: got %.17g%+.17gi, want %.17g%+.17gi", (int)i, got[0], got[1], want[0],
                 step == 2 ? want[1] : 0);
            return 0;
        }
    }
    return 1;
}

static int judge_output(poy_ctx *ctx, const golden_case *c, const array_text *want, const poy_array *out)
{
    static unsigned char bytes[VALUES_MAX * sizeof(double)];
    int same = out && poy_array_dtype(out) == want->dtype && poy_array_rank(out) == want->rank;
    for (int i = 0; same && i < want->rank; i++)
        same = poy_array_extent(out, i) == want->extent[i];
    if (!same) {
        note("type or shape differ: %s of rank %d", out ? poy_dtype_name(poy_array_dtype(out)) : "nothing",
             out ? poy_array_rank(out) : 0);
        return 0;
    }
    return poy_array_read(ctx, out, bytes) == POY_OK && matches(c, want, bytes);
}

static int judge(poy_ctx *ctx, const golden_case *c, poy_status status, poy_array *const *out)
{
    if (strcmp(poy_status_name(status), c->status) != 0) {
        note("came to %s, should come to %s: %s", poy_status_name(status), c->status, poy_ctx_message(ctx));
        return 0;
    }
    if (status != POY_OK)
        return out[0] == NULL;
    if (!strcmp(c->mode, "eigh") || !strcmp(c->mode, "svd"))
        return golden_factors(ctx, c, out);
    for (int k = 0; k < c->n_out; k++)
        if (!judge_output(ctx, c, &c->out[k], out[k]))
            return 0;
    return 1;
}

static void check(poy_ctx *ctx, poy_backend *be, const golden_case *c)
{
    poy_array *base[INPUTS_MAX] = {NULL}, *window[INPUTS_MAX] = {NULL}, *out[OUTPUTS_MAX] = {NULL};
    poy_status status = POY_OK;

    for (int k = 0; k < c->n_in && status == POY_OK; k++)
        status = make_input(ctx, be, &c->in[k], &base[k], &window[k]);
    if (status == POY_OK)
        status = golden_run(ctx, be, c, window, out);
    ok(judge(ctx, c, status, out), "%s", c->id);
    for (int k = 0; k < OUTPUTS_MAX; k++)
        poy_array_destroy(&out[k]);
    for (int k = 0; k < c->n_in; k++) {
        poy_array_destroy(&window[k]);
        poy_array_destroy(&base[k]);
    }
}

/* A box of 256 points: bins by the sum formula; the backward transform gives it back and keeps its input, bit for bit,
 * though FFTW alone would not. */
static void box(poy_ctx *ctx, poy_backend *be)
{
    enum { N = 256, HALF = N / 2 + 1 };
    static const double bins[][3] = {{0, 86, 0},
                                     {1, -70.89750729710212, 0.8700869911087119},
                                     {2, 34.93998995929051, -0.8577286100002721},
                                     {127, -0.010678109865331464, 0.8700869911087115},
                                     {128, 0, 0}};
    double x[N], spectrum[2 * HALF], again[2 * HALF], back[N], worst = 0;
    int64_t n = N;
    poy_array *a = NULL, *s = NULL, *b = NULL;
    poy_fft_options o;

    for (int j = 0; j < N; j++)
        x[j] = j >= 86 && j < 172;
    poy_fft_options_init(&o);
    o.kind = POY_FFT_R2C;
    ok(poy_array_create(ctx, be, POY_F64, 1, &n, &a) == POY_OK && poy_array_write(ctx, a, x) == POY_OK &&
           poy_fft(ctx, a, &o, &s) == POY_OK && poy_array_read(ctx, s, spectrum) == POY_OK,
       "the spectrum of a box");
    for (size_t i = 0; i < sizeof bins / sizeof bins[0]; i++) {
        const double *z = &spectrum[2 * (int)bins[i][0]];
        worst =
            fmax(worst, hypot(z[0] - bins[i][1], z[1] - bins[i][2]) / (1e-12 + 1e-12 * hypot(bins[i][1], bins[i][2])));
    }
    ok(worst <= 1, "is that of the sum formula: %.2g of 1e-12", worst);
    o.kind = POY_FFT_C2R;
    o.sign = 1;
    o.scale = 1.0 / N;
    ok(poy_fft(ctx, s, &o, &b) == POY_OK && poy_array_read(ctx, b, back) == POY_OK &&
           poy_array_read(ctx, s, again) == POY_OK && !memcmp(again, spectrum, sizeof spectrum),
       "the way back keeps its input");
    worst = 0;
    for (int j = 0; j < N; j++)
        worst = fmax(worst, fabs(back[j] - x[j]));
    ok(worst <= 1e-12, "and gives the box: %.2g", worst);
    poy_array_destroy(&b);
    poy_array_destroy(&s);
    poy_array_destroy(&a);
}

int main(int argc, char **argv)
{
    static golden_case c;
    poy_ctx *ctx = NULL;
    poy_backend *be = NULL;

    file = fopen(POY_TESTS_DIR "/golden/ops.txt", "r");
    if (!ok(file && poy_ctx_create(&ctx) == POY_OK, "the golden operations are there"))
        return tap_done();
    poy_status status = poy_backend_open(ctx, argc > 1 ? argv[1] : "cpu", &be);
    if (status == POY_ERR_UNSUPPORTED)
        return 77;
    ok(status == POY_OK, "backend");
    keyword("cases");
    int cases = (int)integer();
    for (int i = 0; i < cases && !broken; i++) {
        read_case(&c);
        if (!broken)
            check(ctx, be, &c);
    }
    ok(!broken && cases == 161, "%d cases were read", cases);
    box(ctx, be);
    fclose(file);
    poy_backend_close(&be);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* test_golden_ops.c: the golden operations of tests/golden/ops.txt (see tools/golden_ops.py) on one backend, and the spectrum of a
 * box. usage: test_golden_ops BACKEND. */
#include <math.h>
#include <string.h>

#include "poynting/conform_golden.h"
#include "poynting/poynting.h"
#include "tap.h"

static void tell(void *user, const poy_conform_golden_case *c)
{
    (void)user;
    if (!ok(c->passed, "%s", c->id))
        note("%s", c->failure);
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
    const char *const spec = argc > 1 ? argv[1] : "cpu";
    poy_ctx *ctx = NULL;
    poy_backend *be = NULL;
    int cases = 0, failed = 0;
    poy_conform_options o;

    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_status status = poy_backend_open(ctx, spec, &be);
    if (status == POY_ERR_UNSUPPORTED)
        return 77;
    ok(status == POY_OK, "backend");
    poy_conform_options_init(&o);
    o.backend = spec;
    status = poy_conform_golden(ctx, &o, POY_TESTS_DIR "/golden", tell, NULL, &cases, &failed);
    ok(status == POY_OK && cases == 161 && failed == 0, "%d cases were read, %d failed: %s", cases, failed,
       poy_ctx_cause(ctx));
    box(ctx, be);
    ok(poy_conform_golden(ctx, &o, POY_TESTS_DIR "/nowhere", NULL, NULL, &cases, &failed) == POY_ERR_IO,
       "a file that is not there: %s", poy_ctx_cause(ctx));
    ok(poy_conform_golden(ctx, &o, POY_TESTS_DIR "/tap.h", NULL, NULL, &cases, &failed) == POY_ERR_ARGUMENT &&
           strstr(poy_ctx_cause(ctx), "tap.h:1:"),
       "one that is no such file: %s", poy_ctx_cause(ctx));
    poy_backend_close(&be);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

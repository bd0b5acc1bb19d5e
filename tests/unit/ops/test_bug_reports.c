/* test_bug_reports.c: public reports of faults in transforms of other programs, as the array layer meets them (fft-1, fft-2):
 * inputs that a transform destroys, data that planning overwrites. docs/array-layer.md lists all reports with their tests. */
#include "poynting/ops.h"

#include "array_fixture.h"

enum { BOX = 256, MEASURED = 18 };

static poy_fft_options options(poy_fft_kind kind, double scale)
{
    poy_fft_options o;
    poy_fft_options_init(&o);
    o.kind = kind;
    o.sign = kind == POY_FFT_C2R ? 1 : -1;
    o.scale = scale;
    return o;
}

/* Component by component, to 1e-12 of the number and 1e-12. */
static int is_bin(const double *y, int k, double re, double im)
{
    const double size = hypot(re, im);
    return hypot(y[2 * k] - re, y[2 * k + 1] - im) <= 1e-12 + 1e-12 * size;
}

/* FFTW, issue 12: a transform to real numbers destroys its input. Bins of a box by the sum of its terms. */
static void box(void)
{
    double x[BOX], back[BOX], y[BOX + 2], after[BOX + 2], worst = 0;
    const poy_fft_options forward = options(POY_FFT_R2C, 1), backward = options(POY_FFT_C2R, 1.0 / BOX);
    for (int j = 0; j < BOX; j++)
        x[j] = j >= 86 && j < 172;
    poy_array *a = vector_of(POY_F64, BOX, x), *spectrum = NULL, *b = NULL;
    MUST(poy_fft(ctx, a, &forward, &spectrum));
    MUST(poy_array_read(ctx, spectrum, y));
    ok(is_bin(y, 0, 86, 0) && is_bin(y, 1, -70.89750729710212, 0.8700869911087119) &&
           is_bin(y, 2, 34.93998995929051, -0.8577286100002721) &&
           is_bin(y, 127, -0.010678109865331464, 0.8700869911087115) && is_bin(y, 128, 0, 0),
       "fft-1: five bins of the box");
    ok(is_vector(a, POY_F64, BOX, x), "fft-1: x is as it was, bit for bit");
    MUST(poy_fft(ctx, spectrum, &backward, &b));
    MUST(poy_array_read(ctx, spectrum, after));
    MUST(poy_array_read(ctx, b, back));
    ok(!memcmp(y, after, sizeof y), "fft-1: the spectrum, too, after the transform to real numbers");
    for (int j = 0; j < BOX; j++)
        worst = fmax(worst, fabs(back[j] - x[j]));
    ok(worst < 4 * 8 * 0x1p-52, "fft-1: which gives the box back: %.1e", worst);
    poy_array_destroy(&a);
    poy_array_destroy(&b);
    poy_array_destroy(&spectrum);
}

/* FFTW.jl, issue 226: planning with measurement, after the data is there, overwrites it. A fresh context has no plans. */
static void measured_plan(void)
{
    double ones[MEASURED], y[MEASURED + 2];
    const poy_fft_options forward = options(POY_FFT_R2C, 1);
    for (int j = 0; j < MEASURED; j++)
        ones[j] = 1;
    poy_array *a = vector_of(POY_F64, MEASURED, ones), *spectrum = NULL;
    MUST(poy_fft(ctx, a, &forward, &spectrum));
    MUST(poy_array_read(ctx, spectrum, y));
    ok(is_vector(a, POY_F64, MEASURED, ones), "fft-2: ones are ones after a plan was made for them");
    ok(y[0] == 18 && y[1] == 0, "fft-2: bin 0 is 18: %.17g", y[0]);
    poy_array_destroy(&a);
    poy_array_destroy(&spectrum);
}

static void test(void)
{
    note("on %s", poy_backend_name(be));
    box();
    measured_plan();
}

int main(void)
{
    return on_each_backend(test);
}

/* test_fft.c: the host's Fourier transform against its own sum, its inverse and Parseval's theorem. */
#include <math.h>
#include <stdlib.h>

#include "core/core.h"
#include "math/fft.h"
#include "tap.h"

static poy_ctx *ctx;

static double *noise(int64_t n)
{
    double *x = calloc((size_t)n * 2, sizeof *x);
    for (int64_t i = 0; x && i < n; i++)
        poy_random_uniform2(7, (uint64_t)n, (uint64_t)i, x + 2 * i);
    return x;
}

/* Largest error against the sum in long double, relative to the root of the mean square of the result. */
static double error_of(int sign, int64_t n)
{
    double *x = noise(n), *y = noise(n), worst = 0.0, square = 0.0;
    if (x && y && poyi_fft(ctx, sign, n, y) == POY_OK)
        for (int64_t k = 0; k < n; k++) {
            long double re = 0.0L, im = 0.0L;
            for (int64_t j = 0; j < n; j++) {
                const long double a = sign * 2 * acosl(-1.0L) * (long double)(j * k % n) / (long double)n;
                re += (long double)x[2 * j] * cosl(a) - (long double)x[2 * j + 1] * sinl(a);
                im += (long double)x[2 * j] * sinl(a) + (long double)x[2 * j + 1] * cosl(a);
            }
            worst = fmax(worst, (double)hypotl(re - (long double)y[2 * k], im - (long double)y[2 * k + 1]));
            square += (double)(re * re + im * im);
        }
    else
        worst = NAN;
    free(x);
    free(y);
    return worst / sqrt(square / (double)n);
}

static void check_inverse(int64_t n)
{
    double *x = noise(n), *y = noise(n), worst = 0.0;
    long double before = 0.0L, after = 0.0L;
    int done = x && y && poyi_fft(ctx, -1, n, y) == POY_OK;
    for (int64_t i = 0; done && i < 2 * n; i++)
        after += (long double)y[i] * (long double)y[i];
    done = done && poyi_fft(ctx, +1, n, y) == POY_OK;
    for (int64_t i = 0; done && i < 2 * n; i++) {
        before += (long double)x[i] * (long double)x[i];
        worst = fmax(worst, fabs(y[i] / (double)n - x[i]));
    }
    ok(done && worst < 3e-15, "n = %lld: there and back, worst error %.1e of numbers below 1", (long long)n, worst);
    const double parseval = (double)(after / (long double)n / before - 1.0L);
    ok(done && fabs(parseval) < 4e-15, "n = %lld: Parseval (%.1e)", (long long)n, parseval);
    free(x);
    free(y);
}

int main(void)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 16, 30, 77, 100, 121, 128, 169, 360, 37, 250, 1024};

    poy_ctx_create(&ctx);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            /* Each of the log2 n levels adds about eps of the mean modulus; prime factors p add p / 2 terms. */
            const double error = error_of(sign, sizes[i]);
            ok(error < 4e-15, "n = %lld, sign %+d: worst error %.1e of the mean modulus", (long long)sizes[i], sign,
               error);
        }
    check_inverse(1 << 17);
    check_inverse(90000);
    double none[2] = {0.0, 0.0};
    ok(poyi_fft(ctx, -1, 0, none) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_ctx_bytes(ctx) == 0, "nothing is left in the ledger");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* fft_strict.c: the self-sorting Fourier transform of any length, by its prime factors. */
#include <math.h>
#include <string.h>

#include "core/core.h"
#include "math/fft.h"
#include "math/math.h"

/* exp(sign 2 pi i j / n), from an angle of at most pi/4, so that the error is below 1 ulp of 1 everywhere. */
static void unit_root(int sign, int64_t j, int64_t n, double *root)
{
    const int64_t quadrant = (4 * j + n / 2) / n; /* the nearest multiple of a quarter turn: 0 .. 4 */
    const double angle = (double)(2 * POYI_PIL * (long double)(4 * j - quadrant * n) / (4 * (long double)n));
    const double c = cos(angle), s = sin(angle);
    const double re[4] = {c, -s, -c, s}, im[4] = {s, c, -s, -c};
    root[0] = re[quadrant % 4];
    root[1] = sign * im[quadrant % 4];
}

/* One pass of radix 2: pairs (p, p + half) of stride-long runs, y[2 p] = a + b, y[2 p + 1] = (a - b) w^p. */
static void pass_2(int64_t half, int64_t stride, const double *roots, const double *x, double *y)
{
    for (int64_t p = 0; p < half; p++) {
        const double wr = roots[2 * p * stride], wi = roots[2 * p * stride + 1];
        const double *a = x + 2 * p * stride, *b = x + 2 * (p + half) * stride;
        double *sum = y + 4 * p * stride, *difference = sum + 2 * stride;
        for (int64_t q = 0; q < 2 * stride; q += 2) {
            const double re = a[q] - b[q], im = a[q + 1] - b[q + 1];
            sum[q] = a[q] + b[q];
            sum[q + 1] = a[q + 1] + b[q + 1];
            difference[q] = re * wr - im * wi;
            difference[q + 1] = re * wi + im * wr;
        }
    }
}

/* One pass of radix r: y[r p + k] = w^(p k) sum over j of x[p + j part] exp(sign 2 pi i j k / r). */
static void pass_r(int64_t r, int64_t part, int64_t stride, const double *roots, const double *x, double *y)
{
    const int64_t whole = r * part;
    for (int64_t p = 0; p < part; p++)
        for (int64_t k = 0; k < r; k++) {
            const double *turn = roots + 2 * (p * k % whole) * stride;
            for (int64_t q = 0; q < stride; q++) {
                double re = 0.0, im = 0.0;
                for (int64_t j = 0; j < r; j++) {
                    const double *w = roots + 2 * (j * k % r) * part * stride;
                    const double *a = x + 2 * ((p + j * part) * stride + q);
                    re += a[0] * w[0] - a[1] * w[1];
                    im += a[0] * w[1] + a[1] * w[0];
                }
                double *out = y + 2 * ((r * p + k) * stride + q);
                out[0] = re * turn[0] - im * turn[1];
                out[1] = re * turn[1] + im * turn[0];
            }
        }
}

static int64_t smallest_factor(int64_t n)
{
    for (int64_t p = 2; p * p <= n; p++)
        if (n % p == 0)
            return p;
    return n;
}

poy_status poyi_fft(poy_ctx *ctx, int sign, int64_t n, double *x)
{
    double *roots = NULL, *work = NULL;
    size_t bytes;
    poy_status status;

    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "transform of %lld elements: needs at least 1", (long long)n);
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, (size_t)n, 2 * sizeof *x, &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "math.fft", bytes, (void **)&roots));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "math.fft", bytes, (void **)&work));
    for (int64_t j = 0; j < n; j++)
        unit_root(sign < 0 ? -1 : 1, j, n, roots + 2 * j);

    double *from = x, *to = work;
    for (int64_t left = n, stride = 1; left > 1;) {
        const int64_t r = smallest_factor(left), part = left / r;
        if (r == 2)
            pass_2(part, stride, roots, from, to);
        else
            pass_r(r, part, stride, roots, from, to);
        double *swap = from;
        from = to;
        to = swap;
        left = part;
        stride *= r;
    }
    if (from != x)
        memcpy(x, from, bytes);
done:
    poyi_free((void **)&work);
    poyi_free((void **)&roots);
    return status;
}

/* fields.c: the spectra that files hold, from and to the state and the time domain. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "poynting/array.h"
#include "poynting/ops.h"
#include "run/session.h"

/* Bins above the carrier come first in a transform, those below it last. */
static int64_t rising(int64_t k, int64_t n)
{
    return (k + n / 2) % n; /* where bin k of the transform stands in rising order; n/2 bins are below for even n */
}

void poyi_field_to_spectrum(const poy_grid_info *g, const double *A, double *S)
{
    const double scale = g->dt / sqrt(2 * POYI_PI);
    for (int64_t k = 0; k < g->n_w; k++) {
        int64_t at = rising(k, g->n_w);
        S[2 * at] = scale * A[2 * k];
        S[2 * at + 1] = scale * A[2 * k + 1];
    }
}

poy_status poyi_field_power(poy_ctx *ctx, int64_t n, double domega, const double *S, double *power)
{
    /* A(t) = (1/N) sum_k A_k exp(...), A_k = S_k sqrt(2 pi) / dt, dt = 2 pi / (N domega) */
    const double scale = domega / sqrt(2 * POYI_PI);
    poy_fft_options o;
    poy_backend *be = NULL;
    poy_array *x = NULL, *y = NULL;
    double *buffer = NULL;
    poy_status status;

    poy_fft_options_init(&o);
    o.sign = 1;
    o.scale = scale;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "run.plane", (size_t)n * 2 * sizeof *buffer, (void **)&buffer));
    POYI_TO_DONE(ctx, poy_backend_open(ctx, "auto", &be));
    for (int64_t k = 0; k < n; k++)
        memcpy(buffer + 2 * k, S + 2 * rising(k, n), 2 * sizeof *buffer);
    POYI_TO_DONE(ctx, poy_array_wrap(ctx, be, POY_C128, 1, &n, NULL, buffer, &x));
    POYI_TO_DONE(ctx, poy_fft(ctx, x, &o, &y));
    POYI_TO_DONE(ctx, poy_array_read(ctx, y, buffer));
    for (int64_t i = 0; i < n; i++)
        power[i] = buffer[2 * i] * buffer[2 * i] + buffer[2 * i + 1] * buffer[2 * i + 1];
done:
    poy_array_destroy(&y);
    poy_array_destroy(&x);
    poy_backend_close(&be);
    poyi_free((void **)&buffer);
    return status;
}

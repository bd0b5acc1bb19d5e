/* fields.c: the spectra that files hold, from and to the state and the time domain. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "poynting/array.h"
#include "poynting/ops.h"
#include "pulse/spectral.h"
#include "run/session.h"

/* Bins above an envelope's carrier come first in a transform, those below it last; those of a real field rise from 0. */
static int64_t rising(const poy_grid_info *g, int64_t k)
{
    return g->field == POY_FIELD_REAL ? k : (k + g->n_w / 2) % g->n_w; /* n/2 bins are below for even n */
}

void poyi_field_to_spectrum(const poy_grid_info *g, const double *A, double *S)
{
    const double scale = poyi_spectral_scale(g);
    for (int64_t k = 0; k < g->n_w; k++) {
        int64_t at = rising(g, k);
        S[2 * at] = scale * A[2 * k];
        S[2 * at + 1] = scale * A[2 * k + 1];
    }
}

void poyi_field_omega(const poy_grid *grid, double *omega)
{
    const poy_grid_info *g = poy_grid_get(grid);
    for (int64_t k = 0; k < g->n_w; k++)
        omega[rising(g, k)] = poy_grid_omega(grid)[k];
}

void poyi_field_bins(int64_t n_w, int64_t n_t, const double *S, double *A)
{
    if (n_w == n_t) {
        for (int64_t k = 0; k < n_t; k++)
            memcpy(A + 2 * k, S + 2 * ((k + n_t / 2) % n_t), 2 * sizeof *A);
        return;
    }
    memset(A, 0, (size_t)n_t * 2 * sizeof *A); /* the analytic signal of a real field */
    memcpy(A + 2, S + 2, (size_t)(n_w - 2) * 2 * sizeof *A);
}

poy_status poyi_field_transform(poy_ctx *ctx, poy_backend *be, int64_t n, int sign, double scale, double *data)
{
    poy_fft_options o;
    poy_array *x = NULL, *y = NULL;
    poy_status status;
    poy_fft_options_init(&o);
    o.sign = sign;
    o.scale = scale;
    POYI_TO_DONE(ctx, poy_array_wrap(ctx, be, POY_C128, 1, &n, NULL, data, &x));
    POYI_TO_DONE(ctx, poy_fft(ctx, x, &o, &y));
    POYI_TO_DONE(ctx, poy_array_read(ctx, y, data));
done:
    poy_array_destroy(&y);
    poy_array_destroy(&x);
    return status;
}

poy_status poyi_field_power(poy_ctx *ctx, int64_t columns, int64_t n_w, int64_t n_t, double domega, const double *S,
                            double *power)
{
    /* A(t) = (1/N) sum_k A_k exp(...), A_k = S_k sqrt(2 pi) / dt, dt = 2 pi / (N domega) */
    const double scale = domega / sqrt(2.0 * POYI_PI);
    poy_backend *be = NULL;
    double *buffer = NULL;
    poy_status status;

    memset(power, 0, (size_t)n_t * sizeof *power);
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "run.plane", (size_t)n_t * 2 * sizeof *buffer, (void **)&buffer));
    POYI_TO_DONE(ctx, poy_backend_open(ctx, "auto", &be));
    for (int64_t c = 0; c < columns; c++) {
        poyi_field_bins(n_w, n_t, S + 2 * c * n_w, buffer);
        POYI_TO_DONE(ctx, poyi_field_transform(ctx, be, n_t, 1, scale, buffer));
        for (int64_t i = 0; i < n_t; i++)
            power[i] += buffer[2 * i] * buffer[2 * i] + buffer[2 * i + 1] * buffer[2 * i + 1];
    }
done:
    poy_backend_close(&be);
    poyi_free((void **)&buffer);
    return status;
}

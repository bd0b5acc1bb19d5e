/* raman.c: silica's Raman response as the spectrum that the march multiplies with. */
#include <string.h>

#include "core/constants.h"
#include "core/core.h"
#include "math/fft.h"
#include "media/media.h"
#include "pulse/response/response.h"

static const poyi_raman_model media_model[] = {
    [POY_RAMAN_OFF] = POYI_RAMAN_MODEL_COUNT, /* none */
    [POY_RAMAN_BLOW_WOOD] = POYI_RAMAN_BLOW_WOOD,
    [POY_RAMAN_LIN_AGRAWAL] = POYI_RAMAN_LIN_AGRAWAL,
    [POY_RAMAN_HOLLENBECK_CANTRELL] = POYI_RAMAN_HOLLENBECK_CANTRELL,
};

double poyi_raman_model_fraction(poy_raman_model model)
{
    return model == POY_RAMAN_OFF ? 0.0 : poyi_raman_fraction(media_model[model]);
}

static poy_status analytic(poy_ctx *ctx, poyi_raman_model model, int64_t n, double dt, double *H)
{
    for (int64_t k = 0; k <= n / 2; k++) {
        const double omega = 2.0 * POYI_PI * (double)k / ((double)n * dt);
        POYI_TRY(ctx, poyi_raman_silica_transform(ctx, model, omega, &H[2 * k]));
        H[2 * k] /= (double)n;
        H[2 * k + 1] /= (double)n;
    }
    return POY_OK;
}

static poy_status sampled(poy_ctx *ctx, poyi_raman_model model, int start_full, int64_t n, double dt, double *H)
{
    double *h = NULL;
    size_t bytes;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_mul_size(ctx, (size_t)n, 2 * sizeof *h, &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "response.raman", bytes, (void **)&h));
    for (int64_t m = 0; m < n; m++) {
        POYI_TO_DONE(ctx, poyi_raman_silica(ctx, model, (double)m * dt, &h[2 * m]));
        h[2 * m] *= dt / (double)n;
        h[2 * m + 1] = 0.0;
    }
    if (!start_full)
        h[0] *= 0.5;
    POYI_TO_DONE(ctx, poyi_fft(ctx, -1, n, h));
    memcpy(H, h, (size_t)(n / 2 + 1) * 2 * sizeof *h);
done:
    poyi_free((void **)&h);
    return status;
}

poy_status poyi_raman_spectrum(poy_ctx *ctx, const poy_physics_options *physics, int64_t n, double dt, double *H)
{
    const poyi_raman_model model = media_model[physics->raman];
    return physics->raman_kernel == POY_RAMAN_ANALYTIC ? analytic(ctx, model, n, dt, H)
                                                       : sampled(ctx, model, physics->raman_start_full, n, dt, H);
}

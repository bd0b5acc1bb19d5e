/* gas.c: the Raman response of the gases in a guide: whose lines take part, and their spectrum. */
#include <string.h>

#include "math/fft.h"
#include "media/media.h"
#include "pulse/response/response.h"
#include "pulse/setup/medium.h"

static poy_status make_lines(poy_ctx *ctx, const poyi_medium *m, const poy_gas_options *o, int i, poy_gas_raman **out)
{
    const poy_gas *gas = poy_guide_gas(m->guide, i);
    poy_gas_raman_options options;
    int by_default = 0;

    *out = NULL;
    poyi_raman_gas_source(poy_gas_species(gas), &by_default);
    if (o->raman < 0 && !by_default)
        return POY_OK;
    poy_gas_raman_options_init(&options);
    options.rotation = o->raman_rotation;
    options.vibration = o->raman_vibration;
    options.rotation_lifetime = o->rotation_lifetime;
    options.vibration_lifetime = o->vibration_lifetime;
    return poy_gas_raman_create(ctx, gas, poyi_guide_temperature(m->guide), &options, out);
}

static int has_rotation(const poy_gas_raman *lines)
{
    poy_raman_line line[1];
    return lines && poy_gas_raman_lines(lines, 1, line) > 0 && line[0].kind == POY_RAMAN_ROTATION; /* they come first */
}

/* Of a mixture, raman = on asks for the lines of those gases that have any; of a single gas without, it is an error. */
poy_status poyi_medium_make_raman(poy_ctx *ctx, poy_problem *p, const poy_gas_options *gas)
{
    poyi_medium *m = p->medium;
    const int n = poy_guide_gas_count(m->guide);
    for (int i = 0; gas->raman && i < n; i++) {
        int by_default = 0;
        if (n > 1 && !poyi_raman_gas_source(poy_gas_species(poy_guide_gas(m->guide, i)), &by_default))
            continue;
        POYI_TRY(ctx, make_lines(ctx, m, gas, i, &m->raman[i]));
        p->raman |= m->raman[i] != NULL;
    }
    /* What turns with the molecules answers with 1/4 of it to the sum of two components' squares, and with 3/4 to their
     * difference and product (a response of trace 0, normalised for one component); vibrations answer to the sum. */
    for (int i = 0; i < n && p->n_pol > 1; i++)
        p->tensor |= has_rotation(m->raman[i]);
    p->raman_scale = p->raman ? 1.0 : 0.0;
    p->n_delay = p->raman ? 2 * p->n_to : p->n_to;
    return POY_OK;
}

poy_status poyi_gas_raman_spectrum(poy_ctx *ctx, int gases, poy_gas_raman *const *lines, const double *density,
                                   const double shares[2], int64_t n, double dt, double *H)
{
    const double last = (double)(n - 1) * dt, edge = 0.7 * last;
    double *h = NULL;
    size_t bytes;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_mul_size(ctx, (size_t)n, 4 * sizeof *h, &bytes));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "response.raman", bytes, (void **)&h));
    for (int64_t m = 0; m < n; m++) {
        const double t = (double)m * dt;
        double sum = 0.0;
        for (int i = 0; i < gases; i++)
            if (lines[i] && density[i] > 0.0) {
                double of[2];
                poyi_gas_raman_kinds(lines[i], density[i], t, of);
                sum += density[i] * (shares[0] * of[0] + shares[1] * of[1]);
            }
        h[2 * m] = sum * poyi_planck_taper(t, -last, -edge, edge, last) * dt / (double)(2 * n);
    }
    POYI_TO_DONE(ctx, poyi_fft(ctx, -1, 2 * n, h));
    memcpy(H, h, (size_t)(n + 1) * 2 * sizeof *h);
done:
    poyi_free((void **)&h);
    return status;
}

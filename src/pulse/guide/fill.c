/* fill.c: the gas in a hollow guide: a mixture with partial pressures, its densities along the profile of the pressure. */
#include <stdio.h>
#include <stdlib.h>

#include "pulse/guide/kind.h"

enum { SERIES_MAX = 193 };

/* ---- density over pressure ---- */

typedef struct state_of {
    poy_ctx *ctx;
    const poyi_fill *fill;
    int i;
    poy_status status;
} state_of;

static double density_over_pressure(void *user, double pressure)
{
    state_of *s = user;
    double density = 0.0;
    if (s->status == POY_OK)
        s->status =
            poy_gas_density(s->ctx, s->fill->gas[s->i], s->fill->eos, pressure, s->fill->temperature, &density, NULL);
    return s->status == POY_OK ? density / pressure : (double)NAN;
}

/* rho/p over 0 ... share pressure_max to rounding: 25 terms do it far from the critical point. */
static poy_status make_series(poy_ctx *ctx, poyi_fill *fill, int i)
{
    const double most = fill->share[i] * fill->pressure_max;
    double c[SERIES_MAX];
    for (int n = 25; n <= SERIES_MAX; n = 2 * n - 1) {
        state_of user = {ctx, fill, i, POY_OK};
        const poy_status status = poyi_chebyshev_fit(ctx, density_over_pressure, &user, 0.0, most, n, c);
        POYI_TRY(ctx, user.status);
        POYI_TRY(ctx, status);
        if (fabs(c[n - 1]) + fabs(c[n - 2]) > 4e-16 * c[0])
            continue;
        while (n > 1 && fabs(c[n - 1]) < 2e-17 * c[0])
            n--;
        fill->series[i] = malloc((size_t)n * sizeof *c);
        if (!fill->series[i])
            return POYI_FAIL(ctx, POY_ERR_MEMORY, "gas.fill: no memory for the density of %s",
                             poy_gas_name(fill->gas[i]));
        fill->n_series[i] = n;
        for (int k = 0; k < n; k++)
            fill->series[i][k] = c[k];
        return POY_OK;
    }
    return POYI_FAIL(ctx, POY_ERR_RANGE,
                     "gas.pressure: up to %g bar %s comes so close to its critical point that its density cannot be "
                     "interpolated: raise the temperature or lower the pressure",
                     most / POYI_BAR, poy_gas_name(fill->gas[i]));
}

/* ---- making ---- */

static poy_status check_shares(poy_ctx *ctx, const poy_fill_options *o, poyi_fill *out)
{
    double sum = 0.0;
    for (int i = 0; i < o->n_gases; i++) {
        out->share[i] = o->shares ? o->shares[i] : 1.0;
        if (!(out->share[i] > 0.0) || !(out->share[i] <= 1.0 + 1e-9))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "gas.fill: %s has the share %g of the pressure: above 0, at most 1",
                             o->gases[i], out->share[i]);
        sum += out->share[i];
    }
    if (fabs(sum - 1.0) > 1e-9)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "gas.fill: the shares of %d gases add up to %.12g: make it 1",
                         o->n_gases, sum);
    return POY_OK;
}

static poy_status check_gases(poy_ctx *ctx, const poy_fill_options *o)
{
    if (o->n_gases < 0 || o->n_gases > POY_GUIDE_GASES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "gas.fill: %d gases: 0 (vacuum) to %d", o->n_gases,
                         POY_GUIDE_GASES_MAX);
    for (int i = 0; i < o->n_gases; i++)
        if (!o->gases || !o->gases[i])
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "gas.fill: gas %d of %d has no name", i + 1, o->n_gases);
    return POY_OK;
}

static poy_status fill_in(poy_ctx *ctx, const poy_fill_options *o, poyi_fill *out)
{
    double least = 0.0;
    POYI_TRY(ctx, check_gases(ctx, o));
    if (o->n_gases == 0)
        return POY_OK;
    POYI_TRY(ctx, check_shares(ctx, o, out));
    for (int i = 0; i < o->n_gases; i++) {
        POYI_TRY(ctx, poy_gas_create(ctx, o->gases[i], &out->gas[i]));
        out->n = i + 1;
    }
    POYI_TRY(ctx, poyi_check_choice(ctx, "gas.eos", (int)o->eos, 2, "helmholtz, ideal"));
    POYI_TRY(ctx, poyi_check_positive(ctx, "gas.temperature", o->temperature, "K"));
    out->eos = o->eos;
    out->extrapolate = o->extrapolate;
    out->temperature = o->temperature;
    POYI_TRY(ctx, poyi_along_create(ctx, "gas.pressure", "Pa", POYI_BETWEEN_SQUARE, 1, &o->pressure, &out->pressure));
    poyi_along_range(&out->pressure, &least, &out->pressure_max);
    POYI_TRY(ctx, poyi_fill_density_at(ctx, out, out->pressure_max, out->density));
    for (int i = 0; i < out->n && poyi_along_varies(&out->pressure); i++)
        POYI_TRY(ctx, make_series(ctx, out, i));
    return POY_OK;
}

poy_status poyi_fill_create(poy_ctx *ctx, const poy_fill_options *o, poyi_fill *out)
{
    *out = (poyi_fill){0};
    const poy_status status = fill_in(ctx, o, out);
    if (status != POY_OK)
        poyi_fill_fini(out);
    return status;
}

void poyi_fill_fini(poyi_fill *fill)
{
    for (int i = 0; i < POY_GUIDE_GASES_MAX; i++) {
        if (fill->gas[i])
            poy_gas_destroy(&fill->gas[i]);
        free(fill->series[i]);
    }
    poyi_along_fini(&fill->pressure);
    *fill = (poyi_fill){0};
}

/* ---- use ---- */

void poyi_fill_density(const poyi_fill *fill, double pressure, double *density)
{
    for (int i = 0; i < fill->n; i++) {
        const double p = fill->share[i] * pressure, most = fill->share[i] * fill->pressure_max;
        density[i] = fill->series[i] ? p * poyi_chebyshev_eval(fill->n_series[i], fill->series[i], 0.0, most, p)
                                     : fill->density[i];
    }
}

poy_status poyi_fill_density_at(poy_ctx *ctx, const poyi_fill *fill, double pressure, double *density)
{
    double all[POY_GUIDE_GASES_MAX] = {0};
    for (int i = 0; i < fill->n; i++)
        POYI_TRY(ctx, poy_gas_density(ctx, fill->gas[i], fill->eos, fill->share[i] * pressure, fill->temperature,
                                      &all[i], NULL));
    for (int i = 0; i < fill->n; i++)
        density[i] = all[i];
    return POY_OK;
}

poy_status poyi_fill_susceptibility(poy_ctx *ctx, const poyi_fill *fill, const double *density, double omega, int order,
                                    poyi_jet *out)
{
    poyi_jet sum = poyi_jet_constant(order, 0.0), one;
    for (int i = 0; i < fill->n; i++) {
        POYI_TRY(ctx, poyi_gas_polarisability(ctx, fill->gas[i], omega, order, &one));
        sum = poyi_jet_add_scaled(sum, density[i], one);
    }
    *out = sum;
    return POY_OK;
}

/* mixture.c: index and Kerr effect of gases side by side, each with its own density. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "media/gas.h"
#include "media/media.h"

/* ---- linear ---- */

static poy_status check_density(poy_ctx *ctx, const poy_gas_part *part)
{
    if (!(part->density >= 0.0) || !isfinite(part->density))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: density %g 1/m3: it must be 0 or above", part->gas->row->name,
                         part->density);
    return POY_OK;
}

/* chi1 of a mixture as a Taylor series in the frequency. Errors: as poy_gas_susceptibility. */
static poy_status gas_susceptibility(poy_ctx *ctx, int count, const poy_gas_part *parts, double omega, int order,
                                     poyi_jet *out)
{
    poyi_jet sum = poyi_jet_constant(order < 0 || order > POYI_JET_MAX ? 0 : order, 0.0), one = sum;
    for (int i = 0; i < count; i++) {
        POYI_TRY(ctx, check_density(ctx, &parts[i]));
        POYI_TRY(ctx, poyi_gas_polarisability(ctx, parts[i].gas, omega, order, &one));
        sum = poyi_jet_add_scaled(sum, parts[i].density, one);
    }
    *out = sum;
    return POY_OK;
}

poy_status poy_gas_susceptibility(poy_ctx *ctx, int count, const poy_gas_part *parts, double omega, int order,
                                  double *out)
{
    poyi_jet chi;
    POYI_TRY(ctx, gas_susceptibility(ctx, count, parts, omega, order, &chi));
    poyi_jet_derivatives(&chi, omega, out);
    return POY_OK;
}

poy_status poy_gas_index(poy_ctx *ctx, int count, const poy_gas_part *parts, double omega, int order, double *out)
{
    poyi_jet chi;
    POYI_TRY(ctx, gas_susceptibility(ctx, count, parts, omega, order, &chi));
    poyi_jet n = poyi_jet_sqrt(poyi_jet_offset(chi, 1.0));
    poyi_jet over = poyi_jet_div(chi, poyi_jet_offset(n, 1.0));
    poyi_jet_derivatives(&over, omega, out);
    return POY_OK;
}

/* ---- third order ---- */

typedef enum kerr_kind { KERR_HELIUM, KERR_RATIO, KERR_INDEX } kerr_kind;

typedef struct kerr_row {
    const char *species;
    kerr_kind kind;
    double value;
    const char *reference, *source;
} kerr_row;

#define KERR(species, kind, value, reference, source) {species, KERR_##kind, value, reference, source},
static const kerr_row kerr_rows[] = {
#include "media/data/kerr.def"
};
#undef KERR

static const kerr_row *kerr_find(const char *species)
{
    for (size_t i = 0; i < sizeof kerr_rows / sizeof *kerr_rows; i++)
        if (!strcmp(kerr_rows[i].species, species))
            return &kerr_rows[i];
    return NULL;
}

const char *poyi_kerr_source(const char *species)
{
    const kerr_row *row = kerr_find(species);
    return row ? row->source : NULL;
}

static poy_status from_index(poy_ctx *ctx, const poy_gas *gas, double n2, double *gamma3)
{
    poy_gas_part part = {gas, 0.0};
    double excess = 0.0;
    POYI_TRY(ctx, poy_gas_density(ctx, gas, POY_EOS_HELMHOLTZ, POYI_ATM, POYI_ROOM_TEMPERATURE, &part.density, NULL));
    POYI_TRY(ctx, poy_gas_index(ctx, 1, &part, 2.0 * POYI_PI * POYI_C / 800e-9, 0, &excess));
    const double n0 = 1.0 + excess;
    *gamma3 = 4.0 / 3.0 * POYI_EPS0 * POYI_C * n0 * n0 * n2 / part.density;
    return POY_OK;
}

poy_status poy_gas_hyperpolarisability(poy_ctx *ctx, const poy_gas *gas, double *gamma3)
{
    const kerr_row *row = kerr_find(gas->row->species), *base = row;
    double density = 0.0, ratio = 1.0;
    if (!row)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "%s has no known third-order hyperpolarisability: give a mixture of gases that have one",
                         gas->row->name);
    if (row->kind == KERR_INDEX)
        return from_index(ctx, gas, row->value, gamma3);
    if (row->kind == KERR_RATIO) {
        ratio = row->value;
        base = kerr_find(row->reference);
    }
    const poyi_fluid *fluid = poyi_fluid_find(base->species);
    POYI_TRY(ctx, poyi_fluid_density(ctx, fluid, POYI_ATM, POYI_ZERO_CELSIUS, &density, NULL));
    *gamma3 = ratio * 4.0 * base->value * 3.43e-28 / (density * POYI_NA);
    return POY_OK;
}

poy_status poy_gas_chi3(poy_ctx *ctx, int count, const poy_gas_part *parts, double *chi3)
{
    double sum = 0.0, gamma3 = 0.0;
    for (int i = 0; i < count; i++) {
        POYI_TRY(ctx, check_density(ctx, &parts[i]));
        POYI_TRY(ctx, poy_gas_hyperpolarisability(ctx, parts[i].gas, &gamma3));
        sum += gamma3 * parts[i].density;
    }
    *chi3 = sum;
    return POY_OK;
}

poy_status poy_gas_n2(poy_ctx *ctx, int count, const poy_gas_part *parts, double omega, double *n2)
{
    double chi3 = 0.0, excess = 0.0;
    POYI_TRY(ctx, poy_gas_chi3(ctx, count, parts, &chi3));
    POYI_TRY(ctx, poy_gas_index(ctx, count, parts, omega, 0, &excess));
    *n2 = 0.75 * chi3 / (POYI_EPS0 * POYI_C * (1.0 + excess) * (1.0 + excess));
    return POY_OK;
}

/* ionisation.c: ionisation data of the species, options of the rates, and the ADK rate. */
#include "media/ionisation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "math/math.h"
#include "media/media.h"

typedef struct row {
    const char *species;
    double potential; /* E_h, of 27.21138602 eV */
    int orbital;      /* -1: unknown */
    double charge;
    double neutral, ion; /* polarisabilities, atomic units */
    poy_ionisation_model model;
    const char *source;
} row;

#define IONISATION(species, potential, orbital, charge, neutral, ion, model, source) \
    {species, potential, orbital, charge, neutral, ion, POY_IONISATION_##model, source},
static const row rows[] = {
#include "media/data/ionisation.def"
};
#undef IONISATION

static const row *find(const char *species)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].species, species))
            return &rows[i];
    return NULL;
}

const char *poyi_ionisation_source(const char *species)
{
    const row *r = find(species);
    return r ? r->source : NULL;
}

void poy_ionisation_options_init(poy_ionisation_options *options)
{
    *options = (poy_ionisation_options){
        .size = sizeof *options,
        .model = POY_IONISATION_AUTO,
        .wavelength = NAN,
        .stark = 1,
        .dipole = 1,
        .sum_m = 1,
        .occupancy = 2.0,
        .coefficient = NAN,
        .tolerance = 1e-12,
        .potential = NAN,
        .orbital = -1,
        .charge = NAN,
    };
}

/* ---- making ---- */

static poy_status check_options(poy_ctx *ctx, const char *species, const poy_ionisation_options *o)
{
    if (o->size != sizeof *o)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "ionisation options of %zu bytes: this library's have %zu: fill them with "
                         "poy_ionisation_options_init",
                         o->size, sizeof *o);
    if (o->model < POY_IONISATION_AUTO || o->model > POY_IONISATION_PPT)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: ionisation model %d: there are auto, adk, ppt", species,
                         (int)o->model);
    if (!isnan(o->potential) && !(o->potential > 0.0 && isfinite(o->potential)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: ionisation potential %g J: it must be above 0", species,
                         o->potential);
    if (!isnan(o->charge) && !(o->charge > 0.0 && isfinite(o->charge)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: charge %g of the ion: it must be above 0", species, o->charge);
    if (!isnan(o->coefficient) && !(o->coefficient > 0.0 && isfinite(o->coefficient)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: C_nl^2 = %g: it must be above 0", species, o->coefficient);
    if (!(o->occupancy > 0.0) || !isfinite(o->occupancy))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: occupancy %g: it must be above 0", species, o->occupancy);
    if (o->orbital > POYI_PHI_ORDER_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: orbital l = %d: 0 to %d are built", species, o->orbital,
                         POYI_PHI_ORDER_MAX);
    if (!(o->tolerance >= 1e-15 && o->tolerance <= 1e-3))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: tolerance %g of the sum: it must be 1e-15 to 1e-3", species,
                         o->tolerance);
    return POY_OK;
}

/* Fills in what the options leave to the species. */
static poy_status resolve(poy_ctx *ctx, const row *r, poy_ionisation *it)
{
    poy_ionisation_options *o = &it->options;
    if (isnan(o->potential) && !r)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "no ionisation potential is known for %s: give it, or switch the plasma off", it->species);
    if (isnan(o->potential))
        o->potential = r->potential * 27.21138602 * POYI_E;
    if (o->orbital < 0 && r)
        o->orbital = r->orbital;
    const int charged = !isnan(o->charge);
    if (!charged)
        o->charge = r ? r->charge : 1.0;
    if (o->model == POY_IONISATION_AUTO)
        o->model = r ? r->model : POY_IONISATION_ADK;
    if (o->model == POY_IONISATION_PPT && (o->orbital < 0 || (!r && !charged)))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "the ppt rate needs orbital and charge, which are not known for %s: use adk, or give them",
                         it->species);
    if (o->model == POY_IONISATION_PPT && !(o->wavelength > 0.0 && isfinite(o->wavelength)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: wavelength %g m of the ppt rate: it must be above 0", it->species,
                         o->wavelength);
    if (r && o->model == POY_IONISATION_PPT) {
        it->stark = o->stark ? 0.5 * (r->neutral - r->ion) : 0.0;
        it->dipole = o->dipole ? r->ion : 0.0;
    }
    return POY_OK;
}

static poy_status prepare_ppt(poy_ctx *ctx, poy_ionisation *it)
{
    const size_t count = (size_t)it->options.orbital + 1;
    it->phi = malloc(count * sizeof *it->phi);
    if (!it->phi)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the ionisation rate of %s", it->species);
    for (size_t m = 0; m < count; m++)
        poyi_phi_init(&it->phi[m], (int)m);
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, POYI_PPT_GAUSS, it->gauss_x, it->gauss_w));
    return POY_OK;
}

poy_status poy_ionisation_create(poy_ctx *ctx, const poy_gas *gas, const poy_ionisation_options *options,
                                 poy_ionisation **out)
{
    poy_status status;
    const char *species = gas ? poy_gas_species(gas) : "this species";
    poy_ionisation *it = NULL;

    POYI_TRY(ctx, check_options(ctx, species, options));
    it = calloc(1, sizeof *it);
    if (!it)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the ionisation rate of %s", species);
    snprintf(it->species, sizeof it->species, "%s", species);
    it->options = *options;
    POYI_TO_DONE(ctx, resolve(ctx, gas ? find(species) : NULL, it));
    if (it->options.model == POY_IONISATION_PPT)
        POYI_TO_DONE(ctx, prepare_ppt(ctx, it));
    *out = it;
    it = NULL;
done:
    poy_ionisation_destroy(&it);
    return status;
}

void poy_ionisation_destroy(poy_ionisation **ionisation)
{
    if (*ionisation)
        free((*ionisation)->phi);
    free(*ionisation);
    *ionisation = NULL;
}

/* ---- asking ---- */

poy_ionisation_model poy_ionisation_model_of(const poy_ionisation *it)
{
    return it->options.model;
}

double poy_ionisation_potential(const poy_ionisation *it)
{
    return it->options.potential;
}

double poy_ionisation_barrier_field(const poy_ionisation *it)
{
    const double z = it->options.charge, n = z / sqrt(2.0 * it->options.potential / POYI_HARTREE);
    return z * z * z / (16.0 * pow(n, 4.0)) * POYI_FIELD_AU;
}

double poy_ionisation_keldysh(const poy_ionisation *it, double field)
{
    const double omega = 2.0 * POYI_PI * POYI_C / it->options.wavelength;
    return omega * sqrt(2.0 * POYI_ME * it->options.potential) / (POYI_E * fabs(field));
}

/* ---- rates ---- */

/* In atomic units, where w_p = I and w_t = E/sqrt(2I). */
static double adk_log_rate(const poy_ionisation *it, double field)
{
    const poy_ionisation_options *o = &it->options;
    const double potential = o->potential / POYI_HARTREE, k = sqrt(2.0 * potential), n = 1.0 / k;
    const double e = field / POYI_FIELD_AU, x = potential * k / e; /* w_p/w_t */
    const double c2 =
        isnan(o->coefficient) ? pow(2.0, 2.0 * n) / (n * poyi_gamma(n + 1.0) * poyi_gamma(n)) : o->coefficient;
    double log_rate = log(potential * c2 / POYI_TIME_AU) + (2.0 * n - 1.0) * log(4.0 * x) - 4.0 / 3.0 * x;
    if (o->cycle_averaged)
        log_rate += 0.5 * log(3.0 / POYI_PI * e / (k * k * k));
    return log_rate;
}

double poyi_ionisation_log_rate(const poy_ionisation *it, double field)
{
    return it->options.model == POY_IONISATION_PPT ? poyi_ppt_log_rate(it, field) : adk_log_rate(it, field);
}

poy_status poy_ionisation_rate(poy_ctx *ctx, const poy_ionisation *it, double field, double *rate)
{
    if (!isfinite(field))
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "ionisation rate of %s at the field %g V/m: it must be finite",
                         it->species, field);
    const double value = field == 0.0 ? 0.0 : exp(poyi_ionisation_log_rate(it, fabs(field)));
    if (!isfinite(value))
        return POYI_FAIL(ctx, POY_ERR_NONFINITE,
                         "ionisation rate of %s at %g V/m: far beyond the model, whose barrier is "
                         "gone at %.3g V/m",
                         it->species, field, poy_ionisation_barrier_field(it));
    *rate = value;
    return POY_OK;
}

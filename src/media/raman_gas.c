/* raman_gas.c: Raman lines of molecular gases, their lifetimes and the response in time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "media/media.h"

enum { J_MAX = 50, LINES_MAX = J_MAX + 1 };

typedef struct width {
    double constant, per_amagat, times_amagat; /* full width C + B r + A/r in Hz */
    double lifetime;                           /* s, if it is this and not a width that is known */
} width;

typedef struct row {
    const char *species;
    int by_default;
    double b, d, odd, even, anisotropy;
    double rotation_per_amagat, rotation_times_amagat, rotation_lifetime;
    double omega, slope, mass;
    double vibration_constant, vibration_per_amagat, vibration_times_amagat, vibration_lifetime;
    const char *source;
} row;

#define RAMAN(...) {__VA_ARGS__},
static const row rows[] = {
#include "media/data/raman_gas.def"
};
#undef RAMAN

struct poy_gas_raman {
    poy_raman_line lines[LINES_MAX];
    int count;
    width widths[2]; /* by poy_raman_kind */
};

static const row *find(const char *species)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].species, species))
            return &rows[i];
    return NULL;
}

const char *poyi_raman_gas_source(const char *species, int *by_default)
{
    const row *r = find(species);
    *by_default = r && r->by_default;
    return r ? r->source : NULL;
}

void poy_gas_raman_options_init(poy_gas_raman_options *options)
{
    *options = (poy_gas_raman_options){
        .size = sizeof *options,
        .rotation = 1,
        .vibration = 1,
        .rotation_lifetime = NAN,
        .vibration_lifetime = NAN,
    };
}

/* ---- lines ---- */

static void add(poy_gas_raman *raman, poy_raman_kind kind, double strength, double omega)
{
    raman->lines[raman->count++] = (poy_raman_line){strength, omega, kind};
}

static void add_rotation(poy_gas_raman *raman, const row *r, double temperature)
{
    double energy[J_MAX + 1], population[J_MAX + 1], sum = 0.0;
    int count = 0;
    for (int j = 0; j <= J_MAX; j++) {
        const double jj = j * (j + 1.0);
        energy[j] = 2.0 * POYI_PI * POYI_HBAR * POYI_C * (r->b * jj - r->d * jj * jj);
        if (j && energy[j] < energy[j - 1])
            break;
        population[j] = (j % 2 ? r->odd : r->even) * (2.0 * j + 1.0) * exp(-energy[j] / (POYI_KB * temperature));
        sum += population[j];
        count++;
    }
    const double volume = 4.0 * POYI_PI * POYI_EPS0, alpha = volume * r->anisotropy; /* C m^2/V */
    const double front = 2.0 / 15.0 * alpha * alpha / POYI_HBAR;
    for (int j = 0; j + 2 < count; j++) {
        const double below = population[j] / sum / (2.0 * j + 1.0), above = population[j + 2] / sum / (2.0 * j + 5.0);
        add(raman, POY_RAMAN_ROTATION, front * (j + 1.0) * (j + 2.0) / (2.0 * j + 3.0) * (below - above),
            (energy[j + 2] - energy[j]) / POYI_HBAR);
    }
}

static void add_vibration(poy_gas_raman *raman, const row *r)
{
    const double slope = 4.0 * POYI_PI * POYI_EPS0 * r->slope;
    add(raman, POY_RAMAN_VIBRATION, slope * slope / (4.0 * r->mass * r->omega), r->omega);
}

/* The width of a kind; the caller's lifetime goes first. */
static poy_status set_width(poy_ctx *ctx, const char *name, const char *kind, width data, double lifetime, width *out)
{
    *out = data;
    if (!isnan(lifetime)) {
        if (!(lifetime > 0.0))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: lifetime %g s of the %s: it must be above 0", name, lifetime,
                             kind);
        *out = (width){.lifetime = lifetime};
    } else if (data.constant == 0.0 && data.per_amagat == 0.0 && data.times_amagat == 0.0 && data.lifetime == 0.0) {
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "%s: no Raman linewidth of the %s is published: give its lifetime, or switch it off", name,
                         kind);
    }
    return POY_OK;
}

static poy_status fill(poy_ctx *ctx, const char *name, const row *r, double temperature, const poy_gas_raman_options *o,
                       poy_gas_raman *raman)
{
    if (o->rotation && r->b > 0.0) {
        const width data = {0.0, r->rotation_per_amagat, r->rotation_times_amagat, r->rotation_lifetime};
        POYI_TRY(ctx, set_width(ctx, name, "rotation", data, o->rotation_lifetime, &raman->widths[POY_RAMAN_ROTATION]));
        add_rotation(raman, r, temperature);
    }
    if (o->vibration && r->omega > 0.0) {
        const width data = {r->vibration_constant, r->vibration_per_amagat, r->vibration_times_amagat,
                            r->vibration_lifetime};
        POYI_TRY(ctx,
                 set_width(ctx, name, "vibration", data, o->vibration_lifetime, &raman->widths[POY_RAMAN_VIBRATION]));
        add_vibration(raman, r);
    }
    if (!raman->count)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s has no Raman lines of the kinds asked for", name);
    return POY_OK;
}

poy_status poy_gas_raman_create(poy_ctx *ctx, const poy_gas *gas, double temperature,
                                const poy_gas_raman_options *options, poy_gas_raman **out)
{
    poy_gas_raman_options standard;
    const char *name = poy_gas_name(gas);
    const row *r = find(poy_gas_species(gas));

    poy_gas_raman_options_init(&standard);
    if (!options)
        options = &standard;
    if (options->size != sizeof *options)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "Raman options of %zu bytes: this library's have %zu: fill them with "
                         "poy_gas_raman_options_init",
                         options->size, sizeof *options);
    if (!r)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s has no Raman lines: switch Raman off", name);
    if (!(temperature > 0.0) || !isfinite(temperature))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: temperature %g K: it must be above 0", name, temperature);
    poy_gas_raman *raman = calloc(1, sizeof *raman);
    if (!raman)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the Raman lines of %s", name);
    const poy_status status = fill(ctx, name, r, temperature, options, raman);
    if (status != POY_OK) {
        poy_gas_raman_destroy(&raman);
        return poyi_passed(ctx, status, "fill", __func__, __FILE__, __LINE__);
    }
    *out = raman;
    return POY_OK;
}

void poy_gas_raman_destroy(poy_gas_raman **raman)
{
    free(*raman);
    *raman = NULL;
}

/* ---- asking ---- */

int poy_gas_raman_lines(const poy_gas_raman *raman, int max, poy_raman_line *out)
{
    for (int i = 0; i < raman->count && i < max; i++)
        out[i] = raman->lines[i];
    return raman->count;
}

double poy_gas_raman_lifetime(const poy_gas_raman *raman, poy_raman_kind kind, double density)
{
    const width *w = &raman->widths[kind];
    const double amagat = density / POYI_AMAGAT;
    if (w->lifetime > 0.0)
        return w->lifetime;
    double full = w->constant + w->per_amagat * amagat;
    if (w->times_amagat > 0.0)
        full += w->times_amagat / amagat;
    return 1.0 / (POYI_PI * full);
}

void poyi_gas_raman_kinds(const poy_gas_raman *raman, double density, double t, double out[2])
{
    for (int kind = 0; kind < 2; kind++)
        out[kind] = 0.0;
    for (int i = 0; i < raman->count && t > 0.0; i++)
        out[raman->lines[i].kind] += raman->lines[i].strength * sin(raman->lines[i].omega * t);
    for (int kind = 0; kind < 2; kind++) {
        const double lifetime = poy_gas_raman_lifetime(raman, (poy_raman_kind)kind, density);
        out[kind] *= lifetime > 0.0 ? exp(-t / lifetime) : 0.0;
    }
}

double poy_gas_raman_response(const poy_gas_raman *raman, double density, double t)
{
    double of[2] = {0.0, 0.0};
    if (isnan(t))
        return t;
    poyi_gas_raman_kinds(raman, density, t, of);
    return of[POY_RAMAN_ROTATION] + of[POY_RAMAN_VIBRATION];
}

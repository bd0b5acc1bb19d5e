/* simple.c: guides given by Taylor coefficients of beta: beta = sum_k beta_k (omega - omega_0)^k/k!. */
#include <stdio.h>

#include <stdlib.h>

#include "pulse/guide/kind.h"

void poy_simple_guide_options_init(poy_simple_guide_options *o)
{
    *o = (poy_simple_guide_options){.size = sizeof *o};
}

enum { BETA_MAX = 32 };

typedef struct taylor {
    double omega0, area;
    int n;
    double beta[BETA_MAX];
} taylor;

/* n - 1 = c beta/omega - 1. */
static poy_status index_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                           int order, poyi_cjet *out)
{
    const taylor *own = guide->own;
    poyi_cjet x = poyi_cjet_offset(poyi_cjet_power_of_frequency(order, omega, 1.0), -own->omega0);
    poyi_cjet sum = poyi_cjet_constant(order, 0.0);
    (void)ctx;
    (void)mode;
    (void)place;
    for (int k = own->n - 1; k >= 0; k--) {
        sum = poyi_cjet_scale(poyi_cjet_mul(sum, x), 1.0 / (double)(k + 1));
        sum = poyi_cjet_offset(sum, own->beta[k]);
    }
    sum = poyi_cjet_mul(sum, poyi_cjet_power_of_frequency(order, POYI_C / omega, -1.0));
    *out = poyi_cjet_offset(sum, -1.0);
    return POY_OK;
}

static poy_status area_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                          double *area)
{
    const taylor *own = guide->own;
    (void)ctx;
    (void)mode;
    (void)place;
    (void)omega;
    *area = own->area;
    return POY_OK;
}

static const poyi_kind simple = {.name = "fibre", .index = index_of, .area = area_of, .fini = free};

poy_status poy_guide_create_simple(poy_ctx *ctx, const poy_simple_guide_options *options, poy_guide **out)
{
    poy_status status;
    poy_guide *guide = NULL;
    poy_simple_guide_options o;

    poy_simple_guide_options_init(&o);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_simple_guide_options", options, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, poyi_check_positive(ctx, "fibre.beta_at", o.wavelength, "m"));
    POYI_TRY(ctx, poyi_check_positive(ctx, "fibre.effective_area", o.effective_area, "m2"));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "fibre.attenuation", o.attenuation, "1/m"));
    if (o.n_beta < 2 || o.n_beta > BETA_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "fibre.beta: %d coefficients from beta_0 on: give 2 to %d", o.n_beta,
                         BETA_MAX);
    POYI_TRY(ctx, poyi_check_list(ctx, "fibre.beta", o.beta, o.n_beta, "s^n/m"));
    POYI_TO_DONE(ctx, poyi_guide_new(ctx, &simple, &guide));
    guide->attenuation = o.attenuation;
    taylor *own = calloc(1, sizeof *own);
    guide->own = own;
    if (!own) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.type: no memory for a fibre");
        goto done;
    }
    *own = (taylor){.omega0 = 2.0 * POYI_PI * POYI_C / o.wavelength, .area = o.effective_area, .n = o.n_beta};
    for (int k = 0; k < o.n_beta; k++)
        own->beta[k] = o.beta[k];
    POYI_TO_DONE(ctx, poyi_guide_set_modes(ctx, guide, NULL, 1, POY_MODE_HE, POYI_ROUND_MODES));
    *out = guide;
    guide = NULL;
done:
    poy_guide_destroy(&guide);
    return status;
}

/* matter.c: materials of a scattering recipe at a wavenumber. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "run/recipe/material.h"
#include "run/scatter/scatter.h"

static poy_status constant(poy_ctx *ctx, const poyi_material_choice *m, const char *key, poyi_matter *out)
{
    if (m->epsilon_im < 0 || m->k < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: an imaginary part below 0 is gain here (n + ik, exp(-iwt)): change its sign", key);
    if (m->epsilon_re == 0 && m->epsilon_im == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a permittivity of 0: give another", key);
    if (m->mu == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a permeability of 0: give another", key);
    out->constant = (poy_medium){{m->epsilon_re, m->epsilon_im}, {m->mu, 0}, {m->kappa, 0}};
    return POY_OK;
}

poy_status poyi_matter_create(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const char *key, poyi_matter *out)
{
    const poyi_material_choice m = poyi_material_choose(r, node);
    *out = (poyi_matter){NULL, poy_medium_dielectric((poy_c128){1, 0})};
    if (m.missing)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: missing: name a material", key);
    if (m.constant)
        return constant(ctx, &m, key, out);
    if (m.name && !strcmp(m.name, "vacuum"))
        return POY_OK;
    poy_status status = m.file ? poy_material_parse(ctx, m.file, m.text, strlen(m.text), &out->material)
                               : poy_material_create(ctx, m.name, &out->material);
    if (status == POY_ERR_ARGUMENT || status == POY_ERR_UNSUPPORTED) {
        char cause[600];
        strncpy(cause, poy_ctx_cause(ctx), sizeof cause - 1);
        cause[sizeof cause - 1] = '\0';
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s", key, cause);
    }
    if (status == POY_OK && m.extrapolate)
        poy_material_set_extrapolate(out->material, 1);
    return status;
}

void poyi_matter_fini(poyi_matter *m)
{
    poy_material_destroy(&m->material);
}

poy_status poyi_matter_at(poy_ctx *ctx, const poyi_matter *m, double k0, poy_medium *out)
{
    double n[2];
    *out = m->constant;
    if (!m->material)
        return POY_OK;
    POYI_TRY(ctx, poy_material_index(ctx, m->material, k0 * POYI_C, 0, n));
    *out = poy_medium_dielectric((poy_c128){(n[0] - n[1]) * (n[0] + n[1]), 2 * n[0] * n[1]});
    return POY_OK;
}

poy_status poyi_matter_slope(poy_ctx *ctx, const poyi_matter *m, double k0, poy_c128 *out)
{
    double n[4]; /* n + ik, and its derivative by the angular frequency */
    *out = (poy_c128){0, 0};
    if (!m->material)
        return POY_OK;
    POYI_TRY(ctx, poy_material_index(ctx, m->material, k0 * POYI_C, 1, n));
    *out = (poy_c128){2 * POYI_C * (n[0] * n[2] - n[1] * n[3]), 2 * POYI_C * (n[0] * n[3] + n[1] * n[2])};
    return POY_OK;
}

int poyi_matter_absorbs(const poy_medium *m)
{
    return m->epsilon.im != 0 || m->mu.im != 0 || m->kappa.im != 0 || !(m->epsilon.re > 0) || !(m->mu.re > 0);
}

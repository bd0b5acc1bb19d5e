/* material.c: materials as objects: made of a constant, a formula, tables or a crystal's two indices; their index. */
#include "media/material.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "media/media.h"

/* ---- making ---- */

static char *copy_of(const char *text)
{
    const size_t bytes = strlen(text ? text : "") + 1;
    char *copy = malloc(bytes);
    if (copy)
        memcpy(copy, text ? text : "", bytes);
    return copy;
}

poy_status poyi_material_new(poy_ctx *ctx, const char *name, const char *source, const char *comment,
                             poy_material **out)
{
    poy_material *m = calloc(1, sizeof *m);
    if (m) {
        m->first = 0.0;
        m->last = INFINITY;
        m->n2 = NAN;
        m->constant[0] = 1.0;
        m->name = copy_of(name);
        m->source = copy_of(source);
        m->comment = copy_of(comment);
    }
    if (!m || !m->name || !m->source || !m->comment) {
        poy_material_destroy(&m);
        POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the material %s", name);
        return POY_ERR_MEMORY;
    }
    *out = m;
    return POY_OK;
}

void poy_material_destroy(poy_material **material)
{
    poy_material *m = *material;
    if (m) {
        poyi_curve_destroy(&m->n);
        poyi_curve_destroy(&m->k);
        free(m->name);
        free(m->source);
        free(m->comment);
    }
    free(m);
    *material = NULL;
}

static void narrow(poy_material *m, double first, double last)
{
    m->first = fmax(m->first, first);
    m->last = fmin(m->last, last);
}

poy_status poyi_material_set_table(poy_ctx *ctx, poy_material *m, poyi_interpolation kind, size_t count,
                                   const double *lambda, const double *n, const double *k)
{
    for (size_t i = 0; k && i < count; i++)
        if (k[i] < 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: row %zu of the table has k = %g: it must be 0 or above (n + ik, absorbing)", m->name,
                             i + 1, k[i]);
    m->kind = POY_MATERIAL_TABLE;
    if (n)
        POYI_TRY(ctx, poyi_curve_create(ctx, m->name, kind, count, lambda, n, &m->n));
    if (k)
        POYI_TRY(ctx, poyi_curve_create(ctx, m->name, kind, count, lambda, k, &m->k));
    narrow(m, lambda[0], lambda[count - 1]);
    return POY_OK;
}

poy_status poyi_material_set_formula(poy_ctx *ctx, poy_material *m, const poyi_formula *formula, double first,
                                     double last)
{
    POYI_TRY(ctx, poyi_formula_check(ctx, m->name, formula));
    if (!(first > 0.0) || !(last > first))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: wavelengths %g to %g um are no range", m->name, first, last);
    m->kind = POY_MATERIAL_FORMULA;
    m->formula = *formula;
    narrow(m, first, last);
    return POY_OK;
}

poy_status poy_material_create_constant(poy_ctx *ctx, double n, double k, poy_material **out)
{
    poy_material *m = NULL;
    if (!isfinite(n) || !isfinite(k))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "index %g + %gi: it must be finite", n, k);
    POYI_TRY(ctx, poyi_material_new(ctx, "constant", NULL, NULL, &m));
    m->kind = POY_MATERIAL_CONSTANT;
    m->constant[0] = n;
    m->constant[1] = k;
    *out = m;
    return POY_OK;
}

poy_status poy_material_create_table(poy_ctx *ctx, const char *name, size_t count, const double *lambda,
                                     const double *n, const double *k, poy_material **out)
{
    poy_status status;
    poy_material *m = NULL;
    void *um = NULL;
    size_t bytes = 0;

    POYI_TRY(ctx, poyi_mul_size(ctx, count, sizeof(double), &bytes));
    POYI_TO_DONE(ctx, poyi_material_new(ctx, name, NULL, NULL, &m));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "media.table", bytes, &um));
    for (size_t i = 0; i < count; i++)
        ((double *)um)[i] = lambda[i] * 1e6;
    POYI_TO_DONE(ctx, poyi_material_set_table(ctx, m, POYI_TABLE_MONOTONE, count, um, n, k));
    *out = m;
    m = NULL;
done:
    poyi_free(&um);
    poy_material_destroy(&m);
    return status;
}

poy_status poy_material_create_uniaxial(poy_ctx *ctx, const char *name, double angle, poy_material **out)
{
    poy_status status;
    poy_material *m = NULL, *o = NULL, *e = NULL;
    char row[80];

    if (!isfinite(angle))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: angle %g rad: it must be finite", name, angle);
    snprintf(row, sizeof row, "%s:o", name);
    POYI_TO_DONE(ctx, poy_material_create(ctx, row, &o));
    snprintf(row, sizeof row, "%s:e", name);
    POYI_TO_DONE(ctx, poy_material_create(ctx, row, &e));
    if (!o->formula.number || !e->formula.number) {
        status =
            POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: only indices given by formulas make a crystal at an angle", name);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_material_new(ctx, name, o->source, NULL, &m));
    m->kind = POY_MATERIAL_FORMULA;
    m->formula = o->formula;
    m->extraordinary = e->formula;
    m->ordinary_share = cos(angle) * cos(angle);
    narrow(m, o->first, o->last);
    narrow(m, e->first, e->last);
    *out = m;
    m = NULL;
done:
    poy_material_destroy(&m);
    poy_material_destroy(&o);
    poy_material_destroy(&e);
    return status;
}

/* ---- asking ---- */

void poy_material_info(const poy_material *m, poy_material_row *out)
{
    *out = (poy_material_row){
        .name = m->name,
        .kind = m->kind,
        .lambda_min = m->first * 1e-6,
        .lambda_max = m->last * 1e-6,
        .n2 = m->n2,
        .source = m->source,
        .comment = m->comment,
    };
}

void poy_material_set_extrapolate(poy_material *m, int on)
{
    m->extrapolate = on != 0;
}

poy_status poy_material_n2(poy_ctx *ctx, const poy_material *m, double *n2)
{
    if (!isfinite(m->n2))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "no n2 is known for %s: give n2", m->name);
    *n2 = m->n2;
    return POY_OK;
}

/* A wavelength at the end of the data may come back from a frequency a few roundings off. */
static poy_status check_um(poy_ctx *ctx, const poy_material *m, double um)
{
    const double slack = 1e-12 * um;
    if (m->extrapolate || (um >= m->first - slack && um <= m->last + slack))
        return POY_OK;
    const int below = um < m->first, is_file = strchr(m->name, '.') != NULL; /* no name of a table in a recipe */
    return POYI_FAIL(ctx, POY_ERR_RANGE, "%s index data end at %.6g nm, %s %.6g nm: %s it, or %s%s%s", m->name,
                     (below ? m->first : m->last) * 1e3, below ? "above" : "below", um * 1e3, below ? "raise" : "lower",
                     is_file ? "use materials.NAME = { file = \"" : "set materials.", m->name,
                     is_file ? "\", extrapolate = true }" : ".extrapolate = true");
}

poy_status poy_material_check_range(poy_ctx *ctx, const poy_material *m, double lambda_min, double lambda_max)
{
    if (!(lambda_min > 0.0) || !(lambda_max >= lambda_min))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: wavelengths %g to %g m are no range", m->name, lambda_min,
                         lambda_max);
    POYI_TRY(ctx, check_um(ctx, m, lambda_min * 1e6));
    POYI_TRY(ctx, check_um(ctx, m, lambda_max * 1e6));
    return POY_OK;
}

/* ---- the index ---- */

/* n and k, u in um. */
static poy_status index_at(poy_ctx *ctx, const poy_material *m, poyi_jet u, poyi_jet *n, poyi_jet *k)
{
    *n = poyi_jet_constant(u.order, m->constant[0]);
    *k = poyi_jet_constant(u.order, m->constant[1]);
    if (m->formula.number)
        POYI_TRY(ctx, poyi_formula_index(ctx, m->name, &m->formula, u.c[0], u.order, n, k));
    if (m->n)
        *n = poyi_curve_at(m->n, u);
    if (m->k)
        *k = poyi_curve_at(m->k, u);
    if (m->k && k->c[0] < 0.0)
        *k = poyi_jet_constant(u.order, 0.0);
    return POY_OK;
}

/* *n, the ordinary index, becomes (share/n_o^2 + (1 - share)/n_e^2)^(-1/2). */
static poy_status turn_crystal(poy_ctx *ctx, const poy_material *m, poyi_jet u, poyi_jet *n)
{
    poyi_jet e, k;
    POYI_TRY(ctx, poyi_formula_index(ctx, m->name, &m->extraordinary, u.c[0], u.order, &e, &k));
    if (!(n->c[0] > 0.0) || !(e.c[0] > 0.0))
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "%s is not transparent at %.6g nm: use another wavelength", m->name,
                         u.c[0] * 1e3);
    poyi_jet sum = poyi_jet_scale(poyi_jet_pow(*n, -2.0), m->ordinary_share);
    sum = poyi_jet_add_scaled(sum, 1.0 - m->ordinary_share, poyi_jet_pow(e, -2.0));
    *n = poyi_jet_pow(sum, -0.5);
    return POY_OK;
}

poy_status poyi_material_index(poy_ctx *ctx, const poy_material *m, double omega, int order, poyi_jet *n, poyi_jet *k)
{
    if (order < 0 || order > POY_DERIVATIVES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: derivative of order %d: orders 0 to %d are built", m->name, order,
                         POY_DERIVATIVES_MAX);
    if (!(omega > 0.0) || !isfinite(omega))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: angular frequency %g rad/s: it must be above 0", m->name, omega);
    const double um = 2e6 * POYI_PI * POYI_C / omega;
    POYI_TRY(ctx, check_um(ctx, m, um));
    /* Within the slack of check_um a table still ends at its last point. */
    const double inside = m->extrapolate ? um : fmin(fmax(um, m->first), m->last);
    const poyi_jet u = poyi_jet_power_of_frequency(order, inside, -1.0);
    POYI_TRY(ctx, index_at(ctx, m, u, n, k));
    if (m->extraordinary.number)
        POYI_TRY(ctx, turn_crystal(ctx, m, u, n));
    return POY_OK;
}

poy_status poy_material_index(poy_ctx *ctx, const poy_material *m, double omega, int order, double *out)
{
    poyi_jet n, k;
    double re[POY_DERIVATIVES_MAX + 1], im[POY_DERIVATIVES_MAX + 1];
    POYI_TRY(ctx, poyi_material_index(ctx, m, omega, order, &n, &k));
    poyi_jet_derivatives(&n, omega, re);
    poyi_jet_derivatives(&k, omega, im);
    for (int i = 0; i <= order; i++)
        if (!isfinite(re[i]) || !isfinite(im[i]))
            return POYI_FAIL(ctx, POY_ERR_NONFINITE,
                             "%s: derivative %d of the index is not finite at %.6g nm: its data are not an index's",
                             m->name, i, 2e9 * POYI_PI * POYI_C / omega);
    for (size_t i = 0; i <= (size_t)order; i++) {
        out[2 * i] = re[i];
        out[2 * i + 1] = im[i];
    }
    return POY_OK;
}

/* media.h: what light meets, for the rooms above: gases as Taylor series, Raman responses of silica. Users see
 * poynting/media.h. */
#ifndef POYI_MEDIA_H
#define POYI_MEDIA_H

#include <math.h>

#include "core/core.h"
#include "media/jet.h"
#include "poynting/media.h"

/* ---- gases ---- */

/* gamma1 in m^3 as a Taylor series in the frequency. Errors: as poy_gas_polarisability. */
poy_status poyi_gas_polarisability(poy_ctx *ctx, const poy_gas *gas, double omega, int order, poyi_jet *out);
/* Where the hyperpolarisability, the ionisation data of a species come from; NULL: none are known. */
const char *poyi_kerr_source(const char *species);
const char *poyi_ionisation_source(const char *species);
/* The same of the Raman lines, and whether they belong to the default model of the gas. */
const char *poyi_raman_gas_source(const char *species, int *by_default);
/* poy_gas_raman_response by kinds: out[kind], rotation and vibration. t not above 0: 0. */
void poyi_gas_raman_kinds(const poy_gas_raman *raman, double density, double t, double out[2]);

/* ---- ionisation ---- */

/* A rate table for kernels: points pairs (ln W, step d ln W/dE) at field_min + i step. Below field_min W is 0. Borrowed
 * from the table. */
typedef struct poyi_rate_view {
    double field_min, field_max, step; /* V/m */
    size_t points;
    const double *nodes;
    int hold; /* above field_max: 1 the rate of field_max, 0 a fault */
} poyi_rate_view;

poyi_rate_view poyi_ionisation_table_view(const poy_ionisation_table *table);

/* W in 1/s at 0 <= field <= field_max, and *slope = dW/dE: the cubic with the values and slopes of both nodes. */
static inline double poyi_rate_at(const poyi_rate_view *view, double field, double *slope)
{
    double x = (field - view->field_min) / view->step;
    if (x < 0.0) {
        *slope = 0.0;
        return 0.0;
    }
    size_t i = (size_t)x;
    if (i > view->points - 2)
        i = view->points - 2;
    const double *p = view->nodes + 2 * i, t = x - (double)i, rise = p[2] - p[0];
    const double a = p[1] - rise, b = rise - p[3]; /* p0 + t rise + t (1 - t) ((1 - t) a + t b) */
    const double log_rate = p[0] + t * rise + t * (1.0 - t) * ((1.0 - t) * a + t * b);
    const double d = rise + (1.0 - 2.0 * t) * ((1.0 - t) * a + t * b) + t * (1.0 - t) * (b - a);
    const double rate = exp(log_rate);
    *slope = rate * d / view->step;
    return rate;
}

/* The refusal of a field above the table, for a caller that adds where it happened. Returns POY_ERR_RANGE. */
poy_status poyi_ionisation_table_above(poy_ctx *ctx, const poy_ionisation_table *table, double field);

/* ---- materials ---- */

/* n and k as Taylor series in the frequency. Errors: as poy_material_index. */
poy_status poyi_material_index(poy_ctx *ctx, const poy_material *material, double omega, int order, poyi_jet *n,
                               poyi_jet *k);

/* ---- Raman response of fused silica ---- */

typedef enum poyi_raman_model {
    POYI_RAMAN_BLOW_WOOD,
    POYI_RAMAN_LIN_AGRAWAL,
    POYI_RAMAN_HOLLENBECK_CANTRELL,
    POYI_RAMAN_MODEL_COUNT
} poyi_raman_model;

/* *h = h_R(t) in 1/s at t (s): causal (0 for t < 0), integral over t of 1.
 * blow_wood            h = (t1^2 + t2^2)/(t1 t2^2) exp(-t/t2) sin(t/t1), t1 = 12.2 fs, t2 = 32 fs.
 *                      K. J. Blow, D. Wood, IEEE J. Quantum Electron. 25, 2665 (1989).
 * lin_agrawal          h = (1 - fb) h_blow_wood + fb (2 tb - t)/tb^2 exp(-t/tb), tb = 96 fs, fb = 0.21. It jumps to
 *                      2 fb/tb at t = 0: a sampled response gives the sample n = 0 half of its weight.
 *                      Q. Lin, G. P. Agrawal, Opt. Lett. 31, 3086 (2006).
 * hollenbeck_cantrell  h = N sum_i A_i exp(-g_i t - G_i^2 t^2/4) sin(w_i t), 13 modes, N such that the integral over
 *                      0 ... 3 ps is 1. D. Hollenbeck, C. D. Cantrell, J. Opt. Soc. Am. B 19, 2886 (2002), table 1.
 * Errors: POY_ERR_ARGUMENT (no such model, t not finite). */
poy_status poyi_raman_silica(poy_ctx *ctx, poyi_raman_model model, double t, double *h);
/* H[2] = int_0^inf h_R(t) exp(-i omega t) dt as a pair, in closed form, at omega (rad/s, any sign):
 * blow_wood            (1/t1^2 + 1/t2^2)/((1/t2 + i omega)^2 + 1/t1^2)
 * lin_agrawal          (1 - fb) H_blow_wood + fb (2/(1 + x) - 1/(1 + x)^2), x = i omega tb
 * hollenbeck_cantrell  N sum_i A_i (F(g_i + i (omega - w_i)) - F(g_i + i (omega + w_i)))/(2i), F(s) = int_0^inf
 *                      exp(-s t - G_i^2 t^2/4) dt = (sqrt(pi)/G_i) w(i s/G_i), w the Faddeeva function.
 * Errors: POY_ERR_ARGUMENT (no such model, omega not finite). */
poy_status poyi_raman_silica_transform(poy_ctx *ctx, poyi_raman_model model, double omega, double H[2]);
/* The share f_R of the nonlinear index that belongs to h_R: 0.18, 0.245, 0.2. */
double poyi_raman_fraction(poyi_raman_model model);
/* "blow_wood", "lin_agrawal", "hollenbeck_cantrell". */
const char *poyi_raman_model_name(poyi_raman_model model);
/* The model of that name. Errors: POY_ERR_ARGUMENT, which lists the names. */
poy_status poyi_raman_model_find(poy_ctx *ctx, const char *name, poyi_raman_model *model);

#endif

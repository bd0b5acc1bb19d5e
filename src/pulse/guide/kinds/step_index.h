/* step_index.h: the exact modes of a step-index fibre: characteristic equation, its roots, fields.
 * U = ak sqrt(n_co^2 - n^2), W = ak sqrt(n^2 - n_cl^2), V^2 = U^2 + W^2, r = n_cl^2/n_co^2.
 * Source: A. W. Snyder, J. D. Love, Optical Waveguide Theory (1983), ch. 12 and tables 12-3, 12-4. */
#ifndef POYI_STEP_INDEX_H
#define POYI_STEP_INDEX_H

#include "pulse/guide/kind.h"

/* Modes of family and azimuthal index guided at V: cut-offs below it. HE_1m: V = 0 and the zeros of J_1; HE_nm: roots
 * of (1 + 1/r) J_{n-1}(V) = V J_n(V)/(n - 1); EH_nm: zeros of J_n; TE_0m, TM_0m: zeros of J_0. */
int poyi_step_count(poy_mode_family family, int n, double v, double r);

/* The V at which a mode begins to be guided. Errors: those of poyi_root_brent. */
poy_status poyi_step_cutoff(poy_ctx *ctx, poy_mode mode, double r, double *out);
/* U and W of a mode that is guided. W = 0: HE_1m so close to its cut-off that the cladding alone matters. */
poy_status poyi_step_root(poy_ctx *ctx, poy_mode mode, double v, double r, double *u, double *w);

/* W^2 (w2 nonzero) or U^2 as a series, given those of V^2 and r and the root. */
poyi_cjet poyi_step_series(poy_mode mode, double u, double w, int w2, poyi_cjet v2, poyi_cjet r);

/* The field of a mode, normalised, and its effective area. radius: of the core, m. */
void poyi_step_field(poy_mode mode, double u, double w, double r, double radius, double angle, poyi_profile *out);
poy_status poyi_step_area(poy_ctx *ctx, const poyi_profile *field, double *area);

#endif

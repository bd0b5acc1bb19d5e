/* response.h: what the nonlinear rows need: spectra of sampled responses. */
#ifndef POYI_RESPONSE_H
#define POYI_RESPONSE_H

#include "poynting/pulse.h"

/* The spectrum of silica's Raman response, periodic on a grid of n samples dt apart (propagation.md 8.2, 8.4):
 * H[k] = (dt / n) sum over m of w_m h_R(m dt) exp(-2 pi i k m / n), k = 0 .. n/2, as pairs; 1/n belongs to the inverse
 * transform that follows. w_0 is 1/2, the trapezoid rule at the jump h_R(0), or 1 with start_full; w_m = 1.
 * model: not POY_RAMAN_OFF. Errors: POY_ERR_BUDGET, POY_ERR_MEMORY. */
poy_status poyi_raman_spectrum(poy_ctx *ctx, poy_raman_model model, int start_full, int64_t n, double dt, double *H);
/* f_R of the model; 0 for POY_RAMAN_OFF. */
double poyi_raman_model_fraction(poy_raman_model model);

#endif

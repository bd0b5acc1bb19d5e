/* response.h: what the nonlinear rows need: spectra of sampled responses. */
#ifndef POYI_RESPONSE_H
#define POYI_RESPONSE_H

#include "poynting/media.h"
#include "poynting/pulse.h"

/* The spectrum of silica's Raman response, periodic on a grid of n samples dt apart (docs/physics.md 7), as
 * physics->raman_kernel says. Analytic: H[k] = (1/n) int h_R(t) exp(-i omega_k t) dt, omega_k = 2 pi k/(n dt). Sampled:
 * H[k] = (dt / n) sum over m of w_m h_R(m dt) exp(-2 pi i k m / n), k = 0 .. n/2, as pairs; 1/n belongs to the inverse
 * transform that follows. w_0 is 1/2, the trapezoid rule at the jump h_R(0), or 1 with raman_start_full; w_m = 1.
 * physics->raman: not POY_RAMAN_OFF. Errors: POY_ERR_BUDGET, POY_ERR_MEMORY. */
poy_status poyi_raman_spectrum(poy_ctx *ctx, const poy_physics_options *physics, int64_t n, double dt, double *H);
/* f_R of the model; 0 for POY_RAMAN_OFF. */
double poyi_raman_model_fraction(poy_raman_model model);

/* The spectrum of the Raman response of gases on a grid of 2 n samples, where a convolution of n has room, dt apart
 * (docs/physics.md 7): H[k] = (dt / 2n) sum over m < n of h(m dt) exp(-2 pi i k m / 2n), k = 0 .. n, as pairs, with
 * h = sum of density_i (share_r h_i of rotation + share_v h_i of vibration), shares[2] in this order, tapered from 70 % of the n samples to their end. lines[i] NULL: a gas that has no part.
 * Errors: POY_ERR_BUDGET, POY_ERR_MEMORY. */
poy_status poyi_gas_raman_spectrum(poy_ctx *ctx, int gases, poy_gas_raman *const *lines, const double *density,
                                   const double shares[2], int64_t n, double dt, double *H);

#endif

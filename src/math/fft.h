/* fft.h: the discrete Fourier transform on the host, for setting up; marches use the transforms of their backend. */
#ifndef POYI_FFT_H
#define POYI_FFT_H

#include "poynting/base.h"

/* x[k] <- sum over n of x[n] exp(sign 2 pi i k n / N), unnormalised; x: N pairs (re, im); sign -1 (forward) or +1.
 * Any N >= 1; the time grows as N times the sum of its prime factors. Relative error of the 2-norm: a few eps log2 N.
 * Compiled strict, so that the same input gives the same bits on every machine with one libm.
 * Errors: POY_ERR_BUDGET, POY_ERR_MEMORY (32 bytes an element, in the ledger as "math.fft").
 * Source: the self-sorting algorithm of Stockham, as in Van Loan, "Computational Frameworks for the FFT" (1992), sec. 1.7. */
poy_status poyi_fft(poy_ctx *ctx, int sign, int64_t n, double *x);

#endif

/* bands.h: what repeats along the normal, from blocks [2][2][n][n]: transfer matrices, Bloch waves, and their derivatives. */
#ifndef POYI_BANDS_H
#define POYI_BANDS_H

#include "core/cmplx.h"
#include "core/core.h"

/* ---- transfer matrices ---- */

/* T = [[S00, S01], [L]], S11 L = [0, 1] - S10 [S00, S01]. */
typedef struct poyi_transfer {
    size_t n;
    const poy_c128 *blocks;
    poy_c128 *lu;    /* [n][n]: factors of S11 */
    poy_c128 *work;  /* [n][2 n] */
    int32_t *pivots; /* [n] */
} poyi_transfer;

/* Fills in lu and pivots; out [2 n][2 n]. Errors: POY_ERR_SINGULAR. */
poy_status poyi_transfer_solve(poy_ctx *ctx, const poyi_transfer *t, poy_c128 *out);
/* Written; value: of poyi_transfer_solve. scratch: 4 n^2. */
void poyi_transfer_pull(const poyi_transfer *t, const poy_c128 *value, const poy_c128 *g, poy_c128 *g_blocks,
                        poy_c128 *scratch);
void poyi_transfer_push(const poyi_transfer *t, const poy_c128 *value, const poy_c128 *d_blocks, poy_c128 *d_out);

/* ---- Bloch waves ---- */

/* K = (A - sigma B)^-1 B of the pencil A x = w B x, [2 n][2 n], whose eigenvalues are mu = 1 / (w - sigma); returns sigma. lu: factors
 * of A - sigma B; work: [2 n][2 n] and 6 n more. */
double complex poyi_bands_operator(size_t n, const poy_c128 *blocks, poy_c128 *lu, int32_t *pivots, poy_c128 *k,
                                   poy_c128 *work);
/* d_k or g_k to the blocks: dK = (A - sigma B)^-1 (dB - (dA - sigma dB) K). scratch: 2 (2 n)^2 elements. */
void poyi_bands_pull(size_t n, double complex sigma, const poy_c128 *lu, const int32_t *pivots, const poy_c128 *k,
                     const poy_c128 *g_k, poy_c128 *g_blocks, poy_c128 *scratch);
void poyi_bands_push(size_t n, double complex sigma, const poy_c128 *lu, const int32_t *pivots, const poy_c128 *k,
                     const poy_c128 *d_blocks, poy_c128 *d_k, poy_c128 *scratch);

/* A Bloch wave and its eigenvalue's place. */
typedef struct poyi_bloch_wave {
    poy_c128 kz;
    size_t index;
} poyi_bloch_wave;
/* Of eigenvalues mu [n], by kz. */
void poyi_bands_sort(size_t n, const poy_c128 *mu, double complex sigma, double period, poyi_bloch_wave *out);

#endif

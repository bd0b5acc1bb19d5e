/* bands_diff.c: derivatives of transfer matrices and of the operator of Bloch waves. */
#include "scatter/stack/bands.h"

#include <string.h>

#include "math/batch.h"
#include "record/lapack.h"
#include "scatter/stack/junction.h"

/* ---- transfer matrices ---- */

/* With h = S11^-H g_L: of the upper rows g - S10^H h, of S10 -h [S00, S01]^H, of S11 -h L^H. */
void poyi_transfer_pull(const poyi_transfer *t, const poy_c128 *value, const poy_c128 *g, poy_c128 *g_blocks,
                        poy_c128 *scratch)
{
    const size_t n = t->n, size = n * n;
    poy_c128 *h = scratch, *top = h + 2 * size;
    poyi_lu_solve(POY_C128, 1, (int64_t)n, (int64_t)(2 * n), t->lu, t->pivots, g + 2 * size, h, t->work);
    memcpy(top, g, 2 * size * sizeof *top);
    poyi_product('c', 'n', n, 2 * n, n, -1.0, t->blocks + 2 * size, h, 1.0, top);
    poyi_pair_of_rows(n, top, g_blocks);
    poyi_product('n', 'c', n, n, 2 * n, -1.0, h, value, 0.0, g_blocks + 2 * size);
    poyi_product('n', 'c', n, n, 2 * n, -1.0, h, value + 2 * size, 0.0, g_blocks + 3 * size);
}

void poyi_transfer_push(const poyi_transfer *t, const poy_c128 *value, const poy_c128 *d_blocks, poy_c128 *d_out)
{
    const size_t n = t->n, size = n * n;
    poy_c128 *below = d_out + 2 * size;
    poyi_rows_of_pair(n, d_blocks, d_out);
    poyi_product('n', 'n', n, 2 * n, n, -1.0, d_blocks + 2 * size, value, 0.0, below);
    poyi_product('n', 'n', n, 2 * n, n, -1.0, t->blocks + 2 * size, d_out, 1.0, below);
    poyi_product('n', 'n', n, 2 * n, n, -1.0, d_blocks + 3 * size, value + 2 * size, 1.0, below);
    poyi_lu_solve(POY_C128, 0, (int64_t)n, (int64_t)(2 * n), t->lu, t->pivots, below, below, t->work);
}

/* ---- Bloch waves: A = [[S00, S01], [0, 1]], B = [[1, 0], [S10, S11]] ---- */

/* With h = (A - sigma B)^-H g: of A -h K^H, of B h + conj(sigma) h K^H, upper and lower rows. */
void poyi_bands_pull(size_t n, double complex sigma, const poy_c128 *lu, const int32_t *pivots, const poy_c128 *k,
                     const poy_c128 *g_k, poy_c128 *g_blocks, poy_c128 *scratch)
{
    const size_t m = 2 * n;
    poy_c128 *h = scratch, *product_k = h + m * m;
    poyi_lu_solve(POY_C128, 1, (int64_t)m, (int64_t)m, lu, pivots, g_k, h, product_k);
    poyi_product('n', 'c', m, m, m, -1.0, h, k, 0.0, product_k);
    for (size_t i = n * m; i < m * m; i++)
        h[i] = poyi_pair(poyi_c(h[i]) - conj(sigma) * poyi_c(product_k[i]));
    poyi_pair_of_rows(n, product_k, g_blocks);
    poyi_pair_of_rows(n, h + n * m, g_blocks + 2 * n * n);
}

void poyi_bands_push(size_t n, double complex sigma, const poy_c128 *lu, const int32_t *pivots, const poy_c128 *k,
                     const poy_c128 *d_blocks, poy_c128 *d_k, poy_c128 *scratch)
{
    const size_t m = 2 * n;
    poy_c128 *rows = scratch, *work = rows + m * m;
    poyi_rows_of_pair(n, d_blocks, rows);
    poyi_rows_of_pair(n, d_blocks + 2 * n * n, rows + n * m);
    poyi_product('n', 'n', n, m, m, -1.0, rows, k, 0.0, d_k); /* dA K has upper rows, dB K lower ones */
    poyi_product('n', 'n', n, m, m, 1.0, rows + n * m, k, 0.0, d_k + n * m);
    for (size_t i = n * m; i < m * m; i++)
        d_k[i] = poyi_pair(poyi_c(rows[i]) + sigma * poyi_c(d_k[i]));
    poyi_lu_solve(POY_C128, 0, (int64_t)m, (int64_t)m, lu, pivots, d_k, d_k, work);
}

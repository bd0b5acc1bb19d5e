/* lattice_axial_diff.c: derivatives of cylindrical lattice sums by k, Bloch vector, lattice vectors and shift.
 *
 * With F_m = H_m(k rho) e^{i m phi} of x = -r - R: d_x F_m = (k / 2) (F_{m-1} - F_{m+1}), d_y F_m = (i k / 2) (F_{m-1} + F_{m+1}),
 * (x + i y) F_m = (d_k + (m + 1) / k) F_{m+1}, (x - i y) F_m = ((m - 1) / k - d_k) F_{m-1}. Source: DLMF 10.6. */
#include "math/math.h"
#include "scatter/periodic/ewald.h"
#include "scatter/periodic/lattice_diff.h"

/* Sums to order n + 1 around order 0, as those weighted with 1, R_x and R_y, or with a count of lattice vectors. */
typedef struct ladder {
    int n;
    poyi_xcomplex k;
    poyi_xcomplex *plain, *along[2], *count;
} ladder;

/* d_c of a weighted sum, orders |m| <= n, into out[n + m]. */
static void slope(const ladder *l, const poyi_xcomplex *sum, int c, poyi_xcomplex sign, poyi_xcomplex *out)
{
    for (int m = -l->n; m <= l->n; m++) {
        const poyi_xcomplex both = c ? poyi_xturn(sum[m - 1] + sum[m + 1], 1) : sum[m - 1] - sum[m + 1];
        out[l->n + m] = 0.5L * sign * poyi_xmul(l->k, both);
    }
}

/* Weighted with R = -x - r, from sums and d / d k around order 0 to order n + 2. */
static void weigh(const ladder *l, const double *r, const poyi_xcomplex *sums, const poyi_xcomplex *slopes)
{
    for (int m = -l->n - 1; m <= l->n + 1; m++) {
        const poyi_xcomplex plus = slopes[m + 1] + (poyi_xreal)(m + 1) * sums[m + 1] / l->k;
        const poyi_xcomplex minus = (poyi_xreal)(m - 1) * sums[m - 1] / l->k - slopes[m - 1];
        l->plain[m] = sums[m];
        l->along[0][m] = -0.5L * (plus + minus) - (poyi_xreal)r[0] * sums[m];
        l->along[1][m] = 0.5L * poyi_xturn(plus - minus, 1) - (poyi_xreal)r[1] * sums[m];
    }
}

static void fill(const poy_lattice_sum *sum, const ladder *l, const poyi_cell *dual, const poyi_xcomplex *slopes,
                 poyi_xcomplex *out)
{
    const int dim = sum->dim == 1 ? 1 : 2, n = l->n; /* others were refused by the sums */
    const size_t width = 2 * (size_t)n + 1;
    poyi_xcomplex *by_kpar = out + 2 * width, *by_a = by_kpar + (size_t)dim * width,
                  *by_r = by_a + (size_t)(dim * dim) * width;
    for (int m = -n; m <= n; m++) {
        out[n + m] = l->plain[m];
        out[width + (size_t)(n + m)] = slopes[m];
        for (int c = 0; c < dim; c++)
            by_kpar[(size_t)c * width + (size_t)(n + m)] = poyi_xturn(l->along[c][m], 1);
    }
    for (int row = 0; row < dim; row++) {
        for (int m = -n - 1; m <= n + 1; m++) { /* n_i = b_i R / 2 pi */
            l->count[m] = 0.0L;
            for (int c = 0; c < dim; c++)
                l->count[m] += dual->given[row][c] / (2.0L * POYI_PIL) * l->along[c][m];
        }
        for (int c = 0; c < dim; c++) {
            poyi_xcomplex *to = by_a + (size_t)(row * dim + c) * width;
            slope(l, l->count, c, -1.0L, to);
            for (int m = -n; m <= n; m++)
                to[n + m] += poyi_xturn((poyi_xreal)sum->kpar[c] * l->count[m], 1);
        }
    }
    for (int c = 0; c < 2; c++) /* x = -r - R */
        slope(l, l->plain, c, -1.0L, by_r + (size_t)c * width);
}

poy_status poyi_lattice_jacobian_axial(poy_ctx *ctx, const poy_lattice_sum *sum, int nmax, poyi_xcomplex *out)
{
    poy_status status;
    void *memory = NULL;
    poyi_cell cell, dual;
    const size_t wide = 2 * (size_t)nmax + 5;
    const ptrdiff_t middle = nmax + 2;
    poy_lattice_sum whole = *sum;
    whole.part = POY_LATTICE_FULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "lattice sum", 6 * wide * sizeof(poyi_xcomplex), &memory));
    poyi_xcomplex *at = (poyi_xcomplex *)memory + middle; /* order 0 of each */
    poyi_xcomplex *sums = at, *slopes = at + wide;
    const ladder l = {.n = nmax,
                      .k = CMPLXL(sum->k.re, sum->k.im),
                      .plain = at + 2 * wide,
                      .along = {at + 3 * wide, at + 4 * wide},
                      .count = at + 5 * wide};
    POYI_TO_DONE(ctx, poyi_lattice_table(ctx, &whole, 0, nmax + 2, sums - middle, slopes - middle));
    POYI_TO_DONE(ctx, poyi_cell_make(ctx, sum->dim, sum->a, &cell));
    poyi_cell_reciprocal(&cell, &dual);
    weigh(&l, sum->r, sums, slopes);
    fill(sum, &l, &dual, slopes, out);
done:
    poyi_free(&memory);
    return status;
}

/* lattice_diff.c: derivatives of spherical lattice sums by k, Bloch vector, lattice vectors and shift. */
#include "scatter/periodic/lattice_diff.h"

#include "math/math.h"
#include "scatter/periodic/ewald.h"
#include "scatter/waves/expand/translation.h"

/* With F_lm = h_l(k x) Y_lm(x), x = -r - R, and the ladder (1/k) d_j F_l = -U_j F_{l+1} + V_j F_{l-1}, which poyi_translation_gradient
 * is, x_j F_l = U_j (d_k + (l + 2) / k) F_{l+1} + V_j ((l - 1) / k - d_k) F_{l-1}. */
typedef struct ladder {
    int n; /* of sums and slopes */
    poyi_xcomplex k;
    const poyi_xcomplex *sums, *slopes; /* to n: D and d / d k */
    poyi_xcomplex *weighted;            /* [size(n)] */
    poyi_xcomplex *of[3][3];            /* [size(n - 1)]: ladders of D, l D, d_k D */
} ladder;

static void each_place(int n, const poyi_xcomplex *from, int weigh, int to_n, poyi_xcomplex *to)
{
    for (int l = 0; l <= to_n; l++)
        for (int m = -l; m <= l; m++)
            to[poyi_table_place(to_n, l, m)] = (weigh ? (poyi_xreal)l : 1.0L) * from[poyi_table_place(n, l, m)];
}

/* Sums of x_j F_lm, l <= n - 1, into moment[3]. */
static void moments(ladder *p, poyi_xcomplex *moment[3])
{
    const int m_top = p->n - 1;
    poyi_translation_gradient(m_top, p->sums, p->of[0]);
    each_place(p->n, p->sums, 1, p->n, p->weighted);
    poyi_translation_gradient(m_top, p->weighted, p->of[1]);
    poyi_translation_gradient(m_top, p->slopes, p->of[2]);
    for (int j = 0; j < 3; j++)
        for (int l = 0; l <= m_top; l++)
            for (int m = -l; m <= l; m++) {
                const int at = poyi_table_place(m_top, l, m);
                const poyi_xcomplex plain = p->of[0][j][at];
                /* the ladder of l D is -(l + 1) U D + (l - 1) V D */
                const poyi_xcomplex up = -0.5L * (p->of[1][j][at] - (poyi_xreal)(l - 1) * plain);
                moment[j][at] = -p->of[2][j][at] + ((poyi_xreal)(2 * l + 1) * up + (poyi_xreal)(l - 1) * plain) / p->k;
            }
}

/* The axis of component c of a lattice. */
static int axis_of(int dim, int c)
{
    return dim == 1 ? 2 : c;
}

/* d / d a_ic of all c: n_i = b_i R / 2 pi counts the vectors a_i in R; then -k d_c and i kpar_c of the sum weighted with it. */
static void by_cell(const poy_lattice_sum *sum, int nmax, const poyi_cell *dual, int row, poyi_xcomplex k,
                    poyi_xcomplex *const weighted[3], poyi_xcomplex *count, poyi_xcomplex *const gradient[3],
                    poyi_xcomplex *out)
{
    const int dim = sum->dim, top = nmax + 1;
    const size_t size = poyi_table_size(nmax);
    for (size_t i = 0; i < poyi_table_size(top); i++) {
        count[i] = 0.0L;
        for (int c = 0; c < dim; c++)
            count[i] += dual->given[row][c] / (2.0L * POYI_PIL) * weighted[axis_of(dim, c)][i];
    }
    poyi_xcomplex *all[3] = {gradient[0], gradient[1], gradient[2]};
    poyi_translation_gradient(nmax, count, all);
    for (int c = 0; c < dim; c++) {
        poyi_xcomplex *to = out + (size_t)c * size;
        each_place(top, count, 0, nmax, to);
        for (size_t i = 0; i < size; i++)
            to[i] = poyi_xturn((poyi_xreal)sum->kpar[c] * to[i], 1) - poyi_xmul(k, gradient[axis_of(dim, c)][i]);
    }
}

/* x = -r - R */
static void by_shift(int nmax, const ladder *p, poyi_xcomplex *out)
{
    const size_t size = poyi_table_size(nmax);
    for (int j = 0; j < 3; j++)
        for (size_t i = 0; i < size; i++)
            out[(size_t)j * size + i] = -poyi_xmul(p->k, p->of[0][j][i]);
}

static void fill(const poy_lattice_sum *sum, int nmax, const poyi_cell *dual, ladder *p, poyi_xcomplex *const moment[3],
                 poyi_xcomplex *count, poyi_xcomplex *out)
{
    const int dim = sum->dim, top = nmax + 1;
    const size_t size = poyi_table_size(nmax);
    poyi_xcomplex *rows[3] = {moment[0], moment[1], moment[2]};
    moments(p, rows);
    each_place(p->n, p->sums, 0, top, count);
    for (int j = 0; j < 3; j++) /* R = -x - r */
        for (size_t i = 0; i < poyi_table_size(top); i++)
            moment[j][i] = -moment[j][i] - (poyi_xreal)sum->r[j] * count[i];
    poyi_xcomplex *by_kpar = out + 2 * size, *by_a = by_kpar + (size_t)dim * size;
    for (int c = 0; c < dim; c++) {
        each_place(top, moment[axis_of(dim, c)], 0, nmax, by_kpar + (size_t)c * size);
        for (size_t i = 0; i < size; i++)
            by_kpar[(size_t)c * size + i] = poyi_xturn(by_kpar[(size_t)c * size + i], 1);
    }
    for (int row = 0; row < dim; row++)
        by_cell(sum, nmax, dual, row, p->k, moment, count, p->of[1], by_a + (size_t)(row * dim) * size);
}

poy_status poyi_lattice_jacobian(poy_ctx *ctx, const poy_lattice_sum *sum, int nmax, unsigned slopes_asked,
                                 poyi_xcomplex *out)
{
    poy_status status;
    void *memory = NULL;
    const int n = nmax + (slopes_asked & POYI_SLOPE_CELL ? 2 : slopes_asked & POYI_SLOPE_SHIFT ? 1 : 0);
    const int by_k = (slopes_asked & (POYI_SLOPE_K | POYI_SLOPE_CELL)) != 0;
    const size_t larger = poyi_table_size(n), middle = poyi_table_size(nmax + 1), size = poyi_table_size(nmax);
    poyi_cell cell, dual;
    ladder p = {.n = n, .k = CMPLXL(sum->k.re, sum->k.im)};
    poyi_xcomplex *moment[3];
    POYI_TRY(ctx, poyi_alloc(ctx, "lattice sum", (5 * larger + 13 * middle) * sizeof(poyi_xcomplex), &memory));
    poyi_xcomplex *sums = memory, *slopes = sums + larger, *raw = slopes + larger, *count;
    p.weighted = raw + 2 * larger;
    count = p.weighted + larger;
    for (size_t i = 0; i < 9; i++)
        p.of[i / 3][i % 3] = count + (1 + i) * middle;
    for (size_t j = 0; j < 3; j++)
        moment[j] = count + (10 + j) * middle;
    poy_lattice_sum whole = *sum;
    whole.part = POY_LATTICE_FULL;
    POYI_TO_DONE(ctx, poyi_lattice_table(ctx, &whole, 1, n, raw, by_k ? raw + larger : NULL));
    POYI_TO_DONE(ctx, poyi_cell_make(ctx, sum->dim, sum->a, &cell));
    poyi_cell_reciprocal(&cell, &dual);
    for (int l = 0; l <= n; l++)
        for (int m = -l; m <= l; m++) {
            sums[poyi_table_place(n, l, m)] = raw[l * (l + 1) + m];
            slopes[poyi_table_place(n, l, m)] = by_k ? raw[larger + (size_t)(l * (l + 1) + m)] : 0.0L;
        }
    p.sums = sums;
    p.slopes = slopes;
    each_place(n, sums, 0, nmax, out);
    each_place(n, slopes, 0, nmax, out + size);
    if (slopes_asked & POYI_SLOPE_CELL)
        fill(sum, nmax, &dual, &p, moment, count, out);
    if (slopes_asked & POYI_SLOPE_SHIFT) {
        each_place(n, sums, 0, nmax + 1, count);
        poyi_translation_gradient(nmax, count, p.of[0]);
        by_shift(nmax, &p, out + (2 + (size_t)sum->dim + (size_t)(sum->dim * sum->dim)) * size);
    }
done:
    poyi_free(&memory);
    return status;
}

/* translation.h: the terms of translation coefficients, one by one and as plans shared by all pairs of origins. */
#ifndef POYI_TRANSLATION_H
#define POYI_TRANSLATION_H

#include "math/angular/wigner.h"
#include "scatter/waves/radial.h"
#include "scatter/waves/waves.h"

/* A = sum_i a[i] D_{first_a + 2 i, m - mu}, B = i sum_i b[i] D_{first_b + 2 i, m - mu}, where D_{p,q} = z_p(kr) Y_{pq} of
 * the displacement from (l, m) to (lambda, mu). */
typedef struct poyi_translation_terms {
    int first_a, count_a, first_b, count_b;
    double a[POY_DEGREE_MAX + 2], b[POY_DEGREE_MAX + 2];
} poyi_translation_terms;

/* Source: Cruzan (1962), with the 3j symbols of (l, lambda, p). */
void poyi_translation_terms_of(int lambda, int mu, int l, int m, poyi_translation_terms *t);

/* D^l_{mk}(phi, theta, psi) */
poyi_xcomplex poyi_rotation_element(int l, int m, int k, const double angles[3]);

/* ---- plans: the factors of all pairs of two sets of modes ---- */

/* A set of distinct (l, m). */
typedef struct poyi_mode_set {
    int count, lmax;
    int l[(POY_DEGREE_MAX + 1) * (POY_DEGREE_MAX + 1)], m[(POY_DEGREE_MAX + 1) * (POY_DEGREE_MAX + 1)];
} poyi_mode_set;

typedef struct poyi_plan_entry {
    int32_t a, b; /* places of the first D of A and of B; the next are two places on */
    int16_t count_a, count_b;
} poyi_plan_entry;

/* For rows (destinations) first_row .. first_row + rows - 1 of a set, and all columns (sources) of another: entry
 * [rows][cols], and their factors one after the other, those of a row from factor[start[row]] on. Tables have the places
 * of poyi_table_place(pmax, ...). */
typedef struct poyi_plan {
    int first_row, rows, cols, pmax;
    size_t *start;
    poyi_plan_entry *entry;
    double *factor;
    void *memory; /* NULL: the engine's */
} poyi_plan;

/* Place of (p, order) among the poyi_table_size(pmax) = (pmax + 1)^2 pairs |order| <= p <= pmax: by order, then p. */
static inline int poyi_table_place(int pmax, int p, int order)
{
    const int before = order <= 0 ? (order + pmax) * (order + pmax + 1) / 2
                                  : (pmax + 1) * (pmax + 2) / 2 + (order - 1) * (pmax + 1) - order * (order - 1) / 2;
    return before + p - (order < 0 ? -order : order);
}

static inline size_t poyi_table_size(int pmax)
{
    return ((size_t)pmax + 1) * ((size_t)pmax + 1);
}

/* The plan of the rows from first_row on whose factors fill about 32 MiB; at least one. A small one of all modes to a degree
 * is the engine's, made once; any other is the caller's. */
poy_status poyi_plan_create(poy_ctx *ctx, const poyi_mode_set *destination, const poyi_mode_set *source, int first_row,
                            const poyi_plan **out);
void poyi_plan_destroy(const poyi_plan **plan);

/* ---- kernels, compiled per instruction set (translation_simd.c) ---- */

enum { POYI_LANES = 8 }; /* pairs of origins side by side */

/* table[place][re, im][lane] -> sums[col][Re A, Im A, Re B', Im B'][lane], B = i B', for one row of the plan. */
typedef void poyi_plan_row(const poyi_plan *plan, int row, const double *table, double *sums);
/* The transpose: adds to table. */
typedef void poyi_plan_row_transposed(const poyi_plan *plan, int row, const double *sums, double *table);

poyi_plan_row poyi_waves_base_plan_row, poyi_waves_avx2_plan_row;
poyi_plan_row_transposed poyi_waves_base_plan_row_transposed, poyi_waves_avx2_plan_row_transposed;

/* ---- tables (translation_table.c) ---- */

/* Recurrence factors of the harmonics to degree n, at the places of poyi_table_place for orders >= 0 from 0 on. */
typedef struct poyi_harmonic_plan {
    int n;
    poyi_xreal *up, *down;
    void *memory;
} poyi_harmonic_plan;

poy_status poyi_harmonic_plan_create(poy_ctx *ctx, int n, poyi_harmonic_plan **out);
void poyi_harmonic_plan_destroy(poyi_harmonic_plan **plan);

/* D_{p,q} = z_p(k |d|) Y_pq of a displacement for p <= n, into table[poyi_table_size(n)]; 0 where singular waves of
 * coincident origins do not couple. */
void poyi_translation_table(const poyi_harmonic_plan *harmonics, int n, int singular, double complex k,
                            const double d[3], poyi_xcomplex *table);
/* (1/k) d/dx, d/dy, d/dz of D, n <= pmax, from D to n = pmax + 1: gradient[3][poyi_table_size(pmax)]. Source: the ladder
 * of solid waves, e.g. Martin, Multiple Scattering (2006), sec. 3.6. */
void poyi_translation_gradient(int pmax, const poyi_xcomplex *table, poyi_xcomplex *gradient[3]);

/* Below this |kr| singular waves are those of coincident origins, and do not couple. */
#define POYI_COINCIDENT 1e-16

#endif

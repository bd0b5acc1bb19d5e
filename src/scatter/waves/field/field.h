/* field.h: fields of bases at points, from weights of single waves to whole samples. */
#ifndef POYI_FIELD_H
#define POYI_FIELD_H

#include "scatter/waves/basis.h"
#include "scatter/waves/kernels.h"

/* ---- whole fields ---- */

/* What a mode of pol q contributes to the waves of pol p: mix[p][q]. */
typedef struct poyi_field_mix {
    double complex mix[2][2];
} poyi_field_mix;

/* E of a basis, or what mix makes of it. */
typedef struct poyi_field_call {
    const poyi_waves_kernels *kernels; /* NULL: the best */
    const poy_basis *basis;
    const poy_c128 *vectors; /* [3 size] of plane waves */
    double complex ks[2];
    poy_poltype poltype;
    int singular;
    poyi_field_mix mix;
    const poy_c128 *coefficients; /* [size]; NULL: of each mode alone */
    size_t n;
    const double *points;   /* [3 n]; NULL: */
    const poy_points *grid; /* those of a grid */
    poy_c128 *out;          /* [n][3], or [n][3][size] */
} poyi_field_call;

/* Errors: POY_ERR_ARGUMENT (a point on the pole of a singular wave), POY_ERR_RANGE. */
poy_status poyi_field(poy_ctx *ctx, const poyi_field_call *call);

/* ---- one family each: values of all modes at one point (field_modes.c) ---- */

/* E of each mode alone at a point: value[3][size]; scratch: poyi_mode_scratch() bytes. Also of the origins' displacements
 * only, r - position. Returns 0 if a singular mode has its pole there. */
size_t poyi_mode_scratch(const poy_basis *basis);
int poyi_mode_fields(const poyi_field_call *call, const double r[3], void *scratch, poyi_xcomplex *value);

#endif

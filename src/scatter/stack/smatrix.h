/* smatrix.h: an S-matrix from the inside, and its small blocks where only the pols of one order couple. */
#ifndef POYI_SMATRIX_H
#define POYI_SMATRIX_H

#include <stdatomic.h>

#include "poynting/smatrix.h"
#include "scatter/waves/basis.h"

/* The other pol of a port is not among them. */
#define POYI_NO_PARTNER SIZE_MAX

struct poy_smatrix {
    _Atomic int references;
    double k0;
    poy_poltype poltype;
    poy_medium medium[2]; /* that waves leave into: up, down */
    poy_basis *ports;
    size_t n;
    int paired;       /* only the two pols of an order couple, and each port has its partner */
    size_t *partner;  /* [n] */
    poy_c128 *values; /* [2][2][n][n] */
    void *memory;
};

static inline poy_c128 *poyi_block(const poy_smatrix *s, int out, int in)
{
    return s->values + (size_t)(2 * out + in) * s->n * s->n;
}

/* With values zero; stage, media and ports are checked. below, above. */
poy_status poyi_smatrix_new(poy_ctx *ctx, const poy_stage *stage, const poy_medium *below, const poy_medium *above,
                            poy_smatrix **out);
static inline poy_embedding poyi_side_embedding(const poy_smatrix *s, int direction)
{
    return (poy_embedding){s->k0, s->medium[direction], s->poltype};
}

/* ---- what couples the two pols of one order (sheet.c) ---- */

/* [out][in][pol out][pol in], helicity */
typedef struct poyi_sheet {
    double complex s[2][2][2][2];
} poyi_sheet;

/* Of two media, in vpw waves of the normal z; k and kz [side][pol], side 0 below. */
void poyi_fresnel(const double complex k[2][2], const double complex kz[2][2], const double complex z[2],
                  poyi_sheet *out);
/* Errors: POY_ERR_SINGULAR. */
poy_status poyi_sheet_cascade(poy_ctx *ctx, const poyi_sheet *lower, const poyi_sheet *upper, poyi_sheet *out);
/* B S B: from helicity to parity and back. */
void poyi_sheet_change_pol(poyi_sheet *s);

/* ---- products with blocks (cascade.c) ---- */

/* c [n][n] = a b; where a or b is a block of a paired S-matrix (with these partners) only its pairs are multiplied. */
void poyi_block_product(size_t n, const size_t *partner, const poy_c128 *a, int a_paired, const poy_c128 *b,
                        int b_paired, poy_c128 *c);

/* Errors: POY_ERR_ARGUMENT as poy_smatrix_cascade says. */
poy_status poyi_smatrix_fits(poy_ctx *ctx, const poy_smatrix *lower, const poy_smatrix *upper);

#endif

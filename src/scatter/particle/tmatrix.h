/* tmatrix.h: a T-matrix from the inside. */
#ifndef POYI_TMATRIX_H
#define POYI_TMATRIX_H

#include <stdatomic.h>

#include "poynting/tmatrix.h"
#include "scatter/waves/basis.h"

struct poy_tmatrix {
    _Atomic int references;
    poy_embedding embedding;
    poy_basis *basis;
    size_t n;
    poy_c128 *values; /* [n][n] */
};

/* A T-matrix with values to be filled in, zero; the embedding is checked. */
poy_status poyi_tmatrix_new(poy_ctx *ctx, const poy_embedding *embedding, poy_basis *basis, poy_tmatrix **out);
/* The same kind of waves, medium, k0 and poltype. */
int poyi_embedding_equal(const poy_embedding *a, const poy_embedding *b);
/* T with helicity for parity or the reverse: B m B, B symmetric and its own inverse, in place; partner[i]: the mode with the
 * other pol, or none (SIZE_MAX; B needs both). Errors: POY_ERR_ARGUMENT (a mode without its partner). */
poy_status poyi_pol_partners(poy_ctx *ctx, const poy_basis *basis, size_t *partner);
void poyi_change_pol_matrix(size_t n, const poy_basis *basis, const size_t *partner, poy_c128 *m);
void poyi_change_pol_columns(size_t n, size_t columns, const poy_basis *basis, const size_t *partner, poy_c128 *a);

#endif

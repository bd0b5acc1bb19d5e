/* expand_side.h: one side of a block matrix: the modes of a basis by particle and by (l, m). */
#ifndef POYI_EXPAND_SIDE_H
#define POYI_EXPAND_SIDE_H

#include "scatter/waves/basis.h"
#include "scatter/waves/expand/translation.h"

enum { POYI_SET_MAX = (POY_DEGREE_MAX + 1) * (POY_DEGREE_MAX + 1) };

typedef struct poyi_side_mode {
    int32_t index; /* in the basis */
    int32_t place; /* in the set */
    int32_t pol;
} poyi_side_mode;

typedef struct poyi_side {
    const poy_basis *basis;
    size_t particles;
    size_t *start;        /* [particles + 1]: the modes of a particle are mode[start[p]] .. mode[start[p + 1] - 1] */
    poyi_side_mode *mode; /* [size], of each particle by rising index */
    int32_t *lookup;      /* [particles][set.count][pol]: index in the basis, -1: none */
    void *memory;
    poyi_mode_set set;
} poyi_side;

poy_status poyi_side_create(poy_ctx *ctx, const poy_basis *basis, poyi_side **out);
void poyi_side_destroy(poyi_side **side);

#endif

/* field_ladder.h: the gradient of a multipole as a sum of its neighbours: an infinitesimal translation joins (l, m) to (l, l +- 1;
 * m, m +- 1) and, of cylindrical waves, m to m +- 1. That holds at every point, poles of the angles and origins included. */
#ifndef POYI_FIELD_LADDER_H
#define POYI_FIELD_LADDER_H

#include "scatter/waves/basis.h"

enum { POYI_NEIGHBOURS = 9 };

/* d/dx, d/dy, d/dz of a mode, divided by its k (cylindrical: by its k_rho, and without d/dz): the sum over modes of a wider
 * basis. */
typedef struct poyi_ladder {
    int count;
    size_t index[POYI_NEIGHBOURS];
    poyi_xcomplex factor[POYI_NEIGHBOURS][3];
} poyi_ladder;

/* The modes of a basis of multipoles and their neighbours, to degree POY_DEGREE_MAX + 1. */
poy_status poyi_ladder_basis(poy_ctx *ctx, const poy_basis *basis, poy_poltype poltype, poy_basis **out);
void poyi_ladder_of(const poy_wave_mode *mode, poy_poltype poltype, const poy_basis *wide, poyi_ladder *out);

#endif

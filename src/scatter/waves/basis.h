/* basis.h: a basis from the inside. */
#ifndef POYI_BASIS_H
#define POYI_BASIS_H

#include <stdatomic.h>

#include "scatter/waves/waves.h"

struct poy_basis {
    _Atomic int references;
    poy_basis_kind kind;
    poy_alignment alignment;
    size_t size, n_positions;
    poy_wave_mode *modes;         /* [size] */
    const poy_wave_mode **sorted; /* [size], by label */
    double *positions;            /* [3 n_positions]; multipoles only */
};

/* Takes the labels that the family names from modes, all others 0. Errors: POY_ERR_ARGUMENT (not finite, a mode twice,
 * positions); the labels' own ranges are the caller's. positions NULL: zeros. */
poy_status poyi_basis_make(poy_ctx *ctx, poy_basis_kind kind, poy_alignment alignment, size_t size,
                           const poy_wave_mode *modes, size_t n_positions, const double *positions, poy_basis **out);
int poyi_basis_is_plane(const poy_basis *basis); /* plane or ports */
/* "spherical", ... for messages */
const char *poyi_basis_kind_name(poy_basis_kind kind);
/* The labels but for pol are equal. */
int poyi_mode_same_wave(const poy_wave_mode *a, const poy_wave_mode *b);
/* The largest l of spherical waves, |m| of cylindrical ones; 0 without modes. */
int poyi_largest_degree(const poy_basis *basis);
/* cos and sin of phi, exact at quarter turns. */
void poyi_turn_of(double phi, double *cosine, double *sine);
/* The axis that ports of an alignment leave out (0, 1, 2), and those of their two components. */
int poyi_alignment_normal(poy_alignment alignment);

#endif

/* rotate.h: which modes a rotation joins, for its values and its derivatives. */
#ifndef POYI_ROTATE_H
#define POYI_ROTATE_H

#include "scatter/waves/basis.h"

/* Multipoles: equal particle, pol and l (spherical), or kz and m (cylindrical). */
int poyi_rotation_couples(const poy_basis *basis, const poy_wave_mode *a, const poy_wave_mode *b);
poy_status poyi_rotation_check(poy_ctx *ctx, const double angles[3], const poy_basis *destination,
                               const poy_basis *source);

#endif

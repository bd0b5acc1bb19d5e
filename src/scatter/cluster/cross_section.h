/* cross_section.h: the weights of powers. */
#ifndef POYI_CROSS_SECTION_H
#define POYI_CROSS_SECTION_H

#include "scatter/particle/tmatrix.h"

/* The optics of surroundings that have a far field. Errors: POY_ERR_UNSUPPORTED. */
poy_status poyi_far_field_medium(poy_ctx *ctx, const char *who, const poy_embedding *e, poyi_optics *out);

/* Errors: POY_ERR_UNSUPPORTED (other waves). */
poy_status poyi_need_spherical(poy_ctx *ctx, const char *who, const poy_basis *basis);

#endif

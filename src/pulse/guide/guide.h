/* guide.h: what the rooms of pulse know of guides beside poynting/guide.h: terms of the linear operator along z, modal
 * quadrature. */
#ifndef POYI_GUIDE_H
#define POYI_GUIDE_H

#include "core/cmplx.h"
#include "poynting/guide.h"

#endif

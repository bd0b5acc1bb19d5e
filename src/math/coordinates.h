/* coordinates.h: the unit vectors of curvilinear systems, for coordinates.c and its derivatives. */
#ifndef POYI_COORDINATES_H
#define POYI_COORDINATES_H

#include "poynting/special.h"

int poyi_transform_dimension(poy_transform t); /* 2 or 3 */
const char *poyi_transform_name(poy_transform t);
/* The components' matrix at the point p of the source: new[i] = sum_j rotation[i][j] old[j]; orthogonal. On an axis phi
 * is 0, in the origin theta, too. */
void poyi_transform_rotation(poy_transform t, const double *p, double rotation[3][3]);

#endif

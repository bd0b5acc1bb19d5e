/* coordinates.h: the unit vectors of curvilinear systems, for coordinates.c and its derivatives. */
#ifndef POYI_COORDINATES_H
#define POYI_COORDINATES_H

typedef enum poyi_transform {
    POYI_CAR2CYL,
    POYI_CAR2POL,
    POYI_CAR2SPH,
    POYI_CYL2CAR,
    POYI_CYL2SPH,
    POYI_POL2CAR,
    POYI_SPH2CAR,
    POYI_SPH2CYL,
    POYI_TRANSFORM_COUNT
} poyi_transform;

int poyi_transform_dimension(poyi_transform t); /* 2 or 3 */
const char *poyi_transform_name(poyi_transform t);
/* The point in the other system. */
void poyi_transform_point(poyi_transform t, const double *p, double *out);
/* The components' matrix at the point p of the source: new[i] = sum_j rotation[i][j] old[j]; orthogonal. On an axis phi
 * is 0, in the origin theta, too. */
void poyi_transform_rotation(poyi_transform t, const double *p, double rotation[3][3]);

#endif

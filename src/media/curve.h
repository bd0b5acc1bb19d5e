/* curve.h: a tabulated function of the wavelength between its points: piecewise cubics as values and slopes. */
#ifndef POYI_CURVE_H
#define POYI_CURVE_H

#include "core/core.h"
#include "media/jet.h"

typedef enum poyi_interpolation {
    POYI_TABLE_SPLINE,   /* C2, not-a-knot ends */
    POYI_TABLE_MONOTONE, /* C1, never passes the data: Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5, 300 (1984) */
} poyi_interpolation;

typedef struct poyi_curve poyi_curve;

/* Through (x[i], y[i]), i < count; x rising; copied.
 * Errors: POY_ERR_ARGUMENT (fewer than 2 points, for a spline 4; not rising; not finite; the message counts rows from
 * 1), POY_ERR_MEMORY. */
poy_status poyi_curve_create(poy_ctx *ctx, const char *name, poyi_interpolation kind, size_t count, const double *x,
                             const double *y, poyi_curve **out);
void poyi_curve_destroy(poyi_curve **curve);
/* Value as a jet where x is one; outside the points the end values, constant. */
poyi_jet poyi_curve_at(const poyi_curve *curve, poyi_jet x);

#endif

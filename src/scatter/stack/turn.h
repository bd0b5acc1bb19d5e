/* turn.h: waves of ports whose normal is not z in upright axes, where pols are told from the normal: phases of helicity. */
#ifndef POYI_TURN_H
#define POYI_TURN_H

#include "scatter/stack/smatrix.h"

/* Waves of pols 0 and 1 with components q along the ports (in the order of their alignment) and normal components kn, which has the
 * sign of the way: amplitude in upright axes = phase times amplitude. turns: the alignment. Errors: those of poyi_plane_permutation. */
typedef struct poyi_tilt {
    int turns;
    double q[2];
    double complex kn[2];
} poyi_tilt;
poy_status poyi_tilt_phases(poy_ctx *ctx, const poyi_tilt *t, double complex out[2]);
/* Added to; at q = 0 phases have no derivative by q (g_q NULL: not wanted), and are constant else. Errors: also
 * POY_ERR_NOT_DIFFERENTIABLE. */
poy_status poyi_tilt_pull(poy_ctx *ctx, const poyi_tilt *t, const double complex g[2], double *g_q,
                          double complex g_kn[2]);
poy_status poyi_tilt_push(poy_ctx *ctx, const poyi_tilt *t, const double *d_q, const double complex d_kn[2],
                          double complex out[2]);

/* ---- a structure between two media ---- */

/* kn of waves up [side][pol], side 0 below; phases [side][way][pol] by poyi_turned_make. */
typedef struct poyi_turned {
    int turns;
    double q[2];
    double complex kn[2][2], phase[2][2][2];
} poyi_turned;
poy_status poyi_turned_make(poy_ctx *ctx, poyi_turned *t);
/* An upright sheet in the ports' own pols. */
void poyi_turned_sheet(const poyi_turned *t, poyi_sheet *s);
/* g of the turned sheet becomes that of the upright one; g_q (NULL: not wanted) and g_kn added to. */
poy_status poyi_turned_pull(poy_ctx *ctx, const poyi_turned *t, const poyi_sheet *upright, poyi_sheet *g, double *g_q,
                            double complex g_kn[2][2]);
/* d of the upright sheet becomes that of the turned one. */
poy_status poyi_turned_push(poy_ctx *ctx, const poyi_turned *t, const poyi_sheet *upright, const double *d_q,
                            const double complex d_kn[2][2], poyi_sheet *d);

#endif

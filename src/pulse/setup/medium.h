/* medium.h: what setting up a gas-filled guide shares: the guide with its gas, and how both change along z. */
#ifndef POYI_MEDIUM_H
#define POYI_MEDIUM_H

#include "media/media.h"
#include "pulse/guide/guide.h"
#include "pulse/setup/setup.h"

typedef struct poyi_medium {
    poy_guide *guide;
    int mode;                /* of the frame */
    int n_columns, averaged; /* of the state */
    int modes[2 * POY_GUIDE_MODES_MAX];
    double angles[2 * POY_GUIDE_MODES_MAX];
    double node_radius; /* m: where the matrices of points are taken; NaN where the guide has none, 0: mode-averaged */
    int prefactor_omega;
    double n2;                                         /* m2/W, of glass; 0: that of the gas */
    poy_ionisation_table *tables[POY_GUIDE_GASES_MAX]; /* of species j of the plasma, the guide's gas j */
    poy_gas_raman *raman[POY_GUIDE_GASES_MAX];         /* of gas j; NULL: it has no part in the response */
} poyi_medium;

/* The medium of a problem; mode: of the frame. Keeps the guide. */
poy_status poyi_medium_new(poy_ctx *ctx, poy_problem *p, poy_guide *guide, int mode);
/* The lines of the gases that respond; sets raman and n_delay. Errors: those of poy_gas_raman_create. */
poy_status poyi_medium_make_raman(poy_ctx *ctx, poy_problem *p, const poy_gas_options *gas);
/* Which columns the options ask for, into the medium of p, with n_c and n_pol. */
poy_status poyi_medium_make_columns(poy_ctx *ctx, poy_problem *p, const poy_gas_options *gas);
/* Synthesis and projection at the points of the cross-section, where the columns are not averaged. */
poy_status poyi_medium_make_nodes(poy_ctx *ctx, poy_problem *p, const poy_gas_options *gas);
/* How many of the points go through memory at a time, of bytes (0: as many as by itself). */
void poyi_medium_set_chunk(poy_problem *p, size_t bytes);
/* The operator, the prefactor, the Raman response and all factors as Chebyshev series in what changes along the guide
 * (one term where nothing does), and the path of it.
 * Errors: POY_ERR_NO_CONVERGENCE (it changes too much), and those of the guide and the gases. */
poy_status poyi_medium_make_course(poy_ctx *ctx, poy_problem *p, int shock);

#endif

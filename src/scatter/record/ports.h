/* ports.h: ports of records: rows (group, pol), groups being pairs of transverse components in an array of their own. */
#ifndef POYI_RECORD_PORTS_H
#define POYI_RECORD_PORTS_H

#include "scatter/record/common.h"

/* [n] each, in memory of the caller's. */
typedef struct poyi_ports {
    int *group, *pol;
} poyi_ports;

/* modes #r[n,2]. Errors: POY_ERR_ARGUMENT (no such group, a pol that is not 0 or 1, a port twice). */
poy_status poyi_ports_read(poy_ctx *ctx, const char *who, const poy_rec_array *modes, size_t groups,
                           const poyi_ports *out);
/* Pol 1, then 0, of each group. */
void poyi_ports_sample(const poy_rec_array *modes);

#endif

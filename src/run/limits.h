/* limits.h: clocks, and disks that are too small. */
#ifndef POYI_LIMITS_H
#define POYI_LIMITS_H

#include "core/core.h"

double poyi_seconds(void);     /* elapsed, from some moment on */
double poyi_cpu_seconds(void); /* of the processors, of this process */
/* Can a file of so many bytes be written at path, in the place of an old one? Errors: POY_ERR_IO, with the advice. */
poy_status poyi_check_disk(poy_ctx *ctx, const char *path, double bytes, const char *advice);

#endif

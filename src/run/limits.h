/* limits.h: memory of the process, and disks that are too small. */
#ifndef POYI_LIMITS_H
#define POYI_LIMITS_H

#include "core/core.h"

/* MiB that libraries take once they compute and write: plans, packed matrices, caches of a file; measured (tests/run/test_memory.py). */
enum { POYI_LIBRARIES_PULSE = 6, POYI_LIBRARIES_SCATTER = 9 };
/* What the process has in memory beside the ledger, and what libraries will take: rounded up to MiB; 0: this machine does not tell. */
double poyi_process_bytes(poy_ctx *ctx, int libraries);
/* Is the folder of path there, and may files be made in it (or is path there, and may be written)? Errors: POY_ERR_IO. */
poy_status poyi_check_folder(poy_ctx *ctx, const char *path);
/* Can a file of so many bytes be written at path, in the place of an old one? Errors: POY_ERR_IO, with the advice. */
poy_status poyi_check_disk(poy_ctx *ctx, const char *path, double bytes, const char *advice);

#endif

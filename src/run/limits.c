/* limits.c: clocks, and disks that are too small: found before a run, not at its end. */
#define _DEFAULT_SOURCE /* clock_gettime */
#include "run/limits.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double poyi_seconds(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double poyi_cpu_seconds(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

poy_status poyi_check_disk(poy_ctx *ctx, const char *path, double bytes, const char *advice)
{
    char folder[1024], needs[32], there[32];
    struct statvfs disk;
    struct stat old; /* what is there already takes no more */
    const char *slash = strrchr(path, '/');
    const double has = stat(path, &old) ? 0 : (double)old.st_size;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (statvfs(folder, &disk))
        return POY_OK; /* opening the file will tell what is wrong */
    const double free_bytes = (double)disk.f_bavail * (double)disk.f_frsize;
    if (bytes <= free_bytes + has)
        return POY_OK;
    poy_quantity_format(bytes, POY_DIM_BYTES, 3, sizeof needs, needs);
    poy_quantity_format(free_bytes, POY_DIM_BYTES, 3, sizeof there, there);
    return POYI_FAIL(ctx, POY_ERR_IO, "%s: takes %s, the disk has %s: %s", path, needs, there, advice);
}

/* limits.c: memory of the process, and disks that are too small: found before a run, not at its end. */
#define _DEFAULT_SOURCE /* sysconf, statvfs */
#include "run/limits.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

double poyi_process_bytes(poy_ctx *ctx, int libraries)
{
    long long size = 0, resident = 0;
    const double mib = 1048576;
    FILE *file = fopen("/proc/self/statm", "r");
    const int read = file ? fscanf(file, "%lld %lld", &size, &resident) : 0;
    if (file)
        fclose(file);
    if (read != 2)
        return 0;
    const double bytes = (double)resident * (double)sysconf(_SC_PAGESIZE) - (double)poy_ctx_bytes(ctx);
    return mib * (ceil((bytes > 0 ? bytes : 0) / mib) + libraries);
}

static void folder_of(const char *path, size_t size, char *out)
{
    const char *slash = strrchr(path, '/');
    snprintf(out, size, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
}

poy_status poyi_check_folder(poy_ctx *ctx, const char *path)
{
    char folder[1024];
    struct stat its;
    folder_of(path, sizeof folder, folder);
    if (stat(folder, &its))
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be written: %s: make its folder first, or name another file",
                         path, strerror(errno));
    const int shut = access(folder, W_OK | X_OK), why = errno;
    if (shut && access(path, W_OK))
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be written: %s: name another file", path, strerror(why));
    return POY_OK;
}

poy_status poyi_check_disk(poy_ctx *ctx, const char *path, double bytes, const char *advice)
{
    char folder[1024], needs[32], there[32];
    struct statvfs disk;
    struct stat old; /* what is there already takes no more */
    const double has = stat(path, &old) ? 0 : (double)old.st_size;
    POYI_TRY(ctx, poyi_check_folder(ctx, path));
    folder_of(path, sizeof folder, folder);
    if (statvfs(folder, &disk))
        return POY_OK; /* opening the file will tell what is wrong */
    const double free_bytes = (double)disk.f_bavail * (double)disk.f_frsize;
    if (bytes <= free_bytes + has)
        return POY_OK;
    poy_quantity_format(bytes, POY_DIM_BYTES, 3, sizeof needs, needs);
    poy_quantity_format(free_bytes, POY_DIM_BYTES, 3, sizeof there, there);
    return POYI_FAIL(ctx, POY_ERR_IO, "%s: takes %s, the disk has %s: %s", path, needs, there, advice);
}

/* read.c: reading what result files hold, for replay. */
#include "run/store/internal.h"

static int read_steps(hid_t file, poyi_arena *arena, const double **steps, int64_t *n)
{
    int rank;
    hsize_t dims[8];
    int64_t kept = 0;
    if (poyi_h5_extent(file, "steps/dz", &rank, dims) || rank != 1)
        return -1;
    double *dz = poyi_arena_alloc(arena, ((size_t)dims[0] + 1) * sizeof *dz);
    signed char *accepted = poyi_arena_alloc(arena, (size_t)dims[0] + 1);
    hid_t boolean = poyi_h5_bool();
    int status = !dz || !accepted || poyi_h5_read_rows(file, "steps/dz", H5T_NATIVE_DOUBLE, 0, dims[0], 1, dz) ||
                 poyi_h5_read_rows(file, "steps/accepted", boolean, 0, dims[0], 1, accepted);
    H5Tclose(boolean);
    for (hsize_t i = 0; i < dims[0] && !status; i++)
        if (accepted[i])
            dz[kept++] = dz[i];
    *steps = dz;
    *n = kept;
    return status;
}

poy_status poyi_store_schedule(poy_ctx *ctx, const char *path, poyi_arena *arena, const double **steps, int64_t *n)
{
    poyi_h5_quiet quiet;
    *steps = NULL;
    *n = 0;
    hid_t file;
    poyi_h5_begin(&quiet);
    poy_status opened = poyi_store_open(ctx, path, H5F_ACC_RDONLY, &file);
    int status = opened != POY_OK || read_steps(file, arena, steps, n);
    if (opened == POY_OK)
        H5Fclose(file);
    poyi_h5_end(&quiet);
    if (opened != POY_OK)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s is no result file: check the path", path);
    if (status || !*n)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s has no accepted steps: name a finished result", path);
    return POY_OK;
}

/* fuzz_tmatrix.c: a T-matrix file that is spoilt as the input says: reading it answers or refuses, and what it answers is whole. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "poynting/tmatrix.h"
#include "spoil.h"

static char folder[64], whole[2][96], path[96];
static const char *const attributes[] = {"unit", "name", "keywords", "storage_format_version", "version"};
static spoil_file spoiled[2];

static void remove_files(void)
{
    unlink(whole[0]);
    unlink(whole[1]);
    unlink(path);
    rmdir(folder);
}

/* A sweep of two spheres' T-matrix, and a cluster of two. */
static void prepare(poy_ctx *ctx)
{
    const double radius = 80, positions[6] = {0, 0, 0, 200, 10, 20};
    const poy_medium inside = poy_medium_dielectric((poy_c128){4, 0.1});
    poy_tmatrix *t[2] = {NULL, NULL}, *both[2], *solved = NULL;
    poy_cluster *cluster = NULL;
    poy_status status = POY_OK;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    snprintf(folder, sizeof folder, "/dev/shm/poynting-fuzz-XXXXXX");
    if (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/poynting-fuzz-XXXXXX")))
        fuzz_fail("no folder");
    snprintf(path, sizeof path, "%s/a.tmat.h5", folder);
    atexit(remove_files);
    for (int i = 0; i < 2 && status == POY_OK; i++) {
        const poy_embedding e = {0.01 + 0.002 * i, poy_medium_dielectric((poy_c128){1.7, 0}), POY_HELICITY};
        snprintf(whole[i], sizeof whole[i], "%s/whole%d.h5", folder, i);
        status = poy_tmatrix_sphere(ctx, &e, 1, 1, &radius, &inside, &t[i]);
    }
    both[0] = both[1] = t[0];
    if (status != POY_OK || poy_cluster_create(ctx, 2, both, 2, positions, &cluster) != POY_OK ||
        poy_cluster_solve(ctx, cluster, &solved) != POY_OK ||
        poy_tmatrix_save(ctx, whole[0], 1e-9, 2, t, NULL) != POY_OK ||
        poy_tmatrix_save(ctx, whole[1], 1e-9, 1, &solved, NULL) != POY_OK)
        fuzz_fail("%s", poy_ctx_cause(ctx));
    poy_tmatrix_destroy(&t[0]);
    poy_tmatrix_destroy(&t[1]);
    poy_tmatrix_destroy(&solved);
    poy_cluster_destroy(&cluster);
    for (int i = 0; i < 2; i++) {
        spoiled[i] = (spoil_file){.attributes = attributes,
                                  .n_attributes = sizeof attributes / sizeof attributes[0],
                                  .text = "nm um nm^{-1} THz positive negative electric magnetic te tm"};
        spoil_list(&spoiled[i], whole[i]);
    }
}

static void look_at(const poy_tmatrix *t)
{
    const size_t n = poy_tmatrix_size(t);
    if (!(poy_tmatrix_embedding(t)->k0 > 0) || n != poy_basis_size(poy_tmatrix_basis(t)))
        fuzz_fail("k0 = %g, %zu modes", poy_tmatrix_embedding(t)->k0, n);
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(poy_tmatrix_values(t)[i].re) || !isfinite(poy_tmatrix_values(t)[i].im))
            fuzz_fail("element %zu is not finite", i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 8 };
    poy_ctx *ctx = fuzz_ctx();
    fuzz_bytes b = {data, data + size};
    poy_tmatrix *t[MOST] = {NULL};
    size_t count = 0;
    if (!folder[0])
        prepare(ctx);
    const unsigned which = fuzz_take(&b, 2);
    spoil_copy(whole[which], path);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (unsigned n = 1 + fuzz_take(&b, 4); n > 0 && b.at < b.end; n--)
        spoil(&spoiled[which], file, &b);
    H5Fclose(file);
    const poy_status status = poy_tmatrix_load(ctx, path, 1e-9, MOST, t, &count);
    for (size_t i = 0; i < MOST && i < count; i++) {
        if (status == POY_OK)
            look_at(t[i]);
        poy_tmatrix_destroy(&t[i]);
    }
    poy_ctx_clear(ctx);
    return 0;
}

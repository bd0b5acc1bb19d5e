/* tmatrix_save.c: writes T-matrices in the format tmat.h5 v1, with both spellings of the names that readers look for. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scatter/particle/tmatrix.h"

/* "nm" of 1e-9 m. Errors: POY_ERR_ARGUMENT (no power of 10 with a prefix). */
static poy_status unit_name(poy_ctx *ctx, double unit, char out[8])
{
    static const struct {
        double metres;
        const char *text;
    } units[] = {{1.0, "m"},   {1e-2, "cm"},  {1e-3, "mm"},  {1e-6, "um"},
                 {1e-9, "nm"}, {1e-12, "pm"}, {1e-15, "fm"}, {1e3, "km"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].metres == unit) {
            (void)snprintf(out, 8, "%s", units[i].text);
            return POY_OK;
        }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                     "tmat.h5: unit = %g m, needs 1e-9 (nm), 1e-6, 1e-3, 1 or another with a name", unit);
}

/* ---- HDF5; each returns 0 where it failed ---- */

static int write_text(hid_t object, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t at = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int good = at >= 0 && H5Awrite(at, type, text) >= 0;
    if (at >= 0)
        H5Aclose(at);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

static int write_set(hid_t file, const char *name, hid_t type, int rank, const hsize_t *dims, const void *data,
                     const char *unit)
{
    const hid_t space = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (good && unit)
        good = write_text(set, "unit", unit);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    return good;
}

static hid_t complex_type(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(poy_c128));
    H5Tinsert(type, "r", offsetof(poy_c128, re), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "i", offsetof(poy_c128, im), H5T_NATIVE_DOUBLE);
    return type;
}

static int make_group(hid_t file, const char *name)
{
    const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0)
        H5Gclose(group);
    return group >= 0;
}

/* ---- parts of a file ---- */

static int write_modes(hid_t file, const poy_basis *basis, poy_poltype type, const char *unit, int64_t *numbers,
                       const char **words)
{
    static const char *const names[2][2] = {{"negative", "positive"}, {"magnetic", "electric"}};
    const hsize_t n = basis->size, positions[2] = {basis->n_positions, 3};
    const hid_t text = H5Tcopy(H5T_C_S1);
    int good = make_group(file, "modes");
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5T_CSET_UTF8);
    for (size_t i = 0; i < basis->size; i++)
        numbers[i] = basis->modes[i].l;
    good = good && write_set(file, "modes/l", H5T_NATIVE_INT64, 1, &n, numbers, NULL);
    for (size_t i = 0; i < basis->size; i++)
        numbers[i] = basis->modes[i].m;
    good = good && write_set(file, "modes/m", H5T_NATIVE_INT64, 1, &n, numbers, NULL);
    for (size_t i = 0; i < basis->size; i++)
        words[i] = names[type == POY_PARITY][basis->modes[i].pol];
    good = good && write_set(file, "modes/polarization", text, 1, &n, words, NULL);
    int origin = basis->n_positions == 1;
    for (size_t i = 0; i < 3 && origin; i++)
        origin = basis->positions[i] == 0.0;
    if (!origin) {
        for (size_t i = 0; i < basis->size; i++)
            numbers[i] = basis->modes[i].particle;
        good = good && write_set(file, "modes/position_index", H5T_NATIVE_INT64, 1, &n, numbers, NULL) &&
               H5Lcreate_hard(file, "modes/position_index", file, "modes/index", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
               write_set(file, "modes/positions", H5T_NATIVE_DOUBLE, 2, positions, basis->positions, unit);
    }
    H5Tclose(text);
    return good;
}

/* One number of the medium for all points, or one for each where they differ. */
static int write_medium(hid_t file, size_t n, poy_tmatrix *const *t, int part, const char *name, poy_c128 *values)
{
    int same = 1;
    const hsize_t dims = n;
    for (size_t i = 0; i < n; i++) {
        const poy_medium *m = &t[i]->embedding.medium;
        values[i] = part == 0 ? m->epsilon : part == 1 ? m->mu : m->kappa;
        same = same && values[i].re == values[0].re && values[i].im == values[0].im;
    }
    const hid_t type = complex_type();
    const int good = write_set(file, name, type, !same, &dims, values, NULL);
    H5Tclose(type);
    return good;
}

static int write_matrices(hid_t file, size_t n, poy_tmatrix *const *t)
{
    const hsize_t size = t[0]->n, dims[3] = {n, size, size}, block[3] = {1, size, size};
    const hid_t type = complex_type(),
                space = n == 1 ? H5Screate_simple(2, dims + 1, NULL) : H5Screate_simple(3, dims, NULL),
                memory = H5Screate_simple(3, block, NULL);
    const hid_t set = H5Dcreate2(file, "tmatrix", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int good = set >= 0;
    for (size_t i = 0; i < n && good; i++) {
        const hsize_t start[3] = {i, 0, 0};
        if (n > 1)
            good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, block, NULL) >= 0;
        good = good &&
               H5Dwrite(set, type, n > 1 ? memory : H5S_ALL, n > 1 ? space : H5S_ALL, H5P_DEFAULT, t[i]->values) >= 0;
    }
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(memory);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

static poy_status write_all(poy_ctx *ctx, hid_t file, const char *unit, size_t n, poy_tmatrix *const *t,
                            const poy_tmatrix_text *text)
{
    void *memory = NULL;
    char inverse[16], version[64];
    const size_t size = t[0]->n, largest = size > n ? size : n;
    const hsize_t points = n;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.file", largest * 2 * sizeof(poy_c128), &memory));
    double *k0 = memory;
    (void)snprintf(inverse, sizeof inverse, "%s^{-1}", unit);
    (void)snprintf(version, sizeof version, "poynting=%s", poy_version());
    for (size_t i = 0; i < n; i++)
        k0[i] = t[i]->embedding.k0;
    int good = write_set(file, "angular_vacuum_wavenumber", H5T_NATIVE_DOUBLE, n > 1, &points, k0, inverse) &&
               write_matrices(file, n, t) &&
               write_modes(file, t[0]->basis, t[0]->embedding.poltype, unit, memory,
                           (const char **)((int64_t *)memory + size)) &&
               make_group(file, "embedding") &&
               write_medium(file, n, t, 0, "embedding/relative_permittivity", memory) &&
               write_medium(file, n, t, 1, "embedding/relative_permeability", memory);
    if (t[0]->embedding.poltype == POY_HELICITY)
        good = good && write_medium(file, n, t, 2, "embedding/chirality", memory) &&
               H5Lcreate_hard(file, "embedding/chirality", file, "embedding/chirality_parameter", H5P_DEFAULT,
                              H5P_DEFAULT) >= 0;
    good = good && write_text(file, "created_with", version);
    if (text && text->name)
        good = good && write_text(file, "name", text->name);
    if (text && text->description)
        good = good && write_text(file, "description", text->description);
    if (text && text->keywords)
        good = good && write_text(file, "keywords", text->keywords);
    poyi_free(&memory);
    if (!good)
        return POYI_FAIL(ctx, POY_ERR_IO, "tmat.h5: writing failed; is the disk full?");
    return POY_OK;
}

/* ---- the call ---- */

static poy_status check(poy_ctx *ctx, size_t n, poy_tmatrix *const *t)
{
    if (n == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: no T-matrix to write");
    for (size_t i = 0; i < n; i++) {
        int same = t[i]->n == t[0]->n && t[i]->basis->kind == POY_BASIS_SPHERICAL &&
                   t[i]->embedding.poltype == t[0]->embedding.poltype &&
                   t[i]->basis->n_positions == t[0]->basis->n_positions;
        for (size_t j = 0; same && j < t[i]->n; j++)
            same = poyi_mode_same_wave(t[i]->basis->modes + j, t[0]->basis->modes + j) &&
                   t[i]->basis->modes[j].pol == t[0]->basis->modes[j].pol;
        for (size_t j = 0; same && j < 3 * t[0]->basis->n_positions; j++)
            same = t[i]->basis->positions[j] == t[0]->basis->positions[j];
        if (!same)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "tmat.h5: T-matrix %zu has other modes, positions or polarisations than the first, or no "
                             "spherical waves",
                             i);
    }
    return POY_OK;
}

poy_status poy_tmatrix_save(poy_ctx *ctx, const char *path, double unit, size_t n, poy_tmatrix *const *t,
                            const poy_tmatrix_text *text)
{
    poy_status status;
    H5E_auto2_t report;
    void *data, *memory = NULL;
    char name[8];
    POYI_TRY(ctx, check(ctx, n, t));
    POYI_TRY(ctx, unit_name(ctx, unit, name));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.file", strlen(path) + 8, &memory));
    char *part = memory; /* takes the name of the file when it is whole */
    (void)snprintf(part, strlen(path) + 8, "%s.part", path);
    H5Eget_auto2(H5E_DEFAULT, &report, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fcreate(part, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) {
        status = POYI_FAIL(ctx, POY_ERR_IO, "tmat.h5: %s cannot be written", part);
    } else {
        status = write_all(ctx, file, name, n, t, text);
        if (H5Fclose(file) < 0 && status == POY_OK)
            status = POYI_FAIL(ctx, POY_ERR_IO, "tmat.h5: writing %s failed; is the disk full?", part);
        if (status == POY_OK && rename(part, path) != 0)
            status = POYI_FAIL(ctx, POY_ERR_IO, "tmat.h5: %s cannot be given the name %s", part, path);
        if (status != POY_OK)
            (void)remove(part);
    }
    H5Eset_auto2(H5E_DEFAULT, report, data);
    poyi_free(&memory);
    return status;
}

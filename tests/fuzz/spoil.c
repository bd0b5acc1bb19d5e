/* spoil.c: changes of HDF5 files that a fuzz target's input asks for. */
#include "spoil.h"

#include <stdio.h>
#include <string.h>

#include "run/store/h5.h"

static herr_t add_path(hid_t file, const char *name, const H5O_info_t *about, void *user)
{
    spoil_file *f = user;
    (void)file;
    (void)about;
    if (f->n_paths < SPOIL_PATHS_MAX && strcmp(name, ".") != 0)
        snprintf(f->paths[f->n_paths++], sizeof f->paths[0], "%s", name);
    return 0;
}

void spoil_list(spoil_file *f, const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, add_path, f);
    H5Fclose(file);
    if (!f->n_paths)
        fuzz_fail("%s holds nothing", path);
}

void spoil_copy(const char *from_path, const char *to_path)
{
    static char data[1 << 20];
    FILE *from = fopen(from_path, "rb"), *to = fopen(to_path, "wb");
    size_t n = from ? fread(data, 1, sizeof data, from) : 0;
    if (!to || !n || fwrite(data, 1, n, to) != n)
        fuzz_fail("the file cannot be copied");
    fclose(from);
    fclose(to);
}

static hid_t any_type(fuzz_bytes *b)
{
    hid_t type;
    switch (fuzz_take(b, 12)) {
    case 0: return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 1: return H5Tcopy(H5T_NATIVE_INT64);
    case 2: return H5Tcopy(H5T_NATIVE_FLOAT);
    case 3: return H5Tcopy(H5T_NATIVE_SCHAR);
    case 4:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    case 5:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 1 + fuzz_take(b, 40));
        return type;
    case 6: return poyi_h5_complex((int)fuzz_take(b, 2));
    case 7: return poyi_h5_bool();
    case 8:
        type = H5Tcreate(H5T_COMPOUND, 24);
        H5Tinsert(type, "x", 0, H5T_NATIVE_DOUBLE);
        H5Tinsert(type, "r", 8, H5T_NATIVE_INT64);
        return type;
    case 9: return H5Tcreate(H5T_OPAQUE, 1 + fuzz_take(b, 30));
    case 10: return H5Tcopy(H5T_STD_REF_OBJ);
    default: return H5Tvlen_create(H5T_NATIVE_DOUBLE);
    }
}

static hid_t any_space(fuzz_bytes *b)
{
    hsize_t dims[H5S_MAX_RANK];
    int rank = (int)fuzz_take(b, 12);
    if (rank == 0)
        return H5Screate(fuzz_take(b, 2) ? H5S_NULL : H5S_SCALAR);
    for (int i = 0; i < rank; i++)
        dims[i] = fuzz_take(b, 3) ? fuzz_take(b, i ? 3 : 40) : 1;
    return H5Screate_simple(rank, dims, NULL);
}

/* A huge extent of which nothing is stored. */
static hid_t huge_space(fuzz_bytes *b, hid_t list)
{
    hsize_t dims[4] = {1, 1, 1, 1}, chunk[4] = {4, 1, 1, 1};
    int rank = 1 + (int)fuzz_take(b, 4);
    dims[fuzz_take(b, (unsigned)rank)] = (hsize_t)1 << (8 + fuzz_take(b, 52));
    H5Pset_chunk(list, rank, chunk);
    return H5Screate_simple(rank, dims, NULL);
}

static void put_dataset(hid_t file, const char *where, fuzz_bytes *b)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), type = any_type(b);
    hid_t space = fuzz_take(b, 6) ? any_space(b) : huge_space(b, list);
    hid_t set = H5Dcreate2(file, where, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    unsigned char data[32];
    if (set >= 0 && H5Tget_class(type) != H5T_VLEN && H5Tget_class(type) != H5T_REFERENCE &&
        !H5Tis_variable_str(type) && H5Sget_simple_extent_npoints(space) == 1 && H5Tget_size(type) <= sizeof data) {
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (unsigned char)fuzz_take(b, 256);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    }
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(list);
}

static void put_text(const spoil_file *f, hid_t file, const char *where, fuzz_bytes *b)
{
    char text[2048];
    size_t n = 0;
    if (fuzz_take(b, 2)) /* the text, changed at one place, else anything */
        n = strlen(f->text);
    memcpy(text, f->text, n);
    if (n) {
        size_t at = 256 * fuzz_take(b, 2) + fuzz_take(b, 256);
        for (size_t k = fuzz_take(b, 8); k > 0 && at < n; k--)
            text[at++] = (char)fuzz_take(b, 256);
    }
    while (n + 1 < sizeof text && b->at < b->end)
        text[n++] = (char)*b->at++;
    text[n] = '\0';
    poyi_h5_text(file, where, text, "text");
}

static void put_attribute(const spoil_file *f, hid_t file, const char *where, fuzz_bytes *b)
{
    const char *name = f->attributes[fuzz_take(b, (unsigned)f->n_attributes)];
    hid_t object = H5Oopen(file, where, H5P_DEFAULT), type = any_type(b), space = any_space(b);
    if (object >= 0) {
        H5Adelete(object, name);
        hid_t attribute = fuzz_take(b, 4) ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
        if (attribute >= 0)
            H5Aclose(attribute);
        H5Oclose(object);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void resize(hid_t file, const char *where, fuzz_bytes *b)
{
    hsize_t dims[8];
    int rank;
    if (poyi_h5_extent(file, where, &rank, dims) || rank < 1)
        return;
    hid_t set = H5Dopen2(file, where, H5P_DEFAULT);
    dims[0] = fuzz_take(b, 8) ? fuzz_take(b, 8) : (hsize_t)1 << (10 + fuzz_take(b, 40));
    H5Dset_extent(set, dims);
    H5Dclose(set);
}

void spoil(const spoil_file *f, hid_t file, fuzz_bytes *b)
{
    const char *where = f->paths[fuzz_take(b, (unsigned)f->n_paths)],
               *other = f->paths[fuzz_take(b, (unsigned)f->n_paths)];
    switch (fuzz_take(b, 9)) {
    case 0: H5Ldelete(file, where, H5P_DEFAULT); return;
    case 1: resize(file, where, b); return;
    case 2: put_attribute(f, file, where, b); return;
    case 3: put_attribute(f, file, "/", b); return;
    default: break;
    }
    H5Ldelete(file, where, H5P_DEFAULT);
    switch (fuzz_take(b, 6)) {
    case 0: H5Gclose(H5Gcreate2(file, where, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); return;
    case 1: H5Lcreate_soft(other, file, where, H5P_DEFAULT, H5P_DEFAULT); return;
    case 2: H5Lcreate_hard(file, other, file, where, H5P_DEFAULT, H5P_DEFAULT); return;
    case 3: put_text(f, file, where, b); return;
    default: put_dataset(file, where, b); return;
    }
}

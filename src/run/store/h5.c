/* h5.c: short forms of what this room writes with HDF5. */
#include "run/store/h5.h"

#include <hdf5_hl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Before the first call of the library: it is not to close at the end of the process what could not be written, on a full disk, a second
 * time; it crashes then. Every file is closed where it is used. */
static void start(void)
{
    static _Atomic int started;
    if (!started++)
        H5dont_atexit();
}

void poyi_h5_begin(poyi_h5_quiet *q)
{
    start();
    H5Eget_auto2(H5E_DEFAULT, &q->fn, &q->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Eclear2(H5E_DEFAULT);
}

void poyi_h5_end(const poyi_h5_quiet *q)
{
    H5Eset_auto2(H5E_DEFAULT, q->fn, q->data);
}

typedef struct cause {
    size_t size;
    char *out;
} cause;

static herr_t innermost(unsigned n, const H5E_error2_t *e, void *user)
{
    const cause *c = user;
    if (n == 0 && e->desc)
        snprintf(c->out, c->size, "%s", e->desc);
    return 0;
}

void poyi_h5_cause(size_t size, char *out)
{
    cause c = {size, out};
    snprintf(out, size, "unknown HDF5 failure");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &c);
}

/* ---- types ---- */

/* Links and attributes stay in the object's header, whatever their number: HDF5 would move many of them into heaps and
 * trees, which cannot be read while they are written. */
static hid_t keep_compact(hid_t list)
{
    if (list >= 0 && (H5Pset_link_phase_change(list, 1024, 1000) < 0 || H5Pset_attr_phase_change(list, 64, 60) < 0)) {
        H5Pclose(list);
        return H5I_INVALID_HID;
    }
    return list;
}

hid_t poyi_h5_group(hid_t at, const char *name)
{
    hid_t list = keep_compact(H5Pcreate(H5P_GROUP_CREATE));
    hid_t group = list < 0 ? H5I_INVALID_HID : H5Gcreate2(at, name, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    return group;
}

hid_t poyi_h5_new_file(void)
{
    return keep_compact(H5Pcreate(H5P_FILE_CREATE));
}

hid_t poyi_h5_complex(int single)
{
    start();
    size_t size = single ? sizeof(float) : sizeof(double);
    hid_t part = single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, type = H5Tcreate(H5T_COMPOUND, 2 * size);
    if (type < 0 || H5Tinsert(type, "r", 0, part) < 0 || H5Tinsert(type, "i", size, part) < 0)
        return H5I_INVALID_HID;
    return type;
}

hid_t poyi_h5_bool(void)
{
    const signed char no = 0, yes = 1;
    hid_t type = H5Tenum_create(H5T_NATIVE_SCHAR);
    if (type < 0 || H5Tenum_insert(type, "FALSE", &no) < 0 || H5Tenum_insert(type, "TRUE", &yes) < 0)
        return H5I_INVALID_HID;
    return type;
}

/* UTF-8 of a length in bytes, or H5T_VARIABLE. */
static hid_t string_type(size_t length)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0 || H5Tset_size(type, length ? length : 1) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ||
        (length != H5T_VARIABLE && H5Tset_strpad(type, H5T_STR_NULLPAD) < 0))
        return H5I_INVALID_HID;
    return type;
}

/* ---- attributes ---- */

static int write_attribute(hid_t at, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR), attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    int status = attribute < 0 || H5Awrite(attribute, type, value) < 0 ? -1 : 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return status;
}

/* Variable length: readers get a string, not bytes. */
int poyi_h5_attribute(hid_t at, const char *name, const char *text)
{
    hid_t type = string_type(H5T_VARIABLE);
    int status = type < 0 ? -1 : write_attribute(at, name, type, (const void *)&text);
    H5Tclose(type);
    return status;
}

int poyi_h5_attribute_int(hid_t at, const char *name, int64_t value)
{
    return write_attribute(at, name, H5T_NATIVE_INT64, &value);
}

int poyi_h5_attribute_set(hid_t at, const char *name, int64_t value)
{
    hid_t attribute = H5Aopen(at, name, H5P_DEFAULT);
    int status = attribute < 0 || H5Awrite(attribute, H5T_NATIVE_INT64, &value) < 0 ? -1 : 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return status;
}

static int describe(hid_t set, const poyi_h5_about *about)
{
    if (about->units && poyi_h5_attribute(set, "units", about->units))
        return -1;
    if (about->text && poyi_h5_attribute(set, "long_name", about->text))
        return -1;
    return about->dims && poyi_h5_attribute(set, "dims", about->dims) ? -1 : 0;
}

/* ---- datasets ---- */

/* compact: the value lives in the object's header, which is written with the other metadata, all or nothing. */
static int write_dataset(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims, const void *data,
                         int compact, const poyi_h5_about *about, hid_t *out)
{
    hid_t space = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), set = H5I_INVALID_HID;
    int status = -1;
    if (space < 0 || list < 0 || (compact && H5Pset_layout(list, H5D_COMPACT) < 0))
        goto done;
    set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0 || describe(set, about))
        goto done;
    status = 0;
done:
    if (out)
        *out = set;
    else if (set >= 0)
        H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    return status;
}

int poyi_h5_text(hid_t at, const char *name, const char *text, const char *about)
{
    hid_t type = string_type(strlen(text));
    poyi_h5_about a = {.text = about};
    int status =
        type < 0 ? -1 : write_dataset(at, name, type, 0, NULL, *text ? text : "\0", strlen(text) < 32000, &a, NULL);
    H5Tclose(type);
    return status;
}

int poyi_h5_texts(hid_t at, const char *name, const char *const *list, int n, const poyi_h5_about *about)
{
    hid_t type = string_type(H5T_VARIABLE);
    hsize_t dims = (hsize_t)n;
    int status = type < 0 ? -1 : write_dataset(at, name, type, 1, &dims, (const void *)list, 0, about, NULL);
    H5Tclose(type);
    return status;
}

int poyi_h5_scalar(hid_t at, const char *name, double value, const poyi_h5_about *about)
{
    return write_dataset(at, name, H5T_NATIVE_DOUBLE, 0, NULL, &value, 1, about, NULL);
}

int poyi_h5_integer(hid_t at, const char *name, int64_t value, const poyi_h5_about *about)
{
    return write_dataset(at, name, H5T_NATIVE_INT64, 0, NULL, &value, 1, about, NULL);
}

int poyi_h5_line(hid_t at, const char *name, const double *data, int64_t n, const poyi_h5_about *about, hid_t *out)
{
    hsize_t dims = (hsize_t)n;
    return write_dataset(at, name, H5T_NATIVE_DOUBLE, 1, &dims, data, 0, about, out);
}

/* ---- growing ---- */

hid_t poyi_h5_growing(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims, const hsize_t *chunk,
                      int compress, const poyi_h5_about *about)
{
    hsize_t most[8];
    for (int i = 0; i < rank; i++)
        most[i] = i ? dims[i] : H5S_UNLIMITED;
    hid_t space = H5Screate_simple(rank, dims, most), list = H5Pcreate(H5P_DATASET_CREATE), set = H5I_INVALID_HID;
    if (space >= 0 && list >= 0 && H5Pset_chunk(list, rank, chunk) >= 0 &&
        (!compress || (H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, 4) >= 0)))
        set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (set >= 0 && describe(set, about)) {
        H5Dclose(set);
        set = H5I_INVALID_HID;
    }
    H5Pclose(list);
    H5Sclose(space);
    return set;
}

int poyi_h5_shrink(hid_t set, hsize_t rows)
{
    hsize_t dims[8];
    int rank;
    if (poyi_h5_extent_of(set, &rank, dims) || rank < 1 || dims[0] < rows)
        return -1;
    dims[0] = rows;
    return H5Dset_extent(set, dims) < 0 ? -1 : 0;
}

int poyi_h5_rows(hid_t set, hid_t type, hsize_t first, hsize_t n, const void *data)
{
    hsize_t dims[8], start[8] = {first}, count[8];
    hid_t space = H5Dget_space(set), memory = H5I_INVALID_HID;
    int rank = H5Sget_simple_extent_dims(space, dims, NULL), status = -1;
    if (rank < 1 || !n)
        goto done;
    if (first + n > dims[0]) {
        dims[0] = first + n;
        if (H5Dset_extent(set, dims) < 0)
            goto done;
        H5Sclose(space);
        space = H5Dget_space(set);
    }
    memcpy(count, dims, sizeof count);
    count[0] = n;
    memory = H5Screate_simple(rank, count, NULL);
    if (memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dwrite(set, type, memory, space, H5P_DEFAULT, data) >= 0)
        status = 0;
done:
    if (memory >= 0)
        H5Sclose(memory);
    H5Sclose(space);
    return n ? status : 0;
}

int poyi_h5_put(hid_t at, const char *name, hid_t type, const void *value)
{
    hid_t set = H5Dopen2(at, name, H5P_DEFAULT);
    int status = set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0 ? -1 : 0;
    if (set >= 0)
        H5Dclose(set);
    return status;
}

hid_t poyi_h5_filled(hid_t at, const char *name, hid_t type, int rank, const hsize_t *extent, const hsize_t *chunk,
                     const poyi_h5_about *about)
{
    const double none[2] = {(double)NAN, (double)NAN};
    const int64_t zero[2] = {0, 0};
    const void *fill = H5Tget_class(type) == H5T_INTEGER ? (const void *)zero : none;
    hid_t space = rank ? H5Screate_simple(rank, extent, NULL) : H5Screate(H5S_SCALAR);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), set = H5I_INVALID_HID;
    if (space >= 0 && list >= 0 && H5Pset_fill_value(list, type, fill) >= 0 &&
        (!chunk || !rank || H5Pset_chunk(list, rank, chunk) >= 0))
        set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (set >= 0 && describe(set, about)) {
        H5Dclose(set);
        set = H5I_INVALID_HID;
    }
    H5Pclose(list);
    H5Sclose(space);
    return set;
}

int poyi_h5_block(hid_t set, hid_t type, const hsize_t *start, const hsize_t *count, const void *data)
{
    hid_t space = H5Dget_space(set), memory = H5I_INVALID_HID;
    const int rank = H5Sget_simple_extent_ndims(space);
    int status = -1;
    if (rank == 0) {
        status = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0 ? -1 : 0;
    } else if (rank > 0) {
        memory = H5Screate_simple(rank, count, NULL);
        if (memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
            H5Dwrite(set, type, memory, space, H5P_DEFAULT, data) >= 0)
            status = 0;
        if (memory >= 0)
            H5Sclose(memory);
    }
    H5Sclose(space);
    return status;
}

int poyi_h5_make_scale(hid_t set, const char *name)
{
    return H5DSset_scale(set, name) < 0 ? -1 : 0;
}

int poyi_h5_attach(hid_t set, const hid_t *scales, int n)
{
    for (int i = 0; i < n; i++)
        if (scales[i] >= 0 && H5DSattach_scale(set, scales[i], (unsigned)i) < 0)
            return -1;
    return 0;
}

/* ---- reading ---- */

int poyi_h5_exists(hid_t at, const char *path)
{
    char part[256];
    size_t n = 0;
    for (const char *c = path;; c++) { /* every group on the way has to exist before HDF5 may be asked */
        if (*c == '/' || !*c) {
            part[n] = '\0';
            if (n && H5Lexists(at, part, H5P_DEFAULT) <= 0)
                return 0;
            if (!*c)
                return n > 0;
        }
        if (n + 1 < sizeof part)
            part[n++] = *c;
    }
}

/* Whatever the file says, it is one value that the caller has room for. */
static int is_single(hid_t object, int is_attribute)
{
    hid_t space = is_attribute ? H5Aget_space(object) : H5Dget_space(object);
    hssize_t n = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (space >= 0)
        H5Sclose(space);
    return n == 1;
}

/* Both kinds of strings that HDF5 has. */
static const char *read_string(hid_t object, int is_attribute, poyi_arena *arena)
{
    hid_t type = is_attribute ? H5Aget_type(object) : H5Dget_type(object), memory = H5Tcopy(H5T_C_S1);
    const char *text = NULL;
    if (!is_single(object, is_attribute)) {
        /* a list of strings, or none, is no text */
    } else if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
        char *variable = NULL;
        H5Tset_size(memory, H5T_VARIABLE);
        H5Tset_cset(memory, H5Tget_cset(type));
        int status = is_attribute ? H5Aread(object, memory, (void *)&variable)
                                  : H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, (void *)&variable);
        if (status >= 0 && variable)
            text = poyi_arena_copy(arena, variable, strlen(variable));
        H5free_memory(variable);
    } else if (type >= 0 && H5Tget_class(type) == H5T_STRING) {
        size_t size = H5Tget_size(type);
        char *fixed = poyi_arena_alloc(arena, size + 1);
        int status = !fixed         ? -1
                     : is_attribute ? H5Aread(object, type, fixed)
                                    : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, fixed);
        if (status >= 0)
            text = fixed;
    }
    H5Tclose(memory);
    if (type >= 0)
        H5Tclose(type);
    return text;
}

const char *poyi_h5_read_text(hid_t at, const char *path, poyi_arena *arena)
{
    if (!poyi_h5_exists(at, path))
        return NULL;
    hid_t set = H5Dopen2(at, path, H5P_DEFAULT);
    if (set < 0)
        return NULL;
    const char *text = read_string(set, 0, arena);
    H5Dclose(set);
    return text;
}

/* n strings that HDF5 allocates, copied. */
static int copy_texts(hid_t set, hid_t type, hsize_t n, poyi_arena *arena, const char **list)
{
    char **read = calloc((size_t)n, sizeof *read);
    int status = !read || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, (void *)read) < 0 ? -1 : 0;
    for (hsize_t i = 0; i < n && !status; i++) {
        list[i] = read[i] ? poyi_arena_copy(arena, read[i], strlen(read[i])) : NULL;
        status = list[i] ? 0 : -1;
    }
    for (hsize_t i = 0; read && i < n; i++)
        H5free_memory(read[i]);
    free(read);
    return status;
}

int poyi_h5_read_texts(hid_t at, const char *path, poyi_arena *arena, const char ***out)
{
    int rank = 0, status = -1;
    hsize_t dims[8] = {0};
    hid_t set = poyi_h5_exists(at, path) ? H5Dopen2(at, path, H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t type = set < 0 ? H5I_INVALID_HID : H5Dget_type(set);
    *out = NULL;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0 &&
        !poyi_h5_extent_of(set, &rank, dims) && rank == 1 && dims[0] > 0 && dims[0] < 4096) {
        *out = poyi_arena_alloc(arena, (size_t)dims[0] * sizeof **out);
        status = *out ? copy_texts(set, type, dims[0], arena, *out) : -1;
    }
    if (type >= 0)
        H5Tclose(type);
    if (set >= 0)
        H5Dclose(set);
    return status ? -1 : (int)dims[0];
}

const char *poyi_h5_read_attribute(hid_t at, const char *name, poyi_arena *arena)
{
    if (H5Aexists(at, name) <= 0)
        return NULL;
    hid_t attribute = H5Aopen(at, name, H5P_DEFAULT);
    const char *text = attribute < 0 ? NULL : read_string(attribute, 1, arena);
    if (attribute >= 0)
        H5Aclose(attribute);
    return text;
}

int poyi_h5_read_attribute_int(hid_t at, const char *name, int64_t *out)
{
    if (H5Aexists(at, name) <= 0)
        return -1;
    hid_t attribute = H5Aopen(at, name, H5P_DEFAULT);
    int status = attribute < 0 || !is_single(attribute, 1) || H5Aread(attribute, H5T_NATIVE_INT64, out) < 0 ? -1 : 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return status;
}

/* A damaged file may claim any size. Compression makes a thousandth of the bytes at best (zlib); values that were never
 * written take none, but there are few of them. */
static int is_backed(hid_t set, const hsize_t *dims, int rank)
{
    hid_t type = H5Dget_type(set);
    double bytes = (double)H5Tget_size(type), stored = (double)H5Dget_storage_size(set);
    for (int i = 0; i < rank; i++)
        bytes *= (double)dims[i];
    H5Tclose(type);
    return bytes <= 1100 * stored + (1 << 20);
}

int poyi_h5_extent_of(hid_t set, int *rank, hsize_t dims[8])
{
    hid_t space = H5Dget_space(set);
    *rank = H5Sget_simple_extent_ndims(space);
    int status = *rank < 0 || *rank > 8 || H5Sget_simple_extent_dims(space, dims, NULL) < 0 ? -1 : 0;
    H5Sclose(space);
    return status || !is_backed(set, dims, *rank) ? -1 : 0;
}

int poyi_h5_extent(hid_t at, const char *path, int *rank, hsize_t dims[8])
{
    hid_t set = poyi_h5_exists(at, path) ? H5Dopen2(at, path, H5P_DEFAULT) : H5I_INVALID_HID;
    int status = set < 0 ? -1 : poyi_h5_extent_of(set, rank, dims);
    if (set >= 0)
        H5Dclose(set);
    return status;
}

/* Numbers in a row: the product of all axes but the first; 1 for a scalar, -1 for nothing. */
static int64_t h5_width(hid_t set)
{
    hsize_t dims[8];
    int rank;
    int64_t width = 1;
    if (poyi_h5_extent_of(set, &rank, dims))
        return -1;
    for (int i = 1; i < rank; i++)
        width *= (int64_t)dims[i];
    return width;
}

int poyi_h5_read_rows(hid_t at, const char *path, hid_t type, hsize_t first, hsize_t n, int64_t width, void *out)
{
    hsize_t dims[8] = {0}, start[8] = {first};
    hid_t set = poyi_h5_exists(at, path) ? H5Dopen2(at, path, H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t space = set < 0 ? H5I_INVALID_HID : H5Dget_space(set), memory = H5I_INVALID_HID;
    int rank = -1, status = -1;
    if (space < 0 || h5_width(set) != width || poyi_h5_extent_of(set, &rank, dims))
        goto done;
    if (rank == 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR) {
        status = H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0 ? -1 : 0;
    } else if (rank > 0 && first <= dims[0] && n <= dims[0] - first) {
        dims[0] = n;
        memory = H5Screate_simple(rank, dims, NULL);
        if (memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, dims, NULL) >= 0)
            status = n && H5Dread(set, type, memory, space, H5P_DEFAULT, out) < 0 ? -1 : 0;
    }
done:
    if (memory >= 0)
        H5Sclose(memory);
    if (space >= 0)
        H5Sclose(space);
    if (set >= 0)
        H5Dclose(set);
    return status;
}

static int read_scalar(hid_t at, const char *path, hid_t type, void *out)
{
    int rank;
    hsize_t dims[8];
    return poyi_h5_extent(at, path, &rank, dims) || rank ? -1 : poyi_h5_read_rows(at, path, type, 0, 0, 1, out);
}

int poyi_h5_read_double(hid_t at, const char *path, double *out)
{
    return read_scalar(at, path, H5T_NATIVE_DOUBLE, out);
}

int poyi_h5_read_int(hid_t at, const char *path, int64_t *out)
{
    return read_scalar(at, path, H5T_NATIVE_INT64, out);
}

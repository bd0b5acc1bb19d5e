/* series.c: results that consist of series of points: each row is written whole, its wavenumber last, so that the length of
 * that axis counts the rows that are there. */
#include <string.h>

#include "run/store/internal.h"

/* The group of a path, made if it is not there, in *rest its name in it. */
static hid_t group_of(hid_t file, const char *path, const char **rest)
{
    char part[96];
    const char *slash = strchr(path, '/');
    hid_t at = H5Gopen2(file, "/", H5P_DEFAULT);
    for (*rest = path; slash && at >= 0; slash = strchr(*rest, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - *rest), *rest);
        hid_t next = H5Lexists(at, part, H5P_DEFAULT) > 0 ? H5Gopen2(at, part, H5P_DEFAULT) : poyi_h5_group(at, part);
        H5Gclose(at);
        at = next;
        *rest = slash + 1;
    }
    return at;
}

/* ---- what is written once ---- */

static int write_table(hid_t at, const char *name, const poyi_line_set *line)
{
    const hsize_t dims[2] = {(hsize_t)line->n, (hsize_t)line->width};
    hid_t type = line->integers ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    hid_t space = H5Screate_simple(line->width ? 2 : 1, dims, NULL);
    hid_t set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const void *data = line->integers ? (const void *)line->integers : (const void *)line->numbers;
    int status = set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0 ||
                 poyi_h5_attribute(set, "units", line->units) || poyi_h5_attribute(set, "long_name", line->text) ||
                 (line->unit && poyi_h5_attribute(set, "unit", line->unit));
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    return status;
}

static int write_line(hid_t file, const poyi_line_set *line)
{
    const char *name;
    hid_t at = group_of(file, line->path, &name), set = H5I_INVALID_HID;
    const poyi_h5_about about = {line->units, line->text, line->numbers ? name : NULL};
    int status = at < 0;
    if (!status && line->texts)
        status = poyi_h5_texts(at, name, line->texts, (int)line->n, &about);
    else if (!status && (line->integers || line->width))
        status = write_table(at, name, line);
    else if (!status)
        status = poyi_h5_line(at, name, line->numbers, line->n, &about, &set) || poyi_h5_make_scale(set, name);
    if (set >= 0)
        H5Dclose(set);
    if (at >= 0)
        H5Gclose(at);
    return status;
}

/* ---- rows ---- */

/* Chunks of about 16 KiB, at least a row. */
static hsize_t chunk_rows(int64_t width)
{
    const int64_t rows = 2048 / (width > 0 ? width : 1);
    return (hsize_t)(rows < 1 ? 1 : rows > 256 ? 256 : rows);
}

static int write_key(poyi_store *s, int k)
{
    char path[128];
    const char *name;
    const hsize_t none = 0, chunk = 256;
    const poyi_h5_about about = {"1/m", "angular wavenumber in vacuum of the points", "k0"};
    snprintf(path, sizeof path, "%s/k0", s->layout->series[k].group);
    hid_t at = group_of(s->file, path, &name);
    if (at < 0)
        return -1;
    s->key[k] = poyi_h5_growing(at, name, H5T_NATIVE_DOUBLE, 1, &none, &chunk, 0, &about);
    H5Gclose(at);
    return s->key[k] < 0 || poyi_h5_make_scale(s->key[k], "k0");
}

static int attach(poyi_store *s, int i, hid_t at)
{
    const poyi_column *c = &s->layout->columns[i];
    hid_t scales[5] = {s->key[c->series]};
    for (int k = 0; k < c->rank; k++)
        scales[k + 1] = c->scale[k] ? H5Dopen2(s->file, c->scale[k], H5P_DEFAULT) : H5I_INVALID_HID;
    int status = poyi_h5_attach(s->column[i], scales, c->rank + 1);
    for (int k = 1; k <= c->rank; k++)
        if (scales[k] >= 0)
            H5Dclose(scales[k]);
    if (H5Lexists(at, "k0", H5P_DEFAULT) <= 0) /* readers of netCDF look for the axis beside what belongs to it */
        status = status || H5Olink(s->key[c->series], at, "k0", H5P_DEFAULT, H5P_DEFAULT) < 0;
    return status;
}

static int write_column(poyi_store *s, const poyi_store_head *h, int i)
{
    const poyi_column *c = &s->layout->columns[i];
    const poyi_h5_about about = {c->units, c->text, c->dims};
    const char *name;
    hsize_t dims[5] = {0}, chunk[5] = {chunk_rows(c->width)};
    hid_t at = group_of(s->file, c->path, &name);
    if (at < 0)
        return -1;
    for (int k = 0; k < c->rank; k++)
        dims[k + 1] = chunk[k + 1] = (hsize_t)c->extent[k];
    s->column[i] = poyi_h5_growing(at, name, c->is_complex ? s->complex_file : H5T_NATIVE_DOUBLE, c->rank + 1, dims,
                                   chunk, h->compress, &about);
    int status = s->column[i] < 0 || attach(s, i, at) || (c->unit && poyi_h5_attribute(s->column[i], "unit", c->unit));
    H5Gclose(at);
    return status;
}

int poyi_store_series_write(poyi_store *s, const poyi_store_head *h)
{
    int status = 0;
    s->layout = h->layout;
    for (int i = 0; i < s->layout->n_lines && !status; i++)
        status = write_line(s->file, &s->layout->lines[i]);
    for (int k = 0; k < s->layout->n_series && !status; k++)
        status = write_key(s, k);
    for (int i = 0; i < s->layout->n_columns && !status; i++)
        status = write_column(s, h, i);
    return status;
}

poy_status poyi_store_row(poy_ctx *ctx, poyi_store *s, int series, double k0, const double *row)
{
    poyi_h5_quiet quiet;
    int status = 0;
    if (s->broken)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: an earlier write failed", s->path);
    poyi_h5_begin(&quiet);
    for (int i = 0; i < s->layout->n_columns && !status; i++) {
        const poyi_column *c = &s->layout->columns[i];
        if (c->series != series)
            continue;
        status =
            poyi_h5_rows(s->column[i], c->is_complex ? s->complex_memory : H5T_NATIVE_DOUBLE, s->rows[series], 1, row);
        row += c->width;
    }
    status = status || poyi_h5_rows(s->key[series], H5T_NATIVE_DOUBLE, s->rows[series], 1, &k0);
    poy_status result = status ? poyi_store_failed(ctx, s, "store a point") : POY_OK;
    s->rows[series] += !status;
    poyi_h5_end(&quiet);
    return result;
}

int64_t poyi_store_row_count(const poyi_store *s, int series)
{
    return (int64_t)s->rows[series];
}

/* ---- taking them up again ---- */

static hid_t open_set(hid_t file, const char *path)
{
    return poyi_h5_exists(file, path) ? H5Dopen2(file, path, H5P_DEFAULT) : H5I_INVALID_HID;
}

/* A column that a file of an earlier version lacks: 0 in the rows that there are. */
static int add_column(poyi_store *s, const poyi_store_head *h, int i)
{
    const poyi_column *c = &s->layout->columns[i];
    hsize_t dims[5] = {s->rows[c->series]};
    for (int k = 0; k < c->rank; k++)
        dims[k + 1] = (hsize_t)c->extent[k];
    return write_column(s, h, i) || H5Dset_extent(s->column[i], dims) < 0; /* fills with 0 */
}

int poyi_store_series_open(poyi_store *s, const poyi_store_head *h)
{
    char path[128];
    hsize_t dims[8];
    int status = 0, rank;
    s->layout = h->layout;
    for (int k = 0; k < s->layout->n_series && !status; k++) {
        snprintf(path, sizeof path, "%s/k0", s->layout->series[k].group);
        s->key[k] = open_set(s->file, path);
        status = s->key[k] < 0 || poyi_h5_extent_of(s->key[k], &rank, dims) || rank != 1;
        s->rows[k] = status ? 0 : dims[0];
    }
    for (int i = 0; i < s->layout->n_columns && !status; i++) {
        const poyi_column *c = &s->layout->columns[i];
        s->column[i] = open_set(s->file, c->path);
        if (s->column[i] < 0 && c->zero_if_absent && !poyi_h5_exists(s->file, c->path))
            status = add_column(s, h, i);
        status = status || s->column[i] < 0 || poyi_h5_shrink(s->column[i], s->rows[c->series]);
    }
    return status;
}

void poyi_store_series_close(poyi_store *s)
{
    for (int i = 0; i < POYI_SERIES_MAX; i++)
        if (s->key[i] >= 0)
            H5Dclose(s->key[i]);
    for (int i = 0; i < POYI_COLUMNS_MOST; i++)
        if (s->column[i] >= 0)
            H5Dclose(s->column[i]);
}

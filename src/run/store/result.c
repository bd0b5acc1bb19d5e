/* result.c: reading result files. */
#include "run/store/result.h"

#include <stdlib.h>
#include <string.h>

#include "core/remedy.h"
#include "run/store/internal.h"

poy_status poy_result_open(poy_ctx *ctx, const char *path, poy_result **out)
{
    poyi_h5_quiet quiet;
    poy_result *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to read it", path);
    r->path = poyi_arena_copy(&r->arena, path, strlen(path));
    poyi_h5_begin(&quiet);
    poy_status status = poyi_store_open(ctx, path, H5F_ACC_RDONLY, &r->file);
    if (status == POY_OK)
        status = poyi_store_check_format(ctx, r->file, path, &r->arena);
    poyi_h5_end(&quiet);
    if (status == POY_OK)
        *out = r;
    else
        poy_result_close(&r);
    return status;
}

void poy_result_close(poy_result **result)
{
    poy_result *r = *result;
    poyi_h5_quiet quiet;
    if (!r)
        return;
    poyi_h5_begin(&quiet);
    if (r->file > 0)
        H5Fclose(r->file);
    poyi_h5_end(&quiet);
    poy_recipe_destroy(&r->recipe);
    poyi_arena_fini(&r->arena);
    free(r->list);
    free(r);
    *result = NULL;
}

const char *poy_result_attribute(poy_result *r, const char *name)
{
    poyi_h5_quiet quiet;
    int64_t value;
    poyi_h5_begin(&quiet);
    const char *text = poyi_h5_read_attribute(r->file, name, &r->arena);
    if (!text && !poyi_h5_read_attribute_int(r->file, name, &value))
        text = poyi_arena_format(&r->arena, "%lld", (long long)value);
    poyi_h5_end(&quiet);
    return text;
}

/* ---- datasets ---- */

static void copy_attribute(hid_t set, const char *name, poyi_arena *arena, size_t size, char *out)
{
    const char *text = poyi_h5_read_attribute(set, name, arena);
    snprintf(out, size, "%s", text ? text : "");
}

static int describe(poy_result *r, hid_t set, const char *path, poy_dataset *d)
{
    hsize_t dims[8] = {0};
    hid_t type = H5Dget_type(set);
    H5T_class_t class = H5Tget_class(type);
    *d = (poy_dataset){.is_complex = class == H5T_COMPOUND, .is_text = class == H5T_STRING};
    snprintf(d->path, sizeof d->path, "%s", path);
    int status = poyi_h5_extent_of(set, &d->rank, dims);
    for (int i = 0; i < d->rank && !status; i++)
        d->extent[i] = (int64_t)dims[i];
    copy_attribute(set, "units", &r->arena, sizeof d->units, d->units);
    copy_attribute(set, "long_name", &r->arena, sizeof d->text, d->text);
    copy_attribute(set, "dims", &r->arena, sizeof d->dims, d->dims);
    H5Tclose(type);
    return status;
}

poy_status poy_result_find(poy_ctx *ctx, poy_result *r, const char *path, poy_dataset *out)
{
    poyi_h5_quiet quiet;
    char advice[1100];
    poyi_h5_begin(&quiet);
    hid_t set = poyi_h5_exists(r->file, path) ? H5Dopen2(r->file, path, H5P_DEFAULT) : H5I_INVALID_HID;
    int status = set < 0 ? -1 : describe(r, set, path, out);
    if (set >= 0)
        H5Dclose(set);
    poyi_h5_end(&quiet);
    return status ? POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: has no dataset %s: %s", r->path, path,
                              poyi_remedy(ctx, POYI_REMEDY_DATASETS, r->path, sizeof advice, advice))
                  : POY_OK;
}

/* The axes of /field are links to those of /grid: they are known by the latter name. */
static const char *proper_path(hid_t file, const char *path, size_t size, char *out)
{
    if (strncmp(path, "field/", 6) != 0)
        return path;
    snprintf(out, size, "grid/%s", path + 6);
    return poyi_h5_exists(file, out) ? out : path;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const poy_dataset *)a)->path, ((const poy_dataset *)b)->path);
}

static herr_t list_one(hid_t file, const char *path, const H5O_info_t *about, void *user)
{
    poy_result *r = user;
    if (about->type != H5O_TYPE_DATASET)
        return 0;
    if (r->n_list == r->room) {
        int room = r->room ? 2 * r->room : 64;
        poy_dataset *list = realloc(r->list, (size_t)room * sizeof *list);
        if (!list)
            return -1;
        r->list = list;
        r->room = room;
    }
    char other[128];
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    path = proper_path(file, path, sizeof other, other);
    int status = set < 0 ? -1 : describe(r, set, path, &r->list[r->n_list]);
    r->n_list += !status;
    if (set >= 0)
        H5Dclose(set);
    return 0;
}

int poy_result_dataset_at(poy_result *r, int i, poy_dataset *out)
{
    poyi_h5_quiet quiet;
    if (!r->list) {
        poyi_h5_begin(&quiet);
        H5Ovisit(r->file, H5_INDEX_NAME, H5_ITER_INC, list_one, r);
        poyi_h5_end(&quiet);
        if (r->list)
            qsort(r->list, (size_t)r->n_list, sizeof r->list[0], by_path);
    }
    if (i < 0 || i >= r->n_list || !r->list)
        return 0;
    *out = r->list[i];
    return 1;
}

/* HDF5 turns no truth into a number. */
static int read_bools(poy_result *r, const char *path, int64_t first, int64_t n, double *out)
{
    signed char *bools = malloc((size_t)n + 1);
    hid_t type = poyi_h5_bool();
    int status = !bools || poyi_h5_read_rows(r->file, path, type, (hsize_t)first, (hsize_t)n, 1, bools);
    for (int64_t i = 0; i < n && !status; i++)
        out[i] = bools[i];
    H5Tclose(type);
    free(bools);
    return status;
}

poy_status poy_result_read(poy_ctx *ctx, poy_result *r, const char *path, int64_t first, int64_t n, double *out)
{
    poyi_h5_quiet quiet;
    poy_dataset d;
    POYI_TRY(ctx, poy_result_find(ctx, r, path, &d));
    if (d.is_text)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s is a text, not numbers", r->path, path);
    int64_t rows = d.rank ? d.extent[0] : 1, width = 1;
    for (int i = 1; i < d.rank; i++)
        width *= d.extent[i];
    if (first < 0 || n < 0 || n > rows - first)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "%s: %s has %lld rows, asked for %lld to %lld", r->path, path,
                         (long long)rows, (long long)first, (long long)(first + n - 1));
    poyi_h5_begin(&quiet);
    hid_t type = d.is_complex ? poyi_h5_complex(0) : H5Tcopy(H5T_NATIVE_DOUBLE);
    int status = poyi_h5_read_rows(r->file, path, type, (hsize_t)first, (hsize_t)n, width, out);
    if (status && d.rank == 1 && !d.is_complex)
        status = read_bools(r, path, first, n, out);
    H5Tclose(type);
    poyi_h5_end(&quiet);
    return status ? POYI_FAIL(ctx, POY_ERR_IO, "%s: %s cannot be read", r->path, path) : POY_OK;
}

poy_status poy_result_scalar(poy_ctx *ctx, poy_result *r, const char *path, int64_t row, double *out)
{
    poy_dataset d;
    POYI_TRY(ctx, poy_result_find(ctx, r, path, &d));
    if (d.rank > 1 || d.is_complex)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s has more than one number a row: read it whole", r->path, path);
    int64_t rows = d.rank ? d.extent[0] : 1;
    POYI_TRY(ctx, poy_result_read(ctx, r, path, row < 0 ? rows + row : row, 1, out));
    return POY_OK;
}

poy_status poy_result_text(poy_ctx *ctx, poy_result *r, const char *path, const char **out)
{
    poyi_h5_quiet quiet;
    poyi_h5_begin(&quiet);
    *out = poyi_h5_read_text(r->file, path, &r->arena);
    poyi_h5_end(&quiet);
    return *out ? POY_OK : POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: has no text %s", r->path, path);
}

poy_status poy_result_texts(poy_ctx *ctx, poy_result *r, const char *path, const char *const **out, int *n)
{
    poyi_h5_quiet quiet;
    const char **list = NULL;
    poyi_h5_begin(&quiet);
    *n = poyi_h5_read_texts(r->file, path, &r->arena, &list);
    poyi_h5_end(&quiet);
    *out = list;
    return *n >= 0 ? POY_OK : POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: has no list of texts %s", r->path, path);
}

poy_recipe *poyi_result_recipe(poy_ctx *ctx, poy_result *r)
{
    const char *text;
    if (r->recipe_tried)
        return r->recipe;
    r->recipe_tried = 1;
    if (poy_result_text(ctx, r, "recipe/resolved", &text) != POY_OK ||
        poy_recipe_parse(ctx, text, r->path, &r->recipe) != POY_OK)
        return NULL;
    if (poyi_store_sources(ctx, r->path, r->recipe) != POY_OK || poy_recipe_check(ctx, r->recipe) != POY_OK)
        poy_recipe_destroy(&r->recipe);
    poy_ctx_clear(ctx);
    return r->recipe;
}

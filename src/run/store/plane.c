/* plane.c: one plane of a result, for a run that starts from it. */
#include <math.h>
#include <string.h>

#include "run/store/internal.h"
#include "run/store/result.h"

/* The reference wavelength as the resolved recipe has it. */
static const char *find_reference(hid_t file, poyi_arena *arena)
{
    poyi_toml_error error;
    poyi_node *root = NULL;
    const char *text = poyi_h5_read_text(file, "recipe/resolved", arena);
    if (!text || !poyi_toml_parse(arena, text, strlen(text), &root, &error))
        return NULL;
    const poyi_node *node = poyi_node_find(root, "grid.reference");
    return node && node->kind == POYI_STRING ? node->text : NULL;
}

static int read_head(hid_t file, poyi_arena *arena, poyi_stored_plane *out)
{
    int64_t complete = 0;
    const char *precision = poyi_h5_read_attribute(file, "precision", arena);
    out->digest = poyi_h5_read_attribute(file, "config_sha256", arena);
    out->reference = find_reference(file, arena);
    out->n_modes = poyi_h5_read_texts(file, "grid/mode", arena, &out->modes);
    out->n_polarisations = poyi_h5_read_texts(file, "grid/polarisation", arena, &out->polarisations);
    poyi_h5_read_attribute_int(file, "complete", &complete);
    out->complete = complete != 0;
    out->single = precision && !strcmp(precision, "single");
    return !out->digest || !out->reference || out->n_modes < 1 || out->n_polarisations < 1;
}

static int line_length(hid_t file, const char *path, int64_t *n)
{
    int rank = 0;
    hsize_t dims[8] = {0};
    if (poyi_h5_extent(file, path, &rank, dims) || rank != 1)
        return -1;
    *n = (int64_t)dims[0];
    return 0;
}

/* The axis of frequencies: a real field's has half as many and one more than its times. */
static int read_axis(hid_t file, poyi_arena *arena, poyi_stored_plane *out)
{
    int64_t n = 0, n_t = 0;
    if (line_length(file, "grid/omega", &n) || line_length(file, "grid/t", &n_t) || n < 3)
        return -1;
    double *omega = poyi_arena_alloc(arena, (size_t)n * sizeof *omega);
    if (!omega || poyi_h5_read_rows(file, "grid/omega", H5T_NATIVE_DOUBLE, 0, (hsize_t)n, 1, omega))
        return -1;
    out->n = n;
    out->real = n_t == 2 * (n - 1);
    out->first = out->real ? 0 : -(n / 2);
    out->omega = omega[0];
    out->domega = (omega[n - 1] - omega[0]) / (double)(n - 1);
    return (!out->real && n_t != n) || !(out->domega > 0) || !isfinite(out->omega);
}

/* The number of the plane at z, or what there is instead. */
static poy_status find_plane(poy_ctx *ctx, hid_t file, const char *path, double z, poyi_arena *arena, int64_t *plane,
                             double *found)
{
    char below[48] = "", above[48] = "", asked[48];
    int64_t n = 0;
    double *list = NULL;
    if (line_length(file, "grid/z", &n) || n < 1 || !(list = poyi_arena_alloc(arena, (size_t)n * sizeof *list)) ||
        poyi_h5_read_rows(file, "grid/z", H5T_NATIVE_DOUBLE, 0, (hsize_t)n, 1, list))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s holds no planes: name a result that has run", path);
    *plane = n - 1;
    for (int64_t i = 0; i < n && !isnan(z); i++) {
        if (fabs(list[i] - z) <= 1e-9 * fmax(fabs(z), list[n - 1])) {
            *plane = i;
            break;
        }
        if (list[i] < z)
            poy_quantity_format(list[i], POY_DIM_LENGTH, 6, sizeof below, below);
        else if (!above[0])
            poy_quantity_format(list[i], POY_DIM_LENGTH, 6, sizeof above, above);
        *plane = -1;
    }
    if (*plane >= 0) {
        *found = list[*plane];
        return POY_OK;
    }
    poy_quantity_format(z, POY_DIM_LENGTH, 6, sizeof asked, asked);
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s has no plane at %s: the nearest %s at %s%s%s", path, asked,
                     below[0] && above[0] ? "are" : "is", below, below[0] && above[0] ? " and " : "", above);
}

static poy_status read_plane(poy_ctx *ctx, poy_result *r, const char *path, double z, poyi_arena *arena,
                             poyi_stored_plane *out)
{
    const char *kind = poyi_h5_read_attribute(r->file, "kind", arena);
    int64_t plane = 0;
    if (!kind || strcmp(kind, "pulse") != 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s holds %s: name the result of a pulse", path,
                         kind ? kind : "no result");
    if (read_head(r->file, arena, out) || read_axis(r->file, arena, out))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s has no grid that can be read: run it again", path);
    if (!poyi_h5_exists(r->file, "field/spectrum"))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s holds no fields (output.fields = \"none\"): run it again with fields = \"spectrum\"",
                         path);
    POYI_TRY(ctx, find_plane(ctx, r->file, path, z, arena, &plane, &out->z));
    const int64_t width = (int64_t)out->n_modes * out->n_polarisations * out->n;
    out->S = poyi_arena_alloc(arena, (size_t)width * 2 * sizeof *out->S);
    hid_t type = poyi_h5_complex(0);
    const int failed = !out->S || poyi_h5_read_rows(r->file, "field/spectrum", type, (hsize_t)plane, 1, width, out->S);
    H5Tclose(type);
    if (failed)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: its plane cannot be read: run it again", path);
    return POY_OK;
}

poy_status poyi_store_plane_read(poy_ctx *ctx, const char *path, double z, poyi_arena *arena, poyi_stored_plane *out)
{
    poyi_h5_quiet quiet;
    poy_result *r = NULL;
    *out = (poyi_stored_plane){.n_modes = 0};
    if (poy_result_open(ctx, path, &r) != POY_OK)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s is no result file: check the path, it is relative to the recipe",
                         path);
    poyi_h5_begin(&quiet);
    poy_status status = read_plane(ctx, r, path, z, arena, out);
    poyi_h5_end(&quiet);
    poy_result_close(&r);
    return status;
}

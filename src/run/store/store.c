/* store.c: writing a result file: its layout, planes, statistics, steps, resume slots. */
#define _POSIX_C_SOURCE 200809L /* access, strdup, gmtime_r */
#include "run/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/remedy.h"
#include "run/store/internal.h"

const poyi_step_column poyi_step_columns[POYI_STEP_COLUMNS] = {
    {"z", {"m", "start of the attempted step", "z"}},
    {"dz", {"m", "length of the attempted step", "z"}},
    {"error", {"1", "error estimate over its tolerance; accepted where at most 1", "z"}},
    {"accepted", {"1", "whether the step was kept", "z"}},
    {"cause", {"1", "who chose the length: 0 controller, 1 landing on a plane, 2 kink, 3 replay", "z"}},
    {"logical", {"1", "source evaluations asked for so far", "z"}},
    {"atomic", {"1", "source evaluations made so far", "z"}},
};

/* ---- failures ---- */

poy_status poyi_store_failed(poy_ctx *ctx, poyi_store *s, const char *doing)
{
    char why[300];
    const char *disk = s->file >= 0 ? poyi_file_write_error(s->file) : "";
    if (*disk)
        snprintf(why, sizeof why, "%s", disk);
    else
        poyi_h5_cause(sizeof why, why);
    s->broken = 1;
    if (s->file >= 0)
        poyi_file_abandon(s->file);
    return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot %s: %s", s->path, doing, why);
}

static poy_status check_usable(poy_ctx *ctx, const poyi_store *s)
{
    if (s->broken)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: an earlier write failed", s->path);
    return POY_OK;
}

/* ---- layout ---- */

poyi_store *poyi_store_new(const char *path)
{
    poyi_store *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->path = strdup(path);
    s->file = s->z = s->spectrum = s->stats_z = H5I_INVALID_HID;
    s->complex_memory = poyi_h5_complex(0);
    s->complex_file = s->boolean = H5I_INVALID_HID;
    for (int i = 0; i < POYI_STATS_MAX; i++)
        s->stats[i] = H5I_INVALID_HID;
    for (int i = 0; i < POYI_STEP_COLUMNS; i++)
        s->steps[i] = H5I_INVALID_HID;
    for (int i = 0; i < POYI_SERIES_MAX; i++)
        s->key[i] = H5I_INVALID_HID;
    for (int i = 0; i < POYI_COLUMNS_MOST; i++)
        s->column[i] = H5I_INVALID_HID;
    if (!s->path)
        poyi_store_close(&s);
    return s;
}

int poyi_store_root(hid_t file, const poyi_store_head *h)
{
    char now[32], digest[65], cite[96];
    time_t seconds = time(NULL);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
    poyi_sha256_hex(h->digest, digest);
    snprintf(cite, sizeof cite, "Poynting %s; models and data: poynting info --cite FILE", poy_version());
    return poyi_h5_attribute_int(file, "format", POYI_FILE_FORMAT) || poyi_h5_attribute(file, "program", "poynting") ||
           poyi_h5_attribute(file, "version", poy_version()) || poyi_h5_attribute(file, "kind", h->kind) ||
           poyi_h5_attribute(file, "name", h->name) || poyi_h5_attribute(file, "created", now) ||
           poyi_h5_attribute_int(file, "complete", 0) || poyi_h5_attribute(file, "config_sha256", digest) ||
           poyi_h5_attribute(file, "backend", h->backend) ||
           poyi_h5_attribute(file, "precision", h->single ? "single" : "double") ||
           poyi_h5_attribute(file, "time_factor", h->layout || h->scatters ? "exp(-iwt)" : "exp(+iwt)") ||
           poyi_h5_attribute(file, "cite", cite);
}

int poyi_store_recipe(hid_t file, const poyi_store_head *h)
{
    hid_t group = poyi_h5_group(file, "recipe"), sources = poyi_h5_group(file, "recipe/sources");
    int status = group < 0 || sources < 0 || poyi_h5_text(group, "text", h->text, "recipe as given") ||
                 poyi_h5_text(group, "resolved", h->resolved, "recipe with every default filled in") ||
                 (h->overrides && poyi_h5_text(group, "overrides", h->overrides, POYI_OVERRIDES_TEXT));
    int i = 0;
    char name[32], digest[65];
    unsigned char sum[32];
    for (const poyi_source_file *f = h->sources; f && !status; f = f->next) {
        poyi_sha256 sha;
        poyi_sha256_init(&sha);
        poyi_sha256_add(&sha, f->text, f->length);
        poyi_sha256_end(&sha, sum);
        poyi_sha256_hex(sum, digest);
        snprintf(name, sizeof name, "%d", i++);
        status = poyi_h5_text(sources, name, f->text, f->name);
        hid_t set = status ? H5I_INVALID_HID : H5Dopen2(sources, name, H5P_DEFAULT);
        status = set < 0 || poyi_h5_attribute(set, "name", f->name) || poyi_h5_attribute(set, "sha256", digest);
        if (set >= 0)
            H5Dclose(set);
    }
    H5Gclose(sources);
    H5Gclose(group);
    return status;
}

/* Scales of the axes of /field/spectrum. */
static int write_grid(poyi_store *s, const poyi_store_head *h, hid_t scales[4])
{
    const poyi_h5_about omega = {"rad/s", "angular frequency, rising", "omega"};
    const poyi_h5_about t = {"s", "time in the moving frame, t = 0 in the middle of the window", "t"};
    const poyi_h5_about z = {"m", "position of the stored planes", "z"};
    const poyi_h5_about mode = {NULL, "mode", "mode"}, polarisation = {NULL, "polarisation", "polarisation"};
    const hsize_t none = 0, chunk = 256;
    hid_t grid = poyi_h5_group(s->file, "grid"), time_set = H5I_INVALID_HID;
    if (grid < 0 || poyi_h5_line(grid, "omega", h->omega, h->n_w, &omega, &scales[3]) ||
        poyi_h5_line(grid, "t", h->t, h->n_t, &t, &time_set) ||
        poyi_h5_texts(grid, "mode", h->modes, h->n_modes, &mode) ||
        poyi_h5_texts(grid, "polarisation", h->polarisations, h->n_polarisations, &polarisation))
        return -1;
    s->z = poyi_h5_growing(grid, "z", H5T_NATIVE_DOUBLE, 1, &none, &chunk, 0, &z);
    scales[0] = s->z;
    scales[1] = H5Dopen2(grid, "mode", H5P_DEFAULT);
    scales[2] = H5Dopen2(grid, "polarisation", H5P_DEFAULT);
    if (s->z < 0 || scales[1] < 0 || scales[2] < 0 || poyi_h5_make_scale(s->z, "z") ||
        poyi_h5_make_scale(scales[1], "mode") || poyi_h5_make_scale(scales[2], "polarisation") ||
        poyi_h5_make_scale(scales[3], "omega") || poyi_h5_make_scale(time_set, "t"))
        return -1;
    H5Dclose(time_set);
    H5Gclose(grid);
    return 0;
}

static int write_field(poyi_store *s, const poyi_store_head *h, const hid_t scales[4])
{
    const poyi_h5_about about = {
        "sqrt(J s)",
        "spectral amplitude S: sum of |S|^2 domega is the energy; its phase refers to the start "
        "of the time window, where exp(+i omega t) rotates",
        "z mode polarisation omega"};
    static const char *const axes[] = {"z", "mode", "polarisation", "omega"};
    const hsize_t modes = (hsize_t)h->n_modes, polarisations = (hsize_t)h->n_polarisations;
    const hsize_t dims[4] = {0, modes, polarisations, (hsize_t)h->n_w};
    const hsize_t chunk[4] = {1, modes, polarisations, (hsize_t)h->n_w}; /* a plane */
    hid_t group = poyi_h5_group(s->file, "field");
    if (group < 0)
        return -1;
    s->spectrum = poyi_h5_growing(group, "spectrum", s->complex_file, 4, dims, chunk, h->compress, &about);
    int status = s->spectrum < 0 || poyi_h5_attach(s->spectrum, scales, 4);
    for (int i = 0; i < 4 && !status; i++) /* readers of netCDF look for the axes beside what they belong to */
        status = H5Olink(scales[i], group, axes[i], H5P_DEFAULT, H5P_DEFAULT) < 0;
    H5Gclose(group);
    return status;
}

static int write_stats(poyi_store *s, const poyi_store_head *h)
{
    const poyi_h5_about z = {"m", "position of the rows of statistics", "z"};
    const hsize_t none = 0, chunk = 1024;
    hid_t group = poyi_h5_group(s->file, "stats");
    if (group < 0)
        return -1;
    s->stats_z = poyi_h5_growing(group, "z", H5T_NATIVE_DOUBLE, 1, &none, &chunk, 0, &z);
    if (s->stats_z < 0 || poyi_h5_make_scale(s->stats_z, "z"))
        return -1;
    for (int i = 0; i < h->n_stats; i++) {
        const int columns = h->stats[i].columns, rank = columns > 1 ? 2 : 1;
        const poyi_h5_about about = {h->stats[i].unit, h->stats[i].text, rank > 1 ? "z column" : "z"};
        const hsize_t dims[2] = {0, (hsize_t)columns}, chunks[2] = {chunk, (hsize_t)columns};
        s->columns[i] = columns;
        s->stats[i] = poyi_h5_growing(group, h->stats[i].name, H5T_NATIVE_DOUBLE, rank, dims, chunks, 0, &about);
        if (s->stats[i] < 0 || poyi_h5_attach(s->stats[i], &s->stats_z, 1))
            return -1;
    }
    H5Gclose(group);
    return 0;
}

static int write_steps(poyi_store *s)
{
    const hsize_t none = 0, chunk = 1024;
    hid_t group = poyi_h5_group(s->file, "steps");
    for (int i = 0; i < POYI_STEP_COLUMNS && group >= 0; i++) {
        hid_t type = i < 3 ? H5T_NATIVE_DOUBLE : i == 3 ? s->boolean : i == 4 ? H5T_NATIVE_SCHAR : H5T_NATIVE_INT64;
        s->steps[i] =
            poyi_h5_growing(group, poyi_step_columns[i].name, type, 1, &none, &chunk, 0, &poyi_step_columns[i].about);
        if (s->steps[i] < 0 || (i ? poyi_h5_attach(s->steps[i], s->steps, 1) : poyi_h5_make_scale(s->steps[0], "z")))
            return -1;
    }
    return group < 0 ? -1 : H5Gclose(group) < 0;
}

static const struct {
    const char *name;
    poyi_h5_about about;
    int is_integer;
} slot_scalars[] = {
    {"z", {"m", "where the state stands", NULL}, 0},
    {"dz", {"m", "step length that the controller proposes", NULL}, 0},
    {"error_previous", {"1", "error of the previous accepted step over its tolerance", NULL}, 0},
    {"norm", {"sqrt(W)", "norm of the launch, to which a relative atol refers", NULL}, 0},
    {"planes", {"1", "planes stored so far", NULL}, 1},
    {"rows", {"1", "rows of statistics stored so far", NULL}, 1},
    {"steps", {"1", "attempts stored so far", NULL}, 1},
    {"index", {"1", "accepted steps so far", NULL}, 1},
    {"attempts", {"1", "attempts so far", NULL}, 1},
    {"logical", {"1", "source evaluations asked for so far", NULL}, 1},
    {"atomic", {"1", "source evaluations made so far", NULL}, 1},
};
enum { SLOT_SCALARS = sizeof slot_scalars / sizeof slot_scalars[0] };

/* A vector of the state: contiguous, overwritten in place while the other slot is the current one. */
static int write_state(hid_t slot, const char *name, hid_t type, int64_t n, const char *text)
{
    const hsize_t dims = (hsize_t)n;
    hid_t space = H5Screate_simple(1, &dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = H5I_INVALID_HID;
    if (list >= 0 && H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) >= 0 &&
        H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0)
        set = H5Dcreate2(slot, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    int status = set < 0 || poyi_h5_attribute(set, "units", "sqrt(W)") || poyi_h5_attribute(set, "long_name", text);
    if (set >= 0)
        H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    return status;
}

static int write_slots(poyi_store *s, const poyi_store_head *h)
{
    static const char *const names[] = {"a", "b"};
    hid_t group = poyi_h5_group(s->file, "resume");
    if (group < 0 || poyi_h5_text(group, "current", " ", "slot to resume from; blank: none yet"))
        return -1;
    for (int i = 0; i < 2; i++) {
        hid_t slot = poyi_h5_group(group, names[i]);
        if (slot < 0 || write_state(slot, "field", s->complex_memory, h->n_state, "state, order of the transform") ||
            (h->noise && write_state(slot, "noise", s->complex_memory, h->n_state, "noise that the run carries")))
            return -1;
        for (int k = 0; k < SLOT_SCALARS; k++)
            if (slot_scalars[k].is_integer ? poyi_h5_integer(slot, slot_scalars[k].name, 0, &slot_scalars[k].about)
                                           : poyi_h5_scalar(slot, slot_scalars[k].name, 0, &slot_scalars[k].about))
                return -1;
        H5Gclose(slot);
    }
    H5Gclose(group);
    return 0;
}

static int write_layout(poyi_store *s, const poyi_store_head *h)
{
    hid_t scales[4] = {H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID};
    s->complex_file = poyi_h5_complex(h->single);
    s->boolean = poyi_h5_bool();
    int status = s->complex_file < 0 || s->boolean < 0 || poyi_store_root(s->file, h) ||
                 poyi_store_recipe(s->file, h) || poyi_store_provenance(s->file, h);
    if (h->layout)
        status = status || poyi_store_series_write(s, h);
    else
        status = status || write_grid(s, h, scales) || (h->fields && write_field(s, h, scales)) || write_stats(s, h) ||
                 write_steps(s) || write_slots(s, h);
    for (int i = 1; i < 4; i++)
        if (scales[i] >= 0)
            H5Dclose(scales[i]);
    return status || H5Fflush(s->file, H5F_SCOPE_LOCAL) < 0;
}

/* The driver's reason, else HDF5's; before any other call clears its stack. */
static poy_status cannot(poy_ctx *ctx, const char *path, const char *doing)
{
    char why[300], advice[64];
    if (*poyi_file_open_error())
        snprintf(why, sizeof why, "%s", poyi_file_open_error());
    else
        poyi_h5_cause(sizeof why, why);
    const int foreign = strstr(why, "signature not found") != NULL;
    return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be %s: %s%s%s", path, doing, why,
                     foreign ? ": results are HDF5 files, " : "",
                     foreign ? poyi_remedy(ctx, POYI_REMEDY_MAKE, NULL, sizeof advice, advice) : "");
}

/* The superblock is the last that a new file gets: where the file begins with zeros, its run ended before that. */
static int is_unborn(const char *path)
{
    static const char zeros[8];
    char head[8] = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    size_t n = fread(head, 1, sizeof head, file);
    fclose(file);
    return (n == 0 || n == sizeof head) && !memcmp(head, zeros, sizeof head);
}

poy_status poyi_store_open(poy_ctx *ctx, const char *path, unsigned flags, hid_t *out)
{
    poy_status status = POY_OK;
    char advice[64];
    hid_t driver = poyi_file_access();
    *out = H5Fopen(path, flags, driver);
    if (*out < 0 && !*poyi_file_open_error() && is_unborn(path))
        status = POYI_FAIL(ctx, POY_ERR_IO, "%s: holds nothing yet: its run ended while it was made: %s", path,
                           poyi_remedy(ctx, POYI_REMEDY_AGAIN, NULL, sizeof advice, advice));
    else if (*out < 0)
        status = cannot(ctx, path, "opened as a result file");
    H5Pclose(driver);
    return status;
}

static poy_status open_new(poy_ctx *ctx, poyi_store *s, int force)
{
    poy_status status = POY_OK;
    char advice[64];
    if (!force && !access(s->path, F_OK))
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: exists already: %s", s->path,
                         poyi_remedy(ctx, POYI_REMEDY_OVERWRITE, NULL, sizeof advice, advice));
    hid_t driver = poyi_file_access(), list = poyi_h5_new_file();
    s->file = H5Fcreate(s->path, force ? H5F_ACC_TRUNC : H5F_ACC_EXCL, list, driver);
    if (s->file < 0)
        status = cannot(ctx, s->path, "written");
    H5Pclose(list);
    H5Pclose(driver);
    return status;
}

poy_status poyi_store_create(poy_ctx *ctx, const char *path, int force, const poyi_store_head *head, poyi_store **out)
{
    poyi_h5_quiet quiet;
    poy_status status;
    poyi_store *s = poyi_store_new(path);
    *out = NULL;
    if (!s)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to write it", path);
    s->n_stats = head->n_stats;
    s->fields = head->fields;
    s->single = head->single;
    s->n_state = head->n_state;
    poyi_h5_begin(&quiet);
    status = open_new(ctx, s, force);
    if (status == POY_OK && write_layout(s, head)) {
        status = poyi_store_failed(ctx, s, "write its head");
        unlink(path);
    }
    poyi_h5_end(&quiet);
    if (status == POY_OK)
        *out = s;
    else
        poyi_store_close(&s);
    return status;
}

/* ---- writing ---- */

poy_status poyi_store_plane(poy_ctx *ctx, poyi_store *s, double z, const double *S)
{
    poyi_h5_quiet quiet;
    POYI_TRY(ctx, check_usable(ctx, s));
    poyi_h5_begin(&quiet);
    int status = (s->fields && poyi_h5_rows(s->spectrum, s->complex_memory, s->planes, 1, S)) ||
                 poyi_h5_rows(s->z, H5T_NATIVE_DOUBLE, s->planes, 1, &z); /* last: its length counts the planes */
    poy_status result = status ? poyi_store_failed(ctx, s, "store a plane") : POY_OK;
    s->planes += !status;
    poyi_h5_end(&quiet);
    return result;
}

/* Columns k ... k + columns - 1 of rows [n][width] into a dataset. */
static int write_columns(hid_t set, hsize_t first, const double *rows, int64_t n, int width, int k, int columns)
{
    enum { PART = 2048 };
    double part[PART];
    const int64_t most = PART / columns;
    for (int64_t begin = 0; begin < n; begin += most) {
        int64_t count = n - begin < most ? n - begin : most;
        for (int64_t i = 0; i < count; i++)
            memcpy(part + i * columns, rows + (begin + i) * width + k, (size_t)columns * sizeof *part);
        if (poyi_h5_rows(set, H5T_NATIVE_DOUBLE, first + (hsize_t)begin, (hsize_t)count, part))
            return -1;
    }
    return 0;
}

poy_status poyi_store_rows(poy_ctx *ctx, poyi_store *s, const double *rows, int64_t n)
{
    poyi_h5_quiet quiet;
    int width = 1, status = 0, at = 1;
    POYI_TRY(ctx, check_usable(ctx, s));
    for (int i = 0; i < s->n_stats; i++)
        width += s->columns[i];
    poyi_h5_begin(&quiet);
    for (int i = 0; i < s->n_stats && !status; at += s->columns[i], i++)
        status = write_columns(s->stats[i], s->n_rows, rows, n, width, at, s->columns[i]);
    status = status || write_columns(s->stats_z, s->n_rows, rows, n, width, 0, 1);
    poy_status result = status ? poyi_store_failed(ctx, s, "store statistics") : POY_OK;
    s->n_rows += status ? 0 : (hsize_t)n;
    poyi_h5_end(&quiet);
    return result;
}

typedef struct step_part {
    double real[3][256];
    signed char accepted[256], cause[256];
    int64_t logical[256], atomic[256];
} step_part;

static int write_step_part(poyi_store *s, const step_part *p, hsize_t first, hsize_t n)
{
    const struct {
        hid_t type;
        const void *data;
    } columns[POYI_STEP_COLUMNS] = {
        {H5T_NATIVE_DOUBLE, p->real[0]}, {H5T_NATIVE_DOUBLE, p->real[1]}, {H5T_NATIVE_DOUBLE, p->real[2]},
        {s->boolean, p->accepted},       {H5T_NATIVE_SCHAR, p->cause},    {H5T_NATIVE_INT64, p->logical},
        {H5T_NATIVE_INT64, p->atomic},
    };
    for (int i = POYI_STEP_COLUMNS; i-- > 0;)
        if (poyi_h5_rows(s->steps[i], columns[i].type, first, n, columns[i].data))
            return -1;
    return 0;
}

poy_status poyi_store_steps(poy_ctx *ctx, poyi_store *s, const poy_step_record *steps, int64_t n)
{
    enum { PART = 256 };
    poyi_h5_quiet quiet;
    step_part p;
    int status = 0;
    POYI_TRY(ctx, check_usable(ctx, s));
    poyi_h5_begin(&quiet);
    for (int64_t begin = 0; begin < n && !status; begin += PART) {
        int64_t count = n - begin < PART ? n - begin : PART;
        for (int64_t i = 0; i < count; i++) {
            const poy_step_record *r = &steps[begin + i];
            p.real[0][i] = r->z;
            p.real[1][i] = r->h;
            p.real[2][i] = r->err;
            p.accepted[i] = r->accepted ? 1 : 0;
            p.cause[i] = (signed char)r->cause;
            p.logical[i] = r->logical;
            p.atomic[i] = r->atomic;
        }
        status = write_step_part(s, &p, s->n_steps, (hsize_t)count);
        s->n_steps += status ? 0 : (hsize_t)count;
    }
    poy_status result = status ? poyi_store_failed(ctx, s, "store steps") : POY_OK;
    poyi_h5_end(&quiet);
    return result;
}

static poy_status flush(poy_ctx *ctx, poyi_store *s)
{
    if (H5Fflush(s->file, H5F_SCOPE_LOCAL) < 0)
        return poyi_store_failed(ctx, s, "write it");
    return POY_OK;
}

poy_status poyi_store_flush(poy_ctx *ctx, poyi_store *s)
{
    poyi_h5_quiet quiet;
    POYI_TRY(ctx, check_usable(ctx, s));
    poyi_h5_begin(&quiet);
    poy_status status = flush(ctx, s);
    poyi_h5_end(&quiet);
    return status;
}

/* ---- slots ---- */

static int write_slot(poyi_store *s, const char *name, const poyi_slot *slot)
{
    const poy_controller *c = &slot->controller;
    const double reals[] = {slot->z, c->h_next, c->err_prev, c->norm};
    const int64_t integers[] = {(int64_t)s->planes, (int64_t)s->n_rows, (int64_t)s->n_steps, c->index, c->attempts,
                                c->logical,         c->atomic};
    char path[32];
    snprintf(path, sizeof path, "resume/%s", name);
    hid_t group = H5Gopen2(s->file, path, H5P_DEFAULT);
    int status = group < 0 || poyi_h5_put(group, "field", s->complex_memory, slot->field) ||
                 (slot->noise && poyi_h5_put(group, "noise", s->complex_memory, slot->noise));
    for (int k = 0, real = 0, integer = 0; k < SLOT_SCALARS && !status; k++) {
        const char *scalar = slot_scalars[k].name;
        const int is_integer = slot_scalars[k].is_integer;
        const void *value = is_integer ? (const void *)&integers[integer++] : &reals[real++];
        if (poyi_h5_exists(group, scalar)) /* early files have no norm */
            status = poyi_h5_put(group, scalar, is_integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, value);
    }
    if (group >= 0)
        H5Gclose(group);
    return status;
}

static int write_current(poyi_store *s, const char *name)
{
    hid_t set = H5Dopen2(s->file, "resume/current", H5P_DEFAULT), type = set < 0 ? -1 : H5Dget_type(set);
    int status = set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, name) < 0 ? -1 : 0;
    H5Tclose(type);
    H5Dclose(set);
    return status;
}

poy_status poyi_store_slot(poy_ctx *ctx, poyi_store *s, const poyi_slot *slot)
{
    poyi_h5_quiet quiet;
    const char *name = s->current == 'a' ? "b" : "a";
    poy_status status = POY_OK;
    POYI_TRY(ctx, check_usable(ctx, s));
    poyi_h5_begin(&quiet);
    if (write_slot(s, name, slot))
        status = poyi_store_failed(ctx, s, "store the state");
    if (status == POY_OK)
        status = flush(ctx, s);
    if (status == POY_OK && write_current(s, name))
        status = poyi_store_failed(ctx, s, "store the state");
    if (status == POY_OK)
        status = flush(ctx, s);
    if (status == POY_OK)
        s->current = *name;
    poyi_h5_end(&quiet);
    return status;
}

void poyi_store_close(poyi_store **store)
{
    poyi_store *s = *store;
    poyi_h5_quiet quiet;
    if (!s)
        return;
    poyi_h5_begin(&quiet);
    const hid_t sets[] = {s->z, s->spectrum, s->stats_z};
    const hid_t types[] = {s->complex_memory, s->complex_file, s->boolean};
    for (int i = 0; i < 3; i++) {
        if (sets[i] >= 0)
            H5Dclose(sets[i]);
        if (types[i] >= 0)
            H5Tclose(types[i]);
    }
    for (int i = 0; i < POYI_STATS_MAX; i++)
        if (s->stats[i] >= 0)
            H5Dclose(s->stats[i]);
    for (int i = 0; i < POYI_STEP_COLUMNS; i++)
        if (s->steps[i] >= 0)
            H5Dclose(s->steps[i]);
    poyi_store_series_close(s);
    if (s->file >= 0)
        H5Fclose(s->file);
    poyi_h5_end(&quiet);
    free(s->path);
    free(s);
    *store = NULL;
}

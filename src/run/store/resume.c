/* resume.c: taking a result file up again from its current slot. */
#include <stdlib.h>
#include <string.h>

#include "core/remedy.h"
#include "run/store/internal.h"

/* A file of this program, in a format that it knows. */
poy_status poyi_store_check_format(poy_ctx *ctx, hid_t file, const char *path, poyi_arena *arena)
{
    int64_t format = 0;
    const char *program = poyi_h5_read_attribute(file, "program", arena);
    if (!program || strcmp(program, "poynting") != 0 || poyi_h5_read_attribute_int(file, "format", &format))
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: is no result file of this program", path);
    if (format > POYI_FILE_FORMAT)
        return POYI_FAIL(ctx, POY_ERR_MISMATCH,
                         "%s: written by format %lld, this program reads 1-%d: use a newer poynting", path,
                         (long long)format, POYI_FILE_FORMAT);
    return POY_OK;
}

static int read_digest(const char *hex, unsigned char out[32])
{
    char byte[3] = "", *end;
    if (!hex || strlen(hex) != 64)
        return -1;
    for (size_t i = 0; i < 32; i++) {
        memcpy(byte, hex + 2 * i, 2);
        out[i] = (unsigned char)strtoul(byte, &end, 16);
        if (*end)
            return -1;
    }
    return 0;
}

static int read_vector(hid_t file, const char *path, poyi_arena *arena, int64_t *n, const double **out)
{
    int rank;
    hsize_t dims[8];
    if (poyi_h5_extent(file, path, &rank, dims) || rank != 1)
        return -1;
    double *data = poyi_arena_alloc(arena, (size_t)dims[0] * 16);
    hid_t type = poyi_h5_complex(0);
    int status = !data || poyi_h5_read_rows(file, path, type, 0, dims[0], 1, data);
    H5Tclose(type);
    *n = (int64_t)dims[0];
    *out = data;
    return status;
}

static int read_slot(hid_t file, char name, poyi_arena *arena, poyi_store_state *out)
{
    char path[64];
    poyi_slot *s = &out->slot;
    poy_controller *c = &s->controller;
    const struct {
        const char *name;
        double *real;
        int64_t *integer;
    } scalars[] = {
        {"z", &s->z, NULL},
        {"dz", &c->h_next, NULL},
        {"error_previous", &c->err_prev, NULL},
        {"norm", &c->norm, NULL},
        {"planes", NULL, &s->planes},
        {"rows", NULL, &s->rows},
        {"steps", NULL, &s->steps},
        {"index", NULL, &c->index},
        {"attempts", NULL, &c->attempts},
        {"logical", NULL, &c->logical},
        {"atomic", NULL, &c->atomic},
    };
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        snprintf(path, sizeof path, "resume/%c/%s", name, scalars[i].name);
        if (!strcmp(scalars[i].name, "norm") && !poyi_h5_exists(file, path))
            continue; /* early files: the march takes the norm of the state */
        if (scalars[i].real ? poyi_h5_read_double(file, path, scalars[i].real)
                            : poyi_h5_read_int(file, path, scalars[i].integer))
            return -1;
    }
    snprintf(path, sizeof path, "resume/%c/field", name);
    if (read_vector(file, path, arena, &out->n_state, &s->field))
        return -1;
    snprintf(path, sizeof path, "resume/%c/noise", name);
    int64_t n = out->n_state;
    return poyi_h5_exists(file, path) ? read_vector(file, path, arena, &n, &s->noise) || n != out->n_state : 0;
}

static poy_status read_state(poy_ctx *ctx, hid_t file, const char *path, poyi_arena *arena, poyi_store_state *out)
{
    int64_t complete = 0;
    char advice[64];
    POYI_TRY(ctx, poyi_store_check_format(ctx, file, path, arena));
    out->name = poyi_h5_read_attribute(file, "name", arena);
    out->kind = poyi_h5_read_attribute(file, "kind", arena);
    out->backend = poyi_h5_read_attribute(file, "backend", arena);
    out->text = poyi_h5_read_text(file, "recipe/text", arena);
    out->resolved = poyi_h5_read_text(file, "recipe/resolved", arena);
    const int series = out->kind && strcmp(out->kind, "pulse") != 0;
    const char *current = series ? "" : poyi_h5_read_text(file, "resume/current", arena);
    if (!out->name || !out->kind || !out->backend || !out->text || !out->resolved || !current ||
        poyi_h5_read_attribute_int(file, "complete", &complete) ||
        read_digest(poyi_h5_read_attribute(file, "config_sha256", arena), out->digest))
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: is no result file of this program: its head is not whole", path);
    out->complete = complete != 0;
    if (series)
        return POY_OK; /* the rows that are there tell where it stands */
    if (*current != 'a' && *current != 'b')
        return POYI_FAIL(ctx, POY_ERR_MISMATCH, "%s: cannot resume: it stopped before its first state was stored: %s",
                         path, poyi_remedy(ctx, POYI_REMEDY_AGAIN, NULL, sizeof advice, advice));
    if (read_slot(file, *current, arena, out))
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: its resume state cannot be read", path);
    return POY_OK;
}

poy_status poyi_store_state_read(poy_ctx *ctx, const char *path, poyi_arena *arena, poyi_store_state *out)
{
    poyi_h5_quiet quiet;
    poy_status status;
    *out = (poyi_store_state){.path = poyi_arena_copy(arena, path, strlen(path))};
    poyi_h5_begin(&quiet);
    hid_t file;
    status = poyi_store_open(ctx, path, H5F_ACC_RDONLY, &file);
    if (status == POY_OK) {
        status = read_state(ctx, file, path, arena, out);
        H5Fclose(file);
    }
    poyi_h5_end(&quiet);
    if (status == POY_OK && arena->failed)
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to read its state", path);
    return status;
}

poy_status poyi_store_sources(poy_ctx *ctx, const char *path, poy_recipe *r)
{
    poyi_h5_quiet quiet;
    char name[64];
    poyi_h5_begin(&quiet);
    hid_t file;
    poy_status status = poyi_store_open(ctx, path, H5F_ACC_RDONLY, &file);
    for (int i = 0; file >= 0; i++) {
        snprintf(name, sizeof name, "recipe/sources/%d", i);
        if (!poyi_h5_exists(file, name))
            break;
        hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
        poyi_source_file *source = poyi_arena_alloc(&r->arena, sizeof *source);
        if (source) {
            source->name = poyi_h5_read_attribute(set, "name", &r->arena);
            source->text = poyi_h5_read_text(file, name, &r->arena);
            source->length = source->text ? strlen(source->text) : 0;
            source->next = r->sources;
        }
        H5Dclose(set);
        if (!source || !source->name || !source->text) {
            status = POYI_FAIL(ctx, POY_ERR_IO, "%s: %s cannot be read", path, name);
            break;
        }
        r->sources = source;
    }
    if (file >= 0)
        H5Fclose(file);
    poyi_h5_end(&quiet);
    return status;
}

/* ---- opening for more ---- */

static hid_t open_set(hid_t file, const char *group, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", group, name);
    return poyi_h5_exists(file, path) ? H5Dopen2(file, path, H5P_DEFAULT) : H5I_INVALID_HID;
}

static int shrink(poyi_store *s, const poyi_slot *slot)
{
    int status = 0;
    s->planes = (hsize_t)slot->planes;
    s->n_rows = (hsize_t)slot->rows;
    s->n_steps = (hsize_t)slot->steps;
    status = poyi_h5_shrink(s->z, s->planes) || (s->fields && poyi_h5_shrink(s->spectrum, s->planes)) ||
             poyi_h5_shrink(s->stats_z, s->n_rows);
    for (int i = 0; i < s->n_stats && !status; i++)
        status = poyi_h5_shrink(s->stats[i], s->n_rows);
    for (int i = 0; i < POYI_STEP_COLUMNS && !status; i++)
        status = poyi_h5_shrink(s->steps[i], s->n_steps);
    return status;
}

static int open_sets(poyi_store *s, const poyi_store_head *head)
{
    s->boolean = poyi_h5_bool();
    s->n_stats = head->n_stats;
    s->fields = head->fields;
    s->single = head->single;
    s->n_state = head->n_state;
    s->z = open_set(s->file, "grid", "z");
    s->stats_z = open_set(s->file, "stats", "z");
    if (s->fields)
        s->spectrum = open_set(s->file, "field", "spectrum");
    int status = s->z < 0 || s->stats_z < 0 || (s->fields && s->spectrum < 0);
    for (int i = 0; i < s->n_stats && !status; i++) {
        s->stats[i] = open_set(s->file, "stats", head->stats[i].name);
        s->columns[i] = head->stats[i].columns;
        status = s->stats[i] < 0;
    }
    for (int i = 0; i < POYI_STEP_COLUMNS && !status; i++) {
        s->steps[i] = open_set(s->file, "steps", poyi_step_columns[i].name);
        status = s->steps[i] < 0;
    }
    return status;
}

static int replace_text(hid_t file, const char *group, const char *name, const char *text, const char *about)
{
    hid_t at = H5Gopen2(file, group, H5P_DEFAULT);
    int status = at < 0 || H5Ldelete(at, name, H5P_DEFAULT) < 0 || poyi_h5_text(at, name, text, about);
    if (at >= 0)
        H5Gclose(at);
    return status;
}

/* Keys that a resume sets come behind those of the run. */
static int add_overrides(hid_t file, const char *more)
{
    poyi_arena arena = {0};
    const char *old = poyi_h5_read_text(file, "recipe/overrides", &arena);
    const char *both = more ? poyi_arena_format(&arena, "%s%s", old ? old : "", more) : NULL;
    hid_t group = H5Gopen2(file, "recipe", H5P_DEFAULT);
    int status = 0;
    if (more)
        status = !both || (old && H5Ldelete(group, "overrides", H5P_DEFAULT) < 0) ||
                 poyi_h5_text(group, "overrides", both, POYI_OVERRIDES_TEXT);
    H5Gclose(group);
    poyi_arena_fini(&arena);
    return status;
}

static int replace_attribute(hid_t file, const char *name, const char *text)
{
    return H5Adelete(file, name) < 0 || poyi_h5_attribute(file, name, text);
}

/* What an extension changes: the recipe, its digest; and that there is more to come. */
static int renew_head(poyi_store *s, const poyi_store_head *head)
{
    char digest[65];
    poyi_sha256_hex(head->digest, digest);
    return replace_text(s->file, "recipe", "resolved", head->resolved, "recipe with every default filled in") ||
           add_overrides(s->file, head->overrides) || replace_attribute(s->file, "config_sha256", digest) ||
           replace_attribute(s->file, "backend", head->backend) || poyi_h5_attribute_set(s->file, "complete", 0) ||
           H5Fflush(s->file, H5F_SCOPE_LOCAL) < 0;
}

poy_status poyi_store_reopen(poy_ctx *ctx, const char *path, const poyi_store_head *head, poyi_store **out)
{
    poyi_h5_quiet quiet;
    poyi_arena arena = {0};
    poyi_store_state state = {0};
    poyi_store *s = poyi_store_new(path);
    poy_status status = POY_OK;
    *out = NULL;
    if (!s)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to continue it", path);
    poyi_h5_begin(&quiet);
    status = poyi_store_open(ctx, path, H5F_ACC_RDWR, &s->file);
    if (status == POY_OK)
        status = read_state(ctx, s->file, path, &arena, &state);
    const char *current = status == POY_OK ? poyi_h5_read_text(s->file, "resume/current", &arena) : NULL;
    s->current = current && *current == 'a' ? 'a' : 'b';
    if (status == POY_OK &&
        ((head->layout ? poyi_store_series_open(s, head) : open_sets(s, head) || shrink(s, &state.slot)) ||
         renew_head(s, head)))
        status = poyi_store_failed(ctx, s, "continue it");
    poyi_h5_end(&quiet);
    if (status == POY_OK)
        *out = s;
    else
        poyi_store_close(&s);
    poyi_arena_fini(&arena);
    return status;
}

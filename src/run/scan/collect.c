/* collect.c: the results of a scan's points in one file, with an axis for each of the scan's, by name. */
#define _XOPEN_SOURCE 700
#include "run/scan/collect.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/remedy.h"
#include "run/store/internal.h"

static poy_status unwritten(const poyi_collection *c, const char *what)
{
    char why[300];
    poyi_h5_cause(sizeof why, why);
    return POYI_FAIL(c->ctx, POY_ERR_IO, "%s: cannot write %s: %s", c->scan->name, what, why);
}

poy_status poyi_collect_open(const poyi_collection *c, int64_t i, poy_result **out)
{
    char path[POYI_SCAN_PATH];
    poyi_scan_path(c->scan, i, "h5", path);
    POYI_TRY(c->ctx, poy_result_open(c->ctx, path, out));
    return POY_OK;
}

/* ---- which quantities ---- */

static void add(poyi_collection *c, const char *name, const char *path, int last)
{
    if (c->n == POYI_QUANTITIES_MAX)
        return;
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->list[i].name, name))
            return;
    poyi_quantity *q = &c->list[c->n++];
    *q = (poyi_quantity){.last = last, .set = H5I_INVALID_HID};
    snprintf(q->path, sizeof q->path, "%s", path);
    snprintf(q->name, sizeof q->name, "%s", name);
    for (char *ch = strchr(q->name, '.'); ch; ch = strchr(ch, '.'))
        *ch = '/';
}

/* Every number that is a result: not what the run was made of, or how. */
static int is_outcome(const poy_dataset *d)
{
    static const char *const others[] = {"recipe/", "provenance/", "resume/", "steps/", "grid/", "field/"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!strncmp(d->path, others[i], strlen(others[i])))
            return 0;
    return !d->is_text && d->rank <= POYI_COLLECT_RANK - POYI_SCAN_AXES_MAX;
}

static void add_below(poyi_collection *c, poy_result *first, const char *group)
{
    poy_dataset d;
    for (int i = 0; poy_result_dataset_at(first, i, &d); i++)
        if (!strncmp(d.path, group, strlen(group)) && is_outcome(&d))
            add(c, d.path, d.path, 0);
}

void poyi_collect_path(const char *name, size_t size, char *out)
{
    if (!strcmp(name, "final_spectrum"))
        snprintf(out, size, "field/spectrum");
    else if (!strncmp(name, "final_", 6))
        snprintf(out, size, "stats/%.120s", name + 6);
    else
        snprintf(out, size, "%.120s", name);
    for (char *ch = strchr(out, '.'); ch; ch = strchr(ch, '.'))
        *ch = '/';
}

static void choose(poyi_collection *c, const char *name, poy_result *first)
{
    char path[160];
    poyi_collect_path(name, sizeof path, path);
    if (poyi_collect_is_ensemble(name))
        c->ensemble = 1;
    else if (!strcmp(name, "stats"))
        add_below(c, first, "stats/");
    else
        add(c, name, path, !strncmp(name, "final_", 6));
}

static void choose_all(poyi_collection *c, poy_result *first)
{
    const poyi_node *names = poyi_recipe_at(c->scan->recipe, "scan.collect");
    for (const poyi_node *name = names ? names->first : NULL; name; name = name->next)
        if (name->kind == POYI_STRING)
            choose(c, name->text, first);
    if (names)
        return;
    poy_dataset d;
    if (poy_result_find(c->ctx, first, "field/spectrum", &d) == POY_OK)
        add(c, "final_spectrum", "field/spectrum", 1);
    poy_ctx_clear(c->ctx);
    add_below(c, first, "");
}

/* ---- first look at all points: shapes, and whether they share a grid ---- */

static void describe(poyi_collection *c, poy_result *r, poyi_quantity *q, const poy_dataset *d)
{
    hid_t set = H5Dopen2(r->file, q->path, H5P_DEFAULT);
    const char *dims = set < 0 ? NULL : poyi_h5_read_attribute(set, "dims", &c->scan->arena);
    const char *rest = dims && q->last ? strchr(dims, ' ') : dims;
    snprintf(q->units, sizeof q->units, "%s", d->units);
    snprintf(q->text, sizeof q->text, "%.200s%s", d->text, q->last ? ", at the end" : "");
    snprintf(q->dims, sizeof q->dims, "%s", !rest ? "" : *rest == ' ' ? rest + 1 : rest);
    if (!q->last && !strncmp(q->dims, "z", strcspn(q->dims, " ")) && !strncmp(q->path, "stats/", 6))
        snprintf(q->dims, sizeof q->dims, "row%.100s", dims + 1); /* each point has positions of its own */
    if (set >= 0)
        H5Dclose(set);
}

static poy_status measure(poyi_collection *c, poy_result *r, int64_t i, poyi_quantity *q, int is_first)
{
    poy_dataset d;
    char file[1100], advice[1200];
    if (poy_result_find(c->ctx, r, q->path, &d) != POY_OK) {
        poy_ctx_clear(c->ctx);
        snprintf(file, sizeof file, "%s/%05lld.h5", c->scan->folder, (long long)i);
        return POYI_FAIL(c->ctx, POY_ERR_ARGUMENT, "scan.collect: point %lld has no %s: %s", (long long)i, q->path,
                         poyi_remedy(c->ctx, POYI_REMEDY_DATASETS, file, sizeof advice, advice));
    }
    const int skip = q->last && d.rank > 0, rank = d.rank - skip;
    if (d.is_text || rank > POYI_COLLECT_RANK - c->scan->n_axes || (!is_first && rank != q->rank))
        return POYI_FAIL(c->ctx, POY_ERR_ARGUMENT, "scan.collect: %s of point %lld is no array of numbers that fits",
                         q->path, (long long)i);
    if (is_first) {
        q->rank = rank;
        q->is_complex = d.is_complex;
        describe(c, r, q, &d);
    }
    for (int k = 0; k < rank; k++) {
        const hsize_t extent = (hsize_t)d.extent[k + skip];
        q->ragged |= !is_first && extent != q->extent[k];
        q->extent[k] = is_first || extent > q->extent[k] ? extent : q->extent[k];
    }
    return POY_OK;
}

/* omega of all points, if they share it, in the arena. */
static poy_status compare_grid(poyi_collection *c, poy_result *r, double **omega)
{
    poy_dataset d;
    double *its = NULL;
    if (poy_result_find(c->ctx, r, "grid/omega", &d) != POY_OK) {
        poy_ctx_clear(c->ctx);
        c->same_grid = 0;
        return POY_OK;
    }
    if (*omega && d.extent[0] != c->n_omega) {
        c->same_grid = 0;
        return POY_OK;
    }
    its = *omega ? malloc((size_t)d.extent[0] * sizeof *its)
                 : poyi_arena_alloc(&c->scan->arena, (size_t)d.extent[0] * sizeof *its);
    if (!its)
        return POYI_FAIL(c->ctx, POY_ERR_MEMORY, "scan: no memory for a grid");
    poy_status status = poy_result_read(c->ctx, r, "grid/omega", 0, d.extent[0], its);
    if (!*omega) {
        *omega = its;
        c->n_omega = d.extent[0];
        return status;
    }
    for (int64_t k = 0; k < d.extent[0] && status == POY_OK; k++)
        c->same_grid &= fabs(its[k] - (*omega)[k]) <= POYI_SAME_GRID * fabs((*omega)[k]);
    free(its);
    return status;
}

static poy_status look(poyi_collection *c, double **omega)
{
    int is_first = 1;
    c->same_grid = 1;
    for (int64_t i = 0; i < c->scan->n_points; i++) {
        poy_result *r = NULL;
        if (c->states[i] != POY_SCAN_DONE)
            continue;
        POYI_TRY(c->ctx, poyi_collect_open(c, i, &r));
        if (is_first)
            choose_all(c, r);
        poy_status status = compare_grid(c, r, omega);
        for (int k = 0; k < c->n && status == POY_OK; k++)
            status = measure(c, r, i, &c->list[k], is_first);
        poy_result_close(&r);
        POYI_TRY(c->ctx, status);
        is_first = 0;
    }
    return POY_OK;
}

/* ---- the file ---- */

static void put_double(poyi_scan_key *key, poy_ctx *ctx, poyi_arena *arena, int64_t n, double *out, int *all)
{
    for (int64_t k = 0; k < n; k++) {
        const poyi_node *node = poyi_node_from_text(arena, key->values[k]);
        out[k] = !node                       ? (double)NAN
                 : poyi_node_is_number(node) ? node->real
                 : node->kind == POYI_BOOL   ? (double)node->integer
                                             : poyi_node_quantity(ctx, node, key->dimension);
        *all &= isfinite(out[k]) != 0;
    }
}

/* Numbers in SI where all values are, else texts. The first key of an axis names it. */
static int write_key(poyi_collection *c, hid_t group, int axis, int k)
{
    poyi_scan_axis *a = &c->scan->axes[axis];
    poyi_scan_key *key = &a->keys[k];
    double *values = poyi_arena_alloc(&c->scan->arena, (size_t)a->n * sizeof *values);
    int all = 1, status;
    hid_t set = H5I_INVALID_HID;
    if (!values)
        return -1;
    put_double(key, c->ctx, &c->scan->arena, a->n, values, &all);
    poy_ctx_clear(c->ctx);
    const poyi_h5_about about = {poy_dimension_si(key->dimension), key->path, a->keys[0].path};
    const poyi_h5_about text = {NULL, key->path, a->keys[0].path};
    if (all)
        status = poyi_h5_line(group, key->path, values, a->n, &about, &set);
    else
        status = poyi_h5_texts(group, key->path, key->values, (int)a->n, &text);
    if (!status && !all)
        set = H5Dopen2(group, key->path, H5P_DEFAULT);
    status = status || set < 0 || H5Lcreate_hard(group, key->path, c->group, key->path, H5P_DEFAULT, H5P_DEFAULT) < 0;
    if (k == 0 && !status) {
        status = poyi_h5_make_scale(set, key->path);
        c->scales[axis] = set;
    } else if (set >= 0) {
        H5Dclose(set);
    }
    return status;
}

static int write_axes(poyi_collection *c)
{
    hid_t group = poyi_h5_group(c->group, "axes");
    int status = group < 0;
    for (int a = 0; a < c->scan->n_axes; a++)
        for (int k = 0; k < c->scan->axes[a].n_keys && !status; k++)
            status = write_key(c, group, a, k);
    if (group >= 0)
        H5Gclose(group);
    return status;
}

static int write_omega(poyi_collection *c, const double *omega)
{
    static const poyi_h5_about about = {"rad/s", "angular frequency", "omega"};
    hid_t group = c->same_grid && omega ? poyi_h5_group(c->file, "grid") : H5I_INVALID_HID;
    if (group < 0)
        return 0;
    int status = poyi_h5_line(group, "omega", omega, c->n_omega, &about, &c->omega) ||
                 poyi_h5_make_scale(c->omega, "omega") ||
                 H5Lcreate_hard(group, "omega", c->group, "omega", H5P_DEFAULT, H5P_DEFAULT) < 0;
    H5Gclose(group);
    return status;
}

/* The axes' names before those of the quantity. */
static const char *dims_of(poyi_collection *c, const char *own)
{
    poyi_text t = {0};
    for (int a = 0; a < c->scan->n_axes; a++)
        poyi_text_add(&t, "%s%s", a ? " " : "", c->scan->axes[a].keys[0].path);
    poyi_text_add(&t, "%s%s", *own ? " " : "", own);
    const char *kept = t.text ? poyi_arena_copy(&c->scan->arena, t.text, t.length) : "";
    poyi_text_fini(&t);
    return kept ? kept : "";
}

static int write_states(poyi_collection *c)
{
    const poyi_h5_about about = {"1", "0: missing, 1: done, 2: failed", dims_of(c, "")};
    const poyi_h5_about messages = {NULL, "points that failed, and why", "failure"};
    const char **list = poyi_arena_alloc(&c->scan->arena, (size_t)(c->n_failed + 1) * sizeof *list);
    hsize_t extent[POYI_SCAN_AXES_MAX], zero[POYI_SCAN_AXES_MAX] = {0};
    int64_t *states = poyi_arena_alloc(&c->scan->arena, (size_t)c->scan->n_points * sizeof *states);
    char why[900];
    int n = 0, rank = c->scan->n_axes;
    if (!list || !states)
        return -1;
    for (int a = 0; a < rank; a++)
        extent[a] = (hsize_t)c->scan->axes[a].n;
    for (int64_t i = 0; i < c->scan->n_points; i++) {
        states[i] = c->states[i] == POY_SCAN_DONE ? 1 : c->states[i] == POY_SCAN_FAILED ? 2 : 0;
        if (c->states[i] != POY_SCAN_FAILED || n >= c->n_failed)
            continue;
        poy_recipe_scan_failure(c->scan, i, sizeof why, why);
        list[n++] = poyi_arena_format(&c->scan->arena, "%lld: %s", (long long)i, why);
    }
    hid_t set = poyi_h5_filled(c->group, "status", H5T_NATIVE_INT64, rank, extent, NULL, &about);
    int status =
        set < 0 || poyi_h5_block(set, H5T_NATIVE_INT64, zero, extent, states) || poyi_h5_attach(set, c->scales, rank);
    if (set >= 0)
        H5Dclose(set);
    return status || (n && poyi_h5_texts(c->group, "failures", list, n, &messages));
}

/* Groups on the way to a name below /scan. */
static int make_groups(hid_t at, const char *name)
{
    char part[128];
    const char *slash = strchr(name, '/');
    for (; slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        if (H5Lexists(at, part, H5P_DEFAULT) > 0)
            continue;
        hid_t group = poyi_h5_group(at, part);
        if (group < 0)
            return -1;
        H5Gclose(group);
    }
    return 0;
}

/* A dataset for all points, chunked by them, and how much of it is valid where that differs. */
static int create_quantity(poyi_collection *c, poyi_quantity *q)
{
    hsize_t extent[POYI_COLLECT_RANK], chunk[POYI_COLLECT_RANK];
    hid_t scales[POYI_COLLECT_RANK];
    const int axes = c->scan->n_axes, rank = axes + q->rank;
    const poyi_h5_about about = {q->units, q->text, dims_of(c, q->dims)};
    hid_t type = q->is_complex ? poyi_h5_complex(0) : H5Tcopy(H5T_NATIVE_DOUBLE);
    for (int a = 0; a < rank; a++) {
        extent[a] = a < axes ? (hsize_t)c->scan->axes[a].n : q->extent[a - axes];
        chunk[a] = a < axes ? 1 : extent[a];
        extent[a] = extent[a] ? extent[a] : 1;
        chunk[a] = chunk[a] ? chunk[a] : 1;
        scales[a] = a < axes ? c->scales[a] : H5I_INVALID_HID;
    }
    if (c->omega >= 0 && q->rank && q->extent[q->rank - 1] == (hsize_t)c->n_omega && strstr(q->dims, "omega"))
        scales[rank - 1] = c->omega;
    int status = make_groups(c->group, q->name);
    q->set = status ? H5I_INVALID_HID
                    : poyi_h5_filled(c->group, q->name, type, rank, extent, q->rank ? chunk : NULL, &about);
    status = q->set < 0 || poyi_h5_attach(q->set, scales, rank);
    H5Tclose(type);
    return status;
}

/* How many rows of a ragged quantity belong to each point: one dataset beside all of a group. */
static int write_lengths(poyi_collection *c, const poyi_quantity *q, const int64_t *lengths)
{
    char name[160];
    const char *slash = strrchr(q->name, '/');
    hsize_t extent[POYI_SCAN_AXES_MAX], zero[POYI_SCAN_AXES_MAX] = {0};
    const poyi_h5_about about = {"1", "values that belong to the point; NaN follow", dims_of(c, "")};
    if (slash)
        snprintf(name, sizeof name, "%.*s/valid_length", (int)(slash - q->name), q->name);
    else
        snprintf(name, sizeof name, "%s_valid_length", q->name);
    if (H5Lexists(c->group, name, H5P_DEFAULT) > 0)
        return 0;
    for (int a = 0; a < c->scan->n_axes; a++)
        extent[a] = (hsize_t)c->scan->axes[a].n;
    hid_t set = poyi_h5_filled(c->group, name, H5T_NATIVE_INT64, c->scan->n_axes, extent, NULL, &about);
    int status = set < 0 || poyi_h5_block(set, H5T_NATIVE_INT64, zero, extent, lengths) ||
                 poyi_h5_attach(set, c->scales, c->scan->n_axes);
    if (set >= 0)
        H5Dclose(set);
    return status;
}

/* ---- second look: the numbers ---- */

static poy_status copy_point(poyi_collection *c, poy_result *r, int64_t i, poyi_quantity *q, int64_t *length)
{
    hsize_t start[POYI_COLLECT_RANK] = {0}, count[POYI_COLLECT_RANK];
    int64_t at[POYI_SCAN_AXES_MAX], values = 1, rows;
    const int axes = c->scan->n_axes;
    double *data = NULL;
    poy_dataset d;
    POYI_TRY(c->ctx, poy_result_find(c->ctx, r, q->path, &d));
    const int skip = q->last && d.rank > 0;
    poyi_scan_place(c->scan, i, at);
    for (int a = 0; a < axes; a++) {
        start[a] = (hsize_t)at[a];
        count[a] = 1;
    }
    for (int k = 0; k < q->rank; k++) {
        count[axes + k] = (hsize_t)d.extent[k + skip];
        values *= d.extent[k + skip];
        if (d.extent[k + skip] != (int64_t)q->extent[k] || (q->ragged && k == 0))
            *length = d.extent[k + skip];
    }
    rows = d.rank ? d.extent[0] : 1;
    if (values == 0 || rows == 0)
        return POY_OK;
    data = malloc((size_t)values * (q->is_complex ? 2 : 1) * sizeof *data);
    if (!data)
        return POYI_FAIL(c->ctx, POY_ERR_MEMORY, "scan: no memory for %s of a point", q->path);
    poy_status status = poy_result_read(c->ctx, r, q->path, skip ? rows - 1 : 0, skip ? 1 : rows, data);
    hid_t type = q->is_complex ? poyi_h5_complex(0) : H5Tcopy(H5T_NATIVE_DOUBLE);
    if (status == POY_OK && poyi_h5_block(q->set, type, start, count, data))
        status = unwritten(c, q->name);
    H5Tclose(type);
    free(data);
    return status;
}

static poy_status copy_all(poyi_collection *c)
{
    const int64_t n = c->scan->n_points;
    int64_t *lengths = poyi_arena_alloc(&c->scan->arena, (size_t)(n * (c->n ? c->n : 1)) * sizeof *lengths);
    if (!lengths)
        return POYI_FAIL(c->ctx, POY_ERR_MEMORY, "scan: no memory for its lengths");
    for (int64_t i = 0; i < n; i++) {
        poy_result *r = NULL;
        poy_status status = POY_OK;
        if (c->states[i] != POY_SCAN_DONE)
            continue;
        POYI_TRY(c->ctx, poyi_collect_open(c, i, &r));
        for (int k = 0; k < c->n && status == POY_OK; k++) {
            lengths[k * n + i] = c->list[k].rank ? (int64_t)c->list[k].extent[0] : 1;
            status = copy_point(c, r, i, &c->list[k], &lengths[k * n + i]);
        }
        poy_result_close(&r);
        POYI_TRY(c->ctx, status);
    }
    for (int k = 0; k < c->n; k++)
        if (c->list[k].ragged && write_lengths(c, &c->list[k], lengths + k * n))
            return unwritten(c, "valid_length");
    return POY_OK;
}

/* ---- all of it ---- */

static int write_head(poyi_collection *c)
{
    const poy_recipe *r = c->scan->recipe;
    poyi_sha256 sum;
    poyi_store_head head = {.name = r->name,
                            .kind = "scan",
                            .scatters = r->kind == POYI_KIND_SCATTER,
                            .text = r->text,
                            .resolved = r->resolved_text,
                            .overrides = r->overrides,
                            .sources = r->sources,
                            .backend = poyi_recipe_word(r, "run.backend", "auto")};
    poyi_sha256_init(&sum);
    poyi_sha256_add(&sum, r->resolved_text, strlen(r->resolved_text));
    poyi_sha256_end(&sum, head.digest);
    return poyi_store_root(c->file, &head) || poyi_store_recipe(c->file, &head);
}

static poy_status fill(poyi_collection *c)
{
    double *omega = NULL;
    POYI_TRY(c->ctx, look(c, &omega));
    for (int k = 0; k < c->n && !c->same_grid; k++)
        if (c->list[k].last && !strcmp(c->list[k].path, "field/spectrum"))
            return POYI_FAIL(c->ctx, POY_ERR_ARGUMENT, "scan.collect: %s: %s", POYI_GRIDS_DIFFER, POYI_GRIDS_HINT);
    if (write_head(c) || (c->group = poyi_h5_group(c->file, "scan")) < 0 || write_axes(c) || write_omega(c, omega) ||
        write_states(c))
        return unwritten(c, "the axes");
    for (int k = 0; k < c->n; k++)
        if (create_quantity(c, &c->list[k]))
            return unwritten(c, c->list[k].name);
    POYI_TRY(c->ctx, copy_all(c));
    if (c->ensemble)
        POYI_TRY(c->ctx, poyi_collect_ensemble(c));
    if (poyi_h5_attribute_set(c->file, "complete", c->n_done == c->scan->n_points))
        return unwritten(c, "its end");
    return POY_OK;
}

static void close_all(poyi_collection *c)
{
    for (int k = 0; k < c->n; k++)
        if (c->list[k].set >= 0)
            H5Dclose(c->list[k].set);
    for (int a = 0; a < POYI_SCAN_AXES_MAX; a++)
        if (c->scales[a] >= 0)
            H5Dclose(c->scales[a]);
    if (c->omega >= 0)
        H5Dclose(c->omega);
    if (c->group >= 0)
        H5Gclose(c->group);
}

static poy_status write_file(poyi_collection *c, const char *temporary)
{
    hid_t list = poyi_h5_new_file();
    c->file = H5Fcreate(temporary, H5F_ACC_TRUNC, list, H5P_DEFAULT);
    H5Pclose(list);
    if (c->file < 0)
        return POYI_FAIL(c->ctx, POY_ERR_IO, "%s: cannot be written: %s", temporary, strerror(errno));
    poy_status status = fill(c);
    close_all(c);
    if (H5Fclose(c->file) < 0 && status == POY_OK)
        status = POYI_FAIL(c->ctx, POY_ERR_IO, "%s: cannot be written to its end", temporary);
    return status;
}

static poy_status count(poyi_collection *c)
{
    poy_recipe_scan *s = c->scan;
    c->states = poyi_arena_alloc(&s->arena, (size_t)s->n_points * sizeof *c->states);
    if (!c->states)
        return POYI_FAIL(c->ctx, POY_ERR_MEMORY, "scan: no memory for the states of its points");
    POYI_TRY(c->ctx, poy_recipe_scan_states(c->ctx, s, 0, s->n_points, c->states));
    for (int64_t i = 0; i < s->n_points; i++) {
        c->n_done += c->states[i] == POY_SCAN_DONE;
        c->n_failed += c->states[i] == POY_SCAN_FAILED;
    }
    if (!c->n_done)
        return POYI_FAIL(c->ctx, POY_ERR_ARGUMENT, "%s: no point is done yet, there is nothing to collect", s->folder);
    return POY_OK;
}

poy_status poy_recipe_scan_collect(poy_ctx *ctx, poy_recipe_scan *s, const char *path, char *written)
{
    char temporary[1100], own[1024];
    poyi_h5_quiet quiet;
    poyi_collection *c = NULL;
    snprintf(own, sizeof own, "%s.scan.h5", s->name);
    path = path ? path : own;
    if (snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid()) >= 1024)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "the name of the file is longer than 1000 bytes: choose a shorter one");
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scan.collection", sizeof *c, (void **)&c));
    c->ctx = ctx;
    c->scan = s;
    c->group = c->omega = H5I_INVALID_HID;
    for (int a = 0; a < POYI_SCAN_AXES_MAX; a++)
        c->scales[a] = H5I_INVALID_HID;
    poy_status status = count(c);
    poyi_h5_begin(&quiet);
    if (status == POY_OK)
        status = write_file(c, temporary);
    poyi_h5_end(&quiet);
    if (status == POY_OK && rename(temporary, path))
        status = POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    if (status != POY_OK)
        unlink(temporary);
    else if (written)
        snprintf(written, 1024, "%s", path);
    if (status == POY_OK)
        poyi_scan_sweep(s);
    poyi_free((void **)&c);
    return status;
}

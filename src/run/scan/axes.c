/* axes.c: [scan] expanded: grid keys multiply in the order of the file, the first slowest; the keys of zip advance
 * together, as one axis; each key of list is one more axis. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/scan/scan.h"

/* ---- values ---- */

/* Value k of { start, stop, num, scale }, the ends exactly. */
static double between(double start, double stop, int64_t k, int64_t n, int is_log)
{
    if (k == 0 || n < 2)
        return start;
    if (k == n - 1)
        return stop;
    const double share = (double)k / (double)(n - 1);
    return is_log ? start * pow(stop / start, share) : start + (stop - start) * share;
}

static poy_status range_values(poy_ctx *ctx, poy_recipe_scan *s, const poyi_node *node, poyi_scan_key *key, int64_t n)
{
    const poyi_node *ends[2] = {poyi_node_child(node, "start"), poyi_node_child(node, "stop")};
    const poyi_node *scale = poyi_node_child(node, "scale");
    const int is_log = scale && !strcmp(scale->text, "log");
    const int is_quantity = ends[0]->kind == POYI_STRING, is_integer = ends[0]->kind == POYI_INTEGER;
    double end[2];
    for (int i = 0; i < 2; i++)
        end[i] = is_quantity ? poyi_node_quantity(ctx, ends[i], key->dimension) : ends[i]->real;
    if (!isfinite(end[0]) || !isfinite(end[1]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "scan: %s: start and stop are no numbers: write a list of values",
                         key->path);
    if (is_log && !(end[0] * end[1] > 0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "scan: %s: a logarithmic scale from %s to %s: both must be above zero",
                         key->path, ends[0]->typed, ends[1]->typed);
    for (int64_t k = 0; k < n; k++) {
        const double value = between(end[0], end[1], k, n, is_log);
        char text[80];
        if (is_integer && fabs(value - nearbyint(value)) > 1e-9 * fmax(1, fabs(value)))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "scan: %s: value %lld of %lld is %.6g, not an integer: choose num or stop so that all are",
                             key->path, (long long)k + 1, (long long)n, value);
        if (is_integer)
            snprintf(text, sizeof text, "%lld", (long long)nearbyint(value));
        else if (is_quantity)
            poy_quantity_format(value, key->dimension, 0, sizeof text, text);
        else
            snprintf(text, sizeof text, "%.17g", value);
        key->values[k] = poyi_arena_format(&s->arena, is_quantity ? "\"%s\"" : "%s", text);
    }
    return POY_OK;
}

static poy_status key_values(poy_ctx *ctx, poy_recipe_scan *s, const poyi_scan_leaf *leaf, poyi_scan_key *key,
                             int64_t *n)
{
    const poyi_key *row = poyi_schema_find(leaf->path, s->recipe->kind);
    *n = leaf->node->kind == POYI_TABLE ? poyi_node_child(leaf->node, "num")->integer : leaf->node->count;
    *key = (poyi_scan_key){.path = poyi_arena_copy(&s->arena, leaf->path, strlen(leaf->path)),
                           .values = poyi_arena_alloc(&s->arena, (size_t)*n * sizeof *key->values),
                           .dimension = row ? row->dimension : POY_DIM_NONE};
    if (!key->path || !key->values)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "scan: no memory for the values of %s", leaf->path);
    if (leaf->node->kind == POYI_TABLE) {
        POYI_TRY(ctx, range_values(ctx, s, leaf->node, key, *n));
        return POY_OK;
    }
    int64_t k = 0;
    for (const poyi_node *value = leaf->node->first; value; value = value->next, k++) {
        poyi_text text = {0};
        poyi_node_write(value, &text);
        key->values[k] = text.text ? poyi_arena_copy(&s->arena, text.text, text.length) : NULL;
        poyi_text_fini(&text);
    }
    return POY_OK;
}

/* ---- axes ---- */

/* One key more, on an axis of its own or beside the last one. */
static poy_status add_key(poy_ctx *ctx, poy_recipe_scan *s, const poyi_scan_leaf *leaf, int beside)
{
    int64_t n = 0;
    if (!beside && s->n_axes == POYI_SCAN_AXES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "scan: %s makes more than %d axes: put some keys into zip", leaf->path,
                         POYI_SCAN_AXES_MAX);
    poyi_scan_axis *axis = &s->axes[beside ? s->n_axes - 1 : s->n_axes++];
    poyi_scan_key *keys = poyi_arena_alloc(&s->arena, (size_t)(axis->n_keys + 1) * sizeof *keys);
    if (!keys)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "scan: no memory for %s", leaf->path);
    for (int i = 0; i < axis->n_keys; i++)
        keys[i] = axis->keys[i];
    POYI_TRY(ctx, key_values(ctx, s, leaf, &keys[axis->n_keys], &n));
    axis->keys = keys;
    axis->n_keys++;
    axis->n = n;
    return POY_OK;
}

static poy_status check_twice(poy_ctx *ctx, const poy_recipe_scan *s)
{
    const char *seen[POYI_SCAN_AXES_MAX * 64];
    int n = 0;
    for (int a = 0; a < s->n_axes; a++)
        for (int k = 0; k < s->axes[a].n_keys && n < POYI_SCAN_AXES_MAX * 64; k++) {
            for (int i = 0; i < n; i++)
                if (!strcmp(seen[i], s->axes[a].keys[k].path))
                    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "scan: %s stands on two axes: keep one", seen[i]);
            seen[n++] = s->axes[a].keys[k].path;
        }
    return POY_OK;
}

poy_status poyi_scan_expand(poy_ctx *ctx, poy_recipe_scan *s)
{
    static const char *const ways[] = {"grid", "zip", "list"};
    const int64_t most = 99999999; /* what eight digits of a file's name can tell */
    const poyi_node *scan = poyi_node_child(s->recipe->root, "scan");
    for (int w = 0; w < 3; w++) {
        poyi_scan_leaves leaves = {.count = 0};
        const poyi_node *way = scan ? poyi_node_child(scan, ways[w]) : NULL;
        if (way)
            poyi_scan_leaves_of(s->recipe, way, &leaves);
        for (int i = 0; i < leaves.count; i++)
            POYI_TRY(ctx, add_key(ctx, s, &leaves.list[i], w == 1 && i > 0));
    }
    if (!s->n_axes)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: has no [scan]: write e.g. [scan] and below it grid.seed = [1, 2, 3]", s->recipe->file);
    POYI_TRY(ctx, check_twice(ctx, s));
    s->n_points = 1;
    for (int a = 0; a < s->n_axes; a++) {
        if (s->axes[a].n > most / s->n_points)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "scan: more than %lld points: use fewer values", (long long)most);
        s->n_points *= s->axes[a].n;
    }
    if (s->arena.failed)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "scan: no memory for its axes");
    return POY_OK;
}

void poyi_scan_place(const poy_recipe_scan *s, int64_t i, int64_t at[POYI_SCAN_AXES_MAX])
{
    for (int a = s->n_axes; a-- > 0; i /= s->axes[a].n)
        at[a] = i % s->axes[a].n;
}

int poy_recipe_scan_axes(const poy_recipe_scan *s, int64_t extent[POYI_SCAN_AXES_MAX])
{
    for (int a = 0; extent && a < s->n_axes; a++)
        extent[a] = s->axes[a].n;
    return s->n_axes;
}

void poy_recipe_scan_describe(const poy_recipe_scan *s, int64_t i, size_t size, char *out)
{
    int64_t at[POYI_SCAN_AXES_MAX];
    size_t used = 0;
    out[0] = '\0';
    if (i < 0 || i >= s->n_points)
        return;
    poyi_scan_place(s, i, at);
    for (int a = 0; a < s->n_axes; a++)
        for (int k = 0; k < s->axes[a].n_keys && used < size; k++)
            used += (size_t)snprintf(out + used, size - used, "%s%s = %s", used ? ", " : "", s->axes[a].keys[k].path,
                                     s->axes[a].keys[k].values[at[a]]);
}

/* ---- points ---- */

poy_status poy_recipe_scan_recipe(poy_ctx *ctx, poy_recipe_scan *s, int64_t i, poy_recipe **out)
{
    int64_t at[POYI_SCAN_AXES_MAX];
    *out = NULL;
    if (i < 0 || i >= s->n_points)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "scan: point %lld of %lld", (long long)i, (long long)s->n_points);
    POYI_TRY(ctx, poyi_recipe_copy(ctx, s->recipe, out));
    poyi_node *scan = poyi_node_child((*out)->root, "scan");
    if (scan)
        poyi_node_remove(scan);
    poyi_scan_place(s, i, at);
    for (int a = 0; a < s->n_axes; a++)
        for (int k = 0; k < s->axes[a].n_keys; k++) {
            const poyi_scan_key *key = &s->axes[a].keys[k];
            poy_status status = poy_recipe_set(ctx, *out, key->path, key->values[at[a]]);
            if (status != POY_OK) {
                poy_recipe_destroy(out);
                return status;
            }
        }
    return POY_OK;
}

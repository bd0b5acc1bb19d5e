/* ensemble.c: what the runs of an ensemble, which differ in the seed of their noise, have in common: the mean spectrum, its
 * standard deviation, and the coherence of Dudley, Genty and Coen, Rev. Mod. Phys. 78, 1135 (2006), eq. (3),
 *   |g12(omega)| = |<E_i* E_j>_{i != j}| / <|E_i|^2>,
 * over all pairs of different runs. Since sum_{i != j} E_i* E_j = |sum E|^2 - sum |E|^2, sums over runs are enough, and no
 * field has to be kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/scan/collect.h"

static const struct {
    const char *name, *units, *text;
} wanted[] = {
    {"spectrum_mean", "J s", "mean of |S|^2 over seeds, at the end"},
    {"spectrum_std", "J s", "standard deviation of |S|^2 over seeds (of a sample, n - 1), at the end"},
    {"coherence_g12", "1", "|g12| = |<S_i* S_j>| / <|S|^2> over pairs of different seeds, at the end"},
};
enum { WANTED = sizeof wanted / sizeof wanted[0] };

int poyi_collect_is_ensemble(const char *name)
{
    for (int k = 0; k < WANTED; k++)
        if (!strcmp(wanted[k].name, name))
            return 1;
    return 0;
}

typedef struct sums {
    int64_t n; /* values of a spectrum */
    int64_t members;
    double *field;            /* c128 [n] sum of S */
    double *mean, *deviation; /* [n] of |S|^2; sum of squared distances from the mean (Welford's) */
    double *spectrum;         /* c128 [n] of one run */
} sums;

static void clear(sums *s)
{
    s->members = 0;
    memset(s->field, 0, (size_t)s->n * 2 * sizeof *s->field);
    memset(s->mean, 0, (size_t)s->n * sizeof *s->mean);
    memset(s->deviation, 0, (size_t)s->n * sizeof *s->deviation);
}

static void take_in(sums *s)
{
    s->members++;
    for (int64_t k = 0; k < s->n; k++) {
        const double re = s->spectrum[2 * k], im = s->spectrum[2 * k + 1], x = re * re + im * im;
        const double before = x - s->mean[k];
        s->field[2 * k] += re;
        s->field[2 * k + 1] += im;
        s->mean[k] += before / (double)s->members;
        s->deviation[k] += before * (x - s->mean[k]);
    }
}

/* Quantity number which of the members so far, into out [n]. */
static void evaluate(const sums *s, int which, double *out)
{
    const double members = (double)s->members;
    for (int64_t k = 0; k < s->n; k++) {
        const double re = s->field[2 * k], im = s->field[2 * k + 1];
        const double pairs = (re * re + im * im - members * s->mean[k]) / (members * (members - 1));
        if (which == 0)
            out[k] = s->members ? s->mean[k] : (double)NAN;
        else if (s->members < 2)
            out[k] = (double)NAN;
        else
            out[k] = which == 1 ? sqrt(s->deviation[k] / (members - 1)) : fabs(pairs) / s->mean[k];
    }
}

/* ---- cells: what is left of the scan without its axis of seeds ---- */

int poyi_collect_seed_axis(const poy_recipe_scan *s)
{
    for (int a = 0; a < s->n_axes; a++)
        for (int k = 0; k < s->axes[a].n_keys; k++)
            if (!strcmp(s->axes[a].keys[k].path, "seed"))
                return a;
    return -1;
}

static poy_status gather_cell(poyi_collection *c, int axis, int64_t stride, int64_t first, sums *s)
{
    clear(s);
    for (int64_t m = 0; m < c->scan->axes[axis].n; m++) {
        const int64_t i = first + m * stride;
        poy_result *r = NULL;
        poy_dataset d;
        if (c->states[i] != POY_SCAN_DONE)
            continue;
        POYI_TRY(c->ctx, poyi_collect_open(c, i, &r));
        poy_status status = poy_result_find(c->ctx, r, "field/spectrum", &d);
        if (status == POY_OK)
            status = poy_result_read(c->ctx, r, "field/spectrum", d.extent[0] - 1, 1, s->spectrum);
        poy_result_close(&r);
        POYI_TRY(c->ctx, status);
        take_in(s);
    }
    return POY_OK;
}

typedef struct output {
    int rank, axes;
    hsize_t extent[POYI_COLLECT_RANK];
    hid_t sets[WANTED], members, scales[POYI_COLLECT_RANK];
    const char *dims, *cells; /* names of all axes; of those of the scan */
} output;

static int create_output(poyi_collection *c, output *o)
{
    const poyi_node *names = poyi_recipe_at(c->scan->recipe, "scan.collect");
    hsize_t chunk[POYI_COLLECT_RANK];
    int status = 0;
    for (int a = 0; a < o->rank; a++)
        chunk[a] = a < o->axes ? 1 : o->extent[a];
    for (int k = 0; k < WANTED; k++) {
        const poyi_h5_about about = {wanted[k].units, wanted[k].text, o->dims};
        o->sets[k] = H5I_INVALID_HID;
        for (const poyi_node *name = names ? names->first : NULL; name; name = name->next)
            if (name->kind == POYI_STRING && !strcmp(name->text, wanted[k].name) && o->sets[k] < 0) {
                o->sets[k] =
                    poyi_h5_filled(c->group, wanted[k].name, H5T_NATIVE_DOUBLE, o->rank, o->extent, chunk, &about);
                status = status || o->sets[k] < 0 || poyi_h5_attach(o->sets[k], o->scales, o->rank);
            }
    }
    const poyi_h5_about members = {"1", "seeds in the means", o->cells};
    o->members = poyi_h5_filled(c->group, "members", H5T_NATIVE_INT64, o->axes, o->extent, NULL, &members);
    return status || o->members < 0 || poyi_h5_attach(o->members, o->scales, o->axes);
}

static int write_cell(const output *o, const hsize_t *start, const sums *s, double *values)
{
    hsize_t count[POYI_COLLECT_RANK];
    int status = 0;
    for (int a = 0; a < o->rank; a++)
        count[a] = a < o->axes ? 1 : o->extent[a];
    for (int k = 0; k < WANTED; k++) {
        if (o->sets[k] < 0)
            continue;
        evaluate(s, k, values);
        status = status || poyi_h5_block(o->sets[k], H5T_NATIVE_DOUBLE, start, count, values);
    }
    return status || poyi_h5_block(o->members, H5T_NATIVE_INT64, start, count, &s->members);
}

static poy_status cells(poyi_collection *c, int axis, output *o, sums *s, double *values)
{
    int64_t stride = 1, inner = 1;
    for (int a = axis + 1; a < c->scan->n_axes; a++)
        stride *= c->scan->axes[a].n;
    inner = stride * c->scan->axes[axis].n;
    for (int64_t first = 0; first < c->scan->n_points; first++) {
        int64_t at[POYI_SCAN_AXES_MAX];
        hsize_t start[POYI_COLLECT_RANK] = {0};
        int n = 0;
        if (first % inner >= stride) /* a later member of a cell */
            continue;
        poyi_scan_place(c->scan, first, at);
        for (int a = 0; a < c->scan->n_axes; a++)
            if (a != axis)
                start[n++] = (hsize_t)at[a];
        POYI_TRY(c->ctx, gather_cell(c, axis, stride, first, s));
        if (write_cell(o, start, s, values))
            return POYI_FAIL(c->ctx, POY_ERR_IO, "%s: cannot write the ensemble", c->scan->name);
    }
    return POY_OK;
}

/* The axes of the scan but that of seeds, then mode, polarisation, omega. */
static poy_status shape(poyi_collection *c, int axis, output *o, int64_t *n)
{
    poyi_text dims = {0};
    poy_result *r = NULL;
    poy_dataset d = {0};
    int64_t first = 0;
    while (c->states[first] != POY_SCAN_DONE)
        first++;
    POYI_TRY(c->ctx, poyi_collect_open(c, first, &r));
    poy_status status = poy_result_find(c->ctx, r, "field/spectrum", &d);
    poy_result_close(&r);
    if (status != POY_OK || d.rank != 4 || !d.is_complex || !d.extent[0] || c->omega < 0)
        return POYI_FAIL(c->ctx, POY_ERR_ARGUMENT,
                         "scan.collect: an ensemble needs spectra on one grid: set output.fields = \"spectrum\", and "
                         "scan no key that changes the grid");
    for (int a = 0; a < c->scan->n_axes; a++)
        if (a != axis) {
            poyi_text_add(&dims, "%s%s", o->axes ? " " : "", c->scan->axes[a].keys[0].path);
            o->scales[o->axes] = c->scales[a];
            o->extent[o->axes++] = (hsize_t)c->scan->axes[a].n;
        }
    o->cells = poyi_arena_copy(&c->scan->arena, dims.text ? dims.text : "", dims.length);
    poyi_text_add(&dims, "%smode polarisation omega", o->axes ? " " : "");
    o->dims = poyi_arena_copy(&c->scan->arena, dims.text ? dims.text : "", dims.length);
    poyi_text_fini(&dims);
    o->rank = o->axes + 3;
    *n = 1;
    for (int k = 1; k < 4; k++) {
        o->extent[o->axes + k - 1] = (hsize_t)d.extent[k];
        o->scales[o->axes + k - 1] = k == 3 ? c->omega : H5I_INVALID_HID;
        *n *= d.extent[k];
    }
    return o->cells && o->dims ? POY_OK : POYI_FAIL(c->ctx, POY_ERR_MEMORY, "scan: no memory for an ensemble");
}

poy_status poyi_collect_ensemble(poyi_collection *c)
{
    const int axis = poyi_collect_seed_axis(c->scan);
    output o = {.members = H5I_INVALID_HID, .sets = {H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID}};
    sums s = {.n = 0};
    double *memory = NULL;
    poy_status status;
    if (axis < 0)
        return POYI_FAIL(
            c->ctx, POY_ERR_ARGUMENT,
            "scan.collect: a mean or a coherence is one over seeds, and seed is no axis of the scan: write "
            "list.seed = { start = 1, stop = 50, num = 50 }");
    POYI_TRY(c->ctx, shape(c, axis, &o, &s.n));
    POYI_TRY(c->ctx, poyi_alloc_zero(c->ctx, "scan.ensemble", (size_t)s.n * 7 * sizeof *memory, (void **)&memory));
    s.field = memory;
    s.spectrum = memory + 2 * s.n;
    s.mean = memory + 4 * s.n;
    s.deviation = memory + 5 * s.n;
    if (create_output(c, &o))
        status = POYI_FAIL(c->ctx, POY_ERR_IO, "%s: cannot write the ensemble", c->scan->name);
    else
        status = cells(c, axis, &o, &s, memory + 6 * s.n);
    for (int k = 0; k < WANTED; k++)
        if (o.sets[k] >= 0)
            H5Dclose(o.sets[k]);
    if (o.members >= 0)
        H5Dclose(o.members);
    poyi_free((void **)&memory);
    return status;
}

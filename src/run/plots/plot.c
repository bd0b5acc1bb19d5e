/* plot.c: choosing and drawing a picture of a result. */
#include "run/plots/plot.h"

#include "pulse/setup/setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a kind needs of a file. */
enum needs {
    NEEDS_FIELD = 1,
    NEEDS_STEPS = 2,
    NEEDS_STATS = 4,
    NEEDS_GUIDE = 8,
    NEEDS_MODES = 16,
    NEEDS_SCAN = 32,
    NEEDS_SEEDS = 64,
    NEEDS_SECTIONS = 128,
    NEEDS_NEAR = 256,
    NEEDS_FAR = 512,
    NEEDS_TMATRIX = 1024,
    NEEDS_CONVERGENCE = 2048,
    NEEDS_TRANSMISSION = 4096,
    NEEDS_CD = 8192,
    NEEDS_BANDS = 16384
};

static const struct {
    const char *name, *text;
    poyi_plot_fn *draw;
    int needs;
} kinds[] = {
    {"evolution", "spectrum and pulse along the way, in false colours", poyi_plot_evolution, NEEDS_FIELD},
    {"spectrum", "spectrum at the launch and at the end", poyi_plot_spectrum, NEEDS_FIELD},
    {"temporal", "power over time at the launch and at the end, with its duration", poyi_plot_temporal, NEEDS_FIELD},
    {"spectrogram", "time and wavelength together, at the end", poyi_plot_spectrogram, NEEDS_FIELD},
    {"stats", "every statistic along the way", poyi_plot_stats, NEEDS_STATS},
    {"energy_per_mode", "energy of each mode along the way", poyi_plot_energy_per_mode, NEEDS_MODES},
    {"steps", "step lengths and their errors", poyi_plot_steps, NEEDS_STEPS},
    {"dispersion", "beta_2 and its zeros", poyi_plot_dispersion, NEEDS_GUIDE},
    {"phase_matching", "phase mismatch of dispersive waves", poyi_plot_phase_matching, NEEDS_GUIDE},
    {"map", "of a scan: a quantity over two axes, in false colours", poyi_plot_map, NEEDS_SCAN},
    {"lines", "of a scan: a quantity over its last axis", poyi_plot_scan_lines, NEEDS_SCAN},
    {"coherence", "of an ensemble: mean spectrum with its spread, and |g12|", poyi_plot_coherence, NEEDS_SEEDS},
    {"cross_sections", "cross sections over the wavelength, and their multipole parts", poyi_plot_sections,
     NEEDS_SECTIONS},
    {"near_field", "|E|^2 on the plane, with outlines", poyi_plot_near_field, NEEDS_NEAR},
    {"far_field", "differential scattering cross section around the light", poyi_plot_far_field, NEEDS_FAR},
    {"convergence", "cross sections and their error over the degree", poyi_plot_convergence, NEEDS_CONVERGENCE},
    {"tmatrix", "size of the elements of the T-matrix", poyi_plot_tmatrix, NEEDS_TMATRIX},
    {"transmission", "transmitted, reflected and absorbed power of a stack", poyi_plot_transmission,
     NEEDS_TRANSMISSION},
    {"orders", "power of the diffraction orders", poyi_plot_orders, NEEDS_TRANSMISSION},
    {"cd", "circular dichroism over each of its denominators", poyi_plot_cd, NEEDS_CD},
    {"bands", "Bloch waves of a stack, or what a lattice carries along a path, with the light line", poyi_plot_bands,
     NEEDS_BANDS},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

void poy_plot_options_init(poy_plot_options *o)
{
    *o = (poy_plot_options){.size = sizeof *o,
                            .format = "png",
                            .axis = "wavelength",
                            .db = -40,
                            .modes = "sum",
                            .low = (double)NAN,
                            .high = (double)NAN,
                            .at = (double)NAN};
}

void poy_plot_options_of(poy_result *result, poy_plot_options *o)
{
    poy_ctx *ctx = NULL;
    poy_plot_options_init(o);
    if (poy_ctx_create(&ctx) != POY_OK)
        return;
    const poy_recipe *r = poyi_result_recipe(ctx, result);
    if (r) {
        o->db = poyi_recipe_number(r, "plots.db", -40);
        o->axis = poyi_recipe_word(r, "plots.axis", "wavelength");
        o->format = poyi_recipe_word(r, "plots.format", "png");
    }
    poy_ctx_destroy(&ctx);
}

int poy_plot_kind_at(int i, const char **kind, const char **text)
{
    if (i < 0 || i >= KINDS)
        return 0;
    *kind = kinds[i].name;
    *text = kinds[i].text;
    return 1;
}

static int kind_of(const char *name)
{
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i].name, name))
            return i;
    return -1;
}

static int has_rows(poy_ctx *ctx, poy_result *result, const char *path, int rank, int is_complex, int64_t least)
{
    poy_dataset d;
    int found = poy_result_find(ctx, result, path, &d) == POY_OK && d.rank == rank && d.is_complex == is_complex &&
                d.extent[0] >= least;
    poy_ctx_clear(ctx);
    return found;
}

/* The same where an axis of several lights may stand behind the rows; over_lights: their angles may be what is drawn over. */
static int has_lit_rows(poy_ctx *ctx, poy_result *result, const char *path, int rank, int is_complex, int64_t least,
                        int over_lights)
{
    int64_t step;
    return has_rows(ctx, result, path, rank, is_complex, least) ||
           has_rows(ctx, result, path, rank + 1, is_complex, least) ||
           (over_lights && has_rows(ctx, result, path, rank + 1, is_complex, 1) &&
            poyi_plot_thetas(ctx, result, &step, NULL) >= least);
}

static int is_guide(poy_ctx *ctx, poy_result *result)
{
    const poy_recipe *r = poyi_result_recipe(ctx, result);
    return r && (r->type == POYI_TYPE_FIBRE || (r->type & POYI_TYPE_GUIDE));
}

static int is_scan(poy_result *result)
{
    const char *kind = poy_result_attribute(result, "kind");
    return kind && !strcmp(kind, "scan");
}

/* Axes along which a scan has more than one value, and numbers for its points. */
static int has_axes(poy_ctx *ctx, poy_result *result, int least)
{
    static const char *const groups[] = {"scan/final_", "scan/stats/", "scan/cross_sections/", "scan/transmission/"};
    poy_dataset d, value;
    int wide = 0, values = 0;
    if (poy_result_find(ctx, result, "scan/status", &d) == POY_OK)
        for (int a = 0; a < d.rank; a++)
            wide += d.extent[a] > 1;
    for (int i = 0; poy_result_dataset_at(result, i, &value); i++)
        for (size_t k = 0; k < sizeof groups / sizeof groups[0]; k++)
            values += !value.is_complex && !strncmp(value.path, groups[k], strlen(groups[k]));
    poy_ctx_clear(ctx);
    return wide >= least && values > 0;
}

static int has_ensemble(poy_ctx *ctx, poy_result *result)
{
    static const char *const parts[] = {"scan/spectrum_mean", "scan/spectrum_std", "scan/coherence_g12", "grid/omega"};
    poy_dataset d;
    int all = 1;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        all &= poy_result_find(ctx, result, parts[i], &d) == POY_OK;
    poy_ctx_clear(ctx);
    return all;
}

static int applies(poy_ctx *ctx, poy_result *result, int kind)
{
    static const struct {
        int need, rank, is_complex, least;
        const char *path;
        int lit; /* 1: an axis of lights may follow; 2: over which is drawn, too */
    } data[] = {
        {NEEDS_FIELD, 4, 1, 1, "field/spectrum", 0},
        {NEEDS_STEPS, 1, 0, 1, "steps/dz", 0},
        {NEEDS_STATS, 1, 0, 2, "stats/z", 0},
        {NEEDS_SECTIONS, 1, 0, 2, "cross_sections/extinction", 1},
        {NEEDS_NEAR, 4, 1, 1, "near_field/E", 1},
        {NEEDS_TMATRIX, 3, 1, 1, "tmatrix/tmatrix", 0},
        {NEEDS_CONVERGENCE, 1, 0, 3, "convergence/extinction", 1},
        {NEEDS_TRANSMISSION, 2, 0, 2, "transmission/T", 2},
        {NEEDS_CD, 1, 0, 2, "cd/transmission", 2},
    };
    const int needs = kinds[kind].needs;
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++)
        if ((needs & data[i].need) &&
            !(data[i].lit ? has_lit_rows(ctx, result, data[i].path, data[i].rank, data[i].is_complex, data[i].least,
                                         data[i].lit == 2)
                          : has_rows(ctx, result, data[i].path, data[i].rank, data[i].is_complex, data[i].least)))
            return 0;
    if ((needs & NEEDS_FAR) && !has_lit_rows(ctx, result, "far_field/differential", 3, 0, 1, 0) &&
        !has_rows(ctx, result, "far_field/differential", 2, 0, 1)) /* of cylinders */
        return 0;
    if ((needs & NEEDS_BANDS) && !has_lit_rows(ctx, result, "bands/kz", 2, 1, 2, 0) &&
        !has_rows(ctx, result, "bands/resonance", 2, 0, 2))
        return 0;
    return (!(needs & NEEDS_MODES) || has_rows(ctx, result, "stats/energy_per_mode", 1, 0, 2) ||
            has_rows(ctx, result, "stats/energy_per_mode", 2, 0, 2)) &&
           (!(needs & NEEDS_GUIDE) || (is_guide(ctx, result) && !is_scan(result))) &&
           (!(needs & NEEDS_SCAN) ||
            (is_scan(result) && has_axes(ctx, result, kinds[kind].draw == poyi_plot_map ? 2 : 1))) &&
           (!(needs & NEEDS_SEEDS) || has_ensemble(ctx, result));
}

int poy_plot_applies(poy_result *result, const char *kind)
{
    poy_ctx *ctx = NULL;
    int i = kind_of(kind);
    if (i < 0 || poy_ctx_create(&ctx) != POY_OK)
        return 0;
    int answer = applies(ctx, result, i);
    poy_ctx_destroy(&ctx);
    return answer;
}

const char *poy_plot_wanted(poy_result *result, int i)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return NULL;
    const poy_recipe *r = poyi_result_recipe(ctx, result);
    const poyi_node *list = r ? poyi_recipe_at(r, "plots.kinds") : NULL;
    const poyi_node *kind = list && i >= 0 ? poyi_node_element(list, i) : NULL;
    poy_ctx_destroy(&ctx);
    return kind ? kind->text : NULL;
}

/* ---- drawing ---- */

static void list_kinds(poy_ctx *ctx, poy_result *result, size_t size, char *out)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < KINDS && used < size; i++)
        if (applies(ctx, result, i))
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", kinds[i].name);
}

static poy_status check(poy_ctx *ctx, poy_result *result, const poy_plot_options *o)
{
    char known[200];
    int kind = o->kind ? kind_of(o->kind) : -1;
    list_kinds(ctx, result, sizeof known, known);
    if (kind < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "there is no picture '%s': %s can show %s", o->kind ? o->kind : "",
                         result->path, known);
    if (!applies(ctx, result, kind))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: holds nothing for a picture '%s': it can show %s", result->path,
                         o->kind, known);
    if (!poyi_word_in("png svg pdf csv gp", o->format))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "there is no format '%s': use png, svg, pdf, csv or gp", o->format);
    if (!poyi_word_in("wavelength frequency angular_frequency photon_energy", o->axis))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "there is no axis '%s': use wavelength, frequency, angular_frequency or photon_energy",
                         o->axis);
    if (!o->modes || !*o->modes)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "no modes are named: use sum, all, or some of them, as 1,2");
    if (!(o->db < 0) || !isfinite(o->db))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a floor of %g dB is not below 0: use -40", o->db);
    return POY_OK;
}

/* A file is what its ending says. */
static poy_status check_ending(poy_ctx *ctx, const poy_plot_options *o)
{
    const char *slash = o->output ? strrchr(o->output, '/') : NULL;
    const char *dot = o->output ? strrchr(slash ? slash : o->output, '.') : NULL;
    if (!o->output || (dot && !strcmp(dot + 1, o->format)))
        return POY_OK;
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                     "%s: does not end in .%s, the format to write: rename it, or choose a format", o->output,
                     o->format);
}

/* "folder/soliton.h5" and "evolution" make "folder/soliton_evolution.png". */
static void output_path(const poy_result *result, const poy_plot_options *o, size_t size, char *out)
{
    const char *slash = strrchr(result->path, '/'), *dot = strrchr(result->path, '.');
    int stem = dot && (!slash || dot > slash) ? (int)(dot - result->path) : (int)strlen(result->path);
    snprintf(out, size, "%.*s_%s.%s", stem, result->path, o->kind, o->format);
}

static const char *footer(poy_result *result, poyi_figure *f)
{
    const char *name = poy_result_attribute(result, "name"), *hash = poy_result_attribute(result, "config_sha256");
    const char *version = poy_result_attribute(result, "version"), *complete = poy_result_attribute(result, "complete");
    const char *text = poyi_arena_format(&f->arena, "%s%s  ·  sha256 %.12s  ·  poynting %s", name ? name : "",
                                         complete && !strcmp(complete, "0") ? " (not complete)" : "", hash ? hash : "",
                                         version ? version : "");
    return text ? text : "";
}

/* ---- one mode after the other ---- */

enum { MODES_MAX = 12 };

/* The number of the mode that a word names, from 0; -1. */
static int mode_of(poyi_plot *p, const char *word)
{
    char *end;
    const long number = strtol(word, &end, 10);
    for (int64_t k = 0; k < p->modes; k++)
        if (!strcmp(poyi_plot_mode_name(p, k), word) || (end != word && !*end && number == k + 1))
            return (int)k;
    return -1;
}

static poy_status find_modes(poyi_plot *p, int list[MODES_MAX], int *n)
{
    char word[32];
    *n = 0;
    for (const char *at = p->o.modes; *at;) {
        const size_t length = strcspn(at, ", ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        at += length + strspn(at + length, ", ");
        const int mode = mode_of(p, word);
        if (mode < 0)
            return POYI_FAIL(p->ctx, POY_ERR_ARGUMENT, "%s: has no mode '%s': its modes are %s to %s, or 1 to %d",
                             p->result->path, word, poyi_plot_mode_name(p, 0), poyi_plot_mode_name(p, p->modes - 1),
                             (int)p->modes);
        if (*n == MODES_MAX)
            return POYI_FAIL(p->ctx, POY_ERR_ARGUMENT, "modes '%s': a picture shows at most %d", p->o.modes, MODES_MAX);
        list[(*n)++] = mode;
    }
    return POY_OK;
}

static poy_status draw(poyi_plot *p, int kind)
{
    int list[MODES_MAX], n = 0;
    if (!(kinds[kind].needs & NEEDS_FIELD) || !strcmp(p->o.modes, "sum"))
        return kinds[kind].draw(p);
    if (strcmp(p->o.modes, "all") != 0)
        POYI_TRY(p->ctx, find_modes(p, list, &n));
    else
        for (; n < p->modes && n < MODES_MAX; n++)
            list[n] = n;
    for (int i = 0; i < n; i++) {
        poyi_plot_forget(p);
        p->mode = list[i];
        p->tag = poyi_plot_mode_name(p, list[i]);
        POYI_TRY(p->ctx, kinds[kind].draw(p));
    }
    p->figure->columns = p->figure->n > 3 ? 2 : p->figure->columns;
    return POY_OK;
}

poy_status poy_plot(poy_ctx *ctx, poy_result *result, const poy_plot_options *options, char *written)
{
    char path[1024];
    poyi_plot p;
    poyi_figure *f = NULL;
    poy_plot_options own, *o = &own;
    poy_status status;
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_plot_options", options, sizeof own, sizeof own, &own));
    POYI_TRY(ctx, check(ctx, result, o));
    POYI_TRY(ctx, check_ending(ctx, o));
    if (o->output)
        snprintf(path, sizeof path, "%s", o->output);
    else
        output_path(result, o, sizeof path, path);
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "plot.figure", sizeof *f, (void **)&f));
    f->columns = 1;
    f->footer = footer(result, f);
    status = poyi_plot_open(ctx, result, o, f, &p);
    if (status == POY_OK)
        status = draw(&p, kind_of(o->kind));
    if (status == POY_OK)
        status = poyi_figure_write(ctx, f, o->format, path);
    if (status == POY_OK && written)
        snprintf(written, 1024, "%s", path);
    poyi_plot_close(&p);
    poyi_arena_fini(&f->arena);
    poyi_free((void **)&f);
    return status;
}

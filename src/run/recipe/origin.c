/* origin.c: planes of results as sources of a recipe, and back. The text, one item a line:
 *   poynting state 1
 *   FILE, the digest of its run
 *   z (m), "real" or "envelope", reference wavelength
 *   columns, bins, omega of the first (rad/s), domega
 *   MODE, a tab, POLARISATION, then its bins: re im, or 0 */
#include "run/recipe/origin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/recipe/csv.h"
#include "run/store/store.h"

static const char magic[] = "poynting state 1";

/* ---- writing ---- */

static int is_light(const double *S)
{
    return S[0] != 0 || S[1] != 0;
}

/* The bins that any column has light in. */
static void find_bins(const poyi_stored_plane *p, int64_t *first, int64_t *last)
{
    *first = p->n;
    *last = -1;
    for (int64_t i = 0; i < (int64_t)p->n_modes * p->n_polarisations * p->n; i++)
        if (is_light(p->S + 2 * i)) {
            *first = i % p->n < *first ? i % p->n : *first;
            *last = i % p->n > *last ? i % p->n : *last;
        }
}

static int has_light(const poyi_stored_plane *p, int column)
{
    for (int64_t k = 0; k < p->n; k++)
        if (is_light(p->S + 2 * (column * p->n + k)))
            return 1;
    return 0;
}

static void write_column(const poyi_stored_plane *p, int column, int64_t first, int64_t last, poyi_text *out)
{
    poyi_text_add(out, "%s\t%s\n", p->modes[column / p->n_polarisations],
                  p->polarisations[column % p->n_polarisations]);
    for (int64_t k = first; k <= last; k++) {
        const double *S = p->S + 2 * (column * p->n + k);
        const double sign = (p->first + k) % 2 ? -1 : 1; /* to the middle of the window */
        if (is_light(S))
            poyi_text_add(out, "%.17g %.17g\n", sign * S[0], sign * S[1]);
        else
            poyi_text_add(out, "0\n");
    }
}

static char *as_text(poyi_arena *arena, const char *name, const poyi_stored_plane *p)
{
    const int columns = p->n_modes * p->n_polarisations;
    int64_t first, last;
    int lit = 0;
    poyi_text out = {0};
    find_bins(p, &first, &last);
    for (int c = 0; c < columns; c++)
        lit += has_light(p, c);
    poyi_text_add(&out, "%s\n%s, %s\n%.17g %s %s\n", magic, name, p->digest, p->z, p->real ? "real" : "envelope",
                  p->reference);
    poyi_text_add(&out, "%d %lld %.17g %.17g\n", lit, (long long)last - (long long)first + 1,
                  p->omega + (double)first * p->domega, p->domega);
    for (int c = 0; c < columns; c++)
        if (has_light(p, c))
            write_column(p, c, first, last, &out);
    char *text = out.failed ? NULL : poyi_arena_copy(arena, out.text, out.length);
    poyi_text_fini(&out);
    return text;
}

/* ---- reading ---- */

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

static int read_bins(const char **at, int64_t n, double *S)
{
    for (int64_t k = 0; k < n; k++, *at = next_line(*at)) {
        char *end = NULL;
        S[2 * k] = strtod(*at, &end);
        if (end == *at)
            return 0;
        const char *second = end;
        S[2 * k + 1] = *second == ' ' ? strtod(second, &end) : 0;
        if (*end != '\n' || !isfinite(S[2 * k]) || !isfinite(S[2 * k + 1]))
            return 0;
    }
    return 1;
}

static int read_columns(poy_recipe *r, const char *at, poyi_origin *s)
{
    char mode[64], polarisation[8];
    double *S = poyi_arena_alloc(&r->arena, (size_t)s->n_columns * (size_t)s->n * 2 * sizeof *S), all = 0;
    s->modes = poyi_arena_alloc(&r->arena, (size_t)s->n_columns * sizeof *s->modes);
    s->polarisations = poyi_arena_alloc(&r->arena, (size_t)s->n_columns * sizeof *s->polarisations);
    s->shares = poyi_arena_alloc(&r->arena, (size_t)s->n_columns * sizeof *s->shares);
    s->columns = poyi_arena_alloc(&r->arena, (size_t)s->n_columns * sizeof *s->columns);
    if (!S || !s->modes || !s->polarisations || !s->shares || !s->columns)
        return 0;
    s->spectrum = S;
    for (int c = 0; c < s->n_columns; c++) {
        double *own = S + (int64_t)2 * c * s->n;
        if (sscanf(at, "%63[^\t\n]\t%7s", mode, polarisation) != 2)
            return 0;
        at = next_line(at);
        s->modes[c] = poyi_arena_copy(&r->arena, mode, strlen(mode));
        s->polarisations[c] = poyi_arena_copy(&r->arena, polarisation, strlen(polarisation));
        if (!s->modes[c] || !s->polarisations[c] || !read_bins(&at, s->n, own))
            return 0;
        for (int64_t k = 0; k < 2 * s->n; k++)
            s->shares[c] += own[k] * own[k];
        all += s->shares[c];
    }
    for (int c = 0; c < s->n_columns; c++)
        s->shares[c] /= all;
    return all > 0;
}

static int read_text(poy_recipe *r, const char *text, poyi_origin *s)
{
    char field[16], reference[64];
    *s = (poyi_origin){.real = 0};
    if (strncmp(text, magic, strlen(magic)) != 0)
        return 0;
    const char *at = next_line(next_line(text));
    char *end = NULL;
    s->z = strtod(at, &end);
    if (end == at || sscanf(end, "%15s %63[^\n]", field, reference) != 2)
        return 0;
    s->real = !strcmp(field, "real");
    s->reference = poyi_arena_copy(&r->arena, reference, strlen(reference));
    at = next_line(at);
    const long long columns = strtoll(at, &end, 10), n = strtoll(end, &end, 10);
    s->omega = strtod(end, &end);
    s->domega = strtod(end, &end);
    s->n_columns = columns > 0 && columns < 4096 ? (int)columns : 0;
    s->n = n; /* each bin and each column has its line */
    if (s->n_columns < 1 || n < 2 || (size_t)n > strlen(at) || (size_t)s->n_columns > strlen(at) / (size_t)n ||
        !(s->domega > 0) || !isfinite(s->domega) || !isfinite(s->omega) || !s->reference)
        return 0;
    return read_columns(r, next_line(at), s);
}

/* ---- the source ---- */

static const char *find_source(const poy_recipe *r, const char *name)
{
    for (const poyi_source_file *s = r->sources; s; s = s->next)
        if (!strcmp(s->name, name))
            return s->text;
    return NULL;
}

/* The plane, from the result that the recipe names, as a new source. */
static const char *fetch(poy_ctx *ctx, poy_recipe *r, const poyi_node *from, double z, const char *name)
{
    const char *path = poyi_source_path(r, from->text);
    poyi_source_file *s = poyi_arena_alloc(&r->arena, sizeof *s);
    poyi_arena scratch = {0};
    poyi_stored_plane plane;
    poy_status status = poyi_store_plane_read(ctx, path ? path : from->text, z, &scratch, &plane);
    if (status != POY_OK)
        poyi_fault_from_ctx(ctx, r, from, NULL, "E_IO");
    if (status == POY_OK && !plane.complete)
        poyi_warning(r, from, NULL, "E_IO", "%s is not complete: it ends at %.6g m\nresume it first, or say at",
                     from->text, plane.z);
    if (status == POY_OK && plane.single)
        poyi_warning(r, from, NULL, "E_IO",
                     "%s holds its fields in single precision\nrun it with precision = \"double\" to go on exactly",
                     from->text);
    if (status == POY_OK && s) {
        *s = (poyi_source_file){.name = name, .text = as_text(&r->arena, from->text, &plane), .next = r->sources};
        s->length = s->text ? strlen(s->text) : 0;
        r->sources = s->text ? s : r->sources;
    }
    poyi_arena_fini(&scratch);
    return status == POY_OK && s ? s->text : NULL;
}

int poyi_origin_read(poy_ctx *ctx, poy_recipe *r, const poyi_node *pulse, poyi_origin *out)
{
    const poyi_node *from = poyi_node_child(pulse, "from"), *at = poyi_node_child(pulse, "at");
    const double z = at ? poyi_node_quantity(ctx, at, POY_DIM_LENGTH) : (double)NAN;
    const char *name = at ? poyi_arena_format(&r->arena, "%s@%s", from->text, at->text) : from->text;
    const char *text = name ? find_source(r, name) : NULL;
    if (name && !text && !(text = fetch(ctx, r, from, z, name)))
        return 0;
    if (text && read_text(r, text, out))
        return 1;
    poyi_fault(r, from, NULL, "E_VALUE", "%s holds no light that can be read\nrun it again", from->text);
    return 0;
}

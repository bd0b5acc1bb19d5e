/* stack_field.c: fields in all parts of a stack: plane waves in layers, and the particles' own in theirs.
 *
 * The stack is a row of pieces (interfaces, ways, arrays) between planes. At each plane the waves up and down follow from the S-matrices of
 * what lies below and above. Within a part the waves up count from its lower plane and those down from its upper one, so that
 * evanescent ones only fall. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/stack.h"

/* Where a part begins and ends: heights along the normal, and planes whose waves count there. An array has two more in its middle. */
typedef struct span {
    double low, high, middle;
    int bottom, top, before, after;
} span;

typedef struct pile {
    poyi_stack_point point;
    size_t n_ports;
    int n_pieces;
    poy_smatrix **piece, **below,
        **above;         /* [n_pieces]; [n_pieces + 1]: products of all pieces below and above a plane */
    span *spans;         /* [n_parts] */
    poy_c128 *up, *down; /* [n_pieces + 1][n_ports] */
    poyi_cell cell;
    poy_c128 *incident, *scattered;
    void *memory, *waves;
} pile;

static void pile_fini(pile *p)
{
    for (int i = 0; p->memory && i <= p->n_pieces; i++) {
        if (i < p->n_pieces)
            poy_smatrix_destroy(&p->piece[i]);
        poy_smatrix_destroy(&p->below[i]);
        poy_smatrix_destroy(&p->above[i]);
    }
    poyi_cell_fini(&p->cell);
    poyi_stack_point_fini(&p->point);
    poyi_free(&p->memory);
    poyi_free(&p->waves);
}

/* ---- pieces ---- */

static poy_status add_way(poy_ctx *ctx, pile *p, int part, double distance)
{
    double way[3] = {0};
    way[p->point.s->array->normal] = distance;
    return poy_smatrix_propagation(ctx, &p->point.stage, &p->point.media[part], way, &p->piece[p->n_pieces++]);
}

static poy_status add_array(poy_ctx *ctx, pile *p, int part, int lmax, span *s)
{
    const poyi_stack_part *x = &p->point.s->array->parts[part];
    POYI_TRY(ctx, add_way(ctx, p, part, x->below));
    s->before = p->n_pieces;
    if (!p->cell.cluster)
        POYI_TRY(ctx, poyi_stack_cell(ctx, &p->point, &p->point.media[part], lmax, &p->cell));
    POYI_TRY(ctx, poy_periodic_to_smatrix(ctx, p->cell.periodic, p->point.stage.ports, &p->piece[p->n_pieces++]));
    s->after = p->n_pieces;
    return add_way(ctx, p, part, x->above);
}

/* All pieces, and where the parts lie. */
static poy_status add_pieces(poy_ctx *ctx, pile *p, int lmax)
{
    const struct poyi_stack *a = p->point.s->array;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.heights", (size_t)a->n_parts * sizeof(double), &memory));
    const double *low = memory;
    poyi_stack_heights(a, memory);
    for (int i = 0; i < a->n_parts; i++)
        p->spans[i] = (span){.low = low[i],
                             .high = i + 1 < a->n_parts ? low[i + 1] : low[i],
                             .middle = low[i] + (a->parts[i].is_array ? a->parts[i].below : 0)};
    poyi_free(&memory);
    for (int i = 0; i < a->n_parts; i++) {
        span *s = &p->spans[i];
        if (i > 0)
            POYI_TRY(ctx, poy_smatrix_interface(ctx, &p->point.stage, &p->point.media[i - 1], &p->point.media[i],
                                                &p->piece[p->n_pieces++]));
        s->bottom = p->n_pieces;
        if (a->parts[i].is_array)
            POYI_TRY(ctx, add_array(ctx, p, i, lmax, s));
        else if (i > 0 && i + 1 < a->n_parts)
            POYI_TRY(ctx, add_way(ctx, p, i, a->parts[i].thickness));
        s->top = p->n_pieces;
    }
    p->spans[0].low = -(double)INFINITY;
    p->spans[a->n_parts - 1].high = (double)INFINITY;
    if (a->lone) { /* the particles' own medium is everywhere */
        p->spans[0].high = -(double)INFINITY;
        p->spans[1].low = -(double)INFINITY;
        p->spans[1].high = (double)INFINITY;
        p->spans[2].low = (double)INFINITY;
    }
    return POY_OK;
}

/* ---- waves ---- */

static poy_status products(poy_ctx *ctx, pile *p)
{
    const int n = p->n_pieces;
    p->below[1] = poy_smatrix_retain(p->piece[0]);
    for (int i = 1; i < n; i++)
        POYI_TRY(ctx, poy_smatrix_cascade(ctx, p->below[i], p->piece[i], &p->below[i + 1]));
    p->above[n - 1] = poy_smatrix_retain(p->piece[n - 1]);
    for (int i = n - 2; i >= 0; i--)
        POYI_TRY(ctx, poy_smatrix_cascade(ctx, p->piece[i], p->above[i + 1], &p->above[i]));
    return POY_OK;
}

static poy_status find_waves(poy_ctx *ctx, pile *p)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    const int n = p->n_pieces;
    const size_t m = p->n_ports;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.waves", (2 * ((size_t)n + 1) + 3) * m * sizeof(poy_c128), &memory));
    p->waves = memory;
    p->up = memory;
    p->down = p->up + ((size_t)n + 1) * m;
    poy_c128 *out_up = p->down + ((size_t)n + 1) * m, *out_down = out_up + m;
    poyi_stack_light(&p->point, 0, p->up);
    POYI_TO_DONE(ctx, poy_smatrix_scatter(ctx, p->below[n], p->up, NULL, p->up + (size_t)n * m, p->down));
    for (int i = 1; i < n; i++)
        POYI_TO_DONE(ctx, poy_smatrix_illuminate(ctx, p->below[i], p->above[i], p->up, NULL, out_up, out_down,
                                                 p->up + (size_t)i * m, p->down + (size_t)i * m));
done:
    return status;
}

/* The light that the particles of an array see, and what they scatter. */
static poy_status excite(poy_ctx *ctx, pile *p, const span *s)
{
    poy_status status;
    void *memory = NULL;
    const poy_basis *cell = poy_cluster_basis(p->cell.cluster);
    const size_t n = poy_basis_size(cell), m = p->n_ports;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.incident", n * m * sizeof(poy_c128), &memory));
    const poy_c128 *e = memory;
    memset(p->incident, 0, n * sizeof *p->incident);
    for (int side = 0; side < 2; side++) {
        const poy_c128 *wave = side ? p->down + (size_t)s->after * m : p->up + (size_t)s->before * m;
        POYI_TO_DONE(ctx, poy_op_expand(ctx, &p->cell.embedding, cell, POY_REGULAR, p->point.stage.ports,
                                        side ? POY_DOWN : POY_UP, memory));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < m; j++) {
                p->incident[i].re += e[i * m + j].re * wave[j].re - e[i * m + j].im * wave[j].im;
                p->incident[i].im += e[i * m + j].re * wave[j].im + e[i * m + j].im * wave[j].re;
            }
    }
    POYI_TO_DONE(ctx, poy_periodic_scatter(ctx, p->cell.periodic, 1, p->incident, p->scattered));
done:
    poyi_free(&memory);
    return status;
}

static poy_status pile_create(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, int lmax,
                              pile *p)
{
    poy_status status;
    const struct poyi_stack *a = s->array;
    const size_t most = 4 * (size_t)a->n_parts + 1, modes = 2 * poyi_solution_size(s, lmax) + 1;
    *p = (pile){0};
    POYI_TRY(ctx, poyi_stack_point_create(ctx, s, light, k0, lmax, 0, &p->point));
    p->n_ports = poy_basis_size(p->point.stage.ports);
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.pile",
                                      modes * sizeof(poy_c128) + 3 * most * sizeof(poy_smatrix *) +
                                          (size_t)a->n_parts * sizeof(span),
                                      &p->memory));
    p->incident = p->memory;
    p->scattered = p->incident + modes / 2;
    p->piece = (poy_smatrix **)(void *)(p->incident + modes);
    p->below = p->piece + most;
    p->above = p->below + most;
    p->spans = (span *)(void *)(p->above + most);
    POYI_TO_DONE(ctx, add_pieces(ctx, p, lmax));
    POYI_TO_DONE(ctx, products(ctx, p));
    POYI_TO_DONE(ctx, find_waves(ctx, p));
done:
    if (status != POY_OK)
        pile_fini(p);
    return status;
}

/* ---- fields ---- */

/* Adds plane waves that count from a height, but for points whose field is whole. */
static poy_status add_plane(poy_ctx *ctx, const pile *p, int part, poy_modetype way, const poy_c128 *amplitudes,
                            double height, poy_wave_field kind, size_t n, const double *points,
                            const unsigned char *is_whole, double *moved, poy_c128 *more, poy_c128 *out)
{
    const poy_embedding e = {p->point.stage.k0, p->point.media[part], POY_HELICITY};
    memcpy(moved, points, 3 * n * sizeof *moved);
    for (size_t i = 0; i < n; i++)
        moved[3 * i + (size_t)p->point.s->array->normal] -= height;
    POYI_TRY(ctx, poy_wave_sample(ctx, &e, p->point.stage.ports, way, amplitudes, kind, 0, n, moved, more));
    for (size_t i = 0; i < 3 * n; i++)
        if (!is_whole[i / 3])
            out[i] = (poy_c128){out[i].re + more[i].re, out[i].im + more[i].im};
    return POY_OK;
}

/* Adds the plane waves of a part, those of the particles' medium about their plane. */
static poy_status add_waves(poy_ctx *ctx, const pile *p, int part, poy_wave_field kind, size_t n, const double *points,
                            const unsigned char *is_whole, double *moved, poy_c128 *more, poy_c128 *out)
{
    const struct poyi_stack *a = p->point.s->array;
    const span *s = &p->spans[part];
    const size_t m = p->n_ports;
    const int is_array = a->parts[part].is_array, last = part + 1 == a->n_parts;
    const int lower = is_array ? s->before : s->bottom, upper = is_array ? s->after : s->top;
    const double from = is_array ? s->middle : part > 0 ? s->low : s->high, to = is_array ? s->middle : s->high;
    POYI_TRY(ctx, add_plane(ctx, p, part, POY_UP, p->up + (size_t)lower * m, from, kind, n, points, is_whole, moved,
                            more, out));
    if (last)
        return POY_OK;
    return add_plane(ctx, p, part, POY_DOWN, p->down + (size_t)upper * m, to, kind, n, points, is_whole, moved, more,
                     out);
}

/* E and H at n points that lie in one part: out[2][n][3]; moved [3 n], more [3 n], is_whole [n]: scratch. */
static poy_status fields_in(poy_ctx *ctx, pile *p, int part, size_t n, const double *points, double *moved,
                            poy_c128 *more, unsigned char *is_whole, poy_c128 *out)
{
    const struct poyi_stack *a = p->point.s->array;
    const span *s = &p->spans[part];
    memset(out, 0, 6 * n * sizeof *out);
    memset(is_whole, 0, n);
    if (a->parts[part].is_array) {
        memcpy(moved, points, 3 * n * sizeof *moved);
        for (size_t i = 0; i < n; i++)
            moved[3 * i + (size_t)a->normal] -= s->middle;
        POYI_TRY(ctx, excite(ctx, p, s));
        POYI_TRY(ctx, poyi_cell_fields(ctx, &p->cell, p->incident, p->scattered, n, moved, is_whole, out, out + 3 * n));
    }
    for (int kind = 0; kind < 2; kind++)
        POYI_TRY(ctx, add_waves(ctx, p, part, kind ? POY_WAVE_H : POY_WAVE_E, n, points, is_whole, moved, more,
                                out + 3 * n * (size_t)kind));
    return POY_OK;
}

static int is_in(const span *s, double height)
{
    return height >= s->low && height < s->high; /* a point on a plane belongs to what lies above */
}

static poy_status fields(poy_ctx *ctx, pile *p, const poyi_view *v, poy_c128 *E, poy_c128 *H)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    const struct poyi_stack *a = p->point.s->array;
    const size_t n = (size_t)v->n_points, normal = (size_t)a->normal;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.field", n * (9 * sizeof(poy_c128) + 6 * sizeof(double) + 1), &memory));
    poy_c128 *values = memory, *more = values + 6 * n;
    double *points = (double *)(void *)(more + 3 * n), *moved = points + 3 * n;
    unsigned char *is_whole = (unsigned char *)(moved + 3 * n);
    for (int part = 0; part < a->n_parts; part++) {
        size_t count = 0, at = 0;
        for (size_t i = 0; i < n; i++)
            if (is_in(&p->spans[part], v->points[3 * i + normal]))
                memcpy(points + 3 * count++, v->points + 3 * i, 3 * sizeof *points);
        if (!count)
            continue;
        POYI_TO_DONE(ctx, fields_in(ctx, p, part, count, points, moved, more, is_whole, values));
        for (size_t i = 0; i < n; i++) {
            if (!is_in(&p->spans[part], v->points[3 * i + normal]))
                continue;
            memcpy(E + 3 * i, values + 3 * at, 3 * sizeof *E);
            memcpy(H + 3 * i, values + 3 * (count + at), 3 * sizeof *H);
            at++;
        }
    }
done:
    poyi_free(&memory);
    return status;
}

poy_status poyi_stack_field(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, int lmax,
                            const poyi_view *v, poy_c128 *E, poy_c128 *H)
{
    pile p;
    POYI_TRY(ctx, pile_create(ctx, s, light, k0, lmax, &p));
    const poy_status status = fields(ctx, &p, v, E, H);
    pile_fini(&p);
    return status;
}

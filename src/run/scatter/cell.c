/* cell.c: the particles of a cell with all their images, at one wavelength: what excites them, and their fields. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/stack.h"

poy_status poyi_cell_create(poy_ctx *ctx, const poyi_scatter *s, double k0, const poy_medium *medium, double kz,
                            const double *kpar, int lmax, int solve, poyi_cell *out)
{
    poy_status status;
    void *memory = NULL;
    *out = (poyi_cell){.s = s, .embedding = {k0, *medium, POY_HELICITY}};
    for (int i = 0; i < s->array->lattice.dim; i++)
        out->kpar[i] = kpar[i];
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.cell", (size_t)(s->n + s->n_bodies) * sizeof(poy_tmatrix *), &memory));
    poy_tmatrix **particle = memory, **body = particle + s->n;
    for (int i = 0; i < s->n_bodies; i++)
        POYI_TO_DONE(ctx,
                     poyi_body_tmatrix(ctx, &s->bodies[i], &out->embedding, lmax, s->cylinders ? 1 : 0, &kz, &body[i]));
    for (int i = 0; i < s->n; i++)
        particle[i] = body[s->owner[i]];
    POYI_TO_DONE(ctx, poy_cluster_create(ctx, (size_t)s->n, particle, (size_t)s->n, s->positions, &out->cluster));
    if (solve)
        POYI_TO_DONE(
            ctx, poy_periodic_solve(ctx, out->cluster, &s->array->lattice, out->kpar, s->array->eta, &out->periodic));
done:
    for (int i = 0; i < s->n_bodies; i++)
        poy_tmatrix_destroy(&body[i]);
    poyi_free(&memory);
    if (status != POY_OK)
        poyi_cell_fini(out);
    return status;
}

void poyi_cell_fini(poyi_cell *c)
{
    poy_periodic_destroy(&c->periodic);
    poy_cluster_destroy(&c->cluster);
}

poy_status poyi_cell_exciting(poy_ctx *ctx, const poyi_cell *c, const poy_c128 *incident, const poy_c128 *scattered,
                              poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    const poy_basis *basis = poy_cluster_basis(c->cluster);
    const size_t n = poy_basis_size(basis);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.coupling", n * n * sizeof(poy_c128), &memory));
    const poy_c128 *coupling = memory;
    POYI_TO_DONE(ctx, poy_op_expand_lattice(ctx, &c->embedding, &c->s->array->lattice, c->kpar, c->s->array->eta, basis,
                                            basis, memory));
    for (size_t i = 0; i < n; i++) {
        poy_c128 sum = incident[i];
        for (size_t j = 0; j < n; j++) {
            const poy_c128 a = coupling[i * n + j], p = scattered[j];
            sum.re += a.re * p.re - a.im * p.im;
            sum.im += a.re * p.im + a.im * p.re;
        }
        out[i] = sum;
    }
done:
    poyi_free(&memory);
    return status;
}

/* ---- where a point is ---- */

/* The first of the axes that the lattice fills. */
static int first_axis(const poyi_scatter *s)
{
    return s->array->kind == POYI_REPEATS_CHAIN ? 2 : 0;
}

/* The vector of so many cells. */
static void shift_of(const poyi_scatter *s, const int cells[3], double out[3])
{
    const poy_lattice *l = &s->array->lattice;
    const int first = first_axis(s);
    out[0] = out[1] = out[2] = 0;
    for (int row = 0; row < l->dim; row++)
        for (int c = 0; c < l->dim; c++)
            out[first + c] += cells[row] * l->a[row * l->dim + c];
}

/* Whole cells from particle k to the point, rounded. */
static void cells_between(const poyi_scatter *s, const double point[3], int k, int cells[3])
{
    const poy_lattice *l = &s->array->lattice;
    const int first = first_axis(s);
    cells[0] = cells[1] = cells[2] = 0;
    for (int row = 0; row < l->dim; row++) {
        double turns = 0;
        for (int c = 0; c < l->dim; c++)
            turns += (point[first + c] - s->positions[3 * k + first + c]) * s->array->dual.a[row * l->dim + c];
        cells[row] = (int)round(turns / (2 * POYI_PI));
    }
}

static int holds(const poyi_scatter *s, const double point[3], int k, const int cells[3])
{
    double shift[3], d[3];
    shift_of(s, cells, shift);
    for (int c = 0; c < 3; c++)
        d[c] = s->cylinders && c == 2 ? 0 : point[c] - shift[c] - s->positions[3 * k + c];
    return hypot(hypot(d[0], d[1]), d[2]) <= s->bodies[s->owner[k]].around; /* NaN: not known, and not refused */
}

int poyi_cell_particle(const poyi_scatter *s, const double point[3], int cells[3])
{
    const int dim = s->array->lattice.dim, count = dim == 1 ? 3 : dim == 2 ? 9 : 27;
    for (int k = 0; k < s->n; k++) {
        int near[3];
        cells_between(s, point, k, near);
        for (int image = 0; image < count; image++) { /* of skew cells the nearest is not always the rounded one */
            cells[0] = near[0] + image % 3 - 1;
            cells[1] = near[1] + (dim > 1 ? image / 3 % 3 - 1 : 0);
            cells[2] = near[2] + (dim > 2 ? image / 9 - 1 : 0);
            if (holds(s, point, k, cells))
                return k;
        }
    }
    cells[0] = cells[1] = cells[2] = 0;
    return POYI_OUTSIDE;
}

/* ---- fields ---- */

/* exp(i kpar R) times a vector. */
static void turn(const poyi_cell *c, const double shift[3], poy_c128 v[3])
{
    const int first = first_axis(c->s);
    double phase = 0;
    for (int i = 0; i < c->s->array->lattice.dim; i++)
        phase += c->kpar[i] * shift[first + i];
    const double re = cos(phase), im = sin(phase);
    for (int i = 0; i < 3; i++)
        v[i] = (poy_c128){v[i].re * re - v[i].im * im, v[i].re * im + v[i].im * re};
}

/* What every point needs of where it is. */
typedef struct place {
    int particle, cells[3];
} place;

/* All points in one particle, brought into the home cell, at once. */
static poy_status inside(poy_ctx *ctx, const poyi_cell *c, int k, const poy_c128 *exciting, poy_wave_field kind,
                         size_t n, const double *points, const place *places, poy_c128 *out)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    size_t count = 0;
    int lets_in;
    const poyi_body *b = &c->s->bodies[c->s->owner[k]];
    POYI_TRY(ctx, poyi_body_lets_in(ctx, b, c->embedding.k0, &lets_in));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.points", n * (3 * sizeof(double) + 3 * sizeof(poy_c128)) + 1, &memory));
    poy_c128 *values = memory;
    double *home = (double *)(void *)(values + 3 * n);
    for (size_t i = 0; i < n; i++) {
        double shift[3];
        if (places[i].particle != k)
            continue;
        shift_of(c->s, places[i].cells, shift);
        for (int d = 0; d < 3; d++)
            home[3 * count + (size_t)d] = points[3 * i + (size_t)d] - shift[d];
        count++;
    }
    if (count && lets_in)
        POYI_TO_DONE(ctx, poyi_body_interior(ctx, b, &c->embedding, poy_cluster_basis(c->cluster), k, exciting, kind,
                                             count, home, values));
    for (size_t i = 0, at = 0; i < n; i++) {
        double shift[3];
        if (places[i].particle != k)
            continue;
        shift_of(c->s, places[i].cells, shift);
        for (size_t d = 0; d < 3; d++)
            out[3 * i + d] = lets_in ? values[3 * at + d] : (poy_c128){(double)NAN, (double)NAN};
        turn(c, shift, out + 3 * i);
        at++;
    }
done:
    poyi_free(&memory);
    return status;
}

poy_status poyi_cell_fields(poy_ctx *ctx, const poyi_cell *c, const poy_c128 *incident, const poy_c128 *scattered,
                            size_t n, const double *points, unsigned char *is_whole, poy_c128 *E, poy_c128 *H)
{
    static const poy_wave_field kinds[2] = {POY_WAVE_E, POY_WAVE_H};
    poy_status status;
    void *memory = NULL;
    poy_c128 both[6];
    const size_t size = poy_basis_size(poy_cluster_basis(c->cluster));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.places", size * sizeof(poy_c128) + n * sizeof(place), &memory));
    poy_c128 *excite = memory;
    place *places = (place *)(void *)(excite + size);
    POYI_TO_DONE(ctx, poyi_cell_exciting(ctx, c, incident, scattered, excite));
    for (size_t i = 0; i < n; i++) {
        places[i].particle = poyi_cell_particle(c->s, points + 3 * i, places[i].cells);
        is_whole[i] = places[i].particle >= 0;
        if (is_whole[i])
            continue;
        POYI_TO_DONE(ctx, poy_periodic_sample_all(ctx, c->periodic, scattered, 2, kinds, 0, 1, points + 3 * i, both));
        memcpy(E + 3 * i, both, 3 * sizeof *E);
        memcpy(H + 3 * i, both + 3, 3 * sizeof *H);
    }
    for (int k = 0; k < c->s->n; k++)
        for (int kind = 0; kind < 2; kind++)
            POYI_TO_DONE(ctx, inside(ctx, c, k, excite, kinds[kind], n, points, places, kind ? H : E));
    status = POY_OK;
done:
    poyi_free(&memory);
    return status;
}

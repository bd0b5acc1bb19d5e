/* bytes.c: what a scattering run will take of memory and disk, from its settings alone: the larger of its buffers, each as the code that
 * takes it says; small ones in a lump. Tests hold it to what runs did take. */
#include <math.h>

#include "run/scatter/session.h"
#include "run/scatter/stack.h"

enum {
    PAIR = 16,         /* bytes of a complex number */
    MODE = 96,         /* of a mode of a basis and its place among the sorted */
    LUMP = 160 * 1024, /* tables of plane waves, plans, layers, contexts: of each thread */
    ITERATES = 37,     /* columns of an iteration that is started anew after 30 */
    DIRECTIONS = 64    /* of a far field at once */
};

/* What depends on the degree alone. */
typedef struct sizes {
    double n, particles, one; /* modes, particles, modes of one */
    double lmax, lights;
} sizes;

static sizes sizes_of(const poyi_scatter *s, int lmax)
{
    const double n = (double)poyi_solution_size(s, lmax), particles = fmax(s->n, 1);
    return (sizes){n, particles, n / particles, fmax(lmax, 0), s->n_lights};
}

/* T-matrices of the bodies, and what making one takes: of EBCM its Q, of turned ones two turns and a product. */
static double tmatrices(const poyi_scatter *s, const sizes *z, double *work)
{
    double own = 0;
    *work = 0;
    for (int i = 0; i < s->n_bodies; i++) {
        const poyi_body *b = &s->bodies[i];
        own += PAIR * z->one * z->one;
        if (b->shape == POYI_SHAPE_AXISYMMETRIC)
            *work = fmax(*work, 0.7 * PAIR * z->one * z->one);
        if (b->turned)
            *work = fmax(*work, 3 * PAIR * z->one * z->one);
    }
    return own;
}

/* The matrix, and the scratch of factors by blocks. */
static double factors(const sizes *z)
{
    return PAIR * (z->n * z->n + 4 * z->n * z->one + 3 * z->one * z->one + 2 * z->n * z->lights);
}

/* Translations along the axis of each pair. */
static double axial(const sizes *z)
{
    const double l = z->lmax, turns = (l + 1) * (2 * l + 1) * (2 * l + 3) / 3 - 1; /* sum of (2 l + 1)^2 */
    const double pairs = z->particles * (z->particles - 1) / 2;
    return 8 * pairs * (turns + 1.6 * pow(l + 1, 3) + 2 * l + 2) + 32 * (2 * z->particles + 2) * l * (l + 2);
}

/* Translations by tables of each pair, eight sources at a time. */
static double tables(const sizes *z)
{
    const double l = z->lmax, groups = ceil(z->particles / 8);
    return PAIR * pow(2 * l + 1, 2) * z->particles * groups * 8 + 256 * (groups + 1) * l * (l + 2);
}

static double coupling(const sizes *z)
{
    return z->particles > 1 ? fmax(axial(z), tables(z)) : 0;
}

static double solution(const poyi_scatter *s, const sizes *z)
{
    const double waves = 2 * MODE * z->n + 2 * PAIR * z->n * (z->lights + 1);
    if (poyi_scatter_is_lone_sphere(s))
        return waves + 600 * z->lmax;
    double work;
    const double own = tmatrices(s, z, &work);
    const double solver = poyi_scatter_is_dense(s, (size_t)z->n)
                              ? factors(z)
                              : coupling(z) + ITERATES * PAIR * z->n + 0.7 * PAIR * z->one * z->one;
    const double cross = s->cylinders ? PAIR * z->n * z->n : coupling(z);
    return waves + MODE * z->n + own + fmax(work, fmax(solver, cross));
}

/* ---- views ---- */

static double largest_inside(const poyi_scatter *s, const poyi_view *v)
{
    int64_t most = 0;
    for (int k = 0; k < s->n && v->inside; k++) {
        int64_t count = 0;
        for (int64_t i = 0; i < v->n_points; i++)
            count += v->inside[i] == k;
        most = count > most ? count : most;
    }
    return (double)most;
}

/* Beside the solution, and beside the row itself. */
static double view_bytes(const poyi_scatter *s, const poyi_view *v, const sizes *z)
{
    const double points = (double)v->n_points;
    if (v->kind == POYI_VIEW_NEAR)
        return points * (24 + 3 * PAIR + 3 * PAIR) + PAIR * z->n + 72 * largest_inside(s, v);
    if (v->kind == POYI_VIEW_FAR)
        return PAIR * 2 * DIRECTIONS * (z->n + 6) + 4 * 8 * points * z->lights * (v->lmax[0] ? 0 : 2);
    return s->tmatrix && v->kind == POYI_VIEW_SWEEP ? PAIR * z->n * z->n + factors(z) : 0;
}

/* S-matrices at once: the whole, a part, what they make and its scratch; of a near field all pieces and their products. */
static double stack_bytes(const poyi_scatter *s, const poyi_view *v, const sizes *z)
{
    const struct poyi_stack *a = s->array;
    const double m = 2.0 * a->n_orders;
    double pieces = 0, cells = 0, work = 0;
    if (a->has_particles)
        cells = tmatrices(s, z, &work) + work + PAIR * (3 * z->n * z->n + 2 * z->n) + 3 * MODE * z->n;
    if (a->kind != POYI_REPEATS_PLANE)
        return cells + PAIR * 5 * z->n * z->n + 24 * 8 * (double)v->n_points;
    for (int i = 1; i < a->n_parts; i++)
        pieces += 1 + (a->parts[i].is_array ? 3 : i + 1 < a->n_parts ? 1 : 0);
    const double arrays = a->has_particles ? PAIR * (10 * z->n * m + 2 * m * m) : 0;
    const double matrices = v->kind == POYI_VIEW_NEAR ? 3 * pieces + 3 : 5;
    return cells + fmax(arrays, PAIR * 4 * m * m * matrices) + 2 * MODE * m + 200 * (double)v->n_points;
}

poy_status poyi_scatter_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_store_layout *layout, double *memory,
                              double *file)
{
    const int team = poyi_scatter_team(ctx, s) > 1 ? poyi_scatter_team(ctx, s) : 1;
    double largest = 0;
    *file = 0;
    for (int i = 0; i < s->n_views; i++) {
        const poyi_view *v = &s->views[i];
        int most = 0;
        for (int k = 0; k < v->n; k++) {
            int degree = v->lmax[k];
            if (!degree)
                POYI_TRY(ctx, poyi_scatter_degree(ctx, s, v->k0[k], s->tol, &degree));
            most = degree > most ? degree : most;
        }
        const sizes z = sizes_of(s, most);
        const double row = 8.0 * (double)poyi_scatter_width(layout, i);
        /* where the degree is found two solutions are compared */
        const double solutions = v->kind != POYI_VIEW_ARRAY && !v->lmax[0] ? 1 + 0.2 : 1;
        const double work = s->array ? stack_bytes(s, v, &z) : solutions * solution(s, &z) + view_bytes(s, v, &z);
        largest = fmax(largest,
                       work + (team > 1 ? 2 : 1) * (row + sizeof(poyi_gaps))); /* others wait for those before them */
        *file += v->n * (row + 8);
    }
    for (int i = 0; i < layout->n_lines; i++)
        *file += 8.0 * (double)layout->lines[i].n * (double)(layout->lines[i].width ? layout->lines[i].width : 1);
    *memory = (double)poy_ctx_bytes(ctx) + (largest + LUMP) * team + 8.0 * (double)s->items;
    return POY_OK;
}

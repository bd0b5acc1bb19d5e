/* bytes.c: what a scattering run will take of memory and disk, from its settings alone. Each thread computes in a reserve of its own,
 * as large as the largest moment of the largest point: of what is held then every buffer counts that grows with the problem, as the
 * code that takes it says, and the rest in a lump. A test holds the reserve to what runs did use of it.
 *
 * The reserve is that of the degrees that are tried first and of the solver that is. What more numerics.lmax = "auto" and
 * numerics.solver = "auto" may ask for is counted here, too, and admitted with it; a thread takes it when it is there (room.h). */
#include <math.h>

#include "record/lapack.h"
#include "run/scatter/session.h"
#include "run/scatter/stack.h"
#include "scatter/cluster/axial.h"
#include "scatter/cluster/iterative.h"
#include "scatter/cluster/symmetric.h"
#include "scatter/waves/expand/expand_side.h"

enum {
    PAIR = 16, /* bytes of a complex number */
    LUMP = POYI_SCATTER_LUMP,
    BEAM = 8720, /* a plane wave on its way into multipoles, beside its tables (waves/plane_coupling.c) */
};

/* What depends on the degree alone. */
typedef struct sizes {
    double n, particles, one; /* modes, particles, modes of one */
    double l, lights, threads;
    int cylinders;
    double waves; /* wavenumbers of the medium: 2 where it is chiral */
    double own;   /* T-matrices of the bodies with their bases */
} sizes;

static double basis(double modes, double positions)
{
    return 96 * modes + 56 + 24 * positions;
}

static sizes sizes_of(poy_ctx *ctx, const poyi_scatter *s, int lmax)
{
    const double n = (double)poyi_solution_size(s, lmax), particles = fmax(s->n, 1), one = n / particles;
    return (sizes){.n = n,
                   .particles = particles,
                   .one = one,
                   .l = fmax(lmax, 0),
                   .lights = s->n_lights,
                   .threads = poy_ctx_threads(ctx),
                   .cylinders = s->cylinders,
                   .waves = s->medium.constant.kappa.re != 0 ? 2 : 1,
                   .own = s->n_bodies * (PAIR * one * one + 96 + basis(one, 1))};
}

/* ---- making T-matrices ---- */

/* Of a body of revolution: tables of radial functions and waves of one order at the nodes, and the matrices of an order. */
static double revolution(const sizes *z)
{
    const double nodes = fmax(96, 6 * z->l), order = 2 * z->l;
    return 3 * nodes * 2 * (z->l + 1) * 48 + 6 * nodes * order * PAIR + 32 * nodes + 3 * PAIR * order * order +
           64 * order;
}

/* Beside those that are there. */
static double making(const poyi_scatter *s, const sizes *z)
{
    double work = 0;
    for (int i = 0; i < s->n_bodies; i++) {
        if (s->bodies[i].shape == POYI_SHAPE_AXISYMMETRIC)
            work = fmax(work, revolution(z));
        if (s->bodies[i].turned)
            work = fmax(work, 4 * PAIR * z->one * z->one);
    }
    return work;
}

/* ---- what particles do to one another ---- */

/* Scratch of an expansion of modes up to degree l: tables of both sides, and for each thread those of a translation
 * (waves/expand_spherical.c). */
static double expansion(const sizes *z)
{
    const double sides = 2 * sizeof(poyi_side); /* whatever the size of the expansion */
    return z->cylinders ? 16e3 : sides + z->threads * PAIR * (88 * z->l * z->l + 112 * z->l + 24);
}

/* A matrix and the larger of what fills it and what eliminates (cluster/interaction.c, symmetric.c). */
static double factors(const poyi_scatter *s, const sizes *z)
{
    const double n = z->n, wide = fmin(n, z->one * ceil(POYI_SYMMETRIC_GROUP / fmax(z->one, 1)));
    const double inverse = PAIR * (double)poyi_lu_invert_work((int64_t)ceil(z->one));
    const double fill = PAIR * (n * z->one + n) + inverse + expansion(z);
    const double eliminate = (double)poyi_symmetric_scratch((size_t)n, (size_t)ceil(wide));
    return PAIR * n * n + 40 * n + (s->cylinders ? PAIR * n * z->one : fmax(fill, eliminate));
}

/* Translations along the axis of each pair (cluster/axial.c). */
static double axial(const sizes *z)
{
    const double l = z->l, turns = (l + 1) * (2 * l + 1) * (2 * l + 3) / 3 - 1; /* sum of (2 l + 1)^2 */
    const double pairs = z->particles * (z->particles - 1) / 2;
    const double terms = l * l + l * (l + 1) * (2 * l + 1) / 6;
    return 8 * pairs * (turns + 4 * z->waves * terms + 2 * (l + 1)) + 32 * (2 * z->particles + 2) * l * (l + 2) +
           8 * z->n;
}

/* What making them takes for a moment: where the terms of each are, and their factors. */
static double axial_terms(const sizes *z)
{
    double places = 0, all = 0;
    for (double m = 0; m <= z->l; m++) {
        const double first = fmax(m, 1), n = z->l - first + 1;
        places += n * n;
        for (double j = 0; j < n; j++)
            all += (2 * (n - j) - 1) * (2 * (first + j) + 4);
    }
    return 16 * places + 8 * all;
}

/* A plane wave as multipoles: one and its partner, tables of angular functions for each thread. */
static double light(const sizes *z)
{
    const double each = z->cylinders ? BEAM : BEAM + 128 * (z->l + 1) * (z->l + 1);
    return 2 * PAIR * z->n + 64 * (z->n + 2) + z->threads * each;
}

/* Translations by tables of each pair, eight sources at a time (cluster/coupling.c). */
static double tables(const sizes *z)
{
    const double l = z->l, groups = ceil(z->particles / 8), side = 2 * l + 1;
    return 128 * z->waves * z->particles * groups * side * side + 256 * (groups + z->threads) * l * (l + 2) + 28 * z->n;
}

/* T-matrices by rows without their zeros: spheres have two numbers in each, bodies of revolution those of its order. */
static double rows(const poyi_scatter *s, const sizes *z)
{
    const double orders =
        4 * (z->l * z->l + z->l * (z->l + 1) * (2 * z->l + 1) / 3); /* sum of squares of their modes */
    double sum = 0;
    for (int i = 0; i < s->n_bodies; i++) {
        const poyi_body *b = &s->bodies[i];
        const double full = b->shape == POYI_SHAPE_SPHERE                       ? 2 * z->one
                            : b->shape == POYI_SHAPE_AXISYMMETRIC && !b->turned ? fmin(orders, z->one * z->one)
                                                                                : z->one * z->one;
        sum += 8 * (z->one + 1) + 20 * full;
    }
    return sum;
}

/* What making them takes for a moment: the set of modes whose plans are made, and a table in extended precision for each thread. */
static double table_sources(const sizes *z)
{
    const double side = 2 * z->l + 1;
    return (double)sizeof(poyi_mode_set) + 32 * z->threads * side * side;
}

static double iteration(const poyi_scatter *s, const sizes *z)
{
    poy_iteration options;
    poy_iteration_init(&options);
    const double columns = PAIR * z->n * (options.restart + 6) + PAIR * 1100 + rows(s, z);
    return z->l < POYI_AXIAL_FROM ? tables(z) + fmax(table_sources(z), columns)
                                  : axial(z) + fmax(PAIR * z->n + axial_terms(z), columns);
}

/* What excites each particle. */
static double exciting(const poyi_scatter *s, const sizes *z)
{
    return s->cylinders       ? PAIR * (z->n * z->n + z->n)
           : z->particles > 1 ? axial(z) + axial_terms(z) + 2 * PAIR * z->n
                              : 0;
}

/* ---- a solution, and what stays of it ---- */

static double stays(const poyi_scatter *s, const sizes *z)
{
    const int lone = poyi_scatter_is_lone_sphere(s);
    return basis(z->n, z->particles) + 2 * PAIR * z->n * z->lights + (lone ? 0 : z->own);
}

/* Which solver counts: the one that is tried, or also factors that take over from an iteration. */
typedef enum solvers { AS_TRIED, AND_FACTORS } solvers;

static double solver(const poyi_scatter *s, const sizes *z, solvers which)
{
    const int dense = poyi_scatter_is_dense(s, (size_t)z->n), takes_over = which == AND_FACTORS && s->solver == 0;
    return fmax(dense || takes_over ? factors(s, z) + 2 * PAIR * z->n * z->lights : 0, dense ? 0 : iteration(s, z));
}

static double solution(const poyi_scatter *s, const sizes *z, solvers which)
{
    if (poyi_scatter_is_lone_sphere(s))
        return stays(s, z) + fmax(light(z), 1200 * z->l);
    return stays(s, z) + fmax(fmax(light(z), making(s, z)), fmax(solver(s, z, which), exciting(s, z)));
}

/* ---- views ---- */

static void count_places(const poyi_scatter *s, const poyi_view *v, double *outside, double *inside)
{
    *outside = (double)v->n_points;
    *inside = 0;
    if (!v->inside)
        return;
    *outside = 0;
    for (int64_t i = 0; i < v->n_points; i++)
        *outside += v->inside[i] == POYI_OUTSIDE;
    for (int k = 0; k < s->n; k++) {
        double count = 0;
        for (int64_t i = 0; i < v->n_points; i++)
            count += v->inside[i] == k;
        *inside = fmax(*inside, count);
    }
}

/* A point of a view of particles: the solution, then what is made of it. */
static double view_bytes(const poyi_scatter *s, const poyi_view *v, const sizes *z, solvers which)
{
    const double points = (double)v->n_points;
    double outside, inside, then = 0;
    if (v->kind == POYI_VIEW_NEAR) {
        count_places(s, v, &outside, &inside);
        then = 72 * points + PAIR * z->n + fmax(fmax(48 * outside, exciting(s, z)), 72 * inside);
        then += z->threads * (18e3 + 24 * z->n);
    } else if (v->kind == POYI_VIEW_FAR) {
        then = 2 * PAIR * POYI_FAR_DIRECTIONS * (z->n + 6) + 12 * z->n + 8e3;
    } else if (s->tmatrix && v->kind == POYI_VIEW_SWEEP) {
        then = PAIR * z->n * z->n + fmax(factors(s, z) - PAIR * z->n * z->n, making(s, z));
    }
    return fmax(solution(s, z, which), stays(s, z) + then);
}

/* Where the degree is found: the numbers of two solutions, of which the smaller stays while the larger is made. */
static double found(const poyi_scatter *s, const poyi_view *v, const sizes *z, solvers which)
{
    const double points = v->kind == POYI_VIEW_NEAR  ? 6 * ((double)v->n_points / 7 + 1)
                          : v->kind == POYI_VIEW_FAR ? 4 * (double)v->n_points
                                                     : 3;
    return view_bytes(s, v, z, which) + 16 * points * z->lights;
}

/* ---- lattices and stacks ---- */

/* What images do to one another and to the particles of a cell: filled, solved; of bands only judged (chain.c, scatter/periodic). */
static double cell(const struct poyi_stack *a, const poyi_scatter *s, const sizes *z)
{
    const double square = PAIR * z->n * z->n, judged = a->n_path ? PAIR * (z->n * z->n + 72 * z->n) : 0;
    const int solved = a->kind == POYI_REPEATS_PLANE || a->sections;
    const double sums = z->cylinders ? 124e3 : expansion(z);
    return making(s, z) + fmax((solved ? 2 : 1) * square + sums, fmax((solved ? 3 : 0) * square, 2 * square + judged));
}

/* The points of a field that are in the particle with most of them. */
static poy_status most_inside(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, double *most)
{
    int64_t *count = NULL;
    *most = 0;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.places", (size_t)(s->n + 1) * sizeof *count, (void **)&count));
    for (int64_t i = 0; i < v->n_points; i++) {
        int cells[3];
        const int k = poyi_cell_particle(s, v->points + 3 * i, cells);
        if (k >= 0)
            *most = fmax(*most, (double)++count[k]);
    }
    poyi_free((void **)&count);
    return POY_OK;
}

/* Of a chain, a grating or a crystal that light meets from the side: its cell, and fields at points, those in a particle last. */
static double beside(const poyi_scatter *s, const poyi_view *v, const sizes *z, double inside)
{
    const double points = (double)v->n_points, square = PAIR * z->n * z->n;
    const double near =
        v->kind == POYI_VIEW_NEAR
            ? 65 * points + PAIR * z->n + fmax(2 * square + expansion(z), 2 * square + 72 * points + 72 * inside)
            : 0;
    return fmax(cell(s->array, s, z), near);
}

/* Of planes: the cell seen by the ports; three S-matrices with the scratch of a product; of a field all pieces with their products
 * from below and above, then points in one of the parts. */
static double planes(const poyi_scatter *s, const poyi_view *v, const sizes *z, double held, double inside)
{
    const struct poyi_stack *a = s->array;
    const double m = 2.0 * a->n_orders, square = PAIR * z->n * z->n, one = 4 * PAIR * m * m + 10 * m + 200;
    const double ports = square + PAIR * (5 * z->n * m + 2 * m * m), product = 9 * PAIR * m * m + 4 * m;
    double pieces = 0, before = 0, arrays = 0;
    for (int i = 1; i < a->n_parts; i++) {
        pieces += 1 + (a->parts[i].is_array ? 3 : i + 1 < a->n_parts ? 1 : 0);
        before = a->parts[i].is_array && i > 1 ? 1 : before;
    }
    if (a->has_particles)
        arrays = held + fmax(cell(a, s, z), ports + (1 + before) * one + fmax(one, 4 * PAIR * z->n * m));
    if (v->kind != POYI_VIEW_NEAR)
        return fmax(arrays, basis(m, 0) + 3 * one + product);
    const double points = (double)v->n_points, within = 72 * points + 72 * inside;
    const double places = a->has_particles ? 16 * points + PAIR * z->n + fmax(square + expansion(z), within) : 0;
    return fmax(arrays, held + square + (3 * pieces - 2) * one + fmax(product, 193 * points + places + 8e3));
}

static poy_status stack_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const sizes *z, double *out)
{
    const struct poyi_stack *a = s->array;
    const double m = a->kind == POYI_REPEATS_PLANE ? 2.0 * a->n_orders : 0;
    const double bases = 2 * basis(z->n, z->particles) + basis(z->one, 1);
    const double held = basis(m, 0) + (a->has_particles ? z->own + bases : 0);
    double inside = 0;
    if (v->kind == POYI_VIEW_NEAR && a->has_particles)
        POYI_TRY(ctx, most_inside(ctx, s, v, &inside));
    *out = a->kind == POYI_REPEATS_PLANE ? planes(s, v, z, held, inside) : held + beside(s, v, z, inside);
    return POY_OK;
}

/* ---- points ---- */

/* Of a view at a degree. */
static poy_status of_point(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int lmax, int is_found,
                           solvers which, double *out)
{
    const sizes z = sizes_of(ctx, s, lmax);
    if (s->array)
        return stack_bytes(ctx, s, v, &z, out);
    *out = is_found ? found(s, v, &z, which) : view_bytes(s, v, &z, which);
    return POY_OK;
}

/* At a degree above the first: the solution of the degree before it stays until this one is judged. */
static poy_status of_raised(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int lmax, solvers which,
                            double *out)
{
    const sizes z = sizes_of(ctx, s, lmax);
    POYI_TRY(ctx, of_point(ctx, s, v, lmax, 1, which, out));
    *out += (s->array ? 0 : stays(s, &z)) + LUMP;
    return POY_OK;
}

/* The degree that point k of a view is tried at first. */
static poy_status degree_of(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int k, int *degree)
{
    *degree = v->lmax[k];
    if (*degree)
        return POY_OK;
    POYI_TRY(ctx, poyi_scatter_degree(ctx, s, v->k0[k], s->tol, degree));
    *degree = *degree > 1 ? *degree : 2;
    *degree = s->array && *degree > POYI_STACK_DEGREE_MOST ? POYI_STACK_DEGREE_MOST : *degree;
    return POY_OK;
}

poy_status poyi_scatter_first_degree(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int *most)
{
    *most = 0;
    for (int k = 0; k < v->n; k++) {
        int degree;
        POYI_TRY(ctx, degree_of(ctx, s, v, k, &degree));
        *most = degree > *most ? degree : *most;
    }
    return POY_OK;
}

/* The largest moment of the largest point of a view. Of a smaller degree the solver may be another one: factors of few modes are larger
 * than an iteration on more. */
static poy_status of_view(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, solvers which, double *largest)
{
    for (int k = 0, degree, before = -1; k < v->n; k++, before = degree) {
        POYI_TRY(ctx, degree_of(ctx, s, v, k, &degree));
        for (int less = 0; degree != before && less < (degree > 1 ? 2 : 1); less++) {
            double work;
            POYI_TRY(ctx, of_point(ctx, s, v, degree - less, !v->lmax[0], which, &work));
            *largest = fmax(*largest, work);
        }
    }
    return POY_OK;
}

poy_status poyi_scatter_view_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int with_factors,
                                   size_t *out)
{
    double largest = 0;
    POYI_TRY(ctx, of_view(ctx, s, v, with_factors ? AND_FACTORS : AS_TRIED, &largest));
    *out = (size_t)(largest + LUMP);
    return POY_OK;
}

/* T-matrices of all spheres with their bases; then what fills and eliminates the matrix, or the regular expansion, or the cotangents with
 * the columns of an adjoint solution, of ports five times (cluster/spheres_diff.c, periodic/sphere_array_diff.c, interaction_diff.c). */
double poyi_scatter_record_bytes(poy_ctx *ctx, const poyi_scatter *s, int lmax, int moves)
{
    const sizes z = sizes_of(ctx, s, lmax);
    const double m = s->array ? 2.0 * s->array->n_orders : 0, square = PAIR * z.n * z.n;
    const double blocks = PAIR * z.particles * z.one * z.one, ports = PAIR * z.n * m;
    const double own = blocks + z.particles * (96 + basis(z.one, 1)) + basis(z.n, z.particles) + 4 * ports;
    const double value = fmax(factors(s, &z) - square, square + expansion(&z));
    const double back = s->array ? square + 18 * ports + PAIR * 2 * m * m : 2 * square + 8 * PAIR * z.n;
    return own + fmax(value, back + blocks + (moves || !s->array ? expansion(&z) : 0));
}

/* ---- beyond what is tried first ---- */

poy_status poyi_scatter_raise(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int lmax)
{
    double bytes;
    if (!s->room)
        return POY_OK;
    POYI_TRY(ctx, of_raised(ctx, s, v, lmax, AS_TRIED, &bytes));
    return poyi_room_widen(ctx, s->room, (size_t)bytes);
}

poy_status poyi_scatter_give_way(poy_ctx *ctx, const poyi_scatter *s, int lmax)
{
    const poyi_reserve *r = poyi_ctx_reserve(ctx);
    if (!s->room || !r)
        return POY_OK;
    const sizes z = sizes_of(ctx, s, lmax);
    const double bytes = (double)poyi_reserve_used(r) + factors(s, &z) + 2 * PAIR * z.n * z.lights;
    return poyi_room_widen(ctx, s->room, bytes > (double)s->room->most ? (size_t)bytes : s->room->most);
}

poy_status poyi_scatter_raised_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int lmax, size_t *out)
{
    double bytes;
    POYI_TRY(ctx, of_raised(ctx, s, v, lmax, AND_FACTORS, &bytes));
    *out = (size_t)bytes;
    return POY_OK;
}

/* The most that a point takes whose degree may rise to lmax, in any view where it may. */
static poy_status highest(poy_ctx *ctx, const poyi_scatter *s, int lmax, double *bytes)
{
    for (int i = 0; i < s->n_views; i++) {
        double one;
        if (s->views[i].n == 0 || s->views[i].lmax[0])
            continue;
        POYI_TRY(ctx, of_raised(ctx, s, &s->views[i], lmax, AND_FACTORS, &one));
        *bytes = fmax(*bytes, one);
    }
    return POY_OK;
}

/* How far degrees may rise where a budget was declared: one thread has half of it, whatever their number, so that results do not
 * depend on that; the degrees that are tried first are admitted by themselves. */
static poy_status find_rise(poy_ctx *ctx, const poyi_scatter *s, double bytes, poyi_scatter_memory *out)
{
    int low = 0, high = POYI_RISE_MOST;
    for (int i = 0; i < s->n_views; i++) {
        int first = 0;
        if (s->views[i].n && !s->views[i].lmax[0])
            POYI_TRY(ctx, poyi_scatter_first_degree(ctx, s, &s->views[i], &first));
        low = first > low ? first : low;
    }
    while (low && low < high) {
        const int middle = (low + high + 1) / 2;
        double one = 0;
        POYI_TRY(ctx, highest(ctx, s, middle, &one));
        if (one <= bytes) {
            low = middle;
            out->highest = (size_t)fmax(one, (double)out->most);
        } else {
            high = middle - 1;
        }
    }
    out->rises_to = low ? low : POYI_RISE_MOST;
    return POY_OK;
}

/* ---- all of it ---- */

/* The largest moment of any point, with its lump, of those that are tried first. */
static poy_status of_all(poy_ctx *ctx, const poyi_scatter *s, solvers which, size_t *out)
{
    double largest = 0;
    for (int i = 0; i < s->n_views; i++)
        POYI_TRY(ctx, of_view(ctx, s, &s->views[i], which, &largest));
    *out = (size_t)(largest + LUMP);
    return POY_OK;
}

/* Rows that wait, and the file. */
static void of_rows(const poyi_scatter *s, const poyi_store_layout *layout, poyi_scatter_memory *out)
{
    double widest = 0;
    for (int i = 0; i < s->n_views; i++) {
        const double row = 8.0 * (double)poyi_scatter_width(layout, i);
        widest = fmax(widest, row);
        out->file += s->views[i].n * (row + 8);
    }
    for (int i = 0; i < layout->n_lines; i++)
        out->file += 8.0 * (double)layout->lines[i].n * (double)(layout->lines[i].width ? layout->lines[i].width : 1);
    out->rows = out->team > 1 ? 2 * (int64_t)out->team : 1;
    out->rows = out->rows < s->items ? out->rows : s->items > 0 ? s->items : 1;
    out->threads = (size_t)out->team * (sizeof(poy_ctx *) + sizeof(poyi_reserve *));
    out->ready = (size_t)(s->items + 1) * sizeof(void *);
    out->row = ((size_t)widest + sizeof(poyi_gaps) + 7) / 8 * 8;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

poy_status poyi_scatter_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_store_layout *layout, size_t budget,
                              poyi_scatter_memory *out)
{
    const int team = poyi_scatter_team(ctx, s) > 1 ? poyi_scatter_team(ctx, s) : 1;
    *out = (poyi_scatter_memory){.team = team};
    of_rows(s, layout, out);
    POYI_TRY(ctx, of_all(ctx, s, AS_TRIED, &out->workspace));
    POYI_TRY(ctx, of_all(ctx, s, AND_FACTORS, &out->most));
    out->highest = out->most;
    out->rises_to = POYI_RISE_MOST;
    if (budget)
        POYI_TRY(ctx, find_rise(ctx, s, 0.5 * (double)budget, out));
    const size_t held = poy_ctx_bytes(ctx) + out->threads + out->ready + (size_t)out->rows * out->row;
    const size_t setup = poyi_ctx_bytes_recent(ctx), run = held + (size_t)team * out->workspace;
    out->total = larger(run, setup);
    out->total_most = larger(held + (size_t)team * out->most, setup);
    out->needed = larger(run + (out->highest - out->workspace), setup);
    out->share = budget > out->needed ? (budget - out->needed) / (size_t)team : 0;
    out->share = budget ? out->share : SIZE_MAX;
    return POY_OK;
}

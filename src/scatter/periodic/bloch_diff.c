/* bloch_diff.c: derivatives of matrices between waves and those of all images: through the tables of lattice sums, one for each
 * distinct displacement of origins, and of cylindrical waves for each kz. */
#include <string.h>

#include "scatter/periodic/lattice_diff.h"
#include "scatter/waves/expand/expand_side.h"
#include "scatter/waves/expand/translation.h"

/* The tables of a matrix as poyi_images_create lays them out. */
typedef struct frame {
    const poyi_bloch_expansion *e;
    int spherical, n; /* degree or order */
    unsigned slopes;  /* that are asked for */
    size_t pairs, labels, width, dim;
    double *axial;           /* [labels] kz */
    poyi_xcomplex *jacobian; /* of one sum */
    poyi_xcomplex *table[2]; /* cotangents or tangents of the sums, [pairs][labels][width] of each pol */
    void *memory, *numbers;
} frame;

static void close_frame(frame *f)
{
    poyi_free(&f->memory);
    poyi_free(&f->numbers);
}

static size_t elements(const frame *f)
{
    return f->pairs * f->labels * f->width;
}

static poy_status open_frame(poy_ctx *ctx, const poyi_bloch_expansion *e, frame *f)
{
    poy_status status;
    const poy_basis *d = e->destination, *s = e->source;
    *f = (frame){.e = e, .spherical = s->kind == POY_BASIS_SPHERICAL, .dim = (size_t)e->bloch->lattice.dim};
    f->pairs = d->n_positions * s->n_positions;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.periodic", (d->size + s->size) * sizeof(double), &f->numbers));
    f->axial = f->numbers;
    f->labels = f->spherical ? 1 : poyi_axial_labels(d, s, f->axial);
    f->n = f->spherical ? poyi_largest_degree(d) + poyi_largest_degree(s) : poyi_axial_turns(d, s);
    f->width = f->spherical ? poyi_table_size(f->n) : 2 * (size_t)f->n + 1;
    POYI_TO_DONE(
        ctx, poyi_alloc_zero(ctx, "scatter.periodic",
                             (2 * elements(f) + poyi_lattice_tables((int)f->dim) * f->width) * sizeof(poyi_xcomplex),
                             &f->memory));
    f->table[0] = f->memory;
    f->table[1] = f->table[0] + elements(f);
    f->jacobian = f->table[1] + elements(f);
done:
    if (status != POY_OK)
        close_frame(f);
    return status;
}

static poyi_expand_call call_of(const frame *f, poyi_expand_task task)
{
    const poyi_bloch_expansion *e = f->e;
    return (poyi_expand_call){.destination = e->destination,
                              .source = e->source,
                              .ks = {e->ks[0], e->ks[1]},
                              .poltype = e->poltype,
                              .singular = 1,
                              .task = task};
}

/* The wavenumber of a sum: k, or what of it is across the axis; its slopes by k and kz. */
typedef struct across {
    double complex k, by_k, by_kz;
} across;

static poy_status across_of(poy_ctx *ctx, const frame *f, size_t label, int pol, across *out)
{
    const double complex k = f->e->ks[pol];
    *out = (across){k, 1.0, 0.0};
    if (f->spherical)
        return POY_OK;
    const double complex radial = poyi_normal_wavenumber(f->axial[label], 0.0, k);
    if (radial == 0.0)
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                         "lattice: kz = %g is the wavenumber itself, where k_rho has a branch point", f->axial[label]);
    *out = (across){radial, k / radial, -f->axial[label] / radial};
    return POY_OK;
}

static poy_status make_jacobian(poy_ctx *ctx, const frame *f, size_t pair, double complex k)
{
    double r[3];
    poyi_images_shift(f->e->destination, f->e->source, pair, r);
    const poy_lattice_sum sum = {.dim = (int)f->dim,
                                 .k = {creal(k), cimag(k)},
                                 .kpar = f->e->bloch->kpar,
                                 .a = f->e->bloch->lattice.a,
                                 .r = r,
                                 .eta = f->e->bloch->eta};
    POYI_TRY(ctx, f->spherical ? poyi_lattice_jacobian(ctx, &sum, f->n, f->slopes, f->jacobian)
                               : poyi_lattice_jacobian_axial(ctx, &sum, f->n, f->jacobian));
    return POY_OK;
}

/* Does pair move with the difference of its origins? Origins that are one do not. */
static int moves(const frame *f, size_t pair)
{
    double r[3];
    poyi_images_shift(f->e->destination, f->e->source, pair, r);
    return r[0] != 0.0 || r[1] != 0.0 || (f->spherical && r[2] != 0.0);
}

/* What a pair and label do with the jacobian of their sum. */
typedef void use_fn(const frame *f, const void *inputs, size_t pair, size_t label, int pol, const across *k);

static poy_status each_sum(poy_ctx *ctx, const frame *f, const void *inputs, use_fn *use)
{
    for (size_t first = 0; first < f->pairs; first++) {
        if (poyi_images_first_like(f->e->destination, f->e->source, first) != first)
            continue;
        for (size_t label = 0; label < f->labels; label++)
            for (int pol = 0; pol < 2; pol++) {
                across k;
                POYI_TRY(ctx, across_of(ctx, f, label, pol, &k));
                if (pol == 0 || f->e->ks[0] != f->e->ks[1])
                    POYI_TRY(ctx, make_jacobian(ctx, f, first, k.k));
                for (size_t pair = first; pair < f->pairs; pair++)
                    if (pair == first || poyi_images_first_like(f->e->destination, f->e->source, pair) == first)
                        use(f, inputs, pair, label, pol, &k);
            }
    }
    return POY_OK;
}

static unsigned slopes_of(const poyi_bloch_inputs *x)
{
    return (x->ks || x->axial ? POYI_SLOPE_K : 0u) | (x->kpar || x->a ? POYI_SLOPE_CELL : 0u) |
           (x->source || x->destination ? POYI_SLOPE_SHIFT : 0u);
}

/* ---- back ---- */

/* sum conj(g) table */
static poyi_xcomplex contract(size_t size, const poyi_xcomplex *g, const poyi_xcomplex *table)
{
    poyi_xcomplex total = 0.0L;
    for (size_t i = 0; i < size; i++)
        total += poyi_xmul(conjl(g[i]), table[i]);
    return total;
}

static void pull_sum(const frame *f, const void *inputs, size_t pair, size_t label, int pol, const across *k)
{
    const poyi_bloch_inputs *to = inputs;
    const size_t sources = f->e->source->n_positions, size = f->width;
    const poyi_xcomplex *g = f->table[pol] + (pair * f->labels + label) * size, *table = f->jacobian + size;
    const double complex by_k = to->ks || to->axial ? (double complex)conjl(contract(size, g, table)) : CMPLX(0.0, 0.0);
    if (to->ks)
        to->ks[pol] += conj(k->by_k) * by_k;
    if (to->axial)
        to->axial[label] += creal(conj(k->by_kz) * by_k);
    table += size;
    for (size_t c = 0; c < f->dim; c++, table += size)
        if (to->kpar)
            to->kpar[c] += (double)creall(contract(size, g, table));
    for (size_t c = 0; c < f->dim * f->dim; c++, table += size)
        if (to->a)
            to->a[c] += (double)creall(contract(size, g, table));
    if (!moves(f, pair))
        return;
    for (size_t c = 0; c < (f->spherical ? 3 : 2); c++, table += size) { /* r = r_source - r_destination */
        const double part = f->slopes & POYI_SLOPE_SHIFT ? (double)creall(contract(size, g, table)) : 0.0;
        if (to->source)
            to->source[3 * (pair % sources) + c] += part;
        if (to->destination)
            to->destination[3 * (pair / sources) + c] -= part;
    }
}

poy_status poyi_bloch_pull(poy_ctx *ctx, const poyi_bloch_expansion *e, const poy_c128 *g_out,
                           const poyi_bloch_inputs *to)
{
    poy_status status;
    frame f;
    poyi_images images = {.memory = NULL};
    if (!slopes_of(to))
        return POY_OK;
    POYI_TRY(ctx, open_frame(ctx, e, &f));
    f.slopes = slopes_of(to);
    poyi_expand_call call = call_of(&f, POYI_EXPAND_PULLBACK);
    call.g_out = g_out;
    call.g_image[0] = f.table[0];
    call.g_image[1] = f.table[1];
    if (!f.spherical) { /* e^{i kz z} stands before the sums */
        POYI_TO_DONE(ctx, poyi_images_create(ctx, e->bloch, e->destination, e->source, e->ks, &images));
        call.image[0] = images.table[0];
        call.image[1] = images.table[1];
        call.g_destination = to->destination;
        call.g_source = to->source;
        call.g_axial = to->axial;
    }
    POYI_TO_DONE(ctx, poyi_expand_multipoles(ctx, call));
    POYI_TO_DONE(ctx, each_sum(ctx, &f, to, pull_sum));
done:
    poyi_images_destroy(&images);
    close_frame(&f);
    return status;
}

/* ---- forth ---- */

static void add(size_t size, poyi_xcomplex factor, const poyi_xcomplex *from, poyi_xcomplex *to)
{
    for (size_t i = 0; i < size; i++)
        to[i] += poyi_xmul(factor, from[i]);
}

static void push_sum(const frame *f, const void *inputs, size_t pair, size_t label, int pol, const across *k)
{
    const poyi_bloch_inputs *d = inputs;
    const size_t sources = f->e->source->n_positions, size = f->width;
    poyi_xcomplex *to = f->table[pol] + (pair * f->labels + label) * size;
    const poyi_xcomplex *table = f->jacobian + size;
    const double complex by_k = (d->ks ? k->by_k * d->ks[pol] : 0.0) + (d->axial ? k->by_kz * d->axial[label] : 0.0);
    if (d->ks || d->axial)
        add(size, poyi_x(by_k), table, to);
    table += size;
    for (size_t c = 0; c < f->dim; c++, table += size)
        if (d->kpar)
            add(size, d->kpar[c], table, to);
    for (size_t c = 0; c < f->dim * f->dim; c++, table += size)
        if (d->a)
            add(size, d->a[c], table, to);
    if (!moves(f, pair) || !(f->slopes & POYI_SLOPE_SHIFT))
        return;
    for (size_t c = 0; c < (f->spherical ? 3 : 2); c++, table += size)
        add(size,
            (d->source ? d->source[3 * (pair % sources) + c] : 0.0) -
                (d->destination ? d->destination[3 * (pair / sources) + c] : 0.0),
            table, to);
}

poy_status poyi_bloch_push(poy_ctx *ctx, const poyi_bloch_expansion *e, const poyi_bloch_inputs *d, poy_c128 *d_out)
{
    poy_status status;
    frame f;
    poyi_images images = {.memory = NULL};
    POYI_TRY(ctx, open_frame(ctx, e, &f));
    f.slopes = slopes_of(d);
    poyi_expand_call call = call_of(&f, POYI_EXPAND_PUSHFORWARD);
    call.out = d_out;
    if (f.slopes)
        POYI_TO_DONE(ctx, each_sum(ctx, &f, d, push_sum));
    for (int pol = 0; pol < 2; pol++)
        call.image[pol] = f.table[pol];
    if (!f.spherical) {
        POYI_TO_DONE(ctx, poyi_images_create(ctx, e->bloch, e->destination, e->source, e->ks, &images));
        for (int pol = 0; pol < 2; pol++) {
            call.image[pol] = images.table[pol];
            call.d_image[pol] = f.table[pol];
        }
        call.d_destination = d->destination;
        call.d_source = d->source;
        call.d_axial = d->axial;
    }
    POYI_TO_DONE(ctx, poyi_expand_multipoles(ctx, call));
done:
    poyi_images_destroy(&images);
    close_frame(&f);
    return status;
}

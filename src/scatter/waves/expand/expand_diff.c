/* expand_diff.c: derivatives of expansions, incidence and channels: the calls of expand_spherical.c, expand_axial.c and
 * plane_coupling.c with tangents and cotangents. */
#include <string.h>

#include "scatter/waves/diff.h"
#include "scatter/waves/expand/expand.h"
#include "scatter/waves/label.h"
#include "scatter/waves/plane_coupling.h"

/* ---- between multipoles ---- */

static poy_status check_expansion(poy_ctx *ctx, const poyi_expansion *e)
{
    const poy_basis_kind d = e->destination->kind, s = e->source->kind;
    const int spherical = d == POY_BASIS_SPHERICAL, from_spherical = s == POY_BASIS_SPHERICAL;
    if (poyi_basis_is_plane(e->destination) || poyi_basis_is_plane(e->source))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "expansion of %s waves in %s waves", poyi_basis_kind_name(s),
                         poyi_basis_kind_name(d));
    if (spherical && !from_spherical && e->singular)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "expansion of singular cylindrical waves in spherical waves");
    if (!spherical && from_spherical && (e->period == 0.0 || !isfinite(e->period)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "spherical in cylindrical waves: period %g, needs a finite number other than 0", e->period);
    POYI_TRY(ctx, poyi_batch_finite(ctx, "expansion", "ks", 2, e->ks));
    if (poyi_c(e->ks[0]) == 0.0 || poyi_c(e->ks[1]) == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "expansion: a wavenumber is 0");
    if (e->poltype == POY_PARITY && poyi_c(e->ks[0]) != poyi_c(e->ks[1]))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "expansion: parity needs one wavenumber, these are %g%+gi and %g%+gi", e->ks[0].re,
                         e->ks[0].im, e->ks[1].re, e->ks[1].im);
    return POY_OK;
}

static poyi_expand_call call_of(const poyi_expansion *e, poyi_expand_task task)
{
    return (poyi_expand_call){.destination = e->destination,
                              .source = e->source,
                              .ks = {poyi_c(e->ks[0]), poyi_c(e->ks[1])},
                              .poltype = e->poltype,
                              .singular = e->singular,
                              .period = e->period,
                              .task = task};
}

size_t poyi_expansion_axial(const poyi_expansion *e, double *kz)
{
    return poyi_axial_labels(e->destination, e->source, kz);
}

poy_status poyi_expansion_value(poy_ctx *ctx, const poyi_expansion *e, poy_c128 *out)
{
    POYI_TRY(ctx, check_expansion(ctx, e));
    poyi_expand_call call = call_of(e, POYI_EXPAND_VALUE);
    call.out = out;
    POYI_TRY(ctx, poyi_expand_multipoles(ctx, call));
    return POY_OK;
}

poy_status poyi_expansion_pushforward(poy_ctx *ctx, const poyi_expansion *e, const poyi_expansion_inputs *d,
                                      poy_c128 *d_out)
{
    POYI_TRY(ctx, check_expansion(ctx, e));
    poyi_expand_call call = call_of(e, POYI_EXPAND_PUSHFORWARD);
    double complex d_ks[2];
    for (int pol = 0; pol < 2; pol++)
        d_ks[pol] = d->ks ? poyi_c(d->ks[pol]) : 0.0;
    call.out = d_out;
    call.d_destination = d->destination;
    call.d_source = d->source;
    call.d_ks = d->ks ? d_ks : NULL;
    call.d_axial = d->axial;
    call.d_period = d->period ? *d->period : 0.0;
    POYI_TRY(ctx, poyi_expand_multipoles(ctx, call));
    return POY_OK;
}

static void clear(double *x, size_t n)
{
    if (x && n > 0)
        memset(x, 0, n * sizeof *x);
}

poy_status poyi_expansion_pullback(poy_ctx *ctx, const poyi_expansion *e, const poy_c128 *g_out,
                                   const poyi_expansion_inputs *g)
{
    poy_status status;
    void *axial = NULL;
    double complex g_ks[2] = {0.0, 0.0};
    POYI_TRY(ctx, check_expansion(ctx, e));
    poyi_expand_call call = call_of(e, POYI_EXPAND_PULLBACK);
    POYI_TO_DONE(ctx,
                 poyi_alloc(ctx, "waves.expand", (e->destination->size + e->source->size) * sizeof(double), &axial));
    call.n_axial = poyi_axial_labels(e->destination, e->source, axial);
    call.axial = axial;
    clear(g->destination, 3 * e->destination->n_positions);
    clear(g->source, 3 * e->source->n_positions);
    clear(g->axial, call.n_axial);
    clear(g->period, 1);
    call.g_out = g_out;
    call.g_destination = g->destination;
    call.g_source = g->source;
    call.g_ks = g->ks ? g_ks : NULL;
    call.g_axial = g->axial;
    call.g_period = g->period;
    POYI_TO_DONE(ctx, poyi_expand_multipoles(ctx, call));
    for (int pol = 0; g->ks && pol < 2; pol++)
        g->ks[pol] = poyi_pair(g_ks[pol]);
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "expansion", 3 * e->destination->n_positions, g->destination));
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "expansion", 3 * e->source->n_positions, g->source));
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "expansion", call.n_axial, g->axial));
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "expansion", 1, g->period));
    POYI_TO_DONE(ctx, poyi_check_complex_gradient(ctx, "expansion", 2, g->ks));
done:
    poyi_free(&axial);
    return status;
}

/* ---- incidence ---- */

static poyi_plane_call plane_call_of(const poyi_incidence *e, poyi_expand_task task)
{
    return (poyi_plane_call){.multipoles = e->multipoles,
                             .n = e->n,
                             .vectors = e->vectors,
                             .pol = e->pol,
                             .poltype = e->poltype,
                             .task = task};
}

poy_status poyi_incidence_value(poy_ctx *ctx, const poyi_incidence *e, poy_c128 *out)
{
    poyi_plane_call call = plane_call_of(e, POYI_EXPAND_VALUE);
    call.out = out;
    POYI_TRY(ctx, poyi_plane_coupling(ctx, &call));
    return POY_OK;
}

poy_status poyi_incidence_pushforward(poy_ctx *ctx, const poyi_incidence *e, const double *d_positions,
                                      const poy_c128 *d_vectors, poy_c128 *d_out)
{
    poyi_plane_call call = plane_call_of(e, POYI_EXPAND_PUSHFORWARD);
    call.d_positions = d_positions;
    call.d_vectors = d_vectors;
    call.out = d_out;
    POYI_TRY(ctx, poyi_plane_coupling(ctx, &call));
    return POY_OK;
}

poy_status poyi_incidence_pullback(poy_ctx *ctx, const poyi_incidence *e, const poy_c128 *g_out, double *g_positions,
                                   poy_c128 *g_vectors)
{
    poyi_plane_call call = plane_call_of(e, POYI_EXPAND_PULLBACK);
    clear(g_positions, 3 * e->multipoles->n_positions);
    clear((double *)g_vectors, 6 * e->n);
    call.g_out = g_out;
    call.g_positions = g_positions;
    call.g_vectors = g_vectors;
    POYI_TRY(ctx, poyi_plane_coupling(ctx, &call));
    POYI_TRY(ctx, poyi_check_gradient(ctx, "incidence", 3 * e->multipoles->n_positions, g_positions));
    POYI_TRY(ctx, poyi_check_complex_gradient(ctx, "incidence", 3 * e->n, g_vectors));
    return POY_OK;
}

/* ---- channels ---- */

/* Where q, k and the normal stand in a wavevector. */
typedef struct frame {
    size_t axis[2], normal;
} frame;

static frame frame_of(const poy_basis *multipoles)
{
    return multipoles->kind == POY_BASIS_SPHERICAL ? (frame){{0, 1}, 2} : (frame){{2, 0}, 1};
}

static double complex wavenumber(const poyi_channels *c, size_t i)
{
    return poyi_c(c->ks[c->pol[i]]);
}

static void vectors_of(const poyi_channels *c, int down, poy_c128 *out)
{
    const frame f = frame_of(c->multipoles);
    for (size_t i = 0; i < c->n; i++) {
        const double complex kn = poyi_normal_wavenumber(c->q[2 * i], c->q[2 * i + 1], wavenumber(c, i));
        out[3 * i + f.axis[0]] = (poy_c128){c->q[2 * i], 0.0};
        out[3 * i + f.axis[1]] = (poy_c128){c->q[2 * i + 1], 0.0};
        out[3 * i + f.normal] = poyi_pair(down ? -kn : kn);
    }
}

/* What the four blocks of a call share. */
typedef struct blocks {
    const poyi_channels *c;
    void *memory;
    poy_c128 *vectors, *d_vectors, *block; /* [3 n], [3 n], [size][n] */
} blocks;

static poy_status open_blocks(poy_ctx *ctx, const poyi_channels *c, blocks *b)
{
    const size_t size = c->multipoles->size;
    *b = (blocks){.c = c};
    if (poyi_basis_is_plane(c->multipoles))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "channels of %s waves", poyi_basis_kind_name(c->multipoles->kind));
    POYI_TRY(ctx, poyi_batch_finite(ctx, "channels", "ks", 2, c->ks));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, "channels", "q", 2 * c->n, c->q));
    if (c->poltype == POY_PARITY && poyi_c(c->ks[0]) != poyi_c(c->ks[1]))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "channels: parity needs one wavenumber");
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.expand", (6 * c->n + size * c->n) * sizeof(poy_c128), &b->memory));
    b->vectors = b->memory;
    b->d_vectors = b->vectors + 3 * c->n;
    b->block = b->d_vectors + 3 * c->n;
    return POY_OK;
}

static poyi_plane_call block_call(const blocks *b, int role, poyi_expand_task task)
{
    return (poyi_plane_call){.multipoles = b->c->multipoles,
                             .n = b->c->n,
                             .vectors = b->vectors,
                             .pol = b->c->pol,
                             .poltype = b->c->poltype,
                             .emission = role,
                             .measure = b->c->measure,
                             .task = task,
                             .out = b->block,
                             .g_out = b->block};
}

/* Incidence blocks are [size][n] already, emission blocks [n][size]. */
static void take_block(const blocks *b, int role, poy_c128 *out)
{
    const size_t size = b->c->multipoles->size, n = b->c->n;
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < n; j++)
            out[i * n + j] = b->block[role ? j * size + i : i * n + j];
}

poy_status poyi_channels_value(poy_ctx *ctx, const poyi_channels *c, poy_c128 *out)
{
    poy_status status;
    blocks b;
    POYI_TO_DONE(ctx, open_blocks(ctx, c, &b));
    for (int role = 0; role < 2; role++)
        for (int down = 0; down < 2; down++) {
            vectors_of(c, down, b.vectors);
            const poyi_plane_call call = block_call(&b, role, POYI_EXPAND_VALUE);
            POYI_TO_DONE(ctx, poyi_plane_coupling(ctx, &call));
            take_block(&b, role, out + (size_t)(2 * role + down) * c->multipoles->size * c->n);
        }
done:
    poyi_free(&b.memory);
    return status;
}

static poy_status check_grazing(poy_ctx *ctx, const poyi_channels *c, const blocks *b)
{
    const frame f = frame_of(c->multipoles);
    for (size_t i = 0; i < c->n; i++)
        if (poyi_c(b->vectors[3 * i + f.normal]) == 0.0)
            return POYI_FAIL(ctx, POY_ERR_THRESHOLD, "channels: port %zu grazes the array", i);
    return POY_OK;
}

/* d k_normal = +- (k dk - q.dq) / k_normal of the up side */
poy_status poyi_channels_pushforward(poy_ctx *ctx, const poyi_channels *c, const poyi_channels_inputs *d,
                                     poy_c128 *d_out)
{
    poy_status status;
    blocks b;
    const frame f = frame_of(c->multipoles);
    POYI_TO_DONE(ctx, open_blocks(ctx, c, &b));
    for (int role = 0; role < 2; role++)
        for (int down = 0; down < 2; down++) {
            vectors_of(c, down, b.vectors);
            POYI_TO_DONE(ctx, check_grazing(ctx, c, &b));
            for (size_t i = 0; i < c->n; i++) {
                double complex sum = d->ks ? wavenumber(c, i) * poyi_c(d->ks[c->pol[i]]) : 0.0;
                for (size_t j = 0; j < 2; j++) {
                    /* the kz of cylinders is a label */
                    const double dq = d->q && f.axis[j] != 2 ? d->q[2 * i + j] : 0.0;
                    b.d_vectors[3 * i + f.axis[j]] = (poy_c128){dq, 0.0};
                    sum -= c->q[2 * i + j] * dq;
                }
                b.d_vectors[3 * i + f.normal] = poyi_pair(sum / poyi_c(b.vectors[3 * i + f.normal]));
            }
            poyi_plane_call call = block_call(&b, role, POYI_EXPAND_PUSHFORWARD);
            call.d_positions = d->positions;
            call.d_vectors = d->ks || d->q ? b.d_vectors : NULL;
            call.fixed_directions = !d->q;
            call.d_measure = d->measure ? *d->measure : 0.0;
            POYI_TO_DONE(ctx, poyi_plane_coupling(ctx, &call));
            take_block(&b, role, d_out + (size_t)(2 * role + down) * c->multipoles->size * c->n);
        }
done:
    poyi_free(&b.memory);
    return status;
}

/* From the gradients of wavevectors to those of k and q. */
static void collect(const blocks *b, const poyi_channels_inputs *g, double complex g_ks[2])
{
    const poyi_channels *c = b->c;
    const frame f = frame_of(c->multipoles);
    for (size_t i = 0; i < c->n; i++) {
        const double complex kn = poyi_c(b->vectors[3 * i + f.normal]);
        const double complex gn = poyi_c(b->d_vectors[3 * i + f.normal]);
        g_ks[c->pol[i]] += conj(wavenumber(c, i) / kn) * gn;
        for (size_t j = 0; g->q && j < 2; j++)
            if (f.axis[j] != 2)
                g->q[2 * i + j] += b->d_vectors[3 * i + f.axis[j]].re - creal(conj(c->q[2 * i + j] / kn) * gn);
    }
}

poy_status poyi_channels_pullback(poy_ctx *ctx, const poyi_channels *c, const poy_c128 *g_out,
                                  const poyi_channels_inputs *g)
{
    poy_status status;
    blocks b;
    double complex g_ks[2] = {0.0, 0.0};
    const size_t size = c->multipoles->size * c->n;
    POYI_TO_DONE(ctx, open_blocks(ctx, c, &b));
    clear(g->positions, 3 * c->multipoles->n_positions);
    clear(g->q, 2 * c->n);
    clear(g->measure, 1);
    for (int role = 0; role < 2; role++)
        for (int down = 0; down < 2; down++) {
            vectors_of(c, down, b.vectors);
            POYI_TO_DONE(ctx, check_grazing(ctx, c, &b));
            const poy_c128 *from = g_out + (size_t)(2 * role + down) * size;
            for (size_t row = 0; row < c->multipoles->size; row++)
                for (size_t col = 0; col < c->n; col++, from++)
                    b.block[role ? col * c->multipoles->size + row : row * c->n + col] = *from;
            poyi_plane_call call = block_call(&b, role, POYI_EXPAND_PULLBACK);
            clear((double *)b.d_vectors, 6 * c->n);
            call.g_positions = g->positions;
            call.g_vectors = g->ks || g->q ? b.d_vectors : NULL;
            call.fixed_directions = !g->q;
            call.g_measure = g->measure;
            POYI_TO_DONE(ctx, poyi_plane_coupling(ctx, &call));
            collect(&b, g, g_ks);
        }
    for (int pol = 0; g->ks && pol < 2; pol++)
        g->ks[pol] = poyi_pair(g_ks[pol]);
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "channels", 3 * c->multipoles->n_positions, g->positions));
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "channels", 2 * c->n, g->q));
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "channels", 1, g->measure));
    POYI_TO_DONE(ctx, poyi_check_complex_gradient(ctx, "channels", 2, g->ks));
done:
    poyi_free(&b.memory);
    return status;
}

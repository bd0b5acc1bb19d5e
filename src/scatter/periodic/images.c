/* images.c: matrices between waves and those of all images of a lattice. */
#include "scatter/periodic/images.h"

#include <string.h>

#include "scatter/periodic/ewald.h"
#include "scatter/waves/expand/expand_side.h"

poy_status poyi_bloch_make(poy_ctx *ctx, const poy_lattice *lattice, const double *kpar, double eta,
                           poy_basis_kind family, poyi_bloch *out)
{
    const int most = family == POY_BASIS_SPHERICAL ? 3 : 2;
    poyi_cell cell;
    if (family != POY_BASIS_SPHERICAL && family != POY_BASIS_CYLINDRICAL)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "lattice: %s waves do not repeat; multipoles do",
                         poyi_basis_kind_name(family));
    if (lattice->dim < 1 || lattice->dim > most)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice: %d dimensions of %s waves; there are 1 to %d", lattice->dim,
                         poyi_basis_kind_name(family), most);
    *out = (poyi_bloch){.lattice = {.dim = lattice->dim}, .eta = eta};
    const size_t dim = (size_t)lattice->dim;
    memcpy(out->lattice.a, lattice->a, dim * dim * sizeof(double));
    memcpy(out->kpar, kpar, dim * sizeof(double));
    for (size_t i = 0; i < dim * dim + dim; i++) {
        const double x = i < dim * dim ? lattice->a[i] : kpar[i - dim * dim];
        if (!isfinite(x))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice: a vector or kpar has the component %g", x);
    }
    POYI_TRY(ctx, poyi_cell_make(ctx, lattice->dim, out->lattice.a, &cell));
    return POY_OK;
}

void poyi_images_destroy(poyi_images *images)
{
    poyi_free(&images->memory);
}

/* ---- sums of one pair of origins ---- */

/* r = r_source - r_destination, without the parts of which the waves' phase takes care. */
void poyi_images_shift(const poy_basis *destination, const poy_basis *source, size_t pair, double r[3])
{
    const double *to = destination->positions + 3 * (pair / source->n_positions);
    const double *from = source->positions + 3 * (pair % source->n_positions);
    for (int i = 0; i < 3; i++)
        r[i] = from[i] - to[i];
}

/* An earlier pair with the same shift, or pair itself. */
size_t poyi_images_first_like(const poy_basis *destination, const poy_basis *source, size_t pair)
{
    double r[3], q[3];
    poyi_images_shift(destination, source, pair, r);
    for (size_t p = 0; p < pair; p++) {
        poyi_images_shift(destination, source, p, q);
        if (q[0] == r[0] && q[1] == r[1] && q[2] == r[2])
            return p;
    }
    return pair;
}

static poy_status one_sum(poy_ctx *ctx, const poyi_bloch *bloch, double complex k, const double *r, int spherical,
                          int n, poyi_xcomplex *sums)
{
    const poy_lattice_sum sum = {.dim = bloch->lattice.dim,
                                 .k = {creal(k), cimag(k)},
                                 .kpar = bloch->kpar,
                                 .a = bloch->lattice.a,
                                 .r = r,
                                 .eta = bloch->eta};
    POYI_TRY(ctx, poyi_lattice_table(ctx, &sum, spherical, n, sums, NULL));
    return POY_OK;
}

/* ---- tables of all pairs ---- */

typedef struct image_job {
    const poyi_bloch *bloch;
    const poy_basis *destination, *source;
    double complex k[2];
    int spherical, n; /* largest degree, or order */
    size_t pairs, width, labels;
    const double *axial;
    poyi_images *out;
    poyi_xcomplex *sums; /* [width] of a thread */
} image_job;

static poy_status fill_pair(poy_ctx *ctx, const image_job *j, size_t pair, int pol, poyi_xcomplex *sums)
{
    double r[3];
    poyi_xcomplex *table = j->out->table[pol] + pair * j->labels * j->width;
    poyi_images_shift(j->destination, j->source, pair, r);
    if (j->spherical) {
        POYI_TRY(ctx, one_sum(ctx, j->bloch, j->k[pol], r, 1, j->n, sums));
        for (int l = 0; l <= j->n; l++)
            for (int m = -l; m <= l; m++)
                table[poyi_table_place(j->n, l, m)] = sums[l * (l + 1) + m];
        return POY_OK;
    }
    for (size_t label = 0; label < j->labels; label++) {
        const double complex radial = poyi_normal_wavenumber(j->axial[label], 0.0, j->k[pol]);
        POYI_TRY(ctx, one_sum(ctx, j->bloch, radial, r, 0, j->n, table + label * j->width));
    }
    return POY_OK;
}

static poy_status fill_all(poy_ctx *ctx, const image_job *j)
{
    const int pols = j->out->table[0] == j->out->table[1] ? 1 : 2;
    for (size_t pair = 0; pair < j->pairs; pair++) {
        const size_t like = poyi_images_first_like(j->destination, j->source, pair), width = j->labels * j->width;
        for (int pol = 0; pol < pols; pol++) {
            if (like != pair)
                memcpy(j->out->table[pol] + pair * width, j->out->table[pol] + like * width,
                       width * sizeof(poyi_xcomplex));
            else
                POYI_TRY(ctx, fill_pair(ctx, j, pair, pol, j->sums));
        }
    }
    return POY_OK;
}

poy_status poyi_images_create(poy_ctx *ctx, const poyi_bloch *bloch, const poy_basis *destination,
                              const poy_basis *source, const double complex ks[2], poyi_images *out)
{
    poy_status status;
    void *axial = NULL, *sums = NULL;
    size_t bytes;
    image_job j = {.bloch = bloch, .destination = destination, .source = source, .k = {ks[0], ks[1]}, .out = out};
    *out = (poyi_images){.memory = NULL};
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, destination->n_positions, source->n_positions, &j.pairs));
    j.spherical = source->kind == POY_BASIS_SPHERICAL;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.periodic", (destination->size + source->size) * sizeof(double), &axial));
    j.axial = axial;
    j.labels = j.spherical ? 1 : poyi_axial_labels(destination, source, axial);
    j.n = j.spherical ? poyi_largest_degree(destination) + poyi_largest_degree(source)
                      : poyi_axial_turns(destination, source);
    j.width = j.spherical ? poyi_table_size(j.n) : 2 * (size_t)j.n + 1;
    if (j.n > POY_LATTICE_DEGREE_MAX) {
        status =
            POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "lattice: %s up to %d need sums up to %d, which are there up to %d",
                      j.spherical ? "degrees" : "orders", j.n / 2, j.n, POY_LATTICE_DEGREE_MAX);
        goto done;
    }
    out->elements = j.pairs * j.labels * j.width;
    const size_t tables = ks[0] == ks[1] ? 1 : 2;
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, out->elements, tables * sizeof(poyi_xcomplex), &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.periodic", bytes, &out->memory));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.periodic", j.width * sizeof(poyi_xcomplex), &sums));
    out->table[0] = out->memory;
    out->table[1] = out->table[0] + (tables - 1) * out->elements;
    j.sums = sums;
    POYI_TO_DONE(ctx, fill_all(ctx, &j));
done:
    if (status != POY_OK)
        poyi_images_destroy(out);
    poyi_free(&sums);
    poyi_free(&axial);
    return status;
}

/* ---- matrices ---- */

poy_status poyi_bloch_value(poy_ctx *ctx, const poyi_bloch_expansion *e, poy_c128 *out)
{
    poy_status status;
    poyi_images images;
    POYI_TRY(ctx, poyi_images_create(ctx, e->bloch, e->destination, e->source, e->ks, &images));
    const poyi_expand_call call = {.destination = e->destination,
                                   .source = e->source,
                                   .ks = {e->ks[0], e->ks[1]},
                                   .poltype = e->poltype,
                                   .singular = 1,
                                   .image = {images.table[0], images.table[1]},
                                   .task = POYI_EXPAND_VALUE,
                                   .out = out};
    POYI_TO_DONE(ctx, poyi_expand_multipoles(ctx, call));
done:
    poyi_images_destroy(&images);
    return status;
}

static poy_status expand(poy_ctx *ctx, const poy_embedding *embedding, const poyi_bloch *bloch,
                         const poy_basis *destination, const poy_basis *source, poy_c128 *out)
{
    poyi_optics o;
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &o));
    const poyi_bloch_expansion e = {bloch, destination, source, {o.ks[0], o.ks[1]}, embedding->poltype};
    POYI_TRY(ctx, poyi_bloch_value(ctx, &e, out));
    return POY_OK;
}

poy_status poyi_bloch_coupling(poy_ctx *ctx, const poy_embedding *embedding, const poyi_bloch *bloch,
                               const poy_basis *basis, poy_c128 *out)
{
    POYI_TRY(ctx, expand(ctx, embedding, bloch, basis, basis, out));
    return POY_OK;
}

poy_status poy_op_expand_lattice(poy_ctx *ctx, const poy_embedding *embedding, const poy_lattice *lattice,
                                 const double *kpar, double eta, const poy_basis *destination, const poy_basis *source,
                                 poy_c128 *out)
{
    poyi_bloch bloch;
    if (destination->kind != source->kind)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "lattice: %s waves in %s waves; both are of one family",
                         poyi_basis_kind_name(source->kind), poyi_basis_kind_name(destination->kind));
    POYI_TRY(ctx, poyi_bloch_make(ctx, lattice, kpar, eta, source->kind, &bloch));
    POYI_TRY(ctx, expand(ctx, embedding, &bloch, destination, source, out));
    return POY_OK;
}

/* periodic.c: particles that repeat on a lattice: their equations, and what chains, gratings and arrays do to waves. */
#include <string.h>

#include "core/constants.h"
#include "record/lapack.h"
#include "scatter/periodic/images.h"
#include "scatter/stack/smatrix.h"

/* ---- the object ---- */

static poy_status coupling_matrix(poy_ctx *ctx, const poy_cluster *cell, const poyi_bloch *bloch, void **out)
{
    poy_status status;
    size_t bytes;
    POYI_TRY(ctx, poyi_mul_size(ctx, cell->n, cell->n * sizeof(poy_c128), &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic", bytes, out));
    POYI_TO_DONE(ctx, poyi_bloch_coupling(ctx, &cell->embedding, bloch, cell->basis, *out));
done:
    if (status != POY_OK)
        poyi_free(out);
    return status;
}

poy_status poy_periodic_solve(poy_ctx *ctx, const poy_cluster *cell, const poy_lattice *lattice, const double *kpar,
                              double eta, poy_periodic **out)
{
    poy_status status;
    void *memory = NULL, *coupling = NULL;
    poyi_bloch bloch;
    *out = NULL;
    POYI_TRY(ctx, poyi_bloch_make(ctx, lattice, kpar, eta, cell->basis->kind, &bloch));
    POYI_TRY(ctx, coupling_matrix(ctx, cell, &bloch, &coupling));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.periodic", sizeof(poy_periodic), &memory));
    poy_periodic *p = memory;
    *p = (poy_periodic){.references = 1, .bloch = bloch};
    POYI_TO_DONE(ctx, poyi_factor_coupled(ctx, cell, coupling, NULL, &p->factor));
    *out = p;
done:
    if (status != POY_OK)
        poyi_free(&memory);
    poyi_free(&coupling);
    return status;
}

poy_periodic *poy_periodic_retain(poy_periodic *p)
{
    if (p)
        atomic_fetch_add(&p->references, 1);
    return p;
}

void poy_periodic_destroy(poy_periodic **p)
{
    void *object = *p;
    poy_periodic *periodic = *p;
    *p = NULL;
    if (!periodic || atomic_fetch_sub(&periodic->references, 1) != 1)
        return;
    poy_factor_destroy(&periodic->factor);
    poyi_free(&object);
}

const poy_cluster *poy_periodic_cell(const poy_periodic *p)
{
    return p->factor->cluster;
}

const poy_lattice *poy_periodic_lattice(const poy_periodic *p)
{
    return &p->bloch.lattice;
}

const double *poy_periodic_kpar(const poy_periodic *p)
{
    return p->bloch.kpar;
}

poy_status poy_periodic_scatter(poy_ctx *ctx, const poy_periodic *p, size_t columns, const poy_c128 *incident,
                                poy_c128 *scattered)
{
    POYI_TRY(ctx, poy_factor_scatter(ctx, p->factor, columns, incident, scattered));
    return POY_OK;
}

poy_status poy_periodic_response(poy_ctx *ctx, const poy_periodic *p, poy_tmatrix **out)
{
    poy_status status;
    void *memory = NULL;
    const poy_cluster *c = p->factor->cluster;
    const size_t n = c->n;
    POYI_TRY(ctx, poyi_tmatrix_new(ctx, &c->embedding, c->basis, out));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.periodic", n * n * sizeof(poy_c128), &memory));
    poy_c128 *one = memory;
    for (size_t i = 0; i < n; i++)
        one[i * n + i].re = 1.0;
    POYI_TO_DONE(ctx, poyi_factor_apply(ctx, p->factor, 0, n, one, (*out)->values));
done:
    poyi_free(&memory);
    if (status != POY_OK)
        poy_tmatrix_destroy(out);
    return status;
}

poy_status poy_periodic_resonance(poy_ctx *ctx, const poy_cluster *cell, const poy_lattice *lattice, const double *kpar,
                                  double eta, double *out)
{
    poy_status status;
    void *coupling = NULL, *memory = NULL, *work = NULL;
    poyi_bloch bloch;
    const int64_t n = (int64_t)cell->n;
    POYI_TRY(ctx, poyi_bloch_make(ctx, lattice, kpar, eta, cell->basis->kind, &bloch));
    POYI_TRY(ctx, coupling_matrix(ctx, cell, &bloch, &coupling));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.periodic", 2 * cell->n * sizeof(double), &memory));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.periodic", poyi_svd_work(n, n), &work));
    double *scale = memory, *values = scale + cell->n;
    POYI_TO_DONE(ctx, poyi_cluster_equations(ctx, cell, scale, coupling));
    POYI_TO_DONE(ctx, poyi_singular_values(ctx, n, n, coupling, values, work));
    *out = values[cell->n - 1];
done:
    poyi_free(&work);
    poyi_free(&memory);
    poyi_free(&coupling);
    return status;
}

/* ---- arrays and gratings ---- */

/* Is (component - kpar) a reciprocal vector, and of a grating kz one of the modes'? */
static poy_status check_port(poy_ctx *ctx, const poy_periodic *p, const poy_basis *ports, size_t i)
{
    const poy_lattice *l = &p->bloch.lattice;
    const poy_basis *basis = p->factor->cluster->basis;
    const double *k = ports->modes[i].component;
    const int spheres = basis->kind == POY_BASIS_SPHERICAL;
    for (int row = 0; row < l->dim; row++) {
        const double *a = l->a + (size_t)row * (size_t)l->dim;
        const double *q = p->bloch.kpar;
        const double turns = spheres ? a[0] * (k[0] - q[0]) + a[1] * (k[1] - q[1]) : a[0] * (k[1] - q[0]);
        const double n = turns / (2.0 * POYI_PI);
        if (fabs(n - round(n)) > 1e-9 * (1.0 + fabs(n)))
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "S-matrix of an array: port %zu at (%.17g, %.17g) is no diffraction order: %.12g periods from "
                "kpar",
                i, k[0], k[1], n);
    }
    for (size_t m = 0; m < basis->size; m++)
        if (spheres || fabs(basis->modes[m].kz - k[0]) <= 1e-14 * fabs(k[0]))
            return POY_OK;
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "S-matrix of a grating: port %zu has kz = %.17g, which no mode has", i,
                     k[0]);
}

/* incident[n][2 ports]: what goes up, then what goes down. */
static poy_status illuminate(poy_ctx *ctx, const poy_cluster *c, const poy_basis *ports, poy_c128 *one_side,
                             poy_c128 *incident)
{
    const size_t m = ports->size;
    for (int d = 0; d < 2; d++) {
        POYI_TRY(ctx, poy_op_expand(ctx, &c->embedding, c->basis, POY_REGULAR, ports, d ? POY_DOWN : POY_UP, one_side));
        for (size_t i = 0; i < c->n; i++)
            memcpy(incident + (2 * i + (size_t)d) * m, one_side + i * m, m * sizeof *incident);
    }
    return POY_OK;
}

poy_status poy_periodic_to_smatrix(poy_ctx *ctx, const poy_periodic *p, poy_basis *ports, poy_smatrix **out)
{
    poy_status status;
    void *memory = NULL;
    const poy_cluster *c = p->factor->cluster;
    const int spheres = c->basis->kind == POY_BASIS_SPHERICAL, dim = p->bloch.lattice.dim;
    const poy_stage stage = {c->embedding.k0, c->embedding.poltype, ports};
    *out = NULL;
    if (dim != (spheres ? 2 : 1) || ports->kind != POY_BASIS_PORTS || ports->alignment != (spheres ? POY_XY : POY_ZX))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "S-matrix of a %d-dimensional lattice of %s waves in %s waves: there are plane arrays of "
                         "spherical waves in ports xy and gratings of cylindrical ones in ports zx",
                         dim, poyi_basis_kind_name(c->basis->kind), poyi_basis_kind_name(ports->kind));
    const size_t m = ports->size, n = c->n;
    for (size_t i = 0; i < m; i++)
        POYI_TRY(ctx, check_port(ctx, p, ports, i));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic", (5 * n * m + 2 * m * m) * sizeof(poy_c128), &memory));
    poy_c128 *incident = memory, *scattered = incident + 2 * n * m, *side = scattered + 2 * n * m, *both = side + n * m;
    POYI_TO_DONE(ctx, illuminate(ctx, c, ports, side, incident));
    POYI_TO_DONE(ctx, poyi_factor_apply(ctx, p->factor, 0, 2 * m, incident, scattered));
    POYI_TO_DONE(ctx, poyi_smatrix_new(ctx, &stage, &c->embedding.medium, &c->embedding.medium, out));
    for (int o = 0; o < 2; o++) {
        POYI_TO_DONE(ctx, poy_op_radiate(ctx, &c->embedding, ports, o ? POY_DOWN : POY_UP, c->basis,
                                         poy_lattice_measure(&p->bloch.lattice), side));
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)m, (int64_t)(2 * m), (int64_t)n, 1.0, side, scattered, 0.0, both);
        for (size_t i = 0; i < m; i++)
            for (int d = 0; d < 2; d++) {
                poy_c128 *row = poyi_block(*out, o, d) + i * m;
                memcpy(row, both + (2 * i + (size_t)d) * m, m * sizeof *row);
                row[i].re += o == d;
            }
    }
done:
    poyi_free(&memory);
    if (status != POY_OK)
        poy_smatrix_destroy(out);
    return status;
}

/* ---- chains ---- */

poy_status poy_periodic_to_cylindrical(poy_ctx *ctx, const poy_periodic *p, poy_basis *basis, poy_tmatrix **out)
{
    poy_status status;
    void *memory = NULL;
    const poy_cluster *c = p->factor->cluster;
    const size_t n = c->n, m = basis->size;
    const double period = fabs(p->bloch.lattice.a[0]);
    *out = NULL;
    if (c->basis->kind != POY_BASIS_SPHERICAL || p->bloch.lattice.dim != 1 || basis->kind != POY_BASIS_CYLINDRICAL)
        return POYI_FAIL(
            ctx, POY_ERR_UNSUPPORTED,
            "cylindrical waves of a %d-dimensional lattice of %s waves: a chain of spherical waves has them",
            p->bloch.lattice.dim, poyi_basis_kind_name(c->basis->kind));
    for (size_t i = 0; i < m; i++) {
        const double turns = (basis->modes[i].kz - p->bloch.kpar[0]) * period / (2.0 * POYI_PI);
        if (fabs(turns - round(turns)) > 1e-9 * (1.0 + fabs(turns)))
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "chain: kz = %.17g of mode %zu is %.12g periods from kpar; it radiates at whole numbers of them",
                basis->modes[i].kz, i, turns);
    }
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic", 3 * n * m * sizeof(poy_c128), &memory));
    poy_c128 *regular = memory, *scattered = regular + n * m, *radiated = scattered + n * m;
    POYI_TO_DONE(ctx, poyi_tmatrix_new(ctx, &c->embedding, basis, out));
    POYI_TO_DONE(ctx, poy_op_expand(ctx, &c->embedding, c->basis, POY_REGULAR, basis, POY_REGULAR, regular));
    POYI_TO_DONE(ctx, poyi_factor_apply(ctx, p->factor, 0, m, regular, scattered));
    POYI_TO_DONE(ctx, poy_op_radiate(ctx, &c->embedding, basis, POY_SINGULAR, c->basis, period, radiated));
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)m, (int64_t)m, (int64_t)n, 1.0, radiated, scattered, 0.0, (*out)->values);
done:
    poyi_free(&memory);
    if (status != POY_OK)
        poy_tmatrix_destroy(out);
    return status;
}

/* ---- fields ---- */

/* Fields of all images in a point, each stride numbers after the one before, from the lowest regular waves about it: only these do
 * not vanish there. */
static poy_status sample_one(poy_ctx *ctx, const poy_periodic *p, const poy_c128 *scattered, size_t n_fields,
                             const poy_wave_field *fields, int pol, const double *point, size_t stride, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    poy_basis *local = NULL;
    const poy_cluster *c = p->factor->cluster;
    if (c->basis->kind == POY_BASIS_SPHERICAL) {
        POYI_TO_DONE(ctx, poy_basis_sw_default(ctx, 1, 1, point, &local));
    } else {
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.periodic", 2 * c->n * sizeof(double), &memory));
        const size_t labels = poyi_axial_labels(c->basis, c->basis, memory);
        POYI_TO_DONE(ctx, poy_basis_cw_default(ctx, labels, memory, 1, 1, point, &local));
        poyi_free(&memory);
    }
    const size_t m = local->size;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.periodic", (m * c->n + m) * sizeof(poy_c128), &memory));
    poy_c128 *matrix = memory, *a = matrix + m * c->n;
    POYI_TO_DONE(ctx, poy_op_expand_lattice(ctx, &c->embedding, &p->bloch.lattice, p->bloch.kpar, p->bloch.eta, local,
                                            c->basis, matrix));
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)m, 1, (int64_t)c->n, 1.0, matrix, scattered, 0.0, a);
    for (size_t i = 0; i < n_fields; i++)
        POYI_TO_DONE(ctx, poy_wave_sample(ctx, &c->embedding, local, POY_REGULAR, a, fields[i], pol, 1, point,
                                          out + i * stride));
done:
    poy_basis_destroy(&local);
    poyi_free(&memory);
    return status;
}

/* The centre of a particle or of an image, to rounding. */
static int in_a_centre(const poy_periodic *p, const poy_lattice *dual, const double *point)
{
    const poy_basis *b = p->factor->cluster->basis;
    const poy_lattice *l = &p->bloch.lattice;
    const int spheres = b->kind == POY_BASIS_SPHERICAL, first = spheres && l->dim == 1 ? 2 : 0;
    for (size_t i = 0; i < b->n_positions; i++) {
        double d[3], rest = 0.0, size = 0.0;
        for (int c = 0; c < 3; c++) {
            d[c] = point[c] - b->positions[3 * i + (size_t)c];
            size += fabs(point[c]) + fabs(b->positions[3 * i + (size_t)c]);
        }
        for (int row = 0; row < l->dim; row++) {
            double turns = 0.0;
            for (int c = 0; c < l->dim && first + c < 3; c++)
                turns += d[first + c] * dual->a[row * l->dim + c] / (2.0 * POYI_PI);
            for (int c = 0; c < l->dim && first + c < 3; c++)
                d[first + c] -= round(turns) * l->a[row * l->dim + c];
        }
        for (int c = 0; c < (spheres ? 3 : 2); c++)
            rest += fabs(d[c]);
        if (rest <= 8.0 * 0x1p-52 * size)
            return 1;
    }
    return 0;
}

poy_status poy_periodic_sample(poy_ctx *ctx, const poy_periodic *p, const poy_c128 *scattered, poy_wave_field field,
                               int pol, size_t n_points, const double *points, poy_c128 *out)
{
    return poy_periodic_sample_all(ctx, p, scattered, 1, &field, pol, n_points, points, out);
}

poy_status poy_periodic_sample_all(poy_ctx *ctx, const poy_periodic *p, const poy_c128 *scattered, size_t n_fields,
                                   const poy_wave_field *fields, int pol, size_t n_points, const double *points,
                                   poy_c128 *out)
{
    poy_lattice dual;
    POYI_TRY(ctx, poy_lattice_reciprocal(ctx, &p->bloch.lattice, &dual));
    for (size_t i = 0; i < n_points; i++) {
        const double *r = points + 3 * i;
        if (!isfinite(r[0]) || !isfinite(r[1]) || !isfinite(r[2]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "field of an array: point %zu is not finite", i);
        if (in_a_centre(p, &dual, r))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "field of an array: point %zu, (%g, %g, %g), is the centre of a particle or an image", i,
                             r[0], r[1], r[2]);
    }
    for (size_t i = 0; i < n_points; i++)
        POYI_TRY(ctx, sample_one(ctx, p, scattered, n_fields, fields, pol, points + 3 * i, 3 * n_points, out + 3 * i));
    return POY_OK;
}

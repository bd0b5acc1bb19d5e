/* tmatrix.c: T-matrices: made of numbers, of spheres, of cylinders; in other waves, turned, moved. */
#include "scatter/particle/tmatrix.h"

#include <string.h>

#include "record/lapack.h"
#include "scatter/particle/layered_tmatrix.h"

/* ---- the object ---- */

poy_status poyi_tmatrix_new(poy_ctx *ctx, const poy_embedding *embedding, poy_basis *basis, poy_tmatrix **out)
{
    poyi_optics optics;
    void *memory = NULL, *values = NULL;
    size_t bytes;
    const size_t n = poy_basis_size(basis);
    *out = NULL;
    if (poyi_basis_is_plane(basis))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmatrix: %s waves; it needs spherical or cylindrical ones",
                         poyi_basis_kind_name(basis->kind));
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &optics));
    POYI_TRY(ctx, poyi_mul_size(ctx, n, n, &bytes));
    POYI_TRY(ctx, poyi_mul_size(ctx, bytes, sizeof(poy_c128), &bytes));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.tmatrix", bytes, &values));
    const poy_status status = poyi_alloc(ctx, "scatter.tmatrix", sizeof(poy_tmatrix), &memory);
    if (status != POY_OK) {
        poyi_free(&values);
        return status;
    }
    poy_tmatrix *t = memory;
    *t = (poy_tmatrix){
        .references = 1, .embedding = *embedding, .basis = poy_basis_retain(basis), .n = n, .values = values};
    *out = t;
    return POY_OK;
}

poy_tmatrix *poy_tmatrix_retain(poy_tmatrix *t)
{
    if (t)
        atomic_fetch_add(&t->references, 1);
    return t;
}

void poy_tmatrix_destroy(poy_tmatrix **t)
{
    poy_tmatrix *object = *t;
    *t = NULL;
    if (!object || atomic_fetch_sub(&object->references, 1) != 1)
        return;
    void *values = object->values, *memory = object;
    poyi_free(&values);
    poy_basis_destroy(&object->basis);
    poyi_free(&memory);
}

const poy_embedding *poy_tmatrix_embedding(const poy_tmatrix *t)
{
    return &t->embedding;
}

poy_basis *poy_tmatrix_basis(const poy_tmatrix *t)
{
    return t->basis;
}

size_t poy_tmatrix_size(const poy_tmatrix *t)
{
    return t->n;
}

const poy_c128 *poy_tmatrix_values(const poy_tmatrix *t)
{
    return t->values;
}

poy_status poy_tmatrix_create(poy_ctx *ctx, const poy_embedding *embedding, poy_basis *basis, size_t rows, size_t cols,
                              const poy_c128 *t, poy_tmatrix **out)
{
    poy_status status = POY_OK;
    poy_basis *own = NULL;
    if (rows != cols || rows == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmatrix: %zu x %zu values, needs a square matrix", rows, cols);
    if (basis && poy_basis_size(basis) != rows)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmatrix: %zu x %zu values for a basis of %zu modes", rows, cols,
                         poy_basis_size(basis));
    const int lmax = poy_basis_sw_default_lmax(rows, 1);
    if (!basis && (lmax < 1 || lmax > POY_DEGREE_MAX))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "tmatrix: %zu modes are no complete basis, which has 2 lmax (lmax + 2): 6, 16, 30, ...", rows);
    for (size_t i = 0; i < rows * cols; i++)
        if (!isfinite(t[i].re) || !isfinite(t[i].im))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmatrix: element [%zu][%zu] is not finite", i / cols, i % cols);
    if (!basis)
        POYI_TRY(ctx, poy_basis_sw_default(ctx, lmax, 1, NULL, &own));
    POYI_TO_DONE(ctx, poyi_tmatrix_new(ctx, embedding, basis ? basis : own, out));
    memcpy((*out)->values, t, rows * cols * sizeof *t);
done:
    poy_basis_destroy(&own);
    return status;
}

int poyi_embedding_equal(const poy_embedding *a, const poy_embedding *b)
{
    const double p[8] = {a->k0,           a->medium.epsilon.re, a->medium.epsilon.im, a->medium.mu.re,
                         a->medium.mu.im, a->medium.kappa.re,   a->medium.kappa.im,   (double)a->poltype};
    const double q[8] = {b->k0,           b->medium.epsilon.re, b->medium.epsilon.im, b->medium.mu.re,
                         b->medium.mu.im, b->medium.kappa.re,   b->medium.kappa.im,   (double)b->poltype};
    for (int i = 0; i < 8; i++)
        if (p[i] != q[i])
            return 0;
    return 1;
}

/* ---- spheres and cylinders ---- */

/* epsilon, mu, kappa [3][layers + 1] of the particle and its surroundings. */
static void stack_media(size_t layers, const poy_medium *media, const poy_medium *outside, poy_c128 *parts)
{
    for (size_t i = 0; i <= layers; i++) {
        const poy_medium *m = i < layers ? media + i : outside;
        parts[i] = m->epsilon;
        parts[layers + 1 + i] = m->mu;
        parts[2 * (layers + 1) + i] = m->kappa;
    }
}

/* A particle whose T-matrix is that of a layered sphere or cylinder; parts: scratch of 3 (layers + 1). */
static poy_status from_layers(poy_ctx *ctx, const poy_embedding *embedding, poy_basis *basis, poyi_layered_particle *p,
                              const poy_medium *media, poy_tmatrix **out)
{
    poy_status status;
    void *memory = NULL;
    const size_t parts = p->layers + 1;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.tmatrix", 3 * parts * sizeof(poy_c128), &memory));
    stack_media(p->layers, media, &embedding->medium, memory);
    p->epsilon = memory;
    p->mu = p->epsilon + parts;
    p->kappa = p->mu + parts;
    p->k0 = embedding->k0;
    p->poltype = embedding->poltype;
    POYI_TO_DONE(ctx, poyi_tmatrix_new(ctx, embedding, basis, out));
    POYI_TO_DONE(ctx, poyi_layered_tmatrix(ctx, p, (*out)->values));
done:
    if (status != POY_OK)
        poy_tmatrix_destroy(out);
    poyi_free(&memory);
    return status;
}

poy_status poy_tmatrix_sphere(poy_ctx *ctx, const poy_embedding *embedding, int lmax, size_t layers,
                              const double *radii, const poy_medium *media, poy_tmatrix **out)
{
    poy_status status;
    poy_basis *basis = NULL;
    poyi_optics optics;
    poyi_layered_particle p = {.most = lmax, .layers = layers, .radii = radii};
    *out = NULL;
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &optics));
    if (layers < 1 || layers > SIZE_MAX / 256)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmatrix_sphere: %zu layers, needs at least 1", layers);
    POYI_TO_DONE(ctx, poy_basis_sw_default(ctx, lmax, 1, NULL, &basis));
    POYI_TO_DONE(ctx, from_layers(ctx, embedding, basis, &p, media, out));
done:
    poy_basis_destroy(&basis);
    return status;
}

poy_status poy_tmatrix_cylinder(poy_ctx *ctx, const poy_embedding *embedding, size_t n_kz, const double *kz, int mmax,
                                size_t layers, const double *radii, const poy_medium *media, poy_tmatrix **out)
{
    poy_status status;
    poy_basis *basis = NULL;
    poyi_optics optics;
    poyi_layered_particle p = {.cylinder = 1, .most = mmax, .layers = layers, .n_kz = n_kz, .radii = radii, .kz = kz};
    *out = NULL;
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &optics));
    if (layers < 1 || layers > SIZE_MAX / 256)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmatrix_cylinder: %zu layers, needs at least 1", layers);
    POYI_TO_DONE(ctx, poy_basis_cw_default(ctx, n_kz, kz, mmax, 1, NULL, &basis));
    POYI_TO_DONE(ctx, from_layers(ctx, embedding, basis, &p, media, out));
done:
    poy_basis_destroy(&basis);
    return status;
}

/* ---- helicity and parity ---- */

poy_status poyi_pol_partners(poy_ctx *ctx, const poy_basis *basis, size_t *partner)
{
    for (size_t i = 0; i < basis->size; i++) {
        poy_wave_mode other = basis->modes[i];
        other.pol = 1 - other.pol;
        const int64_t at = poy_basis_find(basis, &other);
        if (at < 0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "changepoltype: mode %zu has no partner of the other polarisation in its basis", i);
        partner[i] = (size_t)at;
    }
    return POY_OK;
}

void poyi_change_pol_columns(size_t n, size_t columns, const poy_basis *basis, const size_t *partner, poy_c128 *a)
{
    const double root = sqrt(0.5);
    for (size_t i = 0; i < n; i++) {
        if (basis->modes[i].pol == 1)
            continue;
        poy_c128 *zero = a + i * columns, *one = a + partner[i] * columns;
        for (size_t j = 0; j < columns; j++) {
            const poy_c128 p = zero[j], q = one[j];
            zero[j] = (poy_c128){root * (q.re - p.re), root * (q.im - p.im)};
            one[j] = (poy_c128){root * (p.re + q.re), root * (p.im + q.im)};
        }
    }
}

void poyi_change_pol_matrix(size_t n, const poy_basis *basis, const size_t *partner, poy_c128 *m)
{
    for (size_t i = 0; i < n;
         i++) { /* both sides of each block in one step: sums and differences are exact for c00 = c11 */
        if (basis->modes[i].pol == 1)
            continue;
        poy_c128 *row0 = m + i * n, *row1 = m + partner[i] * n;
        for (size_t j = 0; j < n; j++) {
            if (basis->modes[j].pol == 1)
                continue;
            const size_t k = partner[j];
            const double complex a = poyi_c(row0[j]), b = poyi_c(row0[k]), c = poyi_c(row1[j]), d = poyi_c(row1[k]);
            row0[j] = poyi_pair(0.5 * ((a + d) - (b + c)));
            row0[k] = poyi_pair(0.5 * ((d - a) + (c - b)));
            row1[j] = poyi_pair(0.5 * ((d - a) - (c - b)));
            row1[k] = poyi_pair(0.5 * ((a + d) + (b + c)));
        }
    }
}

poy_status poy_tmatrix_changepoltype(poy_ctx *ctx, const poy_tmatrix *t, poy_poltype poltype, poy_tmatrix **out)
{
    poy_status status;
    void *memory = NULL;
    poy_embedding embedding = t->embedding;
    embedding.poltype = poltype;
    POYI_TRY(ctx, poyi_tmatrix_new(ctx, &embedding, t->basis, out));
    memcpy((*out)->values, t->values, t->n * t->n * sizeof *t->values);
    if (poltype == t->embedding.poltype)
        return POY_OK;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.tmatrix", t->n * sizeof(size_t), &memory));
    POYI_TO_DONE(ctx, poyi_pol_partners(ctx, t->basis, memory));
    poyi_change_pol_matrix(t->n, t->basis, memory, (*out)->values);
done:
    poyi_free(&memory);
    if (status != POY_OK)
        poy_tmatrix_destroy(out);
    return status;
}

/* ---- other waves ---- */

/* left[rows][n] T right[n][rows] in a basis of rows modes. */
static poy_status sandwich(poy_ctx *ctx, const poy_tmatrix *t, poy_basis *basis, const poy_c128 *left,
                           const poy_c128 *right, poy_tmatrix **out)
{
    poy_status status;
    void *memory = NULL;
    const size_t rows = poy_basis_size(basis);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.tmatrix", rows * t->n * sizeof(poy_c128), &memory));
    POYI_TO_DONE(ctx, poyi_tmatrix_new(ctx, &t->embedding, basis, out));
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)rows, (int64_t)t->n, (int64_t)t->n, 1.0, left, t->values, 0.0, memory);
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)rows, (int64_t)rows, (int64_t)t->n, 1.0, memory, right, 0.0, (*out)->values);
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_tmatrix_in_basis(poy_ctx *ctx, const poy_tmatrix *t, poy_basis *basis, poy_tmatrix **out)
{
    poy_status status;
    void *memory = NULL;
    const size_t rows = poy_basis_size(basis);
    *out = NULL;
    if (basis->kind != t->basis->kind)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "tmatrix of %s waves in %s waves",
                         poyi_basis_kind_name(t->basis->kind), poyi_basis_kind_name(basis->kind));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.tmatrix", 2 * rows * t->n * sizeof(poy_c128), &memory));
    poy_c128 *left = memory, *right = left + rows * t->n;
    POYI_TO_DONE(ctx, poy_op_expand(ctx, &t->embedding, basis, POY_REGULAR, t->basis, POY_REGULAR, left));
    POYI_TO_DONE(ctx, poy_op_expand(ctx, &t->embedding, t->basis, POY_REGULAR, basis, POY_REGULAR, right));
    POYI_TO_DONE(ctx, sandwich(ctx, t, basis, left, right, out));
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_tmatrix_rotate(poy_ctx *ctx, const poy_tmatrix *t, const double angles[3], poy_tmatrix **out)
{
    poy_status status;
    void *memory = NULL;
    const double back[3] = {-angles[2], -angles[1], -angles[0]};
    *out = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.tmatrix", 2 * t->n * t->n * sizeof(poy_c128), &memory));
    poy_c128 *left = memory, *right = left + t->n * t->n;
    POYI_TO_DONE(ctx, poy_op_rotate(ctx, angles, t->basis, t->basis, left));
    POYI_TO_DONE(ctx, poy_op_rotate(ctx, back, t->basis, t->basis, right));
    POYI_TO_DONE(ctx, sandwich(ctx, t, t->basis, left, right, out));
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_tmatrix_translate(poy_ctx *ctx, const poy_tmatrix *t, const double r[3], poy_tmatrix **out)
{
    poy_status status;
    void *memory = NULL;
    const double back[3] = {-r[0], -r[1], -r[2]};
    *out = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.tmatrix", 2 * t->n * t->n * sizeof(poy_c128), &memory));
    poy_c128 *left = memory, *right = left + t->n * t->n;
    POYI_TO_DONE(ctx, poy_op_translate(ctx, &t->embedding, r, t->basis, t->basis, POY_REGULAR, left));
    POYI_TO_DONE(ctx, poy_op_translate(ctx, &t->embedding, back, t->basis, t->basis, POY_REGULAR, right));
    POYI_TO_DONE(ctx, sandwich(ctx, t, t->basis, left, right, out));
done:
    poyi_free(&memory);
    return status;
}

/* cluster.c: particles at their places, without interaction yet. */
#include "scatter/cluster/cluster.h"

#include <stdlib.h>
#include <string.h>

/* A point by coordinates, for finding equal ones. */
static int by_position(const void *a, const void *b)
{
    const double *p = *(const double *const *)a, *q = *(const double *const *)b;
    for (int i = 0; i < 3; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return p < q ? -1 : p > q;
}

static poy_status check_positions(poy_ctx *ctx, size_t n, const double *positions)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", n * sizeof(double *), &memory));
    const double **sorted = memory;
    for (size_t i = 0; i < n; i++) {
        const double *p = sorted[i] = positions + 3 * i;
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
            status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cluster: position %zu is (%g, %g, %g), needs finite numbers", i,
                               p[0], p[1], p[2]);
            goto done;
        }
    }
    qsort(sorted, n, sizeof *sorted, by_position);
    for (size_t i = 1; i < n; i++) {
        const double *p = sorted[i - 1], *q = sorted[i];
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2]) {
            status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cluster: particles %zu and %zu have one centre, (%g, %g, %g)",
                               (size_t)(p - positions) / 3, (size_t)(q - positions) / 3, p[0], p[1], p[2]);
            goto done;
        }
    }
done:
    poyi_free(&memory);
    return status;
}

/* Axes of cylinders coincide where x and y do. */
static poy_status check_axes(poy_ctx *ctx, size_t n, const double *positions)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (positions[3 * i] == positions[3 * j] && positions[3 * i + 1] == positions[3 * j + 1])
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cluster: cylinders %zu and %zu have one axis, (%g, %g)", j, i,
                                 positions[3 * i], positions[3 * i + 1]);
    return POY_OK;
}

static poy_status check_particles(poy_ctx *ctx, size_t n, poy_tmatrix *const *particles, size_t n_positions)
{
    if (n == 0 || n != n_positions)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cluster: %zu T-matrices at %zu positions, needs as many, at least 1",
                         n, n_positions);
    for (size_t i = 0; i < n; i++) {
        if (!poy_basis_is_global(particles[i]->basis))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "cluster: T-matrix %zu has several origins; put it in waves of one first", i);
        if (!poyi_embedding_equal(&particles[i]->embedding, &particles[0]->embedding))
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "cluster: T-matrix %zu is of another k0, medium or poltype than T-matrix 0 (k0 %.17g and %.17g)", i,
                particles[i]->embedding.k0, particles[0]->embedding.k0);
        if (particles[i]->basis->kind != particles[0]->basis->kind)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cluster: T-matrix %zu has %s waves, T-matrix 0 has %s ones", i,
                             poyi_basis_kind_name(particles[i]->basis->kind),
                             poyi_basis_kind_name(particles[0]->basis->kind));
    }
    return POY_OK;
}

/* All modes, particle after particle. */
static poy_status joint_basis(poy_ctx *ctx, const poy_cluster *c, const double *positions, poy_basis **out)
{
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", c->n * sizeof(poy_wave_mode), &memory));
    poy_wave_mode *modes = memory;
    for (size_t i = 0; i < c->particles; i++)
        for (size_t j = 0; j < c->particle[i]->n; j++) {
            modes[c->offset[i] + j] = c->particle[i]->basis->modes[j];
            modes[c->offset[i] + j].particle = (int32_t)i;
        }
    const poy_status status = c->particle[0]->basis->kind == POY_BASIS_SPHERICAL
                                  ? poy_basis_sw_create(ctx, c->n, modes, c->particles, positions, out)
                                  : poy_basis_cw_create(ctx, c->n, modes, c->particles, positions, out);
    poyi_free(&memory);
    return status;
}

poy_status poy_cluster_create(poy_ctx *ctx, size_t n, poy_tmatrix *const *particles, size_t n_positions,
                              const double *positions, poy_cluster **out)
{
    void *memory = NULL;
    *out = NULL;
    POYI_TRY(ctx, check_particles(ctx, n, particles, n_positions));
    POYI_TRY(ctx, check_positions(ctx, n, positions));
    if (particles[0]->basis->kind == POY_BASIS_CYLINDRICAL)
        POYI_TRY(ctx, check_axes(ctx, n, positions));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster",
                             sizeof(poy_cluster) + (n + 1) * sizeof(size_t) + n * sizeof(poy_tmatrix *), &memory));
    poy_cluster *c = memory;
    *c = (poy_cluster){.references = 1, .embedding = particles[0]->embedding, .particles = n};
    c->particle = (poy_tmatrix **)(void *)(c + 1);
    c->offset = (size_t *)(void *)(c->particle + n);
    c->offset[0] = 0;
    for (size_t i = 0; i < n; i++) {
        c->particle[i] = poy_tmatrix_retain(particles[i]);
        c->offset[i + 1] = c->offset[i] + particles[i]->n;
    }
    c->n = c->offset[n];
    const poy_status status = joint_basis(ctx, c, positions, &c->basis);
    if (status != POY_OK)
        poy_cluster_destroy(&c);
    *out = c;
    return status;
}

poy_cluster *poy_cluster_retain(poy_cluster *c)
{
    if (c)
        atomic_fetch_add(&c->references, 1);
    return c;
}

void poy_cluster_destroy(poy_cluster **c)
{
    poy_cluster *object = *c;
    *c = NULL;
    if (!object || atomic_fetch_sub(&object->references, 1) != 1)
        return;
    void *memory = object;
    for (size_t i = 0; i < object->particles; i++)
        poy_tmatrix_destroy(&object->particle[i]);
    poy_basis_destroy(&object->basis);
    poyi_free(&memory);
}

poy_basis *poy_cluster_basis(const poy_cluster *c)
{
    return c->basis;
}

const poy_embedding *poy_cluster_embedding(const poy_cluster *c)
{
    return &c->embedding;
}

poy_status poy_cluster_local(poy_ctx *ctx, const poy_cluster *c, poy_tmatrix **out)
{
    POYI_TRY(ctx, poyi_tmatrix_new(ctx, &c->embedding, c->basis, out));
    for (size_t i = 0; i < c->particles; i++)
        for (size_t row = 0; row < c->particle[i]->n; row++)
            memcpy((*out)->values + (c->offset[i] + row) * c->n + c->offset[i],
                   c->particle[i]->values + row * c->particle[i]->n, c->particle[i]->n * sizeof(poy_c128));
    return POY_OK;
}

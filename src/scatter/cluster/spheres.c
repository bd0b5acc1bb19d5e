/* spheres.c: cross sections of clusters of spheres as functions of all their parameters. */
#include "scatter/cluster/spheres.h"

#include <string.h>

#include "record/lapack.h"
#include "scatter/cluster/cross_section.h"
#include "scatter/cluster/far_field.h"

/* ---- parts ---- */

poyi_layered_particle poyi_spheres_particle(const poy_spheres *s, size_t i, poy_c128 *media)
{
    const size_t parts = s->layers + 1;
    for (size_t j = 0; j < parts; j++) {
        const poy_medium *m = j < s->layers ? s->media + i * s->layers + j : &s->embedding.medium;
        media[j] = m->epsilon;
        media[parts + j] = m->mu;
        media[2 * parts + j] = m->kappa;
    }
    return (poyi_layered_particle){.most = s->lmax,
                                   .poltype = s->embedding.poltype,
                                   .layers = s->layers,
                                   .k0 = s->embedding.k0,
                                   .radii = s->radii + i * s->layers,
                                   .epsilon = media,
                                   .mu = media + parts,
                                   .kappa = media + 2 * parts};
}

poy_status poyi_spheres_cluster(poy_ctx *ctx, const poy_spheres *s, poy_cluster **out)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    size_t made = 0;
    if (s->n == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spheres: none, needs at least 1");
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.cluster", s->n * sizeof(poy_tmatrix *), &memory));
    poy_tmatrix **particles = memory;
    for (; made < s->n; made++)
        POYI_TO_DONE(ctx, poy_tmatrix_sphere(ctx, &s->embedding, s->lmax, s->layers, s->radii + made * s->layers,
                                             s->media + made * s->layers, particles + made));
    POYI_TO_DONE(ctx, poy_cluster_create(ctx, s->n, particles, s->n, s->positions, out));
done:
    for (size_t i = 0; i < made; i++)
        poy_tmatrix_destroy(particles + i);
    poyi_free(&memory);
    return status;
}

static poy_status set_wave(poy_ctx *ctx, const double direction[3], poyi_spheres_solved *v)
{
    double length;
    POYI_TRY(ctx, poyi_direction_check(ctx, "spheres", 0, direction, &length));
    for (int i = 0; i < 3; i++) {
        v->direction[i] = direction[i] / length;
        for (int pol = 0; pol < 2; pol++)
            v->vectors[3 * pol + i] = poyi_pair(v->optics.ks[pol] * v->direction[i]);
    }
    return POY_OK;
}

poyi_expansion poyi_spheres_expansion(const poyi_spheres_solved *v, int singular)
{
    return (poyi_expansion){.destination = v->basis,
                            .source = v->basis,
                            .ks = {poyi_pair(v->optics.ks[0]), poyi_pair(v->optics.ks[1])},
                            .poltype = v->call->spheres->embedding.poltype,
                            .singular = singular};
}

/* ---- the value ---- */

static size_t modes_of(size_t spheres, int lmax)
{
    return spheres * poy_basis_sw_default_size(lmax, 1);
}

size_t poyi_spheres_state_bytes(size_t spheres, int lmax)
{
    return poyi_factor_bytes(modes_of(spheres, lmax), spheres) + 3 * modes_of(spheres, lmax) * sizeof(poy_c128);
}

/* a = sum over pol of amplitude times the plane wave's coefficients. */
static poy_status illuminate(poy_ctx *ctx, poyi_spheres_solved *v)
{
    static const int pols[2] = {0, 1};
    void *memory = NULL;
    const poyi_incidence incidence = {v->basis, 2, v->vectors, pols, v->call->spheres->embedding.poltype};
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", 2 * v->n * sizeof(poy_c128), &memory));
    const poy_status status = poyi_incidence_value(ctx, &incidence, memory);
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)v->n, 1, 2, 1.0, memory, v->call->amplitude, 0.0, v->incident);
    poyi_free(&memory);
    return status;
}

static poy_status solve(poy_ctx *ctx, void *state, poyi_spheres_solved *v)
{
    poy_status status;
    void *memory = NULL;
    size_t bytes;
    POYI_TRY(ctx, poyi_mul_size(ctx, v->n * sizeof(poy_c128), v->n, &bytes));
    POYI_TO_DONE(ctx, illuminate(ctx, v));
    if (poyi_spheres_single(v)) {
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)v->n, 1, (int64_t)v->n, 1.0, v->cluster->particle[0]->values,
                  v->incident, 0.0, v->scattered);
        memcpy(v->weighted, v->scattered, v->n * sizeof *v->weighted);
        return POY_OK;
    }
    POYI_TO_DONE(ctx, poyi_factor_create(ctx, v->cluster, POYI_ROUTE_AUTOMATIC, state, &v->factor));
    POYI_TO_DONE(ctx, poyi_factor_apply(ctx, v->factor, 0, 1, v->incident, v->scattered));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.cluster", bytes, &memory));
    const poyi_expansion regular = poyi_spheres_expansion(v, 0);
    POYI_TO_DONE(ctx, poyi_expansion_value(ctx, &regular, memory));
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)v->n, 1, (int64_t)v->n, 1.0, memory, v->scattered, 0.0, v->weighted);
done:
    poyi_free(&memory);
    return status;
}

static poy_status open_state(poy_ctx *ctx, const poyi_spheres_call *call, int restore, void *state,
                             poyi_spheres_solved *v)
{
    poy_status status;
    *v = (poyi_spheres_solved){.call = call, .wanted = POYI_WANT_ALL};
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "spheres", &call->spheres->embedding, &v->optics));
    POYI_TRY(ctx, set_wave(ctx, call->direction, v));
    POYI_TO_DONE(ctx, poyi_spheres_cluster(ctx, call->spheres, &v->cluster));
    v->basis = v->cluster->basis;
    v->n = v->cluster->n;
    v->incident = (poy_c128 *)(void *)((unsigned char *)state + poyi_factor_bytes(v->n, call->spheres->n));
    v->scattered = v->incident + v->n;
    v->weighted = v->scattered + v->n;
    if (restore && !poyi_spheres_single(v))
        POYI_TO_DONE(ctx, poyi_factor_restore(ctx, v->cluster, state, &v->factor));
    else if (!restore)
        POYI_TO_DONE(ctx, solve(ctx, state, v));
done:
    if (status != POY_OK)
        poyi_spheres_close(v);
    return status;
}

poy_status poyi_spheres_open(poy_ctx *ctx, const poyi_spheres_call *call, void *state, poyi_spheres_solved *v)
{
    POYI_TRY(ctx, open_state(ctx, call, 0, state, v));
    return POY_OK;
}

poy_status poyi_spheres_restore(poy_ctx *ctx, const poyi_spheres_call *call, const void *state, poyi_spheres_solved *v)
{
    void *same; /* without const: it is only read */
    memcpy(&same, &state, sizeof same);
    POYI_TRY(ctx, open_state(ctx, call, 1, same, v));
    return POY_OK;
}

void poyi_spheres_close(poyi_spheres_solved *v)
{
    poy_factor_destroy(&v->factor);
    poy_cluster_destroy(&v->cluster);
}

poyi_power poyi_spheres_power(const poyi_spheres_solved *v)
{
    return (poyi_power){.basis = v->basis,
                        .ks = {creal(v->optics.ks[0]), creal(v->optics.ks[1])},
                        .scale = 1.0, /* 0.5 / flux of amplitude 1 */
                        .incident = v->incident,
                        .scattered = v->scattered,
                        .weighted = v->weighted};
}

void poyi_spheres_sums(const poyi_spheres_solved *v, double out[2])
{
    const poyi_power power = poyi_spheres_power(v);
    poyi_power_sums(&power, out);
}

poy_status poy_spheres_cross_sections(poy_ctx *ctx, const poy_spheres *s, const poy_plane_incidence *wave,
                                      poy_cross_sections *out, const double weight[3], poy_spheres_gradient *gradient)
{
    poy_status status;
    void *state = NULL;
    poyi_spheres_solved v = {0};
    poyi_spheres_call call = {.spheres = s};
    double sums[2];
    memcpy(call.direction, wave->direction, sizeof call.direction);
    if (wave->pol != 0 && wave->pol != 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spheres: pol = %d, needs 0 or 1", wave->pol);
    if (s->lmax < 1 || s->lmax > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spheres: lmax = %d, needs 1 to %d", s->lmax, POY_DEGREE_MAX);
    call.amplitude[wave->pol].re = 1.0;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", poyi_spheres_state_bytes(s->n, s->lmax), &state));
    POYI_TO_DONE(ctx, poyi_spheres_open(ctx, &call, state, &v));
    poyi_spheres_sums(&v, sums);
    if (gradient) {
        const double g[2] = {weight[0] - weight[2], weight[1] + weight[2]};
        POYI_TO_DONE(ctx, poyi_spheres_pull(ctx, &v, g, gradient, NULL));
    }
    *out = (poy_cross_sections){sums[0], sums[1], sums[1] - sums[0]};
done:
    poyi_spheres_close(&v);
    poyi_free(&state);
    return status;
}

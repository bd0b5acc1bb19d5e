/* spheres.c: cross sections of clusters of spheres and their gradients by all parameters: one factorisation, one adjoint
 * solution, whatever their number. */
#include "poynting/spheres.h"

#include <string.h>

#include "record/lapack.h"
#include "scatter/cluster/cross_section.h"
#include "scatter/cluster/interaction_diff.h"
#include "scatter/particle/layered_tmatrix.h"
#include "scatter/waves/diff.h"
#include "scatter/waves/plane_coupling.h"

/* What the value leaves for the gradient. */
typedef struct solved {
    const poy_spheres *spheres;
    poyi_optics optics;
    poy_cluster *cluster;
    poy_factor *factor;
    const poy_basis *basis;
    size_t n;
    int pol;
    double direction[3];                       /* unit */
    poy_c128 vector[3];                        /* k direction */
    poy_c128 *incident, *scattered, *weighted; /* [n]; a, p, C_reg p */
    poy_c128 *coupling, *overlap;              /* [n][n]: C singular, C regular */
    void *memory;
} solved;

/* ---- the value ---- */

static poy_status make_cluster(poy_ctx *ctx, const poy_spheres *s, poy_cluster **out)
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

static poy_status set_wave(poy_ctx *ctx, const poy_plane_incidence *wave, solved *v)
{
    const double length = hypot(hypot(wave->direction[0], wave->direction[1]), wave->direction[2]);
    if (!(length > 0.0) || !isfinite(length))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spheres: direction (%g, %g, %g), needs a finite one that is not 0",
                         wave->direction[0], wave->direction[1], wave->direction[2]);
    if (wave->pol != 0 && wave->pol != 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spheres: pol = %d, needs 0 or 1", wave->pol);
    v->pol = wave->pol;
    for (int i = 0; i < 3; i++) {
        v->direction[i] = wave->direction[i] / length;
        v->vector[i] = poyi_pair(v->optics.ks[wave->pol] * v->direction[i]);
    }
    return POY_OK;
}

static poyi_incidence incidence_of(const solved *v)
{
    return (poyi_incidence){v->basis, 1, v->vector, &v->pol, v->spheres->embedding.poltype};
}

static poyi_expansion expansion_of(const solved *v, int singular)
{
    return (poyi_expansion){.destination = v->basis,
                            .source = v->basis,
                            .ks = {poyi_pair(v->optics.ks[0]), poyi_pair(v->optics.ks[1])},
                            .poltype = v->spheres->embedding.poltype,
                            .singular = singular};
}

static void release(solved *v)
{
    poyi_free(&v->memory);
    poy_factor_destroy(&v->factor);
    poy_cluster_destroy(&v->cluster);
}

static poy_status solve(poy_ctx *ctx, const poy_spheres *s, const poy_plane_incidence *wave, solved *v)
{
    poy_status status;
    size_t bytes;
    *v = (solved){.spheres = s};
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "spheres", &s->embedding, &v->optics));
    POYI_TRY(ctx, set_wave(ctx, wave, v));
    POYI_TO_DONE(ctx, make_cluster(ctx, s, &v->cluster));
    v->basis = v->cluster->basis;
    v->n = v->cluster->n;
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, 2 * v->n + 3, v->n, &bytes));
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, bytes, sizeof(poy_c128), &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.cluster", bytes, &v->memory));
    v->coupling = v->memory;
    v->overlap = v->coupling + v->n * v->n;
    v->incident = v->overlap + v->n * v->n;
    v->scattered = v->incident + v->n;
    v->weighted = v->scattered + v->n;
    const poyi_incidence incidence = incidence_of(v);
    const poyi_expansion regular = expansion_of(v, 0);
    POYI_TO_DONE(ctx, poy_factor_create(ctx, v->cluster, &v->factor));
    POYI_TO_DONE(ctx, poyi_incidence_value(ctx, &incidence, v->incident));
    POYI_TO_DONE(ctx, poyi_factor_apply(ctx, v->factor, 0, 1, v->incident, v->scattered));
    POYI_TO_DONE(ctx, poyi_expansion_value(ctx, &regular, v->overlap));
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)v->n, 1, (int64_t)v->n, 1.0, v->overlap, v->scattered, 0.0, v->weighted);
done:
    if (status != POY_OK)
        release(v);
    return status;
}

/* sum over modes of one pol of Re p_i^* (C p)_i / k^2 and -Re a_i^* p_i / k^2 */
static void sums(const solved *v, int pol, double *scattering, double *extinction)
{
    *scattering = *extinction = 0.0;
    for (size_t i = 0; i < v->n; i++) {
        const double w = poyi_power_weight(&v->optics, v->basis, i);
        const poy_c128 a = v->incident[i], p = v->scattered[i], c = v->weighted[i];
        if (v->basis->modes[i].pol != pol)
            continue;
        *scattering += w * (p.re * c.re + p.im * c.im);
        *extinction -= w * (a.re * p.re + a.im * p.im);
    }
}

/* ---- the gradient ---- */

/* Cotangents on the way back. */
typedef struct back {
    double scattering, extinction; /* of the cross sections */
    double complex ks[2];
    poy_c128 *g_scattered, *g_incident; /* [n] */
    poy_c128 *g_matrix;                 /* [n][n], of the two expansions one after the other */
    poy_c128 *g_blocks;
    void *memory;
} back;

/* From the cross sections to p, a, C_reg and the weights 1 / k^2. */
static void through_sums(const solved *v, back *b)
{
    const size_t n = v->n;
    for (int pol = 0; pol < 2; pol++) {
        double scattering, extinction;
        sums(v, pol, &scattering, &extinction);
        b->ks[pol] += -2.0 / creal(v->optics.ks[pol]) * (b->scattering * scattering + b->extinction * extinction);
    }
    for (size_t j = 0; j < n; j++) { /* C^H W p */
        b->g_incident[j] = (poy_c128){0.0, 0.0};
        b->g_scattered[j] = (poy_c128){b->scattering * poyi_power_weight(&v->optics, v->basis, j) * v->scattered[j].re,
                                       b->scattering * poyi_power_weight(&v->optics, v->basis, j) * v->scattered[j].im};
    }
    poyi_gemm(POY_C128, 'c', 'n', (int64_t)n, 1, (int64_t)n, 1.0, v->overlap, b->g_scattered, 0.0, b->g_incident);
    for (size_t i = 0; i < n; i++) {
        const double w = poyi_power_weight(&v->optics, v->basis, i), ws = w * b->scattering, we = w * b->extinction;
        b->g_scattered[i] = (poy_c128){b->g_incident[i].re + ws * v->weighted[i].re - we * v->incident[i].re,
                                       b->g_incident[i].im + ws * v->weighted[i].im - we * v->incident[i].im};
        b->g_incident[i] = (poy_c128){-we * v->scattered[i].re, -we * v->scattered[i].im};
        for (size_t j = 0; j < n; j++) /* of C_reg */
            b->g_matrix[i * n + j] = poyi_pair(ws * poyi_c(v->scattered[i]) * conj(poyi_c(v->scattered[j])));
    }
}

static poy_status through_expansion(poy_ctx *ctx, const solved *v, int singular, back *b, double *g_positions)
{
    poy_status status;
    void *memory = NULL;
    poy_c128 ks[2];
    const size_t count = 3 * v->spheres->n;
    const poyi_expansion e = expansion_of(v, singular);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", 2 * count * sizeof(double), &memory));
    double *to = memory, *from = to + count;
    const poyi_expansion_inputs g = {.destination = to, .source = from, .ks = ks};
    POYI_TO_DONE(ctx, poyi_expansion_pullback(ctx, &e, b->g_matrix, &g));
    for (size_t i = 0; i < count; i++)
        g_positions[i] += to[i] + from[i];
    b->ks[0] += poyi_c(ks[0]);
    b->ks[1] += poyi_c(ks[1]);
done:
    poyi_free(&memory);
    return status;
}

static poy_status through_incidence(poy_ctx *ctx, const solved *v, back *b, double *g_positions)
{
    poy_c128 g_vector[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    const poyi_plane_call call = {.multipoles = v->basis,
                                  .n = 1,
                                  .vectors = v->vector,
                                  .pol = &v->pol,
                                  .poltype = v->spheres->embedding.poltype,
                                  .task = POYI_EXPAND_PULLBACK,
                                  .g_out = b->g_incident,
                                  .fixed_directions = 1, /* the length alone moves */
                                  .g_positions = g_positions,
                                  .g_vectors = g_vector};
    POYI_TRY(ctx, poyi_plane_coupling(ctx, &call));
    for (int i = 0; i < 3; i++)
        b->ks[v->pol] += v->direction[i] * poyi_c(g_vector[i]);
    return POY_OK;
}

/* Sphere i as a function of its parameters; media: scratch [3][layers + 1]. */
static poyi_layered_particle sphere_of(const poy_spheres *s, size_t i, poy_c128 *media)
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

static poy_status through_spheres(poy_ctx *ctx, const solved *v, const back *b, poy_spheres_gradient *g)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    const poy_spheres *s = v->spheres;
    const size_t parts = s->layers + 1;
    const poyi_layered_particle any = {.most = s->lmax, .layers = s->layers};
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster",
                             (6 * parts + poyi_layered_jacobian_elements(&any)) * sizeof(poy_c128), &memory));
    poy_c128 *media = memory, *g_media = media + 3 * parts, *jacobian = g_media + 3 * parts;
    const poy_c128 *block = b->g_blocks;
    memset(g->radii, 0, s->n * s->layers * sizeof *g->radii);
    for (size_t i = 0; i < s->n; i++) {
        const poyi_layered_particle p = sphere_of(s, i, media);
        const poyi_layered_inputs into = {.k0 = &g->k0,
                                          .radii = g->radii + i * s->layers,
                                          .epsilon = g_media,
                                          .mu = g_media + parts,
                                          .kappa = g_media + 2 * parts};
        memset(g_media, 0, 3 * parts * sizeof *g_media);
        POYI_TO_DONE(ctx, poyi_layered_jacobian(ctx, &p, jacobian));
        POYI_TO_DONE(ctx, poyi_layered_pull(ctx, &p, jacobian, block, &into));
        for (size_t j = 0; j < s->layers; j++)
            g->media[i * s->layers + j] = (poy_medium){g_media[j], g_media[parts + j], g_media[2 * parts + j]};
        poy_c128 *const sum[3] = {&g->medium.epsilon, &g->medium.mu, &g->medium.kappa};
        for (size_t part = 0; part < 3; part++)
            *sum[part] = poyi_pair(poyi_c(*sum[part]) + poyi_c(g_media[part * parts + s->layers]));
        block += v->cluster->particle[i]->n * v->cluster->particle[i]->n;
    }
done:
    poyi_free(&memory);
    return status;
}

static poy_status pull(poy_ctx *ctx, solved *v, back *b, poy_spheres_gradient *g)
{
    poy_status status;
    const poy_spheres *s = v->spheres;
    const size_t n = v->n, blocks = poyi_cluster_block_elements(v->cluster);
    const poyi_scattered scattered = {v->factor, v->coupling, 1, v->incident, v->scattered};
    const poyi_expansion singular = expansion_of(v, 1);
    poy_c128 ks[2];
    poy_medium medium;
    double k0;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", (n * n + 3 * n + blocks) * sizeof(poy_c128), &b->memory));
    b->g_matrix = b->memory;
    b->g_blocks = b->g_matrix + n * n;
    b->g_scattered = b->g_blocks + blocks;
    b->g_incident = b->g_scattered + n;
    poy_c128 *more = b->g_incident + n;
    memset(g->positions, 0, 3 * s->n * sizeof *g->positions);
    through_sums(v, b);
    POYI_TO_DONE(ctx, through_expansion(ctx, v, 0, b, g->positions));
    POYI_TO_DONE(ctx, poyi_expansion_value(ctx, &singular, v->coupling));
    POYI_TO_DONE(ctx, poyi_scattered_pull(ctx, &scattered, b->g_scattered, b->g_blocks, b->g_matrix, more));
    for (size_t i = 0; i < n; i++)
        b->g_incident[i] = poyi_pair(poyi_c(b->g_incident[i]) + poyi_c(more[i]));
    POYI_TO_DONE(ctx, through_expansion(ctx, v, 1, b, g->positions));
    POYI_TO_DONE(ctx, through_incidence(ctx, v, b, g->positions));
    for (int pol = 0; pol < 2; pol++)
        ks[pol] = poyi_pair(b->ks[pol]);
    POYI_TO_DONE(ctx, poyi_medium_ks_pullback(ctx, &s->embedding.medium, s->embedding.k0, ks, &medium, &k0));
    g->medium = medium;
    g->k0 = k0;
    POYI_TO_DONE(ctx, through_spheres(ctx, v, b, g));
done:
    poyi_free(&b->memory);
    return status;
}

poy_status poy_spheres_cross_sections(poy_ctx *ctx, const poy_spheres *s, const poy_plane_incidence *wave,
                                      poy_cross_sections *out, const double weight[3], poy_spheres_gradient *gradient)
{
    poy_status status = POY_OK;
    solved v;
    double scattering = 0.0, extinction = 0.0;
    POYI_TRY(ctx, solve(ctx, s, wave, &v));
    for (int pol = 0; pol < 2; pol++) {
        double parts[2];
        sums(&v, pol, parts, parts + 1);
        scattering += parts[0]; /* 0.5 / flux = 1 */
        extinction += parts[1];
    }
    if (gradient) {
        back b = {.scattering = weight[0] - weight[2], .extinction = weight[1] + weight[2]};
        POYI_TO_DONE(ctx, pull(ctx, &v, &b, gradient));
    }
    *out = (poy_cross_sections){scattering, extinction, extinction - scattering};
done:
    release(&v);
    return status;
}

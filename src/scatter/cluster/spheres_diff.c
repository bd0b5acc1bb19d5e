/* spheres_diff.c: both directions of the derivative of cross sections by all parameters of a cluster of spheres: one adjoint
 * solution with the factors of the value, whatever their number. */
#include <string.h>

#include "record/lapack.h"
#include "scatter/cluster/interaction_diff.h"
#include "scatter/cluster/spheres.h"
#include "scatter/waves/plane_coupling.h"

typedef poyi_spheres_solved solved;

static const int pols[2] = {0, 1};

/* ---- back ---- */

/* Cotangents on the way back. */
typedef struct back {
    double g[2]; /* of scattering and extinction */
    double complex ks[2];
    poy_c128 *g_scattered, *g_incident, *more; /* [n] */
    poy_c128 *g_matrix, *coupling;             /* [n][n]: of the two expansions one after the other; C singular */
    poy_c128 *g_blocks;
    void *memory;
} back;

/* From the cross sections to p, a, C_reg and the wavenumbers. */
static void through_sums(const solved *v, back *b)
{
    const poyi_power power = poyi_spheres_power(v);
    double g_ks[2] = {0.0, 0.0};
    poyi_power_pull(&power, b->g, b->g_scattered, b->g_incident, g_ks);
    poyi_power_pull_overlap(&power, b->g[0], b->g_matrix);
    for (int pol = 0; pol < 2; pol++)
        b->ks[pol] += g_ks[pol];
}

static poy_status through_expansion(poy_ctx *ctx, const solved *v, int singular, back *b, double *g_positions)
{
    poy_status status;
    void *memory = NULL;
    poy_c128 ks[2];
    const size_t count = 3 * v->call->spheres->n;
    const poyi_expansion e = poyi_spheres_expansion(v, singular);
    if (count == 3 ||
        !(v->wanted & (POYI_WANT_POSITIONS | POYI_WANT_SURROUNDINGS))) /* a sphere with itself does not move */
        return POY_OK;
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

/* The coefficients of either pol's wave are [n][2]: their cotangent is that of a times the amplitudes' conjugates. */
static poy_status through_incidence(poy_ctx *ctx, const solved *v, back *b, double *g_positions,
                                    poy_c128 g_amplitude[2])
{
    poy_status status;
    void *memory = NULL;
    poy_c128 g_vectors[6] = {{0.0, 0.0}};
    const poy_poltype poltype = v->call->spheres->embedding.poltype;
    const poyi_incidence incidence = {v->basis, 2, v->vectors, pols, poltype};
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", 2 * v->n * sizeof(poy_c128), &memory));
    poy_c128 *wave = memory;
    if (g_amplitude) {
        POYI_TO_DONE(ctx, poyi_incidence_value(ctx, &incidence, wave));
        poyi_gemm(POY_C128, 'c', 'n', 2, 1, (int64_t)v->n, 1.0, wave, b->g_incident, 0.0, g_amplitude);
    }
    poyi_gemm(POY_C128, 'n', 'c', (int64_t)v->n, 2, 1, 1.0, b->g_incident, v->call->amplitude, 0.0, wave);
    poyi_plane_call call = {.multipoles = v->basis,
                            .n = 2,
                            .vectors = v->vectors,
                            .pol = pols,
                            .poltype = poltype,
                            .task = POYI_EXPAND_PULLBACK,
                            .g_out = wave,
                            .fixed_directions = 1, /* the length alone moves */
                            .g_vectors = g_vectors};
    call.g_positions = g_positions;
    POYI_TO_DONE(ctx, poyi_plane_coupling(ctx, &call));
    for (int pol = 0; pol < 2; pol++)
        for (int i = 0; i < 3; i++)
            b->ks[pol] += v->direction[i] * poyi_c(g_vectors[3 * pol + i]);
done:
    poyi_free(&memory);
    return status;
}

/* Scratch of one sphere: media and what moves with them, [3][layers + 1] each, and the Jacobian. */
typedef struct sphere_scratch {
    poy_c128 *media, *moves, *jacobian;
    void *memory;
} sphere_scratch;

static poy_status open_sphere(poy_ctx *ctx, const poy_spheres *s, sphere_scratch *w)
{
    const size_t parts = 3 * (s->layers + 1);
    const poyi_layered_particle any = {.most = s->lmax, .layers = s->layers};
    *w = (sphere_scratch){0};
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster",
                             (2 * parts + poyi_layered_jacobian_elements(&any)) * sizeof(poy_c128), &w->memory));
    w->media = w->memory;
    w->moves = w->media + parts;
    w->jacobian = w->moves + parts;
    return POY_OK;
}

static size_t block_elements(const poy_spheres *s)
{
    const size_t modes = poy_basis_sw_default_size(s->lmax, 1);
    return modes * modes;
}

poy_status poyi_spheres_pull_blocks(poy_ctx *ctx, const poy_spheres *s, unsigned wanted, const poy_c128 *g_blocks,
                                    poy_spheres_gradient *g)
{
    poy_status status = POY_OK;
    sphere_scratch w;
    const size_t parts = s->layers + 1;
    const unsigned around = wanted & POYI_WANT_SURROUNDINGS;
    memset(g->radii, 0, s->n * s->layers * sizeof *g->radii);
    memset(g->media, 0, s->n * s->layers * sizeof *g->media);
    if (!(wanted & POYI_WANT_PARTICLES))
        return POY_OK;
    POYI_TRY(ctx, open_sphere(ctx, s, &w));
    for (size_t i = 0; i < s->n; i++) {
        const poyi_layered_particle p = poyi_spheres_particle(s, i, w.media);
        const poyi_layered_inputs into = {.k0 = around ? &g->k0 : NULL,
                                          .radii = wanted & POYI_WANT_RADII ? g->radii + i * s->layers : NULL,
                                          .epsilon = around || wanted & POYI_WANT_EPSILON ? w.moves : NULL,
                                          .mu = around || wanted & POYI_WANT_MU ? w.moves + parts : NULL,
                                          .kappa = around || wanted & POYI_WANT_KAPPA ? w.moves + 2 * parts : NULL};
        memset(w.moves, 0, 3 * parts * sizeof *w.moves);
        POYI_TO_DONE(ctx, poyi_layered_jacobian(ctx, &p, &into, w.jacobian));
        POYI_TO_DONE(ctx, poyi_layered_pull(ctx, &p, w.jacobian, g_blocks + i * block_elements(s), &into));
        for (size_t j = 0; j < s->layers; j++)
            g->media[i * s->layers + j] = (poy_medium){w.moves[j], w.moves[parts + j], w.moves[2 * parts + j]};
        poy_c128 *const sum[3] = {&g->medium.epsilon, &g->medium.mu, &g->medium.kappa};
        for (size_t part = 0; part < 3; part++)
            *sum[part] = poyi_pair(poyi_c(*sum[part]) + poyi_c(w.moves[part * parts + s->layers]));
    }
done:
    poyi_free(&w.memory);
    return status;
}

/* NULL where nothing moves: it costs nothing. */
static poy_c128 *moved(size_t n, poy_c128 *d)
{
    for (size_t i = 0; i < n; i++)
        if (d[i].re != 0.0 || d[i].im != 0.0)
            return d;
    return NULL;
}

poy_status poyi_spheres_push_blocks(poy_ctx *ctx, const poy_spheres *s, const poy_spheres_gradient *d,
                                    poy_c128 *d_blocks)
{
    poy_status status = POY_OK;
    sphere_scratch w;
    const size_t parts = s->layers + 1;
    double d_k0 = d->k0;
    POYI_TRY(ctx, open_sphere(ctx, s, &w));
    for (size_t i = 0; i < s->n; i++) {
        const poyi_layered_particle p = poyi_spheres_particle(s, i, w.media);
        for (size_t j = 0; j < parts; j++) {
            const poy_medium none = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
            const poy_medium m = j == s->layers ? d->medium : d->media ? d->media[i * s->layers + j] : none;
            w.moves[j] = m.epsilon;
            w.moves[parts + j] = m.mu;
            w.moves[2 * parts + j] = m.kappa;
        }
        const poyi_layered_inputs in = {.k0 = d_k0 != 0.0 ? &d_k0 : NULL,
                                        .radii = d->radii ? d->radii + i * s->layers : NULL,
                                        .epsilon = moved(parts, w.moves),
                                        .mu = moved(parts, w.moves + parts),
                                        .kappa = moved(parts, w.moves + 2 * parts)};
        POYI_TO_DONE(ctx, poyi_layered_jacobian(ctx, &p, &in, w.jacobian));
        POYI_TO_DONE(ctx, poyi_layered_push(ctx, &p, w.jacobian, &in, d_blocks + i * block_elements(s)));
    }
done:
    poyi_free(&w.memory);
    return status;
}

static poy_status open_back(poy_ctx *ctx, const solved *v, back *b)
{
    const size_t n = v->n, blocks = poyi_cluster_block_elements(v->cluster);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", (2 * n * n + 3 * n + blocks) * sizeof(poy_c128), &b->memory));
    b->g_matrix = b->memory;
    b->coupling = b->g_matrix + n * n;
    b->g_blocks = b->coupling + n * n;
    b->g_scattered = b->g_blocks + blocks;
    b->g_incident = b->g_scattered + n;
    b->more = b->g_incident + n;
    return POY_OK;
}

/* p = T a: g_T = g a^H, and T^H g of a */
static void one_sphere_back(const solved *v, back *b)
{
    const int64_t n = (int64_t)v->n;
    poyi_gemm(POY_C128, 'n', 'c', n, n, 1, 1.0, b->g_scattered, v->incident, 0.0, b->g_blocks);
    poyi_gemm(POY_C128, 'c', 'n', n, 1, n, 1.0, v->cluster->particle[0]->values, b->g_scattered, 0.0, b->more);
}

poy_status poyi_spheres_pull(poy_ctx *ctx, const poyi_spheres_solved *v, const double g_out[2], poy_spheres_gradient *g,
                             poy_c128 g_amplitude[2])
{
    poy_status status;
    const poy_spheres *s = v->call->spheres;
    const poyi_expansion singular = poyi_spheres_expansion(v, 1);
    back b = {.g = {g_out[0], g_out[1]}};
    poy_c128 ks[2];
    poy_medium medium;
    double k0;
    POYI_TRY(ctx, open_back(ctx, v, &b));
    const poyi_scattered scattered = {v->factor, b.coupling, 1, v->incident, v->scattered};
    memset(g->positions, 0, 3 * s->n * sizeof *g->positions);
    through_sums(v, &b);
    POYI_TO_DONE(ctx, through_expansion(ctx, v, 0, &b, g->positions));
    if (poyi_spheres_single(v)) {
        one_sphere_back(v, &b);
    } else {
        POYI_TO_DONE(ctx, poyi_expansion_value(ctx, &singular, b.coupling));
        POYI_TO_DONE(ctx, poyi_scattered_pull(ctx, &scattered, b.g_scattered, b.g_blocks, b.g_matrix, b.more));
    }
    for (size_t i = 0; i < v->n; i++)
        b.g_incident[i] = poyi_pair(poyi_c(b.g_incident[i]) + poyi_c(b.more[i]));
    POYI_TO_DONE(ctx, through_expansion(ctx, v, 1, &b, g->positions));
    POYI_TO_DONE(ctx, through_incidence(ctx, v, &b, g->positions, g_amplitude));
    for (int pol = 0; pol < 2; pol++)
        ks[pol] = poyi_pair(b.ks[pol]);
    POYI_TO_DONE(ctx, poyi_medium_ks_pullback(ctx, &s->embedding.medium, s->embedding.k0, ks, &medium, &k0));
    g->medium = medium;
    g->k0 = k0;
    POYI_TO_DONE(ctx, poyi_spheres_pull_blocks(ctx, s, v->wanted, b.g_blocks, g));
done:
    poyi_free(&b.memory);
    return status;
}

/* ---- forth ---- */

/* Tangents on the way forth. */
typedef struct forth {
    const poy_spheres_gradient *d;
    poy_c128 ks[2];
    poy_c128 *d_matrix, *coupling;              /* [n][n] */
    poy_c128 *d_blocks;                         /* of T */
    poy_c128 *d_incident, *d_scattered, *waves; /* [n], [n], [n][2] */
    void *memory;
} forth;

static poy_status open_forth(poy_ctx *ctx, const solved *v, forth *f)
{
    const size_t n = v->n, blocks = poyi_cluster_block_elements(v->cluster);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", (2 * n * n + 4 * n + blocks) * sizeof(poy_c128), &f->memory));
    f->d_matrix = f->memory;
    f->coupling = f->d_matrix + n * n;
    f->d_blocks = f->coupling + n * n;
    f->d_incident = f->d_blocks + blocks;
    f->d_scattered = f->d_incident + n;
    f->waves = f->d_scattered + n;
    return POY_OK;
}

/* da = dW amplitude + W d_amplitude, W the coefficients of either pol */
static poy_status incidence_forth(poy_ctx *ctx, const solved *v, const poy_c128 d_amplitude[2], forth *f)
{
    poy_c128 d_vectors[6];
    const poy_poltype poltype = v->call->spheres->embedding.poltype;
    const poyi_incidence incidence = {v->basis, 2, v->vectors, pols, poltype};
    for (int pol = 0; pol < 2; pol++)
        for (int i = 0; i < 3; i++)
            d_vectors[3 * pol + i] = poyi_pair(poyi_c(f->ks[pol]) * v->direction[i]);
    const poyi_plane_call call = {.multipoles = v->basis,
                                  .n = 2,
                                  .vectors = v->vectors,
                                  .pol = pols,
                                  .poltype = poltype,
                                  .task = POYI_EXPAND_PUSHFORWARD,
                                  .out = f->waves,
                                  .fixed_directions = 1,
                                  .d_positions = f->d->positions,
                                  .d_vectors = d_vectors};
    POYI_TRY(ctx, poyi_plane_coupling(ctx, &call));
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)v->n, 1, 2, 1.0, f->waves, v->call->amplitude, 0.0, f->d_incident);
    if (d_amplitude) {
        POYI_TRY(ctx, poyi_incidence_value(ctx, &incidence, f->waves));
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)v->n, 1, 2, 1.0, f->waves, d_amplitude, 1.0, f->d_incident);
    }
    return POY_OK;
}

static poy_status expansion_forth(poy_ctx *ctx, const solved *v, int singular, forth *f)
{
    const poyi_expansion e = poyi_spheres_expansion(v, singular);
    const poyi_expansion_inputs d = {.destination = f->d->positions, .source = f->d->positions, .ks = f->ks};
    if (v->call->spheres->n == 1) {
        memset(f->d_matrix, 0, v->n * v->n * sizeof *f->d_matrix);
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_expansion_pushforward(ctx, &e, &d, f->d_matrix));
    return POY_OK;
}

/* dp = dT a + T da */
static void one_sphere_forth(const solved *v, forth *f)
{
    const int64_t n = (int64_t)v->n;
    poyi_gemm(POY_C128, 'n', 'n', n, 1, n, 1.0, f->d_blocks, v->incident, 0.0, f->d_scattered);
    poyi_gemm(POY_C128, 'n', 'n', n, 1, n, 1.0, v->cluster->particle[0]->values, f->d_incident, 1.0, f->d_scattered);
}

poy_status poyi_spheres_push(poy_ctx *ctx, const poyi_spheres_solved *v, const poy_spheres_gradient *d,
                             const poy_c128 d_amplitude[2], double d_out[2])
{
    poy_status status;
    forth f = {.d = d};
    const poy_embedding *e = &v->call->spheres->embedding;
    const poyi_expansion singular = poyi_spheres_expansion(v, 1);
    POYI_TRY(ctx, open_forth(ctx, v, &f));
    const poyi_scattered scattered = {v->factor, f.coupling, 1, v->incident, v->scattered};
    POYI_TO_DONE(ctx, poyi_medium_ks_pushforward(ctx, &e->medium, e->k0, &d->medium, d->k0, f.ks));
    POYI_TO_DONE(ctx, poyi_spheres_push_blocks(ctx, v->call->spheres, d, f.d_blocks));
    POYI_TO_DONE(ctx, incidence_forth(ctx, v, d_amplitude, &f));
    if (poyi_spheres_single(v)) {
        one_sphere_forth(v, &f);
    } else {
        POYI_TO_DONE(ctx, poyi_expansion_value(ctx, &singular, f.coupling));
        POYI_TO_DONE(ctx, expansion_forth(ctx, v, 1, &f));
        POYI_TO_DONE(ctx, poyi_scattered_push(ctx, &scattered, f.d_blocks, f.d_matrix, f.d_incident, f.d_scattered));
    }
    POYI_TO_DONE(ctx, expansion_forth(ctx, v, 0, &f));
    const poyi_power power = poyi_spheres_power(v);
    const double d_ks[2] = {f.ks[0].re, f.ks[1].re};
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)v->n, 1, (int64_t)v->n, 1.0, f.d_matrix, v->scattered, 0.0, f.waves);
    poyi_power_push(&power, f.d_scattered, f.d_incident, d_ks, f.waves, d_out);
done:
    poyi_free(&f.memory);
    return status;
}

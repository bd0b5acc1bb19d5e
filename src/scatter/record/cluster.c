/* cluster.c: records of the coupled T-matrix of a cluster: of particles with any T-matrices, and of spheres. Its derivatives come
 * from X itself, coupled.h, without factors. */
#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/cluster/spheres.h"
#include "scatter/record/axial.h"
#include "scatter/record/coupled.h"
#include "scatter/record/vacuum.h"

/* ---- particle_cluster: T blocks one after the other, positions, ks, axial, modes ---- */

enum { LOCAL, POSITIONS, KS, AXIAL, MODES };
enum { WAVES, POLTYPE };

typedef struct cluster {
    poy_basis *basis;
    poyi_blocks blocks;
    poyi_expansion e;
    poyi_axial axial;
    size_t *offset;
    double *to, *from;                     /* [3 particles] */
    poy_c128 *coupling, *change, *scratch; /* [n][n] twice, then 3 n^2 */
    void *memory;
} cluster;

static void close_cluster(cluster *x)
{
    poyi_free(&x->axial.memory);
    poyi_free(&x->memory);
    poy_basis_destroy(&x->basis);
}

/* The modes of each particle stand together, in the order of the particles. */
static poy_status read_blocks(poy_ctx *ctx, const poy_rec_item *item, cluster *x)
{
    size_t elements = 0, particle = 0;
    const size_t count = x->basis->n_positions;
    x->offset[0] = 0;
    for (size_t i = 0; i < x->basis->size; i++) {
        const size_t own = (size_t)x->basis->modes[i].particle;
        if (own < particle || own > particle + 1 || (i == 0 && own > 0))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "particle_cluster: mode %zu is of particle %zu after %zu; needs particle after particle",
                             i, own, particle);
        particle = own;
        x->offset[own + 1] = i + 1;
    }
    if (particle + 1 != count)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "particle_cluster: modes of %zu particles at %zu positions",
                         particle + 1, count);
    for (size_t p = 0; p < count; p++)
        elements += (x->offset[p + 1] - x->offset[p]) * (x->offset[p + 1] - x->offset[p]);
    if (elements != poyi_extent(item, LOCAL, 0))
        return POYI_FAIL(ctx, POY_ERR_SHAPE,
                         "particle_cluster: T has %zu elements, the modes of these particles need %zu",
                         poyi_extent(item, LOCAL, 0), elements);
    x->blocks = (poyi_blocks){x->basis->size, count, x->offset};
    return POY_OK;
}

static poy_status open_cluster(poy_ctx *ctx, const poy_rec_item *item, cluster *x)
{
    poy_status status;
    const poy_rec_array *in = item->in;
    const size_t n = poyi_extent(item, MODES, 0), count = poyi_extent(item, POSITIONS, 0);
    *x = (cluster){0};
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "particle_cluster", (int64_t)n));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "particle_cluster", "T", &in[LOCAL]));
    POYI_TO_DONE(ctx, poyi_record_basis(ctx, "particle_cluster", (int)poyi_choice(item->config, WAVES), &in[MODES],
                                        &in[AXIAL], &in[POSITIONS], &x->basis));
    POYI_TO_DONE(ctx,
                 poyi_alloc(ctx, "scatter.record",
                            5 * n * n * sizeof(poy_c128) + 6 * count * sizeof(double) + (count + 1) * sizeof(size_t),
                            &x->memory));
    x->coupling = x->memory;
    x->change = x->coupling + n * n;
    x->scratch = x->change + n * n;
    x->to = (double *)(void *)(x->scratch + 3 * n * n);
    x->from = x->to + 3 * count;
    x->offset = (size_t *)(void *)(x->from + 3 * count);
    POYI_TO_DONE(ctx, read_blocks(ctx, item, x));
    const poy_c128 *ks = in[KS].data;
    x->e = (poyi_expansion){.destination = x->basis,
                            .source = x->basis,
                            .ks = {ks[0], ks[1]},
                            .poltype = poyi_choice(item->config, POLTYPE) ? POY_PARITY : POY_HELICITY,
                            .singular = 1};
    POYI_TO_DONE(ctx, poyi_axial_open(ctx, "particle_cluster", &x->e, &in[AXIAL], &x->axial));
    POYI_TO_DONE(ctx, poyi_expansion_value(ctx, &x->e, x->coupling));
done:
    if (status != POY_OK)
        close_cluster(x);
    return status;
}

static poy_status evaluate_cluster(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_status status;
    cluster x;
    poy_c128 *out = item->out[0].data;
    POYI_TRY(ctx, open_cluster(ctx, item, &x));
    const size_t n = x.blocks.n;
    const poyi_coupled f = poyi_coupled_in(x.scratch, n);
    POYI_TO_DONE(ctx, poyi_coupled_factor(ctx, "particle_cluster", &x.blocks, item->in[LOCAL].data, x.coupling, &f));
    poyi_blocks_dense(&x.blocks, item->in[LOCAL].data, out);
    poyi_coupled_solve(&f, n, n, 0, out, x.change);
done:
    close_cluster(&x);
    return status;
}

static poy_status pull_cluster(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    poy_status status;
    cluster x;
    POYI_TRY(ctx, open_cluster(ctx, item, &x));
    const int moves = grad[POSITIONS].data || grad[KS].data || grad[AXIAL].data;
    const poyi_expansion_inputs g = {
        .destination = x.to, .source = x.from, .ks = grad[KS].data, .axial = poyi_axial_values(&x.axial)};
    poyi_coupled_pull(&x.blocks, x.coupling, item->out[0].data, cot->data, x.scratch, grad[LOCAL].data,
                      moves ? x.change : NULL);
    if (moves)
        POYI_TO_DONE(ctx, poyi_expansion_pullback(ctx, &x.e, x.change, &g));
    for (size_t i = 0; grad[POSITIONS].data && i < 3 * x.basis->n_positions; i++)
        poyi_real(grad, POSITIONS)[i] = x.to[i] + x.from[i];
    if (moves)
        poyi_axial_pull(&x.axial, &grad[AXIAL]);
    status = POY_OK;
done:
    close_cluster(&x);
    return status;
}

static poy_status push_cluster(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    poy_status status;
    cluster x;
    POYI_TRY(ctx, open_cluster(ctx, item, &x));
    const poyi_expansion_inputs d = {.destination = tan[POSITIONS].data,
                                     .source = tan[POSITIONS].data,
                                     .ks = tan[KS].data,
                                     .axial = poyi_axial_push(&x.axial, &tan[AXIAL])};
    POYI_TO_DONE(ctx, poyi_expansion_pushforward(ctx, &x.e, &d, x.change));
    poyi_coupled_push(&x.blocks, x.coupling, item->out[0].data, tan[LOCAL].data, x.change, x.scratch, out_tan->data);
done:
    close_cluster(&x);
    return status;
}

/* Particles along x, with T small enough to be far from a resonance. */
static poy_status sample_cluster(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[4] = {{-0.05, 0.05, -0.05, 0.05, 0.0},
                                  {-0.1, 0.1, 0.0, 0.0, 0.0},
                                  {0.9, 1.4, 0.02, 0.1, 0.0},
                                  {0.1, 0.3, 0.0, 0.0, 0.3}};
    (void)ctx;
    poyi_sample_ranges(seed, 4, ranges, in);
    const int64_t count = in[POSITIONS].spec.dims[0];
    for (int64_t i = 0; i < count; i++)
        poyi_real(in, POSITIONS)[3 * i] += 1.5 * (double)i;
    if (poyi_choice(config, WAVES))
        poyi_sample_axial_modes(count, in[AXIAL].spec.dims[0], &in[MODES]);
    else
        poyi_sample_modes(count, &in[MODES]);
    return POY_OK;
}

static const poy_rec_option cluster_options[] = {POYI_OPTION_WAVES, POYI_OPTION_POLTYPE};
static const poy_rec_example cluster_examples[] = {{"", "c128[72] f64[2,3] c128[2] f64[0] f64[12,4]"},
                                                   {"waves=cylindrical", "c128[72] f64[2,3] c128[2] f64[1] f64[12,4]"}};
const poy_rec_op poyi_record_particle_cluster = {.state_version = 1,
                                                 .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                                 POYI_CHOICES(cluster_options),
                                                 POYI_EXAMPLES(cluster_examples),
                                                 .evaluate = evaluate_cluster,
                                                 .pullback = pull_cluster,
                                                 .pushforward = push_cluster,
                                                 .sample = sample_cluster};

/* ---- sphere_cluster: k0, radii, epsilon, positions: homogeneous spheres in vacuum ---- */

static poy_status infer_spheres(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                poy_rec_size *size)
{
    const int64_t lmax = poyi_choice(config, 0), n = in[1].dims[0];
    (void)size;
    if (lmax < 1 || lmax > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "sphere_cluster: lmax = %lld, needs 1 to %d", (long long)lmax,
                         POY_DEGREE_MAX);
    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "sphere_cluster: no spheres");
    out->dims[0] = out->dims[1] = n * 2 * lmax * (lmax + 2);
    return POY_OK;
}

static poy_status evaluate_spheres(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_status status;
    poyi_vacuum_spheres v;
    poy_cluster *c = NULL;
    poy_tmatrix *t = NULL;
    POYI_TRY(ctx, poyi_vacuum_open(ctx, item, &v));
    POYI_TO_DONE(ctx, poyi_spheres_cluster(ctx, &v.spheres, &c));
    POYI_TO_DONE(ctx, poy_cluster_solve(ctx, c, &t));
    memcpy(item->out[0].data, t->values, t->n * t->n * sizeof *t->values);
done:
    poy_tmatrix_destroy(&t);
    poy_cluster_destroy(&c);
    poyi_free(&v.memory);
    return status;
}

/* What both derivatives need. */
typedef struct spheres {
    poyi_vacuum_spheres v;
    poy_cluster *cluster;
    poyi_blocks blocks;
    poyi_expansion e;
    poy_c128 *coupling, *change, *scratch, *t; /* [n][n] twice, 3 n^2, blocks */
    void *memory;
} spheres;

static void close_spheres(spheres *x)
{
    poyi_free(&x->memory);
    poyi_free(&x->v.memory);
    poy_cluster_destroy(&x->cluster);
}

static poy_status open_spheres(poy_ctx *ctx, const poy_rec_item *item, spheres *x)
{
    poy_status status;
    *x = (spheres){0};
    POYI_TO_DONE(ctx, poyi_vacuum_open(ctx, item, &x->v));
    POYI_TO_DONE(ctx, poyi_spheres_cluster(ctx, &x->v.spheres, &x->cluster));
    const size_t n = x->cluster->n, count = x->cluster->particles, blocks = n * (n / count);
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.record", (5 * n * n + blocks) * sizeof(poy_c128), &x->memory));
    x->coupling = x->memory;
    x->change = x->coupling + n * n;
    x->scratch = x->change + n * n;
    x->t = x->scratch + 3 * n * n;
    x->blocks = (poyi_blocks){n, count, x->cluster->offset};
    const poy_c128 k = {x->v.spheres.embedding.k0, 0.0};
    x->e = (poyi_expansion){.destination = x->cluster->basis, .source = x->cluster->basis, .ks = {k, k}, .singular = 1};
    POYI_TO_DONE(ctx, poyi_expansion_value(ctx, &x->e, x->coupling));
done:
    if (status != POY_OK)
        close_spheres(x);
    return status;
}

static poy_status pull_spheres(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    poy_status status;
    spheres x;
    poy_c128 ks[2];
    POYI_TRY(ctx, open_spheres(ctx, item, &x));
    const poyi_expansion_inputs g = {.destination = x.v.to, .source = x.v.from, .ks = ks};
    poyi_coupled_pull(&x.blocks, x.coupling, item->out[0].data, cot->data, x.scratch, x.t, x.change);
    POYI_TO_DONE(ctx, poyi_expansion_pullback(ctx, &x.e, x.change, &g));
    POYI_TO_DONE(ctx, poyi_vacuum_pull(ctx, &x.v, x.t, ks, grad));
done:
    close_spheres(&x);
    return status;
}

static poy_status push_spheres(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    poy_status status;
    spheres x;
    poy_c128 ks[2];
    POYI_TRY(ctx, open_spheres(ctx, item, &x));
    POYI_TO_DONE(ctx, poyi_vacuum_push(ctx, &x.v, tan, x.t, ks));
    const poyi_expansion_inputs d = {.destination = tan[3].data, .source = tan[3].data, .ks = ks};
    POYI_TO_DONE(ctx, poyi_expansion_pushforward(ctx, &x.e, &d, x.change));
    poyi_coupled_push(&x.blocks, x.coupling, item->out[0].data, x.t, x.change, x.scratch, out_tan->data);
done:
    close_spheres(&x);
    return status;
}

static const poy_rec_option spheres_options[] = {{"lmax", POY_REC_INTEGER, NULL, NULL, "degrees, 1 to 128"}};
static const poy_rec_example spheres_examples[] = {{"lmax=1", "f64[] f64[2] c128[2] f64[2,3]"},
                                                   {"lmax=1", "f64[] f64[3] f64[3] f64[3,3]"}};
const poy_rec_op poyi_record_sphere_cluster = {.state_version = 1,
                                               .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                               POYI_CHOICES(spheres_options),
                                               POYI_EXAMPLES(spheres_examples),
                                               .infer = infer_spheres,
                                               .evaluate = evaluate_spheres,
                                               .pullback = pull_spheres,
                                               .pushforward = push_spheres,
                                               .sample = poyi_vacuum_sample};

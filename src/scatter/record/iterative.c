/* iterative.c: record of what spheres in vacuum scatter, without a matrix: GMRES for the value, for tangents and, on the adjoint
 * equations, for gradients. With h = A^-H g and q = T^H h: g_a = q, g_T = h (a + C p)^H, g_C = q p^H. */
#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/cluster/iterative.h"
#include "scatter/record/coupled.h"
#include "scatter/record/vacuum.h"

enum { LMAX, RTOL, RESTART, MAX_ITERATIONS };
enum { K0, RADII, EPSILON, POSITIONS, INCIDENT };

/* A call: the cluster and its tables, columns of scratch. */
typedef struct job {
    poyi_vacuum_spheres v;
    poy_cluster *cluster;
    poyi_coupling *coupling;
    poy_iteration options;
    size_t n, columns;
    poy_c128 *rhs, *exciting, *more, *blocks; /* [n][columns] each; T's blocks */
    poy_c128 *column;                         /* [2][n] */
    poy_convergence *convergence;
    void *memory;
} job;

static void close_job(job *j)
{
    poyi_free(&j->memory);
    poyi_free(&j->v.memory);
    poyi_coupling_destroy(&j->coupling);
    poy_cluster_destroy(&j->cluster);
}

static poy_status open_job(poy_ctx *ctx, const poy_rec_item *item, job *j)
{
    poy_status status;
    const poyi_choices *c = item->config;
    *j = (job){.columns = poyi_extent(item, INCIDENT, 1)};
    poy_iteration_init(&j->options);
    j->options.rtol = c->real[RTOL];
    j->options.restart = (int)c->of[RESTART];
    j->options.max_iterations = (int)c->of[MAX_ITERATIONS];
    POYI_TO_DONE(ctx, poyi_iteration_check(ctx, &j->options));
    POYI_TO_DONE(ctx, poyi_rec_finite(ctx, "sphere_cluster_iterative", "incident", &item->in[INCIDENT]));
    POYI_TO_DONE(ctx, poyi_vacuum_open(ctx, item, &j->v));
    POYI_TO_DONE(ctx, poyi_spheres_cluster(ctx, &j->v.spheres, &j->cluster));
    POYI_TO_DONE(ctx, poyi_coupling_create(ctx, j->cluster, &j->coupling));
    j->n = j->cluster->n;
    const size_t size = j->n * j->columns, blocks = j->n * (j->n / j->cluster->particles);
    POYI_TO_DONE(
        ctx, poyi_alloc(ctx, "scatter.record",
                        (3 * size + blocks + 2 * j->n) * sizeof(poy_c128) + (j->columns + 1) * sizeof(poy_convergence),
                        &j->memory));
    j->rhs = j->memory;
    j->exciting = j->rhs + size;
    j->more = j->exciting + size;
    j->blocks = j->more + size;
    j->column = j->blocks + blocks;
    j->convergence = (poy_convergence *)(void *)(j->column + 2 * j->n);
done:
    if (status != POY_OK)
        close_job(j);
    return status;
}

/* A out = rhs, or its adjoint; all columns have to converge. */
static poy_status run(poy_ctx *ctx, job *j, int adjoint, const poy_c128 *rhs, poy_c128 *out)
{
    POYI_TRY(ctx,
             poyi_iterate(ctx, j->cluster, j->coupling, &j->options, adjoint, j->columns, rhs, out, j->convergence));
    for (size_t i = 0; i < j->columns; i++)
        if (!j->convergence[i].converged)
            return POYI_FAIL(
                ctx, POY_ERR_NO_CONVERGENCE,
                "sphere_cluster_iterative: column %zu after %d iterations has a residual of %.3g, wanted %.3g", i,
                j->convergence[i].iterations, j->convergence[i].residual, j->options.rtol * j->convergence[i].rhs);
    return POY_OK;
}

/* exciting = a + C p */
static void excite(poy_ctx *ctx, job *j, const poy_c128 *incident, const poy_c128 *scattered)
{
    for (size_t k = 0; k < j->columns; k++) {
        for (size_t i = 0; i < j->n; i++)
            j->column[i] = scattered[i * j->columns + k];
        poyi_coupling_apply(ctx, j->coupling, 0, j->column, j->column + j->n);
        for (size_t i = 0; i < j->n; i++)
            j->exciting[i * j->columns + k] =
                poyi_pair(poyi_c(incident[i * j->columns + k]) + poyi_c(j->column[j->n + i]));
    }
}

static poyi_blocks blocks_of(const job *j)
{
    return (poyi_blocks){j->n, j->cluster->particles, j->cluster->offset};
}

static poy_status infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out, poy_rec_size *size)
{
    const int64_t lmax = poyi_choice(config, LMAX), n = in[RADII].dims[0];
    (void)out, (void)size;
    if (lmax < 1 || lmax > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "sphere_cluster_iterative: lmax = %lld, needs 1 to %d", (long long)lmax,
                         POY_DEGREE_MAX);
    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "sphere_cluster_iterative: no spheres");
    if (in[INCIDENT].dims[0] != n * 2 * lmax * (lmax + 2))
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "sphere_cluster_iterative: %lld incident coefficients of %lld modes",
                         (long long)in[INCIDENT].dims[0], (long long)(n * 2 * lmax * (lmax + 2)));
    return POY_OK;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_status status;
    job j;
    POYI_TRY(ctx, open_job(ctx, item, &j));
    poyi_cluster_local_columns(j.cluster, 0, j.columns, item->in[INCIDENT].data, j.rhs);
    POYI_TO_DONE(ctx, run(ctx, &j, 0, j.rhs, item->out[0].data));
done:
    close_job(&j);
    return status;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    poy_status status;
    job j;
    poy_c128 ks[2];
    const poy_c128 *p = item->out[0].data;
    POYI_TRY(ctx, open_job(ctx, item, &j));
    const poyi_blocks blocks = blocks_of(&j);
    poy_c128 *h = j.rhs, *q = j.more;
    POYI_TO_DONE(ctx, run(ctx, &j, 1, cot->data, h));
    poyi_cluster_local_columns(j.cluster, 1, j.columns, h, q);
    if (grad[INCIDENT].data)
        memcpy(grad[INCIDENT].data, q, j.n * j.columns * sizeof *q);
    excite(ctx, &j, item->in[INCIDENT].data, p);
    poyi_blocks_outer(&blocks, j.columns, h, j.exciting, j.blocks);
    memset(j.v.from, 0, 3 * j.v.spheres.n * sizeof *j.v.from);
    POYI_TO_DONE(ctx, poyi_coupling_pull(ctx, j.cluster, j.columns, q, p, j.v.to, ks));
    POYI_TO_DONE(ctx, poyi_vacuum_pull(ctx, &j.v, j.blocks, ks, grad));
done:
    close_job(&j);
    return status;
}

/* A dp = dT (a + C p) + T (dC p + da) */
static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    poy_status status;
    job j;
    poy_c128 ks[2];
    const poy_c128 *p = item->out[0].data, *d_a = tan[INCIDENT].data;
    POYI_TRY(ctx, open_job(ctx, item, &j));
    const poyi_blocks blocks = blocks_of(&j);
    POYI_TO_DONE(ctx, poyi_vacuum_push(ctx, &j.v, tan, j.blocks, ks));
    excite(ctx, &j, item->in[INCIDENT].data, p);
    poyi_blocks_times('n', &blocks, j.blocks, j.columns, j.exciting, j.rhs);
    POYI_TO_DONE(ctx, poyi_coupling_push(ctx, j.cluster, tan[POSITIONS].data, ks, j.columns, p, j.more));
    for (size_t i = 0; d_a && i < j.n * j.columns; i++)
        j.more[i] = poyi_pair(poyi_c(j.more[i]) + poyi_c(d_a[i]));
    poyi_cluster_local_columns(j.cluster, 0, j.columns, j.more, j.exciting);
    for (size_t i = 0; i < j.n * j.columns; i++)
        j.rhs[i] = poyi_pair(poyi_c(j.rhs[i]) + poyi_c(j.exciting[i]));
    POYI_TO_DONE(ctx, run(ctx, &j, 0, j.rhs, out_tan->data));
done:
    close_job(&j);
    return status;
}

static poy_status sample(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range range = {-1.0, 1.0, -1.0, 1.0, 0.0};
    POYI_TRY(ctx, poyi_vacuum_sample(ctx, config, seed, in));
    poyi_sample_ranges(seed + 1, 1, &range, &in[INCIDENT]);
    return POY_OK;
}

static const poy_rec_option options[] = {
    {"lmax", POY_REC_INTEGER, NULL, NULL, "degrees, 1 to 128"},
    {"rtol", POY_REC_REAL, NULL, "1e-10", "of the residual, relative to the right-hand side"},
    {"restart", POY_REC_INTEGER, NULL, "30", "vectors of a cycle"},
    {"max_iterations", POY_REC_INTEGER, NULL, "300", "of a column"}};
static const poy_rec_example examples[] = {{"lmax=1;rtol=1e-14", "f64[] f64[2] c128[2] f64[2,3] c128[12,2]"},
                                           {"lmax=1;rtol=1e-14;restart=40", "f64[] f64[3] f64[3] f64[3,3] c128[18,1]"}};
const poy_rec_op poyi_record_sphere_cluster_iterative = {.state_version = 1,
                                                         .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                                         POYI_CHOICES(options),
                                                         POYI_EXAMPLES(examples),
                                                         .infer = infer,
                                                         .evaluate = evaluate,
                                                         .pullback = pullback,
                                                         .pushforward = pushforward,
                                                         .sample = sample};

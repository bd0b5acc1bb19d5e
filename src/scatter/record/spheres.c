/* spheres.c: records of clusters of layered spheres: what they scatter out of a plane wave. One record for all of it: the state
 * has the factors of the value, with which the derivatives by all parameters are one more solution. */
#include <stdlib.h>

#include "scatter/cluster/spheres.h"
#include "scatter/record/common.h"

/* ---- cross_sections of spheres ---- */

enum { K0, RADII, EPSILON, MU, KAPPA, POSITIONS, MEDIUM, AMPLITUDE, DIRECTION, INPUTS };

static poy_status infer_spheres(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                poy_rec_size *size)
{
    const int64_t lmax = poyi_choice(config, 0), n = in[RADII].dims[0], layers = in[RADII].dims[1];
    (void)out;
    if (lmax < 1 || lmax > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spheres: lmax = %lld, needs 1 to %d", (long long)lmax, POY_DEGREE_MAX);
    if (n < 1 || layers < 1)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "spheres: %lld spheres of %lld layers, needs at least one of each",
                         (long long)n, (long long)layers);
    const size_t state = poyi_spheres_state_bytes((size_t)n, (int)lmax);
    size->state = state;
    size->scratch = state + 2 * (size_t)(n * layers) * sizeof(poy_medium);
    return POY_OK;
}

/* media[n layers] from three arrays. */
static void join_media(size_t count, const poy_c128 *epsilon, const poy_c128 *mu, const poy_c128 *kappa,
                       poy_medium *media)
{
    const poy_c128 none = {0.0, 0.0};
    for (size_t i = 0; i < count; i++)
        media[i] = (poy_medium){epsilon ? epsilon[i] : none, mu ? mu[i] : none, kappa ? kappa[i] : none};
}

static poy_medium real_medium(const double *m)
{
    return (poy_medium){{m[0], 0.0}, {m[1], 0.0}, {m[2], 0.0}};
}

/* media: scratch for the spheres'. */
static void read_call(const poy_rec_item *item, poy_medium *media, poy_spheres *s, poyi_spheres_call *call)
{
    const poy_rec_array *in = item->in;
    const size_t n = poyi_extent(item, RADII, 0), layers = poyi_extent(item, RADII, 1);
    join_media(n * layers, in[EPSILON].data, in[MU].data, in[KAPPA].data, media);
    *s = (poy_spheres){.embedding = {.k0 = *poyi_real(in, K0), .medium = real_medium(in[MEDIUM].data)},
                       .lmax = (int)poyi_choice(item->config, 0),
                       .n = n,
                       .layers = layers,
                       .radii = in[RADII].data,
                       .media = media,
                       .positions = in[POSITIONS].data};
    *call = (poyi_spheres_call){.spheres = s};
    memcpy(call->direction, in[DIRECTION].data, sizeof call->direction);
    memcpy(call->amplitude, in[AMPLITUDE].data, sizeof call->amplitude);
}

static poy_medium *media_in(const poy_rec_item *item)
{
    return (
        poy_medium *)(void *)((unsigned char *)item->scratch +
                              poyi_spheres_state_bytes(poyi_extent(item, RADII, 0), (int)poyi_choice(item->config, 0)));
}

static poy_status evaluate_spheres(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_spheres s;
    poyi_spheres_call call;
    poyi_spheres_solved v;
    double sums[2];
    read_call(item, media_in(item), &s, &call);
    POYI_TRY(ctx, poyi_rec_finite(ctx, "spheres", "amplitude", &item->in[AMPLITUDE]));
    POYI_TRY(ctx, poyi_spheres_open(ctx, &call, item->state ? item->state : item->scratch, &v));
    poyi_spheres_sums(&v, sums);
    poyi_spheres_close(&v);
    *poyi_real(item->out, 0) = sums[0];
    *poyi_real(item->out, 1) = sums[1];
    return POY_OK;
}

static poy_status open_saved(poy_ctx *ctx, const poy_rec_item *item, poy_spheres *s, poyi_spheres_call *call,
                             poyi_spheres_solved *v)
{
    read_call(item, media_in(item), s, call);
    POYI_TRY(ctx, poyi_spheres_restore(ctx, call, item->saved, v));
    return POY_OK;
}

static void split_media(size_t count, const poy_medium *media, const poy_rec_array *grad)
{
    for (size_t i = 0; i < count; i++) {
        if (grad[EPSILON].data)
            poyi_complex(grad, EPSILON)[i] = media[i].epsilon;
        if (grad[MU].data)
            poyi_complex(grad, MU)[i] = media[i].mu;
        if (grad[KAPPA].data)
            poyi_complex(grad, KAPPA)[i] = media[i].kappa;
    }
}

static poy_status pull_spheres(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    poy_status status;
    poy_spheres s;
    poyi_spheres_call call;
    poyi_spheres_solved v = {0};
    void *memory = NULL;
    const size_t count = poyi_extent(item, RADII, 0) * poyi_extent(item, RADII, 1), n = poyi_extent(item, RADII, 0);
    const double g_out[2] = {cot[0].data ? *poyi_real(cot, 0) : 0.0, cot[1].data ? *poyi_real(cot, 1) : 0.0};
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.record", (count + 3 * n) * sizeof(double), &memory));
    poy_spheres_gradient g = {.radii = grad[RADII].data ? grad[RADII].data : memory,
                              .media = media_in(item) + count,
                              .positions = grad[POSITIONS].data ? grad[POSITIONS].data : (double *)memory + count};
    POYI_TO_DONE(ctx, open_saved(ctx, item, &s, &call, &v));
    POYI_TO_DONE(ctx, poyi_spheres_pull(ctx, &v, g_out, &g, grad[AMPLITUDE].data));
    split_media(count, g.media, grad);
    if (grad[K0].data)
        *poyi_real(grad, K0) = g.k0;
    if (grad[MEDIUM].data) {
        const double parts[3] = {g.medium.epsilon.re, g.medium.mu.re, g.medium.kappa.re};
        memcpy(grad[MEDIUM].data, parts, sizeof parts);
    }
done:
    poyi_spheres_close(&v);
    poyi_free(&memory);
    return status;
}

static poy_status push_spheres(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    poy_spheres s;
    poyi_spheres_call call;
    poyi_spheres_solved v;
    double d_out[2];
    const size_t count = poyi_extent(item, RADII, 0) * poyi_extent(item, RADII, 1);
    poy_spheres_gradient d = {.k0 = tan[K0].data ? *poyi_real(tan, K0) : 0.0,
                              .medium = real_medium(tan[MEDIUM].data ? tan[MEDIUM].data : none),
                              .radii = tan[RADII].data,
                              .media = media_in(item) + count,
                              .positions = tan[POSITIONS].data};
    join_media(count, tan[EPSILON].data, tan[MU].data, tan[KAPPA].data, d.media);
    POYI_TRY(ctx, open_saved(ctx, item, &s, &call, &v));
    const poy_status status = poyi_spheres_push(ctx, &v, &d, tan[AMPLITUDE].data, d_out);
    poyi_spheres_close(&v);
    *poyi_real(out_tan, 0) = d_out[0];
    *poyi_real(out_tan, 1) = d_out[1];
    return status;
}

static poy_status sample_spheres(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[DIRECTION] = {
        [K0] = {0.9, 1.3, 0.0, 0.0, 0.0},      [RADII] = {0.25, 0.3, 0.0, 0.0, 0.15},
        [EPSILON] = {2.0, 4.0, 0.3, 0.5, 0.0}, [MU] = {0.9, 1.2, 0.0, 0.1, 0.0},
        [KAPPA] = {-0.1, 0.1, 0.0, 0.02, 0.0}, [POSITIONS] = {-0.1, 0.1, 0.0, 0.0, 0.0},
        [MEDIUM] = {1.05, 1.2, 0.0, 0.0, 0.0}, [AMPLITUDE] = {-1.0, 1.0, -1.0, 1.0, 0.0}};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, DIRECTION, ranges, in);
    poyi_real(in, MEDIUM)[2] *= 0.05;
    for (int64_t i = 0; i < in[POSITIONS].spec.dims[0]; i++)
        poyi_real(in, POSITIONS)[3 * i + i % 3] += 1.2 * (double)i;
    for (int i = 0; i < 3; i++) /* the z axis, where directions have no derivative, or aslant */
        poyi_real(in, DIRECTION)[i] = seed % 2 ? i + 1.0 : i == 2;
    return POY_OK;
}

static const poy_rec_option spheres_options[] = {{"lmax", POY_REC_INTEGER, NULL, NULL, "degrees, 1 to 128"}};
static const poy_rec_example spheres_examples[] = {
    {"lmax=1", "f64[] f64[2,1] c128[2,1] f64[2,1] f64[2,1] f64[2,3] f64[3] c128[2] f64[3]"},
    {"lmax=1", "f64[] f64[2,2] c128[2,2] c128[2,2] c128[2,2] f64[2,3] f64[3] c128[2] f64[3]"},
    {"lmax=1", "f64[] f64[3,1] c128[3,1] c128[3,1] c128[3,1] f64[3,3] f64[3] f64[2] f64[3]"}};
const poy_rec_op poyi_record_spheres_cross_sections = {.state_version = 1,
                                                       .flags = POY_REC_NEEDS_INPUTS,
                                                       POYI_CHOICES(spheres_options),
                                                       POYI_EXAMPLES(spheres_examples),
                                                       .infer = infer_spheres,
                                                       .evaluate = evaluate_spheres,
                                                       .pullback = pull_spheres,
                                                       .pushforward = push_spheres,
                                                       .sample = sample_spheres};

/* spheres.c: records of layered spheres: their inputs, and what a cluster of them scatters out of a plane wave. One record for all of
 * it: the state has the factors of the value, with which the derivatives by all parameters are one more solution. */
#include "scatter/record/spheres.h"

#include <stdlib.h>

#include "scatter/cluster/spheres.h"
#include "scatter/record/media.h"

/* ---- the inputs ---- */

enum {
    K0 = POYI_SPHERES_K0,
    RADII = POYI_SPHERES_RADII,
    EPSILON = POYI_SPHERES_EPSILON,
    POSITIONS = POYI_SPHERES_POSITIONS,
    MEDIUM = POYI_SPHERES_MEDIUM
};

poy_status poyi_spheres_check(poy_ctx *ctx, const void *config, const poy_rec_spec *in)
{
    const int64_t lmax = poyi_choice(config, 0), n = in[RADII].dims[0], layers = in[RADII].dims[1];
    if (lmax < 1 || lmax > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spheres: lmax = %lld, needs 1 to %d", (long long)lmax, POY_DEGREE_MAX);
    if (n < 1 || layers < 1)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "spheres: %lld spheres of %lld layers, needs at least one of each",
                         (long long)n, (long long)layers);
    return POY_OK;
}

/* media, their gradients or tangents; radii, positions. */
size_t poyi_spheres_memory(const poy_rec_spec *in)
{
    const size_t n = (size_t)in[RADII].dims[0], count = n * (size_t)in[RADII].dims[1];
    return 2 * count * sizeof(poy_medium) + (count + 3 * n) * sizeof(double);
}

static size_t count_of(const poy_rec_item *item)
{
    return poyi_extent(item, RADII, 0) * poyi_extent(item, RADII, 1);
}

/* epsilon, mu, kappa, real or complex; without data 0. */
static poy_medium medium_of(const poy_rec_array *a)
{
    const double *m = a->data;
    const poy_c128 *c = a->data;
    if (!m)
        return (poy_medium){{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    if (a->spec.dtype == POY_C128)
        return (poy_medium){c[0], c[1], c[2]};
    return (poy_medium){{m[0], 0.0}, {m[1], 0.0}, {m[2], 0.0}};
}

void poyi_spheres_read(const poy_rec_item *item, void *memory, poy_spheres *out)
{
    const poy_rec_array *in = item->in;
    poyi_media_join(count_of(item), &in[EPSILON], memory);
    *out = (poy_spheres){.embedding = {.k0 = *poyi_real(in, K0), .medium = medium_of(&in[MEDIUM])},
                         .lmax = (int)poyi_choice(item->config, 0),
                         .n = poyi_extent(item, RADII, 0),
                         .layers = poyi_extent(item, RADII, 1),
                         .radii = in[RADII].data,
                         .media = memory,
                         .positions = in[POSITIONS].data};
}

poy_spheres_gradient poyi_spheres_gradient_of(const poy_rec_item *item, void *memory, const poy_rec_array *grad)
{
    const size_t count = count_of(item);
    poy_medium *media = (poy_medium *)memory + count;
    double *radii = (double *)(void *)(media + count);
    return (poy_spheres_gradient){.radii = grad[RADII].data ? grad[RADII].data : radii,
                                  .media = media,
                                  .positions = grad[POSITIONS].data ? grad[POSITIONS].data : radii + count};
}

void poyi_spheres_write(const poy_rec_item *item, const poy_spheres_gradient *g, const poy_rec_array *grad)
{
    const poy_medium *m = &g->medium;
    const double parts[3] = {m->epsilon.re, m->mu.re, m->kappa.re};
    const poy_c128 whole[3] = {m->epsilon, m->mu, m->kappa};
    poyi_media_split(count_of(item), g->media, &grad[EPSILON]);
    if (grad[K0].data)
        *poyi_real(grad, K0) = g->k0;
    if (grad[MEDIUM].data && grad[MEDIUM].spec.dtype == POY_C128)
        memcpy(grad[MEDIUM].data, whole, sizeof whole);
    else if (grad[MEDIUM].data)
        memcpy(grad[MEDIUM].data, parts, sizeof parts);
}

unsigned poyi_spheres_wanted(const poy_rec_array *grad)
{
    static const struct {
        int input;
        unsigned bit;
    } of[] = {{K0, POYI_WANT_SURROUNDINGS},    {MEDIUM, POYI_WANT_SURROUNDINGS}, {RADII, POYI_WANT_RADII},
              {EPSILON, POYI_WANT_EPSILON},    {POYI_SPHERES_MU, POYI_WANT_MU},  {POYI_SPHERES_KAPPA, POYI_WANT_KAPPA},
              {POSITIONS, POYI_WANT_POSITIONS}};
    unsigned wanted = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        wanted |= grad[of[i].input].data ? of[i].bit : 0;
    return wanted;
}

poy_spheres_gradient poyi_spheres_tangent_of(const poy_rec_item *item, void *memory, const poy_rec_array *tan)
{
    poy_medium *media = (poy_medium *)memory + count_of(item);
    poyi_media_join(count_of(item), &tan[EPSILON], media);
    return (poy_spheres_gradient){.k0 = tan[K0].data ? *poyi_real(tan, K0) : 0.0,
                                  .medium = medium_of(&tan[MEDIUM]),
                                  .radii = tan[RADII].data,
                                  .media = media,
                                  .positions = tan[POSITIONS].data};
}

void poyi_spheres_sample(uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[POYI_SPHERES_INPUTS] = {[K0] = {0.9, 1.3, 0.0, 0.0, 0.0},
                                                    [RADII] = {0.25, 0.3, 0.0, 0.0, 0.15},
                                                    [EPSILON] = {2.0, 4.0, 0.3, 0.5, 0.0},
                                                    [POYI_SPHERES_MU] = {0.9, 1.2, 0.0, 0.1, 0.0},
                                                    [POYI_SPHERES_KAPPA] = {-0.1, 0.1, 0.0, 0.02, 0.0},
                                                    [POSITIONS] = {-0.1, 0.1, 0.0, 0.0, 0.0},
                                                    [MEDIUM] = {1.05, 1.2, 0.0, 0.0, 0.0}};
    poyi_sample_ranges(seed, POYI_SPHERES_INPUTS, ranges, in);
    if (in[MEDIUM].spec.dtype == POY_C128)
        poyi_complex(in, MEDIUM)[2].re *= 0.05;
    else
        poyi_real(in, MEDIUM)[2] *= 0.05;
    for (int64_t i = 0; i < in[POSITIONS].spec.dims[0]; i++)
        poyi_real(in, POSITIONS)[3 * i + i % 3] += 1.2 * (double)i;
}

/* ---- spheres_cross_sections: ..., amplitude, direction ---- */

enum { AMPLITUDE = POYI_SPHERES_INPUTS, DIRECTION };

static poy_status infer_spheres(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                poy_rec_size *size)
{
    (void)out;
    POYI_TRY(ctx, poyi_spheres_check(ctx, config, in));
    size->state = poyi_spheres_state_bytes((size_t)in[RADII].dims[0], (int)poyi_choice(config, 0));
    size->scratch = size->state + poyi_spheres_memory(in);
    return POY_OK;
}

static void *memory_in(const poy_rec_item *item)
{
    return (unsigned char *)item->scratch +
           poyi_spheres_state_bytes(poyi_extent(item, RADII, 0), (int)poyi_choice(item->config, 0));
}

static void read_call(const poy_rec_item *item, poy_spheres *s, poyi_spheres_call *call)
{
    poyi_spheres_read(item, memory_in(item), s);
    *call = (poyi_spheres_call){.spheres = s};
    memcpy(call->direction, item->in[DIRECTION].data, sizeof call->direction);
    memcpy(call->amplitude, item->in[AMPLITUDE].data, sizeof call->amplitude);
}

static poy_status evaluate_spheres(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_spheres s;
    poyi_spheres_call call;
    poyi_spheres_solved v;
    double sums[2];
    read_call(item, &s, &call);
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
    read_call(item, s, call);
    POYI_TRY(ctx, poyi_spheres_restore(ctx, call, item->saved, v));
    return POY_OK;
}

static poy_status pull_spheres(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    poy_spheres s;
    poyi_spheres_call call;
    poyi_spheres_solved v;
    const double g_out[2] = {cot[0].data ? *poyi_real(cot, 0) : 0.0, cot[1].data ? *poyi_real(cot, 1) : 0.0};
    poy_spheres_gradient g = poyi_spheres_gradient_of(item, memory_in(item), grad);
    POYI_TRY(ctx, open_saved(ctx, item, &s, &call, &v));
    v.wanted = poyi_spheres_wanted(grad);
    const poy_status status = poyi_spheres_pull(ctx, &v, g_out, &g, grad[AMPLITUDE].data);
    poyi_spheres_close(&v);
    if (status == POY_OK)
        poyi_spheres_write(item, &g, grad);
    return status;
}

static poy_status push_spheres(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    poy_spheres s;
    poyi_spheres_call call;
    poyi_spheres_solved v;
    double d_out[2];
    const poy_spheres_gradient d = poyi_spheres_tangent_of(item, memory_in(item), tan);
    POYI_TRY(ctx, open_saved(ctx, item, &s, &call, &v));
    const poy_status status = poyi_spheres_push(ctx, &v, &d, tan[AMPLITUDE].data, d_out);
    poyi_spheres_close(&v);
    *poyi_real(out_tan, 0) = d_out[0];
    *poyi_real(out_tan, 1) = d_out[1];
    return status;
}

static poy_status sample_spheres(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_spheres_sample(seed, in);
    poyi_sample_ranges(seed + 1, 1, (const poyi_range[]){{-1.0, 1.0, -1.0, 1.0, 0.0}}, &in[AMPLITUDE]);
    for (int i = 0; i < 3; i++) /* the z axis, where directions have no derivative, or aslant */
        poyi_real(in, DIRECTION)[i] = seed % 2 ? i + 1.0 : i == 2;
    return POY_OK;
}

static const poy_rec_option spheres_options[] = {POYI_OPTION_LMAX};
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

/* particle.c: records of layered spheres and cylinders: coefficients of one degree or order, and whole T-matrices. They keep no
 * state: the Jacobian of the 2 x 2 blocks, by what is asked for alone, is made where a derivative is wanted. */
#include <stdlib.h>

#include "scatter/particle/layered_tmatrix.h"
#include "scatter/record/common.h"

static poy_status check_media(poy_ctx *ctx, const char *who, const poy_rec_spec *radii, const poy_rec_spec *media)
{
    if (radii->dims[0] < 1 || media->dims[0] != radii->dims[0] + 1)
        return POYI_FAIL(ctx, POY_ERR_SHAPE,
                         "%s: %lld radii and %lld media: needs a radius, and one medium more than radii, inside to "
                         "outside, the surroundings last",
                         who, (long long)radii->dims[0], (long long)media->dims[0]);
    return POY_OK;
}

/* Layers thin enough not to be resonant; media that absorb both helicities. */
static const poyi_range size_range = {0.3, 0.5, 0.0, 0.0, 0.4}, epsilon_range = {1.5, 2.5, 0.1, 0.3, 0.0},
                        mu_range = {0.9, 1.2, 0.0, 0.05, 0.0}, kappa_range = {-0.1, 0.1, 0.0, 0.005, 0.0},
                        k0_range = {0.8, 1.3, 0.0, 0.0, 0.0}, kz_range = {0.2, 0.3, 0.0, 0.0, 0.2};

/* ---- mie and mie_cyl: one 2 x 2 block ---- */

static poyi_mie_call sphere_call(const poy_rec_item *item)
{
    const poy_rec_array *in = item->in;
    return (poyi_mie_call){.n = 1,
                           .label = &((const poyi_choices *)item->config)->of[0],
                           .layers = poyi_extent(item, 0, 0),
                           .x = in[0].data,
                           .epsilon = in[1].data,
                           .mu = in[2].data,
                           .kappa = in[3].data};
}

static poyi_mie_call cylinder_call(const poy_rec_item *item)
{
    const poy_rec_array *in = item->in;
    return (poyi_mie_call){.cylinder = 1,
                           .n = 1,
                           .label = &((const poyi_choices *)item->config)->of[0],
                           .layers = poyi_extent(item, 2, 0),
                           .x = in[2].data,
                           .epsilon = in[3].data,
                           .mu = in[4].data,
                           .kappa = in[5].data,
                           .kz = in[0].data ? *poyi_real(in, 0) : 0.0,
                           .k0 = in[1].data ? *poyi_real(in, 1) : 0.0};
}

static poy_status infer_mie(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                            poy_rec_size *size)
{
    (void)config, (void)out;
    POYI_TRY(ctx, check_media(ctx, "mie", &in[0], &in[1]));
    size->scratch = 4 * poyi_sphere_inputs((size_t)in[0].dims[0]) * sizeof(poy_c128);
    return POY_OK;
}

static poy_status infer_mie_cyl(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                poy_rec_size *size)
{
    (void)config, (void)out;
    POYI_TRY(ctx, check_media(ctx, "mie_cyl", &in[2], &in[3]));
    size->scratch = 4 * poyi_cylinder_inputs((size_t)in[2].dims[0]) * sizeof(poy_c128);
    return POY_OK;
}

static poy_status evaluate_mie(poy_ctx *ctx, const poy_rec_item *item)
{
    const poyi_mie_call c = sphere_call(item);
    POYI_TRY(ctx, poy_mie(ctx, 1, c.label, c.layers, c.x, c.epsilon, c.mu, c.kappa, item->out[0].data));
    return POY_OK;
}

static poy_status evaluate_mie_cyl(poy_ctx *ctx, const poy_rec_item *item)
{
    const poyi_mie_call c = cylinder_call(item);
    POYI_TRY(ctx,
             poy_mie_cyl(ctx, 1, &c.kz, c.label, &c.k0, c.layers, c.x, c.epsilon, c.mu, c.kappa, item->out[0].data));
    return POY_OK;
}

static poyi_mie_inputs_of sphere_inputs(const poy_rec_array *a)
{
    return (poyi_mie_inputs_of){.x = a[0].data, .epsilon = a[1].data, .mu = a[2].data, .kappa = a[3].data};
}

static poyi_mie_inputs_of cylinder_inputs(const poy_rec_array *a)
{
    return (poyi_mie_inputs_of){
        .kz = a[0].data, .k0 = a[1].data, .x = a[2].data, .epsilon = a[3].data, .mu = a[4].data, .kappa = a[5].data};
}

static poy_status pull_mie(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const poyi_mie_call call = sphere_call(item);
    const poyi_mie_inputs_of g = sphere_inputs(grad);
    for (int i = 0; i < 4; i++)
        poyi_clear(&grad[i]);
    POYI_TRY(ctx, poyi_mie_jacobian(ctx, &call, &g, item->scratch));
    poyi_mie_pull(&call, item->scratch, cot->data, &g);
    return POY_OK;
}

static poy_status pull_mie_cyl(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    const poyi_mie_call call = cylinder_call(item);
    const poyi_mie_inputs_of g = cylinder_inputs(grad);
    for (int i = 0; i < 6; i++)
        poyi_clear(&grad[i]);
    POYI_TRY(ctx, poyi_mie_jacobian(ctx, &call, &g, item->scratch));
    poyi_mie_pull(&call, item->scratch, cot->data, &g);
    return POY_OK;
}

static poy_status push_mie(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                           const poy_rec_array *out_tan)
{
    const poyi_mie_call call = sphere_call(item);
    const poyi_mie_inputs_of d = sphere_inputs(tan);
    POYI_TRY(ctx, poyi_mie_jacobian(ctx, &call, &d, item->scratch));
    poyi_mie_push(&call, item->scratch, &d, out_tan->data);
    return POY_OK;
}

static poy_status push_mie_cyl(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    const poyi_mie_call call = cylinder_call(item);
    const poyi_mie_inputs_of d = cylinder_inputs(tan);
    POYI_TRY(ctx, poyi_mie_jacobian(ctx, &call, &d, item->scratch));
    poyi_mie_push(&call, item->scratch, &d, out_tan->data);
    return POY_OK;
}

static poy_status sample_sphere_inputs(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[4] = {size_range, epsilon_range, mu_range, kappa_range};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 4, ranges, in);
    return POY_OK;
}

static poy_status sample_cylinder(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[6] = {kz_range, k0_range, size_range, epsilon_range, mu_range, kappa_range};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 6, ranges, in);
    return POY_OK;
}

static const poy_rec_option mie_options[] = {{"degree", POY_REC_INTEGER, NULL, NULL, "l, 1 to 128"}};
static const poy_rec_option mie_cyl_options[] = {{"order", POY_REC_INTEGER, NULL, NULL, "m, -128 to 128"}};
static const poy_rec_example mie_examples[] = {{"degree=1", "f64[1] c128[2] c128[2] c128[2]"},
                                               {"degree=3", "f64[2] c128[3] f64[3] c128[3]"}};
static const poy_rec_example mie_cyl_examples[] = {{"order=0", "f64[] f64[] f64[1] c128[2] c128[2] c128[2]"},
                                                   {"order=-2", "f64[] f64[] f64[2] c128[3] f64[3] c128[3]"}};

const poy_rec_op poyi_record_mie = {.state_version = 2,
                                    .flags = POY_REC_NEEDS_INPUTS,
                                    POYI_CHOICES(mie_options),
                                    POYI_EXAMPLES(mie_examples),
                                    .infer = infer_mie,
                                    .evaluate = evaluate_mie,
                                    .pullback = pull_mie,
                                    .pushforward = push_mie,
                                    .sample = sample_sphere_inputs};

const poy_rec_op poyi_record_mie_cyl = {.state_version = 2,
                                        .flags = POY_REC_NEEDS_INPUTS,
                                        POYI_CHOICES(mie_cyl_options),
                                        POYI_EXAMPLES(mie_cyl_examples),
                                        .infer = infer_mie_cyl,
                                        .evaluate = evaluate_mie_cyl,
                                        .pullback = pull_mie_cyl,
                                        .pushforward = push_mie_cyl,
                                        .sample = sample_cylinder};

/* ---- sphere and cylinder: the whole T-matrix ---- */

/* kzs come first. */
static int is_cylinder(const poy_rec_spec *first)
{
    return first->rank == 1;
}

/* Inputs: spheres k0, radii, epsilon, mu, kappa; cylinders the same after kzs. */
static poyi_layered_particle particle_of(const void *config, const poy_rec_array *in, int cylinder)
{
    const poy_rec_array *rest = in + cylinder;
    return (poyi_layered_particle){.cylinder = cylinder,
                                   .most = poyi_choice(config, 0),
                                   .layers = (size_t)rest[1].spec.dims[0],
                                   .n_kz = cylinder ? (size_t)in[0].spec.dims[0] : 0,
                                   .k0 = rest[0].data ? *poyi_real(rest, 0) : 0.0,
                                   .radii = rest[1].data,
                                   .kz = cylinder ? in[0].data : NULL,
                                   .epsilon = rest[2].data,
                                   .mu = rest[3].data,
                                   .kappa = rest[4].data};
}

static poyi_layered_inputs inputs_of(const poy_rec_array *a, int cylinder)
{
    const poy_rec_array *rest = a + cylinder;
    return (poyi_layered_inputs){.k0 = rest[0].data,
                                 .radii = rest[1].data,
                                 .kz = cylinder ? a[0].data : NULL,
                                 .epsilon = rest[2].data,
                                 .mu = rest[3].data,
                                 .kappa = rest[4].data};
}

static poy_status infer_particle(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                 poy_rec_size *size)
{
    const int cylinder = is_cylinder(&in[0]);
    const poy_rec_spec *rest = in + cylinder;
    const int64_t most = poyi_choice(config, 0), least = cylinder ? 0 : 1;
    if (most < least || most > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s = %lld, needs %lld to %d",
                         cylinder ? "cylinder: mmax" : "sphere: lmax", (long long)most, (long long)least,
                         POY_DEGREE_MAX);
    POYI_TRY(ctx, check_media(ctx, cylinder ? "cylinder" : "sphere", &rest[1], &rest[2]));
    const poyi_layered_particle p = {.cylinder = cylinder,
                                     .most = most,
                                     .layers = (size_t)rest[1].dims[0],
                                     .n_kz = cylinder ? (size_t)in[0].dims[0] : 0};
    out->dims[0] = out->dims[1] = (int64_t)poyi_layered_modes(&p);
    size->scratch = poyi_layered_jacobian_elements(&p) * sizeof(poy_c128);
    return POY_OK;
}

static poy_status evaluate_particle(poy_ctx *ctx, const poy_rec_item *item)
{
    const int cylinder = is_cylinder(&item->in[0].spec);
    const poyi_layered_particle p = particle_of(item->config, item->in, cylinder);
    if (!(p.k0 > 0.0) || !isfinite(p.k0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: k0 = %g, needs a finite number above 0",
                         cylinder ? "cylinder" : "sphere", p.k0);
    POYI_TRY(ctx, poyi_layered_tmatrix(ctx, &p, item->out[0].data));
    return POY_OK;
}

static poy_status pull_particle(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    const int cylinder = is_cylinder(&item->in[0].spec);
    const poyi_layered_particle p = particle_of(item->config, item->in, cylinder);
    const poyi_layered_inputs g = inputs_of(grad, cylinder);
    for (int i = 0; i < 5 + cylinder; i++)
        poyi_clear(&grad[i]);
    POYI_TRY(ctx, poyi_layered_jacobian(ctx, &p, &g, item->scratch));
    POYI_TRY(ctx, poyi_layered_pull(ctx, &p, item->scratch, cot->data, &g));
    return POY_OK;
}

static poy_status push_particle(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    const int cylinder = is_cylinder(&item->in[0].spec);
    const poyi_layered_particle p = particle_of(item->config, item->in, cylinder);
    const poyi_layered_inputs d = inputs_of(tan, cylinder);
    POYI_TRY(ctx, poyi_layered_jacobian(ctx, &p, &d, item->scratch));
    POYI_TRY(ctx, poyi_layered_push(ctx, &p, item->scratch, &d, out_tan->data));
    return POY_OK;
}

static poy_status sample_sphere(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[5] = {k0_range, size_range, epsilon_range, mu_range, kappa_range};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 5, ranges, in);
    return POY_OK;
}

static const poy_rec_option sphere_options[] = {{"lmax", POY_REC_INTEGER, NULL, NULL, "degrees, 1 to 128"}};
static const poy_rec_option cylinder_options[] = {{"mmax", POY_REC_INTEGER, NULL, NULL, "orders, 0 to 128"}};
static const poy_rec_example sphere_examples[] = {{"lmax=1", "f64[] f64[1] c128[2] f64[2] f64[2]"},
                                                  {"lmax=2", "f64[] f64[2] c128[3] c128[3] c128[3]"}};
static const poy_rec_example cylinder_examples[] = {{"mmax=1", "f64[2] f64[] f64[1] c128[2] f64[2] f64[2]"},
                                                    {"mmax=0", "f64[1] f64[] f64[2] c128[3] c128[3] c128[3]"}};

#define PARTICLE(name)                                                     \
    const poy_rec_op poyi_record_##name = {.state_version = 2,             \
                                           .flags = POY_REC_NEEDS_INPUTS,  \
                                           POYI_CHOICES(name##_options),   \
                                           POYI_EXAMPLES(name##_examples), \
                                           .infer = infer_particle,        \
                                           .evaluate = evaluate_particle,  \
                                           .pullback = pull_particle,      \
                                           .pushforward = push_particle,   \
                                           .sample = sample_##name}
PARTICLE(sphere);
PARTICLE(cylinder);
#undef PARTICLE

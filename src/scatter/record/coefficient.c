/* coefficient.c: records of single vector waves, translations between single modes, and coordinates, elementwise over n. They
 * keep no state. */
#include <stdlib.h>

#include "poynting/special.h"
#include "scatter/record/common.h"
#include "scatter/waves/diff.h"

/* ---- vector_wave: arguments, degree, order, pol ---- */

static size_t elements(const poy_rec_item *item)
{
    return poyi_extent(item, 1, 0);
}

static poyi_wave_function wave_function(const void *config)
{
    return (poyi_wave_function)poyi_choice(config, 0);
}

/* scratch: three arrays of labels. */
static poy_status infer_wave(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                             poy_rec_size *size)
{
    const int needs = poyi_wave_arguments(wave_function(config));
    (void)out;
    if (in[0].dims[0] != needs)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "vector_wave: %lld arguments, this function has %d",
                         (long long)in[0].dims[0], needs);
    size->scratch = 3 * (size_t)in[0].dims[1] * sizeof(int64_t);
    return POY_OK;
}

static poy_status wave_call(poy_ctx *ctx, const poy_rec_item *item, poyi_wave_call *call)
{
    static const char *const names[3] = {"degree", "order", "pol"};
    const size_t n = elements(item);
    int64_t *label = item->scratch;
    for (size_t i = 0; i < 3; i++)
        POYI_TRY(ctx, poyi_labels(ctx, "vector_wave", names[i], &item->in[i + 1], label + i * n));
    *call = (poyi_wave_call){
        .function = wave_function(item->config), .n = n, .l = label, .m = label + n, .pol = label + 2 * n};
    for (int i = 0; i < poyi_wave_arguments(call->function); i++)
        call->argument[i].z = poyi_complex(item->in, 0) + (size_t)i * n;
    return POY_OK;
}

static poy_status evaluate_wave(poy_ctx *ctx, const poy_rec_item *item)
{
    poyi_wave_call call;
    POYI_TRY(ctx, wave_call(ctx, item, &call));
    POYI_TRY(ctx, poyi_vector_wave(ctx, &call, item->out[0].data));
    return POY_OK;
}

static poy_status pull_wave(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    poyi_wave_call call;
    poy_c128 *g[POYI_WAVE_ARGUMENTS] = {NULL};
    POYI_TRY(ctx, wave_call(ctx, item, &call));
    for (int i = 0; grad[0].data && i < poyi_wave_arguments(call.function); i++)
        g[i] = poyi_complex(grad, 0) + (size_t)i * call.n;
    POYI_TRY(ctx, poyi_vector_wave_pullback(ctx, &call, cot->data, g));
    return POY_OK;
}

static poy_status push_wave(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                            const poy_rec_array *out_tan)
{
    poyi_wave_call call;
    const poy_c128 *d[POYI_WAVE_ARGUMENTS] = {NULL};
    POYI_TRY(ctx, wave_call(ctx, item, &call));
    for (int i = 0; tan[0].data && i < poyi_wave_arguments(call.function); i++)
        d[i] = poyi_complex(tan, 0) + (size_t)i * call.n;
    POYI_TRY(ctx, poyi_vector_wave_pushforward(ctx, &call, d, out_tan->data));
    return POY_OK;
}

static void sample_row(const poy_rec_array *a, double first, double second)
{
    for (int64_t i = 0; i < poy_rec_count(&a->spec); i++)
        ((double *)a->data)[i] = i % 2 ? second : first;
}

static poy_status sample_wave(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 1, (const poyi_range[]){{0.5, 1.2, -0.2, 0.2, 0.0}}, in);
    sample_row(&in[1], 1.0, 2.0);
    sample_row(&in[2], 1.0, -1.0);
    sample_row(&in[3], 0.0, 1.0);
    return POY_OK;
}

/* In the order of poyi_wave_function. */
static const poy_rec_option wave_options[] = {
    {"function", POY_REC_WORD,
     "vsh_X|vsh_Y|vsh_Z|vsw_M|vsw_N|vsw_A|vsw_rM|vsw_rN|vsw_rA|vcw_M|vcw_N|vcw_A|vcw_rM|vcw_rN|vcw_rA|vpw_M|vpw_N|vpw_"
     "A",
     NULL, "rows of arguments: theta, phi; kr, theta, phi; kz, krr, phi, z (, k); kx, ky, kz, x, y, z"}};
static const poy_rec_example wave_examples[] = {{"function=vsh_X", "c128[2,2] f64[2] f64[2] f64[2]"},
                                                {"function=vsw_A", "c128[3,2] f64[2] f64[2] f64[2]"},
                                                {"function=vcw_rA", "c128[5,2] f64[2] f64[2] f64[2]"},
                                                {"function=vcw_M", "f64[4,1] f64[1] f64[1] f64[1]"},
                                                {"function=vpw_N", "c128[6,1] f64[1] f64[1] f64[1]"}};
const poy_rec_op poyi_record_vector_wave = {.state_version = 1,
                                            .flags = POY_REC_NEEDS_INPUTS,
                                            POYI_CHOICES(wave_options),
                                            POYI_EXAMPLES(wave_examples),
                                            .infer = infer_wave,
                                            .evaluate = evaluate_wave,
                                            .pullback = pull_wave,
                                            .pushforward = push_wave,
                                            .sample = sample_wave};

/* ---- spherical_translation: kr, theta, phi, destination, source ---- */

/* scratch: lambda, mu, pol, l, m, qol, then kr, theta and phi that the caller does not want. */
static poy_status infer_translation(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                    poy_rec_size *size)
{
    (void)ctx, (void)config, (void)out;
    size->scratch = (size_t)in[0].dims[0] * (12 * sizeof(int64_t) + 4 * sizeof(double));
    return POY_OK;
}

static poy_status translation_call(poy_ctx *ctx, const poy_rec_item *item, poyi_translation_call *call)
{
    const size_t n = elements(item);
    int64_t *label = item->scratch, *rows = label + 6 * n;
    POYI_TRY(ctx, poyi_labels(ctx, "spherical_translation", "destination", &item->in[3], rows));
    POYI_TRY(ctx, poyi_labels(ctx, "spherical_translation", "source", &item->in[4], rows + 3 * n));
    for (size_t side = 0; side < 2; side++)
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < n; i++)
                label[(3 * side + k) * n + i] = rows[3 * side * n + 3 * i + k];
    *call = (poyi_translation_call){.n = n,
                                    .lambda = label,
                                    .mu = label + n,
                                    .pol = label + 2 * n,
                                    .l = label + 3 * n,
                                    .m = label + 4 * n,
                                    .qol = label + 5 * n,
                                    .poltype = poyi_choice(item->config, 0) ? POY_PARITY : POY_HELICITY,
                                    .singular = (int)poyi_choice(item->config, 1),
                                    .kr = item->in[0].data,
                                    .theta = item->in[1].data,
                                    .phi = item->in[2].data};
    return POY_OK;
}

static poy_status evaluate_translation(poy_ctx *ctx, const poy_rec_item *item)
{
    poyi_translation_call c;
    POYI_TRY(ctx, translation_call(ctx, item, &c));
    POYI_TRY(ctx, poy_sw_translate(ctx, c.n, c.lambda, c.mu, c.pol, c.l, c.m, c.qol, c.kr, c.theta, c.phi, c.poltype,
                                   c.singular, item->out[0].data));
    return POY_OK;
}

static poy_status pull_translation(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                   const poy_rec_array *grad)
{
    poyi_translation_call c;
    POYI_TRY(ctx, translation_call(ctx, item, &c));
    POYI_TRY(ctx, poyi_sw_translate_pullback(ctx, &c, cot->data, grad[0].data, grad[1].data, grad[2].data));
    return POY_OK;
}

static poy_status push_translation(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                   const poy_rec_array *out_tan)
{
    poyi_translation_call c;
    POYI_TRY(ctx, translation_call(ctx, item, &c));
    POYI_TRY(ctx, poyi_sw_translate_pushforward(ctx, &c, tan[0].data, tan[1].data, tan[2].data, out_tan->data));
    return POY_OK;
}

static poy_status sample_translation(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[3] = {{0.8, 1.6, 0.05, 0.2, 0.0}, {0.4, 1.2, 0.0, 0.0, 0.0}, {-1.0, 1.0, 0.0, 0.0, 0.0}};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 3, ranges, in);
    for (int64_t i = 0; i < in[3].spec.dims[0]; i++) {
        const double to[3] = {(double)(1 + i % 2), 1.0, (double)(i % 2)}, from[3] = {2.0, (double)(-(i % 2)), 1.0};
        memcpy(poyi_real(in, 3) + 3 * i, to, sizeof to);
        memcpy(poyi_real(in, 4) + 3 * i, from, sizeof from);
    }
    return POY_OK;
}

static const poy_rec_option translation_options[] = {POYI_OPTION_POLTYPE, POYI_OPTION_SINGULAR};
static const poy_rec_example translation_examples[] = {{"singular=yes", "c128[3] f64[3] f64[3] f64[3,3] f64[3,3]"},
                                                       {"poltype=parity", "f64[2] f64[2] f64[2] f64[2,3] f64[2,3]"}};
const poy_rec_op poyi_record_spherical_translation = {.state_version = 1,
                                                      .flags = POY_REC_NEEDS_INPUTS,
                                                      POYI_CHOICES(translation_options),
                                                      POYI_EXAMPLES(translation_examples),
                                                      .infer = infer_translation,
                                                      .evaluate = evaluate_translation,
                                                      .pullback = pull_translation,
                                                      .pushforward = push_translation,
                                                      .sample = sample_translation};

/* ---- cylindrical_translation: krr, phi, z, kz, order ---- */

static poy_status infer_axial(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                              poy_rec_size *size)
{
    (void)ctx, (void)config, (void)out;
    size->scratch = 2 * (size_t)in[0].dims[0] * sizeof(int64_t);
    return POY_OK;
}

static poy_status axial_call(poy_ctx *ctx, const poy_rec_item *item, poyi_cylindrical_call *call)
{
    const poy_rec_array *in = item->in;
    POYI_TRY(ctx, poyi_labels(ctx, "cylindrical_translation", "order", &in[4], item->scratch));
    *call = (poyi_cylindrical_call){.n = elements(item),
                                    .order = item->scratch,
                                    .singular = (int)poyi_choice(item->config, 0),
                                    .krr = in[0].data,
                                    .phi = in[1].data,
                                    .z = in[2].data,
                                    .kz = in[3].data};
    return POY_OK;
}

/* The coefficient of order m - mu = order: of m = order into mu = 0. */
static poy_status evaluate_axial(poy_ctx *ctx, const poy_rec_item *item)
{
    poyi_cylindrical_call c;
    POYI_TRY(ctx, axial_call(ctx, item, &c));
    int64_t *zero = (int64_t *)item->scratch + c.n;
    memset(zero, 0, c.n * sizeof *zero);
    POYI_TRY(ctx, poy_cw_translate(ctx, c.n, c.kz, zero, zero, c.kz, c.order, zero, c.krr, c.phi, c.z, c.singular,
                                   item->out[0].data));
    return POY_OK;
}

static poy_status pull_axial(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    poyi_cylindrical_call c;
    POYI_TRY(ctx, axial_call(ctx, item, &c));
    POYI_TRY(ctx,
             poyi_cw_translate_pullback(ctx, &c, cot->data, grad[0].data, grad[1].data, grad[2].data, grad[3].data));
    return POY_OK;
}

static poy_status push_axial(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    poyi_cylindrical_call c;
    POYI_TRY(ctx, axial_call(ctx, item, &c));
    POYI_TRY(ctx,
             poyi_cw_translate_pushforward(ctx, &c, tan[0].data, tan[1].data, tan[2].data, tan[3].data, out_tan->data));
    return POY_OK;
}

static poy_status sample_axial(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[4] = {
        {0.8, 1.6, 0.05, 0.2, 0.0}, {-1.0, 1.0, 0.0, 0.0, 0.0}, {-1.0, 1.0, 0.0, 0.0, 0.0}, {0.2, 0.6, 0.0, 0.0, 0.0}};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 4, ranges, in);
    sample_row(&in[4], 1.0, -2.0);
    return POY_OK;
}

static const poy_rec_option axial_options[] = {POYI_OPTION_SINGULAR};
static const poy_rec_example axial_examples[] = {{"singular=yes", "c128[3] f64[3] f64[3] f64[3] f64[3]"},
                                                 {"", "f64[2] f64[2] f64[2] f64[2] f64[2]"}};
const poy_rec_op poyi_record_cylindrical_translation = {.state_version = 1,
                                                        .flags = POY_REC_NEEDS_INPUTS,
                                                        POYI_CHOICES(axial_options),
                                                        POYI_EXAMPLES(axial_examples),
                                                        .infer = infer_axial,
                                                        .evaluate = evaluate_axial,
                                                        .pullback = pull_axial,
                                                        .pushforward = push_axial,
                                                        .sample = sample_axial};

/* ---- coordinates: points; vector_coordinates: vectors, points ---- */

static poy_transform transform_of(const void *config)
{
    return (poy_transform)poyi_choice(config, 0);
}

static poy_status infer_coordinates(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                    poy_rec_size *size)
{
    const int64_t needs = transform_of(config) == POY_CAR2POL || transform_of(config) == POY_POL2CAR ? 2 : 3;
    (void)out;
    if (in[0].dims[1] != needs)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "coordinates: points of %lld components, this system has %lld",
                         (long long)in[0].dims[1], (long long)needs);
    size->scratch = 2 * (size_t)poy_rec_count(in) * sizeof(poy_c128); /* for what the caller does not give or want */
    return POY_OK;
}

static size_t points_of(const poy_rec_item *item)
{
    return poyi_extent(item, 0, 0);
}

/* What the caller gives, or zeros; where a gradient goes, or nowhere. */
static const void *given(const poy_rec_item *item, const poy_rec_array *a, size_t place)
{
    const size_t count = (size_t)poy_rec_count(&item->in[0].spec);
    return a->data ? a->data : memset((poy_c128 *)item->scratch + place * count, 0, count * sizeof(poy_c128));
}

static void *wanted(const poy_rec_item *item, const poy_rec_array *a, size_t place)
{
    return a->data ? a->data : (poy_c128 *)item->scratch + place * (size_t)poy_rec_count(&item->in[0].spec);
}

static poy_status evaluate_coordinates(poy_ctx *ctx, const poy_rec_item *item)
{
    typedef poy_status points(poy_ctx * ctx, size_t n, const double *points, double *out);
    static points *const run[POY_TRANSFORM_COUNT] = {poy_sf_car2cyl, poy_sf_car2pol, poy_sf_car2sph, poy_sf_cyl2car,
                                                     poy_sf_cyl2sph, poy_sf_pol2car, poy_sf_sph2car, poy_sf_sph2cyl};
    POYI_TRY(ctx, run[transform_of(item->config)](ctx, points_of(item), item->in[0].data, item->out[0].data));
    return POY_OK;
}

static poy_status pull_coordinates(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                   const poy_rec_array *grad)
{
    POYI_TRY(ctx, poy_sf_coordinates_vjp(ctx, points_of(item), transform_of(item->config), item->in[0].data, cot->data,
                                         wanted(item, &grad[0], 0)));
    return POY_OK;
}

static poy_status push_coordinates(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                   const poy_rec_array *out_tan)
{
    POYI_TRY(ctx, poy_sf_coordinates_jvp(ctx, points_of(item), transform_of(item->config), item->in[0].data,
                                         given(item, &tan[0], 0), out_tan->data));
    return POY_OK;
}

static poy_status evaluate_vectors(poy_ctx *ctx, const poy_rec_item *item)
{
    typedef poy_status vectors(poy_ctx * ctx, size_t n, const poy_c128 *vector, const double *points, poy_c128 *out);
    static vectors *const run[POY_TRANSFORM_COUNT] = {poy_sf_vcar2cyl, poy_sf_vcar2pol, poy_sf_vcar2sph,
                                                      poy_sf_vcyl2car, poy_sf_vcyl2sph, poy_sf_vpol2car,
                                                      poy_sf_vsph2car, poy_sf_vsph2cyl};
    POYI_TRY(ctx, run[transform_of(item->config)](ctx, points_of(item), item->in[0].data, item->in[1].data,
                                                  item->out[0].data));
    return POY_OK;
}

static poy_status pull_vectors(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    POYI_TRY(ctx, poy_sf_vector_coordinates_vjp(ctx, points_of(item), transform_of(item->config), item->in[0].data,
                                                item->in[1].data, cot->data, wanted(item, &grad[0], 0),
                                                wanted(item, &grad[1], 1)));
    return POY_OK;
}

static poy_status push_vectors(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    POYI_TRY(ctx, poy_sf_vector_coordinates_jvp(ctx, points_of(item), transform_of(item->config), item->in[0].data,
                                                item->in[1].data, given(item, &tan[0], 0), given(item, &tan[1], 1),
                                                out_tan->data));
    return POY_OK;
}

/* All coordinates in 0.4 .. 1.2: away from axes in any system. */
static poy_status sample_points(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range vectors = {-1.0, 1.0, -1.0, 1.0, 0.0}, points = {0.4, 1.2, 0.0, 0.0, 0.0};
    const int has_vectors = in[0].spec.dtype == POY_C128;
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 1 + has_vectors, (const poyi_range[]){has_vectors ? vectors : points, points}, in);
    return POY_OK;
}

/* In the order of poy_transform. */
static const poy_rec_option coordinates_options[] = {
    {"function", POY_REC_WORD, "car2cyl|car2pol|car2sph|cyl2car|cyl2sph|pol2car|sph2car|sph2cyl", NULL, "from and to"}};
static const poy_rec_example coordinates_examples[] = {
    {"function=car2cyl", "f64[2,3]"}, {"function=car2pol", "f64[2,2]"}, {"function=car2sph", "f64[1,3]"},
    {"function=cyl2car", "f64[2,3]"}, {"function=cyl2sph", "f64[2,3]"}, {"function=pol2car", "f64[3,2]"},
    {"function=sph2car", "f64[2,3]"}, {"function=sph2cyl", "f64[2,3]"}};
static const poy_rec_example vectors_examples[] = {
    {"function=car2cyl", "c128[2,3] f64[2,3]"}, {"function=car2pol", "c128[2,2] f64[2,2]"},
    {"function=car2sph", "c128[1,3] f64[1,3]"}, {"function=cyl2car", "c128[2,3] f64[2,3]"},
    {"function=cyl2sph", "c128[2,3] f64[2,3]"}, {"function=pol2car", "c128[3,2] f64[3,2]"},
    {"function=sph2car", "c128[2,3] f64[2,3]"}, {"function=sph2cyl", "c128[2,3] f64[2,3]"}};
const poy_rec_op poyi_record_coordinates = {.state_version = 1,
                                            .flags = POY_REC_NEEDS_INPUTS,
                                            POYI_CHOICES(coordinates_options),
                                            POYI_EXAMPLES(coordinates_examples),
                                            .infer = infer_coordinates,
                                            .evaluate = evaluate_coordinates,
                                            .pullback = pull_coordinates,
                                            .pushforward = push_coordinates,
                                            .sample = sample_points};
const poy_rec_op poyi_record_vector_coordinates = {.state_version = 1,
                                                   .flags = POY_REC_NEEDS_INPUTS,
                                                   POYI_CHOICES(coordinates_options),
                                                   POYI_EXAMPLES(vectors_examples),
                                                   .infer = infer_coordinates,
                                                   .evaluate = evaluate_vectors,
                                                   .pullback = pull_vectors,
                                                   .pushforward = push_vectors,
                                                   .sample = sample_points};

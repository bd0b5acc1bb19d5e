/* layers.c: records of interfaces, ways and plane layers, from wavenumbers and impedances. They keep no state. */
#include <stdlib.h>

#include "scatter/record/common.h"
#include "scatter/stack/layers.h"

static double complex *parts(const poy_rec_array *a, int i)
{
    return a[i].data;
}

/* ---- layer_stack: ks, zs, q, thickness; interface_coefficients: ks, zs, q of one pair ---- */

enum { KS, ZS, Q, THICKNESS };

static poy_status infer_stack(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                              poy_rec_size *size)
{
    (void)config, (void)out, (void)size;
    if (in[KS].dims[0] < 2 || in[THICKNESS].dims[0] != in[KS].dims[0] - 2)
        return POYI_FAIL(
            ctx, POY_ERR_SHAPE,
            "layer_stack: %lld media and %lld thicknesses, needs at least two media, and a thickness for each "
            "but the first and the last",
            (long long)in[KS].dims[0], (long long)in[THICKNESS].dims[0]);
    return POY_OK;
}

static size_t channels_of(const poy_rec_item *item)
{
    return item->in[Q].spec.rank == 2 ? poyi_extent(item, Q, 0) : 1;
}

static poyi_layers layers_of(const poy_rec_item *item, size_t channel)
{
    const size_t layers = poyi_extent(item, KS, 0) - 2;
    const double *q = poyi_real(item->in, Q) + 2 * channel;
    return (poyi_layers){.layers = layers,
                         .ks = item->in[KS].data,
                         .zs = item->in[ZS].data,
                         .thickness = layers ? item->in[THICKNESS].data : NULL,
                         .q = {q[0], q[1]},
                         .turns = (int)poyi_choice(item->config, 0)};
}

static poy_status check_stack(poy_ctx *ctx, const poy_rec_item *item)
{
    const poyi_layers l = layers_of(item, 0);
    POYI_TRY(ctx, poyi_layers_check(ctx, l.layers, l.thickness));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "layer_stack", "q", &item->in[Q]));
    for (size_t i = 0; i < 3 * (l.layers + 2); i++) {
        const poy_c128 x = i < l.layers + 2 ? l.zs[i] : l.ks[i - l.layers - 2];
        if ((x.re == 0.0 && x.im == 0.0) || !isfinite(x.re) || !isfinite(x.im))
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT, "layer_stack: %s number %zu is %g%+gi, needs a finite number that is not 0",
                i < l.layers + 2 ? "impedance" : "wavenumber", i < l.layers + 2 ? i : i - l.layers - 2, x.re, x.im);
    }
    return POY_OK;
}

static poy_status evaluate_stack(poy_ctx *ctx, const poy_rec_item *item)
{
    poyi_sheet *out = item->out[0].data;
    POYI_TRY(ctx, check_stack(ctx, item));
    for (size_t i = 0; i < channels_of(item); i++) {
        const poyi_layers l = layers_of(item, i);
        POYI_TRY(ctx, poyi_layers_sheet(ctx, &l, out + i));
    }
    return POY_OK;
}

static poy_status pull_stack(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    const poyi_sheet *g = cot[0].data;
    const int has_layers = poyi_extent(item, KS, 0) > 2;
    for (int i = KS; i <= (has_layers ? THICKNESS : Q); i++)
        poyi_clear(&grad[i]);
    for (size_t i = 0; i < channels_of(item); i++) {
        const poyi_layers l = layers_of(item, i);
        const poyi_layers_inputs to = {.ks = parts(grad, KS),
                                       .zs = parts(grad, ZS),
                                       .thickness = has_layers ? grad[THICKNESS].data : NULL,
                                       .q = grad[Q].data ? poyi_real(grad, Q) + 2 * i : NULL};
        POYI_TRY(ctx, poyi_layers_pull(ctx, &l, g + i, &to));
    }
    return POY_OK;
}

static poy_status push_stack(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    poyi_sheet *out = out_tan[0].data;
    const int has_layers = poyi_extent(item, KS, 0) > 2;
    for (size_t i = 0; i < channels_of(item); i++) {
        const poyi_layers l = layers_of(item, i);
        const poyi_layers_inputs d = {.ks = parts(tan, KS),
                                      .zs = parts(tan, ZS),
                                      .thickness = has_layers ? tan[THICKNESS].data : NULL,
                                      .q = tan[Q].data ? poyi_real(tan, Q) + 2 * i : NULL};
        POYI_TRY(ctx, poyi_layers_push(ctx, &l, &d, out + i));
    }
    return POY_OK;
}

static const poyi_range ks_range = {1.2, 2.4, 0.0, 0.2, 0.2}, zs_range = {0.4, 1.0, -0.1, 0.1, 0.0},
                        q_range = {-0.6, 0.6, 0.0, 0.0, 0.0}, thickness_range = {0.2, 0.6, 0.0, 0.0, 0.0};

static poy_status sample_stack(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 4, (const poyi_range[]){ks_range, zs_range, q_range, thickness_range}, in);
    return POY_OK;
}

/* Along the normal, where pols of other alignments than xy turn with q. */
static poy_status sample_normal(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    POYI_TRY(ctx, sample_stack(ctx, config, seed, in));
    poyi_clear(&in[Q]);
    return POY_OK;
}

static poy_status sample_interface(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 3, (const poyi_range[]){ks_range, zs_range, q_range}, in);
    return POY_OK;
}

static poy_status sample_normal_interface(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    POYI_TRY(ctx, sample_interface(ctx, config, seed, in));
    poyi_clear(&in[Q]);
    return POY_OK;
}

static const poy_rec_option stack_options[] = {POYI_OPTION_ALIGNMENT};
static const poy_rec_example stack_examples[] = {{"", "c128[3,2] c128[3] f64[2,2] f64[1]"},
                                                 {"alignment=yz", "c128[3,2] c128[3] f64[2,2] f64[1]"},
                                                 {"", "c128[5,2] f64[5] f64[1,2] f64[3]"},
                                                 {"", "c128[2,2] c128[2] f64[3,2] f64[0]"}};

#define STACK(name, list, check, sampler)                                 \
    const poy_rec_op poyi_record_##name = {.state_version = 1,            \
                                           .flags = POY_REC_NEEDS_INPUTS, \
                                           POYI_CHOICES(stack_options),   \
                                           POYI_EXAMPLES(list),           \
                                           .infer = check,                \
                                           .evaluate = evaluate_stack,    \
                                           .pullback = pull_stack,        \
                                           .pushforward = push_stack,     \
                                           .sample = sampler}
STACK(layer_stack, stack_examples, infer_stack, sample_stack);
STACK(layer_stack_fixed, stack_examples, infer_stack, sample_normal);
static const poy_rec_example interface_examples[] = {
    {"", "c128[2,2] c128[2] f64[2]"}, {"alignment=zx", "c128[2,2] c128[2] f64[2]"}, {"", "f64[2,2] f64[2] f64[2]"}};
STACK(interface_coefficients, interface_examples, NULL, sample_interface);
STACK(interface_coefficients_fixed, interface_examples, NULL, sample_normal_interface);
#undef STACK

/* ---- fresnel: ks, kzs, zs ---- */

static poyi_fresnel_inputs cosines_of(const poy_rec_item *item)
{
    const double complex *k = item->in[0].data, *kz = item->in[1].data, *z = item->in[2].data;
    return (poyi_fresnel_inputs){{{kz[0] / k[0], kz[1] / k[1]}, {kz[2] / k[2], kz[3] / k[3]}}, {z[0], z[1]}};
}

static poy_status evaluate_fresnel(poy_ctx *ctx, const poy_rec_item *item)
{
    POYI_TRY(ctx, poy_fresnel(ctx, 1, item->in[0].data, item->in[1].data, item->in[2].data, item->out[0].data));
    return POY_OK;
}

static poy_status pull_fresnel(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    const poyi_fresnel_inputs x = cosines_of(item);
    const double complex *k = item->in[0].data;
    poyi_fresnel_inputs g;
    POYI_TRY(ctx, poyi_fresnel_pull(ctx, &x, item->out[0].data, cot[0].data, &g));
    for (int i = 0; i < 4; i++) {
        const double complex by = g.c[i / 2][i % 2] / conj(k[i]);
        if (grad[0].data)
            parts(grad, 0)[i] = -conj(x.c[i / 2][i % 2]) * by;
        if (grad[1].data)
            parts(grad, 1)[i] = by;
    }
    if (grad[2].data)
        memcpy(grad[2].data, g.z, sizeof g.z);
    return POY_OK;
}

static poy_status push_fresnel(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    const poyi_fresnel_inputs x = cosines_of(item);
    const double complex *k = item->in[0].data;
    poyi_fresnel_inputs d = {.z = {0.0, 0.0}};
    for (int i = 0; i < 4; i++) {
        const double complex dk = tan[0].data ? parts(tan, 0)[i] : 0.0, dkz = tan[1].data ? parts(tan, 1)[i] : 0.0;
        d.c[i / 2][i % 2] = (dkz - x.c[i / 2][i % 2] * dk) / k[i];
    }
    if (tan[2].data)
        memcpy(d.z, tan[2].data, sizeof d.z);
    POYI_TRY(ctx, poyi_fresnel_push(ctx, &x, item->out[0].data, &d, out_tan[0].data));
    return POY_OK;
}

static poy_status sample_fresnel(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 3, (const poyi_range[]){ks_range, {0.8, 1.4, 0.0, 0.3, 0.0}, zs_range}, in);
    return POY_OK;
}

static const poy_rec_example fresnel_examples[] = {{"", "c128[2,2] c128[2,2] c128[2]"},
                                                   {"", "f64[2,2] f64[2,2] f64[2]"}};
const poy_rec_op poyi_record_fresnel = {.state_version = 1,
                                        .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                        POYI_EXAMPLES(fresnel_examples),
                                        .evaluate = evaluate_fresnel,
                                        .pullback = pull_fresnel,
                                        .pushforward = push_fresnel,
                                        .sample = sample_fresnel};

/* ---- propagation_matrix: vectors, distance ---- */

/* The place of wave i on the diagonal of up (0) or down (1), and i times its phase's slopes by vector and distance. */
static size_t place_of(size_t n, int way, size_t i)
{
    return (size_t)(3 * way) * n * n + i * (n + 1);
}

static double turn_of(int way, size_t axis)
{
    return way && axis < 2 ? -1.0 : 1.0;
}

static poy_status evaluate_way(poy_ctx *ctx, const poy_rec_item *item)
{
    const double complex *k = item->in[0].data;
    const double *d = poyi_real(item->in, 1);
    const size_t n = poyi_extent(item, 0, 0);
    POYI_TRY(ctx, poyi_rec_finite(ctx, "propagation_matrix", "vectors", &item->in[0]));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "propagation_matrix", "distance", &item->in[1]));
    poyi_clear(&item->out[0]);
    for (size_t i = 0; i < n; i++)
        for (int way = 0; way < 2; way++) {
            poyi_xcomplex phase = 0.0L;
            for (size_t axis = 0; axis < 3; axis++)
                phase += poyi_x(k[3 * i + axis]) * (poyi_xreal)(turn_of(way, axis) * d[axis]);
            poyi_complex(item->out, 0)[place_of(n, way, i)] = poyi_pair((double complex)poyi_xphase(phase));
        }
    return POY_OK;
}

static poy_status pull_way(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const double complex *k = item->in[0].data, *s = item->out[0].data, *g = cot[0].data;
    const double *d = poyi_real(item->in, 1);
    const size_t n = poyi_extent(item, 0, 0);
    (void)ctx;
    poyi_clear(&grad[0]);
    poyi_clear(&grad[1]);
    for (size_t i = 0; i < n; i++)
        for (int way = 0; way < 2; way++) {
            const size_t at = place_of(n, way, i);
            const double complex by = conj(CMPLX(0.0, 1.0) * s[at]) * g[at];
            for (size_t axis = 0; axis < 3; axis++) {
                if (grad[0].data)
                    parts(grad, 0)[3 * i + axis] += turn_of(way, axis) * d[axis] * by;
                if (grad[1].data)
                    poyi_real(grad, 1)[axis] += turn_of(way, axis) * creal(conj(k[3 * i + axis]) * by);
            }
        }
    return POY_OK;
}

static poy_status push_way(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                           const poy_rec_array *out_tan)
{
    const double complex *k = item->in[0].data, *s = item->out[0].data;
    double complex *out = out_tan[0].data;
    const double *d = poyi_real(item->in, 1);
    const size_t n = poyi_extent(item, 0, 0);
    (void)ctx;
    poyi_clear(&out_tan[0]);
    for (size_t i = 0; i < n; i++)
        for (int way = 0; way < 2; way++) {
            const size_t at = place_of(n, way, i);
            double complex turn = 0.0;
            for (size_t axis = 0; axis < 3; axis++)
                turn += turn_of(way, axis) * ((tan[0].data ? parts(tan, 0)[3 * i + axis] * d[axis] : 0.0) +
                                              (tan[1].data ? k[3 * i + axis] * poyi_real(tan, 1)[axis] : 0.0));
            out[at] = CMPLX(0.0, 1.0) * s[at] * turn;
        }
    return POY_OK;
}

static const poy_rec_example way_examples[] = {{"", "c128[3,3] f64[3]"}, {"", "f64[2,3] f64[3]"}};
const poy_rec_op poyi_record_propagation_matrix = {.state_version = 1,
                                                   .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                                   POYI_EXAMPLES(way_examples),
                                                   .evaluate = evaluate_way,
                                                   .pullback = pull_way,
                                                   .pushforward = push_way};

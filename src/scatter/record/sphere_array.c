/* sphere_array.c: records of plane arrays of layered spheres: their powers, and their S-matrices. One record for all of it: the state has
 * the factors and the coupling of the value, with which the derivatives by all parameters are one more solution. */
#include "scatter/periodic/sphere_array.h"

#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/record/spheres.h"

enum { LATTICE = POYI_SPHERES_INPUTS, KPAR, INCIDENT, ORDERS };

static poy_status infer_array(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                              poy_rec_size *size)
{
    const int64_t orders = in[ORDERS].dims[0];
    (void)out;
    POYI_TRY(ctx, poyi_spheres_check(ctx, config, in));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "array of spheres", 2 * orders));
    if (in[INCIDENT].dims[0] != 2 * orders || orders < 1)
        return POYI_FAIL(
            ctx, POY_ERR_SHAPE,
            "array of spheres: %lld amplitudes of light for %lld orders, needs at least one order, and pols 1 and 0 "
            "of each",
            (long long)in[INCIDENT].dims[0], (long long)orders);
    size->state =
        poyi_sphere_array_bytes((size_t)in[POYI_SPHERES_RADII].dims[0], (int)poyi_choice(config, 0), (size_t)orders, 0);
    size->scratch = size->state + poyi_spheres_memory(in) + 2 * (size_t)orders * sizeof(int64_t);
    return POY_OK;
}

/* Behind the place of a state in scratch: orders, then what spheres need. */
static int64_t *orders_in(const poy_rec_item *item)
{
    const size_t state = poyi_sphere_array_bytes(poyi_extent(item, POYI_SPHERES_RADII, 0),
                                                 (int)poyi_choice(item->config, 0), poyi_extent(item, ORDERS, 0), 0);
    return (int64_t *)(void *)((unsigned char *)item->scratch + state);
}

static void *memory_in(const poy_rec_item *item)
{
    return orders_in(item) + 2 * poyi_extent(item, ORDERS, 0);
}

static poy_status read_array(poy_ctx *ctx, const poy_rec_item *item, poy_sphere_array *s)
{
    int64_t *orders = orders_in(item);
    POYI_TRY(ctx, poyi_labels(ctx, "array of spheres", "orders", &item->in[ORDERS], orders));
    *s = (poy_sphere_array){
        .n_orders = poyi_extent(item, ORDERS, 0), .orders = orders, .incident = item->in[INCIDENT].data};
    poyi_spheres_read(item, memory_in(item), &s->spheres);
    memcpy(s->lattice, item->in[LATTICE].data, sizeof s->lattice);
    memcpy(s->kpar, item->in[KPAR].data, sizeof s->kpar);
    return POY_OK;
}

static poy_status evaluate_array(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_sphere_array s;
    poyi_sphere_array v;
    POYI_TRY(ctx, read_array(ctx, item, &s));
    POYI_TRY(ctx, poyi_sphere_array_open(ctx, &s, 0, item->state ? item->state : item->scratch, &v));
    const poy_power_shares shares = poyi_sphere_array_shares(&v);
    poyi_sphere_array_close(&v);
    *poyi_real(item->out, 0) = shares.transmission;
    *poyi_real(item->out, 1) = shares.reflection;
    *poyi_real(item->out, 2) = shares.absorption;
    return POY_OK;
}

static unsigned wanted(const poy_rec_array *grad)
{
    return poyi_spheres_wanted(grad) | (grad[LATTICE].data ? POYI_WANT_LATTICE : 0u) |
           (grad[KPAR].data ? POYI_WANT_KPAR : 0u);
}

static poy_status pull_array(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    poy_sphere_array s;
    poyi_sphere_array v;
    double g_out[3];
    poy_sphere_array_gradient g = {.spheres = poyi_spheres_gradient_of(item, memory_in(item), grad),
                                   .with_kpar = grad[KPAR].data != NULL};
    for (int i = 0; i < 3; i++)
        g_out[i] = cot[i].data ? *poyi_real(cot, i) : 0.0;
    POYI_TRY(ctx, read_array(ctx, item, &s));
    POYI_TRY(ctx, poyi_sphere_array_restore(ctx, &s, 0, item->saved, &v));
    v.wanted = wanted(grad);
    const poy_status status = poyi_sphere_array_pull(ctx, &v, g_out, &g, grad[INCIDENT].data);
    poyi_sphere_array_close(&v);
    if (status != POY_OK)
        return status;
    poyi_spheres_write(item, &g.spheres, grad);
    if (grad[LATTICE].data)
        memcpy(grad[LATTICE].data, g.lattice, sizeof g.lattice);
    if (grad[KPAR].data)
        memcpy(grad[KPAR].data, g.kpar, sizeof g.kpar);
    return POY_OK;
}

static poy_status push_array(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    poy_sphere_array s;
    poyi_sphere_array v;
    double d_out[3];
    poy_sphere_array_gradient d = {.spheres = poyi_spheres_tangent_of(item, memory_in(item), tan),
                                   .with_kpar = tan[KPAR].data != NULL};
    if (tan[LATTICE].data)
        memcpy(d.lattice, tan[LATTICE].data, sizeof d.lattice);
    if (tan[KPAR].data)
        memcpy(d.kpar, tan[KPAR].data, sizeof d.kpar);
    POYI_TRY(ctx, read_array(ctx, item, &s));
    POYI_TRY(ctx, poyi_sphere_array_restore(ctx, &s, 0, item->saved, &v));
    const poy_status status = poyi_sphere_array_push(ctx, &v, &d, tan[INCIDENT].data, d_out);
    poyi_sphere_array_close(&v);
    for (int i = 0; status == POY_OK && i < 3; i++)
        *poyi_real(out_tan, i) = d_out[i];
    return status;
}

/* Cells in which two spheres are apart, and frequencies away from thresholds: order (0, -1) propagates where it is a port. */
static void sample_cell(uint64_t seed, const poy_rec_array *in, const poy_rec_array *labels)
{
    static const double orders[][2] = {{0.0, 0.0}, {0.0, -1.0}, {-1.0, 0.0}, {1.0, 0.0}};
    const poyi_range frequency = {1.5, 1.7, 0.0, 0.0, 0.0},
                     rest[2] = {{-0.05, 0.05, 0.0, 0.0, 0.0}, {0.1, 0.2, 0.0, 0.0, 0.0}};
    poyi_spheres_sample(seed, in);
    poyi_sample_ranges(seed + 1, 1, &frequency, &in[POYI_SPHERES_K0]);
    poyi_sample_ranges(seed + 2, 2, rest, &in[LATTICE]);
    poyi_real(in, LATTICE)[0] += 1.4;
    poyi_real(in, LATTICE)[3] += 2.4;
    if (labels->spec.dims[0] > 1)
        *poyi_real(in, POYI_SPHERES_K0) += 1.4;
    for (int64_t i = 0; i < 2 * labels->spec.dims[0]; i++)
        ((double *)labels->data)[i] = orders[i / 2 % 4][i % 2];
}

static void sample_common(uint64_t seed, const poy_rec_array *in)
{
    const poyi_range light = {-1.0, 1.0, -1.0, 1.0, 0.0};
    sample_cell(seed, in, &in[ORDERS]);
    poyi_sample_ranges(seed + 3, 1, &light, &in[INCIDENT]);
}

static poy_status sample_array(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    sample_common(seed, in);
    return POY_OK;
}

static poy_status sample_fixed(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    sample_common(seed, in);
    memset(in[KPAR].data, 0, 2 * sizeof(double));
    return POY_OK;
}

static const poy_rec_option array_options[] = {POYI_OPTION_LMAX};
/* Two spheres at least: one may stand anywhere in its cell, so that its gradient by positions is nothing but rounding. */
static const poy_rec_example array_examples[] = {
    {"lmax=1", "f64[] f64[2,1] c128[2,1] f64[2,1] f64[2,1] f64[2,3] f64[3] f64[2,2] f64[2] f64[2] f64[1,2]"},
    {"lmax=1", "f64[] f64[2,2] c128[2,2] c128[2,2] c128[2,2] f64[2,3] f64[3] f64[2,2] f64[2] c128[6] f64[3,2]"}};

#define ARRAY(name, sampler)                                              \
    const poy_rec_op poyi_record_##name = {.state_version = 1,            \
                                           .flags = POY_REC_NEEDS_INPUTS, \
                                           POYI_CHOICES(array_options),   \
                                           POYI_EXAMPLES(array_examples), \
                                           .infer = infer_array,          \
                                           .evaluate = evaluate_array,    \
                                           .pullback = pull_array,        \
                                           .pushforward = push_array,     \
                                           .sample = sampler}
ARRAY(sphere_array_power, sample_array);
ARRAY(sphere_array_power_fixed, sample_fixed);
#undef ARRAY

/* ---- sphere_array_smatrix: the same without light, in surroundings that may absorb ---- */

enum { WHOLE_ORDERS = KPAR + 1 };

static size_t whole_bytes(const void *config, const poy_rec_spec *in)
{
    return poyi_sphere_array_bytes((size_t)in[POYI_SPHERES_RADII].dims[0], (int)poyi_choice(config, 0),
                                   (size_t)in[WHOLE_ORDERS].dims[0], 1);
}

static poy_status infer_whole(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                              poy_rec_size *size)
{
    const int64_t orders = in[WHOLE_ORDERS].dims[0];
    POYI_TRY(ctx, poyi_spheres_check(ctx, config, in));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "array of spheres", 4 * orders));
    if (orders < 1)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "array of spheres: no orders, needs at least (0, 0)");
    out[0].dims[2] = out[0].dims[3] = 2 * orders;
    size->state = whole_bytes(config, in);
    size->scratch = size->state + poyi_spheres_memory(in) + 2 * (size_t)orders * sizeof(int64_t);
    return POY_OK;
}

/* What spheres need, then the orders, behind the place of a state. */
typedef struct whole_call {
    poy_sphere_array s;
    poyi_sphere_array v;
    void *memory;
} whole_call;

static poy_status read_whole(poy_ctx *ctx, const poy_rec_item *item, whole_call *c)
{
    poy_rec_spec in[WHOLE_ORDERS + 1];
    for (int i = 0; i <= WHOLE_ORDERS; i++)
        in[i] = item->in[i].spec;
    int64_t *orders = (int64_t *)(void *)((unsigned char *)item->scratch + whole_bytes(item->config, in));
    c->memory = orders + 2 * poyi_extent(item, WHOLE_ORDERS, 0);
    c->s = (poy_sphere_array){.n_orders = poyi_extent(item, WHOLE_ORDERS, 0), .orders = orders};
    POYI_TRY(ctx, poyi_labels(ctx, "array of spheres", "orders", &item->in[WHOLE_ORDERS], orders));
    poyi_spheres_read(item, c->memory, &c->s.spheres);
    memcpy(c->s.lattice, item->in[LATTICE].data, sizeof c->s.lattice);
    memcpy(c->s.kpar, item->in[KPAR].data, sizeof c->s.kpar);
    return POY_OK;
}

static poy_status evaluate_whole(poy_ctx *ctx, const poy_rec_item *item)
{
    whole_call c;
    POYI_TRY(ctx, read_whole(ctx, item, &c));
    POYI_TRY(ctx, poyi_sphere_array_open(ctx, &c.s, 1, item->state ? item->state : item->scratch, &c.v));
    const poy_status status = poyi_sphere_array_smatrix(ctx, &c.v, item->out[0].data);
    poyi_sphere_array_close(&c.v);
    return status;
}

static poy_status pull_whole(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    whole_call c;
    POYI_TRY(ctx, read_whole(ctx, item, &c));
    poy_sphere_array_gradient g = {.spheres = poyi_spheres_gradient_of(item, c.memory, grad),
                                   .with_kpar = grad[KPAR].data != NULL};
    POYI_TRY(ctx, poyi_sphere_array_restore(ctx, &c.s, 1, item->saved, &c.v));
    c.v.wanted = wanted(grad);
    const poy_status status = poyi_sphere_array_smatrix_pull(ctx, &c.v, cot[0].data, &g);
    poyi_sphere_array_close(&c.v);
    if (status != POY_OK)
        return status;
    poyi_spheres_write(item, &g.spheres, grad);
    if (grad[LATTICE].data)
        memcpy(grad[LATTICE].data, g.lattice, sizeof g.lattice);
    if (grad[KPAR].data)
        memcpy(grad[KPAR].data, g.kpar, sizeof g.kpar);
    return POY_OK;
}

static poy_status push_whole(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    whole_call c;
    POYI_TRY(ctx, read_whole(ctx, item, &c));
    poy_sphere_array_gradient d = {.spheres = poyi_spheres_tangent_of(item, c.memory, tan),
                                   .with_kpar = tan[KPAR].data != NULL};
    if (tan[LATTICE].data)
        memcpy(d.lattice, tan[LATTICE].data, sizeof d.lattice);
    if (tan[KPAR].data)
        memcpy(d.kpar, tan[KPAR].data, sizeof d.kpar);
    POYI_TRY(ctx, poyi_sphere_array_restore(ctx, &c.s, 1, item->saved, &c.v));
    const poy_status status = poyi_sphere_array_smatrix_push(ctx, &c.v, &d, out_tan[0].data);
    poyi_sphere_array_close(&c.v);
    return status;
}

static poy_status sample_whole(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    sample_cell(seed, in, &in[WHOLE_ORDERS]);
    if (in[POYI_SPHERES_MEDIUM].spec.dtype == POY_C128) /* with loss: at none, the roots of both helicities turn */
        poyi_complex(in, POYI_SPHERES_MEDIUM)->im = 0.2;
    else
        poyi_real(in, POYI_SPHERES_MEDIUM)[2] = 0.0;
    return POY_OK;
}

static poy_status sample_whole_fixed(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    POYI_TRY(ctx, sample_whole(ctx, config, seed, in));
    poyi_clear(&in[KPAR]);
    return POY_OK;
}

static const poy_rec_example whole_examples[] = {
    {"lmax=1", "f64[] f64[2,1] c128[2,1] f64[2,1] f64[2,1] f64[2,3] f64[3] f64[2,2] f64[2] f64[1,2]"},
    {"lmax=1", "f64[] f64[2,2] c128[2,2] c128[2,2] c128[2,2] f64[2,3] c128[3] f64[2,2] f64[2] f64[3,2]"}};

#define WHOLE(name, sampler)                                              \
    const poy_rec_op poyi_record_##name = {.state_version = 1,            \
                                           .flags = POY_REC_NEEDS_INPUTS, \
                                           POYI_CHOICES(array_options),   \
                                           POYI_EXAMPLES(whole_examples), \
                                           .infer = infer_whole,          \
                                           .evaluate = evaluate_whole,    \
                                           .pullback = pull_whole,        \
                                           .pushforward = push_whole,     \
                                           .sample = sampler}
WHOLE(sphere_array_smatrix, sample_whole);
WHOLE(sphere_array_smatrix_fixed, sample_whole_fixed);

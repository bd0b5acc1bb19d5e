/* sphere_array.c: records of plane arrays of layered spheres: their powers, and their S-matrices. One record for all of it: the state has
 * the factors and the coupling of the value, with which the derivatives by all parameters are one more solution. */
#include "scatter/periodic/sphere_array.h"

#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/record/spheres.h"

enum { LATTICE = POYI_SPHERES_INPUTS, KPAR, INCIDENT, ORDERS, WHOLE_ORDERS = KPAR + 1 };

/* ---- what both kinds share: powers of light with orders at ORDERS, whole S-matrices with orders at WHOLE_ORDERS ---- */

static size_t state_bytes(const void *config, size_t spheres, size_t orders, int whole)
{
    return poyi_sphere_array_bytes(spheres, (int)poyi_choice(config, 0), orders, whole);
}

/* Scratch: the place of a state, orders, what spheres need. */
static void sizes_of(const void *config, const poy_rec_spec *in, int whole, poy_rec_size *size)
{
    const size_t orders = (size_t)in[whole ? WHOLE_ORDERS : ORDERS].dims[0];
    size->state = state_bytes(config, (size_t)in[POYI_SPHERES_RADII].dims[0], orders, whole);
    size->scratch = size->state + poyi_spheres_memory(in) + 2 * orders * sizeof(int64_t);
}

typedef struct array_call {
    poy_sphere_array s;
    poyi_sphere_array v;
    void *memory; /* what spheres need */
} array_call;

static poy_status read_call(poy_ctx *ctx, const poy_rec_item *item, int whole, array_call *c)
{
    const int at = whole ? WHOLE_ORDERS : ORDERS;
    const size_t n = poyi_extent(item, at, 0);
    const size_t state = state_bytes(item->config, poyi_extent(item, POYI_SPHERES_RADII, 0), n, whole);
    int64_t *orders = (int64_t *)(void *)((unsigned char *)item->scratch + state);
    c->memory = orders + 2 * n;
    c->s = (poy_sphere_array){.n_orders = n, .orders = orders, .incident = whole ? NULL : item->in[INCIDENT].data};
    POYI_TRY(ctx, poyi_labels(ctx, "array of spheres", "orders", &item->in[at], orders));
    poyi_spheres_read(item, c->memory, &c->s.spheres);
    memcpy(c->s.lattice, item->in[LATTICE].data, sizeof c->s.lattice);
    memcpy(c->s.kpar, item->in[KPAR].data, sizeof c->s.kpar);
    return POY_OK;
}

static poy_status open_call(poy_ctx *ctx, const poy_rec_item *item, int whole, array_call *c)
{
    POYI_TRY(ctx, read_call(ctx, item, whole, c));
    POYI_TRY(ctx, poyi_sphere_array_open(ctx, &c->s, whole, item->state ? item->state : item->scratch, &c->v));
    return POY_OK;
}

/* From the saved state, for the gradients that are wanted into g. */
static poy_status restore_for_pull(poy_ctx *ctx, const poy_rec_item *item, int whole, const poy_rec_array *grad,
                                   array_call *c, poy_sphere_array_gradient *g)
{
    POYI_TRY(ctx, read_call(ctx, item, whole, c));
    *g = (poy_sphere_array_gradient){.spheres = poyi_spheres_gradient_of(item, c->memory, grad),
                                     .with_kpar = grad[KPAR].data != NULL};
    POYI_TRY(ctx, poyi_sphere_array_restore(ctx, &c->s, whole, item->saved, &c->v));
    c->v.wanted = poyi_spheres_wanted(grad) | (grad[LATTICE].data ? POYI_WANT_LATTICE : 0u) |
                  (grad[KPAR].data ? POYI_WANT_KPAR : 0u);
    return POY_OK;
}

static void write_gradient(const poy_rec_item *item, const poy_sphere_array_gradient *g, const poy_rec_array *grad)
{
    poyi_spheres_write(item, &g->spheres, grad);
    if (grad[LATTICE].data)
        memcpy(grad[LATTICE].data, g->lattice, sizeof g->lattice);
    if (grad[KPAR].data)
        memcpy(grad[KPAR].data, g->kpar, sizeof g->kpar);
}

/* From the saved state, with the tangents of the inputs in d. */
static poy_status restore_for_push(poy_ctx *ctx, const poy_rec_item *item, int whole, const poy_rec_array *tan,
                                   array_call *c, poy_sphere_array_gradient *d)
{
    POYI_TRY(ctx, read_call(ctx, item, whole, c));
    *d = (poy_sphere_array_gradient){.spheres = poyi_spheres_tangent_of(item, c->memory, tan),
                                     .with_kpar = tan[KPAR].data != NULL};
    if (tan[LATTICE].data)
        memcpy(d->lattice, tan[LATTICE].data, sizeof d->lattice);
    if (tan[KPAR].data)
        memcpy(d->kpar, tan[KPAR].data, sizeof d->kpar);
    POYI_TRY(ctx, poyi_sphere_array_restore(ctx, &c->s, whole, item->saved, &c->v));
    return POY_OK;
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

static const poy_rec_option array_options[] = {POYI_OPTION_LMAX};

/* A record of the functions infer_kind, evaluate_kind, pull_kind, push_kind and of kind_examples. */
#define SPHERE_ARRAY(name, kind, sampler)                                  \
    const poy_rec_op poyi_record_##name = {.state_version = 1,             \
                                           .flags = POY_REC_NEEDS_INPUTS,  \
                                           POYI_CHOICES(array_options),    \
                                           POYI_EXAMPLES(kind##_examples), \
                                           .infer = infer_##kind,          \
                                           .evaluate = evaluate_##kind,    \
                                           .pullback = pull_##kind,        \
                                           .pushforward = push_##kind,     \
                                           .sample = sampler}

/* ---- sphere_array_power: the shares of light that are transmitted, reflected and absorbed ---- */

static poy_status infer_power(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
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
    sizes_of(config, in, 0, size);
    return POY_OK;
}

static poy_status evaluate_power(poy_ctx *ctx, const poy_rec_item *item)
{
    array_call c;
    POYI_TRY(ctx, open_call(ctx, item, 0, &c));
    const poy_power_shares shares = poyi_sphere_array_shares(&c.v);
    poyi_sphere_array_close(&c.v);
    *poyi_real(item->out, 0) = shares.transmission;
    *poyi_real(item->out, 1) = shares.reflection;
    *poyi_real(item->out, 2) = shares.absorption;
    return POY_OK;
}

static poy_status pull_power(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    array_call c;
    poy_sphere_array_gradient g;
    double g_out[3];
    for (int i = 0; i < 3; i++)
        g_out[i] = cot[i].data ? *poyi_real(cot, i) : 0.0;
    POYI_TRY(ctx, restore_for_pull(ctx, item, 0, grad, &c, &g));
    const poy_status status = poyi_sphere_array_pull(ctx, &c.v, g_out, &g, grad[INCIDENT].data);
    poyi_sphere_array_close(&c.v);
    if (status == POY_OK)
        write_gradient(item, &g, grad);
    return status;
}

static poy_status push_power(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    array_call c;
    poy_sphere_array_gradient d;
    double d_out[3];
    POYI_TRY(ctx, restore_for_push(ctx, item, 0, tan, &c, &d));
    const poy_status status = poyi_sphere_array_push(ctx, &c.v, &d, tan[INCIDENT].data, d_out);
    poyi_sphere_array_close(&c.v);
    for (int i = 0; status == POY_OK && i < 3; i++)
        *poyi_real(out_tan, i) = d_out[i];
    return status;
}

static poy_status sample_power(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range light = {-1.0, 1.0, -1.0, 1.0, 0.0};
    (void)ctx, (void)config;
    sample_cell(seed, in, &in[ORDERS]);
    poyi_sample_ranges(seed + 3, 1, &light, &in[INCIDENT]);
    return POY_OK;
}

static poy_status sample_power_fixed(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    POYI_TRY(ctx, sample_power(ctx, config, seed, in));
    poyi_clear(&in[KPAR]);
    return POY_OK;
}

/* Two spheres at least: one may stand anywhere in its cell, so that its gradient by positions is nothing but rounding. */
static const poy_rec_example power_examples[] = {
    {"lmax=1", "f64[] f64[2,1] c128[2,1] f64[2,1] f64[2,1] f64[2,3] f64[3] f64[2,2] f64[2] f64[2] f64[1,2]"},
    {"lmax=1", "f64[] f64[2,2] c128[2,2] c128[2,2] c128[2,2] f64[2,3] f64[3] f64[2,2] f64[2] c128[6] f64[3,2]"}};
SPHERE_ARRAY(sphere_array_power, power, sample_power);
SPHERE_ARRAY(sphere_array_power_fixed, power, sample_power_fixed);

/* ---- sphere_array_smatrix: the same without light, in surroundings that may absorb ---- */

static poy_status infer_smatrix(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                poy_rec_size *size)
{
    const int64_t orders = in[WHOLE_ORDERS].dims[0];
    POYI_TRY(ctx, poyi_spheres_check(ctx, config, in));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "array of spheres", 4 * orders));
    if (orders < 1)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "array of spheres: no orders, needs at least (0, 0)");
    out[0].dims[2] = out[0].dims[3] = 2 * orders;
    sizes_of(config, in, 1, size);
    return POY_OK;
}

static poy_status evaluate_smatrix(poy_ctx *ctx, const poy_rec_item *item)
{
    array_call c;
    POYI_TRY(ctx, open_call(ctx, item, 1, &c));
    const poy_status status = poyi_sphere_array_smatrix(ctx, &c.v, item->out[0].data);
    poyi_sphere_array_close(&c.v);
    return status;
}

static poy_status pull_smatrix(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    array_call c;
    poy_sphere_array_gradient g;
    POYI_TRY(ctx, restore_for_pull(ctx, item, 1, grad, &c, &g));
    const poy_status status = poyi_sphere_array_smatrix_pull(ctx, &c.v, cot[0].data, &g);
    poyi_sphere_array_close(&c.v);
    if (status == POY_OK)
        write_gradient(item, &g, grad);
    return status;
}

static poy_status push_smatrix(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    array_call c;
    poy_sphere_array_gradient d;
    POYI_TRY(ctx, restore_for_push(ctx, item, 1, tan, &c, &d));
    const poy_status status = poyi_sphere_array_smatrix_push(ctx, &c.v, &d, out_tan[0].data);
    poyi_sphere_array_close(&c.v);
    return status;
}

static poy_status sample_smatrix(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    sample_cell(seed, in, &in[WHOLE_ORDERS]);
    if (in[POYI_SPHERES_MEDIUM].spec.dtype == POY_C128) /* with loss: at none, the roots of both helicities turn */
        poyi_complex(in, POYI_SPHERES_MEDIUM)->im = 0.2;
    else
        poyi_real(in, POYI_SPHERES_MEDIUM)[2] = 0.0;
    return POY_OK;
}

static poy_status sample_smatrix_fixed(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    POYI_TRY(ctx, sample_smatrix(ctx, config, seed, in));
    poyi_clear(&in[KPAR]);
    return POY_OK;
}

static const poy_rec_example smatrix_examples[] = {
    {"lmax=1", "f64[] f64[2,1] c128[2,1] f64[2,1] f64[2,1] f64[2,3] f64[3] f64[2,2] f64[2] f64[1,2]"},
    {"lmax=1", "f64[] f64[2,2] c128[2,2] c128[2,2] c128[2,2] f64[2,3] c128[3] f64[2,2] f64[2] f64[3,2]"}};
SPHERE_ARRAY(sphere_array_smatrix, smatrix, sample_smatrix);
SPHERE_ARRAY(sphere_array_smatrix_fixed, smatrix, sample_smatrix_fixed);

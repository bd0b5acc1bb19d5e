/* ebcm.c: records of bodies of revolution by the extended boundary condition method: the integral Q over a sampled surface, and the whole
 * T-matrix as a function of shape and media. */
#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/particle/ebcm.h"
#include "scatter/record/common.h"

/* ---- ebcm_qmat: radii, slopes, ks, zs, theta, weights, destination, source ---- */

enum { RADII, SLOPES, KS, ZS, THETA, WEIGHTS, DESTINATION, SOURCE };

/* A call: labels (l, m, pol) of rows and columns, and scratch for one order. */
typedef struct qmat {
    poyi_meridian s;
    int kind, largest; /* order */
    size_t rows, cols;
    int64_t *row, *col; /* [3 n] */
    poy_c128 *block;
    void *memory;
} qmat;

static void close_qmat(qmat *x)
{
    poyi_free(&x->s.memory);
    poyi_free(&x->memory);
}

static poy_status read_modes(poy_ctx *ctx, const poy_rec_array *a, const char *name, int64_t *out, qmat *x)
{
    POYI_TRY(ctx, poyi_labels(ctx, "ebcm_qmat", name, a, out));
    for (int64_t i = 0; i < a->spec.dims[0]; i++) {
        const int64_t l = out[3 * i], m = llabs(out[3 * i + 1]), pol = out[3 * i + 2];
        if (l < 1 || l > POY_DEGREE_MAX || m > l || (pol != 0 && pol != 1))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "ebcm_qmat: mode %lld of %s is (%lld, %lld, %lld), needs l 1 to %d, |m| <= l, pol 0 or 1",
                             (long long)i, name, (long long)l, (long long)out[3 * i + 1], (long long)pol,
                             POY_DEGREE_MAX);
        x->s.lmax = l > x->s.lmax ? (int)l : x->s.lmax;
        x->largest = m > x->largest ? (int)m : x->largest;
    }
    return POY_OK;
}

static poy_status check_surface(poy_ctx *ctx, const poyi_meridian *s)
{
    for (int i = 0; i < s->nodes; i++)
        if (!(s->r[i] > 0.0) || !isfinite(s->r[i] + s->slope[i] + s->weight[i]) || !(s->theta[i] > 0.0) ||
            !(s->theta[i] < 3.1415926535897932))
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "ebcm_qmat: node %d has theta = %g, radius = %g, slope = %g; needs theta within 0 and pi, a "
                "radius above 0, finite numbers",
                i, s->theta[i], s->r[i], s->slope[i]);
    for (int pol = 0; pol < 2; pol++)
        if (s->inside[pol] == 0.0 || s->outside[pol] == 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "ebcm_qmat: a wavenumber is 0");
    return POY_OK;
}

static poy_status open_qmat(poy_ctx *ctx, const poy_rec_item *item, int derivatives, qmat *x)
{
    poy_status status;
    const poy_rec_array *in = item->in;
    const poy_c128 *ks = in[KS].data, *zs = in[ZS].data;
    *x = (qmat){.kind = poyi_choice(item->config, 0) ? POYI_EBCM_REGULAR : POYI_EBCM_SINGULAR,
                .rows = poyi_extent(item, DESTINATION, 0),
                .cols = poyi_extent(item, SOURCE, 0)};
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.record", 3 * (x->rows + x->cols + 1) * sizeof(int64_t), &x->memory));
    x->row = x->memory;
    x->col = x->row + 3 * x->rows;
    POYI_TO_DONE(ctx, poyi_rec_finite(ctx, "ebcm_qmat", "ks", &in[KS]));
    POYI_TO_DONE(ctx, read_modes(ctx, &in[DESTINATION], "destination", x->row, x));
    POYI_TO_DONE(ctx, read_modes(ctx, &in[SOURCE], "source", x->col, x));
    x->s.nodes = (int)poyi_extent(item, RADII, 0);
    x->s.theta = in[THETA].data;
    x->s.weight = in[WEIGHTS].data;
    x->s.r = in[RADII].data;
    x->s.slope = in[SLOPES].data;
    for (int pol = 0; pol < 2; pol++) {
        x->s.inside[pol] = poyi_c(ks[pol]);
        x->s.outside[pol] = poyi_c(ks[2 + pol]);
    }
    x->s.z_inside = poyi_c(zs[0]);
    x->s.z_outside = poyi_c(zs[1]);
    POYI_TO_DONE(ctx, check_surface(ctx, &x->s));
    POYI_TO_DONE(ctx, poyi_meridian_fill(ctx, derivatives, &x->s));
done:
    if (status != POY_OK)
        close_qmat(x);
    return status;
}

/* Entries of one order between the whole block and the matrix of these modes; back: from the matrix into the block. */
static void exchange(const qmat *x, int order, size_t n, int back, poy_c128 *block, poy_c128 *out)
{
    const int first = poyi_ebcm_first(order);
    if (back)
        memset(block, 0, n * n * sizeof *block);
    for (size_t i = 0; i < x->rows; i++)
        for (size_t j = 0; j < x->cols; j++) {
            const int64_t *p = x->row + 3 * i, *q = x->col + 3 * j;
            if (p[1] != order || q[1] != order)
                continue;
            poy_c128 *at = block + (size_t)(2 * (p[0] - first) + p[2]) * n + (size_t)(2 * (q[0] - first) + q[2]);
            poy_c128 *to = out + i * x->cols + j;
            if (back)
                *at = (poy_c128){at->re + to->re, at->im + to->im};
            else
                *to = *at;
        }
}

static poy_status take_block(poy_ctx *ctx, const qmat *x, void **memory)
{
    const size_t n = 2 * (size_t)x->s.lmax;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.record", (n * n + 1) * sizeof(poy_c128), memory));
    return POY_OK;
}

static poy_status evaluate_qmat(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_status status;
    qmat x;
    void *block = NULL;
    POYI_TRY(ctx, open_qmat(ctx, item, 0, &x));
    POYI_TO_DONE(ctx, take_block(ctx, &x, &block));
    poyi_clear(&item->out[0]);
    for (int order = -x.largest; order <= x.largest; order++) {
        POYI_TO_DONE(ctx, poyi_ebcm_integral(ctx, &x.s, x.kind, order, block));
        exchange(&x, order, poyi_ebcm_size(&x.s, order), 0, block, item->out[0].data);
    }
done:
    poyi_free(&block);
    close_qmat(&x);
    return status;
}

static poy_status pull_qmat(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    poy_status status;
    qmat x;
    void *block = NULL, *sums = NULL;
    POYI_TRY(ctx, open_qmat(ctx, item, 1, &x));
    POYI_TO_DONE(ctx, take_block(ctx, &x, &block));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.record", 2 * (size_t)(x.s.nodes + 1) * sizeof(double), &sums));
    poyi_ebcm_inputs g = {.r = sums, .slope = (double *)sums + x.s.nodes};
    for (int order = -x.largest; order <= x.largest; order++) {
        exchange(&x, order, poyi_ebcm_size(&x.s, order), 1, block, cot->data);
        POYI_TO_DONE(ctx, poyi_ebcm_pull(ctx, &x.s, x.kind, order, block, &g));
    }
    if (grad[RADII].data)
        memcpy(grad[RADII].data, g.r, (size_t)x.s.nodes * sizeof(double));
    if (grad[SLOPES].data)
        memcpy(grad[SLOPES].data, g.slope, (size_t)x.s.nodes * sizeof(double));
    for (int pol = 0; grad[KS].data && pol < 2; pol++) {
        poyi_complex(grad, KS)[pol] = poyi_pair(g.inside[pol]);
        poyi_complex(grad, KS)[2 + pol] = poyi_pair(g.outside[pol]);
    }
    if (grad[ZS].data) {
        poyi_complex(grad, ZS)[0] = poyi_pair(g.z_inside);
        poyi_complex(grad, ZS)[1] = poyi_pair(g.z_outside);
    }
    status = POY_OK;
done:
    poyi_free(&sums);
    poyi_free(&block);
    close_qmat(&x);
    return status;
}

static poy_status push_qmat(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                            const poy_rec_array *out_tan)
{
    poy_status status;
    qmat x;
    void *block = NULL;
    const poy_c128 *ks = tan[KS].data, *zs = tan[ZS].data;
    poyi_ebcm_inputs d = {.r = tan[RADII].data, .slope = tan[SLOPES].data};
    for (int pol = 0; ks && pol < 2; pol++) {
        d.inside[pol] = poyi_c(ks[pol]);
        d.outside[pol] = poyi_c(ks[2 + pol]);
    }
    if (zs) {
        d.z_inside = poyi_c(zs[0]);
        d.z_outside = poyi_c(zs[1]);
    }
    POYI_TRY(ctx, open_qmat(ctx, item, 1, &x));
    POYI_TO_DONE(ctx, take_block(ctx, &x, &block));
    poyi_clear(out_tan);
    for (int order = -x.largest; order <= x.largest; order++) {
        POYI_TO_DONE(ctx, poyi_ebcm_push(ctx, &x.s, x.kind, order, &d, block));
        exchange(&x, order, poyi_ebcm_size(&x.s, order), 0, block, out_tan->data);
    }
    status = POY_OK;
done:
    poyi_free(&block);
    close_qmat(&x);
    return status;
}

/* Nodes at the middles of equal steps, two orders of degrees from 1 on. */
static poy_status sample_qmat(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[4] = {
        {0.6, 0.9, 0.0, 0.0, 0.0}, {-0.2, 0.2, 0.0, 0.0, 0.0}, {1.0, 1.6, 0.02, 0.1, 0.0}, {0.6, 1.2, -0.1, 0.1, 0.0}};
    const int64_t nodes = in[RADII].spec.dims[0];
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 4, ranges, in);
    for (int64_t i = 0; i < nodes; i++) {
        poyi_real(in, THETA)[i] = 3.1415 * ((double)i + 0.5) / (double)nodes;
        poyi_real(in, WEIGHTS)[i] = 3.1415 / (double)nodes;
    }
    for (int side = DESTINATION; side <= SOURCE; side++)
        for (int64_t i = 0; i < in[side].spec.dims[0]; i++) {
            const double row[3] = {(double)(1 + i / 4), (double)(i / 2 % 2), (double)(1 - i % 2)};
            memcpy(poyi_real(in, side) + 3 * i, row, sizeof row);
        }
    return POY_OK;
}

static const poy_rec_option qmat_options[] = {
    {"singular", POY_REC_WORD, "yes|no", "yes", "outgoing waves outside, else regular ones"}};
static const poy_rec_example qmat_examples[] = {
    {"", "f64[5] f64[5] c128[2,2] c128[2] f64[5] f64[5] f64[8,3] f64[8,3]"},
    {"singular=no", "f64[4] f64[4] c128[2,2] f64[2] f64[4] f64[4] f64[8,3] f64[4,3]"}};
const poy_rec_op poyi_record_ebcm_qmat = {.state_version = 1,
                                          .flags = POY_REC_NEEDS_INPUTS,
                                          POYI_CHOICES(qmat_options),
                                          POYI_EXAMPLES(qmat_examples),
                                          .evaluate = evaluate_qmat,
                                          .pullback = pull_qmat,
                                          .pushforward = push_qmat,
                                          .sample = sample_qmat};

/* ---- axisymmetric: k0, parameters, epsilon, mu, kappa ---- */

enum { LMAX, MMAX, PROFILE, THIRD, NODES };

static poy_status infer_body(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                             poy_rec_size *size)
{
    const int64_t lmax = poyi_choice(config, LMAX), mmax = poyi_choice(config, MMAX);
    (void)in, (void)size;
    if (lmax < 1 || lmax > POY_DEGREE_MAX || mmax > lmax)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "axisymmetric: lmax = %lld and mmax = %lld, needs lmax 1 to %d and mmax <= lmax",
                         (long long)lmax, (long long)mmax, POY_DEGREE_MAX);
    int64_t modes = 0;
    for (int64_t m = -(mmax < 0 ? lmax : mmax); m <= (mmax < 0 ? lmax : mmax); m++)
        modes += 2 * (lmax - (m == 0 ? 1 : llabs(m)) + 1);
    out->dims[0] = out->dims[1] = modes;
    return POY_OK;
}

static void read_body(const poy_rec_item *item, poy_profile *profile, poyi_body *b)
{
    const poy_rec_array *in = item->in;
    const poyi_choices *c = item->config;
    const poy_c128 *epsilon = in[2].data, *mu = in[3].data, *kappa = in[4].data;
    *profile = (poy_profile){.kind = (poy_profile_kind)c->of[PROFILE],
                             .parameter = {poyi_real(in, 1)[0], poyi_real(in, 1)[1], c->real[THIRD]},
                             .nodes = (int)c->of[NODES]};
    *b = (poyi_body){.embedding = {.k0 = *poyi_real(in, 0), .medium = {epsilon[1], mu[1], kappa[1]}},
                     .inside = {epsilon[0], mu[0], kappa[0]},
                     .lmax = (int)c->of[LMAX],
                     .mmax = (int)c->of[MMAX],
                     .profile = profile};
}

static poy_status evaluate_body(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_profile profile;
    poyi_body b;
    poy_tmatrix *t = NULL;
    read_body(item, &profile, &b);
    POYI_TRY(ctx, poy_tmatrix_axisymmetric(ctx, &b.embedding, b.lmax, b.mmax, &profile, &b.inside, &t));
    memcpy(item->out[0].data, poy_tmatrix_values(t), poy_rec_bytes(&item->out[0].spec));
    poy_tmatrix_destroy(&t);
    return POY_OK;
}

static poy_status pull_body(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    poy_profile profile;
    poyi_body b;
    poyi_body_inputs g;
    read_body(item, &profile, &b);
    POYI_TRY(ctx, poyi_body_pull(ctx, &b, item->out[0].data, cot->data, &g));
    const poy_c128 parts[3][2] = {
        {g.inside.epsilon, g.outside.epsilon}, {g.inside.mu, g.outside.mu}, {g.inside.kappa, g.outside.kappa}};
    if (grad[0].data)
        *poyi_real(grad, 0) = g.k0;
    if (grad[1].data)
        memcpy(grad[1].data, g.parameter, sizeof g.parameter);
    for (int i = 0; i < 3; i++)
        if (grad[2 + i].data)
            memcpy(grad[2 + i].data, parts[i], sizeof parts[i]);
    return POY_OK;
}

static poy_status push_body(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                            const poy_rec_array *out_tan)
{
    static const poy_c128 none[2] = {{0.0, 0.0}, {0.0, 0.0}};
    poy_profile profile;
    poyi_body b;
    poyi_body_inputs d = {.k0 = tan[0].data ? *poyi_real(tan, 0) : 0.0};
    const poy_c128 *parts[3];
    for (int i = 0; i < 3; i++)
        parts[i] = tan[2 + i].data ? tan[2 + i].data : none;
    d.inside = (poy_medium){parts[0][0], parts[1][0], parts[2][0]};
    d.outside = (poy_medium){parts[0][1], parts[1][1], parts[2][1]};
    if (tan[1].data)
        memcpy(d.parameter, tan[1].data, sizeof d.parameter);
    read_body(item, &profile, &b);
    POYI_TRY(ctx, poyi_body_push(ctx, &b, item->out[0].data, &d, out_tan->data));
    return POY_OK;
}

static poy_status sample_body(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[5] = {{0.9, 1.3, 0.0, 0.0, 0.0},
                                  {0.6, 0.8, 0.0, 0.0, 0.0},
                                  {1.5, 2.5, 0.05, 0.3, 0.0},
                                  {0.9, 1.2, 0.0, 0.05, 0.0},
                                  {-0.1, 0.1, 0.0, 0.01, 0.0}};
    (void)ctx;
    poyi_sample_ranges(seed, 5, ranges, in);
    if (poyi_choice(config, PROFILE) == POY_PROFILE_CHEBYSHEV)
        poyi_real(in, 1)[1] *= 0.2; /* a ripple */
    return POY_OK;
}

static const poy_rec_option body_options[] = {
    {"lmax", POY_REC_INTEGER, NULL, NULL, "degrees, 1 to 128"},
    {"mmax", POY_REC_INTEGER, NULL, "-1", "orders; below 0: lmax. Fewer than lmax: modes m, l, pol 1 before 0"},
    {"profile", POY_REC_WORD, "spheroid|chebyshev|superellipsoid", "spheroid",
     "parameters: half axes a across and c along z; radius and ripple; half axes"},
    {"third", POY_REC_REAL, NULL, "1", "chebyshev: number of waves; superellipsoid: exponent e"},
    {"nodes", POY_REC_INTEGER, NULL, "0", "over theta; 0: 96, or 6 lmax if that is more"}};
static const poy_rec_example body_examples[] = {
    {"lmax=2;nodes=16", "f64[] f64[2] c128[2] c128[2] c128[2]"},
    {"lmax=2;mmax=1;profile=chebyshev;third=3;nodes=24", "f64[] f64[2] c128[2] f64[2] f64[2]"},
    {"lmax=1;profile=superellipsoid;third=0.8;nodes=24", "f64[] f64[2] f64[2] f64[2] f64[2]"}};
const poy_rec_op poyi_record_axisymmetric = {.state_version = 1,
                                             .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                             POYI_CHOICES(body_options),
                                             POYI_EXAMPLES(body_examples),
                                             .infer = infer_body,
                                             .evaluate = evaluate_body,
                                             .pullback = pull_body,
                                             .pushforward = push_body,
                                             .sample = sample_body};

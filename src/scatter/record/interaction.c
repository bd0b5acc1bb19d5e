/* interaction.c: records of particles that scatter into each other, of their T-matrices and couplings as they come.
 *
 * With A = 1 - T C: X = A^-1 T and A^-1 = 1 + X C. So dX = (1 + X C) dT (1 + C X) + X dC X, and with q = X^H g, h = A^-H g
 * = g + C^H q: g_T = h (1 + C X)^H, g_C = q X^H. Columns p = X a: g_a = q, g_C = q p^H, g_T = h (a + C p)^H. */
#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/record/common.h"

/* The factored equations S^-1 A S, S of powers of 2 about the square root of the largest entry of T's rows. */
typedef struct factors {
    poy_c128 *lu;    /* [n][n] */
    double *scale;   /* [n] */
    int32_t *pivots; /* [n] */
} factors;

static size_t factor_bytes(size_t n)
{
    return n * n * sizeof(poy_c128) + n * sizeof(double) + (n * sizeof(int32_t) + 7) / 8 * 8;
}

static factors factors_in(const void *memory, size_t n)
{
    factors f = {.lu = (poy_c128 *)(uintptr_t)memory}; /* not written to where it is a saved state */
    f.scale = (double *)(void *)(f.lu + n * n);
    f.pivots = (int32_t *)(void *)(f.scale + n);
    return f;
}

static void scale_rows(const factors *f, size_t n, size_t columns, int divide, poy_c128 *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < columns; j++) {
            const double s = divide ? 1.0 / f->scale[i] : f->scale[i];
            a[i * columns + j] = (poy_c128){s * a[i * columns + j].re, s * a[i * columns + j].im};
        }
}

static poy_status factor(poy_ctx *ctx, const char *who, size_t n, const poy_c128 *t, const poy_c128 *c, factors *f)
{
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, (int64_t)n, (int64_t)n, -1.0, t, c, 0.0, f->lu);
    for (size_t i = 0; i < n; i++) {
        double most = 0.0;
        for (size_t j = 0; j < n; j++)
            most = fmax(most, hypot(t[i * n + j].re, t[i * n + j].im));
        f->scale[i] = exp2(round(0.5 * log2(fmax(most, 1e-290))));
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double ratio = f->scale[j] / f->scale[i];
            poy_c128 *v = &f->lu[i * n + j];
            *v = (poy_c128){(i == j) + ratio * v->re, ratio * v->im};
        }
    if (poyi_lu_factor(POY_C128, (int64_t)n, f->lu, f->pivots) != 0)
        return POYI_FAIL(ctx, POY_ERR_SINGULAR, "%s: 1 - T C is singular: the particles' equations have no solution",
                         who);
    return POY_OK;
}

/* x [n][columns] becomes A^-1 x or, adjoint, A^-H x. work: as large. */
static void solve(const factors *f, size_t n, size_t columns, int adjoint, poy_c128 *x, poy_c128 *work)
{
    scale_rows(f, n, columns, !adjoint, x);
    poyi_lu_solve(POY_C128, adjoint, (int64_t)n, (int64_t)columns, f->lu, f->pivots, x, x, work);
    scale_rows(f, n, columns, adjoint, x);
}

static void product(char op_a, char op_b, size_t m, size_t n, size_t k, const poy_c128 *a, const poy_c128 *b,
                    double beta, poy_c128 *c)
{
    poyi_gemm(POY_C128, op_a, op_b, (int64_t)m, (int64_t)n, (int64_t)k, 1.0, a, b, beta, c);
}

static poy_status check_inputs(poy_ctx *ctx, const char *who, const poy_rec_item *item, int n_in)
{
    static const char *const names[] = {"T", "C", "incident"};
    for (int i = 0; i < n_in; i++)
        POYI_TRY(ctx, poyi_rec_finite(ctx, who, names[i], &item->in[i]));
    return POY_OK;
}

/* ---- interaction: the whole matrix ---- */

/* scratch: factors and their work, or three matrices. */
static poy_status infer_interaction(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                    poy_rec_size *size)
{
    const size_t matrix = poy_rec_bytes(&in[0]);
    (void)config, (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "interaction", in[0].dims[0]));
    const size_t evaluation = factor_bytes((size_t)in[0].dims[0]) + matrix;
    size->scratch = evaluation > 3 * matrix ? evaluation : 3 * matrix;
    return POY_OK;
}

static poy_status evaluate_interaction(poy_ctx *ctx, const poy_rec_item *item)
{
    const size_t n = poyi_extent(item, 0, 0);
    factors f = factors_in(item->scratch, n);
    poy_c128 *work = (poy_c128 *)(void *)((unsigned char *)item->scratch + factor_bytes(n)), *x = item->out[0].data;
    POYI_TRY(ctx, check_inputs(ctx, "interaction", item, 2));
    POYI_TRY(ctx, factor(ctx, "interaction", n, item->in[0].data, item->in[1].data, &f));
    memcpy(x, item->in[0].data, n * n * sizeof *x);
    solve(&f, n, n, 0, x, work);
    return POY_OK;
}

/* 1 + C X */
static void exciting(const poy_rec_item *item, size_t n, poy_c128 *out)
{
    product('n', 'n', n, n, n, item->in[1].data, item->out[0].data, 0.0, out);
    for (size_t i = 0; i < n; i++)
        out[i * n + i].re += 1.0;
}

static poy_status pull_interaction(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                   const poy_rec_array *grad)
{
    const size_t n = poyi_extent(item, 0, 0);
    const poy_c128 *x = item->out[0].data;
    poy_c128 *q = item->scratch, *h = q + n * n, *e = h + n * n;
    (void)ctx;
    product('c', 'n', n, n, n, x, cot->data, 0.0, q);
    if (grad[0].data) {
        memcpy(h, cot->data, n * n * sizeof *h);
        product('c', 'n', n, n, n, item->in[1].data, q, 1.0, h);
        exciting(item, n, e);
        product('n', 'c', n, n, n, h, e, 0.0, grad[0].data);
    }
    if (grad[1].data)
        product('n', 'c', n, n, n, q, x, 0.0, grad[1].data);
    return POY_OK;
}

static poy_status push_interaction(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                   const poy_rec_array *out_tan)
{
    const size_t n = poyi_extent(item, 0, 0);
    const poy_c128 *x = item->out[0].data;
    poy_c128 *v = item->scratch, *w = v + n * n, *e = w + n * n, *d_x = out_tan->data;
    (void)ctx;
    memset(d_x, 0, n * n * sizeof *d_x);
    if (tan[0].data) { /* v = dT (1 + C X), then (1 + X C) v */
        exciting(item, n, e);
        product('n', 'n', n, n, n, tan[0].data, e, 0.0, v);
        product('n', 'n', n, n, n, item->in[1].data, v, 0.0, w);
        memcpy(d_x, v, n * n * sizeof *d_x);
        product('n', 'n', n, n, n, x, w, 1.0, d_x);
    }
    if (tan[1].data) {
        product('n', 'n', n, n, n, tan[1].data, x, 0.0, w);
        product('n', 'n', n, n, n, x, w, 1.0, d_x);
    }
    return POY_OK;
}

/* ---- illuminate: columns ---- */

/* scratch: three arrays of columns; without a state also the factors. */
static poy_status infer_illuminate(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                   poy_rec_size *size)
{
    (void)config, (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "illuminate", in[0].dims[0]));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "illuminate", in[2].dims[1]));
    size->state = factor_bytes((size_t)in[0].dims[0]);
    size->scratch = 3 * poy_rec_bytes(&in[2]) + size->state;
    return POY_OK;
}

static poy_status evaluate_illuminate(poy_ctx *ctx, const poy_rec_item *item)
{
    const size_t n = poyi_extent(item, 0, 0), m = poyi_extent(item, 2, 1);
    unsigned char *spare = (unsigned char *)item->scratch + 3 * n * m * sizeof(poy_c128);
    factors f = factors_in(item->state ? item->state : spare, n);
    POYI_TRY(ctx, check_inputs(ctx, "illuminate", item, 3));
    POYI_TRY(ctx, factor(ctx, "illuminate", n, item->in[0].data, item->in[1].data, &f));
    product('n', 'n', n, m, n, item->in[0].data, item->in[2].data, 0.0, item->out[0].data);
    solve(&f, n, m, 0, item->out[0].data, item->scratch);
    return POY_OK;
}

/* a + C p */
static void exciting_columns(const poy_rec_item *item, size_t n, size_t m, poy_c128 *out)
{
    memcpy(out, item->in[2].data, n * m * sizeof *out);
    product('n', 'n', n, m, n, item->in[1].data, item->out[0].data, 1.0, out);
}

static poy_status pull_illuminate(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                  const poy_rec_array *grad)
{
    const size_t n = poyi_extent(item, 0, 0), m = poyi_extent(item, 2, 1);
    const factors f = factors_in(item->saved, n);
    poy_c128 *h = item->scratch, *q = h + n * m, *e = q + n * m;
    (void)ctx;
    memcpy(h, cot->data, n * m * sizeof *h);
    solve(&f, n, m, 1, h, q);
    if (grad[0].data) {
        exciting_columns(item, n, m, e);
        product('n', 'c', n, n, m, h, e, 0.0, grad[0].data);
    }
    if (!grad[1].data && !grad[2].data)
        return POY_OK;
    product('c', 'n', n, m, n, item->in[0].data, h, 0.0, q);
    if (grad[1].data)
        product('n', 'c', n, n, m, q, item->out[0].data, 0.0, grad[1].data);
    if (grad[2].data)
        memcpy(grad[2].data, q, n * m * sizeof *q);
    return POY_OK;
}

/* A dp = dT (a + C p) + T (dC p + da) */
static poy_status push_illuminate(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                  const poy_rec_array *out_tan)
{
    const size_t n = poyi_extent(item, 0, 0), m = poyi_extent(item, 2, 1);
    const factors f = factors_in(item->saved, n);
    poy_c128 *e = item->scratch, *d_p = out_tan->data;
    (void)ctx;
    memset(e, 0, n * m * sizeof *e);
    if (tan[2].data)
        memcpy(e, tan[2].data, n * m * sizeof *e);
    if (tan[1].data)
        product('n', 'n', n, m, n, tan[1].data, item->out[0].data, 1.0, e);
    product('n', 'n', n, m, n, item->in[0].data, e, 0.0, d_p);
    if (tan[0].data) {
        exciting_columns(item, n, m, e);
        product('n', 'n', n, m, n, tan[0].data, e, 1.0, d_p);
    }
    solve(&f, n, m, 0, d_p, e);
    return POY_OK;
}

/* ---- the records ---- */

/* |T| about 0.2 and |C| below 1: far from singular. */
static poy_status sample(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const double most = 0.5 / (double)(in[0].spec.dims[0] + 1);
    const poyi_range ranges[3] = {
        {-most, most, -most, most, 0.0}, {-1.0, 1.0, -1.0, 1.0, 0.0}, {-1.0, 1.0, -1.0, 1.0, 0.0}};
    (void)ctx;
    poyi_sample_ranges(seed, config ? 3 : 2, ranges, in);
    return POY_OK;
}

static const poy_rec_example interaction_examples[] = {
    {"", "c128[3,3] c128[3,3]"}, {"", "f64[4,4] c128[4,4]"}, {"", "c128[0,0] c128[0,0]"}};
static const poy_rec_example illuminate_examples[] = {
    {"", "c128[3,3] c128[3,3] c128[3,2]"}, {"", "c128[4,4] f64[4,4] c128[4,1]"}, {"", "c128[2,2] c128[2,2] c128[2,0]"}};

const poy_rec_op poyi_record_interaction = {.state_version = 1,
                                            .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                            POYI_EXAMPLES(interaction_examples),
                                            .infer = infer_interaction,
                                            .evaluate = evaluate_interaction,
                                            .pullback = pull_interaction,
                                            .pushforward = push_interaction,
                                            .sample = sample};

static const int with_incident = 1;
const poy_rec_op poyi_record_illuminate = {.state_version = 1,
                                           .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                           POYI_EXAMPLES(illuminate_examples),
                                           .user = &with_incident,
                                           .infer = infer_illuminate,
                                           .evaluate = evaluate_illuminate,
                                           .pullback = pull_illuminate,
                                           .pushforward = push_illuminate,
                                           .sample = sample};

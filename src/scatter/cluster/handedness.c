/* handedness.c: circular dichroism, duality breaking and electromagnetic chirality of a T-matrix, with their gradients: real numbers,
 * so that one gradient serves both directions. */
#include "scatter/cluster/handedness.h"

#include <float.h>
#include <string.h>

#include "record/lapack.h"

static double square(poy_c128 v)
{
    return v.re * v.re + v.im * v.im;
}

/* ---- circular dichroism: A_p = -sum over columns j of p of w_j Re T_jj + sum_i w_i |T_ij|^2 ---- */

static poy_status dichroism(poy_ctx *ctx, const poyi_metric_call *c, double *out, poy_c128 *g_t, double *g_weight)
{
    const size_t n = c->n;
    double absorbed[2] = {0.0, 0.0};
    for (size_t j = 0; j < n; j++) {
        absorbed[c->pol[j]] -= c->weight[j] * c->t[j * n + j].re;
        for (size_t i = 0; i < n; i++)
            absorbed[c->pol[j]] -= c->weight[i] * square(c->t[i * n + j]);
    }
    const double sum = absorbed[0] + absorbed[1];
    if (sum == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "circular dichroism: nothing is absorbed, 0 / 0");
    *out = (absorbed[1] - absorbed[0]) / sum;
    const double by[2] = {-2.0 * absorbed[1] / (sum * sum), 2.0 * absorbed[0] / (sum * sum)}; /* d out / dA_p */
    for (size_t j = 0; j < n && g_t; j++) {
        const double g = by[c->pol[j]];
        for (size_t i = 0; i < n; i++) {
            const poy_c128 v = c->t[i * n + j];
            g_t[i * n + j] = (poy_c128){-2.0 * g * c->weight[i] * v.re, -2.0 * g * c->weight[i] * v.im};
            g_weight[i] -= g * square(v);
        }
        g_t[j * n + j].re -= g * c->weight[j];
        g_weight[j] -= g * c->t[j * n + j].re;
    }
    return POY_OK;
}

/* ---- duality breaking ---- */

static poy_status breaking(const poyi_metric_call *c, double all, double *out, poy_c128 *g_t)
{
    const size_t n = c->n;
    double changed = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            changed += c->pol[i] != c->pol[j] ? square(c->t[i * n + j]) : 0.0;
    *out = changed / all;
    for (size_t i = 0; i < n && g_t; i++)
        for (size_t j = 0; j < n; j++) {
            const double g = 2.0 * ((c->pol[i] != c->pol[j]) - *out) / all;
            g_t[i * n + j] = (poy_c128){g * c->t[i * n + j].re, g * c->t[i * n + j].im};
        }
    return POY_OK;
}

/* ---- electromagnetic chirality ---- */

/* Rows of pol p and columns of pol q. */
typedef struct block {
    int p, q;
    size_t rows, cols;
    double *s; /* [n], padded with 0 */
    poy_c128 *u, *vh;
} block;

/* Scratch of all: four blocks' values and vectors, one matrix, LAPACK's work. */
typedef struct scratch {
    block blocks[4]; /* T_11 against T_00, T_10 against T_01 */
    poy_c128 *matrix;
    void *work, *memory;
} scratch;

static poy_status open_scratch(poy_ctx *ctx, const poyi_metric_call *c, int vectors, scratch *x)
{
    const size_t n = c->n, each = vectors ? n * n : 0;
    const size_t work = vectors ? poyi_svd_full_work((int64_t)n, (int64_t)n) : poyi_svd_work((int64_t)n, (int64_t)n);
    *x = (scratch){0};
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.cross",
                                  (n * n + 8 * each) * sizeof(poy_c128) + 4 * n * sizeof(double) + work, &x->memory));
    x->matrix = x->memory;
    poy_c128 *vectors_at = x->matrix + n * n;
    double *values = (double *)(void *)(vectors_at + 8 * each);
    for (size_t k = 0; k < 4; k++) {
        const int which = (int)(k % 2), p = 1 - which;
        x->blocks[k] = (block){.p = p,
                               .q = k < 2 ? p : which,
                               .s = values + k * n,
                               .u = vectors_at + 2 * k * each,
                               .vh = vectors_at + (2 * k + 1) * each};
    }
    x->work = values + 4 * n;
    return POY_OK;
}

static void pick(const poyi_metric_call *c, block *b, poy_c128 *out)
{
    b->rows = b->cols = 0;
    for (size_t j = 0; j < c->n; j++) {
        b->rows += c->pol[j] == b->p;
        b->cols += c->pol[j] == b->q;
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n && c->pol[i] == b->p; j++)
            if (c->pol[j] == b->q)
                *out++ = c->t[i * c->n + j];
}

/* The cotangents of singular values are one for equal ones, and 0 for 0, so that any vectors of theirs do. */
static int is_smooth(const block *b, const double *g, double largest)
{
    const size_t count = b->rows < b->cols ? b->rows : b->cols;
    const double close = 64.0 * DBL_EPSILON * largest;
    for (size_t i = 0; i < count; i++) {
        if (b->s[i] <= close && fabs(g[i]) > close)
            return 0;
        if (i > 0 && b->s[i - 1] - b->s[i] <= close && fabs(g[i] - g[i - 1]) > 4.0 * close)
            return 0;
    }
    return 1;
}

/* Adds factor U diag(g) V^H to the block's place in g_t. g: scratch [n]; matrix: scratch. */
static void spread(const poyi_metric_call *c, const block *b, const double *g, double factor, poy_c128 *matrix,
                   poy_c128 *g_t)
{
    const size_t k = b->rows < b->cols ? b->rows : b->cols;
    for (size_t i = 0; i < b->rows; i++)
        for (size_t l = 0; l < k; l++) {
            b->u[i * k + l].re *= factor * g[l];
            b->u[i * k + l].im *= factor * g[l];
        }
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)b->rows, (int64_t)b->cols, (int64_t)k, 1.0, b->u, b->vh, 0.0, matrix);
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n && c->pol[i] == b->p; j++)
            if (c->pol[j] == b->q) {
                g_t[i * c->n + j].re += matrix->re;
                g_t[i * c->n + j].im += matrix->im;
                matrix++;
            }
}

/* out^2 all = sum of squares of differences: d out = (d sum - out^2 d all) / (2 out all). */
static poy_status chirality_gradient(poy_ctx *ctx, const poyi_metric_call *c, double all, double value, scratch *x,
                                     poy_c128 *g_t, int *smooth)
{
    void *memory = NULL;
    const size_t n = c->n;
    double largest = 0.0;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cross", 4 * n * sizeof(double), &memory));
    double *g = memory;
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < n; i++) {
            g[k * n + i] = 2.0 * (x->blocks[k].s[i] - x->blocks[k ^ 1].s[i]);
            largest = fmax(largest, x->blocks[k].s[i]);
        }
    *smooth = value > 64.0 * DBL_EPSILON;
    for (size_t k = 0; k < 4; k++)
        *smooth = *smooth && is_smooth(&x->blocks[k], g + k * n, largest);
    for (size_t i = 0; i < n * n && *smooth; i++)
        g_t[i] = (poy_c128){-value / all * c->t[i].re, -value / all * c->t[i].im};
    for (size_t k = 0; k < 4 && *smooth; k++)
        spread(c, &x->blocks[k], g + k * n, 0.5 / (value * all), x->matrix, g_t);
    poyi_free(&memory);
    return POY_OK;
}

static poy_status chirality(poy_ctx *ctx, const poyi_metric_call *c, double all, double *out, poy_c128 *g_t,
                            int *smooth)
{
    poy_status status;
    scratch x;
    double sum = 0.0;
    POYI_TRY(ctx, open_scratch(ctx, c, g_t != NULL, &x));
    for (size_t k = 0; k < 4; k++) {
        block *b = &x.blocks[k];
        pick(c, b, x.matrix);
        if (g_t)
            POYI_TO_DONE(ctx, poyi_svd(ctx, (int64_t)b->rows, (int64_t)b->cols, x.matrix, b->s, b->u, b->vh, x.work));
        else
            POYI_TO_DONE(ctx, poyi_singular_values(ctx, (int64_t)b->rows, (int64_t)b->cols, x.matrix, b->s, x.work));
    }
    for (size_t k = 0; k < 4; k += 2)
        for (size_t i = 0; i < c->n; i++)
            sum += (x.blocks[k].s[i] - x.blocks[k + 1].s[i]) * (x.blocks[k].s[i] - x.blocks[k + 1].s[i]);
    *out = sqrt(sum / all);
    if (g_t)
        POYI_TO_DONE(ctx, chirality_gradient(ctx, c, all, *out, &x, g_t, smooth));
    status = POY_OK;
done:
    poyi_free(&x.memory);
    return status;
}

poy_status poyi_metric_value(poy_ctx *ctx, const poyi_metric_call *call, double *out, poy_c128 *g_t, double *g_weight,
                             int *smooth)
{
    const size_t n = call->n;
    double all = 0.0;
    if (g_t) {
        memset(g_t, 0, n * n * sizeof *g_t);
        memset(g_weight, 0, n * sizeof *g_weight);
        *smooth = 1;
    }
    for (size_t i = 0; i < n * n; i++)
        all += square(call->t[i]);
    if (call->metric == POYI_CIRCULAR_DICHROISM)
        return dichroism(ctx, call, out, g_t, g_weight);
    if (all == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the T-matrix is 0",
                         call->metric == POYI_CHIRALITY ? "electromagnetic chirality" : "duality breaking");
    if (call->metric == POYI_DUALITY_BREAKING)
        return breaking(call, all, out, g_t);
    return chirality(ctx, call, all, out, g_t, smooth);
}

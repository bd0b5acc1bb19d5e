/* cascade.c: S-matrices upon one another, and the waves between them. */
#include <string.h>

#include "record/lapack.h"
#include "scatter/stack/smatrix.h"

/* ---- products ---- */

/* row[n] = x a[i] + y a[p] of matrices with n columns */
static void combine(size_t n, poy_c128 x, const poy_c128 *a, poy_c128 y, const poy_c128 *b, poy_c128 *out)
{
    for (size_t j = 0; j < n; j++) {
        out[j].re = x.re * a[j].re - x.im * a[j].im + (y.re * b[j].re - y.im * b[j].im);
        out[j].im = x.re * a[j].im + x.im * a[j].re + (y.re * b[j].im + y.im * b[j].re);
    }
}

void poyi_block_product(size_t n, const size_t *partner, const poy_c128 *a, int a_paired, const poy_c128 *b,
                        int b_paired, poy_c128 *c)
{
    static const poy_c128 none = {0.0, 0.0};
    if (a_paired) {
        for (size_t i = 0; i < n; i++) {
            const size_t p = partner[i] == POYI_NO_PARTNER ? i : partner[i];
            combine(n, a[i * n + i], b + i * n, p == i ? none : a[i * n + p], b + p * n, c + i * n);
        }
        return;
    }
    if (b_paired) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const size_t p = partner[j] == POYI_NO_PARTNER ? j : partner[j];
                const double complex own = poyi_c(a[i * n + j]) * poyi_c(b[j * n + j]);
                c[i * n + j] = poyi_pair(p == j ? own : own + poyi_c(a[i * n + p]) * poyi_c(b[p * n + j]));
            }
        return;
    }
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, (int64_t)n, (int64_t)n, 1.0, a, b, 0.0, c);
}

static poy_c128 plus(poy_c128 a, poy_c128 b)
{
    return (poy_c128){a.re + b.re, a.im + b.im};
}

/* c[n] += a[n][n] b[n] */
static void add_vector(size_t n, const poy_c128 *a, const poy_c128 *b, poy_c128 *c)
{
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, 1, (int64_t)n, 1.0, a, b, 1.0, c);
}

/* ---- between two ---- */

void poyi_between_destroy(poyi_between *b)
{
    poyi_free(&b->memory);
}

poy_status poyi_between_create(poy_ctx *ctx, const poy_smatrix *lower, const poy_smatrix *upper, poyi_between *out)
{
    const size_t n = lower->n;
    *out = (poyi_between){.n = n};
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "S-matrix", (int64_t)n));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.smatrix", n * n * sizeof(poy_c128) + n * sizeof(int32_t), &out->memory));
    out->m = out->memory;
    out->pivots = (int32_t *)(void *)(out->m + n * n);
    poyi_block_product(n, lower->partner, poyi_block(lower, 0, 1), lower->paired, poyi_block(upper, 1, 0),
                       upper->paired, out->m);
    for (size_t i = 0; i < n * n; i++)
        out->m[i] = (poy_c128){(i % (n + 1) == 0) - out->m[i].re, -out->m[i].im};
    if (n > 0 && poyi_lu_factor(POY_C128, (int64_t)n, out->m, out->pivots) != 0) {
        poyi_between_destroy(out);
        return POYI_FAIL(ctx, POY_ERR_SINGULAR, "cascade: a wave between two planes returns to itself without loss");
    }
    return POY_OK;
}

/* Order by order, both paired. */
static poy_status cascade_pairs(poy_ctx *ctx, const poy_smatrix *lower, const poy_smatrix *upper, poy_smatrix *out)
{
    for (size_t i = 0; i < out->n; i++) {
        const size_t at[2] = {i, out->partner[i]};
        poyi_sheet a, b, c;
        if (at[1] < i)
            continue;
        for (int e = 0; e < 16; e++) {
            const size_t place = at[e / 2 % 2] * out->n + at[e % 2];
            a.s[e / 8][e / 4 % 2][e / 2 % 2][e % 2] = poyi_c(poyi_block(lower, e / 8, e / 4 % 2)[place]);
            b.s[e / 8][e / 4 % 2][e / 2 % 2][e % 2] = poyi_c(poyi_block(upper, e / 8, e / 4 % 2)[place]);
        }
        POYI_TRY(ctx, poyi_sheet_cascade(ctx, &a, &b, &c));
        for (int e = 0; e < 16; e++)
            poyi_block(out, e / 8, e / 4 % 2)[at[e / 2 % 2] * out->n + at[e % 2]] =
                poyi_pair(c.s[e / 8][e / 4 % 2][e / 2 % 2][e % 2]);
    }
    return POY_OK;
}

/* With M = 1 - a01 b10: M t = a00, M w = a01 b11 by one factorisation; then S00 = b00 t, S10 = a10 + a11 (b10 t),
 * S11 = a11 (b11 + b10 w), S01 = b01 + b00 w. */
static poy_status cascade_all(poy_ctx *ctx, const poy_smatrix *a, const poy_smatrix *b, poy_smatrix *out)
{
    poy_status status;
    poyi_between m;
    void *memory = NULL;
    const size_t n = a->n, size = n * n, *pairs = a->partner;
    POYI_TRY(ctx, poyi_between_create(ctx, a, b, &m));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.smatrix", 7 * size * sizeof(poy_c128), &memory));
    poy_c128 *both = memory, *work = both + 2 * size, *t = work + 2 * size, *w = t + size, *x = w + size;
    poyi_block_product(n, pairs, poyi_block(a, 0, 1), a->paired, poyi_block(b, 1, 1), b->paired, w);
    for (size_t i = 0; i < n; i++) {
        memcpy(both + 2 * i * n, poyi_block(a, 0, 0) + i * n, n * sizeof *both);
        memcpy(both + (2 * i + 1) * n, w + i * n, n * sizeof *both);
    }
    poyi_lu_solve(POY_C128, 0, (int64_t)n, (int64_t)(2 * n), m.m, m.pivots, both, both, work);
    for (size_t i = 0; i < n; i++) {
        memcpy(t + i * n, both + 2 * i * n, n * sizeof *both);
        memcpy(w + i * n, both + (2 * i + 1) * n, n * sizeof *both);
    }
    poyi_block_product(n, pairs, poyi_block(b, 0, 0), b->paired, t, 0, poyi_block(out, 0, 0));
    poyi_block_product(n, pairs, poyi_block(b, 0, 0), b->paired, w, 0, poyi_block(out, 0, 1));
    poyi_block_product(n, pairs, poyi_block(b, 1, 0), b->paired, t, 0, x);
    poyi_block_product(n, pairs, poyi_block(a, 1, 1), a->paired, x, 0, poyi_block(out, 1, 0));
    poyi_block_product(n, pairs, poyi_block(b, 1, 0), b->paired, w, 0, x);
    for (size_t i = 0; i < size; i++) {
        poyi_block(out, 0, 1)[i] = plus(poyi_block(out, 0, 1)[i], poyi_block(b, 0, 1)[i]);
        poyi_block(out, 1, 0)[i] = plus(poyi_block(out, 1, 0)[i], poyi_block(a, 1, 0)[i]);
        x[i] = plus(x[i], poyi_block(b, 1, 1)[i]);
    }
    poyi_block_product(n, pairs, poyi_block(a, 1, 1), a->paired, x, 0, poyi_block(out, 1, 1));
done:
    poyi_free(&memory);
    poyi_between_destroy(&m);
    return status;
}

poy_status poy_smatrix_cascade(poy_ctx *ctx, const poy_smatrix *lower, const poy_smatrix *upper, poy_smatrix **out)
{
    poy_status status;
    const poy_stage stage = {lower->k0, lower->poltype, lower->ports};
    *out = NULL;
    POYI_TRY(ctx, poyi_smatrix_fits(ctx, lower, upper));
    POYI_TO_DONE(ctx, poyi_smatrix_new(ctx, &stage, &lower->medium[1], &upper->medium[0], out));
    (*out)->paired = lower->paired && upper->paired;
    if ((*out)->paired)
        POYI_TO_DONE(ctx, cascade_pairs(ctx, lower, upper, *out));
    else
        POYI_TO_DONE(ctx, cascade_all(ctx, lower, upper, *out));
done:
    if (status != POY_OK)
        poy_smatrix_destroy(out);
    return status;
}

poy_status poy_smatrix_stack(poy_ctx *ctx, size_t n, poy_smatrix *const *parts, poy_smatrix **out)
{
    poy_smatrix *sum = NULL;
    *out = NULL;
    if (n == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "stack: no parts, needs at least one");
    sum = poy_smatrix_retain(parts[0]);
    for (size_t i = 1; i < n; i++) {
        poy_smatrix *next = NULL;
        const poy_status status = poy_smatrix_cascade(ctx, sum, parts[i], &next);
        poy_smatrix_destroy(&sum);
        POYI_TRY(ctx, status);
        sum = next;
    }
    *out = sum;
    return POY_OK;
}

poy_status poy_smatrix_double(poy_ctx *ctx, const poy_smatrix *s, int times, poy_smatrix **out)
{
    poy_smatrix *sum = NULL;
    *out = NULL;
    if (times < 0 || times > 60)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "doubling: %d times, needs 0 to 60", times);
    POYI_TRY(ctx, poy_smatrix_changepoltype(ctx, s, s->poltype, &sum)); /* a copy */
    for (int i = 0; i < times; i++) {
        poy_smatrix *next = NULL;
        const poy_status status = poy_smatrix_cascade(ctx, sum, sum, &next);
        poy_smatrix_destroy(&sum);
        POYI_TRY(ctx, status);
        sum = next;
    }
    *out = sum;
    return POY_OK;
}

/* ---- light ---- */

static poy_status check_light(poy_ctx *ctx, size_t n, const poy_c128 *a, const char *which)
{
    for (size_t i = 0; a && i < n; i++)
        if (!isfinite(a[i].re) || !isfinite(a[i].im))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "S-matrix: amplitude %zu of the light that goes %s is not finite",
                             i, which);
    return POY_OK;
}

/* out = S[row][0] up + S[row][1] down */
static void leave(const poy_smatrix *s, int row, const poy_c128 *up, const poy_c128 *down, poy_c128 *out)
{
    memset(out, 0, s->n * sizeof *out);
    if (up)
        add_vector(s->n, poyi_block(s, row, 0), up, out);
    if (down)
        add_vector(s->n, poyi_block(s, row, 1), down, out);
}

poy_status poy_smatrix_scatter(poy_ctx *ctx, const poy_smatrix *s, const poy_c128 *up, const poy_c128 *down,
                               poy_c128 *out_up, poy_c128 *out_down)
{
    POYI_TRY(ctx, check_light(ctx, s->n, up, "up"));
    POYI_TRY(ctx, check_light(ctx, s->n, down, "down"));
    leave(s, 0, up, down, out_up);
    leave(s, 1, up, down, out_down);
    return POY_OK;
}

poy_status poy_smatrix_illuminate(poy_ctx *ctx, const poy_smatrix *lower, const poy_smatrix *upper, const poy_c128 *up,
                                  const poy_c128 *down, poy_c128 *out_up, poy_c128 *out_down, poy_c128 *inner_up,
                                  poy_c128 *inner_down)
{
    poy_status status;
    poyi_between m;
    void *memory = NULL;
    const size_t n = lower->n;
    POYI_TRY(ctx, poyi_smatrix_fits(ctx, lower, upper));
    POYI_TRY(ctx, check_light(ctx, n, up, "up"));
    POYI_TRY(ctx, check_light(ctx, n, down, "down"));
    POYI_TRY(ctx, poyi_between_create(ctx, lower, upper, &m));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.smatrix", 4 * n * sizeof(poy_c128), &memory));
    poy_c128 *rising = memory, *falling = rising + n, *from_above = falling + n, *work = from_above + n;
    if (down)
        add_vector(n, poyi_block(upper, 1, 1), down, from_above);
    if (up)
        add_vector(n, poyi_block(lower, 0, 0), up, rising);
    add_vector(n, poyi_block(lower, 0, 1), from_above, rising);
    poyi_lu_solve(POY_C128, 0, (int64_t)n, 1, m.m, m.pivots, rising, rising, work);
    memcpy(falling, from_above, n * sizeof *falling);
    add_vector(n, poyi_block(upper, 1, 0), rising, falling);
    leave(upper, 0, rising, down, out_up);
    leave(lower, 1, up, falling, out_down);
    if (inner_up)
        memcpy(inner_up, rising, n * sizeof *rising);
    if (inner_down)
        memcpy(inner_down, falling, n * sizeof *falling);
done:
    poyi_free(&memory);
    poyi_between_destroy(&m);
    return status;
}

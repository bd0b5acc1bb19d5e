/* cascade.c: S-matrices upon one another, and the waves between them. */
#include <string.h>

#include "record/lapack.h"
#include "scatter/stack/junction.h"
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

/* c[n] += a[n][n] b[n] */
static void add_vector(size_t n, const poy_c128 *a, const poy_c128 *b, poy_c128 *c)
{
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, 1, (int64_t)n, 1.0, a, b, 1.0, c);
}

/* ---- upon one another ---- */

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

static poyi_junction junction_of(const poy_smatrix *lower, const poy_smatrix *upper, size_t columns)
{
    return (poyi_junction){.n = lower->n,
                           .columns = columns,
                           .lower = lower->values,
                           .upper = upper->values,
                           .partner = lower->partner,
                           .paired = {lower->paired, upper->paired}};
}

static poy_status cascade_all(poy_ctx *ctx, const poy_smatrix *a, const poy_smatrix *b, poy_smatrix *out)
{
    poy_status status;
    void *memory = NULL;
    const size_t n = a->n;
    poyi_junction j = junction_of(a, b, 2 * n);
    j.whole = 1;
    POYI_TRY(ctx,
             poyi_alloc(ctx, "scatter.smatrix", poyi_junction_bytes(n, 2 * n) + 2 * n * n * sizeof(poy_c128), &memory));
    poy_c128 *leaving = memory;
    poyi_junction_in(&j, leaving + 2 * n * n, NULL);
    POYI_TO_DONE(ctx, poyi_junction_solve(ctx, &j));
    poyi_junction_blocks(&j, leaving, out->values);
done:
    poyi_free(&memory);
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
    void *memory = NULL;
    const size_t n = lower->n;
    poyi_junction j = junction_of(lower, upper, 1);
    j.up = up;
    j.down = down;
    POYI_TRY(ctx, poyi_smatrix_fits(ctx, lower, upper));
    POYI_TRY(ctx, check_light(ctx, n, up, "up"));
    POYI_TRY(ctx, check_light(ctx, n, down, "down"));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.smatrix", poyi_junction_bytes(n, 1), &memory));
    poyi_junction_in(&j, memory, NULL);
    POYI_TO_DONE(ctx, poyi_junction_solve(ctx, &j));
    poyi_junction_leave(&j, out_up, out_down);
    if (inner_up)
        memcpy(inner_up, j.rising, n * sizeof *inner_up);
    if (inner_down)
        memcpy(inner_down, j.falling, n * sizeof *inner_down);
done:
    poyi_free(&memory);
    return status;
}

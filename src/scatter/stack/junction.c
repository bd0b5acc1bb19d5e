/* junction.c: the waves between two S-matrices, and what leaves them. */
#include "scatter/stack/junction.h"

#include <string.h>

#include "record/lapack.h"
#include "scatter/stack/smatrix.h"

size_t poyi_junction_state_bytes(size_t n, size_t columns)
{
    return (n * n + 2 * n * columns) * sizeof(poy_c128) + (n * sizeof(int32_t) + 7) / 8 * 8;
}

size_t poyi_junction_bytes(size_t n, size_t columns)
{
    return poyi_junction_state_bytes(n, columns) + n * columns * sizeof(poy_c128);
}

void poyi_junction_in(poyi_junction *j, const void *memory, poy_c128 *work)
{
    const size_t n = j->n, size = n * j->columns;
    memcpy(&j->lu, &memory, sizeof memory); /* the pointer, without const */
    j->rising = j->lu + n * n;
    j->falling = j->rising + size;
    j->pivots = (int32_t *)(void *)(j->falling + size);
    j->work = work ? work : (poy_c128 *)(void *)((unsigned char *)j->lu + poyi_junction_state_bytes(n, j->columns));
}

static const poy_c128 *block(const poyi_junction *j, int upper, int out, int in)
{
    return (upper ? j->upper : j->lower) + (size_t)(2 * out + in) * j->n * j->n;
}

/* c = block b + beta c, b and c [n][columns] */
static void times(const poyi_junction *j, int upper, int out, int in, const poy_c128 *b, double beta, poy_c128 *c)
{
    const poy_c128 *a = block(j, upper, out, in);
    const size_t n = j->n, m = j->columns;
    if (!j->partner || !j->paired[upper]) {
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, (int64_t)m, (int64_t)n, 1.0, a, b, beta, c);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t p = j->partner[i] == POYI_NO_PARTNER ? i : j->partner[i];
        const double complex own = poyi_c(a[i * n + i]), other = p == i ? 0.0 : poyi_c(a[i * n + p]);
        for (size_t k = 0; k < m; k++) {
            const double complex before = beta == 0.0 ? 0.0 : beta * poyi_c(c[i * m + k]);
            c[i * m + k] = poyi_pair(before + own * poyi_c(b[i * m + k]) + other * poyi_c(b[p * m + k]));
        }
    }
}

/* c += block light, of up or down */
static void shine(const poyi_junction *j, int upper, int out, int in, poy_c128 *c)
{
    const size_t n = j->n, m = j->columns;
    const poy_c128 *light = in ? j->down : j->up, *a = block(j, upper, out, in);
    if (!j->whole) {
        if (light)
            times(j, upper, out, in, light, 1.0, c);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            poy_c128 *x = c + i * m + (size_t)in * n + k;
            *x = (poy_c128){x->re + a[i * n + k].re, x->im + a[i * n + k].im};
        }
}

static poy_status factor(poy_ctx *ctx, const poyi_junction *j)
{
    const size_t n = j->n;
    static const size_t none = 0;
    poyi_block_product(n, j->partner ? j->partner : &none, block(j, 0, 0, 1), j->partner && j->paired[0],
                       block(j, 1, 1, 0), j->partner && j->paired[1], j->lu);
    for (size_t i = 0; i < n * n; i++)
        j->lu[i] = (poy_c128){(i % (n + 1) == 0) - j->lu[i].re, -j->lu[i].im};
    if (n > 0 && poyi_lu_factor(POY_C128, (int64_t)n, j->lu, j->pivots) != 0)
        return POYI_FAIL(ctx, POY_ERR_SINGULAR, "cascade: a wave between two planes returns to itself without loss");
    return POY_OK;
}

poy_status poyi_junction_solve(poy_ctx *ctx, const poyi_junction *j)
{
    const size_t n = j->n, size = n * j->columns;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "S-matrix", (int64_t)(j->columns > n ? j->columns : n)));
    POYI_TRY(ctx, factor(ctx, j));
    memset(j->falling, 0, size * sizeof *j->falling);
    shine(j, 1, 1, 1, j->falling); /* b11 D */
    times(j, 0, 0, 1, j->falling, 0.0, j->rising);
    shine(j, 0, 0, 0, j->rising);
    poyi_lu_solve(POY_C128, 0, (int64_t)n, (int64_t)j->columns, j->lu, j->pivots, j->rising, j->rising, j->work);
    times(j, 1, 1, 0, j->rising, 1.0, j->falling);
    return POY_OK;
}

void poyi_junction_leave(const poyi_junction *j, poy_c128 *up, poy_c128 *down)
{
    times(j, 1, 0, 0, j->rising, 0.0, up);
    shine(j, 1, 0, 1, up);
    times(j, 0, 1, 1, j->falling, 0.0, down);
    shine(j, 0, 1, 0, down);
}

void poyi_rows_of_pair(size_t n, const poy_c128 *pair, poy_c128 *rows)
{
    for (size_t in = 0; in < 2; in++)
        for (size_t i = 0; i < n; i++)
            memcpy(rows + (2 * i + in) * n, pair + (in * n + i) * n, n * sizeof *rows);
}

void poyi_pair_of_rows(size_t n, const poy_c128 *rows, poy_c128 *pair)
{
    for (size_t in = 0; in < 2; in++)
        for (size_t i = 0; i < n; i++)
            memcpy(pair + (in * n + i) * n, rows + (2 * i + in) * n, n * sizeof *rows);
}

void poyi_junction_gather(size_t n, const poy_c128 *blocks, poy_c128 *up, poy_c128 *down)
{
    poyi_rows_of_pair(n, blocks, up);
    poyi_rows_of_pair(n, blocks + 2 * n * n, down);
}

void poyi_junction_scatter(size_t n, const poy_c128 *up, const poy_c128 *down, poy_c128 *blocks)
{
    poyi_pair_of_rows(n, up, blocks);
    poyi_pair_of_rows(n, down, blocks + 2 * n * n);
}

void poyi_junction_blocks(const poyi_junction *j, poy_c128 *leaving, poy_c128 *blocks)
{
    poyi_junction_leave(j, leaving, j->work);
    poyi_junction_scatter(j->n, leaving, j->work, blocks);
}

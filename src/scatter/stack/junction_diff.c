/* junction_diff.c: derivatives of the waves between two S-matrices and of what leaves them; formulas in junction.h. */
#include <string.h>

#include "record/lapack.h"
#include "scatter/stack/junction.h"

static const poy_c128 *block(const poyi_junction *j, const poy_c128 *blocks, int out, int in)
{
    return blocks + (size_t)(2 * out + in) * j->n * j->n;
}

/* c [n][columns] = op(block) b + beta c */
static void times(const poyi_junction *j, char op, const poy_c128 *blocks, int out, int in, const poy_c128 *b,
                  double beta, poy_c128 *c)
{
    poyi_gemm(POY_C128, op, 'n', (int64_t)j->n, (int64_t)j->columns, (int64_t)j->n, 1.0, block(j, blocks, out, in), b,
              beta, c);
}

/* c += block light, light of up (0) or down (1) */
static void shine(const poyi_junction *j, const poy_c128 *blocks, int out, int in, poy_c128 *c)
{
    const size_t n = j->n, m = j->columns;
    const poy_c128 *light = in ? j->down : j->up, *a = block(j, blocks, out, in);
    if (!j->whole) {
        if (light)
            times(j, 'n', blocks, out, in, light, 1.0, c);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            poy_c128 *x = c + i * m + (size_t)in * n + k;
            *x = (poy_c128){x->re + a[i * n + k].re, x->im + a[i * n + k].im};
        }
}

/* to's block = x y^H */
static void outer(const poyi_junction *j, const poy_c128 *x, const poy_c128 *y, poy_c128 *blocks, int out, int in)
{
    poyi_gemm(POY_C128, 'n', 'c', (int64_t)j->n, (int64_t)j->n, (int64_t)j->columns, 1.0, x, y, 0.0,
              blocks + (size_t)(2 * out + in) * j->n * j->n);
}

/* to's block = x light^H */
static void outer_light(const poyi_junction *j, const poy_c128 *x, poy_c128 *blocks, int out, int in)
{
    const size_t n = j->n;
    const poy_c128 *light = in ? j->down : j->up;
    poy_c128 *to = blocks + (size_t)(2 * out + in) * n * n;
    if (j->whole)
        for (size_t i = 0; i < n; i++)
            memcpy(to + i * n, x + i * j->columns + (size_t)in * n, n * sizeof *to);
    else if (light)
        outer(j, x, light, blocks, out, in);
    else
        memset(to, 0, n * n * sizeof *to);
}

static void start(const poyi_junction *j, const poy_c128 *from, poy_c128 *to)
{
    if (from)
        memcpy(to, from, j->n * j->columns * sizeof *to);
    else
        memset(to, 0, j->n * j->columns * sizeof *to);
}

void poyi_junction_pull(const poyi_junction *j, const poyi_junction_waves *g, const poyi_junction_inputs *to,
                        poy_c128 *scratch)
{
    const size_t size = j->n * j->columns;
    poy_c128 *l = scratch, *m = l + size, *work = m + size;
    start(j, g->falling, m);
    if (g->down)
        times(j, 'c', j->lower, 1, 1, g->down, 1.0, m);
    start(j, g->rising, l);
    if (g->up)
        times(j, 'c', j->upper, 0, 0, g->up, 1.0, l);
    times(j, 'c', j->upper, 1, 0, m, 1.0, l);
    poyi_lu_solve(POY_C128, 1, (int64_t)j->n, (int64_t)j->columns, j->lu, j->pivots, l, l, work);
    times(j, 'c', j->lower, 0, 1, l, 1.0, m);
    start(j, NULL, work);
    const poy_c128 *up = g->up ? g->up : work, *down = g->down ? g->down : work;
    if (to->lower) {
        outer_light(j, l, to->lower, 0, 0);
        outer(j, l, j->falling, to->lower, 0, 1);
        outer_light(j, down, to->lower, 1, 0);
        outer(j, down, j->falling, to->lower, 1, 1);
    }
    if (to->upper) {
        outer(j, up, j->rising, to->upper, 0, 0);
        outer_light(j, up, to->upper, 0, 1);
        outer(j, m, j->rising, to->upper, 1, 0);
        outer_light(j, m, to->upper, 1, 1);
    }
    if (to->up) {
        times(j, 'c', j->lower, 0, 0, l, 0.0, to->up);
        times(j, 'c', j->lower, 1, 0, down, 1.0, to->up);
    }
    if (to->down) {
        times(j, 'c', j->upper, 1, 1, m, 0.0, to->down);
        times(j, 'c', j->upper, 0, 1, up, 1.0, to->down);
    }
}

void poyi_junction_push(const poyi_junction *j, const poyi_junction_inputs *d, const poyi_junction_waves *out,
                        poy_c128 *scratch)
{
    const size_t size = j->n * j->columns;
    poy_c128 *rising = scratch, *falling = rising + size, *work = falling + size;
    start(j, NULL, falling);
    if (d->upper) {
        times(j, 'n', d->upper, 1, 0, j->rising, 1.0, falling);
        shine(j, d->upper, 1, 1, falling);
    }
    if (d->down)
        times(j, 'n', j->upper, 1, 1, d->down, 1.0, falling);
    times(j, 'n', j->lower, 0, 1, falling, 0.0, rising);
    if (d->lower) {
        times(j, 'n', d->lower, 0, 1, j->falling, 1.0, rising);
        shine(j, d->lower, 0, 0, rising);
    }
    if (d->up)
        times(j, 'n', j->lower, 0, 0, d->up, 1.0, rising);
    poyi_lu_solve(POY_C128, 0, (int64_t)j->n, (int64_t)j->columns, j->lu, j->pivots, rising, rising, work);
    times(j, 'n', j->upper, 1, 0, rising, 1.0, falling);
    times(j, 'n', j->upper, 0, 0, rising, 0.0, out->up);
    times(j, 'n', j->lower, 1, 1, falling, 0.0, out->down);
    if (d->upper) {
        times(j, 'n', d->upper, 0, 0, j->rising, 1.0, out->up);
        shine(j, d->upper, 0, 1, out->up);
    }
    if (d->lower) {
        times(j, 'n', d->lower, 1, 1, j->falling, 1.0, out->down);
        shine(j, d->lower, 1, 0, out->down);
    }
    if (d->down)
        times(j, 'n', j->upper, 0, 1, d->down, 1.0, out->up);
    if (d->up)
        times(j, 'n', j->lower, 1, 0, d->up, 1.0, out->down);
    if (out->rising)
        memcpy(out->rising, rising, size * sizeof *rising);
    if (out->falling)
        memcpy(out->falling, falling, size * sizeof *falling);
}

/* coupled.c: equations of particles that scatter into each other, and derivatives of their solution. */
#include "scatter/record/coupled.h"

#include <math.h>
#include <string.h>

#include "record/lapack.h"

/* ---- blocks ---- */

static size_t width(const poyi_blocks *b, size_t i)
{
    return b->offset[i + 1] - b->offset[i];
}

void poyi_blocks_times(char op, const poyi_blocks *b, const poy_c128 *t, size_t columns, const poy_c128 *a,
                       poy_c128 *out)
{
    for (size_t i = 0; i < b->count; i++) {
        const size_t w = width(b, i), at = b->offset[i] * columns;
        poyi_product(op, 'n', w, columns, w, 1.0, t, a + at, 0.0, out + at);
        t += w * w;
    }
}

void poyi_blocks_outer(const poyi_blocks *b, size_t columns, const poy_c128 *h, const poy_c128 *e, poy_c128 *t)
{
    for (size_t i = 0; i < b->count; i++) {
        const size_t w = width(b, i), at = b->offset[i] * columns;
        poyi_product('n', 'c', w, w, columns, 1.0, h + at, e + at, 0.0, t);
        t += w * w;
    }
}

void poyi_blocks_dense(const poyi_blocks *b, const poy_c128 *t, poy_c128 *out)
{
    memset(out, 0, b->n * b->n * sizeof *out);
    for (size_t i = 0; i < b->count; i++) {
        const size_t w = width(b, i);
        for (size_t row = 0; row < w; row++, t += w)
            memcpy(out + (b->offset[i] + row) * b->n + b->offset[i], t, w * sizeof *t);
    }
}

/* ---- the equations ---- */

size_t poyi_coupled_bytes(size_t n)
{
    return n * n * sizeof(poy_c128) + n * sizeof(double) + (n * sizeof(int32_t) + 7) / 8 * 8;
}

poyi_coupled poyi_coupled_in(const void *memory, size_t n)
{
    poyi_coupled f;
    memcpy(&f.lu, &memory, sizeof memory); /* the pointer, without const */
    f.scale = (double *)(void *)(f.lu + n * n);
    f.pivots = (int32_t *)(void *)(f.scale + n);
    return f;
}

static void set_scales(const poyi_blocks *b, const poy_c128 *t, double *scale)
{
    for (size_t i = 0; i < b->count; i++) {
        const size_t w = width(b, i);
        for (size_t row = 0; row < w; row++, t += w) {
            double most = 0.0;
            for (size_t j = 0; j < w; j++)
                most = fmax(most, hypot(t[j].re, t[j].im));
            scale[b->offset[i] + row] = exp2(round(0.5 * log2(fmax(most, 1e-290))));
        }
    }
}

poy_status poyi_coupled_factor(poy_ctx *ctx, const char *who, const poyi_blocks *b, const poy_c128 *t,
                               const poy_c128 *c, const poyi_coupled *f)
{
    const size_t n = b->n;
    poyi_blocks_times('n', b, t, n, c, f->lu);
    set_scales(b, t, f->scale);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double ratio = -f->scale[j] / f->scale[i];
            poy_c128 *v = &f->lu[i * n + j];
            *v = (poy_c128){(i == j) + ratio * v->re, ratio * v->im};
        }
    if (poyi_lu_factor(POY_C128, (int64_t)n, f->lu, f->pivots) != 0)
        return POYI_FAIL(ctx, POY_ERR_SINGULAR, "%s: 1 - T C is singular: the particles' equations have no solution",
                         who);
    return POY_OK;
}

static void scale_rows(const poyi_coupled *f, size_t n, size_t columns, int divide, poy_c128 *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < columns; j++) {
            const double s = divide ? 1.0 / f->scale[i] : f->scale[i];
            a[i * columns + j] = (poy_c128){s * a[i * columns + j].re, s * a[i * columns + j].im};
        }
}

void poyi_coupled_solve(const poyi_coupled *f, size_t n, size_t columns, int adjoint, poy_c128 *x, poy_c128 *work)
{
    scale_rows(f, n, columns, !adjoint, x);
    poyi_lu_solve(POY_C128, adjoint, (int64_t)n, (int64_t)columns, f->lu, f->pivots, x, x, work);
    scale_rows(f, n, columns, adjoint, x);
}

/* ---- derivatives of the whole matrix ---- */

/* 1 + C X */
static void exciting(size_t n, const poy_c128 *c, const poy_c128 *x, poy_c128 *out)
{
    poyi_product('n', 'n', n, n, n, 1.0, c, x, 0.0, out);
    for (size_t i = 0; i < n; i++)
        out[i * n + i].re += 1.0;
}

void poyi_coupled_pull(const poyi_blocks *b, const poy_c128 *c, const poy_c128 *x, const poy_c128 *g_x,
                       poy_c128 *scratch, poy_c128 *g_t, poy_c128 *g_c)
{
    const size_t n = b->n;
    poy_c128 *q = scratch, *h = q + n * n, *e = h + n * n;
    poyi_product('c', 'n', n, n, n, 1.0, x, g_x, 0.0, q);
    if (g_t) {
        memcpy(h, g_x, n * n * sizeof *h);
        poyi_product('c', 'n', n, n, n, 1.0, c, q, 1.0, h);
        exciting(n, c, x, e);
        poyi_blocks_outer(b, n, h, e, g_t);
    }
    if (g_c)
        poyi_product('n', 'c', n, n, n, 1.0, q, x, 0.0, g_c);
}

void poyi_coupled_push(const poyi_blocks *b, const poy_c128 *c, const poy_c128 *x, const poy_c128 *d_t,
                       const poy_c128 *d_c, poy_c128 *scratch, poy_c128 *d_x)
{
    const size_t n = b->n;
    poy_c128 *v = scratch, *w = v + n * n, *e = w + n * n;
    memset(d_x, 0, n * n * sizeof *d_x);
    if (d_t) { /* v = dT (1 + C X), then (1 + X C) v */
        exciting(n, c, x, e);
        poyi_blocks_times('n', b, d_t, n, e, v);
        poyi_product('n', 'n', n, n, n, 1.0, c, v, 0.0, w);
        memcpy(d_x, v, n * n * sizeof *d_x);
        poyi_product('n', 'n', n, n, n, 1.0, x, w, 1.0, d_x);
    }
    if (d_c) {
        poyi_product('n', 'n', n, n, n, 1.0, d_c, x, 0.0, w);
        poyi_product('n', 'n', n, n, n, 1.0, x, w, 1.0, d_x);
    }
}

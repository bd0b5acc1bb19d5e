/* coupling_diff.c: derivatives of the coupling without storing it: the rows of one particle are an expansion of all waves in its
 * own. */
#include <string.h>

#include "record/lapack.h"
#include "scatter/cluster/iterative.h"
#include "scatter/waves/diff.h"

/* One particle's rows: its modes at its place, of all sources. */
typedef struct rows {
    poy_basis *own;
    poyi_expansion e;
    poy_c128 *block; /* [own size][n] */
    double *from;    /* [3 particles] */
    poy_c128 ks[2];
    void *memory;
} rows;

static poy_status open_rows(poy_ctx *ctx, const poy_cluster *c, rows *r)
{
    poyi_optics optics;
    size_t widest = 0;
    *r = (rows){0};
    POYI_TRY(ctx, poyi_embedding_optics(ctx, &c->embedding, &optics));
    for (size_t p = 0; p < c->particles; p++)
        widest = c->particle[p]->n > widest ? c->particle[p]->n : widest;
    r->ks[0] = poyi_pair(optics.ks[0]);
    r->ks[1] = poyi_pair(optics.ks[1]);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.coupling",
                             widest * c->n * sizeof(poy_c128) + 3 * c->particles * sizeof(double) +
                                 widest * sizeof(poy_wave_mode),
                             &r->memory));
    r->block = r->memory;
    r->from = (double *)(void *)(r->block + widest * c->n);
    return POY_OK;
}

static poy_status take_rows(poy_ctx *ctx, const poy_cluster *c, size_t p, rows *r)
{
    const size_t n = c->particle[p]->n;
    poy_wave_mode *modes = (poy_wave_mode *)(void *)(r->from + 3 * c->particles);
    poy_basis_destroy(&r->own);
    memcpy(modes, c->basis->modes + c->offset[p], n * sizeof *modes);
    for (size_t i = 0; i < n; i++)
        modes[i].particle = 0;
    POYI_TRY(ctx, c->basis->kind == POY_BASIS_SPHERICAL
                      ? poy_basis_sw_create(ctx, n, modes, 1, c->basis->positions + 3 * p, &r->own)
                      : poy_basis_cw_create(ctx, n, modes, 1, c->basis->positions + 3 * p, &r->own));
    r->e = (poyi_expansion){.destination = r->own,
                            .source = c->basis,
                            .ks = {r->ks[0], r->ks[1]},
                            .poltype = c->embedding.poltype,
                            .singular = 1};
    return POY_OK;
}

static void close_rows(rows *r)
{
    poy_basis_destroy(&r->own);
    poyi_free(&r->memory);
}

poy_status poyi_coupling_pull(poy_ctx *ctx, const poy_cluster *c, size_t columns, const poy_c128 *q, const poy_c128 *p,
                              double *g_positions, poy_c128 g_ks[2])
{
    poy_status status;
    rows r;
    POYI_TO_DONE(ctx, open_rows(ctx, c, &r));
    memset(g_positions, 0, 3 * c->particles * sizeof *g_positions);
    g_ks[0] = g_ks[1] = (poy_c128){0.0, 0.0};
    for (size_t i = 0; i < c->particles; i++) {
        double to[3];
        poy_c128 ks[2];
        const poyi_expansion_inputs g = {.destination = to, .source = r.from, .ks = ks};
        POYI_TO_DONE(ctx, take_rows(ctx, c, i, &r));
        poyi_gemm(POY_C128, 'n', 'c', (int64_t)r.own->size, (int64_t)c->n, (int64_t)columns, 1.0,
                  q + c->offset[i] * columns, p, 0.0, r.block);
        POYI_TO_DONE(ctx, poyi_expansion_pullback(ctx, &r.e, r.block, &g));
        for (size_t k = 0; k < 3 * c->particles; k++)
            g_positions[k] += r.from[k];
        for (size_t k = 0; k < 3; k++)
            g_positions[3 * i + k] += to[k];
        for (int pol = 0; pol < 2; pol++)
            g_ks[pol] = poyi_pair(poyi_c(g_ks[pol]) + poyi_c(ks[pol]));
    }
done:
    close_rows(&r);
    return status;
}

poy_status poyi_coupling_push(poy_ctx *ctx, const poy_cluster *c, const double *d_positions, const poy_c128 d_ks[2],
                              size_t columns, const poy_c128 *p, poy_c128 *out)
{
    poy_status status;
    rows r;
    poy_c128 ks[2] = {d_ks[0], d_ks[1]};
    POYI_TO_DONE(ctx, open_rows(ctx, c, &r));
    for (size_t i = 0; i < c->particles; i++) {
        double own[3] = {0.0, 0.0, 0.0};
        if (d_positions) {
            memcpy(own, d_positions + 3 * i, sizeof own);
            memcpy(r.from, d_positions, 3 * c->particles * sizeof *r.from);
        }
        const poyi_expansion_inputs d = {.destination = own, .source = d_positions ? r.from : NULL, .ks = ks};
        POYI_TO_DONE(ctx, take_rows(ctx, c, i, &r));
        POYI_TO_DONE(ctx, poyi_expansion_pushforward(ctx, &r.e, &d, r.block));
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)r.own->size, (int64_t)columns, (int64_t)c->n, 1.0, r.block, p, 0.0,
                  out + c->offset[i] * columns);
    }
done:
    close_rows(&r);
    return status;
}

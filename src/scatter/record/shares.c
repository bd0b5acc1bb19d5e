/* shares.c: records of the power that S-matrices pass on, and of its circular dichroism. They keep no state. */
#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/record/ports.h"
#include "scatter/stack/flux.h"

/* ---- smatrix_tr: matrices, incident, ks, zs, q, modes ---- */

enum { MATRICES, INCIDENT, KS, ZS, Q, MODES };
enum { POLTYPE, FROM, ALIGNMENT, TR_OPTIONS };

/* A call, one column of light at a time. */
typedef struct tr_call {
    poyi_shares shares;
    size_t n, columns;
    int from;
    poyi_ports ports;
    poy_c128 *light, *leaving[2], *more[3]; /* [n]: light, t, r; and their cotangents or tangents */
    double *each;                           /* [groups][2]: shares, their cotangents or tangents */
} tr_call;

static poy_status infer_tr(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                           poy_rec_size *size)
{
    (void)config, (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "smatrix_tr", in[MATRICES].dims[2]));
    size->scratch = (size_t)in[MATRICES].dims[2] * (6 * sizeof(poy_c128) + 2 * sizeof(int)) +
                    2 * (size_t)in[Q].dims[0] * sizeof(double);
    return POY_OK;
}

static poy_status open_tr(poy_ctx *ctx, const poy_rec_item *item, tr_call *c)
{
    static const char *const names[5] = {"matrices", "incident", "ks", "zs", "q"};
    const size_t n = poyi_extent(item, MATRICES, 2);
    *c = (tr_call){.n = n,
                   .columns = poyi_extent(item, INCIDENT, 1),
                   .from = (int)poyi_choice(item->config, FROM),
                   .light = item->scratch};
    for (int i = 0; i < 5; i++)
        POYI_TRY(ctx, poyi_rec_finite(ctx, "smatrix_tr", names[i], &item->in[i]));
    c->leaving[0] = c->light + n;
    c->leaving[1] = c->leaving[0] + n;
    for (size_t i = 0; i < 3; i++)
        c->more[i] = c->leaving[1] + (1 + i) * n;
    c->each = (double *)(void *)(c->more[2] + n);
    c->ports.group = (int *)(void *)(c->each + 2 * poyi_extent(item, Q, 0));
    c->ports.pol = c->ports.group + n;
    POYI_TRY(ctx, poyi_ports_read(ctx, "smatrix_tr", &item->in[MODES], poyi_extent(item, Q, 0), &c->ports));
    c->shares = (poyi_shares){.n = n,
                              .groups = poyi_extent(item, Q, 0),
                              .group = c->ports.group,
                              .pol = c->ports.pol,
                              .q = item->in[Q].data,
                              .poltype = poyi_choice(item->config, POLTYPE) ? POY_PARITY : POY_HELICITY,
                              .from = c->from,
                              .turns = (int)poyi_choice(item->config, ALIGNMENT),
                              .light = c->light,
                              .t = c->leaving[0],
                              .r = c->leaving[1]};
    memcpy(c->shares.ks, item->in[KS].data, sizeof c->shares.ks);
    memcpy(c->shares.zs, item->in[ZS].data, sizeof c->shares.zs);
    return POY_OK;
}

static void take_column(size_t n, size_t columns, size_t column, const poy_c128 *from, poy_c128 *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i * columns + column];
}

/* Of what leaves behind (0) and before (1). */
static size_t block_of(const tr_call *c, int before)
{
    const int out = before ? 1 - c->from : c->from;
    return (size_t)(2 * out + c->from) * c->n * c->n;
}

/* Of all groups; and the cotangent of each from those of the sums. */
static void add_up(const tr_call *c, double sum[2])
{
    sum[0] = sum[1] = 0.0;
    for (size_t i = 0; i < 2 * c->shares.groups; i++)
        sum[i % 2] += c->each[i];
}

static void spread(const tr_call *c, const double by[2])
{
    for (size_t i = 0; i < 2 * c->shares.groups; i++)
        c->each[i] = by[i % 2];
}

/* What leaves of the light in c. */
static void scatter_light(const tr_call *c, const poy_rec_item *item)
{
    for (int before = 0; before < 2; before++)
        poyi_product('n', 'n', c->n, 1, c->n, 1.0, poyi_complex(item->in, MATRICES) + block_of(c, before), c->light,
                     0.0, c->leaving[before]);
}

/* Adds to gradients, from cotangents in each; that of the light is left in more[0]. */
static poy_status pull_light(poy_ctx *ctx, const tr_call *c, const poy_rec_item *item, const poy_rec_array *grad)
{
    const poyi_shares_inputs to = {.ks = grad[KS].data,
                                   .zs = grad[ZS].data,
                                   .q = grad[Q].data,
                                   .light = c->more[0],
                                   .t = c->more[1],
                                   .r = c->more[2]};
    memset(c->more[0], 0, 3 * c->n * sizeof(poy_c128));
    POYI_TRY(ctx, poyi_shares_pull(ctx, &c->shares, c->each, &to));
    for (int before = 0; before < 2; before++) {
        if (grad[MATRICES].data)
            poyi_product('n', 'c', c->n, c->n, 1, 1.0, c->more[1 + before], c->light, 1.0,
                         poyi_complex(grad, MATRICES) + block_of(c, before));
        poyi_product('c', 'n', c->n, 1, c->n, 1.0, poyi_complex(item->in, MATRICES) + block_of(c, before),
                     c->more[1 + before], 1.0, c->more[0]);
    }
    return POY_OK;
}

/* Of the light's tangent in more[0], into each. */
static poy_status push_light(poy_ctx *ctx, const tr_call *c, const poy_rec_item *item, const poy_rec_array *tan)
{
    const poyi_shares_inputs d = {.ks = tan[KS].data,
                                  .zs = tan[ZS].data,
                                  .q = tan[Q].data,
                                  .light = c->more[0],
                                  .t = c->more[1],
                                  .r = c->more[2]};
    for (int before = 0; before < 2; before++) {
        poyi_product('n', 'n', c->n, 1, c->n, 1.0, poyi_complex(item->in, MATRICES) + block_of(c, before), c->more[0],
                     0.0, c->more[1 + before]);
        if (tan[MATRICES].data)
            poyi_product('n', 'n', c->n, 1, c->n, 1.0, poyi_complex(tan, MATRICES) + block_of(c, before), c->light, 1.0,
                         c->more[1 + before]);
    }
    POYI_TRY(ctx, poyi_shares_push(ctx, &c->shares, &d, c->each));
    return POY_OK;
}

/* smatrix_tr has the sums [2][columns] of smatrix_orders, [2][groups][columns]: between these and each. */
static int has_orders(const poy_rec_array *a)
{
    return a->spec.rank == 3;
}

static void put_shares(const tr_call *c, size_t column, const poy_rec_array *out)
{
    double sum[2], *x = out->data;
    add_up(c, sum);
    for (size_t i = 0; i < 2; i++) {
        if (!has_orders(out))
            x[i * c->columns + column] = sum[i];
        for (size_t group = 0; has_orders(out) && group < c->shares.groups; group++)
            x[(i * c->shares.groups + group) * c->columns + column] = c->each[2 * group + i];
    }
}

static void take_shares(const tr_call *c, size_t column, const poy_rec_array *cot)
{
    const double *g = cot->data;
    for (size_t i = 0; i < 2; i++)
        for (size_t group = 0; group < c->shares.groups; group++)
            c->each[2 * group + i] = g[(has_orders(cot) ? i * c->shares.groups + group : i) * c->columns + column];
}

static poy_status evaluate_tr(poy_ctx *ctx, const poy_rec_item *item)
{
    tr_call c;
    POYI_TRY(ctx, open_tr(ctx, item, &c));
    for (size_t column = 0; column < c.columns; column++) {
        take_column(c.n, c.columns, column, item->in[INCIDENT].data, c.light);
        scatter_light(&c, item);
        POYI_TRY(ctx, poyi_shares_value(ctx, &c.shares, c.each));
        put_shares(&c, column, &item->out[0]);
    }
    return POY_OK;
}

static poy_status pull_tr(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    tr_call c;
    POYI_TRY(ctx, open_tr(ctx, item, &c));
    for (int i = MATRICES; i <= Q; i++)
        poyi_clear(&grad[i]);
    for (size_t column = 0; column < c.columns; column++) {
        take_column(c.n, c.columns, column, item->in[INCIDENT].data, c.light);
        scatter_light(&c, item);
        take_shares(&c, column, &cot[0]);
        POYI_TRY(ctx, pull_light(ctx, &c, item, grad));
        for (size_t i = 0; grad[INCIDENT].data && i < c.n; i++)
            poyi_complex(grad, INCIDENT)[i * c.columns + column] = c.more[0][i];
    }
    return POY_OK;
}

static poy_status push_tr(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                          const poy_rec_array *out_tan)
{
    tr_call c;
    POYI_TRY(ctx, open_tr(ctx, item, &c));
    for (size_t column = 0; column < c.columns; column++) {
        take_column(c.n, c.columns, column, item->in[INCIDENT].data, c.light);
        scatter_light(&c, item);
        memset(c.more[0], 0, c.n * sizeof(poy_c128));
        if (tan[INCIDENT].data)
            take_column(c.n, c.columns, column, tan[INCIDENT].data, c.more[0]);
        POYI_TRY(ctx, push_light(ctx, &c, item, tan));
        put_shares(&c, column, &out_tan[0]);
    }
    return POY_OK;
}

static poy_status sample_tr(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ks = {1.6, 2.0, 0.0, 0.1, 0.2};
    (void)ctx;
    poyi_sample_ranges(seed, 5,
                       (const poyi_range[]){{-0.3, 0.3, -0.3, 0.3, 0.0},
                                            {-1.0, 1.0, -1.0, 1.0, 0.0},
                                            ks,
                                            {0.6, 1.0, -0.1, 0.1, 0.0},
                                            {-0.6, 0.6, 0.0, 0.0, 0.0}},
                       in);
    for (int side = 0; poyi_choice(config, POLTYPE) && side < 2; side++) /* parity knows one wavenumber */
        poyi_complex(in, KS)[side ? 3 : 1] = poyi_complex(in, KS)[side ? 2 : 0];
    poyi_ports_sample(&in[MODES]);
    return POY_OK;
}

/* Along the normal, where pols of other alignments than xy turn with q. */
static poy_status sample_normal(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    POYI_TRY(ctx, sample_tr(ctx, config, seed, in));
    poyi_clear(&in[Q]);
    return POY_OK;
}

static const poy_rec_option tr_options[TR_OPTIONS] = {
    POYI_OPTION_POLTYPE,
    {"modetype", POY_REC_WORD, "up|down", "up", "the light comes from below, or from above"},
    POYI_OPTION_ALIGNMENT};
static const poy_rec_example tr_examples[] = {
    {"", "c128[2,2,4,4] c128[4,2] c128[2,2] c128[2] f64[2,2] f64[4,2]"},
    {"poltype=parity;modetype=down", "c128[2,2,2,2] c128[2,1] c128[2,2] c128[2] f64[1,2] f64[2,2]"},
    {"modetype=down", "c128[2,2,3,3] f64[3,1] c128[2,2] f64[2] f64[2,2] f64[3,2]"},
    {"alignment=zx", "c128[2,2,4,4] c128[4,1] c128[2,2] c128[2] f64[2,2] f64[4,2]"}};
static const poy_rec_example tr_fixed_examples[] = {
    {"", "c128[2,2,2,2] c128[2,2] c128[2,2] c128[2] f64[1,2] f64[2,2]"},
    {"poltype=parity;alignment=yz", "c128[2,2,2,2] c128[2,1] c128[2,2] c128[2] f64[1,2] f64[2,2]"}};

#define SHARES(name, list, sampler)                                       \
    const poy_rec_op poyi_record_##name = {.state_version = 1,            \
                                           .flags = POY_REC_NEEDS_INPUTS, \
                                           POYI_CHOICES(tr_options),      \
                                           POYI_EXAMPLES(list),           \
                                           .infer = infer_tr,             \
                                           .evaluate = evaluate_tr,       \
                                           .pullback = pull_tr,           \
                                           .pushforward = push_tr,        \
                                           .sample = sampler}
SHARES(smatrix_tr, tr_examples, sample_tr);
SHARES(smatrix_tr_fixed, tr_fixed_examples, sample_normal);
SHARES(smatrix_orders, tr_examples, sample_tr);
#undef SHARES

/* ---- smatrix_cd: the same inputs; with p the given light and q the same with each pol exchanged, (T_q - T_p) / (T_q + T_p), and the
 * same of all that leaves ---- */

/* The light of a column, or with pols exchanged. Errors: POY_ERR_ARGUMENT (a port of the light without its other pol). */
static poy_status take_light(poy_ctx *ctx, const tr_call *c, size_t column, int exchanged, const poy_c128 *from,
                             poy_c128 *to)
{
    for (size_t i = 0; i < c->n; i++) {
        size_t at = i;
        for (size_t k = 0; exchanged && k < c->n; k++)
            if (c->ports.group[k] == c->ports.group[i] && c->ports.pol[k] != c->ports.pol[i])
                at = k;
        const poy_c128 x = from[i * c->columns + column];
        if (exchanged && at == i && (x.re != 0.0 || x.im != 0.0))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "smatrix_cd: port %zu lacks its other pol", i);
        if (at != i || !exchanged)
            to[at] = x;
        else
            to[i] = (poy_c128){0.0, 0.0};
    }
    return POY_OK;
}

/* Shares of both lights, and their sums: transmitted, and all that leaves. */
typedef struct dichroism {
    double share[2][2], part[2][2];
} dichroism;

static poy_status both_lights(poy_ctx *ctx, const tr_call *c, const poy_rec_item *item, size_t column, dichroism *d)
{
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        POYI_TRY(ctx, take_light(ctx, c, column, exchanged, item->in[INCIDENT].data, c->light));
        scatter_light(c, item);
        POYI_TRY(ctx, poyi_shares_value(ctx, &c->shares, c->each));
        add_up(c, d->share[exchanged]);
        d->part[0][exchanged] = d->share[exchanged][0];
        d->part[1][exchanged] = d->share[exchanged][0] + d->share[exchanged][1];
    }
    if (!(d->part[0][0] + d->part[0][1] > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "smatrix_cd: neither pol is transmitted; there is no ratio");
    return POY_OK;
}

/* d of (q - p) / (q + p) by p and q. */
static void ratio_slopes(const double part[2], double out[2])
{
    const double sum = part[0] + part[1];
    out[0] = -2.0 * part[1] / (sum * sum);
    out[1] = 2.0 * part[0] / (sum * sum);
}

static poy_status evaluate_cd(poy_ctx *ctx, const poy_rec_item *item)
{
    tr_call c;
    double *out = item->out[0].data;
    POYI_TRY(ctx, open_tr(ctx, item, &c));
    for (size_t column = 0; column < c.columns; column++) {
        dichroism d;
        POYI_TRY(ctx, both_lights(ctx, &c, item, column, &d));
        for (size_t i = 0; i < 2; i++)
            out[i * c.columns + column] = (d.part[i][1] - d.part[i][0]) / (d.part[i][1] + d.part[i][0]);
    }
    return POY_OK;
}

static poy_status pull_cd(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    tr_call c;
    POYI_TRY(ctx, open_tr(ctx, item, &c));
    for (int i = MATRICES; i <= Q; i++)
        poyi_clear(&grad[i]);
    for (size_t column = 0; column < c.columns; column++) {
        const double *g = cot[0].data;
        double slope[2][2];
        dichroism d;
        POYI_TRY(ctx, both_lights(ctx, &c, item, column, &d));
        for (int i = 0; i < 2; i++)
            ratio_slopes(d.part[i], slope[i]);
        for (int exchanged = 0; exchanged < 2; exchanged++) {
            const double all = g[c.columns + column] * slope[1][exchanged];
            const double by[2] = {g[column] * slope[0][exchanged] + all, all};
            POYI_TRY(ctx, take_light(ctx, &c, column, exchanged, item->in[INCIDENT].data, c.light));
            scatter_light(&c, item);
            spread(&c, by);
            POYI_TRY(ctx, pull_light(ctx, &c, item, grad));
            for (size_t i = 0; grad[INCIDENT].data && i < c.n; i++) /* an exchange is its own adjoint */
                for (size_t k = 0; k < c.n; k++)
                    if (exchanged ? c.ports.group[k] == c.ports.group[i] && k != i : k == i) {
                        poy_c128 *to = poyi_complex(grad, INCIDENT) + i * c.columns + column;
                        *to = poyi_pair(poyi_c(*to) + poyi_c(c.more[0][k]));
                    }
        }
    }
    return POY_OK;
}

static poy_status push_cd(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                          const poy_rec_array *out_tan)
{
    tr_call c;
    double *out = out_tan[0].data;
    POYI_TRY(ctx, open_tr(ctx, item, &c));
    poyi_clear(&out_tan[0]);
    for (size_t column = 0; column < c.columns; column++) {
        double slope[2][2], share[2];
        dichroism d;
        POYI_TRY(ctx, both_lights(ctx, &c, item, column, &d));
        for (int i = 0; i < 2; i++)
            ratio_slopes(d.part[i], slope[i]);
        for (int exchanged = 0; exchanged < 2; exchanged++) {
            POYI_TRY(ctx, take_light(ctx, &c, column, exchanged, item->in[INCIDENT].data, c.light));
            scatter_light(&c, item);
            memset(c.more[0], 0, c.n * sizeof(poy_c128));
            if (tan[INCIDENT].data)
                POYI_TRY(ctx, take_light(ctx, &c, column, exchanged, tan[INCIDENT].data, c.more[0]));
            POYI_TRY(ctx, push_light(ctx, &c, item, tan));
            add_up(&c, share);
            out[column] += slope[0][exchanged] * share[0];
            out[c.columns + column] += slope[1][exchanged] * (share[0] + share[1]);
        }
    }
    return POY_OK;
}

static const poy_rec_example cd_examples[] = {
    {"", "c128[2,2,4,4] c128[4,2] c128[2,2] c128[2] f64[2,2] f64[4,2]"},
    {"poltype=parity;modetype=down", "c128[2,2,2,2] c128[2,1] c128[2,2] c128[2] f64[1,2] f64[2,2]"}};
const poy_rec_op poyi_record_smatrix_cd = {.state_version = 1,
                                           .flags = POY_REC_NEEDS_INPUTS,
                                           POYI_CHOICES(tr_options),
                                           POYI_EXAMPLES(cd_examples),
                                           .infer = infer_tr,
                                           .evaluate = evaluate_cd,
                                           .pullback = pull_cd,
                                           .pushforward = push_cd,
                                           .sample = sample_tr};

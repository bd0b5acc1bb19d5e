/* planar.c: records of plane layers from frequency, thicknesses and media: the S-matrix of any ports, and the shares of light that one
 * order transmits, reflects and loses. They keep no state. */
#include <stdlib.h>

#include "scatter/record/media.h"
#include "scatter/record/ports.h"
#include "scatter/stack/flux.h"
#include "scatter/stack/layers.h"

enum { K0, THICKNESS, EPSILON, MU, KAPPA, Q, PORTS, LIGHT = PORTS };

/* Media of a call, and what they are to waves; more: gradients or tangents of these. */
typedef struct planar {
    size_t layers, media;
    double k0;
    const double *thickness;
    poy_medium *medium, *more_medium; /* [media] */
    poy_c128 *ks, *zs;                /* [media][2], [media] */
    double complex *more_ks, *more_zs;
    void *memory;
} planar;

static poy_status infer_planar(poy_ctx *ctx, const poy_rec_spec *in)
{
    if (in[EPSILON].dims[0] < 2 || in[THICKNESS].dims[0] != in[EPSILON].dims[0] - 2)
        return POYI_FAIL(
            ctx, POY_ERR_SHAPE,
            "layers: %lld media and %lld thicknesses, needs at least two media, and a thickness for each but the "
            "first and the last",
            (long long)in[EPSILON].dims[0], (long long)in[THICKNESS].dims[0]);
    return POY_OK;
}

static poy_status open_planar(poy_ctx *ctx, const poy_rec_item *item, planar *p)
{
    poy_status status;
    const size_t media = poyi_extent(item, EPSILON, 0);
    *p = (planar){
        .layers = media - 2, .media = media, .k0 = *poyi_real(item->in, K0), .thickness = item->in[THICKNESS].data};
    POYI_TRY(ctx, poyi_layers_check(ctx, p->layers, p->thickness));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "layers", "kpar or q", &item->in[Q]));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.record", media * (2 * sizeof(poy_medium) + 6 * sizeof(poy_c128)),
                                  &p->memory));
    p->medium = p->memory;
    p->more_medium = p->medium + media;
    p->ks = (poy_c128 *)(void *)(p->more_medium + media);
    p->zs = p->ks + 2 * media;
    p->more_ks = (double complex *)(void *)(p->zs + media);
    p->more_zs = p->more_ks + 2 * media;
    poyi_media_join(media, &item->in[EPSILON], p->medium);
    POYI_TO_DONE(ctx, poyi_layers_optics(ctx, p->k0, media, p->medium, p->ks, p->zs));
done:
    if (status != POY_OK)
        poyi_free(&p->memory);
    return status;
}

static poyi_layers layers_of(const planar *p, const double *q, int turns)
{
    return (poyi_layers){p->layers, p->ks, p->zs, p->thickness, {q[0], q[1]}, turns};
}

/* From more_ks and more_zs to the inputs. */
static poy_status pull_planar(poy_ctx *ctx, planar *p, const poy_rec_array *grad)
{
    double g_k0 = 0.0;
    POYI_TRY(ctx,
             poyi_layers_optics_pull(ctx, p->k0, p->media, p->medium, p->more_ks, p->more_zs, p->more_medium, &g_k0));
    if (grad[K0].data)
        *poyi_real(grad, K0) = g_k0;
    poyi_media_split(p->media, p->more_medium, &grad[EPSILON]);
    return POY_OK;
}

static poy_status push_planar(poy_ctx *ctx, planar *p, const poy_rec_array *tan)
{
    poyi_media_join(p->media, &tan[EPSILON], p->more_medium);
    POYI_TRY(ctx, poyi_layers_optics_push(ctx, p->k0, p->media, p->medium, p->more_medium,
                                          tan[K0].data ? *poyi_real(tan, K0) : 0.0, p->more_ks, p->more_zs));
    return POY_OK;
}

static const poyi_range planar_ranges[6] = {
    [K0] = {1.6, 2.0, 0.0, 0.0, 0.0}, [THICKNESS] = {0.2, 0.5, 0.0, 0.0, 0.0}, [EPSILON] = {1.5, 3.5, 0.0, 0.3, 0.0},
    [MU] = {0.9, 1.2, 0.0, 0.1, 0.0}, [KAPPA] = {-0.1, 0.1, -0.02, 0.02, 0.0}, [Q] = {-0.7, 0.7, 0.0, 0.0, 0.0}};

/* ---- smatrix_layers: ..., q of groups, ports ---- */

static poy_status infer_layers(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                               poy_rec_size *size)
{
    (void)config, (void)out;
    POYI_TRY(ctx, infer_planar(ctx, in));
    size->scratch = 2 * (size_t)in[PORTS].dims[0] * sizeof(int);
    return POY_OK;
}

static poy_status read_ports(poy_ctx *ctx, const poy_rec_item *item, poyi_ports *ports)
{
    ports->group = item->scratch;
    ports->pol = ports->group + poyi_extent(item, PORTS, 0);
    POYI_TRY(ctx, poyi_ports_read(ctx, "smatrix_layers", &item->in[PORTS], poyi_extent(item, Q, 0), ports));
    return POY_OK;
}

static int alignment_of(const poy_rec_item *item)
{
    return (int)poyi_choice(item->config, 0);
}

/* Between a sheet and the entries of its group in blocks [2][2][n][n]. */
static void exchange(const poyi_ports *ports, size_t n, size_t group, int take, poyi_sheet *sheet, poy_c128 *blocks)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if ((size_t)ports->group[i] != group || (size_t)ports->group[j] != group)
                continue;
            for (size_t b = 0; b < 4; b++) {
                poy_c128 *entry = blocks + (b * n + i) * n + j;
                double complex *of = &sheet->s[b / 2][b % 2][ports->pol[i]][ports->pol[j]];
                if (take)
                    *of = poyi_c(*entry);
                else
                    *entry = poyi_pair(*of);
            }
        }
}

static poy_status evaluate_layers(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_status status;
    planar p;
    poyi_ports ports;
    poyi_sheet sheet;
    const size_t n = poyi_extent(item, PORTS, 0);
    POYI_TRY(ctx, read_ports(ctx, item, &ports));
    POYI_TRY(ctx, open_planar(ctx, item, &p));
    status = POY_OK;
    poyi_clear(&item->out[0]);
    for (size_t group = 0; group < poyi_extent(item, Q, 0); group++) {
        const poyi_layers l = layers_of(&p, poyi_real(item->in, Q) + 2 * group, alignment_of(item));
        POYI_TO_DONE(ctx, poyi_layers_sheet(ctx, &l, &sheet));
        exchange(&ports, n, group, 0, &sheet, item->out[0].data);
    }
done:
    poyi_free(&p.memory);
    return status;
}

static poy_status pull_layers(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                              const poy_rec_array *grad)
{
    poy_status status;
    planar p;
    poyi_ports ports;
    const size_t n = poyi_extent(item, PORTS, 0);
    POYI_TRY(ctx, read_ports(ctx, item, &ports));
    POYI_TRY(ctx, open_planar(ctx, item, &p));
    poyi_clear(&grad[THICKNESS]);
    poyi_clear(&grad[Q]);
    for (size_t group = 0; group < poyi_extent(item, Q, 0); group++) {
        const poyi_layers l = layers_of(&p, poyi_real(item->in, Q) + 2 * group, alignment_of(item));
        const poyi_layers_inputs to = {p.more_ks, p.more_zs, grad[THICKNESS].data,
                                       grad[Q].data ? poyi_real(grad, Q) + 2 * group : NULL};
        poyi_sheet g;
        memset(&g, 0, sizeof g);
        exchange(&ports, n, group, 1, &g, cot[0].data);
        POYI_TO_DONE(ctx, poyi_layers_pull(ctx, &l, &g, &to));
    }
    POYI_TO_DONE(ctx, pull_planar(ctx, &p, grad));
done:
    poyi_free(&p.memory);
    return status;
}

static poy_status push_layers(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    poy_status status;
    planar p;
    poyi_ports ports;
    const size_t n = poyi_extent(item, PORTS, 0);
    POYI_TRY(ctx, read_ports(ctx, item, &ports));
    POYI_TRY(ctx, open_planar(ctx, item, &p));
    POYI_TO_DONE(ctx, push_planar(ctx, &p, tan));
    poyi_clear(&out_tan[0]);
    for (size_t group = 0; group < poyi_extent(item, Q, 0); group++) {
        const poyi_layers l = layers_of(&p, poyi_real(item->in, Q) + 2 * group, alignment_of(item));
        const poyi_layers_inputs d = {p.more_ks, p.more_zs, tan[THICKNESS].data,
                                      tan[Q].data ? poyi_real(tan, Q) + 2 * group : NULL};
        poyi_sheet sheet;
        POYI_TO_DONE(ctx, poyi_layers_push(ctx, &l, &d, &sheet));
        exchange(&ports, n, group, 0, &sheet, out_tan[0].data);
    }
done:
    poyi_free(&p.memory);
    return status;
}

static poy_status sample_layers(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 6, planar_ranges, in);
    poyi_ports_sample(&in[PORTS]);
    return POY_OK;
}

/* Along the normal, where pols of other alignments than xy turn with q. */
static poy_status sample_normal(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    POYI_TRY(ctx, sample_layers(ctx, config, seed, in));
    poyi_clear(&in[Q]);
    return POY_OK;
}

static const poy_rec_option layers_options[] = {POYI_OPTION_ALIGNMENT};
static const poy_rec_example layers_examples[] = {
    {"", "f64[] f64[1] c128[3] c128[3] c128[3] f64[2,2] f64[4,2]"},
    {"alignment=zx", "f64[] f64[2] c128[4] f64[4] f64[4] f64[2,2] f64[3,2]"},
    {"", "f64[] f64[0] c128[2] c128[2] c128[2] f64[1,2] f64[2,2]"}};

#define LAYERS(name, sampler)                                              \
    const poy_rec_op poyi_record_##name = {.state_version = 1,             \
                                           .flags = POY_REC_NEEDS_INPUTS,  \
                                           POYI_CHOICES(layers_options),   \
                                           POYI_EXAMPLES(layers_examples), \
                                           .infer = infer_layers,          \
                                           .evaluate = evaluate_layers,    \
                                           .pullback = pull_layers,        \
                                           .pushforward = push_layers,     \
                                           .sample = sampler}
LAYERS(smatrix_layers, sample_layers);
LAYERS(smatrix_layers_fixed, sample_normal);
#undef LAYERS

/* ---- layers_power: ..., kpar, light ---- */

/* A call: the sheet, and what leaves behind and before. */
typedef struct power {
    planar p;
    poyi_layers layers;
    poyi_sheet sheet;
    poyi_shares shares;
    int from;
    poy_c128 t[2], r[2];
} power;

static poy_status infer_power(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                              poy_rec_size *size)
{
    (void)config, (void)out, (void)size;
    POYI_TRY(ctx, infer_planar(ctx, in));
    return POY_OK;
}

/* out = S[row][from] a */
static void leave(const power *x, const poyi_sheet *s, int before, const poy_c128 *a, double keep, poy_c128 *out)
{
    const double complex(*m)[2] = (const double complex(*)[2])s->s[before ? 1 - x->from : x->from][x->from];
    for (int i = 0; i < 2; i++)
        out[i] = poyi_pair(keep * poyi_c(out[i]) + m[i][0] * poyi_c(a[0]) + m[i][1] * poyi_c(a[1]));
}

/* The outer media above and below, as shares take them. */
static size_t outer(const power *x, int below)
{
    return below ? 0 : x->p.media - 1;
}

static poy_status open_power(poy_ctx *ctx, const poy_rec_item *item, power *x)
{
    poy_status status;
    static const int group[2] = {0, 0}, pol[2] = {0, 1};
    const poy_c128 *light = item->in[LIGHT].data;
    const double *q = item->in[Q].data;
    memset(x, 0, sizeof *x);
    POYI_TRY(ctx, poyi_rec_finite(ctx, "layers_power", "light", &item->in[LIGHT]));
    POYI_TRY(ctx, open_planar(ctx, item, &x->p));
    x->layers = layers_of(&x->p, q, 0);
    x->from = (int)poyi_choice(item->config, 0);
    POYI_TO_DONE(ctx, poyi_layers_sheet(ctx, &x->layers, &x->sheet));
    leave(x, &x->sheet, 0, light, 0.0, x->t);
    leave(x, &x->sheet, 1, light, 0.0, x->r);
    x->shares = (poyi_shares){
        .n = 2, .groups = 1, .group = group, .pol = pol, .q = q, .from = x->from, .light = light, .t = x->t, .r = x->r};
    for (int below = 0; below < 2; below++) {
        memcpy(x->shares.ks[below], x->p.ks + 2 * outer(x, below), sizeof x->shares.ks[below]);
        x->shares.zs[below] = x->p.zs[outer(x, below)];
    }
done:
    if (status != POY_OK)
        poyi_free(&x->p.memory);
    return status;
}

static void write_shares(const double share[2], double whole, const poy_rec_array *out)
{
    *poyi_real(out, 0) = share[0];
    *poyi_real(out, 1) = share[1];
    *poyi_real(out, 2) = whole - share[0] - share[1];
}

static poy_status evaluate_power(poy_ctx *ctx, const poy_rec_item *item)
{
    power x;
    double share[2];
    POYI_TRY(ctx, open_power(ctx, item, &x));
    const poy_status status = poyi_shares_value(ctx, &x.shares, share);
    poyi_free(&x.p.memory);
    if (status == POY_OK)
        write_shares(share, 1.0, item->out);
    return status;
}

static poy_status pull_power(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    poy_status status;
    power x;
    double g[3], q[2] = {0.0, 0.0};
    poy_c128 light[2] = {{0.0, 0.0}}, t[2] = {{0.0, 0.0}}, r[2] = {{0.0, 0.0}};
    double complex ks[4] = {0.0}, zs[2] = {0.0};
    poyi_sheet g_sheet;
    POYI_TRY(ctx, open_power(ctx, item, &x));
    for (int i = 0; i < 3; i++)
        g[i] = cot[i].data ? *poyi_real(cot, i) : 0.0;
    const double by[2] = {g[0] - g[2], g[1] - g[2]};
    const poyi_shares_inputs to = {ks, zs, q, light, t, r};
    POYI_TO_DONE(ctx, poyi_shares_pull(ctx, &x.shares, by, &to));
    memset(&g_sheet, 0, sizeof g_sheet);
    for (int before = 0; before < 2; before++) {
        const int row = before ? 1 - x.from : x.from;
        const poy_c128 *out = before ? r : t;
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                const double complex in = poyi_c(poyi_complex(item->in, LIGHT)[j]);
                g_sheet.s[row][x.from][i][j] = poyi_c(out[i]) * conj(in);
                light[j] = poyi_pair(poyi_c(light[j]) + conj(x.sheet.s[row][x.from][i][j]) * poyi_c(out[i]));
            }
        for (size_t pol = 0; pol < 2; pol++)
            x.p.more_ks[2 * outer(&x, before) + pol] += ks[2 * before + (int)pol];
        x.p.more_zs[outer(&x, before)] += zs[before];
    }
    poyi_clear(&grad[THICKNESS]);
    const poyi_layers_inputs into = {x.p.more_ks, x.p.more_zs, grad[THICKNESS].data, q};
    POYI_TO_DONE(ctx, poyi_layers_pull(ctx, &x.layers, &g_sheet, &into));
    POYI_TO_DONE(ctx, pull_planar(ctx, &x.p, grad));
    if (grad[Q].data)
        memcpy(grad[Q].data, q, sizeof q);
    if (grad[LIGHT].data)
        memcpy(grad[LIGHT].data, light, sizeof light);
done:
    poyi_free(&x.p.memory);
    return status;
}

static poy_status push_power(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    poy_status status;
    power x;
    poyi_sheet d_sheet;
    double share[2];
    poy_c128 light[2] = {{0.0, 0.0}}, t[2] = {{0.0, 0.0}}, r[2] = {{0.0, 0.0}};
    double complex ks[4], zs[2];
    POYI_TRY(ctx, open_power(ctx, item, &x));
    POYI_TO_DONE(ctx, push_planar(ctx, &x.p, tan));
    const poyi_layers_inputs by = {x.p.more_ks, x.p.more_zs, tan[THICKNESS].data, tan[Q].data};
    POYI_TO_DONE(ctx, poyi_layers_push(ctx, &x.layers, &by, &d_sheet));
    if (tan[LIGHT].data)
        memcpy(light, tan[LIGHT].data, sizeof light);
    for (int before = 0; before < 2; before++) {
        leave(&x, &d_sheet, before, item->in[LIGHT].data, 0.0, before ? r : t);
        leave(&x, &x.sheet, before, light, 1.0, before ? r : t);
        for (size_t pol = 0; pol < 2; pol++)
            ks[2 * before + (int)pol] = x.p.more_ks[2 * outer(&x, before) + pol];
        zs[before] = x.p.more_zs[outer(&x, before)];
    }
    const poyi_shares_inputs d = {ks, zs, tan[Q].data, light, t, r};
    POYI_TO_DONE(ctx, poyi_shares_push(ctx, &x.shares, &d, share));
    write_shares(share, 0.0, out_tan);
done:
    poyi_free(&x.p.memory);
    return status;
}

static poy_status sample_power(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 6, planar_ranges, in);
    poyi_sample_ranges(seed + 1, 1, (const poyi_range[]){{-1.0, 1.0, -1.0, 1.0, 0.0}}, &in[LIGHT]);
    return POY_OK;
}

static const poy_rec_option power_options[] = {
    {"modetype", POY_REC_WORD, "up|down", "up", "the light comes from below, or from above"}};
static const poy_rec_example power_examples[] = {
    {"", "f64[] f64[1] c128[3] c128[3] c128[3] f64[2] c128[2]"},
    {"modetype=down", "f64[] f64[3] c128[5] f64[5] c128[5] f64[2] f64[2]"}};
const poy_rec_op poyi_record_layers_power = {.state_version = 1,
                                             .flags = POY_REC_NEEDS_INPUTS,
                                             POYI_CHOICES(power_options),
                                             POYI_EXAMPLES(power_examples),
                                             .infer = infer_power,
                                             .evaluate = evaluate_power,
                                             .pullback = pull_power,
                                             .pushforward = push_power,
                                             .sample = sample_power};

/* layers_diff.c: derivatives of interfaces, and of plane layers for one pair of transverse components. */
#include <string.h>

#include "record/lapack.h"
#include "scatter/stack/junction.h"
#include "scatter/stack/layers.h"
#include "scatter/waves/diff.h"

/* A sheet is blocks [2][2][n][n] with n = 2. */
static poy_c128 *blocks_of(const poyi_sheet *s)
{
    poy_c128 *blocks; /* without const: junctions have one type for what they read and write */
    memcpy(&blocks, &s, sizeof(void *));
    return blocks;
}

/* ---- interfaces ---- */

/* A wave beside an interface: its side, pol, way up or down, and what goes with it in each column of light. */
typedef struct wave {
    int side, pol;
    double sign, way, s;
} wave;

static wave wave_of(int side, int pol, int up)
{
    return (wave){side, pol, side ? 1.0 : -1.0, up ? 1.0 : -1.0, poyi_pol_sign(pol)};
}

/* Waves that leave are up above and down below: columns of the matrix of unknowns. */
static int leaves(const wave *w)
{
    return (w->side == 1) == (w->way > 0.0);
}

/* Its amplitude in each of the columns (in, pol): of light 1 in its own. */
static void amplitudes(const wave *w, const poyi_sheet *value, double complex a[4])
{
    for (int column = 0; column < 4; column++)
        a[column] = leaves(w) ? value->s[w->side == 0][column / 2][w->pol][column % 2]
                              : (column == 2 * (w->side == 1) + w->pol ? 1.0 : 0.0);
}

static void field(const wave *w, const poyi_fresnel_inputs *x, double complex f[4])
{
    const double complex c = x->c[w->side][w->pol], z = x->z[w->side];
    f[0] = w->way * c;
    f[1] = w->s;
    f[2] = w->s * w->way * c / z;
    f[3] = 1.0 / z;
}

typedef struct continuity {
    poy_c128 lu[16];
    int32_t pivots[4];
} continuity;

static poy_status factor(poy_ctx *ctx, const poyi_fresnel_inputs *x, continuity *m)
{
    for (int column = 0; column < 4; column++) { /* up above, down below */
        const wave w = wave_of(column < 2, column % 2, column < 2);
        double complex f[4];
        field(&w, x, f);
        for (int row = 0; row < 4; row++)
            m->lu[4 * row + column] = poyi_pair(w.sign * f[row]);
    }
    if (poyi_lu_factor(POY_C128, 4, m->lu, m->pivots) != 0)
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                         "interface: all waves graze it, or it guides one: it has no derivative there");
    return POY_OK;
}

/* [4][4] rows (out, pol), columns (in, pol) */
static void to_rows(const poyi_sheet *s, poy_c128 rows[16])
{
    for (int e = 0; e < 16; e++)
        rows[4 * (2 * (e / 8) + e / 2 % 2) + 2 * (e / 4 % 2) + e % 2] = blocks_of(s)[e];
}

static void from_rows(const poy_c128 rows[16], poyi_sheet *s)
{
    for (int e = 0; e < 16; e++)
        blocks_of(s)[e] = rows[4 * (2 * (e / 8) + e / 2 % 2) + 2 * (e / 4 % 2) + e % 2];
}

poy_status poyi_fresnel_pull(poy_ctx *ctx, const poyi_fresnel_inputs *x, const poyi_sheet *value, const poyi_sheet *g,
                             poyi_fresnel_inputs *to)
{
    continuity m;
    poy_c128 h[16], work[16];
    *to = (poyi_fresnel_inputs){.z = {0.0, 0.0}};
    POYI_TRY(ctx, factor(ctx, x, &m));
    to_rows(g, h);
    poyi_lu_solve(POY_C128, 1, 4, 4, m.lu, m.pivots, h, h, work);
    for (int i = 0; i < 8; i++) {
        const wave w = wave_of(i / 4, i / 2 % 2, i % 2);
        const double complex c = x->c[w.side][w.pol], z = x->z[w.side];
        double complex a[4], g_f[4];
        amplitudes(&w, value, a);
        for (int row = 0; row < 4; row++) {
            g_f[row] = 0.0;
            for (int column = 0; column < 4; column++)
                g_f[row] -= w.sign * poyi_c(h[4 * row + column]) * conj(a[column]);
        }
        to->c[w.side][w.pol] += w.way * g_f[0] + w.s * w.way * g_f[2] / conj(z);
        to->z[w.side] -= (w.s * w.way * conj(c) * g_f[2] + g_f[3]) / conj(z * z);
    }
    return POY_OK;
}

poy_status poyi_fresnel_push(poy_ctx *ctx, const poyi_fresnel_inputs *x, const poyi_sheet *value,
                             const poyi_fresnel_inputs *d, poyi_sheet *out)
{
    continuity m;
    poy_c128 rhs[16], work[16];
    double complex sum[16] = {0.0};
    POYI_TRY(ctx, factor(ctx, x, &m));
    for (int i = 0; i < 8; i++) {
        const wave w = wave_of(i / 4, i / 2 % 2, i % 2);
        const double complex c = x->c[w.side][w.pol], z = x->z[w.side], dc = d->c[w.side][w.pol];
        const double complex dy = -d->z[w.side] / (z * z);
        const double complex df[4] = {w.way * dc, 0.0, w.s * w.way * (dc / z + c * dy), dy};
        double complex a[4];
        amplitudes(&w, value, a);
        for (int e = 0; e < 16; e++)
            sum[e] -= w.sign * df[e / 4] * a[e % 4];
    }
    for (int e = 0; e < 16; e++)
        rhs[e] = poyi_pair(sum[e]);
    poyi_lu_solve(POY_C128, 0, 4, 4, m.lu, m.pivots, rhs, rhs, work);
    from_rows(rhs, out);
    return POY_OK;
}

/* ---- parts of layers ---- */

/* What a medium's waves are at the components: kz, and cosines; their gradients or tangents. */
typedef struct medium_waves {
    double complex kz[2], c[2];
} medium_waves;

static medium_waves waves_of(const poyi_layers *l, size_t medium)
{
    medium_waves w;
    for (size_t pol = 0; pol < 2; pol++) {
        const double complex k = poyi_c(l->ks[2 * medium + pol]);
        w.kz[pol] = poyi_layers_kz(l->q, k);
        w.c[pol] = w.kz[pol] / k;
    }
    return w;
}

static poyi_fresnel_inputs beside(const poyi_layers *l, size_t below)
{
    poyi_fresnel_inputs x = {.z = {0.0, 0.0}};
    for (size_t side = 0; side < 2; side++) {
        const medium_waves w = waves_of(l, below + side);
        memcpy(x.c[side], w.c, sizeof w.c);
        x.z[side] = poyi_c(l->zs[below + side]);
    }
    return x;
}

static poy_status grazes(poy_ctx *ctx, const poyi_layers *l, size_t medium, size_t pol)
{
    return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                     "layers: in medium %zu the wave of pol %zu grazes at (%.17g, %.17g): kz = 0 is a branch point",
                     medium, pol, l->q[0], l->q[1]);
}

/* The sheets after each part, and the parts. */
typedef struct steps {
    size_t n;                        /* parts */
    poyi_sheet *total, *part, *more; /* [n] each; for derivatives */
    void *memory;
} steps;

static poy_status walk(poy_ctx *ctx, const poyi_layers *l, steps *s)
{
    poy_status status = POY_OK;
    *s = (steps){.n = 2 * l->layers + 1};
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.smatrix", 3 * s->n * sizeof(poyi_sheet), &s->memory));
    s->total = s->memory;
    s->part = s->total + s->n;
    s->more = s->part + s->n;
    for (size_t i = 0; i < s->n; i++) {
        POYI_TO_DONE(ctx, poyi_layers_part(ctx, l, i, s->part + i));
        if (i == 0)
            s->total[0] = s->part[0];
        else
            POYI_TO_DONE(ctx, poyi_sheet_cascade(ctx, s->total + i - 1, s->part + i, s->total + i));
    }
done:
    if (status != POY_OK)
        poyi_free(&s->memory);
    return status;
}

/* Two sheets upon one another, with memory for the derivative. */
typedef struct pair {
    poyi_junction j;
    double memory[2 * (4 + 8 + 8) + 2]; /* poyi_junction_state_bytes(2, 4) */
    poy_c128 work[8], scratch[24], up[8], down[8];
} pair;

static poy_status join(poy_ctx *ctx, const poyi_sheet *lower, const poyi_sheet *upper, pair *p)
{
    p->j = (poyi_junction){.n = 2, .columns = 4, .lower = blocks_of(lower), .upper = blocks_of(upper), .whole = 1};
    poyi_junction_in(&p->j, p->memory, p->work);
    POYI_TRY(ctx, poyi_junction_solve(ctx, &p->j));
    return POY_OK;
}

/* ---- backwards ---- */

/* By all media: of the cosines, kz and impedances; then thickness. */
typedef struct back {
    const poyi_layers *l;
    const poyi_layers_inputs *to;
    medium_waves *g; /* [layers + 2] */
} back;

static poy_status pull_part(poy_ctx *ctx, const back *b, size_t part, const poyi_sheet *value, const poyi_sheet *g)
{
    const poyi_layers *l = b->l;
    const size_t medium = (part + 1) / 2;
    if (part % 2) { /* a way: e^{i kz d}, both directions */
        const medium_waves w = waves_of(l, medium);
        double by = 0.0;
        for (int pol = 0; pol < 2; pol++)
            for (int d = 0; d < 2; d++) {
                const double complex along = conj(CMPLX(0.0, 1.0) * value->s[d][d][pol][pol]) * g->s[d][d][pol][pol];
                b->g[medium].kz[pol] += l->thickness[part / 2] * along;
                by += creal(conj(w.kz[pol]) * along);
            }
        if (b->to->thickness)
            b->to->thickness[part / 2] += by;
        return POY_OK;
    }
    const poyi_fresnel_inputs x = beside(l, medium);
    poyi_fresnel_inputs to;
    POYI_TRY(ctx, poyi_fresnel_pull(ctx, &x, value, g, &to));
    for (size_t side = 0; side < 2; side++) {
        for (int pol = 0; pol < 2; pol++)
            b->g[medium + side].c[pol] += to.c[side][pol];
        if (b->to->zs)
            b->to->zs[medium + side] += to.z[side];
    }
    return POY_OK;
}

/* c = kz / k, kz^2 = k^2 - q^2 */
static poy_status pull_waves(poy_ctx *ctx, const back *b, size_t medium)
{
    const medium_waves w = waves_of(b->l, medium), *g = b->g + medium;
    for (size_t pol = 0; pol < 2; pol++) {
        const double complex k = poyi_c(b->l->ks[2 * medium + pol]), kz = w.kz[pol];
        const double complex g_kz = g->kz[pol] + g->c[pol] / conj(k);
        if (g_kz == 0.0)
            continue;
        if (kz == 0.0)
            return grazes(ctx, b->l, medium, pol);
        if (b->to->ks)
            b->to->ks[2 * medium + pol] += conj(k / kz) * g_kz - conj(w.c[pol] / k) * g->c[pol];
        for (int c = 0; b->to->q && c < 2; c++)
            b->to->q[c] -= b->l->q[c] * creal(g_kz / conj(kz));
    }
    return POY_OK;
}

/* From the cotangent of the sheet in the ports' pols to that of the upright one, s->more's last. */
static poy_status pull_turned(poy_ctx *ctx, const back *b, const steps *s)
{
    const size_t outer[2] = {0, b->l->layers + 1};
    poyi_turned t;
    double complex g_kn[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
    if (b->l->turns == 0)
        return POY_OK;
    POYI_TRY(ctx, poyi_layers_turned(ctx, b->l, &t));
    POYI_TRY(ctx, poyi_turned_pull(ctx, &t, s->total + s->n - 1, s->more + s->n - 1, b->to->q, g_kn));
    for (int side = 0; side < 2; side++)
        for (int pol = 0; pol < 2; pol++)
            b->g[outer[side]].kz[pol] += g_kn[side][pol];
    return POY_OK;
}

poy_status poyi_layers_pull(poy_ctx *ctx, const poyi_layers *l, const poyi_sheet *g, const poyi_layers_inputs *to)
{
    poy_status status;
    steps s;
    pair p;
    void *memory = NULL;
    POYI_TRY(ctx, walk(ctx, l, &s));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.smatrix", (l->layers + 2) * sizeof(medium_waves), &memory));
    const back b = {l, to, memory};
    s.more[s.n - 1] = *g;
    POYI_TO_DONE(ctx, pull_turned(ctx, &b, &s));
    for (size_t i = s.n - 1; i > 0; i--) {
        poyi_sheet g_part = {.s = {{{{0.0}}}}};
        const poyi_junction_waves of = {.up = p.up, .down = p.down};
        const poyi_junction_inputs into = {.lower = blocks_of(s.more + i - 1), .upper = blocks_of(&g_part)};
        POYI_TO_DONE(ctx, join(ctx, s.total + i - 1, s.part + i, &p));
        poyi_junction_gather(2, blocks_of(s.more + i), p.up, p.down);
        poyi_junction_pull(&p.j, &of, &into, p.scratch);
        POYI_TO_DONE(ctx, pull_part(ctx, &b, i, s.part + i, &g_part));
    }
    POYI_TO_DONE(ctx, pull_part(ctx, &b, 0, s.part, s.more));
    for (size_t medium = 0; medium < l->layers + 2; medium++)
        POYI_TO_DONE(ctx, pull_waves(ctx, &b, medium));
done:
    poyi_free(&memory);
    poyi_free(&s.memory);
    return status;
}

/* ---- forwards ---- */

static poy_status push_waves(poy_ctx *ctx, const poyi_layers *l, const poyi_layers_inputs *d, size_t medium,
                             medium_waves *out)
{
    const medium_waves w = waves_of(l, medium);
    for (size_t pol = 0; pol < 2; pol++) {
        const double complex k = poyi_c(l->ks[2 * medium + pol]), dk = d->ks ? d->ks[2 * medium + pol] : 0.0;
        const double complex by = k * dk - (d->q ? l->q[0] * d->q[0] + l->q[1] * d->q[1] : 0.0);
        if (by != 0.0 && w.kz[pol] == 0.0)
            return grazes(ctx, l, medium, pol);
        out->kz[pol] = by == 0.0 ? 0.0 : by / w.kz[pol];
        out->c[pol] = (out->kz[pol] - w.c[pol] * dk) / k;
    }
    return POY_OK;
}

static poy_status push_part(poy_ctx *ctx, const poyi_layers *l, const poyi_layers_inputs *d, size_t part,
                            const poyi_sheet *value, poyi_sheet *out)
{
    const size_t medium = (part + 1) / 2;
    medium_waves dw[2];
    memset(out, 0, sizeof *out);
    POYI_TRY(ctx, push_waves(ctx, l, d, medium, dw));
    if (part % 2) {
        const medium_waves w = waves_of(l, medium);
        const double dd = d->thickness ? d->thickness[part / 2] : 0.0;
        for (int pol = 0; pol < 2; pol++)
            for (int way = 0; way < 2; way++)
                out->s[way][way][pol][pol] = CMPLX(0.0, 1.0) * value->s[way][way][pol][pol] *
                                             (w.kz[pol] * dd + dw[0].kz[pol] * l->thickness[part / 2]);
        return POY_OK;
    }
    const poyi_fresnel_inputs x = beside(l, medium);
    poyi_fresnel_inputs dx = {.z = {0.0, 0.0}};
    POYI_TRY(ctx, push_waves(ctx, l, d, medium + 1, dw + 1));
    for (size_t side = 0; side < 2; side++) {
        memcpy(dx.c[side], dw[side].c, sizeof dw[side].c);
        dx.z[side] = d->zs ? d->zs[medium + side] : 0.0;
    }
    POYI_TRY(ctx, poyi_fresnel_push(ctx, &x, value, &dx, out));
    return POY_OK;
}

static poy_status push_turned(poy_ctx *ctx, const poyi_layers *l, const poyi_layers_inputs *d,
                              const poyi_sheet *upright, poyi_sheet *out)
{
    poyi_turned t;
    medium_waves dw[2];
    if (l->turns == 0)
        return POY_OK;
    POYI_TRY(ctx, poyi_layers_turned(ctx, l, &t));
    POYI_TRY(ctx, push_waves(ctx, l, d, 0, dw));
    POYI_TRY(ctx, push_waves(ctx, l, d, l->layers + 1, dw + 1));
    const double complex d_kn[2][2] = {{dw[0].kz[0], dw[0].kz[1]}, {dw[1].kz[0], dw[1].kz[1]}};
    POYI_TRY(ctx, poyi_turned_push(ctx, &t, upright, d->q, d_kn, out));
    return POY_OK;
}

poy_status poyi_layers_push(poy_ctx *ctx, const poyi_layers *l, const poyi_layers_inputs *d, poyi_sheet *out)
{
    poy_status status;
    steps s;
    pair p;
    POYI_TRY(ctx, walk(ctx, l, &s));
    POYI_TO_DONE(ctx, push_part(ctx, l, d, 0, s.part, s.more));
    for (size_t i = 1; i < s.n; i++) {
        poyi_sheet d_part = {.s = {{{{0.0}}}}};
        const poyi_junction_waves into = {.up = p.up, .down = p.down};
        const poyi_junction_inputs by = {.lower = blocks_of(s.more + i - 1), .upper = blocks_of(&d_part)};
        POYI_TO_DONE(ctx, push_part(ctx, l, d, i, s.part + i, &d_part));
        POYI_TO_DONE(ctx, join(ctx, s.total + i - 1, s.part + i, &p));
        poyi_junction_push(&p.j, &by, &into, p.scratch);
        poyi_junction_scatter(2, p.up, p.down, blocks_of(s.more + i));
    }
    *out = s.more[s.n - 1];
    POYI_TO_DONE(ctx, push_turned(ctx, l, d, s.total + s.n - 1, out));
done:
    poyi_free(&s.memory);
    return status;
}

/* ---- media ---- */

static void add_medium(const poy_medium *from, poy_medium *to)
{
    to->epsilon = poyi_pair(poyi_c(to->epsilon) + poyi_c(from->epsilon));
    to->mu = poyi_pair(poyi_c(to->mu) + poyi_c(from->mu));
    to->kappa = poyi_pair(poyi_c(to->kappa) + poyi_c(from->kappa));
}

poy_status poyi_layers_optics_pull(poy_ctx *ctx, double k0, size_t n, const poy_medium *media,
                                   const double complex *g_ks, const double complex *g_zs, poy_medium *g_media,
                                   double *g_k0)
{
    for (size_t i = 0; i < n; i++) {
        poy_c128 by_ks[2];
        poy_medium by_z;
        double by_k0;
        for (size_t pol = 0; pol < 2; pol++)
            by_ks[pol] = poyi_pair(g_ks[2 * i + pol]);
        POYI_TRY(ctx, poyi_medium_ks_pullback(ctx, media + i, k0, by_ks, g_media + i, &by_k0));
        POYI_TRY(ctx, poyi_medium_impedance_pullback(ctx, media + i, poyi_pair(g_zs[i]), &by_z));
        add_medium(&by_z, g_media + i);
        *g_k0 += by_k0;
    }
    return POY_OK;
}

poy_status poyi_layers_optics_push(poy_ctx *ctx, double k0, size_t n, const poy_medium *media,
                                   const poy_medium *d_media, double d_k0, double complex *d_ks, double complex *d_zs)
{
    for (size_t i = 0; i < n; i++) {
        const poy_medium *d = d_media ? d_media + i : NULL;
        poy_c128 more[2], z;
        POYI_TRY(ctx, poyi_medium_ks_pushforward(ctx, media + i, k0, d, d_k0, more));
        POYI_TRY(ctx, poyi_medium_impedance_pushforward(ctx, media + i, d, &z));
        for (size_t pol = 0; pol < 2; pol++)
            d_ks[2 * i + pol] = poyi_c(more[pol]);
        d_zs[i] = poyi_c(z);
    }
    return POY_OK;
}

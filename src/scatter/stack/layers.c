/* layers.c: S-matrices of interfaces, ways and plane layers, order by order. */
#include <string.h>

#include "scatter/stack/layers.h"

/* Wavenumbers of a medium, and kz for one pair of components. */
typedef struct side {
    double complex k[2], kz[2], z;
} side;

static side side_of(const poyi_layers *l, size_t medium)
{
    side s = {.z = poyi_c(l->zs[medium])};
    for (size_t pol = 0; pol < 2; pol++) {
        s.k[pol] = poyi_c(l->ks[2 * medium + pol]);
        s.kz[pol] = poyi_layers_kz(l->q, s.k[pol]);
    }
    return s;
}

poy_status poyi_layers_optics(poy_ctx *ctx, double k0, size_t n, const poy_medium *media, poy_c128 *ks, poy_c128 *zs)
{
    for (size_t i = 0; i < n; i++) {
        POYI_TRY(ctx, poyi_medium_check_plane(ctx, media + i));
        const poy_embedding e = {k0, media[i], POY_HELICITY};
        poyi_optics o;
        POYI_TRY(ctx, poyi_embedding_optics(ctx, &e, &o));
        for (size_t pol = 0; pol < 2; pol++)
            ks[2 * i + pol] = poyi_pair(o.ks[pol]);
        zs[i] = poyi_pair(o.impedance);
    }
    return POY_OK;
}

static poy_status interface_sheet(poy_ctx *ctx, const side *below, const side *above, const double *component,
                                  poyi_sheet *out)
{
    const double complex k[2][2] = {{below->k[0], below->k[1]}, {above->k[0], above->k[1]}};
    const double complex kz[2][2] = {{below->kz[0], below->kz[1]}, {above->kz[0], above->kz[1]}};
    const double complex z[2] = {below->z, above->z};
    if (below->z == above->z && below->k[0] == above->k[0] &&
        below->k[1] == above->k[1]) { /* none, grazing waves too */
        memset(out, 0, sizeof *out);
        for (int e = 0; e < 4; e++)
            out->s[e / 2][e / 2][e % 2][e % 2] = 1.0;
        return POY_OK;
    }
    poyi_fresnel(k, kz, z, out);
    for (int e = 0; e < 16; e++) {
        const double complex v = out->s[e / 8][e / 4 % 2][e / 2 % 2][e % 2];
        if (!isfinite(creal(v)) || !isfinite(cimag(v)))
            return POYI_FAIL(ctx, POY_ERR_SINGULAR,
                             "interface: at the components (%.17g, %.17g) its media guide a wave along it, or both of "
                             "their waves graze it",
                             component[0], component[1]);
    }
    return POY_OK;
}

/* across: k.d of the components, of waves up. */
static void way_sheet(const side *s, double along, double across, poyi_sheet *out)
{
    memset(out, 0, sizeof *out);
    for (int pol = 0; pol < 2; pol++)
        for (int d = 0; d < 2; d++) {
            const poyi_xcomplex phase = poyi_x(s->kz[pol]) * (poyi_xreal)along + (poyi_xreal)(d ? -across : across);
            out->s[d][d][pol][pol] = (double complex)poyi_xphase(phase);
        }
}

poy_status poyi_layers_check(poy_ctx *ctx, size_t layers, const double *thickness)
{
    for (size_t i = 0; i < layers; i++)
        if (!(thickness[i] >= 0.0) || !isfinite(thickness[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "layers: layer %zu has the thickness %g, needs at least 0", i,
                             thickness[i]);
    return POY_OK;
}

poy_status poyi_layers_part(poy_ctx *ctx, const poyi_layers *l, size_t part, poyi_sheet *out)
{
    const side below = side_of(l, (part + 1) / 2);
    if (part % 2) {
        way_sheet(&below, l->thickness[part / 2], 0.0, out);
        return POY_OK;
    }
    const side above = side_of(l, part / 2 + 1);
    POYI_TRY(ctx, interface_sheet(ctx, &below, &above, l->q, out));
    return POY_OK;
}

poy_status poyi_layers_turned(poy_ctx *ctx, const poyi_layers *l, poyi_turned *out)
{
    *out = (poyi_turned){.turns = l->turns, .q = {l->q[0], l->q[1]}};
    for (int above = 0; above < 2; above++) {
        const side s = side_of(l, above ? l->layers + 1 : 0);
        memcpy(out->kn[above], s.kz, sizeof s.kz);
    }
    POYI_TRY(ctx, poyi_turned_make(ctx, out));
    return POY_OK;
}

poy_status poyi_layers_sheet(poy_ctx *ctx, const poyi_layers *l, poyi_sheet *out)
{
    poyi_sheet part;
    poyi_turned turned;
    POYI_TRY(ctx, poyi_layers_part(ctx, l, 0, out));
    for (size_t i = 1; i <= 2 * l->layers; i++) {
        POYI_TRY(ctx, poyi_layers_part(ctx, l, i, &part));
        POYI_TRY(ctx, poyi_sheet_cascade(ctx, out, &part, out));
    }
    if (l->turns == 0)
        return POY_OK;
    POYI_TRY(ctx, poyi_layers_turned(ctx, l, &turned));
    poyi_turned_sheet(&turned, out);
    return POY_OK;
}

/* The rows and columns of an order, port i and its partner, as far as they are there. */
static void place(poy_smatrix *s, size_t i, const poyi_sheet *sheet)
{
    const size_t at[2] = {i, s->partner[i]};
    for (int e = 0; e < 4; e++)
        for (int row = 0; row < 2; row++)
            for (int col = 0; col < 2; col++) {
                if (at[row] == POYI_NO_PARTNER || at[col] == POYI_NO_PARTNER)
                    continue;
                const int pol = s->ports->modes[i].pol;
                const double complex v = sheet->s[e / 2][e % 2][row ? 1 - pol : pol][col ? 1 - pol : pol];
                poyi_block(s, e / 2, e % 2)[at[row] * s->n + at[col]] = poyi_pair(v);
            }
}

/* Of each order once: at its first port. */
static int is_first(const poy_smatrix *s, size_t i)
{
    return s->partner[i] == POYI_NO_PARTNER || i < s->partner[i];
}

static int all_paired(const poy_smatrix *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->partner[i] == POYI_NO_PARTNER)
            return 0;
    return 1;
}

static poy_status checked_layers(poy_ctx *ctx, const poy_stage *stage, size_t layers, const double *thickness,
                                 const poy_medium *media, poy_smatrix **out)
{
    poy_status status;
    poyi_sheet sheet;
    void *memory = NULL;
    POYI_TO_DONE(ctx, poyi_smatrix_new(ctx, stage, media, media + layers + 1, out));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.smatrix", 3 * (layers + 2) * sizeof(poy_c128), &memory));
    poy_c128 *ks = memory, *zs = ks + 2 * (layers + 2);
    POYI_TO_DONE(ctx, poyi_layers_optics(ctx, stage->k0, layers + 2, media, ks, zs));
    (*out)->paired = all_paired(*out);
    for (size_t i = 0; i < (*out)->n; i++) {
        if (!is_first(*out, i))
            continue;
        const double *q = stage->ports->modes[i].component;
        const poyi_layers call = {layers, ks, zs, thickness, {q[0], q[1]}, (int)stage->ports->alignment};
        POYI_TO_DONE(ctx, poyi_layers_sheet(ctx, &call, &sheet));
        if (stage->poltype == POY_PARITY)
            poyi_sheet_change_pol(&sheet);
        place(*out, i, &sheet);
    }
done:
    poyi_free(&memory);
    if (status != POY_OK)
        poy_smatrix_destroy(out);
    return status;
}

poy_status poy_smatrix_layers(poy_ctx *ctx, const poy_stage *stage, size_t layers, const double *thickness,
                              const poy_medium *media, poy_smatrix **out)
{
    *out = NULL;
    if (stage == NULL || stage->ports == NULL || stage->ports->kind != POY_BASIS_PORTS)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "layers: need ports");
    POYI_TRY(ctx, poyi_layers_check(ctx, layers, thickness));
    POYI_TRY(ctx, checked_layers(ctx, stage, layers, thickness, media, out));
    return POY_OK;
}

poy_status poy_smatrix_interface(poy_ctx *ctx, const poy_stage *stage, const poy_medium *below, const poy_medium *above,
                                 poy_smatrix **out)
{
    const poy_medium media[2] = {*below, *above};
    POYI_TRY(ctx, poy_smatrix_layers(ctx, stage, 0, NULL, media, out));
    return POY_OK;
}

poy_status poy_smatrix_propagation(poy_ctx *ctx, const poy_stage *stage, const poy_medium *medium, const double d[3],
                                   poy_smatrix **out)
{
    poy_status status;
    poyi_sheet sheet;
    *out = NULL;
    if (!isfinite(d[0]) || !isfinite(d[1]) || !isfinite(d[2]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "propagation by (%g, %g, %g), needs finite numbers", d[0], d[1], d[2]);
    POYI_TO_DONE(ctx, poyi_smatrix_new(ctx, stage, medium, medium, out));
    (*out)->paired = all_paired(*out);
    const int normal = poyi_alignment_normal(stage->ports->alignment);
    if (d[normal] < 0.0) {
        status =
            POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                      "propagation by %g along the normal, needs at least 0: backwards, evanescent waves grow without "
                      "bound",
                      d[normal]);
        goto done;
    }
    poy_c128 ks[2], z;
    POYI_TO_DONE(ctx, poyi_layers_optics(ctx, stage->k0, 1, medium, ks, &z));
    for (size_t i = 0; i < (*out)->n; i++) {
        const double *k = stage->ports->modes[i].component;
        if (!is_first(*out, i))
            continue;
        const poyi_layers call = {0, ks, &z, NULL, {k[0], k[1]}, 0};
        const side s = side_of(&call, 0);
        way_sheet(&s, d[normal], k[0] * d[(normal + 1) % 3] + k[1] * d[(normal + 2) % 3], &sheet);
        place(*out, i, &sheet); /* equal wavenumbers in media of parity: diagonal in either */
    }
done:
    if (status != POY_OK)
        poy_smatrix_destroy(out);
    return status;
}

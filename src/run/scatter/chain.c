/* chain.c: chains of particles in plane waves, and what chains, arrays and crystals guide by themselves. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/stack.h"

/* A chain in one light. */
typedef struct chain {
    poyi_cell cell;
    size_t n;
    poy_c128 *incident, *scattered; /* [n] */
    void *memory;
} chain;

static void chain_fini(chain *c)
{
    poyi_cell_fini(&c->cell);
    poyi_free(&c->memory);
}

static poy_status chain_create(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, int lmax,
                               chain *c)
{
    poy_status status;
    poy_medium medium;
    poy_c128 k[2];
    *c = (chain){0};
    POYI_TRY(ctx, poyi_matter_at(ctx, &s->medium, k0, &medium));
    POYI_TRY(ctx, poy_medium_ks(ctx, &medium, k0, k));
    const double kz = k[1].re * light->direction[2];
    if (light->direction[2] != 0 && (k[1].im != 0 || k[0].re != k[1].re))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "a chain aslant in a medium that %s: its light has no one wavenumber along it: choose "
                         "illumination.direction across",
                         k[1].im != 0 ? "absorbs" : "is chiral");
    POYI_TO_DONE(ctx, poyi_cell_create(ctx, s, k0, &medium, 0, &kz, lmax, 1, &c->cell));
    c->n = poy_basis_size(poy_cluster_basis(c->cell.cluster));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.chain", 2 * c->n * sizeof(poy_c128), &c->memory));
    c->incident = c->memory;
    c->scattered = c->incident + c->n;
    POYI_TO_DONE(ctx,
                 poyi_light_expand(ctx, &c->cell.embedding, light, poy_cluster_basis(c->cell.cluster), c->incident));
    POYI_TO_DONE(ctx, poy_periodic_scatter(ctx, c->cell.periodic, 1, c->incident, c->scattered));
done:
    if (status != POY_OK)
        chain_fini(c);
    return status;
}

/* Extinction -sum Re a* p / k^2 of a cell, and absorption -sum (Re e* p + |p|^2) / k^2 with the exciting e, over the period; what
 * is not absorbed is scattered. */
static poy_status widths(poy_ctx *ctx, const chain *c, double period, double *extinction, double *absorption)
{
    poy_status status;
    void *memory = NULL;
    poy_c128 k[2];
    double sum[2] = {0, 0};
    const poy_wave_mode *modes = poy_basis_modes(poy_cluster_basis(c->cell.cluster));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.exciting", c->n * sizeof(poy_c128), &memory));
    poy_c128 *e = memory;
    POYI_TO_DONE(ctx, poy_medium_ks(ctx, &c->cell.embedding.medium, c->cell.embedding.k0, k));
    POYI_TO_DONE(ctx, poyi_cell_exciting(ctx, &c->cell, c->incident, c->scattered, e));
    for (size_t i = 0; i < c->n; i++) {
        const poy_c128 a = c->incident[i], p = c->scattered[i];
        const double weight = 1 / (k[modes[i].pol].re * k[modes[i].pol].re * period);
        sum[0] -= weight * (a.re * p.re + a.im * p.im);
        sum[1] -= weight * (e[i].re * p.re + e[i].im * p.im + p.re * p.re + p.im * p.im);
    }
    *extinction = sum[0];
    *absorption = sum[1];
done:
    poyi_free(&memory);
    return status;
}

poy_status poyi_chain_sections(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, double *out, poyi_gaps *gaps)
{
    const double period = poy_lattice_measure(&s->array->lattice);
    for (int i = 0; i < s->n_lights; i++) {
        chain c;
        const int before = gaps->n;
        double extinction = (double)NAN, absorption = (double)NAN;
        POYI_TRY(ctx, poyi_gap_of_light(ctx, chain_create(ctx, s, &s->lights[i], k0, lmax, &c), s, i, gaps));
        if (gaps->n == before) {
            const poy_status status = widths(ctx, &c, period, &extinction, &absorption);
            chain_fini(&c);
            POYI_TRY(ctx, status);
        }
        out[i] = extinction;
        out[s->n_lights + i] = extinction - absorption;
        out[2 * s->n_lights + i] = absorption;
    }
    return POY_OK;
}

/* ---- fields ---- */

poy_status poyi_chain_field(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, int lmax,
                            const poyi_view *v, poy_c128 *E, poy_c128 *H)
{
    poy_status status;
    chain c;
    void *memory = NULL;
    const size_t n = (size_t)v->n_points;
    POYI_TRY(ctx, chain_create(ctx, s, light, k0, lmax, &c));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.field", n * (3 * sizeof(poy_c128) + 1), &memory));
    poy_c128 *incident = memory;
    unsigned char *is_whole = (unsigned char *)(incident + 3 * n);
    POYI_TO_DONE(ctx, poyi_cell_fields(ctx, &c.cell, c.incident, c.scattered, n, v->points, is_whole, E, H));
    for (int kind = 0; kind < 2; kind++) {
        poy_c128 *out = kind ? H : E;
        POYI_TO_DONE(ctx, poyi_light_sample(ctx, &c.cell.embedding, light, kind ? POY_WAVE_H : POY_WAVE_E, n, v->points,
                                            incident));
        for (size_t i = 0; i < 3 * n; i++)
            if (!is_whole[i / 3])
                out[i] = (poy_c128){out[i].re + incident[i].re, out[i].im + incident[i].im};
    }
done:
    poyi_free(&memory);
    chain_fini(&c);
    return status;
}

/* ---- bands ---- */

poy_status poyi_bands_map(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, double *out, poyi_gaps *gaps)
{
    poy_status status = POY_OK;
    poyi_cell c;
    poy_medium medium;
    const struct poyi_stack *a = s->array;
    POYI_TRY(ctx, poyi_matter_at(ctx, &s->medium, k0, &medium));
    POYI_TRY(ctx, poyi_cell_create(ctx, s, k0, &medium, 0, a->path, lmax, 0, &c));
    for (int i = 0; i < a->n_path && status == POY_OK; i++) {
        out[i] = (double)NAN;
        status = poy_periodic_resonance(ctx, c.cluster, &a->lattice, a->path + 3 * (ptrdiff_t)i, a->eta, out + i);
        status = poyi_gap_of_bloch(ctx, status, s, i, gaps);
    }
    poyi_cell_fini(&c);
    return status;
}

/* layered_tmatrix.c: the T-matrix of a layered sphere or cylinder is made of 2 x 2 blocks, one for each degree or order; its
 * derivatives are theirs. */
#include "scatter/particle/layered_tmatrix.h"

#include <string.h>

/* ---- blocks ---- */

static size_t block_count(const poyi_layered_particle *p)
{
    return p->cylinder ? p->n_kz * (2 * (size_t)p->most + 1) : (size_t)p->most;
}

size_t poyi_layered_modes(const poyi_layered_particle *p)
{
    return p->cylinder ? 2 * block_count(p) : 2 * (size_t)p->most * ((size_t)p->most + 2);
}

/* Helicity blocks for those of parity, B c B with rows (-1, 1), (1, 1) of B over sqrt 2: its own adjoint and inverse. */
static void turn(poy_c128 *c)
{
    const double complex a = poyi_c(c[0]), b = poyi_c(c[1]), e = poyi_c(c[2]), d = poyi_c(c[3]);
    c[0] = poyi_pair(0.5 * ((a + d) - (b + e)));
    c[1] = poyi_pair(0.5 * ((d - a) + (e - b)));
    c[2] = poyi_pair(0.5 * ((d - a) - (e - b)));
    c[3] = poyi_pair(0.5 * ((a + d) + (b + e)));
}

/* Modes of block b: spheres 2 (b + 1)^2 - 2 on, all orders of a degree; cylinders 2 b and 2 b + 1; pol 1 before pol 0. */
static size_t first_mode(const poyi_layered_particle *p, size_t b)
{
    return p->cylinder ? 2 * b : 2 * ((b + 1) * (b + 1) - 1);
}

static size_t repeats(const poyi_layered_particle *p, size_t b)
{
    return p->cylinder ? 1 : 2 * b + 3;
}

/* t from the blocks c[count][4], which are turned where waves of parity are wanted. */
static void spread(const poyi_layered_particle *p, poy_c128 *c, poy_c128 *t)
{
    const size_t n = poyi_layered_modes(p);
    memset(t, 0, n * n * sizeof *t);
    for (size_t b = 0; b < block_count(p); b++) {
        poy_c128 *block = c + 4 * b;
        if (p->poltype == POY_PARITY)
            turn(block);
        for (size_t k = 0; k < repeats(p, b); k++) {
            const size_t i = first_mode(p, b) + 2 * k;
            for (size_t q = 0; q < 4; q++)
                t[(i + 1 - q / 2) * n + i + 1 - q % 2] = block[q];
        }
    }
}

/* The adjoint of spread. */
static void collect(const poyi_layered_particle *p, const poy_c128 *t, poy_c128 *c)
{
    const size_t n = poyi_layered_modes(p);
    memset(c, 0, 4 * block_count(p) * sizeof *c);
    for (size_t b = 0; b < block_count(p); b++) {
        poy_c128 *block = c + 4 * b;
        for (size_t k = 0; k < repeats(p, b); k++) {
            const size_t i = first_mode(p, b) + 2 * k;
            for (size_t q = 0; q < 4; q++) {
                const poy_c128 v = t[(i + 1 - q / 2) * n + i + 1 - q % 2];
                block[q].re += v.re;
                block[q].im += v.im;
            }
        }
        if (p->poltype == POY_PARITY)
            turn(block);
    }
}

/* ---- one call of the coefficients: a sphere, or a cylinder for one kz ---- */

/* Scratch of a call: blocks, labels, k0 r and their tangents or gradients. */
typedef struct scratch {
    poy_c128 *blocks;
    int64_t *label;
    double *x, *other;
    void *memory;
} scratch;

static poy_status open_scratch(poy_ctx *ctx, const poyi_layered_particle *p, scratch *s)
{
    const int64_t least = p->cylinder ? 0 : 1;
    const char *who = p->cylinder ? "tmatrix_cylinder" : "tmatrix_sphere";
    *s = (scratch){0};
    if (p->most < least || p->most > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s = %lld, needs %lld to %d", who, p->cylinder ? "mmax" : "lmax",
                         (long long)p->most, (long long)least, POY_DEGREE_MAX);
    if (p->layers < 1 || p->layers > SIZE_MAX / 256)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %zu layers, needs at least 1", who, p->layers);
    if (p->poltype == POY_PARITY && (p->kappa[p->layers].re != 0.0 || p->kappa[p->layers].im != 0.0))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: parity in chiral surroundings; use helicity", who);
    const size_t count = block_count(p), labels = p->cylinder ? 2 * (size_t)p->most + 1 : count;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.tmatrix",
                             4 * count * sizeof(poy_c128) + labels * sizeof(int64_t) + 2 * p->layers * sizeof(double),
                             &s->memory));
    s->blocks = s->memory;
    s->label = (int64_t *)(void *)(s->blocks + 4 * count);
    s->x = (double *)(void *)(s->label + labels);
    s->other = s->x + p->layers;
    for (size_t i = 0; i < labels; i++)
        s->label[i] = p->cylinder ? (int64_t)i - p->most : (int64_t)i + 1;
    for (size_t i = 0; i < p->layers; i++)
        s->x[i] = p->cylinder ? p->radii[i] : p->k0 * p->radii[i];
    return POY_OK;
}

static size_t call_count(const poyi_layered_particle *p)
{
    return p->cylinder ? p->n_kz : 1;
}

static poyi_mie_call call_of(const poyi_layered_particle *p, const scratch *s, size_t i)
{
    return (poyi_mie_call){.cylinder = p->cylinder,
                           .n = block_count(p) / call_count(p),
                           .label = s->label,
                           .layers = p->layers,
                           .x = s->x,
                           .epsilon = p->epsilon,
                           .mu = p->mu,
                           .kappa = p->kappa,
                           .kz = p->cylinder ? p->kz[i] : 0.0,
                           .k0 = p->k0};
}

static size_t call_elements(const poyi_mie_call *call)
{
    return 4 * call->n * poyi_mie_inputs(call);
}

size_t poyi_layered_jacobian_elements(const poyi_layered_particle *p)
{
    return 4 * block_count(p) * (p->cylinder ? poyi_cylinder_inputs(p->layers) : poyi_sphere_inputs(p->layers));
}

/* ---- value and derivatives ---- */

static poy_status cylinder_blocks(poy_ctx *ctx, const poyi_layered_particle *p, const scratch *s)
{
    poy_c128 *c = s->blocks;
    for (size_t i = 0; i < p->n_kz; i++)
        for (int64_t j = 0; j <= 2 * p->most; j++, c += 4)
            POYI_TRY(ctx, poy_mie_cyl(ctx, 1, &p->kz[i], s->label + j, &p->k0, p->layers, p->radii, p->epsilon, p->mu,
                                      p->kappa, c));
    return POY_OK;
}

poy_status poyi_layered_tmatrix(poy_ctx *ctx, const poyi_layered_particle *p, poy_c128 *t)
{
    poy_status status;
    scratch s;
    POYI_TO_DONE(ctx, open_scratch(ctx, p, &s));
    if (p->cylinder)
        POYI_TO_DONE(ctx, cylinder_blocks(ctx, p, &s));
    else
        POYI_TO_DONE(ctx, poy_mie_table(ctx, 1, p->most, p->layers, s.x, p->epsilon, p->mu, p->kappa, s.blocks));
    spread(p, s.blocks, t);
done:
    poyi_free(&s.memory);
    return status;
}

/* Sizes x are k0 r of spheres, r of cylinders. */
static poyi_mie_inputs_of inputs_wanted(const poyi_layered_particle *p, const poyi_layered_inputs *wanted,
                                        const scratch *s)
{
    return (poyi_mie_inputs_of){.kz = wanted->kz,
                                .k0 = wanted->k0,
                                .x = wanted->radii || (wanted->k0 && !p->cylinder) ? s->other : NULL,
                                .epsilon = wanted->epsilon,
                                .mu = wanted->mu,
                                .kappa = wanted->kappa};
}

poy_status poyi_layered_jacobian(poy_ctx *ctx, const poyi_layered_particle *p, const poyi_layered_inputs *wanted,
                                 poy_c128 *jacobian)
{
    poy_status status;
    scratch s;
    POYI_TO_DONE(ctx, open_scratch(ctx, p, &s));
    for (size_t i = 0; i < call_count(p); i++) {
        const poyi_mie_call call = call_of(p, &s, i);
        const poyi_mie_inputs_of in = wanted ? inputs_wanted(p, wanted, &s) : (poyi_mie_inputs_of){0};
        POYI_TO_DONE(ctx, poyi_mie_jacobian(ctx, &call, wanted ? &in : NULL, jacobian));
        jacobian += call_elements(&call);
    }
done:
    poyi_free(&s.memory);
    return status;
}

poy_status poyi_layered_push(poy_ctx *ctx, const poyi_layered_particle *p, const poy_c128 *jacobian,
                             const poyi_layered_inputs *d, poy_c128 *d_t)
{
    poy_status status;
    scratch s;
    POYI_TO_DONE(ctx, open_scratch(ctx, p, &s));
    for (size_t j = 0; j < p->layers; j++) {
        const double d_r = d->radii ? d->radii[j] : 0.0, d_k0 = d->k0 ? *d->k0 : 0.0;
        s.other[j] = p->cylinder ? d_r : p->k0 * d_r + d_k0 * p->radii[j];
    }
    poy_c128 *c = s.blocks;
    for (size_t i = 0; i < call_count(p); i++) {
        const poyi_mie_call call = call_of(p, &s, i);
        const poyi_mie_inputs_of in = {.kz = d->kz ? d->kz + i : NULL,
                                       .k0 = d->k0,
                                       .x = s.other,
                                       .epsilon = d->epsilon,
                                       .mu = d->mu,
                                       .kappa = d->kappa};
        poyi_mie_push(&call, jacobian, &in, c);
        jacobian += call_elements(&call);
        c += 4 * call.n;
    }
    spread(p, s.blocks, d_t);
done:
    poyi_free(&s.memory);
    return status;
}

poy_status poyi_layered_pull(poy_ctx *ctx, const poyi_layered_particle *p, const poy_c128 *jacobian,
                             const poy_c128 *g_t, const poyi_layered_inputs *g)
{
    poy_status status;
    scratch s;
    POYI_TO_DONE(ctx, open_scratch(ctx, p, &s));
    memset(s.other, 0, p->layers * sizeof *s.other);
    collect(p, g_t, s.blocks);
    const poy_c128 *c = s.blocks;
    for (size_t i = 0; i < call_count(p); i++) {
        const poyi_mie_call call = call_of(p, &s, i);
        const poyi_mie_inputs_of in = {.kz = g->kz ? g->kz + i : NULL,
                                       .k0 = g->k0,
                                       .x = s.other,
                                       .epsilon = g->epsilon,
                                       .mu = g->mu,
                                       .kappa = g->kappa};
        poyi_mie_pull(&call, jacobian, c, &in);
        jacobian += call_elements(&call);
        c += 4 * call.n;
    }
    for (size_t j = 0; j < p->layers; j++) {
        if (g->radii)
            g->radii[j] += p->cylinder ? s.other[j] : p->k0 * s.other[j];
        if (g->k0 && !p->cylinder)
            *g->k0 += p->radii[j] * s.other[j];
    }
done:
    poyi_free(&s.memory);
    return status;
}

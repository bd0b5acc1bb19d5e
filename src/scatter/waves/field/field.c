/* field.c: fields of whole bases at points and on grids: blocks of points, each done by one thread from first to last, so
 * that the bits do not depend on the number of threads. */
#include "scatter/waves/field/field.h"

#include <string.h>

#include "scatter/waves/thread.h"

#define W ((size_t)POYI_FIELD_LANES)

/* Point i of a call. */
static void point_of(const poyi_field_call *c, size_t i, double r[3])
{
    if (c->points) {
        memcpy(r, c->points + 3 * i, 3 * sizeof *r);
        return;
    }
    const poy_points *g = c->grid;
    const double at[3] = {(double)(i / g->count[2] / g->count[1]), (double)(i / g->count[2] % g->count[1]),
                          (double)(i % g->count[2])};
    for (int j = 0; j < 3; j++)
        r[j] = g->origin[j] + (at[0] * g->step[0][j] + at[1] * g->step[1][j] + at[2] * g->step[2][j]);
}

/* ---- what is asked for ---- */

static poy_status mix_of(poy_ctx *ctx, const poyi_optics *o, poy_poltype poltype, poy_basis_kind kind,
                         poy_wave_field field, int pol, poyi_field_mix *out)
{
    const double complex i = CMPLX(0.0, 1.0), z = o->impedance;
    const double norm = kind == POY_BASIS_SPHERICAL ? sqrt(2.0) : 1.0;
    *out = (poyi_field_mix){{{0.0, 0.0}, {0.0, 0.0}}};
    if ((field == POY_WAVE_G || field == POY_WAVE_F) && pol != 0 && pol != 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "field: G and F of pol = %d, needs 0 or 1", pol);
    for (int q = 0; q < 2; q++) {
        const double s = poyi_pol_sign(q);
        const int helicity = poltype == POY_HELICITY, swapped = helicity ? q : 1 - q;
        switch (field) {
        case POY_WAVE_E: out->mix[q][q] = 1.0; break;
        case POY_WAVE_H: out->mix[swapped][q] = -i * (helicity ? s : 1.0) / z; break;
        case POY_WAVE_D: out->mix[q][q] = o->epsilon + (helicity ? s * o->kappa / z : 0.0); break;
        case POY_WAVE_B:
            out->mix[swapped][q] = helicity ? -i * s / z * (o->mu + s * o->kappa * z) : -i / z * o->mu;
            break;
        case POY_WAVE_G:
        case POY_WAVE_F:
            if (helicity) {
                out->mix[q][q] = q == pol ? norm * (field == POY_WAVE_F ? o->n[q] / o->index : 1.0) : 0.0;
            } else {
                out->mix[q][q] = norm;
                out->mix[1 - q][q] = norm * poyi_pol_sign(pol);
            }
            break;
        default: return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "field %d: there are E, H, D, B, G and F", (int)field);
        }
    }
    return POY_OK;
}

static poy_status check_poles(poy_ctx *ctx, const poyi_field_call *c)
{
    const poy_basis *b = c->basis;
    for (size_t i = 0; i < c->n; i++) {
        double r[3];
        point_of(c, i, r);
        if (!isfinite(r[0]) || !isfinite(r[1]) || !isfinite(r[2]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "field: point %zu is not finite", i);
        for (size_t p = 0; c->singular && p < b->n_positions; p++) {
            const double *o = b->positions + 3 * p;
            if (r[0] == o[0] && r[1] == o[1] && (b->kind != POY_BASIS_SPHERICAL || r[2] == o[2]))
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                 "field: point %zu is on the pole of the singular waves of particle %zu", i, p);
        }
    }
    return POY_OK;
}

/* ---- spherical waves: one sum for each origin and wavenumber ---- */

typedef struct sphere_sums {
    size_t count;
    poyi_sphere_sum *sum;
    const double **position;
    void *memory, *weights, *ladders;
} sphere_sums;

static void release(sphere_sums *s)
{
    poyi_free(&s->ladders);
    poyi_free(&s->weights);
    poyi_free(&s->memory);
}

/* The modes of a particle; without modes lmax is 0. */
typedef struct extent {
    int lmax, mmax;
    size_t first; /* its first sum */
} extent;

static void measure(const poy_basis *b, extent *extents)
{
    for (size_t i = 0; i < b->size; i++) {
        extent *at = extents + b->modes[i].particle;
        const int m = b->modes[i].m < 0 ? -b->modes[i].m : b->modes[i].m;
        at->lmax = b->modes[i].l > at->lmax ? b->modes[i].l : at->lmax;
        at->mmax = m > at->mmax ? m : at->mmax;
    }
}

/* Adds a mode to a sum of its particle, with these weights. */
static void add_mode(const poyi_field_call *c, size_t i, const poyi_sphere_sum *sum, double *weight)
{
    const poy_wave_mode *m = c->basis->modes + i;
    const int side = m->m < 0, order = side ? -m->m : m->m;
    double *w = weight + 8 * poyi_sphere_place(sum->lmax, m->l, order) + (side ? 4 : 0);
    const double complex x = poyi_c(c->coefficients[i]);
    const double norm = (side && order % 2 ? -1.0 : 1.0) / sqrt(m->l * (m->l + 1.0));
    for (int p = 0; p < 2; p++) {
        const double complex y = x * c->mix.mix[p][m->pol] * norm;
        if (c->poltype == POY_HELICITY) {
            const double complex h = sqrt(0.5) * y, signed_h = poyi_pol_sign(p) * h;
            w[0] += creal(signed_h);
            w[1] += cimag(signed_h);
            w[2] += creal(h);
            w[3] += cimag(h);
        } else {
            double *part = p ? w + 2 : w;
            part[0] += creal(y);
            part[1] += cimag(y);
        }
    }
}

static poy_status make_ladders(poy_ctx *ctx, sphere_sums *s)
{
    size_t place[POY_DEGREE_MAX + 1] = {0}, size = 0;
    int wanted[POY_DEGREE_MAX + 1] = {0};
    for (size_t i = 0; i < s->count; i++)
        wanted[s->sum[i].lmax] = 1;
    for (int l = 1; l <= POY_DEGREE_MAX; l++)
        if (wanted[l]) {
            place[l] = size;
            size += 4 * poyi_sphere_size(l, l);
        }
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.field", size * sizeof(double), &s->ladders));
    double *ladder = s->ladders;
    for (int l = 1; l <= POY_DEGREE_MAX; l++)
        if (wanted[l])
            poyi_sphere_ladder(l, l, ladder + place[l]);
    for (size_t i = 0; i < s->count; i++)
        s->sum[i].ladder = ladder + place[s->sum[i].lmax];
    return POY_OK;
}

static poy_status make_sums(poy_ctx *ctx, const poyi_field_call *c, sphere_sums *s)
{
    poy_status status;
    const poy_basis *b = c->basis;
    const size_t passes = c->ks[0] != c->ks[1] ? 2 : 1, particles = b->n_positions;
    size_t size = 0, used = 0;
    void *memory = NULL;
    *s = (sphere_sums){.count = 0};
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "waves.field", particles * sizeof(extent), &memory));
    extent *extents = memory;
    measure(b, extents);
    for (size_t p = 0; p < particles; p++)
        if (extents[p].lmax > 0) {
            size += passes * 8 * poyi_sphere_size(extents[p].lmax, extents[p].mmax);
            s->count += passes;
        }
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.field", s->count * (sizeof *s->sum + sizeof *s->position), &s->memory));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "waves.field", size * sizeof(double), &s->weights));
    s->sum = s->memory;
    s->position = (const double **)(s->sum + s->count);
    double *weight = s->weights;
    for (size_t p = 0; p < particles; p++) {
        extents[p].first = used;
        for (size_t pass = 0; pass < passes && extents[p].lmax > 0; pass++) {
            s->position[used] = b->positions + 3 * p;
            s->sum[used++] = (poyi_sphere_sum){.lmax = extents[p].lmax,
                                               .mmax = extents[p].mmax,
                                               .singular = c->singular,
                                               .k = c->ks[pass],
                                               .weight = weight};
            weight += 8 * poyi_sphere_size(extents[p].lmax, extents[p].mmax);
        }
    }
    weight = s->weights;
    for (size_t i = 0; i < b->size; i++) {
        const size_t at = extents[b->modes[i].particle].first + (passes == 2 ? (size_t)b->modes[i].pol : 0);
        add_mode(c, i, s->sum + at, weight + (s->sum[at].weight - weight));
    }
    POYI_TO_DONE(ctx, make_ladders(ctx, s));
done:
    poyi_free(&memory);
    return status;
}

/* One block of up to W points. Lanes that a kernel refuses go through extended precision. */
static int sample_block(const poyi_field_call *c, const sphere_sums *s, size_t first, double *scratch,
                        poyi_xcomplex *table)
{
    const size_t count = c->n - first < W ? c->n - first : W;
    double e[6 * W] = {0.0}, r[W][3], d[3 * W];
    int beyond = 0;
    for (size_t w = 0; w < W; w++) /* lanes without a point repeat the last one */
        point_of(c, first + (w < count ? w : count - 1), r[w]);
    for (size_t i = 0; i < s->count; i++) {
        for (size_t j = 0; j < 3; j++)
            for (size_t w = 0; w < W; w++)
                d[j * W + w] = r[w][j] - s->position[i][j];
        const unsigned refused = c->kernels->sphere_field(s->sum + i, d, scratch, e);
        for (size_t w = 0; w < count && refused; w++) {
            poyi_xcomplex exact[3];
            const double at[3] = {d[w], d[W + w], d[2 * W + w]};
            if (!(refused >> w & 1))
                continue;
            poyi_sphere_exact(s->sum + i, at, table, exact);
            for (size_t j = 0; j < 3; j++) {
                e[2 * j * W + w] += (double)creall(exact[j]);
                e[(2 * j + 1) * W + w] += (double)cimagl(exact[j]);
            }
        }
    }
    for (size_t w = 0; w < count; w++)
        for (size_t j = 0; j < 3; j++) {
            const poyi_xcomplex v = CMPLXL(e[2 * j * W + w], e[(2 * j + 1) * W + w]);
            c->out[3 * (first + w) + j] = poyi_round(v, &beyond);
        }
    return beyond;
}

static poy_status sample_spherical(poy_ctx *ctx, const poyi_field_call *c, int *beyond)
{
    poy_status status;
    sphere_sums s;
    int lmax = 0, any = 0;
    void *memory = NULL;
    POYI_TO_DONE(ctx, make_sums(ctx, c, &s));
    for (size_t i = 0; i < s.count; i++)
        lmax = s.sum[i].lmax > lmax ? s.sum[i].lmax : lmax;
    const size_t places = 3 * (size_t)(lmax + 1) * (size_t)(lmax + 1), exact = places * sizeof(poyi_xcomplex);
    const size_t each = (exact + poyi_sphere_scratch(lmax) * sizeof(double) + 63) / 64 * 64;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.field", (size_t)poy_ctx_threads(ctx) * each, &memory));
    const size_t blocks = (c->n + W - 1) / W;
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) reduction(| : any) if (blocks > 4)
    for (size_t b = 0; b < blocks; b++) {
        unsigned char *part = (unsigned char *)memory + (size_t)poyi_thread_number() * each;
        any |= sample_block(c, &s, b * W, (double *)(void *)(part + exact), (poyi_xcomplex *)(void *)part);
    }
    *beyond = any;
done:
    poyi_free(&memory);
    release(&s);
    return status;
}

/* ---- all families, mode by mode ---- */

/* value: E of each mode at the point; with coefficients summed up, else written as a row of the operator. */
static int put_point(const poyi_field_call *c, size_t point, const poyi_xcomplex *value)
{
    const size_t size = c->basis->size;
    int beyond = 0;
    for (size_t j = 0; j < 3; j++) {
        poyi_xcomplex sum = 0.0L;
        for (size_t i = 0; i < size; i++) {
            const poyi_xcomplex v = value[j * size + i];
            if (c->coefficients) {
                sum += poyi_xmul(v, poyi_x(poyi_c(c->coefficients[i])));
                continue;
            }
            c->out[(3 * point + j) * size + i] = poyi_round(v, &beyond);
        }
        if (c->coefficients)
            c->out[3 * point + j] = poyi_round(sum, &beyond);
    }
    return beyond;
}

static poy_status by_modes(poy_ctx *ctx, const poyi_field_call *c, int *beyond)
{
    poy_status status;
    void *memory = NULL;
    const size_t scratch = (poyi_mode_scratch(c->basis) + 63) / 64 * 64;
    const size_t each = (scratch + 3 * c->basis->size * sizeof(poyi_xcomplex) + 63) / 64 * 64;
    int any = 0, poles = 0;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.field", (size_t)poy_ctx_threads(ctx) * each, &memory));
#pragma omp parallel for schedule(dynamic, 4) num_threads(poy_ctx_threads(ctx)) reduction(| : any, poles) if (c->n > 8)
    for (size_t p = 0; p < c->n; p++) {
        unsigned char *part = (unsigned char *)memory + (size_t)poyi_thread_number() * each;
        poyi_xcomplex *value = (poyi_xcomplex *)(void *)(part + scratch);
        double r[3];
        point_of(c, p, r);
        if (poyi_mode_fields(c, r, part, value))
            any |= put_point(c, p, value);
        else
            poles = 1;
    }
    if (poles) /* origins and axes were looked for before */
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                           "field: kz is a wavenumber itself, where singular waves have a branch point");
    *beyond = any;
done:
    poyi_free(&memory);
    return status;
}

poy_status poyi_field(poy_ctx *ctx, const poyi_field_call *call)
{
    poyi_field_call c = *call;
    int beyond = 0;
    c.kernels = c.kernels ? c.kernels : poyi_waves_best();
    POYI_TRY(ctx, check_poles(ctx, &c));
    if (c.basis->kind == POY_BASIS_SPHERICAL && c.coefficients)
        POYI_TRY(ctx, sample_spherical(ctx, &c, &beyond));
    else
        POYI_TRY(ctx, by_modes(ctx, &c, &beyond));
    if (beyond)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "field: a value is beyond the largest double");
    return POY_OK;
}

/* ---- the public names ---- */

static poy_status run(poy_ctx *ctx, const poy_embedding *e, const poy_basis *basis, poy_modetype modetype,
                      poy_wave_field field, int pol, poyi_field_call c)
{
    poy_status status;
    poyi_optics o;
    void *memory = NULL;
    POYI_TO_DONE(ctx, poyi_embedding_optics(ctx, e, &o));
    POYI_TO_DONE(ctx, mix_of(ctx, &o, e->poltype, basis->kind, field, pol, &c.mix));
    c.basis = basis;
    c.poltype = e->poltype;
    c.ks[0] = o.ks[0];
    c.ks[1] = o.ks[1];
    c.singular = modetype == POY_SINGULAR;
    if (poyi_basis_is_plane(basis)) {
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.field", 3 * basis->size * sizeof(poy_c128), &memory));
        POYI_TO_DONE(ctx, poy_basis_kvecs(ctx, e, basis, modetype, memory));
        c.vectors = memory;
        c.singular = 0;
    } else if (modetype != POY_REGULAR && modetype != POY_SINGULAR) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "field: multipoles are POY_REGULAR or POY_SINGULAR");
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_field(ctx, &c));
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_wave_sample(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis, poy_modetype modetype,
                           const poy_c128 *coefficients, poy_wave_field field, int pol, size_t n_points,
                           const double *points, poy_c128 *out)
{
    const poyi_field_call c = {.coefficients = coefficients, .n = n_points, .points = points, .out = out};
    POYI_TRY(ctx, poyi_batch_finite(ctx, "field", "coefficients", basis->size, coefficients));
    POYI_TRY(ctx, run(ctx, embedding, basis, modetype, field, pol, c));
    return POY_OK;
}

poy_status poy_op_field(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis, poy_modetype modetype,
                        poy_wave_field field, int pol, size_t n_points, const double *points, poy_c128 *out)
{
    const poyi_field_call c = {.n = n_points, .points = points, .out = out};
    POYI_TRY(ctx, run(ctx, embedding, basis, modetype, field, pol, c));
    return POY_OK;
}

poy_status poy_wave_sample_grid(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                poy_modetype modetype, const poy_c128 *coefficients, poy_wave_field field, int pol,
                                const poy_points *points, poy_c128 *out)
{
    poyi_field_call c = {.coefficients = coefficients, .grid = points, .out = out};
    POYI_TRY(ctx, poyi_mul_size(ctx, points->count[0], points->count[1], &c.n));
    POYI_TRY(ctx, poyi_mul_size(ctx, c.n, points->count[2], &c.n));
    POYI_TRY(ctx, poyi_batch_finite(ctx, "field", "coefficients", basis->size, coefficients));
    POYI_TRY(ctx, run(ctx, embedding, basis, modetype, field, pol, c));
    return POY_OK;
}

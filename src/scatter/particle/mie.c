/* mie.c: coefficients of layered spheres and cylinders, and efficiencies of spheres, in batches: points are shared among
 * threads, each point is computed by one. */
#include "scatter/particle/mie.h"

#include <stdlib.h>

#include "scatter/waves/thread.h"

/* ---- one sphere ---- */

/* c[out pol][in pol] of degrees 1 .. lmax of one sphere that was checked; memory: poyi_layered_bytes(layers, lmax, 0). */
static void sphere_degrees(const poyi_particle_point *p, int64_t lmax, void *memory, poyi_matrix2 *c)
{
    poyi_layered l;
    const int single = !poyi_point_is_chiral(p);
    poyi_layered_place(&l, memory, POYI_WAVES_OF_SPHERES, p->layers, lmax, 0);
    poyi_sphere_fill(p, single, &l);
    poyi_layered_pairs(&l, single ? 1 : 2);
    for (int64_t k = 1; k <= lmax; k++) {
        if (!single) {
            poyi_layered_coupled(&l, k, c + k - 1, NULL);
            continue;
        }
        const double complex m = poyi_layered_single(&l, 0, k, NULL), n = poyi_layered_single(&l, 1, k, NULL);
        c[k - 1] = (poyi_matrix2){{{0.5 * (n + m), 0.5 * (n - m)}, {0.5 * (n - m), 0.5 * (n + m)}}};
    }
}

/* ---- batches ---- */

typedef struct batch {
    const char *who;
    size_t n, layers;
    const int64_t *label; /* degrees, orders */
    int64_t lmax;         /* of tables */
    const double *x, *kz, *k0;
    const poy_c128 *epsilon, *mu, *kappa;
    poy_c128 *out;
    poy_sphere_efficiency *efficiency;
    size_t each;           /* bytes of a thread's memory */
    unsigned char *memory; /* [threads][each] */
} batch;

static poyi_particle_point point_of(const batch *b, size_t i)
{
    const size_t media = i * (b->layers + 1);
    return (poyi_particle_point){.layers = b->layers,
                                 .x = b->x + i * b->layers,
                                 .epsilon = b->epsilon + media,
                                 .mu = b->mu + media,
                                 .kappa = b->kappa + media,
                                 .kz = b->kz ? b->kz[i] : 0.0,
                                 .k0 = b->k0 ? b->k0[i] : 0.0};
}

/* Writes a block; nonzero: beyond the range. */
static int store(const poyi_matrix2 *c, poy_c128 *out)
{
    int beyond = 0;
    for (int i = 0; i < 4; i++) {
        out[i] = poyi_pair(c->m[i / 2][i % 2]);
        beyond |= !isfinite(out[i].re) || !isfinite(out[i].im);
    }
    return beyond;
}

static int one_degree(const batch *b, size_t i, unsigned char *memory)
{
    const poyi_particle_point p = point_of(b, i);
    poyi_layered l;
    poyi_matrix2 c;
    const int single = !poyi_point_is_chiral(&p);
    const int64_t k = b->label[i];
    poyi_layered_place(&l, memory, POYI_WAVES_OF_SPHERES, p.layers, k, 0);
    poyi_sphere_fill(&p, single, &l);
    poyi_layered_pairs(&l, single ? 1 : 2);
    if (single) {
        const double complex m = poyi_layered_single(&l, 0, k, NULL), n = poyi_layered_single(&l, 1, k, NULL);
        c = (poyi_matrix2){{{0.5 * (n + m), 0.5 * (n - m)}, {0.5 * (n - m), 0.5 * (n + m)}}};
    } else {
        poyi_layered_coupled(&l, k, &c, NULL);
    }
    return store(&c, b->out + 4 * i);
}

static int all_degrees(const batch *b, size_t i, unsigned char *memory)
{
    const poyi_particle_point p = point_of(b, i);
    const size_t bytes = poyi_layered_bytes(b->layers, b->lmax, 0);
    poyi_matrix2 *c = (poyi_matrix2 *)(void *)(memory + (bytes + 63) / 64 * 64);
    int beyond = 0;
    sphere_degrees(&p, b->lmax, memory, c);
    for (int64_t l = 0; l < b->lmax; l++)
        beyond |= store(c + l, b->out + 4 * (i * (size_t)b->lmax + (size_t)l));
    return beyond;
}

static int one_order(const batch *b, size_t i, unsigned char *memory)
{
    const poyi_particle_point p = point_of(b, i);
    const int64_t m = b->label[i], order = m < 0 ? -m : m;
    poyi_layered l;
    poyi_matrix2 c;
    poyi_layered_place(&l, memory, POYI_WAVES_OF_CYLINDERS, p.layers, order, 0);
    poyi_cylinder_fill(&p, (m > 0) - (m < 0), &l);
    poyi_layered_pairs(&l, 2);
    poyi_layered_coupled(&l, order, &c, NULL);
    return store(&c, b->out + 4 * i);
}

/* Runs f on all points; memory of each thread: each bytes. */
static poy_status run(poy_ctx *ctx, batch *b, int (*f)(const batch *, size_t, unsigned char *))
{
    void *memory = NULL;
    size_t bytes;
    int64_t beyond = INT64_MAX;
    b->each = (b->each + 63) / 64 * 64;
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)poy_ctx_threads(ctx), b->each, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.mie", bytes, &memory));
    b->memory = memory;
#pragma omp parallel for schedule(dynamic, 16) num_threads(poy_ctx_threads(ctx)) if (b->n > 32) reduction(min : beyond)
    for (size_t i = 0; i < b->n; i++)
        if (f(b, i, b->memory + (size_t)poyi_thread_number() * b->each) && (int64_t)i < beyond)
            beyond = (int64_t)i;
    poyi_free(&memory);
    if (beyond != INT64_MAX)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: a coefficient of particle %lld is beyond the largest double", b->who,
                         (long long)beyond);
    return POY_OK;
}

/* What all calls have in common; also cylinders. */
static batch spheres(const char *who, size_t n, size_t layers, const double *x, const poy_c128 *epsilon,
                     const poy_c128 *mu, const poy_c128 *kappa)
{
    return (batch){.who = who, .n = n, .layers = layers, .x = x, .epsilon = epsilon, .mu = mu, .kappa = kappa};
}

static poy_status check_spheres(poy_ctx *ctx, const batch *b)
{
    for (size_t i = 0; i < b->n; i++) {
        const poyi_particle_point p = point_of(b, i);
        POYI_TRY(ctx, poyi_sphere_check(ctx, b->who, i, &p));
    }
    return POY_OK;
}

poy_status poy_mie(poy_ctx *ctx, size_t n, const int64_t *l, size_t layers, const double *x, const poy_c128 *epsilon,
                   const poy_c128 *mu, const poy_c128 *kappa, poy_c128 *out)
{
    batch b = spheres("mie", n, layers, x, epsilon, mu, kappa);
    int64_t highest = 1;
    b.label = l;
    b.out = out;
    for (size_t i = 0; i < n; i++) {
        if (l[i] < 1 || l[i] > POY_DEGREE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mie: l[%zu] = %lld, needs 1 to %d", i, (long long)l[i],
                             POY_DEGREE_MAX);
        highest = l[i] > highest ? l[i] : highest;
    }
    POYI_TRY(ctx, check_spheres(ctx, &b));
    b.each = poyi_layered_bytes(layers, highest, 0);
    POYI_TRY(ctx, run(ctx, &b, one_degree));
    return POY_OK;
}

poy_status poy_mie_table(poy_ctx *ctx, size_t n, int64_t lmax, size_t layers, const double *x, const poy_c128 *epsilon,
                         const poy_c128 *mu, const poy_c128 *kappa, poy_c128 *out)
{
    batch b = spheres("mie_table", n, layers, x, epsilon, mu, kappa);
    b.lmax = lmax;
    b.out = out;
    if (lmax < 1 || lmax > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mie_table: lmax = %lld, needs 1 to %d", (long long)lmax,
                         POY_DEGREE_MAX);
    POYI_TRY(ctx, check_spheres(ctx, &b));
    b.each = poyi_layered_bytes(layers, lmax, 0) + 64 + (size_t)lmax * sizeof(poyi_matrix2);
    POYI_TRY(ctx, run(ctx, &b, all_degrees));
    return POY_OK;
}

poy_status poy_mie_cyl(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const double *k0, size_t layers,
                       const double *radii, const poy_c128 *epsilon, const poy_c128 *mu, const poy_c128 *kappa,
                       poy_c128 *out)
{
    batch b = spheres("mie_cyl", n, layers, radii, epsilon, mu, kappa);
    int64_t highest = 0;
    b.label = m;
    b.kz = kz;
    b.k0 = k0;
    b.out = out;
    for (size_t i = 0; i < n; i++) {
        const poyi_particle_point p = point_of(&b, i);
        const int64_t order = m[i] < 0 ? -m[i] : m[i];
        if (m[i] < -POY_DEGREE_MAX || m[i] > POY_DEGREE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mie_cyl: m[%zu] = %lld, needs -%d to %d", i, (long long)m[i],
                             POY_DEGREE_MAX, POY_DEGREE_MAX);
        POYI_TRY(ctx, poyi_cylinder_check(ctx, "mie_cyl", i, &p));
        highest = order > highest ? order : highest;
    }
    b.each = poyi_layered_bytes(layers, highest, 0);
    POYI_TRY(ctx, run(ctx, &b, one_order));
    return POY_OK;
}

/* ---- efficiencies ---- */

enum { EFFICIENCY_DEGREE_MAX = 20000000 };

static double outer_size(const poyi_particle_point *p)
{
    return p->x[p->layers - 1] * creal(csqrt(poyi_c(p->epsilon[p->layers]) * poyi_c(p->mu[p->layers])));
}

static int64_t degrees_for(const batch *b, const poyi_particle_point *p)
{
    const double x = outer_size(p);
    return b->lmax > 0 ? b->lmax : (int64_t)(x + 4.05 * cbrt(x) + 8.0) + 8;
}

/* With a_l = -T_N, b_l = -T_M: Bohren and Huffman, eqs. 4.61-4.62 and secs. 4.5-4.6. */
static int efficiencies(const batch *b, size_t i, unsigned char *memory)
{
    const poyi_particle_point p = point_of(b, i);
    const double x = outer_size(&p);
    const int64_t lmax = degrees_for(b, &p);
    poyi_layered l;
    double ext = 0.0, sca = 0.0, abs = 0.0, g = 0.0;
    double complex back = 0.0, tm_before = 0.0, tn_before = 0.0;
    poyi_layered_place(&l, memory, POYI_WAVES_OF_SPHERES, p.layers, lmax, 0);
    poyi_sphere_fill(&p, 1, &l);
    poyi_layered_pairs(&l, 1);
    for (int64_t k = 1; k <= lmax; k++) {
        double lost_m, lost_n;
        const double complex tm = poyi_layered_single(&l, 0, k, &lost_m), tn = poyi_layered_single(&l, 1, k, &lost_n);
        const double weight = (double)(2 * k + 1), dk = (double)k;
        const double scattered =
            creal(tm) * creal(tm) + cimag(tm) * cimag(tm) + creal(tn) * creal(tn) + cimag(tn) * cimag(tn);
        sca += weight * scattered;
        abs += weight * (lost_m + lost_n);
        ext += weight * (scattered + lost_m + lost_n);
        back += (k % 2 ? -weight : weight) * (tm - tn);
        g += weight / (dk * (dk + 1.0)) * creal(tn * conj(tm));
        if (k > 1)
            g += (dk - 1.0) * (dk + 1.0) / dk * creal(tn_before * conj(tn) + tm_before * conj(tm));
        tm_before = tm;
        tn_before = tn;
    }
    const double scale = 2.0 / (x * x);
    b->efficiency[i] = (poy_sphere_efficiency){.extinction = scale * ext,
                                               .scattering = scale * sca,
                                               .absorption = scale * abs,
                                               .backscattering = creal(back * conj(back)) / (x * x),
                                               .asymmetry = sca > 0.0 ? 2.0 * g / sca : 0.0};
    return !isfinite(ext) || !isfinite(g);
}

poy_status poy_sphere_efficiencies(poy_ctx *ctx, size_t n, int64_t lmax, size_t layers, const double *x,
                                   const poy_c128 *epsilon, const poy_c128 *mu, const poy_c128 *kappa,
                                   poy_sphere_efficiency *out)
{
    batch b = spheres("sphere_efficiencies", n, layers, x, epsilon, mu, kappa);
    int64_t highest = 1;
    b.lmax = lmax;
    b.efficiency = out;
    if (lmax < 0 || lmax > EFFICIENCY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "sphere_efficiencies: lmax = %lld, needs 1 to %d, or 0: automatic",
                         (long long)lmax, EFFICIENCY_DEGREE_MAX);
    POYI_TRY(ctx, check_spheres(ctx, &b));
    for (size_t i = 0; i < n; i++) {
        const poyi_particle_point p = point_of(&b, i);
        const double complex e = poyi_c(p.epsilon[layers]), m = poyi_c(p.mu[layers]);
        if (poyi_point_is_chiral(&p))
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                             "sphere_efficiencies: particle %zu is chiral: its cross sections depend on polarisation, "
                             "take its T-matrix",
                             i);
        if (cimag(e) != 0.0 || cimag(m) != 0.0 || !(creal(e) > 0.0) || !(creal(m) > 0.0))
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                             "sphere_efficiencies: particle %zu is in a medium of epsilon = %g%+gi, mu = %g%+gi; "
                             "cross sections need a lossless one that carries waves",
                             i, creal(e), cimag(e), creal(m), cimag(m));
        const int64_t degrees = degrees_for(&b, &p);
        highest = degrees > highest ? degrees : highest;
    }
    b.each = poyi_layered_bytes(layers, highest, 0);
    POYI_TRY(ctx, run(ctx, &b, efficiencies));
    return POY_OK;
}

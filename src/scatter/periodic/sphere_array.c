/* sphere_array.c: powers of plane arrays of spheres and their gradients: one factorisation, one adjoint solution. */
#include "poynting/sphere_array.h"

#include <string.h>

#include "core/constants.h"
#include "record/lapack.h"
#include "scatter/cluster/cross_section.h"
#include "scatter/cluster/interaction_diff.h"
#include "scatter/cluster/spheres.h"
#include "scatter/periodic/lattice_diff.h"
#include "scatter/waves/diff.h"

/* What the value leaves for the gradient. */
typedef struct solved {
    const poy_sphere_array *array;
    poyi_optics optics;
    poy_cluster *cluster;
    poy_factor *factor;
    const poy_basis *basis;
    poyi_bloch bloch;
    poyi_channels channels;
    size_t n, m;                    /* modes, ports */
    double *q, *weight;             /* [2 m]; [m]: kz / k of a port that propagates */
    int *pol;                       /* [m] */
    poy_c128 *coupling;             /* [n][n] */
    poy_c128 *matrices;             /* [role][side][n][m] */
    poy_c128 *incident, *scattered; /* [n] */
    poy_c128 *leaving[2];           /* [m] up, down */
    double power[3];                /* of leaving waves, and of the light */
    void *memory;
} solved;

static void release(solved *v)
{
    poyi_free(&v->memory);
    poy_factor_destroy(&v->factor);
    poy_cluster_destroy(&v->cluster);
}

static poy_status check(poy_ctx *ctx, const poy_sphere_array *s)
{
    if (s->n_orders == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "array of spheres: no orders, needs at least (0, 0)");
    for (size_t i = 0; i < 2 * s->n_orders; i++)
        if (!isfinite(s->incident[i].re) || !isfinite(s->incident[i].im))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "array of spheres: the amplitude of port %zu is not finite", i);
    return POY_OK;
}

static poy_status lay_out(poy_ctx *ctx, solved *v)
{
    const size_t n = v->n, m = v->m;
    size_t bytes;
    POYI_TRY(ctx, poyi_mul_size(ctx, (n + 4 * m + 2) * n + 2 * m, sizeof(poy_c128), &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic", bytes + 3 * m * sizeof(double) + m * sizeof(int), &v->memory));
    v->coupling = v->memory;
    v->matrices = v->coupling + n * n;
    v->incident = v->matrices + 4 * n * m;
    v->scattered = v->incident + n;
    v->leaving[0] = v->scattered + n;
    v->leaving[1] = v->leaving[0] + m;
    v->q = (double *)(void *)(v->leaving[1] + m);
    v->weight = v->q + 2 * m;
    v->pol = (int *)(void *)(v->weight + m);
    return POY_OK;
}

/* Ports at kpar + i b_1 + j b_2, and how much power they carry. */
static poy_status place_ports(poy_ctx *ctx, solved *v)
{
    const poy_sphere_array *s = v->array;
    poy_lattice b;
    POYI_TRY(ctx, poy_lattice_reciprocal(ctx, &v->bloch.lattice, &b));
    for (size_t p = 0; p < v->m; p++) {
        const double i = (double)s->orders[p / 2 * 2], j = (double)s->orders[p / 2 * 2 + 1];
        v->pol[p] = p % 2 == 0;
        for (size_t c = 0; c < 2; c++)
            v->q[2 * p + c] = s->kpar[c] + i * b.a[c] + j * b.a[2 + c];
        const double complex k = v->optics.ks[v->pol[p]];
        v->weight[p] = creal(poyi_normal_wavenumber(v->q[2 * p], v->q[2 * p + 1], k)) / creal(k);
    }
    v->channels = (poyi_channels){.multipoles = v->basis,
                                  .ks = {poyi_pair(v->optics.ks[0]), poyi_pair(v->optics.ks[1])},
                                  .n = v->m,
                                  .q = v->q,
                                  .pol = v->pol,
                                  .measure = poy_lattice_measure(&v->bloch.lattice),
                                  .poltype = s->spheres.embedding.poltype};
    return POY_OK;
}

static poy_c128 *block(const solved *v, poy_c128 *blocks, int role, int side)
{
    return blocks + (size_t)(2 * role + side) * v->n * v->m;
}

static double sum_of(const solved *v, const poy_c128 *a)
{
    double sum = 0.0;
    for (size_t i = 0; i < v->m; i++)
        sum += v->weight[i] * (a[i].re * a[i].re + a[i].im * a[i].im);
    return sum;
}

static poy_status light_up(poy_ctx *ctx, solved *v)
{
    const int64_t n = (int64_t)v->n, m = (int64_t)v->m;
    POYI_TRY(ctx, poyi_channels_value(ctx, &v->channels, v->matrices));
    poyi_gemm(POY_C128, 'n', 'n', n, 1, m, 1.0, block(v, v->matrices, 0, 0), v->array->incident, 0.0, v->incident);
    POYI_TRY(ctx, poyi_factor_apply(ctx, v->factor, 0, 1, v->incident, v->scattered));
    for (int side = 0; side < 2; side++) {
        memset(v->leaving[side], 0, v->m * sizeof(poy_c128));
        if (side == 0)
            memcpy(v->leaving[0], v->array->incident, v->m * sizeof(poy_c128));
        poyi_gemm(POY_C128, 't', 'n', m, 1, n, 1.0, block(v, v->matrices, 1, side), v->scattered, 1.0,
                  v->leaving[side]);
        v->power[side] = sum_of(v, v->leaving[side]);
    }
    v->power[2] = sum_of(v, v->array->incident);
    if (!(v->power[2] > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "array of spheres: the light carries no power; give it to an order that propagates");
    return POY_OK;
}

static poy_status solve(poy_ctx *ctx, const poy_sphere_array *s, solved *v)
{
    poy_status status;
    poy_lattice lattice = {.dim = 2};
    *v = (solved){.array = s};
    POYI_TRY(ctx, check(ctx, s));
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "array of spheres", &s->spheres.embedding, &v->optics));
    memcpy(lattice.a, s->lattice, sizeof s->lattice);
    POYI_TRY(ctx, poyi_bloch_make(ctx, &lattice, s->kpar, 0.0, POY_BASIS_SPHERICAL, &v->bloch));
    POYI_TO_DONE(ctx, poyi_spheres_cluster(ctx, &s->spheres, &v->cluster));
    v->basis = v->cluster->basis;
    v->n = v->cluster->n;
    v->m = 2 * s->n_orders;
    POYI_TO_DONE(ctx, lay_out(ctx, v));
    POYI_TO_DONE(ctx, place_ports(ctx, v));
    POYI_TO_DONE(ctx, poyi_bloch_coupling(ctx, &s->spheres.embedding, &v->bloch, v->basis, v->coupling));
    POYI_TO_DONE(ctx, poyi_factor_coupled(ctx, v->cluster, v->coupling, &v->factor));
    POYI_TO_DONE(ctx, light_up(ctx, v));
done:
    if (status != POY_OK)
        release(v);
    return status;
}

/* ---- the gradient ---- */

/* Cotangents on the way back. */
typedef struct back {
    double power[3]; /* of solved.power */
    double complex ks[2];
    poy_c128 *g_matrices;               /* [role][side][n][m] */
    poy_c128 *g_coupling;               /* [n][n] */
    poy_c128 *g_scattered, *g_incident; /* [n] */
    poy_c128 *g_blocks, *g_leaving;     /* T-matrices; [m] */
    double *g_q;                        /* [2 m] */
    void *memory;
} back;

static poy_status open_back(poy_ctx *ctx, const solved *v, back *b)
{
    const size_t n = v->n, m = v->m, blocks = poyi_cluster_block_elements(v->cluster);
    const size_t elements = 4 * n * m + n * n + 2 * n + blocks + m;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.periodic", elements * sizeof(poy_c128) + 2 * m * sizeof(double),
                                  &b->memory));
    b->g_matrices = b->memory;
    b->g_coupling = b->g_matrices + 4 * n * m;
    b->g_scattered = b->g_coupling + n * n;
    b->g_incident = b->g_scattered + n;
    b->g_blocks = b->g_incident + n;
    b->g_leaving = b->g_blocks + blocks;
    b->g_q = (double *)(void *)(b->g_leaving + m);
    return POY_OK;
}

/* w = kz / k of the ports: dw = (q^2 / k^3 dk - q dq / k^2) / w. */
static void through_weights(const solved *v, back *b)
{
    for (size_t i = 0; i < v->m; i++) {
        const double k = creal(v->optics.ks[v->pol[i]]), *q = v->q + 2 * i;
        double g = 0.0;
        for (int e = 0; e < 3; e++) {
            const poy_c128 a = e < 2 ? v->leaving[e][i] : v->array->incident[i];
            g += b->power[e] * (a.re * a.re + a.im * a.im);
        }
        if (!(v->weight[i] > 0.0))
            continue;
        b->ks[v->pol[i]] += g * (q[0] * q[0] + q[1] * q[1]) / (k * k * k * v->weight[i]);
        for (int c = 0; c < 2; c++)
            b->g_q[2 * i + (size_t)c] -= g * q[c] / (k * k * v->weight[i]);
    }
}

/* From the powers to the waves that leave, to what the particles scatter, and to the matrices between. */
static void through_ports(const solved *v, back *b)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < v->m; i++) {
            const double factor = 2.0 * b->power[side] * v->weight[i];
            b->g_leaving[i] = (poy_c128){factor * v->leaving[side][i].re, factor * v->leaving[side][i].im};
        }
        const poy_c128 *emission = block(v, v->matrices, 1, side);
        poy_c128 *g_emission = block(v, b->g_matrices, 1, side);
        for (size_t i = 0; i < v->n; i++) {
            double complex sum = poyi_c(b->g_scattered[i]);
            for (size_t j = 0; j < v->m; j++) {
                sum += conj(poyi_c(emission[i * v->m + j])) * poyi_c(b->g_leaving[j]);
                g_emission[i * v->m + j] = poyi_pair(conj(poyi_c(v->scattered[i])) * poyi_c(b->g_leaving[j]));
            }
            b->g_scattered[i] = poyi_pair(sum);
        }
    }
}

/* Ports with an order move with kpar + G, that without one only with kpar: it may be normal to the array. */
static poy_status through_channels(poy_ctx *ctx, const solved *v, back *b, poy_sphere_array_gradient *g,
                                   double *g_measure)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    const size_t n = v->n, m = v->m, count = 3 * v->basis->n_positions;
    poy_c128 ks[2];
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic", 4 * n * m * sizeof(poy_c128) + (count + 2 * m) * sizeof(double),
                             &memory));
    poy_c128 *part = memory;
    double *positions = (double *)(void *)(part + 4 * n * m), *q = positions + count, measure;
    *g_measure = 0.0;
    for (int moving = 0; moving < 2; moving++) {
        int any = 0;
        for (size_t port = 0; port < m; port++) {
            const int64_t *order = v->array->orders + port / 2 * 2;
            const int moves = order[0] != 0 || order[1] != 0 || g->with_kpar;
            for (size_t row = 0; row < 4 * n; row++)
                part[row * m + port] = moves == moving ? b->g_matrices[row * m + port] : (poy_c128){0.0, 0.0};
            any |= moves == moving;
        }
        const poyi_channels_inputs to = {positions, ks, moving ? q : NULL, &measure};
        if (!any)
            continue;
        POYI_TO_DONE(ctx, poyi_channels_pullback(ctx, &v->channels, part, &to));
        for (size_t i = 0; i < count; i++)
            g->spheres.positions[i] += positions[i];
        for (size_t i = 0; moving && i < 2 * m; i++)
            b->g_q[i] += q[i];
        for (int pol = 0; pol < 2; pol++)
            b->ks[pol] += poyi_c(ks[pol]);
        *g_measure += measure;
    }
done:
    poyi_free(&memory);
    return status;
}

/* q = kpar + i b_1 + j b_2, b = 2 pi a^-T: db_c = -(b_c . da_r) b_r / 2 pi summed over rows; |det a|. */
static void through_lattice(const solved *v, const back *b, const poy_lattice *dual, double g_measure,
                            poy_sphere_array_gradient *g)
{
    const double *a = v->array->lattice, two_pi = 2.0 * POYI_PI;
    const double sign = a[0] * a[3] - a[1] * a[2] < 0.0 ? -1.0 : 1.0;
    const double cofactor[4] = {a[3], -a[2], -a[1], a[0]};
    for (size_t e = 0; e < 4; e++)
        g->lattice[e] += sign * g_measure * cofactor[e];
    for (size_t p = 0; p < v->m; p++) {
        const int64_t *order = v->array->orders + p / 2 * 2;
        const double *gq = b->g_q + 2 * p;
        double shift[2]; /* G */
        for (size_t c = 0; c < 2; c++)
            shift[c] = (double)order[0] * dual->a[c] + (double)order[1] * dual->a[2 + c];
        for (size_t row = 0; row < 2; row++) { /* dG = -b_r (da_r . G) / 2 pi */
            const double along = gq[0] * dual->a[2 * row] + gq[1] * dual->a[2 * row + 1];
            for (size_t c = 0; c < 2; c++)
                g->lattice[2 * row + c] -= along * shift[c] / two_pi;
        }
        for (size_t c = 0; g->with_kpar && c < 2; c++)
            g->kpar[c] += gq[c];
    }
}

static poy_status pull(poy_ctx *ctx, const solved *v, back *b, poy_sphere_array_gradient *g)
{
    poy_status status;
    const poy_spheres *s = &v->array->spheres;
    const poyi_scattered scattered = {v->factor, v->coupling, 1, v->incident, v->scattered};
    poy_lattice dual;
    poy_c128 ks[2];
    poy_medium medium;
    double k0, g_measure, kpar[2] = {0.0, 0.0};
    POYI_TRY(ctx, open_back(ctx, v, b));
    memset(g->spheres.positions, 0, 3 * s->n * sizeof *g->spheres.positions);
    memset(g->lattice, 0, sizeof g->lattice);
    if (g->with_kpar)
        memset(g->kpar, 0, sizeof g->kpar);
    through_weights(v, b);
    through_ports(v, b);
    POYI_TO_DONE(ctx, poyi_scattered_pull(ctx, &scattered, b->g_scattered, b->g_blocks, b->g_coupling, b->g_incident));
    for (size_t i = 0; i < v->n; i++)
        for (size_t j = 0; j < v->m; j++)
            block(v, b->g_matrices, 0, 0)[i * v->m + j] =
                poyi_pair(poyi_c(b->g_incident[i]) * conj(poyi_c(v->array->incident[j])));
    POYI_TO_DONE(ctx, through_channels(ctx, v, b, g, &g_measure));
    const poyi_bloch_gradient by = {b->ks, kpar, g->lattice, g->spheres.positions};
    POYI_TO_DONE(ctx, poyi_bloch_coupling_pull(ctx, &v->bloch, v->basis, v->optics.ks, s->embedding.poltype,
                                               b->g_coupling, &by));
    POYI_TO_DONE(ctx, poy_lattice_reciprocal(ctx, &v->bloch.lattice, &dual));
    through_lattice(v, b, &dual, g_measure, g);
    for (size_t c = 0; g->with_kpar && c < 2; c++)
        g->kpar[c] += kpar[c];
    for (int pol = 0; pol < 2; pol++)
        ks[pol] = poyi_pair(b->ks[pol]);
    POYI_TO_DONE(ctx, poyi_medium_ks_pullback(ctx, &s->embedding.medium, s->embedding.k0, ks, &medium, &k0));
    g->spheres.medium = medium;
    g->spheres.k0 = k0;
    POYI_TO_DONE(ctx, poyi_spheres_pull_blocks(ctx, s, b->g_blocks, &g->spheres));
done:
    poyi_free(&b->memory);
    return status;
}

poy_status poy_sphere_array_power(poy_ctx *ctx, const poy_sphere_array *s, poy_power_shares *out,
                                  const double weight[3], poy_sphere_array_gradient *gradient)
{
    poy_status status = POY_OK;
    solved v;
    POYI_TRY(ctx, solve(ctx, s, &v));
    const double t = v.power[0] / v.power[2], r = v.power[1] / v.power[2];
    if (gradient) {
        const double up = (weight[0] - weight[2]) / v.power[2], down = (weight[1] - weight[2]) / v.power[2];
        back b = {.power = {up, down, -(up * t + down * r)}};
        POYI_TO_DONE(ctx, pull(ctx, &v, &b, gradient));
    }
    *out = (poy_power_shares){t, r, 1.0 - t - r};
done:
    release(&v);
    return status;
}

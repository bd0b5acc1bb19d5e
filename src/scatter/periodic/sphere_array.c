/* sphere_array.c: powers of plane arrays of spheres: one factorisation, and one adjoint solution for all gradients. */
#include "scatter/periodic/sphere_array.h"

#include <string.h>

#include "record/lapack.h"
#include "scatter/cluster/cross_section.h"

typedef poyi_sphere_array solved;

void poyi_sphere_array_close(poyi_sphere_array *v)
{
    poyi_free(&v->memory);
    poy_factor_destroy(&v->factor);
    poy_cluster_destroy(&v->cluster);
}

static poy_status check(poy_ctx *ctx, const poy_sphere_array *s, int whole)
{
    if (s->n_orders == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "array of spheres: no orders, needs at least (0, 0)");
    for (size_t i = 0; !whole && i < 2 * s->n_orders; i++)
        if (!isfinite(s->incident[i].re) || !isfinite(s->incident[i].im))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "array of spheres: the amplitude of port %zu is not finite", i);
    return POY_OK;
}

static size_t modes_of(size_t spheres, int lmax)
{
    return spheres * poy_basis_sw_default_size(lmax, 1);
}

size_t poyi_sphere_array_bytes(size_t spheres, int lmax, size_t orders, int whole)
{
    const size_t n = modes_of(spheres, lmax), m = 2 * orders;
    const size_t fixed = poyi_factor_bytes(n, spheres) + n * n * sizeof(poy_c128);
    return fixed + (whole ? 4 * n * m * sizeof(poy_c128)
                          : (2 * n + 2 * m) * sizeof(poy_c128) + POYI_ARRAY_POWERS * sizeof(double));
}

static poy_status lay_out(poy_ctx *ctx, void *state, solved *v)
{
    const size_t n = v->n, m = v->m;
    v->coupling = (poy_c128 *)(void *)((unsigned char *)state + poyi_factor_bytes(n, v->array->spheres.n));
    v->incident = v->coupling + n * n;
    v->scattered = v->incident + n * poyi_array_columns(v);
    if (!v->whole) {
        v->leaving[0] = v->scattered + n;
        v->leaving[1] = v->leaving[0] + m;
        v->power = (double *)(void *)(v->leaving[1] + m);
    }
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic",
                             4 * n * m * sizeof(poy_c128) + 3 * m * sizeof(double) + m * sizeof(int), &v->memory));
    v->matrices = v->memory;
    v->q = (double *)(void *)(v->matrices + 4 * n * m);
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
    poyi_gemm(POY_C128, 'n', 'n', n, 1, m, 1.0, poyi_array_block(v, v->matrices, 0, 0), v->array->incident, 0.0,
              v->incident);
    POYI_TRY(ctx, poyi_factor_apply(ctx, v->factor, 0, 1, v->incident, v->scattered));
    for (int side = 0; side < 2; side++) {
        memset(v->leaving[side], 0, v->m * sizeof(poy_c128));
        if (side == 0)
            memcpy(v->leaving[0], v->array->incident, v->m * sizeof(poy_c128));
        poyi_gemm(POY_C128, 't', 'n', m, 1, n, 1.0, poyi_array_block(v, v->matrices, 1, side), v->scattered, 1.0,
                  v->leaving[side]);
        v->power[side] = sum_of(v, v->leaving[side]);
    }
    v->power[POYI_ARRAY_LIGHT] = sum_of(v, v->array->incident);
    if (!(v->power[POYI_ARRAY_LIGHT] > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "array of spheres: the light carries no power; give it to an order that propagates");
    return POY_OK;
}

/* Every port from below, then from above. */
static poy_status light_all(poy_ctx *ctx, solved *v)
{
    for (size_t side = 0; side < 2; side++)
        for (size_t k = 0; k < v->n; k++)
            memcpy(v->incident + 2 * v->m * k + side * v->m, poyi_array_block(v, v->matrices, 0, (int)side) + k * v->m,
                   v->m * sizeof(poy_c128));
    POYI_TRY(ctx, poyi_factor_apply(ctx, v->factor, 0, 2 * v->m, v->incident, v->scattered));
    return POY_OK;
}

static poy_status solve(poy_ctx *ctx, void *state, solved *v)
{
    POYI_TRY(ctx, poyi_bloch_coupling(ctx, &v->array->spheres.embedding, &v->bloch, v->basis, v->coupling));
    POYI_TRY(ctx, poyi_factor_coupled(ctx, v->cluster, v->coupling, state, &v->factor));
    POYI_TRY(ctx, v->whole ? light_all(ctx, v) : light_up(ctx, v));
    return POY_OK;
}

static poy_status open_state(poy_ctx *ctx, const poy_sphere_array *s, int whole, int restore, void *state, solved *v)
{
    poy_status status;
    poy_lattice lattice = {.dim = 2};
    *v = (solved){.array = s, .whole = whole, .wanted = POYI_WANT_ALL};
    POYI_TRY(ctx, check(ctx, s, whole));
    if (whole)
        POYI_TRY(ctx, poyi_embedding_optics(ctx, &s->spheres.embedding, &v->optics));
    else
        POYI_TRY(ctx, poyi_far_field_medium(ctx, "array of spheres", &s->spheres.embedding, &v->optics));
    memcpy(lattice.a, s->lattice, sizeof s->lattice);
    POYI_TRY(ctx, poyi_bloch_make(ctx, &lattice, s->kpar, 0.0, POY_BASIS_SPHERICAL, &v->bloch));
    POYI_TO_DONE(ctx, poyi_spheres_cluster(ctx, &s->spheres, &v->cluster));
    v->basis = v->cluster->basis;
    v->n = v->cluster->n;
    v->m = 2 * s->n_orders;
    POYI_TO_DONE(ctx, lay_out(ctx, state, v));
    POYI_TO_DONE(ctx, place_ports(ctx, v));
    POYI_TO_DONE(ctx, poyi_channels_value(ctx, &v->channels, v->matrices));
    if (restore)
        POYI_TO_DONE(ctx, poyi_factor_restore(ctx, v->cluster, state, &v->factor));
    else
        POYI_TO_DONE(ctx, solve(ctx, state, v));
done:
    if (status != POY_OK)
        poyi_sphere_array_close(v);
    return status;
}

poy_status poyi_sphere_array_open(poy_ctx *ctx, const poy_sphere_array *s, int whole, void *state, poyi_sphere_array *v)
{
    POYI_TRY(ctx, open_state(ctx, s, whole, 0, state, v));
    return POY_OK;
}

poy_status poyi_sphere_array_restore(poy_ctx *ctx, const poy_sphere_array *s, int whole, const void *state,
                                     poyi_sphere_array *v)
{
    void *same; /* without const: it is only read */
    memcpy(&same, &state, sizeof same);
    POYI_TRY(ctx, open_state(ctx, s, whole, 1, same, v));
    return POY_OK;
}

poy_status poyi_sphere_array_smatrix(poy_ctx *ctx, const poyi_sphere_array *v, poy_c128 *out)
{
    const size_t m = v->m;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic", 2 * m * m * sizeof(poy_c128), &memory));
    for (int side = 0; side < 2; side++) {
        poyi_gemm(POY_C128, 't', 'n', (int64_t)m, 2 * (int64_t)m, (int64_t)v->n, 1.0,
                  poyi_array_block(v, v->matrices, 1, side), v->scattered, 0.0, memory);
        poyi_array_exchange(m, side, 0, memory, out);
        for (size_t i = 0; i < m; i++)
            out[(size_t)(3 * side) * m * m + i * m + i].re += 1.0; /* what passes */
    }
    poyi_free(&memory);
    return POY_OK;
}

poy_power_shares poyi_sphere_array_shares(const poyi_sphere_array *v)
{
    const double t = v->power[POYI_ARRAY_UP] / v->power[POYI_ARRAY_LIGHT],
                 r = v->power[POYI_ARRAY_DOWN] / v->power[POYI_ARRAY_LIGHT];
    return (poy_power_shares){t, r, 1.0 - t - r};
}

poy_status poy_sphere_array_power(poy_ctx *ctx, const poy_sphere_array *s, poy_power_shares *out,
                                  const double weight[3], poy_sphere_array_gradient *gradient)
{
    poy_status status;
    void *state = NULL;
    poyi_sphere_array v = {.memory = NULL};
    const int lmax = s->spheres.lmax;
    if (lmax < 1 || lmax > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "array of spheres: lmax = %d, needs 1 to %d", lmax, POY_DEGREE_MAX);
    POYI_TRY(ctx,
             poyi_alloc(ctx, "scatter.periodic", poyi_sphere_array_bytes(s->spheres.n, lmax, s->n_orders, 0), &state));
    POYI_TO_DONE(ctx, poyi_sphere_array_open(ctx, s, 0, state, &v));
    if (gradient)
        POYI_TO_DONE(ctx, poyi_sphere_array_pull(ctx, &v, weight, gradient, NULL));
    *out = poyi_sphere_array_shares(&v);
done:
    poyi_sphere_array_close(&v);
    poyi_free(&state);
    return status;
}

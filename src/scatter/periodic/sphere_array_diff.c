/* sphere_array_diff.c: both directions of the derivative of an array's powers by all its parameters. */
#include <string.h>

#include "core/constants.h"
#include "record/lapack.h"
#include "scatter/cluster/interaction_diff.h"
#include "scatter/periodic/lattice_diff.h"
#include "scatter/periodic/sphere_array.h"

typedef poyi_sphere_array solved;

static poyi_bloch_expansion coupling_of(const solved *v)
{
    return (poyi_bloch_expansion){
        &v->bloch, v->basis, v->basis, {v->optics.ks[0], v->optics.ks[1]}, v->array->spheres.embedding.poltype};
}

/* ---- ports: q = kpar + G, measure = |det a| ---- */

static double measure_slope(const solved *v, size_t element)
{
    const double *a = v->array->lattice;
    const double cofactor[4] = {a[3], -a[2], -a[1], a[0]};
    return (a[0] * a[3] - a[1] * a[2] < 0.0 ? -1.0 : 1.0) * cofactor[element];
}

/* G of a port; as the rows of a move, dG = sum over rows of -b_row (da_row . G) / 2 pi. */
static void reciprocal_of(const solved *v, size_t port, const poy_lattice *dual, double shift[2])
{
    const int64_t *order = v->array->orders + port / 2 * 2;
    for (size_t c = 0; c < 2; c++)
        shift[c] = (double)order[0] * dual->a[c] + (double)order[1] * dual->a[2 + c];
}

/* Ports that move: all with kpar; without it those of an order that is not (0, 0). Gathered, since a port that stands still may be
 * normal to the array, where a direction has no derivative. */
typedef struct group {
    size_t n;
    size_t *port; /* [n] */
    poyi_channels channels;
    double *q;          /* [2 n], then gradients or tangents [2 n] */
    poy_c128 *matrices; /* [4 size][n] */
    void *memory;
} group;

static int moves_with(const solved *v, size_t port, int with_kpar)
{
    const int64_t *order = v->array->orders + port / 2 * 2;
    return with_kpar || order[0] != 0 || order[1] != 0;
}

static poy_status gather(poy_ctx *ctx, const solved *v, int with_kpar, int moving, group *g)
{
    const size_t m = v->m, rows = 4 * v->n;
    *g = (group){.n = 0};
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic",
                             rows * m * sizeof(poy_c128) + m * (4 * sizeof(double) + sizeof(size_t) + sizeof(int)),
                             &g->memory));
    g->matrices = g->memory;
    g->q = (double *)(void *)(g->matrices + rows * m);
    g->port = (size_t *)(void *)(g->q + 4 * m);
    int *pol = (int *)(void *)(g->port + m);
    for (size_t port = 0; port < m; port++) {
        if (moves_with(v, port, with_kpar) != moving)
            continue;
        memcpy(g->q + 2 * g->n, v->q + 2 * port, 2 * sizeof(double));
        pol[g->n] = v->pol[port];
        g->port[g->n++] = port;
    }
    g->channels = v->channels;
    g->channels.n = g->n;
    g->channels.q = g->q;
    g->channels.pol = pol;
    return POY_OK;
}

/* ---- back ---- */

/* Cotangents on the way back. */
typedef struct back {
    double power[POYI_ARRAY_POWERS];
    double complex ks[2];
    poy_c128 *g_matrices;               /* [role][side][n][m] */
    poy_c128 *g_coupling;               /* [n][n] */
    poy_c128 *g_scattered, *g_incident; /* [n][columns] */
    poy_c128 *g_blocks, *g_leaving;     /* T-matrices; [2][m], of the whole [m][2 m] */
    double *g_q;                        /* [2 m] */
    void *memory;
} back;

static poy_status open_back(poy_ctx *ctx, const solved *v, back *b)
{
    const size_t n = v->n, m = v->m, blocks = poyi_cluster_block_elements(v->cluster);
    const size_t columns = poyi_array_columns(v), leaving = 2 * m * (v->whole ? m : 1);
    const size_t count = 4 * n * m + n * n + 2 * n * columns + blocks + leaving;
    POYI_TRY(ctx,
             poyi_alloc_zero(ctx, "scatter.periodic", count * sizeof(poy_c128) + 2 * m * sizeof(double), &b->memory));
    b->g_matrices = b->memory;
    b->g_coupling = b->g_matrices + 4 * n * m;
    b->g_scattered = b->g_coupling + n * n;
    b->g_incident = b->g_scattered + n * columns;
    b->g_blocks = b->g_incident + n * columns;
    b->g_leaving = b->g_blocks + blocks;
    b->g_q = (double *)(void *)(b->g_leaving + leaving);
    return POY_OK;
}

/* Of transmission, reflection, absorption to the powers. */
static void through_shares(const solved *v, const double g[3], back *b)
{
    const poy_power_shares s = poyi_sphere_array_shares(v);
    const double light = v->power[POYI_ARRAY_LIGHT];
    b->power[POYI_ARRAY_UP] = (g[0] - g[2]) / light;
    b->power[POYI_ARRAY_DOWN] = (g[1] - g[2]) / light;
    b->power[POYI_ARRAY_LIGHT] = -(b->power[POYI_ARRAY_UP] * s.transmission + b->power[POYI_ARRAY_DOWN] * s.reflection);
}

/* w = kz / k of the ports: dw = (q^2 / k^3 dk - q dq / k^2) / w. */
static void through_weights(const solved *v, back *b)
{
    for (size_t i = 0; i < v->m; i++) {
        const double k = creal(v->optics.ks[v->pol[i]]), *q = v->q + 2 * i;
        double g = 0.0;
        for (int e = 0; e < POYI_ARRAY_POWERS; e++) {
            const poy_c128 a = e < POYI_ARRAY_LIGHT ? v->leaving[e][i] : v->array->incident[i];
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
        poy_c128 *g_leaving = b->g_leaving + (size_t)side * v->m;
        for (size_t i = 0; i < v->m; i++) {
            const double factor = 2.0 * b->power[side] * v->weight[i];
            g_leaving[i] = (poy_c128){factor * v->leaving[side][i].re, factor * v->leaving[side][i].im};
        }
        const poy_c128 *emission = poyi_array_block(v, v->matrices, 1, side);
        poy_c128 *g_emission = poyi_array_block(v, b->g_matrices, 1, side);
        for (size_t i = 0; i < v->n; i++) {
            double complex sum = poyi_c(b->g_scattered[i]);
            for (size_t j = 0; j < v->m; j++) {
                sum += conj(poyi_c(emission[i * v->m + j])) * poyi_c(g_leaving[j]);
                g_emission[i * v->m + j] = poyi_pair(conj(poyi_c(v->scattered[i])) * poyi_c(g_leaving[j]));
            }
            b->g_scattered[i] = poyi_pair(sum);
        }
    }
}

/* The light is in what comes to the particles, in what goes on, and in its own power. */
static void through_light(const solved *v, back *b, poy_c128 *g_light)
{
    poy_c128 *g_incidence = poyi_array_block(v, b->g_matrices, 0, 0);
    for (size_t i = 0; i < v->n; i++)
        for (size_t j = 0; j < v->m; j++)
            g_incidence[i * v->m + j] = poyi_pair(poyi_c(b->g_incident[i]) * conj(poyi_c(v->array->incident[j])));
    if (!g_light)
        return;
    poyi_gemm(POY_C128, 'c', 'n', (int64_t)v->m, 1, (int64_t)v->n, 1.0, poyi_array_block(v, v->matrices, 0, 0),
              b->g_incident, 0.0, g_light);
    for (size_t j = 0; j < v->m; j++)
        g_light[j] = poyi_pair(poyi_c(g_light[j]) + poyi_c(b->g_leaving[j]) +
                               2.0 * b->power[POYI_ARRAY_LIGHT] * v->weight[j] * poyi_c(v->array->incident[j]));
}

static poy_status through_channels(poy_ctx *ctx, const solved *v, back *b, poy_sphere_array_gradient *g,
                                   double *g_measure)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    group part = {.memory = NULL};
    const size_t count = 3 * v->basis->n_positions;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic", count * sizeof(double), &memory));
    double *positions = memory, measure;
    poy_c128 ks[2] = {{0.0, 0.0}, {0.0, 0.0}};
    for (int moving = 0; moving < 2; moving++) {
        POYI_TO_DONE(ctx, gather(ctx, v, g->with_kpar, moving, &part));
        double *g_q = part.q + 2 * v->m;
        const poyi_channels_inputs to = {positions, ks, moving ? g_q : NULL, &measure};
        for (size_t row = 0; row < 4 * v->n; row++)
            for (size_t i = 0; i < part.n; i++)
                part.matrices[row * part.n + i] = b->g_matrices[row * v->m + part.port[i]];
        if (part.n > 0) {
            POYI_TO_DONE(ctx, poyi_channels_pullback(ctx, &part.channels, part.matrices, &to));
            for (size_t i = 0; i < count; i++)
                g->spheres.positions[i] += positions[i];
            for (size_t i = 0; moving && i < 2 * part.n; i++)
                b->g_q[2 * part.port[i / 2] + i % 2] += g_q[i];
            for (int pol = 0; pol < 2; pol++)
                b->ks[pol] += poyi_c(ks[pol]);
            *g_measure += measure;
        }
        poyi_free(&part.memory);
    }
done:
    poyi_free(&part.memory);
    poyi_free(&memory);
    return status;
}

static void through_lattice(const solved *v, const back *b, const poy_lattice *dual, double g_measure,
                            poy_sphere_array_gradient *g)
{
    for (size_t e = 0; e < 4; e++)
        g->lattice[e] += g_measure * measure_slope(v, e);
    for (size_t p = 0; p < v->m; p++) {
        const double *gq = b->g_q + 2 * p;
        double shift[2];
        reciprocal_of(v, p, dual, shift);
        for (size_t row = 0; row < 2; row++) {
            const double along = gq[0] * dual->a[2 * row] + gq[1] * dual->a[2 * row + 1];
            for (size_t c = 0; c < 2; c++)
                g->lattice[2 * row + c] -= along * shift[c] / (2.0 * POYI_PI);
        }
        for (size_t c = 0; g->with_kpar && c < 2; c++)
            g->kpar[c] += gq[c];
    }
}

static poy_status through_scattering(poy_ctx *ctx, const solved *v, back *b)
{
    const poyi_scattered scattered = {v->factor, v->coupling, poyi_array_columns(v), v->incident, v->scattered};
    return poyi_scattered_pull(ctx, &scattered, b->g_scattered, v->wanted & POYI_WANT_PARTICLES ? b->g_blocks : NULL,
                               b->g_coupling, b->g_incident);
}

/* From cotangents of T-matrices, coupling, channels, wavenumbers and components of the ports to those of the parameters. */
static poy_status through_parameters(poy_ctx *ctx, const solved *v, back *b, poy_sphere_array_gradient *g)
{
    const poy_spheres *s = &v->array->spheres;
    const poyi_bloch_expansion coupling = coupling_of(v);
    poy_lattice dual;
    poy_c128 ks[2];
    double g_measure = 0.0, kpar[2] = {0.0, 0.0};
    memset(g->spheres.positions, 0, 3 * s->n * sizeof *g->spheres.positions);
    memset(g->lattice, 0, sizeof g->lattice);
    memset(g->kpar, 0, g->with_kpar ? sizeof g->kpar : 0);
    POYI_TRY(ctx, through_channels(ctx, v, b, g, &g_measure));
    double *const positions = v->wanted & POYI_WANT_POSITIONS ? g->spheres.positions : NULL;
    const poyi_bloch_inputs by = {.ks = v->wanted & POYI_WANT_SURROUNDINGS ? b->ks : NULL,
                                  .kpar = g->with_kpar && v->wanted & POYI_WANT_KPAR ? kpar : NULL,
                                  .a = v->wanted & POYI_WANT_LATTICE ? g->lattice : NULL,
                                  .destination = positions,
                                  .source = positions};
    POYI_TRY(ctx, poyi_bloch_pull(ctx, &coupling, b->g_coupling, &by));
    POYI_TRY(ctx, poy_lattice_reciprocal(ctx, &v->bloch.lattice, &dual));
    through_lattice(v, b, &dual, g_measure, g);
    for (size_t c = 0; g->with_kpar && c < 2; c++)
        g->kpar[c] += kpar[c];
    for (int pol = 0; pol < 2; pol++)
        ks[pol] = poyi_pair(b->ks[pol]);
    POYI_TRY(ctx, poyi_medium_ks_pullback(ctx, &s->embedding.medium, s->embedding.k0, ks, &g->spheres.medium,
                                          &g->spheres.k0));
    POYI_TRY(ctx, poyi_spheres_pull_blocks(ctx, s, v->wanted, b->g_blocks, &g->spheres));
    return POY_OK;
}

poy_status poyi_sphere_array_pull(poy_ctx *ctx, const poyi_sphere_array *v, const double g[3],
                                  poy_sphere_array_gradient *to, poy_c128 *g_incident)
{
    poy_status status;
    back b = {.memory = NULL};
    POYI_TRY(ctx, open_back(ctx, v, &b));
    through_shares(v, g, &b);
    through_weights(v, &b);
    through_ports(v, &b);
    POYI_TO_DONE(ctx, through_scattering(ctx, v, &b));
    through_light(v, &b, g_incident);
    POYI_TO_DONE(ctx, through_parameters(ctx, v, &b, to));
done:
    poyi_free(&b.memory);
    return status;
}

static void conjugate(size_t n, const poy_c128 *a, poy_c128 *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (poy_c128){a[i].re, -a[i].im};
}

/* S = E^T p of a side: g_E = conj(p) g^T, and conj(E) g adds to that of p. */
static poy_status through_blocks(poy_ctx *ctx, const solved *v, const poy_c128 *g, back *b)
{
    const size_t n = v->n, m = v->m;
    void *memory = NULL;
    poy_c128 *blocks;
    memcpy((void *)&blocks, (const void *)&g, sizeof(void *)); /* without const: it is only read */
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.periodic", 3 * n * m * sizeof(poy_c128), &memory));
    poy_c128 *scattered = memory, *emission = scattered + 2 * n * m;
    conjugate(2 * n * m, v->scattered, scattered);
    for (int side = 0; side < 2; side++) {
        poyi_array_exchange(m, side, 1, b->g_leaving, blocks);
        conjugate(n * m, poyi_array_block(v, v->matrices, 1, side), emission);
        poyi_gemm(POY_C128, 'n', 't', (int64_t)n, (int64_t)m, 2 * (int64_t)m, 1.0, scattered, b->g_leaving, 0.0,
                  poyi_array_block(v, b->g_matrices, 1, side));
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, 2 * (int64_t)m, (int64_t)m, 1.0, emission, b->g_leaving, 1.0,
                  b->g_scattered);
    }
    poyi_free(&memory);
    return POY_OK;
}

poy_status poyi_sphere_array_smatrix_pull(poy_ctx *ctx, const poyi_sphere_array *v, const poy_c128 *g,
                                          poy_sphere_array_gradient *to)
{
    poy_status status;
    back b = {.memory = NULL};
    const size_t m = v->m;
    POYI_TRY(ctx, open_back(ctx, v, &b));
    POYI_TO_DONE(ctx, through_blocks(ctx, v, g, &b));
    POYI_TO_DONE(ctx, through_scattering(ctx, v, &b));
    for (size_t side = 0; side < 2; side++) /* every port's waves are a column of the light */
        for (size_t k = 0; k < v->n; k++)
            memcpy(poyi_array_block(v, b.g_matrices, 0, (int)side) + k * m, b.g_incident + k * 2 * m + side * m,
                   m * sizeof(poy_c128));
    POYI_TO_DONE(ctx, through_parameters(ctx, v, &b, to));
done:
    poyi_free(&b.memory);
    return status;
}

/* ---- forth ---- */

/* Tangents on the way forth. */
typedef struct forth {
    const poy_sphere_array_gradient *d;
    poy_c128 ks[2];
    double *d_q;                        /* [2 m] */
    poy_c128 *d_matrices, *d_coupling;  /* [role][side][n][m]; [n][n] */
    poy_c128 *d_incident, *d_scattered; /* [n][columns] */
    poy_c128 *d_blocks, *d_leaving;     /* T-matrices; [m], of the whole [m][2 m] */
    void *memory;
} forth;

static poy_status open_forth(poy_ctx *ctx, const solved *v, forth *f)
{
    const size_t n = v->n, m = v->m, blocks = poyi_cluster_block_elements(v->cluster);
    const size_t columns = poyi_array_columns(v), leaving = m * columns;
    const size_t count = 4 * n * m + n * n + 2 * n * columns + blocks + leaving;
    POYI_TRY(ctx,
             poyi_alloc_zero(ctx, "scatter.periodic", count * sizeof(poy_c128) + 2 * m * sizeof(double), &f->memory));
    f->d_matrices = f->memory;
    f->d_coupling = f->d_matrices + 4 * n * m;
    f->d_incident = f->d_coupling + n * n;
    f->d_scattered = f->d_incident + n * columns;
    f->d_blocks = f->d_scattered + n * columns;
    f->d_leaving = f->d_blocks + blocks;
    f->d_q = (double *)(void *)(f->d_leaving + leaving);
    return POY_OK;
}

static poy_status move_ports(poy_ctx *ctx, const solved *v, forth *f, double *d_measure)
{
    poy_lattice dual;
    POYI_TRY(ctx, poy_lattice_reciprocal(ctx, &v->bloch.lattice, &dual));
    *d_measure = 0.0;
    for (size_t e = 0; e < 4; e++)
        *d_measure += measure_slope(v, e) * f->d->lattice[e];
    for (size_t p = 0; p < v->m; p++) {
        double shift[2];
        reciprocal_of(v, p, &dual, shift);
        for (size_t c = 0; c < 2; c++) {
            f->d_q[2 * p + c] = f->d->with_kpar ? f->d->kpar[c] : 0.0;
            for (size_t row = 0; row < 2; row++)
                f->d_q[2 * p + c] -= dual.a[2 * row + c] *
                                     (f->d->lattice[2 * row] * shift[0] + f->d->lattice[2 * row + 1] * shift[1]) /
                                     (2.0 * POYI_PI);
        }
    }
    return POY_OK;
}

static poy_status push_channels(poy_ctx *ctx, const solved *v, forth *f, double d_measure)
{
    poy_status status = POY_OK;
    group part = {.memory = NULL};
    for (int moving = 0; moving < 2; moving++) {
        POYI_TO_DONE(ctx, gather(ctx, v, f->d->with_kpar, moving, &part));
        double *d_q = part.q + 2 * v->m;
        for (size_t i = 0; i < 2 * part.n; i++)
            d_q[i] = f->d_q[2 * part.port[i / 2] + i % 2];
        const poyi_channels_inputs d = {f->d->spheres.positions, f->ks, moving ? d_q : NULL, &d_measure};
        if (part.n > 0)
            POYI_TO_DONE(ctx, poyi_channels_pushforward(ctx, &part.channels, &d, part.matrices));
        for (size_t row = 0; row < 4 * v->n; row++)
            for (size_t i = 0; i < part.n; i++)
                f->d_matrices[row * v->m + part.port[i]] = part.matrices[row * part.n + i];
        poyi_free(&part.memory);
    }
done:
    poyi_free(&part.memory);
    return status;
}

/* d sum of w |a|^2 */
static double push_power(const solved *v, const forth *f, const poy_c128 *a, const poy_c128 *d_a)
{
    double sum = 0.0;
    for (size_t i = 0; i < v->m; i++) {
        const double k = creal(v->optics.ks[v->pol[i]]), *q = v->q + 2 * i, *d_q = f->d_q + 2 * i, w = v->weight[i];
        if (!(w > 0.0))
            continue;
        const double d_w =
            ((q[0] * q[0] + q[1] * q[1]) / k * f->ks[v->pol[i]].re - q[0] * d_q[0] - q[1] * d_q[1]) / (k * k * w);
        sum += d_w * (a[i].re * a[i].re + a[i].im * a[i].im);
        if (d_a)
            sum += 2.0 * w * (a[i].re * d_a[i].re + a[i].im * d_a[i].im);
    }
    return sum;
}

/* From tangents of all that the waves depend on to those of the powers. */
static poy_status push_waves(poy_ctx *ctx, const solved *v, forth *f, const poy_c128 *d_light,
                             double d_power[POYI_ARRAY_POWERS])
{
    const int64_t n = (int64_t)v->n, m = (int64_t)v->m;
    const poyi_scattered scattered = {v->factor, v->coupling, 1, v->incident, v->scattered};
    poyi_gemm(POY_C128, 'n', 'n', n, 1, m, 1.0, poyi_array_block(v, f->d_matrices, 0, 0), v->array->incident, 0.0,
              f->d_incident);
    if (d_light)
        poyi_gemm(POY_C128, 'n', 'n', n, 1, m, 1.0, poyi_array_block(v, v->matrices, 0, 0), d_light, 1.0,
                  f->d_incident);
    POYI_TRY(ctx, poyi_scattered_push(ctx, &scattered, f->d_blocks, f->d_coupling, f->d_incident, f->d_scattered));
    for (int side = 0; side < 2; side++) {
        memset(f->d_leaving, 0, v->m * sizeof *f->d_leaving);
        if (side == 0 && d_light)
            memcpy(f->d_leaving, d_light, v->m * sizeof *f->d_leaving);
        poyi_gemm(POY_C128, 't', 'n', m, 1, n, 1.0, poyi_array_block(v, f->d_matrices, 1, side), v->scattered, 1.0,
                  f->d_leaving);
        poyi_gemm(POY_C128, 't', 'n', m, 1, n, 1.0, poyi_array_block(v, v->matrices, 1, side), f->d_scattered, 1.0,
                  f->d_leaving);
        d_power[side] = push_power(v, f, v->leaving[side], f->d_leaving);
    }
    d_power[POYI_ARRAY_LIGHT] = push_power(v, f, v->array->incident, d_light);
    return POY_OK;
}

static int is_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0.0)
            return 0;
    return 1;
}

/* From tangents of the parameters to those of T-matrices, coupling, channels, wavenumbers and components of the ports. */
static poy_status push_parameters(poy_ctx *ctx, const solved *v, forth *f)
{
    const poy_spheres *s = &v->array->spheres;
    const poy_sphere_array_gradient *d = f->d;
    const poyi_bloch_expansion coupling = coupling_of(v);
    double d_measure, kpar[2] = {0.0, 0.0}, lattice[4];
    POYI_TRY(ctx, poyi_medium_ks_pushforward(ctx, &s->embedding.medium, s->embedding.k0, &d->spheres.medium,
                                             d->spheres.k0, f->ks));
    POYI_TRY(ctx, poyi_spheres_push_blocks(ctx, s, &d->spheres, f->d_blocks));
    POYI_TRY(ctx, move_ports(ctx, v, f, &d_measure));
    POYI_TRY(ctx, push_channels(ctx, v, f, d_measure));
    double complex ks[2] = {poyi_c(f->ks[0]), poyi_c(f->ks[1])};
    memcpy(lattice, d->lattice, sizeof lattice);
    if (d->with_kpar)
        memcpy(kpar, d->kpar, sizeof kpar);
    const poyi_bloch_inputs by = {.ks = ks[0] != 0.0 || ks[1] != 0.0 ? ks : NULL,
                                  .kpar = kpar[0] != 0.0 || kpar[1] != 0.0 ? kpar : NULL,
                                  .a = is_zero(4, lattice) ? NULL : lattice,
                                  .destination = d->spheres.positions,
                                  .source = d->spheres.positions};
    POYI_TRY(ctx, poyi_bloch_push(ctx, &coupling, &by, f->d_coupling));
    return POY_OK;
}

poy_status poyi_sphere_array_push(poy_ctx *ctx, const poyi_sphere_array *v, const poy_sphere_array_gradient *d,
                                  const poy_c128 *d_incident, double out[3])
{
    poy_status status;
    forth f = {.d = d};
    double d_power[POYI_ARRAY_POWERS];
    POYI_TRY(ctx, open_forth(ctx, v, &f));
    POYI_TO_DONE(ctx, push_parameters(ctx, v, &f));
    POYI_TO_DONE(ctx, push_waves(ctx, v, &f, d_incident, d_power));
    const poy_power_shares value = poyi_sphere_array_shares(v);
    const double light = v->power[POYI_ARRAY_LIGHT];
    out[0] = (d_power[POYI_ARRAY_UP] - value.transmission * d_power[POYI_ARRAY_LIGHT]) / light;
    out[1] = (d_power[POYI_ARRAY_DOWN] - value.reflection * d_power[POYI_ARRAY_LIGHT]) / light;
    out[2] = -out[0] - out[1];
done:
    poyi_free(&f.memory);
    return status;
}

/* dS = dE^T p + E^T dp */
poy_status poyi_sphere_array_smatrix_push(poy_ctx *ctx, const poyi_sphere_array *v, const poy_sphere_array_gradient *d,
                                          poy_c128 *out)
{
    poy_status status;
    forth f = {.d = d};
    const size_t m = v->m;
    const int64_t n = (int64_t)v->n, wide = 2 * (int64_t)m;
    const poyi_scattered scattered = {v->factor, v->coupling, 2 * m, v->incident, v->scattered};
    POYI_TRY(ctx, open_forth(ctx, v, &f));
    POYI_TO_DONE(ctx, push_parameters(ctx, v, &f));
    for (size_t side = 0; side < 2; side++)
        for (size_t k = 0; k < v->n; k++)
            memcpy(f.d_incident + k * 2 * m + side * m, poyi_array_block(v, f.d_matrices, 0, (int)side) + k * m,
                   m * sizeof(poy_c128));
    POYI_TO_DONE(ctx, poyi_scattered_push(ctx, &scattered, f.d_blocks, f.d_coupling, f.d_incident, f.d_scattered));
    for (int side = 0; side < 2; side++) {
        poyi_gemm(POY_C128, 't', 'n', (int64_t)m, wide, n, 1.0, poyi_array_block(v, f.d_matrices, 1, side),
                  v->scattered, 0.0, f.d_leaving);
        poyi_gemm(POY_C128, 't', 'n', (int64_t)m, wide, n, 1.0, poyi_array_block(v, v->matrices, 1, side),
                  f.d_scattered, 1.0, f.d_leaving);
        poyi_array_exchange(m, side, 0, f.d_leaving, out);
    }
done:
    poyi_free(&f.memory);
    return status;
}

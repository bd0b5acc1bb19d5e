/* interaction.c: the equations of particles that scatter into each other, their factors and solutions. */
#include <float.h>
#include <string.h>

#include "record/lapack.h"
#include "scatter/cluster/cluster.h"

#define CONDITION_MAX 256.0   /* of S^-1 T S^-1, for the symmetric route */
#define PIVOT_MAX 128.0       /* largest entry of an inverted block there; the rest is about 1 */
#define RECIPROCITY_MAX 1e-14 /* asymmetry of J S^-1 T S^-1 over its size: rounding */

/* ---- scales and symmetries ---- */

/* The power of 2 next to sqrt(size). */
static double root_scale(double size)
{
    return exp2(round(0.5 * log2(fmax(size, 1e-290))));
}

/* For the general route: of the largest entry of a row of T. */
static void scale_by_rows(const poy_cluster *c, double *scale)
{
    for (size_t p = 0; p < c->particles; p++) {
        const poy_tmatrix *t = c->particle[p];
        for (size_t i = 0; i < t->n; i++) {
            double most = 0.0;
            for (size_t j = 0; j < t->n; j++)
                most = fmax(most, hypot(t->values[i * t->n + j].re, t->values[i * t->n + j].im));
            scale[c->offset[p] + i] = root_scale(most);
        }
    }
}

static double sign_of(const poy_basis *basis, size_t i)
{
    return basis->modes[i].m % 2 ? -1.0 : 1.0;
}

/* J and, for parity, the other pols; 0 where the basis lacks one. */
static int find_partners(const poy_cluster *c, poy_factor *f)
{
    if (c->basis->kind != POY_BASIS_SPHERICAL)
        return 0;
    for (size_t i = 0; i < c->n; i++) {
        poy_wave_mode other = c->basis->modes[i];
        other.m = -other.m;
        const int64_t mirror = poy_basis_find(c->basis, &other);
        other = c->basis->modes[i];
        other.pol = 1 - other.pol;
        const int64_t partner = poy_basis_find(c->basis, &other);
        if (mirror < 0 || partner < 0)
            return 0;
        f->mirror[i] = (size_t)mirror;
        f->partner[i] = (size_t)partner;
    }
    return 1;
}

static void group_particles(const poy_cluster *c, poy_factor *f)
{
    f->blocks = 0;
    f->group[0] = 0;
    for (size_t p = 0; p < c->particles; p++)
        if (c->offset[p + 1] - f->group[f->blocks] >= POYI_SYMMETRIC_GROUP || p + 1 == c->particles)
            f->group[++f->blocks] = c->offset[p + 1];
}

/* ---- particles of the symmetric route ---- */

static double norm1(size_t n, const poy_c128 *a)
{
    double most = 0.0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < n; i++)
            sum += hypot(a[i * n + j].re, a[i * n + j].im);
        most = sum <= most ? most : sum;
    }
    return most;
}

/* max |B - B^T| of B = J A over max |A| */
static double asymmetry(const poy_cluster *c, const poy_factor *f, size_t p, const poy_c128 *a)
{
    const size_t n = c->particle[p]->n, at = c->offset[p];
    double most = 0.0, apart = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const poy_c128 x = a[(f->mirror[at + i] - at) * n + j], y = a[(f->mirror[at + j] - at) * n + i];
            const double s = sign_of(c->basis, at + i), r = sign_of(c->basis, at + j);
            most = fmax(most, hypot(x.re, x.im));
            apart = fmax(apart, hypot(s * x.re - r * y.re, s * x.im - r * y.im));
        }
    return most > 0.0 ? apart / most : 0.0;
}

/* inverse[n][n] = (S^-1 T S^-1)^-1 of particle p, and its scales; 0: not for this route. work: n^2 + poyi_lu_invert_work(n)
 * elements and n pivots. */
static int invert_particle(const poy_cluster *c, poy_factor *f, size_t p, poy_c128 *inverse, size_t *partner,
                           poy_c128 *work, int32_t *pivots)
{
    const poy_tmatrix *t = c->particle[p];
    const size_t n = t->n, at = c->offset[p];
    double *scale = f->scale + at;
    memcpy(inverse, t->values, n * n * sizeof *inverse);
    if (f->parity) {
        for (size_t i = 0; i < n; i++)
            partner[i] = f->partner[at + i] - at;
        poyi_change_pol_matrix(n, t->basis, partner, inverse);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t j = f->mirror[at + i] - at;
        const double size = fmax(hypot(inverse[i * n + i].re, inverse[i * n + i].im),
                                 hypot(inverse[j * n + j].re, inverse[j * n + j].im));
        if (!(size > 1e-280))
            return 0;
        scale[i] = root_scale(size);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            inverse[i * n + j].re /= scale[i] * scale[j];
            inverse[i * n + j].im /= scale[i] * scale[j];
        }
    if (asymmetry(c, f, p, inverse) > RECIPROCITY_MAX)
        return 0;
    const double norm = norm1(n, inverse);
    if (!isfinite(norm) || poyi_lu_factor(POY_C128, (int64_t)n, inverse, pivots) != 0)
        return 0;
    poyi_lu_invert((int64_t)n, inverse, pivots, work);
    return norm * norm1(n, inverse) <= CONDITION_MAX;
}

static poy_embedding inner_embedding(const poy_cluster *c, const poy_factor *f)
{
    poy_embedding e = c->embedding;
    if (f->parity)
        e.poltype = POY_PARITY;
    return e;
}

/* m = S C S, of which the lower block triangle becomes inverse J - S C J S. */
static void fill_symmetric(poy_ctx *ctx, const poy_cluster *c, const poy_factor *f, const poy_c128 *inverses,
                           const size_t *start, poy_c128 *row_memory, poy_c128 *m)
{
    const size_t n = c->n;
    (void)ctx; /* without OpenMP */
    for (size_t p = 0; p < c->particles; p++)
        for (size_t i = c->offset[p]; i < c->offset[p + 1]; i++) {
            const size_t np = c->offset[p + 1] - c->offset[p];
            const poy_c128 *own = inverses + start[p] + (i - c->offset[p]) * np;
            poy_c128 *row = m + i * n;
            memcpy(row_memory, row, n * sizeof *row);
            for (size_t j = 0; j < n; j++) {
                const size_t k = f->mirror[j];
                const double s = sign_of(c->basis, j), factor = -s * f->scale[i] * f->scale[k];
                row[j] = (poy_c128){factor * row_memory[k].re, factor * row_memory[k].im};
                if (k >= c->offset[p] && k < c->offset[p + 1]) {
                    row[j].re += s * own[k - c->offset[p]].re;
                    row[j].im += s * own[k - c->offset[p]].im;
                }
            }
        }
}

/* Builds M into m; *fits 0: the particles are not for this route. */
static poy_status build_symmetric(poy_ctx *ctx, const poy_cluster *c, poy_factor *f, poy_c128 *m, int *fits)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    size_t sum = 0, widest = 0;
    *fits = 0;
    f->parity = c->embedding.poltype == POY_HELICITY && !poy_medium_is_chiral(&c->embedding.medium);
    if (!find_partners(c, f))
        return POY_OK;
    for (size_t p = 0; p < c->particles; p++) {
        sum += c->particle[p]->n * c->particle[p]->n;
        widest = c->particle[p]->n > widest ? c->particle[p]->n : widest;
    }
    const size_t work = poyi_lu_invert_work((int64_t)widest);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster",
                             (sum + work + c->n) * sizeof(poy_c128) + (c->particles + widest) * sizeof(size_t) +
                                 widest * sizeof(int32_t),
                             &memory));
    poy_c128 *inverses = memory, *scratch = inverses + sum, *row = scratch + work;
    size_t *start = (size_t *)(void *)(row + c->n), *partner = start + c->particles, at = 0;
    for (size_t p = 0; p < c->particles; p++) {
        start[p] = at;
        if (!invert_particle(c, f, p, inverses + at, partner, scratch, (int32_t *)(void *)(partner + widest)))
            goto done;
        at += c->particle[p]->n * c->particle[p]->n;
    }
    const poy_embedding e = inner_embedding(c, f);
    POYI_TO_DONE(ctx, poy_op_expand(ctx, &e, c->basis, POY_REGULAR, c->basis, POY_SINGULAR, m));
    fill_symmetric(ctx, c, f, inverses, start, row, m);
    group_particles(c, f);
    *fits = 1;
done:
    poyi_free(&memory);
    return status;
}

/* ---- the general route ---- */

poy_status poyi_cluster_equations(poy_ctx *ctx, const poy_cluster *c, double *scale, poy_c128 *m)
{
    void *memory = NULL;
    const size_t n = c->n;
    size_t widest = 0;
    for (size_t p = 0; p < c->particles; p++)
        widest = c->particle[p]->n > widest ? c->particle[p]->n : widest;
    scale_by_rows(c, scale);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", widest * n * sizeof(poy_c128), &memory));
    poy_c128 *rows = memory;
    for (size_t p = 0; p < c->particles; p++) {
        const poy_tmatrix *t = c->particle[p];
        poy_c128 *block = m + c->offset[p] * n;
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)t->n, (int64_t)n, (int64_t)t->n, -1.0, t->values, block, 0.0, rows);
        for (size_t i = 0; i < t->n; i++)
            for (size_t j = 0; j < n; j++) {
                const double factor = scale[j] / scale[c->offset[p] + i];
                block[i * n + j] =
                    (poy_c128){(c->offset[p] + i == j) + factor * rows[i * n + j].re, factor * rows[i * n + j].im};
            }
    }
    poyi_free(&memory);
    return POY_OK;
}

static poy_status singular(poy_ctx *ctx)
{
    return POYI_FAIL(ctx, POY_ERR_SINGULAR, "cluster: the particles' equations have no unique solution here");
}

/* m = C becomes factors. */
static poy_status factor_general(poy_ctx *ctx, const poy_cluster *c, poy_factor *f, poy_c128 *m)
{
    f->route = POYI_ROUTE_GENERAL;
    f->parity = 0;
    POYI_TRY(ctx, poyi_cluster_equations(ctx, c, f->scale, m));
    if (poyi_lu_factor(POY_C128, (int64_t)f->n, m, f->pivots) != 0)
        return singular(ctx);
    return POY_OK;
}

/* ---- factors ---- */

static poy_status factor_by(poy_ctx *ctx, const poy_cluster *c, poyi_route route, int invert, poy_factor *f,
                            poy_c128 *m, int *done)
{
    if (route == POYI_ROUTE_SYMMETRIC) {
        double growth;
        POYI_TRY(ctx, build_symmetric(ctx, c, f, m, done));
        if (!*done)
            return POY_OK;
        poyi_symmetric s = {f->n, f->blocks, f->group, m};
        if (invert)
            POYI_TRY(ctx, poyi_symmetric_invert(ctx, &s, &growth));
        else
            POYI_TRY(ctx, poyi_symmetric_factor(ctx, &s, &growth));
        *done = growth <= PIVOT_MAX;
        return POY_OK;
    }
    POYI_TRY(ctx, poy_op_expand(ctx, &c->embedding, c->basis, POY_REGULAR, c->basis, POY_SINGULAR, m));
    POYI_TRY(ctx, factor_general(ctx, c, f, m));
    *done = 1;
    return POY_OK;
}

/* The factors, or with invert the inverse (symmetric route) in m. */
static poy_status factor(poy_ctx *ctx, const poy_cluster *c, poyi_route route, int invert, poy_factor *f, poy_c128 *m)
{
    int done = 0;
    if (route != POYI_ROUTE_GENERAL) {
        f->route = POYI_ROUTE_SYMMETRIC;
        POYI_TRY(ctx, factor_by(ctx, c, f->route, invert, f, m, &done));
        if (!done && route == POYI_ROUTE_SYMMETRIC)
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                             "cluster: the symmetric route needs reciprocal, invertible T-matrices of spherical waves");
    }
    if (!done) {
        f->route = POYI_ROUTE_GENERAL;
        POYI_TRY(ctx, factor_by(ctx, c, f->route, invert, f, m, &done));
    }
    return POY_OK;
}

static poy_status matrix_bytes(poy_ctx *ctx, size_t n, size_t *bytes)
{
    POYI_TRY(ctx, poyi_mul_size(ctx, n, n, bytes));
    POYI_TRY(ctx, poyi_mul_size(ctx, *bytes, sizeof(poy_c128), bytes));
    return POY_OK;
}

/* By a route from the coupling of the cluster, or by the general one from this coupling. */
static poy_status create(poy_ctx *ctx, const poy_cluster *c, poyi_route route, const poy_c128 *coupling, void *bytes,
                         poy_factor **out)
{
    poy_status status;
    poy_factor *f = NULL;
    size_t size;
    *out = NULL;
    POYI_TRY(ctx, matrix_bytes(ctx, c->n, &size));
    POYI_TRY(ctx, poyi_factor_new(ctx, c, bytes, &f));
    if (!bytes) {
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.cluster", size, &f->owned));
        f->m = f->owned;
    }
    if (coupling) {
        memcpy(f->m, coupling, size);
        POYI_TO_DONE(ctx, factor_general(ctx, c, f, f->m));
    } else {
        POYI_TO_DONE(ctx, factor(ctx, c, route, 0, f, f->m));
    }
    f->head[POYI_FACTOR_ROUTE] = f->route;
    f->head[POYI_FACTOR_PARITY] = f->parity;
    f->head[POYI_FACTOR_BLOCKS] = (int64_t)f->blocks;
    poyi_factor_hold(f, c);
done:
    if (status == POY_OK)
        *out = f;
    else
        poy_factor_destroy(&f);
    return status;
}

poy_status poyi_factor_create(poy_ctx *ctx, const poy_cluster *c, poyi_route route, void *bytes, poy_factor **out)
{
    POYI_TRY(ctx, create(ctx, c, route, NULL, bytes, out));
    return POY_OK;
}

poy_status poyi_factor_coupled(poy_ctx *ctx, const poy_cluster *c, const poy_c128 *coupling, void *bytes,
                               poy_factor **out)
{
    POYI_TRY(ctx, create(ctx, c, POYI_ROUTE_GENERAL, coupling, bytes, out));
    return POY_OK;
}

poy_status poyi_factor_restore(poy_ctx *ctx, const poy_cluster *c, const void *bytes, poy_factor **out)
{
    poy_factor *f = NULL;
    void *same; /* without const: it is only read */
    memcpy(&same, &bytes, sizeof same);
    POYI_TRY(ctx, poyi_factor_new(ctx, c, same, &f));
    f->route = (poyi_route)f->head[POYI_FACTOR_ROUTE];
    f->parity = (int)f->head[POYI_FACTOR_PARITY];
    f->blocks = (size_t)f->head[POYI_FACTOR_BLOCKS];
    if (f->route == POYI_ROUTE_SYMMETRIC)
        (void)find_partners(c, f);
    poyi_factor_hold(f, c);
    *out = f;
    return POY_OK;
}

poy_status poy_factor_create(poy_ctx *ctx, const poy_cluster *c, poy_factor **out)
{
    POYI_TRY(ctx, poyi_factor_create(ctx, c, POYI_ROUTE_AUTOMATIC, NULL, out));
    return POY_OK;
}

/* ---- one application ---- */

/* to = T from or T^H from, particle by particle. */
static void local_product(const poy_cluster *c, char op, size_t columns, const poy_c128 *from, poy_c128 *to)
{
    for (size_t p = 0; p < c->particles; p++) {
        const size_t at = c->offset[p] * columns, n = c->particle[p]->n;
        poyi_gemm(POY_C128, op, 'n', (int64_t)n, (int64_t)columns, (int64_t)n, 1.0, c->particle[p]->values, from + at,
                  0.0, to + at);
    }
}

static void scale_rows(const poy_factor *f, int divide, size_t columns, poy_c128 *a)
{
    for (size_t i = 0; i < f->n; i++) {
        const double s = divide ? 1.0 / f->scale[i] : f->scale[i]; /* powers of 2 */
        for (size_t j = 0; j < columns; j++)
            a[i * columns + j] = (poy_c128){s * a[i * columns + j].re, s * a[i * columns + j].im};
    }
}

/* a becomes J a, or its conjugate. */
static void reverse(const poy_factor *f, int conjugate, size_t columns, poy_c128 *a)
{
    const double side = conjugate ? -1.0 : 1.0;
    for (size_t i = 0; i < f->n; i++) {
        const size_t k = f->mirror[i];
        const double s = sign_of(f->cluster->basis, i);
        if (k < i)
            continue;
        for (size_t j = 0; j < columns; j++) {
            const poy_c128 x = a[i * columns + j], y = a[k * columns + j];
            a[i * columns + j] = (poy_c128){s * y.re, side * s * y.im};
            a[k * columns + j] = (poy_c128){s * x.re, side * s * x.im};
        }
    }
}

static void apply_symmetric(const poy_factor *f, int adjoint, size_t columns, poy_c128 *a, poy_c128 *work)
{
    const poyi_symmetric s = {f->n, f->blocks, f->group, f->m};
    if (f->parity)
        poyi_change_pol_columns(f->n, columns, f->cluster->basis, f->partner, a);
    if (adjoint) /* X^H = J conj(X) J */
        reverse(f, 1, columns, a);
    scale_rows(f, 0, columns, a);
    poyi_symmetric_solve(&s, columns, a, work);
    scale_rows(f, 0, columns, a);
    reverse(f, 0, columns, a);
    if (adjoint)
        reverse(f, 1, columns, a);
    if (f->parity)
        poyi_change_pol_columns(f->n, columns, f->cluster->basis, f->partner, a);
}

poy_status poyi_factor_apply(poy_ctx *ctx, const poy_factor *f, int adjoint, size_t columns, const poy_c128 *a,
                             poy_c128 *out)
{
    void *memory = NULL;
    const size_t n = f->n;
    size_t bytes;
    POYI_TRY(ctx, poyi_mul_size(ctx, 2 * n * sizeof(poy_c128), columns ? columns : 1, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", bytes, &memory));
    poy_c128 *x = memory, *work = x + n * columns;
    if (f->route == POYI_ROUTE_SYMMETRIC) {
        memcpy(x, a, n * columns * sizeof *x);
        apply_symmetric(f, adjoint, columns, x, work);
        memcpy(out, x, n * columns * sizeof *x);
    } else if (adjoint) { /* T^H S^-1 A^-H S */
        memcpy(x, a, n * columns * sizeof *x);
        scale_rows(f, 0, columns, x);
        poyi_lu_solve(POY_C128, 1, (int64_t)n, (int64_t)columns, f->m, f->pivots, x, x, work);
        scale_rows(f, 1, columns, x);
        local_product(f->cluster, 'c', columns, x, out);
    } else {
        local_product(f->cluster, 'n', columns, a, x);
        scale_rows(f, 1, columns, x);
        poyi_lu_solve(POY_C128, 0, (int64_t)n, (int64_t)columns, f->m, f->pivots, x, x, work);
        scale_rows(f, 0, columns, x);
        memcpy(out, x, n * columns * sizeof *x);
    }
    poyi_free(&memory);
    return POY_OK;
}

static poy_status check_finite(poy_ctx *ctx, size_t n, size_t columns, const poy_c128 *a)
{
    for (size_t i = 0; i < n * columns; i++)
        if (!isfinite(a[i].re) || !isfinite(a[i].im))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cluster: incident coefficient %zu of wave %zu is not finite",
                             i / columns, i % columns);
    return POY_OK;
}

poy_status poy_factor_scatter(poy_ctx *ctx, const poy_factor *f, size_t columns, const poy_c128 *incident,
                              poy_c128 *scattered)
{
    POYI_TRY(ctx, check_finite(ctx, f->n, columns, incident));
    POYI_TRY(ctx, poyi_factor_apply(ctx, f, 0, columns, incident, scattered));
    return POY_OK;
}

poy_status poy_cluster_scatter(poy_ctx *ctx, const poy_cluster *c, size_t columns, const poy_c128 *incident,
                               poy_c128 *scattered)
{
    poy_status status;
    poy_factor *f = NULL;
    POYI_TRY(ctx, check_finite(ctx, c->n, columns, incident));
    POYI_TO_DONE(ctx, poy_factor_create(ctx, c, &f));
    POYI_TO_DONE(ctx, poyi_factor_apply(ctx, f, 0, columns, incident, scattered));
done:
    poy_factor_destroy(&f);
    return status;
}

/* ---- the whole matrix ---- */

/* m = M^-1 becomes J S M^-1 S, in the cluster's waves. */
static void finish_symmetric(const poy_cluster *c, const poy_factor *f, poy_c128 *m)
{
    const size_t n = c->n;
    for (size_t i = 0; i < n; i++) {
        const size_t k = f->mirror[i];
        const double s = sign_of(c->basis, i) * f->scale[i];
        poy_c128 *a = m + i * n, *b = m + k * n;
        if (k < i)
            continue;
        for (size_t j = 0; j < n; j++) {
            const double factor = s * f->scale[j];
            const poy_c128 x = a[j], y = b[j];
            a[j] = (poy_c128){factor * y.re, factor * y.im};
            b[j] = (poy_c128){factor * x.re, factor * x.im};
        }
    }
    if (f->parity)
        poyi_change_pol_matrix(n, c->basis, f->partner, m);
}

/* m = factors of A becomes S A^-1 S^-1 T. */
static poy_status finish_general(poy_ctx *ctx, const poy_cluster *c, const poy_factor *f, poy_c128 *m)
{
    void *memory = NULL;
    const size_t n = c->n, work = poyi_lu_invert_work((int64_t)n);
    size_t widest = 0;
    for (size_t p = 0; p < c->particles; p++)
        widest = c->particle[p]->n > widest ? c->particle[p]->n : widest;
    const size_t elements = work > 2 * n * widest ? work : 2 * n * widest;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", elements * sizeof(poy_c128), &memory));
    poyi_lu_invert((int64_t)n, m, f->pivots, memory);
    for (size_t p = 0; p < c->particles; p++) {
        const size_t at = c->offset[p], np = c->particle[p]->n;
        poy_c128 *column = memory, *product = column + n * np;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < np; j++) {
                const double factor = f->scale[i] / f->scale[at + j];
                column[i * np + j] = (poy_c128){factor * m[i * n + at + j].re, factor * m[i * n + at + j].im};
            }
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, (int64_t)np, (int64_t)np, 1.0, column, c->particle[p]->values, 0.0,
                  product);
        for (size_t i = 0; i < n; i++)
            memcpy(m + i * n + at, product + i * np, np * sizeof *m);
    }
    poyi_free(&memory);
    return POY_OK;
}

poy_status poyi_cluster_solve(poy_ctx *ctx, const poy_cluster *c, poyi_route route, poy_tmatrix **out)
{
    poy_status status;
    poy_factor *f = NULL;
    *out = NULL;
    POYI_TRY(ctx, poyi_factor_new(ctx, c, NULL, &f));
    POYI_TO_DONE(ctx, poyi_tmatrix_new(ctx, &c->embedding, c->basis, out));
    POYI_TO_DONE(ctx, factor(ctx, c, route, 1, f, (*out)->values));
    if (f->route == POYI_ROUTE_SYMMETRIC)
        finish_symmetric(c, f, (*out)->values);
    else
        POYI_TO_DONE(ctx, finish_general(ctx, c, f, (*out)->values));
done:
    poy_factor_destroy(&f);
    if (status != POY_OK)
        poy_tmatrix_destroy(out);
    return status;
}

poy_status poy_cluster_solve(poy_ctx *ctx, const poy_cluster *c, poy_tmatrix **out)
{
    POYI_TRY(ctx, poyi_cluster_solve(ctx, c, POYI_ROUTE_AUTOMATIC, out));
    return POY_OK;
}

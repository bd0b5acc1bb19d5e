/* iterative.c: clusters without their matrix: GMRES (Saad and Schultz (1986)) on (1 - T C) p = T a, in which T is the block
 * preconditioner of (T^-1 - C) p = a; and its adjoint. */
#include "scatter/cluster/iterative.h"

#include <string.h>

#include "record/lapack.h"
#include "scatter/cluster/axial.h"

void poy_iteration_init(poy_iteration *options)
{
    *options = (poy_iteration){.size = sizeof *options, .rtol = 1e-10, .restart = 30, .max_iterations = 300};
}

/* ---- T of the particles: rows without their zeros, of spheres two numbers each ---- */

typedef struct rows {
    const poy_tmatrix *t;
    size_t *start; /* [n + 1] */
    int32_t *column;
    poy_c128 *value;
    void *memory;
} rows;

static int is_zero(poy_c128 v)
{
    return v.re == 0.0 && v.im == 0.0;
}

static poy_status make_rows(poy_ctx *ctx, const poy_tmatrix *t, rows *out)
{
    size_t count = 0;
    for (size_t i = 0; i < t->n * t->n; i++)
        count += !is_zero(t->values[i]);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.rows",
                             (t->n + 1) * sizeof(size_t) + count * (sizeof(poy_c128) + sizeof(int32_t)), &out->memory));
    out->t = t;
    out->value = out->memory;
    out->start = (size_t *)(void *)(out->value + count);
    out->column = (int32_t *)(void *)(out->start + t->n + 1);
    count = 0;
    for (size_t i = 0; i < t->n; i++) {
        out->start[i] = count;
        for (size_t j = 0; j < t->n; j++)
            if (!is_zero(t->values[i * t->n + j])) {
                out->column[count] = (int32_t)j;
                out->value[count++] = t->values[i * t->n + j];
            }
    }
    out->start[t->n] = count;
    return POY_OK;
}

/* Particles with one T-matrix share its rows. */
static poy_status make_local(poy_ctx *ctx, const poy_cluster *c, rows *out)
{
    for (size_t p = 0; p < c->particles; p++) {
        size_t q = 0;
        while (q < p && out[q].t != c->particle[p])
            q++;
        if (q < p) {
            out[p] = out[q];
            out[p].memory = NULL;
        } else {
            POYI_TRY(ctx, make_rows(ctx, c->particle[p], out + p));
        }
    }
    return POY_OK;
}

static void local(const poy_cluster *c, const rows *t, const poy_c128 *x, poy_c128 *y)
{
    for (size_t p = 0; p < c->particles; p++)
        for (size_t i = 0; i < c->particle[p]->n; i++) {
            double re = 0.0, im = 0.0;
            for (size_t j = t[p].start[i]; j < t[p].start[i + 1]; j++) {
                const poy_c128 v = t[p].value[j], w = x[c->offset[p] + (size_t)t[p].column[j]];
                re += v.re * w.re - v.im * w.im;
                im += v.re * w.im + v.im * w.re;
            }
            y[c->offset[p] + i] = (poy_c128){re, im};
        }
}

typedef struct krylov {
    poy_ctx *ctx;
    const poy_cluster *cluster;
    poyi_coupling *coupling; /* of few degrees, */
    poyi_axial *axial;       /* of many: one of them */
    const rows *local;       /* [particles]; NULL of an adjoint */
    size_t n;
    int restart, adjoint;
    poy_c128 *basis; /* [restart + 1][n] */
    poy_c128 *work, *solution, *rhs, *coupled;
    double complex *h, *g, *s; /* [restart + 1][restart], [restart + 1], [restart] */
    double *c;                 /* [restart] */
} krylov;

void poyi_cluster_local_columns(const poy_cluster *c, int adjoint, size_t columns, const poy_c128 *x, poy_c128 *y)
{
    for (size_t p = 0; p < c->particles; p++)
        poyi_gemm(POY_C128, adjoint ? 'c' : 'n', 'n', (int64_t)c->particle[p]->n, (int64_t)columns,
                  (int64_t)c->particle[p]->n, 1.0, c->particle[p]->values, x + c->offset[p] * columns, 0.0,
                  y + c->offset[p] * columns);
}

/* y = x - T C x, or x - C^H T^H x */
static void apply(krylov *k, const poy_c128 *x, poy_c128 *y)
{
    if (k->adjoint) {
        poyi_cluster_local_columns(k->cluster, 1, 1, x, k->coupled);
        poyi_coupling_apply(k->ctx, k->coupling, 1, k->coupled, y);
    } else {
        if (k->axial)
            poyi_axial_apply(k->axial, x, k->coupled);
        else
            poyi_coupling_apply(k->ctx, k->coupling, 0, x, k->coupled);
        local(k->cluster, k->local, k->coupled, y);
    }
    for (size_t i = 0; i < k->n; i++)
        y[i] = (poy_c128){x[i].re - y[i].re, x[i].im - y[i].im};
}

static double complex inner(size_t n, const poy_c128 *a, const poy_c128 *b)
{
    double re = 0.0, im = 0.0;
    for (size_t i = 0; i < n; i++) {
        re += a[i].re * b[i].re + a[i].im * b[i].im;
        im += a[i].re * b[i].im - a[i].im * b[i].re;
    }
    return CMPLX(re, im);
}

static double norm(size_t n, const poy_c128 *a)
{
    return sqrt(creal(inner(n, a, a)));
}

static void add(size_t n, double complex f, const poy_c128 *x, poy_c128 *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i].re += creal(f) * x[i].re - cimag(f) * x[i].im;
        y[i].im += creal(f) * x[i].im + cimag(f) * x[i].re;
    }
}

/* work = rhs - A solution; its norm */
static double residual(krylov *k)
{
    apply(k, k->solution, k->work);
    for (size_t i = 0; i < k->n; i++)
        k->work[i] = (poy_c128){k->rhs[i].re - k->work[i].re, k->rhs[i].im - k->work[i].im};
    return norm(k->n, k->work);
}

/* Column j of the Hessenberg matrix: modified Gram-Schmidt and the rotations so far. Returns the new residual. */
static double extend(krylov *k, int j)
{
    const size_t m = (size_t)k->restart, col = (size_t)j;
    poy_c128 *next = k->basis + (col + 1) * k->n;
    apply(k, k->basis + col * k->n, next);
    for (size_t i = 0; i <= col; i++) {
        k->h[i * m + col] = inner(k->n, k->basis + i * k->n, next);
        add(k->n, -k->h[i * m + col], k->basis + i * k->n, next);
    }
    const double size = norm(k->n, next);
    for (size_t i = 0; i < k->n && size > 0.0; i++)
        next[i] = (poy_c128){next[i].re / size, next[i].im / size};
    for (size_t i = 0; i < col; i++) {
        const double complex a = k->h[i * m + col], b = k->h[(i + 1) * m + col];
        k->h[i * m + col] = k->c[i] * a + k->s[i] * b;
        k->h[(i + 1) * m + col] = -conj(k->s[i]) * a + k->c[i] * b;
    }
    const double complex a = k->h[col * m + col];
    const double length = hypot(cabs(a), size);
    const double complex phase = a == 0.0 ? 1.0 : a / cabs(a);
    k->c[col] = length > 0.0 ? cabs(a) / length : 1.0;
    k->s[col] = length > 0.0 ? phase * size / length : 0.0;
    k->h[col * m + col] = phase * length;
    k->g[col + 1] = -conj(k->s[col]) * k->g[col];
    k->g[col] = k->c[col] * k->g[col];
    return cabs(k->g[col + 1]);
}

/* The solution of the first count columns, added. */
static void update(krylov *k, int count)
{
    const size_t m = (size_t)k->restart;
    for (size_t i = (size_t)count; i-- > 0;) {
        for (size_t j = i + 1; j < (size_t)count; j++)
            k->g[i] -= k->h[i * m + j] * k->g[j];
        k->g[i] /= k->h[i * m + i];
    }
    for (size_t i = 0; i < (size_t)count; i++)
        add(k->n, k->g[i], k->basis + i * k->n, k->solution);
}

/* One column; the convergence that was reached. */
static poy_convergence solve(krylov *k, const poy_iteration *o)
{
    poy_convergence out = {.rhs = norm(k->n, k->rhs)};
    const double target = o->rtol * out.rhs;
    memset(k->solution, 0, k->n * sizeof *k->solution);
    out.residual = out.rhs;
    memcpy(k->work, k->rhs, k->n * sizeof *k->work);
    while (out.residual > target && out.iterations < o->max_iterations) {
        int j = 0;
        for (size_t i = 0; i < k->n; i++)
            k->basis[i] = (poy_c128){k->work[i].re / out.residual, k->work[i].im / out.residual};
        k->g[0] = out.residual;
        double estimate = out.residual;
        for (; j < k->restart && estimate > target && out.iterations < o->max_iterations; j++, out.iterations++)
            estimate = extend(k, j);
        update(k, j);
        const double before = out.residual;
        out.residual = residual(k); /* the true one */
        if (!(out.residual < 0.9 * before))
            break; /* rounding, or no progress within a cycle */
    }
    out.converged = out.residual <= target;
    return out;
}

/* ---- many right-hand sides ---- */

/* With one of coupling and axial. */
static poy_status iterate(poy_ctx *ctx, const poy_cluster *c, poyi_coupling *coupling, poyi_axial *axial,
                          const poy_iteration *o, int adjoint, size_t columns, const poy_c128 *rhs, poy_c128 *out,
                          poy_convergence *convergence)
{
    poy_status status;
    void *memory = NULL, *rows_memory = NULL;
    const size_t n = c->n, m = (size_t)o->restart;
    size_t bytes;
    POYI_TRY(ctx, poyi_mul_size(ctx, n * sizeof(poy_c128), m + 5, &bytes));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.rows", c->particles * sizeof(rows), &rows_memory));
    if (!adjoint)
        POYI_TO_DONE(ctx, make_local(ctx, c, rows_memory));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.iteration",
                                 bytes + ((m + 1) * m + 2 * (m + 1)) * sizeof(double complex) + m * sizeof(double),
                                 &memory));
    krylov k = {.ctx = ctx,
                .cluster = c,
                .coupling = coupling,
                .axial = axial,
                .local = rows_memory,
                .n = n,
                .restart = o->restart,
                .adjoint = adjoint,
                .basis = memory};
    k.work = k.basis + (m + 1) * n;
    k.solution = k.work + n;
    k.rhs = k.solution + n;
    k.coupled = k.rhs + n;
    k.h = (double complex *)(void *)(k.coupled + n);
    k.g = k.h + (m + 1) * m;
    k.s = k.g + m + 1;
    k.c = (double *)(void *)(k.s + m + 1);
    for (size_t j = 0; j < columns; j++) {
        for (size_t i = 0; i < n; i++)
            k.rhs[i] = rhs[i * columns + j];
        convergence[j] = solve(&k, o);
        for (size_t i = 0; i < n; i++)
            out[i * columns + j] = k.solution[i];
    }
done:
    for (size_t p = 0; rows_memory && p < c->particles; p++)
        poyi_free(&((rows *)rows_memory)[p].memory);
    poyi_free(&rows_memory);
    poyi_free(&memory);
    return status;
}

poy_status poyi_iterate(poy_ctx *ctx, const poy_cluster *c, poyi_coupling *coupling, const poy_iteration *o,
                        int adjoint, size_t columns, const poy_c128 *rhs, poy_c128 *out, poy_convergence *convergence)
{
    return iterate(ctx, c, coupling, NULL, o, adjoint, columns, rhs, out, convergence);
}

static poy_status check_finite(poy_ctx *ctx, size_t n, size_t columns, const poy_c128 *a)
{
    for (size_t i = 0; i < n * columns; i++)
        if (!isfinite(a[i].re) || !isfinite(a[i].im))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "iteration: incident coefficient %zu of wave %zu is not finite",
                             i / columns, i % columns);
    return POY_OK;
}

poy_status poyi_iteration_check(poy_ctx *ctx, const poy_iteration *o)
{
    if (!(o->rtol > 0.0) || !(o->rtol < 1.0) || o->restart < 1 || o->max_iterations < 1)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "iteration: rtol = %g, restart = %d, max_iterations = %d; needs 0 < rtol < 1 and numbers above 0", o->rtol,
            o->restart, o->max_iterations);
    return POY_OK;
}

poy_status poy_cluster_iterate(poy_ctx *ctx, const poy_cluster *c, const poy_iteration *options, size_t columns,
                               const poy_c128 *incident, poy_c128 *scattered, poy_convergence *convergence)
{
    poy_status status;
    poy_iteration o;
    poyi_coupling *coupling = NULL;
    poyi_axial *axial = NULL;
    void *memory = NULL;
    size_t bytes;
    poy_iteration_init(&o);
    if (options)
        memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
    POYI_TRY(ctx, poyi_iteration_check(ctx, &o));
    POYI_TRY(ctx, check_finite(ctx, c->n, columns, incident));
    POYI_TRY(ctx, poyi_mul_size(ctx, c->n * sizeof(poy_c128), columns ? columns : 1, &bytes));
    if (c->basis->kind == POY_BASIS_SPHERICAL && poyi_basis_lmax(c->basis) >= POYI_AXIAL_FROM)
        POYI_TO_DONE(ctx, poyi_axial_create(ctx, &c->embedding, c->basis, 1, &axial));
    else
        POYI_TO_DONE(ctx, poyi_coupling_create(ctx, c, &coupling));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.iteration", bytes, &memory));
    poyi_cluster_local_columns(c, 0, columns, incident, memory);
    POYI_TO_DONE(ctx, iterate(ctx, c, coupling, axial, &o, 0, columns, memory, scattered, convergence));
done:
    poyi_free(&memory);
    poyi_axial_destroy(&axial);
    poyi_coupling_destroy(&coupling);
    return status;
}

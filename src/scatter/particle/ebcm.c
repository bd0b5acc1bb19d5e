/* ebcm.c: T-matrices of bodies of revolution by the extended boundary condition method. Orders do not couple: each m is an
 * integral over the meridian and one linear system. */
#include <stdlib.h>
#include <string.h>

#include "math/math.h"
#include "record/lapack.h"
#include "scatter/particle/ebcm.h"
#include "scatter/particle/tmatrix.h"

static const double pi = 3.14159265358979323846;

/* ---- surfaces ---- */

static poy_status check_profile(poy_ctx *ctx, const poy_profile *p)
{
    const double a = p->parameter[0], c = p->parameter[1], e = p->parameter[2];
    if (p->nodes < 0 || p->nodes > 100000)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "profile: %d nodes, needs 1 to 100000, or 0: automatic", p->nodes);
    switch (p->kind) {
    case POY_PROFILE_SPHEROID:
        if (!(a > 0.0) || !(c > 0.0) || !isfinite(a * c))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "profile: a spheroid of half axes %g and %g, needs them above 0", a,
                             c);
        return POY_OK;
    case POY_PROFILE_CHEBYSHEV:
        if (!(a > 0.0) || !isfinite(a) || !(fabs(c) < 1.0) || !(e >= 1.0) || e != floor(e) || e > 1e4)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "profile: a Chebyshev particle %g (1 + %g cos %g theta), needs a radius above 0, a ripple "
                             "within -1 and 1 and a whole number of waves",
                             a, c, e);
        return POY_OK;
    case POY_PROFILE_SUPERELLIPSOID:
        if (!(a > 0.0) || !(c > 0.0) || !isfinite(a * c) || !(e > 0.0) || !(e <= 2.0))
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "profile: a superellipsoid of half axes %g and %g and exponent %g, needs axes above 0, 0 < e <= 2", a,
                c, e);
        return POY_OK;
    case POY_PROFILE_FUNCTION:
        if (!p->function)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "profile: no function");
        return POY_OK;
    default: return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "profile: kind %d is not known", (int)p->kind);
    }
}

static void evaluate(const poy_profile *p, double theta, double *r, double *slope)
{
    const double a = p->parameter[0], c = p->parameter[1], e = p->parameter[2], s = sin(theta), co = cos(theta);
    if (p->kind == POY_PROFILE_SPHEROID) {
        const double square = c * c * s * s + a * a * co * co;
        *r = a * c / sqrt(square);
        *slope = -*r * (c - a) * (c + a) * s * co / square;
    } else if (p->kind == POY_PROFILE_CHEBYSHEV) {
        *r = a * (1.0 + c * cos(e * theta));
        *slope = -a * c * e * sin(e * theta);
    } else if (p->kind ==
               POY_PROFILE_SUPERELLIPSOID) { /* r = f^(-e / 2), f = (sin / a)^(2 / e) + (|cos| / c)^(2 / e) */
        const double u = pow(s / a, 2.0 / e), v = pow(fabs(co) / c, 2.0 / e), f = u + v;
        *r = pow(f, -0.5 * e);
        *slope = -*r / f * (u * co / s - v * s / co);
        if (co == 0.0)
            *slope = 0.0;
    } else {
        p->function(p->user, theta, r, slope);
    }
}

/* ---- one order ---- */

/* The power of 2 next to the largest entry of a row (stride 1) or column (stride n). */
static double line_scale(size_t n, size_t stride, const poy_c128 *a)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, hypot(a[i * stride].re, a[i * stride].im));
    return most > 0.0 && isfinite(most) ? exp2(-round(log2(most))) : 1.0;
}

static int all_finite(size_t n, const poy_c128 *a)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(a[i].re) || !isfinite(a[i].im))
            return 0;
    return 1;
}

poy_status poyi_ebcm_factor(poy_ctx *ctx, int order, size_t n, poyi_ebcm_factors *f)
{
    poy_c128 *q = f->q;
    for (size_t i = 0; i < n; i++) {
        f->row[i] = line_scale(n, 1, q + i * n);
        for (size_t j = 0; j < n; j++)
            q[i * n + j] = (poy_c128){f->row[i] * q[i * n + j].re, f->row[i] * q[i * n + j].im};
    }
    for (size_t j = 0; j < n; j++) {
        f->column[j] = line_scale(n, n, q + j);
        for (size_t i = 0; i < n; i++)
            q[i * n + j] = (poy_c128){f->column[j] * q[i * n + j].re, f->column[j] * q[i * n + j].im};
    }
    if (!all_finite(n * n, q))
        return POYI_FAIL(ctx, POY_ERR_RANGE,
                         "axisymmetric: waves of order m = %d are beyond the largest double at the surface; use a "
                         "lower lmax",
                         order);
    if (poyi_lu_factor(POY_C128, (int64_t)n, q, f->pivots) != 0)
        return POYI_FAIL(ctx, POY_ERR_SINGULAR,
                         "axisymmetric: the equations of order m = %d are singular; use a lower lmax", order);
    return POY_OK;
}

static void scale_rows(size_t n, const double *scale, poy_c128 *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i * n + j] = (poy_c128){scale[i] * a[i * n + j].re, scale[i] * a[i * n + j].im};
}

void poyi_ebcm_solve(size_t n, const poyi_ebcm_factors *f, int adjoint, poy_c128 *x)
{
    scale_rows(n, adjoint ? f->column : f->row, x);
    poyi_lu_solve(POY_C128, adjoint, (int64_t)n, (int64_t)n, f->q, f->pivots, x, x, f->work);
    scale_rows(n, adjoint ? f->row : f->column, x);
}

size_t poyi_ebcm_factor_bytes(size_t n)
{
    return 2 * n * n * sizeof(poy_c128) + 2 * n * sizeof(double) + n * sizeof(int32_t) + sizeof(double);
}

poyi_ebcm_factors poyi_ebcm_factors_in(void *memory, size_t n)
{
    poyi_ebcm_factors f = {.q = memory};
    f.work = f.q + n * n;
    f.row = (double *)(void *)(f.work + n * n);
    f.column = f.row + n;
    f.pivots = (int32_t *)(void *)(f.column + n);
    return f;
}

void poyi_ebcm_places(const poy_basis *basis, int order, size_t n, size_t *place)
{
    for (size_t i = 0; i < n; i++) {
        const poy_wave_mode mode = {.l = poyi_ebcm_first(order) + (int)(i / 2), .m = order, .pol = (int)(i % 2)};
        place[i] = (size_t)poy_basis_find(basis, &mode);
    }
}

/* t = -q^-1 rg of one order into its place. */
static poy_status one_order(poy_ctx *ctx, const poyi_meridian *s, int order, const poy_tmatrix *t)
{
    poy_status status;
    void *memory = NULL;
    const size_t n = poyi_ebcm_size(s, order), factors = (poyi_ebcm_factor_bytes(n) + 63) / 64 * 64;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ebcm", factors + n * n * sizeof(poy_c128) + n * sizeof(size_t), &memory));
    poyi_ebcm_factors f = poyi_ebcm_factors_in(memory, n);
    poy_c128 *block = (poy_c128 *)(void *)((unsigned char *)memory + factors);
    size_t *place = (size_t *)(void *)(block + n * n);
    POYI_TO_DONE(ctx, poyi_ebcm_integral(ctx, s, POYI_EBCM_SINGULAR, order, f.q));
    POYI_TO_DONE(ctx, poyi_ebcm_integral(ctx, s, POYI_EBCM_REGULAR, order, block));
    POYI_TO_DONE(ctx, poyi_ebcm_factor(ctx, order, n, &f));
    poyi_ebcm_solve(n, &f, 0, block);
    poyi_ebcm_places(t->basis, order, n, place);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            t->values[place[i] * t->n + place[j]] = (poy_c128){-block[i * n + j].re, -block[i * n + j].im};
    if (!all_finite(n * n, block))
        status = POYI_FAIL(ctx, POY_ERR_RANGE,
                           "axisymmetric: waves of order m = %d are beyond the largest double at the surface; use a "
                           "lower lmax",
                           order);
done:
    poyi_free(&memory);
    return status;
}

/* ---- the body ---- */

/* Nodes of a profile, into *memory that the caller frees. */
static poy_status make_meridian(poy_ctx *ctx, const poy_profile *p, int lmax, poyi_meridian *s, void **memory)
{
    poy_status status;
    POYI_TRY(ctx, check_profile(ctx, p));
    s->nodes = p->nodes > 0 ? p->nodes : 6 * lmax > 96 ? 6 * lmax : 96;
    s->lmax = lmax;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ebcm", 4 * (size_t)s->nodes * sizeof(double), memory));
    double *theta = *memory, *weight = theta + s->nodes, *r = weight + s->nodes, *slope = r + s->nodes;
    POYI_TO_DONE(ctx, poyi_gauss_legendre(ctx, s->nodes, theta, weight));
    for (int i = 0; i < s->nodes; i++) {
        theta[i] = 0.5 * pi * (1.0 + theta[i]);
        weight[i] *= 0.5 * pi;
        evaluate(p, theta[i], r + i, slope + i);
        if (!(r[i] > 0.0) || !isfinite(r[i]) || !isfinite(slope[i])) {
            status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                               "profile: r = %g and dr / dtheta = %g at theta = %g; needs r above 0, both finite", r[i],
                               slope[i], theta[i]);
            goto done;
        }
    }
    s->theta = theta;
    s->weight = weight;
    s->r = r;
    s->slope = slope;
done:
    if (status != POY_OK)
        poyi_free(memory);
    return status;
}

static poy_status change_to_parity(poy_ctx *ctx, poy_tmatrix *t)
{
    poy_status status;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ebcm", t->n * sizeof(size_t), &memory));
    POYI_TO_DONE(ctx, poyi_pol_partners(ctx, t->basis, memory));
    poyi_change_pol_matrix(t->n, t->basis, memory, t->values);
done:
    poyi_free(&memory);
    return status;
}

/* Both media of a body. */
static poy_status set_media(poy_ctx *ctx, const poy_embedding *embedding, const poy_medium *inside, poyi_meridian *s)
{
    poyi_optics outer, inner;
    const poy_embedding within = {embedding->k0, *inside, POY_HELICITY};
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &outer));
    POYI_TRY(ctx, poyi_embedding_optics(ctx, &within, &inner));
    for (int pol = 0; pol < 2; pol++) {
        s->inside[pol] = inner.ks[pol];
        s->outside[pol] = outer.ks[pol];
    }
    s->z_inside = inner.mu / inner.index;
    s->z_outside = outer.mu / outer.index;
    return POY_OK;
}

poy_status poyi_body_open(poy_ctx *ctx, const poyi_body *b, int derivatives, poyi_meridian *s, void **memory,
                          poy_basis **basis)
{
    poy_status status;
    *s = (poyi_meridian){.memory = NULL};
    *memory = NULL;
    *basis = NULL;
    POYI_TRY(ctx, set_media(ctx, &b->embedding, &b->inside, s));
    if (b->lmax < 1 || b->lmax > POY_DEGREE_MAX || b->mmax > b->lmax)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "axisymmetric: lmax = %d and mmax = %d, needs lmax 1 to %d and mmax <= lmax", b->lmax, b->mmax,
                         POY_DEGREE_MAX);
    POYI_TO_DONE(ctx, make_meridian(ctx, b->profile, b->lmax, s, memory));
    POYI_TO_DONE(ctx, poyi_meridian_fill(ctx, derivatives, s));
    if (poyi_body_orders(b) == b->lmax)
        POYI_TO_DONE(ctx, poy_basis_sw_default(ctx, b->lmax, 1, NULL, basis));
    else
        POYI_TO_DONE(ctx, poy_basis_sw_ebcm(ctx, b->lmax, b->mmax, 1, NULL, basis));
done:
    if (status != POY_OK) {
        poyi_free(&s->memory);
        poyi_free(memory);
    }
    return status;
}

poy_status poy_tmatrix_axisymmetric(poy_ctx *ctx, const poy_embedding *embedding, int lmax, int mmax,
                                    const poy_profile *profile, const poy_medium *inside, poy_tmatrix **out)
{
    poy_status status;
    poyi_meridian s;
    void *nodes = NULL;
    poy_basis *basis = NULL;
    const poyi_body body = {*embedding, *inside, lmax, mmax, profile};
    const int orders = poyi_body_orders(&body);
    *out = NULL;
    POYI_TRY(ctx, poyi_body_open(ctx, &body, 0, &s, &nodes, &basis));
    POYI_TO_DONE(ctx, poyi_tmatrix_new(ctx, embedding, basis, out));
    for (int order = -orders; order <= orders; order++)
        POYI_TO_DONE(ctx, one_order(ctx, &s, order, *out));
    if (embedding->poltype == POY_PARITY)
        POYI_TO_DONE(ctx, change_to_parity(ctx, *out));
done:
    poy_basis_destroy(&basis);
    poyi_free(&s.memory);
    poyi_free(&nodes);
    if (status != POY_OK)
        poy_tmatrix_destroy(out);
    return status;
}

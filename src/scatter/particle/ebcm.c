/* ebcm.c: T-matrices of bodies of revolution by the extended boundary condition method. Orders do not couple: each m is an
 * integral over the meridian and one linear system. */
#include <stdlib.h>
#include <string.h>

#include "math/math.h"
#include "record/lapack.h"
#include "scatter/particle/tmatrix.h"
#include "scatter/waves/radial.h"

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

/* z_l, z_l' + z_l / x and sqrt(l (l + 1)) z_l / x of one degree. */
typedef struct radial {
    double complex z, w, q;
} radial;

enum { INSIDE, OUTSIDE_REGULAR, OUTSIDE_SINGULAR, KINDS };

/* Nodes of the meridian, radial functions there, and the media on its sides. */
typedef struct meridian {
    int nodes, lmax;
    double *theta, *weight, *r, *slope;
    double complex inside[2], outside[2], z_inside, z_outside;
    radial *radial[KINDS]; /* [node][pol][lmax + 1] */
    void *memory, *radial_memory;
} meridian;

/* Waves of one kind at all nodes for degrees from first on: out[node][degree][pol][3]. */
typedef struct wave_table {
    int first, degrees;
    poy_c128 *out;
} wave_table;

static void radial_table(int singular, int lmax, double complex x, radial *out)
{
    poyi_xcomplex z[POY_DEGREE_MAX + 1];
    const poyi_xcomplex over = poyi_xinverse(poyi_x(x));
    poyi_wave_radial_table(singular, lmax, x, z);
    for (int l = 1; l <= lmax; l++) {
        const poyi_xcomplex q = poyi_xmul(z[l], over);
        out[l] = (radial){(double complex)z[l], (double complex)(z[l - 1] - (poyi_xreal)l * q),
                          (double complex)(sqrtl((poyi_xreal)l * (l + 1)) * q)};
    }
}

static poy_status fill_radial(poy_ctx *ctx, meridian *s)
{
    const size_t each = 2 * ((size_t)s->lmax + 1), all = (size_t)s->nodes * each;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ebcm", KINDS * all * sizeof(radial), &s->radial_memory));
    for (size_t kind = 0; kind < KINDS; kind++) {
        s->radial[kind] = (radial *)s->radial_memory + kind * all;
        for (size_t i = 0; i < (size_t)s->nodes; i++)
            for (size_t p = 0; p < 2; p++)
                radial_table(kind == OUTSIDE_SINGULAR, s->lmax, (kind == INSIDE ? s->inside : s->outside)[p] * s->r[i],
                             s->radial[kind] + i * each + p * (each / 2));
    }
    return POY_OK;
}

/* Y_lm at a node, dY / dtheta and m Y / sin theta, the last two over sqrt(l (l + 1)), for degrees from first on. */
static void angular_table(const meridian *s, int node, int order, int first, double (*out)[3])
{
    poyi_xcomplex y[3][POY_DEGREE_MAX + 2];
    const poyi_direction d = poyi_direction_of_angles(s->theta[node], 0.0);
    for (int i = 0; i < 3; i++)
        if (abs(order + i - 1) <= s->lmax)
            poyi_harmonic_column(order + i - 1, s->lmax, d, y[i]);
    for (int l = first; l <= s->lmax; l++) {
        const poyi_xreal root = sqrtl((poyi_xreal)l * (l + 1)), here = creall(y[1][l - abs(order)]);
        poyi_xreal slope = 0.0L;
        if (order + 1 <= l)
            slope += sqrtl((poyi_xreal)(l - order) * (l + order + 1)) * creall(y[2][l - abs(order + 1)]);
        if (order - 1 >= -l)
            slope -= sqrtl((poyi_xreal)(l + order) * (l - order + 1)) * creall(y[0][l - abs(order - 1)]);
        out[l - first][0] = (double)here;
        out[l - first][1] = (double)(0.5L * slope / root);
        out[l - first][2] = (double)(order * here / (sinl((poyi_xreal)s->theta[node]) * root));
    }
}

/* With T and P for the slope and m Y / sin: M = z (0, -P, -i T), N = (i q Y, i w T, -w P), A = (N + s M) / sqrt 2. */
static void fill_waves(const meridian *s, int kind, int order, wave_table *t)
{
    double angular[POY_DEGREE_MAX + 1][3];
    const double root = sqrt(0.5);
    poy_c128 *at = t->out;
    for (int i = 0; i < s->nodes; i++) {
        angular_table(s, i, order, t->first, angular);
        for (int d = 0; d < t->degrees; d++)
            for (int p = 0; p < 2; p++, at += 3) {
                const radial *f =
                    s->radial[kind] + (size_t)(2 * i + p) * ((size_t)s->lmax + 1) + (size_t)(t->first + d);
                const double y = angular[d][0], slope = angular[d][1], turn = angular[d][2], sign = p ? 1.0 : -1.0;
                at[0] = poyi_pair(CMPLX(0.0, root * y) * f->q);
                at[1] = poyi_pair(CMPLX(0.0, root * slope) * f->w - sign * root * turn * f->z);
                at[2] = poyi_pair(-root * turn * f->w - CMPLX(0.0, sign * root * slope) * f->z);
            }
    }
}

/* n.(a x b) with n = (r, -r', 0) */
static double complex triple(double r, double slope, const poy_c128 *a, const poy_c128 *b)
{
    const double complex ar = poyi_c(a[0]), at = poyi_c(a[1]), ap = poyi_c(a[2]);
    const double complex br = poyi_c(b[0]), bt = poyi_c(b[1]), bp = poyi_c(b[2]);
    return r * (at * bp - ap * bt) - slope * (ap * br - ar * bp);
}

/* Q[inner wave (l, p)][outer wave (l', q)] = sum w r sin n.(A_{l,-m,p} x W_{l',m,q}) (s_p Z_outside + s_q Z_inside). */
static void integrate(const meridian *s, const wave_table *inner, const wave_table *outer, poy_c128 *q)
{
    const size_t n = 2 * (size_t)inner->degrees;
    memset(q, 0, n * n * sizeof *q);
    for (size_t node = 0; node < (size_t)s->nodes; node++) {
        const double w = s->weight[node] * s->r[node] * sin(s->theta[node]);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const double complex v = triple(s->r[node], s->slope[node], inner->out + 3 * (node * n + i),
                                                outer->out + 3 * (node * n + j));
                q[i * n + j].re += w * creal(v);
                q[i * n + j].im += w * cimag(v);
            }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double complex weight =
                poyi_pol_sign((int64_t)(i % 2)) * s->z_outside + poyi_pol_sign((int64_t)(j % 2)) * s->z_inside;
            q[i * n + j] = poyi_pair(weight * poyi_c(q[i * n + j]));
        }
}

/* The power of 2 next to the largest entry of a row (stride 1) or column (stride n). */
static double line_scale(size_t n, size_t stride, const poy_c128 *a)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, hypot(a[i * stride].re, a[i * stride].im));
    return most > 0.0 && isfinite(most) ? exp2(-round(log2(most))) : 1.0;
}

/* t = -q^-1 rg, rows and columns of q made of one size first. work: 3 n^2 elements. */
static poy_status divide(poy_ctx *ctx, int order, size_t n, poy_c128 *q, poy_c128 *rg, double *column, int32_t *pivots,
                         poy_c128 *t, poy_c128 *work)
{
    for (size_t i = 0; i < n; i++) {
        const double scale = line_scale(n, 1, q + i * n);
        for (size_t j = 0; j < n; j++) {
            q[i * n + j] = (poy_c128){scale * q[i * n + j].re, scale * q[i * n + j].im};
            rg[i * n + j] = (poy_c128){-scale * rg[i * n + j].re, -scale * rg[i * n + j].im};
        }
    }
    for (size_t j = 0; j < n; j++) {
        column[j] = line_scale(n, n, q + j);
        for (size_t i = 0; i < n; i++)
            q[i * n + j] = (poy_c128){column[j] * q[i * n + j].re, column[j] * q[i * n + j].im};
    }
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(q[i].re) || !isfinite(q[i].im) || !isfinite(rg[i].re) || !isfinite(rg[i].im))
            return POYI_FAIL(ctx, POY_ERR_RANGE,
                             "axisymmetric: waves of order m = %d are beyond the largest double at the surface; use a "
                             "lower lmax",
                             order);
    if (poyi_lu_factor(POY_C128, (int64_t)n, q, pivots) != 0)
        return POYI_FAIL(ctx, POY_ERR_SINGULAR,
                         "axisymmetric: the equations of order m = %d are singular; use a lower lmax", order);
    poyi_lu_solve(POY_C128, 0, (int64_t)n, (int64_t)n, q, pivots, rg, t, work);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            t[i * n + j] = (poy_c128){column[i] * t[i * n + j].re, column[i] * t[i * n + j].im};
    return POY_OK;
}

/* The block of one order into the T-matrix. */
static void store(const poy_tmatrix *t, int order, int first, size_t n, const poy_c128 *block)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const poy_wave_mode row = {.l = first + (int)(i / 2), .m = order, .pol = (int)(i % 2)};
            const poy_wave_mode col = {.l = first + (int)(j / 2), .m = order, .pol = (int)(j % 2)};
            t->values[(size_t)poy_basis_find(t->basis, &row) * t->n + (size_t)poy_basis_find(t->basis, &col)] =
                block[i * n + j];
        }
}

static poy_status one_order(poy_ctx *ctx, const meridian *s, int order, const poy_tmatrix *t)
{
    poy_status status;
    void *memory = NULL, *blocks = NULL;
    const int first = order == 0 ? 1 : abs(order), degrees = s->lmax - first + 1;
    const size_t n = 2 * (size_t)degrees, waves = (size_t)s->nodes * n;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ebcm", 6 * waves * sizeof(poy_c128), &memory));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.ebcm",
                                 6 * n * n * sizeof(poy_c128) + n * (sizeof(double) + sizeof(int32_t)), &blocks));
    wave_table inner = {first, degrees, memory}, outer = {first, degrees, (poy_c128 *)memory + 3 * waves};
    poy_c128 *q = blocks, *rg = q + n * n, *block = rg + n * n;
    double *column = (double *)(void *)(block + 4 * n * n);
    fill_waves(s, INSIDE, -order, &inner);
    fill_waves(s, OUTSIDE_SINGULAR, order, &outer);
    integrate(s, &inner, &outer, q);
    fill_waves(s, OUTSIDE_REGULAR, order, &outer);
    integrate(s, &inner, &outer, rg);
    POYI_TO_DONE(ctx, divide(ctx, order, n, q, rg, column, (int32_t *)(void *)(column + n), block, block + n * n));
    store(t, order, first, n, block);
done:
    poyi_free(&blocks);
    poyi_free(&memory);
    return status;
}

/* ---- the body ---- */

static poy_status make_meridian(poy_ctx *ctx, const poy_profile *p, int lmax, meridian *s)
{
    poy_status status;
    s->nodes = p->nodes > 0 ? p->nodes : 6 * lmax > 96 ? 6 * lmax : 96;
    s->lmax = lmax;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ebcm", 4 * (size_t)s->nodes * sizeof(double), &s->memory));
    s->theta = s->memory;
    s->weight = s->theta + s->nodes;
    s->r = s->weight + s->nodes;
    s->slope = s->r + s->nodes;
    POYI_TO_DONE(ctx, poyi_gauss_legendre(ctx, s->nodes, s->theta, s->weight));
    for (int i = 0; i < s->nodes; i++) {
        s->theta[i] = 0.5 * pi * (1.0 + s->theta[i]);
        s->weight[i] *= 0.5 * pi;
        evaluate(p, s->theta[i], s->r + i, s->slope + i);
        if (!(s->r[i] > 0.0) || !isfinite(s->r[i]) || !isfinite(s->slope[i])) {
            status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                               "profile: r = %g and dr / dtheta = %g at theta = %g; needs r above 0, both finite",
                               s->r[i], s->slope[i], s->theta[i]);
            goto done;
        }
    }
done:
    if (status != POY_OK)
        poyi_free(&s->memory);
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

poy_status poy_tmatrix_axisymmetric(poy_ctx *ctx, const poy_embedding *embedding, int lmax, int mmax,
                                    const poy_profile *profile, const poy_medium *inside, poy_tmatrix **out)
{
    poy_status status;
    poyi_optics outer, inner;
    meridian s = {.memory = NULL, .radial_memory = NULL};
    poy_basis *basis = NULL;
    const poy_embedding within = {embedding->k0, *inside, POY_HELICITY};
    *out = NULL;
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &outer));
    POYI_TRY(ctx, poyi_embedding_optics(ctx, &within, &inner));
    if (lmax < 1 || lmax > POY_DEGREE_MAX || mmax > lmax)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "axisymmetric: lmax = %d and mmax = %d, needs lmax 1 to %d and mmax <= lmax", lmax, mmax,
                         POY_DEGREE_MAX);
    POYI_TRY(ctx, check_profile(ctx, profile));
    const int orders = mmax < 0 ? lmax : mmax;
    for (int pol = 0; pol < 2; pol++) {
        s.inside[pol] = inner.ks[pol];
        s.outside[pol] = outer.ks[pol];
    }
    s.z_inside = inner.mu / inner.index;
    s.z_outside = outer.mu / outer.index;
    POYI_TO_DONE(ctx, make_meridian(ctx, profile, lmax, &s));
    POYI_TO_DONE(ctx, fill_radial(ctx, &s));
    if (orders == lmax)
        POYI_TO_DONE(ctx, poy_basis_sw_default(ctx, lmax, 1, NULL, &basis));
    else
        POYI_TO_DONE(ctx, poy_basis_sw_ebcm(ctx, lmax, orders, 1, NULL, &basis));
    POYI_TO_DONE(ctx, poyi_tmatrix_new(ctx, embedding, basis, out));
    for (int order = -orders; order <= orders; order++)
        POYI_TO_DONE(ctx, one_order(ctx, &s, order, *out));
    if (embedding->poltype == POY_PARITY)
        POYI_TO_DONE(ctx, change_to_parity(ctx, *out));
done:
    poy_basis_destroy(&basis);
    poyi_free(&s.radial_memory);
    poyi_free(&s.memory);
    if (status != POY_OK)
        poy_tmatrix_destroy(out);
    return status;
}

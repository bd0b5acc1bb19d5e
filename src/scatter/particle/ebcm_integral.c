/* ebcm_integral.c: the integrals of the extended boundary condition method over a meridian, one order at a time, and their derivatives
 * by the surface and the media. */
#include <stdlib.h>
#include <string.h>

#include "math/math.h"
#include "scatter/particle/ebcm.h"
#include "scatter/waves/radial.h"

/* ---- radial functions ---- */

static void radial_table(int singular, int lmax, double complex x, poyi_ebcm_radial *out, poyi_ebcm_radial *slope)
{
    poyi_xcomplex z[POY_DEGREE_MAX + 1];
    const poyi_xcomplex over = poyi_xinverse(poyi_x(x));
    poyi_wave_radial_table(singular, lmax, x, z);
    for (int l = 1; l <= lmax; l++) {
        const poyi_xreal turns = (poyi_xreal)l * (l + 1), root = sqrtl(turns);
        const poyi_xcomplex q = poyi_xmul(z[l], over), w = z[l - 1] - (poyi_xreal)l * q, d = w - q;
        out[l] = (poyi_ebcm_radial){(double complex)z[l], (double complex)w, (double complex)(root * q)};
        if (slope) /* z', (z' + z / x)' by Bessel's equation, (z / x)' */
            slope[l] = (poyi_ebcm_radial){(double complex)d, (double complex)(poyi_xmul(over, turns * q - w) - z[l]),
                                          (double complex)(root * poyi_xmul(over, d - q))};
    }
}

poy_status poyi_meridian_fill(poy_ctx *ctx, int derivatives, poyi_meridian *s)
{
    const size_t each = 2 * ((size_t)s->lmax + 1), all = (size_t)s->nodes * each, step = derivatives ? 1 : 2;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ebcm", POYI_EBCM_KINDS / step * all * sizeof(poyi_ebcm_radial), &s->memory));
    for (size_t kind = 0; kind < POYI_EBCM_KINDS; kind += step)
        s->radial[kind] = (poyi_ebcm_radial *)s->memory + kind / step * all;
    for (size_t kind = 0; kind < POYI_EBCM_KINDS; kind += 2)
        for (size_t i = 0; i < (size_t)s->nodes; i++)
            for (size_t p = 0; p < 2; p++) {
                const double complex k = kind == POYI_EBCM_INSIDE ? s->inside[p] : s->outside[p];
                const size_t at = i * each + p * (each / 2);
                radial_table(kind == POYI_EBCM_SINGULAR, s->lmax, k * s->r[i], s->radial[kind] + at,
                             derivatives ? s->radial[kind + 1] + at : NULL);
            }
    return POY_OK;
}

/* ---- waves ---- */

/* Y_lm at a node, dY / dtheta and m Y / sin theta, the last two over sqrt(l (l + 1)), for degrees from first on. */
static void angular_table(const poyi_meridian *s, int node, int order, int first, double (*out)[3])
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

/* Waves of one kind at all nodes, or their derivatives by x: [node][wave][3]. With T and P for the slope and m Y / sin: M = z (0, -P,
 * -i T), N = (i q Y, i w T, -w P), A = (N + s M) / sqrt 2. */
static void fill_waves(const poyi_meridian *s, int kind, int order, poy_c128 *at)
{
    double angular[POY_DEGREE_MAX + 1][3];
    const double root = sqrt(0.5);
    const int first = poyi_ebcm_first(order);
    for (int i = 0; i < s->nodes; i++) {
        angular_table(s, i, order, first, angular);
        for (int l = first; l <= s->lmax; l++)
            for (int p = 0; p < 2; p++, at += 3) {
                const poyi_ebcm_radial *f = s->radial[kind] + (size_t)(2 * i + p) * ((size_t)s->lmax + 1) + (size_t)l;
                const double *a = angular[l - first], sign = p ? 1.0 : -1.0;
                at[0] = poyi_pair(CMPLX(0.0, root * a[0]) * f->q);
                at[1] = poyi_pair(CMPLX(0.0, root * a[1]) * f->w - sign * root * a[2] * f->z);
                at[2] = poyi_pair(-root * a[2] * f->w - CMPLX(0.0, sign * root * a[1]) * f->z);
            }
    }
}

/* ---- the integral ---- */

/* The two parts of n.(a x b) with n = (r, -r', 0): r along - r' across. */
static double complex along(const poy_c128 *a, const poy_c128 *b)
{
    return poyi_c(a[1]) * poyi_c(b[2]) - poyi_c(a[2]) * poyi_c(b[1]);
}

static double complex across(const poy_c128 *a, const poy_c128 *b)
{
    return poyi_c(a[2]) * poyi_c(b[0]) - poyi_c(a[0]) * poyi_c(b[2]);
}

static double complex triple(double r, double slope, const poy_c128 *a, const poy_c128 *b)
{
    return r * along(a, b) - slope * across(a, b);
}

/* s_p Z_outside + s_q Z_inside */
static double complex weight_of(double complex outside, double complex inside, size_t i, size_t j)
{
    return poyi_pol_sign((int64_t)(i % 2)) * outside + poyi_pol_sign((int64_t)(j % 2)) * inside;
}

/* Waves inside and outside, with derivatives: [nodes][n][3] each. */
typedef struct waves {
    size_t n;
    poy_c128 *inner, *outer, *d_inner, *d_outer;
    void *memory;
} waves;

static poy_status open_waves(poy_ctx *ctx, const poyi_meridian *s, int kind, int order, int derivatives, waves *w)
{
    *w = (waves){.n = poyi_ebcm_size(s, order)};
    const size_t each = 3 * (size_t)s->nodes * w->n;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ebcm", (derivatives ? 4 : 2) * each * sizeof(poy_c128), &w->memory));
    w->inner = w->memory;
    w->outer = w->inner + each;
    fill_waves(s, POYI_EBCM_INSIDE, -order, w->inner);
    fill_waves(s, kind, order, w->outer);
    if (!derivatives)
        return POY_OK;
    w->d_inner = w->outer + each;
    w->d_outer = w->d_inner + each;
    fill_waves(s, POYI_EBCM_INSIDE + 1, -order, w->d_inner);
    fill_waves(s, kind + 1, order, w->d_outer);
    return POY_OK;
}

/* The integral without the impedances. */
static void integrate(const poyi_meridian *s, const waves *x, poy_c128 *q)
{
    const size_t n = x->n;
    memset(q, 0, n * n * sizeof *q);
    for (size_t node = 0; node < (size_t)s->nodes; node++) {
        const double w = s->weight[node] * s->r[node] * sin(s->theta[node]);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const double complex v =
                    triple(s->r[node], s->slope[node], x->inner + 3 * (node * n + i), x->outer + 3 * (node * n + j));
                q[i * n + j].re += w * creal(v);
                q[i * n + j].im += w * cimag(v);
            }
    }
}

poy_status poyi_ebcm_integral(poy_ctx *ctx, const poyi_meridian *s, int kind, int order, poy_c128 *q)
{
    waves x;
    POYI_TRY(ctx, open_waves(ctx, s, kind, order, 0, &x));
    integrate(s, &x, q);
    for (size_t i = 0; i < x.n; i++)
        for (size_t j = 0; j < x.n; j++)
            q[i * x.n + j] = poyi_pair(weight_of(s->z_outside, s->z_inside, i, j) * poyi_c(q[i * x.n + j]));
    poyi_free(&x.memory);
    return POY_OK;
}

/* ---- derivatives ---- */

/* Adds slope dr, or what a wave gets from k: d (wave) = derivative (k dr + r dk). */
static void move(const poy_c128 *slope, double complex by, double complex out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = by * poyi_c(slope[k]);
}

poy_status poyi_ebcm_push(poy_ctx *ctx, const poyi_meridian *s, int kind, int order, const poyi_ebcm_inputs *d,
                          poy_c128 *d_q)
{
    waves x;
    POYI_TRY(ctx, open_waves(ctx, s, kind, order, 1, &x));
    const size_t n = x.n;
    integrate(s, &x, d_q); /* by the impedances */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            d_q[i * n + j] = poyi_pair(weight_of(d->z_outside, d->z_inside, i, j) * poyi_c(d_q[i * n + j]));
    for (size_t node = 0; node < (size_t)s->nodes; node++) {
        const double c = s->weight[node] * sin(s->theta[node]), r = s->r[node], slope = s->slope[node];
        const double d_r = d->r ? d->r[node] : 0.0, d_slope = d->slope ? d->slope[node] : 0.0;
        for (size_t i = 0; i < n; i++) {
            const poy_c128 *a = x.inner + 3 * (node * n + i);
            double complex da[3];
            poy_c128 d_a[3], d_b[3];
            move(x.d_inner + 3 * (node * n + i), s->inside[i % 2] * d_r + r * d->inside[i % 2], da);
            for (int k = 0; k < 3; k++)
                d_a[k] = poyi_pair(da[k]);
            for (size_t j = 0; j < n; j++) {
                const poy_c128 *b = x.outer + 3 * (node * n + j);
                double complex db[3];
                move(x.d_outer + 3 * (node * n + j), s->outside[j % 2] * d_r + r * d->outside[j % 2], db);
                for (int k = 0; k < 3; k++)
                    d_b[k] = poyi_pair(db[k]);
                const double complex v =
                    d_r * triple(r, slope, a, b) + r * (d_r * along(a, b) - d_slope * across(a, b) +
                                                        triple(r, slope, d_a, b) + triple(r, slope, a, d_b));
                const double complex add = c * weight_of(s->z_outside, s->z_inside, i, j) * v;
                d_q[i * n + j] = poyi_pair(poyi_c(d_q[i * n + j]) + add);
            }
        }
    }
    poyi_free(&x.memory);
    return POY_OK;
}

/* What multiplies inner wave i on the way back: sums over j of h_ij b_j, and of h_ij b'_j by pol. */
typedef struct partner {
    poy_c128 b[3], slope[2][3];
} partner;

static void collect(size_t n, const double complex *h, const poy_c128 *outer, const poy_c128 *d_outer, partner *out)
{
    double complex b[3] = {0.0}, slope[2][3] = {{0.0}};
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < 3; k++) {
            b[k] += h[j] * poyi_c(outer[3 * j + k]);
            slope[j % 2][k] += h[j] * poyi_c(d_outer[3 * j + k]);
        }
    for (int k = 0; k < 3; k++) {
        out->b[k] = poyi_pair(b[k]);
        out->slope[0][k] = poyi_pair(slope[0][k]);
        out->slope[1][k] = poyi_pair(slope[1][k]);
    }
}

/* Of one node: real parts to r and slope, conjugates to the wavenumbers. */
static void pull_node(const poyi_meridian *s, const waves *x, size_t node, const poy_c128 *g_q, poyi_ebcm_inputs *g,
                      double complex *h)
{
    const size_t n = x->n;
    const double c = s->weight[node] * sin(s->theta[node]), r = s->r[node], slope = s->slope[node];
    double complex by_r = 0.0, by_slope = 0.0;
    for (size_t i = 0; i < n; i++) {
        const poy_c128 *a = x->inner + 3 * (node * n + i), *d_a = x->d_inner + 3 * (node * n + i);
        partner p;
        for (size_t j = 0; j < n; j++)
            h[j] = c * conj(poyi_c(g_q[i * n + j])) * weight_of(s->z_outside, s->z_inside, i, j);
        collect(n, h, x->outer + 3 * node * n, x->d_outer + 3 * node * n, &p);
        const double complex inner = r * triple(r, slope, d_a, p.b);
        by_r += triple(r, slope, a, p.b) + r * along(a, p.b) + s->inside[i % 2] * inner;
        by_slope -= r * across(a, p.b);
        g->inside[i % 2] += conj(r * inner);
        for (int q = 0; q < 2; q++) {
            const double complex outer = r * triple(r, slope, a, p.slope[q]);
            by_r += s->outside[q] * outer;
            g->outside[q] += conj(r * outer);
        }
    }
    g->r[node] += creal(by_r);
    g->slope[node] += creal(by_slope);
}

poy_status poyi_ebcm_pull(poy_ctx *ctx, const poyi_meridian *s, int kind, int order, const poy_c128 *g_q,
                          poyi_ebcm_inputs *g)
{
    poy_status status;
    waves x;
    void *memory = NULL;
    POYI_TRY(ctx, open_waves(ctx, s, kind, order, 1, &x));
    const size_t n = x.n;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.ebcm", n * n * sizeof(poy_c128) + n * sizeof(double complex), &memory));
    poy_c128 *plain = memory;
    double complex *h = (double complex *)(void *)(plain + n * n);
    integrate(s, &x, plain);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double complex v = poyi_c(g_q[i * n + j]) * conj(poyi_c(plain[i * n + j]));
            g->z_outside += poyi_pol_sign((int64_t)(i % 2)) * v;
            g->z_inside += poyi_pol_sign((int64_t)(j % 2)) * v;
        }
    for (size_t node = 0; node < (size_t)s->nodes; node++)
        pull_node(s, &x, node, g_q, g, h);
done:
    poyi_free(&memory);
    poyi_free(&x.memory);
    return status;
}

/* angular_diff.c: derivatives of Legendre functions, spherical harmonics and rotation matrices. */
#include <stdlib.h>

#include "math/angular/legendre.h"
#include "math/angular/wigner.h"
#include "math/batch.h"
#include "math/math.h"
#include "poynting/special.h"

/* One slope applied to a tangent, or its conjugate to a cotangent. */
static int apply(poyi_big slope, int transposed, poy_c128 in, poy_c128 *out)
{
    double complex value;
    const int beyond =
        poyi_big_round(poyi_big_times(transposed ? poyi_big_conj(slope) : slope, poyi_x(poyi_c(in))), &value);
    *out = poyi_pair(value);
    return beyond;
}

/* ---- P, pi and tau by z = cos(theta) ---- */

/* d/dz (w^k R_m) = w^{k-2} (-k z R_m - w^2 R_{m+1}), R_m = P_l^m / w^m; 0 where it is infinite (w = 0, k = 1). */
static int reduced_slope(int l, int m, int k, poyi_xcomplex z, poyi_xcomplex w, poyi_big *out)
{
    const poyi_big above = poyi_legendre_reduced(l, m + 1, z);
    *out = poyi_big_times(poyi_big_mul(poyi_big_power(w, k), above), -1.0L);
    if (k == 0)
        return 1;
    if (w == 0.0L && k == 1)
        return m > l;
    const poyi_big power = k == 1 ? poyi_big_make(1.0L / w, 0) : poyi_big_power(w, k - 2);
    *out = poyi_big_add(*out, poyi_big_times(poyi_big_mul(power, poyi_legendre_reduced(l, m, z)), -k * z));
    return 1;
}

/* The slope at order m >= 0; 0 if there is none. */
static int slope_of(poy_angular_kind kind, int l, int m, poyi_xcomplex z, poyi_xcomplex w, poyi_big *out)
{
    poyi_big above, below;
    *out = (poyi_big){0.0L, 0};
    if (kind == POY_ANGULAR_LPMV)
        return reduced_slope(l, m, m, z, w, out);
    if (kind == POY_ANGULAR_PI) {
        if (m == 0)
            return 1;
        const int good = reduced_slope(l, m, m - 1, z, w, out);
        *out = poyi_big_times(*out, m);
        return good;
    }
    if (m == 0) /* tau = P^1 */
        return reduced_slope(l, 1, 1, z, w, out);
    const int good = reduced_slope(l, m + 1, m + 1, z, w, &above) & reduced_slope(l, m - 1, m - 1, z, w, &below);
    *out = poyi_big_times(poyi_big_add(above, poyi_big_times(below, -(poyi_xreal)((l + m) * (l - m + 1)))), 0.5L);
    return good;
}

typedef struct legendre_request {
    const char *name;
    poy_angular_kind kind;
    int transposed;
    const int64_t *l, *m;
    const poy_c128 *z, *in;
    poy_c128 *out;
} legendre_request;

static int legendre_slope(const legendre_request *r, size_t i, poyi_big *out)
{
    const int l = (int)r->l[i], order = (int)llabs(r->m[i]);
    const poyi_xcomplex z = poyi_x(poyi_c(r->z[i]));
    *out = (poyi_big){0.0L, 0};
    if (llabs(r->m[i]) > r->l[i])
        return 1;
    const int good = slope_of(r->kind, l, order, z, poyi_sine_of_cosine(poyi_c(r->z[i])), out);
    if (r->m[i] < 0) { /* as the functions themselves */
        const int odd = (order + (r->kind == POY_ANGULAR_PI)) % 2;
        *out = poyi_big_times(*out, (odd ? -1.0L : 1.0L) * poyi_factorial_ratio(l, order));
    }
    return good;
}

static int is_zero(poy_c128 z)
{
    return z.re == 0.0 && z.im == 0.0;
}

static int legendre_element(void *user, size_t i)
{
    const legendre_request *r = user;
    poyi_big slope = {0.0L, 0};
    if (!is_zero(r->in[i]))
        (void)legendre_slope(r, i, &slope);
    return apply(slope, r->transposed, r->in[i], &r->out[i]);
}

static poy_status check_degree(poy_ctx *ctx, const char *name, size_t n, const int64_t *l)
{
    for (size_t i = 0; i < n; i++)
        if (l[i] < 0 || l[i] > POYI_DEGREE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: l[%zu] = %lld, needs 0 to %d", name, i, (long long)l[i],
                             POYI_DEGREE_MAX);
    return POY_OK;
}

static poy_status legendre_batch(poy_ctx *ctx, size_t n, legendre_request r)
{
    POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, "z", n, r.z));
    POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, r.transposed ? "cotangent" : "tangent", n, r.in));
    POYI_TRY(ctx, check_degree(ctx, r.name, n, r.l));
    for (size_t i = 0; i < n; i++) {
        poyi_big slope;
        if (fabs(r.z[i].re) == 1.0 && r.z[i].im == 0.0 && !is_zero(r.in[i]) && !legendre_slope(&r, i, &slope))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: no derivative at the pole z[%zu] = %g for l = %lld, m = %lld",
                             r.name, i, r.z[i].re, (long long)r.l[i], (long long)r.m[i]);
    }
    return poyi_batch(ctx, r.name, n, legendre_element, &r);
}

poy_status poy_sf_angular_jvp(poy_ctx *ctx, size_t n, poy_angular_kind kind, const int64_t *l, const int64_t *m,
                              const poy_c128 *z, const poy_c128 *dz, poy_c128 *out)
{
    return legendre_batch(ctx, n, (legendre_request){"angular_jvp", kind, 0, l, m, z, dz, out});
}

poy_status poy_sf_angular_vjp(poy_ctx *ctx, size_t n, poy_angular_kind kind, const int64_t *l, const int64_t *m,
                              const poy_c128 *z, const poy_c128 *g, poy_c128 *z_bar)
{
    return legendre_batch(ctx, n, (legendre_request){"angular_vjp", kind, 1, l, m, z, g, z_bar});
}

/* ---- functions of Euler's angles: D by phi, theta, psi; Y_lm by phi and theta (then k, psi are NULL) ---- */

typedef struct angles_request {
    const char *name;
    const int64_t *l, *m, *k;
    const double *phi, *psi;
    const poy_c128 *theta;
    const double *d_phi, *d_psi; /* tangents */
    const poy_c128 *d_theta;
    const poy_c128 *g; /* cotangent: then the bars are written */
    double *phi_bar, *psi_bar;
    poy_c128 *theta_bar, *out;
} angles_request;

/* d/d(theta) d^l_{mk} = (sqrt((l - m)(l + m + 1)) d_{m+1,k} - sqrt((l + m)(l - m + 1)) d_{m-1,k}) / 2
 * (Varshalovich 4.7.2, summed over both of its forms). */
static poyi_big wigner_slope(int l, int m, int k, poyi_xcomplex theta)
{
    poyi_big sum = {0.0L, 0};
    if (m > -l)
        sum = poyi_big_times(poyi_wigner_d(l, m - 1, k, theta), -sqrtl((poyi_xreal)((l + m) * (l - m + 1))) / 2.0L);
    if (m < l)
        sum = poyi_big_add(
            sum, poyi_big_times(poyi_wigner_d(l, m + 1, k, theta), sqrtl((poyi_xreal)((l - m) * (l + m + 1))) / 2.0L));
    return sum;
}

/* Value and slope by theta. */
static void angles_value(const angles_request *r, size_t i, poyi_big *value, poyi_big *slope)
{
    const int l = (int)r->l[i], m = (int)r->m[i];
    const poyi_xcomplex theta = poyi_x(poyi_c(r->theta[i]));
    if (r->k) {
        const int k = (int)r->k[i];
        const poyi_xcomplex phase = conjl(poyi_phase(m, r->phi[i], k, r->psi[i]));
        *value = poyi_big_times(poyi_wigner_d(l, m, k, theta), phase);
        *slope = poyi_big_times(wigner_slope(l, m, k, theta), phase);
        return;
    }
    *value = *slope = (poyi_big){0.0L, 0};
    if (abs(m) > l)
        return;
    poyi_xreal sign;
    const poyi_xcomplex w = poyi_principal_sine(theta, &sign);
    const poyi_angular a = poyi_angular_functions(l, m, ccosl(theta), w);
    const poyi_xcomplex factor =
        sqrtl((2 * l + 1) / (4.0L * POYI_PIL) * poyi_factorial_ratio(l, m)) * poyi_phase(m, r->phi[i], 0, 0.0);
    *value = poyi_big_times(a.p, factor);
    *slope = poyi_big_times(a.tau, sign * factor);
}

static double real_bar(poyi_big by_angle, poy_c128 g)
{
    double complex value;
    (void)poyi_big_round(poyi_big_times(poyi_big_conj(by_angle), poyi_x(poyi_c(g))), &value);
    return creal(value);
}

static int angles_element(void *user, size_t i)
{
    const angles_request *r = user;
    poyi_big value, slope;
    angles_value(r, i, &value, &slope);
    /* d/d(phi) = -i m D, d/d(psi) = -i k D; Y: i m */
    const poyi_big by_phi = poyi_big_times(value, CMPLXL(0.0L, r->k ? -r->m[i] : r->m[i]));
    const poyi_big by_psi = r->k ? poyi_big_times(value, CMPLXL(0.0L, -r->k[i])) : (poyi_big){0.0L, 0};
    if (r->g) {
        r->phi_bar[i] = real_bar(by_phi, r->g[i]);
        if (r->psi_bar)
            r->psi_bar[i] = real_bar(by_psi, r->g[i]);
        return apply(slope, 1, r->g[i], &r->theta_bar[i]);
    }
    double complex total;
    poyi_big sum = poyi_big_times(slope, poyi_x(poyi_c(r->d_theta[i])));
    sum = poyi_big_add(sum, poyi_big_times(by_phi, (poyi_xreal)r->d_phi[i]));
    if (r->d_psi)
        sum = poyi_big_add(sum, poyi_big_times(by_psi, (poyi_xreal)r->d_psi[i]));
    const int beyond = poyi_big_round(sum, &total);
    r->out[i] = poyi_pair(total);
    return beyond;
}

static poy_status angles_batch(poy_ctx *ctx, size_t n, angles_request r)
{
    const double *const reals[] = {r.phi, r.psi, r.d_phi, r.d_psi};
    static const char *const names[] = {"phi", "psi", "tangent of phi", "tangent of psi"};
    POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, "theta", n, r.theta));
    POYI_TRY(ctx, poyi_batch_finite(ctx, r.name, r.g ? "cotangent" : "tangent of theta", n, r.g ? r.g : r.d_theta));
    for (int k = 0; k < 4; k++)
        if (reals[k])
            POYI_TRY(ctx, poyi_batch_finite_real(ctx, r.name, names[k], n, reals[k]));
    POYI_TRY(ctx, check_degree(ctx, r.name, n, r.l));
    for (size_t i = 0; i < n; i++)
        if (fabs(r.theta[i].im) > POYI_ANGLE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: theta[%zu] has the imaginary part %g, beyond %g no cosine is representable", r.name,
                             i, r.theta[i].im, POYI_ANGLE_MAX);
    for (size_t i = 0; i < n; i++)
        if (r.k && (llabs(r.m[i]) > r.l[i] || llabs(r.k[i]) > r.l[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: element %zu has m = %lld and k = %lld, needs |m|, |k| <= l = %lld", r.name, i,
                             (long long)r.m[i], (long long)r.k[i], (long long)r.l[i]);
    return poyi_batch(ctx, r.name, n, angles_element, &r);
}

poy_status poy_sf_sph_harm_jvp(poy_ctx *ctx, size_t n, const int64_t *m, const int64_t *l, const double *phi,
                               const poy_c128 *theta, const double *d_phi, const poy_c128 *d_theta, poy_c128 *out)
{
    return angles_batch(ctx, n,
                        (angles_request){.name = "sph_harm_jvp",
                                         .l = l,
                                         .m = m,
                                         .phi = phi,
                                         .theta = theta,
                                         .d_phi = d_phi,
                                         .d_theta = d_theta,
                                         .out = out});
}

poy_status poy_sf_sph_harm_vjp(poy_ctx *ctx, size_t n, const int64_t *m, const int64_t *l, const double *phi,
                               const poy_c128 *theta, const poy_c128 *g, double *phi_bar, poy_c128 *theta_bar)
{
    return angles_batch(ctx, n,
                        (angles_request){.name = "sph_harm_vjp",
                                         .l = l,
                                         .m = m,
                                         .phi = phi,
                                         .theta = theta,
                                         .g = g,
                                         .phi_bar = phi_bar,
                                         .theta_bar = theta_bar});
}

poy_status poy_sf_wignerd_jvp(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *k,
                              const double *phi, const poy_c128 *theta, const double *psi, const double *d_phi,
                              const poy_c128 *d_theta, const double *d_psi, poy_c128 *out)
{
    return angles_batch(ctx, n,
                        (angles_request){.name = "wignerd_jvp",
                                         .l = l,
                                         .m = m,
                                         .k = k,
                                         .phi = phi,
                                         .psi = psi,
                                         .theta = theta,
                                         .d_phi = d_phi,
                                         .d_psi = d_psi,
                                         .d_theta = d_theta,
                                         .out = out});
}

poy_status poy_sf_wignerd_vjp(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *k,
                              const double *phi, const poy_c128 *theta, const double *psi, const poy_c128 *g,
                              double *phi_bar, poy_c128 *theta_bar, double *psi_bar)
{
    return angles_batch(ctx, n,
                        (angles_request){.name = "wignerd_vjp",
                                         .l = l,
                                         .m = m,
                                         .k = k,
                                         .phi = phi,
                                         .psi = psi,
                                         .theta = theta,
                                         .g = g,
                                         .phi_bar = phi_bar,
                                         .psi_bar = psi_bar,
                                         .theta_bar = theta_bar});
}

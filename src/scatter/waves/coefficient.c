/* coefficient.c: coefficients between single modes of different families, and of plane waves in permuted axes. The formulas
 * are those of Beutel et al. (2024), with sin(theta_k) = q / k taken from the components of k: a root of 1 - cos^2 would
 * lose the branch of a complex wavevector and the digits beside the axis. */
#include "scatter/waves/coefficient.h"

#include <stdlib.h>

#include "math/angular/legendre.h"
#include "math/angular/wigner.h"
#include "math/math.h"
#include "scatter/waves/label.h"
#include "scatter/waves/vector_wave.h"

poyi_wave_angles poyi_angles_of_wavevector(const poyi_xcomplex k[3])
{
    const poyi_xcomplex square = poyi_xmul(k[0], k[0]) + poyi_xmul(k[1], k[1]), i = CMPLXL(0.0L, 1.0L);
    const poyi_xcomplex length = poyi_principal_root(square + poyi_xmul(k[2], k[2]));
    poyi_wave_angles a = {.k = length, .cosine = k[2] / length, .turn = {1.0L, 1.0L}};
    if (k[0] != 0.0L || k[1] != 0.0L) {
        const poyi_xcomplex q = poyi_principal_root(square);
        a.sine = q / length;
        a.turn[0] = (k[0] + poyi_xmul(i, k[1])) / q;
        a.turn[1] = (k[0] - poyi_xmul(i, k[1])) / q;
    }
    return a;
}

/* Of a cylindrical wave: sin = k_rho / k, phi = 0. */
static poyi_wave_angles angles_of_axial(poyi_xcomplex kz, poyi_xcomplex k)
{
    return (poyi_wave_angles){
        .k = k, .cosine = kz / k, .sine = poyi_radial_wavenumber(kz, k) / k, .turn = {1.0L, 1.0L}};
}

/* turn^n; n < 0 by the inverse, which is stored. */
static poyi_big turned(const poyi_wave_angles *a, int n)
{
    poyi_big result = {1.0L, 0}, square = poyi_big_make(a->turn[n < 0], 0);
    for (n = abs(n); n > 0; n /= 2) {
        if (n % 2)
            result = poyi_big_mul(result, square);
        square = poyi_big_mul(square, square);
    }
    return result;
}

/* sqrt((l - m)! / (l + m)!) (tau + s pi) = -s sqrt(l (l + 1)) d^l_{m s}, without the cancellation of the sum beside the axis
 * (Varshalovich 4.17). */
static poyi_big helicity_angular(int l, int m, int s, const poyi_wave_angles *a)
{
    const poyi_xcomplex above = 1.0L + a->cosine, below = 1.0L - a->cosine;
    poyi_xcomplex sine, cosine; /* of theta / 2: the larger by its square, the other by 2 sin cos = sin(theta) */
    if (poyi_xsize(above) > poyi_xsize(below)) {
        cosine = csqrtl(0.5L * above);
        sine = 0.5L * a->sine / cosine;
    } else {
        sine = csqrtl(0.5L * below);
        cosine = 0.5L * a->sine / sine;
    }
    return poyi_big_times(poyi_wigner_d_half(l, m, s, sine, cosine), -s * sqrtl((2 * l + 1) * POYI_PIL));
}

/* sqrt(pi (2l + 1) / (l (l + 1)) (l - m)! / (l + m)!) times tau + s pi (helicity, equal pol), tau (parity, equal pol) or
 * pi (parity, different pol). */
static poyi_big wave_angular(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol, const poyi_wave_angles *a)
{
    const poyi_big none = {0.0L, 0};
    if (poltype == POY_HELICITY)
        return pol == qol ? helicity_angular(l, m, pol ? 1 : -1, a) : none;
    const poyi_angular f = poyi_angular_functions(l, m, a->cosine, a->sine);
    return poyi_big_times(pol == qol ? f.tau : f.pi,
                          sqrtl(poyi_factorial_ratio(l, m) * (2 * l + 1) / ((poyi_xreal)l * (l + 1)) * POYI_PIL));
}

/* 2 i^l e^{-i m phi} times wave_angular */
static poyi_big plane_to_spherical(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol,
                                   const poyi_wave_angles *a)
{
    const poyi_big f = poyi_big_mul(wave_angular(poltype, l, m, pol, qol, a), turned(a, -m));
    return poyi_big_times(f, poyi_xturn(2.0L, l));
}

/* i^m e^{-i m phi}, equal pol and kz */
static poyi_big plane_to_cylindrical(int m, const poyi_wave_angles *a)
{
    return poyi_big_times(turned(a, -m), poyi_xturn(1.0L, m));
}

/* 2 i^{l - m} times wave_angular, equal m */
static poyi_big cylindrical_to_spherical(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol,
                                         const poyi_wave_angles *a)
{
    return poyi_big_times(wave_angular(poltype, l, m, pol, qol, a), poyi_xturn(2.0L, l - m));
}

/* kz turned to the side to which it radiates: Im kz > 0, or Re kz > 0 where it is real. */
static poyi_xcomplex outward(poyi_xcomplex kz)
{
    const poyi_xreal direction = cimagl(kz) == 0.0L ? creall(kz) : cimagl(kz);
    return direction < 0.0L ? -kz : kz;
}

/* (-i)^l e^{i m phi} / (area k kz_outward) times wave_angular */
static poyi_big spherical_to_plane(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol,
                                   const poyi_wave_angles *a, poyi_xcomplex kz, poyi_xreal area)
{
    const poyi_big f = poyi_big_mul(wave_angular(poltype, l, m, pol, qol, a), turned(a, m));
    return poyi_big_times(f, poyi_xturn(1.0L, -l) / (area * poyi_xmul(a->k, outward(kz))));
}

/* (-i)^{l - m} / (2 period k) times wave_angular, equal m */
static poyi_big spherical_to_cylindrical(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol,
                                         const poyi_wave_angles *a, poyi_xreal period)
{
    const poyi_big f = wave_angular(poltype, l, m, pol, qol, a);
    return poyi_big_times(f, poyi_xturn(0.5L, m - l) / (period * a->k));
}

/* 2 (-i)^m e^{i m phi} / (|period| ky_outward), equal pol and kz; (-i)^m e^{i m phi} = ((-i kx + ky) / k_rho)^m */
static poyi_big cylindrical_to_plane(int m, const poyi_wave_angles *a, poyi_xcomplex ky, poyi_xreal period)
{
    return poyi_big_times(turned(a, m), poyi_xturn(2.0L, -m) / (fabsl(period) * outward(ky)));
}

poyi_xcomplex poyi_permutation(poy_poltype poltype, int64_t p, int64_t q, int inverse, const poyi_xcomplex k[3])
{
    if (poltype == POY_HELICITY && p != q)
        return 0.0L;
    const poyi_xcomplex kx = k[0], ky = k[1], kz = k[2], i = CMPLXL(0.0L, 1.0L);
    const poyi_xcomplex xx = poyi_xmul(kx, kx), yy = poyi_xmul(ky, ky), zz = poyi_xmul(kz, kz);
    const poyi_xcomplex length = poyi_principal_root(xx + yy + zz), before = poyi_principal_root(xx + yy);
    const poyi_xcomplex after = poyi_principal_root(zz + (inverse ? yy : xx));
    const int on_z = kx == 0.0L && ky == 0.0L;
    const int on_new_z = kz == 0.0L && (inverse ? ky : kx) == 0.0L;
    poyi_xcomplex same, cross;
    /* on an axis the azimuth is 0, as in the polarisation vectors */
    if (on_z) {
        same = inverse ? -kz / length : 0.0L;
        cross = inverse ? 0.0L : -i;
    } else if (on_new_z) {
        same = inverse ? 0.0L : -ky / length;
        cross = inverse ? i : 0.0L;
    } else {
        same = inverse ? -poyi_xmul(kx / before, kz / after) : -poyi_xmul(ky / before, kz / after);
        cross = inverse ? poyi_xmul(i, poyi_xmul(length / before, ky / after))
                        : -poyi_xmul(i, poyi_xmul(length / before, kx / after));
    }
    if (poltype == POY_HELICITY)
        return same + (poyi_xreal)poyi_pol_sign(p) * cross;
    return p == q ? same : cross;
}

/* ---- batches ---- */

typedef struct call {
    poy_poltype poltype;
    int inverse;
    const int64_t *l, *m, *mu, *pol, *qol;
    const poy_c128 *kx, *ky, *kz, *k;
    const double *kz_real, *qz, *kx_real, *x, *y, *z, *measure;
    poy_c128 *out;
} call;

static int put(const call *c, size_t i, poyi_big v)
{
    double complex value;
    const int beyond = poyi_big_round(v, &value);
    c->out[i] = poyi_pair(value);
    return beyond;
}

static void wavevector(const call *c, size_t i, poyi_xcomplex k[3])
{
    k[0] = poyi_x(poyi_c(c->kx[i]));
    k[1] = poyi_x(poyi_c(c->ky[i]));
    k[2] = poyi_x(poyi_c(c->kz[i]));
}

static poyi_wave_angles wavevector_angles(const call *c, size_t i)
{
    poyi_xcomplex k[3];
    wavevector(c, i, k);
    return poyi_angles_of_wavevector(k);
}

/* Of the destination and of the source. */
static poy_status check_pols(poy_ctx *ctx, const char *name, const call *c, size_t n)
{
    POYI_TRY(ctx, poyi_check_pol(ctx, name, n, c->pol));
    POYI_TRY(ctx, poyi_check_pol(ctx, name, n, c->qol));
    return POY_OK;
}

static int pw_to_sw_element(void *user, size_t i)
{
    const call *c = user;
    const poyi_wave_angles a = wavevector_angles(c, i);
    return put(c, i, plane_to_spherical(c->poltype, (int)c->l[i], (int)c->m[i], c->pol[i], c->qol[i], &a));
}

poy_status poy_pw_to_sw(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *polsw,
                        const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz, const int64_t *polpw,
                        poy_poltype poltype, poy_c128 *out)
{
    call c = {.poltype = poltype, .l = l, .m = m, .pol = polsw, .qol = polpw, .kx = kx, .ky = ky, .kz = kz, .out = out};
    POYI_TRY(ctx, poyi_check_poltype(ctx, "pw_to_sw", poltype));
    POYI_TRY(ctx, poyi_check_spherical(ctx, "pw_to_sw", n, l, m));
    POYI_TRY(ctx, check_pols(ctx, "pw_to_sw", &c, n));
    POYI_TRY(ctx, poyi_check_wavevectors(ctx, "pw_to_sw", n, kx, ky, kz));
    POYI_TRY(ctx, poyi_batch(ctx, "pw_to_sw", n, pw_to_sw_element, &c));
    return POY_OK;
}

static int pw_to_cw_element(void *user, size_t i)
{
    const call *c = user;
    const poyi_wave_angles a = wavevector_angles(c, i);
    const poyi_big none = {0.0L, 0};
    const int match = c->pol[i] == c->qol[i] && poyi_c(c->kz[i]) == c->qz[i];
    return put(c, i, match ? plane_to_cylindrical((int)c->m[i], &a) : none);
}

poy_status poy_pw_to_cw(poy_ctx *ctx, size_t n, const double *kzcw, const int64_t *m, const int64_t *polcw,
                        const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kzpw, const int64_t *polpw,
                        poy_c128 *out)
{
    call c = {.qz = kzcw, .m = m, .pol = polcw, .qol = polpw, .kx = kx, .ky = ky, .kz = kzpw, .out = out};
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, "pw_to_cw", "kzcw", n, kzcw));
    POYI_TRY(ctx, poyi_check_order(ctx, "pw_to_cw", n, m));
    POYI_TRY(ctx, check_pols(ctx, "pw_to_cw", &c, n));
    POYI_TRY(ctx, poyi_check_wavevectors(ctx, "pw_to_cw", n, kx, ky, kzpw));
    POYI_TRY(ctx, poyi_batch(ctx, "pw_to_cw", n, pw_to_cw_element, &c));
    return POY_OK;
}

static int cw_to_sw_element(void *user, size_t i)
{
    const call *c = user;
    const poyi_wave_angles a = angles_of_axial(c->kz_real[i], poyi_x(poyi_c(c->k[i])));
    const poyi_big none = {0.0L, 0};
    return put(c, i,
               c->m[i] != c->mu[i]
                   ? none
                   : cylindrical_to_spherical(c->poltype, (int)c->l[i], (int)c->m[i], c->pol[i], c->qol[i], &a));
}

static poy_status check_wavenumber(poy_ctx *ctx, const char *name, size_t n, const double *kz, const poy_c128 *k)
{
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "kz", n, kz));
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "k", n, k));
    for (size_t i = 0; i < n; i++)
        if (poyi_c(k[i]) == 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: k[%zu] = 0, needs another number", name, i);
    return POY_OK;
}

static poy_status check_measure(poy_ctx *ctx, const char *name, const char *what, size_t n, const double *measure)
{
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, what, n, measure));
    for (size_t i = 0; i < n; i++)
        if (measure[i] == 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s[%zu] = 0, needs another number", name, what, i);
    return POY_OK;
}

poy_status poy_cw_to_sw(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *polsw,
                        const double *kz, const int64_t *mu, const int64_t *polcw, const poy_c128 *k,
                        poy_poltype poltype, poy_c128 *out)
{
    call c = {
        .poltype = poltype, .l = l, .m = m, .mu = mu, .pol = polsw, .qol = polcw, .kz_real = kz, .k = k, .out = out};
    POYI_TRY(ctx, poyi_check_poltype(ctx, "cw_to_sw", poltype));
    POYI_TRY(ctx, poyi_check_spherical(ctx, "cw_to_sw", n, l, m));
    POYI_TRY(ctx, poyi_check_order(ctx, "cw_to_sw", n, mu));
    POYI_TRY(ctx, check_pols(ctx, "cw_to_sw", &c, n));
    POYI_TRY(ctx, check_wavenumber(ctx, "cw_to_sw", n, kz, k));
    POYI_TRY(ctx, poyi_batch(ctx, "cw_to_sw", n, cw_to_sw_element, &c));
    return POY_OK;
}

/* ---- periodic arrays ---- */

static int sw_to_pw_element(void *user, size_t i)
{
    const call *c = user;
    const poyi_wave_angles a = wavevector_angles(c, i);
    return put(c, i,
               spherical_to_plane(c->poltype, (int)c->l[i], (int)c->m[i], c->pol[i], c->qol[i], &a,
                                  poyi_x(poyi_c(c->kz[i])), c->measure[i]));
}

static poy_status check_grazing(poy_ctx *ctx, const char *name, const char *component, size_t n, const poy_c128 *k)
{
    for (size_t i = 0; i < n; i++)
        if (poyi_c(k[i]) == 0.0)
            return POYI_FAIL(ctx, POY_ERR_THRESHOLD, "%s: %s[%zu] = 0: the wave grazes the array and diverges", name,
                             component, i);
    return POY_OK;
}

poy_status poy_sw_periodic_to_pw(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz,
                                 const int64_t *pol, const int64_t *l, const int64_t *m, const int64_t *qol,
                                 const double *area, poy_poltype poltype, poy_c128 *out)
{
    static const char name[] = "sw_periodic_to_pw";
    call c = {.poltype = poltype,
              .l = l,
              .m = m,
              .pol = pol,
              .qol = qol,
              .kx = kx,
              .ky = ky,
              .kz = kz,
              .measure = area,
              .out = out};
    POYI_TRY(ctx, poyi_check_poltype(ctx, name, poltype));
    POYI_TRY(ctx, poyi_check_spherical(ctx, name, n, l, m));
    POYI_TRY(ctx, check_pols(ctx, name, &c, n));
    POYI_TRY(ctx, poyi_check_wavevectors(ctx, name, n, kx, ky, kz));
    POYI_TRY(ctx, check_measure(ctx, name, "area", n, area));
    POYI_TRY(ctx, check_grazing(ctx, name, "kz", n, kz));
    POYI_TRY(ctx, poyi_batch(ctx, name, n, sw_to_pw_element, &c));
    return POY_OK;
}

static int sw_to_cw_element(void *user, size_t i)
{
    const call *c = user;
    const poyi_wave_angles a = angles_of_axial(c->kz_real[i], poyi_x(poyi_c(c->k[i])));
    const poyi_big none = {0.0L, 0};
    return put(c, i,
               c->m[i] != c->mu[i] ? none
                                   : spherical_to_cylindrical(c->poltype, (int)c->l[i], (int)c->m[i], c->pol[i],
                                                              c->qol[i], &a, c->measure[i]));
}

poy_status poy_sw_periodic_to_cw(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const int64_t *pol,
                                 const int64_t *l, const int64_t *mu, const int64_t *qol, const poy_c128 *k,
                                 const double *period, poy_poltype poltype, poy_c128 *out)
{
    static const char name[] = "sw_periodic_to_cw";
    call c = {.poltype = poltype,
              .l = l,
              .m = mu,
              .mu = m,
              .pol = pol,
              .qol = qol,
              .kz_real = kz,
              .k = k,
              .measure = period,
              .out = out};
    POYI_TRY(ctx, poyi_check_poltype(ctx, name, poltype));
    POYI_TRY(ctx, poyi_check_spherical(ctx, name, n, l, mu));
    POYI_TRY(ctx, poyi_check_order(ctx, name, n, m));
    POYI_TRY(ctx, check_pols(ctx, name, &c, n));
    POYI_TRY(ctx, check_wavenumber(ctx, name, n, kz, k));
    POYI_TRY(ctx, check_measure(ctx, name, "period", n, period));
    POYI_TRY(ctx, poyi_batch(ctx, name, n, sw_to_cw_element, &c));
    return POY_OK;
}

static int cw_to_pw_element(void *user, size_t i)
{
    const call *c = user;
    const poyi_xcomplex k[3] = {c->kx_real[i], poyi_x(poyi_c(c->ky[i])), c->kz_real[i]};
    const poyi_wave_angles a = poyi_angles_of_wavevector(k);
    const poyi_big none = {0.0L, 0};
    const int match = c->pol[i] == c->qol[i] && c->kz_real[i] == c->qz[i];
    return put(c, i, match ? cylindrical_to_plane((int)c->m[i], &a, k[1], c->measure[i]) : none);
}

poy_status poy_cw_periodic_to_pw(poy_ctx *ctx, size_t n, const double *kx, const poy_c128 *ky, const double *kz,
                                 const int64_t *pol, const double *qz, const int64_t *m, const int64_t *qol,
                                 const double *period, poy_c128 *out)
{
    static const char name[] = "cw_periodic_to_pw";
    call c = {.kx_real = kx,
              .ky = ky,
              .kz_real = kz,
              .pol = pol,
              .qz = qz,
              .m = m,
              .qol = qol,
              .measure = period,
              .out = out};
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "kx", n, kx));
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "ky", n, ky));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "kz", n, kz));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "qz", n, qz));
    POYI_TRY(ctx, poyi_check_order(ctx, name, n, m));
    POYI_TRY(ctx, check_pols(ctx, name, &c, n));
    POYI_TRY(ctx, check_measure(ctx, name, "period", n, period));
    POYI_TRY(ctx, check_grazing(ctx, name, "ky", n, ky));
    for (size_t i = 0; i < n; i++) {
        const poyi_xcomplex y = poyi_x(poyi_c(ky[i])), square = kx[i] * (poyi_xreal)kx[i] + poyi_xmul(y, y);
        if (square == 0.0L)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: element %zu has kx^2 + ky^2 = 0 and no radial wave", name, i);
    }
    POYI_TRY(ctx, poyi_batch(ctx, name, n, cw_to_pw_element, &c));
    return POY_OK;
}

/* ---- plane waves ---- */

static int pw_translate_element(void *user, size_t i)
{
    const call *c = user;
    const poyi_xcomplex phase = poyi_x(poyi_c(c->kx[i])) * (poyi_xreal)c->x[i] +
                                poyi_x(poyi_c(c->ky[i])) * (poyi_xreal)c->y[i] +
                                poyi_x(poyi_c(c->kz[i])) * (poyi_xreal)c->z[i];
    return put(c, i, poyi_big_exp(poyi_xturn(phase, 1)));
}

poy_status poy_pw_translate(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz,
                            const double *x, const double *y, const double *z, poy_c128 *out)
{
    static const char name[] = "pw_translate";
    call c = {.kx = kx, .ky = ky, .kz = kz, .x = x, .y = y, .z = z, .out = out};
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "kx", n, kx));
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "ky", n, ky));
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "kz", n, kz));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "x", n, x));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "y", n, y));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "z", n, z));
    POYI_TRY(ctx, poyi_batch(ctx, name, n, pw_translate_element, &c));
    return POY_OK;
}

static int permute_element(void *user, size_t i)
{
    const call *c = user;
    poyi_xcomplex k[3];
    wavevector(c, i, k);
    return put(c, i, poyi_big_make(poyi_permutation(c->poltype, c->pol[i], c->qol[i], c->inverse, k), 0));
}

poy_status poy_pw_permute_xyz(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz,
                              const int64_t *p, const int64_t *q, poy_poltype poltype, int inverse, poy_c128 *out)
{
    static const char name[] = "pw_permute_xyz";
    call c = {.poltype = poltype, .inverse = inverse, .kx = kx, .ky = ky, .kz = kz, .pol = p, .qol = q, .out = out};
    POYI_TRY(ctx, poyi_check_poltype(ctx, name, poltype));
    POYI_TRY(ctx, check_pols(ctx, name, &c, n));
    POYI_TRY(ctx, poyi_check_wavevectors(ctx, name, n, kx, ky, kz));
    if (inverse) /* the wavevector in the new axes has to have polarisation vectors, too */
        POYI_TRY(ctx, poyi_check_wavevectors(ctx, name, n, ky, kz, kx));
    else
        POYI_TRY(ctx, poyi_check_wavevectors(ctx, name, n, kz, kx, ky));
    POYI_TRY(ctx, poyi_batch(ctx, name, n, permute_element, &c));
    return POY_OK;
}

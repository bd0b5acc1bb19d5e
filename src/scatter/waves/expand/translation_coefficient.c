/* translation_coefficient.c: translation and rotation coefficients of single spherical and cylindrical modes. */
#include <stdlib.h>

#include "math/angular/legendre.h"
#include "math/bessel/bessel.h"
#include "scatter/waves/expand/translation.h"
#include "scatter/waves/label.h"
#include "scatter/waves/radial.h"

/* A and B of one pair of modes. */
static void pair_of(int lambda, int mu, int l, int m, int singular, double complex kr, poyi_direction d,
                    poyi_xcomplex ab[2])
{
    poyi_xcomplex z[2 * POY_DEGREE_MAX + 2], y[2 * POY_DEGREE_MAX + 2], a = 0.0L, b = 0.0L;
    poyi_translation_terms t;
    const int order = m - mu, least = abs(order);
    poyi_translation_terms_of(lambda, mu, l, m, &t);
    poyi_wave_radial_table(singular, l + lambda, poyi_x(kr), z);
    poyi_harmonic_column(order, l + lambda, d, y);
    for (int i = 0; i < t.count_a; i++)
        a += (poyi_xreal)t.a[i] * poyi_xmul(z[t.first_a + 2 * i], y[t.first_a + 2 * i - least]);
    for (int i = 0; i < t.count_b; i++)
        b += (poyi_xreal)t.b[i] * poyi_xmul(z[t.first_b + 2 * i], y[t.first_b + 2 * i - least]);
    ab[0] = a;
    ab[1] = poyi_xturn(b, 1);
}

typedef enum wanted { PART_A, PART_B, COEFFICIENT } wanted;

typedef struct call {
    const char *name;
    wanted what;
    int singular;
    poy_poltype poltype;
    const int64_t *lambda, *mu, *pol, *l, *m, *qol;
    const double *kz, *qz, *theta, *phi, *psi, *z;
    const poy_c128 *kr;
    poy_c128 *out;
} call;

static int put(const call *c, size_t i, poyi_xcomplex v)
{
    int beyond = 0;
    c->out[i] = poyi_round(v, &beyond);
    return beyond;
}

static int spherical_element(void *user, size_t i)
{
    const call *c = user;
    const double complex kr = poyi_c(c->kr[i]);
    poyi_xcomplex ab[2];
    if (c->what == COEFFICIENT) {
        const int differ = c->pol[i] != c->qol[i];
        if ((c->singular && cabs(kr) < POYI_COINCIDENT) || (c->poltype == POY_HELICITY && differ))
            return put(c, i, 0.0L);
        if (kr == 0.0)
            return put(c, i, c->lambda[i] == c->l[i] && c->mu[i] == c->m[i] && !differ ? 1.0L : 0.0L);
    }
    pair_of((int)c->lambda[i], (int)c->mu[i], (int)c->l[i], (int)c->m[i], c->singular, kr,
            poyi_direction_of_angles(c->theta[i], c->phi[i]), ab);
    if (c->what != COEFFICIENT)
        return put(c, i, ab[c->what]);
    if (c->poltype == POY_HELICITY)
        return put(c, i, ab[0] + (poyi_xreal)poyi_pol_sign(c->qol[i]) * ab[1]);
    return put(c, i, ab[c->pol[i] != c->qol[i]]);
}

static poy_status spherical(poy_ctx *ctx, size_t n, call c)
{
    POYI_TRY(ctx, poyi_check_spherical(ctx, c.name, n, c.lambda, c.mu));
    POYI_TRY(ctx, poyi_check_spherical(ctx, c.name, n, c.l, c.m));
    POYI_TRY(ctx, poyi_batch_finite(ctx, c.name, "kr", n, c.kr));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, c.name, "theta", n, c.theta));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, c.name, "phi", n, c.phi));
    if (c.what == COEFFICIENT) {
        POYI_TRY(ctx, poyi_check_poltype(ctx, c.name, c.poltype));
        POYI_TRY(ctx, poyi_check_pol(ctx, c.name, n, c.pol));
        POYI_TRY(ctx, poyi_check_pol(ctx, c.name, n, c.qol));
    } else if (c.singular) {
        for (size_t i = 0; i < n; i++)
            if (poyi_c(c.kr[i]) == 0.0)
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: kr[%zu] = 0 is a pole", c.name, i);
    }
    POYI_TRY(ctx, poyi_batch(ctx, c.name, n, spherical_element, &c));
    return POY_OK;
}

#define TL_VSW(suffix, part, is_singular)                                                                          \
    poy_status poy_sf_tl_vsw_##suffix(poy_ctx *ctx, size_t n, const int64_t *lambda, const int64_t *mu,            \
                                      const int64_t *l, const int64_t *m, const poy_c128 *kr, const double *theta, \
                                      const double *phi, poy_c128 *out)                                            \
    {                                                                                                              \
        const call c = {.name = "tl_vsw_" #suffix,                                                                 \
                        .what = part,                                                                              \
                        .singular = is_singular,                                                                   \
                        .lambda = lambda,                                                                          \
                        .mu = mu,                                                                                  \
                        .l = l,                                                                                    \
                        .m = m,                                                                                    \
                        .kr = kr,                                                                                  \
                        .theta = theta,                                                                            \
                        .phi = phi,                                                                                \
                        .out = out};                                                                               \
        return spherical(ctx, n, c);                                                                               \
    }
TL_VSW(A, PART_A, 1)
TL_VSW(B, PART_B, 1)
TL_VSW(rA, PART_A, 0)
TL_VSW(rB, PART_B, 0)

poy_status poy_sw_translate(poy_ctx *ctx, size_t n, const int64_t *lambda, const int64_t *mu, const int64_t *pol,
                            const int64_t *l, const int64_t *m, const int64_t *qol, const poy_c128 *kr,
                            const double *theta, const double *phi, poy_poltype poltype, int singular, poy_c128 *out)
{
    const call c = {.name = "sw_translate",
                    .what = COEFFICIENT,
                    .singular = singular,
                    .poltype = poltype,
                    .lambda = lambda,
                    .mu = mu,
                    .pol = pol,
                    .l = l,
                    .m = m,
                    .qol = qol,
                    .kr = kr,
                    .theta = theta,
                    .phi = phi,
                    .out = out};
    return spherical(ctx, n, c);
}

/* ---- rotation ---- */

poyi_xcomplex poyi_rotation_element(int l, int m, int k, const double angles[3])
{
    const poyi_big d = poyi_wigner_d(l, m, k, angles[1]);
    return poyi_xmul(poyi_xldexp(d.m, d.e), poyi_xphase(-(m * (poyi_xreal)angles[0] + k * (poyi_xreal)angles[2])));
}

static int rotation_element(void *user, size_t i)
{
    const call *c = user;
    const double angles[3] = {c->phi[i], c->theta[i], c->psi[i]};
    if (c->lambda[i] != c->l[i] || c->pol[i] != c->qol[i])
        return put(c, i, 0.0L);
    return put(c, i, poyi_rotation_element((int)c->l[i], (int)c->mu[i], (int)c->m[i], angles));
}

poy_status poy_sw_rotate(poy_ctx *ctx, size_t n, const int64_t *lambda, const int64_t *mu, const int64_t *pol,
                         const int64_t *l, const int64_t *m, const int64_t *qol, const double *phi, const double *theta,
                         const double *psi, poy_c128 *out)
{
    static const char name[] = "sw_rotate";
    call c = {.lambda = lambda,
              .mu = mu,
              .pol = pol,
              .l = l,
              .m = m,
              .qol = qol,
              .phi = phi,
              .theta = theta,
              .psi = psi,
              .out = out};
    POYI_TRY(ctx, poyi_check_spherical(ctx, name, n, lambda, mu));
    POYI_TRY(ctx, poyi_check_spherical(ctx, name, n, l, m));
    POYI_TRY(ctx, poyi_check_pol(ctx, name, n, pol));
    POYI_TRY(ctx, poyi_check_pol(ctx, name, n, qol));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "phi", n, phi));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "theta", n, theta));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "psi", n, psi));
    POYI_TRY(ctx, poyi_batch(ctx, name, n, rotation_element, &c));
    return POY_OK;
}

/* ---- cylindrical waves ---- */

/* F_order(krr) e^{i (order phi + kz z)}, singular: krr not 0 */
static poyi_big cylindrical_of(int order, int singular, double complex krr, poyi_xcomplex phi, poyi_xcomplex kz_z)
{
    poyi_big f = poyi_big_make(order == 0 ? 1.0L : 0.0L, 0);
    if (krr != 0.0) {
        const poyi_bessel b = poyi_bessel_cylindrical(singular ? POY_BESSEL_H1 : POY_BESSEL_J, order, krr);
        f = poyi_big_mul(b.value, poyi_big_exp(b.power));
    }
    return poyi_big_mul(f, poyi_big_exp(poyi_xturn(order * phi + kz_z, 1)));
}

static int cylindrical_element(void *user, size_t i)
{
    const call *c = user;
    const double complex krr = poyi_c(c->kr[i]);
    double complex value;
    if (c->kz[i] != c->qz[i] || (c->pol && c->pol[i] != c->qol[i]) || (c->pol && c->singular && krr == 0.0))
        return put(c, i, 0.0L);
    const int beyond = poyi_big_round(cylindrical_of((int)(c->m[i] - c->mu[i]), c->singular, krr, c->phi[i],
                                                     (poyi_xreal)c->kz[i] * (poyi_xreal)c->z[i]),
                                      &value);
    c->out[i] = poyi_pair(value);
    return beyond;
}

static poy_status cylindrical(poy_ctx *ctx, size_t n, call c)
{
    POYI_TRY(ctx, poyi_check_order(ctx, c.name, n, c.mu));
    POYI_TRY(ctx, poyi_check_order(ctx, c.name, n, c.m));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, c.name, "kz", n, c.kz));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, c.name, "qz", n, c.qz));
    POYI_TRY(ctx, poyi_batch_finite(ctx, c.name, "krr", n, c.kr));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, c.name, "phi", n, c.phi));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, c.name, "z", n, c.z));
    if (c.pol) {
        POYI_TRY(ctx, poyi_check_pol(ctx, c.name, n, c.pol));
        POYI_TRY(ctx, poyi_check_pol(ctx, c.name, n, c.qol));
    } else if (c.singular) {
        for (size_t i = 0; i < n; i++)
            if (poyi_c(c.kr[i]) == 0.0)
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: krr[%zu] = 0 is a pole", c.name, i);
    }
    POYI_TRY(ctx, poyi_batch(ctx, c.name, n, cylindrical_element, &c));
    return POY_OK;
}

#define TL_VCW(suffix, is_singular)                                                                           \
    poy_status poy_sf_##suffix(poy_ctx *ctx, size_t n, const double *kz, const int64_t *mu, const double *qz, \
                               const int64_t *m, const poy_c128 *krr, const double *phi, const double *z,     \
                               poy_c128 *out)                                                                 \
    {                                                                                                         \
        const call c = {.name = #suffix,                                                                      \
                        .singular = is_singular,                                                              \
                        .kz = kz,                                                                             \
                        .mu = mu,                                                                             \
                        .qz = qz,                                                                             \
                        .m = m,                                                                               \
                        .kr = krr,                                                                            \
                        .phi = phi,                                                                           \
                        .z = z,                                                                               \
                        .out = out};                                                                          \
        return cylindrical(ctx, n, c);                                                                        \
    }
TL_VCW(tl_vcw, 1)
TL_VCW(tl_vcw_r, 0)

poy_status poy_cw_translate(poy_ctx *ctx, size_t n, const double *kz, const int64_t *mu, const int64_t *pol,
                            const double *qz, const int64_t *m, const int64_t *qol, const poy_c128 *krr,
                            const double *phi, const double *z, int singular, poy_c128 *out)
{
    const call c = {.name = "cw_translate",
                    .singular = singular,
                    .kz = kz,
                    .mu = mu,
                    .pol = pol,
                    .qz = qz,
                    .m = m,
                    .qol = qol,
                    .kr = krr,
                    .phi = phi,
                    .z = z,
                    .out = out};
    return cylindrical(ctx, n, c);
}

static int turn_element(void *user, size_t i)
{
    const call *c = user;
    const int match = c->kz[i] == c->qz[i] && c->mu[i] == c->m[i] && c->pol[i] == c->qol[i];
    return put(c, i, match ? poyi_xphase(-(c->m[i] * (poyi_xreal)c->phi[i])) : 0.0L);
}

poy_status poy_cw_rotate(poy_ctx *ctx, size_t n, const double *kz, const int64_t *mu, const int64_t *pol,
                         const double *qz, const int64_t *m, const int64_t *qol, const double *phi, poy_c128 *out)
{
    static const char name[] = "cw_rotate";
    call c = {.kz = kz, .mu = mu, .pol = pol, .qz = qz, .m = m, .qol = qol, .phi = phi, .out = out};
    POYI_TRY(ctx, poyi_check_order(ctx, name, n, mu));
    POYI_TRY(ctx, poyi_check_order(ctx, name, n, m));
    POYI_TRY(ctx, poyi_check_pol(ctx, name, n, pol));
    POYI_TRY(ctx, poyi_check_pol(ctx, name, n, qol));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "kz", n, kz));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "qz", n, qz));
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, "phi", n, phi));
    POYI_TRY(ctx, poyi_batch(ctx, name, n, turn_element, &c));
    return POY_OK;
}

/* special.h: special functions, elementwise over batches of n elements.
 *
 * Every argument that is not named otherwise is an array of n elements, labels int64_t, real orders and angles double,
 * complex numbers pairs. Time factor exp(-i omega t): outgoing waves are Hankel functions of the first kind. Complex
 * functions take their principal branch; on a cut the sign of a zero imaginary part chooses the side, +0 from above.
 *
 * Errors of all: POY_ERR_ARGUMENT (a label or argument outside the domain, not a finite number, a pole or branch
 * point); the account names the first element that is at fault and out is untouched. POY_ERR_RANGE: a value is not
 * representable; out is then written, infinities (never NaN) where it is beyond the range, and the scaled or split forms
 * have the number. Below the range a value is 0, without an error.
 * Accuracy: docs/special-functions.md. Formulas: DLMF, https://dlmf.nist.gov. */
#ifndef POYNTING_SPECIAL_H
#define POYNTING_SPECIAL_H

#include "poynting/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Bessel functions of real order v, |v| <= 10000, and complex argument ---- */

#define POY_SF_CYLINDRICAL(name) \
    POY_API poy_status poy_sf_##name(poy_ctx *ctx, size_t n, const double *v, const poy_c128 *z, poy_c128 *out)

POY_SF_CYLINDRICAL(jv);      /* J_v(z) */
POY_SF_CYLINDRICAL(yv);      /* Y_v(z); pole at 0 */
POY_SF_CYLINDRICAL(hankel1); /* H_v^(1) = J_v + i Y_v; pole at 0 */
POY_SF_CYLINDRICAL(hankel2); /* H_v^(2) = J_v - i Y_v; pole at 0 */
POY_SF_CYLINDRICAL(jv_d);    /* d/dz: f'_v = (f_{v-1} - f_{v+1}) / 2 */
POY_SF_CYLINDRICAL(yv_d);
POY_SF_CYLINDRICAL(hankel1_d);
POY_SF_CYLINDRICAL(hankel2_d);

/* Scaled forms, finite however large Im z is: exp(-|Im z|) J and Y, exp(-iz) H^(1), exp(iz) H^(2), and the derivatives
 * (of the functions themselves) with the same factors. */
POY_SF_CYLINDRICAL(jv_scaled);
POY_SF_CYLINDRICAL(yv_scaled);
POY_SF_CYLINDRICAL(hankel1_scaled);
POY_SF_CYLINDRICAL(hankel2_scaled);
POY_SF_CYLINDRICAL(jv_d_scaled);
POY_SF_CYLINDRICAL(yv_d_scaled);
POY_SF_CYLINDRICAL(hankel1_d_scaled);
POY_SF_CYLINDRICAL(hankel2_d_scaled);
#undef POY_SF_CYLINDRICAL

/* ---- spherical Bessel functions, degree l in 0..10000: f_l(z) = sqrt(pi / 2z) F_{l + 1/2}(z) ---- */

#define POY_SF_SPHERICAL(name) \
    POY_API poy_status poy_sf_##name(poy_ctx *ctx, size_t n, const int64_t *l, const poy_c128 *z, poy_c128 *out)

POY_SF_SPHERICAL(spherical_jn);      /* j_0(0) = 1 */
POY_SF_SPHERICAL(spherical_yn);      /* pole at 0 */
POY_SF_SPHERICAL(spherical_hankel1); /* pole at 0 */
POY_SF_SPHERICAL(spherical_hankel2); /* pole at 0 */
POY_SF_SPHERICAL(spherical_jn_d);    /* d/dz; j_1'(0) = 1/3 */
POY_SF_SPHERICAL(spherical_yn_d);
POY_SF_SPHERICAL(spherical_hankel1_d);
POY_SF_SPHERICAL(spherical_hankel2_d);
POY_SF_SPHERICAL(spherical_jn_scaled); /* factors as above */
POY_SF_SPHERICAL(spherical_yn_scaled);
POY_SF_SPHERICAL(spherical_hankel1_scaled);
POY_SF_SPHERICAL(spherical_hankel2_scaled);
POY_SF_SPHERICAL(spherical_jn_d_scaled);
POY_SF_SPHERICAL(spherical_yn_d_scaled);
POY_SF_SPHERICAL(spherical_hankel1_d_scaled);
POY_SF_SPHERICAL(spherical_hankel2_d_scaled);
POY_SF_SPHERICAL(spherical_jn_logd); /* f'_l / f_l, from far below the range to far above it; pole at 0 but for j_0 */
POY_SF_SPHERICAL(spherical_yn_logd);
POY_SF_SPHERICAL(spherical_hankel1_logd);
POY_SF_SPHERICAL(spherical_hankel2_logd);
#undef POY_SF_SPHERICAL

/* Tables of all orders m = 0 .. mmax <= 256, [mmax + 1][n]; any of j, y, h1 may be NULL. F_{-m} = (-1)^m F_m. */
POY_API poy_status poy_sf_cylindrical_table(poy_ctx *ctx, size_t n, int64_t mmax, const poy_c128 *z, poy_c128 *j,
                                            poy_c128 *y, poy_c128 *h1);
/* Tables of all degrees l = 0 .. lmax <= 256, [lmax + 1][n], for loops that need many; any of j, y, h1 may be NULL. In
 * double precision: error below 1e-13 of the modulus, for real z of (j^2 + y^2)^(1/2). */
POY_API poy_status poy_sf_spherical_table(poy_ctx *ctx, size_t n, int64_t lmax, const poy_c128 *z, poy_c128 *j,
                                          poy_c128 *y, poy_c128 *h1);

typedef enum poy_bessel_kind { POY_BESSEL_J, POY_BESSEL_Y, POY_BESSEL_H1, POY_BESSEL_H2 } poy_bessel_kind;

/* A Bessel function without any limit of range: its value is out 2^exponent, the larger part of out in [1/2, 1) (or out
 * = 0). spherical nonzero: v are degrees; derivative nonzero: d/dz. */
POY_API poy_status poy_sf_bessel_split(poy_ctx *ctx, size_t n, poy_bessel_kind kind, int spherical, int derivative,
                                       const double *v, const poy_c128 *z, poy_c128 *out, int64_t *exponent);

/* ---- angular functions: degree l in 0..256, order m (0 where |m| > l), z = cos(theta) complex ----
 * Condon and Shortley's phase; sin(theta) = sqrt((1 - z)(1 + z)), principal, so P_l^m is in (sin theta)^|m|. */

/* P_l^m(z); P_l^{-m} = (-1)^m (l - m)! / (l + m)! P_l^m. */
POY_API poy_status poy_sf_lpmv(poy_ctx *ctx, size_t n, const int64_t *m, const int64_t *l, const poy_c128 *z,
                               poy_c128 *out);
/* The same of real degree v, |v|, |m| <= 256, and real x in (-1, 1]; for integer v any x with even m, |x| <= 1 with odd. */
POY_API poy_status poy_sf_lpmv_real(poy_ctx *ctx, size_t n, const int64_t *m, const double *v, const double *x,
                                    double *out);
/* m P_l^m(z) / sin(theta), with its limits at the poles. */
POY_API poy_status poy_sf_pi_fun(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const poy_c128 *z,
                                 poy_c128 *out);
/* dP_l^m(cos theta) / d(theta) */
POY_API poy_status poy_sf_tau_fun(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const poy_c128 *z,
                                  poy_c128 *out);
/* Y_lm = sqrt((2l + 1) / 4 pi (l - m)! / (l + m)!) P_l^m(cos theta) exp(i m phi); theta complex
 * (|Im theta| <= 700 here and below), phi double. */
POY_API poy_status poy_sf_sph_harm(poy_ctx *ctx, size_t n, const int64_t *m, const int64_t *l, const double *phi,
                                   const poy_c128 *theta, poy_c128 *out);

/* ---- rotations and couplings ---- */

/* d^l_{mk}(theta), |m|, |k| <= l <= 256 (Varshalovich's sign: d^1_{10} = -sin(theta) / sqrt(2)); theta complex. */
POY_API poy_status poy_sf_wignersmalld(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *k,
                                       const poy_c128 *theta, poy_c128 *out);
/* D^l_{mk} = exp(-i m phi) d^l_{mk}(theta) exp(-i k psi); phi, psi double, theta complex. */
POY_API poy_status poy_sf_wignerd(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *k,
                                  const double *phi, const poy_c128 *theta, const double *psi, poy_c128 *out);
/* Wigner's 3j symbol (j1 j2 j3; m1 m2 m3) of integers, j in 0..260; 0 where a selection rule is broken. */
POY_API poy_status poy_sf_wigner3j(poy_ctx *ctx, size_t n, const int64_t *j1, const int64_t *j2, const int64_t *j3,
                                   const int64_t *m1, const int64_t *m2, const int64_t *m3, double *out);

/* ---- functions of lattice sums ---- */

/* Gamma(a, z) = int_z^infinity t^{a-1} exp(-t) dt, 2a an integer in -256..256; z = 0: Gamma(a) for a > 0, else a pole. */
POY_API poy_status poy_sf_incgamma(poy_ctx *ctx, size_t n, const double *a, const poy_c128 *z, poy_c128 *out);
/* Kambe's integral int_eta^infinity t^k exp(-z^2 t^2 / 2 + 1 / (2 t^2)) dt, |k| <= 512; z is taken with Re z >= 0 (the
 * integral is even in z, with a cut on the imaginary axis); z = 0: k <= -2 only; eta = 0 is refused. */
POY_API poy_status poy_sf_intkambe(poy_ctx *ctx, size_t n, const int64_t *k, const poy_c128 *z, const poy_c128 *eta,
                                   poy_c128 *out);

typedef enum poy_transform {
    POY_CAR2CYL,
    POY_CAR2POL,
    POY_CAR2SPH,
    POY_CYL2CAR,
    POY_CYL2SPH,
    POY_POL2CAR,
    POY_SPH2CAR,
    POY_SPH2CYL,
    POY_TRANSFORM_COUNT
} poy_transform;

/* ---- coordinates: points [n][3] or [n][2] (pol: rho, phi; cyl: rho, phi, z; sph: r, theta, phi) ---- */

POY_API poy_status poy_sf_car2cyl(poy_ctx *ctx, size_t n, const double *points, double *out);
POY_API poy_status poy_sf_car2pol(poy_ctx *ctx, size_t n, const double *points, double *out);
POY_API poy_status poy_sf_car2sph(poy_ctx *ctx, size_t n, const double *points, double *out);
POY_API poy_status poy_sf_cyl2car(poy_ctx *ctx, size_t n, const double *points, double *out);
POY_API poy_status poy_sf_cyl2sph(poy_ctx *ctx, size_t n, const double *points, double *out);
POY_API poy_status poy_sf_pol2car(poy_ctx *ctx, size_t n, const double *points, double *out);
POY_API poy_status poy_sf_sph2car(poy_ctx *ctx, size_t n, const double *points, double *out);
POY_API poy_status poy_sf_sph2cyl(poy_ctx *ctx, size_t n, const double *points, double *out);
/* Components of a vector at a point (given in the source's coordinates) along the unit vectors of the other system. */
POY_API poy_status poy_sf_vcar2cyl(poy_ctx *ctx, size_t n, const poy_c128 *vector, const double *points, poy_c128 *out);
POY_API poy_status poy_sf_vcar2pol(poy_ctx *ctx, size_t n, const poy_c128 *vector, const double *points, poy_c128 *out);
POY_API poy_status poy_sf_vcar2sph(poy_ctx *ctx, size_t n, const poy_c128 *vector, const double *points, poy_c128 *out);
POY_API poy_status poy_sf_vcyl2car(poy_ctx *ctx, size_t n, const poy_c128 *vector, const double *points, poy_c128 *out);
POY_API poy_status poy_sf_vcyl2sph(poy_ctx *ctx, size_t n, const poy_c128 *vector, const double *points, poy_c128 *out);
POY_API poy_status poy_sf_vpol2car(poy_ctx *ctx, size_t n, const poy_c128 *vector, const double *points, poy_c128 *out);
POY_API poy_status poy_sf_vsph2car(poy_ctx *ctx, size_t n, const poy_c128 *vector, const double *points, poy_c128 *out);
POY_API poy_status poy_sf_vsph2cyl(poy_ctx *ctx, size_t n, const poy_c128 *vector, const double *points, poy_c128 *out);

/* ---- first derivatives ----
 * _jvp: the tangent of the result from tangents of the inputs, elementwise. _vjp: from the cotangent g of the result the
 * cotangents ("bar") of the inputs, with the pairing dL = Re sum conj(g) df: z_bar = conj(f') g, and its real part where
 * the input is real. Labels have no derivative. Errors also: POY_ERR_ARGUMENT where no derivative exists (an axis, a branch
 * point, a pole), unless the tangent or cotangent there is 0. */

/* derivative nonzero: of the function f' instead of f. v are degrees where spherical is nonzero. */
POY_API poy_status poy_sf_bessel_jvp(poy_ctx *ctx, size_t n, poy_bessel_kind kind, int spherical, int derivative,
                                     const double *v, const poy_c128 *z, const poy_c128 *dz, poy_c128 *out);
POY_API poy_status poy_sf_bessel_vjp(poy_ctx *ctx, size_t n, poy_bessel_kind kind, int spherical, int derivative,
                                     const double *v, const poy_c128 *z, const poy_c128 *g, poy_c128 *z_bar);

typedef enum poy_angular_kind { POY_ANGULAR_LPMV, POY_ANGULAR_PI, POY_ANGULAR_TAU } poy_angular_kind;

/* By z = cos(theta). */
POY_API poy_status poy_sf_angular_jvp(poy_ctx *ctx, size_t n, poy_angular_kind kind, const int64_t *l, const int64_t *m,
                                      const poy_c128 *z, const poy_c128 *dz, poy_c128 *out);
POY_API poy_status poy_sf_angular_vjp(poy_ctx *ctx, size_t n, poy_angular_kind kind, const int64_t *l, const int64_t *m,
                                      const poy_c128 *z, const poy_c128 *g, poy_c128 *z_bar);
POY_API poy_status poy_sf_sph_harm_jvp(poy_ctx *ctx, size_t n, const int64_t *m, const int64_t *l, const double *phi,
                                       const poy_c128 *theta, const double *d_phi, const poy_c128 *d_theta,
                                       poy_c128 *out);
POY_API poy_status poy_sf_sph_harm_vjp(poy_ctx *ctx, size_t n, const int64_t *m, const int64_t *l, const double *phi,
                                       const poy_c128 *theta, const poy_c128 *g, double *phi_bar, poy_c128 *theta_bar);
POY_API poy_status poy_sf_wignerd_jvp(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *k,
                                      const double *phi, const poy_c128 *theta, const double *psi, const double *d_phi,
                                      const poy_c128 *d_theta, const double *d_psi, poy_c128 *out);
POY_API poy_status poy_sf_wignerd_vjp(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *k,
                                      const double *phi, const poy_c128 *theta, const double *psi, const poy_c128 *g,
                                      double *phi_bar, poy_c128 *theta_bar, double *psi_bar);
POY_API poy_status poy_sf_incgamma_jvp(poy_ctx *ctx, size_t n, const double *a, const poy_c128 *z, const poy_c128 *dz,
                                       poy_c128 *out);
POY_API poy_status poy_sf_incgamma_vjp(poy_ctx *ctx, size_t n, const double *a, const poy_c128 *z, const poy_c128 *g,
                                       poy_c128 *z_bar);
POY_API poy_status poy_sf_intkambe_jvp(poy_ctx *ctx, size_t n, const int64_t *k, const poy_c128 *z, const poy_c128 *eta,
                                       const poy_c128 *dz, const poy_c128 *d_eta, poy_c128 *out);
POY_API poy_status poy_sf_intkambe_vjp(poy_ctx *ctx, size_t n, const int64_t *k, const poy_c128 *z, const poy_c128 *eta,
                                       const poy_c128 *g, poy_c128 *z_bar, poy_c128 *eta_bar);
POY_API poy_status poy_sf_coordinates_jvp(poy_ctx *ctx, size_t n, poy_transform function, const double *points,
                                          const double *d_points, double *out);
POY_API poy_status poy_sf_coordinates_vjp(poy_ctx *ctx, size_t n, poy_transform function, const double *points,
                                          const double *g, double *points_bar);
POY_API poy_status poy_sf_vector_coordinates_jvp(poy_ctx *ctx, size_t n, poy_transform function, const poy_c128 *vector,
                                                 const double *points, const poy_c128 *d_vector, const double *d_points,
                                                 poy_c128 *out);
POY_API poy_status poy_sf_vector_coordinates_vjp(poy_ctx *ctx, size_t n, poy_transform function, const poy_c128 *vector,
                                                 const double *points, const poy_c128 *g, poy_c128 *vector_bar,
                                                 double *points_bar);

#ifdef __cplusplus
}
#endif
#endif

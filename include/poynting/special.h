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

typedef enum poy_bessel_kind { POY_BESSEL_J, POY_BESSEL_Y, POY_BESSEL_H1, POY_BESSEL_H2 } poy_bessel_kind;

/* A Bessel function without any limit of range: its value is out 2^exponent, the larger part of out in [1/2, 1) (or out
 * = 0). spherical nonzero: v are degrees; derivative nonzero: d/dz. */
POY_API poy_status poy_sf_bessel_split(poy_ctx *ctx, size_t n, poy_bessel_kind kind, int spherical, int derivative,
                                       const double *v, const poy_c128 *z, poy_c128 *out, int64_t *exponent);

#ifdef __cplusplus
}
#endif
#endif

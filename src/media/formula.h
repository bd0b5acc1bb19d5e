/* formula.h: the dispersion formulas of refractiveindex.info, as Taylor series in the frequency. */
#ifndef POYI_FORMULA_H
#define POYI_FORMULA_H

#include "core/core.h"
#include "media/jet.h"

enum { POYI_COEFFICIENTS_MAX = 24 };

typedef struct poyi_formula {
    int number; /* 1 to 9 */
    int count;  /* coefficients given; the others are 0 */
    double c[POYI_COEFFICIENTS_MAX];
} poyi_formula;

/* n + ik by the formula, c1 ... c24 = f->c[0 ... 23], u = vacuum wavelength in um:
 *   1  n^2 - 1 = c1 + sum c_j u^2/(u^2 - c_(j+1)^2),  j = 2, 4, ...
 *   2  n^2 - 1 = c1 + sum c_j u^2/(u^2 - c_(j+1))
 *   3  n^2     = c1 + sum c_j u^c_(j+1)
 *   4  n^2     = c1 + c2 u^c3/(u^2 - c4^c5) + c6 u^c7/(u^2 - c8^c9) + sum c_j u^c_(j+1),  j = 10, 12, ...
 *   5  n       = c1 + sum c_j u^c_(j+1)
 *   6  n - 1   = c1 + sum c_j/(c_(j+1) - u^-2)
 *   7  n       = c1 + c2 L + c3 L^2 + c4 u^2 + c5 u^4 + c6 u^6,  L = 1/(u^2 - 0.028)
 *   8  (n^2 - 1)/(n^2 + 2) = c1 + c2 u^2/(u^2 - c3) + c4 u^2
 *   9  n^2     = c1 + c2/(u^2 - c3) + c4 (u - c5)/((u - c5)^2 + c6)
 * Where n^2 < 0, n = 0 and k = sqrt(-n^2).
 * Errors: POY_ERR_NONFINITE (a pole, or derivatives where n^2 = 0). Source: refractiveindex.info, Dispersion formulas. */
poy_status poyi_formula_index(poy_ctx *ctx, const char *name, const poyi_formula *f, double u, int order, poyi_jet *n,
                              poyi_jet *k);
/* The coefficients that a formula has at least and at most, and whether they come in pairs after the first.
 * Errors: POY_ERR_ARGUMENT (no such formula; a number of coefficients that does not fit). */
poy_status poyi_formula_check(poy_ctx *ctx, const char *name, const poyi_formula *f);

#endif

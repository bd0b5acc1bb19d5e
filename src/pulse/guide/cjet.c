/* cjet.c: truncated Taylor series with complex coefficients. */
#include "pulse/guide/cjet.h"

#define JET_TYPE poyi_cjet
#define JET_NUMBER double complex
#define JET(name) poyi_cjet_##name
#include "media/jet_body.h"

poyi_cjet poyi_cjet_from(const poyi_jet *re, const poyi_jet *im)
{
    poyi_cjet out = {.order = re->order};
    for (int k = 0; k <= re->order; k++)
        out.c[k] = CMPLX(re->c[k], im ? im->c[k] : 0.0);
    return out;
}

poyi_cjet poyi_cjet_pow(poyi_cjet a, double p)
{
    return p == 0.0 ? poyi_cjet_constant(a.order, 1.0) : power_from(a, p, cpow(a.c[0], p));
}

poyi_cjet poyi_cjet_sqrt(poyi_cjet a)
{
    return power_from(a, 0.5, csqrt(a.c[0]));
}

/* f = exp a obeys f' = a' f. */
poyi_cjet poyi_cjet_exp(poyi_cjet a)
{
    poyi_cjet out = {.order = a.order, .c = {cexp(a.c[0])}};
    for (int k = 1; k <= a.order; k++) {
        for (int j = 1; j <= k; j++)
            out.c[k] += (double)j * a.c[j] * out.c[k - j];
        out.c[k] /= (double)k;
    }
    return out;
}

/* f = cot a obeys f' = -a' (1 + f^2). */
poyi_cjet poyi_cjet_cot(poyi_cjet a)
{
    double complex square[POYI_JET_MAX + 1] = {0}; /* of 1 + f^2 */
    poyi_cjet out = {.order = a.order, .c = {1.0 / ctan(a.c[0])}};
    square[0] = 1.0 + out.c[0] * out.c[0];
    for (int k = 1; k <= a.order; k++) {
        for (int j = 1; j <= k; j++)
            out.c[k] -= (double)j * a.c[j] * square[k - j];
        out.c[k] /= (double)k;
        for (int j = 0; j <= k; j++)
            square[k] += out.c[j] * out.c[k - j];
    }
    return out;
}

poyi_cjet poyi_cjet_sqrt1p_minus_1(poyi_cjet a)
{
    poyi_cjet root = poyi_cjet_sqrt(poyi_cjet_offset(a, 1.0));
    return poyi_cjet_div(a, poyi_cjet_offset(root, 1.0));
}

void poyi_cjet_derivatives(const poyi_cjet *a, double omega, double *re, double *im)
{
    double scale = 1.0;
    for (int k = 0; k <= a->order; k++) {
        if (re)
            re[k] = creal(a->c[k]) * scale;
        if (im)
            im[k] = cimag(a->c[k]) * scale;
        scale *= (double)(k + 1) / omega;
    }
}

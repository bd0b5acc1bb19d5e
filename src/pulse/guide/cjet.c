/* cjet.c: arithmetic of truncated Taylor series with complex coefficients. Source: Griewank and Walther (2008), ch. 13. */
#include "pulse/guide/cjet.h"

poyi_cjet poyi_cjet_constant(int order, double complex value)
{
    poyi_cjet out = {.order = order, .c = {value}};
    return out;
}

poyi_cjet poyi_cjet_power_of_frequency(int order, double complex value, double power)
{
    poyi_cjet out = {.order = order, .c = {value}};
    for (int k = 1; k <= order; k++)
        out.c[k] = out.c[k - 1] * ((power - (double)(k - 1)) / (double)k);
    return out;
}

poyi_cjet poyi_cjet_from(const poyi_jet *re, const poyi_jet *im)
{
    poyi_cjet out = {.order = re->order};
    for (int k = 0; k <= re->order; k++)
        out.c[k] = CMPLX(re->c[k], im ? im->c[k] : 0.0);
    return out;
}

poyi_cjet poyi_cjet_add(poyi_cjet a, poyi_cjet b)
{
    return poyi_cjet_add_scaled(a, 1.0, b);
}

poyi_cjet poyi_cjet_add_scaled(poyi_cjet a, double complex s, poyi_cjet b)
{
    for (int k = 0; k <= a.order; k++)
        a.c[k] += s * b.c[k];
    return a;
}

poyi_cjet poyi_cjet_scale(poyi_cjet a, double complex s)
{
    for (int k = 0; k <= a.order; k++)
        a.c[k] *= s;
    return a;
}

poyi_cjet poyi_cjet_offset(poyi_cjet a, double complex s)
{
    a.c[0] += s;
    return a;
}

poyi_cjet poyi_cjet_mul(poyi_cjet a, poyi_cjet b)
{
    poyi_cjet out = {.order = a.order};
    for (int k = 0; k <= a.order; k++)
        for (int j = 0; j <= k; j++)
            out.c[k] += a.c[j] * b.c[k - j];
    return out;
}

poyi_cjet poyi_cjet_div(poyi_cjet a, poyi_cjet b)
{
    poyi_cjet out = {.order = a.order};
    for (int k = 0; k <= a.order; k++) {
        double complex sum = a.c[k];
        for (int j = 1; j <= k; j++)
            sum -= b.c[j] * out.c[k - j];
        out.c[k] = sum / b.c[0];
    }
    return out;
}

/* f = a^p obeys a f' = p a' f. */
static poyi_cjet power_from(poyi_cjet a, double p, double complex first)
{
    poyi_cjet out = {.order = a.order, .c = {first}};
    for (int k = 1; k <= a.order; k++) {
        double complex sum = 0.0;
        for (int j = 1; j <= k; j++)
            sum += (p * (double)j - (double)(k - j)) * a.c[j] * out.c[k - j];
        out.c[k] = sum / ((double)k * a.c[0]);
    }
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

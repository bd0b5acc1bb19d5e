/* kambe_table.c: Kambe's integrals of many orders at once, in double precision, for the real parts of lattice sums. */
#include <math.h>

#include "core/cmplx.h"
#include "math/gamma/gamma.h"

/* Upwards in the order, z^2 I_{n+2} = (n + 1) I_n - I_{n-2} + eta^{n+1} E: at small z the first step of odd orders loses
 * exp(1 / (2 eta^2)), others less. */
static void upwards(int first, int count, double complex z, double eta, double complex start, double complex before,
                    double complex e, double complex *out)
{
    const double complex over = 1.0 / (z * z);
    double power = pow(eta, first + 1);
    out[0] = start;
    for (int i = 1; i < count; i++) {
        const int n = first + 2 * i - 2;
        const double complex last = i == 1 ? before : out[i - 2];
        out[i] = ((n + 1) * out[i - 1] - last + power * e) * over;
        power *= eta * eta;
    }
}

/* Where that loss is below 300. */
static int benign(double complex z, double eta)
{
    return eta >= 0.3 && cabs(z) > 1e-100 && fabs(cimag(z)) <= 0.5 * creal(z);
}

static void one_by_one(int first, int count, double complex z, double eta, double complex *out)
{
    for (int i = 0; i < count; i++)
        (void)poyi_big_round(poyi_kambe(first + 2 * i, z, eta), &out[i]);
}

/* E_1(v) .. E_{count}(v) times exp(v), |arg v| < pi / 2 (DLMF 8.19): the continued fraction at the order next to |v|, from
 * there upwards and downwards, both stable. */
static void exponential_integrals(int count, double complex v, double complex *out)
{
    int top = (int)cabs(v) + 1;
    top = top > count ? count : top;
    double complex big;
    (void)poyi_big_round(poyi_big_mul(poyi_gamma_upper(2 - 2 * top, v), poyi_big_exp(poyi_x(v))), &big);
    out[top - 1] = big * cpow(v, top - 1); /* E_n(v) = v^{n-1} Gamma(1 - n, v) */
    for (int n = top; n < count; n++)
        out[n] = (1.0 - v * out[n - 1]) / n;
    for (int n = top - 1; n >= 1; n--)
        out[n - 1] = (1.0 - n * out[n]) / v;
}

void poyi_kambe_even(int count, double complex z, double eta, double complex *out)
{
    static const double root = 1.25331413731550025121; /* sqrt(pi / 2) */
    if (creal(z) < 0.0)
        z = -z;
    if (!benign(z, eta)) {
        one_by_one(0, count, z, eta, out);
        return;
    }
    /* a_+- = erfc(s_+-) exp(+-iz) = E w(i s_+-), s_+- = (z eta +- i / eta) / sqrt(2) */
    const double complex e = cexp((1.0 / (eta * eta) - z * z * eta * eta) / 2.0);
    const double complex turned = CMPLX(-cimag(z), creal(z)) * eta * sqrt(0.5);
    const double shift = sqrt(0.5) / eta;
    const double complex minus = poyi_faddeeva(turned + shift);
    const double complex plus = cimag(z) == 0.0 ? conj(minus) : poyi_faddeeva(turned - shift);
    const double complex start = root / (2.0 * z) * e * (minus + plus);
    const double complex before = CMPLX(0.0, -0.5 * root) * e * (minus - plus);
    upwards(0, count, z, eta, start, before, e, out);
}

void poyi_kambe_odd(int count, double complex z, double eta, double complex *out)
{
    enum { TERMS = 64 };
    double complex integrals[TERMS + 2];
    if (creal(z) < 0.0)
        z = -z;
    const double complex v = z * z * eta * eta / 2.0;
    if (!benign(z, eta)) {
        one_by_one(-1, count, z, eta, out);
        return;
    }
    /* I_{-1} = 1/2 sum (z^2 / 4)^k / k! Gamma(-k, v) = exp(-v) / 2 sum q^k / k! (exp(v) E_{k+1}(v)), q = 1 / (2 eta^2);
     * I_{-3} = z^2 / 4 sum (z^2 / 4)^k / k! Gamma(-k - 1, v) = q exp(-v) sum q^k / k! (exp(v) E_{k+2}(v)) */
    const double q = 0.5 / (eta * eta);
    double complex first = 0.0, before = 0.0;
    double term = 1.0;
    exponential_integrals(TERMS + 2, v, integrals);
    for (int k = 0; k < TERMS; k++) {
        first += term * integrals[k];
        before += term * integrals[k + 1];
        term *= q / (k + 1);
        if (term < 1e-18)
            break;
    }
    const double complex e = cexp((1.0 / (eta * eta) - z * z * eta * eta) / 2.0), fall = cexp(-v);
    upwards(-1, count, z, eta, 0.5 * fall * first, q * fall * before, e, out);
}

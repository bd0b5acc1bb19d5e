/* jet.c: arithmetic of truncated Taylor series. */
#include "media/jet.h"

#include <math.h>

poyi_jet poyi_jet_constant(int order, double value)
{
    poyi_jet out = {.order = order, .c = {value}};
    return out;
}

poyi_jet poyi_jet_power_of_frequency(int order, double value, double power)
{
    poyi_jet out = {.order = order, .c = {value}};
    for (int k = 1; k <= order; k++)
        out.c[k] = out.c[k - 1] * (power - (double)(k - 1)) / (double)k;
    return out;
}

poyi_jet poyi_jet_add(poyi_jet a, poyi_jet b)
{
    return poyi_jet_add_scaled(a, 1.0, b);
}

poyi_jet poyi_jet_add_scaled(poyi_jet a, double s, poyi_jet b)
{
    for (int k = 0; k <= a.order; k++)
        a.c[k] += s * b.c[k];
    return a;
}

poyi_jet poyi_jet_scale(poyi_jet a, double s)
{
    for (int k = 0; k <= a.order; k++)
        a.c[k] *= s;
    return a;
}

poyi_jet poyi_jet_offset(poyi_jet a, double s)
{
    a.c[0] += s;
    return a;
}

poyi_jet poyi_jet_mul(poyi_jet a, poyi_jet b)
{
    poyi_jet out = {.order = a.order};
    for (int k = 0; k <= a.order; k++)
        for (int j = 0; j <= k; j++)
            out.c[k] += a.c[j] * b.c[k - j];
    return out;
}

poyi_jet poyi_jet_div(poyi_jet a, poyi_jet b)
{
    poyi_jet out = {.order = a.order};
    for (int k = 0; k <= a.order; k++) {
        double sum = a.c[k];
        for (int j = 1; j <= k; j++)
            sum -= b.c[j] * out.c[k - j];
        out.c[k] = sum / b.c[0];
    }
    return out;
}

/* f = a^p obeys a f' = p a' f. */
static poyi_jet power_from(poyi_jet a, double p, double first)
{
    poyi_jet out = {.order = a.order, .c = {first}};
    for (int k = 1; k <= a.order; k++) {
        double sum = 0.0;
        for (int j = 1; j <= k; j++)
            sum += (p * (double)j - (double)(k - j)) * a.c[j] * out.c[k - j];
        out.c[k] = sum / ((double)k * a.c[0]);
    }
    return out;
}

poyi_jet poyi_jet_pow(poyi_jet a, double p)
{
    return p == 0.0 ? poyi_jet_constant(a.order, 1.0) : power_from(a, p, pow(a.c[0], p));
}

poyi_jet poyi_jet_sqrt(poyi_jet a)
{
    return power_from(a, 0.5, sqrt(a.c[0]));
}

void poyi_jet_derivatives(const poyi_jet *a, double omega, double *out)
{
    double scale = 1.0;
    for (int k = 0; k <= a->order; k++) {
        out[k] = a->c[k] * scale;
        scale *= (double)(k + 1) / omega;
    }
}

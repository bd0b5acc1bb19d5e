/* jet.c: truncated Taylor series with real coefficients. */
#include "media/jet.h"

#include <math.h>

#define JET_TYPE poyi_jet
#define JET_NUMBER double
#define JET(name) poyi_jet_##name
#include "media/jet_body.h"

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

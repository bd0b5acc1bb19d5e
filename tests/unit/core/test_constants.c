/* test_constants.c: the derived constants against the independent CODATA 2018 values. */
#include <math.h>

#include "core/constants.h"
#include "tap.h"

static void near(double got, double want, double rel, const char *what)
{
    double error = fabs(got / want - 1.0);
    ok(error <= rel, "%s: %.12g, CODATA %.12g, off by %.1e (allowed %.0e)", what, got, want, error, rel);
}

int main(void)
{
    /* The bounds are the relative standard uncertainties of the published values or the last digit printed. */
    near(POYI_MU0, 1.25663706212e-6, 1.5e-10, "mu0");
    near(POYI_Z0, 376.730313668, 1.5e-10, "Z0");
    near(POYI_HBAR, 1.054571817e-34, 7e-10, "hbar");
    near(POYI_GAS_R, 8.314462618, 2e-11, "R");
    near(POYI_HARTREE, 4.3597447222071e-18, 4e-10, "E_h");
    near(POYI_TIME_AU, 2.4188843265857e-17, 4e-10, "atomic unit of time");
    near(POYI_FIELD_AU, 5.14220674763e11, 2e-10, "atomic unit of field");
    near(POYI_POLARISABILITY_AU, 1.64877727436e-41, 3e-10, "atomic unit of polarisability");
    near(POYI_AMAGAT, 2.686780111e25, 4e-10, "Loschmidt constant");
    near(POYI_ALPHA, POYI_E * POYI_E / (4.0 * POYI_PI * POYI_EPS0 * POYI_HBAR * POYI_C), 2e-10, "alpha from e, eps0");
    near(POYI_A0, POYI_HBAR / (POYI_ME * POYI_C * POYI_ALPHA), 4e-10, "a0 from m_e, alpha");
    return tap_done();
}

/* ionisation.h: what a poy_ionisation holds, and the PPT rate. */
#ifndef POYI_IONISATION_H
#define POYI_IONISATION_H

#include "core/core.h"
#include "media/phi.h"
#include "poynting/media.h"

enum { POYI_PPT_EXPLICIT = 64, POYI_PPT_GAUSS = 48 };

struct poy_ionisation {
    char species[16];
    poy_ionisation_options options; /* resolved: model, potential, orbital, charge are those used */
    double stark;                   /* (alpha_neutral - alpha_ion)/2, atomic units, 0 if off or unknown */
    double dipole;                  /* alpha_ion, atomic units, 0 if off or unknown */
    poyi_phi *phi;                  /* PPT: one for each |m|, 0 ... l */
    double gauss_x[POYI_PPT_GAUSS], gauss_w[POYI_PPT_GAUSS]; /* on [-1, 1] */
};

/* ln of the rate in 1/s at |field| > 0 V/m; -inf where there is none. */
double poyi_ionisation_log_rate(const poy_ionisation *ionisation, double field);
double poyi_ppt_log_rate(const poy_ionisation *ionisation, double field);
/* sum_{q >= ceil(v)} exp(-alpha (q - v)) phi(sqrt(beta (q - v))), first = ceil(v) - v; relative error below tolerance
 * plus 1e-13. */
double poyi_ppt_sum(const poy_ionisation *ionisation, const poyi_phi *phi, double alpha, double beta, double first,
                    double tolerance);
/* int_0^inf exp(-alpha s) phi_m(sqrt(beta s)) ds = sqrt(pi) m! beta^m/(2 (alpha + beta)^(m + 1)) sqrt(beta/alpha). */
double poyi_ppt_integral(int m, double alpha, double beta);

#endif

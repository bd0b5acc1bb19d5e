/* phi.h: the functions phi_m of the PPT rate, fast enough for sums of thousands of terms. */
#ifndef POYI_PHI_H
#define POYI_PHI_H

enum {
    POYI_PHI_NODES = 129,
    POYI_PHI_TERMS = 20 /* even: the last power is odd */,
    POYI_PHI_TAIL = 24,
    POYI_PHI_ORDER_MAX = 4
};

/* phi_m(x) = exp(-x^2) int_0^x (x^2 - y^2)^m exp(y^2) dy of one m, x >= 0; phi_0 is Dawson's integral,
 * phi_1 = (x^2 + 1/2) F - x/2. */
typedef struct poyi_phi {
    int m;
    double node[POYI_PHI_NODES][POYI_PHI_TERMS]; /* Taylor coefficients about i/16 */
    double tail[POYI_PHI_TAIL];                  /* 2 phi ~ sum tail[j] x^-(2j + 1) */
    double top, top_at;                          /* its maximum (a bound from above) and where it lies */
} poyi_phi;

/* Prepares phi_m, 0 <= m <= POYI_PHI_ORDER_MAX. */
void poyi_phi_init(poyi_phi *phi, int m);
/* phi_m(x), relative error below 1e-15 for m <= 1, 1e-11 for m <= 4 (where x < 0.1; far less elsewhere). */
double poyi_phi_at(const poyi_phi *phi, double x);

#endif

/* arnoldi.h: one step of Arnoldi's basis, for eigenvalues and exponentials. */
#ifndef POYI_ARNOLDI_H
#define POYI_ARNOLDI_H

#include "solve/solve.h"

/* v_j+1 from A v_j, orthogonal to v_0 .. v_j, of norm 1; its coefficients into column j of h [.., ld] (column: [j + 1]
 * numbers of scratch). hermitian: the three-term recurrence first, by h's entry below the diagonal. *norm: what is left before it is normalised; 0: nothing but rounding, an invariant subspace. */
poy_status poyi_arnoldi_step(poyi_run *run, poyi_span *b, int64_t j, int hermitian, double complex *h, int64_t ld,
                             double complex *column, double *norm);

#endif

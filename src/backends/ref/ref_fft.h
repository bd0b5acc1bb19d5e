/* ref_fft.h: the reference's transform of one line, for the array layer and for rows of programs. */
#ifndef POYI_REF_FFT_H
#define POYI_REF_FFT_H

#include "core/cmplx.h"

#include "ops/ops.h"

/* Tables and scratch for one length. One thread at a time. */
typedef struct poyi_ref_transform poyi_ref_transform;
/* In the caller's memory: its size, 1 <= n <= 2^30, and the plan in it, which wants an alignment of 16 and no destroy. */
size_t poyi_ref_transform_bytes(int64_t n);
poyi_ref_transform *poyi_ref_transform_init(int64_t n, void *mem);

/* y[k] = scale sum over j of x[j] exp(sign 2 pi i j k / n), in extended precision, on doubles: C2C pairs [n] to pairs [n];
 * R2C reals [n] to pairs [n/2 + 1]; C2R the reverse. in may be out. */
void poyi_ref_transform_line(poyi_ref_transform *plan, const poy_fft_arg *arg, const double *in, double *out);

#endif

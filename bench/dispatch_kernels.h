/* dispatch_kernels.h: what the work of a row is by itself, on one element: SLEEF's function as the backend calls it, without
 * a call of the array layer around it. Compiled for each instruction set. */
#ifndef DISPATCH_KERNELS_H
#define DISPATCH_KERNELS_H

#include "poynting/ops.h"

/* p: one element of each operand, the output last. */
typedef void dispatch_kernel(void *const p[3]);

/* Of a row of ops.def in a type; NULL where the work is a few instructions, which count as dispatch. */
dispatch_kernel *dispatch_kernel_base(const char *row, poy_dtype dtype);
dispatch_kernel *dispatch_kernel_avx2(const char *row, poy_dtype dtype);

#endif

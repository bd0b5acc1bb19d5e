/* cpu_walk.h: loops over tensors of equal extents for kernels that know one strided run of elements, shared by threads. */
#ifndef POYI_CPU_WALK_H
#define POYI_CPU_WALK_H

#include "backends/cpu/cpu.h"

/* n elements of each tensor: from p[k], with stride[k] elements from one to the next. */
typedef void poyi_cpu_run(void *const p[4], const int64_t stride[4], int64_t n);

/* All elements of n tensors (n <= 4), in fixed chunks, so that the bits do not depend on the number of threads. */
void poyi_cpu_walk(poy_ctx *ctx, int n, const poy_tensor *const *t, poyi_cpu_run *run);

/* Threads that take part in work on so many elements. */
int poyi_cpu_team(poy_ctx *ctx, int64_t elements);

/* Where element number i of the axes first .. end-1 lies, counted in elements from the tensor's first. */
int64_t poyi_cpu_place(const poy_tensor *t, int first, int end, int64_t i);

static inline char *poyi_cpu_start(const poy_tensor *t)
{
    return (char *)t->mem + t->offset * (int64_t)poy_dtype_size(t->dtype);
}

#endif

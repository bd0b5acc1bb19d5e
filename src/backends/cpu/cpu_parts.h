/* cpu_parts.h: the parts of the CPU backend that are compiled once: linear algebra and transforms. */
#ifndef POYI_CPU_PARTS_H
#define POYI_CPU_PARTS_H

#include "backends/cpu/cpu_object.h"

poyi_cpu_entries poyi_cpu_linalg, poyi_cpu_fft, poyi_cpu_lapack_base_f32, poyi_cpu_lapack_base_f64,
    poyi_cpu_lapack_base_c64, poyi_cpu_lapack_base_c128, poyi_cpu_factors_base_f32, poyi_cpu_factors_base_f64,
    poyi_cpu_factors_base_c64, poyi_cpu_factors_base_c128;

/* The one place that sets how many threads BLAS may use: one. */
void poyi_cpu_linalg_open(void);
void poyi_cpu_linalg_describe(size_t size, char *out);

#endif

/* cpu.h: the CPU backend's state, and the parts that it is gathered from. */
#ifndef POYI_CPU_H
#define POYI_CPU_H

#include "ops/ops.h"

typedef enum poyi_isa { POYI_ISA_BASE, POYI_ISA_AVX2, POYI_ISA_COUNT } poyi_isa;

/* What open makes; operations and rows get it as their be. Immutable. */
typedef struct poyi_cpu {
    poyi_isa isa;
    int fft_estimate; /* FFT plans are chosen without timing */
    poy_op_entry *ops;
    poyi_at_once **at_once; /* of each of ops */
    size_t n_ops;
} poyi_cpu;

/* Rows of programs for an instruction set (cpu_rows.c). */
const poy_row_entry *poyi_cpu_rows(poyi_isa isa, size_t *n);
/* The steps of a segment, those together that work element by element on the same elements (pulse/parts.c). */
poy_status poyi_cpu_run_steps(poy_ctx *ctx, void *be, const poy_step *steps, int n, const double *scalars);

#endif

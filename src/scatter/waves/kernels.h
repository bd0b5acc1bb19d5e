/* kernels.h: the functions that are compiled per instruction set, as tables. */
#ifndef POYI_WAVES_KERNELS_H
#define POYI_WAVES_KERNELS_H

#include "scatter/waves/expand/translation.h"
#include "scatter/waves/field/sphere_sum.h"

typedef struct poyi_waves_kernels {
    poyi_plan_row *plan_row;
    poyi_plan_row_transposed *plan_row_transposed;
    poyi_sphere_kernel *sphere_field;
} poyi_waves_kernels;

extern const poyi_waves_kernels poyi_waves_base;
/* The fastest that this processor has; every one gives the same numbers to rounding. */
const poyi_waves_kernels *poyi_waves_best(void);

#endif

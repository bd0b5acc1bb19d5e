/* kernels.c: the choice among instruction sets. */
#include "scatter/waves/kernels.h"

const poyi_waves_kernels poyi_waves_base = {poyi_waves_base_plan_row, poyi_waves_base_plan_row_transposed,
                                            poyi_waves_base_sphere_field};
#if defined(__x86_64__)
static const poyi_waves_kernels avx2 = {poyi_waves_avx2_plan_row, poyi_waves_avx2_plan_row_transposed,
                                        poyi_waves_avx2_sphere_field};
#endif

const poyi_waves_kernels *poyi_waves_best(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2;
#endif
    return &poyi_waves_base;
}

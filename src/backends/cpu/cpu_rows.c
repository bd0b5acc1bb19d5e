/* cpu_rows.c: the rows of programs that the CPU backend has, for each instruction set. */
#include "backends/cpu/cpu.h"
#include "backends/cpu/pulse/part.h"

/* clang-format off */
static const poy_row_entry base[] = {
#define POY_PULSE_ROW(name, signature, linear, tol, text) {#name, poyi_cpu_base_prepare_##name, NULL},
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
    {"fft", poyi_cpu_prepare_fft, poyi_cpu_release_fft},
    {"mul", poyi_cpu_base_prepare_mul, NULL},
    {"copy", poyi_cpu_prepare_copy, NULL},
    {"matmul", poyi_cpu_base_prepare_matmul, NULL},
};
#if defined(__x86_64__)
static const poy_row_entry avx2[] = {
#define POY_PULSE_ROW(name, signature, linear, tol, text) {#name, poyi_cpu_avx2_prepare_##name, NULL},
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
    {"fft", poyi_cpu_prepare_fft, poyi_cpu_release_fft},
    {"mul", poyi_cpu_avx2_prepare_mul, NULL},
    {"copy", poyi_cpu_prepare_copy, NULL},
    {"matmul", poyi_cpu_avx2_prepare_matmul, NULL},
};
#endif
/* clang-format on */

const poy_row_entry *poyi_cpu_rows(poyi_isa isa, size_t *n)
{
    *n = sizeof base / sizeof *base;
#if defined(__x86_64__)
    if (isa == POYI_ISA_AVX2)
        return avx2;
#endif
    (void)isa;
    return base;
}

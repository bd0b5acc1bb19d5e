/* cpu_compare.c: questions, comparisons, logical operations and choices of the CPU backend. Compiled once for each element
 * type (POY_DTYPE) and instruction set (POY_ISA); the object's one symbol is poyi_cpu_compare_<isa>_<dtype>. */
#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"
#include "kernels/compare.clh"
#if POY_DTYPE == 1 && defined(__AVX2__)
#include "backends/cpu/cpu_flags.h"
#endif

typedef unsigned char byte;

#if POY_DTYPE == 1 && defined(__AVX2__)
#define QUESTION(name)                                                                     \
    static void run_##name(void *const p[4], const int64_t s[4], int64_t n)                \
    {                                                                                      \
        const T *x = p[0];                                                                 \
        byte *y = p[1];                                                                    \
        const int64_t done = s[0] == 1 && s[1] == 1 ? flags_map(flag_##name, n, x, y) : 0; \
        k_##name(0, n - done, x + done, s[0], y + done, s[1]);                             \
    }                                                                                      \
    OPERATION1(name)
#else
#define QUESTION(name) \
    RUN1(name, byte)   \
    OPERATION1(name)
#endif
#define COMPARISON(name) \
    RUN2(name, byte)     \
    OPERATION2(name)
QUESTION(isfinite)
QUESTION(isnan)
QUESTION(logical_not)
COMPARISON(eq)
COMPARISON(ne)
COMPARISON(logical_and)
COMPARISON(logical_or)
COMPARISON(logical_xor)
#if !POY_COMPLEX
COMPARISON(lt)
COMPARISON(le)
COMPARISON(gt)
COMPARISON(ge)
RUN3(clip, T, T)
OPERATION3(clip)
#endif
RUN3(where, byte, T)
OPERATION3(where)
#if POY_DTYPE != 6
RUN3(axpy, T, T)
OPERATION3(axpy)
#endif

const poyi_cpu_entry *CPU_OBJECT(compare)(size_t *n)
{
    /* clang-format off */
    static const poyi_cpu_entry entries[] = {
        ENTRY_RUN(isfinite, unary), ENTRY_RUN(isnan, unary), ENTRY_RUN(logical_not, unary),
        ENTRY_RUN(eq, binary), ENTRY_RUN(ne, binary),
        ENTRY_RUN(logical_and, binary), ENTRY_RUN(logical_or, binary), ENTRY_RUN(logical_xor, binary),
#if !POY_COMPLEX
        ENTRY_RUN(lt, binary), ENTRY_RUN(le, binary), ENTRY_RUN(gt, binary), ENTRY_RUN(ge, binary), ENTRY_RUN(clip, ternary),
#endif
        ENTRY_RUN(where, ternary),
#if POY_DTYPE != 6
        ENTRY_RUN(axpy, ternary),
#endif
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}

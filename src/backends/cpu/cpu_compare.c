/* cpu_compare.c: questions, comparisons, logical operations and choices of the CPU backend. Compiled once for each element
 * type (POY_DTYPE) and instruction set (POY_ISA); the object's one symbol is poyi_cpu_compare_<isa>_<dtype>. */
#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"
#include "kernels/compare.clh"

typedef unsigned char byte;

#define QUESTION(name) \
    RUN1(name, byte)   \
    OPERATION1(name)
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

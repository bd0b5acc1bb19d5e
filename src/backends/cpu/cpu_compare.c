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

const poy_op_entry *CPU_OBJECT(compare)(size_t *n)
{
    /* clang-format off */
    static const poy_op_entry entries[] = {
        ENTRY(isfinite, unary), ENTRY(isnan, unary), ENTRY(logical_not, unary),
        ENTRY(eq, binary), ENTRY(ne, binary),
        ENTRY(logical_and, binary), ENTRY(logical_or, binary), ENTRY(logical_xor, binary),
#if !POY_COMPLEX
        ENTRY(lt, binary), ENTRY(le, binary), ENTRY(gt, binary), ENTRY(ge, binary), ENTRY(clip, ternary),
#endif
        ENTRY(where, ternary),
#if POY_DTYPE != 6
        ENTRY(axpy, ternary),
#endif
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}

/* wide.h: after a kernel file has been included for packs of one, this prepares for including it once more for the
 * widest packs of the instruction set, if there are wider ones; POYI_WIDTHS then runs a range on both. */
#ifndef POYI_CPU_WIDE_H
#define POYI_CPU_WIDE_H

#if defined(__AVX2__)
#include "backends/cpu/pulse/pack_avx2.h"
#undef POY_PACK
#define POY_PACK 2
/* kernel_2 on the even part of begin .. end, kernel_1 on the rest. */
#define POYI_WIDTHS(kernel, begin, end, ...)                       \
    do {                                                           \
        const int64_t even_ = (begin) + ((end) - (begin)) / 2 * 2; \
        kernel##_2(begin, even_, __VA_ARGS__);                     \
        kernel##_1(even_, end, __VA_ARGS__);                       \
    } while (0)
#else
#define POYI_WIDTHS(kernel, begin, end, ...) kernel##_1(begin, end, __VA_ARGS__)
#endif

#endif

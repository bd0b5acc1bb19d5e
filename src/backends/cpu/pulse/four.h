/* four.h: four doubles at a time, in the registers that the instruction set has. */
#ifndef POYI_CPU_FOUR_H
#define POYI_CPU_FOUR_H

#include <stdint.h>

/* By pointers: the ABI of wide vectors differs between instruction sets. */
typedef double four __attribute__((vector_size(32)));
typedef double four_there __attribute__((vector_size(32), aligned(8), may_alias)); /* in memory */

#define FOUR_INLINE static inline __attribute__((always_inline))

FOUR_INLINE void four_load(const double *x, four *out)
{
    *out = *(const four_there *)(const void *)x;
}
FOUR_INLINE void four_store(const four *y, double *out)
{
    *(four_there *)(void *)out = *y;
}

#endif

/* thread.h: which thread runs, to find its part of a scratch memory. */
#ifndef POYI_WAVES_THREAD_H
#define POYI_WAVES_THREAD_H

#if defined(_OPENMP)
#include <omp.h>
#endif

static inline int poyi_thread_number(void)
{
#if defined(_OPENMP)
    return omp_get_thread_num();
#else
    return 0;
#endif
}

#endif

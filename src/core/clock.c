/* clock.c: the system's clocks as numbers. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "core/clock.h"

#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double poyi_seconds(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double poyi_cpu_seconds(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double poyi_thread_seconds(void)
{
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* clock.h: clocks that only go forward, in s. */
#ifndef POYI_CLOCK_H
#define POYI_CLOCK_H

double poyi_seconds(void);        /* elapsed, from some moment on */
double poyi_cpu_seconds(void);    /* of the processors, of this process */
double poyi_thread_seconds(void); /* of the processor, of this thread: what else runs counts little */

#endif

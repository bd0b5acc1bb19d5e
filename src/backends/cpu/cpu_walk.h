/* cpu_walk.h: loops over tensors of equal extents for kernels that know one strided run of elements, shared by threads. */
#ifndef POYI_CPU_WALK_H
#define POYI_CPU_WALK_H

#include "backends/cpu/cpu.h"

/* n elements of each tensor: from p[k], with stride[k] elements from one to the next. */
typedef poyi_at_once poyi_cpu_run;

enum { POYI_CPU_CHUNK = POYI_AT_ONCE_MAX }; /* elements */

/* What sets the pace where no cache keeps the tensors. Outputs are written past the caches where memory does; arithmetic
 * that takes longer would have to wait for that, and goes on while the caches write. */
typedef enum poyi_cpu_pace { POYI_CPU_MEMORY, POYI_CPU_ARITHMETIC } poyi_cpu_pace;

/* All elements of n tensors (n <= 4), in fixed chunks, so that the bits do not depend on the number of threads. */
void poyi_cpu_walk_chunks(poy_ctx *ctx, poyi_cpu_pace pace, int n, const poy_tensor *const *t, poyi_cpu_run *run);

static inline void *poyi_cpu_first(const poy_tensor *t)
{
    static const unsigned char shift[POY_DTYPE_COUNT] = {
        [POY_F32] = 2, [POY_F64] = 3, [POY_C64] = 3, [POY_C128] = 4, [POY_I32] = 2, [POY_I64] = 3, [POY_B8] = 0};
    return (char *)t->mem + t->offset * ((int64_t)1 << shift[t->dtype]); /* an offset may be below 0 */
}

/* The same; a short line goes the shortest way, by a direct call where run is known to the compiler. */
static inline __attribute__((always_inline)) void poyi_cpu_walk(poy_ctx *ctx, poyi_cpu_pace pace, int n,
                                                                const poy_tensor *const *t, poyi_cpu_run *run)
{
    if (__builtin_expect(t[0]->rank != 1 || t[0]->extent[0] > POYI_CPU_CHUNK, 0)) {
        poyi_cpu_walk_chunks(ctx, pace, n, t, run);
        return;
    }
    void *p[4] = {0};
    int64_t stride[4] = {0, 0, 0, 0};
    for (int k = 0; k < n; k++) {
        p[k] = poyi_cpu_first(t[k]);
        stride[k] = t[k]->stride[0];
    }
    run(p, stride, t[0]->extent[0]);
}

/* Threads that take part in work on so many elements. */
int poyi_cpu_team(poy_ctx *ctx, int64_t elements);

/* Does places begin .. end - 1 of what work says. */
typedef void poyi_cpu_span(const void *work, int64_t begin, int64_t end);

/* Places 0 .. n - 1 of work, each of so many threads a span of them; one call, of this thread, where it is one: a team of one
 * costs a third of a microsecond. The one function does them all, so that the bits do not depend on the number. */
void poyi_cpu_share(int threads, int64_t n, poyi_cpu_span *f, const void *work);

/* Where element number i of the axes first .. end-1 lies, counted in elements from the tensor's first. */
int64_t poyi_cpu_place(const poy_tensor *t, int first, int end, int64_t i);

static inline char *poyi_cpu_start(const poy_tensor *t)
{
    return poyi_cpu_first(t);
}

#endif

/* cpu_walk.c: loops over tensors in fixed chunks of elements, which threads share. */
#include "backends/cpu/cpu_walk.h"

enum {
    CHUNK = 8192,        /* elements */
    PARALLEL_MIN = 65536 /* below, threads cost more than they bring (bench/dispatch) */
};

int poyi_cpu_team(poy_ctx *ctx, int64_t elements)
{
    return elements < PARALLEL_MIN ? 1 : poy_ctx_threads(ctx);
}

int64_t poyi_cpu_place(const poy_tensor *t, int first, int end, int64_t i)
{
    int64_t place = 0;
    for (int axis = end - 1; axis >= first; axis--) {
        place += i % t->extent[axis] * t->stride[axis];
        i /= t->extent[axis];
    }
    return place;
}

/* Elements begin .. end-1 in the order of the axes: a run for each stretch of the last axis. */
static void walk_part(int n, const poy_tensor *const *t, poyi_cpu_run *run, int64_t begin, int64_t end)
{
    int last = t[0]->rank - 1;
    int64_t extent = t[0]->extent[last], stride[4] = {0, 0, 0, 0};

    for (int k = 0; k < n; k++)
        stride[k] = t[k]->stride[last];
    while (begin < end) {
        int64_t row = begin / extent, column = begin - row * extent;
        int64_t count = end - begin < extent - column ? end - begin : extent - column;
        void *p[4] = {0};
        for (int k = 0; k < n; k++) {
            int64_t place = poyi_cpu_place(t[k], 0, last, row) + column * stride[k];
            p[k] = poyi_cpu_start(t[k]) + place * (int64_t)poy_dtype_size(t[k]->dtype);
        }
        run(p, stride, count);
        begin += count;
    }
}

static const int64_t bytes_of[POY_DTYPE_COUNT] = {[POY_F32] = 4, [POY_F64] = 8, [POY_C64] = 8, [POY_C128] = 16,
                                                  [POY_I32] = 4, [POY_I64] = 8, [POY_B8] = 1}; /* without a call */

void poyi_cpu_walk(poy_ctx *ctx, int n, const poy_tensor *const *t, poyi_cpu_run *run)
{
    int64_t elements = 1;
    for (int i = 0; i < t[0]->rank; i++)
        elements *= t[0]->extent[i];
    if (elements <= CHUNK && t[0]->rank == 1) { /* the shortest way */
        void *p[4] = {0};
        int64_t stride[4] = {0, 0, 0, 0};
        for (int k = 0; k < n; k++) {
            p[k] = (char *)t[k]->mem + t[k]->offset * bytes_of[t[k]->dtype];
            stride[k] = t[k]->stride[0];
        }
        run(p, stride, elements);
        return;
    }
    int threads = poyi_cpu_team(ctx, elements);
    int64_t chunks = (elements + CHUNK - 1) / CHUNK;
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t c = 0; c < chunks; c++)
        walk_part(n, t, run, c * CHUNK, c + 1 < chunks ? (c + 1) * CHUNK : elements);
}

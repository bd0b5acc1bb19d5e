/* cpu_walk.c: loops over tensors in fixed chunks of elements, which threads share. */
#include "backends/cpu/cpu_walk.h"

#include <stdalign.h>
#include <string.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { PARALLEL_MIN = 65536 }; /* elements; below, threads cost more than they bring (bench/dispatch) */

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

/* ---- outputs that no cache keeps: written past the caches, which else read each line before it is overwritten ---- */

/* Bytes of an operand that are on the way at a time. Four times as many take half as long again: reads that the processor
 * has foreseen then wait for the writes. */
enum { STREAM_BYTES = 2048 };

#if defined(__SSE2__)
/* Bytes of the last cache, which all cores share. */
static int64_t cache_bytes(void)
{
    static int64_t known; /* the same whoever finds it */
    int64_t bytes = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!bytes) {
        const long found = sysconf(_SC_LEVEL3_CACHE_SIZE);
        bytes = found > 0 ? found : 32 << 20;
        __atomic_store_n(&known, bytes, __ATOMIC_RELAXED);
    }
    return bytes;
}

/* Dense tensors of more bytes than the last cache has, the output apart from the inputs: what is read at the places of the
 * output is in a cache when it is written. */
static int is_streamed(int n, const poy_tensor *const *t, int64_t elements)
{
    const poy_tensor *y = t[n - 1];
    const int64_t size = (int64_t)poy_dtype_size(y->dtype);
    const char *to = poyi_cpu_start(y), *end = to + elements * size;
    int64_t bytes = 0;
    if (y->rank != 1 || y->stride[0] != 1)
        return 0;
    for (int k = 0; k < n; k++) {
        if (t[k]->stride[0] != 1 && t[k]->stride[0] != 0)
            return 0;
        const int64_t own = (t[k]->stride[0] ? elements : 1) * (int64_t)poy_dtype_size(t[k]->dtype);
        const char *from = poyi_cpu_start(t[k]);
        if (k < n - 1 && from < end && to < from + own)
            return 0;
        bytes += own;
    }
    return bytes > cache_bytes();
}

static void write_past_caches(char *to, const char *from, int64_t bytes)
{
    int64_t i = 0;
    if (bytes < 32) {
        memcpy(to, from, (size_t)bytes);
        return;
    }
    if ((uintptr_t)to & 15) {
        i = -(int64_t)(uintptr_t)to & 15;
        memcpy(to, from, (size_t)i);
    }
    for (; i + 64 <= bytes; i += 64)
        for (int64_t j = i; j < i + 64; j += 16)
            _mm_stream_si128((__m128i *)(void *)(to + j), _mm_loadu_si128((const __m128i *)(const void *)(from + j)));
    for (; i + 16 <= bytes; i += 16)
        _mm_stream_si128((__m128i *)(void *)(to + i), _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
    if (i < bytes)
        memcpy(to + i, from + i, (size_t)(bytes - i));
}

/* Whoever is told that the work is done finds it in memory. */
static void finish_stream(void)
{
    _mm_sfence();
}

static void stream_part(int n, const poy_tensor *const *t, poyi_cpu_run *run, int64_t begin, int64_t end)
{
    alignas(64) char block[STREAM_BYTES];
    const int64_t size = (int64_t)poy_dtype_size(t[n - 1]->dtype);
    int64_t stride[4] = {0, 0, 0, 0}, step = STREAM_BYTES / size;
    int varies = 0, filled = 0; /* a block of one value is made once */
    for (int k = 0; k < n; k++) {
        const int64_t fit = STREAM_BYTES / (int64_t)poy_dtype_size(t[k]->dtype);
        stride[k] = t[k]->stride[0];
        step = fit < step ? fit : step;
    }
    for (int k = 0; k < n - 1; k++)
        varies |= stride[k] != 0;
    for (; begin < end; begin += step) {
        const int64_t count = end - begin < step ? end - begin : step;
        void *p[4] = {0};
        for (int k = 0; k < n - 1; k++)
            p[k] = poyi_cpu_start(t[k]) + begin * stride[k] * (int64_t)poy_dtype_size(t[k]->dtype);
        p[n - 1] = block;
        if (varies || !filled)
            run(p, stride, count);
        filled = 1;
        write_past_caches(poyi_cpu_start(t[n - 1]) + begin * size, block, count * size);
    }
}
#else
static int is_streamed(int n, const poy_tensor *const *t, int64_t elements)
{
    (void)n, (void)t, (void)elements;
    return 0;
}

static void stream_part(int n, const poy_tensor *const *t, poyi_cpu_run *run, int64_t begin, int64_t end)
{
    walk_part(n, t, run, begin, end);
}

static void finish_stream(void) {}
#endif

/* Elements before the first of a dense output that starts a cache line: where stores do not straddle two lines, they are a
 * tenth faster. Of complex elements none: there a value might depend on its place in a chunk, in the last bit. */
static int64_t before_line(const poy_tensor *y, int64_t elements)
{
    enum { LINE = 64 };
    const int64_t size = (int64_t)poy_dtype_size(y->dtype), beyond = (int64_t)((uintptr_t)poyi_cpu_start(y) % LINE);
    if (poy_dtype_is_complex(y->dtype) || y->rank != 1 || y->stride[0] != 1 || beyond % size)
        return 0;
    const int64_t lead = (LINE - beyond) % LINE / size;
    return lead < elements ? lead : elements;
}

void poyi_cpu_walk_chunks(poy_ctx *ctx, int n, const poy_tensor *const *t, poyi_cpu_run *run)
{
    enum { CHUNK = POYI_CPU_CHUNK };
    int64_t elements = 1;
    for (int i = 0; i < t[0]->rank; i++)
        elements *= t[0]->extent[i];
    const int threads = poyi_cpu_team(ctx, elements);
    const int64_t lead = before_line(t[n - 1], elements), chunks = (elements - lead + CHUNK - 1) / CHUNK;
    void (*part)(int, const poy_tensor *const *, poyi_cpu_run *, int64_t, int64_t) =
        is_streamed(n, t, elements) ? stream_part : walk_part;
    part(n, t, run, 0, lead);
    if (threads == 1) { /* not a team of one, which costs a microsecond */
        for (int64_t c = 0; c < chunks; c++)
            part(n, t, run, lead + c * CHUNK, c + 1 < chunks ? lead + (c + 1) * CHUNK : elements);
        finish_stream();
        return;
    }
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static) nowait
        for (int64_t c = 0; c < chunks; c++)
            part(n, t, run, lead + c * CHUNK, c + 1 < chunks ? lead + (c + 1) * CHUNK : elements);
        finish_stream(); /* each thread its own */
    }
}

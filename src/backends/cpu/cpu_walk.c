/* cpu_walk.c: loops over tensors in fixed chunks of elements, which threads share. */
#include "backends/cpu/cpu_walk.h"

#include <stdalign.h>
#include <string.h>
#if defined(__SSE2__)
#include <cpuid.h>
#include <immintrin.h>
#endif

enum { PARALLEL_MIN = 65536 }; /* elements; below, threads cost more than they bring (bench/dispatch) */

int poyi_cpu_team(poy_ctx *ctx, int64_t elements)
{
    return elements < PARALLEL_MIN ? 1 : poy_ctx_threads(ctx);
}

void poyi_cpu_share(int threads, int64_t n, poyi_cpu_span *f, const void *work)
{
    if (threads == 1) {
        f(work, 0, n);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < threads; i++)
        f(work, n / threads * i + n % threads * i / threads, n / threads * (i + 1) + n % threads * (i + 1) / threads);
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
enum { STREAM_BYTES = 2048, LINE = 64 };

#if defined(__SSE2__)
/* Bytes of the largest cache that a leaf of CPUID tells of (Intel's manual, leaf 4; AMD's, leaf 8000001D: the same fields);
 * 0: none. The C library is not asked: its number was ten times too large on a Zen 4. */
static int64_t largest_cache(unsigned leaf)
{
    enum { CACHES = 8, DATA = 1, UNIFIED = 3 };
    unsigned a, b, c, d;
    int64_t largest = 0;
    for (unsigned i = 0; i < CACHES && __get_cpuid_count(leaf, i, &a, &b, &c, &d) && a & 31; i++) {
        const int64_t line = (b & 4095) + 1, parts = (b >> 12 & 1023) + 1, ways = (b >> 22) + 1, sets = (int64_t)c + 1;
        const int64_t bytes = line * parts * ways * sets;
        if (((a & 31) == DATA || (a & 31) == UNIFIED) && bytes > largest)
            largest = bytes;
    }
    return largest;
}

/* Bytes of the last cache, which cores share. */
static int64_t cache_bytes(void)
{
    static int64_t known; /* the same whoever finds it */
    int64_t bytes = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!bytes) {
        const int64_t found = largest_cache(4), other = largest_cache(0x8000001D);
        bytes = found ? found : other ? other : 32 << 20;
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

/* What is read next: from[k] of each input, so many bytes for a line of the output. */
typedef struct ahead {
    int n;
    const char *from[3];
    int64_t bytes[3];
} ahead;

/* Bytes of the output during which is asked for what is read next. That starts the processor's own reading ahead; to ask for
 * all of it holds up what does more than a sum with an element (clip: a fifth). */
enum { ASK_BYTES = 512 };

static inline __attribute__((always_inline)) void ask_for(ahead *next)
{
    for (int k = 0; k < next->n; next->from[k] += next->bytes[k], k++)
        for (int64_t j = 0; j < next->bytes[k]; j += LINE)
            __builtin_prefetch(next->from[k] + j);
}

/* So many bytes, a multiple of LINE, from an aligned place to another one. Half as many stores are on the way where they are
 * twice as wide, and what follows starts the sooner. */
static void stream_lines(char *to, const char *from, int64_t bytes, ahead *next)
{
    for (int64_t i = 0; i < bytes; i += LINE) {
        for (int64_t j = i; j < i + LINE; j += 16)
            _mm_stream_si128((__m128i *)(void *)(to + j), _mm_loadu_si128((const __m128i *)(const void *)(from + j)));
        if (i < ASK_BYTES)
            ask_for(next);
    }
}

__attribute__((target("avx2"))) static void stream_lines_wide(char *to, const char *from, int64_t bytes, ahead *next)
{
    for (int64_t i = 0; i < bytes; i += LINE) {
        for (int64_t j = i; j < i + LINE; j += 32)
            _mm256_stream_si256((__m256i *)(void *)(to + j),
                                _mm256_loadu_si256((const __m256i *)(const void *)(from + j)));
        if (i < ASK_BYTES)
            ask_for(next);
    }
}

/* Writes, and asks for what is read next meanwhile: else memory would be read and written in turns. */
static void write_past_caches(char *to, const char *from, int64_t bytes, ahead *next)
{
    const int64_t before = -(int64_t)(uintptr_t)to & 31, lead = before < bytes ? before : bytes;
    const int64_t lines = (bytes - lead) / LINE * LINE, end = lead + lines;
    memcpy(to, from, (size_t)lead);
    if (__builtin_cpu_supports("avx2"))
        stream_lines_wide(to + lead, from + lead, lines, next);
    else
        stream_lines(to + lead, from + lead, lines, next);
    memcpy(to + end, from + end, (size_t)(bytes - end));
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
        ahead next = {.n = 0};
        for (int k = 0; k < n - 1; k++) {
            const int64_t own = (int64_t)poy_dtype_size(t[k]->dtype);
            char *from = poyi_cpu_start(t[k]) + begin * stride[k] * own;
            p[k] = from;
            if (stride[k]) {
                next.from[next.n] = from + step * own; /* perhaps beyond the end, which is not touched */
                next.bytes[next.n++] = LINE * own / size;
            }
        }
        p[n - 1] = block;
        if (varies || !filled)
            run(p, stride, count);
        filled = 1;
        write_past_caches(poyi_cpu_start(t[n - 1]) + begin * size, block, count * size, &next);
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
    const int64_t size = (int64_t)poy_dtype_size(y->dtype), beyond = (int64_t)((uintptr_t)poyi_cpu_start(y) % LINE);
    if (poy_dtype_is_complex(y->dtype) || y->rank != 1 || y->stride[0] != 1 || beyond % size)
        return 0;
    const int64_t lead = (LINE - beyond) % LINE / size;
    return lead < elements ? lead : elements;
}

/* Chunks of all elements of n tensors, the lead before the first of them. */
typedef struct chunks {
    int n, is_streamed;
    const poy_tensor *const *t;
    poyi_cpu_run *run;
    int64_t lead, elements;
} chunks;

static void walk_chunks(const void *work, int64_t begin, int64_t end)
{
    enum { CHUNK = POYI_CPU_CHUNK };
    const chunks *w = work;
    for (int64_t c = begin; c < end; c++) {
        const int64_t first = w->lead + c * CHUNK, last = w->elements - first < CHUNK ? w->elements : first + CHUNK;
        (w->is_streamed ? stream_part : walk_part)(w->n, w->t, w->run, first, last);
    }
    finish_stream(); /* each thread its own */
}

void poyi_cpu_walk_chunks(poy_ctx *ctx, poyi_cpu_pace pace, int n, const poy_tensor *const *t, poyi_cpu_run *run)
{
    enum { CHUNK = POYI_CPU_CHUNK };
    int64_t elements = 1;
    for (int i = 0; i < t[0]->rank; i++)
        elements *= t[0]->extent[i];
    const chunks w = {.n = n,
                      .is_streamed = pace == POYI_CPU_MEMORY && is_streamed(n, t, elements),
                      .t = t,
                      .run = run,
                      .lead = before_line(t[n - 1], elements),
                      .elements = elements};
    (w.is_streamed ? stream_part : walk_part)(n, t, run, 0, w.lead);
    poyi_cpu_share(poyi_cpu_team(ctx, elements), (elements - w.lead + CHUNK - 1) / CHUNK, walk_chunks, &w);
}

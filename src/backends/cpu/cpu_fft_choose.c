/* cpu_fft_choose.c: chooses among plans of FFTW for long lines.
 *
 * FFTW times a plan again and again on the same memory, which is in the caches then. Long lines come from beyond them when
 * they are used, and plans that are equal on warm memory differ by a factor of two on cold memory: those that go through
 * it in strides of powers of two fall behind. Which of them FFTW finds the fastest is chance, so we have it measure anew,
 * time its plans on cold memory and keep the fastest. */
#include <math.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "backends/cpu/cpu_fft_plan.h"
#include "core/clock.h"

enum {
    LEAST_BYTES = (1 << 20) + 1, /* of in and out together; shorter lines fit the caches of a core */
    MOST_BYTES = 64 << 20,       /* longer ones are cold while FFTW measures */
    DRAWS = 4,                   /* at most */
    REPEATS = 7,
    CACHE_LINE = 64
};

static const double patience = 4;    /* seconds of measuring, after which no other plan is drawn */
static const double likeness = 1.05; /* two plans of the least time are enough; good ones differ by less than this */

typedef struct candidate {
    void *plan;
    char *wisdom;
    double cold; /* seconds */
} candidate;

#if defined(__x86_64__)
static void flush(const void *p, size_t bytes)
{
    const char *line = p;
    for (size_t i = 0; i < bytes; i += CACHE_LINE)
        _mm_clflush(line + i);
    _mm_mfence();
}
static const int can_flush = 1;
#else
static void flush(const void *p, size_t bytes)
{
    (void)p;
    (void)bytes;
}
static const int can_flush = 0;
#endif

/* The least of a few executions, each from memory that is in no cache. */
static double cold_seconds(const poyi_fftw *fftw, const poyi_fft_spec *spec, void *plan, const poyi_fft_memory *m)
{
    double least = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        flush(m->in, m->bytes[0]);
        flush(m->out, m->bytes[1]);
        double start = poyi_thread_seconds();
        fftw->run(plan, spec, m->in, m->out);
        least = fmin(least, poyi_thread_seconds() - start);
    }
    return least;
}

static void drop(const poyi_fftw *fftw, candidate *c)
{
    if (c->plan)
        fftw->destroy(c->plan);
    free(c->wisdom);
    *c = (candidate){.plan = NULL};
}

/* Compares the plan in best, which FFTW has just measured, with others; leaves the fastest there. FFTW then knows it,
 * and what it knew before. */
static void draw_others(const poyi_fftw *fftw, const poyi_fft_spec *spec, const poyi_fft_memory *m, int unaligned,
                        double start, const char *before, candidate *best)
{
    double cold[DRAWS];
    int draws = 0, alike = 0;

    best->cold = cold[draws++] = cold_seconds(fftw, spec, best->plan, m);
    best->wisdom = fftw->export_wisdom();
    while (alike < 2 && draws < DRAWS && poyi_thread_seconds() - start < patience) {
        fftw->forget_wisdom(); /* or it would say which plan */
        candidate next = {.plan = fftw->plan(spec, m->in, m->out, POYI_FFTW_MEASURE, unaligned)};
        if (!next.plan)
            break;
        next.wisdom = fftw->export_wisdom();
        next.cold = cold[draws++] = cold_seconds(fftw, spec, next.plan, m);
        if (next.wisdom && next.cold < best->cold) {
            candidate worse = *best;
            *best = next;
            next = worse;
        }
        drop(fftw, &next);
        alike = 0;
        for (int i = 0; i < draws; i++)
            alike += cold[i] <= likeness * best->cold;
    }
    fftw->forget_wisdom();
    fftw->import_wisdom(before);
    if (best->wisdom)
        fftw->import_wisdom(best->wisdom); /* of one problem, FFTW keeps what it is told last */
    free(best->wisdom);
}

void *poyi_fft_choose(const poyi_fftw *fftw, const poyi_fft_spec *spec, const poyi_fft_memory *m, int unaligned)
{
    size_t bytes = m->bytes[0] + m->bytes[1];
    double start = poyi_thread_seconds();
    void *known = fftw->plan(spec, m->in, m->out, POYI_FFTW_KNOWN, unaligned);
    if (known)
        return known; /* chosen before */

    char *before = fftw->export_wisdom();
    candidate best = {.plan = fftw->plan(spec, m->in, m->out, POYI_FFTW_MEASURE, unaligned)};
    if (best.plan && before && can_flush && bytes >= LEAST_BYTES && bytes <= MOST_BYTES)
        draw_others(fftw, spec, m, unaligned, start, before, &best);
    free(before);
    return best.plan;
}

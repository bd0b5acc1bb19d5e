/* cpu_sparse.c: products of sparse matrices of the CPU backend: rows by threads, columns of x side by side in registers.
 * Compiled once for each element type (POY_DTYPE) and instruction set (POY_ISA); the object's one symbol is
 * poyi_cpu_sparse_<isa>_<dtype>. A row's sum is made by one thread in one order. */
#include <string.h>

#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"

#if POY_FLOATING

enum {
    WIDTH = 8,   /* columns of x that are worked on together */
    LANES = 4,   /* partial sums of a long row of one column: additions need not wait for each other */
    LONG = 16,   /* entries */
    RUN = 8,     /* rows of one pattern that are worth a loop of their own */
    ROWS = 1024, /* a thread's share */
    AHEAD = 128  /* entries from which memory is asked for what comes next: a stencil is a sixth faster so */
};

/* Rows first .. end-1 of a product. */
typedef struct part {
    int64_t first, end, k;
    int conjugate;
    const void *start, *index, *run;
    const T *v, *x;
    T *y;
} part;

static inline T factor(T v, int conjugate)
{
    return conjugate ? t_conj(v) : v;
}

#include "backends/cpu/cpu_sparse_runs.h"

#define I int32_t
#include "backends/cpu/cpu_sparse_rows.h"
#define I int64_t
#include "backends/cpu/cpu_sparse_rows.h"

static const void *start_of(const poy_tensor *t)
{
    return poyi_cpu_start(t);
}

static void work_on(const part *all, int wide, int64_t i)
{
    part p = *all;
    p.first = i * ROWS;
    p.end = p.first + ROWS < all->end ? p.first + ROWS : all->end;
    if (wide)
        work_int64_t(&p);
    else
        work_int32_t(&p);
}

static poy_status op_spmm(poy_ctx *ctx, void *be, const poy_sparse_arg *a, const poy_tensor *x, const poy_tensor *y)
{
    const int64_t rows = y->extent[0], parts = (rows + ROWS - 1) / ROWS;
    const part all = {.end = rows,
                      .k = y->extent[1],
                      .conjugate = a->conjugate,
                      .start = start_of(a->start),
                      .index = start_of(a->index),
                      .run = a->run ? start_of(a->run) : NULL,
                      .v = start_of(a->v),
                      .x = start_of(x),
                      .y = (T *)y->mem + y->offset};
    const int wide = a->index->dtype == POY_I64;
    const int threads = parts > 1 ? poyi_cpu_team(ctx, a->v->extent[0] * all.k) : 1;
    (void)be;
    if (threads == 1) { /* not a team of one, which takes longer than a small product */
        for (int64_t i = 0; i < parts; i++)
            work_on(&all, wide, i);
        return POY_OK;
    }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t i = 0; i < parts; i++)
        work_on(&all, wide, i);
    return POY_OK;
}
#endif

const poyi_cpu_entry *CPU_OBJECT(sparse)(size_t *n)
{
#if POY_FLOATING
    static const poyi_cpu_entry entries[] = {ENTRY(spmm, sparse)};
    *n = sizeof entries / sizeof entries[0];
    return entries;
#else
    *n = 0;
    return NULL;
#endif
}

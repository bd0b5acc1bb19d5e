/* parts.c: runs the parts of a program: on threads where there is enough to do, in strips where parts follow each
 * other. Blocks are fixed, so that the number of threads changes no bit. */
#include <string.h>

#include "backends/cpu/pulse/part.h"

enum {
    STRIP = 256,      /* elements: the ten arrays of finish and combine then fit the first cache */
    BLOCK = 8192,     /* elements that a thread takes at a time */
    PARALLEL = 65536, /* elements from which threads pay */
};

static void run_range(const poy_step *steps, int n, const double *scalars, int64_t column, int64_t begin, int64_t end)
{
    const int64_t strip = n > 1 ? STRIP : end - begin;
    for (int64_t from = begin; from < end; from += strip) {
        const int64_t to = from + strip < end ? from + strip : end;
        for (int i = 0; i < n; i++)
            ((const poyi_cpu_plan *)steps[i].plan)->part(steps + i, scalars, column, from, to);
    }
}

int poyi_cpu_threads(poy_ctx *ctx, int64_t elements)
{
    return elements < PARALLEL ? 1 : poy_ctx_threads(ctx);
}

/* Block i of all columns. */
static void run_block(const poy_step *steps, int n, const double *scalars, int64_t blocks, int64_t i)
{
    const int64_t length = ((const poyi_cpu_plan *)steps->plan)->length;
    const int64_t begin = i % blocks * BLOCK, end = begin + BLOCK < length ? begin + BLOCK : length;
    run_range(steps, n, scalars, i / blocks, begin, end);
}

/* Block by block also on one thread, where ranges end at the same elements: those decide which go through narrow
 * registers. A parallel region of one thread would cost as much as a short row. */
static void run_group(poy_ctx *ctx, const poy_step *steps, int n, const double *scalars)
{
    const poyi_cpu_plan *plan = steps->plan;
    const int64_t blocks = (plan->length + BLOCK - 1) / BLOCK;
    const int threads = poyi_cpu_threads(ctx, plan->columns * plan->length);

    if (threads == 1) {
        for (int64_t i = 0; i < plan->columns * blocks; i++)
            run_block(steps, n, scalars, blocks, i);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < plan->columns * blocks; i++)
        run_block(steps, n, scalars, blocks, i);
}

static poy_status run_part(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    (void)be;
    run_group(ctx, step, 1, scalars);
    return POY_OK;
}

static poy_status keep(poyi_cpu_run *run, poyi_cpu_plan plan, poy_buffer work, poy_step *step, size_t *work_bytes)
{
    step->run = run;
    *work_bytes = sizeof plan;
    if (work.mem) {
        poyi_cpu_plan *place = (poyi_cpu_plan *)(void *)((unsigned char *)work.mem + work.offset);
        *place = plan;
        step->plan = place;
    }
    return POY_OK;
}

poy_status poyi_cpu_keep(poyi_cpu_run *run, int64_t columns, int64_t length, const poy_row_spec *spec, poy_buffer work,
                         poy_step *step, size_t *work_bytes)
{
    return keep(run, (poyi_cpu_plan){NULL, columns, length, *spec}, work, step, work_bytes);
}

poy_status poyi_cpu_keep_part(poyi_cpu_part *part, int64_t columns, int64_t length, const poy_row_spec *spec,
                              poy_buffer work, poy_step *step, size_t *work_bytes)
{
    return keep(run_part, (poyi_cpu_plan){part, columns, length, *spec}, work, step, work_bytes);
}

static int follow_each_other(const poy_step *a, const poy_step *b)
{
    const poyi_cpu_plan *p = a->plan, *q = b->plan;
    return a->run == run_part && b->run == run_part && p->columns == q->columns && p->length == q->length;
}

poy_status poyi_cpu_run_steps(poy_ctx *ctx, void *be, const poy_step *steps, int n, const double *scalars)
{
    for (int i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && follow_each_other(steps + j - 1, steps + j);)
            j++;
        if (j > i + 1)
            run_group(ctx, steps + i, j - i, scalars);
        else
            POYI_TRY(ctx, steps[i].run(ctx, steps + i, be, scalars));
    }
    return POY_OK;
}

/* accept.c: the end of a step: solution, error, and their norms by a pairwise sum over fixed leaves, which takes the same
 * path for any number of threads. */
#include <math.h>

#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/accept.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/accept.clh"
#endif

enum { LEAVES = 256 }; /* leaves that a thread takes at a time */

/* The plan: a part, with room for the sums of the leaves behind it. */
typedef struct accept_plan {
    poyi_cpu_plan head;
    int64_t leaves; /* of a column */
    double sums[];  /* [columns][leaves][3] */
} accept_plan;

static poy_ends ends_of(const poy_step *step, const double *scalars, int stages, int64_t columns, int64_t n_w)
{
    static const int block[POY_ERROR_BLOCKS] = {0, 2, 3, 4, 5, 6};
    poy_ends t = {{0}, {0}, {0}};
    for (int j = 0; stages && j < POY_ERROR_BLOCKS; j++) {
        t.k[j] = block[j] * columns * n_w;
        t.b[j] = scalars[step->scalar + (uint32_t)j];
        t.e[j] = scalars[step->scalar + (uint32_t)(POY_ERROR_BLOCKS + j)];
    }
    return t;
}

/* A range of leaves of a column. */
POYI_INLINE void accept(int stages, int weights, POYI_PART)
{
    accept_plan *plan = step->plan;
    const int64_t n_w = plan->head.length, columns = plan->head.columns;
    const poy_ends t = ends_of(step, scalars, stages, columns, n_w);
    double *un = poyi_cpu_column(step, 0, column), *sums = plan->sums + 3 * column * plan->leaves;
    const double *u = poyi_cpu_column(step, 2, column), *K = stages ? poyi_cpu_column(step, 3, column) : NULL;
    const double *E = poyi_cpu_column(step, 4, column + poyi_cpu_slot(step, 4)->cols - columns);
    const double *W = weights ? poyi_cpu_column(step, 5, 0) : NULL;

    for (int64_t leaf = begin; leaf < end; leaf++) {
        const int64_t from = leaf * POY_LEAF, to = from + POY_LEAF < n_w ? from + POY_LEAF : n_w;
        double *sum = sums + 3 * leaf;
        sum[0] = sum[1] = sum[2] = 0;
        POYI_WIDTHS(accept_leaf, from, to, stages, weights, t, un, sum, u, K, E, W);
    }
}

/* A function for each variant: the flags are constants in it. */
#define VARIANT(stages, weights)                                    \
    static void part_##stages##weights(POYI_PART)                   \
    {                                                               \
        accept(stages, weights, step, scalars, column, begin, end); \
    }
VARIANT(0, 0)
VARIANT(0, 1)
VARIANT(1, 0)
VARIANT(1, 1)

static poyi_cpu_part *const parts[2][2] = {{part_00, part_01}, {part_10, part_11}};

static int is_finite(const double *z)
{
    return isfinite(z[0]) && isfinite(z[1]);
}

/* 1 + the first column with a value that is not finite, 0 where sums have overflowed only. The rare path. */
static double find_fault(const poy_step *step, const double *scalars)
{
    const accept_plan *plan = step->plan;
    const int64_t n_w = plan->head.length, columns = plan->head.columns;
    const int stages = poyi_cpu_slot(step, 3)->cols > 0;
    const poy_ends t = ends_of(step, scalars, stages, columns, n_w);

    for (int64_t c = 0; c < columns; c++) {
        const double *un = poyi_cpu_column(step, 0, c), *K = stages ? poyi_cpu_column(step, 3, c) : NULL;
        const double *E = poyi_cpu_column(step, 4, c + poyi_cpu_slot(step, 4)->cols - columns);
        for (int64_t i = 0; i < n_w; i++) {
            pack_1 error = p_all_1(0);
            for (int j = 0; stages && j < POY_ERROR_BLOCKS; j++)
                error = p_axpy_1(t.e[j], p_load_1(K, t.k[j] + i), error);
            error = p_mul_1(error, p_load_1(E, i));
            if (!is_finite(un + 2 * i) || !isfinite(error.re) || !isfinite(error.im))
                return 1 + (double)c;
        }
    }
    return 0;
}

/* Block i of the leaves of all columns. */
static void run_block(const poy_step *step, const double *scalars, int64_t blocks, int64_t i)
{
    const accept_plan *plan = step->plan;
    const int64_t begin = i % blocks * LEAVES, end = begin + LEAVES < plan->leaves ? begin + LEAVES : plan->leaves;
    plan->head.part(step, scalars, i / blocks, begin, end);
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    accept_plan *plan = step->plan;
    const int64_t leaves = plan->head.columns * plan->leaves, blocks = (plan->leaves + LEAVES - 1) / LEAVES;
    const int threads = poyi_cpu_threads(ctx, plan->head.columns * plan->head.length);
    double *rep = poyi_cpu_column(step, 1, 0);

    (void)be;
    if (threads == 1) {
        for (int64_t i = 0; i < plan->head.columns * blocks; i++)
            run_block(step, scalars, blocks, i);
    } else {
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t i = 0; i < plan->head.columns * blocks; i++)
            run_block(step, scalars, blocks, i);
    }
    for (int64_t stride = 1; stride < leaves; stride *= 2)
        k_fold(0, (leaves + 2 * stride - 1) / (2 * stride), stride, leaves, plan->sums);
    for (int q = 0; q < 3; q++)
        rep[q] = plan->sums[q];
    rep[3] = isfinite(rep[0] + rep[1] + rep[2]) ? 0 : find_fault(step, scalars);
    return POY_OK;
}

poy_status POYI_ISA_NAME(prepare_accept)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    const poy_row_accept *arg = spec->arg;
    const int64_t columns = spec->slot[0].cols, leaves = (spec->slot[0].len + POY_LEAF - 1) / POY_LEAF;

    (void)ctx, (void)be;
    step->run = run;
    *work_bytes = sizeof(accept_plan) + (size_t)(3 * columns * leaves) * sizeof(double);
    if (work.mem) {
        accept_plan *plan = (accept_plan *)(void *)((unsigned char *)work.mem + work.offset);
        plan->head =
            (poyi_cpu_plan){parts[spec->slot[3].cols > 0][arg->weights != 0], columns, spec->slot[0].len, *spec};
        plan->leaves = leaves;
        step->plan = plan;
    }
    return POY_OK;
}

/* drive.c: what drives a delayed response, and zeros where it is longer than the field. */
#include <string.h>

#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/drive.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/drive.clh"
#endif

/* The tail goes with the first element. */
static void clear_tail(const poy_step *step, int64_t column, int64_t begin)
{
    const int64_t n = poyi_cpu_slot(step, 1)->len, all = poyi_cpu_slot(step, 0)->len;
    if (begin == 0 && all > n)
        memset(poyi_cpu_column(step, 0, column) + n, 0, (size_t)(all - n) * sizeof(double));
}

static void part(POYI_PART)
{
    (void)scalars;
    clear_tail(step, column, begin);
    POYI_WIDTHS(k_drive, begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column));
}

static void part_real(POYI_PART)
{
    (void)scalars;
    clear_tail(step, column, begin);
    k_drive_real(begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column));
}

/* Column: a point, whose components and parts are in blocks. */
POYI_INLINE void pair(int real, int tensor, const poy_step *step, int64_t column, int64_t begin, int64_t end)
{
    const int64_t points = poyi_cpu_slot(step, 1)->cols / 2;
    double *sum = poyi_cpu_column(step, 0, column), *difference = NULL, *product = NULL;
    const double *X = poyi_cpu_column(step, 1, column), *Y = poyi_cpu_column(step, 1, points + column);
    clear_tail(step, column, begin);
    if (tensor) {
        difference = poyi_cpu_column(step, 0, points + column);
        product = poyi_cpu_column(step, 0, 2 * points + column);
        clear_tail(step, points + column, begin);
        clear_tail(step, 2 * points + column, begin);
    }
    if (real)
        k_drive_real_pair(begin, end, tensor, sum, difference, product, X, Y);
    else
        POYI_WIDTHS(k_drive_pair, begin, end, tensor, sum, difference, product, X, Y);
}

#define PAIR(real, tensor)                            \
    static void pair_##real##tensor(POYI_PART)        \
    {                                                 \
        (void)scalars;                                \
        pair(real, tensor, step, column, begin, end); \
    }
PAIR(0, 0)
PAIR(0, 1)
PAIR(1, 0)
PAIR(1, 1)

static poyi_cpu_part *const pairs[2][2] = {{pair_00, pair_01}, {pair_10, pair_11}};

poy_status POYI_ISA_NAME(prepare_drive)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                        poy_step *step, size_t *work_bytes)
{
    const poy_row_drive *arg = spec->arg;
    const int real = spec->slot[1].dtype == POY_F64;
    poyi_cpu_part *const one = real ? part_real : part;

    (void)ctx, (void)be;
    return poyi_cpu_keep_part(arg->pol > 1 ? pairs[real][arg->tensor != 0] : one, spec->slot[1].cols / arg->pol,
                              spec->slot[1].len, spec, work, step, work_bytes);
}

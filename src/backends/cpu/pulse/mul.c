/* mul.c: z = x y of a program, for each pair of element types. */
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/mul.clh"

#include "backends/cpu/pulse/wide.h"
#if POY_PACK > 1
#include "kernels/pulse/mul.clh"
#endif

/* y from the column on that belongs to this one: its only one, or the same. */
static const double *factor(const poy_step *step, int64_t column)
{
    return poyi_cpu_column(step, 2, poyi_cpu_slot(step, 2)->cols == 1 ? 0 : column);
}

static void part_complex(POYI_PART)
{
    (void)scalars;
    POYI_WIDTHS(k_mul_complex, begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column),
                factor(step, column));
}

static void part_by_real(POYI_PART)
{
    (void)scalars;
    POYI_WIDTHS(k_mul_by_real, begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column),
                factor(step, column));
}

static void part_real_by(POYI_PART)
{
    (void)scalars;
    POYI_WIDTHS(k_mul_by_real, begin, end, poyi_cpu_column(step, 0, column), factor(step, column),
                poyi_cpu_column(step, 1, column));
}

static void part_real(POYI_PART)
{
    (void)scalars;
    k_mul_real(begin, end, poyi_cpu_column(step, 0, column), poyi_cpu_column(step, 1, column), factor(step, column));
}

static poyi_cpu_part *const parts[2][2] = {{part_real, part_real_by}, {part_by_real, part_complex}};

poy_status POYI_ISA_NAME(prepare_mul)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                      size_t *work_bytes)
{
    const int x_complex = spec->slot[1].dtype == POY_C128, y_complex = spec->slot[2].dtype == POY_C128;

    (void)ctx, (void)be;
    return poyi_cpu_keep_part(parts[x_complex][y_complex], spec->slot[0].cols, spec->slot[0].len, spec, work, step,
                              work_bytes);
}

/* part.h: what the rows of programs share on the CPU. A row that works element by element is a part: a function for the
 * elements begin .. end - 1 of one column. parts.c splits columns among threads, and runs parts that follow each other
 * strip by strip, so that what one writes is still in the first cache when the next reads it. */
#ifndef POYI_CPU_PART_H
#define POYI_CPU_PART_H

#include "backends/cpu/cpu.h"
#include "poynting/pulse_rows.h"

#define POYI_PART const poy_step *step, const double *scalars, int64_t column, int64_t begin, int64_t end
typedef void poyi_cpu_part(POYI_PART);

/* The plan of a part, in the step's scratch. Element i of a column depends on elements i of the row's buffers only
 * (and on those that pad and crop pair with them). */
typedef struct poyi_cpu_plan {
    poyi_cpu_part *part;
    int64_t columns, length;
    poy_row_spec spec;
} poyi_cpu_plan;

typedef poy_status poyi_cpu_run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars);
/* What the prepare of a row does that shares columns times length elements among threads by itself. */
poy_status poyi_cpu_keep(poyi_cpu_run *run, int64_t columns, int64_t length, const poy_row_spec *spec, poy_buffer work,
                         poy_step *step, size_t *work_bytes);
/* What the prepare of a part does. It works on columns times length elements. */
poy_status poyi_cpu_keep_part(poyi_cpu_part *part, int64_t columns, int64_t length, const poy_row_spec *spec,
                              poy_buffer work, poy_step *step, size_t *work_bytes);

typedef poy_status poyi_cpu_row_prepare(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                        poy_step *step, size_t *work_bytes);
#define POY_PULSE_ROW(name, signature, linear, tol, text) \
    poyi_cpu_row_prepare poyi_cpu_base_prepare_##name, poyi_cpu_avx2_prepare_##name;
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
/* Threads that a row should use which works on so many elements. */
int poyi_cpu_threads(poy_ctx *ctx, int64_t elements);

poyi_cpu_row_prepare poyi_cpu_base_prepare_mul, poyi_cpu_avx2_prepare_mul;
poyi_cpu_row_prepare poyi_cpu_base_prepare_matmul, poyi_cpu_avx2_prepare_matmul;
poyi_cpu_row_prepare poyi_cpu_prepare_copy, poyi_cpu_prepare_fft;
void poyi_cpu_release_fft(void *be, poy_step *step);

/* The name of a row's prepare in the object for an instruction set. */
#define POYI_ISA_JOIN_(isa, name) poyi_cpu_##isa##_##name
#define POYI_ISA_JOIN(isa, name) POYI_ISA_JOIN_(isa, name)
#ifndef POY_ISA
#define POY_ISA base /* for editors that open a file by itself */
#endif
#define POYI_ISA_NAME(name) POYI_ISA_JOIN(POY_ISA, name)

#define POYI_INLINE static inline __attribute__((always_inline))

static inline const poy_slot *poyi_cpu_slot(const poy_step *step, int i)
{
    return &((const poyi_cpu_plan *)step->plan)->spec.slot[i];
}
/* Buffer i from a column on, as parts, of a buffer that every variant has. */
static inline __attribute__((returns_nonnull)) double *poyi_cpu_always(const poy_step *step, int i, int64_t column)
{
    const poy_slot *slot = poyi_cpu_slot(step, i);
    unsigned char *mem = step->buf[i].mem;
    return (double *)(void *)(mem + step->buf[i].offset) + column * slot->len * (slot->dtype == POY_C128 ? 2 : 1);
}
/* The same; NULL for an absent one. */
static inline double *poyi_cpu_column(const poy_step *step, int i, int64_t column)
{
    return step->buf[i].mem ? poyi_cpu_always(step, i, column) : NULL;
}

/* The part of a range on which pad and crop shift by the same distance: the bins below n_low stay, the others end where
 * the fine grid ends. */
static inline int64_t poyi_cpu_low_bins(poy_layout layout, int64_t n_w)
{
    return layout == POY_LAYOUT_HALF ? n_w : (n_w + 1) / 2;
}

#endif

/* cpu_object.h: the names of what is compiled once for each element type and instruction set: poyi_cpu_<part>_<isa>_<dtype>,
 * poyi_cpu_pointwise_avx2_c128 for one; each returns the operations of its object. */
#ifndef POYI_CPU_OBJECT_H
#define POYI_CPU_OBJECT_H

#include "ops/ops.h"

/* An operation in one type, and what does it at once; NULL where nothing does. */
typedef struct poyi_cpu_entry {
    poy_op_entry op;
    poyi_at_once *at_once;
} poyi_cpu_entry;

typedef const poyi_cpu_entry *poyi_cpu_entries(size_t *n);

/* clang-format off */
#define CPU_DECLARE_TYPES(part, isa)                                                                                 \
    poyi_cpu_entries poyi_cpu_##part##_##isa##_f32, poyi_cpu_##part##_##isa##_f64, poyi_cpu_##part##_##isa##_c64,    \
        poyi_cpu_##part##_##isa##_c128, poyi_cpu_##part##_##isa##_i32, poyi_cpu_##part##_##isa##_i64,                \
        poyi_cpu_##part##_##isa##_b8;
/* clang-format on */
#define CPU_DECLARE(isa)              \
    CPU_DECLARE_TYPES(pointwise, isa) \
    CPU_DECLARE_TYPES(functions, isa) \
    CPU_DECLARE_TYPES(compare, isa)   \
    CPU_DECLARE_TYPES(lines, isa)     \
    CPU_DECLARE_TYPES(places, isa)    \
    CPU_DECLARE_TYPES(sparse, isa)    \
    CPU_DECLARE_TYPES(copy, isa)      \
    CPU_DECLARE_TYPES(reduce, isa)
CPU_DECLARE(base)
CPU_DECLARE(avx2)
poyi_cpu_entries poyi_cpu_products_base_i32, poyi_cpu_products_base_i64, poyi_cpu_products_base_b8,
    poyi_cpu_products_avx2_i32, poyi_cpu_products_avx2_i64, poyi_cpu_products_avx2_b8;

/* The name of part in this object. */
#ifndef POY_ISA
#define POY_ISA base /* for editors that open such a file by itself */
#endif
#define CPU_GLUE_(part, isa, dtype) poyi_cpu_##part##_##isa##_##dtype
#define CPU_GLUE(part, isa, dtype) CPU_GLUE_(part, isa, dtype)
#if !defined(POY_DTYPE) || POY_DTYPE == 1
#define CPU_OBJECT(part) CPU_GLUE(part, POY_ISA, f64)
#elif POY_DTYPE == 0
#define CPU_OBJECT(part) CPU_GLUE(part, POY_ISA, f32)
#elif POY_DTYPE == 2
#define CPU_OBJECT(part) CPU_GLUE(part, POY_ISA, c64)
#elif POY_DTYPE == 3
#define CPU_OBJECT(part) CPU_GLUE(part, POY_ISA, c128)
#elif POY_DTYPE == 4
#define CPU_OBJECT(part) CPU_GLUE(part, POY_ISA, i32)
#elif POY_DTYPE == 5
#define CPU_OBJECT(part) CPU_GLUE(part, POY_ISA, i64)
#else
#define CPU_OBJECT(part) CPU_GLUE(part, POY_ISA, b8)
#endif

#endif

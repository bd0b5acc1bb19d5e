/* faulty.h: the defects that conformance has to find: cells that stand in for the reference's, one of them a backend. */
#ifndef FAULTY_H
#define FAULTY_H

#include "backends/ref/ref.h"

typedef struct faulty_defect {
    const char *name;
    poy_op_entry entry;
} faulty_defect;

/* clang-format off */
#define DEFECT(f, op, fam, type) \
    {#f, {.name = #op, .family = POY_FAMILY_##fam, .dtype = POY_##type, .cell.fam = (f)}}
/* clang-format on */

const faulty_defect *faulty_pointwise(size_t *n);
const faulty_defect *faulty_axes(size_t *n);
const faulty_defect *faulty_functions(size_t *n);
const faulty_defect *faulty_lines(size_t *n);
const faulty_defect *faulty_products(size_t *n);

/* What a defect keeps of the ledger; the test gives it back. */
extern void *faulty_kept;

/* y as it is now, changed element by element. */
typedef poyi_ref_value faulty_change(poyi_ref_value v);
static inline void faulty_change_all(const poy_tensor *y, faulty_change *f)
{
    poyi_ref_walk w = poyi_ref_walk_over(1, &y, 0, y->rank);
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(y, w.at[0], f(poyi_ref_load(y, w.at[0])));
}

#endif

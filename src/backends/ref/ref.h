/* ref.h: the parts that the reference backend is gathered from. */
#ifndef POYI_REF_H
#define POYI_REF_H

#include "ops/ops.h"

/* Rows of programs (ref_rows.c). */
const poy_row_entry *poyi_ref_rows(size_t *n);

#endif

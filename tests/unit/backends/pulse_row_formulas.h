/* pulse_row_formulas.h: the formulas of the rows of programs, in extended precision. */
#ifndef PULSE_ROW_FORMULAS_H
#define PULSE_ROW_FORMULAS_H

#include <complex.h>

#include "conform/rows/pulse.h"

typedef long double complex extended;

/* Of what a formula is taken: the numbers of a case, or their moduli, which bound the rounding. */
typedef struct reader {
    const poyi_pulse_case *c;
    int moduli;
} reader;

/* What buffer b holds at element i after a row, by its number. */
extended row_formula(int row, const reader *r, int b, int64_t i);

#endif

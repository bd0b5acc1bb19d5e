/* problem.h: the problem record, for the rooms of src/pulse: declared from problem.def. */
#ifndef POYI_PROBLEM_H
#define POYI_PROBLEM_H

#include <stdatomic.h>

#include "poynting/pulse.h"

typedef struct poyi_data {
    void *data; /* NULL: the problem has none; else 64-byte aligned, in the ledger as "problem.<name>" */
    int64_t rows, cols;
} poyi_data;

struct poyi_fibre;  /* setup/setup.h: what describing and launching need of the fibre beside the record */
struct poyi_medium; /* and of the guide with its gas: one of the two */

typedef enum poyi_equation { POYI_EQUATION_FIBRE, POYI_EQUATION_GUIDE } poyi_equation;

struct poy_problem {
    _Atomic int references;
    poy_grid *grid;
    struct poyi_fibre *fibre;
    struct poyi_medium *medium;
#define POY_INT(name, text) int64_t name;
#define POY_REAL(name, unit, text) double name;
#define POY_ARRAY(name, dtype, rows, cols, unit, text) poyi_data name;
#include "pulse/problem.def"
#undef POY_INT
#undef POY_REAL
#undef POY_ARRAY
    unsigned char digest[32];
};

/* Species j of a guide's plasma. Borrowed. */
const struct poy_ionisation_table *poyi_problem_rates(const poy_problem *problem, int64_t j);

#define POYI_F64(array) ((const double *)(array).data) /* also complex arrays, as pairs */

#endif

/* conform_golden.h: golden numbers: operations of the array layer whose results were computed outside of it, in arithmetic of
 * high precision or by other libraries, run on any backend. The file is tests/golden/ops.txt; poynting conform --golden reads it. */
#ifndef POYNTING_CONFORM_GOLDEN_H
#define POYNTING_CONFORM_GOLDEN_H

#include "poynting/conform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What came of one case. */
typedef struct poy_conform_golden_case {
    const char *id, *op;
    int passed;
    char failure[512]; /* what was got and wanted; "" */
    int crashed, hung; /* 1: as in poy_conform_cell, of the operation */
} poy_conform_golden_case;
typedef void poy_conform_golden_fn(void *user, const poy_conform_golden_case *c);

/* All cases of a file, or of ops.txt in a folder, on a backend, telling of each. A failed case is a finding, not an error: *failed
 * counts them, *cases all. Errors: POY_ERR_IO (no such file), POY_ERR_ARGUMENT (FILE:LINE of what cannot be read, no such case),
 * and as poy_conform_run's. */
POY_API poy_status poy_conform_golden(poy_ctx *ctx, const poy_conform_options *options, const char *path,
                                      poy_conform_golden_fn *fn, void *user, int *cases, int *failed);

#ifdef __cplusplus
}
#endif
#endif

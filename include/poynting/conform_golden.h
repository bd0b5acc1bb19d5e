/* conform_golden.h: golden numbers: operations of the array layer whose results were computed outside of it, in arithmetic of
 * high precision or by other libraries, run on any backend. The file is tests/golden/ops.txt; poynting conform --golden reads it. */
#ifndef POYNTING_CONFORM_GOLDEN_H
#define POYNTING_CONFORM_GOLDEN_H

#include "poynting/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What came of one case. */
typedef struct poy_conform_golden_case {
    const char *id, *op;
    int passed;
    char failure[512]; /* what was got and wanted; "" */
} poy_conform_golden_case;
typedef void poy_conform_golden_fn(void *user, const poy_conform_golden_case *c);

/* All cases of a file, or of ops.txt in a folder, on a backend, telling of each. A failed case is a finding, not an error: *failed
 * counts them, *cases all. Errors: POY_ERR_IO (no such file), POY_ERR_ARGUMENT (FILE:LINE of what cannot be read), those of
 * poy_backend_open. */
POY_API poy_status poy_conform_golden(poy_ctx *ctx, const char *backend, const char *path, poy_conform_golden_fn *fn,
                                      void *user, int *cases, int *failed);

#ifdef __cplusplus
}
#endif
#endif

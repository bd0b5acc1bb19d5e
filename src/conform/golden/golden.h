/* golden.h: golden operations: calls of the array layer with numbers from outside of it, as a file tells them
 * (tools/golden_ops.py writes it), and how they are run and judged. */
#ifndef POYI_GOLDEN_H
#define POYI_GOLDEN_H

#include "poynting/poynting.h"

enum { POYI_GOLDEN_VALUES = 512, POYI_GOLDEN_INPUTS = 4, POYI_GOLDEN_OUTPUTS = 3 };

typedef struct poyi_golden_array {
    poy_dtype dtype;
    int rank;
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX], offset, n;
    double part[POYI_GOLDEN_VALUES];
} poyi_golden_array;

typedef struct poyi_golden {
    char id[64], op[32], mode[16], status[32], text[32]; /* text: subscripts, or the name of dtype */
    poy_dtype dtype;
    double rtol, atol;
    int n_in, n_out, n_arg;
    int64_t arg[16];
    poy_scalar value;
    poyi_golden_array in[POYI_GOLDEN_INPUTS], out[POYI_GOLDEN_OUTPUTS];
} poyi_golden;

/* Calls the operation; out [POYI_GOLDEN_OUTPUTS]. */
poy_status poyi_golden_run(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, poy_array *const *in, poy_array **out);
/* Those of solvers. */
poy_status poyi_golden_solve(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, poy_array *const *in,
                             poy_array **out);

/* Part i of an array of a type as a number. */
double poyi_golden_part(poy_dtype dtype, const void *bytes, int64_t i);
/* Whether factors, of mode eigh or svd, give the matrix back to within the tolerance; text: by how much they do not. */
int poyi_golden_factors(poy_ctx *ctx, const poyi_golden *c, poy_array *const *out, size_t size, char *text);

#endif

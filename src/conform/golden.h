/* golden_ops.h: a golden operation as tests/golden/ops.txt writes it (see tools/golden_ops.py), and how it is run. */
#ifndef GOLDEN_OPS_H
#define GOLDEN_OPS_H

#include "poynting/poynting.h"

enum { VALUES_MAX = 512, INPUTS_MAX = 4, OUTPUTS_MAX = 3 };

typedef struct array_text {
    poy_dtype dtype;
    int rank;
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX], offset, n;
    double part[VALUES_MAX];
} array_text;

typedef struct golden_case {
    char id[64], op[32], mode[16], status[32], dtype[32]; /* or subscripts */
    double rtol, atol;
    int n_in, n_out, n_arg;
    int64_t arg[16];
    poy_scalar value;
    array_text in[INPUTS_MAX], out[OUTPUTS_MAX];
} golden_case;

/* The type of that name. */
poy_dtype golden_dtype(const char *name);
/* Calls the operation; out [OUTPUTS_MAX]. */
poy_status golden_run(poy_ctx *ctx, poy_backend *be, const golden_case *c, poy_array *const *in, poy_array **out);

/* Those of solvers. */
poy_status golden_solve(poy_ctx *ctx, poy_backend *be, const golden_case *c, poy_array *const *in, poy_array **out);

/* Part i of an array of a type as a number. */
double golden_part(poy_dtype dtype, const void *bytes, int64_t i);
/* Whether factors, of mode eigh or svd, give the matrix back to within the tolerance. */
int golden_factors(poy_ctx *ctx, const golden_case *c, poy_array *const *out);

#endif

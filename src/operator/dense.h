/* dense.h: arrays as double complex numbers of the host, for the small and the seldom. */
#ifndef POYI_OPERATOR_DENSE_H
#define POYI_OPERATOR_DENSE_H

#include "core/cmplx.h"
#include "operator/operator.h"

/* All elements in C order, malloc'ed; free them. Errors: POY_ERR_MEMORY. */
poy_status poyi_dense_read(poy_ctx *ctx, const poy_array *x, double complex **out);
/* The reverse, rounded to x's element type; of real arrays the real parts. */
poy_status poyi_dense_write(poy_ctx *ctx, poy_array *x, const double complex *host);
poy_status poyi_dense_create(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                             const double complex *host, poy_array **out);

#endif

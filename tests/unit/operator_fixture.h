/* operator_fixture.h: what the tests of spaces, operators and solvers share: arrays from numbers, numbers from arrays, the
 * backends and element types that all of them go through. */
#ifndef OPERATOR_FIXTURE_H
#define OPERATOR_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "operator/dense.h"
#include "operator/operator.h"
#include "tap.h"

static poy_ctx *ctx;
static poy_backend *be;
static poy_dtype dtype;
static const char *backend_name;

typedef double complex z;

/* Ends the program where something that has to work does not. */
static inline void must(poy_status status, const char *what, int line)
{
    if (status == POY_OK)
        return;
    printf("Bail out! line %d: %s: %s\n", line, what, poy_ctx_message(ctx));
    exit(1);
}
#define MUST(call) must((call), #call, __LINE__)

static inline double eps(void)
{
    return poyi_eps(dtype);
}

static inline int is_complex(void)
{
    return poy_dtype_is_complex(dtype);
}

static inline poy_array *array_of(int rank, const int64_t *extent, const z *values)
{
    poy_array *a = NULL;
    MUST(poyi_dense_create(ctx, be, dtype, rank, extent, values, &a));
    return a;
}

static inline poy_array *vector_of(int64_t n, const z *values)
{
    return array_of(1, &n, values);
}

static inline z *values_of(const poy_array *a)
{
    z *v = NULL;
    MUST(poyi_dense_read(ctx, a, &v));
    return v;
}

/* Uniform in the square around 0, real where the type is. */
static inline z random_value(uint64_t seed, uint64_t i)
{
    double u[2];
    poy_random_uniform2(seed, 77, i, u);
    return CMPLX(2 * u[0] - 1, is_complex() ? 2 * u[1] - 1 : 0.0);
}

static inline poy_array *random_array(uint64_t seed, int rank, const int64_t *extent)
{
    int64_t n = 1;
    for (int i = 0; i < rank; i++)
        n *= extent[i];
    z *v = malloc((size_t)(n + 1) * sizeof *v);
    for (int64_t i = 0; i < n; i++)
        v[i] = random_value(seed, (uint64_t)i);
    poy_array *a = array_of(rank, extent, v);
    free(v);
    return a;
}

static inline poy_array *zeros_of(const poy_space *s)
{
    poy_array *a = NULL;
    MUST(poy_space_zeros(ctx, s, &a));
    return a;
}

static inline poy_array *random_of(const poy_space *s, uint64_t seed)
{
    poy_array *a = NULL;
    MUST(poy_space_random(ctx, s, seed, &a));
    return a;
}

static inline poy_space *dense_space(int64_t n)
{
    poy_space *s = NULL;
    MUST(poy_space_dense(ctx, be, dtype, 1, &n, &s));
    return s;
}

static inline poy_space *weighted_space(int64_t n, const double *w)
{
    poy_space *s = NULL;
    poy_array *a = NULL;
    MUST(poy_array_create(ctx, be, POY_F64, 1, &n, &a));
    MUST(poy_array_write(ctx, a, w));
    MUST(poy_space_weighted(ctx, a, dtype, 1, &n, &s));
    poy_array_destroy(&a);
    return s;
}

/* max |a - b| / max |b| */
static inline double distance(const poy_array *a, const poy_array *b)
{
    z *x = values_of(a), *y = values_of(b);
    double worst = 0, scale = 0;
    for (int64_t i = 0; i < poy_array_size(a); i++) {
        const double d = cabs(x[i] - y[i]);
        worst = d > worst || isnan(d) ? d : worst;
        scale = fmax(scale, cabs(y[i]));
    }
    free(x);
    free(y);
    return scale > 0 ? worst / scale : worst;
}

/* test on each backend, in each element type. */
static inline void everywhere(void (*test)(void))
{
    static const char *const backends[] = {"ref", "cpu"};
    MUST(poy_ctx_create(&ctx));
    for (int b = 0; b < 2; b++)
        for (int t = 0; t < 4; t++) {
            backend_name = backends[b];
            dtype = (poy_dtype)t;
            MUST(poy_backend_open(ctx, backend_name, &be));
            test();
            poy_backend_close(&be);
        }
    ok(poy_ctx_bytes(ctx) == 0, "all memory is given back");
    poy_ctx_destroy(&ctx);
}

#endif

/* array_fixture.h: arrays made from host values and compared with them, on the backend under test. */
#ifndef ARRAY_FIXTURE_H
#define ARRAY_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "ops/array.h"
#include "tap.h"

static poy_ctx *ctx;
static poy_backend *be;

/* Without this there is nothing to test. */
#define MUST(call)                                                       \
    do {                                                                 \
        if ((call) != POY_OK) {                                          \
            ok(0, "%s: %s", #call, ctx ? poy_ctx_message(ctx) : "none"); \
            exit(1);                                                     \
        }                                                                \
    } while (0)

static inline poy_array *make(poy_dtype dtype, int rank, const int64_t *extent, const void *host)
{
    poy_array *a = NULL;
    MUST(poy_array_create(ctx, be, dtype, rank, extent, &a));
    MUST(poy_array_write(ctx, a, host));
    return a;
}

static inline poy_array *vector_of(poy_dtype dtype, int64_t n, const void *host)
{
    return make(dtype, 1, &n, host);
}

/* Of the type, the shape and in every bit the values. */
static inline int is(const poy_array *a, poy_dtype dtype, int rank, const int64_t *extent, const void *host)
{
    unsigned char got[4096];
    if (!a || a->dtype != dtype || !poyi_shape_equal(a->rank, a->extent, rank, extent))
        return 0;
    size_t bytes = (size_t)a->size * poy_dtype_size(dtype);
    return bytes <= sizeof got && poy_array_read(ctx, a, got) == POY_OK &&
           (bytes == 0 || (host && !memcmp(got, host, bytes)));
}

static inline int is_vector(const poy_array *a, poy_dtype dtype, int64_t n, const void *host)
{
    return is(a, dtype, 1, &n, host);
}

/* Largest distance of f64 parts (c128: both) from want; NaN where there are not so many. */
static inline double distance(const poy_array *a, int64_t parts, const double *want)
{
    double got[512], worst = 0;
    if (!a || (int64_t)((size_t)a->size * poy_dtype_size(a->dtype) / sizeof(double)) != parts || parts > 512 ||
        poy_array_read(ctx, a, got) != POY_OK)
        return (double)NAN;
    for (int64_t i = 0; i < parts; i++)
        worst = fmax(worst, fabs(got[i] - want[i]));
    return worst;
}

/* Runs a test on each backend of the host; the ledger has to be at zero at the end. */
static inline int on_each_backend(void (*test)(void))
{
    static const char *const specs[] = {"ref", "cpu"};
    MUST(poy_ctx_create(&ctx));
    for (int i = 0; i < 2; i++) {
        MUST(poy_backend_open(ctx, specs[i], &be));
        test();
        poy_backend_close(&be);
    }
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero: %zu", poy_ctx_bytes(ctx));
    poy_ctx_destroy(&ctx);
    return tap_done();
}

#endif

/* test_stream.c: outputs that no cache keeps, which are written past the caches, against the same work in pieces that are
 * not: every bit, by one thread and by two, also where an output does not begin a line of the cache. */
#include <stdlib.h>
#include <string.h>

#include "array_fixture.h"
#include "poynting/poynting.h"

enum { PIECE = 5000 };

typedef poy_status each(const poy_array *x, const poy_array *y, const poy_array *b, poy_array *z);

static poy_status run_add(const poy_array *x, const poy_array *y, const poy_array *b, poy_array *z)
{
    (void)b;
    return poy_add_into(ctx, x, y, z);
}
static poy_status run_eq(const poy_array *x, const poy_array *y, const poy_array *b, poy_array *z)
{
    (void)b;
    return poy_eq_into(ctx, x, y, z);
}
static poy_status run_where(const poy_array *x, const poy_array *y, const poy_array *b, poy_array *z)
{
    return poy_where_into(ctx, b, x, y, z);
}
static poy_status run_neg(const poy_array *x, const poy_array *y, const poy_array *b, poy_array *z)
{
    (void)y, (void)b;
    return poy_neg_into(ctx, x, z);
}
static poy_status run_fill(const poy_array *x, const poy_array *y, const poy_array *b, poy_array *z)
{
    (void)x, (void)y, (void)b;
    return poy_fill_into(ctx, (poy_scalar){0.3, 0}, z);
}

/* n elements of a from first on, as an array that the caller destroys. */
static poy_array *part(const poy_array *a, int64_t first, int64_t n)
{
    const int64_t one = 1;
    poy_array *out = NULL;
    MUST(poy_array_view(ctx, a, 1, &n, &one, first, &out));
    return out;
}

static void in_pieces(each *f, const poy_array *x, const poy_array *y, const poy_array *b, poy_array *z, int64_t n)
{
    for (int64_t at = 0; at < n; at += PIECE) {
        const int64_t m = n - at < PIECE ? n - at : PIECE;
        poy_array *px = part(x, at, m), *py = part(y, at, m), *pb = part(b, at, m), *pz = part(z, at, m);
        MUST(f(px, py, pb, pz));
        poy_array_destroy(&px);
        poy_array_destroy(&py);
        poy_array_destroy(&pb);
        poy_array_destroy(&pz);
    }
}

/* 24 MiB to an input: together more than the last cache of most machines, and nothing to notice where it is not. */
static void test(const char *name, each *f, poy_dtype dtype, poy_dtype out, int64_t late)
{
    const int64_t n = (24 << 20) / (int64_t)poy_dtype_size(dtype) + 37, all = n + late;
    const size_t bytes = (size_t)all * poy_dtype_size(out), in = (size_t)n * poy_dtype_size(dtype);
    poy_array *x, *y, *b, *whole, *pieces;
    unsigned char *host = malloc(in > bytes ? in : bytes), *want = malloc(bytes);
    const int single = dtype == POY_F32;
    MUST(poy_fill(ctx, be, (poy_scalar){1, 0}, dtype, 1, &n, &x));
    MUST(poy_fill(ctx, be, (poy_scalar){2, 0}, dtype, 1, &n, &y));
    MUST(poy_fill(ctx, be, (poy_scalar){0, 0}, POY_B8, 1, &n, &b));
    MUST(poy_fill(ctx, be, (poy_scalar){0, 0}, out, 1, &all, &whole));
    MUST(poy_fill(ctx, be, (poy_scalar){0, 0}, out, 1, &all, &pieces));
    for (size_t i = 0; i < in / (single ? sizeof(float) : sizeof(double)); i++)
        if (single)
            ((float *)(void *)host)[i] = (float)(i % 1013) / 7 - 50;
        else
            ((double *)(void *)host)[i] = (double)(i % 1013) / 7 - 50;
    MUST(poy_array_write(ctx, x, host));
    for (int64_t i = 0; i < n; i++)
        host[i] = i % 3 == 0;
    MUST(poy_array_write(ctx, b, host));
    poy_array *to = part(pieces, late, n), *streamed = part(whole, late, n);
    in_pieces(f, x, y, b, to, n);
    MUST(poy_array_read(ctx, pieces, want));
    for (int threads = 1; threads <= 2; threads++) {
        poy_ctx_set_threads(ctx, threads);
        MUST(poy_fill_into(ctx, (poy_scalar){0, 0}, whole));
        MUST(f(x, y, b, streamed));
        MUST(poy_array_read(ctx, whole, host));
        ok(!memcmp(host, want, bytes), "%s of %s, from element %lld, %d thread%s", name, poy_dtype_name(dtype),
           (long long)late, threads, threads > 1 ? "s" : "");
    }
    poy_ctx_set_threads(ctx, 1);
    poy_array **const made[] = {&x, &y, &b, &whole, &pieces, &to, &streamed};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        poy_array_destroy(made[i]);
    free(host);
    free(want);
}

int main(void)
{
    MUST(poy_ctx_create(&ctx));
    MUST(poy_backend_open(ctx, "cpu", &be));
    poy_ctx_set_threads(ctx, 1);
    test("add", run_add, POY_F64, POY_F64, 0);
    test("add", run_add, POY_F32, POY_F32, 1);
    test("eq", run_eq, POY_F64, POY_B8, 5);
    test("where", run_where, POY_F64, POY_F64, 3);
    test("neg", run_neg, POY_C128, POY_C128, 1);
    test("fill", run_fill, POY_F64, POY_F64, 1);
    poy_backend_close(&be);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

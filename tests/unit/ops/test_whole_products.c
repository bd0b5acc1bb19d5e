/* test_whole_products.c: products of integers, which wrap, and of b8, where + is or and * is and: matmul, vdot, einsum, by
 * loops over all indices and by closed forms, on ref and cpu. */
#include "poynting/linalg.h"
#include "poynting/ops.h"

#include "array_fixture.h"

/* The adjacency matrix of a ring of n: its power k joins what is k steps apart. */
static void paths(void)
{
    enum { N = 300, STEPS = 5 }; /* more columns than a tile, more rows than a thread's share */
    static unsigned char ring[N * N], got[N * N];
    const int64_t extent[2] = {N, N};
    poy_array *a = NULL, *power = NULL, *next = NULL;
    int good = 1;
    memset(ring, 0, sizeof ring);
    for (int i = 0; i < N; i++)
        ring[i * N + (i + 1) % N] = ring[i * N + (i + N - 1) % N] = 1;
    a = make(POY_B8, 2, extent, ring);
    MUST(poy_copy(ctx, a, POY_B8, &power));
    for (int k = 1; k < STEPS; k++) {
        MUST(poy_matmul(ctx, power, a, &next));
        good &= poy_array_dtype(next) == POY_B8;
        poy_array_destroy(&power);
        power = next;
    }
    MUST(poy_array_read(ctx, power, got));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const int apart = (j - i + N) % N, near = apart < N - apart ? apart : N - apart;
            good &= got[i * N + j] == (near <= STEPS && (near - STEPS) % 2 == 0);
        }
    ok(good, "b8: five steps on a ring of %d", N);
    poy_array_destroy(&power);
    poy_array_destroy(&a);
}

/* Powers of [1 1; 1 0] are Fibonacci's numbers, modulo 2^32 and 2^64. */
static void fibonacci(void)
{
    const int64_t extent[2] = {2, 2}, wide[4] = {1, 1, 1, 0};
    const int32_t narrow[4] = {1, 1, 1, 0};
    int32_t got32[4];
    int64_t got64[4];
    uint64_t f[2] = {0, 1};
    poy_array *a = make(POY_I32, 2, extent, narrow), *b = make(POY_I64, 2, extent, wide), *x = NULL, *y = NULL;
    MUST(poy_copy(ctx, a, POY_I32, &x));
    MUST(poy_copy(ctx, b, POY_I64, &y));
    for (int k = 0; k < 7; k++) { /* the power 128 */
        poy_array *xx = NULL, *yy = NULL;
        MUST(poy_matmul(ctx, x, x, &xx));
        MUST(poy_matmul(ctx, y, y, &yy));
        poy_array_destroy(&x);
        poy_array_destroy(&y);
        x = xx;
        y = yy;
    }
    for (int k = 0; k < 128; k++) {
        const uint64_t next = f[0] + f[1];
        f[0] = f[1];
        f[1] = next;
    }
    MUST(poy_array_read(ctx, x, got32));
    MUST(poy_array_read(ctx, y, got64));
    ok((uint32_t)got32[1] == (uint32_t)f[0] && (uint32_t)got32[0] == (uint32_t)f[1], "i32: F_128 modulo 2^32");
    ok((uint64_t)got64[1] == f[0] && (uint64_t)got64[0] == f[1], "i64: F_128 modulo 2^64");
    poy_array *const all[] = {a, b, x, y};
    for (int i = 0; i < 4; i++) {
        poy_array *one = all[i];
        poy_array_destroy(&one);
    }
}

/* i64 [3, 4, 5] of which every second column in reverse is taken, times its own transpose, against loops. */
static void strided(void)
{
    enum { B = 3, M = 4, K = 5 };
    int64_t host[B * M * 2 * K], got[B * M * M];
    const int64_t extent[3] = {B, M, 2 * K};
    const int order[3] = {0, 2, 1};
    poy_array *whole, *x = NULL, *t = NULL, *z = NULL;
    int good = 1;
    for (int i = 0; i < B * M * 2 * K; i++)
        host[i] = i * 7919 % 1000 - 500;
    whole = make(POY_I64, 3, extent, host);
    MUST(poy_array_slice(ctx, whole, 2, INT64_MIN, INT64_MIN, -2, &x));
    MUST(poy_array_transpose(ctx, x, order, &t));
    MUST(poy_matmul(ctx, x, t, &z));
    MUST(poy_array_read(ctx, z, got));
    for (int b = 0; b < B; b++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++) {
                int64_t sum = 0;
                for (int k = 0; k < K; k++)
                    sum +=
                        host[(b * M + i) * 2 * K + 2 * K - 1 - 2 * k] * host[(b * M + j) * 2 * K + 2 * K - 1 - 2 * k];
                good &= got[(b * M + i) * M + j] == sum;
            }
    ok(good, "a batch of strided and transposed matrices");
    poy_array *const all[] = {whole, x, t, z};
    for (int i = 0; i < 4; i++) {
        poy_array *one = all[i];
        poy_array_destroy(&one);
    }
}

static void types(void)
{
    const int64_t three = 3, none = 0, i64[3] = {1, -2, 3};
    const int32_t i32[3] = {INT32_MAX, 1, 1}, twos[3] = {2, 2, 2};
    const unsigned char b8[3] = {0, 1, 1}, other[3] = {1, 0, 0};
    const double halves[3] = {0.5, 0.5, 0.5};
    poy_array *a = vector_of(POY_I64, 3, i64), *b = vector_of(POY_I32, 3, i32), *c = vector_of(POY_I32, 3, twos);
    poy_array *d = vector_of(POY_B8, 3, b8), *e = vector_of(POY_B8, 3, other), *h = vector_of(POY_F64, 3, halves);
    poy_array *y = NULL, *empty = NULL;
    ok(poy_vdot(ctx, b, c, &y) == POY_OK && is(y, POY_I32, 0, NULL, &(int32_t){2}), "i32 . i32 wraps: 2 (2^31 + 1)");
    poy_array_destroy(&y);
    ok(poy_vdot(ctx, a, d, &y) == POY_OK && is(y, POY_I64, 0, NULL, &(int64_t){1}), "i64 . b8 is i64");
    poy_array_destroy(&y);
    ok(poy_vdot(ctx, d, d, &y) == POY_OK && is(y, POY_B8, 0, NULL, &(unsigned char){1}), "b8 . b8 is b8");
    poy_array_destroy(&y);
    ok(poy_vdot(ctx, d, e, &y) == POY_OK && is(y, POY_B8, 0, NULL, &(unsigned char){0}),
       "and 0 of two that never meet");
    poy_array_destroy(&y);
    ok(poy_matmul(ctx, b, h, &y) == POY_OK && is(y, POY_F64, 0, NULL, &(double){0.5 * ((double)INT32_MAX + 2)}),
       "i32 times f64 is f64, before anything is added");
    poy_array_destroy(&y);
    MUST(poy_array_create(ctx, be, POY_I32, 1, &none, &empty));
    ok(poy_vdot(ctx, empty, empty, &y) == POY_OK && is(y, POY_I32, 0, NULL, &(int32_t){0}), "of nothing: 0");
    poy_array_destroy(&y);
    /* einsum: in the promoted type from the beginning */
    const poy_array *const mixed[2] = {b, h}, *const outer[2] = {d, e}, *const single[1] = {b}, *const bits[1] = {d};
    ok(poy_einsum(ctx, "i,j->", 2, mixed, &y) == POY_OK &&
           is(y, POY_F64, 0, NULL, &(double){1.5 * ((double)INT32_MAX + 2)}),
       "einsum of i32 and f64 adds in f64");
    poy_array_destroy(&y);
    ok(poy_einsum(ctx, "i->", 1, single, &y) == POY_OK && is(y, POY_I32, 0, NULL, &(int32_t){INT32_MIN + 1}),
       "of i32 alone it wraps");
    poy_array_destroy(&y);
    ok(poy_einsum(ctx, "i->", 1, bits, &y) == POY_OK && is(y, POY_B8, 0, NULL, &(unsigned char){1}), "of b8 it joins");
    poy_array_destroy(&y);
    ok(poy_einsum(ctx, "i,j->ij", 2, outer, &y) == POY_OK &&
           is(y, POY_B8, 2, (int64_t[]){three, three}, (unsigned char[]){0, 0, 0, 1, 0, 0, 1, 0, 0}),
       "outer products of b8");
    poy_array_destroy(&y);
    poy_array *const all[] = {a, b, c, d, e, h, empty};
    for (int i = 0; i < 7; i++) {
        poy_array *one = all[i];
        poy_array_destroy(&one);
    }
}

static void test(void)
{
    note("on %s", poy_backend_name(be));
    paths();
    fibonacci();
    strided();
    types();
}

int main(void)
{
    return on_each_backend(test);
}

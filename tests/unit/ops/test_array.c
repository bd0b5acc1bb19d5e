/* test_array.c: arrays: shapes, views of all kinds, wrapped memory, lifetimes, and what is refused. */
#include <string.h>

#include "ops/array.h"
#include "poynting/poynting.h"
#include "tap.h"

#define EXTENT(...) ((const int64_t[]){__VA_ARGS__})

static poy_ctx *ctx;
static poy_backend *be;

/* f64 0, 1, 2, ... of a shape. */
static poy_array *counted(int rank, const int64_t *extent)
{
    double values[512];
    poy_array *a = NULL;
    for (int i = 0; i < 512; i++)
        values[i] = i;
    if (poy_array_create(ctx, be, POY_F64, rank, extent, &a) != POY_OK || poy_array_write(ctx, a, values) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    return a;
}

static int reads(const poy_array *a, int64_t n, const double *want)
{
    double got[512] = {0};
    if (poy_array_size(a) != n || poy_array_read(ctx, a, got) != POY_OK)
        return 0;
    for (int64_t i = 0; i < n; i++)
        if (got[i] != want[i]) {
            note("element %d is %g, not %g", (int)i, got[i], want[i]);
            return 0;
        }
    return 1;
}
#define READS(a, ...) reads((a), sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})

static void creation(void)
{
    poy_array *a = NULL;
    size_t before = poy_ctx_bytes(ctx);
    int64_t eight[8] = {1, 2, 1, 2, 1, 2, 1, 2}, big = INT64_C(1) << 62;

    a = counted(2, EXTENT(2, 3));
    ok(poy_array_rank(a) == 2 && poy_array_extent(a, 1) == 3 && poy_array_stride(a, 0) == 3 && poy_array_size(a) == 6,
       "a shape of 2 by 3");
    ok(poy_ctx_bytes(ctx) == before + 48, "is 48 bytes in the ledger");
    ok(READS(a, 0, 1, 2, 3, 4, 5), "what is written is read");
    poy_array_destroy(&a);
    poy_array_destroy(&a);
    ok(poy_ctx_bytes(ctx) == before && !a, "and given back");
    a = counted(0, NULL);
    ok(poy_array_size(a) == 1 && READS(a, 0), "rank 0 is one element");
    poy_array_destroy(&a);
    a = counted(3, EXTENT(3, 0, 2));
    ok(poy_array_size(a) == 0 && poy_array_stride(a, 0) == 2, "an extent of 0 is no element");
    poy_array_destroy(&a);
    a = counted(8, eight);
    ok(poy_array_size(a) == 16, "eight axes");
    poy_array_destroy(&a);
    ok(poy_array_create(ctx, be, POY_F64, 9, eight, &a) == POY_ERR_SHAPE, "not nine: %s", poy_ctx_cause(ctx));
    ok(poy_array_create(ctx, be, POY_F64, 1, EXTENT(-1), &a) == POY_ERR_SHAPE && !a, "nor -1: %s", poy_ctx_cause(ctx));
    ok(poy_array_create(ctx, be, POY_C128, 2, (int64_t[]){big, 2}, &a) == POY_ERR_MEMORY, "nor 2^63: %s",
       poy_ctx_cause(ctx));
    ok(poy_array_create(ctx, be, POY_F64, 2, (int64_t[]){0, big}, &a) == POY_ERR_MEMORY, "nor 0 times 2^62 words: %s",
       poy_ctx_cause(ctx));
    ok(poy_array_create(ctx, be, (poy_dtype)7, 0, NULL, &a) == POY_ERR_DTYPE, "nor type 7: %s", poy_ctx_cause(ctx));
    poy_ctx_set_budget(ctx, 1000);
    ok(poy_array_create(ctx, be, POY_F64, 1, EXTENT(1000), &a) == POY_ERR_BUDGET, "nor more than the budget: %s",
       poy_ctx_cause(ctx));
    poy_ctx_set_budget(ctx, 0);
}

static void slices(void)
{
    poy_array *a = counted(1, EXTENT(10)), *s = NULL, *m = counted(2, EXTENT(3, 4));
    const int64_t open = INT64_MIN;
    ok(poy_array_slice(ctx, a, 0, 7, open, -2, &s) == POY_OK && *(double *)poy_array_memory(s) == 7 &&
           ((double *)poy_array_memory(s))[poy_array_stride(s, 0)] == 5,
       "the host's memory of a view, from its first element on");
    poy_array_destroy(&s);
    static const struct {
        int64_t start, stop, step, n;
        double first, last;
    } cases[] = {
        {2, 5, 1, 3, 2, 4},
        {INT64_MIN, INT64_MIN, 1, 10, 0, 9},
        {INT64_MIN, INT64_MIN, -1, 10, 9, 0},
        {INT64_MIN, INT64_MIN, 3, 4, 0, 9},
        {-3, INT64_MIN, 1, 3, 7, 9},
        {INT64_MIN, -3, 1, 7, 0, 6},
        {8, 2, -2, 3, 8, 4},
        {-1, -11, -3, 4, 9, 0},
        {100, INT64_MIN, -1, 10, 9, 0},
        {5, 5, 1, 0, 0, 0},
        {5, 2, 1, 0, 0, 0},
        {2, 5, -1, 0, 0, 0},
        {-100, 100, 1, 10, 0, 9},
        {0, 10, INT64_MAX, 1, 0, 0},
        {3, INT64_MIN, -INT64_MAX, 1, 3, 3},
        {10, INT64_MIN, 1, 0, 0, 0},
    };
    int failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double got[10] = {0};
        if (poy_array_slice(ctx, a, 0, cases[i].start, cases[i].stop, cases[i].step, &s) != POY_OK ||
            poy_array_size(s) != cases[i].n || poy_array_read(ctx, s, got) != POY_OK ||
            (cases[i].n && (got[0] != cases[i].first || got[cases[i].n - 1] != cases[i].last))) {
            note("case %d: %s", (int)i, poy_ctx_message(ctx));
            failures++;
        }
        poy_array_destroy(&s);
    }
    ok(!failures, "slices as Python takes them");
    ok(poy_array_slice(ctx, m, -1, open, open, -2, &s) == POY_OK && READS(s, 3, 1, 7, 5, 11, 9),
       "every other column from the last");
    double ones[6] = {-1, -2, -3, -4, -5, -6};
    ok(poy_array_write(ctx, s, ones) == POY_OK && READS(m, 0, -2, 2, -1, 4, -4, 6, -3, 8, -6, 10, -5),
       "writing to a view writes there only");
    poy_array_destroy(&s);
    ok(poy_array_slice(ctx, m, 2, 0, 1, 1, &s) == POY_ERR_AXIS && !s, "no axis 2: %s", poy_ctx_cause(ctx));
    ok(poy_array_slice(ctx, m, 0, 0, 1, 0, &s) == POY_ERR_ARGUMENT, "no step 0: %s", poy_ctx_cause(ctx));
    poy_array_destroy(&a);
    poy_array_destroy(&m);
}

static void transposes(void)
{
    poy_array *a = counted(3, EXTENT(2, 3, 2)), *t = NULL, *zero = counted(0, NULL);

    ok(poy_array_transpose(ctx, a, NULL, &t) == POY_OK && poy_array_extent(t, 1) == 3 &&
           READS(t, 0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11),
       "axes reversed");
    poy_array_destroy(&t);
    ok(poy_array_transpose(ctx, a, (const int[]){1, -1, 0}, &t) == POY_OK &&
           READS(t, 0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11),
       "axes named, also from the end");
    poy_array_destroy(&t);
    ok(poy_array_transpose(ctx, a, (const int[]){0, 1, 1}, &t) == POY_ERR_AXIS, "twice: %s", poy_ctx_cause(ctx));
    ok(poy_array_transpose(ctx, a, (const int[]){0, 1, 3}, &t) == POY_ERR_AXIS, "not there: %s", poy_ctx_cause(ctx));
    ok(poy_array_transpose(ctx, zero, NULL, &t) == POY_OK && poy_array_rank(t) == 0, "rank 0 stays");
    poy_array_destroy(&t);
    poy_array_destroy(&zero);
    poy_array_destroy(&a);
}

static void broadcasts(void)
{
    poy_array *a = counted(2, EXTENT(2, 1)), *b = NULL, *empty = counted(2, EXTENT(1, 0));
    double two[2] = {1, 2};

    ok(poy_array_broadcast_to(ctx, a, 3, EXTENT(2, 2, 3), &b) == POY_OK &&
           READS(b, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1) && poy_array_stride(b, 0) == 0,
       "broadcast by strides of 0");
    ok(poy_array_write(ctx, b, two) == POY_ERR_ARGUMENT, "such a view cannot be written to: %s", poy_ctx_cause(ctx));
    poy_array_destroy(&b);
    ok(poy_array_broadcast_to(ctx, a, 2, EXTENT(3, 3), &b) == POY_ERR_BROADCAST && !b, "2 is not 3: %s",
       poy_ctx_cause(ctx));
    ok(poy_array_broadcast_to(ctx, a, 1, EXTENT(2), &b) == POY_ERR_BROADCAST, "nor are axes dropped: %s",
       poy_ctx_cause(ctx));
    ok(poy_array_broadcast_to(ctx, empty, 2, EXTENT(4, 0), &b) == POY_OK && poy_array_size(b) == 0, "1 goes with 0");
    poy_array_destroy(&b);
    ok(poy_array_broadcast_to(ctx, a, 2, EXTENT(2, 1), &b) == POY_OK && poy_array_write(ctx, b, two) == POY_OK &&
           READS(a, 1, 2),
       "the same shape is an ordinary view");
    poy_array_destroy(&b);
    poy_array_destroy(&empty);
    poy_array_destroy(&a);
}

static int shares(const poy_array *a, const poy_array *b)
{
    return a->mem == b->mem;
}

static void reshapes(void)
{
    poy_array *a = counted(3, EXTENT(2, 3, 4)), *t = NULL, *s = NULL, *r = NULL;

    ok(poy_array_reshape(ctx, a, 2, EXTENT(6, -1), &r) == POY_OK && shares(a, r) && poy_array_extent(r, 1) == 4,
       "a reshape with -1 is a view");
    poy_array_destroy(&r);
    ok(poy_array_transpose(ctx, a, NULL, &t) == POY_OK && poy_array_reshape(ctx, t, 1, EXTENT(24), &r) == POY_OK &&
           !shares(a, r) &&
           READS(r, 0, 12, 4, 16, 8, 20, 1, 13, 5, 17, 9, 21, 2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23),
       "of a transpose, a copy in index order");
    poy_array_destroy(&r);
    poy_array_destroy(&t);
    ok(poy_array_slice(ctx, a, 1, INT64_MIN, INT64_MIN, -1, &s) == POY_OK &&
           poy_array_reshape(ctx, s, 4, EXTENT(2, 3, 2, 2), &r) == POY_OK && shares(a, r) &&
           READS(r, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3, 20, 21, 22, 23, 16, 17, 18, 19, 12, 13, 14, 15),
       "axes that are only split stay a view, strides negative or not");
    poy_array_destroy(&r);
    ok(poy_array_reshape(ctx, s, 5, EXTENT(1, 2, 1, 12, 1), &r) == POY_OK && !shares(a, r), "axes to be joined do not");
    poy_array_destroy(&r);
    poy_array_destroy(&s);
    ok(poy_array_slice(ctx, a, 2, 0, 4, 2, &s) == POY_OK &&
           poy_array_reshape(ctx, s, 4, EXTENT(1, 6, 1, 2), &r) == POY_OK && shares(a, r) &&
           READS(r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22),
       "joined where the step allows");
    poy_array_destroy(&r);
    poy_array_destroy(&s);
    ok(poy_array_reshape(ctx, a, 2, EXTENT(5, -1), &r) == POY_ERR_SHAPE && !r, "24 by 5: %s", poy_ctx_cause(ctx));
    ok(poy_array_reshape(ctx, a, 2, EXTENT(-1, -1), &r) == POY_ERR_SHAPE, "two -1: %s", poy_ctx_cause(ctx));
    ok(poy_array_reshape(ctx, a, 2, EXTENT(0, -1), &r) == POY_ERR_SHAPE, "-1 beside 0: %s", poy_ctx_cause(ctx));
    ok(poy_array_reshape(ctx, a, 2, EXTENT(2, 3), &r) == POY_ERR_SHAPE, "another size: %s", poy_ctx_cause(ctx));
    ok(poy_array_reshape(ctx, a, 1, EXTENT(-24), &r) == POY_ERR_SHAPE, "-24: %s", poy_ctx_cause(ctx));
    poy_array_destroy(&a);
    a = counted(2, EXTENT(0, 3));
    ok(poy_array_reshape(ctx, a, 3, EXTENT(3, 0, 7), &r) == POY_OK && poy_array_extent(r, 2) == 7, "no elements");
    poy_array_destroy(&r);
    poy_array_destroy(&a);
}

static void windows(void)
{
    double memory[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    poy_array *w = NULL, *v = NULL, *a = counted(1, EXTENT(6));

    ok(poy_array_wrap(ctx, be, POY_F64, 2, EXTENT(2, 3), EXTENT(-6, 2), memory + 6, &w) == POY_OK &&
           READS(w, 6, 8, 10, 0, 2, 4),
       "the caller's memory, strides as it wants");
    double zeros[6] = {0};
    ok(poy_array_write(ctx, w, zeros) == POY_OK && memory[4] == 0 && memory[5] == 5, "is written to in place");
    ok(poy_array_view(ctx, w, 1, EXTENT(3), EXTENT(1), 2, &v) == POY_OK && READS(v, 0, 9, 0),
       "a view may step between its elements");
    poy_array_destroy(&v);
    ok(poy_array_view(ctx, w, 1, EXTENT(2), EXTENT(1), 4, &v) == POY_ERR_INDEX && !v, "not beyond its last: %s",
       poy_ctx_cause(ctx));
    ok(poy_array_view(ctx, w, 1, EXTENT(2), EXTENT(-1), -6, &v) == POY_ERR_INDEX, "nor its first");
    ok(poy_array_view(ctx, w, 1, EXTENT(3), EXTENT(INT64_MAX), 0, &v) == POY_ERR_INDEX, "nor all memory: %s",
       poy_ctx_cause(ctx));
    ok(poy_array_view(ctx, w, 1, EXTENT(0), EXTENT(5), 1000, &v) == POY_OK && poy_array_size(v) == 0,
       "no element is nowhere");
    poy_array_destroy(&v);
    poy_array_destroy(&w);
    ok(poy_array_view(ctx, a, 2, EXTENT(4, 3), EXTENT(1, 1), 0, &v) == POY_OK &&
           READS(v, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5) && !v->distinct,
       "windows that slide share elements");
    poy_array_destroy(&a);
    ok(READS(v, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5), "a view keeps the buffer");
    poy_array_destroy(&v);
    ok(poy_array_wrap(ctx, be, POY_F64, 1, EXTENT(3), EXTENT(INT64_MAX), memory, &w) == POY_ERR_SHAPE && !w,
       "strides beyond all memory: %s", poy_ctx_cause(ctx));
    ok(poyi_window_distinct(2, EXTENT(3, 4), EXTENT(-4, 1)) && poyi_window_distinct(2, EXTENT(2, 2), EXTENT(1, 2)) &&
           !poyi_window_distinct(2, EXTENT(3, 4), EXTENT(3, 1)) && !poyi_window_distinct(1, EXTENT(2), EXTENT(0)) &&
           poyi_window_distinct(2, EXTENT(1, 0), EXTENT(0, 0)),
       "which windows have elements of their own");
}

/* Every nest in normal form visits the same elements in another order. */
static void normal_forms(void)
{
    poyi_nest nest = {.n = 2, .rank = 4, .extent = {2, 3, 1, 4}, .stride = {{12, -4, 7, 1}, {4, 8, 9, 1}}};
    int left = poyi_nest_normalise(&nest, 0, 4, 0);
    ok(left == 3 && nest.rank == 3 && nest.offset[0] == -8 && nest.offset[1] == 16 && nest.extent[0] == 2 &&
           nest.extent[1] == 3 && nest.stride[0][1] == 4 && nest.stride[1][1] == -8,
       "ones go, negative strides of the lead turn round");
    poyi_nest dense = {.n = 2, .rank = 3, .extent = {4, 2, 3}, .stride = {{1, 12, 4}, {1, 12, 4}}};
    left = poyi_nest_normalise(&dense, 0, 3, 1);
    ok(left == 1 && dense.extent[0] == 24 && dense.stride[0][0] == 1, "any order of a dense block is one axis");
    poyi_nest part = {.n = 1, .rank = 4, .extent = {5, 2, 3, 7}, .stride = {{100, 3, 1, 1000}}};
    left = poyi_nest_normalise(&part, 1, 2, 0);
    ok(left == 1 && part.rank == 3 && part.extent[0] == 5 && part.extent[1] == 6 && part.extent[2] == 7 &&
           part.stride[0][2] == 1000,
       "and the axes around it stay");
}

int main(void)
{
    ok(poy_ctx_create(&ctx) == POY_OK && poy_backend_open(ctx, "ref", &be) == POY_OK, "ref is open");
    creation();
    slices();
    transposes();
    broadcasts();
    reshapes();
    windows();
    normal_forms();
    poy_array *last = counted(1, EXTENT(4));
    ok(poy_ctx_bytes(ctx) == 32, "nothing is left but the last array");
    poy_backend_close(&be);
    poy_ctx_destroy(&ctx);
    poy_array_destroy(&last);
    ok(last == NULL, "which outlives its backend's handle and its context");
    return tap_done();
}

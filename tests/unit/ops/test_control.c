/* test_control.c: loops, branches, scans and maps over callbacks. */
#include "array_fixture.h"
#include "poynting/control.h"
#include "poynting/ops.h"

/* ---- loops: Fibonacci's numbers, and what i tells ---- */

static poy_status fibonacci(poy_ctx *c, void *user, int64_t i, poy_array *const *in, poy_array *const *out)
{
    int64_t *sum = user;
    *sum += i;
    if (in[0]->mem == out[0]->mem || in[0]->mem == out[1]->mem)
        return poy_ctx_fail(c, POY_ERR_INTERNAL, "in and out are the same");
    poy_status status = poy_copy_into(c, in[1], out[0]);
    return status == POY_OK ? poy_add_into(c, in[0], in[1], out[1]) : status;
}

static poy_status fails_late(poy_ctx *c, void *user, int64_t i, poy_array *const *in, poy_array *const *out)
{
    return i < 3 ? fibonacci(c, user, i, in, out) : POY_ERR_NONFINITE;
}

static poy_status below_hundred(poy_ctx *c, void *user, poy_array *const *carry, int *go_on)
{
    int64_t now = 0;
    (void)user;
    poy_status status = poy_array_read(c, carry[0], &now);
    *go_on = now < 100;
    return status;
}

static void start(poy_array *carry[2])
{
    const int64_t zero = 0, one = 1;
    carry[0] = make(POY_I64, 0, NULL, &zero);
    carry[1] = make(POY_I64, 0, NULL, &one);
}

static void finish(poy_array *carry[2])
{
    poy_array_destroy(&carry[0]);
    poy_array_destroy(&carry[1]);
}

static int holds(poy_array *const carry[2], int64_t a, int64_t b)
{
    return is(carry[0], POY_I64, 0, NULL, &a) && is(carry[1], POY_I64, 0, NULL, &b);
}

static void loops(void)
{
    poy_array *carry[2], *given;
    int64_t sum = 0, turns = 0;
    start(carry);
    given = NULL;
    MUST(poy_array_view(ctx, carry[1], 0, NULL, NULL, 0, &given));
    ok(poy_fori(ctx, 3, 13, fibonacci, &sum, 2, carry) == POY_OK && holds(carry, 55, 89) && sum == 75, "ten turns");
    int64_t one = 1;
    ok(is(given, POY_I64, 0, NULL, &one), "what was given is not written to");
    ok(poy_fori(ctx, 5, 5, fibonacci, &sum, 2, carry) == POY_OK && holds(carry, 55, 89), "no turn");
    ok(poy_fori(ctx, 0, 1, fibonacci, &sum, 2, carry) == POY_OK && holds(carry, 89, 144), "one turn");
    ok(poy_fori(ctx, 0, 9, fails_late, &sum, 2, carry) == POY_ERR_NONFINITE && holds(carry, 89, 144),
       "a failure leaves the carry as it was");
    finish(carry);
    start(carry);
    ok(poy_while(ctx, below_hundred, fibonacci, &sum, 1, 2, carry, &turns) == POY_OK && holds(carry, 144, 233) &&
           turns == 12,
       "as long as a test says so");
    ok(poy_while(ctx, below_hundred, fibonacci, &sum, 1, 2, carry, &turns) == POY_OK && turns == 0 &&
           holds(carry, 144, 233),
       "which may be never");
    finish(carry);
    start(carry);
    ok(poy_while(ctx, below_hundred, fibonacci, &sum, 5, 2, carry, &turns) == POY_OK && turns == 15,
       "asked every fifth turn");
    ok(poy_while(ctx, below_hundred, fibonacci, &sum, 0, 2, carry, &turns) == POY_ERR_ARGUMENT, "not every 0th");
    ok(poy_fori(ctx, 0, 1, fibonacci, &sum, POY_CARRY_MAX + 1, carry) == POY_ERR_ARGUMENT, "nor with too many arrays");
    poy_array_destroy(&given);
    finish(carry);
}

/* Memory is taken for two carries in the first turns. */
static poy_status counts_bytes(poy_ctx *c, void *user, int64_t i, poy_array *const *in, poy_array *const *out)
{
    size_t *bytes = user;
    bytes[i] = poy_ctx_bytes(c);
    return poy_neg_into(c, in[0], out[0]);
}

static void memory(void)
{
    double host[100] = {1};
    poy_array *a = vector_of(POY_F64, 100, host);
    size_t bytes[6] = {0}, before = poy_ctx_bytes(ctx);
    ok(poy_fori(ctx, 0, 6, counts_bytes, bytes, 1, &a) == POY_OK && bytes[0] == before + 800 &&
           bytes[1] == before + 1600 && bytes[5] == bytes[1] && poy_ctx_bytes(ctx) == before,
       "a loop takes memory in its first two turns");
    poy_array_destroy(&a);
}

/* ---- branches ---- */

static poy_status doubles(poy_ctx *c, void *user, poy_array *const *in, poy_array **out)
{
    (void)user;
    return poy_add(c, in[0], in[0], out);
}
static poy_status makes_and_fails(poy_ctx *c, void *user, poy_array *const *in, poy_array **out)
{
    poy_status status = doubles(c, user, in, out);
    return status == POY_OK ? POY_ERR_SINGULAR : status;
}

static void branches(void)
{
    const double x = 21, twice = 42, half = 0.5, zero = 0, two[2] = {1, 2};
    poy_array *a = make(POY_F64, 0, NULL, &x), *yes = make(POY_F64, 0, NULL, &half),
              *no = make(POY_F64, 0, NULL, &zero);
    poy_array *both = vector_of(POY_F64, 2, two), *out = NULL;
    ok(poy_cond(ctx, yes, doubles, makes_and_fails, NULL, &a, 1, &out) == POY_OK && is(out, POY_F64, 0, NULL, &twice),
       "not 0: then");
    poy_array_destroy(&out);
    ok(poy_cond(ctx, no, doubles, makes_and_fails, NULL, &a, 1, &out) == POY_ERR_SINGULAR && !out,
       "0: otherwise, whose failure gives back what it made");
    ok(poy_cond(ctx, both, doubles, doubles, NULL, &a, 1, &out) == POY_ERR_SHAPE && !out,
       "two elements are no condition");
    poy_array_destroy(&both);
    poy_array_destroy(&no);
    poy_array_destroy(&yes);
    poy_array_destroy(&a);
}

/* ---- scan: running sums of rows, and their doubles ---- */

static poy_status adds_row(poy_ctx *c, void *user, int64_t i, poy_array *const *in, poy_array *const *out,
                           poy_array *const *x, poy_array *const *y)
{
    (void)user;
    (void)i;
    poy_status status = poy_add_into(c, in[0], x[0], out[0]);
    return status == POY_OK ? poy_add_into(c, out[0], out[0], y[0]) : status;
}

static poy_status counts(poy_ctx *c, void *user, int64_t i, poy_array *const *in, poy_array *const *out,
                         poy_array *const *x, poy_array *const *y)
{
    (void)x;
    (void)user;
    poy_status status = poy_copy_into(c, in[0], out[0]);
    return status == POY_OK ? poy_fill_into(c, (poy_scalar){(double)i, 0}, y[0]) : status;
}

static void scans(void)
{
    static const double rows[6] = {1, 2, 3, 4, 5, 6}, nothing[2] = {0, 0}, sums[2] = {9, 12};
    static const double forward[6] = {2, 4, 8, 12, 18, 24}, backward[6] = {18, 24, 16, 20, 10, 12},
                        numbers[3] = {0, 1, 2};
    const int64_t shape[2] = {3, 2}, none[2] = {0, 2};
    const poy_like like = {POY_F64, 1, {2}}, scalar = {POY_F64, 0, {0}};
    poy_array *xs = make(POY_F64, 2, shape, rows), *carry = vector_of(POY_F64, 2, nothing), *ys = NULL, *empty = NULL;
    ok(poy_scan(ctx, be, adds_row, NULL, -1, 0, 1, &carry, 1, &xs, 1, &like, &ys) == POY_OK &&
           is_vector(carry, POY_F64, 2, sums) && is(ys, POY_F64, 2, shape, forward),
       "running sums of rows");
    poy_array_destroy(&ys);
    MUST(poy_fill_into(ctx, (poy_scalar){0, 0}, carry));
    ok(poy_scan(ctx, be, adds_row, NULL, 3, 1, 1, &carry, 1, &xs, 1, &like, &ys) == POY_OK &&
           is_vector(carry, POY_F64, 2, sums) && is(ys, POY_F64, 2, shape, backward),
       "backwards, kept in the order of the rows");
    poy_array_destroy(&ys);
    ok(poy_scan(ctx, be, counts, NULL, 3, 0, 1, &carry, 0, NULL, 1, &scalar, &ys) == POY_OK &&
           is_vector(ys, POY_F64, 3, numbers),
       "without rows");
    poy_array_destroy(&ys);
    MUST(poy_array_create(ctx, be, POY_F64, 2, none, &empty));
    ok(poy_scan(ctx, be, adds_row, NULL, -1, 0, 1, &carry, 1, &empty, 1, &like, &ys) == POY_OK &&
           is(ys, POY_F64, 2, none, NULL) && is_vector(carry, POY_F64, 2, sums),
       "no rows: nothing, of the right shape");
    poy_array_destroy(&ys);
    ok(poy_scan(ctx, be, counts, NULL, -1, 0, 1, &carry, 0, NULL, 1, &scalar, &ys) == POY_ERR_SHAPE && !ys,
       "no length");
    ok(poy_scan(ctx, be, adds_row, NULL, 4, 0, 1, &carry, 1, &xs, 1, &like, &ys) == POY_ERR_SHAPE && !ys,
       "another length");
    poy_array_destroy(&empty);
    poy_array_destroy(&carry);
    poy_array_destroy(&xs);
}

/* ---- vmap ---- */

static poy_status scaled_sum(poy_ctx *c, void *user, poy_array *const *x, poy_array *const *y)
{
    const int last = -1;
    poy_array *scaled = NULL;
    int *calls = user;
    ++*calls;
    poy_status status = poy_mul(c, x[0], x[1], &scaled);
    if (status == POY_OK)
        status = poy_sum_into(c, scaled, 1, &last, 0, y[0]);
    poy_array_destroy(&scaled);
    return status;
}

static void maps(void)
{
    static const double m[6] = {1, 2, 3, 4, 5, 6}, w[2] = {10, 1}, want[3] = {14, 25, 36};
    const int64_t shape[2] = {2, 3}, none[2] = {2, 0};
    const int axes[2] = {-1, POY_MAP_NONE}, over_rows[2] = {0, 0}, nowhere[2] = {POY_MAP_NONE, POY_MAP_NONE},
              off[2] = {5, 0};
    const poy_like like = {POY_F64, 0, {0}};
    poy_array *xs[2] = {make(POY_F64, 2, shape, m), vector_of(POY_F64, 2, w)}, *ys = NULL, *empty[2] = {NULL, xs[1]};
    int calls = 0;
    ok(poy_vmap(ctx, be, scaled_sum, &calls, 0, 2, xs, axes, 1, &like, NULL, &ys) == POY_OK &&
           is_vector(ys, POY_F64, 3, want) && calls == 3,
       "over columns, one by one");
    poy_array_destroy(&ys);
    calls = 0;
    ok(poy_vmap(ctx, be, scaled_sum, &calls, POY_MAP_WHOLE, 2, xs, axes, 1, &like, NULL, &ys) == POY_OK &&
           is_vector(ys, POY_F64, 3, want) && calls == 1,
       "over columns, all at once");
    poy_array_destroy(&ys);
    ok(poy_vmap(ctx, be, scaled_sum, &calls, 0, 2, xs, nowhere, 1, &like, NULL, &ys) == POY_ERR_ARGUMENT && !ys,
       "over nothing");
    ok(poy_vmap(ctx, be, scaled_sum, &calls, 0, 2, xs, off, 1, &like, NULL, &ys) == POY_ERR_AXIS && !ys,
       "no such axis");
    MUST(poy_array_create(ctx, be, POY_F64, 2, none, &empty[0]));
    calls = 0;
    const int64_t no = 0;
    ok(poy_vmap(ctx, be, scaled_sum, &calls, 0, 2, empty, axes, 1, &like, NULL, &ys) == POY_OK && !calls &&
           is(ys, POY_F64, 1, &no, NULL),
       "no members");
    poy_array_destroy(&ys);
    const int both[2] = {1, 0};
    ok(poy_vmap(ctx, be, scaled_sum, &calls, 0, 2, xs, both, 1, &like, NULL, &ys) == POY_ERR_SHAPE && !ys,
       "three members against two");
    ok(poy_vmap(ctx, be, scaled_sum, &calls, 0, 2, xs, over_rows, 1, &like, NULL, &ys) == POY_OK && ys->size == 2,
       "over rows and weights together");
    poy_array_destroy(&ys);
    poy_array_destroy(&empty[0]);
    poy_array_destroy(&xs[1]);
    poy_array_destroy(&xs[0]);
}

/* A result whose members are its last axis. */
static poy_status negates(poy_ctx *c, void *user, poy_array *const *x, poy_array *const *y)
{
    (void)user;
    return poy_neg_into(c, x[0], y[0]);
}

static void stacks_elsewhere(void)
{
    static const double m[6] = {1, 2, 3, 4, 5, 6}, want[6] = {-1, -4, -2, -5, -3, -6};
    const int64_t shape[2] = {2, 3}, turned[2] = {3, 2};
    const int rows = 0, to = 1;
    const poy_like like = {POY_F64, 1, {3}};
    poy_array *x = make(POY_F64, 2, shape, m), *y = NULL;
    for (unsigned flags = 0; flags < 2; flags++) {
        ok(poy_vmap(ctx, be, negates, NULL, flags, 1, &x, &rows, 1, &like, &to, &y) == POY_OK &&
               is(y, POY_F64, 2, turned, want),
           "rows become columns, flags %u", flags);
        poy_array_destroy(&y);
    }
    poy_array_destroy(&x);
}

static void all(void)
{
    loops();
    memory();
    branches();
    scans();
    maps();
    stacks_elsewhere();
}

int main(void)
{
    return on_each_backend(all);
}

/* test_exchange.c: memory that is owned, lent for reading, moved, and passed on by DLPack. */
#include "array_fixture.h"
#include "poynting/exchange.h"
#include "poynting/ops.h"

static int freed;
static void *freed_host;

static void count_free(void *user, void *host)
{
    freed += *(int *)user;
    freed_host = host;
}

static void ownership(void)
{
    double host[4] = {1, 2, 3, 4};
    int64_t n = 4, two = 2, step = 2;
    int by = 1;
    poy_array *a = NULL, *v = NULL;
    freed = 0;
    ok(poy_array_own(ctx, be, POY_F64, 1, &n, NULL, host, 0, count_free, &by, &a) == POY_OK, "memory is taken over");
    MUST(poy_array_view(ctx, a, 1, &two, &step, 1, &v));
    ok(poy_neg_into(ctx, v, v) == POY_OK && host[1] == -2 && host[3] == -4, "and worked on in place");
    poy_array_destroy(&a);
    ok(freed == 0, "it stays while a view is there");
    poy_array_destroy(&v);
    ok(freed == 1 && freed_host == host, "and goes with the last");
    n = -1;
    ok(poy_array_own(ctx, be, POY_F64, 1, &n, NULL, host, 0, count_free, &by, &a) == POY_ERR_SHAPE && !a && freed == 1,
       "a failure leaves it the caller's");
}

static void reading(void)
{
    double host[4] = {1, 2, 3, 4}, sum = 0;
    int64_t n = 4, two = 2, step = 2;
    poy_array *a = NULL, *v = NULL, *y = NULL;
    MUST(poy_array_own(ctx, be, POY_F64, 1, &n, NULL, host, POY_MEMORY_READ_ONLY, NULL, NULL, &a));
    MUST(poy_array_view(ctx, a, 1, &two, &step, 0, &v));
    ok(!poy_array_writable(a) && !poy_array_writable(v), "memory for reading, and its views");
    ok(poy_sum(ctx, v, POY_ALL_AXES, NULL, 0, &y) == POY_OK && poy_array_read(ctx, y, &sum) == POY_OK && sum == 4,
       "are read");
    ok(poy_neg_into(ctx, v, v) == POY_ERR_ARGUMENT && poy_neg_into(ctx, a, a) == POY_ERR_ARGUMENT &&
           poy_add_into(ctx, a, a, a) == POY_ERR_ARGUMENT && poy_axpy_into(ctx, a, a, a, a) == POY_ERR_ARGUMENT &&
           poy_fill_into(ctx, (poy_scalar){0, 0}, a) == POY_ERR_ARGUMENT &&
           poy_array_write(ctx, a, host) == POY_ERR_ARGUMENT && host[0] == 1,
       "and not written to: %s", poy_ctx_cause(ctx));
    poy_array_destroy(&y);
    poy_array_destroy(&v);
    poy_array_destroy(&a);
}

static void moving(void)
{
    const float host[6] = {1, 2, 3, 4, 5, 6}, turned[6] = {1, 4, 2, 5, 3, 6};
    const int64_t shape[2] = {2, 3}, back[2] = {3, 2};
    poy_backend *other = NULL;
    poy_array *a = make(POY_F32, 2, shape, host), *t = NULL, *b = NULL, *c = NULL;
    MUST(poy_backend_open(ctx, strcmp(poy_backend_name(be), "ref") ? "ref" : "cpu", &other));
    MUST(poy_array_transpose(ctx, a, NULL, &t));
    ok(poy_array_move(ctx, t, other, &b) == POY_OK && b->be == other && is(b, POY_F32, 2, back, turned),
       "a transposed view to another backend");
    ok(poy_array_move(ctx, b, be, &c) == POY_OK && c->be == be && is(c, POY_F32, 2, back, turned), "and back");
    poy_array_destroy(&c);
    ok(poy_array_move(ctx, t, be, &c) == POY_OK && c->mem != t->mem && is(c, POY_F32, 2, back, turned),
       "to the same one: a copy");
    poy_array_destroy(&c);
    poy_array_destroy(&b);
    poy_array_destroy(&t);
    poy_array_destroy(&a);
    poy_backend_close(&other);
}

/* ---- DLPack ---- */

static void there_and_back(void)
{
    static const poy_dtype types[] = {POY_F32, POY_F64, POY_C64, POY_C128, POY_I32, POY_I64, POY_B8};
    const int64_t shape[2] = {3, 4};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        poy_array *a = NULL, *s = NULL, *b = NULL;
        poy_dlpack *t = NULL;
        MUST(poy_fill(ctx, be, (poy_scalar){1, 0}, types[k], 2, shape, &a));
        MUST(poy_array_slice(ctx, a, 1, 3, INT64_MIN, -2, &s));
        int good = poy_array_to_dlpack(ctx, s, &t) == POY_OK;
        poy_array_destroy(&a);
        good = good && t->data == poy_array_memory(s) && t->rank == 2 && t->extent[1] == 2 && t->stride[1] == -2;
        poy_array_destroy(&s); /* the tensor keeps the memory */
        good = good && poy_array_from_dlpack(ctx, be, t, &b) == POY_OK && b->dtype == types[k];
        ok(good && poy_array_memory(b) == t->data && poy_array_writable(b), "%s out and in, without a copy",
           poy_dtype_name(types[k]));
        ok(poy_fill_into(ctx, (poy_scalar){0, 0}, b) == POY_OK, "written to");
        poy_array_destroy(&b);
    }
    ok(poy_ctx_bytes(ctx) == 0, "and given back");
}

static int deleted;
static void count_delete(poy_dlpack *self)
{
    deleted++;
    self->data = NULL;
}

static void imports(void)
{
    static double memory[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    static int64_t extent[2] = {2, 3};
    const double want[6] = {1, 2, 3, 4, 5, 6};
    poy_dlpack t = {.major = 1,
                    .deleter = count_delete,
                    .flags = POY_DLPACK_READ_ONLY,
                    .data = memory,
                    .device_type = POY_DLPACK_CPU,
                    .rank = 2,
                    .code = POY_DLPACK_FLOAT,
                    .bits = 64,
                    .lanes = 1,
                    .extent = extent,
                    .byte_offset = 8};
    poy_dlpack bad;
    poy_array *a = NULL;
    deleted = 0;
    bad = t, bad.major = 2;
    ok(poy_array_from_dlpack(ctx, be, &bad, &a) == POY_ERR_UNSUPPORTED && !a, "another version");
    bad = t, bad.device_type = 2;
    ok(poy_array_from_dlpack(ctx, be, &bad, &a) == POY_ERR_UNSUPPORTED && !a, "memory of a device");
    bad = t, bad.bits = 16;
    ok(poy_array_from_dlpack(ctx, be, &bad, &a) == POY_ERR_DTYPE && !a, "half precision");
    bad = t, bad.lanes = 4;
    ok(poy_array_from_dlpack(ctx, be, &bad, &a) == POY_ERR_DTYPE && !a, "several lanes");
    bad = t, bad.rank = POY_RANK_MAX + 1;
    ok(poy_array_from_dlpack(ctx, be, &bad, &a) == POY_ERR_SHAPE && !a, "too many axes");
    bad = t, bad.byte_offset = 4;
    ok(poy_array_from_dlpack(ctx, be, &bad, &a) == POY_ERR_ARGUMENT && !a && deleted == 0,
       "elements across their alignment; nothing was deleted");
    ok(poy_array_from_dlpack(ctx, be, &t, &a) == POY_OK && is(a, POY_F64, 2, extent, want) && !poy_array_writable(a),
       "dense, with an offset, for reading");
    poy_array_destroy(&a);
    ok(deleted == 1, "deleted once");
}

static void exports_of_views(void)
{
    const double x = 3;
    const int64_t shape[1] = {5};
    poy_array *a = make(POY_F64, 0, NULL, &x), *b = NULL;
    poy_dlpack *t = NULL;
    MUST(poy_array_broadcast_to(ctx, a, 1, shape, &b));
    ok(poy_array_to_dlpack(ctx, b, &t) == POY_OK && t->flags == POY_DLPACK_READ_ONLY && t->stride[0] == 0,
       "a broadcast view goes out for reading");
    t->deleter(t);
    poy_array_destroy(&b);
    poy_array_destroy(&a);
}

static void all(void)
{
    ownership();
    reading();
    moving();
    there_and_back();
    imports();
    exports_of_views();
}

int main(void)
{
    return on_each_backend(all);
}

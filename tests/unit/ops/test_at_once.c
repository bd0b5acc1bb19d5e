/* test_at_once.c: what the CPU backend does at once, without tensors, against the same operation by tensors: every bit, for
 * every operation and type that has it, about the lengths at which a loop changes, from dense inputs and single ones, into
 * another array and in place; and the calls that must not go that way. */
#include <stdlib.h>
#include <string.h>

#include "ops/dispatch.h" /* before the fixture's ctx and be */

#include "array_fixture.h"
#include "poynting/poynting.h"

enum { GUARD = 64 };

static const int64_t lengths[] = {
    1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 63, 64, 127, 128, 129, 256, 257, 1000, POYI_AT_ONCE_MAX};

/* Values of both signs and of all kinds; 0 and 1 of b8. */
static void fill_with(poy_dtype dtype, int64_t n, uint64_t seed, unsigned char *at)
{
    const poy_dtype part = poy_dtype_real(dtype);
    const int64_t parts = n * (poy_dtype_is_complex(dtype) ? 2 : 1);
    for (int64_t i = 0; i < parts; i++) {
        double u[2];
        poy_random_uniform2(seed, 0, (uint64_t)i, u);
        const double v = u[1] < 0.02 ? 0 : u[1] < 0.04 ? 1e200 * (u[0] - 0.5) : 4 * (u[0] - 0.5);
        switch (part) {
        case POY_F32: ((float *)(void *)at)[i] = (float)v; break;
        case POY_F64: ((double *)(void *)at)[i] = v; break;
        case POY_I32: ((int32_t *)(void *)at)[i] = (int32_t)(1e9 * (u[0] - 0.5)); break;
        case POY_I64: ((int64_t *)(void *)at)[i] = (int64_t)(1e18 * (u[0] - 0.5)); break;
        default: at[i] = u[0] < 0.5;
        }
    }
}

static poy_tensor line(void *mem, poy_dtype dtype, int64_t n, int64_t stride)
{
    poy_tensor t = {.mem = mem, .dtype = dtype, .rank = 1};
    t.extent[0] = n;
    t.stride[0] = stride;
    return t;
}

typedef struct operands {
    unsigned char *mem[4], *want; /* the output last */
    poy_dtype dtype[4];
    int inputs;
} operands;

/* Inputs of an operation and types of all operands; 0: none that this test knows. */
static int describe(poyi_op op, poy_dtype dtype, operands *o)
{
    switch (poyi_op_rows[op].family) {
    case POY_FAMILY_fill: o->inputs = 0; break;
    case POY_FAMILY_copy:
    case POY_FAMILY_unary:
    case POY_FAMILY_line:
    case POY_FAMILY_reduce: o->inputs = 1; break;
    case POY_FAMILY_binary:
    case POY_FAMILY_dot: o->inputs = 2; break;
    case POY_FAMILY_ternary: o->inputs = 3; break;
    default: return 0;
    }
    for (int k = 0; k < o->inputs; k++)
        o->dtype[k] = op == POYI_OP_where && !k ? POY_B8 : op == POYI_OP_cis_mul && k ? poy_dtype_real(dtype) : dtype;
    o->dtype[o->inputs] =
        poyi_op_rows[op].out == POYI_OUT_ANY ? dtype : poyi_call_result_of(poyi_op_rows[op].out, dtype);
    return 1;
}

static poy_status by_tensors(const poyi_backend_head *head, poyi_op op, poy_dtype dtype, const operands *o, int64_t n,
                             unsigned single, poy_scalar value)
{
    const poy_cell c = head->cells[op][dtype];
    const poy_family family = poyi_op_rows[op].family;
    poy_tensor t[4];
    for (int k = 0; k < o->inputs; k++)
        t[k] = line(o->mem[k], o->dtype[k], n, !(single >> k & 1));
    const int is_number = family == POY_FAMILY_reduce || family == POY_FAMILY_dot;
    t[o->inputs] = line(o->want, o->dtype[o->inputs], is_number ? 1 : n, 1);
    if (family == POY_FAMILY_reduce)
        t[o->inputs].rank = 0;
    switch (family) {
    case POY_FAMILY_fill: return c.fill(ctx, head->state, value, &t[0]);
    case POY_FAMILY_copy: return c.copy(ctx, head->state, &t[0], &t[1]);
    case POY_FAMILY_line: return c.line(ctx, head->state, &t[0], &t[1]);
    case POY_FAMILY_unary: return c.unary(ctx, head->state, &t[0], &t[1]);
    case POY_FAMILY_reduce: return c.reduce(ctx, head->state, 1, &t[0], &t[1]);
    case POY_FAMILY_binary: return c.binary(ctx, head->state, &t[0], &t[1], &t[2]);
    case POY_FAMILY_dot: return c.dot(ctx, head->state, &t[0], &t[1], &t[2]);
    default: return c.ternary(ctx, head->state, &t[0], &t[1], &t[2], &t[3]);
    }
}

/* One length, some inputs being single elements, the output being input `same` or (-1) memory of its own. */
static int agree(const poyi_backend_head *head, poyi_op op, poy_dtype dtype, operands *o, int64_t n, unsigned single,
                 int same)
{
    const poy_family family = poyi_op_rows[op].family;
    const int is_number = family == POY_FAMILY_reduce || family == POY_FAMILY_dot;
    const size_t bytes = (size_t)(is_number ? 1 : n) * poy_dtype_size(o->dtype[o->inputs]);
    poy_scalar value = {0.7, 0};
    void *p[4] = {0};
    int64_t stride[4] = {1, 1, 1, 1};
    for (int k = 0; k < o->inputs; k++) {
        fill_with(o->dtype[k], n, 7 * (uint64_t)op + (uint64_t)k + 1, o->mem[k]);
        p[k] = o->mem[k];
        stride[k] = !(single >> k & 1);
    }
    if (family == POY_FAMILY_fill)
        p[0] = &value;
    if (family == POY_FAMILY_copy)
        p[2] = &o->dtype[1];
    unsigned char *out = same < 0 ? o->mem[3] : o->mem[same];
    p[family == POY_FAMILY_fill ? 1 : o->inputs] = out;
    if (by_tensors(head, op, dtype, o, n, single, value) != POY_OK)
        return 0;
    if (same < 0)
        memset(out, 0xA5, bytes + GUARD);
    head->at_once[op][dtype](p, stride, n);
    int good = !memcmp(out, o->want, bytes);
    for (size_t i = bytes; same < 0 && i < bytes + GUARD; i++)
        good &= out[i] == 0xA5;
    if (!good)
        note("%s of %s, n %lld, single %u, in place of %d", poyi_op_rows[op].name, poy_dtype_name(dtype), (long long)n,
             single, same);
    return good;
}

static int all_lengths(const poyi_backend_head *head, poyi_op op, poy_dtype dtype, operands *o)
{
    const int each = poyi_op_rows[op].family == POY_FAMILY_unary || poyi_op_rows[op].family == POY_FAMILY_binary ||
                     poyi_op_rows[op].family == POY_FAMILY_ternary || poyi_op_rows[op].family == POY_FAMILY_copy;
    const int64_t most = op == POYI_OP_sort || op == POYI_OP_argsort ? POYI_SORT_AT_ONCE_MAX : POYI_AT_ONCE_MAX;
    int good = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= most; i++) {
        for (unsigned single = 0; single < (each ? 1u << o->inputs : 1u); single++)
            good &= agree(head, op, dtype, o, lengths[i], single, -1);
        for (int k = 0; k < o->inputs && (each || poyi_op_rows[op].family == POY_FAMILY_line); k++)
            if (o->dtype[k] == o->dtype[o->inputs])
                good &= agree(head, op, dtype, o, lengths[i], 0, k);
    }
    return good;
}

/* Copies of a type to all that it goes into. */
static int all_casts(const poyi_backend_head *head, poy_dtype from, operands *o)
{
    int good = 1;
    for (int to = 0; to < POY_DTYPE_COUNT; to++) {
        if (poy_dtype_is_complex(from) && !poy_dtype_is_complex((poy_dtype)to))
            continue;
        o->dtype[1] = (poy_dtype)to;
        good &= all_lengths(head, POYI_OP_copy, from, o);
    }
    return good;
}

/* take, put and put_add of a type, places from either end, some of them twice. */
static int all_places(const poyi_backend_head *head, poyi_op op, poy_dtype dtype, operands *o)
{
    enum { LINE = 100 };
    const int is_take = poyi_op_rows[op].family == POY_FAMILY_take;
    const size_t size = poy_dtype_size(dtype);
    int64_t *index = (int64_t *)(void *)o->mem[1];
    int good = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const int64_t n = lengths[i], stride[4] = {1, 1, 1, LINE};
        const size_t bytes = (size_t)(is_take ? n : LINE) * size;
        fill_with(dtype, is_take ? LINE : n, 3, o->mem[0]);
        fill_with(dtype, LINE, 4, o->mem[2]);
        memcpy(o->want, o->mem[2], LINE * size);
        for (int64_t k = 0; k < n; k++)
            index[k] = 7 * k * k % (2 * LINE) - LINE;
        const poy_tensor line_of_index = line(index, POY_I64, n, 1), out = line(o->want, dtype, is_take ? n : LINE, 1);
        const poy_tensor in = line(o->mem[0], dtype, is_take ? LINE : n, 1);
        void *const take[4] = {o->mem[0], index, o->mem[2]}, *const put[4] = {index, o->mem[0], o->mem[2]};
        good &= (is_take ? head->cells[op][dtype].take(ctx, head->state, &in, &line_of_index, &out)
                         : head->cells[op][dtype].put(ctx, head->state, &line_of_index, &in, &out)) == POY_OK;
        head->at_once[op][dtype](is_take ? take : put, stride, n);
        good &= !memcmp(o->mem[2], o->want, bytes);
    }
    return good;
}

static void test_bits(const char *spec)
{
    const size_t bytes = POYI_AT_ONCE_MAX * 16 + GUARD;
    operands o = {.inputs = 0};
    int cells = 0, good = 1;
    MUST(poy_backend_open(ctx, spec, &be));
    const poyi_backend_head *head = poyi_backend_head_of(be);
    for (int k = 0; k < 4; k++)
        o.mem[k] = calloc(1, bytes);
    o.want = calloc(1, bytes);
    for (poyi_op op = 0; op < POYI_OP_COUNT; op++)
        for (int t = 0; t < POY_DTYPE_COUNT; t++)
            if (head->at_once[op][t]) {
                cells++;
                if (poyi_op_rows[op].family == POY_FAMILY_take || poyi_op_rows[op].family == POY_FAMILY_put) {
                    good &= all_places(head, op, (poy_dtype)t, &o);
                    continue;
                }
                good &= describe(op, (poy_dtype)t, &o) && all_lengths(head, op, (poy_dtype)t, &o);
                good &= op != POYI_OP_copy || all_casts(head, (poy_dtype)t, &o);
            }
    ok(good && cells > 250, "%s: %d operations and types give the bits of their tensors", spec, cells);
    for (int k = 0; k < 4; k++)
        free(o.mem[k]);
    free(o.want);
    poy_backend_close(&be);
}

/* What the short way must leave to the long one, by what comes of it. */
static void test_refusals(void)
{
    const double two[2] = {3, 5};
    const int64_t n = 2, shape[2] = {2, 2};
    poy_array *x, *y, *all, *flipped, *again, *f32 = NULL, *other = NULL;
    poy_backend *ref = NULL;
    MUST(poy_backend_open(ctx, "cpu", &be));
    MUST(poy_backend_open(ctx, "ref", &ref));
    x = vector_of(POY_F64, n, two);
    y = vector_of(POY_F64, n, two);
    MUST(poy_array_broadcast_to(ctx, x, 2, shape, &again));
    MUST(poy_fill(ctx, be, (poy_scalar){1, 0}, POY_F64, 1, &(int64_t){4}, &all));
    MUST(poy_fill(ctx, be, (poy_scalar){1, 0}, POY_F32, 1, &n, &f32));
    MUST(poy_fill(ctx, ref, (poy_scalar){1, 0}, POY_F64, 1, &n, &other));
    ok(poy_neg_into(ctx, x, again) == POY_ERR_SHAPE &&
           poy_fill_into(ctx, (poy_scalar){1, 0}, again) == POY_ERR_ARGUMENT,
       "an output whose elements share memory is refused");
    ok(poy_add_into(ctx, x, y, all) == POY_ERR_SHAPE && poy_axpy_into(ctx, x, y, x, f32) == POY_ERR_DTYPE &&
           poy_add_into(ctx, x, other, y) == POY_ERR_BACKEND && poy_vdot_into(ctx, x, y, all) == POY_ERR_SHAPE &&
           poy_vdot_into(ctx, x, all, y) == POY_ERR_SHAPE,
       "so are one of another shape or type, and an input of another backend");
    ok(poy_fill_into(ctx, (poy_scalar){1, 1}, x) == POY_ERR_COMPLEX_TO_REAL && is_vector(x, POY_F64, n, two),
       "and a complex value for real elements");
    const double four[4] = {1, 2, 3, 4}, shifted[4] = {1, -1, -2, -3}, mirrored[4] = {-4, -3, -2, -1};
    poy_array *from, *to;
    MUST(poy_array_write(ctx, all, four));
    MUST(poy_array_slice(ctx, all, 0, 0, 3, 1, &from));
    MUST(poy_array_slice(ctx, all, 0, 1, 4, 1, &to));
    ok(poy_neg_into(ctx, from, to) == POY_OK && is_vector(all, POY_F64, 4, shifted),
       "an input that overlaps its output is read first");
    MUST(poy_array_write(ctx, all, four));
    MUST(poy_array_slice(ctx, all, 0, 3, -5, -1, &flipped));
    ok(poy_neg_into(ctx, flipped, all) == POY_OK && is_vector(all, POY_F64, 4, mirrored),
       "and so is a mirror image of it");
    poy_array **const made[] = {&x, &y, &all, &flipped, &again, &f32, &other, &from, &to};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        poy_array_destroy(made[i]);
    poy_backend_close(&ref);
    poy_backend_close(&be);
}

int main(void)
{
    MUST(poy_ctx_create(&ctx));
    poy_ctx_set_threads(ctx, 1);
    test_bits("cpu:isa=base");
    if (poy_backend_open(ctx, "cpu:isa=avx2", &be) == POY_OK) {
        poy_backend_close(&be);
        test_bits("cpu:isa=avx2");
    }
    test_refusals();
    poy_ctx_destroy(&ctx);
    return tap_done();
}

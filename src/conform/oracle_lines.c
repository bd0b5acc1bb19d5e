/* oracle_lines.c: what operations along lines should give: running sums, sorting, elements chosen and changed by index,
 * products of vectors. */
#include <stdlib.h>

#include "conform/oracle.h"

static int axis_of(const poyi_case *c)
{
    int rank = c->operand[0].rank, axis = c->axes[0];
    return axis < 0 ? axis + rank : axis;
}

static int64_t dense_place(const poyi_operand *y, const int64_t *index)
{
    int64_t stride[POY_RANK_MAX], at = 0;
    poyi_shape_strides(y->rank, y->extent, stride);
    for (int i = 0; i < y->rank; i++)
        at += index[i] * stride[i];
    return at;
}

/* ---- a line into a line ---- */

typedef struct ranked {
    poyi_wide v;
    int64_t place;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    int x = isnan(p->v.re) != 0, y = isnan(q->v.re) != 0;
    if (x != y)
        return x - y;
    if (!x && p->v.re != q->v.re)
        return p->v.re < q->v.re ? -1 : 1;
    return p->place < q->place ? -1 : 1;
}

static void running_sums(const poyi_case *c, const ranked *line, int64_t n, int64_t at, int64_t step, poyi_expected *e)
{
    total re = {0, 0}, im = {0, 0};
    uint64_t whole = 0;
    long double scale = 0;
    for (int64_t i = 0; i < n; i++, at += step) {
        add(&re, line[i].v.re);
        add(&im, line[i].v.im);
        scale += modulus(line[i].v);
        if (is_whole(c->dtype))
            whole += (uint64_t)(int64_t)line[i].v.re;
        e->value[at] = is_whole(c->dtype) ? wrapped(whole, c->dtype) : (poyi_wide){total_of(&re), total_of(&im)};
        e->scale[at] = (double)((long double)(i + 1) * scale);
    }
}

static poy_status expect_line(poy_ctx *ctx, const poyi_case *c, poyi_expected *e)
{
    const poyi_operand *x = &c->operand[0], *y = poyi_case_result(c);
    int axis = axis_of(c);
    int64_t n = x->extent[axis], index[POY_RANK_MAX] = {0}, lines[POY_RANK_MAX], stride[POY_RANK_MAX];
    void *block = NULL;

    POYI_TRY(ctx, poyi_alloc(ctx, "conform", (size_t)n * sizeof(ranked), &block));
    ranked *line = block;
    memcpy(lines, x->extent, sizeof lines);
    lines[axis] = 1;
    poyi_shape_strides(y->rank, y->extent, stride);
    do {
        int64_t from = poyi_operand_place(x, index), at = dense_place(y, index);
        for (int64_t i = 0; i < n; i++)
            line[i] = (ranked){poyi_wide_load(x->dtype, x->bytes, from + i * x->stride[axis]), i};
        if (c->op == POYI_OP_cumsum) {
            running_sums(c, line, n, at, stride[axis], e);
            continue;
        }
        qsort(line, (size_t)n, sizeof *line, compare);
        for (int64_t i = 0; i < n; i++)
            e->value[at + i * stride[axis]] =
                c->op == POYI_OP_sort ? line[i].v : (poyi_wide){(long double)line[i].place, 0};
    } while (poyi_index_next(x->rank, lines, index));
    poyi_free(&block);
    return POY_OK;
}

/* ---- by index ---- */

/* Element number i of an index in C order. */
static int64_t place_named(const poyi_operand *o, int64_t i, int64_t n)
{
    int64_t at = o->offset;
    for (int k = o->rank - 1; k >= 0; k--) {
        at += i % o->extent[k] * o->stride[k];
        i /= o->extent[k];
    }
    int64_t place = (int64_t)poyi_wide_load(o->dtype, o->bytes, at).re;
    return place < 0 ? place + n : place;
}

/* For an element of the result of take (or of the values of put), whose index runs over x's axes with the index's in the
 * place of one: the index into x. */
static void index_into(const poyi_case *c, const int64_t *index, int axis, int64_t *out)
{
    const poyi_operand *x = &c->operand[0], *by = &c->operand[1];
    int64_t number = 0;
    for (int i = 0; i < by->rank; i++)
        number = number * by->extent[i] + index[axis + i];
    for (int i = 0; i < x->rank; i++)
        out[i] = i < axis ? index[i] : i == axis ? 0 : index[i - 1 + by->rank];
    out[axis] = place_named(by, number, x->extent[axis]);
}

static void expect_take(const poyi_case *c, poyi_expected *e)
{
    const poyi_operand *x = &c->operand[0], *y = poyi_case_result(c);
    int64_t index[POY_RANK_MAX] = {0}, into[POY_RANK_MAX] = {0}, at = 0;
    int flat = c->axes[0] == POY_FLAT;
    do {
        if (flat) {
            int64_t number = place_named(&c->operand[1], at, x->size);
            for (int k = x->rank - 1; k >= 0; k--) {
                into[k] = number % x->extent[k];
                number /= x->extent[k];
            }
        } else {
            index_into(c, index, axis_of(c), into);
        }
        e->value[at++] = poyi_wide_load(x->dtype, x->bytes, poyi_operand_place(x, into));
    } while (poyi_index_next(y->rank, y->extent, index));
}

/* additions [size of y]: what is added to each element, counted. */
static void put_values(const poyi_case *c, int64_t *additions, poyi_expected *e)
{
    const poyi_operand *x = &c->operand[0], *by = &c->operand[1], *v = &c->operand[2], *y = poyi_case_result(c);
    const int axis = axis_of(c), rank = x->rank - 1 + by->rank;
    int64_t index[POY_RANK_MAX] = {0}, into[POY_RANK_MAX] = {0}, extent[POY_RANK_MAX];
    for (int k = 0; k < rank; k++)
        extent[k] = k < axis ? x->extent[k] : k < axis + by->rank ? by->extent[k - axis] : x->extent[k + 1 - by->rank];
    do {
        index_into(c, index, axis, into);
        int64_t at = dense_place(y, into);
        poyi_wide a = cast(poyi_wide_load(v->dtype, v->bytes, broadcast_place(v, rank, index)), c->dtype);
        if (c->op == POYI_OP_put)
            e->value[at] = a;
        else if (is_whole(c->dtype))
            e->value[at] = wrapped((uint64_t)(int64_t)e->value[at].re + (uint64_t)(int64_t)a.re, c->dtype);
        else
            e->value[at] = (poyi_wide){e->value[at].re + a.re, e->value[at].im + a.im};
        e->scale[at] += (double)modulus(a);
        additions[at]++;
    } while (poyi_index_next(rank, extent, index));
}

/* An element that n numbers are added to may be off by n roundings; one that nothing is added to is as it was. */
static poy_status expect_put(poy_ctx *ctx, const poyi_case *c, poyi_expected *e)
{
    const poyi_operand *x = &c->operand[0], *y = poyi_case_result(c);
    int64_t index[POY_RANK_MAX] = {0}, i = 0;
    void *block = NULL;

    POYI_TRY(ctx, poyi_alloc_zero(ctx, "conform", (size_t)y->size * sizeof(int64_t), &block));
    int64_t *additions = block;
    do {
        e->value[i] = poyi_wide_load(x->dtype, x->bytes, poyi_operand_place(x, index));
        e->scale[i] = (double)modulus(e->value[i]);
        i++;
    } while (poyi_index_next(y->rank, y->extent, index));
    if (c->operand[1].size)
        put_values(c, additions, e);
    for (i = 0; i < y->size; i++)
        e->scale[i] *= (double)additions[i];
    poyi_free(&block);
    return POY_OK;
}

/* ---- products of vectors ---- */

static void expect_vdot(const poyi_case *c, poyi_expected *e)
{
    const poyi_operand *x = &c->operand[0], *y = &c->operand[1];
    int64_t index[POY_RANK_MAX] = {0};
    total re = {0, 0}, im = {0, 0};
    uint64_t whole = 0;
    long double scale = 0;
    if (x->size)
        do {
            poyi_wide a = element(c, x, poyi_operand_place(x, index)), b = element(c, y, poyi_operand_place(y, index));
            extended term = poy_dtype_is_complex(c->dtype) ? conjl(joined(a)) * joined(b) : a.re * b.re;
            add(&re, creall(term));
            add(&im, cimagl(term));
            if (is_whole(c->dtype))
                whole = add_whole_product(whole, c->dtype, a, b);
            scale += modulus(a) * modulus(b);
        } while (poyi_index_next(x->rank, x->extent, index));
    e->value[0] = is_whole(c->dtype) ? wrapped(whole, c->dtype) : (poyi_wide){total_of(&re), total_of(&im)};
    e->scale[0] = (double)(terms_counted(c, c->n) * scale);
}

poy_status poyi_expect_lines(poy_ctx *ctx, const poyi_case *c, int values, poyi_expected *e)
{
    if (!values && poyi_row_scales[c->op] == POYI_SCALE_EXACT)
        return POY_OK;
    switch (poyi_op_rows[c->op].family) {
    case POY_FAMILY_line: POYI_TRY(ctx, expect_line(ctx, c, e)); break;
    case POY_FAMILY_take: expect_take(c, e); break;
    case POY_FAMILY_put: POYI_TRY(ctx, expect_put(ctx, c, e)); break;
    default: expect_vdot(c, e);
    }
    return POY_OK;
}

/* generate.c: what a case is made of: operation, shapes, axes, kinds of transforms. Values and windows: fill.c. */
#include <stdio.h>
#include <string.h>

#include "conform/conform.h"

/* FNV-1a of the operation's name: numbers of rows are private to a build, a case's name is not. */
static uint64_t stream_of(const char *name, poy_dtype dtype, int index)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (const char *s = name; *s; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(1099511628211);
    return h ^ (uint64_t)dtype << 56 ^ (uint64_t)index << 24;
}

int poyi_choose(poyi_choice *c, int n)
{
    return (int)(poyi_choose_uniform(c) * n);
}

double poyi_choose_uniform(poyi_choice *c)
{
    double pair[2];
    poy_random_uniform2(c->seed, c->stream, c->i++, pair);
    return pair[0];
}

void poyi_case_name(const poyi_case *c, size_t size, char *out)
{
    snprintf(out, size, "%s.%s.%d.%llu", poyi_op_rows[c->op].name, poy_dtype_name(c->dtype), c->index,
             (unsigned long long)c->seed);
}

/* ---- shapes ---- */

typedef struct shape {
    int rank;
    int64_t extent[POY_RANK_MAX];
} shape;

/* The last two are above the size from which threads take part. */
static const shape shapes[] = {
    {0, {0}},       {1, {1}},          {1, {7}},
    {1, {1027}},    {2, {0, 3}},       {3, {3, 0, 2}},
    {3, {5, 1, 4}}, {4, {2, 3, 4, 5}}, {8, {2, 2, 2, 2, 2, 2, 2, 2}},
    {2, {33, 40}},  {1, {70001}},      {2, {300, 257}},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], SMALL_SHAPES = SHAPES - 2 };

/* One after the other; every other round has small ones only, for the sake of time. */
static const shape *shape_for(int index)
{
    int i = index % SHAPES, small_round = index / SHAPES % 2 == 1;
    return &shapes[small_round && i >= SMALL_SHAPES ? i - 3 : i];
}

static void set_shape(poyi_operand *o, int rank, const int64_t *extent)
{
    o->rank = rank;
    memcpy(o->extent, extent, (size_t)rank * sizeof *extent);
}

/* o with a part of its axes shrunk to 1 or dropped from the front, so that it broadcasts to what it was. */
static void shrink(poyi_choice *choice, poyi_operand *o)
{
    int dropped = poyi_choose(choice, o->rank + 1);
    for (int i = dropped; i < o->rank; i++)
        o->extent[i - dropped] = poyi_choose(choice, 3) ? o->extent[i] : 1;
    o->rank -= dropped;
}

static poy_dtype result_type(const poyi_case *c)
{
    switch (poyi_op_rows[c->op].out) {
    case POYI_OUT_BOOL: return POY_B8;
    case POYI_OUT_INDEX: return POY_I64;
    case POYI_OUT_REAL: return poy_dtype_real(c->dtype);
    case POYI_OUT_COMPLEX: return c->dtype == POY_F32 || c->dtype == POY_C64 ? POY_C64 : POY_C128;
    default: return c->dtype;
    }
}

/* A type that promotes with the case's to the case's. */
static poy_dtype lesser_type(const poyi_case *c, poyi_choice *choice)
{
    for (int tries = 0; tries < 8; tries++) {
        poy_dtype t = (poy_dtype)poyi_choose(choice, POY_DTYPE_COUNT);
        if (poy_result_type(t, c->dtype) == c->dtype && poyi_op_takes(c->op, t))
            return t;
    }
    return c->dtype;
}

static void make_pointwise(poyi_case *c, poyi_choice *choice)
{
    const shape *s = shape_for(c->index);
    poyi_operand *out = poyi_case_output(c);

    set_shape(out, s->rank, s->extent);
    out->dtype = result_type(c);
    for (int k = 0; k < c->n_in; k++) {
        c->operand[k].dtype = c->dtype;
        set_shape(&c->operand[k], s->rank, s->extent);
    }
    if (c->n_in >= 2 && !poyi_choose(choice, 3))
        shrink(choice, &c->operand[poyi_choose(choice, c->n_in)]);
    if (c->n_in >= 2 && !poyi_choose(choice, 6))
        c->operand[1].dtype = lesser_type(c, choice);
    if (c->op == POYI_OP_cis_mul)
        c->operand[1].dtype = poy_dtype_real(c->dtype);
    if (c->op == POYI_OP_where)
        c->operand[0].dtype = poyi_choose(choice, 4) ? POY_B8 : poyi_choose(choice, 2) ? POY_F32 : POY_I64;
    if (poyi_op_rows[c->op].family == POY_FAMILY_copy) {
        do {
            out->dtype = (poy_dtype)poyi_choose(choice, POY_DTYPE_COUNT);
        } while (poy_dtype_is_complex(c->dtype) && !poy_dtype_is_complex(out->dtype));
        if (!poyi_choose(choice, 4) && !c->creates)
            shrink(choice, &c->operand[0]);
    }
    c->in_place = c->n_in > 0 && !c->creates && !poyi_choose(choice, 6) && c->operand[0].dtype == out->dtype &&
                  poyi_shape_equal(c->operand[0].rank, c->operand[0].extent, out->rank, out->extent);
}

/* The type of the caller's choice in which a sum or product is made, and one that is cast to it: without imaginary parts
 * that would be lost; of products one whose numbers stay within the range. */
static void cast_reduction(poyi_case *c, poyi_choice *choice)
{
    static const poy_dtype wholes[] = {POY_I64, POY_I32, POY_B8};
    poy_dtype *x = &c->operand[0].dtype, *y = &poyi_case_output(c)->dtype;
    const int is_single = c->dtype == POY_F32 || c->dtype == POY_C64, is_whole = c->dtype == POY_I64;
    c->casts = 1;
    *y = is_whole ? wholes[poyi_choose(choice, 3)] : c->dtype;
    for (int tries = 0; tries < 8; tries++) {
        const poy_dtype t = (poy_dtype)poyi_choose(choice, POY_DTYPE_COUNT);
        const int keeps_range = is_whole || c->op == POYI_OP_sum || t == POY_B8 || t == POY_F32 || t == POY_C64 ||
                                (!is_single && (t == POY_F64 || t == POY_C128));
        if (keeps_range && (!poy_dtype_is_complex(t) || poy_dtype_is_complex(*y))) {
            *x = t;
            return;
        }
    }
}

static void make_reduce(poyi_case *c, poyi_choice *choice)
{
    /* Max and min have nothing to choose from in an empty shape; unit tests hold that refusal. */
    const shape *s = shape_for(c->index);
    poyi_operand *x = &c->operand[0], *y = poyi_case_output(c);
    unsigned mask = 0;

    set_shape(x, s->rank, s->extent);
    poyi_out kind = poyi_op_rows[c->op].out;
    if (c->op == POYI_OP_max || c->op == POYI_OP_min || kind == POYI_OUT_INDEX)
        for (int i = 0; i < x->rank; i++)
            x->extent[i] = x->extent[i] ? x->extent[i] : 2;
    x->dtype = c->dtype;
    y->dtype = result_type(c);
    if ((c->op == POYI_OP_sum || c->op == POYI_OP_prod) && c->dtype == POY_I64 && poyi_choose(choice, 2))
        x->dtype = poyi_choose(choice, 2) ? POY_I32 : POY_B8;
    if ((c->op == POYI_OP_sum || c->op == POYI_OP_prod) && !poyi_choose(choice, 4))
        cast_reduction(c, choice);
    c->keepdims = poyi_choose(choice, 2);
    if (poyi_choose(choice, 3) == 0 || (kind == POYI_OUT_INDEX && !x->rank)) {
        c->n_axes = POY_ALL_AXES;
        mask = (1u << x->rank) - 1;
    } else if (kind == POYI_OUT_INDEX) {
        c->n_axes = 1;
        c->axes[0] = poyi_choose(choice, x->rank);
        mask = 1u << c->axes[0];
    } else {
        for (int i = 0; i < x->rank; i++)
            if (poyi_choose(choice, 2)) {
                mask |= 1u << i;
                c->axes[c->n_axes++] = poyi_choose(choice, 2) ? i : i - x->rank;
            }
    }
    c->n = 1;
    for (int i = 0; i < x->rank; i++) {
        if (mask & 1u << i)
            c->n *= x->extent[i];
        if (!(mask & 1u << i) || c->keepdims)
            y->extent[y->rank++] = mask & 1u << i ? 1 : x->extent[i];
    }
}

/* A shape with an axis. */
static void make_axis(poyi_case *c, poyi_choice *choice)
{
    const shape *s = shape_for(c->index);
    poyi_operand *x = &c->operand[0];
    set_shape(x, s->rank, s->extent);
    if (!x->rank) {
        x->rank = 1;
        x->extent[0] = 17;
    }
    x->dtype = c->dtype;
    c->n_axes = 1;
    c->axes[0] = poyi_choose(choice, 2 * x->rank) - x->rank;
}

static void make_line(poyi_case *c, poyi_choice *choice)
{
    make_axis(c, choice);
    set_shape(poyi_case_output(c), c->operand[0].rank, c->operand[0].extent);
    poyi_case_output(c)->dtype = result_type(c);
    if (c->op == POYI_OP_cumsum && c->dtype == POY_I64 && poyi_choose(choice, 2))
        c->operand[0].dtype = poyi_choose(choice, 2) ? POY_I32 : POY_B8;
}

/* An index of a shape of its own, in the place of an axis that has elements. */
static void make_index(poyi_case *c, poyi_choice *choice)
{
    static const shape indices[] = {{0, {0}}, {1, {1}}, {1, {9}}, {1, {0}}, {2, {3, 2}}, {1, {40}}};
    poyi_operand *x = &c->operand[0], *index = &c->operand[1], *y = poyi_case_output(c), *v = &c->operand[2];
    int takes = poyi_op_rows[c->op].family == POY_FAMILY_take;

    make_axis(c, choice);
    for (int i = 0; i < x->rank; i++)
        x->extent[i] = x->extent[i] ? x->extent[i] : 3;
    const shape *s = &indices[poyi_choose(choice, x->rank > 7 ? 4 : 6)];
    set_shape(index, s->rank, s->extent);
    index->dtype = poyi_choose(choice, 3) ? POY_I64 : POY_I32;
    poyi_operand wide = {.rank = 0};
    int axis = c->axes[0] < 0 ? c->axes[0] + x->rank : c->axes[0];
    c->places = x->extent[axis];
    for (int i = 0; i < x->rank; i++)
        if (i != axis)
            wide.extent[wide.rank++] = x->extent[i];
        else
            for (int k = 0; k < s->rank; k++)
                wide.extent[wide.rank++] = s->extent[k];
    y->dtype = c->dtype;
    if (takes && !poyi_choose(choice, 5)) {
        c->axes[0] = POY_FLAT;
        for (int i = 0; i < x->rank; i++)
            c->places = i ? c->places * x->extent[i] : x->extent[i];
        set_shape(y, s->rank, s->extent);
    } else if (takes) {
        set_shape(y, wide.rank, wide.extent);
    } else {
        c->n = 2;
        for (int k = 0; k < s->rank; k++)
            c->n += s->extent[k];
        set_shape(y, x->rank, x->extent);
        set_shape(v, wide.rank, wide.extent);
        v->dtype = poyi_choose(choice, 5) ? c->dtype : lesser_type(c, choice);
        if (!poyi_choose(choice, 3))
            shrink(choice, v);
        c->in_place = !c->creates && poyi_choose(choice, 2);
    }
}

static void make_dot(poyi_case *c, poyi_choice *choice)
{
    const shape *s = shape_for(c->index);
    for (int k = 0; k < 2; k++) {
        set_shape(&c->operand[k], s->rank, s->extent);
        c->operand[k].dtype = c->dtype;
    }
    if (!poyi_choose(choice, 6))
        c->operand[1].dtype = lesser_type(c, choice);
    c->operand[2].dtype = c->dtype;
    for (int i = 0; i < s->rank; i++)
        c->n *= s->extent[i];
}

static void make_matmul(poyi_case *c, poyi_choice *choice)
{
    /* rank and extents of x, y, z */
    static const struct {
        shape x, y, z;
    } products[] = {
        {{1, {5}}, {1, {5}}, {0, {0}}},
        {{2, {3, 4}}, {1, {4}}, {1, {3}}},
        {{1, {4}}, {2, {4, 3}}, {1, {3}}},
        {{2, {1, 1}}, {2, {1, 1}}, {2, {1, 1}}},
        {{2, {4, 7}}, {2, {7, 5}}, {2, {4, 5}}},
        {{2, {33, 17}}, {2, {17, 65}}, {2, {33, 65}}},
        {{3, {3, 4, 5}}, {2, {5, 6}}, {3, {3, 4, 6}}},
        {{4, {3, 1, 2, 2}}, {3, {4, 2, 3}}, {4, {3, 4, 2, 3}}},
        {{2, {6, 6}}, {2, {6, 6}}, {2, {6, 6}}},
        {{2, {2, 0}}, {2, {0, 3}}, {2, {2, 3}}},
        {{2, {0, 3}}, {2, {3, 2}}, {2, {0, 2}}},
        {{2, {260, 30}}, {2, {30, 140}}, {2, {260, 140}}},
        {{2, {20, 600}}, {2, {600, 30}}, {2, {20, 30}}},
        {{3, {2, 3, 4}}, {1, {4}}, {2, {2, 3}}},
    };
    int i = c->index % (int)(sizeof products / sizeof products[0]);
    set_shape(&c->operand[0], products[i].x.rank, products[i].x.extent);
    set_shape(&c->operand[1], products[i].y.rank, products[i].y.extent);
    set_shape(&c->operand[2], products[i].z.rank, products[i].z.extent);
    for (int k = 0; k < 3; k++)
        c->operand[k].dtype = c->dtype;
    if (!poyi_choose(choice, 6))
        c->operand[1].dtype = lesser_type(c, choice);
    c->n = products[i].x.extent[products[i].x.rank - 1];
}

static void make_fft(poyi_case *c, poyi_choice *choice)
{
    static const int lengths[] = {1,  2,  3,   4,   5,   7,   8,   12,  13,  16,   17,   31,   32,
                                  64, 97, 100, 128, 210, 243, 256, 360, 509, 1000, 1024, 1009, 4096};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    poyi_operand *x = &c->operand[0], *y = poyi_case_output(c);
    int is_complex = poy_dtype_is_complex(c->dtype);
    poy_dtype complex = c->dtype == POY_F32 || c->dtype == POY_C64 ? POY_C64 : POY_C128;

    poy_fft_options_init(&c->fft);
    c->n = lengths[c->index % LENGTHS];
    c->fft.kind = !is_complex ? POY_FFT_R2C : poyi_choose(choice, 3) ? POY_FFT_C2C : POY_FFT_C2R;
    c->fft.sign = c->fft.kind == POY_FFT_R2C ? -1 : c->fft.kind == POY_FFT_C2R || poyi_choose(choice, 2) ? 1 : -1;
    c->fft.scale = poyi_choose(choice, 2) ? 1 : 1 / (double)c->n;
    if (c->fft.kind == POY_FFT_C2R || poyi_choose(choice, 2))
        c->fft.n = c->n;
    int64_t n_in = c->fft.kind == POY_FFT_C2R ? c->n / 2 + 1 : c->n;
    int64_t n_out = c->fft.kind == POY_FFT_R2C ? c->n / 2 + 1 : c->n;
    if (c->fft.n && !poyi_choose(choice, 4)) /* a line of another length, cropped or lengthened with zeros */
        n_in = 1 + poyi_choose(choice, 2 * (int)n_in);
    x->rank = 1 + poyi_choose(choice, 3);
    c->fft.axis = poyi_choose(choice, x->rank);
    for (int i = 0; i < x->rank; i++)
        x->extent[i] = 1 + poyi_choose(choice, 4);
    if (!poyi_choose(choice, 8) && x->rank > 1) /* enough lines for threads, or none */
        x->extent[(c->fft.axis + 1) % x->rank] = poyi_choose(choice, 6) ? 70000 / (c->n > 0 ? c->n : 1) + 1 : 0;
    set_shape(y, x->rank, x->extent);
    x->extent[c->fft.axis] = n_in;
    y->extent[c->fft.axis] = n_out;
    x->dtype = c->dtype;
    y->dtype = c->fft.kind == POY_FFT_C2R ? poy_dtype_real(complex) : complex;
    if (poyi_choose(choice, 2))
        c->fft.axis -= x->rank;
}

/* ---- cases ---- */

int poyi_case_count(poyi_op op, poy_conform_level level)
{
    /* Each shape and product a few times, each length of a transform twice; a hundred thousand in all, or ten. */
    return level != POY_CONFORM_QUICK ? 312 : poyi_op_rows[op].family == POY_FAMILY_fft ? 52 : 36;
}

poy_status poyi_case_make(poy_ctx *ctx, poyi_op op, poy_dtype dtype, int index, uint64_t seed, poyi_case *c)
{
    const poyi_op_row *row = &poyi_op_rows[op];
    poyi_choice choice = {seed, stream_of(row->name, dtype, index), 0};

    memset(c, 0, sizeof *c);
    c->op = op;
    c->dtype = dtype;
    c->index = index;
    c->seed = seed;
    c->n = 1;
    c->allowance = 1;
    c->creates = !poyi_choose(&choice, 4);
    switch (row->family) {
    case POY_FAMILY_fill: make_pointwise(c, &choice); break;
    case POY_FAMILY_copy:
    case POY_FAMILY_unary:
        c->n_in = 1;
        make_pointwise(c, &choice);
        break;
    case POY_FAMILY_binary:
        c->n_in = 2;
        make_pointwise(c, &choice);
        break;
    case POY_FAMILY_ternary:
        c->n_in = 3;
        make_pointwise(c, &choice);
        break;
    case POY_FAMILY_reduce:
        c->n_in = 1;
        make_reduce(c, &choice);
        break;
    case POY_FAMILY_line:
        c->n_in = 1;
        make_line(c, &choice);
        break;
    case POY_FAMILY_take:
        c->n_in = 2;
        make_index(c, &choice);
        break;
    case POY_FAMILY_put:
        c->n_in = 3;
        make_index(c, &choice);
        break;
    case POY_FAMILY_dot:
        c->n_in = 2;
        make_dot(c, &choice);
        break;
    case POY_FAMILY_linalg: poyi_case_matrices(c, &choice); break;
    case POY_FAMILY_sparse: poyi_case_sparse(c, &choice); break;
    case POY_FAMILY_matmul:
        c->n_in = 2;
        make_matmul(c, &choice);
        break;
    case POY_FAMILY_fft:
        c->n_in = 1;
        make_fft(c, &choice);
        break;
    }
    poy_status status = poyi_case_fill(ctx, c, &choice);
    if (status != POY_OK)
        poyi_case_fini(c);
    return status;
}

void poyi_case_fini(poyi_case *c)
{
    for (int k = 0; k < POYI_CASE_OPERANDS; k++) {
        void *bytes = c->operand[k].bytes;
        poyi_free(&bytes);
        c->operand[k].bytes = NULL;
    }
}

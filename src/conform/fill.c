/* fill.c: windows and values of a case: strides of all kinds with guards around, ordinary, extreme and special values. */
#include <math.h>
#include <string.h>

#include "conform/conform.h"

enum { GUARD = 8, PERIOD = 4099 }; /* long operands repeat a prime number of drawn values */

/* ---- windows ---- */

typedef enum window { DENSE, TRANSPOSED, REVERSED, STEP_2, STEP_3_BACK, PADDED, BROADCAST, WINDOWS } window;

static void scale_strides(poyi_operand *o, int64_t by)
{
    for (int i = 0; i < o->rank; i++)
        o->stride[i] *= by;
}

/* Strides of a kind; what is not there for a shape comes out dense. */
static void choose_strides(poyi_choice *choice, poyi_operand *o, window kind)
{
    int64_t padded[POY_RANK_MAX], step = 1;

    poyi_shape_strides(o->rank, o->extent, o->stride);
    if (!o->rank)
        return;
    int axis = poyi_choose(choice, o->rank);
    switch (kind) {
    case DENSE:
    case WINDOWS: break;
    case TRANSPOSED:
        for (int i = 0; i < o->rank; i++) {
            o->stride[i] = step;
            step *= o->extent[i] ? o->extent[i] : 1;
        }
        break;
    case REVERSED: o->stride[axis] *= -1; break;
    case STEP_2: scale_strides(o, 2); break;
    case STEP_3_BACK: scale_strides(o, -3); break;
    case PADDED:
        for (int i = 0; i < o->rank; i++)
            padded[i] = o->extent[i] + 1 + poyi_choose(choice, 3);
        poyi_shape_strides(o->rank, padded, o->stride);
        break;
    case BROADCAST: o->stride[axis] = 0; break;
    }
}

static poy_status make_window(poy_ctx *ctx, poyi_operand *o, poyi_choice *choice, int is_output)
{
    int64_t low = 0, high = -1;
    void *bytes = NULL;

    POYI_TRY(ctx, poyi_shape_size(ctx, o->dtype, o->rank, o->extent, &o->size));
    /* Half the windows are dense: that is where the fast paths are. */
    int kind = poyi_choose(choice, 2) ? DENSE : poyi_choose(choice, is_output ? BROADCAST : WINDOWS);
    choose_strides(choice, o, (window)kind);
    if (o->size)
        poyi_window_range(o->rank, o->extent, o->stride, &low, &high);
    o->offset = GUARD + poyi_choose(choice, 3) - low;
    o->base = o->offset + high + 1 + GUARD;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "conform", (size_t)o->base * poy_dtype_size(o->dtype), &bytes));
    o->bytes = bytes;
    return POY_OK;
}

/* ---- values ---- */

typedef enum mixture {
    NORMAL,
    WIDE,
    WHOLE,
    SPECIAL,
    EQUAL,
    CANCELLING,
    ONE_SIGN,
    NEAR_AXES,
    TIES,
    RISING,
    FALLING,
    TONE,
    TINY,
    MIXTURES
} mixture;

/* How far the exponents of wide values may go, as a part of the type's range, so that no result overflows. */
static double width_for(poyi_op op)
{
    switch (poyi_op_rows[op].family) {
    case POY_FAMILY_binary: return op == POYI_OP_mul || op == POYI_OP_div ? 0.4 : 0.9;
    case POY_FAMILY_ternary: return op == POYI_OP_axpy ? 0.4 : 0.9;
    case POY_FAMILY_unary: return op == POYI_OP_square ? 0.4 : 0.9;
    case POY_FAMILY_dot:
    case POY_FAMILY_sparse:
    case POY_FAMILY_matmul: return 0.4;
    case POY_FAMILY_line:
    case POY_FAMILY_fft:
    case POY_FAMILY_reduce: return 0.8;
    default: return 0.9;
    }
}

/* The largest number comes last: sums of it overflow in one order and not in another. */
static double special_value(const poyi_case *c, poyi_choice *choice, int is_single)
{
    double smallest = is_single ? 0x1p-149 : 0x1p-1074, least_normal = is_single ? 0x1p-126 : 0x1p-1022;
    double largest = is_single ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
    const double values[] = {0.0,          -0.0, INFINITY, -INFINITY,           NAN,     smallest, -7 * smallest,
                             least_normal, 1,    -1,       least_normal * 0.75, -largest};
    enum { VALUES = sizeof values / sizeof values[0] };
    int adds = c->op == POYI_OP_sum || c->op == POYI_OP_mean || c->op == POYI_OP_cumsum || c->op == POYI_OP_put_add ||
               c->op == POYI_OP_vdot || c->op == POYI_OP_axpy || c->op == POYI_OP_matmul || c->op == POYI_OP_spmm ||
               c->op == POYI_OP_fft;
    return values[poyi_choose(choice, adds ? VALUES - 1 : VALUES)];
}

/* Of a product of n: no part of it leaves the range of the type. */
static double factor(const poyi_case *c, poyi_choice *choice, mixture m, double range)
{
    static const double special[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1};
    double most = range / (double)(c->n > 1 ? c->n : 1), u = 2 * poyi_choose_uniform(choice) - 1;
    if (m == SPECIAL && !poyi_choose(choice, 40))
        return special[poyi_choose(choice, 6)];
    return (poyi_choose(choice, 2) ? 1 : -1) * exp2(u * (m == WIDE || most < 2 ? most : 2));
}

/* Part number i of floating elements. */
static double part(const poyi_case *c, poyi_choice *choice, mixture m, int is_single, double constant, double i)
{
    double u = 2 * poyi_choose_uniform(choice) - 1, range = (is_single ? 127 : 1023) * width_for(c->op);
    if (c->op == POYI_OP_prod)
        return factor(c, choice, m, range);
    switch (m) {
    case NORMAL:
    case MIXTURES: return 3 * u;
    case WIDE: return u * exp2(floor((2 * poyi_choose_uniform(choice) - 1) * range));
    case WHOLE: return floor(20 * u);
    case SPECIAL: return poyi_choose(choice, 4) ? 3 * u : special_value(c, choice, is_single);
    case EQUAL: return constant;
    case CANCELLING: return (poyi_choose(choice, 2) ? 1 : -1) * (1000 + constant);
    case ONE_SIGN: return fabs(u) + 0.1;
    case NEAR_AXES: return poyi_choose(choice, 2) ? u * 1e-12 : (poyi_choose(choice, 2) ? u : copysign(0, u));
    case TIES: return poyi_choose(choice, 3) ? copysign(floor(3 * fabs(u)), u) : floor(2 * u); /* 0 and -0 among them */
    case RISING: return -3 + i * 0x1p-9 + u * 0x1p-10;
    case FALLING: return 3 - i * 0x1p-9 + u * 0x1p-10;
    case TONE: return cos(i * constant) + u * 1e-7; /* of a spectrum all but one peak */
    case TINY: return ldexp(u, is_single ? -130 : -1030);
    }
    return u;
}

/* exp and trigonometric functions are asked where their results are numbers, too: exp from denormal ones to infinity. */
static double fit(const poyi_case *c, mixture m, double x)
{
    int is_single = c->dtype == POY_F32 || c->dtype == POY_C64;
    if (m != NORMAL)
        return x;
    switch (c->op) {
    case POYI_OP_exp:
    case POYI_OP_expm1:
    case POYI_OP_sinh:
    case POYI_OP_cosh: return (is_single ? 36 : 250) * x;
    case POYI_OP_sin:
    case POYI_OP_cos:
    case POYI_OP_tan: return 30 * x;
    case POYI_OP_log: return 1 + x * 1e-3; /* where digits cancel */
    default: return x;
    }
}

static int64_t whole(poyi_choice *choice, poy_dtype dtype, mixture m)
{
    double u = 2 * poyi_choose_uniform(choice) - 1;
    int64_t last = dtype == POY_I32 ? INT32_MAX : INT64_MAX;
    if (m == SPECIAL && poyi_choose(choice, 2))
        return poyi_choose(choice, 2) ? last : -last - 1;
    if (m == TIES)
        return (int64_t)(2 * u);
    return m == WIDE ? (int64_t)(u * (double)(last / 2)) ^ poyi_choose(choice, 512) : (int64_t)(u * 50); /* all bits */
}

/* Powers of integers have exponents that are not below 0. */
static int64_t whole_for(const poyi_case *c, const poyi_operand *o, poyi_choice *choice, mixture m)
{
    const int64_t v = whole(choice, o->dtype, m);
    return c->op == POYI_OP_pow && o == &c->operand[1] && v < 0 ? -(v + 1) : v;
}

/* Places of an axis, half of them counted from the end, some of them twice, in some cases only two of them or all in order. */
static void fill_places(const poyi_case *c, poyi_operand *o, poyi_choice *choice)
{
    const int kind = poyi_choose(choice, 4);
    for (int64_t i = 0; i < o->base; i++) {
        int64_t place = (int64_t)(poyi_choose_uniform(choice) * (double)c->places);
        place = kind == 0 ? i % c->places : kind == 1 ? (place % 2) * (c->places - 1) : place;
        place -= poyi_choose(choice, 2) ? c->places : 0;
        if (o->dtype == POY_I32)
            ((int32_t *)(void *)o->bytes)[i] = (int32_t)place;
        else
            ((int64_t *)(void *)o->bytes)[i] = place;
    }
}

/* Orders, ties and peaks matter where elements meet each other; the others have more of what is special to one. */
static mixture choose_mixture(const poyi_case *c, poyi_choice *choice)
{
    switch (poyi_op_rows[c->op].family) {
    case POY_FAMILY_reduce:
    case POY_FAMILY_line:
    case POY_FAMILY_put:
    case POY_FAMILY_dot:
    case POY_FAMILY_matmul:
    case POY_FAMILY_sparse:
    case POY_FAMILY_fft: return (mixture)poyi_choose(choice, MIXTURES);
    default: return (mixture)poyi_choose(choice, TIES);
    }
}

static void fill_values(const poyi_case *c, poyi_operand *o, poyi_choice *choice)
{
    mixture m = choose_mixture(c, choice);
    double constant = 2 * poyi_choose_uniform(choice) - 1;
    int is_single = o->dtype == POY_F32 || o->dtype == POY_C64;
    int64_t parts = o->base * (poy_dtype_is_complex(o->dtype) ? 2 : 1), drawn = parts < PERIOD ? parts : PERIOD;
    size_t bytes = (size_t)o->base * poy_dtype_size(o->dtype), period = (size_t)drawn * (bytes / (size_t)parts);

    if (c->places && o == &c->operand[1]) {
        fill_places(c, o, choice);
        return;
    }
    for (int64_t i = 0; i < drawn; i++)
        switch (o->dtype) {
        case POY_F32:
        case POY_C64:
            ((float *)(void *)o->bytes)[i] = (float)fit(c, m, part(c, choice, m, is_single, constant, (double)i));
            break;
        case POY_F64:
        case POY_C128:
            ((double *)(void *)o->bytes)[i] = fit(c, m, part(c, choice, m, is_single, constant, (double)i));
            break;
        case POY_I32: ((int32_t *)(void *)o->bytes)[i] = (int32_t)whole_for(c, o, choice, m); break;
        case POY_I64: ((int64_t *)(void *)o->bytes)[i] = whole_for(c, o, choice, m); break;
        case POY_B8: o->bytes[i] = (unsigned char)poyi_choose(choice, 2); break;
        }
    for (size_t at = period; at < bytes; at += period)
        memcpy(o->bytes + at, o->bytes, bytes - at < period ? bytes - at : period);
}

/* Half of y's elements are x's at their places: comparisons are asked about equal ones, NaN among them. */
static void share_elements(poyi_case *c, poyi_choice *choice)
{
    const poyi_operand *x = &c->operand[0], *y = &c->operand[1];
    int64_t index[POY_RANK_MAX] = {0};
    if (x->dtype != y->dtype || !x->size || !poyi_shape_equal(x->rank, x->extent, y->rank, y->extent))
        return;
    uint64_t which = (uint64_t)(poyi_choose_uniform(choice) * 0x1p53) | 1;
    do {
        which = which * UINT64_C(6364136223846793005) + 1442695040888963407u; /* Knuth's */
        poyi_wide v = poyi_wide_load(x->dtype, x->bytes, poyi_operand_place(x, index));
        if (which >> 63)
            poyi_wide_store(y->dtype, y->bytes, poyi_operand_place(y, index), v);
    } while (poyi_index_next(x->rank, x->extent, index));
}

/* The value of a fill, of a kind that its type takes. */
static void choose_value(poyi_case *c, poyi_choice *choice)
{
    mixture m = choose_mixture(c, choice);
    int is_single = c->dtype == POY_F32 || c->dtype == POY_C64;
    c->value.re = part(c, choice, m, is_single, 0.5, 0);
    if (poy_dtype_is_complex(c->dtype))
        c->value.im = part(c, choice, m, is_single, 0.25, 0);
    if ((c->dtype == POY_I32 || c->dtype == POY_I64) && !isfinite(c->value.re))
        c->value.re = 7;
}

poy_status poyi_case_fill(poy_ctx *ctx, poyi_case *c, poyi_choice *choice)
{
    poyi_operand *out = poyi_case_output(c);

    if (poyi_op_rows[c->op].family == POY_FAMILY_fill)
        choose_value(c, choice);
    for (int k = 0; k < c->n_in; k++) {
        int alone = (k == 0 && c->in_place) || poyi_op_rows[c->op].family == POY_FAMILY_linalg;
        alone |= poyi_op_rows[c->op].family == POY_FAMILY_sparse && k < 3;
        POYI_TRY(ctx, make_window(ctx, &c->operand[k], choice, alone));
        fill_values(c, &c->operand[k], choice);
    }
    if (poyi_op_rows[c->op].out == POYI_OUT_BOOL && c->n_in == 2 && poyi_choose(choice, 2))
        share_elements(c, choice);
    if (poyi_op_rows[c->op].family == POY_FAMILY_linalg)
        poyi_case_fill_matrices(c, choice);
    if (poyi_op_rows[c->op].family == POY_FAMILY_sparse)
        poyi_case_fill_sparse(c, choice);
    if (c->in_place) { /* the same window, on the first input's base */
        memcpy(out->stride, c->operand[0].stride, sizeof out->stride);
        out->offset = c->operand[0].offset;
        out->base = c->operand[0].base;
        out->size = c->operand[0].size;
        return POY_OK;
    }
    POYI_TRY(ctx, make_window(ctx, out, choice, 1));
    memset(out->bytes, 0xa5, (size_t)out->base * poy_dtype_size(out->dtype));
    return POY_OK;
}

/* ---- elements ---- */

poyi_wide poyi_wide_load(poy_dtype dtype, const void *bytes, int64_t at)
{
    switch (dtype) {
    case POY_F32: return (poyi_wide){((const float *)bytes)[at], 0};
    case POY_F64: return (poyi_wide){((const double *)bytes)[at], 0};
    case POY_C64: return (poyi_wide){((const float *)bytes)[2 * at], ((const float *)bytes)[2 * at + 1]};
    case POY_C128: return (poyi_wide){((const double *)bytes)[2 * at], ((const double *)bytes)[2 * at + 1]};
    case POY_I32: return (poyi_wide){((const int32_t *)bytes)[at], 0};
    case POY_I64: return (poyi_wide){(long double)((const int64_t *)bytes)[at], 0};
    case POY_B8: return (poyi_wide){((const unsigned char *)bytes)[at], 0};
    }
    return (poyi_wide){0, 0};
}

void poyi_wide_store(poy_dtype dtype, void *bytes, int64_t at, poyi_wide v)
{
    switch (dtype) {
    case POY_F32: ((float *)bytes)[at] = (float)v.re; break;
    case POY_F64: ((double *)bytes)[at] = (double)v.re; break;
    case POY_C64:
        ((float *)bytes)[2 * at] = (float)v.re;
        ((float *)bytes)[2 * at + 1] = (float)v.im;
        break;
    case POY_C128:
        ((double *)bytes)[2 * at] = (double)v.re;
        ((double *)bytes)[2 * at + 1] = (double)v.im;
        break;
    case POY_I32: ((int32_t *)bytes)[at] = (int32_t)v.re; break;
    case POY_I64: ((int64_t *)bytes)[at] = (int64_t)v.re; break;
    case POY_B8: ((unsigned char *)bytes)[at] = v.re != 0; break;
    }
}

int64_t poyi_operand_place(const poyi_operand *o, const int64_t *index)
{
    int64_t place = o->offset;
    for (int i = 0; i < o->rank; i++)
        place += index[i] * o->stride[i];
    return place;
}

int poyi_index_next(int rank, const int64_t *extent, int64_t *index)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++index[i] < extent[i])
            return 1;
        index[i] = 0;
    }
    return 0;
}

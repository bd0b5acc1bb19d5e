/* run.c: a case on a backend: builds its arrays, calls the public function, and checks what needs no oracle: inputs
 * unchanged, guards intact, temporaries given back, the same bits for any number of threads, refusals of bad values. */
#include <stdio.h>
#include <string.h>

#include "conform/conform.h"
#include "poynting/arrange.h"

/* ---- the public functions ---- */

typedef struct public_functions {
    poy_status (*unary)(poy_ctx *, const poy_array *, poy_array **);
    poy_status (*unary_into)(poy_ctx *, const poy_array *, poy_array *);
    poy_status (*binary)(poy_ctx *, const poy_array *, const poy_array *, poy_array **);
    poy_status (*binary_into)(poy_ctx *, const poy_array *, const poy_array *, poy_array *);
    poy_status (*ternary)(poy_ctx *, const poy_array *, const poy_array *, const poy_array *, poy_array **);
    poy_status (*ternary_into)(poy_ctx *, const poy_array *, const poy_array *, const poy_array *, poy_array *);
    poy_status (*line)(poy_ctx *, const poy_array *, int, poy_array **);
    poy_status (*line_into)(poy_ctx *, const poy_array *, int, poy_array *);
    poy_status (*put)(poy_ctx *, const poy_array *, const poy_array *, const poy_array *, int, poy_array **);
    poy_status (*put_into)(poy_ctx *, const poy_array *, const poy_array *, const poy_array *, int, poy_array *);
    poy_status (*reduce)(poy_ctx *, const poy_array *, int, const int *, int, poy_array **);
    poy_status (*reduce_into)(poy_ctx *, const poy_array *, int, const int *, int, poy_array *);
} public_functions;

/* clang-format off */
#define FUNCTIONS_fill(name) {0}
#define FUNCTIONS_copy(name) {.unary_into = poy_##name##_into}
#define FUNCTIONS_unary(name) {.unary = poy_##name, .unary_into = poy_##name##_into}
#define FUNCTIONS_binary(name) {.binary = poy_##name, .binary_into = poy_##name##_into}
#define FUNCTIONS_matmul(name) {.binary = poy_##name, .binary_into = poy_##name##_into}
#define FUNCTIONS_ternary(name) {.ternary = poy_##name, .ternary_into = poy_##name##_into}
#define FUNCTIONS_line(name) {.line = poy_##name, .line_into = poy_##name##_into}
#define FUNCTIONS_take(name) {0}
#define FUNCTIONS_put(name) {.put = poy_##name, .put_into = poy_##name##_into}
#define FUNCTIONS_dot(name) {.binary = poy_##name, .binary_into = poy_##name##_into}
#define FUNCTIONS_linalg(name) {0} /* factors.c */
#define FUNCTIONS_sparse(name) {0} /* sparse_cases.c */
#define FUNCTIONS_reduce(name) {.reduce = poy_##name, .reduce_into = poy_##name##_into}
#define FUNCTIONS_fft(name) {0}
/* clang-format on */
static const public_functions functions[POYI_OP_COUNT] = {
#define POY_OP(name, family, dtypes, out, tol, scale, text) [POYI_OP_##name] = FUNCTIONS_##family(name),
#include "poynting/ops.def"
#undef POY_OP
};

/* The creating form. worst, text: of what else linear algebra makes. */
static poy_status create(poy_ctx *ctx, poy_backend *be, const poyi_case *c, poy_array *const *in, poy_array **out,
                         double *worst, size_t size, char *text)
{
    const public_functions *f = &functions[c->op];
    const poyi_operand *y = poyi_case_result(c);
    switch (poyi_op_rows[c->op].family) {
    case POY_FAMILY_fill: return poy_fill(ctx, be, c->value, y->dtype, y->rank, y->extent, out);
    case POY_FAMILY_copy: return poy_copy(ctx, in[0], y->dtype, out);
    case POY_FAMILY_unary: return f->unary(ctx, in[0], out);
    case POY_FAMILY_binary:
    case POY_FAMILY_dot:
    case POY_FAMILY_matmul: return f->binary(ctx, in[0], in[1], out);
    case POY_FAMILY_ternary: return f->ternary(ctx, in[0], in[1], in[2], out);
    case POY_FAMILY_line: return f->line(ctx, in[0], c->axes[0], out);
    case POY_FAMILY_take: return poy_take(ctx, in[0], in[1], c->axes[0], out);
    case POY_FAMILY_put: return f->put(ctx, in[0], in[1], in[2], c->axes[0], out);
    case POY_FAMILY_linalg: return poyi_run_factors(ctx, c, in, out, worst, size, text);
    case POY_FAMILY_sparse: return poyi_run_sparse(ctx, c, in, NULL, out);
    case POY_FAMILY_reduce:
        if (c->casts)
            return (c->op == POYI_OP_sum ? poy_sum_as : poy_prod_as)(ctx, in[0], y->dtype, c->n_axes, c->axes,
                                                                     c->keepdims, out);
        return f->reduce(ctx, in[0], c->n_axes, c->axes, c->keepdims, out);
    case POY_FAMILY_fft: return poy_fft(ctx, in[0], &c->fft, out);
    }
    return POY_ERR_INTERNAL;
}

static poy_status write_into(poy_ctx *ctx, const poyi_case *c, poy_array *const *in, poy_array *out)
{
    const public_functions *f = &functions[c->op];
    switch (poyi_op_rows[c->op].family) {
    case POY_FAMILY_fill: return poy_fill_into(ctx, c->value, out);
    case POY_FAMILY_copy:
    case POY_FAMILY_unary: return f->unary_into(ctx, in[0], out);
    case POY_FAMILY_binary:
    case POY_FAMILY_dot:
    case POY_FAMILY_matmul: return f->binary_into(ctx, in[0], in[1], out);
    case POY_FAMILY_ternary: return f->ternary_into(ctx, in[0], in[1], in[2], out);
    case POY_FAMILY_line: return f->line_into(ctx, in[0], c->axes[0], out);
    case POY_FAMILY_take: return poy_take_into(ctx, in[0], in[1], c->axes[0], out);
    case POY_FAMILY_put: return f->put_into(ctx, in[0], in[1], in[2], c->axes[0], out);
    case POY_FAMILY_linalg: break; /* these create */
    case POY_FAMILY_sparse: return poyi_run_sparse(ctx, c, in, out, NULL);
    case POY_FAMILY_reduce:
        if (c->casts)
            return (c->op == POYI_OP_sum ? poy_sum_as_into : poy_prod_as_into)(ctx, in[0], c->n_axes, c->axes,
                                                                               c->keepdims, out);
        return f->reduce_into(ctx, in[0], c->n_axes, c->axes, c->keepdims, out);
    case POY_FAMILY_fft: return poy_fft_into(ctx, in[0], &c->fft, out);
    }
    return POY_ERR_INTERNAL;
}

/* ---- arrays of a case ---- */

typedef struct arrays {
    poy_array *base[POYI_CASE_OPERANDS], *window[POYI_CASE_OPERANDS];
} arrays;

static void destroy_arrays(arrays *a)
{
    for (int k = 0; k < POYI_CASE_OPERANDS; k++) {
        poy_array_destroy(&a->window[k]);
        poy_array_destroy(&a->base[k]);
    }
}

static poy_status make_operand(poy_ctx *ctx, poy_backend *be, const poyi_operand *o, poy_array **base,
                               poy_array **window)
{
    POYI_TRY(ctx, poy_array_create(ctx, be, o->dtype, 1, &o->base, base));
    POYI_TRY(ctx, poy_array_write(ctx, *base, o->bytes));
    POYI_TRY(ctx, poy_array_view(ctx, *base, o->rank, o->extent, o->stride, o->offset, window));
    return POY_OK;
}

static poy_status make_arrays(poy_ctx *ctx, poy_backend *be, const poyi_case *c, arrays *a)
{
    for (int k = 0; k < c->n_in; k++)
        POYI_TRY(ctx, make_operand(ctx, be, &c->operand[k], &a->base[k], &a->window[k]));
    if (!c->in_place && !c->creates)
        POYI_TRY(ctx, make_operand(ctx, be, poyi_case_result(c), &a->base[c->n_in], &a->window[c->n_in]));
    return POY_OK;
}

/* ---- checks ---- */

static int same_bytes(const poyi_operand *o, const unsigned char *now, int64_t element)
{
    size_t size = poy_dtype_size(o->dtype);
    return !memcmp(o->bytes + (size_t)element * size, now + (size_t)element * size, size);
}

/* Whether the base holds what it held, apart from the window where that was written to. text: where not. */
static poy_status check_base(poy_ctx *ctx, const poyi_operand *o, const unsigned char *before, const poy_array *base,
                             int written, const char *what, size_t size, char *text)
{
    poy_status status = POY_OK;
    int64_t index[POY_RANK_MAX] = {0};
    void *now = NULL, *mask = NULL;
    poyi_operand b = *o;

    memcpy(&b.bytes, &before, sizeof b.bytes); /* only read */
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "conform", (size_t)o->base * poy_dtype_size(o->dtype), &now));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "conform", (size_t)o->base, &mask));
    POYI_TO_DONE(ctx, poy_array_read(ctx, base, now));
    unsigned char *is_window = mask;
    if (written && o->size)
        do
            is_window[poyi_operand_place(o, index)] = 1;
        while (poyi_index_next(o->rank, o->extent, index));
    for (int64_t i = 0; i < o->base && !*text; i++)
        if (!is_window[i] && !same_bytes(&b, now, i))
            snprintf(text, size, "%s changed at element %lld of its base, outside of what may be written", what,
                     (long long)i);
done:
    poyi_free(&mask);
    poyi_free(&now);
    return status;
}

static const char *const names[4] = {"x", "y", "z", "w"};

static poy_status check_bases(poy_ctx *ctx, const poyi_case *c, const arrays *a, size_t size, char *text)
{
    for (int k = 0; k < c->n_in; k++)
        POYI_TRY(ctx, check_base(ctx, &c->operand[k], c->operand[k].bytes, a->base[k], c->in_place && k == 0, names[k],
                                 size, text));
    if (a->base[c->n_in])
        POYI_TRY(ctx, check_base(ctx, poyi_case_result(c), poyi_case_result(c)->bytes, a->base[c->n_in], 1,
                                 "the output", size, text));
    return POY_OK;
}

static void check_made(const poyi_case *c, const poy_array *made, size_t size, char *text)
{
    const poyi_operand *y = poyi_case_result(c);
    if (made->dtype != y->dtype || !made->contiguous || !poyi_shape_equal(made->rank, made->extent, y->rank, y->extent))
        snprintf(text, size, "made an array of %s %s, should be %s %s", poy_dtype_name(made->dtype),
                 poyi_shape_print(made->rank, made->extent).text, poy_dtype_name(y->dtype),
                 poyi_shape_print(y->rank, y->extent).text);
}

/* One call; *dense: the result. */
static poy_status call(poy_ctx *ctx, poy_backend *be, const poyi_case *c, void *dense, double *worst, size_t size,
                       char *text)
{
    poy_status status = POY_OK;
    arrays a = {{NULL}, {NULL}};
    poy_array *made = NULL;

    POYI_TO_DONE(ctx, make_arrays(ctx, be, c, &a));
    size_t before = poy_ctx_bytes(ctx);
    poy_array *out = c->in_place ? a.window[0] : a.window[c->n_in];
    if (c->creates)
        POYI_TO_DONE(ctx, create(ctx, be, c, a.window, &made, worst, size, text));
    else
        POYI_TO_DONE(ctx, write_into(ctx, c, a.window, out));
    if (made && !*text) {
        check_made(c, made, size, text);
        before += (size_t)made->size * poy_dtype_size(made->dtype);
        out = made;
    }
    if (poy_ctx_bytes(ctx) != before && !*text)
        snprintf(text, size, "the call left %zu bytes in the ledger where there were %zu", poy_ctx_bytes(ctx), before);
    if (!*text)
        POYI_TO_DONE(ctx, check_bases(ctx, c, &a, size, text));
    if (!*text)
        POYI_TO_DONE(ctx, poy_array_read(ctx, out, dense));
done:
    poy_array_destroy(&made);
    destroy_arrays(&a);
    return status;
}

/* ---- refusals ---- */

/* What the operation has to say of its second input where that holds bad; POY_OK: it takes all values. */
static poy_status refusal_of(const poyi_case *c, poyi_wide *bad)
{
    switch (c->op) {
    case POYI_OP_take:
    case POYI_OP_put:
    case POYI_OP_put_add: *bad = (poyi_wide){(long double)c->places, 0}; return POY_ERR_INDEX;
    case POYI_OP_pow:
        *bad = (poyi_wide){-1, 0};
        return (c->dtype == POY_I32 || c->dtype == POY_I64) && c->operand[1].dtype != POY_B8 ? POY_ERR_ARGUMENT
                                                                                             : POY_OK;
    default: return POY_OK;
    }
}

/* The call with such a value in the last place: it fails as it should, and nothing is written but x, where put makes a copy. */
static poy_status check_refusal(poy_ctx *ctx, poy_backend *be, const poyi_case *c, size_t size, char *text)
{
    poy_status status = POY_OK;
    const poyi_operand *o = &c->operand[1];
    arrays a = {{NULL}, {NULL}};
    poy_array *made = NULL;
    poyi_wide bad = {0, 0};
    const poy_status want = refusal_of(c, &bad);
    if (want == POY_OK || !o->size || !poyi_case_result(c)->size)
        return POY_OK;
    int64_t last[POY_RANK_MAX];
    double worst = 0;
    for (int i = 0; i < o->rank; i++)
        last[i] = o->extent[i] - 1;
    const int64_t place = poyi_operand_place(o, last);
    const poyi_wide kept = poyi_wide_load(o->dtype, o->bytes, place);
    poyi_wide_store(o->dtype, o->bytes, place, bad);
    POYI_TO_DONE(ctx, make_arrays(ctx, be, c, &a));
    const poy_status got = c->creates ? create(ctx, be, c, a.window, &made, &worst, size, text)
                                      : write_into(ctx, c, a.window, c->in_place ? a.window[0] : a.window[c->n_in]);
    poy_ctx_clear(ctx);
    if (got != want)
        snprintf(text, size, "said %s of a %s of %Lg, should say %s", poy_status_name(got),
                 c->op == POYI_OP_pow ? "power" : "place", bad.re, poy_status_name(want));
    const int holds_x = c->op == POYI_OP_put || c->op == POYI_OP_put_add; /* where it is not x itself */
    for (int k = 0; k <= c->n_in && !*text; k++)
        if (a.base[k])
            POYI_TO_DONE(ctx, check_base(ctx, &c->operand[k], c->operand[k].bytes, a.base[k], holds_x && k == c->n_in,
                                         names[k], size, text));
done:
    poyi_wide_store(o->dtype, o->bytes, place, kept);
    poy_array_destroy(&made);
    destroy_arrays(&a);
    return status;
}

/* ---- a case ---- */

poy_status poyi_case_run(poy_ctx *ctx, poy_backend *be, const poyi_case *c, void **dense, double *worst, size_t size,
                         char *text)
{
    enum { THREADED = 30000, MOST = 3 }; /* elements from which more threads may take part */
    const poyi_operand *y = poyi_case_result(c);
    size_t bytes = (size_t)y->size * poy_dtype_size(y->dtype);
    poy_status status = POY_OK;
    void *again = NULL;
    int64_t largest = 0;

    text[0] = '\0';
    *dense = NULL;
    *worst = 0;
    for (int k = 0; k <= c->n_in; k++)
        largest = c->operand[k].size > largest ? c->operand[k].size : largest;
    int runs = largest >= THREADED && poyi_backend_ref(be) && poyi_backend_ref(be) != be ? MOST : 1; /* ref has none */
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "conform", bytes, dense));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "conform", bytes, &again));
    for (int threads = runs; threads >= 1 && !*text; threads--) {
        if (runs > 1)
            poy_ctx_set_threads(ctx, threads);
        POYI_TO_DONE(ctx, call(ctx, be, c, threads == runs ? *dense : again, worst, size, text));
        if (threads != runs && !*text && memcmp(*dense, again, bytes) != 0)
            snprintf(text, size, "%d threads and %d give other bits", runs, threads);
    }
    if (!*text)
        POYI_TO_DONE(ctx, check_refusal(ctx, be, c, size, text));
done:
    poyi_free(&again);
    if (status != POY_OK)
        poyi_free(dense);
    return status;
}

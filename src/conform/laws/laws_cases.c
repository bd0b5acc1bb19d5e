/* laws_cases.c: the library's own spaces, operators and functionals, as cases of laws. */
#include <math.h>
#include <string.h>

#include "conform/laws/laws_run.h"

enum { SPACES = 8, OPERATORS = 17, FUNCTIONALS = 10, OBJECTS = SPACES + OPERATORS + FUNCTIONALS, N = 6, M = 4 };
enum { FFT = 11, HANKEL = 12 }; /* among the operators: of complex numbers alone */

typedef struct suite {
    poy_ctx *ctx;
    poy_backend *be;
    poy_dtype dtype;
    uint64_t seed;
    int is_made;
    poy_space *space[SPACES];
    poy_linop *op[OPERATORS];
    poy_functional *f[FUNCTIONALS];
    poy_array *matrix[4], *vector;
} suite;

static const char *const space_names[SPACES] = {"space dense",       "space weighted", "space plane",
                                                "space hermitian",   "space product",  "space metric",
                                                "space elementwise", "space stacked"};
static const char *const op_names[OPERATORS] = {
    "operator dense",    "operator diagonal", "operator identity", "operator zero",   "operator scaled", "operator sum",
    "operator composed", "operator adjoint",  "operator block",    "operator fused",  "operator plane",  "operator fft",
    "operator hankel",   "operator metric",   "operator inverse",  "operator normal", "operator sparse"};
static const char *const f_names[FUNCTIONALS] = {
    "functional linear",  "functional quadratic", "functional squared-norm", "functional p-norm",
    "functional 1-norm",  "functional constant",  "functional scaled",       "functional sum",
    "functional product", "functional composed"};

/* ---- what is held to laws ---- */

static poy_status make_matrix(suite *t, int slot, int64_t rows, int64_t cols)
{
    const int64_t shape[2] = {rows, cols};
    poy_space *s = NULL;
    POYI_TRY(t->ctx, poy_space_dense(t->ctx, t->be, t->dtype, 2, shape, &s));
    const poy_status status = poy_space_random(t->ctx, s, t->seed + 100 + (uint64_t)slot, &t->matrix[slot]);
    poy_space_destroy(&s);
    return status;
}

/* 2 and its inverse as a metric: as plain as one can be, but it goes through operators. */
static poy_status make_metric(suite *t)
{
    poy_linop *one = NULL, *two = NULL, *half = NULL;
    poy_status status = POY_OK;
    POYI_TO_DONE(t->ctx, poy_linop_identity(t->ctx, t->space[0], &one));
    POYI_TO_DONE(t->ctx, poy_linop_scale(t->ctx, (poy_scalar){2, 0}, one, &two));
    POYI_TO_DONE(t->ctx, poy_linop_scale(t->ctx, (poy_scalar){0.5, 0}, one, &half));
    POYI_TO_DONE(t->ctx, poy_space_metric(t->ctx, two, half, &t->space[5]));
done:
    poy_linop_destroy(&one);
    poy_linop_destroy(&two);
    poy_linop_destroy(&half);
    return status;
}

static poy_status make_spaces(suite *t)
{
    poy_ctx *ctx = t->ctx;
    poy_status status = POY_OK;
    const int64_t n = N, plane[2] = {3, 4}, m = M;
    const double weights[N] = {2, 5, 0.25, 1, 3, 0.5};
    poy_array *w = NULL;
    POYI_TO_DONE(ctx, poy_array_create(ctx, t->be, POY_F64, 1, &m, &w));
    POYI_TO_DONE(ctx, poy_array_write(ctx, w, weights));
    POYI_TO_DONE(ctx, poy_space_dense(ctx, t->be, t->dtype, 1, &n, &t->space[0]));
    POYI_TO_DONE(ctx, poy_space_weighted(ctx, w, t->dtype, 1, &m, &t->space[1]));
    POYI_TO_DONE(ctx, poy_space_dense(ctx, t->be, t->dtype, 2, plane, &t->space[2]));
    POYI_TO_DONE(ctx, poy_space_hermitian(ctx, t->be, t->dtype, 3, 0, 0, &t->space[3]));
    POYI_TO_DONE(ctx, poy_space_product(ctx, 4, t->space, NULL, &t->space[4]));
    POYI_TO_DONE(ctx, make_metric(t));
    POYI_TO_DONE(ctx, poy_space_elementwise(ctx, t->be, NULL, t->dtype, 1, &n, &t->space[6]));
    POYI_TO_DONE(ctx, poy_space_stacked(ctx, t->space[1], 3, &t->space[7]));
    POYI_TO_DONE(ctx, make_matrix(t, 0, M, N));
    POYI_TO_DONE(ctx, make_matrix(t, 1, M, M));
    POYI_TO_DONE(ctx, make_matrix(t, 2, M, 12));
    POYI_TO_DONE(ctx, poy_space_random(ctx, t->space[1], t->seed + 110, &t->vector));
done:
    poy_array_destroy(&w);
    return status;
}

static poy_status make_blocks(suite *t, poy_linop **out)
{
    poy_status status = POY_OK;
    poy_space *from = NULL, *to = NULL;
    poy_space *const pair[2] = {t->space[0], t->space[1]}, *const other[2] = {t->space[1], t->space[0]};
    poy_linop *const ops[4] = {t->op[0], t->op[1], NULL, t->op[7]};
    POYI_TO_DONE(t->ctx, poy_space_product(t->ctx, 2, pair, NULL, &from));
    POYI_TO_DONE(t->ctx, poy_space_product(t->ctx, 2, other, NULL, &to));
    POYI_TO_DONE(t->ctx, poy_linop_block(t->ctx, from, to, ops, out));
done:
    poy_space_destroy(&from);
    poy_space_destroy(&to);
    return status;
}

static poy_status make_transforms(suite *t)
{
    poy_status status = POY_OK;
    const int64_t five = 5, length = 5 + N - 1;
    poy_space *s = NULL, *line = NULL;
    poy_array *h = NULL;
    if (!poy_dtype_is_complex(t->dtype))
        return POY_OK;
    POYI_TO_DONE(t->ctx, poy_linop_fft(t->ctx, t->space[2], 1, -1, 0.5, &t->op[FFT]));
    POYI_TO_DONE(t->ctx, poy_space_dense(t->ctx, t->be, t->dtype, 1, &five, &s));
    POYI_TO_DONE(t->ctx, poy_space_dense(t->ctx, t->be, t->dtype, 1, &length, &line));
    POYI_TO_DONE(t->ctx, poy_space_random(t->ctx, line, t->seed + 120, &h));
    POYI_TO_DONE(t->ctx, poy_linop_hankel(t->ctx, h, t->space[0], s, &t->op[HANKEL]));
done:
    poy_array_destroy(&h);
    poy_space_destroy(&s);
    poy_space_destroy(&line);
    return status;
}

static poy_status make_operators(suite *t)
{
    poy_ctx *ctx = t->ctx;
    const poy_scalar a = {0.5, poy_dtype_is_complex(t->dtype) ? 1.5 : 0};
    poy_linop **op = t->op;
    POYI_TRY(ctx, poy_linop_dense(ctx, t->matrix[0], t->space[0], t->space[1], &op[0]));
    POYI_TRY(ctx, poy_linop_diagonal(ctx, t->vector, t->space[1], &op[1]));
    POYI_TRY(ctx, poy_linop_identity(ctx, t->space[1], &op[2]));
    POYI_TRY(ctx, poy_linop_zero(ctx, t->space[0], t->space[1], &op[3]));
    POYI_TRY(ctx, poy_linop_scale(ctx, a, op[0], &op[4]));
    poy_linop *const terms[2] = {op[0], op[4]};
    POYI_TRY(ctx, poy_linop_sum(ctx, 2, terms, &op[5]));
    poy_linop *const chain[2] = {op[1], op[5]};
    POYI_TRY(ctx, poy_linop_compose(ctx, 2, chain, &op[6]));
    POYI_TRY(ctx, poy_linop_adjoint(ctx, op[0], &op[7]));
    POYI_TRY(ctx, make_blocks(t, &op[8]));
    POYI_TRY(ctx, poy_linop_fuse(ctx, op[6], 1, &op[9]));
    POYI_TRY(ctx, poy_linop_dense(ctx, t->matrix[2], t->space[2], t->space[1], &op[10]));
    POYI_TRY(ctx, make_transforms(t));
    POYI_TRY(ctx, poy_linop_dense(ctx, t->matrix[0], t->space[5], t->space[1], &op[13]));
    POYI_TRY(ctx, poy_linop_adjoint(ctx, op[13], &op[14]));
    poy_linop *const normal[2] = {op[7], op[0]};
    POYI_TRY(ctx, poy_linop_compose(ctx, 2, normal, &op[15]));
    poy_sparse *rows = NULL;
    POYI_TRY(ctx, poy_sparse_from_dense(ctx, t->matrix[0], POY_SPARSE_CSR, &rows));
    const poy_status status = poy_linop_sparse(ctx, rows, t->space[0], t->space[1], &op[16]);
    poy_sparse_destroy(&rows);
    return status;
}

static poy_status make_functionals(suite *t)
{
    poy_ctx *ctx = t->ctx;
    poy_functional **f = t->f;
    poy_space *s = t->space[1];
    poy_linop *form = NULL;
    poy_linop *const normal[2] = {t->op[0], t->op[7]}; /* A A#, on the weighted space */
    POYI_TRY(ctx, poy_linop_compose(ctx, 2, normal, &form));
    const poy_status status = poy_functional_quadratic(ctx, form, t->vector, 0.25, &f[1]);
    poy_linop_destroy(&form);
    if (status != POY_OK)
        return status;
    POYI_TRY(ctx, poy_functional_linear(ctx, s, t->vector, &f[0]));
    POYI_TRY(ctx, poy_functional_squared_norm(ctx, s, &f[2]));
    POYI_TRY(ctx, poy_functional_lp(ctx, s, 3, &f[3]));
    POYI_TRY(ctx, poy_functional_lp(ctx, s, 1, &f[4]));
    POYI_TRY(ctx, poy_functional_constant(ctx, s, 2, &f[5]));
    POYI_TRY(ctx, poy_functional_scale(ctx, 0.75, f[2], &f[6]));
    poy_functional *const terms[2] = {f[1], f[2]};
    POYI_TRY(ctx, poy_functional_sum(ctx, 2, terms, &f[7]));
    POYI_TRY(ctx, poy_functional_product(ctx, f[1], f[2], &f[8]));
    POYI_TRY(ctx, poy_functional_compose(ctx, f[1], t->op[0], &f[9]));
    return POY_OK;
}

/* ---- one case after the other ---- */

static const char *name_of(int object)
{
    return object < SPACES               ? space_names[object]
           : object < SPACES + OPERATORS ? op_names[object - SPACES]
                                         : f_names[object - SPACES - OPERATORS];
}

static void clear(suite *t)
{
    for (int i = 0; i < FUNCTIONALS; i++)
        poy_functional_destroy(&t->f[i]);
    for (int i = 0; i < OPERATORS; i++)
        poy_linop_destroy(&t->op[i]);
    for (int i = 0; i < SPACES; i++)
        poy_space_destroy(&t->space[i]);
    for (int i = 0; i < 4; i++)
        poy_array_destroy(&t->matrix[i]);
    poy_array_destroy(&t->vector);
    t->is_made = 0;
}

/* Makes the objects in a type, once. What fails in it fails in each case of the type. */
static poy_status make(suite *t, poy_dtype dtype)
{
    poy_ctx *ctx = t->ctx;
    if (t->is_made && t->dtype == dtype)
        return POY_OK;
    clear(t);
    t->dtype = dtype;
    POYI_TRY(ctx, make_spaces(t));
    POYI_TRY(ctx, make_operators(t));
    POYI_TRY(ctx, make_functionals(t));
    t->is_made = 1;
    return POY_OK;
}

static poy_status hold(void *user, int i, poy_conform_law_fn *fn, void *to, int *failed)
{
    suite *t = user;
    const int object = i % OBJECTS;
    const char *name = name_of(object);
    POYI_TRY(t->ctx, make(t, (poy_dtype)(POY_F32 + i / OBJECTS)));
    if (object < SPACES)
        return poy_conform_space(t->ctx, t->space[object], name, t->seed, fn, to, failed);
    if (object < SPACES + OPERATORS)
        return poy_conform_linop(t->ctx, t->op[object - SPACES], name, t->seed, fn, to, failed);
    return poy_conform_functional(t->ctx, t->f[object - SPACES - OPERATORS], name, t->seed, fn, to, failed);
}

static int name_case(void *user, int i, const char **object, poy_dtype *dtype)
{
    const int op = i % OBJECTS - SPACES;
    (void)user;
    *object = name_of(i % OBJECTS);
    *dtype = (poy_dtype)(POY_F32 + i / OBJECTS);
    return (op != FFT && op != HANKEL) || poy_dtype_is_complex(*dtype);
}

static poy_status start(poy_ctx *ctx, void *user, poy_backend *be, uint64_t seed)
{
    *(suite *)user = (suite){.ctx = ctx, .be = be, .seed = seed};
    return POY_OK;
}

static void stop(void *user)
{
    clear(user);
}

poy_status poy_conform_laws(poy_ctx *ctx, const poy_conform_options *options, const char *objects,
                            poy_conform_law_fn *fn, void *user, int *failed)
{
    suite t = {.ctx = ctx};
    const poyi_law_suite s = {.n = OBJECTS * (POY_C128 - POY_F32 + 1),
                              .starting = "opened",
                              .user = &t,
                              .start = start,
                              .name = name_case,
                              .hold = hold,
                              .stop = stop};
    *failed = 0;
    POYI_TRY(ctx, poyi_laws_run(ctx, options, &s, objects, fn, user, failed));
    return POY_OK;
}

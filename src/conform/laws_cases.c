/* laws_cases.c: the library's own spaces, operators and functionals, held to their laws; a caller's operator from a shared
 * object. */
#define _POSIX_C_SOURCE 200809L /* fnmatch */
#include <dlfcn.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conform/laws.h"

enum { SPACES = 8, OPERATORS = 17, FUNCTIONALS = 10, N = 6, M = 4 };

typedef struct suite {
    poy_ctx *ctx;
    poy_backend *be;
    poy_dtype dtype;
    const char *pattern;
    uint64_t seed;
    poy_conform_law_fn *fn;
    void *user;
    int *failed, found;
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
    POYI_TO_DONE(t->ctx, poy_linop_fft(t->ctx, t->space[2], 1, -1, 0.5, &t->op[11]));
    POYI_TO_DONE(t->ctx, poy_space_dense(t->ctx, t->be, t->dtype, 1, &five, &s));
    POYI_TO_DONE(t->ctx, poy_space_dense(t->ctx, t->be, t->dtype, 1, &length, &line));
    POYI_TO_DONE(t->ctx, poy_space_random(t->ctx, line, t->seed + 120, &h));
    POYI_TO_DONE(t->ctx, poy_linop_hankel(t->ctx, h, t->space[0], s, &t->op[12]));
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

/* ---- running ---- */

static int wanted(suite *t, const char *name)
{
    const char *kind = strchr(name, ' ') + 1;
    const int yes = !t->pattern || !fnmatch(t->pattern, name, 0) || !fnmatch(t->pattern, kind, 0);
    t->found += yes;
    return yes;
}

static poy_status run(suite *t)
{
    poy_ctx *ctx = t->ctx;
    POYI_TRY(ctx, make_spaces(t));
    POYI_TRY(ctx, make_operators(t));
    POYI_TRY(ctx, make_functionals(t));
    for (int i = 0; i < SPACES; i++)
        if (wanted(t, space_names[i]))
            POYI_TRY(ctx, poy_conform_space(ctx, t->space[i], space_names[i], t->seed, t->fn, t->user, t->failed));
    for (int i = 0; i < OPERATORS; i++)
        if (t->op[i] && wanted(t, op_names[i]))
            POYI_TRY(ctx, poy_conform_linop(ctx, t->op[i], op_names[i], t->seed, t->fn, t->user, t->failed));
    for (int i = 0; i < FUNCTIONALS; i++)
        if (wanted(t, f_names[i]))
            POYI_TRY(ctx, poy_conform_functional(ctx, t->f[i], f_names[i], t->seed, t->fn, t->user, t->failed));
    return POY_OK;
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
}

poy_status poy_conform_laws(poy_ctx *ctx, const char *backend, const char *objects, uint64_t seed,
                            poy_conform_law_fn *fn, void *user, int *failed)
{
    poy_status status = POY_OK;
    suite t = {.ctx = ctx, .pattern = objects, .seed = seed, .fn = fn, .user = user, .failed = failed};
    *failed = 0;
    POYI_TRY(ctx, poy_backend_open(ctx, backend, &t.be));
    for (int d = POY_F32; d <= POY_C128; d++) {
        t.dtype = (poy_dtype)d;
        POYI_TO_DONE(ctx, run(&t));
        clear(&t);
    }
    if (!t.found)
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "no space, operator or functional matches \"%s\"", objects);
done:
    clear(&t);
    poy_backend_close(&t.be);
    return status;
}

/* ---- a caller's ---- */

/* dlsym gives a pointer to an object; C has no cast from that to a function. */
static poy_linop_entry_fn *entry_in(void *library, const char *symbol)
{
    poy_linop_entry_fn *entry = NULL;
    void *address = dlsym(library, symbol);
    memcpy(&entry, &address, sizeof entry);
    return entry;
}

/* The operator and the spaces that it maps between. */
static poy_status conform_with_spaces(poy_ctx *ctx, poy_linop *op, const char *name, uint64_t seed,
                                      poy_conform_law_fn *fn, void *user, int *failed)
{
    char of[96];
    snprintf(of, sizeof of, "domain of %s", name);
    POYI_TRY(ctx, poy_conform_space(ctx, poy_linop_domain(op), of, seed, fn, user, failed));
    if (!poy_space_equal(poy_linop_domain(op), poy_linop_codomain(op))) {
        snprintf(of, sizeof of, "codomain of %s", name);
        POYI_TRY(ctx, poy_conform_space(ctx, poy_linop_codomain(op), of, seed, fn, user, failed));
    }
    POYI_TRY(ctx, poy_conform_linop(ctx, op, name, seed, fn, user, failed));
    return POY_OK;
}

poy_status poy_conform_linop_load(poy_ctx *ctx, const char *backend, const char *where, uint64_t seed,
                                  poy_conform_law_fn *fn, void *user, int *failed)
{
    poy_status status = POY_OK;
    poy_backend *be = NULL;
    poy_linop *op = NULL;
    char path[4096];
    const char *colon = strrchr(where, ':');

    *failed = 0;
    if (!colon || colon == where || !colon[1] || (size_t)(colon - where) >= sizeof path)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "\"%s\" is not LIBRARY:SYMBOL", where);
    snprintf(path, sizeof path, "%.*s", (int)(colon - where), where);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* stays loaded: the operator's text is in it */
    if (!library)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s", dlerror());
    poy_linop_entry_fn *entry = entry_in(library, colon + 1);
    if (!entry)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s has no symbol \"%s\"", path, colon + 1);
    POYI_TO_DONE(ctx, poy_backend_open(ctx, backend, &be));
    status = entry(ctx, be, &op);
    if (status != POY_OK || !op) {
        status =
            poyi_passed(ctx, status == POY_OK ? POY_ERR_CALLBACK : status, colon + 1, __func__, __FILE__, __LINE__);
        goto done;
    }
    POYI_TO_DONE(ctx, conform_with_spaces(ctx, op, colon + 1, seed, fn, user, failed));
done:
    poy_linop_destroy(&op);
    poy_backend_close(&be);
    return status;
}

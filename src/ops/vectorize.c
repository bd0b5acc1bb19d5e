/* vectorize.c: a function of single elements or small arrays at every place of larger ones that broadcast together. */
#include <ctype.h>
#include <string.h>

#include "ops/slices.h"
#include "poynting/ops.h"

enum { NAMES = 32 };

/* The core axes of an operand: places in the list of names. */
typedef struct core {
    int n;
    int name[POY_RANK_MAX];
} core;

typedef struct name {
    const char *text;
    int length;     /* of the text */
    int64_t extent; /* -1: not known yet */
    int input;      /* which told it; -1: the first call did */
} name;

typedef struct lift {
    poy_ctx *ctx;
    const char *text; /* the signature; NULL: single elements */
    int n_in, n_out, n_names;
    poy_array *const *in; /* those that are not excluded */
    core x[POY_CARRY_MAX], y[POY_CARRY_MAX];
    name names[NAMES];
    int rank; /* of the places */
    int64_t extent[POY_RANK_MAX];
    poy_backend *be;
    const poy_dtype *dtypes;
    poy_array **out;
    poyi_slices from, to;
} lift;

/* ---- the signature ---- */

static poy_status bad(const lift *v, const char *what)
{
    return POYI_FAIL(v->ctx, POY_ERR_ARGUMENT, "vectorize: signature '%s': %s", v->text, what);
}

static const char *past_blanks(const char *c)
{
    while (*c == ' ')
        c++;
    return c;
}

/* The place of a name in the list, which it enters where it is new. */
static poy_status read_name(lift *v, const char **text, int *place)
{
    const char *from = *text, *c = from;
    while (isalnum((unsigned char)*c) || *c == '_')
        c++;
    if (c == from || isdigit((unsigned char)*from))
        return bad(v, "an axis has a name of letters, '_' and digits, no digit first");
    const int length = (int)(c - from);
    *text = c;
    for (*place = 0; *place < v->n_names; ++*place)
        if (v->names[*place].length == length && !strncmp(v->names[*place].text, from, (size_t)length))
            return POY_OK;
    if (v->n_names == NAMES)
        return bad(v, "more than 32 names");
    v->names[v->n_names++] = (name){from, length, -1, -1};
    return POY_OK;
}

/* "(m, n)" or "()". */
static poy_status read_core(lift *v, const char **text, core *to)
{
    const char *c = past_blanks(*text);
    to->n = 0;
    if (*c != '(')
        return bad(v, "needs '(' axes ')' for each array");
    c = past_blanks(c + 1);
    for (int is_more = *c != ')'; is_more; c += is_more) {
        if (to->n == POY_RANK_MAX)
            return bad(v, "more axes than an array can have");
        c = past_blanks(c);
        POYI_TRY(v->ctx, read_name(v, &c, &to->name[to->n++]));
        c = past_blanks(c);
        if (*c != ',' && *c != ')')
            return bad(v, "between names stands ',', behind them ')'");
        is_more = *c == ',';
    }
    *text = past_blanks(c + 1);
    return POY_OK;
}

/* n of them, by ','; none is none at all. */
static poy_status read_cores(lift *v, const char **text, int n, const char *which, core *to)
{
    *text = past_blanks(*text);
    for (int k = 0; k < n; k++) {
        POYI_TRY(v->ctx, read_core(v, text, &to[k]));
        if (k < n - 1 && *(*text)++ != ',')
            return POYI_FAIL(v->ctx, POY_ERR_ARGUMENT, "vectorize: signature '%s': %d %s, should be %d", v->text, k + 1,
                             which, n);
    }
    if (**text == ',' || **text == '(')
        return POYI_FAIL(v->ctx, POY_ERR_ARGUMENT, "vectorize: signature '%s': more %s than the %d that there are",
                         v->text, which, n);
    return POY_OK;
}

static poy_status read_signature(lift *v)
{
    const char *text = v->text;
    if (!text)
        return POY_OK;
    POYI_TRY(v->ctx, read_cores(v, &text, v->n_in, "inputs", v->x));
    if (strncmp(text, "->", 2) != 0)
        return bad(v, "needs '->' between inputs and results");
    text += 2;
    POYI_TRY(v->ctx, read_cores(v, &text, v->n_out, "results", v->y));
    return *text ? bad(v, "nothing stands behind the last ')'") : POY_OK;
}

/* ---- shapes ---- */

/* Lengths of the names, and where the places are. */
static poy_status meet_input(lift *v, int k)
{
    const poy_array *a = v->in[k];
    const core *c = &v->x[k];
    const int before = a->rank - c->n;
    if (before < 0)
        return POYI_FAIL(v->ctx, POY_ERR_SHAPE, "vectorize: input %d has shape %s, '%s' wants %d axes at least", k,
                         poyi_shape_print(a->rank, a->extent).text, v->text, c->n);
    for (int i = 0; i < c->n; i++) {
        name *m = &v->names[c->name[i]];
        const int64_t extent = a->extent[before + i];
        if (m->extent >= 0 && m->extent != extent)
            return POYI_FAIL(v->ctx, POY_ERR_SHAPE, "vectorize: '%s': %.*s is %lld in input %d and %lld in input %d",
                             v->text, m->length, m->text, (long long)m->extent, m->input, (long long)extent, k);
        m->extent = extent;
        m->input = k;
    }
    const poyi_shape_text others = poyi_shape_print(v->rank, v->extent);
    if (!poyi_shape_join(&v->rank, v->extent, before, a->extent))
        return POYI_FAIL(v->ctx, POY_ERR_BROADCAST, "vectorize: the places of input %d, %s, do not broadcast with %s",
                         k, poyi_shape_print(before, a->extent).text, others.text);
    return POY_OK;
}

/* The windows on an input, from place to place. */
static poy_status add_input(lift *v, int k)
{
    const poy_array *a = v->in[k];
    const int before = a->rank - v->x[k].n;
    int64_t extent[POY_RANK_MAX];
    int axes[POY_RANK_MAX];
    poy_array *wide = NULL;
    if (v->rank + v->x[k].n > POY_RANK_MAX)
        return POYI_FAIL(v->ctx, POY_ERR_SHAPE, "vectorize: %d axes of places and %d of input %d, %d can be", v->rank,
                         v->x[k].n, k, POY_RANK_MAX);
    for (int i = 0; i < v->rank; i++) {
        extent[i] = v->extent[i];
        axes[i] = i;
    }
    for (int i = 0; i < v->x[k].n; i++)
        extent[v->rank + i] = a->extent[before + i];
    POYI_TRY(v->ctx, poy_array_broadcast_to(v->ctx, a, v->rank + v->x[k].n, extent, &wide));
    const poy_status status = poyi_slices_add(v->ctx, &v->from, wide, v->rank, axes);
    poy_array_destroy(&wide);
    return status;
}

/* ---- results ---- */

/* Makes result k; its core axes are known. */
static poy_status make_result(lift *v, int k, poy_dtype dtype)
{
    const core *c = &v->y[k];
    int64_t extent[POY_RANK_MAX];
    if (v->rank + c->n > POY_RANK_MAX)
        return POYI_FAIL(v->ctx, POY_ERR_SHAPE, "vectorize: %d axes of places and %d of result %d, %d can be", v->rank,
                         c->n, k, POY_RANK_MAX);
    for (int i = 0; i < v->rank; i++)
        extent[i] = v->extent[i];
    for (int i = 0; i < c->n; i++)
        extent[v->rank + i] = v->names[c->name[i]].extent;
    POYI_TRY(v->ctx, poy_array_create(v->ctx, v->be, dtype, v->rank + c->n, extent, &v->out[k]));
    return POY_OK;
}

/* Adds its windows, in the order of the results. */
static poy_status add_result(lift *v, int k)
{
    static const int axes[POY_RANK_MAX] = {0, 1, 2, 3, 4, 5, 6, 7};
    _Static_assert(POY_RANK_MAX == 8, "an axis is missing above");
    POYI_TRY(v->ctx, poyi_slices_add(v->ctx, &v->to, v->out[k], v->rank, axes));
    return POY_OK;
}

/* Those of which all is known, before anything is computed. is_last: what is not known by now never will be. */
static poy_status make_known(lift *v, int is_last)
{
    for (int k = 0; k < v->n_out; k++) {
        const name *unknown = NULL;
        for (int i = 0; i < v->y[k].n; i++)
            if (v->names[v->y[k].name[i]].extent < 0)
                unknown = &v->names[v->y[k].name[i]];
        if (v->dtypes && !unknown)
            POYI_TRY(v->ctx, make_result(v, k, v->dtypes[k]));
        else if (is_last && unknown)
            return POYI_FAIL(v->ctx, POY_ERR_EMPTY,
                             "vectorize: '%s': there is no place to call f at, and no input has %.*s", v->text,
                             unknown->length, unknown->text);
        else if (is_last)
            return POYI_FAIL(v->ctx, POY_ERR_EMPTY,
                             "vectorize: there is no place to call f at, and the type of result %d is not told", k);
    }
    return POY_OK;
}

/* Whether what f made is what result k is made of; names that are new have their length from here on. */
static poy_status check_made(lift *v, int k, const poy_array *made, const int64_t *place)
{
    const core *c = &v->y[k];
    const poyi_shape_text at = poyi_shape_print(v->rank, place);
    if (!made)
        return POYI_FAIL(v->ctx, POY_ERR_CALLBACK, "vectorize: f made no result %d at place %s", k, at.text);
    const poy_dtype dtype = v->dtypes ? v->dtypes[k] : v->out[k] ? v->out[k]->dtype : made->dtype;
    if (made->dtype != dtype)
        return POYI_FAIL(v->ctx, POY_ERR_DTYPE, "vectorize: result %d at place %s is %s, should be %s as %s", k,
                         at.text, poy_dtype_name(made->dtype), poy_dtype_name(dtype),
                         v->dtypes ? "the types tell" : "in the first call");
    if (made->rank != c->n)
        return POYI_FAIL(v->ctx, POY_ERR_SHAPE, "vectorize: result %d at place %s has shape %s, '%s' wants %d axes", k,
                         at.text, poyi_shape_print(made->rank, made->extent).text, v->text ? v->text : "()", c->n);
    for (int i = 0; i < c->n; i++) {
        name *m = &v->names[c->name[i]];
        m->extent = m->extent < 0 ? made->extent[i] : m->extent;
        if (m->extent != made->extent[i])
            return POYI_FAIL(
                v->ctx, POY_ERR_SHAPE, "vectorize: '%s': result %d at place %s has shape %s, but %.*s is %lld", v->text,
                k, at.text, poyi_shape_print(made->rank, made->extent).text, m->length, m->text, (long long)m->extent);
    }
    return POY_OK;
}

/* ---- the loop ---- */

/* Puts what f made into its place. is_first: results that are not there yet are made. */
static poy_status keep_made(lift *v, poy_array *const *made, const int64_t *place, int is_first)
{
    for (int k = 0; k < v->n_out; k++) {
        POYI_TRY(v->ctx, check_made(v, k, made[k], place));
        if (!v->out[k])
            POYI_TRY(v->ctx, make_result(v, k, made[k]->dtype));
        if (is_first)
            POYI_TRY(v->ctx, add_result(v, k));
        POYI_TRY(v->ctx, poy_copy_into(v->ctx, made[k], v->to.at[k]));
    }
    return POY_OK;
}

/* The next place in C order; 0: there is none. */
static int next_place(lift *v, int64_t *place)
{
    for (int i = v->rank - 1; i >= 0; i--) {
        const int is_over = ++place[i] == v->extent[i];
        const int64_t by = is_over ? 1 - v->extent[i] : 1;
        poyi_slices_move(&v->from, i, by);
        poyi_slices_move(&v->to, i, by);
        if (!is_over)
            return 1;
        place[i] = 0;
    }
    return 0;
}

/* xs: what f takes, excluded inputs as they are and windows on the others. */
static poy_status call_everywhere(lift *v, poy_branch_fn *f, void *user, poy_array *const *xs)
{
    poy_status status = POY_OK;
    int64_t place[POY_RANK_MAX] = {0};
    int is_first = 1;
    do {
        poy_array *made[POY_CARRY_MAX] = {NULL};
        status = POYI_CALLBACK(v->ctx, f(v->ctx, user, xs, made), "f");
        if (status == POY_OK)
            status = keep_made(v, made, place, is_first);
        for (int k = 0; k < v->n_out; k++)
            poy_array_destroy(&made[k]);
        is_first = 0;
    } while (status == POY_OK && next_place(v, place));
    return status;
}

poy_status poy_vectorize(poy_ctx *ctx, poy_branch_fn *f, void *user, const char *signature, int n_x,
                         poy_array *const *xs, const int *excluded, int n_y, const poy_dtype *dtypes, poy_array **ys)
{
    poy_status status = POY_OK;
    poy_array *in[POY_CARRY_MAX], *taken[POY_CARRY_MAX];
    lift v = {.ctx = ctx, .text = signature, .in = in, .n_out = n_y, .dtypes = dtypes, .out = ys};
    int is_empty = 0;

    for (int k = 0; k < n_y; k++)
        ys[k] = NULL;
    POYI_TRY(ctx, poyi_check_counts(ctx, n_x, n_y));
    for (int k = 0; k < n_x; k++)
        if (!excluded || !excluded[k])
            in[v.n_in++] = xs[k];
    if (!v.n_in)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "vectorize: all of %d inputs are excluded, there is nothing to go over",
                         n_x);
    v.be = in[0]->be;
    POYI_TRY(ctx, read_signature(&v));
    for (int k = 0; k < v.n_in; k++)
        POYI_TRY(ctx, meet_input(&v, k));
    for (int i = 0; i < v.rank; i++)
        is_empty |= !v.extent[i];
    POYI_TO_DONE(ctx, make_known(&v, is_empty));
    if (is_empty)
        goto done;
    for (int k = 0; k < v.n_in; k++)
        POYI_TO_DONE(ctx, add_input(&v, k));
    for (int k = 0, next = 0; k < n_x; k++)
        taken[k] = excluded && excluded[k] ? xs[k] : v.from.at[next++];
    POYI_TO_DONE(ctx, call_everywhere(&v, f, user, taken));
done:
    poyi_slices_fini(&v.to);
    poyi_slices_fini(&v.from);
    for (int k = 0; k < n_y && status != POY_OK; k++)
        poy_array_destroy(&ys[k]);
    return status;
}

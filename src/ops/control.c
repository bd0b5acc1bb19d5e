/* control.c: loops over callbacks with two sets of carries that take turns, branches, scans, maps over an axis. */
#include "ops/slices.h"
#include "poynting/ops.h"

/* ---- carries ---- */

typedef struct carries {
    int n, turn;                        /* 0: the caller's are the last ones */
    poy_array *spare[2][POY_CARRY_MAX]; /* written to in odd and even turns */
    poy_array **given;
} carries;

static void carries_fini(carries *c)
{
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < c->n; k++)
            poy_array_destroy(&c->spare[s][k]);
}

static poy_status carries_init(poy_ctx *ctx, int n, poy_array **given, carries *c)
{
    *c = (carries){.n = 0, .given = given};
    if (n < 0 || n > POY_CARRY_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a carry of %d arrays, there can be up to %d", n, POY_CARRY_MAX);
    c->n = n;
    return POY_OK;
}

static poy_array *const *carries_in(const carries *c)
{
    return c->turn ? c->spare[(c->turn - 1) % 2] : c->given;
}

/* What the next turn writes to, made in the first two. */
static poy_status carries_out(poy_ctx *ctx, carries *c, poy_array *const **out)
{
    poy_array **to = c->spare[c->turn % 2];
    for (int k = 0; k < c->n && c->turn < 2; k++)
        POYI_TRY(ctx, poyi_array_create(ctx, c->given[k]->be, "carry", c->given[k]->dtype, c->given[k]->rank,
                                        c->given[k]->extent, &to[k]));
    *out = to;
    return POY_OK;
}

/* A turn was good; the number stays small. */
static void carries_next(carries *c)
{
    c->turn = c->turn < 3 ? c->turn + 1 : c->turn - 1; /* 1, 2, 3, 2, 3, ... */
}

/* The last ones take the place of the caller's. */
static void carries_deliver(carries *c)
{
    if (!c->turn)
        return;
    poy_array **last = c->spare[(c->turn - 1) % 2];
    for (int k = 0; k < c->n; k++) {
        poy_array_destroy(&c->given[k]);
        c->given[k] = last[k];
        last[k] = NULL;
    }
}

/* ---- loops ---- */

static poy_status turn(poy_ctx *ctx, carries *c, poy_body_fn *body, void *user, int64_t i)
{
    poy_array *const *out = NULL;
    POYI_TRY(ctx, carries_out(ctx, c, &out));
    poy_status status = body(ctx, user, i, carries_in(c), out);
    if (status != POY_OK)
        return POYI_CALLBACK(ctx, status, "body");
    carries_next(c);
    return POY_OK;
}

poy_status poy_fori(poy_ctx *ctx, int64_t low, int64_t high, poy_body_fn *body, void *user, int n, poy_array **carry)
{
    poy_status status = POY_OK;
    carries c;
    POYI_TRY(ctx, carries_init(ctx, n, carry, &c));
    for (int64_t i = low; i < high; i++)
        POYI_TO_DONE(ctx, turn(ctx, &c, body, user, i));
    carries_deliver(&c);
done:
    carries_fini(&c);
    return status;
}

poy_status poy_while(poy_ctx *ctx, poy_test_fn *test, poy_body_fn *body, void *user, int64_t every, int n,
                     poy_array **carry, int64_t *turns)
{
    poy_status status = POY_OK;
    carries c;
    int64_t i = 0;
    int go_on = 1;

    if (every < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "while: a test every %lld turns, needs 1 or more", (long long)every);
    POYI_TRY(ctx, carries_init(ctx, n, carry, &c));
    for (;; i++) {
        if (i % every == 0)
            POYI_TO_DONE(ctx, POYI_CALLBACK(ctx, test(ctx, user, carries_in(&c), &go_on), "test"));
        if (!go_on)
            break;
        POYI_TO_DONE(ctx, turn(ctx, &c, body, user, i));
    }
    carries_deliver(&c);
    if (turns)
        *turns = i;
done:
    carries_fini(&c);
    return status;
}

/* ---- branches ---- */

poy_status poy_truth(poy_ctx *ctx, const poy_array *x, int *out)
{
    poy_status status = POY_OK;
    poy_array *b = NULL;
    unsigned char truth = 0;
    *out = 0;
    if (x->size != 1)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "a condition of shape %s, needs one element",
                         poyi_shape_print(x->rank, x->extent).text);
    POYI_TO_DONE(ctx, poy_copy(ctx, x, POY_B8, &b));
    POYI_TO_DONE(ctx, poy_array_read(ctx, b, &truth));
    *out = truth;
done:
    poy_array_destroy(&b);
    return status;
}

poy_status poy_cond(poy_ctx *ctx, const poy_array *p, poy_branch_fn *then, poy_branch_fn *otherwise, void *user,
                    poy_array *const *in, int n_out, poy_array **out)
{
    int truth = 0;
    for (int k = 0; k < n_out; k++)
        out[k] = NULL;
    POYI_TRY(ctx, poy_truth(ctx, p, &truth));
    poy_status status = (truth ? then : otherwise)(ctx, user, in, out);
    for (int k = 0; k < n_out && status != POY_OK; k++)
        poy_array_destroy(&out[k]);
    return POYI_CALLBACK(ctx, status, truth ? "then" : "otherwise");
}

/* ---- results with an axis more ---- */

/* ys[k], with length as axis number axes[k]. */
static poy_status make_stacks(poy_ctx *ctx, poy_backend *be, int64_t length, int n, const poy_like *like,
                              const int *axes, poy_array **ys, int *at)
{
    for (int k = 0; k < n; k++) {
        int64_t extent[POY_RANK_MAX];
        if (like[k].rank < 0 || like[k].rank >= POY_RANK_MAX)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "a result of %d axes and one for its members, %d can be", like[k].rank,
                             POY_RANK_MAX);
        const int axis = axes ? axes[k] : 0;
        at[k] = poyi_shape_axis(like[k].rank + 1, axis);
        if (at[k] < 0)
            return POYI_FAIL(ctx, POY_ERR_AXIS, "no axis %d in a result of %d axes", axis, like[k].rank + 1);
        for (int i = 0, from = 0; i <= like[k].rank; i++)
            extent[i] = i == at[k] ? length : like[k].extent[from++];
        POYI_TRY(ctx, poy_array_create(ctx, be, like[k].dtype, like[k].rank + 1, extent, &ys[k]));
    }
    return POY_OK;
}

/* ---- scan ---- */

static poy_status scan_length(poy_ctx *ctx, int n_x, poy_array *const *xs, int64_t *length)
{
    for (int k = 0; k < n_x; k++) {
        if (!xs[k]->rank)
            return POYI_FAIL(ctx, POY_ERR_AXIS, "scan: xs %d has no axis to go along", k);
        if (*length < 0)
            *length = xs[k]->extent[0];
        if (xs[k]->extent[0] != *length)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "scan: xs %d has %lld slices, should have %lld", k,
                             (long long)xs[k]->extent[0], (long long)*length);
    }
    if (*length < 0)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "scan: without xs its length has to be told");
    return POY_OK;
}

static poy_status scan_turns(poy_ctx *ctx, poy_scan_fn *f, void *user, int64_t length, int reverse, carries *c,
                             poyi_slices *x, poyi_slices *y)
{
    const int64_t step = reverse ? -1 : 1;
    if (reverse) {
        poyi_slices_move(x, 0, length - 1);
        poyi_slices_move(y, 0, length - 1);
    }
    for (int64_t turns = 0, i = reverse ? length - 1 : 0; turns < length; turns++, i += step) {
        poy_array *const *out = NULL;
        POYI_TRY(ctx, carries_out(ctx, c, &out));
        poy_status status = f(ctx, user, i, carries_in(c), out, x->at, y->at);
        if (status != POY_OK)
            return POYI_CALLBACK(ctx, status, "f");
        carries_next(c);
        poyi_slices_move(x, 0, step);
        poyi_slices_move(y, 0, step);
    }
    return POY_OK;
}

poy_status poy_scan(poy_ctx *ctx, poy_backend *be, poy_scan_fn *f, void *user, int64_t length, int reverse, int n,
                    poy_array **carry, int n_x, poy_array *const *xs, int n_y, const poy_like *like, poy_array **ys)
{
    poy_status status = POY_OK;
    carries c = {0};
    poyi_slices x = {0}, y = {0};
    int at[POY_CARRY_MAX];
    const int first = 0;

    for (int k = 0; k < n_y; k++)
        ys[k] = NULL;
    POYI_TRY(ctx, poyi_check_counts(ctx, n_x, n_y));
    POYI_TRY(ctx, scan_length(ctx, n_x, xs, &length));
    POYI_TO_DONE(ctx, carries_init(ctx, n, carry, &c));
    POYI_TO_DONE(ctx, make_stacks(ctx, be, length, n_y, like, NULL, ys, at));
    if (!length)
        goto done;
    for (int k = 0; k < n_x; k++)
        POYI_TO_DONE(ctx, poyi_slices_add(ctx, &x, xs[k], 1, &first));
    for (int k = 0; k < n_y; k++)
        POYI_TO_DONE(ctx, poyi_slices_add(ctx, &y, ys[k], 1, &first));
    POYI_TO_DONE(ctx, scan_turns(ctx, f, user, length, reverse, &c, &x, &y));
    carries_deliver(&c);
done:
    poyi_slices_fini(&y);
    poyi_slices_fini(&x);
    carries_fini(&c);
    for (int k = 0; k < n_y && status != POY_OK; k++)
        poy_array_destroy(&ys[k]);
    return status;
}

/* ---- vmap ---- */

/* The axis of each input, and how many members there are. */
static poy_status map_axes(poy_ctx *ctx, int n_x, poy_array *const *xs, const int *in_axes, int *at, int64_t *members)
{
    *members = -1;
    for (int k = 0; k < n_x; k++) {
        at[k] = POY_MAP_NONE;
        if (in_axes[k] == POY_MAP_NONE)
            continue;
        at[k] = xs[k]->rank ? poyi_shape_axis(xs[k]->rank, in_axes[k]) : -1;
        if (at[k] < 0)
            return POYI_FAIL(ctx, POY_ERR_AXIS, "vmap: no axis %d in shape %s of input %d", in_axes[k],
                             poyi_shape_print(xs[k]->rank, xs[k]->extent).text, k);
        if (*members < 0)
            *members = xs[k]->extent[at[k]];
        if (xs[k]->extent[at[k]] != *members)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "vmap: input %d has %lld members, should have %lld", k,
                             (long long)xs[k]->extent[at[k]], (long long)*members);
    }
    if (*members < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "vmap: no input has an axis to map over");
    return POY_OK;
}

/* What f takes of an array: one member after the other, or all of them, the mapped axis first. */
static poy_status add_members(poy_ctx *ctx, poyi_slices *s, const poy_array *a, int axis, int whole)
{
    int order[POY_RANK_MAX], n = 0;
    if (!whole)
        return poyi_slices_add(ctx, s, a, axis != POY_MAP_NONE, &axis);
    if (axis != POY_MAP_NONE)
        order[n++] = axis;
    for (int i = 0; i < a->rank; i++)
        if (i != axis)
            order[n++] = i;
    POYI_TRY(ctx, poy_array_transpose(ctx, a, order, &s->at[s->n]));
    s->n++;
    return POY_OK;
}

poy_status poy_vmap(poy_ctx *ctx, poy_backend *be, poy_map_fn *f, void *user, unsigned flags, int n_x,
                    poy_array *const *xs, const int *in_axes, int n_y, const poy_like *like, const int *out_axes,
                    poy_array **ys)
{
    poy_status status = POY_OK;
    poyi_slices x = {0}, y = {0};
    int at[POY_CARRY_MAX], to[POY_CARRY_MAX];
    int64_t members = 0;
    const int whole = (flags & POY_MAP_WHOLE) != 0;

    for (int k = 0; k < n_y; k++)
        ys[k] = NULL;
    POYI_TRY(ctx, poyi_check_counts(ctx, n_x, n_y));
    POYI_TRY(ctx, map_axes(ctx, n_x, xs, in_axes, at, &members));
    POYI_TO_DONE(ctx, make_stacks(ctx, be, members, n_y, like, out_axes, ys, to));
    if (!members)
        goto done;
    for (int k = 0; k < n_x; k++)
        POYI_TO_DONE(ctx, add_members(ctx, &x, xs[k], at[k], whole));
    for (int k = 0; k < n_y; k++)
        POYI_TO_DONE(ctx, add_members(ctx, &y, ys[k], to[k], whole));
    for (int64_t i = 0; i < (whole ? 1 : members); i++) {
        POYI_TO_DONE(ctx, POYI_CALLBACK(ctx, f(ctx, user, x.at, y.at), "f"));
        poyi_slices_move(&x, 0, 1);
        poyi_slices_move(&y, 0, 1);
    }
done:
    poyi_slices_fini(&y);
    poyi_slices_fini(&x);
    for (int k = 0; k < n_y && status != POY_OK; k++)
        poy_array_destroy(&ys[k]);
    return status;
}

/* control.c: loops over callbacks with two sets of carries that take turns, branches, scans. */
#include "poynting/control.h"
#include "ops/array.h"
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

/* A callback's own code may come without an account. */
static poy_status passed(poy_ctx *ctx, poy_status status, const char *what, const char *func, int line)
{
    return status == POY_OK ? POY_OK : poyi_passed(ctx, status, what, func, __FILE__, line);
}

/* ---- loops ---- */

static poy_status turn(poy_ctx *ctx, carries *c, poy_body_fn *body, void *user, int64_t i)
{
    poy_array *const *out = NULL;
    POYI_TRY(ctx, carries_out(ctx, c, &out));
    poy_status status = body(ctx, user, i, carries_in(c), out);
    if (status != POY_OK)
        return passed(ctx, status, "body", __func__, __LINE__);
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
            POYI_TO_DONE(ctx, passed(ctx, test(ctx, user, carries_in(&c), &go_on), "test", __func__, __LINE__));
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
    return passed(ctx, status, truth ? "then" : "otherwise", __func__, __LINE__);
}

/* ---- slices: windows that move along an axis ---- */

typedef struct slices {
    int n;
    poy_array *at[POY_CARRY_MAX];
    int64_t step[POY_CARRY_MAX]; /* elements from a slice to the next; 0: the whole array */
} slices;

static void slices_fini(slices *s)
{
    for (int k = 0; k < s->n; k++)
        poy_array_destroy(&s->at[k]);
}

/* One more window, at the first place of an axis; POY_MAP_NONE: all of a. */
static poy_status slices_add(poy_ctx *ctx, slices *s, const poy_array *a, int axis)
{
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
    int rank = 0;
    for (int i = 0; i < a->rank; i++)
        if (i != axis) {
            extent[rank] = a->extent[i];
            stride[rank++] = a->stride[i];
        }
    POYI_TRY(ctx, poy_array_view(ctx, a, rank, extent, stride, 0, &s->at[s->n]));
    s->step[s->n++] = axis == POY_MAP_NONE ? 0 : a->stride[axis];
    return POY_OK;
}

static void slices_move(slices *s, int64_t by)
{
    for (int k = 0; k < s->n; k++)
        s->at[k]->offset += by * s->step[k];
}

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

static poy_status check_counts(poy_ctx *ctx, int n_x, int n_y)
{
    if (n_x < 0 || n_y < 0 || n_x > POY_CARRY_MAX || n_y > POY_CARRY_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%d arrays in and %d out, there can be up to %d", n_x, n_y,
                         POY_CARRY_MAX);
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
                             slices *x, slices *y)
{
    const int64_t step = reverse ? -1 : 1;
    if (reverse) {
        slices_move(x, length - 1);
        slices_move(y, length - 1);
    }
    for (int64_t turns = 0, i = reverse ? length - 1 : 0; turns < length; turns++, i += step) {
        poy_array *const *out = NULL;
        POYI_TRY(ctx, carries_out(ctx, c, &out));
        poy_status status = f(ctx, user, i, carries_in(c), out, x->at, y->at);
        if (status != POY_OK)
            return passed(ctx, status, "f", __func__, __LINE__);
        carries_next(c);
        slices_move(x, step);
        slices_move(y, step);
    }
    return POY_OK;
}

poy_status poy_scan(poy_ctx *ctx, poy_backend *be, poy_scan_fn *f, void *user, int64_t length, int reverse, int n,
                    poy_array **carry, int n_x, poy_array *const *xs, int n_y, const poy_like *like, poy_array **ys)
{
    poy_status status = POY_OK;
    carries c = {0};
    slices x = {0}, y = {0};
    int at[POY_CARRY_MAX];

    for (int k = 0; k < n_y; k++)
        ys[k] = NULL;
    POYI_TRY(ctx, check_counts(ctx, n_x, n_y));
    POYI_TRY(ctx, scan_length(ctx, n_x, xs, &length));
    POYI_TO_DONE(ctx, carries_init(ctx, n, carry, &c));
    POYI_TO_DONE(ctx, make_stacks(ctx, be, length, n_y, like, NULL, ys, at));
    if (!length)
        goto done;
    for (int k = 0; k < n_x; k++)
        POYI_TO_DONE(ctx, slices_add(ctx, &x, xs[k], 0));
    for (int k = 0; k < n_y; k++)
        POYI_TO_DONE(ctx, slices_add(ctx, &y, ys[k], 0));
    POYI_TO_DONE(ctx, scan_turns(ctx, f, user, length, reverse, &c, &x, &y));
    carries_deliver(&c);
done:
    slices_fini(&y);
    slices_fini(&x);
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

/* The mapped axis first, or the array as it is. */
static poy_status axis_first(poy_ctx *ctx, slices *s, const poy_array *a, int axis)
{
    int order[POY_RANK_MAX], n = 0;
    if (axis != POY_MAP_NONE)
        order[n++] = axis;
    for (int i = 0; i < a->rank; i++)
        if (i != axis)
            order[n++] = i;
    POYI_TRY(ctx, poy_array_transpose(ctx, a, order, &s->at[s->n]));
    s->step[s->n++] = 0;
    return POY_OK;
}

poy_status poy_vmap(poy_ctx *ctx, poy_backend *be, poy_map_fn *f, void *user, unsigned flags, int n_x,
                    poy_array *const *xs, const int *in_axes, int n_y, const poy_like *like, const int *out_axes,
                    poy_array **ys)
{
    poy_status status = POY_OK;
    slices x = {0}, y = {0};
    int at[POY_CARRY_MAX], to[POY_CARRY_MAX];
    int64_t members = 0;
    const int whole = (flags & POY_MAP_WHOLE) != 0;

    for (int k = 0; k < n_y; k++)
        ys[k] = NULL;
    POYI_TRY(ctx, check_counts(ctx, n_x, n_y));
    POYI_TRY(ctx, map_axes(ctx, n_x, xs, in_axes, at, &members));
    POYI_TO_DONE(ctx, make_stacks(ctx, be, members, n_y, like, out_axes, ys, to));
    if (!members)
        goto done;
    for (int k = 0; k < n_x; k++)
        POYI_TO_DONE(ctx, (whole ? axis_first : slices_add)(ctx, &x, xs[k], at[k]));
    for (int k = 0; k < n_y; k++)
        POYI_TO_DONE(ctx, (whole ? axis_first : slices_add)(ctx, &y, ys[k], to[k]));
    for (int64_t i = 0; i < (whole ? 1 : members); i++) {
        POYI_TO_DONE(ctx, passed(ctx, f(ctx, user, x.at, y.at), "f", __func__, __LINE__));
        slices_move(&x, 1);
        slices_move(&y, 1);
    }
done:
    slices_fini(&y);
    slices_fini(&x);
    for (int k = 0; k < n_y && status != POY_OK; k++)
        poy_array_destroy(&ys[k]);
    return status;
}

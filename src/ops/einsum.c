/* einsum.c: sums of products by subscripts: diagonals by views, what one operand alone is summed over first, then pairs by
 * matmul, the pair with the smallest result next. */
#include <string.h>

#include "ops/array.h"
#include "poynting/arrange.h"
#include "poynting/linalg.h"

/* Labels: letters, then the axes of an ellipsis counted from the last. */
enum { LETTERS = 52, LABELS = LETTERS + POY_RANK_MAX, OPERANDS = 16 };

typedef struct term {
    int n;
    unsigned char label[POY_RANK_MAX];
    poy_array *a; /* a view or an intermediate result, owned */
} term;

typedef struct sum {
    poy_ctx *ctx;
    const char *text;
    poy_dtype dtype; /* of the result */
    int n;
    term operand[OPERANDS];
    int n_out, implicit;
    unsigned char out[POY_RANK_MAX];
    int64_t extent[LABELS]; /* 0: not seen yet */
    int seen[LABELS];       /* times, over all inputs */
    int ellipsis;           /* the longest */
} sum;

static int label_of(char c)
{
    return c >= 'a' && c <= 'z' ? 26 + c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' : -1; /* capitals sort first */
}

static poy_status bad(const sum *s, const char *what)
{
    return POYI_FAIL(s->ctx, POY_ERR_ARGUMENT, "einsum: '%s': %s", s->text, what);
}

/* Labels from *text up to a comma, an arrow or the end. dots: axes that an ellipsis stands for; *has_dots: it is there. */
static poy_status read_labels(const sum *s, const char **text, int dots, int *n, unsigned char *label, int *has_dots)
{
    const char *c = *text;
    *n = *has_dots = 0;
    for (; *c && *c != ',' && strncmp(c, "->", 2) != 0; c++) {
        if (*c == ' ')
            continue;
        int more = 1;
        if (!strncmp(c, "...", 3) && !*has_dots) {
            more = dots;
            *has_dots = 1;
            c += 2;
        } else if (label_of(*c) < 0) {
            return bad(s, "letters, one '...' for each operand, ',' and '->' are understood");
        }
        if (*n + more > POY_RANK_MAX)
            return bad(s, "more axes than an array can have");
        for (int i = 0; i < more; i++)
            label[(*n)++] = (unsigned char)(*c == '.' ? LETTERS + more - 1 - i : label_of(*c));
    }
    *text = c;
    return POY_OK;
}

/* How many axes the ellipsis of an operand stands for. */
static int dots_of(const char *text, int rank)
{
    int letters = 0, has_dots = 0;
    for (; *text && *text != ',' && strncmp(text, "->", 2) != 0; text++) {
        letters += label_of(*text) >= 0;
        has_dots |= *text == '.';
    }
    return has_dots ? rank - letters : 0;
}

static poy_status meet_extent(sum *s, int label, int64_t extent)
{
    int64_t *known = &s->extent[label];
    if (!s->seen[label]++ || (label >= LETTERS && *known == 1))
        *known = extent;
    else if (extent != *known && !(label >= LETTERS && extent == 1))
        return bad(s, "one letter stands for axes of different lengths");
    return POY_OK;
}

static poy_status read_inputs(sum *s, int n, const poy_array *const *operands, const char **text)
{
    for (int k = 0; k < n; k++) {
        term *t = &s->operand[k];
        int dots = dots_of(*text, operands[k]->rank), has_dots;
        if (dots < 0)
            return bad(s, "more letters than an operand has axes");
        POYI_TRY(s->ctx, read_labels(s, text, dots, &t->n, t->label, &has_dots));
        if (t->n != operands[k]->rank)
            return bad(s, "letters and axes of an operand differ in number");
        s->ellipsis = dots > s->ellipsis ? dots : s->ellipsis;
        for (int i = 0; i < t->n; i++)
            POYI_TRY(s->ctx, meet_extent(s, t->label[i], operands[k]->extent[i]));
        if ((k < n - 1) != (**text == ','))
            return bad(s, "the number of operands is another one");
        *text += k < n - 1;
    }
    return POY_OK;
}

/* What stands behind the arrow, or else the ellipsis and all letters that are there once, in their order. */
static poy_status read_output(sum *s, const char *text)
{
    int has_dots, there[LABELS] = {0};
    if (*text) {
        text += 2;
        POYI_TRY(s->ctx, read_labels(s, &text, s->ellipsis, &s->n_out, s->out, &has_dots));
        if (*text)
            return bad(s, "there is one output");
        if (s->ellipsis && !has_dots)
            return bad(s, "the output has to hold the axes of '...'");
    } else {
        for (int i = s->ellipsis - 1; i >= 0; i--)
            s->out[s->n_out++] = (unsigned char)(LETTERS + i);
        for (int i = 0; i < LETTERS; i++)
            if (s->seen[i] == 1) {
                if (s->n_out == POY_RANK_MAX)
                    return bad(s, "more axes than an array can have");
                s->out[s->n_out++] = (unsigned char)i;
            }
    }
    for (int i = 0; i < s->n_out; i++) {
        if (!s->seen[s->out[i]])
            return bad(s, "a letter of the output is in no operand");
        if (there[s->out[i]]++)
            return bad(s, "a letter is twice in the output");
    }
    return POY_OK;
}

static int has(int n, const unsigned char *labels, int label)
{
    for (int i = 0; i < n; i++)
        if (labels[i] == label)
            return 1;
    return 0;
}

/* Whether a label is wanted after operands a and b have become one. */
static int is_kept(const sum *s, int label, int a, int b)
{
    int kept = has(s->n_out, s->out, label);
    for (int k = 0; k < s->n && !kept; k++)
        kept = k != a && k != b && has(s->operand[k].n, s->operand[k].label, label);
    return kept;
}

static poy_status exchange(term *t, poy_array *by)
{
    poy_array_destroy(&t->a);
    t->a = by;
    return POY_OK;
}

/* One axis for each label: of those named twice the diagonal; in the type of the result. */
static poy_status take_diagonals(sum *s, const poy_array *x, term *t)
{
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
    int n = 0;
    poy_array *view = NULL;
    for (int i = 0; i < t->n; i++) {
        int at = 0;
        while (at < n && t->label[at] != t->label[i])
            at++;
        if (at < n) {
            stride[at] += x->stride[i];
            continue;
        }
        t->label[n] = t->label[i];
        extent[n] = x->extent[i];
        stride[n++] = x->stride[i];
    }
    t->n = n;
    if (x->dtype == s->dtype)
        return poy_array_view(s->ctx, x, n, extent, stride, 0, &t->a);
    POYI_TRY(s->ctx, poy_array_view(s->ctx, x, n, extent, stride, 0, &view));
    const poy_status status = poy_copy(s->ctx, view, s->dtype, &t->a);
    poy_array_destroy(&view);
    return status;
}

/* x summed over some axes in its own type: integers wrap and b8 is joined by "or", as matmul does it. */
static poy_status sum_over(sum *s, const poy_array *x, int n_axes, const int *axes, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *ones = NULL, *last = NULL;
    int64_t n = 1;
    int to[POY_RANK_MAX];
    if (x->dtype == POY_B8)
        return poy_any(s->ctx, x, n_axes, axes, 0, y);
    if (x->dtype != POY_I32) /* whose sums are of i64 */
        return poy_sum(s->ctx, x, n_axes, axes, 0, y);
    for (int i = 0; i < n_axes; i++) {
        n *= x->extent[axes[i]];
        to[i] = x->rank - n_axes + i;
    }
    int64_t shape[POY_RANK_MAX];
    poy_array *lines = NULL;
    POYI_TO_DONE(s->ctx, poy_array_move_axes(s->ctx, x, n_axes, axes, to, &last));
    memcpy(shape, last->extent, sizeof shape);
    shape[x->rank - n_axes] = n;
    POYI_TO_DONE(s->ctx, poy_array_reshape(s->ctx, last, x->rank - n_axes + 1, shape, &lines));
    POYI_TO_DONE(s->ctx, poy_fill(s->ctx, x->be, (poy_scalar){1, 0}, POY_I32, 1, &n, &ones));
    POYI_TO_DONE(s->ctx, poy_matmul(s->ctx, lines, ones, y));
done:
    poy_array_destroy(&lines);
    poy_array_destroy(&last);
    poy_array_destroy(&ones);
    return status;
}

/* Sums over the axes of operand k that nobody else wants. */
static poy_status sum_alone(sum *s, int k)
{
    term *t = &s->operand[k];
    int axes[POY_RANK_MAX], n_axes = 0, n = 0;
    poy_array *y = NULL;
    for (int i = 0; i < t->n; i++)
        if (is_kept(s, t->label[i], k, k))
            t->label[n++] = t->label[i];
        else
            axes[n_axes++] = i;
    if (!n_axes)
        return POY_OK;
    POYI_TRY(s->ctx, sum_over(s, t->a, n_axes, axes, &y));
    t->n = n;
    return exchange(t, y);
}

/* ---- pairs ---- */

/* The labels of a pair by their part: in both and kept, in the left one only, in both and summed over, in the right one only. */
typedef struct parts {
    int n[4];
    unsigned char label[4][POY_RANK_MAX];
} parts;
enum { BATCH, LEFT, SUMMED, RIGHT };

static void part_labels(const sum *s, int a, int b, parts *p)
{
    const term *x = &s->operand[a], *y = &s->operand[b];
    memset(p, 0, sizeof *p);
    for (int i = 0; i < x->n; i++) {
        int label = x->label[i], in_both = has(y->n, y->label, label);
        int part = !in_both ? LEFT : is_kept(s, label, a, b) ? BATCH : SUMMED;
        p->label[part][p->n[part]++] = x->label[i];
    }
    for (int i = 0; i < y->n; i++)
        if (!has(x->n, x->label, y->label[i]))
            p->label[RIGHT][p->n[RIGHT]++] = y->label[i];
}

static double elements(const sum *s, const parts *p, int part)
{
    double n = 1;
    for (int i = 0; i < p->n[part]; i++)
        n *= (double)s->extent[p->label[part][i]];
    return n;
}

/* *out: t as [batch, first, second], each part one axis, its labels in the order of p. */
static poy_status as_matrices(const sum *s, const term *t, const parts *p, int first, int second, poy_array **out)
{
    poy_status status = POY_OK;
    const int order[3] = {BATCH, first, second};
    int axes[POY_RANK_MAX], n = 0;
    int64_t wide[POY_RANK_MAX], shape[3] = {1, 1, 1};
    poy_array *turned = NULL, *whole = NULL;

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < p->n[order[k]]; i++) {
            int label = p->label[order[k]][i], at = 0;
            while (t->label[at] != label)
                at++;
            axes[n] = at;
            wide[n++] = s->extent[label];
            shape[k] *= s->extent[label];
        }
    POYI_TO_DONE(s->ctx, poy_array_transpose(s->ctx, t->a, axes, &turned));
    POYI_TO_DONE(s->ctx, poy_array_broadcast_to(s->ctx, turned, n, wide, &whole)); /* ellipses of length 1 */
    POYI_TO_DONE(s->ctx, poy_array_reshape(s->ctx, whole, 3, shape, out));
done:
    poy_array_destroy(&whole);
    poy_array_destroy(&turned);
    return status;
}

/* Operands a and b become one, in the place of a. */
static poy_status contract(sum *s, int a, int b)
{
    poy_status status = POY_OK;
    static const int kept[3] = {BATCH, LEFT, RIGHT};
    poy_array *x = NULL, *y = NULL, *z = NULL, *w = NULL;
    int64_t shape[POY_RANK_MAX];
    term *to = &s->operand[a];
    parts p;

    part_labels(s, a, b, &p);
    if (p.n[BATCH] + p.n[LEFT] + p.n[RIGHT] > POY_RANK_MAX)
        return bad(s, "a product on the way has more axes than an array can have");
    POYI_TO_DONE(s->ctx, as_matrices(s, to, &p, LEFT, SUMMED, &x));
    POYI_TO_DONE(s->ctx, as_matrices(s, &s->operand[b], &p, SUMMED, RIGHT, &y));
    POYI_TO_DONE(s->ctx, poy_matmul(s->ctx, x, y, &z));
    to->n = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < p.n[kept[k]]; i++) {
            shape[to->n] = s->extent[p.label[kept[k]][i]];
            to->label[to->n++] = p.label[kept[k]][i];
        }
    POYI_TO_DONE(s->ctx, poy_array_reshape(s->ctx, z, to->n, shape, &w));
    poy_array_destroy(&s->operand[b].a);
    for (int k = b; k < s->n - 1; k++)
        s->operand[k] = s->operand[k + 1];
    s->operand[--s->n].a = NULL;
    status = exchange(to, w);
done:
    poy_array_destroy(&z);
    poy_array_destroy(&y);
    poy_array_destroy(&x);
    return status;
}

/* The pair whose product has the fewest elements, for its two operands. */
static void choose_pair(const sum *s, int *a, int *b)
{
    double best = -1;
    for (int i = 0; i < s->n; i++)
        for (int j = i + 1; j < s->n; j++) {
            parts p;
            part_labels(s, i, j, &p);
            double size = elements(s, &p, BATCH) * elements(s, &p, LEFT) * elements(s, &p, RIGHT);
            if (best < 0 || size < best) {
                best = size;
                *a = i;
                *b = j;
            }
        }
}

static poy_status finish(sum *s, poy_array **y)
{
    const term *t = &s->operand[0];
    int axes[POY_RANK_MAX];
    int64_t extent[POY_RANK_MAX];
    poy_array *turned = NULL, *whole = NULL;
    for (int i = 0; i < s->n_out; i++) {
        axes[i] = 0;
        while (t->label[axes[i]] != s->out[i])
            axes[i]++;
        extent[i] = s->extent[s->out[i]];
    }
    POYI_TRY(s->ctx, poy_array_transpose(s->ctx, t->a, axes, &turned));
    poy_status status = poy_array_broadcast_to(s->ctx, turned, s->n_out, extent, &whole);
    if (status == POY_OK)
        status = poy_copy(s->ctx, whole, t->a->dtype, y);
    poy_array_destroy(&whole);
    poy_array_destroy(&turned);
    return status;
}

poy_status poy_einsum(poy_ctx *ctx, const char *subscripts, int n, const poy_array *const *operands, poy_array **y)
{
    poy_status status = POY_OK;
    sum s = {.ctx = ctx, .text = subscripts, .n = 0};
    const char *text = subscripts;

    *y = NULL;
    if (n < 1 || n > OPERANDS)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "einsum: %d operands, 1 to %d can be", n, OPERANDS);
    s.dtype = operands[0]->dtype;
    for (int k = 1; k < n; k++)
        s.dtype = poy_result_type(s.dtype, operands[k]->dtype);
    POYI_TRY(ctx, read_inputs(&s, n, operands, &text));
    POYI_TRY(ctx, read_output(&s, text));
    for (; s.n < n; s.n++)
        POYI_TO_DONE(ctx, take_diagonals(&s, operands[s.n], &s.operand[s.n]));
    for (int k = 0; k < n; k++)
        POYI_TO_DONE(ctx, sum_alone(&s, k));
    while (s.n > 1) {
        int a = 0, b = 1;
        choose_pair(&s, &a, &b);
        POYI_TO_DONE(ctx, contract(&s, a, b));
        POYI_TO_DONE(ctx, sum_alone(&s, a));
    }
    status = finish(&s, y);
done:
    for (int k = 0; k < OPERANDS; k++)
        poy_array_destroy(&s.operand[k].a);
    return status;
}

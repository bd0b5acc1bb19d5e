/* laws.c: the laws of a space and of a linear operator, on random elements. */
#include "conform/laws/laws.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the frame ---- */

void poyi_law_case(const char *object, poy_dtype dtype, uint64_t seed, char out[POYI_LAW_CASE])
{
    snprintf(out, POYI_LAW_CASE, "law:%.64s.%s.%llu", object, poy_dtype_name(dtype), (unsigned long long)seed);
    for (char *at = out; (at = strchr(at, ' ')) != NULL;) /* a word that no shell takes apart */
        *at = '-';
}

void poyi_laws_begin(poy_ctx *ctx, const char *name, const poy_space *s, int64_t n, uint64_t seed, poyi_laws *l)
{
    memset(l, 0, sizeof *l);
    l->ctx = ctx;
    l->seed = seed;
    snprintf(l->law.object, sizeof l->law.object, "%s", name);
    l->law.dtype = poy_space_dtype(s);
    const double u = (poy_dtype_real(l->law.dtype) == POY_F32 ? (double)FLT_EPSILON : DBL_EPSILON) / 2;
    l->n_u = 32 * (double)(n > 0 ? n : 1) * u;
}

poy_status poyi_laws_end(poyi_laws *l, poy_status status, poy_conform_law_fn *fn, void *user, int *failed)
{
    while (l->n_arrays > 0)
        poy_array_destroy(&l->arrays[--l->n_arrays]);
    if (status == POY_OK) {
        *failed += l->law.failed;
        if (fn)
            fn(user, &l->law);
    }
    return status;
}

void poyi_laws_judge(poyi_laws *l, const char *law, double error, double bound)
{
    const double units = error == 0 ? 0 : error / bound;
    poy_conform_law *r = &l->law;
    r->cases++;
    if (units > r->worst || isnan(units) || !r->worst_law[0]) {
        r->worst = isnan(r->worst) ? r->worst : units;
        snprintf(r->worst_law, sizeof r->worst_law, "%s", law);
    }
    if (units <= 1)
        return;
    r->failed++;
    if (!r->failure[0]) {
        char name[POYI_LAW_CASE];
        poyi_law_case(r->object, r->dtype, l->seed, name);
        snprintf(r->failure, sizeof r->failure, "%s: %s: off by %.3g, allowed %.3g", name, law, error, bound);
    }
}

static poy_status keep(poyi_laws *l, poy_array *a, poy_array **out)
{
    *out = a;
    if (l->n_arrays == POYI_LAWS_ARRAYS) {
        poy_array_destroy(&a);
        return POYI_FAIL(l->ctx, POY_ERR_INTERNAL, "laws of %s: more than %d arrays", l->law.object, POYI_LAWS_ARRAYS);
    }
    l->arrays[l->n_arrays++] = a;
    return POY_OK;
}

poy_status poyi_laws_random(poyi_laws *l, const poy_space *s, uint64_t seed, poy_array **out)
{
    poy_array *a = NULL;
    POYI_TRY(l->ctx, poy_space_random(l->ctx, s, seed, &a));
    return keep(l, a, out);
}

poy_status poyi_laws_zeros(poyi_laws *l, const poy_space *s, poy_array **out)
{
    poy_array *a = NULL;
    POYI_TRY(l->ctx, poy_space_zeros(l->ctx, s, &a));
    return keep(l, a, out);
}

/* A view of one of a batch, which lives until the end. */
static poy_status member(poyi_laws *l, const poy_array *batch, int64_t i, poy_array **out)
{
    poy_array *row = NULL, *a = NULL;
    const int rank = poy_array_rank(batch) - 1;
    int64_t extent[POY_RANK_MAX];
    POYI_TRY(l->ctx, poy_array_slice(l->ctx, batch, 0, i, i + 1, 1, &row));
    for (int j = 0; j < rank; j++)
        extent[j] = poy_array_extent(batch, j + 1);
    const poy_status status = poy_array_reshape(l->ctx, row, rank, extent, &a);
    poy_array_destroy(&row);
    if (status != POY_OK)
        return status;
    return keep(l, a, out);
}

/* k random elements as a batch. */
static poy_status batch(poyi_laws *l, const poy_space *s, int64_t k, uint64_t seed, poy_array **out)
{
    poy_status status = POY_OK;
    int64_t extent[POY_RANK_MAX] = {k};
    poy_array *a = NULL, *row = NULL, *random = NULL, *flat = NULL;
    for (int j = 0; j < poy_space_rank(s); j++)
        extent[j + 1] = poy_space_extent(s, j);
    POYI_TRY(l->ctx,
             poy_array_create(l->ctx, poy_space_backend(s), poy_space_dtype(s), poy_space_rank(s) + 1, extent, &a));
    POYI_TRY(l->ctx, keep(l, a, out));
    for (int64_t i = 0; i < k; i++) {
        extent[0] = 1;
        POYI_TO_DONE(l->ctx, poy_space_random(l->ctx, s, seed + (uint64_t)i, &random));
        POYI_TO_DONE(l->ctx, poy_array_slice(l->ctx, a, 0, i, i + 1, 1, &row));
        POYI_TO_DONE(l->ctx, poy_array_reshape(l->ctx, random, poy_space_rank(s) + 1, extent, &flat));
        POYI_TO_DONE(l->ctx, poy_copy_into(l->ctx, flat, row));
        poy_array_destroy(&random);
        poy_array_destroy(&row);
        poy_array_destroy(&flat);
    }
done:
    poy_array_destroy(&random);
    poy_array_destroy(&row);
    poy_array_destroy(&flat);
    return status;
}

poy_status poyi_laws_combine(poyi_laws *l, const poy_array *x, poy_scalar a, const poy_array *y, poy_array *z)
{
    poy_status status = POY_OK;
    poy_array *s = NULL, *t = NULL;
    POYI_TO_DONE(l->ctx, poy_fill(l->ctx, poy_array_backend(x), a, poy_array_dtype(x), 0, NULL, &s));
    POYI_TO_DONE(l->ctx, poy_mul(l->ctx, s, y, &t));
    POYI_TO_DONE(l->ctx, poy_add_into(l->ctx, x, t, z));
done:
    poy_array_destroy(&s);
    poy_array_destroy(&t);
    return status;
}

poy_status poyi_laws_apart(poyi_laws *l, const poy_space *s, const poy_array *x, const poy_array *y, poy_array *d,
                           double *out)
{
    POYI_TRY(l->ctx, poy_sub_into(l->ctx, x, y, d));
    POYI_TRY(l->ctx, poy_space_norm(l->ctx, s, NULL, d, out));
    return POY_OK;
}

static double gap(poy_scalar a, poy_scalar b)
{
    return hypot(a.re - b.re, a.im - b.im);
}

static poy_scalar factor(const poy_space *s)
{
    return (poy_scalar){0.75, poy_dtype_is_complex(poy_space_dtype(s)) ? -1.25 : 0};
}

/* ---- spaces ---- */

static poy_status inner_laws(poyi_laws *l, const poy_space *s, poy_array *const v[5])
{
    poy_ctx *ctx = l->ctx;
    poy_scalar xy, yx, xx, xz, xs;
    double norm[4];
    const poy_scalar a = factor(s), one = {1, 0};
    poy_array *x = v[0], *y = v[1], *z = v[2], *t = v[3];
    POYI_TRY(ctx, poy_space_inner(ctx, s, NULL, x, y, &xy));
    POYI_TRY(ctx, poy_space_inner(ctx, s, NULL, y, x, &yx));
    POYI_TRY(ctx, poy_space_inner(ctx, s, NULL, x, x, &xx));
    POYI_TRY(ctx, poy_space_inner(ctx, s, NULL, x, z, &xz));
    for (int i = 0; i < 3; i++)
        POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, v[i], &norm[i]));
    poyi_laws_judge(l, "<x, y> = conj <y, x>", gap(xy, (poy_scalar){yx.re, -yx.im}), l->n_u * norm[0] * norm[1]);
    poyi_laws_judge(l, "<x, x> = |x|^2", gap(xx, (poy_scalar){norm[0] * norm[0], 0}), l->n_u * norm[0] * norm[0]);
    poyi_laws_judge(l, "<x, x> > 0", xx.re > 0 ? 0 : 1, 0.5);
    POYI_TRY(ctx, poyi_laws_combine(l, y, a, z, t));
    POYI_TRY(ctx, poy_space_inner(ctx, s, NULL, x, t, &xs));
    const poy_scalar sum = {xy.re + a.re * xz.re - a.im * xz.im, xy.im + a.re * xz.im + a.im * xz.re};
    poyi_laws_judge(l, "<x, y + a z> = <x, y> + a <x, z>", gap(xs, sum), l->n_u * norm[0] * (norm[1] + 2 * norm[2]));
    POYI_TRY(ctx, poyi_laws_combine(l, x, one, y, t));
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, t, &norm[3]));
    poyi_laws_judge(l, "|x + y| <= |x| + |y|", fmax(norm[3] - norm[0] - norm[1], 0), l->n_u * (norm[0] + norm[1]));
    return POY_OK;
}

static poy_status riesz_laws(poyi_laws *l, const poy_space *s, poy_array *const v[5])
{
    poy_ctx *ctx = l->ctx;
    poy_scalar xy;
    double pair, dual, nx, ny, apart;
    poy_array *x = v[0], *y = v[1], *r = v[3], *t = v[4];
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, x, &nx));
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, y, &ny));
    POYI_TRY(ctx, poy_space_inner(ctx, s, NULL, x, y, &xy));
    POYI_TRY(ctx, poy_space_riesz(ctx, s, NULL, x, r));
    POYI_TRY(ctx, poy_space_pair(ctx, s, NULL, r, y, &pair));
    poyi_laws_judge(l, "pair(R x, y) = Re <x, y>", fabs(pair - xy.re), l->n_u * nx * ny);
    if (!(poy_space_can(s) & POY_SPACE_RIESZ_INVERSE))
        return POY_OK;
    POYI_TRY(ctx, poy_space_dual_norm(ctx, s, NULL, r, &dual));
    poyi_laws_judge(l, "|R x|* = |x|", fabs(dual - nx), l->n_u * nx);
    POYI_TRY(ctx, poy_space_riesz_inverse(ctx, s, NULL, r, t));
    POYI_TRY(ctx, poyi_laws_apart(l, s, t, x, t, &apart));
    poyi_laws_judge(l, "R^-1 R = 1", apart, l->n_u * nx);
    return POY_OK;
}

static poy_status batch_laws(poyi_laws *l, const poy_space *s, uint64_t seed)
{
    poy_array *x, *y, *xi, *yi;
    poy_scalar many[3], one;
    POYI_TRY(l->ctx, batch(l, s, 3, seed, &x));
    POYI_TRY(l->ctx, batch(l, s, 3, seed + 7, &y));
    POYI_TRY(l->ctx, poy_space_inner(l->ctx, s, NULL, x, y, many));
    for (int64_t i = 0; i < 3; i++) {
        double nx, ny;
        POYI_TRY(l->ctx, member(l, x, i, &xi));
        POYI_TRY(l->ctx, member(l, y, i, &yi));
        POYI_TRY(l->ctx, poy_space_inner(l->ctx, s, NULL, xi, yi, &one));
        POYI_TRY(l->ctx, poy_space_norm(l->ctx, s, NULL, xi, &nx));
        POYI_TRY(l->ctx, poy_space_norm(l->ctx, s, NULL, yi, &ny));
        poyi_laws_judge(l, "a batch is a loop", gap(many[i], one), l->n_u * nx * ny);
    }
    return POY_OK;
}

/* star, unit, (x y) x^2 = x (y x^2) */
static poy_status algebra_laws(poyi_laws *l, const poy_space *s, poy_array *const v[5])
{
    poy_ctx *ctx = l->ctx;
    poy_array *x = v[0], *y = v[1], *square, *a, *b;
    double nx, n2, ny, apart;
    POYI_TRY(ctx, poyi_laws_zeros(l, s, &square));
    POYI_TRY(ctx, poyi_laws_zeros(l, s, &a));
    POYI_TRY(ctx, poyi_laws_zeros(l, s, &b));
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, x, &nx));
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, y, &ny));
    POYI_TRY(ctx, poy_space_star(ctx, s, x, a));
    POYI_TRY(ctx, poy_space_star(ctx, s, a, b));
    POYI_TRY(ctx, poyi_laws_apart(l, s, b, x, b, &apart));
    poyi_laws_judge(l, "star star = 1", apart, l->n_u * nx);
    POYI_TRY(ctx, poy_space_unit(ctx, s, a));
    POYI_TRY(ctx, poy_space_jordan(ctx, s, a, x, b));
    POYI_TRY(ctx, poyi_laws_apart(l, s, b, x, b, &apart));
    poyi_laws_judge(l, "1 x = x", apart, l->n_u * nx);
    POYI_TRY(ctx, poy_space_jordan(ctx, s, x, x, square));
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, square, &n2));
    POYI_TRY(ctx, poy_space_jordan(ctx, s, x, y, a));
    POYI_TRY(ctx, poy_space_jordan(ctx, s, a, square, b));
    POYI_TRY(ctx, poy_space_jordan(ctx, s, y, square, a));
    POYI_TRY(ctx, poy_space_jordan(ctx, s, x, a, v[4]));
    POYI_TRY(ctx, poyi_laws_apart(l, s, b, v[4], b, &apart));
    poyi_laws_judge(l, "(x y) x^2 = x (y x^2)", apart, l->n_u * nx * (nx * nx + n2) * ny);
    return POY_OK;
}

poy_status poy_conform_space(poy_ctx *ctx, const poy_space *s, const char *name, uint64_t seed, poy_conform_law_fn *fn,
                             void *user, int *failed)
{
    poy_status status = POY_OK;
    poyi_laws l;
    poy_array *v[5];
    poyi_laws_begin(ctx, name, s, poy_space_size(s), seed, &l);
    for (uint64_t i = 0; i < 5; i++)
        POYI_TO_DONE(ctx, i < 3 ? poyi_laws_random(&l, s, seed + i, &v[i]) : poyi_laws_zeros(&l, s, &v[i]));
    POYI_TO_DONE(ctx, inner_laws(&l, s, v));
    POYI_TO_DONE(ctx, riesz_laws(&l, s, v));
    POYI_TO_DONE(ctx, batch_laws(&l, s, seed + 10));
    if (poy_space_can(s) & POY_SPACE_JORDAN)
        POYI_TO_DONE(ctx, algebra_laws(&l, s, v));
done:
    return poyi_laws_end(&l, status, fn, user, failed);
}

/* ---- operators ---- */

typedef struct sides {
    poy_linop *op;
    poy_space *from, *to;
    poy_array *x, *y, *ax, *ay, *t, *at; /* x, y, t in from; the others in to */
    double nx, ny, nax, nay;
} sides;

static poy_status linear_laws(poyi_laws *l, sides *s)
{
    poy_ctx *ctx = l->ctx;
    const poy_scalar a = factor(s->from);
    poy_array *sum, *again;
    double apart;
    POYI_TRY(ctx, poyi_laws_zeros(l, s->to, &sum));
    POYI_TRY(ctx, poyi_laws_zeros(l, s->to, &again));
    POYI_TRY(ctx, poyi_laws_combine(l, s->x, a, s->y, s->t));
    POYI_TRY(ctx, poy_apply(ctx, s->op, NULL, s->t, s->at));
    POYI_TRY(ctx, poyi_laws_combine(l, s->ax, a, s->ay, sum));
    POYI_TRY(ctx, poyi_laws_apart(l, s->to, s->at, sum, sum, &apart));
    poyi_laws_judge(l, "A (x + a y) = A x + a A y", apart, l->n_u * (s->nax + 2 * s->nay));
    POYI_TRY(ctx, poy_apply(ctx, s->op, NULL, s->x, again));
    POYI_TRY(ctx, poyi_laws_apart(l, s->to, again, s->ax, again, &apart));
    poyi_laws_judge(l, "the same bits twice", apart, DBL_MIN);
    return POY_OK;
}

static poy_status adjoint_laws(poyi_laws *l, sides *s, uint64_t seed)
{
    poy_ctx *ctx = l->ctx;
    poy_status status = POY_OK;
    poy_linop *h = NULL, *hh = NULL;
    double worst = 0, apart;
    POYI_TO_DONE(ctx, poy_linop_adjoint(ctx, s->op, &h));
    POYI_TO_DONE(ctx, poy_linop_adjoint(ctx, h, &hh));
    POYI_TO_DONE(ctx, poy_dottest(ctx, s->op, seed, 3, &worst));
    poyi_laws_judge(l, "<A x, y> = <x, A# y>", worst, l->n_u);
    POYI_TO_DONE(ctx, poy_dottest(ctx, h, seed + 3, 1, &worst));
    poyi_laws_judge(l, "<A# x, y> = <x, A y>", worst, l->n_u);
    POYI_TO_DONE(ctx, poy_apply(ctx, hh, NULL, s->x, s->at));
    POYI_TO_DONE(ctx, poyi_laws_apart(l, s->to, s->at, s->ax, s->at, &apart));
    poyi_laws_judge(l, "(A#)# = A", apart, l->n_u * s->nax);
    if (poy_linop_hermitian(s->op) == POY_YES) {
        poy_scalar left, right;
        POYI_TO_DONE(ctx, poy_space_inner(ctx, s->from, NULL, s->ax, s->y, &left));
        POYI_TO_DONE(ctx, poy_space_inner(ctx, s->from, NULL, s->x, s->ay, &right));
        poyi_laws_judge(l, "Hermitian: <A x, y> = <x, A y>", gap(left, right),
                        fmax(l->n_u, 1e-5) * (s->nax * s->ny + s->nx * s->nay));
    }
    if (poy_linop_positive(s->op) == POY_YES) {
        poy_scalar form;
        POYI_TO_DONE(ctx, poy_space_inner(ctx, s->from, NULL, s->ax, s->x, &form));
        poyi_laws_judge(l, "positive: <A x, x> >= 0", fmax(-form.re, 0), l->n_u * s->nax * s->nx);
    }
    if (poy_linop_unitary(s->op) == POY_YES) {
        POYI_TO_DONE(ctx, poy_adjoint_apply(ctx, s->op, NULL, s->ax, s->t));
        POYI_TO_DONE(ctx, poyi_laws_apart(l, s->from, s->t, s->x, s->t, &apart));
        poyi_laws_judge(l, "unitary: A# A x = x", apart, l->n_u * s->nx);
    }
done:
    poy_linop_destroy(&h);
    poy_linop_destroy(&hh);
    return status;
}

/* A batch, both ways, against each member alone. */
static poy_status batched_laws(poyi_laws *l, sides *s, uint64_t seed)
{
    poy_ctx *ctx = l->ctx;
    poy_array *x, *y, *z, *xi, *yi, *zi;
    POYI_TRY(ctx, batch(l, s->from, 2, seed, &x));
    POYI_TRY(ctx, batch(l, s->to, 2, seed + 5, &y));
    POYI_TRY(ctx, batch(l, s->from, 2, seed + 9, &z));
    POYI_TRY(ctx, poy_apply(ctx, s->op, NULL, x, y));
    POYI_TRY(ctx, poy_adjoint_apply(ctx, s->op, NULL, y, z));
    for (int64_t i = 0; i < 2; i++) {
        double apart, norm;
        POYI_TRY(ctx, member(l, x, i, &xi));
        POYI_TRY(ctx, member(l, y, i, &yi));
        POYI_TRY(ctx, member(l, z, i, &zi));
        POYI_TRY(ctx, poy_apply(ctx, s->op, NULL, xi, s->at));
        POYI_TRY(ctx, poy_space_norm(ctx, s->to, NULL, s->at, &norm));
        POYI_TRY(ctx, poyi_laws_apart(l, s->to, s->at, yi, s->at, &apart));
        poyi_laws_judge(l, "a batch is a loop", apart, l->n_u * norm);
        POYI_TRY(ctx, poy_adjoint_apply(ctx, s->op, NULL, yi, s->t));
        POYI_TRY(ctx, poy_space_norm(ctx, s->from, NULL, s->t, &norm));
        POYI_TRY(ctx, poyi_laws_apart(l, s->from, s->t, zi, s->t, &apart));
        poyi_laws_judge(l, "a batch of the adjoint is a loop", apart, l->n_u * norm);
    }
    return POY_OK;
}

poy_status poy_conform_linop(poy_ctx *ctx, poy_linop *op, const char *name, uint64_t seed, poy_conform_law_fn *fn,
                             void *user, int *failed)
{
    poy_status status = POY_OK;
    poyi_laws l;
    sides s = {.op = op, .from = poy_linop_domain(op), .to = poy_linop_codomain(op)};
    const int64_t n = poy_space_size(s.from), m = poy_space_size(s.to);
    poy_array *copy;
    double apart;
    poyi_laws_begin(ctx, name, s.from, n > m ? n : m, seed, &l);
    POYI_TO_DONE(ctx, poyi_laws_random(&l, s.from, seed, &s.x));
    POYI_TO_DONE(ctx, poyi_laws_random(&l, s.from, seed, &copy));
    POYI_TO_DONE(ctx, poyi_laws_random(&l, s.from, seed + 1, &s.y));
    POYI_TO_DONE(ctx, poyi_laws_zeros(&l, s.from, &s.t));
    POYI_TO_DONE(ctx, poyi_laws_zeros(&l, s.to, &s.ax));
    POYI_TO_DONE(ctx, poyi_laws_zeros(&l, s.to, &s.ay));
    POYI_TO_DONE(ctx, poyi_laws_zeros(&l, s.to, &s.at));
    POYI_TO_DONE(ctx, poy_apply(ctx, op, NULL, s.x, s.ax));
    POYI_TO_DONE(ctx, poy_apply(ctx, op, NULL, s.y, s.ay));
    POYI_TO_DONE(ctx, poyi_laws_apart(&l, s.from, s.x, copy, copy, &apart));
    poyi_laws_judge(&l, "x is not changed", apart, DBL_MIN);
    POYI_TO_DONE(ctx, poy_space_norm(ctx, s.from, NULL, s.x, &s.nx));
    POYI_TO_DONE(ctx, poy_space_norm(ctx, s.from, NULL, s.y, &s.ny));
    POYI_TO_DONE(ctx, poy_space_norm(ctx, s.to, NULL, s.ax, &s.nax));
    POYI_TO_DONE(ctx, poy_space_norm(ctx, s.to, NULL, s.ay, &s.nay));
    POYI_TO_DONE(ctx, linear_laws(&l, &s));
    POYI_TO_DONE(ctx, adjoint_laws(&l, &s, seed + 20));
    POYI_TO_DONE(ctx, batched_laws(&l, &s, seed + 30));
done:
    return poyi_laws_end(&l, status, fn, user, failed);
}

/* faulty_lines.c: defects of reductions that look for something, of operations along lines, and of linear algebra. */
#include <math.h>

#include "faulty.h"

typedef poyi_ref_value value;

static poy_status norms_by_squares(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    int kept = x->rank - n_reduced;
    poyi_ref_walk outer = poyi_ref_walk_over(2, t, 0, kept);
    (void)ctx;
    (void)be;
    while (poyi_ref_walk_next(&outer)) {
        double sum = 0;
        poyi_ref_walk inner = poyi_ref_walk_over(1, t, kept, x->rank);
        inner.at[0] = outer.at[0];
        while (poyi_ref_walk_next(&inner))
            sum += pow(creal(poyi_ref_load(x, inner.at[0]).z), 2);
        poyi_ref_store(y, outer.at[1], (value){sqrt(sum), 0});
    }
    return POY_OK;
}

static poy_status divides_by_one_less(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    double n = 1;
    poyi_ref_walk w = poyi_ref_walk_over(1, &y, 0, y->rank);
    poyi_ref_sum(ctx, be, n_reduced, x, y);
    for (int i = x->rank - n_reduced; i < x->rank; i++)
        n *= (double)x->extent[i];
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(y, w.at[0], (value){poyi_ref_load(y, w.at[0]).z / (n > 1 ? n - 1 : 1), 0});
    return POY_OK;
}

static poy_status looks_at_the_first(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    poy_tensor first = *x;
    for (int i = x->rank - n_reduced; i < x->rank; i++)
        first.extent[i] = 1;
    return poyi_ref_all(ctx, be, n_reduced, &first, y);
}

static poy_status multiplies_from_two(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    poyi_ref_walk w = poyi_ref_walk_over(1, &y, 0, y->rank);
    poyi_ref_prod(ctx, be, n_reduced, x, y);
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(y, w.at[0], (value){2 * poyi_ref_load(y, w.at[0]).z, 0});
    return POY_OK;
}

/* The last of the largest, where it should be the first. */
static poy_status tells_the_last(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    int kept = x->rank - n_reduced;
    poyi_ref_walk outer = poyi_ref_walk_over(2, t, 0, kept);
    (void)ctx;
    (void)be;
    while (poyi_ref_walk_next(&outer)) {
        int64_t best = INT64_MIN, place = 0, i = 0;
        poyi_ref_walk inner = poyi_ref_walk_over(1, t, kept, x->rank);
        inner.at[0] = outer.at[0];
        for (; poyi_ref_walk_next(&inner); i++)
            if (poyi_ref_load(x, inner.at[0]).i >= best) {
                best = poyi_ref_load(x, inner.at[0]).i;
                place = i;
            }
        poyi_ref_store(y, outer.at[1], (value){0, place});
    }
    return POY_OK;
}

static poy_status adds_late(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    int last = y->rank - 1;
    poyi_ref_cumsum(ctx, be, x, y);
    const poy_tensor *const t[1] = {y};
    poyi_ref_walk w = poyi_ref_walk_over(1, t, 0, last);
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(y, w.at[0], (value){0, 0});
    return POY_OK;
}

/* Places of a line the other way round where that makes no difference to the values. */
static poy_status sorts_unstably(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    int last = x->rank - 1;
    int64_t n = x->extent[last];
    poy_tensor back = *x;
    back.offset += (n - 1) * x->stride[last];
    back.stride[last] = -x->stride[last];
    poyi_ref_argsort(ctx, be, &back, y);
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, last);
    while (poyi_ref_walk_next(&w))
        for (int64_t i = 0; i < n; i++) {
            int64_t at = w.at[1] + i * y->stride[last];
            poyi_ref_store(y, at, (value){0, n - 1 - poyi_ref_load(y, at).i});
        }
    return POY_OK;
}

static poy_status falls_instead(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    poy_tensor back = *y;
    int last = y->rank - 1;
    back.offset += (y->extent[last] - 1) * y->stride[last];
    back.stride[last] = -y->stride[last];
    return poyi_ref_sort(ctx, be, x, &back);
}

/* take, one by one, at places that a defect makes of those asked for; n of them are there. */
typedef int64_t other_place(int64_t at, int64_t n);
static poy_status take_elsewhere(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *index,
                                 const poy_tensor *y, other_place *f)
{
    const int last = y->rank - 1;
    poy_status status = POY_OK;
    for (int64_t i = 0; i < index->extent[0] && status == POY_OK; i++) {
        int64_t at = f(((const int64_t *)index->mem)[index->offset + i * index->stride[0]], x->extent[x->rank - 1]);
        poy_tensor one = *index, to = *y;
        one.mem = &at;
        one.offset = 0;
        one.extent[0] = to.extent[last] = 1;
        to.offset += i * y->stride[last];
        status = poyi_ref_take(ctx, be, x, &one, &to);
    }
    return status;
}

static int64_t from_the_start(int64_t at, int64_t n)
{
    (void)n;
    return at < 0 ? 0 : at;
}
static int64_t the_nearest(int64_t at, int64_t n)
{
    return at >= n ? n - 1 : at;
}
static poy_status takes_from_the_start(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *index,
                                       const poy_tensor *y)
{
    return take_elsewhere(ctx, be, x, index, y, from_the_start);
}
static poy_status takes_the_nearest(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *index,
                                    const poy_tensor *y)
{
    return take_elsewhere(ctx, be, x, index, y, the_nearest);
}

/* Each value is added to what was there before all of them. */
static poy_status loses_repeats(poy_ctx *ctx, void *be, const poy_tensor *index, const poy_tensor *v,
                                const poy_tensor *y)
{
    int last = y->rank - 1;
    const poy_tensor *const t[2] = {y, v};
    (void)be;
    (void)ctx;
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, last);
    while (poyi_ref_walk_next(&w)) {
        for (int64_t i = 0; i < v->extent[last]; i++) {
            int64_t at = ((const int64_t *)index->mem)[index->offset + i * index->stride[0]], again = 0;
            at += at < 0 ? y->extent[last] : 0;
            for (int64_t j = i + 1; j < v->extent[last]; j++) {
                int64_t other = ((const int64_t *)index->mem)[index->offset + j * index->stride[0]];
                again |= other == at || other + y->extent[last] == at;
            }
            value a = poyi_ref_load(v, w.at[1] + i * v->stride[last]);
            value b = poyi_ref_load(y, w.at[0] + at * y->stride[last]);
            if (!again)
                poyi_ref_store(y, w.at[0] + at * y->stride[last], (value){a.z + b.z, a.i + b.i});
        }
    }
    return POY_OK;
}

/* The first of values for one place stays. */
static poy_status puts_backwards(poy_ctx *ctx, void *be, const poy_tensor *index, const poy_tensor *v,
                                 const poy_tensor *y)
{
    poy_tensor i = *index, b = *v;
    int last = v->rank - 1;
    i.offset += (index->extent[0] - 1) * index->stride[0];
    i.stride[0] = -index->stride[0];
    b.offset += (v->extent[last] - 1) * v->stride[last];
    b.stride[last] = -v->stride[last];
    return poyi_ref_put(ctx, be, &i, &b, y);
}

static poy_status conjugates_y_instead(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                       const poy_tensor *z)
{
    return poyi_ref_vdot(ctx, be, y, x, z);
}

/* ---- linear algebra ---- */

static poy_tensor transposed(const poy_tensor *t)
{
    poy_tensor s = *t;
    s.stride[1] = t->stride[2];
    s.stride[2] = t->stride[1];
    return s;
}

static poy_status solves_transposed(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                    const poy_tensor *out)
{
    const poy_tensor both[2] = {transposed(&in[0]), in[1]};
    return poyi_ref_solve(ctx, be, arg, both, out);
}

static poy_status factors_the_upper_triangle(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                             const poy_tensor *out)
{
    const poy_tensor other = transposed(&in[0]);
    return poyi_ref_cholesky(ctx, be, arg, &other, out);
}

static poy_status leaves_the_upper_triangle(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                            const poy_tensor *out)
{
    poy_status status = poyi_ref_cholesky(ctx, be, arg, in, out);
    for (int64_t i = 1; i < out->extent[1]; i++)
        poyi_ref_store(out, out->offset + i, (value){1, 0});
    return status;
}

static poy_status reads_the_upper_triangle(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                           const poy_tensor *out)
{
    const poy_tensor other = transposed(&in[0]);
    return poyi_ref_eigh(ctx, be, arg, &other, out);
}

static poy_status rises_instead(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                const poy_tensor *out)
{
    poy_tensor three[3] = {out[0], out[1], out[2]};
    three[1].offset += (out[1].extent[2] - 1) * out[1].stride[2];
    three[1].stride[2] = -out[1].stride[2];
    return poyi_ref_svd(ctx, be, arg, in, three);
}

static poy_status leaves_signs(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                               const poy_tensor *out)
{
    poy_status status = poyi_ref_qr(ctx, be, arg, in, out);
    for (int64_t j = 0; j < out[1].extent[2]; j++) { /* as Householder's reflections do */
        const int64_t at = out[1].offset + j * out[1].stride[2];
        poyi_ref_store(&out[1], at, (value){-poyi_ref_load(&out[1], at).z, 0});
    }
    return status;
}

/* Elimination of rows as they stand, without a look at the pivots. */
static poy_status never_exchanges(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                  const poy_tensor *out)
{
    poy_status status = poyi_ref_lu(ctx, be, arg, in, out);
    const int64_t m = in->extent[1], n = in->extent[2], k = out[1].extent[1];
    double a[40][40] = {{0}};
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            a[i][j] = creal(poyi_ref_load(in, in->offset + i * in->stride[1] + j * in->stride[2]).z);
    for (int64_t p = 0; p < k; p++)
        for (int64_t i = p + 1; i < m; i++)
            for (int64_t j = n - 1; j >= p; j--)
                a[i][j] -= a[i][p] / a[p][p] * a[p][j];
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = i; j < n; j++)
            poyi_ref_store(&out[1], out[1].offset + i * out[1].stride[1] + j, (value){a[i][j], 0});
    return status;
}

static poy_status conjugates_eigenvalues(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                         const poy_tensor *out)
{
    poy_status status = poyi_ref_eig(ctx, be, arg, in, out);
    poyi_ref_conj(ctx, be, &out[0], &out[0]);
    return status;
}

static poy_status turns_backwards(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    poy_status status = poyi_ref_cis_mul(ctx, be, x, y, z);
    poyi_ref_conj(ctx, be, z, z);
    return status;
}

/* ---- sparse products ---- */

static poy_status starts_at_the_second_row(poy_ctx *ctx, void *be, const poy_sparse_arg *a, const poy_tensor *x,
                                           const poy_tensor *y)
{
    poy_status status = poyi_ref_spmm(ctx, be, a, x, y);
    if (y->extent[0] > 1)
        poyi_ref_store(y, y->offset, (value){0, 0});
    return status;
}

static poy_status forgets_to_conjugate(poy_ctx *ctx, void *be, const poy_sparse_arg *a, const poy_tensor *x,
                                       const poy_tensor *y)
{
    poy_sparse_arg plain = *a;
    plain.conjugate = 0;
    return poyi_ref_spmm(ctx, be, &plain, x, y);
}

/* The last of the entries for one place, instead of their sum. */
static poy_status drops_repeated_entries(poy_ctx *ctx, void *be, const poy_sparse_arg *a, const poy_tensor *x,
                                         const poy_tensor *y)
{
    const poy_tensor *start = a->start, *index = a->index, *v = a->v;
    for (int64_t i = 0; i < y->extent[0]; i++) {
        int64_t end = poyi_ref_load(start, start->offset + i + 1).i;
        for (int64_t e = poyi_ref_load(start, start->offset + i).i; e < end; e++)
            for (int64_t f = e + 1; f < end; f++)
                if (poyi_ref_load(index, index->offset + e).i == poyi_ref_load(index, index->offset + f).i)
                    poyi_ref_store(v, v->offset + e, (value){0, 0});
    }
    return poyi_ref_spmm(ctx, be, a, x, y);
}

static poy_status works_on_one_column(poy_ctx *ctx, void *be, const poy_sparse_arg *a, const poy_tensor *x,
                                      const poy_tensor *y)
{
    poy_status status = poyi_ref_spmm(ctx, be, a, x, y);
    for (int64_t i = 0; i < y->extent[0]; i++)
        for (int64_t j = 1; j < y->extent[1]; j++)
            poyi_ref_store(y, y->offset + i * y->stride[0] + j, poyi_ref_load(y, y->offset + i * y->stride[0]));
    return status;
}

const faulty_defect *faulty_lines(size_t *n)
{
    static const faulty_defect defects[] = {
        DEFECT(norms_by_squares, norm, reduce, F64),
        DEFECT(divides_by_one_less, mean, reduce, F32),
        DEFECT(looks_at_the_first, all, reduce, B8),
        DEFECT(multiplies_from_two, prod, reduce, C128),
        DEFECT(tells_the_last, argmax, reduce, I32),
        DEFECT(adds_late, cumsum, line, F64),
        DEFECT(sorts_unstably, argsort, line, I64),
        DEFECT(falls_instead, sort, line, F32),
        DEFECT(takes_from_the_start, take, take, C64),
        DEFECT(takes_the_nearest, take, take, I32),
        DEFECT(loses_repeats, put_add, put, F64),
        DEFECT(puts_backwards, put, put, I32),
        DEFECT(conjugates_y_instead, vdot, dot, C128),
        DEFECT(solves_transposed, solve, linalg, F64),
        DEFECT(factors_the_upper_triangle, cholesky, linalg, F32),
        DEFECT(leaves_the_upper_triangle, cholesky, linalg, C128),
        DEFECT(reads_the_upper_triangle, eigh, linalg, F64),
        DEFECT(rises_instead, svd, linalg, C64),
        DEFECT(leaves_signs, qr, linalg, F64),
        DEFECT(never_exchanges, lu, linalg, F64),
        DEFECT(conjugates_eigenvalues, eig, linalg, C128),
        DEFECT(turns_backwards, cis_mul, binary, C64),
        DEFECT(starts_at_the_second_row, spmm, sparse, F32),
        DEFECT(forgets_to_conjugate, spmm, sparse, C128),
        DEFECT(drops_repeated_entries, spmm, sparse, F64),
        DEFECT(works_on_one_column, spmm, sparse, C64),
    };
    *n = sizeof defects / sizeof defects[0];
    return defects;
}

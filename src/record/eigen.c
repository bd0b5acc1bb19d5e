/* eigen.c: records eig (general, distinct eigenvalues) and eigh (Hermitian): values and vectors with a gauge; eigvals, the
 * values of eig alone.
 *
 * Gauge: columns of length 1; of each, the first entry among the largest is real and positive. With P = V^-1 dA V:
 *   dw = diag P,  dV = V C + V diag(c),  C[i,j] = P[i,j] / (w[j] - w[i]),  C[j,j] = 0,
 * c keeps the gauge. Backwards: M[i,j] = (V^H G)[i,j] / conj(w[j] - w[i]), M[j,j] = gw[j], gA = V^-H M V^H, where G is
 * gV with the adjoint of the gauge. For eigh V^-1 = V^H, and A is replaced by H = (A + A^H) / 2, gA by its Hermitian
 * part. Source: Giles, "Collected matrix derivative results for forward and reverse mode AD" (2008), sec. 3.1; the
 * gauge is ours.
 *
 * Where two eigenvalues are the same to rounding, derivatives are refused (POY_ERR_NOT_DIFFERENTIABLE); but a pullback
 * of values alone whose cotangents are equal there, as for a trace, is the same in every basis and is given. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "record/builtin.h"
#include "record/eigen.h"
#include "record/lapack.h"

typedef poyi_z z;

/* What is left in the state, as offsets: w; V; eig only: LU of V and its pivots; the gauge's rows. */
typedef struct layout {
    int64_t n;
    poy_dtype dtype;
    size_t w, v, lu, pivots, rows, bytes;
} layout;

typedef struct state_head {
    double tolerance; /* eigenvalues closer than this are the same */
    double rcond;     /* of V: 1 / (|V| |V^-1|) */
} state_head;

static layout lay_out(int64_t n, poy_dtype dtype, int general)
{
    const size_t element = poy_dtype_size(dtype), square = (size_t)(n * n) * element;
    layout l = {.n = n, .dtype = dtype, .w = sizeof(state_head)};
    l.v = l.w + (size_t)n * sizeof(z);
    l.lu = l.v + square;
    l.rows = l.lu + (general ? square : 0);
    l.pivots = l.rows + (size_t)n * sizeof(int64_t);
    l.bytes = l.pivots + (general ? (size_t)n * sizeof(int32_t) : 0);
    return l;
}

static poy_rec_array matrix(const layout *l, void *data)
{
    return (poy_rec_array){.spec = {.dtype = l->dtype, .rank = 2, .dims = {l->n, l->n}}, .data = data};
}

/* What is saved of an item, read. */
typedef struct saved {
    layout l;
    const state_head *head;
    const z *w;
    const void *v, *lu;
    const int64_t *row;
    const int32_t *pivots;
} saved;

static saved read_saved(const void *state, int64_t n, poy_dtype dtype, int general)
{
    const layout l = lay_out(n, dtype, general);
    const unsigned char *at = state;
    return (saved){.l = l,
                   .head = (const state_head *)(const void *)at,
                   .w = (const z *)(const void *)(at + l.w),
                   .v = at + l.v,
                   .lu = at + l.lu,
                   .row = (const int64_t *)(const void *)(at + l.rows),
                   .pivots = (const int32_t *)(const void *)(at + l.pivots)};
}

static poyi_rec_columns columns_of(const saved *s)
{
    return (poyi_rec_columns){s->l.dtype, s->l.n, s->l.n, s->v};
}

/* ---- is there a derivative? ---- */

static poy_status fail_repeated(poy_ctx *ctx, const saved *s, const char *name, int64_t i, int64_t j)
{
    return POYI_FAIL(
        ctx, POY_ERR_NOT_DIFFERENTIABLE,
        "%s: eigenvalues %lld and %lld, %g%+gi and %g%+gi, are the same to rounding: they have no derivative", name,
        (long long)i, (long long)j, creal(s->w[i]), cimag(s->w[i]), creal(s->w[j]), cimag(s->w[j]));
}

/* gw [n]: the cotangents of the values, if nothing else is asked; else NULL. */
static poy_status check_distinct(poy_ctx *ctx, const saved *s, const char *name, const poy_rec_array *gw)
{
    for (int64_t i = 0; i < s->l.n; i++)
        for (int64_t j = 0; j < i; j++) {
            if (cabs(s->w[i] - s->w[j]) > s->head->tolerance)
                continue;
            const z a = gw ? poyi_rec_get(gw, i) : 0.0, b = gw ? poyi_rec_get(gw, j) : 1.0;
            if (cabs(a - b) > 16.0 * DBL_EPSILON * cabs(a))
                return fail_repeated(ctx, s, name, j, i);
        }
    /* The derivative's relative error is about eps / rcond^2. */
    if (s->head->rcond * s->head->rcond < 10.0 * DBL_EPSILON)
        return POYI_FAIL(
            ctx, POY_ERR_NOT_DIFFERENTIABLE,
            "%s: the eigenvectors are dependent to rounding (reciprocal condition %.1e): A is too close to a "
            "matrix that cannot be made diagonal",
            name, s->head->rcond);
    return POY_OK;
}

/* m[i,j] /= w[j] - w[i] (conjugated in a pullback); 0 on the diagonal. */
static void over_gaps(const saved *s, const poy_rec_array *m, int conjugate)
{
    const int64_t n = s->l.n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const z gap = s->w[j] - s->w[i];
            poyi_rec_put(m, i * n + j, i == j ? 0.0 : poyi_rec_get(m, i * n + j) / (conjugate ? conj(gap) : gap));
        }
}

/* ---- both: derivatives in the basis of V ---- */

/* m = what P's cotangent is, from those of w and V (either may be absent). work: an n x n array. */
static void pull_basis(const saved *s, const poy_rec_array *cot, const poy_rec_array *m, const poy_rec_array *work)
{
    const int64_t n = s->l.n;
    const poyi_rec_columns v = columns_of(s);
    if (cot[1].data) {
        memcpy(work->data, cot[1].data, poy_rec_bytes(&work->spec));
        for (int64_t j = 0; j < n; j++)
            poyi_rec_pull_gauge(&v, s->row[j], j, work);
        poyi_gemm(s->l.dtype, 'c', 'n', n, n, n, 1.0, s->v, work->data, 0.0, m->data);
        over_gaps(s, m, 1);
    } else {
        memset(m->data, 0, poy_rec_bytes(&m->spec));
    }
    for (int64_t j = 0; j < n && cot[0].data; j++)
        poyi_rec_put(m, j * n + j, poyi_rec_get(&cot[0], j));
}

/* Tangents of w and V from P, which is destroyed. */
static void push_basis(const saved *s, const poy_rec_array *p, const poy_rec_array *out_tan)
{
    const int64_t n = s->l.n;
    const poyi_rec_columns v = columns_of(s);
    for (int64_t j = 0; j < n; j++)
        poyi_rec_put(&out_tan[0], j, poyi_rec_get(p, j * n + j));
    over_gaps(s, p, 0);
    poyi_gemm(s->l.dtype, 'n', 'n', n, n, n, 1.0, s->v, p->data, 0.0, out_tan[1].data);
    for (int64_t j = 0; j < n; j++)
        poyi_rec_keep_gauge(&v, s->row[j], j, &out_tan[1]);
}

/* ---- eig ---- */

size_t poyi_eigen_state_bytes(int64_t n)
{
    return lay_out(n, POY_C128, 1).bytes;
}

/* Of a solution: the transpose, the vectors, values and their order, LAPACK's own; of derivatives: three matrices. */
size_t poyi_eigen_scratch_bytes(int64_t n)
{
    const size_t square = (size_t)(n * n) * sizeof(z), work = poyi_eig_work(n);
    return 3 * square + (size_t)n * (sizeof(z) + sizeof(int64_t)) + (work > square ? work : square);
}

static int before(const z *w, int64_t i, int64_t j, int by_imaginary)
{
    const double a = by_imaginary ? cimag(w[i]) : creal(w[i]), b = by_imaginary ? cimag(w[j]) : creal(w[j]);
    return a < b;
}

static void insertion_sort(const z *w, int64_t n, int64_t *order, int by_imaginary)
{
    for (int64_t i = 1; i < n; i++)
        for (int64_t k = i; k > 0 && before(w, order[k], order[k - 1], by_imaginary); k--) {
            const int64_t swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
}

/* By real parts; by imaginary parts where the real ones are the same to rounding, as those of conjugate pairs. */
static void sort_values(const z *w, int64_t n, double tolerance, int64_t *order)
{
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    insertion_sort(w, n, order, 0);
    for (int64_t first = 0, end = 0; first < n; first = end) {
        end = first + 1;
        while (end < n && creal(w[order[end]]) - creal(w[order[end - 1]]) <= tolerance)
            end++;
        insertion_sort(w, end - first, order + first, 1);
    }
}

static double frobenius(const poy_rec_array *a)
{
    const int64_t n = poy_rec_count(&a->spec);
    double most = 0.0, sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, cabs(poyi_rec_get(a, i)));
    for (int64_t i = 0; i < n && most > 0.0; i++) {
        const double r = cabs(poyi_rec_get(a, i)) / most;
        sum += r * r;
    }
    return most * sqrt(sum);
}

/* Rounding of the eigenvalues: backward error n eps |A| of LAPACK's QR iterations, times a small factor. */
static double tolerance_of(const poy_rec_array *a)
{
    return 8.0 * (double)a->spec.dims[0] * DBL_EPSILON * frobenius(a);
}

/* What the derivatives need beside w and V: factors of V, and how far V is from singular. */
static void save_factors(const layout *l, unsigned char *state, void *work)
{
    const int64_t n = l->n;
    const double *v = (const double *)(const void *)(state + l->v);
    double *lu = (double *)(void *)(state + l->lu);
    state_head *head = (state_head *)(void *)state;
    double norm = 0.0;

    memcpy(lu, v, l->rows - l->lu);
    for (int64_t i = 0; i < n; i++) { /* a row of V is a column of what LAPACK factors */
        double sum = 0.0;
        for (int64_t j = 0; j < n; j++)
            sum += cabs(CMPLX(v[2 * (i * n + j)], v[2 * (i * n + j) + 1]));
        norm = fmax(norm, sum);
    }
    const int64_t zero = poyi_lu_factor(POY_C128, n, lu, (int32_t *)(void *)(state + l->pivots));
    head->rcond = zero ? 0.0 : poyi_lu_rcond(n, lu, norm, work);
}

static poy_rec_array values_of(int64_t n, const void *w)
{
    poy_rec_array a = {.spec = {.dtype = POY_C128, .rank = 1, .dims = {n}}};
    memcpy(&a.data, &w, sizeof w); /* the pointer, without const */
    return a;
}

static poy_rec_array vectors_of(int64_t n, const void *v)
{
    poy_rec_array a = values_of(n, v);
    a.spec.rank = 2;
    a.spec.dims[1] = n;
    return a;
}

poy_status poyi_eigen_solve(poy_ctx *ctx, const char *who, int64_t n, const poy_c128 *a, poy_c128 *w, poy_c128 *v,
                            void *state, void *scratch)
{
    const poy_rec_array matrix_a = vectors_of(n, a), values = values_of(n, w), vectors = vectors_of(n, v);
    const layout l = lay_out(n, POY_C128, 1);
    const size_t square = (size_t)(n * n) * sizeof(z);
    unsigned char *bytes = state;
    z *transposed = scratch, *vt = transposed + n * n, *unsorted = vt + n * n;
    int64_t *order = (int64_t *)(void *)(unsorted + n);

    POYI_TRY(ctx, poyi_rec_finite(ctx, who, "A", &matrix_a));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            transposed[j * n + i] = poyi_rec_get(&matrix_a, i * n + j);
    POYI_TRY(ctx, poyi_eig(ctx, n, transposed, unsorted, vt, order + n));
    const double tolerance = tolerance_of(&matrix_a);
    sort_values(unsorted, n, tolerance, order);
    for (int64_t j = 0; j < n; j++) {
        poyi_rec_put(&values, j, unsorted[order[j]]);
        for (int64_t i = 0; i < n; i++)
            poyi_rec_put(&vectors, i * n + j, vt[order[j] * n + i]);
        const int64_t row = poyi_rec_fix_column(&vectors, j);
        if (state)
            ((int64_t *)(void *)(bytes + l.rows))[j] = row;
    }
    if (state) {
        ((state_head *)state)->tolerance = tolerance;
        memcpy(bytes + l.w, w, (size_t)n * sizeof(z));
        memcpy(bytes + l.v, v, square);
        save_factors(&l, state, order + n);
    }
    return POY_OK;
}

poy_status poyi_eigen_pull(poy_ctx *ctx, const char *who, int64_t n, const void *state, const poy_c128 *g_w,
                           const poy_c128 *g_v, poy_c128 *g_a, void *scratch)
{
    const saved s = read_saved(state, n, POY_C128, 1);
    const poy_rec_array cot[2] = {values_of(n, g_w), vectors_of(n, g_v)};
    z *memory = scratch;
    const poy_rec_array m = matrix(&s.l, memory), work = matrix(&s.l, memory + n * n);

    POYI_TRY(ctx, check_distinct(ctx, &s, who, g_v ? NULL : &cot[0]));
    pull_basis(&s, cot, &m, &work);
    poyi_gemm(POY_C128, 'n', 'c', n, n, n, 1.0, m.data, s.v, 0.0, work.data);
    poyi_lu_solve(POY_C128, 1, n, n, s.lu, s.pivots, work.data, g_a, memory + 2 * n * n);
    return POY_OK;
}

poy_status poyi_eigen_push(poy_ctx *ctx, const char *who, int64_t n, const void *state, const poy_c128 *d_a,
                           poy_c128 *d_w, poy_c128 *d_v, void *scratch)
{
    const saved s = read_saved(state, n, POY_C128, 1);
    const poy_rec_array out_tan[2] = {values_of(n, d_w), vectors_of(n, d_v)};
    z *memory = scratch;
    const poy_rec_array p = matrix(&s.l, memory), work = matrix(&s.l, memory + n * n);

    POYI_TRY(ctx, check_distinct(ctx, &s, who, NULL));
    poyi_gemm(POY_C128, 'n', 'n', n, n, n, 1.0, d_a, s.v, 0.0, work.data);
    poyi_lu_solve(POY_C128, 0, n, n, s.lu, s.pivots, work.data, p.data, memory + 2 * n * n);
    push_basis(&s, &p, out_tan);
    return POY_OK;
}

static poy_status eig_infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                            poy_rec_size *size)
{
    const int64_t n = in->dims[0];
    (void)config;
    (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "eig", n));
    size->state = poyi_eigen_state_bytes(n);
    size->scratch = poyi_eigen_scratch_bytes(n);
    return POY_OK;
}

static poy_status eig_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    return poyi_eigen_solve(ctx, "eig", item->in[0].spec.dims[0], item->in[0].data, item->out[0].data,
                            item->out[1].data, item->state, item->scratch);
}

static poy_status eig_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    return poyi_eigen_pull(ctx, "eig", grad->spec.dims[0], item->saved, cot[0].data, cot[1].data, grad->data,
                           item->scratch);
}

static poy_status eig_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                           const poy_rec_array *out_tan)
{
    return poyi_eigen_push(ctx, "eig", tan->spec.dims[0], item->saved, tan->data, out_tan[0].data, out_tan[1].data,
                           item->scratch);
}

/* ---- eigvals: eig without its vectors, which stand in front of the scratch ---- */

static size_t vectors_bytes(int64_t n)
{
    return ((size_t)(n * n) * sizeof(z) + 63) / 64 * 64;
}

static poy_status eigvals_infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                poy_rec_size *size)
{
    POYI_TRY(ctx, eig_infer(ctx, config, in, out, size));
    size->scratch += vectors_bytes(in->dims[0]);
    return POY_OK;
}

static poy_status eigvals_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const int64_t n = item->in[0].spec.dims[0];
    unsigned char *scratch = item->scratch;
    return poyi_eigen_solve(ctx, "eigvals", n, item->in[0].data, item->out[0].data, item->scratch, item->state,
                            scratch + vectors_bytes(n));
}

static poy_status eigvals_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    return poyi_eigen_pull(ctx, "eigvals", grad->spec.dims[0], item->saved, cot[0].data, NULL, grad->data,
                           item->scratch);
}

static poy_status eigvals_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    const int64_t n = tan->spec.dims[0];
    unsigned char *scratch = item->scratch;
    return poyi_eigen_push(ctx, "eigvals", n, item->saved, tan->data, out_tan[0].data, item->scratch,
                           scratch + vectors_bytes(n));
}

/* ---- eigh ---- */

static poy_status eigh_infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                             poy_rec_size *size)
{
    const int64_t n = in->dims[0];
    const size_t square = poy_rec_bytes(in), work = poyi_eigh_work(in->dtype, n);
    (void)config;
    (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "eigh", n));
    size->state = lay_out(n, in->dtype, 0).bytes;
    size->scratch = square + (work > square ? work : square);
    return POY_OK;
}

static poy_status eigh_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const poy_rec_array *a = &item->in[0], *v = &item->out[1];
    const int64_t n = a->spec.dims[0];
    const layout l = lay_out(n, a->spec.dtype, 0);
    const poy_rec_array h = matrix(&l, item->scratch);
    unsigned char *work = item->scratch, *state = item->state;
    double *w = item->out[0].data;

    POYI_TRY(ctx, poyi_rec_finite(ctx, "eigh", "A", a));
    poyi_rec_hermitian_part(a, &h);
    const double tolerance = tolerance_of(&h);
    POYI_TRY(ctx, poyi_eigh(ctx, l.dtype, n, h.data, w, work + poy_rec_bytes(&a->spec)));
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++)
            poyi_rec_put(v, i * n + j, conj(poyi_rec_get(&h, j * n + i)));
        const int64_t row = poyi_rec_fix_column(v, j);
        if (state) {
            ((int64_t *)(void *)(state + l.rows))[j] = row;
            ((z *)(void *)(state + l.w))[j] = w[j];
        }
    }
    if (state) {
        *(state_head *)(void *)state = (state_head){.tolerance = tolerance, .rcond = 1.0};
        memcpy(state + l.v, v->data, l.rows - l.v);
    }
    return POY_OK;
}

static poy_status eigh_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const int64_t n = grad->spec.dims[0];
    const saved s = read_saved(item->saved, n, grad->spec.dtype, 0);
    unsigned char *scratch = item->scratch;
    const poy_rec_array m = matrix(&s.l, scratch), work = matrix(&s.l, scratch + poy_rec_bytes(&grad->spec));

    POYI_TRY(ctx, check_distinct(ctx, &s, "eigh", cot[1].data ? NULL : &cot[0]));
    pull_basis(&s, cot, &m, &work);
    poyi_gemm(s.l.dtype, 'n', 'c', n, n, n, 1.0, m.data, s.v, 0.0, work.data);
    poyi_gemm(s.l.dtype, 'n', 'n', n, n, n, 1.0, s.v, work.data, 0.0, grad->data);
    poyi_rec_hermitian_part(grad, grad);
    return POY_OK;
}

static poy_status eigh_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                            const poy_rec_array *out_tan)
{
    const int64_t n = tan->spec.dims[0];
    const saved s = read_saved(item->saved, n, tan->spec.dtype, 0);
    unsigned char *scratch = item->scratch;
    const poy_rec_array p = matrix(&s.l, scratch), work = matrix(&s.l, scratch + poy_rec_bytes(&tan->spec));

    POYI_TRY(ctx, check_distinct(ctx, &s, "eigh", NULL));
    poyi_rec_hermitian_part(tan, &p);
    poyi_gemm(s.l.dtype, 'n', 'n', n, n, n, 1.0, p.data, s.v, 0.0, work.data);
    poyi_gemm(s.l.dtype, 'c', 'n', n, n, n, 1.0, s.v, work.data, 0.0, p.data);
    push_basis(&s, &p, out_tan);
    return POY_OK;
}

/* ---- the records ---- */

/* Uniform in (-1, 1), and 2 j on the diagonal: the eigenvalues keep apart. */
static poy_status sample(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const int64_t n = in[0].spec.dims[0];
    (void)ctx;
    (void)config;
    poyi_rec_sample(seed, 1, in);
    for (int64_t j = 0; j < n; j++)
        poyi_rec_put(in, j * n + j, poyi_rec_get(in, j * n + j) + 2.0 * (double)j);
    return POY_OK;
}

static const poy_rec_example examples[] = {
    {"", "f64[3,3]"}, {"", "c128[4,4]"}, {"", "c128[1,1]"}, {"", "c128[0,0]"}, {"", "c128[12,12]"}};
enum { N_EXAMPLES = sizeof examples / sizeof examples[0] };

const poy_rec_op poyi_record_eig = {.state_version = 1,
                                    .examples = examples,
                                    .n_examples = N_EXAMPLES,
                                    .infer = eig_infer,
                                    .evaluate = eig_evaluate,
                                    .pullback = eig_pull,
                                    .pushforward = eig_push,
                                    .sample = sample};

const poy_rec_op poyi_record_eigvals = {.state_version = 1,
                                        .examples = examples,
                                        .n_examples = N_EXAMPLES,
                                        .infer = eigvals_infer,
                                        .evaluate = eigvals_evaluate,
                                        .pullback = eigvals_pull,
                                        .pushforward = eigvals_push,
                                        .sample = sample};

const poy_rec_op poyi_record_eigh = {.state_version = 1,
                                     .examples = examples,
                                     .n_examples = N_EXAMPLES,
                                     .infer = eigh_infer,
                                     .evaluate = eigh_evaluate,
                                     .pullback = eigh_pull,
                                     .pushforward = eigh_push,
                                     .sample = sample};

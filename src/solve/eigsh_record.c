/* eigsh_record.c: record of the k smallest eigenpairs of H = (A + A^H) / 2 by Lanczos. With P = (H - w)^+, which vanishes on v:
 *   dw = v^H dH v,  dv = -P dH v + the gauge,   gH = sum of gw v v^H - (P g) v^H, g being gv with the adjoint of the gauge,
 * and gA is gH's Hermitian part. P acts on the other vectors that are known by division, and beside them by minres: H - w is
 * positive there. Source: Giles, "Collected matrix derivative results for forward and reverse mode AD" (2008), sec. 3.1. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/host_matrix.h"

typedef struct config {
    int64_t k;
    poyi_host_limits limits;
} config;

static const poy_rec_option options[] = {
    {"k", POY_REC_INTEGER, NULL, "1", "eigenpairs, the smallest ones"},
    {"tol", POY_REC_REAL, NULL, "1e-14", "of the residual, relative to the eigenvalue; and of solves in derivatives"},
    {"maxiter", POY_REC_INTEGER, NULL, "0", "applications of A; 0: as many as Lanczos takes at most"},
};

static poy_status open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **out)
{
    config *c = malloc(sizeof *c);
    poy_status status;
    (void)user;
    *out = NULL;
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "eigsh: no memory for its options");
    POYI_TO_DONE(ctx, poyi_host_limits_read(ctx, "eigsh", &values[1], &values[2], &c->limits));
    c->k = values[0].integer;
    if (c->k < 1)
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "eigsh: k is %s, at least 1", values[0].text);
done:
    if (status == POY_OK)
        *out = c;
    else
        free(c);
    return status;
}

static void close(void *c)
{
    free(c);
}

/* scratch: H [n, n], vectors [k, n], and the columns of cotangents [n, k], four vectors [n]. */
static poy_status infer(poy_ctx *ctx, const void *config_, const poy_rec_spec *in, poy_rec_spec *out,
                        poy_rec_size *size)
{
    const config *c = config_;
    const int64_t n = in->dims[0];
    if (c->k > n)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "eigsh: %lld eigenpairs of a matrix [%lld, %lld]", (long long)c->k,
                         (long long)n, (long long)n);
    out[0].dims[0] = c->k;
    out[1].dims[1] = c->k;
    size->scratch = (size_t)(n * n + 2 * n * c->k + 4 * n) * poy_dtype_size(in->dtype);
    return POY_OK;
}

/* What a call works with: windows on its scratch. */
typedef struct frame {
    poy_ctx *ctx;
    const config *c;
    poy_dtype dtype;
    int64_t n, k;
    poy_rec_array h, rows, g, x, y, p, q; /* [n, n], [k, n], [n, k], [n] ... */
    const poy_rec_array *w, *v;           /* outputs */
} frame;

static poy_rec_array matrix_at(poy_dtype dtype, int64_t m, int64_t n, unsigned char **at)
{
    const poy_rec_array a = {.spec = {.dtype = dtype, .rank = 2, .dims = {m, n}}, .data = *at};
    *at += poy_rec_bytes(&a.spec);
    return a;
}

static frame frame_of(poy_ctx *ctx, const poy_rec_item *item)
{
    const poy_rec_spec *a = &item->in[0].spec;
    frame f = {
        .ctx = ctx, .c = item->config, .dtype = a->dtype, .n = a->dims[0], .w = &item->out[0], .v = &item->out[1]};
    unsigned char *at = item->scratch;
    f.k = f.c->k;
    f.h = matrix_at(f.dtype, f.n, f.n, &at);
    f.rows = matrix_at(f.dtype, f.k, f.n, &at);
    f.g = matrix_at(f.dtype, f.n, f.k, &at);
    poy_rec_array *const vectors[] = {&f.x, &f.y, &f.p, &f.q};
    for (int i = 0; i < 4; i++, at += poy_rec_bytes(&f.x.spec))
        *vectors[i] = poyi_host_array(f.dtype, f.n, at);
    return f;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_status status = POY_OK;
    const frame f = frame_of(ctx, item);
    const int64_t shape[2] = {f.k, f.n};
    poy_solve_options o = poyi_host_options(&f.c->limits);
    poy_solve_result r;
    poyi_host_matrix h = {0};
    poy_array *vectors = NULL;
    POYI_TO_DONE(ctx, poyi_rec_finite(ctx, "eigsh", "A", &item->in[0]));
    poyi_rec_hermitian_part(&item->in[0], &f.h);
    POYI_TO_DONE(ctx, poyi_host_matrix_open(ctx, "eigsh", f.dtype, f.n, f.n, f.h.data, &h));
    POYI_TO_DONE(ctx, poy_array_wrap(ctx, h.be, f.dtype, 2, shape, NULL, f.rows.data, &vectors));
    POYI_TO_DONE(ctx, poy_lanczos(ctx, h.a, f.k, &o, f.w->data, vectors, &r));
    if (!r.converged) {
        status = POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "eigsh: %s after %lld applications of A, residual %.3g",
                           poy_solve_reason_name(r.reason), (long long)r.applies, r.residual);
        goto done;
    }
    for (int64_t j = 0; j < f.k; j++) {
        for (int64_t i = 0; i < f.n; i++)
            poyi_rec_put(f.v, i * f.k + j, poyi_rec_get(&f.rows, j * f.n + i));
        (void)poyi_rec_fix_column(f.v, j);
    }
done:
    poy_array_destroy(&vectors);
    poyi_host_matrix_close(&h);
    return status;
}

/* ---- derivatives ---- */

static double value(const frame *f, int64_t i)
{
    return creal(poyi_rec_get(f->w, i));
}

static double norm_of(const poy_rec_array *x)
{
    double norm = 0;
    for (int64_t i = 0; i < x->spec.dims[0]; i++)
        norm = hypot(norm, cabs(poyi_rec_get(x, i)));
    return norm;
}

static poy_status check_distinct(const frame *f)
{
    double size = 0;
    for (int64_t i = 0; i < f->n * f->n; i++)
        size = hypot(size, cabs(poyi_rec_get(&f->h, i)));
    for (int64_t i = 1; i < f->k; i++)
        if (value(f, i) - value(f, i - 1) <= 8.0 * (double)f->n * DBL_EPSILON * size)
            return POYI_FAIL(f->ctx, POY_ERR_NOT_DIFFERENTIABLE,
                             "eigsh: eigenvalues %lld and %lld are the same to rounding (%.17g)", (long long)i - 1,
                             (long long)i, value(f, i));
    return POY_OK;
}

/* The part of q that is beside all known vectors: (H - w_i) y = it, by minres, from which rounding is cleared. */
static poy_status solve_beside(const frame *f, int64_t i, double size)
{
    poy_status status = POY_OK;
    const double w = value(f, i);
    poy_solve_options o = poyi_host_options(&f->c->limits);
    poy_solve_result r;
    poyi_host_matrix h = {0};
    for (int64_t l = 0; l < f->n; l++)
        poyi_rec_put(&f->h, l * f->n + l, poyi_rec_get(&f->h, l * f->n + l) - w);
    o.atol = o.tol * size;
    o.tol = 0;
    POYI_TO_DONE(f->ctx, poyi_host_matrix_open(f->ctx, "eigsh", f->dtype, f->n, f->n, f->h.data, &h));
    POYI_TO_DONE(f->ctx, poyi_host_solve(&h, poy_minres, 0, 1, &o, f->q.data, f->p.data, &r));
done:
    poyi_host_matrix_close(&h);
    for (int64_t l = 0; l < f->n; l++)
        poyi_rec_put(&f->h, l * f->n + l, poyi_rec_get(&f->h, l * f->n + l) + w);
    return status;
}

/* x -= v_j <v_j, x>; returns the product. */
static poyi_z remove_vector(const frame *f, int64_t j, const poy_rec_array *x)
{
    poyi_z along = 0;
    for (int64_t l = 0; l < f->n; l++)
        along += conj(poyi_rec_get(f->v, l * f->k + j)) * poyi_rec_get(x, l);
    for (int64_t l = 0; l < f->n; l++)
        poyi_rec_put(x, l, poyi_rec_get(x, l) - along * poyi_rec_get(f->v, l * f->k + j));
    return along;
}

/* y = (H - w_i)^+ x; x is kept. */
static poy_status pseudo_inverse(const frame *f, int64_t i)
{
    const double size = norm_of(&f->x);
    poyi_rec_copy(&f->x, &f->q);
    memset(f->y.data, 0, poy_rec_bytes(&f->y.spec));
    for (int64_t j = 0; j < f->k; j++) {
        const poyi_z along = remove_vector(f, j, &f->q);
        for (int64_t l = 0; l < f->n && j != i; l++)
            poyi_rec_put(&f->y, l,
                         poyi_rec_get(&f->y, l) +
                             along / (value(f, j) - value(f, i)) * poyi_rec_get(f->v, l * f->k + j));
    }
    if (f->k == f->n)
        return POY_OK;
    POYI_TRY(f->ctx, solve_beside(f, i, size));
    for (int64_t j = 0; j < f->k; j++)
        (void)remove_vector(f, j, &f->p);
    for (int64_t l = 0; l < f->n; l++)
        poyi_rec_put(&f->y, l, poyi_rec_get(&f->y, l) + poyi_rec_get(&f->p, l));
    return POY_OK;
}

/* x = column i of m [n, k] */
static void take_column(const frame *f, const poy_rec_array *m, int64_t i)
{
    for (int64_t l = 0; l < f->n; l++)
        poyi_rec_put(&f->x, l, poyi_rec_get(m, l * f->k + i));
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const frame f = frame_of(ctx, item);
    const poyi_rec_columns v = {f.dtype, f.n, f.k, f.v->data};
    poyi_rec_hermitian_part(&item->in[0], &f.h);
    if (cot[1].data) {
        POYI_TRY(ctx, check_distinct(&f));
        poyi_rec_copy(&cot[1], &f.g);
    }
    memset(grad->data, 0, poy_rec_bytes(&grad->spec));
    for (int64_t i = 0; i < f.k; i++) {
        const double gw = cot[0].data ? creal(poyi_rec_get(&cot[0], i)) : 0;
        memset(f.y.data, 0, poy_rec_bytes(&f.y.spec));
        if (cot[1].data) {
            poyi_rec_pull_gauge(&v, poyi_rec_largest_row(f.v, i), i, &f.g);
            take_column(&f, &f.g, i);
            POYI_TRY(ctx, pseudo_inverse(&f, i));
        }
        for (int64_t a = 0; a < f.n; a++)
            for (int64_t b = 0; b < f.n; b++)
                poyi_rec_put(grad, a * f.n + b,
                             poyi_rec_get(grad, a * f.n + b) +
                                 (gw * poyi_rec_get(f.v, a * f.k + i) - poyi_rec_get(&f.y, a)) *
                                     conj(poyi_rec_get(f.v, b * f.k + i)));
    }
    poyi_rec_hermitian_part(grad, grad);
    return POY_OK;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const frame f = frame_of(ctx, item);
    const poyi_rec_columns v = {f.dtype, f.n, f.k, f.v->data};
    poyi_rec_hermitian_part(&item->in[0], &f.h);
    POYI_TRY(ctx, check_distinct(&f));
    for (int64_t i = 0; i < f.k; i++) {
        poyi_z along = 0;
        take_column(&f, f.v, i);
        poyi_host_multiply(tan, 0, &f.x, &f.p);
        poyi_host_multiply(tan, 1, &f.x, &f.q);
        for (int64_t l = 0; l < f.n; l++) {
            const poyi_z image = 0.5 * (poyi_rec_get(&f.p, l) + poyi_rec_get(&f.q, l));
            along += conj(poyi_rec_get(&f.x, l)) * image;
            poyi_rec_put(&f.y, l, image);
        }
        poyi_rec_put(&out_tan[0], i, creal(along));
        poyi_rec_copy(&f.y, &f.x);
        POYI_TRY(ctx, pseudo_inverse(&f, i));
        for (int64_t l = 0; l < f.n; l++)
            poyi_rec_put(&out_tan[1], l * f.k + i, -poyi_rec_get(&f.y, l));
        poyi_rec_keep_gauge(&v, poyi_rec_largest_row(f.v, i), i, &out_tan[1]);
    }
    return POY_OK;
}

/* Uniform in (-1, 1), and 3 j on the diagonal: the eigenvalues keep apart. */
static poy_status sample(poy_ctx *ctx, const void *c, uint64_t seed, const poy_rec_array *in)
{
    const int64_t n = in[0].spec.dims[0];
    (void)ctx;
    (void)c;
    poyi_rec_sample(seed, 1, in);
    for (int64_t j = 0; j < n; j++)
        poyi_rec_put(in, j * n + j, poyi_rec_get(in, j * n + j) + 3.0 * (double)j);
    return POY_OK;
}

static const poy_rec_example examples[] = {
    {"", "f64[6,6]"}, {"k=2", "f64[5,5]"}, {"k=3", "c128[7,7]"}, {"k=3", "f64[3,3]"}, {"k=2", "c128[2,2]"}};

const poy_rec_op poyi_record_eigsh = {.state_version = 1,
                                      .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                      .options = options,
                                      .n_options = sizeof options / sizeof options[0],
                                      .examples = examples,
                                      .n_examples = sizeof examples / sizeof examples[0],
                                      .open = open,
                                      .close = close,
                                      .infer = infer,
                                      .evaluate = evaluate,
                                      .pullback = pullback,
                                      .pushforward = pushforward,
                                      .sample = sample};

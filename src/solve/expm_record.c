/* expm_record.c: record y = exp(t A) v. With a(s) = exp(s t A) v and b(s) = exp((1 - s) conj(t) A^H) gy, s in (0, 1):
 *   dy = exp(t A) dv + dt A y + t integral of exp((1 - s) t A) dA a(s) ds,
 *   gv = b(0),  gt = (A y)^H gy,  gA = conj(t) integral of b(s) a(s)^H ds.
 * The integrals are taken by Gauss-Legendre rules of 12 nodes on panels of length h with 2 |t| |A| h <= 8: the integrand is
 * entire, of exponential type 2 |t| |A|, which leaves an error below 1e-16 of its largest value (Davis, Rabinowitz, Methods
 * of Numerical Integration, 2.7.11). Between nodes all vectors move on by poy_expm_apply. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/math.h"
#include "solve/host_matrix.h"

enum { NODES = 12, PANELS_MAX = 4096 };

static const poy_rec_option options[] = {
    {"tol", POY_REC_REAL, NULL, "1e-14", "of the error, relative to the result, for each stretch between nodes"},
    {"maxiter", POY_REC_INTEGER, NULL, "0",
     "applications of A in a stretch; 0: as many as poy_expm_apply takes at most"},
};

static poy_status open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **out)
{
    (void)user;
    return poyi_host_limits_open(ctx, "expm", values, out);
}

/* scratch: three vectors. */
static poy_status infer(poy_ctx *ctx, const void *c, const poy_rec_spec *in, poy_rec_spec *out, poy_rec_size *size)
{
    (void)ctx;
    (void)c;
    (void)out;
    size->scratch = 3 * poy_rec_bytes(&in[1]);
    return POY_OK;
}

static poy_rec_array vector_in(const poy_rec_item *item, int i)
{
    const poy_rec_spec *v = &item->in[1].spec;
    return poyi_host_array(v->dtype, v->dims[0], (unsigned char *)item->scratch + (size_t)i * poy_rec_bytes(v));
}

/* ---- moving a vector on ---- */

/* y = exp(part t A) x, or exp(part conj(t) A^H) x; x and y apart. */
static poy_status move_on(const poyi_host_matrix *a, const void *limits, int adjoint, poyi_z t, double part,
                          const poy_rec_array *x, const poy_rec_array *y)
{
    poy_status status = POY_OK;
    const poy_solve_options o = poyi_host_options(limits);
    const poy_scalar step = {part * creal(t), adjoint ? -part * cimag(t) : part * cimag(t)};
    poy_array *ax = NULL, *ay = NULL;
    poy_solve_result r;
    POYI_TO_DONE(a->ctx, poyi_host_vector(a, a->n, x->data, &ax));
    POYI_TO_DONE(a->ctx, poyi_host_vector(a, a->n, y->data, &ay));
    POYI_TO_DONE(a->ctx, poy_expm_apply(a->ctx, adjoint ? a->h : a->a, step, ax, &o, ay, &r));
    if (!r.converged)
        status = POYI_FAIL(a->ctx, POY_ERR_NO_CONVERGENCE, "expm: %s after %lld applications of A",
                           poy_solve_reason_name(r.reason), (long long)r.applies);
done:
    poy_array_destroy(&ax);
    poy_array_destroy(&ay);
    return status;
}

/* ---- nodes ---- */

typedef struct rule {
    int64_t n;
    double *s, *w; /* [n], in (0, 1), rising; one block */
} rule;

/* sqrt(|A|_1 |A|_inf), which is not below |A|_2. */
static double norm_bound(const poy_rec_array *a)
{
    const int64_t n = a->spec.dims[0];
    double rows = 0, columns = 0;
    for (int64_t i = 0; i < n; i++) {
        double row = 0, column = 0;
        for (int64_t j = 0; j < n; j++) {
            row += cabs(poyi_rec_get(a, i * n + j));
            column += cabs(poyi_rec_get(a, j * n + i));
        }
        rows = fmax(rows, row);
        columns = fmax(columns, column);
    }
    return sqrt(rows * columns);
}

static poy_status make_rule(poy_ctx *ctx, const poy_rec_array *a, poyi_z t, rule *out)
{
    double x[NODES], w[NODES];
    const double size = 2 * cabs(t) * norm_bound(a), panels = fmax(1, ceil(size / 8));
    *out = (rule){0, NULL, NULL};
    if (!(panels <= PANELS_MAX))
        return POYI_FAIL(ctx, POY_ERR_RANGE, "expm: |t A| of up to %g, its derivatives are taken up to %g", size / 2,
                         4.0 * PANELS_MAX);
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, NODES, x, w));
    out->n = NODES * (int64_t)panels;
    out->s = malloc(2 * (size_t)out->n * sizeof *out->s);
    if (!out->s)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "expm: no memory for %lld nodes", (long long)out->n);
    out->w = out->s + out->n;
    for (int64_t i = 0; i < out->n; i++) {
        const int64_t k = i % NODES;
        out->s[i] = ((double)(i / NODES) + 0.5 + 0.5 * x[k]) / panels;
        out->w[i] = 0.5 * w[k] / panels;
    }
    return POY_OK;
}

/* ---- the record ---- */

static poyi_z time_of(const poy_rec_item *item)
{
    return poyi_rec_get(&item->in[2], 0);
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    static const char *const names[] = {"A", "v", "t"};
    poy_status status = POY_OK;
    const poy_rec_array *a = &item->in[0];
    const int64_t n = a->spec.dims[0];
    poyi_host_matrix h;
    for (int i = 0; i < 3; i++)
        POYI_TRY(ctx, poyi_rec_finite(ctx, "expm", names[i], &item->in[i]));
    if (!n)
        return POY_OK;
    POYI_TO_DONE(ctx, poyi_host_matrix_open(ctx, "expm", a->spec.dtype, n, n, a->data, &h));
    POYI_TO_DONE(ctx, move_on(&h, item->config, 0, time_of(item), 1, &item->in[1], &item->out[0]));
done:
    poyi_host_matrix_close(&h);
    return status;
}

static void swap(poy_rec_array *x, poy_rec_array *y)
{
    const poy_rec_array t = *x;
    *x = *y;
    *y = t;
}

/* a(s_j) for all nodes, one after the other. */
static poy_status trace_forward(const poyi_host_matrix *h, const poy_rec_item *item, const rule *r, unsigned char *all)
{
    const size_t bytes = poy_rec_bytes(&item->in[1].spec);
    poy_rec_array last = item->in[1];
    for (int64_t j = 0; j < r->n; j++) {
        const poy_rec_array next = poyi_host_array(h->dtype, h->n, all + (size_t)j * bytes);
        POYI_TRY(h->ctx, move_on(h, item->config, 0, time_of(item), r->s[j] - (j ? r->s[j - 1] : 0), &last, &next));
        last = next;
    }
    return POY_OK;
}

/* gA += factor b a^H */
static void add_outer(const poy_rec_array *g, poyi_z factor, const poy_rec_array *b, const poy_rec_array *a)
{
    const int64_t n = a->spec.dims[0];
    for (int64_t i = 0; i < n; i++) {
        const poyi_z left = factor * poyi_rec_get(b, i);
        for (int64_t j = 0; j < n; j++)
            poyi_rec_put(g, i * n + j, poyi_rec_get(g, i * n + j) + left * conj(poyi_rec_get(a, j)));
    }
}

/* gA, and b(0) in *b at the end. */
static poy_status pull_matrix(const poyi_host_matrix *h, const poy_rec_item *item, const poy_rec_array *grad,
                              poy_rec_array *b, poy_rec_array *other)
{
    poy_status status = POY_OK;
    const size_t bytes = poy_rec_bytes(&item->in[1].spec);
    const poyi_z t = time_of(item);
    void *all = NULL;
    rule r;
    POYI_TO_DONE(h->ctx, make_rule(h->ctx, &item->in[0], t, &r));
    POYI_TO_DONE(h->ctx, poyi_alloc(h->ctx, "record.expm", (size_t)r.n * bytes, &all));
    POYI_TO_DONE(h->ctx, trace_forward(h, item, &r, all));
    memset(grad->data, 0, poy_rec_bytes(&grad->spec));
    for (int64_t j = r.n - 1; j >= 0; j--) {
        const double part = (j + 1 < r.n ? r.s[j + 1] : 1) - r.s[j];
        const poy_rec_array a = poyi_host_array(h->dtype, h->n, (unsigned char *)all + (size_t)j * bytes);
        POYI_TO_DONE(h->ctx, move_on(h, item->config, 1, t, part, b, other));
        swap(b, other);
        add_outer(grad, conj(t) * r.w[j], b, &a);
    }
    POYI_TO_DONE(h->ctx, move_on(h, item->config, 1, t, r.s[0], b, other));
    swap(b, other);
done:
    poyi_free(&all);
    free(r.s);
    return status;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    poy_status status = POY_OK;
    const poy_rec_array *a = &item->in[0], *y = &item->out[0];
    const int64_t n = a->spec.dims[0];
    poyi_host_matrix h;
    if (grad[2].data)
        memset(grad[2].data, 0, poy_rec_bytes(&grad[2].spec));
    if (!n)
        return POY_OK;
    POYI_TO_DONE(ctx, poyi_host_matrix_open(ctx, "expm", a->spec.dtype, n, n, a->data, &h));
    poy_rec_array b = vector_in(item, 0), other = vector_in(item, 1);
    if (grad[2].data) {
        poyi_z sum = 0;
        poyi_host_multiply(a, 0, y, &b);
        for (int64_t i = 0; i < n; i++)
            sum += conj(poyi_rec_get(&b, i)) * poyi_rec_get(cot, i);
        poyi_rec_put(&grad[2], 0, sum);
    }
    poyi_rec_copy(cot, &b);
    if (grad[0].data) {
        POYI_TO_DONE(ctx, pull_matrix(&h, item, &grad[0], &b, &other));
    } else {
        POYI_TO_DONE(ctx, move_on(&h, item->config, 1, time_of(item), 1, &b, &other));
        swap(&b, &other);
    }
    if (grad[1].data)
        poyi_rec_copy(&b, &grad[1]);
done:
    poyi_host_matrix_close(&h);
    return status;
}

/* z at s = 1 of z' = t A z + t dA a(s), z(0) = dv: a moves on beside it. */
static poy_status push_matrix(const poyi_host_matrix *h, const poy_rec_item *item, const poy_rec_array *tangent,
                              poy_rec_array *zs, poy_rec_array *other)
{
    poy_status status = POY_OK;
    const poyi_z t = time_of(item);
    void *all = NULL;
    rule r;
    POYI_TO_DONE(h->ctx, make_rule(h->ctx, &item->in[0], t, &r));
    const size_t bytes = poy_rec_bytes(&item->in[1].spec);
    POYI_TO_DONE(h->ctx, poyi_alloc(h->ctx, "record.expm", ((size_t)r.n + 1) * bytes, &all));
    POYI_TO_DONE(h->ctx, trace_forward(h, item, &r, all));
    const poy_rec_array kick = poyi_host_array(h->dtype, h->n, (unsigned char *)all + (size_t)r.n * bytes);
    for (int64_t j = 0; j <= r.n; j++) {
        const double part = (j < r.n ? r.s[j] : 1) - (j ? r.s[j - 1] : 0);
        POYI_TO_DONE(h->ctx, move_on(h, item->config, 0, t, part, zs, other));
        swap(zs, other);
        if (j == r.n)
            break;
        const poy_rec_array a = poyi_host_array(h->dtype, h->n, (unsigned char *)all + (size_t)j * bytes);
        poyi_host_multiply(tangent, 0, &a, &kick);
        for (int64_t i = 0; i < h->n; i++)
            poyi_rec_put(zs, i, poyi_rec_get(zs, i) + t * r.w[j] * poyi_rec_get(&kick, i));
    }
done:
    poyi_free(&all);
    free(r.s);
    return status;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    poy_status status = POY_OK;
    const poy_rec_array *a = &item->in[0];
    const int64_t n = a->spec.dims[0];
    poyi_host_matrix h;
    if (!n)
        return POY_OK;
    POYI_TO_DONE(ctx, poyi_host_matrix_open(ctx, "expm", a->spec.dtype, n, n, a->data, &h));
    poy_rec_array zs = vector_in(item, 0), other = vector_in(item, 1);
    const poy_rec_array ay = vector_in(item, 2);
    poyi_rec_copy(&tan[1], &zs);
    if (tan[0].data) {
        POYI_TO_DONE(ctx, push_matrix(&h, item, &tan[0], &zs, &other));
    } else {
        POYI_TO_DONE(ctx, move_on(&h, item->config, 0, time_of(item), 1, &zs, &other));
        swap(&zs, &other);
    }
    poyi_host_multiply(a, 0, &item->out[0], &ay);
    const poyi_z dt = tan[2].data ? poyi_rec_get(&tan[2], 0) : 0;
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(out_tan, i, poyi_rec_get(&zs, i) + dt * poyi_rec_get(&ay, i));
done:
    poyi_host_matrix_close(&h);
    return status;
}

static const poy_rec_example examples[] = {{"", "f64[5,5] f64[5] f64[]"},
                                           {"", "c128[4,4] c128[4] c128[]"},
                                           {"", "f64[3,3] c128[3] f64[]"},
                                           {"", "f64[0,0] f64[0] c128[]"}};

const poy_rec_op poyi_record_expm = {.state_version = 1,
                                     .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                     .options = options,
                                     .n_options = sizeof options / sizeof options[0],
                                     .examples = examples,
                                     .n_examples = sizeof examples / sizeof examples[0],
                                     .open = open,
                                     .close = free,
                                     .infer = infer,
                                     .evaluate = evaluate,
                                     .pullback = pullback,
                                     .pushforward = pushforward};

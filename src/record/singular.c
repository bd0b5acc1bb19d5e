/* singular.c: record svdvals: falling singular values. With A = U diag(s) V^H: ds_k = Re u_k^H dA v_k, so that equal values share
 * their derivatives only where their cotangents agree. */
#include <float.h>
#include <string.h>

#include "record/builtin.h"
#include "record/lapack.h"

/* State: s [k], U [n,k], V^H [k,m]. */
typedef struct layout {
    int64_t n, m, k;
    size_t u, vh, bytes; /* offsets; all */
} layout;

static layout lay_out(const poy_rec_spec *a)
{
    layout l = {.n = a->dims[0], .m = a->dims[1]};
    l.k = l.n < l.m ? l.n : l.m;
    l.u = ((size_t)l.k * sizeof(double) + 15) / 16 * 16;
    l.vh = l.u + (size_t)(l.n * l.k) * sizeof(poyi_z);
    l.bytes = l.vh + (size_t)(l.k * l.m) * sizeof(poyi_z);
    return l;
}

/* scratch: a matrix, and LAPACK's work. */
static poy_status infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out, poy_rec_size *size)
{
    const layout l = lay_out(in);
    (void)config;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "svdvals", l.n));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "svdvals", l.m));
    out->dims[0] = l.k;
    size->state = l.bytes;
    size->scratch = (poy_rec_bytes(in) + 63) / 64 * 64 + poyi_svd_full_work(l.n, l.m);
    return POY_OK;
}

static void *after_matrix(const poy_rec_item *item)
{
    return (unsigned char *)item->scratch + (poy_rec_bytes(&item->in[0].spec) + 63) / 64 * 64;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const layout l = lay_out(&item->in[0].spec);
    unsigned char *state = item->state;
    double *s = item->out[0].data;
    POYI_TRY(ctx, poyi_rec_finite(ctx, "svdvals", "A", &item->in[0]));
    memcpy(item->scratch, item->in[0].data, poy_rec_bytes(&item->in[0].spec));
    if (!state)
        return poyi_singular_values(ctx, l.n, l.m, item->scratch, s, after_matrix(item));
    POYI_TRY(ctx, poyi_svd(ctx, l.n, l.m, item->scratch, s, state + l.u, state + l.vh, after_matrix(item)));
    memcpy(state, s, (size_t)l.k * sizeof *s);
    return POY_OK;
}

/* Values are the same to rounding within 64 eps of the largest. */
static double rounding(const layout *l, const double *s)
{
    return l->k ? 64.0 * DBL_EPSILON * s[0] : 0.0;
}

static poy_status check(poy_ctx *ctx, const layout *l, const double *s, const double *g)
{
    const double close = rounding(l, s);
    for (int64_t i = 0; i < l->k; i++) {
        if (s[i] <= close && g[i] != 0.0)
            return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE, "svdvals: value %lld is 0 to rounding, %g", (long long)i,
                             s[i]);
        if (i > 0 && s[i - 1] - s[i] <= close && g[i - 1] != g[i])
            return POYI_FAIL(
                ctx, POY_ERR_NOT_DIFFERENTIABLE,
                "svdvals: values %lld and %lld are the same to rounding, %.17g, and their cotangents differ",
                (long long)i - 1, (long long)i, s[i]);
    }
    return POY_OK;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const layout l = lay_out(&item->in[0].spec);
    const unsigned char *state = item->saved;
    const double *s = item->saved, *g = cot->data;
    const poyi_z *u = (const void *)(state + l.u), *vh = (const void *)(state + l.vh);
    poyi_z *scaled = item->scratch;
    if (!grad[0].data)
        return POY_OK;
    POYI_TRY(ctx, check(ctx, &l, s, g));
    for (int64_t i = 0; i < l.n; i++)
        for (int64_t k = 0; k < l.k; k++)
            scaled[i * l.k + k] = u[i * l.k + k] * g[k];
    poyi_gemm(POY_C128, 'n', 'n', l.n, l.m, l.k, 1.0, scaled, vh, 0.0, grad[0].data);
    return POY_OK;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const layout l = lay_out(&item->in[0].spec);
    const unsigned char *state = item->saved;
    const double *s = item->saved;
    const poyi_z *u = (const void *)(state + l.u), *vh = (const void *)(state + l.vh), *da = tan[0].data;
    double *ds = out_tan->data;
    for (int64_t k = 0; k < l.k; k++) {
        if (da && (s[k] <= rounding(&l, s) || (k > 0 && s[k - 1] - s[k] <= rounding(&l, s))))
            return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                             "svdvals: value %lld is 0 or the same as the one before, to rounding", (long long)k);
        poyi_z sum = 0;
        for (int64_t i = 0; da && i < l.n; i++)
            for (int64_t j = 0; j < l.m; j++)
                sum += conj(u[i * l.k + k]) * da[i * l.m + j] * conj(vh[k * l.m + j]);
        ds[k] = creal(sum);
    }
    return POY_OK;
}

static const poy_rec_example examples[] = {{"", "c128[3,3]"}, {"", "f64[4,2]"}, {"", "c128[2,5]"}, {"", "c128[0,3]"}};

const poy_rec_op poyi_record_svdvals = {.state_version = 1,
                                        .examples = examples,
                                        .n_examples = sizeof examples / sizeof examples[0],
                                        .infer = infer,
                                        .evaluate = evaluate,
                                        .pullback = pullback,
                                        .pushforward = pushforward};

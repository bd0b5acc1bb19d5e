/* fourier.c: records fft (complex), rfft and irfft (of real signals) of any length, with the norms of NumPy.
 *
 * y[k] = s sum over j of x[j] exp(-+ 2 pi i j k / n). The adjoint of a transform has the other sign and the same s.
 * rfft keeps k <= n/2: its adjoint is the real part of the transform of what is kept. irfft takes real parts at k = 0
 * and n/2 and counts the others twice: so does its adjoint. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/fft.h"
#include "record/builtin.h"

typedef poyi_z z;
typedef enum kind { COMPLEX, REAL_TO_COMPLEX, COMPLEX_TO_REAL } kind;
typedef enum norm { BACKWARD, ORTHO, FORWARD } norm;

typedef struct config {
    kind kind;
    int sign; /* of the exponent */
    norm norm;
    int64_t n; /* of irfft; 0: 2 (m - 1) */
} config;

static const poy_rec_option options[][2] = {
    {{.name = "direction",
      .kind = POY_REC_WORD,
      .words = "forward|backward",
      .fallback = "forward",
      .text = "sign of the exponent, - or +"},
     {.name = "norm",
      .kind = POY_REC_WORD,
      .words = "backward|ortho|forward",
      .fallback = "backward",
      .text = "which direction has the factor 1/n"}},
    {{.name = "norm",
      .kind = POY_REC_WORD,
      .words = "backward|ortho|forward",
      .fallback = "backward",
      .text = "which direction has the factor 1/n"}},
    {{.name = "norm",
      .kind = POY_REC_WORD,
      .words = "backward|ortho|forward",
      .fallback = "backward",
      .text = "which direction has the factor 1/n"},
     {.name = "n", .kind = POY_REC_INTEGER, .fallback = "0", .text = "length of the real signal; 0: 2 (m - 1)"}}};

static const kind kinds[] = {COMPLEX, REAL_TO_COMPLEX, COMPLEX_TO_REAL};

static poy_status open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **out)
{
    config *c = malloc(sizeof *c);
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the configuration of a transform");
    *c = (config){.kind = *(const kind *)user, .sign = -1, .norm = (norm)values[0].integer};
    if (c->kind == COMPLEX) {
        c->sign = values[0].integer ? 1 : -1;
        c->norm = (norm)values[1].integer;
    } else if (c->kind == COMPLEX_TO_REAL) {
        c->sign = 1;
        c->n = values[1].integer;
    }
    *out = c;
    return POY_OK;
}

static poy_status infer(poy_ctx *ctx, const void *config_, const poy_rec_spec *in, poy_rec_spec *out,
                        poy_rec_size *size)
{
    const config *c = config_;
    const int64_t given = in->dims[0], m = given > 0 ? given : 1;
    int64_t n = given;

    if (c->kind == REAL_TO_COMPLEX)
        out->dims[0] = n / 2 + 1;
    if (c->kind == COMPLEX_TO_REAL) {
        n = c->n ? c->n : 2 * (m - 1);
        if (n < 0 || (n > 0 && n / 2 + 1 != given))
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "irfft: a signal of length %lld has %lld coefficients, got %lld",
                             (long long)n, (long long)(n > 0 ? n / 2 + 1 : 0), (long long)given);
        out->dims[0] = n;
    }
    if (n == 0)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "a transform of length 0%s",
                         c->kind == COMPLEX_TO_REAL && given == 1 ? ": of one coefficient, give n=1" : "");
    size->scratch = (size_t)n * sizeof(z);
    return POY_OK;
}

static double scale(const config *c, int64_t n)
{
    const int has_factor = c->norm == (c->sign < 0 ? FORWARD : BACKWARD);
    return c->norm == ORTHO ? 1.0 / sqrt((double)n) : has_factor ? 1.0 / (double)n : 1.0;
}

/* x <- s F x in place, sign as given. */
static poy_status transform(poy_ctx *ctx, int sign, double s, int64_t n, double *x)
{
    POYI_TRY(ctx, poyi_fft(ctx, sign, n, x));
    for (int64_t i = 0; i < 2 * n && s != 1.0; i++)
        x[i] *= s;
    return POY_OK;
}

/* to = first m elements of s F from, where from is f64 or c128 and shorter arrays are filled up with zeros; a real to
 * takes real parts. work: n elements. */
static poy_status transform_part(poy_ctx *ctx, int sign, double s, int64_t n, const poy_rec_array *from,
                                 const poy_rec_array *to, double *work)
{
    const int64_t n_from = poy_rec_count(&from->spec), n_to = poy_rec_count(&to->spec);
    const poy_rec_array whole = {.spec = {.dtype = POY_C128, .rank = 1, .dims = {n}}, .data = work};
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(&whole, i, i < n_from ? poyi_rec_get(from, i) : 0.0);
    POYI_TRY(ctx, transform(ctx, sign, s, n, work));
    for (int64_t i = 0; i < n_to; i++)
        poyi_rec_put(to, i, poyi_rec_get(&whole, i));
    return POY_OK;
}

/* x [n], real = s F of the Hermitian extension of y [n/2 + 1]. */
static poy_status from_half(poy_ctx *ctx, int sign, double s, const poy_rec_array *y, const poy_rec_array *x,
                            double *work)
{
    const int64_t n = x->spec.dims[0];
    const poy_rec_array whole = {.spec = {.dtype = POY_C128, .rank = 1, .dims = {n}}, .data = work};
    for (int64_t k = 0; 2 * k <= n; k++) {
        const z v = poyi_rec_get(y, k);
        const int own_mirror = k == 0 || 2 * k == n;
        poyi_rec_put(&whole, k, own_mirror ? creal(v) : v);
        if (!own_mirror)
            poyi_rec_put(&whole, n - k, conj(v));
    }
    POYI_TRY(ctx, transform(ctx, sign, s, n, work));
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(x, i, poyi_rec_get(&whole, i));
    return POY_OK;
}

/* The adjoint of from_half. */
static poy_status to_half(poy_ctx *ctx, int sign, double s, const poy_rec_array *g, const poy_rec_array *gy,
                          double *work)
{
    const int64_t n = g->spec.dims[0];
    POYI_TRY(ctx, transform_part(ctx, -sign, s, n, g, gy, work));
    for (int64_t k = 0; 2 * k <= n; k++) {
        const z v = poyi_rec_get(gy, k);
        poyi_rec_put(gy, k, k == 0 || 2 * k == n ? creal(v) : 2.0 * v);
    }
    return POY_OK;
}

static poy_status apply(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *x, const poy_rec_array *y)
{
    const config *c = item->config;
    const int64_t n = c->kind == COMPLEX_TO_REAL ? y->spec.dims[0] : x->spec.dims[0];
    if (c->kind == COMPLEX_TO_REAL)
        return from_half(ctx, c->sign, scale(c, n), x, y, item->scratch);
    return transform_part(ctx, c->sign, scale(c, n), n, x, y, item->scratch);
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    return apply(ctx, item, &item->in[0], &item->out[0]);
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    return apply(ctx, item, tan, out_tan);
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const config *c = item->config;
    const int64_t n = c->kind == COMPLEX_TO_REAL ? cot->spec.dims[0] : grad->spec.dims[0];
    if (c->kind == COMPLEX_TO_REAL)
        return to_half(ctx, c->sign, scale(c, n), cot, grad, item->scratch);
    return transform_part(ctx, -c->sign, scale(c, n), n, cot, grad, item->scratch);
}

static const poy_rec_example fft_examples[] = {{"", "c128[8]"},
                                               {"norm=ortho", "c128[15]"},
                                               {"direction=backward", "c128[12]"},
                                               {"direction=forward;norm=forward", "c128[7]"},
                                               {"", "f64[6]"}};
static const poy_rec_example rfft_examples[] = {{"", "f64[8]"}, {"norm=ortho", "f64[15]"}, {"norm=forward", "f64[1]"}};
static const poy_rec_example irfft_examples[] = {
    {"", "c128[5]"}, {"norm=ortho;n=9", "c128[5]"}, {"norm=forward;n=8", "c128[5]"}, {"n=1", "c128[1]"}};

#define FOURIER(f, k, options_of_it)                                                                \
    const poy_rec_op poyi_record_##f = {.state_version = 1,                                         \
                                        .options = options[k],                                      \
                                        .n_options = options_of_it,                                 \
                                        .examples = f##_examples,                                   \
                                        .n_examples = sizeof f##_examples / sizeof f##_examples[0], \
                                        .user = &kinds[k],                                          \
                                        .open = open,                                               \
                                        .close = free,                                              \
                                        .infer = infer,                                             \
                                        .evaluate = evaluate,                                       \
                                        .pullback = pullback,                                       \
                                        .pushforward = pushforward}

FOURIER(fft, 0, 2);
FOURIER(rfft, 1, 1);
FOURIER(irfft, 2, 2);

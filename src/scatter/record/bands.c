/* bands.c: records of what repeats along its normal: the transfer matrix of a cell, and its Bloch waves. */
#include <stdlib.h>

#include "record/eigen.h"
#include "record/lapack.h"
#include "scatter/record/common.h"
#include "scatter/stack/bands.h"

static size_t ports_of(const poy_rec_item *item)
{
    return poyi_extent(item, 0, 2);
}

/* ---- smatrix_periodic: smats ---- */

/* State: factors of S11. Scratch: it, where none is wanted, and six blocks. */
static poy_status infer_transfer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                 poy_rec_size *size)
{
    const int64_t n = in[0].dims[2];
    (void)config;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "smatrix_periodic", 2 * n));
    out->dims[0] = out->dims[1] = 2 * n;
    size->state = (size_t)(n * n) * sizeof(poy_c128) + ((size_t)n * sizeof(int32_t) + 7) / 8 * 8;
    size->scratch = size->state + 6 * (size_t)(n * n) * sizeof(poy_c128);
    return POY_OK;
}

/* Work, and behind it scratch, are in front of a state. */
static poyi_transfer transfer_of(const poy_rec_item *item, const void *state)
{
    const size_t n = ports_of(item);
    poy_c128 *work = item->scratch;
    const void *place = state ? state : work + 6 * n * n;
    poyi_transfer t = {.n = n, .blocks = item->in[0].data, .work = work};
    memcpy(&t.lu, &place, sizeof place); /* the pointer, without const */
    t.pivots = (int32_t *)(void *)(t.lu + n * n);
    return t;
}

static poy_status evaluate_transfer(poy_ctx *ctx, const poy_rec_item *item)
{
    const poyi_transfer t = transfer_of(item, item->state);
    POYI_TRY(ctx, poyi_rec_finite(ctx, "smatrix_periodic", "smats", &item->in[0]));
    POYI_TRY(ctx, poyi_transfer_solve(ctx, &t, item->out[0].data));
    return POY_OK;
}

static poy_status pull_transfer(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    const poyi_transfer t = transfer_of(item, item->saved);
    (void)ctx;
    poyi_transfer_pull(&t, item->out[0].data, cot[0].data, grad[0].data, t.work + 2 * t.n * t.n);
    return POY_OK;
}

static poy_status push_transfer(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    const poyi_transfer t = transfer_of(item, item->saved);
    (void)ctx;
    poyi_transfer_push(&t, item->out[0].data, tan[0].data, out_tan[0].data);
    return POY_OK;
}

/* Blocks that pass what comes and reflect little: each port in its own way. */
static void sample_blocks(uint64_t seed, const poy_rec_array *in)
{
    const int64_t n = in[0].spec.dims[2];
    poyi_sample_ranges(seed, 1, (const poyi_range[]){{-0.2, 0.2, -0.2, 0.2, 0.0}}, in);
    for (int64_t block = 0; block < 4; block += 3)
        for (int64_t i = 0; i < n; i++) {
            const int64_t at = (block * n + i) * n + i;
            const double turn = 0.6 * (double)(i + 1);
            poyi_rec_put(&in[0], at, poyi_rec_get(&in[0], at) + CMPLX(0.9 * cos(turn), 0.9 * sin(turn)));
        }
}

static poy_status sample_transfer(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    sample_blocks(seed, in);
    return POY_OK;
}

static const poy_rec_example transfer_examples[] = {{"", "c128[2,2,3,3]"}, {"", "c128[2,2,1,1]"}};
const poy_rec_op poyi_record_smatrix_periodic = {.state_version = 1,
                                                 .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                                 POYI_EXAMPLES(transfer_examples),
                                                 .infer = infer_transfer,
                                                 .evaluate = evaluate_transfer,
                                                 .pullback = pull_transfer,
                                                 .pushforward = push_transfer,
                                                 .sample = sample_transfer};

/* ---- bands: smats, period -> kz, vectors ---- */

/* The state of m = 2 ports eigenvalues: that of the eigenvectors; K; factors of its equations; mu; sigma; places; pivots. */
typedef struct bands {
    size_t m;
    void *eigen;
    poy_c128 *k, *lu, *mu, *sigma;
    int64_t *place; /* of wave i among mu */
    int32_t *pivots;
} bands;

static size_t bands_bytes(size_t m)
{
    return (poyi_eigen_state_bytes((int64_t)m) + 7) / 8 * 8 + (2 * m * m + m + 1) * sizeof(poy_c128) +
           m * sizeof(int64_t) + (m * sizeof(int32_t) + 7) / 8 * 8;
}

static bands bands_in(size_t m, const void *state)
{
    bands b = {.m = m};
    memcpy(&b.eigen, &state, sizeof state); /* the pointer, without const */
    b.k = (poy_c128 *)(void *)((unsigned char *)b.eigen + (poyi_eigen_state_bytes((int64_t)m) + 7) / 8 * 8);
    b.lu = b.k + m * m;
    b.mu = b.lu + m * m;
    b.sigma = b.mu + m;
    b.place = (int64_t *)(void *)(b.sigma + 1);
    b.pivots = (int32_t *)(void *)(b.place + m);
    return b;
}

/* Scratch: a state; two matrices for derivatives; vectors, or a matrix; eigenvalues or waves; what the eigenvectors need. */
static poy_status infer_bands(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                              poy_rec_size *size)
{
    const size_t m = 2 * (size_t)in[0].dims[2];
    (void)config;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "bands", (int64_t)m));
    out[0].dims[0] = out[1].dims[0] = out[1].dims[1] = (int64_t)m;
    size->state = bands_bytes(m);
    size->scratch = size->state + (4 * m * m + 5 * m) * sizeof(poy_c128) + 64 + poyi_eigen_scratch_bytes((int64_t)m);
    return POY_OK;
}

typedef struct scratch {
    poy_c128 *two, *matrix, *vectors, *values;
    void *eigen;
} scratch;

static scratch scratch_of(const poy_rec_item *item, size_t m)
{
    scratch s = {.two = (poy_c128 *)(void *)((unsigned char *)item->scratch + bands_bytes(m))};
    s.matrix = s.two + 2 * m * m;
    s.vectors = s.matrix + m * m;
    s.values = s.vectors + m * m;
    const uintptr_t end = (uintptr_t)(s.values + 5 * m);
    s.eigen = (unsigned char *)(s.values + 5 * m) + (64 - end % 64) % 64;
    return s;
}

static poy_status evaluate_bands(poy_ctx *ctx, const poy_rec_item *item)
{
    const size_t m = 2 * ports_of(item);
    const bands b = bands_in(m, item->state ? item->state : item->scratch);
    const scratch s = scratch_of(item, m);
    const double period = *poyi_real(item->in, 1);
    poyi_bloch_wave *waves = (poyi_bloch_wave *)(void *)s.values;
    if (!(period > 0.0) || !isfinite(period))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "bands: the period %g, needs a finite length above 0", period);
    POYI_TRY(ctx, poyi_rec_finite(ctx, "bands", "smats", &item->in[0]));
    *b.sigma = poyi_pair(poyi_bands_operator(m / 2, item->in[0].data, b.lu, b.pivots, b.k, s.two));
    POYI_TRY(ctx,
             poyi_eigen_solve(ctx, "bands", (int64_t)m, b.k, b.mu, s.vectors, item->state ? b.eigen : NULL, s.eigen));
    poyi_bands_sort(m, b.mu, poyi_c(*b.sigma), period, waves);
    for (size_t i = 0; i < m; i++) {
        b.place[i] = (int64_t)waves[i].index;
        poyi_complex(item->out, 0)[i] = waves[i].kz;
        for (size_t row = 0; row < m; row++)
            poyi_complex(item->out, 1)[row * m + i] = s.vectors[row * m + waves[i].index];
    }
    return POY_OK;
}

/* d kz / d mu = i / (period mu (1 + sigma mu)). Errors: POY_ERR_NOT_DIFFERENTIABLE where that is beyond. */
static poy_status slope(poy_ctx *ctx, const bands *b, size_t wave, double period, double complex *out)
{
    const double complex mu = poyi_c(b->mu[b->place[wave]]), below = mu * (1.0 + poyi_c(*b->sigma) * mu);
    *out = CMPLX(0.0, 1.0) / (period * below);
    if (below == 0.0 || !isfinite(creal(*out)) || !isfinite(cimag(*out)))
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                         "bands: wave %zu does not pass the cell at all: its kz is infinite and has no derivative",
                         wave);
    return POY_OK;
}

static poy_status pull_bands(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    const size_t m = 2 * ports_of(item);
    const bands b = bands_in(m, item->saved);
    const scratch s = scratch_of(item, m);
    const poy_c128 *g_kz = cot[0].data, *g_vectors = cot[1].data, *kz = item->out[0].data;
    const double period = *poyi_real(item->in, 1);
    double by_period = 0.0;
    for (size_t i = 0; i < m; i++) {
        const size_t at = (size_t)b.place[i];
        double complex by = 0.0;
        if (g_kz && (g_kz[i].re != 0.0 || g_kz[i].im != 0.0)) {
            POYI_TRY(ctx, slope(ctx, &b, i, period, &by));
            by_period -= creal(conj(poyi_c(g_kz[i])) * poyi_c(kz[i])) / period;
            by = conj(by) * poyi_c(g_kz[i]);
        }
        s.values[at] = poyi_pair(by);
        for (size_t row = 0; g_vectors && row < m; row++)
            s.vectors[row * m + at] = g_vectors[row * m + i];
    }
    if (grad[1].data)
        *poyi_real(grad, 1) = by_period;
    if (!grad[0].data)
        return POY_OK;
    POYI_TRY(ctx, poyi_eigen_pull(ctx, "bands", (int64_t)m, b.eigen, g_kz ? s.values : NULL,
                                  g_vectors ? s.vectors : NULL, s.matrix, s.eigen));
    poyi_bands_pull(m / 2, poyi_c(*b.sigma), b.lu, b.pivots, b.k, s.matrix, grad[0].data, s.two);
    return POY_OK;
}

static poy_status push_bands(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    const size_t m = 2 * ports_of(item);
    const bands b = bands_in(m, item->saved);
    const scratch s = scratch_of(item, m);
    const poy_c128 *kz = item->out[0].data;
    const double period = *poyi_real(item->in, 1), d_period = tan[1].data ? *poyi_real(tan, 1) : 0.0;
    poyi_clear(&out_tan[1]);
    memset(s.values, 0, m * sizeof *s.values);
    if (tan[0].data) {
        poyi_bands_push(m / 2, poyi_c(*b.sigma), b.lu, b.pivots, b.k, tan[0].data, s.matrix, s.two);
        POYI_TRY(ctx, poyi_eigen_push(ctx, "bands", (int64_t)m, b.eigen, s.matrix, s.values, s.vectors, s.eigen));
        for (size_t i = 0; i < m; i++)
            for (size_t row = 0; row < m; row++)
                poyi_complex(out_tan, 1)[row * m + i] = s.vectors[row * m + (size_t)b.place[i]];
    }
    for (size_t i = 0; i < m; i++) {
        const double complex d_mu = poyi_c(s.values[b.place[i]]);
        double complex by = 0.0;
        if (d_mu != 0.0 || d_period != 0.0)
            POYI_TRY(ctx, slope(ctx, &b, i, period, &by));
        poyi_complex(out_tan, 0)[i] =
            poyi_pair(by * d_mu - (d_period != 0.0 ? poyi_c(kz[i]) * d_period / period : 0.0));
    }
    return POY_OK;
}

static poy_status sample_bands(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    sample_blocks(seed, in);
    poyi_sample_ranges(seed, 1, (const poyi_range[]){{0.6, 1.2, 0.0, 0.0, 0.0}}, &in[1]);
    return POY_OK;
}

static const poy_rec_example bands_examples[] = {{"", "c128[2,2,2,2] f64[]"}, {"", "c128[2,2,1,1] f64[]"}};
const poy_rec_op poyi_record_bands = {.state_version = 1,
                                      .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                      POYI_EXAMPLES(bands_examples),
                                      .infer = infer_bands,
                                      .evaluate = evaluate_bands,
                                      .pullback = pull_bands,
                                      .pushforward = push_bands,
                                      .sample = sample_bands};

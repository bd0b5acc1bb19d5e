/* metric.c: records of what a T-matrix scatters and how it tells left from right: powers of one wave, their mean over all waves, and
 * metrics of handedness. */
#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/cluster/handedness.h"
#include "scatter/cluster/power.h"
#include "scatter/record/common.h"
#include "scatter/waves/diff.h"

/* ---- cross_sections: T, incident, ks, positions, modes, axial; scattered_cross_sections: scattered for T ---- */

enum { MATRIX, INCIDENT, KS, POSITIONS, MODES, AXIAL };
enum { WAVES, POLTYPE, FLUX, POWER_OPTIONS };

/* A call: the basis, p, C p, and scratch. */
typedef struct powers {
    poy_basis *basis;
    size_t n;
    int has_matrix;
    poyi_power power;
    poyi_expansion overlap;
    poy_c128 *p, *weighted, *g_p, *g_a, *matrix; /* [n], and [n][n] where there are several origins */
    void *memory;
} powers;

static void close_powers(powers *x)
{
    poyi_free(&x->memory);
    poy_basis_destroy(&x->basis);
}

static int is_single(const powers *x)
{
    return poy_basis_is_global(x->basis);
}

static void times(char op, const powers *x, const poy_c128 *m, const poy_c128 *v, double beta, poy_c128 *out)
{
    poyi_gemm(POY_C128, op, 'n', (int64_t)x->n, 1, (int64_t)x->n, 1.0, m, v, beta, out);
}

static poy_status weigh(poy_ctx *ctx, powers *x)
{
    if (is_single(x)) {
        memcpy(x->weighted, x->p, x->n * sizeof *x->weighted);
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_expansion_value(ctx, &x->overlap, x->matrix));
    times('n', x, x->matrix, x->p, 0.0, x->weighted);
    return POY_OK;
}

static poy_status open_powers(poy_ctx *ctx, const poy_rec_item *item, powers *x)
{
    poy_status status;
    const poy_rec_array *in = item->in;
    const double *ks = in[KS].data, flux = ((const poyi_choices *)item->config)->real[FLUX];
    *x = (powers){.n = poyi_extent(item, INCIDENT, 0), .has_matrix = in[MATRIX].spec.rank == 2};
    if (!(flux > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cross_sections: flux = %g, needs a number above 0", flux);
    POYI_TRY(ctx, poyi_real_ks(ctx, "cross_sections", ks));
    for (int i = MATRIX; i <= INCIDENT; i++)
        POYI_TRY(ctx, poyi_rec_finite(ctx, "cross_sections", i ? "incident" : "T or scattered", &in[i]));
    POYI_TO_DONE(ctx, poyi_record_basis(ctx, "cross_sections", (int)poyi_choice(item->config, WAVES), &in[MODES],
                                        &in[AXIAL], &in[POSITIONS], &x->basis));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.record",
                                 (4 * x->n + (is_single(x) ? 1 : x->n * x->n)) * sizeof(poy_c128), &x->memory));
    x->p = x->memory;
    x->weighted = x->p + x->n;
    x->g_p = x->weighted + x->n;
    x->g_a = x->g_p + x->n;
    x->matrix = x->g_a + x->n;
    if (x->has_matrix)
        times('n', x, in[MATRIX].data, in[INCIDENT].data, 0.0, x->p);
    else
        memcpy(x->p, in[MATRIX].data, x->n * sizeof *x->p);
    x->overlap = (poyi_expansion){.destination = x->basis,
                                  .source = x->basis,
                                  .ks = {{ks[0], 0.0}, {ks[1], 0.0}},
                                  .poltype = poyi_choice(item->config, POLTYPE) ? POY_PARITY : POY_HELICITY};
    x->power = (poyi_power){.basis = x->basis,
                            .ks = {ks[0], ks[1]},
                            .scale = poyi_power_scale(x->basis, flux),
                            .incident = in[INCIDENT].data,
                            .scattered = x->p,
                            .weighted = x->weighted};
    POYI_TO_DONE(ctx, weigh(ctx, x));
done:
    if (status != POY_OK)
        close_powers(x);
    return status;
}

static poy_status evaluate_powers(poy_ctx *ctx, const poy_rec_item *item)
{
    powers x;
    double sums[2];
    POYI_TRY(ctx, open_powers(ctx, item, &x));
    poyi_power_sums(&x.power, sums);
    *poyi_real(item->out, 0) = sums[0];
    *poyi_real(item->out, 1) = sums[1];
    close_powers(&x);
    return POY_OK;
}

/* Through C to positions and wavenumbers. */
static poy_status pull_overlap(poy_ctx *ctx, powers *x, double g, double *g_positions, double g_ks[2])
{
    poy_status status;
    void *memory = NULL;
    poy_c128 ks[2];
    const size_t count = 3 * x->basis->n_positions;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.record", 2 * count * sizeof(double), &memory));
    double *to = memory, *from = to + count;
    const poyi_expansion_inputs into = {.destination = to, .source = from, .ks = ks};
    poyi_power_pull_overlap(&x->power, g, x->matrix);
    POYI_TO_DONE(ctx, poyi_expansion_pullback(ctx, &x->overlap, x->matrix, &into));
    for (size_t i = 0; g_positions && i < count; i++)
        g_positions[i] = to[i] + from[i];
    g_ks[0] += ks[0].re;
    g_ks[1] += ks[1].re;
done:
    poyi_free(&memory);
    return status;
}

static poy_status pull_powers(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                              const poy_rec_array *grad)
{
    poy_status status = POY_OK;
    powers x;
    double g_ks[2] = {0.0, 0.0};
    const double g_out[2] = {cot[0].data ? *poyi_real(cot, 0) : 0.0, cot[1].data ? *poyi_real(cot, 1) : 0.0};
    POYI_TRY(ctx, open_powers(ctx, item, &x));
    poyi_power_pull(&x.power, g_out, x.g_p, x.g_a, g_ks);
    poyi_clear(&grad[POSITIONS]);
    poyi_clear(&grad[AXIAL]);
    if (!is_single(&x))
        POYI_TO_DONE(ctx, pull_overlap(ctx, &x, g_out[0], grad[POSITIONS].data, g_ks));
    if (grad[KS].data)
        memcpy(grad[KS].data, g_ks, sizeof g_ks);
    if (x.has_matrix)
        times('c', &x, item->in[MATRIX].data, x.g_p, 1.0, x.g_a);
    if (grad[INCIDENT].data)
        memcpy(grad[INCIDENT].data, x.g_a, x.n * sizeof *x.g_a);
    if (grad[MATRIX].data && x.has_matrix)
        poyi_gemm(POY_C128, 'n', 'c', (int64_t)x.n, (int64_t)x.n, 1, 1.0, x.g_p, item->in[INCIDENT].data, 0.0,
                  grad[MATRIX].data);
    else if (grad[MATRIX].data)
        memcpy(grad[MATRIX].data, x.g_p, x.n * sizeof *x.g_p);
done:
    close_powers(&x);
    return status;
}

static poy_status push_powers(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    poy_status status = POY_OK;
    powers x;
    double d_out[2];
    const double *d_ks = tan[KS].data;
    POYI_TRY(ctx, open_powers(ctx, item, &x));
    memset(x.g_p, 0, 2 * x.n * sizeof *x.g_p); /* dp, and dC p in g_a */
    if (tan[MATRIX].data && !x.has_matrix)
        memcpy(x.g_p, tan[MATRIX].data, x.n * sizeof *x.g_p);
    if (tan[MATRIX].data && x.has_matrix)
        times('n', &x, tan[MATRIX].data, item->in[INCIDENT].data, 1.0, x.g_p);
    if (tan[INCIDENT].data && x.has_matrix)
        times('n', &x, item->in[MATRIX].data, tan[INCIDENT].data, 1.0, x.g_p);
    if (!is_single(&x) && (d_ks || tan[POSITIONS].data)) {
        poy_c128 ks[2] = {{d_ks ? d_ks[0] : 0.0, 0.0}, {d_ks ? d_ks[1] : 0.0, 0.0}};
        const poyi_expansion_inputs d = {
            .destination = tan[POSITIONS].data, .source = tan[POSITIONS].data, .ks = d_ks ? ks : NULL};
        POYI_TO_DONE(ctx, poyi_expansion_pushforward(ctx, &x.overlap, &d, x.matrix));
        times('n', &x, x.matrix, x.p, 0.0, x.g_a);
    }
    poyi_power_push(&x.power, x.g_p, tan[INCIDENT].data, d_ks, x.g_a, d_out);
    *poyi_real(out_tan, 0) = d_out[0];
    *poyi_real(out_tan, 1) = d_out[1];
done:
    close_powers(&x);
    return status;
}

static poy_status sample_powers(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range one = {-1.0, 1.0, -1.0, 1.0, 0.0};
    const poyi_range ranges[6] = {one,
                                  one,
                                  {0.9, 1.4, 0.0, 0.0, 0.0},
                                  {-0.6, 0.6, 0.0, 0.0, 0.0},
                                  {0.0, 0.0, 0.0, 0.0, 0.0},
                                  {0.1, 0.3, 0.0, 0.0, 0.3}};
    (void)ctx;
    poyi_sample_ranges(seed, 6, ranges, in);
    if (poyi_choice(config, WAVES))
        poyi_sample_axial_modes(in[POSITIONS].spec.dims[0], in[AXIAL].spec.dims[0], &in[MODES]);
    else
        poyi_sample_modes(in[POSITIONS].spec.dims[0], &in[MODES]);
    return POY_OK;
}

static const poy_rec_option power_options[POWER_OPTIONS] = {
    POYI_OPTION_WAVES, POYI_OPTION_POLTYPE, {"flux", POY_REC_REAL, NULL, "0.5", "of the incident wave"}};
static const poy_rec_example matrix_examples[] = {
    {"", "c128[6,6] c128[6] f64[2] f64[1,3] f64[6,4] f64[0]"},
    {"flux=0.25", "c128[12,12] c128[12] f64[2] f64[2,3] f64[12,4] f64[0]"},
    {"waves=cylindrical", "c128[6,6] f64[6] f64[2] f64[1,3] f64[6,4] f64[1]"}};
static const poy_rec_example column_examples[] = {
    {"", "c128[12] c128[12] f64[2] f64[2,3] f64[12,4] f64[0]"},
    {"waves=cylindrical", "c128[6] c128[6] f64[2] f64[1,3] f64[6,4] f64[1]"}};

#define POWERS(of, list)                                                \
    const poy_rec_op poyi_record_##of = {.state_version = 1,            \
                                         .flags = POY_REC_NEEDS_INPUTS, \
                                         POYI_CHOICES(power_options),   \
                                         POYI_EXAMPLES(list),           \
                                         .evaluate = evaluate_powers,   \
                                         .pullback = pull_powers,       \
                                         .pushforward = push_powers,    \
                                         .sample = sample_powers}
POWERS(cross_sections, matrix_examples);
POWERS(scattered_cross_sections, column_examples);
#undef POWERS

/* ---- tmatrix_metric: T, ks, pols ---- */

/* State: the gradient by T [n][n], by ks [2], and whether there is one. */
static poy_status infer_metric(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                               poy_rec_size *size)
{
    (void)config, (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "tmatrix_metric", in[0].dims[0]));
    size->state = poy_rec_bytes(&in[0]) + 3 * sizeof(double);
    size->scratch = 2 * (size_t)in[0].dims[0] * sizeof(double);
    return POY_OK;
}

static const double *after_gradient(const poy_rec_item *item)
{
    return (const double *)item->saved + poy_rec_bytes(&item->in[0].spec) / sizeof(double);
}

static poy_status evaluate_metric(poy_ctx *ctx, const poy_rec_item *item)
{
    void *pols = NULL;
    const size_t n = poyi_extent(item, 0, 0);
    const double *ks = item->in[1].data;
    double *weight = item->scratch, *g_weight = weight + n, *tail;
    int smooth = 1;
    POYI_TRY(ctx, poyi_real_ks(ctx, "tmatrix_metric", ks));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "tmatrix_metric", "T", &item->in[0]));
    POYI_TRY(ctx, poyi_pols(ctx, "tmatrix_metric", &item->in[2], &pols));
    for (size_t i = 0; i < n; i++)
        weight[i] = 1.0 / (ks[((const int *)pols)[i]] * ks[((const int *)pols)[i]]);
    const poyi_metric_call call = {(poyi_metric)poyi_choice(item->config, 0), n, item->in[0].data, pols, weight};
    const poy_status status = poyi_metric_value(ctx, &call, item->out[0].data, item->state,
                                                item->state ? g_weight : NULL, item->state ? &smooth : NULL);
    if (status == POY_OK && item->state) {
        tail = (double *)item->state + 2 * n * n;
        tail[2] = smooth;
        for (size_t i = 0; i < n; i++)
            tail[call.pol[i]] -= 2.0 * g_weight[i] * weight[i] / ks[call.pol[i]];
    }
    poyi_free(&pols);
    return status;
}

static poy_status need_smooth(poy_ctx *ctx, const poy_rec_item *item, int moves)
{
    if (moves && after_gradient(item)[2] == 0.0)
        return POYI_FAIL(
            ctx, POY_ERR_NOT_DIFFERENTIABLE,
            "tmatrix_metric: chirality has no derivative here: it is 0, or singular values that are 0 or the "
            "same have different parts in it");
    return POY_OK;
}

static poy_status pull_metric(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                              const poy_rec_array *grad)
{
    const poy_c128 *g = item->saved;
    const double *tail = after_gradient(item), by = *poyi_real(cot, 0);
    POYI_TRY(ctx, need_smooth(ctx, item, by != 0.0));
    for (int64_t i = 0; grad[0].data && i < poy_rec_count(&grad[0].spec); i++)
        poyi_complex(grad, 0)[i] = (poy_c128){by * g[i].re, by * g[i].im};
    for (int i = 0; grad[1].data && i < 2; i++)
        poyi_real(grad, 1)[i] = by * tail[i];
    return POY_OK;
}

static poy_status push_metric(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const poy_c128 *g = item->saved, *d = tan[0].data;
    const double *tail = after_gradient(item);
    double sum = 0.0;
    int moves = 0;
    for (int64_t i = 0; d && i < poy_rec_count(&tan[0].spec); i++) {
        moves |= d[i].re != 0.0 || d[i].im != 0.0;
        sum += g[i].re * d[i].re + g[i].im * d[i].im;
    }
    POYI_TRY(ctx, need_smooth(ctx, item, moves));
    for (int i = 0; tan[1].data && i < 2; i++)
        sum += tail[i] * poyi_real(tan, 1)[i];
    *poyi_real(out_tan, 0) = sum;
    return POY_OK;
}

static poy_status sample_metric(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[2] = {{-1.0, 1.0, -1.0, 1.0, 0.0}, {0.9, 1.4, 0.0, 0.0, 0.0}};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 2, ranges, in);
    for (int64_t i = 0; i < in[2].spec.dims[0]; i++)
        poyi_real(in, 2)[i] = (double)((i + 1) % 2);
    return POY_OK;
}

/* In the order of poyi_metric. */
static const poy_rec_option metric_options[] = {
    {"metric", POY_REC_WORD, "cd|db|chi", NULL, "circular dichroism, duality breaking, electromagnetic chirality"}};
static const poy_rec_example metric_examples[] = {{"metric=cd", "c128[6,6] f64[2] f64[6]"},
                                                  {"metric=db", "c128[6,6] f64[2] f64[6]"},
                                                  {"metric=chi", "c128[6,6] f64[2] f64[6]"},
                                                  {"metric=chi", "f64[5,5] f64[2] f64[5]"}};
const poy_rec_op poyi_record_tmatrix_metric = {.state_version = 1,
                                               POYI_CHOICES(metric_options),
                                               POYI_EXAMPLES(metric_examples),
                                               .infer = infer_metric,
                                               .evaluate = evaluate_metric,
                                               .pullback = pull_metric,
                                               .pushforward = push_metric,
                                               .sample = sample_metric};

/* ---- average_cross_sections: T, ks, modes, axial ---- */

static const double pi = 3.14159265358979323846;

/* Weights of the rows, with the factor of all. */
static poy_status average_call(poy_ctx *ctx, const poy_rec_item *item, poy_basis **basis, poyi_power *x)
{
    const double *ks = item->in[1].data;
    const int cylindrical = (int)poyi_choice(item->config, 0);
    const int64_t n_kz = item->in[3].spec.dims[0];
    POYI_TRY(ctx, poyi_real_ks(ctx, "average_cross_sections", ks));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "average_cross_sections", "T", &item->in[0]));
    POYI_TRY(ctx,
             poyi_record_basis(ctx, "average_cross_sections", cylindrical, &item->in[2], &item->in[3], NULL, basis));
    *x = (poyi_power){
        .basis = *basis, .ks = {ks[0], ks[1]}, .scale = cylindrical ? 2.0 / (double)(n_kz ? n_kz : 1) : 2.0 * pi};
    if (poy_basis_is_global(*basis))
        return POY_OK;
    poy_basis_destroy(basis);
    return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                     "average_cross_sections: the T-matrix has several origins; put it in waves of one first");
}

/* extinction = -sum w_i Re T_ii, scattering = sum w_i sum_j |T_ij|^2, by pol of the rows. */
static void average_sums(const poyi_power *x, size_t n, const poy_c128 *t, double out[2][2])
{
    memset(out, 0, 4 * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        const double w = x->scale * poyi_power_of(x, i);
        double row = 0.0;
        for (size_t j = 0; j < n; j++)
            row += t[i * n + j].re * t[i * n + j].re + t[i * n + j].im * t[i * n + j].im;
        out[x->basis->modes[i].pol][0] += w * row;
        out[x->basis->modes[i].pol][1] -= w * t[i * n + i].re;
    }
}

static double average_rate(const poyi_power *x, int pol)
{
    return (x->basis->kind == POY_BASIS_SPHERICAL ? -2.0 : -1.0) / x->ks[pol];
}

static poy_status evaluate_average(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_basis *basis = NULL;
    poyi_power x;
    double sums[2][2];
    POYI_TRY(ctx, average_call(ctx, item, &basis, &x));
    average_sums(&x, basis->size, item->in[0].data, sums);
    for (int k = 0; k < 2; k++)
        *poyi_real(item->out, k) = sums[0][k] + sums[1][k];
    poy_basis_destroy(&basis);
    return POY_OK;
}

static poy_status pull_average(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    poy_basis *basis = NULL;
    poyi_power x;
    double sums[2][2];
    const double gs = cot[0].data ? *poyi_real(cot, 0) : 0.0, ge = cot[1].data ? *poyi_real(cot, 1) : 0.0;
    const poy_c128 *t = item->in[0].data;
    poy_c128 *g = grad[0].data;
    POYI_TRY(ctx, average_call(ctx, item, &basis, &x));
    const size_t n = basis->size;
    for (size_t i = 0; g && i < n; i++) {
        const double w = x.scale * poyi_power_of(&x, i);
        for (size_t j = 0; j < n; j++)
            g[i * n + j] = (poy_c128){2.0 * gs * w * t[i * n + j].re, 2.0 * gs * w * t[i * n + j].im};
        g[i * n + i].re -= ge * w;
    }
    average_sums(&x, n, t, sums);
    for (int pol = 0; grad[1].data && pol < 2; pol++)
        poyi_real(grad, 1)[pol] = average_rate(&x, pol) * (gs * sums[pol][0] + ge * sums[pol][1]);
    poyi_clear(&grad[3]);
    poy_basis_destroy(&basis);
    return POY_OK;
}

static poy_status push_average(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    poy_basis *basis = NULL;
    poyi_power x;
    double sums[2][2], d_out[2] = {0.0, 0.0};
    const poy_c128 *t = item->in[0].data, *d = tan[0].data;
    const double *d_ks = tan[1].data;
    POYI_TRY(ctx, average_call(ctx, item, &basis, &x));
    const size_t n = basis->size;
    average_sums(&x, n, t, sums);
    for (int pol = 0; d_ks && pol < 2; pol++)
        for (int k = 0; k < 2; k++)
            d_out[k] += average_rate(&x, pol) * d_ks[pol] * sums[pol][k];
    for (size_t i = 0; d && i < n; i++) {
        const double w = x.scale * poyi_power_of(&x, i);
        for (size_t j = 0; j < n; j++)
            d_out[0] += 2.0 * w * (t[i * n + j].re * d[i * n + j].re + t[i * n + j].im * d[i * n + j].im);
        d_out[1] -= w * d[i * n + i].re;
    }
    for (int k = 0; k < 2; k++)
        *poyi_real(out_tan, k) = d_out[k];
    poy_basis_destroy(&basis);
    return POY_OK;
}

static poy_status sample_average(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[4] = {
        {-1.0, 1.0, -1.0, 1.0, 0.0}, {0.9, 1.4, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, {0.1, 0.3, 0.0, 0.0, 0.3}};
    (void)ctx;
    poyi_sample_ranges(seed, 4, ranges, in);
    if (poyi_choice(config, 0))
        poyi_sample_axial_modes(1, in[3].spec.dims[0], &in[2]);
    else
        poyi_sample_modes(1, &in[2]);
    return POY_OK;
}

static const poy_rec_option average_options[] = {POYI_OPTION_WAVES};
static const poy_rec_example average_examples[] = {{"", "c128[6,6] f64[2] f64[6,4] f64[0]"},
                                                   {"waves=cylindrical", "c128[6,6] f64[2] f64[6,4] f64[1]"}};
const poy_rec_op poyi_record_average_cross_sections = {.state_version = 1,
                                                       .flags = POY_REC_NEEDS_INPUTS,
                                                       POYI_CHOICES(average_options),
                                                       POYI_EXAMPLES(average_examples),
                                                       .evaluate = evaluate_average,
                                                       .pullback = pull_average,
                                                       .pushforward = push_average,
                                                       .sample = sample_average};

/* channels.c: records of how periodic multipoles meet plane waves, and of chains in cylindrical waves. They keep no state. */
#include <stdlib.h>

#include "scatter/record/axial.h"

static poy_poltype poltype_of(const void *config)
{
    return poyi_choice(config, 0) ? POY_PARITY : POY_HELICITY;
}

/* ---- spherical_channels: positions, ks, q, area, modes, pols; cylindrical_channels: positions, ks, kx, period, modes, pols, axial, kz.
 * With q or kx constant: ..._fixed. ---- */

enum { POSITIONS, KS, Q, MEASURE, MODES, POLS, AXIAL, KZ };

/* A call: of cylinders q = (kz, kx) with kz a label. */
typedef struct channels {
    poy_basis *basis;
    poyi_channels c;
    int cylindrical;
    double *q, *more; /* [2 n]: q; its gradient or tangent */
    void *pols, *memory;
} channels;
POYI_CALL_FITS(channels);

static void close_channels(void *call)
{
    channels *x = call;
    poyi_free(&x->memory);
    poyi_free(&x->pols);
    poy_basis_destroy(&x->basis);
}

static poy_status open_channels(poy_ctx *ctx, const poy_rec_item *item, void *call)
{
    channels *x = call;
    const poy_rec_array *in = item->in;
    const size_t n = poyi_extent(item, Q, 0);
    const double measure = *poyi_real(in, MEASURE);
    *x = (channels){.cylindrical = in[Q].spec.rank == 1};
    if (!isfinite(measure) || measure == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "channels: area or period %g, needs a finite number other than 0",
                         measure);
    POYI_TRY(ctx, poyi_pols(ctx, "channels", &in[POLS], &x->pols));
    POYI_TRY(ctx, poyi_record_basis(ctx, "channels", x->cylindrical, &in[MODES], x->cylindrical ? &in[AXIAL] : NULL,
                                    &in[POSITIONS], &x->basis));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.record", (4 * n + 1) * sizeof(double), &x->memory));
    x->q = x->memory;
    x->more = x->q + 2 * n;
    for (size_t i = 0; i < 2 * n; i++)
        x->q[i] = !x->cylindrical ? poyi_real(in, Q)[i] : poyi_real(in, i % 2 ? Q : KZ)[i / 2];
    const poy_c128 *ks = in[KS].data;
    x->c = (poyi_channels){.multipoles = x->basis,
                           .ks = {ks[0], ks[1]},
                           .n = n,
                           .q = x->q,
                           .pol = x->pols,
                           .measure = measure,
                           .poltype = poltype_of(item->config)};
    return POY_OK;
}

static poy_status value_channels(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    channels *x = call;
    (void)item;
    return poyi_channels_value(ctx, &x->c, out->data);
}

static poy_status pull_channels(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    channels *x = call;
    (void)item;
    const poyi_channels_inputs to = {grad[POSITIONS].data, grad[KS].data, grad[Q].data ? x->more : NULL,
                                     grad[MEASURE].data};
    const poy_status status = poyi_channels_pullback(ctx, &x->c, cot[0].data, &to);
    for (size_t i = 0; grad[Q].data && i < 2 * x->c.n; i++) {
        if (!x->cylindrical)
            poyi_real(grad, Q)[i] = x->more[i];
        else if (i % 2)
            poyi_real(grad, Q)[i / 2] = x->more[i];
    }
    return status;
}

static poy_status push_channels(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    channels *x = call;
    (void)item;
    for (size_t i = 0; tan[Q].data && i < 2 * x->c.n; i++)
        x->more[i] = !x->cylindrical ? poyi_real(tan, Q)[i] : i % 2 ? poyi_real(tan, Q)[i / 2] : 0.0;
    const poyi_channels_inputs d = {tan[POSITIONS].data, tan[KS].data, tan[Q].data ? x->more : NULL, tan[MEASURE].data};
    return poyi_channels_pushforward(ctx, &x->c, &d, out_tan[0].data);
}

static const poyi_range positions = {-0.4, 0.4, 0.0, 0.0, 0.0}, ks_range = {1.6, 2.0, 0.02, 0.1, 0.0},
                        measure = {1.2, 1.8, 0.0, 0.0, 0.0};

static void sample_common(const void *config, uint64_t seed, const poyi_range *q, const poy_rec_array *in)
{
    poyi_sample_ranges(seed, 4, (const poyi_range[]){positions, ks_range, *q, measure}, in);
    if (poltype_of(config) == POY_PARITY) /* which knows one wavenumber */
        poyi_complex(in, KS)[1] = poyi_complex(in, KS)[0];
    for (int64_t i = 0; i < in[POLS].spec.dims[0]; i++)
        poyi_real(in, POLS)[i] = (double)((i + 1) % 2);
}

static poy_status sample_spherical(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx;
    sample_common(config, seed, &(const poyi_range){0.2, 0.6, 0.0, 0.0, 0.0}, in);
    poyi_sample_modes(in[POSITIONS].spec.dims[0], &in[MODES]);
    return POY_OK;
}

/* Along the normal of the array, where directions have no derivative. */
static poy_status sample_normal(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx;
    sample_common(config, seed, &(const poyi_range){0.0, 0.0, 0.0, 0.0, 0.0}, in);
    poyi_sample_modes(in[POSITIONS].spec.dims[0], &in[MODES]);
    return POY_OK;
}

static poy_status sample_cylindrical(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx;
    sample_common(config, seed, &(const poyi_range){0.2, 0.6, 0.0, 0.0, 0.0}, in);
    const int64_t n_kz = in[AXIAL].spec.dims[0];
    for (int64_t i = 0; i < n_kz; i++)
        poyi_real(in, AXIAL)[i] = 0.3 + 0.4 * (double)i;
    for (int64_t i = 0; i < in[KZ].spec.dims[0]; i++)
        poyi_real(in, KZ)[i] = poyi_real(in, AXIAL)[i % n_kz];
    poyi_sample_axial_modes(in[POSITIONS].spec.dims[0], n_kz, &in[MODES]);
    return POY_OK;
}

static const poy_rec_option poltype_options[] = {POYI_OPTION_POLTYPE};
static const poyi_calls channels_calls = {sizeof poltype_options / sizeof poltype_options[0],
                                          open_channels,
                                          close_channels,
                                          value_channels,
                                          pull_channels,
                                          push_channels};
static const poy_rec_example spherical_examples[] = {{"", "f64[2,3] c128[2] f64[2,2] f64[] f64[12,4] f64[2]"},
                                                     {"", "f64[1,3] f64[2] f64[3,2] f64[] f64[6,4] f64[3]"}};
static const poy_rec_example cylindrical_examples[] = {
    {"", "f64[2,3] c128[2] f64[2] f64[] f64[24,4] f64[2] f64[2] f64[2]"},
    {"", "f64[1,3] c128[2] f64[3] f64[] f64[6,4] f64[3] f64[1] f64[3]"}};

#define CHANNELS(name, list, sampler)                                     \
    const poy_rec_op poyi_record_##name = {.state_version = 1,            \
                                           POYI_CALLS(channels_calls),    \
                                           POYI_OPTIONS(poltype_options), \
                                           POYI_EXAMPLES(list),           \
                                           .sample = sampler}
CHANNELS(spherical_channels, spherical_examples, sample_spherical);
CHANNELS(spherical_channels_fixed, spherical_examples, sample_normal);
CHANNELS(cylindrical_channels, cylindrical_examples, sample_cylindrical);
CHANNELS(cylindrical_channels_fixed, cylindrical_examples, sample_cylindrical);
#undef CHANNELS

/* ---- periodic_to_cw: destination, source, ks, axial, period, rows, columns ---- */

enum { CHAIN_DESTINATION, CHAIN_SOURCE, CHAIN_KS, CHAIN_AXIAL, PERIOD, CHAIN_ROWS, CHAIN_COLUMNS };

typedef struct chain {
    poy_basis *destination, *source;
    poyi_expansion e;
    poyi_axial axial;
} chain;
POYI_CALL_FITS(chain);

static void close_chain(void *call)
{
    chain *x = call;
    poyi_free(&x->axial.memory);
    poy_basis_destroy(&x->destination);
    poy_basis_destroy(&x->source);
}

static poy_status open_chain(poy_ctx *ctx, const poy_rec_item *item, void *call)
{
    chain *x = call;
    const poy_rec_array *in = item->in;
    const poy_c128 *ks = in[CHAIN_KS].data;
    POYI_TRY(ctx, poyi_record_basis(ctx, "periodic_to_cw", 1, &in[CHAIN_ROWS], &in[CHAIN_AXIAL], &in[CHAIN_DESTINATION],
                                    &x->destination));
    POYI_TRY(ctx, poyi_record_basis(ctx, "periodic_to_cw", 0, &in[CHAIN_COLUMNS], NULL, &in[CHAIN_SOURCE], &x->source));
    x->e = (poyi_expansion){.destination = x->destination,
                            .source = x->source,
                            .ks = {ks[0], ks[1]},
                            .poltype = poltype_of(item->config),
                            .period = *poyi_real(in, PERIOD)};
    POYI_TRY(ctx, poyi_axial_open(ctx, "periodic_to_cw", &x->e, &in[CHAIN_AXIAL], &x->axial));
    return POY_OK;
}

static poy_status value_chain(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    chain *x = call;
    (void)item;
    return poyi_expansion_value(ctx, &x->e, out->data);
}

static poy_status pull_chain(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    chain *x = call;
    (void)item;
    const poyi_expansion_inputs g = {.destination = grad[CHAIN_DESTINATION].data,
                                     .source = grad[CHAIN_SOURCE].data,
                                     .ks = grad[CHAIN_KS].data,
                                     .axial = grad[CHAIN_AXIAL].data ? poyi_axial_values(&x->axial) : NULL,
                                     .period = grad[PERIOD].data};
    const poy_status status = poyi_expansion_pullback(ctx, &x->e, cot[0].data, &g);
    if (status == POY_OK)
        poyi_axial_pull(&x->axial, &grad[CHAIN_AXIAL]);
    return status;
}

static poy_status push_chain(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    chain *x = call;
    (void)item;
    const poyi_expansion_inputs d = {.destination = tan[CHAIN_DESTINATION].data,
                                     .source = tan[CHAIN_SOURCE].data,
                                     .ks = tan[CHAIN_KS].data,
                                     .axial = poyi_axial_push(&x->axial, &tan[CHAIN_AXIAL]),
                                     .period = tan[PERIOD].data};
    return poyi_expansion_pushforward(ctx, &x->e, &d, out_tan[0].data);
}

static poy_status sample_chain(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[5] = {positions, positions, ks_range, {0.2, 0.4, 0.0, 0.0, 0.5}, measure};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 5, ranges, in);
    poyi_sample_axial_modes(in[CHAIN_DESTINATION].spec.dims[0], in[CHAIN_AXIAL].spec.dims[0], &in[CHAIN_ROWS]);
    poyi_sample_modes(in[CHAIN_SOURCE].spec.dims[0], &in[CHAIN_COLUMNS]);
    return POY_OK;
}

static const poyi_calls chain_calls = {
    sizeof poltype_options / sizeof poltype_options[0], open_chain, close_chain, value_chain, pull_chain, push_chain};
static const poy_rec_example chain_examples[] = {{"", "f64[1,3] f64[2,3] c128[2] f64[2] f64[] f64[12,4] f64[12,4]"},
                                                 {"", "f64[1,3] f64[1,3] f64[2] f64[1] f64[] f64[6,4] f64[6,4]"}};
const poy_rec_op poyi_record_periodic_to_cw = {.state_version = 1,
                                               POYI_CALLS(chain_calls),
                                               POYI_OPTIONS(poltype_options),
                                               POYI_EXAMPLES(chain_examples),
                                               .sample = sample_chain};

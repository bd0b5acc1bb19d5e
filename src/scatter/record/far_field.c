/* far_field.c: record of the far amplitudes of scattered coefficients, in lossless surroundings. */
#include <stdlib.h>

#include "scatter/cluster/far_field.h"
#include "scatter/record/common.h"

enum { SCATTERED, POSITIONS, KS, MODES, DIRECTIONS };

static poy_status open_call(poy_ctx *ctx, const poy_rec_item *item, poy_basis **basis, poyi_far_call *call)
{
    const poy_rec_array *in = item->in;
    const double *ks = in[KS].data;
    POYI_TRY(ctx, poyi_real_ks(ctx, "far_field", ks));
    POYI_TRY(ctx, poyi_record_basis(ctx, "far_field", 0, &in[MODES], NULL, &in[POSITIONS], basis));
    *call = (poyi_far_call){.basis = *basis,
                            .ks = {ks[0], ks[1]},
                            .poltype = poyi_choice(item->config, 0) ? POY_PARITY : POY_HELICITY,
                            .scattered = in[SCATTERED].data,
                            .n = poyi_extent(item, DIRECTIONS, 0),
                            .directions = in[DIRECTIONS].data};
    return POY_OK;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_basis *basis = NULL;
    poyi_far_call call;
    POYI_TRY(ctx, open_call(ctx, item, &basis, &call));
    const poy_status status = poyi_far_value(ctx, &call, item->out[0].data);
    poy_basis_destroy(&basis);
    return status;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    poy_basis *basis = NULL;
    poyi_far_call call;
    POYI_TRY(ctx, open_call(ctx, item, &basis, &call));
    const poy_status status =
        poyi_far_pull(ctx, &call, cot->data, grad[SCATTERED].data, grad[POSITIONS].data, grad[KS].data);
    poy_basis_destroy(&basis);
    return status;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    poy_basis *basis = NULL;
    poyi_far_call call;
    POYI_TRY(ctx, open_call(ctx, item, &basis, &call));
    const poy_status status =
        poyi_far_push(ctx, &call, tan[SCATTERED].data, tan[POSITIONS].data, tan[KS].data, out_tan->data);
    poy_basis_destroy(&basis);
    return status;
}

/* Directions along z, where they have no derivative, and aslant. */
static poy_status sample(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[3] = {{-1.0, 1.0, -1.0, 1.0, 0.0}, {-0.6, 0.6, 0.0, 0.0, 0.0}, {0.9, 1.4, 0.0, 0.0, 0.0}};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 3, ranges, in);
    poyi_sample_modes(in[POSITIONS].spec.dims[0], &in[MODES]);
    for (int64_t i = 0; i < 3 * in[DIRECTIONS].spec.dims[0]; i++)
        poyi_real(in, DIRECTIONS)[i] = i < 3 ? i == 2 : (double)(i % 4) - 0.5;
    return POY_OK;
}

static const poy_rec_option options[] = {POYI_OPTION_POLTYPE};
static const poy_rec_example examples[] = {{"", "c128[12] f64[2,3] f64[2] f64[12,4] f64[3,3]"},
                                           {"", "c128[6] f64[1,3] f64[2] f64[6,4] f64[1,3]"}};
const poy_rec_op poyi_record_far_field = {.state_version = 1,
                                          .flags = POY_REC_NEEDS_INPUTS,
                                          POYI_CHOICES(options),
                                          POYI_EXAMPLES(examples),
                                          .evaluate = evaluate,
                                          .pullback = pullback,
                                          .pushforward = pushforward,
                                          .sample = sample};

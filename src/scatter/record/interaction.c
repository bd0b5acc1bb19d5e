/* interaction.c: records of particles that scatter into each other, of their T-matrices and couplings as they come: the whole
 * X = (1 - T C)^-1 T, or columns p = X a. Of columns, with h = A^-H g and q = T^H h: g_a = q, g_C = q p^H, g_T = h (a + C p)^H. */
#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/record/common.h"
#include "scatter/record/coupled.h"

/* T as one block. */
typedef struct whole {
    size_t offset[2];
    poyi_blocks blocks;
} whole;

static const poyi_blocks *whole_of(size_t n, whole *w)
{
    *w = (whole){.offset = {0, n}};
    w->blocks = (poyi_blocks){n, 1, w->offset};
    return &w->blocks;
}

static poy_status check_inputs(poy_ctx *ctx, const char *who, const poy_rec_item *item, int n_in)
{
    static const char *const names[] = {"T", "C", "incident"};
    for (int i = 0; i < n_in; i++)
        POYI_TRY(ctx, poyi_rec_finite(ctx, who, names[i], &item->in[i]));
    return POY_OK;
}

/* ---- interaction: the whole matrix ---- */

/* scratch: factors and their work, or three matrices. */
static poy_status infer_interaction(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                    poy_rec_size *size)
{
    const size_t matrix = poy_rec_bytes(&in[0]);
    (void)config, (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "interaction", in[0].dims[0]));
    const size_t evaluation = poyi_coupled_bytes((size_t)in[0].dims[0]) + matrix;
    size->scratch = evaluation > 3 * matrix ? evaluation : 3 * matrix;
    return POY_OK;
}

static poy_status evaluate_interaction(poy_ctx *ctx, const poy_rec_item *item)
{
    const size_t n = poyi_extent(item, 0, 0);
    const poyi_coupled f = poyi_coupled_in(item->scratch, n);
    poy_c128 *work = (poy_c128 *)(void *)((unsigned char *)item->scratch + poyi_coupled_bytes(n)),
             *x = item->out[0].data;
    POYI_TRY(ctx, check_inputs(ctx, "interaction", item, 2));
    whole w;
    POYI_TRY(ctx, poyi_coupled_factor(ctx, "interaction", whole_of(n, &w), item->in[0].data, item->in[1].data, &f));
    memcpy(x, item->in[0].data, n * n * sizeof *x);
    poyi_coupled_solve(&f, n, n, 0, x, work);
    return POY_OK;
}

static poy_status pull_interaction(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                   const poy_rec_array *grad)
{
    whole w;
    (void)ctx;
    poyi_coupled_pull(whole_of(poyi_extent(item, 0, 0), &w), item->in[1].data, item->out[0].data, cot->data,
                      item->scratch, grad[0].data, grad[1].data);
    return POY_OK;
}

static poy_status push_interaction(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                   const poy_rec_array *out_tan)
{
    whole w;
    (void)ctx;
    poyi_coupled_push(whole_of(poyi_extent(item, 0, 0), &w), item->in[1].data, item->out[0].data, tan[0].data,
                      tan[1].data, item->scratch, out_tan->data);
    return POY_OK;
}

/* ---- illuminate: columns ---- */

/* scratch: three arrays of columns; without a state also the factors. */
static poy_status infer_illuminate(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                   poy_rec_size *size)
{
    (void)config, (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "illuminate", in[0].dims[0]));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "illuminate", in[2].dims[1]));
    size->state = poyi_coupled_bytes((size_t)in[0].dims[0]);
    size->scratch = 3 * poy_rec_bytes(&in[2]) + size->state;
    return POY_OK;
}

static poy_status evaluate_illuminate(poy_ctx *ctx, const poy_rec_item *item)
{
    const size_t n = poyi_extent(item, 0, 0), m = poyi_extent(item, 2, 1);
    unsigned char *spare = (unsigned char *)item->scratch + 3 * n * m * sizeof(poy_c128);
    const poyi_coupled f = poyi_coupled_in(item->state ? item->state : spare, n);
    POYI_TRY(ctx, check_inputs(ctx, "illuminate", item, 3));
    whole w;
    POYI_TRY(ctx, poyi_coupled_factor(ctx, "illuminate", whole_of(n, &w), item->in[0].data, item->in[1].data, &f));
    poyi_product('n', 'n', n, m, n, 1.0, item->in[0].data, item->in[2].data, 0.0, item->out[0].data);
    poyi_coupled_solve(&f, n, m, 0, item->out[0].data, item->scratch);
    return POY_OK;
}

/* a + C p */
static void exciting_columns(const poy_rec_item *item, size_t n, size_t m, poy_c128 *out)
{
    memcpy(out, item->in[2].data, n * m * sizeof *out);
    poyi_product('n', 'n', n, m, n, 1.0, item->in[1].data, item->out[0].data, 1.0, out);
}

static poy_status pull_illuminate(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                  const poy_rec_array *grad)
{
    const size_t n = poyi_extent(item, 0, 0), m = poyi_extent(item, 2, 1);
    const poyi_coupled f = poyi_coupled_in(item->saved, n);
    poy_c128 *h = item->scratch, *q = h + n * m, *e = q + n * m;
    (void)ctx;
    memcpy(h, cot->data, n * m * sizeof *h);
    poyi_coupled_solve(&f, n, m, 1, h, q);
    if (grad[0].data) {
        exciting_columns(item, n, m, e);
        poyi_product('n', 'c', n, n, m, 1.0, h, e, 0.0, grad[0].data);
    }
    if (!grad[1].data && !grad[2].data)
        return POY_OK;
    poyi_product('c', 'n', n, m, n, 1.0, item->in[0].data, h, 0.0, q);
    if (grad[1].data)
        poyi_product('n', 'c', n, n, m, 1.0, q, item->out[0].data, 0.0, grad[1].data);
    if (grad[2].data)
        memcpy(grad[2].data, q, n * m * sizeof *q);
    return POY_OK;
}

/* A dp = dT (a + C p) + T (dC p + da) */
static poy_status push_illuminate(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                  const poy_rec_array *out_tan)
{
    const size_t n = poyi_extent(item, 0, 0), m = poyi_extent(item, 2, 1);
    const poyi_coupled f = poyi_coupled_in(item->saved, n);
    poy_c128 *e = item->scratch, *d_p = out_tan->data;
    (void)ctx;
    memset(e, 0, n * m * sizeof *e);
    if (tan[2].data)
        memcpy(e, tan[2].data, n * m * sizeof *e);
    if (tan[1].data)
        poyi_product('n', 'n', n, m, n, 1.0, tan[1].data, item->out[0].data, 1.0, e);
    poyi_product('n', 'n', n, m, n, 1.0, item->in[0].data, e, 0.0, d_p);
    if (tan[0].data) {
        exciting_columns(item, n, m, e);
        poyi_product('n', 'n', n, m, n, 1.0, tan[0].data, e, 1.0, d_p);
    }
    poyi_coupled_solve(&f, n, m, 0, d_p, e);
    return POY_OK;
}

/* ---- the records ---- */

/* |T| about 0.2 and |C| below 1: far from singular. */
static poy_status sample(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const double most = 0.5 / (double)(in[0].spec.dims[0] + 1);
    const poyi_range ranges[3] = {
        {-most, most, -most, most, 0.0}, {-1.0, 1.0, -1.0, 1.0, 0.0}, {-1.0, 1.0, -1.0, 1.0, 0.0}};
    (void)ctx;
    poyi_sample_ranges(seed, config ? 3 : 2, ranges, in);
    return POY_OK;
}

static const poy_rec_example interaction_examples[] = {
    {"", "c128[3,3] c128[3,3]"}, {"", "f64[4,4] c128[4,4]"}, {"", "c128[0,0] c128[0,0]"}};
static const poy_rec_example illuminate_examples[] = {
    {"", "c128[3,3] c128[3,3] c128[3,2]"}, {"", "c128[4,4] f64[4,4] c128[4,1]"}, {"", "c128[2,2] c128[2,2] c128[2,0]"}};

const poy_rec_op poyi_record_interaction = {.state_version = 1,
                                            .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                            POYI_EXAMPLES(interaction_examples),
                                            .infer = infer_interaction,
                                            .evaluate = evaluate_interaction,
                                            .pullback = pull_interaction,
                                            .pushforward = push_interaction,
                                            .sample = sample};

static const int with_incident = 1;
const poy_rec_op poyi_record_illuminate = {.state_version = 1,
                                           .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                           POYI_EXAMPLES(illuminate_examples),
                                           .user = &with_incident,
                                           .infer = infer_illuminate,
                                           .evaluate = evaluate_illuminate,
                                           .pullback = pull_illuminate,
                                           .pushforward = push_illuminate,
                                           .sample = sample};

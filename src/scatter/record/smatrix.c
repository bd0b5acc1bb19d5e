/* smatrix.c: records of S-matrices as blocks [2 out][2 in][n][n]: upon one another, lit, of arrays. */
#include <stdlib.h>

#include "record/lapack.h"
#include "scatter/record/common.h"
#include "scatter/stack/junction.h"

static poy_status check_finite(poy_ctx *ctx, const char *who, const poy_rec_item *item, int n_in,
                               const char *const *names)
{
    for (int i = 0; i < n_in; i++)
        POYI_TRY(ctx, poyi_rec_finite(ctx, who, names[i], &item->in[i]));
    return POY_OK;
}

/* ---- smatrix_add: lower, upper ---- */

/* State: the junction. Scratch: it, where no state is wanted; what leaves, and work or scratch of derivatives. */
static poy_status infer_add(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                            poy_rec_size *size)
{
    const size_t n = (size_t)in[0].dims[2];
    (void)config, (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "smatrix_add", 2 * in[0].dims[2]));
    size->state = poyi_junction_state_bytes(n, 2 * n);
    size->scratch = size->state + (4 * n * n + poyi_junction_scratch(n, 2 * n)) * sizeof(poy_c128);
    return POY_OK;
}

/* The junction of a call: two columns of light apart in scratch follow spare. */
static poyi_junction add_junction(const poy_rec_item *item, const void *state, poy_c128 **spare)
{
    const size_t n = poyi_extent(item, 0, 2);
    poyi_junction j = {.n = n, .columns = 2 * n, .lower = item->in[0].data, .upper = item->in[1].data, .whole = 1};
    *spare = (poy_c128 *)(void *)((unsigned char *)item->scratch + poyi_junction_state_bytes(n, 2 * n));
    poyi_junction_in(&j, state ? state : item->scratch, *spare + 4 * n * n);
    return j;
}

static poy_status evaluate_add(poy_ctx *ctx, const poy_rec_item *item)
{
    static const char *const names[2] = {"lower", "upper"};
    poy_c128 *spare;
    const poyi_junction j = add_junction(item, item->state, &spare);
    POYI_TRY(ctx, check_finite(ctx, "smatrix_add", item, 2, names));
    POYI_TRY(ctx, poyi_junction_solve(ctx, &j));
    poyi_junction_blocks(&j, spare, item->out[0].data);
    return POY_OK;
}

static poy_status pull_add(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    poy_c128 *spare;
    const poyi_junction j = add_junction(item, item->saved, &spare);
    const size_t size = 2 * j.n * j.n;
    const poyi_junction_waves g = {.up = spare, .down = spare + size};
    const poyi_junction_inputs to = {.lower = grad[0].data, .upper = grad[1].data};
    (void)ctx;
    poyi_junction_gather(j.n, cot[0].data, g.up, g.down);
    poyi_junction_pull(&j, &g, &to, spare + 2 * size);
    return POY_OK;
}

static poy_status push_add(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                           const poy_rec_array *out_tan)
{
    poy_c128 *spare;
    const poyi_junction j = add_junction(item, item->saved, &spare);
    const size_t size = 2 * j.n * j.n;
    const poyi_junction_waves out = {.up = spare, .down = spare + size};
    const poyi_junction_inputs d = {.lower = tan[0].data, .upper = tan[1].data};
    (void)ctx;
    poyi_junction_push(&j, &d, &out, spare + 2 * size);
    poyi_junction_scatter(j.n, out.up, out.down, out_tan[0].data);
    return POY_OK;
}

static const poyi_range matrix_range = {-0.3, 0.3, -0.3, 0.3, 0.0}, light_range = {-1.0, 1.0, -1.0, 1.0, 0.0};

static poy_status sample_add(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 2, (const poyi_range[]){matrix_range, matrix_range}, in);
    return POY_OK;
}

static const poy_rec_example add_examples[] = {{"", "c128[2,2,3,3] c128[2,2,3,3]"}, {"", "f64[2,2,2,2] c128[2,2,2,2]"}};
const poy_rec_op poyi_record_smatrix_add = {.state_version = 1,
                                            .flags = POY_REC_NEEDS_INPUTS,
                                            POYI_EXAMPLES(add_examples),
                                            .infer = infer_add,
                                            .evaluate = evaluate_add,
                                            .pullback = pull_add,
                                            .pushforward = push_add,
                                            .sample = sample_add};

/* ---- smatrix_illuminate: lower, upper, up, down ---- */

static poy_status infer_illuminate(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                   poy_rec_size *size)
{
    const size_t n = (size_t)in[0].dims[2], columns = (size_t)in[2].dims[1];
    (void)config, (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "smatrix_illuminate", in[0].dims[2]));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "smatrix_illuminate", in[2].dims[1]));
    size->state = poyi_junction_state_bytes(n, columns);
    size->scratch = size->state + poyi_junction_scratch(n, columns) * sizeof(poy_c128);
    return POY_OK;
}

static poyi_junction light_junction(const poy_rec_item *item, const void *state, poy_c128 **spare)
{
    const size_t n = poyi_extent(item, 0, 2), columns = poyi_extent(item, 2, 1);
    poyi_junction j = {.n = n,
                       .columns = columns,
                       .lower = item->in[0].data,
                       .upper = item->in[1].data,
                       .up = item->in[2].data,
                       .down = item->in[3].data};
    *spare = (poy_c128 *)(void *)((unsigned char *)item->scratch + poyi_junction_state_bytes(n, columns));
    poyi_junction_in(&j, state ? state : item->scratch, *spare);
    return j;
}

/* The four planes of the output. */
static poyi_junction_waves planes(const poyi_junction *j, const poy_rec_array *a)
{
    poy_c128 *x = a->data;
    const size_t size = j->n * j->columns;
    return (poyi_junction_waves){x, x + size, x + 2 * size, x + 3 * size};
}

static poy_status evaluate_illuminate(poy_ctx *ctx, const poy_rec_item *item)
{
    static const char *const names[4] = {"lower", "upper", "up", "down"};
    poy_c128 *spare;
    const poyi_junction j = light_junction(item, item->state, &spare);
    const poyi_junction_waves out = planes(&j, &item->out[0]);
    const size_t bytes = j.n * j.columns * sizeof(poy_c128);
    POYI_TRY(ctx, check_finite(ctx, "smatrix_illuminate", item, 4, names));
    POYI_TRY(ctx, poyi_junction_solve(ctx, &j));
    poyi_junction_leave(&j, out.up, out.down);
    memcpy(out.rising, j.rising, bytes);
    memcpy(out.falling, j.falling, bytes);
    return POY_OK;
}

static poy_status pull_illuminate(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                  const poy_rec_array *grad)
{
    poy_c128 *spare;
    const poyi_junction j = light_junction(item, item->saved, &spare);
    const poyi_junction_waves g = planes(&j, &cot[0]);
    const poyi_junction_inputs to = {grad[0].data, grad[1].data, grad[2].data, grad[3].data};
    (void)ctx;
    poyi_junction_pull(&j, &g, &to, spare);
    return POY_OK;
}

static poy_status push_illuminate(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                  const poy_rec_array *out_tan)
{
    poy_c128 *spare;
    const poyi_junction j = light_junction(item, item->saved, &spare);
    const poyi_junction_waves out = planes(&j, &out_tan[0]);
    const poyi_junction_inputs d = {tan[0].data, tan[1].data, tan[2].data, tan[3].data};
    (void)ctx;
    poyi_junction_push(&j, &d, &out, spare);
    return POY_OK;
}

static poy_status sample_illuminate(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 4, (const poyi_range[]){matrix_range, matrix_range, light_range, light_range}, in);
    return POY_OK;
}

static const poy_rec_example illuminate_examples[] = {{"", "c128[2,2,3,3] c128[2,2,3,3] c128[3,2] c128[3,2]"},
                                                      {"", "c128[2,2,2,2] c128[2,2,2,2] f64[2,1] c128[2,1]"}};
const poy_rec_op poyi_record_smatrix_illuminate = {.state_version = 1,
                                                   .flags = POY_REC_NEEDS_INPUTS,
                                                   POYI_EXAMPLES(illuminate_examples),
                                                   .infer = infer_illuminate,
                                                   .evaluate = evaluate_illuminate,
                                                   .pullback = pull_illuminate,
                                                   .pushforward = push_illuminate,
                                                   .sample = sample_illuminate};

/* ---- smatrix_from_array: response, channels: S = 1 + E^T X I ---- */

/* Scratch: X I of both sides, conj(E) of both, and a product. */
static poy_status infer_array(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                              poy_rec_size *size)
{
    (void)config, (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "smatrix_from_array", in[0].dims[0]));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "smatrix_from_array", in[1].dims[3]));
    size->scratch = 5 * (size_t)(in[0].dims[0] * in[1].dims[3]) * sizeof(poy_c128);
    return POY_OK;
}

typedef struct array_call {
    size_t n, m; /* multipoles, ports */
    const poy_c128 *response, *channels;
    poy_c128 *lit[2], *conjugate[2], *work; /* [n][m] */
} array_call;

static const poy_c128 *channel(const array_call *a, const poy_c128 *channels, int role, int side)
{
    return channels + (size_t)(2 * role + side) * a->n * a->m;
}

static array_call open_array(const poy_rec_item *item)
{
    array_call a = {.n = poyi_extent(item, 0, 0),
                    .m = poyi_extent(item, 1, 3),
                    .response = item->in[0].data,
                    .channels = item->in[1].data,
                    .work = item->scratch};
    const size_t size = a.n * a.m;
    for (int side = 0; side < 2; side++) {
        a.lit[side] = a.work + (size_t)(1 + side) * size;
        a.conjugate[side] = a.work + (size_t)(3 + side) * size;
        poyi_product('n', 'n', a.n, a.m, a.n, 1.0, a.response, channel(&a, a.channels, 0, side), 0.0, a.lit[side]);
        for (size_t i = 0; i < size; i++) {
            const poy_c128 e = channel(&a, a.channels, 1, side)[i];
            a.conjugate[side][i] = (poy_c128){e.re, -e.im};
        }
    }
    return a;
}

static poy_status evaluate_array(poy_ctx *ctx, const poy_rec_item *item)
{
    static const char *const names[2] = {"response", "channels"};
    POYI_TRY(ctx, check_finite(ctx, "smatrix_from_array", item, 2, names));
    const array_call a = open_array(item);
    for (int out = 0; out < 2; out++)
        for (int in = 0; in < 2; in++) {
            poy_c128 *s = poyi_complex(item->out, 0) + (size_t)(2 * out + in) * a.m * a.m;
            poyi_product('t', 'n', a.m, a.m, a.n, 1.0, channel(&a, a.channels, 1, out), a.lit[in], 0.0, s);
            for (size_t i = 0; i < a.m && out == in; i++)
                s[i * (a.m + 1)].re += 1.0;
        }
    return POY_OK;
}

static poy_status pull_array(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    const array_call a = open_array(item);
    const size_t size = a.n * a.m;
    poy_c128 *g_x = grad[0].data, *g_channels = grad[1].data;
    (void)ctx;
    for (int in = 0; in < 2; in++) { /* work: the cotangent of X I */
        for (int out = 0; out < 2; out++)
            poyi_product('n', 'n', a.n, a.m, a.m, 1.0, a.conjugate[out],
                         poyi_complex(cot, 0) + (size_t)(2 * out + in) * a.m * a.m, out ? 1.0 : 0.0, a.work);
        if (g_x)
            poyi_product('n', 'c', a.n, a.n, a.m, 1.0, a.work, channel(&a, a.channels, 0, in), in ? 1.0 : 0.0, g_x);
        if (g_channels)
            poyi_product('c', 'n', a.n, a.m, a.n, 1.0, a.response, a.work, 0.0, g_channels + (size_t)in * size);
    }
    for (int in = 0; in < 2; in++) /* conj(X I) */
        for (size_t i = 0; i < size; i++)
            a.lit[in][i].im = -a.lit[in][i].im;
    for (int out = 0; g_channels && out < 2; out++)
        for (int in = 0; in < 2; in++)
            poyi_product('n', 't', a.n, a.m, a.m, 1.0, a.lit[in],
                         poyi_complex(cot, 0) + (size_t)(2 * out + in) * a.m * a.m, in ? 1.0 : 0.0,
                         g_channels + (size_t)(2 + out) * size);
    return POY_OK;
}

static poy_status push_array(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    const array_call a = open_array(item);
    const poy_c128 *d_x = tan[0].data, *d_channels = tan[1].data;
    (void)ctx;
    for (int in = 0; in < 2; in++) { /* work: the tangent of X I */
        memset(a.work, 0, a.n * a.m * sizeof *a.work);
        if (d_x)
            poyi_product('n', 'n', a.n, a.m, a.n, 1.0, d_x, channel(&a, a.channels, 0, in), 1.0, a.work);
        if (d_channels)
            poyi_product('n', 'n', a.n, a.m, a.n, 1.0, a.response, channel(&a, d_channels, 0, in), 1.0, a.work);
        for (int out = 0; out < 2; out++) {
            poy_c128 *s = poyi_complex(out_tan, 0) + (size_t)(2 * out + in) * a.m * a.m;
            poyi_product('t', 'n', a.m, a.m, a.n, 1.0, channel(&a, a.channels, 1, out), a.work, 0.0, s);
            if (d_channels)
                poyi_product('t', 'n', a.m, a.m, a.n, 1.0, channel(&a, d_channels, 1, out), a.lit[in], 1.0, s);
        }
    }
    return POY_OK;
}

static const poy_rec_example array_examples[] = {{"", "c128[4,4] c128[2,2,4,3]"}, {"", "c128[2,2] f64[2,2,2,1]"}};
const poy_rec_op poyi_record_smatrix_from_array = {.state_version = 1,
                                                   .flags = POY_REC_NEEDS_INPUTS,
                                                   POYI_EXAMPLES(array_examples),
                                                   .infer = infer_array,
                                                   .evaluate = evaluate_array,
                                                   .pullback = pull_array,
                                                   .pushforward = push_array};

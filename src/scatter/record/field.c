/* field.c: records of the electric field of multipoles and of plane waves, weighted or for each mode, and of phases. They keep no
 * state. */
#include <stdlib.h>

#include "scatter/record/common.h"
#include "scatter/waves/diff.h"

/* With coefficients, or the operator: then points come first. */
static int is_weighted(const poy_rec_array *in)
{
    return in[0].spec.rank == 1;
}

/* ---- multipoles: (coefficients,) points, positions, ks, axial, modes ---- */

enum { WAVES, POLTYPE, SINGULAR, FIELD_OPTIONS };

typedef struct field {
    poyi_field_function f;
    poy_basis *basis;
    const poy_rec_array *in; /* points and what follows */
    size_t n_axial;
    double *axial; /* [size], of each mode */
    void *memory;
} field;

static void close_field(field *x)
{
    poyi_free(&x->memory);
    poy_basis_destroy(&x->basis);
}

static poy_status open_field(poy_ctx *ctx, const poy_rec_item *item, int weighted, field *x)
{
    poy_status status;
    const poy_rec_array *in = item->in + weighted;
    const int cylindrical = (int)poyi_choice(item->config, WAVES);
    *x = (field){.in = in, .n_axial = (size_t)in[3].spec.dims[0]};
    POYI_TO_DONE(ctx, poyi_record_basis(ctx, "field", cylindrical, &in[4], &in[3], &in[1], &x->basis));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.record", (x->basis->size + 1) * sizeof(double), &x->memory));
    x->axial = x->memory;
    const poy_c128 *ks = in[2].data;
    x->f = (poyi_field_function){.basis = x->basis,
                                 .ks = {ks[0], ks[1]},
                                 .poltype = poyi_choice(item->config, POLTYPE) ? POY_PARITY : POY_HELICITY,
                                 .singular = (int)poyi_choice(item->config, SINGULAR),
                                 .coefficients = weighted ? item->in[0].data : NULL,
                                 .n = (size_t)in[0].spec.dims[0],
                                 .points = in[0].data};
done:
    if (status != POY_OK)
        close_field(x);
    return status;
}

/* Tangents or gradients of the inputs; axial: of each mode. */
static poyi_field_inputs field_inputs(const poy_rec_array *a, int weighted, double *axial)
{
    const poy_rec_array *rest = a + weighted;
    return (poyi_field_inputs){.coefficients = weighted ? a[0].data : NULL,
                               .points = rest[0].data,
                               .positions = rest[1].data,
                               .ks = rest[2].data,
                               .axial = axial};
}

/* The place of kz of mode i, or none: spherical. */
static size_t axial_place(const field *x, size_t i)
{
    return x->basis->kind == POY_BASIS_CYLINDRICAL ? (size_t)poyi_real(x->in, 4)[4 * i + 1] : x->n_axial;
}

static poy_status evaluate_field(poy_ctx *ctx, const poy_rec_item *item)
{
    const int weighted = is_weighted(item->in);
    field x;
    POYI_TRY(ctx, open_field(ctx, item, weighted, &x));
    const poy_status status = poyi_field_value(ctx, &x.f, item->out[0].data);
    close_field(&x);
    return status;
}

static poy_status pull_field(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    const int weighted = is_weighted(item->in);
    field x;
    POYI_TRY(ctx, open_field(ctx, item, weighted, &x));
    const poy_rec_array *g_axial = &grad[weighted + 3];
    const int wanted = g_axial->data && x.basis->kind == POY_BASIS_CYLINDRICAL;
    const poyi_field_inputs g = field_inputs(grad, weighted, wanted ? x.axial : NULL);
    const poy_status status = poyi_field_pullback(ctx, &x.f, cot->data, &g);
    poyi_clear(g_axial);
    for (size_t i = 0; status == POY_OK && wanted && i < x.basis->size; i++)
        ((double *)g_axial->data)[axial_place(&x, i)] += x.axial[i];
    close_field(&x);
    return status;
}

static poy_status push_field(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    const int weighted = is_weighted(item->in);
    field x;
    POYI_TRY(ctx, open_field(ctx, item, weighted, &x));
    const poy_rec_array *d_axial = &tan[weighted + 3];
    const int moves = d_axial->data && x.basis->kind == POY_BASIS_CYLINDRICAL;
    for (size_t i = 0; moves && i < x.basis->size; i++)
        x.axial[i] = ((const double *)d_axial->data)[axial_place(&x, i)];
    const poyi_field_inputs d = field_inputs(tan, weighted, moves ? x.axial : NULL);
    const poy_status status = poyi_field_pushforward(ctx, &x.f, &d, out_tan->data);
    close_field(&x);
    return status;
}

static poy_status sample_field(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const int weighted = is_weighted(in);
    const poyi_range ranges[5] = {{-1.0, 1.0, -1.0, 1.0, 0.0},
                                  {0.6, 1.1, 0.0, 0.0, 0.0},
                                  {-0.2, 0.2, 0.0, 0.0, 0.0},
                                  {1.0, 1.5, 0.02, 0.1, 0.0},
                                  {0.1, 0.3, 0.0, 0.0, 0.3}};
    (void)ctx;
    const poy_rec_array *rest = in + weighted;
    poyi_sample_ranges(seed, 4 + weighted, ranges + !weighted, in);
    if (poyi_choice(config, WAVES))
        poyi_sample_axial_modes(rest[1].spec.dims[0], rest[3].spec.dims[0], &rest[4]);
    else
        poyi_sample_modes(rest[1].spec.dims[0], &rest[4]);
    return POY_OK;
}

/* ---- plane waves: (coefficients,) points, vectors, pols ---- */

typedef struct plane {
    poyi_field_function f;
    poy_basis *basis;
    void *pols;
} plane;

static void close_plane(plane *x)
{
    poyi_free(&x->pols);
    poy_basis_destroy(&x->basis);
}

/* The basis says the pols alone: its directions are labels. */
static poy_status plane_basis(poy_ctx *ctx, const poy_rec_array *pols, plane *x)
{
    void *memory = NULL;
    const size_t n = (size_t)pols->spec.dims[0];
    POYI_TRY(ctx, poyi_pols(ctx, "plane_field", pols, &x->pols));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.record", (n + 1) * sizeof(poy_wave_mode), &memory));
    poy_wave_mode *mode = memory;
    for (size_t i = 0; i < n; i++) {
        mode[i].pol = ((const int *)x->pols)[i];
        mode[i].q[0].re = (double)i;
    }
    const poy_status status = poyi_basis_make(ctx, POY_BASIS_PLANE, POY_XY, n, mode, 0, NULL, &x->basis);
    poyi_free(&memory);
    return status;
}

static poy_status open_plane(poy_ctx *ctx, const poy_rec_item *item, int weighted, plane *x)
{
    poy_status status;
    const poy_rec_array *in = item->in + weighted;
    *x = (plane){0};
    POYI_TO_DONE(ctx, plane_basis(ctx, &in[2], x));
    x->f = (poyi_field_function){.basis = x->basis,
                                 .vectors = in[1].data,
                                 .poltype = poyi_choice(item->config, 0) ? POY_PARITY : POY_HELICITY,
                                 .coefficients = weighted ? item->in[0].data : NULL,
                                 .n = (size_t)in[0].spec.dims[0],
                                 .points = in[0].data};
done:
    if (status != POY_OK)
        close_plane(x);
    return status;
}

static poyi_field_inputs plane_inputs(const poy_rec_array *a, int weighted)
{
    return (poyi_field_inputs){
        .coefficients = weighted ? a[0].data : NULL, .points = a[weighted].data, .vectors = a[weighted + 1].data};
}

static poy_status evaluate_plane(poy_ctx *ctx, const poy_rec_item *item)
{
    const int weighted = is_weighted(item->in);
    plane x;
    POYI_TRY(ctx, open_plane(ctx, item, weighted, &x));
    const poy_status status = poyi_field_value(ctx, &x.f, item->out[0].data);
    close_plane(&x);
    return status;
}

static poy_status pull_plane(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    const int weighted = is_weighted(item->in);
    plane x;
    const poyi_field_inputs g = plane_inputs(grad, weighted);
    POYI_TRY(ctx, open_plane(ctx, item, weighted, &x));
    const poy_status status = poyi_field_pullback(ctx, &x.f, cot->data, &g);
    close_plane(&x);
    return status;
}

static poy_status push_plane(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    const int weighted = is_weighted(item->in);
    plane x;
    const poyi_field_inputs d = plane_inputs(tan, weighted);
    POYI_TRY(ctx, open_plane(ctx, item, weighted, &x));
    const poy_status status = poyi_field_pushforward(ctx, &x.f, &d, out_tan->data);
    close_plane(&x);
    return status;
}

static poy_status sample_plane(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const int weighted = is_weighted(in);
    const poyi_range ranges[3] = {
        {-1.0, 1.0, -1.0, 1.0, 0.0}, {-0.7, 0.7, 0.0, 0.0, 0.0}, {0.3, 0.7, -0.05, 0.05, 0.2}};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 2 + weighted, ranges + !weighted, in);
    for (int64_t i = 0; i < in[weighted + 2].spec.dims[0]; i++)
        poyi_real(in, weighted + 2)[i] = (double)(i % 2);
    return POY_OK;
}

/* ---- the records ---- */

static const poy_rec_option field_options[FIELD_OPTIONS] = {POYI_OPTION_WAVES, POYI_OPTION_POLTYPE,
                                                            POYI_OPTION_SINGULAR};
static const poy_rec_option plane_options[] = {POYI_OPTION_POLTYPE};
static const poy_rec_example weighted_examples[] = {
    {"singular=yes", "c128[12] f64[2,3] f64[2,3] c128[2] f64[0] f64[12,4]"},
    {"waves=cylindrical", "c128[12] f64[2,3] f64[1,3] c128[2] f64[2] f64[12,4]"}};
static const poy_rec_example operator_examples[] = {
    {"", "f64[2,3] f64[1,3] c128[2] f64[0] f64[6,4]"},
    {"waves=cylindrical;singular=yes", "f64[1,3] f64[1,3] c128[2] f64[1] f64[6,4]"}};
static const poy_rec_example plane_examples[] = {{"", "c128[3] f64[2,3] c128[3,3] f64[3]"},
                                                 {"poltype=parity", "c128[1] f64[1,3] f64[1,3] f64[1]"}};
static const poy_rec_example plane_operator_examples[] = {{"", "f64[2,3] c128[2,3] f64[2]"}};

#define FIELD(of, opts, list, run)                                      \
    const poy_rec_op poyi_record_##of = {.state_version = 1,            \
                                         .flags = POY_REC_NEEDS_INPUTS, \
                                         POYI_CHOICES(opts),            \
                                         POYI_EXAMPLES(list),           \
                                         .evaluate = evaluate_##run,    \
                                         .pullback = pull_##run,        \
                                         .pushforward = push_##run,     \
                                         .sample = sample_##run}
FIELD(field, field_options, weighted_examples, field);
FIELD(field_operator, field_options, operator_examples, field);
FIELD(plane_field, plane_options, plane_examples, plane);
FIELD(plane_field_fixed, plane_options, plane_examples, plane);
FIELD(plane_field_operator, plane_options, plane_operator_examples, plane);
FIELD(plane_field_operator_fixed, plane_options, plane_operator_examples, plane);
#undef FIELD

/* ---- plane_phases: points, vectors ---- */

static poy_status evaluate_phases(poy_ctx *ctx, const poy_rec_item *item)
{
    POYI_TRY(ctx, poyi_plane_phases(ctx, poyi_extent(item, 0, 0), item->in[0].data, poyi_extent(item, 1, 0),
                                    item->in[1].data, item->out[0].data));
    return POY_OK;
}

static poy_status pull_phases(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                              const poy_rec_array *grad)
{
    POYI_TRY(ctx, poyi_plane_phases_pullback(ctx, poyi_extent(item, 0, 0), item->in[0].data, poyi_extent(item, 1, 0),
                                             item->in[1].data, cot->data, grad[0].data, grad[1].data));
    return POY_OK;
}

static poy_status push_phases(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    POYI_TRY(ctx, poyi_plane_phases_pushforward(ctx, poyi_extent(item, 0, 0), item->in[0].data, poyi_extent(item, 1, 0),
                                                item->in[1].data, tan[0].data, tan[1].data, out_tan->data));
    return POY_OK;
}

static const poy_rec_example phases_examples[] = {{"", "f64[3,3] c128[2,3]"}, {"", "f64[1,3] f64[1,3]"}};
const poy_rec_op poyi_record_plane_phases = {.state_version = 1,
                                             .flags = POY_REC_NEEDS_INPUTS,
                                             POYI_EXAMPLES(phases_examples),
                                             .evaluate = evaluate_phases,
                                             .pullback = pull_phases,
                                             .pushforward = push_phases};

/* ---- plane_permutation: vectors, pols ---- */

static poy_status evaluate_permutation(poy_ctx *ctx, const poy_rec_item *item)
{
    void *pols = NULL;
    const poy_poltype poltype = poyi_choice(item->config, 1) ? POY_PARITY : POY_HELICITY;
    POYI_TRY(ctx, poyi_pols(ctx, "plane_permutation", &item->in[1], &pols));
    const poy_status status =
        poyi_plane_permutation(ctx, poltype, (int)poyi_choice(item->config, 0), poyi_extent(item, 0, 0),
                               item->in[0].data, pols, item->out[0].data);
    poyi_free(&pols);
    return status;
}

static poy_status pull_permutation(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                   const poy_rec_array *grad)
{
    void *pols = NULL;
    const poy_poltype poltype = poyi_choice(item->config, 1) ? POY_PARITY : POY_HELICITY;
    if (!grad[0].data)
        return POY_OK;
    POYI_TRY(ctx, poyi_pols(ctx, "plane_permutation", &item->in[1], &pols));
    const poy_status status =
        poyi_plane_permutation_pullback(ctx, poltype, (int)poyi_choice(item->config, 0), poyi_extent(item, 0, 0),
                                        item->in[0].data, pols, cot->data, grad[0].data);
    poyi_free(&pols);
    return status;
}

static poy_status push_permutation(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                   const poy_rec_array *out_tan)
{
    void *pols = NULL;
    const poy_poltype poltype = poyi_choice(item->config, 1) ? POY_PARITY : POY_HELICITY;
    if (!tan[0].data) {
        poyi_clear(out_tan);
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_pols(ctx, "plane_permutation", &item->in[1], &pols));
    const poy_status status =
        poyi_plane_permutation_pushforward(ctx, poltype, (int)poyi_choice(item->config, 0), poyi_extent(item, 0, 0),
                                           item->in[0].data, pols, tan[0].data, out_tan->data);
    poyi_free(&pols);
    return status;
}

static poy_status sample_permutation(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[1] = {{0.3, 0.7, -0.05, 0.05, 0.2}};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 1, ranges, in);
    for (int64_t i = 0; i < in[1].spec.dims[0]; i++)
        poyi_real(in, 1)[i] = (double)(i % 2);
    return POY_OK;
}

static const poy_rec_option permutation_options[] = {
    {"n", POY_REC_INTEGER, NULL, "1", "cyclic permutations x to y to z"}, POYI_OPTION_POLTYPE};
static const poy_rec_example permutation_examples[] = {{"", "c128[3,3] f64[3]"},
                                                       {"n=2;poltype=parity", "f64[2,3] f64[2]"}};
const poy_rec_op poyi_record_plane_permutation = {.state_version = 1,
                                                  .flags = POY_REC_NEEDS_INPUTS,
                                                  POYI_CHOICES(permutation_options),
                                                  POYI_EXAMPLES(permutation_examples),
                                                  .evaluate = evaluate_permutation,
                                                  .pullback = pull_permutation,
                                                  .pushforward = push_permutation,
                                                  .sample = sample_permutation};

/* expansion.c: records of matrices between waves: expansions of multipoles, their rotation, plane waves in multipoles. They keep
 * no state: a derivative runs over the same loops as the value. */
#include <stdlib.h>

#include "scatter/record/axial.h"

/* ---- expansion ---- */

enum { DESTINATION, SOURCE, KS, AXIAL, ROWS, COLUMNS };             /* inputs */
enum { WAVES, SOURCE_WAVES, POLTYPE, SINGULAR, EXPANSION_OPTIONS }; /* options */

/* The two bases of a call and their kz. */
typedef struct expansion {
    poyi_expansion e;
    poy_basis *destination, *source;
    poyi_axial axial;
} expansion;
POYI_CALL_FITS(expansion);

static void close_expansion(void *call)
{
    expansion *x = call;
    poyi_free(&x->axial.memory);
    poy_basis_destroy(&x->destination);
    poy_basis_destroy(&x->source);
}

static poy_status open_expansion(poy_ctx *ctx, const poy_rec_item *item, void *call)
{
    expansion *x = call;
    const poy_rec_array *in = item->in;
    const void *c = item->config;
    POYI_TRY(ctx, poyi_record_basis(ctx, "expansion", (int)poyi_choice(c, WAVES), &in[ROWS], &in[AXIAL],
                                    &in[DESTINATION], &x->destination));
    POYI_TRY(ctx, poyi_record_basis(ctx, "expansion", (int)poyi_choice(c, SOURCE_WAVES), &in[COLUMNS], &in[AXIAL],
                                    &in[SOURCE], &x->source));
    const poy_c128 *ks = in[KS].data;
    x->e = (poyi_expansion){.destination = x->destination,
                            .source = x->source,
                            .ks = {ks[0], ks[1]},
                            .poltype = poyi_choice(c, POLTYPE) ? POY_PARITY : POY_HELICITY,
                            .singular = (int)poyi_choice(c, SINGULAR)};
    POYI_TRY(ctx, poyi_axial_open(ctx, "expansion", &x->e, &in[AXIAL], &x->axial));
    return POY_OK;
}

static poy_status check_expansion(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                  poy_rec_size *size)
{
    (void)config, (void)out, (void)size;
    if (in[ROWS].dims[0] == 0 || in[COLUMNS].dims[0] == 0)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "expansion: a basis without modes");
    return POY_OK;
}

static poy_status value_expansion(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    expansion *x = call;
    (void)item;
    return poyi_expansion_value(ctx, &x->e, out->data);
}

static poy_status pull_expansion(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                                 const poy_rec_array *grad)
{
    expansion *x = call;
    (void)item;
    const poyi_expansion_inputs g = {.destination = grad[DESTINATION].data,
                                     .source = grad[SOURCE].data,
                                     .ks = grad[KS].data,
                                     .axial = grad[AXIAL].data ? poyi_axial_values(&x->axial) : NULL};
    const poy_status status = poyi_expansion_pullback(ctx, &x->e, cot->data, &g);
    if (status == POY_OK)
        poyi_axial_pull(&x->axial, &grad[AXIAL]);
    return status;
}

static poy_status push_expansion(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                                 const poy_rec_array *out_tan)
{
    expansion *x = call;
    (void)item;
    const poyi_expansion_inputs d = {.destination = tan[DESTINATION].data,
                                     .source = tan[SOURCE].data,
                                     .ks = tan[KS].data,
                                     .axial = poyi_axial_push(&x->axial, &tan[AXIAL])};
    return poyi_expansion_pushforward(ctx, &x->e, &d, out_tan->data);
}

static const poyi_range here = {-0.3, 0.3, 0.0, 0.0, 0.0}, there = {0.8, 1.4, 0.0, 0.0, 0.0},
                        ks_range = {0.9, 1.4, 0.02, 0.1, 0.0}, kz_range = {0.1, 0.3, 0.0, 0.0, 0.3};

static void sample_either(int cylindrical, int64_t n_kz, const poy_rec_array *positions, const poy_rec_array *modes)
{
    if (cylindrical)
        poyi_sample_axial_modes(positions ? positions->spec.dims[0] : 1, n_kz, modes);
    else
        poyi_sample_modes(positions ? positions->spec.dims[0] : 1, modes);
}

static poy_status sample_expansion(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[4] = {here, there, ks_range, kz_range};
    (void)ctx;
    poyi_sample_ranges(seed, 4, ranges, in);
    sample_either((int)poyi_choice(config, WAVES), in[AXIAL].spec.dims[0], &in[DESTINATION], &in[ROWS]);
    sample_either((int)poyi_choice(config, SOURCE_WAVES), in[AXIAL].spec.dims[0], &in[SOURCE], &in[COLUMNS]);
    return POY_OK;
}

static const poy_rec_option expansion_options[EXPANSION_OPTIONS] = {
    POYI_OPTION_WAVES,
    {"source", POY_REC_WORD, "spherical|cylindrical", "spherical", "the same for columns"},
    POYI_OPTION_POLTYPE,
    POYI_OPTION_SINGULAR};
static const poyi_calls expansion_calls = {sizeof expansion_options / sizeof expansion_options[0],
                                           open_expansion,
                                           close_expansion,
                                           value_expansion,
                                           pull_expansion,
                                           push_expansion};
static const poy_rec_example expansion_examples[] = {
    {"", "f64[1,3] f64[1,3] c128[2] f64[0] f64[6,4] f64[6,4]"},
    {"singular=yes", "f64[2,3] f64[1,3] c128[2] f64[0] f64[12,4] f64[6,4]"},
    {"waves=cylindrical;source=cylindrical;singular=yes", "f64[1,3] f64[1,3] c128[2] f64[2] f64[12,4] f64[12,4]"},
    {"source=cylindrical", "f64[1,3] f64[1,3] c128[2] f64[1] f64[6,4] f64[6,4]"}};
const poy_rec_op poyi_record_expansion = {.state_version = 1,
                                          POYI_CALLS(expansion_calls),
                                          POYI_OPTIONS(expansion_options),
                                          POYI_EXAMPLES(expansion_examples),
                                          .infer = check_expansion,
                                          .sample = sample_expansion};

/* ---- rotation: angles, modes of rows and columns; the kz of cylinders are labels ---- */

typedef struct rotation {
    poy_basis *destination, *source;
} rotation;
POYI_CALL_FITS(rotation);

static poy_status open_rotation(poy_ctx *ctx, const poy_rec_item *item, void *call)
{
    rotation *r = call;
    const int cylindrical = (int)poyi_choice(item->config, 0);
    POYI_TRY(ctx, poyi_record_basis(ctx, "rotation", cylindrical, &item->in[1], NULL, NULL, &r->destination));
    POYI_TRY(ctx, poyi_record_basis(ctx, "rotation", cylindrical, &item->in[2], NULL, NULL, &r->source));
    return POY_OK;
}

static void close_rotation(void *call)
{
    rotation *r = call;
    poy_basis_destroy(&r->destination);
    poy_basis_destroy(&r->source);
}

static poy_status value_rotation(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    rotation *r = call;
    return poy_op_rotate(ctx, item->in[0].data, r->destination, r->source, out->data);
}

static poy_status pull_rotation(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    rotation *r = call;
    if (!grad[0].data)
        return POY_OK;
    return poyi_rotate_pullback(ctx, item->in[0].data, r->destination, r->source, cot->data, grad[0].data);
}

static poy_status push_rotation(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    rotation *r = call;
    return poyi_rotate_pushforward(ctx, item->in[0].data, r->destination, r->source, tan[0].data ? tan[0].data : none,
                                   out_tan->data);
}

static poy_status sample_rotation(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[1] = {{0.3, 2.0, 0.0, 0.0, 0.0}};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 1, ranges, in);
    for (int i = 1; i < 3; i++)
        sample_either(0, 1, NULL, &in[i]);
    return POY_OK;
}

static const poy_rec_option rotation_options[] = {POYI_OPTION_WAVES};
static const poyi_calls rotation_calls = {sizeof rotation_options / sizeof rotation_options[0],
                                          open_rotation,
                                          close_rotation,
                                          value_rotation,
                                          pull_rotation,
                                          push_rotation};
static const poy_rec_example rotation_examples[] = {{"", "f64[3] f64[6,4] f64[6,4]"},
                                                    {"", "f64[3] f64[16,4] f64[10,4]"}};
const poy_rec_op poyi_record_rotation = {.state_version = 1,
                                         POYI_CALLS(rotation_calls),
                                         POYI_OPTIONS(rotation_options),
                                         POYI_EXAMPLES(rotation_examples),
                                         .sample = sample_rotation};

/* ---- plane_expansion, and with constant vectors plane_expansion_fixed: positions, vectors, modes, pols, axial ---- */

typedef struct incidence {
    poyi_incidence e;
    poy_basis *basis;
    int *pol;
    void *memory;
} incidence;
POYI_CALL_FITS(incidence);

static void close_incidence(void *call)
{
    incidence *x = call;
    poyi_free(&x->memory);
    poy_basis_destroy(&x->basis);
}

static poy_status open_incidence(poy_ctx *ctx, const poy_rec_item *item, void *call)
{
    incidence *x = call;
    const poy_rec_array *in = item->in;
    const size_t n = poyi_extent(item, 1, 0);
    POYI_TRY(ctx, poyi_pols(ctx, "plane_expansion", &in[3], &x->memory));
    x->pol = x->memory;
    POYI_TRY(ctx, poyi_record_basis(ctx, "plane_expansion", (int)poyi_choice(item->config, 0), &in[2], &in[4], &in[0],
                                    &x->basis));
    x->e = (poyi_incidence){.multipoles = x->basis,
                            .n = n,
                            .vectors = in[1].data,
                            .pol = x->pol,
                            .poltype = poyi_choice(item->config, 1) ? POY_PARITY : POY_HELICITY};
    return POY_OK;
}

static poy_status value_incidence(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    incidence *x = call;
    (void)item;
    return poyi_incidence_value(ctx, &x->e, out->data);
}

static poy_status pull_incidence(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                                 const poy_rec_array *grad)
{
    incidence *x = call;
    (void)item;
    return poyi_incidence_pullback(ctx, &x->e, cot->data, grad[0].data, grad[1].data);
}

static poy_status push_incidence(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                                 const poy_rec_array *out_tan)
{
    incidence *x = call;
    (void)item;
    return poyi_incidence_pushforward(ctx, &x->e, tan[0].data, tan[1].data, out_tan->data);
}

static poy_status sample_incidence(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[2] = {here, {0.3, 0.7, -0.05, 0.05, 0.2}};
    const int cylindrical = (int)poyi_choice(config, 0);
    (void)ctx;
    poyi_sample_ranges(seed, 2, ranges, in);
    for (int64_t i = 0; i < in[4].spec.dims[0]; i++) /* waves of each kz that there is */
        poyi_real(in, 4)[i] = poyi_complex(in, 1)[3 * i + 2].re;
    for (int64_t i = 0; cylindrical && i < in[1].spec.dims[0]; i++)
        poyi_complex(in, 1)[3 * i + 2].im = 0.0;
    sample_either(cylindrical, in[4].spec.dims[0], &in[0], &in[2]);
    for (int64_t i = 0; i < in[3].spec.dims[0]; i++)
        poyi_real(in, 3)[i] = (double)(i % 2);
    return POY_OK;
}

static const poy_rec_option incidence_options[] = {POYI_OPTION_WAVES, POYI_OPTION_POLTYPE};
static const poyi_calls incidence_calls = {sizeof incidence_options / sizeof incidence_options[0],
                                           open_incidence,
                                           close_incidence,
                                           value_incidence,
                                           pull_incidence,
                                           push_incidence};
static const poy_rec_example incidence_examples[] = {{"", "f64[2,3] c128[2,3] f64[12,4] f64[2] f64[0]"},
                                                     {"poltype=parity", "f64[1,3] c128[1,3] f64[6,4] f64[1] f64[0]"}};
/* Vectors that stand still may lie along z, and belong to the kz of cylinders. */
static const poy_rec_example fixed_examples[] = {{"poltype=parity", "f64[1,3] c128[2,3] f64[6,4] f64[2] f64[0]"},
                                                 {"waves=cylindrical", "f64[2,3] c128[1,3] f64[6,4] f64[1] f64[1]"}};

#define INCIDENCE(name, list)                                               \
    const poy_rec_op poyi_record_##name = {.state_version = 1,              \
                                           POYI_CALLS(incidence_calls),     \
                                           POYI_OPTIONS(incidence_options), \
                                           POYI_EXAMPLES(list),             \
                                           .sample = sample_incidence}
INCIDENCE(plane_expansion, incidence_examples);
INCIDENCE(plane_expansion_fixed, fixed_examples);

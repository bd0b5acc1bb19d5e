/* periodic.c: records of what repeats: couplings with all images of a lattice, chains in cylindrical waves, channels of plane arrays and
 * of gratings. They keep no state: a derivative makes the sums and their derivatives together. */
#include <stdlib.h>

#include "scatter/periodic/lattice_diff.h"
#include "scatter/record/axial.h"
#include "scatter/waves/expand/translation.h"

static poy_poltype poltype_of(const void *config, int option)
{
    return poyi_choice(config, option) ? POY_PARITY : POY_HELICITY;
}

/* ---- lattice_expansion ---- */

enum { DESTINATION, SOURCE, KS, KPAR, LATTICE, AXIAL, ROWS, COLUMNS };
enum { WAVES, POLTYPE, ETA, LATTICE_OPTIONS };

/* The bases of a call, its lattice and kz. */
typedef struct coupling {
    poy_basis *destination, *source;
    poyi_bloch bloch;
    poyi_bloch_expansion e;
    poyi_axial axial;
} coupling;
POYI_CALL_FITS(coupling);

static void close_coupling(void *call)
{
    coupling *x = call;
    poyi_free(&x->axial.memory);
    poy_basis_destroy(&x->destination);
    poy_basis_destroy(&x->source);
}

static poy_status infer_coupling(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                 poy_rec_size *size)
{
    const int64_t dim = in[KPAR].dims[0], most = poyi_choice(config, WAVES) ? 2 : 3;
    (void)out, (void)size;
    if (dim < 1 || dim > most)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "lattice_expansion: kpar has %lld components, these waves have 1 to %lld",
                         (long long)dim, (long long)most);
    if (in[ROWS].dims[0] == 0 || in[COLUMNS].dims[0] == 0)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "lattice_expansion: a basis without modes");
    return POY_OK;
}

static poy_status open_coupling(poy_ctx *ctx, const poy_rec_item *item, void *call)
{
    coupling *x = call;
    const poy_rec_array *in = item->in;
    const int cylindrical = (int)poyi_choice(item->config, WAVES);
    const poy_c128 *ks = in[KS].data;
    poy_lattice lattice = {.dim = (int)poyi_extent(item, KPAR, 0)};
    memcpy(lattice.a, in[LATTICE].data, poy_rec_bytes(&in[LATTICE].spec));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "lattice_expansion", "ks", &in[KS]));
    POYI_TRY(ctx, poyi_bloch_make(ctx, &lattice, in[KPAR].data, ((const poyi_choices *)item->config)->real[ETA],
                                  cylindrical ? POY_BASIS_CYLINDRICAL : POY_BASIS_SPHERICAL, &x->bloch));
    POYI_TRY(ctx, poyi_record_basis(ctx, "lattice_expansion", cylindrical, &in[ROWS], &in[AXIAL], &in[DESTINATION],
                                    &x->destination));
    POYI_TRY(ctx, poyi_record_basis(ctx, "lattice_expansion", cylindrical, &in[COLUMNS], &in[AXIAL], &in[SOURCE],
                                    &x->source));
    x->e = (poyi_bloch_expansion){
        &x->bloch, x->destination, x->source, {poyi_c(ks[0]), poyi_c(ks[1])}, poltype_of(item->config, POLTYPE)};
    const poyi_expansion labels = {.destination = x->destination, .source = x->source};
    POYI_TRY(ctx, poyi_axial_open(ctx, "lattice_expansion", &labels, &in[AXIAL], &x->axial));
    return POY_OK;
}

static poy_status value_coupling(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    coupling *x = call;
    (void)item;
    return poyi_bloch_value(ctx, &x->e, out->data);
}

static poy_status pull_coupling(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    coupling *x = call;
    (void)item;
    const poyi_bloch_inputs to = {.ks = grad[KS].data,
                                  .kpar = grad[KPAR].data,
                                  .a = grad[LATTICE].data,
                                  .destination = grad[DESTINATION].data,
                                  .source = grad[SOURCE].data,
                                  .axial = grad[AXIAL].data ? poyi_axial_values(&x->axial) : NULL};
    for (int i = DESTINATION; i <= LATTICE; i++)
        poyi_clear(&grad[i]);
    const poy_status status = poyi_bloch_pull(ctx, &x->e, cot[0].data, &to);
    if (status == POY_OK)
        poyi_axial_pull(&x->axial, &grad[AXIAL]);
    return status;
}

static poy_status push_coupling(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    coupling *x = call;
    (void)item;
    const poyi_bloch_inputs d = {.ks = tan[KS].data,
                                 .kpar = tan[KPAR].data,
                                 .a = tan[LATTICE].data,
                                 .destination = tan[DESTINATION].data,
                                 .source = tan[SOURCE].data,
                                 .axial = poyi_axial_push(&x->axial, &tan[AXIAL])};
    return poyi_bloch_push(ctx, &x->e, &d, out_tan[0].data);
}

static const poyi_range ks_range = {1.9, 2.2, 0.05, 0.2, 0.0}, near = {-0.2, 0.2, 0.0, 0.0, 0.0},
                        kz_range = {0.2, 0.4, 0.0, 0.0, 0.5};

/* Origins of destination and source apart in the cell. */
static poy_status sample_coupling(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[6] = {near,    near, ks_range, {0.1, 0.4, 0.0, 0.0, 0.0}, {-0.1, 0.1, 0.0, 0.0, 0.0},
                                  kz_range};
    const int64_t dim = in[KPAR].spec.dims[0];
    (void)ctx;
    poyi_sample_ranges(seed, 6, ranges, in);
    for (int64_t i = 0; i < dim; i++)
        poyi_real(in, LATTICE)[i * dim + i] += 2.1;
    for (int side = DESTINATION; side <= SOURCE; side++) {
        for (int64_t i = 0; i < in[side].spec.dims[0]; i++) {
            poyi_real(in, side)[3 * i] += side == SOURCE ? 0.7 : 0.0;
            poyi_real(in, side)[3 * i + 1] += 0.8 * (double)i;
        }
        const poy_rec_array *modes = &in[side == SOURCE ? COLUMNS : ROWS];
        if (poyi_choice(config, WAVES))
            poyi_sample_axial_modes(in[side].spec.dims[0], in[AXIAL].spec.dims[0], modes);
        else
            poyi_sample_modes(in[side].spec.dims[0], modes);
    }
    return POY_OK;
}

static const poy_rec_option lattice_options[LATTICE_OPTIONS] = {
    POYI_OPTION_WAVES, POYI_OPTION_POLTYPE, {"eta", POY_REC_REAL, NULL, "0", "split of Ewald's sums, 0: automatic"}};
static const poyi_calls coupling_calls = {sizeof lattice_options / sizeof lattice_options[0],
                                          open_coupling,
                                          close_coupling,
                                          value_coupling,
                                          pull_coupling,
                                          push_coupling};
static const poy_rec_example coupling_examples[] = {
    {"", "f64[1,3] f64[1,3] c128[2] f64[2] f64[2,2] f64[0] f64[6,4] f64[6,4]"},
    {"eta=0.8", "f64[2,3] f64[1,3] c128[2] f64[1] f64[1,1] f64[0] f64[12,4] f64[6,4]"},
    {"", "f64[1,3] f64[1,3] f64[2] f64[3] f64[3,3] f64[0] f64[6,4] f64[6,4]"},
    {"waves=cylindrical", "f64[1,3] f64[1,3] c128[2] f64[1] f64[1,1] f64[2] f64[12,4] f64[12,4]"},
    {"waves=cylindrical", "f64[2,3] f64[1,3] c128[2] f64[2] f64[2,2] f64[1] f64[12,4] f64[6,4]"}};
const poy_rec_op poyi_record_lattice_expansion = {.state_version = 1,
                                                  POYI_CALLS(coupling_calls),
                                                  POYI_OPTIONS(lattice_options),
                                                  POYI_EXAMPLES(coupling_examples),
                                                  .infer = infer_coupling,
                                                  .sample = sample_coupling};

/* ---- lattice_expansion_from_table: values, rows, columns ---- */

enum { VALUES, TABLE_ROWS, TABLE_COLUMNS };

/* values [pairs][wavenumbers][harmonics], and as the tables of an expansion. */
typedef struct tables {
    poy_basis *destination, *source;
    size_t pairs, wavenumbers, size;
    int n;
    poyi_xcomplex *table[2]; /* [pairs][size] */
    void *memory;
} tables;

static void close_tables(tables *t)
{
    poyi_free(&t->memory);
    poy_basis_destroy(&t->destination);
    poy_basis_destroy(&t->source);
}

static poy_status infer_tables(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                               poy_rec_size *size)
{
    const int64_t wavenumbers = in[VALUES].dims[2];
    (void)out, (void)size;
    if (wavenumbers != 1 && (wavenumbers != 2 || poyi_choice(config, 0)))
        return POYI_FAIL(ctx, POY_ERR_SHAPE,
                         "lattice_expansion_from_table: %lld wavenumbers, needs 1, or 2 of helicity",
                         (long long)wavenumbers);
    return POY_OK;
}

static poy_status open_tables(poy_ctx *ctx, const poy_rec_item *item, tables *t)
{
    poy_status status;
    const poy_rec_array *in = item->in;
    *t = (tables){.pairs = poyi_extent(item, VALUES, 0) * poyi_extent(item, VALUES, 1),
                  .wavenumbers = poyi_extent(item, VALUES, 2)};
    POYI_TO_DONE(
        ctx, poyi_record_basis(ctx, "lattice_expansion_from_table", 0, &in[TABLE_ROWS], NULL, NULL, &t->destination));
    POYI_TO_DONE(ctx,
                 poyi_record_basis(ctx, "lattice_expansion_from_table", 0, &in[TABLE_COLUMNS], NULL, NULL, &t->source));
    t->n = poyi_largest_degree(t->destination) + poyi_largest_degree(t->source);
    t->size = poyi_table_size(t->n);
    if (t->destination->n_positions != poyi_extent(item, VALUES, 0) ||
        t->source->n_positions != poyi_extent(item, VALUES, 1) || t->size != poyi_extent(item, VALUES, 3)) {
        status = POYI_FAIL(
            ctx, POY_ERR_SHAPE,
            "lattice_expansion_from_table: values of %zu pairs with %zu harmonics, these modes have %zu by "
            "%zu origins and need %zu harmonics",
            t->pairs, poyi_extent(item, VALUES, 3), t->destination->n_positions, t->source->n_positions, t->size);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.record",
                                      t->wavenumbers * t->pairs * t->size * sizeof(poyi_xcomplex), &t->memory));
    t->table[0] = t->memory;
    t->table[1] = t->table[0] + (t->wavenumbers - 1) * t->pairs * t->size;
done:
    if (status != POY_OK)
        close_tables(t);
    return status;
}

/* Between values and tables: the place of harmonic (l, m) of a pair and wavenumber in each. */
static void exchange(const tables *t, int take, poy_c128 *values)
{
    for (size_t i = 0; i < t->pairs; i++)
        for (size_t w = 0; w < t->wavenumbers; w++)
            for (int l = 0; l <= t->n; l++)
                for (int m = -l; m <= l; m++) {
                    poyi_xcomplex *at = t->table[w] + i * t->size + poyi_table_place(t->n, l, m);
                    poy_c128 *value = values + (i * t->wavenumbers + w) * t->size + (size_t)(l * (l + 1) + m);
                    if (take)
                        *at = CMPLXL(value->re, value->im);
                    else
                        *value = (poy_c128){(double)creall(*at), (double)cimagl(*at)};
                }
}

static poyi_expand_call table_call(const poy_rec_item *item, const tables *t)
{
    return (poyi_expand_call){.destination = t->destination,
                              .source = t->source,
                              .ks = {1.0, (double)t->wavenumbers},
                              .poltype = poltype_of(item->config, 0),
                              .singular = 1};
}

/* Linear: the tangent is the value at the tangent. */
static poy_status apply_table(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *values, poy_c128 *out)
{
    tables t;
    POYI_TRY(ctx, open_tables(ctx, item, &t));
    exchange(&t, 1, values->data);
    poyi_expand_call call = table_call(item, &t);
    call.task = POYI_EXPAND_VALUE;
    call.image[0] = t.table[0];
    call.image[1] = t.table[1];
    call.out = out;
    const poy_status status = poyi_expand_multipoles(ctx, call);
    close_tables(&t);
    return status;
}

static poy_status evaluate_table(poy_ctx *ctx, const poy_rec_item *item)
{
    return apply_table(ctx, item, &item->in[VALUES], item->out[0].data);
}

static poy_status push_table(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                             const poy_rec_array *out_tan)
{
    return apply_table(ctx, item, &tan[VALUES], out_tan[0].data);
}

static poy_status pull_table(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                             const poy_rec_array *grad)
{
    tables t;
    if (!grad[VALUES].data)
        return POY_OK;
    POYI_TRY(ctx, open_tables(ctx, item, &t));
    poyi_expand_call call = table_call(item, &t);
    call.task = POYI_EXPAND_PULLBACK;
    call.g_image[0] = t.table[0];
    call.g_image[1] = t.table[1];
    call.g_out = cot[0].data;
    const poy_status status = poyi_expand_multipoles(ctx, call);
    if (status == POY_OK)
        exchange(&t, 0, grad[VALUES].data);
    close_tables(&t);
    return status;
}

static poy_status sample_table(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 1, (const poyi_range[]){{-1.0, 1.0, -1.0, 1.0, 0.0}}, in);
    poyi_sample_modes(in[VALUES].spec.dims[0], &in[TABLE_ROWS]);
    poyi_sample_modes(in[VALUES].spec.dims[1], &in[TABLE_COLUMNS]);
    return POY_OK;
}

static const poy_rec_option table_options[] = {POYI_OPTION_POLTYPE};
static const poy_rec_example table_examples[] = {{"", "c128[1,1,2,9] f64[6,4] f64[6,4]"},
                                                 {"poltype=parity", "c128[2,1,1,9] f64[12,4] f64[6,4]"},
                                                 {"", "f64[1,1,1,9] f64[6,4] f64[6,4]"}};
const poy_rec_op poyi_record_lattice_expansion_from_table = {.state_version = 1,
                                                             .flags = POY_REC_NEEDS_INPUTS,
                                                             POYI_CHOICES(table_options),
                                                             POYI_EXAMPLES(table_examples),
                                                             .infer = infer_tables,
                                                             .evaluate = evaluate_table,
                                                             .pullback = pull_table,
                                                             .pushforward = push_table,
                                                             .sample = sample_table};

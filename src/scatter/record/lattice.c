/* lattice.c: records of lattice sums. */
#include <stdlib.h>

#include "scatter/periodic/lattice_diff.h"
#include "scatter/record/common.h"
#include "scatter/waves/expand/translation.h"

/* ---- lattice_sum ---- */

enum { K, KPAR, A, R };

enum { LMAX, WAVES, SUM_OPTIONS };

static int degree_of(const void *config)
{
    return (int)poyi_choice(config, LMAX);
}

static int is_axial(const void *config)
{
    return (int)poyi_choice(config, WAVES);
}

static size_t places_of(const void *config)
{
    return is_axial(config) ? 2 * (size_t)degree_of(config) + 1 : poyi_table_size(degree_of(config));
}

static poy_status infer_sum(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                            poy_rec_size *size)
{
    const int64_t lmax = poyi_choice(config, LMAX), dim = in[KPAR].dims[0], parts = is_axial(config) ? 2 : 3;
    if (lmax < 0 || lmax > POY_LATTICE_DEGREE_MAX - 2)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice_sum: lmax = %lld, needs 0 to %d", (long long)lmax,
                         POY_LATTICE_DEGREE_MAX - 2);
    if (dim < 1 || dim > parts || in[R].dims[0] != parts)
        return POYI_FAIL(ctx, POY_ERR_SHAPE,
                         "lattice_sum: kpar has %lld components and r %lld; these waves need 1 to %lld and %lld",
                         (long long)dim, (long long)in[R].dims[0], (long long)parts, (long long)parts);
    out->dims[0] = (int64_t)places_of(config);
    size->scratch = places_of(config) * poyi_lattice_tables((int)dim) * sizeof(poyi_xcomplex);
    return POY_OK;
}

static poy_lattice_sum sum_of(const poy_rec_item *item)
{
    return (poy_lattice_sum){.dim = (int)poyi_extent(item, KPAR, 0),
                             .k = *poyi_complex(item->in, K),
                             .kpar = item->in[KPAR].data,
                             .a = item->in[A].data,
                             .r = item->in[R].data};
}

static poy_status evaluate_sum(poy_ctx *ctx, const poy_rec_item *item)
{
    const poy_lattice_sum sum = sum_of(item);
    POYI_TRY(ctx, is_axial(item->config)
                      ? poy_lattice_sum_cylindrical(ctx, &sum, degree_of(item->config), item->out[0].data)
                      : poy_lattice_sum_spherical(ctx, &sum, degree_of(item->config), item->out[0].data));
    return POY_OK;
}

/* Tables of the jacobian at the places of the output. */
static poy_status jacobian(poy_ctx *ctx, const poy_rec_item *item, poyi_xcomplex **out)
{
    const poy_lattice_sum sum = sum_of(item);
    *out = item->scratch;
    POYI_TRY(ctx, is_axial(item->config)
                      ? poyi_lattice_jacobian_axial(ctx, &sum, degree_of(item->config), *out)
                      : poyi_lattice_jacobian(ctx, &sum, degree_of(item->config), POYI_SLOPES, *out));
    return POY_OK;
}

static poyi_xcomplex entry_of(const poy_rec_item *item, const poyi_xcomplex *table, int64_t i)
{
    int l = 0;
    if (is_axial(item->config))
        return table[i];
    while ((int64_t)(l + 1) * (l + 1) <= i)
        l++;
    return table[poyi_table_place(degree_of(item->config), l, (int)(i - (int64_t)l * (l + 1)))];
}

static poy_status pull_sum(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    poyi_xcomplex *table;
    const poy_c128 *g = cot[0].data;
    const int64_t n = (int64_t)places_of(item->config);
    POYI_TRY(ctx, jacobian(ctx, item, &table));
    for (int input = K; input <= R; input++) {
        const size_t count = input == K ? 1 : poy_rec_bytes(&item->in[input].spec) / sizeof(double);
        for (size_t c = 0; c < count; c++) {
            poyi_xcomplex sum = 0.0L; /* sum conj(g) dD */
            table += n;
            for (int64_t i = 0; g && i < n; i++)
                sum += poyi_xmul(CMPLXL(g[i].re, -g[i].im), entry_of(item, table, i));
            if (!grad[input].data)
                continue;
            if (input == K)
                *poyi_complex(grad, K) = (poy_c128){(double)creall(sum), -(double)cimagl(sum)};
            else
                poyi_real(grad, input)[c] = (double)creall(sum);
        }
    }
    return POY_OK;
}

static poy_status push_sum(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                           const poy_rec_array *out_tan)
{
    poyi_xcomplex *table;
    poy_c128 *out = out_tan[0].data;
    const int64_t n = (int64_t)places_of(item->config);
    poyi_clear(&out_tan[0]);
    POYI_TRY(ctx, jacobian(ctx, item, &table));
    for (int input = K; input <= R; input++) {
        const size_t count = input == K ? 1 : poy_rec_bytes(&item->in[input].spec) / sizeof(double);
        for (size_t c = 0; c < count; c++) {
            table += n;
            if (!tan[input].data)
                continue;
            const poyi_xcomplex d = input == K ? CMPLXL(poyi_complex(tan, K)->re, poyi_complex(tan, K)->im)
                                               : (poyi_xcomplex)poyi_real(tan, input)[c];
            for (int64_t i = 0; i < n; i++) {
                const poyi_xcomplex part = poyi_xmul(d, entry_of(item, table, i));
                out[i].re += (double)creall(part);
                out[i].im += (double)cimagl(part);
            }
        }
    }
    return POY_OK;
}

static poy_status sample_sum(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[4] = {[K] = {1.8, 2.3, 0.05, 0.4, 0.0},
                                  [KPAR] = {-0.4, 0.4, 0.0, 0.0, 0.0},
                                  [A] = {-0.2, 0.2, 0.0, 0.0, 0.0},
                                  [R] = {0.1, 0.5, 0.0, 0.0, 0.0}};
    const int64_t dim = in[KPAR].spec.dims[0];
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 4, ranges, in);
    for (int64_t i = 0; i < dim; i++)
        poyi_real(in, A)[i * dim + i] += 1.6;
    return POY_OK;
}

static const poy_rec_option sum_options[SUM_OPTIONS] = {
    {"lmax", POY_REC_INTEGER, NULL, NULL, "degrees, or orders of cylindrical waves, 0 to 62"},
    {"waves", POY_REC_WORD, "spherical|cylindrical", "spherical", "entries: l (l + 1) + m, or lmax + m"}};
static const poy_rec_example sum_examples[] = {{"lmax=2", "c128[] f64[1] f64[1,1] f64[3]"},
                                               {"lmax=3", "c128[] f64[2] f64[2,2] f64[3]"},
                                               {"lmax=1", "f64[] f64[3] f64[3,3] f64[3]"},
                                               {"lmax=2;waves=cylindrical", "c128[] f64[1] f64[1,1] f64[2]"},
                                               {"lmax=3;waves=cylindrical", "c128[] f64[2] f64[2,2] f64[2]"}};
const poy_rec_op poyi_record_lattice_sum = {.state_version = 1,
                                            .flags = POY_REC_NEEDS_INPUTS,
                                            POYI_CHOICES(sum_options),
                                            POYI_EXAMPLES(sum_examples),
                                            .infer = infer_sum,
                                            .evaluate = evaluate_sum,
                                            .pullback = pull_sum,
                                            .pushforward = push_sum,
                                            .sample = sample_sum};

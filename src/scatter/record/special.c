/* special.c: records of special functions, elementwise: labels, which are constant, and arguments have one shape. They keep no
 * state. */
#include <stdlib.h>

#include "poynting/special.h"
#include "scatter/record/common.h"

/* Scratch: LABELS arrays of labels, then SPARES of complex numbers for what the caller does not give or want. */
enum { LABELS = 3, SPARES = 3 };

static size_t count_of(const poy_rec_item *item)
{
    return (size_t)poy_rec_count(&item->in[0].spec);
}

static int64_t *labels_at(const poy_rec_item *item, size_t i)
{
    return (int64_t *)item->scratch + i * count_of(item);
}

static void *spare_at(const poy_rec_item *item, size_t i)
{
    return (poy_c128 *)(void *)labels_at(item, LABELS) + i * count_of(item);
}

static poy_status infer_alike(poy_ctx *ctx, int n_in, const poy_rec_spec *in, poy_rec_size *size)
{
    for (int i = 1; i < n_in; i++)
        for (int k = 0; k < in[0].rank || k < in[i].rank; k++)
            if (in[i].rank != in[0].rank || in[i].dims[k] != in[0].dims[k])
                return POYI_FAIL(ctx, POY_ERR_SHAPE,
                                 "input %d has another shape than input 0: labels and arguments need "
                                 "one shape",
                                 i);
    size->scratch = (size_t)poy_rec_count(in) * (LABELS * sizeof(int64_t) + SPARES * sizeof(poy_c128));
    return POY_OK;
}

#define ALIKE(n)                                                                                             \
    static poy_status infer_##n(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out, \
                                poy_rec_size *size)                                                          \
    {                                                                                                        \
        (void)config, (void)out;                                                                             \
        return infer_alike(ctx, n, in, size);                                                                \
    }
ALIKE(2)
ALIKE(3)
ALIKE(4)
ALIKE(6)
#undef ALIKE

/* A tangent, or zeros; where a gradient goes, or nowhere. */
static const void *tangent(const poy_rec_item *item, const poy_rec_array *a, size_t spare)
{
    return a->data ? a->data : memset(spare_at(item, spare), 0, count_of(item) * sizeof(poy_c128));
}

static void *gradient(const poy_rec_item *item, const poy_rec_array *a, size_t spare)
{
    return a->data ? a->data : spare_at(item, spare);
}

static poy_status read_labels(poy_ctx *ctx, const char *who, const poy_rec_item *item, size_t n, const int *input,
                              const char *const *names)
{
    for (size_t i = 0; i < n; i++)
        POYI_TRY(ctx, poyi_labels(ctx, who, names[i], &item->in[input[i]], labels_at(item, i)));
    return POY_OK;
}

/* Labels l = 2, 1, 3, ... and m = 1, 0, -1, ...; arguments away from cuts and poles. */
static void sample_labels(const poy_rec_array *l, const poy_rec_array *m)
{
    for (int64_t i = 0; l && i < poy_rec_count(&l->spec); i++)
        ((double *)l->data)[i] = (double)(2 + (i % 3 == 1 ? -1 : i % 3 / 2));
    for (int64_t i = 0; m && i < poy_rec_count(&m->spec); i++)
        ((double *)m->data)[i] = (double)(1 - i % 3);
}

/* ---- bessel: order, z ---- */

enum { FUNCTION, SPHERICAL, DERIVATIVE, BESSEL_OPTIONS };

static poy_status evaluate_bessel(poy_ctx *ctx, const poy_rec_item *item)
{
    typedef poy_status cylindrical(poy_ctx * ctx, size_t n, const double *v, const poy_c128 *z, poy_c128 *out);
    typedef poy_status spherical(poy_ctx * ctx, size_t n, const int64_t *l, const poy_c128 *z, poy_c128 *out);
    static cylindrical *const by_order[2][4] = {{poy_sf_jv, poy_sf_yv, poy_sf_hankel1, poy_sf_hankel2},
                                                {poy_sf_jv_d, poy_sf_yv_d, poy_sf_hankel1_d, poy_sf_hankel2_d}};
    static spherical *const by_degree[2][4] = {
        {poy_sf_spherical_jn, poy_sf_spherical_yn, poy_sf_spherical_hankel1, poy_sf_spherical_hankel2},
        {poy_sf_spherical_jn_d, poy_sf_spherical_yn_d, poy_sf_spherical_hankel1_d, poy_sf_spherical_hankel2_d}};
    const int64_t kind = poyi_choice(item->config, FUNCTION), d = poyi_choice(item->config, DERIVATIVE);
    if (!poyi_choice(item->config, SPHERICAL)) {
        POYI_TRY(ctx, by_order[d][kind](ctx, count_of(item), item->in[0].data, item->in[1].data, item->out[0].data));
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_labels(ctx, "bessel", "order", &item->in[0], labels_at(item, 0)));
    POYI_TRY(ctx, by_degree[d][kind](ctx, count_of(item), labels_at(item, 0), item->in[1].data, item->out[0].data));
    return POY_OK;
}

static poy_status pull_bessel(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                              const poy_rec_array *grad)
{
    const void *c = item->config;
    POYI_TRY(ctx, poy_sf_bessel_vjp(ctx, count_of(item), (poy_bessel_kind)poyi_choice(c, FUNCTION),
                                    (int)poyi_choice(c, SPHERICAL), (int)poyi_choice(c, DERIVATIVE), item->in[0].data,
                                    item->in[1].data, cot->data, gradient(item, &grad[1], 0)));
    return POY_OK;
}

static poy_status push_bessel(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const void *c = item->config;
    POYI_TRY(ctx, poy_sf_bessel_jvp(ctx, count_of(item), (poy_bessel_kind)poyi_choice(c, FUNCTION),
                                    (int)poyi_choice(c, SPHERICAL), (int)poyi_choice(c, DERIVATIVE), item->in[0].data,
                                    item->in[1].data, tangent(item, &tan[1], 0), out_tan->data));
    return POY_OK;
}

static const poyi_range argument = {0.8, 1.6, 0.1, 0.5, 0.0}, angle = {0.4, 1.2, 0.0, 0.0, 0.0};

static poy_status sample_bessel(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx;
    poyi_sample_ranges(seed, 2, (const poyi_range[]){{0.3, 2.5, 0.0, 0.0, 0.0}, argument}, in);
    if (poyi_choice(config, SPHERICAL))
        sample_labels(&in[0], NULL);
    return POY_OK;
}

static const poy_rec_option bessel_options[BESSEL_OPTIONS] = {
    {"function", POY_REC_WORD, "j|y|h1|h2", "j", "the kind"},
    {"spherical", POY_REC_WORD, "no|yes", "no", "of degrees, else of orders"},
    {"derivative", POY_REC_WORD, "no|yes", "no", "d/dz instead of the function"}};
static const poy_rec_example bessel_examples[] = {{"", "f64[3] c128[3]"},
                                                  {"function=h1;spherical=yes", "f64[2,2] c128[2,2]"},
                                                  {"function=y;derivative=yes", "f64[] f64[]"},
                                                  {"spherical=yes;derivative=yes", "f64[0] c128[0]"}};
const poy_rec_op poyi_record_bessel = {.state_version = 1,
                                       .flags = POY_REC_NEEDS_INPUTS,
                                       POYI_CHOICES(bessel_options),
                                       POYI_EXAMPLES(bessel_examples),
                                       .infer = infer_2,
                                       .evaluate = evaluate_bessel,
                                       .pullback = pull_bessel,
                                       .pushforward = push_bessel,
                                       .sample = sample_bessel};

/* ---- angular: degree, order, z ---- */

static const int first_two[2] = {0, 1};
static const char *const degree_order[2] = {"degree", "order"};

static poy_status evaluate_angular(poy_ctx *ctx, const poy_rec_item *item)
{
    const int64_t *l = labels_at(item, 0), *m = labels_at(item, 1);
    const size_t n = count_of(item);
    POYI_TRY(ctx, read_labels(ctx, "angular", item, 2, first_two, degree_order));
    switch (poyi_choice(item->config, 0)) {
    case POY_ANGULAR_LPMV: POYI_TRY(ctx, poy_sf_lpmv(ctx, n, m, l, item->in[2].data, item->out[0].data)); break;
    case POY_ANGULAR_PI: POYI_TRY(ctx, poy_sf_pi_fun(ctx, n, l, m, item->in[2].data, item->out[0].data)); break;
    default: POYI_TRY(ctx, poy_sf_tau_fun(ctx, n, l, m, item->in[2].data, item->out[0].data));
    }
    return POY_OK;
}

static poy_status pull_angular(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    POYI_TRY(ctx, read_labels(ctx, "angular", item, 2, first_two, degree_order));
    POYI_TRY(ctx,
             poy_sf_angular_vjp(ctx, count_of(item), (poy_angular_kind)poyi_choice(item->config, 0), labels_at(item, 0),
                                labels_at(item, 1), item->in[2].data, cot->data, gradient(item, &grad[2], 0)));
    return POY_OK;
}

static poy_status push_angular(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    POYI_TRY(ctx, read_labels(ctx, "angular", item, 2, first_two, degree_order));
    POYI_TRY(ctx,
             poy_sf_angular_jvp(ctx, count_of(item), (poy_angular_kind)poyi_choice(item->config, 0), labels_at(item, 0),
                                labels_at(item, 1), item->in[2].data, tangent(item, &tan[2], 0), out_tan->data));
    return POY_OK;
}

static poy_status sample_angular(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 1, (const poyi_range[]){{-0.6, 0.6, -0.3, 0.3, 0.0}}, &in[2]);
    sample_labels(&in[0], &in[1]);
    return POY_OK;
}

static const poy_rec_option angular_options[] = {
    {"function", POY_REC_WORD, "legendre|pi|tau", "legendre",
     "P_l^m(z), m P_l^m / sin(theta) or dP_l^m / d(theta), z = cos(theta)"}};
static const poy_rec_example angular_examples[] = {
    {"", "f64[3] f64[3] c128[3]"}, {"function=pi", "f64[3] f64[3] f64[3]"}, {"function=tau", "f64[] f64[] c128[]"}};
const poy_rec_op poyi_record_angular = {.state_version = 1,
                                        .flags = POY_REC_NEEDS_INPUTS,
                                        POYI_CHOICES(angular_options),
                                        POYI_EXAMPLES(angular_examples),
                                        .infer = infer_3,
                                        .evaluate = evaluate_angular,
                                        .pullback = pull_angular,
                                        .pushforward = push_angular,
                                        .sample = sample_angular};

/* ---- incgamma: n, z ---- */

static poy_status evaluate_incgamma(poy_ctx *ctx, const poy_rec_item *item)
{
    POYI_TRY(ctx, poy_sf_incgamma(ctx, count_of(item), item->in[0].data, item->in[1].data, item->out[0].data));
    return POY_OK;
}

static poy_status pull_incgamma(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    POYI_TRY(ctx, poy_sf_incgamma_vjp(ctx, count_of(item), item->in[0].data, item->in[1].data, cot->data,
                                      gradient(item, &grad[1], 0)));
    return POY_OK;
}

static poy_status push_incgamma(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    POYI_TRY(ctx, poy_sf_incgamma_jvp(ctx, count_of(item), item->in[0].data, item->in[1].data,
                                      tangent(item, &tan[1], 0), out_tan->data));
    return POY_OK;
}

static poy_status sample_incgamma(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 1, &argument, &in[1]);
    for (int64_t i = 0; i < poy_rec_count(&in[0].spec); i++)
        poyi_real(in, 0)[i] = 0.5 - (double)i;
    return POY_OK;
}

static const poy_rec_example incgamma_examples[] = {{"", "f64[3] c128[3]"}, {"", "f64[] f64[]"}};
const poy_rec_op poyi_record_incgamma = {.state_version = 1,
                                         .flags = POY_REC_NEEDS_INPUTS,
                                         POYI_EXAMPLES(incgamma_examples),
                                         .infer = infer_2,
                                         .evaluate = evaluate_incgamma,
                                         .pullback = pull_incgamma,
                                         .pushforward = push_incgamma,
                                         .sample = sample_incgamma};

/* ---- intkambe: n, z, eta ---- */

static const int first_one[1] = {0};
static const char *const only_n[1] = {"n"};

static poy_status evaluate_intkambe(poy_ctx *ctx, const poy_rec_item *item)
{
    POYI_TRY(ctx, read_labels(ctx, "intkambe", item, 1, first_one, only_n));
    POYI_TRY(ctx, poy_sf_intkambe(ctx, count_of(item), labels_at(item, 0), item->in[1].data, item->in[2].data,
                                  item->out[0].data));
    return POY_OK;
}

static poy_status pull_intkambe(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    POYI_TRY(ctx, read_labels(ctx, "intkambe", item, 1, first_one, only_n));
    POYI_TRY(ctx, poy_sf_intkambe_vjp(ctx, count_of(item), labels_at(item, 0), item->in[1].data, item->in[2].data,
                                      cot->data, gradient(item, &grad[1], 0), gradient(item, &grad[2], 1)));
    return POY_OK;
}

static poy_status push_intkambe(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    POYI_TRY(ctx, read_labels(ctx, "intkambe", item, 1, first_one, only_n));
    POYI_TRY(ctx, poy_sf_intkambe_jvp(ctx, count_of(item), labels_at(item, 0), item->in[1].data, item->in[2].data,
                                      tangent(item, &tan[1], 0), tangent(item, &tan[2], 1), out_tan->data));
    return POY_OK;
}

static poy_status sample_intkambe(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 2, (const poyi_range[]){argument, {0.8, 1.2, -0.1, 0.1, 0.0}}, &in[1]);
    sample_labels(NULL, &in[0]);
    return POY_OK;
}

static const poy_rec_example intkambe_examples[] = {{"", "f64[3] c128[3] c128[3]"}, {"", "f64[] c128[] f64[]"}};
const poy_rec_op poyi_record_intkambe = {.state_version = 1,
                                         .flags = POY_REC_NEEDS_INPUTS,
                                         POYI_EXAMPLES(intkambe_examples),
                                         .infer = infer_3,
                                         .evaluate = evaluate_intkambe,
                                         .pullback = pull_intkambe,
                                         .pushforward = push_intkambe,
                                         .sample = sample_intkambe};

/* ---- sph_harm: theta, phi, degree, order ---- */

static const int last_two[2] = {2, 3};

static poy_status evaluate_sph_harm(poy_ctx *ctx, const poy_rec_item *item)
{
    POYI_TRY(ctx, read_labels(ctx, "sph_harm", item, 2, last_two, degree_order));
    POYI_TRY(ctx, poy_sf_sph_harm(ctx, count_of(item), labels_at(item, 1), labels_at(item, 0), item->in[1].data,
                                  item->in[0].data, item->out[0].data));
    return POY_OK;
}

static poy_status pull_sph_harm(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    POYI_TRY(ctx, read_labels(ctx, "sph_harm", item, 2, last_two, degree_order));
    POYI_TRY(ctx, poy_sf_sph_harm_vjp(ctx, count_of(item), labels_at(item, 1), labels_at(item, 0), item->in[1].data,
                                      item->in[0].data, cot->data, gradient(item, &grad[1], 0),
                                      gradient(item, &grad[0], 1)));
    return POY_OK;
}

static poy_status push_sph_harm(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    POYI_TRY(ctx, read_labels(ctx, "sph_harm", item, 2, last_two, degree_order));
    POYI_TRY(ctx, poy_sf_sph_harm_jvp(ctx, count_of(item), labels_at(item, 1), labels_at(item, 0), item->in[1].data,
                                      item->in[0].data, tangent(item, &tan[1], 0), tangent(item, &tan[0], 1),
                                      out_tan->data));
    return POY_OK;
}

static poy_status sample_sph_harm(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 2, (const poyi_range[]){{0.4, 1.2, -0.2, 0.2, 0.0}, angle}, in);
    sample_labels(&in[2], &in[3]);
    return POY_OK;
}

static const poy_rec_example sph_harm_examples[] = {{"", "c128[3] f64[3] f64[3] f64[3]"},
                                                    {"", "f64[] f64[] f64[] f64[]"}};
const poy_rec_op poyi_record_sph_harm = {.state_version = 1,
                                         .flags = POY_REC_NEEDS_INPUTS,
                                         POYI_EXAMPLES(sph_harm_examples),
                                         .infer = infer_4,
                                         .evaluate = evaluate_sph_harm,
                                         .pullback = pull_sph_harm,
                                         .pushforward = push_sph_harm,
                                         .sample = sample_sph_harm};

/* ---- wignerd: degree, row, column, phi, theta, psi ---- */

static const int first_three[3] = {0, 1, 2};
static const char *const degree_row_column[3] = {"degree", "row", "column"};

static poy_status evaluate_wignerd(poy_ctx *ctx, const poy_rec_item *item)
{
    const poy_rec_array *in = item->in;
    POYI_TRY(ctx, read_labels(ctx, "wignerd", item, 3, first_three, degree_row_column));
    POYI_TRY(ctx, poy_sf_wignerd(ctx, count_of(item), labels_at(item, 0), labels_at(item, 1), labels_at(item, 2),
                                 in[3].data, in[4].data, in[5].data, item->out[0].data));
    return POY_OK;
}

static poy_status pull_wignerd(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    const poy_rec_array *in = item->in;
    POYI_TRY(ctx, read_labels(ctx, "wignerd", item, 3, first_three, degree_row_column));
    POYI_TRY(ctx, poy_sf_wignerd_vjp(ctx, count_of(item), labels_at(item, 0), labels_at(item, 1), labels_at(item, 2),
                                     in[3].data, in[4].data, in[5].data, cot->data, gradient(item, &grad[3], 0),
                                     gradient(item, &grad[4], 1), gradient(item, &grad[5], 2)));
    return POY_OK;
}

static poy_status push_wignerd(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    const poy_rec_array *in = item->in;
    POYI_TRY(ctx, read_labels(ctx, "wignerd", item, 3, first_three, degree_row_column));
    POYI_TRY(ctx, poy_sf_wignerd_jvp(ctx, count_of(item), labels_at(item, 0), labels_at(item, 1), labels_at(item, 2),
                                     in[3].data, in[4].data, in[5].data, tangent(item, &tan[3], 0),
                                     tangent(item, &tan[4], 1), tangent(item, &tan[5], 2), out_tan->data));
    return POY_OK;
}

static poy_status sample_wignerd(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 3, (const poyi_range[]){angle, {0.4, 1.2, -0.2, 0.2, 0.0}, angle}, &in[3]);
    sample_labels(&in[0], &in[1]);
    for (int64_t i = 0; i < poy_rec_count(&in[2].spec); i++)
        poyi_real(in, 2)[i] = (double)(i % 2);
    return POY_OK;
}

static const poy_rec_example wignerd_examples[] = {{"", "f64[3] f64[3] f64[3] f64[3] c128[3] f64[3]"},
                                                   {"", "f64[] f64[] f64[] f64[] f64[] f64[]"}};
const poy_rec_op poyi_record_wignerd = {.state_version = 1,
                                        .flags = POY_REC_NEEDS_INPUTS,
                                        POYI_EXAMPLES(wignerd_examples),
                                        .infer = infer_6,
                                        .evaluate = evaluate_wignerd,
                                        .pullback = pull_wignerd,
                                        .pushforward = push_wignerd,
                                        .sample = sample_wignerd};

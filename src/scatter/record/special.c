/* special.c: records of special functions, elementwise: labels, which are constant, and arguments have one shape. They keep no
 * state. */
#include "poynting/special.h"

#include "scatter/record/common.h"

enum { LABELS = 3, SPARES = 3 };

/* A function: its inputs, and which of them are labels. */
typedef struct special {
    poyi_calls calls;
    const char *who;
    int inputs, labels, input[LABELS];
    const char *name[LABELS];
} special;

/* A call: the labels, and room for what the caller does not give or want. */
typedef struct elements {
    size_t n;
    int64_t *label[LABELS];
    poy_c128 *spare;
} elements;
POYI_CALL_FITS(elements);

static const special *special_of(const void *config)
{
    return ((const poyi_choices *)config)->user;
}

static poy_status infer_alike(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                              poy_rec_size *size)
{
    (void)out;
    for (int i = 1; i < special_of(config)->inputs; i++)
        for (int k = 0; k < in[0].rank || k < in[i].rank; k++)
            if (in[i].rank != in[0].rank || in[i].dims[k] != in[0].dims[k])
                return POYI_FAIL(ctx, POY_ERR_SHAPE,
                                 "input %d has another shape than input 0: labels and arguments need "
                                 "one shape",
                                 i);
    size->scratch = (size_t)poy_rec_count(in) * (LABELS * sizeof(int64_t) + SPARES * sizeof(poy_c128));
    return POY_OK;
}

static poy_status open_elements(poy_ctx *ctx, const poy_rec_item *item, void *call)
{
    elements *x = call;
    const special *s = special_of(item->config);
    int64_t *labels = item->scratch;
    x->n = (size_t)poy_rec_count(&item->in[0].spec);
    for (int i = 0; i < LABELS; i++, labels += x->n)
        x->label[i] = labels;
    x->spare = (poy_c128 *)(void *)labels;
    for (int i = 0; i < s->labels; i++)
        POYI_TRY(ctx, poyi_labels(ctx, s->who, s->name[i], &item->in[s->input[i]], x->label[i]));
    return POY_OK;
}

/* A tangent, or zeros; where a gradient goes, or nowhere. */
static const void *tangent(const elements *x, const poy_rec_array *a, size_t spare)
{
    return a->data ? a->data : memset(x->spare + spare * x->n, 0, x->n * sizeof(poy_c128));
}

static void *gradient(const elements *x, const poy_rec_array *a, size_t spare)
{
    return a->data ? a->data : x->spare + spare * x->n;
}

/* Labels l = 2, 1, 3, ... and m = 1, 0, -1, ...; arguments away from cuts and poles. */
static void sample_labels(const poy_rec_array *l, const poy_rec_array *m)
{
    for (int64_t i = 0; l && i < poy_rec_count(&l->spec); i++)
        ((double *)l->data)[i] = (double)(2 + (i % 3 == 1 ? -1 : i % 3 / 2));
    for (int64_t i = 0; m && i < poy_rec_count(&m->spec); i++)
        ((double *)m->data)[i] = (double)(1 - i % 3);
}

static const poyi_range argument = {0.8, 1.6, 0.1, 0.5, 0.0}, angle = {0.4, 1.2, 0.0, 0.0, 0.0};

/* ---- bessel: order, z ---- */

enum { FUNCTION, SPHERICAL, DERIVATIVE, BESSEL_OPTIONS };

static poy_status value_bessel(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    const elements *x = call;
    typedef poy_status cylindrical(poy_ctx * ctx, size_t n, const double *v, const poy_c128 *z, poy_c128 *out);
    typedef poy_status spherical(poy_ctx * ctx, size_t n, const int64_t *l, const poy_c128 *z, poy_c128 *out);
    static cylindrical *const by_order[2][4] = {{poy_sf_jv, poy_sf_yv, poy_sf_hankel1, poy_sf_hankel2},
                                                {poy_sf_jv_d, poy_sf_yv_d, poy_sf_hankel1_d, poy_sf_hankel2_d}};
    static spherical *const by_degree[2][4] = {
        {poy_sf_spherical_jn, poy_sf_spherical_yn, poy_sf_spherical_hankel1, poy_sf_spherical_hankel2},
        {poy_sf_spherical_jn_d, poy_sf_spherical_yn_d, poy_sf_spherical_hankel1_d, poy_sf_spherical_hankel2_d}};
    const int64_t kind = poyi_choice(item->config, FUNCTION), d = poyi_choice(item->config, DERIVATIVE);
    if (!poyi_choice(item->config, SPHERICAL))
        return by_order[d][kind](ctx, x->n, item->in[0].data, item->in[1].data, out->data);
    POYI_TRY(ctx, poyi_labels(ctx, "bessel", "order", &item->in[0], x->label[0]));
    return by_degree[d][kind](ctx, x->n, x->label[0], item->in[1].data, out->data);
}

static poy_status pull_bessel(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                              const poy_rec_array *grad)
{
    const elements *x = call;
    const void *c = item->config;
    return poy_sf_bessel_vjp(ctx, x->n, (poy_bessel_kind)poyi_choice(c, FUNCTION), (int)poyi_choice(c, SPHERICAL),
                             (int)poyi_choice(c, DERIVATIVE), item->in[0].data, item->in[1].data, cot->data,
                             gradient(x, &grad[1], 0));
}

static poy_status push_bessel(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const elements *x = call;
    const void *c = item->config;
    return poy_sf_bessel_jvp(ctx, x->n, (poy_bessel_kind)poyi_choice(c, FUNCTION), (int)poyi_choice(c, SPHERICAL),
                             (int)poyi_choice(c, DERIVATIVE), item->in[0].data, item->in[1].data,
                             tangent(x, &tan[1], 0), out_tan->data);
}

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
static const special bessel = {.calls = {sizeof bessel_options / sizeof bessel_options[0], open_elements, NULL,
                                         value_bessel, pull_bessel, push_bessel},
                               .who = "bessel",
                               .inputs = 2};
const poy_rec_op poyi_record_bessel = {.state_version = 1,
                                       POYI_CALLS(bessel),
                                       POYI_OPTIONS(bessel_options),
                                       POYI_EXAMPLES(bessel_examples),
                                       .infer = infer_alike,
                                       .sample = sample_bessel};

/* ---- angular: degree, order, z ---- */

static poy_status value_angular(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    const elements *x = call;
    const int64_t *l = x->label[0], *m = x->label[1];
    switch (poyi_choice(item->config, 0)) {
    case POY_ANGULAR_LPMV: return poy_sf_lpmv(ctx, x->n, m, l, item->in[2].data, out->data);
    case POY_ANGULAR_PI: return poy_sf_pi_fun(ctx, x->n, l, m, item->in[2].data, out->data);
    default: return poy_sf_tau_fun(ctx, x->n, l, m, item->in[2].data, out->data);
    }
}

static poy_status pull_angular(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    const elements *x = call;
    return poy_sf_angular_vjp(ctx, x->n, (poy_angular_kind)poyi_choice(item->config, 0), x->label[0], x->label[1],
                              item->in[2].data, cot->data, gradient(x, &grad[2], 0));
}

static poy_status push_angular(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    const elements *x = call;
    return poy_sf_angular_jvp(ctx, x->n, (poy_angular_kind)poyi_choice(item->config, 0), x->label[0], x->label[1],
                              item->in[2].data, tangent(x, &tan[2], 0), out_tan->data);
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
static const special angular = {.calls = {sizeof angular_options / sizeof angular_options[0], open_elements, NULL,
                                          value_angular, pull_angular, push_angular},
                                .who = "angular",
                                .inputs = 3,
                                .labels = 2,
                                .input = {0, 1},
                                .name = {"degree", "order"}};
const poy_rec_op poyi_record_angular = {.state_version = 1,
                                        POYI_CALLS(angular),
                                        POYI_OPTIONS(angular_options),
                                        POYI_EXAMPLES(angular_examples),
                                        .infer = infer_alike,
                                        .sample = sample_angular};

/* ---- incgamma: n, z ---- */

static poy_status value_incgamma(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    const elements *x = call;
    return poy_sf_incgamma(ctx, x->n, item->in[0].data, item->in[1].data, out->data);
}

static poy_status pull_incgamma(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    const elements *x = call;
    return poy_sf_incgamma_vjp(ctx, x->n, item->in[0].data, item->in[1].data, cot->data, gradient(x, &grad[1], 0));
}

static poy_status push_incgamma(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    const elements *x = call;
    return poy_sf_incgamma_jvp(ctx, x->n, item->in[0].data, item->in[1].data, tangent(x, &tan[1], 0), out_tan->data);
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
static const special incgamma = {
    .calls = {0, open_elements, NULL, value_incgamma, pull_incgamma, push_incgamma}, .who = "incgamma", .inputs = 2};
const poy_rec_op poyi_record_incgamma = {.state_version = 1,
                                         POYI_CALLS(incgamma),
                                         POYI_EXAMPLES(incgamma_examples),
                                         .infer = infer_alike,
                                         .sample = sample_incgamma};

/* ---- intkambe: n, z, eta ---- */

static poy_status value_intkambe(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    const elements *x = call;
    return poy_sf_intkambe(ctx, x->n, x->label[0], item->in[1].data, item->in[2].data, out->data);
}

static poy_status pull_intkambe(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    const elements *x = call;
    return poy_sf_intkambe_vjp(ctx, x->n, x->label[0], item->in[1].data, item->in[2].data, cot->data,
                               gradient(x, &grad[1], 0), gradient(x, &grad[2], 1));
}

static poy_status push_intkambe(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    const elements *x = call;
    return poy_sf_intkambe_jvp(ctx, x->n, x->label[0], item->in[1].data, item->in[2].data, tangent(x, &tan[1], 0),
                               tangent(x, &tan[2], 1), out_tan->data);
}

static poy_status sample_intkambe(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 2, (const poyi_range[]){argument, {0.8, 1.2, -0.1, 0.1, 0.0}}, &in[1]);
    sample_labels(NULL, &in[0]);
    return POY_OK;
}

static const poy_rec_example intkambe_examples[] = {{"", "f64[3] c128[3] c128[3]"}, {"", "f64[] c128[] f64[]"}};
static const special intkambe = {.calls = {0, open_elements, NULL, value_intkambe, pull_intkambe, push_intkambe},
                                 .who = "intkambe",
                                 .inputs = 3,
                                 .labels = 1,
                                 .input = {0},
                                 .name = {"n"}};
const poy_rec_op poyi_record_intkambe = {.state_version = 1,
                                         POYI_CALLS(intkambe),
                                         POYI_EXAMPLES(intkambe_examples),
                                         .infer = infer_alike,
                                         .sample = sample_intkambe};

/* ---- sph_harm: theta, phi, degree, order ---- */

static poy_status value_sph_harm(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    const elements *x = call;
    return poy_sf_sph_harm(ctx, x->n, x->label[1], x->label[0], item->in[1].data, item->in[0].data, out->data);
}

static poy_status pull_sph_harm(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    const elements *x = call;
    return poy_sf_sph_harm_vjp(ctx, x->n, x->label[1], x->label[0], item->in[1].data, item->in[0].data, cot->data,
                               gradient(x, &grad[1], 0), gradient(x, &grad[0], 1));
}

static poy_status push_sph_harm(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    const elements *x = call;
    return poy_sf_sph_harm_jvp(ctx, x->n, x->label[1], x->label[0], item->in[1].data, item->in[0].data,
                               tangent(x, &tan[1], 0), tangent(x, &tan[0], 1), out_tan->data);
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
static const special sph_harm = {.calls = {0, open_elements, NULL, value_sph_harm, pull_sph_harm, push_sph_harm},
                                 .who = "sph_harm",
                                 .inputs = 4,
                                 .labels = 2,
                                 .input = {2, 3},
                                 .name = {"degree", "order"}};
const poy_rec_op poyi_record_sph_harm = {.state_version = 1,
                                         POYI_CALLS(sph_harm),
                                         POYI_EXAMPLES(sph_harm_examples),
                                         .infer = infer_alike,
                                         .sample = sample_sph_harm};

/* ---- wignerd: degree, row, column, phi, theta, psi ---- */

static poy_status value_wignerd(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *out)
{
    const elements *x = call;
    const poy_rec_array *in = item->in;
    return poy_sf_wignerd(ctx, x->n, x->label[0], x->label[1], x->label[2], in[3].data, in[4].data, in[5].data,
                          out->data);
}

static poy_status pull_wignerd(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    const elements *x = call;
    const poy_rec_array *in = item->in;
    return poy_sf_wignerd_vjp(ctx, x->n, x->label[0], x->label[1], x->label[2], in[3].data, in[4].data, in[5].data,
                              cot->data, gradient(x, &grad[3], 0), gradient(x, &grad[4], 1), gradient(x, &grad[5], 2));
}

static poy_status push_wignerd(poy_ctx *ctx, const poy_rec_item *item, void *call, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    const elements *x = call;
    const poy_rec_array *in = item->in;
    return poy_sf_wignerd_jvp(ctx, x->n, x->label[0], x->label[1], x->label[2], in[3].data, in[4].data, in[5].data,
                              tangent(x, &tan[3], 0), tangent(x, &tan[4], 1), tangent(x, &tan[5], 2), out_tan->data);
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
static const special wignerd = {.calls = {0, open_elements, NULL, value_wignerd, pull_wignerd, push_wignerd},
                                .who = "wignerd",
                                .inputs = 6,
                                .labels = 3,
                                .input = {0, 1, 2},
                                .name = {"degree", "row", "column"}};
const poy_rec_op poyi_record_wignerd = {.state_version = 1,
                                        POYI_CALLS(wignerd),
                                        POYI_EXAMPLES(wignerd_examples),
                                        .infer = infer_alike,
                                        .sample = sample_wignerd};

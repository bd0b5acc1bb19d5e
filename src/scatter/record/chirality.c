/* chirality.c: records of chirality densities of plane waves, mode by mode. They keep no state. */
#include <stdlib.h>

#include "scatter/record/common.h"
#include "scatter/stack/chirality.h"

static double complex *parts(const poy_rec_array *a, int i)
{
    return a[i].data;
}

/* Forms of mode i, in three rows. */
static void put_forms(const poy_rec_array *out, size_t n, size_t i, double sign, const double complex forms[3])
{
    for (size_t form = 0; form < 3; form++)
        parts(out, 0)[form * n + i] = sign * forms[form];
}

static void take_forms(const poy_rec_array *cot, size_t n, size_t i, double sign, double complex forms[3])
{
    for (size_t form = 0; form < 3; form++)
        forms[form] = sign * parts(cot, 0)[form * n + i];
}

/* ---- chirality_density: ks, normal, z ---- */

static poy_status check_density(poy_ctx *ctx, const char *who, const poy_rec_item *item, const char *const names[3])
{
    for (int i = 0; i < 3; i++)
        POYI_TRY(ctx, poyi_rec_finite(ctx, who, names[i], &item->in[i]));
    return POY_OK;
}

/* Components across are real: q^2 = Re(k^2 - kn^2). */
static poy_status density_inputs(poy_ctx *ctx, const poy_rec_item *item, size_t i, poyi_chirality_inputs *x)
{
    const double complex k = parts(item->in, 0)[i], kn = parts(item->in, 1)[i];
    *x = (poyi_chirality_inputs){kn, creal(k * k - kn * kn), creal(k) * creal(k) + cimag(k) * cimag(k)};
    if (k == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "chirality_density: the wavenumber of mode %zu is 0", i);
    return POY_OK;
}

static poy_status evaluate_density(poy_ctx *ctx, const poy_rec_item *item)
{
    static const char *const names[3] = {"ks", "normal", "z"};
    const size_t n = poyi_extent(item, 0, 0);
    POYI_TRY(ctx, check_density(ctx, "chirality_density", item, names));
    for (size_t i = 0; i < n; i++) {
        poyi_chirality_inputs x;
        double complex forms[3];
        POYI_TRY(ctx, density_inputs(ctx, item, i, &x));
        const poyi_chirality_forms f = poyi_chirality_upright(&x);
        poyi_chirality_mean(&f, x.kn, item->in[2].data, forms);
        put_forms(item->out, n, i, 1.0, forms);
    }
    return POY_OK;
}

static poy_status pull_density(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    const size_t n = poyi_extent(item, 0, 0);
    double g_z[2] = {0.0, 0.0};
    for (size_t i = 0; i < n; i++) {
        poyi_chirality_inputs x, to;
        poyi_chirality_forms g_f;
        double complex g[3], g_kn = 0.0;
        const double complex k = parts(item->in, 0)[i];
        POYI_TRY(ctx, density_inputs(ctx, item, i, &x));
        const poyi_chirality_forms f = poyi_chirality_upright(&x);
        take_forms(cot, n, i, 1.0, g);
        poyi_chirality_mean_pull(&f, x.kn, item->in[2].data, g, &g_f, &g_kn, g_z);
        poyi_chirality_upright_pull(&x, &g_f, &to);
        if (grad[0].data)
            parts(grad, 0)[i] = 2.0 * conj(k) * to.q2 + 2.0 * k * to.k2;
        if (grad[1].data)
            parts(grad, 1)[i] = g_kn + to.kn - 2.0 * conj(x.kn) * to.q2;
    }
    if (grad[2].data)
        memcpy(grad[2].data, g_z, sizeof g_z);
    return POY_OK;
}

static poy_status push_density(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                               const poy_rec_array *out_tan)
{
    static const double still[2] = {0.0, 0.0};
    const size_t n = poyi_extent(item, 0, 0);
    for (size_t i = 0; i < n; i++) {
        poyi_chirality_inputs x;
        double complex forms[3];
        const double complex k = parts(item->in, 0)[i], dk = tan[0].data ? parts(tan, 0)[i] : 0.0;
        const double complex dn = tan[1].data ? parts(tan, 1)[i] : 0.0;
        POYI_TRY(ctx, density_inputs(ctx, item, i, &x));
        const poyi_chirality_inputs d = {dn, 2.0 * creal(k * dk - x.kn * dn), 2.0 * creal(conj(k) * dk)};
        const poyi_chirality_forms f = poyi_chirality_upright(&x), d_f = poyi_chirality_upright_push(&x, &d);
        poyi_chirality_mean_push(&f, x.kn, item->in[2].data, &d_f, dn, tan[2].data ? tan[2].data : still, forms);
        put_forms(out_tan, n, i, 1.0, forms);
    }
    return POY_OK;
}

static const poyi_range places = {0.1, 0.8, 0.0, 0.0, 0.0};

static poy_status sample_density(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 3, (const poyi_range[]){{1.6, 2.2, 0.0, 0.2, 0.0}, {0.6, 1.2, 0.1, 0.5, 0.0}, places}, in);
    return POY_OK;
}

static const poy_rec_example density_examples[] = {{"", "c128[3] c128[3] f64[2]"}, {"", "f64[2] c128[2] f64[2]"}};
const poy_rec_op poyi_record_chirality_density = {.state_version = 1,
                                                  .flags = POY_REC_NEEDS_INPUTS,
                                                  POYI_EXAMPLES(density_examples),
                                                  .evaluate = evaluate_density,
                                                  .pullback = pull_density,
                                                  .pushforward = push_density,
                                                  .sample = sample_density};

/* ---- oriented_chirality: transverse, normal, z, pols ---- */

/* Waves up and down of a mode: wavevectors by component, and fields. Along z they are those of upright ones. */
typedef struct mode {
    int axis, pol;
    double complex kn;
    const double *q;
    poyi_wave_call call;
    int64_t pols[2];
    poy_c128 k[3][2], place[2], e[6];
} mode;

static poy_status open_mode(poy_ctx *ctx, const poy_rec_item *item, size_t i, mode *m)
{
    const double pol = poyi_real(item->in, 3)[i];
    if (pol != 0.0 && pol != 1.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "oriented_chirality: pol %zu is %g, needs 0 or 1", i, pol);
    *m = (mode){.axis = (int)poyi_choice(item->config, 0),
                .pol = (int)pol,
                .kn = parts(item->in, 1)[i],
                .q = poyi_real(item->in, 0) + 2 * i};
    m->pols[0] = m->pols[1] = m->pol;
    for (int way = 0; way < 2; way++) {
        m->k[m->axis][way] = poyi_pair(way ? -m->kn : m->kn);
        for (int c = 0; c < 2; c++)
            m->k[(m->axis + 1 + c) % 3][way] = (poy_c128){m->q[c], 0.0};
    }
    m->call = (poyi_wave_call){.function = POYI_VPW_A, .n = 2, .pol = m->pols};
    for (int c = 0; c < 6; c++)
        m->call.argument[c].z = c < 3 ? m->k[c] : m->place;
    if (m->axis != 2)
        POYI_TRY(ctx, poyi_vector_wave(ctx, &m->call, m->e));
    return POY_OK;
}

/* q^2 + kn^2 = k^2 */
static double complex square_of(const mode *m)
{
    return m->kn * m->kn + m->q[0] * m->q[0] + m->q[1] * m->q[1];
}

static poyi_chirality_inputs upright_of(const mode *m)
{
    return (poyi_chirality_inputs){m->kn, m->q[0] * m->q[0] + m->q[1] * m->q[1], cabs(square_of(m))};
}

static poy_status forms_of(poy_ctx *ctx, const mode *m, size_t i, poyi_chirality_forms *f)
{
    if (square_of(m) == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "oriented_chirality: the wavenumber of mode %zu is 0", i);
    if (m->axis == 2) {
        const poyi_chirality_inputs x = upright_of(m);
        *f = poyi_chirality_upright(&x);
        return POY_OK;
    }
    *f = (poyi_chirality_forms){0.0, 0.0, 0.0};
    for (int c = 0; c < 3; c++) {
        const double complex up = poyi_c(m->e[c]), down = poyi_c(m->e[3 + c]);
        f->up += 2.0 * creal(conj(up) * up);
        f->down += 2.0 * creal(conj(down) * down);
        f->cross += 4.0 * conj(down) * up;
    }
    return POY_OK;
}

/* Cotangents of q and kn from those of the forms; kn added to. */
static poy_status pull_forms(poy_ctx *ctx, const mode *m, const poyi_chirality_forms *g, double g_q[2],
                             double complex *g_kn)
{
    if (m->axis == 2) {
        const poyi_chirality_inputs x = upright_of(m);
        poyi_chirality_inputs to;
        poyi_chirality_upright_pull(&x, g, &to);
        const double complex by_square = to.k2 * square_of(m) / x.k2;
        *g_kn += to.kn + 2.0 * conj(m->kn) * by_square;
        for (int c = 0; c < 2; c++)
            g_q[c] = 2.0 * m->q[c] * (to.q2 + creal(by_square));
        return POY_OK;
    }
    poy_c128 g_e[6], g_k[3][2];
    poy_c128 *to[6] = {g_k[0], g_k[1], g_k[2], NULL, NULL, NULL};
    for (int c = 0; c < 3; c++) { /* of conj(down) up: down conj(g) for down's, with up */
        const double complex up = poyi_c(m->e[c]), down = poyi_c(m->e[3 + c]);
        g_e[c] = poyi_pair(4.0 * g->up * up + 4.0 * down * g->cross);
        g_e[3 + c] = poyi_pair(4.0 * g->down * down + 4.0 * up * conj(g->cross));
    }
    POYI_TRY(ctx, poyi_vector_wave_pullback(ctx, &m->call, g_e, to));
    *g_kn += poyi_c(g_k[m->axis][0]) - poyi_c(g_k[m->axis][1]);
    for (int c = 0; c < 2; c++)
        g_q[c] = g_k[(m->axis + 1 + c) % 3][0].re + g_k[(m->axis + 1 + c) % 3][1].re;
    return POY_OK;
}

static poy_status push_forms(poy_ctx *ctx, const mode *m, const double d_q[2], double complex d_kn,
                             poyi_chirality_forms *d_f)
{
    if (m->axis == 2) {
        const poyi_chirality_inputs x = upright_of(m);
        const double dq2 = 2.0 * (m->q[0] * d_q[0] + m->q[1] * d_q[1]);
        const double complex d_square = 2.0 * m->kn * d_kn + dq2;
        const poyi_chirality_inputs d = {d_kn, dq2, creal(conj(square_of(m)) * d_square) / x.k2};
        *d_f = poyi_chirality_upright_push(&x, &d);
        return POY_OK;
    }
    poy_c128 d_k[3][2], d_e[6];
    const poy_c128 *d[6] = {d_k[0], d_k[1], d_k[2], NULL, NULL, NULL};
    for (int way = 0; way < 2; way++) {
        d_k[m->axis][way] = poyi_pair(way ? -d_kn : d_kn);
        for (int c = 0; c < 2; c++)
            d_k[(m->axis + 1 + c) % 3][way] = (poy_c128){d_q[c], 0.0};
    }
    POYI_TRY(ctx, poyi_vector_wave_pushforward(ctx, &m->call, d, d_e));
    *d_f = (poyi_chirality_forms){0.0, 0.0, 0.0};
    for (int c = 0; c < 3; c++) {
        const double complex up = poyi_c(m->e[c]), down = poyi_c(m->e[3 + c]);
        d_f->up += 4.0 * creal(conj(up) * poyi_c(d_e[c]));
        d_f->down += 4.0 * creal(conj(down) * poyi_c(d_e[3 + c]));
        d_f->cross += 4.0 * (conj(poyi_c(d_e[3 + c])) * up + conj(down) * poyi_c(d_e[c]));
    }
    return POY_OK;
}

static poy_status evaluate_oriented(poy_ctx *ctx, const poy_rec_item *item)
{
    static const char *const names[3] = {"transverse", "normal", "z"};
    const size_t n = poyi_extent(item, 1, 0);
    POYI_TRY(ctx, check_density(ctx, "oriented_chirality", item, names));
    for (size_t i = 0; i < n; i++) {
        mode m;
        poyi_chirality_forms f;
        double complex forms[3];
        POYI_TRY(ctx, open_mode(ctx, item, i, &m));
        POYI_TRY(ctx, forms_of(ctx, &m, i, &f));
        poyi_chirality_mean(&f, m.kn, item->in[2].data, forms);
        put_forms(item->out, n, i, poyi_pol_sign(m.pol), forms);
    }
    return POY_OK;
}

static poy_status pull_oriented(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                const poy_rec_array *grad)
{
    const size_t n = poyi_extent(item, 1, 0);
    double g_z[2] = {0.0, 0.0};
    for (size_t i = 0; i < n; i++) {
        mode m;
        poyi_chirality_forms f, g_f;
        double complex g[3], g_kn = 0.0;
        double g_q[2];
        POYI_TRY(ctx, open_mode(ctx, item, i, &m));
        POYI_TRY(ctx, forms_of(ctx, &m, i, &f));
        take_forms(cot, n, i, poyi_pol_sign(m.pol), g);
        poyi_chirality_mean_pull(&f, m.kn, item->in[2].data, g, &g_f, &g_kn, g_z);
        POYI_TRY(ctx, pull_forms(ctx, &m, &g_f, g_q, &g_kn));
        if (grad[0].data)
            memcpy(poyi_real(grad, 0) + 2 * i, g_q, sizeof g_q);
        if (grad[1].data)
            parts(grad, 1)[i] = g_kn;
    }
    if (grad[2].data)
        memcpy(grad[2].data, g_z, sizeof g_z);
    return POY_OK;
}

static poy_status push_oriented(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                const poy_rec_array *out_tan)
{
    static const double still[2] = {0.0, 0.0};
    const size_t n = poyi_extent(item, 1, 0);
    for (size_t i = 0; i < n; i++) {
        mode m;
        poyi_chirality_forms f, d_f;
        double complex forms[3];
        const double complex d_kn = tan[1].data ? parts(tan, 1)[i] : 0.0;
        POYI_TRY(ctx, open_mode(ctx, item, i, &m));
        POYI_TRY(ctx, forms_of(ctx, &m, i, &f));
        POYI_TRY(ctx, push_forms(ctx, &m, tan[0].data ? poyi_real(tan, 0) + 2 * i : still, d_kn, &d_f));
        poyi_chirality_mean_push(&f, m.kn, item->in[2].data, &d_f, d_kn, tan[2].data ? tan[2].data : still, forms);
        put_forms(out_tan, n, i, poyi_pol_sign(m.pol), forms);
    }
    return POY_OK;
}

static poy_status sample_oriented(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 3, (const poyi_range[]){{0.3, 0.9, 0.0, 0.0, 0.0}, {0.6, 1.2, 0.1, 0.5, 0.0}, places}, in);
    for (int64_t i = 0; i < in[3].spec.dims[0]; i++)
        poyi_real(in, 3)[i] = (double)(i % 2);
    return POY_OK;
}

static const poy_rec_option oriented_options[] = {{"axis", POY_REC_WORD, "x|y|z", "z", "the normal"}};
static const poy_rec_example oriented_examples[] = {{"", "f64[3,2] c128[3] f64[2] f64[3]"},
                                                    {"axis=x", "f64[2,2] c128[2] f64[2] f64[2]"},
                                                    {"axis=y", "f64[2,2] f64[2] f64[2] f64[2]"}};
const poy_rec_op poyi_record_oriented_chirality = {.state_version = 1,
                                                   .flags = POY_REC_NEEDS_INPUTS,
                                                   POYI_CHOICES(oriented_options),
                                                   POYI_EXAMPLES(oriented_examples),
                                                   .evaluate = evaluate_oriented,
                                                   .pullback = pull_oriented,
                                                   .pushforward = push_oriented,
                                                   .sample = sample_oriented};

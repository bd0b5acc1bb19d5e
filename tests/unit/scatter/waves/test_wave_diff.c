/* test_wave_diff.c: derivatives of single waves and translations, of rotations, permutations, phases and media: the adjoint
 * identity, differences of order 8, and where there is no derivative. */
#include "wave_diff_fixture.h"

/* ---- single vector waves ---- */

enum { ELEMENTS = 6 };

static const int64_t wave_l[ELEMENTS] = {1, 2, 3, 5, 4, 1}, wave_m[ELEMENTS] = {0, -1, 3, 2, -4, 1},
                     wave_pol[ELEMENTS] = {0, 1, 1, 0, 1, 0};

static poyi_wave_call wave_call(const void *data, const double *x)
{
    poyi_wave_call c = {
        .function = *(const poyi_wave_function *)data, .n = ELEMENTS, .l = wave_l, .m = wave_m, .pol = wave_pol};
    for (int a = 0; a < poyi_wave_arguments(c.function); a++)
        c.argument[a].z = pairs(x) + ELEMENTS * a;
    return c;
}

static poy_status wave_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    const poyi_wave_call c = wave_call(data, x);
    return poyi_vector_wave(ctx, &c, out);
}

static poy_status wave_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    const poyi_wave_call c = wave_call(data, x);
    const poy_c128 *tangents[POYI_WAVE_ARGUMENTS];
    for (int a = 0; a < POYI_WAVE_ARGUMENTS; a++)
        tangents[a] = pairs(d) + ELEMENTS * a;
    return poyi_vector_wave_pushforward(ctx, &c, tangents, d_out);
}

static poy_status wave_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    const poyi_wave_call c = wave_call(data, x);
    poy_c128 *gradients[POYI_WAVE_ARGUMENTS];
    for (int a = 0; a < POYI_WAVE_ARGUMENTS; a++)
        gradients[a] = pairs_of(g) + ELEMENTS * a;
    return poyi_vector_wave_pullback(ctx, &c, g_out, gradients);
}

static void test_waves(poy_ctx *ctx)
{
    static const char *const names[] = {"vsh_X",  "vsh_Y",  "vsh_Z", "vsw_M", "vsw_N",   "vsw_A",  "vsw_rM",
                                        "vsw_rN", "vsw_rA", "vcw_M", "vcw_N", "vcw_A",   "vcw_rM", "vcw_rN",
                                        "vcw_rA", "vpw_M",  "vpw_N", "vpw_A", "sph_harm"};
    for (int f = 0; f < POYI_WAVE_FUNCTION_COUNT; f++) {
        const poyi_wave_function function = (poyi_wave_function)f;
        const int n = poyi_wave_arguments(function);
        double x[2 * ELEMENTS * POYI_WAVE_ARGUMENTS] = {0.0};
        for (int a = 0; a < n; a++)
            for (int i = 0; i < ELEMENTS; i++) {
                double *at = x + 2 * (ELEMENTS * a + i);
                at[0] = 1.2 + 0.4 * draw();
                at[1] = 0.3 * draw();
                if (n == 5 && a == 4) { /* k of cylindrical waves: k^2 - kz^2 off the cut of k_rho */
                    at[0] += 1.4;
                    at[1] = 0.6 + 0.1 * draw();
                }
            }
        const subject s = {names[f],
                           2 * (size_t)n * ELEMENTS,
                           (size_t)poyi_wave_components(function) * ELEMENTS,
                           &function,
                           wave_value,
                           wave_push,
                           wave_pull,
                           0.004};
        check(ctx, &s, x);
    }
    /* at the poles of the angles and at the origin derivatives exist */
    const poyi_wave_function regular = POYI_VSW_RA, plane = POYI_VPW_A, cylinder = POYI_VCW_RN;
    double x[2 * ELEMENTS * 6] = {0.0};
    for (int i = 0; i < ELEMENTS; i++) {
        x[2 * i] = i < 3 ? 0.0 : 0.7;
        x[2 * (ELEMENTS + i)] = i % 2 ? 0.0 : 3.141592653589793;
        x[2 * (2 * ELEMENTS + i)] = 0.4;
    }
    poy_c128 out[3 * ELEMENTS];
    double d[2 * ELEMENTS * 6] = {0.0};
    d[2 * ELEMENTS] = d[2 * ELEMENTS + 2] = d[1] = 1.0;
    int finite = wave_push(ctx, &regular, x, d, out) == POY_OK;
    for (int i = 0; i < 3 * ELEMENTS; i++)
        finite &= isfinite(out[i].re) && isfinite(out[i].im);
    ok(finite, "spherical waves at poles and at the origin");
    double k[2 * ELEMENTS * 6], fixed[2 * ELEMENTS * 6] = {0.0};
    draw_into(2 * ELEMENTS * 6, 1.0, k);
    k[0] = k[1] = k[2 * ELEMENTS] = k[2 * ELEMENTS + 1] = 0.0;
    ok(wave_push(ctx, &plane, k, fixed, out) == POY_OK, "a plane wave along z, held there");
    fixed[2 * 2 * ELEMENTS] = fixed[2 * 3 * ELEMENTS] = 1.0;
    ok(wave_push(ctx, &plane, k, fixed, out) == POY_OK, "a longer one, at another point");
    fixed[2 * ELEMENTS] = 1.0;
    ok(wave_push(ctx, &plane, k, fixed, out) == POY_ERR_NOT_DIFFERENTIABLE, "turned away: %s", poy_ctx_cause(ctx));
    poy_c128 g[3 * ELEMENTS] = {{1.0, 0.0}};
    ok(wave_pull(ctx, &plane, k, g, fixed) == POY_ERR_NOT_DIFFERENTIABLE, "backwards, too");
    memset(g, 0, sizeof g);
    ok(wave_pull(ctx, &plane, k, g, fixed) == POY_OK, "but not without a cotangent");
    for (int i = 0; i < ELEMENTS; i++) {
        k[2 * i] = k[2 * (4 * ELEMENTS + i)] = 1.5;
        k[2 * i + 1] = k[2 * (4 * ELEMENTS + i) + 1] = 0.0;
    }
    g[0].re = 1.0;
    ok(wave_pull(ctx, &cylinder, k, g, fixed) == POY_ERR_NOT_DIFFERENTIABLE, "k_rho = 0: %s", poy_ctx_cause(ctx));
}

/* ---- single translations ---- */

typedef struct translation_data {
    poy_poltype poltype;
    int singular;
} translation_data;

static const int64_t tr_lambda[ELEMENTS] = {2, 1, 3, 4, 2, 1}, tr_mu[ELEMENTS] = {-1, 0, 2, -4, 0, 1},
                     tr_l[ELEMENTS] = {1, 3, 3, 2, 2, 5}, tr_m[ELEMENTS] = {1, -2, 2, 0, 0, 4};

static poyi_translation_call translation_call(const void *data, const double *x)
{
    const translation_data *t = data;
    return (poyi_translation_call){
        ELEMENTS, tr_lambda,        tr_mu,           wave_pol, tr_l, tr_m, wave_pol, t->poltype, t->singular,
        pairs(x), x + 2 * ELEMENTS, x + 3 * ELEMENTS};
}

static poy_status translation_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    const poyi_translation_call c = translation_call(data, x);
    return poy_sw_translate(ctx, ELEMENTS, c.lambda, c.mu, c.pol, c.l, c.m, c.qol, c.kr, c.theta, c.phi, c.poltype,
                            c.singular, out);
}

static poy_status translation_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    const poyi_translation_call c = translation_call(data, x);
    return poyi_sw_translate_pushforward(ctx, &c, pairs(d), d + 2 * ELEMENTS, d + 3 * ELEMENTS, d_out);
}

static poy_status translation_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    const poyi_translation_call c = translation_call(data, x);
    return poyi_sw_translate_pullback(ctx, &c, g_out, pairs_of(g), g + 2 * ELEMENTS, g + 3 * ELEMENTS);
}

static const int64_t cylinder_order[ELEMENTS] = {0, 1, -1, 3, -2, 5}, zero_order[ELEMENTS] = {0};
static const int64_t zero_pol[ELEMENTS] = {0};

static poyi_cylindrical_call cylinder_call(const void *data, const double *x)
{
    return (poyi_cylindrical_call){ELEMENTS,         cylinder_order,   *(const int *)data, pairs(x),
                                   x + 2 * ELEMENTS, x + 3 * ELEMENTS, x + 4 * ELEMENTS};
}

static poy_status cylinder_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    const poyi_cylindrical_call c = cylinder_call(data, x);
    return poy_cw_translate(ctx, ELEMENTS, c.kz, zero_order, zero_pol, c.kz, c.order, zero_pol, c.krr, c.phi, c.z,
                            c.singular, out);
}

static poy_status cylinder_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    const poyi_cylindrical_call c = cylinder_call(data, x);
    return poyi_cw_translate_pushforward(ctx, &c, pairs(d), d + 2 * ELEMENTS, d + 3 * ELEMENTS, d + 4 * ELEMENTS,
                                         d_out);
}

static poy_status cylinder_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    const poyi_cylindrical_call c = cylinder_call(data, x);
    return poyi_cw_translate_pullback(ctx, &c, g_out, pairs_of(g), g + 2 * ELEMENTS, g + 3 * ELEMENTS,
                                      g + 4 * ELEMENTS);
}

static void test_translations(poy_ctx *ctx)
{
    for (int singular = 0; singular < 2; singular++) {
        double x[5 * ELEMENTS] = {0.0};
        for (int i = 0; i < ELEMENTS; i++) {
            x[2 * i] = 2.0 + draw();
            x[2 * i + 1] = 0.2 * draw();
            x[2 * ELEMENTS + i] = 1.3 + draw();
            x[3 * ELEMENTS + i] = draw();
            x[4 * ELEMENTS + i] = draw();
        }
        for (int poltype = 0; poltype < 2; poltype++) {
            const translation_data t = {(poy_poltype)poltype, singular};
            const subject s = {singular ? "sw_translate, singular" : "sw_translate, regular",
                               4 * ELEMENTS,
                               ELEMENTS,
                               &t,
                               translation_value,
                               translation_push,
                               translation_pull,
                               0.005};
            check(ctx, &s, x);
        }
        const subject s = {singular ? "cw_translate, singular" : "cw_translate, regular",
                           5 * ELEMENTS,
                           ELEMENTS,
                           &singular,
                           cylinder_value,
                           cylinder_push,
                           cylinder_pull,
                           0.01};
        check(ctx, &s, x);
    }
}

/* ---- rotations, permutations, phases ---- */

static poy_status rotate_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    return poy_op_rotate(ctx, x, data, data, out);
}

static poy_status rotate_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    return poyi_rotate_pushforward(ctx, x, data, data, d, d_out);
}

static poy_status rotate_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    return poyi_rotate_pullback(ctx, x, data, data, g_out, g);
}

/* Cylinders turn about z only: the two other angles. */
static poy_status turn_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    return poy_op_rotate(ctx, (const double[]){x[0], 0.0, x[1]}, data, data, out);
}

static poy_status turn_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    return poyi_rotate_pushforward(ctx, (const double[]){x[0], 0.0, x[1]}, data, data,
                                   (const double[]){d[0], 0.0, d[1]}, d_out);
}

static poy_status turn_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    double angles[3];
    const poy_status status = poyi_rotate_pullback(ctx, (const double[]){x[0], 0.0, x[1]}, data, data, g_out, angles);
    g[0] = angles[0];
    g[1] = angles[2];
    return status;
}

typedef struct permutation_data {
    poy_poltype poltype;
    int turns;
} permutation_data;

static const int plane_pol[4] = {0, 1, 1, 0};

static poy_status permutation_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    const permutation_data *p = data;
    return poyi_plane_permutation(ctx, p->poltype, p->turns, 4, pairs(x), plane_pol, out);
}

static poy_status permutation_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    const permutation_data *p = data;
    return poyi_plane_permutation_pushforward(ctx, p->poltype, p->turns, 4, pairs(x), plane_pol, pairs(d), d_out);
}

static poy_status permutation_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    const permutation_data *p = data;
    return poyi_plane_permutation_pullback(ctx, p->poltype, p->turns, 4, pairs(x), plane_pol, g_out, pairs_of(g));
}

static poy_status phases_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    (void)data;
    return poyi_plane_phases(ctx, 3, x + 24, 4, pairs(x), out);
}

static poy_status phases_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    (void)data;
    return poyi_plane_phases_pushforward(ctx, 3, x + 24, 4, pairs(x), d + 24, pairs(d), d_out);
}

static poy_status phases_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    (void)data;
    return poyi_plane_phases_pullback(ctx, 3, x + 24, 4, pairs(x), g_out, g + 24, pairs_of(g));
}

static void draw_vectors(double *x)
{
    for (int i = 0; i < 12; i++) {
        x[2 * i] = (i % 2 ? -1.0 : 1.0) * (0.8 + 0.3 * draw());
        x[2 * i + 1] = 0.2 * draw();
    }
}

static void test_turns(poy_ctx *ctx)
{
    poy_basis *b = NULL, *c = NULL;
    const double kz[2] = {0.3, -0.2}, angles[3] = {0.4, 1.1, -0.8};
    double x[33] = {0.0};
    ok(poy_basis_sw_default(ctx, 4, 0, NULL, &b) == POY_OK &&
           poy_basis_cw_default(ctx, 2, kz, 3, 0, NULL, &c) == POY_OK,
       "bases");
    const size_t n = poy_basis_size(b), m = poy_basis_size(c);
    const subject sphere = {"rotation", 3, n * n, b, rotate_value, rotate_push, rotate_pull, 0.02};
    const subject cylinder = {"rotation of cylinders", 2, m * m, c, turn_value, turn_push, turn_pull, 0.02};
    check(ctx, &sphere, angles);
    check(ctx, &cylinder, angles);
    const double tilt[3] = {0.1, 1.0, 0.2}, none[3] = {0.1, 0.0, 0.2};
    poy_c128 *out = matrix(m, m);
    ok(poyi_rotate_pushforward(ctx, none, c, c, tilt, out) == POY_ERR_NOT_DIFFERENTIABLE, "cylinders do not tilt: %s",
       poy_ctx_cause(ctx));
    free(out);
    poy_basis_destroy(&b);
    poy_basis_destroy(&c);
    for (int poltype = 0; poltype < 2; poltype++)
        for (int turns = 1; turns <= 2; turns++) {
            const permutation_data p = {(poy_poltype)poltype, turns};
            const subject s = {"permutation", 24, 8, &p, permutation_value, permutation_push, permutation_pull, 0.01};
            draw_vectors(x);
            check(ctx, &s, x);
        }
    const permutation_data p = {POY_HELICITY, 1};
    poy_c128 value[8];
    double axial[24] = {0.0}, d[24] = {1.0};
    for (int i = 0; i < 4; i++)
        axial[6 * i + 4] = 1.3;
    ok(permutation_push(ctx, &p, axial, d, value) == POY_ERR_NOT_DIFFERENTIABLE, "along an axis: %s",
       poy_ctx_cause(ctx));
    const subject s = {"phases", 33, 12, NULL, phases_value, phases_push, phases_pull, 0.02};
    draw_vectors(x);
    draw_into(9, 1.5, x + 24);
    check(ctx, &s, x);
}

/* ---- media ---- */

static poy_status medium_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    const poy_medium m = {pairs(x)[0], pairs(x)[1], pairs(x)[2]};
    poyi_indices n;
    (void)data;
    const poy_status status = poyi_medium_waves(ctx, &m, &n);
    if (status != POY_OK)
        return status;
    out[0] = poyi_pair(x[6] * n.n[0]);
    out[1] = poyi_pair(x[6] * n.n[1]);
    out[2] = poyi_pair(n.impedance);
    return POY_OK;
}

static poy_status medium_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    const poy_medium m = {pairs(x)[0], pairs(x)[1], pairs(x)[2]}, dm = {pairs(d)[0], pairs(d)[1], pairs(d)[2]};
    (void)data;
    const poy_status status = poyi_medium_ks_pushforward(ctx, &m, x[6], &dm, d[6], d_out);
    return status != POY_OK ? status : poyi_medium_impedance_pushforward(ctx, &m, &dm, d_out + 2);
}

static poy_status medium_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    const poy_medium m = {pairs(x)[0], pairs(x)[1], pairs(x)[2]};
    poy_medium gk, gz;
    (void)data;
    const poy_status status = poyi_medium_ks_pullback(ctx, &m, x[6], g_out, &gk, g + 6);
    if (status != POY_OK)
        return status;
    const poy_status other = poyi_medium_impedance_pullback(ctx, &m, g_out[2], &gz);
    pairs_of(g)[0] = poyi_pair(poyi_c(gk.epsilon) + poyi_c(gz.epsilon));
    pairs_of(g)[1] = poyi_pair(poyi_c(gk.mu) + poyi_c(gz.mu));
    pairs_of(g)[2] = poyi_pair(poyi_c(gk.kappa) + poyi_c(gz.kappa));
    return other;
}

static void test_media(poy_ctx *ctx)
{
    const double dielectric[7] = {2.1, 0.3, 1.2, 0.1, 0.2, 0.05, 1.3}, metal[7] = {-6.0, 0.8, 1.1, 0.1, 0.1, 0.0, 1.3};
    const double gain[7] = {2.0, -0.8, 1.1, -0.1, 0.1, 0.0, 1.3};
    const subject s = {"media", 7, 3, NULL, medium_value, medium_push, medium_pull, 0.01};
    check(ctx, &s, dielectric);
    check(ctx, &s, metal);
    check(ctx, &s, gain);
    const poy_medium zero = {{1.0, 0.0}, {1.0, 0.0}, {1.0, 0.0}};
    poy_c128 out[2];
    ok(poyi_medium_ks_pushforward(ctx, &zero, 1.0, &zero, 0.0, out) == POY_ERR_NOT_DIFFERENTIABLE, "n - kappa = 0: %s",
       poy_ctx_cause(ctx));
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    test_waves(ctx);
    test_translations(ctx);
    test_turns(ctx);
    test_media(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

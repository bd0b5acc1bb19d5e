/* test_wave_functions.c: vector waves and coefficients of single modes against published values and reports, and what bad
 * labels and arguments get. */
#include <float.h>

#include "math/batch.h"
#include "poynting/waves.h"
#include "unit/special_table.h"

static int64_t label(double x)
{
    return (int64_t)x;
}

static poy_c128 pair(const double *x)
{
    return (poy_c128){x[0], x[1]};
}

/* ---- published values of special functions ---- */

static poy_status spherical_wave(poy_ctx *ctx, const published_case *c, poy_c128 *got)
{
    const int64_t l = label(c->in[0]), m = label(c->in[1]), pol = label(c->in[6]);
    const poy_c128 x = pair(c->in + 2), theta = {c->in[4], 0.0};
    const double phi = c->in[5];
    if (!strcmp(c->op, "vsw_M"))
        return poy_sf_vsw_M(ctx, 1, &l, &m, &x, &theta, &phi, got);
    if (!strcmp(c->op, "vsw_N"))
        return poy_sf_vsw_N(ctx, 1, &l, &m, &x, &theta, &phi, got);
    if (!strcmp(c->op, "vsw_rM"))
        return poy_sf_vsw_rM(ctx, 1, &l, &m, &x, &theta, &phi, got);
    if (!strcmp(c->op, "vsw_A"))
        return poy_sf_vsw_A(ctx, 1, &l, &m, &x, &theta, &phi, &pol, got);
    return poy_sf_vsw_rA(ctx, 1, &l, &m, &x, &theta, &phi, &pol, got);
}

static poy_status cylindrical_wave(poy_ctx *ctx, const published_case *c, poy_c128 *got)
{
    const int64_t m = label(c->in[1]), pol = label(c->in[8]);
    const poy_c128 x = pair(c->in + 2), k = pair(c->in + 6);
    if (!strcmp(c->op, "vcw_rM"))
        return poy_sf_vcw_rM(ctx, 1, c->in, &m, &x, c->in + 4, c->in + 5, got);
    if (!strcmp(c->op, "vcw_N"))
        return poy_sf_vcw_N(ctx, 1, c->in, &m, &x, c->in + 4, c->in + 5, &k, got);
    return poy_sf_vcw_A(ctx, 1, c->in, &m, &x, c->in + 4, c->in + 5, &k, &pol, got);
}

static poy_status plane_wave(poy_ctx *ctx, const published_case *c, poy_c128 *got)
{
    const int64_t pol = label(c->in[7]);
    const poy_c128 kx = {c->in[0], 0.0}, ky = {c->in[1], 0.0}, kz = pair(c->in + 2);
    if (!strcmp(c->op, "vpw_M"))
        return poy_sf_vpw_M(ctx, 1, &kx, &ky, &kz, c->in + 4, c->in + 5, c->in + 6, got);
    return poy_sf_vpw_A(ctx, 1, &kx, &ky, &kz, c->in + 4, c->in + 5, c->in + 6, &pol, got);
}

static poy_status translation(poy_ctx *ctx, const published_case *c, poy_c128 *got)
{
    if (!strncmp(c->op, "tl_vcw", 6)) {
        const int64_t mu = label(c->in[1]), m = label(c->in[3]);
        const poy_c128 x = pair(c->in + 4);
        return (!strcmp(c->op, "tl_vcw") ? poy_sf_tl_vcw : poy_sf_tl_vcw_r)(ctx, 1, c->in, &mu, c->in + 2, &m, &x,
                                                                            c->in + 6, c->in + 7, got);
    }
    const int64_t lambda = label(c->in[0]), mu = label(c->in[1]), l = label(c->in[2]), m = label(c->in[3]);
    const poy_c128 kr = pair(c->in + 4);
    poy_status (*f)(poy_ctx *, size_t, const int64_t *, const int64_t *, const int64_t *, const int64_t *,
                    const poy_c128 *, const double *, const double *, poy_c128 *) =
        !strcmp(c->op, "tl_vsw_A")    ? poy_sf_tl_vsw_A
        : !strcmp(c->op, "tl_vsw_B")  ? poy_sf_tl_vsw_B
        : !strcmp(c->op, "tl_vsw_rA") ? poy_sf_tl_vsw_rA
                                      : poy_sf_tl_vsw_rB;
    return f(ctx, 1, &lambda, &mu, &l, &m, &kr, c->in + 6, c->in + 7, got);
}

static void test_published(poy_ctx *ctx)
{
    char line[2048];
    published_case c;
    int count = 0;
    FILE *file = table_open("scattering/special.txt");
    while (file && table_line(file, line, sizeof line)) {
        memset(&c, 0, sizeof c);
        if (!published_read(line, &c) || (c.op[0] != 'v' && strncmp(c.op, "tl_", 3) != 0))
            continue;
        poy_c128 got[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
        const poy_status status = !strncmp(c.op, "vsw", 3)   ? spherical_wave(ctx, &c, got)
                                  : !strncmp(c.op, "vcw", 3) ? cylindrical_wave(ctx, &c, got)
                                  : !strncmp(c.op, "vpw", 3) ? plane_wave(ctx, &c, got)
                                                             : translation(ctx, &c, got);
        double error = 0.0, size = 0.0;
        for (int i = 0; i < c.outputs / 2; i++) {
            const double complex want = CMPLX(c.out[2 * i], c.out[2 * i + 1]);
            error = fmax(error, cabs(poyi_c(got[i]) - want));
            size = fmax(size, cabs(want));
        }
        ok(status == POY_OK && error <= c.abs + c.rel * size, "%s: published value %d, error %.1e", c.op, ++count,
           error / size);
    }
    if (file)
        (void)fclose(file);
    ok(count == 18, "%d published values", count);
}

/* ---- published expansion coefficients ---- */

static poy_status expansion(poy_ctx *ctx, const published_case *c, poy_c128 *got)
{
    const double *in = c->in;
    int64_t n[6];
    for (int i = 0; i < 6; i++)
        n[i] = label(in[i]);
    if (!strcmp(c->op, "pw_to_sw")) {
        const poy_c128 kx = pair(in + 3), ky = pair(in + 5), kz = pair(in + 7);
        const int64_t pol = label(in[9]);
        return poy_pw_to_sw(ctx, 1, n, n + 1, n + 2, &kx, &ky, &kz, &pol, (poy_poltype)in[10], got);
    }
    if (!strcmp(c->op, "pw_to_cw")) {
        const poy_c128 kx = pair(in + 3), ky = pair(in + 5), kz = pair(in + 7);
        const int64_t pol = label(in[9]);
        return poy_pw_to_cw(ctx, 1, in, n + 1, n + 2, &kx, &ky, &kz, &pol, got);
    }
    if (!strcmp(c->op, "cw_to_sw")) {
        const poy_c128 k = pair(in + 6);
        return poy_cw_to_sw(ctx, 1, n, n + 1, n + 2, in + 3, n + 4, n + 5, &k, (poy_poltype)in[8], got);
    }
    if (!strcmp(c->op, "sw_translate")) {
        const poy_c128 kr = pair(in + 6);
        return poy_sw_translate(ctx, 1, n, n + 1, n + 2, n + 3, n + 4, n + 5, &kr, in + 8, in + 9, (poy_poltype)in[10],
                                in[11] != 0.0, got);
    }
    if (!strcmp(c->op, "sw_rotate"))
        return poy_sw_rotate(ctx, 1, n, n + 1, n + 2, n + 3, n + 4, n + 5, in + 6, in + 7, in + 8, got);
    if (!strcmp(c->op, "sw_periodic_to_pw")) {
        const poy_c128 kx = pair(in), ky = pair(in + 2), kz = pair(in + 4);
        const int64_t pol = label(in[6]), l = label(in[7]), m = label(in[8]), qol = label(in[9]);
        return poy_sw_periodic_to_pw(ctx, 1, &kx, &ky, &kz, &pol, &l, &m, &qol, in + 10, (poy_poltype)in[11], got);
    }
    if (!strcmp(c->op, "sw_periodic_to_cw")) {
        const poy_c128 k = pair(in + 6);
        return poy_sw_periodic_to_cw(ctx, 1, in, n + 1, n + 2, n + 3, n + 4, n + 5, &k, in + 8, (poy_poltype)in[9],
                                     got);
    }
    if (!strcmp(c->op, "cw_periodic_to_pw")) {
        const poy_c128 ky = pair(in + 1);
        const int64_t pol = label(in[4]), m = label(in[6]), qol = label(in[7]);
        return poy_cw_periodic_to_pw(ctx, 1, in, &ky, in + 3, &pol, in + 5, &m, &qol, in + 8, got);
    }
    const poy_c128 kx = pair(in), ky = pair(in + 2), kz = pair(in + 4);
    const int64_t p = label(in[6]), q = label(in[7]);
    return poy_pw_permute_xyz(ctx, 1, &kx, &ky, &kz, &p, &q, (poy_poltype)in[8], in[9] != 0.0, got);
}

static void test_expansion(poy_ctx *ctx)
{
    char line[2048];
    published_case c;
    int count = 0;
    FILE *file = table_open("scattering/expansion.txt");
    while (file && table_line(file, line, sizeof line)) {
        poy_c128 got = {0.0, 0.0};
        memset(&c, 0, sizeof c);
        if (!published_read(line, &c))
            continue;
        const poy_status status = expansion(ctx, &c, &got);
        ok(status == POY_OK && published_pass(&c, poyi_c(got)), "%s: published coefficient %d, error %.1e", c.op,
           ++count, cabs(poyi_c(got) - CMPLX(c.out[0], c.out[1])));
    }
    if (file)
        (void)fclose(file);
    ok(count == 16, "%d published coefficients", count);
}

/* ---- reports: translations nearly along z, rotations by tiny angles ---- */

static void test_rotation_report(poy_ctx *ctx, char *rest)
{
    int64_t n[3];
    for (int i = 0; i < 3; i++)
        n[i] = label(table_number(&rest));
    const poy_c128 theta = {table_number(&rest), 0.0};
    const double rtol = table_number(&rest), want = table_number(&rest);
    poy_c128 got;
    const poy_status status = poy_sf_wignersmalld(ctx, 1, n, n + 1, n + 2, &theta, &got);
    ok(status == POY_OK && relative(poyi_c(got), want) <= rtol, "d^%d_{%d %d}(%g): error %.1e", (int)n[0], (int)n[1],
       (int)n[2], theta.re, relative(poyi_c(got), want));
}

static void test_reports(poy_ctx *ctx)
{
    char line[1024];
    int count = 0;
    FILE *file = table_open("scattering/wave_reports.txt");
    while (file && table_line(file, line, sizeof line)) {
        char *rest = strchr(line, ' ');
        count++;
        if (!strncmp(line, "wigner_d", 8)) {
            test_rotation_report(ctx, rest);
            continue;
        }
        const double k = table_number(&rest), x = table_number(&rest), y = table_number(&rest), z = table_number(&rest);
        int64_t n[4];
        for (int i = 0; i < 4; i++)
            n[i] = label(table_number(&rest));
        const double rtol = table_number(&rest), rho = hypot(x, y), theta = atan2(rho, z), phi = atan2(y, x);
        const double complex want = table_complex(&rest);
        const int64_t pol = 1;
        const poy_c128 kr = {k * hypot(rho, z), 0.0};
        poy_c128 got;
        const poy_status status =
            poy_sw_translate(ctx, 1, n, n + 1, &pol, n + 2, n + 3, &pol, &kr, &theta, &phi, POY_HELICITY, 0, &got);
        ok(status == POY_OK && relative(poyi_c(got) / x, want) <= rtol, "translation by (%g, %g, %g): error %.1e", x, y,
           z, relative(poyi_c(got) / x, want));
    }
    if (file)
        (void)fclose(file);
    ok(count == 9, "%d reports", count);
}

/* ---- published refusals ---- */

/* The call of that name; what it leaves out of the call is harmless. */
static poy_status published_call(poy_ctx *ctx, const char *id, poy_c128 *out)
{
    const int64_t one = 1, zero = 0, two = 2, label = 300;
    const double order = 0.0, third = 0.3, angle = 0.4;
    const poy_c128 nought = {0.0, 0.0}, z = {0.7, 0.1};
    poy_basis *b = NULL;
    if (!strcmp(id, "errors/hankel1/000"))
        return poy_sf_hankel1(ctx, 1, &order, &nought, out);
    if (!strcmp(id, "errors/plane_wave/020"))
        return poy_basis_pw_default(ctx, 1, (const poy_c128[3]){{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, &b);
    if (!strcmp(id, "errors/wigner3j/021"))
        return poy_sf_wigner3j(ctx, 1, &label, &one, &label, &zero, &zero, &zero, &out->re);
    if (!strcmp(id, "errors/incgamma/022"))
        return poy_sf_incgamma(ctx, 1, &third, &z, out);
    if (!strcmp(id, "errors/sw_translate/023"))
        return poy_sw_translate(ctx, 1, &one, &zero, &two, &one, &zero, &one, &z, &angle, &angle, POY_HELICITY, 1, out);
    if (!strcmp(id, "errors/sw_translate/024"))
        return poy_sw_translate(ctx, 1, &one, &zero, &one, &one, &zero, &one, &nought, &angle, &angle, POY_HELICITY, 1,
                                out);
    if (!strcmp(id, "errors/parity_chiral/028")) {
        const poy_embedding e = {1.0, {{2.0, 0.0}, {1.0, 0.0}, {0.1, 0.0}}, POY_PARITY};
        const poy_wave_mode mode = {.l = 1};
        const double r[3] = {0.1, 0.2, 0.3};
        (void)poy_basis_sw_create(ctx, 1, &mode, 0, NULL, &b);
        const poy_status status = poy_op_field(ctx, &e, b, POY_REGULAR, POY_WAVE_E, 0, 1, r, out);
        poy_basis_destroy(&b);
        return status;
    }
    return POY_ERR_INTERNAL;
}

static void test_published_errors(poy_ctx *ctx)
{
    char line[256], id[64], want[16];
    int count = 0;
    FILE *file = table_open("scattering/wave_errors.txt");
    while (file && table_line(file, line, sizeof line)) {
        poy_c128 out[3] = {{7.0, 7.0}, {7.0, 7.0}, {7.0, 7.0}};
        if (sscanf(line, "%63s %15s", id, want) != 2)
            continue;
        const poy_status status = published_call(ctx, id, out);
        const int refused = (status == POY_ERR_ARGUMENT || status == POY_ERR_UNSUPPORTED) && out[0].re == 7.0;
        const int fine = status == POY_OK && out[0].re == 0.0 && out[0].im == 0.0; /* coincident waves do not couple */
        ok(!strcmp(want, "refused") ? refused : fine, "%s: %s, %s", id, want, poy_ctx_cause(ctx));
        count++;
    }
    if (file)
        (void)fclose(file);
    ok(count == 7, "%d published refusals", count);
}

/* ---- refusals ---- */

static void test_refusals(poy_ctx *ctx)
{
    const int64_t one = 1, two = 2, zero = 0, high = 129;
    const double x = 0.5, none = 0.0, nan_x = (double)NAN;
    const poy_c128 z = {0.5, 0.1}, nought = {0.0, 0.0}, bad = {(double)NAN, 0.0};
    poy_c128 out[3] = {{7.0, 7.0}, {7.0, 7.0}, {7.0, 7.0}};

    ok(poy_sw_translate(ctx, 1, &one, &zero, &two, &one, &zero, &one, &z, &x, &x, POY_HELICITY, 1, out) ==
               POY_ERR_ARGUMENT &&
           out[0].re == 7.0,
       "sw_translate refuses pol 2 and leaves out untouched: %s", poy_ctx_cause(ctx));
    ok(poy_sw_translate(ctx, 1, &one, &zero, &one, &one, &zero, &one, &nought, &x, &x, POY_HELICITY, 1, out) ==
               POY_OK &&
           out[0].re == 0.0 && out[0].im == 0.0,
       "coincident singular waves do not couple");
    ok(poy_sw_translate(ctx, 1, &one, &two, &one, &one, &zero, &one, &z, &x, &x, POY_HELICITY, 1, out) ==
           POY_ERR_ARGUMENT,
       "sw_translate refuses |mu| > lambda: %s", poy_ctx_cause(ctx));
    ok(poy_sf_tl_vsw_A(ctx, 1, &one, &zero, &one, &zero, &nought, &x, &x, out) == POY_ERR_ARGUMENT,
       "tl_vsw_A refuses its pole: %s", poy_ctx_cause(ctx));
    ok(poy_sf_tl_vsw_rA(ctx, 1, &high, &zero, &one, &zero, &z, &x, &x, out) == POY_ERR_ARGUMENT,
       "l = 129 is refused: %s", poy_ctx_cause(ctx));
    ok(poy_sf_vsw_M(ctx, 1, &one, &zero, &nought, &z, &x, out) == POY_ERR_ARGUMENT, "vsw_M refuses its pole: %s",
       poy_ctx_cause(ctx));
    ok(poy_sf_vsw_rM(ctx, 1, &one, &zero, &bad, &z, &x, out) == POY_ERR_ARGUMENT, "vsw_rM refuses NaN: %s",
       poy_ctx_cause(ctx));
    ok(poy_sf_vsw_rA(ctx, 1, &one, &zero, &z, &z, &x, &two, out) == POY_ERR_ARGUMENT, "vsw_rA refuses pol 2: %s",
       poy_ctx_cause(ctx));
    ok(poy_sf_vcw_M(ctx, 1, &x, &one, &nought, &x, &x, out) == POY_ERR_ARGUMENT, "vcw_M refuses its pole: %s",
       poy_ctx_cause(ctx));
    ok(poy_sf_vcw_rN(ctx, 1, &x, &one, &z, &x, &x, &nought, out) == POY_ERR_ARGUMENT, "vcw_rN refuses k = 0: %s",
       poy_ctx_cause(ctx));
    ok(poy_sf_vcw_rM(ctx, 1, &nan_x, &one, &z, &x, &x, out) == POY_ERR_ARGUMENT, "vcw_rM refuses NaN: %s",
       poy_ctx_cause(ctx));
    ok(poy_sf_vpw_M(ctx, 1, &nought, &nought, &nought, &x, &x, &x, out) == POY_ERR_ARGUMENT, "vpw_M refuses k = 0: %s",
       poy_ctx_cause(ctx));
    const poy_c128 i_half = {0.0, 0.5}, half = {0.5, 0.0};
    ok(poy_sf_vpw_N(ctx, 1, &half, &i_half, &half, &x, &x, &x, out) == POY_ERR_ARGUMENT,
       "vpw_N refuses kx^2 + ky^2 = 0 off the axis: %s", poy_ctx_cause(ctx));
    ok(poy_pw_to_sw(ctx, 1, &one, &two, &one, &z, &z, &z, &one, POY_HELICITY, out) == POY_ERR_ARGUMENT,
       "pw_to_sw refuses |m| > l: %s", poy_ctx_cause(ctx));
    ok(poy_pw_to_sw(ctx, 1, &one, &one, &one, &z, &z, &z, &one, (poy_poltype)2, out) == POY_ERR_ARGUMENT,
       "pw_to_sw refuses poltype 2: %s", poy_ctx_cause(ctx));
    ok(poy_sw_periodic_to_pw(ctx, 1, &half, &half, &nought, &one, &one, &one, &one, &x, POY_HELICITY, out) ==
           POY_ERR_THRESHOLD,
       "grazing emission is a threshold: %s", poy_ctx_cause(ctx));
    ok(poy_cw_periodic_to_pw(ctx, 1, &x, &nought, &x, &one, &x, &one, &one, &x, out) == POY_ERR_THRESHOLD,
       "also of cylinders: %s", poy_ctx_cause(ctx));
    ok(poy_sw_periodic_to_pw(ctx, 1, &half, &half, &half, &one, &one, &one, &one, &none, POY_HELICITY, out) ==
           POY_ERR_ARGUMENT,
       "a cell without area is refused: %s", poy_ctx_cause(ctx));
    const poy_c128 near = {1e-9, 0.0};
    ok(poy_sf_vsw_M(ctx, 1, &(int64_t){100}, &zero, &near, &z, &x, out) == POY_ERR_RANGE && !isnan(out[1].re),
       "h_100(1e-9) is beyond the range: %s", poy_ctx_cause(ctx));
    ok(out[0].re != 7.0, "a value out of range is written");
}

/* ---- threads ---- */

enum { ELEMENTS = 600 };

static poy_status all_functions(poy_ctx *ctx, const poy_c128 *x, int64_t (*n)[ELEMENTS], const double *angle,
                                const poy_c128 *theta, poy_c128 (*out)[3 * ELEMENTS])
{
    const poy_status status[6] = {
        poy_sf_vsw_A(ctx, ELEMENTS, n[0], n[1], x, theta, angle, n[4], out[0]),
        poy_sf_vcw_M(ctx, ELEMENTS, angle, n[1], x, angle, angle, out[1]),
        poy_sf_vpw_N(ctx, ELEMENTS, x, theta, x, angle, angle, angle, out[2]),
        poy_sw_translate(ctx, ELEMENTS, n[2], n[3], n[4], n[0], n[1], n[4], x, angle, angle, POY_HELICITY, 1, out[3]),
        poy_pw_to_sw(ctx, ELEMENTS, n[0], n[1], n[4], x, theta, x, n[4], POY_HELICITY, out[4]),
        poy_sw_rotate(ctx, ELEMENTS, n[0], n[1], n[4], n[0], n[1], n[4], angle, angle, angle, out[5])};
    for (int i = 0; i < 6; i++)
        if (status[i] != POY_OK)
            return status[i];
    return POY_OK;
}

static void test_threads(poy_ctx *ctx)
{
    static int64_t n[5][ELEMENTS]; /* l, m, lambda, mu, pol */
    static double angle[ELEMENTS];
    static poy_c128 x[ELEMENTS], theta[ELEMENTS], out[2][6][3 * ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
        n[0][i] = 1 + i % 7;
        n[1][i] = i % 3 - 1;
        n[2][i] = 1 + i % 5;
        n[3][i] = 1 - i % 2;
        n[4][i] = i / 2 % 2;
        angle[i] = 0.1 + 2.9 * i / ELEMENTS;
        x[i] = (poy_c128){0.3 + 0.01 * i, 0.1};
        theta[i] = (poy_c128){angle[i], 0.02};
    }
    for (int i = 0; i < 2; i++) {
        poy_ctx_set_threads(ctx, i ? 3 : 1);
        ok(all_functions(ctx, x, n, angle, theta, out[i]) == POY_OK, "batches by %d threads", i ? 3 : 1);
    }
    poy_ctx_set_threads(ctx, 0);
    ok(memcmp(out[0], out[1], sizeof out[0]) == 0, "the bits are the same");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    test_published(ctx);
    test_expansion(ctx);
    test_reports(ctx);
    test_published_errors(ctx);
    test_refusals(ctx);
    test_threads(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

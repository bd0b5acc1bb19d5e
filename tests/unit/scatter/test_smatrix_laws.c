/* test_smatrix_laws.c: what S-matrices of layers keep: power, reciprocity, the order of cascades; closed forms; refusals. */
#include "core/constants.h"
#include "poynting/smatrix.h"
#include "wave_fixture.h"

static poy_medium medium(double re, double im, double mu, double kappa)
{
    return (poy_medium){{re, im}, {mu, 0.0}, {kappa, 0.0}};
}

static poy_status make_layers(poy_ctx *ctx, double k0, poy_poltype poltype, poy_basis *ports, size_t layers,
                              const double *thickness, const poy_medium *media, poy_smatrix **out)
{
    const poy_stage stage = {k0, poltype, ports};
    return poy_smatrix_layers(ctx, &stage, layers, thickness, media, out);
}

static double entries_apart(const poy_smatrix *a, const poy_smatrix *b)
{
    const size_t n = poy_smatrix_size(a);
    return apart(4 * n * n, poy_smatrix_values(a), poy_smatrix_values(b));
}

/* ---- closed forms ---- */

/* TE and TM of Fresnel, E amplitudes: (k1 - k2) / (k1 + k2) of k = kz (TE) and k = epsilon_other kz (TM). */
static void test_fresnel_forms(poy_ctx *ctx)
{
    static const double angles[] = {0.0, 0.4, 1.1, 1.5, 1.57};
    const poy_medium media[2] = {medium(2.25, 0.0, 1.0, 0.0), medium(-3.0, 1.4, 1.0, 0.0)};
    double worst = 0.0;
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        const double k0 = 3.0, q[2] = {1.5 * k0 * sin(angles[i]), 0.0};
        const double complex e[2] = {poyi_c(media[0].epsilon), poyi_c(media[1].epsilon)};
        const double complex kz[2] = {csqrt(k0 * k0 * e[0] - q[0] * q[0]), csqrt(k0 * k0 * e[1] - q[0] * q[0])};
        const double complex te = (kz[0] - kz[1]) / (kz[0] + kz[1]);
        const double complex tm = (e[1] * kz[0] - e[0] * kz[1]) / (e[1] * kz[0] + e[0] * kz[1]);
        poy_basis *ports = NULL;
        poy_smatrix *s = NULL;
        if (poy_ports_default(ctx, POY_XY, 1, q, &ports) != POY_OK ||
            make_layers(ctx, k0, POY_PARITY, ports, 0, NULL, media, &s) != POY_OK)
            worst = 1.0;
        else { /* from below, reflected: block [1][0] */
            const poy_c128 *r = poy_smatrix_values(s) + 8;
            /* of TM the sign of the reflected E_x: vpw N turns with kz */
            worst = fmax(worst, cabs(poyi_c(r[3]) - te));
            worst = fmax(worst, fmin(cabs(poyi_c(r[0]) - tm), cabs(poyi_c(r[0]) + tm)));
            worst = fmax(worst, hypot(cabs(poyi_c(r[1])), cabs(poyi_c(r[2]))));
        }
        poy_smatrix_destroy(&s);
        poy_basis_destroy(&ports);
    }
    ok(worst < 1e-14, "reflection of a metal by Fresnel's formulas, %.1e", worst);
}

/* Airy's sums of a layer that amplifies, in which every root of k gives the same: T and R of both pols, then the layer in steps and power
 * over that of the light. */
static void test_amplifying_layer(poy_ctx *ctx)
{
    const double k0 = 2.0, thickness = 0.3, angles[] = {0.0, 0.4, 1.2};
    const poy_medium media[3] = {medium(1.0, 0.0, 1.0, 0.0), medium(2.25, -0.3, 1.0, 0.0), medium(1.0, 0.0, 1.0, 0.0)};
    double worst = 0.0, steps = 0.0, balance = 0.0;
    for (int i = 0; i < 3; i++) {
        const double q[2] = {k0 * sin(angles[i]), 0.0}, way[3] = {0.0, 0.0, thickness};
        const double complex e = poyi_c(media[1].epsilon), kz = k0 * cos(angles[i]),
                             inner = csqrt(e * k0 * k0 - q[0] * q[0]);
        const double complex turn = cexp(CMPLX(0.0, 2.0) * inner * thickness);
        poy_basis *ports = NULL;
        poy_smatrix *s = NULL, *part[3] = {NULL}, *two = NULL, *all = NULL;
        const poy_stage stage_of = {k0, POY_PARITY, NULL};
        poy_stage stage = stage_of;
        if (poy_ports_default(ctx, POY_XY, 1, q, &ports) != POY_OK ||
            make_layers(ctx, k0, POY_PARITY, ports, 1, &thickness, media, &s) != POY_OK) {
            ok(0, "a layer: %s", poy_ctx_cause(ctx));
            break;
        }
        stage.ports = ports;
        for (int tm = 0; tm < 2; tm++) { /* port 0 is pol 1, TM */
            const double complex r = tm ? (e * kz - inner) / (e * kz + inner) : (kz - inner) / (kz + inner);
            const double complex t = (1.0 - r * r) / (1.0 - r * r * turn),
                                 back = r * (1.0 - turn) / (1.0 - r * r * turn);
            const size_t at = tm ? 0 : 3;
            const poy_c128 light[2] = {{tm, 0.0}, {!tm, 0.0}};
            const double want = pow(cabs(t) * cabs(csqrt(turn)), 2.0);
            poy_power_shares p;
            worst = fmax(worst, fabs(pow(cabs(poyi_c(poy_smatrix_values(s)[at])), 2.0) - want));
            worst = fmax(worst, fabs(cabs(poyi_c(poy_smatrix_values(s)[8 + at])) - cabs(back)));
            balance = fmax(balance,
                           poy_smatrix_power(ctx, s, POY_UP, light, &p) == POY_OK
                               ? fabs(p.transmission - want) + fabs(p.absorption - (1.0 - want - pow(cabs(back), 2.0)))
                               : 1.0);
        }
        if (poy_smatrix_interface(ctx, &stage, media, media + 1, part) == POY_OK &&
            poy_smatrix_propagation(ctx, &stage, media + 1, way, part + 1) == POY_OK &&
            poy_smatrix_interface(ctx, &stage, media + 1, media, part + 2) == POY_OK &&
            poy_smatrix_cascade(ctx, part[0], part[1], &two) == POY_OK &&
            poy_smatrix_cascade(ctx, two, part[2], &all) == POY_OK)
            steps = fmax(steps, entries_apart(all, s));
        else
            steps = 1.0;
        poy_smatrix_destroy(&s), poy_smatrix_destroy(&two), poy_smatrix_destroy(&all);
        for (int k = 0; k < 3; k++)
            poy_smatrix_destroy(&part[k]);
        poy_basis_destroy(&ports);
    }
    ok(worst < 1e-14, "a layer that amplifies by Airy's sums, %.1e", worst);
    ok(steps < 1e-14 && balance < 1e-13, "the same in steps, %.1e; its power, %.1e", steps, balance);
}

/* poy_fresnel against continuity: a thin layer between. A layer cut in two, or one of no thickness, changes nothing. */
static void test_layer_identities(poy_ctx *ctx)
{
    const double kpar[4] = {0.7, -0.3, 2.9, 1.2}, cut[2] = {0.21, 0.34}, whole = 0.55, three[3] = {0.2, 0.0, 0.35};
    const poy_medium a = medium(1.0, 0.0, 1.0, 0.05), b = medium(3.1, 0.2, 1.3, 0.21), c = medium(2.0, 0.0, 1.0, 0.0);
    const poy_medium one[3] = {a, b, c}, two[4] = {a, b, b, c}, thin[5] = {a, b, medium(9.0, 0.1, 1.0, -0.2), b, c};
    poy_basis *ports = NULL;
    poy_smatrix *s = NULL, *t = NULL, *u = NULL;
    ok(poy_ports_default(ctx, POY_XY, 2, kpar, &ports) == POY_OK &&
           make_layers(ctx, 2.0, POY_HELICITY, ports, 1, &whole, one, &s) == POY_OK &&
           make_layers(ctx, 2.0, POY_HELICITY, ports, 2, cut, two, &t) == POY_OK &&
           make_layers(ctx, 2.0, POY_HELICITY, ports, 3, three, thin, &u) == POY_OK,
       "layers of chiral media");
    ok(entries_apart(t, s) < 1e-14, "a layer cut in two is one layer, %.1e", entries_apart(t, s));
    ok(entries_apart(u, s) < 1e-14, "a layer of no thickness is none, %.1e", entries_apart(u, s));
    poy_smatrix_destroy(&s), poy_smatrix_destroy(&t), poy_smatrix_destroy(&u);
    poy_basis_destroy(&ports);
}

/* ---- power and reciprocity ---- */

/* Lossless chiral stacks: T + R = 1 from both sides, also where layers carry evanescent waves only, and equal T of opposite
 * ways: T_pq up at kpar = T_qp down at -kpar. */
static void test_power(poy_ctx *ctx)
{
    double worst = 0.0, reciprocity = 0.0, absorption = 0.0;
    for (int round = 0; round < 60; round++) {
        const double k0 = 2.0, q[4] = {0.9 * draw(), 0.9 * draw(), 0.0, 0.0}, back[2] = {-q[0], -q[1]};
        const double thickness[3] = {0.3 + 0.2 * draw(), 0.4 + 0.3 * draw(), 0.2 + 0.1 * draw()};
        poy_medium media[5];
        for (int i = 0; i < 5; i++) /* one layer of three in metal without loss, one optically thin */
            media[i] = medium(i == 2 && round % 3 == 0 ? -4.0 : 2.0 + draw(), 0.0, 1.2 + 0.2 * draw(),
                              i == 2 && round % 3 == 0 ? 0.0 : 0.1 * draw());
        poy_basis *ports = NULL, *opposite = NULL;
        poy_smatrix *s = NULL, *r = NULL;
        if (poy_ports_default(ctx, POY_XY, 1, q, &ports) != POY_OK ||
            poy_ports_default(ctx, POY_XY, 1, back, &opposite) != POY_OK ||
            make_layers(ctx, k0, POY_HELICITY, ports, 3, thickness, media, &s) != POY_OK ||
            make_layers(ctx, k0, POY_HELICITY, opposite, 3, thickness, media, &r) != POY_OK) {
            ok(0, "a stack: %s", poy_ctx_cause(ctx));
            break;
        }
        double t[2][2][2]; /* [way][in][out] */
        for (int in = 0; in < 2; in++)
            for (int way = 0; way < 2; way++) {
                const poy_c128 light[2] = {{in == 0, 0.0}, {in == 1, 0.0}};
                poy_power_shares p;
                const poy_status status = poy_smatrix_power(ctx, way ? r : s, way ? POY_DOWN : POY_UP, light, &p);
                worst = fmax(worst, status == POY_OK ? fabs(p.transmission + p.reflection - 1.0) : 1.0);
                absorption = fmax(absorption, fabs(p.absorption));
                const poy_c128 *block = poy_smatrix_values(way ? r : s) + (way ? 12 : 0);
                for (int out = 0; out < 2; out++)
                    t[way][in][out] = cabs(poyi_c(block[2 * out + in]));
            }
        /* amplitudes of opposite ways: S_pq kz_p / (k_p Z) = S_qp kz_q / (k_q Z') of the media they leave into */
        poy_c128 ks[2][2], z[2];
        (void)poy_medium_ks(ctx, &media[0], k0, ks[0]), (void)poy_medium_ks(ctx, &media[4], k0, ks[1]);
        (void)poy_medium_impedance(ctx, &media[0], z), (void)poy_medium_impedance(ctx, &media[4], z + 1);
        for (int in = 0; in < 2; in++)
            for (int out = 0; out < 2; out++) {
                double weight[2];
                for (int side = 0; side < 2; side++) { /* port 0 is pol 1 */
                    const double k = ks[side][side ? 1 - out : 1 - in].re;
                    weight[side] = sqrt(k * k - q[0] * q[0] - q[1] * q[1]) / (k * z[side].re);
                }
                const double up = t[0][in][out] * weight[1], down = t[1][out][in] * weight[0];
                reciprocity = fmax(reciprocity, fabs(up - down));
            }
        poy_smatrix_destroy(&s), poy_smatrix_destroy(&r);
        poy_basis_destroy(&ports), poy_basis_destroy(&opposite);
    }
    ok(worst < 1e-12 && absorption < 1e-12, "T + R = 1 of lossless chiral stacks, %.1e; absorption %.1e", worst,
       absorption);
    ok(reciprocity < 1e-12, "opposite ways transmit alike, %.1e", reciprocity);
}

/* ---- cascades ---- */

/* An S-matrix that mixes all ports and is passive: random entries of small norm around a way through. */
static poy_smatrix *mixing(poy_ctx *ctx, const poy_stage *stage, const poy_medium *m)
{
    const size_t n = poy_basis_size(stage->ports);
    poy_c128 *blocks = matrix(4 * n, n);
    poy_smatrix *s = NULL;
    for (size_t i = 0; i < 4 * n * n; i++)
        blocks[i] = (poy_c128){0.2 * draw() / (double)n, 0.2 * draw() / (double)n};
    for (size_t i = 0; i < n; i++)
        blocks[i * n + i].re += 0.7, blocks[(3 * n + i) * n + i].re += 0.6;
    (void)poy_smatrix_create(ctx, stage, m, m, blocks, &s);
    free(blocks);
    return s;
}

static void test_cascade(poy_ctx *ctx)
{
    const double a[2][2] = {{1.3, 0.0}, {0.5, 1.1}}, kpar[2] = {0.3, 0.2}, d[3] = {0.1, -0.2, 0.4}, thick = 0.3;
    const poy_medium v = medium(1.0, 0.0, 1.0, 0.0), media[3] = {v, medium(4.0, 0.1, 1.0, 0.1), v};
    poy_basis *ports = NULL;
    poy_smatrix *part[4] = {NULL}, *left = NULL, *right = NULL, *ab = NULL, *bc = NULL, *doubled = NULL, *folded = NULL;
    ok(poy_ports_diffr_orders(ctx, POY_XY, kpar, a, 6.0, &ports) == POY_OK, "ports");
    const poy_stage stage = {2.0, POY_HELICITY, ports};
    part[0] = mixing(ctx, &stage, &v), part[2] = mixing(ctx, &stage, &v);
    ok(part[0] && part[2] && poy_smatrix_layers(ctx, &stage, 1, &thick, media, part + 1) == POY_OK &&
           poy_smatrix_propagation(ctx, &stage, &v, d, part + 3) == POY_OK,
       "parts of a stack");
    (void)poy_smatrix_cascade(ctx, part[0], part[1], &ab), (void)poy_smatrix_cascade(ctx, ab, part[2], &left);
    (void)poy_smatrix_cascade(ctx, part[1], part[2], &bc), (void)poy_smatrix_cascade(ctx, part[0], bc, &right);
    ok(left && right && entries_apart(left, right) < 1e-14, "cascades associate, %.1e", entries_apart(left, right));
    poy_smatrix *four[4] = {part[2], part[2], part[2], part[2]};
    ok(poy_smatrix_double(ctx, part[2], 2, &doubled) == POY_OK && poy_smatrix_stack(ctx, 4, four, &folded) == POY_OK,
       "four of a kind");
    ok(entries_apart(doubled, folded) < 1e-14, "doubled twice is four, %.1e", entries_apart(doubled, folded));
    /* light through two without their product, and back from the waves between them */
    const size_t n = poy_basis_size(ports);
    poy_c128 *up = draw_coefficients(n), *down = draw_coefficients(n), *f = matrix(6, n);
    (void)poy_smatrix_scatter(ctx, ab, up, down, f, f + n);
    (void)poy_smatrix_illuminate(ctx, part[0], part[1], up, down, f + 2 * n, f + 3 * n, f + 4 * n, f + 5 * n);
    ok(apart(2 * n, f + 2 * n, f) < 1e-14, "light through two parts is light through their cascade, %.1e",
       apart(2 * n, f + 2 * n, f));
    poy_c128 *again = matrix(2, n);
    (void)poy_smatrix_scatter(ctx, part[1], f + 4 * n, down, again, again + n);
    ok(apart(n, again, f) < 1e-14 && apart(n, again + n, f + 5 * n) < 1e-14,
       "the waves between two parts feed the upper one, %.1e", apart(n, again + n, f + 5 * n));
    free(up), free(down), free(f), free(again);
    for (int i = 0; i < 4; i++)
        poy_smatrix_destroy(part + i);
    poy_smatrix_destroy(&left), poy_smatrix_destroy(&right), poy_smatrix_destroy(&ab), poy_smatrix_destroy(&bc);
    poy_smatrix_destroy(&doubled), poy_smatrix_destroy(&folded);
    poy_basis_destroy(&ports);
}

/* ---- other axes ---- */

static void test_axes(poy_ctx *ctx)
{
    const double q[4] = {0.7, -0.3, 1.9, 0.4}, thick = 0.3, r[3] = {0.2, -0.1, 0.35};
    const poy_medium media[3] = {medium(1.0, 0.0, 1.0, 0.0), medium(3.0, 0.1, 1.2, 0.2), medium(2.0, 0.0, 1.0, 0.1)};
    poy_basis *ports = NULL, *turned = NULL;
    poy_smatrix *s = NULL, *t = NULL, *u = NULL, *back = NULL, *moved = NULL, *home = NULL, *even = NULL, *odd = NULL;
    ok(poy_ports_default(ctx, POY_XY, 2, q, &ports) == POY_OK &&
           poy_ports_default(ctx, POY_ZX, 2, q, &turned) == POY_OK &&
           make_layers(ctx, 2.0, POY_HELICITY, ports, 1, &thick, media, &s) == POY_OK &&
           make_layers(ctx, 2.0, POY_HELICITY, turned, 1, &thick, media, &t) == POY_OK,
       "layers along z and along y");
    ok(poy_smatrix_permute(ctx, s, 2, &u) == POY_OK && poy_smatrix_permute(ctx, u, 1, &back) == POY_OK, "permutations");
    ok(entries_apart(u, t) < 1e-14 && entries_apart(back, s) < 1e-14, "three permutations of the axes are none, %.1e",
       entries_apart(back, s));
    const double away[3] = {-r[0], -r[1], -r[2]};
    ok(poy_smatrix_translate(ctx, s, r, &moved) == POY_OK && poy_smatrix_translate(ctx, moved, away, &home) == POY_OK,
       "translations");
    ok(entries_apart(home, s) < 1e-14 && entries_apart(moved, s) > 1e-2, "there and back again, %.1e",
       entries_apart(home, s));
    const poy_medium achiral[3] = {medium(1.0, 0.0, 1.0, 0.0), medium(3.0, 0.1, 1.2, 0.2), medium(2.0, 0.0, 1.0, 0.0)};
    poy_smatrix_destroy(&moved), poy_smatrix_destroy(&home);
    ok(make_layers(ctx, 2.0, POY_HELICITY, ports, 1, &thick, achiral, &even) == POY_OK &&
           make_layers(ctx, 2.0, POY_PARITY, ports, 1, &thick, achiral, &odd) == POY_OK &&
           poy_smatrix_changepoltype(ctx, even, POY_PARITY, &moved) == POY_OK,
       "an achiral stack");
    ok(entries_apart(moved, odd) < 1e-14, "helicity and parity of one stack, %.1e", entries_apart(moved, odd));
    poy_smatrix_destroy(&s), poy_smatrix_destroy(&t), poy_smatrix_destroy(&u), poy_smatrix_destroy(&back);
    poy_smatrix_destroy(&moved), poy_smatrix_destroy(&home), poy_smatrix_destroy(&even), poy_smatrix_destroy(&odd);
    poy_basis_destroy(&ports), poy_basis_destroy(&turned);
}

/* Bloch waves of a homogeneous medium are its plane waves, folded; those of a slab at normal incidence follow cos(K L). */
static void test_bands(poy_ctx *ctx)
{
    const double q[4] = {0.0, 0.0, 2.6, 0.3}, d[3] = {0.0, 0.0, 0.8}, half[2] = {0.35, 0.45}, k0 = 2.0;
    const poy_medium v = medium(1.0, 0.0, 1.0, 0.0), two[4] = {v, medium(6.0, 0.0, 1.0, 0.0), v, v};
    poy_basis *ports = NULL, *one = NULL;
    poy_smatrix *s = NULL, *t = NULL;
    poy_c128 kz[8] = {{0}}, vectors[64];
    ok(poy_ports_default(ctx, POY_XY, 2, q, &ports) == POY_OK && poy_ports_default(ctx, POY_XY, 1, q, &one) == POY_OK,
       "ports");
    const poy_stage stage = {k0, POY_HELICITY, ports};
    ok(poy_smatrix_propagation(ctx, &stage, &v, d, &s) == POY_OK &&
           poy_smatrix_bands(ctx, s, d[2], kz, vectors) == POY_OK,
       "Bloch waves of a homogeneous medium");
    const double decay = sqrt(q[2] * q[2] + q[3] * q[3] - k0 * k0);
    double worst = fmax(fabs(kz[0].re + k0), fabs(kz[7].re - k0)), evanescent = 0.0;
    for (int i = 2; i < 6; i++)
        evanescent = fmax(evanescent, fabs(fabs(kz[i].im) - decay) + fabs(kz[i].re));
    ok(worst < 1e-14 && evanescent < 1e-13, "are its plane waves, %.1e, %.1e", worst, evanescent);
    const double slow = 1.2;
    ok(make_layers(ctx, slow, POY_HELICITY, one, 2, half, two, &t) == POY_OK &&
           poy_smatrix_bands(ctx, t, 0.8, kz, NULL) == POY_OK,
       "Bloch waves of a Bragg stack");
    const double n = sqrt(6.0), a = slow * n * half[0], b = slow * half[1];
    const double cosine = cos(a) * cos(b) - 0.5 * (n + 1.0 / n) * sin(a) * sin(b), want = acos(cosine) / 0.8;
    worst = 0.0;
    for (int i = 0; i < 4; i++)
        worst = fmax(worst, fabs(fabs(kz[i].re) - want) + fabs(kz[i].im));
    ok(fabs(cosine) < 1.0 && worst < 1e-13, "follow the equation of Kronig and Penney, %.1e", worst);
    poy_smatrix_destroy(&s), poy_smatrix_destroy(&t);
    poy_basis_destroy(&ports), poy_basis_destroy(&one);
}

/* ---- circular dichroism ---- */

static void test_dichroism(poy_ctx *ctx)
{
    const double q[2] = {0.0, 0.0}, thick = 0.8;
    const poy_medium v = medium(1.0, 0.0, 1.0, 0.0);
    poy_dichroism cd[3] = {{0}};
    poy_basis *ports = NULL;
    (void)poy_ports_default(ctx, POY_XY, 1, q, &ports);
    for (int i = 0; i < 3; i++) {
        poy_medium media[3] = {v, medium(3.0, 0.3, 1.0, 0.0), v};
        const poy_c128 light[2] = {{1.0, 0.0}, {0.0, 0.0}};
        poy_smatrix *s = NULL;
        media[1].kappa = (poy_c128){0.0, 0.02 * (i - 1)};
        ok(make_layers(ctx, 2.0, POY_HELICITY, ports, 1, &thick, media, &s) == POY_OK &&
               poy_smatrix_circular_dichroism(ctx, s, POY_UP, light, cd + i) == POY_OK,
           "circular dichroism at kappa = %gi", 0.02 * (i - 1));
        poy_smatrix_destroy(&s);
    }
    ok(fabs(cd[1].transmission) < 1e-14 && fabs(cd[0].transmission + cd[2].transmission) < 1e-14 &&
           fabs(cd[0].transmission) > 0.01 && fabs(cd[0].absorption + cd[2].absorption) < 1e-14,
       "no chirality, no dichroism; the mirror image has the opposite: %g, %g", cd[0].transmission, cd[2].transmission);
    /* Im n_1 = Im n + Im kappa: at kappa = +0.02i pol 1 (given) is absorbed more, transmitted less */
    ok(cd[2].transmission > 0.0 && cd[2].absorption > 0.0, "the more absorbed pol is the less transmitted one");
    poy_basis_destroy(&ports);
}

/* ---- refusals ---- */

static void test_refusals(poy_ctx *ctx)
{
    const double q[4] = {0.3, 0.0, 2.5, 0.0}, minus = -0.1, zero[3] = {0.0, 0.0, 0.0};
    const poy_medium v = medium(1.0, 0.0, 1.0, 0.0), glass = medium(2.25, 0.0, 1.0, 0.0), media[3] = {v, glass, v};
    poy_basis *ports = NULL, *other = NULL;
    poy_smatrix *s = NULL, *t = NULL, *u = NULL, *none = NULL;
    poy_power_shares p;
    (void)poy_ports_default(ctx, POY_XY, 2, q, &ports), (void)poy_ports_default(ctx, POY_XY, 1, q, &other);
    const poy_stage stage = {2.0, POY_HELICITY, ports}, few = {2.0, POY_HELICITY, other};
    ok(poy_smatrix_layers(ctx, &stage, 1, &minus, media, &s) == POY_ERR_ARGUMENT && !s, "no negative thickness");
    ok(poy_smatrix_interface(ctx, &stage, &v, &glass, &s) == POY_OK &&
           poy_smatrix_propagation(ctx, &stage, &v, zero, &t) == POY_OK &&
           poy_smatrix_propagation(ctx, &few, &glass, zero, &u) == POY_OK,
       "parts");
    ok(poy_smatrix_cascade(ctx, s, t, &none) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "interface"),
       "media that differ need an interface");
    ok(poy_smatrix_cascade(ctx, s, u, &none) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "ports"),
       "other ports do not fit");
    const poy_c128 grazing[4] = {{0.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}; /* evanescent below, not above */
    ok(poy_smatrix_power(ctx, s, POY_DOWN, grazing, &p) == POY_OK && fabs(p.reflection - 1.0) < 1e-14,
       "from the dense side such light is reflected in total");
    ok(poy_smatrix_power(ctx, t, POY_UP, grazing, &p) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "evanescent"),
       "evanescent light that nothing returns brings no power");
    poy_c128 kz[8];
    ok(poy_smatrix_bands(ctx, s, 1.0, kz, NULL) == POY_ERR_ARGUMENT, "what repeats has one medium on both sides");
    const poy_stage odd = {2.0, POY_PARITY, ports};
    const poy_medium chiral_medium = medium(2.0, 0.0, 1.0, 0.1);
    ok(poy_smatrix_interface(ctx, &odd, &v, &chiral_medium, &none) == POY_ERR_UNSUPPORTED,
       "no parity in a chiral medium");
    poy_smatrix_destroy(&s), poy_smatrix_destroy(&t), poy_smatrix_destroy(&u);
    poy_basis_destroy(&ports), poy_basis_destroy(&other);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_fresnel_forms(ctx);
    test_amplifying_layer(ctx);
    test_layer_identities(ctx);
    test_power(ctx);
    test_cascade(ctx);
    test_axes(ctx);
    test_bands(ctx);
    test_dichroism(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

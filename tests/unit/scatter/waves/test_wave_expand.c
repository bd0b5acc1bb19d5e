/* test_wave_expand.c: expansions, translations, rotations and permutations of whole bases: by the fields that they
 * have to leave unchanged, against coefficients of single modes, by group laws, and what bad input gets. */
#include "core/constants.h"
#include "scatter/waves/expand/expand.h"
#include "unit/scatter/wave_fixture.h"

/* max |E of destination - E of source| / max |E| at points of a ball around center. */
static double mismatch(poy_ctx *ctx, const poy_embedding *e, const poy_basis *d, poy_modetype d_type,
                       const poy_basis *s, poy_modetype s_type, const poy_c128 *a, const double center[3],
                       double radius)
{
    enum { N = 12 };
    const size_t rows = poy_basis_size(d), cols = poy_basis_size(s);
    double points[3 * N];
    poy_c128 *m = matrix(rows, cols), *b = matrix(rows, 1), want[3 * N], got[3 * N];
    draw_points(N, radius / sqrt(3.0), points);
    for (size_t i = 0; i < 3 * N; i++)
        points[i] += center[i % 3];
    const poy_status status = poy_op_expand(ctx, e, d, d_type, s, s_type, m);
    multiply(rows, cols, 1, m, a, b);
    const int fine = status == POY_OK &&
                     poy_wave_sample(ctx, e, s, s_type, a, POY_WAVE_E, 0, N, points, want) == POY_OK &&
                     poy_wave_sample(ctx, e, d, d_type, b, POY_WAVE_E, 0, N, points, got) == POY_OK;
    free(m), free(b);
    if (!fine)
        note("%s", poy_ctx_message(ctx));
    return fine ? apart(3 * N, got, want) : (double)INFINITY;
}

/* ---- fields stay what they are ---- */

static void test_addition(poy_ctx *ctx)
{
    const double from[6] = {0.0, 0.0, 0.0, 0.7, -0.4, 0.5}, to[3] = {3.0, 2.0, -1.5};
    const poy_embedding *const embeddings[] = {&vacuum, &vacuum_parity, &lossy_parity, &chiral};
    poy_basis *s = NULL, *d = NULL, *near = NULL;
    ok(poy_basis_sw_default(ctx, 3, 2, from, &s) == POY_OK && poy_basis_sw_default(ctx, 24, 1, to, &d) == POY_OK &&
           poy_basis_sw_default(ctx, 18, 1, from, &near) == POY_OK,
       "spherical bases");
    poy_c128 *a = draw_coefficients(poy_basis_size(s));
    for (int e = 0; e < 4; e++) {
        const double singular = mismatch(ctx, embeddings[e], d, POY_REGULAR, s, POY_SINGULAR, a, to, 0.4);
        const double regular = mismatch(ctx, embeddings[e], d, POY_REGULAR, s, POY_REGULAR, a, to, 0.8);
        /* (0.4 / 3.1)^24 = 5e-22 and j_24 of 1: the truncation is below rounding */
        ok(singular < 1e-12 && regular < 1e-12, "spherical waves about another origin: singular %.1e, regular %.1e",
           singular, regular);
        /* singular waves of several origins as singular waves of one, far outside */
        const double far[3] = {12.0, -9.0, 14.0};
        const double outside = mismatch(ctx, embeddings[e], near, POY_SINGULAR, s, POY_SINGULAR, a, far, 1.0);
        ok(outside < 1e-12, "singular waves as those of one origin, outside: %.1e", outside);
    }
    free(a);
    poy_basis_destroy(&s);
    poy_basis_destroy(&d);
    poy_basis_destroy(&near);

    const double kz[2] = {0.4, -1.1};
    poy_basis *c = NULL;
    ok(poy_basis_cw_default(ctx, 2, kz, 2, 2, from, &s) == POY_OK &&
           poy_basis_cw_default(ctx, 2, kz, 24, 1, to, &c) == POY_OK &&
           poy_basis_sw_default(ctx, 24, 1, to, &d) == POY_OK,
       "cylindrical bases");
    a = draw_coefficients(poy_basis_size(s));
    for (int e = 0; e < 4; e++) {
        const double singular = mismatch(ctx, embeddings[e], c, POY_REGULAR, s, POY_SINGULAR, a, to, 0.4);
        const double regular = mismatch(ctx, embeddings[e], c, POY_REGULAR, s, POY_REGULAR, a, to, 0.8);
        const double mixed = mismatch(ctx, embeddings[e], d, POY_REGULAR, s, POY_REGULAR, a, to, 0.8);
        ok(singular < 1e-12 && regular < 1e-12, "cylindrical waves about another axis: singular %.1e, regular %.1e",
           singular, regular);
        ok(mixed < 1e-12, "regular cylindrical waves in spherical waves: %.1e", mixed);
    }
    free(a);
    poy_basis_destroy(&s);
    poy_basis_destroy(&c);
    poy_basis_destroy(&d);
}

static void test_plane(poy_ctx *ctx)
{
    const double center[3] = {0.3, -0.5, 0.2};
    /* k = (0.3 - 0.3i, 0, 0.7 + 1.2i) and others, axial ones and evanescent ones among them */
    const poy_c128 q[18] = {{0.3, -0.3}, {0.0, 0.0}, {0.7, 1.2},  {0.0, 0.0}, {0.0, 0.0},  {1.0, 0.0},
                            {0.0, 0.0},  {0.0, 0.0}, {-1.0, 0.0}, {0.2, 0.0}, {-0.6, 0.0}, {0.4, 0.0},
                            {1.5, 0.0},  {0.2, 0.0}, {0.0, -1.1}, {0.3, 0.2}, {-0.1, 0.4}, {-0.8, 0.3}};
    const poy_embedding *const embeddings[] = {&vacuum, &lossy_parity, &chiral};
    poy_basis *s = NULL, *d = NULL;
    ok(poy_basis_pw_default(ctx, 6, q, &s) == POY_OK && poy_basis_sw_default(ctx, 26, 1, center, &d) == POY_OK,
       "plane waves, one of them lossy along z");
    poy_c128 *a = draw_coefficients(poy_basis_size(s));
    for (int e = 0; e < 3; e++) {
        const double error = mismatch(ctx, embeddings[e], d, POY_REGULAR, s, POY_UP, a, center, 1.0);
        ok(error < 1e-12, "plane waves from their spherical waves: %.1e", error);
    }
    poy_basis_destroy(&d);
    free(a);
    poy_basis_destroy(&s);

    /* cylindrical waves have a real kz: ports zx, one of them evanescent, one along z */
    const double components[8] = {0.3, 0.4, -0.9, 0.7, 0.2, 2.3, 0.6, 0.0}, kz[4] = {0.3, -0.9, 0.2, 0.6};
    ok(poy_ports_default(ctx, POY_ZX, 4, components, &s) == POY_OK &&
           poy_basis_cw_default(ctx, 4, kz, 26, 1, center, &d) == POY_OK,
       "ports and cylindrical waves");
    a = draw_coefficients(poy_basis_size(s));
    for (int e = 0; e < 3; e++)
        for (int side = 0; side < 2; side++) {
            const double error =
                mismatch(ctx, embeddings[e], d, POY_REGULAR, s, side ? POY_DOWN : POY_UP, a, center, 0.8);
            ok(error < 1e-12, "plane waves from their cylindrical waves, %s: %.1e", side ? "down" : "up", error);
        }
    free(a);
    poy_basis_destroy(&s);
    poy_basis_destroy(&d);

    /* forbidden orders of an axial lossy wave vanish exactly */
    const poy_embedding lossy = {1.0, {{1.0, 3.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    const poy_c128 axial[3] = {{0.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}};
    ok(poy_basis_pw_default(ctx, 1, axial, &s) == POY_OK && poy_basis_sw_default(ctx, 12, 0, NULL, &d) == POY_OK,
       "axial");
    poy_c128 *m = matrix(poy_basis_size(d), 2);
    int clean = poy_op_expand(ctx, &lossy, d, POY_REGULAR, s, POY_UP, m) == POY_OK;
    for (size_t i = 0; i < poy_basis_size(d); i++)
        for (size_t j = 0; j < 2; j++)
            if (abs(poy_basis_modes(d)[i].m) != 1)
                clean &= m[2 * i + j].re == 0.0 && m[2 * i + j].im == 0.0;
    ok(clean, "an axial lossy wave has |m| = 1 only, exactly");
    free(m);
    poy_basis_destroy(&s);
    poy_basis_destroy(&d);
}

/* ---- against single coefficients ---- */

static void test_single(poy_ctx *ctx)
{
    const double from[6] = {0.1, 0.2, -0.3, 1.0, -0.4, 0.6}, to[9] = {0.5, 0.5, 0.5, 0.1, 0.2, -0.3, -2.0, 1.0, 3.0};
    const poy_embedding *const embeddings[] = {&vacuum, &lossy_parity, &chiral};
    poy_basis *s = NULL, *d = NULL;
    ok(poy_basis_sw_default(ctx, 4, 2, from, &s) == POY_OK && poy_basis_sw_ebcm(ctx, 6, 3, 3, to, &d) == POY_OK,
       "two different orders");
    const size_t rows = poy_basis_size(d), cols = poy_basis_size(s);
    poy_c128 *m = matrix(rows, cols), *want = matrix(rows, cols), *base = matrix(rows, cols);
    for (int e = 0; e < 3; e++)
        for (int singular = 0; singular < 2; singular++) {
            poy_c128 ks[2];
            (void)poy_medium_ks(ctx, &embeddings[e]->medium, embeddings[e]->k0, ks);
            ok(poy_op_expand(ctx, embeddings[e], d, POY_REGULAR, s, singular ? POY_SINGULAR : POY_REGULAR, m) == POY_OK,
               "a block matrix");
            for (size_t i = 0; i < rows; i++)
                for (size_t j = 0; j < cols; j++) {
                    const poy_wave_mode *a = poy_basis_modes(d) + i, *b = poy_basis_modes(s) + j;
                    const int64_t n[6] = {a->l, a->m, a->pol, b->l, b->m, b->pol};
                    double r[3], at[3];
                    for (int x = 0; x < 3; x++)
                        r[x] = to[3 * a->particle + x] - from[3 * b->particle + x];
                    (void)poy_sf_car2sph(ctx, 1, r, at);
                    const poy_c128 kr = {ks[b->pol].re * at[0], ks[b->pol].im * at[0]};
                    (void)poy_sw_translate(ctx, 1, n, n + 1, n + 2, n + 3, n + 4, n + 5, &kr, at + 1, at + 2,
                                           embeddings[e]->poltype, singular, want + i * cols + j);
                }
            const poyi_expand_call call = {.kernels = &poyi_waves_base,
                                           .destination = d,
                                           .source = s,
                                           .ks = {poyi_c(ks[0]), poyi_c(ks[1])},
                                           .poltype = embeddings[e]->poltype,
                                           .singular = singular,
                                           .task = POYI_EXPAND_VALUE,
                                           .out = base};
            ok(poyi_expand_spherical(ctx, &call) == POY_OK && apart(rows * cols, m, want) < 1e-14 &&
                   apart(rows * cols, base, want) < 1e-14,
               "blocks are single coefficients, %s: best %.1e, base %.1e", singular ? "singular" : "regular",
               apart(rows * cols, m, want), apart(rows * cols, base, want));
        }
    free(m), free(want), free(base);
    poy_basis_destroy(&s);
    poy_basis_destroy(&d);
}

/* Translations nearly along z, by tiny displacements and of high orders: every entry to 1e-10 of itself. */
static void test_relative(poy_ctx *ctx)
{
    static const double shifts[][3] = {{1e-6, 0, 1.0}, {1e-12, 2e-12, 1.0}, {1e-9, -2e-9, 1.5e-9},
                                       {0, 0, 0.7},    {1e-15, 0, 2.0},     {0, 1e-8, 3.0}};
    poy_basis *s = NULL, *d = NULL;
    for (size_t t = 0; t < sizeof shifts / sizeof *shifts; t++) {
        double worst = 0.0;
        int count = 0;
        const double *r = shifts[t];
        double at[3];
        ok(poy_basis_sw_default(ctx, 5, 1, r, &d) == POY_OK && poy_basis_sw_default(ctx, 5, 0, NULL, &s) == POY_OK,
           "shift (%g, %g, %g)", r[0], r[1], r[2]);
        const size_t n = poy_basis_size(s);
        poy_c128 *m = matrix(n, n);
        ok(poy_op_expand(ctx, &vacuum, d, POY_REGULAR, s, POY_REGULAR, m) == POY_OK, "translation");
        (void)poy_sf_car2sph(ctx, 1, r, at);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const poy_wave_mode *a = poy_basis_modes(d) + i, *b = poy_basis_modes(s) + j;
                const int64_t l[6] = {a->l, a->m, a->pol, b->l, b->m, b->pol};
                const poy_c128 kr = {1.4 * at[0], 0.0};
                poy_c128 want;
                (void)poy_sw_translate(ctx, 1, l, l + 1, l + 2, l + 3, l + 4, l + 5, &kr, at + 1, at + 2, POY_HELICITY,
                                       0, &want);
                const double size = cabs(poyi_c(want));
                if (size < 1e-250)
                    continue;
                count++;
                worst = fmax(worst, cabs(poyi_c(m[i * n + j]) - poyi_c(want)) / size);
            }
        ok(worst < 1e-12 && count > 100, "%d entries keep their relative accuracy: %.1e", count, worst);
        free(m);
        poy_basis_destroy(&s);
        poy_basis_destroy(&d);
    }
}

/* Few modes of degrees up to 128 in one basis. */
static void test_high(poy_ctx *ctx)
{
    const poy_wave_mode modes[] = {{.l = 128, .m = 0, .pol = 1},  {.l = 128, .m = -128, .pol = 1},
                                   {.l = 127, .m = 64, .pol = 1}, {.l = 60, .m = 59, .pol = 1},
                                   {.l = 1, .m = 1, .pol = 1},    {.l = 128, .m = 127, .pol = 0},
                                   {.l = 100, .m = -3, .pol = 0}};
    const size_t n = sizeof modes / sizeof *modes;
    const double r[3] = {90.0, -70.0, 110.0};
    poy_basis *s = NULL, *d = NULL;
    poy_c128 m[49], want[49];
    double at[3], worst = 0.0;
    ok(poy_basis_sw_create(ctx, n, modes, 0, NULL, &s) == POY_OK &&
           poy_basis_sw_create(ctx, n, modes, 1, r, &d) == POY_OK,
       "degrees to 128");
    (void)poy_sf_car2sph(ctx, 1, r, at);
    for (int singular = 0; singular < 2; singular++) {
        ok(poy_op_expand(ctx, &vacuum, d, POY_REGULAR, s, singular ? POY_SINGULAR : POY_REGULAR, m) == POY_OK,
           "their translation");
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const int64_t l[6] = {modes[i].l, modes[i].m, modes[i].pol, modes[j].l, modes[j].m, modes[j].pol};
                const poy_c128 kr = {1.4 * at[0], 0.0};
                (void)poy_sw_translate(ctx, 1, l, l + 1, l + 2, l + 3, l + 4, l + 5, &kr, at + 1, at + 2, POY_HELICITY,
                                       singular, want + i * n + j);
            }
        worst = fmax(worst, apart(n * n, m, want));
    }
    ok(worst < 2e-13, "translation at degrees to 128 by kr = 220: %.1e", worst); /* the phase: 220 eps and 256 steps */
    poy_basis_destroy(&d);
    const double close[3] = {1e-3, 0.0, 1e-3};
    ok(poy_basis_sw_create(ctx, n, modes, 1, close, &d) == POY_OK &&
           poy_op_expand(ctx, &vacuum, d, POY_REGULAR, s, POY_SINGULAR, m) == POY_ERR_RANGE && isinf(m[0].re),
       "h_256(0.002) is beyond the range: %s", poy_ctx_cause(ctx));
    poy_basis_destroy(&d);
    poy_basis_destroy(&s);
}

/* ---- group laws ---- */

static void test_translations(poy_ctx *ctx)
{
    const double r[3] = {0.2, -0.3, 0.25}, back[3] = {-0.2, 0.3, -0.25}, none[3] = {0.0, 0.0, 0.0};
    poy_basis *large = NULL, *small = NULL;
    ok(poy_basis_sw_default(ctx, 16, 0, NULL, &large) == POY_OK &&
           poy_basis_sw_default(ctx, 3, 0, NULL, &small) == POY_OK,
       "bases of 16 and 3 degrees");
    const size_t n = poy_basis_size(large), k = poy_basis_size(small);
    poy_c128 *there = matrix(n, k), *again = matrix(k, n), *both = matrix(k, k), *one = matrix(k, k);
    ok(poy_op_translate(ctx, &chiral, r, large, small, POY_REGULAR, there) == POY_OK &&
           poy_op_translate(ctx, &chiral, back, small, large, POY_REGULAR, again) == POY_OK &&
           poy_op_translate(ctx, &chiral, none, small, small, POY_REGULAR, one) == POY_OK,
       "there, back and nowhere");
    multiply(k, n, k, again, there, both);
    int exact = 1;
    for (size_t i = 0; i < k * k; i++)
        exact &= one[i].re == (i % (k + 1) == 0) && one[i].im == 0.0;
    ok(exact, "translation by nothing is 1, exactly");
    /* the sum over degrees above 16 is below (k r)^13 / 13!! of each way */
    ok(apart(k * k, both, one) < 1e-13, "there and back is 1: %.1e", apart(k * k, both, one));
    free(there), free(again), free(both), free(one);
    poy_basis_destroy(&large);
    poy_basis_destroy(&small);

    const double kz[1] = {0.5}, positions[6] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0};
    poy_basis *c = NULL;
    ok(poy_basis_cw_default(ctx, 1, kz, 1, 2, positions, &c) == POY_OK, "two cylinders");
    const size_t w = poy_basis_size(c);
    poy_c128 *t = matrix(w, w);
    double worst = 0.0;
    ok(poy_op_translate(ctx, &vacuum, r, c, c, POY_REGULAR, t) == POY_OK, "moved alike");
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < w; j++) {
            const poy_wave_mode *a = poy_basis_modes(c) + i, *b = poy_basis_modes(c) + j;
            const int64_t la[2] = {a->m, a->pol}, lb[2] = {b->m, b->pol};
            const double phi = atan2(r[1], r[0]);
            const poy_c128 krr = {sqrt(1.4 * 1.4 - 0.25) * hypot(r[0], r[1]), 0.0};
            poy_c128 want = {0.0, 0.0};
            if (a->particle == b->particle)
                (void)poy_cw_translate(ctx, 1, kz, la, la + 1, kz, lb, lb + 1, &krr, &phi, r + 2, 0, &want);
            worst = fmax(worst, hypot(t[i * w + j].re - want.re, t[i * w + j].im - want.im));
        }
    ok(worst < 1e-15, "cylindrical translations of equal particles: %.1e", worst);
    free(t);
    poy_basis_destroy(&c);

    const double components[4] = {0.1, 0.2, -0.4, 2.0};
    poy_basis *p = NULL;
    poy_c128 ports[16] = {{0.0, 0.0}}, vectors[12] = {{0.0, 0.0}};
    ok(poy_ports_default(ctx, POY_YZ, 2, components, &p) == POY_OK &&
           poy_op_translate(ctx, &vacuum, r, p, p, POY_DOWN, ports) == POY_OK &&
           poy_basis_kvecs(ctx, &vacuum, p, POY_DOWN, vectors) == POY_OK,
       "ports move by phases");
    worst = 0.0;
    for (size_t i = 0; i < 16; i++) {
        const poy_c128 *v = vectors + 3 * (i / 4);
        const double complex phase = poyi_c(v[0]) * r[0] + poyi_c(v[1]) * r[1] + poyi_c(v[2]) * r[2];
        worst = fmax(worst, cabs(poyi_c(ports[i]) - (i % 5 == 0 ? cexp(CMPLX(0.0, 1.0) * phase) : 0.0)));
    }
    ok(worst < 1e-15, "e^{i k.r}: %.1e", worst);
    poy_basis_destroy(&p);
}

/* z-y-z matrix of the angles: v -> Rz(phi) Ry(theta) Rz(psi) v. */
static void euler(const double angles[3], double m[3][3])
{
    const double a = angles[0], b = angles[1], c = angles[2];
    const double rows[3][3] = {
        {cos(a) * cos(b) * cos(c) - sin(a) * sin(c), -cos(a) * cos(b) * sin(c) - sin(a) * cos(c), cos(a) * sin(b)},
        {sin(a) * cos(b) * cos(c) + cos(a) * sin(c), -sin(a) * cos(b) * sin(c) + cos(a) * cos(c), sin(a) * sin(b)},
        {-sin(b) * cos(c), sin(b) * sin(c), cos(b)}};
    memcpy(m, rows, sizeof rows);
}

static void test_rotations(poy_ctx *ctx)
{
    const double angles[3] = {0.4, 1.1, -0.7}, inverse[3] = {0.7, -1.1, -0.4}, turn[3] = {0.3, 0.0, 0.5};
    poy_basis *b = NULL, *c = NULL;
    ok(poy_basis_sw_default(ctx, 5, 0, NULL, &b) == POY_OK, "a basis");
    const size_t n = poy_basis_size(b);
    poy_c128 *there = matrix(n, n), *back = matrix(n, n), *both = matrix(n, n), *one = matrix(n, n);
    poy_c128 *a = draw_coefficients(n), *turned = matrix(n, 1);
    ok(poy_op_rotate(ctx, angles, b, b, there) == POY_OK && poy_op_rotate(ctx, inverse, b, b, back) == POY_OK,
       "rotations");
    multiply(n, n, n, back, there, both);
    for (size_t i = 0; i < n; i++)
        one[i * n + i].re = 1.0;
    ok(apart(n * n, both, one) < 1e-14, "(-psi, -theta, -phi) turns back: %.1e", apart(n * n, both, one));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            both[i * n + j] = (poy_c128){there[j * n + i].re, -there[j * n + i].im};
    ok(apart(n * n, both, back) < 1e-14, "it is the adjoint: %.1e", apart(n * n, both, back));

    /* the rotated wave at the rotated point is the rotated field */
    double m[3][3], r[3] = {0.6, -0.8, 0.5}, point[3];
    poy_c128 field[3], got[3];
    euler(angles, m);
    for (int i = 0; i < 3; i++)
        point[i] = m[i][0] * r[0] + m[i][1] * r[1] + m[i][2] * r[2];
    multiply(n, n, 1, there, a, turned);
    (void)poy_wave_sample(ctx, &vacuum, b, POY_SINGULAR, a, POY_WAVE_E, 0, 1, r, field);
    (void)poy_wave_sample(ctx, &vacuum, b, POY_SINGULAR, turned, POY_WAVE_E, 0, 1, point, got);
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < 3; i++) {
        const double complex want =
            m[i][0] * poyi_c(field[0]) + m[i][1] * poyi_c(field[1]) + m[i][2] * poyi_c(field[2]);
        worst = fmax(worst, cabs(poyi_c(got[i]) - want));
        size = fmax(size, cabs(want));
    }
    ok(worst < 1e-14 * size, "it turns the object: %.1e", worst / size);
    free(there), free(back), free(both), free(one), free(a), free(turned);
    poy_basis_destroy(&b);

    const double kz[1] = {0.3}, tiny[3] = {0.0, 1e-9, 0.0};
    const poy_wave_mode pair[2] = {{.l = 1, .m = 1, .pol = 1}, {.l = 1, .m = 0, .pol = 1}};
    poy_c128 small[4], cyl[36];
    ok(poy_basis_sw_create(ctx, 2, pair, 0, NULL, &b) == POY_OK && poy_op_rotate(ctx, tiny, b, b, small) == POY_OK &&
           fabs(small[1].re / (-1e-9 / sqrt(2.0)) - 1.0) < 1e-14,
       "a rotation by 1e-9 keeps its digits");
    ok(poy_basis_cw_default(ctx, 1, kz, 1, 0, NULL, &c) == POY_OK && poy_op_rotate(ctx, turn, c, c, cyl) == POY_OK &&
           cabs(poyi_c(cyl[0]) - cexp(CMPLX(0.0, 0.8))) < 1e-15 && cyl[1].re == 0.0,
       "cylinders turn by phi + psi");
    ok(poy_op_rotate(ctx, angles, c, c, cyl) == POY_ERR_UNSUPPORTED, "cylinders do not tilt: %s", poy_ctx_cause(ctx));
    ok(poy_op_rotate(ctx, turn, c, b, cyl) == POY_ERR_UNSUPPORTED, "families do not mix: %s", poy_ctx_cause(ctx));
    poy_basis_destroy(&b);
    poy_basis_destroy(&c);
}

/* A plane wave with permuted axes: the field's components and the point permute alike. */
static void test_permutation(poy_ctx *ctx)
{
    const poy_embedding *const embeddings[] = {&vacuum, &lossy_parity, &chiral};
    const double components[10] = {0.3, 0.4, 0.0, 0.0, -0.6, 0.1, 0.5, 0.0, 2.0, 0.9}, r[3] = {0.3, -0.6, 0.4};
    for (int e = 0; e < 3; e++)
        for (int n = -1; n <= 2; n++)
            for (int side = 0; side < 2; side++) {
                const poy_modetype type = side ? POY_DOWN : POY_UP;
                const int turns = (n + 3) % 3;
                poy_basis *b = NULL, *p = NULL;
                poy_c128 m[100], got[3], field[3], want[3], c[10];
                ok(poy_ports_default(ctx, POY_XY, 5, components, &b) == POY_OK &&
                       poy_basis_permuted(ctx, b, n, &p) == POY_OK &&
                       poy_op_permute(ctx, embeddings[e], n, b, type, m) == POY_OK,
                   "permutation %d", n);
                poy_c128 *a = draw_coefficients(10);
                double point[3];
                for (int i = 0; i < 3; i++)
                    point[(i + turns) % 3] = r[i];
                multiply(10, 10, 1, m, a, c);
                (void)poy_wave_sample(ctx, embeddings[e], b, type, a, POY_WAVE_E, 0, 1, r, field);
                (void)poy_wave_sample(ctx, embeddings[e], p, type, c, POY_WAVE_E, 0, 1, point, got);
                for (int i = 0; i < 3; i++)
                    want[(i + turns) % 3] = field[i];
                ok(apart(3, got, want) < 1e-14, "the field is permuted, embedding %d, n %d, %s: %.1e", e, n,
                   side ? "down" : "up", apart(3, got, want));
                free(a);
                poy_basis_destroy(&b);
                poy_basis_destroy(&p);
            }
}

static void test_labels(poy_ctx *ctx)
{
    poy_basis *b = NULL, *part = NULL;
    const poy_wave_mode modes[2] = {{.l = 2, .m = -1, .pol = 0}, {.l = 1, .m = 0, .pol = 1}};
    ok(poy_basis_sw_default(ctx, 2, 0, NULL, &b) == POY_OK &&
           poy_basis_sw_create(ctx, 2, modes, 0, NULL, &part) == POY_OK,
       "two bases");
    const size_t n = poy_basis_size(b);
    double *change = calloc(n * n, sizeof *change), *pick = calloc(2 * n, sizeof *pick);
    poy_c128 *a = draw_coefficients(n), *c = matrix(n, 1), e[3], f[3];
    const double r[3] = {0.5, 0.2, 0.9};
    ok(poy_op_changepoltype(ctx, b, b, change) == POY_OK && poy_op_pickmodes(ctx, part, b, pick) == POY_OK, "matrices");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            c[i].re += change[i * n + j] * a[j].re;
            c[i].im += change[i * n + j] * a[j].im;
        }
    (void)poy_wave_sample(ctx, &vacuum, b, POY_REGULAR, a, POY_WAVE_E, 0, 1, r, e);
    (void)poy_wave_sample(ctx, &vacuum_parity, b, POY_REGULAR, c, POY_WAVE_E, 0, 1, r, f);
    ok(apart(3, f, e) < 1e-15, "helicity and parity coefficients make one field: %.1e", apart(3, f, e));
    double sum = 0.0;
    for (size_t i = 0; i < 2 * n; i++)
        sum += pick[i];
    ok(sum == 2.0 && pick[poy_basis_find(b, modes)] == 1.0 && pick[n + (size_t)poy_basis_find(b, modes + 1)] == 1.0,
       "modes are picked by their labels");
    free(change), free(pick), free(a), free(c);
    poy_basis_destroy(&b);
    poy_basis_destroy(&part);
}

/* ---- threads, refusals ---- */

static void test_threads(poy_ctx *ctx)
{
    double positions[9 * 3];
    poy_basis *b = NULL, *c = NULL;
    const double kz[2] = {0.2, -0.4};
    draw_points(9, 6.0, positions);
    ok(poy_basis_sw_default(ctx, 3, 9, positions, &b) == POY_OK &&
           poy_basis_cw_default(ctx, 2, kz, 2, 9, positions, &c) == POY_OK,
       "nine particles");
    const poy_basis *const bases[3][2] = {{b, b}, {c, c}, {b, c}};
    for (int i = 0; i < 3; i++) {
        const size_t n = poy_basis_size(bases[i][0]) * poy_basis_size(bases[i][1]);
        poy_c128 *one = matrix(n, 1), *two = matrix(n, 1);
        const poy_modetype type = i == 2 ? POY_REGULAR : POY_SINGULAR;
        poy_ctx_set_threads(ctx, 1);
        const poy_status first = poy_op_expand(ctx, &chiral, bases[i][0], POY_REGULAR, bases[i][1], type, one);
        poy_ctx_set_threads(ctx, 2);
        const poy_status second = poy_op_expand(ctx, &chiral, bases[i][0], POY_REGULAR, bases[i][1], type, two);
        ok(first == POY_OK && second == POY_OK && memcmp(one, two, n * sizeof *one) == 0,
           "two threads give the bits of one, case %d", i);
        free(one), free(two);
    }
    poy_ctx_set_threads(ctx, 0);
    poy_basis_destroy(&b);
    poy_basis_destroy(&c);
}

static void test_refusals(poy_ctx *ctx)
{
    const double kz[1] = {1.4}, components[2] = {0.1, 0.2}, here[3] = {0.1, 0.2, 0.3};
    poy_basis *s = NULL, *c = NULL, *p = NULL, *zx = NULL;
    poy_c128 *m = matrix(64, 64);
    ok(poy_basis_sw_default(ctx, 1, 0, NULL, &s) == POY_OK &&
           poy_basis_cw_default(ctx, 1, kz, 1, 0, NULL, &c) == POY_OK &&
           poy_ports_default(ctx, POY_XY, 1, components, &p) == POY_OK &&
           poy_ports_default(ctx, POY_ZX, 1, components, &zx) == POY_OK,
       "bases");
    ok(poy_op_expand(ctx, &vacuum, p, POY_UP, s, POY_SINGULAR, m) == POY_ERR_UNSUPPORTED, "ports from multipoles: %s",
       poy_ctx_cause(ctx));
    ok(poy_op_expand(ctx, &vacuum, c, POY_REGULAR, s, POY_REGULAR, m) == POY_ERR_UNSUPPORTED,
       "cylindrical from spherical: %s", poy_ctx_cause(ctx));
    ok(poy_op_expand(ctx, &vacuum, s, POY_REGULAR, c, POY_SINGULAR, m) == POY_ERR_UNSUPPORTED,
       "spherical from singular cylindrical: %s", poy_ctx_cause(ctx));
    ok(poy_op_expand(ctx, &vacuum, s, POY_SINGULAR, s, POY_REGULAR, m) == POY_ERR_UNSUPPORTED,
       "singular from regular: %s", poy_ctx_cause(ctx));
    ok(poy_op_expand(ctx, &vacuum, s, POY_SINGULAR, p, POY_UP, m) == POY_ERR_ARGUMENT, "singular from plane: %s",
       poy_ctx_cause(ctx));
    ok(poy_op_expand(ctx, &vacuum, s, POY_REGULAR, p, POY_REGULAR, m) == POY_ERR_ARGUMENT, "ports without a side: %s",
       poy_ctx_cause(ctx));
    ok(poy_op_expand(ctx, &vacuum, s, POY_UP, s, POY_REGULAR, m) == POY_ERR_ARGUMENT, "multipoles up: %s",
       poy_ctx_cause(ctx));
    ok(poy_op_expand(ctx, &vacuum, c, POY_REGULAR, c, POY_SINGULAR, m) == POY_ERR_ARGUMENT, "kz = k: %s",
       poy_ctx_cause(ctx));
    ok(poy_op_translate(ctx, &vacuum, here, s, c, POY_REGULAR, m) == POY_ERR_UNSUPPORTED,
       "translation between families: %s", poy_ctx_cause(ctx));
    const double bad[3] = {0.0, (double)NAN, 0.0};
    ok(poy_op_translate(ctx, &vacuum, bad, s, s, POY_REGULAR, m) == POY_ERR_ARGUMENT, "by NaN: %s", poy_ctx_cause(ctx));
    poy_embedding wrong = chiral;
    wrong.poltype = POY_PARITY;
    ok(poy_op_expand(ctx, &wrong, s, POY_REGULAR, s, POY_SINGULAR, m) == POY_ERR_UNSUPPORTED, "parity, chiral: %s",
       poy_ctx_cause(ctx));
    ok(poy_op_radiate(ctx, &vacuum, zx, POY_UP, s, 1.0, m) == POY_ERR_UNSUPPORTED, "spheres radiate into xy: %s",
       poy_ctx_cause(ctx));
    ok(poy_op_radiate(ctx, &vacuum, p, POY_UP, s, 0.0, m) == POY_ERR_ARGUMENT, "no area: %s", poy_ctx_cause(ctx));
    poy_basis_destroy(&p);
    const double grazing[2] = {1.4, 0.0};
    ok(poy_ports_default(ctx, POY_XY, 1, grazing, &p) == POY_OK &&
           poy_op_radiate(ctx, &vacuum, p, POY_UP, s, 1.0, m) == POY_ERR_THRESHOLD,
       "grazing emission: %s", poy_ctx_cause(ctx));
    ok(poy_op_expand(ctx, &vacuum, s, POY_REGULAR, p, POY_UP, m) == POY_OK, "grazing incidence is finite");
    poy_ctx_set_budget(ctx, 1000);
    const poy_status status = poy_op_expand(ctx, &vacuum, s, POY_REGULAR, s, POY_SINGULAR, m);
    ok(status == POY_ERR_BUDGET, "the budget holds: %s", poy_ctx_cause(ctx));
    poy_ctx_set_budget(ctx, 0);
    poy_basis_destroy(&s);
    poy_basis_destroy(&c);
    poy_basis_destroy(&p);
    poy_basis_destroy(&zx);
    free(m);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    test_addition(ctx);
    test_plane(ctx);
    test_single(ctx);
    test_relative(ctx);
    test_high(ctx);
    test_translations(ctx);
    test_rotations(ctx);
    test_permutation(ctx);
    test_labels(ctx);
    test_threads(ctx);
    test_refusals(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* test_wave_field.c: fields of every family against single waves, Maxwell's equations, the two instruction sets and extended
 * precision against each other, grids, threads, and what bad input gets. */
#include "poynting/special.h"
#include "scatter/waves/field/field.h"
#include "unit/scatter/wave_fixture.h"

enum { POINTS = 37 };

/* ---- against single waves ---- */

/* The field of one mode at r by the function of its family. */
static void single(poy_ctx *ctx, const poy_embedding *e, const poy_basis *b, poy_modetype type, size_t i,
                   const double *r, poy_c128 out[3])
{
    const poy_wave_mode *mode = poy_basis_modes(b) + i;
    const int64_t l = mode->l, m = mode->m, pol = mode->pol;
    const int singular = type == POY_SINGULAR, helicity = e->poltype == POY_HELICITY;
    poy_c128 ks[2], value[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    double d[3] = {r[0], r[1], r[2]}, at[3];
    (void)poy_medium_ks(ctx, &e->medium, e->k0, ks);
    const poy_c128 k = ks[pol];
    if (poy_basis_get_kind(b) == POY_BASIS_PORTS || poy_basis_get_kind(b) == POY_BASIS_PLANE) {
        poy_c128 *v = matrix(poy_basis_size(b), 3);
        (void)poy_basis_kvecs(ctx, e, b, type, v);
        const poy_c128 *q = v + 3 * i;
        if (helicity)
            (void)poy_sf_vpw_A(ctx, 1, q, q + 1, q + 2, r, r + 1, r + 2, &pol, out);
        else
            (void)(pol ? poy_sf_vpw_N : poy_sf_vpw_M)(ctx, 1, q, q + 1, q + 2, r, r + 1, r + 2, out);
        free(v);
        return;
    }
    for (int j = 0; j < 3; j++)
        d[j] -= poy_basis_positions(b)[3 * mode->particle + j];
    if (poy_basis_get_kind(b) == POY_BASIS_SPHERICAL) {
        (void)poy_sf_car2sph(ctx, 1, d, at);
        const poy_c128 x = {k.re * at[0], k.im * at[0]}, theta = {at[1], 0.0};
        if (helicity)
            (void)(singular ? poy_sf_vsw_A : poy_sf_vsw_rA)(ctx, 1, &l, &m, &x, &theta, &at[2], &pol, value);
        else if (pol)
            (void)(singular ? poy_sf_vsw_N : poy_sf_vsw_rN)(ctx, 1, &l, &m, &x, &theta, &at[2], value);
        else
            (void)(singular ? poy_sf_vsw_M : poy_sf_vsw_rM)(ctx, 1, &l, &m, &x, &theta, &at[2], value);
        (void)poy_sf_vsph2car(ctx, 1, value, at, out);
        return;
    }
    poy_c128 radial;
    const poy_c128 kz = {mode->kz, 0.0}, none = {0.0, 0.0};
    (void)poy_sf_car2cyl(ctx, 1, d, at);
    (void)poy_wave_vec_z(ctx, 1, &kz, &none, &k, &radial);
    const poy_c128 x = {radial.re * at[0], radial.im * at[0]};
    if (helicity)
        (void)(singular ? poy_sf_vcw_A : poy_sf_vcw_rA)(ctx, 1, &mode->kz, &m, &x, &at[1], &at[2], &k, &pol, value);
    else if (pol)
        (void)(singular ? poy_sf_vcw_N : poy_sf_vcw_rN)(ctx, 1, &mode->kz, &m, &x, &at[1], &at[2], &k, value);
    else
        (void)(singular ? poy_sf_vcw_M : poy_sf_vcw_rM)(ctx, 1, &mode->kz, &m, &x, &at[1], &at[2], value);
    (void)poy_sf_vcyl2car(ctx, 1, value, at, out);
}

/* Operator and sample against the sum of single waves; phases of |k r| ~ 20 cost 20 eps, sums of n terms a few more. */
static void against_singles(poy_ctx *ctx, const char *name, const poy_embedding *e, const poy_basis *b,
                            poy_modetype type)
{
    const size_t n = poy_basis_size(b);
    double points[3 * POINTS];
    poy_c128 *a = draw_coefficients(n), *op = matrix(3 * POINTS, n), *sample = matrix(3, POINTS),
             *sum = matrix(3, POINTS);
    double worst = 0.0;
    draw_points(POINTS, 4.0, points);
    poy_ctx_set_threads(ctx, 3);
    ok(poy_op_field(ctx, e, b, type, POY_WAVE_E, 0, POINTS, points, op) == POY_OK &&
           poy_wave_sample(ctx, e, b, type, a, POY_WAVE_E, 0, POINTS, points, sample) == POY_OK,
       "%s: fields of %zu modes", name, n);
    for (size_t p = 0; p < POINTS; p++)
        for (size_t i = 0; i < n; i++) {
            poy_c128 want[3], got[3];
            single(ctx, e, b, type, i, points + 3 * p, want);
            for (size_t j = 0; j < 3; j++) {
                got[j] = op[(3 * p + j) * n + i];
                sum[3 * p + j] = poyi_pair(poyi_c(sum[3 * p + j]) + poyi_c(a[i]) * poyi_c(want[j]));
            }
            worst = fmax(worst, apart(3, got, want));
        }
    ok(worst < 1e-13, "%s: every mode is the single wave, error %.1e", name, worst);
    worst = 0.0;
    for (size_t p = 0; p < POINTS; p++)
        worst = fmax(worst, apart(3, sample + 3 * p, sum + 3 * p));
    ok(worst < 2e-13, "%s: the sample is their sum, error %.1e", name, worst);
    poy_c128 *again = matrix(3 * POINTS, n), *sample_again = matrix(3, POINTS);
    poy_ctx_set_threads(ctx, 1);
    ok(poy_op_field(ctx, e, b, type, POY_WAVE_E, 0, POINTS, points, again) == POY_OK &&
           poy_wave_sample(ctx, e, b, type, a, POY_WAVE_E, 0, POINTS, points, sample_again) == POY_OK &&
           memcmp(op, again, 3 * POINTS * n * sizeof *op) == 0 &&
           memcmp(sample, sample_again, (size_t)3 * POINTS * sizeof *sample) == 0,
       "%s: one thread gives the bits of three", name);
    free(again), free(sample_again);
    free(a), free(op), free(sample), free(sum);
}

/* ---- Maxwell's equations ---- */

/* d f / d x_axis of a sample by central differences of order 8; step h. */
static void derivative(poy_ctx *ctx, const poy_embedding *e, const poy_basis *b, poy_modetype type, const poy_c128 *a,
                       poy_wave_field field, const double *r, int axis, double h, double complex out[3])
{
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    out[0] = out[1] = out[2] = 0.0;
    for (int side = -1; side <= 1; side += 2)
        for (int s = 1; s <= 4; s++) {
            double p[3] = {r[0], r[1], r[2]};
            poy_c128 f[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
            p[axis] += side * s * h;
            (void)poy_wave_sample(ctx, e, b, type, a, field, 0, 1, p, f);
            for (int j = 0; j < 3; j++)
                out[j] += side * weight[s - 1] / h * poyi_c(f[j]);
        }
}

/* curl E = i k0 c B and curl Z0 H = -i k0 D / eps0; the constitutive relations. Differences of order 8 at k h = 0.02 leave
 * (k h)^8 and eps / (k h). */
static void test_maxwell(poy_ctx *ctx, const char *name, const poy_embedding *e, const poy_basis *b, poy_modetype type)
{
    const size_t n = poy_basis_size(b);
    poy_c128 *a = draw_coefficients(n);
    const double r[3] = {2.9, -1.7, 2.1};
    const double complex i = CMPLX(0.0, 1.0), kappa = poyi_c(e->medium.kappa);
    double worst[2] = {0.0, 0.0}, constitutive = 0.0;
    poy_c128 f[4][3];
    for (int field = 0; field < 4; field++)
        ok(poy_wave_sample(ctx, e, b, type, a, (poy_wave_field)field, 0, 1, r, f[field]) == POY_OK, "%s: field %d",
           name, field);
    for (int j = 0; j < 3; j++) {
        const double complex d = poyi_c(e->medium.epsilon) * poyi_c(f[0][j]) + i * kappa * poyi_c(f[1][j]);
        const double complex m = poyi_c(e->medium.mu) * poyi_c(f[1][j]) - i * kappa * poyi_c(f[0][j]);
        constitutive = fmax(constitutive, cabs(d - poyi_c(f[2][j])) / cabs(d));
        constitutive = fmax(constitutive, cabs(m - poyi_c(f[3][j])) / cabs(m));
    }
    ok(constitutive < 1e-13, "%s: the constitutive relations, error %.1e", name, constitutive);
    for (int which = 0; which < 2; which++) {
        double complex d[3][3];
        double size = 0.0;
        for (int axis = 0; axis < 3; axis++)
            derivative(ctx, e, b, type, a, which ? POY_WAVE_H : POY_WAVE_E, r, axis, 0.02, d[axis]);
        for (int j = 0; j < 3; j++) {
            const int x = (j + 1) % 3, y = (j + 2) % 3;
            const double complex want = which ? -i * e->k0 * poyi_c(f[2][j]) : i * e->k0 * poyi_c(f[3][j]);
            worst[which] = fmax(worst[which], cabs(d[x][y] - d[y][x] - want));
            size = fmax(size, cabs(want));
        }
        worst[which] /= size;
    }
    ok(worst[0] < 1e-11 && worst[1] < 1e-11, "%s: curl E and curl H, errors %.1e and %.1e", name, worst[0], worst[1]);
    free(a);
}

/* ---- Riemann-Silberstein fields ---- */

static void test_riemann(poy_ctx *ctx)
{
    poy_basis *b = NULL;
    poy_c128 e[3], g[2][3], h[3], f[3], z;
    const double r[3] = {0.4, 0.5, -0.3};
    const poy_wave_mode mode = {.l = 2, .m = 1, .pol = 1};
    const poy_c128 one = {1.0, 0.0};
    ok(poy_basis_sw_create(ctx, 1, &mode, 0, NULL, &b) == POY_OK, "one wave of positive helicity");
    (void)poy_wave_sample(ctx, &chiral, b, POY_REGULAR, &one, POY_WAVE_E, 0, 1, r, e);
    (void)poy_wave_sample(ctx, &chiral, b, POY_REGULAR, &one, POY_WAVE_H, 0, 1, r, h);
    for (int pol = 0; pol < 2; pol++)
        (void)poy_wave_sample(ctx, &chiral, b, POY_REGULAR, &one, POY_WAVE_G, pol, 1, r, g[pol]);
    (void)poy_wave_sample(ctx, &chiral, b, POY_REGULAR, &one, POY_WAVE_F, 1, 1, r, f);
    (void)poy_medium_impedance(ctx, &chiral.medium, &z);
    poy_c128 n, ns[2];
    (void)poy_medium_index(ctx, &chiral.medium, &n);
    (void)poy_medium_indices(ctx, &chiral.medium, ns);
    double error = 0.0, dark = 0.0;
    for (int j = 0; j < 3; j++) {
        const double complex sum = (poyi_c(e[j]) + CMPLX(0.0, 1.0) * poyi_c(z) * poyi_c(h[j])) / sqrt(2.0);
        error = fmax(error, cabs(poyi_c(g[1][j]) - sum));
        error = fmax(error, cabs(poyi_c(g[1][j]) - sqrt(2.0) * poyi_c(e[j])));
        error = fmax(error, cabs(poyi_c(f[j]) - poyi_c(g[1][j]) * poyi_c(ns[1]) / poyi_c(n)));
        dark = fmax(dark, cabs(poyi_c(g[0][j])));
    }
    ok(error < 1e-15, "G of a wave of that helicity is sqrt(2) E = (E + i Z H) / sqrt(2), F weighs the index: %.1e",
       error);
    ok(dark == 0.0, "G of the other helicity is dark");
    poy_basis_destroy(&b);
    ok(poy_basis_sw_create(ctx, 1, &mode, 0, NULL, &b) == POY_OK, "one electric wave");
    (void)poy_wave_sample(ctx, &vacuum_parity, b, POY_REGULAR, &one, POY_WAVE_E, 0, 1, r, e);
    (void)poy_wave_sample(ctx, &vacuum_parity, b, POY_REGULAR, &one, POY_WAVE_H, 0, 1, r, h);
    (void)poy_wave_sample(ctx, &vacuum_parity, b, POY_REGULAR, &one, POY_WAVE_G, 0, 1, r, g[0]);
    error = 0.0;
    for (int j = 0; j < 3; j++)
        error = fmax(error, cabs(poyi_c(g[0][j]) - sqrt(2.0) * (poyi_c(e[j]) - CMPLX(0.0, 1.0) * poyi_c(h[j]))));
    ok(error < 1e-15, "in parity G = sqrt(2) (E - i Z H): %.1e", error);
    ok(poy_wave_sample(ctx, &vacuum, b, POY_REGULAR, &one, POY_WAVE_G, 2, 1, r, e) == POY_ERR_ARGUMENT,
       "G of helicity 2: %s", poy_ctx_cause(ctx));
    poy_basis_destroy(&b);
}

/* ---- kernels ---- */

/* Points that are hard for double precision: the origin, the axis, beside it, far, near. */
static size_t hard_points(double *p)
{
    static const double points[][3] = {{0, 0, 0},           {0, 0, 1.3},       {0, 0, -2.0},    {1e-9, 0, 1.0},
                                       {1e-9, -2e-9, -1.0}, {1e-40, 0, 1.0},   {1e-200, 0, 1},  {1e-12, 1e-12, 1e-12},
                                       {1e-40, 0, 1e-40},   {1e-170, 0, 0},    {300, 200, 100}, {3e4, -1e4, 2e4},
                                       {2.0, 1.0, 1e-14},   {0.02, 0.01, 0.0}, {5, 5, 5},       {-7, 3, 1e-300}};
    memcpy(p, points, sizeof points);
    return sizeof points / sizeof *points;
}

static void test_kernels(poy_ctx *ctx, int lmax, int singular, const double complex ks[2])
{
    poy_basis *b = NULL;
    double points[64 * 3];
    poy_c128 *out[2], *exact, *op;
    const size_t more = lmax > 30 ? 5 : 32; /* single modes of high degrees take long */
    const size_t hard = hard_points(points), first = singular ? 1 : 0, n = hard + more;
    draw_points(more, 3.0, points + 3 * hard);
    ok(poy_basis_sw_default(ctx, lmax, 0, NULL, &b) == POY_OK, "lmax %d", lmax);
    const size_t size = poy_basis_size(b);
    poy_c128 *a = draw_coefficients(size);
    if (singular) /* near the origin the highest degrees alone count, and may leave the range */
        for (size_t i = 0; i < size; i++)
            if (poy_basis_modes(b)[i].l > 6)
                a[i] = (poy_c128){0.0, 0.0};
    exact = matrix(n, 3);
    op = matrix(3 * n, size);
    poyi_field_call c = {.basis = b,
                         .ks = {ks[0], ks[1]},
                         .singular = singular,
                         .mix = {{{1.0, 0.0}, {0.0, 1.0}}},
                         .coefficients = a,
                         .n = n - first,
                         .points = points + 3 * first};
    const poyi_waves_kernels *kernels[2] = {&poyi_waves_base, poyi_waves_best()};
    poy_status status[2];
    for (int k = 0; k < 2; k++) {
        out[k] = matrix(n, 3);
        c.kernels = kernels[k];
        c.out = out[k];
        status[k] = poyi_field(ctx, &c);
    }
    for (size_t p = first; p < n; p++) {
        poyi_field_call one = c;
        poy_c128 *row = op + 3 * p * size;
        one.coefficients = NULL;
        one.points = points + 3 * p;
        one.n = 1;
        one.out = row;
        (void)poyi_field(ctx, &one); /* modes of no weight may be beyond the range */
        for (size_t j = 0; j < 3; j++) {
            double complex sum = 0.0;
            for (size_t i = 0; i < size; i++)
                if (a[i].re != 0.0 || a[i].im != 0.0)
                    sum += poyi_c(a[i]) * poyi_c(row[j * size + i]);
            exact[3 * (p - first) + j] = poyi_pair(sum);
        }
    }
    double worst[2] = {0.0, 0.0};
    for (size_t p = 0; p < n - first; p++)
        for (int k = 0; k < 2; k++)
            if (isfinite(exact[3 * p].re))
                worst[k] = fmax(
                    worst[k], apart(3, out[k] + 3 * p, exact + 3 * p) /
                                  fmax(1.0, cabs(ks[1]) * hypot(points[3 * (p + first)], points[3 * (p + first) + 1])));
    /* errors of the phase k r are in units of it */
    ok(worst[0] < 5e-13 && worst[1] < 5e-13, "lmax %d, %s, k %g%+gi: base %.1e, best %.1e off the single modes", lmax,
       singular ? "singular" : "regular", creal(ks[0]), cimag(ks[0]), worst[0], worst[1]);
    ok(status[0] == status[1], "both kernels agree on the range");
    poy_basis_destroy(&b);
    free(a), free(exact), free(op), free(out[0]), free(out[1]);
}

/* ---- grids, threads, refusals ---- */

static void test_grid(poy_ctx *ctx)
{
    poy_basis *b = NULL;
    const double positions[6] = {0.3, 0.0, -0.2, -0.4, 0.5, 0.1};
    const poy_points grid = {{-1.0, -1.0, 0.7}, {{0.5, 0.0, 0.0}, {0.0, 0.4, 0.1}, {0.0, 0.0, 0.3}}, {3, 4, 2}};
    double points[24 * 3];
    poy_c128 got[24 * 3], want[24 * 3], again[24 * 3];
    size_t i = 0;
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 4; y++)
            for (int z = 0; z < 2; z++, i++) {
                points[3 * i] = -1.0 + 0.5 * x;
                points[3 * i + 1] = -1.0 + 0.4 * y;
                points[3 * i + 2] = 0.7 + (0.1 * y + 0.3 * z);
            }
    ok(poy_basis_sw_default(ctx, 5, 2, positions, &b) == POY_OK, "two particles");
    poy_c128 *a = draw_coefficients(poy_basis_size(b));
    poy_ctx_set_threads(ctx, 1);
    ok(poy_wave_sample_grid(ctx, &chiral, b, POY_SINGULAR, a, POY_WAVE_H, 0, &grid, got) == POY_OK &&
           poy_wave_sample(ctx, &chiral, b, POY_SINGULAR, a, POY_WAVE_H, 0, 24, points, want) == POY_OK &&
           apart(72, got, want) < 1e-14,
       "a grid is its points, the last step fastest");
    poy_ctx_set_threads(ctx, 2);
    ok(poy_wave_sample_grid(ctx, &chiral, b, POY_SINGULAR, a, POY_WAVE_H, 0, &grid, again) == POY_OK &&
           memcmp(got, again, sizeof got) == 0,
       "the bits are those of one thread");
    poy_ctx_set_threads(ctx, 0);
    poy_c128 out[3] = {{7.0, 7.0}, {7.0, 7.0}, {7.0, 7.0}};
    ok(poy_wave_sample(ctx, &vacuum, b, POY_SINGULAR, a, POY_WAVE_E, 0, 1, positions + 3, out) == POY_ERR_ARGUMENT &&
           out[0].re == 7.0,
       "the origin of singular waves is refused: %s", poy_ctx_cause(ctx));
    ok(poy_wave_sample(ctx, &vacuum, b, POY_REGULAR, a, POY_WAVE_E, 0, 1, positions + 3, out) == POY_OK,
       "regular waves have a value there");
    ok(poy_wave_sample(ctx, &vacuum, b, POY_UP, a, POY_WAVE_E, 0, 1, positions, out) == POY_ERR_ARGUMENT,
       "multipoles are not up or down: %s", poy_ctx_cause(ctx));
    ok(poy_wave_sample(ctx, &vacuum, b, POY_REGULAR, a, (poy_wave_field)9, 0, 1, positions, out) == POY_ERR_ARGUMENT,
       "field 9: %s", poy_ctx_cause(ctx));
    poy_embedding wrong = chiral;
    wrong.poltype = POY_PARITY;
    ok(poy_wave_sample(ctx, &wrong, b, POY_REGULAR, a, POY_WAVE_E, 0, 1, positions, out) == POY_ERR_UNSUPPORTED,
       "parity in a chiral medium: %s", poy_ctx_cause(ctx));
    wrong = vacuum;
    wrong.k0 = 0.0;
    ok(poy_wave_sample(ctx, &wrong, b, POY_REGULAR, a, POY_WAVE_E, 0, 1, positions, out) == POY_ERR_ARGUMENT,
       "k0 = 0: %s", poy_ctx_cause(ctx));
    const double near[3] = {0.3 + 1e-12, 0.0, -0.2}, bad[3] = {0.0, (double)INFINITY, 0.0};
    ok(poy_wave_sample(ctx, &vacuum, b, POY_REGULAR, a, POY_WAVE_E, 0, 1, bad, out) == POY_ERR_ARGUMENT,
       "an infinite point: %s", poy_ctx_cause(ctx));
    poy_basis_destroy(&b);
    free(a);
    const poy_wave_mode high = {.l = 60, .m = 3, .pol = 1};
    const poy_c128 one = {1.0, 0.0};
    ok(poy_basis_sw_create(ctx, 1, &high, 1, positions, &b) == POY_OK, "l = 60");
    ok(poy_wave_sample(ctx, &vacuum, b, POY_SINGULAR, &one, POY_WAVE_E, 0, 1, near, out) == POY_ERR_RANGE &&
           (isinf(out[0].re) || isinf(out[1].re) || isinf(out[2].re)),
       "beyond the range: %s", poy_ctx_cause(ctx));
    poy_basis_destroy(&b);
}

static void test_family(poy_ctx *ctx, const char *name, poy_basis *b, int plane)
{
    char text[64];
    const poy_embedding *const embeddings[] = {&vacuum, &lossy_parity, &chiral};
    static const char *const media[] = {"vacuum", "lossy, parity", "chiral"};
    for (int e = 0; e < 3; e++)
        for (int side = 0; side < 2; side++) {
            const poy_modetype type = plane ? (side ? POY_DOWN : POY_UP) : side ? POY_SINGULAR : POY_REGULAR;
            (void)snprintf(text, sizeof text, "%s, %s, %s", name, media[e],
                           plane  ? (side ? "down" : "up")
                           : side ? "singular"
                                  : "regular");
            against_singles(ctx, text, embeddings[e], b, type);
            test_maxwell(ctx, text, embeddings[e], b, type);
        }
    poy_basis_destroy(&b);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    poy_basis *b = NULL;
    const double positions[6] = {0.3, -0.1, 0.2, -0.4, 0.6, -0.5}, kz[2] = {0.3, -1.9};
    const double components[8] = {0.0, 0.0, 0.3, 0.4, -2.5, 0.7, 0.0, 0.5};
    const poy_c128 q[9] = {{0.3, 0.1},  {0.4, 0.0}, {0.8, -0.2}, {0.0, 0.0}, {0.0, 0.0},
                           {-1.0, 0.0}, {2.0, 0.0}, {0.1, 0.0},  {0.0, 1.9}};
    const double complex real[2] = {1.4, 1.4}, split[2] = {CMPLX(1.2, 0.1), CMPLX(1.5, 0.2)},
                         metal[2] = {CMPLX(0.0, 2.0), CMPLX(0.0, 2.0)};
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    if (poy_basis_sw_default(ctx, 4, 2, positions, &b) == POY_OK)
        test_family(ctx, "spherical", b, 0);
    if (poy_basis_cw_default(ctx, 2, kz, 3, 2, positions, &b) == POY_OK)
        test_family(ctx, "cylindrical", b, 0);
    if (poy_ports_default(ctx, POY_XY, 4, components, &b) == POY_OK)
        test_family(ctx, "ports xy", b, 1);
    if (poy_ports_default(ctx, POY_ZX, 4, components, &b) == POY_OK)
        test_family(ctx, "ports zx", b, 1);
    if (poy_basis_pw_default(ctx, 3, q, &b) == POY_OK)
        test_family(ctx, "plane", b, 1);
    test_riemann(ctx);
    for (int singular = 0; singular < 2; singular++) {
        test_kernels(ctx, 1, singular, real);
        test_kernels(ctx, 7, singular, real);
        test_kernels(ctx, 9, singular, split);
        test_kernels(ctx, 30, singular, real);
        test_kernels(ctx, 12, singular, metal);
        test_kernels(ctx, 128, singular, real);
    }
    test_grid(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

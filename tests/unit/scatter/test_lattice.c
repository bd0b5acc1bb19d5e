/* test_lattice.c: lattice sums against published values, their spectral forms, themselves at other splits, and plain sums. */
#include "math/angular/legendre.h"
#include "math/math.h"
#include "poynting/lattice.h"
#include "scatter/periodic/incomplete.h"
#include "scatter/waves/radial.h"
#include "unit/special_table.h"

enum { LINE = 4096, SIZE = (POY_LATTICE_DEGREE_MAX + 1) * (POY_LATTICE_DEGREE_MAX + 1) };

static double distance(poy_c128 a, double complex b)
{
    return cabs(CMPLX(a.re, a.im) - b);
}

/* ---- published values ---- */

typedef struct lattice_case {
    char name[64];
    int spherical;
    int64_t shell, n, m;
    double kpar[3], a[9], r[3], rel, abs;
    poy_lattice_sum sum;
    double complex value;
} lattice_case;

static void read_case(char *line, lattice_case *c)
{
    char *rest = line + strcspn(line, " ");
    (void)snprintf(c->name, sizeof c->name, "%.*s", (int)(rest - line), line);
    c->spherical = (int)table_number(&rest);
    c->shell = (int64_t)table_number(&rest);
    c->sum = (poy_lattice_sum){.dim = (int)table_number(&rest), .kpar = c->kpar, .a = c->a, .r = c->r};
    c->n = (int64_t)table_number(&rest);
    c->m = (int64_t)table_number(&rest);
    c->sum.k.re = table_number(&rest);
    c->sum.k.im = table_number(&rest);
    for (int i = 0; i < c->sum.dim; i++)
        c->kpar[i] = table_number(&rest);
    for (int i = 0; i < c->sum.dim * c->sum.dim; i++)
        c->a[i] = table_number(&rest);
    for (int i = 0; i < (c->spherical ? 3 : 2); i++)
        c->r[i] = table_number(&rest);
    c->rel = table_number(&rest);
    c->abs = table_number(&rest);
    c->value = table_complex(&rest);
}

static poy_c128 entry(poy_ctx *ctx, const lattice_case *c)
{
    static poy_c128 out[SIZE];
    poy_status status;
    if (c->spherical)
        status = c->shell < 0 ? poy_lattice_sum_spherical(ctx, &c->sum, c->n, out)
                              : poy_lattice_shell_spherical(ctx, &c->sum, c->shell, c->n, out);
    else
        status = poy_lattice_sum_cylindrical(ctx, &c->sum, c->n, out);
    if (status != POY_OK) {
        note("%s", poy_ctx_cause(ctx));
        return (poy_c128){(double)NAN, 0.0};
    }
    return out[c->spherical ? c->n * (c->n + 1) + c->m : c->n + c->m];
}

static void test_published(poy_ctx *ctx)
{
    static char line[LINE];
    FILE *file = table_open("scattering/lattice.txt");
    int cases = 0;
    while (file && fgets(line, sizeof line, file)) {
        lattice_case c;
        read_case(line, &c);
        const poy_c128 got = entry(ctx, &c);
        const double error = distance(got, c.value);
        ok(error <= c.rel * cabs(c.value) + c.abs, "%s: off by %.1e of %.1e", c.name, error, cabs(c.value));
        cases++;
    }
    if (file)
        (void)fclose(file);
    ok(cases == 42, "%d published cases", cases);
}

/* ---- the integrals ---- */

/* The residual of u / 2 J_{p+2} = p J_{p+1} + v J_p - exp(-v - u / 2) against its largest term. */
static double residual(int half, poyi_xcomplex v, poyi_xreal u)
{
    enum { COUNT = 8 };
    poyi_xcomplex j[COUNT];
    double worst = 0.0;
    poyi_incomplete(half ? 1 : 2, 1, COUNT, v, u, j);
    for (int n = 0; n + 2 < COUNT; n++) {
        const poyi_xcomplex e = cexpl(-v - u / 2.0L), a = u / 2.0L * j[n + 2],
                            b = (n + (half ? 0.5L : 1.0L)) * j[n + 1];
        const poyi_xcomplex c = poyi_xmul(v, j[n]);
        const poyi_xreal size = cabsl(a) + cabsl(b) + cabsl(c) + cabsl(e);
        worst = fmax(worst, (double)(cabsl(a - b - c + e) / size));
    }
    return worst;
}

/* By the trapezoidal rule to 1e-16; by Kambe's path from a z and eta rounded to double, eps (|v| + u) at least. */
static void test_integrals(void)
{
    static const double sizes[] = {1e-9, 0.04, 1.0, 5.5, 44.0}, squares[] = {0.0, 1e-12, 1.0, 2.0, 100.0};
    for (size_t s = 0; s < sizeof squares / sizeof squares[0]; s++) {
        const double u = squares[s];
        double worst = 0.0;
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (int turn = 0; turn <= 4; turn++) {
                const poyi_xreal angle = -POYI_PIL * turn / 4.0L, size = sizes[i];
                const poyi_xcomplex v =
                    turn < 4 ? CMPLXL(size * cosl(angle), size * sinl(angle)) : CMPLXL(-size, -0.0L);
                const double bar = u > 1.0 ? 2.5e-16 * (sizes[i] + u + 1.0) : 2e-16;
                for (int half = 0; half < 2; half++)
                    worst = fmax(worst, residual(half, v, u) / bar);
            }
        ok(worst < 1.0, "integrals at u = %g: recurrence within %.2f of the bar", u, worst);
    }
}

/* ---- the split, and spectral forms ---- */

static const double skew[3][9] = {{1.7}, {1.7, 0.0, 0.4, 1.8}, {1.5, 0.0, 0.0, 0.3, 1.6, 0.0, 0.2, -0.4, 1.8}};
static const double bloch[3] = {0.3, 0.2, 0.1};

static size_t table_size(int spherical, int nmax)
{
    return (size_t)(spherical ? (nmax + 1) * (nmax + 1) : 2 * nmax + 1);
}

static poy_status table(poy_ctx *ctx, int spherical, const poy_lattice_sum *sum, int nmax, poy_c128 *out)
{
    return (spherical ? poy_lattice_sum_spherical : poy_lattice_sum_cylindrical)(ctx, sum, nmax, out);
}

/* The largest difference, each degree (|m| of cylindrical waves) against its largest entry. */
static double table_error(int spherical, int nmax, const poy_c128 *got, const poy_c128 *expected)
{
    double worst = 0.0;
    for (int l = 0; l <= nmax; l++) {
        double size = 0.0, error = 0.0;
        for (int m = -l; m <= l; m += spherical || l == 0 ? 1 : 2 * l) {
            const int place = spherical ? l * (l + 1) + m : nmax + m;
            const double complex value = CMPLX(expected[place].re, expected[place].im);
            size = fmax(size, cabs(value));
            error = fmax(error, distance(got[place], value));
        }
        worst = size > 0.0 ? fmax(worst, error / size) : worst;
    }
    return worst;
}

/* Whatever the split: two decades of eta, half of one in three dimensions (whose terms grow with its third power), at k L = 0.7, where
 * both parts stay near their sum, and real and complex k. Bar: 1e-13 of each degree. */
static void test_split(poy_ctx *ctx)
{
    static const poy_c128 ks[] = {{0.41, 0.0}, {0.2, 0.25}};
    static const double shifts[][3] = {{0.0, 0.0, 0.0}, {0.2, 0.1, 0.0}, {0.2, -0.1, 0.3}};
    enum { NMAX = 3 };
    for (int spherical = 0; spherical < 2; spherical++)
        for (int dim = 1; dim <= 2 + spherical; dim++) {
            double worst = 0.0;
            int failed = 0;
            for (int i = 0; i < 6; i++) {
                poy_c128 first[16], other[16];
                poy_lattice_sum sum = {
                    .dim = dim, .k = ks[i % 2], .kpar = bloch, .a = skew[dim - 1], .r = shifts[i / 2]};
                failed += table(ctx, spherical, &sum, NMAX, first) != POY_OK;
                const double steps[] = {0.1, 0.5, 2.0, 10.0}, centre = sqrt(2.0 * 3.14159265358979) / (1.7 * 0.4);
                for (int s = dim == 3 ? 1 : 0; s < (dim == 3 ? 3 : 4); s += dim == 2 ? 3 : 1) {
                    if (dim == 2 && s / 3 == (i / 2) % 2) /* these take long: one end of the decades a case */
                        continue;
                    sum.eta = centre * steps[s];
                    failed += table(ctx, spherical, &sum, NMAX, other) != POY_OK;
                    const double error = table_error(spherical, NMAX, other, first);
                    worst = fmax(worst, isnan(error) ? 1.0 : error);
                }
            }
            ok(failed == 0 && worst < 1e-13, "%s, dim %d: independent of the split to %.1e%s%s",
               spherical ? "spherical" : "cylindrical", dim, worst, failed ? ": " : "",
               failed ? poy_ctx_cause(ctx) : "");
        }
}

static poyi_xcomplex root_up(poyi_xcomplex squared)
{
    const poyi_xcomplex root = csqrtl(squared);
    return cimagl(root) < 0.0L ? -root : root;
}

/* Y_lm of a complex direction: cosine, sine and exp(i m phi). */
static poyi_xcomplex harmonic(int l, int m, poyi_xcomplex cosine, poyi_xcomplex sine, poyi_xcomplex phase)
{
    const poyi_big p = poyi_angular_functions(l, m, cosine, sine).p;
    return sqrtl((2 * l + 1) / (4.0L * POYI_PIL) * poyi_factorial_ratio(l, m)) * phase * poyi_xldexp(p.m, p.e);
}

enum { SPECTRAL = 4, ORDERS = 60 };

static void add_orders(const poy_lattice_sum *sum, int spherical, poyi_xcomplex *out)
{
    const poyi_xcomplex k = CMPLXL(sum->k.re, sum->k.im), k2 = k * k;
    const double *a = sum->a, *r = sum->r;
    const poyi_xreal area = sum->dim == 1 ? a[0] : (poyi_xreal)a[0] * a[3] - (poyi_xreal)a[1] * a[2];
    const poyi_xreal unit = 2.0L * POYI_PIL / area;
    for (int i = -ORDERS; i <= ORDERS; i++)
        for (int j = sum->dim == 2 ? -ORDERS : 0; j <= (sum->dim == 2 ? ORDERS : 0); j++) {
            poyi_xreal q[2] = {sum->kpar[0] + unit * i, 0.0L};
            if (sum->dim == 2) {
                q[0] = sum->kpar[0] + unit * (i * (poyi_xreal)a[3] - j * (poyi_xreal)a[1]);
                q[1] = sum->kpar[1] + unit * (-i * (poyi_xreal)a[2] + j * (poyi_xreal)a[0]);
            }
            const poyi_xreal length = hypotl(q[0], q[1]), first = spherical && sum->dim == 1 ? r[2] : r[0];
            const poyi_xcomplex up = root_up(k2 - length * length);
            if (sum->dim == 2 && cimagl(up) > 110.0L) /* exp(-55) at the least shift */
                continue;
            const poyi_xcomplex phase =
                cexpl(CMPLXL(0.0L, -1.0L) * (q[0] * first + q[1] * (sum->dim == 2 ? r[1] : 0.0L)));
            if (spherical && sum->dim == 2) {
                const poyi_xcomplex turn = length > 0.0L ? CMPLXL(q[0] / length, q[1] / length) : 1.0L;
                const poyi_xcomplex f =
                    phase * cexpl(CMPLXL(0.0L, 1.0L) * up * fabsl(r[2])) / up * 2.0L * POYI_PIL / (area * k);
                for (int l = 0; l <= SPECTRAL; l++)
                    for (int m = -l; m <= l; m++)
                        out[l * (l + 1) + m] +=
                            poyi_xturn(f * harmonic(l, m, (r[2] > 0.0 ? -up : up) / k, length / k, cpowl(turn, m)), -l);
            } else if (spherical) {
                poyi_xcomplex h[SPECTRAL + 2];
                const poyi_xreal rho = hypotl(r[0], r[1]);
                const poyi_xcomplex turn = CMPLXL(-r[0] / rho, -r[1] / rho), f = phase * POYI_PIL / (area * k);
                poyi_cylindrical_table(1, SPECTRAL + 1, up * rho, h);
                for (int l = 0; l <= SPECTRAL; l++)
                    for (int m = -l; m <= l; m++)
                        out[l * (l + 1) + m] += poyi_xturn(f * harmonic(l, m, q[0] / k, up / k, cpowl(turn, m)) *
                                                               (m < 0 && m % 2 ? -h[-m] : h[abs(m)]),
                                                           m - l);
            } else {
                const poyi_xcomplex f = phase * 2.0L / area * cexpl(CMPLXL(0.0L, 1.0L) * up * fabsl(r[1])) / up;
                const poyi_xcomplex wave = (q[0] + CMPLXL(0.0L, r[1] > 0.0 ? -1.0L : 1.0L) * up) / k;
                for (int m = -SPECTRAL; m <= SPECTRAL; m++)
                    out[SPECTRAL + m] += poyi_xturn(f * cpowl(wave, m), -m);
            }
        }
}

/* The plane or cylindrical waves of the orders; what is left out is below exp(-55). */
static void test_spectral(poy_ctx *ctx)
{
    static const poy_c128 ks[] = {{2.1, 0.0}, {5.5, 0.0}, {3.0, 0.8}};
    static const double shifts[][3] = {{0.2, 0.4, 0.5}, {0.1, -0.6, -0.9}, {0.3, 0.9, 2.0}};
    for (int which = 0; which < 3; which++) {
        const int spherical = which > 0, dim = which == 2 ? 2 : 1;
        double worst = 0.0;
        int failed = 0;
        for (int i = 0; i < 9; i++) {
            poy_c128 got[25], expected[25];
            poyi_xcomplex total[25] = {0.0L};
            const poy_lattice_sum sum = {
                .dim = dim, .k = ks[i % 3], .kpar = bloch, .a = skew[dim - 1], .r = shifts[i / 3]};
            failed += table(ctx, spherical, &sum, SPECTRAL, got) != POY_OK;
            add_orders(&sum, spherical, total);
            for (size_t j = 0; j < table_size(spherical, SPECTRAL); j++)
                expected[j] = (poy_c128){(double)creall(total[j]), (double)cimagl(total[j])};
            const double error = table_error(spherical, SPECTRAL, got, expected);
            worst = fmax(worst, isnan(error) ? 1.0 : error);
        }
        ok(failed == 0 && worst < 1e-13, "%s, dim %d: the spectral form to %.1e%s%s",
           spherical ? "spherical" : "cylindrical", dim, worst, failed ? ": " : "", failed ? poy_ctx_cause(ctx) : "");
    }
}

/* ---- bases, symmetry, refusals ---- */

static void test_bases(poy_ctx *ctx)
{
    static const double reduced[4] = {1.7, 0.0, 0.4, 1.8}, steep[4] = {1.7 * 40.0 + 0.4, 1.8, 1.7 * 41.0 + 0.4, 1.8};
    static const double r[3] = {0.2, 0.1, 0.3};
    poy_c128 first[16], other[16];
    poy_lattice_sum sum = {.dim = 2, .k = {2.1, 0.0}, .kpar = bloch, .a = reduced, .r = r};
    const int made = table(ctx, 1, &sum, 3, first) == POY_OK;
    sum.a = steep; /* rounded at 70: 2^-53 70 / 1.7 of the cell, times the phases over it */
    const int again = table(ctx, 1, &sum, 3, other) == POY_OK;
    const double error = table_error(1, 3, other, first);
    ok(made && again && error < 1e-12, "a basis with an angle of a thousandth gives the same to %.1e", error);
}

static void test_symmetry(poy_ctx *ctx)
{
    static const double square[4] = {1.7, 0.0, 0.0, 1.7}, zero[3] = {0.0, 0.0, 0.0}, half[3] = {0.85, 0.0, 0.0};
    const double edge[2] = {3.14159265358979323846 / 1.7, 0.0};
    poy_c128 out[16];
    poy_lattice_sum sum = {.dim = 2, .k = {2.1, 0.0}, .kpar = zero, .a = square, .r = zero};
    int odd = 0, even = 0;
    (void)table(ctx, 1, &sum, 3, out);
    for (int m = -3; m <= 3; m++)
        odd += out[12 + m].re != 0.0 || out[12 + m].im != 0.0;
    ok(odd == 0 && out[6].im != 0.0, "odd degrees are exactly 0 at the centre of inversion");
    ok(hypot(out[8].re, out[8].im) < 1e-12, "fourfold: D_22 = %.1e", hypot(out[8].re, out[8].im));
    sum.r = half;
    sum.kpar = edge;
    (void)table(ctx, 1, &sum, 3, out);
    for (int m = -2; m <= 2; m++)
        even += out[6 + m].re != 0.0 || out[6 + m].im != 0.0;
    ok(even == 0 && (out[3].re != 0.0 || out[3].im != 0.0), "at the zone's edge even ones are, half a period off");
}

static void test_refusals(poy_ctx *ctx)
{
    static const double flat[4] = {1.0, 0.5, 2.0, 1.0}, square[4] = {1.0, 0.0, 0.0, 1.0}, zero[3] = {0.0, 0.0, 0.0};
    poy_c128 out[16] = {{7.0, 0.0}};
    const poy_lattice_sum good = {.dim = 2, .k = {2.0, 0.0}, .kpar = zero, .a = square, .r = zero};
    poy_lattice_sum bad = good;
    bad.k.re = 2.0 * 3.14159265358979323846;
    ok(table(ctx, 1, &bad, 1, out) == POY_ERR_THRESHOLD, "threshold: %s", poy_ctx_cause(ctx));
    ok(strstr(poy_ctx_cause(ctx), "order (") != NULL, "names the order");
    bad = good;
    bad.a = flat;
    ok(table(ctx, 1, &bad, 1, out) == POY_ERR_ARGUMENT, "singular cell: %s", poy_ctx_cause(ctx));
    bad = good;
    bad.k = (poy_c128){0.0, 0.0};
    ok(table(ctx, 1, &bad, 1, out) == POY_ERR_ARGUMENT, "k = 0: %s", poy_ctx_cause(ctx));
    bad.k = (poy_c128){1.0, -0.1};
    ok(table(ctx, 0, &bad, 1, out) == POY_ERR_ARGUMENT, "gain: %s", poy_ctx_cause(ctx));
    bad.k = (poy_c128){(double)NAN, 0.0};
    ok(table(ctx, 0, &bad, 1, out) == POY_ERR_NONFINITE, "NaN: %s", poy_ctx_cause(ctx));
    bad = good;
    bad.dim = 3;
    ok(table(ctx, 0, &bad, 1, out) == POY_ERR_ARGUMENT, "cylinders in space: %s", poy_ctx_cause(ctx));
    bad = good;
    bad.part = POY_LATTICE_REAL;
    ok(table(ctx, 1, &bad, 1, out) == POY_ERR_ARGUMENT, "a part without a split: %s", poy_ctx_cause(ctx));
    bad.eta = 0.05;
    ok(table(ctx, 1, &bad, 1, out) == POY_ERR_UNSUPPORTED, "a split without digits: %s", poy_ctx_cause(ctx));
    ok(table(ctx, 1, &good, 65, out) == POY_ERR_ARGUMENT, "degree 65: %s", poy_ctx_cause(ctx));
    ok(out[0].re == 7.0, "out is untouched");
}

/* The parts add up, and shells to the sum where k is lossy. */
static void test_parts(poy_ctx *ctx)
{
    static const double r[3] = {0.2, 0.1, 0.3};
    for (int spherical = 0; spherical < 2; spherical++) {
        poy_c128 out[3][9], shell[9];
        double complex total[9] = {0.0};
        double worst = 0.0, plain = 0.0;
        poy_lattice_sum sum = {.dim = 2, .k = {2.0, 1.5}, .kpar = bloch, .a = skew[1], .r = r, .eta = 0.8};
        int failed = 0;
        for (int part = 0; part < 3; part++) {
            sum.part = (poy_lattice_part)part;
            failed += table(ctx, spherical, &sum, 2, out[part]) != POY_OK;
        }
        for (int i = 0; i <= 16; i++) {
            failed += (spherical ? poy_lattice_shell_spherical : poy_lattice_shell_cylindrical)(ctx, &sum, i, 2,
                                                                                                shell) != POY_OK;
            for (size_t j = 0; j < table_size(spherical, 2); j++)
                total[j] += CMPLX(shell[j].re, shell[j].im);
        }
        for (size_t j = 0; j < table_size(spherical, 2); j++) {
            const double complex real = CMPLX(out[1][j].re, out[1][j].im);
            worst = fmax(worst, distance(out[0][j], real + CMPLX(out[2][j].re, out[2][j].im)));
            plain = fmax(plain, distance(out[0][j], total[j]) / cabs(total[j]));
        }
        ok(failed == 0 && worst < 1e-14, "%s: the parts add up to %.1e", spherical ? "spherical" : "cylindrical",
           worst);
        /* exp(-1.5 17 1.7) = 1e-19 is left out */
        ok(failed == 0 && plain < 1e-13, "the plain sum of 17 shells agrees to %.1e", plain);
    }
}

/* Far from the lattice the sum is that of its orders: there it meets Ewald's parts, and beyond their reach the plain sum. */
static void test_far(poy_ctx *ctx)
{
    enum { NMAX = 6 };
    static const double shifts[][3] = {{0.2, 2.3, -2.3}, {0.3, -2.9, 2.9}};
    for (int which = 0; which < 3; which++) {
        const int spherical = which > 0, dim = which == 2 ? 2 : 1;
        double worst = 0.0, plain = 0.0;
        int failed = 0;
        for (size_t i = 0; i < 4; i++) {
            poy_c128 out[3][49], shell[49];
            double r[3];
            memcpy(r, shifts[i / 2], sizeof r);
            if (which == 1) /* a chain along z: away in x and y */
                r[0] = r[1], r[1] = 0.4;
            poy_lattice_sum sum = {.dim = dim,
                                   .k = i % 2 ? (poy_c128){2.0, 0.3} : (poy_c128){2.9, 0.0},
                                   .kpar = bloch,
                                   .a = skew[dim - 1],
                                   .r = r};
            failed += table(ctx, spherical, &sum, NMAX, out[0]) != POY_OK;
            sum.eta = 0.55;
            for (int part = 1; part < 3; part++) {
                sum.part = (poy_lattice_part)part;
                failed += table(ctx, spherical, &sum, NMAX, out[part]) != POY_OK;
            }
            for (size_t j = 0; j < table_size(spherical, NMAX); j++)
                out[1][j] = (poy_c128){out[1][j].re + out[2][j].re, out[1][j].im + out[2][j].im};
            worst = fmax(worst, table_error(spherical, NMAX, out[0], out[1]));
            sum = (poy_lattice_sum){.dim = dim, .k = {1.0, 3.0}, .kpar = bloch, .a = skew[dim - 1], .r = r};
            for (int c = 0; c < 3; c++)
                r[c] *= (which == 1 ? c < 2 : c == 1 + which / 2) ? 5.0 : 1.0; /* across the lattice */
            failed += table(ctx, spherical, &sum, NMAX, out[0]) != POY_OK;
            memset(out[1], 0, sizeof out[1]);
            for (int n = 0; n <= 12; n++) {
                failed += (spherical ? poy_lattice_shell_spherical : poy_lattice_shell_cylindrical)(ctx, &sum, n, NMAX,
                                                                                                    shell) != POY_OK;
                for (size_t j = 0; j < table_size(spherical, NMAX); j++)
                    out[1][j] = (poy_c128){out[1][j].re + shell[j].re, out[1][j].im + shell[j].im};
            }
            plain = fmax(plain, table_error(spherical, NMAX, out[0], out[1]));
        }
        /* Ewald's parts are exp((k s)^2 / 2 ...) times their sum at this split: 5 digits of extended precision */
        ok(failed == 0 && worst < 1e-12, "%s, dim %d: orders meet Ewald's parts to %.1e",
           spherical ? "spherical" : "cylindrical", dim, worst);
        /* at a shift of 11 and more the terms past shell 12 are exp(-3 (sqrt(11^2 + 22^2) - 11)) of the first */
        ok(failed == 0 && plain < 1e-12, "and far away the plain sum to %.1e%s%s", plain, failed ? ": " : "",
           failed ? poy_ctx_cause(ctx) : "");
    }
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "context"))
        return tap_done();
    test_integrals();
    test_published(ctx);
    test_split(ctx);
    test_spectral(ctx);
    test_bases(ctx);
    test_symmetry(ctx);
    test_refusals(ctx);
    test_parts(ctx);
    test_far(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

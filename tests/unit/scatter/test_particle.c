/* test_particle.c: layered spheres and cylinders against published values and arithmetic of 90 digits, by conservation laws,
 * limits and symmetries, and what bad input gets. */
#include "poynting/particle.h"

#include "scatter/particle/mie_diff.h"
#include "unit/special_table.h"
#include "wave_fixture.h"

enum { WIDEST = 4096, LAYERS = 32 };

/* A sphere or cylinder of a table's line. */
typedef struct particle {
    size_t layers;
    double x[LAYERS];
    poy_c128 epsilon[LAYERS + 1], mu[LAYERS + 1], kappa[LAYERS + 1];
} particle;

static poy_c128 table_pair(char **rest)
{
    const double re = table_number(rest);
    return (poy_c128){re, table_number(rest)};
}

static void read_particle(char **rest, particle *p)
{
    p->layers = (size_t)table_number(rest);
    for (size_t i = 0; i < p->layers; i++)
        p->x[i] = table_number(rest);
    poy_c128 *const parts[3] = {p->epsilon, p->mu, p->kappa};
    for (int part = 0; part < 3; part++)
        for (size_t i = 0; i <= p->layers; i++)
            parts[part][i] = table_pair(rest);
}

/* Worst of |got - want| / (rel max |want| + abs): 1 is the bar. */
static double excess(size_t n, const double *got, const double *want, int width, double rel, double absolute)
{
    double largest = 0.0, apart_by = 0.0;
    for (size_t i = 0; i < n; i++) {
        double w = 0.0, d = 0.0;
        for (int k = 0; k < width; k++) {
            w = hypot(w, want[i * (size_t)width + (size_t)k]);
            d = hypot(d, want[i * (size_t)width + (size_t)k] - got[i * (size_t)width + (size_t)k]);
        }
        largest = fmax(largest, w);
        apart_by = d <= apart_by ? apart_by : d;
    }
    return isnan(apart_by) ? (double)INFINITY : apart_by / (rel * largest + absolute);
}

static const poy_c128 one = {1.0, 0.0}, none = {0.0, 0.0};

static poy_status efficiency(poy_ctx *ctx, double x, poy_c128 epsilon, int64_t lmax, double out[5])
{
    const poy_c128 media[2] = {epsilon, one}, mu[2] = {one, one}, kappa[2] = {none, none};
    poy_sphere_efficiency q = {0};
    const poy_status status = poy_sphere_efficiencies(ctx, 1, lmax, 1, &x, media, mu, kappa, &q);
    const double all[5] = {q.extinction, q.scattering, q.absorption, q.backscattering, q.asymmetry};
    memcpy(out, all, sizeof all);
    return status;
}

/* Derivatives of the cross section of a plane wave of helicity +1: 4 pi / k^2 sum (2l + 1) (|c11|^2 + |c01|^2), or of
 * -Re c11. */
static poy_status cross_section_gradient(poy_ctx *ctx, int extinction, double k0, double radius, poy_c128 epsilon,
                                         int64_t lmax, double out[4])
{
    enum { MOST = 16 };
    int64_t l[MOST];
    const double x = k0 * radius, pi = 3.14159265358979323846;
    const poy_c128 media[2] = {epsilon, one}, mu[2] = {one, one}, kappa[2] = {none, none};
    poy_c128 c[4 * MOST], g[4 * MOST], g_epsilon[2] = {{0.0, 0.0}, {0.0, 0.0}}, jacobian[4 * MOST * 7];
    double sum = 0.0, g_x = 0.0;
    for (int64_t i = 0; i < lmax; i++)
        l[i] = i + 1;
    const poyi_mie_call call = {
        .n = (size_t)lmax, .label = l, .layers = 1, .x = &x, .epsilon = media, .mu = mu, .kappa = kappa};
    poy_status status = poy_mie_table(ctx, 1, lmax, 1, &x, media, mu, kappa, c);
    if (status == POY_OK)
        status = poyi_mie_jacobian(ctx, &call, NULL, jacobian);
    for (int64_t i = 0; i < lmax && status == POY_OK; i++) {
        const double weight = 4.0 * pi / (k0 * k0) * (double)(2 * l[i] + 1);
        memset(g + 4 * i, 0, 4 * sizeof *g);
        if (extinction) {
            sum -= weight * c[4 * i + 3].re;
            g[4 * i + 3].re = -weight;
        }
        for (int row = 0; row < 2 && !extinction; row++) {
            const poy_c128 z = c[4 * i + 2 * row + 1];
            sum += weight * (z.re * z.re + z.im * z.im);
            g[4 * i + 2 * row + 1] = (poy_c128){2.0 * weight * z.re, 2.0 * weight * z.im};
        }
    }
    const poyi_mie_inputs_of into = {.x = &g_x, .epsilon = g_epsilon};
    if (status == POY_OK)
        poyi_mie_pull(&call, jacobian, g, &into);
    out[0] = g_x * radius - 2.0 * sum / k0;
    out[1] = g_x * k0;
    out[2] = g_epsilon[0].re;
    out[3] = g_epsilon[0].im;
    return status;
}

/* Runs the op of a line; the expected and found numbers, how many, and how they group. */
static size_t run_line(poy_ctx *ctx, const char *op, char **rest, double *got, double *want, int *width)
{
    particle p = {.layers = 1};
    poy_status status = POY_ERR_INTERNAL;
    poy_c128 *c = (poy_c128 *)(void *)got;
    *width = 2;
    if (strcmp(op, "mie") == 0) {
        const int64_t l = (int64_t)table_number(rest);
        read_particle(rest, &p);
        status = poy_mie(ctx, 1, &l, p.layers, p.x, p.epsilon, p.mu, p.kappa, c);
    } else if (strcmp(op, "mie_cyl") == 0) {
        const double kz = table_number(rest);
        const int64_t m = (int64_t)table_number(rest);
        const double k0 = table_number(rest);
        read_particle(rest, &p);
        status = poy_mie_cyl(ctx, 1, &kz, &m, &k0, p.layers, p.x, p.epsilon, p.mu, p.kappa, c);
    } else if (strcmp(op, "gradient") == 0) {
        const int extinction = (int)table_number(rest);
        const double k0 = table_number(rest), radius = table_number(rest);
        const poy_c128 epsilon = table_pair(rest);
        status = cross_section_gradient(ctx, extinction, k0, radius, epsilon, (int64_t)table_number(rest), got);
        *width = 1;
    } else { /* in vacuum */
        double q[5];
        const double x = table_number(rest);
        const poy_c128 epsilon = table_pair(rest);
        const int report = strcmp(op, "report") == 0;
        status = efficiency(ctx, x, epsilon, report ? 0 : (int64_t)table_number(rest), q);
        memcpy(got, report ? q : (double[2]){q[1], q[0]}, report ? sizeof q : 2 * sizeof *q);
        *width = 1;
    }
    if (status != POY_OK)
        note("%s", poy_ctx_message(ctx));
    const size_t count = (size_t)table_number(rest);
    for (size_t i = 0; i < count; i++)
        want[i] = status == POY_OK ? table_number(rest) : (double)NAN;
    return count / (size_t)*width;
}

static void test_table(poy_ctx *ctx, const char *file, int least)
{
    char path[512], line[WIDEST * 8];
    (void)snprintf(path, sizeof path, "%s/golden/scattering/%s", POY_TESTS_DIR, file);
    FILE *f = fopen(path, "r");
    int count = 0, bad = 0;
    double worst = 0.0;
    while (f && fgets(line, sizeof line, f)) {
        char op[32], *rest = line;
        double got[16] = {0}, want[16] = {0}, each = 0.0;
        int width, used = 0;
        if (sscanf(line, "%31s%n", op, &used) != 1)
            continue;
        rest += used;
        const double rel = table_number(&rest), absolute = table_number(&rest);
        (void)table_number(&rest);
        const size_t n = run_line(ctx, op, &rest, got, want, &width);
        if (strcmp(op, "report") == 0) /* numbers of their own */
            for (size_t i = 0; i < n; i++)
                each = fmax(each, excess(1, got + i, want + i, width, rel, absolute));
        else
            each = excess(n, got, want, width, rel, absolute);
        count++;
        worst = fmax(worst, each);
        if (!(each <= 1.0)) {
            bad++;
            note("%.0f times the bar %g: %.180s", each, rel, line);
            for (size_t i = 0; i < n; i++)
                note("got %.17g, want %.17g", got[i], want[i]);
        }
    }
    if (f)
        fclose(f);
    ok(count >= least && bad == 0, "%s: %d cases, worst at %.2g of its bar", file, count, worst);
}

/* ---- laws ---- */

static double uniform(double low, double high)
{
    return low + 0.5 * (high - low) * (draw() + 1.0);
}

/* A random particle; loss: up to this much in the imaginary parts. */
static particle random_particle(size_t layers, double size, double loss, int with_chirality)
{
    particle p = {.layers = layers};
    for (size_t i = 0; i < layers; i++)
        p.x[i] = size * ((double)i + uniform(0.2, 1.0)) / (double)layers;
    for (size_t i = 0; i <= layers; i++) {
        const double surroundings = i == layers ? 0.0 : loss;
        p.epsilon[i] = (poy_c128){i < layers && uniform(0.0, 1.0) < 0.3 && !with_chirality ? uniform(-9.0, -1.0)
                                                                                           : uniform(1.0, 6.0),
                                  uniform(0.0, surroundings)};
        p.mu[i] = (poy_c128){uniform(0.8, 2.0), uniform(0.0, surroundings)};
        p.kappa[i] = (poy_c128){with_chirality && i < layers ? uniform(-0.4, 0.4) : 0.0, 0.0};
    }
    return p;
}

/* max |S^H S - 1| of S = 1 + 2 c */
static double unitarity(const poy_c128 *c)
{
    double worst = 0.0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double complex sum = 0.0;
            for (int k = 0; k < 2; k++)
                sum += conj((k == i) + 2.0 * poyi_c(c[2 * k + i])) * ((k == j) + 2.0 * poyi_c(c[2 * k + j]));
            worst = fmax(worst, cabs(sum - (i == j)));
        }
    return worst;
}

static void test_conservation(poy_ctx *ctx)
{
    enum { LMAX = 12 };
    double sphere = 0.0, cylinder = 0.0, gain = 0.0, single = 0.0;
    int good = 1;
    for (int trial = 0; trial < 200; trial++) {
        const int with_chirality = trial % 2;
        particle p = random_particle(1 + (size_t)trial % 5, pow(10.0, uniform(-2.0, 1.3)), 0.0, with_chirality);
        poy_c128 c[4 * LMAX], other[4];
        good &= poy_mie_table(ctx, 1, LMAX, p.layers, p.x, p.epsilon, p.mu, p.kappa, c) == POY_OK;
        for (int l = 0; l < LMAX; l++)
            sphere = fmax(sphere, unitarity(c + 4 * l));
        /* helicities coupled, with a chirality of nothing */
        const int64_t l = 1 + trial % LMAX;
        for (size_t i = 0; i <= p.layers; i++)
            if (!with_chirality)
                p.kappa[i].re = 1e-300;
        good &= poy_mie(ctx, 1, &l, p.layers, p.x, p.epsilon, p.mu, p.kappa, other) == POY_OK;
        double size = 0.0, difference = 0.0;
        for (int i = 0; i < 4; i++) {
            size = fmax(size, cabs(poyi_c(other[i])));
            difference = fmax(difference, cabs(poyi_c(other[i]) - poyi_c(c[4 * (l - 1) + i])));
        }
        if (size > 1e-280)
            single = fmax(single, difference / size);
        const double k0 = 1.0, kz = uniform(-0.9, 0.9) * sqrt(p.epsilon[p.layers].re * p.mu[p.layers].re);
        const int64_t m = trial % 7 - 3;
        good &= poy_mie_cyl(ctx, 1, &kz, &m, &k0, p.layers, p.x, p.epsilon, p.mu, p.kappa, other) == POY_OK;
        cylinder = fmax(cylinder, unitarity(other));
        /* with loss nothing gains: the Hermitian part of 1 - S^H S is not negative; its trace */
        p = random_particle(1 + (size_t)trial % 4, pow(10.0, uniform(-2.0, 1.3)), 1.0, 0);
        good &= poy_mie_table(ctx, 1, LMAX, p.layers, p.x, p.epsilon, p.mu, p.kappa, c) == POY_OK;
        for (int i = 0; i < LMAX; i++) {
            const double complex tn = poyi_c(c[4 * i + 3]) + poyi_c(c[4 * i + 2]),
                                 tm = poyi_c(c[4 * i + 3]) - poyi_c(c[4 * i + 2]);
            gain = fmax(gain, fmax(cabs(1.0 + 2.0 * tn), cabs(1.0 + 2.0 * tm)) - 1.0);
        }
    }
    ok(good, "random particles");
    ok(sphere < 1e-12 && cylinder < 1e-12, "lossless: 1 + 2 T is unitary, spheres to %.1e, cylinders to %.1e", sphere,
       cylinder);
    ok(gain < 4e-15, "with loss nothing gains: |1 + 2 T| - 1 at most %.1e", gain);
    /* epsilon times the contrast's cancellation in small spheres, about 10 */
    ok(single < 1e-12, "coupled and single channels agree to %.1e", single);
}

static void test_limits(poy_ctx *ctx)
{
    const double x = 2.3, k0 = 1.1, kz = 0.3;
    const int64_t l = 3;
    poy_c128 media[2] = {{2.0, 0.1}, {2.0, 0.1}}, mu[2] = {{1.1, 0.0}, {1.1, 0.0}}, kappa[2] = {none, none}, c[4];
    int zero = poy_mie(ctx, 1, &l, 1, &x, media, mu, kappa, c) == POY_OK;
    for (int i = 0; i < 4; i++)
        zero &= c[i].re == 0.0 && c[i].im == 0.0;
    ok(zero, "a sphere of its surroundings does not scatter, exactly");
    ok(poy_mie_cyl(ctx, 1, &kz, &l, &k0, 1, &x, media, mu, kappa, c) == POY_OK && hypot(c[0].re, c[0].im) < 1e-15 &&
           hypot(c[1].re, c[1].im) < 1e-15,
       "nor does a cylinder: %.1e", hypot(c[0].re, c[0].im));
    /* Rayleigh: T_N of l = 1 is 2/3 i x^3 (epsilon - 1) / (epsilon + 2), T_M 1/45 i x^5 (epsilon - 1), to x^2 */
    const double tiny = 1e-4;
    const int64_t first = 1;
    media[0] = (poy_c128){2.25, 0.0};
    media[1] = mu[0] = mu[1] = one;
    double q[5];
    ok(poy_mie(ctx, 1, &first, 1, &tiny, media, mu, kappa, c) == POY_OK, "a tiny sphere");
    const double want = 2.0 / 3.0 * pow(tiny, 3.0) * 1.25 / 4.25, got = c[3].im + c[2].im;
    ok(fabs(got / want - 1.0) < 1e-8, "Rayleigh's coefficient: %.1e", got / want - 1.0);
    ok(efficiency(ctx, tiny, media[0], 0, q) == POY_OK && q[2] == 0.0 &&
           fabs(q[1] / (8.0 / 3.0 * pow(tiny, 4.0) * pow(1.25 / 4.25, 2.0)) - 1.0) < 1e-7 && q[0] == q[1],
       "Rayleigh's efficiency without absorption");
    /* B28: tiny metal spheres absorb 4 x Im (epsilon - 1) / (epsilon + 2) */
    const poy_c128 metal = {-4.4, 0.21};
    const double complex alpha = (poyi_c(metal) - 1.0) / (poyi_c(metal) + 2.0);
    ok(efficiency(ctx, 1e-6, metal, 0, q) == POY_OK && fabs(q[2] / (4e-6 * cimag(alpha)) - 1.0) < 1e-9,
       "absorption of a metal sphere of x = 1e-6: %.1e", q[2] / (4e-6 * cimag(alpha)) - 1.0);
}

static void test_batches(void)
{
    enum { N = 100, LMAX = 9 };
    poy_c128 *out[2] = {matrix(4 * N, LMAX), matrix(4 * N, LMAX)}, one_by_one[4];
    double x[2 * N];
    poy_c128 epsilon[3 * N], mu[3 * N], kappa[3 * N];
    int good = 1, same = 1;
    for (size_t i = 0; i < N; i++) {
        const particle p = random_particle(2, 5.0, 0.5, i % 3 == 0);
        memcpy(x + 2 * i, p.x, 2 * sizeof *x);
        memcpy(epsilon + 3 * i, p.epsilon, 3 * sizeof *epsilon);
        memcpy(mu + 3 * i, p.mu, 3 * sizeof *mu);
        memcpy(kappa + 3 * i, p.kappa, 3 * sizeof *kappa);
    }
    for (int threads = 1; threads <= 2; threads++) {
        poy_ctx *ctx = NULL;
        good &= poy_ctx_create(&ctx) == POY_OK;
        poy_ctx_set_threads(ctx, threads == 1 ? 1 : 3);
        good &= poy_mie_table(ctx, N, LMAX, 2, x, epsilon, mu, kappa, out[threads - 1]) == POY_OK;
        for (size_t i = 0; i < N && threads == 1; i++) {
            const int64_t l = 1 + (int64_t)(i % LMAX);
            good &= poy_mie(ctx, 1, &l, 2, x + 2 * i, epsilon + 3 * i, mu + 3 * i, kappa + 3 * i, one_by_one) == POY_OK;
            for (int e = 0; e < 4; e++) /* the start of the recurrences depends on the highest degree */
                same &= cabs(poyi_c(one_by_one[e]) - poyi_c(out[0][4 * (i * LMAX + (size_t)l - 1) + (size_t)e])) <
                        1e-13 * (cabs(poyi_c(one_by_one[3])) + cabs(poyi_c(one_by_one[2])) + 1e-300);
        }
        poy_ctx_destroy(&ctx);
    }
    ok(good && memcmp(out[0], out[1], 4 * N * LMAX * sizeof(poy_c128)) == 0, "same bits for every number of threads");
    ok(same, "one degree and all degrees agree");
    free(out[0]), free(out[1]);
}

/* ---- derivatives ---- */

static double directional(poy_ctx *ctx, int cylinder, int with_chirality, int lossless, int amplifies)
{
    enum { N = 3, L = 2 };
    const int64_t label[N] = {cylinder ? -2 : 1, cylinder ? 0 : 2, cylinder ? 1 : 5};
    particle p = random_particle(L, 3.0, 0.4, with_chirality), plus;
    double kz = 0.3, k0 = 1.2, dkz = draw(), dk0 = draw(), dx[L] = {draw(), draw()}, g_kz = 0.0, g_k0 = 0.0,
           g_x[L] = {0};
    poy_c128 tangent[3][L + 1], gradient[3][L + 1] = {{{0}}}, g[4 * N], d_out[4 * N];
    poy_c128 *jacobian = matrix(4 * N, 4 * L + 5);
    poyi_mie_call call = {cylinder, N, label, L, p.x, p.epsilon, p.mu, p.kappa, kz, k0};
    for (int part = 0; part < 3; part++)
        for (int i = 0; i <= L; i++)
            tangent[part][i] = draw_complex();
    for (int i = 0; i < 4 * N; i++)
        g[i] = draw_complex();
    for (int i = 0; i <= L;
         i++) /* away from Im n = 0, where the index changes sign; real surroundings every other time */
        p.epsilon[i].im += 0.1;
    if (amplifies)
        p.epsilon[0].im = -p.epsilon[0].im;
    if (lossless) {
        p.epsilon[L].im = p.mu[L].im = 0.0;
        tangent[0][L].im = tangent[1][L].im = tangent[2][L].im = 0.0;
    }
    const poyi_mie_inputs_of d = {&dkz, &dk0, dx, tangent[0], tangent[1], tangent[2]};
    const poyi_mie_inputs_of into = {&g_kz, &g_k0, g_x, gradient[0], gradient[1], gradient[2]};
    double error = poyi_mie_jacobian(ctx, &call, NULL, jacobian) == POY_OK ? 0.0 : 1.0, left = 0.0, right = 0.0,
           size = 0.0;
    poyi_mie_push(&call, jacobian, &d, d_out);
    poyi_mie_pull(&call, jacobian, g, &into);
    for (int i = 0; i < 4 * N; i++) {
        left += creal(conj(poyi_c(g[i])) * poyi_c(d_out[i]));
        size += cabs(poyi_c(g[i])) * cabs(poyi_c(d_out[i]));
    }
    right += cylinder ? g_kz * dkz + g_k0 * dk0 : 0.0;
    for (int i = 0; i < L; i++)
        right += g_x[i] * dx[i];
    for (int part = 0; part < 3; part++)
        for (int i = 0; i <= L; i++)
            right += creal(conj(poyi_c(gradient[part][i])) * poyi_c(tangent[part][i]));
    error = fmax(error, fabs(left - right) / size > 1e-12 ? 1.0 : 0.0);
    /* fourth-order difference */
    const double h = 1e-4;
    double complex difference[4 * N] = {0};
    for (int step = -2; step <= 2; step++) {
        static const double weight[5] = {1.0 / 12.0, -2.0 / 3.0, 0.0, 2.0 / 3.0, -1.0 / 12.0};
        plus = p;
        for (int i = 0; i < L; i++)
            plus.x[i] += step * h * dx[i];
        poy_c128 *const parts[3] = {plus.epsilon, plus.mu, plus.kappa};
        for (int part = 0; part < 3; part++)
            for (int i = 0; i <= L; i++)
                parts[part][i] = poyi_pair(poyi_c(parts[part][i]) + step * h * poyi_c(tangent[part][i]));
        for (int i = 0; i < N; i++) {
            const double z = kz + step * h * dkz, k = k0 + step * h * dk0;
            poy_c128 c[4];
            const poy_status status =
                cylinder ? poy_mie_cyl(ctx, 1, &z, label + i, &k, L, plus.x, plus.epsilon, plus.mu, plus.kappa, c)
                         : poy_mie(ctx, 1, label + i, L, plus.x, plus.epsilon, plus.mu, plus.kappa, c);
            for (int e = 0; e < 4 && status == POY_OK; e++)
                difference[4 * i + e] += weight[step + 2] / h * poyi_c(c[e]);
        }
    }
    double largest = 0.0, worst = 0.0;
    for (int i = 0; i < 4 * N; i++) {
        largest = fmax(largest, cabs(poyi_c(d_out[i])));
        worst = fmax(worst, cabs(poyi_c(d_out[i]) - difference[i]));
    }
    free(jacobian);
    return fmax(error, worst / largest);
}

/* Particles that amplify light, by the interfaces' equations in arithmetic of 60 digits with n = sqrt(epsilon mu), k = k0 (n -+ kappa), Z =
 * sqrt(mu / epsilon) as they are: of both helicities, of one alone. */
static void test_amplification(poy_ctx *ctx)
{
    static const struct {
        double kz;
        poy_c128 epsilon[3], kappa[3], want[4];
        int cylinder;
    } cases[] = {
        {0.0,
         {{2.25, -0.3}, {3, 0.2}, {1, 0}},
         {{0.1, 0}, {0.05, 0}},
         {{-0.003146239890780572, 0.02977267108099488},
          {-0.002022267496008758, 0.019105951256401462},
          {-0.002022267496008758, 0.019105951256401462},
          {-0.0034380466413219163, 0.03392545794448126}},
         0},
        {0.0,
         {{2.25, 0.1}, {3, 0.2}, {1, 0}},
         {{0.1, -0.2}},
         {{-0.004162503651527411, 0.031476134148854217},
          {-0.0023224713018708738, 0.019052276358565913},
          {-0.0023224713018708738, 0.019052276358565913},
          {-0.003116434303254699, 0.032126781652043385}},
         0},
        {0.3,
         {{2.25, -0.3}, {3, 0.2}, {1, 0}},
         {{0.1, 0}, {0.05, 0}},
         {{-0.005171481018573264, 0.04129189604149322},
          {0.005312481611227987, -0.03033745622040626},
          {0.005312481611227987, -0.03033745622040626},
          {-0.03312088443746593, 0.14968128557112373}},
         1},
    };
    const double radii[2] = {0.7, 1.3}, k0 = 1.0;
    const poy_c128 mu[3] = {{1, 0}, {1.1, 0}, {1, 0}};
    const int64_t degree = 2;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        poy_c128 c[4];
        const poy_status status =
            cases[i].cylinder
                ? poy_mie_cyl(ctx, 1, &cases[i].kz, &degree, &k0, 2, radii, cases[i].epsilon, mu, cases[i].kappa, c)
                : poy_mie(ctx, 1, &degree, 2, radii, cases[i].epsilon, mu, cases[i].kappa, c);
        ok(status == POY_OK && apart(4, c, cases[i].want) < 1e-14, "%s that amplifies: %.1e",
           cases[i].cylinder ? "a cylinder" : "a sphere", apart(4, c, cases[i].want));
    }
}

/* Cylinders whose kz is near the wavenumber of their surroundings, where terms of the size of (k / k_rho)^2 cancel in one helicity, by the
 * boundary conditions in arithmetic of 60 digits: all coefficients to the last digits. A cut through the core
 * changes nothing. */
static void test_near_grazing(poy_ctx *ctx)
{
    static const struct {
        double kz;
        int64_t m;
        poy_c128 want[4];
    } cases[] = {
        {0.99995,
         1,
         {{-3.2816056753757618e-11, 8.879415515308536e-10},
          {9.7394190920600091e-7, 1.7626166648860431e-6},
          {9.7394190920600091e-7, 1.7626166648860431e-6},
          {-0.16575691856542839, -0.3664219994078737}}},
        {0.99995,
         2,
         {{-7.9100925548735442e-17, 4.6271418121382865e-15},
          {1.2685030781625151e-12, -1.0282181220765359e-10},
          {1.2685030781625151e-12, -1.0282181220765359e-10},
          {-1.2046209863454691e-7, 7.5566696796117146e-6}}},
        {0.999999,
         1,
         {{-1.2077957699729398e-14, 3.5607022403210973e-13},
          {9.7489200660524165e-9, 2.5589686389846307e-8},
          {9.7489200660524165e-9, 2.5589686389846307e-8},
          {-0.076618140462821057, -0.26247166762123084}}},
        {0.999999,
         2,
         {{-6.3274419774045948e-22, 3.7018477366462176e-20},
          {5.0710962466315181e-16, -4.1130625042146853e-14},
          {5.0710962466315181e-16, -4.1130625042146853e-14},
          {-2.4082224644320799e-9, 1.5114295569797075e-7}}},
        {1.00001,
         1,
         {{-1.1506906906964937e-12, 3.5498910388303046e-11},
          {-3.2013156160855873e-8, -3.5909808155628868e-7},
          {-3.2013156160855873e-8, -3.5909808155628868e-7},
          {-0.0032176505821973387, -0.35996170940452638}}},
        {1.00001,
         2,
         {{6.3274664405729592e-19, -3.7018767163592086e-17},
          {5.0710513961310291e-14, -4.1131008519490202e-12},
          {5.0710513961310291e-14, -4.1131008519490202e-12},
          {2.4082171050614333e-8, -1.5114494316625112e-6}}},
    };
    const poy_c128 epsilon[3] = {{4.0, 0.1}, {4.0, 0.1}, {1.0, 0.0}}, kappa[3] = {{0.1, 0.0}, {0.1, 0.0}};
    const poy_c128 mu[3] = {{1.2, 0.0}, {1.2, 0.0}, {1.0, 0.0}};
    const double radii[2] = {0.3, 0.8}, k0 = 1.0;
    double worst[2] = {0.0, 0.0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int shells = 0; shells < 2; shells++) {
            poy_c128 c[4];
            const size_t first = shells ? 0 : 1;
            const poy_status status = poy_mie_cyl(ctx, 1, &cases[i].kz, &cases[i].m, &k0, shells ? 2 : 1, radii + first,
                                                  epsilon + first, mu + first, kappa + first, c);
            for (int e = 0; e < 4; e++) {
                const double complex want = poyi_c(cases[i].want[e]);
                worst[shells] = fmax(worst[shells], status == POY_OK ? cabs(poyi_c(c[e]) - want) / cabs(want) : 1.0);
            }
        }
    ok(worst[0] < 1e-14, "each coefficient of cylinders with kz near k: %.1e", worst[0]);
    ok(worst[1] < 1e-14, "and with a core in two layers: %.1e", worst[1]);
}

static void test_derivatives(poy_ctx *ctx)
{
    double worst[2] = {0.0, 0.0};
    for (int trial = 0; trial < 40; trial++)
        for (int cylinder = 0; cylinder < 2; cylinder++)
            worst[cylinder] =
                fmax(worst[cylinder], directional(ctx, cylinder, trial % 2, trial / 2 % 2, trial / 4 % 2));
    /* the difference: h^4 times the fifth derivative over the first, and 1e-16 / h */
    ok(worst[0] < 1e-7 && worst[1] < 1e-7,
       "derivatives against differences and the adjoint identity: spheres %.1e, cylinders %.1e", worst[0], worst[1]);
}

/* ---- refusals ---- */

static int refused(poy_ctx *ctx, poy_status got, poy_status want, const char *word)
{
    const int good = got == want && strstr(poy_ctx_message(ctx), word);
    if (!good)
        note("status %d: %s", (int)got, poy_ctx_message(ctx));
    return good;
}

static poy_status one_mie(poy_ctx *ctx, int64_t l, size_t layers, const double *x, const poy_c128 *epsilon)
{
    const poy_c128 mu[3] = {one, one, one}, kappa[3] = {none, none, none};
    poy_c128 c[4] = {{7.0, 7.0}};
    const poy_status status = poy_mie(ctx, 1, &l, layers, x, epsilon, mu, kappa, c);
    return c[0].re == 7.0 || status == POY_OK ? status : POY_ERR_INTERNAL; /* untouched */
}

static void test_refusals(poy_ctx *ctx)
{
    const poy_c128 media[3] = {{2.0, 0.0}, {3.0, 0.0}, {1.0, 0.0}}, lossy[2] = {{2.0, 0.0}, {1.0, 0.1}},
                   zero[2] = {none, one};
    const poy_c128 mu[2] = {one, one}, kappa[2] = {none, none}, handed[2] = {{0.1, 0.0}, {0.0, 0.0}};
    const double good[2] = {1.0, 2.0}, falling[2] = {2.0, 1.0}, nothing[1] = {0.0}, nan_radius[1] = {(double)NAN},
                 huge = 1e9;
    const int64_t m = 129, order = 1;
    const double k0 = 1.0, bad_k0 = -1.0, kz = 0.0, branch = 1.0;
    poy_c128 c[4];
    poy_sphere_efficiency q;
    ok(refused(ctx, one_mie(ctx, 0, 1, good, media), POY_ERR_ARGUMENT, "l[0] = 0"), "degree 0");
    ok(refused(ctx, one_mie(ctx, 129, 1, good, media), POY_ERR_ARGUMENT, "129"), "degree 129");
    ok(refused(ctx, one_mie(ctx, 1, 0, good, media), POY_ERR_ARGUMENT, "no layer"), "no layers");
    ok(refused(ctx, one_mie(ctx, 1, 1, nothing, media), POY_ERR_ARGUMENT, "x[0] = 0"), "a size of 0");
    ok(refused(ctx, one_mie(ctx, 1, 1, nan_radius, media), POY_ERR_ARGUMENT, "x[0]"), "a size that is not a number");
    ok(refused(ctx, one_mie(ctx, 1, 2, falling, media), POY_ERR_ARGUMENT, "above 2"), "falling radii");
    ok(refused(ctx, one_mie(ctx, 1, 1, &huge, media), POY_ERR_RANGE, "1e+07"), "a size beyond what is computed");
    ok(refused(ctx, one_mie(ctx, 1, 1, good, zero), POY_ERR_ARGUMENT, "not 0"), "epsilon 0");
    ok(refused(ctx, poy_mie_cyl(ctx, 1, &kz, &m, &k0, 1, good, media, mu, kappa, c), POY_ERR_ARGUMENT, "129"),
       "order 129");
    ok(refused(ctx, poy_mie_cyl(ctx, 1, &kz, &order, &bad_k0, 1, good, media, mu, kappa, c), POY_ERR_ARGUMENT,
               "k0 = -1"),
       "k0 below 0");
    const poy_c128 to_vacuum[2] = {{2.0, 0.0}, {1.0, 0.0}};
    ok(refused(ctx, poy_mie_cyl(ctx, 1, &branch, &order, &k0, 1, good, to_vacuum, mu, kappa, c), POY_ERR_ARGUMENT,
               "branch"),
       "kz at the branch point");
    ok(refused(ctx, poy_sphere_efficiencies(ctx, 1, 0, 1, good, lossy, mu, kappa, &q), POY_ERR_UNSUPPORTED, "lossless"),
       "efficiencies in an absorbing medium");
    ok(refused(ctx, poy_sphere_efficiencies(ctx, 1, 0, 1, good, to_vacuum, mu, handed, &q), POY_ERR_UNSUPPORTED,
               "chiral"),
       "efficiencies of a chiral sphere");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_table(ctx, "particle.txt", 40);
    test_table(ctx, "particle_reference.txt", 100);
    test_conservation(ctx);
    test_limits(ctx);
    test_amplification(ctx);
    test_near_grazing(ctx);
    test_batches();
    test_derivatives(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

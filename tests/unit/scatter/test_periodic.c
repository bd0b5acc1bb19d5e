/* test_periodic.c: arrays, gratings and chains: power, other ways to the same numbers, cells of several particles, refusals. */
#include "core/constants.h"
#include "poynting/periodic.h"
#include "wave_fixture.h"

enum { MOST = 4 };

/* Spheres of a cell. */
typedef struct cell_of {
    poy_embedding embedding;
    int lmax;
    size_t n;
    double radius[MOST], position[3 * MOST];
    poy_medium medium[MOST];
} cell_of;

static poy_medium medium(double re, double im, double kappa)
{
    return (poy_medium){{re, im}, {1.0, 0.0}, {kappa, 0.0}};
}

static poy_status make_cluster(poy_ctx *ctx, const cell_of *c, poy_cluster **out)
{
    poy_tmatrix *particle[MOST] = {NULL};
    poy_status status = POY_OK;
    for (size_t i = 0; i < c->n && status == POY_OK; i++)
        status = poy_tmatrix_sphere(ctx, &c->embedding, c->lmax, 1, c->radius + i, c->medium + i, particle + i);
    if (status == POY_OK)
        status = poy_cluster_create(ctx, c->n, particle, c->n, c->position, out);
    for (size_t i = 0; i < c->n; i++)
        poy_tmatrix_destroy(particle + i);
    return status;
}

static poy_periodic *make_periodic(poy_ctx *ctx, const cell_of *c, const poy_lattice *l, const double *kpar, double eta)
{
    poy_cluster *cluster = NULL;
    poy_periodic *p = NULL;
    poy_status status = make_cluster(ctx, c, &cluster);
    if (status == POY_OK)
        status = poy_periodic_solve(ctx, cluster, l, kpar, eta, &p);
    if (status != POY_OK)
        note("%s", poy_ctx_cause(ctx));
    poy_cluster_destroy(&cluster);
    return p;
}

/* With all orders to kmax. */
static poy_smatrix *make_array(poy_ctx *ctx, const cell_of *c, const poy_lattice *l, const double *kpar, double kmax)
{
    poy_periodic *p = make_periodic(ctx, c, l, kpar, 0.0);
    poy_basis *ports = NULL;
    poy_smatrix *s = NULL;
    poy_status status = p ? poy_ports_within(ctx, POY_XY, kpar, 2, l->a, kmax, &ports) : POY_ERR_ARGUMENT;
    if (status == POY_OK)
        status = poy_periodic_to_smatrix(ctx, p, ports, &s);
    if (status != POY_OK)
        note("%s", poy_ctx_cause(ctx));
    poy_basis_destroy(&ports);
    poy_periodic_destroy(&p);
    return s;
}

static double entries_apart(const poy_smatrix *a, const poy_smatrix *b)
{
    if (!a || !b || poy_smatrix_size(a) != poy_smatrix_size(b))
        return (double)INFINITY;
    return apart(4 * poy_smatrix_size(a) * poy_smatrix_size(a), poy_smatrix_values(a), poy_smatrix_values(b));
}

/* max |T + R - 1| of light in each propagating port, from both sides. */
static double imbalance(poy_ctx *ctx, const poy_smatrix *s)
{
    const size_t n = poy_smatrix_size(s);
    poy_c128 *light = matrix(n, 1);
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        for (int from = POY_UP; from <= POY_DOWN; from++) {
            poy_power_shares p;
            memset(light, 0, n * sizeof *light);
            light[i].re = 1.0;
            if (poy_smatrix_power(ctx, s, (poy_modetype)from, light, &p) == POY_OK)
                worst = fmax(worst, fabs(p.transmission + p.reflection - 1.0));
            else
                worst = (double)INFINITY;
        }
    free(light);
    return worst;
}

static const cell_of skew_pair = {{5.0, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY},
                                  4,
                                  2,
                                  {0.25, 0.2},
                                  {0.0, 0.0, 0.0, 0.6, 0.5, 0.1},
                                  {{{6.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, {{9.0, 0.0}, {1.0, 0.0}, {0.1, 0.0}}}};
static const poy_lattice skew = {2, {1.5, 0.0, 0.6, 1.3}};

/* ---- power ---- */

static void test_power(poy_ctx *ctx)
{
    static const double kpars[][2] = {{0.0, 0.0}, {0.7, -0.4}, {2.1, 1.1}};
    double worst = 0.0, host = 0.0;
    for (size_t i = 0; i < 3; i++) {
        poy_smatrix *s = make_array(ctx, &skew_pair, &skew, kpars[i], 5.0);
        worst = fmax(worst, s ? imbalance(ctx, s) : (double)INFINITY);
        poy_smatrix_destroy(&s);
        cell_of c = skew_pair; /* a chiral host without loss, whose ports graze for neither pol */
        c.embedding.medium = medium(1.3, 0.0, 0.06);
        const double k = 5.0 * (sqrt(1.3) + 0.06);
        s = make_array(ctx, &c, &skew, kpars[i], k);
        if (s) { /* only orders that propagate in both pols carry power alone */
            poy_c128 light[64] = {{0.0, 0.0}};
            for (int pol = 0; pol < 2; pol++) {
                poy_power_shares p;
                light[0].re = pol == 0, light[1].re = pol == 1;
                const poy_status status = poy_smatrix_power(ctx, s, POY_UP, light, &p);
                host = fmax(host, status == POY_OK ? fabs(p.absorption) : (double)INFINITY);
            }
        } else
            host = (double)INFINITY;
        poy_smatrix_destroy(&s);
    }
    ok(worst < 1e-12, "T + R = 1 of two particles in a skew cell, several orders, %.1e", worst);
    ok(host < 1e-12, "and in a chiral host, %.1e", host);
}

static void test_orders(poy_ctx *ctx)
{
    const double kpar[2] = {0.7, -0.4};
    poy_smatrix *s = make_array(ctx, &skew_pair, &skew, kpar, 5.0);
    double t[64] = {0}, r[64] = {0}, sum_t = 0.0, sum_r = 0.0;
    poy_power_shares p = {0};
    if (!ok(s != NULL, "an array"))
        return;
    const size_t orders = poy_smatrix_orders(s, NULL);
    poy_c128 light[128] = {{0.0, 0.0}};
    light[0].re = 1.0;
    ok(orders == 4 && 2 * orders == poy_smatrix_size(s), "%zu orders", orders);
    ok(poy_smatrix_order_powers(ctx, s, POY_UP, light, t, r) == POY_OK &&
           poy_smatrix_power(ctx, s, POY_UP, light, &p) == POY_OK,
       "their powers");
    int positive = 1;
    for (size_t i = 0; i < orders; i++) {
        sum_t += t[i], sum_r += r[i];
        positive &= t[i] > -1e-14 && r[i] > -1e-14;
    }
    ok(positive && fabs(sum_t - p.transmission) < 1e-14 && fabs(sum_r - p.reflection) < 1e-14,
       "sum to T and R, none below 0");
    poy_smatrix_destroy(&s);
}

/* ---- other ways to the same ---- */

/* In a host with loss: the coupling by Ewald's method is the plain sum over images. */
static void test_plain_sum(poy_ctx *ctx)
{
    cell_of c = skew_pair;
    const double kpar[3] = {0.4, -0.3, 0.2};
    const poy_lattice lattices[3] = {{1, {1.4}}, skew, {3, {1.5, 0.0, 0.1, 0.6, 1.3, 0.0, 0.2, 0.1, 1.6}}};
    c.embedding = (poy_embedding){3.0, {{-0.9, 2.5}, {1.0, 0.0}, {0.05, 0.0}}, POY_HELICITY};
    poy_basis *b = NULL, *image = NULL;
    ok(poy_basis_sw_default(ctx, 2, 2, c.position, &b) == POY_OK, "a basis");
    const size_t n = poy_basis_size(b);
    poy_c128 *got = matrix(n, n), *want = matrix(n, n), *one = matrix(n, n);
    for (int dim = 1; dim <= 3; dim++) {
        const poy_lattice *l = lattices + dim - 1;
        const int reach = 11, first = dim == 1 ? 2 : 0;
        memset(want, 0, n * n * sizeof *want);
        for (int i = -reach; i <= reach; i++)
            for (int j = dim > 1 ? -reach : 0; j <= (dim > 1 ? reach : 0); j++)
                for (int k = dim > 2 ? -reach : 0; k <= (dim > 2 ? reach : 0); k++) {
                    const int at[3] = {i, j, k};
                    double moved[6], phase = 0.0, away = 0.0;
                    memcpy(moved, c.position, sizeof moved);
                    for (int row = 0; row < dim; row++)
                        for (int q = 0; q < dim; q++) {
                            moved[first + q] += at[row] * l->a[row * dim + q];
                            moved[3 + first + q] += at[row] * l->a[row * dim + q];
                            phase += at[row] * l->a[row * dim + q] * kpar[q];
                        }
                    for (int q = 0; q < 3; q++)
                        away += (moved[q] - c.position[q]) * (moved[q] - c.position[q]);
                    if (away > 9.5 * 9.5) /* e^{-k'' R} < 1e-15 */
                        continue;
                    poy_basis_destroy(&image);
                    (void)poy_basis_sw_default(ctx, 2, 2, moved, &image);
                    (void)poy_op_expand(ctx, &c.embedding, b, POY_REGULAR, image, POY_SINGULAR, one);
                    for (size_t e = 0; e < n * n; e++)
                        want[e] = poyi_pair(poyi_c(want[e]) + cexp(CMPLX(0.0, phase)) * poyi_c(one[e]));
                }
        const poy_status status = poy_op_expand_lattice(ctx, &c.embedding, l, kpar, 0.0, b, b, got);
        const double off = apart(n * n, got, want);
        ok(status == POY_OK && off < 1e-12, "%d dimensions: coupling in a chiral host with loss, %.1e", dim, off);
    }
    free(got), free(want), free(one);
    poy_basis_destroy(&b), poy_basis_destroy(&image);
}

/* Two layers of particles in one cell, a whole wavelength apart, are the cascade of both; one a little above the other is the
 * limit of one plane. */
static void test_heights(poy_ctx *ctx)
{
    const double kpar[2] = {0.7, -0.4}, heights[3] = {0.0, 1e-7, 1e-3};
    cell_of both = skew_pair;
    poy_smatrix *plane = NULL;
    double balance = 0.0, nearness = 0.0;
    for (int i = 0; i < 3; i++) {
        both.position[5] = heights[i];
        poy_smatrix *s = make_array(ctx, &both, &skew, kpar, 5.0);
        balance = fmax(balance, s ? imbalance(ctx, s) : (double)INFINITY);
        if (i == 0)
            plane = poy_smatrix_retain(s);
        else
            nearness = fmax(nearness, entries_apart(s, plane) / heights[i]);
        poy_smatrix_destroy(&s);
    }
    poy_smatrix_destroy(&plane);
    ok(balance < 1e-12 && nearness < 60.0 && nearness > 1e-3,
       "heights of 0, 1e-7, 1e-3: T + R = 1 to %.1e, change over height %.1g", balance, nearness);
    for (int tall = 0; tall < 2; tall++) {
        const double height = tall ? 12.0 : 2.5, kmax = tall ? 7.0 : 22.0, d[3] = {0.0, 0.0, height};
        cell_of lower = skew_pair, upper = skew_pair;
        lower.n = upper.n = 1;
        upper.radius[0] = skew_pair.radius[1];
        upper.medium[0] = skew_pair.medium[1];
        upper.position[0] = both.position[3], upper.position[1] = both.position[4];
        both.position[5] = height;
        poy_smatrix *part[3] = {make_array(ctx, &lower, &skew, kpar, kmax), NULL,
                                make_array(ctx, &upper, &skew, kpar, kmax)};
        poy_smatrix *s = make_array(ctx, &both, &skew, kpar, kmax), *cascade = NULL, *moved = NULL;
        if (!ok(s && part[0] && part[2], "two layers %g apart", height))
            continue;
        const poy_stage stage = {5.0, POY_HELICITY, poy_smatrix_ports(s)};
        ok(poy_smatrix_propagation(ctx, &stage, &both.embedding.medium, d, part + 1) == POY_OK &&
               poy_smatrix_stack(ctx, 3, part, &cascade) == POY_OK,
           "their cascade");
        /* planes of the cascade: 0 below, height above; of the cell: 0 both. Amplitudes of propagating ports */
        const size_t n = poy_smatrix_size(s);
        poy_c128 *k = matrix(n, 3);
        (void)poy_basis_kvecs(ctx, &both.embedding, poy_smatrix_ports(s), POY_UP, k);
        double worst = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                if (k[3 * i + 2].im != 0.0 || k[3 * j + 2].im != 0.0)
                    continue;
                const double complex out = cexp(CMPLX(0.0, k[3 * i + 2].re * height));
                const double complex in = cexp(CMPLX(0.0, k[3 * j + 2].re * height));
                for (int e = 0; e < 4; e++) {
                    const double complex a = poyi_c(poy_smatrix_values(s)[((size_t)e * n + i) * n + j]);
                    const double complex b = poyi_c(poy_smatrix_values(cascade)[((size_t)e * n + i) * n + j]);
                    worst = fmax(worst, cabs(a * (e / 2 ? 1.0 : out) * (e % 2 ? in : 1.0) - b));
                }
            }
        /* what evanescent orders beyond kmax carry: e^{-sqrt(kmax^2 - k^2) height} */
        ok(worst < 1e-10, "one cell of two heights is the cascade of two arrays, %.1e", worst);
        free(k);
        for (int i = 0; i < 3; i++)
            poy_smatrix_destroy(part + i);
        poy_smatrix_destroy(&s), poy_smatrix_destroy(&cascade), poy_smatrix_destroy(&moved);
    }
}

/* An array displaced is the same about an origin displaced the other way; any split gives one response; no contrast, no array. */
static void test_identities(poy_ctx *ctx)
{
    const double kpar[2] = {0.7, -0.4}, r[3] = {0.3, -0.2, 0.15}, away[3] = {-0.3, 0.2, -0.15};
    cell_of moved = skew_pair, nothing = skew_pair;
    for (size_t i = 0; i < 6; i++)
        moved.position[i] += r[i % 3];
    poy_smatrix *s = make_array(ctx, &skew_pair, &skew, kpar, 5.0), *m = make_array(ctx, &moved, &skew, kpar, 5.0),
                *t = NULL;
    (void)poy_smatrix_translate(ctx, s, away, &t);
    ok(entries_apart(t, m) < 1e-13, "a displaced array, %.1e", entries_apart(t, m));
    nothing.medium[0] = nothing.medium[1] = nothing.embedding.medium;
    poy_smatrix *none = make_array(ctx, &nothing, &skew, kpar, 5.0);
    double worst = none ? 0.0 : (double)INFINITY;
    const size_t n = none ? poy_smatrix_size(none) : 0;
    for (size_t i = 0; i < 4 * n * n; i++) {
        const size_t block = i / (n * n), e = i % (n * n);
        const double one = (block == 0 || block == 3) && e / n == e % n ? 1.0 : 0.0;
        worst = fmax(worst, hypot(poy_smatrix_values(none)[i].re - one, poy_smatrix_values(none)[i].im));
    }
    ok(worst < 1e-14, "an array without contrast is nothing, %.1e", worst);
    poy_periodic *a = make_periodic(ctx, &skew_pair, &skew, kpar, 0.4),
                 *b = make_periodic(ctx, &skew_pair, &skew, kpar, 1.1);
    poy_tmatrix *x = NULL, *y = NULL;
    if (ok(a && b && poy_periodic_response(ctx, a, &x) == POY_OK && poy_periodic_response(ctx, b, &y) == POY_OK,
           "two splits")) {
        const size_t size = poy_tmatrix_size(x) * poy_tmatrix_size(x);
        const double off = apart(size, poy_tmatrix_values(x), poy_tmatrix_values(y));
        ok(off < 1e-13, "give one response, %.1e", off);
    }
    poy_tmatrix_destroy(&x), poy_tmatrix_destroy(&y);
    poy_periodic_destroy(&a), poy_periodic_destroy(&b);
    poy_smatrix_destroy(&s), poy_smatrix_destroy(&m), poy_smatrix_destroy(&t), poy_smatrix_destroy(&none);
}

/* Chains along z, these in a grating along x: the array of the same spheres, with the axes turned. */
static void test_chain_grating(poy_ctx *ctx)
{
    const cell_of c = {
        {2.0, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY}, 2, 1, {0.2}, {0.0}, {medium(6.0, 0.0, 0.1)}};
    const double az = 0.9, ax = 1.6, kz = 0.4, kx = 0.5, both[2] = {kz, kx};
    const poy_lattice chain = {1, {az}}, grating = {1, {ax}}, array = {2, {az, 0.0, 0.0, ax}};
    poy_periodic *p = make_periodic(ctx, &c, &chain, &kz, 0.0), *g = NULL, *direct = NULL;
    poy_basis *waves = NULL, *ports = NULL, *flat = NULL;
    poy_tmatrix *t = NULL;
    poy_cluster *cell = NULL;
    poy_smatrix *s = NULL, *upright = NULL, *turned = NULL;
    const double origin[3] = {0.0, 0.0, 0.0};
    ok(p && poy_basis_cw_diffr_orders(ctx, kz, 8, az, 22.0, 1, origin, &waves) == POY_OK &&
           poy_periodic_to_cylindrical(ctx, p, waves, &t) == POY_OK &&
           poy_cluster_create(ctx, 1, &t, 1, origin, &cell) == POY_OK &&
           poy_periodic_solve(ctx, cell, &grating, &kx, 0.0, &g) == POY_OK,
       "chains in a grating");
    ok(poy_ports_within(ctx, POY_ZX, both, 1, &ax, 2.0, &ports) == POY_OK && g &&
           poy_periodic_to_smatrix(ctx, g, ports, &s) == POY_OK,
       "their S-matrix");
    direct = make_periodic(ctx, &c, &array, both, 0.0);
    ok(poy_ports_default(ctx, POY_XY, 1, both, &flat) == POY_OK && direct &&
           poy_periodic_to_smatrix(ctx, direct, flat, &upright) == POY_OK &&
           poy_smatrix_permute(ctx, upright, 2, &turned) == POY_OK,
       "the array of their spheres");
    ok(entries_apart(s, turned) < 1e-11, "are one, %.1e", entries_apart(s, turned));
    ok(s && imbalance(ctx, s) < 1e-12, "T + R = 1 of the grating, %.1e", s ? imbalance(ctx, s) : 1.0);
    poy_periodic_destroy(&p), poy_periodic_destroy(&g), poy_periodic_destroy(&direct);
    poy_basis_destroy(&waves), poy_basis_destroy(&ports), poy_basis_destroy(&flat);
    poy_tmatrix_destroy(&t), poy_cluster_destroy(&cell);
    poy_smatrix_destroy(&s), poy_smatrix_destroy(&upright), poy_smatrix_destroy(&turned);
}

/* Cylinders on a lattice across their axes (dim 2): their coupling in a host with loss is the plain sum. Fields of an array
 * above it are those of its diffraction orders. */
static void test_fields(poy_ctx *ctx)
{
    const double kpar[2] = {0.7, -0.4}, points[6] = {0.2, 0.5, 1.1, -0.3, 0.1, 2.0};
    poy_periodic *p = make_periodic(ctx, &skew_pair, &skew, kpar, 0.0);
    poy_basis *ports = NULL;
    if (!ok(p && poy_ports_within(ctx, POY_XY, kpar, 2, skew.a, 60.0, &ports) == POY_OK, "an array"))
        return;
    const size_t m = poy_basis_size(ports), n = poy_basis_size(poy_cluster_basis(poy_periodic_cell(p)));
    poy_c128 *light = matrix(m, 1), *a = matrix(n, m), *incident = matrix(n, 1), *out = matrix(n, 1),
             *emitted = matrix(m, n), *sum = matrix(m, 1), got[6], want[6];
    light[0].re = 1.0;
    (void)poy_op_expand(ctx, &skew_pair.embedding, poy_cluster_basis(poy_periodic_cell(p)), POY_REGULAR, ports, POY_UP,
                        a);
    multiply(n, m, 1, a, light, incident);
    ok(poy_periodic_scatter(ctx, p, 1, incident, out) == POY_OK, "scattered waves");
    (void)poy_op_radiate(ctx, &skew_pair.embedding, ports, POY_UP, poy_cluster_basis(poy_periodic_cell(p)),
                         poy_lattice_measure(&skew), emitted);
    multiply(m, n, 1, emitted, out, sum);
    for (int field = POY_WAVE_E; field <= POY_WAVE_H; field++) {
        ok(poy_periodic_sample(ctx, p, out, (poy_wave_field)field, 0, 2, points, got) == POY_OK &&
               poy_wave_sample(ctx, &skew_pair.embedding, ports, POY_UP, sum, (poy_wave_field)field, 0, 2, points,
                               want) == POY_OK,
           "fields above it");
        ok(apart(6, got, want) < 1e-12, "are those of its orders, %.1e", apart(6, got, want));
    }
    const double centre[3] = {skew.a[0] + 0.6, 0.5, 0.1};
    ok(poy_periodic_sample(ctx, p, out, POY_WAVE_E, 0, 1, centre, got) == POY_ERR_ARGUMENT, "no field in a centre");
    free(light), free(a), free(incident), free(out), free(emitted), free(sum);
    poy_basis_destroy(&ports), poy_periodic_destroy(&p);
}

/* ---- thresholds and refusals ---- */

static void test_threshold(poy_ctx *ctx)
{
    const poy_lattice square = {2, {1.5, 0.0, 0.0, 1.5}};
    const double kpar[2] = {0.0, 0.0}, edge = 2.0 * POYI_PI / 1.5;
    cell_of c = skew_pair;
    c.n = 1;
    double worst = 0.0;
    for (int side = -1; side <= 1; side += 2)
        for (int digits = 3; digits <= 9; digits += 3) {
            c.embedding.k0 = edge * (1.0 + side * pow(10.0, -digits));
            poy_smatrix *s = make_array(ctx, &c, &square, kpar, fmax(c.embedding.k0, 1e-3));
            poy_c128 light[16] = {{1.0, 0.0}};
            poy_power_shares p = {0.0, 0.0, 1.0};
            (void)(s ? poy_smatrix_power(ctx, s, POY_UP, light, &p) : POY_OK);
            worst = fmax(worst, fabs(p.absorption));
            poy_smatrix_destroy(&s);
        }
    ok(worst < 1e-11, "T + R = 1 to within 1e-9 of a threshold, %.1e", worst);
    c.embedding.k0 = edge;
    poy_cluster *cell = NULL;
    poy_periodic *p = NULL;
    ok(make_cluster(ctx, &c, &cell) == POY_OK &&
           poy_periodic_solve(ctx, cell, &square, kpar, 0.0, &p) == POY_ERR_THRESHOLD &&
           strstr(poy_ctx_cause(ctx), "0, ") && !p,
       "on the threshold it is refused by its order");
    const poy_lattice flat = {2, {1.0, 0.0, 2.0, 0.0}}, deep = {4, {1.0}};
    ok(poy_periodic_solve(ctx, cell, &flat, kpar, 0.0, &p) == POY_ERR_ARGUMENT &&
           poy_periodic_solve(ctx, cell, &deep, kpar, 0.0, &p) == POY_ERR_ARGUMENT,
       "a cell without area, four dimensions");
    c.embedding.k0 = 3.0;
    poy_cluster_destroy(&cell);
    poy_basis *ports = NULL;
    poy_smatrix *s = NULL;
    const double elsewhere[2] = {0.3, 0.0};
    ok(make_cluster(ctx, &c, &cell) == POY_OK && poy_periodic_solve(ctx, cell, &square, kpar, 0.0, &p) == POY_OK &&
           poy_ports_default(ctx, POY_XY, 1, elsewhere, &ports) == POY_OK &&
           poy_periodic_to_smatrix(ctx, p, ports, &s) == POY_ERR_ARGUMENT &&
           strstr(poy_ctx_cause(ctx), "diffraction order"),
       "ports that are no orders");
    poy_basis_destroy(&ports), poy_periodic_destroy(&p), poy_cluster_destroy(&cell);
}

/* Brillouin zones; the crystal of nearly nothing carries waves at k0 = |kpar + G|. */
static void test_zones(poy_ctx *ctx)
{
    const poy_lattice chain = {1, {2.0}};
    const double edge[2] = {0.5 * POYI_PI, -0.5 * POYI_PI}, far[2] = {31.3, -17.1};
    double k[2] = {0}, q[2] = {0};
    poy_lattice b = {0};
    ok(poy_lattice_brillouin(ctx, &chain, edge, k) == POY_OK &&
           poy_lattice_brillouin(ctx, &chain, edge + 1, q) == POY_OK && k[0] > 0.0 && fabs(k[0] - edge[0]) < 1e-14 &&
           fabs(q[0] - k[0]) < 1e-14,
       "the edge of a zone is its upper one");
    ok(poy_lattice_brillouin(ctx, &skew, far, k) == POY_OK && poy_lattice_reciprocal(ctx, &skew, &b) == POY_OK,
       "a zone");
    double shortest = (double)INFINITY, nearest = (double)INFINITY;
    for (int i = -30; i <= 30; i++)
        for (int j = -30; j <= 30; j++) {
            const double x = far[0] + i * b.a[0] + j * b.a[2], y = far[1] + i * b.a[1] + j * b.a[3];
            shortest = fmin(shortest, hypot(x, y));
            nearest = fmin(nearest, hypot(x - k[0], y - k[1]));
        }
    ok(nearest < 1e-13 && fabs(hypot(k[0], k[1]) - shortest) < 1e-13, "its shortest vector, %.1e", nearest);
    const cell_of weak = {
        {1.7, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY}, 1, 1, {0.1}, {0.0}, {medium(1.2, 0.0, 0.0)}};
    const poy_lattice crystal = {3, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    double least = (double)INFINITY, at = 0.0;
    poy_cluster *cell = NULL;
    (void)make_cluster(ctx, &weak, &cell);
    for (int i = -40; i <= 40; i++) {
        const double kpar[3] = {0.0, 0.0, 1.7 + 2e-4 * i + 1e-5};
        double s = (double)INFINITY;
        (void)poy_periodic_resonance(ctx, cell, &crystal, kpar, 0.0, &s);
        if (s < least)
            least = s, at = kpar[2];
    }
    /* index of the mixture: 1 + 3 f / 2 (eps - 1) / (eps + 2), f = 4 pi / 3 1e-3 */
    const double want = 1.7 * (1.0 + 1.5 * 4.0 * POYI_PI / 3.0 * 1e-3 * 0.2 / 3.2);
    ok(fabs(at - want) < 2.1e-4 && least < 0.5,
       "a thin crystal carries light of the mixture's index: kz = %g for %g (%g)", at, want, least);
    poy_cluster_destroy(&cell);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_power(ctx);
    test_orders(ctx);
    test_plain_sum(ctx);
    test_heights(ctx);
    test_identities(ctx);
    test_chain_grating(ctx);
    test_fields(ctx);
    test_threshold(ctx);
    test_zones(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

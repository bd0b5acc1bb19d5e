/* test_sphere_array.c: powers of arrays and their gradients against published ones, S-matrices and differences. */
#include "poynting/periodic.h"
#include "poynting/sphere_array.h"
#include "wave_fixture.h"

static poy_medium dielectric(double re, double im)
{
    return poy_medium_dielectric((poy_c128){re, im});
}

/* ---- published: transmission of a square array at normal incidence by radius, pitch, epsilon, k0 ---- */

typedef struct published {
    double radius, pitch, k0;
    poy_c128 epsilon;
    double by_radius, by_pitch, by_k0;
    poy_c128 by_epsilon;
} published;

static void test_published(poy_ctx *ctx)
{
    static const published cases[2] = {
        {0.3,
         1.2,
         2.5,
         {12.25, 0.0},
         0.34782725577285406,
         0.00589096610220996,
         0.04456693442180323,
         {0.0045714641528746755, -0.1108114748690112}},
        {0.25,
         1.0,
         4.0,
         {4.0, 0.2},
         -0.5604667110473627,
         0.06739203726492762,
         -0.018181160124228272,
         {-0.0017500921876011197, -0.1273631352911345}},
    };
    static const int64_t order[2] = {0, 0};
    static const poy_c128 light[2] = {{1.0, 0.0}, {0.0, 0.0}};
    static const double origin[3] = {0.0, 0.0, 0.0}, weight[3] = {1.0, 0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        const published *c = cases + i;
        const poy_medium m = {c->epsilon, {1.0, 0.0}, {0.0, 0.0}};
        const poy_sphere_array s = {.spheres = {.embedding = {c->k0, dielectric(1.0, 0.0), POY_HELICITY},
                                                .lmax = 3,
                                                .n = 1,
                                                .layers = 1,
                                                .radii = &c->radius,
                                                .media = &m,
                                                .positions = origin},
                                    .lattice = {c->pitch, 0.0, 0.0, c->pitch},
                                    .n_orders = 1,
                                    .orders = order,
                                    .incident = light};
        double radius = 0.0, position[3];
        poy_medium g_medium = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
        poy_power_shares p;
        poy_sphere_array_gradient g = {.spheres = {.radii = &radius, .media = &g_medium, .positions = position}};
        const poy_status status = poy_sphere_array_power(ctx, &s, &p, weight, &g);
        const double pitch = g.lattice[0] + g.lattice[3];
        double worst = fabs(radius - c->by_radius);
        worst = fmax(worst, fabs(pitch - c->by_pitch));
        worst = fmax(worst, fabs(g.spheres.k0 - c->by_k0));
        worst = fmax(worst, hypot(g_medium.epsilon.re - c->by_epsilon.re, g_medium.epsilon.im - c->by_epsilon.im));
        ok(status == POY_OK && worst <= 1e-9 * fabs(c->by_radius), "published gradient %d: off by %.1e of %.1e", i,
           worst, fabs(c->by_radius));
        ok(fabs(g.lattice[1]) + fabs(g.lattice[2]) < 1e-13 && fabs(position[2]) < 1e-13,
           "and none by what symmetry forbids, %.1e", fabs(g.lattice[1]) + fabs(g.lattice[2]) + fabs(position[2]));
    }
}

/* ---- against S-matrices and differences: two coated spheres in a skew cell, several orders, oblique light ---- */

enum { LMAX = 2, SPHERES = 2, LAYERS = 2, ORDERS = 4, INPUTS = 1 + 3 + SPHERES * LAYERS * 3 + 3 * SPHERES + 4 + 2 };

typedef struct inputs {
    double k0, lattice[4], kpar[2], radii[SPHERES * LAYERS], positions[3 * SPHERES];
    poy_medium medium, media[SPHERES * LAYERS];
} inputs;

static const inputs start = {.k0 = 4.1,
                             .lattice = {1.5, 0.1, 0.6, 1.3},
                             .kpar = {0.7, -0.4},
                             .radii = {0.15, 0.25, 0.1, 0.2},
                             .positions = {0.0, 0.0, 0.0, 0.6, 0.5, 0.3},
                             .medium = {{1.2, 0.0}, {1.0, 0.0}, {0.03, 0.0}},
                             .media = {{{6.0, 0.2}, {1.0, 0.0}, {0.1, 0.0}},
                                       {{2.0, 0.05}, {1.1, 0.0}, {0.0, 0.0}},
                                       {{9.0, 0.1}, {1.0, 0.0}, {0.0, 0.05}},
                                       {{3.0, 0.1}, {1.0, 0.1}, {0.0, 0.0}}}};
static const int64_t orders[2 * ORDERS] = {0, 0, 0, -1, 0, 1, -1, 0};
static const poy_c128 light[2 * ORDERS] = {{0.8, 0.1}, {0.3, -0.2}};
static const double weight[3] = {0.7, -0.4, 0.2};

static poy_status value(poy_ctx *ctx, const inputs *x, poy_power_shares *p, poy_sphere_array_gradient *g)
{
    poy_sphere_array s = {.spheres = {.embedding = {x->k0, x->medium, POY_HELICITY},
                                      .lmax = LMAX,
                                      .n = SPHERES,
                                      .layers = LAYERS,
                                      .radii = x->radii,
                                      .media = x->media,
                                      .positions = x->positions},
                          .kpar = {x->kpar[0], x->kpar[1]},
                          .n_orders = ORDERS,
                          .orders = orders,
                          .incident = light};
    memcpy(s.lattice, x->lattice, sizeof s.lattice);
    return poy_sphere_array_power(ctx, &s, p, weight, g);
}

static double loss(const poy_power_shares *p)
{
    return weight[0] * p->transmission + weight[1] * p->reflection + weight[2] * p->absorption;
}

static void test_values(poy_ctx *ctx)
{
    poy_power_shares p = {0}, want = {0};
    poy_tmatrix *t[SPHERES] = {NULL};
    poy_cluster *cell = NULL;
    poy_periodic *array = NULL;
    poy_basis *ports = NULL;
    poy_smatrix *s = NULL;
    poy_lattice lattice = {.dim = 2}, b;
    double q[2 * ORDERS];
    const poy_embedding e = {start.k0, start.medium, POY_HELICITY};
    memcpy(lattice.a, start.lattice, sizeof start.lattice);
    poy_status status = poy_lattice_reciprocal(ctx, &lattice, &b);
    for (int i = 0; i < ORDERS; i++)
        for (int c = 0; c < 2; c++)
            q[2 * i + c] = start.kpar[c] + (double)orders[2 * i] * b.a[c] + (double)orders[2 * i + 1] * b.a[2 + c];
    for (size_t i = 0; i < SPHERES && status == POY_OK; i++)
        status = poy_tmatrix_sphere(ctx, &e, LMAX, LAYERS, start.radii + i * LAYERS, start.media + i * LAYERS, t + i);
    if (status == POY_OK)
        status = poy_cluster_create(ctx, SPHERES, t, SPHERES, start.positions, &cell);
    if (status == POY_OK)
        status = poy_periodic_solve(ctx, cell, &lattice, start.kpar, 0.0, &array);
    if (status == POY_OK)
        status = poy_ports_default(ctx, POY_XY, ORDERS, q, &ports);
    if (status == POY_OK)
        status = poy_periodic_to_smatrix(ctx, array, ports, &s);
    if (status == POY_OK)
        status = poy_smatrix_power(ctx, s, POY_UP, light, &want);
    ok(status == POY_OK && value(ctx, &start, &p, NULL) == POY_OK, "an array and its S-matrix");
    const double off = fmax(fabs(p.transmission - want.transmission), fabs(p.reflection - want.reflection));
    ok(off < 1e-13 && fabs(p.absorption - want.absorption) < 1e-13, "have the same powers, %.1e", off);
    poy_smatrix_destroy(&s), poy_basis_destroy(&ports), poy_periodic_destroy(&array), poy_cluster_destroy(&cell);
    for (int i = 0; i < SPHERES; i++)
        poy_tmatrix_destroy(t + i);
}

/* Input i of x, and its gradient; NULL: none such. */
static double *input_of(inputs *x, poy_sphere_array_gradient *g, int i, double *slope)
{
    poy_c128 *const part = i < 4 ? (i == 1 ? &x->medium.epsilon : i == 2 ? &x->medium.mu : &x->medium.kappa) : NULL;
    const poy_medium *m = &g->spheres.medium;
    if (i == 0) {
        *slope = g->spheres.k0;
        return &x->k0;
    }
    if (part) {
        *slope = i == 1 ? m->epsilon.re : i == 2 ? m->mu.re : m->kappa.re;
        return &part->re;
    }
    i -= 4;
    if (i < SPHERES * LAYERS) {
        *slope = g->spheres.radii[i];
        return x->radii + i;
    }
    i -= SPHERES * LAYERS;
    if (i < 2 * SPHERES * LAYERS) { /* epsilon, re and im */
        const poy_c128 *e = &g->spheres.media[i / 2].epsilon;
        *slope = i % 2 ? e->im : e->re;
        return i % 2 ? &x->media[i / 2].epsilon.im : &x->media[i / 2].epsilon.re;
    }
    i -= 2 * SPHERES * LAYERS;
    if (i < 3 * SPHERES) {
        *slope = g->spheres.positions[i];
        return x->positions + i;
    }
    i -= 3 * SPHERES;
    *slope = i < 4 ? g->lattice[i] : g->kpar[i - 4];
    return i < 4 ? x->lattice + i : x->kpar + i - 4;
}

/* Central differences of four points: h^4 f''''' / 30, and 1e-15 / h of rounding. */
static void test_differences(poy_ctx *ctx)
{
    static const double steps[4] = {-2.0, -1.0, 1.0, 2.0}, weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    double radii[SPHERES * LAYERS], positions[3 * SPHERES], worst = 0.0, norm = 0.0;
    poy_medium media[SPHERES * LAYERS];
    poy_power_shares p;
    poy_sphere_array_gradient g = {.spheres = {.radii = radii, .media = media, .positions = positions}, .with_kpar = 1};
    if (!ok(value(ctx, &start, &p, &g) == POY_OK, "a gradient"))
        note("%s", poy_ctx_cause(ctx));
    for (int i = 0; i < INPUTS; i++) {
        const double h = 3e-5;
        double slope = 0.0, d = 0.0;
        for (int k = 0; k < 4; k++) {
            inputs x = start;
            *input_of(&x, &g, i, &slope) += h * steps[k];
            if (value(ctx, &x, &p, NULL) != POY_OK)
                d = 1e9;
            d += weights[k] / h * loss(&p);
        }
        norm = fmax(norm, fabs(slope));
        if (fabs(d - slope) > worst)
            worst = fabs(d - slope);
        if (fabs(d - slope) > 1e-8)
            note("input %d: %g by difference, %g", i, d, slope);
    }
    ok(worst < 1e-8 * (1.0 + norm), "by %d inputs as differences have it, %.1e of %.1e", INPUTS, worst, norm);
}

static void test_refusals(poy_ctx *ctx)
{
    inputs x = start;
    poy_power_shares p;
    x.medium.epsilon.im = 0.1;
    ok(value(ctx, &x, &p, NULL) == POY_ERR_UNSUPPORTED, "no powers in a host that absorbs");
    double radii[SPHERES * LAYERS], positions[3 * SPHERES];
    poy_medium media[SPHERES * LAYERS];
    poy_sphere_array_gradient g = {.spheres = {.radii = radii, .media = media, .positions = positions}, .with_kpar = 1};
    x = start;
    x.kpar[0] = x.kpar[1] = 0.0;
    ok(value(ctx, &x, &p, &g) == POY_ERR_NOT_DIFFERENTIABLE, "none by kpar at normal incidence");
    g.with_kpar = 0;
    ok(value(ctx, &x, &p, &g) == POY_OK, "but by all else");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_published(ctx);
    test_values(ctx);
    test_differences(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

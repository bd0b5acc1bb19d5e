/* test_cluster.c: laws of T-matrices and clusters on random problems, the two routes of solution against each other, and what
 * bad input gets. */
#include "scatter/cluster/cluster.h"

#include "wave_fixture.h"

static const poy_embedding water = {1.7, {{1.77, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};

static double between(double low, double high)
{
    return low + 0.5 * (high - low) * (draw() + 1.0);
}

/* Spheres of one or two layers on a jittered grid, with loss up to this, and chirality. */
static poy_cluster *random_cluster(poy_ctx *ctx, const poy_embedding *e, size_t n, int lmax, double loss, double kappa)
{
    poy_tmatrix *t[32] = {NULL};
    double positions[3 * 32];
    poy_cluster *c = NULL;
    int good = 1;
    for (size_t i = 0; i < n; i++) {
        const double radii[2] = {between(0.1, 0.25), between(0.26, 0.4)};
        poy_medium media[2];
        for (int j = 0; j < 2; j++)
            media[j] = (poy_medium){
                {between(1.2, 6.0), between(0.0, loss)}, {between(0.9, 1.4), 0.0}, {between(-kappa, kappa), 0.0}};
        for (size_t j = 0; j < 3; j++)
            positions[3 * i + j] = (double)(j == 0 ? i % 3 : j == 1 ? i / 3 % 3 : i / 9) + between(-0.08, 0.08);
        good &= poy_tmatrix_sphere(ctx, e, lmax, 1 + i % 2, radii, media, t + i) == POY_OK;
    }
    good &= poy_cluster_create(ctx, n, t, n, positions, &c) == POY_OK;
    if (!good)
        note("%s", poy_ctx_message(ctx));
    for (size_t i = 0; i < n; i++)
        poy_tmatrix_destroy(t + i);
    return c;
}

static double distance(size_t n, const poy_c128 *a, const poy_c128 *b)
{
    double most = 0.0, apart_by = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, hypot(b[i].re, b[i].im));
        apart_by = fmax(apart_by, hypot(a[i].re - b[i].re, a[i].im - b[i].im));
    }
    return apart_by / most;
}

/* max |T - J T^T J| / max |T|, J: m -> -m with (-1)^m; of rows over k^2, which differs between helicities */
static double asymmetry(poy_ctx *ctx, const poy_tmatrix *t)
{
    poy_c128 ks[2];
    (void)poy_medium_ks(ctx, &poy_tmatrix_embedding(t)->medium, poy_tmatrix_embedding(t)->k0, ks);
    const size_t n = poy_tmatrix_size(t);
    const poy_c128 *v = poy_tmatrix_values(t);
    poy_basis *basis = poy_tmatrix_basis(t);
    poy_c128 *other = matrix(n, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            poy_wave_mode a = poy_basis_modes(basis)[i], b = poy_basis_modes(basis)[j];
            const double complex s = ((a.m + b.m) % 2 ? -1.0 : 1.0) * cpow(poyi_c(ks[a.pol]) / poyi_c(ks[b.pol]), 2.0);
            a.m = -a.m;
            b.m = -b.m;
            const poy_c128 x = v[(size_t)poy_basis_find(basis, &b) * n + (size_t)poy_basis_find(basis, &a)];
            other[i * n + j] = poyi_pair(s * poyi_c(x));
        }
    const double d = distance(n * n, other, v);
    free(other);
    return d;
}

/* max |S^H S - 1|, S = 1 + 2 T */
static double unitarity(const poy_tmatrix *t)
{
    const size_t n = poy_tmatrix_size(t);
    const poy_c128 *v = poy_tmatrix_values(t);
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double complex sum = 0.0;
            for (size_t k = 0; k < n; k++)
                sum += conj((k == i) + 2.0 * poyi_c(v[k * n + i])) * ((k == j) + 2.0 * poyi_c(v[k * n + j]));
            worst = fmax(worst, cabs(sum - (i == j)));
        }
    return worst;
}

static void test_routes(poy_ctx *ctx)
{
    const poy_embedding parity = {1.7, {{1.77, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_PARITY}, *const es[] = {
                                                                                               &water, &parity, &chiral,
                                                                                               &lossy_parity};
    for (int trial = 0; trial < 8; trial++) {
        const poy_embedding *e = es[trial % 4];
        poy_cluster *c = random_cluster(ctx, e, 5 + (size_t)trial, 3, 0.5, trial == 4 ? 0.2 : 0.0);
        poy_tmatrix *x[2] = {NULL, NULL};
        poy_factor *f[2] = {NULL, NULL};
        int good = poyi_cluster_solve(ctx, c, POYI_ROUTE_AUTOMATIC, x) == POY_OK &&
                   poyi_cluster_solve(ctx, c, POYI_ROUTE_GENERAL, x + 1) == POY_OK &&
                   poyi_factor_create(ctx, c, POYI_ROUTE_AUTOMATIC, NULL, f) == POY_OK &&
                   poyi_factor_create(ctx, c, POYI_ROUTE_GENERAL, NULL, f + 1) == POY_OK;
        if (!ok(good, "two routes: %s", good ? "solved" : poy_ctx_message(ctx)))
            continue;
        const size_t n = poy_tmatrix_size(x[0]);
        const double whole = distance(n * n, poy_tmatrix_values(x[0]), poy_tmatrix_values(x[1]));
        poy_c128 *a = draw_coefficients(2 * n), *want = matrix(n, 2), *got = matrix(n, 2), *ah = matrix(n, n);
        double worst = 0.0;
        multiply(n, n, 2, poy_tmatrix_values(x[1]), a, want);
        for (int route = 0; route < 2; route++) {
            good &= poyi_factor_apply(ctx, f[route], 0, 2, a, got) == POY_OK;
            worst = fmax(worst, distance(2 * n, got, want));
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                ah[i * n + j] = poyi_pair(conj(poyi_c(poy_tmatrix_values(x[1])[j * n + i])));
        multiply(n, n, 2, ah, a, want);
        for (int route = 0; route < 2; route++) {
            good &= poyi_factor_apply(ctx, f[route], 1, 2, a, got) == POY_OK;
            worst = fmax(worst, distance(2 * n, got, want));
        }
        ok(good && whole < 1e-12 && worst < 1e-12, "symmetric and general (%s), factors and whole agree: %.1e, %.1e",
           f[0] && f[0]->route == POYI_ROUTE_SYMMETRIC ? "both" : "general alone", whole, worst);
        ok(asymmetry(ctx, x[0]) < 1e-12, "reciprocity: %.1e", asymmetry(ctx, x[0]));
        free(a), free(want), free(got), free(ah);
        for (int route = 0; route < 2; route++) {
            poy_tmatrix_destroy(x + route);
            poy_factor_destroy(f + route);
        }
        poy_cluster_destroy(&c);
    }
}

/* The incident field of a random plane wave in a basis. */
static void plane(poy_ctx *ctx, const poy_embedding *e, const poy_basis *basis, poy_c128 *a)
{
    poy_wave_mode mode = {.pol = draw() > 0.0, .q = {{draw(), 0.0}, {draw(), 0.0}, {draw(), 0.0}}};
    poy_basis *wave = NULL;
    if (poy_basis_pw_create(ctx, 1, &mode, &wave) != POY_OK ||
        poy_op_expand(ctx, e, basis, POY_REGULAR, wave, POY_UP, a) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    poy_basis_destroy(&wave);
}

static void test_energy(poy_ctx *ctx)
{
    poy_cross_sections s = {0}, all = {0};
    double lossless = 0.0, least = 1.0, whole = 0.0;
    int good = 1;
    for (int trial = 0; trial < 6; trial++) {
        poy_cluster *c = random_cluster(ctx, &water, 4, 4, trial % 2 ? 0.4 : 0.0, 0.0);
        poy_tmatrix *x = NULL, *global = NULL;
        poy_basis *basis = NULL;
        const double center[3] = {0.75, 0.25, 0.0};
        good &= poy_cluster_solve(ctx, c, &x) == POY_OK && poy_basis_sw_default(ctx, 14, 1, center, &basis) == POY_OK &&
                poy_tmatrix_in_basis(ctx, x, basis, &global) == POY_OK;
        poy_c128 *a = matrix(poy_tmatrix_size(x), 1), *b = matrix(poy_basis_size(basis), 1);
        const uint64_t here = fixture_counter;
        plane(ctx, &water, poy_cluster_basis(c), a);
        fixture_counter = here;
        plane(ctx, &water, basis, b);
        good &= poy_tmatrix_cross_sections(ctx, x, a, 0.5, &s) == POY_OK &&
                poy_tmatrix_cross_sections(ctx, global, b, 0.5, &all) == POY_OK;
        if (trial % 2)
            least = fmin(least, s.absorption / s.extinction);
        else
            lossless = fmax(lossless, fabs(s.absorption) / s.extinction);
        whole = fmax(whole, fmax(fabs(all.extinction / s.extinction - 1.0), fabs(all.scattering / s.scattering - 1.0)));
        if (trial == 0)
            ok(unitarity(global) < 1e-9, "1 + 2 T of a lossless cluster about one origin is unitary: %.1e",
               unitarity(global));
        free(a), free(b);
        poy_tmatrix_destroy(&x);
        poy_tmatrix_destroy(&global);
        poy_basis_destroy(&basis);
        poy_cluster_destroy(&c);
    }
    /* each particle's own expansion ends at lmax: energy is kept of what there is */
    ok(good && lossless < 1e-13, "optical theorem without loss: %.1e", lossless);
    ok(least > 0.0, "with loss absorption is above 0: %.2g of the extinction", least);
    ok(whole < 1e-9, "the same cross sections about one origin: %.1e", whole);
}

static void test_transforms(poy_ctx *ctx)
{
    const double r[3] = {0.05, -0.08, 0.1}, back[3] = {-0.05, 0.08, -0.1}, angles[3] = {0.4, 1.1, -0.7},
                 reversed[3] = {0.7, -1.1, -0.4};
    poy_cluster *c = random_cluster(ctx, &water, 2, 3, 0.3, 0.2);
    poy_tmatrix *x = NULL, *t = NULL, *u = NULL, *v = NULL;
    poy_basis *basis = NULL;
    int good = poy_cluster_solve(ctx, c, &x) == POY_OK && poy_basis_sw_default(ctx, 12, 1, NULL, &basis) == POY_OK &&
               poy_tmatrix_in_basis(ctx, x, basis, &t) == POY_OK;
    const size_t n = poy_tmatrix_size(t);
    good &= poy_tmatrix_rotate(ctx, t, angles, &u) == POY_OK && poy_tmatrix_rotate(ctx, u, reversed, &v) == POY_OK;
    ok(good && distance(n * n, poy_tmatrix_values(v), poy_tmatrix_values(t)) < 1e-13, "a rotation and back: %.1e",
       distance(n * n, poy_tmatrix_values(v), poy_tmatrix_values(t)));
    poy_cross_sections a, b;
    double db[2], chi[2];
    good = poy_tmatrix_average(ctx, t, &a) == POY_OK && poy_tmatrix_average(ctx, u, &b) == POY_OK &&
           poy_tmatrix_duality_breaking(ctx, t, db) == POY_OK &&
           poy_tmatrix_duality_breaking(ctx, u, db + 1) == POY_OK &&
           poy_tmatrix_electromagnetic_chirality(ctx, t, chi) == POY_OK &&
           poy_tmatrix_electromagnetic_chirality(ctx, u, chi + 1) == POY_OK;
    ok(good && fabs(a.extinction / b.extinction - 1.0) < 1e-13 && fabs(db[0] - db[1]) < 1e-13 &&
           fabs(chi[0] - chi[1]) < 1e-12,
       "means and measures do not depend on the orientation");
    poy_tmatrix_destroy(&u);
    poy_tmatrix_destroy(&v);
    good = poy_tmatrix_translate(ctx, t, r, &u) == POY_OK && poy_tmatrix_translate(ctx, u, back, &v) == POY_OK;
    /* waves of degrees above 12 are lost on the way: (k |r|)^l of the highest, times what T has of it */
    ok(good && distance(n * n, poy_tmatrix_values(v), poy_tmatrix_values(t)) < 1e-8, "a translation and back: %.1e",
       distance(n * n, poy_tmatrix_values(v), poy_tmatrix_values(t)));
    poy_tmatrix_destroy(&u);
    poy_tmatrix_destroy(&v);
    good = poy_tmatrix_changepoltype(ctx, t, POY_PARITY, &u) == POY_OK &&
           poy_tmatrix_changepoltype(ctx, u, POY_HELICITY, &v) == POY_OK;
    ok(good && distance(n * n, poy_tmatrix_values(v), poy_tmatrix_values(t)) < 1e-15, "parity and back");
    poy_tmatrix_destroy(&u);
    poy_tmatrix_destroy(&v);
    poy_tmatrix_destroy(&x);
    poy_tmatrix_destroy(&t);
    poy_basis_destroy(&basis);
    poy_cluster_destroy(&c);
    /* scaling, and a particle of its surroundings */
    const poy_embedding fast = {water.k0 * 1e3, water.medium, POY_HELICITY};
    const poy_medium m = {{3.0, 0.1}, {1.0, 0.0}, {0.1, 0.0}};
    const double small = 0.3e-3, large = 0.3;
    good = poy_tmatrix_sphere(ctx, &water, 5, 1, &large, &m, &t) == POY_OK &&
           poy_tmatrix_sphere(ctx, &fast, 5, 1, &small, &m, &u) == POY_OK &&
           poy_tmatrix_sphere(ctx, &water, 5, 1, &large, &water.medium, &v) == POY_OK;
    double nothing = 0.0;
    for (size_t i = 0; good && i < 70 * 70; i++)
        nothing = fmax(nothing, hypot(poy_tmatrix_values(v)[i].re, poy_tmatrix_values(v)[i].im));
    ok(good && distance(70 * 70, poy_tmatrix_values(u), poy_tmatrix_values(t)) < 1e-14, "T(r, k) = T(s r, k / s)");
    ok(good && nothing == 0.0, "a sphere of its surroundings has T = 0, exactly");
    const double positions[6] = {0.0, 0.0, 0.0, 1.0, 0.2, 0.1};
    poy_tmatrix *const both[2] = {v, t};
    good = poy_cluster_create(ctx, 2, both, 2, positions, &c) == POY_OK && poy_cluster_solve(ctx, c, &x) == POY_OK;
    double beyond = 0.0;
    for (size_t i = 0; good && i < 140 * 140; i++) {
        const poy_c128 z = poy_tmatrix_values(x)[i];
        const size_t row = i / 140, col = i % 140;
        const poy_c128 want =
            row >= 70 && col >= 70 ? poy_tmatrix_values(t)[(row - 70) * 70 + col - 70] : (poy_c128){0.0, 0.0};
        beyond = fmax(beyond, hypot(z.re - want.re, z.im - want.im));
    }
    ok(good && beyond < 1e-16, "beside one that does not scatter a particle is alone: %.1e", beyond);
    poy_tmatrix_destroy(&x);
    poy_tmatrix_destroy(&t);
    poy_tmatrix_destroy(&u);
    poy_tmatrix_destroy(&v);
    poy_cluster_destroy(&c);
}

/* A cluster that is turned and moved as a whole: its T-matrix about the moved origin is R T R^-1, and light that is turned with it
 * meets the same cross sections. */
static void test_covariance(poy_ctx *ctx)
{
    const double angles[3] = {0.7, 1.2, -0.4}, shift[3] = {0.3, -0.2, 0.5}, radii[3] = {0.3, 0.25, 0.2},
                 places[9] = {0.0, 0.0, 0.0, 0.7, 0.1, 0.0, 0.2, 0.6, 0.3};
    const double c[3] = {cos(angles[0]), cos(angles[1]), cos(angles[2])},
                 s[3] = {sin(angles[0]), sin(angles[1]), sin(angles[2])};
    const double turn[9] = {c[0] * c[1] * c[2] - s[0] * s[2],
                            -c[0] * c[1] * s[2] - s[0] * c[2],
                            c[0] * s[1],
                            s[0] * c[1] * c[2] + c[0] * s[2],
                            -s[0] * c[1] * s[2] + c[0] * c[2],
                            s[0] * s[1],
                            -s[1] * c[2],
                            s[1] * s[2],
                            c[1]};
    const poy_medium m = {{3.0, 0.2}, {1.0, 0.0}, {0.15, 0.0}};
    const double d[3] = {0.48, -0.6, 0.64};
    poy_tmatrix *t[3] = {NULL}, *x[2] = {NULL}, *global[2] = {NULL}, *turned = NULL;
    poy_cross_sections cross[2];
    double positions[2][9];
    int good = 1;
    for (size_t i = 0; i < 9; i++) {
        positions[0][i] = places[i];
        positions[1][i] = shift[i % 3];
        for (size_t j = 0; j < 3; j++)
            positions[1][i] += turn[3 * (i % 3) + j] * places[i / 3 * 3 + j];
    }
    for (size_t i = 0; i < 3; i++)
        good &= poy_tmatrix_sphere(ctx, &water, 4, 1, radii + i, &m, t + i) == POY_OK;
    for (int k = 0; k < 2 && good; k++) {
        poy_cluster *cluster = NULL;
        poy_basis *basis = NULL, *wave = NULL;
        poy_c128 q[3];
        for (size_t i = 0; i < 3; i++)
            q[i] = (poy_c128){k ? turn[3 * i] * d[0] + turn[3 * i + 1] * d[1] + turn[3 * i + 2] * d[2] : d[i], 0.0};
        good &= poy_cluster_create(ctx, 3, t, 3, positions[k], &cluster) == POY_OK &&
                poy_cluster_solve(ctx, cluster, x + k) == POY_OK &&
                poy_basis_sw_default(ctx, 9, 1, k ? shift : NULL, &basis) == POY_OK &&
                poy_tmatrix_in_basis(ctx, x[k], basis, global + k) == POY_OK &&
                poy_basis_pw_default(ctx, 1, q, &wave) == POY_OK;
        const size_t n = good ? poy_tmatrix_size(x[k]) : 0;
        poy_c128 *columns = matrix(n, 2), *a = matrix(n, 1);
        good = good &&
               poy_op_expand(ctx, &water, poy_tmatrix_basis(x[k]), POY_REGULAR, wave, POY_REGULAR, columns) == POY_OK;
        for (size_t i = 0; i < n; i++)
            a[i] = columns[2 * i]; /* positive helicity: turned light differs by a phase alone */
        good = good && poy_tmatrix_cross_sections(ctx, x[k], a, 0.5, cross + k) == POY_OK;
        free(columns), free(a);
        poy_cluster_destroy(&cluster);
        poy_basis_destroy(&basis);
        poy_basis_destroy(&wave);
    }
    good = good && poy_tmatrix_rotate(ctx, global[0], angles, &turned) == POY_OK;
    if (!good)
        note("%s", poy_ctx_message(ctx));
    const size_t size = good ? poy_tmatrix_size(turned) : 0;
    const double apart_by =
        good ? distance(size * size, poy_tmatrix_values(turned), poy_tmatrix_values(global[1])) : 1.0;
    ok(good && apart_by < 1e-13, "a cluster turned and moved as a whole is R T R^-1: %.1e", apart_by);
    ok(good && fabs(cross[1].extinction / cross[0].extinction - 1.0) < 1e-13 &&
           fabs(cross[1].scattering / cross[0].scattering - 1.0) < 1e-13,
       "and in light turned with it has the same cross sections: %.1e",
       cross[1].extinction / cross[0].extinction - 1.0);
    for (int i = 0; i < 3; i++)
        poy_tmatrix_destroy(t + i);
    for (int i = 0; i < 2; i++) {
        poy_tmatrix_destroy(x + i);
        poy_tmatrix_destroy(global + i);
    }
    poy_tmatrix_destroy(&turned);
}

static void test_threads(void)
{
    poy_c128 *values[2] = {NULL, NULL};
    size_t n = 0;
    for (int run = 0; run < 2; run++) {
        poy_ctx *ctx = NULL;
        poy_tmatrix *x = NULL;
        fixture_counter = 12345;
        if (poy_ctx_create(&ctx) != POY_OK)
            return;
        poy_ctx_set_threads(ctx, run ? 4 : 1);
        poy_cluster *c = random_cluster(ctx, &water, 12, 3, 0.2, 0.0);
        if (poy_cluster_solve(ctx, c, &x) == POY_OK) {
            n = poy_tmatrix_size(x);
            values[run] = matrix(n, n);
            memcpy(values[run], poy_tmatrix_values(x), n * n * sizeof(poy_c128));
        }
        poy_tmatrix_destroy(&x);
        poy_cluster_destroy(&c);
        poy_ctx_destroy(&ctx);
    }
    ok(values[0] && values[1] && memcmp(values[0], values[1], n * n * sizeof(poy_c128)) == 0,
       "a cluster has the same bits for every number of threads");
    free(values[0]), free(values[1]);
}

static void test_iteration(poy_ctx *ctx)
{
    const poy_embedding parity = {1.7, {{1.77, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_PARITY}, *const es[] = {&water,
                                                                                                          &parity,
                                                                                                          &chiral};
    for (int trial = 0; trial < 3; trial++) {
        poy_cluster *c = random_cluster(ctx, es[trial], 11, 2 + trial, 0.4, 0.1 * (trial == 2));
        poy_iteration o;
        poy_convergence convergence[2];
        const size_t n = poy_basis_size(poy_cluster_basis(c));
        poy_c128 *a = draw_coefficients(2 * n), *want = matrix(n, 2), *got = matrix(n, 2);
        poy_iteration_init(&o);
        o.rtol = 1e-12;
        const int good = poy_cluster_scatter(ctx, c, 2, a, want) == POY_OK &&
                         poy_cluster_iterate(ctx, c, &o, 2, a, got, convergence) == POY_OK;
        /* the residual times the condition of 1 - T C, some tens */
        const double apart_by = distance(2 * n, got, want);
        ok(good && convergence[0].converged && convergence[1].converged && apart_by < 1e-10,
           "by iteration: %.1e after %d and %d", apart_by, convergence[0].iterations, convergence[1].iterations);
        if (!good)
            note("%s", poy_ctx_message(ctx));
        o.max_iterations = o.restart = 2;
        const poy_status few = poy_cluster_iterate(ctx, c, &o, 1, a, got, convergence);
        ok(few == POY_OK && !convergence[0].converged && convergence[0].iterations == 2 &&
               convergence[0].residual > o.rtol * convergence[0].rhs,
           "too few iterations: not converged, residual %.1e of %.1e", convergence[0].residual, convergence[0].rhs);
        o.rtol = 0.0;
        ok(poy_cluster_iterate(ctx, c, &o, 1, a, got, convergence) == POY_ERR_ARGUMENT, "rtol 0");
        free(a), free(want), free(got);
        poy_cluster_destroy(&c);
    }
}

static int refused(poy_ctx *ctx, poy_status got, poy_status want, const char *word)
{
    const int good = got == want && strstr(poy_ctx_message(ctx), word);
    if (!good)
        note("status %d: %s", (int)got, poy_ctx_message(ctx));
    return good;
}

static void test_refusals(poy_ctx *ctx)
{
    const poy_medium m = poy_medium_dielectric((poy_c128){4.0, 0.0});
    const poy_embedding bad = {-1.0, water.medium, POY_HELICITY}, other = {1.8, water.medium, POY_HELICITY},
                        lossy = {1.7, {{1.77, 0.1}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY},
                        handed = {1.7, {{1.77, 0.0}, {1.0, 0.0}, {0.1, 0.0}}, POY_PARITY};
    const double radius = 0.3, nan_radius = (double)NAN, far[6] = {0.0, 0.0, 0.0, 2.0, 0.0, 0.0},
                 same[6] = {1.0, 2.0, 3.0, 1.0, 2.0, 3.0}, near[6] = {0.0, 0.0, 0.0, 0.3, 0.0, 0.0};
    poy_tmatrix *t[2] = {NULL, NULL}, *x = NULL;
    poy_cluster *c = NULL;
    poy_cross_sections s;
    poy_c128 values[64] = {{0}};
    double number;
    ok(refused(ctx, poy_tmatrix_sphere(ctx, &water, 0, 1, &radius, &m, &x), POY_ERR_ARGUMENT, "lmax = 0") && !x,
       "lmax 0");
    ok(refused(ctx, poy_tmatrix_sphere(ctx, &water, 129, 1, &radius, &m, &x), POY_ERR_ARGUMENT, "129"), "lmax 129");
    ok(refused(ctx, poy_tmatrix_sphere(ctx, &bad, 1, 1, &radius, &m, &x), POY_ERR_ARGUMENT, "k0 = -1"), "k0 below 0");
    ok(refused(ctx, poy_tmatrix_sphere(ctx, &water, 1, 1, &nan_radius, &m, &x), POY_ERR_ARGUMENT, "x[0]"),
       "a radius that is not a number");
    ok(refused(ctx, poy_tmatrix_sphere(ctx, &handed, 1, 1, &radius, &m, &x), POY_ERR_UNSUPPORTED, "kappa"),
       "parity in a chiral medium");
    ok(refused(ctx, poy_tmatrix_create(ctx, &water, NULL, 6, 5, values, &x), POY_ERR_ARGUMENT, "6 x 5"),
       "a matrix that is not square");
    ok(refused(ctx, poy_tmatrix_create(ctx, &water, NULL, 7, 7, values, &x), POY_ERR_ARGUMENT, "7 modes"),
       "no complete basis");
    ok(poy_tmatrix_sphere(ctx, &water, 2, 1, &radius, &m, t) == POY_OK &&
           poy_tmatrix_sphere(ctx, &other, 2, 1, &radius, &m, t + 1) == POY_OK,
       "two spheres");
    ok(refused(ctx, poy_cluster_create(ctx, 2, t, 2, far, &c), POY_ERR_ARGUMENT, "another k0") && !c, "mixed k0");
    poy_tmatrix *const twice[2] = {t[0], t[0]};
    ok(refused(ctx, poy_cluster_create(ctx, 2, twice, 2, same, &c), POY_ERR_ARGUMENT, "one centre"),
       "coincident particles");
    ok(refused(ctx, poy_cluster_create(ctx, 2, twice, 1, far, &c), POY_ERR_ARGUMENT, "2 T-matrices at 1 positions"),
       "a position short");
    ok(poy_cluster_create(ctx, 2, twice, 2, near, &c) == POY_OK && poy_cluster_solve(ctx, c, &x) == POY_OK,
       "overlapping spheres are legal");
    ok(refused(ctx, poy_tmatrix_average(ctx, x, &s), POY_ERR_UNSUPPORTED, "several origins"),
       "means of several origins");
    poy_tmatrix *const nested[1] = {x};
    poy_cluster *outer = NULL;
    ok(refused(ctx, poy_cluster_create(ctx, 1, nested, 1, far, &outer), POY_ERR_ARGUMENT, "several origins"),
       "a cluster of clusters");
    ok(refused(ctx, poy_tmatrix_cross_sections(ctx, t[0], values, 0.0, &s), POY_ERR_ARGUMENT, "flux"), "no flux");
    poy_tmatrix_destroy(t + 1);
    ok(poy_tmatrix_sphere(ctx, &lossy, 2, 1, &radius, &m, t + 1) == POY_OK &&
           refused(ctx, poy_tmatrix_cross_sections(ctx, t[1], values, 0.5, &s), POY_ERR_UNSUPPORTED, "no far field"),
       "cross sections in an absorbing medium");
    poy_tmatrix_destroy(t + 1);
    ok(poy_tmatrix_changepoltype(ctx, t[0], POY_PARITY, t + 1) == POY_OK &&
           refused(ctx, poy_tmatrix_duality_breaking(ctx, t[1], &number), POY_ERR_UNSUPPORTED, "parity"),
       "duality breaking of parity");
    const double points[6] = {0.0, 0.0, 0.31, 0.0, 0.2, 0.2};
    unsigned char valid[2];
    ok(poy_basis_valid_points(ctx, poy_tmatrix_basis(t[0]), &radius, 2, points, valid) == POY_OK && valid[0] == 1 &&
           valid[1] == 0,
       "valid points");
    poy_tmatrix_destroy(t);
    poy_tmatrix_destroy(t + 1);
    poy_tmatrix_destroy(&x);
    poy_cluster_destroy(&c);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_routes(ctx);
    test_energy(ctx);
    test_transforms(ctx);
    test_covariance(ctx);
    test_iteration(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    test_threads();
    return tap_done();
}

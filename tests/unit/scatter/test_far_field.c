/* test_far_field.c: far fields against fields far away, the optical theorem and integrals over all directions; forces and
 * torques against efficiencies, momentum and spin that is absorbed. */
#include "math/math.h"
#include "poynting/farfield.h"
#include "poynting/particle.h"
#include "scatter/cluster/cluster.h"
#include "wave_fixture.h"

static const double pi = 3.14159265358979323846;
static const poy_embedding water = {1.7, {{1.77, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
static const poy_embedding water_parity = {1.7, {{1.77, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_PARITY};

enum { N = 3, LMAX = 7 };

/* Three spheres, excited by a plane wave, and what they scatter. */
typedef struct scene {
    poy_cluster *cluster;
    poy_basis *basis;
    size_t size;
    poy_c128 *a, *p;
    double direction[3];
    int pol;
} scene;

static int incident(poy_ctx *ctx, const poy_embedding *e, const poy_basis *basis, const double *direction, int pol,
                    poy_c128 *a)
{
    poy_wave_mode mode = {.pol = pol};
    poy_basis *wave = NULL;
    for (int i = 0; i < 3; i++)
        mode.q[i].re = direction[i];
    const int good = poy_basis_pw_create(ctx, 1, &mode, &wave) == POY_OK &&
                     poy_op_expand(ctx, e, basis, POY_REGULAR, wave, POY_UP, a) == POY_OK;
    poy_basis_destroy(&wave);
    return good;
}

static scene make_scene(poy_ctx *ctx, const poy_embedding *e, double loss)
{
    scene s = {.direction = {draw(), draw(), draw()}, .pol = draw() > 0.0};
    const double positions[3 * N] = {0.0, 0.0, 0.0, 0.7, 0.1, 0.2, -0.1, 0.8, -0.3};
    poy_tmatrix *t[N] = {NULL};
    int good = 1;
    for (int i = 0; i < N; i++) {
        const double radius = 0.25 + 0.05 * draw();
        const poy_medium m = {{4.0 + draw(), loss}, {1.0, 0.0}, {0.0, 0.0}};
        good &= poy_tmatrix_sphere(ctx, e, LMAX, 1, &radius, &m, t + i) == POY_OK;
    }
    good &= poy_cluster_create(ctx, N, t, N, positions, &s.cluster) == POY_OK;
    s.basis = poy_cluster_basis(s.cluster);
    s.size = poy_basis_size(s.basis);
    s.a = matrix(s.size, 1);
    s.p = matrix(s.size, 1);
    good &= incident(ctx, e, s.basis, s.direction, s.pol, s.a) &&
            poy_cluster_scatter(ctx, s.cluster, 1, s.a, s.p) == POY_OK;
    for (int i = 0; i < N; i++)
        poy_tmatrix_destroy(t + i);
    if (!good)
        note("%s", poy_ctx_message(ctx));
    return s;
}

static void end_scene(scene *s)
{
    free(s->a), free(s->p);
    poy_cluster_destroy(&s->cluster);
}

/* E of far amplitudes along a unit direction. */
static poy_status far_vector(poy_ctx *ctx, poy_poltype poltype, const double *d, const poy_c128 f[2], poy_c128 e[3])
{
    poy_c128 k[3], w[3];
    const double zero = 0.0;
    for (int i = 0; i < 3; i++) {
        k[i] = (poy_c128){d[i], 0.0};
        e[i] = (poy_c128){0.0, 0.0};
    }
    for (int64_t pol = 0; pol < 2; pol++) {
        const poy_status status = poltype == POY_HELICITY
                                      ? poy_sf_vpw_A(ctx, 1, k, k + 1, k + 2, &zero, &zero, &zero, &pol, w)
                                  : pol ? poy_sf_vpw_N(ctx, 1, k, k + 1, k + 2, &zero, &zero, &zero, w)
                                        : poy_sf_vpw_M(ctx, 1, k, k + 1, k + 2, &zero, &zero, &zero, w);
        if (status != POY_OK)
            return status;
        for (int i = 0; i < 3; i++)
            e[i] = poyi_pair(poyi_c(e[i]) + poyi_c(f[pol]) * poyi_c(w[i]));
    }
    return POY_OK;
}

static void test_far_field(poy_ctx *ctx)
{
    for (int which = 0; which < 2; which++) {
        const poy_embedding *e = which ? &water_parity : &water;
        scene s = make_scene(ctx, e, 0.2);
        poy_c128 ks[2], f[2], far[3], near[3];
        double d[3] = {draw(), draw(), draw()}, length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), error[2];
        int good = poy_medium_ks(ctx, &e->medium, e->k0, ks) == POY_OK;
        for (int i = 0; i < 3; i++)
            d[i] /= length;
        good &=
            poy_far_field(ctx, e, s.basis, s.p, 1, d, f) == POY_OK && far_vector(ctx, e->poltype, d, f, far) == POY_OK;
        for (int step = 0; step < 2; step++) { /* the difference falls as 1 / r */
            const double r = step ? 2e5 : 1e5, point[3] = {r * d[0], r * d[1], r * d[2]};
            const double complex phase = cexp(CMPLX(0.0, ks[0].re * r)) / r;
            double worst = 0.0, most = 0.0;
            good &= poy_wave_sample(ctx, e, s.basis, POY_SINGULAR, s.p, POY_WAVE_E, 0, 1, point, near) == POY_OK;
            for (int i = 0; i < 3; i++) {
                worst = fmax(worst, cabs(poyi_c(near[i]) / phase - poyi_c(far[i])));
                most = fmax(most, cabs(poyi_c(far[i])));
            }
            error[step] = worst / most;
        }
        ok(good && error[0] < 1e-4 && fabs(error[1] / error[0] - 0.5) < 0.01,
           "far field as the limit of the field: %.1e, %.1e", error[0], error[1]);
        /* optical theorem: 4 pi / k Im of the forward amplitude of the same pol */
        poy_cross_sections x;
        good = poy_scattered_cross_sections(ctx, e, s.basis, s.a, s.p, 0.5, &x) == POY_OK &&
               poy_far_field(ctx, e, s.basis, s.p, 1, s.direction, f) == POY_OK;
        const double forward = 4.0 * pi / ks[0].re * f[s.pol].im;
        ok(good && fabs(forward / x.extinction - 1.0) < 1e-13, "optical theorem: %.1e", forward / x.extinction - 1.0);
        end_scene(&s);
    }
}

/* Nodes over all directions; exact for degrees below 2 NODES. */
enum { NODES = 16, DIRECTIONS = 2 * NODES * NODES };

static void sphere_rule(poy_ctx *ctx, double *directions, double *weight)
{
    double x[NODES], w[NODES];
    if (poyi_gauss_legendre(ctx, NODES, x, w) != POY_OK)
        return;
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < 2 * NODES; j++) {
            const double phi = pi * (j + 0.3) / NODES, sine = sqrt(1.0 - x[i] * x[i]);
            double *d = directions + 3 * (2 * NODES * i + j);
            d[0] = sine * cos(phi), d[1] = sine * sin(phi), d[2] = x[i];
            weight[2 * NODES * i + j] = w[i] * pi / NODES;
        }
}

static void test_integrals(poy_ctx *ctx)
{
    static double directions[3 * DIRECTIONS], weight[DIRECTIONS], stokes[4 * DIRECTIONS], m[16 * DIRECTIONS];
    static poy_c128 f[2 * DIRECTIONS];
    scene s = make_scene(ctx, &water, 0.3);
    poy_cross_sections x;
    double sum = 0.0, mean[3] = {0.0, 0.0, 0.0}, worst = 0.0, degree = 0.0;
    sphere_rule(ctx, directions, weight);
    int good = poy_far_field(ctx, &water, s.basis, s.p, DIRECTIONS, directions, f) == POY_OK &&
               poy_stokes(ctx, POY_HELICITY, DIRECTIONS, f, stokes) == POY_OK &&
               poy_scattered_cross_sections(ctx, &water, s.basis, s.a, s.p, 0.5, &x) == POY_OK &&
               poy_cluster_mueller(ctx, s.cluster, s.direction, DIRECTIONS, directions, m) == POY_OK;
    for (int i = 0; i < DIRECTIONS; i++) {
        sum += weight[i] * stokes[4 * i];
        for (int j = 0; j < 3; j++)
            mean[j] += weight[i] * stokes[4 * i] * directions[3 * i + j];
        /* helicity +-1 is (1, 0, 0, +-1) */
        for (int j = 0; j < 4; j++)
            worst =
                fmax(worst, fabs(m[16 * i + 4 * j] + (s.pol ? 1.0 : -1.0) * m[16 * i + 4 * j + 3] - stokes[4 * i + j]));
        degree = fmax(degree, fabs(stokes[4 * i] * stokes[4 * i] - stokes[4 * i + 1] * stokes[4 * i + 1] -
                                   stokes[4 * i + 2] * stokes[4 * i + 2] - stokes[4 * i + 3] * stokes[4 * i + 3]));
    }
    ok(good && fabs(sum / x.scattering - 1.0) < 1e-12, "the far field carries the scattering cross section: %.1e",
       sum / x.scattering - 1.0);
    ok(worst < 1e-14 * sum && degree < 1e-14 * sum * sum,
       "Stokes parameters by the Mueller matrix: %.1e; a pure state stays pure: %.1e", worst, degree);
    /* about one origin: the mean direction, and the force on the whole */
    poy_tmatrix *t = NULL, *all = NULL;
    poy_basis *basis = NULL;
    good = poy_cluster_solve(ctx, s.cluster, &t) == POY_OK &&
           poy_basis_sw_default(ctx, 16, 1, NULL, &basis) == POY_OK &&
           poy_tmatrix_in_basis(ctx, t, basis, &all) == POY_OK;
    const size_t n = poy_basis_size(basis);
    poy_c128 *a = matrix(n, 1), *p = matrix(n, 1), *exciting = matrix(s.size, 1);
    double g[3], force[3], torque[3], parts[3 * N], turns[3 * N], total[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 0.0};
    good &= incident(ctx, &water, basis, s.direction, s.pol, a);
    multiply(n, n, 1, poy_tmatrix_values(all), a, p);
    good &= poy_scattered_asymmetry(ctx, &water, basis, p, g) == POY_OK &&
            poy_scattered_forces(ctx, &water, basis, a, p, force, torque) == POY_OK &&
            poy_cluster_exciting(ctx, s.cluster, s.a, s.p, exciting) == POY_OK &&
            poy_scattered_forces(ctx, &water, s.basis, exciting, s.p, parts, turns) == POY_OK;
    const double *at = poy_basis_positions(s.basis),
                 length = sqrt(s.direction[0] * s.direction[0] + s.direction[1] * s.direction[1] +
                               s.direction[2] * s.direction[2]);
    double by_g = 0.0, by_force = 0.0, by_parts = 0.0, by_turns = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 3; j++) {
            const int u = (j + 1) % 3, v = (j + 2) % 3;
            total[j] += parts[3 * i + j];
            turn[j] += turns[3 * i + j] + at[3 * i + u] * parts[3 * i + v] - at[3 * i + v] * parts[3 * i + u];
        }
    for (int j = 0; j < 3; j++) {
        const double want = x.extinction * s.direction[j] / length - mean[j];
        by_g = fmax(by_g, fabs(g[j] - mean[j] / sum));
        by_force = fmax(by_force, fabs(force[j] - want));
        by_parts = fmax(by_parts, fabs(total[j] - want));
        by_turns = fmax(by_turns, fabs(turn[j] - torque[j]));
    }
    /* about one origin degrees above 16 are lost, (0.85 k)^17 / 33!! */
    ok(good && by_g < 1e-9, "asymmetry parameter against the integral: %.1e", by_g);
    ok(by_force < 1e-9 * x.extinction, "force: extinction along the wave less what is scattered: %.1e", by_force);
    /* a particle feels degree lmax + 1 of what excites it, too: about (radius / distance)^(2 lmax) */
    const double bar = pow(0.3 / 0.7, 2.0 * LMAX) * x.extinction;
    ok(by_parts < bar, "the forces on the particles are that on the whole: %.1e", by_parts);
    ok(by_turns < bar, "so are torques and moments of forces: %.1e", by_turns);
    free(a), free(p), free(exciting);
    poy_tmatrix_destroy(&t);
    poy_tmatrix_destroy(&all);
    poy_basis_destroy(&basis);
    end_scene(&s);
}

static void test_sphere(poy_ctx *ctx)
{
    const double radius = 0.9, z[3] = {0.0, 0.0, 1.0};
    const poy_medium m = {{2.6, 0.2}, {1.0, 0.0}, {0.0, 0.0}};
    const poy_c128 epsilon[2] = {m.epsilon, water.medium.epsilon}, mu[2] = {m.mu, m.mu}, kappa[2] = {m.kappa, m.kappa};
    const double x = water.k0 * radius, area = pi * radius * radius, k = water.k0 * sqrt(water.medium.epsilon.re);
    poy_sphere_efficiency q;
    poy_tmatrix *t = NULL;
    int good = poy_sphere_efficiencies(ctx, 1, 0, 1, &x, epsilon, mu, kappa, &q) == POY_OK &&
               poy_tmatrix_sphere(ctx, &water, 14, 1, &radius, &m, &t) == POY_OK;
    const size_t n = poy_tmatrix_size(t);
    poy_c128 *a = matrix(n, 1), *p = matrix(n, 1);
    for (int pol = 0; pol < 2; pol++) {
        double force[3], torque[3];
        good &= incident(ctx, &water, poy_tmatrix_basis(t), z, pol, a);
        multiply(n, n, 1, poy_tmatrix_values(t), a, p);
        good &= poy_scattered_forces(ctx, &water, poy_tmatrix_basis(t), a, p, force, torque) == POY_OK;
        const double want = area * (q.extinction - q.asymmetry * q.scattering),
                     spin = (pol ? 1.0 : -1.0) * area * q.absorption / k;
        ok(good && fabs(force[2] / want - 1.0) < 1e-12 && hypot(force[0], force[1]) < 1e-14 * want,
           "radiation pressure of a sphere: extinction - g scattering: %.1e", force[2] / want - 1.0);
        ok(good && fabs(torque[2] / spin - 1.0) < 1e-12 && hypot(torque[0], torque[1]) < 1e-14 * want,
           "torque: the spin of what is absorbed: %.1e", torque[2] / spin - 1.0);
    }
    free(a), free(p);
    poy_tmatrix_destroy(&t);
}

static void test_refusals(poy_ctx *ctx)
{
    const poy_embedding lossy = {1.7, {{1.77, 0.1}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    const double kz = 0.2, nowhere[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    poy_basis *spherical = NULL, *cylindrical = NULL;
    poy_c128 a[16] = {{0}}, f[2];
    double v[3];
    ok(poy_basis_sw_default(ctx, 1, 1, NULL, &spherical) == POY_OK &&
           poy_basis_cw_default(ctx, 1, &kz, 1, 1, NULL, &cylindrical) == POY_OK,
       "bases");
    ok(poy_far_field(ctx, &lossy, spherical, a, 1, up, f) == POY_ERR_UNSUPPORTED, "no far field where it is absorbed");
    ok(poy_far_field(ctx, &water, cylindrical, a, 1, up, f) == POY_ERR_UNSUPPORTED, "cylindrical waves");
    ok(poy_far_field(ctx, &water, spherical, a, 1, nowhere, f) == POY_ERR_ARGUMENT, "no direction");
    ok(poy_scattered_forces(ctx, &lossy, spherical, a, a, v, v) == POY_ERR_UNSUPPORTED,
       "no force in an absorbing medium");
    ok(poy_scattered_asymmetry(ctx, &water, spherical, a, v) == POY_ERR_ARGUMENT,
       "nothing scattered has no mean direction");
    poy_basis_destroy(&spherical);
    poy_basis_destroy(&cylindrical);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_far_field(ctx);
    test_integrals(ctx);
    test_sphere(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* solve.c: one wavelength of a scattering recipe: the waves that every body scatters of the incident plane wave. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/scatter.h"

enum { DENSE_MAX = 150 }; /* modes up to which factors cost less than an iteration */

size_t poyi_solution_size(const poyi_scatter *s, int lmax)
{
    size_t n = 0;
    for (int i = 0; i < s->n; i++) {
        const poyi_body *b = &s->bodies[s->owner[i]];
        const size_t l = (size_t)(b->shape == POYI_SHAPE_FILE ? b->lmax : lmax > 0 ? lmax : 0);
        n += s->cylinders ? 2 * (2 * l + 1) : 2 * l * (l + 2);
    }
    return n;
}

static int is_lone_sphere(const poyi_scatter *s)
{
    return s->n == 1 && s->bodies[0].shape == POYI_SHAPE_SPHERE;
}

static int is_dense(const poyi_scatter *s, size_t n)
{
    return s->cylinders || s->solver == 1 || (s->solver == 0 && n <= DENSE_MAX);
}

double poyi_solution_bytes(const poyi_scatter *s, int lmax)
{
    const double n = (double)poyi_solution_size(s, lmax), one = n / fmax(s->n, 1), pair = 2.0 * lmax + 1;
    if (is_lone_sphere(s))
        return 16 * 6 * n;
    const double local = 16 * one * one * s->n_bodies;
    const double factors = 16 * 2 * n * n, iteration = 16 * 40 * n + 16 * pair * pair * s->n * ((s->n + 7) / 8 * 8);
    return local + 16 * 6 * n + (is_dense(s, (size_t)n) ? factors : iteration);
}

/* ---- waves ---- */

static poy_status make_wave(poy_ctx *ctx, const poyi_scatter *s, double k0, poyi_solution *x)
{
    const poy_c128 q[3] = {{s->direction[0], 0}, {s->direction[1], 0}, {s->direction[2], 0}};
    x->embedding = (poy_embedding){.k0 = k0, .poltype = POY_HELICITY};
    POYI_TRY(ctx, poyi_matter_at(ctx, &s->medium, k0, &x->embedding.medium));
    return poy_basis_pw_default(ctx, 1, q, &x->wave);
}

/* Axial wavenumbers of both helicities, which cylinders keep. */
static poy_status axial(poy_ctx *ctx, const poyi_solution *x, double kz[2], size_t *n)
{
    poy_c128 k[6];
    POYI_TRY(ctx, poy_basis_kvecs(ctx, &x->embedding, x->wave, POY_REGULAR, k));
    kz[0] = k[2].re;
    kz[1] = k[5].re;
    *n = kz[0] == kz[1] ? 1 : 2;
    if (k[2].im != 0 || k[5].im != 0)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "cylinders at oblique incidence in an absorbing medium: choose "
                         "illumination.direction across them");
    return POY_OK;
}

/* incident = the plane wave about every centre. */
static poy_status expand(poy_ctx *ctx, const poyi_scatter *s, poyi_solution *x)
{
    poy_status status;
    void *columns = NULL;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.incident", 2 * x->n * sizeof(poy_c128), &columns));
    poy_c128 *a = columns;
    POYI_TO_DONE(ctx, poy_op_expand(ctx, &x->embedding, x->basis, POY_REGULAR, x->wave, POY_REGULAR, a));
    for (size_t i = 0; i < x->n; i++) {
        const double *c1 = s->polarisation[1], *c0 = s->polarisation[0]; /* the wave has helicity 1 first */
        const poy_c128 u = a[2 * i], v = a[2 * i + 1];
        x->incident[i] = (poy_c128){u.re * c1[0] - u.im * c1[1] + v.re * c0[0] - v.im * c0[1],
                                    u.re * c1[1] + u.im * c1[0] + v.re * c0[1] + v.im * c0[0]};
    }
done:
    poyi_free(&columns);
    return status;
}

static poy_status make_room(poy_ctx *ctx, const poyi_scatter *s, poyi_solution *x)
{
    x->n = poy_basis_size(x->basis);
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.solution", 2 * x->n * sizeof(poy_c128), &x->memory));
    x->incident = x->memory;
    x->scattered = x->incident + x->n;
    return expand(ctx, s, x);
}

/* ---- one sphere: degrees do not mix, no matrix is needed ---- */

static poy_status lone_sphere(poy_ctx *ctx, const poyi_scatter *s, poyi_solution *x)
{
    poy_status status;
    const poyi_body *b = &s->bodies[0];
    const size_t layers = (size_t)b->layers;
    void *memory = NULL;
    POYI_TRY(ctx, poy_basis_sw_default(ctx, x->lmax, 1, s->positions, &x->owned));
    x->basis = x->owned;
    POYI_TRY(ctx, make_room(ctx, s, x));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.sphere",
                                 (4 * (size_t)x->lmax + 3 * (layers + 1)) * sizeof(poy_c128) + layers * sizeof(double),
                                 &memory));
    poy_c128 *c = memory, *epsilon = c + 4 * (size_t)x->lmax, *mu = epsilon + layers + 1, *kappa = mu + layers + 1;
    double *sizes = (double *)(void *)(kappa + layers + 1);
    for (size_t i = 0; i <= layers; i++) {
        poy_medium m = x->embedding.medium;
        if (i < layers) {
            POYI_TO_DONE(ctx, poyi_matter_at(ctx, &b->matter[i], x->embedding.k0, &m));
            sizes[i] = x->embedding.k0 * b->radii[i];
        }
        epsilon[i] = m.epsilon;
        mu[i] = m.mu;
        kappa[i] = m.kappa;
    }
    POYI_TO_DONE(ctx, poy_mie_table(ctx, 1, x->lmax, layers, sizes, epsilon, mu, kappa, c));
    const poy_wave_mode *modes = poy_basis_modes(x->basis);
    for (size_t i = 0; i < x->n; i += 2) /* pol 1, then pol 0 */
        for (size_t out = 0; out < 2; out++) {
            const poy_c128 *block = c + 4 * (ptrdiff_t)(modes[i].l - 1) + 2 * (1 - out), *a = x->incident + i;
            x->scattered[i + out] = (poy_c128){
                block[1].re * a[0].re - block[1].im * a[0].im + block[0].re * a[1].re - block[0].im * a[1].im,
                block[1].re * a[0].im + block[1].im * a[0].re + block[0].re * a[1].im + block[0].im * a[1].re};
        }
done:
    poyi_free(&memory);
    return status;
}

/* ---- clusters ---- */

static poy_status make_cluster(poy_ctx *ctx, const poyi_scatter *s, poyi_solution *x)
{
    poy_status status;
    double kz[2] = {0};
    size_t n_kz = 0;
    void *memory = NULL;
    const size_t n = (size_t)s->n, bodies = (size_t)s->n_bodies;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.particles", (n + bodies) * sizeof(poy_tmatrix *), &memory));
    poy_tmatrix **own = memory, **all = own + bodies;
    if (s->cylinders)
        POYI_TO_DONE(ctx, axial(ctx, x, kz, &n_kz));
    for (size_t i = 0; i < bodies; i++)
        POYI_TO_DONE(ctx, poyi_body_tmatrix(ctx, &s->bodies[i], &x->embedding, x->lmax, n_kz, kz, &own[i]));
    for (size_t i = 0; i < n; i++)
        all[i] = own[s->owner[i]];
    POYI_TO_DONE(ctx, poy_cluster_create(ctx, n, all, n, s->positions, &x->cluster));
    x->basis = poy_cluster_basis(x->cluster);
done:
    for (size_t i = 0; i < bodies; i++)
        poy_tmatrix_destroy(&own[i]);
    poyi_free(&memory);
    return status;
}

static poy_status by_factors(poy_ctx *ctx, poyi_solution *x)
{
    poy_factor *factor = NULL;
    POYI_TRY(ctx, poy_factor_create(ctx, x->cluster, &factor));
    const poy_status status = poy_factor_scatter(ctx, factor, 1, x->incident, x->scattered);
    poy_factor_destroy(&factor);
    return status;
}

/* Two digits more than are asked for; where they are not reached, what is left tells whether it will do. */
static poy_status by_iteration(poy_ctx *ctx, const poyi_scatter *s, poyi_solution *x)
{
    poy_iteration o;
    poy_convergence c;
    poy_iteration_init(&o);
    o.rtol = fmax(1e-2 * s->tol, 1e-13);
    POYI_TRY(ctx, poy_cluster_iterate(ctx, x->cluster, &o, 1, x->incident, x->scattered, &c));
    x->iterations = c.iterations;
    if (c.converged || c.residual <= s->tol * c.rhs)
        return POY_OK;
    if (s->solver == 2)
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE,
                         "numerics.solver: gmres stands at a residual of %.2g after %d iterations, %.2g is wanted: use "
                         "dense, or another lmax",
                         c.residual / c.rhs, c.iterations, o.rtol);
    x->iterations = 0;
    return by_factors(ctx, x);
}

poy_status poyi_solution_create(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, poyi_solution *x)
{
    poy_status status;
    *x = (poyi_solution){.lmax = lmax > 0 ? lmax : 0};
    POYI_TO_DONE(ctx, make_wave(ctx, s, k0, x));
    if (is_lone_sphere(s)) {
        POYI_TO_DONE(ctx, lone_sphere(ctx, s, x));
        goto done;
    }
    POYI_TO_DONE(ctx, make_cluster(ctx, s, x));
    POYI_TO_DONE(ctx, make_room(ctx, s, x));
    status = is_dense(s, x->n) ? by_factors(ctx, x) : by_iteration(ctx, s, x);
done:
    if (status != POY_OK)
        poyi_solution_fini(x);
    return status;
}

poy_status poyi_solution_basis(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, poy_basis **out)
{
    poy_status status;
    poyi_solution x = {.lmax = lmax > 0 ? lmax : 0};
    if (is_lone_sphere(s))
        return poy_basis_sw_default(ctx, lmax, 1, s->positions, out);
    POYI_TO_DONE(ctx, make_wave(ctx, s, k0, &x));
    POYI_TO_DONE(ctx, make_cluster(ctx, s, &x));
    *out = poy_basis_retain(x.basis);
done:
    poyi_solution_fini(&x);
    return status;
}

void poyi_solution_fini(poyi_solution *x)
{
    poy_cluster_destroy(&x->cluster);
    poy_basis_destroy(&x->owned);
    poy_basis_destroy(&x->wave);
    poyi_free(&x->memory);
    *x = (poyi_solution){0};
}

/* solve.c: one wavelength of a scattering recipe: the waves that every body scatters of the incident plane wave. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/scatter.h"

enum { DENSE_MAX = 150 }; /* modes up to which factors cost less than an iteration */

/* As many axial wavenumbers as lights may have: as different directions, and in a chiral medium as many again. */
static size_t axial_most(const poyi_scatter *s)
{
    size_t n = 0;
    for (int i = 0; i < s->n_lights; i++) {
        int j = 0;
        while (j < i && s->lights[j].direction[2] != s->lights[i].direction[2])
            j++;
        n += j == i ? (s->medium.constant.kappa.re != 0 && s->lights[i].direction[2] != 0 ? 2 : 1) : 0;
    }
    return n ? n : 1;
}

size_t poyi_solution_size(const poyi_scatter *s, int lmax)
{
    size_t n = 0;
    for (int i = 0; i < s->n; i++) {
        const poyi_body *b = &s->bodies[s->owner[i]];
        const size_t l = (size_t)(b->shape == POYI_SHAPE_FILE ? b->lmax : lmax > 0 ? lmax : 0);
        n += s->cylinders ? 2 * (2 * l + 1) * axial_most(s) : 2 * l * (l + 2);
    }
    return n;
}

int poyi_scatter_is_lone_sphere(const poyi_scatter *s)
{
    return s->n == 1 && s->bodies[0].shape == POYI_SHAPE_SPHERE;
}

int poyi_scatter_is_dense(const poyi_scatter *s, size_t n)
{
    return s->cylinders || s->solver == 1 || (s->solver == 0 && n <= DENSE_MAX);
}

/* ---- waves ---- */

static poy_status make_embedding(poy_ctx *ctx, const poyi_scatter *s, double k0, poyi_solution *x)
{
    x->embedding = (poy_embedding){.k0 = k0, .poltype = POY_HELICITY};
    return poyi_matter_at(ctx, &s->medium, k0, &x->embedding.medium);
}

/* Adds the axial wavenumbers of both helicities of a light that are new, as the waves of its basis have them. */
static poy_status add_axial(poy_ctx *ctx, const poyi_solution *x, const poyi_light *light, double *kz, size_t *n)
{
    const double *d = light->direction;
    const poy_c128 q[3] = {{d[0], 0}, {d[1], 0}, {d[2], 0}};
    poy_c128 k[6];
    poy_basis *wave = NULL;
    POYI_TRY(ctx, poy_basis_pw_default(ctx, 1, q, &wave));
    const poy_status status = poy_basis_kvecs(ctx, &x->embedding, wave, POY_REGULAR, k);
    poy_basis_destroy(&wave);
    if (status != POY_OK)
        return status;
    for (int pol = 0; pol < 2; pol++) {
        size_t same = 0;
        if (k[3 * pol + 2].im != 0)
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                             "cylinders at oblique incidence in an absorbing medium: choose "
                             "illumination.direction across them");
        while (same < *n && kz[same] != k[3 * pol + 2].re)
            same++;
        if (same == *n)
            kz[(*n)++] = k[3 * pol + 2].re;
    }
    return POY_OK;
}

static poy_status make_room(poy_ctx *ctx, const poyi_scatter *s, poyi_solution *x)
{
    x->n = poy_basis_size(x->basis);
    const size_t all = x->n * (size_t)s->n_lights;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.solution", 2 * all * sizeof(poy_c128), &x->memory));
    x->incident = x->memory;
    x->scattered = x->incident + all;
    for (int i = 0; i < s->n_lights; i++)
        POYI_TRY(ctx, poyi_light_expand(ctx, &x->embedding, &s->lights[i], x->basis, x->incident + (size_t)i * x->n));
    return POY_OK;
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
    for (size_t i = 0; i < x->n * (size_t)s->n_lights; i += 2) /* pol 1, then pol 0 */
        for (size_t out = 0; out < 2; out++) {
            const poy_c128 *block = c + 4 * (ptrdiff_t)(modes[i % x->n].l - 1) + 2 * (1 - out), *a = x->incident + i;
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
    size_t n_kz = 0;
    void *memory = NULL;
    const size_t n = (size_t)s->n, bodies = (size_t)s->n_bodies, lights = (size_t)s->n_lights;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.particles",
                                  (n + bodies) * sizeof(poy_tmatrix *) + 2 * lights * sizeof(double), &memory));
    poy_tmatrix **own = memory, **all = own + bodies;
    double *kz = (double *)(void *)(all + n);
    for (int i = 0; s->cylinders && i < s->n_lights; i++)
        POYI_TO_DONE(ctx, add_axial(ctx, x, &s->lights[i], kz, &n_kz));
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

/* [lights][n] as columns [n][lights], and back. */
static void transpose(size_t rows, size_t cols, const poy_c128 *a, poy_c128 *out)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            out[j * rows + i] = a[i * cols + j];
}

static poy_status by_factors(poy_ctx *ctx, const poyi_scatter *s, poyi_solution *x)
{
    poy_status status;
    poy_factor *factor = NULL;
    void *memory = NULL;
    const size_t lights = (size_t)s->n_lights;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.columns", 2 * x->n * lights * sizeof(poy_c128), &memory));
    poy_c128 *a = memory, *p = a + x->n * lights;
    transpose(lights, x->n, x->incident, a);
    POYI_TO_DONE(ctx, poy_factor_create(ctx, x->cluster, &factor));
    POYI_TO_DONE(ctx, poy_factor_scatter(ctx, factor, lights, a, p));
    transpose(x->n, lights, p, x->scattered);
done:
    poy_factor_destroy(&factor);
    poyi_free(&memory);
    return status;
}

/* Two digits more than are asked for; where they are not reached, what is left tells whether it will do. */
static poy_status by_iteration(poy_ctx *ctx, const poyi_scatter *s, poyi_solution *x)
{
    poy_iteration o;
    poy_iteration_init(&o);
    o.rtol = fmax(1e-2 * s->tol, 1e-13);
    for (size_t i = 0; i < (size_t)s->n_lights; i++) {
        poy_convergence c;
        POYI_TRY(ctx, poy_cluster_iterate(ctx, x->cluster, &o, 1, x->incident + i * x->n, x->scattered + i * x->n, &c));
        x->iterations = c.iterations > x->iterations ? c.iterations : x->iterations;
        if (c.converged || c.residual <= s->tol * c.rhs)
            continue;
        if (s->solver == 2)
            return POYI_FAIL(
                ctx, POY_ERR_NO_CONVERGENCE,
                "numerics.solver: gmres stands at a residual of %.2g after %d iterations, %.2g is wanted: use "
                "dense, or another lmax",
                c.residual / c.rhs, c.iterations, o.rtol);
        x->iterations = 0;
        POYI_TRY(ctx, poyi_scatter_give_way(ctx, s, x->lmax));
        return by_factors(ctx, s, x);
    }
    return POY_OK;
}

poy_status poyi_solution_create(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, poyi_solution *x)
{
    poy_status status;
    *x = (poyi_solution){.lmax = lmax > 0 ? lmax : 0};
    POYI_TO_DONE(ctx, make_embedding(ctx, s, k0, x));
    if (poyi_scatter_is_lone_sphere(s)) {
        POYI_TO_DONE(ctx, lone_sphere(ctx, s, x));
        goto done;
    }
    POYI_TO_DONE(ctx, make_cluster(ctx, s, x));
    POYI_TO_DONE(ctx, make_room(ctx, s, x));
    status = poyi_scatter_is_dense(s, x->n) ? by_factors(ctx, s, x) : by_iteration(ctx, s, x);
done:
    if (status != POY_OK)
        poyi_solution_fini(x);
    return status;
}

poy_status poyi_solution_basis(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, poy_basis **out)
{
    poy_status status;
    poyi_solution x = {.lmax = lmax > 0 ? lmax : 0};
    if (poyi_scatter_is_lone_sphere(s))
        return poy_basis_sw_default(ctx, lmax, 1, s->positions, out);
    POYI_TO_DONE(ctx, make_embedding(ctx, s, k0, &x));
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
    poyi_free(&x->memory);
    *x = (poyi_solution){0};
}

/* angular_batch.c: the angular functions, rotations and 3j symbols of poynting/special.h. */
#include <stdlib.h>

#include "math/angular/legendre.h"
#include "math/angular/wigner.h"
#include "math/batch.h"
#include "math/math.h"
#include "poynting/special.h"

typedef enum wanted { LPMV, PI_FUN, TAU_FUN, HARMONIC, SMALL_D, BIG_D } wanted;

typedef struct request {
    const char *name;
    wanted what;
    const int64_t *l, *m, *k;
    const double *phi, *psi;
    const poy_c128 *z; /* cos(theta), or theta from HARMONIC on */
    poy_c128 *out;
} request;

static poy_status check(poy_ctx *ctx, const request *r, size_t n)
{
    POYI_TRY(ctx, poyi_batch_finite(ctx, r->name, r->what < HARMONIC ? "z" : "theta", n, r->z));
    if (r->phi)
        POYI_TRY(ctx, poyi_batch_finite_real(ctx, r->name, "phi", n, r->phi));
    if (r->psi)
        POYI_TRY(ctx, poyi_batch_finite_real(ctx, r->name, "psi", n, r->psi));
    for (size_t i = 0; i < n; i++) {
        if (r->what >= HARMONIC && fabs(r->z[i].im) > POYI_ANGLE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: theta[%zu] has the imaginary part %g, beyond %g no cosine is representable", r->name,
                             i, r->z[i].im, POYI_ANGLE_MAX);
        if (r->l[i] < 0 || r->l[i] > POYI_DEGREE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: l[%zu] = %lld, needs 0 to %d", r->name, i, (long long)r->l[i],
                             POYI_DEGREE_MAX);
        if (r->k && (llabs(r->m[i]) > r->l[i] || llabs(r->k[i]) > r->l[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: element %zu has m = %lld and k = %lld, needs |m|, |k| <= l = %lld", r->name, i,
                             (long long)r->m[i], (long long)r->k[i], (long long)r->l[i]);
    }
    return POY_OK;
}

static poyi_big angular(const request *r, size_t i)
{
    const int l = (int)r->l[i], m = llabs(r->m[i]) > l ? l + 1 : (int)r->m[i];
    const poyi_xcomplex z = poyi_x(poyi_c(r->z[i]));
    if (r->what < HARMONIC) {
        const poyi_angular a = poyi_angular_functions(l, m, z, poyi_sine_of_cosine(poyi_c(r->z[i])));
        return r->what == LPMV ? a.p : r->what == PI_FUN ? a.pi : a.tau;
    }
    if (r->what == HARMONIC) {
        poyi_xreal sign;
        const poyi_angular a = poyi_angular_functions(l, m, ccosl(z), poyi_principal_sine(z, &sign));
        if (m > l)
            return a.p;
        const poyi_xreal norm = sqrtl((2 * l + 1) / (4.0L * POYI_PIL) * poyi_factorial_ratio(l, m));
        return poyi_big_times(a.p, norm * poyi_phase(m, r->phi[i], 0, 0.0));
    }
    const poyi_big d = poyi_wigner_d(l, m, (int)r->k[i], z);
    return r->what == SMALL_D ? d : poyi_big_times(d, conjl(poyi_phase(m, r->phi[i], r->k[i], r->psi[i])));
}

static int element(void *user, size_t i)
{
    const request *r = user;
    double complex value;
    const int beyond = poyi_big_round(angular(r, i), &value);
    r->out[i] = poyi_pair(value);
    return beyond;
}

static poy_status batch(poy_ctx *ctx, size_t n, request r)
{
    POYI_TRY(ctx, check(ctx, &r, n));
    return poyi_batch(ctx, r.name, n, element, &r);
}

poy_status poy_sf_lpmv(poy_ctx *ctx, size_t n, const int64_t *m, const int64_t *l, const poy_c128 *z, poy_c128 *out)
{
    return batch(ctx, n, (request){.name = "lpmv", .what = LPMV, .l = l, .m = m, .z = z, .out = out});
}

poy_status poy_sf_pi_fun(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const poy_c128 *z, poy_c128 *out)
{
    return batch(ctx, n, (request){.name = "pi_fun", .what = PI_FUN, .l = l, .m = m, .z = z, .out = out});
}

poy_status poy_sf_tau_fun(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const poy_c128 *z, poy_c128 *out)
{
    return batch(ctx, n, (request){.name = "tau_fun", .what = TAU_FUN, .l = l, .m = m, .z = z, .out = out});
}

poy_status poy_sf_sph_harm(poy_ctx *ctx, size_t n, const int64_t *m, const int64_t *l, const double *phi,
                           const poy_c128 *theta, poy_c128 *out)
{
    return batch(ctx, n,
                 (request){.name = "sph_harm", .what = HARMONIC, .l = l, .m = m, .phi = phi, .z = theta, .out = out});
}

poy_status poy_sf_wignersmalld(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *k,
                               const poy_c128 *theta, poy_c128 *out)
{
    return batch(ctx, n,
                 (request){.name = "wignersmalld", .what = SMALL_D, .l = l, .m = m, .k = k, .z = theta, .out = out});
}

poy_status poy_sf_wignerd(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *k,
                          const double *phi, const poy_c128 *theta, const double *psi, poy_c128 *out)
{
    const request r = {
        .name = "wignerd", .what = BIG_D, .l = l, .m = m, .k = k, .phi = phi, .psi = psi, .z = theta, .out = out};
    return batch(ctx, n, r);
}

/* ---- 3j symbols ---- */

typedef struct couplings {
    const int64_t *j[3], *m[3];
    double *out;
} couplings;

static int coupling(void *user, size_t i)
{
    const couplings *c = user;
    for (int k = 0; k < 3; k++)
        if (llabs(c->m[k][i]) > c->j[k][i]) {
            c->out[i] = 0.0;
            return 0;
        }
    c->out[i] = poyi_threej((int)c->j[0][i], (int)c->j[1][i], (int)c->j[2][i], (int)c->m[0][i], (int)c->m[1][i],
                            (int)c->m[2][i]);
    return 0;
}

poy_status poy_sf_wigner3j(poy_ctx *ctx, size_t n, const int64_t *j1, const int64_t *j2, const int64_t *j3,
                           const int64_t *m1, const int64_t *m2, const int64_t *m3, double *out)
{
    couplings c = {.j = {j1, j2, j3}, .m = {m1, m2, m3}};
    c.out = out;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            if (c.j[k][i] < 0 || c.j[k][i] > POYI_THREEJ_LABEL_MAX)
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "wigner3j: j%d[%zu] = %lld, needs 0 to %d", k + 1, i,
                                 (long long)c.j[k][i], POYI_THREEJ_LABEL_MAX);
    return poyi_batch(ctx, "wigner3j", n, coupling, &c);
}

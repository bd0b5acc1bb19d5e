/* ebcm_diff.c: both directions of the derivative of a body's T-matrix: T = -Q^-1 R for each order, so dT = -Q^-1 (dR + dQ T), and with
 * Y = Q^-H g: g_R = -Y, g_Q = -Y T^H. */
#include <string.h>

#include "record/lapack.h"
#include "scatter/particle/ebcm.h"
#include "scatter/waves/basis.h"
#include "scatter/waves/diff.h"

/* dr and d slope by the first two parameters of a profile at theta. */
static void profile_slopes(const poy_profile *p, double theta, double d_r[2], double d_slope[2])
{
    const double a = p->parameter[0], c = p->parameter[1], e = p->parameter[2], s = sin(theta), co = cos(theta);
    if (p->kind == POY_PROFILE_SPHEROID) { /* slope = -r (c^2 - a^2) s co / f, f = c^2 s^2 + a^2 co^2 */
        const double f = c * c * s * s + a * a * co * co, r = a * c / sqrt(f), t = (c - a) * (c + a) * s * co / f;
        d_r[0] = r * c * c * s * s / (a * f);
        d_r[1] = r * a * a * co * co / (c * f);
        d_slope[0] = -d_r[0] * t + 2.0 * r * a * s * co / f + 2.0 * r * t * a * co * co / f;
        d_slope[1] = -d_r[1] * t - 2.0 * r * c * s * co / f + 2.0 * r * t * c * s * s / f;
    } else if (p->kind == POY_PROFILE_CHEBYSHEV) {
        d_r[0] = 1.0 + c * cos(e * theta);
        d_r[1] = a * cos(e * theta);
        d_slope[0] = -c * e * sin(e * theta);
        d_slope[1] = -a * e * sin(e * theta);
    } else { /* r = f^(-e / 2), f = u + v, slope = -r / f (u co / s - v s / co) */
        const double u = pow(s / a, 2.0 / e), v = pow(fabs(co) / c, 2.0 / e), f = u + v, r = pow(f, -0.5 * e);
        const double by[2] = {-2.0 / e * u / a, -2.0 / e * v / c}, lever[2] = {co / s, co == 0.0 ? 0.0 : -s / co};
        const double g = u * lever[0] + v * lever[1];
        for (int i = 0; i < 2; i++) {
            d_r[i] = -0.5 * e * r / f * by[i];
            d_slope[i] = -d_r[i] / f * g + r * by[i] / (f * f) * g - r / f * by[i] * lever[i];
        }
    }
}

/* A body opened, with what moves on its meridian. */
typedef struct job {
    const poyi_body *body;
    poyi_meridian s;
    void *nodes;
    poy_basis *basis;
    poyi_ebcm_inputs moves;
    void *move_memory;
} job;

static void close_job(job *j)
{
    poyi_free(&j->s.memory);
    poyi_free(&j->nodes);
    poyi_free(&j->move_memory);
    poy_basis_destroy(&j->basis);
}

static poy_status open_job(poy_ctx *ctx, const poyi_body *b, job *j)
{
    poy_status status;
    *j = (job){.body = b};
    if (b->profile->kind == POY_PROFILE_FUNCTION)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "axisymmetric: a profile given as a function has no parameters to differentiate by");
    if (b->embedding.poltype != POY_HELICITY)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "axisymmetric: derivatives in waves of parity; use helicity");
    POYI_TO_DONE(ctx, poyi_body_open(ctx, b, 1, &j->s, &j->nodes, &j->basis));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.ebcm", 2 * (size_t)j->s.nodes * sizeof(double), &j->move_memory));
    j->moves.r = j->move_memory;
    j->moves.slope = j->moves.r + j->s.nodes;
done:
    if (status != POY_OK)
        close_job(j);
    return status;
}

/* Scratch of one order. */
typedef struct block {
    size_t n, *place;
    poyi_ebcm_factors f;
    poy_c128 *t, *x, *y; /* [n][n] */
    void *memory;
} block;

static poy_status open_block(poy_ctx *ctx, const job *j, int order, const poy_c128 *t, block *b)
{
    poy_status status;
    const size_t n = poyi_ebcm_size(&j->s, order), factors = (poyi_ebcm_factor_bytes(n) + 63) / 64 * 64;
    *b = (block){.n = n};
    POYI_TRY(ctx,
             poyi_alloc(ctx, "scatter.ebcm", factors + 3 * n * n * sizeof(poy_c128) + n * sizeof(size_t), &b->memory));
    b->f = poyi_ebcm_factors_in(b->memory, n);
    b->t = (poy_c128 *)(void *)((unsigned char *)b->memory + factors);
    b->x = b->t + n * n;
    b->y = b->x + n * n;
    b->place = (size_t *)(void *)(b->y + n * n);
    poyi_ebcm_places(j->basis, order, n, b->place);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            b->t[i * n + k] = t[b->place[i] * j->basis->size + b->place[k]];
    POYI_TO_DONE(ctx, poyi_ebcm_integral(ctx, &j->s, POYI_EBCM_SINGULAR, order, b->f.q));
    POYI_TO_DONE(ctx, poyi_ebcm_factor(ctx, order, n, &b->f));
done:
    if (status != POY_OK)
        poyi_free(&b->memory);
    return status;
}

static void product(char op_b, size_t n, double alpha, const poy_c128 *a, const poy_c128 *b, double beta, poy_c128 *c)
{
    poyi_gemm(POY_C128, 'n', op_b, (int64_t)n, (int64_t)n, (int64_t)n, alpha, a, b, beta, c);
}

static poy_status push_order(poy_ctx *ctx, const job *j, int order, const poy_c128 *t, poy_c128 *d_t)
{
    poy_status status;
    block b;
    POYI_TRY(ctx, open_block(ctx, j, order, t, &b));
    const size_t n = b.n;
    POYI_TO_DONE(ctx, poyi_ebcm_push(ctx, &j->s, POYI_EBCM_REGULAR, order, &j->moves, b.x));
    POYI_TO_DONE(ctx, poyi_ebcm_push(ctx, &j->s, POYI_EBCM_SINGULAR, order, &j->moves, b.y));
    product('n', n, 1.0, b.y, b.t, 1.0, b.x);
    poyi_ebcm_solve(n, &b.f, 0, b.x);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            d_t[b.place[i] * j->basis->size + b.place[k]] = (poy_c128){-b.x[i * n + k].re, -b.x[i * n + k].im};
done:
    poyi_free(&b.memory);
    return status;
}

static poy_status pull_order(poy_ctx *ctx, job *j, int order, const poy_c128 *t, const poy_c128 *g_t)
{
    poy_status status;
    block b;
    POYI_TRY(ctx, open_block(ctx, j, order, t, &b));
    const size_t n = b.n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            const poy_c128 g = g_t[b.place[i] * j->basis->size + b.place[k]];
            b.x[i * n + k] = (poy_c128){-g.re, -g.im};
        }
    poyi_ebcm_solve(n, &b.f, 1, b.x);
    product('c', n, 1.0, b.x, b.t, 0.0, b.y);
    POYI_TO_DONE(ctx, poyi_ebcm_pull(ctx, &j->s, POYI_EBCM_REGULAR, order, b.x, &j->moves));
    POYI_TO_DONE(ctx, poyi_ebcm_pull(ctx, &j->s, POYI_EBCM_SINGULAR, order, b.y, &j->moves));
done:
    poyi_free(&b.memory);
    return status;
}

poy_status poyi_body_push(poy_ctx *ctx, const poyi_body *b, const poy_c128 *t, const poyi_body_inputs *d, poy_c128 *d_t)
{
    poy_status status;
    job j;
    poy_c128 ks[2], z;
    double d_r[2], d_slope[2];
    POYI_TRY(ctx, open_job(ctx, b, &j));
    for (int i = 0; i < j.s.nodes; i++) {
        profile_slopes(b->profile, j.s.theta[i], d_r, d_slope);
        j.moves.r[i] = d_r[0] * d->parameter[0] + d_r[1] * d->parameter[1];
        j.moves.slope[i] = d_slope[0] * d->parameter[0] + d_slope[1] * d->parameter[1];
    }
    const double k0 = b->embedding.k0;
    POYI_TO_DONE(ctx, poyi_medium_ks_pushforward(ctx, &b->inside, k0, &d->inside, d->k0, ks));
    POYI_TO_DONE(ctx, poyi_medium_impedance_pushforward(ctx, &b->inside, &d->inside, &z));
    for (int pol = 0; pol < 2; pol++)
        j.moves.inside[pol] = poyi_c(ks[pol]);
    j.moves.z_inside = poyi_c(z);
    POYI_TO_DONE(ctx, poyi_medium_ks_pushforward(ctx, &b->embedding.medium, k0, &d->outside, d->k0, ks));
    POYI_TO_DONE(ctx, poyi_medium_impedance_pushforward(ctx, &b->embedding.medium, &d->outside, &z));
    for (int pol = 0; pol < 2; pol++)
        j.moves.outside[pol] = poyi_c(ks[pol]);
    j.moves.z_outside = poyi_c(z);
    memset(d_t, 0, j.basis->size * j.basis->size * sizeof *d_t);
    for (int order = -poyi_body_orders(b); order <= poyi_body_orders(b); order++)
        POYI_TO_DONE(ctx, push_order(ctx, &j, order, t, d_t));
done:
    close_job(&j);
    return status;
}

/* From wavenumbers and impedance of one medium to its parts, and to k0. */
static poy_status pull_medium(poy_ctx *ctx, const poy_medium *m, double k0, const double complex g_ks[2],
                              double complex g_z, poy_medium *out, double *g_k0)
{
    poy_medium by_z;
    double by_k0;
    const poy_c128 ks[2] = {poyi_pair(g_ks[0]), poyi_pair(g_ks[1])};
    POYI_TRY(ctx, poyi_medium_ks_pullback(ctx, m, k0, ks, out, &by_k0));
    POYI_TRY(ctx, poyi_medium_impedance_pullback(ctx, m, poyi_pair(g_z), &by_z));
    out->epsilon = poyi_pair(poyi_c(out->epsilon) + poyi_c(by_z.epsilon));
    out->mu = poyi_pair(poyi_c(out->mu) + poyi_c(by_z.mu));
    *g_k0 += by_k0;
    return POY_OK;
}

poy_status poyi_body_pull(poy_ctx *ctx, const poyi_body *b, const poy_c128 *t, const poy_c128 *g_t, poyi_body_inputs *g)
{
    poy_status status;
    job j;
    double d_r[2], d_slope[2];
    *g = (poyi_body_inputs){.k0 = 0.0};
    POYI_TRY(ctx, open_job(ctx, b, &j));
    for (int order = -poyi_body_orders(b); order <= poyi_body_orders(b); order++)
        POYI_TO_DONE(ctx, pull_order(ctx, &j, order, t, g_t));
    for (int i = 0; i < j.s.nodes; i++) {
        profile_slopes(b->profile, j.s.theta[i], d_r, d_slope);
        for (int k = 0; k < 2; k++)
            g->parameter[k] += d_r[k] * j.moves.r[i] + d_slope[k] * j.moves.slope[i];
    }
    const double k0 = b->embedding.k0;
    POYI_TO_DONE(ctx, pull_medium(ctx, &b->inside, k0, j.moves.inside, j.moves.z_inside, &g->inside, &g->k0));
    POYI_TO_DONE(ctx,
                 pull_medium(ctx, &b->embedding.medium, k0, j.moves.outside, j.moves.z_outside, &g->outside, &g->k0));
done:
    close_job(&j);
    return status;
}

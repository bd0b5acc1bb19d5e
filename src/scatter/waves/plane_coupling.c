/* plane_coupling.c: matrices between plane waves and multipoles, with their derivatives: one table of angular functions for
 * each wavevector serves all modes. */
#include "scatter/waves/plane_coupling.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "math/math.h"
#include "scatter/waves/angular_table.h"
#include "scatter/waves/coefficient.h"
#include "scatter/waves/label.h"
#include "scatter/waves/thread.h"
#include "scatter/waves/vector_wave.h"

enum { TURNS = 2 * POY_DEGREE_MAX + 1 };

/* One wavevector and what its modes share. */
typedef struct beam {
    poyi_xcomplex k[3], length;
    int on_axis;
    poyi_xcomplex turn[TURNS];       /* e^{i m phi}, m + POY_DEGREE_MAX */
    poyi_xcomplex theta[3], phi[3];  /* d theta / d k_j, d phi / d k_j */
    poyi_xcomplex outward, d_log[3]; /* emission: k kz or ky; its logarithm's derivatives */
    poyi_xcomplex *tau, *pi, *d_tau, *d_pi;
} beam;

/* A coefficient and its derivatives with respect to k_j at a fixed position, without the phase there. */
typedef struct coupling {
    poyi_xcomplex value, d_k[3];
} coupling;

static int is_spherical(const poyi_plane_call *c)
{
    return c->multipoles->kind == POY_BASIS_SPHERICAL;
}

static int needs_directions(const poyi_plane_call *c)
{
    return c->task == POYI_EXPAND_PUSHFORWARD ? c->d_vectors != NULL
                                              : c->task == POYI_EXPAND_PULLBACK && c->g_vectors != NULL;
}

static void prepare(const poyi_plane_call *c, size_t v, int degree, beam *b)
{
    for (int j = 0; j < 3; j++)
        b->k[j] = poyi_x(poyi_c(c->vectors[3 * v + (size_t)j]));
    const poyi_wave_angles a = poyi_angles_of_wavevector(b->k);
    b->length = a.k;
    b->on_axis = b->k[0] == 0.0L && b->k[1] == 0.0L;
    b->turn[POY_DEGREE_MAX] = 1.0L;
    for (int m = 1; m <= degree; m++)
        for (int side = -1; side <= 1; side += 2)
            b->turn[POY_DEGREE_MAX + side * m] = poyi_xmul(b->turn[POY_DEGREE_MAX + side * (m - 1)], a.turn[side < 0]);
    if (is_spherical(c))
        poyi_wave_angular_table(degree, a.cosine, a.sine, b->tau, b->pi, NULL);
    if (is_spherical(c) && needs_directions(c))
        poyi_wave_angular_table_slope(degree, b->tau, b->d_tau, b->d_pi);
    if (!b->on_axis) {
        const poyi_xcomplex q = poyi_xmul(a.sine, a.k), square = poyi_xmul(q, q);
        for (int j = 0; j < 2; j++)
            b->theta[j] = poyi_xmul(a.cosine, b->k[j]) / poyi_xmul(q, a.k);
        b->theta[2] = -a.sine / a.k;
        b->phi[0] = -b->k[1] / square;
        b->phi[1] = b->k[0] / square;
        b->phi[2] = 0.0L;
    }
    if (!c->emission)
        return;
    const int normal = is_spherical(c) ? 2 : 1;
    const poyi_xcomplex kn = b->k[normal];
    const poyi_xreal direction = cimagl(kn) == 0.0L ? creall(kn) : cimagl(kn);
    b->outward = direction < 0.0L ? -kn : kn;
    for (int j = 0; j < 3; j++) {
        b->d_log[j] = j == normal ? 1.0L / kn : 0.0L;
        if (is_spherical(c)) /* of k kz */
            b->d_log[j] += b->k[j] / poyi_xmul(a.k, a.k);
    }
    if (is_spherical(c))
        b->outward = poyi_xmul(b->outward, a.k);
}

/* f (dF theta_j - sign i m F phi_j) for all j. */
static void slopes(const beam *b, poyi_xcomplex factor, poyi_xcomplex f, poyi_xcomplex d_f, int order, coupling *out)
{
    for (int j = 0; j < 3; j++)
        out->d_k[j] =
            b->on_axis
                ? 0.0L
                : poyi_xmul(factor, poyi_xmul(d_f, b->theta[j]) + poyi_xmul(poyi_xturn(f, 1), order * b->phi[j]));
}

static coupling couple(const poyi_plane_call *c, const beam *b, const poy_wave_mode *m, int pol)
{
    coupling out = {0.0L, {0.0L, 0.0L, 0.0L}};
    const int order = c->emission ? m->m : -m->m; /* of e^{i order phi} */
    poyi_xcomplex factor = b->turn[POY_DEGREE_MAX + order], f = 1.0L, d_f = 0.0L;
    if (is_spherical(c)) {
        const int place = poyi_angular_place(m->l, m->m), directions = needs_directions(c);
        if (c->poltype == POY_HELICITY && m->pol != pol)
            return out;
        const poyi_xreal sign = (poyi_xreal)poyi_pol_sign(pol);
        const int both = c->poltype == POY_HELICITY, tau = m->pol == pol;
        f = (tau ? b->tau[place] : 0.0L) + (both ? sign * b->pi[place] : tau ? 0.0L : b->pi[place]);
        if (directions)
            d_f = (tau ? b->d_tau[place] : 0.0L) + (both ? sign * b->d_pi[place] : tau ? 0.0L : b->d_pi[place]);
        factor *= 2.0L * POYI_PIL / sqrtl((poyi_xreal)m->l * (m->l + 1));
        factor = c->emission ? poyi_xturn(factor, -m->l) : 2.0L * poyi_xturn(factor, m->l);
    } else {
        const poyi_xreal scale = cabsl(b->k[0]) + cabsl(b->k[1]) + cabsl(b->k[2]);
        if (m->pol != pol || cabsl(b->k[2] - m->kz) > 32.0L * 0x1p-52L * scale)
            return out;
        factor = c->emission ? 2.0L * poyi_xturn(factor, -m->m) : poyi_xturn(factor, m->m);
    }
    if (c->emission)
        factor = factor / ((is_spherical(c) ? (poyi_xreal)c->measure : fabsl(c->measure)) * b->outward);
    out.value = poyi_xmul(factor, f);
    if (needs_directions(c)) {
        slopes(b, factor, f, d_f, order, &out);
        for (int j = 0; c->emission && j < 3; j++)
            out.d_k[j] -= poyi_xmul(out.value, b->d_log[j]);
    }
    return out;
}

static size_t place(const poyi_plane_call *c, size_t mode, size_t v)
{
    return c->emission ? v * c->multipoles->size + mode : mode * c->n + v;
}

/* e^{i k.r}, emission e^{-i k.r} */
static poyi_xcomplex phase_at(const poyi_plane_call *c, const beam *b, const double *r)
{
    const poyi_xcomplex phase = b->k[0] * (poyi_xreal)r[0] + b->k[1] * (poyi_xreal)r[1] + b->k[2] * (poyi_xreal)r[2];
    return poyi_xphase(c->emission ? -phase : phase);
}

/* The kz of cylindrical waves is a label: nothing moves along it. */
static int is_fixed(const poyi_plane_call *c, int j)
{
    return j == 2 && !is_spherical(c);
}

static poyi_xcomplex tangent(const poyi_plane_call *c, const beam *b, size_t v, const poy_wave_mode *m,
                             const coupling *k)
{
    const double *r = c->multipoles->positions + 3 * (size_t)m->particle;
    const poyi_xreal side = c->emission ? -1.0L : 1.0L;
    poyi_xcomplex sum = 0.0L, turns = 0.0L; /* turns: d(k.r) */
    for (int j = 0; j < 3; j++) {
        const double dr = c->d_positions ? c->d_positions[3 * (size_t)m->particle + (size_t)j] : 0.0;
        turns += b->k[j] * (poyi_xreal)dr;
        if (c->d_vectors && !is_fixed(c, j)) {
            const poyi_xcomplex dk = poyi_x(poyi_c(c->d_vectors[3 * v + (size_t)j]));
            turns += dk * (poyi_xreal)r[j];
            sum += poyi_xmul(k->d_k[j], dk);
        }
    }
    sum += poyi_xmul(k->value, side * poyi_xturn(turns, 1));
    if (c->emission)
        sum -= k->value * (poyi_xreal)(c->d_measure / c->measure);
    return sum;
}

static int run_beam(const poyi_plane_call *c, const beam *b, size_t v)
{
    int beyond = 0;
    size_t particle = SIZE_MAX;
    poyi_xcomplex phase = 1.0L;
    for (size_t i = 0; i < c->multipoles->size; i++) {
        const poy_wave_mode *m = c->multipoles->modes + i;
        if (particle != (size_t)m->particle) {
            particle = (size_t)m->particle;
            phase = phase_at(c, b, c->multipoles->positions + 3 * particle);
        }
        const coupling k = couple(c, b, m, c->pol[v]);
        const poyi_xcomplex x = poyi_xmul(phase, c->task == POYI_EXPAND_VALUE ? k.value : tangent(c, b, v, m, &k));
        c->out[place(c, i, v)] = poyi_round(x, &beyond);
    }
    return beyond;
}

/* g_out of the coefficients of one wavevector into the gradients. */
static void pull_beam(const poyi_plane_call *c, const beam *b, size_t v)
{
    const poyi_xreal side = c->emission ? -1.0L : 1.0L;
    for (size_t i = 0; i < c->multipoles->size; i++) {
        const poy_wave_mode *m = c->multipoles->modes + i;
        const double *r = c->multipoles->positions + 3 * (size_t)m->particle;
        const coupling k = couple(c, b, m, c->pol[v]);
        const poy_c128 g = c->g_out[place(c, i, v)];
        /* dL = Re(back dc / phase) */
        const poyi_xcomplex back = poyi_xmul(CMPLXL(g.re, -g.im), phase_at(c, b, r));
        const poyi_xcomplex turned = side * poyi_xturn(poyi_xmul(back, k.value), 1);
        for (int j = 0; j < 3; j++) {
            if (c->g_positions)
                c->g_positions[3 * (size_t)m->particle + (size_t)j] += (double)creall(poyi_xmul(turned, b->k[j]));
            if (c->g_vectors && !is_fixed(c, j)) {
                const poyi_xcomplex gradient = conjl(turned * (poyi_xreal)r[j] + poyi_xmul(back, k.d_k[j]));
                poy_c128 *to = c->g_vectors + 3 * v + (size_t)j;
                to->re += (double)creall(gradient);
                to->im += (double)cimagl(gradient);
            }
        }
        if (c->g_measure && c->emission)
            *c->g_measure -= (double)creall(poyi_xmul(back, k.value)) / c->measure;
    }
}

/* ---- checks ---- */

static int is_active(const poyi_plane_call *c, size_t v)
{
    if (c->task == POYI_EXPAND_PUSHFORWARD)
        for (size_t j = 0; j < 2; j++)
            if (poyi_c(c->d_vectors[3 * v + j]) != 0.0)
                return 1;
    if (c->task == POYI_EXPAND_PULLBACK)
        for (size_t i = 0; i < c->multipoles->size; i++)
            if (poyi_c(c->g_out[place(c, i, v)]) != 0.0)
                return 1;
    return 0;
}

static poy_status check(poy_ctx *ctx, const poyi_plane_call *c)
{
    static const char name[] = "plane waves and multipoles";
    const size_t normal = is_spherical(c) ? 2 : 1;
    for (size_t v = 0; v < c->n; v++) {
        const poy_c128 *k = c->vectors + 3 * v;
        POYI_TRY(ctx, poyi_check_wavevectors(ctx, name, 1, k, k + 1, k + 2));
        if (c->emission && poyi_c(k[normal]) == 0.0)
            return POYI_FAIL(ctx, POY_ERR_THRESHOLD, "%s: wavevector %zu grazes the array, where its emission diverges",
                             name, v);
        if (needs_directions(c) && !c->fixed_directions && poyi_c(k[0]) == 0.0 && poyi_c(k[1]) == 0.0 &&
            is_active(c, v))
            return POYI_FAIL(
                ctx, POY_ERR_NOT_DIFFERENTIABLE,
                "%s: wavevector %zu is along z, where the polarisation has no derivative by the direction; "
                "hold it fixed",
                name, v);
    }
    if (c->emission && (!isfinite(c->measure) || c->measure == 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a cell of measure %g, needs a finite number other than 0", name,
                         c->measure);
    return POY_OK;
}

poy_status poyi_plane_coupling(poy_ctx *ctx, const poyi_plane_call *c)
{
    poy_status status;
    const int degree = poyi_largest_degree(c->multipoles), serial = c->task == POYI_EXPAND_PULLBACK;
    const size_t tables = is_spherical(c) ? 4 * (size_t)(degree + 1) * (size_t)(degree + 1) : 0;
    const size_t threads = serial ? 1 : (size_t)poy_ctx_threads(ctx);
    void *memory = NULL, *table_memory = NULL;
    int beyond = 0;
    POYI_TO_DONE(ctx, check(ctx, c));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", threads * sizeof(beam), &memory));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", threads * tables * sizeof(poyi_xcomplex), &table_memory));
    beam *beams = memory;
    for (size_t t = 0; t < threads; t++) {
        poyi_xcomplex *table = (poyi_xcomplex *)table_memory + t * tables;
        beams[t].tau = table;
        beams[t].pi = table + tables / 4;
        beams[t].d_tau = table + tables / 2;
        beams[t].d_pi = table + 3 * (tables / 4);
    }
    if (serial) /* gradients of positions are sums over the wavevectors, in their order */
        for (size_t v = 0; v < c->n; v++) {
            prepare(c, v, degree, beams);
            pull_beam(c, beams, v);
        }
    else {
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) reduction(| : beyond) if (c->n > 8)
        for (size_t v = 0; v < c->n; v++) {
            beam *b = beams + poyi_thread_number();
            prepare(c, v, degree, b);
            beyond |= run_beam(c, b, v);
        }
    }
    if (beyond)
        status =
            POYI_FAIL(ctx, POY_ERR_RANGE, "plane waves and multipoles: a coefficient is beyond the largest double");
done:
    poyi_free(&table_memory);
    poyi_free(&memory);
    return status;
}

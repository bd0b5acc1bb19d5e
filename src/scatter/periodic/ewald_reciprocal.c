/* ewald_reciprocal.c: Ewald's sums over diffraction orders, of each geometry.
 *
 * With b = q / kappa, w = kappa s (s the shift across the lattice), v = (q^2 - k^2) / (2 kappa^2), u = w^2 and the integrals
 * J_p(v, u) of incomplete.h, all weights of J are real polynomials of b and w; at w = 0 they are the sums in the plane or on the
 * axis, so that no shift is too small. */
#include <math.h>
#include <stdio.h>

#include "core/core.h"
#include "math/math.h"
#include "scatter/periodic/ewald.h"
#include "scatter/periodic/incomplete.h"
#include "scatter/waves/radial.h"

enum { DEGREES = POY_LATTICE_DEGREE_MAX };

/* An order's numbers: w powers [0 .. 2 DEGREES] and b powers [0 .. DEGREES]. */
typedef struct order {
    poyi_xreal b[DEGREES + 1], w[2 * DEGREES + 1];
    const poyi_xcomplex *integral;
    poyi_xcomplex phase, turn;
} order;

static poyi_xreal factorial(int n)
{
    poyi_xreal f = 1.0L;
    for (int i = 2; i <= n; i++)
        f *= i;
    return f;
}

/* 1 / n!, n = 0 .. 2 DEGREES */
static void inverse_factorials(poyi_xreal *inverse)
{
    inverse[0] = 1.0L;
    for (int n = 1; n <= 2 * DEGREES; n++)
        inverse[n] = inverse[n - 1] / n;
}

typedef struct reciprocal {
    poyi_ewald_sum sum; /* first: the visits get this */
    poyi_xreal inverse[2 * DEGREES + 1];
} reciprocal;

static void powers(poyi_xreal x, int n, poyi_xreal *out)
{
    out[0] = 1.0L;
    for (int i = 1; i <= n; i++)
        out[i] = out[i - 1] * x;
}

/* The polynomial weights of J summed with them; l, m >= 0.
 * Plane: sum_n (-2)^n J_{n+1/2} sum_s (-w)^{2n-s} b^{l-s} / ((2n-s)! (s-n)! ((l+m-s)/2)! ((l-m-s)/2)!) */
static poyi_xcomplex plane(const reciprocal *p, const order *o, int l, int m)
{
    const poyi_xreal *f = p->inverse;
    poyi_xcomplex total = 0.0L;
    poyi_xreal two = 1.0L;
    for (int n = 0; n <= l - m; n++, two *= -2.0L) {
        const int top = l - m < 2 * n ? l - m : 2 * n;
        poyi_xreal weight = 0.0L;
        for (int s = n + ((n ^ (l - m)) & 1); s <= top; s += 2)
            weight += ((2 * n - s) % 2 ? -1.0L : 1.0L) * o->w[2 * n - s] * o->b[l - s] * f[2 * n - s] * f[s - n] *
                      f[(l + m - s) / 2] * f[(l - m - s) / 2];
        total += two * weight * o->integral[n];
    }
    return total;
}

/* Chain: sum_{n=m}^l (-1/2)^n J_{n+1} sum_s w^{2n-s} b^{l-s} / ((n-(s+m)/2)! (n-(s-m)/2)! (l-s)! (s-n)!) */
static poyi_xcomplex chain(const reciprocal *p, const order *o, int l, int m)
{
    const poyi_xreal *f = p->inverse;
    poyi_xcomplex total = 0.0L;
    for (int n = m; n <= l; n++) {
        const int top = l < 2 * n - m ? l : 2 * n - m;
        poyi_xreal weight = 0.0L;
        for (int s = n + ((n ^ m) & 1); s <= top; s += 2)
            weight += o->w[2 * n - s] * o->b[l - s] * f[n - (s + m) / 2] * f[n - (s - m) / 2] * f[l - s] * f[s - n];
        total += (n % 2 ? -1.0L : 1.0L) * ldexpl(weight, -n) * o->integral[n];
    }
    return total;
}

/* Grating, side = -1 for m > 0, 1 for m < 0:
 * sum_n (-2)^n J_{n+1/2} sum_s (side w)^{2n-s} b^{m-s} m! / (2^s (2n-s)! (m-s)! (s-n)!) */
static poyi_xcomplex grating(const reciprocal *p, const order *o, int m, poyi_xreal side)
{
    const poyi_xreal *f = p->inverse;
    poyi_xcomplex total = 0.0L;
    poyi_xreal two = 1.0L;
    for (int n = 0; n <= m; n++, two *= -2.0L) {
        poyi_xreal weight = 0.0L;
        for (int s = n; s <= (m < 2 * n ? m : 2 * n); s++)
            weight += ((2 * n - s) % 2 ? side : 1.0L) * ldexpl(o->w[2 * n - s], -s) * o->b[m - s] * f[2 * n - s] *
                      f[m - s] * f[s - n];
        total += two * weight * o->integral[n];
    }
    return total;
}

poy_status poyi_ewald_order(poy_ctx *ctx, const poyi_ewald *e, const poyi_xreal *q, const int64_t *n,
                            poyi_xcomplex *phase, poyi_xcomplex *difference)
{
    poyi_xreal squared = 0.0L, along = 0.0L;
    for (int i = 0; i < e->dim; i++) {
        squared += q[i] * q[i];
        along -= q[i] * e->along[i];
    }
    *phase = CMPLXL(cosl(along), sinl(along));
    *difference = squared - e->k2;
    if (poyi_xsize(*difference) > 0x1p-50L * squared)
        return POY_OK;
    char name[80];
    (void)snprintf(name, sizeof name,
                   e->dim == 1   ? "%lld"
                   : e->dim == 2 ? "%lld, %lld"
                                 : "%lld, %lld, %lld",
                   (long long)n[0], (long long)n[1], (long long)n[2]);
    return POYI_FAIL(
        ctx, POY_ERR_THRESHOLD,
        "the diffraction order (%s) is on its threshold, |kpar + G| = %.17Lg = k: the lattice sum diverges; "
        "change k or kpar",
        name, sqrtl(squared));
}

static void fill(const reciprocal *p, poyi_xreal b, poyi_xreal w, order *o)
{
    powers(b, p->sum.e->nmax, o->b);
    powers(w, 2 * p->sum.e->nmax, o->w);
}

/* The terms of an order with its integrals, then with those before them where derivatives are wanted. */
typedef void order_terms(reciprocal *p, const order *o);

static void add_order(reciprocal *p, order *o, poyi_xcomplex difference, order_terms *terms)
{
    const poyi_ewald *e = p->sum.e;
    o->integral = poyi_ewald_integrals(&p->sum, difference / (2.0L * e->kappa * e->kappa));
    terms(p, o);
    if (!p->sum.d_out)
        return;
    o->integral--;
    p->sum.slope = 1;
    terms(p, o);
    p->sum.slope = 0;
}

static void plane_terms(reciprocal *p, const order *o)
{
    poyi_ewald_sum *sum = &p->sum;
    poyi_xcomplex power = 1.0L;
    for (int m = 0; m <= sum->e->nmax; m++, power = poyi_xmul(power, o->turn))
        for (int l = m; l <= sum->e->nmax; l++) {
            if (o->w[1] == 0.0L && (l + m) % 2)
                continue;
            const poyi_xreal root = sqrtl((2 * l + 1) / (p->inverse[l + m] * p->inverse[l - m]));
            const poyi_xcomplex term = poyi_xmul(poyi_xmul(sum->before[l], o->phase),
                                                 (l % 2 ? -root : root) * ldexpl(1.0L, -l) * plane(p, o, l, m));
            poyi_ewald_add(sum, l, m, poyi_xturn(poyi_xmul(term, power), -m));
            if (m > 0)
                poyi_ewald_add(sum, l, -m, poyi_xturn(poyi_xmul(term, conjl(power)), m));
        }
}

static poy_status visit_plane(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    reciprocal *p = user;
    const poyi_ewald *e = p->sum.e;
    order o = {.turn = 1.0L};
    poyi_xcomplex difference;
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &o.phase, &difference));
    const poyi_xreal length = hypotl(q[0], q[1]);
    if (length > 0.0L)
        o.turn = CMPLXL(q[0] / length, q[1] / length);
    fill(p, length / e->kappa, e->kappa * e->across[0], &o);
    add_order(p, &o, difference, plane_terms);
    return POY_OK;
}

static void chain_terms(reciprocal *p, const order *o)
{
    poyi_ewald_sum *sum = &p->sum;
    poyi_xcomplex power = 1.0L;
    for (int m = 0; m <= (o->w[1] > 0.0L ? sum->e->nmax : 0); m++, power = poyi_xmul(power, o->turn))
        for (int l = m; l <= sum->e->nmax; l++) {
            const poyi_xreal root = sqrtl((2 * l + 1) / (POYI_PIL * p->inverse[l + m] * p->inverse[l - m]));
            const poyi_xcomplex term = poyi_xmul(poyi_xmul(sum->before[l], o->phase), root * chain(p, o, l, m));
            poyi_ewald_add(sum, l, m, poyi_xturn(poyi_xmul(term, power), m - l));
            if (m > 0)
                poyi_ewald_add(sum, l, -m, poyi_xturn(poyi_xmul(term, conjl(power)), -m - l));
        }
}

static poy_status visit_chain(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    reciprocal *p = user;
    const poyi_ewald *e = p->sum.e;
    order o = {.turn = 1.0L};
    poyi_xcomplex difference;
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &o.phase, &difference));
    const poyi_xreal rho = hypotl(e->across[0], e->across[1]);
    if (rho > 0.0L)
        o.turn = CMPLXL(-e->across[0] / rho, -e->across[1] / rho);
    fill(p, q[0] / e->kappa, e->kappa * rho, &o);
    add_order(p, &o, difference, chain_terms);
    return POY_OK;
}

static void grating_terms(reciprocal *p, const order *o)
{
    poyi_ewald_sum *sum = &p->sum;
    for (int m = 0; m <= sum->e->nmax; m++)
        for (int side = -1; side <= (m > 0 ? 1 : -1); side += 2) {
            const poyi_xcomplex term =
                poyi_xmul(poyi_xmul(sum->before[m], o->phase), factorial(m) * grating(p, o, m, (poyi_xreal)side));
            poyi_ewald_add(sum, m, -side * m, poyi_xturn(term, (int64_t)side * m));
        }
}

static poy_status visit_grating(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    reciprocal *p = user;
    const poyi_ewald *e = p->sum.e;
    order o = {.turn = 1.0L};
    poyi_xcomplex difference;
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &o.phase, &difference));
    fill(p, q[0] / e->kappa, e->kappa * e->across[0], &o);
    add_order(p, &o, difference, grating_terms);
    return POY_OK;
}

/* Where the lattice fills space: (q / k)^l exp(-v) / (q^2 - k^2) Y_lm(q), or exp(i m phi) in two dimensions. */
static void full_terms(reciprocal *p, const poyi_xreal *q, poyi_xcomplex whole)
{
    poyi_ewald_sum *sum = &p->sum;
    const poyi_ewald *e = sum->e;
    poyi_xcomplex column[DEGREES + 1], turn = 1.0L, power = 1.0L;
    const poyi_xreal length = e->spherical ? hypotl(hypotl(q[0], q[1]), q[2]) : hypotl(q[0], q[1]);
    poyi_direction at = {1.0L, 0.0L};
    poyi_xreal b[DEGREES + 1];
    powers(length / e->kappa, e->nmax, b);
    if (length > 0.0L && e->spherical)
        at = (poyi_direction){q[2] / length, CMPLXL(q[0] / length, q[1] / length)};
    else if (length > 0.0L)
        turn = CMPLXL(q[0] / length, q[1] / length);
    for (int m = 0; m <= e->nmax; m++, power = poyi_xmul(power, turn)) {
        if (e->spherical)
            poyi_harmonic_column(m, e->nmax, at, column);
        for (int l = m; l <= (e->spherical ? e->nmax : m); l++) {
            const poyi_xcomplex y = e->spherical ? column[l - m] : power;
            const poyi_xcomplex back = e->spherical && m % 2 ? -conjl(y) : conjl(y);
            const poyi_xcomplex term = b[l] * poyi_xmul(sum->before[l], whole);
            poyi_ewald_add(sum, l, m, poyi_xturn(poyi_xmul(term, y), e->spherical ? -l : -m));
            if (m > 0)
                poyi_ewald_add(sum, l, -m, poyi_xturn(poyi_xmul(term, back), e->spherical ? -l : m));
        }
    }
}

static poy_status visit_full(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    reciprocal *p = user;
    const poyi_ewald *e = p->sum.e;
    const poyi_xreal square = 2.0L * e->kappa * e->kappa;
    poyi_xcomplex phase, difference;
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &phase, &difference));
    const poyi_xcomplex whole = poyi_xmul(phase, cexpl(-difference / square) / difference);
    full_terms(p, q, whole);
    if (p->sum.d_out) { /* d log = k / kappa^2 + 2 k / (q^2 - k^2) */
        p->sum.slope = 1;
        full_terms(p, q, poyi_xmul(whole, 1.0L + square / difference));
        p->sum.slope = 0;
    }
    return POY_OK;
}

poy_status poyi_ewald_reciprocal(poy_ctx *ctx, const poyi_ewald *e, poyi_incomplete_rule *rule, poyi_xcomplex *out,
                                 poyi_xcomplex *d_out)
{
    reciprocal p = {.sum = {.e = e, .rule = rule}};
    const poyi_xreal across = e->kappa * hypotl(e->across[0], e->across[1]);
    const poyi_xcomplex ratio = e->kappa / e->k;
    const poyi_xreal measure = e->cell.measure, root = sqrtl(2.0L) * e->kappa;
    poyi_cell_visit *visit = visit_full;
    p.sum.out = out;
    p.sum.d_out = d_out;
    inverse_factorials(p.inverse);
    poyi_ewald_start(&p.sum, e->spherical && e->dim == 1 ? 2 : 1, 1, across * across);
    if (e->spherical && e->dim == 1) {
        visit = visit_chain;
        p.sum.before[0] = poyi_xturn(-1.0L / (2.0L * measure * e->k), 1);
    } else if (e->spherical && e->dim == 2) {
        visit = visit_plane;
        p.sum.before[0] = poyi_xturn(-1.0L / (measure * root * e->k), 1);
    } else if (e->dim == 1) {
        visit = visit_grating;
        p.sum.before[0] = CMPLXL(0.0L, -2.0L / (sqrtl(POYI_PIL) * measure * root));
    } else if (e->dim == 2) {
        p.sum.before[0] = CMPLXL(0.0L, -4.0L / measure);
    } else {
        p.sum.before[0] = poyi_xturn(-4.0L * POYI_PIL / (measure * e->k), 1);
    }
    for (int l = 1; l <= e->nmax; l++)
        p.sum.before[l] = poyi_xmul(p.sum.before[l - 1], ratio);
    return poyi_ewald_rings(ctx, &p.sum, &e->dual, e->kpar, 1.0L / e->kappa, visit);
}

/* spectral.c: lattice sums away from the lattice as the waves of its diffraction orders: for a shift s across it the terms fall as
 * exp(-q s), so that from a shift of about a period on they are few, and no shift is too long.
 *
 * Plane, spherical: D_lm = (-i)^l 2 pi / (A k) sum_q Y_lm(k^+-) exp(-i q r + i kz |z|) / kz; grating, cylindrical: D_m = (-i)^m 2 / a
 * sum_q ((q +- i ky) / k)^m exp(-i q x + i ky |y|) / ky, the sign that of the direction away from the source; chain, spherical:
 * D_lm = i^{m-l} pi / (a k) exp(i m phi) sum_q Y_lm(theta, 0) H_m(k_rho rho) exp(-i q z), cos theta = q / k. */
#include <math.h>

#include "math/math.h"
#include "scatter/periodic/ewald.h"
#include "scatter/waves/radial.h"
#include "scatter/waves/waves.h"

enum { DEGREES = POY_LATTICE_DEGREE_MAX };

typedef struct spectral {
    poyi_ewald_sum sum;
    poyi_xreal shift;     /* length of across */
    poyi_xcomplex turn;   /* chain: exp(i phi) of -across; else +-1: which way */
    poyi_xcomplex before; /* constants of the geometry */
    poyi_xreal up[DEGREES + 1][DEGREES + 1], down[DEGREES + 1][DEGREES + 1], first[DEGREES + 1];
} spectral;

/* Factors of Y_{l+1,m} = up cos Y_lm - down Y_{l-1,m} and Y_mm = first sin^m (DLMF 14.10.3, normalised). */
static void prepare_harmonics(spectral *p)
{
    poyi_xreal size = sqrtl(1.0L / (4.0L * POYI_PIL));
    for (int m = 0; m <= p->sum.e->nmax; m++) {
        p->first[m] = m % 2 ? -size : size;
        size *= sqrtl((2 * m + 3) / (2.0L * m + 2.0L));
        for (int l = m; l <= p->sum.e->nmax; l++) {
            const poyi_xreal next = l + 1, here = l;
            p->up[m][l] = sqrtl((4 * next * next - 1) / ((next - m) * (next + m)));
            p->down[m][l] = l > m ? p->up[m][l] * sqrtl((here - m) * (here + m) / (4 * here * here - 1)) : 0.0L;
        }
    }
}

/* A quantity and its derivative by k. */
typedef struct jet {
    poyi_xcomplex v, d;
} jet;

static jet times(jet a, jet b)
{
    return (jet){poyi_xmul(a.v, b.v), poyi_xmul(a.v, b.d) + poyi_xmul(a.d, b.v)};
}

static void put(poyi_ewald_sum *sum, int degree, int m, jet term, poyi_xcomplex phase)
{
    poyi_ewald_add(sum, degree, m, poyi_xmul(term.v, phase));
    if (sum->d_out)
        sum->d_out[poyi_ewald_place(sum->e, degree, m)] += poyi_xmul(term.d, phase);
}

/* Y_lm at phi = 0, l = m .. nmax, of a complex direction; power = sin^m. */
static void column(const spectral *p, int m, jet cosine, jet power, jet *y)
{
    y[0] = (jet){p->first[m] * power.v, p->first[m] * power.d};
    for (int l = m; l < p->sum.e->nmax; l++) {
        const jet next = times((jet){p->up[m][l] * cosine.v, p->up[m][l] * cosine.d}, y[l - m]);
        const jet before = l > m ? y[l - 1 - m] : (jet){0.0L, 0.0L};
        y[l + 1 - m] = (jet){next.v - p->down[m][l] * before.v, next.d - p->down[m][l] * before.d};
    }
}

/* sqrt(k^2 - q^2), Im >= 0 */
static jet normal_of(const poyi_ewald *e, poyi_xcomplex difference)
{
    poyi_xcomplex root = csqrtl(-difference);
    if (cimagl(root) < 0.0L || (cimagl(root) == 0.0L && creall(root) < 0.0L))
        root = -root;
    return (jet){root, e->k / root};
}

/* x / k */
static jet over_k(const poyi_ewald *e, jet x)
{
    return (jet){x.v / e->k, (x.d - x.v / e->k) / e->k};
}

/* exp(i n s) / n of a normal wavenumber. */
static jet leaving(jet n, poyi_xreal s)
{
    const poyi_xcomplex value = poyi_xphase(n.v * s) / n.v;
    return (jet){value, poyi_xmul(value, poyi_xmul(n.d, poyi_xturn(s, 1) - 1.0L / n.v))};
}

static poy_status visit_plane(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    spectral *p = user;
    const poyi_ewald *e = p->sum.e;
    poyi_xcomplex phase, difference, turn = 1.0L, along = 1.0L;
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &phase, &difference));
    const jet kz = normal_of(e, difference);
    const poyi_xreal length = hypotl(q[0], q[1]), way = creall(p->turn);
    const jet cosine = over_k(e, (jet){way * kz.v, way * kz.d}), sine = over_k(e, (jet){length, 0.0L});
    const jet whole = over_k(e, leaving(kz, p->shift));
    const poyi_xcomplex before = poyi_xmul(p->before, phase);
    jet power = {1.0L, 0.0L}, y[DEGREES + 1];
    if (length > 0.0L)
        turn = CMPLXL(q[0] / length, q[1] / length);
    for (int m = 0; m <= e->nmax; m++) {
        column(p, m, cosine, power, y);
        for (int l = m; l <= e->nmax; l++) {
            const jet term = times(whole, y[l - m]);
            const poyi_xcomplex factor = poyi_xturn(before, -l), back = m % 2 ? -conjl(along) : conjl(along);
            put(&p->sum, l, m, term, poyi_xmul(factor, along));
            if (m > 0)
                put(&p->sum, l, -m, term, poyi_xmul(factor, back));
        }
        along = poyi_xmul(along, turn);
        power = times(power, sine);
    }
    return POY_OK;
}

static poy_status visit_grating(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    spectral *p = user;
    const poyi_ewald *e = p->sum.e;
    poyi_xcomplex phase, difference;
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &phase, &difference));
    const jet ky = normal_of(e, difference), whole = leaving(ky, p->shift);
    const jet side = {poyi_xturn(poyi_xmul(p->turn, ky.v), 1), poyi_xturn(poyi_xmul(p->turn, ky.d), 1)};
    const jet up = over_k(e, (jet){q[0] + side.v, side.d}), down = over_k(e, (jet){q[0] - side.v, -side.d});
    const poyi_xcomplex before = poyi_xmul(p->before, phase);
    jet forth = {1.0L, 0.0L}, back = {1.0L, 0.0L}; /* inverse to each other */
    for (int m = 0; m <= e->nmax; m++) {
        put(&p->sum, m, m, times(whole, forth), poyi_xturn(before, -m));
        if (m > 0)
            put(&p->sum, m, -m, times(whole, back), poyi_xturn(before, m));
        forth = times(forth, up);
        back = times(back, down);
    }
    return POY_OK;
}

/* H_m(k_rho rho), m = 0 .. nmax */
static void outgoing(const poyi_ewald *e, jet radial, poyi_xreal rho, jet *out)
{
    poyi_xcomplex h[DEGREES + 2];
    const poyi_xcomplex x = radial.v * rho, slope = radial.d * rho;
    poyi_cylindrical_table(1, e->nmax + 1, x, h);
    for (int m = 0; m <= e->nmax; m++)
        out[m] = (jet){h[m], poyi_xmul(slope, poyi_xmul((poyi_xreal)m / x, h[m]) - h[m + 1])};
}

static poy_status visit_chain(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    spectral *p = user;
    const poyi_ewald *e = p->sum.e;
    poyi_xcomplex phase, difference, along = 1.0L;
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &phase, &difference));
    const jet radial = normal_of(e, difference), cosine = over_k(e, (jet){q[0], 0.0L}), sine = over_k(e, radial);
    const poyi_xcomplex before = poyi_xmul(p->before, phase);
    jet power = {1.0L, 0.0L}, y[DEGREES + 1], h[DEGREES + 1];
    outgoing(e, radial, p->shift, h);
    for (int m = 0; m <= e->nmax; m++) {
        column(p, m, cosine, power, y);
        for (int l = m; l <= e->nmax; l++) {
            const jet term = over_k(e, times(y[l - m], h[m]));
            put(&p->sum, l, m, term, poyi_xturn(poyi_xmul(before, along), m - l));
            if (m > 0) /* Y_{l,-m} H_{-m} has two signs that cancel */
                put(&p->sum, l, -m, term, poyi_xturn(poyi_xmul(before, conjl(along)), -m - l));
        }
        along = poyi_xmul(along, p->turn);
        power = times(power, sine);
    }
    return POY_OK;
}

/* The x at which x^l exp(-x) has fallen to exp(-44) of its peak. */
static poyi_xreal far_enough(int l)
{
    poyi_xreal x = 44.0L;
    const poyi_xreal peak = l > 0 ? l * logl(l) - l : 0.0L;
    for (int i = 0; i < 50; i++)
        x = 44.0L + l * logl(x) - peak;
    return x;
}

int poyi_spectral_serves(const poyi_ewald *e)
{
    return e->dim < (e->spherical ? 3 : 2) && e->kappa * hypotl(e->across[0], e->across[1]) > 3.0L;
}

poy_status poyi_spectral(poy_ctx *ctx, const poyi_ewald *e, poyi_xcomplex *out, poyi_xcomplex *d_out)
{
    enum { RINGS = 60 };
    spectral p = {.sum = {.e = e}}; /* over_k = 0: whole derivatives are put */
    const poyi_xreal measure = e->cell.measure;
    poyi_cell_visit *visit = visit_plane;
    p.sum.out = out;
    p.sum.d_out = d_out;
    p.shift = hypotl(e->across[0], e->across[1]);
    p.turn = e->across[0] > 0.0L ? -1.0L : 1.0L; /* away from the source: along -across */
    p.before = 2.0L * POYI_PIL / measure;
    if (e->spherical)
        prepare_harmonics(&p);
    if (!e->spherical) {
        visit = visit_grating;
        p.before = 2.0L / measure;
    } else if (e->dim == 1) {
        visit = visit_chain;
        p.turn = CMPLXL(-e->across[0] / p.shift, -e->across[1] / p.shift);
        p.before = POYI_PIL / measure;
    }
    poyi_xreal inner = 0.0L, reach = far_enough(e->nmax);
    for (int ring = 0; ring < RINGS; ring++, reach += 4.0L) {
        int still = 0;
        const poyi_xreal edge = reach / p.shift + cabsl(e->k), outer = edge * edge;
        for (int l = 0; l <= e->nmax; l++)
            p.sum.ring[l] = 0.0L;
        POYI_TRY(ctx, poyi_cell_points(ctx, &e->dual, e->kpar, inner, outer, visit, &p));
        for (int l = 0; l <= e->nmax; l++) {
            still += ring == 0 || p.sum.ring[l] > 1e-18L * p.sum.total[l];
            p.sum.total[l] += p.sum.ring[l];
        }
        if (!still)
            return POY_OK;
        inner = outer;
    }
    return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE,
                     "the sum over diffraction orders still changes at exp(-%.0Lf): kpar, k or the cell is too large",
                     reach);
}

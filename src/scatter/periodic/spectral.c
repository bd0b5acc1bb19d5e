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

/* Y_lm at phi = 0, l = m .. nmax, of a complex direction. */
static void column(const spectral *p, int m, poyi_xcomplex cosine, poyi_xcomplex power, poyi_xcomplex *y)
{
    y[0] = p->first[m] * power;
    for (int l = m; l < p->sum.e->nmax; l++)
        y[l + 1 - m] = poyi_xmul(p->up[m][l] * cosine, y[l - m]) - (l > m ? p->down[m][l] * y[l - 1 - m] : 0.0L);
}

/* sqrt(k^2 - q^2), Im >= 0 */
static poyi_xcomplex normal_of(poyi_xcomplex difference)
{
    const poyi_xcomplex root = csqrtl(-difference);
    return cimagl(root) < 0.0L || (cimagl(root) == 0.0L && creall(root) < 0.0L) ? -root : root;
}

static poy_status visit_plane(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    spectral *p = user;
    const poyi_ewald *e = p->sum.e;
    poyi_xcomplex phase, difference, turn = 1.0L, along = 1.0L, power = 1.0L, y[DEGREES + 1];
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &phase, &difference));
    const poyi_xcomplex kz = normal_of(difference);
    const poyi_xreal length = hypotl(q[0], q[1]);
    const poyi_xcomplex cosine = poyi_xmul(p->turn, kz / e->k), sine = length / e->k;
    const poyi_xcomplex whole = poyi_xmul(poyi_xmul(p->before, phase), poyi_xphase(kz * p->shift) / kz);
    if (length > 0.0L)
        turn = CMPLXL(q[0] / length, q[1] / length);
    for (int m = 0; m <= e->nmax; m++) {
        column(p, m, cosine, power, y);
        for (int l = m; l <= e->nmax; l++) {
            const poyi_xcomplex term = poyi_xturn(poyi_xmul(whole, y[l - m]), -l);
            poyi_ewald_add(&p->sum, l, m, poyi_xmul(term, along));
            if (m > 0)
                poyi_ewald_add(&p->sum, l, -m, poyi_xmul(term, m % 2 ? -conjl(along) : conjl(along)));
        }
        along = poyi_xmul(along, turn);
        power = poyi_xmul(power, sine);
    }
    return POY_OK;
}

static poy_status visit_grating(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    spectral *p = user;
    const poyi_ewald *e = p->sum.e;
    poyi_xcomplex phase, difference, forth = 1.0L, back = 1.0L;
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &phase, &difference));
    const poyi_xcomplex ky = normal_of(difference), side = poyi_xturn(poyi_xmul(p->turn, ky), 1);
    const poyi_xcomplex whole = poyi_xmul(poyi_xmul(p->before, phase), poyi_xphase(ky * p->shift) / ky);
    for (int m = 0; m <= e->nmax; m++) {
        poyi_ewald_add(&p->sum, m, m, poyi_xturn(poyi_xmul(whole, forth), -m));
        if (m > 0)
            poyi_ewald_add(&p->sum, m, -m, poyi_xturn(poyi_xmul(whole, back), m));
        forth = poyi_xmul(forth, (q[0] + side) / e->k);
        back = poyi_xmul(back, (q[0] - side) / e->k); /* the inverse: their product is 1 */
    }
    return POY_OK;
}

static poy_status visit_chain(poy_ctx *ctx, void *user, const poyi_xreal *q, const int64_t *n)
{
    spectral *p = user;
    const poyi_ewald *e = p->sum.e;
    poyi_xcomplex phase, difference, along = 1.0L, power = 1.0L, y[DEGREES + 1], h[DEGREES + 2];
    POYI_TRY(ctx, poyi_ewald_order(ctx, e, q, n, &phase, &difference));
    const poyi_xcomplex radial = normal_of(difference), cosine = q[0] / e->k, sine = radial / e->k;
    const poyi_xcomplex whole = poyi_xmul(p->before, phase);
    poyi_cylindrical_table(1, e->nmax + 1, radial * p->shift, h);
    for (int m = 0; m <= e->nmax; m++) {
        column(p, m, cosine, power, y);
        for (int l = m; l <= e->nmax; l++) {
            const poyi_xcomplex term = poyi_xmul(whole, poyi_xmul(y[l - m], h[m]));
            poyi_ewald_add(&p->sum, l, m, poyi_xturn(poyi_xmul(term, along), m - l));
            if (m > 0) /* Y_{l,-m} H_{-m} has two signs that cancel */
                poyi_ewald_add(&p->sum, l, -m, poyi_xturn(poyi_xmul(term, conjl(along)), -m - l));
        }
        along = poyi_xmul(along, p->turn);
        power = poyi_xmul(power, sine);
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

poy_status poyi_spectral(poy_ctx *ctx, const poyi_ewald *e, poyi_xcomplex *out)
{
    enum { RINGS = 60 };
    spectral p = {.sum = {.e = e, .out = out}};
    const poyi_xreal measure = e->cell.measure;
    poyi_cell_visit *visit = visit_plane;
    p.shift = hypotl(e->across[0], e->across[1]);
    p.turn = e->across[0] > 0.0L ? -1.0L : 1.0L; /* away from the source: along -across */
    p.before = 2.0L * POYI_PIL / (measure * e->k);
    if (e->spherical)
        prepare_harmonics(&p);
    if (!e->spherical) {
        visit = visit_grating;
        p.before = 2.0L / measure;
    } else if (e->dim == 1) {
        visit = visit_chain;
        p.turn = CMPLXL(-e->across[0] / p.shift, -e->across[1] / p.shift);
        p.before = POYI_PIL / (measure * e->k);
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

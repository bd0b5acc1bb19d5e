/* ewald_real.c: Ewald's sum over lattice points, the same for every geometry, and where both sums end. */
#include <math.h>

#include "core/core.h"
#include "math/gamma/gamma.h"
#include "math/math.h"
#include "scatter/periodic/ewald.h"
#include "scatter/periodic/incomplete.h"
#include "scatter/waves/radial.h"

size_t poyi_ewald_size(const poyi_ewald *e)
{
    const size_t n = (size_t)e->nmax;
    return e->spherical ? (n + 1) * (n + 1) : 2 * n + 1;
}

size_t poyi_ewald_place(const poyi_ewald *e, int degree, int m)
{
    return (size_t)(e->spherical ? degree * (degree + 1) + m : e->nmax + m);
}

int poyi_ewald_coincident(const poyi_ewald *e, const poyi_xreal *point)
{
    poyi_xreal squared = e->across[0] * e->across[0] + e->across[1] * e->across[1];
    for (int i = 0; i < e->dim; i++)
        squared += point[i] * point[i];
    return sqrtl(squared) <= 0x1p-51L * e->r_length;
}

void poyi_ewald_away(const poyi_ewald *e, const poyi_xreal *point, poyi_xreal *d)
{
    d[0] = -point[0];
    d[1] = e->dim > 1 ? -point[1] : -e->across[0];
    d[2] = e->dim > 2 ? -point[2] : -e->across[0];
    if (e->spherical && e->dim == 1) {
        d[0] = -e->across[0];
        d[1] = -e->across[1];
        d[2] = -point[0];
    }
}

poyi_xcomplex poyi_ewald_bloch(const poyi_ewald *e, const int64_t *n)
{
    poyi_xreal phase = 0.0L;
    for (int i = 0; i < e->dim; i++)
        for (int c = 0; c < e->dim; c++)
            phase += (poyi_xreal)n[i] * e->cell.given[i][c] * e->kpar[c];
    return CMPLXL(cosl(phase), sinl(phase));
}

/* h_l Y_lm: -i / sqrt(2 pi) kappa / k (kappa^2 d / k)^l J_{1/2-l} Y_lm(d), d = -r - R. */
static void spherical_terms(poyi_ewald_sum *sum, const poyi_xreal *d, poyi_xreal length, poyi_xcomplex phase,
                            const poyi_xcomplex *integral)
{
    const int lmax = sum->e->nmax;
    const poyi_xreal flat = hypotl(d[0], d[1]);
    const poyi_direction at = {d[2] / length, CMPLXL(d[0] / length, d[1] / length)};
    poyi_xcomplex column[POY_LATTICE_DEGREE_MAX + 1];
    for (int m = 0; m <= (flat > 0.0L ? lmax : 0); m++) {
        poyi_harmonic_column(m, lmax, at, column);
        poyi_xreal power = powl(sum->e->kappa * length, m);
        for (int l = m; l <= lmax; l++, power *= sum->e->kappa * length) {
            const poyi_xcomplex y = column[l - m];
            const poyi_xcomplex wave = poyi_xmul(poyi_xmul(sum->before[l], phase), power * integral[l]);
            poyi_ewald_add(sum, l, m, poyi_xmul(wave, y));
            if (m > 0)
                poyi_ewald_add(sum, l, -m, poyi_xmul(wave, m % 2 ? -conjl(y) : conjl(y)));
        }
    }
}

/* H_m exp(i m phi): -i / pi (kappa^2 d / k)^|m| J_{1-|m|} exp(i m phi), times (-1)^m for m < 0. */
static void cylindrical_terms(poyi_ewald_sum *sum, const poyi_xreal *d, poyi_xreal length, poyi_xcomplex phase,
                              const poyi_xcomplex *integral)
{
    const poyi_xcomplex turn = CMPLXL(d[0] / length, d[1] / length);
    poyi_xcomplex along = 1.0L;
    poyi_xreal power = 1.0L;
    for (int m = 0; m <= sum->e->nmax; m++) {
        const poyi_xcomplex wave = poyi_xmul(poyi_xmul(sum->before[m], phase), power * integral[m]);
        poyi_ewald_add(sum, m, m, poyi_xmul(wave, along));
        if (m > 0)
            poyi_ewald_add(sum, m, -m, poyi_xmul(wave, m % 2 ? -conjl(along) : conjl(along)));
        along = poyi_xmul(along, turn);
        power *= sum->e->kappa * length;
    }
}

static poy_status visit(poy_ctx *ctx, void *user, const poyi_xreal *point, const int64_t *n)
{
    (void)ctx;
    poyi_ewald_sum *sum = user;
    const poyi_ewald *e = sum->e;
    if (poyi_ewald_coincident(e, point))
        return POY_OK;
    poyi_xreal d[3], squared = 0.0L;
    poyi_ewald_away(e, point, d);
    for (int i = 0; i < (e->spherical ? 3 : 2); i++)
        squared += d[i] * d[i];
    const poyi_xcomplex phase = poyi_ewald_bloch(e, n);
    const poyi_xcomplex *integral = poyi_ewald_integrals(sum, e->kappa * e->kappa * squared / 2.0L);
    for (sum->slope = 0; sum->slope <= (sum->d_out ? 1 : 0); sum->slope++)
        (e->spherical ? spherical_terms : cylindrical_terms)(sum, d, sqrtl(squared), phase, integral - sum->slope);
    sum->slope = 0;
    return POY_OK;
}

/* The term R = -r of the reciprocal part, which the sum does not have: Gamma(-1/2, v) / (4 pi), or i / pi Gamma(0, v), at
 * v = -k^2 / (2 kappa^2) below the cut; Gamma(1 - p, v) = v^{1-p} E_p(v). */
static void add_self(const poyi_ewald *e, poyi_xcomplex *out, poyi_xcomplex *d_out)
{
    const poyi_xcomplex v = -e->k2 / (2.0L * e->kappa * e->kappa);
    const poyi_xcomplex below = CMPLXL(creall(v), -fabsl(cimagl(v)));
    poyi_xcomplex integral[2];
    poyi_incomplete(e->spherical ? 1 : 2, 1, 2, below, 0.0L, integral); /* E_{1/2}, E_{3/2} or E_1 */
    if (e->spherical) {                                                 /* v^{-1/2} = i kappa sqrt(2) / k */
        const poyi_xreal factor = sqrtl(2.0L) * e->kappa / (4.0L * POYI_PIL);
        out[0] += poyi_xturn(integral[1] * factor / e->k, 1);
        if (d_out) /* E_p' = -E_{p-1} */
            d_out[0] += poyi_xturn(factor * (integral[0] / (e->kappa * e->kappa) - integral[1] / e->k2), 1);
    } else {
        out[e->nmax] += poyi_xturn(integral[0] / POYI_PIL, 1);
        if (d_out) /* E_1' = -exp(-v) / v */
            d_out[e->nmax] -= poyi_xturn(2.0L * cexpl(-below) / (POYI_PIL * e->k), 1);
    }
}

void poyi_ewald_start(poyi_ewald_sum *sum, int twice, int step, poyi_xcomplex u)
{
    const poyi_ewald *e = sum->e;
    const int more = sum->d_out != NULL;
    sum->over_k = 1.0L / e->k;
    sum->by_k = e->k / (e->kappa * e->kappa);
    poyi_incomplete_start(sum->rule, twice - 2 * step * more, step, e->nmax + 1 + more, u);
}

poy_status poyi_ewald_real(poy_ctx *ctx, const poyi_ewald *e, poyi_incomplete_rule *rule, poyi_xcomplex *out,
                           poyi_xcomplex *d_out)
{
    poyi_ewald_sum sum = {.e = e, .rule = rule, .out = out, .d_out = d_out};
    poyi_ewald_start(&sum, e->spherical ? 1 : 2, -1, -e->k2 / (e->kappa * e->kappa));
    const poyi_xcomplex ratio = e->kappa / e->k;
    sum.before[0] = e->spherical ? poyi_xturn(-ratio / sqrtl(2.0L * POYI_PIL), 1) : CMPLXL(0.0L, -1.0L / POYI_PIL);
    for (int l = 1; l <= e->nmax; l++)
        sum.before[l] = poyi_xmul(sum.before[l - 1], ratio);
    POYI_TRY(ctx, poyi_ewald_rings(ctx, &sum, &e->cell, e->along, e->kappa, visit));
    poyi_xreal n[3] = {0.0L, 0.0L, 0.0L}, whole[3] = {0.0L, 0.0L, 0.0L};
    poyi_cell_coordinates(&e->cell, e->along, n);
    for (int i = 0; i < e->dim; i++)
        for (int c = 0; c < e->dim; c++)
            whole[c] += roundl(n[i]) * e->cell.given[i][c];
    for (int c = 0; c < e->dim; c++)
        whole[c] = e->along[c] - whole[c];
    if (poyi_ewald_coincident(e, whole))
        add_self(e, out, d_out);
    return POY_OK;
}

/* The exponent X at which x^l exp(-x^2 / 2), X = x^2 / 2, has fallen to exp(-44) of its peak. */
static poyi_xreal far_enough(int l)
{
    poyi_xreal x = 44.0L;
    const poyi_xreal half = l / 2.0L, peak = l > 0 ? half * logl(half) - half : 0.0L;
    for (int i = 0; i < 50; i++)
        x = 44.0L + half * logl(x) - peak;
    return x;
}

poy_status poyi_ewald_rings(poy_ctx *ctx, poyi_ewald_sum *sum, const poyi_cell *cell, const poyi_xreal *shift,
                            poyi_xreal unit, poyi_cell_visit *visit_point)
{
    enum { RINGS = 40 };
    const poyi_xreal scale = 2.0L / (unit * unit);
    poyi_xreal inner = 0.0L, outer = far_enough(sum->e->nmax);
    for (int ring = 0; ring < RINGS; ring++) {
        int still = 0;
        for (int l = 0; l <= sum->e->nmax; l++)
            sum->ring[l] = 0.0L;
        POYI_TRY(ctx, poyi_cell_points(ctx, cell, shift, inner * scale, outer * scale, visit_point, sum));
        for (int l = 0; l <= sum->e->nmax; l++) {
            still += ring == 0 || sum->ring[l] > 1e-18L * sum->total[l];
            sum->total[l] += sum->ring[l];
        }
        if (!still)
            return POY_OK;
        inner = outer;
        outer += 6.0L;
    }
    return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE,
                     "a part of the lattice sum still changes after %d rings, at exp(-%.0Lf); leave eta automatic",
                     RINGS, outer);
}

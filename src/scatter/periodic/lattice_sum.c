/* lattice_sum.c: lattice sums for callers: what may be asked, the split, symmetry, and the plain sum by shells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "math/math.h"
#include "scatter/periodic/ewald.h"
#include "scatter/waves/radial.h"

/* A shift across the lattice beyond which the reciprocal integrals of propagating orders lose digits, in 1 / kappa. */
#define ACROSS_MAX 10.0L

static poy_status check_labels(poy_ctx *ctx, const poy_lattice_sum *sum, int spherical, int64_t nmax)
{
    if (sum->dim < 1 || sum->dim > (spherical ? 3 : 2))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a lattice of %d dimensions under %s waves; it has 1 to %d", sum->dim,
                         spherical ? "spherical" : "cylindrical", spherical ? 3 : 2);
    if (nmax < 0 || nmax > POY_LATTICE_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s %lld of a lattice sum; it is in 0..%d", spherical ? "lmax" : "mmax",
                         (long long)nmax, POY_LATTICE_DEGREE_MAX);
    if (sum->part != POY_LATTICE_FULL && sum->part != POY_LATTICE_REAL && sum->part != POY_LATTICE_RECIPROCAL)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "part %d of a lattice sum; it is one of poy_lattice_part",
                         (int)sum->part);
    return POY_OK;
}

static poy_status check_numbers(poy_ctx *ctx, const poy_lattice_sum *sum, int spherical)
{
    int finite = isfinite(sum->k.re) && isfinite(sum->k.im) && isfinite(sum->eta);
    for (int i = 0; i < sum->dim; i++)
        finite = finite && isfinite(sum->kpar[i]);
    for (int i = 0; i < sum->dim * sum->dim; i++)
        finite = finite && isfinite(sum->a[i]);
    for (int i = 0; i < (spherical ? 3 : 2); i++)
        finite = finite && isfinite(sum->r[i]);
    if (!finite)
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "k, kpar, a, r or eta of a lattice sum is not a finite number");
    if (sum->k.re < 0.0 || sum->k.im < 0.0 || (sum->k.re == 0.0 && sum->k.im == 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "k = %g%+gi of a lattice sum; its parts are not negative (gain has no sum) and it is not 0",
                         sum->k.re, sum->k.im);
    if (sum->eta < 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "eta = %g splits a lattice sum; it is above 0, or 0: automatic",
                         sum->eta);
    if (sum->eta == 0.0 && sum->part != POY_LATTICE_FULL)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a part of a lattice sum depends on the split: give eta > 0");
    return POY_OK;
}

static void place(const poy_lattice_sum *sum, poyi_ewald *e)
{
    const int first = e->spherical && e->dim == 1 ? 2 : 0, components = e->spherical ? 3 : 2;
    poyi_xreal squared = 0.0L;
    int across = 0;
    for (int i = 0; i < components; i++) {
        squared += (poyi_xreal)sum->r[i] * (poyi_xreal)sum->r[i];
        if (i >= first && i < first + e->dim)
            e->along[i - first] = (poyi_xreal)sum->r[i];
        else
            e->across[across++] = (poyi_xreal)sum->r[i];
    }
    for (int i = 0; i < e->dim; i++)
        e->kpar[i] = (poyi_xreal)sum->kpar[i];
    e->r_length = sqrtl(squared);
}

static poy_status prepare(poy_ctx *ctx, const poy_lattice_sum *sum, int spherical, int64_t nmax, poyi_ewald *e)
{
    if (sum == NULL || sum->kpar == NULL || sum->a == NULL || sum->r == NULL)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a lattice sum needs kpar, a and r; one of them is NULL");
    POYI_TRY(ctx, check_labels(ctx, sum, spherical, nmax));
    POYI_TRY(ctx, check_numbers(ctx, sum, spherical));
    memset(e, 0, sizeof *e);
    e->dim = sum->dim;
    e->spherical = spherical;
    e->nmax = (int)nmax;
    e->k = CMPLXL(sum->k.re, sum->k.im);
    e->k2 = poyi_xmul(e->k, e->k);
    POYI_TRY(ctx, poyi_cell_make(ctx, sum->dim, sum->a, &e->cell));
    poyi_cell_reciprocal(&e->cell, &e->dual);
    place(sum, e);
    const poyi_xreal size = cabsl(e->k), side = powl(e->cell.measure, 1.0L / e->dim);
    e->kappa = sqrtl(2.0L * POYI_PIL) / side * fmaxl(size * side / 8.0L, 1.0L);
    if (sum->eta > 0.0)
        e->kappa = size * (poyi_xreal)sum->eta;
    return POY_OK;
}

/* Splits at which nothing is left of the digits: the parts are exp(k^2 / (2 kappa^2)) times their sum. */
static poy_status check_split(poy_ctx *ctx, const poyi_ewald *e)
{
    const poyi_xreal across = e->kappa * hypotl(e->across[0], e->across[1]), eta = e->kappa / cabsl(e->k);
    if (across > ACROSS_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "a shift of %Lg across the lattice; at this split (eta = %Lg) shifts up to %Lg are summed",
                         hypotl(e->across[0], e->across[1]), eta, ACROSS_MAX / e->kappa);
    if (eta < 0.1L)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "eta = %Lg: the parts of the lattice sum exceed it by exp(1 / (2 eta^2)); 0.3 to 3 is usual",
                         eta);
    return POY_OK;
}

/* The nearest integer to x if x is one to rounding; nonzero if it is. */
static int whole(poyi_xreal x, poyi_xreal *n)
{
    *n = roundl(x);
    return fabsl(x - *n) <= 0x1p-50L * (1.0L + fabsl(x));
}

/* The parity under r -> -r, R -> -R - 2r of the terms that cancel: 1 or -1 where D = (-1)^l s D, 0 without that symmetry. It
 * takes 2 r in the lattice and 2 kpar in the reciprocal one; then s = exp(-2 i kpar r). */
static int inversion(const poyi_ewald *e)
{
    poyi_xreal r[3], q[3], twice[3], n, m, turns = 0.0L;
    if (e->across[0] != 0.0L || e->across[1] != 0.0L)
        return 0;
    for (int i = 0; i < e->dim; i++)
        twice[i] = 2.0L * e->along[i];
    poyi_cell_coordinates(&e->cell, twice, r);
    for (int i = 0; i < e->dim; i++)
        twice[i] = 2.0L * e->kpar[i];
    poyi_cell_coordinates(&e->dual, twice, q);
    for (int i = 0; i < e->dim; i++) {
        if (!whole(r[i], &n) || !whole(q[i], &m))
            return 0;
        turns += n * m; /* 2 kpar r = pi sum n m */
    }
    return fmodl(fabsl(turns), 2.0L) > 0.5L ? -1 : 1;
}

static void clear_symmetric(const poyi_ewald *e, poyi_xcomplex *table)
{
    const int sign = inversion(e);
    if (sign == 0)
        return;
    for (int l = sign > 0 ? 1 : 0; l <= e->nmax; l += 2)
        for (int m = -l; m <= l; m += e->spherical || l == 0 ? 1 : 2 * l)
            table[poyi_ewald_place(e, l, m)] = 0.0L;
}

static poy_status deliver(poy_ctx *ctx, size_t n, const poyi_xcomplex *table, poy_c128 *out)
{
    for (size_t i = 0; i < n; i++)
        if (!(cabsl(table[i]) <= 0x1.fffffffffffffp1023L))
            return POYI_FAIL(
                ctx, POY_ERR_RANGE,
                "entry %zu of the lattice sum is beyond double precision: the shift is too short for this degree, "
                "or the split too far from 1",
                i);
    for (size_t i = 0; i < n; i++)
        out[i] = (poy_c128){(double)creall(table[i]), (double)cimagl(table[i])};
    return POY_OK;
}

poy_status poyi_lattice_table(poy_ctx *ctx, const poy_lattice_sum *sum, int spherical, int64_t nmax,
                              poyi_xcomplex *table, poyi_xcomplex *d_table)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    poyi_ewald e;
    POYI_TRY(ctx, prepare(ctx, sum, spherical, nmax, &e));
    for (size_t i = 0; i < poyi_ewald_size(&e); i++)
        table[i] = 0.0L;
    for (size_t i = 0; d_table && i < poyi_ewald_size(&e); i++)
        d_table[i] = 0.0L;
    if (sum->part == POY_LATTICE_FULL && poyi_spectral_serves(&e)) {
        POYI_TRY(ctx, poyi_spectral(ctx, &e, table, d_table));
        return POY_OK;
    }
    POYI_TRY(ctx, check_split(ctx, &e));
    POYI_TRY(ctx, poyi_alloc(ctx, "lattice sum", sizeof(poyi_incomplete_rule), &memory));
    if (sum->part != POY_LATTICE_RECIPROCAL)
        POYI_TO_DONE(ctx, poyi_ewald_real(ctx, &e, memory, table, d_table));
    if (sum->part != POY_LATTICE_REAL)
        POYI_TO_DONE(ctx, poyi_ewald_reciprocal(ctx, &e, memory, table, d_table));
    if (sum->part == POY_LATTICE_FULL)
        clear_symmetric(&e, table);
    if (d_table)
        clear_symmetric(&e, d_table);
done:
    poyi_free(&memory);
    return status;
}

static poy_status whole_table(poy_ctx *ctx, const poy_lattice_sum *sum, int spherical, int64_t nmax, poy_c128 *out)
{
    void *memory = NULL;
    poy_status status = POY_OK;
    const size_t n = nmax < 0 || nmax > POY_LATTICE_DEGREE_MAX ? 0 : (size_t)nmax; /* refused below */
    const size_t size = spherical ? (n + 1) * (n + 1) : 2 * n + 1;
    POYI_TRY(ctx, poyi_alloc(ctx, "lattice sum", size * sizeof(poyi_xcomplex), &memory));
    POYI_TO_DONE(ctx, poyi_lattice_table(ctx, sum, spherical, nmax, memory, NULL));
    POYI_TO_DONE(ctx, deliver(ctx, size, memory, out));
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_lattice_sum_spherical(poy_ctx *ctx, const poy_lattice_sum *sum, int64_t lmax, poy_c128 *out)
{
    return whole_table(ctx, sum, 1, lmax, out);
}

poy_status poy_lattice_sum_cylindrical(poy_ctx *ctx, const poy_lattice_sum *sum, int64_t mmax, poy_c128 *out)
{
    return whole_table(ctx, sum, 0, mmax, out);
}

/* ---- the plain sum ---- */

static void add_plain(const poyi_ewald *e, const int64_t *n, poyi_xcomplex *table)
{
    poyi_xreal point[3] = {0.0L, 0.0L, 0.0L}, d[3], squared = 0.0L;
    poyi_xcomplex radial[POY_LATTICE_DEGREE_MAX + 2], column[POY_LATTICE_DEGREE_MAX + 1];
    for (int c = 0; c < e->dim; c++) {
        point[c] = e->along[c];
        for (int i = 0; i < e->dim; i++)
            point[c] += (poyi_xreal)n[i] * e->cell.given[i][c];
    }
    if (poyi_ewald_coincident(e, point))
        return;
    poyi_ewald_away(e, point, d);
    for (int i = 0; i < (e->spherical ? 3 : 2); i++)
        squared += d[i] * d[i];
    const poyi_xreal length = sqrtl(squared);
    const poyi_xcomplex phase = poyi_ewald_bloch(e, n), turn = CMPLXL(d[0] / length, d[1] / length);
    poyi_xcomplex power = 1.0L;
    (e->spherical ? poyi_wave_radial_table : poyi_cylindrical_table)(1, e->nmax + 1, e->k * length, radial);
    for (int m = 0; m <= e->nmax; m++, power = poyi_xmul(power, turn)) {
        const poyi_xreal sign = m % 2 ? -1.0L : 1.0L; /* Y_{l,-m}, H_{-m} */
        if (e->spherical)
            poyi_harmonic_column(m, e->nmax, (poyi_direction){d[2] / length, turn}, column);
        for (int l = m; l <= (e->spherical ? e->nmax : m); l++) {
            const poyi_xcomplex wave = poyi_xmul(phase, radial[l]), y = e->spherical ? column[l - m] : power;
            table[poyi_ewald_place(e, l, m)] += poyi_xmul(wave, y);
            if (m > 0)
                table[poyi_ewald_place(e, l, -m)] += sign * poyi_xmul(wave, conjl(y));
        }
    }
}

static poy_status plain(poy_ctx *ctx, const poy_lattice_sum *sum, int spherical, int64_t shell, int64_t nmax,
                        poy_c128 *out)
{
    enum { SHELL_MAX = 100000 };
    poyi_ewald e;
    void *memory = NULL;
    poy_status status = POY_OK;
    if (shell < 0 || shell > SHELL_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "shell %lld of a lattice; it is in 0..%d", (long long)shell, SHELL_MAX);
    poy_lattice_sum whole_sum = {.k = {0.0, 0.0}};
    if (sum != NULL)
        whole_sum = *sum;
    whole_sum.eta = 0.0;
    whole_sum.part = POY_LATTICE_FULL;
    POYI_TRY(ctx, prepare(ctx, &whole_sum, spherical, nmax, &e));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "lattice sum", poyi_ewald_size(&e) * sizeof(poyi_xcomplex), &memory));
    const int64_t second = e.dim > 1 ? shell : 0, third = e.dim > 2 ? shell : 0;
    int64_t n[3];
    for (n[0] = -shell; n[0] <= shell; n[0]++)
        for (n[1] = -second; n[1] <= second; n[1]++)
            for (n[2] = -third; n[2] <= third; n[2]++)
                if (llabs(n[0]) == shell || llabs(n[1]) == shell || llabs(n[2]) == shell)
                    add_plain(&e, n, memory);
    POYI_TO_DONE(ctx, deliver(ctx, poyi_ewald_size(&e), memory, out));
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_lattice_shell_spherical(poy_ctx *ctx, const poy_lattice_sum *sum, int64_t shell, int64_t lmax,
                                       poy_c128 *out)
{
    return plain(ctx, sum, 1, shell, lmax, out);
}

poy_status poy_lattice_shell_cylindrical(poy_ctx *ctx, const poy_lattice_sum *sum, int64_t shell, int64_t mmax,
                                         poy_c128 *out)
{
    return plain(ctx, sum, 0, shell, mmax, out);
}

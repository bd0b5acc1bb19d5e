/* basis.c: bases of multipoles: their labels, origins and orders, and what all bases share. */
#include "scatter/waves/basis.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_waves(const poy_wave_mode *a, const poy_wave_mode *b)
{
    const int32_t labels[3][2] = {{a->particle, b->particle}, {a->l, b->l}, {a->m, b->m}};
    const double numbers[9][2] = {
        {a->kz, b->kz},           {a->component[0], b->component[0]}, {a->component[1], b->component[1]},
        {a->q[0].re, b->q[0].re}, {a->q[0].im, b->q[0].im},           {a->q[1].re, b->q[1].re},
        {a->q[1].im, b->q[1].im}, {a->q[2].re, b->q[2].re},           {a->q[2].im, b->q[2].im}};
    for (int i = 0; i < 3; i++)
        if (labels[i][0] != labels[i][1])
            return labels[i][0] < labels[i][1] ? -1 : 1;
    for (int i = 0; i < 9; i++) {
        const int order = compare_doubles(numbers[i][0], numbers[i][1]);
        if (order != 0)
            return order;
    }
    return 0;
}

static int compare_modes(const void *x, const void *y)
{
    const poy_wave_mode *const *a = x, *const *b = y;
    const int order = compare_waves(*a, *b);
    return order != 0 ? order : ((*a)->pol > (*b)->pol) - ((*a)->pol < (*b)->pol);
}

int poyi_mode_same_wave(const poy_wave_mode *a, const poy_wave_mode *b)
{
    return compare_waves(a, b) == 0;
}

const char *poyi_basis_kind_name(poy_basis_kind kind)
{
    static const char *const names[] = {"spherical", "cylindrical", "plane", "port"};
    return names[kind];
}

int poyi_largest_degree(const poy_basis *basis)
{
    int largest = 0;
    for (size_t i = 0; i < basis->size; i++) {
        const int n = basis->kind == POY_BASIS_SPHERICAL ? basis->modes[i].l : abs(basis->modes[i].m);
        largest = n > largest ? n : largest;
    }
    return largest;
}

int poyi_basis_is_plane(const poy_basis *basis)
{
    return basis->kind == POY_BASIS_PLANE || basis->kind == POY_BASIS_PORTS;
}

int poyi_alignment_normal(poy_alignment alignment)
{
    static const int normal[] = {2, 0, 1};
    return normal[alignment];
}

void poyi_turn_of(double phi, double *cosine, double *sine)
{
    static const double cosines[] = {1.0, 0.0, -1.0, 0.0};
    const double quarters = nearbyint(phi / (0.5 * POYI_PI));
    *cosine = cos(phi);
    *sine = sin(phi);
    if (fabs(quarters) < 1e6 && fabs(phi - quarters * 0.5 * POYI_PI) <= 4.0 * 0x1p-52 * fmax(1.0, fabs(phi))) {
        const int quarter = (int)quarters & 3;
        *cosine = cosines[quarter];
        *sine = cosines[(quarter + 3) & 3];
    }
}

/* ---- making one ---- */

static poy_wave_mode named_labels(poy_basis_kind kind, const poy_wave_mode *mode)
{
    poy_wave_mode m = {.pol = mode->pol};
    switch (kind) {
    case POY_BASIS_SPHERICAL: m.particle = mode->particle, m.l = mode->l, m.m = mode->m; break;
    case POY_BASIS_CYLINDRICAL: m.particle = mode->particle, m.kz = mode->kz, m.m = mode->m; break;
    case POY_BASIS_PLANE: memcpy(m.q, mode->q, sizeof m.q); break;
    default: memcpy(m.component, mode->component, sizeof m.component);
    }
    return m;
}

static poy_status fill(poy_ctx *ctx, poy_basis *b, const poy_wave_mode *modes, const double *positions)
{
    const char *name = poyi_basis_kind_name(b->kind);
    for (size_t i = 0; i < 3 * b->n_positions; i++) {
        b->positions[i] = positions ? positions[i] : 0.0;
        if (!isfinite(b->positions[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s basis: position %zu is not finite", name, i / 3);
    }
    for (size_t i = 0; i < b->size; i++) {
        b->modes[i] = named_labels(b->kind, &modes[i]);
        b->sorted[i] = &b->modes[i];
        if (b->modes[i].pol != 0 && b->modes[i].pol != 1)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s basis: mode %zu has pol = %d, needs 0 or 1", name, i,
                             (int)b->modes[i].pol);
    }
    qsort(b->sorted, b->size, sizeof(void *), compare_modes);
    for (size_t i = 1; i < b->size; i++)
        if (compare_modes(&b->sorted[i - 1], &b->sorted[i]) == 0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s basis: the modes %zu and %zu are the same", name,
                             (size_t)(b->sorted[i - 1] - b->modes), (size_t)(b->sorted[i] - b->modes));
    return POY_OK;
}

poy_status poyi_basis_make(poy_ctx *ctx, poy_basis_kind kind, poy_alignment alignment, size_t size,
                           const poy_wave_mode *modes, size_t n_positions, const double *positions, poy_basis **out)
{
    poy_status status;
    void *memory = NULL;
    size_t bytes;
    *out = NULL;
    if (size > INT32_MAX || n_positions > INT32_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s basis: %zu modes at %zu positions are too many",
                         poyi_basis_kind_name(kind), size, n_positions);
    bytes = sizeof(poy_basis) + size * (sizeof(poy_wave_mode) + sizeof(void *)) + 3 * n_positions * sizeof(double);
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "waves.basis", bytes, &memory));
    poy_basis *b = memory;
    b->references = 1;
    b->kind = kind;
    b->alignment = alignment;
    b->size = size;
    b->n_positions = n_positions;
    b->modes = (poy_wave_mode *)(b + 1);
    b->sorted = (const poy_wave_mode **)(b->modes + size);
    b->positions = (double *)(b->sorted + size);
    POYI_TO_DONE(ctx, fill(ctx, b, modes, positions));
    *out = b;
    return POY_OK;
done:
    poyi_free(&memory);
    return status;
}

poy_basis *poy_basis_retain(poy_basis *basis)
{
    if (basis)
        basis->references++;
    return basis;
}

void poy_basis_destroy(poy_basis **basis)
{
    void *memory = *basis;
    if (*basis && --(*basis)->references == 0)
        poyi_free(&memory);
    *basis = NULL;
}

/* ---- reading one ---- */

poy_basis_kind poy_basis_get_kind(const poy_basis *basis)
{
    return basis->kind;
}

poy_alignment poy_basis_alignment(const poy_basis *basis)
{
    return basis->alignment;
}

size_t poy_basis_size(const poy_basis *basis)
{
    return basis->size;
}

const poy_wave_mode *poy_basis_modes(const poy_basis *basis)
{
    return basis->modes;
}

size_t poy_basis_position_count(const poy_basis *basis)
{
    return basis->n_positions;
}

const double *poy_basis_positions(const poy_basis *basis)
{
    return basis->positions;
}

int poy_basis_is_global(const poy_basis *basis)
{
    for (size_t i = 1; i < basis->size; i++)
        if (basis->modes[i].particle != basis->modes[0].particle)
            return 0;
    return 1;
}

int64_t poy_basis_find(const poy_basis *basis, const poy_wave_mode *mode)
{
    const poy_wave_mode named = named_labels(basis->kind, mode), *key = &named;
    const poy_wave_mode **found = NULL;
    if (basis->size > 0)
        found = bsearch(&key, basis->sorted, basis->size, sizeof(void *), compare_modes);
    return found ? *found - basis->modes : -1;
}

int poy_basis_is_disjoint(const poy_basis *basis, const poy_basis *other)
{
    if (basis->kind != other->kind || basis->alignment != other->alignment)
        return 1;
    for (size_t i = 0; i < other->size; i++)
        if (poy_basis_find(basis, &other->modes[i]) >= 0)
            return 0;
    return 1;
}

size_t poy_basis_sw_default_size(int lmax, size_t n_positions)
{
    return lmax < 1 ? 0 : 2 * (size_t)lmax * ((size_t)lmax + 2) * n_positions;
}

int poy_basis_sw_default_lmax(size_t size, size_t n_positions)
{
    for (int lmax = 1; lmax <= POY_DEGREE_MAX && n_positions > 0; lmax++)
        if (poy_basis_sw_default_size(lmax, n_positions) == size)
            return lmax;
    return -1;
}

size_t poy_basis_cw_default_size(size_t n_kz, int mmax, size_t n_positions)
{
    return mmax < 0 ? 0 : 2 * n_kz * (2 * (size_t)mmax + 1) * n_positions;
}

int poy_basis_cw_default_mmax(size_t size, size_t n_kz, size_t n_positions)
{
    for (int mmax = 0; mmax <= POY_DEGREE_MAX && n_positions > 0 && n_kz > 0; mmax++)
        if (poy_basis_cw_default_size(n_kz, mmax, n_positions) == size)
            return mmax;
    return -1;
}

/* ---- multipoles ---- */

static poy_status check_particle(poy_ctx *ctx, poy_basis_kind kind, size_t i, const poy_wave_mode *m,
                                 size_t n_positions)
{
    if (m->particle < 0 || (size_t)m->particle >= n_positions)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s basis: mode %zu is of particle %d, there are %zu positions",
                         poyi_basis_kind_name(kind), i, (int)m->particle, n_positions);
    return POY_OK;
}

static size_t positions_or_one(size_t n_positions, const double *positions)
{
    return n_positions == 0 && !positions ? 1 : n_positions;
}

poy_status poy_basis_sw_create(poy_ctx *ctx, size_t n, const poy_wave_mode *modes, size_t n_positions,
                               const double *positions, poy_basis **out)
{
    const size_t origins = positions_or_one(n_positions, positions);
    *out = NULL;
    for (size_t i = 0; i < n; i++) {
        const int l = modes[i].l, m = modes[i].m;
        POYI_TRY(ctx, check_particle(ctx, POY_BASIS_SPHERICAL, i, &modes[i], origins));
        if (l < 1 || l > POY_DEGREE_MAX || m < -l || m > l)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "spherical basis: mode %zu has l = %d and m = %d, needs l in 1..%d, |m| <= l", i, l, m,
                             POY_DEGREE_MAX);
    }
    POYI_TRY(ctx, poyi_basis_make(ctx, POY_BASIS_SPHERICAL, POY_XY, n, modes, origins, positions, out));
    return POY_OK;
}

poy_status poy_basis_cw_create(poy_ctx *ctx, size_t n, const poy_wave_mode *modes, size_t n_positions,
                               const double *positions, poy_basis **out)
{
    const size_t origins = positions_or_one(n_positions, positions);
    *out = NULL;
    for (size_t i = 0; i < n; i++) {
        POYI_TRY(ctx, check_particle(ctx, POY_BASIS_CYLINDRICAL, i, &modes[i], origins));
        if (abs(modes[i].m) > POY_DEGREE_MAX || !isfinite(modes[i].kz))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "cylindrical basis: mode %zu has m = %d and kz = %g, needs |m| <= %d and a finite kz", i,
                             (int)modes[i].m, modes[i].kz, POY_DEGREE_MAX);
    }
    POYI_TRY(ctx, poyi_basis_make(ctx, POY_BASIS_CYLINDRICAL, POY_XY, n, modes, origins, positions, out));
    return POY_OK;
}

/* Both orders of spherical modes are one loop nest: outer over l (or m), inner over m (or l). */
static poy_status spherical_series(poy_ctx *ctx, int lmax, int mmax, int by_order, size_t n_positions,
                                   const double *positions, poy_basis **out)
{
    const size_t origins = positions_or_one(n_positions, positions);
    poy_status status;
    void *memory = NULL;
    size_t n = 0, bytes, per_origin = 0;
    *out = NULL;
    if (lmax < 0 || lmax > POY_DEGREE_MAX || mmax < 0 || mmax > lmax)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "spherical basis: lmax = %d and mmax = %d, needs 0 <= mmax <= lmax <= %d", lmax, mmax,
                         POY_DEGREE_MAX);
    for (int l = 1; l <= lmax; l++)
        per_origin += 2 * (2 * (size_t)(l < mmax ? l : mmax) + 1);
    POYI_TRY(ctx, poyi_mul_size(ctx, origins, per_origin * sizeof(poy_wave_mode), &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.basis", bytes, &memory));
    poy_wave_mode *modes = memory;
    for (size_t particle = 0; particle < origins; particle++) {
        const int first = by_order ? -mmax : 1, last = by_order ? mmax : lmax;
        for (int outer = first; outer <= last; outer++) {
            const int least = abs(outer) > 1 ? abs(outer) : 1, bound = outer < mmax ? outer : mmax;
            for (int inner = by_order ? least : -bound; inner <= (by_order ? lmax : bound); inner++)
                for (int pol = 1; pol >= 0; pol--)
                    modes[n++] = (poy_wave_mode){.particle = (int32_t)particle,
                                                 .l = by_order ? inner : outer,
                                                 .m = by_order ? outer : inner,
                                                 .pol = pol};
        }
    }
    POYI_TO_DONE(ctx, poy_basis_sw_create(ctx, n, modes, origins, positions, out));
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_basis_sw_default(poy_ctx *ctx, int lmax, size_t n_positions, const double *positions, poy_basis **out)
{
    POYI_TRY(ctx, spherical_series(ctx, lmax, lmax, 0, n_positions, positions, out));
    return POY_OK;
}

poy_status poy_basis_sw_ebcm(poy_ctx *ctx, int lmax, int mmax, size_t n_positions, const double *positions,
                             poy_basis **out)
{
    POYI_TRY(ctx, spherical_series(ctx, lmax, mmax < 0 ? lmax : mmax, 1, n_positions, positions, out));
    return POY_OK;
}

poy_status poy_basis_cw_default(poy_ctx *ctx, size_t n_kz, const double *kz, int mmax, size_t n_positions,
                                const double *positions, poy_basis **out)
{
    const size_t origins = positions_or_one(n_positions, positions);
    poy_status status;
    void *memory = NULL;
    size_t n = 0, bytes;
    *out = NULL;
    if (mmax < 0 || mmax > POY_DEGREE_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cylindrical basis: mmax = %d, needs 0 to %d", mmax, POY_DEGREE_MAX);
    POYI_TRY(ctx, poyi_mul_size(ctx, origins, n_kz, &bytes));
    POYI_TRY(ctx, poyi_mul_size(ctx, bytes, 2 * (2 * (size_t)mmax + 1) * sizeof(poy_wave_mode), &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.basis", bytes, &memory));
    poy_wave_mode *modes = memory;
    for (size_t particle = 0; particle < origins; particle++)
        for (size_t i = 0; i < n_kz; i++)
            for (int m = -mmax; m <= mmax; m++)
                for (int pol = 1; pol >= 0; pol--)
                    modes[n++] = (poy_wave_mode){.particle = (int32_t)particle, .m = m, .pol = pol, .kz = kz[i]};
    POYI_TO_DONE(ctx, poy_basis_cw_create(ctx, n, modes, origins, positions, out));
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_basis_cw_diffr_orders(poy_ctx *ctx, double kz, int mmax, double period, double bmax, size_t n_positions,
                                     const double *positions, poy_basis **out)
{
    poy_status status;
    void *memory = NULL;
    *out = NULL;
    if (!isfinite(kz) || !isfinite(period) || period == 0.0 || !isfinite(bmax) || bmax < 0.0)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "cylindrical basis: kz = %g, period = %g, bmax = %g, needs finite numbers, a period other than 0 "
            "and bmax >= 0",
            kz, period, bmax);
    const double step = 2.0 * POYI_PI / period, last = floor(bmax / fabs(step) * (1.0 + 8.0 * 0x1p-52));
    if (last > 1e6)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "cylindrical basis: bmax = %g with period %g gives %g orders, at most 1e6", bmax, period,
                         last);
    const int count = (int)last;
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.basis", (2 * (size_t)count + 1) * sizeof(double), &memory));
    double *all = memory;
    for (int j = -count; j <= count; j++)
        all[j + count] = kz + j * step;
    POYI_TO_DONE(ctx, poy_basis_cw_default(ctx, 2 * (size_t)count + 1, all, mmax, n_positions, positions, out));
done:
    poyi_free(&memory);
    return status;
}

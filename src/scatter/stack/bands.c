/* bands.c: transfer matrices of S-matrices, and the Bloch waves of what repeats along the normal. */
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "record/builtin.h"
#include "record/lapack.h"
#include "scatter/stack/bands.h"
#include "scatter/stack/junction.h"
#include "scatter/stack/smatrix.h"

static poy_status is_periodic(poy_ctx *ctx, const poy_smatrix *s)
{
    const poy_medium *a = &s->medium[0], *b = &s->medium[1];
    if (a->epsilon.re != b->epsilon.re || a->epsilon.im != b->epsilon.im || a->mu.re != b->mu.re ||
        a->mu.im != b->mu.im || a->kappa.re != b->kappa.re || a->kappa.im != b->kappa.im)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "S-matrix: repeated along the normal, it needs one medium on both sides; here epsilon = %g%+gi "
            "below, %g%+gi above (or mu, kappa differ)",
            b->epsilon.re, b->epsilon.im, a->epsilon.re, a->epsilon.im);
    return POY_OK;
}

poy_status poyi_transfer_solve(poy_ctx *ctx, const poyi_transfer *t, poy_c128 *out)
{
    const size_t n = t->n, size = n * n;
    const poy_c128 *back = t->blocks + 2 * size;
    memcpy(t->lu, t->blocks + 3 * size, size * sizeof *t->lu);
    if (n > 0 && poyi_lu_factor(POY_C128, (int64_t)n, t->lu, t->pivots) != 0)
        return POYI_FAIL(ctx, POY_ERR_SINGULAR,
                         "transfer matrix: waves down do not pass (S11 is singular); poy_smatrix_bands needs no such "
                         "matrix");
    poyi_rows_of_pair(n, t->blocks, out);
    poy_c128 *below = out + 2 * size; /* [-S10 S00, 1 - S10 S01] */
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, (int64_t)(2 * n), (int64_t)n, -1.0, back, out, 0.0, below);
    for (size_t i = 0; i < n; i++)
        below[i * 2 * n + n + i].re += 1.0;
    poyi_lu_solve(POY_C128, 0, (int64_t)n, (int64_t)(2 * n), t->lu, t->pivots, below, below, t->work);
    return POY_OK;
}

poy_status poy_smatrix_transfer(poy_ctx *ctx, const poy_smatrix *s, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    const size_t n = s->n, size = n * n;
    POYI_TRY(ctx, is_periodic(ctx, s));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "S-matrix", (int64_t)(2 * n)));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.smatrix", 3 * size * sizeof(poy_c128) + n * sizeof(int32_t), &memory));
    poy_c128 *lu = memory, *work = lu + size;
    const poyi_transfer t = {n, s->values, lu, work, (int32_t *)(void *)(work + 2 * size)};
    POYI_TO_DONE(ctx, poyi_transfer_solve(ctx, &t, out));
done:
    poyi_free(&memory);
    return status;
}

/* ---- Bloch waves ---- */

/* a = A - sigma B, b = B of the pencil, [2 n][2 n]. */
static void pencil(size_t n, const poy_c128 *blocks, double complex sigma, poy_c128 *a, poy_c128 *b)
{
    const size_t m = 2 * n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            const poy_c128 *entry = blocks + ((j >= n) * n + i) * n + j % n;
            const double complex upper = poyi_c(*entry), lower = poyi_c(entry[2 * n * n]);
            b[i * m + j] = (poy_c128){i == j, 0.0};
            b[(n + i) * m + j] = poyi_pair(lower);
            a[i * m + j] = poyi_pair(upper - (i == j ? sigma : 0.0));
            a[(n + i) * m + j] = poyi_pair((n + i == j ? 1.0 : 0.0) - sigma * lower);
        }
}

static double column_norm(size_t n, const poy_c128 *a)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += hypot(a[i * n + j].re, a[i * n + j].im);
        most = fmax(most, sum);
    }
    return most;
}

/* Factors of A - sigma B in a, B in b: of a few sigma off the unit circle the one whose matrix is best conditioned. */
static double complex best_shift(size_t ports, const poy_c128 *blocks, poy_c128 *a, poy_c128 *b, int32_t *pivots,
                                 poy_c128 *work)
{
    static const double turns[] = {0.31, 1.93, 3.71, 5.27};
    const size_t n = 2 * ports;
    double complex best = 1.0;
    double best_rcond = -1.0;
    for (size_t i = 0; i <= sizeof turns / sizeof turns[0]; i++) {
        const int last = i == sizeof turns / sizeof turns[0];
        const double complex sigma = last ? best : CMPLX(1.3 * cos(turns[i]), 1.3 * sin(turns[i]));
        pencil(ports, blocks, sigma, a, b);
        const double norm = column_norm(n, a);
        if (poyi_lu_factor(POY_C128, (int64_t)n, a, pivots) != 0 || last)
            continue;
        const double rcond = poyi_lu_rcond((int64_t)n, a, norm, work);
        if (rcond > best_rcond) {
            best_rcond = rcond;
            best = sigma;
        }
    }
    return best;
}

double complex poyi_bands_operator(size_t ports, const poy_c128 *blocks, poy_c128 *lu, int32_t *pivots, poy_c128 *k,
                                   poy_c128 *work)
{
    const int64_t n = 2 * (int64_t)ports;
    const double complex sigma = best_shift(ports, blocks, lu, k, pivots, work);
    poyi_lu_solve(POY_C128, 0, n, n, lu, pivots, k, k, work);
    return sigma;
}

static int by_kz(const void *x, const void *y)
{
    const poyi_bloch_wave *a = x, *b = y;
    if (a->kz.re != b->kz.re)
        return a->kz.re < b->kz.re ? -1 : 1;
    if (a->kz.im != b->kz.im)
        return a->kz.im < b->kz.im ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* mu = 1 / (w - sigma) */
static poy_c128 wavenumber(double complex mu, double complex sigma, double period)
{
    const double pi = POYI_PI;
    if (mu == 0.0)
        return (poy_c128){0.0, (double)-INFINITY};
    const double complex w = sigma + 1.0 / mu;
    if (w == 0.0)
        return (poy_c128){0.0, (double)INFINITY};
    double angle = carg(w);
    if (angle <= -pi)
        angle = pi;
    return (poy_c128){angle / period, -log(cabs(w)) / period};
}

void poyi_bands_sort(size_t n, const poy_c128 *mu, double complex sigma, double period, poyi_bloch_wave *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (poyi_bloch_wave){wavenumber(poyi_c(mu[i]), sigma, period), i};
    qsort(out, n, sizeof *out, by_kz);
}

/* Column at of vectors from the eigenvector x. */
static void normalise(size_t n, const poy_c128 *x, size_t at, poy_c128 *vectors)
{
    const poy_rec_array columns = {.spec = {POY_C128, 2, {(int64_t)n, (int64_t)n}}, .data = vectors};
    for (size_t i = 0; i < n; i++)
        vectors[i * n + at] = x[i];
    (void)poyi_rec_fix_column(&columns, (int64_t)at);
}

static void transpose(size_t n, poy_c128 *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const poy_c128 x = a[i * n + j];
            a[i * n + j] = a[j * n + i];
            a[j * n + i] = x;
        }
}

poy_status poy_smatrix_bands(poy_ctx *ctx, const poy_smatrix *s, double period, poy_c128 *kz, poy_c128 *vectors)
{
    poy_status status;
    void *memory = NULL, *eig = NULL;
    const size_t n = 2 * s->n, size = n * n;
    if (!(period > 0.0) || !isfinite(period))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "bands: the period %g, needs a finite length above 0", period);
    POYI_TRY(ctx, is_periodic(ctx, s));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "bands", (int64_t)n));
    POYI_TO_DONE(ctx,
                 poyi_alloc(ctx, "scatter.smatrix",
                            (4 * size + 4 * n) * sizeof(poy_c128) + n * (sizeof(poyi_bloch_wave) + sizeof(int32_t)),
                            &memory));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.smatrix", poyi_eig_work((int64_t)n), &eig));
    poy_c128 *a = memory, *b = a + size, *vt = b + size, *work = vt + size, *mu = work + size + 3 * n;
    poyi_bloch_wave *waves = (poyi_bloch_wave *)(void *)(mu + n);
    int32_t *pivots = (int32_t *)(void *)(waves + n);
    const double complex sigma = poyi_bands_operator(s->n, s->values, a, pivots, b, work);
    transpose(n, b); /* LAPACK counts columns first */
    POYI_TO_DONE(ctx, poyi_eig(ctx, (int64_t)n, b, mu, vt, eig));
    poyi_bands_sort(n, mu, sigma, period, waves);
    for (size_t i = 0; i < n; i++) {
        kz[i] = waves[i].kz;
        if (vectors)
            normalise(n, vt + waves[i].index * n, i, vectors);
    }
done:
    poyi_free(&eig);
    poyi_free(&memory);
    return status;
}

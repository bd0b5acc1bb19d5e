/* linear_basis.c: the weights of fixed terms along z, and their integrals. */
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "pulse/guide/linear.h"

enum { SERIES_MAX = 1025 };

/* ---- a basis at a place ---- */

static double part_at(const poy_guide_place *place, int part)
{
    const double a = place->core_radius;
    switch (part) {
    case 0: return 1.0;
    case 1: return 1.0 / (a * a);
    case 2: return 1.0 / (a * a * a);
    default: return place->density[part - 3];
    }
}

static void hats(const double *z, int n, double at, double *weights)
{
    int i = 0;
    memset(weights, 0, (size_t)n * sizeof *weights);
    while (i < n - 1 && at >= z[i + 1])
        i++;
    const double share = i < n - 1 && at > z[i] ? (at - z[i]) / (z[i + 1] - z[i]) : 0.0;
    weights[i] = 1.0 - share;
    if (i < n - 1)
        weights[i + 1] = share;
}

void poyi_basis_at(const poyi_basis *basis, const poy_guide *guide, const poy_guide_place *place, double *weights)
{
    const double *z = NULL;
    weights[0] = 1.0;
    if (basis->kind == POYI_BASIS_PARTS) {
        for (int k = 0; k < basis->n; k++)
            weights[k] = part_at(place, basis->part[k]);
    } else if (basis->kind == POYI_BASIS_PLANES) {
        const int n = guide->kind->planes(guide, &z);
        hats(z, n, place->z, weights);
    } else if (basis->kind == POYI_BASIS_FAMILY) {
        const double x = basis->by_radius ? 1.0 / place->core_radius : place->pressure;
        const double t = fmin(fmax(((x - basis->low) - (basis->high - x)) / (basis->high - basis->low), -1.0), 1.0);
        for (int k = 1; k < basis->n; k++)
            weights[k] = k == 1 ? t : 2.0 * t * weights[k - 1] - weights[k - 2];
    }
}

void poyi_basis_place(const poyi_basis *basis, const poy_guide *guide, double variable, poy_guide_place *place)
{
    poy_guide_at(guide, 0.0, place);
    if (basis->by_radius) {
        place->core_radius = 1.0 / variable;
    } else {
        place->pressure = variable;
        poyi_fill_density(&guide->fill, variable, place->density);
    }
}

/* ---- integrals ---- */

/* Rounding of T_k at a place: that of its argument times k^2. Where the variable hardly varies it is all that is left of
 * T_k, but what stands before T_k is as small then. */
static double noise_of(const poyi_basis *basis, int k)
{
    if (basis->kind != POYI_BASIS_FAMILY)
        return 1e-15;
    return 1e-15 + 4e-16 * (double)k * (double)k * basis->high / (basis->high - basis->low);
}

/* Series of the basis times dz/dt on a span, as many terms as it takes, and their antiderivatives. */
static poy_status integrate(poy_ctx *ctx, const poy_guide *guide, const poyi_basis *basis, const poyi_span *span,
                            int *terms, double **out)
{
    poy_status status = POY_OK;
    const int n = basis->n;
    double *cosines = NULL, *values = NULL, *column = NULL;
    for (int m = 9; m <= SERIES_MAX; m = 2 * m - 1) {
        const size_t side = (size_t)m;
        double worst = 0.0;
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "pulse.linear", side * side * sizeof *cosines, (void **)&cosines));
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "pulse.linear", side * ((size_t)n + 1) * sizeof *values, (void **)&values));
        column = values + side * (size_t)n;
        poyi_chebyshev_matrix(m, cosines);
        for (int i = 0; i < m; i++) {
            poy_guide_place place;
            double slope = 0.0, *row = values + (ptrdiff_t)i * n;
            poyi_span_place(span, guide, poyi_chebyshev_point(i, m), &place, &slope);
            poyi_basis_at(basis, guide, &place, row);
            for (int k = 0; k < n; k++)
                row[k] *= slope;
        }
        poyi_chebyshev_transform(m, n, cosines, values, column);
        for (int k = 0; k < n; k++) {
            double size = 0.0;
            for (int i = 0; i < m; i++)
                size = fmax(size, fabs(values[(ptrdiff_t)i * n + k]));
            const double tail = fabs(values[(ptrdiff_t)(m - 1) * n + k]) + fabs(values[(ptrdiff_t)(m - 2) * n + k]);
            worst = fmax(worst, size > 0.0 ? tail / size / noise_of(basis, k) : 0.0);
        }
        if (worst <= 1.0) {
            POYI_TO_DONE(ctx, poyi_alloc(ctx, "pulse.linear", (side + 1) * (size_t)n * sizeof **out, (void **)out));
            for (int k = 0; k < n; k++) {
                for (int i = 0; i < m; i++)
                    column[i] = values[(ptrdiff_t)i * n + k];
                poyi_chebyshev_integral(m, column, *out + (ptrdiff_t)k * (m + 1));
            }
            *terms = m + 1;
            goto done;
        }
        poyi_free((void **)&cosines);
        poyi_free((void **)&values);
    }
    status = POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "the guide changes too fast between z = %g m and %g m", span->z0,
                       span->z1);
done:
    poyi_free((void **)&cosines);
    poyi_free((void **)&values);
    return status;
}

static poy_status integrate_all(poy_ctx *ctx, const poy_guide *guide, const poyi_basis *basis, double length,
                                poyi_integrals *out)
{
    const size_t n = (size_t)basis->n;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "pulse.linear", POYI_SPANS_MAX * sizeof *out->spans, (void **)&out->spans));
    POYI_TRY(ctx, poyi_spans_create(ctx, guide, length, out->spans, &out->n_span));
    const size_t spans = (size_t)out->n_span;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "pulse.linear", spans * sizeof *out->terms, (void **)&out->terms));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "pulse.linear", spans * sizeof(void *), (void **)&out->series));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "pulse.linear", (spans + 1) * n * sizeof *out->start, (void **)&out->start));
    for (size_t s = 0; s < spans; s++) {
        POYI_TRY(ctx, integrate(ctx, guide, basis, &out->spans[s], &out->terms[s], &out->series[s]));
        for (size_t k = 0; k < n; k++) {
            const int terms = out->terms[s];
            const double whole = poyi_chebyshev_eval(terms, out->series[s] + k * (size_t)terms, -1.0, 1.0, 1.0);
            out->start[(s + 1) * n + k] = out->start[s * n + k] + whole;
        }
    }
    return POY_OK;
}

poy_status poyi_integrals_create(poy_ctx *ctx, const poy_guide *guide, const poyi_basis *basis, double length,
                                 poyi_integrals *out)
{
    *out = (poyi_integrals){.n = basis->n};
    if (basis->kind == POYI_BASIS_ONE)
        return POY_OK;
    const poy_status status = integrate_all(ctx, guide, basis, length, out);
    if (status != POY_OK)
        poyi_integrals_fini(out);
    return status;
}

void poyi_integrals_fini(poyi_integrals *integrals)
{
    for (int s = 0; integrals->series && s < integrals->n_span; s++)
        poyi_free((void **)&integrals->series[s]);
    poyi_free((void **)&integrals->spans);
    poyi_free((void **)&integrals->terms);
    poyi_free((void **)&integrals->series);
    poyi_free((void **)&integrals->start);
}

void poyi_integrals_at(const poyi_integrals *integrals, const poy_guide *guide, double z, double *weights)
{
    if (integrals->n_span == 0) {
        weights[0] = z;
        return;
    }
    const int s = poyi_span_find(integrals->spans, integrals->n_span, z), terms = integrals->terms[s];
    const double t = poyi_span_t(&integrals->spans[s], guide, z);
    for (int k = 0; k < integrals->n; k++)
        weights[k] = integrals->start[(ptrdiff_t)s * integrals->n + k] +
                     poyi_chebyshev_eval(terms, integrals->series[s] + (ptrdiff_t)k * terms, -1.0, 1.0, t);
}

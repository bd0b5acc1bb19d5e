/* orders.c: diffraction orders by the length of their whole transverse wavevector, of plane lattices and of gratings. */
#include "core/constants.h"
#include "scatter/waves/basis.h"

typedef struct search {
    int dim;
    double b[2][2], kpar[2], kmax;
    long low[2], high[2];
} search;

/* kpar + i b_1 + j b_2, into q; nonzero if it is within kmax, to 8 ulp of the largest term. */
static int inside(const search *s, long i, long j, double q[2])
{
    double size = s->kmax;
    for (int c = 0; c < 2; c++) {
        const double x = (double)i * s->b[0][c], y = (double)j * s->b[1][c];
        q[c] = s->kpar[c] + (x + y);
        size = fmax(size, fabs(x) + fabs(y) + fabs(s->kpar[c]));
    }
    const double length = s->dim == 1 ? fabs(q[1]) : hypot(q[0], q[1]);
    return length <= s->kmax + 8.0 * 0x1p-52 * size;
}

/* The order (0, 0) first, then by rising i, then j. Their number; into components [2] each where that is not NULL. */
static size_t collect(const search *s, double *components)
{
    double q[2];
    size_t n = 0;
    if (inside(s, 0, 0, q)) {
        if (components) {
            components[0] = q[0];
            components[1] = q[1];
        }
        n = 1;
    }
    for (long i = s->low[0]; i <= s->high[0]; i++)
        for (long j = s->low[1]; j <= s->high[1]; j++) {
            if ((i == 0 && j == 0) || !inside(s, i, j, q))
                continue;
            if (components) {
                components[2 * n] = q[0];
                components[2 * n + 1] = q[1];
            }
            n++;
        }
    return n;
}

/* a_1.(kpar + G) = a_1.kpar + 2 pi i bounds i, of any cell. */
static poy_status limit(poy_ctx *ctx, search *s, int which, const double *a)
{
    const double centre = -(a[0] * s->kpar[0] + a[1] * s->kpar[1]) / (2.0 * POYI_PI);
    const double reach = hypot(a[0], a[1]) * s->kmax / (2.0 * POYI_PI);
    if (!(fabs(centre) + reach < 1e4))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "diffraction orders: kmax = %g gives orders %g..%g of a cell of %g, at most 1e4", s->kmax,
                         centre - reach, centre + reach, hypot(a[0], a[1]));
    s->low[which] = (long)floor(centre - reach);
    s->high[which] = (long)ceil(centre + reach);
    return POY_OK;
}

static poy_status prepare(poy_ctx *ctx, int dim, const double *a, const double kpar[2], double kmax, search *s)
{
    *s = (search){.dim = dim, .kpar = {kpar[0], kpar[1]}, .kmax = kmax};
    if (dim != 1 && dim != 2)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "diffraction orders: a lattice of %d dimensions, needs 1 or 2", dim);
    if (!isfinite(kmax) || kmax < 0.0 || !isfinite(kpar[0]) || !isfinite(kpar[1]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "diffraction orders: kmax = %g, kpar = (%g, %g), need finite numbers, kmax at least 0", kmax,
                         kpar[0], kpar[1]);
    const double cell[2][2] = {{dim == 1 ? 1.0 : a[0], dim == 1 ? 0.0 : a[1]},
                               {dim == 1 ? 0.0 : a[2], a[dim == 1 ? 0 : 3]}};
    const double area = cell[0][0] * cell[1][1] - cell[0][1] * cell[1][0];
    if (!isfinite(area) || fabs(area) <= 8.0 * 0x1p-52 * hypot(cell[0][0], cell[0][1]) * hypot(cell[1][0], cell[1][1]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "diffraction orders: the cell (%g, %g), (%g, %g) has no area",
                         cell[0][0], cell[0][1], cell[1][0], cell[1][1]);
    const double scale = 2.0 * POYI_PI / area;
    s->b[0][0] = scale * cell[1][1];
    s->b[0][1] = -scale * cell[1][0];
    s->b[1][0] = -scale * cell[0][1];
    s->b[1][1] = scale * cell[0][0];
    if (dim == 2)
        POYI_TRY(ctx, limit(ctx, s, 0, cell[0]));
    POYI_TRY(ctx, limit(ctx, s, 1, cell[1]));
    return POY_OK;
}

poy_status poy_ports_within(poy_ctx *ctx, poy_alignment alignment, const double kpar[2], int dim, const double *a,
                            double kmax, poy_basis **out)
{
    poy_status status;
    void *memory = NULL;
    search s;
    *out = NULL;
    POYI_TRY(ctx, prepare(ctx, dim, a, kpar, kmax, &s));
    const size_t n = collect(&s, NULL);
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.basis", n * 2 * sizeof(double), &memory));
    (void)collect(&s, memory);
    POYI_TO_DONE(ctx, poy_ports_default(ctx, alignment, n, memory, out));
done:
    poyi_free(&memory);
    return status;
}

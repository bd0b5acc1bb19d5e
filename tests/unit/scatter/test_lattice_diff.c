/* test_lattice_diff.c: derivatives of lattice sums against published ones and differences of the sums. */
#include <string.h>

#include "scatter/periodic/ewald.h"
#include "scatter/periodic/lattice_diff.h"
#include "scatter/waves/expand/translation.h"
#include "unit/special_table.h"

enum { NMAX = 5, MOST = 20, SIZE = (NMAX + 1) * (NMAX + 1) };

/* ---- a published gradient (36 digits and more): of Re D_21 of a plane lattice, off it ---- */

static void test_published(poy_ctx *ctx)
{
    static const double kpar[2] = {0.3, 0.2}, a[4] = {1.7, 0.0, 0.4, 1.8}, r[3] = {0.2, 0.1, 0.9};
    static const double want[11] = {0.008213221491492789, -0.013371657555094936, 0.07973627600761488,
                                    0.1540372224646343,   0.014237402315589745,  0.011293941564501097,
                                    -0.00803158124587243, -0.06862114620318766,  0.02565863765086393,
                                    -0.4759538434009605,  0.24107428996094848};
    static poyi_xcomplex jacobian[MOST * SIZE];
    const poy_lattice_sum sum = {.dim = 2, .k = {2.1, 0.0}, .kpar = kpar, .a = a, .r = r};
    const size_t size = poyi_table_size(NMAX);
    double worst = 0.0, largest = 0.0;
    const poy_status status = poyi_lattice_jacobian(ctx, &sum, NMAX, POYI_SLOPES, jacobian);
    const size_t at = (size_t)poyi_table_place(NMAX, 2, 1);
    for (size_t i = 0; i < 10; i++) { /* k as its conjugate gradient, then all real ones */
        const poyi_xcomplex d = jacobian[(i + 1) * size + at];
        const double got[2] = {(double)creall(d), i == 0 ? -(double)cimagl(d) : 0.0};
        worst = fmax(worst, fabs(got[0] - want[i == 0 ? 0 : i + 1]));
        worst = fmax(worst, i == 0 ? fabs(got[1] - want[1]) : 0.0);
        largest = fmax(largest, fabs(want[i + 1]));
    }
    ok(status == POY_OK && worst <= 1e-14 * largest, "the published gradient of D_21: off by %.1e of %.1e", worst,
       largest);
}

/* ---- differences ---- */

typedef struct inputs {
    double complex k;
    double kpar[3], a[9], r[3];
} inputs;

static double *real_input(inputs *x, int dim, size_t which)
{
    const size_t n = (size_t)dim;
    return which < n ? x->kpar + which : which < n + n * n ? x->a + which - n : x->r + which - n - n * n;
}

static poy_status table(poy_ctx *ctx, int dim, const inputs *x, poyi_xcomplex *out)
{
    const poy_lattice_sum sum = {.dim = dim, .k = {creal(x->k), cimag(x->k)}, .kpar = x->kpar, .a = x->a, .r = x->r};
    return poyi_lattice_table(ctx, &sum, 1, NMAX, out, NULL);
}

/* Central differences of four points, error h^4 f''''' / 30: at h = 2e-3 about 1e-10 of the scale. */
static double difference_error(poy_ctx *ctx, int dim, const inputs *at, size_t which, const poyi_xcomplex *slope,
                               const poyi_xcomplex *scale)
{
    static const double steps[4] = {-2.0, -1.0, 1.0, 2.0}, weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    static poyi_xcomplex value[4][SIZE];
    const double h = 1e-3;
    double worst = 0.0;
    for (int s = 0; s < 4; s++) {
        inputs x = *at;
        if (which == 0)
            x.k += h * steps[s];
        else
            *real_input(&x, dim, which - 1) += h * steps[s];
        if (table(ctx, dim, &x, value[s]) != POY_OK)
            return 1.0;
    }
    for (int l = 0; l <= NMAX; l++) {
        double size = 0.0, error = 0.0;
        for (int m = -l; m <= l; m++) {
            const size_t place = (size_t)poyi_table_place(NMAX, l, m);
            poyi_xcomplex d = 0.0L;
            for (int s = 0; s < 4; s++)
                d += value[s][l * (l + 1) + m] * (poyi_xreal)(weights[s] / h);
            size = fmax(size, (double)(cabsl(slope[place]) + cabsl(scale[place])));
            error = fmax(error, (double)cabsl(d - slope[place]));
        }
        worst = fmax(worst, error / size);
    }
    return worst;
}

static void test_differences(poy_ctx *ctx)
{
    static const inputs where[4] = {
        {2.1, {0.3, 0.2, 0.1}, {1.7}, {0.2, 0.3, 0.1}},
        {CMPLX(2.1, 0.3), {0.3, 0.2, 0.1}, {1.7, 0.0, 0.4, 1.8}, {0.3, -0.2, 0.4}},
        {2.1, {0.3, 0.2, 0.1}, {1.5, 0.0, 0.1, 0.3, 1.6, 0.0, 0.2, -0.4, 1.8}, {0.3, -0.2, 0.4}},
        {2.1, {0.3, 0.2, 0.1}, {1.7, 0.0, 0.4, 1.8}, {0.3, -0.2, 3.1}}, /* by its orders */
    };
    static const int dims[4] = {1, 2, 3, 2};
    static poyi_xcomplex jacobian[MOST * SIZE];
    for (int c = 0; c < 4; c++) {
        const int dim = dims[c];
        const poy_lattice_sum sum = {.dim = dim,
                                     .k = {creal(where[c].k), cimag(where[c].k)},
                                     .kpar = where[c].kpar,
                                     .a = where[c].a,
                                     .r = where[c].r};
        double worst = 0.0;
        const poy_status status = poyi_lattice_jacobian(ctx, &sum, NMAX, POYI_SLOPES, jacobian);
        for (size_t i = 1; i < poyi_lattice_tables(dim); i++) {
            const double error = difference_error(ctx, dim, where + c, i - 1, jacobian + i * SIZE, jacobian);
            worst = error <= worst ? worst : error;
        }
        ok(status == POY_OK && worst < 2e-7, "%d dimensions%s: by all inputs as differences have it, %.1e", dim,
           c == 3 ? ", far away" : "", worst);
    }
}

/* ---- cylindrical waves ---- */

enum { WIDTH = 2 * NMAX + 1 };

static poy_lattice_sum axial_sum(int dim, const inputs *x)
{
    return (poy_lattice_sum){.dim = dim, .k = {creal(x->k), cimag(x->k)}, .kpar = x->kpar, .a = x->a, .r = x->r};
}

/* As difference_error, of one input. */
static double axial_error(poy_ctx *ctx, int dim, const inputs *at, size_t which, const poyi_xcomplex *slope,
                          const poyi_xcomplex *scale)
{
    static const double steps[4] = {-2.0, -1.0, 1.0, 2.0}, weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    const double h = 1e-3;
    poyi_xcomplex value[WIDTH], d[WIDTH] = {0.0L};
    double worst = 0.0;
    for (int step = 0; step < 4; step++) {
        inputs x = *at;
        if (which == 0)
            x.k += h * steps[step];
        else
            *real_input(&x, dim, which - 1) += h * steps[step];
        const poy_lattice_sum sum = axial_sum(dim, &x);
        if (poyi_lattice_table(ctx, &sum, 0, NMAX, value, NULL) != POY_OK)
            return 1.0;
        for (int m = 0; m < WIDTH; m++)
            d[m] += value[m] * (poyi_xreal)(weights[step] / h);
    }
    for (int m = 0; m < WIDTH; m++)
        worst = fmax(worst, (double)(cabsl(d[m] - slope[m]) / (cabsl(slope[m]) + cabsl(scale[m]) + 1e-3L)));
    return worst;
}

/* By k, kpar, a and two components of r; far from a line by its orders; at its own point, where r stays. */
static void test_axial_differences(poy_ctx *ctx)
{
    static const inputs where[4] = {{2.1, {0.3}, {1.7}, {0.2, 0.3}},
                                    {CMPLX(2.1, 0.3), {0.3, 0.2}, {1.7, 0.0, 0.4, 1.8}, {0.3, -0.2}},
                                    {2.1, {0.3}, {1.7}, {0.2, 2.9}},
                                    {2.1, {0.3, -0.1}, {1.7, 0.1, 0.4, 1.8}, {0.0, 0.0}}};
    static const int dims[4] = {1, 2, 1, 2};
    static poyi_xcomplex jacobian[MOST * WIDTH], value[WIDTH];
    for (int c = 0; c < 4; c++) {
        const size_t dim = (size_t)dims[c], count = 1 + dim + dim * dim + (c == 3 ? 0 : 2);
        const poy_lattice_sum sum = axial_sum(dims[c], where + c);
        double worst = 0.0;
        int good = poyi_lattice_jacobian_axial(ctx, &sum, NMAX, jacobian) == POY_OK &&
                   poyi_lattice_table(ctx, &sum, 0, NMAX, value, NULL) == POY_OK;
        for (int m = 0; m < WIDTH; m++)
            good &= cabsl(value[m] - jacobian[m]) <= 1e-15L * cabsl(jacobian[m]);
        for (size_t i = 0; i < count; i++)
            worst = fmax(worst, axial_error(ctx, dims[c], where + c, i, jacobian + (1 + i) * WIDTH, jacobian));
        ok(good && worst < 2e-7, "cylindrical waves, %d dimensions, place %d: as differences have it, %.1e", dims[c], c,
           worst);
    }
}

/* ---- spherical waves again ---- */

/* At the lattice's own points, where its terms have no own one: r stays, the rest moves. */
static void test_own_point(poy_ctx *ctx)
{
    const inputs at = {2.1, {0.3, 0.2, 0.1}, {1.7, 0.0, 0.4, 1.8}, {0.0, 0.0, 0.0}};
    static poyi_xcomplex jacobian[MOST * SIZE];
    const poy_lattice_sum sum = {.dim = 2, .k = {2.1, 0.0}, .kpar = at.kpar, .a = at.a, .r = at.r};
    double worst = 0.0;
    const poy_status status = poyi_lattice_jacobian(ctx, &sum, NMAX, POYI_SLOPES, jacobian);
    for (size_t i = 1; i < 8; i++) {
        const double error = difference_error(ctx, 2, &at, i - 1, jacobian + i * SIZE, jacobian);
        worst = error <= worst ? worst : error;
    }
    ok(status == POY_OK && worst < 2e-7, "at a point of the lattice, by k, kpar and a: %.1e", worst);
}

/* What is asked for alone is what it is among all of it. */
static void test_parts(poy_ctx *ctx)
{
    static const unsigned asked[3] = {POYI_SLOPE_K, POYI_SLOPE_CELL, POYI_SLOPE_SHIFT};
    static const size_t first[3] = {1, 2, 8}, end[3] = {2, 8, 11}; /* of dim 2: k, kpar and a, r */
    static poyi_xcomplex whole[MOST * SIZE], part[MOST * SIZE];
    const inputs at = {2.1, {0.3, 0.2, 0.1}, {1.7, 0.0, 0.4, 1.8}, {0.2, 0.1, 0.9}};
    const poy_lattice_sum sum = {.dim = 2, .k = {2.1, 0.3}, .kpar = at.kpar, .a = at.a, .r = at.r};
    poy_status status = poyi_lattice_jacobian(ctx, &sum, NMAX, POYI_SLOPES, whole);
    for (size_t k = 0; k < 3 && status == POY_OK; k++) {
        double worst = 0.0, largest = 0.0;
        memset(part, 0, sizeof part);
        status = poyi_lattice_jacobian(ctx, &sum, NMAX, asked[k], part);
        for (size_t i = first[k] * SIZE; i < end[k] * SIZE; i++) {
            worst = fmax(worst, (double)cabsl(part[i] - whole[i]));
            largest = fmax(largest, (double)cabsl(whole[i]));
        }
        ok(status == POY_OK && largest > 0.0 && worst <= 1e-15 * largest, "part %zu alone: %.1e of %.1e", k, worst,
           largest);
    }
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_published(ctx);
    test_differences(ctx);
    test_axial_differences(ctx);
    test_own_point(ctx);
    test_parts(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

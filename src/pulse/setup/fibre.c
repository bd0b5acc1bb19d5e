/* fibre.c: what a fibre's options mean on a grid: gamma, attenuation, and the dispersion from Taylor coefficients, from
 * D and S, or from a table of the effective index. */
#include <string.h>

#include "pulse/setup/setup.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)

void poy_fibre_options_init(poy_fibre_options *o)
{
    const double none = (double)NAN;
    *o =
        (poy_fibre_options){.size = sizeof *o, .gamma = none, .n2 = none, .effective_area = none, .D = none, .S = none};
}

/* ---- checks ---- */

static int is_given(double x)
{
    return !isnan(x);
}

static poy_status check_gamma(poy_ctx *ctx, const poy_fibre_options *o)
{
    const int area = is_given(o->n2) || is_given(o->effective_area);
    if (is_given(o->gamma) && area)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "fibre.gamma: %g 1/(W m) beside fibre.n2 or fibre.effective_area: keep one of the two",
                         o->gamma);
    if (!is_given(o->gamma) && !area)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "fibre.gamma: missing: give it, or fibre.n2 and fibre.effective_area");
    if (!area)
        return poyi_check_finite(ctx, "fibre.gamma", o->gamma, "1/(W m)");
    POYI_TRY(ctx, poyi_check_finite(ctx, "fibre.n2", o->n2, "m2/W"));
    return poyi_check_positive(ctx, "fibre.effective_area", o->effective_area, "m2");
}

static poy_status check_table(poy_ctx *ctx, const poy_fibre_options *o, const poy_grid *grid)
{
    if (!o->index_wavelength || !o->index_n || o->n_index < 4)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "fibre.index_file: %d points: a cubic spline needs 4 wavelengths and indices",
                         o->index_wavelength && o->index_n ? o->n_index : 0);
    POYI_TRY(ctx, poyi_check_list(ctx, "fibre.index_file", o->index_wavelength, o->n_index, "m"));
    POYI_TRY(ctx, poyi_check_list(ctx, "fibre.index_file", o->index_n, o->n_index, "(index)"));
    for (int i = 0; i < o->n_index; i++) {
        POYI_TRY(ctx, poyi_check_positive(ctx, "fibre.index_file", o->index_wavelength[i], "m"));
        POYI_TRY(ctx, poyi_check_positive(ctx, "fibre.index_file", o->index_n[i], "(index)"));
        if (i > 0 && o->index_wavelength[i] <= o->index_wavelength[i - 1])
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "fibre.index_file: wavelength %d, %g m, is not above the one before it, %g m: sort the table", i,
                o->index_wavelength[i], o->index_wavelength[i - 1]);
    }
    const double low = TWO_PI_C / o->index_wavelength[o->n_index - 1], high = TWO_PI_C / o->index_wavelength[0];
    for (int64_t k = 0; k < grid->info.n_w; k++)
        if (grid->mask[k] && (grid->omega[k] < low || grid->omega[k] > high))
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "fibre.index_file: covers %g to %g m, but the grid has a bin at %g rad/s (%g m): set "
                "grid.wavelength_min and grid.wavelength_max so that twice the longer and 1/1.1 of the shorter "
                "lie inside, or extend the table",
                o->index_wavelength[0], o->index_wavelength[o->n_index - 1], grid->omega[k], TWO_PI_C / grid->omega[k]);
    return POY_OK;
}

static poy_status check_dispersion(poy_ctx *ctx, const poy_fibre_options *o, const poy_grid *grid)
{
    const int D = is_given(o->D) || is_given(o->S), table = o->index_wavelength || o->index_n || o->n_index != 0;
    POYI_TRY(ctx, poyi_check_list(ctx, "fibre.beta", o->beta, o->n_beta, "s^n/m"));
    if ((o->n_beta > 0) + D + table > 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "fibre.%s: a second dispersion beside fibre.%s: keep one",
                         table ? "index_file" : "D", o->n_beta > 0 ? "beta" : "D");
    if (D) {
        if (!is_given(o->D) || !is_given(o->S))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "fibre.%s: missing beside fibre.%s: give both (S = 0 for a constant D)",
                             is_given(o->D) ? "S" : "D", is_given(o->D) ? "D" : "S");
        POYI_TRY(ctx, poyi_check_finite(ctx, "fibre.D", o->D, "s/m2"));
        POYI_TRY(ctx, poyi_check_finite(ctx, "fibre.S", o->S, "s/m3"));
    }
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "fibre.beta_at", o->dispersion_at, "m"));
    if (!table)
        return POY_OK;
    if (o->dispersion_at != 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "fibre.beta_at: %g m has no meaning beside fibre.index_file: leave it out", o->dispersion_at);
    return check_table(ctx, o, grid);
}

/* ---- dispersion ---- */

/* b_j = sum over k >= j of beta_k shift^(k - j) / (k - j)!: the same polynomial about another frequency. */
static void shift_taylor(int n, const double *beta, double shift, double *b)
{
    for (int j = 0; j < n; j++) {
        long double sum = 0.0L; /* Horner's rule, from the highest order down */
        for (int k = n - 1; k >= j; k--)
            sum = (long double)beta[k] + sum * (long double)shift / (k - j + 1);
        b[j] = (double)sum;
    }
}

/* beta_2 = -D lambda^2 / (2 pi c), beta_3 = (S + 2 D / lambda) (lambda^2 / (2 pi c))^2 (Agrawal, Nonlinear Fiber
 * Optics, section 1.2.3). */
static void taylor_of_D(double D, double S, double wavelength, double beta[2])
{
    const double factor = wavelength * wavelength / TWO_PI_C;
    beta[0] = -D * factor;
    beta[1] = (S + 2.0 * D / wavelength) * factor * factor;
}

static poy_status make_taylor(poy_ctx *ctx, const poy_fibre_options *o, const poy_grid *grid, poyi_fibre *f)
{
    const double at = o->dispersion_at > 0.0 ? o->dispersion_at : grid->reference;
    double from_D[2];
    const double *beta = o->beta;

    f->n_beta = o->n_beta;
    if (is_given(o->D)) {
        taylor_of_D(o->D, o->S, at, from_D);
        beta = from_D;
        f->n_beta = 2;
    }
    POYI_TRY(ctx, poyi_alloc(ctx, "fibre", (size_t)f->n_beta * sizeof *f->beta, (void **)&f->beta));
    shift_taylor(f->n_beta, beta, f->omega0 - TWO_PI_C / at, f->beta);
    return POY_OK;
}

static poy_status make_table(poy_ctx *ctx, const poy_fibre_options *o, poyi_fibre *f)
{
    const size_t n = (size_t)o->n_index;
    double *omega = NULL;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_alloc(ctx, "fibre", 2 * n * sizeof *omega, (void **)&omega));
    for (size_t i = 0; i < n; i++) { /* rising frequency */
        omega[i] = TWO_PI_C / o->index_wavelength[n - 1 - i];
        omega[n + i] = o->index_n[n - 1 - i];
    }
    POYI_TO_DONE(ctx, poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, omega, omega + n, &f->index));
    f->n0 = poyi_spline_eval(f->index, f->omega0);
    f->slope0 = poyi_spline_slope(f->index, f->omega0);
done:
    poyi_free((void **)&omega);
    return status;
}

poy_status poyi_fibre_create(poy_ctx *ctx, const poy_fibre_options *options, const poy_grid *grid, int shock,
                             poyi_fibre **out)
{
    poy_fibre_options o;
    poyi_fibre *f = NULL;
    poy_status status;

    *out = NULL;
    poy_fibre_options_init(&o);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_fibre_options", options, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, check_gamma(ctx, &o));
    POYI_TRY(ctx, check_dispersion(ctx, &o, grid));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "fibre.attenuation", o.attenuation, "1/m"));

    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "fibre", sizeof *f, (void **)&f));
    f->omega0 = grid->info.omega0;
    f->gamma = is_given(o.gamma) ? o.gamma : o.n2 * f->omega0 / (POYI_C * o.effective_area);
    f->attenuation = o.attenuation;
    f->shock = shock;
    if (o.n_index > 0)
        POYI_TO_DONE(ctx, make_table(ctx, &o, f));
    else
        POYI_TO_DONE(ctx, make_taylor(ctx, &o, grid, f));
    *out = f;
    f = NULL;
done:
    poyi_fibre_destroy(&f);
    return status;
}

void poyi_fibre_destroy(poyi_fibre **fibre)
{
    if (*fibre) {
        poyi_free((void **)&(*fibre)->beta);
        poyi_spline_destroy(&(*fibre)->index);
        poyi_free((void **)fibre);
    }
}

/* beta[first] + x/divisor (beta[first + 1] + x/(divisor + 1) (beta[first + 2] + ...)): Horner's rule of a Taylor series. */
static double horner(const poyi_fibre *f, int first, int divisor, double x)
{
    double sum = 0.0;
    for (int j = f->n_beta - 1; j >= first; j--)
        sum = f->beta[j] + sum * x / (j - first + divisor);
    return sum;
}

double poyi_fibre_phase(const poyi_fibre *f, double omega)
{
    const double x = omega - f->omega0;
    if (f->index) /* beta_0 and beta_1 taken out by hand, so that nothing of their size cancels */
        return (omega * (poyi_spline_eval(f->index, omega) - f->n0) - f->omega0 * f->slope0 * x) / POYI_C;
    return 0.5 * x * x * horner(f, 0, 3, x); /* sum beta_j x^j / j!, j = 2 ... */
}

double poyi_fibre_beta(const poyi_fibre *f, int order, double omega)
{
    const double x = omega - f->omega0;
    if (f->index && order == 1)
        return (poyi_spline_eval(f->index, omega) - f->n0 + omega * poyi_spline_slope(f->index, omega) -
                f->omega0 * f->slope0) /
               POYI_C;
    if (f->index && order > 3)
        return (double)NAN;
    if (f->index)
        return ((double)order *
                    (order == 2 ? poyi_spline_slope(f->index, omega) : poyi_spline_derivative(f->index, 2, omega)) +
                omega * poyi_spline_derivative(f->index, order, omega)) /
               POYI_C;
    return order == 1 ? x * horner(f, 0, 2, x) : horner(f, order - 2, 1, x);
}

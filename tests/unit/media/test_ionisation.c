/* test_ionisation.c: ADK and PPT rates, the functions and sums in them, against reference values, and refusals. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "media/ionisation.h"
#include "media/media.h"
#include "tap.h"

static poy_ctx *ctx;

static double off(double got, double want)
{
    return fabs(got / want - 1.0);
}

static int says(const char *words)
{
    return strstr(poy_ctx_cause(ctx), words) != NULL;
}

static poy_status create(const char *species, const poy_ionisation_options *o, poy_ionisation **it)
{
    poy_gas *gas = NULL;
    poy_gas_create(ctx, species, &gas);
    poy_status status = poy_ionisation_create(ctx, gas, o, it);
    poy_gas_destroy(&gas);
    return status;
}

static double rate_of(const char *species, const poy_ionisation_options *o, double field)
{
    poy_ionisation *it = NULL;
    double rate = (double)NAN;
    if (create(species, o, &it) == POY_OK)
        poy_ionisation_rate(ctx, it, field, &rate);
    poy_ionisation_destroy(&it);
    return rate;
}

/* ---- reference values ---- */

static const struct {
    const char *gas;
    double potential, field, rate, averaged, barrier;
} adk_points[] = {
#define ADK(...) {__VA_ARGS__},
#include "golden/media_adk.def"
#undef ADK
};

static const struct {
    const char *gas;
    double field;
    int dressed, averaged;
    double rate, given;
    int sound;
    double keldysh;
} ppt_points[] = {
#define PPT(...) {__VA_ARGS__},
#include "golden/media_ppt.def"
#undef PPT
};

static void check_adk(void)
{
    double error = 0.0, averaged = 0.0, potential = 0.0, barrier = 0.0;
    const size_t count = sizeof adk_points / sizeof *adk_points;
    for (size_t i = 0; i < count; i++) {
        poy_ionisation_options o;
        poy_ionisation *it = NULL;
        double rate = 0.0;
        poy_ionisation_options_init(&o);
        o.model = POY_IONISATION_ADK;
        create(adk_points[i].gas, &o, &it);
        poy_ionisation_rate(ctx, it, adk_points[i].field, &rate);
        error = fmax(error, off(rate, adk_points[i].rate));
        potential = fmax(potential, off(poy_ionisation_potential(it) / POYI_E, adk_points[i].potential));
        if (adk_points[i].barrier != 0.0)
            barrier = fmax(barrier, off(poy_ionisation_barrier_field(it), adk_points[i].barrier));
        poy_ionisation_destroy(&it);
        o.cycle_averaged = 1;
        if (adk_points[i].averaged != 0.0)
            averaged = fmax(averaged, off(rate_of(adk_points[i].gas, &o, adk_points[i].field), adk_points[i].averaged));
    }
    ok(count == 84 && error <= 1e-9 && averaged <= 1e-9, "ADK, %zu points: off %.0e, averaged %.0e (allowed 1e-9)",
       count, error, averaged);
    ok(potential < 1e-14 && barrier < 1e-12, "potentials off %.0e, barrier fields %.0e", potential, barrier);
}

static void check_ppt(void)
{
    double error = 0.0, given = 0.0, unsound = 0.0, keldysh = 0.0;
    int sound = 0;
    const int count = sizeof ppt_points / sizeof *ppt_points;
    for (int i = 0; i < count; i++) {
        poy_ionisation_options o;
        poy_ionisation *it = NULL;
        double rate = 0.0;
        poy_ionisation_options_init(&o);
        o.model = POY_IONISATION_PPT;
        o.wavelength = 800e-9;
        o.stark = o.dipole = ppt_points[i].dressed;
        o.cycle_averaged = ppt_points[i].averaged;
        o.tolerance = 1e-14;
        create(ppt_points[i].gas, &o, &it);
        poy_ionisation_rate(ctx, it, ppt_points[i].field, &rate);
        keldysh = fmax(keldysh, off(poy_ionisation_keldysh(it, ppt_points[i].field), ppt_points[i].keldysh));
        error = fmax(error, off(rate, ppt_points[i].rate));
        sound += ppt_points[i].sound;
        if (ppt_points[i].sound)
            given = fmax(given, off(rate, ppt_points[i].given));
        else
            unsound = fmax(unsound, off(rate, ppt_points[i].given));
        poy_ionisation_destroy(&it);
    }
    ok(error <= 2e-11, "PPT, %d points: off %.0e of 40 digits", count, error);
    ok(sound == 126 && given <= 1e-8, "the %d given points that are sound: off %.0e (allowed 1e-8)", sound, given);
    ok(unsound > 1e-4 && unsound < 2e-3, "the others, whose series of phi_1 is another function: off %.0e", unsound);
    ok(keldysh < 1e-9, "Keldysh parameters off %.0e", keldysh);
}

/* ---- functions and sums ---- */

/* phi_1 of the reference, where it is sound (x >= 0.6); below, the first terms of 2x^3/3 1F1(2; 5/2; -x^2). */
static void check_phi(void)
{
    static const double points[5][2] = {{1.0, 0.3071192603691526},
                                        {3.0, 0.1935747908003036},
                                        {10.0, 0.05051164235365313},
                                        {30.0, 0.01668523165378777},
                                        {100.0, 0.005000500112537516}};
    static poyi_phi phi[3];
    double error = 0.0, law = 0.0;
    for (int m = 0; m < 3; m++)
        poyi_phi_init(&phi[m], m);
    for (int i = 0; i < 5; i++)
        error = fmax(error, off(poyi_phi_at(&phi[1], points[i][0]), points[i][1]));
    ok(error < 3e-14, "phi_1 from 1 to 100: off %.0e", error);
    error = 0.0;
    for (double x = 1e-3; x < 0.25; x *= 1.3) {
        double sum = 0.0, term = 2.0 / 3.0 * x * x * x;
        for (int k = 0; k < 30; k++) {
            sum += term;
            term *= -x * x * (2.0 + k) / (2.5 + k) / (1.0 + k);
        }
        error = fmax(error, off(poyi_phi_at(&phi[1], x), sum));
    }
    ok(error < 2e-15, "phi_1 near 0: off %.0e of its series", error);
    /* Across the seam at 8: phi_2 = (x^2 + 3/2) phi_1 - x^2 phi_0, which loses x^4 eps. */
    for (double x = 1.0; x < 12.0; x += 0.37) {
        double want = (x * x + 1.5) * poyi_phi_at(&phi[1], x) - x * x * poyi_phi_at(&phi[0], x);
        law = fmax(law, fabs(poyi_phi_at(&phi[2], x) - want) / (x * x * 0.5));
    }
    ok(law < 1e-15, "recurrence between phi_0, phi_1, phi_2: off %.0e", law);
}

/* The sum by adding up all terms against the way that replaces its tail by an integral; the integral itself. */
static void check_sums(void)
{
    poy_ionisation_options o;
    poy_ionisation *it = NULL;
    double error = 0.0, mean_error = 0.0;
    poy_ionisation_options_init(&o);
    o.wavelength = 800e-9;
    create("Ar", &o, &it);
    for (int m = 0; m < 2; m++)
        for (double alpha = 2e-4; alpha < 2.0; alpha *= 1.9)
            for (double beta = 0.05; beta < 2.0; beta *= 2.5) {
                double mean = 0.0;
                for (int j = 0; j < 4; j++) {
                    const double first = 0.2 * j + 0.003;
                    double sum = 0.0, s = first;
                    for (; alpha * s < 40.0; s += 1.0)
                        sum += exp(-alpha * s) * poyi_phi_at(&it->phi[m], sqrt(beta * s));
                    error = fmax(error, off(poyi_ppt_sum(it, &it->phi[m], alpha, beta, first, 1e-14), sum));
                }
                /* The mean of the sum over all thresholds is the integral; the midpoint rule of 64 errs by 0.06 64^-1.5 of the
                 * term of sqrt(s), 1.2e-4 of sqrt(beta), in a sum of order 1. */
                for (int j = 0; j < 64 && alpha > 0.05 && alpha < 0.5; j++)
                    mean += poyi_ppt_sum(it, &it->phi[m], alpha, beta, (j + 0.5) / 64.0, 1e-14) / 64.0;
                if (mean > 0.0)
                    mean_error = fmax(mean_error, off(mean, poyi_ppt_integral(m, alpha, beta)));
            }
    ok(error < 1e-12, "sums off %.0e of adding up", error);
    ok(mean_error < 1e-3, "the integral is the mean of the sum over the thresholds, off %.0e", mean_error);
    poy_ionisation_destroy(&it);
}

/* ---- laws and options ---- */

static void check_hydrogen(void)
{
    poy_ionisation_options o;
    poy_ionisation *it = NULL;
    double rate = 0.0, back = 0.0;
    poy_ionisation_options_init(&o);
    o.potential = 0.5 * POYI_HARTREE;
    poy_ionisation_create(ctx, NULL, &o, &it);
    poy_ionisation_rate(ctx, it, 0.05 * POYI_FIELD_AU, &rate);
    ok(poy_ionisation_model_of(it) == POY_IONISATION_ADK && off(rate * POYI_TIME_AU, 0.00012956774338500885) < 1e-12,
       "hydrogen, static: 4/F exp(-2/(3F)), off %.0e", off(rate * POYI_TIME_AU, 80.0 * exp(-40.0 / 3.0)));
    /* The reference's atomic unit of time is that of CODATA 2022, 1.2e-12 above ours. */
    ok(off(rate, 5356508451475.174) < 2e-12, "in 1/s: off %.1e", off(rate, 5356508451475.174));
    poy_ionisation_rate(ctx, it, -0.05 * POYI_FIELD_AU, &back);
    ok(back == rate, "the sign of the field does not matter");
    ok(poy_ionisation_rate(ctx, it, 0.0, &rate) == POY_OK && rate == 0.0, "no field, no rate");
    ok(poy_ionisation_rate(ctx, it, 1e3, &rate) == POY_OK && rate == 0.0, "a weak field: the rate underflows to 0");
    ok(poy_ionisation_rate(ctx, it, (double)NAN, &rate) == POY_ERR_NONFINITE, "%s", poy_ctx_cause(ctx));
    poy_ionisation_destroy(&it);
}

/* Far beyond their sense the rates are finite or refused; never NaN. */
static void check_extremes(void)
{
    poy_ionisation_options o;
    poy_ionisation *it = NULL;
    double rate = 0.0;
    int fine = 1;
    poy_ionisation_options_init(&o);
    for (int i = 0; i < 3; i++) {
        o.wavelength = (double[]){10e-9, 800e-9, 1e-3}[i];
        create("Xe", &o, &it);
        for (double field = 1e-300; field < 1e300; field *= 1e7) {
            poy_status status = poy_ionisation_rate(ctx, it, field, &rate);
            fine &= (status == POY_OK && isfinite(rate) && rate >= 0.0) || status == POY_ERR_NONFINITE;
            fine &= status == POY_OK || field > 1e13;
        }
        poy_ionisation_destroy(&it);
    }
    ok(fine, "fields from 1e-300 to 1e300 V/m give rates, or refusals above 1e13");
}

static void check_options(void)
{
    poy_ionisation_options base, o;
    const double field = 3e10;
    poy_ionisation_options_init(&base);
    base.model = POY_IONISATION_PPT;
    base.wavelength = 800e-9;
    const double rate = rate_of("Ar", &base, field);
    o = base;
    o.occupancy = 6.0;
    ok(off(rate_of("Ar", &o, field), 3.0 * rate) < 2e-14, "occupancy is a factor");
    o = base;
    o.sum_m = 0;
    ok(rate_of("Ar", &o, field) < rate && rate_of("Ar", &o, field) > 0.5 * rate, "m = 0 alone is most of it");
    o = base;
    o.coefficient = 1.0;
    const double one = rate_of("Ar", &o, field);
    o.coefficient = 2.5;
    ok(off(rate_of("Ar", &o, field), 2.5 * one) < 1e-14, "C_nl^2 is a factor");
    o = base;
    o.sum_integral = 1;
    ok(off(rate_of("Ar", &o, field), rate) < 0.3 && off(rate_of("Ar", &o, field), rate) > 1e-6,
       "the integral in place of the sum: %.2f of it", rate_of("Ar", &o, field) / rate);
    o = base;
    o.tolerance = 1e-4;
    const double loose = rate_of("Ar", &o, 6e9);
    const double tight = rate_of("Ar", &base, 6e9);
    ok(loose < tight && off(loose, tight) < 1e-4, "a loose tolerance is kept: %.0e", off(loose, tight));
    /* Tunnelling: with C_nl of a pure orbital PPT approaches ADK, averaged, where the Keldysh parameter is small. */
    o = base;
    o.stark = o.dipole = 0;
    o.wavelength = 20e-6;
    o.orbital = 0;
    o.occupancy = 1.0;
    o.cycle_averaged = 1;
    poy_ionisation_options a = o;
    a.model = POY_IONISATION_ADK;
    const double n = sqrt(0.5 * POYI_HARTREE / (0.9036 * 27.21138602 * POYI_E));
    a.coefficient = o.coefficient = pow(2.0, 2.0 * n) / (n * tgamma(2.0 * n));
    const double ratio = rate_of("He", &o, 5e10) / rate_of("He", &a, 5e10);
    /* The exponents differ by a relative gamma^2/10 of 4x/3 = 27: 2e-3 at gamma = 0.03. */
    ok(off(ratio, 1.0) < 1e-2, "PPT tends to ADK at long waves: %.4f of it", ratio);
}

static void check_models(void)
{
    static const char *const ppt[] = {"He", "HeB", "Ne", "Ar", "ArB", "Kr", "Xe", "N2", "O2"};
    static const char *const adk[] = {"H2", "D2", "CH4", "N2O", "SF6"};
    poy_ionisation_options o;
    poy_ionisation *it = NULL;
    int right = 0;
    poy_ionisation_options_init(&o);
    o.wavelength = 800e-9;
    for (size_t i = 0; i < sizeof ppt / sizeof *ppt; i++) {
        create(ppt[i], &o, &it);
        right += poy_ionisation_model_of(it) == POY_IONISATION_PPT;
        poy_ionisation_destroy(&it);
    }
    for (size_t i = 0; i < sizeof adk / sizeof *adk; i++) {
        create(adk[i], &o, &it);
        right += poy_ionisation_model_of(it) == POY_IONISATION_ADK;
        poy_ionisation_destroy(&it);
    }
    ok(right == 14, "the default models");
    ok(create("Air", &o, &it) == POY_ERR_UNSUPPORTED && !it && says("no ionisation potential is known for Air"), "%s",
       poy_ctx_cause(ctx));
    o.model = POY_IONISATION_PPT;
    ok(create("H2", &o, &it) == POY_ERR_UNSUPPORTED && says("use adk"), "%s", poy_ctx_cause(ctx));
    o.wavelength = -1.0;
    ok(create("Ar", &o, &it) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    o.wavelength = 800e-9;
    o.occupancy = 0.0;
    ok(create("Ar", &o, &it) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    o.occupancy = 2.0;
    o.tolerance = 1.0;
    ok(create("Ar", &o, &it) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    o.tolerance = 1e-12;
    o.orbital = 9;
    ok(create("Ar", &o, &it) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    o.orbital = -1;
    o.potential = -1.0;
    ok(create("Ar", &o, &it) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    o.potential = (double)NAN;
    o.size = 3;
    ok(create("Ar", &o, &it) == POY_ERR_ARGUMENT && says("poy_ionisation_options_init"), "%s", poy_ctx_cause(ctx));
}

int main(void)
{
    poy_ctx_create(&ctx);
    check_adk();
    check_ppt();
    check_phi();
    check_sums();
    check_hydrogen();
    check_extremes();
    check_options();
    check_models();
    poy_ctx_destroy(&ctx);
    return tap_done();
}

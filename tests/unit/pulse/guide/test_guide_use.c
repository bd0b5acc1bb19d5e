/* test_guide_use.c: what guides are asked for: zero dispersion, dispersive waves, pins, coupling of beams, fields. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "math/math.h"
#include "poynting/guide.h"
#include "tap.h"

static poy_ctx *ctx;

static double omega_at(double wavelength)
{
    return 2.0 * POYI_PI * POYI_C / wavelength;
}

static double off(double got, double want)
{
    return fabs(got / want - 1.0);
}

static poy_guide *capillary(double radius, const char *const *gas, double pressure, const char *const *modes,
                            int n_modes)
{
    poy_capillary_options o;
    poy_guide *guide = NULL;
    poy_capillary_options_init(&o);
    o.core_radius.value = radius;
    o.wall = (poy_guide_material){.name = "SiO2", .extrapolate = 1};
    o.fill.n_gases = gas ? 1 : 0;
    o.fill.gases = gas;
    o.fill.pressure.value = pressure;
    o.modes = modes;
    o.n_modes = n_modes;
    if (poy_guide_create_capillary(ctx, &o, &guide) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    return guide;
}

static const char *const helium[] = {"He"}, *const argon[] = {"Ar"};

/* ---- zero dispersion ---- */

/* beta_2 = b (x - x1)(x - x2) with x = omega/omega_0 - 1: as close as a ten-thousandth, between two samples. */
static void check_close_pair(void)
{
    const double w0 = omega_at(1e-6), x1 = 0.0503, x2 = x1 + 1e-4, b = 1e-26;
    const double beta[] = {1.45 * w0 / POYI_C, 1.46 / POYI_C, b * x1 * x2, -b * (x1 + x2) / w0, 2.0 * b / (w0 * w0)};
    poy_simple_guide_options o;
    poy_guide *guide = NULL;
    double out[4];
    int n = 0;
    poy_simple_guide_options_init(&o);
    o.wavelength = 1e-6;
    o.beta = beta;
    o.n_beta = 5;
    o.effective_area = 1e-11;
    poy_guide_create_simple(ctx, &o, &guide);
    const poy_status status = poy_guide_zero_dispersion(ctx, guide, 0, 0.0, 500e-9, 2e-6, 4, out, &n);
    /* beta_2 of omega n/c is known to eps beta_0/omega^2 times a few; its slope at a root is b 1e-4/omega */
    const double error = 1e-15 * 1.45 / POYI_C / w0 / (b * 1e-4);
    ok(status == POY_OK && n == 2 && off(out[0], 1e-6 / (1.0 + x2)) < error && off(out[1], 1e-6 / (1.0 + x1)) < error,
       "two zeros 1e-4 apart: %d, off %.1e and %.1e of %.1e", n, off(out[0], 1e-6 / (1.0 + x2)),
       off(out[1], 1e-6 / (1.0 + x1)), error);
    ok(poy_guide_zero_dispersion(ctx, guide, 0, 0.0, 1.1e-6, 2e-6, 4, out, &n) == POY_OK && n == 0, "none there");
    ok(poy_guide_zero_dispersion(ctx, guide, 0, 0.0, 500e-9, 2e-6, 1, out, &n) == POY_OK && n == 2,
       "two, although there is room for one");
    poy_guide_destroy(&guide);
}

/* ---- dispersive waves and pins ---- */

static void check_dispersive_wave(void)
{
    poy_guide *guide = capillary(125e-6, helium, 1e5, NULL, 1);
    double out[4], at[1], pump[2], value = 0.0;
    int n = 0;
    poy_guide_dispersive_waves(ctx, guide, 0, 0.0, 800e-9, 90e-9, 790e-9, 4, out, &n);
    ok(n == 1, "He, 125 um, 1 bar, 800 nm: %d dispersive wave", n);
    ok(out[0] < 189e-9 && out[0] > 150e-9, "at %.2f nm", out[0] * 1e9);
    poy_guide_beta(ctx, guide, 0, 0.0, omega_at(800e-9), 1, pump);
    poy_guide_beta(ctx, guide, 0, 0.0, omega_at(out[0]), 0, at);
    const double x = omega_at(out[0]) - omega_at(800e-9), left = at[0] - pump[0] - pump[1] * x;
    ok(fabs(left) <= 4e-15 * at[0], "its phase mismatch is %.1e/m", left);
    ok(poy_guide_dispersive_waves(ctx, guide, 0, 0.0, 800e-9, 700e-9, 2e-6, 4, out + 1, &n) == POY_OK && n == 0,
       "the pump itself is none");

    poy_pin_options o;
    poy_pin_options_init(&o);
    o.target = POY_PIN_DISPERSIVE_WAVE;
    o.pump = 800e-9;
    o.wavelength = out[0];
    poy_guide_pin(ctx, guide, &o, &value);
    ok(off(value, 1e5) <= 1e-9, "the pressure for it: %.10g bar", value * 1e-5);
    o.variable = POY_PIN_RADIUS;
    poy_guide_pin(ctx, guide, &o, &value);
    ok(off(value, 125e-6) <= 1e-9, "the radius for it: %.10g um", value * 1e6);
    poy_guide_destroy(&guide);
}

static void check_pins(void)
{
    poy_guide *guide = capillary(50e-6, argon, 3e5, NULL, 1), *made = NULL;
    double value = 0.0, out[4];
    int n = 0;
    poy_pin_options o;
    poy_pin_options_init(&o);
    o.wavelength = 600e-9;
    poy_guide_pin(ctx, guide, &o, &value);
    ok(value > 0.0, "a pressure for zero dispersion at 600 nm: %.4g bar", value * 1e-5);
    made = capillary(50e-6, argon, value, NULL, 1);
    poy_guide_zero_dispersion(ctx, made, 0, 0.0, 300e-9, 1.5e-6, 4, out, &n);
    ok(n == 1 && off(out[0], 600e-9) <= 1e-9, "at that pressure it is at %.9g nm", out[0] * 1e9);
    poy_guide_destroy(&made);

    o.target = POY_PIN_SOLITON_ORDER;
    o.pump = 800e-9;
    o.order = 3.0;
    o.peak_power = 5e7;
    o.t0 = 5e-15;
    poy_guide_pin(ctx, guide, &o, &value);
    ok(value > 0.0, "a pressure for N = 3: %.4g bar", value * 1e-5);
    made = capillary(50e-6, argon, value, NULL, 1);
    poy_guide_place place;
    poy_guide_at(made, 0.0, &place);
    const poy_gas_part part = {poy_guide_gas(made, 0), place.density[0]};
    double beta[3], n2 = 0.0, area = 0.0;
    poy_gas_n2(ctx, 1, &part, omega_at(800e-9), &n2);
    poy_guide_effective_area(ctx, made, 0, 0.0, omega_at(800e-9), &area);
    poy_guide_beta(ctx, made, 0, 0.0, omega_at(800e-9), 2, beta);
    const double gamma = n2 * omega_at(800e-9) / (POYI_C * area), order = sqrt(gamma * 5e7 * 25e-30 / -beta[2]);
    ok(off(order, 3.0) <= 1e-9, "there N = %.10g, in anomalous dispersion", order);
    poy_guide_destroy(&made);
    poy_guide_destroy(&guide);
}

/* ---- beams ---- */

/* Reference: the overlap integral in arithmetic of 30 digits; the published values are 98.07 % and 0.618 %. */
static void check_beam(void)
{
    static const char *const names[] = {"HE11", "HE12", "HE13", "HE21", "TE01", "TM01"};
    static const double want[] = {0.98071312109051183, 0.0061826216781123838, 0.0013567813790655528};
    poy_guide *guide = capillary(100e-6, NULL, 0.0, names, 6);
    double a = 0.0, worst = 0.0;
    for (int i = 0; i < 3; i++) {
        poy_guide_couple(ctx, guide, i, 0.0, 2e15, 0.0, 64e-6, 0.0, 0.0, 0.0, &a);
        ok(off(a * a, want[i]) <= 1e-12, "waist 0.64 a: %.4f %% in %s, off %.1e", 100.0 * a * a, names[i],
           off(a * a, want[i]));
        poy_guide_couple(ctx, guide, i, 0.0, 2e15, 0.5 * POYI_PI, 64e-6, 0.0, 0.0, 0.0, &a);
        worst = fmax(worst, fabs(a));
        poy_guide_couple(ctx, guide, i + 3, 0.0, 2e15, 0.0, 64e-6, 0.0, 0.0, 0.0, &a);
        worst = fmax(worst, fabs(a));
    }
    poy_guide_couple(ctx, guide, 0, 0.0, 2e15, 0.5 * POYI_PI, 64e-6, 0.0, 0.0, 0.5 * POYI_PI, &a);
    ok(worst <= 1e-14 && off(a * a, want[0]) <= 1e-12, "nothing in modes of another symmetry (%.1e); along x the same",
       worst);
    poy_guide_destroy(&guide);
}

/* The modes of a capillary are complete: a beam beside the axis, polarised anywhere, puts all its power into them. */
static void check_complete(void)
{
    enum { L = 15, M = 13 };
    static char names[4 * L * M][12];
    const char *list[4 * L * M];
    int n = 0;
    double sum = 0.0;
    for (int l = 0; l < L; l++)
        for (int m = 1; m <= M; m++) {
            snprintf(names[n], sizeof names[n], "HE%d,%d", l + 1, m);
            n++;
            if (l >= 2) {
                snprintf(names[n], sizeof names[n], "EH%d,%d", l - 1, m);
                n++;
            }
            if (l == 1) {
                snprintf(names[n], sizeof names[n], "TE0,%d", m);
                n++;
                snprintf(names[n], sizeof names[n], "TM0,%d", m);
                n++;
            }
        }
    for (int i = 0; i < n; i++)
        list[i] = names[i];
    const double a = 50e-6;
    poy_guide *guide = capillary(a, NULL, 0.0, list, n < 256 ? n : 256),
              *rest = capillary(a, NULL, 0.0, list + 256, n - 256);
    for (int i = 0; i < n; i++) {
        poy_mode mode;
        poy_mode_parse(ctx, list[i], &mode);
        for (int side = 0; side < (mode.n ? 2 : 1); side++) {
            double c = 0.0;
            poy_guide_couple(ctx, i < 256 ? guide : rest, i < 256 ? i : i - 256, 0.0, 2e15,
                             side ? 0.5 * POYI_PI / mode.n : 0.0, 0.35 * a, 0.15 * a, -0.1 * a, 0.3, &c);
            sum += c * c;
        }
    }
    /* what misses the core: below exp(-2 (1 - 0.18)^2/0.35^2) = 2e-5; the modes left out have less */
    ok(sum < 1.0 && sum > 1.0 - 1e-5, "%d modes hold %.8f of a beam beside the axis", n, sum);
    poy_guide_destroy(&guide);
    poy_guide_destroy(&rest);
}

/* ---- fields of the other guides ---- */

static void check_rectangle(void)
{
    static const char *const names[] = {"Ex11", "Ey21"};
    poy_rectangular_options o;
    poy_guide *guide = NULL;
    double e[2], f[2];
    poy_rectangular_options_init(&o);
    o.half_width_x = 40e-6;
    o.half_width_y = 25e-6;
    o.modes = names;
    o.n_modes = 2;
    poy_guide_create_rectangular(ctx, &o, &guide);
    poy_guide_field(ctx, guide, 0, 0.0, 2e15, 0.0, 0.0, 0.0, e);
    /* N = (1/2) sqrt(eps0/mu0) a b */
    ok(off(e[0] * e[0], 2.0 * POYI_Z0 / (40e-6 * 25e-6)) <= 1e-15 && e[1] == 0.0, "Ex11 on axis: %.6g sqrt(V/A)/m",
       e[0]);
    poy_guide_field(ctx, guide, 1, 0.0, 2e15, 0.0, 20e-6, 5e-6, e);
    poy_guide_field(ctx, guide, 1, 0.0, 2e15, 0.0, -20e-6, 5e-6, f);
    ok(e[1] == -f[1] && e[1] != 0.0 && e[0] == 0.0, "Ey21 is odd in x");
    poy_guide_field(ctx, guide, 1, 0.0, 2e15, 0.0, 40.1e-6, 5e-6, e);
    ok(e[1] == 0.0, "and 0 outside");
    double sum = 0.0, c = 0.0;
    poy_guide_couple(ctx, guide, 0, 0.0, 2e15, 0.0, 22e-6, 0.0, 0.0, 0.5 * POYI_PI, &c);
    sum = c * c;
    ok(sum > 0.9 && sum < 1.0, "a beam: %.4f in Ex11", sum);
    poy_guide_destroy(&guide);
}

/* A table made from a capillary's profile gives the capillary's coupling, as well as its spline does (h^4 J'''' /384). */
static void check_table_profile(void)
{
    enum { R = 201, W = 40 };
    static double r[R], e[R], wavelength[W], n[2 * W], k[2 * W];
    const double a = 50e-6, u = poyi_bessel_zero(0, 1), area[] = {1e-9}, z[] = {0.0, 0.5};
    poy_guide *guide = NULL, *closed = capillary(a, argon, 2e5, NULL, 1);
    poy_tabulated_options o;
    for (int i = 0; i < R; i++) {
        r[i] = a * i / (R - 1);
        e[i] = 7.0 * poyi_bessel_jn(0, u * r[i] / a);
    }
    for (int i = 0; i < W; i++) {
        double excess[2];
        wavelength[i] = 400e-9 + 20e-9 * i;
        poy_guide_index(ctx, closed, 0, 0.0, omega_at(wavelength[i]), 0, excess);
        n[i] = 1.0 + excess[0];
        n[W + i] = 1.0 + 2.0 * excess[0];
        k[i] = k[W + i] = excess[1];
    }
    poy_tabulated_options_init(&o);
    o.n_wavelengths = W;
    o.wavelengths = wavelength;
    o.n_z = 2;
    o.z = z;
    o.n = n;
    o.k = k;
    o.area = area;
    o.n_r = R;
    o.r = r;
    o.amplitude = e;
    ok(poy_guide_create_tabulated(ctx, &o, &guide) == POY_OK && poy_guide_varies(guide), "a table of two planes");
    double c = 0.0, want = 0.0, half[2], start[2], got[2];
    poy_guide_couple(ctx, guide, 0, 0.0, 2e15, 0.0, 0.6 * a, 0.0, 0.0, 0.0, &c);
    poy_guide_couple(ctx, closed, 0, 0.0, 2e15, 0.0, 0.6 * a, 0.0, 0.0, 0.0, &want);
    ok(off(c, want) <= 1e-8, "its profile couples as the mode it was made from: off %.1e", off(c, want));
    poy_guide_index(ctx, closed, 0, 0.0, omega_at(713e-9), 0, start);
    poy_guide_index(ctx, guide, 0, 0.25, omega_at(713e-9), 0, half);
    ok(off(half[0], 1.5 * start[0]) <= 1e-6 && off(half[1], start[1]) <= 1e-4, "half way: %.6e, %.4e", half[0],
       half[1]);
    poy_guide_index(ctx, guide, 0, 3.0, omega_at(wavelength[7]), 0, half);
    poy_guide_index(ctx, guide, 0, -3.0, omega_at(wavelength[7]), 0, got);
    ok(fabs(1.0 + half[0] - n[W + 7]) <= 4e-16 && fabs(1.0 + got[0] - n[7]) <= 4e-16, "constant outside the planes");
    poy_guide_destroy(&guide);
    poy_guide_destroy(&closed);
}

int main(void)
{
    poy_ctx_create(&ctx);
    check_close_pair();
    check_dispersive_wave();
    check_pins();
    check_beam();
    check_complete();
    check_rectangle();
    check_table_profile();
    ok(poy_ctx_bytes(ctx) == 0, "nothing is left in the ledger");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

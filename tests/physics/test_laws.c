/* test_laws.c: laws that a pulse in a fibre keeps, each against a closed form
 * that no transform or march of the library takes part in. Argument: backend. */
#include <complex.h>
#include <float.h>

#include "lab.h"

#ifndef CMPLX /* as C11, where the C library has it for gcc alone */
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

static const char *backend;
static poy_ctx *ctx;

static const double U = 0.5 * DBL_EPSILON;

static double complex bin_of(const double *a, int64_t k)
{
    return CMPLX(a[2 * k], a[2 * k + 1]);
}

static void set_bin(double *a, int64_t k, double complex value)
{
    a[2 * k] = creal(value);
    a[2 * k + 1] = cimag(value);
}

/* exp(i phi) */
static double complex turn(double phi)
{
    return CMPLX(cos(phi), sin(phi));
}

/* ---- 1, 9: linear ---- */

/* A soliton's fibre whose light is too weak to feel it: the march runs all its stages. */
static lab weak_light(int64_t n, double loss)
{
    static const double beta[] = {-2e-26, 1e-40};
    lab l = lab_make(1550e-9, 10e-12, n, 0.2);
    l.fibre.gamma = 1e-2;
    l.fibre.beta = beta;
    l.fibre.n_beta = 2;
    l.fibre.attenuation = loss;
    l.pulse.t0 = 100e-15;
    l.pulse.peak_power = 1e-30;
    return l;
}

/* in exp(-i (beta2 W^2 / 2 + beta3 W^3 / 6) L - loss L / 2), in long double. max_phase: of the bins that carry light. */
static void linear_exact(const lab *l, const poy_problem *p, const double *in, double *out, double *max_phase)
{
    const poy_grid_info *info = poy_grid_get(poy_problem_grid(p));
    const double *omega = poy_grid_omega(poy_problem_grid(p));
    *max_phase = 0.0;
    for (int64_t k = 0; k < info->n_w; k++) {
        long double w = (long double)omega[k] - (long double)info->omega0;
        long double phase = (l->fibre.beta[0] * w * w / 2 + l->fibre.beta[1] * w * w * w / 6) * l->length;
        double loss = exp(-0.5 * l->fibre.attenuation * l->length);
        double complex factor = CMPLX(loss * (double)cosl(phase), -loss * (double)sinl(phase));
        set_bin(out, k, bin_of(in, k) * factor);
        if (cabs(bin_of(in, k)) > 1e-12 * cabs(bin_of(in, 0)))
            *max_phase = fmax(*max_phase, (double)fabsl(phase));
    }
}

static void linear_case(const char *what, int kerr, double loss, poy_propagator_mode mode, int steps)
{
    lab l = weak_light(1024, loss);
    double *schedule = malloc(sizeof(double) * (size_t)steps), max_phase;
    for (int i = 0; i < steps; i++)
        schedule[i] = l.length / steps;
    l.physics.kerr = kerr;
    l.solver.propagators = mode;
    l.solver.schedule = schedule;
    l.solver.n_schedule = steps;
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p), *want = lab_field(p);
    lab_march(ctx, p, backend, in, out, l.length);
    linear_exact(&l, p, in, want, &max_phase);
    /* Each step: the exponent (the product of operator and h: u of it, its sum: 2 u), a factor (4 u; by powers of a
     * tenth of it 14 products of 1.5 u more), a product (1.5 u). The operator itself is rounded: u of the phase. */
    double per_step = mode == POY_PROPAGATOR_DIRECT ? 8.0 : 8.0 + 14.0 * 1.5;
    double bound = U * (4.0 * (1.0 + max_phase) + per_step * steps), error = lab_distance(out, want, 1024);
    ok(error <= bound, "law 1: %s, %s, %d steps: %.2e (bound %.2e, largest phase %.0f)", what,
       mode == POY_PROPAGATOR_DIRECT ? "direct" : "powers", steps, error, bound, max_phase);
    free(schedule), free(in), free(out), free(want);
    poy_problem_destroy(&p);
}

static void linear(void)
{
    const poy_propagator_mode modes[] = {POY_PROPAGATOR_DIRECT, POY_PROPAGATOR_POWERS};
    const int steps[] = {1, 7, 100};
    for (int m = 0; m < 2; m++) {
        for (int s = 0; s < 3; s++) {
            linear_case("through all stages", 1, 0.0, modes[m], steps[s]);
            linear_case("a linear fibre", 0, 0.0, modes[m], steps[s]);
        }
    }
    linear_case("loss and dispersion", 1, 0.4, POY_PROPAGATOR_DIRECT, 7);

    lab l = lab_make(1550e-9, 10e-12, 1024, 2.0);
    l.fibre.attenuation = 0.7;
    l.fibre.gamma = 1e-2;
    l.pulse.t0 = 100e-15;
    l.pulse.peak_power = 100.0;
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p);
    poy_run_summary s = lab_march(ctx, p, backend, in, out, l.length);
    double ratio = lab_norm2(out, 1024) / lab_norm2(in, 1024);
    /* The march may err by rtol a step, in the sense of the norm. */
    ok(fabs(ratio / exp(-0.7 * 2.0) - 1.0) < 2.0 * l.solver.rtol * (double)s.accepted,
       "law 9: energy exp(-alpha L): error %.1e after %lld steps", ratio / exp(-1.4) - 1.0, (long long)s.accepted);
    free(in), free(out);
    poy_problem_destroy(&p);
}

/* A Gaussian of |A|^2 = P exp(-t^2/T^2) broadens to T sqrt(1 + (L/L_D)^2), L_D = T^2/|beta2|. */
static void broadening(void)
{
    static const double beta[] = {36e-27};
    const double T = 50e-15;
    lab l = lab_make(800e-9, 4e-12, 2048, 0.1);
    l.fibre.beta = beta;
    l.fibre.n_beta = 1;
    l.pulse.shape = POY_SHAPE_GAUSSIAN;
    l.pulse.fwhm = 2.0 * sqrt(log(2.0)) * T;
    l.pulse.energy = 1e-9;
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p), *field = lab_field(p);
    lab_march(ctx, p, backend, in, out, l.length);
    lab_to_time(out, field, 2048);
    double dt = 4e-12 / 2048, center = cabs(bin_of(field, 1024)), side = cabs(bin_of(field, 1024 + 40));
    double width = 40.0 * dt / sqrt(2.0 * log(center / side)); /* two samples of a Gaussian tell its width */
    double want = T * sqrt(1.0 + pow(l.length * beta[0] / (T * T), 2.0));
    ok(fabs(width / want - 1.0) < 1e-10, "law 2: T = %.12g fs, %.12g expected", 1e15 * width, 1e15 * want);
    ok(fabs(want / 87.65842800324451e-15 - 1.0) < 1e-8, "which is the published 87.658428 fs");
    free(in), free(out), free(field);
    poy_problem_destroy(&p);
}

/* ---- 3: self-phase modulation ---- */

static int peaks_above(const double *spectrum, int64_t n, double share)
{
    int count = 0;
    double top = 0.0;
    for (int64_t k = 0; k < n; k++)
        top = fmax(top, cabs(bin_of(spectrum, k)));
    for (int64_t k = 0; k < n; k++) {
        double here = cabs(bin_of(spectrum, k));
        count += here > share * top && here > cabs(bin_of(spectrum, (k + 1) % n)) &&
                 here > cabs(bin_of(spectrum, (k + n - 1) % n));
    }
    return count;
}

static void self_phase(double loss, double rtol, double limit)
{
    enum { N = 1024 };
    lab l = lab_make(800e-9, 2e-12, N, 0.45 * LAB_PI);
    l.fibre.gamma = 0.1;
    l.fibre.attenuation = loss;
    l.solver.rtol = rtol;
    l.pulse.shape = POY_SHAPE_GAUSSIAN;
    l.pulse.fwhm = 150e-15;
    l.pulse.peak_power = 100.0;
    double reach = loss > 0.0 ? -expm1(-loss * l.length) / loss : l.length;
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p), *field = lab_field(p), *want = lab_field(p);
    lab_march(ctx, p, backend, in, out, l.length);
    lab_to_time(in, want, N);
    lab_to_time(out, field, N);
    for (int64_t i = 0; i < N; i++) {
        double complex a = bin_of(want, i);
        double phase = l.fibre.gamma * creal(a * conj(a)) * reach;
        set_bin(want, i, a * turn(-phase) * exp(-0.5 * loss * l.length));
    }
    double error = lab_distance(field, want, N);
    ok(error < limit, "law 3: exp(-i gamma |A|^2 L_eff), loss %g, rtol %.0e: field error %.1e", loss, rtol, error);
    if (loss == 0.0) { /* the outermost two peaks and M - 2 between them, M = phase / pi + 1/2 (Stolen and Lin, 1978) */
        int peaks = peaks_above(out, N, 0.1), expected = (int)lround(l.fibre.gamma * 100.0 * reach / LAB_PI + 0.5);
        ok(peaks == expected, "law 3: %d peaks, %d expected", peaks, expected);
    }
    free(in), free(out), free(field), free(want);
    poy_problem_destroy(&p);
}

/* ---- 4: solitons ---- */

static lab soliton(int order, double rtol)
{
    static const double beta[] = {-1e-26};
    const double T = 280e-15;
    lab l = lab_make(835e-9, 64.0 * T, 2048, LAB_PI * T * T / (2.0 * 1e-26));
    l.fibre.gamma = 0.1;
    l.fibre.beta = beta;
    l.fibre.n_beta = 1;
    l.solver.rtol = rtol;
    l.pulse.t0 = T;
    l.pulse.peak_power = order * order * 1e-26 / (0.1 * T * T);
    return l;
}

static void recurrence(int order, double rtol, double limit_modulus, double limit_field)
{
    lab l = soliton(order, rtol);
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p);
    poy_run_summary s = lab_march(ctx, p, backend, in, out, l.length);
    double modulus = lab_modulus_distance(out, in, 2048);
    ok(modulus < limit_modulus, "law 4: N = %d comes back after z0: |spectrum| to %.1e at rtol %.0e (%lld steps)",
       order, modulus, rtol, (long long)s.accepted);
    for (int64_t k = 0; k < 2048; k++)
        set_bin(in, k, bin_of(in, k) * turn(-LAB_PI / 4.0));
    double field = lab_distance(out, in, 2048);
    ok(field < limit_field, "law 4: N = %d, with the phase -pi/4: field to %.1e", order, field);
    free(in), free(out);
    poy_problem_destroy(&p);
}

/* ---- 5, 8: small perturbations of a continuous wave, with or without Raman ---- */

/* H of Blow and Wood, integral of h(t) exp(-i W t). */
static double complex blow_wood(double omega)
{
    const double t1 = 12.2e-15, t2 = 32e-15;
    double complex s = CMPLX(1.0 / t2, omega);
    return (t1 * t1 + t2 * t2) / (t1 * t1 * t2 * t2) / (s * s + 1.0 / (t1 * t1));
}

/* A = sqrt(P) (1 + u): U+ = u(W), U- = conj u(-W) obey dU/dz = M U, M = -i [[b + K R, K R], [-K R, -b - K R]], with
 * b = beta2 W^2 / 2, K = gamma P, R = 1 - f + f H(W) and M^2 = -b (b + 2 K R). */
static void perturbation(double complex *up, double complex *down, double b, double complex kr, double z)
{
    double complex lambda = csqrt(-b * (b + 2.0 * kr)), c = ccosh(lambda * z), s = csinh(lambda * z) / lambda;
    const double complex i = CMPLX(0.0, 1.0);
    double complex new_up = c * *up - i * s * ((b + kr) * *up + kr * *down);
    double complex new_down = c * *down + i * s * (kr * *up + (b + kr) * *down);
    *up = new_up;
    *down = new_down;
}

static void sidebands(const char *law, double fraction, double beta2, double offset_bins, double limit)
{
    enum { N = 4096 };
    const double T = 2e-12, gamma = 0.01, P = 100.0;
    const double beta[] = {beta2};
    int k = (int)offset_bins;
    lab l = lab_make(1550e-9, T, N, 1.5);
    l.fibre.gamma = gamma;
    l.fibre.beta = beta;
    l.fibre.n_beta = 1;
    l.solver.rtol = 1e-10;
    l.physics.raman = fraction > 0.0 ? POY_RAMAN_BLOW_WOOD : POY_RAMAN_OFF;
    if (fraction > 0.0)
        l.physics.raman_fraction = fraction;
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_field(p), *out = lab_field(p), omega = 2.0 * LAB_PI * k / T;
    const double complex up0 = 1e-6, down0 = 0.0;
    set_bin(in, 0, N * sqrt(P));
    set_bin(in, k, N * sqrt(P) * up0);
    lab_march(ctx, p, backend, in, out, l.length);

    double complex up = up0, down = down0;
    double complex kr = gamma * P * (1.0 - fraction + (fraction > 0.0 ? fraction * blow_wood(omega) : 0.0));
    perturbation(&up, &down, 0.5 * beta2 * omega * omega, kr, l.length);
    double got_up = cabs(bin_of(out, k)) / cabs(bin_of(out, 0)),
           got_down = cabs(bin_of(out, N - k)) / cabs(bin_of(out, 0));
    ok(fabs(got_up / cabs(up) - 1.0) < limit, "%s: f_R %.2f, +%.1f THz: %.8g times launched, error %.1e", law, fraction,
       k / T * 1e-12, got_up / cabs(up0), got_up / cabs(up) - 1.0);
    ok(fabs(got_down / cabs(down) - 1.0) < limit, "%s: its conjugate: error %.1e", law, got_down / cabs(down) - 1.0);
    free(in), free(out);
    poy_problem_destroy(&p);
}

/* Power gain of a Stokes wave that dispersion keeps from mixing: 2 gamma P f_R (-Im H), law 8 in its own words. */
static void raman_gain(void)
{
    enum { N = 4096 };
    const double T = 4e-12, gamma = 0.01, P = 100.0, fraction = 0.18;
    const double beta[] = {-4e-24}; /* 2 gamma P / b = 5e-5: hardly any mixing */
    int k = 52;                     /* 13 THz */
    lab l = lab_make(1550e-9, T, N, 2.0);
    l.fibre.gamma = gamma;
    l.fibre.beta = beta;
    l.fibre.n_beta = 1;
    l.solver.rtol = 1e-9;
    l.physics.raman = POY_RAMAN_BLOW_WOOD;
    l.physics.raman_fraction = fraction;
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_field(p), *out = lab_field(p);
    set_bin(in, 0, N * sqrt(P));
    set_bin(in, N - k, N * sqrt(P) * 1e-3); /* no less: the norm, which the march controls, has to see it */
    lab_march(ctx, p, backend, in, out, l.length);
    double gain = 2.0 * log(cabs(bin_of(out, N - k)) / cabs(bin_of(in, N - k))) / l.length;
    double want = -2.0 * gamma * P * fraction * cimag(blow_wood(2.0 * LAB_PI * k / T));
    ok(want > 0.0 && fabs(gain / want - 1.0) < 1e-2, "law 8: Stokes gain %.6g 1/m at 13 THz, %.6g from -Im H (%.2f %%)",
       gain, want, 100.0 * (gain / want - 1.0));
    free(in), free(out);
    poy_problem_destroy(&p);
}

/* ---- 6: what is conserved ---- */

static void conserved(const char *what, int shock, int raman, int energy_too)
{
    lab l = lab_make(835e-9, 2e-12, 4096, 0.002);
    l.fibre.gamma = 0.11;
    l.physics.shock = shock;
    l.physics.raman = raman ? POY_RAMAN_BLOW_WOOD : POY_RAMAN_OFF;
    l.solver.rtol = 1e-10;
    l.pulse.shape = POY_SHAPE_GAUSSIAN;
    l.pulse.fwhm = 50e-15;
    l.pulse.peak_power = 20000.0;
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p);
    lab_march(ctx, p, backend, in, out, l.length);
    double energy = lab_norm2(out, 4096) / lab_norm2(in, 4096) - 1.0,
           photons = lab_photons(p, out) / lab_photons(p, in) - 1.0;
    if (shock)
        ok(fabs(photons) < 1e-9, "law 6: %s: photons change by %.1e", what, photons);
    else
        ok(fabs(photons) > 1e-6, "law 6: %s: photons are not kept without shock: %.1e", what, photons);
    if (energy_too)
        ok(fabs(energy) < 1e-9, "law 6: %s: energy changes by %.1e", what, energy);
    else
        ok(energy < -1e-6, "law 6: %s: the medium takes energy, %.1e", what, energy);
    free(in), free(out);
    poy_problem_destroy(&p);
}

/* ---- 7: soliton self-frequency shift ---- */

/* dW/dz of a fundamental soliton: gamma f_R / (2 pi E) times the integral of W |I(W)|^2 Im H(W), where I is the
 * transform of P sech^2(t/T0) (J. P. Gordon, Opt. Lett. 11, 662 (1986), from Ehrenfest's theorem). */
static double gordon_rate(double gamma, double fraction, double power, double T)
{
    double sum = 0.0, step = 0.01 / T;
    for (int i = 1; i < 4000; i++) { /* even in W; beyond 40/T nothing is left */
        double w = i * step, transform = power * T * LAB_PI * w * T / sinh(0.5 * LAB_PI * w * T);
        sum += 2.0 * w * transform * transform * cimag(blow_wood(w)) * step;
    }
    return gamma * fraction * sum / (2.0 * LAB_PI * 2.0 * power * T);
}

static void self_frequency(void)
{
    const double T = 800e-15, beta2 = -2e-26, gamma = 0.003, fraction = 0.18;
    const double beta[] = {beta2};
    lab l = lab_make(1550e-9, 40e-12, 4096, 2.0 * T * T / 2e-26);
    l.fibre.gamma = gamma;
    l.fibre.beta = beta;
    l.fibre.n_beta = 1;
    l.physics.raman = POY_RAMAN_BLOW_WOOD;
    l.pulse.t0 = T;
    l.pulse.peak_power = -beta2 / (gamma * T * T);
    const char *name = "omega_mean";
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), before = 0.0, after = 0.0;
    poy_run *run = lab_open(ctx, p, backend, in);
    must(ctx, poy_run_stats(ctx, run, &name, 1, &before), name);
    must(ctx, poy_run_propagate_to(ctx, run, l.length, NULL), "the march");
    must(ctx, poy_run_stats(ctx, run, &name, 1, &after), name);
    double rate = (after - before) / l.length, want = gordon_rate(gamma, fraction, l.pulse.peak_power, T);
    ok(fabs(rate / want - 1.0) < 0.03, "law 7: shift %.4g rad/s per m, Gordon %.4g (%.2f %%)", rate, want,
       100.0 * (rate / want - 1.0));
    poy_run_destroy(&run);
    poy_problem_destroy(&p);
    free(in);
}

/* ---- 14: orders ---- */

static double *fixed_steps(lab *l, int steps)
{
    double *schedule = malloc(sizeof(double) * (size_t)steps);
    for (int i = 0; i < steps; i++)
        schedule[i] = l->length / steps;
    l->solver.schedule = schedule;
    l->solver.n_schedule = steps;
    double *out = lab_propagate(ctx, l, backend, NULL);
    l->solver.schedule = NULL;
    l->solver.n_schedule = 0;
    free(schedule);
    return out;
}

/* Against the closed recurrence, so that no other run takes part. */
static void orders(void)
{
    enum { N = 2048 };
    double errors[3];
    lab l = soliton(3, 1e-8);
    for (int i = 0; i < 3; i++) {
        double *out = fixed_steps(&l, 500 << i), *in = NULL;
        poy_problem *p = lab_problem(ctx, &l);
        in = lab_launch(ctx, &l, p);
        for (int64_t k = 0; k < N; k++)
            set_bin(in, k, bin_of(in, k) * turn(-LAB_PI / 4.0));
        errors[i] = lab_distance(out, in, N);
        poy_problem_destroy(&p);
        free(out), free(in);
    }
    for (int i = 0; i < 2; i++)
        ok(log2(errors[i] / errors[i + 1]) > 4.8, "law 14: global order %.2f between %d and %d steps (%.1e, %.1e)",
           log2(errors[i] / errors[i + 1]), 500 << i, 1000 << i, errors[i], errors[i + 1]);

    l.length /= 50.0;
    double *exact = fixed_steps(&l, 64);
    double whole[2];
    for (int i = 0; i < 2; i++) {
        lab part = l;
        part.length = l.length / (1 << i);
        double *reference = i ? fixed_steps(&part, 64) : exact, *out = fixed_steps(&part, 1);
        whole[i] = lab_distance(out, reference, N);
        free(out);
        if (i)
            free(reference);
    }
    ok(log2(whole[0] / whole[1]) > 5.5, "law 14: local order %.2f (%.1e, %.1e)", log2(whole[0] / whole[1]), whole[0],
       whole[1]);
    free(exact);
}

/* ---- 20: symmetries ---- */

/* The transform of conj A(t) is conj S(-W); of A(-t) (about the middle sample) S(-W); of conj A(-t) conj S(W). */
static void reverse_spectrum(double *a, int64_t n, int conjugate)
{
    double *copy = malloc(sizeof(double) * 2 * (size_t)n);
    memcpy(copy, a, sizeof(double) * 2 * (size_t)n);
    for (int64_t k = 0; k < n; k++)
        set_bin(a, k, conjugate ? conj(bin_of(copy, (n - k) % n)) : bin_of(copy, (n - k) % n));
    free(copy);
}

static lab asymmetric(double sign3)
{
    static double beta[2];
    lab l = soliton(2, 1e-10);
    beta[0] = -1e-26;
    beta[1] = sign3 * 4e-40;
    l.fibre.beta = beta;
    l.fibre.n_beta = 2;
    l.pulse.gdd = 1e-26;
    l.pulse.tod = 2e-39;
    return l;
}

static void symmetries(void)
{
    enum { N = 2048 };
    lab l = asymmetric(1.0);
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p), *back = lab_field(p);
    lab_march(ctx, p, backend, in, out, l.length);

    lab mirrored = asymmetric(-1.0);
    poy_problem *q = lab_problem(ctx, &mirrored);
    double *reversed = lab_field(p);
    memcpy(reversed, in, sizeof(double) * 2 * N);
    reverse_spectrum(reversed, N, 0);
    lab_march(ctx, q, backend, reversed, back, l.length);
    reverse_spectrum(back, N, 0);
    ok(lab_distance(back, out, N) < 1e-8, "law 20: A(-t) and -beta3 is the same light in a mirror: %.1e",
       lab_distance(back, out, N));
    poy_problem_destroy(&q);

    /* conj A(-z) obeys the equation of A(z) with odd dispersion reversed; with conj A(-t, -z) that is undone. */
    for (int64_t k = 0; k < N; k++)
        set_bin(out, k, conj(bin_of(out, k)));
    lab_march(ctx, p, backend, out, back, l.length);
    for (int64_t k = 0; k < N; k++)
        set_bin(back, k, conj(bin_of(back, k)));
    ok(lab_distance(back, in, N) < 1e-7, "law 20: forth, reversed, and forth again is where it began: %.1e",
       lab_distance(back, in, N));
    free(in), free(out), free(back), free(reversed);
    poy_problem_destroy(&p);
}

/* A symmetric input stays symmetric without shock, Raman and odd dispersion, and GVD's sign with conj A and -gamma. */
static void conjugation(void)
{
    enum { N = 2048 };
    static const double plus[] = {1e-26}, minus[] = {-1e-26};
    lab l = soliton(2, 1e-10);
    l.pulse.gdd = 1e-26;
    poy_problem *p = lab_problem(ctx, &l), *q = NULL;
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p), *other = lab_field(p);
    l.fibre.beta = minus;
    lab_march(ctx, p, backend, in, out, l.length);
    l.fibre.beta = plus;
    l.fibre.gamma = -0.1;
    q = lab_problem(ctx, &l);
    reverse_spectrum(in, N, 1);
    lab_march(ctx, q, backend, in, other, l.length);
    reverse_spectrum(other, N, 1);
    ok(lab_distance(other, out, N) < 1e-8, "law 20: conj A in a fibre of -beta2, -gamma: %.1e",
       lab_distance(other, out, N));
    free(in), free(out), free(other);
    poy_problem_destroy(&p);
    poy_problem_destroy(&q);
}

/* ---- reported faults of other programs ---- */

/* B13: without any operator the step was never accepted. */
static void nothing_at_all(void)
{
    lab l = lab_make(800e-9, 1e-12, 256, 0.5);
    l.pulse.fwhm = 50e-15;
    l.pulse.shape = POY_SHAPE_GAUSSIAN;
    l.pulse.peak_power = 1e3;
    for (int kerr = 0; kerr < 2; kerr++) {
        l.physics.kerr = kerr;
        poy_problem *p = lab_problem(ctx, &l);
        double *in = lab_launch(ctx, &l, p), *out = lab_field(p);
        poy_run_summary s = lab_march(ctx, p, backend, in, out, l.length);
        ok(!memcmp(in, out, sizeof(double) * 2 * 256),
           "B13: a fibre that does nothing, kerr %d, returns its input, %lld steps", kerr, (long long)s.accepted);
        memset(in, 0, sizeof(double) * 2 * 256);
        lab_march(ctx, p, backend, in, out, l.length);
        ok(lab_norm2(out, 256) == 0.0, "B13: nothing launched, kerr %d: nothing comes", kerr);
        free(in), free(out);
        poy_problem_destroy(&p);
    }
}

/* gnl-03 (B21): 10 kW over 1 mm of 0.11 1/(W m): 1.1 rad and no gain. */
static void no_gain(void)
{
    enum { N = 1024 };
    lab l = lab_make(835e-9, 1e-12, N, 1e-3);
    l.fibre.gamma = 0.11;
    l.solver.rtol = 1e-11;
    l.pulse.fwhm = 50e-15;
    l.pulse.peak_power = 10e3;
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p), *out = lab_field(p), *field = lab_field(p), *start = lab_field(p);
    lab_march(ctx, p, backend, in, out, l.length);
    lab_to_time(out, field, N);
    lab_to_time(in, start, N);
    double phase = -carg(bin_of(field, N / 2) / bin_of(start, N / 2));
    ok(fabs(phase - 1.1) < 1e-10 * 1.1, "gnl-03: largest phase %.12g rad", phase);
    double gain = lab_norm2(out, N) / lab_norm2(in, N) - 1.0;
    ok(fabs(gain) < 1e-10, "gnl-03: energy ratio - 1 = %.1e", gain);
    free(in), free(out), free(field), free(start);
    poy_problem_destroy(&p);
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : "cpu";
    int fast = strcmp(backend, "ref") != 0; /* the longer cases are not for the reference */
    ctx = lab_context();
    linear();
    broadening();
    self_phase(0.0, 1e-8, 1e-6);
    self_phase(0.3, 1e-8, 1e-6);
    recurrence(1, 1e-8, 1e-6, 1e-5);
    sidebands("law 5", 0.0, -2e-26, 2.0, 1e-8);
    sidebands("law 5", 0.0, 2e-26, 3.0, 1e-8);
    sidebands("law 8", 0.18, -2e-26, 13.0, 1e-3);
    nothing_at_all();
    no_gain();
    if (fast) {
        self_phase(0.0, 1e-12, 1e-10);
        recurrence(2, 1e-8, 1e-6, 1e-5);
        recurrence(3, 1e-8, 1e-6, 1e-5);
        recurrence(3, 1e-12, 1e-9, 1e-8);
        sidebands("law 8", 0.18, 2e-26, 26.0, 1e-3);
        raman_gain();
        self_frequency();
        orders();
        symmetries();
        conjugation();
    }
    conserved("Kerr and shock", 1, 0, 1);
    if (fast)
        conserved("Kerr", 0, 0, 1);
    conserved("Kerr, Raman and shock", 1, 1, 0);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* test_closed_forms.c: propagations whose answer is known on paper, beyond the laws of test_laws.c: a delayed response without
 * dispersion, the shock of self-steepening, the wave that a soliton radiates, the blue shift by free electrons.
 *
 * Call: test_closed_forms BACKEND */
#include "hollow.h"

static poy_ctx *ctx;
static const char *backend;

/* ---- Raman without dispersion and shock: |A(t)|^2 stays, A = A0 exp(-i gamma L [(1 - f) I + f (h * I)]) ---- */

static const double T1 = 12.2e-15, T2 = 32e-15, TB = 96e-15, FB = 0.21;

static double response(poy_raman_model model, double t)
{
    const double bw = (T1 * T1 + T2 * T2) / (T1 * T2 * T2) * exp(-t / T2) * sin(t / T1);
    return model == POY_RAMAN_BLOW_WOOD ? bw : (1.0 - FB) * bw + FB * (2.0 * TB - t) / (TB * TB) * exp(-t / TB);
}

static double slope_at_0(poy_raman_model model) /* h'(0) */
{
    const double bw = 1.0 / (T1 * T1) + 1.0 / (T2 * T2);
    return model == POY_RAMAN_BLOW_WOOD ? bw : (1.0 - FB) * bw - 3.0 * FB / (TB * TB);
}

static double gaussian(double t, double power, double t0)
{
    return power * exp(-t * t / (t0 * t0));
}

/* int_0^inf h(s) I(t - s) ds by Boole's rule, 0.25 fs apart: (0.02)^6 of it is missing. */
static double delayed(poy_raman_model model, double t, double power, double t0)
{
    enum { PANELS = 2000 };
    static const double weight[4] = {14.0, 32.0, 12.0, 32.0}, step = 0.25e-15;
    double sum = -7.0 * response(model, 0.0) * gaussian(t, power, t0);
    for (int i = 0; i < 4 * PANELS; i++)
        sum += weight[i % 4] * response(model, i * step) * gaussian(t - i * step, power, t0);
    return sum * step * 2.0 / 45.0;
}

/* Distance of a run from the formula; missing: what the samples lack of the instantaneous part, times h'(0)/12. */
static double raman_distance(const lab *l, double missing, double power, double t0)
{
    enum { N = 4096 };
    static double time[2 * N];
    double sum = 0.0, all = 0.0, *out = lab_propagate(ctx, l, backend, NULL);
    const double fraction = l->physics.raman_fraction;
    lab_to_time(out, time, N);
    for (int64_t i = 0; i < N; i++) {
        const double t = (double)(i - N / 2) * l->grid.window / N, I = gaussian(t, power, t0);
        const double lack = missing * slope_at_0(l->physics.raman) / 12.0 * I;
        const double phase = l->fibre.gamma * l->length *
                             ((1.0 - fraction) * I + fraction * (delayed(l->physics.raman, t, power, t0) - lack));
        const double re = time[2 * i] - sqrt(I) * cos(phase), im = time[2 * i + 1] + sqrt(I) * sin(phase);
        sum += re * re + im * im;
        all += I;
    }
    free(out);
    return sqrt(sum / all);
}

static void delayed_response(poy_raman_model model, const char *name)
{
    const double power = 1e4, t0 = 60e-15, window = 4.096e-12, dt = window / 4096.0;
    lab l = lab_make(835e-9, window, 4096, 5e-3);
    l.fibre.gamma = 0.11; /* a phase of 5.5 */
    l.physics.raman = model;
    l.physics.raman_fraction = 0.3;
    l.solver.rtol = 1e-10;
    l.pulse.shape = POY_SHAPE_GAUSSIAN;
    l.pulse.fwhm = 2.0 * sqrt(log(2.0)) * t0;
    l.pulse.peak_power = power;
    l.physics.raman_kernel = POY_RAMAN_ANALYTIC;
    const double analytic = raman_distance(&l, 0.0, power, t0);
    l.physics.raman_kernel = POY_RAMAN_SAMPLED;
    const double sampled = raman_distance(&l, 0.0, power, t0), told = raman_distance(&l, dt * dt, power, t0);
    ok(analytic < 1e-9, "%s, analytic, dt = 1 fs: A0 exp(-i phi) to %.1e", name, analytic);
    /* 5.5 x 0.3 x 6e-4 of phase where the light is; what is left of it is of order dt^4: (w dt)^2 of it, w = 1/T1 */
    ok(sampled > 1e-4 && told < 0.02 * sampled, "%s, sampled: %.2e off, dt^2 h'(0)/12 of the Kerr effect but for %.1e",
       name, sampled, told);
}

/* ---- self-steepening: I(z, t) = I(0, t - 3 gamma I z/omega0), a shock at sqrt(e/2) omega0 t0/(3 gamma P) ---- */

static double steepened(double t, double delay, double t0) /* u = exp(-(t - delay u)^2/t0^2), by bisection */
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        const double u = 0.5 * (low + high), x = (t - delay * u) / t0;
        *(exp(-x * x) > u ? &low : &high) = u;
    }
    return 0.5 * (low + high);
}

/* D. Anderson, M. Lisak, Phys. Rev. A 27, 1393 (1983); Agrawal (2019), eq. 4.4.5 to 4.4.7. Below the shock the solution
 * is single valued, and the bisection finds it: exp(...) - u falls. */
static void self_steepening(double share)
{
    enum { N = 4096 };
    static double time[2 * N];
    const double t0 = 30e-15, power = 1e5, omega0 = 2.0 * LAB_PI * LAB_C / 800e-9;
    lab l = lab_make(800e-9, 600e-15, N, 0.0);
    l.fibre.gamma = 0.01;
    const double shock = sqrt(0.5 * exp(1.0)) * omega0 * t0 / (3.0 * l.fibre.gamma * power);
    l.length = share * shock;
    l.physics.shock = 1;
    l.pulse.shape = POY_SHAPE_GAUSSIAN;
    l.pulse.fwhm = 2.0 * sqrt(log(2.0)) * t0;
    l.pulse.peak_power = power;
    double *out = lab_propagate(ctx, &l, backend, NULL), worst = 0.0, steepest = 0.0, last = 0.0;
    const double dt = l.grid.window / N, delay = 3.0 * l.fibre.gamma * power * l.length / omega0;
    lab_to_time(out, time, N);
    free(out);
    for (int64_t i = 0; i < N; i++) {
        const double u = (time[2 * i] * time[2 * i] + time[2 * i + 1] * time[2 * i + 1]) / power;
        worst = fmax(worst, fabs(u - steepened((double)(i - N / 2) * dt, delay, t0)));
        steepest = i ? fmax(steepest, (last - u) / dt) : 0.0;
        last = u;
    }
    ok(worst < 1e-7, "self-steepening at %.2f of the shock distance (%.3g m): |A(t)|^2 of the characteristics to %.1e",
       share, shock, worst);
    /* The steepest slope is s/(1 - z/z_shock), s = sqrt(2/e)/t0, within a time 1/slope that shrinks with it: differences over
     * dt, up to dt/2 beside it, lack of it what is of second order in dt. */
    const double want = sqrt(2.0 / exp(1.0)) / t0 / (1.0 - share), width = 1.0 / want;
    ok(fabs(steepest / want - 1.0) < 0.25 * pow(dt / width / (1.0 - share), 2),
       "its slope is that of a shock there: %.5g of %.5g per fs", 1e-15 * steepest, 1e-15 * want);
}

/* ---- the dispersive wave of a soliton: beta2 W^2/2 + beta3 W^3/6 = gamma P/2 ---- */

/* P. K. A. Wai, H. H. Chen, Y. C. Lee, Phys. Rev. A 41, 426 (1990); Akhmediev and Karlsson, Phys. Rev. A 51, 2602 (1995).
 * Ten dispersion lengths of radiation make a line of width 2 pi/(10 (group delay per dispersion length)): 0.3 % of the root. */
static void radiation(double epsilon)
{
    enum { N = 4096 };
    const double beta2 = -2e-26, T = 50e-15, gamma = 0.01, beta3 = 6.0 * -beta2 * T * epsilon;
    const double beta[] = {beta2, beta3};
    lab l = lab_make(1550e-9, 20e-12, N, 10.0 * T * T / -beta2);
    l.fibre.gamma = gamma;
    l.fibre.beta = beta;
    l.fibre.n_beta = 2;
    l.pulse.t0 = T;
    l.pulse.peak_power = -beta2 / (gamma * T * T);
    double *out = lab_propagate(ctx, &l, backend, NULL), highest = 0.0;
    int64_t at = 0;
    const double bin = 2.0 * LAB_PI / l.grid.window, guess = -3.0 * beta2 / beta3;
    for (int64_t k = (int64_t)(0.75 * guess / bin); k < (int64_t)(1.5 * guess / bin); k++) {
        const double s = hypot(out[2 * k], out[2 * k + 1]);
        if (s > highest)
            highest = s, at = k;
    }
    free(out);
    /* The soliton's spectrum recoils; third-order dispersion moves it by beta3/(2 T^2) in inverse velocity, W beta3/(6 T^2),
     * and its phase by what is of second order in epsilon. */
    double w = guess;
    for (int i = 0; i < 50; i++) {
        const double f = 0.5 * beta2 * w * w + beta3 * w * w * w / 6.0 - 0.5 * gamma * l.pulse.peak_power -
                         w * beta3 / (6.0 * T * T);
        w -= f / (beta2 * w + 0.5 * beta3 * w * w - beta3 / (6.0 * T * T));
    }
    ok(fabs((double)at * bin / w - 1.0) < 0.005,
       "epsilon = %.2f: radiation at %.2f T, phase matching at %.2f T (%.2f %%)", epsilon, (double)at * bin * T, w * T,
       100.0 * ((double)at * bin / w - 1.0));
}

/* ---- free electrons: d<omega>/dz = e^2/(2 eps0 m c omega0) <d rho/dt> ---- */

/* Ammosov, Delone and Krainov for a potential (J), as in docs/physics.md; the field in V/m. */
static double adk(double potential, double field)
{
    const double e = 1.602176634e-19, hbar = LAB_HBAR, m = 9.1093837015e-31, hartree = 4.3597447222071e-18;
    const double n = sqrt(0.5 * hartree / potential), wp = potential / hbar,
                 wt = e * fabs(field) / sqrt(2.0 * m * potential);
    if (wt < 0.02 * wp)
        return 0.0;
    return wp * pow(2.0, 2.0 * n) / (n * tgamma(n + 1.0) * tgamma(n)) * pow(4.0 * wp / wt, 2.0 * n - 1.0) *
           exp(-4.0 * wp / (3.0 * wt));
}

/* W. M. Wood, C. W. Siders, M. C. Downer, Phys. Rev. Lett. 67, 3523 (1991): electrons that are set free lower the index
 * while the pulse passes. Averages are over the energy; electrons come in steps twice a cycle, and the bin of each photon is
 * taken for omega0, which is exact to (half the bandwidth/omega0)^2, 4e-4. */
static void blue_shift(void)
{
    const double e = 1.602176634e-19, m = 9.1093837015e-31, eps0 = 8.8541878128e-12;
    const double potential = 0.5792 * 27.21138602 * e, radius = 50e-6;
    hollow h = hollow_make("Ar", radius, 1);
    h.physics.kerr = 0;
    h.gas.averaged = 1;
    h.gas.plasma = 1;
    h.pulse.fwhm = 30e-15;
    h.grid.window = 300e-15;
    h.pulse.energy = 160e-6;
    poy_gas *gas = NULL;
    double rho = 0.0;
    must(ctx, poy_gas_create(ctx, "Ar", &gas), "argon");
    must(ctx, poy_gas_density(ctx, gas, POY_EOS_HELMHOLTZ, 1e5, 293.15, &rho, NULL), "its density");
    poy_gas_destroy(&gas);
    poy_problem *p = hollow_problem(ctx, &h);
    double *in = hollow_launch(ctx, &h, p), *source = hollow_source_on(ctx, backend, p, in);
    const double *omega = poy_grid_omega(poy_problem_grid(p));
    double all = 0.0, mean = 0.0, change = 0.0;
    for (int64_t k = 0; k < lab_bins(p); k++) {
        const double s = in[2 * k] * in[2 * k] + in[2 * k + 1] * in[2 * k + 1];
        all += s;
        mean += omega[k] * s;
    }
    mean /= all;
    for (int64_t k = 0; k < lab_bins(p); k++)
        change += 2.0 * (omega[k] - mean) * (in[2 * k] * source[2 * k] + in[2 * k + 1] * source[2 * k + 1]) / all;
    free(in), free(source);
    poy_problem_destroy(&p);

    /* The pulse on paper, ten samples to a femtosecond. */
    const double t0 = h.pulse.fwhm / (2.0 * sqrt(log(2.0))), area = 1.4971689509094137 * radius * radius,
                 peak = h.pulse.energy / (sqrt(LAB_PI) * t0), field = sqrt(2.0 * peak / (eps0 * LAB_C * area)),
                 omega0 = 2.0 * LAB_PI * LAB_C / 800e-9, dt = 1e-17;
    double exposure = 0.0, sum = 0.0, weight = 0.0;
    for (int i = -8000; i < 8000; i++) {
        const double t = i * dt, I = exp(-t * t / (t0 * t0)), w = adk(potential, field * sqrt(I) * cos(omega0 * t));
        sum += rho * w * exp(-exposure) * I;
        weight += I;
        exposure += w * dt;
    }
    /* Two running integrals by the trapezoidal rule, 19 samples a cycle: each is (x/2) cot(x/2) of what it ought to be. */
    const double x = omega0 * h.grid.wavelength_min / (6.0 * LAB_C), rule = pow(0.5 * x / tan(0.5 * x), 2.0);
    const double want = rule * e * e / (2.0 * eps0 * m * LAB_C * omega0) * sum / weight;
    ok(exposure > 1e-3 && exposure < 0.3 && fabs(change / want - 1.0) < 2e-3,
       "blue shift of %.2e electrons an atom: %.4g rad/s per m, %.4g on paper (%.2f %%)", 1.0 - exp(-exposure), change,
       want, 100.0 * (change / want - 1.0));
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : "ref";
    ctx = lab_context();
    delayed_response(POY_RAMAN_BLOW_WOOD, "Blow and Wood");
    delayed_response(POY_RAMAN_LIN_AGRAWAL, "Lin and Agrawal");
    self_steepening(0.5);
    self_steepening(0.8);
    blue_shift();
    if (strcmp(backend, "ref") != 0) { /* many steps */
        radiation(0.05);
        radiation(0.07);
    }
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* test_raman_response.c: the sampled Raman spectrum against its own sum and the closed form of the continuous one. */
#include <complex.h>

#include "fibre_fixture.h"
#include "media/media.h"
#include "pulse/response/response.h"

enum { N = 2048 };
static double H[2 * (N / 2 + 1)];

static poy_status spectrum(poy_raman_model model, int full, poy_raman_kernel kernel, int64_t n, double dt, double *out)
{
    poy_physics_options o;
    poy_physics_options_init(&o);
    o.raman = model;
    o.raman_start_full = full;
    o.raman_kernel = kernel;
    return poyi_raman_spectrum(ctx, &o, n, dt, out);
}

/* The sum itself, in long double. */
static void check_sum(poy_raman_model model, poyi_raman_model data, int full, double dt)
{
    double worst = 0.0, scale = 0.0;
    ok(spectrum(model, full, POY_RAMAN_SAMPLED, N, dt, H) == POY_OK, "%s, weight %s of h(0)",
       poyi_raman_model_name(data), full ? "1" : "1/2");
    for (int64_t k = 0; k <= N / 2; k += 7) {
        long double re = 0.0L, im = 0.0L;
        for (int64_t m = 0; m < N; m++) {
            double h = 0.0;
            poyi_raman_silica(ctx, data, (double)m * dt, &h);
            const long double w = (long double)(m == 0 && !full ? 0.5 * h : h) * (long double)dt / N,
                              a = 2.0L * acosl(-1.0L) * (long double)(k * m % N) / N;
            re += w * cosl(a);
            im -= w * sinl(a);
        }
        worst = fmax(worst, (double)hypotl(re - (long double)H[2 * k], im - (long double)H[2 * k + 1]));
        scale = fmax(scale, (double)hypotl(re, im));
    }
    ok(worst < 1e-14 * scale, "H[k] = dt/n sum w_m h(m dt) exp(-2 pi i k m / n), %.1e off", worst / scale);
    ok(H[1] == 0.0 && fabs(H[N + 1]) < 1e-16 * scale, "real at 0 and at the last frequency");
}

/* Samples come near the closed form as dt^2: halving dt takes the distance to a quarter. In the window of 4 ps each
 * response has fallen below 1e-10 of its start. */
static void check_analytic(poy_raman_model model, poyi_raman_model data)
{
    enum { COARSE = 4096, FINE = 4 * COARSE };
    static double samples[2 * (FINE / 2 + 1)], analytic[2 * (FINE / 2 + 1)];
    double distance[3];
    for (int j = 0; j < 3; j++) {
        const double dt = 1e-15 / (1 << j);
        const int64_t n = (int64_t)COARSE << j;
        distance[j] = 0.0;
        ok(spectrum(model, 0, POY_RAMAN_SAMPLED, n, dt, samples) == POY_OK &&
               spectrum(model, 0, POY_RAMAN_ANALYTIC, n, dt, analytic) == POY_OK,
           "%s at %g fs, sampled and analytic", poyi_raman_model_name(data), dt * 1e15);
        for (int64_t k = 0; k <= COARSE / 16; k++)
            distance[j] = fmax(distance[j], (double)n * hypot(samples[2 * k] - analytic[2 * k],
                                                              samples[2 * k + 1] - analytic[2 * k + 1]));
    }
    ok(distance[0] < 1e-3 && fabs(distance[0] / distance[1] - 4.0) < 0.2 &&
           fabs(distance[1] / distance[2] - 4.0) < 0.05,
       "they differ by %.2e, %.2e, %.2e: as dt^2", distance[0], distance[1], distance[2]);
    /* Hollenbeck and Cantrell's is normalised over 3 ps, by which 1e-8 is left. */
    ok(close_to(FINE * analytic[0], 1.0, 2e-8) && analytic[1] == 0.0, "the closed form integrates to 1");
}

int main(void)
{
    fixture_start();
    check_analytic(POY_RAMAN_BLOW_WOOD, POYI_RAMAN_BLOW_WOOD);
    check_analytic(POY_RAMAN_LIN_AGRAWAL, POYI_RAMAN_LIN_AGRAWAL);
    check_analytic(POY_RAMAN_HOLLENBECK_CANTRELL, POYI_RAMAN_HOLLENBECK_CANTRELL);
    check_sum(POY_RAMAN_BLOW_WOOD, POYI_RAMAN_BLOW_WOOD, 0, 2.2e-15);
    check_sum(POY_RAMAN_LIN_AGRAWAL, POYI_RAMAN_LIN_AGRAWAL, 0, 2.2e-15);
    check_sum(POY_RAMAN_LIN_AGRAWAL, POYI_RAMAN_LIN_AGRAWAL, 1, 2.2e-15);
    check_sum(POY_RAMAN_HOLLENBECK_CANTRELL, POYI_RAMAN_HOLLENBECK_CANTRELL, 0, 2.2e-15);

    /* Blow-Wood in closed form: (1/t1^2 + 1/t2^2) / ((1/t2 + i w)^2 + 1/t1^2), sampled with an error of (dt/t1)^2/12. */
    const double dt = 1e-15, t1 = 12.2e-15, t2 = 32e-15;
    const double complex i = (double complex)I;
    double worst = 0.0;
    ok(spectrum(POY_RAMAN_BLOW_WOOD, 0, POY_RAMAN_SAMPLED, N, dt, H) == POY_OK, "Blow-Wood at 1 fs");
    for (int64_t k = 0; k < N / 8; k++) {
        const double w = 2.0 * POYI_PI * (double)k / (N * dt);
        const double complex rate = 1.0 / t2 + i * w,
                             exact = (1.0 / (t1 * t1) + 1.0 / (t2 * t2)) / (rate * rate + 1.0 / (t1 * t1));
        worst = fmax(worst, cabs(N * (H[2 * k] + i * H[2 * k + 1]) - exact));
    }
    ok(worst < 2.0 * pow(dt / t1, 2) / 12.0 * (1.0 + t1 * t1 / (t2 * t2)), "n H is the continuous spectrum, %.1e off",
       worst);
    ok(fabs(N * H[0] - 1.0) < 1e-3 && H[2 * 27 + 1] < 0.0,
       "it integrates to 1; Im H(13.2 THz) < 0: gain of long waves");

    /* The full weight of h(0) = 2 f_b / tau_b adds h(0) dt / 2 to every element. */
    static double full[2 * (N / 2 + 1)];
    double h0 = 0.0;
    poyi_raman_silica(ctx, POYI_RAMAN_LIN_AGRAWAL, 0.0, &h0);
    ok(close_to(h0, 2.0 * 0.21 / 96e-15, 1e-15) &&
           spectrum(POY_RAMAN_LIN_AGRAWAL, 1, POY_RAMAN_SAMPLED, N, dt, full) == POY_OK &&
           spectrum(POY_RAMAN_LIN_AGRAWAL, 0, POY_RAMAN_SAMPLED, N, dt, H) == POY_OK,
       "Lin-Agrawal, half and full");
    worst = 0.0;
    for (int64_t k = 0; k <= N / 2; k++)
        worst = fmax(worst, hypot(full[2 * k] - H[2 * k] - 0.5 * h0 * dt / N, full[2 * k + 1] - H[2 * k + 1]));
    ok(worst < 1e-18, "they differ by h(0) dt / (2 n), %.1e off", worst);
    ok(poyi_raman_model_fraction(POY_RAMAN_OFF) == 0.0 && poyi_raman_model_fraction(POY_RAMAN_BLOW_WOOD) == 0.18 &&
           poyi_raman_model_fraction(POY_RAMAN_LIN_AGRAWAL) == 0.245 &&
           poyi_raman_model_fraction(POY_RAMAN_HOLLENBECK_CANTRELL) == 0.2,
       "the models' own fractions, 0 without one");
    return fixture_end();
}

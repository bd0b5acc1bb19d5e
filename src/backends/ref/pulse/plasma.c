/* plasma.c: the polarisation of free electrons of one species: rate, exposure, fraction, currents, each over the whole
 * window. */
#include <math.h>

#include "backends/ref/pulse/rows.h"

/* c_0 ... c_K: c_0 + 2 sum c_k cos k q = tan(q/2)/(q/2) up to the power 2 K + 1 of q = omega dt: the inverse of what the
 * trapezoid rule makes of exp(i omega t), divided by its integral. */
static const double taps[POY_TAPS_MAX + 1][POY_TAPS_MAX + 1] = {
    {1.0},
    {7.0 / 6, -1.0 / 12},
    {151.0 / 120, -13.0 / 90, 11.0 / 720},
    {19981.0 / 15120, -1289.0 / 6720, 23.0 / 672, -191.0 / 60480},
    {497023.0 / 362880, -208973.0 / 907200, 48529.0 / 907200, -7859.0 / 907200, 2497.0 / 3628800},
};

/* y_i, by point reflection beyond the ends. */
static double reflected(const double *y, int64_t n, int64_t i)
{
    if (i < 0)
        return 2 * y[0] - y[-i];
    return i < n ? y[i] : 2 * y[n - 1] - y[2 * (n - 1) - i];
}

static double filtered(const double *y, int64_t n, int64_t i, int K)
{
    double sum = taps[K][0] * y[i];
    for (int k = 1; k <= K; k++)
        sum += taps[K][k] * (reflected(y, n, i - k) + reflected(y, n, i + k));
    return sum;
}

/* The running integral of y into sum, of many terms: without roundings of its own. */
static void integrate(const double *y, int64_t n, int K, double dt, double *sum)
{
    long double all = 0;
    sum[0] = 0;
    for (int64_t i = 1; i < n; i++) {
        all += (long double)(dt / 2 * (filtered(y, n, i - 1, K) + filtered(y, n, i, K)));
        sum[i] = (double)all;
    }
}

double poyi_ref_electrons(const poy_row_plasma *arg, const double s[3], int64_t n, const poyi_ref_point *p,
                          const double *T, const double *W, double *scratch)
{
    double *w = scratch, *a = scratch + n, *b = scratch + 2 * n, *fraction = scratch + 3 * n, *loss = scratch + 4 * n,
           *x = scratch + 5 * n, largest = 0;

    for (int64_t t = 0; t < n; t++) { /* |E|: that of one component as it is, without the rounding of a root */
        const double first = s[0] * p->X[p->stride * t];
        const double field = arg->pol > 1 ? hypot(first, s[0] * p->X[p->stride * (p->apart + t)]) : fabs(first);
        w[t] = poyi_ref_rate(arg, T, field);
        loss[t] = field;
        largest = field > largest ? field : largest;
    }
    integrate(w, n, arg->taps, arg->dt, a);
    for (int64_t t = 0; t < n; t++) { /* what is free, and the loss current over E, with what is neutral */
        fraction[t] = s[2] + (1 - s[2]) * -expm1(-a[t]);
        loss[t] = w[t] > 0 && loss[t] > 0 ? arg->potential * w[t] * (1 - s[2]) * exp(-a[t]) / (loss[t] * loss[t]) : 0;
    }
    for (int i = 0; i < arg->pol; i++) {
        for (int64_t t = 0; t < n; t++) {
            x[t] = s[0] * p->X[p->stride * (i * p->apart + t)];
            b[t] = arg->drude * fraction[t] * x[t];
        }
        integrate(b, n, arg->taps, arg->dt, a);
        for (int64_t t = 0; t < n; t++)
            a[t] += loss[t] * x[t];
        if (arg->held)
            memcpy(b, a, (size_t)n * sizeof *b);
        else
            integrate(a, n, arg->taps, arg->dt, b);
        for (int64_t t = 0; t < n; t++) {
            double *y = p->y + i * p->apart + t;
            *y = (arg->held == 2 ? 0 : *y) + (arg->window ? W[t] : 1) * s[1] * b[t];
        }
    }
    return largest;
}

/* Of scratch for each sample. */
enum { NUMBERS = 6 };

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_plasma *arg = step->arg;
    const int64_t points = poyi_ref_slot(step, 0)->cols / arg->pol, n = poyi_ref_slot(step, 0)->len;
    const int64_t stride = poyi_ref_slot(step, 2)->dtype == POY_C128 ? 2 : 1;
    double *scratch = poyi_ref_scratch(step), largest = 0;

    (void)ctx, (void)be;
    for (int64_t c = 0; c < points; c++) {
        const poyi_ref_point p = {poyi_ref_f64(step, 0) + c * n, poyi_ref_f64(step, 2) + stride * c * n, points * n,
                                  stride};
        const double field = poyi_ref_electrons(arg, scalars + step->scalar, n, &p, poyi_ref_f64(step, 3),
                                                poyi_ref_f64(step, 4), scratch);
        largest = field > largest ? field : largest;
    }
    const double top = arg->field_min + arg->step * (double)(arg->points - 1);
    poyi_ref_f64(step, 1)[arg->flag] = largest > top ? largest : 0;
    return POY_OK;
}

poy_status poyi_ref_prepare_plasma(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                   size_t *work_bytes)
{
    (void)ctx, (void)be;
    return poyi_ref_keep_scratch(run, NUMBERS * spec->slot[0].len, spec, work, step, work_bytes);
}

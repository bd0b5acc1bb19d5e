/* polarise.c: the response of a gas, Y = W (kerr X^3 + raman Q X): of a real field, of its analytic signal without third
 * harmonics, of an envelope with them; of one component, or of two in an isotropic medium. */
#include "backends/ref/pulse/rows.h"

/* One sample of a point: field, delayed response (of which it has one part, or three), carrier. */
typedef struct sample {
    double complex x, y, carrier;
    double a, b, c;
} sample;

/* Kerr: what goes with x of the pair (x, y), without its coefficient. */
static double complex cube(const poy_row_polarise *arg, const sample *s, double complex x)
{
    const double complex square = s->x * s->x + s->y * s->y;
    const double size = poyi_ref_abs2(s->x) + poyi_ref_abs2(s->y);
    const double complex direct = 2 * size * x + square * conj(x); /* of one component: 3 |x|^2 x */
    if (arg->family == POY_RESPONSE_REAL)
        return square * x;
    if (arg->family != POY_RESPONSE_HARMONIC)
        return direct / 3;
    return direct + s->carrier * square * x + (arg->fold ? conj(s->carrier * direct) : 0);
}

static double complex element(const poy_step *step, int b, int64_t i)
{
    return poyi_ref_slot(step, b)->dtype == POY_C128 ? poyi_ref_c128(step, b)[i] : poyi_ref_f64(step, b)[i];
}

static sample sample_at(const poy_step *step, int64_t point, int64_t t)
{
    const poy_row_polarise *arg = step->arg;
    const int64_t n = poyi_ref_slot(step, 0)->len, points = poyi_ref_slot(step, 0)->cols / arg->pol;
    const int64_t n_q = poyi_ref_slot(step, 2)->len;
    const double *Q = poyi_ref_f64(step, 2);
    sample s = {.x = element(step, 1, point * n + t)};
    if (arg->pol > 1)
        s.y = element(step, 1, (points + point) * n + t);
    if (arg->family == POY_RESPONSE_HARMONIC)
        s.carrier = poyi_ref_c128(step, 4)[t];
    if (arg->raman)
        s.a = Q[point * n_q + t];
    if (arg->tensor) {
        s.b = Q[(points + point) * n_q + t];
        s.c = Q[(2 * points + point) * n_q + t];
    }
    return s;
}

static void put(const poy_step *step, int64_t i, double complex value)
{
    if (poyi_ref_slot(step, 0)->dtype == POY_C128)
        poyi_ref_c128(step, 0)[i] = value;
    else
        poyi_ref_f64(step, 0)[i] = creal(value);
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_polarise *arg = step->arg;
    const double kerr = scalars[step->scalar], raman = scalars[step->scalar + 1], *W = poyi_ref_f64(step, 3);
    const int64_t points = poyi_ref_slot(step, 0)->cols / arg->pol, n = poyi_ref_slot(step, 0)->len;

    (void)ctx, (void)be;
    for (int64_t p = 0; p < points; p++)
        for (int64_t t = 0; t < n; t++) {
            const sample s = sample_at(step, p, t);
            const double window = arg->window ? W[t] : 1;
            put(step, p * n + t, window * (kerr * cube(arg, &s, s.x) + raman * ((s.a + s.b) * s.x + s.c * s.y)));
            if (arg->pol > 1)
                put(step, (points + p) * n + t,
                    window * (kerr * cube(arg, &s, s.y) + raman * ((s.a - s.b) * s.y + s.c * s.x)));
        }
    return POY_OK;
}

POYI_REF_ROW(polarise, run)

/* pulse_row_formulas.c: the formulas of the rows of programs, element by element from the text of pulse_rows.h. */
#include "pulse_row_formulas.h"

#include <math.h>

/* Element i of buffer b, or its modulus. */
static extended at(const reader *r, int b, int64_t i)
{
    const int owner = r->c->same[b] >= 0 ? r->c->same[b] : b;
    const double *x = r->c->data[owner];
    const extended z = r->c->slot[b].dtype == POY_C128 ? CMPLXL((long double)x[2 * i], (long double)x[2 * i + 1])
                                                       : (extended)(long double)x[i];
    return r->moduli ? cabsl(z) : z;
}

static long double scalar(const reader *r, int i)
{
    return r->moduli ? fabsl((long double)r->c->scalars[i]) : (long double)r->c->scalars[i];
}

/* ---- formulas: what buffer b holds at element i afterwards; each knows its columns and bins ---- */

/* The bin of n fine ones that holds frequency number w of n_w: negative frequencies stand at the end. */
static int64_t fine_of(poy_layout layout, int64_t w, int64_t n_w, int64_t n)
{
    const int64_t frequency = layout == POY_LAYOUT_ENVELOPE && w >= (n_w + 1) / 2 ? w - n_w : w;
    return frequency >= 0 ? frequency : frequency + n;
}

static extended unit(extended e, int lossless)
{
    return lossless ? e : e / cabsl(e);
}

static extended exponent_of(const reader *r, int64_t i)
{
    const poy_row_propagators *arg = (const void *)r->c->arg;
    const int64_t block = r->c->slot[1].cols * r->c->slot[1].len / arg->n_term;
    extended exponent = 0;
    for (int t = 0; t < arg->n_term; t++)
        exponent += scalar(r, (int)(i / block) * arg->n_term + t) * at(r, 1, t * block + i % block);
    return exponent;
}

/* An error of the exponent is one of its exponential, relative to it. */
static extended want_propagators(const reader *r, int b, int64_t i)
{
    const reader values = {r->c, 0};
    const extended value = cexpl(exponent_of(&values, i));
    (void)b;
    return r->moduli ? (1 + exponent_of(r, i)) * cabsl(value) : value;
}

static extended want_combine(const reader *r, int b, int64_t i)
{
    const poy_row_combine *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[0].len, n_w = r->c->slot[1].len, block = r->c->slot[1].cols * n_w, c = i / n;
    (void)b;
    for (int64_t w = 0; w < n_w; w++) {
        if (fine_of(arg->layout, w, n_w, n) != i % n)
            continue;
        const int64_t k = c * n_w + w;
        const extended e = arg->position < 0 ? 1 : at(r, 3, arg->position * block + k);
        extended sum = at(r, 1, k);
        for (int j = 0; j < arg->m; j++)
            sum += scalar(r, j) * at(r, 2, arg->k[j] * block + k);
        sum *= e;
        if (arg->noise)
            sum += unit(e, arg->lossless) * at(r, 4, k);
        return (long double)arg->scale * sum;
    }
    return 0;
}

/* Element i of buffer b in the columns of buffer other, whose columns may be longer; -1: beyond its end. */
static int64_t place_in(const reader *r, int b, int other, int64_t i)
{
    const int64_t len = r->c->slot[b].len, of_other = r->c->slot[other].len;
    return i % len < of_other ? i / len * of_other + i % len : -1;
}

/* |A|^2, or of two components x, y: |x|^2 + |y|^2, |x|^2 - |y|^2, 2 Re(x conj(y)), block by block. */
static extended want_drive(const reader *r, int b, int64_t i)
{
    const poy_row_drive *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[1].len, len = r->c->slot[b].len, points = r->c->slot[1].cols / arg->pol;
    const int64_t column = i / len, t = i % len;
    if (t >= n)
        return 0;
    const extended x = at(r, 1, column % points * n + t),
                   y = arg->pol > 1 ? at(r, 1, (points + column % points) * n + t) : 0;
    const long double xx = creall(x * conjl(x)), yy = creall(y * conjl(y));
    if (column >= 2 * points)
        return 2 * creall(x * conjl(y));
    return column >= points && !r->moduli ? xx - yy : xx + yy;
}

static extended want_response(const reader *r, int b, int64_t i)
{
    const poy_row_response *arg = (const void *)r->c->arg;
    const extended a = at(r, 0, i);
    long double factor = scalar(r, 0) * (creall(a) * creall(a) + cimagl(a) * cimagl(a));
    if (arg->raman)
        factor += scalar(r, 1) * creall(at(r, 1, place_in(r, b, 1, i)));
    return (arg->window ? creall(at(r, 2, i % r->c->slot[0].len)) : 1) * factor * a;
}

/* The cube of a real field Re(x exp(i w t)) is Re of exp(i w t) times a quarter of this, at three times w and at w; with
 * folding also the conjugate of the latter, that is its negative frequencies as positive ones. Of two components x, y:
 * (E.E) E_x, whose part at w is a quarter of 2 (|x|^2 + |y|^2) x + (x^2 + y^2) conj(x). */
static extended cube_of(const reader *r, extended x, extended y, extended carrier)
{
    const poy_row_polarise *arg = (const void *)r->c->arg;
    const extended square = x * x + y * y, size = x * conjl(x) + y * conjl(y);
    const extended slow = 2 * size * x + square * conjl(x);
    if (arg->family == POY_RESPONSE_REAL)
        return square * x;
    if (arg->family != POY_RESPONSE_HARMONIC)
        return slow / 3;
    return slow + carrier * square * x + (arg->fold ? conjl(carrier * slow) : 0);
}

static extended want_polarise(const reader *r, int b, int64_t i)
{
    const poy_row_polarise *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[0].len, t = i % n, points = r->c->slot[0].cols / arg->pol, own = i / n;
    const int64_t point = own % points, other = own < points ? own + points : own - points, n_q = r->c->slot[2].len;
    const extended x = at(r, 1, i), y = arg->pol > 1 ? at(r, 1, other * n + t) : 0,
                   carrier = arg->family == POY_RESPONSE_HARMONIC ? at(r, 4, t) : 0;
    extended sum = scalar(r, 0) * cube_of(r, x, y, carrier);
    (void)b;
    if (arg->raman)
        sum += scalar(r, 1) * at(r, 2, point * n_q + t) * x;
    if (arg->tensor) {
        const int sign = own < points || r->moduli ? 1 : -1;
        sum += scalar(r, 1) *
               (sign * at(r, 2, (points + point) * n_q + t) * x + at(r, 2, (2 * points + point) * n_q + t) * y);
    }
    if (r->c->slot[0].dtype == POY_F64)
        sum = creall(sum);
    return (arg->window ? creall(at(r, 3, t)) : 1) * sum;
}

/* Running integral of y, filtered: a sum of weights from the point-reflected samples. */
static void integrate(int taps, int moduli, int64_t n, long double dt, const long double *y, long double *sum)
{
    static const long double c[5][5] = {
        {1},
        {7.0L / 6, -1.0L / 12},
        {151.0L / 120, -13.0L / 90, 11.0L / 720},
        {19981.0L / 15120, -1289.0L / 6720, 23.0L / 672, -191.0L / 60480},
        {497023.0L / 362880, -208973.0L / 907200, 48529.0L / 907200, -7859.0L / 907200, 2497.0L / 3628800}};
    long double last = 0;
    for (int64_t i = 0; i < n; i++) {
        long double value = 0;
        for (int64_t k = i - taps; k <= i + taps; k++) {
            const long double tap = c[taps][k < i ? i - k : k - i], weight = moduli ? fabsl(tap) : tap;
            const int sign = moduli ? 1 : -1; /* of what is reflected */
            value += weight * (k < 0    ? 2 * y[0] + sign * y[-k]
                               : k >= n ? 2 * y[n - 1] + sign * y[2 * (n - 1) - k]
                                        : y[k]);
        }
        sum[i] = i ? sum[i - 1] + dt / 2 * (last + value) : 0;
        last = value;
    }
}

/* The rate of a table of ln w with its slopes: the cubic through both by Newton's divided differences. */
static long double rate_of(const reader *r, int from, long double field)
{
    const poy_row_plasma *arg = (const void *)r->c->arg;
    const double *table = r->c->data[from];
    const long double x = (field - (long double)arg->field_min) / (long double)arg->step;
    if (field < (long double)arg->foot || x < 0)
        return 0;
    if (x >= arg->points - 1)
        return expl((long double)table[2 * (arg->points - 1)]);
    const int64_t i = (int64_t)x;
    const long double t = x - i, p = (long double)table[2 * i], p1 = (long double)table[2 * i + 1],
                      q = (long double)table[2 * i + 2], q1 = (long double)table[2 * i + 3];
    return expl(p + t * (p1 + t * ((q - p - p1) + (t - 1) * (q1 + p1 - 2 * (q - p)))));
}

/* The real part, or its modulus. */
static long double real_of(const reader *r, int b, int64_t i)
{
    const reader values = {r->c, 0};
    const long double part = creall(at(&values, b, i));
    return r->moduli ? fabsl(part) : part;
}

enum { MOST = 128 };

/* Currents of free electrons and their integral, of one species: field: the component, modulus: |E|, table: its buffer. */
static void electrons(const reader *r, int table, int64_t n, long double free, const long double *field,
                      const long double *modulus, long double *current, long double *sum)
{
    const poy_row_plasma *arg = (const void *)r->c->arg;
    const long double dt = (long double)arg->dt;
    const int moduli = r->moduli && arg->held;
    long double rate[MOST] = {0}, exposure[MOST], drive[MOST] = {0};
    for (int64_t k = 0; k < n; k++)
        rate[k] = rate_of(r, table, modulus[k]);
    integrate(arg->taps, moduli, n, dt, rate, exposure);
    for (int64_t k = 0; k < n; k++)
        drive[k] = (long double)arg->drude * (free - (1 - free) * expm1l(-exposure[k])) * field[k];
    integrate(arg->taps, moduli, n, dt, drive, current);
    for (int64_t k = 0; k < n; k++)
        if (rate[k] > 0 && modulus[k] != 0)
            current[k] += (long double)arg->potential * rate[k] * (1 - free) * expl(-exposure[k]) * field[k] /
                          (modulus[k] * modulus[k]);
    integrate(arg->taps, moduli, n, dt, current, sum);
}

/* The report of a field above the table, else what there was. */
static extended want_report(const reader *r, int64_t i, long double largest)
{
    const poy_row_plasma *arg = (const void *)r->c->arg;
    const long double top = (long double)arg->field_min + (long double)arg->step * (arg->points - 1);
    return i == arg->flag ? largest > top ? largest : 0 : creall(at(r, 1, i));
}

/* As the header has it; the moduli of a sum's terms from the moduli of field and polarisation. */
static extended want_plasma(const reader *r, int b, int64_t i)
{
    const poy_row_plasma *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[0].len, points = r->c->slot[0].cols / arg->pol, point = i / n % points;
    long double field[MOST], modulus[MOST], current[MOST] = {0}, sum[MOST], largest = 0;
    if (b == 1) {
        for (int64_t k = 0; k < points * n; k++)
            largest = fmaxl(largest, hypotl(scalar(r, 0) * real_of(r, 2, k),
                                            arg->pol > 1 ? scalar(r, 0) * real_of(r, 2, points * n + k) : 0));
        return want_report(r, i, largest);
    }
    for (int64_t k = 0; k < n; k++) {
        field[k] = scalar(r, 0) * real_of(r, 2, i / n * n + k);
        modulus[k] = hypotl(scalar(r, 0) * real_of(r, 2, point * n + k),
                            arg->pol > 1 ? scalar(r, 0) * real_of(r, 2, (points + point) * n + k) : 0);
    }
    electrons(r, 3, n, scalar(r, 2), field, modulus, current, sum);
    if (arg->held) /* a rate is off by the rounding of its logarithm, at most 12 */
        return (arg->held > 1 ? 0 : creall(at(r, 0, i))) + (r->moduli ? 13 : 1) * scalar(r, 1) * current[i % n];
    return creall(at(r, 0, i)) + (arg->window ? creall(at(r, 4, i % n)) : 1) * scalar(r, 1) * sum[i % n];
}

static extended want_ionise(const reader *r, int b, int64_t i)
{
    const poyi_pulse_case *c = r->c;
    const int64_t n = c->slot[0].len, modes = c->slot[2].cols, column = i / n;
    long double field[MOST], modulus[MOST], current[MOST] = {0}, sum[MOST], largest = 0, all = 0;
    for (int64_t q = 0; q < c->slot[3].cols; q++) {
        for (int64_t k = 0; k < n; k++) {
            field[k] = 0;
            for (int64_t a = 0; a < modes; a++)
                field[k] += scalar(r, 0) * creall(at(r, 3, q * modes + a)) * creall(at(r, 2, a * n + k));
            modulus[k] = fabsl(field[k]);
            largest = fmaxl(largest, modulus[k]);
        }
        if (b == 1)
            continue;
        electrons(r, 5, n, scalar(r, 2), field, modulus, current, sum);
        all += creall(at(r, 4, q * c->slot[4].len + column)) * scalar(r, 1) * sum[i % n];
    }
    return b == 1 ? want_report(r, i, largest) : creall(at(r, 0, i)) + all;
}

static extended want_cube(const reader *r, int b, int64_t i)
{
    const int64_t n = r->c->slot[0].len, modes = r->c->slot[1].cols, t = i % n;
    int64_t k = i / n * r->c->slot[2].len;
    long double sum = 0;
    (void)b;
    for (int64_t x = 0; x < modes; x++)
        for (int64_t y = x; y < modes; y++)
            for (int64_t z = y; z < modes; z++, k++)
                sum += creall(at(r, 2, k)) * creall(at(r, 1, x * n + t)) * creall(at(r, 1, y * n + t)) *
                       creall(at(r, 1, z * n + t));
    return scalar(r, 0) * sum;
}

static extended want_expose(const reader *r, int b, int64_t i)
{
    const poy_row_expose *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[1].len;
    long double sum = 0, largest = 0;
    for (int64_t k = 0; k < n; k++) {
        const long double field = hypotl(scalar(r, 0) * real_of(r, 1, k),
                                         arg->pol > 1 ? scalar(r, 0) * real_of(r, 1, n + k) : 0),
                          rate = rate_of(r, 2, field);
        sum += k == 0 || k == n - 1 ? rate / 2 : rate;
        largest = fmaxl(largest, rate);
    }
    return i == arg->flag ? (long double)arg->dt * sum : i == arg->flag + 1 ? largest : creall(at(r, b, i));
}

static extended want_terms_sum(const reader *r, int b, int64_t i)
{
    const int64_t block = r->c->slot[0].cols * r->c->slot[0].len;
    extended sum = 0;
    (void)b;
    for (int t = 0; t < r->c->n_scalars; t++)
        sum += scalar(r, t) * at(r, 1, t * block + i);
    return sum;
}

static extended want_absorb(const reader *r, int b, int64_t i)
{
    const extended part = (r->moduli ? 1 : -1) * at(r, 2, i % r->c->slot[0].len) * at(r, 1, i) / 2;
    return r->c->slot[b].dtype == POY_C128 ? part : creall(part);
}

static extended want_finish(const reader *r, int b, int64_t i)
{
    const poy_row_finish *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[1].len, n_w = r->c->slot[0].len, block = r->c->slot[1].cols * n_w;
    if (i / block != arg->stage)
        return at(r, b, i);
    const int64_t k = i % block, w = k % n_w, fine = k / n_w * n + fine_of(arg->layout, w, n_w, n);
    extended sum = CMPLXL(0, 1) * at(r, 2, k) * at(r, 1, fine);
    if (r->moduli)
        sum = cabsl(sum);
    if (arg->absorb)
        sum += at(r, 5, w) * at(r, 4, fine);
    if (arg->position < 0)
        return sum;
    const extended e = at(r, 3, arg->position * block + k);
    return arg->lossless ? sum * conjl(e) : sum / e;
}

static extended want_accept(const reader *r, int b, int64_t i)
{
    static const int block[POY_ERROR_BLOCKS] = {0, 2, 3, 4, 5, 6};
    const poyi_pulse_case *c = r->c;
    const poy_row_accept *arg = (const void *)c->arg;
    const int64_t n_w = c->slot[0].len, n = c->slot[0].cols * n_w, end = c->slot[4].cols * n_w - n;
    long double sums[POY_REPORT] = {0};
    for (int64_t k = 0; k < n; k++) {
        const extended e = at(r, 4, end + k);
        const long double weight = arg->weights ? creall(at(r, 5, k % n_w)) : 1;
        extended un = at(r, 2, k), error = 0;
        for (int j = 0; c->slot[3].cols && j < POY_ERROR_BLOCKS; j++) {
            un += scalar(r, j) * at(r, 3, block[j] * n + k);
            error += scalar(r, POY_ERROR_BLOCKS + j) * at(r, 3, block[j] * n + k);
        }
        un *= e;
        error *= e;
        if (b == 0 && k == i)
            return un;
        sums[0] += weight * cabsl(at(r, 2, k)) * cabsl(at(r, 2, k));
        sums[1] += weight * cabsl(un) * cabsl(un);
        sums[2] += weight * cabsl(error) * cabsl(error);
        if (sums[3] == 0 && !(isfinite(cabsl(un)) && isfinite(cabsl(error))))
            sums[3] = 1 + k / n_w;
    }
    return sums[i];
}

static extended want_advance(const reader *r, int b, int64_t i)
{
    const poy_row_advance *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[0].cols * r->c->slot[0].len, end = r->c->slot[3].cols * r->c->slot[0].len - n;
    if (b == 0)
        return at(r, 2, i);
    if (b == 1)
        return i < n ? at(r, 3, end + i) * at(r, 1, (POY_STAGES - 1) * n + i) : at(r, 1, i);
    return unit(at(r, 3, end + i), arg->lossless) * at(r, 4, i);
}

static extended want_taper(const reader *r, int b, int64_t i)
{
    const long double exponent = (long double)r->c->scalars[0] * creall(at(r, 1, i % r->c->slot[0].len));
    (void)b;
    return expl(exponent) * at(r, 0, i) * (r->moduli ? 1 + fabsl(exponent) : 1);
}

static extended want_window(const reader *r, int b, int64_t i)
{
    (void)b;
    return at(r, 1, i % r->c->slot[0].len) * at(r, 0, i);
}

static extended want_crop(const reader *r, int b, int64_t i)
{
    const poy_row_crop *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[1].len, n_w = r->c->slot[0].len;
    (void)b;
    return at(r, 2, i % n_w) * at(r, 1, i / n_w * n + fine_of(arg->layout, i % n_w, n_w, n));
}

/* Both sums; the terms of the first are those of two projections. */
static extended want_score(const reader *r, int b, int64_t i)
{
    const poy_row_score *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[1].len, n_w = r->c->slot[2].len, n_c = r->c->slot[2].cols;
    long double apart = 0, all = 0;
    if (i < arg->at || i > arg->at + 1)
        return at(r, b, i);
    for (int64_t k = 0; k < n_c * n_w; k++) {
        const int64_t fine = k / n_w * n + fine_of(arg->layout, k % n_w, n_w, n);
        const extended p = at(r, 1, fine), coarse = at(r, 1, n_c * n + fine);
        const long double g = cabsl(at(r, 2, k)), rest = cabsl(r->moduli ? p + coarse : p - coarse);
        apart += g * g * rest * rest;
        all += g * g * cabsl(p) * cabsl(p);
    }
    return i == arg->at ? apart : all;
}

static extended want_matmul(const reader *r, int b, int64_t i)
{
    const poy_row_matmul *arg = (const void *)r->c->arg;
    const int64_t n = r->c->slot[0].len, row = r->c->slot[2].len, to = i / n;
    extended sum = arg->accumulate ? at(r, b, i) : 0;
    for (int64_t j = 0; j < r->c->slot[1].cols; j++)
        sum += at(r, 2, arg->transposed ? j * row + to : to * row + j) * at(r, 1, j * n + i % n);
    return sum;
}

/* The sum of the definition; the other half of a real signal's spectrum is the conjugate of the first. */
static extended want_fft(const reader *r, int b, int64_t i)
{
    const poy_row_fft *arg = (const void *)r->c->arg;
    const int64_t len = r->c->slot[1].len, out = r->c->slot[0].len, n = arg->kind == POY_FFT_C2R ? out : len;
    const int64_t column = i / out, k = i % out;
    const long double turn = 2 * acosl(-1.0L) / n;
    extended sum = 0;
    (void)b;
    for (int64_t j = 0; j < n; j++) {
        const int64_t from = arg->kind == POY_FFT_C2R && j > n / 2 ? n - j : j;
        extended x = at(r, 1, column * len + from);
        if (arg->kind == POY_FFT_C2R)
            x = j == 0 || 2 * j == n ? creall(x) : j == from ? x : conjl(x);
        sum += r->moduli ? x : x * cexpl(CMPLXL(0, arg->sign * turn * (j * k % n)));
    }
    return r->moduli ? (log2l(n) + 4) * sum : sum;
}

static extended want_mul(const reader *r, int b, int64_t i)
{
    (void)b;
    return at(r, 1, i) * at(r, 2, r->c->slot[2].cols == 1 ? i % r->c->slot[0].len : i);
}

static extended want_copy(const reader *r, int b, int64_t i)
{
    (void)b;
    return at(r, 1, i);
}

typedef extended formula(const reader *r, int b, int64_t i);
static formula *const formulas[] = {
#define POY_PULSE_ROW(name, signature, linear, tol, text) want_##name,
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
    want_fft, want_mul, want_copy, want_matmul};

extended row_formula(int row, const reader *r, int b, int64_t i)
{
    return formulas[row](r, b, i);
}

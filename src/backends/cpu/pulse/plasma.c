/* plasma.c: free electrons of one species, in a field of one or two components. With the plain trapezoid rule: strip by strip through buffers of the first
 * cache, the running integrals in registers; a strip whose field stays below the foot of the table needs no rate, and one
 * before the first ionisation nothing at all. With a band rule, whose filters read ahead: pass by pass. */
#include "backends/cpu/cpu_vector.h"
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/plasma.clh"

enum { STRIP = 256 };

/* Taps c_0 ... c_K of the band rules: c_0 + 2 sum c_k cos kq = tan(q/2)/(q/2) up to q^(2 K + 1). */
static const double band_taps[POY_TAPS_MAX + 1][POY_TAPS_MAX + 1] = {
    {1.0},
    {7.0 / 6.0, -1.0 / 12.0},
    {151.0 / 120.0, -13.0 / 90.0, 11.0 / 720.0},
    {19981.0 / 15120.0, -1289.0 / 6720.0, 23.0 / 672.0, -191.0 / 60480.0},
    {497023.0 / 362880.0, -208973.0 / 907200.0, 48529.0 / 907200.0, -7859.0 / 907200.0, 2497.0 / 3628800.0},
};

/* One point, and what of its row it needs. */
typedef struct column {
    const poy_row_plasma *arg;
    double scale, density, free; /* scalars */
    const double *T, *W, *x[2];  /* of each component */
    double *y[2];
    int pol;
    int pairs;      /* x is complex */
    double largest; /* |E| so far */
} column;

/* Running integrals with the integrands of the last sample: of the rate; of each component the free current, all current. */
typedef struct currents_sum {
    double current, drive, polarisation, total;
} currents_sum;
typedef struct sums {
    double exposure, rate;
    currents_sum of[2];
} sums;

static double largest_of(int64_t n, const double *field)
{
    double largest = 0;
#pragma omp simd reduction(max : largest)
    for (int64_t i = 0; i < n; i++) {
        const double a = fabs(field[i]);
        largest = a > largest ? a : largest;
    }
    return largest;
}

static void fields(const column *c, int component, int64_t from, int64_t n, double *field)
{
    if (c->pairs)
        k_field_part(0, n, c->scale, c->x[component] + 2 * from, field);
    else
        k_field(0, n, c->scale, c->x[component] + from, field);
}

static void rates(const column *c, int64_t n, const double *field, double *rate)
{
    const poy_row_plasma *arg = c->arg;
    k_log_rate(0, n, (int)arg->points, arg->foot, arg->field_min, 1.0 / arg->step, c->T, field, rate);
    vector_map(vector_exp, (size_t)n, rate, rate);
}

/* From the rate to exp(-x) - 1 of the exposure x. s starts at a strip. */
static void expose(const column *c, int64_t n, const double *rate, double *drive, sums *s)
{
    const double half = 0.5 * c->arg->dt;
    double exposure = s->exposure, last = s->rate;
    for (int64_t i = 0; i < n; i++) {
        exposure += half * (rate[i] + last);
        last = rate[i];
        drive[i] = -exposure;
    }
    s->exposure = exposure;
    s->rate = last;
    vector_map(vector_expm1, (size_t)n, drive, drive);
}

/* ---- the plain rule ---- */

/* drive and loss to polarisation, in drive. */
static void integrate(const column *c, int64_t n, double *drive, const double *loss, currents_sum *s)
{
    const double half = 0.5 * c->arg->dt;
    double current = s->current, last_drive = s->drive, polarisation = s->polarisation, last_total = s->total;
    for (int64_t i = 0; i < n; i++) {
        const double d = drive[i];
        current += half * (d + last_drive);
        last_drive = d;
        const double total = loss ? current + loss[i] : current;
        polarisation += half * (total + last_total);
        last_total = total;
        drive[i] = polarisation;
    }
    s->current = current;
    s->drive = last_drive;
    s->polarisation = polarisation;
    s->total = last_total;
}

static void add(const column *c, int component, int64_t from, int64_t n, const double *polarisation)
{
    k_add_electrons(0, n, c->W != NULL, c->density, c->y[component] + from, polarisation, c->W ? c->W + from : NULL);
}

/* A component from its derivative of the free current and its loss. Integrals start at 0 with the first sample: its
 * integrand is taken off once. */
static void active_component(const column *c, int component, int64_t from, int64_t n, double *drive, const double *loss,
                             sums *s)
{
    if (from == 0) {
        s->of[component].drive = -drive[0];
        s->of[component].total = -loss[0]; /* the loss, since the current is 0 */
    }
    integrate(c, n, drive, loss, &s->of[component]);
    add(c, component, from, n, drive);
}

/* modulus: |E| of two components. */
static void active_strip(const column *c, int64_t from, int64_t n, double field[2][STRIP], const double *modulus,
                         sums *s)
{
    double rate[STRIP], drive[STRIP], part[STRIP];
    rates(c, n, modulus, rate);
    if (from == 0)
        s->rate = -rate[0];
    expose(c, n, rate, drive, s);
    if (c->pol == 1) {
        k_currents(0, n, c->free, c->arg->drude, c->arg->potential, field[0], rate, drive);
        active_component(c, 0, from, n, drive, rate, s);
        return;
    }
    k_shares(0, n, c->free, c->arg->drude, c->arg->potential, modulus, rate, drive);
    for (int i = 0; i < 2; i++) {
        k_component(0, n, drive, rate, part, field[i]);
        active_component(c, i, from, n, part, field[i], s);
    }
}

static void quiet_component(const column *c, int component, int64_t from, int64_t n, double factor, const double *field,
                            currents_sum *s)
{
    double drive[STRIP];
    const int none = factor == 0 && s->drive == 0 && s->current == 0 && s->polarisation == 0 && s->total == 0;
    if (none && !c->W)
        return;
    for (int64_t i = 0; i < n; i++)
        drive[i] = factor * field[i];
    if (from == 0)
        s->drive = -drive[0];
    if (!none)
        integrate(c, n, drive, NULL, s);
    add(c, component, from, n, drive);
}

static void quiet_strip(const column *c, int64_t from, int64_t n, double field[2][STRIP], sums *s)
{
    s->exposure += 0.5 * c->arg->dt * s->rate;
    s->rate = 0;
    const double fraction = c->free - (1 - c->free) * expm1(-s->exposure);
    for (int i = 0; i < c->pol; i++)
        quiet_component(c, i, from, n, c->arg->drude * fraction, field[i], &s->of[i]);
}

static void plain_column(column *c, int64_t n)
{
    double field[2][STRIP], both[STRIP];
    sums s = {0};
    for (int64_t from = 0; from < n; from += STRIP) {
        const int64_t m = n - from < STRIP ? n - from : STRIP;
        const double *modulus = field[0];
        for (int i = 0; i < c->pol; i++)
            fields(c, i, from, m, field[i]);
        if (c->pol > 1) {
            k_modulus(0, m, field[0], field[1], both);
            modulus = both;
        }
        const double largest = largest_of(m, modulus);
        c->largest = largest > c->largest ? largest : c->largest;
        if (largest < c->arg->foot)
            quiet_strip(c, from, m, field, &s);
        else
            active_strip(c, from, m, field, modulus, &s);
    }
}

/* ---- band rules ---- */

/* y_i, by point reflection beyond the ends. */
static double reflected(const double *y, int64_t n, int64_t i)
{
    return i < 0 ? 2 * y[0] - y[-i] : i < n ? y[i] : 2 * y[n - 1] - y[2 * (n - 1) - i];
}

static void filter(int K, int64_t n, const double *y, double *out)
{
    const double *c = band_taps[K];
    for (int64_t i = 0; i < n; i++) {
        double sum = c[0] * y[i];
        if (i >= K && i < n - K)
            for (int k = 1; k <= K; k++)
                sum += c[k] * (y[i - k] + y[i + k]);
        else
            for (int k = 1; k <= K; k++)
                sum += c[k] * (reflected(y, n, i - k) + reflected(y, n, i + k));
        out[i] = sum;
    }
}

/* The running integral of y, in place. */
static void running(int64_t n, double dt, double *y)
{
    double sum = 0, last = -y[0];
    for (int64_t i = 0; i < n; i++) {
        const double value = y[i];
        sum += 0.5 * dt * (value + last);
        last = value;
        y[i] = sum;
    }
}

/* From the derivative of the free current and the loss to polarisation, in drive; work is overwritten. */
static void band_component(const column *c, int component, int64_t n, double *drive, const double *loss, double *work)
{
    filter(c->arg->taps, n, drive, work);
    running(n, c->arg->dt, work);
    for (int64_t i = 0; i < n; i++)
        work[i] += loss[i];
    filter(c->arg->taps, n, work, drive);
    running(n, c->arg->dt, drive);
    add(c, component, 0, n, drive);
}

/* Scratch: three numbers a sample, five of two components. */
static void band_column(column *c, int64_t n, double *scratch)
{
    const poy_row_plasma *arg = c->arg;
    double *field = scratch, *rate = scratch + n, *work = scratch + 2 * n, *other = scratch + 3 * n;

    fields(c, 0, 0, n, field);
    if (c->pol > 1) {
        fields(c, 1, 0, n, other);
        k_modulus(0, n, field, other, field);
    }
    c->largest = largest_of(n, field);
    rates(c, n, field, rate);
    filter(arg->taps, n, rate, work);
    running(n, arg->dt, work);
    for (int64_t i = 0; i < n; i++)
        work[i] = -work[i];
    vector_map(vector_expm1, (size_t)n, work, work);
    if (c->pol == 1) {
        k_currents(0, n, c->free, arg->drude, arg->potential, field, rate, work); /* loss and drive */
        band_component(c, 0, n, work, rate, field);
        return;
    }
    k_shares(0, n, c->free, arg->drude, arg->potential, field, rate, work);
    for (int i = 0; i < 2; i++) {
        fields(c, i, 0, n, field);
        k_component(0, n, work, rate, other, field);
        band_component(c, i, n, other, field, scratch + 4 * n);
    }
}

/* ---- the row ---- */

/* The plan: a part's, with the largest fields of the columns and their scratch behind it. */
typedef struct plasma_plan {
    poyi_cpu_plan head;
    double numbers[];
} plasma_plan;

static column column_of(const poy_step *step, const double *s, int64_t i)
{
    const poy_row_plasma *arg = step->arg;
    const int64_t points = poyi_cpu_slot(step, 0)->cols / arg->pol;
    column c = {.arg = arg,
                .scale = s[0],
                .density = s[1],
                .free = s[2],
                .T = poyi_cpu_column(step, 3, 0),
                .W = arg->window ? poyi_cpu_column(step, 4, 0) : NULL,
                .pol = arg->pol,
                .pairs = poyi_cpu_slot(step, 2)->dtype == POY_C128};
    for (int k = 0; k < arg->pol; k++) {
        c.x[k] = poyi_cpu_column(step, 2, k * points + i);
        c.y[k] = poyi_cpu_column(step, 0, k * points + i);
    }
    return c;
}

/* Numbers of scratch that a point needs for each sample. */
static int64_t scratch_of(const poy_row_plasma *arg)
{
    return arg->taps == 0 ? 0 : arg->pol > 1 ? 5 : 3;
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    plasma_plan *plan = step->plan;
    const poy_row_plasma *arg = step->arg;
    const int64_t points = plan->head.columns, n = plan->head.length;
    const int threads = points > 1 ? poyi_cpu_threads(ctx, points * n) : 1;

    (void)be;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t i = 0; i < points; i++) {
        column c = column_of(step, scalars + step->scalar, i);
        if (arg->taps)
            band_column(&c, n, plan->numbers + points + scratch_of(arg) * n * i);
        else
            plain_column(&c, n);
        plan->numbers[i] = c.largest;
    }
    const double largest = largest_of(points, plan->numbers);
    const double top = arg->field_min + arg->step * (double)(arg->points - 1);
    poyi_cpu_column(step, 1, 0)[arg->flag] = largest > top ? largest : 0;
    return POY_OK;
}

poy_status POYI_ISA_NAME(prepare_plasma)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    const poy_row_plasma *arg = spec->arg;
    const int64_t points = spec->slot[0].cols / arg->pol, n = spec->slot[0].len;

    (void)ctx, (void)be;
    if (arg->points > INT32_MAX / 2)
        return POY_OK; /* no variant: the places of a table are ints here */
    step->run = run;
    *work_bytes = sizeof(plasma_plan) + (size_t)(points + scratch_of(arg) * n * points) * sizeof(double);
    if (work.mem) {
        plasma_plan *plan = (plasma_plan *)(void *)((unsigned char *)work.mem + work.offset);
        plan->head = (poyi_cpu_plan){NULL, points, n, *spec};
        step->plan = plan;
    }
    return POY_OK;
}

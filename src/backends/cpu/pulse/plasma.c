/* plasma.c: free electrons of one species, in a field of one or two components: strip by strip with the plain trapezoidal
 * rule, pass by pass with a band rule, whose filters read ahead. */
#include "backends/cpu/pulse/electrons.h"

/* Taps c_0 ... c_K of the band rules: c_0 + 2 sum c_k cos kq = tan(q/2)/(q/2) up to q^(2 K + 1). */
static const double band_taps[POY_TAPS_MAX + 1][POY_TAPS_MAX + 1] = {
    {1.0},
    {7.0 / 6.0, -1.0 / 12.0},
    {151.0 / 120.0, -13.0 / 90.0, 11.0 / 720.0},
    {19981.0 / 15120.0, -1289.0 / 6720.0, 23.0 / 672.0, -191.0 / 60480.0},
    {497023.0 / 362880.0, -208973.0 / 907200.0, 48529.0 / 907200.0, -7859.0 / 907200.0, 2497.0 / 3628800.0},
};

/* largest: |E| in each strip, overwritten; a strip whose rates stay below the floor, a logarithm, has none. */
static void plain_column(const column *c, int64_t n, double floor, double *largest)
{
    sums s = {0};
    log_rates(c->arg, c->T, strips_of(n), largest, largest);
    for (int64_t from = 0; from < n; from += STRIP)
        plain_strip(c, floor, largest[from / STRIP], from, n - from < STRIP ? n - from : STRIP, &s);
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
    if (c->arg->held) {
        add(c, component, 0, n, work);
        return;
    }
    filter(c->arg->taps, n, work, drive);
    running(n, c->arg->dt, drive);
    add(c, component, 0, n, drive);
}

/* Scratch: three numbers a sample, five of two components. Returns the largest |E|. */
static double band_column(const column *c, int64_t n, double *scratch)
{
    const poy_row_plasma *arg = c->arg;
    double *field = scratch, *rate = scratch + n, *work = scratch + 2 * n, *other = scratch + 3 * n;

    fields(c, 0, 0, n, field);
    if (c->pol > 1) {
        fields(c, 1, 0, n, other);
        k_modulus(0, n, field, other, field);
    }
    const double largest = largest_of(n, field);
    rates(c, LEAST_RATE, n, field, rate);
    filter(arg->taps, n, rate, work);
    running(n, arg->dt, work);
    for (int64_t i = 0; i < n; i++)
        work[i] = -work[i];
    vector_map(vector_expm1, (size_t)n, work, work);
    if (c->pol == 1) {
        k_currents(0, n, c->free, arg->drude, arg->potential, field, rate, work); /* loss and drive */
        band_component(c, 0, n, work, rate, field);
        return largest;
    }
    k_shares(0, n, c->free, arg->drude, arg->potential, field, rate, work);
    for (int i = 0; i < 2; i++) {
        fields(c, i, 0, n, field);
        k_component(0, n, work, rate, other, field);
        band_component(c, i, n, other, field, scratch + 4 * n);
    }
    return largest;
}

/* ---- the row ---- */

/* The plan: a part's, with the largest fields of the columns and what they need behind it. */
typedef struct plasma_plan {
    poyi_cpu_plan head;
    int64_t each; /* numbers that a column needs: scratch, or the largest fields of its strips */
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
                .T = poyi_cpu_always(step, 3, 0),
                .W = arg->window ? poyi_cpu_column(step, 4, 0) : NULL,
                .x = {poyi_cpu_always(step, 2, i)},
                .y = {poyi_cpu_always(step, 0, i)},
                .pol = arg->pol,
                .pairs = poyi_cpu_slot(step, 2)->dtype == POY_C128};
    if (c.pol > 1) {
        c.x[1] = poyi_cpu_always(step, 2, points + i);
        c.y[1] = poyi_cpu_always(step, 0, points + i);
    }
    return c;
}

static double *numbers_of(plasma_plan *plan, int64_t i)
{
    return plan->numbers + plan->head.columns + plan->each * i;
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    plasma_plan *plan = step->plan;
    const poy_row_plasma *arg = step->arg;
    const double *s = scalars + step->scalar;
    const int64_t points = plan->head.columns, n = plan->head.length;
    const int threads = points > 1 ? poyi_cpu_threads(ctx, points * n) : 1;

    (void)be;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t i = 0; i < points; i++) {
        const column c = column_of(step, s, i);
        for (int k = 0; arg->held == 2 && k < arg->pol; k++)
            memset(c.y[k], 0, (size_t)n * sizeof(double));
        if (arg->taps) {
            plan->numbers[i] = band_column(&c, n, numbers_of(plan, i));
        } else {
            find_largest(&c, n, numbers_of(plan, i));
            plan->numbers[i] = largest_of(strips_of(n), numbers_of(plan, i));
        }
    }
    const double largest = largest_of(points, plan->numbers),
                 floor = rate_floor(step->arg, poyi_cpu_always(step, 3, 0), largest);
    const double top = arg->field_min + arg->step * (double)(arg->points - 1);
    poyi_cpu_always(step, 1, 0)[arg->flag] = largest > top ? largest : 0;
    if (arg->taps)
        return POY_OK;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t i = 0; i < points; i++) {
        const column c = column_of(step, s, i);
        plain_column(&c, n, floor, numbers_of(plan, i));
    }
    return POY_OK;
}

poy_status POYI_ISA_NAME(prepare_plasma)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    const poy_row_plasma *arg = spec->arg;
    const int64_t points = spec->slot[0].cols / arg->pol, n = spec->slot[0].len;
    const int64_t each = arg->taps == 0 ? strips_of(n) : (arg->pol > 1 ? 5 : 3) * n;

    (void)ctx, (void)be;
    if (arg->points > INT32_MAX / 2)
        return POY_OK; /* no variant: the places of a table are ints here */
    step->run = run;
    *work_bytes = sizeof(plasma_plan) + (size_t)(points * (1 + each)) * sizeof(double);
    if (work.mem) {
        plasma_plan *plan = (plasma_plan *)(void *)((unsigned char *)work.mem + work.offset);
        plan->head = (poyi_cpu_plan){NULL, points, n, *spec};
        plan->each = each;
        step->plan = plan;
    }
    return POY_OK;
}

/* ionise.c: free electrons at the points of a rule, projected on modes. Strip by strip in time: where a bound from the modes
 * leaves any point a rate worth the name, fields, electrons and projection point by point; elsewhere the electrons there
 * are drift in the field, which is linear in the modes, so that a matrix between modes and two integrals of each mode do
 * for all points; and before the first ionisation nothing is done. */
#include "backends/cpu/pulse/electrons.h"
#include "backends/cpu/pulse/products.h"

enum { APART = STRIP + 8 }; /* from a point to the next: no power of two, which would share few lines of a cache */

typedef struct ionise_plan {
    poyi_cpu_plan head;
    int64_t modes, points, outs;
    double largest, floor; /* |E| so far, and the logarithm of the least rate beside it */
    int some, drifting;    /* electrons are there; the matrix is that of their numbers */
    column *at;            /* points */
    sums *sums;            /* points */
    double *X, *Y;         /* points, APART: fields and polarisations of a strip */
    double *rates;         /* points: logarithms of their largest rates in a strip */
    double *D;             /* modes, STRIP: a mode's field, integrated twice */
    double *push;          /* points: drude f, times the scale of fields */
    double *M;             /* outs, modes: weights of D */
    double *ends;          /* modes, 3: integral, last field and second integral of a strip */
    double *line;          /* outs, 2: what grows linearly beside it, at the strip's begin and per sample */
} ionise_plan;

static const double *synthesis(const poy_step *step, int64_t point)
{
    return poyi_cpu_always(step, 3, point);
}

/* ---- strips with ionisation ---- */

/* Fields of the points q to q + 3, if there are so many, and the largest of each. */
static void synthesise(const poy_step *step, int64_t q, int64_t from, int64_t n)
{
    const ionise_plan *plan = step->plan;
    const int64_t points = least_of(plan->points - q, PRODUCT_ROWS);
    const weights w = {synthesis(step, q), plan->modes, 1};
    products(points, plan->modes, 0, w, (apart){plan->head.length, APART}, poyi_cpu_always(step, 2, 0) + from,
             plan->X + q * APART, 0, n);
    for (int64_t i = q; i < q + points; i++) {
        plan->at[i].base = from;
        plan->rates[i] = largest_in(&plan->at[i], from, n);
    }
}

static void find_floor(const poy_step *step)
{
    ionise_plan *plan = step->plan;
    plan->largest = fmax(plan->largest, largest_of(plan->points, plan->rates));
    plan->floor = rate_floor(step->arg, plan->at[0].T, plan->largest);
    log_rates(step->arg, plan->at[0].T, plan->points, plan->rates, plan->rates);
}

static void polarise(const ionise_plan *plan, int64_t q, int64_t from, int64_t n)
{
    memset(plan->Y + q * APART, 0, (size_t)n * sizeof(double));
    plain_strip(&plan->at[q], plan->floor, plan->rates[q], from, n, &plan->sums[q]);
}

/* Threads share the points; each is as it would be by itself. */
static void active(const poy_step *step, int64_t from, int64_t n, int threads)
{
    ionise_plan *plan = step->plan;
    const int64_t points = plan->points;
    const weights w = {poyi_cpu_always(step, 4, 0), 1, poyi_cpu_slot(step, 4)->len};

    (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t q = 0; q < points; q += PRODUCT_ROWS)
        synthesise(step, q, from, n);
    find_floor(step);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t q = 0; q < points; q++)
        polarise(plan, q, from, n);
    for (int64_t q = 0; q < points; q++)
        plan->some |= plan->sums[q].exposure > 0 || plan->sums[q].rate > 0;
    products(plan->outs, points, 1, w, (apart){APART, plan->head.length}, plan->Y, poyi_cpu_always(step, 0, 0) + from,
             0, n);
    plan->drifting = 0;
}

/* ---- strips without ---- */

/* Numbers of electrons, which stay, and the matrix that they make. */
static void start_drift(const poy_step *step, int64_t from)
{
    ionise_plan *plan = step->plan;
    const double *A = poyi_cpu_always(step, 2, 0);
    memset(plan->M, 0, (size_t)(plan->outs * plan->modes) * sizeof(double));
    for (int64_t q = 0; q < plan->points; q++) {
        const column *c = &plan->at[q];
        const double *S = synthesis(step, q), *Q = poyi_cpu_always(step, 4, q);
        plan->push[q] = c->arg->drude * settled(c, &plan->sums[q]) * c->scale;
        for (int64_t m = 0; m < plan->outs; m++)
            for (int64_t a = 0; a < plan->modes; a++)
                plan->M[m * plan->modes + a] += c->density * Q[m] * plan->push[q] * S[a];
        if (from == 0) /* integrals start at 0 with the first sample: its integrand is taken off once */
            for (int64_t a = 0; a < plan->modes; a++)
                plan->sums[q].of[0].drive -= plan->push[q] * S[a] * A[a * plan->head.length];
    }
    plan->drifting = 1;
}

/* Each mode's field, integrated twice from the strip's begin on. */
static void integrate_modes(const poy_step *step, int64_t from, int64_t n)
{
    ionise_plan *plan = step->plan;
    const double half = 0.5 * plan->at[0].arg->dt, dt = 2 * half;
    for (int64_t a = 0; a < plan->modes; a++) {
        double lanes[STRIP], current[LANES], last[LANES], end[LANES], total[LANES], slope[LANES], offset[LANES];
        double j = 0, p = 0, *ends = plan->ends + 3 * a;
        lanes_load(n, 1.0, poyi_cpu_always(step, 2, a) + from, lanes);
        lanes_integrate_twice(half, NULL, lanes, current, last, end, total);
        for (int l = 0; l < LANES; l++) {
            slope[l] = dt * j;
            offset[l] = p;
            ends[0] = j + current[l];
            ends[2] = p + (end[l] + slope[l] * (STEPS - 0.5));
            j = ends[0] + half * last[l];
            p = ends[2] + half * ends[0];
        }
        ends[1] = last[LANES - 1];
        lanes_in_order(offset, slope, lanes, plan->D + a * STRIP);
    }
}

/* What the strips before add to this one, which grows linearly, and the points' integrals at its end. */
static void carry(const poy_step *step)
{
    ionise_plan *plan = step->plan;
    const double half = 0.5 * plan->at[0].arg->dt, dt = 2 * half;
    memset(plan->line, 0, (size_t)(2 * plan->outs) * sizeof(double));
    for (int64_t q = 0; q < plan->points; q++) {
        const double *S = synthesis(step, q), *Q = poyi_cpu_always(step, 4, q), density = plan->at[q].density;
        currents_sum *s = &plan->sums[q].of[0];
        const double j = s->current + half * s->drive, p = s->polarisation + half * s->total;
        double end[3] = {0};
        for (int64_t a = 0; a < plan->modes; a++)
            for (int i = 0; i < 3; i++)
                end[i] += S[a] * plan->ends[3 * a + i];
        s->current = s->total = j + plan->push[q] * end[0];
        s->drive = plan->push[q] * end[1];
        s->polarisation = p + (plan->push[q] * end[2] + dt * j * (STRIP - 0.5));
        for (int64_t m = 0; m < plan->outs; m++) {
            plan->line[2 * m] += density * Q[m] * p;
            plan->line[2 * m + 1] += density * Q[m] * (dt * j);
        }
    }
}

static void drift(const poy_step *step, int64_t from, int64_t n)
{
    ionise_plan *plan = step->plan;
    if (!plan->some)
        return;
    if (!plan->drifting)
        start_drift(step, from);
    integrate_modes(step, from, n);
    carry(step);
    for (int64_t m = 0; m < plan->outs; m++) {
        double *P = poyi_cpu_always(step, 0, m) + from;
        const double begin = plan->line[2 * m], slope = plan->line[2 * m + 1];
#pragma omp simd
        for (int64_t k = 0; k < n; k++)
            P[k] += begin + slope * ((double)k + 0.5);
    }
    const weights w = {plan->M, plan->modes, 1};
    products(plan->outs, plan->modes, 1, w, (apart){STRIP, plan->head.length}, plan->D,
             poyi_cpu_always(step, 0, 0) + from, 0, n);
}

/* ---- the row ---- */

/* Whether the modes bound the field of every point below where it ionises. */
static int is_quiet(const poy_step *step, int64_t from, int64_t n)
{
    const ionise_plan *plan = step->plan;
    double *largest = plan->ends;
    for (int64_t a = 0; a < plan->modes; a++)
        largest[a] = fabs(plan->at[0].scale) * largest_of(n, poyi_cpu_always(step, 2, a) + from);
    for (int64_t q = 0; q < plan->points; q++) {
        const double *S = synthesis(step, q);
        plan->rates[q] = 0;
        for (int64_t a = 0; a < plan->modes; a++)
            plan->rates[q] += fabs(S[a]) * largest[a];
    }
    log_rates(step->arg, plan->at[0].T, plan->points, plan->rates, plan->rates);
    for (int64_t q = 0; q < plan->points; q++)
        if (plan->rates[q] >= plan->floor)
            return 0;
    return 1;
}

static void start(const poy_step *step, const double *s)
{
    ionise_plan *plan = step->plan;
    for (int64_t q = 0; q < plan->points; q++) {
        plan->at[q] = (column){.arg = step->arg,
                               .scale = s[0],
                               .density = s[1],
                               .free = s[2],
                               .T = poyi_cpu_always(step, 5, 0),
                               .x = {plan->X + q * APART},
                               .y = {plan->Y + q * APART},
                               .pol = 1};
        plan->sums[q] = (sums){0};
    }
    plan->largest = 0;
    plan->floor = LEAST_RATE;
    plan->some = s[2] > 0;
    plan->drifting = 0;
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    ionise_plan *plan = step->plan;
    const poy_row_ionise *arg = step->arg;
    const int64_t length = plan->head.length;
    const int threads = poyi_cpu_threads(ctx, plan->points * length);

    (void)be;
    start(step, scalars + step->scalar);
    for (int64_t from = 0; from < length; from += STRIP) {
        const int64_t n = length - from < STRIP ? length - from : STRIP;
        if (is_quiet(step, from, n))
            drift(step, from, n);
        else
            active(step, from, n, threads);
    }
    const double top = arg->field_min + arg->step * (double)(arg->points - 1);
    poyi_cpu_always(step, 1, 0)[arg->flag] = plan->largest > top ? plan->largest : 0;
    return POY_OK;
}

/* Numbers behind the plan, which are laid out where there is memory. */
static int64_t lay_out(ionise_plan *plan, double *at, int64_t modes, int64_t points, int64_t outs)
{
    const int64_t size[] = {points * APART, points * APART, points,    modes * STRIP,
                            points,         outs * modes,   3 * modes, 2 * outs};
    int64_t n = 0;
    if (plan) {
        double **const to[] = {&plan->X,    &plan->Y, &plan->rates, &plan->D,
                               &plan->push, &plan->M, &plan->ends,  &plan->line};
        for (size_t i = 0; i < sizeof to / sizeof *to; at += size[i], i++)
            *to[i] = at;
    }
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        n += size[i];
    return n;
}

poy_status POYI_ISA_NAME(prepare_ionise)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    const poy_row_ionise *arg = spec->arg;
    const int64_t outs = spec->slot[0].cols, modes = spec->slot[2].cols, points = spec->slot[3].cols;
    const size_t columns = (size_t)points * sizeof(column), integrals = (size_t)points * sizeof(sums);

    (void)ctx, (void)be;
    if (arg->points > INT32_MAX / 2)
        return POY_OK; /* no variant: the places of a table are ints here */
    step->run = run;
    *work_bytes =
        sizeof(ionise_plan) + columns + integrals + (size_t)lay_out(NULL, NULL, modes, points, outs) * sizeof(double);
    if (work.mem) {
        unsigned char *mem = (unsigned char *)work.mem + work.offset;
        ionise_plan *plan = (ionise_plan *)(void *)mem;
        plan->head = (poyi_cpu_plan){NULL, points, spec->slot[0].len, *spec};
        plan->modes = modes;
        plan->points = points;
        plan->outs = outs;
        plan->at = (column *)(void *)(mem + sizeof *plan);
        plan->sums = (sums *)(void *)(mem + sizeof *plan + columns);
        lay_out(plan, (double *)(void *)(mem + sizeof *plan + columns + integrals), modes, points, outs);
        step->plan = plan;
    }
    return POY_OK;
}

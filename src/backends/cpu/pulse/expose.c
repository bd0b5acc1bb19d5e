/* expose.c: what a field does to a species, from the strips whose rates are worth the name. */
#include "backends/cpu/pulse/rates.h"

/* The plan: a part's, with the largest fields of the strips behind it. */
typedef struct expose_plan {
    poyi_cpu_plan head;
    double largest[];
} expose_plan;

/* A strip: the sum of its rates, to which the ends of the window count half, and the largest. */
static double sum_strip(const column *c, double floor, int64_t from, int64_t m, int64_t n, double *largest)
{
    double field[STRIP], other[STRIP], rate[STRIP], sum = 0, top = *largest;
    fields(c, 0, from, m, field);
    if (c->pol > 1) {
        fields(c, 1, from, m, other);
        k_modulus(0, m, field, other, field);
    }
    rates(c, floor, m, field, rate);
#pragma omp simd reduction(+ : sum) reduction(max : top)
    for (int64_t i = 0; i < m; i++) {
        sum += rate[i];
        top = rate[i] > top ? rate[i] : top;
    }
    *largest = top;
    sum -= from == 0 ? 0.5 * rate[0] : 0;
    return from + m == n ? sum - 0.5 * rate[m - 1] : sum;
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    expose_plan *plan = step->plan;
    const poy_row_expose *arg = step->arg;
    const poy_slot *slot = poyi_cpu_slot(step, 1);
    const int64_t n = slot->len, strips = strips_of(n);
    const column c = {.arg = arg,
                      .scale = scalars[step->scalar],
                      .T = poyi_cpu_always(step, 2, 0),
                      .x = {poyi_cpu_always(step, 1, 0), poyi_cpu_always(step, 1, arg->pol - 1)},
                      .pol = arg->pol,
                      .pairs = slot->dtype == POY_C128};
    double sum = 0, largest = 0;

    (void)ctx, (void)be;
    find_largest(&c, n, plan->largest);
    const double floor = rate_floor(arg, c.T, largest_of(strips, plan->largest));
    log_rates(arg, c.T, strips, plan->largest, plan->largest);
    for (int64_t i = 0; i < strips; i++)
        if (plan->largest[i] >= floor)
            sum += sum_strip(&c, floor, i * STRIP, n - i * STRIP < STRIP ? n - i * STRIP : STRIP, n, &largest);
    poyi_cpu_always(step, 0, 0)[arg->flag] = arg->dt * sum;
    poyi_cpu_always(step, 0, 0)[arg->flag + 1] = largest;
    return POY_OK;
}

poy_status POYI_ISA_NAME(prepare_expose)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                         poy_step *step, size_t *work_bytes)
{
    const poy_row_expose *arg = spec->arg;

    (void)ctx, (void)be;
    if (arg->points > INT32_MAX / 2)
        return POY_OK; /* no variant: the places of a table are ints here */
    step->run = run;
    *work_bytes = sizeof(expose_plan) + (size_t)strips_of(spec->slot[1].len) * sizeof(double);
    if (work.mem) {
        expose_plan *plan = (expose_plan *)(void *)((unsigned char *)work.mem + work.offset);
        plan->head = (poyi_cpu_plan){NULL, 1, spec->slot[1].len, *spec};
        step->plan = plan;
    }
    return POY_OK;
}

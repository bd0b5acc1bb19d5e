/* bench.h: a run with its problem and launch, for the tests of the march and of the run object. */
#ifndef BENCH_H
#define BENCH_H

#include "lab.h"

enum { N = 256 };

static const char *backend;
static poy_ctx *ctx;

/* A soliton of order 2 with shock and Raman over a little more than its period. */
static inline lab fibre(void)
{
    static const double beta[] = {-2e-26, 1e-40};
    lab l = lab_make(1550e-9, 4e-12, N, 0.5);
    l.fibre.gamma = 3e-3;
    l.fibre.beta = beta;
    l.fibre.n_beta = 2;
    l.physics.shock = 1;
    l.physics.raman = POY_RAMAN_BLOW_WOOD;
    l.solver.rtol = 1e-6;
    l.pulse.t0 = 80e-15;
    l.pulse.peak_power = 4.0 * 2e-26 / (3e-3 * 80e-15 * 80e-15);
    return l;
}

/* A run of a lab with its launch loaded; the problem and the launch are kept with it. */
typedef struct bench {
    poy_problem *problem;
    poy_run *run;
    double *in, *out;
} bench;

static inline bench bench_open(const lab *l)
{
    bench b = {.problem = lab_problem(ctx, l)};
    b.in = lab_launch(ctx, l, b.problem);
    b.out = lab_field(b.problem);
    b.run = lab_open(ctx, b.problem, backend, b.in);
    return b;
}

static inline void bench_close(bench *b)
{
    poy_run_destroy(&b->run);
    poy_problem_destroy(&b->problem);
    free(b->in);
    free(b->out);
    *b = (bench){0};
}

static inline poy_observation bench_go(bench *b, double z)
{
    poy_observation seen;
    must(ctx, poy_run_propagate_to(ctx, b->run, z, NULL), "propagate_to");
    must(ctx, poy_run_observe(ctx, b->run, b->out, &seen), "observe");
    return seen;
}

static inline int same_bits(const double *a, const double *b)
{
    return !memcmp(a, b, sizeof(double) * 2 * N);
}

#endif

/* lbfgs.c: limited-memory BFGS in the metric of the space, Liu and Nocedal, Math. Program. 45, 503 (1989), with the line
 * search by bisection of Lewis and Overton, Math. Program. 141, 135 (2013). */
#include <math.h>
#include <stdlib.h>

#include "operator/functional.h"
#include "solve/solve.h"

enum { PAIRS = 10, MAXITER = 1000, TRIALS = 50 };

static const double DECREASE = 1e-4, CURVATURE = 0.9; /* of the Wolfe conditions */

typedef struct lbfgs {
    poyi_run run;
    const poy_functional *f;
    int64_t m, n, next;         /* room, pairs kept, the place of the next */
    poyi_span s, y;             /* differences of x and of the gradient */
    double *rho, *alpha;        /* 1 / <s, y>; of the recursion */
    poy_array *g, *p, *xt, *gt; /* gradient, direction; a trial point and its gradient */
    double value, norm_g;
} lbfgs;

static poy_status evaluate(lbfgs *b, const poy_array *x, double *value, poy_array *g)
{
    b->run.result->applies++;
    return poyi_functional_evaluate(b->run.ctx, b->f, b->run.work, x, value, g);
}

static poy_status inner(lbfgs *b, const poy_array *x, const poy_array *y, double *out)
{
    double complex z;
    POYI_TRY(b->run.ctx, poyi_run_inner(&b->run, b->run.x_space, x, y, &z));
    *out = creal(z);
    return POY_OK;
}

static int64_t place(const lbfgs *b, int64_t age)
{
    return (b->next - 1 - age + 2 * b->m) % b->m;
}

/* p = -H g by the recursion over the pairs, the newest first and then back. */
static poy_status direction(lbfgs *b)
{
    poyi_run *run = &b->run;
    double dot, scale = 1;
    POYI_TRY(run->ctx, poyi_run_scale(run, -1, b->g, b->p));
    for (int64_t age = 0; age < b->n; age++) {
        const int64_t i = place(b, age);
        const poy_array s = poyi_span_at(&b->s, i), y = poyi_span_at(&b->y, i);
        POYI_TRY(run->ctx, inner(b, &s, b->p, &dot));
        b->alpha[i] = b->rho[i] * dot;
        POYI_TRY(run->ctx, poyi_run_axpy(run, -b->alpha[i], 0, &y, b->p));
    }
    if (b->n) {
        const poy_array y = poyi_span_at(&b->y, place(b, 0));
        POYI_TRY(run->ctx, inner(b, &y, &y, &dot));
        scale = 1 / (b->rho[place(b, 0)] * dot);
    } else if (b->norm_g > 0) {
        scale = fmin(1, 1 / b->norm_g);
    }
    POYI_TRY(run->ctx, poyi_run_scale(run, scale, b->p, b->p));
    for (int64_t age = b->n - 1; age >= 0; age--) {
        const int64_t i = place(b, age);
        const poy_array s = poyi_span_at(&b->s, i), y = poyi_span_at(&b->y, i);
        POYI_TRY(run->ctx, inner(b, &y, b->p, &dot));
        POYI_TRY(run->ctx, poyi_run_axpy(run, b->alpha[i] - b->rho[i] * dot, 0, &s, b->p));
    }
    return POY_OK;
}

/* A step t along p that obeys the weak Wolfe conditions; 0: there is none within rounding. xt, gt and *value are there. */
static poy_status search(lbfgs *b, const poy_array *x, double slope, double *t, double *value)
{
    poyi_run *run = &b->run;
    double low = 0, high = HUGE_VAL, slope_t, tried = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        POYI_TRY(run->ctx, poy_copy_into(run->ctx, x, b->xt));
        POYI_TRY(run->ctx, poyi_run_axpy(run, tried, 0, b->p, b->xt));
        POYI_TRY(run->ctx, evaluate(b, b->xt, value, b->gt));
        POYI_TRY(run->ctx, inner(b, b->gt, b->p, &slope_t));
        if (!(*value <= b->value + DECREASE * tried * slope)) {
            high = tried;
        } else if (slope_t < CURVATURE * slope) {
            low = tried;
        } else {
            *t = tried;
            return POY_OK;
        }
        tried = isfinite(high) ? (low + high) / 2 : 2 * low;
        if (!(tried > 0) || !isfinite(tried))
            break;
    }
    *t = 0;
    return POY_OK;
}

/* The pair of the step from x, g to xt, gt; kept only where the curvature is positive beyond rounding. */
static poy_status remember(lbfgs *b, const poy_array *x)
{
    poyi_run *run = &b->run;
    double sy, yy;
    poy_array s = poyi_span_at(&b->s, b->next), y = poyi_span_at(&b->y, b->next);
    POYI_TRY(run->ctx, poy_sub_into(run->ctx, b->xt, x, &s));
    POYI_TRY(run->ctx, poy_sub_into(run->ctx, b->gt, b->g, &y));
    POYI_TRY(run->ctx, inner(b, &s, &y, &sy));
    POYI_TRY(run->ctx, inner(b, &y, &y, &yy));
    if (!(sy > poyi_eps(run->x_space->dtype) * yy) || !isfinite(1 / sy))
        return POY_OK;
    b->rho[b->next] = 1 / sy;
    b->next = (b->next + 1) % b->m;
    b->n = b->n < b->m ? b->n + 1 : b->m;
    return POY_OK;
}

static poy_status iterate(lbfgs *b, poy_array *x)
{
    poyi_run *run = &b->run;
    const int64_t maxiter = run->o.maxiter ? run->o.maxiter : MAXITER;
    for (int64_t k = 1; k <= maxiter && run->result->reason == POY_REASON_MAXITER; k++) {
        double slope, t, value;
        POYI_TRY(run->ctx, direction(b));
        POYI_TRY(run->ctx, inner(b, b->g, b->p, &slope));
        if (!(slope < 0)) { /* the pairs have lost their sense: the gradient alone */
            b->n = 0;
            POYI_TRY(run->ctx, direction(b));
            POYI_TRY(run->ctx, inner(b, b->g, b->p, &slope));
        }
        POYI_TRY(run->ctx, search(b, x, slope, &t, &value));
        if (t == 0) {
            poyi_run_stop(run, POY_REASON_STAGNATED);
            break;
        }
        POYI_TRY(run->ctx, remember(b, x));
        POYI_TRY(run->ctx, poy_copy_into(run->ctx, b->xt, x));
        POYI_TRY(run->ctx, poy_copy_into(run->ctx, b->gt, b->g));
        b->value = value;
        POYI_TRY(run->ctx, poyi_run_norm(run, run->x_space, b->g, &b->norm_g));
        const int stop = poyi_run_step(run, k, b->norm_g);
        if (b->norm_g <= run->result->threshold)
            poyi_run_stop(run, POY_REASON_CONVERGED);
        else if (!isfinite(b->norm_g))
            poyi_run_stop(run, POY_REASON_NONFINITE);
        else if (stop)
            poyi_run_stop(run, POY_REASON_STOPPED);
    }
    return POY_OK;
}

static poy_status solve(lbfgs *b, poy_array *x)
{
    poyi_run *run = &b->run;
    poy_array **all[] = {&b->g, &b->p, &b->xt, &b->gt};
    POYI_TRY(run->ctx, poyi_run_takes(run, run->x_space, "x", x));
    for (int i = 0; i < 4; i++)
        POYI_TRY(run->ctx, poyi_run_vector(run, run->x_space, 0, all[i]));
    if (run->o.x0) {
        POYI_TRY(run->ctx, poyi_run_takes(run, run->x_space, "x0", run->o.x0));
        POYI_TRY(run->ctx, poy_copy_into(run->ctx, run->o.x0, x));
    } else {
        POYI_TRY(run->ctx, poy_fill_into(run->ctx, (poy_scalar){0, 0}, x));
    }
    POYI_TRY(run->ctx, evaluate(b, x, &b->value, b->g));
    POYI_TRY(run->ctx, poyi_run_norm(run, run->x_space, b->g, &b->norm_g));
    run->result->threshold = fmax(run->o.atol, 0) + fmax(run->o.tol, 0) * b->norm_g;
    const int stop = poyi_run_step(run, 0, b->norm_g);
    if (!isfinite(b->value) || !isfinite(b->norm_g))
        poyi_run_stop(run, POY_REASON_NONFINITE);
    else if (b->norm_g == 0 || b->norm_g <= run->result->threshold)
        poyi_run_stop(run, POY_REASON_CONVERGED);
    else if (stop)
        poyi_run_stop(run, POY_REASON_STOPPED);
    else
        POYI_TRY(run->ctx, iterate(b, x));
    run->result->value = b->value;
    run->result->true_residual = b->norm_g;
    return POY_OK;
}

poy_status poy_lbfgs(poy_ctx *ctx, const poy_functional *f, const poy_solve_options *options, poy_array *x,
                     poy_solve_result *result)
{
    poy_status status;
    lbfgs b = {.f = f};
    POYI_TO_DONE(ctx, poyi_run_begin_minimum(ctx, "lbfgs", f, options, result, &b.run));
    b.m = b.run.o.restart ? b.run.o.restart : PAIRS;
    b.rho = calloc(2 * (size_t)b.m, sizeof *b.rho);
    if (!b.rho) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "lbfgs: no memory for %lld pairs", (long long)b.m);
        goto done;
    }
    b.alpha = b.rho + b.m;
    POYI_TO_DONE(ctx, poyi_span_create(ctx, b.run.x_space, b.m, &b.s));
    POYI_TO_DONE(ctx, poyi_span_create(ctx, b.run.x_space, b.m, &b.y));
    POYI_TO_DONE(ctx, solve(&b, x));
done:
    poyi_span_free(&b.s);
    poyi_span_free(&b.y);
    free(b.rho);
    return poyi_run_end(&b.run, status);
}

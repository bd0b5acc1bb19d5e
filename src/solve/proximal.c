/* proximal.c: accelerated proximal gradients, Beck and Teboulle, SIAM J. Imaging Sci. 2, 183 (2009), whose momentum starts
 * anew where it points uphill (O'Donoghue and Candes, Found. Comput. Math. 15, 715 (2015)). */
#include <math.h>

#include "operator/functional.h"
#include "solve/solve.h"

enum { MAXITER = 10000, HALVINGS = 60 };

typedef struct proximal {
    poyi_run run;
    const poy_functional *f, *g;
    poy_array *y, *grad, *next, *d; /* extrapolated point, its gradient, the new x, differences */
    double t, momentum;             /* step; the sequence t_k of the paper */
} proximal;

static poy_status value_of(proximal *p, const poy_functional *f, const poy_array *x, double *value)
{
    return poyi_functional_evaluate(p->run.ctx, f, p->run.work, x, value, NULL);
}

/* next = prox_t g (y - t grad f(y)), with a step at which f lies below its quadratic model. *gap = |next - y|. */
static poy_status forward_backward(proximal *p, double *gap, int *good)
{
    poyi_run *run = &p->run;
    poy_ctx *ctx = run->ctx;
    double at_y, at_next;
    double complex slope;
    const double slack = 10 * poyi_eps(run->x_space->dtype);
    run->result->applies++;
    POYI_TRY(ctx, poyi_functional_evaluate(ctx, p->f, run->work, p->y, &at_y, p->grad));
    for (int halving = 0; halving < HALVINGS; halving++, p->t /= 2) {
        POYI_TRY(ctx, poy_copy_into(ctx, p->y, p->next));
        POYI_TRY(ctx, poyi_run_axpy(run, -p->t, 0, p->grad, p->next));
        POYI_TRY(ctx, poyi_functional_prox(ctx, p->g, run->work, p->t, p->next, p->next));
        POYI_TRY(ctx, poy_sub_into(ctx, p->next, p->y, p->d));
        POYI_TRY(ctx, poyi_run_norm(run, run->x_space, p->d, gap));
        POYI_TRY(ctx, poyi_run_inner(run, run->x_space, p->grad, p->d, &slope));
        POYI_TRY(ctx, value_of(p, p->f, p->next, &at_next));
        *good = isfinite(at_next) && isfinite(*gap);
        if (*good && at_next <= at_y + creal(slope) + *gap * *gap / (2 * p->t) + slack * (fabs(at_y) + fabs(at_next)))
            return POY_OK;
        if (!isfinite(at_y) || isnan(*gap))
            break;
    }
    return POY_OK;
}

/* The new x, and y beyond it; the momentum ends where it points against the last step. */
static poy_status extrapolate(proximal *p, poy_array *x)
{
    poyi_run *run = &p->run;
    poy_ctx *ctx = run->ctx;
    double complex uphill;
    POYI_TRY(ctx, poy_sub_into(ctx, p->next, x, p->grad)); /* x_k+1 - x_k; d is x_k+1 - y */
    POYI_TRY(ctx, poyi_run_inner(run, run->x_space, p->d, p->grad, &uphill));
    POYI_TRY(ctx, poy_copy_into(ctx, p->next, x));
    POYI_TRY(ctx, poy_copy_into(ctx, x, p->y));
    if (creal(uphill) < 0) {
        p->momentum = 1;
        return POY_OK;
    }
    const double next = (1 + sqrt(1 + 4 * p->momentum * p->momentum)) / 2;
    POYI_TRY(ctx, poyi_run_axpy(run, (p->momentum - 1) / next, 0, p->grad, p->y));
    p->momentum = next;
    return POY_OK;
}

static poy_status iterate(proximal *p, poy_array *x)
{
    poyi_run *run = &p->run;
    const int64_t maxiter = run->o.maxiter ? run->o.maxiter : MAXITER;
    for (int64_t k = 1; k <= maxiter && run->result->reason == POY_REASON_MAXITER; k++) {
        double gap = 0;
        int good = 0;
        POYI_TRY(run->ctx, forward_backward(p, &gap, &good));
        if (!good) {
            poyi_run_stop(run, POY_REASON_NONFINITE);
            break;
        }
        const double residual = gap / p->t;
        if (k == 1)
            run->result->threshold = fmax(run->o.atol, 0) + fmax(run->o.tol, 0) * residual;
        POYI_TRY(run->ctx, extrapolate(p, x));
        const int stop = poyi_run_step(run, k, residual);
        if (residual <= run->result->threshold || residual == 0)
            poyi_run_stop(run, POY_REASON_CONVERGED);
        else if (stop)
            poyi_run_stop(run, POY_REASON_STOPPED);
    }
    return POY_OK;
}

static poy_status solve(proximal *p, double step, poy_array *x)
{
    poyi_run *run = &p->run;
    poy_ctx *ctx = run->ctx;
    double f, g;
    poy_array **all[] = {&p->y, &p->grad, &p->next, &p->d};
    POYI_TRY(ctx, poyi_linop_same(ctx, "proximal gradient", p->f->space, p->g->space));
    if (!(step >= 0) || !isfinite(step))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "proximal gradient: a step of %g; at least 0 (0: the usual one)", step);
    POYI_TRY(ctx, poyi_run_takes(run, run->x_space, "x", x));
    for (int i = 0; i < 4; i++)
        POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, all[i]));
    if (run->o.x0) {
        POYI_TRY(ctx, poyi_run_takes(run, run->x_space, "x0", run->o.x0));
        POYI_TRY(ctx, poy_copy_into(ctx, run->o.x0, x));
    } else {
        POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, x));
    }
    POYI_TRY(ctx, poy_copy_into(ctx, x, p->y));
    p->t = step > 0 ? step : 1;
    p->momentum = 1;
    POYI_TRY(ctx, iterate(p, x));
    POYI_TRY(ctx, value_of(p, p->f, x, &f));
    POYI_TRY(ctx, value_of(p, p->g, x, &g));
    run->result->value = f + g;
    run->result->true_residual = run->result->residual;
    return POY_OK;
}

poy_status poy_proximal_gradient(poy_ctx *ctx, const poy_functional *f, const poy_functional *g, double step,
                                 const poy_solve_options *options, poy_array *x, poy_solve_result *result)
{
    poy_status status;
    proximal p = {.f = f, .g = g};
    POYI_TO_DONE(ctx, poyi_run_begin_minimum(ctx, "proximal gradient", f, options, result, &p.run));
    POYI_TO_DONE(ctx, solve(&p, step, x));
done:
    return poyi_run_end(&p.run, status);
}

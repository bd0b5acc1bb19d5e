/* test_minimise.c: L-BFGS and proximal gradients: closed forms, Rosenbrock's valley, sparse least squares by its optimality,
 * reasons, no allocation in a loop. */
#include "poynting/solve.h"
#include "unit/operator_fixture.h"

static int single(void)
{
    return poy_dtype_real(dtype) == POY_F32;
}

static poy_solve_options options(double tol)
{
    poy_solve_options o;
    poy_solve_options_init(&o);
    o.tol = tol;
    return o;
}

/* sum over pairs of 100 |x_2 - x_1^2|^2 + |1 - x_1|^2: least, 0, where all coordinates are 1. */
static poy_status rosenbrock(poy_ctx *c, void *user, const poy_array *x, double *value, poy_array *gradient)
{
    z *v = NULL;
    (void)user;
    poy_status status = poyi_dense_read(c, x, &v);
    *value = 0;
    for (int64_t i = 0; status == POY_OK && i + 1 < poy_array_size(x); i += 2) {
        const z a = v[i + 1] - v[i] * v[i], b = 1 - v[i];
        *value += 100 * pow(cabs(a), 2) + pow(cabs(b), 2);
        const z gx = -400 * a * conj(v[i]) - 2 * b;
        v[i] = gx;
        v[i + 1] = 200 * a;
    }
    if (status == POY_OK && gradient)
        status = poyi_dense_write(c, gradient, v);
    free(v);
    return status;
}

static poy_status not_a_number(poy_ctx *c, void *user, const poy_array *x, double *value, poy_array *gradient)
{
    (void)user;
    *value = (double)NAN;
    return gradient ? poy_copy_into(c, x, gradient) : POY_OK;
}

static void valley(poy_space *s)
{
    const poy_functional_user user = {.size = sizeof user, .evaluate = rosenbrock, .coordinate = 1};
    poy_functional *f = NULL;
    poy_array *x = zeros_of(s), *one = zeros_of(s);
    poy_solve_options o = options(single() ? 1e-4 : 1e-9);
    poy_solve_result r;
    MUST(poy_fill_into(ctx, (poy_scalar){1, 0}, one));
    MUST(poy_functional_create(ctx, s, &user, &f));
    MUST(poy_lbfgs(ctx, f, &o, x, &r));
    ok((r.converged || (single() && r.reason == POY_REASON_STAGNATED)) && distance(x, one) <= (single() ? 2e-2 : 1e-6),
       "%s %s Rosenbrock: %s after %lld steps, %lld values, x to %.2g, f = %.2g", backend_name, poy_dtype_name(dtype),
       poy_solve_reason_name(r.reason), (long long)r.iterations, (long long)r.applies, distance(x, one), r.value);
    MUST(poy_fill_into(ctx, (poy_scalar){1, 0}, x));
    o.x0 = one;
    MUST(poy_lbfgs(ctx, f, &o, x, &r));
    ok(r.converged && r.iterations == 0 && r.value == 0, "from the minimum on there is nothing to do");
    poy_functional_destroy(&f);
    const poy_functional_user bad = {.size = sizeof bad, .evaluate = not_a_number};
    MUST(poy_functional_create(ctx, s, &bad, &f));
    o.x0 = NULL;
    ok(poy_lbfgs(ctx, f, &o, x, &r) == POY_ERR_NONFINITE && r.reason == POY_REASON_NONFINITE, "a value that is NaN");
    poy_functional_destroy(&f);
    poy_array_destroy(&x);
    poy_array_destroy(&one);
}

/* 1/2 |A x - b|^2 in two metrics: A# A x = A# b, which lsqr solves, too. */
static void least_squares(poy_space *from, poy_space *to)
{
    const int64_t shape[2] = {poy_space_size(to), poy_space_size(from)};
    poy_array *m = random_array(3, 2, shape), *b = random_of(to, 4), *x = zeros_of(from), *want = zeros_of(from),
              *g = zeros_of(from);
    poy_linop *a = NULL;
    poy_functional *half = NULL, *shifted = NULL, *f = NULL, *l1 = NULL, *penalty = NULL;
    poy_solve_options o = options(single() ? 1e-5 : 1e-10);
    poy_solve_result r;
    double value;
    MUST(poy_linop_dense(ctx, m, from, to, &a));
    MUST(poy_functional_squared_norm(ctx, to, &half));
    MUST(poy_functional_shift(ctx, half, b, &shifted));
    MUST(poy_functional_compose(ctx, shifted, a, &f));
    MUST(poy_lsqr(ctx, a, b, &o, want, &r));
    MUST(poy_lbfgs(ctx, f, &o, x, &r));
    ok(r.reason <= POY_REASON_STAGNATED && distance(x, want) <= (single() ? 2e-2 : 1e-7),
       "%s: least squares, x to %.2g, %s", "lbfgs", distance(x, want), poy_solve_reason_name(r.reason));
    /* 1/2 |A x - b|^2 + mu |x|_1: x = prox(x - grad) at the minimum, and coordinates that are 0 */
    MUST(poy_functional_lp(ctx, from, 1, &l1));
    MUST(poy_functional_scale(ctx, 1.5, l1, &penalty));
    MUST(poy_proximal_gradient(ctx, f, penalty, 0, &o, x, &r));
    const double least = r.value;
    ok(r.converged, "proximal gradient: %s after %lld steps, f + g = %.9g", poy_solve_reason_name(r.reason),
       (long long)r.iterations, least);
    MUST(poy_functional_gradient(ctx, f, NULL, x, NULL, g));
    const poy_scalar minus = {-1, 0};
    poy_work *w = NULL;
    MUST(poy_work_create(ctx, be, &w));
    MUST(poyi_axpy(ctx, w, 0, &minus, x, g));
    MUST(poyi_scale(ctx, w, 0, &minus, g, g)); /* x - grad f */
    MUST(poy_functional_prox(ctx, penalty, w, 1, g, g));
    ok(distance(g, x) <= (single() ? 1e-3 : 1e-8), "proximal gradient: optimal to %.2g", distance(g, x));
    int zeros = 0, lower = 0;
    z *v = values_of(x);
    for (int64_t i = 0; i < poy_space_size(from); i++)
        zeros += cabs(v[i]) < (single() ? 1e-6 : 1e-12);
    free(v);
    for (uint64_t i = 0; i < 6; i++) {
        poy_array *h = random_of(from, 30 + i);
        const poy_scalar small = {0.05, 0};
        double penalised;
        MUST(poyi_scale(ctx, w, 0, &small, h, h));
        MUST(poy_add_into(ctx, h, x, h));
        MUST(poy_functional_value(ctx, f, w, h, &value));
        MUST(poy_functional_value(ctx, penalty, w, h, &penalised));
        lower += value + penalised < least;
        poy_array_destroy(&h);
    }
    ok(zeros > 0 && !lower, "proximal gradient: %d coordinates are 0, no value nearby is lower", zeros);
    uint64_t made[2];
    for (int i = 0; i < 2; i++) {
        o = options(0);
        o.maxiter = i ? 12 : 3;
        o.work = w;
        MUST(poy_lbfgs(ctx, f, &o, x, &r));
        const uint64_t before = poy_ctx_allocations(ctx);
        MUST(poy_lbfgs(ctx, f, &o, x, &r));
        made[i] = poy_ctx_allocations(ctx) - before;
    }
    ok(made[0] == made[1], "lbfgs: no allocation in the loop (%llu, %llu)", (unsigned long long)made[0],
       (unsigned long long)made[1]);
    poy_work_destroy(&w);
    poy_array *arrays[] = {m, b, x, want, g};
    for (int i = 0; i < 5; i++)
        poy_array_destroy(&arrays[i]);
    poy_functional *functionals[] = {half, shifted, f, l1, penalty};
    for (int i = 0; i < 5; i++)
        poy_functional_destroy(&functionals[i]);
    poy_linop_destroy(&a);
}

static void test(void)
{
    const double w[8] = {1, 3, 0.5, 2, 0.25, 1, 2, 4};
    poy_space *flat = dense_space(4), *weighted = weighted_space(4, w), *from = weighted_space(6, w + 1),
              *to = weighted_space(8, w);
    valley(flat);
    valley(weighted);
    least_squares(from, to);
    poy_space *all[] = {flat, weighted, from, to};
    for (int i = 0; i < 4; i++)
        poy_space_destroy(&all[i]);
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

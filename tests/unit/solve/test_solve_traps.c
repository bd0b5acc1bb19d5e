/* test_solve_traps.c: what other libraries' solvers get wrong, each by name: scales, reasons, residuals, batches of cg;
 * starts and scales of power iteration; invariant subspaces, orthogonality and scales of Lanczos; long times, zero, and
 * complex times of exponentials. */
#include "poynting/solve.h"
#include "unit/operator_fixture.h"

enum { N = 12 };

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

static poy_linop *diagonal_of(poy_space *s, const z *d)
{
    poy_array *a = vector_of(poy_space_size(s), d);
    poy_linop *op = NULL;
    MUST(poy_linop_diagonal(ctx, a, s, &op));
    poy_array_destroy(&a);
    return op;
}

/* factor diag(1, 1 + step, 1 + 2 step, ...) on s. */
static poy_linop *ladder(poy_space *s, double factor, double step)
{
    z d[N];
    for (int i = 0; i < N; i++)
        d[i] = factor * (1 + step * i);
    return diagonal_of(s, d);
}

static poy_array *constant(poy_space *s, double value)
{
    poy_array *b = zeros_of(s);
    MUST(poy_fill_into(ctx, (poy_scalar){value, 0}, b));
    return b;
}

/* The largest error of x against value / (1 + i), relative. */
static double error_of(const poy_array *x, double value)
{
    z *v = values_of(x);
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, cabs(v[i] * (1 + i) / value - 1));
    free(v);
    return worst;
}

/* ---- cg ---- */

/* (a) A threshold of rho that is not relative stops |b| = 1e-20 at its first step. (b) |b|^2 = infinity looks converged. */
static void cg_scales(poy_space *s, poy_linop *a)
{
    const double sizes[] = {1, 1e-20, 1e20, single() ? 1e-36 : 1e-160, single() ? 1e36 : 1e160};
    int64_t steps = 0;
    for (int i = 0; i < 5; i++) {
        poy_solve_options o = options(50 * eps());
        poy_solve_result r;
        poy_array *b = constant(s, sizes[i]), *x = zeros_of(s);
        const poy_status status = poy_cg(ctx, a, b, &o, x, &r);
        if (!i)
            steps = r.iterations;
        ok(status == POY_OK && r.converged && llabs(r.iterations - steps) <= 1 && isfinite(r.residual) &&
               error_of(x, sizes[i]) <= 1000 * eps(),
           "%s %s: cg of b = %g in %lld steps, x to %.2g", backend_name, poy_dtype_name(dtype), sizes[i],
           (long long)r.iterations, error_of(x, sizes[i]));
        poy_array_destroy(&b);
        poy_array_destroy(&x);
    }
    poy_solve_options o = options(1e-3);
    poy_solve_result r;
    poy_array *b = constant(s, HUGE_VAL), *x = zeros_of(s);
    ok(poy_cg(ctx, a, b, &o, x, &r) == POY_ERR_NONFINITE && !r.converged && r.reason == POY_REASON_NONFINITE,
       "cg of an infinite b is a failure, not a solution");
    poy_array_destroy(&b);
    poy_array_destroy(&x);
}

/* (c) Why it stopped. */
static void cg_reasons(poy_space *s, poy_linop *a)
{
    poy_solve_options o = options(1e-3);
    poy_solve_result r;
    poy_array *b = constant(s, 1), *x = zeros_of(s), *zero = zeros_of(s);
    poy_linop *minus = NULL, *nil = NULL;
    MUST(poy_linop_scale(ctx, (poy_scalar){-1, 0}, a, &minus));
    MUST(poy_linop_zero(ctx, s, s, &nil));
    MUST(poy_cg(ctx, a, b, &o, x, &r));
    ok(r.reason == POY_REASON_CONVERGED, "cg: converged");
    MUST(poy_cg(ctx, a, zero, &o, x, &r));
    ok(r.reason == POY_REASON_CONVERGED && r.iterations == 0, "cg: b = 0 is solved in no step");
    o.x0 = zero;
    MUST(poy_cg(ctx, a, b, &o, x, &r));
    ok(r.reason == POY_REASON_CONVERGED, "cg: from zero on");
    o.x0 = NULL;
    o.maxiter = 2;
    MUST(poy_cg(ctx, a, b, &o, x, &r));
    ok(r.reason == POY_REASON_MAXITER && r.iterations == 2 && !r.converged, "cg: the maximum of iterations");
    o.maxiter = 500;
    o.tol = 0;
    MUST(poy_cg(ctx, a, b, &o, x, &r));
    ok((r.reason == POY_REASON_STAGNATED || r.reason == POY_REASON_CONVERGED) && r.iterations < 500,
       "cg: tol 0 ends where rounding does, %s after %lld steps", poy_solve_reason_name(r.reason),
       (long long)r.iterations);
    o = options(1e-3);
    ok(poy_cg(ctx, minus, b, &o, x, &r) == POY_ERR_NOT_PD && r.reason == POY_REASON_NEGATIVE_CURVATURE,
       "cg: negative curvature");
    o.precond = minus;
    ok(poy_cg(ctx, a, b, &o, x, &r) == POY_ERR_NOT_PD && r.reason == POY_REASON_NEGATIVE_CURVATURE,
       "cg: a preconditioner that is not positive");
    o.precond = NULL;
    MUST(poy_gmres(ctx, nil, b, &o, x, &r));
    ok(r.reason == POY_REASON_BREAKDOWN && !r.converged, "gmres of A = 0: breakdown");
    o.maxiter = -1;
    ok(poy_cg(ctx, a, b, &o, x, &r) == POY_ERR_ARGUMENT, "cg: fewer steps than none are refused");
    o.maxiter = 0;
    o.check_every = 0;
    ok(poy_cg(ctx, a, b, &o, x, &r) == POY_ERR_ARGUMENT, "cg: a test every 0 steps is refused");
    poy_linop_destroy(&minus);
    poy_linop_destroy(&nil);
    poy_array *all[] = {b, x, zero};
    for (int i = 0; i < 3; i++)
        poy_array_destroy(&all[i]);
}

/* (d) The recurrence's residual goes on falling where the true one does not: both are told, and the true one is true. A step
 * is the step where it ended, not the next of 64. */
static void cg_residuals(poy_space *s)
{
    z d[N];
    for (int i = 0; i < N; i++)
        d[i] = pow(10, (single() ? 0.4 : 0.8) * i);
    poy_linop *a = diagonal_of(s, d), *easy = ladder(s, 1, 1);
    poy_array *b = constant(s, 1), *x = zeros_of(s), *q = zeros_of(s);
    poy_solve_options o = options(1e-3 * eps());
    poy_solve_result r;
    double gap;
    o.maxiter = 400;
    MUST(poy_cg(ctx, a, b, &o, x, &r));
    MUST(poy_apply(ctx, a, NULL, x, q));
    MUST(poy_sub_into(ctx, b, q, q));
    MUST(poy_space_norm(ctx, s, NULL, q, &gap));
    ok(fabs(gap - r.true_residual) <= 4 * eps() * gap && isfinite(r.residual),
       "cg: the true residual is |b - A x| = %.2g, the recurrence says %.2g", r.true_residual, r.residual);
    o = options(single() ? 1e-4 : 1e-8);
    MUST(poy_cg(ctx, easy, b, &o, x, &r));
    const int64_t ended = r.iterations;
    ok(ended <= N && r.history_length == 0, "cg: the step where it ended, %lld, with a test at each step",
       (long long)ended);
    poy_status (*const solvers[])(poy_ctx *, const poy_linop *, const poy_array *, const poy_solve_options *,
                                  poy_array *,
                                  poy_solve_result *) = {poy_cg, poy_minres, poy_gmres, poy_bicgstab, poy_lsqr};
    o.check_every = 64;
    for (int i = 0; i < 5; i++) {
        const poy_status status = solvers[i](ctx, easy, b, &o, x, &r);
        ok(status == POY_OK && r.converged && r.iterations >= 1 && r.iterations < 64 && error_of(x, 1) <= 20 * o.tol,
           "solver %d: with a test at each 64th step it ends where rounding does, %s after %lld", i,
           poy_solve_reason_name(r.reason), (long long)r.iterations);
    }
    poy_array *all[] = {b, x, q};
    for (int i = 0; i < 3; i++)
        poy_array_destroy(&all[i]);
    poy_linop_destroy(&a);
    poy_linop_destroy(&easy);
}

/* Operators of any size, A x = b with A from 1e-300 to 1e300: what is said to have converged has, by b - A x. lsqr's own test is of
 * |A# r|, which goes with the size of A. A singular one, b beside its range: minres keeps the least residual that it had. */
static void operator_scales(poy_space *s)
{
    static const char *const names[] = {"cg", "minres", "gmres", "bicgstab"};
    poy_status (*const solvers[])(poy_ctx *, const poy_linop *, const poy_array *, const poy_solve_options *,
                                  poy_array *, poy_solve_result *) = {poy_cg, poy_minres, poy_gmres, poy_bicgstab};
    const double scales[] = {single() ? 1e-30 : 1e-300, single() ? 1e-20 : 1e-160, single() ? 1e20 : 1e160,
                             single() ? 1e30 : 1e300};
    poy_array *b = constant(s, 1), *x = zeros_of(s);
    poy_solve_options o = options(single() ? 1e-4 : 1e-8);
    poy_solve_result r;
    for (int k = 0; k < 4; k++) {
        poy_linop *a = ladder(s, scales[k], 1);
        for (int i = 0; i < 4; i++) {
            const poy_status status = solvers[i](ctx, a, b, &o, x, &r);
            ok(status == POY_OK && r.converged && r.true_residual <= 2 * r.threshold,
               "%s of an operator of size %g: %s, |b - A x| = %.2g", names[i], scales[k],
               poy_solve_reason_name(r.reason), r.true_residual);
        }
        poy_linop_destroy(&a);
    }
    z d[N] = {0};
    d[0] = 1;
    d[1] = 2;
    poy_linop *a = diagonal_of(s, d);
    MUST(poy_minres(ctx, a, b, &o, x, &r));
    ok(!r.converged && r.reason == POY_REASON_BREAKDOWN && fabs(r.true_residual / sqrt(N - 2.0) - 1) <= 1e-3,
       "minres of a singular operator: %s, the least residual %.4g", poy_solve_reason_name(r.reason), r.true_residual);
    poy_linop_destroy(&a);
    poy_array_destroy(&b);
    poy_array_destroy(&x);
}

/* (e) A batch: each system stops by itself. Member i has i + 1 eigenvectors in its right-hand side, so as many steps. */
static void cg_batches(poy_space *s, poy_linop *a)
{
    enum { K = 4 };
    const int64_t shape[2] = {K, N};
    z v[K * N] = {0};
    for (int i = 0; i < K; i++)
        for (int j = 0; j <= i; j++)
            v[i * N + 3 * j] = 1;
    poy_array *b = array_of(2, shape, v), *x = array_of(2, shape, v), *alone = zeros_of(s);
    poy_solve_options o = options(100 * eps());
    poy_solve_result r[K], one;
    int same = 1;
    MUST(poy_cg_batch(ctx, a, b, &o, x, r));
    for (int64_t i = 0; i < K; i++) {
        const poy_array bi = poyi_member(b, i), xi = poyi_member(x, i);
        MUST(poy_cg(ctx, a, &bi, &o, alone, &one));
        same &= r[i].converged && llabs(r[i].iterations - one.iterations) <= 1 && r[i].iterations >= i + 1 &&
                r[i].iterations <= i + 2 && distance(&xi, alone) <= 1000 * eps(); /* rounding may take one more */
    }
    ok(same, "cg of a batch: each system stops by itself, after %lld, %lld, %lld, %lld steps, as alone",
       (long long)r[0].iterations, (long long)r[1].iterations, (long long)r[2].iterations, (long long)r[3].iterations);
    poy_array *all[] = {b, x, alone};
    for (int i = 0; i < 3; i++)
        poy_array_destroy(&all[i]);
}

/* ---- power iteration ---- */

static void power(poy_space *s)
{
    const double scales[] = {1, single() ? 1e-12 : 1e-100, single() ? 1e12 : 1e100};
    poy_array *x = zeros_of(s), *zero = zeros_of(s);
    poy_solve_options o = options(single() ? 1e-4 : 1e-8);
    poy_solve_result r;
    for (int i = 0; i < 3; i++) {
        poy_linop *a = ladder(s, scales[i], 1);
        MUST(poy_power(ctx, a, &o, x, &r));
        ok(r.converged && fabs(r.eigenvalue / (N * scales[i]) - 1) <= (single() ? 1e-4 : 1e-8) && r.iterations > N,
           "power iteration: a residual relative to the eigenvalue %g, more steps than dimensions (%lld)", r.eigenvalue,
           (long long)r.iterations);
        o.x0 = zero;
        ok(poy_power(ctx, a, &o, x, &r) == POY_ERR_ARGUMENT && !r.converged,
           "power iteration from 0 has not converged");
        o.x0 = NULL;
        poy_linop_destroy(&a);
    }
    z pair[N] = {3, -3};
    poy_linop *a = diagonal_of(s, pair);
    MUST(poy_power(ctx, a, &o, x, &r));
    ok(r.reason == POY_REASON_STAGNATED && !r.converged, "power iteration between 3 and -3: %s",
       poy_solve_reason_name(r.reason));
    poy_linop_destroy(&a);
    poy_array_destroy(&x);
    poy_array_destroy(&zero);
}

/* ---- Lanczos ---- */

static void lanczos(poy_space *s)
{
    const double scales[] = {1, single() ? 1e-15 : 1e-120, single() ? 1e15 : 1e120};
    double values[3];
    poy_solve_options o = options(single() ? 1e-4 : 1e-10);
    poy_solve_result r;
    for (int i = 0; i < 3; i++) {
        poy_linop *a = ladder(s, scales[i], 1);
        MUST(poy_lanczos(ctx, a, 3, &o, values, NULL, &r));
        double worst = 0;
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(values[j] / ((1 + j) * scales[i]) - 1));
        ok(r.converged && worst <= (single() ? 1e-4 : 1e-10), "lanczos of size %g: three values to %.2g", scales[i],
           worst);
        poy_linop_destroy(&a);
    }
    /* an eigenvector to start from: the smallest one is found all the same, where others are looked for */
    z e[N] = {0}, d[N];
    e[5] = 1;
    for (int i = 0; i < N; i++)
        d[i] = i - 3;
    poy_linop *a = diagonal_of(s, d);
    poy_array *x0 = vector_of(N, e);
    o.x0 = x0;
    MUST(poy_lanczos(ctx, a, 2, &o, values, NULL, &r));
    ok(r.converged && fabs(values[0] + 3) <= 1e-3 && fabs(values[1] + 2) <= 1e-3,
       "lanczos from an eigenvector: %.6g and %.6g in a subspace that is not invariant", values[0], values[1]);
    poy_array *zero = zeros_of(s);
    o.x0 = zero;
    ok(poy_lanczos(ctx, a, 1, &o, values, NULL, &r) == POY_ERR_ARGUMENT, "lanczos from 0 is refused");
    poy_linop_destroy(&a);
    poy_array_destroy(&x0);
    poy_array_destroy(&zero);
}

/* ---- exponentials ---- */

/* exp(t diag) is known; |t A| = 600 wants sub-steps of a basis of 6, and the error is that of the result's size. */
static void exponentials(poy_space *s)
{
    poy_linop *a = ladder(s, 1, 1);
    poy_array *v = constant(s, single() ? 1e10 : 1e50), *y = zeros_of(s), *zero = zeros_of(s);
    poy_solve_options o = options(single() ? 1e-5 : 1e-12);
    poy_solve_result r;
    double norm;
    z want[N];
    o.restart = 6;
    MUST(poy_expm_apply(ctx, a, (poy_scalar){-50, 0}, v, &o, y, &r));
    for (int i = 0; i < N; i++)
        want[i] = (single() ? 1e10 : 1e50) * exp(-50.0 * (1 + i));
    poy_array *w = vector_of(N, want);
    ok(r.converged && distance(y, w) <= (single() ? 2e-4 : 1e-10) && r.applies > 12,
       "expm over |t A| = 600: sub-steps, %lld applications, to %.2g", (long long)r.applies, distance(y, w));
    MUST(poy_expm_apply(ctx, a, (poy_scalar){-50, 0}, zero, &o, y, &r));
    MUST(poy_space_norm(ctx, s, NULL, y, &norm));
    ok(r.converged && norm == 0 && r.applies == 0, "expm of 0 is 0, at once");
    const poy_status status = poy_expm_apply(ctx, a, (poy_scalar){0, 1}, v, &o, y, &r);
    ok(status == (is_complex() ? POY_OK : POY_ERR_COMPLEX_TO_REAL), "expm over a complex time: %s",
       poy_status_name(status));
    MUST(poy_expm_apply(ctx, a, (poy_scalar){0, 0}, v, &o, y, &r));
    ok(r.converged && r.applies == 0 && distance(y, v) == 0, "expm over no time is v");
    poy_linop_destroy(&a);
    poy_array *all[] = {v, y, zero, w};
    for (int i = 0; i < 4; i++)
        poy_array_destroy(&all[i]);
}

static void test(void)
{
    poy_space *s = dense_space(N);
    poy_linop *a = ladder(s, 1, 1);
    cg_scales(s, a);
    cg_reasons(s, a);
    cg_residuals(s);
    cg_batches(s, a);
    operator_scales(s);
    power(s);
    lanczos(s);
    exponentials(s);
    poy_linop_destroy(&a);
    poy_space_destroy(&s);
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

/* test_solve_truth.c: what is said to have converged has, by b - A x: of singular systems whose right side lies beside the
 * range, of those that are as ill-conditioned as the element type can be, with preconditioners of any size. */
#include "poynting/solve.h"
#include "unit/operator_fixture.h"

enum { N = 8, SYSTEMS = 24, SOLVERS = 5 };

typedef poy_status solver_fn(poy_ctx *, const poy_linop *, const poy_array *, const poy_solve_options *, poy_array *,
                             poy_solve_result *);
static solver_fn *const solvers[SOLVERS] = {poy_cg, poy_minres, poy_gmres, poy_bicgstab, poy_lsqr};
static const char *const names[SOLVERS] = {"cg", "minres", "gmres", "bicgstab", "lsqr"};

/* B B^H of a random B [N, rank]. */
static poy_linop *gram(poy_space *s, uint64_t seed, int rank)
{
    z a[N * N];
    const int64_t extent[2] = {N, N};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i * N + j] = 0;
            for (int k = 0; k < rank; k++)
                a[i * N + j] +=
                    random_value(seed, (uint64_t)(i * N + k)) * conj(random_value(seed, (uint64_t)(j * N + k)));
        }
    poy_array *matrix = array_of(2, extent, a);
    poy_linop *op = NULL;
    MUST(poy_linop_dense(ctx, matrix, s, s, &op));
    poy_array_destroy(&matrix);
    return op;
}

static poy_linop *steep(poy_space *s, uint64_t seed)
{
    z d[N];
    for (int i = 0; i < N; i++)
        d[i] = pow(10, 3 * creal(random_value(seed, (uint64_t)i)) * (dtype == POY_F32 || dtype == POY_C64 ? 1 : 2));
    poy_array *diagonal = vector_of(N, d);
    poy_linop *op = NULL;
    MUST(poy_linop_diagonal(ctx, diagonal, s, &op));
    poy_array_destroy(&diagonal);
    return op;
}

/* How many of the systems one solver tells a lie about, and the largest |b - A x| / |b|. */
static int lies(int solver, poy_space *s, int singular, double tol, double *worst)
{
    int n = 0;
    poy_solve_options o;
    poy_solve_options_init(&o);
    o.tol = tol;
    *worst = 0;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        poy_linop *a = singular ? gram(s, seed, N - 1) : steep(s, seed);
        poy_array *b = random_of(s, seed), *x = zeros_of(s);
        poy_solve_result r;
        double norm = 0;
        const poy_status status = solvers[solver](ctx, a, b, &o, x, &r);
        MUST(poy_space_norm(ctx, s, NULL, b, &norm));
        double residual = r.true_residual;
        if (solver == 4) /* it ends by either */
            residual = fmin(residual, r.normal_residual);
        n += (status != POY_OK && status != POY_ERR_NOT_PD) ||
             (r.converged && !(residual <= 10 * r.threshold + 64 * eps() * norm));
        *worst = fmax(*worst, r.true_residual / norm);
        poy_array_destroy(&x);
        poy_array_destroy(&b);
        poy_linop_destroy(&a);
    }
    return n;
}

static void truth(poy_space *s)
{
    for (int solver = 0; solver < SOLVERS; solver++)
        for (int singular = 0; singular < 2; singular++) {
            double worst = 0;
            int n = 0;
            for (int k = 0; k < 3; k++) {
                double one;
                n += lies(solver, s, singular, pow(eps(), 0.25 + 0.25 * k), &one);
                worst = fmax(worst, one);
            }
            ok(n == 0, "%s %s: %s, %s systems: %d converged not in truth", backend_name, poy_dtype_name(dtype),
               names[solver], singular ? "singular" : "steep", n);
            if (solver == 1 && singular) /* it is the least there is, and x = 0 has |b| */
                ok(worst <= 1, "minres beside the range: |b - A x| is at most %.2g |b|", worst);
        }
}

/* A singular system whose right side lies in the range has solutions. */
static void in_range(poy_space *s)
{
    poy_solve_options o;
    poy_solve_options_init(&o);
    o.tol = sqrt(eps());
    int good = 1;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        poy_linop *a = gram(s, seed, N - 2);
        poy_array *c = random_of(s, seed), *b = zeros_of(s), *x = zeros_of(s);
        MUST(poy_apply(ctx, a, NULL, c, b));
        poy_solve_result r;
        good &= poy_minres(ctx, a, b, &o, x, &r) == POY_OK && r.converged && r.true_residual <= 2 * r.threshold;
        poy_array_destroy(&x);
        poy_array_destroy(&b);
        poy_array_destroy(&c);
        poy_linop_destroy(&a);
    }
    ok(good, "%s %s: minres of singular systems that have solutions", backend_name, poy_dtype_name(dtype));
}

/* The same steps whatever the size of K: convergence in its norm goes by the first residual in it. */
static void preconditioner_scales(poy_space *s)
{
    const double sizes[] = {1, 0x1p-40, 0x1p40}; /* even powers of two, whose roots are exact: the same rounding */
    poy_linop *a = gram(s, 99, N), *one = NULL;
    poy_array *b = random_of(s, 5), *x = zeros_of(s);
    int64_t steps = 0;
    MUST(poy_linop_identity(ctx, s, &one));
    for (int i = 0; i < 3; i++) {
        poy_linop *k = NULL;
        poy_solve_options o;
        poy_solve_result r;
        MUST(poy_linop_scale(ctx, (poy_scalar){sizes[i], 0}, one, &k));
        poy_solve_options_init(&o);
        o.tol = 1e-3;
        o.precond = k;
        const poy_status status = poy_minres(ctx, a, b, &o, x, &r);
        if (!i)
            steps = r.iterations;
        ok(status == POY_OK && r.converged && r.iterations == steps && r.true_residual <= 2 * r.threshold,
           "%s %s: minres with K = %g: %lld steps, %.2g of %.2g", backend_name, poy_dtype_name(dtype), sizes[i],
           (long long)r.iterations, r.true_residual, r.threshold);
        poy_linop_destroy(&k);
    }
    poy_array_destroy(&x);
    poy_array_destroy(&b);
    poy_linop_destroy(&one);
    poy_linop_destroy(&a);
}

static void test(void)
{
    poy_space *s = dense_space(N);
    truth(s);
    in_range(s);
    preconditioner_scales(s);
    poy_space_destroy(&s);
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

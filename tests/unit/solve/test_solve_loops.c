/* test_solve_loops.c: what the loops of solvers for spectra, exponentials, minima and batches have to keep to: they take no
 * memory, however long they run, and a monitor ends them. For solvers of linear systems test_solve_linear.c and test_cg_replay.c
 * hold it. */
#include "poynting/functional.h"
#include "poynting/solve.h"
#include "unit/operator_fixture.h"

enum { N = 24, MEMBERS = 3 };

/* What a solver is run on: steps are few or many. */
typedef struct problem {
    poy_linop *a;
    poy_array *v, *x, *many, *xs;
    poy_functional *f, *g;
} problem;

typedef poy_status solve_fn(const problem *p, poy_solve_options *o, int steps, poy_solve_result *r);

static poy_status power(const problem *p, poy_solve_options *o, int steps, poy_solve_result *r)
{
    o->maxiter = steps;
    return poy_power(ctx, p->a, o, p->x, r);
}

static poy_status lanczos(const problem *p, poy_solve_options *o, int steps, poy_solve_result *r)
{
    double value;
    o->maxiter = steps;
    o->restart = 6;
    return poy_lanczos(ctx, p->a, 1, o, &value, NULL, r);
}

static poy_status arnoldi(const problem *p, poy_solve_options *o, int steps, poy_solve_result *r)
{
    poy_c128 values[2];
    double residuals[2];
    o->restart = steps < N / 2 ? steps : N / 2; /* its one basis */
    return poy_arnoldi(ctx, p->a, 2, o, values, NULL, residuals, r);
}

/* The longer the time, the more sub-steps. */
static poy_status expm(const problem *p, poy_solve_options *o, int steps, poy_solve_result *r)
{
    const poy_scalar t = {-0.5 * steps, 0};
    o->restart = 5;
    o->tol = sqrt(eps());
    return poy_expm_apply(ctx, p->a, t, p->v, o, p->x, r);
}

static poy_status lbfgs(const problem *p, poy_solve_options *o, int steps, poy_solve_result *r)
{
    o->maxiter = steps;
    return poy_lbfgs(ctx, p->f, o, p->x, r);
}

static poy_status proximal(const problem *p, poy_solve_options *o, int steps, poy_solve_result *r)
{
    o->maxiter = steps;
    return poy_proximal_gradient(ctx, p->f, p->g, 0, o, p->x, r);
}

static poy_status batch(const problem *p, poy_solve_options *o, int steps, poy_solve_result *r)
{
    poy_solve_result all[MEMBERS];
    o->maxiter = steps;
    o->x0 = NULL;
    const poy_status status = poy_cg_batch(ctx, p->a, p->many, o, p->xs, all);
    *r = all[0];
    return status;
}

static const struct solver {
    const char *name;
    solve_fn *solve;
    int is_complex; /* wants such a space */
} solvers[] = {{"power", power, 0}, {"lanczos", lanczos, 0},   {"arnoldi", arnoldi, 1}, {"expm", expm, 0},
               {"lbfgs", lbfgs, 0}, {"proximal", proximal, 0}, {"cg_batch", batch, 0}};
enum { SOLVERS = sizeof solvers / sizeof *solvers, FEW = 3, MANY = 11 };

static poy_solve_options options(const problem *p, poy_work *work)
{
    poy_solve_options o;
    poy_solve_options_init(&o);
    o.tol = 0;
    o.x0 = p->v;
    o.work = work;
    return o;
}

/* With scratch of its own each time: what it takes at first is the same for few steps and for many. */
static void allocations(const struct solver *s, const problem *p)
{
    poy_solve_result r[2];
    uint64_t made[2];
    for (int i = 0; i < 2; i++) {
        poy_work *work = NULL;
        MUST(poy_work_create(ctx, be, &work));
        poy_solve_options o = options(p, work);
        MUST(poy_copy_into(ctx, p->v, p->x));
        const uint64_t before = poy_ctx_allocations(ctx);
        MUST(s->solve(p, &o, i ? MANY : FEW, &r[i]));
        made[i] = poy_ctx_allocations(ctx) - before;
        poy_work_destroy(&work);
    }
    ok(made[0] == made[1] && r[1].iterations > r[0].iterations && made[0] > 0,
       "%s %s %s: no allocation in the loop: %llu in %lld steps, %llu in %lld", backend_name, poy_dtype_name(dtype),
       s->name, (unsigned long long)made[0], (long long)r[0].iterations, (unsigned long long)made[1],
       (long long)r[1].iterations);
}

static int stop_at_2(void *user, int64_t iteration, double residual)
{
    int *calls = user;
    (void)residual;
    ++*calls;
    return iteration >= 2;
}

static void monitors(const struct solver *s, const problem *p)
{
    poy_solve_result r;
    int calls = 0;
    poy_solve_options o = options(p, NULL);
    o.monitor = stop_at_2;
    o.user = &calls;
    MUST(poy_copy_into(ctx, p->v, p->x));
    MUST(s->solve(p, &o, 40, &r));
    ok(r.reason == POY_REASON_STOPPED && !r.converged && r.iterations >= 2 && calls > 0,
       "%s %s %s: a monitor ends it: %s after %lld steps", backend_name, poy_dtype_name(dtype), s->name,
       poy_solve_reason_name(r.reason), (long long)r.iterations);
}

/* A Hermitian positive matrix with eigenvalues of about 1 to 10; f = <x, A x> / 2 + <v, x>, g = |x|_1. */
static void open_problem(poy_space *s, problem *p)
{
    const int64_t shape[2] = {N, N}, members[2] = {MEMBERS, N};
    z m[N * N];
    for (uint64_t i = 0; i < N; i++)
        for (uint64_t j = 0; j < N; j++)
            m[i * N + j] = (random_value(3, i * N + j) + conj(random_value(3, j * N + i))) / 10 +
                           (i == j ? 3 + 7 * (double)i / N : 0);
    poy_array *a = array_of(2, shape, m);
    MUST(poy_linop_dense(ctx, a, s, s, &p->a));
    poy_array_destroy(&a);
    p->v = random_of(s, 5);
    p->x = zeros_of(s);
    p->many = random_array(6, 2, members);
    p->xs = random_array(7, 2, members);
    MUST(poy_functional_quadratic(ctx, p->a, p->v, 0, &p->f));
    MUST(poy_functional_lp(ctx, s, 1, &p->g));
}

static void test(void)
{
    poy_space *s = dense_space(N);
    problem p;
    open_problem(s, &p);
    for (int i = 0; i < SOLVERS; i++)
        if (!solvers[i].is_complex || is_complex()) {
            allocations(&solvers[i], &p);
            monitors(&solvers[i], &p);
        }
    poy_functional_destroy(&p.f);
    poy_functional_destroy(&p.g);
    poy_linop_destroy(&p.a);
    poy_array *all[] = {p.v, p.x, p.many, p.xs};
    for (int i = 0; i < 4; i++)
        poy_array_destroy(&all[i]);
    poy_space_destroy(&s);
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

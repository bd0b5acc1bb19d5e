/* test_solve_linear.c: cg, minres, gmres, bicgstab, lsqr: golden cases, closed forms, metrics, the named reasons, the ends
 * of the range, batches, no allocation in a loop. */
#include "poynting/solve.h"
#include "unit/operator_fixture.h"

typedef poy_status solver_fn(poy_ctx *c, const poy_linop *a, const poy_array *b, const poy_solve_options *o,
                             poy_array *x, poy_solve_result *r);

typedef struct solver {
    const char *name;
    solver_fn *solve;
    int hermitian, positive, preconditioned;
} solver;

static const solver solvers[] = {
    {"cg", poy_cg, 1, 1, 1},       {"minres", poy_minres, 1, 0, 1},
    {"gmres", poy_gmres, 0, 0, 1}, {"bicgstab", poy_bicgstab, 0, 0, 1},
    {"lsqr", poy_lsqr, 0, 0, 0},
};
enum { SOLVERS = 5 };

/* A = W^-1 (B + shift), B Hermitian with entries below 1 in modulus and dominated by its diagonal: self-adjoint in the
 * metric w, positive where shift is. skew: plus what is not Hermitian. */
static poy_linop *operator_on(poy_space *s, double shift, double skew)
{
    const int64_t n = poy_space_size(s), shape[2] = {n, n};
    z *m = calloc((size_t)(n * n), sizeof *m);
    poy_linop *op = NULL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const z a = random_value(3, (uint64_t)(i * n + j)), b = conj(random_value(3, (uint64_t)(j * n + i)));
            m[i * n + j] = (a + b) / 2 + skew * (a - b) + (i == j ? (shift < 0 && i % 2 ? -shift : shift) : 0);
            m[i * n + j] /= s->weights ? s->weights[i] : 1.0;
        }
    poy_array *a = array_of(2, shape, m);
    MUST(poy_linop_dense(ctx, a, s, s, &op));
    poy_array_destroy(&a);
    free(m);
    return op;
}

static poy_solve_options options(double tol)
{
    poy_solve_options o;
    poy_solve_options_init(&o);
    o.tol = tol;
    return o;
}

static double norm_of(const poy_space *s, const poy_array *x)
{
    double norm = (double)NAN;
    MUST(poy_space_norm(ctx, s, NULL, x, &norm));
    return norm;
}

/* Solves A x = b for a known x; the error is what the tolerance and the condition, below 10, allow. */
static void known_solution(const solver *v, const char *name, poy_linop *a, const poy_linop *precond)
{
    poy_space *s = poy_linop_domain(a);
    const double tol = 200 * eps();
    poy_solve_options o = options(tol);
    poy_solve_result r;
    double history[64];
    poy_array *want = random_of(s, 1), *b = zeros_of(s), *x = zeros_of(s);
    poy_work *w = NULL;

    MUST(poy_work_create(ctx, be, &w));
    MUST(poy_apply(ctx, a, w, want, b));
    o.precond = precond;
    o.work = w;
    o.history = history;
    o.history_size = 64;
    const poy_status status = v->solve(ctx, a, b, &o, x, &r);
    ok(status == POY_OK && r.converged && r.reason == POY_REASON_CONVERGED, "%s %s %s %s: %s in %lld steps",
       backend_name, poy_dtype_name(dtype), v->name, name, poy_solve_reason_name(r.reason), (long long)r.iterations);
    ok(distance(x, want) <= 20 * tol * (v->solve == poy_lsqr ? 10 : 1), "%s %s: the solution, to %.2g", v->name, name,
       distance(x, want));
    ok(r.true_residual <= 10 * r.threshold * (v->solve == poy_lsqr ? 10 : 1) + 100 * eps() * norm_of(s, b),
       "%s %s: true residual %.2g, recursive %.2g, threshold %.2g", v->name, name, r.true_residual, r.residual,
       r.threshold);
    ok(r.applies >= r.iterations && r.history_length == (r.iterations + 1 < 64 ? r.iterations + 1 : 64),
       "%s %s: applies and history are counted", v->name, name);

    /* again, from the solution: no step; and a monitor that stops at once */
    o.x0 = want;
    MUST(v->solve(ctx, a, b, &o, x, &r));
    ok(r.converged && r.iterations <= 1, "%s %s: from the solution on, %lld steps", v->name, name,
       (long long)r.iterations);
    poy_work_destroy(&w);
    poy_array_destroy(&want);
    poy_array_destroy(&b);
    poy_array_destroy(&x);
}

static int stop_at_2(void *user, int64_t iteration, double residual)
{
    (void)user;
    (void)residual;
    return iteration >= 2;
}

/* The reason and the status of a solve of A x = b. */
static void reason(const solver *v, const char *what, poy_linop *a, const poy_array *b, const poy_solve_options *o,
                   poy_solve_reason want, poy_status want_status)
{
    poy_solve_result r;
    poy_array *x = zeros_of(poy_linop_domain(a));
    const poy_status status = v->solve(ctx, a, b, o, x, &r);
    ok(status == want_status && r.reason == want && r.converged == (want == POY_REASON_CONVERGED),
       "%s, %s: %s (%s), %lld steps", v->name, what, poy_solve_reason_name(r.reason), poy_status_name(status),
       (long long)r.iterations);
    poy_array_destroy(&x);
}

static void reasons(const solver *v, poy_linop *a)
{
    poy_space *s = poy_linop_domain(a);
    const double w = poy_dtype_real(dtype) == POY_F32 ? 1e-6 : 1e-12;
    poy_array *b = random_of(s, 4), *zero = zeros_of(s), *bad = zeros_of(s);
    poy_linop *nil = NULL;
    poy_solve_options o = options(w);

    reason(v, "b = 0", a, zero, &o, POY_REASON_CONVERGED, POY_OK);
    MUST(poy_fill_into(ctx, (poy_scalar){(double)NAN, 0}, bad));
    reason(v, "b NaN", a, bad, &o, POY_REASON_NONFINITE, POY_ERR_NONFINITE);
    MUST(poy_fill_into(ctx, (poy_scalar){HUGE_VAL, 0}, bad));
    reason(v, "b infinite", a, bad, &o, POY_REASON_NONFINITE, POY_ERR_NONFINITE);
    o.maxiter = 1;
    reason(v, "one step", a, b, &o, POY_REASON_MAXITER, POY_OK);
    o.maxiter = 0;
    o.monitor = stop_at_2;
    reason(v, "a monitor", a, b, &o, POY_REASON_STOPPED, POY_OK);
    o.monitor = NULL;
    MUST(poy_linop_zero(ctx, s, s, &nil));
    if (v->solve == poy_cg)
        reason(v, "A = 0", nil, b, &o, POY_REASON_NEGATIVE_CURVATURE, POY_ERR_NOT_PD);
    else if (v->solve == poy_lsqr)
        reason(v, "A = 0", nil, b, &o, POY_REASON_CONVERGED, POY_OK); /* A# r = 0: any x is a least-squares solution */
    else
        reason(v, "A = 0", nil, b, &o, POY_REASON_BREAKDOWN, POY_OK);
    poy_linop_destroy(&nil);
    o.tol = 0;
    o.maxiter = 100000;
    poy_solve_result r;
    poy_array *x = zeros_of(s);
    const poy_status status = v->solve(ctx, a, b, &o, x, &r);
    ok(status == POY_OK && r.iterations < 1000, "%s, tol 0: %s after %lld steps", v->name,
       poy_solve_reason_name(r.reason), (long long)r.iterations);
    ok(r.true_residual <= 1000 * eps() * norm_of(s, b), "%s, tol 0: residual %.2g", v->name, r.true_residual);
    poy_array_destroy(&x);
    poy_array_destroy(&b);
    poy_array_destroy(&zero);
    poy_array_destroy(&bad);
}

/* The same system with b times 10^e: the same steps, the same x times 10^e. */
static void ranges(const solver *v, poy_linop *a)
{
    poy_space *s = poy_linop_domain(a);
    const int far = poy_dtype_real(dtype) == POY_F32 ? 30 : 160;
    const int exponents[] = {-far, -far / 8, far / 8, far};
    poy_solve_options o = options(100 * eps());
    poy_solve_result r0, r;
    poy_array *b = random_of(s, 5), *b2 = zeros_of(s), *x0 = zeros_of(s), *x = zeros_of(s);
    poy_work *w = NULL;
    MUST(poy_work_create(ctx, be, &w));
    MUST(v->solve(ctx, a, b, &o, x0, &r0));
    for (int i = 0; i < 4; i++) {
        const double factor = pow(10, exponents[i]);
        const poy_scalar up = {factor, 0}, down = {1 / factor, 0};
        MUST(poyi_scale(ctx, w, 0, &up, b, b2));
        const poy_status status = v->solve(ctx, a, b2, &o, x, &r);
        MUST(poyi_scale(ctx, w, 0, &down, x, x));
        ok(status == POY_OK && r.converged && labs((long)(r.iterations - r0.iterations)) <= 2 &&
               distance(x, x0) <= 4000 * eps(),
           "%s: |b| of 1e%d, %s in %lld steps (%lld), x to %.2g", v->name, exponents[i],
           poy_solve_reason_name(r.reason), (long long)r.iterations, (long long)r0.iterations, distance(x, x0));
    }
    poy_work_destroy(&w);
    poy_array *all[] = {b, b2, x0, x};
    for (int i = 0; i < 4; i++)
        poy_array_destroy(&all[i]);
}

/* A loop allocates nothing: as many allocations for one step as for many. */
static void allocations(const solver *v, poy_linop *a)
{
    poy_space *s = poy_linop_domain(a);
    poy_solve_options o = options(0);
    poy_solve_result r;
    poy_array *b = random_of(s, 6), *x = zeros_of(s);
    uint64_t made[2];
    for (int i = 0; i < 2; i++) {
        o.maxiter = i ? 6 : 2;
        const uint64_t before = poy_ctx_allocations(ctx);
        MUST(v->solve(ctx, a, b, &o, x, &r));
        made[i] = poy_ctx_allocations(ctx) - before;
    }
    ok(made[0] == made[1], "%s: no allocation in the loop (%llu, %llu)", v->name, (unsigned long long)made[0],
       (unsigned long long)made[1]);
    poy_array_destroy(&b);
    poy_array_destroy(&x);
}

/* Golden cg: diag(1, 2, 4) x = 1 in 3 steps. */
static void golden_cg(void)
{
    const int64_t three = 3;
    const z d[3] = {1, 2, 4}, ones[3] = {1, 1, 1}, want[3] = {1, 0.5, 0.25};
    poy_space *s = dense_space(3);
    poy_array *ad = array_of(1, &three, d), *b = vector_of(3, ones), *aw = vector_of(3, want), *x = zeros_of(s);
    poy_linop *op = NULL;
    poy_solve_options o = options(1e-10);
    poy_solve_result r;
    MUST(poy_linop_diagonal(ctx, ad, s, &op));
    MUST(poy_cg(ctx, op, b, &o, x, &r));
    ok(distance(x, aw) <= (poy_dtype_real(dtype) == POY_F32 ? 4 * eps() : 1e-12) && r.iterations <= 4,
       "golden cg: %lld steps", (long long)r.iterations);
    poy_array *all[] = {ad, b, aw, x};
    for (int i = 0; i < 4; i++)
        poy_array_destroy(&all[i]);
    poy_linop_destroy(&op);
    poy_space_destroy(&s);
}

/* Golden lsqr: six equations for three unknowns. */
static void golden_lsqr(void)
{
    static const double m[18] = {-0.45786520633156297, -0.622858682152086,   0.1352900264295451,    0.8439025938066932,
                                 -0.14849868815402095, 0.2624837818562643,   0.5316680380506725,    0.6898072998697508,
                                 -0.8918986670310757,  0.46882042432404647,  -0.017787628450144886, -0.6014296982866804,
                                 -0.6776350243759894,  -0.22721533251618664, -0.9935554043352895,   -1.458902886878424,
                                 0.06375738341733587,  0.774517824411565};
    static const double rhs[6] = {-0.5029158999360099, 1.2178904370877544,  -0.27111940695477094,
                                  0.7301833239723954,  -1.1693055169964495, -1.4294668995364466};
    static const double want[3] = {1.2597501213616031, -0.45225104136039157, 0.43478311603653047};
    const int64_t shape[2] = {6, 3};
    z zm[18], zb[6], zw[3];
    for (int i = 0; i < 18; i++)
        zm[i] = m[i];
    for (int i = 0; i < 6; i++)
        zb[i] = rhs[i];
    for (int i = 0; i < 3; i++)
        zw[i] = want[i];
    poy_space *from = dense_space(3), *to = dense_space(6);
    poy_array *a = array_of(2, shape, zm), *b = vector_of(6, zb), *aw = vector_of(3, zw), *x = zeros_of(from);
    poy_linop *op = NULL;
    poy_solve_options o = options(poy_dtype_real(dtype) == POY_F32 ? 1e-6 : 1e-12);
    poy_solve_result r;
    MUST(poy_linop_dense(ctx, a, from, to, &op));
    MUST(poy_lsqr(ctx, op, b, &o, x, &r));
    ok(r.converged && distance(x, aw) <= (poy_dtype_real(dtype) == POY_F32 ? 2e-5 : 1e-9), "golden lsqr: %.2g",
       distance(x, aw));
    ok(r.normal_residual <= 10 * r.threshold + 20 * eps(), "golden lsqr: |A# r| = %.2g", r.normal_residual);
    poy_array *all[] = {a, b, aw, x};
    for (int i = 0; i < 4; i++)
        poy_array_destroy(&all[i]);
    poy_linop_destroy(&op);
    poy_space_destroy(&from);
    poy_space_destroy(&to);
}

/* Systems of a batch against each alone; one of them NaN, one zero. */
static void batch(poy_linop *a)
{
    enum { K = 5 };
    poy_space *s = poy_linop_domain(a);
    int64_t extent[POY_RANK_MAX];
    const int rank = poyi_space_shape(s, K, extent);
    poy_array *b = random_array(7, rank, extent), *x = random_array(8, rank, extent), *one = zeros_of(s);
    poy_solve_options o = options(1000 * eps());
    poy_solve_result r[K], r1;
    poy_array row = poyi_member(b, 1), nan = poyi_member(b, 3);
    MUST(poy_fill_into(ctx, (poy_scalar){0, 0}, &row));
    MUST(poy_fill_into(ctx, (poy_scalar){(double)NAN, 0}, &nan));
    ok(poy_cg_batch(ctx, a, b, &o, x, r) == POY_ERR_NONFINITE && r[3].reason == POY_REASON_NONFINITE &&
           r[1].iterations == 0 && r[1].converged,
       "cg_batch: the member that is NaN fails, the others do not");
    ok(strstr(poy_ctx_cause(ctx), "system 3") != NULL, "and is named: %s", poy_ctx_cause(ctx));
    for (int64_t i = 0; i < K; i++) {
        const poy_array bi = poyi_member(b, i), xi = poyi_member(x, i);
        if (i == 3)
            continue;
        MUST(poy_cg(ctx, a, &bi, &o, one, &r1));
        ok(r[i].converged && llabs(r[i].iterations - r1.iterations) <= 1 && distance(&xi, one) <= 4000 * eps(),
           "cg_batch: member %lld in %lld steps, alone in %lld, x to %.2g", (long long)i, (long long)r[i].iterations,
           (long long)r1.iterations, distance(&xi, one));
    }
    poy_array_destroy(&b);
    poy_array_destroy(&x);
    poy_array_destroy(&one);
}

/* A NaN or an infinite number in a matrix, a sparse matrix or a diagonal is told as that, by every solver, not as a matrix that is not
 * Hermitian. */
static void broken(poy_space *s, const poy_array *b, poy_array *x)
{
    const int64_t n = poy_space_size(s), shape[2] = {n, n};
    const double bad[2] = {(double)NAN, (double)INFINITY};
    int wrong = 0;
    for (int which = 0; which < 2; which++) {
        z *m = calloc((size_t)(n * n), sizeof *m), d[7];
        poy_linop *ops[3] = {NULL};
        poy_sparse *sparse = NULL;
        for (int64_t i = 0; i < n; i++)
            m[i * n + i] = d[i] = 2.0;
        m[n + 2] = d[1] = bad[which];
        poy_array *dense = array_of(2, shape, m), *diagonal = vector_of(7, d);
        MUST(poy_linop_dense(ctx, dense, s, s, &ops[0]));
        MUST(poy_sparse_from_dense(ctx, dense, POY_SPARSE_CSR, &sparse));
        MUST(poy_linop_sparse(ctx, sparse, s, s, &ops[1]));
        MUST(poy_linop_diagonal(ctx, diagonal, s, &ops[2]));
        for (int k = 0; k < 3 * SOLVERS; k++) {
            poy_solve_result r;
            const poy_status status = solvers[k / 3].solve(ctx, ops[k % 3], b, NULL, x, &r);
            const int told = strstr(poy_ctx_cause(ctx), "holds a number that is not finite") != NULL;
            wrong += status != POY_ERR_NONFINITE || !told;
            if (status != POY_ERR_NONFINITE || !told)
                printf("# %s, operator %d: status %d, %s\n", solvers[k / 3].name, k % 3, (int)status,
                       poy_ctx_cause(ctx));
        }
        for (int i = 0; i < 3; i++)
            poy_linop_destroy(&ops[i]);
        poy_sparse_destroy(&sparse);
        poy_array_destroy(&dense);
        poy_array_destroy(&diagonal);
        free(m);
    }
    ok(!wrong, "numbers that are not finite are told as such: %d of %d are not", wrong, 6 * SOLVERS);
}

static void test(void)
{
    const double w[7] = {2, 5, 0.25, 1, 3, 0.5, 1};
    poy_space *flat = dense_space(7), *weighted = weighted_space(7, w);
    poy_linop *spd = operator_on(flat, 9, 0), *metric = operator_on(weighted, 9, 0),
              *indefinite = operator_on(flat, -9, 0), *skew = operator_on(flat, 9, 1), *jacobi = NULL;
    const z d[7] = {0.1, 0.11, 0.12, 0.1, 0.09, 0.1, 0.11};
    poy_array *diagonal = vector_of(7, d);
    MUST(poy_linop_diagonal(ctx, diagonal, flat, &jacobi));
    golden_cg();
    golden_lsqr();
    batch(spd);
    for (int i = 0; i < SOLVERS; i++) {
        const solver *v = &solvers[i];
        known_solution(v, "positive", spd, NULL);
        known_solution(v, "in a metric", metric, NULL);
        if (v->preconditioned)
            known_solution(v, "preconditioned", spd, jacobi);
        if (!v->positive)
            known_solution(v, "indefinite", indefinite, NULL);
        if (!v->hermitian)
            known_solution(v, "not Hermitian", skew, NULL);
        reasons(v, spd);
        ranges(v, spd);
        allocations(v, spd);
    }
    poy_array *b = random_of(flat, 9);
    poy_solve_options o = options(1e-6);
    reason(&solvers[0], "an indefinite operator", indefinite, b, &o, POY_REASON_NEGATIVE_CURVATURE, POY_ERR_NOT_PD);
    poy_solve_result r;
    poy_array *x = zeros_of(flat);
    ok(poy_cg(ctx, skew, b, NULL, x, &r) == POY_ERR_ARGUMENT, "cg refuses an operator that is not Hermitian");
    broken(flat, b, x);
    poy_array *all[] = {diagonal, b, x};
    for (int i = 0; i < 3; i++)
        poy_array_destroy(&all[i]);
    poy_linop *ops[] = {spd, metric, indefinite, skew, jacobi};
    for (int i = 0; i < 5; i++)
        poy_linop_destroy(&ops[i]);
    poy_space_destroy(&flat);
    poy_space_destroy(&weighted);
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

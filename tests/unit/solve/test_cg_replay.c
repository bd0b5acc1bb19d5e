/* test_cg_replay.c: turns of conjugate gradients that are replayed from programs have the bits of those that are called: the
 * same operators as they are, and behind a function of the caller, which no program can record. */
#include "poynting/solve.h"
#include "unit/operator_fixture.h"

enum { N = 40, RECORDED = 12, STOP = 15 }; /* unknowns; turns that are called in any case; where a monitor ends it */

/* D (2 + E) D with a small Hermitian E, D from 1 to 100: positive, and slow to solve. */
static poy_linop *stiff(poy_space *s, poy_linop **jacobi)
{
    const int64_t shape[2] = {N, N}, n = N;
    z m[N * N], d[N];
    poy_linop *op = NULL;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const z a = random_value(3, (uint64_t)(i * N + j)), b = conj(random_value(3, (uint64_t)(j * N + i)));
            m[i * N + j] = ((a + b) / (2.0 * N) + (i == j ? 2 : 0)) * pow(100, (double)(i + j) / N);
        }
    for (int i = 0; i < N; i++)
        d[i] = pow(10, 1.5 * sin(i)) / creal(m[i * N + i]); /* helps, but not much */
    poy_array *a = array_of(2, shape, m), *diagonal = array_of(1, &n, d);
    MUST(poy_linop_dense(ctx, a, s, s, &op));
    MUST(poy_linop_diagonal(ctx, diagonal, s, jacobi));
    poy_array_destroy(&a);
    poy_array_destroy(&diagonal);
    return op;
}

static poy_status call_through(poy_ctx *c, void *user, const poy_array *x, poy_array *y)
{
    return poy_apply(c, user, NULL, x, y);
}

static int stop_early(void *user, int64_t iteration, double residual)
{
    (void)user, (void)residual;
    return iteration == STOP;
}

/* Solves with both; *turns: how many it took. */
static int same(poy_linop *op, const poy_linop *precond, double scale, int stops, int64_t *turns)
{
    poy_space *s = poy_linop_domain(op);
    const poy_linop_user user = {sizeof user, call_through, NULL, NULL, op, POY_LINOP_HERMITIAN};
    poy_linop *called = NULL;
    poy_solve_options o;
    poy_solve_result r[2];
    unsigned char bytes[2][N * sizeof(z)];
    double history[2][200];
    poy_array *b = random_of(s, 5), *x = zeros_of(s), *factor = NULL;
    MUST(poy_fill(ctx, be, (poy_scalar){scale, 0}, dtype, 0, NULL, &factor));
    MUST(poy_mul_into(ctx, factor, b, b));
    MUST(poy_linop_create(ctx, s, s, &user, &called));
    poy_solve_options_init(&o);
    o.tol = 0;
    o.maxiter = 60;
    o.precond = precond;
    o.monitor = stops ? stop_early : NULL;
    o.history_size = 200;
    memset(bytes, 0, sizeof bytes);
    for (int i = 0; i < 2; i++) {
        o.history = history[i];
        MUST(poy_cg(ctx, i ? called : op, b, &o, x, &r[i]));
        MUST(poy_array_read(ctx, x, bytes[i]));
    }
    const int good = !memcmp(bytes[0], bytes[1], sizeof bytes[0]) && r[0].iterations == r[1].iterations &&
                     r[0].applies == r[1].applies && r[0].reason == r[1].reason &&
                     r[0].true_residual == r[1].true_residual && r[0].history_length == r[1].history_length &&
                     !memcmp(history[0], history[1], (size_t)r[0].history_length * sizeof(double));
    *turns = r[0].iterations;
    poy_linop_destroy(&called);
    poy_array_destroy(&b);
    poy_array_destroy(&x);
    poy_array_destroy(&factor);
    return good;
}

static void compare(const char *name, poy_linop *op, const poy_linop *precond)
{
    int64_t turns = 0, stopped = 0, small = 0;
    const int good =
        same(op, precond, 1, 0, &turns) && same(op, precond, 1, 1, &stopped) && same(op, precond, 1e-20, 0, &small);
    ok(good && turns > RECORDED && small > RECORDED && stopped == STOP, "%s %s, %s: the bits of calls (%lld turns)",
       backend_name, poy_dtype_name(dtype), name, (long long)turns);
}

/* A negative direction that is seen late, in a replayed turn, is told as from a call. */
static void failures(poy_linop *op, poy_space *s)
{
    poy_solve_options o;
    poy_solve_result r;
    poy_array *b = random_of(s, 5), *x = zeros_of(s);
    z bad[N];
    for (int i = 0; i < N; i++)
        bad[i] = i == N - 1 ? -1e-3 : pow(10, 2.0 * i / N);
    const int64_t n = N;
    poy_array *d = array_of(1, &n, bad);
    poy_linop *late = NULL;
    poy_solve_options_init(&o);
    o.tol = 0;
    MUST(poy_linop_diagonal(ctx, d, s, &late));
    late->positive = late->hermitian = POY_YES; /* as if nobody had looked */
    const poy_status status = poy_cg(ctx, late, b, &o, x, &r);
    ok(status == POY_ERR_NOT_PD && r.reason == POY_REASON_NEGATIVE_CURVATURE && r.iterations > RECORDED,
       "%s %s: a negative direction ends it by name (%lld turns)", backend_name, poy_dtype_name(dtype),
       (long long)r.iterations);
    MUST(poy_cg(ctx, op, b, &o, x, &r)); /* and the context goes on */
    poy_linop_destroy(&late);
    poy_array_destroy(&d);
    poy_array_destroy(&b);
    poy_array_destroy(&x);
}

static void test(void)
{
    poy_space *s = dense_space(N);
    poy_linop *jacobi = NULL, *dense = stiff(s, &jacobi), *sum = NULL, *adjoint = NULL, *called = NULL, *chain = NULL;
    const poy_linop_user user = {sizeof user, call_through, NULL, NULL, dense, POY_LINOP_HERMITIAN};
    MUST(poy_linop_adjoint(ctx, dense, &adjoint));
    poy_linop *two[] = {dense, adjoint};
    MUST(poy_linop_sum(ctx, 2, two, &sum));
    sum->hermitian = POY_YES; /* A + A^H */
    compare("dense", dense, NULL);
    compare("with a preconditioner", dense, jacobi);
    compare("a sum, which takes scratch", sum, jacobi);
    failures(dense, s);

    MUST(poy_linop_create(ctx, s, s, &user, &called));
    poy_linop *both[] = {dense, called};
    MUST(poy_linop_compose(ctx, 2, both, &chain));
    ok(!poyi_linop_calls_back(dense) && !poyi_linop_calls_back(sum) && poyi_linop_calls_back(called) &&
           poyi_linop_calls_back(chain),
       "functions of the caller are seen, also inside of others");
    poy_linop *ops[] = {jacobi, dense, sum, adjoint, called, chain};
    for (int i = 0; i < 6; i++)
        poy_linop_destroy(&ops[i]);
    poy_space_destroy(&s);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero: %zu", poy_ctx_bytes(ctx));
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

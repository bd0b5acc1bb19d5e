/* test_cg_replay.c: turns of conjugate gradients, and steps of power iteration, that are replayed from programs have the bits of those that are called: the
 * same operators as they are, and behind a function of the caller, which no program can record; single systems and batches, and
 * no memory is taken in their loops. */
#include "poynting/solve.h"
#include "unit/operator_fixture.h"

enum { N = 40, STOP = 15 }; /* unknowns; where a monitor ends it */

/* D (2 + E) D with a small Hermitian E, D from 1 to 100: positive, and slow to solve. */
static poy_linop *stiff(poy_space *s, poy_linop **jacobi)
{
    const int64_t shape[2] = {N, N}, n = N;
    z m[N * N], d[N];
    poy_linop *op = NULL;
    for (uint64_t i = 0; i < N; i++)
        for (uint64_t j = 0; j < N; j++) {
            const z a = random_value(3, i * N + j), b = conj(random_value(3, j * N + i));
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
    ok(good && turns > STOP && small > STOP && stopped == STOP, "%s %s, %s: the bits of calls (%lld turns)",
       backend_name, poy_dtype_name(dtype), name, (long long)turns);
}

/* A batch whose member 1 is zero and whose last is NaN where fails is set: all bits of x and all results, by both. */
static int same_batch(poy_linop *op, const poy_linop *precond, int k, int fails)
{
    enum { MOST = 5 };
    poy_space *s = poy_linop_domain(op);
    const poy_linop_user user = {sizeof user, call_through, NULL, NULL, op, POY_LINOP_HERMITIAN | POY_LINOP_BATCH};
    const int64_t shape[2] = {k, poy_space_size(s)};
    poy_linop *called = NULL;
    poy_solve_options o;
    poy_solve_result r[2][MOST];
    unsigned char bytes[2][MOST * N * sizeof(z)] = {{0}};
    poy_array *b = random_array(6, 2, shape), *x = random_array(7, 2, shape);
    poy_array zero = poyi_member(b, 1), last = poyi_member(b, k - 1);
    int good = 1;
    MUST(poy_fill_into(ctx, (poy_scalar){0, 0}, &zero));
    if (fails)
        MUST(poy_fill_into(ctx, (poy_scalar){(double)NAN, 0}, &last));
    MUST(poy_linop_create(ctx, s, s, &user, &called));
    poy_solve_options_init(&o);
    o.tol = 100 * eps();
    o.maxiter = 200;
    o.precond = precond;
    for (int i = 0; i < 2; i++) {
        const poy_status status = poy_cg_batch(ctx, i ? called : op, b, &o, x, r[i]);
        good &= status == (fails ? POY_ERR_NONFINITE : POY_OK);
        MUST(poy_array_read(ctx, x, bytes[i]));
    }
    for (int i = 0; i < k; i++)
        good &= r[0][i].iterations == r[1][i].iterations && r[0][i].applies == r[1][i].applies &&
                r[0][i].reason == r[1][i].reason && !memcmp(&r[0][i].residual, &r[1][i].residual, sizeof(double));
    good &= r[0][0].iterations > 2 && r[0][1].iterations == 0 && !memcmp(bytes[0], bytes[1], sizeof bytes[0]);
    poy_linop_destroy(&called);
    poy_array_destroy(&b);
    poy_array_destroy(&x);
    return good;
}

/* Power iteration by both, with a test at each step, and at some; from a vector so small that squares of it are 0, too. */
static void powers(poy_linop *op)
{
    poy_space *s = poy_linop_domain(op);
    const poy_linop_user user = {sizeof user, call_through, NULL, NULL, op, POY_LINOP_HERMITIAN};
    const double small = poy_dtype_real(dtype) == POY_F32 ? 1e-30 : 1e-200;
    poy_linop *tiny = NULL, *called[2] = {NULL};
    poy_array *x = zeros_of(s), *start = random_of(s, 8);
    int good = 1;
    MUST(poy_linop_scale(ctx, (poy_scalar){small, 0}, op, &tiny));
    poy_linop *ops[2] = {op, tiny};
    poy_linop_user users[2] = {user, user};
    users[1].user = tiny;
    for (int which = 0; which < 2; which++)
        MUST(poy_linop_create(ctx, s, s, &users[which], &called[which]));
    for (int which = 0; which < 4; which++) {
        poy_solve_options o;
        poy_solve_result r[2];
        unsigned char bytes[2][N * sizeof(z)] = {{0}};
        poy_solve_options_init(&o);
        o.tol = 100 * eps();
        o.maxiter = 30;
        o.check_every = which < 2 ? 1 : 7;
        o.x0 = start;
        for (int i = 0; i < 2; i++) {
            MUST(poy_power(ctx, i ? called[which % 2] : ops[which % 2], &o, x, &r[i]));
            MUST(poy_array_read(ctx, x, bytes[i]));
        }
        good &= !memcmp(bytes[0], bytes[1], sizeof bytes[0]) && r[0].iterations == r[1].iterations &&
                r[0].applies == r[1].applies && r[0].reason == r[1].reason && r[0].eigenvalue == r[1].eigenvalue &&
                r[0].residual == r[1].residual && r[0].iterations > 2 && r[0].eigenvalue > 0 && r[0].residual > 0;
    }
    ok(good, "%s %s: power iteration has the bits of calls", backend_name, poy_dtype_name(dtype));
    poy_linop *all[] = {tiny, called[0], called[1]};
    for (int i = 0; i < 3; i++)
        poy_linop_destroy(&all[i]);
    poy_array_destroy(&x);
    poy_array_destroy(&start);
}

/* Rows of members, with a preconditioner, with scratch; of all members, which are short here; of a sparse matrix. */
static void batches(poy_linop *dense, const poy_linop *jacobi, poy_linop *sum)
{
    enum { FEW = 9 };
    const int64_t few = FEW, shape[2] = {FEW, FEW};
    poy_space *s = dense_space(FEW);
    z d[FEW], m[FEW * FEW];
    for (int i = 0; i < FEW * FEW; i++)
        m[i] = i % (FEW + 1) ? i % FEW + i / FEW == FEW - 1 ? 0.5 : 0 : 1 + i;
    for (int i = 0; i < FEW; i++)
        d[i] = 1 + i;
    poy_array *diagonal = array_of(1, &few, d), *a = array_of(2, shape, m);
    poy_sparse *rows = NULL;
    poy_linop *shorts = NULL, *sparse = NULL;
    MUST(poy_sparse_from_dense(ctx, a, POY_SPARSE_CSR, &rows));
    MUST(poy_linop_sparse(ctx, rows, s, s, &sparse));
    MUST(poy_linop_diagonal(ctx, diagonal, s, &shorts));
    ok(same_batch(dense, NULL, 5, 0) && same_batch(dense, jacobi, 5, 0) && same_batch(sum, jacobi, 2, 0) &&
           same_batch(dense, NULL, 3, 1) && same_batch(shorts, NULL, 4, 0) && same_batch(sparse, shorts, 3, 0),
       "%s %s: batches have the bits of calls", backend_name, poy_dtype_name(dtype));
    poy_linop *ops[] = {shorts, sparse};
    poy_array *all[] = {diagonal, a};
    for (int i = 0; i < 2; i++) {
        poy_linop_destroy(&ops[i]);
        poy_array_destroy(&all[i]);
    }
    poy_sparse_destroy(&rows);
    poy_space_destroy(&s);
}

/* As many allocations for one turn as for many, of one system and of a batch. */
static void allocations(poy_linop *op, poy_space *s)
{
    const int64_t shape[2] = {3, N};
    poy_solve_options o;
    poy_solve_result r[3];
    poy_array *b = random_of(s, 5), *x = zeros_of(s), *many = random_array(6, 2, shape),
              *xs = random_array(7, 2, shape);
    uint64_t made[2][2];
    poy_solve_options_init(&o);
    o.tol = 0;
    for (int i = 0; i < 2; i++) {
        o.maxiter = i ? 40 : 1;
        const uint64_t before = poy_ctx_allocations(ctx);
        MUST(poy_cg(ctx, op, b, &o, x, r));
        const uint64_t between = poy_ctx_allocations(ctx);
        MUST(poy_cg_batch(ctx, op, many, &o, xs, r));
        made[0][i] = between - before;
        made[1][i] = poy_ctx_allocations(ctx) - between;
    }
    ok(made[0][0] == made[0][1] && made[1][0] == made[1][1] && r[0].iterations > STOP,
       "%s %s: no allocation in %lld turns (%llu and %llu before them)", backend_name, poy_dtype_name(dtype),
       (long long)r[0].iterations, (unsigned long long)made[0][0], (unsigned long long)made[1][0]);
    poy_array *all[] = {b, x, many, xs};
    for (int i = 0; i < 4; i++)
        poy_array_destroy(&all[i]);
}

/* A batch of more than is gone through by one call has the bits of one thread, which replays, on two, which call. */
static void threads(void)
{
    enum { K = 40, M = 256 };
    const int64_t square[2] = {M, M}, shape[2] = {K, M};
    poy_space *s = dense_space(M);
    poy_array *a = random_array(3, 2, square), *b = random_array(4, 2, shape), *x = random_array(5, 2, shape);
    poy_linop *dense = NULL, *gram = NULL, *adjoint = NULL;
    poy_solve_options o;
    poy_solve_result r[2][K];
    z *bytes[2];
    int same = 1;
    MUST(poy_linop_dense(ctx, a, s, s, &dense));
    MUST(poy_linop_adjoint(ctx, dense, &adjoint));
    poy_linop *two[] = {adjoint, dense};
    MUST(poy_linop_compose(ctx, 2, two, &gram));
    poy_solve_options_init(&o);
    o.tol = 0;
    o.maxiter = 20;
    for (int i = 0; i < 2; i++) {
        bytes[i] = calloc((size_t)K * M, sizeof(z));
        poy_ctx_set_threads(ctx, 1 + i);
        MUST(poy_cg_batch(ctx, gram, b, &o, x, r[i]));
        MUST(poy_array_read(ctx, x, bytes[i]));
    }
    for (int i = 0; i < K; i++)
        same &= r[0][i].iterations == r[1][i].iterations && r[0][i].true_residual == r[1][i].true_residual;
    ok(same && !memcmp(bytes[0], bytes[1], K * M * sizeof(z)) && r[0][0].iterations > 2,
       "%s %s: a batch has the same bits on one thread and on two", backend_name, poy_dtype_name(dtype));
    poy_linop *ops[] = {gram, adjoint, dense};
    poy_array *all[] = {a, b, x};
    for (int i = 0; i < 3; i++) {
        poy_linop_destroy(&ops[i]);
        poy_array_destroy(&all[i]);
        if (i < 2)
            free(bytes[i]);
    }
    poy_space_destroy(&s);
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
    ok(status == POY_ERR_NOT_PD && r.reason == POY_REASON_NEGATIVE_CURVATURE && r.iterations > 0,
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
    allocations(dense, s);
    batches(dense, jacobi, sum);
    powers(dense);
    if (strcmp(backend_name, "ref") != 0)
        threads();

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

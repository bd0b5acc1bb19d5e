/* bench_program.c: what a row of a recorded program costs on one element, beside the call that it replays; and a turn of
 * conjugate gradients on 64 unknowns, called and replayed; and a turn of poy_cg, which replays, beside the same with an
 * operator of the caller, which it has to call. The least of repeats, in nanoseconds, alternated in one run.
 * usage: bench_program */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "poynting/poynting.h"

enum { REPEATS = 60, CALLS = 100000, N = 64 };

static poy_ctx *ctx;
static poy_backend *be;

static void must(poy_status status)
{
    if (status != POY_OK) {
        fprintf(stderr, "%s\n", poy_ctx_message(ctx));
        exit(1);
    }
}

static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC; /* of the process */
}

static poy_array *filled(int rank, const int64_t *extent, double value)
{
    poy_array *a = NULL;
    must(poy_fill(ctx, be, (poy_scalar){value, 0}, POY_F64, rank, extent, &a));
    return a;
}

/* ---- what is done once or many times ---- */

typedef struct work {
    const char *name;
    int rows;
    poy_status (*call)(poy_array *const *v);
    poy_array *v[12];
} work;

static poy_status add(poy_array *const *v)
{
    return poy_add_into(ctx, v[0], v[1], v[2]);
}

static poy_status axpy(poy_array *const *v)
{
    return poy_axpy_into(ctx, v[0], v[1], v[2], v[2]);
}

static poy_status sum(poy_array *const *v)
{
    return poy_sum_into(ctx, v[0], POY_ALL_AXES, NULL, 0, v[3]);
}

/* With a matrix of zeros: numbers become NaN at once, which costs nothing more. */
static poy_status gradients(poy_array *const *v)
{
    enum { A, X, R, P, Q, RHO, NEXT, PI, ALPHA, MINUS, BETA };
    poy_status status = poy_matmul_into(ctx, v[A], v[P], v[Q]);
    status = status ? status : poy_vdot_into(ctx, v[P], v[Q], v[PI]);
    status = status ? status : poy_div_into(ctx, v[RHO], v[PI], v[ALPHA]);
    status = status ? status : poy_neg_into(ctx, v[ALPHA], v[MINUS]);
    status = status ? status : poy_axpy_into(ctx, v[ALPHA], v[P], v[X], v[X]);
    status = status ? status : poy_axpy_into(ctx, v[MINUS], v[Q], v[R], v[R]);
    status = status ? status : poy_vdot_into(ctx, v[R], v[R], v[NEXT]);
    status = status ? status : poy_div_into(ctx, v[NEXT], v[RHO], v[BETA]);
    status = status ? status : poy_axpy_into(ctx, v[BETA], v[P], v[R], v[P]);
    return status ? status : poy_copy_into(ctx, v[NEXT], v[RHO]);
}

static void measure(const work *w)
{
    poy_program *p = NULL;
    double called = 1, replayed = 1;
    const int calls = CALLS / w->rows;
    must(poy_program_begin(ctx, be, w->name));
    must(w->call(w->v));
    must(poy_program_end(ctx, &p));
    for (int r = 0; r < REPEATS; r++) {
        double start = now();
        for (int i = 0; i < calls; i++)
            must(w->call(w->v));
        const double one = (now() - start) / calls;
        start = now();
        must(poy_program_run(ctx, p, calls));
        const double other = (now() - start) / calls;
        called = one < called ? one : called;
        replayed = other < replayed ? other : replayed;
    }
    printf("%-28s %8.1f ns called %8.1f ns replayed   %.2f\n", w->name, 1e9 * called, 1e9 * replayed,
           called / replayed);
    poy_program_destroy(&p);
}

/* ---- poy_cg ---- */

static poy_status multiply(poy_ctx *c, void *user, const poy_array *x, poy_array *y)
{
    return poy_matmul_into(c, user, x, y);
}

/* Condition 10^10 keeps it going for more turns than there are unknowns. */
static poy_array *stiff_matrix(int64_t n)
{
    const int64_t extent[2] = {n, n};
    double *host = calloc((size_t)(n * n), sizeof *host);
    poy_array *a = filled(2, extent, 0);
    for (int64_t i = 0; host && i < n; i++)
        host[i * n + i] = pow(10, 10 * (double)i / (double)n);
    must(poy_array_write(ctx, a, host));
    free(host);
    return a;
}

/* Seconds of a turn. */
static double turn_of(const poy_linop *op, const poy_array *b, const poy_solve_options *o, poy_array *x)
{
    poy_solve_result r = {0};
    const double start = now();
    for (int i = 0; i < 10; i++)
        must(poy_cg(ctx, op, b, o, x, &r));
    return (now() - start) / 10 / (double)r.iterations;
}

static void measure_cg(int64_t n)
{
    poy_array *a = stiff_matrix(n), *b = filled(1, &n, 1), *x = filled(1, &n, 0);
    poy_space *s = NULL;
    poy_linop *held = NULL, *called = NULL;
    const poy_linop_user user = {sizeof user, multiply, NULL, NULL, a, POY_LINOP_HERMITIAN};
    poy_solve_options o;
    double best[2] = {1, 1};
    must(poy_space_dense(ctx, be, POY_F64, 1, &n, &s));
    must(poy_linop_dense(ctx, a, s, s, &held));
    must(poy_linop_create(ctx, s, s, &user, &called));
    poy_solve_options_init(&o);
    must(poy_work_create(ctx, be, &o.work));
    o.tol = 0;
    o.maxiter = 100;
    o.check_every = 1000;
    for (int r = 0; r < REPEATS; r++) {
        const double one = turn_of(called, b, &o, x), other = turn_of(held, b, &o, x);
        best[0] = one < best[0] ? one : best[0];
        best[1] = other < best[1] ? other : best[1];
    }
    printf("poy_cg, %3lld unknowns, a turn  %8.1f ns called %8.1f ns replayed   %.2f\n", (long long)n, 1e9 * best[0],
           1e9 * best[1], best[0] / best[1]);
    poy_work_destroy(&o.work);
    poy_linop_destroy(&held);
    poy_linop_destroy(&called);
    poy_space_destroy(&s);
    poy_array_destroy(&a);
    poy_array_destroy(&b);
    poy_array_destroy(&x);
}

int main(void)
{
    const int64_t one = 1, n = N, matrix[2] = {N, N};
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    must(poy_backend_open(ctx, "cpu", &be));
    poy_ctx_set_threads(ctx, 1);
    poy_array *const small[] = {filled(1, &one, 1), filled(1, &one, 0), filled(1, &one, 0), filled(0, NULL, 0)};
    work all[] = {{.name = "add of 1 element", .rows = 1, .call = add},
                  {.name = "axpy of 1 element", .rows = 1, .call = axpy},
                  {.name = "sum of 1 element", .rows = 1, .call = sum},
                  {.name = "a turn of cg, 64 unknowns", .rows = 10, .call = gradients}};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++)
            all[k].v[i] = small[i];
    all[3].v[0] = filled(2, matrix, 0);
    for (int i = 1; i < 11; i++)
        all[3].v[i] = i < 5 ? filled(1, &n, 1) : filled(0, NULL, 1);
    for (int k = 0; k < 4; k++)
        measure(&all[k]);
    for (int64_t unknowns = 16; unknowns <= 256; unknowns *= 4)
        measure_cg(unknowns);
    for (int i = 0; i < 11; i++)
        poy_array_destroy(&all[3].v[i]);
    for (int i = 0; i < 4; i++) {
        poy_array *a = small[i];
        poy_array_destroy(&a);
    }
    poy_backend_close(&be);
    poy_ctx_destroy(&ctx);
    return 0;
}

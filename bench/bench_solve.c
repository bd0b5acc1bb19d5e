/* bench_solve.c: solvers on the five-point Laplacian of a square, as a caller's operator without a matrix, and a batch of
 * systems against a loop. One line a work: name, least processor time (s), iterations, a check sum.
 * usage: bench_solve [quick|full [cg|csr|spectrum|batch ...]]. One thread; bench/peers/solve.py runs the same in JAX and SciPy and prints ratios. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "poynting/poynting.h"

enum { BATCH = 64, DENSE_MAX = 256 };

static poy_ctx *ctx;
static poy_backend *be;
static int repeats = 5;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(poy_status status)
{
    if (status == POY_OK)
        return;
    fprintf(stderr, "%s\n", poy_ctx_message(ctx));
    exit(1);
}

/* ---- the operator ---- */

typedef struct grid {
    int64_t n;
    double *zeros; /* [n]: what lies beyond the edges */
} grid;

/* y = 4 x - its four neighbours; zero beyond the edges. */
static void laplacian_row(int64_t n, const double *restrict x, const double *restrict up, const double *restrict down,
                          double *restrict y)
{
    for (int64_t j = 1; j < n - 1; j++)
        y[j] = 4 * x[j] - x[j - 1] - x[j + 1] - up[j] - down[j];
    y[0] = 4 * x[0] - x[1] - up[0] - down[0];
    y[n - 1] = 4 * x[n - 1] - x[n - 2] - up[n - 1] - down[n - 1];
}

/* Vectors of solvers are dense. */
static poy_status laplacian(poy_ctx *c, void *user, const poy_array *in, poy_array *out)
{
    const grid *g = user;
    const int64_t n = g->n;
    const double *x = poy_array_memory(in);
    double *y = poy_array_memory(out);
    (void)c;
    for (int64_t i = 0; i < n; i++)
        laplacian_row(n, x + i * n, i ? x + (i - 1) * n : g->zeros, i < n - 1 ? x + (i + 1) * n : g->zeros, y + i * n);
    return POY_OK;
}

static void open_grid(int64_t n, grid *g, poy_space **s, poy_linop **op)
{
    const int64_t shape[2] = {n, n};
    const poy_linop_user user = {sizeof user, laplacian, NULL, NULL, g, POY_LINOP_HERMITIAN};
    g->n = n;
    g->zeros = calloc((size_t)n, sizeof *g->zeros);
    must(poy_space_dense(ctx, be, POY_F64, 2, shape, s));
    must(poy_linop_create(ctx, *s, *s, &user, op));
}

static void close_grid(grid *g, poy_space **s, poy_linop **op)
{
    poy_linop_destroy(op);
    poy_space_destroy(s);
    free(g->zeros);
}

static void report(const char *name, double time, int64_t iterations, double check)
{
    printf("%-28s %.6f %lld %.12g\n", name, time, (long long)iterations, check);
    fflush(stdout);
}

/* ---- works ---- */

/* The same operator as a sparse matrix of compressed rows: as it is; D A D with d = 1 + 0.2 sin i, so that no two rows have
 * the same values; or with its points in the order of i (2 i + 1) mod n^2 (n a power of two), so that none have the same places. */
typedef enum form { AS_IS, VARIED, PERMUTED } form;

static double weight(form f, int64_t i)
{
    return f == VARIED ? 1 + 0.2 * sin((double)i) : 1;
}

static int64_t place(form f, int64_t points, int64_t i)
{
    return f == PERMUTED ? i * (2 * i + 1) & (points - 1) : i;
}

static void open_rows(int64_t n, form f, poy_space *s, poy_linop **op)
{
    const int64_t points = n * n, entries = 5 * points - 4 * n;
    int32_t *row = malloc((size_t)entries * sizeof *row), *column = malloc((size_t)entries * sizeof *column);
    double *value = malloc((size_t)entries * sizeof *value);
    int64_t e = 0;
    for (int64_t i = 0; i < points; i++)
        for (int k = -2; k <= 2; k++) {
            const int64_t line = i / n + (k == -2 ? -1 : k == 2), at = i % n + (k == -1 ? -1 : k == 1);
            const int64_t j = line * n + at;
            if (line < 0 || line >= n || at < 0 || at >= n)
                continue;
            row[e] = (int32_t)place(f, points, i);
            column[e] = (int32_t)place(f, points, j);
            value[e++] = (k ? -1 : 4) * weight(f, i) * weight(f, j);
        }
    poy_array *r = NULL, *c = NULL, *v = NULL;
    poy_sparse *triples = NULL, *rows = NULL;
    must(poy_array_wrap(ctx, be, POY_I32, 1, &e, NULL, row, &r));
    must(poy_array_wrap(ctx, be, POY_I32, 1, &e, NULL, column, &c));
    must(poy_array_wrap(ctx, be, POY_F64, 1, &e, NULL, value, &v));
    must(poy_sparse_create(ctx, POY_SPARSE_COO, points, points, r, c, v, &triples));
    must(poy_sparse_convert(ctx, triples, POY_SPARSE_CSR, &rows));
    must(poy_linop_sparse(ctx, rows, s, s, op));
    poy_sparse_destroy(&triples);
    poy_sparse_destroy(&rows);
    poy_array_destroy(&r);
    poy_array_destroy(&c);
    poy_array_destroy(&v);
    free(row);
    free(column);
    free(value);
}

static void time_cg(const char *name, int64_t n, int sparse, form f)
{
    grid g;
    poy_space *s;
    poy_linop *op;
    poy_array *b = NULL, *x = NULL;
    poy_solve_options o;
    poy_solve_result r = {0};
    double best = HUGE_VAL, check;
    open_grid(n, &g, &s, &op);
    if (sparse) {
        poy_linop_destroy(&op);
        open_rows(n, f, s, &op);
    }
    poy_solve_options_init(&o);
    must(poy_work_create(ctx, be, &o.work));
    o.tol = 1e-8;
    o.maxiter = 5000;
    must(poy_space_zeros(ctx, s, &x));
    must(poy_space_zeros(ctx, s, &b));
    must(poy_fill_into(ctx, (poy_scalar){1, 0}, b));
    for (int i = 0; i < repeats; i++) {
        const double start = now();
        must(poy_cg(ctx, op, b, &o, x, &r));
        best = fmin(best, now() - start);
    }
    must(poy_space_norm(ctx, s, o.work, x, &check));
    report(name, best, r.iterations, check);
    poy_array_destroy(&b);
    poy_array_destroy(&x);
    poy_work_destroy(&o.work);
    close_grid(&g, &s, &op);
}

static void time_spectrum(int64_t n)
{
    grid g;
    poy_space *s;
    poy_linop *op;
    poy_array *v = NULL, *x = NULL;
    poy_solve_options o;
    poy_solve_result r = {0};
    double best[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, value[3] = {0, 0, 0};
    open_grid(n, &g, &s, &op);
    must(poy_space_random(ctx, s, 3, &v));
    must(poy_space_zeros(ctx, s, &x));
    poy_solve_options_init(&o);
    must(poy_work_create(ctx, be, &o.work));
    o.x0 = v;
    for (int i = 0; i < repeats; i++) {
        double start = now();
        o.tol = 0;
        o.maxiter = 60;
        o.restart = 60;
        must(poy_lanczos(ctx, op, 1, &o, &value[0], NULL, &r));
        best[0] = fmin(best[0], now() - start);
        start = now();
        o.maxiter = 500;
        o.check_every = 500;
        must(poy_power(ctx, op, &o, x, &r));
        best[1] = fmin(best[1], now() - start);
        value[1] = r.eigenvalue;
        o.check_every = 1;
        start = now();
        o.tol = 1e-12;
        o.restart = 30;
        must(poy_expm_apply(ctx, op, (poy_scalar){-0.5, 0}, v, &o, x, &r));
        best[2] = fmin(best[2], now() - start);
        must(poy_space_norm(ctx, s, o.work, x, &value[2]));
    }
    report("lanczos_128_m60", best[0], 60, value[0]);
    report("power_128_it500", best[1], 500, value[1]);
    report("expm_128_t0.5", best[2], r.applies, value[2]);
    poy_array_destroy(&v);
    poy_array_destroy(&x);
    poy_work_destroy(&o.work);
    close_grid(&g, &s, &op);
}

/* 64 right-hand sides of one dense positive operator [n, n], as a batch and one by one. */
static void time_batch(int64_t n)
{
    const int64_t square[2] = {n, n}, many[2] = {BATCH, n};
    poy_space *s, *wide;
    poy_linop *op;
    poy_array *m = NULL, *b = NULL, *x = NULL, *bi = NULL, *xi = NULL;
    poy_solve_options o;
    static poy_solve_result r[BATCH];
    char name[32];
    double *host = malloc(sizeof *host * DENSE_MAX * DENSE_MAX), best[2] = {HUGE_VAL, HUGE_VAL};
    for (int64_t i = 0; i < n * n; i++)
        host[i] = i % (n + 1) == 0 ? 2.0 + (double)i / (double)(n * n) * 50 : 0.02 * cos((double)((i / n) * (i % n)));
    must(poy_array_create(ctx, be, POY_F64, 2, square, &m));
    must(poy_array_write(ctx, m, host));
    must(poy_space_dense(ctx, be, POY_F64, 1, &n, &s));
    must(poy_space_dense(ctx, be, POY_F64, 2, many, &wide));
    must(poy_linop_dense(ctx, m, s, s, &op));
    must(poy_space_random(ctx, wide, 1, &b));
    must(poy_space_zeros(ctx, wide, &x));
    poy_solve_options_init(&o);
    must(poy_work_create(ctx, be, &o.work));
    o.tol = 1e-10;
    for (int k = 0; k < 2 * repeats; k++) {
        double start = now();
        must(poy_cg_batch(ctx, op, b, &o, x, r));
        best[0] = fmin(best[0], now() - start);
        start = now();
        for (int64_t i = 0; i < BATCH; i++) {
            const int64_t stride = 1;
            poy_solve_result one;
            must(poy_array_view(ctx, b, 1, &n, &stride, i * n, &bi));
            must(poy_array_view(ctx, x, 1, &n, &stride, i * n, &xi));
            must(poy_cg(ctx, op, bi, &o, xi, &one));
            poy_array_destroy(&bi);
            poy_array_destroy(&xi);
        }
        best[1] = fmin(best[1], now() - start);
    }
    snprintf(name, sizeof name, "cg_batch_64_of_%d", (int)n);
    report(name, best[0], r[0].iterations, best[1] / best[0]);
    snprintf(name, sizeof name, "cg_loop_64_of_%d", (int)n);
    report(name, best[1], r[0].iterations, 1);
    poy_work_destroy(&o.work);
    poy_linop_destroy(&op);
    poy_array *all[] = {m, b, x};
    for (int i = 0; i < 3; i++)
        poy_array_destroy(&all[i]);
    poy_space_destroy(&s);
    poy_space_destroy(&wide);
    free(host);
}

/* Is work among the arguments behind the first, or are there none? */
static int wanted(int argc, char **argv, const char *work)
{
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], work))
            return 1;
    return argc < 3;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "quick"))
        repeats = 2;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_ctx_set_threads(ctx, 1);
    must(poy_backend_open(ctx, "cpu", &be));
    if (wanted(argc, argv, "cg"))
        time_cg("cg_stencil_512", 512, 0, AS_IS);
    if (wanted(argc, argv, "csr")) {
        time_cg("cg_csr_512", 512, 1, AS_IS);
        time_cg("cg_csr_varied_512", 512, 1, VARIED);
        time_cg("cg_csr_permuted_512", 512, 1, PERMUTED);
    }
    if (wanted(argc, argv, "spectrum"))
        time_spectrum(128);
    if (wanted(argc, argv, "batch"))
        for (int64_t n = 16; n <= DENSE_MAX; n *= 4)
            time_batch(n);
    poy_backend_close(&be);
    poy_ctx_destroy(&ctx);
    return 0;
}

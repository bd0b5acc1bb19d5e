/* bench_program.c: what a row of a recorded program costs on one element, beside the call that it replays; and a turn of
 * conjugate gradients on 64 unknowns, called and replayed. The least of repeats, in nanoseconds, alternated in one run.
 * usage: bench_program */
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

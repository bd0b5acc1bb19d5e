/* test_replay.c: programs recorded from array calls: the bits of direct calls, memory, numbers that change between runs,
 * aliases, lifetimes, and what cannot be recorded. On ref and cpu. */
#include "poynting/operator.h"
#include "poynting/poynting.h"

#include "array_fixture.h"

enum { ROWS = 6, COLUMNS = 10, ALL = ROWS * COLUMNS };

static int says(poy_status got, poy_status want, const char *text)
{
    const int right = got == want && strstr(poy_ctx_message(ctx), text);
    if (!right)
        note("%s: %s", poy_status_name(got), poy_ctx_message(ctx));
    poy_ctx_clear(ctx);
    return right;
}

/* Numbers of all signs, none of them 0. */
static double number(int i)
{
    return ((i * 37) % 23 - 11.4) * 0.37;
}

static poy_array *numbers(poy_dtype dtype, int rank, const int64_t *extent)
{
    double host[2 * ALL];
    poy_array *wide = NULL, *a = NULL;
    for (int i = 0; i < 2 * ALL; i++)
        host[i] = number(i);
    const poy_dtype from = poy_dtype_is_complex(dtype) ? POY_C128 : POY_F64;
    MUST(poy_array_create(ctx, be, from, rank, extent, &wide));
    MUST(poy_array_write(ctx, wide, host));
    MUST(poy_copy(ctx, wide, dtype, &a));
    poy_array_destroy(&wide);
    return a;
}

/* ---- every family, each on arrays that are as simple, and as awkward, as they come ---- */

typedef struct world {
    poy_array *x, *y, *complex, *single, *strided, *column, *index, *whole, *zero_d, *bits;
    poy_sparse *sparse;
    poy_array *made[24]; /* outputs, and views that are written to */
    int n;
} world;

static poy_array *out(world *w, poy_dtype dtype, int rank, const int64_t *extent)
{
    poy_array *a = NULL;
    MUST(poy_fill(ctx, be, (poy_scalar){1, 0}, dtype, rank, extent, &a));
    w->made[w->n++] = a;
    return a;
}

static void world_init(world *w)
{
    const int64_t shape[2] = {ROWS, COLUMNS}, wide[2] = {ROWS, 2 * COLUMNS}, place[4] = {2, -1, 0, 2}, four = 4;
    const int64_t first[4] = {0, 2, 2, 3}, second[3] = {1, 0, 5}, starts = 4, entries = 3;
    const double values[3] = {2, -0.5, 4};
    poy_array *twice = numbers(POY_F64, 1, &(int64_t){2 * ALL}), *rows, *columns, *v, *grid = NULL;
    w->n = 0;
    w->x = numbers(POY_F64, 2, shape);
    w->y = numbers(POY_F64, 2, shape);
    w->complex = numbers(POY_C128, 2, shape);
    w->single = numbers(POY_F32, 2, shape);
    MUST(poy_array_reshape(ctx, twice, 2, wide, &grid));
    MUST(poy_array_slice(ctx, grid, 1, INT64_MIN, INT64_MIN, -2, &w->strided));
    MUST(poy_array_slice(ctx, w->x, 1, 3, 4, 1, &w->column));
    w->index = vector_of(POY_I64, four, place);
    w->whole = numbers(POY_I32, 2, shape);
    w->zero_d = numbers(POY_F64, 0, NULL);
    MUST(poy_gt(ctx, w->x, w->zero_d, &w->bits));
    rows = vector_of(POY_I64, starts, first);
    columns = vector_of(POY_I64, entries, second);
    v = vector_of(POY_F64, entries, values);
    MUST(poy_sparse_create(ctx, POY_SPARSE_CSR, 3, ROWS, rows, columns, v, &w->sparse));
    poy_array *const all[] = {twice, grid, rows, columns, v};
    for (int i = 0; i < 5; i++) {
        poy_array *a = all[i];
        poy_array_destroy(&a);
    }
}

static void world_fini(world *w)
{
    poy_array *const all[] = {w->x,      w->y,     w->complex, w->single, w->strided,
                              w->column, w->index, w->whole,   w->zero_d, w->bits};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        poy_array *a = all[i];
        poy_array_destroy(&a);
    }
    while (w->n > 0)
        poy_array_destroy(&w->made[--w->n]);
    poy_sparse_destroy(&w->sparse);
}

/* Outputs first, so that the calls can be made with them again and again. */
static void make_outputs(world *w)
{
    const int64_t shape[2] = {ROWS, COLUMNS}, square[2] = {ROWS, ROWS}, taken[2] = {4, COLUMNS}, three = 3,
                  half[2] = {ROWS, COLUMNS / 2 + 1}, row = COLUMNS, three_two[2] = {3, COLUMNS};
    (void)out(w, POY_F64, 2, shape);                      /* 0 */
    (void)out(w, POY_F64, 2, shape);                      /* 1 */
    (void)out(w, POY_C128, 2, shape);                     /* 2 */
    (void)out(w, POY_F64, 1, &row);                       /* 3 */
    (void)out(w, POY_F64, 2, square);                     /* 4 */
    (void)out(w, POY_C128, 2, half);                      /* 5 */
    (void)out(w, POY_F64, 2, taken);                      /* 6 */
    (void)out(w, POY_F64, 0, NULL);                       /* 7 */
    (void)out(w, POY_F64, 1, &three);                     /* 8 */
    (void)out(w, POY_F64, 2, three_two);                  /* 9 */
    (void)out(w, POY_I64, 2, shape);                      /* 10 */
    (void)out(w, POY_F64, 2, shape);                      /* 11: worked on in place */
    (void)out(w, POY_I64, 1, &(int64_t){ROWS});           /* 12 */
    (void)out(w, POY_F64, 2, (int64_t[]){COLUMNS, ROWS}); /* 13 */
}

/* One of each; all but the first few need copies, strides or promotion on the way. */
static poy_status call_everything(poy_ctx *c, const world *w)
{
    poy_array *const *m = w->made;
    poy_status status = POY_OK;
    const int first = 0, both[2] = {0, 1};
    poy_array *lower = NULL, *upper = NULL, *turned = NULL, *column = NULL, *transposed = NULL;
    poy_fft_options real;
    poy_fft_options_init(&real);
    real.kind = POY_FFT_R2C;
    POYI_TO_DONE(c, poy_exp_into(c, w->x, m[0]));
    POYI_TO_DONE(c, poy_mul_into(c, m[0], w->y, m[0]));
    POYI_TO_DONE(c, poy_axpy_into(c, w->zero_d, w->x, m[0], m[1]));
    POYI_TO_DONE(c, poy_add_into(c, w->single, w->whole, m[1])); /* both promoted */
    POYI_TO_DONE(c, poy_sub_into(c, w->strided, m[1], m[11]));
    POYI_TO_DONE(c, poy_where_into(c, w->bits, m[11], w->column, m[11]));
    POYI_TO_DONE(c, poy_clip_into(c, m[11], NULL, w->zero_d, m[1]));
    POYI_TO_DONE(c, poy_cis_mul_into(c, w->complex, w->strided, m[2]));
    POYI_TO_DONE(c, poy_sum_into(c, m[11], 1, &first, 0, m[3]));
    POYI_TO_DONE(c, poy_array_transpose(c, w->x, NULL, &transposed));
    POYI_TO_DONE(c, poy_matmul_into(c, w->strided, transposed, m[4]));
    POYI_TO_DONE(c, poy_fft_into(c, w->strided, &real, m[5]));
    POYI_TO_DONE(c, poy_take_into(c, w->strided, w->index, 0, m[6]));
    POYI_TO_DONE(c, poy_put_add_into(c, m[11], w->index, m[6], 0, m[11]));
    POYI_TO_DONE(c, poy_vdot_into(c, w->strided, w->single, m[7]));
    POYI_TO_DONE(c, poy_array_slice(c, w->strided, 1, 4, 5, 1, &column));
    POYI_TO_DONE(c, poy_array_reshape(c, column, 1, (int64_t[]){ROWS}, &turned));
    POYI_TO_DONE(c, poy_spmm_into(c, w->sparse, POY_SPARSE_AS_IS, turned, m[8]));
    POYI_TO_DONE(c, poy_spmm_into(c, w->sparse, POY_SPARSE_AS_IS, w->x, m[9]));
    POYI_TO_DONE(c, poy_argsort_into(c, w->strided, 0, m[10]));
    POYI_TO_DONE(c, poy_norm_into(c, w->complex, 2, both, 0, m[7]));
    POYI_TO_DONE(c, poy_argmax_into(c, w->strided, 1, (int[]){1}, 0, m[12]));
    POYI_TO_DONE(c, poy_copy_into(c, transposed, m[13]));
    POYI_TO_DONE(c, poy_fill_into(c, (poy_scalar){2.5, 0}, m[3]));
    /* windows that overlap: rows 0 .. 4 into rows 1 .. 5 */
    POYI_TO_DONE(c, poy_array_slice(c, m[11], 0, 0, ROWS - 1, 1, &upper));
    POYI_TO_DONE(c, poy_array_slice(c, m[11], 0, 1, ROWS, 1, &lower));
    POYI_TO_DONE(c, poy_add_into(c, upper, lower, lower));
    POYI_TO_DONE(c, poy_cumsum_into(c, m[11], 1, m[11]));
done:
    poy_array_destroy(&upper);
    poy_array_destroy(&lower);
    poy_array_destroy(&turned);
    poy_array_destroy(&column);
    poy_array_destroy(&transposed);
    return status;
}

static int same_outputs(const world *a, const world *b)
{
    static unsigned char x[64 * 1024], y[64 * 1024];
    for (int i = 0; i < a->n; i++) {
        const size_t bytes = (size_t)poy_array_size(a->made[i]) * poy_dtype_size(poy_array_dtype(a->made[i]));
        if (bytes > sizeof x || poy_array_read(ctx, a->made[i], x) != POY_OK ||
            poy_array_read(ctx, b->made[i], y) != POY_OK || memcmp(x, y, bytes) != 0) {
            note("output %d differs", i);
            return 0;
        }
    }
    return 1;
}

static void everything(void)
{
    world direct, replayed;
    poy_program *p = NULL;
    const size_t before = poy_ctx_bytes(ctx);
    world_init(&direct);
    world_init(&replayed);
    make_outputs(&direct);
    make_outputs(&replayed);
    const size_t arrays = poy_ctx_bytes(ctx);
    MUST(poy_program_begin(ctx, be, "everything"));
    ok(call_everything(ctx, &replayed) == POY_OK, "one call of each family is recorded: %s", poy_ctx_message(ctx));
    MUST(poy_program_end(ctx, &p));
    world untouched;
    world_init(&untouched);
    make_outputs(&untouched);
    ok(same_outputs(&replayed, &untouched), "nothing is computed meanwhile");
    world_fini(&untouched);
    note("%d rows, %zu bytes", poy_program_rows(p), poy_program_bytes(p));
    ok(poy_ctx_bytes(ctx) - arrays == poy_program_bytes(p), "its memory is what the ledger shows");
    int good = 1;
    for (int turn = 0; turn < 3; turn++) {
        MUST(call_everything(ctx, &direct));
        MUST(poy_program_run(ctx, p, 1));
        good &= same_outputs(&direct, &replayed);
    }
    ok(good, "three runs give the bits of three rounds of calls");
    const size_t peak = poy_ctx_bytes(ctx);
    MUST(poy_program_run(ctx, p, 20));
    ok(poy_ctx_bytes(ctx) == peak, "what sorting, transforms and strided products take on the way is given back");
    poy_program_destroy(&p);
    ok(p == NULL && poy_ctx_bytes(ctx) == arrays, "what the program had is given back");
    world_fini(&direct);
    world_fini(&replayed);
    ok(poy_ctx_bytes(ctx) == before, "and so is the rest");
}

/* ---- a solver's loop: Jacobi's method on u'' = f, with a damping that changes ---- */

static poy_status jacobi(poy_ctx *c, poy_array *const *v, const poy_array *f, const poy_array *damping)
{
    /* v: u with its ends, left and right neighbours, the inner points, the residual */
    POYI_TRY(c, poy_add_into(c, v[1], v[2], v[4]));
    POYI_TRY(c, poy_sub_into(c, v[4], f, v[4]));
    POYI_TRY(c, poy_sub_into(c, v[4], v[3], v[4]));
    POYI_TRY(c, poy_sub_into(c, v[4], v[3], v[4])); /* the residual: left + right - 2 u - f */
    POYI_TRY(c, poy_axpy_into(c, damping, v[4], v[3], v[3]));
    return POY_OK;
}

static void make_line(poy_array **v, int64_t n)
{
    const int64_t inner = n - 2;
    MUST(poy_fill(ctx, be, (poy_scalar){0, 0}, POY_F64, 1, &n, &v[0]));
    MUST(poy_array_slice(ctx, v[0], 0, 0, n - 2, 1, &v[1]));
    MUST(poy_array_slice(ctx, v[0], 0, 2, n, 1, &v[2]));
    MUST(poy_array_slice(ctx, v[0], 0, 1, n - 1, 1, &v[3]));
    MUST(poy_fill(ctx, be, (poy_scalar){0, 0}, POY_F64, 1, &inner, &v[4]));
}

static void solver_loop(void)
{
    enum { N = 18, TURNS = 2000 };
    const double h2 = 1.0 / (17 * 17), dampings[2] = {0.5, 0.4};
    const int64_t inner = N - 2;
    poy_array *u[5], *w[5], *f = NULL, *damping = NULL;
    poy_program *p = NULL;
    double got[N], want[N], worst = 0;
    make_line(u, N);
    make_line(w, N);
    MUST(poy_fill(ctx, be, (poy_scalar){-2 * h2, 0}, POY_F64, 1, &inner, &f)); /* u'' = -2: u = x (1 - x) */
    MUST(poy_array_create(ctx, be, POY_F64, 0, NULL, &damping));
    MUST(poy_program_begin(ctx, be, "jacobi"));
    MUST(jacobi(ctx, w, f, damping));
    MUST(poy_program_end(ctx, &p));
    ok(poy_program_rows(p) == 5, "five rows a turn");
    for (int k = 0; k < 2; k++) {
        MUST(poy_array_write(ctx, damping, &dampings[k]));
        for (int i = 0; i < TURNS; i++)
            MUST(jacobi(ctx, u, f, damping));
        const uint64_t allocations = poy_ctx_allocations(ctx);
        MUST(poy_program_run(ctx, p, TURNS));
        ok(poy_ctx_allocations(ctx) == allocations, "runs take no memory");
    }
    MUST(poy_array_read(ctx, u[0], want));
    MUST(poy_array_read(ctx, w[0], got));
    ok(!memcmp(got, want, sizeof got), "2 x 2000 turns with another number each time: the same bits");
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(got[i] - i / 17.0 * (1 - i / 17.0)));
    ok(worst < 1e-14, "and x (1 - x), which the differences take exactly: %.1e", worst);
    /* handles go, the memory stays */
    for (int i = 1; i < 5; i++)
        poy_array_destroy(&w[i]);
    poy_array_destroy(&f);
    poy_array_destroy(&damping);
    MUST(poy_fill_into(ctx, (poy_scalar){0, 0}, w[0]));
    MUST(poy_program_run(ctx, p, 2 * TURNS));
    MUST(poy_array_read(ctx, w[0], got));
    worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(got[i] - i / 17.0 * (1 - i / 17.0)));
    ok(worst < 1e-14, "also after handles have gone: %.1e", worst);
    poy_program_destroy(&p);
    for (int i = 0; i < 5; i++) {
        poy_array_destroy(&u[i]);
        poy_array_destroy(&w[i]);
    }
}

static poy_status turn(poy_ctx *c, void *user, int64_t i, poy_array *const *in, poy_array *const *to)
{
    (void)user, (void)i;
    return poy_neg_into(c, in[0], to[0]);
}

/* ---- operators: they apply themselves by recordable calls, with scratch that a program keeps ---- */

static void operators(void)
{
    const int64_t n = ROWS, square[2] = {ROWS, ROWS};
    double want[ROWS], got[ROWS];
    poy_array *a = numbers(POY_F64, 2, square), *w = NULL, *x = numbers(POY_F64, 1, &n), *y = NULL, *z = NULL;
    poy_space *plain = NULL, *weighted = NULL;
    poy_linop *op = NULL, *adjoint = NULL, *both = NULL;
    poy_program *p = NULL;
    MUST(poy_square(ctx, x, &w));
    MUST(poy_space_dense(ctx, be, POY_F64, 1, &n, &plain));
    MUST(poy_space_weighted(ctx, w, POY_F64, 1, &n, &weighted));
    MUST(poy_linop_dense(ctx, a, weighted, plain, &op));
    MUST(poy_linop_adjoint(ctx, op, &adjoint));
    MUST(poy_linop_compose(ctx, 2, (poy_linop *const[]){adjoint, op}, &both));
    MUST(poy_copy(ctx, x, POY_F64, &y));
    MUST(poy_copy(ctx, x, POY_F64, &z));
    MUST(poy_program_begin(ctx, be, "operator"));
    ok(poy_apply(ctx, both, NULL, x, z) == POY_OK, "a chain of operators between two metrics is recorded: %s",
       poy_ctx_message(ctx));
    MUST(poy_program_end(ctx, &p));
    MUST(poy_apply(ctx, both, NULL, x, y));
    MUST(poy_program_run(ctx, p, 1));
    MUST(poy_array_read(ctx, y, want));
    MUST(poy_array_read(ctx, z, got));
    ok(!memcmp(want, got, sizeof want), "and gives the bits of the call, in %d rows", poy_program_rows(p));
    poy_linop_destroy(&both);
    poy_linop_destroy(&adjoint);
    poy_linop_destroy(&op);
    MUST(poy_fill_into(ctx, (poy_scalar){0, 0}, z));
    MUST(poy_program_run(ctx, p, 1));
    MUST(poy_array_read(ctx, z, got));
    ok(!memcmp(want, got, sizeof want), "also when the operators are gone");
    poy_program_destroy(&p);
    poy_space_destroy(&plain);
    poy_space_destroy(&weighted);
    poy_array *const all[] = {a, w, x, y, z};
    for (int i = 0; i < 5; i++) {
        poy_array *one = all[i];
        poy_array_destroy(&one);
    }
}

/* A loop of a fixed number of turns is so many rows; the carry is exchanged for the array that the last one writes to. */
static void fixed_loop(void)
{
    double host = 0;
    poy_array *x = numbers(POY_F64, 0, NULL), *from = NULL;
    poy_program *p = NULL;
    MUST(poy_array_view(ctx, x, 0, NULL, NULL, 0, &from));
    MUST(poy_program_begin(ctx, be, "loop"));
    poy_array *carry[1] = {x};
    ok(poy_fori(ctx, 0, 3, turn, NULL, 1, carry) == POY_OK, "a loop of three turns");
    MUST(poy_program_end(ctx, &p));
    ok(poy_program_rows(p) == 3 && poy_program_run(ctx, p, 1) == POY_OK &&
           poy_array_read(ctx, carry[0], &host) == POY_OK && host == -number(0),
       "is three rows: %g", host);
    poy_program_destroy(&p);
    poy_array_destroy(&carry[0]);
    poy_array_destroy(&from);
}

/* ---- what cannot be recorded ---- */

static poy_status go_on(poy_ctx *c, void *user, poy_array *const *carry, int *more)
{
    (void)user;
    return poy_truth(c, carry[0], more);
}

static int is_spoiled(const char *text)
{
    poy_program *p = NULL;
    return says(poy_program_end(ctx, &p), POY_ERR_STATE, text) && !p;
}

static void refusals(void)
{
    const double one = 1;
    double host = 0;
    const int64_t three = 3;
    poy_array *x = numbers(POY_F64, 0, NULL), *y = numbers(POY_F64, 0, NULL), *made = NULL;
    poy_array *row = numbers(POY_F64, 1, &three), *mask = vector_of(POY_B8, 3, (unsigned char[]){1, 0, 1});
    poy_program *p = NULL;

    ok(says(poy_program_end(ctx, &p), POY_ERR_STATE, "no program is being recorded"), "no end without a beginning");
    ok(says(poy_program_begin(ctx, be, ""), POY_ERR_ARGUMENT, "a name has"), "nor a program without a name");
    MUST(poy_program_begin(ctx, be, "solver"));
    ok(says(poy_program_begin(ctx, be, "other"), POY_ERR_STATE, "records program 'solver' already"), "one at a time");
    ok(says(poy_add(ctx, x, y, &made), POY_ERR_UNSUPPORTED, "poy_add makes its result") && !made,
       "results are not made");
    ok(is_spoiled("poy_add makes its result"), "and the program is not whole");

    MUST(poy_program_begin(ctx, be, "solver"));
    ok(says(poy_array_read(ctx, x, &host), POY_ERR_UNSUPPORTED, "cannot be read back"), "nothing is read back");
    ok(is_spoiled("cannot be read back"), "which spoils it");
    MUST(poy_program_begin(ctx, be, "solver"));
    ok(says(poy_array_write(ctx, x, &one), POY_ERR_UNSUPPORTED, "cannot be written to"), "nor written");
    poy_program_cancel(ctx);
    MUST(poy_program_begin(ctx, be, "solver"));
    poy_array *carry[1] = {x};
    ok(says(poy_while(ctx, go_on, turn, NULL, 1, 1, carry, NULL), POY_ERR_UNSUPPORTED, "being recorded"),
       "no loop on data");
    int yes = 0;
    ok(says(poy_truth(ctx, x, &yes), POY_ERR_UNSUPPORTED, "being recorded"), "no branch");
    ok(says(poy_take_into(ctx, row, mask, 0, row), POY_ERR_UNSUPPORTED, "being recorded"), "no masks");
    ok(says(poy_eye(ctx, be, 2, 2, 0, POY_F64, &made), POY_ERR_UNSUPPORTED, "cannot be made") && !made,
       "nothing that is composed");
    ok(says(poy_cholesky(ctx, row, &made), POY_ERR_SHAPE, "cholesky") && !made, "other faults are told as ever");
    poy_program_cancel(ctx);
    poy_program_cancel(ctx); /* nothing is left to cancel */

    MUST(poy_program_begin(ctx, be, "solver"));
    ok(says(poy_add_into(ctx, x, row, y), POY_ERR_SHAPE, "the output has shape"), "a call with a fault");
    ok(poy_add_into(ctx, x, y, y) == POY_OK, "and a good one behind it");
    ok(is_spoiled("the output has shape"), "make no program");

    ok(poy_add_into(ctx, x, y, y) == POY_OK && poy_array_read(ctx, y, &host) == POY_OK && host == 2 * number(0),
       "calls are done again afterwards");
    MUST(poy_program_begin(ctx, be, "empty"));
    ok(poy_program_end(ctx, &p) == POY_OK && poy_program_rows(p) == 0 && poy_program_run(ctx, p, 3) == POY_OK,
       "a program of nothing does nothing");
    ok(says(poy_program_run(ctx, p, -1), POY_ERR_ARGUMENT, "-1 times"), "but not a negative number of times");
    MUST(poy_program_begin(ctx, be, "outer"));
    ok(says(poy_program_run(ctx, p, 1), POY_ERR_UNSUPPORTED, "a program cannot be run"), "no program in a program");
    poy_program_cancel(ctx);
    poy_program_destroy(&p);
    poy_program_destroy(&p);
    poy_array *const all[] = {x, y, row, mask};
    for (int i = 0; i < 4; i++) {
        poy_array *a = all[i];
        poy_array_destroy(&a);
    }
}

/* ---- other backends, contexts, engines; rows that fail ---- */

static void others(void)
{
    const char *const name = strcmp(poy_backend_name(be), "ref") ? "ref" : "cpu";
    const int64_t n = 3;
    int64_t place = 1;
    double host[3];
    poy_ctx *sister = NULL, *stranger = NULL;
    poy_backend *other = NULL, *mine = be, *strange = NULL;
    poy_array *x = numbers(POY_F64, 1, &n), *index = vector_of(POY_I64, 1, &place), *one = NULL;
    poy_program *p = NULL;
    MUST(poy_array_create(ctx, be, POY_F64, 1, &(int64_t){1}, &one));
    MUST(poy_backend_open(ctx, name, &other));
    be = other;
    poy_array *there = numbers(POY_F64, 1, &n);
    be = mine;

    MUST(poy_program_begin(ctx, be, "solver"));
    ok(says(poy_neg_into(ctx, there, there), POY_ERR_BACKEND, "the arrays are on"), "one backend a program");
    poy_program_cancel(ctx);

    MUST(poy_ctx_fork(ctx, &sister));
    MUST(poy_ctx_create(&stranger));
    MUST(poy_backend_open(stranger, poy_backend_name(be), &strange));
    ok(says(poy_program_begin(ctx, strange, "solver"), POY_ERR_MISMATCH, "another engine"), "of this engine");
    MUST(poy_program_begin(ctx, be, "solver"));
    MUST(poy_neg_into(ctx, x, x));
    ok(poy_neg_into(sister, x, x) == POY_OK && poy_array_read(sister, x, host) == POY_OK && host[1] == -number(1),
       "other contexts go on computing");
    MUST(poy_take_into(ctx, x, index, 0, one));
    MUST(poy_program_end(ctx, &p));
    ok(poy_program_run(sister, p, 1) == POY_OK && poy_array_read(ctx, one, host) == POY_OK && host[0] == number(1),
       "and run what was recorded");
    ok(poy_program_run(stranger, p, 1) == POY_ERR_MISMATCH, "but not those of another engine");
    place = 7;
    MUST(poy_array_write(ctx, index, &place));
    ok(says(poy_program_run(ctx, p, 1), POY_ERR_INDEX, "in poy_program_run"), "a place out of range is found in a run");
    place = 0;
    MUST(poy_array_write(ctx, index, &place));
    ok(poy_program_run(ctx, p, 1) == POY_OK, "which can be mended");
    poy_array_destroy(&x);
    poy_array_destroy(&index);
    poy_array_destroy(&one);
    ok(poy_program_run(ctx, p, 1) == POY_OK, "the program has the last hold on its arrays");
    MUST(poy_program_begin(sister, be, "left"));
    poy_ctx_destroy(&sister); /* while it records */
    poy_program_destroy(&p);
    poy_array_destroy(&there);
    poy_backend_close(&strange);
    poy_backend_close(&other);
    poy_ctx_destroy(&stranger);
}

static void test(void)
{
    note("on %s", poy_backend_name(be));
    everything();
    solver_loop();
    operators();
    fixed_loop();
    refusals();
    others();
}

int main(void)
{
    return on_each_backend(test);
}

/* test_linop.c: operators: adjoints in every metric, the lazy algebra, blocks, fusing, no allocation once warm. */
#include "poynting/solve.h"
#include "unit/operator_fixture.h"

static int own_scratch; /* the backend's transform takes memory of its own while it runs */

/* The adjoint identity at 32 n u, a batch against a loop, no allocation in a second application, (A#)# = A. */
static void laws(const char *name, poy_linop *a)
{
    poy_space *from = poy_linop_domain(a), *to = poy_linop_codomain(a);
    const int64_t n = poy_space_size(from) > poy_space_size(to) ? poy_space_size(from) : poy_space_size(to);
    double worst = (double)NAN;
    poy_work *w = NULL;
    poy_linop *h = NULL, *hh = NULL;
    poy_array *x = random_of(from, 1), *y = zeros_of(to), *y2 = zeros_of(to);

    MUST(poy_dottest(ctx, a, 11, 3, &worst));
    ok(worst <= 32 * (double)n * eps(), "%s %s %s: <A x, y> = <x, A# y>, %.2g u n", backend_name, poy_dtype_name(dtype),
       name, worst / eps() / (double)n);
    MUST(poy_linop_adjoint(ctx, a, &h));
    MUST(poy_linop_adjoint(ctx, h, &hh));
    MUST(poy_dottest(ctx, h, 12, 1, &worst));
    ok(worst <= 32 * (double)n * eps(), "%s: its adjoint, too", name);
    MUST(poy_apply(ctx, a, NULL, x, y));
    MUST(poy_apply(ctx, hh, NULL, x, y2));
    ok(distance(y2, y) == 0, "%s: (A#)# = A", name);

    size_t bytes = 0;
    MUST(poy_work_create(ctx, be, &w));
    MUST(poy_linop_workspace(ctx, a, w, &bytes));
    const uint64_t before = poy_ctx_allocations(ctx);
    MUST(poy_apply(ctx, a, w, x, y));
    MUST(poy_adjoint_apply(ctx, a, w, y, x));
    ok((poy_ctx_allocations(ctx) == before || own_scratch) && bytes == poy_work_bytes(w),
       "%s: warm, with %zu bytes, it allocates nothing", name, bytes);

    int64_t ex[POY_RANK_MAX], ey[POY_RANK_MAX];
    const int rx = poyi_space_shape(from, 3, ex), ry = poyi_space_shape(to, 3, ey);
    poy_array *bx = random_array(3, rx, ex), *by = random_array(4, ry, ey), *bz = random_array(5, rx, ex);
    MUST(poy_apply(ctx, a, w, bx, by));
    MUST(poy_adjoint_apply(ctx, a, w, by, bz));
    double apart = 0;
    for (int64_t i = 0; i < 3; i++) {
        const poy_array xi = poyi_member(bx, i), yi = poyi_member(by, i), zi = poyi_member(bz, i);
        MUST(poy_apply(ctx, a, w, &xi, y));
        apart = fmax(apart, distance(&yi, y));
        MUST(poy_adjoint_apply(ctx, a, w, &yi, x));
        apart = fmax(apart, distance(&zi, x));
    }
    ok(apart <= 32 * (double)n * eps(), "%s: a batch is a loop", name);
    poy_array *arrays[] = {x, y, y2, bx, by, bz};
    for (int i = 0; i < 6; i++)
        poy_array_destroy(&arrays[i]);
    poy_linop_destroy(&h);
    poy_linop_destroy(&hh);
    poy_work_destroy(&w);
}

static poy_linop *dense_of(uint64_t seed, poy_space *from, poy_space *to)
{
    const int64_t shape[2] = {poy_space_size(to), poy_space_size(from)};
    poy_array *a = random_array(seed, 2, shape);
    poy_linop *op = NULL;
    MUST(poy_linop_dense(ctx, a, from, to, &op));
    poy_array_destroy(&a);
    return op;
}

/* Batches of a matrix that equals its transpose go without transposing, of one that is only near to it not. */
static void transposes(poy_space *s)
{
    enum { N = 6 };
    const int64_t shape[2] = {N, N};
    for (int near = 0; near < 2; near++) {
        z m[N * N];
        poy_linop *op = NULL;
        for (uint64_t i = 0; i < N * N; i++)
            m[i] = random_value(45, i) + random_value(45, i % N * N + i / N);
        m[1] *= near ? 1 + 1e-6 : 1;
        poy_array *a = array_of(2, shape, m);
        MUST(poy_linop_dense(ctx, a, s, s, &op));
        ok(op->symmetric == !near, "a matrix that %s its transpose", near ? "is near to" : "equals");
        laws(near ? "nearly symmetric" : "symmetric", op);
        poy_linop_destroy(&op);
        poy_array_destroy(&a);
    }
}

/* A = [[1, 2], [0, 1]] with weights [2, 5]: A# [1, 2] = [1, 2.8]; and a golden case with two metrics. */
static void closed_forms(void)
{
    const int64_t two[2] = {2, 2}, three[2] = {3, 3};
    const double w[2] = {2, 5}, wx[3] = {1, 2, 4}, wy[3] = {1, 2, 4};
    const z a[4] = {1, 2, 0, 1}, y[2] = {1, 2}, want[2] = {1, 2.8};
    const z b[9] = {2, 1, 0, 0, 1, 3, 1, 0, 1}, ones[3] = {1, 1, 1}, golden[3] = {6, 1.5, 2.5};
    poy_space *s = weighted_space(2, w), *x3 = weighted_space(3, wx), *y3 = weighted_space(3, wy);
    poy_array *aa = array_of(2, two, a), *ay = vector_of(2, y), *aw = vector_of(2, want), *out = zeros_of(s);
    poy_array *ab = array_of(2, three, b), *a1 = vector_of(3, ones), *ag = vector_of(3, golden), *out3 = zeros_of(x3);
    poy_linop *op = NULL, *op3 = NULL;
    MUST(poy_linop_dense(ctx, aa, s, s, &op));
    MUST(poy_adjoint_apply(ctx, op, NULL, ay, out));
    ok(distance(out, aw) <= 2 * eps(), "A# [1, 2] = [1, 2.8] with weights [2, 5]");
    ok(poy_linop_hermitian(op) == POY_NO, "and A is not Hermitian");
    MUST(poy_linop_dense(ctx, ab, x3, y3, &op3));
    MUST(poy_adjoint_apply(ctx, op3, NULL, a1, out3));
    ok(distance(out3, ag) <= 2 * eps(), "golden linop_dense_rapply");
    poy_array *arrays[] = {aa, ay, aw, out, ab, a1, ag, out3};
    for (int i = 0; i < 8; i++)
        poy_array_destroy(&arrays[i]);
    poy_linop_destroy(&op);
    poy_linop_destroy(&op3);
    poy_space_destroy(&s);
    poy_space_destroy(&x3);
    poy_space_destroy(&y3);
}

/* Differences along a line, a caller's: y[i] = x[i + 1] - x[i], the last one -x[i]. */
static poy_status difference(poy_ctx *c, void *user, const poy_array *x, poy_array *y)
{
    z *v = NULL;
    (void)user;
    poy_status status = poyi_dense_read(c, x, &v);
    const int64_t n = poy_array_size(x);
    for (int64_t i = 0; status == POY_OK && i < n; i++)
        v[i] = (i + 1 < n ? v[i + 1] : 0) - v[i];
    if (status == POY_OK)
        status = poyi_dense_write(c, y, v);
    free(v);
    return status;
}

static poy_status difference_adjoint(poy_ctx *c, void *user, const poy_array *x, poy_array *y)
{
    z *v = NULL;
    (void)user;
    poy_status status = poyi_dense_read(c, x, &v);
    for (int64_t i = poy_array_size(x) - 1; status == POY_OK && i >= 0; i--)
        v[i] = (i ? v[i - 1] : 0) - v[i];
    if (status == POY_OK)
        status = poyi_dense_write(c, y, v);
    free(v);
    return status;
}

static poy_status refuse(poy_ctx *c, void *user, const poy_array *x, poy_array *y)
{
    (void)c;
    (void)user;
    (void)x;
    (void)y;
    return POY_ERR_DEVICE;
}

static void callers(poy_space *s)
{
    poy_linop *op = NULL;
    poy_linop_user user = {sizeof user, difference, difference_adjoint, NULL, NULL, POY_LINOP_COORDINATE};
    MUST(poy_linop_create(ctx, s, s, &user, &op));
    laws("user", op);
    poy_linop_destroy(&op);
    user.flags = 0;
    ok(poy_linop_create(ctx, s, s, &user, &op) == POY_ERR_ARGUMENT && !op, "an adjoint of no kind is refused");
    user.adjoint = NULL;
    user.flags = POY_LINOP_COORDINATE;
    ok(poy_linop_create(ctx, s, s, &user, &op) == POY_ERR_ARGUMENT && !op, "an operator without an adjoint is refused");
    user = (poy_linop_user){sizeof user, difference, difference, NULL, NULL, POY_LINOP_COORDINATE};
    double worst = 0;
    MUST(poy_linop_create(ctx, s, s, &user, &op));
    MUST(poy_dottest(ctx, op, 1, 2, &worst));
    ok(worst > 1e-3, "a wrong adjoint is found: %.2g", worst);
    poy_linop_destroy(&op);
    user.apply = refuse;
    poy_array *x = zeros_of(s), *y = zeros_of(s);
    MUST(poy_linop_create(ctx, s, s, &user, &op));
    ok(poy_apply(ctx, op, NULL, x, y) == POY_ERR_DEVICE && strstr(poy_ctx_message(ctx), "caller's operator"),
       "a failure of the caller's comes through");
    poy_array_destroy(&x);
    poy_array_destroy(&y);
    poy_linop_destroy(&op);
}

/* op against the matrix of another, applied. */
static void equal_operators(const char *name, poy_linop *a, poy_linop *b)
{
    poy_array *ma = NULL, *mb = NULL;
    MUST(poy_linop_matrix(ctx, a, &ma));
    MUST(poy_linop_matrix(ctx, b, &mb));
    ok(distance(ma, mb) <= 64 * eps() * (double)poy_space_size(poy_linop_domain(a)), "%s", name);
    poy_array_destroy(&ma);
    poy_array_destroy(&mb);
}

static void algebra(poy_space *x, poy_space *y)
{
    const poy_scalar two = {2, 0}, half = {0.5, 0}, zero = {0, 0}, turn = {0.5, is_complex() ? 1.5 : 0};
    poy_linop *a = dense_of(1, x, y), *b = dense_of(2, x, y), *c = dense_of(3, y, x), *id = NULL, *nil = NULL,
              *s = NULL, *t = NULL, *p = NULL, *f = NULL, *ah = NULL;
    MUST(poy_linop_identity(ctx, x, &id));
    MUST(poy_linop_scale(ctx, zero, a, &nil));
    ok(!strcmp(poy_linop_kind(nil), "zero"), "0 A is the zero operator");
    MUST(poy_linop_scale(ctx, two, a, &s));
    MUST(poy_linop_scale(ctx, half, s, &t));
    ok(t == a, "1/2 (2 A) is A itself");
    poy_linop_destroy(&t);
    poy_linop *const terms[3] = {s, nil, b};
    MUST(poy_linop_sum(ctx, 3, terms, &t));
    ok(t->n_ops == 2, "zeros leave a sum");
    laws("sum", t);
    poy_linop *const factors[3] = {c, t, id};
    MUST(poy_linop_compose(ctx, 3, factors, &p));
    ok(p->n_ops == 2, "identities leave a chain");
    laws("chain", p);
    MUST(poy_linop_fuse(ctx, p, 0, &f));
    ok(!strcmp(poy_linop_kind(f), "dense"), "a dense chain fuses into one matrix");
    equal_operators("which is equal", f, p);
    laws("fused", f);
    poy_linop_destroy(&f);
    MUST(poy_linop_fuse(ctx, p, 1, &f));
    equal_operators("materialised, too", f, p);
    poy_linop_destroy(&f);
    poy_linop_destroy(&p);
    poy_linop *const through_zero[2] = {c, nil};
    MUST(poy_linop_compose(ctx, 2, through_zero, &p));
    ok(!strcmp(poy_linop_kind(p), "zero"), "a zero absorbs a chain");
    poy_linop_destroy(&p);
    MUST(poy_linop_adjoint(ctx, a, &ah));
    poy_linop *const square[2] = {ah, a};
    MUST(poy_linop_compose(ctx, 2, square, &p));
    ok(poy_linop_hermitian(p) == POY_UNKNOWN || poy_linop_hermitian(p) == POY_YES,
       "A# A is not known not to be Hermitian");
    poy_linop_destroy(&p);
    ok(poy_linop_compose(ctx, 2, (poy_linop *const[]){a, b}, &p) == POY_ERR_MISMATCH && !p, "spaces have to fit");
    poy_linop *turned = NULL;
    MUST(poy_linop_scale(ctx, turn, a, &turned));
    laws("scaled", turned);
    poy_linop *all[] = {a, b, c, id, nil, s, t, ah, turned};
    for (int i = 0; i < 9; i++)
        poy_linop_destroy(&all[i]);
}

static poy_status turn(poy_ctx *c, void *user, const poy_array *x, poy_array *y)
{
    (void)user;
    return poy_copy_into(c, x, y);
}

/* What is known of p: Hermitian, positive, unitary. p is destroyed. */
static void known(const char *name, poy_linop *p, poy_answer hermitian, poy_answer positive, poy_answer unitary)
{
    ok(poy_linop_hermitian(p) == hermitian && poy_linop_positive(p) == positive && poy_linop_unitary(p) == unitary,
       "%s: Hermitian %d, positive %d, unitary %d (0 no, 1 yes, 2 unknown)", name, poy_linop_hermitian(p),
       poy_linop_positive(p), poy_linop_unitary(p));
    poy_linop_destroy(&p);
}

static poy_linop *diagonal_of(poy_space *s, double first, double others)
{
    poy_scalar *numbers = calloc((size_t)poy_space_size(s), sizeof *numbers);
    poy_array *d = zeros_of(s);
    poy_linop *op = NULL;
    for (int64_t i = 0; i < poy_space_size(s); i++)
        numbers[i].re = i ? others : first;
    MUST(poyi_write_scalars(ctx, d, poy_space_size(s), numbers));
    MUST(poy_linop_diagonal(ctx, d, s, &op));
    poy_array_destroy(&d);
    free(numbers);
    return op;
}

static poy_linop *chain_of(int n, poy_linop *a, poy_linop *b, poy_linop *c)
{
    poy_linop *const ops[3] = {a, b, c};
    poy_linop *p = NULL;
    MUST(poy_linop_compose(ctx, n, ops, &p));
    return p;
}

static poy_linop *scaled_by(double re, poy_linop *a)
{
    poy_linop *p = NULL;
    MUST(poy_linop_scale(ctx, (poy_scalar){re, 0}, a, &p));
    return p;
}

static void facts(poy_space *x, poy_space *y, poy_space *flat)
{
    const poy_answer NO = POY_NO, YES = POY_YES, ASK = POY_UNKNOWN;
    poy_linop *a = dense_of(61, x, y), *ah = NULL, *p = NULL, *id = NULL, *u = NULL, *uh = NULL;
    poy_linop *good = diagonal_of(x, 0, 3), *bad = diagonal_of(x, -1, 3), *signs = diagonal_of(flat, -1, 1);
    const poy_linop_user user = {sizeof user, turn, turn, NULL, NULL, POY_LINOP_COORDINATE | POY_LINOP_UNITARY};
    const poy_linop_user wrong = {sizeof user, turn, turn, NULL, NULL, POY_LINOP_METRIC | POY_LINOP_UNITARY};
    MUST(poy_linop_adjoint(ctx, a, &ah));
    MUST(poy_linop_identity(ctx, x, &id));
    MUST(poy_linop_create(ctx, flat, flat, &user, &u));
    MUST(poy_linop_adjoint(ctx, u, &uh));
    ok(poy_linop_create(ctx, x, y, &wrong, &p) == POY_ERR_MISMATCH && !p, "nothing unitary leads to another size");
    known("1", poy_linop_keep(id), YES, YES, YES);
    MUST(poy_linop_zero(ctx, x, x, &p));
    known("0", p, YES, YES, NO);
    known("A from x to y", poy_linop_keep(a), NO, NO, NO);
    known("diag(0, 3)", poy_linop_keep(good), YES, YES, NO);
    known("diag(-1, 3)", poy_linop_keep(bad), YES, NO, NO);
    known("diag(-1, 1)", poy_linop_keep(signs), YES, NO, YES);
    known("A# A", chain_of(2, ah, a, NULL), YES, YES, ASK);
    known("A P A#", chain_of(3, a, good, ah), YES, YES, ASK);
    known("A diag(-1, 3) A#", chain_of(3, a, bad, ah), YES, ASK, ASK);
    known("2 diag(0, 3)", scaled_by(2, good), YES, YES, ASK);
    known("-diag(0, 3)", scaled_by(-1, good), YES, ASK, ASK);
    known("2 diag(-1, 3)", scaled_by(2, bad), YES, NO, ASK);
    known("-U", scaled_by(-1, u), ASK, ASK, YES);
    known("2 U", scaled_by(2, u), ASK, ASK, NO);
    known("U#", poy_linop_keep(uh), ASK, ASK, YES);
    known("U diag(-1, 1)", chain_of(2, u, signs, NULL), ASK, ASK, YES);
    MUST(poy_linop_sum(ctx, 2, (poy_linop *const[]){good, id}, &p));
    known("diag(0, 3) + 1", p, YES, YES, ASK);
    MUST(poy_linop_sum(ctx, 2, (poy_linop *const[]){good, bad}, &p));
    known("diag(0, 3) + diag(-1, 3)", p, YES, ASK, ASK);

    p = chain_of(2, uh, u, NULL);
    ok(!strcmp(poy_linop_kind(p), "identity"), "U# U is the identity");
    poy_linop_destroy(&p);
    p = chain_of(3, u, uh, signs);
    ok(p == signs, "U U# D is D");
    poy_linop_destroy(&p);
    p = chain_of(2, ah, a, NULL);
    ok(!strcmp(poy_linop_kind(p), "composed"), "A# A stays, of an A that is not known to be unitary");
    poy_linop_destroy(&p);

    poy_space *pair = NULL;
    MUST(poy_space_product(ctx, 2, (poy_space *const[]){x, flat}, NULL, &pair));
    MUST(poy_linop_block_diagonal(ctx, pair, pair, (poy_linop *const[]){good, NULL}, &p));
    known("diag(P, 0)", p, YES, YES, ASK);
    MUST(poy_linop_block_diagonal(ctx, pair, pair, (poy_linop *const[]){bad, NULL}, &p));
    known("diag(diag(-1, 3), 0)", p, YES, NO, ASK);
    MUST(poy_linop_block_diagonal(ctx, pair, pair, (poy_linop *const[]){id, signs}, &p));
    known("diag(1, diag(-1, 1))", p, YES, NO, YES);

    poy_array *b = random_of(x, 3), *out = zeros_of(x);
    poy_solve_result r;
    ok(poy_cg(ctx, bad, b, NULL, out, &r) == POY_ERR_NOT_PD && r.reason == POY_REASON_NEGATIVE_CURVATURE && !r.applies,
       "cg does not try what is known not to be positive");
    poy_array_destroy(&b);
    poy_array_destroy(&out);
    poy_space_destroy(&pair);
    poy_linop *all[] = {a, ah, id, u, uh, good, bad, signs};
    for (int i = 0; i < 8; i++)
        poy_linop_destroy(&all[i]);
}

static void blocks(poy_space *x, poy_space *y)
{
    poy_space *from = NULL, *to = NULL;
    poy_space *const pair[2] = {x, y}, *const triple[3] = {y, x, y};
    MUST(poy_space_product(ctx, 2, pair, NULL, &from));
    MUST(poy_space_product(ctx, 3, triple, NULL, &to));
    poy_linop *xy = dense_of(21, x, y), *yx = dense_of(22, y, x), *yy = dense_of(23, y, y), *op = NULL, *h = NULL;
    poy_linop *const ops[6] = {xy, yy, NULL, yx, NULL, NULL};
    MUST(poy_linop_block(ctx, from, to, ops, &op));
    laws("block", op);
    poy_linop_destroy(&op);
    poy_linop *const diagonal[2] = {NULL, yy};
    MUST(poy_linop_block_diagonal(ctx, from, from, diagonal, &op));
    laws("block-diagonal", op);
    poy_linop_destroy(&op);
    MUST(poy_linop_adjoint(ctx, xy, &h));
    poy_linop *const hermitian[4] = {NULL, h, xy, NULL};
    MUST(poy_linop_block(ctx, from, from, hermitian, &op));
    ok(poy_linop_hermitian(op) == POY_YES, "[[0, A#], [A, 0]] is Hermitian");
    laws("hermitian block", op);
    poy_linop *all[] = {xy, yx, yy, op, h};
    for (int i = 0; i < 5; i++)
        poy_linop_destroy(&all[i]);
    poy_space_destroy(&from);
    poy_space_destroy(&to);
}

/* A sparse matrix of a format, of about a third of the entries of dense [rows, columns], which is thinned; some of them
 * stand twice, as halves. */
static poy_sparse *sparse_of(poy_sparse_format format, int64_t rows, int64_t columns, z *dense)
{
    int64_t n = 0;
    int32_t row[128], column[128];
    z value[128];
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            z *a = &dense[i * columns + j];
            const int twice = (i + j) % 2 != 0;
            if ((i * columns + j) % 3 && i != j)
                *a = 0;
            for (int k = 0; *a != 0 && k <= twice; k++, n++) {
                row[n] = (int32_t)i;
                column[n] = (int32_t)j;
                value[n] = twice ? *a / 2 : *a;
            }
        }
    poy_array *r = NULL, *c = NULL, *v = vector_of(n, value);
    poy_sparse *triples = NULL, *a = NULL;
    MUST(poy_array_create(ctx, be, POY_I32, 1, &n, &r));
    MUST(poy_array_create(ctx, be, POY_I32, 1, &n, &c));
    MUST(poy_array_write(ctx, r, row));
    MUST(poy_array_write(ctx, c, column));
    MUST(poy_sparse_create(ctx, POY_SPARSE_COO, rows, columns, r, c, v, &triples));
    MUST(poy_sparse_convert(ctx, triples, format, &a));
    poy_sparse_destroy(&triples);
    poy_array_destroy(&r);
    poy_array_destroy(&c);
    poy_array_destroy(&v);
    return a;
}

static void sparse_between(const char *name, poy_sparse_format format, poy_space *from, poy_space *to)
{
    const int64_t shape[2] = {poy_space_size(to), poy_space_size(from)};
    poy_array *full = random_array(51, 2, shape), *matrix = NULL;
    z *dense = values_of(full);
    poy_sparse *a = sparse_of(format, shape[0], shape[1], dense);
    poy_array *want = array_of(2, shape, dense);
    poy_linop *op = NULL;
    MUST(poy_linop_sparse(ctx, a, from, to, &op));
    poy_sparse_destroy(&a); /* the operator has its own handle */
    laws(name, op);
    MUST(poy_linop_matrix(ctx, op, &matrix));
    ok(distance(matrix, want) <= 2 * eps(), "%s: its matrix", name);
    free(dense);
    poy_array_destroy(&full);
    poy_array_destroy(&matrix);
    poy_array_destroy(&want);
    poy_linop_destroy(&op);
}

/* Hermitian where W A is; a real matrix on complex spaces; what does not fit. */
static void sparse(poy_space *x, poy_space *y, poy_space *plane)
{
    static const char *const names[] = {"sparse, triples", "sparse rows", "sparse columns"};
    for (int f = 0; f < 3; f++) {
        sparse_between(names[f], (poy_sparse_format)f, x, y);
        sparse_between(names[f], (poy_sparse_format)f, plane, plane);
    }
    z line[25];
    for (int i = 0; i < 25; i++)
        line[i] = i % 6 == 0 ? 3 : abs(i / 5 - i % 5) == 1 ? (z)-1 / x->weights[i / 5] : 0;
    const int64_t square[2] = {5, 5};
    poy_array *dense = array_of(2, square, line), *wide = NULL;
    poy_sparse *a = NULL, *b = NULL;
    poy_linop *op = NULL;
    MUST(poy_sparse_from_dense(ctx, dense, POY_SPARSE_CSR, &a));
    MUST(poy_linop_sparse(ctx, a, x, x, &op));
    ok(poy_linop_hermitian(op) == POY_YES, "a sparse matrix is Hermitian in the weights that make it so");
    poy_linop_destroy(&op);
    poy_space *flat = dense_space(5);
    MUST(poy_linop_sparse(ctx, a, flat, flat, &op));
    ok(poy_linop_hermitian(op) == POY_NO, "and without them it is not");
    poy_linop_destroy(&op);
    ok(poy_linop_sparse(ctx, a, x, y, &op) == POY_ERR_SHAPE && !op, "a matrix of another shape is refused: %s",
       poy_ctx_cause(ctx));
    MUST(poy_copy(ctx, dense, POY_C128, &wide));
    MUST(poy_sparse_from_dense(ctx, wide, POY_SPARSE_CSR, &b));
    ok(dtype == POY_C128 || (poy_linop_sparse(ctx, b, flat, flat, &op) == POY_ERR_DTYPE && !op),
       "a matrix that leads out of the element type is refused");
    poy_sparse_destroy(&b);
    if (is_complex()) {
        poy_array *re = NULL;
        MUST(poy_real(ctx, dense, &re));
        MUST(poy_sparse_from_dense(ctx, re, POY_SPARSE_CSR, &b));
        MUST(poy_linop_sparse(ctx, b, flat, flat, &op));
        laws("a real sparse matrix", op);
        poy_linop_destroy(&op);
        poy_array_destroy(&re);
    }
    poy_sparse_destroy(&a);
    poy_sparse_destroy(&b);
    poy_array_destroy(&dense);
    poy_array_destroy(&wide);
    poy_space_destroy(&flat);
}

static void transforms(poy_space *plane)
{
    poy_linop *f = NULL, *h = NULL;
    if (!is_complex()) {
        ok(poy_linop_fft(ctx, plane, 0, -1, 1, &f) == POY_ERR_DTYPE, "the transform of a real space is refused");
        return;
    }
    own_scratch = 1; /* for lines that are not the last axis, and in ref always */
    MUST(poy_linop_fft(ctx, plane, 0, -1, 0.5, &f));
    laws("fft", f);
    own_scratch = !strcmp(backend_name, "ref");
    poy_linop_destroy(&f);
    poy_space *from = dense_space(5), *to = dense_space(8);
    const int64_t n = 12, shape[2] = {8, 5};
    poy_array *a = random_array(31, 1, &n), *m = NULL;
    z *v = values_of(a), dense[40];
    MUST(poy_linop_hankel(ctx, a, from, to, &h));
    laws("hankel", h);
    own_scratch = 0;
    MUST(poy_linop_matrix(ctx, h, &m));
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 5; j++)
            dense[5 * i + j] = v[i + j];
    poy_array *want = array_of(2, shape, dense);
    ok(distance(m, want) <= 64 * eps(), "hankel: its matrix has h[i + j]");
    free(v);
    poy_array_destroy(&a);
    poy_array_destroy(&m);
    poy_array_destroy(&want);
    poy_linop_destroy(&h);
    poy_space_destroy(&from);
    poy_space_destroy(&to);
}

static void test(void)
{
    const double w5[5] = {2, 5, 0.25, 1, 3}, w4[4] = {1, 3, 0.5, 2};
    const int64_t shape[2] = {3, 4};
    poy_space *x = weighted_space(5, w5), *y = weighted_space(4, w4), *flat = dense_space(6), *plane = NULL;
    MUST(poy_space_dense(ctx, be, dtype, 2, shape, &plane));
    closed_forms();
    poy_linop *dense = dense_of(41, x, y), *plain = dense_of(42, flat, flat), *wide = dense_of(43, plane, y), *d = NULL;
    laws("dense", dense);
    laws("plain", plain);
    transposes(flat);
    laws("plane", wide);
    poy_array *diagonal = random_array(44, 1, shape + 1);
    MUST(poy_linop_diagonal(ctx, diagonal, plane, &d));
    laws("diagonal", d);
    ok(poy_linop_hermitian(d) == (is_complex() ? POY_NO : POY_YES), "a diagonal is Hermitian where it is real");
    callers(x);
    algebra(x, y);
    facts(x, y, flat);
    blocks(x, y);
    sparse(x, y, plane);
    transforms(plane);
    poy_array_destroy(&diagonal);
    poy_linop_destroy(&dense);
    poy_linop_destroy(&plain);
    poy_linop_destroy(&wide);
    poy_linop_destroy(&d);
    poy_space_destroy(&x);
    poy_space_destroy(&y);
    poy_space_destroy(&flat);
    poy_space_destroy(&plane);
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

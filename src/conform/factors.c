/* factors.c: what operations of linear algebra make, and what holds of all of it whatever the algorithm: the product of the
 * factors, orthonormal columns, triangles, orders, the gauge. The oracle knows one of the outputs by itself. */
#include <stdio.h>

#include "conform/oracle.h"
#include "poynting/linalg.h"

enum { OUTPUTS = 3, ORDER_MAX = 33 };

/* ---- the calls ---- */

/* *made [OUTPUTS]: in the order of the function's arguments, NULL where it is not asked for; returns the place of the one that the
 * oracle knows through main. */
static poy_status make(poy_ctx *ctx, const poyi_case *c, poy_array *const *in, poy_array **made, int *main)
{
    const int all = c->index % 2;
    *main = c->op == POYI_OP_lu || c->op == POYI_OP_qr || c->op == POYI_OP_svd;
    switch (c->op) {
    case POYI_OP_solve: return poy_solve(ctx, in[0], in[1], &made[0]);
    case POYI_OP_cholesky: return poy_cholesky(ctx, in[0], &made[0]);
    case POYI_OP_lu: return poy_lu(ctx, in[0], &made[0], &made[1], &made[2]);
    case POYI_OP_qr: return poy_qr(ctx, in[0], &made[0], &made[1]);
    case POYI_OP_eig: return poy_eig(ctx, in[0], &made[0], all ? &made[1] : NULL);
    case POYI_OP_eigh: return poy_eigh(ctx, in[0], &made[0], all ? &made[1] : NULL);
    default: return poy_svd(ctx, in[0], c->index % 3 == 0, all ? &made[0] : NULL, &made[1], all ? &made[2] : NULL);
    }
}

/* ---- matrices of a stack ---- */

/* An output in host memory: matrix after matrix. */
typedef struct part {
    poy_dtype dtype;
    int64_t rows, columns;
    void *bytes;
} part;

static poy_status read_part(poy_ctx *ctx, const poy_array *a, int is_vector, part *p)
{
    p->dtype = a->dtype;
    p->columns = a->extent[a->rank - 1];
    p->rows = is_vector || a->rank < 2 ? 1 : a->extent[a->rank - 2];
    POYI_TRY(ctx, poyi_alloc(ctx, "conform", (size_t)a->size * poy_dtype_size(a->dtype), &p->bytes));
    POYI_TRY(ctx, poy_array_read(ctx, a, p->bytes));
    return POY_OK;
}

typedef struct check {
    const poyi_case *c;
    const part *part;
    int64_t batch, m, n, k; /* of the matrices, k the smaller */
    long double unit;       /* tol eps n: errors allowed are multiples of it */
    double worst;
    size_t size;
    char *text;
} check;

static extended at(const check *k, int which, int64_t i, int64_t j)
{
    const part *p = &k->part[which];
    return joined(poyi_wide_load(p->dtype, p->bytes, (k->batch * p->rows + i) * p->columns + j));
}

/* The matrix that was given; of a Hermitian one what is read of it. */
static extended given(const check *k, int64_t i, int64_t j)
{
    const poyi_operand *a = &k->c->operand[0];
    const int hermitian = k->c->op == POYI_OP_eigh || k->c->op == POYI_OP_cholesky, turned = hermitian && j > i;
    const int64_t index[3] = {k->batch, turned ? j : i, turned ? i : j};
    const extended z =
        joined(poyi_wide_load(a->dtype, a->bytes, poyi_operand_place(a, a->rank == 3 ? index : index + 1)));
    return !hermitian ? z : i == j ? (extended)creall(z) : turned ? conjl(z) : z;
}

static void hold(check *k, const char *what, int holds)
{
    if (!holds && !*k->text)
        snprintf(k->text, k->size, "matrix %lld: %s", (long long)k->batch, what);
}

static void meet(check *k, const char *what, long double error, long double allowed)
{
    const double part_of = error == 0 ? 0 : (double)(error / allowed);
    k->worst = part_of > k->worst ? part_of : k->worst;
    if (!(part_of <= 1) && !*k->text)
        snprintf(k->text, k->size, "matrix %lld: %s: %.3Lg where %.3Lg is allowed", (long long)k->batch, what, error,
                 allowed);
}

/* ---- what holds ---- */

/* Columns (or rows) of an output have norm 1; if orthogonal, they are so to each other: to so many units. */
static void check_basis(check *k, int which, int by_rows, int orthogonal, long double norm)
{
    const part *p = &k->part[which];
    const int64_t vectors = by_rows ? p->rows : p->columns, length = by_rows ? p->columns : p->rows;
    for (int64_t i = 0; i < vectors; i++)
        for (int64_t j = orthogonal ? 0 : i; j <= i; j++) {
            extended sum = 0;
            for (int64_t l = 0; l < length; l++)
                sum += by_rows ? at(k, which, i, l) * conjl(at(k, which, j, l))
                               : conjl(at(k, which, l, i)) * at(k, which, l, j);
            meet(k, "vectors are not orthonormal", cabsl(sum - (i == j ? 1 : 0)), k->unit * norm);
        }
}

/* An entry that is as large as any of its column is real and positive. */
static void check_gauge(check *k, int which, int64_t columns)
{
    const long double eps = is_single(k->c->dtype) ? 0x1p-23L : 0x1p-52L;
    for (int64_t j = 0; j < columns; j++) {
        long double largest = 0;
        int found = 0;
        for (int64_t i = 0; i < k->part[which].rows; i++)
            largest = fmaxl(largest, cabsl(at(k, which, i, j)));
        for (int64_t i = 0; i < k->part[which].rows && !found; i++) {
            const extended z = at(k, which, i, j);
            found = cabsl(z) >= (1 - 4 * eps) * largest && creall(z) > 0 && fabsl(cimagl(z)) <= 4 * eps * largest;
        }
        hold(k, "the largest entry of a column is not real and positive", found);
    }
}

/* Zeros on the other side of the diagonal; lower: ones on it, too, and nothing larger below: of complex numbers nothing larger
 * than the root of 2, since pivots may be the largest |re| + |im|, as BLAS has them. */
static void check_triangle(check *k, int which, int lower)
{
    const part *p = &k->part[which];
    const long double most = poy_dtype_is_complex(k->c->dtype) ? sqrtl(2) : 1;
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->columns; j++) {
            const extended z = at(k, which, i, j);
            if (lower ? j > i : j < i)
                hold(k, "a triangle has something on the other side", z == 0);
            else if (lower && i == j)
                hold(k, "the diagonal of l is not 1", z == 1);
            else if (lower)
                hold(k, "an entry of l is larger than its pivot allows", cabsl(z) <= most + k->unit);
        }
}

/* Of the matrix that was given: its largest sum of moduli in a row, and the root of the sum of their squares. */
static long double norm_of(const check *k, long double *frobenius)
{
    long double squares = 0, most = 0;
    for (int64_t i = 0; i < k->m; i++) {
        long double sum = 0;
        for (int64_t j = 0; j < k->n; j++) {
            const long double size = cabsl(given(k, i, j));
            sum += size;
            squares += size * size;
        }
        most = fmaxl(most, sum);
    }
    *frobenius = sqrtl(squares);
    return most;
}

/* The largest entry of |l| |u|: Higham (2002), theorem 9.3. */
static long double largest_product(const check *k)
{
    long double most = 0;
    for (int64_t i = 0; i < k->m; i++)
        for (int64_t j = 0; j < k->n; j++) {
            long double sum = 0;
            for (int64_t l = 0; l < k->k; l++)
                sum += cabsl(at(k, 0, i, l)) * cabsl(at(k, 1, l, j));
            most = fmaxl(most, sum);
        }
    return most;
}

/* l l^H against a, as large as it is in the norm that was taken: 4 n eps |a|. */
static void check_square_root(check *k)
{
    long double norm;
    norm_of(k, &norm);
    for (int64_t i = 0; i < k->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            extended sum = 0;
            for (int64_t l = 0; l <= j; l++)
                sum += at(k, 0, i, l) * conjl(at(k, 0, j, l));
            meet(k, "l l^H is another matrix", cabsl(sum - given(k, i, j)), k->unit * norm);
        }
}

/* |a x - b| <= 8 n eps |a| |x| in the maximum norm, column by column, whatever the condition number. */
static void check_residual(check *k)
{
    const poyi_operand *b = &k->c->operand[1];
    const int64_t columns = b->rank == 1 ? 1 : b->extent[1];
    const part *x = &k->part[0];
    long double frobenius;
    const long double norm = norm_of(k, &frobenius);
    for (int64_t j = 0; j < columns; j++) {
        long double largest = 0, residual = 0;
        for (int64_t i = 0; i < k->n; i++) {
            const int64_t index[2] = {i, j};
            extended left = -joined(poyi_wide_load(b->dtype, b->bytes, poyi_operand_place(b, index)));
            for (int64_t l = 0; l < k->n; l++)
                left +=
                    given(k, i, l) * joined(poyi_wide_load(x->dtype, x->bytes, (k->batch * k->n + l) * columns + j));
            residual = fmaxl(residual, cabsl(left));
            largest =
                fmaxl(largest, cabsl(joined(poyi_wide_load(x->dtype, x->bytes, (k->batch * k->n + i) * columns + j))));
        }
        meet(k, "a x is not b", residual, k->unit / 2 * norm * largest);
    }
}

/* Entries of what was given against the sum over l < inner of x_il s_l y_lj, s (-1: none) a vector of real ones; rows in the order
 * of perm (-1: as they are). */
static void check_product(check *k, int x, int s, int y, int perm, long double norm)
{
    for (int64_t i = 0; i < k->m; i++)
        for (int64_t j = 0; j < k->n; j++) {
            extended sum = 0;
            for (int64_t l = 0; l < k->k; l++)
                sum += at(k, x, i, l) * (s < 0 ? 1 : at(k, s, 0, l)) * at(k, y, l, j);
            const int64_t row = perm < 0 ? i : (int64_t)creall(at(k, perm, 0, i));
            meet(k, "the product of the factors is another matrix", cabsl(sum - given(k, row, j)), k->unit * norm);
        }
}

static void check_permutation(check *k, int which)
{
    unsigned char seen[ORDER_MAX] = {0};
    for (int64_t i = 0; i < k->m; i++) {
        const int64_t row = (int64_t)creall(at(k, which, 0, i));
        hold(k, "perm is no permutation", row >= 0 && row < k->m && !seen[row]);
        if (row < 0 || row >= k->m)
            return;
        seen[row] = 1;
    }
}

/* a v = v w, column by column, in the 2-norm, by the largest |w|, which is no larger than the norm of a; of a matrix that is far
 * from normal by its Frobenius norm, since all of its eigenvalues may be 0. */
static void check_eigenvectors(check *k)
{
    long double largest = 0;
    if (k->c->structure && k->c->op == POYI_OP_eig)
        norm_of(k, &largest);
    for (int64_t j = 0; j < k->n; j++)
        largest = fmaxl(largest, cabsl(at(k, 0, 0, j)));
    for (int64_t j = 0; j < k->n; j++) {
        long double squares = 0;
        for (int64_t i = 0; i < k->n; i++) {
            extended left = -at(k, 0, 0, j) * at(k, 1, i, j);
            for (int64_t l = 0; l < k->n; l++)
                left += given(k, i, l) * at(k, 1, l, j);
            squares += creall(left * conjl(left));
        }
        meet(k, "a v is not v w", sqrtl(squares), k->unit * largest);
    }
    check_basis(k, 1, 0, k->c->op == POYI_OP_eigh, 1);
    check_gauge(k, 1, k->n);
}

static void check_one(check *k)
{
    const int is_hard = k->c->structure != POYI_BY_CONSTRUCTION;
    long double norm;
    norm_of(k, &norm);
    switch (k->c->op) {
    case POYI_OP_solve: check_residual(k); break;
    case POYI_OP_cholesky: check_square_root(k); break;
    case POYI_OP_lu: /* |a| <= 1.35, and |l| |u| <= 3 by the choice of a: Higham (2002), theorem 9.3 */
        check_permutation(k, 2);
        if (*k->text)
            return;
        check_triangle(k, 0, 1);
        check_triangle(k, 1, 0);
        check_product(k, 0, -1, 1, 2, is_hard ? largest_product(k) : 3);
        break;
    case POYI_OP_qr: /* |q| |r| <= 3: Higham (2002), theorem 19.4 */
        check_triangle(k, 1, 0);
        for (int64_t i = 0; i < k->k; i++)
            hold(k, "the diagonal of r is not real, or negative",
                 creall(at(k, 1, i, i)) >= 0 && cimagl(at(k, 1, i, i)) == 0);
        check_basis(k, 0, 0, 1, 4); /* 8 n eps, as of eigh and svd */
        check_product(k, 0, -1, 1, -1, is_hard ? norm : 3);
        break;
    case POYI_OP_svd:
        check_basis(k, 0, 0, 1, 1);
        check_basis(k, 2, 1, 1, 1);
        check_gauge(k, 0, k->k);
        check_product(k, 0, 1, 2, -1, creall(at(k, 1, 0, 0)));
        break;
    default: check_eigenvectors(k);
    }
}

/* ---- all together ---- */

static poy_status check_all(poy_ctx *ctx, const poyi_case *c, poy_array *const *made, double *worst, size_t size,
                            char *text)
{
    poy_status status = POY_OK;
    const poyi_operand *a = &c->operand[0];
    part parts[OUTPUTS] = {{.bytes = NULL}};
    check k = {.c = c,
               .part = parts,
               .m = a->extent[a->rank - 2],
               .n = a->extent[a->rank - 1],
               .unit = c->allowance * poyi_row_tolerance((int)c->op, c->dtype) *
                       (is_single(c->dtype) ? 0x1p-23L : 0x1p-52L) * (long double)c->n,
               .size = size};
    k.text = text;
    k.k = k.m < k.n ? k.m : k.n;
    for (int i = 0; i < OUTPUTS && made[i]; i++) {
        const int is_vector = c->op == POYI_OP_lu    ? i == 2
                              : c->op == POYI_OP_svd ? i == 1
                                                     : (c->op == POYI_OP_eig || c->op == POYI_OP_eigh) && i == 0;
        POYI_TO_DONE(ctx, read_part(ctx, made[i], is_vector, &parts[i]));
    }
    for (const int64_t count = a->rank == 3 ? a->extent[0] : 1; k.batch < count && !*text; k.batch++)
        check_one(&k);
    *worst = k.worst;
done:
    for (int i = 0; i < OUTPUTS; i++)
        poyi_free(&parts[i].bytes);
    return status;
}

poy_status poyi_run_factors(poy_ctx *ctx, const poyi_case *c, poy_array *const *in, poy_array **out, double *worst,
                            size_t size, char *text)
{
    poy_array *made[OUTPUTS] = {NULL, NULL, NULL};
    int main = 0;
    *worst = 0;
    poy_status status = make(ctx, c, in, made, &main);
    const int is_alone =
        c->op == POYI_OP_solve || c->op == POYI_OP_cholesky; /* eigenvalues alone are known to the oracle */
    if (status == POY_OK && (is_alone || made[1 - main]) && c->operand[0].size)
        status = check_all(ctx, c, made, worst, size, text);
    if (status == POY_OK) {
        *out = made[main];
        made[main] = NULL;
    }
    for (int i = 0; i < OUTPUTS; i++)
        poy_array_destroy(&made[i]);
    return status;
}

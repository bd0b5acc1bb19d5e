/* matrices.c: cases of linear algebra: matrices whose solutions, factors and spectra are known by construction. What an
 * operation must not read is filled with what would spoil its result. */
#include <stdlib.h>

#include "conform/oracle.h"

enum { ORDER_MAX = 33 };

/* ---- shapes ---- */

void poyi_case_matrices(poyi_case *c, poyi_choice *choice)
{
    static const int orders[] = {1, 2, 3, 5, 8, 17, ORDER_MAX, 0};
    poyi_operand *a = &c->operand[0], *y;
    int n = orders[c->index % 8], batched = !poyi_choose(choice, 3), m = n;
    int solves = c->op == POYI_OP_solve, columns = 1 + poyi_choose(choice, 4), is_vector = !poyi_choose(choice, 3);

    c->creates = 1;
    c->n_in = solves ? 2 : 1;
    y = &c->operand[c->n_in];
    const int is_tall = c->op == POYI_OP_lu || c->op == POYI_OP_qr; /* or wide */
    if ((c->op == POYI_OP_svd || is_tall) && n)
        m = orders[poyi_choose(choice, 7)];
    if (batched)
        a->extent[a->rank++] = 3;
    a->extent[a->rank++] = m;
    a->extent[a->rank++] = n;
    a->dtype = y->dtype = c->dtype;
    if (batched)
        y->extent[y->rank++] = 3;
    if (is_tall) {
        y->extent[y->rank++] = m < n ? m : n;
        y->extent[y->rank++] = n;
    } else if (c->op == POYI_OP_eig) {
        y->dtype = c->dtype == POY_F32 || c->dtype == POY_C64 ? POY_C64 : POY_C128;
        y->extent[y->rank++] = n;
    } else if (c->op == POYI_OP_eigh || c->op == POYI_OP_svd) {
        y->dtype = poy_dtype_real(c->dtype);
        y->extent[y->rank++] = m < n ? m : n;
    } else {
        y->extent[y->rank++] = n;
        if (!solves || !is_vector)
            y->extent[y->rank++] = solves ? columns : n;
    }
    if (solves) {
        poyi_operand *b = &c->operand[1];
        b->dtype = c->dtype;
        b->rank = is_vector ? 1 : 2;
        b->extent[0] = n;
        b->extent[1] = columns;
    }
    c->n = m > n ? m : n;
    c->structure = poyi_case_structure(c, choice);
}

/* ---- values ---- */

static extended small(const poyi_case *c, poyi_choice *choice, long double size)
{
    long double re = (2 * (long double)poyi_choose_uniform(choice) - 1) * size;
    long double im = (2 * (long double)poyi_choose_uniform(choice) - 1) * size;
    return CMPLXL(re, poy_dtype_is_complex(c->dtype) ? im : 0);
}

/* A reflection's unit vector: 1 - 2 u u^H is unitary. */
static void unit_vector(const poyi_case *c, poyi_choice *choice, int64_t n, extended *u)
{
    long double norm = 0;
    for (int64_t i = 0; i < n; i++) {
        u[i] = small(c, choice, 1);
        norm += creall(u[i]) * creall(u[i]) + cimagl(u[i]) * cimagl(u[i]);
    }
    for (int64_t i = 0; i < n; i++)
        u[i] /= sqrtl(norm);
}

static extended reflected(const extended *u, int64_t i, int64_t j)
{
    return (i == j ? 1 : 0) - 2 * u[i] * conjl(u[j]);
}

/* a = p diag(spectrum) q^H with two reflections; p = q for a Hermitian one. */
static void fill_spectral(poyi_case *c, poyi_choice *choice, int64_t batch, int64_t m, int64_t n)
{
    extended u[ORDER_MAX], v[ORDER_MAX];
    int64_t k = m < n ? m : n;
    int hermitian = c->op == POYI_OP_eigh || c->op == POYI_OP_cholesky, repeats = !poyi_choose(choice, 3);
    double *w = c->spectrum + batch * k;
    if (c->structure)
        poyi_hard_values(c, choice, k, w);
    for (int64_t i = 0; i < k && !c->structure; i++) {
        double x = repeats ? poyi_choose(choice, 5) - 2 : 4 * poyi_choose_uniform(choice) - 2;
        w[i] = hermitian ? x : fabs(x);
    }
    unit_vector(c, choice, m, u);
    if (hermitian)
        memcpy(v, u, sizeof v);
    else
        unit_vector(c, choice, n, v);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            extended sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += reflected(u, i, l) * (long double)w[l] * conjl(reflected(v, j, l));
            poyi_matrix_store(&c->operand[0], batch, i, j, sum);
        }
}

/* 1 + r with |r| <= 1/2 in the norms that count: the condition number is 3 at most. */
static void fill_near_one(poyi_case *c, poyi_choice *choice, int64_t batch, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            poyi_matrix_store(&c->operand[0], batch, i, j, (i == j ? 1 : 0) + small(c, choice, 0.35L / (long double)n));
}

/* The same in the leading square of a matrix that is not, with rows in reverse: pivots stand elsewhere. */
static void fill_tall(poyi_case *c, poyi_choice *choice, int64_t batch, int64_t m, int64_t n)
{
    const long double most = 0.35L / (long double)(m > n ? m : n);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            poyi_matrix_store(&c->operand[0], batch, c->op == POYI_OP_lu ? m - 1 - i : i, j,
                              (i == j ? 1 : 0) + small(c, choice, most));
}

/* s d s^-1 with s near 1 and d diagonal, or with blocks [x y; -y x] for the pairs of a real matrix. */
static void fill_spectrum(poyi_case *c, poyi_choice *choice, int64_t batch, int64_t n)
{
    enum { ROUNDS = 80 };
    static extended r[ORDER_MAX * ORDER_MAX];
    extended row[ORDER_MAX], next[ORDER_MAX], right[ORDER_MAX];
    double *w = c->spectrum + 2 * batch * n;
    const int is_complex = poy_dtype_is_complex(c->dtype);
    for (int64_t i = 0; i < n; i++) {
        w[2 * i] = -2 + 4 * ((double)i + 0.5 * poyi_choose_uniform(choice)) / (double)n;
        w[2 * i + 1] = is_complex ? 4 * poyi_choose_uniform(choice) - 2 : 0;
    }
    for (int64_t i = 0; i + 1 < n && !is_complex; i += 3) { /* x - iy, x + iy */
        w[2 * (i + 1)] = w[2 * i];
        w[2 * i + 3] = 0.5 + poyi_choose_uniform(choice);
        w[2 * i + 1] = -w[2 * i + 3];
    }
    for (int64_t i = 0; i < n * n; i++)
        r[i] = small(c, choice, 0.35L / (long double)n);
    for (int64_t i = 0; i < n; i++) { /* x (1 + r) = (s d), row by row */
        for (int64_t j = 0; j < n; j++) {
            const extended here = (i == j ? 1 : 0) + r[i * n + j];
            const int first = !is_complex && w[2 * j + 1] < 0, second = !is_complex && w[2 * j + 1] > 0;
            right[j] = here * (is_complex ? CMPLXL(w[2 * j], w[2 * j + 1]) : (extended)w[2 * j]);
            if (first) /* column j of [x y; -y x], y > 0, is (x, -y) */
                right[j] += ((i == j + 1 ? 1 : 0) + r[i * n + j + 1]) * (long double)w[2 * j + 1];
            if (second)
                right[j] += ((i == j - 1 ? 1 : 0) + r[i * n + j - 1]) * (long double)w[2 * j + 1];
        }
        memset(row, 0, sizeof row);
        for (int round = 0; round < ROUNDS; round++) {
            for (int64_t j = 0; j < n; j++) {
                next[j] = right[j];
                for (int64_t k = 0; k < n; k++)
                    next[j] -= row[k] * r[k * n + j];
            }
            memcpy(row, next, sizeof row);
        }
        for (int64_t j = 0; j < n; j++)
            poyi_matrix_store(&c->operand[0], batch, i, j, row[j]);
    }
}

void poyi_case_fill_matrices(poyi_case *c, poyi_choice *choice)
{
    poyi_operand *a = &c->operand[0];
    int64_t m = a->extent[a->rank - 2], n = a->extent[a->rank - 1], count = a->rank == 3 ? a->extent[0] : 1;
    if (!a->size)
        return;
    for (int64_t b = 0; b < count; b++) {
        if (c->op == POYI_OP_eigh || c->op == POYI_OP_svd || (c->structure && poyi_hard_is_spectral(c)))
            fill_spectral(c, choice, b, m, n);
        else if (c->structure)
            poyi_hard_fill(c, choice, b, m, n);
        else if (c->op == POYI_OP_eig)
            fill_spectrum(c, choice, b, n);
        else if (c->op == POYI_OP_lu || c->op == POYI_OP_qr)
            fill_tall(c, choice, b, m, n);
        else
            fill_near_one(c, choice, b, n);
        if (c->op != POYI_OP_eigh && c->op != POYI_OP_cholesky)
            continue;
        for (int64_t i = 0; i < n; i++) { /* what is not read */
            extended d = poyi_matrix_load(a, b, i, i);
            poyi_matrix_store(a, b, i, i, CMPLXL(creall(d), poy_dtype_is_complex(c->dtype) ? 7 : 0));
            for (int64_t j = i + 1; j < n; j++)
                poyi_matrix_store(a, b, i, j, 99);
        }
    }
    if (c->op == POYI_OP_solve) {
        poyi_operand *b = &c->operand[1];
        for (int64_t i = 0; i < b->base; i++)
            poyi_wide_store(b->dtype, b->bytes, i, parted(small(c, choice, 3)));
    }
}

/* ---- what comes out ---- */

/* x = b - r x, again and again: r halves what is left. */
static void expect_solution(const poyi_case *c, int64_t batch, poyi_expected *e)
{
    enum { ROUNDS = 80 };
    const poyi_operand *a = &c->operand[0], *b = &c->operand[1];
    int64_t n = a->extent[a->rank - 1], k = b->rank == 1 ? 1 : b->extent[1];
    extended x[ORDER_MAX], next[ORDER_MAX];
    for (int64_t column = 0; column < k; column++) {
        long double largest = 0;
        memset(x, 0, sizeof x);
        for (int round = 0; round < ROUNDS; round++) {
            for (int64_t i = 0; i < n; i++) {
                int64_t index[2] = {i, column};
                next[i] = joined(poyi_wide_load(b->dtype, b->bytes, poyi_operand_place(b, index))) + x[i];
                for (int64_t j = 0; j < n; j++)
                    next[i] -= poyi_matrix_load(a, batch, i, j) * x[j];
            }
            memcpy(x, next, sizeof x);
        }
        for (int64_t i = 0; i < n; i++)
            largest = fmaxl(largest, modulus(parted(x[i])));
        for (int64_t i = 0; i < n; i++) {
            e->value[(batch * n + i) * k + column] = parted(x[i]);
            e->scale[(batch * n + i) * k + column] = (double)((long double)n * largest);
        }
    }
}

/* Column by column: the first of what is left, divided by its root, leaves the rest less its outer product. */
static void expect_cholesky(const poyi_case *c, int64_t batch, extended *left, poyi_expected *e)
{
    const poyi_operand *a = &c->operand[0];
    int64_t n = a->extent[a->rank - 1];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            left[i * n + j] =
                i == j ? (extended)creall(poyi_matrix_load(a, batch, i, i)) : poyi_matrix_load(a, batch, i, j);
    for (int64_t k = 0; k < n; k++) {
        long double root = sqrtl(creall(left[k * n + k]));
        for (int64_t i = k; i < n; i++)
            left[i * n + k] = i == k ? (extended)root : left[i * n + k] / root;
        for (int64_t j = k + 1; j < n; j++)
            for (int64_t i = j; i < n; i++)
                left[i * n + j] -= left[i * n + k] * conjl(left[j * n + k]);
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            e->value[(batch * n + i) * n + j] = j <= i ? parted(left[i * n + j]) : (poyi_wide){0, 0};
            e->scale[(batch * n + i) * n + j] = (double)n;
        }
}

/* Elimination without exchanges of the rows in the order that they were made in. */
static void expect_upper(const poyi_case *c, int64_t batch, extended *left, poyi_expected *e)
{
    const poyi_operand *a = &c->operand[0];
    const int64_t m = a->extent[a->rank - 2], n = a->extent[a->rank - 1], k = m < n ? m : n;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            left[i * n + j] = poyi_matrix_load(a, batch, m - 1 - i, j);
    for (int64_t p = 0; p < k; p++)
        for (int64_t i = p + 1; i < m; i++) {
            const extended factor = left[i * n + p] / left[p * n + p];
            for (int64_t j = p; j < n; j++)
                left[i * n + j] -= factor * left[p * n + j];
        }
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < n; j++) {
            e->value[(batch * k + i) * n + j] = i <= j ? parted(left[i * n + j]) : (poyi_wide){0, 0};
            e->scale[(batch * k + i) * n + j] = 3 * (double)c->n;
        }
}

/* r^H r = a^H a, row by row of r, as Cholesky does it. */
static void expect_triangle(const poyi_case *c, int64_t batch, extended *r, poyi_expected *e)
{
    const poyi_operand *a = &c->operand[0];
    const int64_t m = a->extent[a->rank - 2], n = a->extent[a->rank - 1], k = m < n ? m : n;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = i; j < n; j++) {
            extended sum = 0;
            for (int64_t l = 0; l < m; l++)
                sum += conjl(poyi_matrix_load(a, batch, l, i)) * poyi_matrix_load(a, batch, l, j);
            for (int64_t l = 0; l < i; l++)
                sum -= conjl(r[l * n + i]) * r[l * n + j];
            r[i * n + j] = i == j ? (extended)sqrtl(creall(sum)) : sum / creall(r[i * n + i]);
        }
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < n; j++) {
            e->value[(batch * k + i) * n + j] = i <= j ? parted(r[i * n + j]) : (poyi_wide){0, 0};
            e->scale[(batch * k + i) * n + j] = 3 * (double)c->n;
        }
}

static void expect_eigenvalues(const poyi_case *c, int64_t batch, int64_t n, poyi_expected *e)
{
    const double *w = c->spectrum + 2 * batch * n;
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, hypot(w[2 * i], w[2 * i + 1]));
    for (int64_t i = 0; i < n; i++) {
        e->value[batch * n + i] = (poyi_wide){w[2 * i], w[2 * i + 1]};
        e->scale[batch * n + i] = (double)n * largest;
    }
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void expect_spectrum(const poyi_case *c, int64_t batch, int64_t k, poyi_expected *e)
{
    double w[ORDER_MAX], largest = 0;
    memcpy(w, c->spectrum + batch * k, (size_t)k * sizeof *w);
    qsort(w, (size_t)k, sizeof *w, rising);
    for (int64_t i = 0; i < k; i++)
        largest = fmax(largest, fabs(w[i]));
    for (int64_t i = 0; i < k; i++) {
        e->value[batch * k + i] = (poyi_wide){w[c->op == POYI_OP_svd ? k - 1 - i : i], 0};
        e->scale[batch * k + i] = (double)c->n * largest;
    }
}

poy_status poyi_expect_matrices(poy_ctx *ctx, const poyi_case *c, poyi_expected *e)
{
    const poyi_operand *a = &c->operand[0], *y = poyi_case_result(c);
    int64_t n = a->extent[a->rank - 1], count = a->rank == 3 ? a->extent[0] : 1;
    void *block = NULL;
    const int64_t m = a->extent[a->rank - 2];
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "conform", (size_t)((m > n ? m : n) * n) * sizeof(extended), &block));
    for (int64_t i = 0; i < y->size && c->structure; i++)
        e->scale[i] = -1; /* unless it is known: the residuals are judged in factors.c */
    for (int64_t b = 0; b < count; b++)
        if (c->structure && c->op == POYI_OP_solve)
            poyi_hard_solution(c, b, block, e);
        else if (c->structure && c->op != POYI_OP_eigh && c->op != POYI_OP_svd)
            break;
        else if (c->op == POYI_OP_solve)
            expect_solution(c, b, e);
        else if (c->op == POYI_OP_cholesky)
            expect_cholesky(c, b, block, e);
        else if (c->op == POYI_OP_lu)
            expect_upper(c, b, block, e);
        else if (c->op == POYI_OP_qr)
            expect_triangle(c, b, block, e);
        else if (c->op == POYI_OP_eig)
            expect_eigenvalues(c, b, n, e);
        else
            expect_spectrum(c, b, y->extent[y->rank - 1], e);
    poyi_free(&block);
    return POY_OK;
}

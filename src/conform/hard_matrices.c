/* hard_matrices.c: a third of the cases of linear algebra: matrices that are ill-conditioned, singular, degenerate, defective,
 * far from normal, or of another size than one. What algorithms promise of all matrices holds of them, too: small residuals of
 * what is made (factors.c), eigenvalues of Hermitian ones, singular values. */
#include "conform/oracle.h"

enum { ORDER_MAX = 33 };

static int is_one_of(poyi_op op, poyi_op a, poyi_op b)
{
    return op == a || op == b;
}

poyi_structure poyi_case_structure(const poyi_case *c, poyi_choice *choice)
{
    static const poyi_structure regular[] = {POYI_GRADED, POYI_HILBERT, POYI_SCALED, POYI_IDENTITY};
    static const poyi_structure spectral[] = {POYI_GRADED,   POYI_DEFICIENT, POYI_SCALED,
                                              POYI_IDENTITY, POYI_ZERO,      POYI_CLUSTERED};
    static const poyi_structure any[] = {POYI_GRADED,  POYI_DEFICIENT, POYI_SCALED,
                                         POYI_HILBERT, POYI_IDENTITY,  POYI_ZERO};
    static const poyi_structure square[] = {POYI_DEFECTIVE, POYI_SCALED,    POYI_NONNORMAL,
                                            POYI_IDENTITY,  POYI_DEFICIENT, POYI_ZERO};
    if (c->index % 3 != 2)
        return POYI_BY_CONSTRUCTION;
    if (is_one_of(c->op, POYI_OP_solve, POYI_OP_cholesky))
        return regular[poyi_choose(choice, 4)];
    if (is_one_of(c->op, POYI_OP_eigh, POYI_OP_svd))
        return spectral[poyi_choose(choice, 6)];
    return c->op == POYI_OP_eig ? square[poyi_choose(choice, 6)] : any[poyi_choose(choice, 6)];
}

/* The largest condition number at which a forward error is still asked for: 1/(64 n eps). */
static double condition_max(const poyi_case *c)
{
    return 1 / (64 * (double)c->n * (is_single(c->dtype) ? 0x1p-23 : 0x1p-52));
}

/* In the 2-norm, of what is solved. */
static double condition_of(const poyi_case *c)
{
    return c->structure == POYI_GRADED ? condition_max(c) : 3;
}

/* Powers of two, so that a matrix keeps its digits. */
static long double size_of(const poyi_case *c)
{
    const int range = is_single(c->dtype) ? 30 : 250;
    return c->structure == POYI_SCALED ? exp2l(c->index % 2 ? range : -range) : 1;
}

void poyi_hard_values(const poyi_case *c, poyi_choice *choice, int64_t k, double *w)
{
    const double eps = is_single(c->dtype) ? 0x1p-23 : 0x1p-52, grade = log2(condition_max(c));
    for (int64_t i = 0; i < k; i++) {
        const double u = poyi_choose_uniform(choice), sign = c->op == POYI_OP_eigh && i % 2 ? -1 : 1;
        switch (c->structure) {
        case POYI_GRADED: w[i] = sign * (k > 1 ? exp2(-grade * (double)i / (double)(k - 1)) : 1); break;
        case POYI_DEFICIENT: w[i] = i % 2 ? 0 : sign * (0.5 + u); break;
        case POYI_CLUSTERED: w[i] = 1 + 8 * eps * u; break;
        case POYI_SCALED: w[i] = sign * (0.5 + u) * (double)size_of(c); break;
        case POYI_ZERO: w[i] = 0; break;
        default: w[i] = 1;
        }
    }
}

/* One that is not made of its singular values. */
static extended entry(const poyi_case *c, poyi_choice *choice, int64_t i, int64_t j, int64_t n)
{
    const int is_complex = poy_dtype_is_complex(c->dtype);
    const long double u = 2 * (long double)poyi_choose_uniform(choice) - 1;
    switch (c->structure) {
    case POYI_HILBERT: return 1 / (long double)(i + j + 1);
    case POYI_IDENTITY: return i == j;
    case POYI_SCALED:
        return ((i == j ? 1 : 0) + CMPLXL(u, is_complex ? u / 2 : 0) * (0.25L / (long double)n)) * size_of(c);
    case POYI_DEFECTIVE: return i == j ? 0.5L : j == i + 1 ? 1 : 0; /* one eigenvector for all of its eigenvalues */
    case POYI_NONNORMAL: return j < i ? 0 : j == i ? CMPLXL(u, is_complex ? u / 3 : 0) : 10 * (extended)u;
    default: return 0;
    }
}

int poyi_hard_is_spectral(const poyi_case *c)
{
    return c->structure == POYI_GRADED || c->structure == POYI_DEFICIENT || c->op == POYI_OP_eigh ||
           c->op == POYI_OP_svd;
}

/* Hilbert's matrices lose all digits of a type at some order: the leading part of that order stands for the larger ones, the
 * rest is one of the identity. */
static int64_t hilbert_most(const poyi_case *c)
{
    return is_single(c->dtype) ? 4 : 8;
}

void poyi_hard_fill(const poyi_case *c, poyi_choice *choice, int64_t batch, int64_t m, int64_t n)
{
    const int64_t most = c->structure == POYI_HILBERT ? hilbert_most(c) : m + n;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            const int is_inside = i < most && j < most;
            poyi_matrix_store(&c->operand[0], batch, i, j,
                              is_inside ? entry(c, choice, i, j, m > n ? m : n) : (extended)(i == j));
        }
}

/* ---- what comes out ---- */

/* Solutions by elimination with row exchanges, in extended precision: off by n cond 2^-64, where n cond eps is allowed. */
static void eliminate(extended *a, extended *b, int64_t n, int64_t k)
{
    for (int64_t p = 0; p < n; p++) {
        int64_t row = p;
        for (int64_t i = p + 1; i < n; i++)
            row = cabsl(a[i * n + p]) > cabsl(a[row * n + p]) ? i : row;
        for (int64_t j = 0; j < n && row != p; j++) {
            const extended t = a[p * n + j];
            a[p * n + j] = a[row * n + j];
            a[row * n + j] = t;
        }
        for (int64_t j = 0; j < k && row != p; j++) {
            const extended t = b[p * k + j];
            b[p * k + j] = b[row * k + j];
            b[row * k + j] = t;
        }
        for (int64_t i = p + 1; i < n; i++) {
            const extended f = a[i * n + p] / a[p * n + p];
            for (int64_t j = p; j < n; j++)
                a[i * n + j] -= f * a[p * n + j];
            for (int64_t j = 0; j < k; j++)
                b[i * k + j] -= f * b[p * k + j];
        }
    }
    for (int64_t p = n - 1; p >= 0; p--)
        for (int64_t j = 0; j < k; j++) {
            for (int64_t l = p + 1; l < n; l++)
                b[p * k + j] -= a[p * n + l] * b[l * k + j];
            b[p * k + j] /= a[p * n + p];
        }
}

void poyi_hard_solution(const poyi_case *c, int64_t batch, extended *room, poyi_expected *e)
{
    const poyi_operand *b = &c->operand[1];
    const int64_t n = c->operand[0].extent[c->operand[0].rank - 1], k = b->rank == 1 ? 1 : b->extent[1];
    extended x[ORDER_MAX * 4];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            room[i * n + j] = poyi_matrix_load(&c->operand[0], batch, i, j);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++) {
            const int64_t index[2] = {i, j};
            x[i * k + j] = joined(poyi_wide_load(b->dtype, b->bytes, poyi_operand_place(b, index)));
        }
    eliminate(room, x, n, k);
    for (int64_t j = 0; j < k; j++) {
        long double largest = 0;
        for (int64_t i = 0; i < n; i++)
            largest = fmaxl(largest, cabsl(x[i * k + j]));
        for (int64_t i = 0; i < n; i++) {
            e->value[(batch * n + i) * k + j] = parted(x[i * k + j]);
            e->scale[(batch * n + i) * k + j] =
                c->structure == POYI_HILBERT ? -1 : (double)n * condition_of(c) * (double)largest;
        }
    }
}

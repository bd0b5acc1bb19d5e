/* cpu_sparse_runs.h: runs of rows of one pattern, each with n < LONG entries in the columns of the row before moved by
 * one: rows side by side in registers, no places read. A row's terms are added in the order of its entries, as elsewhere.
 * v: the entries of the run's first row and on; x[k]: what entry k of the first row is multiplied with; equal: the rows
 * have the same values, too, and one row of them is read. */

#if POY_COMPLEX

static inline __attribute__((always_inline)) void run_any(int64_t rows, int64_t n, const T *v, const T *const *x, T *y,
                                                          int conjugate, int equal)
{
    for (int64_t r = 0; r < rows; r++) {
        const T *w = equal ? v : v + r * n;
        T sum = t_zero();
        for (int64_t k = 0; k < n; k++)
            sum = t_add(sum, t_mul(factor(w[k], conjugate), x[k][r]));
        y[r] = sum;
    }
}

#else

#if defined(__AVX2__)
#define PACK_BYTES 32
#else
#define PACK_BYTES 16
#endif
typedef T pack __attribute__((vector_size(PACK_BYTES)));
enum { PACK = PACK_BYTES / sizeof(T) };

static inline __attribute__((always_inline)) pack pack_load(const T *p)
{
    pack a;
    memcpy(&a, p, sizeof a);
    return a;
}

/* Elements of a stride. */
static inline __attribute__((always_inline)) pack pack_gather(const T *p, int64_t s)
{
#if PACK_BYTES == 32 && POY_SINGLE
    return (pack){p[0], p[s], p[2 * s], p[3 * s], p[4 * s], p[5 * s], p[6 * s], p[7 * s]};
#elif PACK_BYTES == 32 || POY_SINGLE
    return (pack){p[0], p[s], p[2 * s], p[3 * s]};
#else
    return (pack){p[0], p[s]};
#endif
}

static inline __attribute__((always_inline)) void run_any(int64_t rows, int64_t n, const T *v, const T *const *x, T *y,
                                                          int conjugate, int equal)
{
    int64_t r = 0;
    (void)conjugate;
    for (; r + PACK <= rows; r += PACK) {
        pack sum = {0};
        for (int64_t k = 0; k < n; k++) {
            const pack w = equal ? v[k] - (pack){0} : pack_gather(v + r * n + k, n);
            sum += w * pack_load(x[k] + r);
        }
        memcpy(y + r, &sum, sizeof sum);
    }
    for (; r < rows; r++) {
        T sum = 0;
        for (int64_t k = 0; k < n; k++)
            sum += (equal ? v[k] : v[r * n + k]) * x[k][r];
        y[r] = sum;
    }
}

#endif

/* Loops of their own for as many entries as stencils and bands have. */
static inline __attribute__((always_inline)) void run_of(int64_t rows, int64_t n, const T *v, const T *const *x, T *y,
                                                         int conjugate, int equal)
{
    switch (n) {
    case 1: run_any(rows, 1, v, x, y, conjugate, equal); break;
    case 2: run_any(rows, 2, v, x, y, conjugate, equal); break;
    case 3: run_any(rows, 3, v, x, y, conjugate, equal); break;
    case 4: run_any(rows, 4, v, x, y, conjugate, equal); break;
    case 5: run_any(rows, 5, v, x, y, conjugate, equal); break;
    case 7: run_any(rows, 7, v, x, y, conjugate, equal); break;
    case 9: run_any(rows, 9, v, x, y, conjugate, equal); break;
    default: run_any(rows, n, v, x, y, conjugate, equal); break;
    }
}

static __attribute__((noinline)) void run_moved(int64_t rows, int64_t n, const T *v, const T *const *x, T *y,
                                                int conjugate)
{
    run_of(rows, n, v, x, y, conjugate, 0);
}

static __attribute__((noinline)) void run_equal(int64_t rows, int64_t n, const T *v, const T *const *x, T *y,
                                                int conjugate)
{
    run_of(rows, n, v, x, y, conjugate, 1);
}

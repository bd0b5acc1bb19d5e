/* cpu_factors.c: factors of general matrices of the CPU backend by OpenBLAS's LAPACK. Compiled once for each floating type
 * (POY_DTYPE); the object's one symbol is poyi_cpu_factors_base_<dtype>. */
#include "backends/cpu/cpu_lapack.h"

void LAPACK(getrf)(const int *m, const int *n, T *a, const int *lda, int *pivots, int *info);
void LAPACK(gelqf)(const int *m, const int *n, T *a, const int *lda, T *tau, T *work, const int *lwork, int *info);
#if POY_COMPLEX
#define LAPACK_GLQ LAPACK(unglq)
void LAPACK(geev)(const char *jobvl, const char *jobvr, const int *n, T *a, const int *lda, T *w, T *vl,
                  const int *ldvl, T *vr, const int *ldvr, T *work, const int *lwork, real *rwork, int *info, size_t,
                  size_t);
#else
#define LAPACK_GLQ LAPACK(orglq)
void LAPACK(geev)(const char *jobvl, const char *jobvr, const int *n, T *a, const int *lda, T *wr, T *wi, T *vl,
                  const int *ldvl, T *vr, const int *ldvr, T *work, const int *lwork, int *info, size_t, size_t);
#endif
void LAPACK_GLQ(const int *m, const int *n, const int *k, T *a, const int *lda, const T *tau, T *work, const int *lwork,
                int *info);

// NOLINTBEGIN(readability-non-const-parameter): the type is one_matrix

/* ---- lu: getrf of a, which is copied by columns ---- */

static int lu_one(const job *j, int64_t b, T *work, real *rwork, int *pivots)
{
    const int m = j->m, n = j->n, k = j->k;
    const T *a = matrix(&j->in[0], b);
    T *l = matrix(&j->out[0], b), *u = matrix(&j->out[1], b);
    int64_t *perm = (int64_t *)j->out[2].mem + j->out[2].offset + b * j->out[2].stride[0];
    int info = 0;
    (void)rwork;
    if (has_wild(a, m, n, 0))
        return WILD;
    for (int i = 0; i < m; i++) {
        perm[i] = i;
        for (int c = 0; c < n; c++)
            work[(int64_t)c * m + i] = a[(int64_t)i * n + c];
    }
    LAPACK(getrf)(&m, &n, work, &m, pivots, &info); /* a pivot of 0 is no failure here */
    if (info < 0)
        return info;
    for (int i = 0; i < k; i++) {
        const int64_t p = perm[i];
        perm[i] = perm[pivots[i] - 1];
        perm[pivots[i] - 1] = p;
    }
    for (int i = 0; i < m; i++)
        for (int c = 0; c < k; c++)
            l[(int64_t)i * k + c] = i > c ? work[(int64_t)c * m + i] : t_zero();
    for (int i = 0; i < k; i++) {
#if POY_COMPLEX
        l[(int64_t)i * k + i] = t_make(1, 0);
#else
        l[(int64_t)i * k + i] = 1;
#endif
        for (int c = 0; c < n; c++)
            u[(int64_t)i * n + c] = i <= c ? work[(int64_t)c * m + i] : t_zero();
    }
    return 0;
}

static poy_status op_lu(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    job j = make_job(arg, in, out);
    int64_t failed;
    int info;
    (void)be;
    POYI_TRY(ctx, check_sizes(ctx, "lu", &in[0]));
    if ((int64_t)j.m * j.n > INT_MAX)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "lu: matrices of %d by %d are more than LAPACK can count", j.m, j.n);
    j.n_work = j.m * j.n;
    j.n_int = j.k;
    POYI_TRY(ctx, run(ctx, &j, lu_one, &failed, &info));
    return failed_factor(ctx, failed, info);
}

/* ---- qr: LAPACK sees a' = l q, so that a = q' l'; l' is what it leaves, read by rows ---- */

/* Times the phase of z, which is 1 for 0. */
static T phase_of(T z)
{
    const real m = modulus_of(z);
#if POY_COMPLEX
    return m > 0 ? t_scale(1 / m, z) : t_make(1, 0);
#else
    return m > 0 && z < 0 ? -1 : 1;
#endif
}

static int qr_one(const job *j, int64_t b, T *work, real *rwork, int *iwork)
{
    const int m = j->m, n = j->n, k = j->k, rest = j->n_work - k;
    T *a = matrix(&j->in[0], b), *q = matrix(&j->out[0], b), *r = matrix(&j->out[1], b), *tau = work;
    int info = 0;
    (void)rwork;
    (void)iwork;
    if (has_wild(a, m, n, 0))
        return WILD;
    LAPACK(gelqf)(&n, &m, a, &n, tau, work + k, &rest, &info);
    for (int i = 0; i < k; i++)
        for (int c = 0; c < n; c++)
            r[(int64_t)i * n + c] = c >= i ? a[(int64_t)i * n + c] : t_zero();
    if (!info)
        LAPACK_GLQ(&k, &m, &k, a, &n, tau, work + k, &rest, &info);
    for (int c = 0; c < k; c++) {
        const T phase = phase_of(r[(int64_t)c * n + c]);
        for (int i = 0; i < m; i++)
            q[(int64_t)i * k + c] = t_mul(phase, a[(int64_t)i * n + c]);
        for (int i = c; i < n; i++)
            r[(int64_t)c * n + i] = t_mul(t_conj(phase), r[(int64_t)c * n + i]);
#if POY_COMPLEX
        r[(int64_t)c * n + c].im = 0;
#endif
    }
    return info;
}

static poy_status op_qr(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    job j = make_job(arg, in, out);
    const int ask = -1, m = j.m, n = j.n, k = j.k;
    int64_t failed;
    int info = 0;
    T one = t_zero(), two = t_zero();
    (void)be;
    POYI_TRY(ctx, check_sizes(ctx, "qr", &in[0]));
    LAPACK(gelqf)(&n, &m, NULL, &n, NULL, &one, &ask, &info);
    LAPACK_GLQ(&k, &m, &k, NULL, &n, NULL, &two, &ask, &info);
    j.n_work = (wanted(one) > wanted(two) ? wanted(one) : wanted(two)) + k;
    POYI_TRY(ctx, run(ctx, &j, qr_one, &failed, &info));
    return failed_factor(ctx, failed, info);
}

/* ---- eig: from u^H a' = w u^H follows a conj(u) = w conj(u) ---- */

/* Column c of v [n, n], complex whatever T is, in the gauge; its norm is 1. */
static void turn_column(real *v, int n, int c)
{
    const real slack = POY_SINGLE ? (real)1e-5 : (real)1e-13;
    real largest = 0;
    int at = 0;
    for (int i = 0; i < n; i++) {
        const real *z = v + 2 * ((int64_t)i * n + c), m = r_hypot(z[0], z[1]);
        largest = m > largest ? m : largest;
    }
    while (at < n - 1 &&
           r_hypot(v[2 * ((int64_t)at * n + c)], v[2 * ((int64_t)at * n + c) + 1]) < largest * (1 - slack))
        at++;
    const real x = v[2 * ((int64_t)at * n + c)], y = v[2 * ((int64_t)at * n + c) + 1], m = r_hypot(x, y);
    for (int i = 0; i < n && m > 0; i++) {
        real *z = v + 2 * ((int64_t)i * n + c), re = z[0];
        z[0] = (re * x + z[1] * y) / m;
        z[1] = (z[1] * x - re * y) / m;
    }
    if (m > 0)
        v[2 * ((int64_t)at * n + c) + 1] = 0;
}

static int eig_one(const job *j, int64_t b, T *work, real *rwork, int *iwork)
{
    const int n = j->n, rest = j->n_work - n * n, one = 1;
    T *a = matrix(&j->in[0], b), *u = work;
    real *w = (real *)j->out[0].mem + 2 * (j->out[0].offset + b * j->out[0].stride[0]);
    real *v = (real *)j->out[1].mem + 2 * (j->out[1].offset + b * j->out[1].stride[0]);
    int info = 0;
    (void)iwork;
    if (has_wild(a, n, n, 0))
        return WILD;
#if POY_COMPLEX
    LAPACK(geev)
    ("V", "N", &n, a, &n, (T *)(void *)w, u, &n, NULL, &one, work + (int64_t)n * n, &rest, rwork, &info, 1, 1);
    for (int c = 0; c < n && !info; c++)
        for (int i = 0; i < n; i++) {
            const T z = u[(int64_t)c * n + i];
            v[2 * ((int64_t)i * n + c)] = z.re;
            v[2 * ((int64_t)i * n + c) + 1] = -z.im;
        }
#else
    real *wr = rwork, *wi = rwork + n;
    LAPACK(geev)("V", "N", &n, a, &n, wr, wi, u, &n, NULL, &one, work + (int64_t)n * n, &rest, &info, 1, 1);
    for (int c = 0; c < n && !info; c++) {
        const int pair = wi[c] > 0 && c + 1 < n; /* columns c and c + 1 are the parts of one vector */
        for (int i = 0; i < n; i++) {
            const T re = u[(int64_t)c * n + i], im = pair ? u[(int64_t)(c + 1) * n + i] : 0;
            v[2 * ((int64_t)i * n + c)] = re;
            v[2 * ((int64_t)i * n + c) + 1] = -im;
            if (pair) {
                v[2 * ((int64_t)i * n + c + 1)] = re;
                v[2 * ((int64_t)i * n + c + 1) + 1] = im;
            }
        }
        w[(int64_t)2 * c] = wr[c];
        w[(int64_t)2 * c + 1] = wi[c];
        if (pair) {
            c++;
            w[(int64_t)2 * c] = wr[c];
            w[(int64_t)2 * c + 1] = wi[c];
        }
    }
#endif
    for (int c = 0; c < n && !info; c++)
        turn_column(v, n, c);
    return info;
}

static poy_status op_eig(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    job j = make_job(arg, in, out);
    const int ask = -1, n = j.n, one = 1;
    int64_t failed;
    int info = 0;
    T answer = t_zero();
    (void)be;
    POYI_TRY(ctx, check_sizes(ctx, "eig", &in[0]));
    if ((int64_t)n * n > INT_MAX / 4)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "eig: matrices of %d by %d are more than LAPACK can count", n, n);
#if POY_COMPLEX
    real reals[1]; /* is told what it should be, unasked */
    LAPACK(geev)("V", "N", &n, NULL, &n, NULL, NULL, &n, NULL, &one, &answer, &ask, reals, &info, 1, 1);
#else
    LAPACK(geev)("V", "N", &n, NULL, &n, NULL, NULL, NULL, &n, NULL, &one, &answer, &ask, &info, 1, 1);
#endif
    j.n_work = n * n + wanted(answer);
    j.n_real = 2 * n;
    POYI_TRY(ctx, run(ctx, &j, eig_one, &failed, &info));
    return failed_factor(ctx, failed, info);
}

// NOLINTEND(readability-non-const-parameter)

const poyi_cpu_entry *CPU_OBJECT(factors)(size_t *n)
{
    static const poyi_cpu_entry entries[] = {ENTRY(lu, linalg), ENTRY(qr, linalg), ENTRY(eig, linalg)};
    *n = sizeof entries / sizeof entries[0];
    return entries;
}

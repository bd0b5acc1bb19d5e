/* test_solve_spectrum.c: eigenpairs, exponentials, traces and singular values: golden cases, dense algebra of the host,
 * degenerate and graded spectra, refusals, no allocation in a loop. */
#include "poynting/linalg.h"
#include "record/lapack.h"
#include "solve/solve.h"
#include "unit/operator_fixture.h"

enum { N = 24 };

static int single(void)
{
    return poy_dtype_real(dtype) == POY_F32;
}

static poy_solve_options options(double tol)
{
    poy_solve_options o;
    poy_solve_options_init(&o);
    o.tol = tol;
    return o;
}

static poy_linop *dense_op(poy_space *from, poy_space *to, const z *m)
{
    const int64_t shape[2] = {poy_space_size(to), poy_space_size(from)};
    poy_array *a = array_of(2, shape, m);
    poy_linop *op = NULL;
    MUST(poy_linop_dense(ctx, a, from, to, &op));
    poy_array_destroy(&a);
    return op;
}

static poy_linop *diagonal_op(poy_space *s, const z *d)
{
    poy_array *a = vector_of(poy_space_size(s), d);
    poy_linop *op = NULL;
    MUST(poy_linop_diagonal(ctx, a, s, &op));
    poy_array_destroy(&a);
    return op;
}

/* ---- golden cases, in c128 ---- */

#define LIST(...)   \
    {               \
        __VA_ARGS__ \
    }
#define GOLDEN(name, t, matrix, vector, result)                                                                 \
    static const double name##_matrix[72] = LIST matrix, name##_vector[12] = LIST vector, name##_t[2] = LIST t, \
                        name##_result[12] = LIST result;
#include "golden/solvers.def"

static const z *pairs(const double *p)
{
    return (const z *)(const void *)p;
}

static void golden(void)
{
    poy_space *s = dense_space(6);
    poy_linop *a = dense_op(s, s, pairs(cg_matrix));
    poy_array *x = zeros_of(s), *b = vector_of(6, pairs(cg_vector)), *want = vector_of(6, pairs(cg_result));
    poy_solve_options o = options(1e-12);
    poy_solve_result r;
    double value;
    MUST(poy_cg(ctx, a, b, &o, x, &r));
    ok(r.converged && distance(x, want) <= 1e-9, "golden cg: %.2g", distance(x, want));
    poy_array_destroy(&b);
    poy_array_destroy(&want);
    b = vector_of(6, pairs(lanczos_vector));
    o.x0 = b;
    MUST(poy_lanczos(ctx, a, 1, &o, &value, NULL, &r));
    ok(r.converged && fabs(value - lanczos_result[0]) <= 1e-12 * lanczos_result[0] && r.true_residual < 1e-11,
       "golden lanczos: %.17g, residual %.2g", value, r.true_residual);
    poy_array_destroy(&b);
    b = vector_of(6, pairs(power_vector));
    o.x0 = b;
    o.tol = 1e-9;
    o.maxiter = 4000;
    MUST(poy_power(ctx, a, &o, x, &r));
    ok(r.converged && fabs(r.eigenvalue - power_result[0]) <= 1e-12 * power_result[0], "golden power iteration: %.17g",
       r.eigenvalue);
    poy_array_destroy(&b);
    b = vector_of(6, pairs(expm_vector));
    want = vector_of(6, pairs(expm_result));
    const poy_scalar t = {expm_t[0], expm_t[1]};
    o = options(1e-12);
    MUST(poy_expm_apply(ctx, a, t, b, &o, x, &r));
    ok(r.converged && distance(x, want) <= 1e-11, "golden expm: %.2g", distance(x, want));
    poy_array *all[] = {x, b, want};
    for (int i = 0; i < 3; i++)
        poy_array_destroy(&all[i]);
    poy_linop_destroy(&a);
    poy_space_destroy(&s);
}

/* ---- Lanczos ---- */

/* LAPACK's eigenvalues of the same matrix, where the metric is plain; the largest difference. */
static double from_lapack(const poy_linop *a, int64_t k, const double *values)
{
    poy_array *m = NULL, *w = NULL, *wide = NULL;
    double worst = 0, all[512] = {0};
    MUST(poy_linop_matrix(ctx, a, &m));
    MUST(poy_eigh(ctx, m, &w, NULL));
    MUST(poy_copy(ctx, w, POY_F64, &wide));
    MUST(poy_array_read(ctx, wide, all));
    for (int64_t i = 0; i < k; i++)
        worst = fmax(worst, fabs(values[i] - all[i]));
    poy_array_destroy(&m);
    poy_array_destroy(&w);
    poy_array_destroy(&wide);
    return worst;
}

/* The k smallest of a against known ones; vectors orthonormal, residuals small. */
static void smallest(const char *name, poy_linop *a, int64_t k, const double *want, double scale)
{
    poy_space *s = poy_linop_domain(a);
    double values[8], worst = 0;
    int64_t extent[POY_RANK_MAX];
    const int rank = poyi_space_shape(s, k, extent);
    poy_array *v = random_array(1, rank, extent);
    poy_solve_options o = options(single() ? 1e-5 : 1e-11);
    poy_solve_result r;
    o.maxiter = 4000;
    MUST(poy_lanczos(ctx, a, k, &o, values, v, &r));
    for (int64_t i = 0; i < k; i++)
        worst = fmax(worst, fabs(values[i] - want[i]));
    const double allowed = fmax(scale * (single() ? 1e-5 : 1e-11), 20 * eps() * scale);
    ok(r.converged && worst <= allowed, "%s %s lanczos, %s: %lld values to %.2g of %.2g, %lld applications (%s)",
       backend_name, poy_dtype_name(dtype), name, (long long)k, worst, scale, (long long)r.applies,
       poy_solve_reason_name(r.reason));
    if (poy_space_size(s) == N && !s->weights)
        ok(from_lapack(a, k, values) <= allowed, "%s: those of LAPACK", name);
    ok(r.true_residual <= 10 * allowed, "%s: |A x - lambda x| %.2g", name, r.true_residual);
    double orthogonal = 0;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++) {
            const poy_array vi = poyi_member(v, i), vj = poyi_member(v, j);
            poy_scalar dot;
            MUST(poy_space_inner(ctx, s, NULL, &vi, &vj, &dot));
            orthogonal = fmax(orthogonal, hypot(dot.re - (i == j), dot.im));
        }
    ok(orthogonal <= 200 * eps(), "%s: eigenvectors orthonormal to %.2g", name, orthogonal);
    poy_array_destroy(&v);
}

/* Q diag(d) Q^H in a weighted space, Q by reflections: W^-1/2 Q D Q^H W^1/2 is self-adjoint there. */
static poy_linop *with_spectrum(poy_space *s, const double *d)
{
    static z m[N * N];
    z q[N];
    for (int i = 0; i < N * N; i++)
        m[i] = i % (N + 1) == 0 ? d[i / (N + 1)] : 0;
    for (uint64_t turn = 0; turn < 2; turn++) { /* H m H, H = 1 - 2 q q^H */
        double norm = 0;
        for (int i = 0; i < N; i++)
            norm = hypot(norm, cabs(q[i] = random_value(50 + turn, (uint64_t)i)));
        for (int side = 0; side < 2; side++)
            for (int j = 0; j < N; j++) {
                z dot = 0;
                for (int i = 0; i < N; i++)
                    dot += side ? m[j * N + i] * q[i] / norm : conj(q[i]) / norm * m[i * N + j];
                for (int i = 0; i < N; i++) {
                    if (side)
                        m[j * N + i] -= 2 * dot * conj(q[i]) / norm;
                    else
                        m[i * N + j] -= 2 * q[i] / norm * dot;
                }
            }
    }
    for (int i = 0; s->weights && i < N * N; i++)
        m[i] *= sqrt(s->weights[i % N] / s->weights[i / N]);
    return dense_op(s, s, m);
}

static void lanczos(void)
{
    double w[N], random[N], degenerate[N], graded[N];
    for (int i = 0; i < N; i++) {
        w[i] = 0.5 + i % 3;
        random[i] = sin(3.7 * i) * 3;
        degenerate[i] = i < 3 ? -2 : i < 5 ? -1 : i / 4;
        graded[i] = pow(10, -i / 4.0);
    }
    for (int i = 1; i < N; i++) /* rising */
        for (int j = i; j > 0 && random[j] < random[j - 1]; j--) {
            const double t = random[j];
            random[j] = random[j - 1];
            random[j - 1] = t;
        }
    double rising[N];
    for (int i = 0; i < N; i++)
        rising[i] = graded[N - 1 - i];
    poy_space *flat = dense_space(N), *weighted = weighted_space(N, w);
    poy_linop *ops[] = {with_spectrum(flat, random), with_spectrum(weighted, random), with_spectrum(flat, degenerate),
                        with_spectrum(weighted, degenerate), with_spectrum(flat, graded)};
    smallest("a random spectrum", ops[0], 4, random, 3);
    smallest("in a metric", ops[1], 3, random, 3);
    smallest("a degenerate one", ops[2], 6, degenerate, 6);
    smallest("the same in a metric", ops[3], 5, degenerate, 6);
    smallest("a graded one", ops[4], 3, rising, 1);

    /* a long diagonal, by restarts; with two copies of the lowest value */
    enum { LONG = 400 };
    static z d[LONG];
    for (int i = 0; i < LONG; i++)
        d[i] = i < 2 ? 1 : 1 + 0.05 * i;
    const double want[4] = {1, 1, 1.1, 1.15};
    poy_space *big = dense_space(LONG);
    poy_linop *diagonal = diagonal_op(big, d);
    smallest("restarted, a double value", diagonal, 4, want, 21);
    poy_solve_options o = options(0);
    poy_solve_result r;
    double value[4];
    uint64_t made[2];
    for (int i = 0; i < 2; i++) {
        o.maxiter = i ? 300 : 60;
        const uint64_t before = poy_ctx_allocations(ctx);
        MUST(poy_lanczos(ctx, diagonal, 2, &o, value, NULL, &r));
        made[i] = poy_ctx_allocations(ctx) - before;
    }
    ok(made[0] == made[1], "lanczos: no allocation in the loop (%llu, %llu)", (unsigned long long)made[0],
       (unsigned long long)made[1]);
    poy_array *zero = zeros_of(big);
    o.x0 = zero;
    ok(poy_lanczos(ctx, diagonal, 1, &o, value, NULL, &r) == POY_ERR_ARGUMENT, "lanczos from 0 is refused");
    ok(poy_lanczos(ctx, diagonal, 0, &o, value, NULL, &r) == POY_ERR_ARGUMENT, "no pairs are refused");
    poy_array_destroy(&zero);
    poy_linop_destroy(&diagonal);
    for (int i = 0; i < 5; i++)
        poy_linop_destroy(&ops[i]);
    poy_space_destroy(&big);
    poy_space_destroy(&flat);
    poy_space_destroy(&weighted);
}

/* ---- power iteration ---- */

static void power(void)
{
    const z d[3] = {1, 2, 4}, pm[2] = {3, -3};
    poy_space *s = dense_space(3), *two = dense_space(2);
    poy_linop *a = diagonal_op(s, d), *b = diagonal_op(two, pm);
    poy_array *x = zeros_of(s), *zero = zeros_of(s), *y = zeros_of(two);
    poy_solve_options o = options(single() ? 1e-5 : 1e-9);
    poy_solve_result r;
    MUST(poy_power(ctx, a, &o, x, &r));
    ok(r.converged && fabs(r.eigenvalue - 4) < (single() ? 1e-4 : 1e-8), "power iteration: 4 of diag(1, 2, 4), %.10g",
       r.eigenvalue);
    o.x0 = zero;
    ok(poy_power(ctx, a, &o, x, &r) == POY_ERR_ARGUMENT, "power iteration from 0 is refused");
    o.x0 = NULL;
    o.seed = 3;
    MUST(poy_power(ctx, b, &o, y, &r));
    ok(!r.converged && r.reason != POY_REASON_CONVERGED, "3 and -3: %s", poy_solve_reason_name(r.reason));
    poy_array *all[] = {x, zero, y};
    for (int i = 0; i < 3; i++)
        poy_array_destroy(&all[i]);
    poy_linop_destroy(&a);
    poy_linop_destroy(&b);
    poy_space_destroy(&s);
    poy_space_destroy(&two);
}

/* ---- Arnoldi and exponentials against dense algebra ---- */

static void random_matrix(uint64_t seed, int hermitian, z *m)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const z a = random_value(seed, (uint64_t)i * N + (uint64_t)j),
                    b = conj(random_value(seed, (uint64_t)j * N + (uint64_t)i));
            m[i * N + j] = single() ? (z)(complex float)(hermitian ? (a + b) / 2 : a) : hermitian ? (a + b) / 2 : a;
        }
}

static void arnoldi(void)
{
    static z m[N * N], copy[N * N], vt[N * N], w[N];
    poy_space *s = dense_space(N);
    random_matrix(71, 0, m);
    poy_linop *a = dense_op(s, s, m);
    poy_solve_options o = options(single() ? 1e-4 : 1e-10);
    poy_solve_result r;
    poy_c128 values[4];
    double residuals[4];
    if (!is_complex()) {
        ok(poy_arnoldi(ctx, a, 4, &o, values, NULL, residuals, &r) == POY_ERR_DTYPE,
           "arnoldi in a real space is refused");
    } else {
        void *work = malloc(poyi_eig_work(N));
        int64_t extent[2] = {4, N};
        poy_array *v = random_array(1, 2, extent), *y = zeros_of(s);
        memcpy(copy, m, sizeof m);
        MUST(poyi_eig(ctx, N, copy, w, vt, work));
        MUST(poy_arnoldi(ctx, a, 4, &o, values, v, residuals, &r));
        double worst = 0, residual = 0;
        for (int64_t i = 0; i < 4; i++) {
            double nearest = HUGE_VAL;
            for (int j = 0; j < N; j++)
                nearest = fmin(nearest, cabs(w[j] - CMPLX(values[i].re, values[i].im)));
            worst = fmax(worst, nearest);
            const poy_array vi = poyi_member(v, i);
            const poy_scalar minus = {-values[i].re, -values[i].im};
            poy_work *scratch = NULL;
            double norm;
            MUST(poy_work_create(ctx, be, &scratch));
            MUST(poy_apply(ctx, a, scratch, &vi, y));
            MUST(poyi_axpy(ctx, scratch, 0, &minus, &vi, y));
            MUST(poy_space_norm(ctx, s, scratch, y, &norm));
            residual = fmax(residual, norm);
            poy_work_destroy(&scratch);
        }
        ok(r.converged && worst <= 1000 * eps() && residual <= 1000 * eps(),
           "arnoldi: eigenvalues to %.2g of LAPACK's, residual %.2g", worst, residual);
        free(work);
        poy_array_destroy(&v);
        poy_array_destroy(&y);
    }
    poy_linop_destroy(&a);
    poy_space_destroy(&s);
}

/* exp(t A) v against a dense exponential of the host. hermitian 2: but for one element in 1e5, which the operator's own
 * question lets pass; its exponential is that of the matrix as it is. */
static void exponential(const char *name, int hermitian, poy_scalar t, int64_t basis)
{
    static z m[N * N], e[N * N], work[6 * N * N], image[N];
    int32_t pivots[N];
    poy_space *s = dense_space(N);
    random_matrix(72, hermitian, m);
    if (hermitian == 2)
        m[1] *= 1 + 8e-6;
    poy_linop *a = dense_op(s, s, m);
    ok(poy_linop_hermitian(a) == (hermitian ? POY_YES : POY_NO), "%s: the operator says so", name);
    poy_array *v = random_of(s, 5), *y = zeros_of(s);
    z *host = values_of(v);
    for (int i = 0; i < N * N; i++)
        m[i] *= CMPLX(t.re, t.im);
    poyi_small_expm(N, m, e, work, pivots);
    for (int i = 0; i < N; i++) {
        image[i] = 0;
        for (int j = 0; j < N; j++)
            image[i] += e[i * N + j] * host[j];
    }
    poy_array *want = vector_of(N, image);
    poy_solve_options o = options(single() ? 1e-6 : 1e-13);
    poy_solve_result r;
    o.restart = basis;
    MUST(poy_expm_apply(ctx, a, t, v, &o, y, &r));
    ok(r.converged && distance(y, want) <= (single() ? 3e-4 : 1e-12),
       "%s %s expm, %s, bases of %lld: %.2g, %lld applications, estimate %.2g", backend_name, poy_dtype_name(dtype),
       name, (long long)basis, distance(y, want), (long long)r.applies, r.residual);
    poy_array *all[] = {v, y, want};
    for (int i = 0; i < 3; i++)
        poy_array_destroy(&all[i]);
    free(host);
    poy_linop_destroy(&a);
    poy_space_destroy(&s);
}

static void exponentials(void)
{
    const poy_scalar back = {-1.5, 0}, turn = {0.2, is_complex() ? -2 : 0};
    exponential("Hermitian", 1, back, 30);
    exponential("Hermitian", 1, back, 8);
    exponential("Hermitian, complex t", 1, turn, 10);
    exponential("general", 0, back, 30);
    exponential("general", 0, turn, 10);
    exponential("nearly Hermitian", 2, back, 30);
    /* zero, NaN, the ends of the range */
    poy_space *s = dense_space(N);
    static z m[N * N];
    random_matrix(73, 1, m);
    poy_linop *a = dense_op(s, s, m);
    poy_array *v = zeros_of(s), *y = random_of(s, 1);
    poy_solve_options o = options(1e-6);
    poy_solve_result r;
    double norm;
    MUST(poy_expm_apply(ctx, a, back, v, &o, y, &r));
    MUST(poy_space_norm(ctx, s, NULL, y, &norm));
    ok(r.converged && norm == 0 && r.applies == 0, "exp(t A) 0 = 0 at once");
    MUST(poy_fill_into(ctx, (poy_scalar){(double)NAN, 0}, v));
    ok(poy_expm_apply(ctx, a, back, v, &o, y, &r) == POY_ERR_NONFINITE, "exp(t A) of NaN is refused");
    MUST(poy_fill_into(ctx, (poy_scalar){single() ? 1e-30 : 1e-200, 0}, v));
    MUST(poy_expm_apply(ctx, a, back, v, &o, y, &r));
    ok(r.converged, "a small vector is like any other");
    poy_array_destroy(&v);
    poy_array_destroy(&y);
    poy_linop_destroy(&a);
    poy_space_destroy(&s);
}

/* ---- trace, singular values ---- */

static void traces(void)
{
    static z m[N * N];
    z d[N], sum = 0;
    poy_space *s = dense_space(N);
    for (int i = 0; i < N; i++)
        d[i] = i;
    random_matrix(74, 1, m);
    for (int i = 0; i < N; i++)
        sum += m[i * N + i];
    poy_linop *diagonal = diagonal_op(s, d), *a = dense_op(s, s, m);
    poy_scalar mean;
    double error;
    MUST(poy_trace_estimate(ctx, diagonal, 3, 1, NULL, &mean, &error));
    ok(fabs(mean.re - N * (N - 1) / 2) < 1000 * eps() && error < 1000 * eps(),
       "the trace of a diagonal is exact: %g +- %g", mean.re, error);
    MUST(poy_trace_estimate(ctx, a, 400, 1, NULL, &mean, &error));
    ok(fabs(mean.re - creal(sum)) <= 4 * error && error > 0, "a trace: %g +- %g, is %g", mean.re, error, creal(sum));
    poy_linop_destroy(&diagonal);
    poy_linop_destroy(&a);
    poy_space_destroy(&s);
}

/* Rank 5 in weighted spaces: five values and vectors to rounding, of which the dense decomposition knows. */
static void singular_values(void)
{
    enum { ROWS = 15, RANK = 5 };
    static z m[ROWS * N], dense[N * N], right[N * N];
    double wx[N], wy[ROWS], s[RANK + 1], want[N];
    for (int i = 0; i < N; i++)
        wx[i] = 1 + i % 4;
    for (int i = 0; i < ROWS; i++)
        wy[i] = 0.5 + i % 3;
    for (int i = 0; i < ROWS * N; i++) {
        m[i] = 0;
        for (int k = 0; k < RANK; k++)
            m[i] += random_value(81, (uint64_t)(i / N) * RANK + (uint64_t)k) * pow(0.3, k) *
                    random_value(82, (uint64_t)k * N + (uint64_t)(i % N));
    }
    poy_space *x = weighted_space(N, wx), *y = weighted_space(ROWS, wy);
    poy_linop *a = dense_op(x, y, m);
    const int64_t eu[2] = {RANK, ROWS}, ev[2] = {RANK, N};
    poy_array *u = random_array(1, 2, eu), *v = random_array(2, 2, ev), *av = zeros_of(y);
    for (int i = 0; i < N * N; i++) /* W_Y^1/2 A W_X^-1/2, with rows of 0 below */
        dense[i] = i < ROWS * N ? m[i] * sqrt(wy[i / N] / wx[i % N]) : 0;
    poyi_small_svd(N, dense, want, right);
    MUST(poy_svd_random(ctx, a, RANK, 3, 1, 9, NULL, s, u, v));
    double worst = 0, apart = 0;
    for (int64_t i = 0; i < RANK; i++) {
        const poy_array ui = poyi_member(u, i), vi = poyi_member(v, i);
        const poy_scalar minus = {-s[i], 0};
        poy_work *w = NULL;
        double norm;
        MUST(poy_work_create(ctx, be, &w));
        worst = fmax(worst, fabs(s[i] - want[i]));
        MUST(poy_apply(ctx, a, w, &vi, av));
        MUST(poyi_axpy(ctx, w, 0, &minus, &ui, av));
        MUST(poy_space_norm(ctx, y, w, av, &norm));
        apart = fmax(apart, norm);
        poy_work_destroy(&w);
    }
    ok(worst <= 100 * eps() * want[0] && apart <= 100 * eps() * want[0], "svd: values to %.2g, A v - s u %.2g of %.2g",
       worst, apart, want[0]);
    ok(poy_svd_random(ctx, a, RANK, 20, 1, 9, NULL, s, NULL, NULL) == POY_ERR_ARGUMENT,
       "svd: too many vectors are refused");
    poy_array_destroy(&u);
    poy_array_destroy(&v);
    poy_array_destroy(&av);
    poy_linop_destroy(&a);
    poy_space_destroy(&x);
    poy_space_destroy(&y);
}

static void test(void)
{
    if (dtype == POY_C128)
        golden();
    lanczos();
    power();
    arnoldi();
    exponentials();
    traces();
    singular_values();
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

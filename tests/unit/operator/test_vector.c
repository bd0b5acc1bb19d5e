/* test_vector.c: the arithmetic of long vectors, which goes in pieces, against the host's; the same bits for any number of
 * threads. */
#include "unit/operator_fixture.h"

enum { N = 50001 };

/* What goes through a vector once gives what the single steps give, for any number of threads. */
static void fused(poy_work *w, const poy_array *x, const poy_array *y)
{
    const poy_scalar a = {0.5, is_complex() ? -0.25 : 0}, b = {-0.75, 0};
    poy_scalar square[2], want;
    poy_array *r = NULL, *p = NULL, *q = NULL, *s = NULL;
    MUST(poy_copy(ctx, y, dtype, &p));
    MUST(poyi_axpy(ctx, w, 0, &a, x, p));
    MUST(poyi_dot(ctx, w, 0, p, p, &want));
    for (int threads = 0; threads < 2; threads++) {
        poy_ctx_set_threads(ctx, threads ? 3 : 1);
        MUST(poy_copy(ctx, y, dtype, &r));
        MUST(poyi_axpy_square(ctx, w, 0, &a, x, r, &square[threads]));
        ok(distance(r, p) == 0 && square[threads].re == want.re && square[threads].im == want.im,
           "y + a x and its square in one, %d threads", poy_ctx_threads(ctx));
        /* s += a q, q = p + b q */
        MUST(poy_copy(ctx, x, dtype, &q));
        MUST(poy_copy(ctx, y, dtype, &s));
        MUST(poyi_axpy_xpby(ctx, w, 0, &a, s, p, &b, q));
        ok(distance(s, r) == 0, "x + a p with p = z + b p, %d threads", poy_ctx_threads(ctx));
        poy_array_destroy(&r);
        MUST(poy_copy(ctx, x, dtype, &r));
        MUST(poyi_xpby(ctx, w, 0, p, &b, r));
        ok(distance(q, r) == 0, "and the p of it");
        poy_array_destroy(&r);
        poy_array_destroy(&q);
        poy_array_destroy(&s);
    }
    poy_ctx_set_threads(ctx, 1);
    poy_array_destroy(&p);
}

static void test(void)
{
    static z x[N], y[N];
    const int64_t n = N;
    const poy_scalar a = {0.5, is_complex() ? -0.25 : 0};
    z dot = 0;
    double scale = 0;
    for (uint64_t i = 0; i < N; i++) {
        const z u = random_value(1, i), v = random_value(2, i);
        x[i] = poy_dtype_real(dtype) == POY_F32 ? (z)(complex float)u : u;
        y[i] = poy_dtype_real(dtype) == POY_F32 ? (z)(complex float)v : v;
        dot += conj(x[i]) * y[i];
        scale += cabs(x[i]) * cabs(y[i]);
    }
    poy_array *ax = array_of(1, &n, x), *ay = array_of(1, &n, y), *sum = array_of(1, &n, y), *want;
    poy_scalar got[2];
    poy_work *w = NULL;
    MUST(poy_work_create(ctx, be, &w));
    for (int threads = 0; threads < 2; threads++) {
        poy_ctx_set_threads(ctx, threads ? 3 : 1);
        MUST(poyi_dot(ctx, w, 0, ax, ay, &got[threads]));
        for (int i = 0; i < N; i++)
            y[i] += CMPLX(a.re, a.im) * x[i];
        want = array_of(1, &n, y);
        MUST(poyi_axpy(ctx, w, 0, &a, ax, sum));
        ok(distance(sum, want) <= 8 * eps(), "%s %s: y + a x, %d threads", backend_name, poy_dtype_name(dtype),
           poy_ctx_threads(ctx));
        poy_array_destroy(&want);
        for (int i = 0; i < N; i++)
            y[i] = x[i] + CMPLX(a.re, a.im) * y[i];
        want = array_of(1, &n, y);
        MUST(poyi_xpby(ctx, w, 0, ax, &a, sum));
        ok(distance(sum, want) <= 8 * eps(), "x + b y, %d threads", poy_ctx_threads(ctx));
        poy_array_destroy(&want);
    }
    poy_ctx_set_threads(ctx, 1);
    fused(w, ax, sum);
    ok(hypot(got[0].re - creal(dot), got[0].im - cimag(dot)) <= 40 * eps() * scale, "sum of conj(x) y");
    ok(got[0].re == got[1].re && got[0].im == got[1].im, "the same bits for 1 and 3 threads");
    poy_array_destroy(&ax);
    poy_array_destroy(&ay);
    poy_array_destroy(&sum);
    poy_work_destroy(&w);
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

/* test_functional.c: functionals: gradients and Hessians against differences in every metric, proximal maps by their
 * optimality and Moreau's identity, refusals. */
#include "poynting/functional.h"
#include "unit/operator_fixture.h"

static double real_inner(const poy_space *s, const poy_array *x, const poy_array *y)
{
    poy_scalar dot = {0, 0};
    MUST(poy_space_inner(ctx, s, NULL, x, y, &dot));
    return dot.re;
}

/* y = x + a h */
static void along(poy_work *w, const poy_array *x, double a, const poy_array *h, poy_array *y)
{
    const poy_scalar s = {a, 0};
    MUST(poy_copy_into(ctx, x, y));
    MUST(poyi_axpy(ctx, w, 0, &s, h, y));
}

static double value_of(const poy_functional *f, const poy_array *x)
{
    double value = (double)NAN;
    MUST(poy_functional_value(ctx, f, NULL, x, &value));
    return value;
}

/* A batch is a loop: values, gradients, second derivatives, proximal maps where there are such. */
static void batches(const char *name, const poy_functional *f)
{
    enum { K = 3 };
    const poy_space *s = poy_functional_space(f);
    int64_t extent[POY_RANK_MAX];
    const int rank = poyi_space_shape(s, K, extent);
    poy_array *x = random_array(31, rank, extent), *h = random_array(32, rank, extent);
    poy_array *y[4], *want[4];
    double value[K], alone = 0;
    int same = 1;
    for (int j = 0; j < 4; j++) {
        y[j] = random_array(33, rank, extent);
        want[j] = random_array(33, rank, extent);
    }
    const poy_status gradient = poy_functional_gradient(ctx, f, NULL, x, value, y[0]);
    const poy_status hessian = poy_functional_hessian(ctx, f, NULL, x, h, y[1]);
    const poy_status prox = poy_functional_prox(ctx, f, NULL, 0.5, x, y[2]);
    const poy_status conjugate = poy_functional_conjugate_prox(ctx, f, NULL, 0.5, x, y[3]);
    for (int64_t i = 0; i < K; i++) {
        const poy_array xi = poyi_member(x, i), hi = poyi_member(h, i);
        poy_array to[4];
        for (int j = 0; j < 4; j++)
            to[j] = poyi_member(want[j], i);
        same &= poy_functional_gradient(ctx, f, NULL, &xi, &alone, &to[0]) == gradient &&
                poy_functional_hessian(ctx, f, NULL, &xi, &hi, &to[1]) == hessian &&
                poy_functional_prox(ctx, f, NULL, 0.5, &xi, &to[2]) == prox &&
                poy_functional_conjugate_prox(ctx, f, NULL, 0.5, &xi, &to[3]) == conjugate;
        same &= gradient != POY_OK || alone == value[i];
    }
    const poy_status all[4] = {gradient, hessian, prox, conjugate};
    for (int j = 0; j < 4; j++)
        same &= all[j] != POY_OK || distance(y[j], want[j]) == 0;
    ok(same, "%s: a batch is a loop", name);
    if (prox == POY_OK) {
        MUST(poy_functional_prox(ctx, f, NULL, 0.5, x, x));
        ok(distance(x, y[2]) == 0, "%s: also in place", name);
    }
    for (int j = 0; j < 4; j++) {
        poy_array_destroy(&y[j]);
        poy_array_destroy(&want[j]);
    }
    poy_array_destroy(&x);
    poy_array_destroy(&h);
}

/* Re <grad f, h> against a central difference with h = u^(1/3): truncation and rounding are both u^(2/3); so for the
 * Hessian. The Hessian is self-adjoint. */
static void derivatives(const char *name, const poy_functional *f)
{
    const poy_space *s = poy_functional_space(f);
    const double step = cbrt(eps()), bound = 60 * step * step;
    poy_work *w = NULL;
    MUST(poy_work_create(ctx, be, &w));
    poy_array *x = random_of(s, 1), *h = random_of(s, 2), *k = random_of(s, 3), *g = zeros_of(s), *gp = zeros_of(s),
              *gm = zeros_of(s), *xp = zeros_of(s), *xm = zeros_of(s), *hh = zeros_of(s), *hk = zeros_of(s);
    double value = 0;
    MUST(poy_functional_gradient(ctx, f, w, x, &value, g));
    along(w, x, step, h, xp);
    along(w, x, -step, h, xm);
    const double slope = (value_of(f, xp) - value_of(f, xm)) / (2 * step), want = real_inner(s, g, h);
    const double scale = fabs(want) + fabs(value) + 1;
    ok(fabs(slope - want) <= bound * scale, "%s %s %s: Df[h] = Re <grad f, h>: %.9g, %.9g", backend_name,
       poy_dtype_name(dtype), name, slope, want);
    ok(fabs(value - value_of(f, x)) <= 8 * eps() * scale, "%s: the fused value", name);
    const poy_status status = poy_functional_hessian(ctx, f, w, x, h, hh);
    if (status == POY_OK) {
        double gap, norm;
        MUST(poy_functional_gradient(ctx, f, w, xp, NULL, gp));
        MUST(poy_functional_gradient(ctx, f, w, xm, NULL, gm));
        along(w, gp, -1, gm, gp);
        const poy_scalar down = {1 / (2 * step), 0};
        MUST(poyi_scale(ctx, w, 0, &down, gp, gp));
        along(w, gp, -1, hh, gp);
        MUST(poy_space_norm(ctx, s, w, gp, &gap));
        MUST(poy_space_norm(ctx, s, w, hh, &norm));
        ok(gap <= bound * 4 * (norm + scale), "%s: the Hessian's action, %.2g of %.2g", name, gap, norm);
        MUST(poy_functional_hessian(ctx, f, w, x, k, hk));
        const double a = real_inner(s, hh, k), b = real_inner(s, h, hk);
        ok(fabs(a - b) <= 1000 * eps() * (fabs(a) + norm + scale), "%s: the Hessian is self-adjoint", name);
    } else {
        ok(status == POY_ERR_UNSUPPORTED, "%s: no Hessian, and says so", name);
    }
    batches(name, f);
    poy_array *all[] = {x, h, k, g, gp, gm, xp, xm, hh, hk};
    for (int i = 0; i < 10; i++)
        poy_array_destroy(&all[i]);
    poy_work_destroy(&w);
}

/* p = prox_t f (x) minimises f(y) + |y - x|^2 / 2t: no y near it has less. And Moreau: x = that + t times prox of the conjugate. */
static void proximal(const char *name, const poy_functional *f, double t)
{
    const poy_space *s = poy_functional_space(f);
    poy_work *w = NULL;
    MUST(poy_work_create(ctx, be, &w));
    poy_array *x = random_of(s, 4), *p = zeros_of(s), *y = zeros_of(s), *d = zeros_of(s), *c = zeros_of(s);
    MUST(poy_functional_prox(ctx, f, w, t, x, p));
    along(w, p, -1, x, d);
    const double least = value_of(f, p) + real_inner(s, d, d) / (2 * t);
    int minimal = isfinite(least);
    for (uint64_t i = 0; i < 8; i++) {
        poy_array *h = random_of(s, 20 + i);
        along(w, p, i % 2 ? 1e-2 : 0.3, h, y);
        along(w, y, -1, x, d);
        minimal &= value_of(f, y) + real_inner(s, d, d) / (2 * t) >= least - 100 * eps() * (1 + fabs(least));
        poy_array_destroy(&h);
    }
    ok(minimal, "%s %s %s: prox minimises", backend_name, poy_dtype_name(dtype), name);
    /* prox_{1/t} f* (x / t) */
    const poy_scalar down = {1 / t, 0};
    double gap, norm;
    MUST(poyi_scale(ctx, w, 0, &down, x, y));
    MUST(poy_functional_conjugate_prox(ctx, f, w, 1 / t, y, c));
    along(w, p, t, c, d);
    along(w, d, -1, x, d);
    MUST(poy_space_norm(ctx, s, w, d, &gap));
    MUST(poy_space_norm(ctx, s, w, x, &norm));
    ok(gap <= 64 * eps() * norm * (1 + t + 1 / t), "%s: Moreau's identity", name);
    poy_array *all[] = {x, p, y, d, c};
    for (int i = 0; i < 5; i++)
        poy_array_destroy(&all[i]);
    poy_work_destroy(&w);
}

/* A caller's: 1/4 sum |x|^4 by coordinates. */
static poy_status quartic(poy_ctx *c, void *user, const poy_array *x, double *value, poy_array *gradient)
{
    z *v = NULL;
    (void)user;
    poy_status status = poyi_dense_read(c, x, &v);
    *value = 0;
    for (int64_t i = 0; status == POY_OK && i < poy_array_size(x); i++) {
        const double square = pow(cabs(v[i]), 2);
        *value += square * square / 4;
        v[i] *= square;
    }
    if (status == POY_OK && gradient)
        status = poyi_dense_write(c, gradient, v);
    free(v);
    return status;
}

static poy_linop *hermitian_on(poy_space *s)
{
    const int64_t n = poy_space_size(s), shape[2] = {n, n};
    z m[64];
    poy_linop *op = NULL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            m[i * n + j] = (random_value(5, (uint64_t)(i * n + j)) + conj(random_value(5, (uint64_t)(j * n + i)))) /
                           (s->weights ? s->weights[i] : 1.0);
    poy_array *a = array_of(2, shape, m);
    MUST(poy_linop_dense(ctx, a, s, s, &op));
    poy_array_destroy(&a);
    return op;
}

static void refusals(poy_space *s, poy_functional *squares)
{
    poy_functional *f = NULL;
    poy_array *x = random_of(s, 1), *y = zeros_of(s);
    ok(poy_functional_lp(ctx, s, 0.5, &f) == POY_ERR_ARGUMENT && !f, "p below 1 is refused");
    ok(poy_functional_prox(ctx, squares, NULL, 0, x, y) == POY_ERR_ARGUMENT, "a step of 0 is refused");
    ok(poy_functional_prox(ctx, squares, NULL, HUGE_VAL, x, y) == POY_ERR_ARGUMENT, "an infinite step is refused");
    MUST(poy_functional_product(ctx, squares, squares, &f));
    ok(poy_functional_prox(ctx, f, NULL, 1, x, y) == POY_ERR_UNSUPPORTED, "a product has no prox");
    poy_functional_destroy(&f);
    MUST(poy_functional_scale(ctx, -1, squares, &f));
    ok(poy_functional_prox(ctx, f, NULL, 1, x, y) == POY_ERR_UNSUPPORTED, "what is not convex has no prox");
    poy_functional_destroy(&f);
    MUST(poy_functional_indicator(ctx, s, POY_SET_BALL, 0.1, &f));
    ok(poy_functional_gradient(ctx, f, NULL, x, NULL, y) == POY_ERR_NOT_DIFFERENTIABLE, "an indicator has no gradient");
    ok(isinf(value_of(f, x)) && value_of(f, y) == 0, "and is infinite outside");
    poy_functional_destroy(&f);
    poy_array_destroy(&x);
    poy_array_destroy(&y);
}

static void in_space(poy_space *s, poy_space *other)
{
    const int64_t n = poy_space_size(s), m = poy_space_size(other), shape[2] = {m, n};
    poy_array *c = random_of(s, 7), *matrix = random_array(8, 2, shape), *c2 = random_of(other, 9);
    poy_linop *q = hermitian_on(s), *a = NULL;
    poy_functional *f[12] = {0}, *pair[2];
    const poy_functional_user user = {.size = sizeof user, .evaluate = quartic, .coordinate = 1};
    MUST(poy_linop_dense(ctx, matrix, s, other, &a));
    MUST(poy_functional_linear(ctx, s, c, &f[0]));
    MUST(poy_functional_quadratic(ctx, q, c, 0.5, &f[1]));
    MUST(poy_functional_squared_norm(ctx, s, &f[2]));
    MUST(poy_functional_lp(ctx, s, 3, &f[3]));
    MUST(poy_functional_lp(ctx, s, 1, &f[4]));
    MUST(poy_functional_create(ctx, s, &user, &f[5]));
    MUST(poy_functional_scale(ctx, -0.7, f[1], &f[6]));
    pair[0] = f[2];
    pair[1] = f[1];
    MUST(poy_functional_sum(ctx, 2, pair, &f[7]));
    MUST(poy_functional_product(ctx, f[1], f[2], &f[8]));
    MUST(poy_functional_shift(ctx, f[8], c, &f[9]));
    poy_functional *outer = NULL, *shifted = NULL;
    MUST(poy_functional_squared_norm(ctx, other, &outer));
    MUST(poy_functional_shift(ctx, outer, c2, &shifted));
    MUST(poy_functional_compose(ctx, shifted, a, &f[10])); /* 1/2 |A x - b|^2 */
    MUST(poy_functional_constant(ctx, s, 3, &f[11]));
    const char *const names[] = {"linear", "quadratic", "squared norm", "3-norm",  "1-norm",        "user",
                                 "scaled", "sum",       "product",      "shifted", "least squares", "constant"};
    for (int i = 0; i < 12; i++)
        if (i != 4) /* which has kinks */
            derivatives(names[i], f[i]);
    poy_functional *l1 = NULL, *ball = NULL, *sum = NULL;
    MUST(poy_functional_scale(ctx, 0.3, f[4], &l1));
    MUST(poy_functional_indicator(ctx, s, POY_SET_BALL, 0.8, &ball));
    poy_functional *const terms[3] = {f[0], l1, f[11]};
    MUST(poy_functional_sum(ctx, 3, terms, &sum));
    proximal("linear", f[0], 0.7);
    proximal("squared norm", f[2], 2.5);
    proximal("1-norm", f[4], 0.2);
    proximal("scaled 1-norm", l1, 0.5);
    proximal("1-norm + linear + constant", sum, 0.5);
    proximal("ball", ball, 1.5);
    proximal("constant", f[11], 1);
    refusals(s, f[2]);
    poy_functional *more[] = {outer, shifted, l1, ball, sum};
    for (int i = 0; i < 12; i++)
        poy_functional_destroy(&f[i]);
    for (int i = 0; i < 5; i++)
        poy_functional_destroy(&more[i]);
    poy_linop_destroy(&q);
    poy_linop_destroy(&a);
    poy_array_destroy(&c);
    poy_array_destroy(&c2);
    poy_array_destroy(&matrix);
}

static void sets(void)
{
    const double w[4] = {1, 3, 0.5, 2};
    poy_space *h = NULL, *s = weighted_space(4, w);
    poy_functional *positive = NULL, *f = NULL;
    MUST(poy_space_hermitian(ctx, be, dtype, 4, 0, 0, &h));
    MUST(poy_functional_indicator(ctx, h, POY_SET_POSITIVE, 0, &positive));
    proximal("positive matrices", positive, 0.5);
    if (is_complex()) {
        ok(poy_functional_indicator(ctx, s, POY_SET_NONNEGATIVE, 0, &f) == POY_ERR_UNSUPPORTED,
           "complex coordinates have no order");
    } else {
        MUST(poy_functional_indicator(ctx, s, POY_SET_NONNEGATIVE, 0, &f));
        proximal("nonnegative", f, 0.5);
    }
    poy_functional_destroy(&positive);
    poy_functional_destroy(&f);
    poy_space_destroy(&h);
    poy_space_destroy(&s);
}

static void test(void)
{
    const double w[6] = {1, 3, 0.5, 2, 0.25, 1};
    poy_space *flat = dense_space(6), *weighted = weighted_space(6, w), *other = weighted_space(4, w);
    in_space(flat, other);
    in_space(weighted, other);
    sets();
    poy_space_destroy(&flat);
    poy_space_destroy(&weighted);
    poy_space_destroy(&other);
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

/* test_space.c: the axioms of spaces on random elements, closed forms, membership, and refusals. */
#include "unit/operator_fixture.h"

static double close_to(poy_scalar a, poy_scalar b, double scale)
{
    return hypot(a.re - b.re, a.im - b.im) / scale;
}

/* <x,y> = conj <y,x>; sesquilinear; positive; R^-1 R = 1; |xi|* of R x is |x|; pair(R x, y) = Re <x, y>; batch = loop. */
static void axioms(const char *name, poy_space *s)
{
    const double u = 64 * (double)poy_space_size(s) * eps();
    poy_work *w = NULL;
    poy_array *x = random_of(s, 1), *y = random_of(s, 2), *t = zeros_of(s), *r = zeros_of(s);
    poy_scalar xy, yx, xx, xt;
    double nx, ny, dual, pair, nt;
    const poy_scalar a = {0.75, is_complex() ? -1.5 : 0};

    MUST(poy_work_create(ctx, be, &w));
    MUST(poy_space_inner(ctx, s, w, x, y, &xy));
    MUST(poy_space_inner(ctx, s, w, y, x, &yx));
    MUST(poy_space_inner(ctx, s, w, x, x, &xx));
    MUST(poy_space_norm(ctx, s, w, x, &nx));
    MUST(poy_space_norm(ctx, s, w, y, &ny));
    ok(close_to(xy, (poy_scalar){yx.re, -yx.im}, nx * ny) <= u, "%s %s %s: <x, y> = conj <y, x>", backend_name,
       poy_dtype_name(dtype), name);
    ok(xx.re > 0 && fabs(xx.im) <= u * xx.re && fabs(nx * nx - xx.re) <= u * xx.re, "%s: |x|^2 = <x, x> > 0", name);

    MUST(poy_copy_into(ctx, y, t)); /* t = y + a x */
    MUST(poyi_axpy(ctx, w, 0, &a, x, t));
    MUST(poy_space_inner(ctx, s, w, x, t, &xt));
    const poy_scalar sum = {xy.re + a.re * xx.re - a.im * xx.im, xy.im + a.re * xx.im + a.im * xx.re};
    ok(close_to(xt, sum, nx * (ny + 2 * nx)) <= u, "%s: <x, y + a x> = <x, y> + a <x, x>", name);

    MUST(poy_space_riesz(ctx, s, w, x, r));
    MUST(poy_space_pair(ctx, s, w, r, y, &pair));
    ok(fabs(pair - xy.re) <= u * nx * ny, "%s: the pairing with R x is Re <x, .>", name);
    if (poy_space_can(s) & POY_SPACE_RIESZ_INVERSE) {
        MUST(poy_space_riesz_inverse(ctx, s, w, r, t));
        ok(distance(t, x) <= u, "%s: R^-1 R = 1", name);
        MUST(poy_space_dual_norm(ctx, s, w, r, &dual));
        ok(fabs(dual - nx) <= u * nx, "%s: |R x|* = |x|", name);
    }

    /* a batch */
    int64_t extent[POY_RANK_MAX];
    const int rank = poyi_space_shape(s, 3, extent);
    poy_array *bx = random_array(5, rank, extent), *by = random_array(6, rank, extent);
    poy_scalar many[3], one;
    double norms[3];
    int same = 1;
    MUST(poy_space_inner(ctx, s, w, bx, by, many));
    MUST(poy_space_norm(ctx, s, w, bx, norms));
    for (int64_t i = 0; i < 3; i++) {
        const poy_array xi = poyi_member(bx, i), yi = poyi_member(by, i);
        MUST(poy_space_norm(ctx, s, w, &xi, &nx));
        MUST(poy_space_norm(ctx, s, w, &yi, &ny));
        MUST(poy_space_inner(ctx, s, w, &xi, &yi, &one));
        same &= close_to(many[i], one, nx * ny) <= u && fabs(norms[i] - nx) <= u * nx;
    }
    ok(same, "%s: a batch is a loop", name);

    /* the ends of the range: 2^-500 x (2^-70 in f32), whose squares are 0 */
    const double tiny = ldexp(1.0, poy_dtype_real(dtype) == POY_F32 ? -100 : -700);
    const poy_scalar small = {tiny, 0}, large = {1 / tiny, 0};
    MUST(poy_space_norm(ctx, s, w, x, &nx));
    MUST(poyi_scale(ctx, w, 0, &small, x, t));
    MUST(poy_space_norm(ctx, s, w, t, &nt));
    ok(fabs(nt / tiny - nx) <= u * nx, "%s: the norm of %g x is %g", name, tiny, nt);
    MUST(poyi_scale(ctx, w, 0, &large, x, t));
    MUST(poy_space_norm(ctx, s, w, t, &nt));
    ok(fabs(nt * tiny - nx) <= u * nx, "%s: the norm of %g x is %g", name, 1 / tiny, nt);
    poy_array_destroy(&x);
    poy_array_destroy(&y);
    poy_array_destroy(&t);
    poy_array_destroy(&r);
    poy_array_destroy(&bx);
    poy_array_destroy(&by);
    poy_work_destroy(&w);
}

static double square_of(void *user, double v)
{
    (void)user;
    return v * v;
}

/* (x o y) o x^2 = x o (y o x^2); unit; spectral square = Jordan square; trace and determinant of the spectrum. */
static void jordan(const char *name, poy_space *s)
{
    const double u = 256 * (double)poy_space_size(s) * eps();
    poy_array *x = random_of(s, 3), *y = random_of(s, 4), *xx = zeros_of(s), *a = zeros_of(s), *b = zeros_of(s),
              *c = zeros_of(s);
    MUST(poy_space_jordan(ctx, s, x, x, xx));
    MUST(poy_space_jordan(ctx, s, x, y, a));
    MUST(poy_space_jordan(ctx, s, a, xx, b)); /* (x o y) o x^2 */
    MUST(poy_space_jordan(ctx, s, y, xx, a));
    MUST(poy_space_jordan(ctx, s, x, a, c));
    ok(distance(b, c) <= u, "%s: Jordan identity", name);
    MUST(poy_space_unit(ctx, s, a));
    MUST(poy_space_jordan(ctx, s, a, x, b));
    ok(distance(b, x) <= u, "%s: unit", name);
    MUST(poy_space_star(ctx, s, x, a));
    MUST(poy_space_star(ctx, s, a, b));
    ok(distance(b, x) == 0, "%s: star star = 1", name);
    MUST(poy_space_check(ctx, s, xx, POY_CHECK_SHAPE));
    double lambda[64], trace, determinant, sum = 0, product = 1;
    const int64_t n = poy_space_spectrum_size(s);
    if (strstr(name, "elementwise") && is_complex()) {
        ok(poy_space_spectrum(ctx, s, x, lambda) == POY_ERR_UNSUPPORTED, "%s: no real spectrum", name);
    } else {
        MUST(poy_space_spectral_apply(ctx, s, x, square_of, NULL, a));
        ok(distance(a, xx) <= u, "%s: the square by the spectrum", name);
        MUST(poy_space_spectrum(ctx, s, x, lambda));
        MUST(poy_space_trace(ctx, s, x, &trace));
        MUST(poy_space_determinant(ctx, s, x, &determinant));
        for (int64_t i = 0; i < n; i++) {
            sum += lambda[i];
            product *= lambda[i];
        }
        ok(fabs(trace - sum) <= u && fabs(determinant - product) <= u, "%s: trace and determinant", name);
    }
    poy_array *all[] = {x, y, xx, a, b, c};
    for (int i = 0; i < 6; i++)
        poy_array_destroy(&all[i]);
}

static poy_space *metric_space(poy_space *base, int with_inverse)
{
    const int64_t n = poy_space_size(base), shape[2] = {n, n};
    z *m = calloc((size_t)(n * n), sizeof *m), *inverse = calloc((size_t)(n * n), sizeof *m);
    poy_space *s = NULL;
    poy_linop *a = NULL, *b = NULL;
    /* M = 1 + v v^H / (1 + |v|^2): M^-1 = 1 - v v^H / (1 + 2 |v|^2) */
    double norm = 0;
    for (int64_t i = 0; i < n; i++)
        norm += pow(cabs(random_value(9, (uint64_t)i)), 2);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const z p = random_value(9, (uint64_t)i) * conj(random_value(9, (uint64_t)j));
            m[i * n + j] = (i == j) + p / (1 + norm);
            inverse[i * n + j] = (i == j) - p / (1 + 2 * norm);
        }
    poy_array *am = array_of(2, shape, m), *ai = array_of(2, shape, inverse);
    MUST(poy_linop_dense(ctx, am, base, base, &a));
    MUST(poy_linop_dense(ctx, ai, base, base, &b));
    MUST(poy_space_metric(ctx, a, with_inverse ? b : NULL, &s));
    poy_linop_destroy(&a);
    poy_linop_destroy(&b);
    poy_array_destroy(&am);
    poy_array_destroy(&ai);
    free(m);
    free(inverse);
    return s;
}

/* ---- a caller's space: pairs of coordinates joined by [[2, 1], [1, 2]] ---- */

static poy_status join(poy_ctx *c, const poy_array *x, poy_array *y, double own, double other)
{
    z *v = NULL;
    poy_status status = poyi_dense_read(c, x, &v);
    for (int64_t i = 0; status == POY_OK && i + 1 < poy_array_size(x); i += 2) {
        const z a = v[i], b = v[i + 1];
        v[i] = own * a + other * b;
        v[i + 1] = other * a + own * b;
    }
    if (status == POY_OK)
        status = poyi_dense_write(c, y, v);
    free(v);
    return status;
}

static poy_status joined(poy_ctx *c, void *user, const poy_array *x, poy_array *y)
{
    (void)user;
    return join(c, x, y, 2, 1);
}

static poy_status parted(poy_ctx *c, void *user, const poy_array *x, poy_array *y)
{
    (void)user;
    return join(c, x, y, 2.0 / 3, -1.0 / 3);
}

static poy_status product_of(poy_ctx *c, void *user, const poy_array *x, const poy_array *y, poy_scalar *out)
{
    z *a = NULL, *b = NULL, sum = 0;
    (void)user;
    poy_status status = poyi_dense_read(c, x, &a);
    if (status == POY_OK)
        status = poyi_dense_read(c, y, &b);
    for (int64_t i = 0; status == POY_OK && i + 1 < poy_array_size(x); i += 2)
        sum += conj(a[i]) * (2 * b[i] + b[i + 1]) + conj(a[i + 1]) * (b[i] + 2 * b[i + 1]);
    *out = (poy_scalar){creal(sum), cimag(sum)};
    free(a);
    free(b);
    return status;
}

static poy_status first_is_1(poy_ctx *c, void *user, const poy_array *x)
{
    z *a = NULL;
    (void)user;
    poy_status status = poyi_dense_read(c, x, &a);
    if (status == POY_OK && a[0] != 1)
        status = POY_ERR_MISMATCH;
    free(a);
    return status;
}

static void count_release(void *user)
{
    ++*(int *)user;
}

static void callers(poy_space *plane)
{
    const int64_t n = 6;
    int released = 0;
    poy_space_user user = {sizeof user, joined, parted, product_of, first_is_1, count_release, &released};
    poy_space *s = NULL, *other = NULL, *tree = NULL;
    MUST(poy_space_create(ctx, be, dtype, 1, &n, &user, &s));
    axioms("a caller's", s);
    user.inner = NULL;
    MUST(poy_space_create(ctx, be, dtype, 1, &n, &user, &other));
    axioms("a caller's without <x, y>", other);
    poy_space *const parts[2] = {other, plane};
    MUST(poy_space_product(ctx, 2, parts, NULL, &tree));
    axioms("a product with a caller's", tree);
    ok(poy_space_equal(s, s) && !poy_space_equal(s, other) && poy_space_can(s) == POY_SPACE_RIESZ_INVERSE,
       "a caller's space is equal to itself only, and has no algebra");
    poy_array *x = random_of(s, 1);
    ok(poy_space_check(ctx, s, x, POY_CHECK_SHAPE) == POY_OK &&
           poy_space_check(ctx, s, x, POY_CHECK_STANDARD) == POY_ERR_MISMATCH,
       "its members are judged by the caller: %s", poy_ctx_cause(ctx));
    const int64_t square[2] = {n, n};
    poy_array *a = random_array(3, 2, square);
    poy_linop *op = NULL;
    double worst = 1;
    MUST(poy_linop_dense(ctx, a, s, s, &op));
    poy_array_destroy(&a);
    MUST(poy_dottest(ctx, op, 1, 3, &worst));
    ok(worst <= 32 * (double)n * eps(), "the adjoint of an operator on it is that of its metric: %.2g", worst);
    poy_linop_destroy(&op);
    poy_space_destroy(&tree);
    poy_space_destroy(&s);
    poy_space_destroy(&other);
    ok(released == 2, "it is released once");
    user.riesz_inverse = NULL;
    MUST(poy_space_create(ctx, be, dtype, 1, &n, &user, &s));
    ok(poy_space_riesz_inverse(ctx, s, NULL, x, x) == POY_ERR_UNSUPPORTED, "R^-1 that was not given is refused");
    poy_space_destroy(&s);
    user.riesz = NULL;
    ok(poy_space_create(ctx, be, dtype, 1, &n, &user, &s) == POY_ERR_ARGUMENT && !s, "a space without R is refused");
    poy_array_destroy(&x);
}

static void refusals(poy_space *weighted, poy_space *metric)
{
    poy_array *x = zeros_of(weighted), *y = NULL, *w = NULL;
    poy_space *s = NULL, *h = NULL;
    const int64_t two = 2, square[2] = {2, 2};
    double lambda;
    MUST(poy_fill(ctx, be, (poy_scalar){-1, 0}, POY_F64, 0, NULL, &w));
    ok(poy_space_weighted(ctx, w, dtype, 1, &two, &s) == POY_ERR_ARGUMENT && !s, "a weight below 0 is refused");
    poy_array_destroy(&w);
    MUST(poy_fill(ctx, be, (poy_scalar){(double)NAN, 0}, POY_F64, 0, NULL, &w));
    ok(poy_space_weighted(ctx, w, dtype, 1, &two, &s) == POY_ERR_ARGUMENT && !s, "a weight that is NaN is refused");
    ok(poy_space_dense(ctx, be, POY_I64, 1, &two, &s) == POY_ERR_DTYPE && !s, "a space of integers is refused");
    MUST(poy_space_dense(ctx, be, dtype, 1, &two, &s));
    ok(poy_space_check(ctx, s, x, POY_CHECK_SHAPE) == POY_ERR_SHAPE, "an element of another shape is refused");
    ok(poy_space_spectrum(ctx, s, x, &lambda) == POY_ERR_UNSUPPORTED, "a space without an algebra has no spectrum");
    ok(poy_space_riesz_inverse(ctx, metric, NULL, x, x) == POY_ERR_UNSUPPORTED ||
           poy_space_size(metric) != poy_space_size(weighted),
       "a metric without its inverse has no R^-1");
    MUST(poy_space_hermitian(ctx, be, dtype, 2, 0, 0, &h));
    const z skew[4] = {1, 2, 2 + eps() * 4, 1};
    y = array_of(2, square, skew);
    ok(poy_space_check(ctx, h, y, POY_CHECK_SHAPE) == POY_OK, "a skew matrix has the shape");
    ok(poy_space_check(ctx, h, y, POY_CHECK_STANDARD) == POY_ERR_MISMATCH, "and is no Hermitian one");
    poy_array_destroy(&y);
    const z bad[4] = {1, (double)NAN, (double)NAN, 1};
    y = array_of(2, square, bad);
    ok(poy_space_check(ctx, h, y, POY_CHECK_FINITE) == POY_ERR_NONFINITE, "a NaN is told");
    poy_space_destroy(&h);
    poy_space_destroy(&s);
    poy_array_destroy(&x);
    poy_array_destroy(&y);
    poy_array_destroy(&w);
}

static void test(void)
{
    const double w[5] = {2, 5, 0.25, 1, 3};
    const int64_t shape[2] = {3, 4};
    poy_space *dense = dense_space(7), *weighted = weighted_space(5, w), *plane = NULL, *hermitian = NULL,
              *elementwise = NULL, *product = NULL, *nested = NULL, *stacked = NULL, *metric = NULL, *half = NULL;
    MUST(poy_space_dense(ctx, be, dtype, 2, shape, &plane));
    MUST(poy_space_hermitian(ctx, be, dtype, 4, 0, 0, &hermitian));
    MUST(poy_space_elementwise(ctx, be, NULL, dtype, 1, shape, &elementwise));
    MUST(poy_space_stacked(ctx, weighted, 3, &stacked));
    metric = metric_space(dense, 1);
    half = metric_space(dense, 0);
    poy_space *const parts[3] = {weighted, plane, hermitian};
    const char *const names[3] = {"phase", "map", "rho"};
    MUST(poy_space_product(ctx, 3, parts, names, &product));
    poy_space *const tree[2] = {product, metric};
    MUST(poy_space_product(ctx, 2, tree, NULL, &nested));

    axioms("dense", dense);
    axioms("plane", plane);
    axioms("weighted", weighted);
    axioms("stacked", stacked);
    axioms("hermitian", hermitian);
    axioms("metric", metric);
    axioms("half metric", half);
    axioms("product", product);
    axioms("tree", nested);
    jordan("hermitian", hermitian);
    jordan("elementwise", elementwise);
    poy_space *two[2] = {hermitian, hermitian}, *pair = NULL, *mixed = NULL;
    MUST(poy_space_product(ctx, 2, two, NULL, &pair));
    two[0] = pair;
    two[1] = elementwise;
    MUST(poy_space_product(ctx, 2, two, NULL, &mixed));
    jordan("a product of hermitian ones", pair);
    jordan("a tree with an elementwise leaf", mixed);
    ok(poy_space_spectrum_size(mixed) == 11 && poy_space_spectrum_size(nested) == 0 &&
           poy_space_can(mixed) & POY_SPACE_JORDAN && !(poy_space_can(product) & POY_SPACE_JORDAN),
       "a product has an algebra where all parts have one");
    poy_space_destroy(&pair);
    poy_space_destroy(&mixed);
    callers(plane);
    refusals(weighted, half);

    ok(!strcmp(poy_space_part_name(product, 1), "map") && poy_space_parts(nested) == 2 &&
           poy_space_size(nested) == 5 + 12 + 16 + 7,
       "parts have names, sizes add up");
    poy_array *x = random_of(product, 8), *part = NULL;
    MUST(poy_space_view(ctx, product, x, 2, &part));
    ok(poy_space_check(ctx, hermitian, part, POY_CHECK_FINITE) == POY_OK,
       "part 2 of an element is an element of part 2");
    ok(poy_space_check(ctx, product, x, POY_CHECK_STANDARD) == POY_OK, "membership of a product is that of its parts");
    poy_array_destroy(&part);
    poy_array_destroy(&x);

    poy_space *again = weighted_space(5, w),
              *all[] = {dense, weighted, plane, hermitian, elementwise, product, nested, stacked, metric, half};
    ok(poy_space_equal(again, weighted) && !poy_space_equal(dense, metric), "spaces are compared by value");
    poy_space_destroy(&again);
    for (int i = 0; i < 10; i++)
        poy_space_destroy(&all[i]);
}

int main(void)
{
    everywhere(test);
    return tap_done();
}

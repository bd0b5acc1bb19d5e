/* test_record_values.c: closed forms of the built-in records, the conjugation of their gradients, and what happens at 0, at
 * singular and repeated points, and beyond the range. */
#include <float.h>

#include "record_call.h"

/* A function of one complex number: value and gradient of L = Re(conj(g) y). */
static void at(poy_ctx *ctx, const char *name, double re, double im, double g_re, double g_im, const double *want,
               double rtol, const char *what)
{
    double z[2] = {re, im}, g[2] = {g_re, g_im};
    call c;
    const poy_rec_array in = array(POY_C128, 0, 0, 0, z);
    const poy_status status = evaluate(ctx, &c, name, NULL, 1, &in);
    ok(status == POY_OK && pull(ctx, &c, g, NULL) == POY_OK && close_to(c.gx[0], want, 2, rtol), "%s: %s", what,
       poy_ctx_cause(ctx));
    done(&c);
}

/* The pairing dL = Re(conj(g) dz): the gradient is the direction of steepest ascent. */
static void conjugation(poy_ctx *ctx)
{
    const double x = 0.8036, y = 0.3218;
    at(ctx, "poy.abs2", x, y, 1, 0, (const double[]){2 * x, 2 * y}, 1e-14, "ad-01: L = |z|^2: g = 2 z");
    /* L = Re z^2 = Re(z z): the two factors have the same gradient conj(z). */
    double z[2] = {x, y}, one[2] = {1, 0}, twice[2];
    const poy_rec_array zz[2] = {array(POY_C128, 0, 0, 0, z), array(POY_C128, 0, 0, 0, z)};
    call c;
    ok(evaluate(ctx, &c, "poy.mul", NULL, 2, zz) == POY_OK && pull(ctx, &c, one, NULL) == POY_OK, "mul");
    twice[0] = c.gx[0][0] + c.gx[1][0];
    twice[1] = c.gx[0][1] + c.gx[1][1];
    ok(close_to(twice, (const double[]){2 * x, -2 * y}, 2, 1e-14), "ad-02: L = Re z^2: g = 2 conj(z)");
    done(&c);
    at(ctx, "poy.abs", 0, 0, 1, 0, (const double[]){0, 0}, 0, "ad-04: L = |z| at 0: the subgradient 0");
    at(ctx, "poy.abs", 1e-200, 0, 1, 0, (const double[]){1, 0}, 1e-12, "ad-05: L = |z| at 1e-200: the unit vector");
    at(ctx, "poy.abs", 3e-320, 4e-320, 1, 0, (const double[]){0.6, 0.8}, 1e-3,
       "L = |z| at a subnormal z of few digits");
    at(ctx, "poy.angle", 5.6843e-14, 1e-13, 1, 0, (const double[]){-7557935363543.508, 4296157198699.0356}, 1e-10,
       "ad-07: L = arg z near 0");
    at(ctx, "poy.angle", 3e-200, -4e-200, 1, 0, (const double[]){1.6e199, 1.2e199}, 1e-12, "L = arg z at 1e-200");
    at(ctx, "poy.conj", x, y, 2, 3, (const double[]){2, -3}, 0, "y = conj(z): g = conj(gy)");
    at(ctx, "poy.imag", x, y, 2, 0, (const double[]){0, 2}, 0, "y = Im z: g = i gy");
    at(ctx, "poy.log", 0, -2, 0, 1, (const double[]){0.5, 0}, 1e-15, "L = Im ln z at -2i: g = i / conj(z)");
}

/* L = sum over k < 3 of |FFT(x)_k|^2: gy = 2 y with a mask that is not symmetric, so that no conjugation cancels. */
static void fourier(poy_ctx *ctx)
{
    double x[8] = {1, 0, 2, 0, 3, 0, 5, 0}, g[8];
    const double want[8] = {12, 6, 22, -4, 20, -6, 34, 4}, spectrum[8] = {11, 0, -2, 3, -3, 0, -2, -3};
    poy_rec_array in = array(POY_C128, 1, 4, 0, x);
    call c;

    ok(evaluate(ctx, &c, "poy.fft", NULL, 1, &in) == POY_OK && close_to(c.y[0], spectrum, 8, 1e-15), "fft of 1 2 3 5");
    for (int k = 0; k < 8; k++)
        g[k] = k < 6 ? 2 * c.y[0][k] : 0;
    ok(pull(ctx, &c, g, NULL) == POY_OK && close_to(c.gx[0], want, 8, 1e-13),
       "ad-09: the gradient of a masked power spectrum");
    done(&c);
    double real[4] = {1, 2, 3, 5};
    in = array(POY_F64, 1, 4, 0, real);
    ok(evaluate(ctx, &c, "poy.rfft", NULL, 1, &in) == POY_OK && c.out[0].spec.dims[0] == 3 &&
           close_to(c.y[0], spectrum, 6, 1e-15),
       "rfft has half of it");
    for (int k = 0; k < 6; k++)
        g[k] = 2 * c.y[0][k];
    ok(pull(ctx, &c, g, NULL) == POY_OK && close_to(c.gx[0], (const double[]){12, 22, 20, 34}, 4, 1e-13),
       "and the real part of the gradient");
    double half[6];
    memcpy(half, c.y[0], sizeof half);
    done(&c);
    in = array(POY_C128, 1, 3, 0, half);
    ok(evaluate(ctx, &c, "poy.irfft", NULL, 1, &in) == POY_OK && close_to(c.y[0], real, 4, 1e-15),
       "irfft brings it back");
    done(&c);
    ok(evaluate(ctx, &c, "poy.irfft", "n=7", 1, &in) == POY_ERR_SHAPE, "no length but 4 and 5: %s", poy_ctx_cause(ctx));
    done(&c);
    in = array(POY_C128, 1, 1, 0, half);
    ok(evaluate(ctx, &c, "poy.irfft", NULL, 1, &in) == POY_ERR_EMPTY, "one coefficient: %s", poy_ctx_cause(ctx));
    done(&c);
    in = array(POY_C128, 1, 0, 0, half);
    ok(evaluate(ctx, &c, "poy.fft", NULL, 1, &in) == POY_ERR_EMPTY, "none: %s", poy_ctx_cause(ctx));
    done(&c);
}

/* No derivative: refused, unless nothing is asked of that element. */
static void refused(poy_ctx *ctx, const char *name, poy_dtype dtype, double re, double im)
{
    double z[4] = {re, im, 1, 1}, g[4] = {1, 0, 1, 0}, dy[4];
    const int width = dtype == POY_C128 ? 2 : 1;
    if (width == 1)
        z[1] = 1.0;
    const poy_rec_array in = array(dtype, 1, 2, 0, z);
    call c;

    evaluate(ctx, &c, name, NULL, 1, &in);
    poy_rec_array tan = in, out_tan = c.out[0];
    tan.data = g;
    out_tan.data = dy;
    ok(pull(ctx, &c, g, NULL) == POY_ERR_NOT_DIFFERENTIABLE && strstr(poy_ctx_cause(ctx), "element [0] of x"),
       "backwards: %s", poy_ctx_cause(ctx));
    ok(poy_record_pushforward(ctx, c.s, &tan, &out_tan) == POY_ERR_NOT_DIFFERENTIABLE, "forwards: %s",
       poy_ctx_cause(ctx));
    g[0] = 0;
    ok(pull(ctx, &c, g, NULL) == POY_OK && c.gx[0][0] == 0.0 && isfinite(c.gx[0][width]) &&
           poy_record_pushforward(ctx, c.s, &tan, &out_tan) == POY_OK && dy[0] == 0.0,
       "where the cotangent is 0, nothing is asked");
    done(&c);
}

static void singular_points(poy_ctx *ctx)
{
    refused(ctx, "poy.sqrt", POY_C128, 0, 0); /* ad-08 */
    refused(ctx, "poy.sqrt", POY_F64, 0, 0);
    refused(ctx, "poy.sqrt", POY_F64, -1, 0);
    refused(ctx, "poy.log", POY_C128, 0, 0);
    refused(ctx, "poy.log", POY_F64, -2, 0);
    refused(ctx, "poy.angle", POY_C128, 0, 0);

    double x[2] = {1, 2}, y[2] = {0, 4}, g[2] = {1, 1};
    const poy_rec_array in[2] = {array(POY_F64, 1, 2, 0, x), array(POY_F64, 1, 2, 0, y)};
    call c;
    ok(evaluate(ctx, &c, "poy.div", NULL, 2, in) == POY_OK && isinf(c.y[0][0]) && c.y[0][1] == 0.5,
       "1 / 0 is infinite");
    ok(pull(ctx, &c, g, NULL) == POY_ERR_NOT_DIFFERENTIABLE, "and has no derivative: %s", poy_ctx_cause(ctx));
    g[0] = 0;
    ok(pull(ctx, &c, g, NULL) == POY_OK && c.gx[0][0] == 0 && c.gx[0][1] == 0.25 && c.gx[1][1] == -0.125,
       "unless nothing is asked of it");
    done(&c);
    double nan[1] = {NAN};
    const poy_rec_array one = array(POY_F64, 1, 1, 0, nan);
    g[0] = 1;
    ok(evaluate(ctx, &c, "poy.sqrt", NULL, 1, &one) == POY_OK && isnan(c.y[0][0]) && pull(ctx, &c, g, NULL) == POY_OK &&
           isnan(c.gx[0][0]),
       "NaN in gives NaN out");
    done(&c);
}

static void sums(poy_ctx *ctx)
{
    double x[6] = {1, 2, 3, 4, 5, 6}, big[2] = {3e200, 4e200}, small[2] = {3e-200, 4e-200}, zero[2] = {0, 0},
           g[3] = {1, 10, 100};
    poy_rec_array in[2] = {array(POY_F64, 2, 2, 3, x), array(POY_F64, 2, 2, 3, x)};
    call c;

    ok(evaluate(ctx, &c, "poy.sum", "axis=0", 1, in) == POY_OK && close_to(c.y[0], (const double[]){5, 7, 9}, 3, 0) &&
           pull(ctx, &c, g, NULL) == POY_OK && close_to(c.gx[0], (const double[]){1, 10, 100, 1, 10, 100}, 6, 0),
       "sum over an axis");
    done(&c);
    ok(evaluate(ctx, &c, "poy.sum", "axis=-1", 1, in) == POY_OK && close_to(c.y[0], (const double[]){6, 15}, 2, 0),
       "counted from the end");
    done(&c);
    ok(evaluate(ctx, &c, "poy.sum", NULL, 1, in) == POY_OK && c.out[0].spec.rank == 0 && c.y[0][0] == 21, "over all");
    done(&c);
    ok(evaluate(ctx, &c, "poy.sum", "axis=2", 1, in) == POY_ERR_AXIS, "no such axis: %s", poy_ctx_cause(ctx));
    done(&c);
    ok(evaluate(ctx, &c, "poy.sum", "axis=first", 1, in) == POY_ERR_ARGUMENT, "no axis: %s", poy_ctx_cause(ctx));
    done(&c);
    in[0] = array(POY_F64, 1, 2, 0, big);
    ok(evaluate(ctx, &c, "poy.norm", NULL, 1, in) == POY_OK && fabs(c.y[0][0] / 5e200 - 1) < 1e-15 &&
           pull(ctx, &c, g, NULL) == POY_OK && close_to(c.gx[0], (const double[]){0.6, 0.8}, 2, 1e-15),
       "norm of 1e200: squares would overflow");
    done(&c);
    in[0].data = small;
    ok(evaluate(ctx, &c, "poy.norm", NULL, 1, in) == POY_OK && fabs(c.y[0][0] / 5e-200 - 1) < 1e-15 &&
           pull(ctx, &c, g, NULL) == POY_OK && close_to(c.gx[0], (const double[]){0.6, 0.8}, 2, 1e-15),
       "norm of 1e-200: squares would vanish");
    done(&c);
    in[0].data = zero;
    ok(evaluate(ctx, &c, "poy.norm", NULL, 1, in) == POY_OK && c.y[0][0] == 0 && pull(ctx, &c, g, NULL) == POY_OK &&
           c.gx[0][0] == 0 && c.gx[0][1] == 0,
       "norm at 0: the subgradient 0");
    done(&c);
    in[1] = array(POY_F64, 1, 3, 0, x);
    ok(evaluate(ctx, &c, "poy.add", NULL, 2, in) == POY_ERR_BROADCAST, "shapes that do not broadcast: %s",
       poy_ctx_cause(ctx));
    done(&c);
    in[0] = array(POY_F64, 2, 2, 1, zero);
    ok(evaluate(ctx, &c, "poy.add", NULL, 2, in) == POY_OK && c.out[0].spec.dims[0] == 2 &&
           c.out[0].spec.dims[1] == 3 && pull(ctx, &c, x, NULL) == POY_OK &&
           close_to(c.gx[0], (const double[]){6, 15}, 2, 0) && close_to(c.gx[1], (const double[]){5, 7, 9}, 3, 0),
       "[2,1] and [3] do: gradients are sums over what was repeated");
    done(&c);
}

/* A = 4 x 4, L = sum |A^-1 b|^2: gb = A^-H (2 X), gA = -gb X^H, checked by A^H gb = 2 X. */
static void solving(poy_ctx *ctx)
{
    double a[32], b[16], g[16], u[2];
    for (int i = 0; i < 32; i++) {
        poy_random_uniform2(3, 0, (uint64_t)i, u);
        a[i] = 2 * u[0] - 1 + (i % 10 == 0 ? 3 : 0);
        if (i < 16)
            b[i] = u[1];
    }
    poy_rec_array in[2] = {array(POY_C128, 2, 4, 4, a), array(POY_C128, 2, 4, 2, b)};
    call c;
    ok(evaluate(ctx, &c, "poy.solve", NULL, 2, in) == POY_OK, "solve");
    double residual = 0, adjoint = 0, outer = 0;
    for (int k = 0; k < 16; k++)
        g[k] = 2 * c.y[0][k];
    ok(pull(ctx, &c, g, NULL) == POY_OK, "pulled back");
    const poy_rec_array *x = &c.out[0], *ga = &c.grad[0], *gb = &c.grad[1];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double _Complex e = scale_get(ga, i * 4 + j);
            for (int k = 0; k < 2; k++)
                e += scale_get(gb, i * 2 + k) * conj(scale_get(x, j * 2 + k));
            outer = fmax(outer, cabs(e));
        }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            double _Complex r = -scale_get(&in[1], i * 2 + k), t = -2 * scale_get(x, i * 2 + k);
            for (int j = 0; j < 4; j++) {
                r += scale_get(&in[0], i * 4 + j) * scale_get(x, j * 2 + k);
                t += conj(scale_get(&in[0], j * 4 + i)) * scale_get(gb, j * 2 + k);
            }
            residual = fmax(residual, cabs(r));
            adjoint = fmax(adjoint, cabs(t));
        }
    ok(residual < 1e-14 && adjoint < 1e-14 && outer < 1e-15, "A X = B, A^H gB = 2 X, gA = -gB X^H: %.1e %.1e %.1e",
       residual, adjoint, outer);
    done(&c);
    double s[8] = {1, 0, 2, 0, 2, 0, 4, 0}, one[4] = {1, 0, 1, 0};
    in[0] = array(POY_C128, 2, 2, 2, s);
    in[1] = array(POY_C128, 2, 2, 1, one);
    ok(evaluate(ctx, &c, "poy.solve", NULL, 2, in) == POY_ERR_SINGULAR &&
           !strcmp(poy_ctx_cause(ctx), "solve: A is singular: pivot 2 of 2 is 0"),
       "a singular matrix: %s", poy_ctx_cause(ctx));
    done(&c);
    s[2] = INFINITY;
    ok(evaluate(ctx, &c, "poy.solve", NULL, 2, in) == POY_ERR_NONFINITE &&
           !strcmp(poy_ctx_cause(ctx), "solve: element [0,1] of A is inf"),
       "an infinite one: %s", poy_ctx_cause(ctx));
    done(&c);
}

static void eigenvalues(poy_ctx *ctx)
{
    /* A rotation by 90 degrees: -i and i, a conjugate pair whose real parts differ by rounding at most. */
    double turn[4] = {0, -1, 1, 0}, jordan[4] = {1, 1, 0, 1}, same[8] = {2, 0, 0, 0, 0, 0, 2, 0}, g[4] = {1, 0, 1, 0};
    const double h = sqrt(0.5);
    poy_rec_array in = array(POY_F64, 2, 2, 2, turn);
    call c;
    ok(evaluate(ctx, &c, "poy.eig", NULL, 1, &in) == POY_OK &&
           close_to(c.y[0], (const double[]){0, -1, 0, 1}, 4, 1e-15) &&
           close_to(c.y[1], (const double[]){h, 0, h, 0, 0, h, 0, -h}, 8, 1e-15),
       "eig of a rotation, in its order and gauge");
    ok(pull(ctx, &c, g, NULL) == POY_OK && close_to(c.gx[0], (const double[]){1, 0, 0, 1}, 4, 1e-15),
       "the gradient of the trace is 1");
    done(&c);
    /* That of -i: y x^H with y^H x = 1, where y and x are its left and right vectors. */
    double first[4] = {1, 0, 0, 0};
    ok(evaluate(ctx, &c, "poy.eigvals", NULL, 1, &in) == POY_OK &&
           close_to(c.y[0], (const double[]){0, -1, 0, 1}, 4, 1e-15) && pull(ctx, &c, first, NULL) == POY_OK &&
           close_to(c.gx[0], (const double[]){0.5, 0, 0, 0.5}, 4, 1e-15),
       "eigvals: the same values; the real part of -i rises by half the trace");
    done(&c);
    in.data = jordan;
    ok(evaluate(ctx, &c, "poy.eig", NULL, 1, &in) == POY_OK && pull(ctx, &c, g, NULL) == POY_ERR_NOT_DIFFERENTIABLE,
       "a matrix that cannot be made diagonal has values, but no derivative: %s", poy_ctx_cause(ctx));
    done(&c);
    in = array(POY_C128, 2, 2, 2, same);
    double gv[8] = {1, 0, 0, 0, 0, 0, 0, 0}, gw[2] = {1, 1};
    ok(evaluate(ctx, &c, "poy.eigh", NULL, 1, &in) == POY_OK && c.y[0][0] == 2 && c.y[0][1] == 2, "twice the same");
    ok(pull(ctx, &c, gw, NULL) == POY_OK && close_to(c.gx[0], (const double[]){1, 0, 0, 0, 0, 0, 1, 0}, 8, 1e-15),
       "has a trace that can be differentiated");
    ok(pull(ctx, &c, gw, gv) == POY_ERR_NOT_DIFFERENTIABLE, "but no vectors that can: %s", poy_ctx_cause(ctx));
    gw[1] = 2;
    ok(pull(ctx, &c, gw, NULL) == POY_ERR_NOT_DIFFERENTIABLE, "and no single values: %s", poy_ctx_cause(ctx));
    poy_rec_array out_tan[2] = {c.out[0], c.out[1]};
    ok(poy_record_pushforward(ctx, c.s, &in, out_tan) == POY_ERR_NOT_DIFFERENTIABLE, "nor forwards");
    done(&c);
    same[0] = NAN;
    ok(evaluate(ctx, &c, "poy.eigh", NULL, 1, &in) == POY_ERR_NONFINITE, "NaN is refused: %s", poy_ctx_cause(ctx));
    done(&c);
    ok(evaluate(ctx, &c, "poy.eig", NULL, 1, &in) == POY_ERR_NONFINITE, "by both: %s", poy_ctx_cause(ctx));
    done(&c);
}

static poy_status guard(poy_ctx *ctx, const char *options, double have, double want)
{
    double v[2] = {3, 4}, h[2] = {1, have}, w[2] = {1, want}, g[2] = {5, 6};
    const poy_rec_array in[3] = {array(POY_C128, 0, 0, 0, v), array(POY_F64, 1, 2, 0, h), array(POY_F64, 1, 2, 0, w)};
    call c;
    poy_status status = evaluate(ctx, &c, "poy.guard", options, 3, in);
    if (status == POY_OK)
        ok(c.y[0][0] == 3 && c.y[0][1] == 4 && pull(ctx, &c, g, NULL) == POY_OK && c.gx[0][0] == 5 && c.gx[0][1] == 6 &&
               c.gx[1][0] == 0 && c.gx[2][1] == 0,
           "a guard lets value and gradient through, and the numbers have none");
    done(&c);
    return status;
}

static void guards(poy_ctx *ctx)
{
    ok(guard(ctx, "", 2, 2) == POY_OK, "equal");
    ok(guard(ctx, "names=k0,epsilon;message=the waves belong to other media", 2, 2.5) == POY_ERR_MISMATCH &&
           !strcmp(poy_ctx_cause(ctx), "guard: epsilon is 2, needs to be 2.5: the waves belong to other media"),
       "or not: %s", poy_ctx_cause(ctx));
    ok(guard(ctx, "compare=close;rtol=1e-12", 2, 2 * (1 + 0.9e-12)) == POY_OK, "close");
    ok(guard(ctx, "compare=close;rtol=1e-12", 2, 2 * (1 + 1.1e-12)) == POY_ERR_MISMATCH, "or not: %s",
       poy_ctx_cause(ctx));
    ok(guard(ctx, "compare=close;rtol=1", NAN, NAN) == POY_ERR_MISMATCH, "NaN is close to nothing");
    ok(guard(ctx, "compare=equal,at_most", 2, 3) == POY_OK &&
           guard(ctx, "compare=equal,at_most", 3, 2) == POY_ERR_MISMATCH,
       "a comparison for each number: %s", poy_ctx_cause(ctx));
    ok(guard(ctx, "compare=at_least", 2, 2) == POY_OK &&
           guard(ctx, "compare=equal,greater", 2, 2) == POY_ERR_MISMATCH &&
           guard(ctx, "compare=equal,less", 1, 2) == POY_OK,
       "with an order");
    ok(guard(ctx, "compare=equal,equal,equal", 2, 2) == POY_ERR_SHAPE, "as many as numbers: %s", poy_ctx_cause(ctx));
    ok(guard(ctx, "compare=similar", 2, 2) == POY_ERR_ARGUMENT, "of those there are: %s", poy_ctx_cause(ctx));
    ok(guard(ctx, "rtol=-1", 2, 2) == POY_ERR_ARGUMENT, "with a tolerance: %s", poy_ctx_cause(ctx));
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    conjugation(ctx);
    fourier(ctx);
    singular_points(ctx);
    sums(ctx);
    solving(ctx);
    eigenvalues(ctx);
    guards(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

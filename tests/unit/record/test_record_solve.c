/* test_record_solve.c: records that iterate (lstsq, expm, eigsh): closed forms of values and gradients, what has no
 * derivative, what is refused. Identities and differences are the conformance suite's. */
#include "record_call.h"

static poy_ctx *ctx;

static void pull_ok(call *c, double *g0, double *g1)
{
    const poy_status status = pull(ctx, c, g0, g1);
    ok(status == POY_OK, "a pullback%s%s", status == POY_OK ? "" : ": ", status == POY_OK ? "" : poy_ctx_cause(ctx));
}

/* A line through (0, 1), (1, 3), (2, 4), (3, 4): intercept 1.5, slope 1; its intercept depends on the data as the first row
 * of the pseudo-inverse, (0.7, 0.4, 0.1, -0.2). A column of zeros beside it: the shortest solution, without a derivative. */
static void least_squares(void)
{
    double a[8] = {1, 0, 1, 1, 1, 2, 1, 3}, b[4] = {1, 3, 4, 4}, g[2] = {1, 0};
    const double x[2] = {1.5, 1}, gb[4] = {0.7, 0.4, 0.1, -0.2};
    /* gA = r u^H - y x^H; r = (-0.5, 0.5, 0.5, -0.5), u = (A^T A)^-1 e_1 = (0.7, -0.3) */
    const double ga[8] = {-0.5 * 0.7 - 0.7 * 1.5, 0.5 * 0.3 - 0.7,  0.5 * 0.7 - 0.4 * 1.5,  -0.5 * 0.3 - 0.4,
                          0.5 * 0.7 - 0.1 * 1.5,  -0.5 * 0.3 - 0.1, -0.5 * 0.7 + 0.2 * 1.5, 0.5 * 0.3 + 0.2};
    call c;
    const poy_rec_array in[2] = {array(POY_F64, 2, 4, 2, a), array(POY_F64, 1, 4, 0, b)};
    ok(evaluate(ctx, &c, "poy.lstsq", "", 2, in) == POY_OK && close_to(c.y[0], x, 2, 1e-14), "lstsq: a line");
    pull_ok(&c, g, NULL);
    ok(close_to(c.gx[1], gb, 4, 1e-13), "lstsq: the gradient of its intercept by the data");
    ok(close_to(c.gx[0], ga, 8, 1e-13), "lstsq: and by the matrix");
    done(&c);
    for (int i = 0; i < 4; i++)
        a[2 * i + 1] = 0;
    const double shortest[2] = {3, 0};
    double both[2] = {1, 1};
    ok(evaluate(ctx, &c, "poy.lstsq", "", 2, in) == POY_OK && close_to(c.y[0], shortest, 2, 1e-14),
       "lstsq: a column of zeros, the shortest solution");
    ok(pull(ctx, &c, both, NULL) == POY_ERR_NOT_DIFFERENTIABLE, "lstsq: it has no derivative: %s", poy_ctx_cause(ctx));
    done(&c);
    const poy_rec_array wide[2] = {array(POY_F64, 2, 2, 4, a), array(POY_F64, 1, 2, 0, b)};
    ok(evaluate(ctx, &c, "poy.lstsq", "", 2, wide) == POY_ERR_SHAPE, "lstsq: more columns than rows: %s",
       poy_ctx_cause(ctx));
    done(&c);
}

/* exp(t [[0, -1], [1, 0]]) is a turn by t. At t = pi / 3 of (1, 0): (1/2, sqrt(3)/2). */
static void turns(void)
{
    const double third = acos(0.5), s = sqrt(0.75);
    double a[4] = {0, -1, 1, 0}, v[2] = {1, 0}, t[1] = {third}, g[2] = {1, 0};
    const double y[2] = {0.5, s}, gv[2] = {0.5, -s}, gt[1] = {-s};
    /* dy_1 of dA: the first row of exp((1 - q) t A) dA exp(q t A) v, integrated over q, times t: with c = cos, s = sin,
     * I_cc = int c(t - x) c(x) = (t c + s) / 2, I_cs = int c(t - x) s(x) = t s / 2, I_ss = (s - t c) / 2 */
    const double cc = (third * 0.5 + s) / 2, cs = third * s / 2, ss = (s - third * 0.5) / 2;
    const double ga[4] = {cc, cs, -cs, -ss};
    call c;
    const poy_rec_array in[3] = {array(POY_F64, 2, 2, 2, a), array(POY_F64, 1, 2, 0, v), array(POY_F64, 0, 0, 0, t)};
    ok(evaluate(ctx, &c, "poy.expm", "", 3, in) == POY_OK && close_to(c.y[0], y, 2, 1e-15), "expm: a turn");
    pull_ok(&c, g, NULL);
    ok(close_to(c.gx[1], gv, 2, 1e-14), "expm: its gradient by the vector");
    ok(close_to(c.gx[2], gt, 1, 1e-14), "by t");
    ok(close_to(c.gx[0], ga, 4, 1e-14), "and by the matrix");
    done(&c);
    t[0] = 1e6;
    ok(evaluate(ctx, &c, "poy.expm", "", 3, in) == POY_OK && pull(ctx, &c, g, NULL) == POY_ERR_RANGE,
       "expm: a derivative of too many turns: %s", poy_ctx_cause(ctx));
    done(&c);
    t[0] = HUGE_VAL;
    ok(evaluate(ctx, &c, "poy.expm", "", 3, in) == POY_ERR_NONFINITE, "expm: t infinite: %s", poy_ctx_cause(ctx));
    done(&c);
}

/* [[2, 1, 0], [1, 2, 0], [0, 0, 9]]: 1 with (1, -1, 0)/sqrt 2, 3 with (1, 1, 0)/sqrt 2, 9. */
static void eigenpairs(void)
{
    double a[9] = {2, 1, 0, 1, 2, 0, 0, 0, 9}, g[1] = {1}, gv[3] = {0, 0, 1};
    const double h = sqrt(0.5), w[1] = {1}, v[3] = {h, -h, 0}, gw[9] = {0.5, -0.5, 0, -0.5, 0.5, 0, 0, 0, 0};
    /* v_3 of dH: - dH_3j v_j / (9 - 1) */
    const double third = -h / 8 / 2, by_v[9] = {0, 0, third, 0, 0, -third, third, -third, 0};
    call c;
    const poy_rec_array in[1] = {array(POY_F64, 2, 3, 3, a)};
    ok(evaluate(ctx, &c, "poy.eigsh", "", 1, in) == POY_OK && close_to(c.y[0], w, 1, 1e-15) &&
           close_to(c.y[1], v, 3, 1e-15),
       "eigsh: the smallest pair");
    pull_ok(&c, g, NULL);
    ok(close_to(c.gx[0], gw, 9, 1e-14), "eigsh: the gradient of the value");
    pull_ok(&c, NULL, gv);
    ok(close_to(c.gx[0], by_v, 9, 1e-14), "and of an entry of the vector");
    done(&c);
    ok(evaluate(ctx, &c, "poy.eigsh", "k=4", 1, in) == POY_ERR_SHAPE, "eigsh: more pairs than there are: %s",
       poy_ctx_cause(ctx));
    done(&c);
    ok(evaluate(ctx, &c, "poy.eigsh", "k=0", 1, in) == POY_ERR_ARGUMENT, "eigsh: no pair: %s", poy_ctx_cause(ctx));
    done(&c);
    double both[2] = {1, 1}, cot[6] = {0, 0, 0, 0, 0, 1};
    a[8] = 1;
    ok(evaluate(ctx, &c, "poy.eigsh", "k=2", 1, in) == POY_OK && pull(ctx, &c, both, cot) == POY_ERR_NOT_DIFFERENTIABLE,
       "eigsh: vectors of a double eigenvalue have no derivative: %s", poy_ctx_cause(ctx));
    done(&c);
}

int main(void)
{
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    least_squares();
    turns();
    eigenpairs();
    poy_ctx_destroy(&ctx);
    return tap_done();
}

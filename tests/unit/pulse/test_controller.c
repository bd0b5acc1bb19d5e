/* test_controller.c: the error of a step and the sequence of step lengths that follows from it. Factors are from
 * 25-digit arithmetic. */
#include <float.h>
#include <math.h>

#include "pulse/march/controller.h"
#include "tap.h"

static const poyi_limits wide = {1e-9, 1e9};

static int close_to(double got, double want)
{
    return fabs(got - want) <= 8.0 * DBL_EPSILON * fabs(want);
}

static void errors(void)
{
    ok(close_to(poyi_step_error((double[]){4.0, 9.0, 1e-10}, 1e-6, 0.0), 1e-5 / 3e-6), "relative to the larger norm");
    ok(close_to(poyi_step_error((double[]){9.0, 4.0, 1e-10}, 1e-6, 0.0), 1e-5 / 3e-6), "whichever that is");
    ok(close_to(poyi_step_error((double[]){1.0, 1.0, 1e-10}, 1e-6, 5.0), 1e-5 / 5e-6), "atol where the field is less");
    ok(poyi_step_error((double[]){0.0, 0.0, 0.0}, 1e-6, 0.0) == 0.0, "no field: no error, not 0/0");
    ok(poyi_step_error((double[]){1.0, 1.0, 0.0}, 1e-6, 0.0) == 0.0, "a linear step: no error");
    ok(!isfinite(poyi_step_error((double[]){0.0, 0.0, 1.0}, 1e-6, 0.0)), "an error without a field is never accepted");
    ok(!isfinite(poyi_step_error((double[]){1.0, (double)NAN, 1.0}, 1e-6, 0.0)), "NaN in, NaN out");
    ok(!isfinite(poyi_step_error((double[]){(double)INFINITY, 1.0, 1.0}, 1e-6, 0.0)),
       "an overflow is not a small error");
}

static void accepted(void)
{
    poyi_step_control c = {.h = 2.0, .err_prev = 0.02};
    poyi_step_accepted(&c, &wide, 2.0, 0.01, 0);
    ok(close_to(c.h, 2.0 * 1.313804993582309435) && c.err_prev == 0.01,
       "0.9 (0.8/err)^(3/25) (0.8/err_prev)^(-1/25): %.17g", c.h);

    c = (poyi_step_control){.h = 1.0};
    poyi_step_accepted(&c, &wide, 1.0, 0.8 * pow(0.9, 12.5), 0);
    ok(close_to(c.h, 1.0), "the first step is its own predecessor: err = 0.8 0.9^12.5 keeps h");

    c = (poyi_step_control){.h = 1.0};
    poyi_step_accepted(&c, &wide, 1.0, 1e-14, 0);
    ok(c.h == 5.0, "growth is at most fivefold");
    c = (poyi_step_control){.h = 1.0, .err_prev = 0.5};
    poyi_step_accepted(&c, &wide, 1.0, 0.0, 0);
    ok(c.h == 1.5 && c.err_prev == 0.0, "without an error h grows by half");
    poyi_step_accepted(&c, &wide, 1.5, 0.8 * pow(0.9, 12.5), 0);
    ok(close_to(c.h, 1.5), "and a predecessor without an error does not count");

    poyi_limits narrow = {0.5, 2.0};
    c = (poyi_step_control){.h = 1.0};
    poyi_step_accepted(&c, &narrow, 1.0, 1e-14, 0);
    ok(c.h == 2.0, "at most the longest step");
    c = (poyi_step_control){.h = 0.5, .err_prev = 1e-30};
    poyi_step_accepted(&c, &narrow, 0.5, 0.9, 0);
    ok(c.h == 0.5, "at least the shortest");
}

static void landings(void)
{
    poyi_step_control c = {.h = 1.0, .err_prev = 0.3};
    poyi_step_accepted(&c, &wide, 0.1, 1e-9, 1);
    ok(c.h == 1.0 && c.err_prev == 0.3, "a step cut short to land does not shrink the proposal");
    poyi_step_accepted(&c, &wide, 0.6, 1e-9, 1);
    ok(c.h > 1.0 && c.err_prev == 1e-9, "but may raise it");
}

static void rejected(void)
{
    poyi_step_control c = {.h = 1.0, .err_prev = 0.3};
    poyi_retry again = poyi_step_rejected(&c, &wide, 1.0, 32.0);
    ok(again == POYI_RETRY && close_to(c.h, 0.45), "0.9 err^(-1/5): %.17g", c.h);
    ok(c.err_prev == 0.3, "the predecessor is the last accepted step");
    poyi_step_accepted(&c, &wide, 0.45, 1e-9, 0);
    ok(c.h == 0.45, "after a rejection the next step may not grow");
    poyi_step_accepted(&c, &wide, 0.45, 1e-9, 0);
    ok(c.h > 0.45, "the one after it may");

    c = (poyi_step_control){.h = 1.0};
    poyi_step_rejected(&c, &wide, 1.0, 1e30);
    ok(close_to(c.h, 0.1), "to a tenth at most");
    poyi_step_rejected(&c, &wide, 0.1, (double)NAN);
    ok(close_to(c.h, 0.05), "half of it where the error is not a number");
    poyi_step_rejected(&c, &wide, 0.05, (double)INFINITY);
    ok(close_to(c.h, 0.025), "or infinite");

    c = (poyi_step_control){.h = 1.0};
    poyi_retry last = POYI_RETRY;
    int tries = 0;
    while (last == POYI_RETRY && tries < 100)
        last = poyi_step_rejected(&c, &wide, c.h, 2.0), tries++;
    ok(last == POYI_RETRY_TOO_OFTEN && tries == 10, "the tenth rejection in a row is the last: %d", tries);

    poyi_limits narrow = {0.2, 2.0};
    c = (poyi_step_control){.h = 1.0};
    ok(poyi_step_rejected(&c, &narrow, 1.0, 1e30) == POYI_RETRY && c.h == 0.2, "down to the shortest step");
    ok(poyi_step_rejected(&c, &narrow, c.h, 2.0) == POYI_RETRY_AT_MINIMUM, "which may fail but is never accepted");
}

/* err = (h / h0)^5, the law of the pair: the sequence settles where the factor is 1. */
static void settles(void)
{
    poyi_step_control c = {.h = 1e-4};
    double target = 0.7 * pow(0.8 * pow(0.9, 12.5), 0.2);
    int rejections = 0;
    for (int i = 0; i < 100; i++) {
        double err = pow(c.h / 0.7, 5.0);
        if (err <= 1.0)
            poyi_step_accepted(&c, &wide, c.h, err, 0);
        else
            rejections += poyi_step_rejected(&c, &wide, c.h, err) == POYI_RETRY;
    }
    ok(fabs(c.h / target - 1.0) < 1e-6, "h settles at %.9g (%.9g), after %d rejections", c.h, target, rejections);
    ok(rejections <= 2, "with hardly a rejection on the way up");
}

int main(void)
{
    errors();
    accepted();
    landings();
    rejected();
    settles();
    return tap_done();
}

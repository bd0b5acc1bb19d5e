/* incomplete.c: incomplete Bessel functions of all orders at once, by the trapezoidal rule on a turned ray. */
#include "scatter/periodic/incomplete.h"

#include "math/gamma/gamma.h"
#include "math/math.h"

#define FIRST_NODE (-4.0L)
#define REAL_STEP 0.09L

/* t = 1 + turn x, x = scale exp(s - exp(-s)): the integrand falls double-exponentially at both ends, and the rule converges
 * as exp(-2 pi d / h), d = pi / 4 or more the distance to the nearest singularity or growth (Takahasi and Mori, Publ. RIMS 9,
 * 721 (1974)). turn leads 3/4 of the way from the positive axis to the steepest direction. */
typedef struct ray {
    poyi_xcomplex v, u, turn;
    poyi_xreal scale;
    int twice, step, count;
} ray;

/* t^{-twice / 2} from 1 / t */
static poyi_xcomplex first_power(int twice, poyi_xcomplex t, poyi_xcomplex over)
{
    poyi_xcomplex power = twice % 2 ? csqrtl(over) : 1.0L;
    for (; twice > 1; twice -= 2)
        power = poyi_xmul(power, over);
    for (; twice < 0; twice += 2)
        power = poyi_xmul(power, t);
    return power;
}

/* One node: adds to out, returns the size of the term of the last order. */
static poyi_xreal node(const ray *p, poyi_xreal s, poyi_xcomplex *out, poyi_xreal *x)
{
    const poyi_xreal fall = expl(-s);
    *x = p->scale * expl(s - fall);
    const poyi_xcomplex away = p->turn * *x, t = 1.0L + away, over = poyi_xinverse(t);
    const poyi_xcomplex power = -poyi_xmul(p->v, away) - poyi_xmul(p->u, over) / 2.0L;
    const poyi_xreal size = expl(creall(power)) * *x * (1.0L + fall), angle = cimagl(power);
    poyi_xcomplex term = p->turn * size;
    if (angle != 0.0L)
        term = poyi_xmul(term, CMPLXL(cosl(angle), sinl(angle)));
    term = poyi_xmul(term, first_power(p->twice, t, over));
    const poyi_xcomplex next = p->step > 0 ? over : t;
    for (int i = 0; i < p->count; i++) {
        out[i] += term;
        if (i + 1 < p->count)
            term = poyi_xmul(term, next);
    }
    return poyi_xsize(term);
}

/* J_p = 2 (-i / w)^{2p-2} I_{1-2p}(sqrt(-2 v) w, -i / w), w^2 = u: one by one, along Kambe's own path. */
static void by_kambe(const ray *p, poyi_xreal w, poyi_xcomplex *out)
{
    const poyi_xcomplex turned = CMPLXL(-creall(p->v), -cimagl(p->v)); /* the imaginary part is +0 or more */
    const double complex z = (double complex)(csqrtl(2.0L * turned) * w), eta = CMPLX(0.0, -(double)(1.0L / w));
    const poyi_xcomplex start = CMPLXL(0.0L, -1.0L / w);
    for (int i = 0; i < p->count; i++) {
        const int twice = p->twice + 2 * p->step * i;
        const poyi_big factor = poyi_big_power(start, twice - 2);
        const poyi_big value = poyi_big_mul(poyi_kambe(1 - twice, z, eta), factor);
        out[i] = 2.0L * poyi_xldexp(value.m, value.e);
    }
}

static poyi_xreal step_of(int count, poyi_xreal widest)
{
    const poyi_xreal peak = 0.6L / sqrtl((poyi_xreal)count);
    return peak < widest ? peak : widest;
}

void poyi_incomplete(int twice, int step, int count, poyi_xcomplex v, poyi_xcomplex u, poyi_xcomplex *out)
{
    enum { NODES_MAX = 200000 };
    const poyi_xreal below = -fabsl(cimagl(v)), angle = atan2l(below, creall(v)), length = hypotl(creall(v), below);
    const poyi_xreal theta = -0.75L * angle, h = step_of(count, theta == 0.0L ? REAL_STEP : 0.06L);
    const poyi_xreal start = theta == 0.0L ? 1.0L : 0.125L; /* keeps t = 0 away from where x turns faster than s */
    const ray p = {.v = CMPLXL(creall(v), below),
                   .u = u,
                   .turn = theta == 0.0L ? 1.0L : CMPLXL(cosl(theta), sinl(theta)),
                   .scale = length > 1.0L ? start / length : start,
                   .twice = twice,
                   .step = step,
                   .count = count};
    if (theta > 0.3L && creall(u) > 1.0L && cimagl(u) == 0.0L) { /* t passes close to 0, where exp(-u / 2t) is large */
        by_kambe(&p, sqrtl(creall(u)), out);
        return;
    }
    const poyi_xreal rate = length * cosl(angle + theta);
    for (int i = 0; i < count; i++)
        out[i] = 0.0L;
    for (int i = 0; i < NODES_MAX; i++) {
        poyi_xreal x;
        const poyi_xreal last = node(&p, FIRST_NODE + h * i, out, &x);
        if (rate * x > 45.0L && last <= 1e-21L * poyi_xsize(out[count - 1]))
            break;
    }
    const poyi_xcomplex whole = h * expl(-creall(p.v)) * CMPLXL(cosl(cimagl(p.v)), -sinl(cimagl(p.v)));
    for (int i = 0; i < count; i++)
        out[i] = poyi_xmul(out[i], whole);
}

/* ---- many of one u ---- */

void poyi_incomplete_start(poyi_incomplete_rule *rule, int twice, int step, int count, poyi_xcomplex u)
{
    rule->twice = twice;
    rule->step = step;
    rule->count = count;
    rule->kept = rule->next = 0;
    rule->u = u;
    rule->h = step_of(count, REAL_STEP);
    rule->nodes = POYI_INCOMPLETE_NODES;
    for (int i = 0; i < rule->nodes; i++) {
        const poyi_xreal s = FIRST_NODE + rule->h * i, fall = expl(-s);
        rule->x[i] = expl(s - fall);
        rule->weight[i] = rule->x[i] * (1.0L + fall);
    }
}

/* Along the positive axis with real u: the terms of poyi_incomplete from nodes that are known; 0: they do not suffice. */
static int by_rule(const poyi_incomplete_rule *rule, poyi_xreal v, poyi_xreal u, poyi_xcomplex *out)
{
    const poyi_xreal scale = v > 1.0L ? 1.0L / v : 1.0L;
    poyi_xreal sum[POYI_INCOMPLETE_COUNT];
    for (int i = 0; i < rule->count; i++)
        sum[i] = 0.0L;
    for (int i = 0; i < rule->nodes; i++) {
        const poyi_xreal x = scale * rule->x[i], t = 1.0L + x, over = 1.0L / t;
        const poyi_xreal next = rule->step > 0 ? over : t;
        poyi_xreal term = expl(-v * x - u * over / 2.0L) * scale * rule->weight[i];
        term *= rule->twice % 2 ? sqrtl(over) : 1.0L;
        for (int n = rule->twice; n > 1; n -= 2)
            term *= over;
        for (int n = rule->twice; n < 0; n += 2)
            term *= t;
        for (int n = 0; n < rule->count; n++) {
            sum[n] += term;
            if (n + 1 < rule->count)
                term *= next;
        }
        if (v * x > 45.0L && term <= 1e-21L * sum[rule->count - 1]) {
            for (int n = 0; n < rule->count; n++)
                out[n] = rule->h * expl(-v) * sum[n];
            return 1;
        }
    }
    return 0;
}

const poyi_xcomplex *poyi_incomplete_of(poyi_incomplete_rule *rule, poyi_xcomplex v)
{
    for (int i = 0; i < rule->kept; i++) /* to rounding of the distance: so are the points */
        if (poyi_xsize(v - rule->v[i]) <= 0x1p-60L * poyi_xsize(v))
            return rule->value[i];
    const int at = rule->next;
    rule->next = (at + 1) % POYI_INCOMPLETE_KEPT;
    rule->kept = rule->kept < POYI_INCOMPLETE_KEPT ? rule->kept + 1 : rule->kept;
    rule->v[at] = v;
    const int real = cimagl(v) == 0.0L && creall(v) > 0.0L && cimagl(rule->u) == 0.0L;
    if (!real || !by_rule(rule, creall(v), creall(rule->u), rule->value[at]))
        poyi_incomplete(rule->twice, rule->step, rule->count, v, rule->u, rule->value[at]);
    return rule->value[at];
}

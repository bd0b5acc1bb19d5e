/* incomplete.c: incomplete Bessel functions of all orders at once, by the trapezoidal rule on a turned ray. */
#include "scatter/periodic/incomplete.h"

#include "math/gamma.h"
#include "math/math.h"

/* t = 1 + turn x, x = scale exp(s - exp(-s)): the integrand falls double-exponentially at both ends, and the rule converges
 * as exp(-2 pi d / h), d = pi / 4 or more the distance to the nearest singularity or growth (Takahasi and Mori, Publ. RIMS 9,
 * 721 (1974)). turn leads 3/4 of the way from the positive axis to the steepest direction. */
typedef struct ray {
    poyi_xcomplex v, u, turn;
    poyi_xreal scale;
    int half, step, count;
} ray;

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
    term = poyi_xmul(term, p->half ? csqrtl(over) : over);
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
        const int twice = (p->half ? 1 : 2) + 2 * p->step * i;
        const poyi_big factor = poyi_big_power(start, twice - 2);
        const poyi_big value = poyi_big_mul(poyi_kambe(1 - twice, z, eta), factor);
        out[i] = 2.0L * poyi_xldexp(value.m, value.e);
    }
}

void poyi_incomplete(int half, int step, int count, poyi_xcomplex v, poyi_xcomplex u, poyi_xcomplex *out)
{
    enum { NODES_MAX = 200000 };
    const poyi_xreal below = -fabsl(cimagl(v)), angle = atan2l(below, creall(v)), length = hypotl(creall(v), below);
    const poyi_xreal theta = -0.75L * angle, peak = 0.6L / sqrtl((poyi_xreal)count), first = -4.0L;
    const poyi_xreal widest = theta == 0.0L ? 0.09L : 0.06L, h = peak < widest ? peak : widest;
    const poyi_xreal start = theta == 0.0L ? 1.0L : 0.125L; /* keeps t = 0 away from where x turns faster than s */
    const ray p = {.v = CMPLXL(creall(v), below),
                   .u = u,
                   .turn = theta == 0.0L ? 1.0L : CMPLXL(cosl(theta), sinl(theta)),
                   .scale = length > 1.0L ? start / length : start,
                   .half = half,
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
        const poyi_xreal last = node(&p, first + h * i, out, &x);
        if (rate * x > 45.0L && last <= 1e-21L * poyi_xsize(out[count - 1]))
            break;
    }
    const poyi_xcomplex whole = h * expl(-creall(p.v)) * CMPLXL(cosl(cimagl(p.v)), -sinl(cimagl(p.v)));
    for (int i = 0; i < count; i++)
        out[i] = poyi_xmul(out[i], whole);
}

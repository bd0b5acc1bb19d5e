/* step_index_root.c: the characteristic equation of a step-index fibre without poles, its brackets, roots and series.
 *
 * With p = J_{n-1}(U)/J_n(U), k = K_{n-1}(W)/(W K_n(W)), w = W^2 and a = w/U^2, and (n n_eff/n_co)^2 (1/U^2 + 1/W^2)
 * = n^2 (1/U^2 + r/W^2), the equation of Snyder and Love (12-7) becomes
 *   HE: p/U = n/U^2 - H, H = [n^2 (a + 1 + r)/U^2 - r k (2n + k w)]/D,
 *   EH: p/U = n/U^2 + D/w,
 *   D = sqrt(d^2 (n + k w)^2 + n^2 (a + 1)(a + r)) + c (n + k w), d = (1 - r)/2, c = (1 + r)/2,
 *   TE: U J_0 + W^2 k J_1 = 0, TM: r U J_0 + W^2 k J_1 = 0, k of n = 1,
 * which has no differences of large numbers at cut-off (W = 0). Between a cut-off and the next zero of J_{n-1} (HE),
 * J_{n+1} (EH), J_1 (TE, TM) there is one root, that of index m. */
#include "pulse/guide/kinds/bessel_k.h"
#include "pulse/guide/kinds/step_index.h"

static const double least_w = 1e-30; /* of HE_1m, whose W falls exponentially towards cut-off: n differs by 1e-60 */

/* ---- cut-offs ---- */

/* Zeros of J_order below v. */
static int zeros_below(int order, double v)
{
    int low = 0, high = (int)(v / POYI_PI) + 2; /* j_{order,m} >= j_{0,m} > pi (m - 1/4) - ... */
    while (high - low > 1) {                    /* j_low < v (or low = 0), j_high >= v */
        const int middle = (low + high) / 2;
        if (poyi_bessel_zero(order, middle) < v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Of HE_nm, n >= 2: the root between j_{n-2,m} and j_{n-1,m} is the cut-off. */
typedef struct cutoff {
    int n;
    double r;
} cutoff;

static double cutoff_he(void *user, double x)
{
    const cutoff *c = user;
    return (1.0 + 1.0 / c->r) * poyi_bessel_jn(c->n - 1, x) - x * poyi_bessel_jn(c->n, x) / (double)(c->n - 1);
}

int poyi_step_count(poy_mode_family family, int n, double v, double r)
{
    switch (family) {
    case POY_MODE_TE:
    case POY_MODE_TM: return zeros_below(0, v);
    case POY_MODE_EH: return zeros_below(n, v);
    default: break;
    }
    if (n == 1)
        return 1 + zeros_below(1, v);
    const int begun = zeros_below(n - 2, v), ended = zeros_below(n - 1, v);
    cutoff c = {n, r};
    if (begun > ended && cutoff_he(&c, v) * poyi_bessel_jn(n - 1, v) >= 0.0)
        return begun - 1;
    return begun;
}

poy_status poyi_step_cutoff(poy_ctx *ctx, poy_mode mode, double r, double *out)
{
    cutoff c = {mode.n, r};
    *out = 0.0;
    if (mode.family == POY_MODE_TE || mode.family == POY_MODE_TM) {
        *out = poyi_bessel_zero(0, mode.m);
    } else if (mode.family == POY_MODE_EH) {
        *out = poyi_bessel_zero(mode.n, mode.m);
    } else if (mode.n == 1) {
        *out = mode.m > 1 ? poyi_bessel_zero(1, mode.m - 1) : 0.0;
    } else {
        const double low = poyi_bessel_zero(mode.n - 2, mode.m), high = poyi_bessel_zero(mode.n - 1, mode.m);
        if (cutoff_he(&c, low) * poyi_bessel_jn(mode.n - 1, low) <= 0.0)
            *out = low; /* r = 1 */
        else
            POYI_TRY(ctx, poyi_root_brent(ctx, cutoff_he, &c, low, high, 0.0, out));
    }
    return POY_OK;
}

/* ---- the equation ---- */

typedef enum unknown { IN_U, IN_W, IN_LOG_W } unknown;
typedef struct equation {
    poy_mode mode;
    double v, r;
    unknown unknown;
} equation;

static double other(double v, double x)
{
    return sqrt(fmax((v - x) * (v + x), 0.0));
}

/* K_{n-1}(W)/(W K_n(W)); at W = 0 its limit (n = 1: none, but only k W^2 is asked for there). */
static double below(int n, double w)
{
    if (w > 0.0)
        return poyi_bessel_k_ratio(n, w) / w;
    return n > 1 ? 0.5 / (double)(n - 1) : 0.0;
}

static double value_at(const equation *e, double u, double w)
{
    const double n = e->mode.n, r = e->r, w2 = w * w;
    if (e->mode.family == POY_MODE_TE || e->mode.family == POY_MODE_TM) {
        const double first = e->mode.family == POY_MODE_TM ? r : 1.0;
        return first * u * poyi_bessel_jn(0, u) + w2 * below(1, w) * poyi_bessel_jn(1, u);
    }
    const double k = below(e->mode.n, w), a = w2 / (u * u), kn = n + k * w2;
    const double d = 0.5 * (1.0 - r), c = 0.5 * (1.0 + r);
    const double D = sqrt(d * d * kn * kn + n * n * (a + 1.0) * (a + r)) + c * kn;
    const double lower = poyi_bessel_jn(e->mode.n - 1, u), here = poyi_bessel_jn(e->mode.n, u);
    if (e->mode.family == POY_MODE_EH)
        return w2 * (u * lower - n * here) - u * u * D * here;
    const double h = (n * n * (a + 1.0 + r) - u * u * r * k * (2.0 * n + k * w2)) / D; /* U^2 H */
    return lower - (n - h) * here / u;
}

static double value_of(void *user, double x)
{
    const equation *e = user;
    switch (e->unknown) {
    case IN_U: return value_at(e, x, other(e->v, x));
    case IN_W: return value_at(e, other(e->v, x), x);
    default: return value_at(e, other(e->v, exp(x)), exp(x));
    }
}

/* Where U of the mode may lie. */
static poy_status bracket(poy_ctx *ctx, poy_mode mode, double v, double r, double *low, double *high)
{
    const int he = mode.family == POY_MODE_HE, eh = mode.family == POY_MODE_EH;
    POYI_TRY(ctx, poyi_step_cutoff(ctx, mode, r, low));
    *low = *low > 0.0 ? *low : 1e-3 * fmin(v, 1.0); /* HE11: U is nearly V where V is small, and above 1 elsewhere */
    *high = fmin(v, poyi_bessel_zero(he ? mode.n - 1 : eh ? mode.n + 1 : 1, mode.m));
    return POY_OK;
}

poy_status poyi_step_root(poy_ctx *ctx, poy_mode mode, double v, double r, double *u, double *w)
{
    equation e = {mode, v, r, IN_U};
    double low = 0.0, high = 0.0, x = 0.0;
    POYI_TRY(ctx, bracket(ctx, mode, v, r, &low, &high));
    if (high < 0.7 * v) {
        POYI_TRY(ctx, poyi_root_brent(ctx, value_of, &e, low, high, 0.0, u));
        *w = other(v, *u);
        return POY_OK;
    }
    const double w_low = other(v, high), w_high = other(v, low);
    if (mode.family == POY_MODE_HE && mode.n == 1) {
        const double from = log(fmax(w_low, least_w)), to = log(w_high);
        e.unknown = IN_LOG_W;
        if (w_low <= least_w && value_of(&e, from) * value_of(&e, to) > 0.0) {
            *u = v;
            *w = 0.0;
            return POY_OK;
        }
        POYI_TRY(ctx, poyi_root_brent(ctx, value_of, &e, from, to, 0.0, &x));
        *w = exp(x);
    } else {
        e.unknown = IN_W;
        POYI_TRY(ctx, poyi_root_brent(ctx, value_of, &e, w_low, w_high, 0.0, w));
    }
    *u = other(v, *w);
    return POY_OK;
}

/* ---- series ---- */

/* p = J_{n-1}(U)/J_n(U) along the series of U: p' = -p^2 + (2n - 1) p/U - 1 (DLMF 10.6.2). With sign = -1 and
 * K_{n-1}/K_n: p' = p^2 + (2n - 1) p/W - 1 (DLMF 10.29.2). */
static poyi_cjet ratio_along(int n, double sign, double first, poyi_cjet x)
{
    poyi_cjet p = poyi_cjet_constant(x.order, first);
    for (int k = 1; k <= x.order; k++) {
        poyi_cjet square = poyi_cjet_mul(p, p), slope = poyi_cjet_scale(poyi_cjet_div(p, x), 2.0 * n - 1.0);
        slope = poyi_cjet_offset(poyi_cjet_add_scaled(slope, -sign, square), -1.0);
        double complex sum = 0.0;
        for (int j = 1; j <= k; j++)
            sum += (double)j * x.c[j] * slope.c[k - j];
        p.c[k] = sum / (double)k;
    }
    return p;
}

/* What is zero at the root, as a series. */
static poyi_cjet residual(poy_mode mode, poyi_cjet u2, poyi_cjet w2, poyi_cjet r)
{
    const int hybrid_mode = mode.n > 0, order = u2.order, n_bessel = hybrid_mode ? mode.n : 1;
    const double n = mode.n;
    poyi_cjet u = poyi_cjet_sqrt(u2), w = poyi_cjet_sqrt(w2);
    const double u0 = creal(u.c[0]), w0 = creal(w.c[0]);
    const double p0 = poyi_bessel_jn(n_bessel - 1, u0) / poyi_bessel_jn(n_bessel, u0);
    poyi_cjet p = poyi_cjet_div(ratio_along(n_bessel, 1.0, p0, u), u); /* p/U */
    poyi_cjet k = poyi_cjet_div(ratio_along(n_bessel, -1.0, poyi_bessel_k_ratio(n_bessel, w0), w), w);
    poyi_cjet kw = poyi_cjet_mul(k, w2);
    if (!hybrid_mode) /* divided by U J_1 */
        return poyi_cjet_add(mode.family == POY_MODE_TM ? poyi_cjet_mul(r, poyi_cjet_mul(p, u2)) : poyi_cjet_mul(p, u2),
                             kw);
    poyi_cjet a = poyi_cjet_div(w2, u2), kn = poyi_cjet_offset(kw, n);
    poyi_cjet d = poyi_cjet_scale(poyi_cjet_offset(r, -1.0), 0.5), c = poyi_cjet_offset(d, 1.0);
    poyi_cjet dk = poyi_cjet_mul(d, kn), square = poyi_cjet_mul(dk, dk);
    square = poyi_cjet_add_scaled(square, n * n, poyi_cjet_mul(poyi_cjet_offset(a, 1.0), poyi_cjet_add(a, r)));
    poyi_cjet D = poyi_cjet_add(poyi_cjet_sqrt(square), poyi_cjet_mul(c, kn));
    poyi_cjet bend = poyi_cjet_add_scaled(p, -n, poyi_cjet_div(poyi_cjet_constant(order, 1.0), u2)); /* p/U - n/U^2 */
    if (mode.family == POY_MODE_EH)
        return poyi_cjet_add_scaled(poyi_cjet_mul(bend, w2), -1.0, D);
    poyi_cjet top = poyi_cjet_div(poyi_cjet_scale(poyi_cjet_offset(poyi_cjet_add(a, r), 1.0), n * n), u2);
    poyi_cjet rk = poyi_cjet_mul(poyi_cjet_mul(r, k), poyi_cjet_offset(kn, n));
    return poyi_cjet_add(bend, poyi_cjet_div(poyi_cjet_add_scaled(top, -1.0, rk), D));
}

static poyi_cjet residual_in(poy_mode mode, int w2, poyi_cjet y, poyi_cjet v2, poyi_cjet r)
{
    poyi_cjet rest = poyi_cjet_add_scaled(v2, -1.0, y);
    return w2 ? residual(mode, rest, y, r) : residual(mode, y, rest, r);
}

poyi_cjet poyi_step_series(poy_mode mode, double u, double w, int w2, poyi_cjet v2, poyi_cjet r)
{
    const double first = w2 ? w * w : u * u;
    poyi_cjet y = poyi_cjet_constant(v2.order, first);
    /* d residual/d y, everything else held */
    poyi_cjet moving = {.order = 1, .c = {first, first}};
    poyi_cjet slope = residual_in(mode, w2, moving, poyi_cjet_constant(1, v2.c[0]), poyi_cjet_constant(1, r.c[0]));
    const double complex per = first / slope.c[1];
    for (int i = 0; i <= v2.order; i++) /* Newton: each pass makes one more coefficient right */
        y = poyi_cjet_add_scaled(y, -per, residual_in(mode, w2, y, v2, r));
    return y;
}

/* bessel_ladder.c: the three-term recurrence, upwards for H^(1), in the stable direction for J.
 *
 * In the first quadrant H^(1)_k grows with k (like K_k(-iz)), so upwards is stable at every z. J falls against it;
 * upwards it loses the square of the growth of H, so that is done only while this growth is small (orders well below
 * |z|); else downwards from an order where H has grown by 1e11 more, which makes the error of the start 1e-22
 * (Miller; Olver 1967), and scaled by the Wronskian with H, of which no term cancels. No division by a function value
 * occurs, so there is no argument at which a denominator vanishes. */
#include "math/bessel/bessel_ladder.h"

/* Two neighbouring values with a common power of 2. */
typedef struct rung {
    poyi_xcomplex before, here;
    int64_t e;
} rung;

static void rescale(rung *r)
{
    if (poyi_xsize(r->here) > 0x1p+4000L) {
        r->before *= 0x1p-4000L;
        r->here *= 0x1p-4000L;
        r->e += 4000;
    }
}

/* One step up; here has the order k. */
static void up(rung *r, poyi_xreal k, poyi_xcomplex over_z)
{
    const poyi_xcomplex next = poyi_xmul(2.0L * k * over_z, r->here) - r->before;
    r->before = r->here;
    r->here = next;
    rescale(r);
}

/* log2 of |here|, to a bit */
static poyi_xreal log2_size(const rung *r)
{
    return log2l(poyi_xsize(r->here)) + (poyi_xreal)r->e;
}

/* J at mu + n and mu + n + 1 up to a factor, downwards. h: H at mu + n and mu + n + 1. */
static rung downwards(const poyi_ladder *s, int n, poyi_xcomplex over_z, rung h)
{
    const poyi_xreal target = log2_size(&h) + 38.0L;
    int top = n + 1;
    while (log2_size(&h) < target) {
        for (int i = 0; i < 8; i++, top++)
            up(&h, s->mu + top, over_z);
    }
    rung f = {0.0L, 1.0L, 0}; /* the orders mu + top + 1 and mu + top */
    for (int k = top; k > n; k--)
        up(&f, s->mu + k, over_z);
    return f; /* before: mu + n + 1, here: mu + n */
}

void poyi_ladder_climb(const poyi_ladder *s, int n, poyi_big h[2], poyi_big j[2])
{
    const poyi_xcomplex over_z = poyi_xinverse(s->z);
    rung r = {s->h[0], s->h[1], 0};
    rung b = {s->j[0], s->j[1], 0};

    for (int k = 1; k <= n; k++)
        up(&r, s->mu + k, over_z);
    h[0] = poyi_big_make(r.before, r.e);
    h[1] = poyi_big_make(r.here, r.e);

    const poyi_xreal growth = log2l(poyi_xsize(h[0].m)) + (poyi_xreal)h[0].e - log2l(poyi_xsize(s->h[0]));
    if (cabsl(s->z) >= (poyi_xreal)POYI_LADDER_FAR && growth < 2.5L) {
        for (int k = 1; k <= n; k++)
            up(&b, s->mu + k, over_z);
        j[0] = poyi_big_make(b.before, b.e);
        j[1] = poyi_big_make(b.here, b.e);
        return;
    }
    b = downwards(s, n, over_z, r);
    j[0] = poyi_big_make(b.here, b.e);
    j[1] = poyi_big_make(b.before, b.e);
    /* of the hats: without exp(iz) exp(Im z) = exp(i Re z) */
    const poyi_xreal x = creall(s->z);
    const poyi_big w = poyi_big_make(poyi_xmul(s->wronskian, CMPLXL(cosl(x), -sinl(x))), 0);
    const poyi_big product = poyi_big_mul(j[1], h[0]), other = poyi_big_mul(j[0], h[1]);
    const poyi_big scale = poyi_big_div(w, poyi_big_add(product, poyi_big_times(other, -1.0L)));
    j[0] = poyi_big_mul(j[0], scale);
    j[1] = poyi_big_mul(j[1], scale);
}

void poyi_ladder_all(const poyi_ladder *s, int n, poyi_big *h, poyi_big *j)
{
    const poyi_xcomplex over_z = poyi_xinverse(s->z);
    poyi_big top_h[2], top_j[2];
    rung r = {s->h[0], s->h[1], 0};
    for (int k = 0; k <= n; k++) {
        h[k] = poyi_big_make(r.before, r.e);
        up(&r, s->mu + k + 1, over_z);
    }
    poyi_ladder_climb(s, n, top_h, top_j);
    const int64_t e = top_j[0].e; /* both near each other: the orders are neighbours */
    rung b = {poyi_xldexp(top_j[1].m, top_j[1].e - e), top_j[0].m, e};
    for (int k = n; k >= 0; k--) {
        j[k] = poyi_big_make(b.here, b.e);
        up(&b, s->mu + k, over_z);
    }
}

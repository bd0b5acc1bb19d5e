/* test_tableau.c: the coefficients of the Dormand-Prince pair are the rationals that their order conditions need.
 *
 * Every coefficient is read back as the one fraction with a denominator below 10^6 whose quotient rounds to it. The
 * conditions are then checked exactly: a rational is 0 if and only if its numerator is. Over the common denominator of
 * a condition (at most four coefficients, each with a denominator below 10^6, and their sums) numerators stay far below
 * the product of the primes used, 2^155, so that one which is 0 modulo all of them is 0. */
#include <math.h>

#include "pulse/geometry/geometry.h"
#include "tap.h"

typedef int64_t residue;

static const residue primes[] = {2147483647, 2147483629, 2147483587, 2147483579, 2147483563};
enum { PRIMES = 5, S = POY_STAGES };

typedef struct ratio {
    int64_t num, den;
} ratio;

/* By continued fraction; den is 0 where there is none. */
static ratio rational(double x)
{
    double rest = fabs(x);
    int64_t p[2] = {0, 1}, q[2] = {1, 0}; /* the last two convergents */
    for (int i = 0; i < 40; i++) {
        int64_t whole = (int64_t)floor(rest), num = whole * p[1] + p[0], den = whole * q[1] + q[0];
        if (den > 1000000)
            break;
        p[0] = p[1], q[0] = q[1], p[1] = num, q[1] = den;
        if ((double)num / (double)den == fabs(x))
            return (ratio){x < 0.0 ? -num : num, den};
        rest = 1.0 / (rest - (double)whole);
    }
    return (ratio){0, 0};
}

static residue power(residue base, residue exponent, residue prime)
{
    residue result = 1;
    for (; exponent; exponent /= 2) {
        if (exponent % 2)
            result = result * base % prime;
        base = base * base % prime;
    }
    return result;
}

/* num / den modulo a prime (den^(p-2) is the inverse of den). */
static residue modulo(ratio r, residue prime)
{
    residue num = (r.num % prime + prime) % prime;
    return num * power(r.den % prime, prime - 2, prime) % prime;
}

typedef struct method {
    residue c[S], a[S][S], b[S], e[S];
} method;

static int all_rational = 1;

static residue read_back(double x, residue prime)
{
    ratio r = rational(x);
    all_rational = all_rational && r.den != 0;
    return r.den ? modulo(r, prime) : 0;
}

static method reduce(residue prime)
{
    const poyi_tableau *t = &poyi_dormand_prince;
    method m = {0};
    for (int i = 0; i < S; i++) {
        m.c[i] = read_back(t->c[i], prime);
        m.b[i] = read_back(t->b[i], prime);
        m.e[i] = read_back(t->e[i], prime);
        for (int j = 0; j < t->n[i]; j++)
            m.a[i][t->blocks[i][j]] = read_back(t->a[i][j], prime);
    }
    return m;
}

/* ---- rooted trees: the elementary weights of each stage, by stages ---- */

typedef struct weights {
    residue v[S];
} weights;

static residue dot(const residue *x, weights w, residue p)
{
    residue sum = 0;
    for (int i = 0; i < S; i++)
        sum = (sum + x[i] * w.v[i]) % p;
    return sum;
}

static weights times(weights x, weights y, residue p)
{
    for (int i = 0; i < S; i++)
        x.v[i] = x.v[i] * y.v[i] % p;
    return x;
}

static weights apply(const method *m, weights w, residue p)
{
    weights out = {{0}};
    for (int i = 0; i < S; i++)
        out.v[i] = dot(m->a[i], w, p);
    return out;
}

enum { TREES = 17 };
static const struct {
    int order, density; /* condition: sum b_i phi_i = 1 / density */
} trees[TREES] = {{1, 1},  {2, 2},  {3, 3},  {3, 6},  {4, 4},  {4, 8},  {4, 12}, {4, 24}, {5, 5},
                  {5, 10}, {5, 15}, {5, 30}, {5, 20}, {5, 20}, {5, 40}, {5, 60}, {5, 120}};

/* All trees of up to five vertices (Hairer, Norsett, Wanner, Solving ODEs I, table II.2.1). */
static void elementary(const method *m, residue p, weights phi[TREES])
{
    weights one = {{1, 1, 1, 1, 1, 1, 1}}, c = apply(m, one, p);
    weights c2 = times(c, c, p), c3 = times(c2, c, p), ac = apply(m, c, p);
    weights list[TREES] = {one,
                           c,
                           c2,
                           ac,
                           c3,
                           times(c, ac, p),
                           apply(m, c2, p),
                           apply(m, ac, p),
                           times(c3, c, p),
                           times(c2, ac, p),
                           times(c, apply(m, c2, p), p),
                           times(c, apply(m, ac, p), p),
                           times(ac, ac, p),
                           apply(m, c3, p),
                           apply(m, times(c, ac, p), p),
                           apply(m, apply(m, c2, p), p),
                           apply(m, apply(m, ac, p), p)};
    for (int i = 0; i < TREES; i++)
        phi[i] = list[i];
}

int main(void)
{
    int holds[TREES], error_zero[TREES], rows = 1, last = 1;

    for (int i = 0; i < TREES; i++)
        holds[i] = error_zero[i] = 1;
    for (int k = 0; k < PRIMES; k++) {
        residue p = primes[k];
        method m = reduce(p);
        weights phi[TREES], one = {{1, 1, 1, 1, 1, 1, 1}};
        elementary(&m, p, phi);
        for (int i = 0; i < TREES; i++) {
            holds[i] &= dot(m.b, phi[i], p) * trees[i].density % p == 1;
            error_zero[i] &= dot(m.e, phi[i], p) == 0;
        }
        for (int i = 0; i < S; i++) {
            rows &= dot(m.a[i], one, p) == m.c[i];
            last &= m.a[S - 1][i] == m.b[i];
        }
    }
    ok(all_rational, "every coefficient is a fraction with a denominator of at most 10^6, correctly rounded");
    ok(rows, "rows of a sum to c");
    ok(last, "the last stage is evaluated at the solution: k_7 is the next step's k_1");
    for (int i = 0; i < TREES; i++)
        ok(holds[i], "tree %d of order %d: sum b phi = 1/%d", i + 1, trees[i].order, trees[i].density);
    int fourth = 1, fifth = 0;
    for (int i = 0; i < TREES; i++) {
        fourth &= trees[i].order > 4 || error_zero[i];
        fifth |= trees[i].order == 5 && !error_zero[i];
    }
    ok(fourth, "the error weights vanish on all trees of order up to 4: the embedded solution has order 4");
    ok(fifth, "and not on all of order 5: it is an estimate");
    return tap_done();
}

/* translation_terms.c: the factors of D_{p, m - mu} in the translation coefficients A and B. */
#include <stdlib.h>

#include "math/math.h"
#include "scatter/waves/expand/translation.h"

enum { TABLE_MAX = 2 * POY_DEGREE_MAX + 1 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* (-1)^n of any n */
static double alternate(int n)
{
    return n % 2 ? -1.0 : 1.0;
}

/* A: (-1)^m sqrt(pi (2l+1)(2L+1) / (l(l+1)L(L+1))) sum_p i^{L-l+p} sqrt(2p+1) (l L p; m -mu mu-m)(l L p; 0 0 0)
 *    [l(l+1) + L(L+1) - p(p+1)] D_p;
 * B: with (l L p-1; 0 0 0) sqrt((l+L+1+p)(l+L+1-p)(p+L-l)(p-L+l)) instead of the last two factors. */
void poyi_translation_terms_of(int lambda, int mu, int l, int m, poyi_translation_terms *t)
{
    double w[TABLE_MAX], w0[TABLE_MAX];
    int first = 0, first0 = 0;
    const int count = poyi_threej_table(l, lambda, m, -mu, &first, w), top = l + lambda;
    (void)poyi_threej_table(l, lambda, 0, 0, &first0, w0);
    const double ll = l * (l + 1.0), kk = lambda * (lambda + 1.0);
    const double norm = alternate(m) * sqrt((double)POYI_PIL * (2 * l + 1) * (2 * lambda + 1) / (ll * kk));

    (void)count;
    t->first_a = first + (top - first) % 2;
    t->count_a = (top - t->first_a) / 2 + 1;
    for (int i = 0; i < t->count_a; i++) {
        const int p = t->first_a + 2 * i;
        t->a[i] = norm * alternate((lambda - l + p) / 2) * sqrt(2.0 * p + 1.0) * w[p - first] * w0[p - first0] *
                  (ll + kk - p * (p + 1.0));
    }
    const int least = larger(first, abs(l - lambda) + 1);
    t->first_b = least + (top - 1 - least) % 2;
    t->count_b = least > top - 1 ? 0 : (top - 1 - t->first_b) / 2 + 1;
    for (int i = 0; i < t->count_b; i++) {
        const int p = t->first_b + 2 * i;
        const double root = (double)(top + 1 + p) * (top + 1 - p) * (double)(p + lambda - l) * (p - lambda + l);
        t->b[i] = norm * alternate((lambda - l + p - 1) / 2) * sqrt(2.0 * p + 1.0) * w[p - first] * w0[p - 1 - first0] *
                  sqrt(root);
    }
}

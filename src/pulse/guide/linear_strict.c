/* linear_strict.c: Clenshaw's sum of many Chebyshev series at one point, rounded operation by operation. */
#include "pulse/guide/guide.h"

enum { BLOCK = 256 };

void poyi_clenshaw(int terms, int64_t n, const double *c, double x, double *out)
{
    double here[BLOCK], above[BLOCK];
    for (int64_t from = 0; from < n; from += BLOCK) {
        const int64_t size = n - from < BLOCK ? n - from : BLOCK;
        for (int64_t i = 0; i < size; i++)
            here[i] = above[i] = 0.0;
        for (int k = terms - 1; k >= 1; k--) {
            const double *row = c + k * n + from;
            for (int64_t i = 0; i < size; i++) {
                const double below = (2.0 * x * here[i] - above[i]) + row[i];
                above[i] = here[i];
                here[i] = below;
            }
        }
        for (int64_t i = 0; i < size; i++)
            out[from + i] = (x * here[i] - above[i]) + c[from + i];
    }
}

/* threej.c: Wigner 3j symbols by recurrence from both ends. */
#include <stdlib.h>

#include "math/angular/wigner.h"

enum { TABLE_MAX = 2 * POYI_THREEJ_LABEL_MAX + 1 };

typedef struct labels {
    int64_t j1, j2, m1, m2, m3;
} labels;

/* Coefficients of j A(j + 1) f(j + 1) + B(j) f(j) + (j + 1) A(j) f(j - 1) = 0; the integers below are exact. */
static poyi_xreal coefficient_a(const labels *q, int64_t j)
{
    const int64_t d = q->j1 - q->j2, s = q->j1 + q->j2 + 1;
    return sqrtl((poyi_xreal)((j * j - d * d) * (s * s - j * j)) * (poyi_xreal)(j * j - q->m3 * q->m3));
}

static poyi_xreal coefficient_b(const labels *q, int64_t j)
{
    const int64_t difference = q->j1 * (q->j1 + 1) - q->j2 * (q->j2 + 1);
    return (poyi_xreal)(-(2 * j + 1) * (difference * q->m3 - j * (j + 1) * (q->m2 - q->m1)));
}

/* g up from first with g = 1 there: grows until the region where the symbols oscillate. */
static void upwards(const labels *q, int64_t first, int count, poyi_xreal *g)
{
    g[0] = 1.0L;
    for (int i = 0; i + 1 < count; i++) {
        const int64_t j = first + i;
        const poyi_xreal before = i > 0 ? (j + 1) * coefficient_a(q, j) * g[i - 1] : 0.0L;
        if (j == 0) /* 0 / 0 in the recurrence; (j j 1; m -m 0) / (j j 0; m -m 0) in closed form */
            g[1] = q->m1 / sqrtl((poyi_xreal)(q->j1 * (q->j1 + 1)));
        else
            g[i + 1] = -(coefficient_b(q, j) * g[i] + before) / (j * coefficient_a(q, j + 1));
    }
}

/* h down from the last with h = 1 there. */
static void downwards(const labels *q, int64_t first, int count, poyi_xreal *h)
{
    h[count - 1] = 1.0L;
    for (int i = count - 1; i > 0; i--) {
        const int64_t j = first + i;
        const poyi_xreal above = i + 1 < count ? j * coefficient_a(q, j + 1) * h[i + 1] : 0.0L;
        h[i - 1] = -(coefficient_b(q, j) * h[i] + above) / ((j + 1) * coefficient_a(q, j));
    }
}

int poyi_threej_table(int j1, int j2, int m1, int m2, int *first, double *out)
{
    const labels q = {j1, j2, m1, m2, -m1 - m2};
    poyi_xreal g[TABLE_MAX] = {0.0L}, h[TABLE_MAX] = {0.0L};
    if (abs(m1) > j1 || abs(m2) > j2)
        return 0;
    const int least = abs(j1 - j2) > abs(m1 + m2) ? abs(j1 - j2) : abs(m1 + m2), count = j1 + j2 - least + 1;
    *first = least;
    upwards(&q, least, count, g);
    downwards(&q, least, count, h);

    /* Each direction is right while the symbols grow or oscillate and drowns in the growing solution beyond; so |g h| is
     * largest between, where both are right. */
    int joint = 0;
    for (int i = 1; i < count; i++)
        if (fabsl(g[i] * h[i]) > fabsl(g[joint] * h[joint]))
            joint = i;
    const poyi_xreal ratio = g[joint] / h[joint];
    poyi_xreal sum = 0.0L;
    for (int i = 0; i < count; i++) {
        if (i > joint)
            g[i] = h[i] * ratio;
        sum += (2 * (least + i) + 1) * g[i] * g[i];
    }
    /* the sign of the last symbol is (-1)^(j1 - j2 + m1 + m2) (DLMF 34.3.5) */
    const int negative = (j1 - j2 + m1 + m2) % 2 != 0;
    const poyi_xreal norm = ((g[count - 1] < 0.0L) != negative ? -1.0L : 1.0L) / sqrtl(sum);
    for (int i = 0; i < count; i++)
        out[i] = (double)(g[i] * norm);
    return count;
}

/* Regge's square: a symbol changes its sign by (-1)^(j1 + j2 + j3) when two rows or columns change places, so it vanishes
 * where they are equal and the sum is odd. */
static int zero_by_symmetry(int j1, int j2, int j3, int m1, int m2, int m3)
{
    const int r[3][3] = {
        {j2 + j3 - j1, j1 + j3 - j2, j1 + j2 - j3}, {j1 - m1, j2 - m2, j3 - m3}, {j1 + m1, j2 + m2, j3 + m3}};
    if ((j1 + j2 + j3) % 2 == 0)
        return 0;
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3;
        if ((r[i][0] == r[k][0] && r[i][1] == r[k][1] && r[i][2] == r[k][2]) ||
            (r[0][i] == r[0][k] && r[1][i] == r[1][k] && r[2][i] == r[2][k]))
            return 1;
    }
    return 0;
}

double poyi_threej(int j1, int j2, int j3, int m1, int m2, int m3)
{
    double table[TABLE_MAX] = {0.0};
    int first = 0;
    if (m1 + m2 + m3 != 0 || abs(m3) > j3 || j3 < abs(j1 - j2) || j3 > j1 + j2 || abs(m1) > j1 || abs(m2) > j2 ||
        zero_by_symmetry(j1, j2, j3, m1, m2, m3))
        return 0.0;
    (void)poyi_threej_table(j1, j2, m1, m2, &first, table);
    return table[j3 - first];
}

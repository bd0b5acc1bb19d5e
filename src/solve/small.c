/* small.c: exponentials and singular values of small matrices on the host. */
#include <math.h>
#include <string.h>

#include "ops/pade.h"
#include "record/lapack.h"
#include "solve/solve.h"

static double norm_1(int64_t n, const double complex *a)
{
    double worst = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += cabs(a[i * n + j]);
        worst = fmax(worst, sum);
    }
    return worst;
}

static void multiply(int64_t n, const double complex *a, const double complex *b, double complex *c)
{
    poyi_gemm(POY_C128, 'n', 'n', n, n, n, 1.0, a, b, 0.0, c);
}

/* [13/13] Pade, theta_13 = 5.37 (pade.h). */
void poyi_small_expm(int64_t n, const double complex *a, double complex *e, double complex *work, int32_t *pivots)
{
    const double *b = poyi_expm_pade;
    const int64_t nn = n * n;
    double complex *s = work, *a2 = s + nn, *a4 = a2 + nn, *a6 = a4 + nn, *u = a6 + nn, *t = u + nn;
    const double norm = norm_1(n, a);
    int squarings = 0;

    if (norm > 5.371920351148152)
        (void)frexp(norm / 5.371920351148152, &squarings);
    squarings = squarings > 0 ? squarings : 0;
    for (int64_t i = 0; i < nn; i++)
        s[i] = a[i] * ldexp(1.0, -squarings);
    multiply(n, s, s, a2);
    multiply(n, a2, a2, a4);
    multiply(n, a4, a2, a6);
    for (int64_t i = 0; i < nn; i++)
        t[i] = b[13] * a6[i] + b[11] * a4[i] + b[9] * a2[i];
    multiply(n, a6, t, e);
    for (int64_t i = 0; i < nn; i++)
        e[i] += b[7] * a6[i] + b[5] * a4[i] + b[3] * a2[i] + (i % (n + 1) == 0 ? b[1] : 0);
    multiply(n, s, e, u);
    for (int64_t i = 0; i < nn; i++)
        t[i] = b[12] * a6[i] + b[10] * a4[i] + b[8] * a2[i];
    multiply(n, a6, t, e);
    for (int64_t i = 0; i < nn; i++) {
        const double complex v = e[i] + b[6] * a6[i] + b[4] * a4[i] + b[2] * a2[i] + (i % (n + 1) == 0 ? b[0] : 0);
        s[i] = v - u[i];
        t[i] = v + u[i];
    }
    (void)poyi_lu_factor(POY_C128, n, s, pivots);
    poyi_lu_solve(POY_C128, 0, n, n, s, pivots, t, e, a2);
    for (int i = 0; i < squarings; i++) {
        multiply(n, e, e, t);
        memcpy(e, t, (size_t)nn * sizeof *e);
    }
}

/* Rotates columns p and q of a (and of v) so that a's are orthogonal; 0: they were. */
static int rotate_columns(int64_t n, double complex *a, double complex *v, int64_t p, int64_t q)
{
    double app = 0, aqq = 0;
    double complex apq = 0;
    for (int64_t i = 0; i < n; i++) {
        app += creal(a[i * n + p] * conj(a[i * n + p]));
        aqq += creal(a[i * n + q] * conj(a[i * n + q]));
        apq += conj(a[i * n + p]) * a[i * n + q];
    }
    if (!(cabs(apq) > 1e-16 * sqrt(app * aqq)) || !(cabs(apq) > 0))
        return 0;
    const double complex phase = apq / cabs(apq);
    const double zeta = (aqq - app) / (2 * cabs(apq));
    const double t = (zeta >= 0 ? 1 : -1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    const double c = 1 / sqrt(1 + t * t), s = c * t;
    for (int k = 0; k < 2; k++) {
        double complex *m = k ? v : a;
        for (int64_t i = 0; i < n; i++) {
            const double complex x = m[i * n + p], y = m[i * n + q] * conj(phase);
            m[i * n + p] = c * x - s * y;
            m[i * n + q] = s * x + c * y;
        }
    }
    return 1;
}

static void swap_columns(int64_t n, double complex *a, int64_t p, int64_t q)
{
    for (int64_t i = 0; i < n; i++) {
        const double complex t = a[i * n + p];
        a[i * n + p] = a[i * n + q];
        a[i * n + q] = t;
    }
}

void poyi_small_svd(int64_t n, double complex *a, double *s, double complex *v)
{
    for (int64_t i = 0; i < n * n; i++)
        v[i] = i % (n + 1) == 0;
    for (int sweep = 0, turned = 1; turned && sweep < 60; sweep++) {
        turned = 0;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++)
                turned |= rotate_columns(n, a, v, p, q);
    }
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += creal(a[i * n + j] * conj(a[i * n + j]));
        s[j] = sqrt(sum);
        for (int64_t i = 0; s[j] > 0 && i < n; i++)
            a[i * n + j] /= s[j];
    }
    for (int64_t j = 0; j < n; j++) {
        int64_t largest = j;
        for (int64_t i = j + 1; i < n; i++)
            largest = s[i] > s[largest] ? i : largest;
        const double t = s[j];
        s[j] = s[largest];
        s[largest] = t;
        if (largest != j) {
            swap_columns(n, a, j, largest);
            swap_columns(n, v, j, largest);
        }
    }
}

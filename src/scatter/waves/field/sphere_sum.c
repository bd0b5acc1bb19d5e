/* sphere_sum.c: recurrence factors of the sum over spherical waves, and that sum in extended precision. */
#include "scatter/waves/field/sphere_sum.h"

#include "math/math.h"
#include "scatter/waves/angular_table.h"
#include "scatter/waves/radial.h"
#include "scatter/waves/waves.h"

void poyi_sphere_ladder(int lmax, int mmax, double *ladder)
{
    for (int m = 0; m <= (mmax < lmax ? mmax + 1 : lmax); m++)
        for (int l = m; l <= lmax; l++) {
            const double next = l + 1, here = l;
            const double up = sqrt((4.0 * next * next - 1.0) / ((next - m) * (next + m)));
            double *f = ladder + 4 * poyi_sphere_place(lmax, l, m);
            f[0] = up;
            f[1] = l > m ? up * sqrt((here - m) * (here + m) / (4.0 * here * here - 1.0)) : 0.0;
            f[2] = m > 0 ? 0.5 * sqrt((here - m) * (here + m + 1.0)) : sqrt(here * (here + 1.0)); /* Q^{-1} = -Q^1 */
            f[3] = m > 0 ? 0.5 * sqrt((here + m) * (here - m + 1.0)) : 0.0;
        }
}

size_t poyi_sphere_scratch(int lmax)
{
    const size_t n = (size_t)lmax + 1;
    return POYI_FIELD_LANES * (3 * (n + 1) + 9 * n);
}

void poyi_sphere_exact(const poyi_sphere_sum *sum, const double d[3], poyi_xcomplex *table, poyi_xcomplex e[3])
{
    poyi_xcomplex z[POY_DEGREE_MAX + 3], total[3] = {0.0L, 0.0L, 0.0L};
    poyi_xcomplex *tau = table, *pi = tau + (size_t)(sum->lmax + 1) * (size_t)(sum->lmax + 1);
    poyi_xcomplex *p = pi + (pi - tau);
    poyi_xreal r;
    poyi_direction at = {1.0L, 0.0L};
    const poyi_direction away = poyi_direction_of(d, &r);
    if (r > 0.0L)
        at = away;
    const poyi_xreal sine = cabsl(at.sine);
    const poyi_xcomplex turn = sine > 0.0L ? at.sine / sine : 1.0L;
    poyi_wave_radial_table(sum->singular, sum->lmax + 1, poyi_x(sum->k) * r, z);
    poyi_wave_angular_table(sum->lmax, at.cosine, sine, tau, pi, p);
    poyi_xcomplex power = 1.0L;
    for (int m = 0; m <= sum->mmax; m++, power = poyi_xmul(power, turn))
        for (int l = m > 1 ? m : 1; l <= sum->lmax; l++) {
            const poyi_xcomplex wave = ((l + 1) * z[l - 1] - l * z[l + 1]) / (2 * l + 1);
            const poyi_xcomplex over = (poyi_xreal)l * (l + 1) * (z[l - 1] + z[l + 1]) / (2 * l + 1);
            const double *w = sum->weight + 8 * poyi_sphere_place(sum->lmax, l, m);
            for (int side = 0; side < (m > 0 ? 2 : 1); side++, w += 4) {
                const int order = side ? -m : m, place = poyi_angular_place(l, order);
                const poyi_xreal sign = side && m % 2 ? -1.0L : 1.0L; /* is in the weights of -m */
                const poyi_xcomplex phase = sign * (side ? conjl(power) : power);
                const poyi_xcomplex a = poyi_xmul(CMPLXL(w[0], w[1]), poyi_xmul(phase, z[l]));
                const poyi_xcomplex electric = poyi_xmul(CMPLXL(w[2], w[3]), phase), b = poyi_xmul(electric, wave);
                total[0] += poyi_xturn(poyi_xmul(p[place], poyi_xmul(electric, over)), 1);
                total[1] += poyi_xturn(poyi_xmul(tau[place], b), 1) - poyi_xmul(pi[place], a);
                total[2] -= poyi_xturn(poyi_xmul(tau[place], a), 1) + poyi_xmul(pi[place], b);
            }
        }
    const poyi_xreal cp = creall(turn), sp = cimagl(turn);
    const poyi_xcomplex flat = sine * total[0] + at.cosine * total[1];
    e[0] = cp * flat - sp * total[2];
    e[1] = sp * flat + cp * total[2];
    e[2] = at.cosine * total[0] - sine * total[1];
}

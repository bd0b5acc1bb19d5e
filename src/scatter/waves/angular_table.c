/* angular_table.c: normalised tau and pi functions over degree and order by recurrences that stay regular at the poles. */
#include "scatter/waves/angular_table.h"

#include "math/math.h"

static poyi_xreal root(int n)
{
    return sqrtl((poyi_xreal)n);
}

/* Q_l^m / sin(theta) for m >= 1 into pi, Q_l^0 at m = 0; Q is the normalised P. */
static void columns(int lmax, poyi_xcomplex cosine, poyi_xcomplex sine, poyi_xcomplex *pi)
{
    poyi_xcomplex sectoral = sqrtl(0.25L / POYI_PIL);
    for (int m = 0; m <= lmax; m++) {
        poyi_xcomplex before = 0.0L, here = sectoral;
        for (int l = m; l <= lmax; l++) {
            pi[poyi_angular_place(l, m)] = here;
            const poyi_xreal next = l + 1, low = l;
            const poyi_xreal up = sqrtl((4 * next * next - 1) / ((next - m) * (next + m)));
            const poyi_xreal down = l > m ? sqrtl((low - m) * (low + m) / (4 * low * low - 1)) : 0.0L;
            const poyi_xcomplex above = up * (poyi_xmul(cosine, here) - down * before);
            before = here;
            here = above;
        }
        sectoral *= -sqrtl((2 * m + 3) / (2.0L * (m + 1)));
        if (m > 0)
            sectoral = poyi_xmul(sectoral, sine);
    }
}

void poyi_wave_angular_table(int lmax, poyi_xcomplex cosine, poyi_xcomplex sine, poyi_xcomplex *tau, poyi_xcomplex *pi,
                             poyi_xcomplex *p)
{
    columns(lmax, cosine, sine, pi);
    for (int l = 0; l <= lmax; l++) {
        const poyi_xcomplex *q = pi + poyi_angular_place(l, 0);
        poyi_xcomplex *t = tau + poyi_angular_place(l, 0);
        t[0] = l > 0 ? root(l * (l + 1)) * poyi_xmul(sine, q[1]) : 0.0L;
        for (int m = 1; m <= l; m++) {
            const poyi_xcomplex above = m < l ? root((l - m) * (l + m + 1)) * poyi_xmul(sine, q[m + 1]) : 0.0L;
            const poyi_xcomplex below = m > 1 ? poyi_xmul(sine, q[m - 1]) : q[0];
            t[m] = 0.5L * (above - root((l + m) * (l - m + 1)) * below);
            t[-m] = m % 2 ? -t[m] : t[m];
        }
    }
    for (int l = 0; l <= lmax; l++) {
        poyi_xcomplex *q = pi + poyi_angular_place(l, 0), *out = p ? p + poyi_angular_place(l, 0) : NULL;
        if (out)
            out[0] = q[0];
        q[0] = 0.0L;
        for (int m = 1; m <= l; m++) {
            if (out) {
                out[m] = poyi_xmul(sine, q[m]);
                out[-m] = m % 2 ? -out[m] : out[m];
            }
            q[m] *= m;
            q[-m] = m % 2 ? q[m] : -q[m];
        }
    }
}

static poyi_xcomplex at(const poyi_xcomplex *table, int l, int m)
{
    return m < -l || m > l ? 0.0L : table[poyi_angular_place(l, m)];
}

void poyi_wave_angular_table_slope(int lmax, const poyi_xcomplex *tau, poyi_xcomplex *d_tau, poyi_xcomplex *d_pi)
{
    for (int l = 0; l <= lmax; l++)
        for (int m = -l; m <= l; m++) {
            const int place = poyi_angular_place(l, m);
            d_tau[place] = 0.5L * (root((l - m) * (l + m + 1)) * at(tau, l, m + 1) -
                                   root((l + m) * (l - m + 1)) * at(tau, l, m - 1));
            /* pi_l^m = -(P_{l-1}^{m+1} + (l + m)(l + m - 1) P_{l-1}^{m-1}) / 2 */
            d_pi[place] = 0.0L;
            if (l > 0)
                d_pi[place] = -0.5L * sqrtl((2 * l + 1) / (2.0L * l - 1)) *
                              ((l - m > 1 ? root((l - m) * (l - m - 1)) * at(tau, l - 1, m + 1) : 0.0L) +
                               (l + m > 1 ? root((l + m) * (l + m - 1)) * at(tau, l - 1, m - 1) : 0.0L));
        }
}

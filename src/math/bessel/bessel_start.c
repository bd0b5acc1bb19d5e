/* bessel_start.c: H^(1) (and far out J) at the orders mu and mu + 1, |mu| <= 1/2, in the closed first quadrant: Temme's
 * series near the origin, a continued fraction farther out, Hankel's expansion beyond. */
#include "math/bessel/bessel_start.h"

#include "math/math.h"

/* 1 / Gamma(1 + x) = sum c_k x^k (DLMF 5.7.1) */
static const poyi_xreal rgamma_series[] = {
    1.0L,
    0.5772156649015328606065121L,
    -0.6558780715202538810770195L,
    -0.04200263503409523552900393L,
    0.1665386113822914895017008L,
    -0.0421977345555443367482083L,
    -0.009621971527876973562114922L,
    0.00721894324666309954239501L,
    -0.001165167591859065112113971L,
    -0.00021524167411495097281573L,
    0.0001280502823881161861531986L,
    -0.00002013485478078823865568939L,
    -0.000001250493482142670657345359L,
    0.00000113302723198169588237413L,
    -0.0000002056338416977607103450154L,
    6.116095104481415817862499e-9L,
    5.002007644469222930055665e-9L,
    -1.181274570487020144588127e-9L,
    1.04342671169110051049154e-10L,
    7.782263439905071254049937e-12L,
    -3.696805618642205708187816e-12L,
    5.100370287454475979015481e-13L,
    -2.05832605356650678322243e-14L,
    -5.348122539423017982370017e-15L,
    1.226778628238260790158894e-15L,
    -1.181259301697458769513765e-16L,
    1.186692254751600332579777e-18L,
    1.412380655318031781555804e-18L,
};
enum { RGAMMA_TERMS = sizeof rgamma_series / sizeof *rgamma_series };

/* Temme's Gamma_1 and Gamma_2, and 1 / Gamma(1 +- mu). */
static void temme_gammas(poyi_xreal mu, poyi_xreal *one, poyi_xreal *two, poyi_xreal *plus, poyi_xreal *minus)
{
    poyi_xreal odd = 0.0L, even = 0.0L; /* odd: without its factor mu */
    const poyi_xreal square = mu * mu;
    for (int k = RGAMMA_TERMS - 2; k >= 0; k -= 2) {
        even = even * square + rgamma_series[k];
        odd = odd * square + rgamma_series[k + 1];
    }
    *one = -odd;
    *two = even;
    *plus = even + mu * odd;
    *minus = even - mu * odd;
}

static poyi_xcomplex sinhc(poyi_xcomplex s)
{
    if (poyi_xsize(s) > 0.1L)
        return csinhl(s) / s;
    const poyi_xcomplex square = poyi_xmul(s, s);
    poyi_xcomplex sum = 1.0L;
    for (int k = 7; k >= 1; k--)
        sum = 1.0L + poyi_xmul(square, sum) / (poyi_xreal)(2 * k * (2 * k + 1));
    return sum;
}

/* K_mu(s) and K_{mu+1}(s), |s| <= 2, Re s >= 0. Source: Temme, J. Comput. Phys. 19, 324 (1975). */
static void temme_series(poyi_xcomplex s, poyi_xreal mu, poyi_xcomplex k_out[2])
{
    poyi_xreal one, two, plus, minus;
    temme_gammas(mu, &one, &two, &plus, &minus);
    const poyi_xcomplex log_2_s = -clogl(s / 2.0L), sigma = mu * log_2_s, power = cexpl(sigma); /* (2 / s)^mu */
    const poyi_xreal pi_mu = POYI_PIL * mu;
    const poyi_xreal ratio = fabsl(pi_mu) < 1e-10L ? 1.0L : pi_mu / sinl(pi_mu);

    poyi_xcomplex f = ratio * (ccoshl(sigma) * one + poyi_xmul(sinhc(sigma), log_2_s) * two);
    poyi_xcomplex p = power / (2.0L * plus), q = 1.0L / (power * (2.0L * minus));
    poyi_xcomplex c = 1.0L, sum = f, sum_above = p;
    const poyi_xcomplex quarter = poyi_xmul(s, s) / 4.0L;
    for (int k = 1; k < 60; k++) {
        f = (k * f + p + q) / ((poyi_xreal)(k * k) - mu * mu);
        p /= k - mu;
        q /= k + mu;
        c = poyi_xmul(c, quarter) / (poyi_xreal)k;
        const poyi_xcomplex term = poyi_xmul(c, f);
        sum += term;
        sum_above += poyi_xmul(c, p - k * f);
        if (poyi_xsize(term) * (k + 1) < 1e-22L * poyi_xsize(sum))
            break;
    }
    k_out[0] = sum;
    k_out[1] = 2.0L * sum_above / s;
}

/* exp(s) K_mu(s) and exp(s) K_{mu+1}(s), |s| >= 2, Re s >= 0, by Steed's algorithm for the continued fraction of
 * their ratio and Temme's sum that normalises it. Source: Temme (1975); Thompson and Barnett, J. Comput. Phys. 64,
 * 490 (1986). */
static void steed_fraction(poyi_xcomplex s, poyi_xreal mu, poyi_xcomplex k_out[2])
{
    const poyi_xreal a1 = 0.25L - mu * mu;
    poyi_xcomplex b = 2.0L * (1.0L + s), d = poyi_xinverse(b), h = d, change = d, q1 = 0.0L, q2 = 1.0L, q = a1;
    poyi_xreal a = -a1, c = a1;
    poyi_xcomplex sum = 1.0L + poyi_xmul(q, change);
    for (int i = 2; i < 5000; i++) {
        a -= 2 * (i - 1);
        c = -a * c / i;
        const poyi_xcomplex next = (q1 - poyi_xmul(b, q2)) * (1.0L / a);
        q1 = q2;
        q2 = next;
        q += c * next;
        b += 2.0L;
        d = poyi_xinverse(b + a * d);
        change = poyi_xmul(poyi_xmul(b, d) - 1.0L, change);
        h += change;
        const poyi_xcomplex term = poyi_xmul(q, change);
        sum += term;
        if (poyi_xsize(term) < 1e-21L * poyi_xsize(sum) && poyi_xsize(change) < 1e-21L * poyi_xsize(h))
            break;
    }
    k_out[0] = csqrtl(POYI_PIL / (2.0L * s)) / sum;
    k_out[1] = poyi_xmul(k_out[0], mu + s + 0.5L - a1 * h) / s;
}

/* exp(-iz) H^(1)_k(z) and exp(iz) H^(2)_k(z) by Hankel's expansion (DLMF 10.17.5-6), |z| >= 25. */
static void hankel_expansion(poyi_xcomplex z, poyi_xreal k, poyi_xcomplex *first, poyi_xcomplex *second)
{
    poyi_xcomplex term = 1.0L, plus = 1.0L, minus = 1.0L;
    const poyi_xcomplex i_over_8z = CMPLXL(0.0L, 1.0L) / (8.0L * z);
    for (int n = 1; n < 60 && poyi_xsize(term) > 1e-22L; n++) {
        const poyi_xreal odd = 2 * n - 1;
        term = poyi_xmul(term, i_over_8z) * ((4.0L * k * k - odd * odd) / n);
        plus += term;
        minus += n % 2 ? -term : term;
    }
    const poyi_xcomplex root = csqrtl(2.0L / (POYI_PIL * z)), turn = poyi_turn(-(k / 2.0L + 0.25L));
    *first = poyi_xmul(poyi_xmul(root, turn), plus);
    *second = poyi_xmul(poyi_xmul(root, conjl(turn)), minus);
}

/* Hats of H^(1) and J from the far expansion: J = (H^(1) + H^(2)) / 2. */
static void far_start(poyi_ladder *s)
{
    const poyi_xreal x = creall(s->z), fade = expl(-2.0L * cimagl(s->z));
    const poyi_xcomplex phase = CMPLXL(cosl(x), sinl(x));
    for (int i = 0; i < 2; i++) {
        poyi_xcomplex first, second;
        hankel_expansion(s->z, s->mu + i, &first, &second);
        s->h[i] = first;
        s->j[i] = (poyi_xmul(first, phase) * fade + poyi_xmul(second, conjl(phase))) / 2.0L;
    }
}

void poyi_bessel_start(poyi_xcomplex z, poyi_xreal mu, poyi_ladder *out)
{
    *out = (poyi_ladder){.z = z, .mu = mu, .wronskian = CMPLXL(0.0L, 2.0L / POYI_PIL) / z};
    if (cabsl(z) >= (poyi_xreal)POYI_LADDER_FAR) {
        far_start(out);
        return;
    }
    /* H^(1)_mu(z) = 2 / (pi i) exp(-i mu pi / 2) K_mu(-iz), DLMF 10.27.8 */
    const poyi_xcomplex s = CMPLXL(cimagl(z), -creall(z));
    poyi_xcomplex k[2], scale = poyi_turn(-0.5L * (mu + 1.0L)) * (2.0L / POYI_PIL);
    if (cabsl(z) <= 2.0L) {
        temme_series(s, mu, k);
        scale = poyi_xmul(scale, cexpl(s));
    } else {
        steed_fraction(s, mu, k);
    }
    out->h[0] = poyi_xmul(scale, k[0]);
    out->h[1] = poyi_xmul(poyi_xturn(scale, -1), k[1]);
}

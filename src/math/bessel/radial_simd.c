/* radial_simd.c: spherical Bessel functions of eight arguments at a time, compiled for each instruction set.
 *
 * h^(1) goes upwards, which is stable in the upper half-plane. j goes upwards where |z| is well above all degrees; else
 * its ratios j_l / j_{l-1} come down from a degree at which they are negligible, and the Wronskian with h_0 and h_1
 * scales them. Ratios neither over- nor underflow; beside a zero of j_{l-1} one is large and the next small, and the
 * errors of the two undo each other. */
#include "math/bessel/radial.h"

#ifndef POY_ISA
#define POY_ISA base /* for editors that open a file by itself */
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define LANES POYI_RADIAL_LANES
#define EACH_LANE _Pragma("omp simd") for (int k = 0; k < LANES; k++)

typedef double row[LANES];

/* f_{l+1} = (2l + 1) / z f_l - f_{l-1} for l = 1 .. lmax - 1; f: [2][][LANES] */
static void upwards(double (*re)[LANES], double (*im)[LANES], const row over_re, const row over_im, int lmax)
{
    for (int l = 1; l < lmax; l++) {
        const double c = 2 * l + 1;
        EACH_LANE
        {
            const double ar = c * over_re[k], ai = c * over_im[k];
            re[l + 1][k] = ar * re[l][k] - ai * im[l][k] - re[l - 1][k];
            im[l + 1][k] = ar * im[l][k] + ai * re[l][k] - im[l - 1][k];
        }
    }
}

/* h_0 = -i exp(iz) / z, h_1 = h_0 (1 / z - i); with sign -1 and exp(-iz) the other kind, h_0 = i exp(-iz) / z and so on. */
static void first_two(const row wave_re, const row wave_im, const row over_re, const row over_im, double sign,
                      double *re0, double *im0, double *re1, double *im1)
{
    EACH_LANE
    {
        const double ar = wave_re[k] * over_re[k] - wave_im[k] * over_im[k];
        const double ai = wave_re[k] * over_im[k] + wave_im[k] * over_re[k];
        const double hr = sign * ai, hi = -sign * ar;
        const double br = over_re[k], bi = over_im[k] - sign;
        re0[k] = hr;
        im0[k] = hi;
        re1[k] = hr * br - hi * bi;
        im1[k] = hr * bi + hi * br;
    }
}

/* One step of the ratio, r <- 1 / ((2l + 1) / z - r). */
static void ratio_step(int l, const row over_re, const row over_im, row rr, row ri)
{
    const double c = 2 * l + 1;
    EACH_LANE
    {
        double dr = c * over_re[k] - rr[k];
        const double di = c * over_im[k] - ri[k];
        const double small = dr * dr + di * di < 1e-290 ? 1e-144 : 0.0; /* an exact zero: its ratio is infinite */
        dr += small;
        const double inverse = 1.0 / (dr * dr + di * di);
        rr[k] = dr * inverse;
        ri[k] = -di * inverse;
    }
}

/* j from the ratios; over: 1 / z. */
static void from_ratios(poyi_radial_block *b, int lmax, int start, const row over_re, const row over_im)
{
    row rr, ri;
    EACH_LANE
    {
        /* the next ratio, to first order */
        rr[k] = b->z[0][k] / (2 * start + 3);
        ri[k] = b->z[1][k] / (2 * start + 3);
    }
    for (int l = start; l > 1; l--) {
        ratio_step(l, over_re, over_im, rr, ri);
        if (l <= lmax) {
            EACH_LANE
            {
                b->j[0][l][k] = rr[k];
                b->j[1][l][k] = ri[k];
            }
        }
    }
    EACH_LANE
    {
        /* d = j_0 / j_1; j_1 = (i / z^2) / (h_0 - d h_1) */
        const double dr = 3.0 * over_re[k] - rr[k], di = 3.0 * over_im[k] - ri[k];
        const double ur = b->h[0][0][k] - (dr * b->h[0][1][k] - di * b->h[1][1][k]);
        const double ui = b->h[1][0][k] - (dr * b->h[1][1][k] + di * b->h[0][1][k]);
        const double wr = -2.0 * over_re[k] * over_im[k], wi = over_re[k] * over_re[k] - over_im[k] * over_im[k];
        const double inverse = 1.0 / (ur * ur + ui * ui);
        const double jr = (wr * ur + wi * ui) * inverse, ji = (wi * ur - wr * ui) * inverse;
        b->j[0][1][k] = jr;
        b->j[1][1][k] = ji;
        b->j[0][0][k] = dr * jr - di * ji;
        b->j[1][0][k] = dr * ji + di * jr;
    }
    for (int l = 2; l <= lmax; l++) {
        EACH_LANE
        {
            const double qr = b->j[0][l][k], qi = b->j[1][l][k];
            const double jr = b->j[0][l - 1][k], ji = b->j[1][l - 1][k];
            b->j[0][l][k] = qr * jr - qi * ji;
            b->j[1][l][k] = qr * ji + qi * jr;
        }
    }
}

void JOIN(poyi_radial_, POY_ISA)(poyi_radial_block *b, int lmax, int start)
{
    row over_re, over_im;
    EACH_LANE
    {
        const double inverse = 1.0 / (b->z[0][k] * b->z[0][k] + b->z[1][k] * b->z[1][k]);
        over_re[k] = b->z[0][k] * inverse;
        over_im[k] = -b->z[1][k] * inverse;
    }
    first_two(b->wave[0], b->wave[1], over_re, over_im, 1.0, b->h[0][0], b->h[1][0], b->h[0][1], b->h[1][1]);
    upwards(b->h[0], b->h[1], over_re, over_im, lmax);
    if (start > 0) {
        from_ratios(b, lmax, start, over_re, over_im);
        return;
    }
    first_two(b->back[0], b->back[1], over_re, over_im, -1.0, b->j[0][0], b->j[1][0], b->j[0][1], b->j[1][1]);
    for (int l = 0; l < 2; l++) {
        EACH_LANE
        {
            b->j[0][l][k] = 0.5 * (b->j[0][l][k] + b->h[0][l][k]);
            b->j[1][l][k] = 0.5 * (b->j[1][l][k] + b->h[1][l][k]);
        }
    }
    upwards(b->j[0], b->j[1], over_re, over_im, lmax);
}

/* angular_table.h: tau and pi of all modes of one direction. */
#ifndef POYI_ANGULAR_TABLE_H
#define POYI_ANGULAR_TABLE_H

#include "math/extended.h"

/* sqrt((2l + 1) / 4 pi (l - m)! / (l + m)!) times dP_l^m / d(theta) and m P_l^m / sin(theta), l = 0 .. lmax, at place
 * l^2 + l + m of tau and pi [(lmax + 1)^2], and P_l^m with the same factor into p (NULL: not wanted).
 * sine^2 = 1 - cosine^2, may be 0. */
void poyi_wave_angular_table(int lmax, poyi_xcomplex cosine, poyi_xcomplex sine, poyi_xcomplex *tau, poyi_xcomplex *pi,
                             poyi_xcomplex *p);
/* Their derivatives with respect to theta. Source: the ladders DLMF 14.10.5 and 14.10.6, without a division by sine. */
void poyi_wave_angular_table_slope(int lmax, const poyi_xcomplex *tau, poyi_xcomplex *d_tau, poyi_xcomplex *d_pi);

static inline int poyi_angular_place(int l, int m)
{
    return l * l + l + m;
}

#endif

/* span.h: z cut where profiles have kinks, each piece with a variable in which the guide is smooth, and integrals over z
 * of weights that depend on the place. */
#ifndef POYI_SPAN_H
#define POYI_SPAN_H

#include "pulse/guide/kind.h"

/* A piece of z, t from -1 at z0 to 1 at z1: t is linear in z, or in the pressure where that falls to near 0 (its root
 * would spoil any polynomial in z), p^2 being linear in z. */
typedef struct poyi_span {
    double z0, z1, p0, p1;
    int by_pressure;
} poyi_span;

enum { POYI_SPANS_MAX = 256 };

/* Pieces of [0, length] between the breaks of pressure, radius and planes; halved where the radius changes by more than
 * a factor of 2. Errors: POY_ERR_UNSUPPORTED (more than POYI_SPANS_MAX). */
poy_status poyi_spans_create(poy_ctx *ctx, const poy_guide *guide, double length, poyi_span *out, int *count);
/* The piece that z lies in: closed on the left, the last on both sides. */
int poyi_span_find(const poyi_span *spans, int count, double z);
/* t at z, and the place at t with dz/dt. */
double poyi_span_t(const poyi_span *span, const poy_guide *guide, double z);
void poyi_span_place(const poyi_span *span, const poy_guide *guide, double t, poy_guide_place *place, double *slope);
/* Halves of a piece. */
void poyi_span_halve(const poyi_span *span, poyi_span *left, poyi_span *right);

/* Chebyshev points (first kind) of [-1, 1]. */
double poyi_chebyshev_point(int i, int n);
/* Coefficients of the series through values at n Chebyshev points, in place: values[n][m], m series at once, work [n][n].
 * cosines: poyi_chebyshev_matrix. */
void poyi_chebyshev_matrix(int n, double *cosines);
void poyi_chebyshev_transform(int n, int64_t m, const double *cosines, double *values, double *column);
/* c [n] -> antiderivative [n + 1] that is 0 at t = -1. */
void poyi_chebyshev_integral(int n, const double *c, double *out);

#endif

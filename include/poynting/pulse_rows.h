/* pulse_rows.h: what each row of pulse_rows.def computes, and its constant argument.
 *
 * Notation: n_c columns (modes times polarisations; a fibre has 1), n_w bins of the state in FFT order
 * (envelope) or 0 .. n_w-1 (half spectrum of a real field), n fine samples. Slots hold columns one after
 * the other. K holds seven blocks of n_c columns, k_1 .. k_7 (block s - 1 of stage s). E holds the
 * propagators from the step's anchor to its five positions h/5, 3h/10, 4h/5, 8h/9, h: five blocks of n_c
 * columns, block p of position p; E_h is the last block. They are unimodular where there is no loss.
 * pad and crop: an envelope's n_w bins are the first (n_w + 1)/2 and the last n_w/2 of n fine bins; a half
 * spectrum's are the first n_w. pad writes zeros elsewhere.
 * unit(z) = z / |z|; where there is no loss, z itself.
 * Transforms are unnormalised both ways; scale factors carry 1/n and the ratio of the grids.
 * Sums are taken in fixed blocks, in order: the same bits for any number of threads. */
#ifndef POYNTING_PULSE_ROWS_H
#define POYNTING_PULSE_ROWS_H

#include "poynting/backend.h"

enum { POY_POSITIONS = 5, POY_STAGES = 7, POY_ERROR_BLOCKS = 6, POY_REPORT = 4 };

typedef enum poy_layout { POY_LAYOUT_ENVELOPE, POY_LAYOUT_HALF } poy_layout;

/* E_p = exp(sum over t of w[p][t] Phi_t), p = 0 .. positions - 1. Phi: n_term blocks of n_c columns; E: positions
 * blocks. Scalars: w [positions][n_term]. powers (n_term = 1, five positions, w_p proportional to 1/5, 3/10, 4/5,
 * 8/9, 1): the positions that are multiples of h/10 as integer powers of one exponential. */
typedef struct poy_row_propagators {
    int n_term;
    int positions;
    int powers;   /* 0: an exponential for each position */
    int lossless; /* Re Phi = 0: only sine and cosine */
} poy_row_propagators;

/* F = scale pad(E_p (u + sum over j < m of a[j] K[k[j]])) (+ scale pad(unit(E_p) N) with noise).
 * Scalars: a [m]. K absent: m is 0. position -1: E_p = 1 and the slot E is absent. */
typedef struct poy_row_combine {
    int m;
    int k[POY_STAGES]; /* stage blocks, 0-based */
    int position;
    int noise; /* N present */
    int lossless;
    double scale;
    poy_layout layout;
} poy_row_combine;

/* What drives a delayed response: I [n] = |A|^2 (of an f64 A: A^2), I may be longer than A: the rest is 0.
 * pol 2: A has two blocks of n_p columns, along x and along y, and I n_p: |A_x|^2 + |A_y|^2. tensor: I has two more
 * blocks, |A_x|^2 - |A_y|^2 and 2 Re(A_x conj(A_y)). */
typedef struct poy_row_drive {
    int pol;    /* 1, 2 */
    int tensor; /* only with pol 2 */
} poy_row_drive;

/* Envelope: A = W (s[0] |A|^2 + s[1] Q) A. Scalars: kerr, raman. Q absent: raman is 0. W [n] absent: 1. Q may be
 * longer than A. */
typedef struct poy_row_response {
    int raman, window;
} poy_row_response;

/* The response of a gas. Scalars: kerr, raman. Q (absent: raman is 0) may be longer than X, W [n] absent: 1.
 * real:      Y = W (kerr X^2 + raman Q) X, f64 (in place: Y is X)
 * analytic:  Y = W (kerr |X|^2 + raman Q) Re X, Y f64, X c128: the analytic signal of a field without third harmonics
 * harmonic:  Y = W (kerr (3 |X|^2 X + C X^3 + fold 3 conj(C) |X|^2 conj(X)) + raman Q X), c128; C [n] = exp(2 i omega0 t).
 *            The last term has the negative frequencies of the first as positive ones: with it the positive frequencies
 *            of Y are those of the real field's cube.
 * pol 2: X and Y have two blocks of n_p columns, along x and along y, of an isotropic medium; X.X = X_x^2 + X_y^2.
 * real:      Y_i = W (kerr (X.X) + raman Q) X_i
 * analytic:  the real part of the following; Y f64
 * envelope:  Y_i = W (kerr (2 |X|^2 X_i + (X.X) conj(X_i))/3 + raman Q X_i), c128
 * harmonic:  Y_i = W (kerr (D_i + C (X.X) X_i + fold conj(C D_i)) + raman Q X_i), D_i = 2 |X|^2 X_i + (X.X) conj(X_i)
 * tensor: Q has three blocks a, b, c, made from those of drive, and Q X means (a + b) X_x + c X_y along x,
 * c X_x + (a - b) X_y along y. */
typedef enum poy_response_family {
    POY_RESPONSE_ENVELOPE, /* row response */
    POY_RESPONSE_REAL,
    POY_RESPONSE_ANALYTIC,
    POY_RESPONSE_HARMONIC
} poy_response_family;
typedef struct poy_row_polarise {
    poy_response_family family;
    int raman, window;
    int fold;
    int pol;    /* 1, 2 */
    int tensor; /* only with pol 2 and raman */
} poy_row_polarise;

/* Free electrons of one species, of a real field E = s[0] X (of a complex X, the analytic signal, s[0] Re X):
 * Y = Y + W s[1] P, W [n] absent: 1, with
 *   w = rate of |E| (0 below foot), x = I(w), f = s[2] + (1 - s[2]) (1 - exp(-x)), 1 - f = (1 - s[2]) exp(-x)
 *   J = I(drude f E) + potential w (1 - f)/E (0 where w or E is 0), P = I(J)
 * and I(y) the running integral by the trapezoid rule from the first sample, I_0 = 0, of y filtered by 2 K + 1 taps:
 * c_0 y_i + sum_k c_k (y_(i-k) + y_(i+k)), beyond the ends y_(-k) = 2 y_0 - y_k. The taps make filter and rule exact up to
 * the power 2 K + 2 of omega dt (band_taps). K = 0: the plain rule.
 * T: points pairs (ln w, step d ln w/dE) at field_min + i step, between them the cubic of both values and slopes; above
 * the last the rate of the last. Rates below 2^-70 of the largest of all points may count as 0: what they would free is
 * less than the rounding of the rest. rep[flag] = largest |E| if it lies above the table, else 0.
 * Scalars: V/m per unit of X, unit of Y per C m (with the density), fraction free before the pulse.
 * pol 2: X and Y have two blocks of columns, along x and along y: the rate is that of |E| = sqrt(E_x^2 + E_y^2), and
 *   J_i = I(drude f E_i) + potential w (1 - f) E_i/|E|^2.
 * held: J itself, whose second integral a spectrum has as 1/(i omega).
 * M. Geissler et al., Phys. Rev. Lett. 83, 2930 (1999). */
typedef struct poy_row_plasma {
    int taps, window; /* taps: K, 0 to 4 */
    int pol;          /* 1, 2 */
    int flag;
    int held; /* the current J in place of P, without window: 1 added to Y, 2 in place of Y */
    int64_t points;
    double field_min, step, foot; /* V/m */
    double dt;                    /* s */
    double drude;                 /* e^2/m, C^2/kg */
    double potential;             /* J */
} poy_row_plasma;
enum { POY_TAPS_MAX = 4 };

/* The cube of a field that is a sum of modes, projected on modes: P_m = s[0] sum over a <= b <= c of K_m,abc A_a A_b A_c.
 * K: a column for each of P, of n (n + 1) (n + 2)/6 elements for n columns of A, c fastest. Responses at the points of a
 * rule are this with K_m,abc = (ways to order a, b, c) sum_q Q_mq S_qa S_qb S_qc. No argument. */

/* Free electrons at the points of a rule, projected on modes: P_m = P_m + sum_q Q_qm Y_q, with Y_q what the row plasma of
 * one component and the plain rule, without window, adds for X_q = sum_a S_qa A_a. S: a column for each point, of as many
 * elements as A has columns; Q: a column for each point, whose first elements are of the columns of P. Argument and
 * scalars as of plasma. */
typedef poy_row_plasma poy_row_ionise;

/* What the field of one point does to one species: rep[flag] = I(w) at the end of the window by the plain trapezoid rule,
 * rep[flag + 1] = the largest w; w, X and T as of plasma, with points, field_min, step, foot and dt of the same argument.
 * X: pol columns. Scalars: V/m per unit of X. */
typedef poy_row_plasma poy_row_expose;

/* terms_sum: Y = sum over t of s[t] X_t, X blocks of the shape of Y, both f64 or both c128. Scalars: s. */

/* K[stage] = (i G crop(P) + M crop(B)) conj(E_p) (lossless) or / E_p. G: f64 or c128 [n_c][n_w], with windows, mask
 * and the ratio of the grids. M [n_w], B only with absorb. position -1: E_p = 1 and the slot E is absent. */
typedef struct poy_row_finish {
    int stage; /* 0-based block of K */
    int position;
    int complex_g;
    int lossless;
    int absorb;
    poy_layout layout;
} poy_row_finish;

/* un = E_h (u + sum b[j] k_j), e = E_h sum e[j] k_j over the blocks 0, 2, 3, 4, 5, 6 (b_7 = 0, b_2 = e_2 = 0).
 * rep[0] = sum W |u|^2, rep[1] = sum W |un|^2, rep[2] = sum W |e|^2 over bins and columns; W [n_w] absent: 1.
 * rep[3] = 0, or 1 + the column of the first value of un or e that is not finite, whatever its weight.
 * Scalars: b [6], e [6] (times h), blocks in the order above. K absent: un = E_h u, e = 0, no scalars. */
typedef struct poy_row_accept {
    int weights;
} poy_row_accept;

/* u = un; K[0] = E_h K[6]; N = unit(E_h) N with noise. K absent: k_1 is not carried over; E only where needed. */
typedef struct poy_row_advance {
    int noise;
    int lossless;
} poy_row_advance;

/* u = M crop(P). */
typedef struct poy_row_crop {
    poy_layout layout;
} poy_row_crop;

/* P: two blocks of n_c columns, projected by a rule and by the coarser one embedded in it; G [n_c][n_w] as in finish.
 * rep[at] = sum |G crop(P_0 - P_1)|^2, rep[at + 1] = sum |G crop(P_0)|^2 over bins and columns. */
typedef struct poy_row_score {
    int at;
    poy_layout layout;
} poy_row_score;

/* fft as a row of a program: slots out, in (the same slot for in place); batch = columns. Unnormalised. A transform
 * to real numbers may destroy its input. */
typedef struct poy_row_fft {
    poy_fft_kind kind;
    int sign; /* -1, +1 */
} poy_row_fft;

/* mul as a row of a program: slots z, x, y; y has one column for all columns of x, or as many. f64 or c128 each,
 * z complex if either is. z may be x. */

/* matmul as a row of a program: slots Y, X, M: Y = M X on columns: column i of Y is the sum over j of M[i][j] times column j
 * of X; M f64 [columns of Y][columns of X], X and Y both f64 or c128. transposed: M[j][i], whose rows may be longer than
 * Y has columns. accumulate: added to Y. Y is not X. */
typedef struct poy_row_matmul {
    int transposed, accumulate;
} poy_row_matmul;

/* copy as a row of a program: slots y, x of one type and shape. */

#endif

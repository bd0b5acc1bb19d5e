/* reference.h: what the generators of the special functions' reference tables share. Test-time tool only: it links
 * Arb, which the library never does. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <acb.h>
#include <stdint.h>
#include <stdio.h>

/* ---- seeded draws ---- */

void draw_seed(uint64_t seed);
double draw_uniform(double low, double high);
int draw_integer(int low, int high); /* both ends included */
/* A complex number of modulus 10^low .. 10^high on or near the axes, or of any direction; |Im| <= limit. */
void draw_argument(double low, double high, double limit, double *re, double *im);

/* ---- output ---- */

/* " re im e": value = (re + i im) 2^e with the larger part in [1/2, 1), each rounded to double. */
void print_value(FILE *file, const acb_t value);
void print_real(FILE *file, const arb_t value); /* " m e" */
FILE *open_table(const char *folder, const char *name, const char *what);

/* ---- precision ---- */

/* Computes a function at rising precision until 70 bits are right; gives 0 when 16384 bits are not
 * enough. */
typedef void reference_function(acb_t out, const void *point, slong precision);
int to_precision(acb_t out, reference_function *f, const void *point);

/* re + i im, and a step of shift 2^-100 (of its modulus) beside it */
void set_shifted(acb_t z, double re, double im, int shift);
/* The derivative of f by re + i im as a central difference of such steps, which *shift (part of point) tells f; right to 70
 * bits as f is, since the step's square is 2^-200. */
int derivative(acb_t out, reference_function *f, const void *point, int *shift, double re, double im);

/* ---- the tables ---- */

void write_bessel(const char *folder);
void write_angular(const char *folder);
void write_wigner(const char *folder);
void write_gamma(const char *folder);

#endif

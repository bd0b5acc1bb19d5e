/* reference.c: writes the reference tables of the special functions, tests/golden/special/ *.txt, with Arb 2.23
 * (rigorous error balls). Build and run in the root of the project:
 *
 *   cc -std=c17 -O2 -o build/reference tools/special_reference/ *.c -lflint-arb -lflint -lgmp -lm
 *   build/reference tests/golden/special
 *
 * (no blank before *). Every draw is seeded, so a rerun writes the same bytes. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

static uint64_t state;

void draw_seed(uint64_t seed)
{
    state = seed;
}

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t draw_word(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double draw_uniform(double low, double high)
{
    return low + (high - low) * ((double)(draw_word() >> 11) * 0x1p-53);
}

int draw_integer(int low, int high)
{
    return low + (int)(draw_word() % (uint64_t)(high - low + 1));
}

void draw_argument(double low, double high, double limit, double *re, double *im)
{
    const double r = pow(10.0, draw_uniform(low, high)), small = pow(10.0, draw_uniform(-18.0, 0.0));
    double x = 0.0, y = 0.0;
    switch (draw_integer(0, 7)) {
    case 0: x = r; break;
    case 1: x = -r; break;
    case 2: y = r; break;
    case 3: x = r, y = r * small; break;
    case 4: x = r * small, y = r; break;
    default: {
        const double angle = draw_uniform(-3.141592653589793, 3.141592653589793);
        x = r * cos(angle), y = r * sin(angle);
    }
    }
    if (fabs(y) > limit)
        y = copysign(limit * draw_uniform(0.0, 1.0), y);
    *re = x;
    *im = y;
}

static void print_part(FILE *file, const arf_t part, slong e)
{
    arf_t scaled;
    arf_init(scaled);
    arf_mul_2exp_si(scaled, part, -e);
    fprintf(file, " %a", arf_get_d(scaled, ARF_RND_NEAR));
    arf_clear(scaled);
}

void print_value(FILE *file, const acb_t value)
{
    const arf_struct *re = arb_midref(acb_realref(value)), *im = arb_midref(acb_imagref(value));
    const slong e_re = arf_is_zero(re) ? WORD_MIN : arf_abs_bound_lt_2exp_si(re);
    const slong e_im = arf_is_zero(im) ? WORD_MIN : arf_abs_bound_lt_2exp_si(im);
    const slong e = e_re == WORD_MIN && e_im == WORD_MIN ? 0 : e_re > e_im ? e_re : e_im;
    print_part(file, re, e);
    print_part(file, im, e);
    fprintf(file, " %ld", (long)e);
}

void print_real(FILE *file, const arb_t value)
{
    const arf_struct *m = arb_midref(value);
    const slong e = arf_is_zero(m) ? 0 : arf_abs_bound_lt_2exp_si(m);
    print_part(file, m, e);
    fprintf(file, " %ld", (long)e);
}

FILE *open_table(const char *folder, const char *name, const char *what)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    fprintf(file, "# %s\n# Written by tools/special_reference (Arb). A value is (re + i im) 2^e as \"re im e\".\n",
            what);
    return file;
}

int to_precision(acb_t out, reference_function *f, const void *point)
{
    for (slong precision = 128; precision <= 16384; precision *= 2) {
        f(out, point, precision);
        if (acb_rel_accuracy_bits(out) >= 70)
            return 1;
    }
    return 0;
}

void set_shifted(acb_t z, double re, double im, int shift)
{
    arb_t step;
    acb_set_d_d(z, re, im);
    if (shift == 0)
        return;
    arb_init(step);
    arb_set_si(step, shift);
    arb_mul_2exp_si(step, step, ilogb(hypot(re, im)) - 100);
    arb_add(acb_realref(z), acb_realref(z), step, 4096);
    arb_clear(step);
}

int derivative(acb_t out, reference_function *f, const void *point, int *shift, double re, double im)
{
    acb_t below;
    int good = 0;
    acb_init(below);
    for (slong precision = 512; precision <= 16384 && !good; precision *= 2) {
        *shift = 1;
        f(out, point, precision);
        *shift = -1;
        f(below, point, precision);
        *shift = 0;
        acb_sub(out, out, below, precision);
        acb_mul_2exp_si(out, out, 99 - ilogb(hypot(re, im)));
        good = acb_rel_accuracy_bits(out) >= 70;
    }
    acb_clear(below);
    return good;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: reference FOLDER\n");
        return 2;
    }
    write_bessel(argv[1]);
    write_angular(argv[1]);
    write_wigner(argv[1]);
    write_gamma(argv[1]);
    return 0;
}

/* wigner.c: the tables of Wigner's d functions and of 3j symbols, from their explicit sums. */
#include <flint/fmpq.h>
#include <math.h>
#include <stdlib.h>

#include "reference.h"

typedef struct rotation {
    int l, m, k, shift;
    double re, im;
} rotation;

static void factorial_product(fmpz_t out, int a, int b, int c, int d)
{
    const int n[4] = {a, b, c, d};
    fmpz_t f;
    fmpz_init(f);
    fmpz_one(out);
    for (int i = 0; i < 4; i++) {
        fmpz_fac_ui(f, (ulong)n[i]);
        fmpz_mul(out, out, f);
    }
    fmpz_clear(f);
}

/* d^l_{mk}(theta) = sum_t (-1)^{m-k+t} sqrt((l+m)! (l-m)! (l+k)! (l-k)!) / ((l+k-t)! t! (m-k+t)! (l-m-t)!)
 * cos(theta/2)^{2l+k-m-2t} sin(theta/2)^{m-k+2t} (Varshalovich 4.3.1) */
static void wigner_d(acb_t out, const void *data, slong precision)
{
    const rotation *r = data;
    const int l = r->l, m = r->m, k = r->k;
    acb_t s, c, term, power;
    fmpz_t product;
    acb_init(s), acb_init(c), acb_init(term), acb_init(power), fmpz_init(product);
    set_shifted(c, r->re, r->im, r->shift);
    acb_mul_2exp_si(c, c, -1);
    acb_sin_cos(s, c, c, precision);
    acb_zero(out);
    for (int t = k > m ? k - m : 0; t <= l + k && t <= l - m; t++) {
        factorial_product(product, l + k - t, t, m - k + t, l - m - t);
        acb_pow_ui(term, c, (ulong)(2 * l + k - m - 2 * t), precision);
        acb_pow_ui(power, s, (ulong)(m - k + 2 * t), precision);
        acb_mul(term, term, power, precision);
        acb_div_fmpz(term, term, product, precision);
        if ((m - k + t) % 2)
            acb_sub(out, out, term, precision);
        else
            acb_add(out, out, term, precision);
    }
    factorial_product(product, l + m, l - m, l + k, l - k);
    acb_set_fmpz(term, product);
    acb_sqrt(term, term, precision);
    acb_mul(out, out, term, precision);
    acb_clear(s), acb_clear(c), acb_clear(term), acb_clear(power), fmpz_clear(product);
}

/* Racah's sum (DLMF 34.2.4), exact up to the square root. */
static void threej(arb_t out, const int j[3], const int m[3])
{
    fmpz_t product, sum, common, numerator;
    fmpq_t term, total, root;
    fmpz_init(product), fmpz_init(sum), fmpz_init(common), fmpz_init(numerator);
    fmpq_init(term), fmpq_init(total), fmpq_init(root);
    for (int t = 0; t <= j[0] + j[1] + j[2]; t++) {
        const int a[6] = {t,
                          j[2] - j[1] + t + m[0],
                          j[2] - j[0] + t - m[1],
                          j[0] + j[1] - j[2] - t,
                          j[0] - t - m[0],
                          j[1] - t + m[1]};
        int inside = 1;
        for (int i = 0; i < 6; i++)
            inside &= a[i] >= 0;
        if (!inside)
            continue;
        factorial_product(product, a[0], a[1], a[2], a[3]);
        factorial_product(common, a[4], a[5], 0, 0);
        fmpz_mul(product, product, common);
        fmpz_set_si(numerator, t % 2 ? -1 : 1);
        fmpq_set_fmpz_frac(term, numerator, product);
        fmpq_add(total, total, term);
    }
    factorial_product(numerator, j[0] + j[1] - j[2], j[0] - j[1] + j[2], -j[0] + j[1] + j[2], 0);
    factorial_product(product, j[0] + m[0], j[0] - m[0], j[1] + m[1], j[1] - m[1]);
    fmpz_mul(numerator, numerator, product);
    factorial_product(product, j[2] + m[2], j[2] - m[2], 0, 0);
    fmpz_mul(numerator, numerator, product);
    fmpz_fac_ui(product, (ulong)(j[0] + j[1] + j[2] + 1));
    fmpq_set_fmpz_frac(root, numerator, product);
    arb_set_fmpq(out, root, 256);
    arb_sqrt(out, out, 256);
    arb_t rest;
    arb_init(rest);
    arb_set_fmpq(rest, total, 256);
    arb_mul(out, out, rest, 256);
    if ((j[0] - j[1] - m[2]) % 2)
        arb_neg(out, out);
    arb_clear(rest);
    fmpz_clear(product), fmpz_clear(sum), fmpz_clear(common), fmpz_clear(numerator);
    fmpq_clear(term), fmpq_clear(total), fmpq_clear(root);
}

static void write_slopes(const char *folder)
{
    FILE *file = open_table(folder, "wigner_d_diff", "l m k re(theta) im(theta), then d/d(theta) of d^l_mk");
    acb_t value;
    acb_init(value);
    draw_seed(14);
    for (int i = 0; i < 500; i++) {
        rotation r = {.l = draw_integer(1, draw_integer(0, 1) ? 12 : 100)};
        r.m = draw_integer(-r.l, r.l), r.k = draw_integer(-r.l, r.l);
        r.re = draw_integer(0, 3) ? draw_uniform(0.0, 3.14) : pow(10.0, draw_uniform(-10.0, 0.0));
        r.im = draw_integer(0, 3) ? 0.0 : draw_uniform(-2.0, 2.0);
        if (!derivative(value, wigner_d, &r, &r.shift, r.re, r.im))
            continue;
        fprintf(file, "%d %d %d %a %a", r.l, r.m, r.k, r.re, r.im);
        print_value(file, value);
        fprintf(file, "\n");
    }
    acb_clear(value);
    fclose(file);
}

static void write_rotations(const char *folder)
{
    FILE *file = open_table(folder, "wigner_d", "l m k re(theta) im(theta), then d^l_mk(theta)");
    acb_t value;
    acb_init(value);
    draw_seed(4);
    for (int i = 0; i < 2500; i++) {
        rotation r = {.l = draw_integer(0, draw_integer(0, 1) ? 12 : 128)};
        r.m = draw_integer(-r.l, r.l), r.k = draw_integer(-r.l, r.l);
        if (draw_integer(0, 7) == 0)
            r.m = r.k;
        switch (draw_integer(0, 4)) {
        case 0: r.re = pow(10.0, draw_uniform(-12.0, 0.0)); break;
        case 1: r.re = 3.141592653589793 - pow(10.0, draw_uniform(-15.0, 0.0)); break;
        case 2: r.re = -draw_uniform(0.0, 3.0); break;
        default: r.re = draw_uniform(0.0, 3.2);
        }
        if (draw_integer(0, 4) == 0)
            r.im = draw_uniform(-3.0, 3.0);
        if (!to_precision(value, wigner_d, &r)) {
            fprintf(stderr, "left out: wigner_d %d %d %d %.17g %.17g\n", r.l, r.m, r.k, r.re, r.im);
            continue;
        }
        fprintf(file, "%d %d %d %a %a", r.l, r.m, r.k, r.re, r.im);
        print_value(file, value);
        fprintf(file, "\n");
    }
    acb_clear(value);
    fclose(file);
}

static void write_threej(const char *folder)
{
    FILE *file = open_table(folder, "threej", "j1 j2 j3 m1 m2 m3, then the 3j symbol (\"m e\")");
    arb_t value;
    arb_init(value);
    draw_seed(5);
    for (int i = 0; i < 3000; i++) {
        const int top = draw_integer(0, 2) == 0 ? 12 : draw_integer(0, 1) ? 128 : 260;
        int j[3] = {draw_integer(0, top), draw_integer(0, top), 0}, m[3];
        const int high = j[0] + j[1] < 260 ? j[0] + j[1] : 260;
        if (abs(j[0] - j[1]) > high)
            continue;
        j[2] = draw_integer(abs(j[0] - j[1]), high);
        m[0] = draw_integer(0, 4) ? draw_integer(-j[0], j[0]) : draw_integer(0, 1) ? j[0] : -j[0];
        m[1] = draw_integer(0, 4) ? draw_integer(-j[1], j[1]) : draw_integer(0, 1) ? j[1] : -j[1];
        if (draw_integer(0, 7) == 0)
            m[0] = m[1] = 0;
        m[2] = -m[0] - m[1];
        if (abs(m[2]) > j[2])
            continue;
        threej(value, j, m);
        fprintf(file, "%d %d %d %d %d %d", j[0], j[1], j[2], m[0], m[1], m[2]);
        print_real(file, value);
        fprintf(file, "\n");
    }
    arb_clear(value);
    fclose(file);
}

void write_wigner(const char *folder)
{
    write_slopes(folder);
    write_rotations(folder);
    write_threej(folder);
}

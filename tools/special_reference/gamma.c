/* gamma.c: the tables of incomplete gamma functions and of Kambe's integral. */
#include <acb_calc.h>
#include <acb_hypgeom.h>
#include <math.h>
#include <stdlib.h>

#include "reference.h"

typedef struct point {
    int order; /* twice a, or n */
    int shift, shift_eta;
    double re, im, eta_re, eta_im;
} point;

static void incomplete(acb_t out, const void *data, slong precision)
{
    const point *p = data;
    acb_t a, z;
    acb_init(a), acb_init(z);
    acb_set_si(a, p->order);
    acb_mul_2exp_si(a, a, -1);
    set_shifted(z, p->re, fabs(p->im), p->shift);
    acb_hypgeom_gamma_upper(out, a, z, 0, precision);
    if (signbit(p->im))
        acb_conj(out, out);
    acb_clear(a), acb_clear(z);
}

/* (n + 1) y - z^2 e^{2y} / 2 + e^{-2y} / 2, the exponent of the integrand with t = e^y */
static void exponent(acb_t out, const acb_t y, const point *p, slong precision)
{
    acb_t e, term;
    acb_init(e), acb_init(term);
    acb_mul_2exp_si(e, y, 1);
    acb_exp(e, e, precision);
    set_shifted(term, p->re, p->im, p->shift);
    acb_mul(term, term, term, precision);
    acb_mul(term, term, e, precision);
    acb_inv(e, e, precision);
    acb_sub(term, e, term, precision);
    acb_mul_2exp_si(term, term, -1);
    acb_mul_si(e, y, p->order + 1, precision);
    acb_add(out, term, e, precision);
    acb_clear(e), acb_clear(term);
}

typedef struct integral {
    const point *p;
    acb_struct start; /* the exponent where the path begins */
} integral;

static int integrand(acb_ptr out, const acb_t y, void *data, slong order, slong precision)
{
    const integral *i = data;
    (void)order; /* entire */
    exponent(out, y, i->p, precision);
    acb_sub(out, out, &i->start, precision);
    acb_exp(out, out, precision);
    return 0;
}

/* Along straight lines in y = log t: from log eta sideways to the direction -arg z at a modulus where |z t| is about 1,
 * then outwards to where the integrand is far below 2^-precision of anything. */
static void kambe(acb_t out, const void *data, slong precision)
{
    const point *p = data;
    integral i = {.p = p};
    acb_t from, to, part;
    mag_t tolerance;
    acb_calc_integrate_opt_t options;
    acb_calc_integrate_opt_init(options);
    options->eval_limit = 200000;
    options->depth_limit = 2000;
    acb_init(from), acb_init(to), acb_init(part), acb_init(&i.start), mag_init(tolerance);
    set_shifted(from, p->eta_re, p->eta_im, p->shift_eta);
    acb_log(from, from, precision);
    exponent(&i.start, from, p, precision);
    const double r = hypot(p->re, p->im), angle = atan2(p->im, p->re);
    const double middle = fmax(log(hypot(p->eta_re, p->eta_im)), -log(r));
    mag_set_ui_2exp_si(tolerance, 1, -2 * precision);
    acb_set_d_d(to, middle, -angle);
    acb_calc_integrate(out, integrand, &i, from, to, precision, tolerance, options, precision);
    acb_set(from, to);
    acb_set_d_d(to, middle + 0.5 * log(8.0 * (double)precision + 80.0 * (abs(p->order) + 1)), -angle);
    acb_calc_integrate(part, integrand, &i, from, to, precision, tolerance, options, precision);
    acb_add(out, out, part, precision);
    acb_exp(part, &i.start, precision);
    acb_mul(out, out, part, precision);
    acb_clear(from), acb_clear(to), acb_clear(part), acb_clear(&i.start), mag_clear(tolerance);
}

static void write_incomplete(const char *folder)
{
    FILE *file = open_table(folder, "incgamma", "2n re(z) im(z), then Gamma(n, z)");
    acb_t value;
    acb_init(value);
    draw_seed(6);
    for (int i = 0; i < 3500; i++) {
        point p = {.order = draw_integer(0, 1) ? draw_integer(-256, 256) : draw_integer(-24, 24)};
        switch (draw_integer(0, 3)) {
        case 0: draw_argument(-30.0, 0.0, 800.0, &p.re, &p.im); break;
        case 1: draw_argument(-1.0, 1.5, 800.0, &p.re, &p.im); break;
        default: draw_argument(-1.0, 2.84, 800.0, &p.re, &p.im);
        }
        if (draw_integer(0, 5) == 0)
            p.re = -fabs(p.re);
        if (!to_precision(value, incomplete, &p)) {
            fprintf(stderr, "left out: incgamma %d %.17g %.17g\n", p.order, p.re, p.im);
            continue;
        }
        fprintf(file, "%d %a %a", p.order, p.re, p.im);
        print_value(file, value);
        fprintf(file, "\n");
    }
    acb_clear(value);
    fclose(file);
}

static void draw_kambe(point *p)
{
    p->order = draw_integer(0, 2) ? draw_integer(-20, 30) : draw_integer(-256, 256);
    switch (draw_integer(0, 3)) {
    case 0: /* real parts of lattice sums: real z and eta */
        p->re = pow(10.0, draw_uniform(-3.0, 2.0)), p->im = 0.0;
        p->eta_re = pow(10.0, draw_uniform(-1.3, 0.7)), p->eta_im = 0.0;
        break;
    case 1: { /* reciprocal parts off the plane: eta = -i / w, z = sqrt(-2 v) w */
        const double w = pow(10.0, draw_uniform(-2.0, 1.0)), v = draw_uniform(-30.0, 30.0);
        p->re = v < 0.0 ? sqrt(-2.0 * v) * w : 0.0, p->im = v < 0.0 ? 0.0 : sqrt(2.0 * v) * w;
        p->eta_re = 0.0, p->eta_im = -1.0 / w;
        break;
    }
    default: {
        const double r = pow(10.0, draw_uniform(-3.0, 1.7)), angle = draw_uniform(-1.57, 1.57);
        const double s = pow(10.0, draw_uniform(-0.8, 0.8)), turn = draw_integer(0, 1) ? 0.0 : draw_uniform(-1.7, 1.7);
        p->re = r * cos(angle), p->im = r * sin(angle), p->eta_re = s * cos(turn), p->eta_im = s * sin(turn);
    }
    }
}

static void write_kambe(const char *folder)
{
    FILE *file = open_table(folder, "intkambe", "n re(z) im(z) re(eta) im(eta), then the integral");
    acb_t value;
    acb_init(value);
    draw_seed(7);
    for (int i = 0; i < 3000; i++) {
        point p;
        do /* beyond, the integral leaves the range of double */
            draw_kambe(&p);
        while (hypot(p.re, p.im) * hypot(p.eta_re, p.eta_im) > 37.0);
        if (!to_precision(value, kambe, &p)) {
            fprintf(stderr, "left out: intkambe %d %.17g %.17g %.17g %.17g\n", p.order, p.re, p.im, p.eta_re, p.eta_im);
            continue;
        }
        fprintf(file, "%d %a %a %a %a", p.order, p.re, p.im, p.eta_re, p.eta_im);
        print_value(file, value);
        fprintf(file, "\n");
    }
    acb_clear(value);
    fclose(file);
}

static void write_slopes(const char *folder)
{
    FILE *file =
        open_table(folder, "gamma_diff",
                   "which order re(z) im(z) re(eta) im(eta), then the derivative; which: 0 d/dz Gamma(order / 2, z), "
                   "1 d/dz and 2 d/d(eta) of Kambe's integral");
    acb_t value;
    acb_init(value);
    draw_seed(17);
    for (int i = 0; i < 600; i++) {
        point p = {.order = draw_integer(-40, 40)};
        const int which = i < 300 ? 0 : 1 + i % 2;
        int good;
        if (which == 0) {
            draw_argument(-2.0, 2.0, 100.0, &p.re, &p.im);
            good = derivative(value, incomplete, &p, &p.shift, p.re, p.im);
        } else {
            do
                draw_kambe(&p);
            while (hypot(p.re, p.im) * hypot(p.eta_re, p.eta_im) > 20.0 || abs(p.order) > 40 || p.re < 1e-2);
            good = which == 1 ? derivative(value, kambe, &p, &p.shift, p.re, p.im)
                              : derivative(value, kambe, &p, &p.shift_eta, p.eta_re, p.eta_im);
        }
        if (!good) {
            fprintf(stderr, "left out: gamma_diff %d %d %.17g %.17g\n", which, p.order, p.re, p.im);
            continue;
        }
        fprintf(file, "%d %d %a %a %a %a", which, p.order, p.re, p.im, p.eta_re, p.eta_im);
        print_value(file, value);
        fprintf(file, "\n");
    }
    acb_clear(value);
    fclose(file);
}

void write_gamma(const char *folder)
{
    write_slopes(folder);
    write_incomplete(folder);
    write_kambe(folder);
}

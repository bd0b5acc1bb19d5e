/* angular.c: the table of associated Legendre functions, pi, tau and spherical harmonics. */
#include <acb_hypgeom.h>
#include <math.h>
#include <stdlib.h>

#include "reference.h"

enum { LPMV, PI, TAU, HARMONIC };

typedef struct point {
    int kind, l, m, shift;
    double re, im, phi;
} point;

/* P_l^m(z) on the principal branch of sqrt(1 - z^2), as a hypergeometric function. */
static void legendre(acb_t out, int l, int m, const acb_t z, slong precision)
{
    acb_t degree, order;
    if (abs(m) > l) {
        acb_zero(out);
        return;
    }
    acb_init(degree), acb_init(order);
    acb_set_si(degree, l), acb_set_si(order, m);
    acb_hypgeom_legendre_p(out, degree, order, z, 0, precision);
    acb_clear(degree), acb_clear(order);
}

static void angular(acb_t out, const void *data, slong precision)
{
    const point *p = data;
    acb_t z, w;
    acb_init(z), acb_init(w);
    set_shifted(z, p->re, p->im, p->shift);
    if (p->kind == HARMONIC)
        acb_cos(z, z, precision); /* (re, im) is theta, 0 < Re theta < pi */
    legendre(out, p->l, p->m, z, precision);
    if (p->kind == PI) {
        acb_mul(w, z, z, precision);
        acb_sub_ui(w, w, 1, precision);
        acb_neg(w, w);
        acb_rsqrt(w, w, precision);
        acb_mul(out, out, w, precision);
        acb_mul_si(out, out, p->m, precision);
    } else if (p->kind == TAU) {
        legendre(out, p->l, p->m + 1, z, precision);
        legendre(w, p->l, p->m - 1, z, precision);
        acb_mul_si(w, w, (p->l + p->m) * (p->l - p->m + 1), precision);
        acb_sub(out, out, w, precision);
        acb_mul_2exp_si(out, out, -1);
    } else if (p->kind == HARMONIC) {
        arb_t norm, part;
        arb_init(norm), arb_init(part);
        arb_fac_ui(norm, (ulong)(p->l - p->m), precision);
        arb_fac_ui(part, (ulong)(p->l + p->m), precision);
        arb_div(norm, norm, part, precision);
        arb_mul_ui(norm, norm, (ulong)(2 * p->l + 1), precision);
        arb_const_pi(part, precision);
        arb_div(norm, norm, part, precision);
        arb_mul_2exp_si(norm, norm, -2);
        arb_sqrt(norm, norm, precision);
        acb_mul_arb(out, out, norm, precision);
        arb_set_d(norm, p->phi);
        arb_mul_si(norm, norm, p->m, precision);
        arb_sin_cos(acb_imagref(w), acb_realref(w), norm, precision);
        acb_mul(out, out, w, precision);
        arb_clear(norm), arb_clear(part);
    }
    acb_clear(z), acb_clear(w);
}

/* cos(theta): real in all its length and close to the poles and the equator, or complex. */
static void draw_cosine(point *p)
{
    p->im = 0.0;
    switch (draw_integer(0, 5)) {
    case 0: p->re = 1.0 - pow(10.0, draw_uniform(-15.9, 0.0)); break;
    case 1: p->re = pow(10.0, draw_uniform(-15.9, 0.0)) - 1.0; break;
    case 2: p->re = pow(10.0, draw_uniform(-20.0, 0.0)); break;
    case 3: p->re = draw_uniform(-1.0, 1.0); break;
    default: draw_argument(-3.0, 1.0, 1e3, &p->re, &p->im);
    }
    if (p->im == 0.0 && fabs(p->re) > 1.0) /* the cut: left to tests of its own */
        p->im = p->re;
}

static void draw_polar(point *p)
{
    p->im = draw_integer(0, 1) ? draw_uniform(-2.0, 2.0) : 0.0;
    switch (draw_integer(0, 3)) {
    case 0: p->re = pow(10.0, draw_uniform(-15.0, 0.0)); break;
    case 1: p->re = 3.14159265358979 - pow(10.0, draw_uniform(-12.0, 0.0)); break;
    default: p->re = draw_uniform(0.001, 3.14);
    }
}

typedef struct real_point {
    double v, x;
    int m;
} real_point;

static void real_degree(acb_t out, const void *data, slong precision)
{
    const real_point *p = data;
    acb_t degree, order, x;
    acb_init(degree), acb_init(order), acb_init(x);
    acb_set_d(degree, p->v), acb_set_si(order, p->m), acb_set_d(x, p->x);
    acb_hypgeom_legendre_p(out, degree, order, x, 0, precision);
    arb_zero(acb_imagref(out));
    acb_clear(degree), acb_clear(order), acb_clear(x);
}

static void write_real(const char *folder)
{
    FILE *file = open_table(folder, "legendre_real", "v m x, then P_v^m(x) (\"m e\")");
    acb_t value;
    acb_init(value);
    draw_seed(21);
    for (int i = 0; i < 600; i++) {
        real_point p = {draw_integer(0, 1) ? draw_uniform(-5.0, 12.0) : draw_uniform(-100.0, 120.0),
                        draw_uniform(-1.0, 1.0), 0};
        p.m = draw_integer(-12, 12);
        if (draw_integer(0, 4) == 0)
            p.v = draw_integer(0, 30) + pow(10.0, draw_uniform(-12.0, -1.0));
        if (draw_integer(0, 3) == 0)
            p.x = copysign(1.0 - pow(10.0, draw_uniform(-14.0, -1.0)), p.x);
        if (draw_integer(0, 5) == 0)
            p.m = draw_integer(-100, 100);
        if (!to_precision(value, real_degree, &p)) {
            fprintf(stderr, "left out: legendre_real %.17g %d %.17g\n", p.v, p.m, p.x);
            continue;
        }
        fprintf(file, "%a %d %a", p.v, p.m, p.x);
        print_real(file, acb_realref(value));
        fprintf(file, "\n");
    }
    acb_clear(value);
    fclose(file);
}

static void write_slopes(const char *folder)
{
    FILE *file = open_table(folder, "angular_diff", "kind l m re im phi, then the derivative by re + i im");
    acb_t value;
    acb_init(value);
    draw_seed(13);
    for (int i = 0; i < 800; i++) {
        point p = {.kind = draw_integer(0, 3), .l = draw_integer(1, draw_integer(0, 1) ? 10 : 100)};
        p.m = draw_integer(-p.l, p.l);
        if (p.kind == PI && (p.m == 0 || p.l == 1))
            p.l = 2, p.m = 1;
        if (p.kind == HARMONIC) {
            draw_polar(&p);
            p.phi = draw_uniform(-7.0, 7.0);
        } else {
            draw_cosine(&p);
            if (p.im == 0.0 && fabs(p.re) > 0.99) /* the step is relative to 1, not to the distance from the pole */
                p.re *= 0.99;
        }
        if (!derivative(value, angular, &p, &p.shift, p.re, p.im)) {
            fprintf(stderr, "left out: angular_diff %d %d %d %.17g %.17g\n", p.kind, p.l, p.m, p.re, p.im);
            continue;
        }
        fprintf(file, "%d %d %d %a %a %a", p.kind, p.l, p.m, p.re, p.im, p.phi);
        print_value(file, value);
        fprintf(file, "\n");
    }
    acb_clear(value);
    fclose(file);
}

void write_angular(const char *folder)
{
    write_slopes(folder);
    write_real(folder);
    FILE *file = open_table(folder, "angular",
                            "kind l m re im phi, then the value; kind 0 lpmv, 1 pi_fun, 2 tau_fun at z = re + i im, 3 "
                            "sph_harm at theta = re + i im");
    acb_t value;
    acb_init(value);
    draw_seed(3);
    for (int i = 0; i < 4000; i++) {
        point p = {.kind = draw_integer(0, 3), .l = draw_integer(0, draw_integer(0, 1) ? 10 : 128)};
        p.m = draw_integer(-p.l, p.l);
        if (p.kind == PI && p.m == 0)
            p.m = p.l > 0 ? 1 : 0;
        if (draw_integer(0, 9) == 0)
            p.l = 256;
        if ((p.kind == PI && p.m == 0) || (p.kind == TAU && p.l == 0))
            continue; /* 0 everywhere */
        if (p.kind == HARMONIC) {
            draw_polar(&p);
            p.phi = draw_uniform(-7.0, 7.0);
        } else {
            draw_cosine(&p);
        }
        if (!to_precision(value, angular, &p)) {
            fprintf(stderr, "left out: angular %d %d %d %.17g %.17g\n", p.kind, p.l, p.m, p.re, p.im);
            continue;
        }
        fprintf(file, "%d %d %d %a %a %a", p.kind, p.l, p.m, p.re, p.im, p.phi);
        print_value(file, value);
        fprintf(file, "\n");
    }
    acb_clear(value);
    fclose(file);
}

/* bessel.c: the table of Bessel functions, cylindrical of real order and spherical, with derivatives. */
#include <acb_hypgeom.h>
#include <math.h>

#include "reference.h"

enum { J, Y, H1, H2 };

typedef struct point {
    int spherical, kind, slope, shift;
    double v, re, im;
} point;

/* J_v or Y_v, from the side of the cut that the sign of im names. */
static void plain(acb_t out, int kind, const acb_t v, const acb_t z, int below, slong precision)
{
    if (below && arb_is_zero(acb_imagref(z)) && arb_is_negative(acb_realref(z))) {
        /* conj f(conj z): Arb takes the upper side */
        if (kind == J)
            acb_hypgeom_bessel_j(out, v, z, precision);
        else
            acb_hypgeom_bessel_y(out, v, z, precision);
        acb_conj(out, out);
        return;
    }
    if (kind == J)
        acb_hypgeom_bessel_j(out, v, z, precision);
    else
        acb_hypgeom_bessel_y(out, v, z, precision);
}

static void cylindrical(acb_t out, const point *p, const acb_t v, const acb_t z, slong precision)
{
    const int below = signbit(p->im) != 0;
    if (p->kind == J || p->kind == Y) {
        plain(out, p->kind, v, z, below, precision);
        return;
    }
    acb_t y;
    acb_init(y);
    plain(out, J, v, z, below, precision);
    plain(y, Y, v, z, below, precision);
    acb_mul_onei(y, y);
    if (p->kind == H1)
        acb_add(out, out, y, precision);
    else
        acb_sub(out, out, y, precision);
    acb_clear(y);
}

/* The function or its derivative. */
static void unscaled(acb_t out, const void *data, slong precision)
{
    const point *p = data;
    acb_t v, z, f, above;
    acb_init(v), acb_init(z), acb_init(f), acb_init(above);
    set_shifted(z, p->re, p->im, p->shift);
    acb_set_d(v, p->v);
    acb_set_d(v, p->spherical ? p->v + 0.5 : p->v);
    cylindrical(f, p, v, z, precision);
    if (p->slope) { /* f' = (v / z) f - f_{v+1}; spherical: n in place of v */
        acb_add_ui(v, v, 1, precision);
        cylindrical(above, p, v, z, precision);
        acb_set_d(v, p->v);
        acb_div(v, v, z, precision);
        acb_mul(f, f, v, precision);
        acb_sub(f, f, above, precision);
    }
    if (p->spherical) { /* sqrt(pi / 2 z) */
        arb_const_pi(acb_realref(v), precision);
        arb_zero(acb_imagref(v));
        acb_div(v, v, z, precision);
        acb_mul_2exp_si(v, v, -1);
        acb_sqrt(v, v, precision);
        if (!signbit(p->im) && p->im == 0.0 && p->re < 0.0)
            acb_conj(v, v); /* Arb takes the upper side of the cut for 1 / z */
        acb_mul(f, f, v, precision);
    }
    acb_set(out, f);
    acb_clear(v), acb_clear(z), acb_clear(f), acb_clear(above);
}

/* The same times the factor that the scaled form carries. */
static void scaled(acb_t out, const void *data, slong precision)
{
    const point *p = data;
    acb_t factor;
    acb_init(factor);
    unscaled(out, data, precision);
    if (p->kind == J || p->kind == Y) {
        acb_set_d(factor, -fabs(p->im));
    } else {
        acb_set_d_d(factor, p->re, p->im);
        acb_mul_onei(factor, factor);
        if (p->kind == H1)
            acb_neg(factor, factor);
    }
    acb_exp(factor, factor, precision);
    acb_mul(out, out, factor, precision);
    acb_clear(factor);
}

static double draw_order(int spherical)
{
    if (spherical)
        return draw_integer(0, 3) ? draw_integer(0, 40) : draw_integer(0, 256);
    switch (draw_integer(0, 5)) {
    case 0: return draw_integer(0, 20);
    case 1: return draw_integer(-256, 256);
    case 2: return draw_integer(-256, 255) + 0.5;
    case 3: return draw_integer(-20, 20) + pow(10.0, draw_uniform(-12.0, -1.0));
    case 4: return draw_uniform(-5.0, 5.0);
    default: return draw_uniform(-256.0, 256.0);
    }
}

static void write_family(const char *folder, const char *name, int spherical, int count)
{
    FILE *file = open_table(
        folder, name, "kind order re(z) im(z), then scaled value and scaled derivative; kind 0 J, 1 Y, 2 H1, 3 H2");
    acb_t value, slope;
    acb_init(value), acb_init(slope);
    for (int i = 0; i < count; i++) {
        point p = {.spherical = spherical, .kind = draw_integer(0, 3), .v = draw_order(spherical)};
        switch (draw_integer(0, 4)) {
        case 0: draw_argument(-30.0, 0.0, 800.0, &p.re, &p.im); break;
        case 1: draw_argument(-2.0, 2.0, 800.0, &p.re, &p.im); break;
        case 2: /* about the turning point */
            draw_argument(-0.2, 0.2, 800.0, &p.re, &p.im);
            p.re *= fabs(p.v) + 0.1, p.im *= fabs(p.v) + 0.1;
            break;
        default: draw_argument(0.0, 5.0, 800.0, &p.re, &p.im);
        }
        if (draw_integer(0, 3) == 0 && p.im == 0.0)
            p.im = -0.0;
        const int good = to_precision(value, scaled, &p);
        p.slope = 1;
        if (!good || !to_precision(slope, scaled, &p)) {
            fprintf(stderr, "left out: %s %d %.17g %.17g %.17g\n", name, p.kind, p.v, p.re, p.im);
            continue;
        }
        fprintf(file, "%d %a %a %a", p.kind, p.v, p.re, p.im);
        print_value(file, value);
        print_value(file, slope);
        fprintf(file, "\n");
    }
    acb_clear(value), acb_clear(slope);
    fclose(file);
}

/* Second derivatives, as differences of the first; moderate arguments, so that none needs scaling. */
static void write_second(const char *folder)
{
    FILE *file = open_table(folder, "bessel_diff", "spherical kind order re(z) im(z), then the second derivative");
    acb_t value;
    acb_init(value);
    draw_seed(11);
    for (int i = 0; i < 800; i++) {
        point p = {.spherical = draw_integer(0, 1), .kind = draw_integer(0, 3), .slope = 1};
        p.v = p.spherical          ? draw_integer(0, 60)
              : draw_integer(0, 1) ? draw_integer(-40, 40)
                                   : draw_uniform(-40.0, 40.0);
        draw_argument(-3.0, 2.5, 300.0, &p.re, &p.im);
        if (p.im == 0.0 && p.re < 0.0) /* the cut has tests of its own */
            p.re = -p.re;
        if (!derivative(value, unscaled, &p, &p.shift, p.re, p.im)) {
            fprintf(stderr, "left out: bessel_diff %d %.17g %.17g %.17g\n", p.kind, p.v, p.re, p.im);
            continue;
        }
        fprintf(file, "%d %d %a %a %a", p.spherical, p.kind, p.v, p.re, p.im);
        print_value(file, value);
        fprintf(file, "\n");
    }
    acb_clear(value);
    fclose(file);
}

void write_bessel(const char *folder)
{
    write_second(folder);
    draw_seed(1);
    write_family(folder, "bessel", 0, 4000);
    draw_seed(2);
    write_family(folder, "spherical", 1, 4000);
}

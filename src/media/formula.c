/* formula.c: the nine dispersion formulas of refractiveindex.info. */
#include "media/formula.h"

#include <math.h>

/* c/(denominator) times numerator */
static poyi_jet fraction(double c, poyi_jet numerator, poyi_jet denominator)
{
    return poyi_jet_scale(poyi_jet_div(numerator, denominator), c);
}

/* sum over the pairs from c[first] on of c_j u^c_(j+1) */
static poyi_jet powers(const poyi_formula *f, int first, poyi_jet u)
{
    poyi_jet sum = poyi_jet_constant(u.order, 0.0);
    for (int j = first; j + 1 < f->count; j += 2)
        sum = poyi_jet_add_scaled(sum, f->c[j], poyi_jet_pow(u, f->c[j + 1]));
    return sum;
}

/* Formulas 1 and 2: n^2 - 1. */
static poyi_jet sellmeier(const poyi_formula *f, poyi_jet u2)
{
    poyi_jet sum = poyi_jet_constant(u2.order, f->c[0]);
    for (int j = 1; j + 1 < f->count; j += 2) {
        double pole = f->number == 1 ? f->c[j + 1] * f->c[j + 1] : f->c[j + 1];
        sum = poyi_jet_add(sum, fraction(f->c[j], u2, poyi_jet_offset(u2, -pole)));
    }
    return sum;
}

/* Formula 4: n^2. Terms that are not given have the coefficient 0. */
static poyi_jet poles_and_powers(const poyi_formula *f, poyi_jet u)
{
    const poyi_jet u2 = poyi_jet_mul(u, u);
    poyi_jet sum = poyi_jet_constant(u.order, f->c[0]);
    for (int j = 1; j <= 5; j += 4) {
        const double *c = f->c + j;
        if (c[0] == 0.0)
            continue;
        sum = poyi_jet_add(sum, fraction(c[0], poyi_jet_pow(u, c[1]), poyi_jet_offset(u2, -pow(c[2], c[3]))));
    }
    return poyi_jet_add(sum, powers(f, 9, u));
}

/* Formula 6: n - 1. */
static poyi_jet gas(const poyi_formula *f, poyi_jet u2)
{
    const poyi_jet one = poyi_jet_constant(u2.order, 1.0), s2 = poyi_jet_div(one, u2);
    poyi_jet sum = poyi_jet_constant(u2.order, f->c[0]);
    for (int j = 1; j + 1 < f->count; j += 2)
        sum = poyi_jet_add(sum, fraction(f->c[j], one, poyi_jet_offset(poyi_jet_scale(s2, -1.0), f->c[j + 1])));
    return sum;
}

/* Formula 7: n. */
static poyi_jet herzberger(const poyi_formula *f, poyi_jet u2)
{
    const double *c = f->c;
    const poyi_jet l = poyi_jet_div(poyi_jet_constant(u2.order, 1.0), poyi_jet_offset(u2, -0.028));
    const poyi_jet low = poyi_jet_mul(l, poyi_jet_offset(poyi_jet_scale(l, c[2]), c[1]));
    poyi_jet high = poyi_jet_offset(poyi_jet_scale(u2, c[5]), c[4]);
    high = poyi_jet_mul(u2, poyi_jet_offset(poyi_jet_mul(u2, high), c[3]));
    return poyi_jet_offset(poyi_jet_add(low, high), c[0]);
}

/* Formula 8: n^2 from (n^2 - 1)/(n^2 + 2) = r. */
static poyi_jet retro(const poyi_formula *f, poyi_jet u2)
{
    const double *c = f->c;
    poyi_jet r = poyi_jet_offset(poyi_jet_scale(u2, c[3]), c[0]);
    r = poyi_jet_add(r, fraction(c[1], u2, poyi_jet_offset(u2, -c[2])));
    return poyi_jet_div(poyi_jet_offset(poyi_jet_scale(r, 2.0), 1.0), poyi_jet_offset(poyi_jet_scale(r, -1.0), 1.0));
}

/* Formula 9: n^2. */
static poyi_jet exotic(const poyi_formula *f, poyi_jet u, poyi_jet u2)
{
    const double *c = f->c;
    const poyi_jet one = poyi_jet_constant(u.order, 1.0), off = poyi_jet_offset(u, -c[4]);
    poyi_jet sum = poyi_jet_add(poyi_jet_constant(u.order, c[0]), fraction(c[1], one, poyi_jet_offset(u2, -c[2])));
    return poyi_jet_add(sum, fraction(c[3], off, poyi_jet_offset(poyi_jet_mul(off, off), c[5])));
}

static int gives_square(int number)
{
    return number <= 4 || number >= 8;
}

/* n, or n^2 where gives_square(). */
static poyi_jet evaluate(const poyi_formula *f, poyi_jet u)
{
    const poyi_jet u2 = poyi_jet_mul(u, u);
    switch (f->number) {
    case 1:
    case 2: return poyi_jet_offset(sellmeier(f, u2), 1.0);
    case 3:
    case 5: return poyi_jet_offset(powers(f, 1, u), f->c[0]);
    case 4: return poles_and_powers(f, u);
    case 6: return poyi_jet_offset(gas(f, u2), 1.0);
    case 7: return herzberger(f, u2);
    case 8: return retro(f, u2);
    default: return exotic(f, u, u2);
    }
}

static int finite(poyi_jet a)
{
    for (int m = 0; m <= a.order; m++)
        if (!isfinite(a.c[m]))
            return 0;
    return 1;
}

poy_status poyi_formula_index(poy_ctx *ctx, const char *name, const poyi_formula *f, poyi_jet u, poyi_jet *n,
                              poyi_jet *k)
{
    poyi_jet value = evaluate(f, u), none = poyi_jet_constant(u.order, 0.0), other = none;
    if (gives_square(f->number)) {
        const int metallic = value.c[0] < 0.0;
        poyi_jet root =
            value.c[0] == 0.0 && u.order == 0 ? none : poyi_jet_sqrt(poyi_jet_scale(value, metallic ? -1.0 : 1.0));
        value = metallic ? none : root;
        other = metallic ? root : none;
    }
    if (!finite(value) || !finite(other))
        return POYI_FAIL(ctx, POY_ERR_NONFINITE,
                         "%s: no index at %.6g nm, where its dispersion formula is singular: use another wavelength",
                         name, u.c[0] * 1e3);
    *n = value;
    *k = other;
    return POY_OK;
}

poy_status poyi_formula_check(poy_ctx *ctx, const char *name, const poyi_formula *f)
{
    /* least and most coefficients, and the first that begins a pair (0: none) */
    static const struct {
        int least, most, pair;
    } shape[10] = {{0, 0, 0},  {1, 17, 1}, {1, 17, 1}, {1, 17, 1}, {1, 17, 9},
                   {1, 13, 1}, {1, 13, 1}, {1, 6, 0},  {4, 4, 0},  {6, 6, 0}};
    if (f->number < 1 || f->number > 9)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: dispersion formula %d: there are formulas 1 to 9", name,
                         f->number);
    const int least = shape[f->number].least, most = shape[f->number].most, pair = shape[f->number].pair;
    if (f->count < least || f->count > most)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: formula %d has %d coefficients, needs %d to %d", name, f->number,
                         f->count, least, most);
    if (f->number == 4 && f->count < 9 && f->count % 4 != 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: formula 4 has %d coefficients: a resonance term needs four", name,
                         f->count);
    if (pair && f->count > pair && (f->count - pair) % 2)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: formula %d has %d coefficients: the last has no partner", name,
                         f->number, f->count);
    return POY_OK;
}

/* formula.c: the nine dispersion formulas of refractiveindex.info. */
#include "media/formula.h"

#include <math.h>

/* A wavelength in um, to be expanded to an order. Powers of it are exact series in the frequency, which products of
 * rounded ones are not: the high derivatives of a weak dispersion are small differences. */
typedef struct wave {
    int order;
    double u;
} wave;

static poyi_jet power(wave w, double p) /* u^p */
{
    return poyi_jet_power_of_frequency(w.order, pow(w.u, p), -p);
}

static poyi_jet constant(wave w, double value)
{
    return poyi_jet_constant(w.order, value);
}

/* c/(1 - pole/u^2) = c u^2/(u^2 - pole) */
static poyi_jet resonance(wave w, double c, double pole)
{
    return poyi_jet_div(constant(w, c), poyi_jet_add_scaled(constant(w, 1.0), -pole, power(w, -2.0)));
}

/* sum over the pairs from c[first] on of c_j u^c_(j+1) */
static poyi_jet powers(const poyi_formula *f, int first, wave w)
{
    poyi_jet sum = constant(w, 0.0);
    for (int j = first; j + 1 < f->count; j += 2)
        sum = poyi_jet_add_scaled(sum, f->c[j], power(w, f->c[j + 1]));
    return sum;
}

/* Formulas 1 and 2: n^2 - 1. */
static poyi_jet sellmeier(const poyi_formula *f, wave w)
{
    poyi_jet sum = constant(w, f->c[0]);
    for (int j = 1; j + 1 < f->count; j += 2)
        sum = poyi_jet_add(sum, resonance(w, f->c[j], f->number == 1 ? f->c[j + 1] * f->c[j + 1] : f->c[j + 1]));
    return sum;
}

/* Formula 4: n^2. Terms that are not given have the coefficient 0. */
static poyi_jet poles_and_powers(const poyi_formula *f, wave w)
{
    poyi_jet sum = poyi_jet_offset(powers(f, 9, w), f->c[0]);
    for (int j = 1; j <= 5; j += 4) { /* c u^p/(u^2 - a^b) */
        const double *c = f->c + j;
        if (c[0] != 0.0)
            sum = poyi_jet_add(sum, poyi_jet_mul(power(w, c[1] - 2.0), resonance(w, c[0], pow(c[2], c[3]))));
    }
    return sum;
}

/* Formula 6: n - 1. */
static poyi_jet gas(const poyi_formula *f, wave w)
{
    poyi_jet sum = constant(w, f->c[0]);
    for (int j = 1; j + 1 < f->count; j += 2) {
        poyi_jet distance = poyi_jet_add_scaled(constant(w, f->c[j + 1]), -1.0, power(w, -2.0));
        sum = poyi_jet_add(sum, poyi_jet_div(constant(w, f->c[j]), distance));
    }
    return sum;
}

/* Formula 7: n. */
static poyi_jet herzberger(const poyi_formula *f, wave w)
{
    const double *c = f->c;
    const poyi_jet l = poyi_jet_mul(power(w, -2.0), resonance(w, 1.0, 0.028));
    poyi_jet sum = poyi_jet_mul(l, poyi_jet_offset(poyi_jet_scale(l, c[2]), c[1]));
    for (int j = 3; j < 6; j++)
        sum = poyi_jet_add_scaled(sum, c[j], power(w, 2.0 * (j - 2)));
    return poyi_jet_offset(sum, c[0]);
}

/* Formula 8: n^2 from (n^2 - 1)/(n^2 + 2) = r. */
static poyi_jet retro(const poyi_formula *f, wave w)
{
    const double *c = f->c;
    poyi_jet r = poyi_jet_offset(poyi_jet_add_scaled(resonance(w, c[1], c[2]), c[3], power(w, 2.0)), c[0]);
    return poyi_jet_div(poyi_jet_offset(poyi_jet_scale(r, 2.0), 1.0), poyi_jet_offset(poyi_jet_scale(r, -1.0), 1.0));
}

/* Formula 9: n^2. */
static poyi_jet exotic(const poyi_formula *f, wave w)
{
    const double *c = f->c;
    const poyi_jet off = poyi_jet_offset(power(w, 1.0), -c[4]);
    const poyi_jet broad = poyi_jet_div(off, poyi_jet_offset(poyi_jet_mul(off, off), c[5]));
    const poyi_jet sharp = poyi_jet_mul(power(w, -2.0), resonance(w, c[1], c[2]));
    return poyi_jet_offset(poyi_jet_add_scaled(sharp, c[3], broad), c[0]);
}

static int gives_square(int number)
{
    return number <= 4 || number >= 8;
}

/* n, or n^2 where gives_square(). */
static poyi_jet evaluate(const poyi_formula *f, wave w)
{
    switch (f->number) {
    case 1:
    case 2: return poyi_jet_offset(sellmeier(f, w), 1.0);
    case 3:
    case 5: return poyi_jet_offset(powers(f, 1, w), f->c[0]);
    case 4: return poles_and_powers(f, w);
    case 6: return poyi_jet_offset(gas(f, w), 1.0);
    case 7: return herzberger(f, w);
    case 8: return retro(f, w);
    default: return exotic(f, w);
    }
}

static int finite(poyi_jet a)
{
    for (int m = 0; m <= a.order; m++)
        if (!isfinite(a.c[m]))
            return 0;
    return 1;
}

poy_status poyi_formula_index(poy_ctx *ctx, const char *name, const poyi_formula *f, double u, int order, poyi_jet *n,
                              poyi_jet *k)
{
    poyi_jet value = evaluate(f, (wave){order, u}), none = poyi_jet_constant(order, 0.0), other = none;
    if (gives_square(f->number)) {
        const int metallic = value.c[0] < 0.0;
        poyi_jet root =
            value.c[0] == 0.0 && order == 0 ? none : poyi_jet_sqrt(poyi_jet_scale(value, metallic ? -1.0 : 1.0));
        value = metallic ? none : root;
        other = metallic ? root : none;
    }
    if (!finite(value) || !finite(other))
        return POYI_FAIL(ctx, POY_ERR_NONFINITE,
                         "%s: no index at %.6g nm, where its dispersion formula is singular: use another wavelength",
                         name, u * 1e3);
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

/* mode.c: names of modes, and the round hollow modes: zeros, profiles, effective areas. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pulse/guide/kind.h"

enum { N_MAX = 200, M_MAX = 1000 };

static const char *const families[] = {"HE", "EH", "TE", "TM", "Ex", "Ey"};
enum { FAMILIES = sizeof families / sizeof *families };

/* ---- names ---- */

static poy_status unknown(poy_ctx *ctx, const char *name)
{
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                     "mode \"%s\" is unknown: modes are HEnm, EHnm, TE0m, TM0m, LPlm (round) and Exnm, Eynm "
                     "(rectangular), as HE11",
                     name);
}

static poy_status check_indices(poy_ctx *ctx, const char *name, poy_mode mode)
{
    const int transverse = mode.family == POY_MODE_TE || mode.family == POY_MODE_TM;
    const char *family = families[mode.family];
    if (transverse && mode.n != 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mode \"%s\": the first index of %s modes is 0, as %s0%d", name, family,
                         family, mode.m);
    if (!transverse && (mode.n < 1 || mode.n > N_MAX))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mode \"%s\": the first index of %s modes is 1 to %d", name, family,
                         N_MAX);
    if (mode.m < 1 || mode.m > M_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mode \"%s\": the second index of modes is 1 to %d", name, M_MAX);
    return POY_OK;
}

/* Digits at *text, at most four; -1 if there are none or more. */
static int number_at(const char **text)
{
    int value = 0, digits = 0;
    for (; isdigit((unsigned char)**text); (*text)++, digits++)
        value = digits < 4 ? 10 * value + (**text - '0') : value;
    return digits >= 1 && digits <= 4 ? value : -1;
}

/* The two indices behind the letters of a name. */
static poy_status parse_indices(poy_ctx *ctx, const char *name, const char *family, poy_mode *mode)
{
    const char *at = name + 2;
    const size_t digits = strspn(at, "0123456789");
    if (at[digits] == ',') {
        mode->n = number_at(&at);
        at++;
        mode->m = number_at(&at);
        if (mode->n < 0 || mode->m < 0 || *at)
            return unknown(ctx, name);
    } else {
        if (at[digits] || digits < 1)
            return unknown(ctx, name);
        if (digits == 1)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mode \"%s\" has one index: modes have two, as %s1%s", name, family,
                             at);
        if (digits > 2)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "mode \"%s\" is ambiguous: part its indices by a comma, as %.2s%c,%s or %.2s%.2s,%s", name,
                             name, at[0], at + 1, name, at, at + 2);
        mode->n = at[0] - '0';
        mode->m = at[1] - '0';
    }
    return POY_OK;
}

/* LP0m is HE1m; LP1m TE0m, HE2m, TM0m; LPlm EH(l-1)m, HE(l+1)m. */
static poy_status parse_group(poy_ctx *ctx, const char *name, poy_mode out[3], int *n)
{
    poy_mode lp = {POY_MODE_OTHER, 0, 0};
    POYI_TRY(ctx, parse_indices(ctx, name, "LP", &lp));
    if (lp.n > N_MAX - 1 || lp.m < 1 || lp.m > M_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mode \"%s\": the indices of LP modes are 0 to %d and 1 to %d", name,
                         N_MAX - 1, M_MAX);
    *n = 0;
    if (lp.n == 1)
        out[(*n)++] = (poy_mode){POY_MODE_TE, 0, lp.m};
    if (lp.n > 1)
        out[(*n)++] = (poy_mode){POY_MODE_EH, lp.n - 1, lp.m};
    out[(*n)++] = (poy_mode){POY_MODE_HE, lp.n + 1, lp.m};
    if (lp.n == 1)
        out[(*n)++] = (poy_mode){POY_MODE_TM, 0, lp.m};
    return POY_OK;
}

poy_status poy_mode_group(poy_ctx *ctx, const char *name, poy_mode out[3], int *n)
{
    poy_mode mode = {POY_MODE_OTHER, 0, 0};
    if (!strncmp(name, "LP", 2))
        return parse_group(ctx, name, out, n);
    for (int i = 0; i < FAMILIES; i++)
        if (!strncmp(name, families[i], 2))
            mode.family = (poy_mode_family)i;
    if (mode.family == POY_MODE_OTHER)
        return unknown(ctx, name);
    POYI_TRY(ctx, parse_indices(ctx, name, families[mode.family], &mode));
    POYI_TRY(ctx, check_indices(ctx, name, mode));
    out[0] = mode;
    *n = 1;
    return POY_OK;
}

poy_status poy_mode_parse(poy_ctx *ctx, const char *name, poy_mode *out)
{
    poy_mode group[3];
    char own[3][24];
    int n = 0;
    POYI_TRY(ctx, poy_mode_group(ctx, name, group, &n));
    for (int i = 0; i < n; i++)
        poy_mode_format(group[i], sizeof own[i], own[i]);
    if (n > 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "mode \"%s\" is a group, of %s, %s%s%s: name one of them", name, own[0],
                         own[1], n > 2 ? ", " : "", n > 2 ? own[2] : "");
    *out = group[0];
    return POY_OK;
}

void poy_mode_format(poy_mode mode, size_t size, char *out)
{
    const char *family = mode.family < POY_MODE_OTHER ? families[mode.family] : "";
    const char *comma = mode.n > 9 || mode.m > 9 ? "," : "";
    snprintf(out, size, "%s%d%s%d", family, mode.n, comma, mode.m);
}

void poy_mode_format_group(poy_mode mode, size_t size, char *out)
{
    const int l = mode.family == POY_MODE_HE ? mode.n - 1 : mode.family == POY_MODE_EH ? mode.n + 1 : 1;
    const char *comma = l > 9 || mode.m > 9 ? "," : "";
    out[0] = '\0';
    if (mode.family <= POY_MODE_TM)
        snprintf(out, size, "LP%d%s%d", l, comma, mode.m);
}

/* ---- round hollow modes ---- */

/* J_order of a family: n - 1, n + 1, 1, 1. */
static int order_of(poy_mode mode)
{
    switch (mode.family) {
    case POY_MODE_HE: return mode.n - 1;
    case POY_MODE_EH: return mode.n + 1;
    default: return 1;
    }
}

/* order and u of a mode: J_{n-1} of HE, J_{n+1} of EH, J_1 of TE and TM; and its A_eff/a^2 =
 * 2 pi (J_{o+1}(u)^2/2)^2 / integral_0^1 rho J_o(u rho)^4 d rho. */
static poy_status mode_hollow(poy_ctx *ctx, poyi_mode *mode)
{
    double x[POYI_GAUSS_MAX], w[POYI_GAUSS_MAX], sum = 0.0;
    const int o = order_of(mode->mode);
    const double u = poyi_bessel_zero(o, mode->mode.m);
    /* rho J^4 is of exponential type 4u on [0, 1], 2u on [-1, 1]; n nodes resolve 2n. */
    const int n = (int)fmin(2.0 * u + 32.0, POYI_GAUSS_MAX);
    if (!isfinite(u) || 2.0 * u + 32.0 > POYI_GAUSS_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "mode %s: the zero %.4g of its Bessel function is beyond what is built, 240", mode->name, u);
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, n, x, w));
    for (int i = 0; i < n; i++) {
        const double rho = 0.5 * (1.0 + x[i]), j = poyi_bessel_jn(o, u * rho);
        sum += 0.5 * w[i] * rho * j * j * j * j;
    }
    const double edge = poyi_bessel_jn(o + 1, u), norm = 0.5 * edge * edge;
    mode->order = o;
    mode->u = u;
    mode->area_fraction = 2.0 * POYI_PI * norm * norm / sum;
    return POY_OK;
}

/* ---- a guide's modes ---- */

poy_status poyi_guide_set_modes(poy_ctx *ctx, poy_guide *guide, const char *const *names, int count,
                                poy_mode_family first, unsigned allowed)
{
    if (count < 1 || count > POY_GUIDE_MODES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.modes: %d modes: 1 to %d", count, POY_GUIDE_MODES_MAX);
    guide->modes = calloc((size_t)count, sizeof *guide->modes);
    if (!guide->modes)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.modes: no memory for %d modes", count);
    guide->n_modes = count;
    for (int i = 0; i < count; i++) {
        poyi_mode *mode = &guide->modes[i];
        mode->mode = (poy_mode){first, 1, i + 1};
        if (names && !names[i])
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.modes: mode %d of %d has no name", i + 1, count);
        if (names)
            POYI_TRY(ctx, poy_mode_parse(ctx, names[i], &mode->mode));
        poy_mode_format(mode->mode, sizeof mode->name, mode->name);
        if (!(allowed & (1U << mode->mode.family)))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.modes: a guide of type %s has no mode %s",
                             guide->kind->name, mode->name);
        for (int j = 0; j < i; j++)
            if (!strcmp(guide->modes[j].name, mode->name))
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.modes: %s stands twice, as modes %d and %d: keep one",
                                 mode->name, j + 1, i + 1);
        if (guide->kind->round_hollow)
            POYI_TRY(ctx, mode_hollow(ctx, mode));
    }
    return POY_OK;
}

/* ---- fields of round hollow modes ---- */

static void hollow_at(const poyi_profile *f, double x, double y, double e[2])
{
    const double r = hypot(x, y);
    e[0] = e[1] = 0.0;
    if (r >= f->radius)
        return;
    const double theta = atan2(y, x), j = f->amplitude * poyi_bessel_jn(f->harmonic, f->u * r / f->radius);
    double direction = 0.0; /* e = j (sin, cos) of it */
    switch (f->mode.family) {
    case POY_MODE_TE: direction = -theta; break;
    case POY_MODE_TM: direction = 0.5 * POYI_PI - theta; break;
    case POY_MODE_EH: direction = -(double)(f->mode.n + 1) * theta - (double)f->mode.n * f->angle; break;
    default: direction = (double)(f->mode.n - 1) * theta + (double)f->mode.n * f->angle; break;
    }
    e[0] = j * sin(direction);
    e[1] = j * cos(direction);
}

void poyi_profile_hollow(const poyi_mode *mode, double radius, double angle, poyi_profile *out)
{
    const double edge = fabs(poyi_bessel_jn(mode->order + 1, mode->u));
    /* (1/2) sqrt(eps0/mu0) pi a^2 J_{o+1}(u)^2 = 1 */
    const double amplitude = sqrt(2.0 * POYI_Z0 / POYI_PI) / (radius * edge);
    *out = (poyi_profile){.at = hollow_at,
                          .amplitude = amplitude,
                          .radius = radius,
                          .extent = radius,
                          .harmonic = mode->order,
                          .mode = mode->mode,
                          .angle = angle,
                          .u = mode->u};
}

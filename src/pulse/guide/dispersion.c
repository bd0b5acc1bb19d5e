/* dispersion.c: zero-dispersion wavelengths, phase-matched dispersive waves, and pressures or radii that meet a target. */
#include "pulse/guide/kind.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)

/* ---- all roots of a smooth function ---- */

enum { SAMPLES = 240 };

/* *f and *slope at x. */
typedef poy_status slope_function(void *user, double x, double *f, double *slope);

typedef struct search {
    slope_function *f;
    void *user;
    int want_slope; /* poyi_root_brent looks for the zero of the slope */
    poy_status status;
} search;

static double look(void *user, double x)
{
    search *s = user;
    double f = 0.0, slope = 0.0;
    if (s->status == POY_OK)
        s->status = s->f(s->user, x, &f, &slope);
    return s->status != POY_OK ? (double)NAN : s->want_slope ? slope : f;
}

typedef struct roots {
    int max, n;
    double *out;
} roots;

static poy_status add_root(poy_ctx *ctx, search *s, double a, double b, roots *r)
{
    double x = 0.0;
    s->want_slope = 0;
    const poy_status status = poyi_root_brent(ctx, look, s, a, b, 0.0, &x);
    POYI_TRY(ctx, s->status);
    POYI_TRY(ctx, status);
    if (r->n < r->max)
        r->out[r->n] = x;
    r->n++;
    return POY_OK;
}

/* f has one sign at both ends, but its slope changes: is there an extremum beyond zero between them? */
static poy_status add_pair(poy_ctx *ctx, search *s, double a, double b, double fa, roots *r)
{
    double x = 0.0, f = 0.0, slope = 0.0;
    s->want_slope = 1;
    const poy_status status = poyi_root_brent(ctx, look, s, a, b, 0.0, &x);
    POYI_TRY(ctx, s->status);
    POYI_TRY(ctx, status);
    POYI_TRY(ctx, s->f(s->user, x, &f, &slope));
    if (f * fa < 0.0) {
        POYI_TRY(ctx, add_root(ctx, s, a, x, r));
        POYI_TRY(ctx, add_root(ctx, s, x, b, r));
    }
    return POY_OK;
}

/* Roots in [a, b], rising, from SAMPLES intervals that are equal on a logarithmic scale, and in each the extremum. */
static poy_status all_roots(poy_ctx *ctx, slope_function *f, void *user, double a, double b, roots *r)
{
    search s = {.f = f, .user = user, .status = POY_OK};
    double x0 = a, f0 = 0.0, d0 = 0.0;
    POYI_TRY(ctx, f(user, x0, &f0, &d0));
    for (int i = 1; i <= SAMPLES; i++) {
        const double x1 = i == SAMPLES ? b : a * pow(b / a, (double)i / SAMPLES);
        double f1 = 0.0, d1 = 0.0;
        POYI_TRY(ctx, f(user, x1, &f1, &d1));
        if (f0 == 0.0 || f0 * f1 < 0.0)
            POYI_TRY(ctx, add_root(ctx, &s, x0, x1, r));
        else if (d0 * d1 < 0.0 && d0 * f0 < 0.0)
            POYI_TRY(ctx, add_pair(ctx, &s, x0, x1, f0, r));
        x0 = x1;
        f0 = f1;
        d0 = d1;
    }
    return POY_OK;
}

/* Roots in omega, rising, are wavelengths in falling order. */
static poy_status as_wavelengths(poy_ctx *ctx, slope_function *f, void *user, double from, double to, int max,
                                 double *out, int *n)
{
    enum { ROOTS_MAX = 256 };
    double omega[ROOTS_MAX];
    roots r = {.max = ROOTS_MAX, .out = omega};
    if (!(from > 0.0) || !(to > from) || !isfinite(to))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "wavelengths from %g m to %g m: give a rising range above 0", from, to);
    POYI_TRY(ctx, all_roots(ctx, f, user, TWO_PI_C / to, TWO_PI_C / from, &r));
    const int found = r.n < ROOTS_MAX ? r.n : ROOTS_MAX;
    for (int i = 0; i < found && i < max; i++)
        out[i] = TWO_PI_C / omega[found - 1 - i];
    *n = r.n;
    return POY_OK;
}

/* ---- zero dispersion ---- */

typedef struct target {
    poy_ctx *ctx;
    const poy_guide *guide;
    int mode;
    poy_guide_place place;
    double omega0;                        /* of the pump */
    double pump[POY_DERIVATIVES_MAX + 1]; /* derivatives of omega (n - 1)/c there */
    double self_phase;                    /* s/m: times omega the phase of the soliton per metre; 0: none */
} target;

static poy_status beta_at(const target *t, double omega, int order, double *out)
{
    poyi_cjet excess;
    POYI_TRY(t->ctx, poyi_guide_index(t->ctx, t->guide, t->mode, &t->place, omega, order, &excess));
    poyi_excess_beta(&excess, omega, out);
    return POY_OK;
}

static poy_status second(void *user, double omega, double *f, double *slope)
{
    const target *t = user;
    double beta[4];
    POYI_TRY(t->ctx, beta_at(t, omega, 3, beta));
    *f = beta[2];
    *slope = beta[3];
    return POY_OK;
}

poy_status poy_guide_zero_dispersion(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double from, double to,
                                     int max, double *out, int *n)
{
    target t = {.ctx = ctx, .guide = guide, .mode = mode};
    poy_guide_at(guide, z, &t.place);
    POYI_TRY(ctx, as_wavelengths(ctx, second, &t, from, to, max, out, n));
    return POY_OK;
}

/* ---- dispersive waves ---- */

/* What the soliton's phase takes away, k omega/Omega^2; near the pump as at a distance from it: there is no wave there. */
static void add_self_phase(const target *t, double omega, double *f, double *slope)
{
    const double least = 1e-3 * t->omega0, distance = omega - t->omega0;
    const double x = fabs(distance) < least ? copysign(least, distance) : distance;
    *f -= t->self_phase * omega / (x * x);
    *slope -= x == distance ? t->self_phase * (1.0 - 2.0 * omega / x) / (x * x) : t->self_phase / (x * x);
}

/* D = (beta - beta_0 - beta_1 Omega)/Omega^2 and its slope: near the pump by its Taylor series, for the difference
 * cancels there; elsewhere D' = (beta' - beta_1)/Omega^2 - 2 D/Omega. */
static poy_status mismatch(void *user, double omega, double *f, double *slope)
{
    const target *t = user;
    const double x = omega - t->omega0;
    double beta[2];
    if (fabs(x) < 0.03 * t->omega0) {
        double factorial = 1.0, power = 1.0, before = 0.0;
        *f = *slope = 0.0;
        for (int k = 2; k <= POY_DERIVATIVES_MAX; k++) {
            factorial *= k;
            *f += t->pump[k] / factorial * power;
            *slope += (double)(k - 2) * t->pump[k] / factorial * before;
            before = power;
            power *= x;
        }
        add_self_phase(t, omega, f, slope);
        return POY_OK;
    }
    POYI_TRY(t->ctx, beta_at(t, omega, 1, beta));
    *f = (beta[0] - t->pump[0] - t->pump[1] * x) / (x * x);
    *slope = (beta[1] - t->pump[1]) / (x * x) - 2.0 * *f / x;
    add_self_phase(t, omega, f, slope);
    return POY_OK;
}

static poy_status set_pump(target *t, double pump)
{
    POYI_TRY(t->ctx, poyi_check_positive(t->ctx, "pump", pump, "m"));
    t->omega0 = TWO_PI_C / pump;
    POYI_TRY(t->ctx, beta_at(t, t->omega0, POY_DERIVATIVES_MAX, t->pump));
    return POY_OK;
}

poy_status poy_guide_dispersive_waves(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double pump,
                                      double from, double to, int max, double *out, int *n)
{
    target t = {.ctx = ctx, .guide = guide, .mode = mode};
    poy_guide_at(guide, z, &t.place);
    POYI_TRY(ctx, set_pump(&t, pump));
    POYI_TRY(ctx, as_wavelengths(ctx, mismatch, &t, from, to, max, out, n));
    return POY_OK;
}

/* ---- solitons ---- */

double poyi_soliton_power(double peak_power, double order, double fission, double alpha)
{
    return order > 0.5 ? peak_power * pow(2.0 - 1.0 / order, 2.0) * exp(-alpha * fission) : 0.0;
}

static poy_status find_soliton(const target *t, double omega, double peak_power, double t0, poy_soliton *out)
{
    poy_ctx *ctx = t->ctx;
    poy_gas_part parts[POY_GUIDE_GASES_MAX];
    poyi_cjet excess;
    double beta[3], n2 = 0.0, area = 0.0;
    for (int i = 0; i < t->place.n_gases; i++)
        parts[i] = (poy_gas_part){poy_guide_gas(t->guide, i), t->place.density[i]};
    POYI_TRY(ctx, poy_gas_n2(ctx, t->place.n_gases, parts, omega, &n2));
    POYI_TRY(ctx, t->guide->kind->area(ctx, t->guide, t->mode, &t->place, omega, &area));
    POYI_TRY(ctx, poyi_guide_index(ctx, t->guide, t->mode, &t->place, omega, 2, &excess));
    poyi_excess_beta(&excess, omega, beta);
    *out = (poy_soliton){
        .beta2 = beta[2], .gamma = n2 * omega / (POYI_C * area), .order = (double)NAN, .fission = (double)NAN};
    if (!(beta[2] < 0.0))
        return POY_OK;
    const double alpha = 2.0 * omega / POYI_C * fmax(0.0, cimag(excess.c[0])), L_D = t0 * t0 / -beta[2];
    out->order = sqrt(out->gamma * peak_power * L_D);
    out->fission = L_D / out->order;
    out->power = poyi_soliton_power(peak_power, out->order, out->fission, alpha);
    return POY_OK;
}

static poy_status check_soliton(poy_ctx *ctx, const poy_guide *guide, int mode, double pump, double peak_power,
                                double t0)
{
    POYI_TRY(ctx, poyi_guide_check_mode(ctx, guide, mode));
    if (guide->fill.n == 0)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "solitons: there is no gas in this guide of type %s",
                         guide->kind->name);
    POYI_TRY(ctx, poyi_check_positive(ctx, "pump", pump, "m"));
    POYI_TRY(ctx, poyi_check_positive(ctx, "peak_power", peak_power, "W"));
    return poyi_check_positive(ctx, "t0", t0, "s");
}

poy_status poy_guide_soliton(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double pump, double peak_power,
                             double t0, poy_soliton *out)
{
    target t = {.ctx = ctx, .guide = guide, .mode = mode};
    POYI_TRY(ctx, check_soliton(ctx, guide, mode, pump, peak_power, t0));
    poy_guide_at(guide, z, &t.place);
    return find_soliton(&t, TWO_PI_C / pump, peak_power, t0, out);
}

/* The pump as a soliton with its own phase. */
static poy_status set_soliton(target *t, double pump, double peak_power, double t0, poy_soliton *out)
{
    POYI_TRY(t->ctx, set_pump(t, pump));
    POYI_TRY(t->ctx, find_soliton(t, t->omega0, peak_power, t0, out));
    t->self_phase = 0.5 * out->gamma * out->power / t->omega0;
    return POY_OK;
}

poy_status poy_guide_soliton_waves(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double pump,
                                   double peak_power, double t0, double from, double to, int max, double *out, int *n)
{
    target t = {.ctx = ctx, .guide = guide, .mode = mode};
    poy_soliton soliton;
    POYI_TRY(ctx, check_soliton(ctx, guide, mode, pump, peak_power, t0));
    poy_guide_at(guide, z, &t.place);
    POYI_TRY(ctx, set_soliton(&t, pump, peak_power, t0, &soliton));
    *n = 0;
    if (soliton.power > 0.0)
        POYI_TRY(ctx, as_wavelengths(ctx, mismatch, &t, from, to, max, out, n));
    return POY_OK;
}

/* ---- pins ---- */

enum { PIN_SAMPLES = 160 };

void poy_pin_options_init(poy_pin_options *o)
{
    const double none = (double)NAN;
    *o = (poy_pin_options){
        .size = sizeof *o, .wavelength = none, .pump = none, .order = none, .peak_power = none, .t0 = none};
}

typedef struct pin {
    target t;
    const poy_pin_options *o;
    poy_status status;
} pin;

/* gamma P0 T0^2 + N^2 beta_2 at the pump: 0 at soliton order N in anomalous dispersion. */
static poy_status soliton(pin *p, double *f)
{
    const poy_pin_options *o = p->o;
    poy_soliton s;
    POYI_TRY(p->t.ctx, find_soliton(&p->t, TWO_PI_C / o->pump, o->peak_power, o->t0, &s));
    *f = s.gamma * o->peak_power * o->t0 * o->t0 + o->order * o->order * s.beta2;
    return POY_OK;
}

/* Without a soliton the mismatch of none: a root there is none of what is looked for. */
static poy_status soliton_wave(pin *p, double *f)
{
    const poy_pin_options *o = p->o;
    poy_soliton s;
    double slope = 0.0;
    POYI_TRY(p->t.ctx, set_soliton(&p->t, o->pump, o->peak_power, o->t0, &s));
    POYI_TRY(p->t.ctx, mismatch(&p->t, TWO_PI_C / o->wavelength, f, &slope));
    if (!(s.beta2 < 0.0))
        *f = (double)NAN;
    return POY_OK;
}

static poy_status pin_value(pin *p, double x, double *f)
{
    poy_ctx *ctx = p->t.ctx;
    const int radius = p->o->variable == POY_PIN_RADIUS;
    const double none = (double)NAN;
    double slope = 0.0;
    POYI_TRY(ctx, poyi_guide_place(ctx, p->t.guide, p->o->z, radius ? none : x, radius ? x : none, &p->t.place));
    switch (p->o->target) {
    case POY_PIN_ZERO_DISPERSION: POYI_TRY(ctx, second(&p->t, TWO_PI_C / p->o->wavelength, f, &slope)); break;
    case POY_PIN_DISPERSIVE_WAVE:
        POYI_TRY(ctx, set_pump(&p->t, p->o->pump));
        POYI_TRY(ctx, mismatch(&p->t, TWO_PI_C / p->o->wavelength, f, &slope));
        break;
    case POY_PIN_SOLITON_WAVE: POYI_TRY(ctx, soliton_wave(p, f)); break;
    default: POYI_TRY(ctx, soliton(p, f)); break;
    }
    return POY_OK;
}

static double pin_look(void *user, double log_x)
{
    pin *p = user;
    double f = (double)NAN;
    if (p->status == POY_OK)
        p->status = pin_value(p, exp(log_x), &f);
    return f;
}

static poy_status check_pin(poy_ctx *ctx, const poy_guide *guide, const poy_pin_options *o)
{
    POYI_TRY(ctx, poyi_guide_check_mode(ctx, guide, o->mode));
    POYI_TRY(ctx, poyi_check_choice(ctx, "pin", (int)o->target, 4, "zdw, rdw, soliton_order, rdw_soliton"));
    POYI_TRY(ctx, poyi_check_choice(ctx, "pin", (int)o->variable, 2, "pressure, radius"));
    if (o->variable == POY_PIN_PRESSURE && guide->fill.n == 0)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "gas.pressure: a guide of type %s without a gas has no pressure to pin", guide->kind->name);
    if (o->variable == POY_PIN_RADIUS && (!guide->has_radius || guide->kind->fixed_radius))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "geometry.core_radius: this guide of type %s has no radius to pin",
                         guide->kind->name);
    if (o->target != POY_PIN_SOLITON_ORDER)
        POYI_TRY(ctx, poyi_check_positive(ctx, "pin.wavelength", o->wavelength, "m"));
    if (o->target != POY_PIN_ZERO_DISPERSION)
        POYI_TRY(ctx, poyi_check_positive(ctx, "pin.pump", o->pump, "m"));
    if (o->target == POY_PIN_SOLITON_ORDER)
        POYI_TRY(ctx, poyi_check_positive(ctx, "pin.value", o->order, "(soliton order)"));
    if (o->target == POY_PIN_SOLITON_ORDER || o->target == POY_PIN_SOLITON_WAVE) {
        if (guide->fill.n == 0)
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "pin: a soliton needs a gas in the guide");
        POYI_TRY(ctx, poyi_check_positive(ctx, "pin.peak_power", o->peak_power, "W"));
        POYI_TRY(ctx, poyi_check_positive(ctx, "pin.t0", o->t0, "s"));
    }
    return POY_OK;
}

static poy_status none_found(poy_ctx *ctx, const poy_guide *guide, const poy_pin_options *o, double from, double to,
                             double reached)
{
    static const char *const what[] = {"zero dispersion", "a dispersive wave", "the soliton order",
                                       "a dispersive wave of this pulse's soliton"};
    const int radius = o->variable == POY_PIN_RADIUS;
    const double unit = radius ? 1e-6 : POYI_BAR, shown = o->target == POY_PIN_SOLITON_ORDER ? o->order : o->wavelength;
    return POYI_FAIL(
        ctx, POY_ERR_NO_CONVERGENCE, "%s: no %s from %.4g to %.4g %s%s gives %s %s%g%s: change the target%s",
        radius ? "geometry.core_radius" : "gas.pressure", radius ? "core radius" : "pressure", from / unit,
        reached / unit, radius ? "um" : "bar", reached < to * (1.0 - 1e-9) ? " (beyond, the density is not known)" : "",
        what[o->target], o->target == POY_PIN_SOLITON_ORDER ? "" : "at ",
        o->target == POY_PIN_SOLITON_ORDER ? shown : shown * 1e9, o->target == POY_PIN_SOLITON_ORDER ? "" : " nm",
        guide->fill.n == 0 ? ""
        : radius           ? ", or the pressure"
                           : ", or the core radius");
}

poy_status poy_guide_pin(poy_ctx *ctx, const poy_guide *guide, const poy_pin_options *options, double *value)
{
    poy_pin_options o;
    poy_pin_options_init(&o);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_pin_options", options, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, check_pin(ctx, guide, &o));
    const int radius = o.variable == POY_PIN_RADIUS;
    const double from = o.from > 0.0 ? o.from : radius ? 1e-6 : 1e-6 * POYI_BAR;
    const double to = o.to > 0.0 ? o.to : radius ? 1e-3 : 100.0 * POYI_BAR;
    pin p = {.t = {.ctx = ctx, .guide = guide, .mode = o.mode}, .o = &o, .status = POY_OK};
    double x0 = log(from), f0 = 0.0;
    POYI_TRY(ctx, pin_value(&p, from, &f0));
    for (int i = 1; i <= PIN_SAMPLES; i++) {
        const double x1 = log(from) + log(to / from) * (double)i / PIN_SAMPLES;
        double f1 = 0.0, root = 0.0;
        if (pin_value(&p, exp(x1), &f1) != POY_OK) { /* beyond the equation of state: nothing is to be found there */
            poy_ctx_clear(ctx);
            break;
        }
        if (f0 == 0.0 || f0 * f1 < 0.0) {
            const poy_status status = poyi_root_brent(ctx, pin_look, &p, x0, x1, 0.0, &root);
            POYI_TRY(ctx, p.status);
            POYI_TRY(ctx, status);
            *value = exp(root);
            return POY_OK;
        }
        x0 = x1;
        f0 = f1;
    }
    return none_found(ctx, guide, &o, from, to, exp(x0));
}

/* passage.c: what a pulse has gone through before it enters the guide: glass, gas, mirrors, measured phases, a length of
 * the guide itself, filters. Each multiplies its spectrum by a transmission and exp(-i phase) (docs/physics.md 9). */
#include <stdio.h>

#include "core/warn.h"
#include "pulse/setup/medium.h"
#include "pulse/spectral.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)

/* Loss that is given back at most, in powers of e: 60 dB of power. What a guide has taken more of is gone. */
static const double RESTORED = 6.9077552789821370; /* ln(1e3) of the amplitude */

/* One of them, while it acts. */
typedef struct passage {
    poy_ctx *ctx;
    const poy_grid *grid;
    const poyi_pulse *pulse;
    const poy_passage *o;
    const char *key; /* "pulse.0.through" */
    poy_material *material;
    poy_gas *gas;
    poy_gas_part part;
    double delay, offset;       /* d phase/d omega at the pulse's wavelength, and what goes with it */
    double *omega, *table;      /* of a table: rad/s, and the phase there */
    poyi_spline *phase, *power; /* over omega */
    const char *what;           /* "SiO2", for messages */
} passage;

/* phase (rad) and ln of the amplitude's transmission at omega; *known 0: the data do not reach there. */
typedef poy_status act(passage *p, double omega, double *phase, double *gain, int *known);

/* ---- glass and gas ---- */

/* Outside the data there is nothing to say; anything else is a failure. */
static poy_status beyond(passage *p, poy_status status, int *known)
{
    if (status != POY_ERR_RANGE && status != POY_ERR_NONFINITE)
        return status;
    poy_ctx_clear(p->ctx);
    *known = 0;
    return POY_OK;
}

static poy_status through_material(passage *p, double omega, double *phase, double *gain, int *known)
{
    double index[2] = {0.0, 0.0};
    POYI_TRY(p->ctx, beyond(p, poy_material_index(p->ctx, p->material, omega, 0, index), known));
    *phase = omega / POYI_C * (index[0] - 1.0) * p->o->length;
    *gain = p->o->length > 0.0 ? -omega / POYI_C * index[1] * p->o->length : 0.0;
    return POY_OK;
}

static poy_status through_gas(passage *p, double omega, double *phase, double *gain, int *known)
{
    double excess = 0.0;
    POYI_TRY(p->ctx, beyond(p, poy_gas_index(p->ctx, 1, &p->part, omega, 0, &excess), known));
    *phase = omega / POYI_C * excess * p->o->length;
    *gain = 0.0;
    return POY_OK;
}

/* d(omega (n - 1)/c)/d omega times the length, of n - 1 and its derivative. */
static double delay_of(const passage *p, double excess, double slope)
{
    return (excess + p->pulse->omega * slope) / POYI_C * p->o->length;
}

static poy_status open_material(passage *p)
{
    double index[4];
    poy_material_row row;
    POYI_TRY(p->ctx, poyi_guide_material_create(p->ctx, p->key, &p->o->material, &p->material));
    poy_material_info(p->material, &row);
    p->what = row.name;
    if (poy_material_index(p->ctx, p->material, p->pulse->omega, 1, index) != POY_OK) {
        char cause[256];
        snprintf(cause, sizeof cause, "%s", poy_ctx_cause(p->ctx));
        return POYI_FAIL(p->ctx, POY_ERR_RANGE, "%s: %s", p->key, cause);
    }
    p->delay = delay_of(p, index[0] - 1.0, index[2]);
    return POY_OK;
}

static poy_status open_gas(passage *p)
{
    double index[2], density = 0.0;
    POYI_TRY(p->ctx, poy_gas_create(p->ctx, p->o->gas, &p->gas));
    POYI_TRY(p->ctx,
             poy_gas_density(p->ctx, p->gas, POY_EOS_HELMHOLTZ, p->o->pressure, p->o->temperature, &density, NULL));
    p->part = (poy_gas_part){p->gas, density};
    p->what = p->o->gas;
    POYI_TRY(p->ctx, poy_gas_index(p->ctx, 1, &p->part, p->pulse->omega, 1, index));
    p->delay = delay_of(p, index[0], index[1]);
    return POY_OK;
}

/* ---- mirrors and tables ---- */

static poy_status through_phase(passage *p, double omega, double *phase, double *gain, int *known)
{
    const double x = omega - p->pulse->omega;
    *known = 1;
    *phase = p->o->times * x * x * (p->o->gdd / 2.0 + x * (p->o->tod / 6.0 + x * p->o->fod / 24.0));
    *gain = 0.0;
    return POY_OK;
}

static poy_status through_table(passage *p, double omega, double *phase, double *gain, int *known)
{
    const int64_t last = p->o->n - 1;
    *known = omega >= p->omega[0] && omega <= p->omega[last];
    *phase = *gain = 0.0;
    if (!*known)
        return POY_OK;
    const double power = p->power ? fmin(fmax(poyi_spline_eval(p->power, omega), 0.0), 1.0) : 1.0;
    *phase = p->o->times * poyi_spline_eval(p->phase, omega);
    *gain = p->o->times > 0 ? 0.5 * p->o->times * log(fmax(power, 1e-300)) : 0.0;
    return POY_OK;
}

/* The phase of a group-delay dispersion: its integral over omega, twice, by the trapezoid rule. */
static void integrate_twice(passage *p)
{
    const double *gdd = p->o->values;
    double delay = 0.0;
    p->table[0] = 0.0;
    for (int i = 1; i < p->o->n; i++) {
        const double step = p->omega[i] - p->omega[i - 1], before = delay;
        delay += 0.5 * step * (gdd[i] + gdd[i - 1]);
        p->table[i] = p->table[i - 1] + 0.5 * step * (delay + before);
    }
}

static poy_status open_table(passage *p)
{
    poy_ctx *ctx = p->ctx;
    const size_t n = (size_t)p->o->n;
    POYI_TRY(ctx, poyi_alloc(ctx, "launch.table", 2 * n * sizeof(double), (void **)&p->omega));
    p->table = p->omega + n;
    p->what = "its table";
    for (size_t i = 0; i < n; i++) {
        p->omega[i] = 2.0 * POYI_PI * p->o->frequency[i];
        p->table[i] = p->o->values[i];
    }
    if (p->pulse->omega < p->omega[0] || p->pulse->omega > p->omega[n - 1])
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: the table goes from %.5g to %.5g nm, the pulse has %.5g nm", p->key,
                         1e9 * TWO_PI_C / p->omega[n - 1], 1e9 * TWO_PI_C / p->omega[0],
                         1e9 * TWO_PI_C / p->pulse->omega);
    if (p->o->kind == POY_PASSAGE_MIRROR)
        integrate_twice(p);
    POYI_TRY(ctx, poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, p->omega, p->table, &p->phase));
    if (p->o->power)
        POYI_TRY(ctx, poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, p->omega, p->o->power, &p->power));
    if (p->o->kind == POY_PASSAGE_MIRROR) { /* integration leaves a constant and a delay open: none at the pulse */
        p->delay = p->o->times * poyi_spline_slope(p->phase, p->pulse->omega);
        p->offset = p->o->times * poyi_spline_eval(p->phase, p->pulse->omega) - p->delay * p->pulse->omega;
    }
    return POY_OK;
}

/* ---- the guide ---- */

static int mode_of(const passage *p)
{
    return p->pulse->o.mode < 0 ? p->pulse->problem->medium->modes[0] : p->pulse->o.mode;
}

static poy_status through_guide(passage *p, double omega, double *phase, double *gain, int *known)
{
    const poy_problem *problem = p->pulse->problem;
    const poyi_medium *m = problem->medium;
    double beta = 0.0, alpha = 0.0;
    if (m) {
        POYI_TRY(p->ctx, poy_guide_propagation(p->ctx, m->guide, mode_of(p), 0.0, 1, &omega, &beta, &alpha, NULL));
    } else {
        beta = poyi_fibre_phase(problem->fibre, omega);
        alpha = problem->fibre->attenuation;
    }
    *phase = beta * p->o->length;
    *gain = -0.5 * alpha * p->o->length;
    *known = *gain <= RESTORED;
    return POY_OK;
}

static poy_status open_guide(passage *p)
{
    const poy_problem *problem = p->pulse->problem;
    double beta[2] = {0.0, 0.0};
    if (!problem)
        return POYI_FAIL(p->ctx, POY_ERR_UNSUPPORTED,
                         "%s: a pressure or radius that is pinned to a soliton order needs a pulse that has not gone "
                         "through the guide: leave the guide out, or give the value",
                         p->key);
    if (problem->medium)
        POYI_TRY(p->ctx, poy_guide_beta(p->ctx, problem->medium->guide, mode_of(p), 0.0, p->pulse->omega, 1, beta));
    else
        beta[1] = poyi_fibre_beta(problem->fibre, 1, p->pulse->omega);
    p->what = "the guide";
    p->delay = beta[1] * p->o->length;
    return POY_OK;
}

/* ---- filters ---- */

static poy_status through_band(passage *p, double omega, double *phase, double *gain, int *known)
{
    const double low = TWO_PI_C / fmax(p->o->band[0], p->o->band[1]),
                 high = TWO_PI_C / fmin(p->o->band[0], p->o->band[1]),
                 edge = p->o->edge > 0.0 ? 2.0 * POYI_PI * p->o->edge : POYI_BAND_EDGE * p->grid->info.domega;
    *known = 1;
    *phase = 0.0;
    *gain = log(poyi_planck_taper(omega, low - edge, low, high, high + edge));
    return POY_OK;
}

/* ---- all of them ---- */

static const struct {
    act *through;
    poy_status (*open)(passage *p);
} kinds[] = {
    [POY_PASSAGE_MATERIAL] = {through_material, open_material},
    [POY_PASSAGE_GAS] = {through_gas, open_gas},
    [POY_PASSAGE_PHASE] = {through_phase, NULL},
    [POY_PASSAGE_MIRROR] = {through_table, open_table},
    [POY_PASSAGE_TABLE] = {through_table, open_table},
    [POY_PASSAGE_GUIDE] = {through_guide, open_guide},
    [POY_PASSAGE_BAND] = {through_band, NULL},
};

static void close_passage(passage *p)
{
    poyi_spline_destroy(&p->power);
    poyi_spline_destroy(&p->phase);
    poyi_free((void **)&p->omega);
    if (p->gas)
        poy_gas_destroy(&p->gas);
    if (p->material)
        poy_material_destroy(&p->material);
}

static poy_status pass(passage *p, double *a)
{
    double cut = 0.0, all = 0.0;
    for (int64_t k = 0; k < p->grid->info.n_w; k++) {
        const double omega = p->grid->omega[k], re = a[2 * k], im = a[2 * k + 1], square = re * re + im * im;
        double phase = 0.0, gain = 0.0, size = 0.0;
        int known = omega > 0.0;
        if (square == 0.0)
            continue;
        if (known)
            POYI_TRY(p->ctx, kinds[p->o->kind].through(p, omega, &phase, &gain, &known));
        all += square;
        cut += known ? 0.0 : square;
        phase -= p->delay * omega + p->offset;
        size = known ? exp(gain) : 0.0;
        a[2 * k] = size * (re * cos(phase) + im * sin(phase));
        a[2 * k + 1] = size * (im * cos(phase) - re * sin(phase));
    }
    if (cut > 1e-6 * all)
        poyi_warn(p->ctx, "%s: %.2g of the energy lies where the data of %s end, and is cut off", p->key, cut / all,
                  p->what);
    return POY_OK;
}

poy_status poyi_passages_apply(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectrum)
{
    char key[64];
    poyi_pulse_key(pulse, "through", key);
    for (int i = 0; i < pulse->o.n_passages; i++) {
        passage p = {.ctx = ctx, .grid = grid, .pulse = pulse, .o = &pulse->o.passages[i], .key = key, .what = ""};
        poy_status status = kinds[p.o->kind].open ? kinds[p.o->kind].open(&p) : POY_OK;
        if (status == POY_OK)
            status = pass(&p, spectrum);
        close_passage(&p);
        POYI_TRY(ctx, status);
    }
    return POY_OK;
}

/* ---- checks ---- */

static poy_status check_table(poy_ctx *ctx, const char *key, const poy_passage *o)
{
    if (!o->frequency || !o->values || o->n < 4)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a table of %d rows: give 4 or more", key,
                         o->frequency && o->values ? o->n : 0);
    POYI_TRY(ctx, poyi_check_list(ctx, key, o->frequency, o->n, "Hz"));
    POYI_TRY(ctx, poyi_check_list(ctx, key, o->values, o->n, o->kind == POY_PASSAGE_MIRROR ? "s2" : "rad"));
    for (int i = 0; i < o->n; i++) {
        if (!(o->frequency[i] > (i ? o->frequency[i - 1] : 0.0)))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: row %d: %g Hz is not above the row before: sort the rows", key,
                             i, o->frequency[i]);
        if (o->power && !(o->power[i] >= 0.0 && o->power[i] <= 1.0))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: row %d: a share of %g of the power: give 0 to 1", key, i,
                             o->power[i]);
    }
    return POY_OK;
}

static poy_status check_passage(poy_ctx *ctx, const char *key, const poy_passage *o)
{
    POYI_TRY(ctx, poyi_check_choice(ctx, key, (int)o->kind, sizeof kinds / sizeof *kinds,
                                    "material, gas, phase, mirror, table, guide, band"));
    POYI_TRY(ctx, poyi_check_finite(ctx, key, o->length, "m"));
    switch (o->kind) {
    case POY_PASSAGE_GAS:
        if (!o->gas)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a gas without a name", key);
        break;
    case POY_PASSAGE_PHASE:
        POYI_TRY(ctx, poyi_check_finite(ctx, key, o->gdd, "s2"));
        POYI_TRY(ctx, poyi_check_finite(ctx, key, o->tod, "s3"));
        POYI_TRY(ctx, poyi_check_finite(ctx, key, o->fod, "s4"));
        break;
    case POY_PASSAGE_MIRROR:
    case POY_PASSAGE_TABLE: POYI_TRY(ctx, check_table(ctx, key, o)); break;
    case POY_PASSAGE_BAND:
        POYI_TRY(ctx, poyi_check_positive(ctx, key, o->band[0], "m (band)"));
        POYI_TRY(ctx, poyi_check_positive(ctx, key, o->band[1], "m (band)"));
        POYI_TRY(ctx, poyi_check_not_negative(ctx, key, o->edge, "Hz (edge of the band)"));
        break;
    default: break;
    }
    return POY_OK;
}

poy_status poyi_passages_check(poy_ctx *ctx, const poyi_pulse *pulse)
{
    char key[64];
    poyi_pulse_key(pulse, "through", key);
    if (pulse->o.n_passages < 0 || (pulse->o.n_passages > 0 && !pulse->o.passages))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %d passages at %s", key, pulse->o.n_passages,
                         pulse->o.passages ? "an address" : "NULL");
    for (int i = 0; i < pulse->o.n_passages; i++)
        POYI_TRY(ctx, check_passage(ctx, key, &pulse->o.passages[i]));
    return POY_OK;
}

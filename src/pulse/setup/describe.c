/* describe.c: the numbers by which a problem and a pulse are known: dispersion, lengths, soliton order, zero-dispersion
 * wavelengths, dispersive waves. */
#include <string.h>

#include "pulse/setup/medium.h"
#include "pulse/spectral.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)

poy_status poyi_problem_beta(poy_ctx *ctx, const poy_problem *p, double z, double omega, int order, double *out)
{
    if (p->medium)
        return poy_guide_beta(ctx, p->medium->guide, p->medium->mode, z, omega, order, out);
    out[0] = poyi_fibre_phase(p->fibre, omega);
    for (int k = 1; k <= order; k++)
        out[k] = poyi_fibre_beta(p->fibre, k, omega);
    return POY_OK;
}

/* ---- zeros in a fibre ---- */

typedef struct curve {
    const poyi_fibre *fibre;
    double omega0, phase, slope; /* of the pulse */
} curve;

static double beta_2(void *user, double omega)
{
    return poyi_fibre_beta(((const curve *)user)->fibre, 2, omega);
}

/* (beta - beta_0 - beta_1 Omega)/Omega^2 about the pulse, which keeps its sign where beta_2 does; near the pulse, where
 * the difference cancels, its limit. */
static double mismatch(void *user, double omega)
{
    const curve *c = user;
    const double x = omega - c->omega0;
    if (fabs(x) < 1e-4 * c->omega0)
        return 0.5 * poyi_fibre_beta(c->fibre, 2, c->omega0) + x / 6.0 * poyi_fibre_beta(c->fibre, 3, c->omega0);
    return (poyi_fibre_phase(c->fibre, omega) - c->phase - c->slope * x) / (x * x);
}

/* All zeros in [low, high] that change the sign, by bracketing on a fine grid, as rising wavelengths. */
static poy_status find_zeros(poy_ctx *ctx, double (*f)(void *, double), curve *c, double low, double high, double *out,
                             int *n)
{
    enum { CELLS = 4096 };
    const double width = (high - low) / CELLS;
    *n = 0;
    for (int i = CELLS; i-- > 0 && *n < POY_WAVES_MAX;) { /* rising wavelength */
        const double left = low + i * width, right = i + 1 < CELLS ? low + (i + 1) * width : high;
        const double at_left = f(c, left), at_right = f(c, right);
        double zero = right;
        if (at_right == 0.0 && at_left == 0.0)
            continue; /* no dispersion */
        if (at_right != 0.0) {
            if (at_left == 0.0 || (at_left < 0.0) == (at_right < 0.0))
                continue; /* a zero at left is the right end of the next cell */
            POYI_TRY(ctx, poyi_root_brent(ctx, f, c, left, right, 0.0, &zero));
        }
        out[(*n)++] = TWO_PI_C / zero;
    }
    return POY_OK;
}

static poy_status describe_fibre(poy_ctx *ctx, const poy_problem *p, const poyi_pulse *pulse, poy_problem_numbers *n)
{
    const poyi_fibre *f = p->fibre;
    curve c = {.fibre = f,
               .omega0 = pulse->omega,
               .phase = poyi_fibre_phase(f, pulse->omega),
               .slope = poyi_fibre_beta(f, 1, pulse->omega)};
    double low = 0.0, high = 0.0;
    poyi_grid_band(p->grid, &low, &high);
    for (int k = 2; k < POY_BETAS; k++)
        n->beta[k] = poyi_fibre_beta(f, k, pulse->omega);
    n->attenuation = f->attenuation;
    n->gamma = p->kerr || p->raman ? f->gamma * (f->shock ? pulse->omega / f->omega0 : 1.0) : 0.0;
    POYI_TRY(ctx, find_zeros(ctx, beta_2, &c, low, high, n->zdw, &n->n_zdw));
    POYI_TRY(ctx, find_zeros(ctx, mismatch, &c, low, high, n->waves, &n->n_waves));
    return POY_OK;
}

/* ---- guides ---- */

/* n2 of the gas and what follows from it. */
static poy_status describe_kerr(poy_ctx *ctx, const poy_problem *p, double omega, poy_problem_numbers *n)
{
    const poyi_medium *m = p->medium;
    const double lambda = TWO_PI_C / omega;
    poy_gas_part parts[POY_GUIDE_GASES_MAX];
    poy_guide_place place;
    double index[1] = {0.0};
    poy_guide_at(m->guide, n->z, &place);
    for (int i = 0; i < place.n_gases; i++)
        parts[i] = (poy_gas_part){poy_guide_gas(m->guide, i), place.density[i]};
    POYI_TRY(ctx, poy_guide_effective_area(ctx, m->guide, m->mode, n->z, omega, &n->effective_area));
    if (!p->kerr)
        return POY_OK;
    if (m->n2 > 0.0) { /* of glass, where beams of the critical power have no meaning */
        n->n2 = m->n2;
        n->gamma = n->n2 * omega / (POYI_C * n->effective_area);
        return POY_OK;
    }
    POYI_TRY(ctx, poy_gas_n2(ctx, place.n_gases, parts, omega, &n->n2));
    POYI_TRY(ctx, poy_gas_index(ctx, place.n_gases, parts, omega, 0, index));
    n->gamma = n->n2 * omega / (POYI_C * n->effective_area);
    if (n->n2 > 0.0) /* G. Fibich, A. L. Gaeta, Opt. Lett. 25, 335 (2000) */
        n->P_critical = 1.86225 * lambda * lambda / (4.0 * POYI_PI * (1.0 + index[0]) * n->n2);
    return POY_OK;
}

static int at_most(int n)
{
    return n < POY_WAVES_MAX ? n : POY_WAVES_MAX;
}

static poy_status describe_guide(poy_ctx *ctx, const poy_problem *p, const poyi_pulse *pulse, poy_problem_numbers *n)
{
    const poyi_medium *m = p->medium;
    const double omega = pulse->omega, lambda = TWO_PI_C / omega;
    double low = 0.0, high = 0.0;
    poyi_grid_band(p->grid, &low, &high);
    const double from = TWO_PI_C / high, to = TWO_PI_C / low;
    POYI_TRY(ctx, poy_guide_beta(ctx, m->guide, m->mode, n->z, omega, POY_BETAS - 1, n->beta));
    POYI_TRY(ctx, poy_guide_attenuation(ctx, m->guide, m->mode, n->z, omega, &n->attenuation));
    POYI_TRY(ctx, describe_kerr(ctx, p, omega, n));
    POYI_TRY(ctx, poy_guide_zero_dispersion(ctx, m->guide, m->mode, n->z, from, to, POY_WAVES_MAX, n->zdw, &n->n_zdw));
    POYI_TRY(ctx, poy_guide_dispersive_waves(ctx, m->guide, m->mode, n->z, lambda, from, to, POY_WAVES_MAX, n->waves,
                                             &n->n_waves));
    n->n_zdw = at_most(n->n_zdw);
    n->n_waves = at_most(n->n_waves);
    return POY_OK;
}

/* ---- both ---- */

/* Shares of the power in all columns of the state, and in those of the mode that the frame follows. */
static poy_status find_shares(poy_ctx *ctx, const poy_problem *p, const poyi_pulse *pulse, double *all, double *first)
{
    double *weights = NULL;
    poy_status status;
    *all = *first = 1.0;
    if (!(pulse->o.waist > 0.0))
        return POY_OK;
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "launch.weights", (size_t)p->n_c * 2 * sizeof *weights, (void **)&weights));
    POYI_TO_DONE(ctx, poyi_launch_weights(ctx, p, pulse, weights));
    *all = *first = 0.0;
    for (int64_t c = 0; c < p->n_c; c++) {
        const double share = weights[2 * c] * weights[2 * c] + weights[2 * c + 1] * weights[2 * c + 1];
        *all += share;
        *first += p->medium->modes[c] == p->medium->mode ? share : 0.0;
    }
done:
    poyi_free((void **)&weights);
    return status;
}

static void find_lengths(const poyi_pulse *pulse, double share, poy_problem_numbers *n)
{
    const double beta2 = n->beta[2];
    if (beta2 != 0.0 && !isnan(pulse->t0))
        n->L_D = pulse->t0 * pulse->t0 / fabs(beta2);
    if (n->gamma != 0.0)
        n->L_NL = 1.0 / (fabs(n->gamma) * share * n->peak_power);
    if (n->gamma * beta2 < 0.0 && !isnan(n->L_D)) { /* bright solitons: self-focusing against anomalous dispersion */
        n->N_soliton = sqrt(n->L_D / n->L_NL);
        n->L_fiss = n->L_D / n->N_soliton;
        n->soliton_power = poyi_soliton_power(share * n->peak_power, n->N_soliton, n->L_fiss, n->attenuation);
    }
}

static poy_status find_soliton_waves(poy_ctx *ctx, const poy_problem *p, const poyi_pulse *pulse, double share,
                                     poy_problem_numbers *n)
{
    double low = 0.0, high = 0.0;
    if (!p->medium || !p->kerr || poy_guide_gas_count(p->medium->guide) == 0 || !(n->N_soliton >= 1.0))
        return POY_OK;
    poyi_grid_band(p->grid, &low, &high);
    POYI_TRY(ctx, poy_guide_soliton_waves(ctx, p->medium->guide, p->medium->mode, n->z, TWO_PI_C / pulse->omega,
                                          share * n->peak_power, pulse->t0, TWO_PI_C / high, TWO_PI_C / low,
                                          POY_WAVES_MAX, n->soliton_waves, &n->n_soliton_waves));
    n->n_soliton_waves = at_most(n->n_soliton_waves);
    return POY_OK;
}

poy_status poy_problem_describe(poy_ctx *ctx, const poy_problem *problem, const poy_pulse_options *options, double z,
                                poy_problem_numbers *out)
{
    const poy_grid *grid = problem->grid;
    const double none = (double)NAN;
    poy_problem_numbers n = {.z = z,
                             .n2 = none,
                             .effective_area = none,
                             .L_D = none,
                             .L_NL = none,
                             .N_soliton = none,
                             .L_fiss = none,
                             .P_critical = none,
                             .coherence_time = none};
    poyi_pulse pulse;
    double *spectrum = NULL, share = 1.0;
    poy_status status;

    for (int k = 0; k < POY_BETAS; k++)
        n.beta[k] = none;
    POYI_TO_DONE(ctx, poyi_check_finite(ctx, "z", z, "m"));
    POYI_TO_DONE(ctx, poyi_pulse_check(ctx, grid, 0, options, &pulse));
    pulse.problem = problem;
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "launch.spectrum", (size_t)grid->info.n_w * 2 * sizeof *spectrum,
                                      (void **)&spectrum));
    POYI_TO_DONE(ctx, poyi_launch_add(ctx, grid, &pulse, spectrum, &n.peak_power));
    n.energy = poyi_spectrum_energy(&grid->info, spectrum);
    POYI_TO_DONE(ctx, (problem->medium ? describe_guide : describe_fibre)(ctx, problem, &pulse, &n));
    POYI_TO_DONE(ctx, find_shares(ctx, problem, &pulse, &n.coupled, &share));
    POYI_TO_DONE(ctx, poyi_launch_passed(ctx, &pulse, &n.passed));
    n.coherence_time = poyi_cw_coherence(&pulse.o);
    find_lengths(&pulse, share, &n);
    POYI_TO_DONE(ctx, find_soliton_waves(ctx, problem, &pulse, share, &n));
    *out = n;
done:
    poyi_free((void **)&spectrum);
    return status;
}

/* couple.c: how much of a pulse goes into each column of the state: into a mode with its polarisation, or as a Gaussian
 * beam into all modes that it overlaps with. */
#include <stdio.h>
#include <string.h>

#include "pulse/setup/medium.h"

/* Half axes of the field: share of the amplitude along direction, and pi/2 beyond it towards x. */
typedef struct ellipse {
    double direction, major, minor; /* minor: times -i */
} ellipse;

static poy_status check_polarisation(poy_ctx *ctx, const poyi_pulse *pulse, ellipse *out)
{
    const double e = pulse->o.ellipticity, norm = sqrt(1.0 + e * e);
    char key[64];
    if (!(e >= -1.0 && e <= 1.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.polarisation: an ellipticity of %g is outside -1 to 1",
                         pulse->index, e);
    POYI_TRY(ctx, poyi_check_finite(ctx, poyi_pulse_key(pulse, "polarisation", key), pulse->o.direction, "rad"));
    *out = (ellipse){pulse->o.direction, 1.0 / norm, e / norm};
    return POY_OK;
}

/* ---- a mode ---- */

/* Half periods of the field's direction: a mode at the angle a is cos(n (a - b)) of it at b and the rest of it at
 * b + pi/(2 n); 0: a mode that has no other polarisation. */
static int turns_of(poy_mode mode)
{
    return mode.family == POY_MODE_HE || mode.family == POY_MODE_EH ? mode.n : mode.family == POY_MODE_OTHER;
}

static poy_status into_mode(poy_ctx *ctx, const poyi_medium *m, const poyi_pulse *pulse, const ellipse *e,
                            double *weights)
{
    const int number = pulse->o.mode < 0 ? m->modes[0] : pulse->o.mode, count = poy_guide_mode_count(m->guide);
    double sum = 0.0;
    if (number >= count)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.mode: number %d: the guide has modes 0 to %d", pulse->index,
                         number, count - 1);
    const char *name = poy_guide_mode_name(m->guide, number);
    const int n = turns_of(poyi_guide_mode(m->guide, number));
    if (n == 0 && pulse->o.ellipticity != 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.polarisation: mode %s has but one: leave it out",
                         pulse->index, name);
    for (int64_t c = 0; c < m->n_columns; c++) {
        const double angle = n * (e->direction - m->angles[c]);
        weights[2 * c] = m->modes[c] == number ? e->major * cos(angle) : 0.0;
        weights[2 * c + 1] = m->modes[c] == number ? e->minor * sin(angle) : 0.0;
        sum += weights[2 * c] * weights[2 * c] + weights[2 * c + 1] * weights[2 * c + 1];
    }
    if (fabs(sum - 1.0) > 1e-9)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.%s: %.3g of the pulse in mode %s has no column in the state: add one of this mode%s",
                         pulse->index, sum > 0.0 ? "polarisation" : "mode", 1.0 - sum, name,
                         sum > 0.0 ? " and the other direction" : "");
    return POY_OK;
}

/* ---- a beam ---- */

static poy_beam beam_of(const poyi_pulse *pulse)
{
    const poy_pulse_options *o = &pulse->o;
    poy_beam beam;
    poy_beam_init(&beam);
    beam.waist = o->waist;
    beam.x = o->beam_x;
    beam.y = o->beam_y;
    beam.distance = o->beam_distance;
    beam.iris = o->iris;
    beam.aperture = o->aperture;
    beam.aperture_edge = o->aperture_edge;
    return beam;
}

/* What a beam is refused for, with the key of what it names: "iris: ..." is of pulse.N.beam.iris. */
static poy_status beam_refused(poy_ctx *ctx, const poyi_pulse *pulse, poy_status status)
{
    static const char *const members[] = {"waist", "iris", "aperture", "aperture_edge", "distance"};
    char cause[256];
    snprintf(cause, sizeof cause, "%s", poy_ctx_cause(ctx));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const size_t n = strlen(members[i]);
        if (!strncmp(cause, members[i], n) && !strncmp(cause + n, ": ", 2))
            return POYI_FAIL(ctx, status, "pulse.%d.beam.%s", pulse->index, cause);
    }
    return POYI_FAIL(ctx, status, "pulse.%d.beam.waist: %s", pulse->index, cause);
}

/* The amplitude of a column, of the component of the beam along angle; failures name the pulse. */
static poy_status overlap(poy_ctx *ctx, const poyi_medium *m, const poyi_pulse *pulse, int64_t column, double angle,
                          double out[2])
{
    poy_beam beam = beam_of(pulse);
    beam.polarisation = angle;
    const poy_status status =
        poy_guide_couple_beam(ctx, m->guide, m->modes[column], 0.0, pulse->omega, m->angles[column], &beam, out);
    return status == POY_OK ? POY_OK : beam_refused(ctx, pulse, status);
}

/* Each component by itself, at the carrier of the pulse. */
static poy_status into_all(poy_ctx *ctx, const poyi_medium *m, const poyi_pulse *pulse, const ellipse *e,
                           double *weights)
{
    const poy_pulse_options *o = &pulse->o;
    double sum = 0.0;
    if (o->mode >= 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.mode: number %d beside pulse.%d.beam.waist: a beam goes into all modes: keep one",
                         pulse->index, o->mode, pulse->index);
    for (int64_t c = 0; c < m->n_columns; c++) {
        double major[2] = {0.0, 0.0}, minor[2] = {0.0, 0.0};
        POYI_TRY(ctx, overlap(ctx, m, pulse, c, e->direction, major));
        if (e->minor != 0.0)
            POYI_TRY(ctx, overlap(ctx, m, pulse, c, e->direction + 0.5 * POYI_PI, minor));
        weights[2 * c] = e->major * major[0] + e->minor * minor[1]; /* minor: times -i */
        weights[2 * c + 1] = e->major * major[1] - e->minor * minor[0];
        sum += weights[2 * c] * weights[2 * c] + weights[2 * c + 1] * weights[2 * c + 1];
    }
    poyi_log(ctx, POY_LOG_INFO, "pulse.%d.beam.waist: %.4g of the beam goes into the guide's modes", pulse->index, sum);
    return POY_OK;
}

/* What belongs to a beam has no meaning without one. */
static poy_status check_rest(poy_ctx *ctx, const poyi_pulse *pulse)
{
    const poy_pulse_options *o = &pulse->o;
    const double values[] = {o->beam_distance, o->iris, o->aperture, o->aperture_edge};
    static const char *const names[] = {"distance", "iris", "aperture", "aperture_edge"};
    for (int i = 0; i < 4 && !(o->waist > 0.0); i++)
        if (values[i] != 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "pulse.%d.beam.%s: %g without a beam: give pulse.%d.beam.waist, or leave it out",
                             pulse->index, names[i], values[i], pulse->index);
    return POY_OK;
}

poy_status poyi_launch_passed(poy_ctx *ctx, const poyi_pulse *pulse, double *share)
{
    const poy_beam beam = beam_of(pulse);
    *share = 1.0;
    if (!(pulse->o.waist > 0.0))
        return POY_OK;
    const poy_status status = poy_beam_passed(ctx, &beam, pulse->omega, share);
    return status == POY_OK ? POY_OK : beam_refused(ctx, pulse, status);
}

poy_status poyi_launch_weights(poy_ctx *ctx, const poy_problem *problem, const poyi_pulse *pulse, double *weights)
{
    const poyi_medium *m = problem->medium;
    const poy_pulse_options *o = &pulse->o;
    ellipse e = {0.0, 1.0, 0.0};
    char key[64];

    POYI_TRY(ctx, check_polarisation(ctx, pulse, &e));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, poyi_pulse_key(pulse, "beam.waist", key), o->waist, "m"));
    POYI_TRY(ctx, check_rest(ctx, pulse));
    if (!m && (o->mode > 0 || o->ellipticity != 0.0 || o->direction != 0.0 || o->waist > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.mode: a fibre has one mode and one polarisation: leave mode, polarisation and waist "
                         "out",
                         pulse->index);
    weights[0] = 1.0;
    weights[1] = 0.0;
    if (!m)
        return POY_OK;
    if (o->waist > 0.0)
        return into_all(ctx, m, pulse, &e, weights);
    return into_mode(ctx, m, pulse, &e, weights);
}

/* linear_sample.c: the linear operator of all columns and bins at one place, and what has to be held where. */
#include <string.h>

#include "core/core.h"
#include "pulse/guide/linear.h"

static const double least_index = 1e-3, most_loss = 3000.0, most_cotangent = 50.0;

poy_status poyi_job_create(poy_ctx *ctx, const poy_guide *guide, const poyi_linear_options *o, poyi_job *out)
{
    size_t n = 0, bytes = 0;
    *out = (poyi_job){.ctx = ctx, .guide = guide, .o = *o};
    if (o->n_w < 1 || o->n_c < 1 || !o->omega || !o->modes)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "linear operator: %lld bins, %d columns: at least 1 of each",
                         (long long)o->n_w, o->n_c);
    POYI_TRY(ctx, poyi_check_positive(ctx, "geometry.length", o->length, "m"));
    for (int c = 0; c < o->n_c; c++)
        POYI_TRY(ctx, poyi_guide_check_mode(ctx, guide, o->modes[c]));
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)o->n_w, (size_t)o->n_c, &n));
    POYI_TRY(ctx, poyi_mul_size(ctx, n, sizeof *out->scale + 1, &bytes));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "pulse.linear", bytes, (void **)&out->scale));
    out->flags = (unsigned char *)(out->scale + n);
    out->n = (int64_t)n;
    for (int64_t i = 0; i < out->n; i++) {
        const int64_t bin = i % o->n_w;
        if (o->mask ? !o->mask[bin] : !(o->omega[bin] > 0.0))
            out->flags[i] = POYI_MASKED;
    }
    return POY_OK;
}

void poyi_job_fini(poyi_job *job)
{
    poyi_free((void **)&job->scale);
}

/* beta_0 and beta_1 of omega (Re n - 1)/c in the reference mode. */
static poy_status frame_at(const poyi_job *job, const poy_guide_place *place, double frame[2])
{
    poyi_cjet excess;
    POYI_TRY(job->ctx, poyi_guide_index(job->ctx, job->guide, job->o.reference, place, job->o.omega0, 1, &excess));
    poyi_excess_beta(&excess, job->o.omega0, frame);
    return POY_OK;
}

static double frame_of(const poyi_job *job, const double frame[2], double omega)
{
    return job->o.frame == POYI_FRAME_GROUP ? frame[1] * omega : frame[0] + frame[1] * (omega - job->o.omega0);
}

poy_status poyi_job_survey(poyi_job *job, const poy_guide_place *place)
{
    poy_ctx *ctx = job->ctx;
    double frame[2];
    POYI_TRY(ctx, frame_at(job, place, frame));
    for (int64_t i = 0; i < job->n; i++) {
        poyi_cjet index;
        double cotangent = 0.0;
        const double omega = job->o.omega[i % job->o.n_w];
        if (job->flags[i] & POYI_MASKED)
            continue;
        POYI_TRY(ctx, poyi_guide_index(ctx, job->guide, job->o.modes[i / job->o.n_w], place, omega, 0, &index));
        if (job->guide->kind->resonance)
            POYI_TRY(ctx, job->guide->kind->resonance(ctx, job->guide, place, omega, &cotangent));
        const double excess = creal(index.c[0]), alpha = 2.0 * omega / POYI_C * cimag(index.c[0]);
        int flags = 0;
        flags |= !(1.0 + excess >= least_index) ? POYI_CUT : 0;
        flags |= !(alpha <= most_loss) ? POYI_DEAD : 0;
        flags |= alpha < 0.0 ? POYI_GAINS : 0;
        flags |= !(cotangent <= most_cotangent) ? POYI_RESONANT : 0;
        job->flags[i] = (unsigned char)(job->flags[i] | flags);
        job->scale[i] = fmax(job->scale[i], omega / POYI_C * fabs(excess) + fabs(frame_of(job, frame, omega)) + alpha);
    }
    return POY_OK;
}

static void hold(int flags, int hard, double *excess, double *alpha)
{
    if (hard) {
        *excess = fmax(*excess, least_index - 1.0);
        *alpha = fmin(fmax(*alpha, 0.0), most_loss);
    } else if (flags & POYI_CUT) {
        *excess = least_index - 1.0;
        *alpha = most_loss;
    } else if (flags & POYI_GAINS) {
        *alpha = 0.0;
    } else if (flags & POYI_DEAD) {
        *alpha = poyi_soft_loss(*alpha);
    }
}

poy_status poyi_job_sample(poyi_job *job, const poy_guide_place *place, int hard, double factor, double *phase,
                           double *reciprocal)
{
    poy_ctx *ctx = job->ctx;
    double frame[2];
    POYI_TRY(ctx, frame_at(job, place, frame));
    for (int64_t i = 0; i < job->n; i++) {
        poyi_cjet index;
        double excess = 0.0, alpha = 0.0, lag = 0.0;
        const double omega = job->o.omega[i % job->o.n_w];
        const int masked = job->flags[i] & POYI_MASKED;
        if (!masked) {
            POYI_TRY(ctx, poyi_guide_index(ctx, job->guide, job->o.modes[i / job->o.n_w], place, omega, 0, &index));
            excess = creal(index.c[0]);
            alpha = 2.0 * omega / POYI_C * cimag(index.c[0]);
            hold(job->flags[i], hard, &excess, &alpha);
            lag = omega / POYI_C * excess - frame_of(job, frame, omega);
        }
        if (phase) {
            phase[2 * i] = -0.5 * alpha * factor;
            phase[2 * i + 1] = -lag * factor;
        }
        if (reciprocal)
            reciprocal[i] = masked ? 0.0 : 1.0 / (1.0 + excess);
    }
    return POY_OK;
}

/* Ten roundings of what L is the difference of, or 1e-13 rad over the whole length; a bin whose loss is capped is dark
 * anyway. */
double poyi_job_tolerance(const poyi_job *job, int64_t element)
{
    if (job->flags[element] & POYI_DEAD)
        return 1e-6 * most_loss;
    return fmax(1e-13 / job->o.length, 2e-15 * job->scale[element]);
}

poy_guide_clamps poyi_job_clamps(const poyi_job *job)
{
    poy_guide_clamps out = {0};
    for (int64_t i = 0; i < job->n; i++) {
        out.index += (job->flags[i] & POYI_CUT) != 0;
        out.loss += (job->flags[i] & POYI_DEAD) != 0;
        out.gain += (job->flags[i] & POYI_GAINS) != 0;
        out.resonance += (job->flags[i] & POYI_RESONANT) != 0;
    }
    return out;
}

poy_status poyi_job_part(poyi_job *job, poyi_part *part, void *user, double *phase)
{
    poy_ctx *ctx = job->ctx;
    poyi_cjet excess;
    double frame[2];
    POYI_TRY(ctx, part(user, job->o.reference, job->o.omega0, 1, &excess));
    poyi_excess_beta(&excess, job->o.omega0, frame);
    for (int64_t i = 0; i < job->n; i++) {
        const double omega = job->o.omega[i % job->o.n_w];
        phase[2 * i] = phase[2 * i + 1] = 0.0;
        if (job->flags[i] & POYI_MASKED)
            continue;
        POYI_TRY(ctx, part(user, job->o.modes[i / job->o.n_w], omega, 0, &excess));
        phase[2 * i] = job->flags[i] & POYI_GAINS ? 0.0 : -omega / POYI_C * cimag(excess.c[0]);
        phase[2 * i + 1] = frame_of(job, frame, omega) - omega / POYI_C * creal(excess.c[0]);
    }
    return POY_OK;
}

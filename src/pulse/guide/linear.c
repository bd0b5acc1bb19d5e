/* linear.c: the linear operator of a guide along z, and its value and weights at a position. */
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "core/warn.h"
#include "pulse/guide/linear.h"

/* Places that show what is held: along the one variable, or on every span. */
static poy_status survey(poyi_job *job)
{
    enum { FAMILY = 7, SPAN = 5 };
    poy_ctx *ctx = job->ctx;
    poyi_basis basis;
    poyi_span spans[POYI_SPANS_MAX];
    poy_guide_place place;
    int count = 0;
    if (!poy_guide_varies(job->guide)) {
        poy_guide_at(job->guide, 0.0, &place);
        return poyi_job_survey(job, &place);
    }
    if (poyi_family_of(job->guide, &basis)) {
        for (int i = 0; i < FAMILY; i++) {
            poyi_basis_place(&basis, job->guide, basis.low + (basis.high - basis.low) * i / (FAMILY - 1), &place);
            POYI_TRY(ctx, poyi_job_survey(job, &place));
        }
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_spans_create(ctx, job->guide, job->o.length, spans, &count));
    for (int s = 0; s < count; s++)
        for (int i = 0; i < SPAN; i++) {
            double slope = 0.0;
            poyi_span_place(&spans[s], job->guide, 2.0 * i / (SPAN - 1) - 1.0, &place, &slope);
            POYI_TRY(ctx, poyi_job_survey(job, &place));
        }
    return POY_OK;
}

/* Says once, when a run is set up, what is held in it. */
static void tell(poy_ctx *ctx, const poy_guide_clamps *c)
{
    if (c->gain)
        poyi_warn(ctx, "guide: the model gains in %lld bins: their loss is held at 0", (long long)c->gain);
    if (c->loss)
        poyi_warn(ctx, "guide: the loss of %lld bins passes 3000/m and is held there", (long long)c->loss);
    if (c->index)
        poyi_warn(ctx, "guide: %lld bins are cut off: their index is held at 1e-3", (long long)c->index);
    if (c->resonance)
        poyi_warn(
            ctx,
            "guide: %lld bins lie on resonances of the wall, where the expansion has no meaning: leave them out of "
            "the band",
            (long long)c->resonance);
}

static poy_status make(poyi_job *job, poyi_linear *out)
{
    poy_ctx *ctx = job->ctx;
    int made = 0, phase = 1;
    POYI_TRY(ctx, survey(job));
    out->clamps = poyi_job_clamps(job);
    tell(ctx, &out->clamps);
    if (!poy_guide_varies(job->guide))
        return poyi_make_constant(job, out);
    if (job->guide->kind->planes) {
        POYI_TRY(ctx, poyi_make_planes(job, out));
        phase = 0;
    } else if (job->guide->kind->parts && job->guide->kind->separable(job->guide) && !out->clamps.index &&
               !out->clamps.loss) {
        POYI_TRY(ctx, poyi_make_parts(job, out));
        phase = 0;
    }
    POYI_TRY(ctx, poyi_make_family(job, phase, 1, out, &made));
    if (!made)
        POYI_TRY(ctx, poyi_make_table(job, phase, 1, out));
    return POY_OK;
}

poy_status poyi_linear_create(poy_ctx *ctx, poy_guide *guide, const poyi_linear_options *o, poyi_linear **out)
{
    poy_status status;
    poyi_job job = {0};
    poyi_linear *l = calloc(1, sizeof *l);

    if (!l)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a linear operator");
    l->guide = poy_guide_retain(guide);
    l->length = o->length;
    POYI_TO_DONE(ctx, poyi_job_create(ctx, guide, o, &job));
    POYI_TO_DONE(ctx, make(&job, l));
    if (l->phase.form == POYI_ALONG_TERMS)
        POYI_TO_DONE(ctx, poyi_integrals_create(ctx, guide, &l->phase_basis, o->length, &l->integrals));
    *out = l;
    l = NULL;
done:
    poyi_job_fini(&job);
    poyi_linear_destroy(&l);
    return status;
}

void poyi_linear_destroy(poyi_linear **linear)
{
    poyi_linear *l = *linear;
    *linear = NULL;
    if (!l)
        return;
    poyi_integrals_fini(&l->integrals);
    poyi_free((void **)&l->phase.values);
    poyi_free((void **)&l->reciprocal.values);
    poyi_free((void **)&l->spans);
    poy_guide_destroy(&l->guide);
    free(l);
}

const poyi_expansion *poyi_linear_phase(const poyi_linear *linear)
{
    return &linear->phase;
}

const poyi_expansion *poyi_linear_reciprocal(const poyi_linear *linear)
{
    return &linear->reciprocal;
}

poy_guide_clamps poyi_linear_clamps(const poyi_linear *linear)
{
    return linear->clamps;
}

/* Weights [n_term] at z of a form with terms: Phi(z) = sum weight_t term_t. */
static void linear_phase_weights(const poyi_linear *linear, double z, double *weights)
{
    poyi_integrals_at(&linear->integrals, linear->guide, z, weights);
}

/* The same of the reciprocal index. */
static void linear_reciprocal_weights(const poyi_linear *linear, double z, double *weights)
{
    poy_guide_place place;
    poy_guide_at(linear->guide, z, &place);
    poyi_basis_at(&linear->reciprocal_basis, linear->guide, &place, weights);
}

/* The section and the place in it, -1 ... 1, of z in a table; sections are closed on the left, the last on both sides. */
static void linear_position(const poyi_linear *linear, double z, int *section, double *x)
{
    const int count = linear->phase.n_section > 0 ? linear->phase.n_section : linear->reciprocal.n_section;
    *section = poyi_span_find(linear->spans, count, z);
    *x = poyi_span_t(&linear->spans[*section], linear->guide, z);
}

static void add_terms(const poyi_expansion *e, const double *weights, double *out)
{
    for (int64_t i = 0; i < e->n; i++)
        out[i] = weights[0] * e->values[i];
    for (int t = 1; t < e->n_term; t++)
        for (int64_t i = 0; i < e->n; i++)
            out[i] += weights[t] * e->values[t * e->n + i];
}

static void value_at(const poyi_linear *l, const poyi_expansion *e, double z, const double *weights, double *out)
{
    int section = 0;
    double x = 0.0;
    if (e->form == POYI_ALONG_TERMS) {
        add_terms(e, weights, out);
        return;
    }
    linear_position(l, z, &section, &x);
    poyi_clenshaw(e->n_term, e->n, e->values + (int64_t)section * e->n_term * e->n, x, out);
}

enum { TERMS_MAX = 4096 };

void poyi_linear_phase_at(const poyi_linear *linear, double z, double *out)
{
    double weights[TERMS_MAX];
    if (linear->phase.form == POYI_ALONG_TERMS)
        linear_phase_weights(linear, z, weights);
    value_at(linear, &linear->phase, z, weights, out);
}

void poyi_linear_reciprocal_at(const poyi_linear *linear, double z, double *out)
{
    double weights[TERMS_MAX];
    if (linear->reciprocal.form == POYI_ALONG_TERMS)
        linear_reciprocal_weights(linear, z, weights);
    value_at(linear, &linear->reciprocal, z, weights, out);
}

/* linear_make.c: the ways to write the linear operator along z: one term, a sum of parts, planes of a table, Chebyshev
 * polynomials of the one thing that changes, or a table in z. */
#include <string.h>

#include "core/core.h"
#include "pulse/guide/linear.h"

enum { NODES_MAX = 65 };
static const int nodes_of[] = {5, 9, 17, 33, NODES_MAX};
enum { TRIES = sizeof nodes_of / sizeof *nodes_of, TABLE_TRIES = 4 };

static poy_status room_for(poy_ctx *ctx, size_t rows, int64_t n, double **out)
{
    size_t bytes = 0;
    POYI_TRY(ctx, poyi_mul_size(ctx, rows, (size_t)n, &bytes));
    POYI_TRY(ctx, poyi_mul_size(ctx, bytes, sizeof **out, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "pulse.linear", bytes, (void **)out));
    return POY_OK;
}

static poy_status new_terms(poy_ctx *ctx, int terms, int64_t n, poyi_expansion *out)
{
    *out = (poyi_expansion){.form = POYI_ALONG_TERMS, .n = n, .n_term = terms};
    POYI_TRY(ctx, room_for(ctx, (size_t)terms, n, &out->values));
    return POY_OK;
}

/* ---- one term, parts, planes ---- */

poy_status poyi_make_constant(poyi_job *job, poyi_linear *out)
{
    poy_ctx *ctx = job->ctx;
    poy_guide_place place;
    poy_guide_at(job->guide, 0.0, &place);
    POYI_TRY(ctx, new_terms(ctx, 1, 2 * job->n, &out->phase));
    POYI_TRY(ctx, new_terms(ctx, 1, job->n, &out->reciprocal));
    POYI_TRY(ctx, poyi_job_sample(job, &place, 1, 1.0, out->phase.values, out->reciprocal.values));
    out->phase_basis = out->reciprocal_basis = (poyi_basis){.kind = POYI_BASIS_ONE, .n = 1};
    return POY_OK;
}

typedef struct part_of {
    poyi_job *job;
    const poy_guide_place *place; /* what does not change */
    int part, radius_varies, pressure_varies;
} part_of;

/* The excess index that goes with a part, what does not change being added to the part 1. */
static poy_status excess_part(void *user, int mode, double omega, int order, poyi_cjet *out)
{
    const part_of *p = user;
    const poy_guide *guide = p->job->guide;
    const double a = p->place->core_radius;
    poyi_cjet parts[POY_GUIDE_GASES_MAX + 3];
    POYI_TRY(p->job->ctx, guide->kind->parts(p->job->ctx, guide, mode, omega, order, parts));
    *out = parts[p->part];
    if (p->part == 0 && !p->radius_varies) {
        *out = poyi_cjet_add_scaled(*out, 1.0 / (a * a), parts[1]);
        *out = poyi_cjet_add_scaled(*out, 1.0 / (a * a * a), parts[2]);
    }
    for (int i = 0; p->part == 0 && !p->pressure_varies && i < guide->fill.n; i++)
        *out = poyi_cjet_add_scaled(*out, p->place->density[i], parts[3 + i]);
    for (int k = 0; k <= order; k++)
        out->c[k] = CMPLX(creal(out->c[k]), guide->loss * cimag(out->c[k]));
    return POY_OK;
}

poy_status poyi_make_parts(poyi_job *job, poyi_linear *out)
{
    poy_ctx *ctx = job->ctx;
    const poy_guide *guide = job->guide;
    poy_guide_place place;
    poy_guide_at(guide, 0.0, &place);
    part_of p = {.job = job, .place = &place};
    poyi_basis basis = {.kind = POYI_BASIS_PARTS, .n = 1};
    p.radius_varies = poyi_along_varies(&guide->radius);
    p.pressure_varies = guide->fill.n > 0 && poyi_along_varies(&guide->fill.pressure);
    for (int k = 1; p.radius_varies && k <= 2; k++)
        basis.part[basis.n++] = k;
    for (int i = 0; p.pressure_varies && i < guide->fill.n; i++)
        basis.part[basis.n++] = 3 + i;
    POYI_TRY(ctx, new_terms(ctx, basis.n, 2 * job->n, &out->phase));
    for (int k = 0; k < basis.n; k++) {
        p.part = basis.part[k];
        POYI_TRY(ctx, poyi_job_part(job, excess_part, &p, out->phase.values + 2 * job->n * k));
    }
    out->phase_basis = basis;
    return POY_OK;
}

poy_status poyi_make_planes(poyi_job *job, poyi_linear *out)
{
    poy_ctx *ctx = job->ctx;
    const double *z = NULL;
    const int n = job->guide->kind->planes(job->guide, &z);
    POYI_TRY(ctx, new_terms(ctx, n, 2 * job->n, &out->phase));
    for (int i = 0; i < n; i++) {
        poy_guide_place place;
        poy_guide_at(job->guide, z[i], &place);
        POYI_TRY(ctx, poyi_job_sample(job, &place, 1, 1.0, out->phase.values + 2 * job->n * i, NULL));
    }
    out->phase_basis = (poyi_basis){.kind = POYI_BASIS_PLANES, .n = n};
    return POY_OK;
}

/* ---- series ---- */

/* Samples of the phase and of the reciprocal index at Chebyshev points, and the series through them. */
typedef struct samples {
    int n;
    double *phase, *reciprocal; /* [n][2 elements], [n][elements]; NULL: not wanted */
} samples;

static void samples_fini(samples *s)
{
    poyi_free((void **)&s->phase);
    poyi_free((void **)&s->reciprocal);
}

static poy_status samples_room(poyi_job *job, int n, int phase, int reciprocal, samples *out)
{
    poy_ctx *ctx = job->ctx;
    out->n = n;
    if (phase)
        POYI_TRY(ctx, room_for(ctx, (size_t)n, 2 * job->n, &out->phase));
    if (reciprocal)
        POYI_TRY(ctx, room_for(ctx, (size_t)n, job->n, &out->reciprocal));
    return POY_OK;
}

static poy_status transform(poyi_job *job, samples *s)
{
    poy_ctx *ctx = job->ctx;
    const size_t n = (size_t)s->n;
    double *work = NULL;
    POYI_TRY(ctx, room_for(ctx, n + 1, s->n, &work));
    poyi_chebyshev_matrix(s->n, work);
    if (s->phase)
        poyi_chebyshev_transform(s->n, 2 * job->n, work, s->phase, work + n * n);
    if (s->reciprocal)
        poyi_chebyshev_transform(s->n, job->n, work, s->reciprocal, work + n * n);
    poyi_free((void **)&work);
    return POY_OK;
}

/* Terms that are needed: those after them are below the tolerance (times size) in every element. s->n: all, and
 * perhaps more. */
static int needed(const poyi_job *job, const samples *s, double size)
{
    for (int k = s->n - 1; k >= 1; k--)
        for (int64_t i = 0; i < job->n; i++) {
            const double *p = s->phase ? s->phase + 2 * (job->n * k + i) : NULL;
            const double off = p ? fmax(fabs(p[0]), fabs(p[1])) : 0.0;
            if (off > size * poyi_job_tolerance(job, i) ||
                (s->reciprocal && fabs(s->reciprocal[job->n * k + i]) > 4e-16 * fabs(s->reciprocal[i])))
                return k + 1;
        }
    return 1;
}

/* ---- families ---- */

int poyi_family_of(const poy_guide *guide, poyi_basis *out)
{
    const int pressure = guide->fill.n > 0 && poyi_along_varies(&guide->fill.pressure);
    const int radius = guide->has_radius && poyi_along_varies(&guide->radius);
    double least = 0.0, most = 0.0;
    *out = (poyi_basis){.kind = POYI_BASIS_FAMILY, .by_radius = radius};
    if (pressure + radius != 1 || guide->kind->planes)
        return 0;
    poyi_along_range(radius ? &guide->radius : &guide->fill.pressure, &least, &most);
    out->low = radius ? 1.0 / most : least;
    out->high = radius ? 1.0 / least : most;
    return 1;
}

static poy_status sample_family(poyi_job *job, const poyi_basis *basis, samples *s)
{
    poy_ctx *ctx = job->ctx;
    for (int i = 0; i < s->n; i++) {
        poy_guide_place place;
        const double t = poyi_chebyshev_point(i, s->n),
                     x = 0.5 * ((basis->high - basis->low) * t + basis->low + basis->high);
        poyi_basis_place(basis, job->guide, x, &place);
        POYI_TRY(ctx, poyi_job_sample(job, &place, 0, 1.0, s->phase ? s->phase + 2 * job->n * i : NULL,
                                      s->reciprocal ? s->reciprocal + job->n * i : NULL));
    }
    return transform(job, s);
}

static poy_status keep(poy_ctx *ctx, int terms, int64_t n, const double *from, poyi_expansion *out)
{
    POYI_TRY(ctx, new_terms(ctx, terms, n, out));
    memcpy(out->values, from, (size_t)terms * (size_t)n * sizeof *from);
    return POY_OK;
}

poy_status poyi_make_family(poyi_job *job, int phase, int reciprocal, poyi_linear *out, int *made)
{
    poy_ctx *ctx = job->ctx;
    poy_status status = POY_OK;
    poyi_basis basis;
    samples s = {0};
    *made = 0;
    if (!poyi_family_of(job->guide, &basis))
        return POY_OK;
    for (int i = 0; i < TRIES && !*made; i++) {
        POYI_TO_DONE(ctx, samples_room(job, nodes_of[i], phase, reciprocal, &s));
        POYI_TO_DONE(ctx, sample_family(job, &basis, &s));
        basis.n = needed(job, &s, 1.0);
        if (basis.n <= s.n - 2) { /* the last two are rounding: the series is resolved */
            if (phase)
                POYI_TO_DONE(ctx, keep(ctx, basis.n, 2 * job->n, s.phase, &out->phase));
            if (reciprocal)
                POYI_TO_DONE(ctx, keep(ctx, basis.n, job->n, s.reciprocal, &out->reciprocal));
            if (phase)
                out->phase_basis = basis;
            if (reciprocal)
                out->reciprocal_basis = basis;
            *made = 1;
        }
        samples_fini(&s);
    }
done:
    samples_fini(&s);
    return status;
}

/* ---- tables ---- */

static poy_status sample_span(poyi_job *job, const poyi_span *span, samples *s)
{
    poy_ctx *ctx = job->ctx;
    for (int i = 0; i < s->n; i++) {
        poy_guide_place place;
        double slope = 0.0;
        poyi_span_place(span, job->guide, poyi_chebyshev_point(i, s->n), &place, &slope);
        POYI_TRY(ctx, poyi_job_sample(job, &place, 0, slope, s->phase ? s->phase + 2 * job->n * i : NULL,
                                      s->reciprocal ? s->reciprocal + job->n * i : NULL));
    }
    return transform(job, s);
}

/* How many nodes a span needs; 0: more than there are. */
static poy_status resolve(poyi_job *job, const poyi_span *span, int phase, int reciprocal, int *nodes)
{
    poy_ctx *ctx = job->ctx;
    poy_status status = POY_OK;
    samples s = {0};
    *nodes = 0;
    for (int i = 0; i < TABLE_TRIES && *nodes == 0; i++) {
        POYI_TO_DONE(ctx, samples_room(job, nodes_of[i], phase, reciprocal, &s));
        POYI_TO_DONE(ctx, sample_span(job, span, &s));
        if (needed(job, &s, 0.5 * (span->z1 - span->z0)) <= s.n - 2)
            *nodes = s.n;
        samples_fini(&s);
    }
done:
    samples_fini(&s);
    return status;
}

/* Spans, halved until each is resolved; the most nodes that one needs. */
static poy_status resolve_all(poyi_job *job, int phase, int reciprocal, poyi_span *spans, int *count, int *nodes)
{
    poy_ctx *ctx = job->ctx;
    POYI_TRY(ctx, poyi_spans_create(ctx, job->guide, job->o.length, spans, count));
    *nodes = 0;
    for (int i = 0; i < *count;) {
        int some = 0;
        POYI_TRY(ctx, resolve(job, &spans[i], phase, reciprocal, &some));
        if (some > 0) {
            *nodes = some > *nodes ? some : *nodes;
            i++;
            continue;
        }
        if (*count == POYI_SPANS_MAX || spans[i].z1 - spans[i].z0 < 1e-9 * job->o.length)
            return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE,
                             "the linear operator changes too fast near z = %g m: smooth the profiles of the guide",
                             spans[i].z0);
        memmove(&spans[i + 1], &spans[i], (size_t)(*count - i) * sizeof *spans);
        poyi_span left, right;
        poyi_span_halve(&spans[i], &left, &right);
        spans[i] = left;
        spans[i + 1] = right;
        (*count)++;
    }
    return POY_OK;
}

/* Antiderivatives, which start where the section before ends: row 0 carries the value at the section's start. */
static void accumulate(const samples *s, int64_t n, double *before, double *column, double *out)
{
    const int terms = s->n + 1;
    for (int64_t i = 0; i < n; i++) {
        double end = 0.0;
        for (int k = 0; k < s->n; k++)
            column[k] = s->phase[k * n + i];
        poyi_chebyshev_integral(s->n, column, column + s->n);
        for (int k = 0; k < terms; k++) {
            out[k * n + i] = column[s->n + k] + (k ? 0.0 : before[i]);
            end += column[s->n + k];
        }
        before[i] += end;
    }
}

static poy_status fill_table(poyi_job *job, samples *s, const poyi_span *spans, int count, poyi_linear *out)
{
    poy_ctx *ctx = job->ctx;
    poy_status status = POY_OK;
    const int64_t n = 2 * job->n, terms = s->n + 1;
    double *before = NULL, column[2 * NODES_MAX + 1] = {0};
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "pulse.linear", (size_t)n * sizeof *before, (void **)&before));
    for (int i = 0; i < count; i++) {
        POYI_TO_DONE(ctx, sample_span(job, &spans[i], s));
        if (s->phase)
            accumulate(s, n, before, column, out->phase.values + i * terms * n);
        if (s->reciprocal)
            memcpy(out->reciprocal.values + (int64_t)i * s->n * job->n, s->reciprocal,
                   (size_t)s->n * (size_t)job->n * sizeof *s->reciprocal);
    }
done:
    poyi_free((void **)&before);
    return status;
}

static poy_status new_table(poy_ctx *ctx, int sections, int terms, int64_t n, poyi_expansion *out)
{
    *out = (poyi_expansion){.form = POYI_ALONG_TABLE, .n = n, .n_term = terms, .n_section = sections};
    POYI_TRY(ctx, room_for(ctx, (size_t)sections * (size_t)terms, n, &out->values));
    return POY_OK;
}

poy_status poyi_make_table(poyi_job *job, int phase, int reciprocal, poyi_linear *out)
{
    poy_ctx *ctx = job->ctx;
    poy_status status = POY_OK;
    samples s = {0};
    int count = 0, nodes = 0;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "pulse.linear", POYI_SPANS_MAX * sizeof *out->spans, (void **)&out->spans));
    POYI_TRY(ctx, resolve_all(job, phase, reciprocal, out->spans, &count, &nodes));
    if (phase)
        POYI_TRY(ctx, new_table(ctx, count, nodes + 1, 2 * job->n, &out->phase));
    if (reciprocal)
        POYI_TRY(ctx, new_table(ctx, count, nodes, job->n, &out->reciprocal));
    POYI_TO_DONE(ctx, samples_room(job, nodes, phase, reciprocal, &s));
    POYI_TO_DONE(ctx, fill_table(job, &s, out->spans, count, out));
done:
    samples_fini(&s);
    return status;
}

/* modal.c: matrices between the amplitudes of modes and the field at fixed points of the cross-section. */
#include <string.h>

#include "pulse/guide/kind.h"
#include "pulse/guide/rule.h"

/* ---- what the columns need ---- */

/* Does the field point along one direction everywhere (angle from y towards x)? */
static int one_direction(const poy_guide *guide, const poyi_profile *f, double *angle)
{
    *angle = f->mode.family == POY_MODE_EX ? 0.5 * POYI_PI : f->angle;
    if (f->mode.family == POY_MODE_EY || f->mode.family == POY_MODE_OTHER)
        *angle = 0.0;
    return f->mode.family >= POY_MODE_EX ||
           (guide->kind->round_hollow && f->mode.family == POY_MODE_HE && f->mode.n == 1);
}

typedef struct plan {
    int n_pol, n_r, n_theta;
    double direction[2];
    poyi_profile widest; /* of the column whose rule reaches furthest, with the highest harmonic of all */
} plan;

static plan plan_of(const poy_guide *guide, const poyi_modal_options *o, const poyi_profile *fields)
{
    plan p = {.n_pol = 1, .widest = fields[0]};
    int harmonic = 0, radial = 1;
    double first = 0.0, angle = 0.0;
    for (int i = 0; i < o->n_c; i++) {
        const poyi_profile *f = &fields[i];
        if (!one_direction(guide, f, &angle) || (i > 0 && fabs(sin(angle - first)) > 1e-12))
            p.n_pol = 2;
        first = i ? first : angle;
        harmonic = f->harmonic > harmonic ? f->harmonic : harmonic;
        const int m = f->half_x > 0.0 ? (f->mode.n > f->mode.m ? f->mode.n : f->mode.m) : (int)ceil(f->u / POYI_PI);
        radial = m > radial ? m : radial;
        p.widest = f->extent > p.widest.extent ? *f : p.widest;
    }
    p.widest.harmonic = harmonic;
    p.direction[0] = sin(first);
    p.direction[1] = cos(first);
    /* a table's profile is a spline, and a cladding's field a function of exp(t): no polynomials of low degree */
    const int more = fields[0].table ? 56 : fields[0].w > 0.0 ? 24 : 0;
    const int whole = fields[0].half_x > 0.0 ? 4 : 0; /* from wall to wall */
    p.n_r = o->n_r ? o->n_r : (o->finer ? o->finer : 1) * (4 * radial + 8) + more + whole;
    p.n_theta = o->n_theta ? o->n_theta : harmonic ? 4 * harmonic + 4 : 1;
    return p;
}

/* ---- checks ---- */

static poy_status check_columns(poy_ctx *ctx, const poy_guide *guide, const poyi_modal_options *o)
{
    if (o->n_c < 1 || o->n_c > 2 * POY_GUIDE_MODES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.modes: %d columns: 1 to %d", o->n_c, 2 * POY_GUIDE_MODES_MAX);
    for (int i = 0; i < o->n_c; i++) {
        POYI_TRY(ctx, poyi_guide_check_mode(ctx, guide, o->modes[i]));
        for (int j = 0; j < i; j++)
            if (o->modes[i] == o->modes[j] && (!o->angles || fabs(o->angles[i] - o->angles[j]) <= 1e-12))
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                 "geometry.modes: %s stands twice with one angle, in columns %d and %d: keep one",
                                 guide->modes[o->modes[i]].name, j + 1, i + 1);
    }
    return POY_OK;
}

static double overlap(const poyi_modal *m, int i, int j)
{
    const size_t rows = (size_t)m->n_pol * (size_t)m->n_nodes, n_c = (size_t)m->n_c;
    double sum = 0.0;
    for (size_t q = 0; q < rows; q++)
        sum += m->Q[(size_t)i * rows + q] * m->S[q * n_c + (size_t)j];
    return 0.5 / POYI_Z0 * sum;
}

/* Power that passes from one mode to another, (1/2) integral (e_i x h_j)_z, over the powers of both: what is orthogonal
 * in a fibre of glass, where the electric fields alone are so only as far as the indices of core and cladding are alike. */
static double power_between(const poyi_modal *m, const double *H, int i, int j)
{
    const size_t nodes = (size_t)m->n_nodes, rows = 2 * nodes, n_c = (size_t)m->n_c;
    const double *h = H + (size_t)j * rows;
    double sum = 0.0;
    for (size_t q = 0; q < nodes; q++) {
        const double *e = m->S + q * n_c + (size_t)i;
        sum += m->weight[q] * (e[0] * h[nodes + q] - e[nodes * n_c] * h[q]);
    }
    return sum;
}

/* Magnetic fields at the points, [n_c][x, y][n_nodes]; NULL where they follow from the electric ones. */
static poy_status magnetic_fields(poy_ctx *ctx, const poyi_modal *m, const poyi_profile *fields, double **H)
{
    const size_t nodes = (size_t)m->n_nodes;
    size_t bytes = 0;
    *H = NULL;
    if (!fields[0].magnetic || m->n_pol != 2)
        return POY_OK;
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)m->n_c * nodes, 2 * sizeof **H, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "pulse.modal", bytes, (void **)H));
    for (int i = 0; i < m->n_c; i++)
        for (size_t q = 0; q < nodes; q++) {
            double h[2];
            fields[i].magnetic(&fields[i], m->x[q], m->y[q], h);
            (*H)[2 * (size_t)i * nodes + q] = h[0];
            (*H)[(2 * (size_t)i + 1) * nodes + q] = h[1];
        }
    return POY_OK;
}

static double deviation(const poyi_modal *m, const double *H, int i, int j)
{
    if (i == j)
        return fabs(overlap(m, i, i) - 1.0);
    return H ? fabs(power_between(m, H, i, j)) / sqrt(power_between(m, H, i, i) * power_between(m, H, j, j))
             : fabs(overlap(m, i, j));
}

static poy_status check_orthonormal(poy_ctx *ctx, const poy_guide *guide, const poyi_modal_options *o,
                                    const poyi_profile *fields, poyi_modal *m)
{
    poyi_text pairs = {0};
    double *H = NULL;
    poy_status status = POY_OK;
    POYI_TRY(ctx, magnetic_fields(ctx, m, fields, &H));
    for (int i = 0; i < m->n_c; i++)
        for (int j = 0; j <= i; j++) {
            const double error = deviation(m, H, i, j);
            m->error = fmax(m->error, error);
            if (!(error < 1e-6) && pairs.length < 400)
                poyi_text_add(&pairs, "%s%s and %s (%.3g)", pairs.length ? ", " : "", guide->modes[o->modes[j]].name,
                              guide->modes[o->modes[i]].name, error);
        }
    if (pairs.failed)
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.modes: no memory for the names of modes");
    else if (pairs.length)
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                           "geometry.modes: not orthonormal on %d points: %s: leave one of each pair out, or use more "
                           "points",
                           m->n_nodes, pairs.text);
    poyi_text_fini(&pairs);
    poyi_free((void **)&H);
    return status;
}

/* ---- making ---- */

static poy_status room_for(poy_ctx *ctx, const poyi_rule *rule, poyi_modal *m)
{
    const size_t nodes = (size_t)rule->n, matrix = (size_t)m->n_pol * nodes * (size_t)m->n_c;
    size_t bytes = 0;
    POYI_TRY(ctx, poyi_mul_size(ctx, 3 * nodes + 3 * matrix, sizeof(double), &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "pulse.modal", bytes, (void **)&m->x));
    m->n_nodes = rule->n;
    m->y = m->x + nodes;
    m->weight = m->y + nodes;
    m->S = m->weight + nodes;
    m->Q = m->S + matrix;
    m->Q_coarse = m->Q + matrix;
    memcpy(m->x, rule->x, nodes * sizeof *m->x);
    memcpy(m->y, rule->y, nodes * sizeof *m->y);
    memcpy(m->weight, rule->weight, nodes * sizeof *m->weight);
    return POY_OK;
}

static void fill_in(const poyi_rule *rule, const poyi_profile *fields, poyi_modal *m)
{
    const size_t nodes = (size_t)m->n_nodes, rows = (size_t)m->n_pol * nodes, n_c = (size_t)m->n_c;
    for (size_t i = 0; i < n_c; i++)
        for (size_t q = 0; q < nodes; q++) {
            double e[2];
            fields[i].at(&fields[i], rule->x[q], rule->y[q], e);
            if (m->n_pol == 1)
                e[0] = e[0] * m->direction[0] + e[1] * m->direction[1];
            for (size_t p = 0; p < (size_t)m->n_pol; p++) {
                m->S[(p * nodes + q) * n_c + i] = e[p];
                m->Q[i * rows + p * nodes + q] = rule->weight[q] * e[p];
                m->Q_coarse[i * rows + p * nodes + q] = rule->coarse[q] * e[p];
            }
        }
}

static poy_status make(poy_ctx *ctx, const poy_guide *guide, const poyi_modal_options *o, poyi_profile *fields,
                       poyi_rule *rule, poyi_modal *m)
{
    poy_guide_place place;
    poy_guide_at(guide, o->z, &place);
    for (int i = 0; i < o->n_c; i++)
        POYI_TRY(ctx, poyi_guide_field(ctx, guide, o->modes[i], &place, o->omega, o->angles ? o->angles[i] : 0.0,
                                       &fields[i]));
    const plan p = plan_of(guide, o, fields);
    *m = (poyi_modal){.n_c = o->n_c,
                      .n_pol = p.n_pol,
                      .direction = {p.direction[0], p.direction[1]},
                      .radius = guide->has_radius ? place.core_radius : fields[0].radius};
    POYI_TRY(ctx, poyi_rule_create(ctx, &p.widest, p.n_r, p.n_theta, rule));
    POYI_TRY(ctx, room_for(ctx, rule, m));
    fill_in(rule, fields, m);
    return check_orthonormal(ctx, guide, o, fields, m);
}

poy_status poyi_modal_create(poy_ctx *ctx, const poy_guide *guide, const poyi_modal_options *o, poyi_modal *out)
{
    poy_status status;
    poyi_modal m = {0};
    poyi_rule rule = {0};
    poyi_profile *fields = NULL;
    size_t bytes = 0;

    POYI_TRY(ctx, check_columns(ctx, guide, o));
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)o->n_c, sizeof *fields, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "pulse.modal", bytes, (void **)&fields));
    POYI_TO_DONE(ctx, make(ctx, guide, o, fields, &rule, &m));
    *out = m;
    m = (poyi_modal){0};
done:
    poyi_modal_fini(&m);
    poyi_rule_fini(&rule);
    poyi_free((void **)&fields);
    return status;
}

void poyi_modal_fini(poyi_modal *modal)
{
    poyi_free((void **)&modal->x);
    *modal = (poyi_modal){0};
}

/* quantity.c: the numbers of each point: cross sections with their parts, fields, T-matrices, and how far they still change
 * with one more degree. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/objective.h"
#include "run/scatter/stack.h"

enum { JUDGED_STRIDE = 7, ATTEMPTS_MAX = 12 };

/* ---- cross sections ---- */

/* Weights 1 / k^2 of both helicities. */
static poy_status weights(poy_ctx *ctx, const poyi_solution *x, double out[2])
{
    poy_c128 k[2];
    POYI_TRY(ctx, poy_medium_ks(ctx, &x->embedding.medium, x->embedding.k0, k));
    for (int pol = 0; pol < 2; pol++)
        out[pol] = 1 / (k[pol].re * k[pol].re);
    return POY_OK;
}

/* A sphere whose degrees do not turn helicities: every power summed for itself. */
static poy_status of_lone_sphere(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, poy_cross_sections *out)
{
    const poyi_body *b = &s->bodies[0];
    poy_c128 epsilon[65], mu[65], kappa[65] = {{0, 0}};
    double size[64];
    poy_sphere_efficiency q;
    const int layers = b->layers;
    for (int i = 0; i <= layers; i++) {
        poy_medium m = x->embedding.medium;
        if (i < layers)
            POYI_TRY(ctx, poyi_matter_at(ctx, &b->matter[i], x->embedding.k0, &m));
        epsilon[i] = m.epsilon;
        mu[i] = m.mu;
        kappa[i] = m.kappa;
        if (i < layers)
            size[i] = x->embedding.k0 * b->radii[i];
    }
    POYI_TRY(ctx,
             poy_sphere_efficiencies(ctx, 1, x->complete ? 0 : x->lmax, (size_t)layers, size, epsilon, mu, kappa, &q));
    const double area = POYI_PI * b->radii[layers - 1] * b->radii[layers - 1];
    *out = (poy_cross_sections){area * q.scattering, area * q.extinction, area * q.absorption};
    return POY_OK;
}

/* A sphere without handedness: its powers are sums over degrees that need no waves. */
static int is_summed(const poyi_scatter *s)
{
    int plain = s->n == 1 && s->bodies[0].shape == POYI_SHAPE_SPHERE && s->bodies[0].layers <= 64 &&
                s->medium.constant.kappa.re == 0;
    for (int i = 0; plain && i < s->bodies[0].layers; i++)
        plain = s->bodies[0].matter[i].constant.kappa.re == 0;
    return plain;
}

static poy_status sections(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, int light,
                           poy_cross_sections *out)
{
    const size_t first = (size_t)light * x->n;
    if (is_summed(s))
        return of_lone_sphere(ctx, s, x, out);
    return poy_scattered_cross_sections(ctx, &x->embedding, x->basis, x->incident + first, x->scattered + first, 0.5,
                                        out);
}

/* Extinction, scattering and absorption of all lights: out[3][lights]. */
static poy_status all_sections(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, double *out)
{
    for (int i = 0; i < s->n_lights; i++) {
        poy_cross_sections c;
        POYI_TRY(ctx, sections(ctx, s, x, i, &c));
        out[i] = c.extinction;
        out[s->n_lights + i] = c.scattering;
        out[2 * s->n_lights + i] = c.absorption;
    }
    return POY_OK;
}

/* Of each degree, electric and magnetic, and of each particle: the extinction is a sum over the waves about each centre. Rows
 * of one light; particle NULL: not wanted. */
static poy_status parts(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, int light, double *electric,
                        double *magnetic, double *particle)
{
    double w[2];
    const poy_wave_mode *modes = poy_basis_modes(x->basis);
    const poy_c128 *incident = x->incident + (size_t)light * x->n, *scattered = x->scattered + (size_t)light * x->n;
    memset(electric, 0, (size_t)s->lmax_parts * sizeof *electric);
    memset(magnetic, 0, (size_t)s->lmax_parts * sizeof *magnetic);
    if (particle)
        memset(particle, 0, (size_t)s->n * sizeof *particle);
    POYI_TRY(ctx, weights(ctx, x, w));
    for (size_t i = 0; i < x->n; i++) {
        const poy_c128 a = incident[i], p = scattered[i];
        if (particle)
            particle[modes[i].particle] -= w[modes[i].pol] * (a.re * p.re + a.im * p.im);
        poy_wave_mode other = modes[i];
        other.pol = 1 - other.pol;
        const int64_t j = modes[i].pol ? poy_basis_find(x->basis, &other) : -1;
        if (j < 0 || modes[i].l > s->lmax_parts)
            continue;
        const poy_c128 b = incident[j], q = scattered[j]; /* N = (A1 + A0) / sqrt(2), M = (A1 - A0) / sqrt(2) */
        electric[modes[i].l - 1] -= w[1] * ((a.re + b.re) * (p.re + q.re) + (a.im + b.im) * (p.im + q.im)) / 2;
        magnetic[modes[i].l - 1] -= w[1] * ((a.re - b.re) * (p.re - q.re) + (a.im - b.im) * (p.im - q.im)) / 2;
    }
    return POY_OK;
}

/* The waves that excite each particle. */
static poy_status exciting(poy_ctx *ctx, const poyi_solution *x, int light, poy_c128 *out)
{
    const size_t first = (size_t)light * x->n;
    if (x->cluster)
        return poy_cluster_exciting(ctx, x->cluster, x->incident + first, x->scattered + first, out);
    memcpy(out, x->incident + first, x->n * sizeof *out);
    return POY_OK;
}

/* Of each particle: what its exciting waves lose, -(Re e* p + |p|^2) / k^2. */
static poy_status absorbed(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, int light, double *out)
{
    poy_status status;
    double w[2];
    void *memory = NULL;
    const poy_wave_mode *modes = poy_basis_modes(x->basis);
    const poy_c128 *scattered = x->scattered + (size_t)light * x->n;
    POYI_TO_DONE(ctx, weights(ctx, x, w));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.exciting", x->n * sizeof(poy_c128), &memory));
    const poy_c128 *e = memory;
    POYI_TO_DONE(ctx, exciting(ctx, x, light, memory));
    memset(out, 0, (size_t)s->n * sizeof *out);
    for (size_t i = 0; i < x->n; i++) {
        const poy_c128 p = scattered[i];
        out[modes[i].particle] -= w[modes[i].pol] * (e[i].re * p.re + e[i].im * p.im + p.re * p.re + p.im * p.im);
    }
done:
    poyi_free(&memory);
    return status;
}

/* ---- fields ---- */

/* Of both kinds of waves at points, added: out[n][3]. */
static poy_status field(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, int light, poy_wave_field kind,
                        size_t n, const double *points, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.field", 3 * n * sizeof(poy_c128), &memory));
    poy_c128 *incident = memory;
    POYI_TO_DONE(ctx, poyi_light_sample(ctx, &x->embedding, &s->lights[light], kind, n, points, incident));
    POYI_TO_DONE(ctx, poy_wave_sample(ctx, &x->embedding, x->basis, POY_SINGULAR, x->scattered + (size_t)light * x->n,
                                      kind, 0, n, points, out));
    for (size_t i = 0; i < 3 * n; i++)
        out[i] = (poy_c128){out[i].re + incident[i].re, out[i].im + incident[i].im};
done:
    poyi_free(&memory);
    return status;
}

/* Every stride-th point of a view that is in particle k (POYI_OUTSIDE: in none), one after the other; their number. */
static size_t gather(const poyi_view *v, int k, int64_t stride, double *points)
{
    size_t count = 0;
    for (int64_t i = 0; i < v->n_points; i += stride)
        if (v->inside[i] == k)
            memcpy(points + 3 * count++, v->points + 3 * i, 3 * sizeof *points);
    return count;
}

static void spread(const poyi_view *v, int k, const poy_c128 *values, poy_c128 *out)
{
    for (int64_t i = 0; i < v->n_points; i++)
        for (int d = 0; d < 3 && v->inside[i] == k; d++)
            out[3 * i + d] = *values++;
}

/* At every stride-th point outside of the particles: out[*n][3]. */
static poy_status field_outside(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const poyi_solution *x,
                                int light, int64_t stride, poy_c128 *out, int64_t *n)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.points", (size_t)v->n_points * 3 * sizeof(double), &memory));
    const size_t count = gather(v, POYI_OUTSIDE, stride, memory);
    if (count)
        POYI_TO_DONE(ctx, field(ctx, s, x, light, POY_WAVE_E, count, memory, out));
    *n = (int64_t)count;
done:
    poyi_free(&memory);
    return status;
}

/* At all points, NaN where it is not known: out[n_points][3]. */
static poy_status near_field(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const poyi_solution *x, int light,
                             poy_wave_field kind, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    const size_t n = (size_t)v->n_points;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.points",
                             n * (3 * sizeof(double) + 3 * sizeof(poy_c128)) + x->n * sizeof(poy_c128), &memory));
    poy_c128 *values = memory, *excite = values + 3 * n;
    double *points = (double *)(void *)(excite + x->n);
    for (size_t i = 0; i < 3 * n; i++)
        out[i] = (poy_c128){(double)NAN, (double)NAN};
    size_t count = gather(v, POYI_OUTSIDE, 1, points);
    if (count)
        POYI_TO_DONE(ctx, field(ctx, s, x, light, kind, count, points, values));
    spread(v, POYI_OUTSIDE, values, out);
    POYI_TO_DONE(ctx, exciting(ctx, x, light, excite));
    for (int k = 0; k < s->n; k++) {
        count = gather(v, k, 1, points);
        if (count)
            POYI_TO_DONE(ctx, poyi_body_interior(ctx, &s->bodies[s->owner[k]], &x->embedding, x->basis, k, excite, kind,
                                                 count, points, values));
        spread(v, k, values, out);
    }
    status = POY_OK;
done:
    poyi_free(&memory);
    return status;
}

/* The axial wavenumber of the waves that a light excites in cylinders. Errors: POY_ERR_UNSUPPORTED (helicities of two). */
static poy_status axial_of(poy_ctx *ctx, const poyi_solution *x, int light, double *kz)
{
    const poy_c128 *a = x->incident + (size_t)light * x->n;
    const poy_wave_mode *modes = poy_basis_modes(x->basis);
    int known = 0;
    for (size_t i = 0; i < x->n; i++) {
        if (a[i].re == 0 && a[i].im == 0)
            continue;
        if (known && modes[i].kz != *kz)
            return POYI_FAIL(
                ctx, POY_ERR_UNSUPPORTED,
                "far_field of cylinders aslant in a chiral medium: its helicities leave at two angles: shine one of "
                "them, or across");
        *kz = modes[i].kz;
        known = 1;
    }
    return known ? POY_OK : POYI_FAIL(ctx, POY_ERR_ARGUMENT, "far_field: no light");
}

/* f [n_points][2] and the differential cross section [n_points] of a light. */
static poy_status far_field(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const poyi_solution *x, int light,
                            poy_c128 *f, double *differential)
{
    const poy_c128 *scattered = x->scattered + (size_t)light * x->n;
    const double *d = s->lights[light].direction;
    double share[2] = {1, 1}; /* of cylinders: k_rho / k */
    if (s->cylinders) {
        const double *phi = v->points + v->n_points * light;
        double kz = 0;
        POYI_TRY(ctx, axial_of(ctx, x, light, &kz));
        share[0] = share[1] = hypot(d[0], d[1]);
        POYI_TRY(ctx,
                 poy_far_field_cylindrical(ctx, &x->embedding, x->basis, scattered, kz, (size_t)v->n_points, phi, f));
    } else {
        for (int64_t i = 0; i < v->n_points;
             i += POYI_FAR_DIRECTIONS) { /* a matrix of modes and directions is made of them */
            const int64_t count = v->n_points - i < POYI_FAR_DIRECTIONS ? v->n_points - i : POYI_FAR_DIRECTIONS;
            POYI_TRY(ctx, poy_far_field(ctx, &x->embedding, x->basis, scattered, (size_t)count,
                                        v->points + 3 * (v->n_points * light + i), f + 2 * i));
        }
    }
    for (int64_t i = 0; i < v->n_points && differential; i++) {
        differential[i] = 0;
        for (int pol = 0; pol < 2; pol++)
            differential[i] +=
                share[pol] * (f[2 * i + pol].re * f[2 * i + pol].re + f[2 * i + pol].im * f[2 * i + pol].im);
    }
    return POY_OK;
}

static poy_status tmatrix(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, double *out)
{
    poy_tmatrix *t = NULL;
    if (x->cluster)
        POYI_TRY(ctx, poy_cluster_solve(ctx, x->cluster, &t));
    else
        POYI_TRY(ctx, poyi_body_tmatrix(ctx, &s->bodies[0], &x->embedding, x->lmax, 0, NULL, &t));
    memcpy(out, poy_tmatrix_values(t), x->n * x->n * sizeof(poy_c128));
    poy_tmatrix_destroy(&t);
    return POY_OK;
}

/* ---- how far they still change ---- */

static int64_t judged_room(const poyi_scatter *s, const poyi_view *v)
{
    return s->n_lights * (v->kind == POYI_VIEW_NEAR  ? 6 * (v->n_points / JUDGED_STRIDE + 1)
                          : v->kind == POYI_VIEW_FAR ? 4 * v->n_points
                                                     : 3);
}

static poy_status judged(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const poyi_solution *x, double *out,
                         int64_t *n)
{
    if (v->kind != POYI_VIEW_NEAR && v->kind != POYI_VIEW_FAR) {
        *n = 3 * (int64_t)s->n_lights;
        return all_sections(ctx, s, x, out);
    }
    *n = 0;
    for (int light = 0; light < s->n_lights; light++) {
        poy_c128 *here = (poy_c128 *)(void *)(out + *n);
        int64_t count = 0;
        if (v->kind == POYI_VIEW_NEAR)
            POYI_TRY(ctx, field_outside(ctx, s, v, x, light, JUDGED_STRIDE, here, &count));
        else
            POYI_TRY(ctx, far_field(ctx, s, v, x, light, here, NULL));
        *n += v->kind == POYI_VIEW_NEAR ? 6 * count : 4 * v->n_points;
    }
    return POY_OK;
}

/* Largest difference over the largest number. */
static double difference(int64_t n, const double *a, const double *b)
{
    double most = 0, largest = 0;
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        largest = fmax(largest, fabs(b[i]));
    }
    return largest > 0 ? most / largest : most;
}

/* Degrees that bring a change below tol when each takes ratio of it. */
static int more_degrees(double change, double tol, double ratio)
{
    const double r = fmin(fmax(ratio, 0.05), 0.95), n = ceil(log(tol / change) / log(r));
    return n < 1 ? 1 : n > 12 ? 12 : (int)n;
}

/* The solution whose judged numbers differ from those of fewer degrees by less than tol; the best there is where none does. */
static poy_status converge(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, double k0, poyi_solution *x,
                           double *change)
{
    poy_status status;
    poyi_solution next = {0};
    void *memory = NULL;
    int lmax;
    int64_t n = 0;
    const double tol = v->kind == POYI_VIEW_NEAR ? sqrt(s->tol) : s->tol, ratio = poyi_scatter_ratio(s);
    const int64_t room = judged_room(s, v);
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.judged", 2 * (size_t)room * sizeof(double), &memory));
    double *now = memory, *then = now + room;
    POYI_TO_DONE(ctx, poyi_scatter_degree(ctx, s, k0, s->tol, &lmax));
    lmax = lmax > 1 ? lmax : 2;
    POYI_TO_DONE(ctx, poyi_solution_create(ctx, s, k0, lmax - 1, &next));
    POYI_TO_DONE(ctx, judged(ctx, s, v, &next, then, &n));
    poyi_solution_fini(&next);
    POYI_TO_DONE(ctx, poyi_solution_create(ctx, s, k0, lmax, x));
    POYI_TO_DONE(ctx, judged(ctx, s, v, x, now, &n));
    *change = difference(n, then, now);
    for (int i = 0; i<ATTEMPTS_MAX && * change> tol; i++) {
        lmax += more_degrees(*change, tol, ratio);
        if (lmax > POYI_RISE_MOST || !poyi_room_allows(s->room, lmax))
            break;
        POYI_TO_DONE(ctx, poyi_scatter_raise(ctx, s, v, lmax));
        POYI_TO_DONE(ctx, poyi_solution_create(ctx, s, k0, lmax, &next));
        memcpy(then, now, (size_t)n * sizeof *then);
        POYI_TO_DONE(ctx, judged(ctx, s, v, &next, now, &n));
        const double fresh = difference(n, then, now);
        if (!(fresh < *change)) /* rounding takes over */
            break;
        *change = fresh;
        poyi_solution_fini(x);
        *x = next;
        next = (poyi_solution){0};
    }
done:
    poyi_solution_fini(&next);
    if (status != POY_OK)
        poyi_solution_fini(x);
    poyi_free(&memory);
    return status;
}

poy_status poyi_scatter_stand_still(poy_ctx *ctx, const poyi_scatter *s, double k0, int *lmax, double *change)
{
    const poyi_view v = {.kind = POYI_VIEW_SWEEP, .n = 1};
    poyi_solution x = {0};
    POYI_TRY(ctx, converge(ctx, s, &v, k0, &x, change));
    *lmax = x.lmax;
    poyi_solution_fini(&x);
    return POY_OK;
}

poy_status poyi_scatter_sections(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, poy_cross_sections *out)
{
    poyi_solution x = {0};
    POYI_TRY(ctx, poyi_solution_create(ctx, s, k0, lmax, &x));
    const poy_status status = sections(ctx, s, &x, 0, out);
    poyi_solution_fini(&x);
    return status;
}

/* ---- an item ---- */

const poyi_view *poyi_scatter_item(const poyi_scatter *s, int64_t item, int *row)
{
    const poyi_view *v = s->views;
    while (item >= v->n)
        item -= (v++)->n;
    *row = (int)item;
    return v;
}

static poy_status fill_sweep(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, double *out)
{
    const ptrdiff_t lights = s->n_lights, degrees = s->lmax_parts, particles = s->n > 1 ? s->n : 0;
    if (s->cross_sections) {
        double *electric = out + 3 * lights, *magnetic = electric + lights * degrees,
               *particle = magnetic + lights * degrees;
        double *absorption = particle + lights * particles;
        POYI_TRY(ctx, all_sections(ctx, s, x, out));
        for (int i = 0; i < lights && !s->cylinders; i++) {
            POYI_TRY(ctx, parts(ctx, s, x, i, electric + i * degrees, magnetic + i * degrees,
                                particles ? particle + i * particles : NULL));
            if (!particles)
                continue;
            POYI_TRY(ctx, absorbed(ctx, s, x, i, absorption + i * particles));
            out[2 * lights + i] = 0; /* summed, not a difference */
            for (ptrdiff_t k = 0; k < particles; k++)
                out[2 * lights + i] += absorption[i * particles + k];
        }
        out = s->cylinders ? electric : absorption + lights * particles;
    }
    if (s->tmatrix)
        POYI_TRY(ctx, tmatrix(ctx, s, x, out));
    return POY_OK;
}

static poy_status fill_near(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const poyi_solution *x,
                            double *out)
{
    static const poy_wave_field kinds[2] = {POY_WAVE_E, POY_WAVE_H};
    poy_c128 *all = (poy_c128 *)(void *)out;
    for (int kind = 0; kind < 2; kind++)
        for (int light = 0; light < s->n_lights; light++, all += 3 * v->n_points)
            POYI_TRY(ctx, near_field(ctx, s, v, x, light, kinds[kind], all));
    return POY_OK;
}

static poy_status fill_far(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const poyi_solution *x, double *out)
{
    poy_c128 *f = (poy_c128 *)(void *)out;
    double *differential = out + 4 * v->n_points * s->n_lights;
    for (int light = 0; light < s->n_lights; light++)
        POYI_TRY(ctx, far_field(ctx, s, v, x, light, f + 2 * v->n_points * light, differential + v->n_points * light));
    return POY_OK;
}

/* A row of a lattice or a stack. */
static poy_status of_array(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int row, double *out,
                           poyi_gaps *gaps)
{
    int degree;
    const double k0 = v->k0[row];
    if (v->kind == POYI_VIEW_ARRAY)
        POYI_TRY(ctx, poyi_stack_compute(ctx, s, k0, v->lmax[row], out + 4, &degree, &out[2], gaps));
    else
        POYI_TRY(ctx, poyi_stack_near(ctx, s, v, k0, v->lmax[row], out + 4, &degree, &out[2], gaps));
    out[0] = 2 * POYI_PI / k0;
    out[1] = degree;
    out[3] = gaps->n;
    return POY_OK;
}

poy_status poyi_scatter_compute(poy_ctx *ctx, const poyi_scatter *s, int64_t item, double *out, poyi_gaps *gaps)
{
    int row;
    int64_t n;
    double change = (double)NAN;
    poyi_solution x = {0};
    const poyi_view *v = poyi_scatter_item(s, item, &row);
    *gaps = (poyi_gaps){0};
    if (s->array)
        return of_array(ctx, s, v, row, out, gaps);
    if (v->lmax[row]) {
        POYI_TRY(ctx, poyi_solution_create(ctx, s, v->k0[row], v->lmax[row], &x));
    } else if (v->kind == POYI_VIEW_SWEEP && is_summed(s)) { /* to the last bit, whatever its size */
        int lmax;
        POYI_TRY(ctx, poyi_scatter_degree(ctx, s, v->k0[row], s->tol, &lmax));
        POYI_TRY(ctx, poyi_solution_create(ctx, s, v->k0[row], lmax, &x));
        x.complete = 1;
        change = 0;
    } else {
        POYI_TRY(ctx, converge(ctx, s, v, v->k0[row], &x, &change));
    }
    if (v->kind == POYI_VIEW_SWEEP) {
        const poy_medium *m = &x.embedding.medium;
        const double medium[6] = {m->epsilon.re, m->epsilon.im, m->mu.re, m->mu.im, m->kappa.re, m->kappa.im};
        const size_t count = s->tmatrix ? 6 : 2;
        memcpy(out, medium, count * sizeof *out);
        out += count;
        if (s->tmatrix)
            *out++ = v->k0[row];
    }
    *out++ = 2 * POYI_PI / v->k0[row];
    *out++ = x.lmax;
    *out++ = change;
    poy_status status = v->kind == POYI_VIEW_SWEEP  ? fill_sweep(ctx, s, &x, out)
                        : v->kind == POYI_VIEW_NEAR ? fill_near(ctx, s, v, &x, out)
                        : v->kind == POYI_VIEW_FAR  ? fill_far(ctx, s, v, &x, out)
                                                    : judged(ctx, s, v, &x, out, &n);
    poyi_solution_fini(&x);
    return status;
}

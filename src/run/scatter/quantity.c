/* quantity.c: the numbers of each point: cross sections with their parts, fields, T-matrices, and how far they still change
 * with one more degree. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
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

static poy_status sections(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, poy_cross_sections *out)
{
    if (is_summed(s))
        return of_lone_sphere(ctx, s, x, out);
    return poy_scattered_cross_sections(ctx, &x->embedding, x->basis, x->incident, x->scattered, 0.5, out);
}

/* Of each degree, electric and magnetic, and of each particle: the extinction is a sum over the waves about each centre. */
static poy_status parts(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, double *out)
{
    double w[2], *electric = out, *magnetic = out + s->lmax_parts, *particle = magnetic + s->lmax_parts;
    const poy_wave_mode *modes = poy_basis_modes(x->basis);
    memset(out, 0, ((size_t)s->lmax_parts * 2 + (s->n > 1 ? 2 * (size_t)s->n : 0)) * sizeof *out);
    POYI_TRY(ctx, weights(ctx, x, w));
    for (size_t i = 0; i < x->n; i++) {
        const poy_c128 a = x->incident[i], p = x->scattered[i];
        if (s->n > 1)
            particle[modes[i].particle] -= w[modes[i].pol] * (a.re * p.re + a.im * p.im);
        poy_wave_mode other = modes[i];
        other.pol = 1 - other.pol;
        const int64_t j = modes[i].pol ? poy_basis_find(x->basis, &other) : -1;
        if (j < 0 || modes[i].l > s->lmax_parts)
            continue;
        const poy_c128 b = x->incident[j], q = x->scattered[j]; /* N = (A1 + A0) / sqrt(2), M = (A1 - A0) / sqrt(2) */
        electric[modes[i].l - 1] -= w[1] * ((a.re + b.re) * (p.re + q.re) + (a.im + b.im) * (p.im + q.im)) / 2;
        magnetic[modes[i].l - 1] -= w[1] * ((a.re - b.re) * (p.re - q.re) + (a.im - b.im) * (p.im - q.im)) / 2;
    }
    return POY_OK;
}

/* Of each particle: what its exciting waves lose, -(Re e* p + |p|^2) / k^2. */
static poy_status absorbed(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, double *out)
{
    poy_status status;
    double w[2];
    void *memory = NULL;
    const poy_wave_mode *modes = poy_basis_modes(x->basis);
    POYI_TO_DONE(ctx, weights(ctx, x, w));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.exciting", x->n * sizeof(poy_c128), &memory));
    const poy_c128 *e = memory;
    POYI_TO_DONE(ctx, poy_cluster_exciting(ctx, x->cluster, x->incident, x->scattered, memory));
    memset(out, 0, (size_t)s->n * sizeof *out);
    for (size_t i = 0; i < x->n; i++) {
        const poy_c128 p = x->scattered[i];
        out[modes[i].particle] -= w[modes[i].pol] * (e[i].re * p.re + e[i].im * p.im + p.re * p.re + p.im * p.im);
    }
done:
    poyi_free(&memory);
    return status;
}

/* ---- fields ---- */

/* Of both kinds of waves at points, added: out[n][3]. */
static poy_status field(poy_ctx *ctx, const poyi_scatter *s, const poyi_solution *x, poy_wave_field kind, size_t n,
                        const double *points, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    const poy_c128 wave[2] = {{s->polarisation[1][0], s->polarisation[1][1]},
                              {s->polarisation[0][0], s->polarisation[0][1]}};
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.field", 3 * n * sizeof(poy_c128), &memory));
    poy_c128 *incident = memory;
    POYI_TO_DONE(ctx, poy_wave_sample(ctx, &x->embedding, x->wave, POY_REGULAR, wave, kind, 0, n, points, incident));
    POYI_TO_DONE(ctx,
                 poy_wave_sample(ctx, &x->embedding, x->basis, POY_SINGULAR, x->scattered, kind, 0, n, points, out));
    for (size_t i = 0; i < 3 * n; i++)
        out[i] = (poy_c128){out[i].re + incident[i].re, out[i].im + incident[i].im};
done:
    poyi_free(&memory);
    return status;
}

/* At every stride-th point where the expansions hold: out[*n][3]; with stride 1 at all, NaN where they do not. */
static poy_status near_field(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const poyi_solution *x,
                             poy_wave_field kind, int64_t stride, poy_c128 *out, int64_t *n)
{
    poy_status status;
    void *memory = NULL;
    const poy_c128 none = {(double)NAN, (double)NAN};
    int64_t count = 0;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.points", (size_t)v->n_points * 6 * sizeof(double), &memory));
    double *points = memory;
    poy_c128 *values = (poy_c128 *)(void *)points; /* after the points were used, where it is written back */
    for (int64_t i = 0; i < v->n_points; i += stride)
        if (v->trusted[i])
            memcpy(points + 3 * count++, v->points + 3 * i, 3 * sizeof *points);
    if (count)
        POYI_TO_DONE(ctx, field(ctx, s, x, kind, (size_t)count, points, out));
    *n = count;
    status = POY_OK;
    if (stride == 1) {
        memcpy(values, out, (size_t)count * 3 * sizeof *out);
        for (int64_t i = 0, k = 0; i < v->n_points; i++)
            for (int d = 0; d < 3; d++)
                out[3 * i + d] = v->trusted[i] ? values[k++] : none;
        *n = v->n_points;
    }
done:
    poyi_free(&memory);
    return status;
}

static poy_status far_field(poy_ctx *ctx, const poyi_view *v, const poyi_solution *x, double *out)
{
    poy_c128 *f = (poy_c128 *)(void *)out;
    double *differential = out + 4 * v->n_points;
    POYI_TRY(ctx, poy_far_field(ctx, &x->embedding, x->basis, x->scattered, (size_t)v->n_points, v->points, f));
    for (int64_t i = 0; i < v->n_points; i++)
        differential[i] = f[2 * i].re * f[2 * i].re + f[2 * i].im * f[2 * i].im + f[2 * i + 1].re * f[2 * i + 1].re +
                          f[2 * i + 1].im * f[2 * i + 1].im;
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

static int64_t judged_room(const poyi_view *v)
{
    return v->kind == POYI_VIEW_NEAR  ? 6 * (v->n_points / JUDGED_STRIDE + 1)
           : v->kind == POYI_VIEW_FAR ? 5 * v->n_points
                                      : 3;
}

static poy_status judged(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const poyi_solution *x, double *out,
                         int64_t *n)
{
    poy_cross_sections c;
    if (v->kind == POYI_VIEW_NEAR) {
        POYI_TRY(ctx, near_field(ctx, s, v, x, POY_WAVE_E, JUDGED_STRIDE, (poy_c128 *)(void *)out, n));
        *n *= 6;
        return POY_OK;
    }
    if (v->kind == POYI_VIEW_FAR) {
        *n = 4 * v->n_points;
        return far_field(ctx, v, x, out);
    }
    POYI_TRY(ctx, sections(ctx, s, x, &c));
    out[0] = c.extinction;
    out[1] = c.scattering;
    out[2] = c.absorption;
    *n = 3;
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
    const int64_t room = judged_room(v);
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
        if (lmax > 125)
            break;
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
    poy_cross_sections c;
    if (s->cross_sections) {
        double *absorption = out + 3 + 2 * (ptrdiff_t)s->lmax_parts + s->n;
        POYI_TRY(ctx, sections(ctx, s, x, &c));
        out[0] = c.extinction;
        out[1] = c.scattering;
        out[2] = c.absorption;
        if (!s->cylinders)
            POYI_TRY(ctx, parts(ctx, s, x, out + 3));
        if (!s->cylinders && s->n > 1) {
            POYI_TRY(ctx, absorbed(ctx, s, x, absorption));
            out[2] = 0; /* summed, not a difference */
            for (int i = 0; i < s->n; i++)
                out[2] += absorption[i];
        }
        out += 3 + (s->cylinders ? 0 : 2 * s->lmax_parts + (s->n > 1 ? 2 * s->n : 0));
    }
    if (s->tmatrix)
        POYI_TRY(ctx, tmatrix(ctx, s, x, out));
    return POY_OK;
}

static poy_status fill_near(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, const poyi_solution *x,
                            double *out)
{
    int64_t n;
    POYI_TRY(ctx, near_field(ctx, s, v, x, POY_WAVE_E, 1, (poy_c128 *)(void *)out, &n));
    return near_field(ctx, s, v, x, POY_WAVE_H, 1, (poy_c128 *)(void *)(out + 6 * v->n_points), &n);
}

poy_status poyi_scatter_compute(poy_ctx *ctx, const poyi_scatter *s, int64_t item, double *out)
{
    int row;
    int64_t n;
    double change = (double)NAN;
    poyi_solution x = {0};
    const poyi_view *v = poyi_scatter_item(s, item, &row);
    if (v->kind == POYI_VIEW_ARRAY) {
        int degree;
        POYI_TRY(ctx, poyi_stack_compute(ctx, s, v->k0[row], v->lmax[row], out + 3, &degree, &change));
        out[0] = 2 * POYI_PI / v->k0[row];
        out[1] = degree;
        out[2] = change;
        return POY_OK;
    }
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
                        : v->kind == POYI_VIEW_FAR  ? far_field(ctx, v, &x, out)
                                                    : judged(ctx, s, v, &x, out, &n);
    poyi_solution_fini(&x);
    return status;
}

/* stack_point.c: one wavelength of a stack: its S-matrix, and what a recipe wants of it. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/stack.h"

enum { ATTEMPTS = 6, DEGREE_MOST = 30 };

/* A stack at one wavelength and degree. */
typedef struct point {
    const poyi_scatter *s;
    poy_stage stage;
    double kpar[2];
    poy_medium *media; /* [n_parts] */
    poy_smatrix *array, *whole;
    void *memory;
} point;

static void point_fini(point *p)
{
    poy_smatrix_destroy(&p->array);
    poy_smatrix_destroy(&p->whole);
    poy_basis_destroy(&p->stage.ports);
    poyi_free(&p->memory);
}

/* ---- the stack ---- */

static poy_status make_ports(poy_ctx *ctx, point *p)
{
    poy_status status = POY_OK;
    const struct poyi_stack *a = p->s->array;
    void *memory = NULL;
    poy_lattice dual = {.dim = 2};
    if (a->periodic)
        POYI_TRY(ctx, poy_lattice_reciprocal(ctx, &a->lattice, &dual));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ports", 2 * (size_t)a->n_orders * sizeof(double), &memory));
    double *q = memory;
    for (size_t i = 0; i < (size_t)a->n_orders; i++)
        for (size_t c = 0; c < 2; c++)
            q[2 * i + c] =
                p->kpar[c] + ((double)a->orders[2 * i] * dual.a[c] + (double)a->orders[2 * i + 1] * dual.a[2 + c]);
    POYI_TO_DONE(ctx, poy_ports_default(ctx, POY_XY, (size_t)a->n_orders, q, &p->stage.ports));
done:
    poyi_free(&memory);
    return status;
}

static poy_status array_smatrix(poy_ctx *ctx, const point *p, const poy_medium *medium, int lmax, poy_smatrix **out)
{
    poy_status status;
    const poyi_scatter *s = p->s;
    const poy_embedding e = {p->stage.k0, *medium, POY_HELICITY};
    poy_cluster *cell = NULL;
    poy_periodic *periodic = NULL;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.cell", (size_t)(s->n + s->n_bodies) * sizeof(poy_tmatrix *), &memory));
    poy_tmatrix **particle = memory, **body = particle + s->n;
    for (int i = 0; i < s->n_bodies; i++)
        POYI_TO_DONE(ctx, poyi_body_tmatrix(ctx, &s->bodies[i], &e, lmax, 0, NULL, &body[i]));
    for (int i = 0; i < s->n; i++)
        particle[i] = body[s->owner[i]];
    POYI_TO_DONE(ctx, poy_cluster_create(ctx, (size_t)s->n, particle, (size_t)s->n, s->positions, &cell));
    POYI_TO_DONE(ctx, poy_periodic_solve(ctx, cell, &s->array->lattice, p->kpar, s->array->eta, &periodic));
    POYI_TO_DONE(ctx, poy_periodic_to_smatrix(ctx, periodic, p->stage.ports, out));
done:
    poy_periodic_destroy(&periodic);
    poy_cluster_destroy(&cell);
    for (int i = 0; i < s->n_bodies; i++)
        poy_tmatrix_destroy(&body[i]);
    poyi_free(&memory);
    return status;
}

/* sum = part on sum; part is given back. */
static poy_status put_on(poy_ctx *ctx, poy_smatrix **sum, poy_smatrix **part)
{
    poy_status status = POY_OK;
    poy_smatrix *both = NULL;
    if (*sum)
        status = poy_smatrix_cascade(ctx, *sum, *part, &both);
    else
        both = poy_smatrix_retain(*part);
    poy_smatrix_destroy(part);
    if (status != POY_OK)
        return poyi_passed(ctx, status, "poy_smatrix_cascade", __func__, "stack_point.c", __LINE__);
    poy_smatrix_destroy(sum);
    *sum = both;
    return POY_OK;
}

/* The particles in their medium, with what it has below and above. */
static poy_status put_array(poy_ctx *ctx, point *p, int i, int lmax)
{
    const poyi_stack_part *part = &p->s->array->parts[i];
    for (int step = 0; step < 3; step++) {
        const double way[3] = {0, 0, step ? part->above : part->below};
        poy_smatrix *s = NULL;
        if (step == 1) {
            POYI_TRY(ctx, array_smatrix(ctx, p, &p->media[i], lmax, &s));
        } else {
            POYI_TRY(ctx, poy_smatrix_propagation(ctx, &p->stage, &p->media[i], way, &s));
        }
        POYI_TRY(ctx, put_on(ctx, &p->whole, &s));
    }
    return POY_OK;
}

/* Plane layers between part first and part last, and the interfaces. */
static poy_status put_layers(poy_ctx *ctx, point *p, int first, int last)
{
    poy_status status;
    const struct poyi_stack *a = p->s->array;
    const size_t n = (size_t)(last - first - 1);
    poy_smatrix *s = NULL;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.layers", (n + 1) * sizeof(double), &memory));
    double *thickness = memory;
    for (size_t i = 0; i < n; i++)
        thickness[i] = a->parts[(size_t)first + 1 + i].thickness;
    POYI_TO_DONE(ctx, poy_smatrix_layers(ctx, &p->stage, n, thickness, p->media + first, &s));
    POYI_TO_DONE(ctx, put_on(ctx, &p->whole, &s));
done:
    poyi_free(&memory);
    return status;
}

static poy_status point_create(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, point *p)
{
    poy_status status;
    const struct poyi_stack *a = s->array;
    *p = (point){.s = s, .stage = {k0, POY_HELICITY, NULL}};
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.media", (size_t)a->n_parts * sizeof(poy_medium), &p->memory));
    p->media = p->memory;
    for (int i = 0; i < a->n_parts; i++)
        POYI_TO_DONE(ctx, poyi_matter_at(ctx, &a->parts[i].matter, k0, &p->media[i]));
    POYI_TO_DONE(ctx, poyi_stack_parallel(ctx, s, k0, p->kpar));
    POYI_TO_DONE(ctx, make_ports(ctx, p));
    for (int first = 0, i = 1; i < a->n_parts; i++) {
        if (!a->parts[i].is_array && i + 1 < a->n_parts)
            continue;
        POYI_TO_DONE(ctx, put_layers(ctx, p, first, i));
        if (a->parts[i].is_array)
            POYI_TO_DONE(ctx, put_array(ctx, p, i, lmax));
        first = i;
    }
done:
    if (status != POY_OK)
        point_fini(p);
    return status;
}

/* ---- what is wanted ---- */

/* The recipe's light, and the same with its helicities exchanged: amplitudes of the ports. */
static void light_of(const point *p, int exchanged, poy_c128 *a)
{
    memset(a, 0, poy_smatrix_size(p->whole) * sizeof *a);
    for (int pol = 0; pol < 2; pol++) {
        const double *c = p->s->polarisation[exchanged ? 1 - pol : pol];
        a[1 - pol] = (poy_c128){c[0], c[1]}; /* helicity 1 first */
    }
}

static double *put_power(const poy_power_shares *w, double *out)
{
    *out++ = w->transmission;
    *out++ = w->reflection;
    *out++ = w->absorption;
    return out;
}

/* Shares T, R, A of both lights, then each order's: [light][order] of T, of R. */
static poy_status transmission(poy_ctx *ctx, const point *p, poy_c128 *light, double *out)
{
    const size_t n = (size_t)p->s->array->n_orders;
    double *t = out + 6, *r = t + 2 * n;
    for (int i = 0; i < 2; i++) {
        poy_power_shares w;
        light_of(p, i, light);
        POYI_TRY(ctx, poy_smatrix_power(ctx, p->whole, POY_UP, light, &w));
        out[i] = w.transmission;
        out[2 + i] = w.reflection;
        out[4 + i] = w.absorption;
        POYI_TRY(ctx, poy_smatrix_order_powers(ctx, p->whole, POY_UP, light, t + (size_t)i * n, r + (size_t)i * n));
    }
    return POY_OK;
}

static poy_status amplitudes(poy_ctx *ctx, const point *p, poy_c128 *light, double *out)
{
    const size_t m = poy_smatrix_size(p->whole);
    light_of(p, 0, light);
    poy_c128 *up = (poy_c128 *)(void *)out;
    return poy_smatrix_scatter(ctx, p->whole, light, NULL, up, up + m);
}

static poy_status bands(poy_ctx *ctx, const point *p, double *out)
{
    const struct poyi_stack *a = p->s->array;
    double period = 0;
    for (int i = 1; i + 1 < a->n_parts; i++)
        period += a->parts[i].is_array ? a->parts[i].below + a->parts[i].above : a->parts[i].thickness;
    return poy_smatrix_bands(ctx, p->whole, period, (poy_c128 *)(void *)out, NULL);
}

static poy_status fill(poy_ctx *ctx, const point *p, double *out)
{
    poy_status status = POY_OK;
    const struct poyi_stack *a = p->s->array;
    const size_t m = poy_smatrix_size(p->whole), n = (size_t)a->n_orders;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.light", m * sizeof(poy_c128), &memory));
    poy_c128 *light = memory;
    *out++ = p->kpar[0];
    *out++ = p->kpar[1];
    if (a->transmission) {
        POYI_TO_DONE(ctx, transmission(ctx, p, light, out));
        out += 6 + 4 * n;
    }
    if (a->cd) {
        poy_dichroism cd;
        light_of(p, 0, light);
        POYI_TO_DONE(ctx, poy_smatrix_circular_dichroism(ctx, p->whole, POY_UP, light, &cd));
        *out++ = cd.transmission;
        *out++ = cd.outgoing;
        *out++ = cd.absorption;
    }
    if (a->amplitudes) {
        POYI_TO_DONE(ctx, amplitudes(ctx, p, light, out));
        out += 4 * m;
    }
    if (a->bands)
        POYI_TO_DONE(ctx, bands(ctx, p, out));
done:
    poyi_free(&memory);
    return status;
}

/* ---- degrees ---- */

static poy_status judged(poy_ctx *ctx, const point *p, double out[6])
{
    poy_status status = POY_OK;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.light", poy_smatrix_size(p->whole) * sizeof(poy_c128), &memory));
    for (int i = 0; i < 2; i++) {
        poy_power_shares w;
        light_of(p, i, memory);
        POYI_TO_DONE(ctx, poy_smatrix_power(ctx, p->whole, POY_UP, memory, &w));
        (void)put_power(&w, out + 3 * (size_t)i);
    }
done:
    poyi_free(&memory);
    return status;
}

static double difference(const double a[6], const double b[6])
{
    double most = 0;
    for (int i = 0; i < 6; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* The point at the first degree whose powers differ from those of the one before by less than tol. */
static poy_status converge(poy_ctx *ctx, const poyi_scatter *s, double k0, point *p, int *lmax, double *change)
{
    poy_status status;
    double then[6], now[6];
    POYI_TRY(ctx, poyi_scatter_degree(ctx, s, k0, s->tol, lmax));
    *lmax = *lmax > DEGREE_MOST ? DEGREE_MOST : *lmax < 2 ? 2 : *lmax;
    POYI_TRY(ctx, point_create(ctx, s, k0, *lmax - 1, p));
    POYI_TO_DONE(ctx, judged(ctx, p, then));
    for (int i = 0; i < ATTEMPTS; i++, ++*lmax) {
        point_fini(p);
        POYI_TRY(ctx, point_create(ctx, s, k0, *lmax, p));
        POYI_TO_DONE(ctx, judged(ctx, p, now));
        *change = difference(then, now);
        if (*change < s->tol || *lmax == DEGREE_MOST)
            break;
        memcpy(then, now, sizeof then);
    }
done:
    if (status != POY_OK)
        point_fini(p);
    return status;
}

poy_status poyi_stack_compute(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, double *out, int *degree,
                              double *change)
{
    point p;
    *degree = lmax > 0 ? lmax : 0;
    *change = lmax > 0 ? (double)NAN : 0;
    if (lmax > 0 || !s->array->has_particles)
        POYI_TRY(ctx, point_create(ctx, s, k0, lmax, &p));
    else
        POYI_TRY(ctx, converge(ctx, s, k0, &p, degree, change));
    const poy_status status = fill(ctx, &p, out);
    point_fini(&p);
    return status;
}

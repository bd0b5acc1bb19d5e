/* moves.c: cross sections of spheres as a step of a record, and what keys of particles move in the inputs of spheres. */
#include "run/scatter/moves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"

enum { AMPLITUDE = POYI_IN_SPHERES, DIRECTION, INPUTS };

/* ---- spheres ---- */

void poyi_spheres_specs(const poy_objective *o, poy_rec_spec *specs)
{
    const int64_t n = o->s.n, layers = o->layers;
    specs[POYI_IN_K0] = poyi_spec(POY_F64, 0, 0, 0);
    specs[POYI_IN_RADII] = poyi_spec(POY_F64, 2, n, layers);
    for (int i = POYI_IN_EPSILON; i <= POYI_IN_KAPPA; i++)
        specs[i] = poyi_spec(POY_C128, 2, n, layers);
    specs[POYI_IN_POSITIONS] = poyi_spec(POY_F64, 2, n, 3);
    specs[POYI_IN_MEDIUM] = poyi_spec(POY_F64, 1, 3, 0);
}

/* Bodies with fewer layers than others have more of the innermost material inside, at radii that divide its own. */
static int padding(const poy_objective *o, const poyi_body *b)
{
    return o->layers - b->layers;
}

static poy_status fill_sphere(poy_ctx *ctx, const poyi_moment *p, int step, int copy)
{
    const poy_objective *o = p->o;
    const poyi_body *b = &o->s.bodies[o->s.owner[copy]];
    const int pad = padding(o, b);
    for (int j = 0; j < o->layers; j++) {
        const size_t at = (size_t)copy * (size_t)o->layers + (size_t)j;
        const int layer = j < pad ? 0 : j - pad;
        poy_medium m;
        POYI_TRY(ctx, poyi_matter_at(ctx, &b->matter[layer], p->k0, &m));
        poyi_tape_reals(&p->tape, step, POYI_IN_RADII)[at] =
            p->k0 * (j < pad ? b->radii[0] * (j + 1) / (pad + 1) : b->radii[layer]);
        poyi_tape_complexes(&p->tape, step, POYI_IN_EPSILON)[at] = m.epsilon;
        poyi_tape_complexes(&p->tape, step, POYI_IN_MU)[at] = m.mu;
        poyi_tape_complexes(&p->tape, step, POYI_IN_KAPPA)[at] = m.kappa;
    }
    return POY_OK;
}

poy_status poyi_spheres_fill(poy_ctx *ctx, const poyi_moment *p, int step)
{
    *poyi_tape_reals(&p->tape, step, POYI_IN_K0) = 1;
    for (int i = 0; i < p->o->s.n; i++)
        POYI_TRY(ctx, fill_sphere(ctx, p, step, i));
    for (int i = 0; i < 3 * p->o->s.n; i++)
        poyi_tape_reals(&p->tape, step, POYI_IN_POSITIONS)[i] = p->k0 * p->o->s.positions[i];
    return POY_OK;
}

/* epsilon = (n + ik)^2 / mu */
poy_c128 poyi_material_tangent(const poyi_variable *v, const poy_medium *m, int i)
{
    double n[2];
    if (v->kind == POYI_PARAMETER_PERMITTIVITY)
        return i % 2 ? (poy_c128){0, 1} : (poy_c128){1, 0};
    poyi_index_of(m, n);
    const poy_c128 slope = {2 * n[0] / m->mu.re, 2 * n[1] / m->mu.re};
    return i % 2 ? (poy_c128){-slope.im, slope.re} : slope;
}

/* k0 and the permittivities that depend on it. */
static poy_status wavelength_moves(poy_ctx *ctx, const poyi_moment *p, int step, poyi_put *put, void *user)
{
    const poy_objective *o = p->o;
    const double by = -p->k0 / (2 * POYI_PI); /* d k0 / k0 */
    put(user, step, POYI_IN_K0, 0, (poy_c128){by, 0});
    for (int copy = 0; copy < o->s.n; copy++) {
        const poyi_body *b = &o->s.bodies[o->s.owner[copy]];
        const int pad = padding(o, b);
        for (int j = 0; j < o->layers; j++) {
            const poyi_matter *m = &b->matter[j < pad ? 0 : j - pad];
            poy_c128 slope;
            if (!m->material)
                continue;
            POYI_TRY(ctx, poyi_matter_slope(ctx, m, p->k0, &slope));
            put(user, step, POYI_IN_EPSILON, (size_t)copy * (size_t)o->layers + (size_t)j,
                (poy_c128){by * p->k0 * slope.re, by * p->k0 * slope.im});
        }
    }
    return POY_OK;
}

static void particle_moves(const poyi_moment *p, int step, const poyi_variable *v, int i, poyi_put *put, void *user)
{
    const poy_objective *o = p->o;
    const poyi_body *b = &o->s.bodies[v->body];
    const int pad = padding(o, b);
    for (int copy = 0, k = 0; copy < o->s.n; copy++) {
        const size_t row = (size_t)copy * (size_t)o->layers;
        if (o->s.owner[copy] != v->body)
            continue;
        if (v->kind == POYI_PARAMETER_POSITIONS) {
            if (k++ == i / 3)
                put(user, step, POYI_IN_POSITIONS, 3 * (size_t)copy + (size_t)(i % 3), (poy_c128){p->k0, 0});
        } else if (v->kind == POYI_PARAMETER_RADII) {
            put(user, step, POYI_IN_RADII, row + (size_t)(pad + (v->n == 1 ? b->layers - 1 : i)), (poy_c128){p->k0, 0});
        } else {
            for (int j = i / 2 ? pad + i / 2 : 0; j <= pad + i / 2; j++)
                put(user, step, POYI_IN_EPSILON, row + (size_t)j,
                    poyi_material_tangent(v, &b->matter[i / 2].constant, i));
        }
    }
}

poy_status poyi_spheres_moves(poy_ctx *ctx, const poyi_moment *p, int step, const poyi_variable *v, int i,
                              poyi_put *put, void *user)
{
    if (v->kind == POYI_PARAMETER_WAVELENGTH)
        return wavelength_moves(ctx, p, step, put, user);
    if (v->body >= 0)
        particle_moves(p, step, v, i, put, user);
    return POY_OK;
}

/* ---- cross sections: one step ---- */

static poy_status open_sections(poy_ctx *ctx, poyi_moment *p)
{
    poy_rec_spec specs[INPUTS];
    char options[32];
    poy_medium medium;
    int step;
    const poy_objective *o = p->o;
    const double area = 1 / (p->k0 * p->k0 * o->n_points);
    poyi_spheres_specs(o, specs);
    specs[AMPLITUDE] = poyi_spec(POY_C128, 1, 2, 0);
    specs[DIRECTION] = poyi_spec(POY_F64, 1, 3, 0);
    snprintf(options, sizeof options, "lmax=%d", p->lmax);
    POYI_TRY(ctx, poyi_tape_open(ctx, 1, &p->tape));
    POYI_TRY(ctx, poyi_tape_add(ctx, &p->tape, "poy.spheres_cross_sections", options, INPUTS, specs, NULL, &step));
    POYI_TRY(ctx, poyi_spheres_fill(ctx, p, step));
    POYI_TRY(ctx, poyi_matter_at(ctx, &o->s.medium, p->k0, &medium));
    const double parts[3] = {medium.epsilon.re, medium.mu.re, medium.kappa.re};
    memcpy(poyi_tape_reals(&p->tape, step, POYI_IN_MEDIUM), parts, sizeof parts);
    memcpy(poyi_tape_reals(&p->tape, step, AMPLITUDE), o->s.lights->polarisation,
           sizeof o->s.lights->polarisation); /* pol 0, pol 1 */
    memcpy(poyi_tape_reals(&p->tape, step, DIRECTION), o->s.lights->direction, sizeof o->s.lights->direction);
    for (int j = 0; j < 2; j++)
        p->terms[p->n_terms++] = (poyi_term){j, 0, o->weight[j] * area, 0};
    return POY_OK;
}

static poy_status sections_move(poy_ctx *ctx, const poyi_moment *p, const poyi_variable *v, int i, poyi_put *put,
                                void *user)
{
    poy_c128 slope;
    POYI_TRY(ctx, poyi_spheres_moves(ctx, p, 0, v, i, put, user));
    if (v->kind != POYI_PARAMETER_WAVELENGTH || !p->o->s.medium.material)
        return POY_OK;
    POYI_TRY(ctx, poyi_matter_slope(ctx, &p->o->s.medium, p->k0, &slope));
    put(user, 0, POYI_IN_MEDIUM, 0, (poy_c128){-p->k0 * p->k0 / (2 * POYI_PI) * slope.re, 0});
    return POY_OK;
}

/* ---- any ---- */

poy_status poyi_moment_moves(poy_ctx *ctx, const poyi_moment *p, const poyi_variable *v, int i, poyi_put *put,
                             void *user)
{
    return p->o->s.array ? poyi_array_moves(ctx, p, v, i, put, user) : sections_move(ctx, p, v, i, put, user);
}

static void want(void *user, int step, int input, size_t element, poy_c128 tangent)
{
    poyi_moment *p = user;
    (void)element, (void)tangent;
    p->tape.steps[step].wanted[input] = 1;
}

static poy_status find_wanted(poy_ctx *ctx, poyi_moment *p)
{
    for (int k = 0; k < p->o->n_variables; k++)
        for (int i = 0; i < p->o->variables[k].n; i++)
            POYI_TRY(ctx, poyi_moment_moves(ctx, p, &p->o->variables[k], i, want, p));
    poyi_tape_activate(&p->tape);
    return POY_OK;
}

poy_status poyi_moment_open(poy_ctx *ctx, const poy_objective *o, int i, poyi_moment *p)
{
    *p = (poyi_moment){.o = o, .k0 = o->k0[i], .lmax = o->lmax[i], .whole = 1};
    poy_status status = o->s.array ? poyi_array_open(ctx, p) : open_sections(ctx, p);
    if (status == POY_OK)
        status = find_wanted(ctx, p);
    if (status != POY_OK)
        poyi_moment_close(p);
    return status;
}

void poyi_moment_close(poyi_moment *p)
{
    poyi_tape_close(&p->tape);
    poyi_free(&p->memory);
}

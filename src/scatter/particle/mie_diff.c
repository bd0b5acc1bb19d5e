/* mie_diff.c: derivatives of the coefficients of layered spheres and cylinders. They are analytic functions of all inputs, so
 * the tangents of the boundary conditions give one Jacobian that serves both directions. */
#include "scatter/particle/mie_diff.h"

#include <string.h>

static poyi_particle_point point_of(const poyi_mie_call *call)
{
    return (poyi_particle_point){.layers = call->layers,
                                 .x = call->x,
                                 .epsilon = call->epsilon,
                                 .mu = call->mu,
                                 .kappa = call->kappa,
                                 .kz = call->kz,
                                 .k0 = call->k0};
}

static poy_status check(poy_ctx *ctx, const poyi_mie_call *call, const poyi_particle_point *p)
{
    const int64_t least = call->cylinder ? 0 : 1;
    for (size_t i = 0; i < call->n; i++) {
        const int64_t order = call->cylinder && call->label[i] < 0 ? -call->label[i] : call->label[i];
        if (order < least || order > POY_DEGREE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: label[%zu] = %lld, needs %d to %d",
                             call->cylinder ? "mie_cyl" : "mie", i, (long long)call->label[i],
                             call->cylinder ? -POY_DEGREE_MAX : 1, POY_DEGREE_MAX);
    }
    if (call->cylinder)
        POYI_TRY(ctx, poyi_cylinder_check(ctx, "mie_cyl", 0, p));
    else
        POYI_TRY(ctx, poyi_sphere_check(ctx, "mie", 0, p));
    return POY_OK;
}

/* Input j as its place in one of the arrays: real (kz, k0, x) or complex (epsilon, mu, kappa). */
static double *real_slot(const poyi_mie_call *call, const poyi_mie_inputs_of *in, size_t j)
{
    const size_t head = call->cylinder ? 2 : 0;
    if (j < head)
        return j == 0 ? in->kz : in->k0;
    return j < head + call->layers && in->x ? in->x + (j - head) : NULL;
}

static poy_c128 *complex_slot(const poyi_mie_call *call, const poyi_mie_inputs_of *in, size_t j)
{
    const size_t first = (call->cylinder ? 2 : 0) + call->layers, media = call->layers + 1;
    if (j < first)
        return NULL;
    poy_c128 *const parts[3] = {in->epsilon, in->mu, in->kappa};
    poy_c128 *const part = parts[(j - first) / media];
    return part ? part + (j - first) % media : NULL;
}

/* Brings the tangents that are wanted to the front, of which there are so many then; from[] tells where each was. */
static size_t choose(const poyi_mie_call *call, const poyi_mie_inputs_of *wanted, poyi_layered *l, size_t *from)
{
    size_t n = 0;
    for (size_t j = 0; j < poyi_mie_inputs(call); j++) {
        if (wanted && !real_slot(call, wanted, j) && !complex_slot(call, wanted, j))
            continue;
        l->tangent[n] = l->tangent[j];
        from[n++] = j;
    }
    l->tangents = n;
    return n;
}

/* Labels of cylinders of one sign share the boundary conditions. */
static void run_sign(const poyi_mie_call *call, const poyi_mie_inputs_of *wanted, const poyi_particle_point *p,
                     int sign, int64_t highest, void *memory, poyi_matrix2 *scratch, poy_c128 *jacobian)
{
    poyi_layered l;
    const size_t inputs = poyi_mie_inputs(call);
    size_t n = 0, *from = (size_t *)(void *)(scratch + 1 + inputs);
    int filled = 0;
    poyi_layered_place(&l, memory, call->cylinder ? POYI_WAVES_OF_CYLINDERS : POYI_WAVES_OF_SPHERES, call->layers,
                       highest, inputs);
    for (size_t i = 0; i < call->n; i++) {
        const int64_t label = call->label[i], order = label < 0 ? -label : label;
        if (call->cylinder && (label > 0) - (label < 0) != sign)
            continue;
        if (!filled && call->cylinder)
            poyi_cylinder_fill(p, sign, &l);
        else if (!filled)
            poyi_sphere_fill(p, 0, &l);
        if (!filled) {
            poyi_layered_pairs(&l, 2);
            n = choose(call, wanted, &l, from);
        }
        filled = 1;
        poyi_layered_coupled(&l, order, scratch, scratch + 1);
        memset(jacobian + i * inputs * 4, 0, inputs * 4 * sizeof *jacobian);
        for (size_t j = 0; j < n; j++)
            for (size_t entry = 0; entry < 4; entry++)
                jacobian[(i * inputs + from[j]) * 4 + entry] = poyi_pair(scratch[1 + j].m[entry / 2][entry % 2]);
    }
}

poy_status poyi_mie_jacobian(poy_ctx *ctx, const poyi_mie_call *call, const poyi_mie_inputs_of *wanted,
                             poy_c128 *jacobian)
{
    const poyi_particle_point p = point_of(call);
    const size_t inputs = poyi_mie_inputs(call);
    int64_t highest = 1;
    void *memory = NULL;
    POYI_TRY(ctx, check(ctx, call, &p));
    for (size_t i = 0; i < call->n; i++) {
        const int64_t order = call->label[i] < 0 ? -call->label[i] : call->label[i];
        highest = order > highest ? order : highest;
    }
    const size_t bytes = (poyi_layered_bytes(call->layers, highest, inputs) + 63) / 64 * 64;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.mie", bytes + (inputs + 1) * sizeof(poyi_matrix2) + inputs * sizeof(size_t),
                             &memory));
    poyi_matrix2 *scratch = (poyi_matrix2 *)(void *)((unsigned char *)memory + bytes);
    for (int sign = call->cylinder ? -1 : 0; sign <= (call->cylinder ? 1 : 0); sign++)
        run_sign(call, wanted, &p, sign, highest, memory, scratch, jacobian);
    poyi_free(&memory);
    for (size_t i = 0; i < call->n * inputs * 4; i++)
        if (!isfinite(jacobian[i].re) || !isfinite(jacobian[i].im))
            return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: a derivative is beyond the largest double",
                             call->cylinder ? "mie_cyl" : "mie");
    return POY_OK;
}

/* ---- both directions ---- */

void poyi_mie_push(const poyi_mie_call *call, const poy_c128 *jacobian, const poyi_mie_inputs_of *d, poy_c128 *d_out)
{
    const size_t inputs = poyi_mie_inputs(call);
    for (size_t i = 0; i < call->n; i++)
        for (size_t entry = 0; entry < 4; entry++) {
            double complex sum = 0.0;
            for (size_t j = 0; j < inputs; j++) {
                const double *re = real_slot(call, d, j);
                const poy_c128 *z = complex_slot(call, d, j);
                const double complex tangent = re ? *re : z ? poyi_c(*z) : 0.0;
                sum += tangent * poyi_c(jacobian[(i * inputs + j) * 4 + entry]);
            }
            d_out[4 * i + entry] = poyi_pair(sum);
        }
}

void poyi_mie_pull(const poyi_mie_call *call, const poy_c128 *jacobian, const poy_c128 *g_out,
                   const poyi_mie_inputs_of *g)
{
    const size_t inputs = poyi_mie_inputs(call);
    for (size_t j = 0; j < inputs; j++) {
        double *re = real_slot(call, g, j);
        poy_c128 *z = complex_slot(call, g, j);
        double complex sum = 0.0;
        for (size_t i = 0; i < call->n && (re || z); i++)
            for (size_t entry = 0; entry < 4; entry++)
                sum += conj(poyi_c(jacobian[(i * inputs + j) * 4 + entry])) * poyi_c(g_out[4 * i + entry]);
        if (re)
            *re += creal(sum);
        if (z)
            *z = poyi_pair(poyi_c(*z) + sum);
    }
}

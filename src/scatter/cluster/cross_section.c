/* cross_section.c: powers that a T-matrix scatters and takes from a wave, for one wave and as means over all. */
#include <string.h>

#include "scatter/cluster/axial.h"
#include "scatter/cluster/cross_section.h"
#include "scatter/cluster/handedness.h"
#include "scatter/cluster/power.h"

#include "record/lapack.h"

static const double pi = 3.14159265358979323846;

poy_status poyi_far_field_medium(poy_ctx *ctx, const char *who, const poy_embedding *e, poyi_optics *out)
{
    POYI_TRY(ctx, poyi_embedding_optics(ctx, e, out));
    for (int pol = 0; pol < 2; pol++)
        if (cimag(out->ks[pol]) != 0.0 || !(creal(out->ks[pol]) > 0.0) || cimag(out->impedance) != 0.0)
            return POYI_FAIL(
                ctx, POY_ERR_UNSUPPORTED,
                "%s: the surroundings, epsilon = %g%+gi and mu = %g%+gi, absorb or do not carry waves: there is "
                "no far field in them",
                who, creal(out->epsilon), cimag(out->epsilon), creal(out->mu), cimag(out->mu));
    return POY_OK;
}

static poyi_power power_of(const poyi_optics *optics, const poy_basis *basis, double scale)
{
    return (poyi_power){.basis = basis, .ks = {creal(optics->ks[0]), creal(optics->ks[1])}, .scale = scale};
}

poy_status poy_scattered_cross_sections(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                        const poy_c128 *incident, const poy_c128 *scattered, double flux,
                                        poy_cross_sections *out)
{
    poy_status status = POY_OK;
    poyi_optics optics;
    void *memory = NULL;
    poyi_axial *expansion = NULL;
    const size_t n = basis->size;
    if (poyi_basis_is_plane(basis))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cross sections: %s waves; needs multipoles",
                         poyi_basis_kind_name(basis->kind));
    if (!(flux > 0.0) || !isfinite(flux))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cross sections: flux = %g, needs a finite number above 0", flux);
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "cross sections", embedding, &optics));
    const int global = poy_basis_is_global(basis);
    const int axial = !global && basis->kind == POY_BASIS_SPHERICAL && embedding->poltype == POY_HELICITY;
    if (axial) {
        POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cross", n * sizeof(poy_c128), &memory));
        POYI_TO_DONE(ctx, poyi_axial_create(ctx, embedding, basis, 0, &expansion));
        poyi_axial_apply(expansion, scattered, memory);
    } else if (!global) {
        POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cross", (n * n + n) * sizeof(poy_c128), &memory));
        POYI_TO_DONE(ctx, poy_op_expand(ctx, embedding, basis, POY_REGULAR, basis, POY_REGULAR, memory));
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, 1, (int64_t)n, 1.0, memory, scattered, 0.0,
                  (poy_c128 *)memory + n * n);
    }
    const poy_c128 *all = global ? scattered : axial ? memory : (poy_c128 *)memory + n * n; /* C p */
    poyi_power power = power_of(&optics, basis, poyi_power_scale(basis, flux));
    double sums[2];
    power.incident = incident;
    power.scattered = scattered;
    power.weighted = all;
    poyi_power_sums(&power, sums);
    *out = (poy_cross_sections){sums[0], sums[1], sums[1] - sums[0]};
done:
    poyi_axial_destroy(&expansion);
    poyi_free(&memory);
    return status;
}

poy_status poy_tmatrix_cross_sections(poy_ctx *ctx, const poy_tmatrix *t, const poy_c128 *incident, double flux,
                                      poy_cross_sections *out)
{
    poy_status status;
    void *memory = NULL;
    poyi_optics optics;
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "cross sections", &t->embedding, &optics));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cross", t->n * sizeof(poy_c128), &memory));
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)t->n, 1, (int64_t)t->n, 1.0, t->values, incident, 0.0, memory);
    POYI_TO_DONE(ctx, poy_scattered_cross_sections(ctx, &t->embedding, t->basis, incident, memory, flux, out));
done:
    poyi_free(&memory);
    return status;
}

static size_t distinct_kz(const poy_basis *basis)
{
    size_t count = 0;
    for (size_t i = 0; i < basis->size; i++) {
        size_t j = 0;
        while (j < i && basis->modes[j].kz != basis->modes[i].kz)
            j++;
        count += j == i;
    }
    return count;
}

static poy_status need_one_origin(poy_ctx *ctx, const char *who, const poy_tmatrix *t)
{
    if (!poy_basis_is_global(t->basis))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: the T-matrix has several origins; put it in waves of one first",
                         who);
    return POY_OK;
}

poy_status poy_tmatrix_average(poy_ctx *ctx, const poy_tmatrix *t, poy_cross_sections *out)
{
    poyi_optics optics;
    double scattering = 0.0, extinction = 0.0;
    POYI_TRY(ctx, need_one_origin(ctx, "average", t));
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "average", &t->embedding, &optics));
    const poyi_power power = power_of(&optics, t->basis, 1.0);
    for (size_t i = 0; i < t->n; i++) {
        const double weight = poyi_power_of(&power, i);
        extinction -= weight * t->values[i * t->n + i].re;
        for (size_t j = 0; j < t->n; j++) {
            const poy_c128 v = t->values[i * t->n + j];
            scattering += weight * (v.re * v.re + v.im * v.im);
        }
    }
    const double scale = t->basis->kind == POY_BASIS_SPHERICAL ? 2.0 * pi : 2.0 / (double)distinct_kz(t->basis);
    *out = (poy_cross_sections){scale * scattering, scale * extinction, scale * (extinction - scattering)};
    return POY_OK;
}

/* ---- handedness ---- */

static poy_status need_helicity(poy_ctx *ctx, const char *who, const poy_tmatrix *t)
{
    POYI_TRY(ctx, need_one_origin(ctx, who, t));
    if (t->embedding.poltype != POY_HELICITY)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: the T-matrix has waves of parity, needs helicity", who);
    return POY_OK;
}

static poy_status metric(poy_ctx *ctx, const char *who, const poy_tmatrix *t, poyi_metric kind, double *out)
{
    poyi_optics optics;
    void *memory = NULL;
    POYI_TRY(ctx, need_helicity(ctx, who, t));
    if (kind == POYI_CIRCULAR_DICHROISM)
        POYI_TRY(ctx, poyi_far_field_medium(ctx, who, &t->embedding, &optics));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cross", t->n * (sizeof(double) + sizeof(int)), &memory));
    double *weight = memory;
    int *pol = (int *)(void *)(weight + t->n);
    for (size_t i = 0; i < t->n; i++) {
        weight[i] = kind == POYI_CIRCULAR_DICHROISM ? poyi_power_weight(&optics, t->basis, i) : 0.0;
        pol[i] = t->basis->modes[i].pol;
    }
    const poyi_metric_call call = {kind, t->n, t->values, pol, weight};
    const poy_status status = poyi_metric_value(ctx, &call, out, NULL, NULL, NULL);
    poyi_free(&memory);
    return status;
}

poy_status poy_tmatrix_circular_dichroism(poy_ctx *ctx, const poy_tmatrix *t, double *out)
{
    POYI_TRY(ctx, metric(ctx, "circular dichroism", t, POYI_CIRCULAR_DICHROISM, out));
    return POY_OK;
}

poy_status poy_tmatrix_duality_breaking(poy_ctx *ctx, const poy_tmatrix *t, double *out)
{
    POYI_TRY(ctx, metric(ctx, "duality breaking", t, POYI_DUALITY_BREAKING, out));
    return POY_OK;
}

poy_status poy_tmatrix_electromagnetic_chirality(poy_ctx *ctx, const poy_tmatrix *t, double *out)
{
    POYI_TRY(ctx, metric(ctx, "electromagnetic chirality", t, POYI_CHIRALITY, out));
    return POY_OK;
}

/* ---- where the expansions hold ---- */

poy_status poy_basis_valid_points(poy_ctx *ctx, const poy_basis *basis, const double *radii, size_t n,
                                  const double *points, unsigned char *valid)
{
    if (poyi_basis_is_plane(basis))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "valid points: %s waves have no origins",
                         poyi_basis_kind_name(basis->kind));
    for (size_t i = 0; i < basis->n_positions; i++)
        if (!(radii[i] >= 0.0))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "valid points: radius %zu is %g, needs 0 or more", i, radii[i]);
    for (size_t i = 0; i < n; i++) {
        valid[i] = 1;
        for (size_t j = 0; j < basis->n_positions && valid[i]; j++) {
            const double *p = points + 3 * i, *q = basis->positions + 3 * j;
            const double dz = basis->kind == POY_BASIS_SPHERICAL ? p[2] - q[2] : 0.0;
            valid[i] = hypot(hypot(p[0] - q[0], p[1] - q[1]), dz) > radii[j];
        }
    }
    return POY_OK;
}

/* momentum.c: force and torque of waves on particles, and the mean direction of what they scatter, by the generators of
 * translations and rotations in spherical waves. */
#include <string.h>

#include "poynting/farfield.h"
#include "record/lapack.h"
#include "scatter/cluster/axial.h"
#include "scatter/cluster/cluster.h"
#include "scatter/cluster/cross_section.h"
#include "scatter/cluster/power.h"
#include "scatter/waves/diff.h"

/* The modes of one particle as a basis of their own at the origin, and their places. */
static poy_status own_basis(poy_ctx *ctx, const poy_basis *basis, size_t particle, size_t *place, poy_basis **out)
{
    void *memory = NULL;
    size_t count = 0;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.momentum", (basis->size + 1) * sizeof(poy_wave_mode), &memory));
    poy_wave_mode *modes = memory;
    for (size_t i = 0; i < basis->size; i++)
        if ((size_t)basis->modes[i].particle == particle) {
            place[count] = i;
            modes[count] = basis->modes[i];
            modes[count++].particle = 0;
        }
    const poy_status status = poy_basis_sw_create(ctx, count, modes, 1, NULL, out);
    poyi_free(&memory);
    return status;
}

/* K = (1 / i k) d / d r_axis of the regular translation at r = 0, row-major [n][n]: in it plane waves are multiplied by the
 * cosine of their direction to the axis. */
static poy_status direction_matrix(poy_ctx *ctx, const poyi_optics *optics, poy_poltype poltype, const poy_basis *basis,
                                   int axis, poy_c128 *k)
{
    double by[3] = {0.0, 0.0, 0.0};
    const poyi_expansion e = {.destination = basis,
                              .source = basis,
                              .ks = {poyi_pair(optics->ks[0]), poyi_pair(optics->ks[1])},
                              .poltype = poltype};
    const poyi_expansion_inputs d = {.destination = by};
    by[axis] = 1.0;
    POYI_TRY(ctx, poyi_expansion_pushforward(ctx, &e, &d, k));
    for (size_t i = 0; i < basis->size; i++)
        for (size_t j = 0; j < basis->size; j++)
            k[i * basis->size + j] =
                poyi_pair(poyi_c(k[i * basis->size + j]) / (CMPLX(0.0, 1.0) * optics->ks[basis->modes[j].pol]));
    return POY_OK;
}

/* out = J_axis x: J_z = m, J_x = (J_+ + J_-) / 2, J_y = (J_+ - J_-) / 2i, J_+- from (l, m) to (l, m +- 1). */
static void rotate_by(const poy_basis *basis, int axis, const poy_c128 *x, poy_c128 *out)
{
    for (size_t i = 0; i < basis->size; i++) {
        const poy_wave_mode *mode = basis->modes + i;
        double complex sum = 0.0;
        if (axis == 2) {
            out[i] = (poy_c128){mode->m * x[i].re, mode->m * x[i].im};
            continue;
        }
        for (int side = -1; side <= 1; side += 2) { /* J_side raises m - side */
            poy_wave_mode from = *mode;
            from.m -= side;
            const int64_t at = poy_basis_find(basis, &from);
            const double factor = sqrt((double)(mode->l * (mode->l + 1)) - (double)(from.m * mode->m));
            if (at >= 0)
                sum += factor * poyi_c(x[at]) * (axis == 0 ? 0.5 : CMPLX(0.0, -0.5 * side));
        }
        out[i] = poyi_pair(sum);
    }
}

/* Re sum w_i x_i^* y_i */
static double weighted(const poyi_optics *optics, const poy_basis *basis, int by_wavenumber, const poy_c128 *x,
                       const poy_c128 *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < basis->size; i++) {
        const int pol = basis->modes[i].pol;
        double w = poyi_power_weight(optics, basis, i) * creal(optics->n[pol]) / creal(optics->index);
        if (by_wavenumber)
            w /= creal(optics->ks[pol]);
        sum += w * (x[i].re * y[i].re + x[i].im * y[i].im);
    }
    return sum;
}

/* One particle: -(Re a^H G p + p^H G p), G its generators; the flux of a plane wave of amplitude 1 cancels 0.5. */
static poy_status one_particle(poy_ctx *ctx, const poyi_optics *optics, poy_poltype poltype, const poy_basis *own,
                               const poy_c128 *a, const poy_c128 *p, poy_c128 *matrix, double *force, double *torque)
{
    const size_t n = own->size;
    poy_c128 *turned = matrix + n * n;
    for (int axis = 0; axis < 3; axis++) {
        if (force) {
            POYI_TRY(ctx, direction_matrix(ctx, optics, poltype, own, axis, matrix));
            poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, 1, (int64_t)n, 1.0, matrix, p, 0.0, turned);
            force[axis] = -weighted(optics, own, 0, a, turned) - weighted(optics, own, 0, p, turned);
        }
        if (torque) {
            rotate_by(own, axis, p, turned);
            torque[axis] = -weighted(optics, own, 1, a, turned) - weighted(optics, own, 1, p, turned);
        }
    }
    return POY_OK;
}

poy_status poy_scattered_forces(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                const poy_c128 *exciting, const poy_c128 *scattered, double *force, double *torque)
{
    poy_status status = POY_OK;
    poyi_optics optics;
    poy_basis *own = NULL;
    void *memory = NULL;
    const size_t n = basis->size;
    POYI_TRY(ctx, poyi_need_spherical(ctx, "force", basis));
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "force", embedding, &optics));
    POYI_TRY(ctx,
             poyi_alloc(ctx, "scatter.momentum", (n * n + 3 * n) * sizeof(poy_c128) + n * sizeof(size_t), &memory));
    poy_c128 *a = memory, *p = a + n, *matrix = p + n;
    size_t *place = (size_t *)(void *)(matrix + n * n + n);
    for (size_t i = 0; i < basis->n_positions; i++) {
        POYI_TO_DONE(ctx, own_basis(ctx, basis, i, place, &own));
        for (size_t j = 0; j < own->size; j++) {
            a[j] = exciting[place[j]];
            p[j] = scattered[place[j]];
        }
        POYI_TO_DONE(ctx, one_particle(ctx, &optics, embedding->poltype, own, a, p, matrix,
                                       force ? force + 3 * i : NULL, torque ? torque + 3 * i : NULL));
        poy_basis_destroy(&own);
    }
done:
    poy_basis_destroy(&own);
    poyi_free(&memory);
    return status;
}

poy_status poy_scattered_asymmetry(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                   const poy_c128 *scattered, double out[3])
{
    poy_status status = POY_OK;
    poyi_optics optics;
    void *memory = NULL;
    const size_t n = basis->size;
    POYI_TRY(ctx, poyi_need_spherical(ctx, "asymmetry parameter", basis));
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "asymmetry parameter", embedding, &optics));
    if (!poy_basis_is_global(basis))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "asymmetry parameter: several origins; put the scattered waves in waves of one first");
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.momentum", (n * n + n) * sizeof(poy_c128), &memory));
    poy_c128 *matrix = memory, *turned = matrix + n * n;
    double power = 0.0;
    for (size_t i = 0; i < n; i++)
        power += poyi_power_weight(&optics, basis, i) *
                 (scattered[i].re * scattered[i].re + scattered[i].im * scattered[i].im);
    if (power == 0.0) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "asymmetry parameter: nothing is scattered");
        goto done;
    }
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0.0;
        POYI_TO_DONE(ctx, direction_matrix(ctx, &optics, embedding->poltype, basis, axis, matrix));
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, 1, (int64_t)n, 1.0, matrix, scattered, 0.0, turned);
        for (size_t i = 0; i < n; i++)
            sum += poyi_power_weight(&optics, basis, i) *
                   (scattered[i].re * turned[i].re + scattered[i].im * turned[i].im);
        out[axis] = sum / power;
    }
done:
    poyi_free(&memory);
    return status;
}

/* sum = C scattered of cylindrical waves: all pairs at once. */
static poy_status couple(poy_ctx *ctx, const poy_cluster *cluster, const poy_c128 *scattered, poy_c128 *sum)
{
    poy_status status;
    void *memory = NULL;
    const size_t n = cluster->n;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.coupling", n * n * sizeof(poy_c128), &memory));
    POYI_TO_DONE(ctx, poy_op_expand(ctx, &cluster->embedding, cluster->basis, POY_REGULAR, cluster->basis, POY_SINGULAR,
                                    memory));
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, 1, (int64_t)n, 1.0, memory, scattered, 0.0, sum);
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_cluster_exciting(poy_ctx *ctx, const poy_cluster *cluster, const poy_c128 *incident,
                                const poy_c128 *scattered, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    const size_t n = cluster->n;
    poyi_axial *coupling = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", n * sizeof(poy_c128), &memory));
    poy_c128 *sum = memory;
    if (cluster->basis->kind == POY_BASIS_SPHERICAL) {
        POYI_TO_DONE(ctx, poyi_axial_create(ctx, &cluster->embedding, cluster->basis, 1, &coupling));
        poyi_axial_apply(coupling, scattered, sum);
    } else {
        POYI_TO_DONE(ctx, couple(ctx, cluster, scattered, sum));
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (poy_c128){incident[i].re + sum[i].re, incident[i].im + sum[i].im};
    status = POY_OK;
done:
    poyi_axial_destroy(&coupling);
    poyi_free(&memory);
    return status;
}

/* far_field.c: amplitudes far away, their Stokes parameters, and Mueller matrices. */
#include "poynting/farfield.h"

#include <string.h>

#include "scatter/cluster/cluster.h"
#include "scatter/cluster/cross_section.h"
#include "scatter/cluster/far_field.h"
#include "scatter/waves/diff.h"

poy_status poyi_need_spherical(poy_ctx *ctx, const char *who, const poy_basis *basis)
{
    if (basis->kind != POY_BASIS_SPHERICAL)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s of %s waves; needs spherical ones", who,
                         poyi_basis_kind_name(basis->kind));
    return POY_OK;
}

poy_status poyi_direction_check(poy_ctx *ctx, const char *who, size_t i, const double *d, double *length)
{
    *length = hypot(hypot(d[0], d[1]), d[2]);
    if (!(*length > 0.0) || !isfinite(*length))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: direction %zu is (%g, %g, %g), needs a finite one that is not 0",
                         who, i, d[0], d[1], d[2]);
    return POY_OK;
}

/* Both pols of a direction as wavevectors, and their coefficients in the basis, w[size][2]. */
static poy_status waves_along(poy_ctx *ctx, const poyi_optics *optics, poy_poltype poltype, const poy_basis *basis,
                              const double *direction, poy_c128 *w)
{
    static const int pol[2] = {0, 1};
    poy_c128 vectors[6];
    double length;
    POYI_TRY(ctx, poyi_direction_check(ctx, "far field", 0, direction, &length));
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 3; i++)
            vectors[3 * p + i] = poyi_pair(optics->ks[p] * (direction[i] / length));
    const poyi_incidence incidence = {basis, 2, vectors, pol, poltype};
    POYI_TRY(ctx, poyi_incidence_value(ctx, &incidence, w));
    return POY_OK;
}

poy_status poy_far_field(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                         const poy_c128 *scattered, size_t n, const double *directions, poy_c128 *out)
{
    poyi_optics optics;
    POYI_TRY(ctx, poyi_need_spherical(ctx, "far field", basis));
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "far field", embedding, &optics));
    const poyi_far_call call = {.basis = basis,
                                .ks = {creal(optics.ks[0]), creal(optics.ks[1])},
                                .poltype = embedding->poltype,
                                .scattered = scattered,
                                .n = n,
                                .directions = directions};
    POYI_TRY(ctx, poyi_far_value(ctx, &call, out));
    return POY_OK;
}

/* H_m(x) -> sqrt(2 / (pi x)) e^{i (x - m pi / 2 - pi / 4)} (DLMF 10.17.5), about the origin of coordinates. */
static double complex axial_factor(const poy_basis *basis, const poy_wave_mode *mode, double radial, double phi)
{
    const double *r = basis->positions + 3 * (ptrdiff_t)mode->particle, quarter = 0.78539816339744830962;
    const double turn = mode->m * (phi - 2.0 * quarter) - quarter,
                 path = radial * (r[0] * cos(phi) + r[1] * sin(phi)) + mode->kz * r[2];
    return sqrt(2.0 / (4.0 * quarter * radial)) * cexp(CMPLX(0.0, turn - path));
}

poy_status poy_far_field_cylindrical(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                     const poy_c128 *scattered, double kz, size_t n, const double *phi, poy_c128 *out)
{
    poyi_optics optics;
    double radial[2];
    int known = 0;
    if (basis->kind != POY_BASIS_CYLINDRICAL)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "far field of cylinders of %s waves; needs cylindrical ones",
                         poyi_basis_kind_name(basis->kind));
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "far field of cylinders", embedding, &optics));
    for (int pol = 0; pol < 2; pol++) {
        const double k = creal(optics.ks[pol]);
        radial[pol] = sqrt((k - kz) * (k + kz));
        if (!(radial[pol] > 0.0))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "far field of cylinders: waves of kz = %g do not leave a medium of k = %g", kz, k);
    }
    for (size_t i = 0; i < n; i++)
        if (!isfinite(phi[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "far field of cylinders: phi[%zu] = %g", i, phi[i]);
    for (size_t k = 0; k < basis->size; k++)
        known |= basis->modes[k].kz == kz;
    if (!known)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "far field of cylinders: no mode has kz = %g", kz);
    memset(out, 0, 2 * n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < basis->size; k++) {
            const poy_wave_mode *mode = basis->modes + k;
            poy_c128 *f = out + 2 * i + mode->pol;
            if (mode->kz == kz)
                *f =
                    poyi_pair(poyi_c(*f) + axial_factor(basis, mode, radial[mode->pol], phi[i]) * poyi_c(scattered[k]));
        }
    return POY_OK;
}

/* E_theta and E_phi of amplitudes: N = -theta, M = -i phi, A = (N + s M) / sqrt 2. */
static void transverse(poy_poltype poltype, const double complex f[2], double complex e[2])
{
    const double root = sqrt(0.5);
    const double complex n = poltype == POY_PARITY ? f[1] : root * (f[1] + f[0]);
    const double complex m = poltype == POY_PARITY ? f[0] : root * (f[1] - f[0]);
    e[0] = -n;
    e[1] = CMPLX(0.0, -1.0) * m;
}

/* Re(E_i E_j^*)-like products of two amplitude pairs as Stokes parameters (sesquilinear, for Mueller matrices). */
static void stokes_of(const double complex a[2], const double complex b[2], double complex s[4])
{
    const double complex tt = a[0] * conj(b[0]), pp = a[1] * conj(b[1]), tp = a[0] * conj(b[1]), pt = a[1] * conj(b[0]);
    s[0] = tt + pp;
    s[1] = tt - pp;
    s[2] = tp + pt;
    s[3] = CMPLX(0.0, 1.0) * (tp - pt); /* E_phi = i E_theta has positive helicity */
}

poy_status poy_stokes(poy_ctx *ctx, poy_poltype poltype, size_t n, const poy_c128 *amplitudes, double *out)
{
    if (poltype != POY_HELICITY && poltype != POY_PARITY)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "poltype %d: there are POY_HELICITY and POY_PARITY", (int)poltype);
    for (size_t i = 0; i < n; i++) {
        const double complex f[2] = {poyi_c(amplitudes[2 * i]), poyi_c(amplitudes[2 * i + 1])};
        double complex e[2], s[4];
        transverse(poltype, f, e);
        stokes_of(e, e, s);
        for (size_t j = 0; j < 4; j++)
            out[4 * i + j] = creal(s[j]);
    }
    return POY_OK;
}

/* The Mueller matrix of an amplitude matrix: columns are the far E (theta, phi) for incident E_theta = 1 and E_phi = 1. With
 * E = sum_q J_q e_q, E_i E_j^* = sum J_iq J_jr^* e_q e_r^*, and e_q e_r^* from the incident Stokes parameters. */
static void mueller(double complex j[2][2], double *out)
{
    double complex part[2][2][4]; /* [q][r]: Stokes parameters of J_q J_r^* */
    for (int q = 0; q < 2; q++)
        for (int r = 0; r < 2; r++) {
            const double complex a[2] = {j[0][q], j[1][q]}, b[2] = {j[0][r], j[1][r]};
            stokes_of(a, b, part[q][r]);
        }
    for (size_t row = 0; row < 4; row++) {
        out[4 * row] = 0.5 * creal(part[0][0][row] + part[1][1][row]);
        out[4 * row + 1] = 0.5 * creal(part[0][0][row] - part[1][1][row]);
        out[4 * row + 2] = 0.5 * creal(part[0][1][row] + part[1][0][row]);
        /* e_0 e_1^* = (U - i V) / 2 */
        out[4 * row + 3] = 0.5 * creal(CMPLX(0.0, -1.0) * (part[0][1][row] - part[1][0][row]));
    }
}

poy_status poy_cluster_mueller(poy_ctx *ctx, const poy_cluster *cluster, const double incident[3], size_t n,
                               const double *directions, double *out)
{
    poy_status status;
    poyi_optics optics;
    void *memory = NULL;
    const poy_basis *basis = cluster->basis;
    const poy_poltype poltype = cluster->embedding.poltype;
    const size_t size = basis->size;
    POYI_TRY(ctx, poyi_need_spherical(ctx, "Mueller matrix", basis));
    POYI_TRY(ctx, poyi_far_field_medium(ctx, "Mueller matrix", &cluster->embedding, &optics));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.far", (6 * size + 4 * n) * sizeof(poy_c128), &memory));
    poy_c128 *a = memory, *p = a + 2 * size, *column = p + 2 * size, *far = column + 2 * size;
    POYI_TO_DONE(ctx, waves_along(ctx, &optics, poltype, basis, incident, a));
    POYI_TO_DONE(ctx, poy_cluster_scatter(ctx, cluster, 2, a, p));
    for (size_t q = 0; q < 2; q++) {
        for (size_t i = 0; i < size; i++)
            column[i] = p[2 * i + q];
        POYI_TO_DONE(ctx, poy_far_field(ctx, &cluster->embedding, basis, column, n, directions, far + 2 * n * q));
    }
    for (size_t i = 0; i < n; i++) {
        double complex e[2][2], j[2][2], into[2][2]; /* [component][incident pol] */
        for (size_t q = 0; q < 2; q++) {
            const double complex f[2] = {poyi_c(far[2 * (n * q + i)]), poyi_c(far[2 * (n * q + i) + 1])};
            const double complex unit[2] = {q == 0, q == 1};
            double complex v[2];
            transverse(poltype, f, v);
            e[0][q] = v[0], e[1][q] = v[1];
            transverse(poltype, unit, v);
            into[0][q] = v[0], into[1][q] = v[1];
        }
        for (int row = 0; row < 2; row++) /* into is unitary: J = E into^H */
            for (int col = 0; col < 2; col++)
                j[row][col] = e[row][0] * conj(into[col][0]) + e[row][1] * conj(into[col][1]);
        mueller(j, out + 16 * i);
    }
done:
    poyi_free(&memory);
    return status;
}

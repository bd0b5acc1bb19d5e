/* ports.c: bases of plane waves, by direction and by two components of the wavevector. */
#include <string.h>

#include "core/constants.h"
#include "scatter/waves/basis.h"
#include "scatter/waves/vector_wave.h"

static void release(poy_wave_mode *modes)
{
    void *memory = modes;
    poyi_free(&memory);
}

/* q / sqrt(q.q), scaled before so that no square leaves the range. What has unit norm to rounding stays as it is: of an
 * evanescent direction, where q.q = 1 is a difference of large squares, the norm knows less than the components. */
static poy_status normalise(poy_ctx *ctx, size_t i, const poy_c128 q[3], poy_c128 out[3])
{
    double scale = 0.0;
    poyi_xreal size = 0.0L;
    poyi_xcomplex v[3], square = 0.0L;
    for (int j = 0; j < 3; j++)
        scale = fmax(scale, fmax(fabs(q[j].re), fabs(q[j].im)));
    for (int j = 0; j < 3; j++) {
        if (!isfinite(q[j].re) || !isfinite(q[j].im))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "plane basis: the direction of mode %zu is not finite", i);
        v[j] = scale > 0.0 ? poyi_x(poyi_c(q[j])) / (poyi_xreal)scale : 0.0L;
        square += poyi_xmul(v[j], v[j]);
        size += creall(v[j]) * creall(v[j]) + cimagl(v[j]) * cimagl(v[j]);
    }
    const poyi_xreal unit = 1.0L / ((poyi_xreal)scale * (poyi_xreal)scale);
    if (scale > 0.0 && poyi_xsize(square - unit) <= 8.0L * 0x1p-52L * size) {
        memcpy(out, q, 3 * sizeof *q);
        return POY_OK;
    }
    if (square == 0.0L)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "plane basis: mode %zu has q.q = 0, which is no direction", i);
    const poyi_xcomplex length = poyi_principal_root(square);
    for (int j = 0; j < 3; j++)
        out[j] = poyi_pair((double complex)(v[j] / length));
    return POY_OK;
}

poy_status poy_basis_pw_create(poy_ctx *ctx, size_t n, const poy_wave_mode *modes, poy_basis **out)
{
    poy_status status;
    void *memory = NULL;
    size_t bytes;
    *out = NULL;
    POYI_TRY(ctx, poyi_mul_size(ctx, n, sizeof *modes, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.basis", bytes, &memory));
    poy_wave_mode *unit = memory;
    for (size_t i = 0; i < n; i++) {
        unit[i] = modes[i];
        POYI_TO_DONE(ctx, normalise(ctx, i, modes[i].q, unit[i].q));
    }
    POYI_TO_DONE(ctx, poyi_basis_make(ctx, POY_BASIS_PLANE, POY_XY, n, unit, 0, NULL, out));
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_ports_create(poy_ctx *ctx, poy_alignment alignment, size_t n, const poy_wave_mode *modes,
                            poy_basis **out)
{
    *out = NULL;
    if (alignment != POY_XY && alignment != POY_YZ && alignment != POY_ZX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "ports: alignment %d: there are POY_XY, POY_YZ and POY_ZX",
                         (int)alignment);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(modes[i].component[0]) || !isfinite(modes[i].component[1]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "ports: the components of mode %zu are not finite", i);
    POYI_TRY(ctx, poyi_basis_make(ctx, POY_BASIS_PORTS, alignment, n, modes, 0, NULL, out));
    return POY_OK;
}

/* Modes with pol 1 and 0 of each of n directions or pairs of components. */
static poy_status doubled(poy_ctx *ctx, size_t n, const poy_c128 *q, const double *components, poy_wave_mode **out)
{
    void *memory = NULL;
    size_t bytes;
    POYI_TRY(ctx, poyi_mul_size(ctx, n, 2 * sizeof(poy_wave_mode), &bytes));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "waves.basis", bytes, &memory));
    *out = memory;
    for (size_t i = 0; i < 2 * n; i++) {
        poy_wave_mode *m = *out + i;
        m->pol = i % 2 == 0;
        if (q)
            memcpy(m->q, q + 3 * (i / 2), sizeof m->q);
        else
            memcpy(m->component, components + 2 * (i / 2), sizeof m->component);
    }
    return POY_OK;
}

poy_status poy_basis_pw_default(poy_ctx *ctx, size_t n, const poy_c128 *q, poy_basis **out)
{
    poy_status status;
    poy_wave_mode *modes = NULL;
    *out = NULL;
    POYI_TRY(ctx, doubled(ctx, n, q, NULL, &modes));
    POYI_TO_DONE(ctx, poy_basis_pw_create(ctx, 2 * n, modes, out));
done:
    release(modes);
    return status;
}

poy_status poy_ports_default(poy_ctx *ctx, poy_alignment alignment, size_t n, const double *components, poy_basis **out)
{
    poy_status status;
    poy_wave_mode *modes = NULL;
    *out = NULL;
    POYI_TRY(ctx, doubled(ctx, n, NULL, components, &modes));
    POYI_TO_DONE(ctx, poy_ports_create(ctx, alignment, 2 * n, modes, out));
done:
    release(modes);
    return status;
}

/* ---- diffraction orders ---- */

/* The (i, j) of the search in their order, into out where it is not NULL; their number. G = i b[0] + j b[1]. Since
 * a_1.G = 2 pi i, no order with |G| <= bmax has |i| above |a_1| bmax / 2 pi. */
typedef struct orders {
    double b[2][2], bmax;
    long limit[2];
} orders;

static int inside(const orders *o, double i, double j)
{
    return hypot(i * o->b[0][0] + j * o->b[1][0], i * o->b[0][1] + j * o->b[1][1]) <= o->bmax * (1.0 + 8.0 * 0x1p-52);
}

static size_t collect(const orders *o, double (*out)[2])
{
    size_t n = 0;
    for (long i = 0; i <= o->limit[0]; i++)
        for (int side = 0; side < (i == 0 ? 1 : 2); side++)
            for (long j = side; j <= o->limit[1]; j++) {
                const double column = side ? -(double)j : (double)j;
                if (!inside(o, (double)i, column))
                    continue;
                for (int opposite = 0; opposite < (i == 0 && j == 0 ? 1 : 2); opposite++, n++)
                    if (out) {
                        out[n][0] = opposite ? -(double)i : (double)i;
                        out[n][1] = opposite ? -column : column;
                    }
            }
    return n;
}

static poy_status prepare(poy_ctx *ctx, const double a[2][2], double bmax, orders *o)
{
    const double area = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    if (!isfinite(area) || fabs(area) <= 8.0 * 0x1p-52 * hypot(a[0][0], a[0][1]) * hypot(a[1][0], a[1][1]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "diffraction orders: the cell (%g, %g), (%g, %g) has no area", a[0][0],
                         a[0][1], a[1][0], a[1][1]);
    if (!isfinite(bmax) || bmax < 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "diffraction orders: bmax = %g, needs a finite number of at least 0",
                         bmax);
    const double scale = 2.0 * POYI_PI / area;
    *o = (orders){.b = {{scale * a[1][1], -scale * a[1][0]}, {-scale * a[0][1], scale * a[0][0]}}, .bmax = bmax};
    for (int i = 0; i < 2; i++) {
        const double limit = floor(hypot(a[i][0], a[i][1]) * bmax / (2.0 * POYI_PI) + 1e-6);
        if (limit > 1e4)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "diffraction orders: bmax = %g gives orders to %g, at most 1e4",
                             bmax, limit);
        o->limit[i] = (long)limit;
    }
    return POY_OK;
}

poy_status poy_ports_diffr_orders(poy_ctx *ctx, poy_alignment alignment, const double kpar[2], const double a[2][2],
                                  double bmax, poy_basis **out)
{
    poy_status status;
    void *memory = NULL;
    orders o = {.bmax = 0.0};
    *out = NULL;
    POYI_TRY(ctx, prepare(ctx, a, bmax, &o));
    const size_t n = collect(&o, NULL);
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.basis", n * 2 * sizeof(double), &memory));
    double(*order)[2] = memory;
    (void)collect(&o, order);
    for (size_t i = 0; i < n; i++) {
        const double x = order[i][0], y = order[i][1];
        order[i][0] = kpar[0] + (x * o.b[0][0] + y * o.b[1][0]);
        order[i][1] = kpar[1] + (x * o.b[0][1] + y * o.b[1][1]);
    }
    POYI_TO_DONE(ctx, poy_ports_default(ctx, alignment, n, order[0], out));
done:
    poyi_free(&memory);
    return status;
}

/* ---- turned and permuted ---- */

static poy_status copy_modes(poy_ctx *ctx, const poy_basis *basis, poy_wave_mode **out)
{
    void *memory = NULL;
    if (!poyi_basis_is_plane(basis))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "a %s basis keeps its labels: only directions of plane waves turn with the axes",
                         poyi_basis_kind_name(basis->kind));
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.basis", basis->size * sizeof **out, &memory));
    *out = memory;
    if (basis->size > 0)
        memcpy(*out, basis->modes, basis->size * sizeof **out);
    return POY_OK;
}

static poy_status remake(poy_ctx *ctx, const poy_basis *like, poy_alignment alignment, const poy_wave_mode *modes,
                         poy_basis **out)
{
    if (like->kind == POY_BASIS_PORTS)
        POYI_TRY(ctx, poy_ports_create(ctx, alignment, like->size, modes, out));
    else
        POYI_TRY(ctx, poy_basis_pw_create(ctx, like->size, modes, out));
    return POY_OK;
}

poy_status poy_basis_rotated(poy_ctx *ctx, const poy_basis *basis, double phi, poy_basis **out)
{
    poy_status status;
    poy_wave_mode *modes = NULL;
    double c, s;
    *out = NULL;
    if (!isfinite(phi))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "rotation: phi = %g, needs a finite angle", phi);
    if (basis->kind == POY_BASIS_PORTS && basis->alignment != POY_XY)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "rotation about z of ports that are not aligned xy");
    POYI_TRY(ctx, copy_modes(ctx, basis, &modes));
    poyi_turn_of(phi, &c, &s);
    for (size_t i = 0; i < basis->size; i++) {
        poy_wave_mode *m = modes + i;
        const double complex x = poyi_c(m->q[0]), y = poyi_c(m->q[1]);
        const double k1 = m->component[0], k2 = m->component[1];
        m->q[0] = poyi_pair(c * x - s * y);
        m->q[1] = poyi_pair(s * x + c * y);
        m->component[0] = c * k1 - s * k2;
        m->component[1] = s * k1 + c * k2;
    }
    POYI_TO_DONE(ctx, remake(ctx, basis, basis->alignment, modes, out));
done:
    release(modes);
    return status;
}

poy_status poy_basis_permuted(poy_ctx *ctx, const poy_basis *basis, int n, poy_basis **out)
{
    poy_status status;
    poy_wave_mode *modes = NULL;
    const int turns = ((n % 3) + 3) % 3;
    *out = NULL;
    POYI_TRY(ctx, copy_modes(ctx, basis, &modes));
    for (size_t i = 0; i < basis->size; i++)
        for (int axis = 0; axis < 3; axis++)
            modes[i].q[(axis + turns) % 3] = basis->modes[i].q[axis];
    POYI_TO_DONE(ctx, remake(ctx, basis, (poy_alignment)(((int)basis->alignment + turns) % 3), modes, out));
done:
    release(modes);
    return status;
}

/* ---- wavevectors ---- */

poy_status poy_basis_kvecs(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis, poy_modetype modetype,
                           poy_c128 *out)
{
    poyi_optics o;
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &o));
    if (!poyi_basis_is_plane(basis))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "modes of a %s basis have no wavevector",
                         poyi_basis_kind_name(basis->kind));
    POYI_TRY(ctx, poyi_medium_check_plane(ctx, &embedding->medium));
    if (basis->kind == POY_BASIS_PORTS && modetype != POY_UP && modetype != POY_DOWN)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "ports: modetype %d, needs POY_UP or POY_DOWN", (int)modetype);
    for (size_t i = 0; i < basis->size; i++) {
        const poy_wave_mode *m = basis->modes + i;
        const double complex k = o.ks[m->pol];
        poy_c128 *v = out + 3 * i;
        if (basis->kind == POY_BASIS_PLANE) {
            for (int axis = 0; axis < 3; axis++)
                v[axis] = poyi_pair(k * poyi_c(m->q[axis]));
            continue;
        }
        const int normal = poyi_alignment_normal(basis->alignment);
        const double complex kn = poyi_normal_wavenumber(m->component[0], m->component[1], k);
        v[(normal + 1) % 3] = (poy_c128){m->component[0], 0.0};
        v[(normal + 2) % 3] = (poy_c128){m->component[1], 0.0};
        v[normal] = poyi_pair(modetype == POY_DOWN ? -kn : kn);
    }
    return POY_OK;
}

poy_status poy_basis_by_unit_vector(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *ports,
                                    poy_modetype modetype, poy_basis **out)
{
    poy_status status;
    poyi_optics o;
    void *memory = NULL;
    poy_wave_mode *modes = NULL;
    *out = NULL;
    if (ports->kind != POY_BASIS_PORTS)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a %s basis, needs ports", poyi_basis_kind_name(ports->kind));
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &o));
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.basis", ports->size * 3 * sizeof(poy_c128), &memory));
    poy_c128 *kvecs = memory;
    POYI_TO_DONE(ctx, poy_basis_kvecs(ctx, embedding, ports, modetype, kvecs));
    POYI_TO_DONE(ctx, copy_modes(ctx, ports, &modes));
    for (size_t i = 0; i < ports->size; i++)
        for (int axis = 0; axis < 3; axis++)
            modes[i].q[axis] = poyi_pair(poyi_c(kvecs[3 * i + (size_t)axis]) / o.ks[modes[i].pol]);
    POYI_TO_DONE(ctx, poy_basis_pw_create(ctx, ports->size, modes, out));
done:
    poyi_free(&memory);
    release(modes);
    return status;
}

poy_status poy_basis_by_component(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *plane,
                                  poy_alignment alignment, poy_basis **out)
{
    poy_status status;
    poy_wave_mode *modes = NULL;
    poyi_optics o;
    *out = NULL;
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &o));
    if (plane->kind != POY_BASIS_PLANE)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a %s basis, needs a plane basis", poyi_basis_kind_name(plane->kind));
    if (alignment != POY_XY && alignment != POY_YZ && alignment != POY_ZX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "alignment %d: there are POY_XY, POY_YZ and POY_ZX", (int)alignment);
    POYI_TRY(ctx, poyi_medium_check_plane(ctx, &embedding->medium));
    POYI_TRY(ctx, copy_modes(ctx, plane, &modes));
    const int normal = poyi_alignment_normal(alignment);
    for (size_t i = 0; i < plane->size; i++)
        for (int j = 0; j < 2; j++) {
            const double complex k = o.ks[modes[i].pol] * poyi_c(modes[i].q[(normal + 1 + j) % 3]);
            if (fabs(cimag(k)) > 64.0 * 0x1p-52 * cabs(o.ks[modes[i].pol])) {
                status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                   "mode %zu has the component %g%+gi: ports need real components along the plane", i,
                                   creal(k), cimag(k));
                goto done;
            }
            modes[i].component[j] = creal(k);
        }
    POYI_TO_DONE(ctx, poy_ports_create(ctx, alignment, plane->size, modes, out));
done:
    release(modes);
    return status;
}

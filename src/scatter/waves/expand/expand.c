/* expand.c: expansion, translation, radiation between bases, and the choice of modes and polarisations: what the public
 * matrices are made of. */
#include "scatter/waves/expand/expand.h"

#include <string.h>

#include "scatter/waves/plane_coupling.h"

static poy_status unsupported(poy_ctx *ctx, const char *what, const poy_basis *d, const poy_basis *s)
{
    return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s of %s waves in %s waves", what, poyi_basis_kind_name(s->kind),
                     poyi_basis_kind_name(d->kind));
}

/* ---- plane waves ---- */

static int same_vector(const poy_c128 *a, const poy_c128 *b)
{
    double scale = 0.0;
    for (int j = 0; j < 3; j++)
        scale = fmax(scale, fmax(cabs(poyi_c(a[j])), cabs(poyi_c(b[j]))));
    for (int j = 0; j < 3; j++)
        if (cabs(poyi_c(a[j]) - poyi_c(b[j])) > 32.0 * 0x1p-52 * scale)
            return 0;
    return 1;
}

/* Wavevectors of both bases; r NULL: 1 where they and pol agree, else e^{i k.r} there. */
static poy_status plane_to_plane(poy_ctx *ctx, const poy_embedding *e, const double *r, const poy_basis *d,
                                 poy_modetype d_type, const poy_basis *s, poy_modetype s_type, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.expand", 3 * (d->size + s->size) * sizeof(poy_c128), &memory));
    poy_c128 *to = memory, *from = to + 3 * d->size;
    POYI_TO_DONE(ctx, poy_basis_kvecs(ctx, e, d, d_type, to));
    POYI_TO_DONE(ctx, poy_basis_kvecs(ctx, e, s, s_type, from));
    for (size_t j = 0; j < s->size; j++) {
        const poy_c128 *k = from + 3 * j;
        poyi_xcomplex phase = 0.0L;
        for (int i = 0; r && i < 3; i++)
            phase += poyi_x(poyi_c(k[i])) * (poyi_xreal)r[i];
        const double complex factor = r ? (double complex)poyi_xphase(phase) : 1.0;
        for (size_t i = 0; i < d->size; i++) {
            const int match = d->modes[i].pol == s->modes[j].pol && same_vector(to + 3 * i, k);
            out[i * s->size + j] = poyi_pair(match ? factor : 0.0);
        }
    }
done:
    poyi_free(&memory);
    return status;
}

/* A coupling of multipoles with the plane waves of a basis on their side, as values. */
static poy_status couple_planes(poy_ctx *ctx, const poy_embedding *e, const poy_basis *planes, poy_modetype side,
                                poyi_plane_call call)
{
    const size_t n = planes->size;
    poy_status status;
    void *vectors = NULL, *pols = NULL;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", 3 * n * sizeof(poy_c128), &vectors));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", n * sizeof(int), &pols));
    POYI_TO_DONE(ctx, poy_basis_kvecs(ctx, e, planes, side, vectors));
    for (size_t i = 0; i < n; i++)
        ((int *)pols)[i] = planes->modes[i].pol;
    call.n = n;
    call.vectors = vectors;
    call.pol = pols;
    call.poltype = e->poltype;
    call.task = POYI_EXPAND_VALUE;
    POYI_TO_DONE(ctx, poyi_plane_coupling(ctx, &call));
done:
    poyi_free(&pols);
    poyi_free(&vectors);
    return status;
}

/* ---- multipoles ---- */

poy_status poyi_expand_multipoles(poy_ctx *ctx, poyi_expand_call call)
{
    poy_status status = POY_OK;
    void *axial = NULL;
    call.kernels = call.kernels ? call.kernels : poyi_waves_best();
    if (call.destination->kind == POY_BASIS_SPHERICAL && call.source->kind == POY_BASIS_SPHERICAL)
        POYI_TO_DONE(ctx, poyi_expand_spherical(ctx, &call));
    else {
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", (call.destination->size + call.source->size) * sizeof(double),
                                     &axial));
        if (!call.axial) {
            call.n_axial = poyi_axial_labels(call.destination, call.source, axial);
            call.axial = axial;
        }
        POYI_TO_DONE(ctx, poyi_expand_axial(ctx, &call));
    }
done:
    poyi_free(&axial);
    return status;
}

static poy_status multipoles(poy_ctx *ctx, const poy_embedding *e, const poy_basis *d, const poy_basis *s, int singular,
                             poy_c128 *out)
{
    poyi_optics o;
    POYI_TRY(ctx, poyi_embedding_optics(ctx, e, &o));
    const poyi_expand_call call = {.destination = d,
                                   .source = s,
                                   .ks = {o.ks[0], o.ks[1]},
                                   .poltype = e->poltype,
                                   .singular = singular,
                                   .task = POYI_EXPAND_VALUE,
                                   .out = out};
    POYI_TRY(ctx, poyi_expand_multipoles(ctx, call));
    return POY_OK;
}

poy_status poy_op_expand(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *destination,
                         poy_modetype destination_type, const poy_basis *source, poy_modetype source_type,
                         poy_c128 *out)
{
    const int to_plane = poyi_basis_is_plane(destination), from_plane = poyi_basis_is_plane(source);
    if (to_plane && from_plane) {
        POYI_TRY(ctx, plane_to_plane(ctx, embedding, NULL, destination, destination_type, source, source_type, out));
        return POY_OK;
    }
    if (to_plane || (destination->kind == POY_BASIS_CYLINDRICAL && source->kind == POY_BASIS_SPHERICAL))
        return unsupported(ctx, "expansion (an array radiates: see poy_op_radiate)", destination, source);
    if (from_plane) {
        if (destination_type != POY_REGULAR)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "expansion: plane waves are regular multipoles, not singular ones");
        POYI_TRY(ctx, couple_planes(ctx, embedding, source, source_type,
                                    (poyi_plane_call){.multipoles = destination, .out = out}));
        return POY_OK;
    }
    const int to_regular = destination_type == POY_REGULAR, from_regular = source_type == POY_REGULAR;
    if ((!to_regular && destination_type != POY_SINGULAR) || (!from_regular && source_type != POY_SINGULAR))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "expansion: multipoles are POY_REGULAR or POY_SINGULAR");
    if ((!to_regular && from_regular) || (destination->kind != source->kind && !(to_regular && from_regular)))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "expansion of %s %s waves in %s %s waves",
                         from_regular ? "regular" : "singular", poyi_basis_kind_name(source->kind),
                         to_regular ? "regular" : "singular", poyi_basis_kind_name(destination->kind));
    POYI_TRY(ctx, multipoles(ctx, embedding, destination, source, to_regular && !from_regular, out));
    return POY_OK;
}

/* ---- translation ---- */

/* All modes of a basis at one origin, each (label, pol) once; index[i] of mode i among them. */
static poy_status at_one_origin(poy_ctx *ctx, const poy_basis *a, const poy_basis *b, const double *position,
                                poy_basis **out)
{
    poy_status status;
    void *memory = NULL;
    size_t n = 0;
    POYI_TRY(ctx,
             poyi_alloc(ctx, "waves.expand", (a->size + b->size) * (sizeof(poy_wave_mode) + sizeof(void *)), &memory));
    poy_wave_mode *modes = memory;
    for (int side = 0; side < 2; side++) {
        const poy_basis *basis = side ? b : a;
        for (size_t i = 0; i < basis->size; i++) {
            int known = 0;
            const poy_wave_mode m = basis->modes[i];
            poy_wave_mode first = m;
            first.particle = 0;
            /* a label of an earlier particle is there already; bases list their particles' modes mostly alike */
            for (int32_t p = 0; p < m.particle && !known; p++) {
                poy_wave_mode other = m;
                other.particle = p;
                known = poy_basis_find(basis, &other) >= 0;
            }
            for (size_t p = 0; side && p < a->n_positions && !known; p++) {
                poy_wave_mode other = m;
                other.particle = (int32_t)p;
                known = poy_basis_find(a, &other) >= 0;
            }
            if (!known)
                modes[n++] = first;
        }
    }
    POYI_TO_DONE(ctx, poyi_basis_make(ctx, a->kind, POY_XY, n, modes, 1, position, out));
done:
    poyi_free(&memory);
    return status;
}

static size_t index_at_origin(const poy_basis *origin, const poy_wave_mode *mode)
{
    poy_wave_mode m = *mode;
    m.particle = 0;
    return (size_t)poy_basis_find(origin, &m);
}

static poy_status translate_multipoles(poy_ctx *ctx, const poy_embedding *e, const double r[3], const poy_basis *d,
                                       const poy_basis *s, poy_c128 *out)
{
    poy_status status;
    poy_basis *to = NULL, *from = NULL;
    void *memory = NULL;
    const double here[3] = {0.0, 0.0, 0.0};
    size_t bytes;
    POYI_TO_DONE(ctx, at_one_origin(ctx, d, s, r, &to));
    POYI_TO_DONE(ctx, at_one_origin(ctx, d, s, here, &from));
    const size_t n = to->size;
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, n, n * sizeof(poy_c128), &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", bytes, &memory));
    poy_c128 *block = memory;
    POYI_TO_DONE(ctx, multipoles(ctx, e, to, from, 0, block));
    for (size_t i = 0; i < d->size; i++) {
        const poy_c128 *row = block + index_at_origin(to, &d->modes[i]) * n;
        for (size_t j = 0; j < s->size; j++)
            out[i * s->size + j] = d->modes[i].particle == s->modes[j].particle
                                       ? row[index_at_origin(from, &s->modes[j])]
                                       : (poy_c128){0.0, 0.0};
    }
done:
    poyi_free(&memory);
    poy_basis_destroy(&from);
    poy_basis_destroy(&to);
    return status;
}

poy_status poy_op_translate(poy_ctx *ctx, const poy_embedding *embedding, const double r[3],
                            const poy_basis *destination, const poy_basis *source, poy_modetype modetype, poy_c128 *out)
{
    if (!isfinite(r[0]) || !isfinite(r[1]) || !isfinite(r[2]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "translation by (%g, %g, %g), needs finite numbers", r[0], r[1], r[2]);
    if (poyi_basis_is_plane(destination) && poyi_basis_is_plane(source)) {
        POYI_TRY(ctx, plane_to_plane(ctx, embedding, r, destination, modetype, source, modetype, out));
        return POY_OK;
    }
    if (destination->kind != source->kind || poyi_basis_is_plane(source))
        return unsupported(ctx, "translation", destination, source);
    POYI_TRY(ctx, translate_multipoles(ctx, embedding, r, destination, source, out));
    return POY_OK;
}

/* ---- labels ---- */

poy_status poy_op_changepoltype(poy_ctx *ctx, const poy_basis *destination, const poy_basis *source, double *out)
{
    if (destination->kind != source->kind || destination->alignment != source->alignment)
        return unsupported(ctx, "change of the polarisation type", destination, source);
    for (size_t i = 0; i < destination->size; i++)
        for (size_t j = 0; j < source->size; j++) {
            const poy_wave_mode *a = &destination->modes[i], *b = &source->modes[j];
            const double sign = a->pol == 0 && b->pol == 0 ? -1.0 : 1.0;
            out[i * source->size + j] = poyi_mode_same_wave(a, b) ? sign * sqrt(0.5) : 0.0;
        }
    return POY_OK;
}

poy_status poy_op_pickmodes(poy_ctx *ctx, const poy_basis *destination, const poy_basis *source, double *out)
{
    if (destination->kind != source->kind || destination->alignment != source->alignment)
        return unsupported(ctx, "choice", destination, source);
    for (size_t i = 0; i < destination->size; i++)
        for (size_t j = 0; j < source->size; j++)
            out[i * source->size + j] = 0.0;
    for (size_t i = 0; i < destination->size; i++) {
        const int64_t j = poy_basis_find(source, &destination->modes[i]);
        if (j >= 0)
            out[i * source->size + (size_t)j] = 1.0;
    }
    return POY_OK;
}

/* ---- periodic arrays ---- */

poy_status poy_op_radiate(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *destination, poy_modetype side,
                          const poy_basis *source, double measure, poy_c128 *out)
{
    poyi_optics o;
    const int spheres = source->kind == POY_BASIS_SPHERICAL, cylinders = source->kind == POY_BASIS_CYLINDRICAL;
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &o));
    if (!isfinite(measure) || measure == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "radiation: a cell of measure %g, needs a finite number other than 0",
                         measure);
    if (spheres && destination->kind == POY_BASIS_CYLINDRICAL) {
        const poyi_expand_call call = {.destination = destination,
                                       .source = source,
                                       .ks = {o.ks[0], o.ks[1]},
                                       .poltype = embedding->poltype,
                                       .period = measure,
                                       .task = POYI_EXPAND_VALUE,
                                       .out = out};
        POYI_TRY(ctx, poyi_expand_multipoles(ctx, call));
        return POY_OK;
    }
    if ((!spheres && !cylinders) || destination->kind != POY_BASIS_PORTS ||
        destination->alignment != (spheres ? POY_XY : POY_ZX))
        return POYI_FAIL(
            ctx, POY_ERR_UNSUPPORTED,
            "radiation of %s waves into %s waves: spherical waves radiate into ports xy or cylindrical waves, "
            "cylindrical waves into ports zx",
            poyi_basis_kind_name(source->kind), poyi_basis_kind_name(destination->kind));
    POYI_TRY(ctx,
             couple_planes(ctx, embedding, destination, side,
                           (poyi_plane_call){.multipoles = source, .emission = 1, .measure = measure, .out = out}));
    return POY_OK;
}

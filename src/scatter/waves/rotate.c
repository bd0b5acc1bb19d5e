/* rotate.c: rotations of the axes and cyclic permutations of them, as matrices between bases. */
#include "scatter/waves/rotate.h"

#include "math/angular/wigner.h"
#include "scatter/waves/coefficient.h"
#include "scatter/waves/expand/translation.h"

static int same_but_order(const poy_wave_mode *a, const poy_wave_mode *b)
{
    return a->particle == b->particle && a->l == b->l && a->pol == b->pol && a->kz == b->kz;
}

int poyi_rotation_couples(const poy_basis *basis, const poy_wave_mode *a, const poy_wave_mode *b)
{
    return same_but_order(a, b) && (basis->kind == POY_BASIS_SPHERICAL || a->m == b->m);
}

poy_status poyi_rotation_check(poy_ctx *ctx, const double angles[3], const poy_basis *d, const poy_basis *s)
{
    if (!isfinite(angles[0]) || !isfinite(angles[1]) || !isfinite(angles[2]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "rotation by (%g, %g, %g), needs finite angles", angles[0], angles[1],
                         angles[2]);
    if (d->kind != s->kind || d->alignment != s->alignment)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "rotation of %s waves into %s waves", poyi_basis_kind_name(s->kind),
                         poyi_basis_kind_name(d->kind));
    if (d->kind != POY_BASIS_SPHERICAL && angles[1] != 0.0)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "rotation of %s waves with theta = %g: they turn about z only, theta has to be 0",
                         poyi_basis_kind_name(d->kind), angles[1]);
    if (d->kind == POY_BASIS_PORTS && d->alignment != POY_XY)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "rotation about z of ports that are not aligned xy");
    return POY_OK;
}

poy_status poy_op_rotate(poy_ctx *ctx, const double angles[3], const poy_basis *destination, const poy_basis *source,
                         poy_c128 *out)
{
    const int64_t rows = (int64_t)destination->size, cols = (int64_t)source->size;
    POYI_TRY(ctx, poyi_rotation_check(ctx, angles, destination, source));
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) if (rows > 16)
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            const poy_wave_mode *a = destination->modes + i, *b = source->modes + j;
            poyi_xcomplex v = 0.0L;
            if (poyi_basis_is_plane(source))
                v = poyi_mode_same_wave(a, b) && a->pol == b->pol ? 1.0L : 0.0L;
            else if (poyi_rotation_couples(source, a, b))
                v = source->kind == POY_BASIS_SPHERICAL
                        ? poyi_rotation_element(a->l, a->m, b->m, angles)
                        : poyi_xphase(-(b->m * ((poyi_xreal)angles[0] + (poyi_xreal)angles[2])));
            out[i * cols + j] = (poy_c128){(double)creall(v), (double)cimagl(v)};
        }
    return POY_OK;
}

poy_status poy_op_permute(poy_ctx *ctx, const poy_embedding *embedding, int n, const poy_basis *basis,
                          poy_modetype modetype, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    const int turns = ((n % 3) + 3) % 3;
    const size_t size = basis->size;
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.expand", 3 * size * sizeof(poy_c128), &memory));
    poy_c128 *k = memory;
    POYI_TO_DONE(ctx, poy_basis_kvecs(ctx, embedding, basis, modetype, k));
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i < size; i++) {
            const poy_wave_mode *a = basis->modes + i, *b = basis->modes + j;
            const poyi_xcomplex v[3] = {poyi_x(poyi_c(k[3 * j])), poyi_x(poyi_c(k[3 * j + 1])),
                                        poyi_x(poyi_c(k[3 * j + 2]))};
            poyi_xcomplex value = 0.0L;
            if (poyi_mode_same_wave(a, b))
                value = turns == 0 ? (a->pol == b->pol ? 1.0L : 0.0L)
                                   : poyi_permutation(embedding->poltype, a->pol, b->pol, turns == 2, v);
            out[i * size + j] = (poy_c128){(double)creall(value), (double)cimagl(value)};
            if (!isfinite(out[i * size + j].re) || !isfinite(out[i * size + j].im)) {
                status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                   "permutation: mode %zu has no polarisation vectors in one of the axes", j);
                goto done;
            }
        }
done:
    poyi_free(&memory);
    return status;
}

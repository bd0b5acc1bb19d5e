/* smatrix.c: the object of an S-matrix, and the same in other axes, about another origin, in waves of the other pols. */
#include "scatter/stack/smatrix.h"

#include <string.h>

static int same_medium(const poy_medium *a, const poy_medium *b)
{
    return a->epsilon.re == b->epsilon.re && a->epsilon.im == b->epsilon.im && a->mu.re == b->mu.re &&
           a->mu.im == b->mu.im && a->kappa.re == b->kappa.re && a->kappa.im == b->kappa.im;
}

static poy_status check_side(poy_ctx *ctx, const poy_stage *stage, const poy_medium *medium)
{
    poyi_optics optics;
    const poy_embedding e = {stage->k0, *medium, stage->poltype};
    POYI_TRY(ctx, poyi_embedding_optics(ctx, &e, &optics));
    POYI_TRY(ctx, poyi_medium_check_plane(ctx, medium));
    return POY_OK;
}

/* The partner of each port; the number of ports without one. */
static size_t find_partners(const poy_basis *ports, size_t *partner)
{
    size_t alone = 0;
    for (size_t i = 0; i < ports->size; i++) {
        poy_wave_mode other = ports->modes[i];
        other.pol = 1 - other.pol;
        const int64_t at = poy_basis_find(ports, &other);
        partner[i] = at < 0 ? POYI_NO_PARTNER : (size_t)at;
        alone += at < 0;
    }
    return alone;
}

poy_status poyi_smatrix_new(poy_ctx *ctx, const poy_stage *stage, const poy_medium *below, const poy_medium *above,
                            poy_smatrix **out)
{
    void *memory = NULL;
    size_t bytes;
    *out = NULL;
    if (stage == NULL || stage->ports == NULL || stage->ports->kind != POY_BASIS_PORTS)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "S-matrix: needs ports, not %s waves",
                         stage && stage->ports ? poyi_basis_kind_name(stage->ports->kind) : "no");
    POYI_TRY(ctx, check_side(ctx, stage, below));
    POYI_TRY(ctx, check_side(ctx, stage, above));
    const size_t n = stage->ports->size;
    POYI_TRY(ctx, poyi_mul_size(ctx, n, n, &bytes));
    POYI_TRY(ctx, poyi_mul_size(ctx, bytes, 4 * sizeof(poy_c128), &bytes));
    POYI_TRY(ctx,
             poyi_alloc_zero(ctx, "scatter.smatrix", sizeof(poy_smatrix) + n * sizeof(size_t) + 64 + bytes, &memory));
    poy_smatrix *s = memory;
    *s = (poy_smatrix){.references = 1,
                       .k0 = stage->k0,
                       .poltype = stage->poltype,
                       .medium = {*above, *below},
                       .ports = poy_basis_retain(stage->ports),
                       .n = n,
                       .memory = memory};
    s->values = (poy_c128 *)(void *)(s + 1);
    s->partner = (size_t *)(void *)(s->values + 4 * n * n);
    (void)find_partners(s->ports, s->partner);
    *out = s;
    return POY_OK;
}

poy_status poy_smatrix_create(poy_ctx *ctx, const poy_stage *stage, const poy_medium *below, const poy_medium *above,
                              const poy_c128 *blocks, poy_smatrix **out)
{
    POYI_TRY(ctx, poyi_smatrix_new(ctx, stage, below, above, out));
    const size_t entries = 4 * (*out)->n * (*out)->n;
    for (size_t i = 0; i < entries; i++)
        if (!isfinite(blocks[i].re) || !isfinite(blocks[i].im)) {
            poy_smatrix_destroy(out);
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "S-matrix: entry %zu of its blocks is not finite", i);
        }
    memcpy((*out)->values, blocks, entries * sizeof *blocks);
    return POY_OK;
}

poy_smatrix *poy_smatrix_retain(poy_smatrix *s)
{
    if (s)
        atomic_fetch_add(&s->references, 1);
    return s;
}

void poy_smatrix_destroy(poy_smatrix **s)
{
    poy_smatrix *object = *s;
    *s = NULL;
    if (!object || atomic_fetch_sub(&object->references, 1) != 1)
        return;
    void *memory = object->memory;
    poy_basis_destroy(&object->ports);
    poyi_free(&memory);
}

poy_basis *poy_smatrix_ports(const poy_smatrix *s)
{
    return s->ports;
}

size_t poy_smatrix_size(const poy_smatrix *s)
{
    return s->n;
}

double poy_smatrix_k0(const poy_smatrix *s)
{
    return s->k0;
}

poy_poltype poy_smatrix_poltype(const poy_smatrix *s)
{
    return s->poltype;
}

const poy_medium *poy_smatrix_medium(const poy_smatrix *s, int direction)
{
    return &s->medium[direction != 0];
}

const poy_c128 *poy_smatrix_values(const poy_smatrix *s)
{
    return s->values;
}

static int same_ports(const poy_basis *a, const poy_basis *b)
{
    if (a == b)
        return 1;
    if (a->size != b->size || a->alignment != b->alignment)
        return 0;
    for (size_t i = 0; i < a->size; i++)
        if (a->modes[i].pol != b->modes[i].pol || a->modes[i].component[0] != b->modes[i].component[0] ||
            a->modes[i].component[1] != b->modes[i].component[1])
            return 0;
    return 1;
}

poy_status poyi_smatrix_fits(poy_ctx *ctx, const poy_smatrix *lower, const poy_smatrix *upper)
{
    if (lower->k0 != upper->k0 || lower->poltype != upper->poltype)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "cascade: the lower S-matrix is of k0 = %.17g, the upper of %.17g (or one of helicity, one of "
                         "parity)",
                         lower->k0, upper->k0);
    if (!same_ports(lower->ports, upper->ports))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "cascade: the lower S-matrix has %zu ports, the upper %zu others; give both the same, in one "
                         "order",
                         lower->n, upper->n);
    if (!same_medium(&lower->medium[0], &upper->medium[1]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "cascade: above the lower S-matrix is epsilon = %g%+gi, below the upper %g%+gi (mu or kappa "
                         "may differ): put an interface between them",
                         lower->medium[0].epsilon.re, lower->medium[0].epsilon.im, upper->medium[1].epsilon.re,
                         upper->medium[1].epsilon.im);
    return POY_OK;
}

/* ---- the same otherwise ---- */

static poy_status like(poy_ctx *ctx, const poy_smatrix *s, poy_basis *ports, poy_poltype poltype, poy_smatrix **out)
{
    const poy_stage stage = {s->k0, poltype, ports};
    POYI_TRY(ctx, poyi_smatrix_new(ctx, &stage, &s->medium[1], &s->medium[0], out));
    (*out)->paired = s->paired;
    memcpy((*out)->values, s->values, 4 * s->n * s->n * sizeof *s->values);
    return POY_OK;
}

poy_status poy_smatrix_rotate(poy_ctx *ctx, const poy_smatrix *s, double phi, poy_smatrix **out)
{
    poy_status status;
    poy_basis *ports = NULL;
    *out = NULL;
    POYI_TRY(ctx, poy_basis_rotated(ctx, s->ports, phi, &ports));
    POYI_TO_DONE(ctx, like(ctx, s, ports, s->poltype, out));
done:
    poy_basis_destroy(&ports);
    return status;
}

/* S[out][in] = L[out] S R[in]: diagonals left, right [2][n]. */
static void scale(poy_smatrix *s, const poy_c128 *left, const poy_c128 *right)
{
    const size_t n = s->n;
    for (int out = 0; out < 2; out++)
        for (int in = 0; in < 2; in++)
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < n; j++) {
                    poy_c128 *x = poyi_block(s, out, in) + i * n + j;
                    *x = poyi_pair(poyi_c(left[(size_t)out * n + i]) * poyi_c(*x) * poyi_c(right[(size_t)in * n + j]));
                }
}

static poy_status phases(poy_ctx *ctx, const poy_smatrix *s, int medium, int direction, double sign, const double r[3],
                         poy_c128 *vectors, poy_c128 *out)
{
    const poy_embedding e = poyi_side_embedding(s, medium);
    POYI_TRY(ctx, poy_basis_kvecs(ctx, &e, s->ports, direction ? POY_DOWN : POY_UP, vectors));
    for (size_t i = 0; i < s->n; i++) {
        poyi_xcomplex phase = 0.0L;
        for (size_t axis = 0; axis < 3; axis++)
            phase += poyi_x(poyi_c(vectors[3 * i + axis])) * (poyi_xreal)(sign * r[axis]);
        out[i] = poyi_pair((double complex)poyi_xphase(phase));
        if (!isfinite(out[i].re) || !isfinite(out[i].im))
            return POYI_FAIL(ctx, POY_ERR_RANGE,
                             "S-matrix: amplitudes of port %zu about an origin displaced so far are beyond the largest "
                             "double",
                             i);
    }
    return POY_OK;
}

poy_status poy_smatrix_translate(poy_ctx *ctx, const poy_smatrix *s, const double r[3], poy_smatrix **out)
{
    poy_status status;
    void *memory = NULL;
    const size_t n = s->n;
    *out = NULL;
    if (!isfinite(r[0]) || !isfinite(r[1]) || !isfinite(r[2]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "translation by (%g, %g, %g), needs finite numbers", r[0], r[1], r[2]);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.smatrix", 7 * n * sizeof(poy_c128), &memory));
    poy_c128 *left = memory, *right = left + 2 * n, *vectors = right + 2 * n;
    for (int d = 0; d < 2; d++) {
        POYI_TO_DONE(ctx, phases(ctx, s, d, d, 1.0, r, vectors, left + (size_t)d * n));
        POYI_TO_DONE(ctx, phases(ctx, s, 1 - d, d, -1.0, r, vectors, right + (size_t)d * n));
    }
    POYI_TO_DONE(ctx, like(ctx, s, s->ports, s->poltype, out));
    scale(*out, left, right);
done:
    poyi_free(&memory);
    return status;
}

/* [n][n] of poy_op_permute for waves of a direction in a medium. */
static poy_status permutation(poy_ctx *ctx, const poy_smatrix *s, const poy_basis *ports, int turns, int medium,
                              int direction, poy_c128 *out)
{
    const poy_embedding e = poyi_side_embedding(s, medium);
    POYI_TRY(ctx, poy_op_permute(ctx, &e, turns, ports, direction ? POY_DOWN : POY_UP, out));
    return POY_OK;
}

poy_status poy_smatrix_permute(poy_ctx *ctx, const poy_smatrix *s, int n_turns, poy_smatrix **out)
{
    poy_status status;
    void *memory = NULL;
    poy_basis *ports = NULL;
    const size_t n = s->n, size = n * n;
    *out = NULL;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.smatrix", 5 * size * sizeof(poy_c128), &memory));
    poy_c128 *left = memory, *right = left + 2 * size, *product = right + 2 * size;
    POYI_TO_DONE(ctx, poy_basis_permuted(ctx, s->ports, n_turns, &ports));
    for (int d = 0; d < 2; d++) {
        POYI_TO_DONE(ctx, permutation(ctx, s, s->ports, n_turns, d, d, left + (size_t)d * size));
        POYI_TO_DONE(ctx, permutation(ctx, s, ports, -n_turns, 1 - d, d, right + (size_t)d * size));
    }
    POYI_TO_DONE(ctx, like(ctx, s, ports, s->poltype, out));
    for (int o = 0; o < 2; o++)
        for (int i = 0; i < 2; i++) { /* a permutation couples the pols of one order at most */
            poyi_block_product(n, s->partner, left + (size_t)o * size, 1, poyi_block(s, o, i), s->paired, product);
            poyi_block_product(n, s->partner, product, s->paired, right + (size_t)i * size, 1, poyi_block(*out, o, i));
        }
done:
    if (status != POY_OK)
        poy_smatrix_destroy(out);
    poy_basis_destroy(&ports);
    poyi_free(&memory);
    return status;
}

poy_status poy_smatrix_changepoltype(poy_ctx *ctx, const poy_smatrix *s, poy_poltype poltype, poy_smatrix **out)
{
    *out = NULL;
    for (size_t i = 0; i < s->n && poltype != s->poltype; i++)
        if (s->partner[i] == POYI_NO_PARTNER)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "changepoltype: port %zu lacks its other pol", i);
    POYI_TRY(ctx, like(ctx, s, s->ports, poltype, out));
    if (poltype == s->poltype)
        return POY_OK;
    for (int block = 0; block < 4; block++) {
        poy_c128 *m = (*out)->values + (size_t)block * s->n * s->n;
        for (size_t i = 0; i < s->n; i++)
            for (size_t j = 0; j < s->n; j++) {
                const size_t p = s->partner[i], q = s->partner[j];
                if (s->ports->modes[i].pol || s->ports->modes[j].pol)
                    continue;
                poy_c128 *x[2][2] = {{m + i * s->n + j, m + i * s->n + q}, {m + p * s->n + j, m + p * s->n + q}};
                const double complex a = poyi_c(*x[0][0]), b = poyi_c(*x[0][1]), c = poyi_c(*x[1][0]),
                                     d = poyi_c(*x[1][1]);
                *x[0][0] = poyi_pair(0.5 * ((a + d) - (b + c)));
                *x[1][1] = poyi_pair(0.5 * ((a + d) + (b + c)));
                *x[0][1] = poyi_pair(0.5 * ((d - a) + (c - b)));
                *x[1][0] = poyi_pair(0.5 * ((d - a) + (b - c)));
            }
    }
    return POY_OK;
}

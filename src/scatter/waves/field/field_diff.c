/* field_diff.c: derivatives of fields by coefficients, points, positions, wavenumbers and wavevectors. The gradient of a
 * multipole is a sum of its neighbours (field_ladder.h), and since waves depend on k r, k d/dk of a spherical wave is r . grad:
 * a point needs its waves to one degree more, once. */
#include <stdlib.h>
#include <string.h>

#include "scatter/waves/diff.h"
#include "scatter/waves/field/field.h"
#include "scatter/waves/field/field_ladder.h"
#include "scatter/waves/label.h"
#include "scatter/waves/thread.h"
#include "scatter/waves/vector_wave.h"

typedef struct job {
    const poyi_field_function *f;
    poyi_field_call wide_call;
    poy_basis *wide;               /* multipoles: the modes and their neighbours; plane waves: the basis itself */
    poyi_ladder *ladder;           /* [size], spherical and cylindrical */
    size_t *self;                  /* [size]: the mode among the wider ones */
    poyi_field_call magnetic_call; /* M of each mode alone, cylindrical */
} job;

/* One mode at one point: E and its derivatives by the point, by k and by kz. */
typedef struct slopes {
    poyi_xcomplex e[3], point[3][3], k[3], kz[3]; /* point[axis][component] */
} slopes;

/* ---- one point ---- */

static void spherical_slopes(const job *j, size_t i, const double d[3], const poyi_xcomplex *value, slopes *s)
{
    const poy_wave_mode *m = j->f->basis->modes + i;
    const poyi_xcomplex k = poyi_x(poyi_c(j->f->ks[m->pol]));
    const size_t size = j->wide->size;
    const poyi_ladder *l = j->ladder + i;
    for (size_t c = 0; c < 3; c++) {
        s->e[c] = value[c * size + j->self[i]];
        s->k[c] = s->kz[c] = 0.0L;
        for (int axis = 0; axis < 3; axis++) {
            poyi_xcomplex sum = 0.0L;
            for (int n = 0; n < l->count; n++)
                sum += poyi_xmul(l->factor[n][axis], value[c * size + l->index[n]]);
            s->point[axis][c] = poyi_xmul(k, sum);
            s->k[c] += sum * (poyi_xreal)d[axis];
        }
    }
}

/* magnetic: M of the modes. */
static void cylindrical_slopes(const job *j, size_t i, const double d[3], const poyi_xcomplex *value,
                               const poyi_xcomplex *magnetic, slopes *s)
{
    const poyi_field_function *f = j->f;
    const poy_wave_mode *m = f->basis->modes + i;
    const poyi_xcomplex k = poyi_x(poyi_c(f->ks[m->pol])), kz = (poyi_xreal)m->kz,
                        radial = poyi_radial_wavenumber(kz, k);
    const size_t size = j->wide->size, size_m = f->basis->size;
    const poyi_ladder *l = j->ladder + i;
    for (size_t c = 0; c < 3; c++) {
        s->e[c] = value[c * size + j->self[i]];
        for (int axis = 0; axis < 2; axis++) {
            poyi_xcomplex sum = 0.0L;
            for (int n = 0; n < l->count; n++)
                sum += poyi_xmul(l->factor[n][axis], value[c * size + l->index[n]]);
            s->point[axis][c] = poyi_xmul(radial, sum);
        }
        s->point[2][c] = poyi_xturn(poyi_xmul(kz, s->e[c]), 1);
    }
    /* T, the part of N across z over kz / k, is i z x M, since M = curl(z f) and T = grad f across z */
    const poyi_xcomplex turned[3] = {-poyi_xturn(magnetic[size_m + i], 1), poyi_xturn(magnetic[i], 1), 0.0L};
    const poyi_xreal share = f->poltype == POY_HELICITY ? sqrtl(0.5L) : m->pol ? 1.0L : 0.0L; /* of N in the mode */
    const poyi_xcomplex square = poyi_xmul(radial, radial);
    for (size_t c = 0; c < 3; c++) {
        s->k[c] = s->kz[c] = 0.0L;
        if (radial == 0.0L)
            continue;
        const poyi_xcomplex outward = (s->point[0][c] * (poyi_xreal)d[0] + s->point[1][c] * (poyi_xreal)d[1]) / square;
        s->k[c] = poyi_xmul(k, outward);
        s->kz[c] = poyi_xturn(s->e[c] * (poyi_xreal)d[2], 1) - poyi_xmul(kz, outward);
        if (c < 2) { /* kz / k */
            s->k[c] -= share * poyi_xmul(turned[c], kz / poyi_xmul(k, k));
            s->kz[c] += share * turned[c] / k;
        } else { /* k_rho / k */
            s->k[c] += poyi_xmul(s->e[c], k / square - 1.0L / k);
            s->kz[c] -= poyi_xmul(s->e[c], kz / square);
        }
    }
}

/* vector[axis][component]: derivatives by the wavevector; axial: its direction has none. */
static void plane_slopes(const job *j, size_t i, const double r[3], const poyi_xcomplex *value, slopes *s,
                         poyi_xcomplex vector[3][3], int *axial)
{
    const poyi_field_function *f = j->f;
    const poy_wave_mode *m = f->basis->modes + i;
    poyi_xcomplex k[3], d_m[3][3], d_n[3][3], phase = 0.0L;
    for (size_t a = 0; a < 3; a++) {
        k[a] = poyi_x(poyi_c(f->vectors[3 * i + a]));
        phase += k[a] * (poyi_xreal)r[a];
    }
    *axial = !poyi_plane_polarisation_slopes(k, d_m, d_n);
    phase = poyi_xphase(phase);
    for (size_t c = 0; c < 3; c++) {
        s->e[c] = value[c * f->basis->size + i];
        s->k[c] = s->kz[c] = 0.0L;
        for (int a = 0; a < 3; a++) {
            const poyi_xcomplex polarisation =
                f->poltype == POY_PARITY ? (m->pol ? d_n[c][a] : d_m[c][a])
                                         : sqrtl(0.5L) * (d_n[c][a] + (poyi_xreal)poyi_pol_sign(m->pol) * d_m[c][a]);
            s->point[a][c] = poyi_xturn(poyi_xmul(k[a], s->e[c]), 1);
            vector[a][c] = poyi_xmul(phase, polarisation) + poyi_xturn(s->e[c] * (poyi_xreal)r[a], 1);
        }
    }
}

/* ---- all points ---- */

/* What a point gives to a sum or takes from one. */
typedef struct accounts {
    const poyi_field_inputs *d; /* pushforward */
    poy_c128 *d_out;
    const poy_c128 *g_out; /* pullback */
    /* gradients of one block of points: [size], [positions][3], [2], [size], [size][3] */
    poyi_xcomplex *coefficients, *ks, *vectors;
    poyi_xreal *positions, *axial;
    double *points; /* of all points */
} accounts;

static poyi_xcomplex at(const poy_c128 *x, size_t i)
{
    return x ? poyi_x(poyi_c(x[i])) : 0.0L;
}

/* Tangent of mode i at a point, amplitude 1. */
static void tangent(const job *j, size_t i, size_t point, const slopes *s, poyi_xcomplex vector[3][3],
                    const poyi_field_inputs *d, poyi_xcomplex out[3])
{
    const poy_wave_mode *m = j->f->basis->modes + i;
    for (size_t c = 0; c < 3; c++) {
        out[c] = 0.0L;
        for (size_t axis = 0; axis < 3; axis++) {
            poyi_xreal moved = d->points ? (poyi_xreal)d->points[3 * point + axis] : 0.0L;
            if (d->positions && !j->f->vectors)
                moved -= (poyi_xreal)d->positions[3 * (size_t)m->particle + axis];
            out[c] += s->point[axis][c] * moved;
            if (d->vectors)
                out[c] += poyi_xmul(vector[axis][c], at(d->vectors, 3 * i + axis));
        }
        if (d->ks)
            out[c] += poyi_xmul(s->k[c], at(d->ks, (size_t)m->pol));
        if (d->axial)
            out[c] += s->kz[c] * (poyi_xreal)d->axial[i];
    }
}

/* Adds to the sum, or writes; nonzero if a written value is beyond the range. */
static int push_mode(const job *j, size_t i, size_t point, const slopes *s, poyi_xcomplex vector[3][3],
                     const accounts *a, poyi_xcomplex sum[3])
{
    const poyi_field_function *f = j->f;
    poyi_xcomplex t[3];
    int beyond = 0;
    tangent(j, i, point, s, vector, a->d, t);
    for (size_t c = 0; c < 3; c++) {
        if (f->coefficients)
            sum[c] += poyi_xmul(t[c], at(f->coefficients, i)) + poyi_xmul(s->e[c], at(a->d->coefficients, i));
        else
            a->d_out[(3 * point + c) * f->basis->size + i] = poyi_round(t[c], &beyond);
    }
    return beyond;
}

static void pull_mode(const job *j, size_t i, size_t point, const slopes *s, poyi_xcomplex vector[3][3], accounts *a)
{
    const poyi_field_function *f = j->f;
    const poy_wave_mode *m = f->basis->modes + i;
    const poyi_xcomplex amplitude = f->coefficients ? at(f->coefficients, i) : 1.0L;
    poyi_xcomplex value = 0.0L, by_k = 0.0L, by_kz = 0.0L, by_point[3] = {0.0L, 0.0L, 0.0L};
    poyi_xcomplex by_vector[3] = {0.0L, 0.0L, 0.0L};
    for (size_t c = 0; c < 3; c++) { /* dL = Re(back dE) */
        const size_t place = f->coefficients ? 3 * point + c : (3 * point + c) * f->basis->size + i;
        const poyi_xcomplex back = conjl(at(a->g_out, place)), weighted = poyi_xmul(back, amplitude);
        value += poyi_xmul(back, s->e[c]);
        by_k += poyi_xmul(weighted, s->k[c]);
        by_kz += poyi_xmul(weighted, s->kz[c]);
        for (int axis = 0; axis < 3; axis++) {
            by_point[axis] += poyi_xmul(weighted, s->point[axis][c]);
            if (f->vectors)
                by_vector[axis] += poyi_xmul(weighted, vector[axis][c]);
        }
    }
    a->coefficients[i] += conjl(value);
    a->ks[m->pol] += conjl(by_k);
    a->axial[i] += creall(by_kz);
    for (size_t axis = 0; axis < 3; axis++) {
        if (a->points)
            a->points[3 * point + axis] += (double)creall(by_point[axis]);
        if (f->vectors)
            a->vectors[3 * i + axis] += conjl(by_vector[axis]);
        else
            a->positions[3 * (size_t)m->particle + axis] -= creall(by_point[axis]);
    }
}

/* What a thread computes a point in. */
typedef struct scratch {
    unsigned char *modes, *magnetic_modes;
    poyi_xcomplex *value, *magnetic;
} scratch;

/* 1: a direction along z moves; 2: a value is beyond the range. */
static int run_point(const job *j, size_t point, const scratch *w, accounts *a)
{
    const poyi_field_function *f = j->f;
    const double *r = f->points + 3 * point;
    const poy_basis_kind kind = f->basis->kind;
    poyi_xcomplex sum[3] = {0.0L, 0.0L, 0.0L}, vector[3][3];
    int fault = 0;
    (void)poyi_mode_fields(&j->wide_call, r, w->modes, w->value);
    if (kind == POY_BASIS_CYLINDRICAL)
        (void)poyi_mode_fields(&j->magnetic_call, r, w->magnetic_modes, w->magnetic);
    for (size_t i = 0; i < f->basis->size; i++) {
        const double *o = f->vectors ? NULL : f->basis->positions + 3 * (size_t)f->basis->modes[i].particle;
        const double d[3] = {r[0] - (o ? o[0] : 0.0), r[1] - (o ? o[1] : 0.0), r[2] - (o ? o[2] : 0.0)};
        slopes s;
        int axial = 0;
        if (kind == POY_BASIS_SPHERICAL)
            spherical_slopes(j, i, d, w->value, &s);
        else if (kind == POY_BASIS_CYLINDRICAL)
            cylindrical_slopes(j, i, d, w->value, w->magnetic, &s);
        else
            plane_slopes(j, i, r, w->value, &s, vector, &axial);
        if (axial && a->d && a->d->vectors)
            fault |= at(a->d->vectors, 3 * i) != 0.0L || at(a->d->vectors, 3 * i + 1) != 0.0L;
        if (a->d)
            fault |= 2 * push_mode(j, i, point, &s, vector, a, sum);
        else
            pull_mode(j, i, point, &s, vector, a);
    }
    for (size_t c = 0; a->d && f->coefficients && c < 3; c++) {
        int beyond = 0;
        a->d_out[3 * point + c] = poyi_round(sum[c], &beyond);
        fault |= 2 * beyond;
    }
    return fault;
}

/* ---- preparation ---- */

static const poyi_field_mix same = {{{1.0, 0.0}, {0.0, 1.0}}}, magnetic_only = {{{1.0, 1.0}, {0.0, 0.0}}};

static poyi_field_call field_call_of(const poyi_field_function *f)
{
    return (poyi_field_call){.basis = f->basis,
                             .vectors = f->vectors,
                             .ks = {poyi_c(f->ks[0]), poyi_c(f->ks[1])},
                             .poltype = f->poltype,
                             .singular = f->singular,
                             .mix = same,
                             .coefficients = f->coefficients,
                             .n = f->n,
                             .points = f->points};
}

static poy_status check(poy_ctx *ctx, const poyi_field_function *f)
{
    const poy_basis *b = f->basis;
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, "field", "points", 3 * f->n, f->points));
    if (f->coefficients)
        POYI_TRY(ctx, poyi_batch_finite(ctx, "field", "coefficients", b->size, f->coefficients));
    if (poyi_basis_is_plane(b)) {
        if (!f->vectors)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "field: plane waves need their wavevectors");
        for (size_t i = 0; i < b->size; i++) {
            poyi_xcomplex k[3], m[3], n[3];
            for (size_t j = 0; j < 3; j++)
                k[j] = poyi_x(poyi_c(f->vectors[3 * i + j]));
            if (!poyi_plane_polarisation(k, m, n) || !isfinite((double)poyi_xsize(k[0] + k[1] + k[2])))
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "field: wavevector %zu has no polarisation vectors", i);
        }
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_batch_finite(ctx, "field", "ks", 2, f->ks));
    if (poyi_c(f->ks[0]) == 0.0 || poyi_c(f->ks[1]) == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "field: a wavenumber is 0");
    if (f->poltype == POY_PARITY && poyi_c(f->ks[0]) != poyi_c(f->ks[1]))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "field: parity needs one wavenumber");
    for (size_t i = 0; f->singular && i < f->n; i++)
        for (size_t p = 0; p < b->n_positions; p++) {
            const double *o = b->positions + 3 * p, *r = f->points + 3 * i;
            if (r[0] == o[0] && r[1] == o[1] && (b->kind != POY_BASIS_SPHERICAL || r[2] == o[2]))
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                 "field: point %zu is on the pole of the singular waves of particle %zu", i, p);
        }
    return POY_OK;
}

/* Wavenumbers of cylindrical waves have no derivative where k_rho = 0, and singular waves no value. */
static poy_status check_branch(poy_ctx *ctx, const poyi_field_function *f, int moves)
{
    for (size_t i = 0; f->basis->kind == POY_BASIS_CYLINDRICAL && i < f->basis->size; i++) {
        const poy_wave_mode *m = f->basis->modes + i;
        if (poyi_radial_wavenumber((poyi_xreal)m->kz, poyi_x(poyi_c(f->ks[m->pol]))) != 0.0L ||
            (!moves && !f->singular))
            continue;
        return POYI_FAIL(ctx, f->singular ? POY_ERR_ARGUMENT : POY_ERR_NOT_DIFFERENTIABLE,
                         "field: mode %zu has k_rho = 0, a branch point", i);
    }
    return POY_OK;
}

static void close_job(job *j, void **memory)
{
    poyi_free(memory);
    if (j->wide != j->f->basis)
        poy_basis_destroy(&j->wide);
}

static poy_status open_job(poy_ctx *ctx, const poyi_field_function *f, int moves, job *j, void **memory)
{
    const poy_basis *b = f->basis;
    *j = (job){.f = f};
    POYI_TRY(ctx, check(ctx, f));
    POYI_TRY(ctx, check_branch(ctx, f, moves));
    j->wide_call = field_call_of(f);
    j->magnetic_call = j->wide_call;
    j->magnetic_call.mix = magnetic_only;
    j->magnetic_call.poltype = POY_PARITY;
    if (poyi_basis_is_plane(b))
        return POY_OK;
    POYI_TRY(ctx, poyi_ladder_basis(ctx, b, f->poltype, &j->wide));
    j->wide_call.basis = j->wide;
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.field", b->size * (sizeof(poyi_ladder) + sizeof(size_t)), memory));
    j->ladder = *memory;
    j->self = (size_t *)(j->ladder + b->size);
    for (size_t i = 0; i < b->size; i++) {
        j->self[i] = (size_t)poy_basis_find(j->wide, b->modes + i);
        poyi_ladder_of(b->modes + i, f->poltype, j->wide, j->ladder + i);
    }
    return POY_OK;
}

/* bytes of one thread's scratch; where memory is there, also its pointers */
static size_t lay_out(const job *j, unsigned char *memory, scratch *s)
{
    const poy_basis *wide = j->wide_call.basis;
    const size_t modes = (poyi_mode_scratch(wide) + 63) / 64 * 64, value = 3 * wide->size * sizeof(poyi_xcomplex);
    const size_t magnetic = 3 * j->f->basis->size * sizeof(poyi_xcomplex);
    if (memory) {
        s->modes = memory;
        s->magnetic_modes = memory + modes;
        s->value = (poyi_xcomplex *)(void *)(memory + 2 * modes);
        s->magnetic = (poyi_xcomplex *)(void *)(memory + 2 * modes + value);
    }
    return (2 * modes + value + magnetic + 63) / 64 * 64;
}

static poy_status report(poy_ctx *ctx, int fault)
{
    if (fault & 1)
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                         "field: a plane wave along z has no derivative by its direction; hold the wavevectors fixed");
    if (fault)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "field: a derivative is beyond the largest double");
    return POY_OK;
}

poy_status poyi_field_value(poy_ctx *ctx, const poyi_field_function *f, poy_c128 *out)
{
    POYI_TRY(ctx, check(ctx, f));
    poyi_field_call call = field_call_of(f);
    call.out = out;
    POYI_TRY(ctx, poyi_field(ctx, &call));
    return POY_OK;
}

poy_status poyi_field_pushforward(poy_ctx *ctx, const poyi_field_function *f, const poyi_field_inputs *d,
                                  poy_c128 *d_out)
{
    poy_status status;
    void *memory = NULL, *work = NULL;
    job j;
    int fault = 0;
    accounts a = {.d = d, .d_out = d_out};
    POYI_TO_DONE(ctx, open_job(ctx, f, d->ks || d->axial, &j, &memory));
    const size_t each = lay_out(&j, NULL, NULL);
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.field", (size_t)poy_ctx_threads(ctx) * each, &work));
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) reduction(| : fault) if (f->n > 8)
    for (size_t p = 0; p < f->n; p++) {
        scratch s;
        (void)lay_out(&j, (unsigned char *)work + (size_t)poyi_thread_number() * each, &s);
        fault |= run_point(&j, p, &s, &a);
    }
    POYI_TO_DONE(ctx, report(ctx, fault));
done:
    poyi_free(&work);
    close_job(&j, &memory);
    return status;
}

/* ---- gradients: points in fixed blocks, whose sums are added in order ---- */

enum { BLOCKS = 16 };

typedef struct sums {
    size_t complex_size, real_size;
    poyi_xcomplex *complex_sum;
    poyi_xreal *real_sum;
} sums;

static sums sizes_of(const poyi_field_function *f)
{
    return (sums){.complex_size = 4 * f->basis->size + 2, .real_size = 3 * f->basis->n_positions + f->basis->size};
}

static accounts account_of(const poyi_field_function *f, const poy_c128 *g_out, const poyi_field_inputs *g,
                           const sums *s, size_t block)
{
    poyi_xcomplex *c = s->complex_sum + block * s->complex_size;
    poyi_xreal *r = s->real_sum + block * s->real_size;
    return (accounts){.g_out = g_out,
                      .coefficients = c,
                      .ks = c + f->basis->size,
                      .vectors = c + f->basis->size + 2,
                      .axial = r,
                      .positions = r + f->basis->size,
                      .points = g->points};
}

static void put_complex(const sums *s, size_t first, size_t n, poy_c128 *out)
{
    for (size_t i = 0; out && i < n; i++) {
        poyi_xcomplex sum = 0.0L;
        for (size_t b = 0; b < BLOCKS; b++)
            sum += s->complex_sum[b * s->complex_size + first + i];
        out[i] = poyi_pair((double complex)sum);
    }
}

static void put_real(const sums *s, size_t first, size_t n, double *out)
{
    for (size_t i = 0; out && i < n; i++) {
        poyi_xreal sum = 0.0L;
        for (size_t b = 0; b < BLOCKS; b++)
            sum += s->real_sum[b * s->real_size + first + i];
        out[i] = (double)sum;
    }
}

static poy_status check_axial(poy_ctx *ctx, const poyi_field_function *f, const poy_c128 *g_out)
{
    int active = 0;
    const size_t n = f->coefficients ? 3 * f->n : 3 * f->n * f->basis->size;
    for (size_t i = 0; i < n && !active; i++)
        active = poyi_c(g_out[i]) != 0.0;
    for (size_t i = 0; active && i < f->basis->size; i++)
        if (poyi_c(f->vectors[3 * i]) == 0.0 && poyi_c(f->vectors[3 * i + 1]) == 0.0)
            return report(ctx, 1);
    return POY_OK;
}

poy_status poyi_field_pullback(poy_ctx *ctx, const poyi_field_function *f, const poy_c128 *g_out,
                               const poyi_field_inputs *g)
{
    poy_status status;
    void *memory = NULL, *work = NULL, *complex_memory = NULL, *real_memory = NULL;
    job j;
    sums s = sizes_of(f);
    POYI_TO_DONE(ctx, open_job(ctx, f, g->ks || g->axial, &j, &memory));
    if (f->vectors && g->vectors)
        POYI_TO_DONE(ctx, check_axial(ctx, f, g_out));
    const size_t each = lay_out(&j, NULL, NULL), size = f->basis->size;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.field", (size_t)poy_ctx_threads(ctx) * each, &work));
    POYI_TO_DONE(ctx,
                 poyi_alloc_zero(ctx, "waves.field", BLOCKS * s.complex_size * sizeof(poyi_xcomplex), &complex_memory));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "waves.field", BLOCKS * s.real_size * sizeof(poyi_xreal), &real_memory));
    s.complex_sum = complex_memory;
    s.real_sum = real_memory;
    if (g->points && f->n > 0)
        memset(g->points, 0, 3 * f->n * sizeof *g->points);
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) if (f->n > 8)
    for (size_t b = 0; b < BLOCKS; b++) {
        scratch w;
        accounts a = account_of(f, g_out, g, &s, b);
        (void)lay_out(&j, (unsigned char *)work + (size_t)poyi_thread_number() * each, &w);
        for (size_t p = b * f->n / BLOCKS; p < (b + 1) * f->n / BLOCKS; p++)
            (void)run_point(&j, p, &w, &a);
    }
    put_complex(&s, 0, size, g->coefficients);
    put_complex(&s, size, 2, g->ks);
    put_complex(&s, size + 2, 3 * size, f->vectors ? g->vectors : NULL);
    put_real(&s, 0, size, g->axial);
    put_real(&s, size, 3 * f->basis->n_positions, g->positions);
    POYI_TO_DONE(ctx, poyi_check_complex_gradient(ctx, "field", size, g->coefficients));
    POYI_TO_DONE(ctx, poyi_check_complex_gradient(ctx, "field", 2, g->ks));
    POYI_TO_DONE(ctx, poyi_check_complex_gradient(ctx, "field", 3 * size, f->vectors ? g->vectors : NULL));
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "field", size, g->axial));
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "field", 3 * f->basis->n_positions, g->positions));
    POYI_TO_DONE(ctx, poyi_check_gradient(ctx, "field", 3 * f->n, g->points));
done:
    poyi_free(&real_memory);
    poyi_free(&complex_memory);
    poyi_free(&work);
    close_job(&j, &memory);
    return status;
}

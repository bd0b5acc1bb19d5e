/* axial.c: T(d) = D(phi, theta, 0) T(|d| z) D(phi, theta, 0)^H, d = |d| (theta, phi): along z orders do not mix. The way back
 * needs no tables of its own: A(-d) = (-1)^(l + L) A(d), B(-d) = -(-1)^(l + L) B(d).
 * Sources: Gumerov and Duraiswami, SIAM J. Sci. Comput. 25, 1344 (2003); d^l_mk by its recurrence in l (Varshalovich et al.
 * (1988), 4.8.1). */
#include "scatter/cluster/axial.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scatter/particle/tmatrix.h"
#include "scatter/waves/expand/translation.h"

/* What all pairs share: the terms of A and B along z for m >= 0, at the places of z_place. */
typedef struct terms {
    int32_t *first_a, *first_b, *start; /* first degree p, where its factors begin: those of A, then those of B */
    int16_t *count_a, *count_b;
    double *factor;
    void *memory, *factor_memory;
} terms;

struct poyi_axial {
    const poy_basis *basis;
    int lmax, singular, helicity;
    size_t particles, pairs, places;    /* places: (l, m) of a particle */
    size_t n_rotation, n_z;             /* numbers of a pair */
    double *rotation;                   /* [pairs][n_rotation]: d^l_mk, l after l, rows m, columns k */
    size_t tables;                      /* 2: A + s B of s = -1, 1; where the wavenumbers differ 4: both of each pol */
    poy_c128 *z;                        /* [pairs][tables][n_z]; [m >= 0][L - m][l - m] */
    poy_c128 *phase;                    /* [pairs][lmax + 1]: exp(i m phi) */
    size_t *partner;                    /* parity: [n] */
    double *from, *to, *turned, *moved; /* [particles][places][4], two of them; [places][4] */
    void *memory;
};

int poyi_basis_lmax(const poy_basis *basis)
{
    int lmax = 1;
    for (size_t i = 0; i < basis->size; i++)
        lmax = basis->modes[i].l > lmax ? basis->modes[i].l : lmax;
    return lmax;
}

static size_t place_of(int l, int m)
{
    return (size_t)(l * (l + 1) + m - 1);
}

/* Degrees max(1, m) .. lmax of an order m >= 0. */
static int degrees_of(int lmax, int m)
{
    return lmax - (m > 1 ? m : 1) + 1;
}

/* ---- terms ---- */

static poy_status make_terms(poy_ctx *ctx, int lmax, size_t n_z, terms *t)
{
    poyi_translation_terms one;
    size_t used = 0, i = 0, all = 0;
    for (int m = 0; m <= lmax; m++)
        for (int to = m > 1 ? m : 1; to <= lmax; to++)
            for (int from = m > 1 ? m : 1; from <= lmax; from++)
                all += 2 * (size_t)(to < from ? to : from) + 4;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.axial", n_z * (3 * sizeof(int32_t) + 2 * sizeof(int16_t)), &t->memory));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.axial", all * sizeof(double), &t->factor_memory));
    t->first_a = t->memory;
    t->first_b = t->first_a + n_z;
    t->start = t->first_b + n_z;
    t->count_a = (int16_t *)(void *)(t->start + n_z);
    t->count_b = t->count_a + n_z;
    t->factor = t->factor_memory;
    for (int m = 0; m <= lmax; m++)
        for (int to = m > 1 ? m : 1; to <= lmax; to++)
            for (int from = m > 1 ? m : 1; from <= lmax; from++, i++) {
                poyi_translation_terms_of(to, m, from, m, &one);
                t->first_a[i] = one.first_a;
                t->first_b[i] = one.first_b;
                t->start[i] = (int32_t)used;
                t->count_a[i] = (int16_t)one.count_a;
                t->count_b[i] = (int16_t)(m ? one.count_b : 0);
                memcpy(t->factor + used, one.a, (size_t)t->count_a[i] * sizeof(double));
                used += (size_t)t->count_a[i];
                memcpy(t->factor + used, one.b, (size_t)t->count_b[i] * sizeof(double));
                used += (size_t)t->count_b[i];
            }
    return POY_OK;
}

static void terms_fini(terms *t)
{
    poyi_free(&t->memory);
    poyi_free(&t->factor_memory);
}

/* ---- one pair ---- */

/* A + s B along z; 0, or nonzero: beyond the range. */
static int fill_z(const terms *t, int lmax, int singular, double complex k, poyi_xreal distance, double s, size_t n_z,
                  poy_c128 *out)
{
    poyi_xcomplex radial[2 * POY_DEGREE_MAX + 2];
    int beyond = 0;
    poyi_wave_radial_table(singular, 2 * lmax, poyi_x(k) * distance, radial);
    for (int p = 0; p <= 2 * lmax; p++) /* D_p0 = z_p Y_p0 of the z axis */
        radial[p] *= sqrtl((2.0L * p + 1) / (4 * 3.14159265358979323846264338327950288L));
    for (size_t i = 0; i < n_z; i++) {
        const double *factor = t->factor + t->start[i];
        poyi_xcomplex a = 0.0L, b = 0.0L;
        for (int j = 0; j < t->count_a[i]; j++)
            a += (poyi_xreal)factor[j] * radial[t->first_a[i] + 2 * j];
        for (int j = 0; j < t->count_b[i]; j++)
            b += (poyi_xreal)factor[t->count_a[i] + j] * radial[t->first_b[i] + 2 * j];
        const poyi_xcomplex v = a + (poyi_xreal)s * CMPLXL(-cimagl(b), creall(b));
        out[i] = (poy_c128){(double)creall(v), (double)cimagl(v)};
        beyond |= !(fmax(fabs(out[i].re), fabs(out[i].im)) < DBL_MAX / 1e8);
    }
    return beyond;
}

/* d^l_mk of one (m, k) for all degrees, into the matrices of the degrees that begin at offset[l]. */
static void fill_element(int lmax, int m, int k, double cosine, double theta, const size_t *offset, double *out)
{
    const int least = abs(m) > abs(k) ? abs(m) : abs(k);
    const poyi_big start = poyi_wigner_d(least, m, k, poyi_x(theta));
    double before = 0.0, here = (double)creall(poyi_xldexp(start.m, start.e));
    for (int l = least; l <= lmax; l++) {
        if (l > 0)
            out[offset[l] + (size_t)((m + l) * (2 * l + 1) + k + l)] = here;
        const double up = l * sqrt((double)(l + 1 - m) * (l + 1 + m) * (double)(l + 1 - k) * (l + 1 + k));
        const double down = (l + 1) * sqrt((double)(l - m) * (l + m) * (double)(l - k) * (l + k));
        const double next =
            l ? ((2 * l + 1) * (l * (l + 1.0) * cosine - m * k) * here - down * before) / up : cosine; /* m = k = 0 */
        before = here;
        here = next;
    }
}

static void fill_rotation(int lmax, double theta, const size_t *offset, double *out)
{
    for (int m = -lmax; m <= lmax; m++)
        for (int k = -lmax; k <= lmax; k++)
            fill_element(lmax, m, k, cos(theta), theta, offset, out);
}

static size_t rotation_offsets(int lmax, size_t *offset)
{
    size_t n = 0;
    for (int l = 0; l <= lmax; l++) {
        offset[l] = n;
        n += l ? (size_t)(2 * l + 1) * (size_t)(2 * l + 1) : 0;
    }
    return n;
}

static poy_status fill_pairs(poy_ctx *ctx, poyi_axial *a, const terms *t, const poyi_optics *optics)
{
    size_t offset[POY_DEGREE_MAX + 1], pair = 0;
    int beyond = 0;
    rotation_offsets(a->lmax, offset);
    for (size_t to = 1; to < a->particles; to++)
        for (size_t from = 0; from < to; from++, pair++) {
            const double *p = a->basis->positions + 3 * to, *q = a->basis->positions + 3 * from;
            const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]}, rho = hypot(d[0], d[1]);
            const poyi_xreal x = (poyi_xreal)d[0], y = (poyi_xreal)d[1], z = (poyi_xreal)d[2],
                             distance = sqrtl(x * x + y * y + z * z);
            const double phi = atan2(d[1], d[0]);
            fill_rotation(a->lmax, atan2(rho, d[2]), offset, a->rotation + pair * a->n_rotation);
            for (int m = 0; m <= a->lmax; m++)
                a->phase[pair * ((size_t)a->lmax + 1) + (size_t)m] = (poy_c128){cos(m * phi), sin(m * phi)};
            for (size_t i = 0; i < a->tables; i++)
                beyond |= fill_z(t, a->lmax, a->singular, optics->ks[a->tables == 2 ? 0 : i / 2], distance,
                                 poyi_pol_sign((int64_t)(i % 2)), a->n_z, a->z + (a->tables * pair + i) * a->n_z);
        }
    if (beyond)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "cluster: coefficients of origins so close are beyond the largest double");
    return POY_OK;
}

/* ---- object ---- */

static poy_status take_memory(poy_ctx *ctx, poyi_axial *a)
{
    size_t doubles, bytes;
    const size_t n = a->basis->size, phases = (size_t)a->lmax + 1;
    POYI_TRY(ctx, poyi_mul_size(ctx, a->pairs, a->n_rotation + 2 * a->tables * a->n_z + 2 * phases, &doubles));
    doubles += (2 * a->particles + 2) * a->places * 4;
    POYI_TRY(ctx, poyi_mul_size(ctx, doubles, sizeof(double), &bytes));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.axial", bytes + n * sizeof(size_t), &a->memory));
    a->rotation = a->memory;
    a->z = (poy_c128 *)(void *)(a->rotation + a->pairs * a->n_rotation);
    a->phase = a->z + a->pairs * a->tables * a->n_z;
    a->from = (double *)(void *)(a->phase + a->pairs * phases);
    a->to = a->from + a->particles * a->places * 4;
    a->turned = a->to + a->particles * a->places * 4;
    a->moved = a->turned + a->places * 4;
    a->partner = (size_t *)(void *)(a->moved + a->places * 4);
    return POY_OK;
}

poy_status poyi_axial_create(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis, int singular,
                             poyi_axial **out)
{
    poy_status status;
    poyi_optics optics;
    void *memory = NULL;
    terms t = {.memory = NULL};
    size_t offset[POY_DEGREE_MAX + 1];
    *out = NULL;
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &optics));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.axial", sizeof(poyi_axial), &memory));
    poyi_axial *a = memory;
    a->basis = basis;
    a->lmax = poyi_basis_lmax(basis);
    a->singular = singular;
    a->helicity = embedding->poltype == POY_HELICITY;
    a->particles = basis->n_positions;
    a->tables = optics.ks[0] == optics.ks[1] ? 2 : 4;
    a->pairs = a->particles * (a->particles - 1) / 2;
    a->places = (size_t)a->lmax * ((size_t)a->lmax + 2);
    a->n_rotation = rotation_offsets(a->lmax, offset);
    for (int m = 0; m <= a->lmax; m++)
        a->n_z += (size_t)degrees_of(a->lmax, m) * (size_t)degrees_of(a->lmax, m);
    POYI_TO_DONE(ctx, take_memory(ctx, a));
    if (!a->helicity)
        POYI_TO_DONE(ctx, poyi_pol_partners(ctx, basis, a->partner));
    POYI_TO_DONE(ctx, make_terms(ctx, a->lmax, a->n_z, &t));
    POYI_TO_DONE(ctx, fill_pairs(ctx, a, &t, &optics));
done:
    terms_fini(&t);
    if (status == POY_OK)
        *out = a;
    else
        poyi_axial_destroy(&a);
    return status;
}

void poyi_axial_destroy(poyi_axial **a)
{
    void *memory = *a;
    if (*a)
        poyi_free(&(*a)->memory);
    *a = NULL;
    poyi_free(&memory);
}

/* ---- products ---- */

/* v[4] of an order times exp(+-i m phi). */
static void turn_phase(const poy_c128 *phase, int m, int sign, const double *v, double *out)
{
    const poy_c128 e = phase[abs(m)];
    const double im = (m < 0) == (sign > 0) ? -e.im : e.im;
    for (size_t pol = 0; pol < 2; pol++) {
        const double re = v[2 * pol] * e.re - v[2 * pol + 1] * im;
        out[2 * pol + 1] = v[2 * pol] * im + v[2 * pol + 1] * e.re;
        out[2 * pol] = re;
    }
}

/* out_m = sum_k d_km exp(i k phi) v_k (into the frame), or out_m = exp(-i m phi) sum_k d_mk v_k (back), added. */
static void rotate_in(const poyi_axial *a, size_t pair, const double *v, double *out)
{
    const double *d = a->rotation + pair * a->n_rotation;
    const poy_c128 *phase = a->phase + pair * ((size_t)a->lmax + 1);
    double in[4];
    memset(out, 0, a->places * 4 * sizeof *out);
    for (int l = 1; l <= a->lmax; l++) {
        const size_t n = 2 * (size_t)l + 1, first = 4 * place_of(l, -l);
        for (size_t k = 0; k < n; k++, d += n) {
            turn_phase(phase, (int)k - l, 1, v + first + 4 * k, in);
            for (size_t m = 0; m < n; m++)
                for (size_t c = 0; c < 4; c++)
                    out[first + 4 * m + c] += d[m] * in[c];
        }
    }
}

static void rotate_back(const poyi_axial *a, size_t pair, const double *v, double *out)
{
    const double *d = a->rotation + pair * a->n_rotation;
    const poy_c128 *phase = a->phase + pair * ((size_t)a->lmax + 1);
    for (int l = 1; l <= a->lmax; l++) {
        const size_t n = 2 * (size_t)l + 1, first = 4 * place_of(l, -l);
        for (size_t m = 0; m < n; m++, d += n) {
            double sum[4] = {0.0, 0.0, 0.0, 0.0};
            for (size_t k = 0; k < n; k++)
                for (size_t c = 0; c < 4; c++)
                    sum[c] += d[k] * v[first + 4 * k + c];
            turn_phase(phase, (int)m - l, -1, sum, sum);
            for (size_t c = 0; c < 4; c++)
                out[first + 4 * m + c] += sum[c];
        }
    }
}

/* Along z; reverse: along -z. Both turn the sign of B, and so does an order -m. */
static void along(const poyi_axial *a, size_t pair, int reverse, const double *v, double *out)
{
    const poy_c128 *z = a->z + a->tables * pair * a->n_z;
    size_t at = 0;
    for (int m = 0; m <= a->lmax; m++) {
        const int least = m > 1 ? m : 1, n = degrees_of(a->lmax, m);
        for (int sign = 1; sign >= (m ? -1 : 1); sign -= 2)
            for (int pol = 0; pol < 2; pol++) {
                const size_t s = (sign < 0) != reverse ? (size_t)(1 - pol) : (size_t)pol; /* s = +1: 1 */
                const poy_c128 *table = z + (a->tables == 2 ? s : 2 * (size_t)pol + s) * a->n_z + at;
                for (int to = 0; to < n; to++) {
                    double re = 0.0, im = 0.0;
                    for (int from = 0; from < n; from++) {
                        const poy_c128 c = table[to * n + from];
                        const double *x = v + 4 * place_of(least + from, sign * m) + 2 * (size_t)pol;
                        const double odd = reverse && (to + from) % 2 ? -1.0 : 1.0;
                        re += odd * (c.re * x[0] - c.im * x[1]);
                        im += odd * (c.re * x[1] + c.im * x[0]);
                    }
                    double *y = out + 4 * place_of(least + to, sign * m) + 2 * (size_t)pol;
                    y[0] = re;
                    y[1] = im;
                }
            }
        at += (size_t)n * (size_t)n;
    }
}

void poyi_axial_apply(poyi_axial *a, const poy_c128 *x, poy_c128 *y)
{
    const size_t n = a->basis->size, each = a->places * 4;
    size_t pair = 0;
    memmove(y, x, n * sizeof *x);
    if (!a->helicity)
        poyi_change_pol_columns(n, 1, a->basis, a->partner, y);
    memset(a->from, 0, 2 * a->particles * each * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        const poy_wave_mode *mode = a->basis->modes + i;
        double *at = a->from + (size_t)mode->particle * each + 4 * place_of(mode->l, mode->m) + 2 * (size_t)mode->pol;
        at[0] = y[i].re;
        at[1] = y[i].im;
    }
    if (!a->singular) /* about its own origin each stays what it is */
        memcpy(a->to, a->from, a->particles * each * sizeof(double));
    for (size_t to = 1; to < a->particles; to++)
        for (size_t from = 0; from < to; from++, pair++)
            for (int reverse = 0; reverse < 2; reverse++) {
                rotate_in(a, pair, a->from + (reverse ? to : from) * each, a->turned);
                along(a, pair, reverse, a->turned, a->moved);
                rotate_back(a, pair, a->moved, a->to + (reverse ? from : to) * each);
            }
    for (size_t i = 0; i < n; i++) {
        const poy_wave_mode *mode = a->basis->modes + i;
        const double *at =
            a->to + (size_t)mode->particle * each + 4 * place_of(mode->l, mode->m) + 2 * (size_t)mode->pol;
        y[i] = (poy_c128){at[0], at[1]};
    }
    if (!a->helicity)
        poyi_change_pol_columns(n, 1, a->basis, a->partner, y);
}

/* vector_wave.c: vector spherical harmonics, spherical, cylindrical and plane waves, one value at a time in extended
 * precision with a wide exponent. The formulas are those of poynting/waves.h. */
#include "scatter/waves/vector_wave.h"

#include <stdlib.h>

#include "math/angular/legendre.h"
#include "math/angular/wigner.h"
#include "math/bessel/bessel.h"
#include "math/math.h"

static const struct {
    const char *name;
    poyi_wave_family family;
    poyi_wave_part part;
    int regular;
} functions[POYI_WAVE_FUNCTION_COUNT] = {
    [POYI_VSH_X] = {"vsh_X", POYI_HARMONIC, POYI_PART_M, 1},
    [POYI_VSH_Y] = {"vsh_Y", POYI_HARMONIC, POYI_PART_N, 1},
    [POYI_VSH_Z] = {"vsh_Z", POYI_HARMONIC, POYI_PART_RADIAL, 1},
    [POYI_VSW_M] = {"vsw_M", POYI_SPHERICAL, POYI_PART_M, 0},
    [POYI_VSW_N] = {"vsw_N", POYI_SPHERICAL, POYI_PART_N, 0},
    [POYI_VSW_A] = {"vsw_A", POYI_SPHERICAL, POYI_PART_A, 0},
    [POYI_VSW_RM] = {"vsw_rM", POYI_SPHERICAL, POYI_PART_M, 1},
    [POYI_VSW_RN] = {"vsw_rN", POYI_SPHERICAL, POYI_PART_N, 1},
    [POYI_VSW_RA] = {"vsw_rA", POYI_SPHERICAL, POYI_PART_A, 1},
    [POYI_VCW_M] = {"vcw_M", POYI_CYLINDRICAL, POYI_PART_M, 0},
    [POYI_VCW_N] = {"vcw_N", POYI_CYLINDRICAL, POYI_PART_N, 0},
    [POYI_VCW_A] = {"vcw_A", POYI_CYLINDRICAL, POYI_PART_A, 0},
    [POYI_VCW_RM] = {"vcw_rM", POYI_CYLINDRICAL, POYI_PART_M, 1},
    [POYI_VCW_RN] = {"vcw_rN", POYI_CYLINDRICAL, POYI_PART_N, 1},
    [POYI_VCW_RA] = {"vcw_rA", POYI_CYLINDRICAL, POYI_PART_A, 1},
    [POYI_VPW_M] = {"vpw_M", POYI_PLANE, POYI_PART_M, 1},
    [POYI_VPW_N] = {"vpw_N", POYI_PLANE, POYI_PART_N, 1},
    [POYI_VPW_A] = {"vpw_A", POYI_PLANE, POYI_PART_A, 1},
    [POYI_SPH_HARM] = {"sph_harm", POYI_SCALAR_HARMONIC, POYI_PART_RADIAL, 1},
};

poyi_wave_family poyi_wave_family_of(poyi_wave_function f)
{
    return functions[f].family;
}

poyi_wave_part poyi_wave_part_of(poyi_wave_function f)
{
    return functions[f].part;
}

int poyi_wave_is_regular(poyi_wave_function f)
{
    return functions[f].regular;
}

int poyi_wave_components(poyi_wave_function f)
{
    return functions[f].family == POYI_SCALAR_HARMONIC ? 1 : 3;
}

int poyi_wave_arguments(poyi_wave_function f)
{
    switch (functions[f].family) {
    case POYI_SPHERICAL: return 3;
    case POYI_CYLINDRICAL: return functions[f].part == POYI_PART_M ? 4 : 5;
    case POYI_PLANE: return 6;
    default: return 2;
    }
}

/* ---- one element ---- */

poyi_wave_element poyi_wave_gather(const poyi_wave_call *c, size_t i)
{
    poyi_wave_element e = {.l = c->l ? (int)c->l[i] : 0,
                           .m = c->m ? (int)c->m[i] : 0,
                           .sign = (poyi_xreal)poyi_pol_sign(c->pol ? c->pol[i] : 0)};
    for (int a = 0; a < poyi_wave_arguments(c->function); a++) {
        const poyi_wave_argument *from = c->argument + a;
        e.argument[a] = from->z ? poyi_x(poyi_c(from->z[i])) : from->x ? (poyi_xreal)from->x[i] : 0.0L;
    }
    return e;
}

poyi_xcomplex poyi_principal_root(poyi_xcomplex square)
{
    return csqrtl(CMPLXL(creall(square), cimagl(square) == 0.0L ? 0.0L : cimagl(square)));
}

poyi_xreal poyi_harmonic_norm(int l, int m)
{
    return sqrtl((2 * l + 1) / (4.0L * POYI_PIL) * poyi_factorial_ratio(l, m));
}

static poyi_big turned(poyi_big a, int64_t quarters)
{
    return (poyi_big){poyi_xturn(a.m, quarters), a.e};
}

/* z_l(x), z_l / x and z_l' + z_l / x. */
static void radial(int regular, int l, poyi_xcomplex x, poyi_big *z, poyi_big *over_x, poyi_big *wave)
{
    if (x == 0.0L) { /* regular: what the smallest degrees leave */
        *z = poyi_big_make(l == 0 ? 1.0L : 0.0L, 0);
        *over_x = poyi_big_make(l == 1 ? 1.0L / 3.0L : 0.0L, 0);
        *wave = poyi_big_times(*over_x, 2.0L);
        return;
    }
    const poyi_bessel b = poyi_bessel_spherical(regular ? POY_BESSEL_J : POY_BESSEL_H1, l, (double complex)x);
    const poyi_big power = poyi_big_exp(b.power);
    *z = poyi_big_mul(b.value, power);
    *over_x = poyi_big_times(*z, 1.0L / x);
    *wave = poyi_big_add(*over_x, poyi_big_mul(b.slope, power));
}

/* 2 i side h and excess = h' + h / x - i side h of h_l^(1) (side 1) or h_l^(2) (-1), |x| > l (l + 1), where the excess would
 * cancel as l (l + 1) / 2 x^2: h = (-i side)^{l+1} e^{i side x} S(x) / x, excess the same with S' for S, and S a sum in 1 / x
 * whose terms fall (DLMF 10.49.6, 10.49.7). */
static poyi_big far_wave(int side, int l, poyi_xcomplex x, poyi_big *excess)
{
    const poyi_xcomplex over_x = 1.0L / x;
    const poyi_big wave = turned(poyi_big_times(poyi_big_exp(poyi_xturn(x, side)), over_x), -(int64_t)side * (l + 1));
    poyi_xcomplex term = 1.0L, sum = 1.0L, slope = 0.0L;
    for (int k = 1; k <= l; k++) {
        term = poyi_xmul(term, poyi_xturn((poyi_xreal)(l + k) * (l - k + 1) / (2 * k) * over_x, side));
        sum += term;
        slope -= k * term;
    }
    *excess = poyi_big_times(wave, poyi_xmul(slope, over_x));
    return turned(poyi_big_times(wave, 2.0L * sum), side);
}

/* side[0] and side[1]: z' + z / x - i z and + i z, z = j_l or h_l^(1), without the cancellation far away. */
static void radial_sides(int regular, int l, poyi_xcomplex x, poyi_big z, poyi_big wave, poyi_big side[2])
{
    poyi_big outgoing, incoming, back, excess;
    if (poyi_xsize(x) <= (poyi_xreal)l * (l + 1)) {
        side[0] = poyi_big_add(wave, turned(z, 3));
        side[1] = poyi_big_add(wave, turned(z, 1));
        return;
    }
    outgoing = far_wave(1, l, x, &excess);
    side[0] = excess;
    side[1] = poyi_big_add(excess, outgoing);
    if (!regular)
        return;
    incoming = far_wave(-1, l, x, &back); /* j is half the sum of both */
    side[0] = poyi_big_times(poyi_big_add(side[0], poyi_big_add(back, incoming)), 0.5L);
    side[1] = poyi_big_times(poyi_big_add(side[1], back), 0.5L);
}

/* A = (N + s M) / sqrt(2) of spherical waves: tau + pi and tau - pi, which vanish on one half of the axis, are -+ sqrt(l (l + 1))
 * d^l_{m,+-1} (Varshalovich 4.17), and each goes with one of z' + z / x +- i s z: A_theta = i (P + Q), A_phi = Q - P. */
static void spherical_helicity(const poyi_wave_element *e, int regular, poyi_big a[3])
{
    const int l = e->l;
    const poyi_xcomplex theta = e->argument[1];
    poyi_xreal sign;
    poyi_big z, over_x, wave, side[2];
    a[0] = a[1] = a[2] = (poyi_big){0.0L, 0};
    if (l == 0)
        return;
    const poyi_xcomplex sine = poyi_principal_sine(theta, &sign), phase = poyi_xphase(e->m * e->argument[2]);
    const poyi_xcomplex s = sign * csinl(0.5L * theta), c = ccosl(0.5L * theta);
    const poyi_xcomplex norm = sqrtl((2 * l + 1) / (32.0L * POYI_PIL)) * phase;
    radial(regular, l, e->argument[0], &z, &over_x, &wave);
    const int positive = e->sign > 0.0L;
    radial_sides(regular, l, e->argument[0], z, wave, side);
    const poyi_big up = poyi_wigner_d_half(l, e->m, 1, s, c), down = poyi_wigner_d_half(l, e->m, -1, s, c);
    const poyi_big p = poyi_big_mul(poyi_big_times(up, -norm), side[positive]);
    const poyi_big q = poyi_big_mul(poyi_big_times(down, norm), side[!positive]);
    const poyi_big height = poyi_angular_functions(l, e->m, ccosl(theta), sine).p;
    const poyi_xcomplex along = phase * poyi_harmonic_norm(l, e->m) * sqrtl(0.5L * (poyi_xreal)l * (l + 1));
    a[0] = poyi_big_mul(turned(poyi_big_times(height, along), 1), over_x);
    a[1] = turned(poyi_big_add(p, q), 1);
    a[2] = poyi_big_add(q, poyi_big_times(p, -1.0L));
}

static void spherical(const poyi_wave_element *e, poyi_wave_family family, int regular, poyi_big m[3], poyi_big n[3])
{
    const int shift = family == POYI_SPHERICAL, l = e->l;
    const poyi_xcomplex theta = e->argument[shift], phi = e->argument[shift + 1];
    poyi_xreal sign;
    const poyi_angular a = poyi_angular_functions(l, e->m, ccosl(theta), poyi_principal_sine(theta, &sign));
    const poyi_xcomplex harmonic = poyi_xphase(e->m * phi) * poyi_harmonic_norm(l, e->m);
    const poyi_xcomplex norm = l ? harmonic / sqrtl((poyi_xreal)l * (l + 1)) : 0.0L;
    const poyi_big one = {1.0L, 0}, none = {0.0L, 0};
    poyi_big z = one, over_x = none, wave = one;
    if (family == POYI_SPHERICAL)
        radial(regular, l, e->argument[0], &z, &over_x, &wave);
    const poyi_big along = poyi_big_times(a.pi, norm), across = poyi_big_times(a.tau, norm);
    m[0] = none;
    m[1] = poyi_big_mul(turned(along, 2), z);
    m[2] = poyi_big_mul(turned(across, 3), z);
    n[0] = poyi_big_mul(turned(poyi_big_times(a.p, harmonic * sqrtl((poyi_xreal)l * (l + 1))), 1), over_x);
    n[1] = poyi_big_mul(turned(across, 1), wave);
    n[2] = poyi_big_mul(turned(along, 2), wave);
    if (family == POYI_HARMONIC && e->radial)
        n[0] = turned(poyi_big_times(a.p, harmonic), 1);
    if (family == POYI_SCALAR_HARMONIC)
        n[0] = poyi_big_times(a.p, harmonic);
}

poyi_xcomplex poyi_radial_wavenumber(poyi_xcomplex kz, poyi_xcomplex k)
{
    const poyi_xcomplex root = csqrtl(poyi_xmul(k - kz, k + kz));
    return cimagl(root) < 0.0L || (cimagl(root) == 0.0L && creall(root) < 0.0L) ? -root : root;
}

static void cylindrical(const poyi_wave_element *e, int regular, int with_n, poyi_big m[3], poyi_big n[3])
{
    const poyi_xcomplex kz = e->argument[0], x = e->argument[1], i = CMPLXL(0.0L, 1.0L);
    const int order = e->m;
    poyi_big f, slope, over_x; /* F, F', m F / x */
    if (x == 0.0L) {
        f = poyi_big_make(order == 0 ? 1.0L : 0.0L, 0);
        slope = poyi_big_make(abs(order) == 1 ? 0.5L * order : 0.0L, 0);
        over_x = poyi_big_make(abs(order) == 1 ? 0.5L : 0.0L, 0);
    } else {
        const poyi_bessel b = poyi_bessel_cylindrical(regular ? POY_BESSEL_J : POY_BESSEL_H1, order, (double complex)x);
        const poyi_big power = poyi_big_exp(b.power);
        f = poyi_big_mul(b.value, power);
        slope = poyi_big_mul(b.slope, power);
        over_x = poyi_big_times(f, order / x);
    }
    const poyi_big phase = poyi_big_exp(poyi_xmul(i, order * e->argument[2] + poyi_xmul(kz, e->argument[3])));
    f = poyi_big_mul(f, phase);
    slope = poyi_big_mul(slope, phase);
    over_x = poyi_big_mul(over_x, phase);
    m[0] = turned(over_x, 1);
    m[1] = turned(slope, 2);
    m[2] = (poyi_big){0.0L, 0};
    if (!with_n)
        return;
    const poyi_xcomplex k = e->argument[4];
    n[0] = poyi_big_times(turned(slope, 1), kz / k);
    n[1] = poyi_big_times(turned(over_x, 2), kz / k);
    n[2] = poyi_big_times(f, poyi_radial_wavenumber(kz, k) / k);
}

int poyi_plane_polarisation(const poyi_xcomplex kvec[3], poyi_xcomplex m[3], poyi_xcomplex n[3])
{
    const poyi_xcomplex kx = kvec[0], ky = kvec[1], kz = kvec[2], i = CMPLXL(0.0L, 1.0L);
    const poyi_xcomplex square = poyi_xmul(kx, kx) + poyi_xmul(ky, ky);
    const poyi_xcomplex q = poyi_principal_root(square), k = poyi_principal_root(square + poyi_xmul(kz, kz));
    m[2] = 0.0L;
    if (kx == 0.0L && ky == 0.0L) {
        m[0] = 0.0L;
        m[1] = -i;
        n[0] = creall(poyi_xmul(conjl(k), kz)) < 0.0L ? 1.0L : -1.0L; /* -kz / k, also where light is amplified */
        n[1] = n[2] = 0.0L;
        return kz != 0.0L;
    }
    m[0] = poyi_xmul(i, ky / q);
    m[1] = poyi_xmul(-i, kx / q);
    n[0] = poyi_xmul(kx / q, -kz / k);
    n[1] = poyi_xmul(ky / q, -kz / k);
    n[2] = q / k;
    return q != 0.0L && k != 0.0L;
}

static void plane(const poyi_wave_element *e, poyi_big m[3], poyi_big n[3])
{
    const poyi_xcomplex *k = e->argument, *r = e->argument + 3;
    const poyi_xcomplex phase = poyi_xmul(k[0], r[0]) + poyi_xmul(k[1], r[1]) + poyi_xmul(k[2], r[2]);
    const poyi_big factor = poyi_big_exp(poyi_xturn(phase, 1));
    poyi_xcomplex polarisation_m[3], polarisation_n[3];
    (void)poyi_plane_polarisation(k, polarisation_m, polarisation_n);
    for (int j = 0; j < 3; j++) {
        m[j] = poyi_big_times(factor, polarisation_m[j]);
        n[j] = poyi_big_times(factor, polarisation_n[j]);
    }
}

/* ---- batches ---- */

typedef struct run {
    const poyi_wave_call *call;
    poy_c128 *out;
} run;

static int element(void *user, size_t i)
{
    const run *r = user;
    const poyi_wave_function f = r->call->function;
    const poyi_wave_part part = functions[f].part;
    poyi_wave_element e = poyi_wave_gather(r->call, i);
    poyi_big m[3] = {{0.0L, 0}, {0.0L, 0}, {0.0L, 0}}, n[3] = {{0.0L, 0}, {0.0L, 0}, {0.0L, 0}};
    int beyond = 0;
    e.radial = part == POYI_PART_RADIAL;
    const int is_whole = part == POYI_PART_A && functions[f].family == POYI_SPHERICAL; /* n is A itself */
    if (is_whole)
        spherical_helicity(&e, functions[f].regular, n);
    else if (functions[f].family == POYI_CYLINDRICAL)
        cylindrical(&e, functions[f].regular, part != POYI_PART_M, m, n);
    else if (functions[f].family == POYI_PLANE)
        plane(&e, m, n);
    else
        spherical(&e, functions[f].family, functions[f].regular, m, n);
    const int components = poyi_wave_components(f);
    for (int j = 0; j < components; j++) {
        double complex value;
        poyi_big v = part == POYI_PART_M ? m[j] : n[j];
        if (part == POYI_PART_A && !is_whole)
            v = poyi_big_times(poyi_big_add(n[j], poyi_big_times(m[j], e.sign)), sqrtl(0.5L));
        else if (part == POYI_PART_RADIAL ? j > 0 : functions[f].family == POYI_HARMONIC && j == 0)
            v = (poyi_big){0.0L, 0}; /* Z has its radial part only, X and Y have none */
        beyond |= poyi_big_round(v, &value);
        r->out[(size_t)components * i + (size_t)j] = poyi_pair(value);
    }
    return beyond;
}

static poy_status check_labels(poy_ctx *ctx, const poyi_wave_call *c, size_t i)
{
    const char *name = functions[c->function].name;
    const int64_t l = c->l ? c->l[i] : POY_DEGREE_MAX, m = c->m ? c->m[i] : 0, pol = c->pol ? c->pol[i] : 0;
    if (l < 0 || l > POY_DEGREE_MAX || m < -l || m > l)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: element %zu has l = %lld and m = %lld, needs |m| <= l <= %d", name,
                         i, (long long)l, (long long)m, POY_DEGREE_MAX);
    if (pol != 0 && pol != 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: pol[%zu] = %lld, needs 0 or 1", name, i, (long long)pol);
    return POY_OK;
}

poy_status poyi_wave_check(poy_ctx *ctx, const poyi_wave_call *c)
{
    static const char *const names[] = {"argument 1", "argument 2", "argument 3",
                                        "argument 4", "argument 5", "argument 6"};
    const char *name = functions[c->function].name;
    for (int a = 0; a < poyi_wave_arguments(c->function); a++) {
        if (c->argument[a].z)
            POYI_TRY(ctx, poyi_batch_finite(ctx, name, names[a], c->n, c->argument[a].z));
        else
            POYI_TRY(ctx, poyi_batch_finite_real(ctx, name, names[a], c->n, c->argument[a].x));
    }
    for (size_t i = 0; i < c->n; i++) {
        POYI_TRY(ctx, check_labels(ctx, c, i));
        const poyi_wave_element e = poyi_wave_gather(c, i);
        const poyi_wave_family family = functions[c->function].family;
        poyi_xcomplex m[3], n[3];
        if (!functions[c->function].regular && e.argument[family == POYI_CYLINDRICAL] == 0.0L)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: x[%zu] = 0 is a pole of singular waves", name, i);
        if (family == POYI_CYLINDRICAL && functions[c->function].part != POYI_PART_M && e.argument[4] == 0.0L)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: k[%zu] = 0, needs another number", name, i);
        if (family == POYI_PLANE && !poyi_plane_polarisation(e.argument, m, n))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: element %zu has k.k = 0 or kx^2 + ky^2 = 0 without kx = ky = 0, which have no "
                             "polarisation vectors",
                             name, i);
    }
    return POY_OK;
}

poy_status poyi_vector_wave(poy_ctx *ctx, const poyi_wave_call *call, poy_c128 *out)
{
    run r = {call, out};
    POYI_TRY(ctx, poyi_wave_check(ctx, call));
    POYI_TRY(ctx, poyi_batch(ctx, functions[call->function].name, call->n, element, &r));
    return POY_OK;
}

/* ---- the public names ---- */

#define CALL(id, ...) poyi_vector_wave(ctx, &(const poyi_wave_call){.function = POYI_##id, .n = n, __VA_ARGS__}, out)

#define VSH(name)                                                                                                   \
    poy_status poy_sf_vsh_##name(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const poy_c128 *theta, \
                                 const double *phi, poy_c128 *out)                                                  \
    {                                                                                                               \
        return CALL(VSH_##name, .l = l, .m = m, .argument = {{theta, NULL}, {NULL, phi}});                          \
    }
VSH(X)
VSH(Y)
VSH(Z)

/* The last parameters differ: (pol,) out. */
#define VSW(name, id, labels, ...)                                                                              \
    poy_status poy_sf_vsw_##name(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const poy_c128 *x, \
                                 const poy_c128 *theta, const double *phi, __VA_ARGS__)                         \
    {                                                                                                           \
        return CALL(id, .l = l, .m = m, .pol = labels, .argument = {{x, NULL}, {theta, NULL}, {NULL, phi}});    \
    }
VSW(M, VSW_M, NULL, poy_c128 *out)
VSW(N, VSW_N, NULL, poy_c128 *out)
VSW(A, VSW_A, pol, const int64_t *pol, poy_c128 *out)
VSW(rM, VSW_RM, NULL, poy_c128 *out)
VSW(rN, VSW_RN, NULL, poy_c128 *out)
VSW(rA, VSW_RA, pol, const int64_t *pol, poy_c128 *out)

#define VCW(name, id, wavenumber, labels, ...)                                                                  \
    poy_status poy_sf_vcw_##name(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const poy_c128 *x, \
                                 const double *phi, const double *z, __VA_ARGS__)                               \
    {                                                                                                           \
        return CALL(id, .m = m, .pol = labels,                                                                  \
                    .argument = {{NULL, kz}, {x, NULL}, {NULL, phi}, {NULL, z}, {wavenumber, NULL}});           \
    }
VCW(M, VCW_M, NULL, NULL, poy_c128 *out)
VCW(N, VCW_N, k, NULL, const poy_c128 *k, poy_c128 *out)
VCW(A, VCW_A, k, pol, const poy_c128 *k, const int64_t *pol, poy_c128 *out)
VCW(rM, VCW_RM, NULL, NULL, poy_c128 *out)
VCW(rN, VCW_RN, k, NULL, const poy_c128 *k, poy_c128 *out)
VCW(rA, VCW_RA, k, pol, const poy_c128 *k, const int64_t *pol, poy_c128 *out)

#define VPW(name, id, labels, ...)                                                                                   \
    poy_status poy_sf_vpw_##name(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz, \
                                 const double *x, const double *y, const double *z, __VA_ARGS__)                     \
    {                                                                                                                \
        return CALL(id, .pol = labels,                                                                               \
                    .argument = {{kx, NULL}, {ky, NULL}, {kz, NULL}, {NULL, x}, {NULL, y}, {NULL, z}});              \
    }
VPW(M, VPW_M, NULL, poy_c128 *out)
VPW(N, VPW_N, NULL, poy_c128 *out)
VPW(A, VPW_A, pol, const int64_t *pol, poy_c128 *out)

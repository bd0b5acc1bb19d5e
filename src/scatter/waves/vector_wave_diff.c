/* vector_wave_diff.c: derivatives of vector waves with respect to every continuous argument. They are holomorphic in all of
 * them, so one Jacobian serves tangents and cotangents. Angular derivatives by the ladders DLMF 14.10.5, 14.10.6 and radial
 * ones by 10.51.2 divide by nothing that vanishes at a pole. */
#include "math/angular/legendre.h"
#include "math/bessel/bessel.h"
#include "scatter/waves/vector_wave.h"

/* What M and N (and Z, or a harmonic, in n[0]) are, and their derivatives. */
typedef struct jacobian {
    poyi_xcomplex m[3][POYI_WAVE_ARGUMENTS], n[3][POYI_WAVE_ARGUMENTS];
    int undefined[POYI_WAVE_ARGUMENTS]; /* arguments by which there is no derivative */
} jacobian;

static poyi_xcomplex plain(poyi_big a)
{
    return poyi_xldexp(a.m, a.e);
}

/* ---- spherical ---- */

/* P, pi, tau and the derivatives of the last two by theta. */
typedef struct angular {
    poyi_xcomplex p, pi, tau, d_pi, d_tau;
} angular;

static angular angular_slopes(int l, int m, poyi_xcomplex c, poyi_xcomplex s)
{
    const poyi_angular here = poyi_angular_functions(l, m, c, s);
    angular a = {plain(here.p), plain(here.pi), plain(here.tau), 0.0L, 0.0L};
    a.d_tau = 0.5L * (plain(poyi_angular_functions(l, m + 1, c, s).tau) -
                      (poyi_xreal)(l + m) * (l - m + 1) * plain(poyi_angular_functions(l, m - 1, c, s).tau));
    if (l > 0)
        a.d_pi = -0.5L * (plain(poyi_angular_functions(l - 1, m + 1, c, s).tau) +
                          (poyi_xreal)(l + m - 1) * (l + m) * plain(poyi_angular_functions(l - 1, m - 1, c, s).tau));
    return a;
}

/* z_l and z_l' */
static void radial(int regular, int l, poyi_xcomplex x, poyi_xcomplex *value, poyi_xcomplex *slope)
{
    if (x == 0.0L) {
        *value = l == 0 ? 1.0L : 0.0L;
        *slope = l == 1 ? 1.0L / 3.0L : 0.0L;
        return;
    }
    const poyi_bessel b = poyi_bessel_spherical(regular ? POY_BESSEL_J : POY_BESSEL_H1, l, (double complex)x);
    const poyi_big power = poyi_big_exp(b.power);
    *value = plain(poyi_big_mul(b.value, power));
    *slope = plain(poyi_big_mul(b.slope, power));
}

static void spherical(poyi_wave_function f, const poyi_wave_element *e, jacobian *j)
{
    const poyi_wave_family family = poyi_wave_family_of(f);
    const int shift = family == POYI_SPHERICAL, l = e->l, theta = shift, phi = shift + 1;
    const poyi_xcomplex angle = e->argument[theta], i_m = CMPLXL(0.0L, (poyi_xreal)e->m);
    poyi_xreal sign; /* of sin(theta): functions of cos(theta) have its positive root */
    const poyi_xcomplex sine = poyi_principal_sine(angle, &sign);
    angular a = angular_slopes(l, e->m, ccosl(angle), sine);
    const poyi_xcomplex d_p = sign * a.tau;
    a.d_pi *= sign;
    a.d_tau *= sign;
    const poyi_xcomplex harmonic = poyi_xphase(e->m * e->argument[phi]) * poyi_harmonic_norm(l, e->m);
    const poyi_xreal root = sqrtl((poyi_xreal)l * (l + 1));
    const poyi_xcomplex norm = l > 0 ? harmonic / root : 0.0L;
    poyi_xcomplex z = 1.0L, wave = 1.0L, over = 0.0L, d_z = 0.0L, d_wave = 0.0L, d_over = 0.0L;
    if (family == POYI_SPHERICAL && l > 0) {
        poyi_xcomplex below, above, d_below, d_above;
        const int regular = poyi_wave_is_regular(f);
        radial(regular, l, e->argument[0], &z, &d_z);
        radial(regular, l - 1, e->argument[0], &below, &d_below);
        radial(regular, l + 1, e->argument[0], &above, &d_above);
        wave = ((l + 1) * below - l * above) / (2 * l + 1);
        d_wave = ((l + 1) * d_below - l * d_above) / (2 * l + 1);
        over = (below + above) / (2 * l + 1);
        d_over = (d_below + d_above) / (2 * l + 1);
    }
    /* value and derivatives of M and N as products radial x angular x phase */
    const poyi_xcomplex along = poyi_xmul(norm, a.pi), across = poyi_xmul(norm, a.tau);
    const poyi_xcomplex d_along = poyi_xmul(norm, a.d_pi), d_across = poyi_xmul(norm, a.d_tau);
    const poyi_xcomplex height = poyi_xmul(harmonic, a.p) * root, d_height = poyi_xmul(harmonic, d_p) * root;
    j->m[1][theta] = -poyi_xmul(d_along, z);
    j->m[2][theta] = poyi_xturn(poyi_xmul(d_across, z), 3);
    j->m[1][phi] = -poyi_xmul(i_m, poyi_xmul(along, z));
    j->m[2][phi] = poyi_xmul(i_m, poyi_xturn(poyi_xmul(across, z), 3));
    j->n[0][theta] = poyi_xturn(poyi_xmul(d_height, over), 1);
    j->n[1][theta] = poyi_xturn(poyi_xmul(d_across, wave), 1);
    j->n[2][theta] = -poyi_xmul(d_along, wave);
    j->n[0][phi] = poyi_xmul(i_m, poyi_xturn(poyi_xmul(height, over), 1));
    j->n[1][phi] = poyi_xmul(i_m, poyi_xturn(poyi_xmul(across, wave), 1));
    j->n[2][phi] = -poyi_xmul(i_m, poyi_xmul(along, wave));
    if (family == POYI_SPHERICAL) {
        j->m[1][0] = -poyi_xmul(along, d_z);
        j->m[2][0] = poyi_xturn(poyi_xmul(across, d_z), 3);
        j->n[0][0] = poyi_xturn(poyi_xmul(height, d_over), 1);
        j->n[1][0] = poyi_xturn(poyi_xmul(across, d_wave), 1);
        j->n[2][0] = -poyi_xmul(along, d_wave);
    } else if (poyi_wave_part_of(f) == POYI_PART_RADIAL) {
        const int64_t quarter = family == POYI_HARMONIC; /* Z = i Y */
        for (int c = 1; c < 3; c++)
            j->n[c][theta] = j->n[c][phi] = 0.0L;
        j->n[0][theta] = poyi_xturn(poyi_xmul(harmonic, d_p), quarter);
        j->n[0][phi] = poyi_xmul(i_m, poyi_xturn(poyi_xmul(harmonic, a.p), quarter));
    } else {
        j->n[0][theta] = j->n[0][phi] = 0.0L; /* over is 0: X and Y have no radial part */
    }
}

/* ---- cylindrical ---- */

/* F_m and F_m' */
static void cylinder(int regular, int m, poyi_xcomplex x, poyi_xcomplex *value, poyi_xcomplex *slope)
{
    if (x == 0.0L) {
        *value = m == 0 ? 1.0L : 0.0L;
        *slope = m == 1 ? 0.5L : m == -1 ? -0.5L : 0.0L;
        return;
    }
    const poyi_bessel b = poyi_bessel_cylindrical(regular ? POY_BESSEL_J : POY_BESSEL_H1, m, (double complex)x);
    const poyi_big power = poyi_big_exp(b.power);
    *value = plain(poyi_big_mul(b.value, power));
    *slope = plain(poyi_big_mul(b.slope, power));
}

static void cylindrical(poyi_wave_function f, const poyi_wave_element *e, jacobian *j)
{
    enum { KZ, X, PHI, Z, K };
    const poyi_xcomplex kz = e->argument[KZ], k = e->argument[K], i = CMPLXL(0.0L, 1.0L);
    const poyi_xcomplex phase = poyi_xphase(e->m * e->argument[PHI] + poyi_xmul(kz, e->argument[Z]));
    const int regular = poyi_wave_is_regular(f);
    poyi_xcomplex here, slope, below, above, d_below, d_above;
    cylinder(regular, e->m, e->argument[X], &here, &slope);
    cylinder(regular, e->m - 1, e->argument[X], &below, &d_below);
    cylinder(regular, e->m + 1, e->argument[X], &above, &d_above);
    const poyi_xcomplex ratio = 0.5L * (below + above), d_ratio = 0.5L * (d_below + d_above); /* m F / x */
    const poyi_xcomplex d_slope = 0.5L * (d_below - d_above);
    /* M = (i ratio, -slope, 0), N = (i kz slope, -kz ratio, k_rho F) / k, both times the phase */
    const poyi_xcomplex magnetic[2][3] = {{i * ratio, -slope, 0.0L}, {i * d_ratio, -d_slope, 0.0L}};
    const poyi_xcomplex turned[2][2] = {{i * slope, -ratio}, {i * d_slope, -d_ratio}};
    const int has_n = poyi_wave_part_of(f) != POYI_PART_M;
    const poyi_xcomplex radial = has_n ? poyi_radial_wavenumber(kz, k) : 1.0L, axial = has_n ? kz / k : 0.0L;
    const poyi_xcomplex height = has_n ? radial / k : 0.0L;
    j->undefined[KZ] = j->undefined[K] = has_n && radial == 0.0L;
    for (int c = 0; c < 3; c++) {
        const poyi_xcomplex m = poyi_xmul(phase, magnetic[0][c]);
        const poyi_xcomplex n = poyi_xmul(phase, c < 2 ? poyi_xmul(axial, turned[0][c]) : poyi_xmul(height, here));
        j->m[c][X] = poyi_xmul(phase, magnetic[1][c]);
        j->n[c][X] = poyi_xmul(phase, c < 2 ? poyi_xmul(axial, turned[1][c]) : poyi_xmul(height, slope));
        j->m[c][KZ] = poyi_xmul(i, poyi_xmul(e->argument[Z], m));
        j->n[c][KZ] = poyi_xmul(i, poyi_xmul(e->argument[Z], n));
        j->m[c][PHI] = e->m * poyi_xmul(i, m);
        j->n[c][PHI] = e->m * poyi_xmul(i, n);
        j->m[c][Z] = poyi_xmul(poyi_xmul(i, kz), m);
        j->n[c][Z] = poyi_xmul(poyi_xmul(i, kz), n);
        if (!has_n || radial == 0.0L)
            continue;
        /* of kz / k and of k_rho / k */
        const poyi_xcomplex part = poyi_xmul(phase, c < 2 ? turned[0][c] : here);
        j->n[c][KZ] += poyi_xmul(part, c < 2 ? 1.0L / k : -axial / radial);
        j->n[c][K] = poyi_xmul(part, c < 2 ? -axial / k : 1.0L / radial - height / k);
    }
}

/* ---- plane ---- */

static void plane(const poyi_wave_element *e, jacobian *j)
{
    const poyi_xcomplex *k = e->argument, *r = e->argument + 3, i = CMPLXL(0.0L, 1.0L);
    const poyi_xcomplex phase = poyi_xphase(poyi_xmul(k[0], r[0]) + poyi_xmul(k[1], r[1]) + poyi_xmul(k[2], r[2]));
    poyi_xcomplex m[3], n[3], d_m[3][3], d_n[3][3];
    (void)poyi_plane_polarisation(k, m, n);
    const int axial = !poyi_plane_polarisation_slopes(k, d_m, d_n);
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < 3; a++) {
            j->m[c][a] = poyi_xmul(phase, d_m[c][a] + poyi_xmul(poyi_xmul(i, r[a]), m[c]));
            j->n[c][a] = poyi_xmul(phase, d_n[c][a] + poyi_xmul(poyi_xmul(i, r[a]), n[c]));
            j->m[c][3 + a] = poyi_xmul(phase, poyi_xmul(poyi_xmul(i, k[a]), m[c]));
            j->n[c][3 + a] = poyi_xmul(phase, poyi_xmul(poyi_xmul(i, k[a]), n[c]));
        }
    j->undefined[0] = j->undefined[1] = axial;
}

int poyi_plane_polarisation_slopes(const poyi_xcomplex k[3], poyi_xcomplex d_m[3][3], poyi_xcomplex d_n[3][3])
{
    const poyi_xcomplex square = poyi_xmul(k[0], k[0]) + poyi_xmul(k[1], k[1]);
    const poyi_xcomplex q = poyi_principal_root(square), whole = square + poyi_xmul(k[2], k[2]);
    const poyi_xcomplex length = poyi_principal_root(whole), kq = poyi_xmul(length, q);
    poyi_xcomplex m[3], n[3];
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < 3; a++)
            d_m[c][a] = d_n[c][a] = 0.0L;
    if (k[0] == 0.0L && k[1] == 0.0L)
        return 0; /* along z only the phase moves */
    (void)poyi_plane_polarisation(k, m, n);
    d_m[0][1] = CMPLXL(0.0L, 1.0L) / q;
    d_m[1][0] = -d_m[0][1];
    d_n[0][0] = d_n[1][1] = -k[2] / kq;
    d_n[0][2] = -k[0] / kq;
    d_n[1][2] = -k[1] / kq;
    d_n[2][0] = 2.0L * k[0] / kq;
    d_n[2][1] = 2.0L * k[1] / kq;
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < 3; a++) {
            const poyi_xcomplex by_q = a < 2 ? k[a] / square : 0.0L; /* of log q; log k: k_a / k^2 */
            d_m[c][a] -= poyi_xmul(m[c], by_q);
            d_n[c][a] -= poyi_xmul(n[c], by_q + k[a] / whole);
        }
    return 1;
}

/* ---- batches ---- */

static void differentiate(const poyi_wave_call *call, size_t i, poyi_xcomplex out[3][POYI_WAVE_ARGUMENTS],
                          int undefined[POYI_WAVE_ARGUMENTS])
{
    const poyi_wave_element e = poyi_wave_gather(call, i);
    const poyi_wave_family family = poyi_wave_family_of(call->function);
    const poyi_wave_part part = poyi_wave_part_of(call->function);
    jacobian j = {{{0.0L}}, {{0.0L}}, {0}};
    if (family == POYI_CYLINDRICAL)
        cylindrical(call->function, &e, &j);
    else if (family == POYI_PLANE)
        plane(&e, &j);
    else
        spherical(call->function, &e, &j);
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < POYI_WAVE_ARGUMENTS; a++)
            out[c][a] = part == POYI_PART_M   ? j.m[c][a]
                        : part == POYI_PART_A ? sqrtl(0.5L) * (j.n[c][a] + e.sign * j.m[c][a])
                                              : j.n[c][a];
    for (int a = 0; a < POYI_WAVE_ARGUMENTS; a++)
        undefined[a] = j.undefined[a];
}

typedef struct run {
    const poyi_wave_call *call;
    const poy_c128 *const *d_argument; /* pushforward */
    poy_c128 *d_out;
    const poy_c128 *g_out; /* pullback */
    poy_c128 *const *g_argument;
    unsigned char *fault; /* [n] */
} run;

static int push(void *user, size_t i)
{
    const run *r = user;
    poyi_xcomplex j[3][POYI_WAVE_ARGUMENTS];
    int undefined[POYI_WAVE_ARGUMENTS], beyond = 0;
    const size_t components = (size_t)poyi_wave_components(r->call->function);
    differentiate(r->call, i, j, undefined);
    for (size_t c = 0; c < components; c++) {
        poyi_xcomplex sum = 0.0L;
        for (int a = 0; a < poyi_wave_arguments(r->call->function); a++) {
            const poyi_xcomplex d = r->d_argument[a] ? poyi_x(poyi_c(r->d_argument[a][i])) : 0.0L;
            if (d != 0.0L && undefined[a])
                r->fault[i] = 1;
            else
                sum += poyi_xmul(j[c][a], d);
        }
        r->d_out[components * i + c] = poyi_round(sum, &beyond);
    }
    return beyond;
}

static int pull(void *user, size_t i)
{
    const run *r = user;
    poyi_xcomplex j[3][POYI_WAVE_ARGUMENTS];
    int undefined[POYI_WAVE_ARGUMENTS], beyond = 0, active = 0;
    const size_t components = (size_t)poyi_wave_components(r->call->function);
    differentiate(r->call, i, j, undefined);
    for (size_t c = 0; c < components; c++)
        active |= poyi_c(r->g_out[components * i + c]) != 0.0;
    for (int a = 0; a < poyi_wave_arguments(r->call->function); a++) {
        poyi_xcomplex sum = 0.0L;
        if (!r->g_argument[a])
            continue;
        for (size_t c = 0; c < components; c++)
            sum += poyi_xmul(conjl(j[c][a]), poyi_x(poyi_c(r->g_out[components * i + c])));
        if (active && undefined[a])
            r->fault[i] = 1;
        r->g_argument[a][i] = poyi_round(sum, &beyond);
    }
    return beyond;
}

static poy_status batch(poy_ctx *ctx, run *r, poyi_batch_element *element)
{
    poy_status status;
    void *memory = NULL;
    POYI_TO_DONE(ctx, poyi_wave_check(ctx, r->call));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "waves.fault", r->call->n, &memory));
    r->fault = memory;
    POYI_TO_DONE(ctx, poyi_batch(ctx, "derivative of a vector wave", r->call->n, element, r));
    for (size_t i = 0; i < r->call->n; i++)
        if (r->fault[i]) {
            status =
                POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                          "vector wave: element %zu has no derivative by that argument: a plane wave along z has none "
                          "by its direction, a cylindrical one with k_rho = 0 none by kz and k",
                          i);
            goto done;
        }
done:
    poyi_free(&memory);
    return status;
}

poy_status poyi_vector_wave_pushforward(poy_ctx *ctx, const poyi_wave_call *call, const poy_c128 *const *d_argument,
                                        poy_c128 *d_out)
{
    run r = {.call = call, .d_argument = d_argument, .d_out = d_out};
    POYI_TRY(ctx, batch(ctx, &r, push));
    return POY_OK;
}

poy_status poyi_vector_wave_pullback(poy_ctx *ctx, const poyi_wave_call *call, const poy_c128 *g_out,
                                     poy_c128 *const *g_argument)
{
    run r = {.call = call, .g_out = g_out, .g_argument = g_argument};
    POYI_TRY(ctx, batch(ctx, &r, pull));
    return POY_OK;
}

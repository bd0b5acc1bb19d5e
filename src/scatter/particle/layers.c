/* layers.c: what the materials of layered spheres and cylinders make of the tangential fields at each interface, and
 * what is no such particle. */
#include <string.h>

#include "scatter/particle/mie.h"

static int finite(double complex z)
{
    return isfinite(creal(z)) && isfinite(cimag(z));
}

int poyi_point_is_chiral(const poyi_particle_point *p)
{
    for (size_t i = 0; i <= p->layers; i++)
        if (poyi_c(p->kappa[i]) != 0.0)
            return 1;
    return 0;
}

/* Square root with its cut along the negative imaginary axis: for z with Im z >= 0 the one with Im >= 0, and smooth
 * where a real z > 0 gains or loses a little, so that derivatives there have two sides. */
static double complex side_root(double complex z)
{
    const double complex root = csqrt(z);
    return creal(z) < 0.0 && signbit(cimag(z)) ? -root : root;
}

static double complex same_side(double complex root, double complex as)
{
    return creal(root * conj(as)) < 0.0 ? -root : root;
}

/* n = root(epsilon) root(mu), also Im n >= 0 where epsilon and mu have it, whatever the sign of their product's. */
static double complex index_of(double complex epsilon, double complex mu)
{
    return same_side(csqrt(epsilon * mu), side_root(epsilon) * side_root(mu));
}

/* Inside a particle the functions of a wavenumber and of its negative span the same; Im >= 0 keeps regular and outgoing ones well
 * apart, and is a sign at E_theta and H_theta of the wave, whose helicity and impedance go on with n as it is. The surroundings of a
 * sphere are smooth in epsilon, mu and kappa instead; cylinders have Im k_rho >= 0, as their Hankel functions need it. */
static double inner_sign(double complex n)
{
    return cimag(n) < 0.0 ? -1.0 : 1.0;
}

/* n_pol, to the last bit of a double and beyond */
static poyi_xcomplex exact_index(const poyi_particle_point *p, size_t i, int pol, int smooth)
{
    const double complex epsilon = poyi_c(p->epsilon[i]), mu = poyi_c(p->mu[i]), near = index_of(epsilon, mu);
    const poyi_xcomplex root = csqrtl(poyi_xmul(poyi_x(epsilon), poyi_x(mu)));
    const int other = creal(conj(near) * (double complex)root) < 0.0;
    const poyi_xcomplex n = (other ? -root : root) + (poyi_xreal)poyi_pol_sign(pol) * poyi_x(poyi_c(p->kappa[i]));
    return !smooth && cimagl(n) < 0.0L ? -n : n;
}

/* epsilon and mu are not 0. d: tangents of epsilon, mu, kappa. */
static poyi_dual_medium dual_medium(double complex epsilon, double complex mu, double complex kappa,
                                    const double complex d[3], int smooth)
{
    const double complex index = index_of(epsilon, mu), impedance = mu / index;
    const double complex d_index = 0.5 * index * (d[0] / epsilon + d[1] / mu);
    poyi_dual_medium m;
    m.index = (poyi_dual){index, d_index};
    m.impedance = (poyi_dual){impedance, 0.5 * impedance * (d[1] / mu - d[0] / epsilon)};
    for (int pol = 0; pol < 2; pol++) {
        const double complex n = index + poyi_pol_sign(pol) * kappa, d_n = d_index + poyi_pol_sign(pol) * d[2];
        m.n[pol] = (poyi_dual){n, d_n};
        m.sign[pol] = smooth ? 1.0 : inner_sign(n);
    }
    return m;
}

/* k_rho of a cylinder's medium, likewise; Im >= 0 in all of them */
static poyi_xcomplex exact_radial(const poyi_particle_point *p, size_t i, int pol)
{
    const poyi_xcomplex k = (poyi_xreal)p->k0 * exact_index(p, i, pol, 0);
    const poyi_xreal kz = p->kz;
    const poyi_xcomplex radial = csqrtl(poyi_xmul(k - kz, k + kz));
    return cimagl(radial) < 0.0L ? -radial : radial;
}

/* ---- checks ---- */

static poy_status check_media(poy_ctx *ctx, const char *who, size_t index, const poyi_particle_point *p)
{
    for (size_t i = 0; i <= p->layers; i++) {
        const double complex e = poyi_c(p->epsilon[i]), m = poyi_c(p->mu[i]), k = poyi_c(p->kappa[i]);
        const double complex root = csqrt(e * m);
        if (!finite(e) || !finite(m) || !finite(k) || e == 0.0 || m == 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: medium %zu of particle %zu has epsilon = %g%+gi, mu = %g%+gi, kappa = %g%+gi; all "
                             "have to be finite, epsilon and mu not 0",
                             who, i, index, creal(e), cimag(e), creal(m), cimag(m), creal(k), cimag(k));
        if (root + k == 0.0 || root - k == 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: medium %zu of particle %zu: kappa = %g%+gi makes the index of a helicity 0", who, i,
                             index, creal(k), cimag(k));
    }
    return POY_OK;
}

static poy_status check_radii(poy_ctx *ctx, const char *who, const char *what, size_t index, size_t layers,
                              const double *x)
{
    if (layers < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: no layer, needs at least one radius", who);
    for (size_t i = 0; i < layers; i++)
        if (!isfinite(x[i]) || !(x[i] > (i ? x[i - 1] : 0.0)))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s[%zu] = %g of particle %zu, needs a finite number above %g",
                             who, what, i, x[i], index, i ? x[i - 1] : 0.0);
    return POY_OK;
}

static poy_status check_size(poy_ctx *ctx, const char *who, size_t index, double complex z)
{
    const double size = cabs(z);
    if (!(size > POYI_PAIR_SMALLEST && size < POYI_PAIR_LARGEST))
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: |k r| = %g of particle %zu, needs %g to %g", who, size, index,
                         POYI_PAIR_SMALLEST, POYI_PAIR_LARGEST);
    return POY_OK;
}

poy_status poyi_sphere_check(poy_ctx *ctx, const char *who, size_t index, const poyi_particle_point *p)
{
    const double complex none[3] = {0.0, 0.0, 0.0};
    POYI_TRY(ctx, check_radii(ctx, who, "x", index, p->layers, p->x));
    POYI_TRY(ctx, check_media(ctx, who, index, p));
    for (size_t i = 0; i <= p->layers; i++) {
        const poyi_dual_medium m =
            dual_medium(poyi_c(p->epsilon[i]), poyi_c(p->mu[i]), poyi_c(p->kappa[i]), none, i == p->layers);
        for (int pol = 0; pol < 2; pol++) {
            if (i > 0)
                POYI_TRY(ctx, check_size(ctx, who, index, m.n[pol].v * p->x[i - 1]));
            if (i < p->layers)
                POYI_TRY(ctx, check_size(ctx, who, index, m.n[pol].v * p->x[i]));
        }
    }
    return POY_OK;
}

poy_status poyi_cylinder_check(poy_ctx *ctx, const char *who, size_t index, const poyi_particle_point *p)
{
    const double complex none[3] = {0.0, 0.0, 0.0};
    POYI_TRY(ctx, check_radii(ctx, who, "radius", index, p->layers, p->x));
    if (!(p->k0 > 0.0) || !isfinite(p->k0) || !isfinite(p->kz))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: k0 = %g and kz = %g of particle %zu: k0 has to be above 0, both finite", who, p->k0,
                         p->kz, index);
    POYI_TRY(ctx, check_media(ctx, who, index, p));
    for (size_t i = 0; i <= p->layers; i++) {
        const poyi_dual_medium m = dual_medium(poyi_c(p->epsilon[i]), poyi_c(p->mu[i]), poyi_c(p->kappa[i]), none, 0);
        for (int pol = 0; pol < 2; pol++) {
            const double complex radial = poyi_normal_wavenumber(p->kz, 0.0, p->k0 * m.n[pol].v);
            if (radial == 0.0)
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                 "%s: kz = %g of particle %zu is the wavenumber of medium %zu: a branch point", who,
                                 p->kz, index, i);
            if (i > 0)
                POYI_TRY(ctx, check_size(ctx, who, index, radial * p->x[i - 1]));
            if (i < p->layers)
                POYI_TRY(ctx, check_size(ctx, who, index, radial * p->x[i]));
        }
    }
    return POY_OK;
}

/* ---- one direction: -1: values alone, else the input whose unit tangent is taken ---- */

static poyi_dual real_input(double value, size_t at, int64_t input)
{
    return (poyi_dual){value, (int64_t)at == input ? 1.0 : 0.0};
}

/* Medium i; first: the place of epsilon[0] among the inputs. */
static poyi_dual_medium medium_input(const poyi_particle_point *p, size_t i, size_t first, int64_t input, int smooth)
{
    double complex d[3];
    for (size_t part = 0; part < 3; part++)
        d[part] = (int64_t)(first + part * (p->layers + 1) + i) == input ? 1.0 : 0.0;
    return dual_medium(poyi_c(p->epsilon[i]), poyi_c(p->mu[i]), poyi_c(p->kappa[i]), d, smooth);
}

static void set_k(poyi_xcomplex k, double complex d_k, size_t at, poyi_layered *l, poyi_layered_tangent *tangent)
{
    l->k[at] = k;
    if (tangent)
        tangent->k[at] = d_k;
}

static void store(poyi_dual a, double complex *value, double complex *tangent)
{
    *value = a.v;
    if (tangent)
        *tangent = a.d;
}

/* With t = Z' / Z and s = s_p s_q: v'_p = 1/2 sum n'_p / n_q (s + t) v_q, and
 * e'_p = 1/2 sum n'_p / n_q {(l + 1) [(s + t) / z'_p - (1 + s t) / z_q] v_q + (1 + s t) e_q}; where functions of -z stand for those of z,
 * e has their sign. */
static void sphere_face(const poyi_dual_medium *in, const poyi_dual_medium *out, poyi_dual x, poyi_interface *f,
                        poyi_interface *df)
{
    const poyi_dual t = poyi_dual_div(out->impedance, in->impedance), one = {1.0, 0.0};
    f->near[0] = f->near[1] = 0;
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++) {
            const double s = p == q ? 1.0 : -1.0;
            const poyi_dual ratio = poyi_dual_scale(0.5, poyi_dual_div(out->n[p], in->n[q]));
            const poyi_dual even = poyi_dual_add((poyi_dual){s, 0.0}, t);
            const poyi_dual odd = poyi_dual_add(one, poyi_dual_scale(s, t));
            /* even = s odd: [...] = odd (s / z' - 1 / z) */
            const poyi_dual over = poyi_dual_sub(poyi_dual_div((poyi_dual){s, 0.0}, poyi_dual_mul(out->n[p], x)),
                                                 poyi_dual_div(one, poyi_dual_mul(in->n[q], x)));
            store(poyi_dual_mul(ratio, even), &f->alpha[p][q], df ? &df->alpha[p][q] : NULL);
            const poyi_dual signed_ratio = poyi_dual_scale(out->sign[p], ratio);
            store(poyi_dual_mul(poyi_dual_scale(in->sign[q], signed_ratio), odd), &f->gamma[p][q],
                  df ? &df->gamma[p][q] : NULL);
            store(poyi_dual_mul(signed_ratio, poyi_dual_mul(odd, over)), &f->beta[p][q], df ? &df->beta[p][q] : NULL);
        }
}

/* Without chirality: v / n and e' of M, and of N with epsilon for mu (see mie.h); the contrast is a factor of beta, so that
 * nothing cancels in small spheres. */
static void single_face(const poyi_particle_point *p, size_t i, double complex n, double complex n_out,
                        poyi_interface *f)
{
    const double complex e = poyi_c(p->epsilon[i]), e_out = poyi_c(p->epsilon[i + 1]), m = poyi_c(p->mu[i]),
                         m_out = poyi_c(p->mu[i + 1]), z = n * p->x[i], ratio = n_out / n, mu = m_out / m;
    *f = (poyi_interface){.alpha = {{ratio, 0.0}, {0.0, mu}},
                          .beta = {{(m - m_out) / (m * z), 0.0}, {0.0, ratio * (e - e_out) / (e_out * z)}},
                          .gamma = {{mu, 0.0}, {0.0, ratio}}};
}

/* The direction of one input; NULL: the values. */
static void sphere_direction(const poyi_particle_point *p, int64_t input, poyi_layered *l,
                             poyi_layered_tangent *tangent)
{
    poyi_dual_medium in = medium_input(p, 0, p->layers, input, 0);
    for (size_t pol = 0; pol < 2; pol++)
        set_k(exact_index(p, 0, (int)pol, 0), in.sign[pol] * in.n[pol].d, pol, l, tangent);
    for (size_t i = 0; i < p->layers; i++) {
        const poyi_dual x = real_input(p->x[i], i, input);
        const poyi_dual_medium out = medium_input(p, i + 1, p->layers, input, i + 1 == p->layers);
        l->x[i] = p->x[i];
        if (tangent)
            tangent->x[i] = creal(x.d);
        for (size_t pol = 0; pol < 2; pol++)
            set_k(exact_index(p, i + 1, (int)pol, i + 1 == p->layers), out.sign[pol] * out.n[pol].d, 2 * (i + 1) + pol,
                  l, tangent);
        sphere_face(&in, &out, x, l->faces + i, tangent ? tangent->faces + i : NULL);
        in = out;
    }
}

void poyi_sphere_fill(const poyi_particle_point *p, int single, poyi_layered *l)
{
    if (single) {
        for (size_t i = 0; i <= p->layers; i++)
            l->k[2 * i] = l->k[2 * i + 1] = exact_index(p, i, 0, i == p->layers);
        for (size_t i = 0; i < p->layers; i++) {
            l->x[i] = p->x[i];
            single_face(p, i, (double complex)l->k[2 * i], (double complex)l->k[2 * i + 2], l->faces + i);
        }
        return;
    }
    sphere_direction(p, -1, l, NULL);
    for (size_t t = 0; t < l->tangents; t++)
        sphere_direction(p, (int64_t)t, l, l->tangent + t);
}

/* ---- cylinders ---- */

/* Radial wavenumbers and k_rho / k, tau = 1 + s sign(m) kz / k of one medium. */
typedef struct radial {
    poyi_dual wave[2], ratio[2], tau[2], impedance;
    double complex rest[2]; /* 2 - tau */
} radial;

/* Of medium i; the values in extended precision, for k_rho and one of the taus are small differences where kz is near k. */
static radial radial_of(const poyi_particle_point *p, size_t i, const poyi_dual_medium *m, int sign_m, poyi_dual kz,
                        poyi_dual k0)
{
    radial r = {.impedance = m->impedance};
    for (int pol = 0; pol < 2; pol++) {
        const poyi_dual k = poyi_dual_mul(k0, m->n[pol]);
        const poyi_xcomplex exact = (poyi_xreal)(m->sign[pol] * p->k0) * exact_index(p, i, pol, 0);
        const poyi_xcomplex rho = exact_radial(p, i, pol);
        const double s = sign_m * poyi_pol_sign(pol);
        const double complex wave = (double complex)rho;
        r.wave[pol] = (poyi_dual){wave, (k.v * k.d - kz.v * kz.d) / wave};
        r.ratio[pol] = poyi_dual_div(r.wave[pol], k);
        r.ratio[pol].v = (double complex)(rho / exact);
        r.tau[pol] = poyi_dual_scale(s, poyi_dual_div(kz, k));
        r.tau[pol].v = (double complex)((exact + (poyi_xreal)s * (poyi_xreal)p->kz) / exact);
        r.rest[pol] = (double complex)((exact - (poyi_xreal)s * (poyi_xreal)p->kz) / exact);
    }
    return r;
}

/* Of E_z = sum (k_rho / k) v and E_phi = -sum s [(mu tau / x) v - e], mu = |m|, x = k_rho r, and Z H the same with s:
 * v'_p = k'_p / k_rho'_p 1/2 sum (1 + s t) (k_rho,q / k_q) v_q,
 * e'_p = mu tau'_p / x'_p v'_p + 1/2 sum (1 + s t) s [e_q - (mu tau_q / x_q) v_q], s = s_p s_q. */
static void cylinder_face(const radial *in, const radial *out, poyi_dual r, poyi_interface *f, poyi_interface *df)
{
    const poyi_dual t = poyi_dual_div(out->impedance, in->impedance), one = {1.0, 0.0};
    for (int p = 0; p < 2; p++) {
        f->near[p] = cabs(out->rest[p]) < 0.5;
        for (int q = 0; q < 2; q++) {
            const double s = p == q ? 1.0 : -1.0;
            const poyi_dual half = poyi_dual_scale(0.5, poyi_dual_add(one, poyi_dual_scale(s, t)));
            const poyi_dual alpha = poyi_dual_mul(half, poyi_dual_div(in->ratio[q], out->ratio[p]));
            const poyi_dual here = poyi_dual_div(out->tau[p], poyi_dual_mul(out->wave[p], r));
            const poyi_dual there = poyi_dual_div(in->tau[q], poyi_dual_mul(in->wave[q], r));
            const poyi_dual gamma = poyi_dual_scale(s, half);
            store(alpha, &f->alpha[p][q], df ? &df->alpha[p][q] : NULL);
            store(gamma, &f->gamma[p][q], df ? &df->gamma[p][q] : NULL);
            store(poyi_dual_sub(poyi_dual_mul(here, alpha), poyi_dual_mul(gamma, there)), &f->beta[p][q],
                  df ? &df->beta[p][q] : NULL);
            f->below[p][q] = out->rest[p] / (out->wave[p].v * r.v) * alpha.v + gamma.v * there.v;
        }
    }
}

static void cylinder_direction(const poyi_particle_point *p, int sign_m, int64_t input, poyi_layered *l,
                               poyi_layered_tangent *tangent)
{
    const size_t first = 2 + p->layers;
    const poyi_dual kz = real_input(p->kz, 0, input), k0 = real_input(p->k0, 1, input);
    poyi_dual_medium medium = medium_input(p, 0, first, input, 0);
    radial in = radial_of(p, 0, &medium, sign_m, kz, k0);
    for (size_t pol = 0; pol < 2; pol++)
        set_k(exact_radial(p, 0, (int)pol), in.wave[pol].d, pol, l, tangent);
    for (size_t i = 0; i < p->layers; i++) {
        const poyi_dual r = real_input(p->x[i], 2 + i, input);
        medium = medium_input(p, i + 1, first, input, 0);
        const radial out = radial_of(p, i + 1, &medium, sign_m, kz, k0);
        l->x[i] = p->x[i];
        if (tangent)
            tangent->x[i] = creal(r.d);
        for (size_t pol = 0; pol < 2; pol++)
            set_k(exact_radial(p, i + 1, (int)pol), out.wave[pol].d, 2 * (i + 1) + pol, l, tangent);
        cylinder_face(&in, &out, r, l->faces + i, tangent ? tangent->faces + i : NULL);
        in = out;
    }
}

void poyi_cylinder_fill(const poyi_particle_point *p, int sign_m, poyi_layered *l)
{
    cylinder_direction(p, sign_m, -1, l, NULL);
    for (size_t t = 0; t < l->tangents; t++)
        cylinder_direction(p, sign_m, (int64_t)t, l, l->tangent + t);
}

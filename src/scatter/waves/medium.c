/* medium.c: indices, impedances and wavenumbers of isotropic chiral media. */
#include "scatter/waves/waves.h"

poy_medium poy_medium_dielectric(poy_c128 epsilon)
{
    return (poy_medium){epsilon, {1.0, 0.0}, {0.0, 0.0}};
}

static int finite(double complex z)
{
    return isfinite(creal(z)) && isfinite(cimag(z));
}

static double complex upper(double complex root)
{
    return cimag(root) < 0.0 ? -root : root;
}

double complex poyi_normal_wavenumber(double complex kx, double complex ky, double complex k)
{
    /* in extended precision the squares are exact, so that a difference near 0 keeps what the arguments say */
    const poyi_xcomplex x = poyi_x(kx), y = poyi_x(ky), q = poyi_x(k);
    const poyi_xcomplex square = poyi_xmul(q - x, q + x) - poyi_xmul(y, y);
    const double complex root = (double complex)csqrtl(square);
    if (cimag(root) == 0.0)
        return CMPLX(fabs(creal(root)), 0.0);
    return upper(root);
}

static poy_status check(poy_ctx *ctx, const poy_medium *m)
{
    if (!finite(poyi_c(m->epsilon)) || !finite(poyi_c(m->mu)) || !finite(poyi_c(m->kappa)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "medium: epsilon = %g%+gi, mu = %g%+gi, kappa = %g%+gi have to be finite", m->epsilon.re,
                         m->epsilon.im, m->mu.re, m->mu.im, m->kappa.re, m->kappa.im);
    if (poyi_c(m->epsilon) == 0.0 || poyi_c(m->mu) == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "medium: %s = 0 has no impedance or no index, needs another number",
                         poyi_c(m->epsilon) == 0.0 ? "epsilon" : "mu");
    return POY_OK;
}

static double complex principal_index(const poy_medium *m)
{
    return csqrt(poyi_c(m->epsilon) * poyi_c(m->mu));
}

poy_status poy_medium_from_index(poy_ctx *ctx, poy_c128 n, const poy_c128 *impedance, poy_c128 kappa, poy_medium *out)
{
    const double complex index = poyi_c(n), z = impedance ? poyi_c(*impedance) : 1.0;
    if (!finite(index) || index == 0.0 || !finite(z) || z == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "medium: n = %g%+gi and impedance %g%+gi have to be finite and not 0",
                         n.re, n.im, creal(z), cimag(z));
    *out = impedance ? (poy_medium){poyi_pair(index / z), poyi_pair(index * z), kappa}
                     : (poy_medium){poyi_pair(index * index), {1.0, 0.0}, kappa};
    POYI_TRY(ctx, check(ctx, out));
    return POY_OK;
}

poy_status poy_medium_from_helicity_indices(poy_ctx *ctx, const poy_c128 n[2], const poy_c128 *impedance,
                                            poy_medium *out)
{
    const double complex mean = 0.5 * (poyi_c(n[0]) + poyi_c(n[1])), kappa = 0.5 * (poyi_c(n[1]) - poyi_c(n[0]));
    POYI_TRY(ctx, poy_medium_from_index(ctx, poyi_pair(mean), impedance, poyi_pair(kappa), out));
    return POY_OK;
}

poy_status poy_medium_index(poy_ctx *ctx, const poy_medium *medium, poy_c128 *n)
{
    POYI_TRY(ctx, check(ctx, medium));
    *n = poyi_pair(upper(principal_index(medium)));
    return POY_OK;
}

poy_status poy_medium_indices(poy_ctx *ctx, const poy_medium *medium, poy_c128 n[2])
{
    POYI_TRY(ctx, check(ctx, medium));
    for (int pol = 0; pol < 2; pol++)
        n[pol] = poyi_pair(upper(principal_index(medium) + poyi_pol_sign(pol) * poyi_c(medium->kappa)));
    return POY_OK;
}

poy_status poy_medium_impedance(poy_ctx *ctx, const poy_medium *medium, poy_c128 *impedance)
{
    POYI_TRY(ctx, check(ctx, medium));
    *impedance = poyi_pair(csqrt(poyi_c(medium->mu) / poyi_c(medium->epsilon)));
    return POY_OK;
}

static poy_status check_k0(poy_ctx *ctx, double k0)
{
    if (!(k0 > 0.0) || !isfinite(k0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "k0 = %g, needs a finite number above 0", k0);
    return POY_OK;
}

poy_status poy_medium_ks(poy_ctx *ctx, const poy_medium *medium, double k0, poy_c128 ks[2])
{
    poy_c128 n[2];
    POYI_TRY(ctx, check_k0(ctx, k0));
    POYI_TRY(ctx, poy_medium_indices(ctx, medium, n));
    for (int pol = 0; pol < 2; pol++)
        ks[pol] = (poy_c128){k0 * n[pol].re, k0 * n[pol].im};
    return POY_OK;
}

int poy_medium_is_chiral(const poy_medium *medium)
{
    return poyi_c(medium->kappa) != 0.0;
}

int poy_medium_is_real(const poy_medium *medium)
{
    return medium->epsilon.im == 0.0 && medium->mu.im == 0.0 && medium->kappa.im == 0.0;
}

/* An imaginary part of -0 as one of 0: negative numbers lie on the cut of the root. */
static double complex above_cut(poy_c128 x)
{
    return CMPLX(x.re, x.im == 0.0 ? 0.0 : x.im);
}

poy_status poyi_medium_waves(poy_ctx *ctx, const poy_medium *m, poyi_indices *out)
{
    POYI_TRY(ctx, check(ctx, m));
    const double complex epsilon = above_cut(m->epsilon), mu = above_cut(m->mu), root = csqrt(epsilon * mu),
                         z = csqrt(mu / epsilon);
    const int other = cimag(root) < 0.0 && cabs(mu / z - root) > cabs(mu / z + root);
    out->index = other ? -root : root;
    out->impedance = z;
    for (int pol = 0; pol < 2; pol++)
        out->n[pol] = out->index + poyi_pol_sign(pol) * poyi_c(m->kappa);
    return POY_OK;
}

poy_status poyi_embedding_optics(poy_ctx *ctx, const poy_embedding *e, poyi_optics *out)
{
    poyi_indices n;
    if (e->poltype != POY_HELICITY && e->poltype != POY_PARITY)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "poltype %d: there are POY_HELICITY and POY_PARITY", (int)e->poltype);
    POYI_TRY(ctx, check_k0(ctx, e->k0));
    POYI_TRY(ctx, poyi_medium_waves(ctx, &e->medium, &n));
    if (e->poltype == POY_PARITY && poy_medium_is_chiral(&e->medium))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "parity in a medium of kappa = %g%+gi: its waves have helicity, use POY_HELICITY",
                         e->medium.kappa.re, e->medium.kappa.im);
    *out = (poyi_optics){.ks = {e->k0 * n.n[0], e->k0 * n.n[1]},
                         .n = {n.n[0], n.n[1]},
                         .index = n.index,
                         .impedance = n.impedance,
                         .epsilon = poyi_c(e->medium.epsilon),
                         .mu = poyi_c(e->medium.mu),
                         .kappa = poyi_c(e->medium.kappa)};
    return POY_OK;
}

poy_status poyi_medium_check_plane(poy_ctx *ctx, const poy_medium *m)
{
    POYI_TRY(ctx, check(ctx, m));
    const double complex root = principal_index(m), kappa = poyi_c(m->kappa);
    const double complex physical = poyi_c(m->mu) / csqrt(poyi_c(m->mu) / poyi_c(m->epsilon));
    int good = cabs(physical - root) <= cabs(physical + root);
    for (int pol = 0; pol < 2; pol++) {
        const double complex n = root + poyi_pol_sign(pol) * kappa;
        good &= creal(n) > 0.0 || (creal(n) == 0.0 && cimag(n) >= 0.0);
    }
    if (!good)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "plane waves in a medium of epsilon = %g%+gi, mu = %g%+gi, kappa = %g%+gi: needs mu / Z = "
                         "sqrt(epsilon mu) and n - kappa, n + kappa on the principal branch",
                         m->epsilon.re, m->epsilon.im, m->mu.re, m->mu.im, m->kappa.re, m->kappa.im);
    return POY_OK;
}

/* ---- normal wavenumbers ---- */

typedef struct normal_call {
    const poy_c128 *kx, *ky, *k;
    poy_c128 *out;
} normal_call;

static int normal_element(void *user, size_t i)
{
    const normal_call *c = user;
    c->out[i] = poyi_pair(poyi_normal_wavenumber(poyi_c(c->kx[i]), poyi_c(c->ky[i]), poyi_c(c->k[i])));
    return !finite(poyi_c(c->out[i]));
}

poy_status poy_wave_vec_z(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *k,
                          poy_c128 *out)
{
    normal_call c = {kx, ky, k, out};
    POYI_TRY(ctx, poyi_batch_finite(ctx, "wave_vec_z", "kx", n, kx));
    POYI_TRY(ctx, poyi_batch_finite(ctx, "wave_vec_z", "ky", n, ky));
    POYI_TRY(ctx, poyi_batch_finite(ctx, "wave_vec_z", "k", n, k));
    POYI_TRY(ctx, poyi_batch(ctx, "wave_vec_z", n, normal_element, &c));
    return POY_OK;
}

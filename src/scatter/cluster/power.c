/* power.c: sums of powers over modes and their derivatives. */
#include "scatter/cluster/power.h"

double poyi_power_scale(const poy_basis *basis, double flux)
{
    return (basis->kind == POY_BASIS_SPHERICAL ? 0.5 : 2.0) / flux;
}

double poyi_power_of(const poyi_power *x, size_t i)
{
    const poy_wave_mode *mode = x->basis->modes + i;
    const double k = x->ks[mode->pol];
    if (x->basis->kind == POY_BASIS_SPHERICAL)
        return 1.0 / (k * k);
    return fabs(mode->kz) < k ? 1.0 / k : 0.0;
}

double poyi_power_weight(const poyi_optics *optics, const poy_basis *basis, size_t i)
{
    const poyi_power x = {.basis = basis, .ks = {creal(optics->ks[0]), creal(optics->ks[1])}};
    return poyi_power_of(&x, i);
}

/* d w = rate w dk */
static double rate(const poyi_power *x, int pol)
{
    return (x->basis->kind == POY_BASIS_SPHERICAL ? -2.0 : -1.0) / x->ks[pol];
}

/* Over the modes of one pol. */
static void sums_of(const poyi_power *x, int pol, double out[2])
{
    out[0] = out[1] = 0.0;
    for (size_t i = 0; i < x->basis->size; i++) {
        const double w = x->scale * poyi_power_of(x, i);
        const poy_c128 a = x->incident[i], p = x->scattered[i], c = x->weighted[i];
        if (x->basis->modes[i].pol != pol)
            continue;
        out[0] += w * (p.re * c.re + p.im * c.im);
        out[1] -= w * (a.re * p.re + a.im * p.im);
    }
}

void poyi_power_sums(const poyi_power *x, double out[2])
{
    double one[2];
    sums_of(x, 0, out);
    sums_of(x, 1, one);
    out[0] += one[0];
    out[1] += one[1];
}

void poyi_power_pull(const poyi_power *x, const double g_out[2], poy_c128 *g_scattered, poy_c128 *g_incident,
                     double g_ks[2])
{
    for (int pol = 0; pol < 2; pol++) {
        double sums[2];
        sums_of(x, pol, sums);
        g_ks[pol] += rate(x, pol) * (g_out[0] * sums[0] + g_out[1] * sums[1]);
    }
    for (size_t i = 0; i < x->basis->size; i++) {
        const double w = x->scale * poyi_power_of(x, i), ws = w * g_out[0], we = w * g_out[1];
        const poy_c128 a = x->incident[i], p = x->scattered[i], c = x->weighted[i];
        g_scattered[i] = (poy_c128){2.0 * ws * c.re - we * a.re, 2.0 * ws * c.im - we * a.im};
        g_incident[i] = (poy_c128){-we * p.re, -we * p.im};
    }
}

void poyi_power_pull_overlap(const poyi_power *x, double g_scattering, poy_c128 *g_overlap)
{
    const size_t n = x->basis->size;
    for (size_t i = 0; i < n; i++) {
        const double complex p = x->scale * poyi_power_of(x, i) * g_scattering * poyi_c(x->scattered[i]);
        for (size_t j = 0; j < n; j++)
            g_overlap[i * n + j] = poyi_pair(p * conj(poyi_c(x->scattered[j])));
    }
}

void poyi_power_push(const poyi_power *x, const poy_c128 *d_scattered, const poy_c128 *d_incident, const double d_ks[2],
                     const poy_c128 *moved, double d_out[2])
{
    d_out[0] = d_out[1] = 0.0;
    for (int pol = 0; d_ks && pol < 2; pol++) {
        double sums[2];
        sums_of(x, pol, sums);
        d_out[0] += rate(x, pol) * d_ks[pol] * sums[0];
        d_out[1] += rate(x, pol) * d_ks[pol] * sums[1];
    }
    for (size_t i = 0; i < x->basis->size; i++) {
        const double w = x->scale * poyi_power_of(x, i);
        const double complex p = poyi_c(x->scattered[i]), a = poyi_c(x->incident[i]);
        const double complex d_p = d_scattered ? poyi_c(d_scattered[i]) : 0.0;
        const double complex d_a = d_incident ? poyi_c(d_incident[i]) : 0.0;
        const double complex m = moved ? poyi_c(moved[i]) : 0.0;
        d_out[0] += w * creal(2.0 * conj(d_p) * poyi_c(x->weighted[i]) + conj(p) * m);
        d_out[1] -= w * creal(conj(d_a) * p + conj(a) * d_p);
    }
}

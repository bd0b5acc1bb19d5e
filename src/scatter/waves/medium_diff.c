/* medium_diff.c: derivatives of wavenumbers and impedance with respect to the medium and the frequency. */
#include "scatter/waves/diff.h"

/* n_pol of poyi_medium_waves and its derivatives by epsilon, mu and kappa. */
typedef struct index_slopes {
    double complex n, by[3];
} index_slopes;

static poy_status slopes(poy_ctx *ctx, const poy_medium *m, int pol, index_slopes *out)
{
    poyi_indices n;
    POYI_TRY(ctx, poyi_medium_waves(ctx, m, &n));
    out->n = n.n[pol];
    if (out->n == 0.0)
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                         "medium: the index of pol %d is 0, where it has a branch point", pol);
    out->by[0] = poyi_c(m->mu) / (2.0 * n.index);
    out->by[1] = poyi_c(m->epsilon) / (2.0 * n.index);
    out->by[2] = poyi_pol_sign(pol);
    return POY_OK;
}

static void parts(const poy_medium *m, double complex out[3])
{
    out[0] = m ? poyi_c(m->epsilon) : 0.0;
    out[1] = m ? poyi_c(m->mu) : 0.0;
    out[2] = m ? poyi_c(m->kappa) : 0.0;
}

poy_status poyi_medium_ks_pushforward(poy_ctx *ctx, const poy_medium *medium, double k0, const poy_medium *d_medium,
                                      double d_k0, poy_c128 d_ks[2])
{
    double complex d[3], sum[2];
    parts(d_medium, d);
    for (int pol = 0; pol < 2; pol++) {
        index_slopes s;
        POYI_TRY(ctx, slopes(ctx, medium, pol, &s));
        sum[pol] = d_k0 * s.n;
        for (int i = 0; i < 3; i++)
            sum[pol] += k0 * s.by[i] * d[i];
    }
    for (int pol = 0; pol < 2; pol++)
        d_ks[pol] = poyi_pair(sum[pol]);
    return POY_OK;
}

poy_status poyi_medium_ks_pullback(poy_ctx *ctx, const poy_medium *medium, double k0, const poy_c128 g_ks[2],
                                   poy_medium *g_medium, double *g_k0)
{
    double complex g[3] = {0.0, 0.0, 0.0};
    double by_k0 = 0.0;
    for (int pol = 0; pol < 2; pol++) {
        index_slopes s;
        POYI_TRY(ctx, slopes(ctx, medium, pol, &s));
        by_k0 += creal(conj(s.n) * poyi_c(g_ks[pol]));
        for (int i = 0; i < 3; i++)
            g[i] += k0 * conj(s.by[i]) * poyi_c(g_ks[pol]);
    }
    if (g_medium)
        *g_medium = (poy_medium){poyi_pair(g[0]), poyi_pair(g[1]), poyi_pair(g[2])};
    if (g_k0)
        *g_k0 = by_k0;
    return POY_OK;
}

/* dZ = Z (d mu / mu - d epsilon / epsilon) / 2 */
poy_status poyi_medium_impedance_pushforward(poy_ctx *ctx, const poy_medium *medium, const poy_medium *d_medium,
                                             poy_c128 *d_impedance)
{
    poy_c128 z;
    double complex d[3];
    POYI_TRY(ctx, poy_medium_impedance(ctx, medium, &z));
    parts(d_medium, d);
    *d_impedance = poyi_pair(0.5 * poyi_c(z) * (d[1] / poyi_c(medium->mu) - d[0] / poyi_c(medium->epsilon)));
    return POY_OK;
}

poy_status poyi_medium_impedance_pullback(poy_ctx *ctx, const poy_medium *medium, poy_c128 g_impedance,
                                          poy_medium *g_medium)
{
    poy_c128 z;
    POYI_TRY(ctx, poy_medium_impedance(ctx, medium, &z));
    const double complex half = 0.5 * poyi_c(z), g = poyi_c(g_impedance);
    *g_medium = (poy_medium){poyi_pair(-conj(half / poyi_c(medium->epsilon)) * g),
                             poyi_pair(conj(half / poyi_c(medium->mu)) * g),
                             {0.0, 0.0}};
    return POY_OK;
}

/* tmatrix.c: what a T-matrix file holds, whoever wrote it, and whether it keeps the laws that a T-matrix obeys. */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

enum { MOST = 100000 };

/* Largest |T_ij k_j^2 - (-1)^(m + m') T_j'i' k_i^2|, j' and i' with -m, over the largest element: 0 for reciprocal matter about
 * one origin. */
static double reciprocity(cli *c, const poy_tmatrix *t)
{
    double w[2] = {1, 1};
    poy_c128 k[2];
    const poy_embedding *e = poy_tmatrix_embedding(t);
    if (poy_medium_ks(c->ctx, &e->medium, e->k0, k) == POY_OK)
        for (int pol = 0; pol < 2; pol++) /* parity has one wavenumber */
            w[pol] = hypot(k[pol].re, k[pol].im) / hypot(k[0].re, k[0].im);

    const poy_basis *basis = poy_tmatrix_basis(t);
    const poy_wave_mode *modes = poy_basis_modes(basis);
    const poy_c128 *v = poy_tmatrix_values(t);
    const size_t n = poy_tmatrix_size(t);
    double most = 0, largest = 0;
    int64_t *mirror = malloc((n + 1) * sizeof *mirror);
    for (size_t i = 0; mirror && i < n; i++) {
        poy_wave_mode m = modes[i];
        m.m = -m.m;
        mirror[i] = poy_basis_find(basis, &m);
    }
    for (size_t i = 0; mirror && i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double wi = w[modes[i].pol] * w[modes[i].pol], wj = w[modes[j].pol] * w[modes[j].pol];
            const double sign = (modes[i].m + modes[j].m) % 2 ? -wi : wi;
            const poy_c128 a = {wj * v[i * n + j].re, wj * v[i * n + j].im};
            largest = fmax(largest, hypot(a.re, a.im));
            if (mirror[i] < 0 || mirror[j] < 0)
                continue;
            const poy_c128 b = v[(size_t)mirror[j] * n + (size_t)mirror[i]];
            most = fmax(most, hypot(a.re - sign * b.re, a.im - sign * b.im));
        }
    free(mirror);
    return largest > 0 ? most / largest : 0;
}

static int lmax_of(const poy_basis *basis)
{
    int lmax = 0;
    for (size_t i = 0; i < poy_basis_size(basis); i++)
        lmax = poy_basis_modes(basis)[i].l > lmax ? poy_basis_modes(basis)[i].l : lmax;
    return lmax;
}

static void print_averages(cli *c, const poy_tmatrix *t)
{
    poy_cross_sections x;
    if (poy_tmatrix_average(c->ctx, t, &x) != POY_OK) {
        poy_ctx_clear(c->ctx);
        return; /* several origins, or no far field */
    }
    printf(
        "mean sections  extinction %.10g m2, scattering %.10g m2, absorption %.4g m2 (first point, all directions)\n",
        x.extinction, x.scattering, x.absorption);
    if (x.absorption < -1e-9 * fabs(x.extinction))
        printf("beware         more comes out than goes in: it is not passive\n");
}

static void print_text(cli *c, size_t n, poy_tmatrix *const *t)
{
    char from[48], to[48];
    const poy_embedding *e = poy_tmatrix_embedding(t[0]);
    const poy_basis *basis = poy_tmatrix_basis(t[0]);
    const double turn = 6.283185307179586;
    double low = (double)INFINITY, high = 0;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, poy_tmatrix_embedding(t[i])->k0);
        high = fmax(high, poy_tmatrix_embedding(t[i])->k0);
    }
    poy_quantity_format(turn / high, POY_DIM_LENGTH, 6, sizeof from, from);
    poy_quantity_format(turn / low, POY_DIM_LENGTH, 6, sizeof to, to);
    printf("format         tmat.h5\npoints         %zu, wavelengths %s to %s\n", n, from, to);
    printf("modes          %zu of %s, degrees to %d\n", poy_tmatrix_size(t[0]),
           e->poltype == POY_HELICITY ? "helicity" : "parity", lmax_of(basis));
    printf("origins        %zu\n", poy_basis_position_count(basis));
    for (size_t i = 0; i < poy_basis_position_count(basis) && i < 20; i++)
        printf("  %-12zu (%.6g, %.6g, %.6g) m\n", i, poy_basis_positions(basis)[3 * i],
               poy_basis_positions(basis)[3 * i + 1], poy_basis_positions(basis)[3 * i + 2]);
    printf("medium         epsilon %.10g%+.10gi, mu %.10g%+.10gi, kappa %.10g%+.10gi\n", e->medium.epsilon.re,
           e->medium.epsilon.im, e->medium.mu.re, e->medium.mu.im, e->medium.kappa.re, e->medium.kappa.im);
    print_averages(c, t[0]);
    if (poy_basis_position_count(basis) == 1)
        printf("reciprocity    kept to %.2g of the largest element\n", reciprocity(c, t[0]));
    printf("time_factor    exp(-iwt)\n");
}

static void print_json(size_t n, poy_tmatrix *const *t)
{
    const poy_embedding *e = poy_tmatrix_embedding(t[0]);
    const poy_basis *basis = poy_tmatrix_basis(t[0]);
    printf("{\"format\": \"tmat.h5\", \"poltype\": \"%s\", \"modes\": %zu, \"lmax\": %d, \"k0\": [",
           e->poltype == POY_HELICITY ? "helicity" : "parity", poy_tmatrix_size(t[0]), lmax_of(basis));
    for (size_t i = 0; i < n; i++) {
        printf(i ? ", " : "");
        cli_json_number(stdout, poy_tmatrix_embedding(t[i])->k0);
    }
    printf("], \"positions\": [");
    for (size_t i = 0; i < poy_basis_position_count(basis); i++) {
        printf(i ? ", [" : "[");
        for (int d = 0; d < 3; d++) {
            printf(d ? ", " : "");
            cli_json_number(stdout, poy_basis_positions(basis)[3 * i + (size_t)d]);
        }
        printf("]");
    }
    printf("], \"embedding\": {\"epsilon\": [%.17g, %.17g], \"mu\": [%.17g, %.17g], \"kappa\": [%.17g, %.17g]}}\n",
           e->medium.epsilon.re, e->medium.epsilon.im, e->medium.mu.re, e->medium.mu.im, e->medium.kappa.re,
           e->medium.kappa.im);
}

int cli_tmatrix_info(cli *c, const cli_args *args, const char *path)
{
    size_t n = 0;
    if (poy_tmatrix_load(c->ctx, path, 1.0, 0, NULL, &n) != POY_OK || !n || n > MOST)
        return -1;
    poy_tmatrix **t = calloc(n, sizeof(poy_tmatrix *));
    if (!t)
        return -1;
    const poy_status status = poy_tmatrix_load(c->ctx, path, 1.0, n, t, &n);
    if (status == POY_OK && cli_has(args, "json"))
        print_json(n, t);
    else if (status == POY_OK)
        print_text(c, n, t);
    for (size_t i = 0; i < n; i++)
        poy_tmatrix_destroy(&t[i]);
    free(t);
    return status == POY_OK ? 0 : cli_failed(c, status);
}

/* test_axial.c: translations by the axis of each pair against the matrix of their coefficients: singular and regular, helicity and
 * parity, media with and without handedness or loss, origins along and beside the axes, degrees that differ. */
#include <math.h>
#include <stdlib.h>

#include "poynting/base.h"
#include "scatter/cluster/axial.h"
#include "tap.h"

enum { ORIGINS = 4 };

/* Above each other, beside each other, anywhere; none of the distances is a multiple of another. */
static const double positions[3 * ORIGINS] = {0, 0, 0, 0, 0, 310, -250, 0, 0, 190, 270, -120};

static poy_basis *make_basis(poy_ctx *ctx, int lmax, int less)
{
    poy_basis *basis = NULL;
    poy_wave_mode *modes = calloc(2 * (size_t)lmax * ((size_t)lmax + 2) * ORIGINS, sizeof *modes);
    size_t n = 0;
    for (int p = 0; p < ORIGINS; p++)
        for (int l = 1; l <= lmax - (p == 2 ? less : 0); l++)
            for (int m = -l; m <= l; m++)
                for (int pol = 1; pol >= 0; pol--)
                    modes[n++] = (poy_wave_mode){.particle = p, .l = l, .m = m, .pol = pol};
    if (poy_basis_sw_create(ctx, n, modes, ORIGINS, positions, &basis) != POY_OK)
        note("%s", poy_ctx_cause(ctx));
    free(modes);
    return basis;
}

/* Largest difference of the two products over the largest sum of |coefficient| |x|: what rounding is measured by. */
static double distance(poy_ctx *ctx, const poy_embedding *e, const poy_basis *basis, int singular)
{
    const size_t n = poy_basis_size(basis);
    poy_c128 *c = calloc(n * n + 2 * n, sizeof *c), *x = c + n * n, *y = x + n;
    poyi_axial *a = NULL;
    double most = INFINITY;
    if (poy_op_expand(ctx, e, basis, POY_REGULAR, basis, singular ? POY_SINGULAR : POY_REGULAR, c) == POY_OK &&
        poyi_axial_create(ctx, e, basis, singular, &a) == POY_OK) {
        for (size_t i = 0; i < n; i++) { /* falling with the degree, as what is scattered does */
            double u[2];
            poy_random_uniform2(7, 0, i, u);
            const double size = pow(0.05, poy_basis_modes(basis)[i].l);
            x[i] = (poy_c128){size * (u[0] - 0.5), size * (u[1] - 0.5)};
        }
        poyi_axial_apply(a, x, y);
        most = 0;
        for (size_t i = 0; i < n; i++) {
            double re = 0, im = 0, scale = 0;
            for (size_t j = 0; j < n; j++) {
                const poy_c128 v = c[i * n + j];
                re += v.re * x[j].re - v.im * x[j].im;
                im += v.re * x[j].im + v.im * x[j].re;
                scale += hypot(v.re, v.im) * hypot(x[j].re, x[j].im);
            }
            most = scale > 0 ? fmax(most, hypot(re - y[i].re, im - y[i].im) / scale) : most;
        }
    } else {
        note("%s", poy_ctx_cause(ctx));
    }
    poyi_axial_destroy(&a);
    free(c);
    return most;
}

int main(void)
{
    static const struct {
        const char *name;
        poy_embedding e;
    } cases[] = {
        {"vacuum, helicity", {0.01, {{1, 0}, {1, 0}, {0, 0}}, POY_HELICITY}},
        {"vacuum, parity", {0.01, {{1, 0}, {1, 0}, {0, 0}}, POY_PARITY}},
        {"handed medium", {0.012, {{2.2, 0}, {1.1, 0}, {0.1, 0}}, POY_HELICITY}},
        {"absorbing medium", {0.012, {{1.77, 0.2}, {1, 0}, {0, 0}}, POY_HELICITY}},
    };
    poy_ctx *ctx = NULL;
    poy_ctx_create(&ctx);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int singular = 0; singular < 2; singular++)
            for (int less = 0; less < 4; less += 3) {
                poy_basis *basis = make_basis(ctx, 7, less);
                const double d = distance(ctx, &cases[i].e, basis, singular);
                /* sums of some 500 terms, rotations of 15 and back: 100 eps of the sum of moduli */
                ok(d < 2.3e-14, "%s, %s, %s: %.1e of the sum of moduli", cases[i].name,
                   singular ? "singular" : "regular", less ? "degrees that differ" : "equal degrees", d);
                poy_basis_destroy(&basis);
            }
    poy_ctx_destroy(&ctx);
    return tap_done();
}

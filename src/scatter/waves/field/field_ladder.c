/* field_ladder.c: the gradient of a multipole as a sum of its neighbours, from the coefficients of small translations. */
#include "scatter/waves/field/field_ladder.h"

#include <stdlib.h>

#include "math/math.h"
#include "scatter/waves/expand/translation.h"

/* Adds to the list of modes each mode and what its gradient is made of. */
static size_t widen(const poy_basis *b, poy_poltype poltype, poy_wave_mode *out)
{
    size_t n = 0;
    const int cylindrical = b->kind == POY_BASIS_CYLINDRICAL;
    for (size_t i = 0; i < b->size; i++)
        for (int dl = cylindrical ? 0 : -1; dl <= (cylindrical ? 0 : 1); dl++)
            for (int dm = -1; dm <= 1; dm++)
                for (int other = 0; other < (poltype == POY_PARITY ? 2 : 1); other++) {
                    poy_wave_mode m = b->modes[i];
                    m.l += dl;
                    m.m += dm;
                    m.pol = other ? 1 - m.pol : m.pol;
                    if (cylindrical || (m.l >= 1 && abs(m.m) <= m.l))
                        out[n++] = m;
                }
    return n;
}

static int compare(const void *x, const void *y)
{
    const poy_wave_mode *a = x, *b = y;
    const int32_t labels[4][2] = {{a->particle, b->particle}, {a->l, b->l}, {a->m, b->m}, {a->pol, b->pol}};
    if (a->particle == b->particle && a->kz != b->kz)
        return a->kz < b->kz ? -1 : 1;
    for (int i = 0; i < 4; i++)
        if (labels[i][0] != labels[i][1])
            return labels[i][0] < labels[i][1] ? -1 : 1;
    return 0;
}

poy_status poyi_ladder_basis(poy_ctx *ctx, const poy_basis *b, poy_poltype poltype, poy_basis **out)
{
    poy_status status;
    void *memory = NULL;
    size_t bytes, distinct = 0;
    POYI_TRY(ctx, poyi_mul_size(ctx, b->size, (size_t)2 * POYI_NEIGHBOURS * sizeof(poy_wave_mode), &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.field", bytes, &memory));
    poy_wave_mode *modes = memory;
    const size_t n = widen(b, poltype, modes);
    qsort(modes, n, sizeof *modes, compare);
    for (size_t i = 0; i < n; i++)
        if (distinct == 0 || compare(&modes[i], &modes[distinct - 1]) != 0)
            modes[distinct++] = modes[i];
    POYI_TO_DONE(ctx, poyi_basis_make(ctx, b->kind, b->alignment, distinct, modes, b->n_positions, b->positions, out));
done:
    poyi_free(&memory);
    return status;
}

/* T(d) of small d: D_{1,q} = k d / 3 Y_1q, so the factor of d_z is sqrt(3 / 4 pi) / 3 at q = 0, and those of d_x and d_y are
 * -q and -i times sqrt(3 / 8 pi) / 3 at q = +-1; q = m - mu. */
static void spherical_ladder(const poy_wave_mode *m, poy_poltype poltype, const poy_basis *wide, poyi_ladder *out)
{
    const poyi_xreal flat = sqrtl(3.0L / (8.0L * POYI_PIL)) / 3.0L;
    poyi_translation_terms t;
    out->count = 0;
    for (int dl = -1; dl <= 1; dl++)
        for (int q = -1; q <= 1; q++) {
            poy_wave_mode to = *m;
            to.l += dl;
            to.m -= q;
            if (to.l < 1 || abs(to.m) > to.l)
                continue;
            if (dl == 0 && poltype == POY_PARITY)
                to.pol = 1 - to.pol;
            poyi_translation_terms_of(to.l, to.m, m->l, m->m, &t);
            const double a = dl == 0 ? (t.count_b > 0 && t.first_b == 1 ? t.b[0] : 0.0) : t.a[0];
            poyi_xcomplex alpha = a;
            if (dl == 0)
                alpha = CMPLXL(0.0L, poltype == POY_HELICITY ? (poyi_xreal)poyi_pol_sign(m->pol) * (poyi_xreal)a
                                                             : (poyi_xreal)a);
            const int at = out->count++;
            out->index[at] = (size_t)poy_basis_find(wide, &to);
            out->factor[at][0] = -q * flat * alpha;
            out->factor[at][1] = q != 0 ? -flat * poyi_xturn(alpha, 1) : 0.0L;
            out->factor[at][2] = q == 0 ? sqrtl(2.0L) * flat * alpha : 0.0L;
        }
}

/* d_x and d_y of F_m e^{i m phi}: k_rho (f_{m-1} - f_{m+1}) / 2 and i k_rho (f_{m-1} + f_{m+1}) / 2; d_z is apart. */
static void cylindrical_ladder(const poy_wave_mode *m, const poy_basis *wide, poyi_ladder *out)
{
    out->count = 0;
    for (int side = -1; side <= 1; side += 2) {
        poy_wave_mode to = *m;
        to.m += side;
        const int at = out->count++;
        out->index[at] = (size_t)poy_basis_find(wide, &to);
        out->factor[at][0] = -0.5L * side;
        out->factor[at][1] = CMPLXL(0.0L, 0.5L);
        out->factor[at][2] = 0.0L;
    }
}

void poyi_ladder_of(const poy_wave_mode *mode, poy_poltype poltype, const poy_basis *wide, poyi_ladder *out)
{
    if (wide->kind == POY_BASIS_SPHERICAL)
        spherical_ladder(mode, poltype, wide, out);
    else
        cylindrical_ladder(mode, wide, out);
}

/* turn.c: phases of helicity between ports of any normal and upright ones, with derivatives. */
#include "scatter/stack/turn.h"

#include "scatter/waves/diff.h"

static const int pols[2] = {0, 1};

/* Components of two vectors [2][3]. */
static void place(const poyi_tilt *t, const double complex q[2], const double complex kn[2], poy_c128 out[6])
{
    const int normal = (t->turns + 2) % 3;
    for (int pol = 0; pol < 2; pol++) {
        out[3 * pol + normal] = poyi_pair(kn[pol]);
        for (int c = 0; c < 2; c++)
            out[3 * pol + (normal + 1 + c) % 3] = poyi_pair(q[c]);
    }
}

static int is_normal(const poyi_tilt *t)
{
    return t->q[0] == 0.0 && t->q[1] == 0.0;
}

poy_status poyi_tilt_phases(poy_ctx *ctx, const poyi_tilt *t, double complex out[2])
{
    const double complex q[2] = {t->q[0], t->q[1]};
    poy_c128 vectors[6], matrix[4];
    out[0] = out[1] = 1.0;
    if (t->turns == 0)
        return POY_OK;
    place(t, q, t->kn, vectors);
    POYI_TRY(ctx, poyi_plane_permutation(ctx, POY_HELICITY, -t->turns, 2, vectors, pols, matrix));
    out[0] = poyi_c(matrix[0]);
    out[1] = poyi_c(matrix[3]);
    return POY_OK;
}

poy_status poyi_tilt_pull(poy_ctx *ctx, const poyi_tilt *t, const double complex g[2], double *g_q,
                          double complex g_kn[2])
{
    const int normal = (t->turns + 2) % 3;
    const double complex q[2] = {t->q[0], t->q[1]};
    const poy_c128 g_matrix[4] = {poyi_pair(g[0]), {0.0, 0.0}, {0.0, 0.0}, poyi_pair(g[1])};
    poy_c128 vectors[6], g_vectors[6];
    if (t->turns == 0 || (!g_q && is_normal(t)))
        return POY_OK;
    place(t, q, t->kn, vectors);
    POYI_TRY(ctx, poyi_plane_permutation_pullback(ctx, POY_HELICITY, -t->turns, 2, vectors, pols, g_matrix, g_vectors));
    for (int pol = 0; pol < 2; pol++) {
        g_kn[pol] += poyi_c(g_vectors[3 * pol + normal]);
        for (int c = 0; g_q && c < 2; c++)
            g_q[c] += g_vectors[3 * pol + (normal + 1 + c) % 3].re;
    }
    return POY_OK;
}

poy_status poyi_tilt_push(poy_ctx *ctx, const poyi_tilt *t, const double *d_q, const double complex d_kn[2],
                          double complex out[2])
{
    const double complex q[2] = {t->q[0], t->q[1]}, dq[2] = {d_q ? d_q[0] : 0.0, d_q ? d_q[1] : 0.0};
    poy_c128 vectors[6], d_vectors[6], matrix[4];
    out[0] = out[1] = 0.0;
    if (t->turns == 0 || (!d_q && is_normal(t)))
        return POY_OK;
    place(t, q, t->kn, vectors);
    place(t, dq, d_kn, d_vectors);
    POYI_TRY(ctx,
             poyi_plane_permutation_pushforward(ctx, POY_HELICITY, -t->turns, 2, vectors, pols, d_vectors, matrix));
    out[0] = poyi_c(matrix[0]);
    out[1] = poyi_c(matrix[3]);
    return POY_OK;
}

/* ---- a structure between two media ---- */

/* Waves up come from below (0) and leave above; those down the reverse. */
static int side_of(int way, int leaves)
{
    return leaves ? way == 0 : way;
}

static poyi_tilt turn_of(const poyi_turned *t, int side, int way)
{
    const double sign = way ? -1.0 : 1.0;
    return (poyi_tilt){t->turns, {t->q[0], t->q[1]}, {sign * t->kn[side][0], sign * t->kn[side][1]}};
}

poy_status poyi_turned_make(poy_ctx *ctx, poyi_turned *t)
{
    for (int side = 0; side < 2; side++)
        for (int way = 0; way < 2; way++) {
            const poyi_tilt one = turn_of(t, side, way);
            POYI_TRY(ctx, poyi_tilt_phases(ctx, &one, t->phase[side][way]));
        }
    return POY_OK;
}

/* An entry of a sheet, and the phases of the waves that leave and come in. */
typedef struct entry {
    int out, in, p, q;
    double complex leaving, coming;
} entry;

static entry entry_of(const poyi_turned *t, int e)
{
    entry x = {.out = e / 8, .in = e / 4 % 2, .p = e / 2 % 2, .q = e % 2};
    x.leaving = t->phase[side_of(x.out, 1)][x.out][x.p];
    x.coming = t->phase[side_of(x.in, 0)][x.in][x.q];
    return x;
}

void poyi_turned_sheet(const poyi_turned *t, poyi_sheet *s)
{
    for (int e = 0; e < 16; e++) {
        const entry x = entry_of(t, e);
        s->s[x.out][x.in][x.p][x.q] *= x.coming / x.leaving;
    }
}

poy_status poyi_turned_pull(poy_ctx *ctx, const poyi_turned *t, const poyi_sheet *upright, poyi_sheet *g, double *g_q,
                            double complex g_kn[2][2])
{
    double complex by[2][2][2] = {{{0.0}}};
    for (int e = 0; e < 16; e++) {
        const entry x = entry_of(t, e);
        double complex *of = &g->s[x.out][x.in][x.p][x.q];
        const double complex value = upright->s[x.out][x.in][x.p][x.q];
        by[side_of(x.in, 0)][x.in][x.q] += conj(value / x.leaving) * *of;
        by[side_of(x.out, 1)][x.out][x.p] -= conj(value * x.coming / (x.leaving * x.leaving)) * *of;
        *of *= conj(x.coming / x.leaving);
    }
    for (int side = 0; side < 2; side++)
        for (int way = 0; way < 2; way++) {
            const poyi_tilt one = turn_of(t, side, way);
            double complex kn[2] = {0.0, 0.0};
            POYI_TRY(ctx, poyi_tilt_pull(ctx, &one, by[side][way], g_q, kn));
            for (int pol = 0; pol < 2; pol++)
                g_kn[side][pol] += way ? -kn[pol] : kn[pol];
        }
    return POY_OK;
}

poy_status poyi_turned_push(poy_ctx *ctx, const poyi_turned *t, const poyi_sheet *upright, const double *d_q,
                            const double complex d_kn[2][2], poyi_sheet *d)
{
    double complex by[2][2][2];
    for (int side = 0; side < 2; side++)
        for (int way = 0; way < 2; way++) {
            const poyi_tilt one = turn_of(t, side, way);
            const double sign = way ? -1.0 : 1.0;
            const double complex kn[2] = {sign * d_kn[side][0], sign * d_kn[side][1]};
            POYI_TRY(ctx, poyi_tilt_push(ctx, &one, d_q, kn, by[side][way]));
        }
    for (int e = 0; e < 16; e++) {
        const entry x = entry_of(t, e);
        const double complex value = upright->s[x.out][x.in][x.p][x.q];
        double complex *of = &d->s[x.out][x.in][x.p][x.q];
        *of = (*of * x.coming + value * by[side_of(x.in, 0)][x.in][x.q] -
               value * x.coming / x.leaving * by[side_of(x.out, 1)][x.out][x.p]) /
              x.leaving;
    }
    return POY_OK;
}

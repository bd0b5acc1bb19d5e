/* power.c: what power an S-matrix transmits and reflects, order by order; circular dichroism; chirality densities. */
#include <string.h>

#include "record/lapack.h"
#include "scatter/stack/chirality.h"
#include "scatter/stack/smatrix.h"

/* E and Z0 H at the origin of each port's wave of amplitude 1: [direction][component][n]. */
typedef struct fields {
    size_t n;
    int normal;
    poy_c128 *e[2], *h[2];
} fields;

static poy_status make_fields(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *ports, poy_c128 *memory,
                              fields *out)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    const size_t n = ports->size;
    *out = (fields){.n = n, .normal = poyi_alignment_normal(ports->alignment)};
    for (int d = 0; d < 2; d++) {
        const poy_modetype type = d ? POY_DOWN : POY_UP;
        out->e[d] = memory + (size_t)d * 6 * n;
        out->h[d] = out->e[d] + 3 * n;
        POYI_TRY(ctx, poy_op_field(ctx, embedding, ports, type, POY_WAVE_E, 0, 1, origin, out->e[d]));
        POYI_TRY(ctx, poy_op_field(ctx, embedding, ports, type, POY_WAVE_H, 0, 1, origin, out->h[d]));
    }
    return POY_OK;
}

/* ---- flux ---- */

size_t poy_smatrix_orders(const poy_smatrix *s, size_t *order)
{
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++) {
        const size_t p = s->partner[i];
        const int first = p == POYI_NO_PARTNER || i < p;
        if (order)
            order[i] = first ? count : order[p];
        count += (size_t)first;
    }
    return count;
}

/* E x H* along the normal of an order, from its ports i and p. */
static double order_flux(const fields *f, size_t i, size_t p, const poy_c128 *up, const poy_c128 *down)
{
    double complex e[3] = {0.0, 0.0, 0.0}, h[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < 2; d++) {
        const poy_c128 *a = d ? down : up;
        for (int side = 0; a && side < (p == POYI_NO_PARTNER ? 1 : 2); side++) {
            const size_t at = side ? p : i;
            for (size_t c = 0; c < 3; c++) {
                e[c] += poyi_c(a[at]) * poyi_c(f->e[d][c * f->n + at]);
                h[c] += poyi_c(a[at]) * poyi_c(f->h[d][c * f->n + at]);
            }
        }
    }
    const int q = (f->normal + 1) % 3, r = (f->normal + 2) % 3;
    return 0.5 * creal(e[q] * conj(h[r]) - e[r] * conj(h[q]));
}

/* Up through a plane: the sum, and with each the orders'. */
static double flux(const poy_smatrix *s, const fields *f, const poy_c128 *up, const poy_c128 *down, double *each)
{
    double sum = 0.0;
    size_t order = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->partner[i] != POYI_NO_PARTNER && s->partner[i] < i)
            continue;
        const double one = order_flux(f, i, s->partner[i], up, down);
        if (each)
            each[order++] = one;
        sum += one;
    }
    return sum;
}

/* Powers of transmitted, reflected waves, and what all below count as coming; each [orders] or NULL. */
typedef struct balance {
    double transmitted, reflected, net, coming;
} balance;

static poy_status balance_of(poy_ctx *ctx, const poy_smatrix *s, poy_modetype from, const poy_c128 *incident,
                             double *transmission, double *reflection, balance *out)
{
    poy_status status;
    void *memory = NULL;
    fields side[2]; /* above, below: media of waves up and down */
    const size_t n = s->n;
    const int down = from == POY_DOWN;
    if (from != POY_UP && from != POY_DOWN)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "power: light from %d, needs POY_UP (from below) or POY_DOWN",
                         (int)from);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.smatrix", 26 * n * sizeof(poy_c128), &memory));
    poy_c128 *t = memory, *r = t + n, *work = r + n;
    for (int d = 0; d < 2; d++) {
        const poy_embedding e = poyi_side_embedding(s, d);
        POYI_TO_DONE(ctx, make_fields(ctx, &e, s->ports, work + (size_t)d * 12 * n, side + d));
    }
    POYI_TO_DONE(
        ctx, poy_smatrix_scatter(ctx, s, down ? NULL : incident, down ? incident : NULL, down ? r : t, down ? t : r));
    const fields *behind = side + down, *before = side + !down;
    const double sign = down ? -1.0 : 1.0;
    out->transmitted = sign * flux(s, behind, down ? NULL : t, down ? t : NULL, transmission);
    out->reflected = -sign * flux(s, before, down ? r : NULL, down ? NULL : r, reflection);
    out->net = sign * flux(s, before, down ? r : incident, down ? incident : r, NULL);
    out->coming = out->net + out->reflected;
    double size = 0.0;
    for (size_t i = 0; i < n; i++)
        size += incident[i].re * incident[i].re + incident[i].im * incident[i].im;
    if (!(out->coming > 1e-14 * size)) {
        status =
            POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                      "power: light of amplitude %g brings the power %g: it is evanescent, grazes, or is 0; shares "
                      "need some",
                      sqrt(size), out->coming);
        goto done;
    }
    const size_t orders = poy_smatrix_orders(s, NULL);
    for (size_t g = 0; transmission && g < orders; g++) {
        transmission[g] *= sign / out->coming;
        reflection[g] *= -sign / out->coming;
    }
done:
    poyi_free(&memory);
    return status;
}

poy_status poy_smatrix_power(poy_ctx *ctx, const poy_smatrix *s, poy_modetype from, const poy_c128 *incident,
                             poy_power_shares *out)
{
    balance b;
    POYI_TRY(ctx, balance_of(ctx, s, from, incident, NULL, NULL, &b));
    *out = (poy_power_shares){b.transmitted / b.coming, b.reflected / b.coming, (b.net - b.transmitted) / b.coming};
    return POY_OK;
}

poy_status poy_smatrix_order_powers(poy_ctx *ctx, const poy_smatrix *s, poy_modetype from, const poy_c128 *incident,
                                    double *transmission, double *reflection)
{
    balance b;
    POYI_TRY(ctx, balance_of(ctx, s, from, incident, transmission, reflection, &b));
    return POY_OK;
}

/* ---- circular dichroism ---- */

poy_status poy_smatrix_circular_dichroism(poy_ctx *ctx, const poy_smatrix *s, poy_modetype from,
                                          const poy_c128 *incident, poy_dichroism *out)
{
    poy_status status;
    void *memory = NULL;
    poy_power_shares p, q;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.smatrix", s->n * sizeof(poy_c128), &memory));
    poy_c128 *exchanged = memory;
    for (size_t i = 0; i < s->n; i++) {
        const int bright = incident[i].re != 0.0 || incident[i].im != 0.0;
        if (bright && s->partner[i] == POYI_NO_PARTNER) {
            status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "circular dichroism: port %zu lacks its other pol", i);
            goto done;
        }
        if (bright)
            exchanged[s->partner[i]] = incident[i];
    }
    POYI_TO_DONE(ctx, poy_smatrix_power(ctx, s, from, incident, &p));
    POYI_TO_DONE(ctx, poy_smatrix_power(ctx, s, from, exchanged, &q));
    if (!(p.transmission + q.transmission > 0.0)) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "circular dichroism: neither pol is transmitted; there is no ratio");
        goto done;
    }
    const double leaving_p = p.transmission + p.reflection, leaving_q = q.transmission + q.reflection;
    *out = (poy_dichroism){(q.transmission - p.transmission) / (q.transmission + p.transmission),
                           (leaving_q - leaving_p) / (leaving_q + leaving_p),
                           (p.absorption - q.absorption) / (p.absorption + q.absorption)};
done:
    poyi_free(&memory);
    return status;
}

/* ---- chirality densities ---- */

/* E_i^* . i Z Z0 H_j and its mean, waves of directions a and b. */
static double complex density(const fields *f, double complex impedance, int a, size_t i, int b, size_t j,
                              const double complex *kz, const double z[2])
{
    double complex sum = 0.0;
    for (size_t c = 0; c < 3; c++)
        sum += conj(poyi_c(f->e[a][c * f->n + i])) * poyi_c(f->h[b][c * f->n + j]);
    const double complex turns = (b ? -kz[j] : kz[j]) - conj(a ? -kz[i] : kz[i]);
    return CMPLX(0.0, 1.0) * impedance * sum * poyi_mean_phase(turns, z);
}

poy_status poy_chirality_density(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *ports,
                                 const double z[2], poy_c128 *up, poy_c128 *down, poy_c128 *cross)
{
    poy_status status;
    poyi_optics o;
    fields f;
    void *memory = NULL;
    if (ports->kind != POY_BASIS_PORTS)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "chirality density: %s waves, needs ports",
                         poyi_basis_kind_name(ports->kind));
    if (!isfinite(z[0]) || !isfinite(z[1]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "chirality density: between %g and %g, needs finite places", z[0],
                         z[1]);
    POYI_TRY(ctx, poyi_embedding_optics(ctx, embedding, &o));
    const size_t n = ports->size;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.smatrix", 13 * n * sizeof(poy_c128), &memory));
    double complex *kz = (double complex *)memory + 12 * n;
    POYI_TO_DONE(ctx, make_fields(ctx, embedding, ports, memory, &f));
    for (size_t i = 0; i < n; i++) {
        const poy_wave_mode *m = ports->modes + i;
        kz[i] = poyi_normal_wavenumber(m->component[0], m->component[1], o.ks[m->pol]);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double *p = ports->modes[i].component, *q = ports->modes[j].component;
            const int same = p[0] == q[0] && p[1] == q[1];
            double complex form[3] = {0.0, 0.0, 0.0};
            for (int e = 0; same && e < 3; e++) {
                const int a = e == 1, b = e > 0;
                form[e] =
                    density(&f, o.impedance, a, i, b, j, kz, z) + conj(density(&f, o.impedance, b, j, a, i, kz, z));
            }
            up[i * n + j] = poyi_pair(form[0]);
            down[i * n + j] = poyi_pair(form[1]);
            cross[i * n + j] = poyi_pair(form[2]);
        }
done:
    poyi_free(&memory);
    return status;
}

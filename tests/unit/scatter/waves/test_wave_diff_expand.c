/* test_wave_diff_expand.c: derivatives of expansions, of incidence and of the channels of arrays: the adjoint identity,
 * differences of order 8, refusals, and the same bits for every number of threads. */
#include "wave_diff_fixture.h"

static const int plane_pol[4] = {0, 1, 1, 0};

/* ---- expansions ---- */

typedef struct expansion_data {
    const poy_basis *destination, *source;
    poy_poltype poltype;
    int singular, periodic;
} expansion_data;

/* Inputs: positions of both, ks (one of parity), distinct kz, period. */
typedef struct expansion_case {
    poy_basis *destination, *source;
    poyi_expansion e;
    size_t n_d, n_s, n_axial;
    double kz[512];
} expansion_case;

static size_t expansion_inputs(const expansion_data *t)
{
    const poyi_expansion e = {.destination = t->destination, .source = t->source};
    double kz[512];
    return 3 * poy_basis_position_count(t->destination) + 3 * poy_basis_position_count(t->source) +
           (t->poltype == POY_PARITY ? 2 : 4) + poyi_expansion_axial(&e, kz) + (t->periodic != 0);
}

/* The bases with other positions and kz. */
static poy_basis *moved(poy_ctx *ctx, const poy_basis *b, const double *positions, size_t n_axial, const double *old,
                        const double *kz)
{
    const size_t n = poy_basis_size(b);
    poy_wave_mode *modes = calloc(n, sizeof *modes);
    poy_basis *out = NULL;
    memcpy(modes, poy_basis_modes(b), n * sizeof *modes);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_axial; k++)
            if (poy_basis_modes(b)[i].kz == old[k])
                modes[i].kz = kz[k];
    (void)(poy_basis_get_kind(b) == POY_BASIS_SPHERICAL ? poy_basis_sw_create : poy_basis_cw_create)(
        ctx, n, modes, poy_basis_position_count(b), positions, &out);
    free(modes);
    return out;
}

static void open_expansion(poy_ctx *ctx, const expansion_data *t, const double *x, expansion_case *c)
{
    const poyi_expansion e = {.destination = t->destination, .source = t->source};
    c->n_d = 3 * poy_basis_position_count(t->destination);
    c->n_s = 3 * poy_basis_position_count(t->source);
    c->n_axial = poyi_expansion_axial(&e, c->kz);
    const double *ks = x + c->n_d + c->n_s, *kz = ks + (t->poltype == POY_PARITY ? 2 : 4);
    c->destination = moved(ctx, t->destination, x, c->n_axial, c->kz, kz);
    c->source = moved(ctx, t->source, x + c->n_d, c->n_axial, c->kz, kz);
    c->e = (poyi_expansion){c->destination, c->source,   {pairs(ks)[0], pairs(ks)[t->poltype != POY_PARITY]},
                            t->poltype,     t->singular, t->periodic ? kz[c->n_axial] : 0.0};
}

static void close_expansion(expansion_case *c)
{
    poy_basis_destroy(&c->destination);
    poy_basis_destroy(&c->source);
}

static poy_status expansion_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    expansion_case c;
    open_expansion(ctx, data, x, &c);
    const poy_status status = poyi_expansion_value(ctx, &c.e, out);
    close_expansion(&c);
    return status;
}

static poy_status expansion_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    const expansion_data *t = data;
    expansion_case c;
    double copy[256];
    open_expansion(ctx, t, x, &c);
    memcpy(copy, d, expansion_inputs(t) * sizeof *d);
    double *ks = copy + c.n_d + c.n_s, *kz = ks + (t->poltype == POY_PARITY ? 2 : 4);
    poy_c128 d_ks[2] = {pairs(ks)[0], pairs(ks)[t->poltype != POY_PARITY]};
    const poyi_expansion_inputs in = {copy, copy + c.n_d, d_ks, kz, t->periodic ? kz + c.n_axial : NULL};
    const poy_status status = poyi_expansion_pushforward(ctx, &c.e, &in, d_out);
    close_expansion(&c);
    return status;
}

static poy_status expansion_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    const expansion_data *t = data;
    expansion_case c;
    poy_c128 g_ks[2];
    open_expansion(ctx, t, x, &c);
    double *ks = g + c.n_d + c.n_s, *kz = ks + (t->poltype == POY_PARITY ? 2 : 4);
    const poyi_expansion_inputs in = {g, g + c.n_d, g_ks, kz, t->periodic ? kz + c.n_axial : NULL};
    const poy_status status = poyi_expansion_pullback(ctx, &c.e, g_out, &in);
    if (t->poltype == POY_PARITY) {
        pairs_of(ks)[0] = poyi_pair(poyi_c(g_ks[0]) + poyi_c(g_ks[1]));
    } else {
        pairs_of(ks)[0] = g_ks[0];
        pairs_of(ks)[1] = g_ks[1];
    }
    close_expansion(&c);
    return status;
}

static void run_expansion(poy_ctx *ctx, const char *name, const expansion_data *t)
{
    const poyi_expansion e = {.destination = t->destination, .source = t->source};
    double x[256] = {0.0}, kz[512] = {0.0};
    size_t at = 0;
    const size_t d = 3 * poy_basis_position_count(t->destination), s = 3 * poy_basis_position_count(t->source);
    memcpy(x, poy_basis_positions(t->destination), d * sizeof *x);
    memcpy(x + d, poy_basis_positions(t->source), s * sizeof *x);
    at = d + s;
    for (int pol = 0; pol < (t->poltype == POY_PARITY ? 1 : 2); pol++) {
        x[at++] = 1.3 + 0.2 * pol;
        x[at++] = 0.1 + 0.05 * pol;
    }
    const size_t n_axial = poyi_expansion_axial(&e, kz);
    memcpy(x + at, kz, n_axial * sizeof *x);
    at += n_axial;
    if (t->periodic)
        x[at] = 1.7;
    const size_t out = poy_basis_size(t->destination) * poy_basis_size(t->source);
    const subject whole = {name, expansion_inputs(t), out, t, expansion_value, expansion_push, expansion_pull, 0.003};
    check(ctx, &whole, x);
}

static void test_expansions(poy_ctx *ctx)
{
    const double here[9] = {0.1, 0.2, -0.3, 1.4, -0.9, 0.6, -1.1, 1.2, 0.4},
                 there[6] = {0.1, 0.2, -0.3, 2.0, 1.5, -1.2};
    const double kz[2] = {0.3, -0.7};
    poy_basis *s = NULL, *d = NULL, *c = NULL, *e = NULL;
    ok(poy_basis_sw_default(ctx, 2, 3, here, &s) == POY_OK && poy_basis_sw_default(ctx, 3, 2, there, &d) == POY_OK &&
           poy_basis_cw_default(ctx, 2, kz, 2, 3, here, &c) == POY_OK &&
           poy_basis_cw_default(ctx, 2, kz, 1, 2, there, &e) == POY_OK,
       "bases");
    for (int poltype = 0; poltype < 2; poltype++) {
        const poy_poltype p = (poy_poltype)poltype;
        /* one pair of origins coincides: singular waves of it do not couple, regular ones are the identity there */
        const poy_basis *apart_d = d;
        double shifted[6];
        memcpy(shifted, there, sizeof shifted);
        shifted[0] += 0.9;
        poy_basis *off = NULL, *off_c = NULL;
        ok(poy_basis_sw_default(ctx, 3, 2, shifted, &off) == POY_OK &&
               poy_basis_cw_default(ctx, 2, kz, 1, 2, shifted, &off_c) == POY_OK,
           "bases apart");
        run_expansion(ctx, "spherical, regular", &(expansion_data){apart_d, s, p, 0, 0});
        run_expansion(ctx, "spherical, singular", &(expansion_data){off, s, p, 1, 0});
        run_expansion(ctx, "cylindrical, singular", &(expansion_data){off_c, c, p, 1, 0});
        run_expansion(ctx, "cylindrical, regular", &(expansion_data){off_c, c, p, 0, 0});
        run_expansion(ctx, "spherical from cylindrical", &(expansion_data){off, c, p, 0, 0});
        run_expansion(ctx, "cylindrical from periodic spherical", &(expansion_data){off_c, s, p, 0, 1});
        poy_basis_destroy(&off);
        poy_basis_destroy(&off_c);
    }
    /* coincident origins add nothing to singular gradients */
    const poyi_expansion same = {s, s, {{1.3, 0.0}, {1.3, 0.0}}, POY_HELICITY, 1, 0.0};
    const size_t n = poy_basis_size(s);
    poy_c128 *g = draw_coefficients(n * n);
    double g_d[9], g_s[9];
    int finite = poyi_expansion_pullback(ctx, &same, g, &(poyi_expansion_inputs){g_d, g_s, NULL, NULL, NULL}) == POY_OK;
    double total = 0.0;
    for (int i = 0; i < 9; i++) {
        finite &= isfinite(g_d[i]) && isfinite(g_s[i]);
        total += g_d[i] + g_s[i];
    }
    ok(finite && fabs(total) < 1e-10, "a basis in itself; moving all does nothing: %.1e", total);
    const poyi_expansion chiral_parity = {s, s, {{1.3, 0.0}, {1.4, 0.0}}, POY_PARITY, 1, 0.0};
    ok(poyi_expansion_value(ctx, &chiral_parity, g) == POY_ERR_UNSUPPORTED, "two wavenumbers in parity: %s",
       poy_ctx_cause(ctx));
    const poyi_expansion branch = {e, c, {{0.3, 0.0}, {0.3, 0.0}}, POY_HELICITY, 0, 0.0};
    poy_c128 g_ks[2];
    ok(poyi_expansion_pullback(ctx, &branch, g, &(poyi_expansion_inputs){NULL, NULL, g_ks, NULL, NULL}) ==
           POY_ERR_NOT_DIFFERENTIABLE,
       "kz = k: %s", poy_ctx_cause(ctx));
    free(g);
    poy_basis_destroy(&s);
    poy_basis_destroy(&d);
    poy_basis_destroy(&c);
    poy_basis_destroy(&e);
}

/* ---- incidence and channels ---- */

typedef struct incidence_data {
    const poy_basis *basis;
    poy_poltype poltype;
} incidence_data;

/* Inputs: positions, vectors; of cylinders kx and ky only. kz of the four waves: the labels of the basis. */
static size_t unpack_vectors(const incidence_data *t, const double *x, poy_c128 v[12], int tangent)
{
    const size_t n = 3 * poy_basis_position_count(t->basis);
    const int cylinders = poy_basis_get_kind(t->basis) == POY_BASIS_CYLINDRICAL;
    const poy_c128 *from = pairs(x + n);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 3; j++)
            v[3 * i + j] = cylinders && j == 2 ? (poy_c128){tangent ? 0.0
                                                            : i % 2 ? -0.7
                                                                    : 0.3,
                                                            0.0}
                                               : from[(cylinders ? 2 : 3) * i + j];
    return n;
}

static poy_status incidence_run(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *out)
{
    const incidence_data *t = data;
    poy_c128 v[12], dv[12];
    (void)unpack_vectors(t, x, v, 0);
    poy_basis *b = moved(ctx, t->basis, x, 0, NULL, NULL);
    const poyi_incidence e = {b, 4, v, plane_pol, t->poltype};
    poy_status status;
    if (d) {
        (void)unpack_vectors(t, d, dv, 1);
        status = poyi_incidence_pushforward(ctx, &e, d, dv, out);
    } else {
        status = poyi_incidence_value(ctx, &e, out);
    }
    poy_basis_destroy(&b);
    return status;
}

static poy_status incidence_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    return incidence_run(ctx, data, x, NULL, out);
}

static poy_status incidence_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    const incidence_data *t = data;
    poy_c128 v[12], gv[12];
    const size_t n = unpack_vectors(t, x, v, 0);
    const int cylinders = poy_basis_get_kind(t->basis) == POY_BASIS_CYLINDRICAL;
    poy_basis *b = moved(ctx, t->basis, x, 0, NULL, NULL);
    const poyi_incidence e = {b, 4, v, plane_pol, t->poltype};
    const poy_status status = poyi_incidence_pullback(ctx, &e, g_out, g, gv);
    const size_t kept = cylinders ? 2 : 3;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < kept; j++)
            pairs_of(g + n)[kept * i + j] = gv[3 * i + j];
    poy_basis_destroy(&b);
    return status;
}

typedef struct channels_data {
    const poy_basis *basis;
    poy_poltype poltype;
    int fixed;
} channels_data;

enum { PORTS = 4 };

/* Inputs: positions, ks (one of parity), q (not if fixed; of cylinders kx only), measure. */
static size_t channels_count(const channels_data *t)
{
    const int cylinders = poy_basis_get_kind(t->basis) == POY_BASIS_CYLINDRICAL;
    return 3 * poy_basis_position_count(t->basis) + (t->poltype == POY_PARITY ? 2 : 4) +
           (t->fixed ? 0u : PORTS * (cylinders ? 1u : 2u)) + 1;
}

typedef struct channels_case {
    poyi_channels c;
    poyi_channels_inputs d;
    poy_basis *basis;
    poy_c128 d_ks[2];
    double q[2 * PORTS], d_q[2 * PORTS];
    size_t ks, ports, measure;
} channels_case;

static void open_channels(poy_ctx *ctx, const channels_data *t, const double *x, double *d, channels_case *c)
{
    const int cylinders = poy_basis_get_kind(t->basis) == POY_BASIS_CYLINDRICAL, parity = t->poltype == POY_PARITY;
    c->ks = 3 * poy_basis_position_count(t->basis);
    c->ports = c->ks + (parity ? 2 : 4);
    c->measure = channels_count(t) - 1;
    c->basis = moved(ctx, t->basis, x, 0, NULL, NULL);
    for (size_t i = 0; i < PORTS; i++)
        for (size_t j = 0; j < 2; j++) {
            const int label = cylinders && j == 0;
            const size_t at = c->ports + (cylinders ? i : 2 * i + j);
            c->q[2 * i + j] = label ? (i % 2 ? -0.7 : 0.3) : t->fixed ? 0.0 : x[at];
            c->d_q[2 * i + j] = label || t->fixed || !d ? 0.0 : d[at];
        }
    c->c = (poyi_channels){
        c->basis, {pairs(x + c->ks)[0], pairs(x + c->ks)[!parity]}, PORTS, c->q, plane_pol, x[c->measure], t->poltype};
    if (!d)
        return;
    c->d_ks[0] = pairs(d + c->ks)[0];
    c->d_ks[1] = pairs(d + c->ks)[!parity];
    c->d = (poyi_channels_inputs){d, c->d_ks, t->fixed ? NULL : c->d_q, d + c->measure};
}

static poy_status channels_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    channels_case c;
    open_channels(ctx, data, x, NULL, &c);
    const poy_status status = poyi_channels_value(ctx, &c.c, out);
    poy_basis_destroy(&c.basis);
    return status;
}

static poy_status channels_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    channels_case c;
    double copy[64];
    memcpy(copy, d, channels_count(data) * sizeof *d);
    open_channels(ctx, data, x, copy, &c);
    const poy_status status = poyi_channels_pushforward(ctx, &c.c, &c.d, d_out);
    poy_basis_destroy(&c.basis);
    return status;
}

static poy_status channels_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    const channels_data *t = data;
    const int cylinders = poy_basis_get_kind(t->basis) == POY_BASIS_CYLINDRICAL;
    channels_case c;
    open_channels(ctx, t, x, g, &c);
    const poy_status status = poyi_channels_pullback(ctx, &c.c, g_out, &c.d);
    if (t->poltype == POY_PARITY) {
        pairs_of(g + c.ks)[0] = poyi_pair(poyi_c(c.d_ks[0]) + poyi_c(c.d_ks[1]));
    } else {
        pairs_of(g + c.ks)[0] = c.d_ks[0];
        pairs_of(g + c.ks)[1] = c.d_ks[1];
    }
    for (size_t i = 0; i < PORTS && !t->fixed; i++)
        for (size_t j = cylinders ? 1 : 0; j < 2; j++)
            g[c.ports + (cylinders ? i : 2 * i + j)] = c.d_q[2 * i + j];
    poy_basis_destroy(&c.basis);
    return status;
}

static void test_plane(poy_ctx *ctx)
{
    const double here[6] = {0.1, 0.2, -0.3, 1.4, -0.9, 0.6}, kz[2] = {0.3, -0.7};
    poy_basis *s = NULL, *c = NULL;
    ok(poy_basis_sw_default(ctx, 3, 2, here, &s) == POY_OK &&
           poy_basis_cw_default(ctx, 2, kz, 2, 2, here, &c) == POY_OK,
       "bases");
    for (int poltype = 0; poltype < 2; poltype++)
        for (int family = 0; family < 2; family++) {
            const poy_basis *b = family ? c : s;
            double x[64] = {0.0};
            const incidence_data t = {b, (poy_poltype)poltype};
            const size_t in = 6 + (family ? 16 : 24);
            memcpy(x, here, sizeof here);
            for (size_t i = 6; i < in; i += 2) {
                x[i] = (i % 4 ? 1.0 : -1.0) * (0.8 + 0.3 * draw());
                x[i + 1] = 0.2 * draw();
            }
            const subject incidence = {family ? "plane in cylindrical" : "plane in spherical",
                                       in,
                                       4 * poy_basis_size(b),
                                       &t,
                                       incidence_value,
                                       incidence_run,
                                       incidence_pull,
                                       0.008};
            check(ctx, &incidence, x);
            for (int fixed = 0; fixed < (family ? 1 : 2); fixed++) {
                const channels_data u = {b, (poy_poltype)poltype, fixed};
                const size_t n = channels_count(&u);
                size_t at = 6;
                for (int pol = 0; pol < (poltype ? 1 : 2); pol++) {
                    x[at++] = 1.9 + 0.2 * pol;
                    x[at++] = 0.1;
                }
                for (; at < n - 1; at++)
                    x[at] = (at % 2 ? 1.0 : -1.0) * (0.6 + 0.2 * draw());
                x[n - 1] = 1.6;
                const subject channels = {fixed ? "channels, normal" : "channels",
                                          n,
                                          4 * PORTS * poy_basis_size(b),
                                          &u,
                                          channels_value,
                                          channels_push,
                                          channels_pull,
                                          0.008};
                check(ctx, &channels, x);
            }
        }
    poy_basis_destroy(&s);
    poy_basis_destroy(&c);
}

/* The incidence is the expansion of ports, the emission the transpose of what an array radiates. */
static void test_channels(poy_ctx *ctx)
{
    const double here[6] = {0.1, 0.2, -0.3, 1.4, -0.9, 0.6};
    poy_basis *s = NULL;
    ok(poy_basis_sw_default(ctx, 3, 2, here, &s) == POY_OK, "two particles");
    const double q[8] = {0.1, 0.2, 0.1, 0.2, -0.4, 0.3, 0.5, 0.0};
    poy_basis *ports = NULL;
    poy_wave_mode modes[4];
    memset(modes, 0, sizeof modes);
    for (int i = 0; i < 4; i++) {
        modes[i].pol = plane_pol[i];
        modes[i].component[0] = q[2 * i];
        modes[i].component[1] = q[2 * i + 1];
    }
    const size_t n = poy_basis_size(s);
    poy_c128 *blocks = matrix(16, n), *radiated = matrix(4, n), *incident = matrix(n, 4), *wanted = matrix(n, 4), ks[2];
    ok(poy_ports_create(ctx, POY_XY, 4, modes, &ports) == POY_OK, "ports");
    (void)poy_medium_ks(ctx, &chiral.medium, chiral.k0, ks);
    const poyi_channels both = {s, {ks[0], ks[1]}, 4, q, plane_pol, 2.1, POY_HELICITY};
    ok(poyi_channels_value(ctx, &both, blocks) == POY_OK, "channels");
    for (int side = 0; side < 2; side++) {
        const poy_modetype type = side ? POY_DOWN : POY_UP;
        ok(poy_op_radiate(ctx, &chiral, ports, type, s, 2.1, radiated) == POY_OK &&
               poy_op_expand(ctx, &chiral, s, POY_REGULAR, ports, type, incident) == POY_OK,
           "by themselves");
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < 4; j++)
                wanted[4 * i + j] = radiated[j * n + i];
        ok(apart(4 * n, blocks + (size_t)side * 4 * n, incident) < 1e-15 &&
               apart(4 * n, blocks + (size_t)(2 + side) * 4 * n, wanted) < 1e-15,
           "incidence and emission, %s", side ? "down" : "up");
    }
    double g_q[8], g_measure;
    poy_c128 *g = draw_coefficients(16 * n);
    const double normal[8] = {0.0};
    poyi_channels axial = both;
    axial.q = normal;
    ok(poyi_channels_pullback(ctx, &axial, g, &(poyi_channels_inputs){NULL, NULL, g_q, &g_measure}) ==
           POY_ERR_NOT_DIFFERENTIABLE,
       "normal incidence turned: %s", poy_ctx_cause(ctx));
    free(blocks), free(radiated), free(incident), free(wanted), free(g);
    poy_basis_destroy(&ports);
    poy_basis_destroy(&s);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    test_expansions(ctx);
    test_plane(ctx);
    test_channels(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* test_wave_diff_field.c: derivatives of fields: the adjoint identity, differences of order 8, axes and origins. */
#include "wave_diff_fixture.h"

/* ---- fields ---- */

typedef struct field_data {
    const poy_basis *basis;
    poy_poltype poltype;
    int singular, alone, plane;
} field_data;

enum { FIELD_POINTS = 11 };

/* Inputs: points, coefficients (not of operators), then positions, ks (one of parity) and kz of cylindrical modes, or the
 * vectors of plane waves. */
typedef struct field_places {
    size_t coefficients, positions, ks, axial, vectors, end;
} field_places;

static field_places places_of(const field_data *t)
{
    const size_t n = poy_basis_size(t->basis);
    field_places p;
    p.coefficients = 3 * FIELD_POINTS;
    p.positions = p.coefficients + (t->alone ? 0 : 2 * n);
    p.ks = p.positions + (t->plane ? 0 : 3 * poy_basis_position_count(t->basis));
    p.axial = p.ks + (t->plane ? 0 : t->poltype == POY_PARITY ? 2 : 4);
    p.vectors = p.axial + (poy_basis_get_kind(t->basis) == POY_BASIS_CYLINDRICAL ? n : 0);
    p.end = p.vectors + (t->plane ? 6 * n : 0);
    return p;
}

static poyi_field_function field_of(poy_ctx *ctx, const field_data *t, const double *x, poy_basis **basis)
{
    const field_places p = places_of(t);
    const size_t n = poy_basis_size(t->basis);
    poyi_field_function f = {.basis = t->basis,
                             .poltype = t->poltype,
                             .singular = t->singular,
                             .n = FIELD_POINTS,
                             .points = x,
                             .coefficients = t->alone ? NULL : pairs(x + p.coefficients)};
    *basis = NULL;
    if (t->plane) {
        f.vectors = pairs(x + p.vectors);
        return f;
    }
    poy_wave_mode *modes = calloc(n, sizeof *modes);
    memcpy(modes, poy_basis_modes(t->basis), n * sizeof *modes);
    for (size_t i = 0; p.vectors > p.axial && i < n; i++)
        modes[i].kz = x[p.axial + i];
    (void)(p.vectors > p.axial ? poy_basis_cw_create : poy_basis_sw_create)(
        ctx, n, modes, poy_basis_position_count(t->basis), x + p.positions, basis);
    free(modes);
    f.basis = *basis;
    f.ks[0] = pairs(x + p.ks)[0];
    f.ks[1] = pairs(x + p.ks)[t->poltype != POY_PARITY];
    return f;
}

static poy_status field_value(poy_ctx *ctx, const void *data, const double *x, poy_c128 *out)
{
    poy_basis *b;
    const poyi_field_function f = field_of(ctx, data, x, &b);
    const poy_status status = poyi_field_value(ctx, &f, out);
    poy_basis_destroy(&b);
    return status;
}

static poyi_field_inputs field_inputs(const field_data *t, double *d, poy_c128 *ks)
{
    const field_places p = places_of(t);
    poyi_field_inputs in = {.points = d, .coefficients = t->alone ? NULL : pairs_of(d + p.coefficients)};
    if (t->plane)
        in.vectors = pairs_of(d + p.vectors);
    else {
        in.positions = d + p.positions;
        in.ks = ks;
        in.axial = p.vectors > p.axial ? d + p.axial : NULL;
    }
    return in;
}

static poy_status field_push(poy_ctx *ctx, const void *data, const double *x, const double *d, poy_c128 *d_out)
{
    const field_data *t = data;
    const field_places p = places_of(t);
    poy_basis *b;
    double *copy = calloc(p.end + 4, sizeof *copy);
    memcpy(copy, d, p.end * sizeof *d);
    poy_c128 ks[2] = {pairs(copy + p.ks)[0], pairs(copy + p.ks)[t->poltype != POY_PARITY]};
    const poyi_field_function f = field_of(ctx, t, x, &b);
    const poyi_field_inputs in = field_inputs(t, copy, ks);
    const poy_status status = poyi_field_pushforward(ctx, &f, &in, d_out);
    poy_basis_destroy(&b);
    free(copy);
    return status;
}

static poy_status field_pull(poy_ctx *ctx, const void *data, const double *x, const poy_c128 *g_out, double *g)
{
    const field_data *t = data;
    const field_places p = places_of(t);
    poy_basis *b;
    poy_c128 ks[2];
    const poyi_field_function f = field_of(ctx, t, x, &b);
    const poyi_field_inputs in = field_inputs(t, g, ks);
    const poy_status status = poyi_field_pullback(ctx, &f, g_out, &in);
    if (!t->plane) {
        pairs_of(g + p.ks)[0] = t->poltype == POY_PARITY ? poyi_pair(poyi_c(ks[0]) + poyi_c(ks[1])) : ks[0];
        if (t->poltype != POY_PARITY)
            pairs_of(g + p.ks)[1] = ks[1];
    }
    poy_basis_destroy(&b);
    return status;
}

static void run_field(poy_ctx *ctx, const char *name, const field_data *t)
{
    const field_places p = places_of(t);
    const size_t n = poy_basis_size(t->basis);
    double *x = calloc(p.end + 4, sizeof *x);
    for (size_t i = 0; i < 3 * FIELD_POINTS; i++) /* away from the origins */
        x[i] = (i % 3 == 0 ? 3.0 : 0.0) + draw();
    for (size_t i = p.coefficients; i < p.positions; i++)
        x[i] = draw();
    if (!t->plane) {
        memcpy(x + p.positions, poy_basis_positions(t->basis), (p.ks - p.positions) * sizeof *x);
        x[p.ks] = 1.3;
        x[p.ks + 1] = 0.1;
        if (t->poltype != POY_PARITY) {
            x[p.ks + 2] = 1.5;
            x[p.ks + 3] = 0.2;
        }
        for (size_t i = p.axial; i < p.vectors; i++) /* distinct, so that modes stay so */
            x[i] = poy_basis_modes(t->basis)[i - p.axial].kz;
    }
    for (size_t i = p.vectors; i < p.end; i += 2) {
        x[i] = (i % 4 ? 1.0 : -1.0) * (0.8 + 0.3 * draw());
        x[i + 1] = 0.2 * draw();
    }
    const subject s = {name,       p.end, 3 * FIELD_POINTS * (t->alone ? n : 1), t, field_value, field_push,
                       field_pull, 0.006};
    check(ctx, &s, x);
    free(x);
}

static void test_fields(poy_ctx *ctx)
{
    const double here[6] = {0.1, 0.2, -0.3, -0.9, 0.4, 0.6}, kz[2] = {0.3, -0.7};
    const poy_c128 q[9] = {{1, 0}, {0, 0}, {1, 0}, {0, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {0, 0}};
    poy_basis *s = NULL, *c = NULL, *p = NULL;
    ok(poy_basis_sw_default(ctx, 3, 2, here, &s) == POY_OK &&
           poy_basis_cw_default(ctx, 2, kz, 2, 2, here, &c) == POY_OK && poy_basis_pw_default(ctx, 3, q, &p) == POY_OK,
       "bases");
    for (int poltype = 0; poltype < 2; poltype++)
        for (int alone = 0; alone < 2; alone++) {
            const poy_poltype t = (poy_poltype)poltype;
            run_field(ctx, "field, spherical, regular", &(field_data){s, t, 0, alone, 0});
            run_field(ctx, "field, spherical, singular", &(field_data){s, t, 1, alone, 0});
            run_field(ctx, "field, cylindrical, regular", &(field_data){c, t, 0, alone, 0});
            run_field(ctx, "field, cylindrical, singular", &(field_data){c, t, 1, alone, 0});
            run_field(ctx, "field, plane", &(field_data){p, t, 0, alone, 1});
        }
    /* on the axis and in the origin gradients of regular waves exist, and are those of a translated frame */
    const double at[6] = {0.1, 0.2, -0.3, 0.1, 0.2, 0.9};
    const size_t n = poy_basis_size(s);
    poy_c128 *a = draw_coefficients(n), out[6], near[2][6];
    double d[6] = {0.3, -0.5, 0.7, 0.3, -0.5, 0.7}, moved_at[2][6];
    const poyi_field_function f = {.basis = s, .ks = {{1.3, 0.0}, {1.3, 0.0}}, .coefficients = a, .n = 2, .points = at};
    ok(poyi_field_pushforward(ctx, &f, &(poyi_field_inputs){.points = d}, out) == POY_OK, "gradient in an origin");
    double complex richardson[6] = {0.0};
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    for (int k = 1; k <= 4; k++) {
        poyi_field_function g = f;
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 6; i++)
                moved_at[side][i] = at[i] + (side ? 1 : -1) * k * 0.02 * d[i];
            g.points = moved_at[side];
            (void)poyi_field_value(ctx, &g, near[side]);
        }
        for (int i = 0; i < 6; i++)
            richardson[i] += weight[k - 1] / 0.02 * (poyi_c(near[1][i]) - poyi_c(near[0][i]));
    }
    poy_c128 want[6];
    for (int i = 0; i < 6; i++)
        want[i] = poyi_pair(richardson[i]);
    ok(apart(6, out, want) < 1e-11, "it is the difference: %.1e", apart(6, out, want));
    const poyi_field_function singular = {
        .basis = s, .ks = {{1.3, 0.0}, {1.3, 0.0}}, .singular = 1, .coefficients = a, .n = 2, .points = at};
    ok(poyi_field_pushforward(ctx, &singular, &(poyi_field_inputs){.points = d}, out) == POY_ERR_ARGUMENT,
       "a singular origin: %s", poy_ctx_cause(ctx));
    free(a);
    poy_basis_destroy(&s);
    poy_basis_destroy(&c);
    poy_basis_destroy(&p);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    test_fields(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

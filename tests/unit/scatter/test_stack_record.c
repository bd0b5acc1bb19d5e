/* test_stack_record.c: records of layers and S-matrices against the functions that they are, and where they have no derivative. */
#include "poynting/smatrix.h"
#include "record_use.h"

static poy_medium medium(double epsilon, double loss, double mu, double kappa)
{
    return (poy_medium){{epsilon, loss}, {mu, 0.0}, {kappa, 0.0}};
}

enum { LAYERS = 3, MEDIA = LAYERS + 2, GROUPS = 2, PORTS = 2 * GROUPS };

static const double k0 = 1.9, thickness[LAYERS] = {0.3, 0.0, 0.45}, q[2 * GROUPS] = {0.4, -0.3, 1.1, 0.2};

static void chiral_stack(poy_medium media[MEDIA])
{
    media[0] = medium(1.3, 0.0, 1.0, 0.04);
    media[1] = medium(3.0, 0.2, 1.1, -0.1);
    media[2] = medium(-4.0, 0.3, 1.0, 0.0);
    media[3] = medium(2.2, 0.0, 1.0, 0.2);
    media[4] = medium(2.0, 0.1, 1.0, 0.0);
}

static size_t put_media(const poy_medium *media, double *to)
{
    size_t at = 0;
    for (int part = 0; part < 3; part++)
        for (size_t i = 0; i < MEDIA; i++) {
            const poy_c128 *x = part == 0 ? &media[i].epsilon : part == 1 ? &media[i].mu : &media[i].kappa;
            at += put(to + at, x, 2);
        }
    return at;
}

static size_t put_ports(double *to)
{
    for (int i = 0; i < PORTS; i++) {
        to[2 * i] = i / 2;
        to[2 * i + 1] = 1 - i % 2;
    }
    return 2 * PORTS;
}

static poy_status make_stack(poy_ctx *ctx, const poy_medium *media, poy_smatrix **out)
{
    poy_basis *ports = NULL;
    poy_status status = poy_ports_default(ctx, POY_XY, GROUPS, q, &ports);
    const poy_stage stage = {k0, POY_HELICITY, ports};
    if (status == POY_OK)
        status = poy_smatrix_layers(ctx, &stage, LAYERS, thickness, media, out);
    poy_basis_destroy(&ports);
    return status;
}

static double apart_by(size_t n, const double *x, const poy_c128 *y)
{
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, hypot(x[2 * i] - y[i].re, x[2 * i + 1] - y[i].im));
    return worst;
}

/* ---- layers ---- */

static void test_layers(poy_ctx *ctx, const poy_medium *media, const poy_smatrix *s)
{
    double numbers[128];
    use u;
    size_t at = put(numbers, &k0, 1);
    at += put(numbers + at, thickness, LAYERS);
    at += put_media(media, numbers + at);
    at += put(numbers + at, q, 2 * GROUPS);
    (void)put_ports(numbers + at);
    poy_status status =
        use_start(ctx, "poy.smatrix_layers", "", "f64[] f64[3] c128[5] c128[5] c128[5] f64[2,2] f64[4,2]", numbers, &u);
    double off = status == POY_OK ? apart_by(4 * PORTS * PORTS, u.out[0].data, poy_smatrix_values(s)) : 1.0;
    ok(off < 1e-15, "smatrix_layers is poy_smatrix_layers, %.1e", off);
    use_end(&u);

    at = 0;
    for (size_t i = 0; i < MEDIA; i++) {
        poy_c128 ks[2];
        (void)poy_medium_ks(ctx, media + i, k0, ks);
        at += put(numbers + at, ks, 4);
    }
    for (size_t i = 0; i < MEDIA; i++, at += 2) {
        poy_c128 z;
        (void)poy_medium_impedance(ctx, media + i, &z);
        (void)put(numbers + at, &z, 2);
    }
    at += put(numbers + at, q, 2 * GROUPS);
    (void)put(numbers + at, thickness, LAYERS);
    status = use_start(ctx, "poy.layer_stack", "", "c128[5,2] c128[5] f64[2,2] f64[3]", numbers, &u);
    off = 0.0;
    for (size_t e = 0; status == POY_OK && e < 16 * GROUPS; e++) { /* [group][out][in][pol][pol]; port 0 is pol 1 */
        const size_t group = e / 16, row = 2 * group + 1 - e / 2 % 2, col = 2 * group + 1 - e % 2;
        const poy_c128 want = poy_smatrix_values(s)[(e / 4 % 4 * PORTS + row) * PORTS + col];
        off = fmax(off, apart_by(1, (const double *)u.out[0].data + 2 * e, &want));
    }
    ok(status == POY_OK && off < 1e-15, "so is layer_stack, %.1e", off);
    use_end(&u);
}

/* ---- upon one another, and lit ---- */

static void test_cascade(poy_ctx *ctx, const poy_smatrix *s)
{
    double numbers[4 * 2 * PORTS * PORTS * 2 + 4 * PORTS];
    const size_t blocks = 8 * PORTS * PORTS;
    poy_medium media[2] = {*poy_smatrix_medium(s, 0), *poy_smatrix_medium(s, 0)};
    poy_smatrix *upper = NULL, *both = NULL;
    poy_c128 out[4][PORTS], random[4 * PORTS * PORTS];
    use u;
    for (size_t i = 0; i < 4 * PORTS * PORTS; i++) /* an array: all orders couple */
        random[i] = (poy_c128){0.2 * draw(), 0.2 * draw()};
    const poy_stage stage = {k0, POY_HELICITY, poy_smatrix_ports(s)};
    ok(poy_smatrix_create(ctx, &stage, media, media + 1, random, &upper) == POY_OK &&
           poy_smatrix_cascade(ctx, s, upper, &both) == POY_OK,
       "layers below an array");
    size_t at = put(numbers, poy_smatrix_values(s), blocks);
    at += put(numbers + at, random, blocks);
    poy_status status = use_start(ctx, "poy.smatrix_add", "", "c128[2,2,4,4] c128[2,2,4,4]", numbers, &u);
    double off = status == POY_OK ? apart_by(blocks / 2, u.out[0].data, poy_smatrix_values(both)) : 1.0;
    ok(off < 1e-14, "smatrix_add is poy_smatrix_cascade, %.1e", off);
    use_end(&u);

    for (size_t i = 0; i < 4 * PORTS; i++)
        numbers[at + i] = draw();
    const poy_c128 *up = (const poy_c128 *)(const void *)(numbers + at);
    ok(poy_smatrix_illuminate(ctx, s, upper, up, up + PORTS, out[0], out[1], out[2], out[3]) == POY_OK, "both lit");
    status =
        use_start(ctx, "poy.smatrix_illuminate", "", "c128[2,2,4,4] c128[2,2,4,4] c128[4,1] c128[4,1]", numbers, &u);
    off = status == POY_OK ? apart_by(4 * PORTS, u.out[0].data, out[0]) : 1.0;
    ok(off < 1e-14, "smatrix_illuminate is poy_smatrix_illuminate, %.1e", off);
    use_end(&u);
    poy_smatrix_destroy(&both);
    poy_smatrix_destroy(&upper);
}

/* ---- power: absorbing and chiral media on either side, and both families of pols ---- */

static size_t put_optics(poy_ctx *ctx, const poy_smatrix *s, double *to)
{
    poy_c128 optics[6];
    for (int side = 0; side < 2; side++) { /* above, below */
        (void)poy_medium_ks(ctx, poy_smatrix_medium(s, side), k0, optics + 2 * side);
        (void)poy_medium_impedance(ctx, poy_smatrix_medium(s, side), optics + 4 + side);
    }
    return put(to, optics, 12);
}

static double shares_apart(poy_ctx *ctx, const poy_smatrix *s, int from, const char *options)
{
    double numbers[256];
    poy_power_shares want = {0};
    use u;
    size_t at = put(numbers, poy_smatrix_values(s), 8 * PORTS * PORTS);
    poy_c128 light[PORTS] = {{0.8, 0.1}, {0.3, -0.2}, {0.1, 0.4}, {-0.5, 0.2}};
    at += put(numbers + at, light, 2 * PORTS);
    at += put_optics(ctx, s, numbers + at);
    at += put(numbers + at, q, 2 * GROUPS);
    (void)put_ports(numbers + at);
    poy_status status = poy_smatrix_power(ctx, s, from ? POY_DOWN : POY_UP, light, &want);
    if (status == POY_OK)
        status = use_start(ctx, "poy.smatrix_tr", options,
                           "c128[2,2,4,4] c128[4,1] c128[2,2] c128[2] f64[2,2] f64[4,2]", numbers, &u);
    const double *got = status == POY_OK ? u.out[0].data : NULL;
    const double off = got ? fmax(fabs(got[0] - want.transmission), fabs(got[1] - want.reflection)) : 1.0;
    if (status == POY_OK)
        use_end(&u);
    return off;
}

static void test_power(poy_ctx *ctx, const poy_smatrix *s)
{
    const poy_medium outer[2] = {medium(1.3, 0.1, 1.0, 0.0), medium(2.0, 0.0, 1.2, 0.0)};
    poy_smatrix *parity = NULL, *other = NULL;
    ok(shares_apart(ctx, s, 0, "") < 1e-14, "smatrix_tr is poy_smatrix_power: %.1e", shares_apart(ctx, s, 0, ""));
    const double down = shares_apart(ctx, s, 1, "modetype=down");
    ok(down < 1e-14, "from above, where the medium absorbs, too: %.1e", down);
    const poy_stage stage = {k0, POY_HELICITY, poy_smatrix_ports(s)};
    ok(poy_smatrix_interface(ctx, &stage, outer, outer + 1, &other) == POY_OK &&
           poy_smatrix_changepoltype(ctx, other, POY_PARITY, &parity) == POY_OK,
       "an interface in parity");
    const double off = shares_apart(ctx, parity, 0, "poltype=parity");
    ok(off < 1e-14, "and of parity: %.1e", off);
    poy_smatrix_destroy(&other);
    poy_smatrix_destroy(&parity);
}

/* By group, which is an order. */
static void test_orders(poy_ctx *ctx, const poy_smatrix *s)
{
    double numbers[256], t[GROUPS], r[GROUPS], off = 1.0;
    const poy_c128 light[PORTS] = {{0.8, 0.1}, {0.3, -0.2}, {0.0, 0.3}, {0.2, 0.1}};
    use u;
    size_t at = put(numbers, poy_smatrix_values(s), 8 * PORTS * PORTS);
    at += put(numbers + at, light, 2 * PORTS);
    at += put_optics(ctx, s, numbers + at);
    at += put(numbers + at, q, 2 * GROUPS);
    (void)put_ports(numbers + at);
    poy_status status = use_start(ctx, "poy.smatrix_orders", "",
                                  "c128[2,2,4,4] c128[4,1] c128[2,2] c128[2] f64[2,2] f64[4,2]", numbers, &u);
    if (status == POY_OK)
        status = poy_smatrix_order_powers(ctx, s, POY_UP, light, t, r);
    if (status == POY_OK) {
        const double *got = u.out[0].data;
        off = fmax(fabs(got[0] - t[0]), fabs(got[1] - t[1]));
        off = fmax(off, fmax(fabs(got[2] - r[0]), fabs(got[3] - r[1])));
    }
    ok(off < 1e-14, "smatrix_orders is poy_smatrix_order_powers: %.1e", off);
    use_end(&u);
}

static void test_dichroism(poy_ctx *ctx, const poy_smatrix *s)
{
    double numbers[256];
    const poy_c128 light[PORTS] = {{0.8, 0.1}, {0.3, -0.2}};
    poy_dichroism want = {0};
    use u;
    size_t at = put(numbers, poy_smatrix_values(s), 8 * PORTS * PORTS);
    at += put(numbers + at, light, 2 * PORTS);
    at += put_optics(ctx, s, numbers + at);
    at += put(numbers + at, q, 2 * GROUPS);
    (void)put_ports(numbers + at);
    poy_status status = use_start(ctx, "poy.smatrix_cd", "",
                                  "c128[2,2,4,4] c128[4,1] c128[2,2] c128[2] f64[2,2] f64[4,2]", numbers, &u);
    if (status == POY_OK)
        status = poy_smatrix_circular_dichroism(ctx, s, POY_UP, light, &want);
    const double *got = status == POY_OK ? u.out[0].data : NULL;
    const double off = got ? fmax(fabs(got[0] - want.transmission), fabs(got[1] - want.outgoing)) : 1.0;
    ok(off < 1e-13, "smatrix_cd is poy_smatrix_circular_dichroism: %.1e of %.1e", off, want.transmission);
    use_end(&u);
}

/* ---- ports of another normal: the upright structure with its axes turned ---- */

static void test_alignments(poy_ctx *ctx, const poy_medium *media)
{
    static const char *const options[3] = {"", "alignment=yz", "alignment=zx"};
    for (int turns = 1; turns < 3; turns++) {
        poy_basis *ports = NULL;
        poy_smatrix *upright = NULL, *turned = NULL, *direct = NULL;
        poy_power_shares want = {0};
        const poy_c128 light[PORTS] = {{0.8, 0.1}, {0.3, -0.2}};
        double off = 1.0;
        use u;
        poy_status status = make_stack(ctx, media, &upright);
        if (status == POY_OK)
            status = poy_smatrix_permute(ctx, upright, turns, &turned);
        if (status == POY_OK)
            status = poy_ports_default(ctx, (poy_alignment)turns, GROUPS, q, &ports);
        const poy_stage stage = {k0, POY_HELICITY, ports};
        if (status == POY_OK)
            status = poy_smatrix_layers(ctx, &stage, LAYERS, thickness, media, &direct);
        if (status == POY_OK)
            off = apart(4 * PORTS * PORTS, poy_smatrix_values(direct), poy_smatrix_values(turned));
        ok(off < 1e-14, "layers, %s: %.1e %s", options[turns], off, status == POY_OK ? "" : poy_ctx_cause(ctx));
        double numbers[256];
        size_t at = put(numbers, poy_smatrix_values(direct), 8 * PORTS * PORTS);
        at += put(numbers + at, light, 2 * PORTS);
        at += put_optics(ctx, direct, numbers + at);
        at += put(numbers + at, q, 2 * GROUPS);
        (void)put_ports(numbers + at);
        status = use_start(ctx, "poy.smatrix_tr", options[turns],
                           "c128[2,2,4,4] c128[4,1] c128[2,2] c128[2] f64[2,2] f64[4,2]", numbers, &u);
        if (status == POY_OK)
            status = poy_smatrix_power(ctx, direct, POY_UP, light, &want);
        const double *got = status == POY_OK ? u.out[0].data : NULL;
        off = got ? fmax(fabs(got[0] - want.transmission), fabs(got[1] - want.reflection)) : 1.0;
        ok(off < 1e-14, "and their power: %.1e", off);
        use_end(&u);
        poy_smatrix_destroy(&direct);
        poy_smatrix_destroy(&turned);
        poy_smatrix_destroy(&upright);
        poy_basis_destroy(&ports);
    }
}

/* ---- where there is no derivative ---- */

/* A slab at normal incidence: shares are even in kpar, so their gradient by it is 0. With kpar = k0 outside, light grazes. */
static void test_points(poy_ctx *ctx)
{
    const double slab[] = {2.0, 0.3, 1.0, 0.0, 4.0, 0.1, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0,
                           0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.2, 0.1};
    static const char *const specs = "f64[] f64[1] c128[3] c128[3] c128[3] f64[2] c128[2]";
    double one[3] = {1.0, 0.5, 0.0};
    use u;
    poy_rec_array cot[3];
    poy_status status = use_start(ctx, "poy.layers_power", "", specs, slab, &u);
    for (int i = 0; i < 3; i++)
        cot[i] = (poy_rec_array){.spec = u.out[i].spec, .data = one + i};
    if (status == POY_OK)
        status = poy_record_pullback(ctx, u.saved, cot, u.grad);
    const double *g = u.grad[5].data;
    ok(status == POY_OK && g[0] == 0.0 && g[1] == 0.0, "normal incidence is an extremum of what a slab passes");
    use_end(&u);

    double grazing[sizeof slab / sizeof *slab];
    memcpy(grazing, slab, sizeof slab);
    grazing[20] = 2.0;
    ok(use_start(ctx, "poy.layers_power", "", specs, grazing, &u) == POY_ERR_ARGUMENT, "grazing light has no power: %s",
       poy_ctx_cause(ctx));
    use_end(&u);

    /* light of index 1.5 on vacuum at the critical angle: finite, without a slope */
    const double critical[] = {3.0, 0.0, 3.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0 / 3.0, 0.0, 1.0, 0.0, 2.0, 0.0};
    poy_c128 weight[16] = {{1.0, 0.0}};
    status = use_start(ctx, "poy.interface_coefficients", "", "c128[2,2] c128[2] f64[2]", critical, &u);
    cot[0] = (poy_rec_array){.spec = u.out[0].spec, .data = weight};
    ok(status == POY_OK && poy_record_pullback(ctx, u.saved, cot, u.grad) == POY_ERR_NOT_DIFFERENTIABLE,
       "at a critical angle an interface has no derivative: %s", poy_ctx_cause(ctx));
    use_end(&u);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    poy_medium media[MEDIA];
    poy_smatrix *s = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    chiral_stack(media);
    if (ok(make_stack(ctx, media, &s) == POY_OK, "a stack: %s", poy_ctx_cause(ctx))) {
        test_layers(ctx, media, s);
        test_cascade(ctx, s);
        test_power(ctx, s);
        test_orders(ctx, s);
        test_dichroism(ctx, s);
        test_alignments(ctx, media);
    }
    poy_smatrix_destroy(&s);
    test_points(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero: %zu bytes", poy_ctx_bytes(ctx));
    poy_ctx_destroy(&ctx);
    return tap_done();
}

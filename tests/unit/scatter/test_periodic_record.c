/* test_periodic_record.c: records of lattices, channels, chains, gratings, Bloch waves and chirality against the functions that they
 * are, and where they have no derivative. */
#include "poynting/periodic.h"
#include "record_use.h"

static const double k0 = 2.3;
static const poy_medium empty = {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}};
static double numbers[8192];

static double apart_by(size_t n, const void *got, const poy_c128 *want)
{
    const double *x = got;
    double worst = 0.0, size = 1e-300;
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, hypot(x[2 * i] - want[i].re, x[2 * i + 1] - want[i].im));
        size = fmax(size, hypot(want[i].re, want[i].im));
    }
    return worst / size;
}

static size_t put_optics(double *to)
{
    const double ks[4] = {k0, 0.0, k0, 0.0};
    return put(to, ks, 4);
}

/* Modes (particle, l or place of kz, m, pol). */
static size_t put_modes(const poy_basis *basis, const double *axial, double *to)
{
    for (size_t i = 0; i < poy_basis_size(basis); i++) {
        const poy_wave_mode *m = poy_basis_modes(basis) + i;
        const double row[4] = {m->particle, axial ? m->kz != axial[0] : m->l, m->m, m->pol};
        (void)put(to + 4 * i, row, 4);
    }
    return 4 * poy_basis_size(basis);
}

/* ---- a plane array and its parts: couplings, response, channels, S-matrix ---- */

enum { SPHERES = 2, MODES = 12, ORDERS = 3, PORTS = 2 * ORDERS };

static const double positions[3 * SPHERES] = {0.0, 0.1, 0.05, 0.6, 0.5, 0.3}, cell[4] = {1.5, 0.1, 0.3, 1.4},
                                  kpar[2] = {0.4, -0.2};

static poy_status make_array(poy_ctx *ctx, const poy_lattice *lattice, const double *bloch, poy_periodic **out)
{
    const poy_embedding e = {k0, empty, POY_HELICITY};
    const double radii[SPHERES] = {0.25, 0.2};
    const poy_medium media[SPHERES] = {{{4.0, 0.1}, {1.0, 0.0}, {0.1, 0.0}}, {{6.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}};
    poy_tmatrix *t[SPHERES] = {NULL};
    poy_cluster *cluster = NULL;
    poy_status status = POY_OK;
    for (int i = 0; i < SPHERES && status == POY_OK; i++)
        status = poy_tmatrix_sphere(ctx, &e, 1, 1, radii + i, media + i, t + i);
    if (status == POY_OK)
        status = poy_cluster_create(ctx, SPHERES, t, SPHERES, positions, &cluster);
    if (status == POY_OK)
        status = poy_periodic_solve(ctx, cluster, lattice, bloch, 0.0, out);
    poy_cluster_destroy(&cluster);
    for (int i = 0; i < SPHERES; i++)
        poy_tmatrix_destroy(t + i);
    return status;
}

/* The own images of the particles, too. */
static void test_coupling(poy_ctx *ctx, const poy_lattice *lattice, const poy_basis *basis)
{
    const poy_embedding e = {k0, empty, POY_HELICITY};
    poy_c128 coupling[MODES * MODES];
    use u;
    size_t at = put(numbers, positions, 6);
    at += put(numbers + at, positions, 6);
    at += put_optics(numbers + at);
    at += put(numbers + at, kpar, 2);
    at += put(numbers + at, cell, 4);
    at += put_modes(basis, NULL, numbers + at);
    (void)put_modes(basis, NULL, numbers + at);
    poy_status status = use_start(ctx, "poy.lattice_expansion", "",
                                  "f64[2,3] f64[2,3] c128[2] f64[2] f64[2,2] f64[0] f64[12,4] f64[12,4]", numbers, &u);
    if (status == POY_OK)
        status = poy_op_expand_lattice(ctx, &e, lattice, kpar, 0.0, basis, basis, coupling);
    const double off = status == POY_OK ? apart_by(MODES * MODES, u.out[0].data, coupling) : 1.0;
    ok(off < 1e-15, "lattice_expansion is poy_op_expand_lattice, own images too: %.1e", off);
    use_end(&u);
}

/* q: of the orders, each with a port of either pol. */
static void test_ports(poy_ctx *ctx, double area, const double *q, const poy_tmatrix *response, const poy_smatrix *s)
{
    static poy_c128 channels[4 * MODES * PORTS];
    use u;
    size_t at = put(numbers, positions, 6);
    at += put_optics(numbers + at);
    for (size_t i = 0; i < PORTS; i++)
        at += put(numbers + at, q + i / 2 * 2, 2);
    numbers[at++] = area;
    at += put_modes(poy_tmatrix_basis(response), NULL, numbers + at);
    for (int i = 0; i < PORTS; i++)
        numbers[at++] = 1 - i % 2;
    poy_status status =
        use_start(ctx, "poy.spherical_channels", "", "f64[2,3] c128[2] f64[6,2] f64[] f64[12,4] f64[6]", numbers, &u);
    if (ok(status == POY_OK, "channels: %s", poy_ctx_cause(ctx)))
        memcpy(channels, u.out[0].data, sizeof channels);
    use_end(&u);
    at = put(numbers, poy_tmatrix_values(response), 2 * MODES * MODES);
    (void)put(numbers + at, channels, 8 * MODES * PORTS);
    status = use_start(ctx, "poy.smatrix_from_array", "", "c128[12,12] c128[2,2,12,6]", numbers, &u);
    const double off = status == POY_OK ? apart_by(4 * PORTS * PORTS, u.out[0].data, poy_smatrix_values(s)) : 1.0;
    ok(off < 1e-13, "with the response they are the S-matrix of the array: %.1e", off);
    use_end(&u);
}

static void test_array(poy_ctx *ctx)
{
    const poy_lattice lattice = {2, {cell[0], cell[1], cell[2], cell[3]}};
    poy_lattice dual;
    poy_periodic *array = NULL;
    poy_tmatrix *response = NULL;
    poy_smatrix *s = NULL;
    poy_basis *ports = NULL;
    double q[2 * ORDERS];
    poy_status status = poy_lattice_reciprocal(ctx, &lattice, &dual);
    for (int i = 0; i < 2 * ORDERS; i++)
        q[i] = kpar[i % 2] + (i / 2 ? dual.a[2 * (i / 2 - 1) + i % 2] : 0.0);
    if (status == POY_OK)
        status = make_array(ctx, &lattice, kpar, &array);
    if (status == POY_OK)
        status = poy_periodic_response(ctx, array, &response);
    if (status == POY_OK)
        status = poy_ports_default(ctx, POY_XY, ORDERS, q, &ports);
    if (status == POY_OK)
        status = poy_periodic_to_smatrix(ctx, array, ports, &s);
    if (ok(status == POY_OK, "an array of spheres: %s", poy_ctx_cause(ctx))) {
        test_coupling(ctx, &lattice, poy_tmatrix_basis(response));
        test_ports(ctx, poy_lattice_measure(&lattice), q, response, s);
    }
    poy_smatrix_destroy(&s);
    poy_basis_destroy(&ports);
    poy_tmatrix_destroy(&response);
    poy_periodic_destroy(&array);
}

/* ---- a chain as a cylinder ---- */

static void test_chain(poy_ctx *ctx)
{
    const poy_lattice lattice = {1, {1.3}};
    const double bloch = 0.5, kz[2] = {0.5, 0.5 - 2.0 * 3.14159265358979323846 / 1.3}, origin[3] = {0.0, 0.0, 0.0};
    poy_periodic *chain = NULL;
    poy_tmatrix *response = NULL, *cylinder = NULL;
    poy_basis *waves = NULL;
    static poy_c128 radiated[MODES * 64], scattered[MODES * 64], regular[MODES * 64], want[64 * 64];
    use u;
    poy_status status = make_array(ctx, &lattice, &bloch, &chain);
    if (status == POY_OK)
        status = poy_periodic_response(ctx, chain, &response);
    if (status == POY_OK)
        status = poy_basis_cw_default(ctx, 2, kz, 1, 1, origin, &waves);
    if (status == POY_OK)
        status = poy_periodic_to_cylindrical(ctx, chain, waves, &cylinder);
    if (!ok(status == POY_OK, "a chain: %s", poy_ctx_cause(ctx)))
        return;
    const size_t m = poy_basis_size(waves); /* 12 */
    const poy_basis *basis = poy_tmatrix_basis(response);
    const poy_embedding e = {k0, empty, POY_HELICITY};
    size_t at = put(numbers, origin, 3);
    at += put(numbers + at, positions, 6);
    at += put_optics(numbers + at);
    at += put(numbers + at, kz, 2);
    numbers[at++] = 1.3;
    at += put_modes(waves, kz, numbers + at);
    (void)put_modes(basis, NULL, numbers + at);
    status = use_start(ctx, "poy.periodic_to_cw", "", "f64[1,3] f64[2,3] c128[2] f64[2] f64[] f64[12,4] f64[12,4]",
                       numbers, &u);
    if (status == POY_OK)
        memcpy(radiated, u.out[0].data, m * MODES * sizeof *radiated);
    if (status == POY_OK)
        status = poy_op_expand(ctx, &e, basis, POY_REGULAR, waves, POY_REGULAR, regular);
    multiply(MODES, MODES, m, poy_tmatrix_values(response), regular, scattered);
    multiply(m, MODES, m, radiated, scattered, want);
    const double off = status == POY_OK ? apart_by(m * m, want, poy_tmatrix_values(cylinder)) : 1.0;
    ok(off < 1e-13, "periodic_to_cw, the response and regular waves are the chain as a cylinder: %.1e", off);
    use_end(&u);
    poy_basis_destroy(&waves);
    poy_tmatrix_destroy(&cylinder);
    poy_tmatrix_destroy(&response);
    poy_periodic_destroy(&chain);
}

/* ---- gratings: couplings of cylinders ---- */

static void test_grating(poy_ctx *ctx)
{
    const double kz[2] = {0.3, -0.6}, two[6] = {0.0, 0.0, 0.0, 0.4, 0.3, 0.2};
    static poy_c128 want[24 * 24];
    poy_basis *basis = NULL;
    use u;
    const poy_embedding e = {k0, empty, POY_HELICITY};
    for (int dim = 1; dim <= 2; dim++) {
        const poy_lattice lattice = {dim, {cell[0], cell[1], cell[2], cell[3]}};
        poy_status status = poy_basis_cw_default(ctx, 2, kz, 1, 2, two, &basis);
        if (status == POY_OK)
            status = poy_op_expand_lattice(ctx, &e, &lattice, kpar, 0.0, basis, basis, want);
        size_t at = put(numbers, two, 6);
        at += put(numbers + at, two, 6);
        at += put_optics(numbers + at);
        at += put(numbers + at, kpar, (size_t)dim);
        at += put(numbers + at, cell, (size_t)dim * (size_t)dim);
        at += put(numbers + at, kz, 2);
        at += put_modes(basis, kz, numbers + at);
        (void)put_modes(basis, kz, numbers + at);
        if (status == POY_OK)
            status = use_start(ctx, "poy.lattice_expansion", "waves=cylindrical",
                               dim == 1 ? "f64[2,3] f64[2,3] c128[2] f64[1] f64[1,1] f64[2] f64[24,4] f64[24,4]"
                                        : "f64[2,3] f64[2,3] c128[2] f64[2] f64[2,2] f64[2] f64[24,4] f64[24,4]",
                               numbers, &u);
        const double off = status == POY_OK ? apart_by(24 * 24, u.out[0].data, want) : 1.0;
        ok(off < 1e-15, "cylinders in %d dimensions likewise: %.1e %s", dim, off, poy_ctx_cause(ctx));
        use_end(&u);
        poy_basis_destroy(&basis);
    }
}

/* ---- Bloch waves of a chiral layer that repeats ---- */

enum { N = 2 };

static poy_status make_layer(poy_ctx *ctx, double kappa, const double *q, poy_smatrix **out)
{
    const poy_medium media[3] = {empty, {{3.0, 0.1}, {1.0, 0.0}, {kappa, 0.0}}, empty};
    const double thickness = 0.4, way[3] = {0.0, 0.0, 0.3};
    poy_basis *ports = NULL;
    poy_smatrix *parts[2] = {NULL};
    poy_status status = poy_ports_default(ctx, POY_XY, 1, q, &ports);
    const poy_stage stage = {k0, POY_HELICITY, ports};
    if (status == POY_OK)
        status = poy_smatrix_layers(ctx, &stage, 1, &thickness, media, parts);
    if (status == POY_OK)
        status = poy_smatrix_propagation(ctx, &stage, &empty, way, parts + 1);
    if (status == POY_OK)
        status = poy_smatrix_stack(ctx, 2, parts, out);
    poy_smatrix_destroy(parts);
    poy_smatrix_destroy(parts + 1);
    poy_basis_destroy(&ports);
    return status;
}

static void test_bands(poy_ctx *ctx)
{
    const double q[2] = {0.5, 0.2}, normal[2] = {0.0, 0.0};
    poy_smatrix *s = NULL;
    poy_c128 transfer[4 * N * N], kz[2 * N], vectors[4 * N * N], g[2 * N] = {{1.0, 0.0}};
    use u;
    ok(make_layer(ctx, 0.2, q, &s) == POY_OK && poy_smatrix_transfer(ctx, s, transfer) == POY_OK &&
           poy_smatrix_bands(ctx, s, 0.7, kz, vectors) == POY_OK,
       "a chiral layer that repeats");
    double off = 0.0; /* T v = exp(i kz period) v */
    for (int wave = 0; wave < 2 * N; wave++)
        for (int row = 0; row < 2 * N; row++) {
            double complex sum = -cexp(CMPLX(0.0, 0.7) * poyi_c(kz[wave])) * poyi_c(vectors[row * 2 * N + wave]);
            for (int i = 0; i < 2 * N; i++)
                sum += poyi_c(transfer[row * 2 * N + i]) * poyi_c(vectors[i * 2 * N + wave]);
            off = fmax(off, cabs(sum));
        }
    ok(off < 1e-13, "a period on, its Bloch waves are themselves: %.1e", off);
    (void)put(numbers, poy_smatrix_values(s), 8 * N * N);
    numbers[8 * N * N] = 0.7;
    poy_status status = use_start(ctx, "poy.smatrix_periodic", "", "c128[2,2,2,2]", numbers, &u);
    off = status == POY_OK ? apart_by(4 * N * N, u.out[0].data, transfer) : 1.0;
    ok(off < 1e-14, "smatrix_periodic is poy_smatrix_transfer: %.1e", off);
    use_end(&u);
    status = use_start(ctx, "poy.bands", "", "c128[2,2,2,2] f64[]", numbers, &u);
    off =
        status == POY_OK ? fmax(apart_by(2 * N, u.out[0].data, kz), apart_by(4 * N * N, u.out[1].data, vectors)) : 1.0;
    ok(off < 1e-13, "bands is poy_smatrix_bands: %.1e", off);
    use_end(&u);
    poy_smatrix_destroy(&s);

    /* without chirality, both pols have one kz at normal incidence */
    ok(make_layer(ctx, 0.0, normal, &s) == POY_OK, "a layer without");
    (void)put(numbers, poy_smatrix_values(s), 8 * N * N);
    status = use_start(ctx, "poy.bands", "", "c128[2,2,2,2] f64[]", numbers, &u);
    poy_rec_array cot[2] = {{.spec = u.out[0].spec, .data = g}, {.spec = u.out[1].spec}};
    ok(status == POY_OK && poy_record_pullback(ctx, u.saved, cot, u.grad) == POY_ERR_NOT_DIFFERENTIABLE,
       "one of two equal kz has no derivative: %s", poy_ctx_cause(ctx));
    for (int i = 0; i < 2 * N; i++)
        g[i] = (poy_c128){1.0, 0.0};
    ok(status == POY_OK && poy_record_pullback(ctx, u.saved, cot, u.grad) == POY_OK, "their sum has: %s",
       poy_ctx_cause(ctx));
    use_end(&u);
    poy_smatrix_destroy(&s);
}

/* ---- chirality: forms of single modes on the diagonals of poy_chirality_density ---- */

static void chirality_of(poy_ctx *ctx, poy_alignment alignment, const char *options, double loss)
{
    const poy_embedding e = {k0, {{2.0, loss}, {1.0, 0.0}, {0.1, 0.0}}, POY_HELICITY};
    const double q[2] = {0.9, 0.7}, z[2] = {0.1, 0.6};
    poy_basis *ports = NULL;
    poy_c128 ks[2], form[3][4];
    use u;
    poy_status status = poy_ports_default(ctx, alignment, 1, q, &ports); /* pol 1, then 0 */
    if (status == POY_OK)
        status = poy_chirality_density(ctx, &e, ports, z, form[0], form[1], form[2]);
    if (status == POY_OK)
        status = poy_medium_ks(ctx, &e.medium, k0, ks);
    size_t at = 0;
    for (int i = 0; i < 2; i++)
        at += put(numbers + at, q, 2);
    for (int i = 1; i >= 0; i--) {
        const double complex kn = csqrt(poyi_c(ks[i]) * poyi_c(ks[i]) - q[0] * q[0] - q[1] * q[1]);
        at += put(numbers + at, &kn, 2);
    }
    at += put(numbers + at, z, 2);
    numbers[at] = 1.0;
    numbers[at + 1] = 0.0;
    if (status == POY_OK)
        status = use_start(ctx, "poy.oriented_chirality", options, "f64[2,2] c128[2] f64[2] f64[2]", numbers, &u);
    double off = status == POY_OK ? 0.0 : 1.0;
    for (int f = 0; status == POY_OK && f < 3; f++)
        for (int i = 0; i < 2; i++) { /* u^H X d, twice, against conj(d) X u */
            const double complex want = f < 2 ? poyi_c(form[f][3 * i]) : 2.0 * conj(poyi_c(form[f][3 * i]));
            off = fmax(off, cabs(((double complex *)u.out[0].data)[2 * f + i] - want));
        }
    ok(off < 1e-14, "oriented_chirality has the diagonals of poy_chirality_density, %s, loss %g: %.1e", options, loss,
       off);
    use_end(&u);
    poy_basis_destroy(&ports);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_array(ctx);
    test_chain(ctx);
    test_grating(ctx);
    test_bands(ctx);
    chirality_of(ctx, POY_XY, "axis=z", 0.0);
    chirality_of(ctx, POY_XY, "axis=z", 0.3);
    chirality_of(ctx, POY_YZ, "axis=x", 0.3);
    chirality_of(ctx, POY_ZX, "axis=y", 0.0);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero: %zu bytes", poy_ctx_bytes(ctx));
    poy_ctx_destroy(&ctx);
    return tap_done();
}

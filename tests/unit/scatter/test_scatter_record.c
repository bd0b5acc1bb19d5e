/* test_scatter_record.c: records of scattering: published gradients, values against the functions they wrap, and refusals. */
#include "poynting/particle.h"
#include "poynting/tmatrix.h"
#include "record_use.h"

/* ---- published gradients ---- */

static const struct gradient_case {
    const char *name, *record, *options, *specs;
    const double *inputs, *cotangent; /* of all outputs one after the other, as far as it is not 0 */
    int cotangents, which, first, count;
    const double *expected;
    double tolerance;
} gradient_cases[] = {
#include "golden/scattering/gradient_cases.def"
};

static void test_gradients(poy_ctx *ctx)
{
    for (size_t k = 0; k < sizeof gradient_cases / sizeof gradient_cases[0]; k++) {
        const struct gradient_case *c = gradient_cases + k;
        use u;
        double worst = 0.0, largest = 0.0, g[64] = {0.0}, *at = g;
        poy_rec_array cot[4];
        poy_status status = use_start(ctx, c->record, c->options, c->specs, c->inputs, &u);
        memcpy(g, c->cotangent, (size_t)c->cotangents * sizeof *g);
        for (int i = 0; i < u.info.n_out; at += poy_rec_bytes(&u.out[i].spec) / sizeof *g, i++)
            cot[i] = (poy_rec_array){.spec = u.out[i].spec, .data = at};
        if (status == POY_OK)
            status = poy_record_pullback(ctx, u.saved, cot, u.grad);
        for (int i = 0; status == POY_OK && i < c->count; i++) {
            largest = fmax(largest, fabs(c->expected[i]));
            worst = fmax(worst, fabs(((double *)u.grad[c->which].data)[c->first + i] - c->expected[i]));
        }
        ok(status == POY_OK && worst <= c->tolerance * largest, "%s: %.1e of %.1e %s", c->name, worst, largest,
           status == POY_OK ? "" : poy_ctx_message(ctx));
        use_end(&u);
    }
}

/* Re<g, J dx> = Re<J^H g, dx> of one sphere, whose gradients by positions are 0, so that it is no example of the record. */
static void test_one_sphere(poy_ctx *ctx)
{
    const struct gradient_case *c = gradient_cases;
    use u;
    double g[2] = {0.7, -0.4}, d[2] = {0.0, 0.0}, left = 0.0, right = 0.0, moved = 0.0;
    poy_rec_array cot[2], out_tan[2], tan[ARRAYS] = {{.data = NULL}};
    poy_status status = use_start(ctx, c->record, c->options, c->specs, c->inputs, &u);
    for (int i = 0; status == POY_OK && i < 2; i++) {
        cot[i] = (poy_rec_array){.spec = u.out[i].spec, .data = g + i};
        out_tan[i] = (poy_rec_array){.spec = u.out[i].spec, .data = d + i};
    }
    for (int i = 0; status == POY_OK && i < u.info.n_in; i++) {
        const size_t n = poy_rec_bytes(&u.in[i].spec) / sizeof(double);
        tan[i] = (poy_rec_array){.spec = u.in[i].spec, .data = calloc(n, sizeof(double))};
        for (size_t k = 0; k < n; k++)
            ((double *)tan[i].data)[k] = draw();
    }
    if (status == POY_OK)
        status = poy_record_pullback(ctx, u.saved, cot, u.grad);
    if (status == POY_OK)
        status = poy_record_pushforward(ctx, u.saved, tan, out_tan);
    for (int i = 0; status == POY_OK && i < u.info.n_in; i++)
        for (size_t k = 0; k < poy_rec_bytes(&u.in[i].spec) / sizeof(double); k++) {
            right += ((double *)u.grad[i].data)[k] * ((double *)tan[i].data)[k];
            if (i == 5)
                moved = fmax(moved, fabs(((double *)u.grad[i].data)[k]));
        }
    left = g[0] * d[0] + g[1] * d[1];
    ok(status == POY_OK && fabs(left - right) < 1e-14 * (fabs(left) + fabs(right)) && moved < 1e-16,
       "one sphere: both directions agree, %.17g and %.17g, and it may stand anywhere: %.1e", left, right, moved);
    for (int i = 0; i < ARRAYS; i++)
        free(tan[i].data);
    use_end(&u);
}

/* ---- values ---- */

static double distance(size_t n, const poy_c128 *x, const poy_c128 *y)
{
    double worst = 0.0, largest = 1e-300;
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, hypot(x[i].re - y[i].re, x[i].im - y[i].im));
        largest = fmax(largest, hypot(y[i].re, y[i].im));
    }
    return worst / largest;
}

/* Modes of a default basis as rows of numbers. */
static size_t rows_of(const poy_basis *basis, double *out)
{
    for (size_t i = 0; i < poy_basis_size(basis); i++) {
        const poy_wave_mode *m = poy_basis_modes(basis) + i;
        const double row[4] = {m->particle, m->l, m->m, m->pol};
        memcpy(out + 4 * i, row, sizeof row);
    }
    return 4 * poy_basis_size(basis);
}

/* Two spheres: the T-matrix of each, and of both. */
enum { EACH = 16, BOTH = 2 * EACH };

static const double radii[2] = {0.3, 0.4}, positions[6] = {0.0, 0.1, 0.0, 0.9, 0.0, 0.4};
static double numbers[4096];

typedef struct pair {
    poy_tmatrix *one[2], *both;
    poy_cluster *cluster;
} pair;

static int make_pair(poy_ctx *ctx, pair *p)
{
    const poy_embedding e = {.k0 = 1.7, .medium = poy_medium_dielectric((poy_c128){1.0, 0.0}), .poltype = POY_HELICITY};
    const poy_medium media[2] = {poy_medium_dielectric((poy_c128){3.0, 0.2}),
                                 poy_medium_dielectric((poy_c128){5.0, 0.0})};
    *p = (pair){.both = NULL};
    return poy_tmatrix_sphere(ctx, &e, 2, 1, radii, media, p->one) == POY_OK &&
           poy_tmatrix_sphere(ctx, &e, 2, 1, radii + 1, media + 1, p->one + 1) == POY_OK &&
           poy_cluster_create(ctx, 2, p->one, 2, positions, &p->cluster) == POY_OK &&
           poy_cluster_solve(ctx, p->cluster, &p->both) == POY_OK;
}

static void test_spheres(poy_ctx *ctx, const pair *p)
{
    const double sphere[] = {1.7, 0.3, 3.0, 0.2, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    use u;
    int good = use_start(ctx, "poy.sphere", "lmax=2", "f64[] f64[1] c128[2] c128[2] c128[2]", sphere, &u) == POY_OK;
    ok(good && distance(EACH * EACH, u.out[0].data, poy_tmatrix_values(p->one[0])) == 0.0,
       "sphere is poy_tmatrix_sphere");
    use_end(&u);

    size_t at = put(numbers, (const double[]){1.7, 0.3, 0.4, 3.0, 0.2, 5.0, 0.0}, 7);
    (void)put(numbers + at, positions, 6);
    good = use_start(ctx, "poy.sphere_cluster", "lmax=2", "f64[] f64[2] c128[2] f64[2,3]", numbers, &u) == POY_OK;
    ok(good && distance(BOTH * BOTH, u.out[0].data, poy_tmatrix_values(p->both)) < 1e-14,
       "sphere_cluster is poy_cluster_solve");
    use_end(&u);

    at = put(numbers, poy_tmatrix_values(p->one[0]), 2 * EACH * EACH);
    at += put(numbers + at, poy_tmatrix_values(p->one[1]), 2 * EACH * EACH);
    at += put(numbers + at, positions, 6);
    at += put(numbers + at, (const double[]){1.7, 0.0, 1.7, 0.0}, 4);
    (void)rows_of(poy_cluster_basis(p->cluster), numbers + at);
    good = use_start(ctx, "poy.particle_cluster", "", "c128[512] f64[2,3] c128[2] f64[0] f64[32,4]", numbers, &u) ==
           POY_OK;
    const double off = good ? distance(BOTH * BOTH, u.out[0].data, poy_tmatrix_values(p->both)) : 1.0;
    ok(off < 1e-13, "so is particle_cluster by another route: %.1e", off);
    use_end(&u);
}

static void test_cross_sections(poy_ctx *ctx, const pair *p)
{
    poy_cross_sections s;
    use u;
    size_t at = put(numbers, poy_tmatrix_values(p->both), 2 * BOTH * BOTH);
    double *incident = numbers + at;
    for (size_t i = 0; i < 2 * BOTH; i++)
        numbers[at++] = draw();
    at += put(numbers + at, (const double[]){1.7, 1.7}, 2);
    at += put(numbers + at, positions, 6);
    (void)rows_of(poy_cluster_basis(p->cluster), numbers + at);
    const int good =
        use_start(ctx, "poy.cross_sections", "", "c128[32,32] c128[32] f64[2] f64[2,3] f64[32,4] f64[0]", numbers,
                  &u) == POY_OK &&
        poy_tmatrix_cross_sections(ctx, p->both, (const poy_c128 *)(const void *)incident, 0.5, &s) == POY_OK;
    ok(good && fabs(*(double *)u.out[0].data - s.scattering) < 1e-13 * fabs(s.scattering) &&
           fabs(*(double *)u.out[1].data - s.extinction) < 1e-13 * fabs(s.extinction),
       "cross_sections is poy_tmatrix_cross_sections");
    use_end(&u);
}

static void test_metric(poy_ctx *ctx, const pair *p)
{
    double value = 0.0, one = 1.0, none = 0.0;
    use u;
    size_t at = put(numbers, poy_tmatrix_values(p->one[1]), 2 * EACH * EACH);
    at += put(numbers + at, (const double[]){1.7, 1.7}, 2);
    for (size_t i = 0; i < EACH; i++)
        numbers[at + i] = poy_basis_modes(poy_tmatrix_basis(p->one[1]))[i].pol;
    int good = use_start(ctx, "poy.tmatrix_metric", "metric=db", "c128[16,16] f64[2] f64[16]", numbers, &u) == POY_OK &&
               poy_tmatrix_duality_breaking(ctx, p->one[1], &value) == POY_OK;
    ok(good && fabs(*(double *)u.out[0].data - value) < 1e-14, "tmatrix_metric is poy_tmatrix_duality_breaking");
    use_end(&u);
    good = use_start(ctx, "poy.tmatrix_metric", "metric=chi", "c128[16,16] f64[2] f64[16]", numbers, &u) == POY_OK;
    poy_rec_array cot = {.spec = u.out[0].spec, .data = &one};
    ok(good && poy_record_pullback(ctx, u.saved, &cot, u.grad) == POY_ERR_NOT_DIFFERENTIABLE,
       "chirality 0 has no derivative: %s", poy_ctx_cause(ctx));
    cot.data = &none;
    ok(good && poy_record_pullback(ctx, u.saved, &cot, u.grad) == POY_OK, "unless its cotangent is 0");
    use_end(&u);
}

static void test_values(poy_ctx *ctx)
{
    pair p;
    if (ok(make_pair(ctx, &p), "a cluster of two spheres")) {
        test_spheres(ctx, &p);
        test_cross_sections(ctx, &p);
        test_metric(ctx, &p);
    }
    poy_tmatrix_destroy(&p.both);
    poy_tmatrix_destroy(p.one);
    poy_tmatrix_destroy(p.one + 1);
    poy_cluster_destroy(&p.cluster);
}

/* ---- refusals ---- */

static void refuse(poy_ctx *ctx, const char *record, const char *options, const char *specs, const double *inputs,
                   poy_status want, const char *why)
{
    use u;
    const poy_status status = use_start(ctx, record, options, specs, inputs, &u);
    ok(status == want, "%s: %s: %s", record, why, status == POY_OK ? "is taken" : poy_ctx_cause(ctx));
    use_end(&u);
}

static void test_refusals(poy_ctx *ctx)
{
    static const double zeros[256] = {0.0};
    const double two[] = {1.0, 0.3, 0.3, 3.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    refuse(ctx, "poy.sphere", "lmax=0", "f64[] f64[1] c128[2] c128[2] c128[2]", zeros, POY_ERR_ARGUMENT, "no degrees");
    refuse(ctx, "poy.sphere", "lmax=1", "f64[] f64[1] c128[1] c128[1] c128[1]", zeros, POY_ERR_SHAPE, "a medium lacks");
    refuse(ctx, "poy.sphere", "lmax=1", "f64[] f64[1] c128[2] c128[2] c128[2]", zeros, POY_ERR_ARGUMENT, "k0 = 0");
    refuse(ctx, "poy.sphere", "", "f64[] f64[1] c128[2] c128[2] c128[2]", zeros, POY_ERR_ARGUMENT, "lmax not given");
    refuse(ctx, "poy.sphere_cluster", "lmax=1", "f64[] f64[2] c128[2] f64[2,3]", two, POY_ERR_ARGUMENT, "one centre");
    refuse(ctx, "poy.sphere_cluster", "lmax=1", "f64[] f64[0] c128[0] f64[0,3]", two, POY_ERR_EMPTY, "no spheres");
    refuse(ctx, "poy.cross_sections", "", "c128[1,1] c128[1] c128[2] f64[1,3] f64[1,4] f64[0]", zeros,
           POY_ERR_COMPLEX_TO_REAL, "surroundings that absorb");
    refuse(ctx, "poy.cross_sections", "", "c128[1,1] c128[1] f64[2] f64[1,3] f64[1,4] f64[0]", zeros, POY_ERR_ARGUMENT,
           "wavenumber 0");
    refuse(ctx, "poy.bessel", "function=y", "f64[] c128[]", zeros, POY_ERR_ARGUMENT, "a pole");
    refuse(ctx, "poy.bessel", "spherical=yes", "f64[2] c128[3]", zeros, POY_ERR_SHAPE, "two shapes");
    const double half[] = {0.5, 1.0, 0.0};
    refuse(ctx, "poy.bessel", "spherical=yes", "f64[] c128[]", half, POY_ERR_ARGUMENT, "degree 1/2");
    const double identity[] = {1.0, 0.0, 1.0, 0.0};
    refuse(ctx, "poy.interaction", "", "c128[1,1] c128[1,1]", identity, POY_ERR_SINGULAR, "T C = 1");
    const double labels[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 2.0, 0.0};
    refuse(ctx, "poy.field_operator", "", "f64[1,3] f64[1,3] c128[2] f64[0] f64[1,4]", labels, POY_ERR_ARGUMENT,
           "|m| above l");
}

static void test_stack_refusals(poy_ctx *ctx)
{
    static const double zeros[256] = {0.0};
    refuse(ctx, "poy.layer_stack", "", "c128[3,2] c128[3] f64[1,2] f64[2]", zeros, POY_ERR_SHAPE,
           "a thickness too many");
    refuse(ctx, "poy.layer_stack", "", "c128[3,2] c128[3] f64[1,2] f64[1]", zeros, POY_ERR_ARGUMENT, "impedance 0");
    const double thin[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, -0.1};
    refuse(ctx, "poy.layer_stack", "", "f64[3,2] f64[3] f64[1,2] f64[1]", thin, POY_ERR_ARGUMENT, "thickness below 0");
    const double trapped[] = {0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    refuse(ctx, "poy.smatrix_add", "", "f64[2,2,1,1] f64[2,2,1,1]", trapped, POY_ERR_SINGULAR, "light that stays");
    refuse(ctx, "poy.smatrix_periodic", "", "f64[2,2,1,1]", zeros, POY_ERR_SINGULAR, "nothing passes");
    refuse(ctx, "poy.bands", "", "f64[2,2,1,1] f64[]", trapped + 3, POY_ERR_ARGUMENT, "period 0");
    const double ports[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1,
                            0.1, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0};
    static const char *const specs = "f64[2,2,2,2] f64[2,1] f64[2,2] f64[2] f64[1,2] f64[2,2]";
    refuse(ctx, "poy.smatrix_tr", "", specs, ports, POY_ERR_ARGUMENT, "a port twice");
    refuse(ctx, "poy.smatrix_cd", "", "f64[2,2,1,1] f64[1,1] f64[2,2] f64[2] f64[1,2] f64[1,2]",
           (const double[]){0.5, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0},
           POY_ERR_ARGUMENT, "no other pol");
    refuse(ctx, "poy.sphere_array_power", "lmax=1",
           "f64[] f64[1,1] c128[1,1] c128[1,1] c128[1,1] f64[1,3] f64[3] f64[2,2] f64[2] c128[3] f64[1,2]", zeros,
           POY_ERR_SHAPE, "light of half an order");
    refuse(ctx, "poy.lattice_expansion", "waves=cylindrical",
           "f64[1,3] f64[1,3] c128[2] f64[3] f64[3,3] f64[1] f64[1,4] f64[1,4]", zeros, POY_ERR_SHAPE,
           "a crystal of cylinders");
    const double threshold[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0,
                                2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
    refuse(ctx, "poy.lattice_expansion", "", "f64[1,3] f64[1,3] f64[2] f64[1] f64[1,1] f64[0] f64[1,4] f64[1,4]",
           threshold, POY_ERR_THRESHOLD, "kpar = k");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_gradients(ctx);
    test_one_sphere(ctx);
    test_values(ctx);
    test_refusals(ctx);
    test_stack_refusals(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero: %zu bytes", poy_ctx_bytes(ctx));
    poy_ctx_destroy(&ctx);
    return tap_done();
}

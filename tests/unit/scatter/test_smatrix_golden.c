/* test_smatrix_golden.c: S-matrices of layers, arrays and stacks, their powers and bands against published values. */
#include "poynting/periodic.h"
#include "unit/special_table.h"
#include "wave_fixture.h"

enum { LINE = 1 << 17, MOST = 8, VALUES = 4096 };

/* A line of smatrix.txt. */
typedef struct smatrix_case {
    char id[64], op[32];
    poy_poltype poltype;
    double rel, abs, k0, kpar[2], thickness[MOST], radii[MOST], positions[3 * MOST], lattice[4], bmax;
    double slab_thickness, slab_epsilon, spacer, period;
    size_t layers, spheres, media;
    poy_medium medium[MOST + 2];
    poy_c128 epsilon[MOST];
    int lmax, pol, times;
    int count;
    double want[VALUES];
} smatrix_case;

static poy_c128 table_pair(char **rest)
{
    const double re = table_number(rest);
    return (poy_c128){re, table_number(rest)};
}

static void read_word(char **rest, char *out, size_t size)
{
    const size_t length = strcspn(*rest, " ");
    (void)snprintf(out, size, "%.*s", (int)length, *rest);
    *rest += length + 1;
}

static void read_case(char *line, smatrix_case *c)
{
    char *rest = line;
    read_word(&rest, c->id, sizeof c->id);
    read_word(&rest, c->op, sizeof c->op);
    c->poltype = table_number(&rest) != 0.0 ? POY_PARITY : POY_HELICITY;
    c->rel = table_number(&rest);
    c->abs = table_number(&rest);
    c->k0 = table_number(&rest);
    for (int i = 0; i < 2; i++)
        c->kpar[i] = table_number(&rest);
    c->layers = (size_t)table_number(&rest);
    for (size_t i = 0; i < c->layers; i++)
        c->thickness[i] = table_number(&rest);
    c->media = (size_t)table_number(&rest);
    for (size_t i = 0; i < c->media; i++) {
        c->medium[i].epsilon = table_pair(&rest);
        c->medium[i].mu = table_pair(&rest);
        c->medium[i].kappa = table_pair(&rest);
    }
    c->lmax = (int)table_number(&rest);
    c->spheres = (size_t)table_number(&rest);
    for (size_t i = 0; i < c->spheres; i++)
        c->radii[i] = table_number(&rest);
    for (size_t i = 0; i < c->spheres; i++)
        c->epsilon[i] = table_pair(&rest);
    for (size_t i = 0; i < 3 * c->spheres; i++)
        c->positions[i] = table_number(&rest);
    for (int i = 0; i < 4; i++)
        c->lattice[i] = table_number(&rest);
    c->bmax = table_number(&rest);
    c->pol = (int)table_number(&rest);
    c->slab_thickness = table_number(&rest);
    c->slab_epsilon = table_number(&rest);
    c->spacer = table_number(&rest);
    c->period = table_number(&rest);
    c->times = (int)table_number(&rest);
    c->count = (int)table_number(&rest);
    for (int i = 0; i < c->count && i < VALUES; i++)
        c->want[i] = table_number(&rest);
}

static poy_status make_array(poy_ctx *ctx, const smatrix_case *c, poy_basis *ports, poy_smatrix **out)
{
    const poy_embedding e = {c->k0, poy_medium_dielectric((poy_c128){1.0, 0.0}), c->poltype};
    poy_tmatrix *particle[MOST] = {NULL};
    poy_cluster *cell = NULL;
    poy_periodic *p = NULL;
    poy_lattice lattice = {.dim = 2};
    poy_status status = POY_OK;
    memcpy(lattice.a, c->lattice, sizeof c->lattice);
    for (size_t i = 0; i < c->spheres && status == POY_OK; i++) {
        const poy_medium m = poy_medium_dielectric(c->epsilon[i]);
        status = poy_tmatrix_sphere(ctx, &e, c->lmax, 1, c->radii + i, &m, particle + i);
    }
    if (status == POY_OK)
        status = poy_cluster_create(ctx, c->spheres, particle, c->spheres, c->positions, &cell);
    if (status == POY_OK)
        status = poy_periodic_solve(ctx, cell, &lattice, c->kpar, 0.0, &p);
    if (status == POY_OK)
        status = poy_periodic_to_smatrix(ctx, p, ports, out);
    poy_periodic_destroy(&p);
    poy_cluster_destroy(&cell);
    for (size_t i = 0; i < c->spheres; i++)
        poy_tmatrix_destroy(particle + i);
    return status;
}

/* slab, spacer, array; with a period: half a period on both sides of the array. */
static poy_status make_stack(poy_ctx *ctx, const smatrix_case *c, const poy_stage *stage, poy_smatrix **out)
{
    const poy_medium vacuum_medium = poy_medium_dielectric((poy_c128){1.0, 0.0});
    const poy_medium media[3] = {vacuum_medium, poy_medium_dielectric((poy_c128){c->slab_epsilon, 0.0}), vacuum_medium};
    const int periodic = c->period > 0.0;
    const double way[3] = {0.0, 0.0, periodic ? c->period / 2.0 : c->spacer};
    poy_smatrix *part[3] = {NULL, NULL, NULL}, *whole = NULL;
    poy_status status = make_array(ctx, c, stage->ports, part + (periodic ? 1 : 2));
    if (status == POY_OK)
        status = poy_smatrix_propagation(ctx, stage, &vacuum_medium, way, part + (periodic ? 0 : 1));
    if (status == POY_OK && periodic)
        part[2] = poy_smatrix_retain(part[0]);
    else if (status == POY_OK)
        status = poy_smatrix_layers(ctx, stage, 1, &c->slab_thickness, media, part);
    if (status == POY_OK)
        status = poy_smatrix_stack(ctx, 3, part, &whole);
    if (status == POY_OK)
        status = poy_smatrix_double(ctx, whole, c->times, out);
    poy_smatrix_destroy(&whole);
    for (int i = 0; i < 3; i++)
        poy_smatrix_destroy(part + i);
    return status;
}

static poy_status make(poy_ctx *ctx, const smatrix_case *c, poy_basis *ports, poy_smatrix **out)
{
    const poy_stage stage = {c->k0, c->poltype, ports};
    if (c->spheres == 0)
        return poy_smatrix_layers(ctx, &stage, c->layers, c->thickness, c->medium, out);
    if (c->slab_thickness > 0.0 || c->period > 0.0)
        return make_stack(ctx, c, &stage, out);
    return make_array(ctx, c, ports, out);
}

static poy_status powers(poy_ctx *ctx, const poy_smatrix *s, int pol, double *got)
{
    poy_c128 light[64] = {{0.0, 0.0}};
    poy_power_shares p;
    const poy_wave_mode *modes = poy_basis_modes(poy_smatrix_ports(s));
    for (size_t i = 0; i < 2; i++) /* the zeroth order is the first */
        light[i].re = modes[i].pol == pol ? 1.0 : 0.0;
    const poy_status status = poy_smatrix_power(ctx, s, POY_UP, light, &p);
    got[0] = p.transmission;
    got[1] = p.reflection;
    return status;
}

/* Numbers of a case, as the table has them; how many. */
static int numbers(poy_ctx *ctx, const smatrix_case *c, const poy_smatrix *s, double *got)
{
    const size_t n = poy_smatrix_size(s);
    poy_status status = POY_OK;
    int count = (int)(8 * n * n);
    if (strcmp(c->op, "slab_power") == 0) {
        status = powers(ctx, s, 0, got);
        if (status == POY_OK)
            status = powers(ctx, s, 1, got + 2);
        count = 4;
    } else if (strcmp(c->op, "array_power") == 0) {
        status = powers(ctx, s, c->pol, got);
        count = 2;
    } else if (strcmp(c->op, "bands") == 0) {
        status = poy_smatrix_bands(ctx, s, c->period, (poy_c128 *)(void *)got, NULL);
        count = (int)(4 * n);
    } else if (strcmp(c->op, "transfer") == 0) {
        status = poy_smatrix_transfer(ctx, s, (poy_c128 *)(void *)got);
    } else {
        memcpy(got, poy_smatrix_values(s), (size_t)count * sizeof *got);
    }
    return status == POY_OK ? count : 0;
}

/* max |got - want| <= abs + rel max |want|, of complex numbers where the case has them. */
static void compare(const smatrix_case *c, int count, const double *got)
{
    const int complex_values = !strstr(c->op, "power"), step = complex_values ? 2 : 1;
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < count; i += step) {
        const double re = got[i] - c->want[i], im = complex_values ? got[i + 1] - c->want[i + 1] : 0.0;
        const double error = hypot(re, im);
        worst = error <= worst ? worst : error;
        size = fmax(size, hypot(c->want[i], complex_values ? c->want[i + 1] : 0.0));
    }
    ok(count == c->count && worst <= c->abs + c->rel * size, "%s: off by %.1e of %.1e", c->id, worst, size);
}

static void test_published(poy_ctx *ctx)
{
    static char line[LINE];
    static smatrix_case c;
    static double got[VALUES];
    FILE *file = table_open("scattering/smatrix.txt");
    int cases = 0;
    while (file && fgets(line, sizeof line, file)) {
        poy_basis *ports = NULL;
        poy_smatrix *s = NULL;
        read_case(line, &c);
        const double a[2][2] = {{c.lattice[0], c.lattice[1]}, {c.lattice[2], c.lattice[3]}};
        poy_status status = c.spheres == 0 ? poy_ports_default(ctx, POY_XY, 1, c.kpar, &ports)
                                           : poy_ports_diffr_orders(ctx, POY_XY, c.kpar, a, c.bmax, &ports);
        if (status == POY_OK)
            status = make(ctx, &c, ports, &s);
        if (!ok(status == POY_OK, "%s is there", c.id))
            note("%s", poy_ctx_cause(ctx));
        else
            compare(&c, numbers(ctx, &c, s, got), got);
        poy_smatrix_destroy(&s);
        poy_basis_destroy(&ports);
        cases++;
    }
    if (file)
        (void)fclose(file);
    ok(cases == 24, "%d published cases", cases);
}

/* ---- reports about other programs ---- */

/* Means of exp(i (kz_a - conj kz_b) z) from the forms of chirality densities: their ratio to those at z = 0. */
static void test_chirality_reports(poy_ctx *ctx)
{
    static char line[LINE];
    FILE *file = table_open("scattering/smatrix_reports.txt");
    int cases = 0;
    while (file && table_line(file, line, sizeof line)) {
        char *rest = strchr(line, ' ');
        const double complex kz = table_complex(&rest);
        const double z[2] = {table_number(&rest), table_number(&rest)}, origin[2] = {0.0, 0.0};
        const double rel = table_number(&rest), abs = table_number(&rest);
        const double complex same = table_complex(&rest), opposite = table_complex(&rest);
        const double component[2] = {sqrt(1.6 * 1.6 - creal(kz * kz)), 0.0};
        const poy_embedding e = {1.6, poy_medium_dielectric((poy_c128){1.0, 0.0}), POY_HELICITY};
        poy_c128 up[2][4], down[2][4], cross[2][4];
        poy_basis *ports = NULL;
        poy_status status = poy_ports_default(ctx, POY_XY, 1, component, &ports);
        for (int i = 0; i < 2 && status == POY_OK; i++)
            status = poy_chirality_density(ctx, &e, ports, i ? origin : z, up[i], down[i], cross[i]);
        /* the pol 1 entry */
        const double complex u = poyi_c(up[0][0]) / poyi_c(up[1][0]), x = poyi_c(cross[0][0]) / poyi_c(cross[1][0]);
        const int evanescent = cimag(kz) > 0.0;
        ok(status == POY_OK && cabs(u - same) <= abs + 8 * rel * cabs(same) &&
               cabs(x - (evanescent ? 1.0 : opposite)) <= abs + 8 * rel,
           "chirality between %g and %g, kz = %g%+gi: %.1e, %.1e", z[0], z[1], creal(kz), cimag(kz), cabs(u - same),
           cabs(x - (evanescent ? 1.0 : opposite)));
        poy_basis_destroy(&ports);
        cases++;
    }
    if (file)
        (void)fclose(file);
    ok(cases == 5, "%d reports of chirality densities", cases);
}

static void test_order_reports(poy_ctx *ctx)
{
    static char line[LINE];
    FILE *file = table_open("scattering/orders.txt");
    int cases = 0;
    while (file && table_line(file, line, sizeof line)) {
        char *rest = strchr(line, ' ');
        double a[2][2], kpar[2];
        for (int i = 0; i < 4; i++)
            a[i / 2][i % 2] = table_number(&rest);
        for (int i = 0; i < 2; i++)
            kpar[i] = table_number(&rest);
        const double kmax = table_number(&rest);
        const size_t whole = (size_t)table_number(&rest), alone = (size_t)table_number(&rest);
        poy_basis *within = NULL, *around = NULL;
        ok(poy_ports_within(ctx, POY_XY, kpar, 2, a[0], kmax, &within) == POY_OK &&
               poy_ports_diffr_orders(ctx, POY_XY, kpar, (const double(*)[2])a, kmax, &around) == POY_OK &&
               poy_basis_size(within) == 2 * whole && poy_basis_size(around) == 2 * alone,
           "all %zu orders of a cell that is not reduced", whole);
        poy_basis_destroy(&within);
        poy_basis_destroy(&around);
        cases++;
    }
    if (file)
        (void)fclose(file);
    ok(cases == 5, "%d reports of orders", cases);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_published(ctx);
    test_chirality_reports(ctx);
    test_order_reports(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* test_cluster_golden.c: T-matrices, clusters, cross sections, metrics and fields against published values. */
#include "poynting/tmatrix.h"
#include "scatter/cluster/cluster.h"
#include "unit/special_table.h"
#include "wave_fixture.h"

enum { LINE = 1 << 15, PARTICLES = 64 };

/* A line of cluster.txt. */
typedef struct cluster_case {
    poy_embedding embedding;
    int lmax, pol, lmax_global;
    double kz, radii[PARTICLES], positions[3 * PARTICLES], direction[3], extra[3];
    size_t n;
    poy_c128 epsilon[PARTICLES];
} cluster_case;

static void read_case(char **rest, cluster_case *c)
{
    c->embedding = (poy_embedding){.k0 = table_number(rest), .poltype = POY_HELICITY};
    c->lmax = (int)table_number(rest);
    c->kz = table_number(rest);
    c->embedding.medium = poy_medium_dielectric((poy_c128){table_number(rest), 0.0});
    c->n = (size_t)table_number(rest);
    for (size_t i = 0; i < c->n; i++)
        c->radii[i] = table_number(rest);
    for (size_t i = 0; i < c->n; i++) {
        c->epsilon[i].re = table_number(rest);
        c->epsilon[i].im = table_number(rest);
    }
    for (size_t i = 0; i < 3 * c->n; i++)
        c->positions[i] = table_number(rest);
    for (size_t i = 0; i < 3; i++)
        c->direction[i] = table_number(rest);
    c->pol = (int)table_number(rest);
    c->lmax_global = (int)table_number(rest);
    for (size_t i = 0; i < 3; i++)
        c->extra[i] = table_number(rest);
}

static poy_status make_cluster(poy_ctx *ctx, const cluster_case *c, int cylinders, poy_cluster **out)
{
    poy_tmatrix *particles[PARTICLES] = {NULL};
    poy_status status = POY_OK;
    for (size_t i = 0; i < c->n && status == POY_OK; i++) {
        const poy_medium m = poy_medium_dielectric(c->epsilon[i]);
        status = cylinders
                     ? poy_tmatrix_cylinder(ctx, &c->embedding, 1, &c->kz, c->lmax, 1, c->radii + i, &m, particles + i)
                     : poy_tmatrix_sphere(ctx, &c->embedding, c->lmax, 1, c->radii + i, &m, particles + i);
    }
    if (status == POY_OK)
        status = poy_cluster_create(ctx, c->n, particles, c->n, c->positions, out);
    for (size_t i = 0; i < c->n; i++)
        poy_tmatrix_destroy(particles + i);
    return status;
}

/* The plane wave of a case as regular multipoles of a basis. */
static poy_status incident(poy_ctx *ctx, const cluster_case *c, const poy_basis *basis, poy_c128 *a)
{
    poy_wave_mode mode = {.pol = c->pol};
    poy_basis *plane = NULL;
    for (int i = 0; i < 3; i++)
        mode.q[i].re = c->direction[i];
    poy_status status = poy_basis_pw_create(ctx, 1, &mode, &plane);
    if (status == POY_OK)
        status = poy_op_expand(ctx, &c->embedding, basis, POY_REGULAR, plane, POY_UP, a);
    poy_basis_destroy(&plane);
    return status;
}

/* Frobenius norm, trace, X[0][n-1], X[n-1][0], X[n/2][n/3] */
static void norms(const poy_tmatrix *t, double out[10])
{
    const size_t n = poy_tmatrix_size(t);
    const poy_c128 *v = poy_tmatrix_values(t);
    double square = 0.0, re = 0.0, im = 0.0;
    for (size_t i = 0; i < n * n; i++)
        square += v[i].re * v[i].re + v[i].im * v[i].im;
    for (size_t i = 0; i < n; i++) {
        re += v[i * n + i].re;
        im += v[i * n + i].im;
    }
    const poy_c128 entry[5] = {{sqrt(square), 0.0}, {re, im}, v[n - 1], v[(n - 1) * n], v[n / 2 * n + n / 3]};
    memcpy(out, entry, sizeof entry);
}

static poy_status metrics(poy_ctx *ctx, const poy_tmatrix *t, double out[5])
{
    poy_cross_sections mean = {0};
    poy_status status = poy_tmatrix_average(ctx, t, &mean);
    out[0] = mean.extinction;
    out[1] = mean.scattering;
    if (status == POY_OK)
        status = poy_tmatrix_circular_dichroism(ctx, t, out + 2);
    if (status == POY_OK)
        status = poy_tmatrix_duality_breaking(ctx, t, out + 3);
    if (status == POY_OK)
        status = poy_tmatrix_electromagnetic_chirality(ctx, t, out + 4);
    return status;
}

static poy_status global_case(poy_ctx *ctx, const char *op, const cluster_case *c, const poy_tmatrix *x, double *got)
{
    poy_basis *basis = NULL;
    poy_tmatrix *t = NULL, *moved = NULL;
    poy_cross_sections mean = {0};
    poy_status status = poy_basis_sw_default(ctx, c->lmax_global, 1, NULL, &basis);
    if (status == POY_OK)
        status = poy_tmatrix_in_basis(ctx, x, basis, &t);
    if (status == POY_OK && strcmp(op, "cluster_global") == 0) {
        status = poy_tmatrix_average(ctx, t, &mean);
        got[0] = mean.scattering;
        got[2] = mean.extinction;
        got[1] = got[3] = 0.0;
        norms(t, got + 4);
    } else if (status == POY_OK && strcmp(op, "metrics") == 0) {
        status = metrics(ctx, t, got);
    } else if (status == POY_OK) {
        status = strcmp(op, "rotated") == 0 ? poy_tmatrix_rotate(ctx, t, c->extra, &moved)
                                            : poy_tmatrix_translate(ctx, t, c->extra, &moved);
        if (status == POY_OK)
            norms(moved, got);
    }
    poy_tmatrix_destroy(&moved);
    poy_tmatrix_destroy(&t);
    poy_basis_destroy(&basis);
    return status;
}

/* By one route through the whole matrix and through factors. */
static poy_status cluster_ops(poy_ctx *ctx, const char *op, const cluster_case *c, poyi_route route, double *got,
                              double *factored)
{
    poy_cluster *cluster = NULL;
    poy_tmatrix *x = NULL;
    poy_factor *factor = NULL;
    poy_cross_sections s = {0};
    const int cylinders = strncmp(op, "cylinder", 8) == 0;
    poy_status status = make_cluster(ctx, c, cylinders, &cluster);
    if (status == POY_OK)
        status = poyi_cluster_solve(ctx, cluster, route, &x);
    if (status == POY_OK)
        status = poyi_factor_create(ctx, cluster, route, NULL, &factor);
    if (status != POY_OK)
        goto done;
    const size_t n = poy_tmatrix_size(x);
    poy_basis *basis = poy_cluster_basis(cluster);
    poy_c128 *a = matrix(n, 1), *p = matrix(n, 1);
    status = incident(ctx, c, basis, a);
    if (status == POY_OK)
        status = poy_factor_scatter(ctx, factor, 1, a, p);
    if (status == POY_OK && (strcmp(op, "cluster_xs") == 0 || cylinders)) {
        status = poy_tmatrix_cross_sections(ctx, x, a, 0.5, &s);
        got[0] = s.scattering;
        got[1] = s.extinction;
        if (status == POY_OK)
            status = poy_scattered_cross_sections(ctx, &c->embedding, basis, a, p, 0.5, &s);
        factored[0] = s.scattering;
        factored[1] = s.extinction;
    } else if (status == POY_OK && strcmp(op, "cluster_tmatrix") == 0) {
        norms(x, got);
        memcpy(factored, got, 10 * sizeof *got);
    } else if (status == POY_OK && strcmp(op, "cluster_field") == 0) {
        poy_c128 e[3] = {{0}};
        status = poy_wave_sample(ctx, &c->embedding, basis, POY_SINGULAR, p, POY_WAVE_E, 0, 1, c->extra, e);
        memcpy(got, e, sizeof e);
        memcpy(factored, e, sizeof e);
    } else if (status == POY_OK) {
        status = global_case(ctx, op, c, x, got);
        memcpy(factored, got, 14 * sizeof *got);
    }
    free(a), free(p);
done:
    poy_factor_destroy(&factor);
    poy_tmatrix_destroy(&x);
    poy_cluster_destroy(&cluster);
    return status;
}

static poy_status chiral_metrics(poy_ctx *ctx, char **rest, double *got)
{
    const poy_embedding e = {table_number(rest), {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    const int lmax = (int)table_number(rest);
    const double radius = table_number(rest);
    poy_medium m;
    poy_c128 *const parts[3] = {&m.epsilon, &m.mu, &m.kappa};
    for (int i = 0; i < 3; i++) {
        parts[i]->re = table_number(rest);
        parts[i]->im = table_number(rest);
    }
    poy_tmatrix *t = NULL;
    poy_status status = poy_tmatrix_sphere(ctx, &e, lmax, 1, &radius, &m, &t);
    if (status == POY_OK)
        status = metrics(ctx, t, got);
    poy_tmatrix_destroy(&t);
    return status;
}

static void test_line(poy_ctx *ctx, const char *op, char *rest)
{
    const double rel = table_number(&rest), absolute = table_number(&rest);
    (void)table_number(&rest);
    cluster_case c = {.n = 0};
    double got[2][16] = {{0}}, factored[2][16] = {{0}}, want[16] = {0};
    poy_status status;
    int routes = 1;
    if (strcmp(op, "chiral_metrics") == 0) {
        status = chiral_metrics(ctx, &rest, got[0]);
        memcpy(factored[0], got[0], sizeof got[0]);
    } else {
        read_case(&rest, &c);
        status = cluster_ops(ctx, op, &c, POYI_ROUTE_AUTOMATIC, got[0], factored[0]);
        if (status == POY_OK && strncmp(op, "cluster", 7) == 0) {
            routes = 2;
            status = cluster_ops(ctx, op, &c, POYI_ROUTE_GENERAL, got[1], factored[1]);
        }
    }
    const size_t m = (size_t)table_number(&rest);
    double largest = 0.0, worst = 0.0;
    for (size_t i = 0; i < m; i++) {
        want[i] = table_number(&rest);
        largest = fmax(largest, fabs(want[i]));
    }
    for (int route = 0; route < routes; route++)
        for (size_t i = 0; i < m; i++) {
            const double error = fmax(fabs(got[route][i] - want[i]), fabs(factored[route][i] - want[i]));
            worst = error <= worst ? worst : error;
        }
    const double bar = rel * largest + absolute;
    if (!ok(status == POY_OK && worst <= bar, "%s of %zu particles: %.1e, bar %.1e", op, c.n, worst, bar)) {
        note("%s", status == POY_OK ? "" : poy_ctx_message(ctx));
        for (size_t i = 0; i < m; i++)
            note("%.17g %.17g, general %.17g, want %.17g", got[0][i], factored[0][i], got[1][i], want[i]);
    }
}

int main(void)
{
    static char line[LINE];
    char path[512];
    int count = 0;
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    (void)snprintf(path, sizeof path, "%s/golden/scattering/cluster.txt", POY_TESTS_DIR);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        char op[32];
        int used = 0;
        if (sscanf(line, "%31s%n", op, &used) != 1 || strncmp(op, "grad", 4) == 0)
            continue;
        test_line(ctx, op, line + used);
        count++;
    }
    if (f)
        fclose(f);
    ok(count >= 20, "%d cases", count);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

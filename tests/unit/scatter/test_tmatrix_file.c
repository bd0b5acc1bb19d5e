/* test_tmatrix_file.c: published files of several writers are read to their manifest's entries; what is no such file is refused by
 * name. */
#include <hdf5.h>

#include "scatter/particle/tmatrix.h"
#include "unit/special_table.h"
#include "wave_fixture.h"

enum { LINE = 1 << 16, POINTS = 8, MODES = 64 };

static int64_t next_mode(char **rest, const poy_basis *basis)
{
    poy_wave_mode m = {.particle = (int32_t)table_number(rest)};
    m.l = (int32_t)table_number(rest);
    m.m = (int32_t)table_number(rest);
    m.pol = (int32_t)table_number(rest);
    return poy_basis_find(basis, &m);
}

static void test_file(poy_ctx *ctx, const char *folder, const char *name, char *rest)
{
    char path[512];
    poy_tmatrix *t[POINTS] = {NULL};
    size_t count = 0;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!ok(poy_tmatrix_load(ctx, path, 1e-9, POINTS, t, &count) == POY_OK, "%s is read", name)) {
        note("%s", poy_ctx_message(ctx));
        return;
    }
    const int parity = (int)table_number(&rest);
    const size_t points = (size_t)table_number(&rest), positions = (size_t)table_number(&rest);
    const poy_basis *basis = poy_tmatrix_basis(t[0]);
    const poy_embedding *e = poy_tmatrix_embedding(t[0]);
    double k0 = 0.0, place = 0.0, medium = 0.0;
    for (size_t i = 0; i < points && i < count; i++) /* 4e-16 after the conversion of units */
        k0 = fmax(k0, fabs(poy_tmatrix_embedding(t[i])->k0 / table_number(&rest) - 1.0));
    for (size_t i = 0; i < 3 * positions; i++) {
        const double want = table_number(&rest);
        place = fmax(place, i < 3 * poy_basis_position_count(basis) ? fabs(poy_basis_positions(basis)[i] - want) : 1.0);
    }
    const poy_c128 parts[3] = {e->medium.epsilon, e->medium.mu, e->medium.kappa};
    for (int i = 0; i < 3; i++) {
        medium = fmax(medium, fabs(parts[i].re - table_number(&rest)));
        medium = fmax(medium, fabs(parts[i].im - table_number(&rest)));
    }
    ok(count == points && (e->poltype == POY_PARITY) == parity && k0 <= 4e-16 && place == 0.0 && medium < 4e-16,
       "points, waves, k0 (%.1e), positions and medium (%.1e)", k0, medium);
    int64_t rows[MODES], cols[MODES];
    int found = 1, exact = 1;
    const size_t n_rows = (size_t)table_number(&rest);
    for (size_t i = 0; i < n_rows; i++)
        found &= (rows[i] = next_mode(&rest, basis)) >= 0;
    const size_t n_cols = (size_t)table_number(&rest);
    for (size_t i = 0; i < n_cols; i++)
        found &= (cols[i] = next_mode(&rest, basis)) >= 0;
    const size_t entries = (size_t)table_number(&rest);
    for (size_t i = 0; i < entries && found; i++) {
        const size_t row = (size_t)table_number(&rest), col = (size_t)table_number(&rest);
        const poy_c128 v = poy_tmatrix_values(t[0])[(size_t)rows[row] * poy_tmatrix_size(t[0]) + (size_t)cols[col]];
        const double re = table_number(&rest), im = table_number(&rest);
        exact &= v.re == re && v.im == im;
    }
    ok(found && exact && entries > 3, "%zu entries, copied exactly", entries);
    for (size_t i = 0; i < POINTS; i++)
        poy_tmatrix_destroy(t + i);
}

static void test_published(poy_ctx *ctx)
{
    static char line[LINE];
    char folder[400], path[512];
    int count = 0;
    (void)snprintf(folder, sizeof folder, "%s/golden/scattering/tmat", POY_TESTS_DIR);
    (void)snprintf(path, sizeof path, "%s/manifest.txt", folder);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        char name[64];
        int used = 0;
        if (sscanf(line, "%63s%n", name, &used) != 1)
            continue;
        test_file(ctx, folder, name, line + used);
        count++;
    }
    if (f)
        fclose(f);
    ok(count == 20, "%d files", count);
}

static void put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *dims, const void *data,
                const char *unit)
{
    const hid_t space = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    if (unit) {
        const hid_t text = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
        H5Tset_size(text, strlen(unit));
        const hid_t at = H5Acreate2(set, "unit", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(at, text, unit);
        H5Aclose(at);
        H5Sclose(scalar);
        H5Tclose(text);
    }
    H5Dclose(set);
    H5Pclose(links);
    H5Sclose(space);
}

/* A small file of one dipole set; what: the fault that it has. */
static void write_file(const char *path, int what)
{
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t complex_type = H5Tcreate(H5T_COMPOUND, sizeof(poy_c128)), text = H5Tcopy(H5T_C_S1);
    const hsize_t n = what == 5 ? 5 : 6, square[2] = {6, what == 1 ? 5 : 6};
    poy_c128 t[36] = {{0.0, 0.0}};
    const double k0 = 0.01;
    const int l[6] = {1, 1, 1, 1, 1, what == 4 ? 200 : 1}, m[6] = {-1, -1, 0, 0, 1, 1};
    const char *pol[6] = {"positive", "negative", "positive", what == 3 ? "sideways" : "negative",
                          "positive", "negative"};
    if (what == 6)
        t[7].re = (double)NAN;
    H5Tinsert(complex_type, "r", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(complex_type, "i", sizeof(double), H5T_NATIVE_DOUBLE);
    H5Tset_size(text, H5T_VARIABLE);
    put(file, "tmatrix", complex_type, 2, square, t, NULL);
    put(file, what == 7 ? "other" : "angular_vacuum_wavenumber", H5T_NATIVE_DOUBLE, 0, NULL, &k0,
        what == 2 ? "furlong^{-1}" : "nm^{-1}");
    put(file, "modes/l", H5T_NATIVE_INT, 1, &n, l, NULL);
    put(file, "modes/m", H5T_NATIVE_INT, 1, &n, m, NULL);
    put(file, "modes/polarization", text, 1, &n, pol, NULL);
    H5Tclose(text);
    H5Tclose(complex_type);
    H5Fclose(file);
}

static void test_refusals(poy_ctx *ctx)
{
    static const char *const words[8] = {"",    "6 x 5",     "furlong",    "sideways",
                                         "200", "each of 6", "not finite", "frequency"};
    const char *path = "test_tmatrix_file.h5"; /* in the build folder, where ctest runs */
    poy_tmatrix *t = NULL;
    size_t count;
    for (int what = 0; what < 8; what++) {
        write_file(path, what);
        const poy_status status = poy_tmatrix_load(ctx, path, 1e-9, 1, &t, &count);
        const int good = what ? status == POY_ERR_ARGUMENT && !t && strstr(poy_ctx_message(ctx), words[what])
                              : status == POY_OK && count == 1;
        if (!ok(good, "a file with fault %d: %s", what, words[what]))
            note("%d %s", (int)status, poy_ctx_message(ctx));
        poy_tmatrix_destroy(&t);
    }
    /* in metres */
    write_file(path, 0);
    ok(poy_tmatrix_load(ctx, path, 1.0, 1, &t, &count) == POY_OK &&
           fabs(poy_tmatrix_embedding(t)->k0 / 1e7 - 1.0) < 4e-16,
       "in metres");
    poy_tmatrix_destroy(&t);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs("no HDF5", f);
        fclose(f);
    }
    ok(poy_tmatrix_load(ctx, path, 1e-9, 1, &t, &count) == POY_ERR_IO && !t, "a text file");
    (void)remove(path);
    ok(poy_tmatrix_load(ctx, path, 1e-9, 1, &t, &count) == POY_ERR_IO && !t, "no file");
    ok(poy_tmatrix_load(ctx, path, 0.0, 1, &t, &count) == POY_ERR_ARGUMENT && !t, "no unit");
}

/* io.json of the reports: what has to come back of a file, and k0 of every way to write a frequency. */
static void test_reports(poy_ctx *ctx)
{
    static const struct {
        const char *id, *name, *unit;
        double value, k0; /* 1/nm */
    } units[] = {{"io-u0", "vacuum_wavelength", "nm", 500.0, 0.012566370614359171},
                 {"io-u1", "frequency", "THz", 600.0, 0.01257507013171009},
                 {"io-u3", "vacuum_wavenumber", "um^{-1}", 2.0, 0.012566370614359173},
                 {"io-u4", "angular_vacuum_wavenumber", "nm^{-1}", 0.0125, 0.0125}};
    const char *path = "test_tmatrix_report.h5";
    const poy_embedding e = {1.3, {{1.3, 0.0}, {1.1, 0.0}, {0.08, 0.0}}, POY_HELICITY};
    const poy_medium m = poy_medium_dielectric((poy_c128){3.0, 0.0});
    const double radius = 0.2, origin[3] = {0.7, 0.2, 0.1};
    poy_tmatrix *t = NULL, *moved = NULL, *back = NULL;
    poy_basis *basis = NULL;
    size_t count = 0;
    int good = poy_tmatrix_sphere(ctx, &e, 1, 1, &radius, &m, &t) == POY_OK &&
               poy_basis_sw_default(ctx, 1, 1, origin, &basis) == POY_OK &&
               poy_tmatrix_create(ctx, &e, basis, 6, 6, poy_tmatrix_values(t), &moved) == POY_OK &&
               poy_tmatrix_save(ctx, path, 1e-9, 1, &moved, NULL) == POY_OK &&
               poy_tmatrix_load(ctx, path, 1e-9, 1, &back, &count) == POY_OK;
    const poy_medium *read = good ? &poy_tmatrix_embedding(back)->medium : &m;
    ok(good && read->kappa.re == 0.08 && read->epsilon.re == 1.3 && read->mu.re == 1.1,
       "io-1: the medium comes back, its chirality too");
    ok(good && memcmp(poy_basis_positions(poy_tmatrix_basis(back)), origin, sizeof origin) == 0,
       "io-2: so does an origin that is not 0");
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    ok(good && file >= 0 && H5Lexists(file, "embedding/chirality", H5P_DEFAULT) > 0 &&
           H5Lexists(file, "embedding/chirality_parameter", H5P_DEFAULT) > 0,
       "io-1: readers find it by both names");
    const hid_t set = H5Dopen2(file, "tmatrix", H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t extent[4] = {0};
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    ok(rank == 2 && extent[0] == 6 && extent[1] == 6, "io-4: one T-matrix is 6 x 6, not a list");
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    poy_tmatrix_destroy(&t);
    poy_tmatrix_destroy(&moved);
    poy_tmatrix_destroy(&back);
    poy_basis_destroy(&basis);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        write_file(path, 7); /* without a frequency */
        const hid_t own = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        put(own, units[i].name, H5T_NATIVE_DOUBLE, 0, NULL, &units[i].value, units[i].unit);
        H5Fclose(own);
        good = poy_tmatrix_load(ctx, path, 1e-9, 1, &t, &count) == POY_OK;
        ok(good && fabs(poy_tmatrix_embedding(t)->k0 / units[i].k0 - 1.0) < 1e-14, "%s: %g %s", units[i].id,
           units[i].value, units[i].unit);
        poy_tmatrix_destroy(&t);
    }
    (void)remove(path);
}

/* Written and read again, bit for bit. */
static void test_round_trip(poy_ctx *ctx)
{
    const char *path = "test_tmatrix_saved.h5";
    const poy_tmatrix_text text = {"two spheres", "a sweep", "passive, reciprocal"};
    const double positions[6] = {-70.0, 10.0, 0.0, 85.0, -20.0, 35.0}, radius = 40.0;
    for (int trial = 0; trial < 3; trial++) {
        poy_tmatrix *t[3] = {NULL}, *back[3] = {NULL};
        const size_t points = trial == 2 ? 1 : 3;
        size_t count = 0;
        int same = 1;
        for (size_t i = 0; i < points; i++) {
            const poy_embedding e = {0.01 + 0.001 * (double)i,
                                     {{1.77 + 0.1 * (double)i, 0.0}, {1.0, 0.0}, {trial == 0 ? 0.05 : 0.0, 0.0}},
                                     trial == 1 ? POY_PARITY : POY_HELICITY};
            const poy_medium m = {{4.0, 0.1}, {1.0, 0.0}, {0.1, 0.0}};
            poy_tmatrix *sphere = NULL;
            poy_cluster *c = NULL;
            same &= poy_tmatrix_sphere(ctx, &e, 2, 1, &radius, &m, &sphere) == POY_OK;
            poy_tmatrix *const two[2] = {sphere, sphere};
            same &= poy_cluster_create(ctx, 2, two, 2, positions, &c) == POY_OK &&
                    poy_cluster_solve(ctx, c, t + i) == POY_OK;
            poy_tmatrix_destroy(&sphere);
            poy_cluster_destroy(&c);
        }
        same &= poy_tmatrix_save(ctx, path, 1e-9, points, t, &text) == POY_OK &&
                poy_tmatrix_load(ctx, path, 1e-9, 3, back, &count) == POY_OK && count == points;
        for (size_t i = 0; i < points && same; i++) {
            const size_t n = poy_tmatrix_size(t[i]);
            same &= poy_tmatrix_size(back[i]) == n &&
                    memcmp(poy_tmatrix_values(t[i]), poy_tmatrix_values(back[i]), n * n * sizeof(poy_c128)) == 0 &&
                    poyi_embedding_equal(poy_tmatrix_embedding(t[i]), poy_tmatrix_embedding(back[i])) &&
                    memcmp(poy_basis_modes(poy_tmatrix_basis(t[i])), poy_basis_modes(poy_tmatrix_basis(back[i])),
                           n * sizeof(poy_wave_mode)) == 0 &&
                    memcmp(poy_basis_positions(poy_tmatrix_basis(t[i])),
                           poy_basis_positions(poy_tmatrix_basis(back[i])), sizeof positions) == 0;
        }
        if (!ok(same, "written and read again, bit for bit: %zu points", points))
            note("%s", poy_ctx_message(ctx));
        if (trial == 1) {
            ok(poy_tmatrix_save(ctx, path, 2e-9, points, t, NULL) == POY_ERR_ARGUMENT, "a unit without a name");
            ok(poy_tmatrix_save(ctx, "no/such/folder.h5", 1e-9, points, t, NULL) == POY_ERR_IO, "no such folder");
            ok(poy_tmatrix_save(ctx, path, 1e-9, 0, t, NULL) == POY_ERR_ARGUMENT, "nothing to write");
        }
        for (size_t i = 0; i < 3; i++) {
            poy_tmatrix_destroy(t + i);
            poy_tmatrix_destroy(back + i);
        }
    }
    if (!getenv("KEEP"))
        (void)remove(path);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_published(ctx);
    test_refusals(ctx);
    test_round_trip(ctx);
    test_reports(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}

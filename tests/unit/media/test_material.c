/* test_material.c: complex indices of built-in materials and of files against independent evaluations, and refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "media/media.h"
#include "tap.h"

static poy_ctx *ctx;

static double omega_at(double wavelength)
{
    return 2.0 * POYI_PI * POYI_C / wavelength;
}

static int says(const char *words)
{
    return strstr(poy_ctx_cause(ctx), words) != NULL;
}

/* ---- glasses, by reference values ---- */

static const struct {
    const char *name;
    double n[5]; /* at 200, 400, 800, 1030, 1800 nm; 0: not given */
} glasses[] = {
#define GLASS(name, ...) {name, {__VA_ARGS__}},
#include "golden/media_glass.def"
#undef GLASS
};

static void check_glasses(void)
{
    static const double wavelengths[5] = {200e-9, 400e-9, 800e-9, 1030e-9, 1800e-9};
    for (size_t g = 0; g < sizeof glasses / sizeof *glasses; g++) {
        poy_material *m = NULL;
        double index[2], error = 0.0;
        poy_material_create(ctx, glasses[g].name, &m);
        poy_material_set_extrapolate(m, 1); /* 200 nm is outside the data of some */
        for (int i = 0; i < 5; i++)
            if (glasses[g].n[i] != 0.0) {
                poy_material_index(ctx, m, omega_at(wavelengths[i]), 0, index);
                error = fmax(error, fmax(fabs(index[0] - glasses[g].n[i]), fabs(index[1])));
            }
        ok(error <= 1e-12, "%s: n off by %.0e (allowed 1e-12)", glasses[g].name, error);
        poy_material_destroy(&m);
    }
}

/* ---- files and tables, by independent evaluation ---- */

typedef struct formula_point {
    const char *name;
    double um, n[5]; /* n and four derivatives */
} formula_point;
typedef struct table_point {
    const char *name;
    double um, n, k, dn, dk;
} table_point;

#define FORMULA(name, um, ...) {name, um, {__VA_ARGS__}},
#define TABLE(...)
static const formula_point formula_points[] = {
#include "golden/media_index.def"
};
#undef FORMULA
#undef TABLE
#define FORMULA(...)
#define TABLE(...) {__VA_ARGS__},
static const table_point table_points[] = {
#include "golden/media_index.def"
};
#undef FORMULA
#undef TABLE
enum {
    FORMULA_POINTS = sizeof formula_points / sizeof *formula_points,
    TABLE_POINTS = sizeof table_points / sizeof *table_points
};

static poy_status open_material(const char *name, poy_material **m)
{
    char path[512];
    if (!strstr(name, ".yml"))
        return poy_material_create(ctx, name, m);
    snprintf(path, sizeof path, "%s/golden/index/%s", POY_TESTS_DIR, name);
    return poy_material_load(ctx, path, m);
}

static void check_formula_points(void)
{
    for (int i = 0, j = 0; i < FORMULA_POINTS; i = j) {
        poy_material *m = NULL;
        double got[10] = {0.0}, error = 0.0;
        poy_status status = open_material(formula_points[i].name, &m);
        for (j = i; j < FORMULA_POINTS && !strcmp(formula_points[j].name, formula_points[i].name); j++) {
            const formula_point *p = &formula_points[j];
            if (status == POY_OK)
                status = poy_material_index(ctx, m, omega_at(p->um * 1e-6), 4, got);
            /* Relative; a derivative that passes zero is measured against the one of lower order over omega. */
            for (int d = 0; d < 5 && status == POY_OK; d++) {
                double scale = fmax(fabs(p->n[d]), d ? fabs(p->n[d - 1]) / omega_at(p->um * 1e-6) : 0.0);
                error = fmax(error, fabs(got[2 * d] - p->n[d]) / scale);
            }
        }
        /* Poles amplify the rounding of u: (u/(u - pole))^5 eps at the edges of the ranges. */
        ok(status == POY_OK && error < 1e-12, "%s: n and four derivatives off by %.0e", formula_points[i].name, error);
        poy_material_destroy(&m);
    }
}

static void check_table_points(void)
{
    for (int i = 0, j = 0; i < TABLE_POINTS; i = j) {
        poy_material *m = NULL;
        double got[4] = {0.0}, error = 0.0, slope_error = 0.0, scale = 1e-300, slope_scale = 1e-300;
        poy_status status = open_material(table_points[i].name, &m);
        for (j = i; j < TABLE_POINTS && !strcmp(table_points[j].name, table_points[i].name); j++) {
            const table_point *p = &table_points[j];
            const double omega = omega_at(p->um * 1e-6);
            if (status == POY_OK)
                status = poy_material_index(ctx, m, omega, 1, got);
            scale = hypot(p->n, p->k);
            slope_scale = fmax(hypot(p->dn, p->dk), 1e-3 * scale / omega);
            error = fmax(error, hypot(got[0] - p->n, got[1] - fmax(p->k, 0.0)) / scale);
            if (p->k > 0.0)
                slope_error = fmax(slope_error, hypot(got[2] - p->dn, got[3] - p->dk) / slope_scale);
        }
        ok(status == POY_OK && error < 1e-13 && slope_error < 1e-9, "%s: index off by %.0e, slope by %.0e",
           table_points[i].name, error, slope_error);
        poy_material_destroy(&m);
    }
}

/* Each built-in row of a file's data is that file. */
static void check_built_in(const char *name, const char *file)
{
    poy_material *built = NULL, *read = NULL;
    poy_material_row a, b;
    double x[6], y[6], error = 0.0;
    poy_material_create(ctx, name, &built);
    open_material(file, &read);
    poy_material_info(built, &a);
    poy_material_info(read, &b);
    for (int i = 0; i <= 20; i++) {
        const double lambda = a.lambda_min * pow(a.lambda_max / a.lambda_min, i / 20.0);
        poy_material_index(ctx, built, omega_at(lambda), 2, x);
        poy_material_index(ctx, read, omega_at(lambda), 2, y);
        for (int j = 0; j < 6; j++)
            error = fmax(error, fabs(x[j] - y[j]) / fmax(fabs(x[j]), 1e-300));
    }
    ok(error < 1e-15 && a.lambda_min == b.lambda_min && a.lambda_max == b.lambda_max, "%s is %s (%.0e)", name, file,
       error);
    poy_material_destroy(&built);
    poy_material_destroy(&read);
}

static const char *const pairs[][2] = {
    {"Ag:Johnson", "Ag-Johnson.yml"},
    {"Al:Rakic", "Al-Rakic.yml"},
    {"Al2O3:Malitson-o", "Al2O3-Malitson-o.yml"},
    {"Au:Johnson", "Au-Johnson.yml"},
    {"Cr:Johnson", "Cr-Johnson.yml"},
    {"Cu:Johnson", "Cu-Johnson.yml"},
    {"GaAs:Aspnes", "GaAs-Aspnes.yml"},
    {"GaP:Aspnes", "GaP-Aspnes.yml"},
    {"Ge:Aspnes", "Ge-Aspnes.yml"},
    {"water", "H2O-Daimon-20.0C.yml"},
    {"water:Hale", "H2O-Hale.yml"},
    {"MoS2:Ermolaev-o", "MoS2-Ermolaev-o.yml"},
    {"Pd:Johnson", "Pd-Johnson.yml"},
    {"Pt:Werner", "Pt-Werner.yml"},
    {"Si:Aspnes", "Si-Aspnes.yml"},
    {"Si:Green-2008", "Si-Green-2008.yml"},
    {"Si:Schinke", "Si-Schinke.yml"},
    {"Si3N4:Luke", "Si3N4-Luke.yml"},
    {"SiO2", "SiO2-Malitson.yml"},
    {"Ti:Johnson", "Ti-Johnson.yml"},
    {"TiN:Pfluger", "TiN-Pfluger.yml"},
    {"TiO2:Devore-o", "TiO2-Devore-o.yml"},
    {"TiO2:Sarkar", "TiO2-Sarkar.yml"},
    {"W:Werner", "W-Werner.yml"},
    {"N-BK7", "schott-N-BK7.yml"},
};

/* ---- crystals, metals, made tables ---- */

static void check_crystal(void)
{
    poy_material *o = NULL, *e = NULL, *m = NULL;
    double no[2], ne[2], n[4], want;
    poy_material_create(ctx, "BBO:o", &o);
    poy_material_create(ctx, "BBO:e", &e);
    poy_material_index(ctx, o, omega_at(800e-9), 0, no);
    poy_material_index(ctx, e, omega_at(800e-9), 0, ne);
    static const double angles[3] = {0.0, 0.5, 1.5707963267948966};
    for (int i = 0; i < 3; i++) {
        poy_material_create_uniaxial(ctx, "BBO", angles[i], &m);
        poy_material_index(ctx, m, omega_at(800e-9), 1, n);
        want = 1.0 / sqrt(pow(cos(angles[i]) / no[0], 2.0) + pow(sin(angles[i]) / ne[0], 2.0));
        ok(fabs(n[0] - want) < 1e-14 && n[1] == 0.0 && n[2] > 0.0, "BBO at %.2f rad: %.9f", angles[i], n[0]);
        poy_material_destroy(&m);
    }
    ok(poy_material_create_uniaxial(ctx, "LBO", 0.0, &m) == POY_ERR_ARGUMENT && !m &&
           says("did you mean LBO:x, LBO:y, LBO:z?"),
       "%s", poy_ctx_cause(ctx));
    poy_material_destroy(&o);
    poy_material_destroy(&e);
}

static void check_tables(void)
{
    static const double lambda[3] = {1e-6, 2e-6, 3e-6}, n[3] = {1.5, 1.4, 1.3}, k[3] = {0.0, 0.1, 0.1};
    static const double falling[3] = {1e-6, 3e-6, 2e-6}, gain[3] = {0.0, -0.1, 0.0};
    poy_material *m = NULL;
    double x[2];
    ok(poy_material_create_table(ctx, "mine", 3, lambda, n, k, &m) == POY_OK, "a table of one's own");
    poy_material_index(ctx, m, omega_at(2e-6), 0, x);
    ok(fabs(x[0] - 1.4) < 1e-15 && fabs(x[1] - 0.1) < 1e-15, "holds its points");
    int monotone = 1;
    for (double u = 2e-6; u < 3e-6; u += 1e-8)
        monotone &= poy_material_index(ctx, m, omega_at(u), 0, x) == POY_OK && x[1] <= 0.1 && x[1] >= 0.0999999999;
    ok(monotone, "and never passes them");
    ok(poy_material_index(ctx, m, omega_at(4e-6), 0, x) == POY_ERR_RANGE, "%s", poy_ctx_cause(ctx));
    poy_material_set_extrapolate(m, 1);
    ok(poy_material_index(ctx, m, omega_at(4e-6), 0, x) == POY_OK && x[0] == 1.3, "keeps its end values if asked");
    poy_material_destroy(&m);
    ok(poy_material_create_table(ctx, "mine", 3, falling, n, k, &m) == POY_ERR_ARGUMENT && !m && says("row 3"), "%s",
       poy_ctx_cause(ctx));
    ok(poy_material_create_table(ctx, "mine", 3, lambda, n, gain, &m) == POY_ERR_ARGUMENT && says("k = -0.1"), "%s",
       poy_ctx_cause(ctx));
    ok(poy_material_create_table(ctx, "mine", 1, lambda, n, k, &m) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
}

/* ---- the list, names, ranges ---- */

static void check_list(void)
{
    poy_material_row row;
    int fine = 0;
    for (int i = 0; i < poy_material_count(); i++) {
        poy_material *m = NULL;
        double x[2];
        poy_material_row_at(ctx, i, &row);
        fine += poy_material_create(ctx, row.name, &m) == POY_OK &&
                poy_material_check_range(ctx, m, i ? row.lambda_min : 1e-9, i ? row.lambda_max : 1.0) == POY_OK &&
                poy_material_index(ctx, m, omega_at(i ? row.lambda_min : 1e-6), 0, x) == POY_OK && x[0] > 0.0 &&
                x[1] >= 0.0 && row.source && row.comment;
        poy_material_destroy(&m);
    }
    ok(fine == poy_material_count() && fine == 44, "%d of %d rows of the list make a material", fine,
       poy_material_count());
    ok(poy_material_row_at(ctx, poy_material_count(), &row) == POY_ERR_INDEX, "%s", poy_ctx_cause(ctx));
}

static void check_names_and_ranges(void)
{
    poy_material *m = NULL;
    double x[2] = {-1.0, -1.0}, n2 = 0.0;
    ok(poy_material_create(ctx, "Au", &m) == POY_ERR_ARGUMENT && !m && says("did you mean Au:Johnson?"), "%s",
       poy_ctx_cause(ctx));
    ok(poy_material_create(ctx, "SiO", &m) == POY_ERR_ARGUMENT && says("did you mean SiO2, Si?"), "%s",
       poy_ctx_cause(ctx));
    ok(poy_material_create(ctx, "unobtainium", &m) == POY_ERR_ARGUMENT && says("vacuum, SiO2, BK7"), "a list of all");
    poy_material_create(ctx, "BK7", &m);
    ok(poy_material_index(ctx, m, omega_at(200e-9), 0, x) == POY_ERR_RANGE && x[0] == -1.0 &&
           says("BK7 index data end at 300 nm, above 200 nm: raise it, or set materials.BK7.extrapolate = true"),
       "%s", poy_ctx_cause(ctx));
    ok(poy_material_check_range(ctx, m, 400e-9, 3e-6) == POY_ERR_RANGE && says("end at 2500 nm, below 3000 nm: lower"),
       "%s", poy_ctx_cause(ctx));
    ok(poy_material_n2(ctx, m, &n2) == POY_ERR_UNSUPPORTED && says("no n2 is known for BK7: give n2"), "%s",
       poy_ctx_cause(ctx));
    ok(poy_material_index(ctx, m, -1.0, 0, x) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    poy_material_destroy(&m);

    poy_material_create(ctx, "SiO2", &m);
    ok(poy_material_n2(ctx, m, &n2) == POY_OK && n2 == 2.7e-20, "n2 of silica");
    poy_material_set_extrapolate(m, 1);
    ok(poy_material_index(ctx, m, omega_at(12e-6), 0, x) == POY_OK && x[0] > 0.0 && x[1] == 0.0, "beyond a resonance");
    ok(poy_material_index(ctx, m, omega_at(9.8e-6), 0, x) == POY_OK && x[0] == 0.0 && x[1] > 0.0,
       "n^2 < 0 gives an absorbing index, %.3gi", x[1]);
    poy_material_destroy(&m);

    ok(poy_material_create_constant(ctx, 1.5, 0.01, &m) == POY_OK && poy_material_index(ctx, m, 1.0, 0, x) == POY_OK &&
           x[0] == 1.5 && x[1] == 0.01,
       "a constant");
    poy_material_destroy(&m);
    ok(poy_material_create_constant(ctx, (double)NAN, 0.0, &m) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
}

/* ---- files that are wrong ---- */

static void check_refused(const char *text, poy_status status, const char *words)
{
    poy_material *m = NULL;
    poy_status got = poy_material_parse(ctx, "x.yml", text, strlen(text), &m);
    if (!ok(got == status && !m && says(words), "%s", poy_ctx_cause(ctx)))
        note("wanted %s: %s", poy_status_name(status), words);
    poy_material_destroy(&m);
}

static void check_files(void)
{
    poy_material *m = NULL;
    poy_material_row row;
    double x[2];
    const char *both =
        "# made up\nREFERENCES: |\n  One,\n  two\nCOMMENTS: \"a \\\"b\\\"\"\nSPECS:\n  n_is_absolute: true\n"
        "DATA:\n- type: formula 5\n  wavelength_range: 0.4 2\n  coefficients: 1.5 0.01 -2\n"
        "- type: tabulated k\n  data: |\n    0.5 1E-3\n    1.0 +.002\n    1.5, 3.e-3\n";
    ok(poy_material_parse(ctx, "both", both, strlen(both), &m) == POY_OK, "a formula beside tabulated k");
    poy_material_info(m, &row);
    ok(!strcmp(row.source, "One, two") && !strcmp(row.comment, "a \"b\""), "texts: %s; %s", row.source, row.comment);
    poy_material_index(ctx, m, omega_at(1e-6), 0, x);
    ok(fabs(x[0] - 1.51) < 1e-15 && fabs(x[1] - 0.002) < 1e-18 && row.lambda_min == 0.5e-6 && row.lambda_max == 1.5e-6,
       "n = %g, k = %g on the wavelengths of both", x[0], x[1]);
    poy_material_destroy(&m);

    check_refused("", POY_ERR_ARGUMENT, "there is no DATA");
    check_refused("DATA:\n", POY_ERR_ARGUMENT, "DATA has no entry");
    check_refused("junk\n", POY_ERR_ARGUMENT, "x.yml:1: \"junk\" is not \"KEY: value\"");
    check_refused("DATA:\n  - type: tabulated n2\n    data: |\n        1 2\n", POY_ERR_ARGUMENT,
                  "type must stand before");
    check_refused("DATA:\n  - type: tabulated n2\n", POY_ERR_UNSUPPORTED, "\"tabulated n2\" is not supported");
    check_refused("DATA:\n  - type: formula 12\n    wavelength_range: 1 2\n    coefficients: 1\n", POY_ERR_UNSUPPORTED,
                  "formula 12");
    check_refused("DATA:\n  - type: formula 1\n    coefficients: 1\n", POY_ERR_ARGUMENT, "needs wavelength_range");
    check_refused("DATA:\n  - type: formula 1\n    wavelength_range: 2 1\n    coefficients: 1\n", POY_ERR_ARGUMENT,
                  "2 to 1 um are no range");
    check_refused("DATA:\n  - type: formula 1\n    wavelength_range: 1 2\n    coefficients: 1 x\n", POY_ERR_ARGUMENT,
                  "x.yml:4: coefficients");
    check_refused("DATA:\n  - type: formula 1\n    wavelength_range: 1 2\n    coefficients: 1 2\n", POY_ERR_ARGUMENT,
                  "the last has no partner");
    check_refused("DATA:\n  - type: tabulated nk\n    data: |\n        1 2 0\n        2 nan 0\n", POY_ERR_ARGUMENT,
                  "x.yml:5: a row of \"tabulated nk\" has 3 numbers");
    check_refused("DATA:\n  - type: tabulated nk\n    data: |\n        1 2\n", POY_ERR_ARGUMENT, "not \"1 2\"");
    check_refused("DATA:\n  - type: tabulated nk\n    data: |\n        2 2 0\n        1 2 0\n", POY_ERR_ARGUMENT,
                  "x.yml:5: wavelength 1 um");
    check_refused("DATA:\n  - type: tabulated nk\n    data: |\n        1 2 0\n        2 2 -1\n", POY_ERR_ARGUMENT,
                  "k = -1: it must be 0 or above");
    check_refused("DATA:\n  - type: tabulated nk\n    data: |\n", POY_ERR_ARGUMENT, "the table has no rows");
    check_refused("DATA:\n  - type: tabulated k\n    data: |\n        1 2\n        2 2\n", POY_ERR_ARGUMENT,
                  "neither a formula nor a table of n");
    check_refused("DATA:\n  - type: tabulated nk\n    data: |\n        1 2 0\n        2 2 0\n  - type: formula 5\n"
                  "    wavelength_range: 1 2\n    coefficients: 1\n",
                  POY_ERR_ARGUMENT, "n is given twice");
    check_refused("DATA:\n  - type: formula 5\n    wavelength_range: 1 2\n    coefficients: 1\n    secret: 3\n",
                  POY_ERR_ARGUMENT, "x.yml:5: \"secret: 3\" is not understood");
    check_refused("COMMENTS: \"never ends\nDATA:\n", POY_ERR_ARGUMENT, "x.yml:1: the quoted text has no end");
    ok(poy_material_parse(ctx, "x.yml", "DATA:\0", 6, &m) == POY_ERR_ARGUMENT && says("not a text file"), "%s",
       poy_ctx_cause(ctx));
    ok(poy_material_load(ctx, "/nonexistent/Au.yml", &m) == POY_ERR_IO && says("Au.yml: cannot be opened"), "%s",
       poy_ctx_cause(ctx));
}

/* Files with a few bytes changed: read or refused with a message, never worse (the sanitizers watch). */
static void check_damaged(const char *name)
{
    char path[512], text[4096], copy[4096];
    uint32_t random = 12345;
    int answered = 0;
    const int count = 3000;
    snprintf(path, sizeof path, "%s/golden/index/%s", POY_TESTS_DIR, name);
    FILE *file = fopen(path, "rb");
    const size_t bytes = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    for (int i = 0; i < count && bytes > 100; i++) {
        poy_material *m = NULL;
        memcpy(copy, text, bytes);
        for (int j = 0; j < 1 + i % 4; j++) {
            random = random * 1664525U + 1013904223U;
            static const char alphabet[] = "\n :-|\"'0e.xD#\t,5\\";
            copy[(random >> 8) % bytes] = alphabet[(random >> 3) % (sizeof alphabet - 1)];
        }
        poy_status status = poy_material_parse(ctx, name, copy, bytes - (size_t)(i % 7), &m);
        answered += (status == POY_OK && m) || (status != POY_OK && !m && poy_ctx_cause(ctx)[0]);
        poy_material_destroy(&m);
    }
    ok(answered == count, "%s with bytes changed, %d times: read or refused", name, count);
}

int main(void)
{
    poy_ctx_create(&ctx);
    check_glasses();
    check_formula_points();
    check_table_points();
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check_built_in(pairs[i][0], pairs[i][1]);
    check_crystal();
    check_tables();
    check_list();
    check_names_and_ranges();
    check_files();
    check_damaged("Au-Johnson.yml");
    check_damaged("TiO2-Devore-o.yml");
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

/* cmd_materials.c: poynting materials: the materials and gases that recipes may name, and their numbers. */
#include <math.h>
#include <string.h>

#include "cli.h"

static void range(double low, double high, size_t size, char *out)
{
    char a[32], b[32];
    poy_quantity_format(low, POY_DIM_LENGTH, 3, sizeof a, a);
    poy_quantity_format(high, POY_DIM_LENGTH, 3, sizeof b, b);
    if (isnan(high) || !isfinite(high))
        snprintf(out, size, "from %s", a);
    else
        snprintf(out, size, "%s to %s", a, b);
}

static int list(cli *c)
{
    poy_material_row row;
    poy_gas_info gas;
    char where[80];
    for (int i = 0; i < poy_material_count(); i++) {
        poy_status status = poy_material_row_at(c->ctx, i, &row);
        if (status != POY_OK)
            return cli_failed(c, status);
        range(row.lambda_min, row.lambda_max, sizeof where, where);
        printf("%-16s %-22s %s\n", row.name, where, row.source);
    }
    for (int i = 0; i < poy_gas_count(); i++) {
        poy_status status = poy_gas_info_at(c->ctx, i, &gas);
        if (status != POY_OK)
            return cli_failed(c, status);
        range(gas.lambda_min, (double)NAN, sizeof where, where);
        printf("%-16s %-22s %s\n", gas.name, where, gas.index_source);
    }
    return 0;
}

/* n, k and the group index and beta_2 that follow from dn/domega, d2n/domega2. */
static int print_at(cli *c, const poy_material *material, double wavelength)
{
    const double light = 299792458.0, omega = 2 * 3.14159265358979323846 * light / wavelength;
    double n[6];
    char at[32];
    poy_status status = poy_material_index(c->ctx, material, omega, 2, n);
    if (status != POY_OK)
        return cli_failed(c, status);
    poy_quantity_format(wavelength, POY_DIM_LENGTH, 6, sizeof at, at);
    printf("at             %s\nn              %.10g\nk              %.6g\n", at, n[0], n[1]);
    printf("group index    %.10g\nbeta_2         %.6g fs2/mm\n", n[0] + omega * n[2],
           1e27 * (2 * n[2] + omega * n[4]) / light);
    return 0;
}

static void print_row(const poy_material *material)
{
    poy_material_row row;
    char where[80];
    poy_material_info(material, &row);
    range(row.lambda_min, row.lambda_max, sizeof where, where);
    printf("name           %s\nrange          %s\nsource         %s\n", row.name, where, row.source);
    if (row.comment && *row.comment)
        printf("comment        %s\n", row.comment);
    if (!isnan(row.n2))
        printf("n2             %.4g m2/W\n", row.n2);
}

/* What the options ask for: a place, a range, a picture. */
typedef struct wanted {
    double at, from, to, pressure, temperature; /* NaN: not asked for */
    const char *picture;
} wanted;

static int read_options(cli *c, const cli_args *args, wanted *w)
{
    const double none = (double)NAN;
    *w = (wanted){none, none, none, 1e5, 293.15, cli_value(args, "plot")};
    int code = cli_quantity(c, args, "at", POY_DIM_SPECTRAL, &w->at);
    code = code ? code : cli_quantity(c, args, "pressure", POY_DIM_PRESSURE, &w->pressure);
    code = code ? code : cli_quantity(c, args, "temperature", POY_DIM_TEMPERATURE, &w->temperature);
    return code ? code : cli_range(c, args, &w->from, &w->to);
}

static int drawn(cli *c, poy_status status, const char *picture)
{
    if (status != POY_OK)
        return cli_failed(c, status);
    printf("%s\n", picture);
    return 0;
}

static int show_material(cli *c, const wanted *w, const poy_material *material)
{
    print_row(material);
    const int code = isnan(w->at) ? 0 : print_at(c, material, w->at);
    if (code || !w->picture)
        return code;
    return drawn(c, poy_plot_material(c->ctx, material, w->from, w->to, w->picture), w->picture);
}

/* ---- gases ---- */

static void print_gas(const poy_gas_info *info)
{
    char where[80];
    range(info->lambda_min, (double)NAN, sizeof where, where);
    printf("name           %s\nrange          %s\nsource         %s\n", info->name, where, info->index_source);
    printf("state          %.6g to %.6g K, up to %.4g bar\n", info->temperature_min, info->temperature_max,
           1e-5 * info->pressure_max);
    printf("density        %s\n", info->density_source);
    printf("Kerr effect    %s\n", info->kerr_source ? info->kerr_source : "not known");
    printf("ionisation     %s\n", info->ionisation_source ? info->ionisation_source : "not known");
    printf("Raman lines    %s\n", info->raman_source ? info->raman_source : "none");
}

static int print_gas_at(cli *c, const wanted *w, const poy_gas *gas)
{
    const double light = 299792458.0, omega = 2 * 3.14159265358979323846 * light / w->at;
    double n[3], n2 = 0;
    char at[32], pressure[32], temperature[32];
    poy_gas_part part = {.gas = gas};
    poy_status status =
        poy_gas_density(c->ctx, gas, POY_EOS_HELMHOLTZ, w->pressure, w->temperature, &part.density, NULL);
    if (status == POY_OK)
        status = poy_gas_index(c->ctx, 1, &part, omega, 2, n);
    if (status != POY_OK)
        return cli_failed(c, status);
    poy_quantity_format(w->at, POY_DIM_LENGTH, 6, sizeof at, at);
    poy_quantity_format(w->pressure, POY_DIM_PRESSURE, 6, sizeof pressure, pressure);
    poy_quantity_format(w->temperature, POY_DIM_TEMPERATURE, 6, sizeof temperature, temperature);
    printf("at             %s, %s, %s\nnumber density %.10g 1/m3\nn - 1          %.10g\n", at, pressure, temperature,
           part.density, n[0]);
    printf("group index - 1 %.10g\nbeta_2         %.6g fs2/m\n", n[0] + omega * n[1],
           1e30 * (2 * n[1] + omega * n[2]) / light);
    if (poy_gas_n2(c->ctx, 1, &part, omega, &n2) == POY_OK)
        printf("n2             %.6g m2/W\n", n2);
    poy_ctx_clear(c->ctx);
    return 0;
}

/* The row of the gas of that name; 0: there is none. */
static int find_gas(cli *c, const char *name, poy_gas_info *info)
{
    const char *formula = poy_gas_formula(name);
    for (int i = 0; formula && i < poy_gas_count(); i++)
        if (poy_gas_info_at(c->ctx, i, info) == POY_OK && !strcmp(info->name, formula))
            return 1;
    return 0;
}

static int show_gas(cli *c, const wanted *w, const poy_gas_info *info)
{
    poy_gas *gas = NULL;
    poy_status status = poy_gas_create(c->ctx, info->name, &gas);
    if (status != POY_OK)
        return cli_failed(c, status);
    print_gas(info);
    int code = isnan(w->at) ? 0 : print_gas_at(c, w, gas);
    if (!code && w->picture)
        code = drawn(c, poy_plot_gas(c->ctx, gas, w->pressure, w->temperature, w->from, w->to, w->picture), w->picture);
    poy_gas_destroy(&gas);
    return code;
}

static int run(cli *c, const cli_args *args)
{
    poy_material *material = NULL;
    poy_gas_info info;
    wanted w;
    const char *file = cli_value(args, "import");
    int code = read_options(c, args, &w);
    if (code)
        return code;
    if (!args->n_words && !file)
        return list(c);
    if (!file && find_gas(c, args->words[0], &info))
        return show_gas(c, &w, &info);
    poy_status status =
        file ? poy_material_load(c->ctx, file, &material) : poy_material_create(c->ctx, args->words[0], &material);
    if (status != POY_OK)
        return cli_failed(c, status);
    code = show_material(c, &w, material);
    poy_material_destroy(&material);
    return code;
}

static const cli_option options[] = {
    {"at", 0, "WAVELENGTH", "n, k, group index and beta_2 there"},
    {"plot", 0, "FILE", "draw index, absorption and beta_2: FILE.png, .svg, .pdf, .csv or .gp"},
    {"range", 0, "FROM:TO", "wavelengths of the picture, e.g. \"200 nm:2 um\" [those of the data]"},
    {"pressure", 0, "PRESSURE", "of a gas [1 bar]"},
    {"temperature", 0, "TEMPERATURE", "of a gas [293.15 K]"},
    {"import", 0, "FILE", "read a refractiveindex.info file and show what it holds"},
    {0},
};

const cli_command cmd_materials = {
    .name = "materials",
    .arguments = "[NAME]",
    .at_least = 0,
    .at_most = 1,
    .text = "the materials and gases that recipes may name: range, source, index",
    .more = "",
    .example = "poynting materials SiO2 --at \"800 nm\"",
    .options = options,
    .run = run,
};

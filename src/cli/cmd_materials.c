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

static int show(cli *c, const cli_args *args, const poy_material *material)
{
    poy_material_row row;
    char where[80];
    double wavelength = 0;
    poy_material_info(material, &row);
    range(row.lambda_min, row.lambda_max, sizeof where, where);
    printf("name           %s\nrange          %s\nsource         %s\n", row.name, where, row.source);
    if (row.comment && *row.comment)
        printf("comment        %s\n", row.comment);
    if (!isnan(row.n2))
        printf("n2             %.4g m2/W\n", row.n2);
    const char *text = cli_value(args, "at");
    poy_quantity q;
    if (!text)
        return 0;
    if (poy_quantity_parse_as(c->ctx, text, POY_DIM_SPECTRAL, &q) != POY_OK)
        return cli_usage(c, args->command, "--at: %s", poy_ctx_cause(c->ctx));
    wavelength = q.value;
    return print_at(c, material, wavelength);
}

static int run(cli *c, const cli_args *args)
{
    poy_material *material = NULL;
    const char *file = cli_value(args, "import");
    if (!args->n_words && !file)
        return list(c);
    poy_status status =
        file ? poy_material_load(c->ctx, file, &material) : poy_material_create(c->ctx, args->words[0], &material);
    if (status != POY_OK)
        return cli_failed(c, status);
    int code = show(c, args, material);
    poy_material_destroy(&material);
    return code;
}

static const cli_option options[] = {
    {"at", 0, "WAVELENGTH", "n, k, group index and beta_2 there"},
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

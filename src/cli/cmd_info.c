/* cmd_info.c: poynting info: what a result or a recipe holds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char *const attributes[] = {"name",   "kind",    "created",   "complete",      "program",    "version",
                                         "format", "backend", "precision", "config_sha256", "time_factor"};
enum { ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

static const char explanation[] =
    "Spectra. /field/spectrum is S(omega), omega rising, in sqrt(J s):\n"
    "  energy                      W = sum |S|^2 domega                    J\n"
    "  density per rad/s           |S|^2                                   J/(rad/s)\n"
    "  density per Hz              2 pi |S|^2                              J/Hz\n"
    "  density per wavelength      |S|^2 omega^2 / (2 pi c)                J/m\n"
    "  photons                     sum |S|^2 domega / (hbar omega)         1\n"
    "Time. With N samples, dt = 2 pi / (N domega), bins in the order of a transform (ifftshift of S):\n"
    "  envelope                    A(t_n) = sqrt(2 pi)/dt * ifft(S)        sqrt(W)\n"
    "  power                       P = |A|^2                               W\n"
    "The physical field is the real part of A exp(+i omega0 t); a positive phase phi multiplies S by exp(-i phi).\n"
    "The phase of S refers to the first sample of /grid/t: multiply by exp(+i (omega - omega0) T/2), T = N dt, to "
    "refer it\n"
    "to t = 0.\n"
    "Scattering. Fields are those of an incident plane wave of 1 V/m, with exp(-i omega t):\n"
    "  cross sections              power over the intensity of that wave   m2\n"
    "  efficiencies                cross section / (pi r^2)                1\n"
    "  far field                   E = amplitude exp(i k r) / r            V/m\n";

/* ---- results ---- */

static void shape(const poy_dataset *d, size_t size, char *out)
{
    size_t used = (size_t)snprintf(out, size, "(");
    for (int i = 0; i < d->rank && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%lld", i ? ", " : "", (long long)d->extent[i]);
    if (used < size)
        snprintf(out + used, size - used, ")");
}

static double scalar(cli *c, poy_result *result, const char *path, int64_t row)
{
    double value = (double)NAN;
    if (poy_result_scalar(c->ctx, result, path, row, &value) != POY_OK)
        poy_ctx_clear(c->ctx);
    return value;
}

static void summary_scatter(cli *c, poy_result *result)
{
    poy_dataset d;
    char from[48], to[48];
    if (poy_result_find(c->ctx, result, "sweep/wavelength", &d) == POY_OK && d.extent[0]) {
        poy_quantity_format(scalar(c, result, "sweep/wavelength", 0), POY_DIM_LENGTH, 6, sizeof from, from);
        poy_quantity_format(scalar(c, result, "sweep/wavelength", -1), POY_DIM_LENGTH, 6, sizeof to, to);
        printf("points         %lld, %s to %s\n", (long long)d.extent[0], from, to);
    }
    if (poy_result_find(c->ctx, result, "particles/radius", &d) == POY_OK)
        printf("particles      %lld\n", (long long)d.extent[0]);
    const double wall = scalar(c, result, "provenance/wall_s", 0);
    if (wall > 0)
        printf("computed in    %.1f s\n", wall);
    poy_ctx_clear(c->ctx);
}

static void summary_text(cli *c, poy_result *result)
{
    char length[48], energy[2][48];
    poy_dataset d;
    const char *kind = poy_result_attribute(result, "kind");
    if (kind && !strcmp(kind, "scatter")) {
        summary_scatter(c, result);
        return;
    }
    double z = scalar(c, result, "grid/z", -1);
    poy_quantity_format(z, POY_DIM_LENGTH, 6, sizeof length, length);
    poy_quantity_format(scalar(c, result, "stats/energy", 0), POY_DIM_ENERGY, 6, sizeof energy[0], energy[0]);
    poy_quantity_format(scalar(c, result, "stats/energy", -1), POY_DIM_ENERGY, 6, sizeof energy[1], energy[1]);
    if (poy_result_find(c->ctx, result, "grid/z", &d) == POY_OK && d.extent[0])
        printf("planes         %lld, to z = %s\n", (long long)d.extent[0], length);
    if (poy_result_find(c->ctx, result, "steps/dz", &d) == POY_OK)
        printf("attempts       %lld\n", (long long)d.extent[0]);
    if (poy_result_find(c->ctx, result, "stats/energy", &d) == POY_OK && d.extent[0])
        printf("energy         %s to %s\n", energy[0], energy[1]);
    double wall = scalar(c, result, "provenance/wall_s", 0);
    if (wall > 0)
        printf("computed in    %.1f s\n", wall);
    poy_ctx_clear(c->ctx);
}

static void result_text(cli *c, poy_result *result, const char *path)
{
    poy_dataset d;
    char extent[80];
    for (int i = 0; i < ATTRIBUTES; i++) {
        const char *value = poy_result_attribute(result, attributes[i]);
        printf("%-14s %s\n", attributes[i], value ? value : "-");
    }
    summary_text(c, result);
    const char *complete = poy_result_attribute(result, "complete"), *kind = poy_result_attribute(result, "kind");
    if (complete && !strcmp(complete, "0") && kind && !strcmp(kind, "scan"))
        printf("continue with  poynting scan, of its recipe\n");
    else if (complete && !strcmp(complete, "0"))
        printf("continue with  poynting resume %s\n", path);
    printf("\n");
    for (int i = 0; poy_result_dataset_at(result, i, &d); i++) {
        if (!strncmp(d.path, "resume/", 7) || !strncmp(d.path, "provenance/memory/", 18))
            continue;
        shape(&d, sizeof extent, extent);
        printf("/%-26s %-22s %-10s %s\n", d.path, d.rank ? extent : "", d.units, d.text);
    }
}

static void result_json(cli *c, poy_result *result)
{
    poy_dataset d;
    (void)c;
    printf("{");
    for (int i = 0; i < ATTRIBUTES; i++) {
        const char *value = poy_result_attribute(result, attributes[i]);
        printf("\"%s\": ", attributes[i]);
        if (!value)
            printf("null");
        else if (!strcmp(attributes[i], "complete") || !strcmp(attributes[i], "format"))
            printf("%s", value);
        else
            cli_json_string(stdout, value);
        printf(", ");
    }
    printf("\"datasets\": [");
    for (int i = 0; poy_result_dataset_at(result, i, &d); i++) {
        printf("%s{\"path\": ", i ? ", " : "");
        cli_json_string(stdout, d.path);
        printf(", \"shape\": [");
        for (int k = 0; k < d.rank; k++)
            printf("%s%lld", k ? ", " : "", (long long)d.extent[k]);
        printf("], \"units\": ");
        cli_json_string(stdout, d.units);
        printf(", \"long_name\": ");
        cli_json_string(stdout, d.text);
        printf("}");
    }
    printf("]}\n");
}

/* ---- recipes, of a file or of a result ---- */

static int is_recipe(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".toml");
}

/* The checked recipe that path is or holds. */
static int load_recipe(cli *c, const char *path, poy_recipe **out)
{
    poy_result *result = NULL;
    const char *text;
    *out = NULL;
    poy_status status;
    if (is_recipe(path)) {
        status = poy_recipe_load(c->ctx, path, out);
    } else {
        status = poy_result_open(c->ctx, path, &result);
        if (status == POY_OK)
            status = poy_result_text(c->ctx, result, "recipe/resolved", &text);
        if (status == POY_OK)
            status = poy_recipe_parse(c->ctx, text, path, out);
    }
    if (status == POY_OK)
        status = poy_recipe_check(c->ctx, *out);
    poy_result_close(&result);
    if (status == POY_OK)
        return 0;
    if (status == POY_ERR_RECIPE)
        cli_faults(c, *out);
    int code = status == POY_ERR_RECIPE ? EXIT_RECIPE : cli_failed(c, status);
    poy_recipe_destroy(out);
    return code;
}

static int print_cite(cli *c, const char *path)
{
    poy_recipe *recipe;
    const char *text;
    int code = load_recipe(c, path, &recipe);
    if (code)
        return code;
    poy_status status = poy_recipe_cite(c->ctx, recipe, &text);
    if (status == POY_OK)
        printf("%s", text);
    else
        code = cli_failed(c, status);
    poy_recipe_destroy(&recipe);
    return code;
}

static int print_difference(cli *c, const char *path, const char *other)
{
    poy_recipe *a = NULL, *b = NULL;
    const char *text = NULL;
    int n = 0, code = load_recipe(c, path, &a);
    if (!code)
        code = load_recipe(c, other, &b);
    poy_status status = code ? POY_OK : poy_recipe_diff(c->ctx, a, b, &text, &n);
    if (status != POY_OK)
        code = cli_failed(c, status);
    else if (!code && n)
        printf("%s\n", text);
    else if (!code)
        printf("no key differs\n");
    poy_recipe_destroy(&a);
    poy_recipe_destroy(&b);
    return code;
}

static int recipe_info(cli *c, const cli_args *args, const char *path)
{
    poy_recipe *recipe;
    int code = load_recipe(c, path, &recipe);
    if (code)
        return code;
    if (cli_has(args, "recipe")) {
        printf("%s", poy_recipe_text(recipe));
    } else if (cli_has(args, "json")) {
        printf("{\"name\": ");
        cli_json_string(stdout, poy_recipe_name(recipe));
        printf(", \"resolved\": ");
        cli_json_string(stdout, poy_recipe_resolved(recipe));
        printf("}\n");
    } else {
        printf("%s", poy_recipe_resolved(recipe));
    }
    poy_recipe_destroy(&recipe);
    return 0;
}

/* The recipe that gives this result: as it was given; where keys were set beside it, as it was resolved. */
static int print_recipe(cli *c, poy_result *result)
{
    const char *text, *overrides;
    int set = poy_result_text(c->ctx, result, "recipe/overrides", &overrides) == POY_OK;
    poy_ctx_clear(c->ctx);
    poy_status status = poy_result_text(c->ctx, result, set ? "recipe/resolved" : "recipe/text", &text);
    if (status != POY_OK)
        return cli_failed(c, status);
    if (set)
        printf("# With every default filled in, since these keys were set beside the recipe:\n");
    while (set && *overrides) {
        int n = (int)strcspn(overrides, "\n");
        printf("#   %.*s\n", n, overrides);
        overrides += n + (overrides[n] == '\n');
    }
    printf("%s", text);
    return 0;
}

static int result_info(cli *c, const cli_args *args, const char *path)
{
    poy_result *result;
    int code = 0;
    poy_status status = poy_result_open(c->ctx, path, &result);
    if (status != POY_OK && !cli_has(args, "recipe")) { /* a T-matrix file, of whatever program? */
        code = cli_tmatrix_info(c, args, path);
        if (code >= 0)
            return code;
        status = poy_result_open(c->ctx, path, &result); /* no: the first reason is the better one */
    }
    if (status != POY_OK)
        return cli_failed(c, status);
    if (cli_has(args, "recipe")) {
        code = print_recipe(c, result);
    } else if (cli_has(args, "json")) {
        result_json(c, result);
    } else {
        result_text(c, result, path);
    }
    poy_result_close(&result);
    return code;
}

static int run(cli *c, const cli_args *args)
{
    const char *path = args->words[0];
    if (cli_has(args, "explain"))
        return fputs(explanation, stdout) < 0;
    if (cli_has(args, "cite"))
        return print_cite(c, path);
    if (cli_has(args, "diff"))
        return print_difference(c, path, cli_value(args, "diff"));
    return is_recipe(path) ? recipe_info(c, args, path) : result_info(c, args, path);
}

static const cli_option options[] = {
    {"recipe", 0, NULL, "print the recipe back: run again, it gives the same"},
    {"cite", 0, NULL, "what to cite: program, methods, models, data"},
    {"diff", 0, "OTHER", "the keys in which two recipes or results differ"},
    {"explain", 0, NULL, "how densities and fields follow from what is stored"},
    {"json", 0, NULL, "the same as JSON"},
    {0},
};

const cli_command cmd_info = {
    .name = "info",
    .arguments = "FILE",
    .at_least = 1,
    .at_most = 1,
    .text = "what a result, a T-matrix file or a recipe holds, and whether it is complete",
    .more = "",
    .example = "poynting info supercontinuum.h5 --recipe > again.toml",
    .options = options,
    .run = run,
};

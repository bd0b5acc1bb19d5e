/* cmd_plot.c: poynting plot: pictures of a result, without a display. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int draw(cli *c, poy_result *result, const poy_plot_options *o)
{
    char path[1024];
    poy_status status = poy_plot(c->ctx, result, o, path);
    if (status != POY_OK)
        return status == POY_ERR_ARGUMENT ? (cli_failed(c, status), EXIT_USAGE) : cli_failed(c, status);
    printf("%s\n", path);
    return 0;
}

/* Does the result hold what a picture that its recipe asks for needs? It is told where not. */
static int can_draw(const cli *c, poy_result *result, const char *path, const char *kind)
{
    const int can = poy_plot_applies(result, kind);
    if (!can)
        cli_message(c, "%s: no picture '%s': the result holds nothing for it, or no more than one point", path, kind);
    return can;
}

/* The pictures that the recipe asks for. Those that do not apply are left out; without gnuplot there are none. */
int cli_plots(cli *c, const char *path)
{
    poy_result *result;
    poy_plot_options o;
    int code = 0;
    poy_status status = poy_result_open(c->ctx, path, &result);
    if (status != POY_OK)
        return cli_failed(c, status);
    poy_plot_options_of(result, &o);
    for (int i = 0; !code && poy_plot_wanted(result, i); i++) {
        char written[1024];
        o.kind = poy_plot_wanted(result, i);
        if (!can_draw(c, result, path, o.kind))
            continue;
        status = poy_plot(c->ctx, result, &o, written);
        if (status == POY_ERR_UNSUPPORTED) {
            cli_message(c, "no pictures: %s", poy_ctx_cause(c->ctx));
            break;
        }
        if (status != POY_OK)
            code = cli_failed(c, status);
        else if (c->verbosity >= 0)
            printf("%s\n", written);
    }
    poy_result_close(&result);
    return code;
}

static void list(poy_result *result)
{
    const char *kind, *text;
    for (int i = 0; poy_plot_kind_at(i, &kind, &text); i++)
        if (poy_plot_applies(result, kind))
            printf("%-16s %s\n", kind, text);
}

/* "200 nm:2 um" */
static int read_options(cli *c, const cli_args *args, poy_plot_options *o)
{
    const char *db = cli_value(args, "db");
    char *end;
    o->axis = cli_value(args, "axis") ? cli_value(args, "axis") : o->axis;
    o->format = cli_value(args, "format") ? cli_value(args, "format") : o->format;
    o->format = cli_has(args, "csv") ? "csv" : o->format;
    o->output = cli_value(args, "output");
    o->modes = cli_value(args, "modes") ? cli_value(args, "modes") : o->modes;
    o->quantity = cli_value(args, "quantity");
    if (o->output && !cli_has(args, "format") && !cli_has(args, "csv") && strrchr(o->output, '.'))
        o->format = strrchr(o->output, '.') + 1;
    if (db) {
        o->db = strtod(db, &end);
        if (end == db || *end)
            return cli_usage(c, args->command, "--db '%s' is not a number: write --db -40", db);
    }
    int code = cli_quantity_from_zero(c, args, "at", POY_DIM_LENGTH, &o->at);
    return code ? code : cli_range(c, args, &o->low, &o->high);
}

static int draw_all(cli *c, const cli_args *args, poy_result *result, poy_plot_options *o)
{
    int code = 0;
    for (int i = 1; i < args->n_words && !code; i++) {
        o->kind = args->words[i];
        code = draw(c, result, o);
    }
    const char *held = poy_result_attribute(result, "kind"), *kind, *text;
    const int is_scan = held && !strcmp(held, "scan"); /* its recipe asks for pictures of points */
    int drawn = 0;
    for (int i = 0; args->n_words == 1 && is_scan && !code && poy_plot_kind_at(i, &kind, &text); i++) {
        o->kind = kind;
        if (!poy_plot_applies(result, kind))
            continue;
        code = draw(c, result, o);
        drawn++;
    }
    if (args->n_words == 1 && is_scan && !code && !drawn)
        cli_message(c, "%s: no picture: it has one point, or no number for each of its points", args->words[0]);
    for (int i = 0; args->n_words == 1 && !is_scan && !code && poy_plot_wanted(result, i); i++) {
        o->kind = poy_plot_wanted(result, i);
        if (can_draw(c, result, args->words[0], o->kind))
            code = draw(c, result, o);
    }
    return code;
}

static int run(cli *c, const cli_args *args)
{
    poy_result *result;
    poy_plot_options o;
    if (cli_has(args, "output") && args->n_words != 2)
        return cli_usage(c, args->command, "-o names one picture: name one kind with it");
    poy_status status = poy_result_open(c->ctx, args->words[0], &result);
    if (status != POY_OK)
        return cli_failed(c, status);
    poy_plot_options_of(result, &o);
    int code = read_options(c, args, &o);
    if (!code && cli_has(args, "list"))
        list(result);
    else if (!code)
        code = draw_all(c, args, result, &o);
    poy_result_close(&result);
    return code;
}

static const cli_option options[] = {
    {"list", 0, NULL, "the pictures that this result can show"},
    {"output", 'o', "FILE", "where to; its ending is the format [FILE_KIND.png beside the result]"},
    {"format", 0, "FORMAT", "png, svg, pdf, csv (numbers), gp (gnuplot script)"},
    {"csv", 0, NULL, "the same as --format csv"},
    {"db", 0, "DB", "floor of logarithmic scales [-40]"},
    {"axis", 0, "AXIS", "wavelength, frequency, angular_frequency, photon_energy"},
    {"range", 0, "FROM:TO", "spectral range, e.g. \"400 nm:1.6 um\""},
    {"modes", 0, "MODES", "sum, all one by one, or some: 1,2 or HE11,HE12 [sum]"},
    {"quantity", 0, "NAME", "of map and lines of a scan: final_energy, stats.energy"},
    {"at", 0, "LENGTH", "position of spectrum, temporal, spectrogram [the end]; wavelength of fields, tmatrix"},
    {0},
};

const cli_command cmd_plot = {
    .name = "plot",
    .arguments = "FILE.h5 [KIND...]",
    .at_least = 1,
    .at_most = -1,
    .text = "draw pictures of a result",
    .more = "Without a KIND it draws those that the recipe asks for. gnuplot does the drawing; no display is needed.",
    .example = "poynting plot pcf-sc.h5 evolution spectrogram --db -50 --range \"400 nm:1.5 um\"",
    .options = options,
    .run = run,
};

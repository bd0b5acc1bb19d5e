/* cmd_run.c: poynting run: recipes, computed. */
#include <string.h>

#include "cli.h"
#include "progress.h"

void cli_report(const cli *c, const poy_recipe_report *r)
{
    char length[32], energy[32], start[32], launched[32], from[32], resumed[96] = "";
    if (c->verbosity < 0)
        return;
    if (r->points_total) {
        printf("%s: ", r->output);
        if (r->wavelengths && r->wavelengths != r->points_total)
            printf("%lld wavelengths, ", (long long)r->wavelengths);
        printf("%lld points%s, %.1f s\n", (long long)r->points,
               r->wavelengths && r->wavelengths != r->points_total ? " with those of fields and convergence" : "",
               r->wall);
        return;
    }
    poy_quantity_format(r->z, POY_DIM_LENGTH, 4, sizeof length, length);
    poy_quantity_format(r->energy, POY_DIM_ENERGY, 5, sizeof energy, energy);
    poy_quantity_format(r->energy_start, POY_DIM_ENERGY, 5, sizeof start, start);
    poy_quantity_format(r->energy_launch, POY_DIM_ENERGY, 5, sizeof launched, launched);
    poy_quantity_format(r->z_start, POY_DIM_LENGTH, 4, sizeof from, from);
    if (r->z_start > 0)
        snprintf(resumed, sizeof resumed, " (%s where it was resumed, at %s)", start, from);
    printf("%s: %s, %lld steps (%lld rejected), %lld planes, energy %s of %s launched%s, %.1f s\n", r->output, length,
           (long long)r->accepted, (long long)r->rejected, (long long)r->planes, energy, launched, resumed, r->wall);
}

static void show_dry(cli *c, poy_recipe *recipe, const poy_recipe_report *r)
{
    char bytes[32], all[32];
    const double process = cli_process_bytes(c, recipe, 1);
    poy_quantity_format((double)r->bytes, POY_DIM_BYTES, 4, sizeof bytes, bytes);
    poy_quantity_format(process, POY_DIM_BYTES, 4, sizeof all, all);
    printf("%s: would write %s on %s, needs %s", poy_recipe_name(recipe), r->output, r->backend, bytes);
    printf(process > 0 ? " (%s with program and libraries, for a cluster's --mem)\n" : "\n", all);
}

/* Refuses before the run what would be refused after it. */
static int try_objective(cli *c, poy_recipe *recipe)
{
    poy_objective *o = NULL;
    const int code = cli_objective(c, recipe, &o);
    poy_objective_close(&o);
    return code;
}

/* The gradient of the objective, into the file of the run. A signal ends it half-way, and it is lost then. */
static int add_gradient(cli *c, const cli_args *args, poy_recipe *recipe, const char *path)
{
    poy_objective *o = NULL;
    double value;
    cli_progress progress;
    if (cli_stop_asked()) {
        cli_message(c, "%s is complete, without the gradient: a signal came: poynting grad computes it", path);
        return 75;
    }
    const int code = cli_progress_begin(c, args, &progress);
    if (code)
        return code;
    cli_stop_at_once(75);
    poy_status status = poy_objective_open(c->ctx, recipe, &o);
    if (status == POY_OK)
        status = poy_objective_evaluate(c->ctx, o, POY_OBJECTIVE_REVERSE, &value);
    if (status == POY_OK)
        status = poy_objective_store(c->ctx, o, path);
    cli_progress_end(&progress);
    if (status == POY_OK && c->verbosity >= 0)
        printf("%s: gradient of the objective, %.6g%s\n", path, value, cli_objective_units(o));
    poy_objective_close(&o);
    return status == POY_OK ? 0 : cli_failed(c, status);
}

/* Pictures of a run that is over; a signal ends them, and is no failure where nothing else is to be done. */
int cli_plots_at_end(cli *c, const char *path, int is_last)
{
    const int stopped = is_last ? 0 : 75;
    if (cli_stop_asked()) {
        cli_message(c, "%s is complete, its pictures are left out: a signal came: poynting plot %s", path, path);
        return stopped;
    }
    cli_stop_at_once(stopped);
    int code = cli_plots(c, path);
    cli_stop_at_once(code ? code : stopped);
    return code;
}

/* What the recipe says for other commands: no fault, and nothing that the result lacks. */
static void note_unused(cli *c, const cli_args *args, poy_recipe *recipe)
{
    static const char *const sections[] = {"scan", "objective"}, *const commands[] = {"scan", "grad"};
    const char *text = NULL;
    for (int i = 0; i < 2 && c->verbosity == 0; i++) /* -v shows the library's own */
        if (poy_recipe_get(c->ctx, recipe, sections[i], &text) != POY_OK)
            poy_ctx_clear(c->ctx);
        else if (!(i == 1 && cli_has(args, "grad")))
            fprintf(stderr, "%s: this is the plain run: [%s] is used by poynting %s\n", poy_recipe_name(recipe),
                    sections[i], commands[i]);
}

static int run_one(cli *c, const cli_args *args, const char *path, int is_last)
{
    poy_recipe *recipe;
    poy_recipe_options o;
    poy_recipe_report report;
    cli_progress progress;
    int code = cli_recipe(c, args, path, &recipe);
    if (code)
        return code;
    code = cli_shortcuts(c, args, recipe);
    if (!code && cli_has(args, "grad"))
        code = try_objective(c, recipe);
    if (!code)
        code = cli_progress_begin(c, args, &progress);
    if (code) {
        poy_recipe_destroy(&recipe);
        return code;
    }
    poy_recipe_options_init(&o);
    o.output = cli_value(args, "output");
    o.force = cli_has(args, "force");
    o.dry = cli_has(args, "dry-run");
    o.grad = cli_has(args, "grad");
    poy_status status = poy_recipe_run(c->ctx, recipe, &o, &report);
    cli_progress_end(&progress);
    if (status == POY_ERR_RECIPE)
        cli_faults(c, recipe);
    if (status == POY_OK)
        note_unused(c, args, recipe); /* now it is checked */
    if (status == POY_OK && o.dry)
        show_dry(c, recipe, &report);
    else if (status == POY_OK)
        cli_report(c, &report);
    else
        code = status == POY_ERR_RECIPE ? EXIT_RECIPE : cli_failed(c, status);
    if (status == POY_OK && !o.dry && cli_has(args, "grad"))
        code = add_gradient(c, args, recipe, report.output);
    if (status == POY_OK && !o.dry && !code && !cli_has(args, "no-plots"))
        code = cli_plots_at_end(c, report.output, is_last);
    poy_recipe_destroy(&recipe);
    return code;
}

static int run(cli *c, const cli_args *args)
{
    int code = 0;
    if (args->n_words > 1 && cli_has(args, "output"))
        return cli_usage(c, args->command, "-o names one file, but there are %d recipes", args->n_words);
    for (int i = 0; i < args->n_words && code != 75; i++) {
        if (cli_stop_asked()) {
            cli_message(c, "%s is not begun: a signal came", args->words[i]);
            return 75;
        }
        int one = run_one(c, args, args->words[i], i == args->n_words - 1);
        code = one ? one : code;
    }
    return code;
}

static const cli_option options[] = {
    {"output", 'o', "FILE", "result file [NAME.h5]"},
    {"set", 's', "KEY=VALUE", "put a value in the place of the recipe's own; repeatable"},
    {"backend", 0, "NAME", "ref, cpu, auto [the recipe's]"},
    {"threads", 0, "N", "threads [as many as the process may run on]"},
    {"memory", 0, "BYTES", "budget, e.g. 8GiB: more is refused before the start"},
    {"dry-run", 0, NULL, "all but computing: validate, estimate, write nothing"},
    {"force", 0, NULL, "write over an existing file"},
    {"grad", 0, NULL, "the gradient of [objective], too, as /gradient in the file"},
    {"no-plots", 0, NULL, "draw no pictures"},
    CLI_PROGRESS_OPTIONS,
    {0},
};

const cli_command cmd_run = {
    .name = "run",
    .arguments = "RECIPE...",
    .at_least = 1,
    .at_most = -1,
    .text = "compute a recipe: writes NAME.h5, and the pictures of [plots]",
    .more = "Ctrl-C ends the run after its step; the file can be resumed. A second one ends it at once.\n"
            "Where the run was over by then the exit code is 0, and poynting plot draws the pictures that are missing.",
    .example = "poynting run examples/supercontinuum.toml -s pulse.0.peak_power=\"5 kW\"",
    .options = options,
    .run = run,
};

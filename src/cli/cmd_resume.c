/* cmd_resume.c: poynting resume: going on with a run from its result file alone. */
#include <string.h>

#include "cli.h"
#include "progress.h"

enum { SET_MAX = 32 };

/* -s pairs as keys and values; the keys are copied out of "key=value". */
static int read_set(cli *c, const cli_args *args, char keys[SET_MAX][128], const char *set[2 * SET_MAX], int *n)
{
    for (*n = 0;; ++*n) {
        const char *pair = cli_value_at(args, "set", *n);
        if (!pair)
            return 0;
        size_t length = strcspn(pair, "=");
        if (*n == SET_MAX || !length || !pair[length] || length >= sizeof keys[0])
            return cli_usage(c, args->command, "-s '%s' is not key=value", pair);
        snprintf(keys[*n], sizeof keys[0], "%.*s", (int)length, pair);
        const char **at = set + 2 * (size_t)*n;
        at[0] = keys[*n];
        at[1] = pair + length + 1;
    }
}

static int run(cli *c, const cli_args *args)
{
    poy_resume_options o;
    poy_recipe_report report;
    cli_progress progress;
    char keys[SET_MAX][128];
    const char *set[2 * SET_MAX];
    long threads = 0;
    poy_resume_options_init(&o);
    o.backend = cli_value(args, "backend");
    o.check = cli_has(args, "check");
    o.set = set;
    int code = cli_quantity(c, args, "extend", POY_DIM_LENGTH, &o.extend);
    if (!code)
        code = cli_count(c, args, "threads", 1, &threads);
    if (!code)
        code = read_set(c, args, keys, set, &o.n_set);
    if (!code)
        code = cli_progress_begin(c, args, &progress);
    if (code)
        return code;
    o.threads = (int)threads;
    poy_status status = poy_result_resume(c->ctx, args->words[0], &o, &report);
    cli_progress_end(&progress);
    if (status != POY_OK)
        code = cli_failed(c, status);
    else if (o.check && report.points_total)
        printf("%s: can be resumed, its points are those of its recipe\n", args->words[0]);
    else if (o.check)
        printf("%s: can be resumed at z = %.6g m of %.6g m, %lld planes, %lld steps\n", args->words[0], report.z,
               report.length, (long long)report.planes, (long long)report.accepted);
    else
        cli_report(c, &report);
    if (status == POY_OK && !o.check && !cli_has(args, "no-plots"))
        code = cli_plots_at_end(c, report.output, 1);
    return code;
}

static const cli_option options[] = {
    {"extend", 0, "LENGTH", "go on beyond the end, e.g. \"0.5 m\""},
    {"check", 0, NULL, "only tell whether it could be resumed"},
    {"set", 's', "KEY=VALUE", "change a key; one that changes the physics is refused"},
    {"backend", 0, "NAME", "ref, cpu, auto [that of the recipe]"},
    {"threads", 0, "N", "threads"},
    {"no-plots", 0, NULL, "draw no pictures"},
    CLI_PROGRESS_OPTIONS,
    {0},
};

const cli_command cmd_resume = {
    .name = "resume",
    .arguments = "FILE.h5",
    .at_least = 1,
    .at_most = 1,
    .text = "continue an interrupted run from its file alone",
    .more = "The problem and its launch have to be those that were started: the file holds their digest.",
    .example = "poynting resume pcf-sc.h5 --extend \"5 cm\"",
    .options = options,
    .run = run,
};

/* cmd_scan.c: poynting scan: all points of a recipe's [scan], and the file that collects them. */
#define _POSIX_C_SOURCE 200809L /* access */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "scan.h"

int cli_scan_count(cli_scan *s, int64_t first, int64_t n, cli_scan_counts *out)
{
    poy_recipe_scan_state *states = malloc((size_t)n * sizeof *states + 1);
    *out = (cli_scan_counts){0};
    if (!states)
        return cli_failed(s->c, POY_ERR_MEMORY);
    poy_status status = poy_recipe_scan_states(s->c->ctx, s->scan, first, n, states);
    for (int64_t i = 0; i < n && status == POY_OK; i++) {
        out->waiting += states[i] == POY_SCAN_WAITING;
        out->running += states[i] == POY_SCAN_RUNNING;
        out->done += states[i] == POY_SCAN_DONE;
        out->failed += states[i] == POY_SCAN_FAILED;
    }
    free(states);
    return status == POY_OK ? 0 : cli_failed(s->c, status);
}

static int list(cli_scan *s)
{
    static const char *const words[] = {"waiting", "running", "done", "failed"};
    poy_recipe_scan_state *states = malloc((size_t)s->n * sizeof *states + 1);
    char values[1024], why[1024];
    if (!states)
        return cli_failed(s->c, POY_ERR_MEMORY);
    poy_status status = poy_recipe_scan_states(s->c->ctx, s->scan, s->first, s->n, states);
    for (int64_t k = 0; k < s->n && status == POY_OK; k++) {
        poy_recipe_scan_describe(s->scan, s->first + k, sizeof values, values);
        poy_recipe_scan_failure(s->scan, s->first + k, sizeof why, why);
        const int failed = states[k] == POY_SCAN_FAILED;
        printf("%05lld  %-8s %s%s%s\n", (long long)s->first + (long long)k, words[states[k]], values,
               failed ? "  # " : "", failed ? why : "");
    }
    free(states);
    return status == POY_OK ? 0 : cli_failed(s->c, status);
}

static void tell_failures(cli_scan *s)
{
    enum { SHOWN = 10 };
    char why[1024], values[512];
    int64_t told = 0, more = 0;
    for (int64_t k = s->first; k < s->first + s->n; k++) {
        poy_recipe_scan_failure(s->scan, k, sizeof why, why);
        if (!*why)
            continue;
        if (told++ >= SHOWN) {
            more++;
            continue;
        }
        poy_recipe_scan_describe(s->scan, k, sizeof values, values);
        cli_message(s->c, "point %lld (%s) failed: %s", (long long)k, values, why);
    }
    if (more)
        cli_message(s->c, "and %lld more: poynting scan %s --list", (long long)more, s->recipe_path);
}

/* Of the whole scan; 0, or 3 where points failed, be it all of them. */
static int collect(cli_scan *s)
{
    char written[1024];
    cli_scan_counts n;
    const int64_t all = poy_recipe_scan_points(s->scan);
    int code = cli_scan_count(s, 0, all, &n);
    if (code)
        return code;
    if (n.failed == all) {
        cli_message(s->c, "all %lld points failed, there is nothing to collect: poynting scan %s --list tells why",
                    (long long)all, s->recipe_path);
        return EXIT_RECIPE;
    }
    poy_status status = poy_recipe_scan_collect(s->c->ctx, s->scan, cli_value(s->args, "output"), written);
    if (status != POY_OK)
        return cli_failed(s->c, status);
    if (s->c->verbosity >= 0)
        printf("%s: %lld of %lld points, %lld failed\n", written, (long long)n.done, (long long)all,
               (long long)n.failed);
    return n.failed ? EXIT_RECIPE : 0;
}

/* ---- which points, and how ---- */

/* "A:B", B not included; "A:" and ":B" too. */
static int read_index(cli_scan *s)
{
    const char *text = cli_value(s->args, "index"), *colon = text ? strchr(text, ':') : NULL;
    const long long all = poy_recipe_scan_points(s->scan);
    if (!text)
        return 0;
    char *ends[2] = {NULL, NULL};
    const long long a = strtoll(text, &ends[0], 10), given = colon ? strtoll(colon + 1, &ends[1], 10) : 0;
    const long long b = colon && colon[1] ? given : all;
    if (!colon || ends[0] != colon || *ends[1] || a < 0 || b > all || a >= b)
        return cli_usage(s->c, s->args->command, "--index '%s' is no range of points: write --index 0:%lld", text, all);
    s->first = a;
    s->n = b - a;
    s->is_part = s->n < all;
    return 0;
}

static long variable(const char *name, long missing)
{
    const char *text = getenv(name);
    char *end;
    const long value = text && *text ? strtol(text, &end, 10) : missing;
    return text && *text && !*end ? value : missing;
}

/* Task k of an array of n has its share of the points, in one piece. */
static void read_array(cli_scan *s)
{
    const long id = variable("SLURM_ARRAY_TASK_ID", -1), count = variable("SLURM_ARRAY_TASK_COUNT", 0);
    const long least = variable("SLURM_ARRAY_TASK_MIN", 0), step = variable("SLURM_ARRAY_TASK_STEP", 1);
    const int64_t all = poy_recipe_scan_points(s->scan);
    if (id < 0 || count < 1 || cli_has(s->args, "index"))
        return;
    const int64_t task = (id - least) / (step > 0 ? step : 1);
    if (task < 0 || task >= count)
        return;
    s->first = all * task / count;
    s->n = all * (task + 1) / count - s->first;
    s->is_part = 1;
}

/* mpirun and srun start one command several times and number the processes. */
static void read_ranks(cli_scan *s)
{
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"PMIX_RANK", "PMIX_SIZE"},
                                           {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    s->ranks = 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && s->ranks == 1; i++) {
        const long size = variable(names[i][1], 1), rank = variable(names[i][0], -1);
        if (size > 1 && rank >= 0 && rank < size) {
            s->ranks = (int)size;
            s->rank = (int)rank;
        }
    }
}

static int read_jobs(cli_scan *s)
{
    long jobs = 0;
    int code = cli_count(s->c, s->args, "jobs", 1, &jobs);
    const long cores = variable("SLURM_CPUS_PER_TASK", poy_ctx_threads(s->c->ctx));
    long threads = 1;
    if (!code)
        code = cli_count(s->c, s->args, "threads", 1, &threads);
    jobs = jobs ? jobs : cores / threads;
    jobs = jobs > s->n ? (long)s->n : jobs;
    s->jobs = jobs < 1 ? 1 : (int)jobs;
    return code;
}

/* ---- working in this process ---- */

/* start: the share of the points at which it begins. */
static int work_here(cli_scan *s, long k, long of)
{
    poy_recipe_scan_options o;
    poy_recipe_scan_report report;
    cli_progress progress;
    cli quiet = *s->c;
    quiet.verbosity = -1; /* the parent, or rank 0, shows how the scan goes on */
    int code = cli_progress_begin(&quiet, s->args, &progress);
    if (code)
        return code;
    poy_recipe_scan_options_init(&o);
    o.first = s->first;
    o.n = s->n;
    o.start = s->first + s->n * k / of;
    o.together = s->together;
    poy_status status = poy_recipe_scan_work(s->c->ctx, s->scan, &o, &report);
    cli_progress_end(&progress);
    if (status == POY_ERR_INTERRUPTED)
        return 75;
    return status == POY_OK ? 0 : cli_failed(s->c, status);
}

static int worker(cli_scan *s)
{
    const char *text = cli_value(s->args, "worker");
    char *end;
    const long k = strtol(text, &end, 10), of = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    if (*end || of < 1 || k < 0 || k >= of)
        return cli_usage(s->c, s->args->command, "--worker '%s' is not K/N, e.g. 0/4", text);
    return work_here(s, k, of);
}

/* All ranks work; rank 0 stays until the others are done or dead, and collects. */
static int ranks(cli_scan *s)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    cli_scan_counts n;
    for (;;) {
        int code = work_here(s, s->rank, s->ranks);
        if (code || s->rank)
            return code;
        code = cli_scan_count(s, s->first, s->n, &n);
        if (code || n.waiting + n.running == 0)
            return code;
        nanosleep(&pause, NULL);
        if (cli_stop_asked())
            return 75;
    }
}

/* The command as it was given; points that failed were begun anew already. */
static int stopped(const cli_scan *s, int code)
{
    const cli_args *a = s->args;
    fprintf(stderr, "Continue with: poynting scan ");
    cli_scan_quote(stderr, s->recipe_path);
    for (int i = 0; i < a->n_given; i++) {
        const cli_option *o = a->given[i].option;
        if (!strcmp(o->name, "retry-failed"))
            continue;
        if (o->letter)
            fprintf(stderr, " -%c", o->letter);
        else
            fprintf(stderr, " --%s", o->name);
        if (o->value) {
            fputc(' ', stderr);
            cli_scan_quote(stderr, a->given[i].value);
        }
    }
    fputc('\n', stderr);
    return code;
}

static int work(cli_scan *s)
{
    cli_scan_counts n;
    if (cli_has(s->args, "worker"))
        return worker(s);
    int code = s->ranks > 1 ? ranks(s) : cli_scan_processes(s);
    const int is_disk = code == poy_status_exit_code(POY_ERR_IO);
    if (is_disk && !s->rank)
        cli_message(s->c, "the points that are done are kept; when the disk is all right, the same command goes on");
    if (code == 75 || is_disk)
        return s->rank ? code : stopped(s, code);
    if (code || s->rank)
        return code;
    tell_failures(s);
    code = cli_scan_count(s, s->first, s->n, &n);
    if (code)
        return code;
    if (n.running)
        cli_message(s->c, "%lld points are run by other processes still; then: poynting scan %s --collect",
                    (long long)n.running, s->recipe_path);
    if (n.waiting + n.running || s->is_part)
        return n.failed ? EXIT_RECIPE : 0;
    return collect(s);
}

/* ---- the command ---- */

/* Before the first point runs: can what is asked for be collected at the end? */
static int judge(cli_scan *s)
{
    const poy_status status = poy_recipe_scan_judge(s->c->ctx, s->scan);
    if (status == POY_ERR_RECIPE && s->rank == 0)
        cli_faults(s->c, s->recipe);
    return status == POY_OK ? 0 : status == POY_ERR_RECIPE ? EXIT_RECIPE : cli_failed(s->c, status);
}

static int act(cli_scan *s)
{
    int64_t again = 0;
    s->n = poy_recipe_scan_points(s->scan);
    read_array(s);
    read_ranks(s);
    int code = read_index(s);
    if (!code)
        code = read_jobs(s);
    if (!code)
        code = cli_count(s->c, s->args, "together", 1, &s->together);
    if (!code)
        code = cli_quantity(s->c, s->args, "stop-after", POY_DIM_WALL_TIME, &s->stop_after);
    if (code)
        return code;
    if (cli_has(s->args, "list"))
        return list(s);
    if (cli_has(s->args, "collect"))
        return collect(s);
    if (!cli_has(s->args, "worker"))
        code = judge(s);
    if (code)
        return code;
    if (cli_has(s->args, "retry-failed") && s->rank == 0) {
        poy_status status = poy_recipe_scan_retry(s->c->ctx, s->scan, &again);
        if (status != POY_OK)
            return cli_failed(s->c, status);
    }
    if (cli_has(s->args, "slurm"))
        return cli_scan_slurm(s);
    return s->n ? work(s) : 0;
}

/* The collected file is written last: that its folder is missing is no surprise for the end of a night. */
static int check_output(const cli_scan *s)
{
    char folder[1024];
    const char *path = cli_value(s->args, "output"), *slash = path ? strrchr(path, '/') : NULL;
    if (!slash)
        return 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
    if (!access(folder, W_OK | X_OK))
        return 0;
    cli_message(s->c, "%s: cannot be written: %s: make its folder first, or name another file", path, strerror(errno));
    return poy_status_exit_code(POY_ERR_IO);
}

static int run(cli *c, const cli_args *args)
{
    cli_scan s = {.c = c, .args = args, .recipe_path = args->words[0]};
    int code = check_output(&s);
    if (!code)
        code = cli_recipe(c, args, args->words[0], &s.recipe);
    if (!code)
        code = cli_shortcuts(c, args, s.recipe);
    if (!code) {
        poy_status status = poy_recipe_scan_open(c->ctx, s.recipe, cli_value(args, "queue"), &s.scan);
        if (status == POY_ERR_RECIPE)
            cli_faults(c, s.recipe);
        if (status != POY_OK)
            code = status == POY_ERR_RECIPE     ? EXIT_RECIPE
                   : status == POY_ERR_ARGUMENT ? (cli_failed(c, status), EXIT_RECIPE)
                                                : cli_failed(c, status);
    }
    if (!code)
        code = act(&s);
    poy_recipe_scan_close(&s.scan);
    poy_recipe_destroy(&s.recipe);
    return code;
}

static const cli_option options[] = {
    {"jobs", 'j', "N", "processes [as many as there are processors]"},
    {"index", 0, "A:B", "only the points from A to before B"},
    {"together", 0, "N", "points that a process runs in lockstep, where there is a solver.schedule [1]"},
    {"list", 0, NULL, "the points, their values and how they stand"},
    {"collect", 0, NULL, "only collect what is done"},
    {"retry-failed", 0, NULL, "run points again that failed"},
    {"output", 'o', "FILE", "the collected file [NAME.scan.h5]"},
    {"queue", 0, "DIR", "folder of the points, which processes on other machines may share [NAME.scan]"},
    {"slurm", 0, "K=V,...", "submit a job array: tasks=8,time=2h,mem=4GiB and options of sbatch"},
    {"dry-run", 0, NULL, "with --slurm: write and show the script, submit nothing"},
    {"worker", 0, "K/N", "only take points, the K-th of N processes; what --jobs starts"},
    {"set", 's', "KEY=VALUE", "put a value in the place of the recipe's own; repeatable"},
    {"backend", 0, "NAME", "ref, cpu, auto [the recipe's]"},
    {"threads", 0, "N", "threads of each process [1, or more where there are few points]"},
    {"memory", 0, "BYTES", "budget of all processes together"},
    {"stop-after", 0, "TIME", "stop after this time, e.g. \"30 min\"; the same command goes on"},
    {0},
};

const cli_command cmd_scan = {
    .name = "scan",
    .arguments = "RECIPE",
    .at_least = 1,
    .at_most = 1,
    .text = "run all points of a recipe's [scan] and collect them in one file",
    .more =
        "The same command goes on with a scan that was stopped or killed, and may run on several machines at once,\n"
        "as a Slurm job array or below mpirun: a point is run once. Exit code 3: points failed, some or all.",
    .example = "poynting scan examples/gradient.toml --jobs 4",
    .options = options,
    .run = run,
};

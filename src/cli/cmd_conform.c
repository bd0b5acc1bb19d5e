/* cmd_conform.c: poynting conform: a backend held to the tolerance of every row of the tables. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "conform.h"

/* ---- Ctrl-C: what is under way ends, and what is known is written ---- */

static volatile sig_atomic_t stop_asked;

static void on_signal(int number)
{
    (void)number;
    stop_asked = 1;
}

static int on_progress(void *user, const poy_progress *at)
{
    (void)user;
    (void)at;
    return stop_asked;
}

static void stop_on_signals(cli *c)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND; /* the second time at once */
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    poy_ctx_set_progress(c->ctx, on_progress, NULL);
}

/* ---- the parts ---- */

static poy_status ops(cli *c, const poy_conform_options *o, cli_matrix *m)
{
    poy_conform_report report = {0};
    char crashed[64] = "";
    const poy_status status = poy_conform_run(c->ctx, o, cli_tell_cell, m, &report);
    if (report.crashed)
        snprintf(crashed, sizeof crashed, " (%lld of them crashed or did not return)", (long long)report.crashed);
    if (c->verbosity >= 0 && status != POY_OK && *m->op)
        printf("\n");
    if (c->verbosity >= 0 && status == POY_OK)
        printf("%s%lld cases, %lld failed%s; cells: %d native, %d delegated (d), %d absent (-); worst %.2g of the "
               "bound\n",
               m->lists ? "" : "\n", (long long)report.cases, (long long)report.failed, crashed, report.native,
               report.delegated, report.absent, report.worst);
    return status;
}

static poy_status golden(cli *c, const poy_conform_options *o, const char *path, cli_matrix *m)
{
    int cases = 0, failed = 0;
    const poy_status status = poy_conform_golden(c->ctx, o, path, cli_tell_golden, m, &cases, &failed);
    if (c->verbosity >= 0 && status == POY_OK)
        printf("%d golden cases, %d failed\n", cases, failed);
    return status;
}

/* Those that are asked for, up to the first that cannot be judged. Failures are counted in m. */
static poy_status conform(cli *c, const cli_args *args, const cli_conform_asked *a, cli_matrix *m)
{
    const poy_conform_options *o = &a->o;
    poy_ctx *ctx = c->ctx;
    poy_status status = POY_OK;
    int failed;
    if (a->parts & CONFORM_OPS)
        status = ops(c, o, m);
    if (status == POY_OK && a->parts & CONFORM_ROWS)
        status = poy_conform_rows(ctx, o, cli_value(args, "rows"), cli_tell_row, m, &failed);
    if (status == POY_OK && a->parts & CONFORM_RECORDS)
        status = poy_conform_records(ctx, o, cli_value(args, "records"), cli_tell_record, m, &failed);
    if (status == POY_OK && a->parts & CONFORM_LAWS)
        status = poy_conform_laws(ctx, o, cli_value(args, "laws"), cli_tell_law, m, &failed);
    if (status == POY_OK && a->parts & CONFORM_GOLDEN)
        status = golden(c, o, cli_value(args, "golden"), m);
    if (status == POY_OK && a->parts & CONFORM_LINOP)
        status = poy_conform_linop_load(ctx, o, cli_value(args, "linop"), cli_tell_law, m, &failed);
    return status;
}

static int load_plugins(cli *c, const cli_args *args)
{
    poy_status status = POY_OK;
    const char *path;
    for (int i = 0; status == POY_OK && (path = cli_value_at(args, "load", i)) != NULL; i++)
        status = poy_backend_load(c->ctx, path);
    for (int i = 0; status == POY_OK && (path = cli_value_at(args, "load-records", i)) != NULL; i++)
        status = poy_record_load(c->ctx, path);
    return status == POY_OK ? 0 : cli_failed(c, status);
}

static int judge(cli *c, const cli_args *args, const cli_conform_asked *a, cli_matrix *m)
{
    const char *path = cli_value(args, "json");
    int written = 0;
    if (path)
        m->json = fopen(path, "w");
    if (path && !m->json) {
        cli_message(c, "%s: cannot be written: %s", path, strerror(errno));
        return poy_status_exit_code(POY_ERR_IO);
    }
    if (m->json)
        fprintf(m->json, "[");
    const poy_status status = conform(c, args, a, m);
    if (m->json) {
        fprintf(m->json, "\n]\n");
        written = cli_close(c, m->json, path);
    }
    return status == POY_OK ? written : cli_failed(c, status);
}

static int run(cli *c, const cli_args *args)
{
    static cli_cells cells;
    static const char *const levels[] = {"quick", "full", "soak"};
    char how[64];
    cli_conform_asked a;
    const char *report = cli_value(args, "report");
    cli_matrix m = {.c = c, .all = report ? &cells : NULL, .lists = cli_has(args, "list")};
    int code = cli_conform_read(c, args, &a);
    stop_on_signals(c);
    code = code ? code : load_plugins(c, args);
    code = code ? code : judge(c, args, &a, &m);
    if (!code && report) {
        snprintf(how, sizeof how, "level %s, seed %llu", levels[a.o.level], (unsigned long long)a.o.seed);
        code = cli_report_cells(c, report, a.o.backend, how, &cells);
    }
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (!code && cli_has(args, "bench"))
        code = cli_bench_rows(c, a.o.backend, a.o.ops, 0.1);
    return code ? code : m.failed ? EXIT_CHECK : 0;
}

static const cli_option options[] = {
    {"backend", 0, "NAME", "the backend to be judged [cpu]"},
    {"load", 0, "LIBRARY", "load a plug-in first, e.g. ./libmine.so; may be repeated"},
    {"ops", 0, "PATTERN", "array operations only, e.g. \"s*\""},
    {"rows", 0, "PATTERN", "rows of programs only, e.g. \"*\""},
    {"records", 0, "PATTERN", "derivative records only, e.g. \"eig*\""},
    {"load-records", 0, "LIBRARY", "load a plug-in of records first, e.g. ./lorentz.so"},
    {"laws", 0, "PATTERN", "laws of spaces, operators and functionals only, e.g. \"operator *\""},
    {"golden", 0, "FOLDER", "golden numbers only: ops.txt of a folder, or a file, e.g. tests/golden"},
    {"linop", 0, "LIBRARY:SYMBOL", "the laws of an operator of yours, e.g. ./libmine.so:blur"},
    {"dtypes", 0, "LIST", "element types of array operations and laws, e.g. f32,c128 [all]"},
    {"level", 0, "LEVEL", "quick, full or soak [quick]"},
    {"for", 0, "TIME", "how long --level soak takes [10 min]"},
    {"compare", 0, "A,B", "hold backend A to B instead of ref, array operations alone"},
    {"list", 0, NULL, "the operations, their cases and bounds; nothing is run"},
    {"bench", 0, NULL, "also time the operations that stream, see poynting bench rows"},
    {"tolerance-scale", 0, "X", "bounds of array operations this many times as wide, to see what would pass [1]"},
    {"seed", 0, "N", "of the generated cases [1]"},
    {"case", 0, "CASE", "one case, as it was printed, e.g. exp.c128.17.1, row:combine.17.1"},
    {"case-limit", 0, "TIME",
     "a longer case fails, like one that crashes; 0 s: none, in this process (to debug) [30 s]"},
    {"json", 0, "FILE", "the whole matrix as JSON"},
    {"report", 0, "FILE", "the matrix of array operations as a page in Markdown"},
    {0},
};

const cli_command cmd_conform = {
    .name = "conform",
    .arguments = "",
    .at_least = 0,
    .at_most = 0,
    .text = "hold a backend to the tolerance of every row, in units of it; exit 6 where a case fails",
    .more = "",
    .example = "poynting conform --backend cpu:isa=base --ops \"fft\" --level full",
    .options = options,
    .run = run,
};

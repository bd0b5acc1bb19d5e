/* cmd_conform.c: poynting conform: a backend held to the tolerance of every row of the tables. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "poynting/conform.h"
#include "poynting/conform_golden.h"
#include "poynting/conform_rows.h"

enum { OP_WIDTH = 14, CELL_WIDTH = 10 };

typedef struct matrix {
    const cli *c;
    FILE *json;
    char op[32]; /* of the line that is being printed */
    int cells, failed;
    cli_cells *all; /* for a report; NULL: there is none */
    int lists;      /* what there is, without running it */
    double limit;   /* s for a case in a process of its own; 0: in this one */
} matrix;

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

int cli_conform_stops(void)
{
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

/* ---- what is told ---- */

static const char *origin_mark(poy_origin origin)
{
    return origin == POY_NATIVE ? "" : origin == POY_DELEGATED ? "d" : "-";
}

static void json_cell(matrix *m, const poy_conform_cell *cell)
{
    if (!m->json)
        return;
    fprintf(m->json, "%s\n{\"op\": ", m->cells ? "," : "");
    cli_json_string(m->json, cell->op);
    fprintf(m->json, ", \"dtype\": \"%s\", \"native\": %s, \"cases\": %d, \"failed\": %d, \"crashed\": %d, \"worst\": ",
            poy_dtype_name(cell->dtype), cell->origin == POY_NATIVE ? "true" : "false", cell->cases, cell->failed,
            cell->crashed);
    cli_json_number(m->json, cell->worst);
    fprintf(m->json, ", \"tolerance\": ");
    cli_json_number(m->json, cell->row_tolerance);
    fprintf(m->json, ", \"multiplier\": ");
    cli_json_number(m->json, cell->multiplier);
    fprintf(m->json, ", \"worst_case\": ");
    cli_json_string(m->json, cell->worst_case);
    fprintf(m->json, ", \"failure\": ");
    cli_json_string(m->json, cell->failure);
    fprintf(m->json, "}");
}

/* A line for each operation; cells come in the order of operations. */
static void on_cell(void *user, const poy_conform_cell *cell)
{
    matrix *m = user;
    char text[32];
    json_cell(m, cell);
    m->cells++;
    m->failed += cell->failed;
    if (m->all)
        cli_cells_add(m->all, cell);
    if (m->lists) {
        printf("%-*s %-4s %-9s %5d cases, %g eps\n", OP_WIDTH, cell->op, poy_dtype_name(cell->dtype),
               cell->origin == POY_NATIVE      ? "native"
               : cell->origin == POY_DELEGATED ? "delegated"
                                               : "absent",
               cell->cases, cell->row_tolerance);
        return;
    }
    if (m->c->verbosity < 0)
        return;
    if (strcmp(m->op, cell->op) != 0) {
        printf("%s%-*s", *m->op ? "\n" : "", OP_WIDTH, cell->op);
        snprintf(m->op, sizeof m->op, "%s", cell->op);
    }
    if (cell->failed)
        snprintf(text, sizeof text, "FAIL %d", cell->failed);
    else if (cell->origin != POY_NATIVE)
        snprintf(text, sizeof text, "%s", origin_mark(cell->origin));
    else
        snprintf(text, sizeof text, "%.2g", cell->worst);
    if (cell->origin == POY_NATIVE && cell->multiplier > 1) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " x%g", cell->multiplier);
    }
    printf(" %s:%-*s", poy_dtype_name(cell->dtype), CELL_WIDTH - 5, text);
    fflush(stdout);
    if (cell->failure[0])
        fprintf(stderr, "\n%s %s: %s\n", cell->op, poy_dtype_name(cell->dtype), cell->failure);
}

static void on_row(void *user, const poy_conform_row *row)
{
    matrix *m = user;
    if (m->json) {
        fprintf(m->json, "%s\n{\"row\": ", m->cells ? "," : "");
        cli_json_string(m->json, row->row);
        fprintf(m->json, ", \"native\": %s, \"cases\": %d, \"failed\": %d, \"crashed\": %d, \"worst\": ",
                row->origin == POY_NATIVE ? "true" : "false", row->cases, row->failed, row->crashed);
        cli_json_number(m->json, row->worst);
        fprintf(m->json, ", \"tolerance\": ");
        cli_json_number(m->json, row->tolerance);
        fprintf(m->json, ", \"failure\": ");
        cli_json_string(m->json, row->failure);
        fprintf(m->json, "}");
    }
    m->cells++;
    m->failed += row->failed;
    if (m->c->verbosity >= 0)
        printf("%-*s %s%5d cases, %d failed, worst %.2g of the bound\n", OP_WIDTH, row->row, origin_mark(row->origin),
               row->cases, row->failed, row->worst);
    if (row->failure[0])
        fprintf(stderr, "%s: %s\n", row->row, row->failure);
}

static void on_golden(void *user, const poy_conform_golden_case *c)
{
    matrix *m = user;
    if (m->json) {
        fprintf(m->json, "%s\n{\"golden\": ", m->cells ? "," : "");
        cli_json_string(m->json, c->id);
        fprintf(m->json, ", \"op\": ");
        cli_json_string(m->json, c->op);
        fprintf(m->json, ", \"failed\": %d, \"failure\": ", !c->passed);
        cli_json_string(m->json, c->failure);
        fprintf(m->json, "}");
    }
    m->cells++;
    m->failed += !c->passed;
    if (!c->passed)
        fprintf(stderr, "%s: %s\n", c->id, c->failure);
}

/* Golden numbers, and nothing else. */
static poy_status golden(cli *c, const char *backend, const char *path, matrix *m)
{
    int cases = 0, failed = 0;
    const poy_status status = poy_conform_golden(c->ctx, backend, path, on_golden, m, &cases, &failed);
    if (c->verbosity >= 0 && status == POY_OK)
        printf("%d golden cases, %d failed\n", cases, failed);
    return status;
}

/* "f32,c128" as bits. */
static int read_dtypes(cli *c, const cli_args *args, unsigned *out)
{
    const char *text = cli_value(args, "dtypes");
    *out = 0;
    while (text && *text) {
        size_t n = strcspn(text, ",");
        int d = 0;
        while (d < POY_DTYPE_COUNT &&
               (strlen(poy_dtype_name((poy_dtype)d)) != n || strncmp(poy_dtype_name((poy_dtype)d), text, n) != 0))
            d++;
        if (d == POY_DTYPE_COUNT)
            return cli_usage(c, args->command,
                             "--dtypes: no element type '%.*s': there are f32, f64, c64, c128, i32, i64, b8", (int)n,
                             text);
        *out |= 1u << d;
        text += n + (text[n] == ',');
    }
    return 0;
}

/* "quick", "full" or "soak". */
static int read_level(cli *c, const cli_args *args, poy_conform_level *out)
{
    static const char *const names[] = {
        [POY_CONFORM_QUICK] = "quick", [POY_CONFORM_FULL] = "full", [POY_CONFORM_SOAK] = "soak"};
    const char *level = cli_value(args, "level");
    for (int i = 0; level && i < 3; i++)
        if (!strcmp(level, names[i])) {
            *out = (poy_conform_level)i;
            return 0;
        }
    return level ? cli_usage(c, args->command, "--level %s: say quick, full or soak", level) : 0;
}

/* --compare A,B: the backend and what it is held to; names [2] keeps the text. */
static int read_backends(cli *c, const cli_args *args, char names[2][64], poy_conform_options *o)
{
    const char *both = cli_value(args, "compare"), *comma = both ? strchr(both, ',') : NULL;
    const char *one = cli_value(args, "backend");
    if (!both) {
        o->backend = one ? one : "cpu";
        return 0;
    }
    if (one)
        return cli_usage(c, args->command, "--compare names the backends, --backend would name another");
    if (!comma || comma == both || !comma[1] || comma - both > 63 || strlen(comma + 1) > 63)
        return cli_usage(c, args->command, "--compare %s: say two backends, cpu:isa=base,cpu:isa=avx2", both);
    snprintf(names[0], 64, "%.*s", (int)(comma - both), both);
    snprintf(names[1], 64, "%s", comma + 1);
    o->backend = names[0];
    o->against = names[1];
    return 0;
}

static int read_scale(cli *c, const cli_args *args, double *out)
{
    const char *text = cli_value(args, "tolerance-scale");
    char *end = NULL;
    if (text)
        *out = strtod(text, &end);
    return text && (end == text || *end || !(*out > 0) || *out > 1e30)
               ? cli_usage(c, args->command, "--tolerance-scale %s: say a number above 0, e.g. 0.5", text)
               : 0;
}

static int read_options(cli *c, const cli_args *args, char names[2][64], poy_conform_options *o)
{
    long seed = 1;
    poy_conform_options_init(o);
    o->ops = cli_value(args, "ops");
    o->only = cli_value(args, "case");
    o->list = cli_has(args, "list");
    int code = read_backends(c, args, names, o);
    code = code ? code : read_level(c, args, &o->level);
    code = code ? code : cli_quantity(c, args, "for", POY_DIM_WALL_TIME, &o->seconds);
    code = code ? code : cli_count(c, args, "seed", 0, &seed);
    code = code ? code : cli_quantity_from_zero(c, args, "case-limit", POY_DIM_WALL_TIME, &o->case_seconds);
    o->isolated = o->case_seconds > 0;
    o->case_seconds = o->isolated ? o->case_seconds : 1;
    code = code ? code : read_scale(c, args, &o->tolerance_scale);
    o->seed = (uint64_t)seed;
    return code ? code : read_dtypes(c, args, &o->dtypes);
}

/* What is judged in this process has no use for the context's progress. */
static poy_status stopped(const cli *c, poy_status status)
{
    return status == POY_OK && stop_asked ? poy_ctx_fail(c->ctx, POY_ERR_INTERRUPTED, "conform: interrupted") : status;
}

/* Operations of arrays, then rows of programs, then derivative records (which work on the host, whatever the backend),
 * then the laws of spaces, operators and functionals. */
static poy_status conform(cli *c, const cli_args *args, const poy_conform_options *o, matrix *m)
{
    poy_conform_report report = {0};
    const char *rows = cli_value(args, "rows"), *records = cli_value(args, "records");
    const char *laws = cli_value(args, "laws"), *linop = cli_value(args, "linop");
    poy_status status = POY_OK;
    int failed = 0;
    if (cli_has(args, "golden"))
        return stopped(c, golden(c, o->backend, cli_value(args, "golden"), m));
    if (laws || linop)
        return stopped(c, cli_conform_laws(c, o->backend, laws, linop, o->seed, m->json, &m->cells, &m->failed));
    if (!rows && !records) {
        char crashed[64] = "";
        status = poy_conform_run(c->ctx, o, on_cell, m, &report);
        if (report.crashed)
            snprintf(crashed, sizeof crashed, " (%lld of them crashed or did not return)", (long long)report.crashed);
        if (m->c->verbosity >= 0 && status != POY_OK && *m->op)
            printf("\n");
        if (m->c->verbosity >= 0 && status == POY_OK)
            printf("%s%lld cases, %lld failed%s; cells: %d native, %d delegated (d), %d absent (-); worst %.2g of the "
                   "bound\n",
                   m->lists ? "" : "\n", (long long)report.cases, (long long)report.failed, crashed, report.native,
                   report.delegated, report.absent, report.worst);
    }
    if (m->lists || cli_has(args, "compare"))
        return status;
    if (status == POY_OK && !o->only && (rows || (!o->ops && !records)))
        status = poy_conform_rows_isolated(c->ctx, o->backend, rows, o->seed, m->limit, on_row, m, &failed);
    if (status == POY_OK && !o->only && (records || (!o->ops && !rows)))
        status = cli_conform_records(c, records, o->seed, m->json, &m->cells, &m->failed);
    status = stopped(c, status);
    if (status == POY_OK && !o->only && !o->ops && !rows && !records)
        status = cli_conform_laws(c, o->backend, NULL, NULL, o->seed, m->json, &m->cells, &m->failed);
    return stopped(c, status);
}

static int load_plugins(cli *c, const cli_args *args)
{
    poy_status status = POY_OK;
    if (cli_has(args, "load"))
        status = poy_backend_load(c->ctx, cli_value(args, "load"));
    if (status == POY_OK && cli_has(args, "load-records"))
        status = poy_record_load(c->ctx, cli_value(args, "load-records"));
    return status == POY_OK ? 0 : cli_failed(c, status);
}

static int judge(cli *c, const cli_args *args, const poy_conform_options *o, matrix *m)
{
    const char *path = cli_value(args, "json");
    if (path)
        m->json = fopen(path, "w");
    if (path && !m->json) {
        cli_message(c, "%s: cannot be written: %s", path, strerror(errno));
        return poy_status_exit_code(POY_ERR_IO);
    }
    if (m->json)
        fprintf(m->json, "[");
    poy_status status = conform(c, args, o, m);
    if (m->json) {
        fprintf(m->json, "\n]\n");
        fclose(m->json);
    }
    return status == POY_OK ? 0 : cli_failed(c, status);
}

static int run(cli *c, const cli_args *args)
{
    static cli_cells cells;
    static const char *const levels[] = {"quick", "full", "soak"};
    char names[2][64], how[64];
    poy_conform_options o;
    const char *report = cli_value(args, "report");
    matrix m = {.c = c, .all = report ? &cells : NULL, .lists = cli_has(args, "list")};
    int code = read_options(c, args, names, &o);
    m.limit = o.isolated ? o.case_seconds : 0;
    stop_on_signals(c);
    code = code ? code : load_plugins(c, args);
    code = code ? code : judge(c, args, &o, &m);
    if (!code && report) {
        snprintf(how, sizeof how, "level %s, seed %llu", levels[o.level], (unsigned long long)o.seed);
        code = cli_report_cells(c, report, o.backend, how, &cells);
    }
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (!code && cli_has(args, "bench"))
        code = cli_bench_rows(c, o.backend, o.ops, 0.1);
    return code ? code : m.failed ? EXIT_CHECK : 0;
}

static const cli_option options[] = {
    {"backend", 0, "NAME", "the backend to be judged [cpu]"},
    {"load", 0, "LIBRARY", "load a plug-in first, e.g. ./libmine.so"},
    {"ops", 0, "PATTERN", "array operations only, e.g. \"s*\""},
    {"rows", 0, "PATTERN", "rows of programs only, e.g. \"*\""},
    {"records", 0, "PATTERN", "derivative records only, e.g. \"eig*\""},
    {"load-records", 0, "LIBRARY", "load a plug-in of records first, e.g. ./lorentz.so"},
    {"laws", 0, "PATTERN", "laws of spaces, operators and functionals only, e.g. \"operator *\""},
    {"golden", 0, "FOLDER", "golden numbers only: ops.txt of a folder, or a file, e.g. tests/golden"},
    {"linop", 0, "LIBRARY:SYMBOL", "the laws of an operator of yours, e.g. ./libmine.so:blur"},
    {"dtypes", 0, "LIST", "element types, e.g. f32,c128 [all]"},
    {"level", 0, "LEVEL", "quick, full or soak [quick]"},
    {"for", 0, "TIME", "how long to soak [10 min]"},
    {"compare", 0, "A,B", "hold backend A to B instead of ref, array operations alone"},
    {"list", 0, NULL, "the operations, their cases and bounds; nothing is run"},
    {"bench", 0, NULL, "also time the operations that stream, see poynting bench rows"},
    {"tolerance-scale", 0, "X", "bounds of array operations this many times as wide, to see what would pass [1]"},
    {"seed", 0, "N", "of the generated cases [1]"},
    {"case", 0, "CASE", "one case, as it was printed"},
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

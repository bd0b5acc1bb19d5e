/* report.c: the cells of poynting conform as a table in Markdown, a line for each operation. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conform.h"

void cli_cells_add(cli_cells *cells, const poy_conform_cell *cell)
{
    if (cells->n == CLI_CELLS_MAX)
        return;
    cli_cell *to = &cells->cell[cells->n++];
    *to = (cli_cell){.dtype = cell->dtype,
                     .origin = cell->origin,
                     .cases = cell->cases,
                     .failed = cell->failed,
                     .crashed = cell->crashed,
                     .hung = cell->hung,
                     .worst = cell->worst,
                     .tolerance = cell->row_tolerance,
                     .multiplier = cell->multiplier};
    snprintf(to->op, sizeof to->op, "%s", cell->op);
}

static void head(FILE *out, const char *backend, const char *describe, const char *how)
{
    char day[32];
    time_t now = time(NULL);
    struct tm t;
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &t));
    fprintf(
        out,
        "# Conformance of backend %s\n\n"
        "Written by `poynting conform` %s on %s, %s.\n\n"
        "A number is the largest error that was seen, in units of eps times the scale of the row (`ops.def`), before\n"
        "a slash, and what is allowed after it (`x2`: twice the row's bound, as the backend declares). `=`: exact in "
        "every bit. `d`: the reference does it. `-`: absent.\n"
        "`FAIL n`: so many cases failed; `crash`: that ended their process, `hang`: that did not return in time.\n"
        "Operations that were not run this time stand as they were.\n\n```\n%s```\n\n",
        backend, poy_version(), day, how, describe);
}

/* ---- lines of the table, by operation ---- */

enum { LINES_MAX = 160, LINE_SIZE = 320 };
typedef struct table {
    int n;
    struct {
        char op[32], text[LINE_SIZE];
    } line[LINES_MAX];
} table;

static char *line_of(table *t, const char *op)
{
    for (int i = 0; i < t->n; i++)
        if (!strcmp(t->line[i].op, op))
            return t->line[i].text;
    if (t->n == LINES_MAX)
        return NULL;
    snprintf(t->line[t->n].op, sizeof t->line[t->n].op, "%s", op);
    return t->line[t->n++].text;
}

/* The lines of a report that was written before about the same backend. */
static void read_lines(const char *path, const char *spec, table *t)
{
    char text[LINE_SIZE], title[96], op[32];
    FILE *in = fopen(path, "r");
    if (!in)
        return;
    snprintf(title, sizeof title, "# Conformance of backend %.40s\n", spec);
    int is_ours = fgets(text, sizeof text, in) && !strcmp(text, title);
    while (is_ours && fgets(text, sizeof text, in)) {
        char *line = sscanf(text, "| `%31[a-z0-9_]`", op) == 1 ? line_of(t, op) : NULL;
        text[strcspn(text, "\n")] = '\0';
        if (line)
            snprintf(line, LINE_SIZE, "%s", text);
    }
    fclose(in);
}

static size_t write_cell(size_t size, char *out, const cli_cell *cell)
{
    char said[64];
    int n;
    if (cell && cell->failed)
        cli_say_failed(sizeof said, said, cell->failed, cell->crashed, cell->hung);
    if (!cell)
        n = snprintf(out, size, "  |");
    else if (cell->failed)
        n = snprintf(out, size, " %s |", said);
    else if (cell->origin != POY_NATIVE)
        n = snprintf(out, size, " %s |", cell->origin == POY_DELEGATED ? "d" : "-");
    else if (cell->tolerance == 0 || cell->dtype == POY_I32 || cell->dtype == POY_I64 || cell->dtype == POY_B8)
        n = snprintf(out, size, " = |");
    else if (cell->multiplier > 1)
        n = snprintf(out, size, " %.2g/%g x%g |", cell->worst * cell->tolerance, cell->tolerance, cell->multiplier);
    else
        n = snprintf(out, size, " %.2g/%g |", cell->worst * cell->tolerance, cell->tolerance);
    return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

static void write_lines(const cli_cells *cells, table *t)
{
    for (int i = 0; i < cells->n;) {
        const cli_cell *first = &cells->cell[i], *by_type[POY_DTYPE_COUNT] = {NULL};
        char *line = line_of(t, first->op);
        int cases = 0;
        for (; i < cells->n && !strcmp(cells->cell[i].op, first->op); i++) {
            by_type[cells->cell[i].dtype] = &cells->cell[i];
            cases += cells->cell[i].cases;
        }
        size_t used = line ? (size_t)snprintf(line, LINE_SIZE, "| `%s` | %d |", first->op, cases) : LINE_SIZE;
        for (int k = 0; k < POY_DTYPE_COUNT && used < LINE_SIZE; k++)
            used += write_cell(LINE_SIZE - used, line + used, by_type[k]);
    }
}

static void print_table(FILE *out, const table *t)
{
    long long cases = 0, failed = 0;
    fprintf(out, "| operation | cases |");
    for (int k = 0; k < POY_DTYPE_COUNT; k++)
        fprintf(out, " %s |", poy_dtype_name((poy_dtype)k));
    fprintf(out, "\n|---|---|");
    for (int k = 0; k < POY_DTYPE_COUNT; k++)
        fprintf(out, "---|");
    for (int i = 0; i < t->n; i++) {
        const char *text = t->line[i].text, *count = strstr(text, "` | ");
        fprintf(out, "\n%s", text);
        cases += count ? strtoll(count + 4, NULL, 10) : 0;
        for (const char *at = strstr(text, "FAIL "); at; at = strstr(at + 5, "FAIL "))
            failed += strtoll(at + 5, NULL, 10);
    }
    fprintf(out, "\n\n%lld cases, %lld failed.\n", cases, failed);
}

int cli_report_cells(cli *c, const char *path, const char *spec, const char *how, const cli_cells *cells)
{
    static table lines; /* too much for the stack */
    char describe[1024] = "";
    poy_backend *be = NULL;
    lines.n = 0;
    read_lines(path, spec, &lines);
    write_lines(cells, &lines);
    FILE *out = fopen(path, "w");
    if (!out) {
        cli_message(c, "%s: cannot be written: %s", path, strerror(errno));
        return poy_status_exit_code(POY_ERR_IO);
    }
    if (poy_backend_open(c->ctx, spec, &be) == POY_OK)
        poy_backend_describe(be, sizeof describe, describe);
    poy_backend_close(&be);
    head(out, spec, describe, how);
    print_table(out, &lines);
    return cli_close(c, out, path);
}

/* report.c: the cells of poynting conform as a table in Markdown, a line for each operation. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"

void cli_cells_add(cli_cells *cells, const poy_conform_cell *cell)
{
    if (cells->n == CLI_CELLS_MAX)
        return;
    cli_cell *to = &cells->cell[cells->n++];
    *to = (cli_cell){.dtype = cell->dtype,
                     .origin = cell->origin,
                     .cases = cell->cases,
                     .failed = cell->failed,
                     .worst = cell->worst,
                     .tolerance = cell->row_tolerance};
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
        "a slash, and what is allowed after it. `=`: exact in every bit. `d`: the reference does it. `-`: absent.\n"
        "`FAIL n`: so many cases failed.\n\n```\n%s```\n\n",
        backend, poy_version(), day, how, describe);
}

static void print_cell(FILE *out, const cli_cell *cell)
{
    if (!cell)
        fprintf(out, "  |");
    else if (cell->failed)
        fprintf(out, " FAIL %d |", cell->failed);
    else if (cell->origin != POY_NATIVE)
        fprintf(out, " %s |", cell->origin == POY_DELEGATED ? "d" : "-");
    else if (cell->tolerance == 0 || cell->dtype == POY_I32 || cell->dtype == POY_I64 || cell->dtype == POY_B8)
        fprintf(out, " = |");
    else
        fprintf(out, " %.2g/%g |", cell->worst * cell->tolerance, cell->tolerance);
}

static void table(FILE *out, const cli_cells *cells)
{
    fprintf(out, "| operation | cases |");
    for (int t = 0; t < POY_DTYPE_COUNT; t++)
        fprintf(out, " %s |", poy_dtype_name((poy_dtype)t));
    fprintf(out, "\n|---|---|");
    for (int t = 0; t < POY_DTYPE_COUNT; t++)
        fprintf(out, "---|");
    for (int i = 0; i < cells->n;) {
        const cli_cell *first = &cells->cell[i], *by_type[POY_DTYPE_COUNT] = {NULL};
        int cases = 0;
        for (; i < cells->n && !strcmp(cells->cell[i].op, first->op); i++) {
            by_type[cells->cell[i].dtype] = &cells->cell[i];
            cases += cells->cell[i].cases;
        }
        fprintf(out, "\n| `%s` | %d |", first->op, cases);
        for (int t = 0; t < POY_DTYPE_COUNT; t++)
            print_cell(out, by_type[t]);
    }
    fprintf(out, "\n");
}

int cli_report_cells(cli *c, const char *path, const char *spec, const char *how, const cli_cells *cells)
{
    char describe[1024] = "";
    long long cases = 0, failed = 0;
    poy_backend *be = NULL;
    FILE *out = fopen(path, "w");
    if (!out) {
        cli_message(c, "%s: cannot be written: %s", path, strerror(errno));
        return poy_status_exit_code(POY_ERR_IO);
    }
    if (poy_backend_open(c->ctx, spec, &be) == POY_OK)
        poy_backend_describe(be, sizeof describe, describe);
    poy_backend_close(&be);
    for (int i = 0; i < cells->n; i++) {
        cases += cells->cell[i].cases;
        failed += cells->cell[i].failed;
    }
    head(out, spec, describe, how);
    table(out, cells);
    fprintf(out, "\n%lld cases, %lld failed.\n", cases, failed);
    return fclose(out) ? poy_status_exit_code(POY_ERR_IO) : 0;
}

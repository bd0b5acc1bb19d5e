/* conform_tell.c: what poynting conform tells of each operation, row, golden case, object and record. */
#include <string.h>

#include "conform.h"

enum { OP_WIDTH = 14, CELL_WIDTH = 10, OBJECT_WIDTH = 24, RECORD_WIDTH = 30 };

/* " (2 crash, 1 hang)"; "" where none did. */
static void say_ends(size_t size, char *out, int crashed, int hung)
{
    const int crashes = crashed - hung;
    *out = '\0';
    if (crashes && hung)
        snprintf(out, size, " (%d crash, %d hang)", crashes, hung);
    else if (crashed)
        snprintf(out, size, " (%d %s)", crashed, hung ? "hang" : "crash");
}

void cli_say_failed(size_t size, char *out, int failed, int crashed, int hung)
{
    char ends[40];
    say_ends(sizeof ends, ends, crashed, hung);
    snprintf(out, size, "FAIL %d%s", failed, ends);
}

/* ---- JSON: an object for each, of members that all of them have and some of its own ---- */

/* {"KEY": "NAME" */
static void begin(const cli_matrix *m, const char *key, const char *name)
{
    fprintf(m->json, "%s\n{\"%s\": ", m->cells ? "," : "", key);
    cli_json_string(m->json, name);
}

static void number(const cli_matrix *m, const char *key, double value)
{
    fprintf(m->json, ", \"%s\": ", key);
    cli_json_number(m->json, value);
}

static void text(const cli_matrix *m, const char *key, const char *value)
{
    fprintf(m->json, ", \"%s\": ", key);
    cli_json_string(m->json, value);
}

static void counts(const cli_matrix *m, int cases, int failed, int crashed, int hung)
{
    fprintf(m->json, ", \"cases\": %d, \"failed\": %d, \"crashed\": %d, \"hung\": %d", cases, failed, crashed, hung);
}

static void end(const cli_matrix *m, const char *failure)
{
    text(m, "failure", failure);
    fprintf(m->json, "}");
}

static void native(const cli_matrix *m, poy_origin origin)
{
    fprintf(m->json, ", \"native\": %s", origin == POY_NATIVE ? "true" : "false");
}

static void json_cell(const cli_matrix *m, const poy_conform_cell *cell)
{
    begin(m, "op", cell->op);
    text(m, "dtype", poy_dtype_name(cell->dtype));
    native(m, cell->origin);
    counts(m, cell->cases, cell->failed, cell->crashed, cell->hung);
    number(m, "worst", cell->worst);
    number(m, "tolerance", cell->row_tolerance);
    number(m, "multiplier", cell->multiplier);
    text(m, "worst_case", cell->worst_case);
    end(m, cell->failure);
}

static void json_row(const cli_matrix *m, const poy_conform_row *row)
{
    begin(m, "row", row->row);
    native(m, row->origin);
    counts(m, row->cases, row->failed, row->crashed, row->hung);
    number(m, "worst", row->worst);
    number(m, "tolerance", row->tolerance);
    end(m, row->failure);
}

static void json_golden(const cli_matrix *m, const poy_conform_golden_case *c)
{
    begin(m, "golden", c->id);
    text(m, "op", c->op);
    counts(m, 1, !c->passed, c->crashed, c->hung);
    end(m, c->failure);
}

static void json_law(const cli_matrix *m, const poy_conform_law *law)
{
    begin(m, "object", law->object);
    text(m, "dtype", poy_dtype_name(law->dtype));
    counts(m, law->cases, law->failed, law->crashed, law->hung);
    number(m, "worst", law->worst);
    text(m, "worst_law", law->worst_law);
    end(m, law->failure);
}

static void json_record(const cli_matrix *m, const poy_conform_record *r)
{
    begin(m, "record", r->record);
    counts(m, r->cases, r->failed, r->crashed, r->hung);
    number(m, "adjoint", r->adjoint);
    number(m, "restored", r->restored);
    number(m, "batch", r->batch);
    end(m, r->failure);
}

/* ---- lines ---- */

static const char *origin_mark(poy_origin origin)
{
    return origin == POY_NATIVE ? "" : origin == POY_DELEGATED ? "d" : "-";
}

static void count(cli_matrix *m, int failed)
{
    m->cells++;
    m->failed += failed;
}

static void say_counts(int width, int cases, int failed, int crashed, int hung)
{
    char ends[40];
    say_ends(sizeof ends, ends, crashed, hung);
    printf("%*d cases, %d failed%s", width, cases, failed, ends);
}

static void list_cell(const poy_conform_cell *cell)
{
    printf("%-*s %-4s %-9s %5d cases, %g eps\n", OP_WIDTH, cell->op, poy_dtype_name(cell->dtype),
           cell->origin == POY_NATIVE      ? "native"
           : cell->origin == POY_DELEGATED ? "delegated"
                                           : "absent",
           cell->cases, cell->row_tolerance);
}

/* A line for each operation; cells come in the order of operations. */
void cli_tell_cell(void *matrix, const poy_conform_cell *cell)
{
    cli_matrix *m = matrix;
    char said[64];
    if (m->json)
        json_cell(m, cell);
    count(m, cell->failed);
    if (m->all)
        cli_cells_add(m->all, cell);
    if (m->lists) {
        list_cell(cell);
        return;
    }
    if (m->c->verbosity >= 0) {
        if (strcmp(m->op, cell->op) != 0) {
            printf("%s%-*s", *m->op ? "\n" : "", OP_WIDTH, cell->op);
            snprintf(m->op, sizeof m->op, "%s", cell->op);
        }
        if (cell->failed)
            cli_say_failed(sizeof said, said, cell->failed, cell->crashed, cell->hung);
        else if (cell->origin != POY_NATIVE)
            snprintf(said, sizeof said, "%s", origin_mark(cell->origin));
        else
            snprintf(said, sizeof said, "%.2g", cell->worst);
        if (cell->origin == POY_NATIVE && cell->multiplier > 1) {
            const size_t used = strlen(said);
            snprintf(said + used, sizeof said - used, " x%g", cell->multiplier);
        }
        printf(" %s:%-*s", poy_dtype_name(cell->dtype), CELL_WIDTH - 5, said);
        fflush(stdout);
    }
    if (cell->failure[0])
        fprintf(stderr, "%s%s %s: %s\n", m->c->verbosity >= 0 ? "\n" : "", cell->op, poy_dtype_name(cell->dtype),
                cell->failure);
}

void cli_tell_row(void *matrix, const poy_conform_row *row)
{
    cli_matrix *m = matrix;
    if (m->json)
        json_row(m, row);
    count(m, row->failed);
    if (m->c->verbosity >= 0) {
        printf("%-*s %s", OP_WIDTH, row->row, origin_mark(row->origin));
        say_counts(5, row->cases, row->failed, row->crashed, row->hung);
        printf(", worst %.2g of the bound\n", row->worst);
        fflush(stdout);
    }
    if (row->failure[0])
        fprintf(stderr, "%s: %s\n", row->row, row->failure);
}

void cli_tell_golden(void *matrix, const poy_conform_golden_case *c)
{
    cli_matrix *m = matrix;
    if (m->json)
        json_golden(m, c);
    count(m, !c->passed);
    if (!c->passed)
        fprintf(stderr, "%s: golden:%s: %s\n", c->op, c->id, c->failure);
}

void cli_tell_law(void *matrix, const poy_conform_law *law)
{
    cli_matrix *m = matrix;
    if (m->json)
        json_law(m, law);
    count(m, law->failed);
    if (m->c->verbosity >= 0) {
        printf("%-*s %-4s ", OBJECT_WIDTH, law->object, poy_dtype_name(law->dtype));
        say_counts(3, law->cases, law->failed, law->crashed, law->hung);
        printf(", worst %.2g of the bound%s%s%s\n", law->worst, *law->worst_law ? " (" : "", law->worst_law,
               *law->worst_law ? ")" : "");
        fflush(stdout);
    }
    if (law->failure[0])
        fprintf(stderr, "%s %s: %s\n", law->object, poy_dtype_name(law->dtype), law->failure);
}

void cli_tell_record(void *matrix, const poy_conform_record *r)
{
    cli_matrix *m = matrix;
    if (m->json)
        json_record(m, r);
    count(m, r->failed);
    if (m->c->verbosity >= 0) {
        printf("%-*s ", RECORD_WIDTH, r->record);
        say_counts(5, r->cases, r->failed, r->crashed, r->hung);
        printf("; adjoint %.1e, restored %.1e, batch %.1e\n", r->adjoint, r->restored, r->batch);
        fflush(stdout);
    }
    if (r->failure[0])
        fprintf(stderr, "%s: %s\n", r->record, r->failure);
}

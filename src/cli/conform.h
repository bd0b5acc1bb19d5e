/* conform.h: poynting conform: what was asked for, and the tellers of what came of it. */
#ifndef CLI_CONFORM_H
#define CLI_CONFORM_H

#include "cli.h"
#include "poynting/conform_golden.h"
#include "poynting/conform_laws.h"
#include "poynting/conform_records.h"
#include "poynting/conform_rows.h"

/* The parts of conformance, a bit each. */
enum {
    CONFORM_OPS = 1,
    CONFORM_ROWS = 2,
    CONFORM_RECORDS = 4,
    CONFORM_LAWS = 8,
    CONFORM_GOLDEN = 16,
    CONFORM_LINOP = 32
};

/* ---- what is asked for (conform_options.c) ---- */

typedef struct cli_conform_asked {
    poy_conform_options o;
    unsigned parts;
    char names[2][64]; /* of backends that --compare names */
} cli_conform_asked;
/* 0, or EXIT_USAGE after a message: nothing that was given is left aside. */
int cli_conform_read(cli *c, const cli_args *args, cli_conform_asked *out);

/* ---- what is told (conform_tell.c): on standard output, failures on standard error, all of it as JSON ---- */

typedef struct cli_matrix {
    const cli *c;
    FILE *json;  /* NULL: none */
    char op[32]; /* of the line that is being printed */
    int cells, failed;
    cli_cells *all; /* for a report; NULL: there is none */
    int lists;      /* what there is, without running it */
} cli_matrix;

void cli_tell_cell(void *matrix, const poy_conform_cell *cell);
void cli_tell_row(void *matrix, const poy_conform_row *row);
void cli_tell_golden(void *matrix, const poy_conform_golden_case *c);
void cli_tell_law(void *matrix, const poy_conform_law *law);
void cli_tell_record(void *matrix, const poy_conform_record *record);
/* "FAIL 3 (2 crash, 1 hang)"; of what failed. */
void cli_say_failed(size_t size, char *out, int failed, int crashed, int hung);

#endif

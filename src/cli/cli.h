/* cli.h: the command's own pieces: options from tables, messages, JSON, progress. Everything else is the library's. */
#ifndef CLI_H
#define CLI_H

#include <stdio.h>

#include "poynting/conform.h"
#include "poynting/poynting.h"

enum { EXIT_USAGE = 2, EXIT_RECIPE = 3, EXIT_CHECK = 6 };

typedef struct cli_option {
    const char *name;  /* "output"; NULL ends a list */
    char letter;       /* 'o'; 0: none */
    const char *value; /* "FILE"; NULL: a switch */
    const char *text;
} cli_option;

typedef struct cli cli;
typedef struct cli_args cli_args;

typedef struct cli_command {
    const char *name;
    const char *arguments; /* "RECIPE..." */
    int at_least, at_most; /* number of arguments; at_most -1: any */
    const char *text;      /* one line */
    const char *more;      /* a few lines for --help; "" */
    const char *example;
    const cli_option *options;
    int (*run)(cli *c, const cli_args *args);
} cli_command;

struct cli {
    poy_ctx *ctx;
    int verbosity; /* -1 quiet, 0, 1, 2 */
    int color;     /* escape sequences on standard error */
    FILE *log;     /* NULL: none */
};

enum { CLI_GIVEN_MAX = 64 };

struct cli_args {
    const cli_command *command;
    struct {
        const cli_option *option;
        const char *value;
    } given[CLI_GIVEN_MAX];
    int n_given;
    char **words; /* the arguments that are no options */
    int n_words;
};

/* ---- options (options.c) ---- */

/* Reads argv after the command's name. 0, or EXIT_USAGE after a message. */
int cli_args_read(cli *c, const cli_command *command, int argc, char **argv, cli_args *out);
/* The last value of an option, NULL if it was not given; "" for a switch. */
const char *cli_value(const cli_args *args, const char *name);
int cli_has(const cli_args *args, const char *name);
/* The i-th value of a repeatable option; NULL beyond the last. */
const char *cli_value_at(const cli_args *args, const char *name, int i);
/* A quantity above 0 given to an option ("30 min"). 0, or EXIT_USAGE after a message; *out is kept where it was not given. */
int cli_quantity(cli *c, const cli_args *args, const char *name, poy_dimension dimension, double *out);
/* As that, 0 included. */
int cli_quantity_from_zero(cli *c, const cli_args *args, const char *name, poy_dimension dimension, double *out);
/* --range FROM:TO as wavelengths (m), rising; unchanged without it. 0, or the exit code of a wrong use. */
int cli_range(cli *c, const cli_args *args, double *low, double *high);
/* A count given to an option. */
int cli_count(cli *c, const cli_args *args, const char *name, long least, long *out);
void cli_help(FILE *out, const cli_command *command);
/* The nearest of some names, or NULL. */
const char *cli_nearest(const char *word, const char *const *names, int n);

/* ---- messages (messages.c) ---- */

/* "poynting: text" on standard error. */
void cli_message(const cli *c, const char *format, ...) POY_PRINTF(2, 3);
int cli_usage(const cli *c, const cli_command *command, const char *format, ...) POY_PRINTF(3, 4);
/* Prints the context's account; returns the status's exit code. */
int cli_failed(const cli *c, poy_status status);
/* Prints a recipe's faults, one line each. */
void cli_faults(const cli *c, const poy_recipe *recipe);
void cli_log(void *user, poy_log_level level, const char *text);
/* Closes what was written to; 0, or an exit code after a message: the disk may have been full. */
int cli_close(const cli *c, FILE *out, const char *path);
/* s of a clock that never goes back. */
double cli_now(void);
/* "31.2 s", "2:05 min", "3:10 h"; "-" where it is not known. */
void cli_duration(double seconds, size_t size, char *out);

/* ---- JSON (json.c): written straight to a stream ---- */

void cli_json_string(FILE *out, const char *text);
void cli_json_number(FILE *out, double value); /* null where it is not finite */

/* ---- recipes with overrides (recipes.c) ---- */

/* Loads a recipe and applies -s. 0, or an exit code after a message. */
int cli_recipe(cli *c, const cli_args *args, const char *path, poy_recipe **out);

/* --backend, --threads, --memory are the recipe's own keys. 0, or an exit code after a message. */
int cli_shortcuts(cli *c, const cli_args *args, poy_recipe *recipe);
enum { CLI_NUMBERS_MAX = 64 }; /* derived numbers of a recipe */
/* Bytes that a whole process takes for a checked recipe ("process" of poynting check), or for several like it in lockstep; 0: not known. */
double cli_process_bytes(cli *c, poy_recipe *recipe, long together);
/* The objective of a recipe; else the exit code of what was said. */
int cli_objective(cli *c, poy_recipe *recipe, poy_objective **o);
/* " m2", or "" of a number without units. */
const char *cli_objective_units(const poy_objective *o);

/* ---- the table of poynting conform (report.c) ---- */

typedef struct cli_cell {
    char op[32];
    poy_dtype dtype;
    poy_origin origin;
    int cases, failed, crashed, hung;
    double worst, tolerance, multiplier;
} cli_cell;
enum { CLI_CELLS_MAX = 1024 };
typedef struct cli_cells {
    int n;
    cli_cell cell[CLI_CELLS_MAX];
} cli_cells;
void cli_cells_add(cli_cells *cells, const poy_conform_cell *cell);
/* Writes the table of a backend as Markdown, keeping the lines of operations that an earlier one has and cells have not; how:
 * "level full, seed 1". 0, or an exit code after a message. */
int cli_report_cells(cli *c, const char *path, const char *spec, const char *how, const cli_cells *cells);

/* Streaming rows of a backend against the machine's own loops (cmd_bench.c). 0, or an exit code after a message. */
int cli_bench_rows(cli *c, const char *backend, const char *pattern, double seconds);

/* ---- T-matrix files (tmatrix.c) ---- */

/* What one holds; -1 where it is none, with the reason in the context. */
int cli_tmatrix_info(cli *c, const cli_args *args, const char *path);

/* One line about a finished run (cmd_run.c). */
void cli_report(const cli *c, const poy_recipe_report *report);
/* Draws the pictures that the recipe of a result asks for (cmd_plot.c); as the end of a run, which a signal may cut short
 * (cmd_run.c). The exit code. */
int cli_plots(cli *c, const char *path);
int cli_plots_at_end(cli *c, const char *path, int is_last);

/* ---- the commands (cmd_<name>.c), listed in commands.c ---- */

const cli_command *cli_command_at(int i); /* NULL beyond the last */
extern const cli_command cmd_run, cmd_resume, cmd_grad, cmd_check, cmd_plot, cmd_info, cmd_new, cmd_backends,
    cmd_materials, cmd_completion, cmd_bench, cmd_conform, cmd_scan;

#endif

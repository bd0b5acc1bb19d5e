/* progress.h: what a running computation shows, and how it is stopped. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli.h"

typedef struct cli_progress {
    const cli *c;
    int terminal;      /* standard error is one: one line, renewed */
    int json;          /* descriptor for --json-progress; -1: none */
    double start;      /* s, of the wall clock */
    double from;       /* where the run started (m) */
    double shown;      /* when the line was last renewed (s) */
    int tenth;         /* lines without a terminal: tenths told so far */
    double stop_after; /* s; 0: never */
    int started, line;
} cli_progress;

/* Shows the context's progress and stops it on SIGINT, SIGTERM (the second time at once) and after stop_after. 0, or
 * EXIT_USAGE. */
int cli_progress_begin(cli *c, const cli_args *args, cli_progress *p);
/* Signals are counted still, so that a run that is over ends with its own code; see the next two. */
void cli_progress_end(cli_progress *p);
/* Whether a signal came since the first cli_progress_begin. */
int cli_stop_asked(void);
/* From here to the next cli_progress_begin a signal ends the process at once, with this code: what is to be kept is kept. */
void cli_stop_at_once(int code);
/* Options that belong to it. */
#define CLI_PROGRESS_JSON                                                                \
    {                                                                                    \
        "json-progress", 0, "FD", "write progress as lines of JSON to a file descriptor" \
    }
#define CLI_PROGRESS_OPTIONS \
    {"stop-after", 0, "TIME", "stop after this time, e.g. \"30 min\", so that resume can go on"}, CLI_PROGRESS_JSON

#endif

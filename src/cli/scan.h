/* scan.h: pieces of poynting scan: the processes that work, and the job script. */
#ifndef CLI_SCAN_H
#define CLI_SCAN_H

#include "cli.h"

/* What a call of poynting scan does. */
typedef struct cli_scan {
    cli *c;
    const cli_args *args;
    const char *recipe_path;
    poy_recipe *recipe;
    poy_recipe_scan *scan;
    int64_t first, n; /* points of this call */
    int is_part;      /* of them, others have the rest: an --index or a task of an array */
    int rank, ranks;  /* of MPI; 0, 1 without */
    int jobs;
    long together;     /* points in lockstep */
    double stop_after; /* s; 0: never */
} cli_scan;

/* Starts --jobs processes, shows what they get done, starts dead ones anew; stops them on a signal. The exit code: 0, 75,
 * or that of a process that could not work. */
int cli_scan_processes(cli_scan *s);
/* "12/40 done, 1 failed, 2 running" of points first ... first + n - 1. 0, or an exit code after a message. */
typedef struct cli_scan_counts {
    int64_t waiting, running, done, failed;
} cli_scan_counts;
int cli_scan_count(cli_scan *s, int64_t first, int64_t n, cli_scan_counts *out);

/* A word for a shell, quoted where it has to be. */
void cli_scan_quote(FILE *out, const char *word);
/* Writes the script of a job array, shows it, and submits it unless --dry-run. */
int cli_scan_slurm(cli_scan *s);

#endif

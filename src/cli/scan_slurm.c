/* scan_slurm.c: a scan as a Slurm job array: the script is written beside the points, shown, and submitted; a second job
 * collects when the array has ended, whatever became of its tasks. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scan.h"

enum { EXTRA_MAX = 16, NAME_MAX_ = 64, VALUE_MAX = 128 };

typedef struct job {
    long tasks, cpus;
    double time, memory; /* s, bytes; 0: as the cluster has it */
    double process;      /* bytes of a process, and how many of them a task starts */
    long processes;
    char extra[EXTRA_MAX][NAME_MAX_ + VALUE_MAX + 1]; /* "partition=long" */
    int n_extra;
} job;

static int wrong(cli_scan *s, const char *pair, const char *advice)
{
    return cli_usage(s->c, s->args->command, "--slurm: '%s': %s", pair, advice);
}

static int read_quantity(cli_scan *s, const char *pair, const char *value, poy_dimension d, const char *advice,
                         double *out)
{
    poy_quantity q;
    if (poy_quantity_parse_as(s->c->ctx, value, d, &q) != POY_OK || !(q.value > 0)) {
        poy_ctx_clear(s->c->ctx);
        return wrong(s, pair, advice);
    }
    *out = q.value;
    return 0;
}

static int read_count(cli_scan *s, const char *pair, const char *value, long *out)
{
    char *end;
    *out = strtol(value, &end, 10);
    return *end || *out < 1 ? wrong(s, pair, "not a count, e.g. tasks=8") : 0;
}

static int read_pair(cli_scan *s, char *pair, job *j)
{
    char *value = strchr(pair, '=');
    if (!value || value == pair || !value[1])
        return wrong(s, pair, "not KEY=VALUE, e.g. tasks=8");
    for (const char *c = pair; *c; c++)
        if (!isprint((unsigned char)*c) || strchr("\"'`$\\;&|<>", *c))
            return wrong(s, pair, "has a character that means something to a shell");
    if (!strncmp(pair, "tasks=", 6))
        return read_count(s, pair, value + 1, &j->tasks);
    if (!strncmp(pair, "cpus=", 5))
        return read_count(s, pair, value + 1, &j->cpus);
    if (!strncmp(pair, "time=", 5))
        return read_quantity(s, pair, value + 1, POY_DIM_WALL_TIME, "not a time, e.g. time=2h", &j->time);
    if (!strncmp(pair, "mem=", 4))
        return read_quantity(s, pair, value + 1, POY_DIM_BYTES, "not a size, e.g. mem=4GiB", &j->memory);
    if (j->n_extra == EXTRA_MAX || strlen(pair) > NAME_MAX_ + VALUE_MAX)
        return wrong(s, pair, "too many or too long options");
    snprintf(j->extra[j->n_extra++], sizeof j->extra[0], "%s", pair);
    return 0;
}

static int read_job(cli_scan *s, job *j)
{
    char text[1024];
    const char *given = cli_value(s->args, "slurm");
    *j = (job){.cpus = 1};
    if (strlen(given) >= sizeof text)
        return wrong(s, "", "too long");
    snprintf(text, sizeof text, "%s", given);
    for (char *pair = strtok(text, ","); pair; pair = strtok(NULL, ",")) {
        int code = read_pair(s, pair, j);
        if (code)
            return code;
    }
    const int64_t points = poy_recipe_scan_points(s->scan);
    j->tasks = j->tasks ? j->tasks : points < 16 ? (long)points : 16;
    j->tasks = j->tasks > points ? (long)points : j->tasks;
    return 0;
}

/* ---- what a task takes of memory ---- */

/* Of the first and the last point, the larger. */
static double process_bytes(cli_scan *s)
{
    double most = 0;
    for (int last = 0; last < 2; last++) {
        poy_recipe *point = NULL;
        double bytes = 0;
        if (poy_recipe_scan_recipe(s->c->ctx, s->scan, last ? poy_recipe_scan_points(s->scan) - 1 : 0, &point) ==
                POY_OK &&
            poy_recipe_check(s->c->ctx, point) == POY_OK)
            bytes = cli_process_bytes(s->c, point, s->together);
        else
            poy_ctx_clear(s->c->ctx); /* a point that fails is told when it is run */
        poy_recipe_destroy(&point);
        most = bytes > most ? bytes : most;
    }
    return most;
}

static int count_processes(cli_scan *s, job *j)
{
    long threads = 1;
    const int code = cli_count(s->c, s->args, "threads", 1, &threads);
    j->processes = j->cpus > threads ? j->cpus / threads : 1;
    j->process = code ? 0 : process_bytes(s);
    return code;
}

/* What the script does not ask for, a task may be killed for. */
static void tell_memory(const cli_scan *s, const job *j)
{
    char needs[32], given[32];
    const double all = j->process * (double)j->processes;
    if (!(all > 0) || j->memory >= all)
        return;
    poy_quantity_format(all, POY_DIM_BYTES, 3, sizeof needs, needs);
    poy_quantity_format(j->memory, POY_DIM_BYTES, 3, sizeof given, given);
    if (j->memory > 0)
        cli_message(s->c, "mem=%s is less than the %s that a task may take: its points may be killed", given, needs);
    else
        cli_message(s->c, "a task may take %s: mem=... asks for it, else the cluster's own limit holds", needs);
}

/* ---- the script ---- */

static void quoted(FILE *out, const char *word)
{
    fputc('\'', out);
    for (const char *c = word; *c; c++)
        fputs(*c == '\'' ? "'\\''" : (const char[]){*c, '\0'}, out);
    fputc('\'', out);
}

void cli_scan_quote(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (*word && word[strspn(word, plain)] == '\0')
        fputs(word, out);
    else
        quoted(out, word);
}

/* The command again, with the options that say what and how. */
static void write_command(const cli_scan *s, FILE *out)
{
    static const char *const kept[] = {"backend", "threads", "memory", "together"};
    char self[1024] = "poynting";
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0)
        self[n] = '\0';
    quoted(out, self);
    fputs(" scan ", out);
    quoted(out, s->recipe_path);
    fputs(" --queue ", out);
    quoted(out, poy_recipe_scan_folder(s->scan));
    for (int i = 0; cli_value_at(s->args, "set", i); i++) {
        fputs(" -s ", out);
        quoted(out, cli_value_at(s->args, "set", i));
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (cli_value(s->args, kept[i])) {
            fprintf(out, " --%s ", kept[i]);
            quoted(out, cli_value(s->args, kept[i]));
        }
}

static void write_time(FILE *out, double seconds)
{
    const long minutes = (long)ceil(seconds / 60);
    fprintf(out, "#SBATCH --time=%ld:%02ld:00\n", minutes / 60, minutes % 60);
}

/* Messages of each task; of the one job that collects. */
static void write_head(const cli_scan *s, const job *j, int collects, FILE *out)
{
    const char *name = collects ? "collect" : "scan";
    fprintf(out, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --output=%s/%s-%s.out\n", name,
            poy_recipe_scan_folder(s->scan), name, collects ? "%j" : "%A_%a");
    for (int i = 0; i < j->n_extra; i++)
        fprintf(out, "#SBATCH --%s\n", j->extra[i]);
}

static int write_script(const cli_scan *s, const job *j, const char *path, int collects)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return -1;
    write_head(s, j, collects, out);
    if (!collects) {
        fprintf(out, "#SBATCH --array=0-%ld\n#SBATCH --cpus-per-task=%ld\n", j->tasks - 1, j->cpus);
        fprintf(out, "#SBATCH --signal=TERM@60\n");
        if (j->time > 0)
            write_time(out, j->time);
        if (j->memory > 0)
            fprintf(out, "#SBATCH --mem=%.0fM\n", ceil(j->memory / 1048576));
        if (j->process > 0)
            fprintf(out,
                    "# the larger of the first and the last point takes a process of %.0fM, a task starts up to %ld\n",
                    ceil(j->process / 1048576), j->processes);
        fprintf(out,
                "# task k of n takes the k-th share of %lld points; the same job again goes on where this one ends\n",
                (long long)poy_recipe_scan_points(s->scan));
        fprintf(out, "exec ");
    }
    write_command(s, out);
    if (collects && cli_value(s->args, "output")) {
        fputs(" -o ", out);
        quoted(out, cli_value(s->args, "output"));
    }
    fprintf(out, "%s\n", collects ? " --collect" : "");
    return fclose(out);
}

static void show(const char *path)
{
    char line[2048];
    FILE *file = fopen(path, "r");
    printf("# %s\n", path);
    while (file && fgets(line, sizeof line, file))
        fputs(line, stdout);
    if (file)
        fclose(file);
    fflush(stdout);
}

/* sbatch --parsable prints "ID" or "ID;CLUSTER". */
static int submit(cli_scan *s, const char *command, char id[64])
{
    FILE *pipe = popen(command, "r");
    id[0] = '\0';
    if (pipe && !fgets(id, 64, pipe))
        id[0] = '\0';
    const int status = pipe ? pclose(pipe) : -1;
    id[strcspn(id, ";\n")] = '\0';
    if (!status && isdigit((unsigned char)id[0]))
        return 0;
    cli_message(s->c, "sbatch did not take the job: is Slurm installed here? The script is there: sbatch it by hand");
    return 1;
}

int cli_scan_slurm(cli_scan *s)
{
    char array[1200], merge[1200], command[2600], id[64], merge_id[64];
    job j;
    int code = read_job(s, &j);
    if (!code)
        code = count_processes(s, &j);
    if (code)
        return code;
    tell_memory(s, &j);
    snprintf(array, sizeof array, "%s/array.sbatch", poy_recipe_scan_folder(s->scan));
    snprintf(merge, sizeof merge, "%s/collect.sbatch", poy_recipe_scan_folder(s->scan));
    if (write_script(s, &j, array, 0) || write_script(s, &j, merge, 1)) {
        cli_message(s->c, "%s: cannot be written: %s", array, strerror(errno));
        return poy_status_exit_code(POY_ERR_IO);
    }
    show(array);
    show(merge);
    if (cli_has(s->args, "dry-run"))
        return 0;
    snprintf(command, sizeof command, "sbatch --parsable '%s'", array);
    if (strchr(poy_recipe_scan_folder(s->scan), '\''))
        return wrong(s, poy_recipe_scan_folder(s->scan), "a folder with a quote in its name: choose another --queue");
    code = submit(s, command, id);
    if (code)
        return code;
    snprintf(command, sizeof command, "sbatch --parsable --dependency=afterany:%s '%s'", id, merge);
    code = submit(s, command, merge_id);
    if (!code)
        printf("job array %s, and job %s that collects after it\n", id, merge_id);
    return code;
}

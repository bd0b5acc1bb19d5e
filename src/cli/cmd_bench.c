/* cmd_bench.c: poynting bench: times of fixed work, as ratios that mean something on any machine. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "poynting/bench.h"

typedef struct line {
    char name[32];  /* "stage.8192.raman" */
    double seconds; /* of six stages */
    double transforms, ratio, median, load;
    double over_ref; /* seconds of ref over seconds of the backend; NaN: not measured */
} line;

enum { LINES_MAX = 16 };
#define FIRST "stage.8192" /* of any run */

static int measure(cli *c, const char *backend, int64_t samples, int raman, double seconds, int with_ref, line *out)
{
    poy_bench_stage_result r, ref;
    poy_status status = poy_bench_stage(c->ctx, backend, samples, raman, seconds, &r);
    if (status == POY_OK && with_ref)
        status = poy_bench_stage(c->ctx, "ref", samples, raman, seconds, &ref);
    if (status != POY_OK)
        return cli_failed(c, status);
    *out = (line){.seconds = r.stages,
                  .transforms = r.transforms,
                  .ratio = r.ratio,
                  .median = r.ratio_median,
                  .load = r.load,
                  .over_ref = with_ref ? ref.stages / r.stages : (double)NAN};
    snprintf(out->name, sizeof out->name, "stage.%lld%s", (long long)samples, raman ? ".raman" : "");
    return 0;
}

/* The number behind "NAME": { ... "ratio": in a file that --json wrote; NaN if it is not there. */
static double earlier(const char *text, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\"", name);
    const char *at = text ? strstr(text, key) : NULL;
    at = at ? strstr(at, "\"ratio\": ") : NULL;
    const double ratio = at ? strtod(at + strlen("\"ratio\": "), NULL) : 0;
    return ratio > 0 ? ratio : (double)NAN;
}

static void print(const cli *c, const line *l, double before)
{
    char ref[24] = "-", change[24] = "";
    if (!isnan(l->over_ref))
        snprintf(ref, sizeof ref, "%.1f", l->over_ref);
    if (!isnan(before))
        snprintf(change, sizeof change, "  %+.1f %%", 100 * (l->ratio / before - 1));
    if (c->verbosity >= 0)
        printf("%-20s %10.1f us %10.1f us  %6.3f  %6.3f  %7s  %5.1f%s\n", l->name, 1e6 * l->seconds,
               1e6 * l->transforms, l->ratio, l->median, ref, l->load, change);
    fflush(stdout);
}

static int save(const cli *c, const char *path, const char *backend, const line *list, int n)
{
    FILE *out = fopen(path, "w");
    if (!out) {
        cli_message(c, "%s: cannot be written: %s", path, strerror(errno));
        return poy_status_exit_code(POY_ERR_IO);
    }
    fprintf(out, "{\"backend\": ");
    cli_json_string(out, backend);
    for (int i = 0; i < n; i++) {
        fprintf(out,
                ",\n \"%s\": {\"ratio\": %.6g, \"median\": %.6g, \"stages_s\": %.6g, \"transforms_s\": %.6g, "
                "\"over_ref\": ",
                list[i].name, list[i].ratio, list[i].median, list[i].seconds, list[i].transforms);
        cli_json_number(out, list[i].over_ref);
        fprintf(out, ", \"load\": %.2f}", list[i].load);
    }
    fprintf(out, "}\n");
    return cli_close(c, out, path);
}

static int read_file(const cli *c, const char *path, size_t size, char *out)
{
    FILE *in = fopen(path, "r");
    if (!in) {
        cli_message(c, "%s: cannot be read: %s", path, strerror(errno));
        return poy_status_exit_code(POY_ERR_IO);
    }
    out[fread(out, 1, size - 1, in)] = '\0';
    const int is_broken = ferror(in), why = errno; /* a folder can be opened, but not read */
    fclose(in);
    if (is_broken)
        cli_message(c, "%s: cannot be read: %s", path, strerror(why));
    return is_broken ? poy_status_exit_code(POY_ERR_IO) : 0;
}

/* Numbers of an earlier run to compare with, as text; 0, or an exit code after a message. */
static int read_earlier(const cli *c, const char *path, size_t size, char *out)
{
    const int code = read_file(c, path, size, out);
    if (code || !isnan(earlier(out, FIRST)))
        return code;
    cli_message(c, "--against %s: these are no numbers that poynting bench --json wrote", path);
    return poy_status_exit_code(POY_ERR_ARGUMENT);
}

/* ---- operations that stream ---- */

static void on_row(void *user, const poy_bench_row *row)
{
    const cli *c = user;
    if (c->verbosity < 0)
        return;
    printf("%-10s %-5s %10.1f us %8.2f GB/s  %5.1f %%", row->row, poy_dtype_name(row->dtype), 1e6 * row->seconds,
           1e-9 * row->bytes_per_second, 100 * row->fraction);
    if (row->instructions > 0)
        printf(", %.1f %% of its instructions alone", 100 * row->instructions);
    printf("\n");
    fflush(stdout);
}

int cli_bench_rows(cli *c, const char *backend, const char *pattern, double seconds)
{
    enum { BYTES = 32 << 20 }; /* several times the second-level cache of any processor */
    if (c->verbosity >= 0)
        printf("%s, one thread, arrays of %d MiB: speed, of that of a plain loop over as many bytes\n", backend,
               BYTES >> 20);
    const poy_status status = poy_bench_rows(c->ctx, backend, pattern, BYTES, seconds, on_row, c);
    return status == POY_OK ? 0 : cli_failed(c, status);
}

static int run(cli *c, const cli_args *args)
{
    static const int64_t sizes[] = {1 << 13, 1 << 15, 1 << 17};
    char before[16384] = "";
    const char *backend = cli_value(args, "backend") ? cli_value(args, "backend") : "cpu";
    const char *against = cli_value(args, "against"), *json = cli_value(args, "json");
    const int quick = cli_has(args, "quick");
    line list[LINES_MAX] = {{.seconds = 0}};
    int n = 0, code = 0;
    if (args->n_words && !strcmp(args->words[0], "rows"))
        return against || json
                   ? cli_usage(c, args->command, "suite rows has no file: --json and --against go with stage")
                   : cli_bench_rows(c, backend, NULL, quick ? 0.05 : 0.5);
    if (args->n_words && strcmp(args->words[0], "stage") != 0)
        return cli_usage(c, args->command, "no suite '%s': there are stage and rows", args->words[0]);
    if (against)
        code = read_earlier(c, against, sizeof before, before);
    if (!code && c->verbosity >= 0)
        printf("%s, one thread: six stages of a fibre against their Fourier transforms\n"
               "                         stages    transforms   ratio  median  ref/this   load%s\n",
               backend, against ? "  change" : "");
    for (int i = 0; i < (quick ? 1 : 3); i++)
        for (int raman = 0; raman < 2 && !code; raman++, n++) {
            code =
                measure(c, backend, sizes[i], raman, quick ? 0.3 : 2, i == 0 && strcmp(backend, "ref") != 0, &list[n]);
            if (!code)
                print(c, &list[n], earlier(before, list[n].name));
        }
    return !code && json ? save(c, json, backend, list, n) : code;
}

static const cli_option options[] = {
    {"backend", 0, "NAME", "the backend to be timed [cpu]"},
    {"quick", 0, NULL, "the smallest size alone, a second"},
    {"json", 0, "FILE", "write the numbers"},
    {"against", 0, "FILE", "compare with numbers that --json wrote before"},
    {0},
};

const cli_command cmd_bench = {
    .name = "bench",
    .arguments = "[SUITE]",
    .at_least = 0,
    .at_most = 1,
    .text = "time fixed work: ratios, spread, load",
    .more = "SUITE: stage (six stages of a fibre), rows (operations that stream through memory).\n"
            "Ratios are of times measured in turns in one run; compare them, not the times.",
    .example = "poynting bench --quick --json before.json",
    .options = options,
    .run = run,
};

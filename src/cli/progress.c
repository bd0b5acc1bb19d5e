/* progress.c: the progress line, and stopping: a signal or the time asks the run to end after its step. Signals are heeded
 * until the process ends: what was finished by then is no failure. */
#include "progress.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static volatile sig_atomic_t stop_asked, at_once, code_at_once = 75;

/* The second signal ends the process at once: the file is whole at every moment. */
static void on_signal(int number)
{
    (void)number;
    if (stop_asked || at_once)
        _exit(code_at_once);
    stop_asked = 1;
}

int cli_stop_asked(void)
{
    return stop_asked;
}

void cli_stop_at_once(int code)
{
    fflush(NULL);
    code_at_once = code;
    at_once = 1;
}

/* The line, as in "51% z=1.53/3.00 m  dz=412 um  steps 903 (rej 41)  E=118.2/120 uJ  4.1 s left 3.9 s". */
static void text(const cli_progress *p, const poy_progress *at, size_t size, char *out)
{
    char step[32], energy[32], energy_start[32], spent[32], left[32];
    double share = at->total > 0 ? at->done / at->total : 0, elapsed = cli_now() - p->start;
    double fresh = at->done - p->from;
    poy_quantity_format(at->step, POY_DIM_LENGTH, 3, sizeof step, step);
    poy_quantity_format(at->energy, POY_DIM_ENERGY, 4, sizeof energy, energy);
    poy_quantity_format(at->energy_start, POY_DIM_ENERGY, 4, sizeof energy_start, energy_start);
    cli_duration(elapsed, sizeof spent, spent);
    cli_duration(fresh > 0 ? elapsed * (at->total - at->done) / fresh : (double)NAN, sizeof left, left);
    if (strcmp(at->unit, "m") != 0) {
        snprintf(out, size, "%3.0f%% %.0f/%.0f %s  %s left %s", floor(100 * share), at->done, at->total, at->unit,
                 spent, left);
        return;
    }
    int n = snprintf(out, size, "%3.0f%% z=%.4g/%.4g %s  dz=%s  steps %lld (rej %lld)", floor(100 * share), at->done,
                     at->total, at->unit, step, (long long)at->accepted, (long long)at->rejected);
    if (!isnan(at->energy) && n > 0 && (size_t)n < size)
        n += snprintf(out + n, size - (size_t)n, "  E=%s/%s", energy, energy_start);
    if (n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, "  %s left %s", spent, left);
}

static void bar(double share, char out[13])
{
    int full = (int)(share * 10 + 0.5);
    out[0] = '[';
    for (int i = 0; i < 10; i++)
        out[1 + i] = i < full ? '#' : '-';
    out[11] = ']';
    out[12] = '\0';
}

/* Of the terminal, less one: a line that fills it would wrap. */
static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col - 1 : 250;
}

static void show(cli_progress *p, const poy_progress *at)
{
    char line[256], gauge[13];
    double share = at->total > 0 ? at->done / at->total : 0, time = cli_now();
    int last = at->done >= at->total;
    if (p->c->verbosity < 0)
        return;
    if (p->terminal) {
        if (time - p->shown < 0.2 && !last)
            return;
        p->shown = time;
        bar(share, gauge);
        text(p, at, sizeof line, line);
        fprintf(stderr, "\r%.*s %.*s\033[K", columns(), gauge, columns() - (int)sizeof gauge, line);
        p->line = 1;
    } else if ((int)(10 * share) > p->tenth) {
        p->tenth = (int)(10 * share);
        text(p, at, sizeof line, line);
        fprintf(stderr, "%s: %s\n", at->what, line); /* several runs may write to one log */
    }
    fflush(stderr);
}

static void show_json(const cli_progress *p, const poy_progress *at)
{
    char *line = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&line, &n);
    if (!out)
        return;
    fputs("{\"name\": ", out);
    cli_json_string(out, at->what);
    fprintf(out,
            ", \"done\": %.17g, \"total\": %.17g, \"unit\": \"%s\", \"step\": %.17g, \"accepted\": %lld, "
            "\"rejected\": %lld, \"elapsed\": %.3f}\n",
            at->done, at->total, at->unit, at->step, (long long)at->accepted, (long long)at->rejected,
            cli_now() - p->start);
    const ssize_t written = fclose(out) == 0 ? write(p->json, line, n) : -1;
    (void)written; /* a front end that went away does not end the run */
    free(line);
}

static int on_progress(void *user, const poy_progress *at)
{
    cli_progress *p = user;
    if (!p->started) {
        p->started = 1;
        p->from = at->done - at->step;
    }
    show(p, at);
    if (p->json >= 0)
        show_json(p, at);
    return stop_asked || (p->stop_after > 0 && cli_now() - p->start > p->stop_after);
}

int cli_progress_begin(cli *c, const cli_args *args, cli_progress *p)
{
    struct sigaction action;
    long descriptor = -1;
    *p = (cli_progress){.c = c, .terminal = isatty(STDERR_FILENO), .start = cli_now(), .json = -1};
    int code = cli_quantity(c, args, "stop-after", POY_DIM_WALL_TIME, &p->stop_after);
    if (!code)
        code = cli_count(c, args, "json-progress", 0, &descriptor);
    if (code)
        return code;
    p->json = (int)descriptor;
    at_once = 0;
    code_at_once = 75;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    poy_ctx_set_progress(c->ctx, on_progress, p);
    return 0;
}

void cli_progress_end(cli_progress *p)
{
    poy_ctx_set_progress(p->c->ctx, NULL, NULL);
    if (p->line)
        fprintf(stderr, "\n");
    p->line = 0;
}

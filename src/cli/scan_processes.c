/* scan_processes.c: the processes of a scan: each is this command with --worker, in a group of its own, so that a signal from
 * the terminal comes to the parent alone, which passes it on. One that dies is replaced; the queue loses nothing. */
#define _GNU_SOURCE /* prctl's companions */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "scan.h"

enum { JOBS_MAX = 1024, ARGUMENTS_MAX = 160 };

static volatile sig_atomic_t asked, all_ended; /* how often to stop; no process is left */

/* Collecting is not stopped half-way by the first signal that comes then. */
static void on_signal(int number)
{
    (void)number;
    if (all_ended && asked)
        _exit(75);
    asked++;
}

/* ---- starting ---- */

typedef struct command_line {
    const char *list[ARGUMENTS_MAX];
    char texts[8][160];
    int n, n_texts;
} command_line;

static void word(command_line *l, const char *text)
{
    if (l->n < ARGUMENTS_MAX - 1)
        l->list[l->n++] = text;
}

static void option(command_line *l, const char *name, const char *value)
{
    if (!value)
        return;
    word(l, name);
    word(l, value);
}

static const char *number(command_line *l, const char *format, long long a, long long b)
{
    char *text = l->texts[l->n_texts < 8 ? l->n_texts++ : 7];
    snprintf(text, sizeof l->texts[0], format, a, b);
    return text;
}

/* Threads and memory are shared out among the processes. */
static void make_command(const cli_scan *s, int k, command_line *l)
{
    const cli_args *a = s->args;
    const char *memory = cli_value(a, "memory"), *threads = cli_value(a, "threads"), *kept = NULL;
    poy_quantity q;
    *l = (command_line){.n = 0};
    word(l, "poynting");
    word(l, "-q");
    word(l, "scan");
    word(l, s->recipe_path);
    option(l, "--worker", number(l, "%lld/%lld", k, s->jobs));
    option(l, "--queue", poy_recipe_scan_folder(s->scan));
    option(l, "--index", number(l, "%lld:%lld", s->first, s->first + s->n));
    for (int i = 0; cli_value_at(a, "set", i); i++)
        option(l, "-s", cli_value_at(a, "set", i));
    option(l, "--together", cli_value(a, "together"));
    option(l, "--backend", cli_value(a, "backend"));
    if (!threads && poy_recipe_get(s->c->ctx, s->recipe, "run.threads", &kept) != POY_OK) {
        const int share = poy_ctx_threads(s->c->ctx) / s->jobs;
        poy_ctx_clear(s->c->ctx);
        threads = number(l, "%lld", share > 1 ? share : 1, 0);
    }
    option(l, "--threads", threads);
    if (memory && poy_quantity_parse_as(s->c->ctx, memory, POY_DIM_BYTES, &q) == POY_OK)
        memory = number(l, "%lld B", (long long)(q.value / s->jobs), 0);
    option(l, "--memory", memory);
}

/* The parent dies with kill -9: so do its processes, with the signal that lets them keep what they have. */
static void become_worker(const command_line *l, pid_t parent)
{
    setpgid(0, 0);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(75);
#endif
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    execv("/proc/self/exe", (char *const *)(const void *)l->list);
    execvp("poynting", (char *const *)(const void *)l->list);
    _exit(74);
}

static pid_t start(const cli_scan *s, int k)
{
    command_line l;
    make_command(s, k, &l);
    const pid_t parent = getpid();
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become_worker(&l, parent);
    return pid;
}

/* ---- watching ---- */

typedef struct watch {
    cli_scan *s;
    pid_t pid[JOBS_MAX]; /* 0: none */
    int alive, code;
    int sent;            /* signals passed on */
    double begin, shown; /* s */
    int64_t before;      /* over when this call began */
    int tenth, line, terminal;
    int deaths; /* one after the other, in which no point came to its end */
    int64_t over;
} watch;

/* "[#####-----] 12/40 done, 1 failed, 2 running  31.2 s left 80.1 s": what is left follows from this call's own pace. */
static void show(watch *w, int last)
{
    cli_scan_counts n;
    char spent[32], left[32], gauge[11] = "----------";
    const double time = cli_now();
    if (w->s->c->verbosity < 0 || (!last && time - w->shown < (w->terminal ? 0.25 : 1)))
        return;
    w->shown = time;
    if (cli_scan_count(w->s, w->s->first, w->s->n, &n))
        return;
    const int64_t over = n.done + n.failed, fresh = over - w->before, all = w->s->n;
    const int tenth = (int)(10 * over / all);
    if (!w->terminal && tenth <= w->tenth && !last)
        return;
    if (!w->terminal && last && tenth == w->tenth && tenth == 10)
        return;
    w->tenth = tenth;
    for (int i = 0; i < tenth; i++)
        gauge[i] = '#';
    cli_duration(time - w->begin, sizeof spent, spent);
    cli_duration(fresh > 0 ? (time - w->begin) * (double)(all - over) / (double)fresh : (double)NAN, sizeof left, left);
    fprintf(stderr, "%s[%s] %lld/%lld done, %lld failed, %lld running  %s left %s%s", w->terminal ? "\r" : "", gauge,
            (long long)n.done, (long long)all, (long long)n.failed, (long long)n.running, spent, left,
            w->terminal ? "\033[K" : "\n");
    fflush(stderr);
    w->line = w->terminal;
}

static int is_fault(int signal_number)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (faults[i] == signal_number)
            return 1;
    return 0;
}

/* A point is given up by the queue after 16 of them; processes that die without a point, or before they say so, are not started for
 * ever. */
static int die_in_vain(watch *w)
{
    cli_scan_counts n;
    if (cli_scan_count(w->s, w->s->first, w->s->n, &n))
        return 1;
    w->deaths = n.done + n.failed == w->over ? w->deaths + 1 : 1;
    w->over = n.done + n.failed;
    if (w->deaths <= 16 * (w->s->jobs + 1))
        return 0;
    cli_message(w->s->c,
                "%d processes died one after the other, and no point came to its end: poynting run %s tells why",
                w->deaths, w->s->recipe_path);
    return 1;
}

/* A process ended: its point is recorded where it crashed; another one takes its place where it was killed. */
static void bury(watch *w, int k, int status)
{
    char text[160];
    const pid_t pid = w->pid[k];
    w->pid[k] = 0;
    w->alive--;
    if (WIFEXITED(status)) {
        const int code = WEXITSTATUS(status);
        w->code = code && !w->code ? code : w->code;
        return;
    }
    const int number_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (is_fault(number_)) {
        snprintf(text, sizeof text, "the process that ran it crashed (%s)\n", strsignal(number_));
        if (poy_recipe_scan_crashed(w->s->c->ctx, w->s->scan, (long)pid, text) != POY_OK)
            w->code = cli_failed(w->s->c, POY_ERR_IO);
    }
    if (!asked && !w->code && die_in_vain(w))
        w->code = 1;
    if (!asked && !w->code) {
        w->pid[k] = start(w->s, k);
        w->alive += w->pid[k] > 0;
    }
}

static void reap(watch *w)
{
    for (int k = 0; k < w->s->jobs; k++) {
        int status;
        if (w->pid[k] > 0 && waitpid(w->pid[k], &status, WNOHANG) == w->pid[k])
            bury(w, k, status);
    }
}

static void pass_signals_on(watch *w)
{
    if (w->s->stop_after > 0 && cli_now() - w->begin > w->s->stop_after && !asked)
        asked = 1;
    for (; w->sent < asked; w->sent++)
        for (int k = 0; k < w->s->jobs; k++)
            if (w->pid[k] > 0)
                kill(w->pid[k], SIGTERM);
}

static void start_all(watch *w, int64_t waiting)
{
    for (int k = 0; k < w->s->jobs && k < waiting; k++) {
        w->pid[k] = start(w->s, k);
        if (w->pid[k] > 0)
            w->alive++;
        else
            w->pid[k] = 0;
    }
}

static void wait_for_all(watch *w)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    while (w->alive) {
        nanosleep(&pause, NULL);
        reap(w);
        pass_signals_on(w);
        show(w, 0);
    }
}

/* Points whose process died after the others had passed them are left over: a new round takes them. */
static int rounds(watch *w)
{
    cli_scan_counts n;
    int64_t last = -1;
    for (;;) {
        int code = cli_scan_count(w->s, w->s->first, w->s->n, &n);
        if (code || asked || w->code || !n.waiting || n.waiting == last)
            return code ? code : w->code;
        last = n.waiting;
        start_all(w, n.waiting);
        if (!w->alive) {
            cli_message(w->s->c, "no process could be started: %s", strerror(errno));
            return 1;
        }
        wait_for_all(w);
    }
}

int cli_scan_processes(cli_scan *s)
{
    watch w = {.s = s, .begin = cli_now(), .terminal = isatty(STDERR_FILENO)};
    struct sigaction action = {.sa_handler = on_signal};
    cli_scan_counts n;
    int code = cli_scan_count(s, s->first, s->n, &n);
    if (code)
        return code;
    s->jobs = s->jobs > JOBS_MAX ? JOBS_MAX : s->jobs;
    w.before = n.done + n.failed;
    w.tenth = (int)(10 * w.before / s->n);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    code = rounds(&w);
    show(&w, 1);
    if (w.line)
        fprintf(stderr, "\n");
    const int stopped = asked != 0;
    asked = 0;
    all_ended = 1;
    return stopped ? 75 : code;
}

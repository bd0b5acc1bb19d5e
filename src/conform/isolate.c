/* isolate.c: forks the process that works, waits for it or for its time to be over, and puts its end into words. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "conform/isolate.h"
#include "core/clock.h"

enum { LATE_EXIT = 70 }; /* of a process whose watcher is gone */

poy_status poyi_watch_create(poy_ctx *ctx, size_t size, void **out)
{
    *out = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (*out != MAP_FAILED)
        return POY_OK;
    *out = NULL;
    return POYI_FAIL(ctx, POY_ERR_MEMORY, "conform: no memory for %zu bytes that two processes share", size);
}

void poyi_watch_destroy(size_t size, void **shared)
{
    if (*shared)
        munmap(*shared, size);
    *shared = NULL;
}

/* ---- the one who works ---- */

void poyi_watch_begin(poyi_watch *w, int is_case, const char *name)
{
    w->is_case = is_case;
    snprintf(w->name, sizeof w->name, "%s", name);
    atomic_store(&w->since, poyi_seconds());
}

void poyi_watch_tell(poyi_watch *w)
{
    if (w->tells < 0) {
        w->told(w->user);
        return;
    }
    while (write(w->tells, "", 1) != 1)
        if (errno != EINTR)
            _exit(LATE_EXIT); /* nobody listens any more */
}

/* In the new process. Nothing of the caller's is run at its end: neither what exit calls, nor its buffered output. */
static _Noreturn void work_here(poy_ctx *ctx, const poyi_task *task, pid_t parent, poyi_watch *w)
{
    const struct rlimit none = {0, 0};
    setpgid(0, 0);                 /* what it starts ends with it; the watcher says so too, whoever comes first */
    setrlimit(RLIMIT_CORE, &none); /* a crash is a finding */
    signal(SIGINT, SIG_IGN);       /* the watcher decides */
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(LATE_EXIT);
    poy_ctx_set_progress(ctx, NULL, NULL);
    w->status = task->work(ctx, w);
    snprintf(w->cause, sizeof w->cause, "%s", w->status == POY_OK ? "" : poy_ctx_cause(ctx));
    w->ended = 1;
    _exit(0);
}

/* ---- the one who watches ---- */

typedef struct child {
    pid_t pid;
    int hears; /* its tells; at its end this reads as the end of a file, unless something that it started has the other end */
    int is_late, is_stopped;
    int how; /* waitpid's */
} child;

static poy_status start(poy_ctx *ctx, const poyi_task *task, poyi_watch *w, child *c)
{
    int ends[2];
    const pid_t parent = getpid();
    *c = (child){.hears = -1};
    if (pipe(ends) != 0)
        return POYI_FAIL(ctx, POY_ERR_IO, "conform: no pipe to a process of its own: %s", strerror(errno));
    fflush(NULL); /* else both would print what is buffered */
    w->ended = 0;
    w->tells = ends[1];
    poyi_watch_begin(w, 0, "started");
    c->pid = fork();
    if (c->pid == 0) {
        close(ends[0]);
        work_here(ctx, task, parent, w);
    }
    const int why = errno;
    close(ends[1]);
    c->hears = ends[0];
    if (c->pid > 0) {
        setpgid(c->pid, c->pid);
        return POY_OK;
    }
    close(ends[0]);
    return POYI_FAIL(ctx, POY_ERR_IO, "conform: no process of its own: %s", strerror(why));
}

/* ms to the end of the time of what is under way, a part of a second at most; 0: it is over. */
static int time_left(const poyi_task *task, poyi_watch *w)
{
    const double left = task->seconds - (poyi_seconds() - atomic_load(&w->since));
    return left <= 0 ? 0 : left < 0.2 ? 1 + (int)(1e3 * left) : 200;
}

/* Passes on what is told within ms; returns how much that was, 0 for none, -1 where nothing can come any more. */
static int hear(const poyi_task *task, const child *c, int ms)
{
    char told[64];
    struct pollfd fd = {.fd = c->hears, .events = POLLIN};
    if (poll(&fd, 1, ms) <= 0)
        return 0;
    const ssize_t n = read(c->hears, told, sizeof told);
    for (ssize_t i = 0; i < n; i++)
        task->told(task->user);
    return n == 0 ? -1 : (int)n;
}

/* It stays a zombie, so that its number is that of no other. */
static int has_ended(const child *c)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == c->pid;
}

/* Until the process ends, by itself or because its time is over or the caller wants to stop. */
static void watch(poy_ctx *ctx, const poyi_task *task, poyi_watch *w, child *c)
{
    enum { SOON = 200, AT_ONCE = 1 /* ms */ };
    const poy_progress at = {.what = "conform", .unit = "cases"};
    int is_deaf = 0; /* the other end is closed, as it is at the end */
    for (int heard = 1; heard > 0 || !has_ended(c);) {
        const int is_over = c->is_late || c->is_stopped, wait = is_over ? SOON : time_left(task, w);
        if (!is_over) {
            c->is_stopped = poyi_progress(ctx, &at) != 0;
            c->is_late = wait == 0 && !c->is_stopped;
            if (c->is_late || c->is_stopped)
                kill(-c->pid, SIGKILL);
        }
        heard = is_deaf ? poll(NULL, 0, AT_ONCE) : hear(task, c, wait);
        is_deaf = is_deaf || heard < 0;
    }
    while (!is_deaf && hear(task, c, 0) > 0) /* what came just before */
        ;
    if (!w->ended)
        kill(-c->pid, SIGKILL); /* what it left */
    while (waitpid(c->pid, &c->how, 0) < 0 && errno == EINTR)
        ;
    close(c->hears);
}

static const char *signal_name(int number)
{
    switch (number) {
    case SIGSEGV: return "SIGSEGV, memory that is not its own";
    case SIGBUS: return "SIGBUS, memory that is not there or not aligned";
    case SIGFPE: return "SIGFPE, an integer division by zero or a trapped exception";
    case SIGILL: return "SIGILL, an instruction that the processor does not have";
    case SIGABRT: return "SIGABRT, it gave up by itself";
    case SIGKILL: return "SIGKILL, perhaps for want of memory";
    case SIGTERM: return "SIGTERM";
    default: return NULL;
    }
}

static void put_into_words(const poyi_task *task, const child *c, size_t size, char *how)
{
    if (c->is_late)
        snprintf(how, size, "did not return within %g s", task->seconds);
    else if (WIFSIGNALED(c->how) && signal_name(WTERMSIG(c->how)))
        snprintf(how, size, "crashed: %s", signal_name(WTERMSIG(c->how)));
    else if (WIFSIGNALED(c->how))
        snprintf(how, size, "crashed: signal %d", WTERMSIG(c->how));
    else
        snprintf(how, size, "ended the process, with exit code %d", WEXITSTATUS(c->how));
}

/* One process, to its end. */
static poy_status run_child(poy_ctx *ctx, const poyi_task *task, poyi_watch *w)
{
    child c;
    char how[128];
    POYI_TRY(ctx, start(ctx, task, w, &c));
    watch(ctx, task, w, &c);
    if (c.is_stopped)
        return POYI_FAIL(ctx, POY_ERR_INTERRUPTED, "conform: interrupted");
    if (w->ended && w->status != POY_OK)
        return POYI_FAIL(ctx, w->status, "%s", w->cause);
    if (w->ended)
        return POY_OK;
    put_into_words(task, &c, sizeof how, how);
    if (!w->is_case)
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "conform: the backend %s, when it was %s", how, w->name);
    task->died(w, how, c.is_late);
    return POY_OK;
}

poy_status poyi_task_run(poy_ctx *ctx, const poyi_task *task, int isolated, void *shared)
{
    poyi_watch *w = shared;
    w->told = task->told;
    w->user = task->user;
    w->tells = -1;
    if (!isolated) {
        POYI_TRY(ctx, task->work(ctx, shared));
        return POY_OK;
    }
    do
        POYI_TRY(ctx, run_child(ctx, task, w));
    while (!w->ended);
    return POY_OK;
}

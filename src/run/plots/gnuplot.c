/* gnuplot.c: gnuplot as a child that reads its script from a pipe. Signals and descriptors of the process stay as they are. */
#define _GNU_SOURCE /* pipe2, memfd_create, environ */
#include "run/plots/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

poy_status poyi_text_save(poy_ctx *ctx, const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    size_t written = fwrite(text, 1, length, file);
    int failed = written != length ? errno : 0;
    if (fclose(file) && !failed)
        failed = errno;
    if (failed)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be written: %s", path, strerror(failed));
    return POY_OK;
}

/* Writes into a pipe whose reader may go away, without a SIGPIPE for the process. */
static int feed(int fd, const char *text, size_t length)
{
    sigset_t pipe_set, old, pending;
    const struct timespec at_once = {0};
    int result = 0;
    sigemptyset(&pipe_set);
    sigaddset(&pipe_set, SIGPIPE);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_set, &old);
    while (length && !result) {
        ssize_t n = write(fd, text, length);
        if (n < 0 && errno != EINTR)
            result = -1;
        if (n > 0) {
            text += n;
            length -= (size_t)n;
        }
    }
    if (result && !was_pending)
        while (sigtimedwait(&pipe_set, NULL, &at_once) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return result;
}

static pid_t spawn(int input, int errors)
{
    char *const arguments[] = {(char[]){"gnuplot"}, (char[]){"-d"}, NULL}; /* -d: no settings of the user's */
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    int failed = posix_spawnp(&child, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = failed;
    return failed ? -1 : child;
}

/* What gnuplot said, on one line; pictures that went astray are left out. */
static void read_words(int fd, size_t size, char *out)
{
    ssize_t n = pread(fd, out, size - 1, 0);
    out[n > 0 ? n : 0] = '\0';
    for (char *c = out; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = ' ';
}

static poy_status wait_for(poy_ctx *ctx, pid_t child, int errors, const char *path)
{
    char words[400];
    struct stat about;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: gnuplot is not installed: install it, or ask for csv", path);
    read_words(errors, sizeof words, words);
    if (!WIFEXITED(status) || WEXITSTATUS(status) || stat(path, &about) || !about.st_size)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: gnuplot could not draw it: %s", path, words);
    return POY_OK;
}

poy_status poyi_gnuplot(poy_ctx *ctx, const char *path, const char *script, size_t length)
{
    POYI_TRY(ctx, poyi_text_save(ctx, path, "", 0)); /* can it be written? gnuplot would write to its output instead */
    int ends[2] = {-1, -1}, errors = memfd_create("gnuplot", MFD_CLOEXEC);
    poy_status status;
    if (errors < 0 || pipe2(ends, O_CLOEXEC)) {
        status = POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot start gnuplot: %s", path, strerror(errno));
        goto done;
    }
    pid_t child = spawn(ends[0], errors);
    if (child < 0) {
        status = errno == ENOENT ? POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                                             "%s: gnuplot is not installed: install it, or ask for csv", path)
                                 : POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot start gnuplot: %s", path, strerror(errno));
        goto done;
    }
    close(ends[0]);
    ends[0] = -1;
    feed(ends[1], script, length); /* where gnuplot stops reading, its exit status tells */
    close(ends[1]);
    ends[1] = -1;
    status = wait_for(ctx, child, errors, path);
done:
    if (status != POY_OK)
        unlink(path);
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    if (errors >= 0)
        close(errors);
    return status;
}

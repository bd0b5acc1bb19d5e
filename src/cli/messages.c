/* messages.c: what the command says on standard error. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "cli.h"

static const char *shade(const cli *c, const char *code)
{
    return c->color ? code : "";
}

static void message(const cli *c, const char *prefix, const char *format, va_list args)
{
    fprintf(stderr, "%spoynting%s%s:%s ", shade(c, "\033[1m"), *prefix ? " " : "", prefix, shade(c, "\033[0m"));
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
}

void cli_message(const cli *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(c, "", format, args);
    va_end(args);
}

int cli_usage(const cli *c, const cli_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(c, command ? command->name : "", format, args);
    va_end(args);
    if (command)
        fprintf(stderr, "Try: poynting %s --help\n", command->name);
    return EXIT_USAGE;
}

int cli_failed(const cli *c, poy_status status)
{
    const char *account = poy_ctx_message(c->ctx);
    size_t n = c->verbosity > 0 ? strlen(account) : strcspn(account, "\n");
    if (!n) {
        account = poy_status_text(status);
        n = strlen(account);
    }
    fprintf(stderr, "%s%.*s%s\n", shade(c, "\033[31m"), (int)n, account, shade(c, "\033[0m"));
    return poy_status_exit_code(status);
}

void cli_faults(const cli *c, const poy_recipe *recipe)
{
    char line[2048];
    for (int i = 0; i < poy_recipe_fault_count(recipe); i++) {
        const poy_fault *fault = poy_recipe_fault(recipe, i);
        if (fault->warning && c->verbosity < 0)
            continue;
        poy_fault_format(fault, sizeof line, line);
        fprintf(stderr, "%s%s%s\n", shade(c, fault->warning ? "\033[33m" : "\033[31m"), line, shade(c, "\033[0m"));
    }
}

void cli_log(void *user, poy_log_level level, const char *text)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    const cli *c = user;
    poy_log_level shown = c->verbosity < 0    ? POY_LOG_ERROR
                          : c->verbosity == 0 ? POY_LOG_WARNING
                          : c->verbosity == 1 ? POY_LOG_INFO
                                              : POY_LOG_DEBUG;
    if (level <= shown)
        fprintf(stderr, "%s%s: %s%s\n", shade(c, level == POY_LOG_WARNING ? "\033[33m" : ""), names[level], text,
                shade(c, level == POY_LOG_WARNING ? "\033[0m" : ""));
    if (c->log) {
        fprintf(c->log, "%s: %s\n", names[level], text);
        fflush(c->log);
    }
}

int cli_close(const cli *c, FILE *out, const char *path)
{
    const int is_broken = fflush(out) != 0 || ferror(out), why = errno;
    const int failed = fclose(out) != 0;
    if (!is_broken && !failed)
        return 0;
    cli_message(c, "%s: cannot be written: %s", path, strerror(is_broken ? why : errno));
    return poy_status_exit_code(POY_ERR_IO);
}

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_duration(double seconds, size_t size, char *out)
{
    if (!(seconds < 3.6e6))
        snprintf(out, size, "-");
    else if (seconds < 100)
        snprintf(out, size, "%.1f s", seconds);
    else if (seconds < 6000)
        snprintf(out, size, "%d:%02d min", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(out, size, "%d:%02d h", (int)seconds / 3600, (int)seconds / 60 % 60);
}

/* main.c: the command: global options, then a subcommand. */
#define _POSIX_C_SOURCE 200809L /* SIGXFSZ */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#if defined(__GLIBC__)
#include <malloc.h>

/* What is freed in large blocks goes back to the system at once. By itself the C library keeps it, in pieces that nothing else fits
 * into: a fifth of what a run takes. */
static void keep_no_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
}
#else
static void keep_no_memory(void) {}
#endif

static const cli_command *find(const char *name)
{
    for (int i = 0; cli_command_at(i); i++)
        if (!strcmp(cli_command_at(i)->name, name))
            return cli_command_at(i);
    return NULL;
}

static void help(FILE *out)
{
    fprintf(out, "poynting [-q|-v|-vv] [--color auto|always|never] [--log FILE] COMMAND ...\n\n");
    for (int i = 0; cli_command_at(i); i++)
        fprintf(out, "  %-11s %s\n", cli_command_at(i)->name, cli_command_at(i)->text);
    fprintf(out, "\n  poynting COMMAND --help, poynting --version\n"
                 "\nExample: poynting run examples/supercontinuum.toml\n");
}

static int unknown_command(const cli *c, const char *word)
{
    const char *names[64];
    int n = 0;
    for (; n < 64 && cli_command_at(n); n++)
        names[n] = cli_command_at(n)->name;
    const char *near = cli_nearest(word, names, n);
    cli_message(c, near ? "unknown command '%s': did you mean %s?" : "unknown command '%s'", word, near);
    fprintf(stderr, "Try: poynting help\n");
    return EXIT_USAGE;
}

static int set_color(cli *c, const char *when)
{
    const char *none = getenv("NO_COLOR");
    if (!strcmp(when, "always"))
        c->color = 1;
    else if (!strcmp(when, "never"))
        c->color = 0;
    else if (!strcmp(when, "auto"))
        c->color = isatty(STDERR_FILENO) && !(none && *none);
    else
        return cli_usage(c, NULL, "--color %s: say auto, always or never", when);
    return 0;
}

static int open_log(cli *c, const char *path)
{
    c->log = fopen(path, "a");
    if (c->log)
        return 0;
    cli_message(c, "--log %s: cannot be written", path);
    return poy_status_exit_code(POY_ERR_IO);
}

/* The options before the command; *i ends at the command's name. */
static int global_options(cli *c, int argc, char **argv, int *i)
{
    for (; *i < argc && argv[*i][0] == '-'; ++*i) {
        const char *word = argv[*i], *value = NULL;
        int code = 0, takes = !strncmp(word, "--color", 7) || !strncmp(word, "--log", 5);
        if (takes)
            value = strchr(word, '=') ? strchr(word, '=') + 1 : *i + 1 < argc ? argv[++*i] : NULL;
        if (takes && !value)
            return cli_usage(c, NULL, "%s needs a value", word);
        if (!strcmp(word, "-q"))
            c->verbosity = -1;
        else if (!strcmp(word, "-v"))
            c->verbosity = 1;
        else if (!strcmp(word, "-vv"))
            c->verbosity = 2;
        else if (!strncmp(word, "--color", 7))
            code = set_color(c, value ? value : "");
        else if (!strncmp(word, "--log", 5))
            code = open_log(c, value ? value : "");
        else if (!strcmp(word, "--version") || !strcmp(word, "--help") || !strcmp(word, "-h"))
            return 0; /* main prints them */
        else
            return cli_usage(c, NULL, "unknown option %s: options of a command stand behind it", word);
        if (code)
            return code;
    }
    return 0;
}

static int run_command(cli *c, int argc, char **argv)
{
    cli_args args;
    if (!strcmp(argv[0], "help")) {
        const cli_command *about = argc > 1 ? find(argv[1]) : NULL;
        if (argc > 1 && !about)
            return unknown_command(c, argv[1]);
        if (about)
            cli_help(stdout, about);
        else
            help(stdout);
        return 0;
    }
    const cli_command *command = find(argv[0]);
    if (!command)
        return unknown_command(c, argv[0]);
    int code = cli_args_read(c, command, argc - 1, argv + 1, &args);
    if (code)
        return code;
    if (cli_has(&args, "help")) {
        cli_help(stdout, command);
        return 0;
    }
    return command->run(c, &args);
}

/* A standard stream that is closed would be the first file that is opened, and lines would go there. In its place stands one that
 * cannot be written to, or read from. */
static void keep_streams_apart(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* What was printed has to have arrived. */
static int close_output(const cli *c, int code)
{
    errno = 0;
    const int is_broken = fflush(stdout) != 0 || ferror(stdout), why = errno;
    if (!is_broken)
        return code;
    if (why)
        cli_message(c, "standard output cannot be written to: %s", strerror(why));
    else
        cli_message(c, "standard output cannot be written to");
    return code ? code : poy_status_exit_code(POY_ERR_IO);
}

int main(int argc, char **argv)
{
    cli c = {0};
    int i = 1, code;
    keep_streams_apart();
    keep_no_memory();
    set_color(&c, "auto");
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is told like a full disk */
    if (poy_ctx_create(&c.ctx) != POY_OK) {
        cli_message(&c, "no memory to start");
        return 1;
    }
    poy_ctx_set_front_end(c.ctx, POY_FRONT_END_COMMAND);
    poy_ctx_set_log(c.ctx, cli_log, &c, POY_LOG_DEBUG);
    code = global_options(&c, argc, argv, &i);
    if (code) {
        /* said already */
    } else if (i < argc && !strcmp(argv[i], "--version")) {
        printf("poynting %s\n", poy_version());
    } else if (i < argc && argv[i][0] == '-') {
        help(stdout);
    } else if (i >= argc) {
        help(stderr);
        code = EXIT_USAGE;
    } else {
        code = run_command(&c, argc - i, argv + i);
    }
    if (c.log)
        fclose(c.log);
    poy_ctx_destroy(&c.ctx);
    return close_output(&c, code);
}

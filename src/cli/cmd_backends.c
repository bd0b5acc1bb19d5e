/* cmd_backends.c: poynting backends: which there are here, with what behind them, and why not the others. */
#include <string.h>

#include "cli.h"

/* Those that the design names but this build lacks. */
static const char *const absent[][2] = {{"opencl", "not built yet"}, {"cuda", "not built yet"}};

static void one_json(const char *name, int available, const char *text)
{
    printf("{\"name\": ");
    cli_json_string(stdout, name);
    printf(", \"available\": %s, \"%s\": ", available ? "true" : "false", available ? "description" : "reason");
    cli_json_string(stdout, text);
    printf("}");
}

static void one_text(const char *name, int available, const char *text)
{
    printf("%s%s\n", name, available ? "" : ": not available");
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        printf("  %.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

static int run(cli *c, const cli_args *args)
{
    void (*one)(const char *, int, const char *) = cli_has(args, "json") ? one_json : one_text;
    char text[1024];
    int n = 0;
    if (cli_has(args, "json"))
        printf("{\"threads\": %d, \"backends\": [", poy_ctx_threads(c->ctx));
    for (const char *name; (name = poy_backend_known(c->ctx, n)); n++) {
        poy_backend *be = NULL;
        poy_status status = poy_backend_open(c->ctx, name, &be);
        if (status == POY_OK)
            poy_backend_describe(be, sizeof text, text);
        else
            snprintf(text, sizeof text, "%s", poy_ctx_cause(c->ctx));
        if (n && cli_has(args, "json"))
            printf(", ");
        one(name, status == POY_OK, text);
        poy_backend_close(&be);
    }
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        if (cli_has(args, "json"))
            printf(", ");
        one(absent[i][0], 0, absent[i][1]);
    }
    if (cli_has(args, "json"))
        printf("]}\n");
    return 0;
}

static const cli_option options[] = {
    {"json", 0, NULL, "the same as JSON"},
    {0},
};

const cli_command cmd_backends = {
    .name = "backends",
    .arguments = "",
    .at_least = 0,
    .at_most = 0,
    .text = "which backends exist here, why not the others, and what is behind them",
    .more = "",
    .example = "poynting backends --json",
    .options = options,
    .run = run,
};

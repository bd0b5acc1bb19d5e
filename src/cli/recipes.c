/* recipes.c: loading a recipe with the overrides of the command line. */
#include <string.h>

#include "cli.h"

int cli_recipe(cli *c, const cli_args *args, const char *path, poy_recipe **out)
{
    char key[256];
    poy_status status = poy_recipe_load(c->ctx, path, out);
    if (status != POY_OK)
        return cli_failed(c, status);
    for (int i = 0;; i++) {
        const char *pair = cli_value_at(args, "set", i);
        if (!pair)
            return 0;
        size_t n = strcspn(pair, "=");
        if (!pair[n] || !n || n >= sizeof key) {
            poy_recipe_destroy(out);
            return cli_usage(c, args->command, "-s '%s' is not key=value: write -s pulse.0.energy=\"150 uJ\"", pair);
        }
        snprintf(key, sizeof key, "%.*s", (int)n, pair);
        status = poy_recipe_set(c->ctx, *out, key, pair + n + 1);
        if (status != POY_OK) {
            poy_recipe_destroy(out);
            cli_failed(c, status);
            return EXIT_RECIPE;
        }
    }
}

int cli_shortcuts(cli *c, const cli_args *args, poy_recipe *recipe)
{
    static const char *const pairs[][2] = {
        {"backend", "run.backend"}, {"threads", "run.threads"}, {"memory", "run.memory"}};
    for (int i = 0; i < 3; i++) {
        const char *value = cli_value(args, pairs[i][0]);
        poy_status status = value ? poy_recipe_set(c->ctx, recipe, pairs[i][1], value) : POY_OK;
        if (status != POY_OK)
            return cli_failed(c, status);
    }
    return 0;
}

double cli_process_bytes(cli *c, poy_recipe *recipe, long together)
{
    poy_number numbers[CLI_NUMBERS_MAX];
    double process = 0, run = 0;
    size_t n = 0;
    if (poy_recipe_describe(c->ctx, recipe, CLI_NUMBERS_MAX, numbers, &n) != POY_OK)
        poy_ctx_clear(c->ctx);
    for (size_t i = 0; i < n && i < CLI_NUMBERS_MAX; i++)
        if (!strcmp(numbers[i].key, "process"))
            process = numbers[i].value;
        else if (!strcmp(numbers[i].key, "bytes"))
            run = numbers[i].value;
    return process > 0 && together > 1 ? process + (double)(together - 1) * run : process;
}

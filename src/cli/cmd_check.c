/* cmd_check.c: poynting check: all faults of a recipe at once, and the numbers that follow from a good one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void keys_json(void)
{
    poy_recipe_key k;
    printf("[");
    for (int i = 0; poy_recipe_key_at(i, &k); i++) {
        const char *const pairs[][2] = {{"path", k.path},
                                        {"kind", k.kind},
                                        {"types", k.types},
                                        {"form", k.form},
                                        {"dimension", k.dimension},
                                        {"range", k.range},
                                        {"words", k.words},
                                        {"need", k.need},
                                        {"default", k.value},
                                        {"good", k.good},
                                        {"bad", k.bad},
                                        {"code", k.code},
                                        {"text", k.text}};
        printf("%s\n{", i ? "," : "");
        for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
            printf("%s\"%s\": ", p ? ", " : "", pairs[p][0]);
            cli_json_string(stdout, pairs[p][1]);
        }
        printf("}");
    }
    printf("\n]\n");
}

static void keys_text(void)
{
    poy_recipe_key k;
    for (int i = 0; poy_recipe_key_at(i, &k); i++)
        printf("%-32s %s%s%s%s\n", k.path, k.text, *k.value && strcmp(k.value, "=") != 0 ? " [" : "",
               strcmp(k.value, "=") != 0 ? k.value : "", *k.value && strcmp(k.value, "=") != 0 ? "]" : "");
}

static void fault_json(const poy_fault *f)
{
    printf("{\"file\": ");
    cli_json_string(stdout, f->file);
    printf(", \"line\": %d, \"column\": %d, \"key\": ", f->line, f->column);
    cli_json_string(stdout, f->key);
    printf(", \"code\": ");
    cli_json_string(stdout, f->code);
    printf(", \"severity\": \"%s\", \"problem\": ", f->warning ? "warning" : "error");
    cli_json_string(stdout, f->problem);
    printf(", \"hint\": ");
    cli_json_string(stdout, f->hint);
    printf("}");
}

/* A number without a dimension of its own; s2/m, s3/m, ... in fs2/m, fs3/m, ... as benches have them. */
static void plain(const poy_number *number, size_t size, char *value)
{
    const char *unit = number->unit;
    const int order = unit[0] == 's' && unit[1] >= '2' && unit[1] <= '9' && !strcmp(unit + 2, "/m") ? unit[1] - '0' : 0;
    snprintf(value, size, "%.6g%s%s%s", number->value * pow(1e15, order), *unit ? " " : "", order ? "f" : "", unit);
}

static void numbers_text(const poy_number *list, size_t n)
{
    char value[64];
    for (size_t i = 0; i < n; i++) {
        if (isnan(list[i].value))
            snprintf(value, sizeof value, "-");
        else if (list[i].dimension == POY_DIM_NONE)
            plain(&list[i], sizeof value, value);
        else
            poy_quantity_format(list[i].value, list[i].dimension, 5, sizeof value, value);
        printf("  %-18s %-22s %s\n", list[i].key, value, list[i].text);
    }
}

static void numbers_json(const poy_number *list, size_t n)
{
    printf("{");
    for (size_t i = 0; i < n; i++) {
        printf("%s", i ? ", " : "");
        cli_json_string(stdout, list[i].key);
        printf(": {\"value\": ");
        cli_json_number(stdout, list[i].value);
        printf(", \"unit\": ");
        cli_json_string(stdout, list[i].unit);
        printf("}");
    }
    printf("}");
}

/* Faults that are warnings, or those that are not. */
static int has_faults(const poy_recipe *recipe, int warnings)
{
    for (int i = 0; i < poy_recipe_fault_count(recipe); i++)
        if (!poy_recipe_fault(recipe, i)->warning == !warnings)
            return 1;
    return 0;
}

static void result_json(const char *path, const poy_recipe *recipe, int good, const poy_number *numbers, size_t n)
{
    printf("{\"file\": ");
    cli_json_string(stdout, path);
    printf(", \"ok\": %s, \"faults\": [", good ? "true" : "false");
    for (int i = 0; i < poy_recipe_fault_count(recipe); i++) {
        printf("%s", i ? ", " : "");
        fault_json(poy_recipe_fault(recipe, i));
    }
    printf("], \"numbers\": ");
    numbers_json(numbers, n);
    if (good && poy_recipe_resolved(recipe)) {
        printf(", \"resolved\": ");
        cli_json_string(stdout, poy_recipe_resolved(recipe));
    }
    printf("}");
}

static void result_text(const cli *c, const cli_args *args, const char *path, const poy_recipe *recipe, int good,
                        const poy_number *numbers, size_t n)
{
    cli_faults(c, recipe);
    if (!good)
        return;
    if (c->verbosity >= 0)
        printf("%s: ok\n", path);
    if (cli_has(args, "resolved"))
        printf("%s", poy_recipe_resolved(recipe));
    else if (c->verbosity >= 0)
        numbers_text(numbers, n);
}

static int check_one(cli *c, const cli_args *args, const char *path)
{
    poy_recipe *recipe;
    poy_number numbers[CLI_NUMBERS_MAX];
    size_t n = 0;
    int code = cli_recipe(c, args, path, &recipe);
    if (code)
        return code;
    poy_status status = poy_recipe_check(c->ctx, recipe);
    if (status == POY_OK)
        status = poy_recipe_describe(c->ctx, recipe, CLI_NUMBERS_MAX, numbers, &n);
    if (status == POY_ERR_UNSUPPORTED) { /* a good recipe of something that is not built yet, if a warning says so */
        status = has_faults(recipe, 0) ? POY_ERR_RECIPE : POY_OK;
        n = 0;
    }
    if (status != POY_OK && status != POY_ERR_RECIPE)
        code = cli_failed(c, status);
    int good = status == POY_OK && !(cli_has(args, "strict") && has_faults(recipe, 1));
    if (!good && !code)
        code = EXIT_RECIPE;
    n = n < CLI_NUMBERS_MAX ? n : CLI_NUMBERS_MAX;
    if (cli_has(args, "json"))
        result_json(path, recipe, good, numbers, n);
    else
        result_text(c, args, path, recipe, good, numbers, n);
    poy_recipe_destroy(&recipe);
    return code;
}

static void print_units(void)
{
    for (int d = POY_DIM_NONE + 1; d < POY_DIM_COUNT; d++)
        printf("%-40s %s\n", poy_dimension_name((poy_dimension)d), poy_dimension_examples((poy_dimension)d));
}

static int run(cli *c, const cli_args *args)
{
    int code = 0, json = cli_has(args, "json");
    if (cli_has(args, "units")) {
        print_units();
        return 0;
    }
    if (cli_has(args, "keys")) {
        if (json)
            keys_json();
        else
            keys_text();
        return 0;
    }
    if (!args->n_words)
        return cli_usage(c, args->command, "needs a recipe");
    if (json)
        printf("[");
    for (int i = 0; i < args->n_words; i++) {
        if (json && i)
            printf(",\n");
        int one = check_one(c, args, args->words[i]);
        code = one > code ? one : code;
    }
    if (json)
        printf("]\n");
    return code;
}

static const cli_option options[] = {
    {"set", 's', "KEY=VALUE", "put a value in the place of the recipe's own; repeatable"},
    {"strict", 0, NULL, "warnings are faults"},
    {"resolved", 0, NULL, "print the recipe with every default filled in"},
    {"json", 0, NULL, "faults and numbers as JSON"},
    {"keys", 0, NULL, "list every key that a recipe may have"},
    {"units", 0, NULL, "list the units"},
    {0},
};

const cli_command cmd_check = {
    .name = "check",
    .arguments = "RECIPE...",
    .at_least = 0,
    .at_most = -1,
    .text = "validate recipes without running them: all faults at once, and derived numbers",
    .more = "Each fault is one line, FILE:LINE: KEY: problem: hint. Exit 0: none; 3: some.",
    .example = "poynting check examples/supercontinuum.toml",
    .options = options,
    .run = run,
};

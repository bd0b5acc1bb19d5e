/* options.c: reading options by their tables, and the help that the same tables give. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

const char *cli_nearest(const char *word, const char *const *names, int n)
{
    const char *best = NULL;
    int least = strlen(word) < 4 ? 2 : 3;
    for (int i = 0; i < n; i++) {
        int d = poy_text_distance(word, names[i]);
        if (d < least) {
            least = d;
            best = names[i];
        }
    }
    return best;
}

static const cli_option help_option = {"help", 'h', NULL, "print this help"};

static const cli_option *find_long(const cli_command *command, const char *name, size_t n)
{
    for (const cli_option *o = command->options; o->name; o++)
        if (strlen(o->name) == n && !strncmp(o->name, name, n))
            return o;
    return n == 4 && !strncmp(name, "help", 4) ? &help_option : NULL;
}

static const cli_option *find_letter(const cli_command *command, char letter)
{
    for (const cli_option *o = command->options; o->name; o++)
        if (o->letter == letter)
            return o;
    return letter == 'h' ? &help_option : NULL;
}

static int unknown(const cli *c, const cli_command *command, const char *word)
{
    const char *names[64];
    int n = 0;
    for (const cli_option *o = command->options; o->name && n < 64; o++)
        names[n++] = o->name;
    const char *near = !strncmp(word, "--", 2) ? cli_nearest(word + 2, names, n) : NULL;
    if (near)
        return cli_usage(c, command, "unknown option %s: did you mean --%s?", word, near);
    return cli_usage(c, command, "unknown option %s", word);
}

/* One option at argv[*i]; takes its value from behind '=' or from the next word. */
static int read_option(const cli *c, const cli_command *command, int argc, char **argv, int *i, cli_args *out)
{
    const char *word = argv[*i], *value = NULL;
    const cli_option *option;
    if (word[1] == '-') {
        size_t n = strcspn(word + 2, "=");
        option = find_long(command, word + 2, n);
        value = word[2 + n] ? word + 3 + n : NULL;
    } else {
        option = find_letter(command, word[1]);
        value = word[2] ? word + 2 : NULL;
    }
    if (!option)
        return unknown(c, command, word);
    if (!option->value && value)
        return cli_usage(c, command, "--%s takes no value, got '%s'", option->name, value);
    if (option->value && !value) {
        if (*i + 1 >= argc)
            return cli_usage(c, command, "--%s needs a value: --%s %s", option->name, option->name, option->value);
        value = argv[++*i];
    }
    if (out->n_given == CLI_GIVEN_MAX)
        return cli_usage(c, command, "more than %d options", CLI_GIVEN_MAX);
    out->given[out->n_given].option = option;
    out->given[out->n_given++].value = value ? value : "";
    return 0;
}

int cli_args_read(cli *c, const cli_command *command, int argc, char **argv, cli_args *out)
{
    int only_words = 0;
    *out = (cli_args){.command = command, .words = argv};
    for (int i = 0; i < argc; i++) {
        if (!only_words && !strcmp(argv[i], "--")) {
            only_words = 1;
        } else if (!only_words && argv[i][0] == '-' && argv[i][1]) {
            int failed = read_option(c, command, argc, argv, &i, out);
            if (failed)
                return failed;
        } else {
            argv[out->n_words++] = argv[i]; /* words move to the front */
        }
    }
    if (cli_has(out, "help"))
        return 0;
    if (out->n_words < command->at_least)
        return cli_usage(c, command, "needs %s", command->arguments);
    if (command->at_most >= 0 && out->n_words > command->at_most)
        return cli_usage(c, command, "does not know what to do with '%s'", out->words[command->at_most]);
    return 0;
}

const char *cli_value_at(const cli_args *args, const char *name, int i)
{
    for (int k = 0; k < args->n_given; k++)
        if (!strcmp(args->given[k].option->name, name) && i-- == 0)
            return args->given[k].value;
    return NULL;
}

const char *cli_value(const cli_args *args, const char *name)
{
    for (int k = args->n_given - 1; k >= 0; k--)
        if (!strcmp(args->given[k].option->name, name))
            return args->given[k].value;
    return NULL;
}

int cli_has(const cli_args *args, const char *name)
{
    return cli_value(args, name) != NULL;
}

static int quantity(cli *c, const cli_args *args, const char *name, poy_dimension dimension, int zero_too, double *out)
{
    const char *text = cli_value(args, name);
    poy_quantity q;
    if (!text)
        return 0;
    if (poy_quantity_parse_as(c->ctx, text, dimension, &q) != POY_OK)
        return cli_usage(c, args->command, "--%s: %s", name, poy_ctx_cause(c->ctx));
    if (!(zero_too ? q.value >= 0 : q.value > 0))
        return cli_usage(c, args->command, "--%s: '%s' is %s", name, text, zero_too ? "below 0" : "not above 0");
    *out = q.value;
    return 0;
}

int cli_quantity(cli *c, const cli_args *args, const char *name, poy_dimension dimension, double *out)
{
    return quantity(c, args, name, dimension, 0, out);
}

int cli_quantity_from_zero(cli *c, const cli_args *args, const char *name, poy_dimension dimension, double *out)
{
    return quantity(c, args, name, dimension, 1, out);
}

int cli_range(cli *c, const cli_args *args, double *low, double *high)
{
    const char *text = cli_value(args, "range"), *colon = text ? strchr(text, ':') : NULL;
    char from[64];
    poy_quantity a, b;
    if (!text)
        return 0;
    if (!colon || (size_t)(colon - text) >= sizeof from)
        return cli_usage(c, args->command, "--range '%s' is not from:to: write --range \"400 nm:1.6 um\"", text);
    snprintf(from, sizeof from, "%.*s", (int)(colon - text), text);
    if (poy_quantity_parse_as(c->ctx, from, POY_DIM_SPECTRAL, &a) != POY_OK ||
        poy_quantity_parse_as(c->ctx, colon + 1, POY_DIM_SPECTRAL, &b) != POY_OK)
        return cli_usage(c, args->command, "--range: %s", poy_ctx_cause(c->ctx));
    *low = fmin(a.value, b.value);
    *high = fmax(a.value, b.value);
    if (*low < *high)
        return 0;
    return cli_usage(c, args->command, "--range '%s' has no width", text);
}

int cli_count(cli *c, const cli_args *args, const char *name, long least, long *out)
{
    const char *text = cli_value(args, name);
    char *end;
    if (!text)
        return 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > 1000000000)
        return cli_usage(c, args->command, "--%s: '%s' is not a whole number from %ld on", name, text, least);
    *out = value;
    return 0;
}

enum { SCREEN = 24 }; /* lines */

static void help_row(FILE *out, const cli_option *o)
{
    char left[64];
    char letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value ? " " : "", o->value ? o->value : "");
    fprintf(out, "  %-26s %s\n", left, o->text);
}

void cli_help(FILE *out, const cli_command *command)
{
    fprintf(out, "poynting %s%s%s%s: %s\n", command->name, *command->arguments ? " " : "", command->arguments,
            command->options->name ? " [options]" : "", command->text);
    if (*command->more)
        fprintf(out, "\n%s\n", command->more);
    fprintf(out, "\n");
    int lines = *command->more ? 6 : 4; /* besides the options */
    for (const cli_option *o = command->options; o->name; o++, lines++)
        help_row(out, o);
    if (lines <= SCREEN) /* who reads this knows it */
        help_row(out, &help_option);
    fprintf(out, "%sExample: %s\n", lines < SCREEN ? "\n" : "", command->example);
}

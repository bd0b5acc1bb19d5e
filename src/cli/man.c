/* man.c: a program of the build: writes poynting.1 and poynting-recipe.5 from the tables of commands, options and keys. */
#include <string.h>

#include "cli.h"

/* Text for troff: no command, no ligature of hyphens. */
static void put(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fprintf(out, "\\&");
    for (const char *c = text; *c; c++) {
        if (*c == '\\')
            fprintf(out, "\\e");
        else if (*c == '-')
            fprintf(out, "\\-");
        else
            fputc(*c, out);
    }
}

static void line(FILE *out, const char *macro, const char *text)
{
    fprintf(out, "%s", macro);
    put(out, text);
    fputc('\n', out);
}

static void head(FILE *out, const char *name, const char *section, const char *text)
{
    fprintf(out, ".TH %s %s \"\" \"poynting %s\"\n.SH NAME\n%s \\- %s\n", name, section, poy_version(), name, text);
}

static void option(FILE *out, const cli_option *o)
{
    fprintf(out, ".TP\n\\fB");
    if (o->letter)
        fprintf(out, "\\-%c\\fR, \\fB", o->letter);
    fprintf(out, "\\-\\-");
    put(out, o->name);
    fprintf(out, "\\fR%s%s%s\n", o->value ? " \\fI" : "", o->value ? o->value : "", o->value ? "\\fR" : "");
    line(out, "", o->text);
}

static void command(FILE *out, const cli_command *c)
{
    fprintf(out, ".SS \"%s %s\"\n", c->name, c->arguments);
    line(out, "", c->text);
    if (*c->more)
        line(out, ".PP\n", c->more);
    for (const cli_option *o = c->options; o->name; o++)
        option(out, o);
    line(out, ".PP\nExample:\n.PP\n.nf\n    ", c->example);
    fprintf(out, ".fi\n");
}

static const char exit_codes[] =
    ".SH EXIT STATUS\n.TP\n0\nall is well\n.TP\n1\na fault of the program\n.TP\n2\nusage\n.TP\n3\nthe recipe has "
    "faults\n"
    ".TP\n4\nrefused: memory, a backend or a feature that is not there, a file that does not belong\n.TP\n5\na "
    "numerical "
    "stop: not finite, step limit, range of a table\n.TP\n6\nconformance failed\n.TP\n74\na file or the disk\n.TP\n75\n"
    "stopped on request; the run can be resumed\n";

static void write_command_page(FILE *out)
{
    head(out, "poynting", "1", "compute how light moves");
    fprintf(out,
            ".SH SYNOPSIS\n\\fBpoynting\\fR [\\fB\\-q\\fR|\\fB\\-v\\fR|\\fB\\-vv\\fR] [\\fB\\-\\-color\\fR "
            "auto|always|never] [\\fB\\-\\-log\\fR \\fIFILE\\fR] \\fICOMMAND\\fR ...\n"
            ".SH DESCRIPTION\nReads recipes (poynting\\-recipe(5)), in which every number carries its unit, and writes "
            "HDF5 files that hold the result, the recipe and where it all came from. Results go to standard output, "
            "messages and progress to standard error.\n.SH COMMANDS\n");
    for (int i = 0; cli_command_at(i); i++)
        command(out, cli_command_at(i));
    fprintf(out,
            "%s.SH ENVIRONMENT\n.TP\nXDG_CACHE_HOME\nwhere plans of transforms and tables of rates are kept "
            "[~/.cache]\n.TP\nNO_COLOR\nno colours, if it is set\n.SH SEE ALSO\npoynting\\-recipe(5)\n",
            exit_codes);
}

static void key(FILE *out, const poy_recipe_key *k)
{
    fprintf(out, ".TP\n\\fB");
    put(out, k->path);
    fprintf(out, "\\fR (%s%s%s%s%s)\n", k->form, *k->dimension ? ": " : "", k->dimension, *k->range ? ", " : "",
            k->range);
    put(out, k->text);
    if (*k->words) {
        fprintf(out, "; one of ");
        put(out, k->words);
    }
    if (*k->value && strcmp(k->value, "=") != 0) {
        fprintf(out, "; default: ");
        put(out, k->value);
    }
    if (*k->need)
        fprintf(out, "; \\fBrequired\\fR");
    if (*k->types) {
        fprintf(out, "; for type ");
        put(out, k->types);
    }
    fprintf(out, ".\nExample: ");
    put(out, k->good);
    fprintf(out, "\n");
}

static void write_recipe_page(FILE *out)
{
    static const char *const kinds[][2] = {
        {"", "KEYS OF EVERY RECIPE"}, {"pulse", "KEYS OF kind = \"pulse\""}, {"scatter", "KEYS OF kind = \"scatter\""}};
    poy_recipe_key k;
    head(out, "poynting-recipe", "5", "what a recipe may say");
    fprintf(out,
            ".SH DESCRIPTION\nA recipe is a TOML file. A number with a dimension is a text with its unit, \"30 fs\"; a "
            "bare number is legal only where there is no dimension. N in a path is an index of an array of tables "
            "([[pulse]]), NAME a name of your own. Unknown keys are faults. \\fBpoynting check\\fR tells all faults "
            "at once, each with its line and what to do.\n");
    for (int s = 0; s < 3; s++) {
        fprintf(out, ".SH %s\n", kinds[s][1]);
        for (int i = 0; poy_recipe_key_at(i, &k); i++)
            if (!strcmp(k.kind, kinds[s][0]))
                key(out, &k);
    }
    fprintf(out, ".SH UNITS\n");
    for (int d = POY_DIM_NONE + 1; d < POY_DIM_COUNT; d++) {
        line(out, ".TP\n", poy_dimension_name((poy_dimension)d));
        line(out, "", poy_dimension_examples((poy_dimension)d));
    }
    fprintf(out, ".SH SEE ALSO\npoynting(1)\n");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    FILE *commands = fopen(argv[1], "w"), *recipes = fopen(argv[2], "w");
    if (!commands || !recipes)
        return 74;
    write_command_page(commands);
    write_recipe_page(recipes);
    int failed = fclose(commands);
    failed = fclose(recipes) || failed;
    return failed ? 74 : 0;
}

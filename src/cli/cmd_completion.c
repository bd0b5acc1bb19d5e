/* cmd_completion.c: poynting completion: scripts for shells, from the tables of commands and options. */
#include <string.h>

#include "cli.h"

static void commands(const char *separator)
{
    for (int i = 0; cli_command_at(i); i++)
        printf("%s%s", i ? separator : "", cli_command_at(i)->name);
}

static void bash(void)
{
    printf("# poynting completion for bash: source this, or put it into bash_completion.d\n"
           "_poynting() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} words=\"\"\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    commands(" ");
    printf(" help --version\" -- \"$cur\"))\n"
           "        return\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; cli_command_at(i); i++) {
        printf("    %s) words=\"--help", cli_command_at(i)->name);
        for (const cli_option *o = cli_command_at(i)->options; o->name; o++)
            printf(" --%s", o->name);
        printf("\" ;;\n");
    }
    printf("    esac\n"
           "    case $cur in\n"
           "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
           "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _poynting poynting\n");
}

/* Text between single quotes, for zsh's _arguments and for fish. */
static void quoted(const char *text, int zsh)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            printf("'\\''");
        else if (zsh && (*c == '[' || *c == ']' || *c == ':'))
            printf("\\%c", *c);
        else
            printf("%c", *c);
    }
}

static void zsh(void)
{
    printf("#compdef poynting\n"
           "_poynting() {\n"
           "    local -a commands\n"
           "    commands=(\n");
    for (int i = 0; cli_command_at(i); i++) {
        printf("        '%s:", cli_command_at(i)->name);
        quoted(cli_command_at(i)->text, 1);
        printf("'\n");
    }
    printf("    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe command commands\n"
           "        return\n"
           "    fi\n"
           "    case $words[2] in\n");
    for (int i = 0; cli_command_at(i); i++) {
        printf("    %s) _arguments", cli_command_at(i)->name);
        for (const cli_option *o = cli_command_at(i)->options; o->name; o++) {
            printf(" \\\n        '--%s[", o->name);
            quoted(o->text, 1);
            printf("]%s%s'", o->value ? ":" : "", o->value ? o->value : "");
        }
        printf(" \\\n        '*:file:_files' ;;\n");
    }
    printf("    esac\n"
           "}\n"
           "_poynting \"$@\"\n");
}

static void fish(void)
{
    for (int i = 0; cli_command_at(i); i++) {
        const cli_command *command = cli_command_at(i);
        printf("complete -c poynting -n __fish_use_subcommand -a %s -d '", command->name);
        quoted(command->text, 0);
        printf("'\n");
        for (const cli_option *o = command->options; o->name; o++) {
            printf("complete -c poynting -n '__fish_seen_subcommand_from %s' -l %s%s -d '", command->name, o->name,
                   o->value ? " -r" : "");
            quoted(o->text, 0);
            printf("'\n");
        }
    }
}

static int run(cli *c, const cli_args *args)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (!strcmp(shells[i].name, args->words[0])) {
            shells[i].print();
            return 0;
        }
    return cli_usage(c, args->command, "no script for '%s': there are bash, zsh and fish", args->words[0]);
}

static const cli_option options[] = {
    {0},
};

const cli_command cmd_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .at_least = 1,
    .at_most = 1,
    .text = "print the completion script of a shell",
    .more = "",
    .example = "poynting completion bash > ~/.local/share/bash-completion/completions/poynting",
    .options = options,
    .run = run,
};

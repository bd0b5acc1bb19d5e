/* commands.c: the list of commands. */
#include "cli.h"

static const cli_command *const commands[] = {
    &cmd_run, &cmd_resume,    &cmd_scan,     &cmd_grad,  &cmd_check,   &cmd_plot,       &cmd_info,
    &cmd_new, &cmd_materials, &cmd_backends, &cmd_bench, &cmd_conform, &cmd_completion,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

const cli_command *cli_command_at(int i)
{
    return i >= 0 && i < COMMANDS ? commands[i] : NULL;
}

/* main.c: the command: global options, then a subcommand. */
#include <stdio.h>

#include "poynting/poynting.h"

int main(void)
{
    printf("poynting %s\n", poy_version());
    return 0;
}

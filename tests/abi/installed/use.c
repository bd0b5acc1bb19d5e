/* use.c: a program of a stranger: reads a quantity, and an error. argv[1]: the version it expects. */
#include <stdio.h>
#include <string.h>

#include <poynting/poynting.h>

int main(int argc, char **argv)
{
    poy_ctx *ctx = NULL;
    poy_quantity length;
    int right = 0;

    if (argc < 2 || poy_ctx_create(&ctx) != POY_OK)
        return 1;
    right = poy_quantity_parse(ctx, "800 nm", &length) == POY_OK && length.value == 800e-9 &&
            poy_quantity_parse(ctx, "800 nn", &length) == POY_ERR_ARGUMENT &&
            strstr(poy_ctx_cause(ctx), "did you mean nm?") && !strcmp(poy_version(), argv[1]);
    printf("C program against poynting %s: %s\n", poy_version(), right ? "ok" : "wrong");
    poy_ctx_destroy(&ctx);
    return right ? 0 : 1;
}

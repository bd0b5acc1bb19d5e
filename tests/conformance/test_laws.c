/* test_laws.c: the library's spaces, operators and functionals obey their laws on a backend; operators of a shared object
 * do or do not, and are told apart. usage: test_laws BACKEND PLUGIN */
#include <math.h>
#include <string.h>

#include "poynting/conform_laws.h"
#include "tap.h"

static void on_law(void *user, const poy_conform_law *law)
{
    int *cases = user;
    *cases += law->cases;
    ok(law->failed == 0 && law->cases > 0 && law->worst <= 1, "%s %s: %d cases, worst %.2g of the bound (%s)",
       law->object, poy_dtype_name(law->dtype), law->cases, law->worst, law->worst_law);
    if (law->failure[0])
        note("%s", law->failure);
}

static void on_plugin(void *user, const poy_conform_law *law)
{
    poy_conform_law *last = user; /* or the first one that failed */
    if (!last->failure[0])
        *last = *law;
}

static void plugin(poy_ctx *ctx, const poy_conform_options *o, const char *library)
{
    char where[4200];
    int failed = -1;
    poy_conform_law law = {.cases = 0};
    snprintf(where, sizeof where, "%s:mirror", library);
    ok(poy_conform_linop_load(ctx, o, where, on_plugin, &law, &failed) == POY_OK && failed == 0 && law.cases > 8 &&
           !strcmp(law.object, "mirror"),
       "a caller's operator obeys its laws: %d cases", law.cases);
    snprintf(where, sizeof where, "%s:in_space", library);
    ok(poy_conform_linop_load(ctx, o, where, on_plugin, &law, &failed) == POY_OK && failed == 0,
       "so does one in a caller's space, and that obeys its axioms: %s", law.failure);
    snprintf(where, sizeof where, "%s:in_wrong_space", library);
    ok(poy_conform_linop_load(ctx, o, where, on_plugin, &law, &failed) == POY_OK && failed > 0 &&
           strstr(law.failure, "pair"),
       "a space with an inner product that is not its R's does not: %s", law.failure);
    law.failure[0] = 0;
    snprintf(where, sizeof where, "%s:wrong_adjoint", library);
    ok(poy_conform_linop_load(ctx, o, where, on_plugin, &law, &failed) == POY_OK && failed > 0 &&
           strstr(law.failure, "A#"),
       "one with a wrong adjoint does not: %s", law.failure);
    law.failure[0] = 0;
    snprintf(where, sizeof where, "%s:not_linear", library);
    ok(poy_conform_linop_load(ctx, o, where, on_plugin, &law, &failed) == POY_OK && failed > 0,
       "one that is not linear does not: %s", law.failure);
    law.failure[0] = 0;
    snprintf(where, sizeof where, "%s:greedy", library);
    ok(poy_conform_linop_load(ctx, o, where, on_plugin, &law, &failed) == POY_OK && failed > 0 &&
           strstr(law.failure, "not changed"),
       "one that writes to its input does not: %s", law.failure);
    snprintf(where, sizeof where, "%s:nothing", library);
    ok(poy_conform_linop_load(ctx, o, where, on_plugin, &law, &failed) == POY_ERR_ARGUMENT, "no such symbol");
    ok(poy_conform_linop_load(ctx, o, "./nowhere.so:x", on_plugin, &law, &failed) == POY_ERR_IO, "no such library");
    ok(poy_conform_linop_load(ctx, o, library, on_plugin, &law, &failed) == POY_ERR_ARGUMENT, "no symbol given");
}

int main(int argc, char **argv)
{
    poy_ctx *ctx = NULL;
    int failed = -1, cases = 0;
    poy_conform_options o;
    if (argc != 3 || poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_conform_options_init(&o);
    o.backend = argv[1];
    ok(poy_conform_laws(ctx, &o, NULL, on_law, &cases, &failed) == POY_OK && failed == 0 && cases > 1000,
       "%d cases on %s", cases, argv[1]);
    if (poy_ctx_status(ctx) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    cases = 0;
    o.seed = 5;
    ok(poy_conform_laws(ctx, &o, "dense", on_law, &cases, &failed) == POY_OK && cases > 0, "a pattern");
    ok(poy_conform_laws(ctx, &o, "nothing", NULL, NULL, &failed) == POY_ERR_ARGUMENT, "a pattern without a match");
    plugin(ctx, &o, argv[2]);
    ok(poy_ctx_bytes(ctx) == 0, "all memory is given back");
    poy_ctx_destroy(&ctx);
    return tap_done();
}

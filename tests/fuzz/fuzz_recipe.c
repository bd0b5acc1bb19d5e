/* fuzz_recipe.c: any text as a recipe. What passes the check has a resolved form that passes it, too, and resolves to
 * itself. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "poynting/recipe.h"

static void check_resolved(poy_ctx *ctx, const char *resolved)
{
    poy_recipe *again = NULL;
    if (poy_recipe_parse(ctx, resolved, "again.toml", &again) != POY_OK || poy_recipe_check(ctx, again) != POY_OK)
        fuzz_fail("the resolved recipe is refused (%s):\n%s", poy_ctx_cause(ctx), resolved);
    if (strcmp(poy_recipe_resolved(again), resolved) != 0)
        fuzz_fail("resolved again it differs:\n%s\n--- again:\n%s", resolved, poy_recipe_resolved(again));
    poy_recipe_destroy(&again);
}

/* Every fault says where, what and what to do. */
static void check_faults(const poy_recipe *r)
{
    char line[2048];
    for (int i = 0; i < poy_recipe_fault_count(r); i++) {
        const poy_fault *f = poy_recipe_fault(r, i);
        if (!*f->code || !*f->problem || !*f->hint || strpbrk(f->problem, "\n\r"))
            fuzz_fail("a fault without code, problem or hint, or of two lines: %s", f->problem);
        poy_fault_format(f, sizeof line, line);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    poy_ctx *ctx = fuzz_ctx();
    poy_recipe *r = NULL;
    char *text = fuzz_text(data, size);
    if (poy_recipe_parse(ctx, text, "a.toml", &r) == POY_OK) {
        poy_status status = poy_recipe_check(ctx, r);
        check_faults(r);
        if (status == POY_OK)
            check_resolved(ctx, poy_recipe_resolved(r));
    }
    poy_recipe_destroy(&r);
    poy_ctx_clear(ctx);
    free(text);
    return 0;
}

/* fuzz_csv.c: any text as a measured spectrum and as an index table. What is read is finite and rises. */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "run/recipe/csv.h"

static const char recipe[] = "schema = 1\nkind = \"pulse\"\nfile = \"s.csv\"\n";

static void check_rows(const char *what, int n, const double *axis, const double *value)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(axis[i]) || !isfinite(value[i]) || (i && axis[i] <= axis[i - 1]))
            fuzz_fail("%s: row %d of %d: %g, %g", what, i, n, axis[i], value[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    poy_ctx *ctx = fuzz_ctx();
    poy_recipe *r = NULL;
    char *text = fuzz_text(data, size);
    poyi_source_file file = {.name = "s.csv", .text = text, .length = size};
    const double *x, *y, *phase;
    int n;
    if (poy_recipe_parse(ctx, recipe, "a.toml", &r) != POY_OK)
        fuzz_fail("the recipe is refused");
    r->sources = &file;
    const poyi_node *node = poyi_node_find(r->root, "file");
    if (poyi_csv_spectrum(ctx, r, node, &n, &x, &y, &phase)) {
        check_rows("spectrum", n, x, y);
        check_rows("phase", n, x, phase);
    }
    if (poyi_csv_index(ctx, r, node, &n, &x, &y))
        check_rows("index", n, x, y);
    poy_recipe_destroy(&r);
    poy_ctx_clear(ctx);
    free(text);
    return 0;
}

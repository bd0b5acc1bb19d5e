/* laws.c: spaces, operators and functionals held to their laws, for poynting conform. */
#include <string.h>

#include "cli.h"
#include "poynting/conform_laws.h"

enum { NAME_WIDTH = 24 };

typedef struct table {
    const cli *c;
    FILE *json;
    int *cells;
} table;

static void on_law(void *user, const poy_conform_law *law)
{
    const table *t = user;
    if (t->json) {
        fprintf(t->json, "%s\n{\"object\": ", *t->cells ? "," : "");
        cli_json_string(t->json, law->object);
        fprintf(t->json, ", \"dtype\": \"%s\", \"cases\": %d, \"failed\": %d, \"worst\": ", poy_dtype_name(law->dtype),
                law->cases, law->failed);
        cli_json_number(t->json, law->worst);
        fprintf(t->json, ", \"worst_law\": ");
        cli_json_string(t->json, law->worst_law);
        fprintf(t->json, ", \"failure\": ");
        cli_json_string(t->json, law->failure);
        fprintf(t->json, "}");
    }
    ++*t->cells;
    if (t->c->verbosity >= 0)
        printf("%-*s %-4s %3d cases, %d failed, worst %.2g of the bound (%s)\n", NAME_WIDTH, law->object,
               poy_dtype_name(law->dtype), law->cases, law->failed, law->worst, law->worst_law);
    if (law->failure[0])
        fprintf(stderr, "%s %s: %s\n", law->object, poy_dtype_name(law->dtype), law->failure);
}

poy_status cli_conform_laws(const cli *c, const char *backend, const char *pattern, const char *linop, uint64_t seed,
                            FILE *json, int *cells, int *failed)
{
    table t = {c, json, NULL};
    int found = 0;
    t.cells = cells;
    const poy_status status = linop ? poy_conform_linop_load(c->ctx, backend, linop, seed, on_law, &t, &found)
                                    : poy_conform_laws(c->ctx, backend, pattern, seed, on_law, &t, &found);
    *failed += found;
    return status;
}

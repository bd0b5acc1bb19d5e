/* records.c: derivative records held to their own examples, for poynting conform. */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "cli.h"

enum { NAME_WIDTH = 30, SEEDS = 3 };

typedef struct tally {
    int cases, failed;
    double adjoint, restored, batch; /* the worst of all cases */
    char failure[1024];              /* the first */
} tally;

static void note_worst(double *most, double value)
{
    *most = value <= *most ? *most : value; /* a NaN stays */
}

static void check(const cli *c, const char *name, int example, uint64_t seed, tally *t)
{
    poy_rec_check found;
    const poy_status status = poy_record_check_example(c->ctx, name, example, seed, &found);
    const int good = status == POY_OK && !found.fault;

    t->cases++;
    t->failed += !good;
    if (!good && !t->failure[0])
        snprintf(t->failure, sizeof t->failure, "example %d, seed %llu: %s", example, (unsigned long long)seed,
                 status == POY_OK ? found.fault : poy_ctx_cause(c->ctx));
    if (status == POY_OK) {
        note_worst(&t->adjoint, found.adjoint);
        note_worst(&t->restored, found.restored);
        note_worst(&t->batch, found.batch);
    }
}

static void tell(const cli *c, const char *name, const tally *t, FILE *json, int first)
{
    if (json) {
        fprintf(json, "%s\n{\"record\": ", first ? "" : ",");
        cli_json_string(json, name);
        fprintf(json, ", \"cases\": %d, \"failed\": %d, \"adjoint\": ", t->cases, t->failed);
        cli_json_number(json, t->adjoint);
        fprintf(json, ", \"restored\": ");
        cli_json_number(json, t->restored);
        fprintf(json, ", \"batch\": ");
        cli_json_number(json, t->batch);
        fprintf(json, ", \"failure\": ");
        cli_json_string(json, t->failure);
        fprintf(json, "}");
    }
    if (c->verbosity >= 0)
        printf("%-*s %5d cases, %d failed; adjoint %.1e, restored %.1e, batch %.1e\n", NAME_WIDTH, name, t->cases,
               t->failed, t->adjoint, t->restored, t->batch);
    if (t->failure[0])
        fprintf(stderr, "%s: %s\n", name, t->failure);
}

/* "poy.s*" and "s*" name the same records. */
static int matches(const char *pattern, const char *name)
{
    return !pattern || !fnmatch(pattern, name, 0) || !fnmatch(pattern, strchr(name, '.') + 1, 0);
}

poy_status cli_conform_records(const cli *c, const char *pattern, uint64_t seed, FILE *json, int *cells, int *failed)
{
    const char *name;
    int found = 0;

    for (int i = 0; (name = poy_record_known(c->ctx, i)) != NULL && !cli_conform_stops(); i++) {
        poy_rec_info info;
        tally t = {0};
        if (!matches(pattern, name) || poy_record_describe(c->ctx, name, &info) != POY_OK)
            continue;
        found++;
        for (int k = 0; k < info.n_examples; k++)
            for (uint64_t s = seed; s < seed + SEEDS; s++)
                check(c, name, k, s, &t);
        if (!t.cases) { /* what cannot fail is not held to anything */
            t.failed = 1;
            snprintf(t.failure, sizeof t.failure, "it declares no examples, so nothing can be checked");
        }
        tell(c, name, &t, json, *cells == 0);
        ++*cells;
        *failed += t.failed;
    }
    if (!found && !cli_conform_stops())
        return poy_ctx_fail(c->ctx, POY_ERR_ARGUMENT, "no record matches \"%s\"", pattern ? pattern : "*");
    return POY_OK;
}

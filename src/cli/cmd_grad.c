/* cmd_grad.c: poynting grad: the gradient of a recipe's [objective], and its check. */
#include <string.h>

#include "cli.h"
#include "progress.h"

static int read_mode(cli *c, const cli_args *args, poy_objective_mode *mode)
{
    const char *word = cli_value(args, "mode");
    *mode = word && !strcmp(word, "forward") ? POY_OBJECTIVE_FORWARD : POY_OBJECTIVE_REVERSE;
    if (word && strcmp(word, "forward") != 0 && strcmp(word, "reverse") != 0)
        return cli_usage(c, args->command, "--mode '%s' is not known: use reverse or forward", word);
    return 0;
}

static int64_t numbers(const poy_gradient_part *p)
{
    return (p->rank > 0 ? p->extent[0] : 1) * (p->rank > 1 ? p->extent[1] : 1);
}

/* ---- as text ---- */

/* A line for each row of the key's numbers. */
static void show_part(const poy_gradient_part *p)
{
    const int64_t n = numbers(p), wide = p->rank > 1 ? p->extent[1] : p->rank ? p->extent[0] : 1;
    for (int64_t i = 0; i < n; i++) {
        if (i % wide == 0 && p->rank > 1)
            printf("%s.%lld ", p->key, (long long)(i / wide));
        else if (i % wide == 0)
            printf("%s ", p->key);
        printf(" %.12g%s", p->gradient[i], (i + 1) % wide ? "" : " ");
        if ((i + 1) % wide == 0)
            printf(" %s\n", strcmp(p->units, "1") != 0 ? p->units : "");
    }
}

const char *cli_objective_units(const poy_objective *o)
{
    return !strcmp(poy_objective_units(o), "m2") ? " m2" : "";
}

static void show(const poy_objective *o, double value)
{
    poy_gradient_part p;
    double wavelength;
    int lmax;
    printf("%s  %.12g%s\n", poy_objective_quantity(o), value, cli_objective_units(o));
    for (int i = 0; poy_objective_point(o, i, &wavelength, &lmax); i++) {
        char text[32];
        poy_quantity_format(wavelength, POY_DIM_LENGTH, 6, sizeof text, text);
        if (lmax)
            printf("at %s, lmax %d\n", text, lmax);
        else
            printf("at %s\n", text);
    }
    for (int k = 0; poy_objective_part(o, k, &p); k++)
        show_part(&p);
}

static void show_check(const poy_gradient_check *check)
{
    printf("adjoint identity       %.2g (at most 1e-11)\n", check->adjoint);
    printf("reverse against forward %.2g (at most 1e-11)\n", check->modes);
    printf("central differences    %.2g (at most 1e-06)%s%s\n", check->difference, *check->worst ? ", most of " : "",
           check->worst);
    printf("%s\n", check->passed ? "passed" : "failed");
}

/* ---- as JSON ---- */

static void json_part(const poy_gradient_part *p)
{
    printf("{\"key\": ");
    cli_json_string(stdout, p->key);
    printf(", \"units\": ");
    cli_json_string(stdout, p->units);
    printf(", \"axes\": ");
    cli_json_string(stdout, p->axes);
    printf(", \"shape\": [");
    for (int i = 0; i < p->rank; i++)
        printf("%s%lld", i ? ", " : "", (long long)p->extent[i]);
    printf("], \"gradient\": [");
    for (int64_t i = 0; i < numbers(p); i++) {
        printf(i ? ", " : "");
        cli_json_number(stdout, p->gradient[i]);
    }
    printf("]}");
}

static void json(const poy_objective *o, double value, const poy_gradient_check *check)
{
    poy_gradient_part p;
    printf("{\"quantity\": ");
    cli_json_string(stdout, poy_objective_quantity(o));
    printf(", \"sense\": \"%s\", \"value\": ", poy_objective_maximises(o) ? "maximise" : "minimise");
    cli_json_number(stdout, value);
    printf(", \"units\": \"%s\", \"parts\": [", poy_objective_units(o));
    for (int k = 0; poy_objective_part(o, k, &p); k++) {
        printf(k ? ", " : "");
        json_part(&p);
    }
    printf("]");
    if (check) {
        printf(", \"check\": {\"adjoint\": ");
        cli_json_number(stdout, check->adjoint);
        printf(", \"modes\": ");
        cli_json_number(stdout, check->modes);
        printf(", \"difference\": ");
        cli_json_number(stdout, check->difference);
        printf(", \"passed\": %s}", check->passed ? "true" : "false");
    }
    printf("}\n");
}

/* ---- the command ---- */

static int act(cli *c, const cli_args *args, poy_objective *o, poy_objective_mode mode)
{
    double value;
    poy_gradient_check check = {.passed = 1};
    const int checks = cli_has(args, "check");
    cli_progress progress;
    const int code = cli_progress_begin(c, args, &progress);
    if (code)
        return code;
    cli_stop_at_once(75); /* there is nothing to keep */
    poy_status status = poy_objective_evaluate(c->ctx, o, mode, &value);
    if (status == POY_OK && checks)
        status = poy_objective_check(c->ctx, o, 1, &check);
    cli_progress_end(&progress);
    if (status != POY_OK)
        return cli_failed(c, status);
    if (cli_has(args, "json")) {
        json(o, value, checks ? &check : NULL);
    } else {
        show(o, value);
        if (checks)
            show_check(&check);
    }
    return check.passed ? 0 : EXIT_CHECK;
}

/* What the objective says wrong is a fault of the recipe. */
int cli_objective(cli *c, poy_recipe *recipe, poy_objective **o)
{
    const poy_status status = poy_objective_open(c->ctx, recipe, o);
    if (status == POY_OK)
        return 0;
    if (status == POY_ERR_RECIPE) {
        cli_faults(c, recipe);
        return EXIT_RECIPE;
    }
    const int code = cli_failed(c, status);
    return status == POY_ERR_ARGUMENT || status == POY_ERR_NOT_DIFFERENTIABLE ? EXIT_RECIPE : code;
}

static int run(cli *c, const cli_args *args)
{
    poy_recipe *recipe = NULL;
    poy_objective *o = NULL;
    poy_objective_mode mode;
    int code = read_mode(c, args, &mode);
    if (!code)
        code = cli_recipe(c, args, args->words[0], &recipe);
    if (!code)
        code = cli_shortcuts(c, args, recipe);
    if (!code)
        code = cli_objective(c, recipe, &o);
    if (!code)
        code = act(c, args, o, mode);
    poy_objective_close(&o);
    poy_recipe_destroy(&recipe);
    return code;
}

static const cli_option options[] = {
    {"check", 0, NULL, "hold it to the adjoint identity and to differences of runs; exit code 6 if it fails"},
    {"mode", 0, "MODE", "reverse: one sweep for all keys; forward: one for each number [reverse]"},
    {"json", 0, NULL, "the same as JSON"},
    {"set", 's', "KEY=VALUE", "put a value in the place of the recipe's own; repeatable"},
    {"threads", 0, "N", "threads [as many as the process may run on]"},
    {"memory", 0, "BYTES", "budget, e.g. 8GiB"},
    CLI_PROGRESS_JSON,
    {0},
};

const cli_command cmd_grad = {
    .name = "grad",
    .arguments = "RECIPE",
    .at_least = 1,
    .at_most = 1,
    .text = "the gradient of a recipe's [objective] by the keys of objective.wrt",
    .more = "Cross sections of spheres, shares of power of arrays and stacks; run --grad puts it into the file.",
    .example = "poynting grad examples/cluster.toml --check",
    .options = options,
    .run = run,
};

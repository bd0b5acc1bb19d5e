/* guard.c: record guard: lets a value through if two lists of numbers compare, else fails with POY_ERR_MISMATCH. It is
 * how metadata of two objects are compared where numbers are known only when a program runs. The gradient of the value
 * is the cotangent, that of the numbers 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/builtin.h"

typedef enum comparison { EQUAL, CLOSE, AT_MOST, AT_LEAST, LESS, GREATER, COMPARISONS } comparison;
static const char *const words[COMPARISONS] = {"equal", "close", "at_most", "at_least", "less", "greater"};
static const char *const needs[COMPARISONS] = {"", "about ", "at most ", "at least ", "less than ", "more than "};

typedef struct config {
    double rtol, atol;
    char *names, *message; /* names: separated by commas, may be empty */
    int n;                 /* comparisons; 1: for all numbers */
    comparison compare[];
} config;

static const poy_rec_option options[] = {
    {.name = "compare",
     .kind = POY_REC_TEXT,
     .fallback = "equal",
     .text = "equal, close, at_most, at_least, less, greater: one, or one for each number, separated by commas"},
    {.name = "rtol",
     .kind = POY_REC_REAL,
     .fallback = "0",
     .text = "of close: |have - want| <= atol + rtol max(|have|, |want|)"},
    {.name = "atol", .kind = POY_REC_REAL, .fallback = "0", .text = "see rtol"},
    {.name = "names", .kind = POY_REC_TEXT, .fallback = "", .text = "what the numbers are, separated by commas"},
    {.name = "message", .kind = POY_REC_TEXT, .fallback = "", .text = "what it means if they do not compare"}};

static void close_guard(void *config_)
{
    config *c = config_;
    if (c) {
        free(c->names);
        free(c->message);
    }
    free(c);
}

static char *copy(const char *text)
{
    const size_t n = strlen(text) + 1;
    char *out = malloc(n);
    return out ? memcpy(out, text, n) : NULL;
}

static poy_status read_comparisons(poy_ctx *ctx, const char *text, config *c)
{
    for (int i = 0; i < c->n; i++) {
        const size_t n = strcspn(text, ",");
        int k = 0;
        while (k < COMPARISONS && (strlen(words[k]) != n || strncmp(words[k], text, n) != 0))
            k++;
        if (k == COMPARISONS)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "guard: '%.*s' is no comparison: equal, close, at_most, at_least, less, greater", (int)n,
                             text);
        c->compare[i] = (comparison)k;
        text += n + (text[n] == ',');
    }
    return POY_OK;
}

static poy_status open_guard(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **out)
{
    int n = 1;
    (void)user;
    for (const char *p = values[0].text; *p; p++)
        n += *p == ',';
    config *c = malloc(sizeof *c + (size_t)n * sizeof c->compare[0]);
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a guard");
    *c = (config){.rtol = values[1].real,
                  .atol = values[2].real,
                  .names = copy(values[3].text),
                  .message = copy(values[4].text),
                  .n = n};
    poy_status status = POY_OK;
    if (!c->names || !c->message)
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a guard");
    if (status == POY_OK)
        status = read_comparisons(ctx, values[0].text, c);
    if (status == POY_OK && !(c->rtol >= 0.0 && c->atol >= 0.0))
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "guard: rtol is %g, atol %g, need 0 or more", c->rtol, c->atol);
    if (status != POY_OK) {
        close_guard(c);
        return status;
    }
    *out = c;
    return POY_OK;
}

static poy_status infer(poy_ctx *ctx, const void *config_, const poy_rec_spec *in, poy_rec_spec *out,
                        poy_rec_size *size)
{
    const config *c = config_;
    (void)out;
    (void)size;
    if (c->n != 1 && c->n != in[1].dims[0])
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "guard: %d comparisons for %lld numbers", c->n, (long long)in[1].dims[0]);
    for (int i = 0; i < c->n; i++)
        if (c->compare[i] > CLOSE && (in[1].dtype == POY_C128 || in[2].dtype == POY_C128))
            return POYI_FAIL(ctx, POY_ERR_COMPLEX_TO_REAL, "guard: complex numbers have no order: %s needs real ones",
                             words[c->compare[i]]);
    return POY_OK;
}

/* NaN compares with nothing. */
static int compares(const config *c, comparison how, poyi_z have, poyi_z want)
{
    switch (how) {
    case EQUAL: return have == want;
    case CLOSE: return have == want || cabs(have - want) <= c->atol + c->rtol * fmax(cabs(have), cabs(want));
    case AT_MOST: return creal(have) <= creal(want);
    case AT_LEAST: return creal(have) >= creal(want);
    case LESS: return creal(have) < creal(want);
    case GREATER: return creal(have) > creal(want);
    case COMPARISONS: break;
    }
    return 0;
}

static poy_status fail_at(poy_ctx *ctx, const config *c, int64_t i, comparison how, poyi_z have, poyi_z want)
{
    const char *name = c->names, *relation = how < COMPARISONS ? needs[how] : "";
    for (int64_t k = 0; k < i && *name; k++) {
        name += strcspn(name, ",");
        name += *name == ',';
    }
    poyi_text t = {0};
    if (*name)
        poyi_text_add(&t, "%.*s", (int)strcspn(name, ","), name);
    else
        poyi_text_add(&t, "number %lld", (long long)i);
    poyi_text_add(&t, " is %.17g", creal(have));
    if (cimag(have) != 0.0 || cimag(want) != 0.0)
        poyi_text_add(&t, "%+.17gi, needs to be %s%.17g%+.17gi", cimag(have), relation, creal(want), cimag(want));
    else
        poyi_text_add(&t, ", needs to be %s%.17g", relation, creal(want));
    poy_status status = POYI_FAIL(ctx, POY_ERR_MISMATCH, "guard: %s%s%s", t.text ? t.text : "numbers differ",
                                  *c->message ? ": " : "", c->message);
    poyi_text_fini(&t);
    return status;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const config *c = item->config;
    const int64_t n = item->in[1].spec.dims[0];
    for (int64_t i = 0; i < n; i++) {
        const poyi_z have = poyi_rec_get(&item->in[1], i), want = poyi_rec_get(&item->in[2], i);
        const comparison how = c->compare[c->n == 1 ? 0 : i];
        if (!compares(c, how, have, want))
            return fail_at(ctx, c, i, how, have, want);
    }
    poyi_rec_copy(&item->in[0], &item->out[0]);
    return POY_OK;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    (void)ctx;
    (void)item;
    poyi_rec_copy(cot, &grad[0]);
    return POY_OK;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    (void)ctx;
    (void)item;
    poyi_rec_copy(&tan[0], out_tan);
    return POY_OK;
}

/* have and want are the same. */
static poy_status sample(poy_ctx *ctx, const void *config_, uint64_t seed, const poy_rec_array *in)
{
    (void)ctx;
    (void)config_;
    poyi_rec_sample(seed, 2, in);
    const int64_t n = in[1].spec.dims[0];
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(&in[2], i, poyi_rec_get(&in[1], i));
    return POY_OK;
}

static const poy_rec_example examples[] = {
    {"", "c128[2,2] f64[3] f64[3]"},
    {"compare=close,at_most;rtol=1e-12;names=k0,absorption", "f64[] f64[2] f64[2]"},
    {"compare=close;rtol=1e-12", "f64[4] c128[2] c128[2]"}};

const poy_rec_op poyi_record_guard = {.state_version = 1,
                                      .options = options,
                                      .n_options = sizeof options / sizeof options[0],
                                      .examples = examples,
                                      .n_examples = sizeof examples / sizeof examples[0],
                                      .open = open_guard,
                                      .close = close_guard,
                                      .infer = infer,
                                      .evaluate = evaluate,
                                      .pullback = pullback,
                                      .pushforward = pushforward,
                                      .sample = sample};

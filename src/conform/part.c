/* part.c: options of all parts of conformance, names of cases, first failures. */
#include "conform/part.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void poy_conform_options_init(poy_conform_options *options)
{
    *options = (poy_conform_options){.size = sizeof *options,
                                     .backend = "cpu",
                                     .level = POY_CONFORM_QUICK,
                                     .seed = 1,
                                     .seconds = 600,
                                     .against = "ref",
                                     .tolerance_scale = 1,
                                     .case_seconds = 30};
}

poy_status poyi_conform_options_read(poy_ctx *ctx, const poy_conform_options *options, poy_conform_options *out)
{
    poy_conform_options_init(out);
    if (options)
        memcpy(out, options, options->size < sizeof *out ? options->size : sizeof *out);
    if (!(out->tolerance_scale > 0) || isinf(out->tolerance_scale))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: bounds times %g: needs a number above 0",
                         out->tolerance_scale);
    if (!(out->case_seconds > 0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: %g s for a case: needs a time above 0", out->case_seconds);
    return POY_OK;
}

poy_status poyi_conform_goes_on(poy_ctx *ctx)
{
    const poy_progress at = {.what = "conform", .unit = "cases"};
    return poyi_progress(ctx, &at) ? POYI_FAIL(ctx, POY_ERR_INTERRUPTED, "conform: interrupted") : POY_OK;
}

/* Takes ".N" off the end of a text. */
static int take_number(char *text, uint64_t *out)
{
    char *dot = strrchr(text, '.');
    const size_t n = dot ? strspn(dot + 1, "0123456789") : 0;
    if (!n || dot[1 + n])
        return 0;
    errno = 0;
    *out = strtoull(dot + 1, NULL, 10);
    *dot = '\0';
    return errno == 0;
}

poy_status poyi_case_id_read(poy_ctx *ctx, const char *text, const char *kind, int numbers, const char *example,
                             poyi_case_id *out)
{
    const size_t n = kind ? strlen(kind) : 0;
    int good = !kind || (!strncmp(text, kind, n) && text[n] == ':');
    const char *rest = good && kind ? text + n + 1 : text;
    enum { NUMBERS_SIZE = POYI_NUMBERS_MAX * 24 };
    char of[POYI_CASE_OF + NUMBERS_SIZE];
    *out = (poyi_case_id){.of = ""};
    good = good && strlen(rest) < sizeof of;
    snprintf(of, sizeof of, "%s", rest);
    for (int i = numbers - 1; i >= 0 && good; i--)
        good = take_number(of, &out->number[i]);
    if (!good || !*of || strlen(of) >= sizeof out->of)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: '%s' names no case, which reads %s", text, example);
    memcpy(out->of, of, strlen(of) + 1);
    return POY_OK;
}

poy_status poyi_conform_no_such(poy_ctx *ctx, const char *what, const char *word, const char *(*name)(int), int n)
{
    const char *best = NULL;
    int least = strlen(word) < 4 ? 2 : 3;
    for (int i = 0; i < n; i++) {
        const int d = poy_text_distance(word, name(i));
        if (d < least) {
            least = d;
            best = name(i);
        }
    }
    if (best)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: there is no %s '%s': did you mean %s?", what, word, best);
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: there is no %s '%s'", what, word);
}

void poyi_conform_fail(int *failed, size_t size, char *failure, const char *name, const char *text)
{
    if (!(*failed)++)
        snprintf(failure, size, "%s: %s", name, text);
}

void poyi_conform_give_up(size_t size, char *failure, const char *name)
{
    const size_t used = strlen(failure);
    snprintf(failure + used, size - used, "; cases behind %s are left out", name);
}

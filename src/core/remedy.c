/* remedy.c: what a failure advises, in the words of the front end that asked. */
#include <stdio.h>
#include <string.h>

#include "core/remedy.h"

static const char *const words[POYI_REMEDY_COUNT][POY_FRONT_END_COUNT] = {
#define POYI_REMEDY(name, c, command, python) [POYI_REMEDY_##name] = {c, command, python},
#include "core/remedies.def"
#undef POYI_REMEDY
};

const char *poyi_remedy(const poy_ctx *ctx, poyi_remedy_id id, const char *value, size_t size, char *out)
{
    const char *text = words[id][poy_ctx_front_end(ctx)], *place = strstr(text, "{}");
    if (place)
        snprintf(out, size, "%.*s%s%s", (int)(place - text), text, value ? value : "", place + 2);
    else
        snprintf(out, size, "%s", text);
    return out;
}

/* check.c: checks of option structs and of the numbers in them; each message is "KEY: what is wrong: what is right". */
#include <string.h>

#include "pulse/setup/setup.h"

poy_status poyi_options_copy(poy_ctx *ctx, const char *name, const void *from, size_t least, size_t size, void *to)
{
    size_t given = 0;
    if (!from)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: NULL given, needs a struct filled by %s_init", name, name);
    memcpy(&given, from, sizeof given);
    if (given < least || given > size)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: its size says %zu bytes, this library knows %zu: fill it by %s_init", name, given, size,
                         name);
    memcpy(to, from, given);
    return POY_OK;
}

/* What stands between a number and its unit. */
static const char *gap(const char *unit)
{
    return unit[0] ? " " : "";
}

poy_status poyi_check_finite(poy_ctx *ctx, const char *key, double value, const char *unit)
{
    if (!isfinite(value))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %g%s%s is not a finite number", key, value, gap(unit), unit);
    return POY_OK;
}

poy_status poyi_check_positive(poy_ctx *ctx, const char *key, double value, const char *unit)
{
    if (!isfinite(value) || value <= 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %g%s%s is not above 0: give a positive, finite number", key, value,
                         gap(unit), unit);
    return POY_OK;
}

poy_status poyi_check_not_negative(poy_ctx *ctx, const char *key, double value, const char *unit)
{
    if (!isfinite(value) || value < 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %g%s%s is below 0 or not finite: give 0 or more", key, value,
                         gap(unit), unit);
    return POY_OK;
}

poy_status poyi_check_choice(poy_ctx *ctx, const char *key, int value, int count, const char *choices)
{
    if (value < 0 || value >= count)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: there is no choice %d: 0 to %d are %s", key, value, count - 1,
                         choices);
    return POY_OK;
}

poy_status poyi_check_list(poy_ctx *ctx, const char *key, const double *values, int64_t n, const char *unit)
{
    if (n < 0 || (n > 0 && !values))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %lld values at %s: give a list and its length", key, (long long)n,
                         values ? "an address" : "NULL");
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: number %lld is %g%s%s, needs a finite one", key, (long long)i,
                             values[i], gap(unit), unit);
    return POY_OK;
}

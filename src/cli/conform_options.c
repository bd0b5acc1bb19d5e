/* conform_options.c: the options of poynting conform as what is asked for. What was given and has no use is refused by its name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "conform.h"

/* "f32,c128" as bits. */
static int read_dtypes(cli *c, const cli_args *args, unsigned *out)
{
    const char *at = cli_value(args, "dtypes");
    *out = 0;
    while (at) {
        const size_t n = strcspn(at, ",");
        int d = 0;
        while (d < POY_DTYPE_COUNT &&
               (strlen(poy_dtype_name((poy_dtype)d)) != n || strncmp(poy_dtype_name((poy_dtype)d), at, n) != 0))
            d++;
        if (d == POY_DTYPE_COUNT)
            return cli_usage(c, args->command,
                             "--dtypes: no element type '%.*s': there are f32, f64, c64, c128, i32, i64, b8", (int)n,
                             at);
        *out |= 1u << d;
        at = at[n] ? at + n + 1 : NULL;
    }
    return 0;
}

/* "quick", "full" or "soak". */
static int read_level(cli *c, const cli_args *args, poy_conform_level *out)
{
    static const char *const names[] = {
        [POY_CONFORM_QUICK] = "quick", [POY_CONFORM_FULL] = "full", [POY_CONFORM_SOAK] = "soak"};
    const char *level = cli_value(args, "level");
    for (int i = 0; level && i < 3; i++)
        if (!strcmp(level, names[i])) {
            *out = (poy_conform_level)i;
            return 0;
        }
    return level ? cli_usage(c, args->command, "--level %s: say quick, full or soak", level) : 0;
}

/* --compare A,B: the backend and what it is held to; names [2] keeps the text. */
static int read_backends(cli *c, const cli_args *args, char names[2][64], poy_conform_options *o)
{
    const char *both = cli_value(args, "compare"), *comma = both ? strchr(both, ',') : NULL;
    const char *one = cli_value(args, "backend");
    if (!both) {
        o->backend = one ? one : "cpu";
        return 0;
    }
    if (one)
        return cli_usage(c, args->command, "--compare names the backends, --backend would name another");
    if (!comma || comma == both || !comma[1] || comma - both > 63 || strlen(comma + 1) > 63)
        return cli_usage(c, args->command, "--compare %s: say two backends, cpu:isa=base,cpu:isa=avx2", both);
    snprintf(names[0], 64, "%.*s", (int)(comma - both), both);
    snprintf(names[1], 64, "%s", comma + 1);
    o->backend = names[0];
    o->against = names[1];
    return 0;
}

static int read_scale(cli *c, const cli_args *args, double *out)
{
    const char *text = cli_value(args, "tolerance-scale");
    char *end = NULL;
    if (text)
        *out = strtod(text, &end);
    return text && (end == text || *end || !(*out > 0) || *out > 1e30)
               ? cli_usage(c, args->command, "--tolerance-scale %s: say a number above 0, e.g. 0.5", text)
               : 0;
}

static int read_seed(cli *c, const cli_args *args, uint64_t *out)
{
    const char *text = cli_value(args, "seed");
    if (!text)
        return 0;
    errno = 0;
    const unsigned long long seed = strtoull(text, NULL, 10);
    if (!*text || text[strspn(text, "0123456789")] || errno)
        return cli_usage(c, args->command, "--seed %s: say a whole number from 0 to %llu", text,
                         (unsigned long long)UINT64_MAX);
    *out = seed;
    return 0;
}

/* ---- parts ---- */

static const struct {
    const char *option, *kind; /* that a case of it begins with; NULL: none */
    unsigned bit;
    const char *of;
} parts[] = {
    {"ops", NULL, CONFORM_OPS, "array operations"},
    {"rows", "row:", CONFORM_ROWS, "rows of programs"},
    {"records", "record:", CONFORM_RECORDS, "derivative records"},
    {"laws", "law:", CONFORM_LAWS, "laws"},
    {"golden", "golden:", CONFORM_GOLDEN, "golden numbers"},
    {"linop", "law:", CONFORM_LINOP, "laws of an operator of yours"},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* What an option is of; the other parts have no use for it. */
static const struct {
    const char *option;
    unsigned bits;
    const char *of;
    int narrows; /* where no part is named it means these alone */
} uses[] = {
    {"dtypes", CONFORM_OPS | CONFORM_LAWS, "array operations and laws", 1},
    {"compare", CONFORM_OPS, "array operations", 1},
    {"list", CONFORM_OPS, "array operations", 1},
    {"report", CONFORM_OPS, "array operations", 0},
    {"level", CONFORM_OPS, "array operations", 0},
    {"tolerance-scale", CONFORM_OPS, "array operations", 0},
    {"bench", CONFORM_OPS, "array operations", 0},
    {"load-records", CONFORM_RECORDS, "derivative records", 0},
    {"seed", ~(unsigned)CONFORM_GOLDEN, "cases that are generated", 0},
    {"backend", ~(unsigned)CONFORM_RECORDS, "all parts but derivative records, which work on the host", 0},
    {"load", ~(unsigned)CONFORM_RECORDS, "all parts but derivative records, which work on the host", 0},
};
enum { USES = sizeof uses / sizeof *uses };

/* Those of --case: its text says which. */
static int read_case(cli *c, const cli_args *args, const char *name, unsigned *out)
{
    static const char *const apart[] = {"ops", "rows", "records", "laws",   "dtypes", "level",
                                        "for", "seed", "list",    "report", "bench"};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if (cli_has(args, apart[i]))
            return cli_usage(c, args->command, "--case %s names one case, with its seed: leave --%s out", name,
                             apart[i]);
    *out = CONFORM_OPS;
    for (int i = 0; i < PARTS; i++)
        if (parts[i].kind && !strncmp(name, parts[i].kind, strlen(parts[i].kind)))
            *out = parts[i].bit == CONFORM_LINOP && !cli_has(args, "linop") ? *out : parts[i].bit;
    if (*out == CONFORM_GOLDEN && !cli_has(args, "golden"))
        return cli_usage(c, args->command, "--case %s: say where it is too, e.g. --golden tests/golden", name);
    for (int i = 0; i < PARTS; i++)
        if (cli_has(args, parts[i].option) && parts[i].bit != *out)
            return cli_usage(c, args->command, "--case %s is none of the %s that --%s asks for", name, parts[i].of,
                             parts[i].option);
    return 0;
}

static int read_parts(cli *c, const cli_args *args, unsigned dtypes, unsigned *out)
{
    const char *only = cli_value(args, "case");
    int code = 0;
    *out = 0;
    for (int i = 0; i < PARTS && !only; i++)
        if (cli_has(args, parts[i].option)) {
            if (!*cli_value(args, parts[i].option))
                return cli_usage(c, args->command, "--%s '' names nothing", parts[i].option);
            *out |= parts[i].bit;
        }
    if (only)
        code = read_case(c, args, only, out);
    if (code)
        return code;
    const int is_named = *out != 0;
    *out = is_named ? *out : CONFORM_OPS | CONFORM_ROWS | CONFORM_RECORDS | CONFORM_LAWS;
    for (int i = 0; i < USES; i++) {
        if (!cli_has(args, uses[i].option))
            continue;
        if (!(*out & uses[i].bits))
            return cli_usage(c, args->command, "--%s has no use here: it is of %s", uses[i].option, uses[i].of);
        if (uses[i].narrows && !is_named)
            *out &= uses[i].bits;
    }
    if (!is_named && dtypes && !(dtypes & (1u << POY_F32 | 1u << POY_F64 | 1u << POY_C64 | 1u << POY_C128)))
        *out &= ~(unsigned)CONFORM_LAWS; /* spaces are of numbers with fractions */
    return 0;
}

/* What contradicts itself. */
static int check_together(cli *c, const cli_args *args, const poy_conform_options *o)
{
    if (cli_has(args, "for") && o->level != POY_CONFORM_SOAK)
        return cli_usage(c, args->command, "--for is how long to soak: say --level soak, too");
    for (int i = 0; i < 2 && o->list; i++) {
        const char *other = i ? "bench" : "report";
        if (cli_has(args, other))
            return cli_usage(c, args->command, "--list runs nothing: leave --%s out", other);
    }
    if (cli_has(args, "json") && !*cli_value(args, "json"))
        return cli_usage(c, args->command, "--json '' names no file");
    if (cli_has(args, "report") && !*cli_value(args, "report"))
        return cli_usage(c, args->command, "--report '' names no file");
    return 0;
}

int cli_conform_read(cli *c, const cli_args *args, cli_conform_asked *out)
{
    poy_conform_options *o = &out->o;
    poy_conform_options_init(o);
    o->ops = cli_value(args, "ops");
    o->only = cli_value(args, "case");
    o->list = cli_has(args, "list");
    int code = read_backends(c, args, out->names, o);
    code = code ? code : read_level(c, args, &o->level);
    code = code ? code : cli_quantity(c, args, "for", POY_DIM_WALL_TIME, &o->seconds);
    code = code ? code : read_seed(c, args, &o->seed);
    code = code ? code : cli_quantity_from_zero(c, args, "case-limit", POY_DIM_WALL_TIME, &o->case_seconds);
    o->isolated = o->case_seconds > 0; /* 0 s: no process of its own, and no limit */
    o->case_seconds = o->isolated ? o->case_seconds : 1;
    code = code ? code : read_scale(c, args, &o->tolerance_scale);
    code = code ? code : read_dtypes(c, args, &o->dtypes);
    code = code ? code : read_parts(c, args, o->dtypes, &out->parts);
    return code ? code : check_together(c, args, o);
}

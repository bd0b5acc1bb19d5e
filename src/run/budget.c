/* budget.c: the memory that a run may take: what the user says, else a share of what machine and cluster allow. */
#define _POSIX_C_SOURCE 200809L
#include "run/budget.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/remedy.h"

static const double SHARE = 0.8; /* of what there is: FFT plans, libraries and the page cache need some, too */

typedef struct limit {
    double bytes; /* INFINITY: none */
    const char *of;
} limit;

static void lower(limit *l, double bytes, const char *of)
{
    if (bytes > 0 && bytes < l->bytes)
        *l = (limit){bytes, of};
}

/* The number in the first line of a file; INFINITY where there is no file or it says "max". */
static double read_number(const char *path)
{
    char line[64];
    FILE *file = fopen(path, "r");
    double value = (double)INFINITY;
    if (file && fgets(line, sizeof line, file)) {
        char *end;
        double number = strtod(line, &end);
        value = end > line ? number : value;
    }
    if (file)
        fclose(file);
    return value;
}

static double physical(const char *root)
{
    char path[1024], line[256];
    static const char name[] = "MemTotal:";
    double kib = 0;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, name, sizeof name - 1))
            kib = strtod(line + sizeof name - 1, NULL);
    if (file)
        fclose(file);
    return kib > 0 ? 1024 * kib : (double)INFINITY;
}

/* The least limit of a group and of all groups that it lies in. A path that is not there (a container sees the paths of
 * its host, but not the folders) counts for nothing, its root does. */
static void lower_by_group(limit *l, const char *mount, const char *group, const char *name)
{
    char path[2048], at[1024];
    snprintf(at, sizeof at, "%s", group);
    for (;;) {
        snprintf(path, sizeof path, "%s%s%s/%s", mount, at[0] == '/' ? "" : "/", strcmp(at, "/") ? at : "", name);
        lower(l, read_number(path), "a control group");
        char *slash = strrchr(at, '/');
        if (!slash || !at[1])
            return;
        slash[slash == at] = '\0';
    }
}

/* Lines "0::/user.slice/a" (v2) and "9:memory:/a" (v1, alone or among other controllers). */
static void lower_by_groups(limit *l, const char *root)
{
    char path[1024], line[1024];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *controllers++ = '\0';
        *group++ = '\0';
        if (!*controllers) {
            snprintf(path, sizeof path, "%s/sys/fs/cgroup", root);
            lower_by_group(l, path, group, "memory.max");
            snprintf(path, sizeof path, "%s/sys/fs/cgroup/unified", root);
            lower_by_group(l, path, group, "memory.max");
            continue;
        }
        for (char *c = strtok(controllers, ","); c; c = strtok(NULL, ","))
            if (!strcmp(c, "memory")) {
                snprintf(path, sizeof path, "%s/sys/fs/cgroup/memory", root);
                lower_by_group(l, path, group, "memory.limit_in_bytes");
            }
    }
    if (file)
        fclose(file);
}

static double variable(const char *name)
{
    const char *text = getenv(name);
    char *end;
    double value = text ? strtod(text, &end) : 0;
    return text && end > text && !*end ? value : 0;
}

/* Slurm counts in MiB; 0 stands for the whole node. */
static void lower_by_slurm(limit *l)
{
    const double node = variable("SLURM_MEM_PER_NODE"), cpu = variable("SLURM_MEM_PER_CPU");
    const double bytes = 1048576 * (node > 0 ? node : cpu * variable("SLURM_CPUS_ON_NODE"));
    lower(l, bytes, "the Slurm allocation");
}

poy_status poyi_budget_find(poy_ctx *ctx, const char *root, double asked, const char *source, poyi_budget *out)
{
    const char *text = getenv("POYNTING_MEMORY");
    poy_quantity q;
    char size[32];
    *out = (poyi_budget){.bytes = SIZE_MAX};
    if (asked > 0) {
        *out = (poyi_budget){.bytes = (size_t)asked, .declared = 1};
        snprintf(out->source, sizeof out->source, "%s", source);
        return POY_OK;
    }
    if (text && *text) {
        if (poy_quantity_parse_as(ctx, text, POY_DIM_BYTES, &q) != POY_OK || !(q.value >= 1 && q.value < 1e18)) {
            poy_ctx_clear(ctx);
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "POYNTING_MEMORY=%s: not a size: write POYNTING_MEMORY=8GiB", text);
        }
        *out = (poyi_budget){.bytes = (size_t)q.value, .declared = 1, .source = "POYNTING_MEMORY"};
        return POY_OK;
    }
    limit l = {(double)INFINITY, ""};
    lower(&l, physical(root), "this machine's memory");
    lower_by_groups(&l, root);
    lower_by_slurm(&l);
    if (isinf(l.bytes))
        return POY_OK;
    poy_quantity_format(l.bytes, POY_DIM_BYTES, 3, sizeof size, size);
    out->bytes = (size_t)(SHARE * l.bytes);
    snprintf(out->source, sizeof out->source, "4/5 of the %s of %s", size, l.of);
    return POY_OK;
}

static int by_bytes(const void *a, const void *b)
{
    const poy_ledger_entry *x = a, *y = b;
    return x->bytes < y->bytes ? 1 : x->bytes > y->bytes ? -1 : strcmp(x->name, y->name);
}

poy_status poyi_budget_refuse(poy_ctx *ctx, const char *name, size_t bytes, const char *note, const poyi_budget *budget,
                              size_t n, poy_ledger_entry *groups, const char *advice)
{
    char needs[32], allowed[32], wanted[32], largest[2][32], remedy[64];
    qsort(groups, n, sizeof groups[0], by_bytes);
    poy_quantity_format((double)bytes, POY_DIM_BYTES, 3, sizeof needs, needs);
    poy_quantity_format((double)budget->bytes, POY_DIM_BYTES, 3, sizeof allowed, allowed);
    poy_quantity_format(1.1 * (double)bytes, POY_DIM_BYTES, 2, sizeof wanted, wanted);
    for (size_t i = 0; i < 2; i++)
        poy_quantity_format(i < n ? (double)groups[i].bytes : 0, POY_DIM_BYTES, 2, sizeof largest[i], largest[i]);
    return POYI_FAIL(ctx, POY_ERR_BUDGET, "%s: needs %s%s, budget %s by %s (largest: %s %s, %s %s): use %s, or %s",
                     name, needs, note, allowed, budget->source, n > 0 ? groups[0].name : "-", largest[0],
                     n > 1 ? groups[1].name : "-", largest[1], advice,
                     poyi_remedy(ctx, POYI_REMEDY_MEMORY, wanted, sizeof remedy, remedy));
}

/* test_budget.c: whose word counts about memory, on made-up machines; the estimate of every route against the ledger. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp, setenv */
#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "poynting/poynting.h"
#include "run/budget.h"
#include "tap.h"

static char folder[64] = "/tmp/poynting-budget-XXXXXX";

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st;
    (void)kind;
    (void)walk;
    return remove(path);
}

/* root/path with text, and the folders on its way. */
static void put(const char *root, const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *c = whole + strlen(root) + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(whole, 0700);
            *c = '/';
        }
    FILE *file = fopen(whole, "w");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

#define MEMINFO(kib)                                                  \
    {                                                                 \
        "proc/meminfo", "MemTotal:       " kib " kB\nMemFree: 1 kB\n" \
    }
#define GROUP "proc/self/cgroup"

/* Machines: files, Slurm's variables, and the budget that follows. */
typedef struct machine {
    const char *name;
    const char *files[8][2];
    const char *per_node, *per_cpu, *cpus;
    double limit; /* bytes before the share; 0: none is known */
    const char *of;
} machine;

static const machine machines[] = {
    {"nothing is known", {{"proc/version", "Linux"}}, NULL, NULL, NULL, 0, ""},
    {"memory alone", {MEMINFO("16777216")}, NULL, NULL, NULL, 17179869184.0, "this machine's memory"},
    {"v2, no limit",
     {MEMINFO("16777216"), {GROUP, "0::/a\n"}, {"sys/fs/cgroup/a/memory.max", "max\n"}},
     NULL,
     NULL,
     NULL,
     17179869184.0,
     "this machine's memory"},
    {"v2, own limit",
     {MEMINFO("16777216"), {GROUP, "0::/a\n"}, {"sys/fs/cgroup/a/memory.max", "4294967296\n"}},
     NULL,
     NULL,
     NULL,
     4294967296.0,
     "a control group"},
    {"v2, limit of the group around it",
     {MEMINFO("16777216"),
      {GROUP, "0::/a/b/c\n"},
      {"sys/fs/cgroup/a/b/c/memory.max", "max\n"},
      {"sys/fs/cgroup/a/b/memory.max", "8589934592\n"},
      {"sys/fs/cgroup/a/memory.max", "2147483648\n"},
      {"sys/fs/cgroup/memory.max", "max\n"}},
     NULL,
     NULL,
     NULL,
     2147483648.0,
     "a control group"},
    {"v2 of a container: its root",
     {MEMINFO("16777216"), {GROUP, "0::/\n"}, {"sys/fs/cgroup/memory.max", "1073741824\n"}},
     NULL,
     NULL,
     NULL,
     1073741824.0,
     "a control group"},
    {"v2 of a container that sees its host's path",
     {MEMINFO("16777216"), {GROUP, "0::/host/docker/7\n"}, {"sys/fs/cgroup/memory.max", "3221225472\n"}},
     NULL,
     NULL,
     NULL,
     3221225472.0,
     "a control group"},
    {"v1, among other controllers",
     {MEMINFO("16777216"),
      {GROUP, "11:cpu,memory:/j\n1:name=systemd:/x\n"},
      {"sys/fs/cgroup/memory/j/memory.limit_in_bytes", "6442450944\n"},
      {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"}},
     NULL,
     NULL,
     NULL,
     6442450944.0,
     "a control group"},
    {"v1, nested",
     {MEMINFO("16777216"),
      {GROUP, "4:memory:/slurm/job\n"},
      {"sys/fs/cgroup/memory/slurm/job/memory.limit_in_bytes", "9223372036854771712\n"},
      {"sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", "5368709120\n"}},
     NULL,
     NULL,
     NULL,
     5368709120.0,
     "a control group"},
    {"v1 and v2 together",
     {MEMINFO("16777216"),
      {GROUP, "4:memory:/j\n0::/s\n"},
      {"sys/fs/cgroup/memory/j/memory.limit_in_bytes", "8589934592\n"},
      {"sys/fs/cgroup/unified/s/memory.max", "4294967296\n"}},
     NULL,
     NULL,
     NULL,
     4294967296.0,
     "a control group"},
    {"Slurm, of a node", {MEMINFO("16777216")}, "2048", NULL, NULL, 2147483648.0, "the Slurm allocation"},
    {"Slurm, of a processor", {MEMINFO("16777216")}, NULL, "512", "6", 3221225472.0, "the Slurm allocation"},
    {"Slurm, the whole node", {MEMINFO("16777216")}, "0", NULL, NULL, 17179869184.0, "this machine's memory"},
    {"Slurm above its group",
     {MEMINFO("16777216"), {GROUP, "0::/a\n"}, {"sys/fs/cgroup/a/memory.max", "1073741824"}},
     "2048",
     NULL,
     NULL,
     1073741824.0,
     "a control group"},
};

static void set_or_unset(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void test_machines(poy_ctx *ctx)
{
    char root[128];
    poyi_budget b;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        const machine *m = &machines[i];
        snprintf(root, sizeof root, "%s/%zu", folder, i);
        mkdir(root, 0700);
        for (int k = 0; k < 8 && m->files[k][0]; k++)
            put(root, m->files[k][0], m->files[k][1]);
        set_or_unset("SLURM_MEM_PER_NODE", m->per_node);
        set_or_unset("SLURM_MEM_PER_CPU", m->per_cpu);
        set_or_unset("SLURM_CPUS_ON_NODE", m->cpus);
        const size_t want = m->limit > 0 ? (size_t)(0.8 * m->limit) : SIZE_MAX;
        ok(poyi_budget_find(ctx, root, 0, NULL, &b) == POY_OK && b.bytes == want && !b.declared &&
               strstr(b.source, m->of),
           "%s: %zu bytes by '%s'", m->name, b.bytes, b.source);
    }
    set_or_unset("SLURM_MEM_PER_NODE", NULL);
    ok(poyi_budget_find(ctx, "", 0, NULL, &b) == POY_OK && b.bytes < SIZE_MAX && b.bytes > 1 << 20,
       "this machine: %zu bytes by '%s'", b.bytes, b.source);
}

static void test_precedence(poy_ctx *ctx)
{
    poyi_budget b;
    setenv("POYNTING_MEMORY", "2 GiB", 1);
    ok(poyi_budget_find(ctx, "", 1000, "run.memory", &b) == POY_OK && b.bytes == 1000 && b.declared &&
           !strcmp(b.source, "run.memory"),
       "what the recipe says counts first");
    ok(poyi_budget_find(ctx, "", 0, NULL, &b) == POY_OK && b.bytes == (size_t)1 << 31 && b.declared &&
           !strcmp(b.source, "POYNTING_MEMORY"),
       "then the environment");
    setenv("POYNTING_MEMORY", "much", 1);
    ok(poyi_budget_find(ctx, "", 0, NULL, &b) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "POYNTING_MEMORY=much"),
       "%s", poy_ctx_cause(ctx));
    setenv("POYNTING_MEMORY", "", 1);
    ok(poyi_budget_find(ctx, "", 0, NULL, &b) == POY_OK && !b.declared, "an empty variable says nothing");
    unsetenv("POYNTING_MEMORY");
    poy_ctx_clear(ctx);
}

/* ---- the estimate is the ledger's peak, to the byte ---- */

#define HEAD "schema = 1\nkind = \"pulse\"\noutput.planes = 3\n"
#define FIBRE                                                                                                   \
    HEAD "geometry = { type = \"fibre\", length = \"50 um\" }\n"                                                \
         "fibre = { gamma = \"0.11 1/(W m)\", beta = [\"-11.8 ps2/km\"] }\n"                                    \
         "pulse = [{ wavelength = \"835 nm\", peak_power = \"10 kW\", fwhm = \"50 fs\", shape = \"sech2\" }]\n" \
         "grid = { wavelength_min = \"400 nm\", wavelength_max = \"2400 nm\", window = \"1 ps\" }\n"
#define ADK "physics.rate = \"adk\"\n" /* its table is made faster */
#define CAPILLARY(modes, pressure, pulse)                                                                         \
    HEAD "geometry = { type = \"capillary\", core_radius = \"125 um\", length = \"50 um\", modes = " modes " }\n" \
         "gas = { fill = \"He\", pressure = \"" pressure "\" }\n"                                                 \
         "grid = { wavelength_min = \"160 nm\", wavelength_max = \"3 um\", window = \"300 fs\" }\n"               \
         "pulse = [{ wavelength = \"800 nm\", energy = \"120 uJ\", fwhm = \"10 fs\"" pulse " }]\n"

static const struct {
    const char *name, *text;
} routes[] = {
    {"fibre with Raman", FIBRE},
    {"fibre with noise at the launch", FIBRE "physics.noise = \"shot\"\n"},
    {"fibre with noise that is carried", FIBRE "physics.noise = \"modified\"\n"},
    {"fibre without fields", FIBRE "output.fields = \"none\"\n"},
    {"fibre on ref", FIBRE "run.backend = \"ref\"\n"},
    {"capillary", CAPILLARY("1", "1 bar", "") ADK},
    {"capillary without plasma", CAPILLARY("1", "1 bar", "") "physics.plasma = false\n"},
    {"capillary of two gases",
     HEAD "geometry = { type = \"capillary\", core_radius = \"125 um\", length = \"50 um\" }\n"
          "gas = { fill = { Ar = \"0.2 bar\", He = \"0.8 bar\" } }\n"
          "grid = { wavelength_min = \"200 nm\", wavelength_max = \"3 um\", window = \"300 fs\" }\n"
          "pulse = [{ wavelength = \"800 nm\", energy = \"20 uJ\", fwhm = \"10 fs\" }]\n" ADK},
    {"nitrogen, with Raman",
     HEAD "geometry = { type = \"capillary\", core_radius = \"125 um\", length = \"50 um\" }\n"
          "gas = { fill = \"N2\", pressure = \"1 bar\" }\n"
          "grid = { wavelength_min = \"300 nm\", wavelength_max = \"3 um\", window = \"300 fs\" }\n"
          "pulse = [{ wavelength = \"800 nm\", energy = \"20 uJ\", fwhm = \"10 fs\" }]\n" ADK},
    {"pressure gradient", CAPILLARY("1", "1 bar -> 0 bar", "") ADK},
    {"four modes", CAPILLARY("4", "1 bar", "") ADK},
    {"two modes, gradient",
     CAPILLARY("2", "1 bar -> 0 bar", "") ADK "output.stats = [\"energy\", \"energy_per_mode\"]\n"},
    {"circular", CAPILLARY("1", "1 bar", ", polarisation = \"left\"") ADK},
    {"circular, two modes", CAPILLARY("2", "1 bar", ", polarisation = \"left\"") ADK},
    {"envelope in a capillary", CAPILLARY("1", "1 bar", "") "physics.field = \"envelope\"\n"},
};

static void test_routes(void)
{
    char path[128];
    poy_recipe_options o;
    poy_recipe_report report;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    poy_recipe_options_init(&o);
    o.output = path;
    o.force = 1;
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        poy_ctx *ctx = NULL;
        poy_recipe *r = NULL;
        if (poy_ctx_create(&ctx) != POY_OK || poy_recipe_parse(ctx, routes[i].text, "a.toml", &r) != POY_OK)
            continue;
        poy_ctx_set_threads(ctx, 1);
        const poy_status status = poy_recipe_run(ctx, r, &o, &report);
        if (status == POY_ERR_UNSUPPORTED)
            note("%s: %s", routes[i].name, poy_ctx_cause(ctx));
        else
            ok(status == POY_OK && report.bytes == poy_ctx_bytes_peak(ctx), "%s: estimated %zu, peak %zu%s%s",
               routes[i].name, report.bytes, poy_ctx_bytes_peak(ctx), status ? ": " : "",
               status ? poy_ctx_cause(ctx) : "");
        poy_recipe_destroy(&r);
        poy_ctx_destroy(&ctx);
    }
}

/* The refusal names what is needed, what is allowed, by whom, where it goes, and what to change. */
static void test_refusal(poy_ctx *ctx)
{
    static const char *const items[] = {"a: needs ", "budget 1 MiB by POYNTING_MEMORY", "largest: ",
                                        "MiB",       "use fewer samples or modes",      "run.memory = \""};
    poy_recipe *r = NULL;
    poy_recipe_options o;
    char path[128];
    struct stat there;
    snprintf(path, sizeof path, "%s/refused.h5", folder);
    poy_recipe_options_init(&o);
    o.output = path;
    setenv("POYNTING_MEMORY", "1 MiB", 1);
    poy_recipe_parse(ctx, CAPILLARY("4", "1 bar", ""), "a.toml", &r);
    ok(poy_recipe_run(ctx, r, &o, NULL) == POY_ERR_BUDGET, "%s", poy_ctx_cause(ctx));
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        ok(strstr(poy_ctx_cause(ctx), items[i]) != NULL, "it says '%s'", items[i]);
    ok(stat(path, &there) && errno == ENOENT, "and nothing is written");
    ok(poy_ctx_bytes(ctx) == 0 && poy_ctx_budget(ctx) == 0, "the context is as it was");
    unsetenv("POYNTING_MEMORY");
    poy_ctx_clear(ctx);
    poy_recipe_destroy(&r);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!mkdtemp(folder) || poy_ctx_create(&ctx) != POY_OK)
        return 1;
    unsetenv("POYNTING_MEMORY");
    test_machines(ctx);
    test_precedence(ctx);
    test_routes();
    test_refusal(ctx);
    poy_ctx_destroy(&ctx);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return tap_done();
}

/* test_gradient_memory.c: what a gradient is said to take of memory, before it takes anything, against the most that its ledger ever
 * held, to the byte; and that what is reserved is what is used. Every example with an objective, every kind of record. */
#include <stdio.h>
#include <string.h>

#include "poynting/poynting.h"
#include "run/scatter/objective.h"
#include "tap.h"

#define HEAD "schema = 1\nkind = \"scatter\"\nname = \"a\"\n"
#define BALL "[[particle]]\nshape = \"sphere\"\nradius = \"75 nm\"\nmaterial = { re = 12.0, im = 0.1 }\n"
#define EIGHT                                                                                                      \
    "unit = \"nm\"\npositions = [[0, 0, 0], [170, 0, 0], [340, 0, 0], [0, 170, 0], [170, 170, 0], [340, 170, 0], " \
    "[0, 0, 170], [170, 0, 170]]\n"
#define TWO "unit = \"nm\"\npositions = [[0, 0, 0], [260, 0, 0]]\n"
#define SWEEP "[sweep]\nwavelength = { start = \"600 nm\", stop = \"700 nm\", num = 2 }\n"
#define SECTIONS "[output]\nquantities = [\"cross_sections\"]\n"
#define SHARES "[output]\nquantities = [\"transmission\"]\n"
#define LATTICE "[lattice]\nvectors = [[500.0, 0.0], [0.0, 500.0]]\nunit = \"nm\"\n"
#define STACK                                                                                                  \
    "[stack]\nlayers = [{ material = \"vacuum\" }, { array = true, above = \"200 nm\", below = \"200 nm\" }, " \
    "{ material = { n = 1.45, k = 0.0 }, thickness = \"50 nm\" }, { material = \"vacuum\" }]\n"
#define GOAL(number, keys) "[objective]\nmaximise = \"" number "\"\nband = \"500 nm:800 nm\"\nwrt = [" keys "]\n"

typedef struct route {
    const char *name, *text;
} route;

static const route routes[] = {
    {"one sphere",
     HEAD BALL "[numerics]\nlmax = 12\n" SWEEP SECTIONS GOAL("cross_sections.scattering", "\"particle.0.radius\"")},
    {"a cluster",
     HEAD BALL EIGHT "[numerics]\nlmax = 5\n" SWEEP SECTIONS GOAL(
         "cross_sections.absorption", "\"particle.0.positions\", \"particle.0.radius\", \"particle.0.material\"")},
    {"a cluster whose degree is found", HEAD BALL TWO
     "[numerics]\ntol = 1e-3\n" SWEEP SECTIONS GOAL("cross_sections.extinction", "\"particle.0.radius\"")},
    {"by wavelength",
     HEAD BALL EIGHT "[numerics]\nlmax = 4\n" SWEEP SECTIONS GOAL("cross_sections.absorption", "\"sweep.wavelength\"")},
    {"an array", HEAD BALL LATTICE "[numerics]\nlmax = 6\norders_kmax = \"40 rad/um\"\n" SWEEP SHARES GOAL(
                     "transmission.T", "\"lattice.vectors\", \"particle.0.radius\"")},
    {"a stack", HEAD BALL LATTICE STACK "[numerics]\nlmax = 4\norders_kmax = \"60 rad/um\"\n" SWEEP SHARES GOAL(
                    "transmission.R", "\"stack.layers.2.thickness\", \"particle.0.radius\"")},
    {"layers",
     HEAD "[stack]\nlayers = [{ material = \"vacuum\" }, { material = { n = 1.45, k = 0.0 }, thickness = \"50 nm\" }, "
          "{ material = \"vacuum\" }]\n" SWEEP SHARES GOAL("transmission.A", "\"stack.layers.1.thickness\"")},
    {"dichroism", HEAD BALL LATTICE STACK "[numerics]\nlmax = 4\norders_kmax = \"30 rad/um\"\n" SWEEP SHARES GOAL(
                      "cd.transmission", "\"particle.0.radius\"")},
};

static const size_t slight = (size_t)64 << 10; /* small buffers, counted in a lump */

static void check(const char *name, const char *text, const char *file, poy_objective_mode mode, int threads)
{
    poy_ctx *ctx = NULL;
    poy_recipe *r = NULL;
    poy_objective *o = NULL;
    size_t bytes = 0;
    double value;
    if (poy_ctx_create(&ctx) != POY_OK)
        return;
    poy_ctx_set_threads(ctx, threads);
    poy_status status = text ? poy_recipe_parse(ctx, text, "a.toml", &r) : poy_recipe_load(ctx, file, &r);
    if (status == POY_OK && file) /* its own degree is the work of a minute */
        status = poy_recipe_set(ctx, r, "numerics.lmax", "10");
    if (status == POY_OK)
        status = poy_objective_open(ctx, r, &o);
    if (status == POY_OK)
        status = poy_objective_bytes(ctx, o, 0, &bytes, NULL);
    if (status == POY_OK)
        status = poy_objective_evaluate(ctx, o, mode, &value);
    ok(status == POY_OK, "%s: has a gradient %s", name, poy_ctx_cause(ctx));
    if (status == POY_OK) {
        ok(bytes == poy_ctx_bytes_peak(ctx), "%s, %d threads: %zu bytes estimated, at most %zu at once", name, threads,
           bytes, poy_ctx_bytes_peak(ctx));
        const size_t reserved = o->memory.workspace;
        ok((double)reserved <= (double)o->used / 0.9 + (double)slight, "%s: %zu of %zu reserved bytes are used", name,
           o->used, reserved);
    }
    poy_objective_close(&o);
    poy_recipe_destroy(&r);
    poy_ctx_destroy(&ctx);
}

/* Where the degree has to rise, a declared budget is not overrun, and the gradient comes to its end; without one it takes what it needs. */
static void test_rise(void)
{
    static const char text[] = HEAD
        "[[particle]]\nshape = \"sphere\"\nradius = \"20 nm\"\nmaterial = \"Ag:Johnson\"\nunit = \"nm\"\n"
        "positions = [[0, 0, 0], [44, 0, 0]]\n[numerics]\ntol = 1e-3\n[sweep]\nwavelength = [\"360 nm\"]\n" SECTIONS
        "[objective]\nmaximise = \"cross_sections.absorption\"\nat = \"360 nm\"\nwrt = [\"particle.0.radius\"]\n";
    size_t needed[2] = {0, 0};
    int degree[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        poy_ctx *ctx = NULL;
        poy_recipe *r = NULL;
        poy_objective *o = NULL;
        double value, wavelength;
        size_t bytes = 0;
        if (poy_ctx_create(&ctx) != POY_OK)
            return;
        poy_ctx_set_threads(ctx, 1);
        const size_t budget = k ? (needed[0] + needed[1]) / 2 : 0;
        poy_ctx_set_budget(ctx, budget);
        ok(poy_recipe_parse(ctx, text, "a.toml", &r) == POY_OK && poy_objective_open(ctx, r, &o) == POY_OK &&
               poy_objective_bytes(ctx, o, 0, &bytes, NULL) == POY_OK &&
               poy_objective_evaluate(ctx, o, POY_OBJECTIVE_REVERSE, &value) == POY_OK,
           "%s %s", k ? "in a budget" : "without a budget", poy_ctx_cause(ctx));
        poy_objective_point(o, 0, &wavelength, &degree[k]);
        if (!k) {
            needed[0] = bytes;
            needed[1] = poy_ctx_bytes_peak(ctx);
            ok(needed[1] > 2 * needed[0], "degrees rose to %d: %zu bytes were told, %zu taken", degree[0], needed[0],
               needed[1]);
        } else {
            ok(poy_ctx_bytes_peak(ctx) <= budget, "%zu bytes of %zu, at degree %d", poy_ctx_bytes_peak(ctx), budget,
               degree[1]);
            ok(degree[1] < degree[0], "the degree is the highest that there is room for");
        }
        poy_objective_close(&o);
        poy_recipe_destroy(&r);
        poy_ctx_destroy(&ctx);
    }
}

/* Refused before anything is computed, with what is needed, what is allowed and by whom, where it goes, what to change. */
static void test_refusal(void)
{
    poy_ctx *ctx = NULL;
    poy_recipe *r = NULL;
    poy_objective *o = NULL;
    double value;
    if (poy_ctx_create(&ctx) != POY_OK)
        return;
    poy_ctx_set_budget(ctx, (size_t)1 << 20);
    ok(poy_recipe_parse(ctx, routes[1].text, "a.toml", &r) == POY_OK && poy_objective_open(ctx, r, &o) == POY_OK,
       "opened in little memory");
    const uint64_t before = poy_ctx_bytes_peak(ctx);
    ok(poy_objective_evaluate(ctx, o, POY_OBJECTIVE_REVERSE, &value) == POY_ERR_BUDGET, "refused");
    const char *cause = poy_ctx_cause(ctx);
    ok(strstr(cause, "a: needs ") && strstr(cause, ", budget 1 MiB by the context (largest: run.workspace ") &&
           strstr(cause, "use a smaller numerics.lmax") && strstr(cause, "or run.memory = \""),
       "%s", cause);
    ok(poy_ctx_bytes_peak(ctx) < before + ((size_t)1 << 20), "nothing was taken");
    poy_objective_close(&o);
    poy_recipe_destroy(&r);
    poy_ctx_destroy(&ctx);
}

int main(void)
{
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        check(routes[i].name, routes[i].text, NULL, POY_OBJECTIVE_REVERSE, 1);
        check(routes[i].name, routes[i].text, NULL, POY_OBJECTIVE_FORWARD, 3);
    }
    check("examples/cluster.toml", NULL, POY_TESTS_DIR "/../examples/cluster.toml", POY_OBJECTIVE_REVERSE, 1);
    test_rise();
    test_refusal();
    return tap_done();
}

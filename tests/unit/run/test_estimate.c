/* test_estimate.c: what a run of a recipe is said to take, before it takes anything, against the most that its ledger ever held, to
 * the byte: fibres and hollow guides, envelopes and real fields, one mode and several, every response, absorber, method. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "poynting/poynting.h"
#include "tap.h"

static const char fibre[] =
    "schema = 1\nkind = \"pulse\"\nname = \"fibre\"\n"
    "[geometry]\ntype = \"fibre\"\nlength = \"1 mm\"\n"
    "[fibre]\ngamma = \"0.01 1/(W m)\"\nbeta = [\"-20 ps2/km\"]\n"
    "[[pulse]]\nwavelength = \"1550 nm\"\npeak_power = \"2 kW\"\nt0 = \"100 fs\"\nshape = \"sech2\"\n"
    "[grid]\nwindow = \"10 ps\"\nsamples = 4096\n[output]\nplanes = 3\n";
static const char hollow[] = "schema = 1\nkind = \"pulse\"\nname = \"hollow\"\n"
                             "[geometry]\ntype = \"capillary\"\ncore_radius = \"125 um\"\nlength = \"1 mm\"\n"
                             "[gas]\nfill = \"He\"\npressure = \"1 bar\"\n"
                             "[[pulse]]\nwavelength = \"800 nm\"\nenergy = \"100 uJ\"\nfwhm = \"10 fs\"\n"
                             "[grid]\nwavelength_min = \"200 nm\"\nwavelength_max = \"4 um\"\nwindow = \"200 fs\"\n"
                             "[output]\nplanes = 3\n";

static const char mixed[] = "schema = 1\nkind = \"pulse\"\nname = \"mixed\"\n"
                            "[geometry]\ntype = \"capillary\"\ncore_radius = \"125 um\"\nlength = \"1 mm\"\n"
                            "[gas]\nfill = { Ar = \"0.5 bar\", N2 = \"0.3 bar\" }\n"
                            "[[pulse]]\nwavelength = \"800 nm\"\nenergy = \"100 uJ\"\nfwhm = \"10 fs\"\n"
                            "[grid]\nwavelength_min = \"200 nm\"\nwavelength_max = \"4 um\"\nwindow = \"200 fs\"\n"
                            "[output]\nplanes = 3\n";

typedef struct route {
    const char *name, *text, *set[8]; /* key, value, ... */
} route;

static const route routes[] = {
    {"Kerr alone", fibre, {"physics.raman", "off", "physics.shock", "false"}},
    {"Raman and shock", fibre, {NULL}},
    {"Raman of another model", fibre, {"physics.raman", "hollenbeck_cantrell"}},
    {"noise in the launch", fibre, {"physics.noise", "shot"}},
    {"noise beside the state", fibre, {"physics.noise", "modified"}},
    {"no nonlinearity", fibre, {"physics.kerr", "false", "physics.raman", "off"}},
    {"a grid with windows", fibre, {"grid.wavelength_min", "1 um", "grid.wavelength_max", "3 um"}},
    {"an absorber once a step",
     fibre,
     {"grid.wavelength_min", "1 um", "grid.wavelength_max", "3 um", "solver.absorber", "split_step"}},
    {"a window once a step",
     fibre,
     {"grid.wavelength_min", "1 um", "grid.wavelength_max", "3 um", "solver.absorber", "per_step_window"}},
    {"statistics of time", fibre, {"output.stats", "[\"energy\", \"peak_power\", \"fwhm_t\", \"photon_number\"]"}},
    {"no statistics, no fields", fibre, {"output.stats", "[]", "output.fields", "none"}},
    {"single precision in the file", fibre, {"output.precision", "single"}},
    {"a schedule", fibre, {"solver.schedule", "[\"0.5 mm\", \"0.5 mm\"]"}},
    {"a real field and its plasma", hollow, {NULL}},
    {"without plasma", hollow, {"physics.plasma", "false"}},
    {"without harmonics", hollow, {"physics.thg", "false", "physics.plasma", "false"}},
    {"an envelope in a gas", hollow, {"physics.field", "envelope"}},
    {"a molecular gas", hollow, {"gas.fill", "N2"}},
    {"a mixture", mixed, {NULL}},
    {"a mixture in several modes", mixed, {"geometry.modes", "3"}},
    {"a gradient", hollow, {"gas.pressure", "1 bar -> 0 bar"}},
    {"a taper", hollow, {"geometry.core_radius", "[[\"0 m\", \"125 um\"], [\"1 mm\", \"120 um\"]]"}},
    {"four modes", hollow, {"geometry.modes", "4"}},
    {"four modes and their statistics",
     hollow,
     {"geometry.modes", "4", "output.stats", "[\"energy_per_mode\", \"peak_intensity\", \"electron_density\"]"}},
    {"four modes of a molecular gas in a gradient",
     hollow,
     {"geometry.modes", "4", "gas.fill", "N2", "gas.pressure", "1 bar -> 0 bar"}},
    {"a current that is held", hollow, {"physics.plasma_source", "current"}},
    {"the same in four modes", hollow, {"physics.plasma_source", "current", "geometry.modes", "4"}},
    {"a band rule in four modes", hollow, {"physics.plasma_rule", "band:2", "geometry.modes", "4"}},
    {"eight modes", hollow, {"geometry.modes", "8"}},
    {"two polarisations", hollow, {"pulse.0.polarisation", "left", "geometry.modes", "2"}},
    {"two polarisations of one mode in a molecular gas",
     hollow,
     {"pulse.0.polarisation", "left", "gas.fill", "N2", "physics.plasma", "false"}},
    {"an antiresonant fibre",
     hollow,
     {"geometry.type", "antiresonant", "geometry.wall_thickness", "300 nm", "grid.wavelength_min", "400 nm",
      "grid.wavelength_max", "1.6 um"}},
};

static void check(const route *w, const char *path)
{
    poy_ctx *ctx = NULL;
    poy_recipe *r = NULL;
    poy_recipe_options o;
    poy_recipe_report report;
    if (poy_ctx_create(&ctx) != POY_OK)
        return;
    poy_ctx_set_threads(ctx, 1);
    poy_recipe_parse(ctx, w->text, "a.toml", &r);
    poy_recipe_set(ctx, r, "run.deterministic", "true");
    for (int i = 0; i + 1 < 8 && w->set[i]; i += 2)
        poy_recipe_set(ctx, r, w->set[i], w->set[i + 1]);
    poy_recipe_options_init(&o);
    o.output = path;
    o.force = 1;
    const poy_status status = poy_recipe_run(ctx, r, &o, &report);
    ok(status == POY_OK, "%s: runs %s", w->name, poy_ctx_cause(ctx));
    ok(report.bytes == poy_ctx_bytes_peak(ctx), "%s: %zu bytes estimated, at most %zu at once", w->name, report.bytes,
       poy_ctx_bytes_peak(ctx));
    poy_recipe_destroy(&r);
    poy_ctx_destroy(&ctx);
}

int main(void)
{
    char folder[] = "/tmp/poynting_estimate_XXXXXX", path[64];
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
        check(&routes[i], path);
    unlink(path);
    rmdir(folder);
    return tap_done();
}

/* cmd_new.c: poynting new: a commented recipe to start from. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const char fibre[] =
    "# A pulse in an optical fibre. poynting check tells what follows from it, poynting run computes it.\n"
    "schema = 1\n"
    "kind = \"pulse\"\n"
    "name = \"fibre\"\n"
    "\n"
    "[geometry]\n"
    "type = \"fibre\"\n"
    "length = \"10 cm\"\n"
    "\n"
    "[fibre]\n"
    "gamma = \"0.11 1/(W m)\"                       # or n2 = \"...\" and effective_area = \"...\"\n"
    "beta = [\"-11.83 ps2/km\", \"8.1e-2 ps3/km\"]     # from beta_2 on; or D and S\n"
    "#beta_at = \"835 nm\"                           # default: the pulse's wavelength\n"
    "#attenuation = \"0.2 dB/km\"\n"
    "\n"
    "[[pulse]]                                     # one such table for each pulse\n"
    "wavelength = \"835 nm\"\n"
    "peak_power = \"1 kW\"                           # or energy = \"50 pJ\"\n"
    "fwhm = \"50 fs\"                                # of the power\n"
    "shape = \"sech2\"                               # gaussian, sech2, lorentzian, cw, file\n"
    "#phase = { gdd = \"100 fs2\" }\n"
    "\n"
    "[physics]\n"
    "raman = \"blow_wood\"                           # off, blow_wood, lin_agrawal, hollenbeck_cantrell\n"
    "#noise = \"shot\"                               # with seed = ... at the top\n"
    "\n"
    "[grid]\n"
    "wavelength_min = \"450 nm\"\n"
    "wavelength_max = \"1800 nm\"\n"
    "window = \"5 ps\"\n"
    "\n"
    "[output]\n"
    "planes = 101\n"
    "\n"
    "[plots]\n"
    "kinds = [\"evolution\", \"spectrum\", \"temporal\"]\n";

static const char capillary[] = "# A pulse in a gas-filled capillary: a resonant dispersive wave in the ultraviolet.\n"
                                "schema = 1\n"
                                "kind = \"pulse\"\n"
                                "name = \"capillary\"\n"
                                "\n"
                                "[geometry]\n"
                                "type = \"capillary\"\n"
                                "core_radius = \"125 um\"     # or core_diameter\n"
                                "length = \"3 m\"\n"
                                "modes = 1                  # a count, or names: [\"HE11\", \"HE12\"]\n"
                                "\n"
                                "[gas]\n"
                                "fill = \"He\"\n"
                                "pressure = \"1 bar\"         # or \"0.8 bar -> 0 bar\"\n"
                                "\n"
                                "[[pulse]]\n"
                                "wavelength = \"800 nm\"\n"
                                "energy = \"120 uJ\"\n"
                                "fwhm = \"10 fs\"\n"
                                "\n"
                                "[grid]\n"
                                "wavelength_min = \"100 nm\"\n"
                                "wavelength_max = \"4 um\"\n"
                                "window = \"400 fs\"\n";

static const char freespace[] = "# A focused beam in air-like argon, radially symmetric.\n"
                                "schema = 1\n"
                                "kind = \"pulse\"\n"
                                "name = \"freespace\"\n"
                                "\n"
                                "[geometry]\n"
                                "type = \"radial\"\n"
                                "length = \"0.5 m\"\n"
                                "\n"
                                "[gas]\n"
                                "fill = \"Ar\"\n"
                                "pressure = \"1 bar\"\n"
                                "\n"
                                "[[pulse]]\n"
                                "wavelength = \"800 nm\"\n"
                                "energy = \"500 uJ\"\n"
                                "fwhm = \"30 fs\"\n"
                                "\n"
                                "[grid]\n"
                                "wavelength_min = \"250 nm\"\n"
                                "wavelength_max = \"2 um\"\n"
                                "window = \"500 fs\"\n";

static const char cluster[] =
    "# Light scattered by three gold spheres in water.\n"
    "schema = 1\n"
    "kind = \"scatter\"\n"
    "name = \"cluster\"\n"
    "\n"
    "[medium]\n"
    "material = \"water\"\n"
    "\n"
    "[sweep]\n"
    "wavelength = { start = \"450 nm\", stop = \"900 nm\", num = 181 }\n"
    "\n"
    "[[particle]]\n"
    "shape = \"sphere\"\n"
    "radius = \"40 nm\"\n"
    "material = \"Au:Johnson\"\n"
    "unit = \"nm\"\n"
    "positions = [[0.0, 0.0, 0.0], [90.0, 0.0, 0.0], [45.0, 78.0, 0.0]]\n"
    "\n"
    "[illumination]\n"
    "direction = [0, 0, 1]\n"
    "polarisation = \"x\"\n"
    "\n"
    "[output]\n"
    "quantities = [\"cross_sections\", { name = \"near_field\", size = \"300 nm\", pixels = 101, "
    "wavelengths = [\"650 nm\"] }]\n"
    "\n"
    "[numerics] # results that stand still to six digits; 1e-10 without this\n"
    "tol = 1e-6\n";

static const char array[] = "# A square array of silicon spheres on glass.\n"
                            "schema = 1\n"
                            "kind = \"scatter\"\n"
                            "name = \"array\"\n"
                            "\n"
                            "[stack]\n"
                            "layers = [\n"
                            "  { material = \"vacuum\" },\n"
                            "  { array = true, medium = \"vacuum\", above = \"200 nm\", below = \"200 nm\" },\n"
                            "  { material = \"SiO2\" },\n"
                            "]\n"
                            "\n"
                            "[lattice]\n"
                            "vectors = [[500.0, 0.0], [0.0, 500.0]]\n"
                            "unit = \"nm\"\n"
                            "\n"
                            "[[particle]]\n"
                            "shape = \"sphere\"\n"
                            "radius = \"120 nm\"\n"
                            "material = \"Si:Green-2008\"\n"
                            "\n"
                            "[sweep]\n"
                            "photon_energy = { start = \"1.2 eV\", stop = \"2.2 eV\", num = 201 }\n"
                            "\n"
                            "[output]\n"
                            "quantities = [\"transmission\"]\n";

static const char stack[] = "# A stack of layers: a quarter-wave mirror.\n"
                            "schema = 1\n"
                            "kind = \"scatter\"\n"
                            "name = \"stack\"\n"
                            "\n"
                            "[stack]\n"
                            "layers = [\n"
                            "  { material = \"vacuum\" },\n"
                            "  { repeat = 8, layers = [\n"
                            "    { material = { n = 2.3, k = 0.0 }, thickness = \"87 nm\" },\n"
                            "    { material = \"SiO2\", thickness = \"138 nm\" },\n"
                            "  ] },\n"
                            "  { material = \"SiO2\" },\n"
                            "]\n"
                            "\n"
                            "[sweep]\n"
                            "wavelength = { start = \"500 nm\", stop = \"1200 nm\", num = 351 }\n"
                            "\n"
                            "[output]\n"
                            "quantities = [\"transmission\"]\n";

static const struct {
    const char *name, *text;
} starters[] = {
    {"fibre", fibre},     {"capillary", capillary}, {"freespace", freespace},
    {"cluster", cluster}, {"array", array},         {"stack", stack},
};
enum { STARTERS = sizeof starters / sizeof starters[0] };

static int save(const cli *c, const char *path, int force, const char *text)
{
    FILE *file = fopen(path, force ? "w" : "wx");
    if (!file && errno == EEXIST)
        cli_message(c, "%s: exists already: use --force, or -o another file", path);
    else if (!file)
        cli_message(c, "%s: cannot be written: %s", path, strerror(errno));
    if (!file)
        return poy_status_exit_code(POY_ERR_IO);
    int failed = fputs(text, file) < 0;
    failed = fclose(file) || failed;
    if (failed) {
        cli_message(c, "%s: cannot be written: %s", path, strerror(errno));
        return poy_status_exit_code(POY_ERR_IO);
    }
    printf("%s\n", path);
    return 0;
}

static int run(cli *c, const cli_args *args)
{
    char path[128];
    const char *names[STARTERS], *output = cli_value(args, "output");
    for (int i = 0; i < STARTERS; i++) {
        names[i] = starters[i].name;
        if (strcmp(starters[i].name, args->words[0]) != 0)
            continue;
        snprintf(path, sizeof path, "%s.toml", starters[i].name);
        if (output && !strcmp(output, "-"))
            return fputs(starters[i].text, stdout) < 0;
        return save(c, output ? output : path, cli_has(args, "force"), starters[i].text);
    }
    const char *near = cli_nearest(args->words[0], names, STARTERS);
    return cli_usage(c, args->command, near ? "no kind '%s': did you mean %s?" : "no kind '%s'", args->words[0], near);
}

static const cli_option options[] = {
    {"output", 'o', "FILE", "where to [KIND.toml]; - for standard output"},
    {"force", 0, NULL, "write over an existing file"},
    {0},
};

const cli_command cmd_new = {
    .name = "new",
    .arguments = "KIND",
    .at_least = 1,
    .at_most = 1,
    .text = "write a commented recipe to start from",
    .more = "KIND: fibre, capillary, freespace, cluster, array, stack. All but freespace, which can only be checked, "
            "can be run.",
    .example = "poynting new fibre -o mine.toml",
    .options = options,
    .run = run,
};

#!/usr/bin/env python3
"""Turn the reference numbers of guides (JSON) into the tables that the C tests include.

Usage: golden_guide.py FOLDER_OF_JSON OUT_FOLDER
Reads c_modes.json, e25_step_index_gnlse.json, e26_taper_linear_only.json; writes guide_*.def, one macro row per number.
The tables are kept in tests/golden, so that the tests need neither this program nor the JSON."""
import json
import pathlib
import sys


def number(x):
    """As a C constant; what the reference does not have becomes 0, which no reference value is."""
    return "0.0" if x is None else repr(float(x))


def row(macro, *fields):
    return "%s(%s)" % (macro, ", ".join(f if isinstance(f, str) else number(f) for f in fields))


def quoted(text):
    return '"%s"' % text


def rows(data):
    for r in data["marcatili"]:
        beta = r.get("beta_derivatives_SI_0_to_4", [None] * 5)
        zdw = r.get("zero_dispersion_wavelengths_m", [])
        assert len(zdw) <= 1
        yield row("CAPILLARY", r["radius_m"], quoted(r["gas"]), r["P_bar"], quoted(r["mode"]), r["lambda_m"],
                  *r["neff_minus_1"], *r["neff_reduced_minus_1"], r["alpha_per_m"], r["aeff_m2"], r["unm"], *beta,
                  zdw[0] if zdw else None)
    for r in data["antiresonant"]:
        yield row("ANTIRESONANT", r["radius_m"], r["wall_m"], r["lambda_m"], r["n_core"], r["n_clad"], quoted(r["mode"]),
                  *r["neff_minus_1_corrected"], *r["neff_minus_1_luna_variant"])
    for r in data["step_index"]:
        yield row("STEP_INDEX", r["radius_m"], r["n_core"], r["n_clad"], r["lambda_m"], quoted(r["mode"]), r["neff"])
    for r in data["rectangular"]:
        yield row("RECTANGULAR", *r["half_widths_m"], r["lambda_m"], r["n_core"], r["n_clad"],
                  quoted("E" + r["pol"] + r["mode"]), *r["neff_minus_1"], r["aeff_m2"])


def fibre(run):
    """n_eff of HE11 over the band, and the dispersion at 1550 nm."""
    data = run["dispersion"]
    for omega, n in zip(data["omega_rad_s"], data["neff"]):
        yield row("SAMPLE", omega, n)
    yield row("BETA", *(data[key] for key in ("beta0_1_m", "beta1_s_m", "beta2_s2_m", "beta3_s3_m")))


def taper(run):
    """The phase of the whole taper, integral of -i (beta - beta_1 omega) - alpha/2."""
    for omega, phi in zip(run["phase"]["omega_rad_s"], run["phase"]["Phi"]):
        yield row("PHASE", omega, *phi)


FILES = {
    "guide_modes.def": ("c_modes.json", rows, """effective indices minus 1 (re, im), areas and dispersion of modes, from arithmetic of 40 digits.
 * CAPILLARY(radius, gas, bar, mode, lambda, n - 1, reduced n - 1, alpha, area, u, beta_0 ... beta_4, zero dispersion)
 * ANTIRESONANT(radius, wall, lambda, n_core, n_clad, mode, n - 1, the same with Luna's coefficients)
 * STEP_INDEX(radius, n_core, n_clad, lambda, mode, n)
 * RECTANGULAR(half widths x, y, lambda, n_core, n_clad, mode, n - 1, area); SI, 0: not given."""),
    "guide_fibre.def": ("e25_step_index_gnlse.json", fibre, """HE11 of a fibre of 1.9 um, silica + 0.03 in silica.
 * SAMPLE(omega, n to 13 decimals), BETA(beta_0 ... beta_3 at 1550 nm)."""),
    "guide_taper.def": ("e26_taper_linear_only.json", taper, """a taper from 70 to 28 um over 0.5 m, 1.5 bar of Ne, Malitson's silica, HE11.
 * PHASE(omega, re, im), to 12 decimals: integral of -i (beta - beta_1 omega) - alpha/2, beta_1 local at 800 nm."""),
}


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    for name, (data, make, text) in FILES.items():
        made = make(json.loads((source / data).read_text()))
        head = "/* %s: %s\n * Made by tools/golden_guide.py. */\n" % (name, text)
        (out / name).write_text(head + "".join(r + "\n" for r in made))


if __name__ == "__main__":
    main()

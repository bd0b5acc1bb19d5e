#!/usr/bin/env python3
"""Turn the reference numbers of guides (c_modes.json) into the table that the C tests include.

Usage: golden_guide.py FOLDER_OF_JSON OUT_FOLDER
Writes guide_modes.def, one macro row per mode. The table is kept in tests/golden, so that the tests need neither this
program nor the JSON."""
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


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    data = json.loads((source / "c_modes.json").read_text())
    text = """/* guide_modes.def: effective indices minus 1 (re, im), areas and dispersion of modes, from arithmetic of 40 digits.
 * CAPILLARY(radius, gas, bar, mode, lambda, n - 1, reduced n - 1, alpha, area, u, beta_0 ... beta_4, zero dispersion)
 * ANTIRESONANT(radius, wall, lambda, n_core, n_clad, mode, n - 1, the same with Luna's coefficients)
 * STEP_INDEX(radius, n_core, n_clad, lambda, mode, n)
 * RECTANGULAR(half widths x, y, lambda, n_core, n_clad, mode, n - 1, area); SI, 0: not given.
 * Made by tools/golden_guide.py. */
"""
    (out / "guide_modes.def").write_text(text + "".join(r + "\n" for r in rows(data)))


if __name__ == "__main__":
    main()

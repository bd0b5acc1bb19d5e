#!/usr/bin/env python3
"""Turn the reference runs of pulse propagation (JSON) into the tables that the C tests include.

Usage: golden_pulse.py FOLDER_OF_JSON OUT_FOLDER
Reads e*.json; writes pulse_*.def, one macro row per number. The tables are kept in tests/golden, so that the tests
need neither this program nor the JSON."""
import json
import pathlib
import sys


def number(x):
    return repr(float(x))


def write(path, text, rows):
    head = "/* %s: %s\n * Made by tools/golden_pulse.py. */\n" % (path.name, text)
    path.write_text(head + "".join(row + "\n" for row in rows))


def short(name):
    """e04_ssfs_blowwood -> e04_blowwood, e06_supercontinuum_dudley2006 -> e06."""
    words = name.split("_")
    return words[0] + ("_" + words[2] if words[0] == "e04" else "")


def grids(runs):
    """Every grid: by a number of samples, or by wavelength limits."""
    for name, run in sorted(runs.items()):
        grid, inputs = run.get("grid", {}), run.get("inputs", {})
        if "field" not in grid:
            continue
        limits = inputs.get("lambda_lims", [0.0, 0.0])
        rule = (inputs["lambda0"], min(limits), max(limits), inputs.get("time_window", inputs.get("time_range")))
        made = [grid[key] for key in ("dt_s", "dt_fine_s", "domega_rad_s", "omega0_rad_s")]
        yield "GRID(%s, %d, %s, %d, %d, %d, %d, %s)" % (
            short(name), grid["field"] != "envelope",
            ", ".join(map(number, rule)), 0 if any(limits) else inputs["N"],
            name.startswith("e22"), grid["N"], grid["N_fine"], ", ".join(map(number, made)))


SHAPES = {"gauss": "GAUSSIAN", "sech": "SECH2", "cw": "CW"}


def launches(runs):
    """Every pulse of a run with a given number of samples, and the energy and peak that it starts with."""
    for name, run in sorted(runs.items()):
        inputs = run.get("inputs", {})
        if "time_window" not in inputs:
            continue
        pulse = inputs["pulse"]
        given = [number(pulse[key]) if key in pulse else "NAN" for key in ("fwhm", "tau0", "energy", "power")]
        yield "LAUNCH(%s, %s, %s, %d, POY_SHAPE_%s, %s, %s)" % (
            short(name), number(inputs["lambda0"]), number(inputs["time_window"]), inputs["N"],
            SHAPES[pulse["shape"]], ", ".join(given), number(run["scalars"]["energy_in_J"]))


def samples(run):
    """The spectrum at the end: sqrt(J s) over rad/s."""
    data = run["samples"]
    for omega, (re, im) in zip(data["omega_rad_s"], data["spectrum_complex_sqrtJs"]):
        yield "SAMPLE(%s, %s, %s)" % (number(omega), number(re), number(im))


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    runs = {path.stem: json.loads(path.read_text()) for path in source.glob("e*.json")}
    write(out / "pulse_grids.def", "GRID(run, real, lambda0, lambda_min, lambda_max, window, samples, thg, N, N_fine, dt, "
          "dt_fine, domega, omega0), SI.", grids(runs))
    write(out / "pulse_launches.def", "LAUNCH(run, lambda0, window, samples, shape, fwhm, t0, energy, peak power, "
          "energy launched), SI.", launches(runs))
    for name in ("e02_dispersion_gauss", "e03_spm"):
        write(out / ("pulse_%s.def" % name), "SAMPLE(omega rad/s, Re S, Im S sqrt(J s)) at the end of the run.",
              samples(runs[name]))


if __name__ == "__main__":
    main()

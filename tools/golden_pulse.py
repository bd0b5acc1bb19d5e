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
    """Every envelope grid: by a number of samples, or by wavelength limits."""
    for name, run in sorted(runs.items()):
        grid, inputs = run.get("grid", {}), run.get("inputs", {})
        if grid.get("field") != "envelope":
            continue
        limits = inputs.get("lambda_lims", [0.0, 0.0])
        rule = (inputs["lambda0"], min(limits), max(limits), inputs.get("time_window", inputs.get("time_range")))
        made = [grid[key] for key in ("dt_s", "dt_fine_s", "domega_rad_s", "omega0_rad_s")]
        yield "GRID(%s, %s, %d, %d, %d, %d, %s)" % (
            short(name),
            ", ".join(map(number, rule)), 0 if any(limits) else inputs["N"],
            name.startswith("e22"), grid["N"], grid["N_fine"], ", ".join(map(number, made)))


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    runs = {path.stem: json.loads(path.read_text()) for path in source.glob("e*.json")}
    write(out / "pulse_grids.def", "GRID(run, lambda0, lambda_min, lambda_max, window, samples, thg, N, N_fine, dt, "
          "dt_fine, domega, omega0), SI.", grids(runs))


if __name__ == "__main__":
    main()

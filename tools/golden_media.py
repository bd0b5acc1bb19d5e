#!/usr/bin/env python3
"""Turn the reference numbers of the media (JSON) into the tables that the C tests include.

Usage: golden_media.py FOLDER_OF_JSON OUT_FOLDER
Reads a_materials.json, d_raman.json; writes media_*.def, one macro row per number. The tables
are kept in tests/golden, so that the tests need neither this program nor the JSON."""
import json
import pathlib
import sys


def number(x):
    """As a C constant; what is missing in the reference becomes 0, which no reference value is."""
    return "0.0" if x is None else repr(float(x))


def write(path, text, rows):
    head = "/* %s: %s\n * Made by tools/golden_media.py. */\n" % (path.name, text)
    path.write_text(head + "".join(row + "\n" for row in rows))


WAVELENGTHS = ("200nm", "400nm", "800nm", "1030nm", "1800nm")


def gases(data):
    for g in data["gases"]:
        yield 'GAS("%s", %s, %s, %s, %s, %s, %s,\n    %s)' % (
            g["gas"], number(g["P_bar"]), number(g["T_K"]), number(g["density_m3"]), number(g.get("gamma3_m5_V2")),
            number(g.get("chi3_m2_V2")), number(g.get("n2_m2_W_at_800nm")),
            ", ".join(number(g["n_minus_1"].get(w)) for w in WAVELENGTHS))


def glasses(data):
    for g in data["glasses"]:
        assert all(k == 0.0 for _, k in g["n"].values())
        yield 'GLASS("%s", %s)' % (g["glass"].replace("CaCO3o", "CaCO3:o"),
                                   ", ".join(number(g["n"].get(w, [None])[0]) for w in WAVELENGTHS))


def raman(data):
    for model, name in (("blowwood", "BLOW_WOOD"), ("linagrawal", "LIN_AGRAWAL"), ("hollenbeck", "HOLLENBECK_CANTRELL")):
        for t, h in zip(data["t_s"], data["silica_h_per_s"][model]):
            yield "SILICA(POYI_RAMAN_%s, %s, %s)" % (name, number(t), number(h))


def raman_gases(data):
    for g in data["gases"]:
        yield 'GAS("%s", %s, %s, %s, %s, %s)' % (
            g["gas"], number(g["P_bar"]), number(g["T_K"]), number(g["density_m3"]), number(g["tau2_rot_s"]),
            number(g["tau2_vib_s"]))
        for line in g["lines"]:
            yield 'LINE("%s", POY_RAMAN_%s, %s, %s)' % (
                g["gas"], {"r": "ROTATION", "v": "VIBRATION"}[line["kind"]], number(line["K"]),
                number(line["Omega_rad_s"]))
        for t, h in zip(g["t_s"], g["h"]):
            yield 'POINT("%s", %s, %s)' % (g["gas"], number(t), number(h))


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    data = json.loads((source / "a_materials.json").read_text())
    write(out / "media_gas.def", "GAS(name, pressure bar, temperature K, density 1/m3, gamma3, chi3, n2 at 800 nm, "
          "n - 1 at %s)." % ", ".join(WAVELENGTHS), gases(data))
    write(out / "media_glass.def", "GLASS(name, n at %s)." % ", ".join(WAVELENGTHS), glasses(data))
    data = json.loads((source / "d_raman.json").read_text())
    write(out / "media_raman_silica.def", "SILICA(model, t s, h_R 1/s).", raman(data))
    write(out / "media_raman_gas.def", "GAS(name, bar, K, density 1/m3, lifetime of rotation, of vibration s (0: none)), "
          "then its LINE(name, kind, K, omega) and POINT(name, t s, h).", raman_gases(data))


if __name__ == "__main__":
    main()

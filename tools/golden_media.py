#!/usr/bin/env python3
"""Turn the reference numbers of the media (JSON) into the tables that the C tests include.

Usage: golden_media.py FOLDER_OF_JSON OUT_FOLDER
Reads a_materials.json, b_ionisation.json, d_raman.json; writes media_*.def, one macro row per number. The tables
are kept in tests/golden, so that the tests need neither this program nor the JSON."""
import json
import pathlib
import sys


def number(x):
    return "NAN" if x is None else repr(float(x))


def write(path, text, rows):
    head = "/* %s: %s\n * Made by tools/golden_media.py. */\n" % (path.name, text)
    path.write_text(head + "".join(row + "\n" for row in rows))


def raman(data):
    for model, name in (("blowwood", "BLOW_WOOD"), ("linagrawal", "LIN_AGRAWAL"), ("hollenbeck", "HOLLENBECK_CANTRELL")):
        for t, h in zip(data["t_s"], data["silica_h_per_s"][model]):
            yield "SILICA(POYI_RAMAN_%s, %s, %s)" % (name, number(t), number(h))


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    data = json.loads((source / "d_raman.json").read_text())
    write(out / "media_raman_silica.def", "SILICA(model, t s, h_R 1/s).", raman(data))


if __name__ == "__main__":
    main()

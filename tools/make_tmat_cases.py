#!/usr/bin/env python3
"""Converts the manifest of published tmat.h5 files to text that a C test reads.

usage: make_tmat_cases.py MANIFEST.json FOLDER -> FOLDER/manifest.txt

Each file: name poltype points positions, then k0 (1/nm) of each point, positions (nm), epsilon mu kappa (re im), the number of
modes with (pidx l m pol) each, and the number of entries with (row col re im) each, rows and columns by the mode lists."""
import json
import sys
from pathlib import Path

POLS = {"negative": 0, "positive": 1, "minus": 0, "plus": 1, "magnetic": 0, "electric": 1, "te": 0, "tm": 1}


def modes(basis):
    index = basis.get("pidx") or [0] * len(basis["l"])
    return list(zip(index, basis["l"], basis["m"], (POLS[p] for p in basis["polarization"])))


def main():
    lines = []
    for f in json.loads(Path(sys.argv[1]).read_text())["files"]:
        words = [f["file"], int(f["poltype"] == "parity"), len(f["k0_1_per_nm"]), len(f["positions_nm"])]
        words += [float.hex(k) for k in f["k0_1_per_nm"]] + [float.hex(float(x)) for p in f["positions_nm"] for x in p]
        words += [float.hex(float(x)) for name in ("epsilon", "mu", "kappa") for x in f["embedding"][name]]
        for side in [modes(f["basis"].get(name, f["basis"])) for name in ("scattered", "incident")]:
            words += [len(side), *(x for mode in side for x in mode)]
        entries = f["entries_first_sweep_point"]
        words += [len(entries)] + [w for i, j, v in entries for w in (i, j, float.hex(v[0]), float.hex(v[1]))]
        lines.append(" ".join(map(str, words)))
    (Path(sys.argv[2]) / "manifest.txt").write_text("\n".join(lines) + "\n")


main()

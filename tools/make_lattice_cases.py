#!/usr/bin/env python3
"""Makes the table of published lattice sums that tests/unit/scatter/test_lattice.c reads.

usage: make_lattice_cases.py LATTICE.json REPORTS.json FOLDER    writes FOLDER/lattice.txt

Each line: name spherical shell dim n m k (re im) kpar[dim] a[dim * dim] r[3 or 2] rel abs value (re im); shell -1: the whole
sum; n the degree, or |m| of cylindrical waves."""
import json
import sys
from pathlib import Path


def numbers(value):
    if isinstance(value, list):
        return [x for v in value for x in numbers(v)]
    return [float.hex(float(value))]


def pair(value):
    return numbers(value if isinstance(value, list) else [value, 0.0])


def line(name, spherical, shell, dim, n, m, given, r, tolerance, value):
    fields = [name, spherical, shell, dim, n, m, *pair(given["k"]), *numbers(given["kpar"]), *numbers(given["a"])]
    return " ".join(map(str, fields + numbers(r) + [tolerance[0], tolerance[1], *pair(value)]))


def published(cases):
    for case in cases:
        given, spherical = case["inputs"], int("sw" in case["op"])
        dim = given.get("dim", 3)
        n = given["l"] if spherical else abs(given["m"])
        yield line(case["id"], spherical, given.get("shell", -1), dim, n, given["m"], given, given["r"],
                   (case["tol"]["rel"], case["tol"]["abs"]), case["expected"])


def reported(cases):
    for case in cases:
        if "1d_sum" not in case["area"]:
            continue
        given, spherical = case["input"], int("sph" in case["area"])
        r = [0.0, 0.0, given["r"]] if spherical else [given["r"], 0.0]
        yield line(case["id"], spherical, -1, 1, given["l"], 0 if spherical else given["l"], given, r,
                   (case["tolerance"]["rtol"], case["tolerance"]["atol"]), case["expected"]["value"])


def main():
    lattice, reports, folder = sys.argv[1:]
    lines = list(published(json.loads(Path(lattice).read_text())["cases"]))
    lines += reported(json.loads(Path(reports).read_text())["cases"])
    (Path(folder) / "lattice.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Converts published cases of clusters from JSON to text that C tests read.

usage: make_cluster_cases.py CLUSTER.json CYLINDER.json GRADIENT.json FOLDER -> FOLDER/cluster.txt

Each line: op rel abs count k0 lmax kz medium particles radii... epsilon (re im)... positions (xyz)... direction pol
lmax_global extra extra extra m expected... For cylinders lmax is mmax. count: numbers from k0 on to the last extra. extra:
Euler angles, a translation, a point; of gradients: kind (0 scattering, 1 extinction), the input (0 k0, 1 radii, 2 epsilon,
3 positions), 0. metrics of a chiral sphere: chiral_metrics k0 lmax radius epsilon mu kappa."""
import json
import sys
from pathlib import Path

INPUTS = ["k0", "radii", "epsilon", "positions"]


def number(value):
    return float.hex(float(value))


def pair(value):
    return [number(part) for part in (value if isinstance(value, list) else [value, 0.0])]


def flat(values):
    return [number(part) for value in values for part in value]


def head(given, extra):
    direction = given.get("kvec") or given.get("direction") or [0, 0, 1]
    positions = given.get("positions") or [[0, 0, 0]]
    return [number(given["k0"]), given.get("lmax", given.get("mmax")), number(given.get("kz", 0.0)),
            number(given.get("medium", 1.0)), len(given["radii"]), *map(number, given["radii"]),
            *[part for e in given["epsilon"] for part in pair(e)], *flat(positions), *map(number, direction),
            given.get("pol", 1), given.get("lmax_global", 0), *map(number, extra)]


def convert(case):
    given, op, want = case["inputs"], case["op"], case["expected"]
    if op in ("ebcm_tmatrix", "mie_cyl") or op.startswith(("grad_sphere", "grad_array", "grad_slab", "vjp")):
        return None
    if "materials" in given:
        sphere = given["materials"][0]
        inputs = [number(given["k0"]), given["lmax"], number(given["radii"][0]), *[p for v in sphere for p in pair(v)]]
        op = "chiral_metrics"
    else:
        extra = given.get("euler") or given.get("r") or given.get("point") or [0, 0, 0]
        if op == "grad_cluster_xs":
            extra = [int(given["kind"] == "ext"), INPUTS.index(given["wrt"]), 0]
        inputs = head(given, extra)
    numbers = want if isinstance(want, list) else [want]
    while isinstance(numbers[0], list):
        numbers = [part for value in numbers for part in value]
    return " ".join(map(str, [op, case["tol"]["rel"], case["tol"]["abs"], len(inputs), *inputs, len(numbers),
                              *map(number, numbers)]))


def main():
    cases = [case for source in sys.argv[1:4] for case in json.loads(Path(source).read_text())["cases"]]
    lines = [line for line in map(convert, cases) if line]
    (Path(sys.argv[4]) / "cluster.txt").write_text("\n".join(lines) + "\n")


main()

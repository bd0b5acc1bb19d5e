#!/usr/bin/env python3
"""Writes tests/golden/solvers.def from the golden operations' manifest: the complex cases of cg, Lanczos, power iteration
and the exponential, as initialisers of C arrays.

usage: golden_solvers.py MANIFEST.json > tests/golden/solvers.def"""

import json
import sys

NAMES = {"cg": "cg", "lanczos_smallest": "lanczos", "power_iteration": "power", "expm_multiply": "expm"}


def numbers(data):
    """[re, im] pairs, or plain numbers, as a flat C list."""
    flat = [part for value in data for part in (value if isinstance(value, list) else [value, 0.0])]
    return ", ".join(repr(float(part)) for part in flat)


def main():
    cases = json.load(open(sys.argv[1], encoding="utf-8"))["cases"]
    print("/* solvers.def: golden cases of solvers: GOLDEN(name, t, matrix, vector, result), complex numbers as pairs.")
    print(" * Made by tools/golden_solvers.py from values of high-precision arithmetic. */")
    for case in cases:
        if case["op"] not in NAMES or case["kind"] != "complex128":
            continue
        t = case["kw"].get("t", [0.0, 0.0])
        print(f"/* {case['id']}, rtol {case['rtol']} */")
        print(f"GOLDEN({NAMES[case['op']]}, ({t[0]}, {t[1]}),")
        print(f"       ({numbers(case['in'][0]['data'])}),")
        print(f"       ({numbers(case['in'][1]['data'])}),")
        print(f"       ({numbers(case['out'][0]['data'])}))")


main()

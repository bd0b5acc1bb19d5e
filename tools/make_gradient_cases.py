#!/usr/bin/env python3
"""Gradients of gradient.json that records of scattering give, as tests/golden/scattering/gradient_cases.def.

usage: make_gradient_cases.py GOLDEN/scattering/gradient.json OUT
One initialiser each: case, record, options, numbers of all inputs, cotangents, the input whose gradient it is, expected numbers,
relative tolerance of the largest."""

import json
import sys


def flat(value):
    """The numbers of nested lists."""
    return [x for v in value for x in flat(v)] if isinstance(value, list) else [float(value)]


def numbers(values):
    return "(const double[]){" + ", ".join(repr(float(v)) for v in values) + "}"


def pairs(values):
    return [x for v in values for x in (v if isinstance(v, list) else [v, 0.0])]


def row(case, record, options, specs, inputs, cotangent, which, expected, tolerance):
    return (f'{{"{case}", "poy.{record}", "{options}", "{" ".join(specs)}",\n {numbers(inputs)},\n {numbers(cotangent)}, '
            f"{which}, {len(expected)}, {numbers(expected)}, {tolerance!r}}},")


def spheres(case, i, radii, epsilon, positions, direction, pol, wrt, expected):
    """A row of poy.spheres_cross_sections."""
    n = len(radii)
    one, zero = [1.0, 0.0] * n, [0.0, 0.0] * n
    specs = ["f64[]", f"f64[{n},1]", f"c128[{n},1]", f"c128[{n},1]", f"c128[{n},1]", f"f64[{n},3]", "f64[3]", "c128[2]",
             "f64[3]"]
    amplitude = [1.0, 0.0, 0.0, 0.0] if pol == 0 else [0.0, 0.0, 1.0, 0.0]
    inputs = [i["k0"], *radii, *pairs(epsilon), *one, *zero, *flat(positions), 1.0, 1.0, 0.0, *amplitude, *direction]
    cotangent = [1.0, 0.0] if i["kind"] == "sca" else [0.0, 1.0]
    place = {"k0": 0, "radii": 1, "epsilon": 2, "positions": 5}[wrt]
    return row(f"{case['id']} {wrt}", "spheres_cross_sections", f"lmax={i['lmax']}", specs, inputs, cotangent, place,
               expected, case["tol"]["rel"])


def rows(case):
    i, e = case["inputs"], case["expected"]
    if case["op"] == "grad_cluster_xs":
        expected = pairs(e) if i["wrt"] == "epsilon" else flat(e)
        yield spheres(case, i, i["radii"], i["epsilon"], i["positions"], i["direction"], i["pol"], i["wrt"], expected)
    if case["op"] == "grad_sphere_xs":
        for wrt, expected in (("k0", e[0][:1]), ("radii", e[1][:1]), ("epsilon", e[2])):
            yield spheres(case, i, [i["radius"]], [i["epsilon"]], [[0, 0, 0]], [0, 0, 1], 1, wrt, expected)
    labels = {"vjp_bessel": ("bessel", "function=h1;spherical=yes", [3.0]), "vjp_incgamma": ("incgamma", "", [-1.5]),
              "vjp_angular_tau": ("angular", "function=tau", [4.0, 2.0])}
    if case["op"] in labels:
        record, options, label = labels[case["op"]]
        yield row(case["id"], record, options, ["f64[]"] * len(label) + ["c128[]"], [*label, *i["z"]], i["cotangent"],
                  len(label), e, case["tol"]["rel"])


def main():
    cases = json.load(open(sys.argv[1], encoding="utf-8"))["cases"]
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        print("/* gradient_cases.def: written by tools/make_gradient_cases.py: gradients in up to 50 digits, for records. */",
              file=out)
        for case in cases:
            for text in rows(case):
                print(text, file=out)


if __name__ == "__main__":
    main()

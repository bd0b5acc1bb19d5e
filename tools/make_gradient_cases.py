#!/usr/bin/env python3
"""Gradients of gradient.json that records of scattering give, as tests/golden/scattering/gradient_cases.def.

usage: make_gradient_cases.py GOLDEN/scattering/gradient.json OUT
One initialiser each: case, record, options, numbers of all inputs, cotangents of the first outputs and
their number, the input whose gradient it is, where in it the
expected numbers start, they themselves, relative tolerance of the largest."""

import json
import sys


def flat(value):
    """The numbers of nested lists."""
    return [x for v in value for x in flat(v)] if isinstance(value, list) else [float(value)]


def numbers(values):
    return "(const double[]){" + ", ".join(repr(float(v)) for v in values) + "}"


def pairs(values):
    return [x for v in values for x in (v if isinstance(v, list) else [v, 0.0])]


def row(case, record, options, specs, inputs, cotangent, which, expected, tolerance, first=0):
    return (f'{{"{case}", "poy.{record}", "{options}", "{" ".join(specs)}",\n {numbers(inputs)},\n {numbers(cotangent)}, {len(cotangent)}, '
            f"{which}, {first}, {len(expected)}, {numbers(expected)}, {tolerance!r}}},")


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


def slab(case, i, expected):
    """Rows of poy.layers_power: a slab in vacuum, TE light from below, which is M = (pol 1 - pol 0) / sqrt(2)."""
    specs = ["f64[]", "f64[1]", "c128[3]", "c128[3]", "c128[3]", "f64[2]", "c128[2]"]
    inputs = [i["k0"], i["thickness"], *pairs([1.0, i["epsilon"], 1.0]), *pairs([1.0] * 3), *pairs([0.0] * 3), *i["kpar"],
              -(0.5**0.5), 0.0, 0.5**0.5, 0.0]
    thickness, epsilon, k0 = expected
    for name, place, first, want in (("thickness", 1, 0, thickness[:1]), ("epsilon", 2, 2, epsilon), ("k0", 0, 0, k0[:1])):
        yield row(f"{case['id']} {name}", "layers_power", "", specs, inputs, [1.0, 0.0], place, want, case["tol"]["rel"], first)


def array(case, i, expected):
    """Rows of poy.sphere_array_power_fixed: a square array in vacuum at normal incidence; half the pitch's slope on each axis."""
    specs = ["f64[]", "f64[1,1]", "c128[1,1]", "c128[1,1]", "c128[1,1]", "f64[1,3]", "f64[3]", "f64[2,2]", "f64[2]", "c128[2]",
             "f64[1,2]"]
    inputs = [i["k0"], i["radius"], *i["epsilon"], 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, i["pitch"], 0.0, 0.0,
              i["pitch"], 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    radius, pitch, epsilon, k0 = expected
    half = pitch[0] / 2
    for name, place, want in (("radius", 1, radius[:1]), ("pitch", 7, [half, 0.0, 0.0, half]), ("epsilon", 2, epsilon),
                              ("k0", 0, k0[:1])):
        yield row(f"{case['id']} {name}", "sphere_array_power_fixed", f"lmax={i['lmax']}", specs, inputs, [1.0, 0.0], place,
                  want, case["tol"]["rel"])


def rows(case):
    i, e = case["inputs"], case["expected"]
    if case["op"] == "grad_slab_t":
        yield from slab(case, i, e)
    if case["op"] == "grad_array_t":
        yield from array(case, i, e)
    if case["op"] == "grad_cluster_xs":
        expected = pairs(e) if i["wrt"] == "epsilon" else flat(e)
        yield spheres(case, i, i["radii"], i["epsilon"], i["positions"], i["direction"], i["pol"], i["wrt"], expected)
    if case["op"] == "grad_sphere_xs":
        for wrt, expected in (("k0", e[0][:1]), ("radii", e[1][:1]), ("epsilon", e[2])):
            yield spheres(case, i, [i["radius"]], [i["epsilon"]], [[0, 0, 0]], [0, 0, 1], 1, wrt, expected)
    if case["op"] == "vjp_lsumsw2d":
        specs, inputs = ["c128[]", "f64[2]", "f64[2,2]", "f64[3]"], [i["k"], 0.0, *i["kpar"], *flat(i["a"]), *i["r"]]
        cotangent = [0.0] * 18  # (l, m) at l (l + 1) + m
        cotangent[2 * (i["l"] * (i["l"] + 1) + i["m"])] = i["cotangent"][0]
        for which, first, last in ((0, 0, 1), (1, 1, 3), (2, 3, 7), (3, 7, 10)):
            want = e[0] if which == 0 else [x[0] for x in e[first:last]]
            yield row(f"{case['id']} {which}", "lattice_sum", f"lmax={i['l']}", specs, inputs, cotangent, which, want,
                      case["tol"]["rel"])
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

#!/usr/bin/env python3
"""Converts published cases of special functions from JSON to text that C tests read.

usage: make_special_cases.py SPECIAL.json BESSEL.json FOLDER

SPECIAL.json -> FOLDER/special.txt: op rel abs n inputs... m outputs..., complex numbers as re im; inputs in the order of
the file. BESSEL.json -> FOLDER/bessel_reports.txt: area n re im judged rtol atol re im, where judged says what the
last two numbers are: value, scaled (without exp |Im z|), log (log10 of the modulus, phase), zero or minus_infinity."""
import json
import sys
from pathlib import Path


def flatten(value):
    if isinstance(value, list):
        return [number for item in value for number in flatten(item)]
    return [float(value)]


def special(cases):
    for case in cases:
        inputs = [number for value in case["inputs"].values() for number in flatten(value)]
        outputs = flatten(case["expected"])
        numbers = [len(inputs), *map(float.hex, inputs), len(outputs), *map(float.hex, outputs)]
        yield " ".join(map(str, [case["op"], case["tol"]["rel"], case["tol"]["abs"], *numbers]))


def bessel(cases):
    for case in cases:
        expected, tolerance = case["expected"], case["tolerance"]
        kind = {"underflow_to_zero": "zero", "overflow_minus_inf": "minus_infinity"}.get(tolerance.get("value"))
        if kind:
            value = [0.0, 0.0]
        elif tolerance.get("on") == "scaled_exp_minus_abs_im":
            kind, value = "scaled", expected["scaled_exp_minus_abs_im"]
        elif "value" in expected:
            kind, value = "value", expected["value"]
        else:
            kind, value = "log", [expected["log10_abs"], expected["phase"]]
        numbers = [case["input"]["z"][0], case["input"]["z"][1]]
        words = [case["area"], case["input"]["n"], *map(float.hex, numbers), kind, tolerance.get("rtol", 0.0),
                 tolerance.get("atol", 0.0), *map(float.hex, map(float, value))]
        yield " ".join(map(str, words))


def main():
    sources, folder = sys.argv[1:3], Path(sys.argv[3])
    for source, name, convert in zip(sources, ["special", "bessel_reports"], [special, bessel]):
        cases = json.loads(Path(source).read_text())["cases"]
        (folder / f"{name}.txt").write_text("\n".join(convert(cases)) + "\n")


main()

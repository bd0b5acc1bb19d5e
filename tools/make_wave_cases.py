#!/usr/bin/env python3
"""Converts published cases of vector waves from JSON to text that C tests read.

usage: make_wave_cases.py EXPANSION.json REPORTS.json ERRORS.json FOLDER

EXPANSION.json -> FOLDER/expansion.txt: op rel abs n inputs... 2 re im. Inputs in the order of the file; wavevector
components and wavenumbers as re im, booleans and the polarisation type (helicity 0, parity 1) as numbers.
REPORTS.json -> FOLDER/wave_reports.txt: translation k x y z lambda mu l m rtol re im (the entry divided by x, equal
positive helicity, regular) or wigner_d l m k theta rtol value.
ERRORS.json -> FOLDER/wave_errors.txt: id and refused or fine, of the calls of special functions and waves."""
import json
import sys
from pathlib import Path

COMPLEX = {"pw_to_sw": {"kx", "ky", "kz"}, "pw_to_cw": {"kx", "ky", "kzpw"}, "cw_to_sw": {"k"}, "sw_translate": {"kr"},
           "sw_rotate": set(), "sw_periodic_to_pw": {"kx", "ky", "kz"}, "sw_periodic_to_cw": {"k"},
           "cw_periodic_to_pw": {"ky"}, "pw_permute_xyz": {"kx", "ky", "kz"}}
WORDS = {"helicity": 0.0, "parity": 1.0}


def number(value):
    return float.hex(float(WORDS.get(value, value) if isinstance(value, str) else value))


def pair(value):
    return [number(part) for part in (value if isinstance(value, list) else [value, 0.0])]


def expansion(cases):
    for case in cases:
        numbers = []
        for name, value in case["inputs"].items():
            numbers += pair(value) if name in COMPLEX[case["op"]] else [number(value)]
        words = [case["op"], case["tol"]["rel"], case["tol"]["abs"], len(numbers), *numbers, 2, *pair(case["expected"])]
        yield " ".join(map(str, words))


def reports(cases):
    for case in cases:
        given, value = case["input"], case["expected"]["value"]
        rtol = case["tolerance"]["rtol"]
        if case["area"] == "waves.wigner_small_d":
            words = ["wigner_d", given["l"], given["m"], given["mp"], number(given["theta"]), rtol, number(value)]
        else:
            row, col = given["row"], given["col"]
            words = ["translation", number(given["k"]), *map(number, given["shift"]), row["l"], row["m"], col["l"],
                     col["m"], rtol, *pair(value)]
        yield " ".join(map(str, words))


def errors(cases):
    for case in cases:
        if case["op"] in {"hankel1", "plane_wave", "wigner3j", "incgamma", "sw_translate", "parity_chiral"}:
            yield f"{case['id']} {'refused' if case['expected_error'] else 'fine'}"


def main():
    folder = Path(sys.argv[4])
    names, converters = ["expansion", "wave_reports", "wave_errors"], [expansion, reports, errors]
    for source, name, convert in zip(sys.argv[1:4], names, converters):
        cases = json.loads(Path(source).read_text())["cases"]
        (folder / f"{name}.txt").write_text("\n".join(convert(cases)) + "\n")


main()

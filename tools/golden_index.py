#!/usr/bin/env python3
"""Evaluate tables and formulas of complex indices independently of the library: reference numbers for test_material.

Usage: golden_index.py FOLDER OUT_FOLDER     (needs mpmath, numpy, scipy)
FOLDER holds silica_nk.json, metal_nk.json and index/*.yml. Formulas are evaluated in 40 digits from their definitions
on refractiveindex.info, tables by SciPy. Written: OUT/media_index.def and the files themselves, OUT/index/*.yml, which
the tests read."""
import json
import pathlib
import re
import shutil
import sys

import mpmath as mp
import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator

mp.mp.dps = 40
C = mp.mpf(299792458)
DERIVATIVES = 4


def formula(number, c, u):
    """n by formula `number` at u um; c[0] is C1."""
    c = [mp.mpf(x) for x in map(str, c)] + [mp.mpf(0)] * 24
    pairs = [(c[i], c[i + 1]) for i in range(1, 23, 2)]
    if number == 1:
        return mp.sqrt(1 + c[0] + sum(b * u**2 / (u**2 - p**2) for b, p in pairs if b))
    if number == 2:
        return mp.sqrt(1 + c[0] + sum(b * u**2 / (u**2 - p) for b, p in pairs if b))
    if number == 3:
        return mp.sqrt(c[0] + sum(b * u**p for b, p in pairs if b))
    if number == 4:
        value = c[0] + sum(b * u**p for b, p in pairs[4:] if b)
        for i in (1, 5):
            if c[i]:
                value += c[i] * u ** c[i + 1] / (u**2 - c[i + 2] ** c[i + 3])
        return mp.sqrt(value)
    if number == 5:
        return c[0] + sum(b * u**p for b, p in pairs if b)
    if number == 6:
        return 1 + c[0] + sum(b / (p - u**-2) for b, p in pairs if b)
    if number == 7:
        w = 1 / (u**2 - mp.mpf("0.028"))
        return c[0] + c[1] * w + c[2] * w**2 + c[3] * u**2 + c[4] * u**4 + c[5] * u**6
    if number == 8:
        r = c[0] + c[1] * u**2 / (u**2 - c[2]) + c[3] * u**2
        return mp.sqrt((1 + 2 * r) / (1 - r))
    if number == 9:
        return mp.sqrt(c[0] + c[1] / (u**2 - c[2]) + c[3] * (u - c[4]) / ((u - c[4]) ** 2 + c[5]))
    raise ValueError(number)


def read(path):
    """(type, numbers) of a file with one entry; the escapes of its comments are not YAML, so by pattern."""
    text = path.read_text()
    kind = re.search(r"type: (.*)", text)[1].strip()
    if kind.startswith("formula"):
        span = [float(x) for x in re.search(r"wavelength_range: (.*)", text)[1].split()]
        return kind, span, [float(x) for x in re.search(r"coefficients: (.*)", text)[1].split()]
    rows = [[float(x) for x in line.split()] for line in text.split("data: |\n")[1].splitlines() if line.strip()]
    return kind, None, np.array(rows)


def numbers(values):
    return ", ".join(repr(float(x)) for x in values)


def of_formula(name, number, span, c, points=7):
    """n and its derivatives with respect to the angular frequency."""
    for u in np.geomspace(span[0] * 1.01, span[1] * 0.99, points):
        omega = 2 * mp.pi * C / (mp.mpf(float(u)) * mp.mpf("1e-6"))
        f = lambda w: formula(number, c, 2 * mp.pi * C / w * 10**6)
        values = [mp.diff(f, omega, m, h=omega * mp.mpf("1e-8")) if m else f(omega) for m in range(DERIVATIVES + 1)]
        yield "FORMULA(%s, %s, %s)" % (name, repr(float(u)), numbers(values))


def of_table(name, rows, kind, points=11):
    n, k = kind(rows[:, 0], rows[:, 1]), kind(rows[:, 0], rows[:, 2])
    u = np.geomspace(rows[0, 0] * (1 + 1e-9), rows[-1, 0] * (1 - 1e-9), points)
    u = np.concatenate([u, rows[len(rows) // 2, :1]])
    for x in u:
        omega = 2 * np.pi * float(C) / (x * 1e-6)
        slope = -x / omega  # d u/d omega
        row = [x, n(x), k(x), n(x, 1) * slope, k(x, 1) * slope]
        yield "TABLE(%s, %s)" % (name, numbers(row))


# One made-up material for each formula that no file of the folder uses.
MADE = {
    3: ([2.3, 0.012, -2, 0.0003, -4, -0.011, 2], (0.4, 2.5)),
    5: ([1.52, 0.0045, -2, 0.00011, -4], (0.3, 1.0)),
    6: ([0, 0.05792105, 238.0185, 0.00167917, 57.362], (0.23, 1.69)),
    7: ([3.41983, 0.159906, -0.123109, 1.26878e-6, -1.95104e-9, 0.0], (2.4, 10.0)),
    8: ([0.452505, 0.09939, 0.0701538, -0.00150], (0.54, 1.5)),
    9: ([2.51527, 0.0240, 0.0300, 0.020228, 1.52, 0.008771], (0.3, 1.06)),
}


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    h, e = mp.mpf("6.62607015e-34"), mp.mpf("1.602176634e-19")
    (out / "index").mkdir(parents=True, exist_ok=True)
    rows = []
    for path in sorted((source / "index").glob("*.yml")):
        shutil.copyfile(path, out / "index" / path.name)
        kind, span, data = read(path)
        if kind.startswith("formula"):
            rows += of_formula('"%s"' % path.name, int(kind.split()[1]), span, data)
        else:
            rows += of_table('"%s"' % path.name, data, PchipInterpolator)
    for number, (c, span) in MADE.items():
        name = "made-formula%d.yml" % number
        (out / "index" / name).write_text(
            'REFERENCES: "made up for the test of formula %d"\nDATA:\n  - type: formula %d\n    wavelength_range: %s %s\n'
            "    coefficients: %s\n" % (number, number, *span, " ".join(map(str, c))))
        rows += of_formula('"%s"' % name, number, span, c)
    silica = json.loads((source / "silica_nk.json").read_text())["rows"]
    um = np.array([[float(h * C / (e * mp.mpf(float(r[0]))) * 10**6), r[1], r[2]] for r in silica])
    rows += of_table('"SiO2:table"', um, CubicSpline, 41)
    metals = json.loads((source / "metal_nk.json").read_text())
    for name in ("Ag", "Al"):
        rows += of_table('"%s"' % name, np.array(metals[name]), CubicSpline, 21)
    (out / "media_index.def").write_text(
        "/* media_index.def: FORMULA(name, um, n and %d derivatives with respect to the angular frequency) and\n"
        " * TABLE(name, um, n, k, dn/domega, dk/domega). Made by tools/golden_index.py. */\n" % DERIVATIVES
        + "".join(row + "\n" for row in rows))


if __name__ == "__main__":
    main()

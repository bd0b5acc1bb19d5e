"""refractiveindex.info files as materials of recipes: every formula and table by numbers worked out here, what is wrong with one by its
own line; what poynting materials lists, shows, draws and imports."""

import re

import numpy as np
import pytest
from command import check, run
from hollow import CAPILLARY, recipe

U = 0.8  # um


def formula4(u, c):
    return np.sqrt(c[0] + c[1] * u ** c[2] / (u**2 - c[3] ** c[4]) + c[5] * u ** c[6] / (u**2 - c[7] ** c[8]) + c[9] * u ** c[10])


def formula7(u, c):
    L = 1 / (u**2 - 0.028)
    return c[0] + c[1] * L + c[2] * L**2 + c[3] * u**2 + c[4] * u**4 + c[5] * u**6


def formula8(u, c):
    q = c[0] + c[1] * u**2 / (u**2 - c[2]) + c[3] * u**2
    return np.sqrt((1 + 2 * q) / (1 - q))


# Number, coefficients, index: https://refractiveindex.info, "Dispersion formulas".
FORMULAS = {
    1: ([0, 0.7, 0.07, 0.4, 0.11], lambda u, c: np.sqrt(1 + c[0] + c[1] * u**2 / (u**2 - c[2] ** 2) + c[3] * u**2 / (u**2 - c[4] ** 2))),
    2: ([0, 1.04, 0.006, 0.23, 0.02], lambda u, c: np.sqrt(1 + c[0] + c[1] * u**2 / (u**2 - c[2]) + c[3] * u**2 / (u**2 - c[4]))),
    3: ([2.27, -0.01, 2, 0.011, -2], lambda u, c: np.sqrt(c[0] + c[1] * u ** c[2] + c[3] * u ** c[4])),
    4: ([2.2, 0.01, 0, 0.1, 2, 0.02, 0, 0.2, 1, -0.01, 2], formula4),
    5: ([1.45, 0.004, -2, -0.001, 2], lambda u, c: c[0] + c[1] * u ** c[2] + c[3] * u ** c[4]),
    6: ([0, 0.05, 238, 0.002, 57], lambda u, c: 1 + c[0] + c[1] / (c[2] - u**-2) + c[3] / (c[4] - u**-2)),
    7: ([1.5, 0.004, 0.0001, -0.001, 0.0001, 0.00001], formula7),
    8: ([0.2, 0.08, 0.01, 0.001], formula8),
    9: ([2.2, 0.01, 0.02, 0.03, 0.1, 0.5], lambda u, c: np.sqrt(c[0] + c[1] / (u**2 - c[2]) + c[3] * (u - c[4]) / ((u - c[4]) ** 2 + c[5]))),
}


def formula_file(number, coefficients):
    return (f"REFERENCES: made\nDATA:\n  - type: formula {number}\n    wavelength_range: 0.1 4\n"
            f"    coefficients: {' '.join(map(repr, coefficients))}\n")


def table(kind, rows):
    return f"DATA:\n  - type: tabulated {kind}\n    data: |\n" + "".join("        " + " ".join(map(repr, r)) + "\n" for r in rows)


def imported(folder, text, at="800 nm"):
    (folder / "x.yml").write_text(text)
    shown = run("materials", "--import", "x.yml", "--at", at, cwd=folder)
    assert shown.returncode == 0, shown.stderr
    n, k = (re.search(rf"^\s*{name}\s+([-\d.e+]+)", shown.stdout, flags=re.M) for name in ("n", "k"))
    return float(n[1]), float(k[1]) if k else 0.0


def attenuation(folder, wall, text, **more):
    (folder / "x.yml").write_text(text)
    geometry = CAPILLARY + f'\nmodel = "reduced"\nwall = {wall}'
    code, checked, err = check(folder, recipe(**(dict(geometry=geometry, gas='fill = "vacuum"',
                                                      grid='wavelength_min = "400 nm"\nwavelength_max = "1200 nm"\nwindow = "400 fs"') | more)))
    assert code == 0, checked["faults"] or err
    return checked["numbers"]["attenuation"]["value"]


def marcatili(n):
    """2 k u^2 Re v/(ka)^3, v = (n^2 + 1)/(2 sqrt(n^2 - 1)), u the first zero of J_0, a = 125 um."""
    k, u = 2 * np.pi / 800e-9, 2.404825557695773
    v = (n**2 + 1) / (2 * np.sqrt(n**2 - 1 + 0j))
    return 2 * k * u**2 * v.real / (k * 125e-6) ** 3


@pytest.mark.parametrize("number", FORMULAS)
def test_formula(tmp_path, number):
    coefficients, index = FORMULAS[number]
    n = index(U, coefficients)
    assert imported(tmp_path, formula_file(number, coefficients))[0] == pytest.approx(n, rel=1e-9)
    assert attenuation(tmp_path, '"x.yml"', formula_file(number, coefficients)) == pytest.approx(marcatili(n), rel=1e-9)


def test_tables(tmp_path):
    """Between rows a monotone cubic, which has a straight line as it is; k beside a formula; a name in [materials]."""
    rows = [(u, 1.5 - 0.1 * u, 0.02 * u) for u in (0.1, 0.7, 1.0, 4.0)]
    n, k = 1.5 - 0.1 * U, 0.02 * U
    assert imported(tmp_path, table("nk", rows)) == pytest.approx((n, k), rel=1e-9)
    assert imported(tmp_path, table("n", [r[:2] for r in rows])) == pytest.approx((n, 0), rel=1e-9)
    both = formula_file(5, [1.45, 0.0, 1]) + table("k", [(u, 0.02 * u) for u in (0.1, 1.0, 4.0)]).replace("DATA:\n", "")
    assert imported(tmp_path, both) == pytest.approx((1.45, k), rel=1e-9)
    assert attenuation(tmp_path, '"x.yml"', table("nk", rows)) == pytest.approx(marcatili(n + 1j * k), rel=1e-9)
    named = attenuation(tmp_path, '"mine"', table("nk", rows), materials='mine = { file = "x.yml" }')
    assert named == pytest.approx(marcatili(n + 1j * k), rel=1e-9)


def test_in_the_path_of_a_pulse(tmp_path):
    """1 mm of a glass whose n is linear in wavelength has no second-order dispersion: lambda^3/(2 pi c^2) n'' = 0."""
    straight = table("n", [(u, 1.6 - 0.05 * u) for u in (0.1, 1.0, 2.0, 4.0)])
    (tmp_path / "x.yml").write_text(straight)
    peak = []
    for through in ("[]", '[{ material = "x.yml", thickness = "1 mm" }]'):
        code, checked, _ = check(tmp_path, recipe(gas='fill = "vacuum"', pulse='wavelength = "800 nm"\nenergy = "1 uJ"\nfwhm = "30 fs"\nthrough = ' + through))
        assert code == 0, checked["faults"]
        peak.append(checked["numbers"]["peak_power"]["value"])
    assert peak[1] == pytest.approx(peak[0], rel=2e-3)


BAD = [
    ("DATA:\n", 1, "DATA has no entry"),
    ("hello\n", 1, 'is not "KEY: value"'),
    ("DATA:\n  - type: formula 2\n    wavelength_range: 0.1 4\n    coefficients: 0 1 two\n", 4, "numbers are expected"),
    ("DATA:\n  - type: formula 2\n    coefficients: 0 1 2\n", 2, "needs wavelength_range"),
    ("DATA:\n  - type: formula 12\n    wavelength_range: 0.1 4\n    coefficients: 0 1\n", 2, "there are formulas 1 to 9"),
    ("DATA:\n  - type: formula 8\n    wavelength_range: 0.1 4\n    coefficients: 0 1\n", 2, "formula 8 has 2 coefficients"),
    ("DATA:\n  - type: tabulated nm\n    data: |\n        0.5 1.5\n", 3, "be tabulated"),
    ("DATA:\n  - type: tabulated nk\n    data: |\n        0.5 1.5 0.1\n        0.4 1.6 0.2\n", 5, "above the one before"),
    ("DATA:\n  - type: tabulated nk\n    data: |\n        0.5 1.5 0.1\n        0.6 nan 0.2\n", 5, "has 3 numbers"),
    ("DATA:\n  - type: tabulated nk\n    data: |\n        0.5 1.5\n        0.6 1.5\n", 4, "has 3 numbers"),
]


@pytest.mark.parametrize("text, line, words", BAD)
@pytest.mark.parametrize("named", [0, 1])
def test_bad_file(tmp_path, text, line, words, named):
    (tmp_path / "x.yml").write_text(text)
    sections = dict(geometry=CAPILLARY + '\nwall = "mine"', materials='mine = { file = "x.yml" }') if named else dict(
        geometry=CAPILLARY + '\nwall = "x.yml"')
    code, checked, err = check(tmp_path, recipe(gas='fill = "vacuum"', **sections))
    assert code == 3, err
    (fault,) = checked["faults"]
    assert (fault["file"], fault["line"], fault["code"]) == ("x.yml", line, "E_VALUE"), fault
    assert words in f"{fault['problem']}: {fault['hint']}" and fault["hint"]
    done = run("check", "a.toml", cwd=tmp_path)
    assert f"x.yml:{line}: " in done.stderr + done.stdout and ": :" not in done.stderr + done.stdout
    assert f"x.yml:{line}: " in run("materials", "--import", "x.yml", cwd=tmp_path).stderr


@pytest.mark.parametrize("wall, words", [('"none.yml"', "cannot be read"), ('"vacuum"', "no wall"), ("{ n = 1.0, k = 0.0 }", "no wall")])
def test_no_wall(tmp_path, wall, words):
    code, checked, _ = check(tmp_path, recipe(geometry=CAPILLARY + f"\nwall = {wall}"))
    (fault,) = checked["faults"]
    assert code == 3 and fault["key"] == "geometry.wall" and words in f"{fault['problem']}: {fault['hint']}"


def test_range_of_a_file(tmp_path):
    """Its data end; how to go beyond them is what the hint says."""
    (tmp_path / "x.yml").write_text(table("n", [(0.5, 1.5), (0.9, 1.4)]))
    sections = dict(gas='fill = "vacuum"', grid='wavelength_min = "600 nm"\nwavelength_max = "1200 nm"\nwindow = "400 fs"')
    code, checked, _ = check(tmp_path, recipe(geometry=CAPILLARY + '\nwall = "x.yml"', **sections))
    (fault,) = checked["faults"]
    hint = re.search(r"use materials\.NAME = (\{.*\})", fault["hint"])[1]
    assert code == 3 and "900 nm" in fault["problem"]
    code, checked, _ = check(tmp_path, recipe(geometry=CAPILLARY + '\nwall = "mine"', materials=f"mine = {hint}", **sections))
    assert code == 0, checked["faults"]


def test_command(tmp_path):
    """Everything that is listed can be shown and drawn."""
    shown = run("materials")
    assert shown.returncode == 0
    names = [line.split()[0] for line in shown.stdout.splitlines() if line and not line[0].isspace()]
    assert {"SiO2", "Au:Johnson", "He", "Ar", "water"} <= set(names)
    for name in ("SiO2", "Au:Johnson", "He", "N2", "MgF2", "LBO:x"):
        done = run("materials", name, "--at", "650 nm")
        assert done.returncode == 0 and re.search(r"^\s*n\s", done.stdout, flags=re.M), done.stderr
    for name, ending in (("SiO2", "png"), ("Ar", "csv"), ("Au:Johnson", "svg")):
        done = run("materials", name, "--plot", f"m.{ending}", cwd=tmp_path)
        assert done.returncode == 0 and (tmp_path / f"m.{ending}").stat().st_size > 500, done.stderr
    done = run("materials", "Silicaa")
    assert done.returncode != 0 and "unknown" in done.stderr
    done = run("materials", "SiO2", "--at", "20 um")
    assert done.returncode != 0 and "index data end" in done.stderr


# ---- [materials] ----

ENTRIES = {
    "a file and an index": ('{ file = "x.yml", n = 1.45 }', "materials.glass.n", "E_CONFLICT", "keep one"),
    "index and permittivity": ("{ n = 1.45, re = 2.1 }", "materials.glass.re", "E_CONFLICT", "keep n and k, or re and im"),
    "k alone": ("{ k = 0.1 }", "materials.glass.k", "E_MISSING", "add n = 1.5"),
    "im alone": ("{ im = 0.1 }", "materials.glass.im", "E_MISSING", "re = 2.25"),
    "mu alone": ("{ mu = 1.1 }", "materials.glass.mu", "E_MISSING", "add n = 1.5"),
    "beyond what data": ("{ n = 1.45, extrapolate = true }", "materials.glass.extrapolate", "E_CONFLICT", "no range to leave"),
    "chiral": ("{ n = 1.45, kappa = 0.1 }", "materials.glass.kappa", "E_CONFLICT", "wall, line 8"),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_entry_that_contradicts_itself(tmp_path, name):
    """Nothing that a recipe says of a material is passed over in silence."""
    entry, key, code, words = ENTRIES[name]
    (tmp_path / "x.yml").write_text(formula_file(1, FORMULAS[1][0]))
    left, checked, _ = check(tmp_path, recipe(geometry=CAPILLARY + '\nwall = "glass"', materials=f"glass = {entry}"))
    (fault,) = [f for f in checked["faults"] if f["key"] == key]
    assert left == 3 and fault["code"] == code, fault
    assert words in f"{fault['problem']}: {fault['hint']}", fault


def test_entry_that_nothing_names(tmp_path):
    _, checked, _ = check(tmp_path, recipe(materials="He = { extrapolate = true }\nglas = { n = 1.45 }"))
    (fault,) = checked["faults"]
    assert fault["severity"] == "warning" and fault["key"] == "materials.glas" and "names glas" in fault["problem"]
    _, checked, _ = check(tmp_path, recipe(**{"materials.'SiO2:table'": "extrapolate = true"}))  # the wall, unless another is named
    assert not checked["faults"]


IDLE = {
    "physics.rate": dict(physics='plasma = false\nrate = "adk"'),
    "physics.plasma_rule": dict(physics='plasma = false\nplasma_rule = "band:2"'),
    "gas.eos": dict(gas='fill = "vacuum"\neos = "ideal"'),
    "gas.temperature": dict(gas='fill = "vacuum"\ntemperature = "300 K"'),
    "physics.raman_start": dict(physics='raman_start = "full"'),
    "physics.raman_kernel": dict(physics='raman_kernel = "analytic"'),
    "solver.rtol": dict(solver='rtol = 1e-8\nschedule = ["1 cm"]\nabsorber = "none"'),
}


@pytest.mark.parametrize("key", IDLE)
def test_key_without_effect(tmp_path, key):
    code, checked, _ = check(tmp_path, recipe(**IDLE[key]))
    (fault,) = checked["faults"]
    assert code == 0 and fault["severity"] == "warning" and fault["key"] == key and "no effect" in fault["problem"]

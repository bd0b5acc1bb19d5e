"""The golden propagations in a fibre, from a recipe to the numbers of the result file: complex spectra S in sqrt(J s), with
the array's start as the origin of phases, at the tolerances that the specification of the golden files gives."""

import h5py
import numpy as np
import pytest
from command import SOURCE, run

FOLDER = SOURCE / "tests/golden/propagation"
# Of the field at rtol 1e-8; the supercontinuum is sensitive to everything.
CASES = {"e01_soliton_N3": 1e-6, "e02_dispersion_gauss": 1e-6, "e03_spm": 1e-6, "e03b_spm_shock": 1e-6,
         "e04_ssfs_blowwood": 1e-6, "e04_ssfs_hollenbeck": 1e-6, "e04_ssfs_linagrawal": 1e-6,
         "e06_supercontinuum_dudley2006": 5e-3}
MODELS = {0: "off", 1: "blow_wood", 2: "lin_agrawal", 3: "hollenbeck_cantrell"}
SHAPES = {0: "gaussian", 1: "sech2", 2: "lorentzian"}


def read(name):
    """Scalars, and samples as arrays of omega and S."""
    scalars, samples = {}, []
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        key, *values = line.split()
        if key == "sample":
            samples.append([float(v) for v in values[:3]])
        else:  # beta_2, beta_3 ... stand one a line
            scalars.setdefault(key, []).extend(float(v) for v in values[:1])
    samples = np.array(samples)
    return scalars, samples[:, 0], samples[:, 1] + 1j * samples[:, 2]


def recipe(g):
    """What the golden file describes, as a recipe."""
    one = {k: v[0] for k, v in g.items()}
    orders = ", ".join(f'"{b!r} s{n}/m"' for n, b in enumerate(g.get("beta", []), 2))
    duration = f't0 = "{one["t0"]!r} s"' if "t0" in one else f'fwhm = "{one["fwhm"]!r} s"'
    strength = f'peak_power = "{one["peak_power"]!r} W"' if "peak_power" in one else f'energy = "{one["energy_in_J"]!r} J"'
    fraction = f'raman_fraction = {one["fraction"]!r}\n' if one.get("raman") else ""
    return f"""schema = 1
kind = "pulse"
name = "golden"
[geometry]
type = "fibre"
length = "{one["length"]!r} m"
[fibre]
gamma = "{one["gamma"]!r} 1/(W m)"
beta = [{orders}]
[[pulse]]
wavelength = "{one["reference"]!r} m"
shape = "{SHAPES[int(one["shape"])]}"
{duration}
{strength}
[physics]
shock = {"true" if one["shock"] else "false"}
raman = "{MODELS[int(one.get("raman", 0))]}"
raman_start = "{"full" if one.get("start_full") else "half"}"
{fraction}
[grid]
window = "{one["window"]!r} s"
samples = {int(one["n"])}
[solver]
rtol = 1e-8
[output]
planes = 2
[plots]
kinds = []
"""


@pytest.mark.parametrize("name", CASES)
def test_golden(tmp_path, name):
    g, omega, want = read(name)
    (tmp_path / "a.toml").write_text(recipe(g))
    done = run("run", "a.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "golden.h5") as f:
        grid, S, energy = f["grid/omega"][:], f["field/spectrum"][-1, 0, 0], f["stats/energy"][:]
    assert grid[1] - grid[0] == pytest.approx(g["domega"][0], rel=1e-9)
    at = np.round((omega - grid[0]) / (grid[1] - grid[0])).astype(int)
    assert np.allclose(grid[at], omega, rtol=1e-12)
    assert np.linalg.norm(S[at] - want) < CASES[name] * np.linalg.norm(want)
    assert energy[0] == pytest.approx(g["energy_in_J"][0], rel=1e-9)
    assert energy[-1] == pytest.approx(g["energy_J"][0], rel=1e-7 if CASES[name] < 1e-4 else 1e-4)

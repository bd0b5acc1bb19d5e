"""Gas of more than one kind, and its equation of state: along gradients, in pins, ideal."""

import h5py
import numpy as np
import pytest
from hollow import CAPILLARY, numbers, result

K_B = 1.380649e-23
LONG = 'wavelength_min = "400 nm"\nwavelength_max = "3 um"\nwindow = "400 fs"'

# ---- mixtures ----

MIXED = dict(geometry=CAPILLARY.replace("1 cm", "10 cm") + "\nloss = false", physics="kerr = false\nplasma = false",
             output='planes = 3\nstats = ["pressure", "density", "energy"]')


def linear(folder, gas):
    """What a guide without responses does to the spectrum, and pressure and density at the planes."""
    with h5py.File(result(folder, **MIXED, gas=gas)) as f:
        S = f["field/spectrum"][:, 0, 0]
        strong = np.abs(S[0]) > 1e-3 * np.abs(S[0]).max()
        rows = np.searchsorted(f["stats/z"][:], f["grid/z"][:])
        return S[-1, strong] / S[0, strong], f["stats/pressure"][rows], f["stats/density"][rows]


def test_gradient_of_a_mixture(tmp_path):
    """p squared is linear in z for the whole, each gas keeps its share, and phases add up: those of n differ by less than
    chi_He chi_Ar/4 k L = 1e-3 rad here."""
    mixed, pressure, density = linear(tmp_path, 'fill = { He = 0.75, Ar = 0.25 }\npressure = "0.8 bar -> 0 bar"')
    assert pressure == pytest.approx([0.8e5, 0.8e5 / np.sqrt(2), 0], rel=1e-9)
    assert density == pytest.approx(pressure / (K_B * 293.15), rel=1e-3)  # helium and argon at 1 bar are ideal to 6e-4
    again, *_ = linear(tmp_path, 'fill = { He = "0.6 bar -> 0 bar", Ar = "0.2 bar -> 0 bar" }')
    assert np.abs(again - mixed).max() < 1e-10
    helium, *_ = linear(tmp_path, 'fill = "He"\npressure = "0.6 bar -> 0 bar"')
    argon, *_ = linear(tmp_path, 'fill = "Ar"\npressure = "0.2 bar -> 0 bar"')
    vacuum, *_ = linear(tmp_path, 'fill = "vacuum"')
    assert np.abs(np.angle(mixed * vacuum / (helium * argon))).max() < 1e-3
    assert np.abs(np.angle(mixed / argon)).max() > 0.05  # what helium adds


def test_pin_of_a_mixture(tmp_path):
    found, checked = numbers(tmp_path, gas='fill = { He = 0.5, Ne = 0.5 }\npressure = { pin = "zdw", wavelength = "500 nm" }')
    assert found["zdw.0"] == pytest.approx(500e-9, rel=1e-6)
    half = found["pressure"] / 2
    same, _ = numbers(tmp_path, gas=f'fill = {{ He = "{half!r} Pa", Ne = "{half!r} Pa" }}')
    assert same["zdw.0"] == pytest.approx(500e-9, rel=1e-6)


def test_ideal_gas(tmp_path):
    """p/(k T); the reference equation is denser by the second virial coefficient, -16.5(7) cm3/mol of argon at 20 degrees Celsius (Dymond
    and Smith, The Virial Coefficients of Pure Gases and Mixtures, 1980)."""
    density = {}
    for eos in ("helmholtz", "ideal"):
        path = result(tmp_path, geometry=CAPILLARY.replace("1 cm", "0.1 mm"), gas=f'fill = "Ar"\npressure = "5 bar"\neos = "{eos}"',
                      output='planes = 2\nstats = ["density"]', grid=LONG)
        with h5py.File(path) as f:
            density[eos] = f["stats/density"][0]
    assert density["ideal"] == pytest.approx(5e5 / (K_B * 293.15), rel=1e-9)
    per_mole = 5e5 / (8.31446 * 293.15)
    assert density["helmholtz"] / density["ideal"] - 1 == pytest.approx(16.5e-6 * per_mole, abs=0.8e-6 * per_mole)

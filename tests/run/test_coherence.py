"""The coherence of supercontinua: a small ensemble of examples/coherence.toml, the same each time."""

import os

import h5py
import numpy as np
from command import SOURCE, run

SETTINGS = {"geometry.length": "8 cm", "grid.wavelength_min": "450 nm", "grid.wavelength_max": "1600 nm", "grid.window": "5 ps", "solver.rtol": "1e-4",
            "scan.grid.pulse.0.fwhm": '["50 fs", "150 fs"]', "scan.list.seed": "[1, 2, 3, 4, 5, 6]", "run.deterministic": "true"}


def test_long_pulses_lose_it(tmp_path):
    """Dudley, Genty and Coen, Rev. Mod. Phys. 78, 1135 (2006), section V: at the same peak power a continuum of 50 fs is coherent
    over most of its band (30 dB), one of 150 fs nearly nowhere. Of six runs without any coherence |g12| has a median near
    1/sqrt(30), the root of one over the number of pairs: 0.2."""
    options = [x for key, value in SETTINGS.items() for x in ("-s", f"{key}={value}")]
    done = run("scan", SOURCE / "examples/coherence.toml", *options, cwd=tmp_path, env=os.environ | {"OMP_WAIT_POLICY": "passive"})
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "pcf-coherence.scan.h5") as f:
        mean, g12, omega = f["scan/spectrum_mean"][:, 0, 0], f["scan/coherence_g12"][:, 0, 0], f["grid/omega"][:]
    density = np.where(omega > 0, mean * omega**2, 0)  # per unit of wavelength
    band = density > 1e-3 * density.max(axis=1, keepdims=True)
    wide = [2 * np.pi * 299792458e9 / omega[b][[-1, 0]] for b in band]
    assert all(high - low > 400 for low, high in wide), wide  # nm: both are supercontinua
    assert np.mean(g12[0][band[0]] > 0.9) > 0.6
    assert np.median(g12[1][band[1]]) < 0.3 < 0.9 < np.median(g12[0][band[0]])

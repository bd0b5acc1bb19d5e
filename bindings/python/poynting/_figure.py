"""Pictures of pulses by matplotlib."""
from __future__ import annotations

import numpy as np

_AXES = {"wavelength": ("wavelength (nm)", 1e9), "frequency": ("frequency (THz)", 1e-12),
         "angular_frequency": ("angular frequency (rad/fs)", 1e-15), "photon_energy": ("photon energy (eV)", 1.0)}


def figure(result, kind: str, axis: str, db: float, z):
    """See Result.figure."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("Result.figure needs matplotlib: pip install 'poynting[plot]'. Result.plot draws with gnuplot") from error
    if axis not in _AXES:
        raise ValueError(f"axis: {axis!r} is not one of {', '.join(_AXES)}")
    if kind not in ("spectrum", "evolution"):
        raise ValueError(f"kind: {kind!r} is not spectrum or evolution; Result.plot draws {', '.join(result.kinds())}")
    if not db > 0:
        raise ValueError(f"db = {db}: decibels below the peak have to be above 0")
    label, scale = _AXES[axis]
    page = Figure(layout="constrained")
    ax = page.add_subplot(xlabel=label)
    if kind == "spectrum":
        x, density = result.spectrum(axis, z)
        ax.plot(x * scale, _decibel(density, density.max(), db))
        ax.set(ylabel="energy density (dB)", ylim=(-db, 3))
        return page
    planes = result["field/z"]
    rows = [result.spectrum(axis, float(p)) for p in planes]
    power = np.array([density for _, density in rows])
    picture = ax.pcolormesh(rows[0][0] * scale, planes, _decibel(power, power.max(), db), shading="nearest", vmin=-db, vmax=0)
    ax.set(ylabel="z (m)")
    page.colorbar(picture, label="energy density (dB)")
    return page


def _decibel(power, peak, db):
    return 10 * np.log10(np.maximum(power / peak, 10 ** (-db / 10 - 1)))

"""Poynting: differentiable computational optics: ultrafast pulses, T-matrices, and their gradients.

    r = poynting.Recipe.load("rdw.toml").set("pulse.0.energy", "150 uJ")
    out = poynting.run(r)
    wavelength, S = out.spectrum(axis="wavelength")

poynting.jax, .torch, .autograd and .advect have the operations of those frameworks; each is imported when it is asked for."""
from __future__ import annotations

from ._core import load_records, quantity, records
from ._core import threads as _threads
from ._core import version as __version__
from ._errors import *  # noqa: F403
from ._errors import __all__ as _errors_all
from . import units

_HOMES = {
    "_recipe": ("Recipe", "resume", "run"),
    "_scan": ("Scan", "scan"),
    "_objective": ("Objective", "check_grad", "objective", "value_and_grad"),
    "_result": ("Result", "open"),
    "_media": ("Material",),
    "_bases": ("CylindricalBasis", "PlaneWaveBasis", "PlaneWavePorts", "SphericalBasis"),
    "_lattice": ("Lattice", "WaveVector"),
    "_outcomes": ("BandModes", "CircularDichroism", "CrossSections", "PowerBalance", "ScatteredPorts"),
    "_waves": ("PlaneWave", "Wave", "cylindrical_wave", "plane_wave", "plane_wave_angle", "spherical_wave"),
    "_tmatrix": ("CylindricalTMatrix", "TMatrix", "cylinder_tmatrix", "multilayer_cylinder_tmatrix",
                 "multilayer_sphere_tmatrix", "sphere_tmatrix"),
    "_cluster": ("Cluster", "ScatteringFactor"),
    "_periodic": ("PeriodicResponse", "PeriodicWave", "solve_periodic"),
    "_smatrix": ("SMatrix", "ScatteringBlock", "chirality_density", "interface", "multilayer_slab", "poynting_avg_z", "propagation", "slab",
                 "stack"),
    "_catalog": ("support_catalog",),
    "parallel": ("ThreadingWarning", "thread_info", "threads"),
}
_LAZY = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ("jax", "torch", "autograd", "advect", "diff", "operators", "special", "sw", "cw", "pw", "misc", "coeffs", "lattice",
            "io", "ebcm", "iterative", "parallel", "testing")

__all__ = [*_LAZY, "records", "load_records", "quantity", "units", "get_num_threads", "set_num_threads", *_errors_all]


def get_num_threads() -> int:
    """Threads that the engine uses."""
    return _threads()


def set_num_threads(n: int) -> None:
    """Sets the engine's threads; 0: all that the process may run on. Results do not depend on it."""
    _threads(n)


def __getattr__(name: str):
    import importlib

    if name in _LAZY:
        value = globals()[name] = getattr(importlib.import_module(f"poynting.{_LAZY[name]}"), name)
        return value
    if name in _MODULES:
        return importlib.import_module(f"poynting.{name}")
    raise AttributeError(f"module 'poynting' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_LAZY, *_MODULES])

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

_LAZY = {"Recipe": "_recipe", "run": "_recipe", "scan": "_scan", "Scan": "_scan", "Result": "_result", "open": "_result", "Material": "_media",
         "SphericalBasis": "_bases", "PlaneWave": "_waves", "Wave": "_waves", "plane_wave": "_waves",
         "plane_wave_angle": "_waves", "spherical_wave": "_waves", "CrossSections": "_tmatrix", "TMatrix": "_tmatrix",
         "sphere_tmatrix": "_tmatrix", "multilayer_sphere_tmatrix": "_tmatrix", "Cluster": "_cluster"}

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
        return getattr(importlib.import_module(f"poynting.{_LAZY[name]}"), name)
    if name in ("jax", "torch", "autograd", "advect", "diff"):
        return importlib.import_module(f"poynting.{name}")
    raise AttributeError(f"module 'poynting' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_LAZY, "jax", "torch", "autograd", "advect", "diff"])

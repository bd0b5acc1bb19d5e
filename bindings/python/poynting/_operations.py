"""The expert operations that every adapter offers under the same names: options by keyword, arrays by position."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._records import options_text

__all__: list[str] = []


def bind(namespace: dict, call) -> None:
    """Puts the operations into an adapter's module, over its call(name, options, *values)."""

    def solve(operator, rhs):
        """operator^-1 rhs; shapes [n, n] and [n, m]."""
        return call("poy.solve", "", operator, rhs)

    def interaction(local, coupling):
        """(1 - local coupling)^-1 local; shapes [n, n]."""
        return call("poy.interaction", "", local, coupling)

    def illuminate(local, coupling, incident):
        """(1 - local coupling)^-1 local incident."""
        return call("poy.illuminate", "", local, coupling, incident)

    def bessel(z, *, order, function="j", spherical=False, derivative=False):
        """Bessel and Hankel functions of a complex argument, elementwise; function: j, y, h1, h2. order: a number, or an
        array of z's shape."""
        options = options_text({"function": function, "spherical": spherical, "derivative": derivative})
        return call("poy.bessel", options, np.broadcast_to(np.asarray(order, float), np.shape(z)), z)

    def sphere(lmax, k0, radii, epsilon, mu=None, kappa=None):
        """T-matrix of a layered sphere in the helicity basis; epsilon, mu, kappa from inside out, the host last."""
        media = np.shape(epsilon)
        mu = np.ones(media, complex) if mu is None else mu
        kappa = np.zeros(media, complex) if kappa is None else kappa
        return call("poy.sphere", options_text({"lmax": lmax}), k0, radii, epsilon, mu, kappa)

    for function in (solve, interaction, illuminate, bessel, sphere):
        namespace[function.__name__] = function
    namespace["__getattr__"] = lambda name: _further(namespace["__name__"], name)


# What adapters of treams-rs have under their own names: the same objects and functions, which look at the values that they are given.
_OBJECTS = ("BandModes", "Cluster", "CrossSections", "CylindricalBasis", "Lattice", "Material", "PeriodicResponse", "PlaneWave", "PlaneWaveBasis",
            "PlaneWavePorts", "PowerBalance", "SMatrix", "ScatteredPorts", "SphericalBasis", "TMatrix", "Wave", "cylinder_tmatrix", "interface",
            "multilayer_cylinder_tmatrix", "multilayer_slab", "multilayer_sphere_tmatrix", "plane_wave", "propagation", "slab", "solve_periodic",
            "sphere_tmatrix", "stack")


def tmatrix(array, *, basis, k0, medium: Any = 1, polarization="helicity"):
    """A T-matrix of a framework's array."""
    import poynting as po

    family = po.CylindricalTMatrix if isinstance(basis, po.CylindricalBasis) else po.TMatrix
    return family(array, k0=k0, basis=basis, medium=medium, polarization=polarization)


def smatrix(array, *, basis, k0, negative_medium: Any = 1, positive_medium: Any = 1,
            polarization="helicity"):
    """An S-matrix of a framework's blocks [2, 2, ports, ports]."""
    import poynting as po

    return po.SMatrix(array, k0=k0, basis=basis, negative_medium=negative_medium, positive_medium=positive_medium, polarization=polarization)


def wave(coefficients, *, basis, k0, medium: Any = 1, kind="regular", polarization="helicity"):
    """A wave of a framework's coefficients."""
    import poynting as po

    return po.Wave(coefficients, basis=basis, k0=k0, medium=medium, kind=kind, polarization=polarization)


def _further(module: str, name: str):
    import functools

    import poynting as po
    from poynting import diff

    if name in _OBJECTS:
        return getattr(po, name)
    if name in ("tmatrix", "smatrix", "wave"):
        return globals()[name]
    record = getattr(diff, name, None)
    if getattr(record, "__module__", "") == diff.__name__ and callable(record) and not isinstance(record, type) and "factor" not in name \
            and not name.startswith("_"):
        return functools.wraps(record)(lambda *values, **options: record(*values, **options)[0])
    raise AttributeError(f"module {module!r} has no attribute {name!r}")

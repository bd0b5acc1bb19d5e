"""The expert operations that every adapter offers under the same names: options by keyword, arrays by position."""
from __future__ import annotations

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

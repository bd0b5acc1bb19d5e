"""poynting.ebcm: the extended boundary condition method for bodies of revolution about z."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import diff
from ._types import Array

__all__ = ["Modes", "qmat"]
Modes = tuple[Any, Any, Any]  # columns (l, m, pol)


def qmat(r: Callable[[float], float], dr: Callable[[float], float], ks: Array, zs: Array, out: Modes, in_: Modes | None = None,
         singular: bool = True, *, order: int = 96,
         radial_area_factor: bool = True) -> np.ndarray:
    """Q of a surface r(theta) with slope dr(theta): T = -Q^-1 Q_regular, Q of singular waves, Q_regular of regular ones (singular=False).

    ks [2, 2]: wavenumbers of pols 0 and 1 inside, then outside; zs [2]: impedances likewise; out, in_: columns (l, m, pol) of the rows and
    columns (default: the same). order: Gauss-Legendre nodes in theta. radial_area_factor False leaves the radius out of the element of
    area, as treams does."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    theta, weights = (nodes + 1) * np.pi / 2, weights * np.pi / 2
    radii, slopes = (np.array([float(f(t)) for t in theta]) for f in (r, dr))
    if not radial_area_factor:
        weights = weights / radii
    value: Any = diff.ebcm_qmat(radii, slopes, np.asarray(ks, complex), np.asarray(zs, complex), theta=theta, weights=weights, destination=out,
                                source=in_, singular=singular)[0]
    return value
